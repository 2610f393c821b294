//===- ReductionLayout.h - which thread reduces what -------------*- C++-*-===//
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

#ifndef AMP_CODEGEN_GPU_REDUCTIONLAYOUT_H
#define AMP_CODEGEN_GPU_REDUCTIONLAYOUT_H

#include <cstdint>
#include <optional>

namespace mlir::amp::gpu {

/// Threads of a warp.
constexpr unsigned kWarpThreads = 32;

/// The most elements that a thread keeps in registers between the phases of a
/// row reduction. At 32, with a second value of each (an exponential, say), 128
/// registers are enough, which blocks of 512 threads can have.
constexpr unsigned kMaxRowElements = 32;

/// How threads share the elements of a row that stays in registers: slot `s` of
/// thread `t` holds the `width` elements from column (s * threads + t) * width.
/// So a warp reads consecutive vectors.
struct RowLayout {
  /// Threads of a row: a power of two, at most 512.
  unsigned threads = 1;
  /// Elements of a vector: a power of two.
  unsigned width = 1;
  /// Vectors that a thread holds.
  unsigned slots = 1;
  /// Rows side by side in a block. More than one only if a row has at most a
  /// warp, which then needs no barrier.
  unsigned rows = 1;

  /// The layout for rows of at most `columns` elements in vectors of `width`;
  /// nothing if they do not fit into registers.
  static std::optional<RowLayout> get(int64_t columns, unsigned width);

  unsigned getBlockThreads() const { return threads * rows; }
  unsigned getWarps() const {
    return threads <= kWarpThreads ? 1 : threads / kWarpThreads;
  }
  int64_t getCapacity() const { return int64_t(threads) * width * slots; }
  int64_t getColumn(unsigned thread, unsigned slot) const {
    return (int64_t(slot) * threads + thread) * width;
  }
  /// Whether no thread's vector in `slot` reaches past `columns`, so that the
  /// slot needs no mask.
  bool isFull(unsigned slot, int64_t columns) const {
    return (int64_t(slot) + 1) * threads * width <= columns;
  }
};

/// How a row that does not stay in registers is read: by blocks of 512 threads,
/// in steps of `slots` vectors each.
constexpr unsigned kLoopThreads = 512;
constexpr unsigned kLoopSlots = 4;

/// The size of each of `parts` parts of `size` items: a multiple of `unit`, so
/// that parts begin where vectors do. Part `i` is [i * chunk, (i + 1) * chunk),
/// cut at `size`; the last parts may be empty.
int64_t getChunkSize(int64_t size, int64_t parts, int64_t unit);

/// How many blocks share one row of `columns` elements when there are `rows` of
/// them: enough to fill the device, and at least `unit` elements each. One if
/// the rows alone fill it.
int64_t getRowParts(int64_t rows, int64_t columns, int64_t unit);

/// Blocks that keep a large device busy. More than a block for each
/// multiprocessor, since blocks end at different times.
constexpr int64_t kBusyBlocks = 264;
/// The most parts of a reduction: so many partial results that the threads of
/// one block merge them in one step.
constexpr int64_t kMaxParts = 256;

/// How threads share a column reduction: thread (x, y) owns the `width` columns
/// from x * width of its block's, and every `threadsY`-th of the reduced
/// elements from the y-th.
struct ColumnLayout {
  unsigned width = 1;
  unsigned threadsX = kWarpThreads;
  unsigned threadsY = 8;

  /// The layout for `columns` columns (negative: unknown) in vectors of
  /// `width`. Few columns leave more threads for the reduced elements.
  static ColumnLayout get(int64_t columns, unsigned width);

  unsigned getBlockThreads() const { return threadsX * threadsY; }
  unsigned getBlockColumns() const { return threadsX * width; }
  unsigned getColumn(unsigned thread) const {
    return thread % threadsX * width;
  }
  unsigned getFirst(unsigned thread) const { return thread / threadsX; }
};

/// How many blocks share a column's `size` reduced elements, when there are
/// `blocks` blocks of columns and each takes `threadsY` elements in a step.
int64_t getColumnParts(int64_t blocks, int64_t size, int64_t threadsY);

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_REDUCTIONLAYOUT_H
