//===- RowReductionEmit.h - device code of row reductions --------*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_ROWREDUCTIONEMIT_H
#define AMP_LIB_CODEGEN_GPU_ROWREDUCTIONEMIT_H

#include "ReductionEmitter.h"
#include "amp/Codegen/GPU/ReductionLayout.h"

namespace mlir::amp::gpu {

/// The vectors in which rows are read and written.
struct RowVectors {
  /// The elements of a vector where all rows are aligned; one where they are
  /// not, or there are too few elements in a vector.
  unsigned width = 1;
  /// How rows are peeled that are not aligned.
  std::optional<Peeling> peeling;

  unsigned getWidth() const {
    return std::max(width, peeling ? peeling->getWidth() : 1);
  }
};

/// Fills in a function whose blocks hold rows in registers.
void emitRowsInRegisters(ReductionEmitter &emitter, RowLayout layout,
                         const RowVectors &vectors);

/// Fills in a function of which each block reads one row, once in each phase
/// and once for the results.
void emitRowLoops(ReductionEmitter &emitter, const RowVectors &vectors);

/// Fills in the function of one step of rows that several blocks share: step
/// `phase` merges the partial results of the earlier phases in `workspace` and
/// leaves those of its own there; the step after the last phase computes the
/// results. `workspace` has for each reduction, in order, a buffer of rows x
/// parts for each value of a partial result.
void emitRowPart(ReductionEmitter &emitter, const RowVectors &vectors,
                 unsigned phase, ValueRange workspace);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_ROWREDUCTIONEMIT_H
