//===- PrecisionDecision.cpp - the decision for one op --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsCache.h"

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/IR/AMPAttentionOps.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"
#include "amp/Policy/OpFunctions.h"
#include "amp/Policy/OpNames.h"
#include "amp/Types/AtenTypes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Policy of an op
//===----------------------------------------------------------------------===//

/// Which of two policies for the payload of one op wins: the one that keeps
/// more precision.
static int getStrength(Policy policy) {
  switch (policy) {
  case Policy::banned:
    return 4;
  case Policy::fp32:
    return 3;
  case Policy::fp32_set_opt_dtype:
  case Policy::fp32_append_dtype:
    return 2;
  case Policy::promote:
    return 1;
  default:
    return 0;
  }
}

/// Whether an op without interface is of a dialect whose ops take every float:
/// those of ATen and ONNX.
static bool isKnownByName(Operation *op) {
  StringRef name = normalizeOpName(op->getName().getStringRef());
  return name.starts_with("aten.") || name.starts_with("onnx.");
}

/// Sets the policy of `op` in an enabled scope, with its reason and entry.
void PrecisionAnalysis::lookupPolicy(Operation *op, const PolicySet &policies,
                                     UnknownOp unknownOp,
                                     PrecisionDecision &decision) const {
  if (auto outDtype = dyn_cast<OutDtypeOp>(op))
    return lookupPolicy(outDtype.getInnerOp(), policies, unknownOp, decision);
  auto setEntry = [&](const PolicyEntry &entry, Reason reason) {
    decision.policy = entry.policy;
    decision.reason = reason;
    decision.entry = &entry;
  };
  if (auto own = dyn_cast_or_null<PolicyAttr>(
          op->getDiscardableAttr(AMPDialect::kPolicyAttrName))) {
    decision.policy = own.getValue();
    decision.reason = Reason::op_attribute;
    return;
  }
  if (const PolicyEntry *entry = facts->lookupName(policies, op->getName()))
    return setEntry(*entry, Reason::op_policy);
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!interface) {
    decision.policy = Policy::fallthrough;
    decision.reason = Reason::unlisted;
    if (facts->get(op).isATen)
      return;
    decision.reason = Reason::unknown_op;
    decision.policy =
        unknownOp == UnknownOp::follow ? Policy::follow : Policy::keep;
    return;
  }
  bool isElementwise =
      interface.getPrecisionClass() == PrecisionClass::Elementwise;
  SmallVector<Operation *> payload;
  interface.getPayloadOperations(payload);
  const PolicyEntry *strongest = nullptr;
  for (Operation *inner : payload)
    if (const PolicyEntry *entry =
            facts->lookupName(policies, inner->getName()))
      // The additions of a contraction or reduction are not ops of their own.
      if ((isElementwise || entry->policy != Policy::promote) &&
          (!strongest ||
           getStrength(entry->policy) > getStrength(strongest->policy)))
        strongest = entry;
  if (strongest)
    return setEntry(*strongest, Reason::payload_policy);
  const PolicyEntry &entry =
      policies.lookupClass(interface.getPrecisionClass());
  setEntry(entry, entry.policy == Policy::fallthrough && !entry.op
                      ? Reason::unlisted
                      : Reason::class_policy);
  if (decision.reason == Reason::unlisted)
    decision.entry = nullptr;
}

//===----------------------------------------------------------------------===//
// Types of an op
//===----------------------------------------------------------------------===//

namespace {
/// What the decision for one op starts from.
struct OpFacts {
  OpFacts(Operation *op, FactsCache &cache)
      : op(op), interface(dyn_cast<PrecisionOpInterface>(op)), cache(cache) {
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      roles.push_back(interface ? interface.getOperandRole(index)
                      : cache.get(type).floatElement ? OperandRole::Input
                                                     : OperandRole::Ignored);
  }

  Type getOperandElement(unsigned index) const {
    return cache.get(op->getOperand(index).getType()).floatElement;
  }
  Type getResultElement(unsigned index) const {
    return cache.get(op->getResult(index).getType()).floatElement;
  }

  /// Ops known by name only are taken to promote on their own, as ATen's do.
  bool acceptsMixedOperands() const {
    return !interface || interface.acceptsMixedOperands();
  }

  Operation *op;
  /// Interfaces are handles whose methods are not const.
  mutable PrecisionOpInterface interface;
  SmallVector<OperandRole, 4> roles;
  FactsCache &cache;
};
} // namespace

/// Fills `to`, `results` and `compute` so that the op keeps its declared types.
static void keepDeclaredTypes(const OpFacts &facts,
                              PrecisionDecision &decision) {
  for (unsigned index = 0, e = facts.roles.size(); index != e; ++index)
    decision.to[index] =
        decision.from[index] ? facts.getOperandElement(index) : Type();
  for (unsigned index = 0, e = facts.op->getNumResults(); index != e; ++index)
    decision.results[index] = facts.getResultElement(index);
  decision.compute = {};
}

/// Whether result number `index` has the type that the op's inputs have, rather
/// than one that the program chose.
static bool followsInputs(const OpFacts &facts, unsigned index,
                          Type declaredInputs) {
  Type type = facts.getResultElement(index);
  if (!type || isa<OutDtypeOp>(facts.op))
    return false;
  if (!facts.interface)
    return !type.isF64() && !facts.op->hasAttr("dtype");
  return type == declaredInputs;
}

/// promoteElementwise of values of `types` with the element types `elements`,
/// most of which are equal.
static Type promote(ArrayRef<Type> types, ArrayRef<Type> elements) {
  if (llvm::all_equal(elements))
    return elements.front();
  SmallVector<Type> full;
  for (auto [type, element] : llvm::zip_equal(types, elements))
    full.push_back(withElementType(type, element));
  return promoteElementwise(full);
}

/// The value outside of all scopes that `value` is a capture of, or `value`.
static Value seeThroughScopes(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto scope = dyn_cast<AutocastOp>(argument.getOwner()->getParentOp());
    if (!scope)
      break;
    value = scope.getCaptures()[argument.getArgNumber()];
  }
  return value;
}

/// Whether `value` is a constant, or comes out of a generator: the neutral
/// element that an accumulation starts from, rather than data.
static bool isGenerated(Value value) {
  Operation *producer = seeThroughScopes(value).getDefiningOp();
  auto interface = dyn_cast_or_null<PrecisionOpInterface>(producer);
  return interface &&
         interface.getPrecisionClass() == PrecisionClass::Generator;
}

/// Whether `value` is all zeros.
static bool isZero(Value value) {
  value = seeThroughScopes(value);
  if (matchPattern(value, m_AnyZeroFloat()))
    return true;
  Operation *producer = value.getDefiningOp();
  // A generator that only spreads a scalar.
  return isGenerated(value) && producer->getNumOperands() > 0 &&
         producer->getNumRegions() <= 1 &&
         isa<FloatType>(producer->getOperand(0).getType()) &&
         isZero(producer->getOperand(0));
}

bool mlir::amp::isRoundedAccumulator(Operation *op, unsigned operand) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  return interface &&
         llvm::is_contained(
             {PrecisionClass::Contraction, PrecisionClass::Convolution},
             interface.getPrecisionClass()) &&
         interface.getOperandRole(operand) == OperandRole::Accumulator &&
         !isZero(op->getOperand(operand));
}

/// Lets the rules of the scope overrule the policy, or stand in for it.
void PrecisionAnalysis::applyRules(Operation *op, const Scope &scope,
                                   PrecisionDecision &decision) const {
  // Of the op itself, which nothing overrules.
  if (decision.reason == Reason::op_attribute)
    return;
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  bool rulesAlone = scope.policies->isClassifier();
  // Rules are about tensors; scalars are parameters, and follow.
  auto isTensor = [](Type type) {
    return isa<ShapedType>(type) && getFloatElementType(type);
  };
  if (!llvm::any_of(op->getOperandTypes(), isTensor) &&
      !llvm::any_of(op->getResultTypes(), isTensor)) {
    if (rulesAlone) {
      decision.policy = Policy::fallthrough;
      decision.reason = Reason::unlisted;
    }
    return;
  }
  std::unique_ptr<Verdict> &verdict = verdicts[op];
  if (!verdict)
    verdict = std::make_unique<Verdict>(
        scope.classifier ? scope.classifier->classify(op, scope.dtype)
                         : Verdict());
  decision.verdict = verdict.get();
  bool isDefault = verdict->reason == Reason::default_low;
  bool hasEntry = decision.entry && decision.entry->op;
  if (isDefault && (hasEntry || !rulesAlone))
    return;
  // A peer puts all ops into the lower type, whoever knows them.
  bool isPeer =
      scope.classifier && scope.classifier->getOptions().peer != Peer::none;
  if (isDefault && !isPeer && !interface && !isKnownByName(op))
    return;
  decision.entry = nullptr;
  decision.reason = verdict->reason;
  decision.policy = verdict->high ? Policy::fp32 : Policy::lower_precision_fp;
  // What only moves stays in the type that it comes in.
  if (isDefault && !isPeer && getOpFunction(op) == OpFunction::Identity)
    decision.policy = Policy::follow;
}

LogicalResult PrecisionAnalysis::decide(Operation *op,
                                        PrecisionDecision &decision) const {
  OpFacts facts(op, *this->facts);
  unsigned numOperands = op->getNumOperands();
  decision.from.resize(numOperands);
  decision.to.resize(numOperands);
  decision.results.resize(op->getNumResults());
  bool arrivesAsDeclared = true;
  StringRef device;
  SmallVector<StringAttr> operandDevices(numOperands);
  SmallVector<unsigned> inputs;
  for (unsigned index = 0; index != numOperands; ++index) {
    Value operand = op->getOperand(index);
    OperandRole role = facts.roles[index];
    ValueFacts known = values.lookup(operand);
    operandDevices[index] = known.device;
    // As in torch's dispatch, an accelerator outranks the CPU.
    if (known.device && (device.empty() || device == "cpu"))
      device = known.device;
    if (role == OperandRole::Ignored)
      continue;
    Type declared = facts.getOperandElement(index);
    decision.from[index] =
        known.elementType && isStorageFloat(known.elementType)
            ? known.elementType
            : declared;
    arrivesAsDeclared &= decision.from[index] == declared;
    if (role == OperandRole::Input)
      inputs.push_back(index);
  }
  keepDeclaredTypes(facts, decision);

  // Which policy?
  if (device.empty() && scope)
    device = scope->device;
  const Scope *active = lookupScope(device);
  bool enabled = active && active->enabled;
  if (enabled) {
    llvm::erase_if(inputs, [&](unsigned index) {
      return isFixedOperand(op, index, active->dtype);
    });
    UnknownOp unknownOp =
        options.unknownOp.value_or(active->policies->getUnknownOp());
    lookupPolicy(op, *active->policies, unknownOp, decision);
    if (active->classifier || active->policies->isClassifier())
      applyRules(op, *active, decision);
    if (decision.reason == Reason::unknown_op && unknownOp == UnknownOp::error)
      return emitError(op, DiagnosticId::P012)
             << "no policy names '" << op->getName()
             << "', and amp does not know the op; give it one in a policy set "
                "(amp.policy \""
             << op->getName()
             << "\" <policy>) or by the attribute 'amp.policy', or say by "
                "'unknown-op' to keep its types or to follow its operands";
  } else {
    decision.policy = Policy::fallthrough;
    decision.reason = active ? Reason::scope_disabled : Reason::outside_scope;
  }
  if (facts.interface) {
    switch (facts.interface.getPrecisionClass()) {
    case PrecisionClass::Cast:
      decision.policy = Policy::keep;
      decision.reason = Reason::explicit_cast;
      decision.entry = nullptr;
      decision.to = decision.from;
      return success();
    case PrecisionClass::Generator:
      decision.policy = Policy::keep;
      decision.reason = Reason::generator;
      decision.entry = nullptr;
      return success();
    case PrecisionClass::Pinned:
      decision.policy = Policy::keep;
      decision.reason = Reason::pinned;
      decision.entry = nullptr;
      return success();
    default:
      break;
    }
  } else if (!enabled && !this->facts->get(op).isATen) {
    decision.policy = Policy::keep;
    return success();
  }
  // A promotion that the program wrote follows what arrives.
  if (auto promotion = dyn_cast<PromoteOp>(op)) {
    decision.policy = Policy::promote;
    decision.to = decision.from;
    SmallVector<Type> arriving;
    for (auto [type, from] :
         llvm::zip_equal(op->getOperandTypes(), decision.from))
      arriving.push_back(from ? withElementType(type, from) : type);
    PromotionConflict conflict;
    if (promotion.getMode() == PromoteMode::elementwise &&
        !getResultType(arriving, &conflict) && conflict.a)
      return emitError(op, DiagnosticId::T003)
             << "'" << op->getName()
             << "' has no common type for what arrives here: "
             << conflict.describe();
    for (auto [result, type] : llvm::zip_equal(
             decision.results, promotion.inferResultTypes(arriving)))
      result = getFloatElementType(type);
    return success();
  }
  if (decision.policy == Policy::banned) {
    StringRef advice = getBannedAdvice(op->getName().getStringRef());
    InFlightDiagnostic diag = emitError(op, DiagnosticId::D005)
                              << "'" << op->getName()
                              << "' is banned under autocast: ";
    if (advice.empty())
      diag << "put the op in a disabled scope, or change its policy";
    else
      diag << advice;
    if (decision.entry && decision.entry->op)
      diag.attachNote(decision.entry->op->getLoc()) << "it is banned here";
    return diag;
  }
  if (decision.policy == Policy::keep)
    return success();
  if (const AtenTypeRule *rule =
          facts.interface ? nullptr
                          : lookupAtenTypeRule(op->getName().getStringRef()))
    return decideAten(op, *rule, device, enabled ? active->dtype : Type(),
                      decision);

  // Which operands are eligible, and what did the program say of them?
  SmallVector<Type> types, declared, arriving, eligible;
  bool hasF64 = false;
  SmallVector<bool> isEligible(numOperands, false);
  for (unsigned index : inputs) {
    types.push_back(op->getOperand(index).getType());
    declared.push_back(facts.getOperandElement(index));
    arriving.push_back(decision.from[index]);
    hasF64 |= decision.from[index].isF64();
    StringAttr own = operandDevices[index];
    isEligible[index] =
        !decision.from[index].isF64() && (!own || own.getValue() == device);
    if (isEligible[index])
      eligible.push_back(decision.from[index]);
  }
  if (inputs.empty()) {
    decision.reason = Reason::no_eligible_operand;
    return success();
  }
  Type declaredInputs = promote(types, declared);

  // Results, accumulators and destinations, given the type of the inputs.
  auto finish = [&](Type storage, Type resultType) {
    decision.compute =
        facts.interface ? facts.interface.getComputeType(storage) : Type();
    if (resultType != storage && facts.interface)
      decision.compute = facts.interface.getComputeType(resultType);
    bool explicitType = false;
    for (unsigned index = 0, e = op->getNumResults(); index != e; ++index) {
      // Log-sum-exp has the type of the sums, whatever is asked for.
      if (isa<AttentionOp>(op) && index == 1)
        continue;
      if (followsInputs(facts, index, declaredInputs))
        decision.results[index] = resultType;
      else
        explicitType |= decision.results[index] != Type();
    }
    for (unsigned index = 0; index != numOperands; ++index) {
      OperandRole role = facts.roles[index];
      Type own = facts.getOperandElement(index);
      if (role == OperandRole::Accumulator)
        decision.to[index] = explicitType ? own : decision.compute;
      if (role == OperandRole::Accumulator && explicitType)
        decision.compute = own;
      if (role == OperandRole::Destination)
        decision.to[index] =
            own == declaredInputs && !explicitType ? resultType : own;
    }
    if (explicitType && decision.reason != Reason::scope_disabled &&
        decision.reason != Reason::outside_scope)
      decision.reason = Reason::explicit_dtype;
  };
  auto castEligible = [&](Type type) {
    for (unsigned index : inputs)
      decision.to[index] = isEligible[index] ? type : decision.from[index];
  };
  // Runs in the types that arrive, promoted where they have to be equal.
  auto fallThrough = [&] {
    if (arrivesAsDeclared) {
      keepDeclaredTypes(facts, decision);
      return;
    }
    Type common = promote(types, arriving);
    for (unsigned index : inputs)
      decision.to[index] =
          facts.acceptsMixedOperands() ? decision.from[index] : common;
    // What an accumulation starts from counts like an input, if it is data.
    Type resultType = common;
    for (unsigned index = 0; index != numOperands; ++index)
      if (facts.roles[index] == OperandRole::Accumulator &&
          !isGenerated(op->getOperand(index)))
        resultType = joinFloatTypes({resultType, decision.from[index]});
    finish(common, resultType);
  };

  if (decision.policy == Policy::fallthrough ||
      decision.policy == Policy::follow) {
    fallThrough();
    return success();
  }
  if (eligible.empty()) {
    decision.reason =
        hasF64 ? Reason::f64_operand : Reason::no_eligible_operand;
    fallThrough();
    return success();
  }
  // f64 is never narrowed; an op that needs equal types then runs in f64.
  if (hasF64 && !facts.acceptsMixedOperands()) {
    decision.reason = Reason::f64_operand;
    fallThrough();
    return success();
  }
  // Nor are the values of another device cast.
  if (eligible.size() != inputs.size() && !facts.acceptsMixedOperands()) {
    decision.reason = Reason::no_eligible_operand;
    fallThrough();
    return success();
  }
  Type f32 = Float32Type::get(op->getContext());
  switch (decision.policy) {
  case Policy::lower_precision_fp: {
    castEligible(active->dtype);
    Type storage = hasF64 ? Float64Type::get(op->getContext()) : active->dtype;
    finish(storage, storage);
    return success();
  }
  case Policy::fp32:
    castEligible(f32);
    break;
  case Policy::fp32_set_opt_dtype:
  case Policy::fp32_append_dtype:
    // Only the first argument counts, and it is not cast where the op itself
    // can give a wider result.
    if (!isEligible[inputs.front()]) {
      decision.reason =
          hasF64 ? Reason::f64_operand : Reason::no_eligible_operand;
      fallThrough();
      return success();
    }
    if (!facts.interface || facts.interface.hasFreeResultType())
      for (unsigned index : inputs)
        decision.to[index] = decision.from[index];
    else
      castEligible(f32);
    break;
  case Policy::promote: {
    eligible.push_back(active->dtype);
    Type common = joinFloatTypes(eligible);
    castEligible(common);
    Type storage = hasF64 ? Float64Type::get(op->getContext()) : common;
    finish(storage, storage);
    return success();
  }
  default:
    llvm_unreachable("policy was handled above");
  }
  Type resultType = hasF64 ? Float64Type::get(op->getContext()) : f32;
  finish(decision.to[inputs.front()], resultType);
  return success();
}
