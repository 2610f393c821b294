//===- PipelineTest.cpp - rings, barriers and registers -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/Pipeline.h"

#include "gtest/gtest.h"
#include <set>
#include <vector>

using namespace mlir::amp::gpu::hopper;

namespace {

TEST(PipelineTest, MbarrierCountsArrivals) {
  Mbarrier barrier(3);
  EXPECT_FALSE(barrier.test(0));
  EXPECT_TRUE(barrier.test(1)); // The phase before the first.
  EXPECT_TRUE(barrier.arrive());
  EXPECT_TRUE(barrier.arrive());
  EXPECT_EQ(barrier.getPending(), 1);
  EXPECT_FALSE(barrier.test(0));
  EXPECT_FALSE(barrier.arrive(2)); // More than are pending.
  EXPECT_EQ(barrier.getPending(), 1);
  EXPECT_TRUE(barrier.arrive());
  EXPECT_TRUE(barrier.test(0));
  EXPECT_FALSE(barrier.test(1));
  EXPECT_EQ(barrier.getPhase(), 1);
  EXPECT_EQ(barrier.getPending(), 3);
}

TEST(PipelineTest, MbarrierCountsBytes) {
  Mbarrier barrier(1);
  EXPECT_TRUE(barrier.expectTx(64));
  EXPECT_TRUE(barrier.arrive());
  EXPECT_FALSE(barrier.test(0));
  EXPECT_TRUE(barrier.completeTx(32));
  EXPECT_FALSE(barrier.test(0));
  EXPECT_TRUE(barrier.completeTx(32));
  EXPECT_TRUE(barrier.test(0));
  // Bytes that come before they are expected do not end the phase.
  EXPECT_TRUE(barrier.completeTx(16));
  EXPECT_EQ(barrier.getTx(), -16);
  EXPECT_FALSE(barrier.test(1));
  EXPECT_TRUE(barrier.expectTx(16));
  EXPECT_FALSE(barrier.test(1));
  EXPECT_TRUE(barrier.arrive());
  EXPECT_TRUE(barrier.test(1));
  EXPECT_FALSE(barrier.expectTx(Mbarrier::kMaxTx + 1));
  EXPECT_FALSE(barrier.completeTx(Mbarrier::kMaxTx + 1));
  EXPECT_FALSE(barrier.expectTx(-1));
  EXPECT_FALSE(barrier.arrive(0));
}

/// Producer and consumers in every order of steps that the waits allow: nobody
/// is stuck, every use finds its stage full with its own data, and no stage is
/// refilled before all consumers have released it.
TEST(PipelineTest, RingsNeverDeadlockOrOverwrite) {
  for (int64_t stages = 1; stages <= 4; ++stages)
    for (int64_t consumers = 1; consumers <= 2; ++consumers) {
      Ring ring{stages};
      const int64_t uses = 2 * stages + 3;
      struct State {
        std::vector<Mbarrier> full, empty;
        std::vector<int64_t> content;
        int64_t produced = 0;
        std::vector<int64_t> consumed;
      };
      State start;
      start.full.assign(stages, Mbarrier(1));
      start.empty.assign(stages, Mbarrier(consumers));
      start.content.assign(stages, -1);
      start.consumed.assign(consumers, 0);
      std::vector<State> open = {start};
      std::set<std::vector<int64_t>> seen;
      int64_t numFinal = 0;
      while (!open.empty()) {
        State state = open.back();
        open.pop_back();
        std::vector<int64_t> key = state.consumed;
        key.push_back(state.produced);
        if (!seen.insert(key).second)
          continue;
        bool progress = false;
        if (state.produced < uses) {
          int64_t use = state.produced, at = ring.stage(use);
          if (state.empty[at].test(ring.emptyParity(use))) {
            for (int64_t done : state.consumed)
              ASSERT_GE(done, use - stages + 1);
            State next = state;
            next.content[at] = use;
            ASSERT_TRUE(next.full[at].expectTx(128));
            ASSERT_TRUE(next.full[at].arrive());
            ASSERT_TRUE(next.full[at].completeTx(128));
            ++next.produced;
            open.push_back(next);
            progress = true;
          }
        }
        for (int64_t c = 0; c < consumers; ++c) {
          int64_t use = state.consumed[c], at = ring.stage(use);
          if (use == uses || !state.full[at].test(ring.fullParity(use)))
            continue;
          ASSERT_EQ(state.content[at], use);
          State next = state;
          ASSERT_TRUE(next.empty[at].arrive());
          ++next.consumed[c];
          open.push_back(next);
          progress = true;
        }
        bool isFinal = state.produced == uses;
        for (int64_t done : state.consumed)
          isFinal &= done == uses;
        ASSERT_EQ(progress, !isFinal);
        numFinal += isFinal;
      }
      EXPECT_EQ(numFinal, 1);
    }
}

TEST(PipelineTest, RingArithmetic) {
  Ring ring{3};
  for (int64_t use = 0; use < 20; ++use) {
    EXPECT_EQ(ring.stage(use), use % 3);
    EXPECT_EQ(ring.fullParity(use), use / 3 % 2);
    EXPECT_EQ(ring.emptyParity(use), 1 - use / 3 % 2);
    if (use)
      EXPECT_EQ(ring.previousStage(use), ring.stage(use - 1));
  }
  EXPECT_EQ(getEmptyArrivals(8), 8);
  EXPECT_EQ(getEmptyArrivals(8, 2), 16);
}

TEST(PipelineTest, NamedBarriersDiffer) {
  std::set<int64_t> ids = {NamedBarriers::kBlock, NamedBarriers::kSkew};
  for (int64_t c = 0; c < NamedBarriers::kMaxConsumers; ++c) {
    ids.insert(NamedBarriers::epilogue(c));
    ids.insert(NamedBarriers::turn(c));
  }
  EXPECT_EQ(ids.size(), size_t(2 + 2 * NamedBarriers::kMaxConsumers));
  EXPECT_GE(*ids.begin(), 0);
  EXPECT_LT(*ids.rbegin(), NamedBarriers::kCount);
}

TEST(PipelineTest, LaunchRegisters) {
  EXPECT_EQ(getLaunchRegisters(384), 168);
  EXPECT_EQ(getLaunchRegisters(512), 128);
  EXPECT_EQ(getLaunchRegisters(256), 256);
  EXPECT_EQ(getLaunchRegisters(256, 2), 128);
  EXPECT_EQ(getLaunchRegisters(128), 256);
}

TEST(PipelineTest, RegisterSplits) {
  // The splits that ran on an H200.
  EXPECT_EQ((RegisterSplit{40, 232, 2}.check()), "");
  EXPECT_EQ((RegisterSplit{24, 240, 2}.check()), "");
  EXPECT_EQ((RegisterSplit{32, 160, 3}.check()), "");
  // One that hangs.
  EXPECT_EQ((RegisterSplit{40, 160, 3}.check()),
            "the warpgroups ask for 66560 registers, but the block has 65536: "
            "setmaxnreg would wait forever");
  EXPECT_EQ((RegisterSplit{40, 232, 2}.check(/*blocks=*/2)),
            "the warpgroups ask for 64512 registers, but the block has 30720: "
            "setmaxnreg would wait forever");
  EXPECT_EQ((RegisterSplit{20, 232, 2}.check()),
            "setmaxnreg takes multiples of 8 from 24 to 256, not 20");
  EXPECT_EQ((RegisterSplit{40, 236, 2}.check()),
            "setmaxnreg takes multiples of 8 from 24 to 256, not 236");
  EXPECT_EQ((RegisterSplit{176, 176, 2}.check()),
            "the producer cannot be left 176 registers: it has 168 at launch");
  EXPECT_EQ((RegisterSplit{40, 160, 2}.check()),
            "the consumers cannot ask for 160 registers: they have 168 at "
            "launch");
  // All of them: a split is fine if and only if it fits.
  for (int64_t consumers = 1; consumers <= 4; ++consumers)
    for (int64_t producer = 24; producer <= 256; producer += 8)
      for (int64_t consumer = 24; consumer <= 256; consumer += 8) {
        int64_t launch = getLaunchRegisters(128 * (1 + consumers));
        bool fits = producer <= launch && consumer >= launch &&
                    producer + consumers * consumer <= launch * (1 + consumers);
        EXPECT_EQ(
            (RegisterSplit{producer, consumer, consumers}.check()).empty(),
            fits);
      }
}

/// Persistent blocks, cooperative and ping-pong, take every tile once, and the
/// ring uses of a block's tiles are those that its producer makes in order.
TEST(PipelineTest, PersistentTiles) {
  for (int64_t blocks : {1, 3, 132})
    for (int64_t tiles : {1, 7, 132, 400})
      for (int64_t consumers : {1, 2, 3})
        for (int64_t kTiles : {1, 5}) {
          std::set<int64_t> all;
          for (int64_t block = 0; block < blocks; ++block) {
            std::vector<int64_t> order;
            for (int64_t t = block; t < tiles; t += blocks)
              order.push_back(t);
            PersistentTiles<int64_t> walk{block, blocks, kTiles, consumers};
            for (int64_t c = 0; c < consumers; ++c) {
              int64_t use = walk.firstUse(c);
              for (int64_t t = walk.first(c); t < tiles; t += walk.step()) {
                EXPECT_TRUE(all.insert(t).second);
                EXPECT_EQ(order.at(size_t(use / kTiles)), t);
                use += kTiles + walk.skippedUses();
              }
            }
          }
          EXPECT_EQ(int64_t(all.size()), tiles);
        }
}

} // namespace
