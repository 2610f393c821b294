//===- LegalizeDtypes.cpp - types that a target lacks ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LegalTypes.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPLEGALIZEDTYPESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Significant bits that the type in which `op` computes must have, so that
/// rounding its result to `type` gives what one rounding would. For sums,
/// products, quotients and square roots 2p + 2 bits do (Figueroa, "When is
/// double rounding innocuous?", SIGNUM Newsletter 30(3), 1995); of other
/// functions, which nobody rounds right, f32 is what is computed anyway.
static unsigned getSafePrecision(Operation *op, Type type) {
  if (isa_and_present<arith::ArithDialect>(op->getDialect()) ||
      isa<math::SqrtOp>(op))
    return 2 * FormatEnvelope::get(type)->precision + 2;
  return FormatEnvelope::get(Float32Type::get(op->getContext()))->precision;
}

namespace {
struct LegalizeDtypes
    : public amp::impl::AmpLegalizeDtypesPassBase<LegalizeDtypes> {
  using Base::Base;

  void runOnOperation() override;

private:
  FailureOr<LegalTypes> getTypes();
  LogicalResult legalize(Operation *op, PrecisionOpInterface interface);
  LogicalResult legalizePayload(PrecisionOpInterface interface);
  LogicalResult bracketScalar(Operation *op);
  LogicalResult bracket(PrecisionOpInterface op, PrecisionClass kind);
  FailureOr<Type> getHolder(Operation *op, PrecisionClass kind, Type type,
                            unsigned precision);
  void tell(Operation *op, Type from, Type to);
  Value cast(OpBuilder &b, Location loc, Value value, Type elementType) {
    if (!value || getElementTypeOrSelf(value.getType()) == elementType)
      return value;
    return CastOp::create(b, loc, withElementType(value.getType(), elementType),
                          value, CastOrigin::legalization);
  }

  LegalTypes types;
};
} // namespace

FailureOr<LegalTypes> LegalizeDtypes::getTypes() {
  std::string error;
  Location loc = getOperation()->getLoc();
  if (target.empty() == legal.empty())
    return emitError(loc) << "amp-legalize-dtypes: expected either 'target' or "
                             "'legal', but "
                          << (target.empty() ? "neither is given"
                                             : "both are given");
  FailureOr<LegalTypes> types =
      legal.empty() ? LegalTypes::getTarget(target, &getContext(), error)
                    : LegalTypes::parse(legal, &getContext(), error);
  if (failed(types))
    return emitError(loc) << "amp-legalize-dtypes: "
                          << (legal.empty() ? "" : "option 'legal': ") << error;
  return types;
}

void LegalizeDtypes::tell(Operation *op, Type from, Type to) {
  ++numBrackets;
  auto function = op->getParentOfType<FunctionOpInterface>();
  remark::passed(op->getLoc(),
                 remark::RemarkOpts::name("Bracket").category("amp").function(
                     function ? function.getName() : ""))
      << remark::metric("Op", op->getName().getStringRef())
      << remark::metric("From", from) << remark::metric("To", to)
      << remark::reason("the target has no such op on this type");
}

FailureOr<Type> LegalizeDtypes::getHolder(Operation *op, PrecisionClass kind,
                                          Type type, unsigned precision) {
  if (Type holder = types.getHolder(kind, type, precision))
    return holder;
  InFlightDiagnostic diag = op->emitError()
                            << "'" << op->getName() << "' works on " << type
                            << ", which the target has not for ops of class '"
                            << stringifyPrecisionClass(kind)
                            << "', and none of its types holds the values and "
                               "roundings of it: expected one of ";
  llvm::interleaveComma(types.getTypes(kind), diag);
  return diag << "; cast the operands first";
}

/// Computes one op of a payload in a legal type, in registers.
LogicalResult LegalizeDtypes::bracketScalar(Operation *op) {
  constexpr PrecisionClass kind = PrecisionClass::Elementwise;
  auto isIllegal = [&](Type type) {
    return isStorageFloat(type) && !types.isLegal(kind, type);
  };
  SmallVector<Type> floats;
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes())))
    if (isIllegal(type))
      floats.push_back(type);
  if (floats.empty())
    return success();
  Type common = joinFloatTypes(floats);
  FailureOr<Type> holder =
      getHolder(op, kind, common, getSafePrecision(op, floats.front()));
  if (failed(holder))
    return failure();
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isIllegal(operand.get().getType()))
      operand.set(cast(b, op->getLoc(), operand.get(), *holder));
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type type = result.getType();
    if (!isIllegal(type))
      continue;
    result.setType(*holder);
    Value rounded = cast(b, op->getLoc(), result, type);
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }
  tell(op, common, *holder);
  return success();
}

/// Whether what `op` gives depends on the bits or the type of its operands, so
/// that no wider type has it: one of several elements, the bits, or whether the
/// type has a number as a normal one.
static bool keepsType(Operation *op) {
  return isa<arith::SelectOp, arith::BitcastOp, math::IsNormalOp>(op);
}

/// Ops that compute on scalar floats, rather than pass them on.
static bool computes(Operation *op) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  return interface && OpTrait::hasElementwiseMappableTraits(op) &&
         interface.getPrecisionClass() == PrecisionClass::Elementwise &&
         !keepsType(op);
}

/// Whether `op` carries a region of scalar ops that any program may fill.
static bool hasOwnPayload(Operation *op) {
  return op->getNumRegions() == 1 && isa<linalg::GenericOp, linalg::MapOp>(op);
}

/// A payload keeps its types at its border: only what it computes is bracketed,
/// so that every op rounds as it is written and nothing is widened in memory.
LogicalResult LegalizeDtypes::legalizePayload(PrecisionOpInterface interface) {
  SmallVector<Operation *> ops;
  interface->walk([&](Operation *inner) {
    if (inner != interface && computes(inner) &&
        llvm::none_of(inner->getOperandTypes(), llvm::IsaPred<ShapedType>))
      ops.push_back(inner);
  });
  for (Operation *op : ops)
    if (failed(bracketScalar(op)))
      return failure();
  return success();
}

LogicalResult LegalizeDtypes::bracket(PrecisionOpInterface interface,
                                      PrecisionClass kind) {
  Operation *op = interface;
  auto isIllegal = [&](Type type) {
    return type && !types.isLegal(kind, type);
  };
  PrecisionTypes changed;
  SmallVector<Type> inputs;
  Type from, to;
  bool isReduction = kind != PrecisionClass::Elementwise;
  auto getNew = [&](Type type) -> FailureOr<Type> {
    if (!isIllegal(type))
      return type;
    unsigned precision = isReduction ? 0 : getSafePrecision(op, type);
    FailureOr<Type> holder = getHolder(op, kind, type, precision);
    if (succeeded(holder) && !to) {
      from = type;
      to = *holder;
    }
    return holder;
  };
  for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i)
    if (interface.getOperandRole(i) == OperandRole::Input)
      inputs.push_back(getFloatElementType(op->getOperand(i).getType()));
  // Ops whose inputs agree go on doing so.
  Type common;
  if (!interface.acceptsMixedOperands() && !inputs.empty() &&
      llvm::any_of(inputs, isIllegal)) {
    FailureOr<Type> joined = getNew(joinFloatTypes(inputs));
    if (failed(joined))
      return failure();
    common = *joined;
  }
  for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i) {
    Type own = getFloatElementType(op->getOperand(i).getType());
    OperandRole role = interface.getOperandRole(i);
    Type wanted = own;
    if (own && role == OperandRole::Input && common) {
      wanted = common;
    } else if (own && role == OperandRole::Accumulator && isIllegal(own)) {
      wanted = interface.getComputeType(own);
      from = own;
      to = wanted;
    } else if (own && role != OperandRole::Pinned &&
               role != OperandRole::Ignored) {
      FailureOr<Type> type = getNew(own);
      if (failed(type))
        return failure();
      wanted = *type;
    }
    changed.operands.push_back(wanted);
  }
  SmallVector<Type> declared;
  for (Value result : op->getResults()) {
    Type own = getFloatElementType(result.getType());
    declared.push_back(own);
    Type wanted = own;
    if (common && own && llvm::is_contained(inputs, own)) {
      wanted = common;
    } else if (isIllegal(own)) {
      FailureOr<Type> type = getNew(own);
      if (failed(type))
        return failure();
      wanted = *type;
    }
    changed.results.push_back(wanted);
  }
  if (!to)
    return success();
  changed.compute = interface.getComputeType(to);
  IRRewriter rewriter(op);
  for (auto [operand, type] :
       llvm::zip_equal(op->getOpOperands(), changed.operands)) {
    Type own = getFloatElementType(operand.get().getType());
    if (!type || own == type)
      continue;
    if (interface.getOperandRole(operand.getOperandNumber()) ==
            OperandRole::Destination &&
        isa<RankedTensorType>(operand.get().getType()))
      operand.set(tensor::EmptyOp::create(
          rewriter, op->getLoc(),
          tensor::getMixedSizes(rewriter, op->getLoc(), operand.get()), type));
    else
      operand.set(cast(rewriter, op->getLoc(), operand.get(), type));
  }
  if (failed(interface.retype(rewriter, changed)))
    return failure();
  rewriter.setInsertionPointAfter(op);
  for (auto [result, type] : llvm::zip_equal(op->getResults(), declared)) {
    if (!type || getFloatElementType(result.getType()) == type)
      continue;
    Value rounded = cast(rewriter, op->getLoc(), result, type);
    result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
  }
  tell(op, from, to);
  return success();
}

LogicalResult LegalizeDtypes::legalize(Operation *op,
                                       PrecisionOpInterface interface) {
  PrecisionClass kind = interface.getPrecisionClass();
  if (keepsType(op))
    return success();
  // A payload that the program wrote, rather than one that follows from the
  // op's name, has types of its own.
  if (kind == PrecisionClass::Elementwise && hasOwnPayload(op))
    return legalizePayload(interface);
  return bracket(interface, kind);
}

void LegalizeDtypes::runOnOperation() {
  if (failed(rejectUnappliedScopes(getOperation(), getArgument())))
    return signalPassFailure();
  FailureOr<LegalTypes> wanted = getTypes();
  if (failed(wanted))
    return signalPassFailure();
  types = *wanted;
  SmallVector<PrecisionOpInterface> ops;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // What an amp.out_dtype pins, its lowering settles.
    if (isa<OutDtypeOp>(op))
      return WalkResult::skip();
    auto interface = dyn_cast<PrecisionOpInterface>(op);
    if (!interface)
      return WalkResult::advance();
    switch (interface.getPrecisionClass()) {
    case PrecisionClass::DataMovement:
    case PrecisionClass::Generator:
    case PrecisionClass::Cast:
    case PrecisionClass::Pinned:
      // Control flow, the insides of which are ops of their own.
      return WalkResult::advance();
    default:
      ops.push_back(interface);
      return WalkResult::skip();
    }
  });
  for (PrecisionOpInterface op : ops)
    if (failed(legalize(op, op)))
      return signalPassFailure();
}
