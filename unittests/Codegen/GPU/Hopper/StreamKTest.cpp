//===- StreamKTest.cpp - tiles that blocks share along K ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/StreamK.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <vector>

using namespace mlir::amp::gpu::hopper;

namespace {

auto min = [](int64_t l, int64_t r) { return std::min(l, r); };

/// What the blocks of the kernel do, as they do it.
void checkBlocks(const StreamK<int64_t> &k) {
  int64_t steps = k.steps;
  // What was done of each unit, and which tile each slot is of.
  std::vector<int64_t> units(k.getUnits());
  std::map<int64_t, int64_t> slots;
  int64_t shortest = k.getUnits(), longest = 0;
  for (int64_t block = 0; block < k.blocks; ++block) {
    int64_t begin = k.begin(block, min), end = k.begin(block + 1, min);
    shortest = std::min(shortest, end - begin);
    longest = std::max(longest, end - begin);
    for (int64_t tile = begin / steps; tile < (end - 1) / steps + 1; ++tile) {
      int64_t from = std::max(begin, tile * steps) - tile * steps;
      int64_t to = std::min(end, (tile + 1) * steps) - tile * steps;
      ASSERT_LT(from, to);
      for (int64_t unit = from; unit < to; ++unit) {
        ASSERT_EQ(units[tile * steps + unit]++, 0);
        ASSERT_EQ(k.owner(tile * steps + unit, min), block);
      }
      if (to - from == steps)
        continue;
      int64_t slot =
          from == 0 ? k.slotOfBegun(block) : k.slotOfContinued(block);
      ASSERT_TRUE(slots.emplace(slot, tile).second);
      ASSERT_LT(slot, k.getSlots());
    }
  }
  EXPECT_EQ(k.begin(k.blocks, min), k.getUnits());
  EXPECT_EQ(std::count(units.begin(), units.end(), 1), k.getUnits());
  EXPECT_LE(longest - shortest, 1);
  EXPECT_GE(shortest, 1);
  // What the kernel behind adds is all that was left of a tile.
  for (int64_t tile = 0; tile < k.tiles; ++tile) {
    int64_t first = k.firstOwner(tile, min), last = k.lastOwner(tile, min);
    if (first == last)
      continue;
    for (int64_t block = first; block <= last; ++block) {
      auto slot = slots.find(block == first ? k.slotOfBegun(block)
                                            : k.slotOfContinued(block));
      ASSERT_NE(slot, slots.end());
      ASSERT_EQ(slot->second, tile);
      slots.erase(slot);
    }
  }
  EXPECT_TRUE(slots.empty());
}

TEST(StreamKTest, EachUnitIsDoneOnceAndEachSlotIsAddedOnce) {
  for (int64_t tiles : {1, 2, 3, 7, 32, 112, 131, 132, 133, 300})
    for (int64_t steps : {1, 2, 5, 16, 63, 64})
      for (int64_t blocks : {1, 2, 7, 114, 131, 132, 264})
        checkBlocks({tiles, steps, std::min(blocks, tiles * steps)});
}

TEST(StreamKTest, AllSmallNumbers) {
  for (int64_t tiles = 1; tiles <= 12; ++tiles)
    for (int64_t steps = 1; steps <= 12; ++steps)
      for (int64_t blocks = 1; blocks <= tiles * steps; ++blocks)
        checkBlocks({tiles, steps, blocks});
}

/// The kernel's own arithmetic, which wraps.
TEST(StreamKTest, WordsAreWideEnough) {
  auto minOfWords = [](uint32_t l, uint32_t r) { return std::min(l, r); };
  for (int64_t tiles : {int64_t(3), int64_t(4097), int64_t(1) << 20})
    for (int64_t blocks : {1, 114, 132, 264}) {
      int64_t steps = (kMaxStreamKUnits - 1) / tiles;
      StreamK<int64_t> wide{tiles, steps, blocks};
      StreamK<uint32_t> words{uint32_t(tiles), uint32_t(steps),
                              uint32_t(blocks)};
      for (int64_t block = 0; block <= blocks; ++block)
        EXPECT_EQ(wide.begin(block, min), words.begin(block, minOfWords));
      for (int64_t tile = 0; tile < tiles; tile += tiles / 3) {
        EXPECT_EQ(wide.firstOwner(tile, min),
                  words.firstOwner(tile, minOfWords));
        EXPECT_EQ(wide.lastOwner(tile, min), words.lastOwner(tile, minOfWords));
      }
    }
}

} // namespace
