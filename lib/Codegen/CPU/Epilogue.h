//===- Epilogue.h - what is done to the tiles of a contraction --*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_EPILOGUE_H
#define AMP_LIB_CODEGEN_CPU_EPILOGUE_H

#include "Emit.h"

namespace mlir::amp::cpu {

/// The elementwise ops that work on the result of a contraction where it is
/// computed, tile by tile: bias, activation, residual, casts, quantisation.
class Epilogue {
public:
  /// One tensor that the nest makes.
  struct Result {
    OpResult value;
    /// Its indices, as loops of the contraction.
    AffineMap map;
  };

  /// Collects what follows `op`: each op is elementwise over all of the
  /// result, reads other operands along the loop `vectorDim` of the contraction
  /// element by element or not at all, and comes before every other user of
  /// what is collected. Changes nothing.
  static Epilogue collect(linalg::LinalgOp op, unsigned vectorDim);

  bool isEmpty() const { return ops.empty(); }
  ArrayRef<linalg::GenericOp> getOps() const { return ops; }

  /// What others than the collected ops use. Of an empty epilogue: the result
  /// of the contraction, used or not.
  ArrayRef<Result> getResults() const { return results; }

  /// Whether an op reads what was in the tensor that it writes to.
  bool readsDestinations() const;

  /// Computes the results for `lanes` neighbours from `start`, which is theirs
  /// in the result of the contraction. `dims` are the first one's loop indices;
  /// lanes past the end are read as zeros unless `isInBounds`.
  SmallVector<Value> emit(OpBuilder &b, Location loc, Value start,
                          ArrayRef<OpFoldResult> dims, int64_t lanes,
                          bool isInBounds) const;

private:
  bool accepts(linalg::GenericOp op, AffineMap &loops) const;

  linalg::LinalgOp contraction;
  unsigned vectorDim = 0;
  SmallVector<linalg::GenericOp> ops;
  /// Per collected op, its loops as those of the contraction.
  SmallVector<AffineMap> opLoops;
  /// Per value inside, its indices as loops of the contraction.
  DenseMap<Value, AffineMap> values;
  SmallVector<Result> results;
};

/// Reads `lanes` elements of `source` at `dims` through `map`, which moves
/// along the loop `vectorDim` by one element or not at all: a vector or one
/// element.
Value readAlong(OpBuilder &b, Location loc, Value source, AffineMap map,
                ArrayRef<OpFoldResult> dims, unsigned vectorDim, int64_t lanes,
                bool isInBounds);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_EPILOGUE_H
