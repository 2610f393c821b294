//===- NarrowFloats.h - arithmetic on narrow floats -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_FLOATS_NARROWFLOATS_H
#define AMP_CODEGEN_FLOATS_NARROWFLOATS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {

/// The conversions of narrow floats that a target does itself.
struct NarrowFloatTarget {
  /// bf16 from f32, to the nearest, subnormals included, and to f32 and f64.
  bool roundsToBF16 = false;
  /// f8E4M3FN and f8E5M2 from f16, bf16 and f32, and to every wider type.
  bool convertsF8 = false;
  /// f16 to f32, subnormals included, in one instruction.
  bool widensF16 = false;
};

/// Makes arith and math on scalars and vectors of f16, bf16 and the 8-bit
/// floats compute in f32 and round each result with `arith.truncf`. No cast
/// that it creates carries fast-math flags, so that no rounding may be folded
/// away; but what is rounded, chosen from (as a relu does) and rounded again is
/// chosen from first, which gives the same. Ops on tensors are left alone.
/// Returns the number of roundings that were added.
FailureOr<unsigned> widenNarrowFloats(Operation *root);

/// Adds patterns that rewrite `arith.extf` and `arith.truncf` of scalars and
/// vectors of 8-bit floats, and `arith.truncf` to bf16, into integer
/// arithmetic where `target` has no instruction, and split those between f64
/// and narrower types at f32 so that the result is rounded once.
void populateNarrowFloatPatterns(RewritePatternSet &patterns,
                                 NarrowFloatTarget target = {});

/// A unit attribute of an `arith.truncf` from f32 to bf16: where the operand is
/// NaN, it is a quiet one that bf16 has, and rounding it like a number keeps
/// it.
inline constexpr StringLiteral kHasBF16NaNsAttrName = "has_bf16_nans";

/// The operand of `op`, of f32, rounded to the nearest bf16, in the upper half
/// of an i32; the lower half is of no meaning. Ties go to even, subnormals
/// round like the rest, NaN becomes quiet and keeps its sign. `value` is the
/// operand, or a part of it.
Value roundToUpperHalf(ImplicitLocOpBuilder &b, arith::TruncFOp op,
                       Value value);

} // namespace mlir::amp

#endif // AMP_CODEGEN_FLOATS_NARROWFLOATS_H
