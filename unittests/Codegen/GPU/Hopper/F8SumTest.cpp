//===- F8SumTest.cpp - how sm_90a adds products of 8-bit floats -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/F8Sum.h"

#include "gtest/gtest.h"
#include <limits>
#include <random>
#include <vector>

using namespace mlir::amp::gpu::hopper;

namespace {

TEST(F8SumTest, BitsBehindTheThirteenthAreLost) {
  // What was measured on H100s: 448 + 7.5 loses nothing, and an accumulator
  // keeps 13 bits.
  float one[] = {1, 1};
  float large[] = {448, 7.5};
  EXPECT_EQ(F8Sum::add(large, one, 2, 0), 455.5f);
  float small[] = {1, std::ldexp(1.0f, -13)};
  EXPECT_EQ(F8Sum::add(small, one, 2, 0), 1 + std::ldexp(1.0f, -13));
  small[1] /= 2;
  EXPECT_EQ(F8Sum::add(small, one, 2, 0), 1);
  // Two halves of the last bit are lost one by one, and towards zero.
  float three[] = {-1, -std::ldexp(1.0f, -14), -std::ldexp(1.0f, -14)};
  float ones[] = {1, 1, 1};
  EXPECT_EQ(F8Sum::add(three, ones, 3, 0), -1);
  float zero[] = {0};
  EXPECT_EQ(F8Sum::add(zero, one, 1, 1 + std::ldexp(1.0, -20)), 1);
}

TEST(F8SumTest, WhatIsNoNumberStays) {
  float one[] = {1, 1}, infinity = std::numeric_limits<float>::infinity();
  float values[] = {infinity, 2};
  EXPECT_EQ(F8Sum::add(values, one, 2, 0), infinity);
  EXPECT_TRUE(std::isnan(F8Sum::add(values, one, 2, -double(infinity))));
  float zeros[] = {0, 0};
  EXPECT_EQ(F8Sum::add(zeros, one, 2, 0), 0);
}

TEST(F8SumTest, BoundHolds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> number(-1, 1);
  std::uniform_int_distribution<int> power(-8, 8);
  double worst = 0;
  for (int round = 0; round < 2000; ++round) {
    double exact = 0, size = 0;
    float sum = 0;
    for (int64_t wgmma = 0; wgmma < 4; ++wgmma) {
      std::vector<float> a(F8Sum::kProducts), b(F8Sum::kProducts);
      for (int64_t i = 0; i < F8Sum::kProducts; ++i) {
        // Four bits of mantissa.
        a[i] = std::ldexp(std::round(number(random) * 15), power(random));
        b[i] = std::ldexp(std::round(number(random) * 15), power(random));
        exact += double(a[i]) * b[i];
        size += std::fabs(double(a[i]) * b[i]);
      }
      sum = F8Sum::add(a.data(), b.data(), F8Sum::kProducts, sum);
    }
    worst = std::max(worst, std::fabs(sum - exact) / size);
  }
  EXPECT_LE(worst, F8Sum::getBound(4));
  // It is no model of f32.
  EXPECT_GT(worst, 1e-5);
}

} // namespace
