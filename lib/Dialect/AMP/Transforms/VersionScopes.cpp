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
  Location loc;
};

class ScopeVersioner {
public:
  explicit ScopeVersioner(unsigned limit) : limit(limit) {}

  LogicalResult visitRegion(Region &region);

  int64_t numVersioned = 0;
  int64_t numMerged = 0;

private:
  LogicalResult visitScope(AutocastOp scope);
  LogicalResult makeVersions(AutocastOp scope, Value flag);
  bool resolveFlag(AutocastOp scope, Value flag);

  unsigned limit;
  SmallVector<KnownFlag> known;
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

/// Drops the flag where its value is known: a constant, or that of the version.
bool ScopeVersioner::resolveFlag(AutocastOp scope, Value flag) {
  auto set = [&](bool isOn) {
    scope.getFlagMutable().clear();
    scope.setDisabled(!isOn);
    return true;
  };
  APInt constant;
  if (matchPattern(flag, m_ConstantInt(&constant)))
    return set(constant.isOne());
  for (const KnownFlag &fact : known)
    if (fact.flag == flag)
      return set(fact.value);
  return false;
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

LogicalResult ScopeVersioner::makeVersions(AutocastOp scope, Value flag) {
  // Flags that are all different double the code each.
  uint64_t versions = uint64_t(2) << std::min<size_t>(known.size(), 62);
  if (versions > limit) {
    InFlightDiagnostic diag = emitError(scope, DiagnosticId::S020)
                              << "this scope would need " << versions
                              << " versions, but the limit is " << limit;
    for (const KnownFlag &fact : known)
      diag.attachNote(getSourceLocation(fact.loc))
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
  for (bool isOn : {true, false}) {
    AutocastOp version = isOn ? on : off;
    version.getFlagMutable().clear();
    version.setDisabled(!isOn);
    known.push_back({flag, isOn, loc});
    LogicalResult visited = visitRegion(version.getBody());
    if (succeeded(visited) && known.size() > 1)
      dissolveIfSame(version);
    known.pop_back();
    if (failed(visited))
      return failure();
  }
  return success();
}

namespace {
struct AmpVersionScopesPass
    : public amp::impl::AmpVersionScopesPassBase<AmpVersionScopesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (limit < 1) {
      mlir::emitError(getOperation().getLoc())
          << "amp-version-scopes: option 'limit' is 0, but expected at least 1";
      return signalPassFailure();
    }
    ScopeVersioner versioner(limit);
    if (failed(versioner.visitRegion(getOperation().getBodyRegion())))
      return signalPassFailure();
    numVersioned += versioner.numVersioned;
    numMerged += versioner.numMerged;
    foldQueries(getOperation(), /*entryIsOff=*/false);
  }
};
} // namespace
