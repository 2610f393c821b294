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
}

TEST(WgmmaConfigTest, SizesThatAreNotKnownCountAsLarge) {
  EXPECT_EQ(chooseWgmmaConfig({}).getName(), "128x256-4");
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
