//===- PeeledRow.h - aligned vectors of rows that begin anywhere -*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain arithmetic, without IR: the schedules emit exactly these formulas, and
// the unit tests check that they visit every element once.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_PEELEDROW_H
#define AMP_CODEGEN_GPU_PEELEDROW_H

#include <cstdint>

namespace mlir::amp::gpu {

/// `x < y ? less : other`.
inline int64_t selectLess(int64_t x, int64_t y, int64_t less, int64_t other) {
  return x < y ? less : other;
}

/// A row of `columns` elements, seen as aligned vectors of `width` elements, a
/// power of two, and the elements before the first and after the last of them:
/// the edges, which are taken one by one. T is an integer, or code that
/// computes one.
template <typename T>
struct PeeledRow {
  T columns;
  /// Columns before the first vector, and the number of vectors.
  T head, vectors;
  int64_t width;

  /// The row whose first element is `phase` elements behind a multiple of
  /// `width`. With a margin, one more vector on either side counts as edges:
  /// then the aligned vectors of another buffer that cover one of these are in
  /// its row, too.
  static PeeledRow get(T columns, T phase, int64_t width, bool hasMargin) {
    int64_t margin = hasMargin ? 1 : 0;
    T head = (phase * (width - 1)) % width;
    T vectors = (columns - head) / width - 2 * margin;
    return {columns, head + margin * width, vectors, width};
  }
  /// The smallest rows that have a vector whatever their phase is.
  static int64_t getLeastColumns(int64_t width, bool hasMargin) {
    return (hasMargin ? 4 : 2) * width - 1;
  }
  /// The bounds of `vectors` and of `getEdges` over all phases.
  static int64_t getLeastVectors(int64_t columns, int64_t width,
                                 bool hasMargin) {
    return (columns - (width - 1)) / width - (hasMargin ? 2 : 0);
  }
  static int64_t getMostVectors(int64_t columns, int64_t width,
                                bool hasMargin) {
    return columns / width - (hasMargin ? 2 : 0);
  }
  static int64_t getMostEdges(int64_t width, bool hasMargin) {
    return (hasMargin ? 4 : 2) * width - 2;
  }

  /// The column behind the last vector; vectors begin at `head`.
  T getEnd() const { return head + vectors * width; }
  /// The number of elements that are in no vector, and the column of one.
  T getEdges() const { return columns - vectors * width; }
  T getEdgeColumn(T number) const {
    return selectLess(number, head, number, number + vectors * width);
  }
};

/// Moves `width` elements to the front of `elements`, which has
/// `width + alignment - 1` of them (both powers of two): those from element
/// number n on, where `select(bit, x, y)` is x if n has that bit, else y.
template <typename Elements, typename Select>
void moveLanes(Elements &elements, unsigned width, unsigned alignment,
               Select select) {
  for (unsigned bit = alignment / 2; bit; bit /= 2)
    for (unsigned i = 0; i != width + bit - 1; ++i)
      elements[i] = select(bit, elements[i + bit], elements[i]);
}

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_PEELEDROW_H
