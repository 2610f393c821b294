//===- WgmmaConfigTest.cpp - tiles and roles of a contraction -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/WgmmaConfig.h"
#include "amp/Codegen/GPU/Hopper/Pipeline.h"

#include "gtest/gtest.h"
#include <set>

using namespace mlir::amp::gpu::hopper;

namespace {

TEST(WgmmaConfigTest, PartsOfSharedMemoryAreAligned) {
  for (const WgmmaConfig &config : getWgmmaConfigs()) {
    EXPECT_EQ(config.check(), "") << config.getName();
    EXPECT_EQ(config.getOffsetB() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(config.getStageBytesA() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(config.getStageBytesB() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(config.getOffsetBuffers() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(config.getWarpBufferBytes() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(config.getOffsetBarriers() % Mbarrier::kBytes, 0);
    EXPECT_LE(config.getOffsetBarriers() + 2 * Mbarrier::kBytes * config.stages,
              config.getSharedBytes() - WgmmaConfig::kSlack);
  }
}

TEST(WgmmaConfigTest, ResidualsFitIntoFewerStages) {
  for (const WgmmaConfig &config : getWgmmaConfigs()) {
    std::optional<WgmmaConfig> more = addResidual(config);
    ASSERT_TRUE(more) << config.getName();
    EXPECT_EQ(more->check(), "") << more->getName();
    EXPECT_GE(more->stages, 3);
    EXPECT_GE(more->stages, config.stages - 1);
    EXPECT_EQ(more->getOffsetResidual() % WgmmaConfig::kAlignment, 0);
    EXPECT_EQ(more->getOffsetResidualBarriers() % Mbarrier::kBytes, 0);
    EXPECT_EQ(more->getOffsetResidual() - more->getOffsetBuffers(),
              more->getOffsetBarriers() - more->getOffsetResidual());
  }
}

TEST(WgmmaConfigTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const WgmmaConfig &config : getWgmmaConfigs())
    EXPECT_TRUE(names.insert(config.getName()).second) << config.getName();
  EXPECT_TRUE(names.count("128x256-4"));
  EXPECT_TRUE(names.count("128x128-ping-pong-6"));
  EXPECT_TRUE(names.count("64x128-4-2-blocks"));
}

TEST(WgmmaConfigTest, WhatDoesNotFitIsRefused) {
  // More stages than there is shared memory.
  EXPECT_NE((WgmmaConfig{128, 256, 2, false, 5, 1}.check()), "");
  EXPECT_NE((WgmmaConfig{64, 128, 1, false, 5, 2}.check()), "");
  // 256 accumulators in a thread.
  EXPECT_NE((WgmmaConfig{256, 256, 2, false, 3, 1}.check()), "");
  EXPECT_NE((WgmmaConfig{128, 256, 2, true, 4, 1}.check()), "");
  // Half a wgmma for each consumer; turns of one.
  EXPECT_NE((WgmmaConfig{64, 128, 2, false, 4, 1}.check()), "");
  EXPECT_NE((WgmmaConfig{64, 128, 1, true, 4, 1}.check()), "");
  EXPECT_NE((WgmmaConfig{128, 96, 2, false, 4, 1}.check()), "");
  EXPECT_NE((WgmmaConfig{128, 128, 2, false, 1, 1}.check()), "");
  // Turns with parts of tiles; columns that are not all.
  EXPECT_NE((WgmmaConfig{128, 128, 2, true, 4, 1, false, true}.check()), "");
  EXPECT_NE((WgmmaConfig{128, 128, 2, false, 4, 1, true}.check()), "");
  EXPECT_NE((WgmmaConfig{100, 16, 2, false, 4, 1, true}.check()), "");
  WgmmaConfig skinny{128, 16, 2, false, 4, 1, true};
  EXPECT_EQ(skinny.check(), "");
  EXPECT_NE(check(WgmmaProblem{1, 128, 17, 64, 16, 16}, skinny), "");
  WgmmaConfig shared{128, 128, 2, false, 4, 1, false, true};
  EXPECT_EQ(check(WgmmaProblem{1, -1, 128, 64, 16, 16}, shared), "");
  EXPECT_NE(check(WgmmaProblem{1, 0, 128, 64, 16, 16}, shared), "");
  // Too many units to count in words.
  EXPECT_NE(check(WgmmaProblem{1, 1 << 24, 1 << 20, 1 << 20, 16, 16}, shared),
            "");
}

/// The choices that were measured to be the best, or equal to it, on an H200.
TEST(WgmmaConfigTest, ChoosesWhatWasMeasured) {
  auto choose = [](int64_t m, int64_t n, int64_t k) {
    return chooseWgmmaConfig({1, m, n, k, 16, 16}).getName();
  };
  EXPECT_EQ(choose(8192, 8192, 8192), "128x256-4");
  EXPECT_EQ(choose(4096, 4096, 4096), "128x256-4");
  EXPECT_EQ(choose(2048, 2048, 2048), "128x256-4");
  EXPECT_EQ(choose(4096, 14336, 4096), "128x256-4");
  EXPECT_EQ(choose(8192, 4096, 1024), "128x128-ping-pong-6");
  EXPECT_EQ(choose(512, 512, 512), "64x128-8");
  // On an H100: a multiprocessor for each tile of 64x64 is 1.35 times as fast
  // as half as many tiles with 1024 products, and 1.1 times with 4096.
  EXPECT_EQ(choose(128, 4096, 1024), "64x64-4-2-blocks");
  EXPECT_EQ(choose(128, 4096, 4096), "64x64-4-2-blocks");
}

/// Skinny results, [N, K] and [K, N] weights, and few tiles of long sums.
TEST(WgmmaConfigTest, ChoosesForFewColumnsOrTiles) {
  auto choose = [](int64_t m, int64_t n, int64_t k, bool isAlongM = false) {
    WgmmaProblem problem{1, m, n, k, 16, 16};
    problem.isAlongM = isAlongM;
    return chooseWgmmaConfig(problem).getName();
  };
  EXPECT_EQ(choose(14336, 1, 4096), "skinny-112x8-13");
  EXPECT_EQ(choose(14336, 16, 4096), "skinny-112x16-12");
  EXPECT_EQ(choose(14336, 64, 4096), "skinny-112x64-9");
  EXPECT_EQ(choose(14336, 16, 4096, true), "skinny-128x16-12-stream-k");
  EXPECT_EQ(choose(4096, 16, 14336), "skinny-128x16-12-stream-k");
  EXPECT_EQ(choose(128, 1024, 4096), "64x128-8-stream-k");
  // What is not known is not planned with.
  EXPECT_EQ(choose(-1, 16, 4096), "64x64-4-2-blocks");
}

TEST(WgmmaConfigTest, ClustersShareWholeTiles) {
  // Three tiles, one of stream-K, one of few columns.
  WgmmaConfig config{128, 128, 2, false, 4, 1};
  config.clusterM = 3;
  EXPECT_NE(config.check(), "");
  config.clusterM = config.clusterN = 2;
  EXPECT_NE(config.check(), "");
  config.clusterN = 1;
  EXPECT_EQ(config.check(), "");
  EXPECT_EQ(config.getName(), "128x128-4-cluster-2x1");
  config.isStreamK = true;
  EXPECT_NE(config.check(), "");
  WgmmaConfig skinny{128, 16, 2, false, 4, 1, true};
  skinny.clusterM = 2;
  EXPECT_NE(skinny.check(), "");
}

TEST(WgmmaConfigTest, ClustersFetchLess) {
  for (const WgmmaConfig &config : getWgmmaConfigs()) {
    int64_t shared = config.clusterM > 1   ? config.blockN
                     : config.clusterN > 1 ? config.blockM
                                           : 0;
    EXPECT_EQ(config.getLoadedBytes() - config.getFetchedBytes(),
              shared * WgmmaConfig::kStageBytes / 2)
        << config.getName();
  }
  // Two tiles are one, also where one of them has no rows.
  WgmmaConfig config{128, 256, 2, false, 4, 1};
  WgmmaProblem problem{1, 384, 512, 64, 16, 16};
  EXPECT_EQ(problem.getTiles(config), 6);
  config.clusterM = 2;
  EXPECT_EQ(problem.getTiles(config), 4);
}

TEST(WgmmaConfigTest, OddNumbersOfBoxesAreNotShared) {
  WgmmaConfig config{64, 128, 1, false, 4, 2};
  config.clusterN = 2;
  WgmmaProblem problem{1, 4096, 4096, 4096, 16, 16};
  EXPECT_EQ(check(problem, config), "");
  problem.isAlongM = true;
  EXPECT_NE(check(problem, config), "");
  problem.isAlongM = false;
  problem.isAlongN = true;
  EXPECT_EQ(check(problem, config), "");
}

TEST(WgmmaConfigTest, WhatIsForAProblemIsValid) {
  for (bool isAlongM : {false, true})
    for (bool isAlongN : {false, true})
      for (bool isPromoted : {false, true})
        for (int64_t m : {-1, 1, 130, 14336})
          for (int64_t n : {-1, 1, 8, 9, 33, 64, 65, 4096}) {
            WgmmaProblem problem{1, m, n, 4096, 16, 16};
            problem.isAlongM = isAlongM;
            problem.isAlongN = isAlongN;
            problem.isPromoted = isPromoted;
            std::set<std::string> names;
            for (const WgmmaConfig &config : getWgmmaConfigs(problem)) {
              EXPECT_EQ(config.check(), "") << config.getName();
              EXPECT_EQ(check(problem, config), "") << config.getName();
              EXPECT_TRUE(names.insert(config.getName()).second);
              EXPECT_EQ(config.getStageBytesA() % WgmmaConfig::kAlignment, 0);
              EXPECT_EQ(config.getStageBytesB() % WgmmaConfig::kAlignment, 0);
              EXPECT_EQ(config.getOffsetBarriers() % Mbarrier::kBytes, 0);
              if (config.isSkinny) {
                EXPECT_GE(config.blockN, n);
                EXPECT_TRUE(!isAlongN || config.blockN == 64);
                EXPECT_TRUE(!isAlongM || config.blockM == 128);
              }
              EXPECT_GT(estimate(problem, config).time, 0);
            }
            EXPECT_FALSE(names.empty());
          }
}

TEST(WgmmaConfigTest, SizesThatAreNotKnownCountAsLarge) {
  EXPECT_EQ(chooseWgmmaConfig({}).getName(), "128x256-4");
}

/// A batch that is not known, and weights.
TEST(WgmmaConfigTest, ChoosesAgainForFewTiles) {
  auto choose = [](int64_t m, int64_t n, int64_t k) -> std::string {
    WgmmaProblem problem{1, m, n, k, 16, 16};
    WgmmaConfig config = chooseWgmmaConfig(problem);
    EXPECT_FALSE(config.isStreamK && !problem.isKnown());
    std::optional<WgmmaConfig> few = chooseForFewTiles(problem, config);
    return config.getName() + (few ? ", " + few->getName() : "");
  };
  EXPECT_EQ(choose(-1, 4096, 4096), "128x256-4, 64x128-8-stream-k");
  EXPECT_EQ(choose(-1, 1024, 4096), "128x256-4, 64x128-8-stream-k");
  EXPECT_EQ(choose(1024, -1, 4096), "128x256-4, 64x64-4-2-blocks-stream-k");
  EXPECT_EQ(choose(-1, -1, -1), "128x256-4, 64x128-8-stream-k");
  // Short sums, many tiles of any rows, and sizes that are known.
  EXPECT_EQ(choose(-1, 4096, 256), "128x128-ping-pong-6");
  EXPECT_EQ(choose(-1, 65536, 4096), "128x256-4");
  EXPECT_EQ(choose(4096, 4096, -1), "128x256-4");
  EXPECT_EQ(choose(128, 1024, 4096), "64x128-8-stream-k");
}

/// What the host computes, in integers, is what the model says.
TEST(WgmmaConfigTest, TicksAreTheEstimate) {
  auto min = [](int64_t l, int64_t r) { return std::min(l, r); };
  WgmmaProblem some{1, -1, 4096, 4096, 16, 16};
  for (WgmmaConfig config : getWgmmaConfigs(some)) {
    WgmmaCosts costs = getCosts(some, config);
    // Nothing at all is no division by zero.
    EXPECT_GT(costs.getTicks<int64_t>(0, 0, 0, min), 0);
    int64_t last = 0;
    for (int64_t m : {1, 16, 64, 65, 200, 1024, 8192}) {
      WgmmaProblem all = some;
      all.m = m;
      int64_t ticks =
          costs.getTicks(all.getTiles(config), all.getSteps(),
                         some.getBytes<int64_t>(1, m, 4096, 4096), min);
      EXPECT_NEAR(1.5 + double(ticks) / WgmmaCosts::kTicksOfMicrosecond,
                  estimate(all, config).time, 0.01)
          << config.getName();
      EXPECT_GE(ticks, last);
      last = ticks;
    }
  }
}

TEST(WgmmaConfigTest, EstimatesGrowWithTheProblem) {
  for (const WgmmaConfig &config : getWgmmaConfigs()) {
    double last = 0;
    for (int64_t size = 64; size <= 16384; size *= 2) {
      WgmmaEstimate now = estimate({1, size, size, size, 16, 16}, config);
      EXPECT_GT(now.time, last) << config.getName() << " " << size;
      EXPECT_LT(now.rate, 990) << config.getName() << " " << size;
      last = now.time;
    }
  }
}

TEST(WgmmaConfigTest, RatesAreNearThoseMeasured) {
  // 596 to 792 TFLOP/s, with the clock that power allows.
  WgmmaConfig config{128, 256, 2, false, 4, 1};
  WgmmaEstimate large = estimate({1, 8192, 8192, 8192, 16, 16}, config);
  EXPECT_GT(large.rate, 600);
  EXPECT_LT(large.rate, 800);
}

} // namespace
