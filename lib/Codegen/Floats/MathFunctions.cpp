//===- MathFunctions.cpp - f32 functions without a library ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polynomials are minimax fits of relative error (Lawson's iteration), with
// coefficients rounded to f32 one after the other, lowest degree first. Range
// reduction is Cody and Waite's ("Software Manual for the Elementary
// Functions", 1980), for large arguments of sin and cos Payne and Hanek's
// ("Radian reduction for trigonometric functions", SIGNUM Newsletter 18(1),
// 1983).
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/MathFunctions.h"

#include "amp/Codegen/Floats/FloatEmitter.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp::floats;

static constexpr float kLog2E = 0x1.715476p+0f, kLog2ELow = 0x1.4ae0cp-26f;
static constexpr float kLn2 = 0x1.62e43p-1f;
static constexpr float kInfinity = std::numeric_limits<float>::infinity();

Value mlir::amp::floats::emitExp(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  // Below and above, all is zero and infinity.
  x = e.clamp(x, -105.0f, 90.0f);
  auto [n, integer] = e.nearest(x, kLog2E);
  // x * log2(e) - n in two terms, then twice half of 2^n, which may be
  // subnormal or beyond f32 as a whole.
  Value rest = e.fma(x, e.real(kLog2E), e.sub(e.real(0.0f), n));
  rest = e.fma(x, e.real(kLog2ELow), rest);
  Value half = e.shiftRight(integer, 1);
  Value scaled = e.mul(e.exp2(rest), e.powerOfTwo(half));
  return e.mul(scaled, e.powerOfTwo(e.subI(integer, half)));
}

Value mlir::amp::floats::emitExpForNarrow(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  return e.exp2(e.mul(x, e.real(kLog2E)));
}

Value mlir::amp::floats::emitExp2(ImplicitLocOpBuilder &b, Value x) {
  return FloatEmitter(b, x.getType()).exp2(x);
}

Value mlir::amp::floats::emitExpM1(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value input = x;
  x = e.clamp(x, -30.0f, 89.0f);
  auto [n, integer] = e.nearest(x, kLog2E);
  // ln 2 in two terms, the first of 15 bits, so that the product is exact.
  Value f = e.fma(n, e.real(-0x1.62e4p-1f), x);
  f = e.fma(n, e.real(-0x1.7f7d1cp-20f), f);
  Value p =
      e.polynomial(f, {1.955484040e-04f, 1.393403974e-03f, 8.333912119e-03f,
                       4.166647419e-02f, 1.666666418e-01f, 5.000000000e-01f});
  p = e.fma(e.mul(f, f), p, f);
  // Half of 2^n (1 + p) - 1: the whole may be beyond f32 by a factor of two.
  Value scale = e.powerOfTwo(e.subI(integer, e.integer(1)));
  Value result = e.fma(scale, p, e.sub(scale, e.real(0.5f)));
  result = e.add(result, result);
  // Zero keeps its sign.
  return e.select(e.equal(input, e.real(0.0f)), input, result);
}

namespace {
/// A value as 2^exponent * (1 + rest): log(1 + rest) is `log`.
struct Logarithm {
  Value exponent, log;
};
} // namespace

static Logarithm splitLogarithm(const FloatEmitter &e, Value x) {
  // Subnormal numbers become normal ones.
  Value isSmall = e.less(x, e.real(0x1p-126f));
  Value scaled = e.select(isSmall, e.mul(x, e.real(0x1p23f)), x);
  Value bias = e.select(isSmall, e.real(-23.0f), e.real(0.0f));
  // The mantissa goes to [2/3, 4/3), so that values near 1 have exponent 0.
  Value bits = e.bitsOf(scaled);
  Value field =
      e.andI(e.subI(bits, e.integer(0x3f2aaaab)), e.integer(0xff800000));
  Value f = e.sub(e.floatOf(e.subI(bits, field)), e.real(1.0f));
  Value exponent = e.fma(e.toFloat(field), e.real(0x1p-23f), bias);
  Value p =
      e.polynomial(f, {-1.283621788e-01f, 1.400258690e-01f, -1.219770536e-01f,
                       1.400165409e-01f, -1.667945087e-01f, 2.001071274e-01f,
                       -2.499982268e-01f, 3.333320916e-01f, -5.000000000e-01f});
  return {exponent, e.fma(e.mul(f, f), p, f)};
}

/// The logarithm of x, of which `finite` is the value for positive x.
static Value specialLogarithms(const FloatEmitter &e, Value x, Value finite) {
  Value isPositive = e.less(e.real(0.0f), x);
  Value isBelow = e.less(x, e.real(kInfinity));
  // NaN of NaN, infinity of infinity.
  Value result = e.select(isBelow, finite, e.add(x, x));
  Value atZero = e.select(e.equal(x, e.real(0.0f)), e.real(-kInfinity),
                          e.real(std::numeric_limits<float>::quiet_NaN()));
  return e.select(isPositive, result, atZero);
}

Value mlir::amp::floats::emitLog(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  auto [exponent, log] = splitLogarithm(e, x);
  return specialLogarithms(e, x, e.fma(exponent, e.real(kLn2), log));
}

Value mlir::amp::floats::emitLog2(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  auto [exponent, log] = splitLogarithm(e, x);
  Value low = e.mul(log, e.real(kLog2ELow));
  Value part = e.fma(log, e.real(kLog2E), low);
  return specialLogarithms(e, x, e.add(exponent, part));
}

Value mlir::amp::floats::emitLog10(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  auto [exponent, log] = splitLogarithm(e, x);
  Value part = e.mul(log, e.real(0.434294482f));
  return specialLogarithms(e, x, e.fma(exponent, e.real(0.301029996f), part));
}

Value mlir::amp::floats::emitLog1p(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value one = e.real(1.0f);
  Value sum = e.add(one, x);
  // log(1 + x) = log(sum) + (x - (sum - 1)) / sum to first order.
  Value lost = e.sub(x, e.sub(sum, one));
  auto [exponent, log] = splitLogarithm(e, sum);
  Value correction = e.mul(lost, e.reciprocal(sum));
  log = e.add(log, correction);
  Value result = specialLogarithms(e, sum, e.fma(exponent, e.real(kLn2), log));
  // Zero keeps its sign, and subnormal numbers all their bits.
  Value isTiny = e.less(e.abs(x), e.real(0x1p-25f));
  return e.select(isTiny, x, result);
}

Value mlir::amp::floats::emitTanh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x);
  // 1 - 2 / (exp(2 |x|) + 1)
  Value exponential = e.exp2(e.mul(magnitude, e.real(2 * kLog2E)));
  Value fraction = e.reciprocal(e.add(exponential, e.real(1.0f)));
  Value large = e.fma(fraction, e.real(-2.0f), e.real(1.0f));
  Value square = e.mul(x, x);
  Value p = e.polynomial(square, {2.215332584e-03f, -8.249388076e-03f,
                                  2.172689699e-02f, -5.395097658e-02f,
                                  1.333323419e-01f, -3.333333135e-01f});
  Value small = e.fma(e.mul(p, square), magnitude, magnitude);
  Value isSmall = e.less(magnitude, e.real(0.6f));
  return e.copySign(e.select(isSmall, small, large), x);
}

Value mlir::amp::floats::emitTanhForNarrow(ImplicitLocOpBuilder &b, Value x) {
  return math::TanhOp::create(b, x, arith::FastMathFlags::afn);
}

Value mlir::amp::floats::emitErf(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x);
  Value square = e.mul(x, x);
  Value p = e.polynomial(square, {-8.666783287e-06f, 1.088857389e-04f,
                                  -8.427079301e-04f, 5.216643214e-03f,
                                  -2.686361969e-02f, 1.128374413e-01f,
                                  -3.761263490e-01f, 1.283791661e-01f});
  Value small = e.fma(p, x, x);
  // 1 - 2^q with q = log2(erfc |x|); from 4 on the result is 1.
  Value t = e.clamp(magnitude, 0.0f, 4.0f);
  Value q =
      e.polynomial(t, {3.077377642e-07f, -3.573052527e-05f, 6.642303779e-04f,
                       -6.161395460e-03f, 3.657099605e-02f, -1.566863805e-01f,
                       -9.133207202e-01f, -1.629739523e+00f, 2.915188088e-04f});
  Value large = e.copySign(e.sub(e.real(1.0f), e.exp2(q)), x);
  return e.select(e.less(magnitude, e.real(1.0f)), small, large);
}

Value mlir::amp::floats::emitErfc(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  // (1 + 2a) exp(a^2) erfc(a) is smooth in (a - 2) / (a + 2).
  Value a = e.clamp(e.abs(x), 0.0f, 10.1f);
  Value two = e.real(2.0f);
  Value q = e.div(e.sub(a, two), e.add(a, two));
  Value p =
      e.polynomial(q, {8.673279808e-05f, 1.803336781e-04f, -4.098104837e-04f,
                       -1.438190462e-03f, 1.256239018e-03f, 8.719313890e-03f,
                       -8.031273261e-03f, -5.422050878e-02f, 1.640510261e-01f,
                       -1.660302281e-01f, -9.276381880e-02f, 1.276978374e+00f});
  p = e.div(p, e.fma(a, two, e.real(1.0f)));
  // exp(-a^2) with the rounding error of the square in the second factor.
  Value square = e.mul(a, a);
  Value minusA = e.sub(e.real(0.0f), a);
  Value lost = e.fma(minusA, a, square);
  p = e.fma(p, lost, p);
  Value result = e.mul(p, emitExp(b, e.sub(e.real(0.0f), square)));
  return e.select(e.less(x, e.real(0.0f)), e.sub(two, result), result);
}

Value mlir::amp::floats::emitCbrt(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  // Subnormal numbers become normal ones: 2^24 is the cube of 2^8.
  Value magnitude = e.abs(x);
  Value isSmall = e.less(magnitude, e.real(0x1p-126f));
  Value scaled =
      e.select(isSmall, e.mul(magnitude, e.real(0x1p24f)), magnitude);
  Value root = e.exp2(e.mul(emitLog2(b, scaled), e.real(1.0f / 3.0f)));
  // One step of Newton's method: (root^3 - scaled) / (3 root^2) less.
  Value square = e.mul(root, root);
  Value error = e.div(e.fma(square, root, e.sub(e.real(0.0f), scaled)), square);
  root = e.fma(error, e.real(-1.0f / 3.0f), root);
  root = e.mul(root, e.select(isSmall, e.real(0x1p-8f), e.real(1.0f)));
  // Zero, infinity and NaN are their own roots.
  Value isPlain = e.less(e.real(0.0f), magnitude);
  root = e.select(isPlain, root, x);
  Value isBelow = e.less(magnitude, e.real(kInfinity));
  return e.copySign(e.select(isBelow, root, e.add(x, x)), x);
}

Value mlir::amp::floats::emitRsqrt(ImplicitLocOpBuilder &b, Value x) {
  return math::RsqrtOp::create(b, x, arith::FastMathFlags::afn);
}
