//===- Padding.cpp - padded tensors, each element written once ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"

#include "ContractionPlan.h"
#include "Emit.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

namespace {

/// Fills the border of a new tensor, and inserts what is padded. Where that is
/// the result of a linalg op, the border comes before it, so that bufferization
/// finds the op a place in the padded tensor.
struct DecomposePad : OpRewritePattern<tensor::PadOp> {
  DecomposePad(MLIRContext *context, const cpu::CPUTarget &target)
      : OpRewritePattern(context), target(target), decompose(context) {}

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    if (cpu::isPackedPadding(op, target))
      return failure();
    // What differs from place to place is computed everywhere.
    TypedAttr value;
    if (!op.getConstantPaddingValue() ||
        !matchPattern(op.getConstantPaddingValue(), m_Constant(&value)))
      return decompose.matchAndRewrite(op, rewriter);
    fillBorder(op, value, rewriter);
    return success();
  }

private:
  static void fillBorder(tensor::PadOp op, TypedAttr value,
                         PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value source = op.getSource(), shape = source;
    SmallVector<OpFoldResult> low = op.getMixedLowPad();
    SmallVector<OpFoldResult> high = op.getMixedHighPad();
    auto producer = source.getDefiningOp<linalg::LinalgOp>();
    bool isStatic =
        llvm::all_of(llvm::concat<OpFoldResult>(low, high),
                     [](OpFoldResult size) { return isa<Attribute>(size); });
    if (producer && producer->getBlock() == op->getBlock() && isStatic) {
      rewriter.setInsertionPoint(producer);
      shape = producer.getTiedOpOperand(cast<OpResult>(source))->get();
    }
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
    AffineExpr s1 = rewriter.getAffineSymbolExpr(1);
    auto add = [&](OpFoldResult x, OpFoldResult y) {
      return affine::makeComposedFoldedAffineApply(rewriter, loc, s0 + s1,
                                                   {x, y});
    };
    SmallVector<OpFoldResult> inner =
        tensor::getMixedSizes(rewriter, loc, shape);
    SmallVector<OpFoldResult> sizes;
    for (auto [before, size, after] : llvm::zip_equal(low, inner, high))
      sizes.push_back(add(add(before, size), after));
    Value fill = arith::ConstantOp::create(rewriter, loc, value);
    // Two tensors with the same border are two: nothing makes one of them.
    Value padded =
        makeBuffer(rewriter, loc, sizes, op.getResultType().getElementType());
    // Columns of single elements lie in as many lines as all there is.
    bool isAll = !sizes.empty() &&
                 !(isZeroInteger(low.back()) && isZeroInteger(high.back()));
    if (isAll)
      padded = linalg::FillOp::create(rewriter, loc, fill, padded).getResult(0);
    SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
    // In front of a dimension what is padded there, behind it all: together
    // each place outside once.
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> extents = sizes;
    for (size_t d = 0; d < sizes.size(); ++d) {
      for (auto [offset, extent] :
           {std::pair(OpFoldResult(rewriter.getIndexAttr(0)), low[d]),
            std::pair(add(low[d], inner[d]), high[d])}) {
        if (isAll || isZeroInteger(extent))
          continue;
        offsets[d] = offset;
        extents[d] = extent;
        Value slab = tensor::ExtractSliceOp::create(rewriter, loc, padded,
                                                    offsets, extents, ones);
        slab = linalg::FillOp::create(rewriter, loc, fill, slab).getResult(0);
        padded = tensor::InsertSliceOp::create(rewriter, loc, slab, padded,
                                               offsets, extents, ones);
      }
      offsets[d] = low[d];
      extents[d] = inner[d];
    }
    rewriter.setInsertionPoint(op);
    padded = tensor::InsertSliceOp::create(rewriter, loc, source, padded,
                                           offsets, extents, ones);
    if (padded.getType() != op.getResultType())
      padded =
          tensor::CastOp::create(rewriter, loc, op.getResultType(), padded);
    rewriter.replaceOp(op, padded);
  }

  const cpu::CPUTarget &target;
  linalg::DecomposePadOpPattern decompose;
};

} // namespace

void cpu::decomposePadding(FunctionOpInterface function,
                           const CPUTarget &target) {
  RewritePatternSet patterns(function->getContext());
  patterns.add<DecomposePad>(function->getContext(), target);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
