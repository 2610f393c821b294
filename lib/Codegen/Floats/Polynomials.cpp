//===- Polynomials.cpp - functions without instructions -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

using namespace mlir;
using namespace mlir::amp::floats;

static constexpr float kLog2E = 0x1.715476p+0f;

/// e^rest, for |rest| < 0.35.
static Value emitExpOfRest(const FloatEmitter &e, Value rest) {
  return e.polynomial(rest,
                      {1.382078626e-03f, 8.369248360e-03f, 4.166828096e-02f,
                       1.666651666e-01f, 4.999999404e-01f, 1.0f, 1.0f});
}

/// `power` * 2^n, where `shifted` is n + kExponentMagic: n is halved, as 2^n
/// may be subnormal, or beyond f32, as a whole. Where there is an instruction
/// for that, amp-cpu-select-instructions finds this form.
static Value scale(const FloatEmitter &e, Value power, Value shifted) {
  Value bits = e.bitsOf(shifted);
  Value half = e.shiftRight(bits, 1);
  Value low = e.floatOf(e.shiftLeft(half, 23));
  Value high = e.floatOf(e.shiftLeft(e.subI(bits, half), 23));
  return e.mul(e.mul(power, low), high);
}

/// e^x by `shifted`, which is x * log2(e) rounded to an integer, and `magic`:
/// what that integer leaves of it.
static Value emitExpBesides(const FloatEmitter &e, Value x, Value shifted,
                            Value magic, bool forNarrow) {
  if (forNarrow) {
    // 2^rest, |rest| <= 0.5.
    Value rest = e.fma(x, e.real(kLog2E), e.sub(magic, shifted));
    return e.polynomial(rest, {9.582853169e-03f, 5.590642504e-02f,
                               2.402409861e-01f, 6.931241934e-01f, 1.0f});
  }
  Value n = e.sub(shifted, magic);
  // ln 2 in two terms, the first of 15 bits, so that the product is exact.
  Value rest = e.fma(n, e.real(-0x1.62e4p-1f), x);
  return emitExpOfRest(e, e.fma(n, e.real(-0x1.7f7d1cp-20f), rest));
}

Value mlir::amp::floats::emitExpPolynomial(ImplicitLocOpBuilder &b, Value x,
                                           bool forNarrow) {
  FloatEmitter e(b, x.getType());
  // Below and above, all is zero and infinity.
  x = e.clamp(x, -105.0f, 90.0f);
  Value magic = e.real(kExponentMagic);
  Value shifted = e.fma(x, e.real(kLog2E), magic);
  return scale(e, emitExpBesides(e, x, shifted, magic, forNarrow), shifted);
}

Value mlir::amp::floats::emitRaisedExpPolynomial(ImplicitLocOpBuilder &b,
                                                 Value x, bool forNarrow) {
  FloatEmitter e(b, x.getType());
  x = e.atLeast(x, -105.0f);
  // 1.5 * 2^23 + 24 + 127: the low bits are the exponent of 2^(n + 24), which
  // is normal, or zero where the result is.
  Value magic = e.real(12583063.0f);
  Value shifted = e.fma(x, e.real(kLog2E), magic);
  Value power = emitExpBesides(e, x, shifted, magic, forNarrow);
  return e.mul(power, e.floatOf(e.shiftLeft(e.bitsOf(shifted), 23)));
}

void mlir::amp::floats::replaceByRaised(PatternRewriter &rewriter,
                                        math::ExpOp exp, Value raised) {
  for (Operation *user : llvm::make_early_inc_range(exp->getUsers()))
    if (isa<arith::MulFOp>(user) && user->hasAttr(kCancelsAttrName))
      rewriter.replaceOp(user, raised);
  ImplicitLocOpBuilder b(exp.getLoc(), rewriter);
  FloatEmitter e(b, exp.getType());
  rewriter.replaceOp(exp, e.mul(raised, e.real(1.0f / kRaisedExpFactor)));
}

Value mlir::amp::floats::emitExp2Polynomial(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  x = e.clamp(x, -152.0f, 130.0f);
  Value magic = e.real(kExponentMagic);
  Value shifted = e.add(x, magic);
  Value rest = e.sub(x, e.sub(shifted, magic));
  Value low = e.mul(rest, e.real(-0x1.05c61p-29f));
  rest = e.fma(rest, e.real(0x1.62e43p-1f), low);
  return scale(e, emitExpOfRest(e, rest), shifted);
}

/// 2^x for x from -120 to 120; any value for others.
static Value emitExp2OfNormal(const FloatEmitter &e, Value x) {
  Value magic = e.real(kExponentMagic);
  Value shifted = e.add(x, magic);
  Value rest = e.sub(x, e.sub(shifted, magic));
  Value power = emitExpOfRest(e, e.mul(rest, e.real(0x1.62e43p-1f)));
  // Its exponent goes up by n.
  Value n = e.shiftLeft(e.subI(e.bitsOf(shifted), e.bitsOf(magic)), 23);
  return e.floatOf(e.addI(e.bitsOf(power), n));
}

Value mlir::amp::floats::emitErfPolynomial(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x), square = e.mul(x, x);
  Value p = e.polynomial(square,
                         {4.512371639e-03f, -2.664699683e-02f, 1.128099197e-01f,
                          -3.761251263e-01f, 1.283791579e-01f});
  Value small = e.fma(p, x, x);
  // 1 - 2^q with q = log2(erfc |x|); from 4 on the result is 1.
  Value t = e.select(e.less(magnitude, e.real(4.0f)), magnitude, e.real(4.0f));
  Value q =
      e.polynomial(t, {3.205059977e-04f, -4.738562078e-03f, 3.336352444e-02f,
                       -1.524467970e-01f, -9.166099449e-01f, -1.628349026e+00f,
                       4.362437353e-05f});
  Value large = e.copySign(e.sub(e.real(1.0f), emitExp2OfNormal(e, q)), x);
  return e.select(e.less(e.real(0.6f), magnitude), large, small);
}

Value mlir::amp::floats::emitAtanPolynomial(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value a = e.abs(x), one = e.real(1.0f);
  // atan a = pi/2 - atan(1/a) = pi/4 + atan((a - 1) / (a + 1)), such that the
  // argument is at most tan(pi/8).
  Value isLarge = e.less(e.real(2.41421366f), a);
  Value isMiddle = e.less(e.real(0.414213568f), a);
  Value numerator =
      e.select(isLarge, e.real(-1.0f), e.select(isMiddle, e.sub(a, one), a));
  Value denominator =
      e.select(isLarge, a, e.select(isMiddle, e.add(a, one), one));
  Value t = e.div(numerator, denominator);
  Value square = e.mul(t, t);
  Value p = e.polynomial(square, {8.05374449538e-2f, -1.38776856032e-1f,
                                  1.99777106478e-1f, -3.33329491539e-1f});
  Value start =
      e.select(isLarge, e.real(1.57079637f),
               e.select(isMiddle, e.real(0.785398185f), e.real(0.0f)));
  Value angle = e.add(start, e.fma(e.mul(p, square), t, t));
  return e.copySign(angle, x);
}
