//===- LanesInWords.h - vectors of bf16 in two halves -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_LANESINWORDS_H
#define AMP_LIB_CODEGEN_CPU_LANESINWORDS_H

#include "mlir/IR/Operation.h"

namespace mlir::amp::cpu {

struct CPUTarget;

/// A unit attribute of a loop over a row: it begins where one over whole
/// vectors ends that begin with the row, or behind that.
inline constexpr StringLiteral kBehindWholeVectorsAttrName =
    "behind_whole_vectors";

/// Whether `index`, of an access along a row, is behind the whole vectors that
/// a loop up to `end` begins the row with.
bool isBehindWholeVectors(Value index, Value end);

/// Puts the even lanes of vectors in front of the odd ones where all that is
/// computed of their kind is widened from bf16 and rounded to it again, or
/// carried by loops, and no instruction of `target` rounds to bf16. What
/// `function` computes stays the same, bit by bit, but for a sum of a vector's
/// elements, of which LLVM chooses the order.
void moveLanesToWords(Operation *function, const CPUTarget &target);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_LANESINWORDS_H
