//===- ApplyPrecision.cpp - ops rewritten to their decisions --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistCasts.h"
#include "ReportRecorder.h"
#include "amp/Analysis/ForwardedOperands.h"
#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/PolicySet.h"
#include "amp/Types/AtenTypes.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPAPPLYPRECISIONPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
/// Rewrites ops to their decisions, in program order, so that every op finds
/// its operands in their final types.
class PrecisionApplier {
public:
  PrecisionApplier(MLIRContext *context, bool shareCasts, bool exactRounding,
                   ReportRecorder &report)
      : rewriter(context), shareCasts(shareCasts), exactRounding(exactRounding),
        report(report) {}

  LogicalResult visitRegion(Region &region, bool inScope);

  int64_t numCasts = 0;
  int64_t numPromotions = 0;
  int64_t numScopes = 0;

private:
  using CastKey = std::pair<Value, Type>;
  using CastTable = llvm::ScopedHashTable<CastKey, Value>;

  LogicalResult visitOp(Operation *op, bool inScope);
  LogicalResult dissolve(AutocastOp scope);
  LogicalResult dissolveInside(Operation *op);
  LogicalResult applyToControlFlow(Operation *op, DecisionAttr decision,
                                   ArrayRef<ForwardedOperand> forwarded,
                                   bool inScope);
  LogicalResult applyToCompute(Operation *op, DecisionAttr decision);
  void applyByName(Operation *op, DecisionAttr decision);
  LogicalResult applyCast(Operation *op);
  void applySignature(FunctionOpInterface function);
  LogicalResult checkDecision(Operation *op, DecisionAttr decision) const;
  void castOperands(Operation *op, DecisionAttr decision);
  bool promoteOperands(Operation *op, DecisionAttr decision);
  void pinValuesUsedInside(Operation *op);
  void castResults(Operation *op, DecisionAttr decision);

  void setInsertionPoint(Operation *user);
  Value getCast(Value value, Type elementType, CastOrigin origin,
                bool mayElide);
  Value getDestination(Value value, Type elementType);
  void setElementType(Value value, Type elementType);
  Type getDeclaredType(Value value) const;

  IRRewriter rewriter;
  bool shareCasts;
  bool exactRounding;
  ReportRecorder &report;
  /// Casts by value and element type, for the blocks around the current op.
  CastTable casts;
  /// Element types that values had in the program, where they have changed.
  DenseMap<Value, Type> declaredTypes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Null for `none`.
static Type getDecided(Type type) {
  return isa<NoneType>(type) ? Type() : type;
}

void PrecisionApplier::setElementType(Value value, Type elementType) {
  Type old = getElementTypeOrSelf(value.getType());
  if (!elementType || old == elementType)
    return;
  declaredTypes.try_emplace(value, old);
  value.setType(withElementType(value.getType(), elementType));
}

/// The type that `value` had in the program.
Type PrecisionApplier::getDeclaredType(Value value) const {
  Type declared = declaredTypes.lookup(value);
  return declared ? withElementType(value.getType(), declared)
                  : value.getType();
}

/// Before `user`, or before the terminator around it where the block takes no
/// other ops.
void PrecisionApplier::setInsertionPoint(Operation *user) {
  while (user->getParentOp() && isa<InParallelOpInterface>(user->getParentOp()))
    user = user->getParentOp();
  rewriter.setInsertionPoint(user);
}

Value PrecisionApplier::getCast(Value value, Type elementType,
                                CastOrigin origin, bool mayElide) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  CastKey key(value, elementType);
  // A cast that must round does not stand in for one that may be elided, nor
  // the other way round.
  bool share = shareCasts && origin == CastOrigin::policy;
  if (share)
    if (Value known = casts.lookup(key))
      return known;
  Value cast = CastOp::create(rewriter, value.getLoc(),
                              withElementType(value.getType(), elementType),
                              value, origin, mayElide && !exactRounding);
  ++numCasts;
  report.addCast(value.getType(), cast.getType());
  if (share)
    casts.insert(key, cast);
  return cast;
}

/// A tensor of the shape of `value`, whose elements nobody reads.
Value PrecisionApplier::getDestination(Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes;
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    sizes = empty.getMixedSizes();
  else
    sizes = tensor::getMixedSizes(rewriter, value.getLoc(), value);
  return tensor::EmptyOp::create(rewriter, value.getLoc(), sizes, elementType,
                                 type.getEncoding());
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

LogicalResult PrecisionApplier::visitRegion(Region &region, bool inScope) {
  for (Block &block : region) {
    CastTable::ScopeTy scope(casts);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(visitOp(&op, inScope)))
        return failure();
  }
  return success();
}

LogicalResult PrecisionApplier::visitOp(Operation *op, bool inScope) {
  if (isa<ConfigOp, EnterOp, ExitOp, IsEnabledOp>(op) ||
      op->hasAttr(AMPDialect::kScopeAttrName) ||
      op->hasAttr(AMPDialect::kEntryAttrName))
    return emitError(op, DiagnosticId::S011)
           << "'" << op->getName()
           << "' is an import form of a scope: run amp-structurize-scopes, "
              "then "
              "amp-decide-precision, before amp-apply-precision";
  auto decision =
      op->getAttrOfType<DecisionAttr>(AMPDialect::kDecisionAttrName);
  if (decision && failed(checkDecision(op, decision)))
    return failure();
  op->removeAttr(AMPDialect::kDecisionAttrName);
  if (decision)
    op->removeAttr(AMPDialect::kPolicyAttrName);
  // What leaves a scope is the business of the scope.
  if (isa<YieldOp>(op))
    return success();
  if (!decision && inScope && needsDecision(op) && !isa<AutocastOp>(op))
    return emitError(op, DiagnosticId::D004)
           << "'" << op->getName()
           << "' is in a scope and has no decision: run "
              "amp-decide-precision first";
  report.open(op, decision,
              [&](Value value) { return getDeclaredType(value); });
  llvm::scope_exit close([&] { report.close(); });
  op->removeAttr(kRangeAttrName);
  if (auto scope = dyn_cast<AutocastOp>(op))
    return dissolve(scope);
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    CastTable::ScopeTy isolated(casts);
    applySignature(function);
    for (Region &region : op->getRegions())
      if (failed(visitRegion(region, /*inScope=*/false)))
        return failure();
    return success();
  }
  SmallVector<ForwardedOperand> forwarded;
  if (!isPinned(op) && !isPinned(op->getParentOp()))
    forwarded = getForwardedOperands(op);
  if (isa<RegionBranchOpInterface>(op) || !forwarded.empty())
    return applyToControlFlow(op, decision, forwarded, inScope);
  pinValuesUsedInside(op);
  if (failed(dissolveInside(op)))
    return failure();
  return decision ? applyToCompute(op, decision) : success();
}

LogicalResult PrecisionApplier::checkDecision(Operation *op,
                                              DecisionAttr decision) const {
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type expected = getDecided(decision.getFrom()[index]);
    Type found = getElementTypeOrSelf(operand.getType());
    if (expected && expected != found)
      return emitError(op, DiagnosticId::D003)
             << "'" << op->getName() << "' was decided for operand " << index
             << " of " << expected << ", but it is " << found
             << " now: run amp-decide-precision again";
  }
  return success();
}

/// Moves the body out of the scope, rewritten.
LogicalResult PrecisionApplier::dissolve(AutocastOp scope) {
  Block &body = scope.getBody().front();
  for (auto [argument, capture] :
       llvm::zip_equal(body.getArguments(), scope.getCaptures()))
    argument.replaceAllUsesWith(capture);
  // Ops inside see values from outside now, and the casts of them.
  for (Operation &op : llvm::make_early_inc_range(body))
    if (failed(visitOp(&op, /*inScope=*/true)))
      return failure();
  YieldOp yield = scope.getYield();
  rewriter.setInsertionPoint(scope);
  scope->getBlock()->getOperations().splice(scope->getIterator(),
                                            body.getOperations(), body.begin(),
                                            yield->getIterator());
  SmallVector<Value> leaving;
  bool preserves = !propagatesResults(scope);
  for (auto [result, value] :
       llvm::zip_equal(scope.getResults(), yield.getOperands())) {
    Type declared = getElementTypeOrSelf(result.getType());
    Value kept = value;
    bool changes = declared != getElementTypeOrSelf(value.getType());
    if (preserves && changes)
      kept = getCast(value, declared, CastOrigin::boundary, /*mayElide=*/false);
    else if (changes)
      declaredTypes.try_emplace(value, declared);
    leaving.push_back(kept);
  }
  rewriter.replaceOp(scope, leaving);
  ++numScopes;
  return success();
}

/// Dissolves the scopes in the payload of `op`.
LogicalResult PrecisionApplier::dissolveInside(Operation *op) {
  if (op->getNumRegions() == 0)
    return success();
  SmallVector<AutocastOp> inside;
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](AutocastOp scope) {
      inside.push_back(scope);
      return WalkResult::skip();
    });
  // Casts in the payload are for the payload.
  CastTable::ScopeTy payload(casts);
  for (AutocastOp scope : inside)
    if (failed(dissolve(scope)))
      return failure();
  return success();
}

LogicalResult
PrecisionApplier::applyToControlFlow(Operation *op, DecisionAttr decision,
                                     ArrayRef<ForwardedOperand> forwarded,
                                     bool inScope) {
  if (decision)
    castOperands(op, decision);
  for (const ForwardedOperand &pair : forwarded)
    if (isa<IntegerType, FloatType, ComplexType>(
            getElementTypeOrSelf(pair.operand->get().getType())))
      setElementType(pair.input,
                     getElementTypeOrSelf(pair.operand->get().getType()));
  if (decision && isa<RegionBranchOpInterface>(op))
    for (auto [result, type] :
         llvm::zip_equal(op->getResults(), decision.getResults()))
      setElementType(result, getDecided(type));
  for (Region &region : op->getRegions())
    if (failed(visitRegion(region, inScope)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

/// Gives ops that have no decision of their own (payloads, and the bodies of
/// ops that nobody knows) the values of the surroundings in the types they had.
void PrecisionApplier::pinValuesUsedInside(Operation *op) {
  if (op->getNumRegions() == 0)
    return;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used) {
    Type declared = declaredTypes.lookup(value);
    if (!declared || declared == getElementTypeOrSelf(value.getType()))
      continue;
    setInsertionPoint(op);
    Value pinned =
        getCast(value, declared, CastOrigin::boundary, /*mayElide=*/true);
    for (Region &region : op->getRegions())
      replaceAllUsesInRegionWith(value, pinned, region);
  }
}

/// Casts all inputs of the op at once. False if the policy is no promotion, or
/// nothing changes.
bool PrecisionApplier::promoteOperands(Operation *op, DecisionAttr decision) {
  bool isFallthrough = decision.getPolicy() == Policy::fallthrough ||
                       decision.getPolicy() == Policy::follow;
  if (decision.getPolicy() != Policy::promote && !isFallthrough)
    return false;
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  SmallVector<unsigned> indices;
  SmallVector<Value> inputs;
  bool changes = false;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type from = getDecided(decision.getFrom()[index]);
    Type to = getDecided(decision.getTo()[index]);
    bool isInput = from && (!interface || interface.getOperandRole(index) ==
                                              OperandRole::Input);
    // f64 stays out, and so does a value on another device.
    if (!isInput || (from == to && from.isF64()))
      continue;
    indices.push_back(index);
    inputs.push_back(operand);
    changes |= from != to;
  }
  if (!changes)
    return false;
  // The promotion of the operands alone, unless the scope's type widens it.
  auto mode = isFallthrough ? PromoteMode::elementwise : PromoteMode::autocast;
  Type common = getDecided(decision.getTo()[indices.front()]);
  auto matches = [&](PromoteOp promotion) {
    return llvm::all_of(llvm::enumerate(promotion.getResults()), [&](auto it) {
      return getElementTypeOrSelf(it.value().getType()) ==
             getDecided(decision.getTo()[indices[it.index()]]);
    });
  };
  setInsertionPoint(op);
  auto promotion = PromoteOp::create(rewriter, op->getLoc(), inputs, mode);
  if (!matches(promotion)) {
    rewriter.eraseOp(promotion);
    promotion = PromoteOp::create(rewriter, op->getLoc(), inputs, mode, common);
  }
  // An operand that keeps its type although others change (on another device):
  // no promotion says that.
  if (!matches(promotion)) {
    rewriter.eraseOp(promotion);
    return false;
  }
  ++numPromotions;
  for (auto [index, result] :
       llvm::zip_equal(indices, promotion.getResults())) {
    Type from = op->getOperand(index).getType();
    if (from != result.getType())
      report.addCast(from, result.getType());
    op->setOperand(index, result);
  }
  return true;
}

void PrecisionApplier::castOperands(Operation *op, DecisionAttr decision) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  promoteOperands(op, decision);
  setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    Type to = getDecided(decision.getTo()[index]);
    Value value = operand.get();
    if (!to)
      continue;
    OperandRole role =
        interface ? interface.getOperandRole(index) : OperandRole::Input;
    if (role == OperandRole::Destination &&
        isa<RankedTensorType>(value.getType())) {
      if (getFloatElementType(value.getType()) != to)
        operand.set(getDestination(value, to));
      continue;
    }
    if (role == OperandRole::Accumulator &&
        decision.getPolicy() == Policy::lower_precision_fp &&
        decision.getResults().size() == 1 &&
        decision.getReason() != Reason::explicit_dtype &&
        isRoundedAccumulator(op, index))
      value = getCast(value, getDecided(decision.getResults().front()),
                      CastOrigin::policy, /*mayElide=*/true);
    bool boundary = decision.getReason() == Reason::boundary ||
                    decision.getReason() == Reason::pinned;
    operand.set(getCast(value, to,
                        boundary ? CastOrigin::boundary : CastOrigin::policy,
                        /*mayElide=*/!boundary));
  }
}

/// Casts results whose retyped type is not the decided one, such as those of a
/// contraction, which come as accumulators.
void PrecisionApplier::castResults(Operation *op, DecisionAttr decision) {
  rewriter.setInsertionPointAfter(op);
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), decision.getResults())) {
    Type decided = getDecided(type);
    Type actual = getFloatElementType(result.getType());
    if (!decided || decided == actual)
      continue;
    Value cast = CastOp::create(
        rewriter, result.getLoc(), withElementType(result.getType(), decided),
        result, CastOrigin::policy, /*mayElide=*/!exactRounding);
    ++numCasts;
    report.addCast(result.getType(), cast.getType());
    if (Type declared = declaredTypes.lookup(result))
      declaredTypes.try_emplace(cast, declared);
    else
      declaredTypes.try_emplace(cast, actual);
    result.replaceAllUsesExcept(cast, cast.getDefiningOp());
  }
}

LogicalResult PrecisionApplier::applyToCompute(Operation *op,
                                               DecisionAttr decision) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (interface && interface.getPrecisionClass() == PrecisionClass::Cast) {
    return applyCast(op);
  }
  // Asked before operands are cast: a cast can hide that one has a new type.
  bool changes = llvm::any_of(op->getOperands(), [&](Value operand) {
    return declaredTypes.contains(operand);
  });
  castOperands(op, decision);
  if (isa<CallOpInterface>(op)) {
    for (auto [result, type] :
         llvm::zip_equal(op->getResults(), decision.getResults()))
      setElementType(result, getDecided(type));
    return success();
  }
  if (!interface) {
    applyByName(op, decision);
    return success();
  }
  bool pinned = interface.getPrecisionClass() == PrecisionClass::Pinned ||
                interface.getPrecisionClass() == PrecisionClass::Generator;
  if (pinned)
    return success();
  PrecisionTypes types;
  for (Type to : decision.getTo())
    types.operands.push_back(getDecided(to));
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), decision.getResults())) {
    types.results.push_back(getDecided(type));
    changes |= types.results.back() &&
               types.results.back() != getFloatElementType(result.getType());
  }
  for (auto [from, to] : llvm::zip_equal(decision.getFrom(), decision.getTo()))
    changes |= from != to;
  if (!changes)
    return success();
  types.compute = getDecided(decision.getCompute());
  for (OpResult result : op->getResults())
    if (Type declared = getFloatElementType(result.getType()))
      if (interface.getRetypedResult(types, result.getResultNumber()) !=
          declared)
        declaredTypes.try_emplace(result, declared);
  rewriter.setInsertionPoint(op);
  if (failed(interface.retype(rewriter, types)))
    return failure();
  castResults(op, decision);
  return success();
}

/// A conversion that the program wrote keeps its result type, whatever arrives.
LogicalResult PrecisionApplier::applyCast(Operation *op) {
  if (!llvm::any_of(op->getOperands(), [&](Value operand) {
        return declaredTypes.contains(operand);
      }))
    return success();
  PrecisionTypes types;
  for (Type type : op->getOperandTypes())
    types.operands.push_back(getFloatElementType(type));
  for (Type type : op->getResultTypes())
    types.results.push_back(getFloatElementType(type));
  rewriter.setInsertionPoint(op);
  return cast<PrecisionOpInterface>(op).retype(rewriter, types);
}

/// Ops that are known by name only take the types as they are; an op with a
/// `dtype` parameter is told its result type, if need be as another overload.
void PrecisionApplier::applyByName(Operation *op, DecisionAttr decision) {
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), decision.getResults()))
    setElementType(result, getDecided(type));
  bool takesDtype = decision.getPolicy() == Policy::fp32_set_opt_dtype ||
                    decision.getPolicy() == Policy::fp32_append_dtype;
  bool decided = llvm::is_contained(
      {Reason::op_policy, Reason::op_attribute, Reason::rule},
      decision.getReason());
  if (!takesDtype || !decided || getDtypeAttribute(op) ||
      op->getNumResults() == 0)
    return;
  Type type = getDecided(decision.getResults().front());
  if (!type)
    return;
  op->setAttr("dtype", TypeAttr::get(type));
  StringRef name = op->getName().getStringRef();
  std::string overload = getDtypeOverload(name).str();
  if (decision.getPolicy() != Policy::fp32_append_dtype || overload.empty())
    return;
  if (name.starts_with("torch."))
    overload = "torch." + overload;
  rewriter.setInsertionPoint(op);
  OperationState state(op->getLoc(), overload, op->getOperands(),
                       op->getResultTypes(), op->getAttrs());
  Operation *appended = rewriter.create(state);
  for (auto [from, to] :
       llvm::zip_equal(op->getResults(), appended->getResults()))
    if (Type declared = declaredTypes.lookup(from))
      declaredTypes.try_emplace(to, declared);
  rewriter.replaceOp(op, appended);
}

/// Gives a function its decided type, and its arguments theirs.
void PrecisionApplier::applySignature(FunctionOpInterface function) {
  auto signature =
      function->getAttrOfType<TypeAttr>(AMPDialect::kSignatureAttrName);
  if (!signature)
    return;
  function->removeAttr(AMPDialect::kSignatureAttrName);
  auto type = cast<FunctionType>(signature.getValue());
  for (auto [argument, decided] :
       llvm::zip_equal(function.getArguments(), type.getInputs()))
    setElementType(argument, getFloatElementType(decided));
  function.setType(type);
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// Replaces a branch between two versions of a scope that have come out equal
/// by one of them.
static bool mergeIfEqual(Operation *branch) {
  if (branch->getNumRegions() != 2)
    return false;
  Region &first = branch->getRegion(0), &second = branch->getRegion(1);
  if (!first.hasOneBlock() || !second.hasOneBlock() ||
      first.front().getNumArguments() != 0 ||
      !OperationEquivalence::isRegionEquivalentTo(
          &first, &second, OperationEquivalence::IgnoreLocations))
    return false;
  Block &body = first.front();
  branch->replaceAllUsesWith(body.getTerminator()->getOperands());
  branch->getBlock()->getOperations().splice(branch->getIterator(),
                                             body.getOperations(), body.begin(),
                                             std::prev(body.end()));
  remark::passed(
      branch->getLoc(),
      remark::RemarkOpts::name("Merged").category("amp").subCategory("scopes"))
      << remark::reason("the versions of the scope are equal");
  branch->erase();
  return true;
}

static void mergeVersions(Operation *root) {
  root->walk([](Operation *op) {
    if (op->removeAttr(AMPDialect::kVersionsAttrName))
      mergeIfEqual(op);
  });
}

namespace {
struct AmpApplyPrecisionPass
    : public amp::impl::AmpApplyPrecisionPassBase<AmpApplyPrecisionPass> {
  using Base::Base;

  void runOnOperation() override {
    if (rounding != "elidable" && rounding != "exact") {
      // Not on the op, which would be printed, and is the whole module.
      emitError(getOperation().getLoc())
          << "amp-apply-precision: option 'rounding' is '" << rounding
          << "', but expected 'elidable' or 'exact'";
      return signalPassFailure();
    }
    ReportRecorder recorder(report);
    PrecisionApplier applier(&getContext(), shareCasts, rounding == "exact",
                             recorder);
    if (failed(applier.visitRegion(getOperation().getBodyRegion(),
                                   /*inScope=*/false)))
      return signalPassFailure();
    mergeVersions(getOperation());
    hoistCasts(getOperation());
    // What they wanted has been done.
    for (auto set :
         llvm::make_early_inc_range(getOperation().getOps<PolicySetOp>()))
      set.erase();
    numCasts += applier.numCasts;
    numPromotions += applier.numPromotions;
    numScopes += applier.numScopes;
    recorder.attach(getOperation());
  }
};
} // namespace
