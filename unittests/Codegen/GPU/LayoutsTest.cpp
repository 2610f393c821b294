//===- LayoutsTest.cpp - tests of the maps of the GPU schedules -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values are the formulas of the PTX ISA 8.6, sections "Matrix
// Fragments for mma..." and "ldmatrix", written down as they stand there, and a
// model of shared memory: 32 banks of 4 bytes, an access of 16 bytes per lane
// in four phases of eight lanes, of 8 bytes in two phases of sixteen.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Layouts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

using namespace mlir::amp::gpu;
using llvm::SmallVector;

namespace {

using Element = std::pair<int64_t, int64_t>;

Element toPair(Coord<int64_t> coord) { return {coord.row, coord.col}; }

/// The most accesses that one bank gets when every lane of one phase accesses
/// `bytes` bytes at its address.
int64_t getConflicts(llvm::ArrayRef<int64_t> addresses, int64_t bytes) {
  size_t lanes = std::max<int64_t>(1, std::min<int64_t>(32, 128 / bytes));
  int64_t worst = 0;
  for (size_t first = 0; first < addresses.size(); first += lanes) {
    std::map<int64_t, std::set<int64_t>> words;
    for (size_t i = first; i < std::min(first + lanes, addresses.size()); ++i)
      for (int64_t byte = 0; byte < bytes; byte += 4)
        words[(addresses[i] + byte) / 4 % 32].insert((addresses[i] + byte) / 4);
    for (auto &[bank, distinct] : words)
      worst = std::max<int64_t>(worst, distinct.size());
  }
  return worst;
}

TEST(LayoutsTest, FragmentsOf16Bits) {
  MmaFragments f{16};
  EXPECT_EQ(f.getK(), 16u);
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t groupID = lane >> 2, threadID = lane % 4;
    for (int64_t i = 0; i < 8; ++i) {
      int64_t row = (i < 2 || (4 <= i && i < 6)) ? groupID : groupID + 8;
      int64_t col = i < 4 ? threadID * 2 + (i & 1) : threadID * 2 + (i & 1) + 8;
      EXPECT_EQ(toPair(f.a(lane, i / 2, i % 2)), Element(row, col));
    }
    for (int64_t i = 0; i < 4; ++i) {
      int64_t row = i < 2 ? threadID * 2 + (i & 1) : threadID * 2 + (i & 1) + 8;
      EXPECT_EQ(toPair(f.b(lane, i / 2, i % 2)), Element(row, groupID));
    }
  }
}

TEST(LayoutsTest, FragmentsOf8Bits) {
  MmaFragments f{8};
  EXPECT_EQ(f.getK(), 32u);
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t groupID = lane >> 2, threadID = lane % 4;
    for (int64_t i = 0; i < 16; ++i) {
      int64_t row = (i < 4 || (8 <= i && i < 12)) ? groupID : groupID + 8;
      int64_t col = threadID * 4 + (i & 3) + (i < 8 ? 0 : 16);
      EXPECT_EQ(toPair(f.a(lane, i / 4, i % 4)), Element(row, col));
    }
    for (int64_t i = 0; i < 8; ++i) {
      int64_t row = threadID * 4 + (i & 3) + (i < 4 ? 0 : 16);
      EXPECT_EQ(toPair(f.b(lane, i / 4, i % 4)), Element(row, groupID));
    }
  }
}

TEST(LayoutsTest, FragmentsOf32Bits) {
  MmaFragments f{32};
  EXPECT_EQ(f.getK(), 8u);
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t groupID = lane >> 2, threadID = lane % 4;
    EXPECT_EQ(toPair(f.a(lane, 0, 0)), Element(groupID, threadID));
    EXPECT_EQ(toPair(f.a(lane, 1, 0)), Element(groupID + 8, threadID));
    EXPECT_EQ(toPair(f.a(lane, 2, 0)), Element(groupID, threadID + 4));
    EXPECT_EQ(toPair(f.a(lane, 3, 0)), Element(groupID + 8, threadID + 4));
    EXPECT_EQ(toPair(f.b(lane, 0, 0)), Element(threadID, groupID));
    EXPECT_EQ(toPair(f.b(lane, 1, 0)), Element(threadID + 4, groupID));
  }
}

TEST(LayoutsTest, FragmentsOfAccumulators) {
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t groupID = lane >> 2, threadID = lane % 4;
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_EQ(toPair(MmaFragments::c(lane, i)),
                Element(i < 2 ? groupID : groupID + 8, threadID * 2 + (i & 1)));
    EXPECT_EQ(toPair(MmaFragmentsF64::a(lane)), Element(groupID, threadID));
    EXPECT_EQ(toPair(MmaFragmentsF64::b(lane)), Element(threadID, groupID));
    for (int64_t i = 0; i < 2; ++i)
      EXPECT_EQ(toPair(MmaFragmentsF64::c(lane, i)),
                Element(groupID, threadID * 2 + (i & 1)));
  }
}

/// Every element of each operand is in exactly one register of one lane.
TEST(LayoutsTest, FragmentsCoverTheirMatrices) {
  for (unsigned bits : {8u, 16u, 32u}) {
    MmaFragments f{bits};
    std::set<Element> a, b, c;
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (unsigned e = 0; e < f.perRegister(); ++e) {
        for (unsigned r = 0; r < MmaFragments::kRegistersA; ++r)
          EXPECT_TRUE(a.insert(toPair(f.a(lane, r, e))).second);
        for (unsigned r = 0; r < MmaFragments::kRegistersB; ++r)
          EXPECT_TRUE(b.insert(toPair(f.b(lane, r, e))).second);
      }
      for (unsigned r = 0; r < MmaFragments::kRegistersC; ++r)
        EXPECT_TRUE(c.insert(toPair(MmaFragments::c(lane, r))).second);
    }
    EXPECT_EQ(a.size(), 16 * f.getK());
    EXPECT_EQ(b.size(), 8 * f.getK());
    EXPECT_EQ(c.size(), 16u * 8);
    EXPECT_EQ(*a.rbegin(), Element(15, f.getK() - 1));
    EXPECT_EQ(*b.rbegin(), Element(f.getK() - 1, 7));
  }
}

/// Lanes and registers after ldmatrix.x4 with the given address map. `tile`
/// tells which matrix element lies at (row, 16-bit column) of shared memory;
/// the address of a lane is a row and a chunk of eight such columns.
template <typename AddressFn>
std::array<std::array<std::array<Element, 2>, 4>, 32>
runLdMatrix(AddressFn address, bool trans) {
  std::array<std::array<std::array<Element, 2>, 4>, 32> result;
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t j = 0; j < 4; ++j)
      for (int64_t i = 0; i < 2; ++i) {
        int64_t row = lane / 4, col = 2 * (lane % 4) + i;
        if (trans)
          std::swap(row, col);
        Coord<int64_t> start = address(8 * j + row);
        result[lane][j][i] = {start.row, start.col * 8 + col};
      }
  return result;
}

TEST(LayoutsTest, LdMatrixGivesFragments) {
  MmaFragments f{16};
  auto rowsA = runLdMatrix(LdMatrix::aFromRows<int64_t>, false);
  auto columnsA = runLdMatrix(LdMatrix::aFromColumns<int64_t>, true);
  auto columnsB = runLdMatrix(LdMatrix::bFromColumns<int64_t>, false);
  auto rowsB = runLdMatrix(LdMatrix::bFromRows<int64_t>, true);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned e = 0; e < 2; ++e) {
        auto [m, k] = toPair(f.a(lane, j, e));
        EXPECT_EQ(rowsA[lane][j][e], Element(m, k));
        EXPECT_EQ(columnsA[lane][j][e], Element(k, m));
        // Registers 0 and 1 are the first eight columns', 2 and 3 the next's.
        auto [kb, n] = toPair(f.b(lane, j % 2, e));
        EXPECT_EQ(columnsB[lane][j][e], Element(n + 8 * (j / 2), kb));
        EXPECT_EQ(rowsB[lane][j][e], Element(kb, n + 8 * (j / 2)));
      }
}

/// Elements of 8 and 32 bits go through the same plain loads, a register being
/// 16-bit columns 2 (lane % 4) + {0, 1}: byte 4 (lane % 4) of the chunk.
TEST(LayoutsTest, LdMatrixGivesFragmentsOfOtherWidths) {
  for (unsigned bits : {8u, 32u}) {
    MmaFragments f{bits};
    auto a = runLdMatrix(LdMatrix::aFromRows<int64_t>, false);
    auto b = runLdMatrix(LdMatrix::bFromColumns<int64_t>, false);
    for (int64_t lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < 4; ++j)
        for (unsigned e = 0; e < f.perRegister(); ++e) {
          int64_t bit = e * bits;
          auto locate = [&](Element halves) {
            return Element(halves.first,
                           (halves.second * 16 + bit % 16) / bits);
          };
          unsigned half = bit / 16;
          EXPECT_EQ(locate(a[lane][j][half]), toPair(f.a(lane, j, e)));
          auto [k, n] = toPair(f.b(lane, j % 2, e));
          EXPECT_EQ(locate(b[lane][j][half]), Element(n + 8 * (j / 2), k));
        }
  }
}

TEST(LayoutsTest, SwizzledTileIsAPermutation) {
  for (int64_t chunks : {2, 4, 8, 16, 32})
    for (int64_t rows : {8, 16, 64}) {
      SwizzledTile tile{rows, chunks};
      std::set<int64_t> seen;
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t chunk = 0; chunk < chunks; ++chunk) {
          int64_t offset = tile.offset(row, chunk);
          EXPECT_EQ(offset % 16, 0);
          EXPECT_GE(offset, row * chunks * 16);
          EXPECT_LT(offset, (row + 1) * chunks * 16);
          EXPECT_TRUE(seen.insert(offset).second);
        }
      for (int64_t row = 0; row + 8 < rows; ++row)
        EXPECT_EQ(tile.mask(row), tile.mask(row + 8));
    }
}

TEST(LayoutsTest, SwizzledTileHasNoBankConflicts) {
  for (int64_t chunks : {2, 4, 8, 16, 32}) {
    SwizzledTile tile{64, chunks};
    for (int64_t row = 0; row < tile.rows; row += 8)
      for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        SmallVector<int64_t> down;
        for (int64_t i = 0; i < 8; ++i)
          down.push_back(tile.offset(row + i, chunk));
        EXPECT_EQ(getConflicts(down, 16), 1) << chunks << " chunks";
      }
    for (int64_t first = 0; first < tile.rows * chunks; first += 8) {
      SmallVector<int64_t> along;
      for (int64_t i = first; i < first + 8; ++i)
        along.push_back(tile.offset(i / chunks, i % chunks));
      EXPECT_EQ(getConflicts(along, 16), 1) << chunks << " chunks";
    }
  }
}

/// All ldmatrix of all warps and steps of the tiles in use.
TEST(LayoutsTest, LdMatrixHasNoBankConflicts) {
  auto check = [](SwizzledTile tile, Coord<int64_t> (*map)(int64_t),
                  int64_t row, int64_t chunk) {
    SmallVector<int64_t> addresses;
    for (int64_t lane = 0; lane < 32; ++lane) {
      Coord<int64_t> at = map(lane);
      addresses.push_back(tile.offset(row + at.row, chunk + at.col));
    }
    EXPECT_EQ(getConflicts(addresses, 16), 1);
  };
  for (int64_t chunks : {4, 8}) // rows of 64 and 128 bytes along k
    for (int64_t row = 0; row < 128; row += 16)
      for (int64_t chunk = 0; chunk < chunks; chunk += 2) {
        check({128, chunks}, LdMatrix::aFromRows<int64_t>, row, chunk);
        check({128, chunks}, LdMatrix::bFromColumns<int64_t>, row, chunk);
      }
  for (int64_t chunks : {4, 8, 16, 32}) // rows of 32 to 256 elements
    for (int64_t row = 0; row < 64; row += 16)
      for (int64_t chunk = 0; chunk < chunks; chunk += 2) {
        check({64, chunks}, LdMatrix::aFromColumns<int64_t>, row, chunk);
        check({64, chunks}, LdMatrix::bFromRows<int64_t>, row, chunk);
      }
}

/// The words that lanes read of tiles [k][m] and [k][n] are the fragments that
/// the PTX ISA gives them.
TEST(LayoutsTest, WordsAreFragments) {
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t groupID = lane >> 2, threadID = lane % 4;
    for (int64_t i = 0; i < 4; ++i) {
      int64_t m = i == 0 || i == 2 ? groupID : groupID + 8;
      int64_t k = i < 2 ? threadID : threadID + 4;
      EXPECT_EQ(toPair(WordFragments::a(lane, i)), Element(k, m));
      // Two fragments of B, one beside the other.
      EXPECT_EQ(toPair(WordFragments::b(lane, i)),
                Element(i % 2 ? threadID + 4 : threadID,
                        i < 2 ? groupID : groupID + 8));
    }
  }
}

/// Tiles of words: a permutation, with lines of 16 bytes written and words read
/// without conflicts, for every warp and step of the tiles in use.
TEST(LayoutsTest, WordsHaveNoBankConflicts) {
  for (int64_t chunks : {4, 8, 16, 32})
    for (int64_t rows : {16, 32}) {
      SwizzledTile tile{rows, chunks, /*hasWords=*/true};
      std::set<int64_t> seen;
      for (int64_t first = 0; first < rows * chunks; first += 8) {
        SmallVector<int64_t> along;
        for (int64_t i = first; i < first + 8; ++i) {
          along.push_back(tile.offset(i / chunks, i % chunks));
          EXPECT_EQ(along.back() % 16, 0);
          EXPECT_EQ(along.back() / (chunks * 16), i / chunks);
          EXPECT_TRUE(seen.insert(along.back()).second);
        }
        EXPECT_EQ(getConflicts(along, 16), 1) << chunks << " chunks";
      }
      for (int64_t row = 0; row + 8 < rows; ++row)
        EXPECT_EQ(tile.mask(row), tile.mask(row + 8));
      for (auto *map : {WordFragments::a<int64_t>, WordFragments::b<int64_t>})
        for (unsigned reg = 0; reg < 4; ++reg)
          for (int64_t k = 0; k < rows; k += 8)
            for (int64_t mn = 0; mn < chunks * 4; mn += 16) {
              SmallVector<int64_t> words;
              for (int64_t lane = 0; lane < 32; ++lane) {
                auto [row, col] = toPair(map(lane, reg));
                words.push_back(tile.offset(k + row, (mn + col) / 4) +
                                (mn + col) % 4 * 4);
              }
              EXPECT_EQ(getConflicts(words, 4), 1) << chunks << " chunks";
            }
    }
}

TEST(LayoutsTest, WarpsCoverTheBlock) {
  for (WarpGrid grid :
       {WarpGrid{128, 128, 2, 4}, WarpGrid{128, 64, 4, 2},
        WarpGrid{64, 64, 2, 2}, WarpGrid{64, 32, 2, 2}, WarpGrid{32, 32, 2, 2},
        WarpGrid{16, 32, 1, 2}, WarpGrid{16, 128, 1, 4}}) {
    std::set<Element> origins;
    for (int64_t warp = 0; warp < grid.getThreads() / 32; ++warp) {
      auto [row, col] = toPair(grid.warpOrigin(warp));
      EXPECT_EQ(row % grid.getWarpM(), 0);
      EXPECT_EQ(col % grid.getWarpN(), 0);
      EXPECT_LT(row, grid.blockM);
      EXPECT_LT(col, grid.blockN);
      EXPECT_TRUE(origins.insert({row, col}).second);
    }
    EXPECT_EQ(int64_t(origins.size()) * grid.getWarpM() * grid.getWarpN(),
              grid.blockM * grid.blockN);
  }
}

TEST(LayoutsTest, FmaLanesCoverTheWarpTile) {
  std::set<Element> seen;
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < 8; ++i)
      for (int64_t j = 0; j < 8; ++j)
        EXPECT_TRUE(
            seen.insert({FmaLanes::row(lane, i), FmaLanes::col(lane, j)})
                .second);
  EXPECT_EQ(seen.size(), 64u * 32);
  EXPECT_EQ(*seen.rbegin(), Element(63, 31));
  // Slab rows: register rows 2s and 2s + 1 of lane group g are rows 2g, 2g + 1.
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 8; ++reg)
      EXPECT_EQ(Slab::fmaRow(reg / 2, 2 * (lane / 4) + reg % 2),
                FmaLanes::row(lane, reg));
}

TEST(LayoutsTest, SlabHasNoBankConflicts) {
  for (int64_t warpN : {16, 32, 64, 128}) {
    int64_t pitch = Slab::getPitch(warpN);
    EXPECT_EQ(pitch % 4, 0) << "rows must keep 16-byte alignment";
    for (unsigned half = 0; half < 2; ++half)
      for (int64_t n = 0; n < warpN; n += 8) {
        SmallVector<int64_t> pairs;
        for (int64_t lane = 0; lane < 32; ++lane) {
          auto [row, col] = toPair(MmaFragments::c(lane, 2 * half));
          pairs.push_back((row * pitch + n + col) * 4);
        }
        EXPECT_EQ(getConflicts(pairs, 8), 1);
      }
  }
  // Lanes read four columns each, along the rows.
  int64_t pitch = Slab::getPitch(32);
  for (int64_t pass = 0; pass < 4; ++pass) {
    SmallVector<int64_t> reads;
    for (int64_t lane = 0; lane < 32; ++lane)
      reads.push_back(((pass * 4 + lane / 8) * pitch + lane % 8 * 4) * 4);
    EXPECT_EQ(getConflicts(reads, 16), 1);
  }
}

TEST(LayoutsTest, GroupedTilesAreAPermutation) {
  auto min = [](int64_t a, int64_t b) { return std::min(a, b); };
  for (int64_t tilesM = 1; tilesM <= 21; ++tilesM)
    for (int64_t tilesN = 1; tilesN <= 9; ++tilesN)
      for (int64_t group : {1, 4, 8}) {
        std::set<Element> seen;
        for (int64_t id = 0; id < tilesM * tilesN; ++id) {
          Element tile = toPair(getGroupedTile(id, tilesM, tilesN, group, min));
          EXPECT_LT(tile.first, tilesM);
          EXPECT_LT(tile.second, tilesN);
          EXPECT_TRUE(seen.insert(tile).second);
          // Nothing of the next group runs before this group is done.
          EXPECT_EQ(tile.first / group, id / (group * tilesN));
        }
      }
}

TEST(LayoutsTest, TransposeTileIsAPermutationWithoutConflicts) {
  struct Case {
    int64_t size, vector, bytes;
  };
  for (auto [size, vector, bytes] :
       {Case{128, 4, 1}, Case{64, 4, 2}, Case{64, 4, 4}, Case{32, 2, 8}}) {
    TransposeTile tile{size, vector};
    std::set<int64_t> seen;
    for (int64_t row = 0; row < size; ++row)
      for (int64_t col = 0; col < size; ++col) {
        int64_t offset = tile.offset(row, col);
        EXPECT_TRUE(seen.insert(offset).second);
        EXPECT_EQ(offset / size, row);
        EXPECT_EQ(offset - tile.offset(row, col - col % vector), col % vector);
      }
    int64_t pieces = tile.getPieces();
    // Piece number p of a tile is piece p % pieces of its row p / pieces: lanes
    // write their pieces of column block p % pieces, and read along rows.
    for (int64_t first = 0; first < pieces * pieces; first += 32)
      for (int64_t i = 0; i < vector; ++i) {
        SmallVector<int64_t> writes, reads;
        for (int64_t p = first; p < first + 32; ++p) {
          int64_t across = p % pieces * vector, down = p / pieces * vector;
          writes.push_back(tile.offset(across + i, down) * bytes);
          reads.push_back(tile.offset(down + i, across) * bytes);
        }
        EXPECT_EQ(getConflicts(writes, vector * bytes), 1) << bytes;
        EXPECT_EQ(getConflicts(reads, vector * bytes), 1) << bytes;
      }
  }
}

} // namespace
