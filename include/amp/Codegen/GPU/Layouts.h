//===- Layouts.h - which thread holds which element -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps between threads, registers, shared memory and matrix elements that
// the GPU schedules use. Every map is a template over the integer: the unit
// tests run it over all values of int64_t against the formulas of the PTX ISA,
// and the schedules run the very same code on a type that builds IR. So no map
// may branch on an `Int`, and all constants are plain integers.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_LAYOUTS_H
#define AMP_CODEGEN_GPU_LAYOUTS_H

#include <cstdint>

namespace mlir::amp::gpu {

/// An element of a matrix.
template <typename Int>
struct Coord {
  Int row, col;
};

/// The fragments of one `mma.sync.aligned.m16n8kK.row.col`, for elements of 8,
/// 16 or 32 bits (tf32), whose K is 32 bytes: PTX ISA, "Matrix fragments for
/// mma.m16n8k8 / .m16n8k16 / .m16n8k32". A register has 32 bits and holds
/// `32 / bits` elements, `element` counts from its low bits.
struct MmaFragments {
  unsigned bits;

  static constexpr unsigned kM = 16, kN = 8;
  static constexpr unsigned kRegistersA = 4, kRegistersB = 2, kRegistersC = 4;
  constexpr unsigned getK() const { return 256 / bits; }
  constexpr unsigned perRegister() const { return 32 / bits; }

  /// (row of A, k).
  template <typename Int>
  Coord<Int> a(Int lane, unsigned reg, unsigned element) const {
    int64_t per = perRegister();
    return {(lane >> 2) + int64_t(8 * (reg % 2)),
            (lane & 3) * per + int64_t(element + 4 * per * (reg / 2))};
  }
  /// (k, column of B).
  template <typename Int>
  Coord<Int> b(Int lane, unsigned reg, unsigned element) const {
    int64_t per = perRegister();
    return {(lane & 3) * per + int64_t(element + 4 * per * reg), lane >> 2};
  }
  /// (row, column) of the accumulator, whose elements have 32 bits.
  template <typename Int>
  static Coord<Int> c(Int lane, unsigned reg) {
    return {(lane >> 2) + int64_t(8 * (reg / 2)),
            (lane & 3) * int64_t(2) + int64_t(reg % 2)};
  }
};

/// The fragments of `mma.sync.aligned.m8n8k4.row.col.f64`: one element of A and
/// of B, two of C.
struct MmaFragmentsF64 {
  template <typename Int>
  static Coord<Int> a(Int lane) {
    return {lane >> 2, lane & 3};
  }
  template <typename Int>
  static Coord<Int> b(Int lane) {
    return {lane & 3, lane >> 2};
  }
  template <typename Int>
  static Coord<Int> c(Int lane, unsigned reg) {
    return {lane >> 2, (lane & 3) * int64_t(2) + int64_t(reg)};
  }
};

/// A tile in shared memory: `rows` rows of `chunks` pieces of 16 bytes (powers
/// of two, two chunks at least). The chunks of a row are permuted by XOR, so
/// that any eight chunks which are one in each of eight consecutive rows from a
/// multiple of eight, or eight that are consecutive from a multiple of eight,
/// lie in different banks.
///
/// With `hasWords`, four chunks at least, lanes read words of 32 bits instead:
/// not the chunks down eight rows, but the words of two chunks, from an even
/// one, in each of four consecutive rows lie in different banks.
struct SwizzledTile {
  static constexpr int64_t kChunkBytes = 16;
  int64_t rows, chunks;
  bool hasWords = false;

  constexpr int64_t getBytes() const { return rows * chunks * kChunkBytes; }

  /// What the chunk numbers of `row` are XORed with. It is the same for row
  /// and row + 8.
  template <typename Int>
  Int mask(Int row) const {
    if (hasWords)
      return chunks >= 8 ? (row & 3) * int64_t(2)
                         : ((row >> 1) & 1) * int64_t(2);
    // Rows that share one line of 128 bytes need no different masks.
    if (chunks >= 8)
      return row & 7;
    unsigned shift = chunks == 4 ? 1 : 2;
    return (row >> shift) & (chunks - 1);
  }
  /// The byte where `chunk` of `row` starts.
  template <typename Int>
  Int offset(Int row, Int chunk) const {
    return row * (chunks * kChunkBytes) + (chunk ^ mask(row)) * kChunkBytes;
  }
};

/// What lane `lane` gives to `ldmatrix.x4` as the start of a row of 8 x 16
/// bits, to get fragments for `mma.sync`: a row and a chunk of a SwizzledTile.
/// PTX ISA, "ldmatrix": lane 8j + i gives row i of matrix j, and gets in
/// register j the elements (lane / 4, 2 (lane % 4) + {0, 1}), or with .trans
/// (2 (lane % 4) + {0, 1}, lane / 4).
struct LdMatrix {
  /// The four registers of A from a tile [m][k], at (m0, chunk of k0): plain.
  template <typename Int>
  static Coord<Int> aFromRows(Int lane) {
    return {lane & 15, lane >> 4};
  }
  /// The same from a tile [k][m] of 16-bit elements, at (k0, chunk of m0):
  /// .trans.
  template <typename Int>
  static Coord<Int> aFromColumns(Int lane) {
    return {(lane & 7) + (lane >> 4) * int64_t(8), (lane >> 3) & 1};
  }
  /// The two registers of B for columns n0.., then those for n0 + 8.., from a
  /// tile [n][k], at (n0, chunk of k0): plain.
  template <typename Int>
  static Coord<Int> bFromColumns(Int lane) {
    return {(lane & 7) + (lane >> 4) * int64_t(8), (lane >> 3) & 1};
  }
  /// The same from a tile [k][n] of 16-bit elements, at (k0, chunk of n0):
  /// .trans.
  template <typename Int>
  static Coord<Int> bFromRows(Int lane) {
    return {lane & 15, lane >> 4};
  }
};

/// Where lanes find their registers for `mma.sync` of 32-bit elements in a tile
/// [k][m] or [k][n], which ldmatrix cannot transpose: in words, a SwizzledTile
/// with `hasWords`. (row k, column m or n) from (k0, m0), or (k0, n0).
struct WordFragments {
  /// Register `reg` of A.
  template <typename Int>
  static Coord<Int> a(Int lane, unsigned reg) {
    Coord<Int> at = MmaFragments{32}.a(lane, reg, 0);
    return {at.col, at.row};
  }
  /// Registers 0 and 1 of B for columns n0.., then those for n0 + 8...
  template <typename Int>
  static Coord<Int> b(Int lane, unsigned reg) {
    Coord<Int> at = MmaFragments{32}.b(lane, reg % 2, 0);
    return {at.row, at.col + int64_t(8 * (reg / 2))};
  }
};

/// How the threads of a block, in warps, share an output tile.
struct WarpGrid {
  int64_t blockM, blockN, warpsM, warpsN;

  constexpr int64_t getThreads() const { return 32 * warpsM * warpsN; }
  constexpr int64_t getWarpM() const { return blockM / warpsM; }
  constexpr int64_t getWarpN() const { return blockN / warpsN; }

  /// Where the tile of `warp` starts in that of the block.
  template <typename Int>
  Coord<Int> warpOrigin(Int warp) const {
    return {(warp % warpsM) * getWarpM(), (warp / warpsM) * getWarpN()};
  }
};

/// The part of a warp's tile that one lane has in a schedule without tensor
/// cores: eight rows and groups of four columns. The rows of a warp tile of
/// 32 x i rows are 4 (lane / 4) + {0..3} + 32 i, the columns of one of 16 x j
/// are 4 (lane % 4) + {0..3} + 16 j.
struct FmaLanes {
  template <typename Int>
  static Int row(Int lane, int64_t i) {
    return (lane >> 2) * int64_t(4) + (i % 4 + i / 4 * 32);
  }
  template <typename Int>
  static Int col(Int lane, int64_t j) {
    return (lane & 3) * int64_t(4) + (j % 4 + j / 4 * 16);
  }
};

/// The accumulators on their way to memory: sixteen rows of a warp's tile, a
/// slab, lie in shared memory as rows of `pitch` elements of 32 bits. With a
/// pitch of 8 (mod 16) neither the pairs that mma leaves nor 16-byte reads
/// conflict.
struct Slab {
  static constexpr int64_t kRows = 16;
  static constexpr int64_t getPitch(int64_t warpN) { return warpN + 8; }

  /// The row of the warp's tile that row `i` of slab `slab` is.
  template <typename Int>
  static Int mmaRow(int64_t slab, Int i) {
    return i + slab * kRows;
  }
  /// The same for FmaLanes, whose slab has registers 2 slab and 2 slab + 1 of
  /// all lanes.
  template <typename Int>
  static Int fmaRow(int64_t slab, Int i) {
    int64_t reg = 2 * slab;
    return (i >> 1) * int64_t(4) + (i & 1) + (reg % 4 + reg / 4 * 32);
  }
};

/// The order of the output tiles: groups of `group` rows of tiles, and in a
/// group down the columns first, so that blocks which run together share
/// operands in L2.
template <typename Int, typename MinFn>
Coord<Int> getGroupedTile(Int id, Int tilesM, Int tilesN, int64_t group,
                          MinFn min) {
  Int width = tilesN * group;
  Int first = (id / width) * group;
  Int height = min(tilesM - first, group);
  Int inside = id % width;
  return {first + inside % height, inside / height};
}

/// The tile of the transpose: a square of `size` elements. An element (r, c) of
/// the input tile is stored at row c, so that a row of the output tile is one
/// row of shared memory. `vector` elements, a power of two, make a piece, and
/// pieces are permuted by XOR with the number of the piece of input that they
/// come from: threads that write the same piece of different rows, and threads
/// that read one row, hit different banks.
struct TransposeTile {
  int64_t size, vector;

  constexpr int64_t getPieces() const { return size / vector; }
  template <typename Int>
  Int offset(Int row, Int col) const {
    Int piece = (col / vector) ^ ((row / vector) % getPieces());
    return row * size + piece * vector + col % vector;
  }
};

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_LAYOUTS_H
