//===- MathFunctions.h - f32 functions without a library --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function emits arith and math ops that compute it for f32 values of one
// shape, a scalar or a vector. Where hardware has an approximate instruction,
// the op has `fastmath<afn>`. The bounds, in ulp of f32, hold for all
// arguments, subnormal ones and results included, given the relative errors of
// the PTX ISA, section 9.7.3: 2^-22 of ex2.approx, 2^-22.9 of rsqrt.approx,
// 2^-23 of rcp.approx. MathNumericsTest.cpp checks them with these errors
// added.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_FLOATS_MATHFUNCTIONS_H
#define AMP_CODEGEN_FLOATS_MATHFUNCTIONS_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp::floats {

/// A type, on `math.exp`: what is made of the result is rounded to f16 or less
/// before anyone sees it, at most to the bits of this type, so that a relative
/// error of 2^-16, or 2^-13 where it has no more than bf16, is no loss. Without
/// it, functions are as precise as below.
inline constexpr StringLiteral kNarrowResultAttrName = "narrow_result";

/// A unit attribute of `math.exp`: the argument is NaN, or at most zero.
inline constexpr StringLiteral kNeverPositiveAttrName = "never_positive";

/// What such an exponential is computed times, so that small ones are normal.
inline constexpr float kRaisedExpFactor = 0x1p24f;

/// A unit attribute of `arith.mulf` of such an exponential by kRaisedExpFactor,
/// which takes its last instruction away: the factor cancels, and zero may be
/// as little as 2^-126.
inline constexpr StringLiteral kCancelsAttrName = "cancels";

/// A unit attribute of `math.exp` of the difference to a row's largest number,
/// of which only quotients by the row's sum, or its logarithm, are seen: the
/// difference has lost as much as 2^-24 of itself, and another 2^-28 of it,
/// with 2 ulp of the result, are little.
inline constexpr StringLiteral kSoftmaxAttrName = "softmax";

/// Whether `type`, or its element type, is a float of no more significant bits
/// than f16.
bool isNarrow(Type type);

/// 5 ulp.
Value emitExp(ImplicitLocOpBuilder &b, Value x);
/// Relative error below 2^-16 while the result is normal: for results that are
/// rounded to f16 or less.
Value emitExpForNarrow(ImplicitLocOpBuilder &b, Value x);
/// 4 ulp: the instruction.
Value emitExp2(ImplicitLocOpBuilder &b, Value x);
/// 2 ulp.
Value emitExpM1(ImplicitLocOpBuilder &b, Value x);
/// 2 ulp.
Value emitLog(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp.
Value emitLog2(ImplicitLocOpBuilder &b, Value x);
/// 4 ulp.
Value emitLog10(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp.
Value emitLog1p(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp.
Value emitTanh(ImplicitLocOpBuilder &b, Value x);
/// Relative error 2^-10.9 (PTX ISA, tanh.approx): for results that are rounded
/// to bf16 or less, of which it is an eighth of an ulp.
Value emitTanhForNarrow(ImplicitLocOpBuilder &b, Value x);
/// 2 ulp.
Value emitErf(ImplicitLocOpBuilder &b, Value x);
/// 8 ulp.
Value emitErfc(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp.
Value emitCbrt(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp: the instruction.
Value emitRsqrt(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp each. Arguments beyond 1e5 take a branch, a vector's lanes together.
Value emitSin(ImplicitLocOpBuilder &b, Value x);
Value emitCos(ImplicitLocOpBuilder &b, Value x);
/// 5 ulp.
Value emitTan(ImplicitLocOpBuilder &b, Value x);

/// Without instructions for functions: 1 ulp, or, where it is `forNarrow`, a
/// relative error below 2^-17 while the result is normal.
Value emitExpPolynomial(ImplicitLocOpBuilder &b, Value x,
                        bool forNarrow = false);
/// The same times kRaisedExpFactor, in fewer instructions, for x that is never
/// positive.
Value emitRaisedExpPolynomial(ImplicitLocOpBuilder &b, Value x,
                              bool forNarrow = false);
/// Replaces `exp` by `raised`, which is kRaisedExpFactor times it, and products
/// of it with kCancelsAttrName by `raised` itself.
void replaceByRaised(PatternRewriter &rewriter, math::ExpOp exp, Value raised);
/// 1 ulp.
Value emitExp2Polynomial(ImplicitLocOpBuilder &b, Value x);
/// 2 ulp.
Value emitErfPolynomial(ImplicitLocOpBuilder &b, Value x);
/// 3 ulp.
Value emitAtanPolynomial(ImplicitLocOpBuilder &b, Value x);

/// 3 ulp each, without instructions for functions.
Value emitSinh(ImplicitLocOpBuilder &b, Value x);
Value emitCosh(ImplicitLocOpBuilder &b, Value x);
Value emitAsinh(ImplicitLocOpBuilder &b, Value x);
Value emitAcosh(ImplicitLocOpBuilder &b, Value x);
Value emitAtanh(ImplicitLocOpBuilder &b, Value x);

/// x^y, 0.51 ulp, with C's results for zeros, infinities, NaN and negative
/// bases. Computes in f64.
Value emitPower(ImplicitLocOpBuilder &b, Value x, Value y);

/// Adds patterns that replace math ops on f32 scalars and vectors by arith and
/// `math.fma`: exp, exp2, expm1, log, log2, log10, log1p, erf, erfc, atan,
/// cbrt, sin, cos, tan, sinh, cosh, asinh, acosh, atanh, powf, in the bounds
/// above with exact division and exp2 in place of the instructions. Creates
/// scf, arith, math and vector ops.
void populateFunctionPolynomialPatterns(RewritePatternSet &patterns);

/// Adds a pattern that replaces `arith.remf` on vectors (1-D) of f32 and f64 by
/// division and `math.fma`, which has to be an instruction or correctly rounded
/// otherwise. Results are exact; NaN may differ in its bits. A vector with a
/// quotient from 2^24 (f32) or 2^53 (f64) on takes a branch, all lanes
/// together, in which f64 goes lane by lane. Creates scf, arith, math and
/// vector ops.
void populateRemainderPatterns(RewritePatternSet &patterns);

} // namespace mlir::amp::floats

#endif // AMP_CODEGEN_FLOATS_MATHFUNCTIONS_H
