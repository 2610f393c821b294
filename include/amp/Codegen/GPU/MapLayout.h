//===- MapLayout.h - which thread writes which elements ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_MAPLAYOUT_H
#define AMP_CODEGEN_GPU_MAPLAYOUT_H

#include <cstdint>

namespace mlir::amp::gpu {

/// How the schedules `map` and `simt` share the elements of a result among
/// threads. The result is seen as rows of columns. A block takes a tile; where
/// the tile is whole and the buffers are aligned, each of its threads takes
/// `unroll` vectors of `width` columns; elsewhere, single columns.
///
/// A block takes tile number `b`, its own number, and where there are more
/// tiles than blocks, then every tile that is a multiple of the number of
/// blocks further (grid stride).
///
/// Where there is one row, the vectors of a thread are a block of vectors
/// apart; else they are one below the other, in rows that are as many apart as
/// the block has rows of threads, so that what only depends on the column is
/// read once.
struct MapLayout {
  /// Threads of a block, a power of two.
  int64_t threads = 256;
  /// Columns of one vector.
  int64_t width = 1;
  /// Vectors of one thread.
  int64_t unroll = 1;
  /// Whether there is one row only.
  bool isLinear = true;

  /// The logarithm to the base 2 of the number of threads along the columns,
  /// for `columns` columns: as few as cover them.
  template <typename T, typename Less>
  T logThreadsX(T columns, T zero, Less countIfLess) const {
    T log = zero;
    for (int64_t x = 1; x < threads; x *= 2)
      log = log + countIfLess(x * width, columns);
    return log;
  }
};

inline int64_t min(int64_t lhs, int64_t rhs) { return lhs < rhs ? lhs : rhs; }

/// The part of one thread, in index values of type T (an integer, or code that
/// computes one). `x` and `y` are the thread's place in its block, which has
/// `threadsX` x `threadsY` threads.
template <typename T>
struct MapTile {
  T columns, rows;
  T threadsX, threadsY;
  T blockColumn, blockRow;
  T x, y;
  const MapLayout &layout;

  /// Columns and rows of a block's tile.
  static T tileColumns(const MapLayout &layout, T threadsX) {
    return threadsX *
           (layout.isLinear ? layout.width * layout.unroll : layout.width);
  }
  static T tileRows(const MapLayout &layout, T threadsY) {
    return threadsY * (layout.isLinear ? int64_t(1) : layout.unroll);
  }
  /// Tiles along the columns and along the rows.
  static T divideUp(T size, T by) { return (size + (by - 1)) / by; }

  /// The first column, and the row, of vector number `u` of the thread.
  T vectorColumn(int64_t u) const {
    T column = blockColumn * tileColumns(layout, threadsX) + x * layout.width;
    return layout.isLinear ? column + threadsX * (layout.width * u) : column;
  }
  T vectorRow(int64_t u) const {
    return layout.isLinear
               ? blockRow
               : blockRow * tileRows(layout, threadsY) + threadsY * u + y;
  }
  /// The end of the tile; it is beyond the last row or column for the last
  /// blocks.
  T endColumn() const {
    return (blockColumn + 1) * tileColumns(layout, threadsX);
  }
  T endRow() const { return (blockRow + 1) * tileRows(layout, threadsY); }

  /// The columns that the thread takes one by one where the tile is not whole:
  /// from `firstColumn` to `lastColumn`, exclusive, in steps of `threadsX`.
  T firstColumn() const {
    return blockColumn * tileColumns(layout, threadsX) + x;
  }
  T lastColumn() const { return min(columns, endColumn()); }
};

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_MAPLAYOUT_H
