//===- X86Floats.h - f32 arithmetic by instructions of x86 ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_X86FLOATS_H
#define AMP_LIB_CODEGEN_CPU_X86FLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::amp::cpu {

struct CPUTarget;

/// Adds the patterns that `target` has instructions for, of vectors whose rows
/// are whole registers of f32: roundings to bf16, the larger and the smaller of
/// two numbers and, with `approximate`, functions. They go before those for
/// every processor.
void populateX86FloatPatterns(RewritePatternSet &patterns,
                              const CPUTarget &target, bool approximate);

/// Of these, those for exp.
void populateX86ExpPatterns(RewritePatternSet &patterns,
                            const CPUTarget &target);

/// With AVX-512, makes the difference to the largest number of a row part of
/// the exponentials of a softmax (`floats::kSoftmaxAttrName`), in loops over
/// rows of f32. Rows of large numbers have loops of their own, which subtract.
void fuseDifferences(Operation *function);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_X86FLOATS_H
