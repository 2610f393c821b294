//===- LanesTest.cpp - what is said of lanes holds ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Lanes.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace mlir;
using namespace mlir::amp::gpu;

namespace {

class LanesTest : public ::testing::Test {
protected:
  AffineExpr dim(unsigned number) { return getAffineDimExpr(number, &context); }
  AffineExpr number(int64_t value) {
    return getAffineConstantExpr(value, &context);
  }

  /// The value of `expr`, which has no ceiling divisions, at these dims.
  static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return dims[dim.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expr);
    int64_t lhs = evaluate(binary.getLHS(), dims);
    int64_t rhs = evaluate(binary.getRHS(), dims);
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return lhs + rhs;
    case AffineExprKind::Mul:
      return lhs * rhs;
    case AffineExprKind::Mod:
      return lhs % rhs;
    default:
      return lhs / rhs;
    }
  }

  /// Checks what is said of `expr` over d0, whose vectors start at multiples of
  /// `multiple`, for all starts below 64 and all of d1 below 13.
  Lanes check(AffineExpr expr, int64_t width, int64_t multiple) {
    Lanes lanes = classifyLanes(expr, 0, width, multiple);
    int64_t step = lanes == Lanes::Consecutive ? 1 : 0;
    int64_t divisor = getLaneMultiple(expr, 0, multiple);
    EXPECT_EQ(multiple % divisor, 0);
    for (int64_t other = 0; other < 13; ++other)
      for (int64_t start = 0; start < 64; start += multiple) {
        int64_t first = evaluate(expr, {start, other});
        EXPECT_EQ(first % divisor, 0);
        if (lanes == Lanes::Other)
          continue;
        for (int64_t lane = 1; lane < width; ++lane)
          if (evaluate(expr, {start + lane, other}) != first + step * lane) {
            ADD_FAILURE() << "at lane " << lane << " of " << start << ", "
                          << other;
            return lanes;
          }
      }
    return lanes;
  }

  MLIRContext context;
};

TEST_F(LanesTest, Simple) {
  EXPECT_EQ(check(dim(0), 4, 4), Lanes::Consecutive);
  EXPECT_EQ(check(dim(1), 4, 4), Lanes::Equal);
  EXPECT_EQ(check(number(7), 4, 4), Lanes::Equal);
  EXPECT_EQ(check(dim(0) + dim(1), 4, 4), Lanes::Consecutive);
  EXPECT_EQ(check(dim(0) + dim(0), 4, 4), Lanes::Other);
  EXPECT_EQ(check(dim(0) * 2, 4, 4), Lanes::Other);
  EXPECT_EQ(check(dim(1) * 6, 4, 4), Lanes::Equal);
}

/// What a collapsed or expanded shape makes of the index of the last dimension.
TEST_F(LanesTest, Reshapes) {
  // Rows of 24: vectors of 8 do not cross them.
  AffineExpr flat = dim(1) * 24 + dim(0);
  EXPECT_EQ(check(flat, 8, 8), Lanes::Consecutive);
  EXPECT_EQ(getLaneMultiple(flat, 0, 8), 8);
  EXPECT_EQ(check(dim(0) % 24, 8, 8), Lanes::Consecutive);
  EXPECT_EQ(check(dim(0).floorDiv(24), 8, 8), Lanes::Equal);
  // Rows of 20: they do, and vectors are aligned to 4 elements only.
  EXPECT_EQ(check(dim(0) % 20, 8, 8), Lanes::Other);
  EXPECT_EQ(check(dim(0).floorDiv(20), 8, 8), Lanes::Other);
  EXPECT_EQ(getLaneMultiple(dim(1) * 20 + dim(0), 0, 8), 4);
  // Nothing is known of starts that are no multiple of the width.
  EXPECT_EQ(check(dim(0) % 24, 8, 4), Lanes::Other);
  // Twelve of the thirteen elements of each row: aligned in the first one only.
  AffineExpr some = dim(0).floorDiv(12) * 13 + dim(0) % 12;
  EXPECT_EQ(check(some, 4, 4), Lanes::Consecutive);
  EXPECT_EQ(getLaneMultiple(some, 0, 4), 1);
  some = dim(0).floorDiv(12) * 16 + dim(0) % 12;
  EXPECT_EQ(check(some, 4, 4), Lanes::Consecutive);
  EXPECT_EQ(getLaneMultiple(some, 0, 4), 4);
  // A slice from element 3 on.
  EXPECT_EQ(check(dim(0) + 3, 4, 4), Lanes::Consecutive);
  EXPECT_EQ(getLaneMultiple(dim(0) + 3, 0, 4), 1);
  EXPECT_EQ(check((dim(0) + 3) % 8, 4, 4), Lanes::Other);
  // Rows of a size that is not known.
  EXPECT_EQ(classifyLanes(dim(0) % getAffineSymbolExpr(0, &context), 0, 4, 4),
            Lanes::Other);
}

/// Whatever is said of random expressions holds, and often enough something is.
TEST_F(LanesTest, Random) {
  std::mt19937 random(1);
  auto pick = [&](int64_t most) {
    return static_cast<int64_t>(random() % static_cast<unsigned>(most));
  };
  static const int64_t sizes[] = {2, 3, 4, 6, 8, 12, 16, 24, 32};
  std::function<AffineExpr(unsigned)> make = [&](unsigned depth) -> AffineExpr {
    if (depth == 0 || pick(4) == 0)
      return pick(4) == 0 ? number(sizes[pick(9)]) : dim(pick(2));
    AffineExpr lhs = make(depth - 1);
    switch (pick(4)) {
    case 0:
      return lhs + make(depth - 1);
    case 1:
      return lhs * sizes[pick(9)];
    case 2:
      return lhs % sizes[pick(9)];
    default:
      return lhs.floorDiv(sizes[pick(9)]);
    }
  };
  int counts[3] = {};
  for (int i = 0; i < 10000; ++i) {
    AffineExpr expr = make(4);
    int64_t width = int64_t(1) << (1 + pick(3));
    int64_t multiple = pick(4) ? width : int64_t(1) << pick(2);
    ++counts[static_cast<int>(check(expr, width, multiple))];
    if (::testing::Test::HasFailure()) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      FAIL() << text << ", width " << width << ", multiple " << multiple;
    }
  }
  for (int count : counts)
    EXPECT_GT(count, 500);
}

} // namespace
