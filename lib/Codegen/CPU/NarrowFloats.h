//===- NarrowFloats.h - conversions of narrow floats ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_NARROWFLOATS_H
#define AMP_LIB_CODEGEN_CPU_NARROWFLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::amp::cpu {

/// Adds patterns that rewrite `arith.extf` and `arith.truncf` of scalars and
/// vectors of 8-bit floats, and `arith.truncf` to bf16, into integer
/// arithmetic, and split those between f64 and narrower types at f32 so that
/// the result is rounded once.
void populateNarrowFloatPatterns(RewritePatternSet &patterns);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_NARROWFLOATS_H
