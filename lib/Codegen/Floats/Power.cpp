//===- Power.cpp - powers of f32 ------------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y is 2^(y log2 x), whose exponent needs 8 bits before the point and 25
// after it: all is computed in f64, where subnormal numbers of f32 are normal
// and the conversion at the end rounds once, also to subnormal numbers and
// infinity. Integers of 64 bits are moved in and out of mantissas by additions,
// as AVX2 converts none.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::amp::floats;

namespace {
/// Arithmetic on f64 and i64, beside `e`'s on f32.
struct Wide {
  ImplicitLocOpBuilder &b;
  const FloatEmitter &e;

  Value real(double value) const {
    return e.constant(b.getF64FloatAttr(value));
  }
  Value integer(uint64_t value) const {
    return e.constant(b.getI64IntegerAttr(static_cast<int64_t>(value)));
  }
  Value widen(Value x) const {
    return arith::ExtFOp::create(b, e.type(b.getF64Type()), x);
  }
  Value bitsOf(Value x) const {
    return arith::BitcastOp::create(b, e.type(b.getI64Type()), x);
  }
  Value floatOf(Value x) const {
    return arith::BitcastOp::create(b, e.type(b.getF64Type()), x);
  }
  /// `coefficients` from the highest degree down.
  Value polynomial(Value x, ArrayRef<double> coefficients) const {
    Value sum = real(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = e.fma(sum, x, real(coefficient));
    return sum;
  }
};
} // namespace

/// log2 of a normal number, with a relative error below 2^-40; any finite value
/// for others.
static Value emitLog2(const Wide &w, Value x) {
  const FloatEmitter &e = w.e;
  // The mantissa goes to [sqrt(1/2), sqrt(2)), so that values near 1 have
  // exponent 0.
  Value bits = w.bitsOf(x);
  Value above = e.subI(bits, w.integer(0x3fe6a09e667f3bcd));
  Value field = e.andI(above, w.integer(0xfff0000000000000));
  Value mantissa = w.floatOf(e.subI(bits, field));
  // The exponent plus 1024, in the low bits of 2^52.
  Value biased = arith::ShRUIOp::create(
      w.b, e.addI(field, w.integer(uint64_t(1024) << 52)), w.integer(52));
  Value exponent = e.sub(w.floatOf(arith::OrIOp::create(
                             w.b, biased, w.integer(0x4330000000000000))),
                         w.real(0x1p52 + 1024));
  // log m = 2 artanh((m - 1) / (m + 1)), its series up to the 17th power.
  Value f = e.div(e.sub(mantissa, w.real(1)), e.add(mantissa, w.real(1)));
  Value p =
      w.polynomial(e.mul(f, f), {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0});
  return e.fma(e.mul(f, p), w.real(0x1.71547652b82fep+1), exponent);
}

/// 2^x for x from -1000 to 1000, with a relative error below 2^-41.
static Value emitExp2(const Wide &w, Value x) {
  const FloatEmitter &e = w.e;
  Value magic = w.real(0x1.8p52 + 1023);
  Value shifted = e.add(x, magic);
  Value rest = e.sub(x, e.sub(shifted, magic));
  Value power = w.polynomial(e.mul(rest, w.real(0x1.62e42fefa39efp-1)),
                             {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                              1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                              1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0});
  Value scale =
      w.floatOf(arith::ShLIOp::create(w.b, w.bitsOf(shifted), w.integer(52)));
  return e.mul(power, scale);
}

Value mlir::amp::floats::emitPower(ImplicitLocOpBuilder &b, Value x, Value y) {
  FloatEmitter e(b, x.getType());
  Wide w{b, e};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Value base = w.widen(e.abs(x)), exponent = w.widen(y);
  // NaN of NaN, infinity of infinity.
  Value isBelow = e.less(base, w.real(kInfinity));
  Value log = e.select(isBelow, ::emitLog2(w, base), base);
  log = e.select(e.equal(base, w.real(0)), w.real(-kInfinity), log);
  Value t = e.mul(exponent, log);
  // 1 to the infinite is 1.
  Value isOne = e.equal(base, w.real(1));
  t = e.select(arith::AndIOp::create(b, isOne, e.equal(y, y)), w.real(0), t);
  // Beyond, all is zero and infinity; NaN stays NaN.
  t = e.select(e.less(t, w.real(-200)), w.real(-200), t);
  t = e.select(e.less(w.real(200), t), w.real(200), t);
  Value result =
      arith::TruncFOp::create(b, e.type(b.getF32Type()), ::emitExp2(w, t));
  // Odd powers have the sign of the base; of negative numbers there are none
  // but of integers.
  Value isInteger = e.equal(math::FloorOp::create(b, y), y);
  Value half = e.mul(y, e.real(0.5f));
  Value isEven = e.equal(math::FloorOp::create(b, half), half);
  Value isOdd =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, isInteger, isEven);
  result = e.select(isOdd, e.copySign(result, x), result);
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  Value isNegative = arith::AndIOp::create(b, e.less(x, e.real(0.0f)),
                                           e.less(e.real(-kInfinite), x));
  Value isUndefined = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                                            isNegative, isInteger);
  result = e.select(isUndefined,
                    e.real(std::numeric_limits<float>::quiet_NaN()), result);
  Value isUnit = arith::OrIOp::create(b, e.equal(x, e.real(1.0f)),
                                      e.equal(y, e.real(0.0f)));
  return e.select(isUnit, e.real(1.0f), result);
}
