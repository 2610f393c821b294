//===- Tile.h - loops over the elements of one thread -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_TILE_H
#define AMP_LIB_CODEGEN_GPU_TILE_H

#include "Peeling.h"

#include "amp/Codegen/GPU/MapLayout.h"

namespace mlir::amp::gpu {

/// How the elements of a tensor are shared among threads: the last dimension
/// are the columns of a MapLayout, the others together its rows.
struct TilePlan {
  MapLayout layout;
  /// The shape of the tensor.
  SmallVector<int64_t> shape;
  /// The most blocks; where there may be more tiles, blocks take several.
  int64_t maxBlocks = kMaxGrid;
  /// How rows are peeled where the vectors along them are not aligned, and
  /// whether they all may be, so that there is code for that, too.
  std::optional<Peeling> peeling;
  bool mayBeAligned = true;

  /// Whether a block may have to take several tiles. That a shape is not known
  /// to have at most kMaxGrid tiles does not make it one: no device has the
  /// memory for the elements.
  bool hasGridStride() const;

  /// Whether the kernel takes, after all others, an index argument: the
  /// logarithm of the number of threads along the columns.
  bool needsArgument() const {
    return !layout.isLinear && ShapedType::isDynamic(shape.back());
  }
};

/// A plan for `shape` with vectors of at most `width` and at most `unroll` of
/// them for each thread: fewer where the shape is known to be small.
TilePlan planTile(ArrayRef<int64_t> shape, int64_t width, int64_t unroll);

/// Emits code for the elements at `positions`, `width` wide each: everything
/// that is read should be read before anything is written.
using TileBody = llvm::function_ref<void(
    OpBuilder &, ArrayRef<SmallVector<Value>> positions, int64_t width)>;

/// Emits the part of one thread. `sizes` is the shape on the device; `argument`
/// is the additional argument, or null. A plan that peels rows needs the
/// kernel's operands and the evaluator that `body` uses.
void emitTile(OpBuilder &b, Location loc, const TilePlan &plan,
              ArrayRef<OpFoldResult> sizes, Value argument, TileBody body,
              ValueRange operands = {}, Evaluator *evaluator = nullptr);

/// Emits the number of blocks, and the additional argument if there is one, on
/// the host.
struct TileLaunch {
  Value grid, argument;
};
TileLaunch emitTileLaunch(OpBuilder &b, Location loc, const TilePlan &plan,
                          ArrayRef<OpFoldResult> sizes);

/// The widest vectors that make all accesses along the last dimension of the
/// operands of at least `minRank` dimensions at most 16 bytes wide, and that
/// the known row strides of the destinations allow.
int64_t chooseWidth(const Kernel &kernel, int64_t minRank = 1);

/// The sizes of `buffer`.
SmallVector<OpFoldResult> sizesOf(OpBuilder &b, Location loc, Value buffer);

/// Stores `value`, a scalar or a vector along the last dimension.
void emitStore(OpBuilder &b, Location loc, Value value, Value buffer,
               ValueRange indices);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_TILE_H
