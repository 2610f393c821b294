//===- StreamKTest.cpp - tiles that blocks share along K ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/StreamK.h"

#include "gtest/gtest.h"
#include <set>

using namespace mlir::amp::gpu::hopper;

namespace {

/// What a block of the kernel does, as it does it.
TEST(StreamKTest, EachUnitIsDoneOnceAndEachSlotIsOfOneTile) {
  for (int64_t tiles : {1, 2, 3, 7, 32, 112, 131, 132, 133, 300})
    for (int64_t steps : {1, 2, 5, 16, 63, 64})
      for (int64_t blocks : {1, 2, 7, 131, 132}) {
        StreamK k{tiles, steps, std::min(blocks, tiles * steps)};
        std::set<int64_t> units, slots;
        int64_t shortest = k.getUnits(), longest = 0;
        for (int64_t block = 0; block < k.blocks; ++block) {
          int64_t begin = k.begin(block), end = k.begin(block + 1);
          shortest = std::min(shortest, end - begin);
          longest = std::max(longest, end - begin);
          for (int64_t tile = begin / steps; tile < (end - 1) / steps + 1;
               ++tile) {
            int64_t from = std::max(begin, tile * steps) - tile * steps;
            int64_t to = std::min(end, (tile + 1) * steps) - tile * steps;
            ASSERT_LT(from, to);
            for (int64_t unit = from; unit < to; ++unit) {
              ASSERT_TRUE(units.insert(tile * steps + unit).second);
              ASSERT_EQ(k.owner(tile * steps + unit), block);
            }
            ASSERT_LE(k.firstOwner(tile), block);
            ASSERT_GE(k.lastOwner(tile), block);
            ASSERT_EQ(from == 0, k.firstOwner(tile) == block);
            if (to - from == steps)
              continue;
            int64_t slot =
                from == 0 ? k.slotOfBegun(block) : k.slotOfContinued(block);
            ASSERT_TRUE(slots.insert(slot).second);
            ASSERT_LT(slot, k.getSlots());
          }
        }
        EXPECT_EQ(int64_t(units.size()), k.getUnits());
        EXPECT_LE(longest - shortest, 1);
        EXPECT_GE(shortest, 1);
      }
}

TEST(StreamKTest, WordsAreWideEnough) {
  EXPECT_TRUE((StreamK{112, 64, 132}.fitsWord()));
  EXPECT_TRUE((StreamK{4096, 1024, 132}.fitsWord()));
  EXPECT_FALSE((StreamK{1 << 20, 1024, 132}.fitsWord()));
  EXPECT_FALSE((StreamK{int64_t(1) << 31, 1, 1}.fitsWord()));
}

} // namespace
