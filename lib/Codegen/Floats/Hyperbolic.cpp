//===- Hyperbolic.cpp - sinh, cosh and their inverses of f32 --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp::floats;

/// Half of e^x, finite as long as that is: by the square of e^(x / 2).
static Value emitHalfOfExp(ImplicitLocOpBuilder &b, const FloatEmitter &e,
                           Value x) {
  Value root = emitExpPolynomial(b, e.mul(x, e.real(0.5f)));
  return e.mul(e.mul(root, e.real(0.5f)), root);
}

Value mlir::amp::floats::emitSinh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x);
  // With t = e^|x| - 1: (t + t / (t + 1)) / 2. Beyond, e^-|x| adds nothing.
  Value isLarge = e.less(e.real(9.0f), magnitude);
  Value t = emitExpM1(b, magnitude);
  Value fraction = e.div(t, e.add(t, e.real(1.0f)));
  Value small = e.mul(e.add(t, fraction), e.real(0.5f));
  // Halves of subnormal numbers would lose bits that are in |x|.
  Value isTiny = e.less(magnitude, e.real(0x1p-12f));
  small = e.select(isTiny, magnitude, small);
  Value large = emitHalfOfExp(b, e, magnitude);
  return e.copySign(e.select(isLarge, large, small), x);
}

Value mlir::amp::floats::emitCosh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value half = emitHalfOfExp(b, e, e.abs(x));
  // e^-|x| / 2 = 1 / (4 (e^|x| / 2))
  return e.add(half, e.div(e.real(0.25f), half));
}

/// From here on the function is the logarithm of twice the argument, of which
/// that of the argument is log1p of one less.
static constexpr float kFar = 0x1p+14f;

Value mlir::amp::floats::emitAsinh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x);
  Value isFar = e.less(e.real(kFar), magnitude);
  // |x| + sqrt(x^2 + 1) - 1, without the difference.
  Value square = e.mul(magnitude, magnitude);
  Value one = e.real(1.0f);
  Value root = math::SqrtOp::create(b, e.add(square, one));
  Value near = e.add(magnitude, e.div(square, e.add(root, one)));
  Value log = emitLog1p(b, e.select(isFar, e.sub(magnitude, one), near));
  Value ln2 = e.select(isFar, e.real(0.693147182f), e.real(0.0f));
  return e.copySign(e.add(log, ln2), x);
}

Value mlir::amp::floats::emitAcosh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value one = e.real(1.0f);
  Value isFar = e.less(e.real(kFar), x);
  // x - 1 + sqrt(x^2 - 1), of which the difference is exact near 1.
  Value above = e.sub(x, one);
  Value square = e.fma(above, above, e.add(above, above));
  Value near = e.add(above, math::SqrtOp::create(b, square));
  Value log = emitLog1p(b, e.select(isFar, above, near));
  Value ln2 = e.select(isFar, e.real(0.693147182f), e.real(0.0f));
  Value isBelow = e.less(x, one);
  return e.select(isBelow, e.real(std::numeric_limits<float>::quiet_NaN()),
                  e.add(log, ln2));
}

Value mlir::amp::floats::emitAtanh(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magnitude = e.abs(x);
  Value ratio =
      e.div(e.add(magnitude, magnitude), e.sub(e.real(1.0f), magnitude));
  Value half = e.mul(emitLog1p(b, ratio), e.real(0.5f));
  return e.copySign(half, x);
}
