//===- OutDtypeLowering.cpp - amp.out_dtype to linalg ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutDtypeLowering.h"

#include "CastEmitter.h"
#include "ProductForm.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

/// The type in which `op`, of natural result type `natural`, accumulates where
/// `requested` is asked for: the rule of ProductForm::getAccumulator, for ops
/// whose operands have one category.
static Type getAccumulator(Operation *op, linalg::LinalgOp linalgOp,
                           Type natural, Type requested) {
  Builder b(natural.getContext());
  if (isa<FloatType>(natural)) {
    bool wide = requested.isF64() || natural.isF64() ||
                llvm::any_of(op->getOperandTypes(), [](Type type) {
                  return getElementTypeOrSelf(type).isF64();
                });
    return wide ? b.getF64Type() : b.getF32Type();
  }
  unsigned width = natural.getIntOrFloatBitWidth() <= 32 ? 32 : 64;
  if (auto integer = dyn_cast<IntegerType>(requested))
    return b.getIntegerType(
        std::max<unsigned>(width, integer.getWidth() <= 32 ? 32 : 64));
  // A float holds sums of products that i32 does not.
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = getElementTypeOrSelf(operand.get().getType());
    bool isInput = !linalgOp || !linalgOp.isDpsInit(&operand);
    if (isInput && type.getIntOrFloatBitWidth() > 8)
      width = 64;
  }
  return b.getIntegerType(width);
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

static bool isArithmetic(Operation *op) {
  return isa<arith::MulFOp, arith::DivFOp, arith::AddFOp, arith::MulIOp,
             arith::DivSIOp, arith::DivUIOp, arith::AddIOp>(op);
}

static bool isConversion(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp>(op);
}

/// Rebuilds `op` with all values in `accumulator`.
static Value retypeArithmetic(OpBuilder &b, Operation *op, ValueRange operands,
                              Type accumulator) {
  OperationState state(op->getLoc(), op->getName(), operands, {accumulator},
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(state)->getResult(0);
}

/// `value` in the accumulator type; conversions to it are exact, because it
/// holds every value of the operands.
static Value accumulate(OpBuilder &b, Location loc, Value value,
                        Type accumulator) {
  return emitCast(b, loc, value, value.getType(), accumulator, CastOptions());
}

/// Emits the payload `from` with every intermediate value in `accumulator`;
/// `arguments` take the place of its block arguments. What the payload itself
/// widens or narrows is taken as it comes in: it accumulates wide.
static Value retypePayload(OpBuilder &b, Block &from, ValueRange arguments,
                           Type accumulator) {
  IRMapping mapping;
  for (auto [old, value] : llvm::zip(from.getArguments(), arguments))
    mapping.map(old, value);
  auto lookup = [&](Value value) {
    return accumulate(b, value.getLoc(), mapping.lookupOrDefault(value),
                      accumulator);
  };
  for (Operation &op : from.without_terminator()) {
    Value operand = mapping.lookupOrDefault(op.getOperand(0));
    if (isa<arith::ExtUIOp>(op) && operand.getType() != accumulator)
      mapping.map(op.getResult(0),
                  arith::ExtUIOp::create(b, op.getLoc(), accumulator, operand));
    else if (isConversion(&op))
      mapping.map(op.getResult(0), lookup(op.getOperand(0)));
    else
      mapping.map(op.getResult(0),
                  retypeArithmetic(
                      b, &op, llvm::map_to_vector(op.getOperands(), lookup),
                      accumulator));
  }
  return lookup(from.getTerminator()->getOperand(0));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A tensor of the shape of `like` and of element type `elementType`, for an op
/// that overwrites it.
static Value createEmpty(RewriterBase &b, Location loc, Value like,
                         Type elementType) {
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 elementType);
}

/// The initial value of an accumulation, in the accumulator type. A fill is
/// made anew rather than converted element by element.
static Value createInit(RewriterBase &b, Location loc, Value init,
                        Type accumulator) {
  if (getElementTypeOrSelf(init.getType()) == accumulator)
    return init;
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value value = fill.getInputs().front();
    if (value.getType() != accumulator)
      value =
          CastOp::create(b, loc, accumulator, value, CastOrigin::legalization);
    Value empty = createEmpty(b, loc, init, accumulator);
    return linalg::FillOp::create(b, loc, value, empty).getResult(0);
  }
  auto type = cast<RankedTensorType>(init.getType()).clone(accumulator);
  return CastOp::create(b, loc, type, init, CastOrigin::legalization);
}

/// Rebuilds a named op: its payload follows from the types, and reads narrow
/// inputs into a wide output as they are.
static Value retypeNamed(RewriterBase &b, linalg::LinalgOp op,
                         ValueRange operands, RankedTensorType type) {
  OperationState state(op.getLoc(), op->getName(), operands, {type},
                       op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  Region *region = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(region);
    for (Value operand : operands)
      body->addArgument(getElementTypeOrSelf(operand.getType()), op.getLoc());
    ImplicitLocOpBuilder builder(op.getLoc(), b);
    op.getRegionBuilder()(builder, *body, op->getAttrs(),
                          [&] { return op->emitError(); });
  }
  return b.create(state)->getResult(0);
}

static Value lowerLinalg(RewriterBase &b, linalg::LinalgOp op,
                         ValueRange captures, Type accumulator) {
  Location loc = op.getLoc();
  SmallVector<Value> operands(captures);
  OpOperand *output = op.getDpsInitOperand(0);
  unsigned outputNumber = output->getOperandNumber();
  Value init = operands[outputNumber];
  init = op.payloadUsesValueFromOperand(output)
             ? createInit(b, loc, init, accumulator)
             : createEmpty(b, loc, init, accumulator);
  operands[outputNumber] = init;
  auto type = cast<RankedTensorType>(init.getType());
  // Contractions and convolutions stay what they are; later passes know them.
  bool isReduction = op.getNumReductionLoops() > 0;
  if (isReduction && !isa<linalg::GenericOp>(op) && op.getRegionBuilder())
    return retypeNamed(b, op, operands, type);

  Block *payload = op.getBlock();
  auto generic = linalg::GenericOp::create(
      b, loc, type, ValueRange(operands).take_front(outputNumber), init,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        linalg::YieldOp::create(
            builder, loc,
            retypePayload(builder, *payload, arguments, accumulator));
      });
  return generic.getResult(0);
}

/// An elementwise arith op on tensors.
static Value lowerElementwise(RewriterBase &b, Operation *op,
                              ValueRange captures, Type accumulator) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(captures.front().getType());
  Value empty = createEmpty(b, loc, captures.front(), accumulator);
  SmallVector<AffineMap> maps(captures.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, empty.getType(), captures, empty, maps, iterators,
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        SmallVector<Value> operands;
        for (Value argument : arguments.drop_back())
          operands.push_back(accumulate(builder, loc, argument, accumulator));
        linalg::YieldOp::create(
            builder, loc, retypeArithmetic(builder, op, operands, accumulator));
      });
  return generic.getResult(0);
}

/// An op that is known as a product: ATen's and tosa's.
static LogicalResult lowerProduct(RewriterBase &rewriter, OutDtypeOp op,
                                  FailureOr<ProductForm> form) {
  if (failed(form))
    return failure();
  rewriter.setInsertionPoint(op);
  Value result = emitProduct(
      rewriter, *form, form->getAccumulator(op.getType().getElementType()));
  if (result.getType() != op.getType())
    result = CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

LogicalResult mlir::amp::lowerOutDtype(RewriterBase &rewriter, OutDtypeOp op) {
  Operation *inner = op.getInnerOp();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(inner);
  bool elementwise =
      OpTrait::hasElementwiseMappableTraits(inner) && isArithmetic(inner);
  if (!linalgOp && !elementwise) {
    if (isa_and_present<tosa::TosaDialect>(inner->getDialect()))
      return lowerProduct(rewriter, op, getTosaForm(op));
    if (!inner->isRegistered())
      return lowerProduct(rewriter, op, getATenForm(op));
    return inner->emitError()
           << "in amp.out_dtype has no lowering to linalg: expected a linalg "
              "op, an elementwise arith op, an op of tosa or of ATen, but "
              "found "
              "'"
           << inner->getName() << "'";
  }
  if (linalgOp)
    for (Operation &payload : linalgOp.getBlock()->without_terminator())
      if (!isArithmetic(&payload) && !isConversion(&payload))
        return payload.emitError()
               << "in the payload of an op in amp.out_dtype cannot take "
                  "another type: expected multiplications, additions, "
                  "divisions and conversions only";

  Type natural = getElementTypeOrSelf(inner->getResult(0).getType());
  Type accumulator =
      getAccumulator(inner, linalgOp, natural, op.getType().getElementType());
  IRMapping mapping;
  mapping.map(op.getBody().getArguments(), op.getCaptures());
  SmallVector<Value> captures = llvm::map_to_vector(
      inner->getOperands(), [&](Value v) { return mapping.lookup(v); });
  rewriter.setInsertionPoint(op);
  Value result = linalgOp
                     ? lowerLinalg(rewriter, linalgOp, captures, accumulator)
                     : lowerElementwise(rewriter, inner, captures, accumulator);
  if (result.getType() != op.getType())
    result = CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}
