//===- AttentionConfigTest.cpp - Tiles and roles of an attention ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/AttentionConfig.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace mlir::amp::gpu::hopper;

namespace {

/// A number as kernels have them, not negative at any time.
struct Number {
  Number(int64_t value) : value(value) {
    EXPECT_GE(value, 0) << "a word below zero";
  }
  int64_t value;

  friend Number operator+(Number l, Number r) { return l.value + r.value; }
  friend Number operator-(Number l, Number r) { return l.value - r.value; }
  friend Number operator/(Number l, Number r) { return l.value / r.value; }
  static Number min(Number l, Number r) { return std::min(l.value, r.value); }
};

} // namespace

// Against the definition: all limits, those that leave rows without a key too,
// and all sizes around a few tiles; blocks of `kBlock` queries, of which
// warpgroups have `kGroup` each.
static void checkTiles(int64_t kBlock, int64_t kGroup) {
  constexpr int64_t kTile = 4;
  std::vector<std::optional<int64_t>> limits = {std::nullopt};
  for (int64_t limit = -7; limit <= 7; ++limit)
    limits.push_back(limit);
  for (int64_t rows = 1; rows <= 14; ++rows)
    for (int64_t keys = 1; keys <= 14; ++keys)
      for (auto lower : limits)
        for (auto upper : limits) {
          AttentionLimits limit{lower, upper};
          auto sees = [&](int64_t row, int64_t key) {
            return (!lower || key >= row + *lower) &&
                   (!upper || key <= row + *upper);
          };
          bool isGood = true;
          for (int64_t row = 0; row < rows; ++row) {
            bool hasKey = false;
            for (int64_t key = 0; key < keys; ++key)
              hasKey |= sees(row, key);
            isGood &= hasKey;
          }
          // What is refused may be good; what is taken must be.
          if (limit.leaveOneKey(rows, keys))
            ASSERT_TRUE(isGood);
          KeyTiles<Number> tiles{limit, kTile, keys};
          for (int64_t block = 0; block < rows; block += kBlock) {
            Number last = tiles.atLeastOne(tiles.end(block, kBlock));
            int64_t begin = tiles.before(tiles.begin(block), last).value,
                    end = last.value;
            ASSERT_LT(begin, end);
            ASSERT_LE((end - 1) * kTile, keys - 1);
            for (int64_t row = block; row < std::min(block + kBlock, rows);
                 ++row)
              for (int64_t key = 0; key < keys; ++key)
                if (sees(row, key)) {
                  ASSERT_LE(begin, key / kTile);
                  ASSERT_GT(end, key / kTile);
                }
            for (int64_t group = block; group < block + kBlock; group += kGroup)
              for (int64_t tile = begin; tile < end; ++tile) {
                bool isWhole = true;
                for (int64_t row = group; row < group + kGroup; ++row)
                  for (int64_t key = tile * kTile; key < (tile + 1) * kTile;
                       ++key)
                    isWhole &= key < keys && sees(row, key);
                ASSERT_EQ(isWhole,
                          tile >= tiles.wholeBegin(group, kGroup).value &&
                              tile < tiles.wholeEnd(group).value);
              }
          }
        }
}

TEST(AttentionTiles, CoverWhatRowsSee) { checkTiles(6, 3); }

// Queries whose heads are rows: one for each warpgroup, and one for both.
TEST(AttentionTiles, CoverWhatPackedRowsSee) {
  checkTiles(2, 1);
  checkTiles(1, 1);
}

// Only the first tile has a mask where that is promised.
TEST(AttentionTiles, HaveOnePart) {
  constexpr int64_t kTile = 8;
  int64_t numPromised = 0;
  for (int64_t block : {1, 2, 4, 6, 8, 12, 16})
    for (int64_t upper = -20; upper <= 20; ++upper)
      for (int64_t keys = 1; keys <= 40; ++keys) {
        KeyTiles<Number> tiles{{std::nullopt, upper}, kTile, keys};
        if (!tiles.hasOnePart(block))
          continue;
        ++numPromised;
        for (int64_t row = 0; row < 40; row += block)
          for (int64_t group = row; group < row + block; ++group)
            ASSERT_LE(tiles.end(row, block).value - 1,
                      tiles.wholeEnd(group).value);
      }
  EXPECT_GT(numPromised, 0);
  EXPECT_FALSE((KeyTiles<Number>{{0, 0}, 8, 8}.hasOnePart(8)));
  EXPECT_TRUE((KeyTiles<Number>{{}, 8, 8}.hasOnePart(12)));
}

TEST(AttentionLimits, LeaveOneKey) {
  EXPECT_TRUE((AttentionLimits{}.leaveOneKey(-1, -1)));
  EXPECT_TRUE((AttentionLimits{std::nullopt, 0}.leaveOneKey(-1, -1)));
  EXPECT_FALSE((AttentionLimits{std::nullopt, -1}.leaveOneKey(8, 8)));
  EXPECT_TRUE((AttentionLimits{-3, 0}.leaveOneKey(8, 8)));
  EXPECT_FALSE((AttentionLimits{-3, 0}.leaveOneKey(12, 8)));
  EXPECT_FALSE((AttentionLimits{-3, 0}.leaveOneKey(-1, 8)));
  EXPECT_FALSE((AttentionLimits{2, 1}.leaveOneKey(8, 64)));
}

// Every size of heads that the schedule takes fits, and every byte of shared
// memory has one use.
TEST(AttentionConfig, FitsAllHeads) {
  for (int64_t depth = 16; depth <= 256; depth += 8)
    for (int64_t columns = 16; columns <= 256; columns += 8)
      for (bool hasPayload : {false, true}) {
        AttentionProblem problem;
        problem.depth = depth;
        problem.columns = columns;
        problem.hasPayload = hasPayload;
        AttentionConfig config = chooseAttentionConfig(problem);
        EXPECT_EQ(config.check(), "") << depth << " " << columns;
        EXPECT_EQ(config.getTileQ().getBytes() % 1024, 0);
        EXPECT_EQ(config.getTileK().getBytes() % 1024, 0);
        EXPECT_EQ(config.getTileV().getBytes() % 1024, 0);
        // A 64-row part of the queries holds the results of those rows.
        int64_t stores =
            AttentionConfig::roundUp(columns, 64) / 64 * config.getStoreBytes();
        if (config.storesOverQueries())
          EXPECT_LE(stores, config.getTileQ().getBytes());
        else
          EXPECT_EQ(config.getOffsetStores() + stores,
                    config.getOffsetBarriers());
        // Accumulators, weights, and some forty other registers.
        int64_t registers =
            columns / 2 + config.blockKeys / 2 + config.blockKeys / 4;
        EXPECT_LE(registers, config.getRegisters().consumer - 32);
      }
}

TEST(AttentionConfig, Choice) {
  AttentionProblem problem;
  problem.depth = problem.columns = 64;
  problem.heads = 64;
  problem.rows = problem.keys = 4096;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "192x128-turns");
  problem.heads = 4;
  problem.rows = 2048;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x128-turns");
  // Two rounds, whichever it is, unless rows see few keys.
  problem.heads = 16;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x128-turns");
  problem.hasLimits = true;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "192x128-turns");
  problem.depth = problem.columns = 128;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x96");
  problem.hasLimits = false;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x128");
  problem.hasBounds = true;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x96");
  problem.hasBounds = false;
  for (int64_t keys : {-1, 256, 4095}) {
    problem.keys = keys;
    EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x96");
  }
  problem.depth = problem.columns = 256;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "128x64");
}

// Heads that share keys are rows of one tile where those are fewer, for every
// number of heads, and for numbers of rows that make some tiles.
TEST(AttentionConfig, PacksHeads) {
  for (int64_t depth : {64, 96, 128, 256})
    for (int64_t shared = 1; shared <= 130; ++shared)
      for (int64_t rows : {-1, 1, 2, 3, 16, 31, 64, 65, 128, 130, 1000, 4096})
        for (int64_t batch : {1, 200}) {
          AttentionProblem problem;
          problem.depth = problem.columns = depth;
          problem.rows = rows;
          problem.heads = batch * shared;
          problem.shared = shared;
          AttentionConfig config = chooseAttentionConfig(problem);
          ASSERT_EQ(config.check(), "");
          ASSERT_EQ(config.packsHeads, isPackingWorthwhile(rows, shared, 128));
          RowPacking packing = config.getPacking();
          ASSERT_EQ(packing.getBoxHeads(config.getBlockRows()) *
                        packing.getQueries(config.getBlockRows()),
                    config.getBlockRows());
          // Larger tiles that save no block would be idle.
          if (rows > 0 && config.consumers == 3) {
            AttentionConfig small = config;
            small.consumers = 2;
            ASSERT_LT(config.countBlocks(), small.countBlocks());
          }
        }
  AttentionProblem problem;
  problem.depth = problem.columns = 64;
  problem.heads = 8 * 32;
  problem.rows = 16;
  problem.keys = 4096;
  problem.shared = 8;
  AttentionConfig config = chooseAttentionConfig(problem);
  EXPECT_EQ(config.getName(), "128x128-turns-packed");
  EXPECT_EQ(config.countBlocks(), 32);
  problem.rows = 2048;
  config = chooseAttentionConfig(problem);
  EXPECT_EQ(config.getName(), "192x128-turns");
  EXPECT_EQ(config.countBlocks(), 256 * 11);
  problem.rows = -1;
  config = chooseAttentionConfig(problem);
  EXPECT_EQ(config.getName(), "192x128-turns-packed");
  EXPECT_EQ(config.countBlocks(), -1);
  problem.majorQ = Major::MN;
  EXPECT_EQ(chooseAttentionConfig(problem).getName(), "192x128-turns");
}

TEST(AttentionConfig, WrongPacking) {
  AttentionConfig config;
  config.problem.depth = config.problem.columns = 64;
  config.packsHeads = true;
  EXPECT_EQ(config.check(), "no heads share keys and values");
  config.problem.shared = 130;
  EXPECT_EQ(config.check(), "the queries of 130 heads are no part of 128 rows");
  config.problem.shared = 128;
  EXPECT_EQ(config.check(), "");
  config.consumers = 3;
  EXPECT_EQ(config.check(), "the queries of 128 heads are no part of 192 rows");
  config.problem.shared = 64;
  EXPECT_EQ(config.check(), "");
  config.problem.majorQ = Major::MN;
  EXPECT_EQ(config.check(), "queries are not contiguous along a head");
}

TEST(AttentionConfig, Wrong) {
  AttentionConfig config;
  config.problem.depth = config.problem.columns = 256;
  EXPECT_EQ(config.check(), "a block would need 328648 bytes of shared memory");
  config.problem.depth = config.problem.columns = 64;
  config.problem.columns = 12;
  config.problem.majorV = Major::K;
  EXPECT_EQ(config.check(),
            "a tile along M or N must be a multiple of 8, not 12");
}
