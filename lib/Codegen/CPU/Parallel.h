//===- Parallel.h - loops whose iterations are independent ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_PARALLEL_H
#define AMP_LIB_CODEGEN_CPU_PARALLEL_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>

namespace mlir::amp::cpu {

/// On an `scf.for` whose iterations do not depend on each other, and on the
/// function that it becomes: how many of them (i64) are worth a thread.
inline constexpr llvm::StringLiteral kParallelAttrName = "parallel_grain";

/// That number where every range of iterations has work of its own besides,
/// whatever its length: each thread is to have one, of at least two iterations.
inline constexpr int64_t kGrainOfRanges = -2;

/// On such a loop whose iterations are parts of one range: the induction
/// variable and its sum with the step (`arith.addi`) are where a part starts
/// and ends, and an inner loop runs from the one to the other, in steps of any
/// size. Neighbouring parts that one thread has become one.
inline constexpr llvm::StringLiteral kJoinedAttrName = "joined";

/// On an `scf.for`, and on the function that it becomes, which is not inlined:
/// what the loop keeps in registers would take them from loops around it.
inline constexpr llvm::StringLiteral kSeparateAttrName = "separate";

/// A unit attribute of an `scf.for` over rows: what an iteration reads, no
/// other one writes, but for buffers that each of them fills before it reads
/// them.
inline constexpr llvm::StringLiteral kRowsAttrName = "independent_rows";

/// Operations that are worth a thread of their own: some ten microseconds.
inline constexpr int64_t kWorkPerThread = 128 * 1024;

/// The iterations of `work` operations each that are worth a thread.
inline int64_t getGrain(int64_t work) {
  return std::max<int64_t>(1, kWorkPerThread / std::max<int64_t>(1, work));
}

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_PARALLEL_H
