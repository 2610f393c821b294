//===- Payload.cpp - new types for a payload ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;

Value mlir::amp::convertScalar(OpBuilder &builder, Location loc, Value value,
                               Type type) {
  if (value.getType() == type)
    return value;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, value);
  // Between formats of one width: through f32, which holds both.
  Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  return arith::TruncFOp::create(builder, loc, type, wide);
}

namespace {
/// Rebuilds the floats of one payload in wider types.
class PayloadLifter {
public:
  PayloadLifter(RewriterBase &rewriter, Block &payload, Type compute)
      : rewriter(rewriter), payload(payload), compute(compute) {}

  /// The type in which a value of type `type` is computed.
  Type lift(Type type) const {
    if (!isa<FloatType>(type) || !compute ||
        type.getIntOrFloatBitWidth() >= compute.getIntOrFloatBitWidth())
      return type;
    return compute;
  }

  void run(ArrayRef<Type> argumentTypes, ArrayRef<Type> yieldTypes);

private:
  void liftOp(Operation &op);
  void liftCaptured();
  Value skipFinalRounding(Value value) const;

  RewriterBase &rewriter;
  Block &payload;
  Type compute;
};
} // namespace

/// Whether all scalar floats of `op` are lifted: scalar arithmetic, and the
/// control flow around it. Other ops (those that reinterpret bits, or read a
/// tensor) see the types that they were written for.
static bool liftsItsTypes(Operation &op) {
  if (isa<arith::BitcastOp, arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return false;
  if (isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(op))
    return true;
  StringRef dialect = op.getName().getDialectNamespace();
  return dialect == "arith" || dialect == "math";
}

void PayloadLifter::liftOp(Operation &op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(&op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Type lifted = lift(constant.getType());
    if (lifted != constant.getType())
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          constant,
          convertElement(constant.getValue(), constant.getType(), lifted,
                         llvm::RoundingMode::NearestTiesToEven,
                         /*saturate=*/false));
    return;
  }
  if (isa<arith::ExtFOp>(op)) {
    Value input = op.getOperand(0);
    Type lifted = lift(op.getResult(0).getType());
    if (input.getType() == lifted)
      rewriter.replaceOp(&op, input);
    else
      op.getResult(0).setType(lifted);
    return;
  }
  if (isa<arith::TruncFOp>(op)) {
    // The rounding that the program asks for, in a type that computes.
    Type narrow = op.getResult(0).getType();
    Type lifted = lift(narrow);
    if (narrow == lifted)
      return;
    rewriter.setInsertionPointAfter(&op);
    Value wide = convertScalar(rewriter, loc, op.getResult(0), lifted);
    rewriter.replaceAllUsesExcept(op.getResult(0), wide, wide.getDefiningOp());
    return;
  }
  if (!liftsItsTypes(op))
    return;
  for (Region &region : op.getRegions())
    for (Value argument : region.getArguments())
      argument.setType(lift(argument.getType()));
  for (Value result : op.getResults())
    result.setType(lift(result.getType()));
}

/// Values of the surroundings arrive in the types they have there.
void PayloadLifter::liftCaptured() {
  llvm::SetVector<Value> captured;
  Region &region = *payload.getParent();
  getUsedValuesDefinedAbove(region, captured);
  rewriter.setInsertionPointToStart(&payload);
  for (Value value : captured) {
    Type lifted = lift(value.getType());
    if (lifted == value.getType())
      continue;
    Value wide = convertScalar(rewriter, value.getLoc(), value, lifted);
    replaceAllUsesInRegionWith(value, wide, region);
    wide.getDefiningOp()->setOperand(0, value);
  }
}

/// The value before a conversion that only brings it to its storage type.
Value PayloadLifter::skipFinalRounding(Value value) const {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  auto rounding = extension ? extension.getIn().getDefiningOp<arith::TruncFOp>()
                            : arith::TruncFOp();
  return rounding && rounding.getIn().getType() == value.getType()
             ? rounding.getIn()
             : value;
}

void PayloadLifter::run(ArrayRef<Type> argumentTypes,
                        ArrayRef<Type> yieldTypes) {
  Operation *terminator = payload.getTerminator();
  SmallVector<Operation *> ops;
  for (Operation &op : payload.without_terminator())
    op.walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { ops.push_back(inner); });

  // Ops that are not lifted give a value to widen, and take a rounded one.
  SmallVector<std::pair<OpOperand *, Type>> roundedOperands;
  for (Operation *op : ops) {
    if (liftsItsTypes(*op))
      continue;
    rewriter.setInsertionPointAfter(op);
    for (Value result : op->getResults()) {
      Type lifted = lift(result.getType());
      if (lifted == result.getType())
        continue;
      Value wide = convertScalar(rewriter, op->getLoc(), result, lifted);
      rewriter.replaceAllUsesExcept(result, wide, wide.getDefiningOp());
    }
    for (OpOperand &operand : op->getOpOperands())
      if (Type written = operand.get().getType(); lift(written) != written)
        roundedOperands.push_back({&operand, written});
  }

  liftCaptured();
  rewriter.setInsertionPointToStart(&payload);
  for (auto [argument, type] :
       llvm::zip_equal(payload.getArguments(), argumentTypes)) {
    Type written = argument.getType();
    if (!isa<FloatType>(written))
      continue;
    Type arriving = type ? type : written;
    Type lifted = lift(written);
    argument.setType(arriving);
    if (arriving == lifted || argument.use_empty())
      continue;
    // The argument's type can be wider than what the payload computes in, where
    // a promotion widened it: then the payload was lifted as far.
    Value converted =
        convertScalar(rewriter, argument.getLoc(), argument, lifted);
    SmallPtrSet<Operation *, 2> conversions;
    for (Value step = converted; step != argument;
         step = step.getDefiningOp()->getOperand(0))
      conversions.insert(step.getDefiningOp());
    rewriter.replaceAllUsesExcept(argument, converted, conversions);
  }
  for (Operation *op : ops)
    liftOp(*op);
  for (auto [operand, written] : roundedOperands) {
    rewriter.setInsertionPoint(operand->getOwner());
    operand->set(convertScalar(rewriter, operand->getOwner()->getLoc(),
                               operand->get(), written));
  }

  for (auto [index, type] : llvm::enumerate(yieldTypes)) {
    OpOperand &operand = terminator->getOpOperand(index);
    if (!type || !isa<FloatType>(operand.get().getType()))
      continue;
    Value value = operand.get();
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    if (extension && extension.getIn().getType() == type)
      value = extension.getIn(); // Widening and rounding back is exact.
    else if (type.getIntOrFloatBitWidth() >=
             value.getType().getIntOrFloatBitWidth())
      value = skipFinalRounding(value);
    rewriter.setInsertionPoint(terminator);
    operand.set(convertScalar(rewriter, terminator->getLoc(), value, type));
  }
  // Conversions that the lift made useless.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(payload)))
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) && op.use_empty())
      rewriter.eraseOp(&op);
}

void mlir::amp::retypePayload(RewriterBase &rewriter, Block &payload,
                              ArrayRef<Type> argumentTypes,
                              ArrayRef<Type> yieldTypes, Type compute) {
  PayloadLifter(rewriter, payload, compute).run(argumentTypes, yieldTypes);
}
