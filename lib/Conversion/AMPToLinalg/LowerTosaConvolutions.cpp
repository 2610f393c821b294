//===- LowerTosaConvolutions.cpp - transposed convolutions of tosa --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerTosa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// Of one dimension of a transposed convolution: every `stride`-th element of
/// the result from `phase` on, each a window of `taps` pixels by every
/// `stride`-th element of the filter from `first` on, in reverse. The windows
/// begin `low` pixels in front of the image, and end `high` behind it; both may
/// be negative. With `size` pixels there are `size - 1 + more` windows.
struct Phase {
  int64_t phase, first, taps, low, high, more;
};

/// Result i has sums of pixel p and tap t where p * stride + t + pad is i.
Phase getPhase(int64_t phase, int64_t stride, int64_t extent, int64_t padLow,
               int64_t padHigh) {
  int64_t first = llvm::mod(phase - padLow, stride);
  int64_t taps =
      first < extent ? llvm::divideCeilSigned(extent - first, stride) : 0;
  // The first window's last pixel, which the first of its taps meets.
  int64_t last = (phase - padLow - first) / stride;
  int64_t more =
      llvm::divideCeilSigned(padLow + padHigh + extent - phase, stride);
  return {phase, first, taps, taps - 1 - last, more - 1 + last, more};
}

/// TRANSPOSE_CONV2D of TOSA 1.0 of images whose sizes are not known: one
/// convolution for each phase of the strides. Of others upstream's lowering has
/// such a form.
struct LowerTransposed : OpRewritePattern<tosa::TransposeConv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::TransposeConv2DOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto filter = dyn_cast<RankedTensorType>(op.getWeight().getType());
    FailureOr<int64_t> zero = op.getInputZeroPoint();
    if (!type || !image || !filter || !filter.hasStaticShape() ||
        failed(zero) || failed(op.getWeightZeroPoint()) ||
        llvm::all_of(image.getShape().drop_front(), ShapedType::isStatic))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    ArrayRef<int64_t> pad = op.getOutPad(), stride = op.getStride();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<OpFoldResult> outer = sizes;
    outer[3] = rewriter.getIndexAttr(filter.getDimSize(0));
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    SmallVector<SmallVector<Phase>> phases(2);
    for (int64_t d = 0; d < 2; ++d) {
      int64_t extent = filter.getDimSize(d + 1);
      for (int64_t phase = 0; phase < stride[d]; ++phase)
        phases[d].push_back(
            getPhase(phase, stride[d], extent, pad[2 * d], pad[2 * d + 1]));
      outer[d + 1] = computeSize(rewriter, loc,
                                 (size - 1) * stride[d] + pad[2 * d] +
                                     pad[2 * d + 1] + extent,
                                 sizes[d + 1]);
    }
    Value result = makeEmpty(rewriter, loc, type, outer);
    auto isEmpty = [](const Phase &phase) { return phase.taps == 0; };
    if (llvm::any_of(phases[0], isEmpty) || llvm::any_of(phases[1], isEmpty))
      result = repeatBias(rewriter, op, result);
    for (const Phase &y : phases[0])
      for (const Phase &x : phases[1])
        if (!isEmpty(y) && !isEmpty(x))
          result = insertPhase(rewriter, op, result, sizes, {y, x}, *zero);
    replaceWithCasts(rewriter, op, result);
    return success();
  }

private:
  /// The bias at each pixel of `init`: what has no taps is that alone.
  static Value repeatBias(OpBuilder &b, tosa::TransposeConv2DOp op,
                          Value init) {
    auto bias = cast<RankedTensorType>(op.getBias().getType());
    AffineExpr channel = bias.getDimSize(0) == 1 ? b.getAffineConstantExpr(0)
                                                 : b.getAffineDimExpr(3);
    Type element = getElementTypeOrSelf(init.getType());
    return computeElements(
        b, op.getLoc(), init, op.getBias(), AffineMap::get(4, 0, channel),
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return convertScalarToDtype(inner, op.getLoc(), values[0], element,
                                      /*isUnsignedCast=*/false);
        });
  }

  static Value insertPhase(OpBuilder &b, tosa::TransposeConv2DOp op,
                           Value result, ArrayRef<OpFoldResult> sizes,
                           ArrayRef<Phase> phases, int64_t zero) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(result.getType());
    OpFoldResult none = b.getIndexAttr(0), one = b.getIndexAttr(1);
    // Every second element of the filter, say, from its end.
    SmallVector<OpFoldResult> offsets(4, none), steps(4, one);
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(b, loc, op.getWeight());
    SmallVector<OpFoldResult> at(4, none), every(4, one);
    SmallVector<OpFoldResult> counts(sizes);
    counts[3] = tensor::getMixedSize(b, loc, result, 3);
    AffineExpr size = b.getAffineSymbolExpr(0);
    for (int64_t d = 0; d < 2; ++d) {
      const Phase &phase = phases[d];
      offsets[d + 1] = b.getIndexAttr(phase.first);
      extents[d + 1] = b.getIndexAttr(phase.taps);
      steps[d + 1] = every[d + 1] = b.getIndexAttr(op.getStride()[d]);
      at[d + 1] = b.getIndexAttr(phase.phase);
      counts[d + 1] = computeSize(b, loc, size - 1 + phase.more, sizes[d + 1]);
    }
    Value filter = tensor::ExtractSliceOp::create(b, loc, op.getWeight(),
                                                  offsets, extents, steps);
    for (int64_t d = 0; d < 2; ++d)
      if (phases[d].taps > 1)
        filter =
            tosa::ReverseOp::create(b, loc, filter.getType(), filter, d + 1);
    Value image = cut(b, op, sizes, phases, zero);
    SmallVector<int64_t> shape;
    for (OpFoldResult count : counts)
      shape.push_back(
          getConstantIntValue(count).value_or(ShapedType::kDynamic));
    Value windows = tosa::Conv2DOp::create(
        b, loc, type.clone(shape), image, filter, op.getBias(), op.getInputZp(),
        op.getWeightZp(), b.getDenseI64ArrayAttr({0, 0, 0, 0}),
        b.getDenseI64ArrayAttr({1, 1}), b.getDenseI64ArrayAttr({1, 1}),
        op.getAccTypeAttr(), op.getLocalBoundAttr());
    return tensor::InsertSliceOp::create(b, loc, windows, result, at, counts,
                                         every);
  }

  /// The pixels of all windows: the image, with `zero` around it, and without
  /// those that no window has. It may be so small that nothing of it is left.
  static Value cut(OpBuilder &b, tosa::TransposeConv2DOp op,
                   ArrayRef<OpFoldResult> sizes, ArrayRef<Phase> phases,
                   int64_t zero) {
    Location loc = op.getLoc();
    OpFoldResult none = b.getIndexAttr(0);
    SmallVector<OpFoldResult> begin(4, none), low(4, none), high(4, none);
    SmallVector<OpFoldResult> count(sizes);
    auto value = [&](OpFoldResult size) {
      return getValueOrCreateConstantIndexOp(b, loc, size);
    };
    AffineExpr size = b.getAffineSymbolExpr(0);
    for (int64_t d = 0; d < 2; ++d) {
      const Phase &phase = phases[d];
      OpFoldResult all = sizes[d + 1];
      if (phase.low >= 0 && phase.high >= 0) {
        low[d + 1] = b.getIndexAttr(phase.low);
        high[d + 1] = b.getIndexAttr(phase.high);
        continue;
      }
      Value total =
          value(computeSize(b, loc, size + (phase.low + phase.high), all));
      Value first = value(b.getIndexAttr(std::max<int64_t>(-phase.low, 0)));
      first = arith::MinSIOp::create(b, loc, first, value(all));
      Value last = value(
          computeSize(b, loc, size + std::min<int64_t>(phase.high, 0), all));
      Value length = arith::SubIOp::create(b, loc, last, first);
      length = arith::MaxSIOp::create(b, loc, length, value(none));
      Value before = value(b.getIndexAttr(std::max<int64_t>(phase.low, 0)));
      before = arith::MinSIOp::create(b, loc, before, total);
      Value after = arith::SubIOp::create(b, loc, total, before);
      begin[d + 1] = first;
      count[d + 1] = length;
      low[d + 1] = before;
      high[d + 1] = OpFoldResult(
          arith::SubIOp::create(b, loc, after, length).getResult());
    }
    Value image = tensor::ExtractSliceOp::create(
        b, loc, op.getInput(), begin, count,
        SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
    Type element = getElementTypeOrSelf(image.getType());
    TypedAttr around = isa<FloatType>(element)
                           ? TypedAttr(b.getFloatAttr(element, zero))
                           : TypedAttr(b.getIntegerAttr(element, zero));
    Value padding = arith::ConstantOp::create(b, loc, around);
    auto type =
        tensor::PadOp::inferResultType(cast<RankedTensorType>(image.getType()),
                                       staticSizes(low), staticSizes(high));
    return tensor::PadOp::create(b, loc, type, image, low, high, padding);
  }

  static SmallVector<int64_t> staticSizes(ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> result;
    for (OpFoldResult size : sizes)
      result.push_back(
          getConstantIntValue(size).value_or(ShapedType::kDynamic));
    return result;
  }
};
} // namespace

void mlir::amp::populateLowerTosaConvolutionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<LowerTransposed>(patterns.getContext());
}
