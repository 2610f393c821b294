//===- VersionScopes.cpp - versions of scopes under run-time flags --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeUtils.h"

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPVERSIONSCOPESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Whether what `op` itself does may depend on the state for `device`.
static bool dependsOnState(Operation *op, StringRef device) {
  if (auto query = dyn_cast<IsEnabledOp>(op))
    return query.getDevice() == device;
  if (isa<CallOpInterface>(op))
    return true;
  if (isa<AutocastOp, RegionBranchOpInterface>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (auto interface = dyn_cast<PrecisionOpInterface>(op)) {
    PrecisionClass kind = interface.getPrecisionClass();
    if (kind == PrecisionClass::Cast || kind == PrecisionClass::Generator ||
        kind == PrecisionClass::Pinned)
      return false;
  }
  return needsDecision(op);
}

/// Whether anything in the body of `scope` depends on the state that it sets. A
/// scope of the same device inside decides for itself.
static bool hasDependents(AutocastOp scope) {
  return scope.getBody()
      .walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto inner = dyn_cast<AutocastOp>(op);
            inner && inner.getDevice() == scope.getDevice())
          return WalkResult::skip();
        return dependsOnState(op, scope.getDevice()) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Moves the body of `scope` in front of it and erases it, where the scope
/// around it says the same and nothing is cast at its end.
static bool dissolveIfSame(AutocastOp scope) {
  auto outer = scope->getParentOfType<AutocastOp>();
  if (!outer || scope.getFlag() || outer.getFlag() ||
      scope.getDevice() != outer.getDevice() ||
      scope.getDisabled() != outer.getDisabled() ||
      (!scope.getDisabled() && scope.getDtype() != outer.getDtype()) ||
      scope.getPolicyAttr() != outer.getPolicyAttr() ||
      scope.getResultsMode() != ResultsMode::propagate)
    return false;
  Block &body = scope.getBody().front();
  YieldOp yield = scope.getYield();
  for (auto [argument, capture] :
       llvm::zip_equal(body.getArguments(), scope.getCaptures()))
    argument.replaceAllUsesWith(capture);
  scope->replaceAllUsesWith(yield.getOperands());
  scope->getBlock()->getOperations().splice(scope->getIterator(),
                                            body.getOperations(), body.begin(),
                                            yield->getIterator());
  scope.erase();
  return true;
}

namespace {
/// A flag whose value is known in the version that is being visited.
struct KnownFlag {
  Value flag;
  bool value;
};

class ScopeVersioner {
public:
  ScopeVersioner(unsigned limit, bool splits) : limit(limit), splits(splits) {}

  LogicalResult visitRegion(Region &region);

  int64_t numVersioned = 0;
  int64_t numMerged = 0;
  int64_t numSplit = 0;

private:
  LogicalResult visitScope(AutocastOp scope);
  LogicalResult makeVersions(AutocastOp scope, Value flag);
  bool resolveFlag(AutocastOp scope, Value flag);
  std::optional<bool> evaluate(Value flag) const;
  void addKnown(Value flag, bool value);
  AutocastOp findInner(AutocastOp scope, Value flag);
  LogicalResult split(AutocastOp scope, AutocastOp inner);
  /// How many versions of an op there are below `depth` flags.
  static uint64_t countVersions(unsigned depth) {
    return uint64_t(1) << std::min(depth, 63u);
  }

  unsigned limit;
  bool splits;
  SmallVector<KnownFlag> known;
  /// Where the flags are that the version being visited is of.
  SmallVector<Location> flags;
};
} // namespace

static void remarkOn(AutocastOp scope, StringRef name, StringRef reason) {
  remark::passed(
      scope.getLoc(),
      remark::RemarkOpts::name(name).category("amp").subCategory("scopes"))
      << remark::metric("Device", scope.getDevice())
      << remark::reason("{0}", reason);
}

LogicalResult ScopeVersioner::visitRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto scope = dyn_cast<AutocastOp>(op)) {
        if (failed(visitScope(scope)))
          return failure();
        continue;
      }
      for (Region &nested : op.getRegions())
        if (failed(visitRegion(nested)))
          return failure();
    }
  return success();
}

/// The value of `flag` in the version that is being visited; nothing if that is
/// not known. A flag that is computed from known ones is known.
std::optional<bool> ScopeVersioner::evaluate(Value flag) const {
  flag = seeThroughCaptures(flag);
  APInt constant;
  if (matchPattern(flag, m_ConstantInt(&constant)))
    return constant.isOne();
  for (const KnownFlag &fact : known)
    if (fact.flag == flag)
      return fact.value;
  Operation *producer = flag.getDefiningOp();
  if (!isa_and_nonnull<arith::XOrIOp, arith::AndIOp, arith::OrIOp>(producer))
    return std::nullopt;
  std::optional<bool> a = evaluate(producer->getOperand(0));
  std::optional<bool> b = evaluate(producer->getOperand(1));
  if (isa<arith::XOrIOp>(producer))
    return a && b ? std::optional(*a != *b) : std::nullopt;
  // One operand may decide alone.
  bool decisive = isa<arith::OrIOp>(producer);
  if (a == decisive || b == decisive)
    return decisive;
  return a && b ? std::optional(!decisive) : std::nullopt;
}

/// Notes that `flag` is `value`, and what follows of the flags that it is
/// computed from.
void ScopeVersioner::addKnown(Value flag, bool value) {
  flag = seeThroughCaptures(flag);
  known.push_back({flag, value});
  Operation *producer = flag.getDefiningOp();
  if ((value && isa_and_nonnull<arith::AndIOp>(producer)) ||
      (!value && isa_and_nonnull<arith::OrIOp>(producer))) {
    for (Value operand : producer->getOperands())
      addKnown(operand, value);
  } else if (isa_and_nonnull<arith::XOrIOp>(producer)) {
    for (unsigned index : {0, 1})
      if (std::optional<bool> other = evaluate(producer->getOperand(1 - index)))
        if (!evaluate(producer->getOperand(index)))
          addKnown(producer->getOperand(index), value != *other);
  }
}

/// Drops the flag where its value is known: a constant, or that of the version.
bool ScopeVersioner::resolveFlag(AutocastOp scope, Value flag) {
  std::optional<bool> isOn = evaluate(flag);
  if (!isOn)
    return false;
  scope.getFlagMutable().clear();
  scope.setDisabled(!*isOn);
  return true;
}

LogicalResult ScopeVersioner::visitScope(AutocastOp scope) {
  if (scope.getFlag()) {
    Value flag = seeThroughCaptures(scope.getFlag());
    if (!resolveFlag(scope, flag)) {
      if (hasDependents(scope))
        return makeVersions(scope, flag);
      remarkOn(scope, "Merged", "nothing in the scope depends on its flag");
      scope.getFlagMutable().clear();
      scope.setDisabled(true);
      ++numMerged;
    }
  }
  if (failed(visitRegion(scope.getBody())))
    return failure();
  if (!known.empty())
    dissolveIfSame(scope);
  return success();
}

/// A scope directly in `scope`, with a flag of its own, for whose versions the
/// limit leaves no room inside; null if there is none. It is for the same
/// device, so that nothing in it depends on the flag of `scope`.
AutocastOp ScopeVersioner::findInner(AutocastOp scope, Value flag) {
  if (!splits || countVersions(flags.size() + 2) <= limit)
    return {};
  for (auto inner : scope.getBody().getOps<AutocastOp>())
    if (inner.getFlag() && inner.getDevice() == scope.getDevice() &&
        seeThroughCaptures(inner.getFlag()) != flag &&
        !evaluate(inner.getFlag()) && hasDependents(inner))
      return inner;
  return {};
}

/// Cuts `scope` in two around `inner`, which then stands between them, and
/// visits all three.
LogicalResult ScopeVersioner::split(AutocastOp scope, AutocastOp inner) {
  remarkOn(inner, "Split",
           "the scope around it is cut in two, to keep the limit of versions: "
           "what crosses its border has one type for all versions");
  ++numSplit;
  Block &body = scope.getBody().front();
  for (auto [argument, capture] :
       llvm::zip_equal(body.getArguments(), scope.getCaptures()))
    argument.replaceAllUsesWith(capture);
  SmallVector<Value> leaving;
  for (Operation &op : llvm::make_range(body.begin(), inner->getIterator()))
    for (Value result : op.getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *ancestor = body.findAncestorOpInBlock(*user);
            return ancestor == inner || inner->isBeforeInBlock(ancestor);
          }))
        leaving.push_back(result);
  OpBuilder builder(scope);
  ScopeSpec spec;
  spec.device = scope.getDevice();
  spec.dtype = scope.getDtype();
  spec.flag = scope.getFlag();
  spec.policy = scope.getPolicyAttr();
  AutocastOp first = createScope(builder, scope.getLoc(),
                                 ValueRange(leaving).getTypes(), spec);
  Block &before = first.getBody().front();
  before.getOperations().splice(before.end(), body.getOperations(),
                                body.begin(), inner->getIterator());
  builder.setInsertionPointToEnd(&before);
  YieldOp::create(builder, scope.getLoc(), leaving);
  for (auto [value, result] : llvm::zip_equal(leaving, first.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !first->isAncestor(use.getOwner());
    });
  inner->moveBefore(scope);
  body.eraseArguments(0, body.getNumArguments());
  scope.getCapturesMutable().clear();
  isolate(first);
  isolate(scope);
  for (AutocastOp part : {first, inner, scope})
    if (failed(visitScope(part)))
      return failure();
  return success();
}

LogicalResult ScopeVersioner::makeVersions(AutocastOp scope, Value flag) {
  if (AutocastOp inner = findInner(scope, flag))
    return split(scope, inner);
  // Flags that are all different double the code each.
  uint64_t versions = countVersions(flags.size() + 1);
  if (versions > limit) {
    InFlightDiagnostic diag = emitError(scope, DiagnosticId::S020)
                              << "this scope would need " << versions
                              << " versions, but the limit is " << limit;
    for (Location loc : flags)
      diag.attachNote(getSourceLocation(loc))
          << "a scope around it has a flag of its own";
    attachNote(diag, scope) << "give scopes inside of each other one flag, put "
                               "this scope into a function without one, or "
                               "raise amp-version-scopes{limit="
                            << versions << "}";
    return diag;
  }
  remarkOn(scope, "Versioned",
           "the flag of the scope is known at run time only");
  ++numVersioned;
  OpBuilder builder(scope);
  Location loc = scope.getLoc();
  auto branch =
      scf::IfOp::create(builder, loc, scope.getResultTypes(), scope.getFlag(),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  branch->setAttr(AMPDialect::kVersionsAttrName, builder.getUnitAttr());
  scope->replaceAllUsesWith(branch);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto on = cast<AutocastOp>(builder.clone(*scope));
  scf::YieldOp::create(builder, loc, on.getResults());
  AutocastOp off = scope;
  off->moveBefore(branch.elseBlock(), branch.elseBlock()->end());
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, off.getResults());
  size_t numKnown = known.size();
  flags.push_back(loc);
  for (bool isOn : {true, false}) {
    AutocastOp version = isOn ? on : off;
    version.getFlagMutable().clear();
    version.setDisabled(!isOn);
    addKnown(flag, isOn);
    LogicalResult visited = visitRegion(version.getBody());
    if (succeeded(visited) && numKnown > 0)
      dissolveIfSame(version);
    known.truncate(numKnown);
    if (failed(visited))
      return failure();
  }
  flags.pop_back();
  return success();
}

namespace {
struct AmpVersionScopesPass
    : public amp::impl::AmpVersionScopesPassBase<AmpVersionScopesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (limit < 1) {
      emitError(getOperation().getLoc(), DiagnosticId::O001)
          << "amp-version-scopes: option 'limit' is 0, but expected at least 1";
      return signalPassFailure();
    }
    if (atLimit != "error" && atLimit != "split") {
      emitError(getOperation().getLoc(), DiagnosticId::O001)
          << "amp-version-scopes: option 'at-limit' is '" << atLimit
          << "', but expected 'error' or 'split'";
      return signalPassFailure();
    }
    ScopeVersioner versioner(limit, atLimit == "split");
    if (failed(versioner.visitRegion(getOperation().getBodyRegion())))
      return signalPassFailure();
    numVersioned += versioner.numVersioned;
    numMerged += versioner.numMerged;
    numSplit += versioner.numSplit;
    foldQueries(getOperation(), /*entryIsOff=*/false);
  }
};
} // namespace
