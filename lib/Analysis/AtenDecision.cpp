//===- AtenDecision.cpp - the decision for one ATen op --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATen ops have no interface: what they make of types is data (AtenTypes.h).
// The policy says which operands are cast; the data then says what the op
// gives, whatever type the program wrote for its results.
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/AtenTypes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// The operands of an ATen op, as they arrive and as the op takes them.
struct AtenOperands {
  /// Full types; the element types are final.
  SmallVector<Type> types;
  /// Whether autocast may cast the operand: a tensor of floats other than f64,
  /// on the device of the scope.
  SmallVector<bool> isEligible;
  bool hasF64 = false;

  Type getElementType(unsigned index) const {
    return getElementTypeOrSelf(types[index]);
  }
  void cast(unsigned index, Type elementType) {
    types[index] = withElementType(types[index], elementType);
  }
  bool hasEligible() const { return llvm::is_contained(isEligible, true); }
};
} // namespace

/// The type that the promotion of a scope gives, by torch's own scan of the
/// arguments: null if it has an error, for a reduced float that is not the
/// scope's and comes before any f32.
static Type scanPromotion(const AtenOperands &operands, Type lower) {
  Type current = lower;
  for (auto [index, isEligible] : llvm::enumerate(operands.isEligible)) {
    Type type = operands.getElementType(index);
    if (!isEligible || current.isF32())
      continue;
    if (type.isF32())
      current = type;
    else if (type != lower)
      return {};
  }
  return current;
}

/// An error on `op` for what torch has one for.
static InFlightDiagnostic emitStrict(Operation *op, const Twine &what) {
  return emitError(op, DiagnosticId::T002)
         << "'" << op->getName() << "' " << what;
}

/// Casts operands as the policy of `decision` says. Sets the type that the op
/// is told by its `dtype` parameter, if the policy does.
static LogicalResult applyPolicy(Operation *op, AtenOperands &operands,
                                 PrecisionDecision &decision, Type lower,
                                 bool strict, Type &dtype) {
  MLIRContext *context = op->getContext();
  auto castEligible = [&](Type type) {
    for (auto [index, isEligible] : llvm::enumerate(operands.isEligible))
      if (isEligible)
        operands.cast(index, type);
  };
  auto skip = [&] {
    decision.reason =
        operands.hasF64 ? Reason::f64_operand : Reason::no_eligible_operand;
  };
  switch (decision.policy) {
  case Policy::lower_precision_fp:
  case Policy::fp32:
    if (!operands.hasEligible())
      skip();
    else
      castEligible(decision.policy == Policy::fp32 ? Float32Type::get(context)
                                                   : lower);
    return success();
  case Policy::fp32_set_opt_dtype:
  case Policy::fp32_append_dtype:
    // Only the first argument counts, and nothing is cast.
    if (operands.isEligible.empty() || !operands.isEligible.front())
      skip();
    else if (!dtype)
      dtype = Float32Type::get(context);
    else
      decision.reason = Reason::explicit_dtype;
    return success();
  case Policy::promote: {
    if (!operands.hasEligible()) {
      skip();
      return success();
    }
    if (strict) {
      Type scanned = scanPromotion(operands, lower);
      if (!scanned)
        return emitStrict(op, "is promoted under autocast, which takes ")
               << lower
               << ", f32 and f64 until an f32 operand comes, but found "
                  "another float first; cast it, or leave out 'strict' (torch: "
                  "Unexpected floating ScalarType in "
                  "at::autocast::prioritize)";
      castEligible(scanned);
      return success();
    }
    SmallVector<Type> types = {lower};
    for (auto [index, isEligible] : llvm::enumerate(operands.isEligible))
      if (isEligible)
        types.push_back(operands.getElementType(index));
    castEligible(joinFloatTypes(types));
    return success();
  }
  default:
    return success();
  }
}

LogicalResult PrecisionAnalysis::decideAten(Operation *op,
                                            const AtenTypeRule &rule,
                                            StringRef device, Type lower,
                                            PrecisionDecision &decision) const {
  AtenOperands operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type final = getFinalElementType(operand);
    operands.types.push_back(final ? withElementType(operand.getType(), final)
                                   : operand.getType());
    StringAttr own = getDevice(operand);
    bool isFloatTensor =
        final && isStorageFloat(final) && isa<ShapedType>(operand.getType());
    operands.hasF64 |= isFloatTensor && final.isF64();
    operands.isEligible.push_back(isFloatTensor && !final.isF64() &&
                                  (!own || own.getValue() == device));
  }
  SmallVector<Type> arriving = operands.types;
  Type dtype = getDtypeAttribute(op);
  Type written = dtype;
  if (lower &&
      failed(applyPolicy(op, operands, decision, lower, options.strict, dtype)))
    return failure();
  AtenTypes types = inferAtenTypes(op, rule, operands.types, dtype);
  // An op that takes one type only, and meets one that no policy casts: its
  // operands promote as they are, rather than through the narrow type.
  if (types.needsPromotion && !options.strict && operands.types != arriving &&
      operands.hasF64) {
    operands.types = arriving;
    decision.reason = Reason::f64_operand;
    types = inferAtenTypes(op, rule, operands.types, dtype);
  }
  if (!types.error.empty())
    return emitError(op, DiagnosticId::T001)
           << "'" << op->getName() << "' " << types.error;
  if (options.strict && !types.mismatch.empty())
    return emitStrict(op, types.mismatch)
           << "; cast the operands, or leave out 'strict'";
  if (types.needsPromotion)
    for (unsigned index : types.participants)
      operands.cast(index, types.common);

  auto decided = [&](Type declared, Type type) -> Type {
    Type own = getElementTypeOrSelf(declared);
    return type && (isStorageFloat(type) || type != own) ? type : Type();
  };
  for (unsigned index = 0, e = op->getNumOperands(); index != e; ++index) {
    Type declared = op->getOperand(index).getType();
    Type from = getElementTypeOrSelf(arriving[index]);
    Type to = operands.getElementType(index);
    bool changes = from != to || from != getElementTypeOrSelf(declared);
    decision.from[index] = isStorageFloat(from) || changes ? from : Type();
    decision.to[index] = isStorageFloat(from) || changes ? to : Type();
  }
  for (auto [index, type] : llvm::enumerate(types.results))
    decision.results[index] = decided(op->getResult(index).getType(), type);
  decision.compute = {};
  // An op without a parameter `dtype` gets none: then it is not told anything.
  if (dtype != written && decision.results.empty())
    decision.reason = Reason::no_eligible_operand;
  return success();
}
