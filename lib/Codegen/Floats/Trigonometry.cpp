//===- Trigonometry.cpp - sin, cos and tan of f32 -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/MathFunctions.h"

#include "amp/Codegen/Floats/FloatEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp::floats;

/// Up to here the multiple of pi / 2 has few enough bits for three products.
static constexpr float kLargest = 100000.0f;

namespace {
/// x = quadrant * pi / 2 + rest, with |rest| up to about pi / 4.
struct Angle {
  Value quadrant, rest;
};
} // namespace

static Angle reduceSmall(const FloatEmitter &e, Value x) {
  auto [n, quadrant] = e.nearest(x, 0.636619772f);
  // pi / 2 in three terms.
  Value rest = e.fma(n, e.real(-0x1.921fap+0f), x);
  rest = e.fma(n, e.real(-0x1.54442cp-20f), rest);
  rest = e.fma(n, e.real(-0x1.184698p-44f), rest);
  return {quadrant, rest};
}

/// Payne and Hanek's reduction, for finite |x| of at least 2^16: the product of
/// x with those bits of 2 / pi that matter modulo 4.
static Angle reduceLarge(ImplicitLocOpBuilder &b, Value x) {
  // A zero word, then the bits of 2 / pi after the point.
  static constexpr uint32_t words[] = {0,          0xa2f9836e, 0x4e441529,
                                       0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                       0x3c439041, 0xfe5163ab};
  FloatEmitter e(b, x.getType());
  Type i64 = e.type(b.getI64Type());
  auto wide = [&](Value v) -> Value {
    return arith::ExtUIOp::create(b, i64, v);
  };
  auto constant = [&](uint64_t value) -> Value {
    return e.constant(b.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  Value bits = e.bitsOf(x);
  Value mantissa = arith::OrIOp::create(b, e.andI(bits, e.integer(0x7fffff)),
                                        e.integer(0x800000));
  Value field = e.andI(e.shiftRight(bits, 23), e.integer(0xff));
  // The first bit of interest, counted from the start of `words`: x is mantissa
  // * 2^(field - 150), and multiples of 4 do not matter.
  Value first = e.subI(field, e.integer(127 + 25 - 32));
  Value index = e.shiftRight(first, 5);
  Value shift = wide(e.andI(first, e.integer(31)));
  // Four words from there, of which three times 32 bits.
  auto wordAt = [&](unsigned offset) {
    Value word = e.integer(words[offset]);
    for (unsigned i = 1; i < 5; ++i)
      word = e.select(
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index,
                                e.integer(i)),
          e.integer(i + offset < std::size(words) ? words[i + offset] : 0),
          word);
    return wide(word);
  };
  Value thirtyTwo = constant(32);
  Value window[3];
  Value upper = wordAt(0);
  for (unsigned i = 0; i < 3; ++i) {
    Value lower = wordAt(i + 1);
    Value pair = arith::OrIOp::create(
        b, arith::ShLIOp::create(b, upper, thirtyTwo), lower);
    window[i] = arith::ShRUIOp::create(b, arith::ShLIOp::create(b, pair, shift),
                                       thirtyTwo);
    upper = lower;
  }
  // The upper 64 of the product's 96 bits: two of quadrant, 62 of fraction.
  Value m = wide(mantissa);
  Value product = arith::ShLIOp::create(
      b, arith::MulIOp::create(b, m, window[0]), thirtyTwo);
  product =
      arith::AddIOp::create(b, product, arith::MulIOp::create(b, m, window[1]));
  product = arith::AddIOp::create(
      b, product,
      arith::ShRUIOp::create(b, arith::MulIOp::create(b, m, window[2]),
                             thirtyTwo));
  // To the nearest quadrant, so that the rest has a sign.
  Value sixtyTwo = constant(62);
  Value quadrant = arith::ShRUIOp::create(
      b, arith::AddIOp::create(b, product, constant(1ull << 61)), sixtyTwo);
  Value fraction = arith::SubIOp::create(
      b, product, arith::ShLIOp::create(b, quadrant, sixtyTwo));
  Value rest = arith::SIToFPOp::create(b, e.type(b.getF32Type()), fraction);
  rest = e.mul(rest, e.real(0x1.921fb6p-62f)); // pi / 2 * 2^-62
  quadrant = arith::TruncIOp::create(b, e.type(b.getI32Type()), quadrant);
  Value isNegative = e.less(x, e.real(0.0f));
  Value zero = e.integer(0);
  return {e.select(isNegative, e.subI(zero, quadrant), quadrant),
          e.select(isNegative, e.mul(rest, e.real(-1.0f)), rest)};
}

/// Arguments beyond kLargest are rare: only where there are some is the long
/// way taken, for all lanes of a vector.
static Angle reduce(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value isLarge = e.less(e.real(kLargest), e.abs(x));
  bool isVector = isa<VectorType>(x.getType());
  Value any = isLarge;
  if (isVector)
    any = vector::ReductionOp::create(b, vector::CombiningKind::OR, isLarge);
  Type types[] = {e.type(b.getI32Type()), e.type(b.getF32Type())};
  Angle small;
  if (isVector)
    small = reduceSmall(e, x);
  auto branch = scf::IfOp::create(b, types, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  auto yield = [&](Block *block, function_ref<Angle()> angle) {
    b.setInsertionPointToStart(block);
    Angle a = angle();
    scf::YieldOp::create(b, ValueRange{a.quadrant, a.rest});
  };
  yield(branch.thenBlock(), [&] {
    Angle large = reduceLarge(b, x);
    if (!isVector)
      return large;
    return Angle{e.select(isLarge, large.quadrant, small.quadrant),
                 e.select(isLarge, large.rest, small.rest)};
  });
  yield(branch.elseBlock(),
        [&] { return isVector ? small : reduceSmall(e, x); });
  return {branch.getResult(0), branch.getResult(1)};
}

/// The sine of an angle whose quadrant is `quadrant`.
static Value emitSinOf(const FloatEmitter &e, Value rest, Value quadrant) {
  Value square = e.mul(rest, rest);
  Value p = e.polynomial(square, {2.804473752e-06f, -1.985030103e-04f,
                                  8.333372883e-03f, -1.666666716e-01f});
  Value sine = e.fma(e.mul(p, square), rest, rest);
  Value q = e.polynomial(square, {-2.866246689e-07f, 2.481974116e-05f,
                                  -1.388897421e-03f, 4.166666791e-02f,
                                  -5.000000000e-01f});
  Value cosine = e.fma(q, square, e.real(1.0f));
  Value isEven = e.isZero(e.andI(quadrant, e.integer(1)));
  Value result = e.select(isEven, sine, cosine);
  Value isUpper = e.isZero(e.andI(quadrant, e.integer(2)));
  return e.select(isUpper, result, e.mul(result, e.real(-1.0f)));
}

/// NaN for infinities, whose reduction gives anything.
static Value ofFinite(const FloatEmitter &e, Value x, Value result) {
  Value infinity = e.real(std::numeric_limits<float>::infinity());
  return e.select(e.less(e.abs(x), infinity), result, e.sub(x, x));
}

/// Zero keeps its sign.
static Value ofOdd(const FloatEmitter &e, Value x, Value result) {
  return e.select(e.equal(x, e.real(0.0f)), x, ofFinite(e, x, result));
}

Value mlir::amp::floats::emitSin(ImplicitLocOpBuilder &b, Value x) {
  Angle angle = reduce(b, x);
  FloatEmitter e(b, x.getType());
  return ofOdd(e, x, emitSinOf(e, angle.rest, angle.quadrant));
}

Value mlir::amp::floats::emitCos(ImplicitLocOpBuilder &b, Value x) {
  Angle angle = reduce(b, x);
  FloatEmitter e(b, x.getType());
  Value next = e.addI(angle.quadrant, e.integer(1));
  return ofFinite(e, x, emitSinOf(e, angle.rest, next));
}

Value mlir::amp::floats::emitTan(ImplicitLocOpBuilder &b, Value x) {
  Angle angle = reduce(b, x);
  FloatEmitter e(b, x.getType());
  Value next = e.addI(angle.quadrant, e.integer(1));
  Value result = e.div(emitSinOf(e, angle.rest, angle.quadrant),
                       emitSinOf(e, angle.rest, next));
  return ofOdd(e, x, result);
}
