//===- LowerTosaImages.cpp - resizes and pools of tosa --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerTosa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"

using namespace mlir;
using namespace mlir::amp;

static Value getIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

//===----------------------------------------------------------------------===//
// Resizes
//===----------------------------------------------------------------------===//

namespace {
/// How places of the result lie in one dimension of the image: place i is
/// (i * step + offset) / scale.
struct Axis {
  int64_t scale, step, offset, border;
};

/// A place between two pixels, `part` of `scale` behind the first.
struct Place {
  Value first, second, part;
};
} // namespace

/// The place of `index` of the result in an image of `size` pixels. Before the
/// first pixel, which an offset of not more than one pixel may be, both are
/// that pixel, as they are for what is on it.
static Place getPlace(ImplicitLocOpBuilder &b, const Axis &axis, Value index,
                      OpFoldResult size) {
  Value at = arith::AddIOp::create(
      b, arith::MulIOp::create(b, index, getIndex(b, axis.step)),
      getIndex(b, axis.offset));
  at = arith::MaxSIOp::create(b, at, getIndex(b, 0));
  Value scale = getIndex(b, axis.scale);
  Value first = arith::DivUIOp::create(b, at, scale);
  Value part = arith::RemUIOp::create(b, at, scale);
  Value last = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      computeSize(b, b.getLoc(), b.getAffineSymbolExpr(0) - 1, size));
  Value second = arith::AddIOp::create(b, first, getIndex(b, 1));
  return {arith::MinUIOp::create(b, first, last),
          arith::MinUIOp::create(b, second, last), part};
}

/// What weighs the second pixel of `place`, and the first: fractions of f32, or
/// the integers whose sum is `scale`.
static std::pair<Value, Value> getWeights(ImplicitLocOpBuilder &b, Type type,
                                          const Axis &axis, Value part) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    Value second = arith::IndexCastOp::create(b, type, part);
    Value all =
        arith::ConstantOp::create(b, b.getIntegerAttr(integer, axis.scale));
    return {arith::SubIOp::create(b, all, second), second};
  }
  Value wide = arith::IndexCastOp::create(b, b.getI32Type(), part);
  Value second = arith::DivFOp::create(
      b, arith::SIToFPOp::create(b, type, wide),
      arith::ConstantOp::create(b, b.getFloatAttr(type, axis.scale)));
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(type, 1));
  return {arith::SubFOp::create(b, one, second), second};
}

static Value weigh(ImplicitLocOpBuilder &b, Value first, Value second,
                   std::pair<Value, Value> weights) {
  if (isa<IntegerType>(first.getType()))
    return arith::AddIOp::create(
        b, arith::MulIOp::create(b, first, weights.first),
        arith::MulIOp::create(b, second, weights.second));
  return arith::AddFOp::create(
      b, arith::MulFOp::create(b, first, weights.first),
      arith::MulFOp::create(b, second, weights.second));
}

namespace {
/// RESIZE of TOSA 1.0. Floats are computed in f32 and rounded once.
struct LowerResize : OpRewritePattern<tosa::ResizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::ResizeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    SmallVector<int64_t> scale, offset, border;
    if (!type || !image ||
        !tosa::getConstShapeValues(op.getScale().getDefiningOp(), scale) ||
        !tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) ||
        !tosa::getConstShapeValues(op.getBorder().getDefiningOp(), border))
      return rewriter.notifyMatchFailure(op, "its places are not known");
    Location loc = op.getLoc();
    Axis axes[] = {{scale[0], scale[1], offset[0], border[0]},
                   {scale[2], scale[3], offset[1], border[1]}};
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<OpFoldResult> outer = sizes;
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    for (auto [d, axis] : llvm::enumerate(axes))
      outer[d + 1] =
          computeSize(rewriter, loc,
                      ((size - 1) * axis.scale - axis.offset + axis.border)
                              .floorDiv(axis.step) +
                          1,
                      sizes[d + 1]);
    Value init = makeEmpty(rewriter, loc, type, outer);
    bool isBilinear = op.getMode() == tosa::ResizeMode::BILINEAR;
    Value result = computeElements(
        rewriter, loc, init, {}, {},
        [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
          SmallVector<Value> indices;
          for (int64_t d = 0; d < 4; ++d)
            indices.push_back(linalg::IndexOp::create(b, d));
          Place y = getPlace(b, axes[0], indices[1], sizes[1]);
          Place x = getPlace(b, axes[1], indices[2], sizes[2]);
          auto read = [&](Value row, Value column) -> Value {
            return tensor::ExtractOp::create(
                b, op.getInput(),
                ValueRange{indices[0], row, column, indices[3]});
          };
          if (!isBilinear)
            return read(pick(b, axes[0], y), pick(b, axes[1], x));
          Type element = type.getElementType();
          Type wide = isa<FloatType>(element) ? b.getF32Type() : element;
          auto widen = [&](Value value) {
            return convertScalarToDtype(b, loc, value, wide,
                                        /*isUnsignedCast=*/false);
          };
          Value values[] = {
              widen(read(y.first, x.first)), widen(read(y.first, x.second)),
              widen(read(y.second, x.first)), widen(read(y.second, x.second))};
          auto across = getWeights(b, wide, axes[1], x.part);
          auto down = getWeights(b, wide, axes[0], y.part);
          Value sum = weigh(b, weigh(b, values[0], values[1], across),
                            weigh(b, values[2], values[3], across), down);
          return convertScalarToDtype(b, loc, sum, element,
                                      /*isUnsignedCast=*/false);
        });
    replaceWithCasts(rewriter, op, result);
    return success();
  }

private:
  /// The pixel that is closer, the second in the middle of both.
  static Value pick(ImplicitLocOpBuilder &b, const Axis &axis,
                    const Place &place) {
    Value isSecond =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, place.part,
                              getIndex(b, llvm::divideCeil(axis.scale, 2)));
    return arith::SelectOp::create(b, isSecond, place.second, place.first);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

namespace {
/// The image of a pool with `around` around it, and the sizes of the result.
template <typename Op>
struct PaddedImage {
  PaddedImage(PatternRewriter &rewriter, Op op, TypedAttr around) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getInput().getType());
    sizes = tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<int64_t> low(4, 0), high(4, 0), shape(type.getShape());
    AffineExpr size = rewriter.getAffineSymbolExpr(0);
    for (int64_t d = 0; d < 2; ++d) {
      low[d + 1] = op.getPad()[2 * d];
      high[d + 1] = op.getPad()[2 * d + 1];
      int64_t pad = low[d + 1] + high[d + 1];
      sizes[d + 1] = computeSize(
          rewriter, loc,
          (size + (pad - op.getKernel()[d])).floorDiv(op.getStride()[d]) + 1,
          sizes[d + 1]);
      if (ShapedType::isStatic(shape[d + 1]))
        shape[d + 1] += pad;
    }
    image = op.getInput();
    if (llvm::all_of(op.getPad(), [](int64_t pad) { return pad == 0; }))
      return;
    Value value = arith::ConstantOp::create(rewriter, loc, around);
    auto asSizes = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(op.getContext(), values);
    };
    image = tensor::PadOp::create(rewriter, loc, type.clone(shape), image,
                                  asSizes(low), asSizes(high), value);
  }

  Value image;
  SmallVector<OpFoldResult> sizes;
};

/// MAX_POOL2D of TOSA 1.0 of floats.
struct LowerMaxPool : OpRewritePattern<tosa::MaxPool2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::MaxPool2dOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto element = type ? dyn_cast<FloatType>(type.getElementType()) : nullptr;
    if (!element || !isa<RankedTensorType>(op.getInput().getType()))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    bool ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
    TypedAttr none =
        getStartOfExtremum(element, /*isMaximum=*/true, ignoresNaN);
    PaddedImage<tosa::MaxPool2dOp> padded(rewriter, op, none);
    Value init = makeEmpty(rewriter, loc, type, padded.sizes);
    init = linalg::FillOp::create(
               rewriter, loc,
               arith::ConstantOp::create(rewriter, loc, none).getResult(), init)
               .getResult(0);
    Value window =
        tensor::EmptyOp::create(rewriter, loc, op.getKernel(), element);
    auto pool = linalg::PoolingNhwcMaxOp::create(
        rewriter, loc, init.getType(), ValueRange{padded.image, window}, init,
        rewriter.getI64VectorAttr(op.getStride()),
        rewriter.getI64VectorAttr({1, 1}));
    Value result = pool.getResult(0);
    if (ignoresNaN)
      result = ignoreNaN(rewriter, pool);
    replaceWithCasts(rewriter, op, result);
    return success();
  }

private:
  /// `pool` with maxima that are NaN of two NaN alone.
  static Value ignoreNaN(PatternRewriter &rewriter,
                         linalg::PoolingNhwcMaxOp pool) {
    auto generic = linalg::GenericOp::create(
        rewriter, pool.getLoc(), pool->getResultTypes(), pool.getInputs(),
        pool.getOutputs(), pool.getIndexingMapsArray(),
        pool.getIteratorTypesArray(),
        [](OpBuilder &b, Location loc, ValueRange elements) {
          Value larger =
              arith::MaxNumFOp::create(b, loc, elements[2], elements[0]);
          linalg::YieldOp::create(b, loc, larger);
        });
    rewriter.eraseOp(pool);
    return generic.getResult(0);
  }
};

/// AVG_POOL2D of TOSA 1.0 of images whose sizes are not known; of others
/// upstream's lowering has a form.
struct LowerAveragePool : OpRewritePattern<tosa::AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::AvgPool2dOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    FailureOr<int64_t> inputZero = op.getInputZeroPoint();
    FailureOr<int64_t> outputZero = op.getOutputZeroPoint();
    if (!type || !image || failed(inputZero) || failed(outputZero) ||
        llvm::all_of(image.getShape().drop_front(), ShapedType::isStatic))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    Type sum = op.getAccType();
    SmallVector<Window> windows;
    for (int64_t d = 0; d < 2; ++d)
      windows.push_back(
          {op.getKernel()[d], op.getStride()[d], op.getPad()[2 * d]});
    // What is around the image is not counted, and adds nothing.
    PaddedImage<tosa::AvgPool2dOp> padded(
        rewriter, op, rewriter.getZeroAttr(image.getElementType()));
    Value none =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(sum));
    Value sums = makeEmpty(
        rewriter, loc, cast<RankedTensorType>(type.clone(sum)), padded.sizes);
    sums = linalg::FillOp::create(rewriter, loc, none, sums).getResult(0);
    Value window = tensor::EmptyOp::create(rewriter, loc, op.getKernel(), sum);
    sums = linalg::PoolingNhwcSumOp::create(
               rewriter, loc, sums.getType(), ValueRange{padded.image, window},
               sums, rewriter.getI64VectorAttr(op.getStride()),
               rewriter.getI64VectorAttr({1, 1}))
               .getResult(0);
    Value init = makeEmpty(rewriter, loc, type, padded.sizes);
    Value result = computeElements(
        rewriter, loc, init, sums, rewriter.getMultiDimIdentityMap(4),
        [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
          Value count = arith::IndexCastOp::create(
              b, b.getI32Type(),
              arith::MulIOp::create(b, getCount(b, windows[0], 1, sizes[1]),
                                    getCount(b, windows[1], 2, sizes[2])));
          if (isa<FloatType>(sum))
            return convertScalarToDtype(
                b, loc,
                arith::DivFOp::create(b, arguments[0],
                                      arith::SIToFPOp::create(b, sum, count)),
                type.getElementType(), /*isUnsignedCast=*/false);
          return divide(b, arguments[0], count, *inputZero, *outputZero,
                        cast<IntegerType>(type.getElementType()));
        });
    replaceWithCasts(rewriter, op, result);
    return success();
  }

private:
  struct Window {
    int64_t extent, stride, pad;
  };

  /// How many pixels of `size` are in the window of this iteration of loop
  /// `loop`.
  static Value getCount(ImplicitLocOpBuilder &b, const Window &window,
                        int64_t loop, OpFoldResult size) {
    Value begin = arith::SubIOp::create(
        b,
        arith::MulIOp::create(b, linalg::IndexOp::create(b, loop),
                              getIndex(b, window.stride)),
        getIndex(b, window.pad));
    Value end = arith::AddIOp::create(b, begin, getIndex(b, window.extent));
    end = arith::MinSIOp::create(
        b, end, getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
    begin = arith::MaxSIOp::create(b, begin, getIndex(b, 0));
    return arith::SubIOp::create(b, end, begin);
  }

  /// The mean of `count` values whose sum is `sum`: reciprocal_scale and
  /// apply_scale_32 of the specification.
  static Value divide(ImplicitLocOpBuilder &b, Value sum, Value count,
                      int64_t inputZero, int64_t outputZero, IntegerType type) {
    auto constant = [&](Type type, int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
    };
    Type i8 = b.getI8Type(), i32 = b.getI32Type(), i64 = b.getI64Type();
    sum = arith::SubIOp::create(
        b, sum, arith::MulIOp::create(b, count, constant(i32, inputZero)));
    // Of 1 there are 32 leading zeros less than one.
    Value less = arith::SubIOp::create(b, count, constant(i32, 1));
    Value bits = arith::SubIOp::create(
        b, constant(i32, 32), math::CountLeadingZerosOp::create(b, less));
    Value wide = arith::ShLIOp::create(b, constant(i64, (1ll << 30) + 1),
                                       arith::ExtUIOp::create(b, i64, bits));
    Value multiplier = arith::TruncIOp::create(
        b, i32,
        arith::DivUIOp::create(b, wide, arith::ExtUIOp::create(b, i64, count)));
    Value shift = arith::TruncIOp::create(
        b, i8, arith::AddIOp::create(b, bits, constant(i32, 30)));
    Value mean = tosa::ApplyScaleOp::create(b, i32, sum, multiplier, shift,
                                            tosa::RoundingMode::SINGLE_ROUND);
    mean = arith::AddIOp::create(b, mean, constant(i32, outputZero));
    unsigned width = type.getWidth();
    mean = arith::MaxSIOp::create(
        b, mean, constant(i32, APInt::getSignedMinValue(width).getSExtValue()));
    mean = arith::MinSIOp::create(
        b, mean, constant(i32, APInt::getSignedMaxValue(width).getSExtValue()));
    return arith::TruncIOp::create(b, type, mean);
  }
};
} // namespace

void mlir::amp::populateLowerTosaImagesPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAveragePool, LowerMaxPool, LowerResize>(
      patterns.getContext());
}
