//===- Fragments.h - which thread of a warpgroup holds what -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The registers of wgmma, and the way from them to shared memory. See Layouts.h
// for why the maps are templates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_FRAGMENTS_H
#define AMP_CODEGEN_GPU_HOPPER_FRAGMENTS_H

#include "amp/Codegen/GPU/Hopper/SharedLayout.h"
#include "amp/Codegen/GPU/Layouts.h"

#include <algorithm>

namespace mlir::amp::gpu::hopper {

/// The registers of one `wgmma.mma_async.m64nNkK`. `warp` is the number of the
/// warp in its warpgroup, 0 to 3.
struct WgmmaFragments {
  static constexpr int64_t kM = 64;
  static constexpr int64_t kWarpRows = 16;
  static constexpr unsigned kRegistersA = 4;

  /// Whether wgmma has the N. PTX ISA, "Matrix shape" of wgmma: multiples of 8
  /// up to 256; of integers, above 32, of 16 only (and 24).
  static constexpr bool hasN(int64_t n, bool isInteger) {
    return n >= 8 && n <= 256 && n % 8 == 0 &&
           (!isInteger || n <= 32 || n % 16 == 0);
  }

  /// The accumulators of 32 bits that a thread has: N / 2.
  static constexpr int64_t getNumAccumulators(int64_t n) { return n / 2; }

  /// Element `i` of D (f32 or s32: register i; f16: half i % 2 of register
  /// i / 2). PTX ISA, "Register Fragments" of wgmma, "Accumulator D":
  /// row = 16 warp + lane / 4 + 8 (i / 2 % 2),
  /// column = 8 (i / 4) + 2 (lane % 4) + i % 2.
  template <typename Int>
  static Coord<Int> accumulator(Int warp, Int lane, int64_t i) {
    return {warp * kWarpRows + (lane >> int64_t(2)) + i / 2 % 2 * 8,
            (lane & int64_t(3)) * int64_t(2) + (i / 4 * 8 + i % 2)};
  }
  /// The element of D at column 8 `group` + 2 (lane % 4) + `pair` of the row
  /// lane / 4 + 8 `half`: the inverse of the map above.
  static constexpr int64_t getAccumulator(int64_t group, int64_t half,
                                          int64_t pair) {
    return 4 * group + 2 * half + pair;
  }

  /// (row, k) of element `element` of register `reg` of A in registers, for
  /// elements of 16, 32 (tf32) or 8 bits. PTX ISA, "Register Fragments" of
  /// wgmma, "Matrix A": those of mma.sync.m16n8, 16 rows for each warp.
  template <typename Int>
  static Coord<Int> a(unsigned bits, Int warp, Int lane, unsigned reg,
                      unsigned element) {
    Coord<Int> at = MmaFragments{bits}.a(lane, reg, element);
    return {warp * kWarpRows + at.row, at.col};
  }

  /// The accumulator of a wgmma that holds, in the same thread, what element
  /// `element` of register `reg` of k step `step` of a 16-bit A holds: a result
  /// becomes an operand with no exchange between threads.
  static constexpr int64_t getAccumulatorOfA16(int64_t step, unsigned reg,
                                               unsigned element) {
    return getAccumulator(2 * step + reg / 2, reg % 2, element);
  }
};

/// A buffer on the way from accumulators to a TMA store with a swizzle of 128
/// bytes: rows of 128 bytes, dense. A warp fills 16 rows, from a multiple of
/// eight, of a buffer that is aligned to 1024 bytes.
struct StoreBuffer {
  static constexpr int64_t kRowBytes = 128;

  /// Columns of a buffer.
  static constexpr int64_t getColumns(unsigned bits) {
    return kRowBytes * 8 / bits;
  }
  static constexpr int64_t getBytes(int64_t rows) { return rows * kRowBytes; }

  /// Where byte `byte` of row `row` lies.
  template <typename Int>
  static Int offset(Int row, Int byte) {
    Int chunk = (byte / int64_t(16)) ^ (row & int64_t(7));
    return row * kRowBytes + chunk * int64_t(16) + byte % int64_t(16);
  }

  /// What lane `lane` gives stmatrix.x4 as its address, to store 16 rows by
  /// columns 16 `quarter` to 16 `quarter` + 15 of elements of 16 bits. PTX ISA,
  /// "stmatrix": lane 8 j + i gives the address of row i of matrix j; register
  /// j holds (lane / 4, 2 (lane % 4) + {0, 1}) of matrix j. Matrices 0 and 1
  /// are the rows 0 and 8 of the first eight columns, 2 and 3 of the others.
  /// Eight lanes of one matrix hit all 32 banks once.
  template <typename Int>
  static Int storeMatrix(Int lane, int64_t quarter) {
    Int row = lane & int64_t(15);
    Int chunk = (lane >> int64_t(4)) + 2 * quarter;
    return row * kRowBytes + (chunk ^ (row & int64_t(7))) * int64_t(16);
  }
  /// Which accumulator is half `half` of register `reg` of that stmatrix, for a
  /// buffer of 64 columns from 64 `chunk` on.
  static constexpr int64_t getStoredAccumulator(int64_t chunk, int64_t quarter,
                                                unsigned reg, unsigned half) {
    return WgmmaFragments::getAccumulator(8 * chunk + 2 * quarter + reg / 2,
                                          reg % 2, half);
  }

  /// Where lane `lane` stores two accumulators of 32 bits, 8 bytes, of group
  /// `group` of eight columns (0 to 3) and row lane / 4 + 8 `half`.
  template <typename Int>
  static Int storePair(Int lane, int64_t group, int64_t half) {
    Int row = (lane >> int64_t(2)) + 8 * half;
    Int byte = (lane & int64_t(3)) * int64_t(8) + 32 * group;
    return offset(row, byte);
  }
};

/// The same for a warp of a tile of few columns, whose results TMA stores
/// without a swizzle: 16 rows and a few columns at once, in boxes of `boxRows`
/// rows. Where the result is contiguous along the rows of the tile
/// (`isAlongRows`), they are the inner dimension of the boxes.
struct SkinnyBuffer {
  static constexpr int64_t kRows = 16, kBytes = 512;

  /// Bytes of an element: 1, 2 or 4.
  int64_t bytes;
  /// 16 or 8: what the rows of a tile are a multiple of.
  int64_t boxRows;
  bool isAlongRows;
  /// Columns of the tile.
  int64_t tileColumns;

  /// Columns of the buffer. stmatrix.x4 has 16, of which TMA stores those that
  /// the result has.
  constexpr int64_t getColumns() const {
    int64_t columns = kBytes / (kRows * bytes);
    return bytes == 2 ? columns : std::min(columns, tileColumns);
  }
  constexpr int64_t getNumBoxes() const { return kRows / boxRows; }
  /// Where a box begins.
  constexpr int64_t getBoxOffset(int64_t box) const {
    return kBytes / getNumBoxes() * box;
  }
  constexpr int64_t getBoxInner() const {
    return isAlongRows ? boxRows : getColumns();
  }
  constexpr int64_t getBoxOuter() const {
    return isAlongRows ? getColumns() : boxRows;
  }
  /// Whether a row of a box is a multiple of 16 bytes, as TMA needs it.
  constexpr bool isValid() const { return getBoxInner() * bytes % 16 == 0; }

  /// Where the element at `row` and `column` lies.
  template <typename Int>
  Int offset(Int row, Int column) const {
    Int inBox = row % boxRows;
    Int element =
        isAlongRows ? column * boxRows + inBox : inBox * getColumns() + column;
    return row / boxRows * getBoxOffset(1) + element * bytes;
  }
  /// What lane `lane` gives stmatrix.x4 as its address, transposed if
  /// `isAlongRows`: see `StoreBuffer::storeMatrix`. Of a transposed matrix it
  /// is the address of a column.
  template <typename Int>
  Int storeMatrix(Int lane) const {
    Int inMatrix = lane & int64_t(7);
    Int half = (lane >> int64_t(3)) & int64_t(1), eight = lane >> int64_t(4);
    return isAlongRows
               ? offset(half * int64_t(8), eight * int64_t(8) + inMatrix)
               : offset(half * int64_t(8) + inMatrix, eight * int64_t(8));
  }
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_FRAGMENTS_H
