//===- Normalize.cpp - one form of linalg for all schedules ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;

/// Lets the divisions in the payload of what makes `value` be by reciprocals.
static void markDivisions(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return;
  for (auto division : op.getBlock()->getOps<arith::DivFOp>())
    division.setFastmath(division.getFastmath() | arith::FastMathFlags::arcp);
}

void mlir::amp::decomposeAggregates(FunctionOpInterface function,
                                    bool allowReciprocals) {
  IRRewriter rewriter(function->getContext());
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) {
    if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
            op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      (void)linalg::lowerPack(rewriter, pack,
                              /*lowerPadLikeWithInsertSlice=*/false);
    } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      (void)linalg::lowerUnPack(rewriter, unpack,
                                /*lowerUnpadLikeWithExtractSlice=*/false);
    } else if (op->getNumResults() > 0 &&
               isa<RankedTensorType>(op->getResult(0).getType())) {
      auto aggregated = cast<linalg::AggregatedOpInterface>(op);
      FailureOr<SmallVector<Value>> parts =
          aggregated.decomposeOperation(rewriter);
      if (failed(parts))
        continue;
      if (allowReciprocals && isa<linalg::SoftmaxOp>(op))
        markDivisions(parts->front());
      rewriter.replaceOp(op, *parts);
    }
  }
}

void mlir::amp::generalizeNamedOps(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::LinalgOp> named;
  function->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
        op.hasPureTensorSemantics())
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    Attribute schedule = op->getAttr(AMPDialect::kScheduleAttrName);
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(generic) && schedule)
      (*generic)->setAttr(AMPDialect::kScheduleAttrName, schedule);
  }
}

namespace {

struct FreshInit : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto producer = init.get().getDefiningOp();
      if (op.payloadUsesValueFromOperand(&init) ||
          (producer && !isa<linalg::LinalgOp>(producer)))
        continue;
      // The loop arguments of a tiled program are its destinations.
      if (!producer &&
          !isa<FunctionOpInterface>(init.get().getParentBlock()->getParentOp()))
        continue;
      auto type = cast<RankedTensorType>(init.get().getType());
      Value fresh = tensor::EmptyOp::create(
          rewriter, op.getLoc(),
          tensor::getMixedSizes(rewriter, op.getLoc(), init.get()),
          type.getElementType(), type.getEncoding());
      rewriter.modifyOpInPlace(op, [&] { init.set(fresh); });
      return success();
    }
    return failure();
  }
};

} // namespace

void mlir::amp::populateFreshInitPatterns(RewritePatternSet &patterns) {
  patterns.add<FreshInit>(patterns.getContext(), /*benefit=*/2);
}
