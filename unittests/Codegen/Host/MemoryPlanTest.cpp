//===- MemoryPlanTest.cpp - where buffers lie in an arena -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/MemoryPlan.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::amp::host;

namespace {

constexpr int64_t kAlignment = 256;

/// The most bytes that are live at one step: no plan can do with less.
int64_t lowerBound(ArrayRef<LiveBuffer> buffers) {
  int64_t most = 0;
  for (const LiveBuffer &at : buffers) {
    int64_t live = 0;
    for (const LiveBuffer &b : buffers)
      if (b.first <= at.first && at.first <= b.last)
        live += b.bytes;
    most = std::max(most, live);
  }
  return most;
}

void expectValid(ArrayRef<LiveBuffer> buffers) {
  ArenaPlan plan = planArena(buffers, kAlignment);
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % kAlignment, 0);
    EXPECT_GE(plan.offsets[i], 0);
    EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.peakBytes);
    for (size_t j = 0; j < i; ++j) {
      bool together = buffers[i].first <= buffers[j].last &&
                      buffers[j].first <= buffers[i].last;
      bool overlap = plan.offsets[i] < plan.offsets[j] + buffers[j].bytes &&
                     plan.offsets[j] < plan.offsets[i] + buffers[i].bytes;
      EXPECT_FALSE(together && overlap) << "buffers " << i << " and " << j;
    }
  }
  EXPECT_GE(plan.peakBytes, lowerBound(buffers));
  EXPECT_LE(plan.peakBytes, plan.totalBytes);
  // The same buffers give the same plan.
  EXPECT_EQ(planArena(buffers, kAlignment).offsets, plan.offsets);
}

TEST(MemoryPlan, NoBuffers) {
  ArenaPlan plan = planArena({}, kAlignment);
  EXPECT_TRUE(plan.offsets.empty());
  EXPECT_EQ(plan.peakBytes, 0);
  EXPECT_EQ(plan.totalBytes, 0);
}

/// A chain, in which each step reads one buffer and writes the next, needs two
/// at a time.
TEST(MemoryPlan, ChainNeedsTwo) {
  SmallVector<LiveBuffer> buffers;
  for (unsigned i = 0; i < 10; ++i)
    buffers.push_back({i, i + 1, 4096});
  expectValid(buffers);
  ArenaPlan plan = planArena(buffers, kAlignment);
  EXPECT_EQ(plan.peakBytes, 2 * 4096);
  EXPECT_EQ(plan.totalBytes, 10 * 4096);
}

TEST(MemoryPlan, SizesAreRounded) {
  ArenaPlan plan = planArena({{0, 1, 1}, {0, 1, 257}, {1, 1, 0}}, kAlignment);
  EXPECT_EQ(plan.peakBytes, 3 * kAlignment);
  EXPECT_EQ(plan.totalBytes, 3 * kAlignment);
}

/// A small buffer fits between two large ones that die and are born around it.
TEST(MemoryPlan, GapsAreFilled) {
  SmallVector<LiveBuffer> buffers = {
      {0, 3, 2048}, {0, 1, 1024}, {2, 3, 512}, {2, 3, 512}};
  expectValid(buffers);
  EXPECT_EQ(planArena(buffers, kAlignment).peakBytes, 3072);
}

/// All sets of three buffers over four steps with three sizes.
TEST(MemoryPlan, ExhaustiveSmall) {
  SmallVector<LiveBuffer> all;
  for (unsigned first = 0; first < 4; ++first)
    for (unsigned last = first; last < 4; ++last)
      for (int64_t bytes : {0, 256, 700})
        all.push_back({first, last, bytes});
  for (const LiveBuffer &a : all)
    for (const LiveBuffer &b : all)
      for (const LiveBuffer &c : all)
        expectValid({a, b, c});
}

TEST(MemoryPlan, Random) {
  std::mt19937 random(7);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned round = 0; round < 300; ++round) {
    SmallVector<LiveBuffer> buffers;
    for (unsigned i = 0, n = 1 + below(60); i < n; ++i) {
      unsigned first = below(40);
      buffers.push_back({first, first + below(8),
                         static_cast<int64_t>(below(1u << (4 + below(14))))});
    }
    expectValid(buffers);
  }
}

/// No slot holds two buffers at a time, and a slot of the own size is taken
/// where there is one.
TEST(MemoryPlan, Slots) {
  std::mt19937 random(11);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned round = 0; round < 300; ++round) {
    SmallVector<DynamicBuffer> buffers;
    for (unsigned i = 0, n = 1 + below(40); i < n; ++i) {
      unsigned first = below(20);
      buffers.push_back({first, first + below(5), below(3)});
    }
    SlotPlan plan = planSlots(buffers);
    ASSERT_EQ(plan.slots.size(), buffers.size());
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_LT(plan.slots[i], plan.numSlots);
      for (size_t j = 0; j < i; ++j)
        EXPECT_FALSE(plan.slots[i] == plan.slots[j] &&
                     buffers[i].first <= buffers[j].last &&
                     buffers[j].first <= buffers[i].last);
    }
  }
  SlotPlan chain = planSlots({{0, 1, 0}, {1, 2, 1}, {2, 3, 0}, {3, 4, 1}});
  EXPECT_EQ(chain.numSlots, 2u);
  EXPECT_EQ(chain.slots, (SmallVector<unsigned>{0, 1, 0, 1}));
}

} // namespace
