//===- LowerReshapes.cpp - expand_shape by its sizes ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULOWERRESHAPESPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {

/// expand_shape as a reinterpret_cast with the sizes that the op gives.
struct ExpandToReinterpret : public OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefType type = op.getResultType();
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> from = source.getConstifiedMixedStrides();
    AffineExpr product =
        rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
    for (auto [group, stride] :
         llvm::zip_equal(op.getReassociationIndices(), from))
      for (int64_t d : llvm::reverse(group)) {
        strides[d] = stride;
        stride = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                       {stride, sizes[d]});
      }
    OpFoldResult offset = source.getConstifiedMixedOffset();
    // Static facts must agree with the type that users expect.
    auto [typeStrides, typeOffset] = type.getStridesAndOffset();
    auto match = [&](OpFoldResult &value, int64_t fixed) {
      if (!ShapedType::isDynamic(fixed))
        value = rewriter.getIndexAttr(fixed);
      else if (isa<Attribute>(value))
        value = arith::ConstantIndexOp::create(rewriter, loc,
                                               *getConstantIntValue(value))
                    .getResult();
    };
    match(offset, typeOffset);
    for (auto [value, fixed] : llvm::zip_equal(strides, typeStrides))
      match(value, fixed);
    for (auto [value, fixed] : llvm::zip_equal(sizes, type.getShape()))
      match(value, fixed);
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), offset, sizes, strides);
    return success();
  }
};

struct LowerReshapes
    : public amp::impl::AmpCPULowerReshapesPassBase<LowerReshapes> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](memref::ExpandShapeOp) { ++numExpanded; });
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandToReinterpret>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
