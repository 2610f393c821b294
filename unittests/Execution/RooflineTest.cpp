//===- RooflineTest.cpp - peaks of devices, and what bounds work ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Roofline.h"

#include "gtest/gtest.h"

using namespace mlir::amp;

namespace {

/// NVIDIA's data sheets: A100 (108 multiprocessors, 1410 MHz) and H100 SXM (132
/// multiprocessors; tensor cores at 1830 MHz, the rest at 1980 MHz), dense.
TEST(Roofline, PeaksOfDataSheets) {
  PeakRates a100 = getPeakRates(8, 0, 108, 1410e6);
  EXPECT_NEAR(*a100[MathUnit::F64], 9.7e12, 0.05e12);
  EXPECT_NEAR(*a100[MathUnit::F32], 19.5e12, 0.05e12);
  EXPECT_NEAR(*a100[MathUnit::TF32], 156e12, 0.5e12);
  EXPECT_NEAR(*a100[MathUnit::F16], 312e12, 0.5e12);
  PeakRates h100 = getPeakRates(9, 0, 132, 1830e6);
  EXPECT_NEAR(*h100[MathUnit::TF32], 494.7e12, 0.5e12);
  EXPECT_NEAR(*h100[MathUnit::F16], 989.4e12, 0.5e12);
  EXPECT_NEAR(*h100[MathUnit::F8], 1978.9e12, 0.5e12);
  h100 = getPeakRates(9, 0, 132, 1980e6);
  EXPECT_NEAR(*h100[MathUnit::F64], 33.5e12, 0.1e12);
  EXPECT_NEAR(*h100[MathUnit::F32], 66.9e12, 0.1e12);
}

TEST(Roofline, UnknownDevices) {
  for (MathUnit unit : kMathUnits) {
    EXPECT_FALSE(getPeakRates(7, 0, 80, 1e9)[unit]);
    EXPECT_FALSE(getPeakRates(9, 0, 0, 1e9)[unit]);
    EXPECT_FALSE(getPeakRates(9, 0, 132, 0)[unit]);
  }
}

class RooflineBound : public ::testing::Test {
protected:
  RooflineBound() {
    peaks[MathUnit::F32] = 100;
    peaks[MathUnit::F16] = 1000;
    work.numBytes = 30;
    work.numFlops.emplace();
  }

  PeakRates peaks;
  Work work;
};

TEST_F(RooflineBound, Memory) {
  (*work.numFlops)[MathUnit::F32] = 200;
  std::optional<Roofline> roofline = getRoofline(work, 10, peaks);
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->seconds, 3);
  EXPECT_TRUE(roofline->isMemoryBound);
  EXPECT_EQ(*work.getTotalFlops(), 200);
}

/// Units work side by side: the slowest counts.
TEST_F(RooflineBound, Compute) {
  (*work.numFlops)[MathUnit::F32] = 400;
  (*work.numFlops)[MathUnit::F16] = 5000;
  std::optional<Roofline> roofline = getRoofline(work, 10, peaks);
  ASSERT_TRUE(roofline);
  EXPECT_EQ(roofline->seconds, 5);
  EXPECT_FALSE(roofline->isMemoryBound);
  EXPECT_EQ(*work.getTotalFlops(), 5400);
}

TEST_F(RooflineBound, Unknown) {
  EXPECT_TRUE(getRoofline(work, 10, PeakRates()));
  (*work.numFlops)[MathUnit::TF32] = 1;
  EXPECT_FALSE(getRoofline(work, 10, peaks));
  (*work.numFlops)[MathUnit::TF32] = 0;
  EXPECT_FALSE(getRoofline(work, 0, peaks));
  work.numFlops.reset();
  EXPECT_FALSE(getRoofline(work, 10, peaks));
  EXPECT_FALSE(work.getTotalFlops());
}

} // namespace
