//===- FoldBroadcasts.cpp - branches that broadcast nothing ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPFOLDBROADCASTSPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

using Variable = ValueBoundsConstraintSet::Variable;

static bool areEqual(const Variable &a, const Variable &b) {
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(a, b);
  return succeeded(equal) && *equal;
}

/// The size of a dimension that `condition` compares with 1; null where it is
/// another comparison.
static Value getSizeThatIsOne(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
                 matchPattern(compare.getRhs(), m_One())
             ? compare.getLhs()
             : Value();
}

/// The op that gives `value` with some dimensions of one element repeated, and
/// the sizes of its result.
static linalg::GenericOp getBroadcast(Value result, Value value,
                                      SmallVectorImpl<OpFoldResult> &sizes) {
  auto op = result.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getDpsInputs()[0] != value || op.getNumReductionLoops() != 0 ||
      !op.getIndexingMapsArray()[1].isIdentity() ||
      op.getBody()->getTerminator()->getOperand(0) !=
          op.getRegionInputArgs()[0])
    return nullptr;
  auto empty = op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return nullptr;
  sizes = empty.getMixedSizes();
  return op;
}

namespace {
/// `if size == 1 then broadcast(x) else x`, where what is broadcast has that
/// size in the result as well, is x.
struct FoldBroadcast : public OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    Value size = getSizeThatIsOne(op.getCondition());
    if (!size || op.getNumResults() != 1 || op.getElseRegion().empty())
      return failure();
    Value value = op.elseYield().getOperand(0);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || value.getParentRegion() == &op.getElseRegion())
      return failure();
    SmallVector<OpFoldResult> sizes;
    linalg::GenericOp broadcast =
        getBroadcast(op.thenYield().getOperand(0), value, sizes);
    if (!broadcast)
      return failure();
    AffineMap map = broadcast.getIndexingMapsArray()[0];
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      if (expr == rewriter.getAffineDimExpr(d))
        continue;
      if (!matchesZero(expr) || !areEqual(size, Variable(value, d)) ||
          !areEqual(size, Variable(sizes[d])))
        return failure();
    }
    if (op.getResult(0).getType() == type)
      rewriter.replaceOp(op, value);
    else
      rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getResult(0).getType(),
                                                  value);
    return success();
  }

private:
  static bool matchesZero(AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return constant && constant.getValue() == 0;
  }
};

/// The larger one of two sizes that are the same.
struct FoldLargerSize : public OpRewritePattern<arith::MaxUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MaxUIOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isIndex() || !areEqual(op.getLhs(), op.getRhs()))
      return failure();
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
};

struct FoldBroadcasts
    : public amp::impl::AmpFoldBroadcastsPassBase<FoldBroadcasts> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldBroadcast, FoldLargerSize>(&getContext());
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    tensor::DimOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
