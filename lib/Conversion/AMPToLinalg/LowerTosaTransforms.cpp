//===- LowerTosaTransforms.cpp - Fourier transforms of tosa ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerTosa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

/// The cosines (sines) of row * column * 2 pi / size, rounded from f64.
static Value makeAngles(OpBuilder &b, Location loc, int64_t size,
                        int64_t columns, double (*function)(double),
                        double sign) {
  SmallVector<float> values;
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column < columns; ++column)
      values.push_back(sign * function(2 * llvm::numbers::pi *
                                       (row * column % size) / size));
  auto type = RankedTensorType::get({size, columns}, b.getF32Type());
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef(values)));
}

namespace {
/// A tensor of complex numbers, of f32[batch, height, width] each; without an
/// imaginary part all are real.
struct Complex {
  Value real, imaginary;
};
} // namespace

/// Transforms `x` along its height or width. Where it transforms from one of
/// `size` it makes the first `columns` of the result.
static Complex transform(OpBuilder &b, Location loc, Complex x, bool alongWidth,
                         int64_t size, int64_t columns, bool isInverse) {
  if (size == 1)
    return x;
  AffineExpr n, i, j, k;
  bindDims(b.getContext(), n, i, j, k);
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(4, 0, results, b.getContext());
  };
  // The matrices are symmetric, but for what is left out of their columns.
  SmallVector<AffineMap> maps =
      alongWidth
          ? SmallVector<AffineMap>{map({n, i, k}), map({k, j}), map({n, i, j})}
          : SmallVector<AffineMap>{map({k, i}), map({n, k, j}), map({n, i, j})};
  using utils::IteratorType;
  SmallVector<IteratorType> loops(4, IteratorType::parallel);
  loops.back() = IteratorType::reduction;
  auto type = cast<RankedTensorType>(x.real.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, x.real);
  sizes[alongWidth ? 2 : 1] = b.getIndexAttr(columns);
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  Value start = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  start = linalg::FillOp::create(b, loc, zero, start).getResult(0);
  auto multiply = [&](Value part, Value angles, Value sum) -> Value {
    SmallVector<Value> operands = {part, angles};
    if (!alongWidth)
      std::swap(operands[0], operands[1]);
    return linalg::GenericOp::create(
               b, loc, sum.getType(), operands, sum, maps, loops,
               [](OpBuilder &nested, Location loc, ValueRange arguments) {
                 Value product = arith::MulFOp::create(
                     nested, loc, arguments[0], arguments[1]);
                 Value sum =
                     arith::AddFOp::create(nested, loc, arguments[2], product);
                 linalg::YieldOp::create(nested, loc, sum);
               })
        .getResult(0);
  };
  auto angles = [&](double (*function)(double), double sign) {
    return makeAngles(b, loc, size, columns, function, sign);
  };
  Value cosines = angles(std::cos, 1);
  Value sines = angles(std::sin, isInverse ? -1 : 1);
  Value negative = angles(std::sin, isInverse ? 1 : -1);
  Complex result = {multiply(x.real, cosines, start),
                    multiply(x.real, negative, start)};
  if (x.imaginary) {
    result.real = multiply(x.imaginary, sines, result.real);
    result.imaginary = multiply(x.imaginary, cosines, result.imaginary);
  }
  return result;
}

namespace {
/// FFT2D and RFFT2D of TOSA 1.0: products with matrices of constants, along the
/// width first. Upstream's form computes a sine and a cosine for each pair of
/// elements of the image and the result. Images of more than kMost pixels in a
/// dimension are left to it: the matrices take memory.
template <typename Op>
struct LowerTransform : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    constexpr int64_t kMost = 1024;
    constexpr bool isReal = std::is_same_v<Op, tosa::RFFT2dOp>;
    Complex x = {op->getOperand(0), isReal ? Value() : op->getOperand(1)};
    auto type = dyn_cast<RankedTensorType>(x.real.getType());
    if (!type || !type.getElementType().isF32() ||
        llvm::any_of(type.getShape().drop_front(), [&](int64_t size) {
          return ShapedType::isDynamic(size) || size > kMost;
        }))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    int64_t height = type.getDimSize(1), width = type.getDimSize(2);
    int64_t columns = width;
    bool isInverse = false;
    if constexpr (isReal)
      columns = width / 2 + 1;
    else
      isInverse = op.getInverse();
    Location loc = op.getLoc();
    x = transform(rewriter, loc, x, /*alongWidth=*/true, width, columns,
                  isInverse);
    x = transform(rewriter, loc, x, /*alongWidth=*/false, height, height,
                  isInverse);
    if (!x.imaginary) {
      Value zero =
          arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, x.real),
          rewriter.getF32Type());
      x.imaginary =
          linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    }
    replaceWithCasts(rewriter, op, {x.real, x.imaginary});
    return success();
  }
};
} // namespace

void mlir::amp::populateLowerTosaTransformsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<LowerTransform<tosa::FFT2dOp>, LowerTransform<tosa::RFFT2dOp>>(
      patterns.getContext());
}
