//===- FragmentsTest.cpp - which thread of a warpgroup holds what ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values are the formulas of the PTX ISA 8.6, sections "Register
// Fragments" of wgmma and "stmatrix", written down as they stand there.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

namespace {

using Element = std::pair<int64_t, int64_t>;

TEST(FragmentsTest, Shapes) {
  // The lists of the table "Matrix shape", for floats and for integers.
  std::set<int64_t> integers = {8,   16,  24,  32,  48,  64,  80,  96,  112,
                                128, 144, 160, 176, 192, 208, 224, 240, 256};
  for (int64_t n = 0; n <= 300; ++n) {
    EXPECT_EQ(WgmmaFragments::hasN(n, /*isInteger=*/false),
              n >= 8 && n <= 256 && n % 8 == 0);
    EXPECT_EQ(WgmmaFragments::hasN(n, /*isInteger=*/true),
              integers.count(n) == 1);
  }
}

TEST(FragmentsTest, Accumulators) {
  for (int64_t n = 8; n <= 256; n += 8) {
    std::set<Element> seen;
    for (int64_t thread = 0; thread < 128; ++thread)
      for (int64_t i = 0; i < WgmmaFragments::getNumAccumulators(n); ++i) {
        // "Register Fragments", "Accumulator D".
        int64_t warp = thread / 32, groupID = thread % 32 >> 2,
                threadID = thread % 4;
        int64_t row = 16 * warp + groupID + (i % 4 < 2 ? 0 : 8);
        int64_t col = i / 4 * 8 + threadID * 2 + (i & 1);
        Coord<int64_t> at =
            WgmmaFragments::accumulator<int64_t>(warp, thread % 32, i);
        EXPECT_EQ(Element(at.row, at.col), Element(row, col));
        EXPECT_EQ(WgmmaFragments::getAccumulator(i / 4, i / 2 % 2, i % 2), i);
        EXPECT_TRUE(seen.insert({at.row, at.col}).second);
      }
    EXPECT_EQ(int64_t(seen.size()), 64 * n);
  }
}

TEST(FragmentsTest, A16) {
  std::set<Element> seen;
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t i = 0; i < 8; ++i) {
      int64_t groupID = thread % 32 >> 2, threadID = thread % 4;
      // "Matrix fragments for wgmma.mma_async.m64nNk16": ai, i = {0..7}.
      int64_t row = 16 * (thread / 32) +
                    ((i < 2 || (4 <= i && i < 6)) ? groupID : groupID + 8);
      int64_t col = i < 4 ? threadID * 2 + (i & 1) : threadID * 2 + (i & 1) + 8;
      Coord<int64_t> at = WgmmaFragments::a<int64_t>(16, thread / 32,
                                                     thread % 32, i / 2, i % 2);
      EXPECT_EQ(Element(at.row, at.col), Element(row, col));
      seen.insert({at.row, at.col});
    }
  EXPECT_EQ(seen.size(), 64u * 16);
}

TEST(FragmentsTest, A32) {
  std::set<Element> seen;
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t i = 0; i < 4; ++i) {
      int64_t groupID = thread % 32 >> 2, threadID = thread % 4;
      // m64nNk8: ai, i = {0..3}.
      int64_t row = 16 * (thread / 32) + (i % 2 == 0 ? groupID : groupID + 8);
      int64_t col = i < 2 ? threadID : threadID + 4;
      Coord<int64_t> at =
          WgmmaFragments::a<int64_t>(32, thread / 32, thread % 32, i, 0);
      EXPECT_EQ(Element(at.row, at.col), Element(row, col));
      seen.insert({at.row, at.col});
    }
  EXPECT_EQ(seen.size(), 64u * 8);
}

TEST(FragmentsTest, A8) {
  std::set<Element> seen;
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t i = 0; i < 16; ++i) {
      int64_t groupID = thread % 32 >> 2, threadID = thread % 4;
      // m64nNk32: ai, i = {0..15}.
      int64_t row = 16 * (thread / 32) +
                    ((i < 4 || (8 <= i && i < 12)) ? groupID : groupID + 8);
      int64_t col = threadID * 4 + (i & 3) + (i < 8 ? 0 : 16);
      Coord<int64_t> at =
          WgmmaFragments::a<int64_t>(8, thread / 32, thread % 32, i / 4, i % 4);
      EXPECT_EQ(Element(at.row, at.col), Element(row, col));
      seen.insert({at.row, at.col});
    }
  EXPECT_EQ(seen.size(), 64u * 32);
}

TEST(FragmentsTest, ResultsAreOperands) {
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t step = 0; step < 16; ++step)
      for (unsigned reg = 0; reg < 4; ++reg)
        for (unsigned element = 0; element < 2; ++element) {
          Coord<int64_t> operand = WgmmaFragments::a<int64_t>(
              16, thread / 32, thread % 32, reg, element);
          Coord<int64_t> result = WgmmaFragments::accumulator<int64_t>(
              thread / 32, thread % 32,
              WgmmaFragments::getAccumulatorOfA16(step, reg, element));
          EXPECT_EQ(operand.row, result.row);
          EXPECT_EQ(operand.col + 16 * step, result.col);
        }
}

/// stmatrix of accumulators fills a buffer as the TMA's swizzle wants it.
TEST(FragmentsTest, StoreMatrix) {
  for (int64_t n : {64, 128, 256})
    for (int64_t chunk = 0; chunk < n / 64; ++chunk) {
      // What lies at each two bytes: (row, column) of the tile of 16 rows.
      std::map<int64_t, Element> stored;
      for (int64_t quarter = 0; quarter < 4; ++quarter) {
        int64_t address[32];
        for (int64_t lane = 0; lane < 32; ++lane)
          address[lane] = StoreBuffer::storeMatrix(lane, quarter);
        for (int64_t lane = 0; lane < 32; ++lane)
          for (unsigned reg = 0; reg < 4; ++reg)
            for (unsigned half = 0; half < 2; ++half) {
              // "stmatrix": thread `lane` has row lane / 4, elements 2 (lane %
              // 4) and the next, of matrix `reg`, whose row i is at the address
              // of lane 8 reg + i.
              int64_t to =
                  address[8 * reg + lane / 4] + 2 * (2 * (lane % 4) + half);
              Coord<int64_t> from = WgmmaFragments::accumulator<int64_t>(
                  0, lane,
                  StoreBuffer::getStoredAccumulator(chunk, quarter, reg, half));
              EXPECT_TRUE(stored.insert({to, {from.row, from.col}}).second);
            }
        // Conflicts: the eight rows of a matrix are one phase.
        for (int64_t first = 0; first < 32; first += 8) {
          std::set<int64_t> banks;
          for (int64_t lane = first; lane < first + 8; ++lane)
            banks.insert(address[lane] / 16 % 8);
          EXPECT_EQ(banks.size(), 8u);
        }
      }
      TmaBox box{16, Swizzle::B128, 2, {64, 16, 1, 1, 1}};
      for (int64_t row = 0; row < 16; ++row)
        for (int64_t col = 0; col < 64; ++col) {
          int64_t at = box.offset(std::array<int64_t, 5>{col, row, 0, 0, 0});
          EXPECT_EQ(stored.at(at), Element(row, 64 * chunk + col));
          EXPECT_EQ(StoreBuffer::offset(row, 2 * col), at);
        }
    }
}

/// What a warp of a tile of few columns leaves in its buffer is what boxes of
/// TMA read, for each size of elements, cut of tiles and direction.
TEST(FragmentsTest, SkinnyBuffers) {
  for (int64_t bytes : {1, 2, 4})
    for (int64_t boxRows : {8, 16})
      for (bool isAlongRows : {false, true})
        for (int64_t columns : {8, 16, 32, 64}) {
          SkinnyBuffer buffer{bytes, boxRows, isAlongRows, columns};
          ASSERT_EQ(buffer.isValid(), buffer.getBoxInner() * bytes % 16 == 0);
          if (!buffer.isValid())
            continue;
          // (row, column) at each element.
          std::map<int64_t, Element> stored;
          for (int64_t lane = 0; lane < 32; ++lane)
            for (int64_t reg = 0; reg < 4; ++reg)
              for (int64_t element = 0; element < 2; ++element) {
                if (bytes != 2)
                  continue;
                // "stmatrix", ".trans": the element (row, column) of a matrix
                // goes to place `row` at the address of lane `column` of it.
                int64_t row = lane / 4, column = 2 * (lane % 4) + element;
                if (isAlongRows)
                  std::swap(row, column);
                int64_t to =
                    buffer.storeMatrix<int64_t>(8 * reg + row) + 2 * column;
                Coord<int64_t> from = WgmmaFragments::accumulator<int64_t>(
                    0, lane,
                    WgmmaFragments::getAccumulator(reg / 2, reg % 2, element));
                EXPECT_TRUE(stored.insert({to, {from.row, from.col}}).second);
              }
          if (bytes != 2)
            for (int64_t row = 0; row < SkinnyBuffer::kRows; ++row)
              for (int64_t column = 0; column < buffer.getColumns(); ++column)
                EXPECT_TRUE(
                    stored.insert({buffer.offset(row, column), {row, column}})
                        .second);
          TmaBox box{unsigned(8 * bytes),
                     Swizzle::None,
                     2,
                     {buffer.getBoxInner(), buffer.getBoxOuter(), 1, 1, 1}};
          EXPECT_EQ(box.check(), "");
          for (int64_t number = 0; number < buffer.getNumBoxes(); ++number) {
            EXPECT_EQ(buffer.getBoxOffset(number) % 128, 0);
            for (int64_t row = 0; row < boxRows; ++row)
              for (int64_t column = 0; column < buffer.getColumns(); ++column) {
                std::array<int64_t, 5> place = {column, row, 0, 0, 0};
                if (isAlongRows)
                  std::swap(place[0], place[1]);
                int64_t at = buffer.getBoxOffset(number) + box.offset(place);
                EXPECT_LT(at, SkinnyBuffer::kBytes);
                EXPECT_EQ(stored.at(at),
                          Element(number * boxRows + row, column));
              }
          }
        }
}

TEST(FragmentsTest, StorePairs) {
  std::map<int64_t, Element> stored;
  for (int64_t group = 0; group < 4; ++group)
    for (int64_t half = 0; half < 2; ++half) {
      std::map<int64_t, int64_t> perBank;
      for (int64_t lane = 0; lane < 32; ++lane) {
        int64_t to = StoreBuffer::storePair(lane, group, half);
        EXPECT_EQ(to % 8, 0);
        for (int64_t pair = 0; pair < 2; ++pair) {
          Coord<int64_t> from = WgmmaFragments::accumulator<int64_t>(
              0, lane, WgmmaFragments::getAccumulator(group, half, pair));
          EXPECT_TRUE(
              stored.insert({to + 4 * pair, {from.row, from.col}}).second);
        }
        ++perBank[to / 8 % 16];
      }
      // Accesses of 8 bytes take two phases of sixteen lanes.
      for (auto [bank, count] : perBank)
        EXPECT_EQ(count, 2);
    }
  TmaBox box{32, Swizzle::B128, 2, {32, 16, 1, 1, 1}};
  EXPECT_EQ(StoreBuffer::getColumns(32), 32);
  for (int64_t row = 0; row < 16; ++row)
    for (int64_t col = 0; col < 32; ++col)
      EXPECT_EQ(
          stored.at(box.offset(std::array<int64_t, 5>{col, row, 0, 0, 0})),
          Element(row, col));
}

} // namespace
