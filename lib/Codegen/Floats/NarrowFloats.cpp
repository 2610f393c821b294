//===- NarrowFloats.cpp - conversions of narrow floats --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

/// An 8-bit format: sign, exponent, `mantissa` bits.
struct Format {
  int mantissa;
  /// Value of a normal number with exponent field 1 is 2^minExponent * 1.f.
  int minExponent;
  /// Largest finite code without its sign.
  unsigned maxCode;
  bool hasInfinity;
  /// The one zero is positive, and its negative is NaN.
  bool unsignedZero;

  int bias() const { return 1 - minExponent; }
};

/// Builds ops on values of `shape`'s shape: a scalar type or a vector type.
class Math {
public:
  Math(ImplicitLocOpBuilder &b, Type shape) : b(b), shape(shape) {}

  Type type(Type element) const {
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }
  Value integer(unsigned bits, uint64_t value) {
    return constant(b.getIntegerAttr(b.getIntegerType(bits),
                                     APInt(bits, value, false, true)));
  }
  Value real(float value) { return constant(b.getF32FloatAttr(value)); }
  Value bitsOf(Value v, unsigned bits) {
    return arith::BitcastOp::create(b, type(b.getIntegerType(bits)), v);
  }
  Value floatOf(Value v) {
    return arith::BitcastOp::create(b, type(b.getF32Type()), v);
  }
  Value less(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  }
  Value greater(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, x, y);
  }
  Value equal(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, c, x, y);
  }

private:
  Value constant(TypedAttr attr) {
    if (auto vector = dyn_cast<VectorType>(shape))
      attr = DenseElementsAttr::get(vector.clone(attr.getType()), attr);
    return arith::ConstantOp::create(b, attr);
  }
  ImplicitLocOpBuilder &b;
  Type shape;
};

} // namespace

/// f8E8M0FNU is 2^(code - 127), and NaN at 255: neither sign nor zero.
static bool isScale(Type type) {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(type));
}

static std::optional<Format> formatOf(Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!floatType || floatType.getWidth() != 8 || isScale(floatType))
    return std::nullopt;
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  Format f;
  f.mantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
  f.minExponent = llvm::APFloat::semanticsMinExponent(semantics);
  APInt largest = llvm::APFloat::getLargest(semantics).bitcastToAPInt();
  f.maxCode = static_cast<unsigned>(largest.getZExtValue());
  f.hasInfinity = llvm::APFloat::semanticsHasInf(semantics);
  f.unsignedZero =
      llvm::APFloat::getNaN(semantics).bitcastToAPInt().getZExtValue() == 0x80;
  return f;
}

/// The 8-bit formats that hardware has.
static bool isHardwareF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

/// Vectors and scalars only: tensors belong to earlier passes.
static bool isComputable(Type type) {
  return isa<FloatType>(type) ||
         (isa<VectorType>(type) && !cast<VectorType>(type).isScalable());
}

/// The f32 value of an 8-bit code: exact.
static Value expandF8(ImplicitLocOpBuilder &b, Value value, const Format &f) {
  Math m(b, value.getType());
  Type i32 = m.type(b.getI32Type());
  Value code = arith::ExtUIOp::create(b, i32, m.bitsOf(value, 8));
  Value magnitude = arith::AndIOp::create(b, code, m.integer(32, 0x7f));
  Value sign = arith::ShLIOp::create(
      b, arith::AndIOp::create(b, code, m.integer(32, 0x80)),
      m.integer(32, 24));
  Value shifted =
      arith::ShLIOp::create(b, magnitude, m.integer(32, 23 - f.mantissa));
  Value normal = arith::AddIOp::create(
      b, shifted, m.integer(32, uint64_t(127 - f.bias()) << 23));
  Value asFloat = arith::UIToFPOp::create(b, m.type(b.getF32Type()), magnitude);
  Value subnormal = m.bitsOf(
      arith::MulFOp::create(
          b, asFloat, m.real(std::ldexp(1.0f, f.minExponent - f.mantissa))),
      32);
  Value bits = m.select(m.less(magnitude, m.integer(32, 1u << f.mantissa)),
                        subnormal, normal);
  Value nan = m.integer(32, 0x7fc00000);
  if (f.unsignedZero) {
    bits = arith::OrIOp::create(b, bits, sign);
    return m.floatOf(m.select(m.equal(code, m.integer(32, 0x80)), nan, bits));
  }
  Value special = m.less(m.integer(32, f.maxCode), magnitude);
  Value what = nan;
  if (f.hasInfinity)
    what = m.select(m.equal(magnitude, m.integer(32, f.maxCode + 1)),
                    m.integer(32, 0x7f800000), nan);
  bits = m.select(special, what, bits);
  return m.floatOf(arith::OrIOp::create(b, bits, sign));
}

/// Whether each code of `f` is one of f16 when its exponent and mantissa are
/// moved to where f16 has them: f16 has as many exponents and keeps the last
/// one for infinity and NaN.
static bool fitsHalf(const Format &f) {
  constexpr unsigned kLastExponent = 31;
  return f.maxCode >> f.mantissa < kLastExponent;
}

/// The f32 value of an 8-bit code, exact: the f16 value of the same bits times
/// what the biases differ by.
static Value expandF8ThroughHalf(ImplicitLocOpBuilder &b, Value value,
                                 const Format &f) {
  constexpr int kHalfMantissa = 10, kHalfBias = 15;
  Math m(b, value.getType());
  int shift = kHalfMantissa - f.mantissa;
  uint64_t magnitudeMask = uint64_t(0x7f) << shift;
  Value code = arith::ExtSIOp::create(b, m.type(b.getIntegerType(16)),
                                      m.bitsOf(value, 8));
  // The sign fills what is above the code: one bit of it stays.
  Value bits = arith::AndIOp::create(
      b, arith::ShLIOp::create(b, code, m.integer(16, shift)),
      m.integer(16, 0x8000 | magnitudeMask));
  if (f.unsignedZero) {
    bits = m.select(m.equal(bits, m.integer(16, 0x8000)), m.integer(16, 0x7e00),
                    bits);
  } else if (f.bias() != kHalfBias) {
    // With all ones for an exponent: infinity where the mantissa is zero.
    Value magnitude =
        arith::AndIOp::create(b, bits, m.integer(16, magnitudeMask));
    Value special = m.greater(magnitude, m.integer(16, f.maxCode << shift));
    Value ones = m.select(special, m.integer(16, 0x7c00), m.integer(16, 0));
    bits = arith::OrIOp::create(b, bits, ones);
  }
  Value half = arith::BitcastOp::create(b, m.type(b.getF16Type()), bits);
  Value wide = arith::ExtFOp::create(b, m.type(b.getF32Type()), half);
  if (f.bias() == kHalfBias)
    return wide;
  return arith::MulFOp::create(b, wide,
                               m.real(std::ldexp(1.0f, kHalfBias - f.bias())));
}

/// The 8-bit value nearest to an f32 value, ties to even.
///
/// A sum with 2^(e + 23 - mantissa), e the number's exponent or that of the
/// smallest normal number, is rounded where the 8-bit format ends: its low bits
/// are the code less the exponent, the implicit bit of a normal number being
/// the first exponent.
static Value roundToF8(ImplicitLocOpBuilder &b, Value value, Type result,
                       const Format &f) {
  Math m(b, value.getType());
  int shift = 23 - f.mantissa;
  uint64_t minExponent = uint64_t(127 + f.minExponent) << 23;
  Value bits = m.bitsOf(value, 32);
  Value magnitude = arith::AndIOp::create(b, bits, m.integer(32, 0x7fffffff));
  // What is beyond becomes what the next code would be if it were a number:
  // that code is infinity, or NaN in formats without.
  uint64_t next =
      (uint64_t(f.maxCode + 1) << shift) + (uint64_t(127 - f.bias()) << 23);
  magnitude = arith::MinSIOp::create(b, magnitude, m.integer(32, next));
  Value exponent =
      arith::AndIOp::create(b, magnitude, m.integer(32, 0x7f800000));
  exponent = arith::SubIOp::create(b, exponent, m.integer(32, minExponent));
  exponent = arith::MaxSIOp::create(b, exponent, m.integer(32, 0));
  Value magic = arith::AddIOp::create(
      b, exponent, m.integer(32, minExponent + (uint64_t(shift) << 23)));
  Value sum = arith::AddFOp::create(b, m.floatOf(magnitude), m.floatOf(magic));
  Value code = arith::AddIOp::create(
      b, arith::SubIOp::create(b, m.bitsOf(sum, 32), magic),
      arith::ShRUIOp::create(b, exponent, m.integer(32, shift)));
  if (f.hasInfinity) {
    Value isNaN =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
    Value quiet = m.select(isNaN, m.integer(32, 1u << (f.mantissa - 1)),
                           m.integer(32, 0));
    code = arith::OrIOp::create(b, code, quiet);
  }
  Value sign = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, m.integer(32, 24)),
      m.integer(32, 0x80));
  if (f.unsignedZero)
    sign = m.select(m.equal(code, m.integer(32, 0)), m.integer(32, 0), sign);
  code = arith::OrIOp::create(b, code, sign);
  Value narrow = arith::TruncIOp::create(b, m.type(b.getI8Type()), code);
  return arith::BitcastOp::create(b, result, narrow);
}

/// The f32 value of an f8E8M0FNU code: exact, 2^-127 being subnormal.
static Value expandScale(ImplicitLocOpBuilder &b, Value value) {
  Math m(b, value.getType());
  Value code =
      arith::ExtUIOp::create(b, m.type(b.getI32Type()), m.bitsOf(value, 8));
  Value bits = arith::ShLIOp::create(b, code, m.integer(32, 23));
  bits = m.select(m.equal(code, m.integer(32, 0)), m.integer(32, 0x00400000),
                  bits);
  return m.floatOf(m.select(m.equal(code, m.integer(32, 0xff)),
                            m.integer(32, 0x7fc00000), bits));
}

/// The power of two nearest to an f32 value, ties to the larger one: the
/// significand of a power of two is odd. What is below 2^-127, zeros included,
/// becomes 2^-127; negative numbers, infinities and what is beyond become NaN.
static Value roundToScale(ImplicitLocOpBuilder &b, Value value, Type result) {
  Math m(b, value.getType());
  Value bits = m.bitsOf(value, 32);
  // Half of a step: the numbers below 2^-126 are twice as dense.
  Value half = m.select(m.less(bits, m.integer(32, 0x00800000)),
                        m.integer(32, 0x00200000), m.integer(32, 0x00400000));
  Value code = arith::ShRUIOp::create(b, arith::AddIOp::create(b, bits, half),
                                      m.integer(32, 23));
  Value isNaN = m.less(m.integer(32, 0x7f800000), bits);
  code = m.select(isNaN, m.integer(32, 0xff), code);
  code = m.select(m.equal(bits, m.integer(32, 0x80000000)), m.integer(32, 0),
                  code);
  Value narrow = arith::TruncIOp::create(b, m.type(b.getI8Type()), code);
  return arith::BitcastOp::create(b, result, narrow);
}

// The instruction of x86 takes subnormal values for zero, and upstream's
// expansion drops the sign of NaN.
Value mlir::amp::roundToUpperHalf(ImplicitLocOpBuilder &b, arith::TruncFOp op,
                                  Value value) {
  Math m(b, value.getType());
  Value bits = m.bitsOf(value, 32);
  // Half an ulp, less one where the last kept bit is even; a carry out of the
  // mantissa moves to the next exponent, and at last to infinity.
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, m.integer(32, 16)), m.integer(32, 1));
  Value rounded = arith::AddIOp::create(b, arith::AddIOp::create(b, bits, odd),
                                        m.integer(32, 0x7fff));
  // The lower half of such NaN is zero: nothing is carried out of it.
  if (op->hasAttr(kHasBF16NaNsAttrName))
    return rounded;
  Value quiet = arith::OrIOp::create(b, bits, m.integer(32, 0x400000));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  return m.select(isNaN, quiet, rounded);
}

/// The bf16 value nearest to an f32 value that `op` rounds.
static Value roundToBF16(ImplicitLocOpBuilder &b, arith::TruncFOp op,
                         Value value, Type result) {
  Math m(b, value.getType());
  Value upper = arith::ShRUIOp::create(b, roundToUpperHalf(b, op, value),
                                       m.integer(32, 16));
  Value code = arith::TruncIOp::create(b, m.type(b.getIntegerType(16)), upper);
  return arith::BitcastOp::create(b, result, code);
}

/// f64 to f32, rounding to odd: a second rounding of the result to at most 22
/// bits of precision then equals a direct one (Boldo and Melquiond, "Emulation
/// of FMA and correctly rounded sums", IEEE Trans. Comput. 57(4), 2008).
static Value roundToOdd(ImplicitLocOpBuilder &b, Value value) {
  Math m(b, value.getType());
  Type f32 = m.type(b.getF32Type());
  Value near = arith::TruncFOp::create(b, f32, value);
  Value back = arith::ExtFOp::create(b, value.getType(), near);
  auto magnitude = [&](Value v) -> Value {
    Value mask = m.integer(64, 0x7fffffffffffffffull);
    return arith::AndIOp::create(b, m.bitsOf(v, 64), mask);
  };
  Value bits = m.bitsOf(near, 32);
  Value up = m.less(magnitude(value), magnitude(back));
  Value towardZero =
      m.select(up, arith::SubIOp::create(b, bits, m.integer(32, 1)), bits);
  Value odd = arith::OrIOp::create(b, towardZero, m.integer(32, 1));
  // Unordered counts as exact: a NaN stays what the conversion made of it.
  Value inexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, value);
  return m.floatOf(m.select(inexact, odd, bits));
}

namespace {

struct ExpandExtF : public OpRewritePattern<arith::ExtFOp> {
  ExpandExtF(MLIRContext *context, NarrowFloatTarget target)
      : OpRewritePattern(context, /*benefit=*/2), target(target) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    if (!isComputable(from))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type f32 = Math(b, from).type(b.getF32Type());
    bool toF32 = getElementTypeOrSelf(to).isF32();
    std::optional<Format> format = formatOf(from);
    if (!format && !isScale(from)) {
      if (!getElementTypeOrSelf(from).isBF16() || toF32 || target.roundsToBF16)
        return failure();
      Value wide = arith::ExtFOp::create(b, f32, op.getIn());
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, to, wide);
      return success();
    }
    if (target.convertsF8 && isHardwareF8(from))
      return failure();
    Value wide;
    if (!format)
      wide = expandScale(b, op.getIn());
    else if (target.widensF16 && fitsHalf(*format))
      wide = expandF8ThroughHalf(b, op.getIn(), *format);
    else
      wide = expandF8(b, op.getIn(), *format);
    if (!toF32) {
      if (getElementTypeOrSelf(to).isF64())
        wide = arith::ExtFOp::create(b, to, wide);
      else
        wide = arith::TruncFOp::create(b, to, wide);
    }
    rewriter.replaceOp(op, wide);
    return success();
  }

private:
  NarrowFloatTarget target;
};

struct ExpandTruncF : public OpRewritePattern<arith::TruncFOp> {
  ExpandTruncF(MLIRContext *context, NarrowFloatTarget target)
      : OpRewritePattern(context, /*benefit=*/2), target(target) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    if (!isComputable(from))
      return failure();
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return failure();
    std::optional<Format> format = formatOf(to);
    Type fromElement = getElementTypeOrSelf(from),
         toElement = getElementTypeOrSelf(to);
    bool split = fromElement.isF64() && !toElement.isF32();
    bool hasInstruction = (target.convertsF8 && isHardwareF8(to)) ||
                          (target.roundsToBF16 && toElement.isBF16());
    // From f16 and bf16 it goes by way of f32; spelt out, that would fold back.
    if (hasInstruction && !fromElement.isF64())
      return failure();
    if (!format && !split && !toElement.isBF16() && !isScale(to))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value value = op.getIn();
    if (fromElement.isF64())
      value = roundToOdd(b, value);
    else if (!fromElement.isF32())
      value =
          arith::ExtFOp::create(b, Math(b, from).type(b.getF32Type()), value);
    if (hasInstruction)
      value = arith::TruncFOp::create(b, to, value);
    else if (format)
      value = roundToF8(b, value, to, *format);
    else if (isScale(to))
      value = roundToScale(b, value, to);
    else if (toElement.isBF16())
      value = roundToBF16(b, op, value, to);
    else
      value = arith::TruncFOp::create(b, to, value);
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  NarrowFloatTarget target;
};

} // namespace

void mlir::amp::populateNarrowFloatPatterns(RewritePatternSet &patterns,
                                            NarrowFloatTarget target) {
  patterns.add<ExpandExtF, ExpandTruncF>(patterns.getContext(), target);
}
