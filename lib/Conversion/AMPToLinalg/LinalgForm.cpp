//===- LinalgForm.cpp - the products of linalg and arith ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// The payload `acc + cast(a) * cast(b)`, or one product or quotient.
struct ProductPayload {
  ProductForm::Kind kind;
  BlockArgument lhs, rhs;
  bool isLhsUnsigned = false, isRhsUnsigned = false;
};
} // namespace

/// The block argument that `value` is a conversion of.
static BlockArgument skipConversions(Value value, Block *block,
                                     bool &isUnsigned) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncFOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return {};
    isUnsigned |= isa<arith::ExtUIOp, arith::UIToFPOp>(op);
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return argument.getOwner() == block ? argument : BlockArgument();
}

static std::optional<ProductPayload> matchPayload(Block *block,
                                                  unsigned numInputs) {
  Operation *last = block->getTerminator()->getOperand(0).getDefiningOp();
  if (!last)
    return std::nullopt;
  ProductPayload payload;
  Operation *product = last;
  if (isa<arith::AddFOp, arith::AddIOp>(last)) {
    payload.kind = ProductForm::Kind::Sum;
    bool ignored = false;
    product = nullptr;
    for (unsigned side : {0u, 1u}) {
      BlockArgument sum =
          skipConversions(last->getOperand(side), block, ignored);
      if (sum && sum.getArgNumber() == numInputs)
        product = last->getOperand(1 - side).getDefiningOp();
    }
    if (!product || !isa<arith::MulFOp, arith::MulIOp>(product))
      return std::nullopt;
  } else if (isa<arith::MulFOp, arith::MulIOp>(last)) {
    payload.kind = ProductForm::Kind::Multiply;
  } else if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(last)) {
    payload.kind = ProductForm::Kind::Divide;
  } else {
    return std::nullopt;
  }
  payload.isLhsUnsigned = payload.isRhsUnsigned = isa<arith::DivUIOp>(product);
  payload.lhs =
      skipConversions(product->getOperand(0), block, payload.isLhsUnsigned);
  payload.rhs =
      skipConversions(product->getOperand(1), block, payload.isRhsUnsigned);
  if (!payload.lhs || !payload.rhs)
    return std::nullopt;
  return payload;
}

FailureOr<ProductForm> mlir::amp::getLinalgForm(OutDtypeOp op) {
  Operation *inner = op.getInnerOp();
  ProductForm form(inner->getLoc());
  form.natural = cast<RankedTensorType>(inner->getResult(0).getType());
  Builder b(op.getContext());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(inner);
  if (!linalgOp) {
    unsigned rank = form.natural.getRank();
    form.kind = isa<arith::MulFOp, arith::MulIOp>(inner)
                    ? ProductForm::Kind::Multiply
                    : ProductForm::Kind::Divide;
    form.lhs.value = op.getCapture(inner->getOperand(0));
    form.rhs.value = op.getCapture(inner->getOperand(1));
    form.lhs.isUnsigned = form.rhs.isUnsigned = isa<arith::DivUIOp>(inner);
    form.lhs.map = form.rhs.map = form.map = b.getMultiDimIdentityMap(rank);
    form.iterators.assign(rank, utils::IteratorType::parallel);
    return form;
  }
  std::optional<ProductPayload> payload;
  if (linalgOp.getNumDpsInits() == 1)
    payload = matchPayload(linalgOp.getBlock(), linalgOp.getNumDpsInputs());
  if (!payload)
    return inner->emitOpError()
           << "in amp.out_dtype: expected a payload that multiplies or divides "
              "two operands, or adds their product to the result";
  auto setOperand = [&](ProductOperand &operand, BlockArgument argument,
                        bool isUnsigned) {
    OpOperand *source = linalgOp.getMatchingOpOperand(argument);
    operand.value = op.getCapture(source->get());
    operand.map = linalgOp.getMatchingIndexingMap(source);
    operand.isUnsigned =
        isUnsigned || getElementTypeOrSelf(operand.value).isInteger(1);
  };
  form.kind = payload->kind;
  setOperand(form.lhs, payload->lhs, payload->isLhsUnsigned);
  setOperand(form.rhs, payload->rhs, payload->isRhsUnsigned);
  OpOperand *init = linalgOp.getDpsInitOperand(0);
  form.map = linalgOp.getMatchingIndexingMap(init);
  if (form.kind == ProductForm::Kind::Sum) {
    form.bias.value = op.getCapture(init->get());
    form.bias.map = form.map;
  }
  form.iterators = linalgOp.getIteratorTypesArray();
  return form;
}
