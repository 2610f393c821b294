//===- PrecisionAnalysis.cpp - final element types of all values ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/PrecisionAnalysis.h"

#include "amp/Analysis/ForwardedOperands.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/TypePromotion.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// PrecisionDecision
//===----------------------------------------------------------------------===//

std::pair<StringRef, LocationAttr> PrecisionDecision::getSource() const {
  if (entry && entry->set)
    return {entry->set->getName(),
            entry->op ? LocationAttr(entry->op->getLoc()) : LocationAttr()};
  // Other reasons than that of the verdict overruled it.
  if (verdict && verdict->rule && verdict->reason == reason)
    return {verdict->rule->set,
            verdict->rule->set.empty() ? LocationAttr() : verdict->rule->loc};
  return {};
}

DecisionAttr PrecisionDecision::getAttr(MLIRContext *context) const {
  auto fill = [&](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [&](Type type) -> Type {
      return type ? type : NoneType::get(context);
    });
  };
  auto [name, loc] = getSource();
  FlatSymbolRefAttr set;
  if (!name.empty())
    set = FlatSymbolRefAttr::get(context, name);
  return DecisionAttr::get(context, policy, fill(from), fill(to), fill(results),
                           compute ? compute : NoneType::get(context), reason,
                           set, loc);
}

bool PrecisionDecision::isIdentity(Operation *op) const {
  auto same = [](Type declared, Type decided) {
    return !decided || getElementTypeOrSelf(declared) == decided;
  };
  return llvm::all_of(llvm::zip_equal(op->getOperandTypes(), from, to),
                      [&](auto types) {
                        auto [declared, arriving, taken] = types;
                        return same(declared, arriving) &&
                               same(declared, taken);
                      }) &&
         llvm::all_of(llvm::zip_equal(op->getResultTypes(), results),
                      [&](auto types) {
                        auto [declared, decided] = types;
                        return same(declared, decided);
                      });
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// The element type of `type` if that is one that can change: an integer, a
/// float or a complex number; null otherwise. Memrefs give null.
static Type getScalarElementType(Type type) {
  if (isa<BaseMemRefType>(type))
    return {};
  Type elementType = getElementTypeOrSelf(type);
  return isa<IntegerType, FloatType, ComplexType>(elementType) ? elementType
                                                               : Type();
}

Type PrecisionAnalysis::getFinalElementType(Value value) const {
  Type type = elementTypes.lookup(value);
  return type ? type : getScalarElementType(value.getType());
}

Type PrecisionAnalysis::getElementType(Value value) const {
  Type type = elementTypes.lookup(value);
  return type && isStorageFloat(type) ? type
                                      : getFloatElementType(value.getType());
}

void PrecisionAnalysis::setElementType(Value value, Type type) {
  if (!type || !getScalarElementType(value.getType()))
    return;
  Type &slot = elementTypes[value];
  changed |= slot != type;
  changed |= unknown.erase(value);
  slot = type;
}

void PrecisionAnalysis::joinElementType(Value value, Type type) {
  Type declared = getScalarElementType(value.getType());
  if (!type || !declared)
    return;
  Type old = elementTypes.lookup(value);
  if (!old || old == type)
    return setElementType(value, type);
  // Where kinds of numbers meet, the program's own type is the only one that is
  // known to be meant.
  Type joined = declared;
  if (isStorageFloat(old) && isStorageFloat(type))
    joined = joinFloatTypes({old, type});
  else if (getTypeCategory(old) == getTypeCategory(type))
    joined = promoteTypes(old, type);
  setElementType(value, joined ? joined : declared);
}

void PrecisionAnalysis::setDevice(Value value, StringAttr device) {
  if (!device)
    return;
  auto [it, inserted] = devices.try_emplace(value, device);
  changed |= inserted;
}

const PrecisionAnalysis::Scope *
PrecisionAnalysis::lookupScope(StringRef device) const {
  for (const Scope &scope : llvm::reverse(scopes))
    if (device.empty() || scope.device == device)
      return &scope;
  return nullptr;
}

StringRef PrecisionAnalysis::getDevice(Operation *op) const {
  StringRef result;
  for (Value operand : op->getOperands())
    // As in torch's dispatch, an accelerator outranks the CPU.
    if (StringAttr device = devices.lookup(operand);
        device && (result.empty() || result == "cpu"))
      result = device;
  if (result.empty() && !scopes.empty())
    return scopes.back().device;
  return result;
}

bool mlir::amp::needsDecision(Operation *op) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (getFloatElementType(type) &&
        (!interface || interface.getOperandRole(index) != OperandRole::Ignored))
      return true;
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return !!getFloatElementType(type); });
}

void PrecisionAnalysis::record(Operation *op, PrecisionDecision decision) {
  decision.inScope = !scopes.empty();
  bool isIdentity = decision.isIdentity(op);
  if (isIdentity && (!needsDecision(op) || !decision.inScope))
    return;
  current->decisions[op] = std::move(decision);
}

/// A decision that takes every operand, and gives every result, in the type
/// that the program says.
PrecisionDecision PrecisionAnalysis::getPinned(Operation *op,
                                               Reason reason) const {
  PrecisionDecision decision;
  decision.reason = reason;
  for (Value operand : op->getOperands()) {
    decision.from.push_back(getElementType(operand));
    decision.to.push_back(getFloatElementType(operand.getType()));
  }
  for (Type type : op->getResultTypes())
    decision.results.push_back(getFloatElementType(type));
  convertBack(op, decision);
  return decision;
}

/// Lets the op take values that finally hold other numbers than floats, or
/// other numbers than the program says, as the types of the program.
void PrecisionAnalysis::convertBack(Operation *op,
                                    PrecisionDecision &decision) const {
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type final = elementTypes.lookup(operand);
    Type declared = getElementTypeOrSelf(operand.getType());
    if (!final || final == declared)
      continue;
    if (!isStorageFloat(final) || !isStorageFloat(declared)) {
      decision.from[index] = final;
      if (!decision.to[index])
        decision.to[index] = declared;
    }
  }
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

LogicalResult PrecisionAnalysis::checkScopes(Operation *root) {
  LogicalResult valid = success();
  root->walk([&](Operation *op) {
    if (isa<ConfigOp, EnterOp, ExitOp, IsEnabledOp>(op)) {
      emitError(op, DiagnosticId::S011)
          << "'" << op->getName()
          << "' is an import form of a scope: run amp-structurize-scopes and "
             "amp-specialize-scopes before precision is decided";
      valid = failure();
      return;
    }
    for (StringRef name :
         {AMPDialect::kScopeAttrName, AMPDialect::kEntryAttrName})
      if (op->hasAttr(name)) {
        emitError(op, DiagnosticId::S011)
            << "attribute '" << name
            << "' is an import form of a scope: run amp-structurize-scopes "
               "before precision is decided";
        valid = failure();
      }
    if (auto scope = dyn_cast<AutocastOp>(op); scope && scope.getFlag()) {
      InFlightDiagnostic diag =
          emitError(op, DiagnosticId::S021)
          << "the scope is under a run-time flag, so its ops have no one "
             "precision: run amp-version-scopes before precision is decided";
      attachNote(diag, op) << "or make the flag a constant";
      valid = failure();
    }
  });
  return valid;
}

LogicalResult PrecisionAnalysis::run(Operation *root) {
  return failure(failed(checkScopes(root)) || failed(visitFunctions(root)));
}

LogicalResult PrecisionAnalysis::visitRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      if (failed(visitOp(&op)))
        return failure();
  return success();
}

LogicalResult PrecisionAnalysis::checkOp(Operation *op) const {
  if (scopes.empty())
    return success();
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isBuffer) ||
      llvm::any_of(op->getResultTypes(), isBuffer))
    return emitError(op, DiagnosticId::D001)
           << "'" << op->getName()
           << "' works on buffers inside a scope, but autocast "
              "works on tensors: bufferize after "
              "amp-apply-precision";
  // amp.cast takes no unranked tensors, so no decision on them can be applied.
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (isa<UnrankedTensorType>(type) && getFloatElementType(type))
      return emitError(op, DiagnosticId::D002)
             << "'" << op->getName() << "' works on " << type
             << " inside a scope, but autocast works on tensors of known rank: "
                "infer the shapes first";
  return success();
}

bool mlir::amp::isPinned(Operation *op) {
  auto interface = dyn_cast_or_null<PrecisionOpInterface>(op);
  return interface && interface.getPrecisionClass() == PrecisionClass::Pinned;
}

LogicalResult PrecisionAnalysis::visitOp(Operation *op) {
  if (failed(checkOp(op)))
    return failure();
  if (auto scope = dyn_cast<AutocastOp>(op))
    return visitScope(scope);
  if (isa<FunctionOpInterface>(op) || isa<YieldOp>(op))
    return success();
  if (isa<RegionBranchOpInterface>(op) && isPinned(op)) {
    for (Region &region : op->getRegions())
      if (failed(visitRegion(region)))
        return failure();
    record(op, getPinned(op, Reason::pinned));
    return success();
  }
  SmallVector<ForwardedOperand> forwarded;
  if (!isPinned(op->getParentOp()))
    forwarded = getForwardedOperands(op);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (!isa<RegionBranchOpInterface>(op) && forwarded.empty())
    return op->hasTrait<OpTrait::ReturnLike>() &&
                   isa<FunctionOpInterface>(op->getParentOp())
               ? visitReturn(op)
               : visitCompute(op);
  forward(forwarded);
  for (Region &region : op->getRegions())
    if (failed(visitRegion(region)))
      return failure();
  PrecisionDecision decision = getPinned(op, Reason::control_flow);
  auto getDecided = [&](Value value) -> Type {
    Type final = getFinalElementType(value);
    return final && (isStorageFloat(final) ||
                     final != getElementTypeOrSelf(value.getType()))
               ? final
               : Type();
  };
  for (const ForwardedOperand &pair : forwarded) {
    unsigned index = pair.operand->getOperandNumber();
    Type to = getDecided(pair.input);
    if (!to && decision.from[index])
      to = getFinalElementType(pair.input);
    decision.to[index] = to;
    if (to && !decision.from[index])
      decision.from[index] = getFinalElementType(pair.operand->get());
  }
  for (auto [type, result] :
       llvm::zip_equal(decision.results, op->getResults()))
    type = getDecided(result);
  record(op, std::move(decision));
  return success();
}

void PrecisionAnalysis::forward(ArrayRef<ForwardedOperand> forwarded) {
  for (const ForwardedOperand &pair : forwarded) {
    // Nobody reads it: lifted control flow fills ways without a value with it.
    if (pair.operand->get().getDefiningOp<ub::PoisonOp>())
      continue;
    if (!joinUnknown(pair.input, pair.operand->get()))
      joinElementType(pair.input, getFinalElementType(pair.operand->get()));
    setDevice(pair.input, devices.lookup(pair.operand->get()));
  }
  // An operand with two ways to go (into a loop, or past it) is cast once, so
  // both ends have one type.
  for (const ForwardedOperand &a : forwarded)
    for (const ForwardedOperand &b : forwarded)
      if (a.operand == b.operand && a.input != b.input &&
          !joinUnknown(a.input, b.input))
        joinElementType(a.input, getFinalElementType(b.input));
}

LogicalResult PrecisionAnalysis::visitScope(AutocastOp op) {
  // A lookup goes through the module, and there are many scopes.
  const PolicySet *&policies =
      policySets[{op.getPolicyAttr(), op.getDeviceAttr()}];
  if (!policies)
    policies = library.lookup(op.getPolicyAttr(), op.getDevice(), op.getLoc());
  if (!policies)
    return failure();
  for (auto [argument, capture] :
       llvm::zip_equal(op.getBody().getArguments(), op.getCaptures())) {
    if (!joinUnknown(argument, capture))
      setElementType(argument, getFinalElementType(capture));
    setDevice(argument, devices.lookup(capture));
  }
  scopes.push_back({op.getDevice(), !op.getDisabled(), op.getDtype(), policies,
                    getClassifier ? getClassifier(*policies) : nullptr});
  LogicalResult visited = visitRegion(op.getBody());
  scopes.pop_back();
  if (failed(visited))
    return failure();
  bool propagates = propagatesResults(op);
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), op.getYield().getOperands())) {
    if (propagates && !joinUnknown(result, value))
      setElementType(result, getFinalElementType(value));
    setDevice(result, devices.lookup(value));
  }
  return success();
}

FunctionOpInterface mlir::amp::getFunctionOfScope(AutocastOp scope) {
  auto function = dyn_cast<FunctionOpInterface>(scope->getParentOp());
  if (!function || !llvm::hasSingleElement(function.getFunctionBody()))
    return {};
  Block &body = function.getFunctionBody().front();
  if (body.getOperations().size() != 2 ||
      !body.getTerminator()->hasTrait<OpTrait::ReturnLike>() ||
      !llvm::equal(scope.getResults(), body.getTerminator()->getOperands()))
    return {};
  return function;
}

bool mlir::amp::propagatesResults(AutocastOp scope) {
  return scope.getResultsMode() == ResultsMode::propagate &&
         isa<FunctionOpInterface, AutocastOp, RegionBranchOpInterface>(
             scope->getParentOp());
}

/// Scopes in a payload, whose op itself is decided as a whole.
LogicalResult PrecisionAnalysis::visitPayloadScopes(Operation *op) {
  auto visit = [&](AutocastOp scope) {
    return failed(visitScope(scope)) ? WalkResult::interrupt()
                                     : WalkResult::skip();
  };
  for (Region &region : op->getRegions())
    if (region.walk<WalkOrder::PreOrder>(visit).wasInterrupted())
      return failure();
  return success();
}

LogicalResult PrecisionAnalysis::visitCompute(Operation *op) {
  if (failed(visitPayloadScopes(op)))
    return failure();
  if (hasUnknownOperand(op)) {
    for (Value result : op->getResults())
      setUnknown(result);
    return success();
  }
  PrecisionDecision decision;
  if (failed(decide(op, decision)))
    return failure();
  convertBack(op, decision);
  // What a function of the module returns is where its body puts it.
  auto call = dyn_cast<CallOpInterface>(op);
  StringAttr device;
  if (!call || !lookupCallee(call))
    for (Value operand : op->getOperands())
      if (StringAttr own = devices.lookup(operand);
          own && (!device || device.getValue() == "cpu"))
        device = own;
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), decision.results)) {
    setElementType(result, type);
    setDevice(result, device);
  }
  record(op, std::move(decision));
  return success();
}
