//===- TurnOperands.cpp - operands that lie across the vectors ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An op whose operands have different innermost loops has no vector loop that
// all of them are contiguous along. Where elements are used several times, each
// is then read alone every time. A copy that lies along the loop moves them
// once, in squares of registers.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Normalize.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;

/// The loop that vectors are to go along: the innermost one of the result, else
/// of the first operand that has one. -1 where an index is no loop.
static int chooseLoop(linalg::GenericOp op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &init : op.getDpsInitsMutable())
    operands.push_back(&init);
  llvm::append_range(operands, op.getDpsInputOperands());
  for (OpOperand *operand : operands) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (map.getNumResults() == 0)
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    return last ? int(last.getPosition()) : -1;
  }
  return -1;
}

/// A copy of `operand` whose last dimension is that which `loop` moves; `map`
/// becomes the one by which it is read.
static Value copyAlong(RewriterBase &rewriter, Location loc, Value operand,
                       AffineMap &map, unsigned loop) {
  unsigned rank = map.getNumResults();
  SmallVector<int64_t> order;
  int64_t place = 0;
  for (auto [d, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      place = d;
    else
      order.push_back(d);
  order.push_back(place);
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, operand);
  SmallVector<OpFoldResult> turned;
  SmallVector<AffineExpr> exprs, source(rank);
  for (auto [to, from] : llvm::enumerate(order)) {
    turned.push_back(sizes[from]);
    exprs.push_back(map.getResult(from));
    source[from] = rewriter.getAffineDimExpr(to);
  }
  map = AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
  Value init =
      tensor::EmptyOp::create(rewriter, loc, turned, type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), operand, init,
             ArrayRef<AffineMap>{
                 AffineMap::get(rank, 0, source, rewriter.getContext()),
                 rewriter.getMultiDimIdentityMap(rank)},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args[0]);
             })
      .getResult(0);
}

void cpu::turnOperands(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics() || isPackableContraction(op, target) ||
        !goesElementByElement(op, target))
      continue;
    int loop = chooseLoop(op);
    if (loop < 0)
      continue;
    auto liesAcross = [&](OpOperand *operand) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      return map.isFunctionOfDim(loop) &&
             !map.getResults().back().isFunctionOfDim(loop);
    };
    // What is read once is not copied first, but that something is multiplied
    // by which lies across it.
    if (!llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          auto type = dyn_cast<RankedTensorType>(input->get().getType());
          AffineMap map = op.getMatchingIndexingMap(input);
          return !liesAcross(input) ||
                 (map.isProjectedPermutation() &&
                  (matchContractionBody(op) || !map.isPermutation()) &&
                  isVectorElement(type.getElementType()) &&
                  !type.getEncoding());
        }))
      continue;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    rewriter.setInsertionPoint(op);
    rewriter.startOpModification(op);
    for (OpOperand *input : op.getDpsInputOperands())
      if (liesAcross(input))
        input->set(copyAlong(rewriter, op.getLoc(), input->get(),
                             maps[input->getOperandNumber()], loop));
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    rewriter.finalizeOpModification(op);
  }
}
