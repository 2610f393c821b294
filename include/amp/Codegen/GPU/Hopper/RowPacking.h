//===- RowPacking.h - queries of several heads as rows ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heads of queries that share keys and values can be rows of one tile, so that
// a block reads the keys once for all of them. Plain arithmetic, without IR;
// see Layouts.h for why maps are templates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_ROWPACKING_H
#define AMP_CODEGEN_GPU_HOPPER_ROWPACKING_H

#include <algorithm>
#include <cstdint>

namespace mlir::amp::gpu::hopper {

/// The rows of an attention: first those of query 0 in all heads of a group,
/// then those of query 1. Each query has a power of two of them, of which the
/// ones behind the last head are of nobody: so tiles, warpgroups and warps
/// start with a query or inside of one, and a box of TMA, whose elements out of
/// bounds are zero and are not stored, is a tile.
struct RowPacking {
  /// The most heads that are rows of a tile.
  static constexpr int64_t kMaxHeads = 128;

  /// The heads of a group, at most `kMaxHeads`; 1: rows are queries.
  int64_t heads = 1;

  /// The rows of a query.
  constexpr int64_t getStride() const {
    int64_t stride = 1;
    while (stride < heads)
      stride *= 2;
    return stride;
  }
  /// How many queries are in `rows` rows from a multiple of `rows` on, of which
  /// or of whose multiples the rows of a query are a part.
  constexpr int64_t getQueries(int64_t rows) const {
    return std::max<int64_t>(1, rows / getStride());
  }
  /// The box of heads that `rows` such rows are; each of the `getQueries` has
  /// one.
  constexpr int64_t getBoxHeads(int64_t rows) const {
    return std::min(rows, getStride());
  }
  /// Whether each row belongs to a head.
  constexpr bool isDense() const { return getStride() == heads; }
  /// Whether tiles of `rows` rows have whole queries.
  constexpr bool fits(int64_t rows) const {
    return heads <= kMaxHeads && rows % getStride() == 0;
  }

  template <typename Int>
  Int getRow(Int query, Int head) const {
    return query * getStride() + head;
  }
  template <typename Int>
  Int getQuery(Int row) const {
    return row / getStride();
  }
  template <typename Int>
  Int getHead(Int row) const {
    return row % getStride();
  }

  /// The tiles of `rows` rows that `queries` queries of all heads take.
  constexpr int64_t countTiles(int64_t queries, int64_t rows) const {
    return (queries * getStride() + rows - 1) / rows;
  }
};

/// Whether `queries` queries (-1: any number) of each of `heads` heads that
/// share keys take fewer tiles of `rows` rows as rows of the same tiles than as
/// heads of their own: each tile reads all keys. Of any number, whether they
/// never take more.
constexpr bool isPackingWorthwhile(int64_t queries, int64_t heads,
                                   int64_t rows) {
  RowPacking packing{heads};
  if (heads < 2 || !packing.fits(rows))
    return false;
  if (queries < 0)
    return packing.isDense();
  return packing.countTiles(queries, rows) <
         heads * RowPacking().countTiles(queries, rows);
}

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_ROWPACKING_H
