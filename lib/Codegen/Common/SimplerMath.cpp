//===- SimplerMath.cpp - math ops that are a few others -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

/// `value` of type `type`, or of each element of a vector.
static Value makeFloat(ImplicitLocOpBuilder &b, Type type,
                       const APFloat &value) {
  Attribute scalar = b.getFloatAttr(getElementTypeOrSelf(type), value);
  auto vector = dyn_cast<VectorType>(type);
  return arith::ConstantOp::create(
      b, vector ? DenseElementsAttr::get(vector, scalar)
                : cast<TypedAttr>(scalar));
}

static Value makeInteger(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  auto vector = dyn_cast<VectorType>(type);
  Attribute scalar = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  return arith::ConstantOp::create(
      b, vector ? DenseElementsAttr::get(vector, scalar)
                : cast<TypedAttr>(scalar));
}

namespace {
/// What a float is: one or two comparisons, which no NaN passes but that for
/// NaN.
template <typename Op>
struct ComparePredicate : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Type type = x.getType();
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!element || isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "it is of tensors");
    using arith::CmpFPredicate;
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto compare = [&](CmpFPredicate predicate, Value a, Value c) -> Value {
      return arith::CmpFOp::create(b, predicate, a, c);
    };
    bool hasInfinity = APFloat::semanticsHasInf(semantics);
    auto makeInfinity = [&] {
      return makeFloat(b, type, APFloat::getInf(semantics));
    };
    auto magnitude = [&]() -> Value { return math::AbsFOp::create(b, x); };
    Value result;
    if constexpr (std::is_same_v<Op, math::IsNaNOp>) {
      result = compare(CmpFPredicate::UNO, x, x);
    } else if constexpr (std::is_same_v<Op, math::IsInfOp>) {
      result = hasInfinity
                   ? compare(CmpFPredicate::OEQ, magnitude(), makeInfinity())
                   : makeInteger(b, op.getType(), 0);
    } else {
      bool isNormal = std::is_same_v<Op, math::IsNormalOp>;
      Value size = isNormal || hasInfinity ? magnitude() : Value();
      if (isNormal)
        result = compare(
            CmpFPredicate::OGE, size,
            makeFloat(b, type, APFloat::getSmallestNormalized(semantics)));
      if (hasInfinity) {
        Value finite = compare(CmpFPredicate::OLT, size, makeInfinity());
        result = result ? arith::AndIOp::create(b, result, finite) : finite;
      } else if (!result) {
        result = compare(CmpFPredicate::ORD, x, x);
      }
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A power of integers: products of squares, by the bits of the exponent. Of
/// negative exponents 1 and -1 have powers alone; those of others are 0.
struct MultiplyPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    if (!element || isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "it is of tensors, or of index");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value base = op.getLhs(), exponent = op.getRhs();
    Value zero = makeInteger(b, type, 0), one = makeInteger(b, type, 1);
    auto isEqual = [&](Value a, Value c) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, a, c);
    };
    Value result = one, square = base;
    // The last bit is the sign.
    for (int64_t bit = 0, last = int64_t(element.getWidth()) - 2; bit <= last;
         ++bit) {
      Value mask = makeInteger(b, type, int64_t(1) << bit);
      Value isClear = isEqual(arith::AndIOp::create(b, exponent, mask), zero);
      Value product = arith::MulIOp::create(b, result, square);
      result = arith::SelectOp::create(b, isClear, result, product);
      if (bit < last)
        square = arith::MulIOp::create(b, square, square);
    }
    Value minusOne = makeInteger(b, type, -1);
    Value isEven = isEqual(arith::AndIOp::create(b, exponent, one), zero);
    Value sign = arith::SelectOp::create(b, isEven, one, minusOne);
    Value inverse =
        arith::SelectOp::create(b, isEqual(base, minusOne), sign, zero);
    inverse = arith::SelectOp::create(b, isEqual(base, one), one, inverse);
    Value isNegative =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, exponent, zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, inverse,
                                                 result);
    return success();
  }
};

/// A power of a float by an integer: that of floats, to whose sign the parity
/// of the exponent belongs, which a float of it may not have.
struct FloatPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), integer = op.getRhs().getType();
    if (isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "it is of tensors");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getLhs(), exponent = op.getRhs();
    arith::FastMathFlags flags = op.getFastmath();
    // In f32 at least: narrower ones hold few integers.
    Type wide = type;
    if (auto element = cast<FloatType>(getElementTypeOrSelf(type));
        element.getWidth() < 32) {
      auto vector = dyn_cast<VectorType>(type);
      wide = vector ? Type(vector.clone(b.getF32Type())) : b.getF32Type();
      x = arith::ExtFOp::create(b, wide, x);
    }
    Value power =
        math::PowFOp::create(b, math::AbsFOp::create(b, x),
                             arith::SIToFPOp::create(b, wide, exponent), flags);
    Value zero = makeInteger(b, integer, 0), one = makeInteger(b, integer, 1);
    Value isEven =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                              arith::AndIOp::create(b, exponent, one), zero);
    Value odd = math::CopySignOp::create(b, power, x);
    Value result = arith::SelectOp::create(b, isEven, power, odd);
    if (wide != type)
      result = arith::TruncFOp::create(b, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ClampByExtrema : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<TensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "it is of tensors");
    Value result = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, result, op.getMax(),
                                                   op.getFastmath());
    return success();
  }
};

struct SplitSinCos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (isa<TensorType>(x.getType()))
      return rewriter.notifyMatchFailure(op, "it is of tensors");
    Value sine =
        math::SinOp::create(rewriter, op.getLoc(), x, op.getFastmath());
    Value cosine =
        math::CosOp::create(rewriter, op.getLoc(), x, op.getFastmath());
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};
} // namespace

void mlir::amp::populateSimplerMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ClampByExtrema, ComparePredicate<math::IsFiniteOp>,
               ComparePredicate<math::IsInfOp>, ComparePredicate<math::IsNaNOp>,
               ComparePredicate<math::IsNormalOp>, FloatPower, MultiplyPower,
               SplitSinCos>(patterns.getContext());
}
