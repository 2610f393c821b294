//===- ConstantRangeTest.cpp - numbers in constants -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolicyTest.h"

#include "amp/Policy/ConstantRange.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

using ConstantRangeTest = PolicyTest;

// The tables of IEEE 754, and of bfloat16.
TEST_F(ConstantRangeTest, Limits) {
  Builder builder(&context);
  FormatLimits f16(builder.getF16Type()), bf16(builder.getBF16Type());
  EXPECT_EQ(f16.largest, 65504.0);
  EXPECT_EQ(f16.overflow, 65520.0);
  EXPECT_EQ(f16.smallestNormal, std::ldexp(1.0, -14));
  EXPECT_EQ(f16.smallest, std::ldexp(1.0, -24));
  EXPECT_EQ(f16.underflow, std::ldexp(1.0, -25));
  EXPECT_EQ(f16.getMagnitudeOfSpacing(0.5), 512.0);
  EXPECT_EQ(bf16.largest, std::ldexp(255.0, 120));
  EXPECT_EQ(bf16.overflow, std::ldexp(511.0, 119));
  EXPECT_EQ(bf16.smallestNormal, std::ldexp(1.0, -126));
  EXPECT_EQ(bf16.getMagnitudeOfSpacing(0.5), 64.0);
}

TEST_F(ConstantRangeTest, Counts) {
  Builder builder(&context);
  float inf = std::numeric_limits<float>::infinity();
  std::vector<float> numbers = {0.0f,     -0.0f,   1.0f,    -2.0f,    65519.0f,
                                65520.0f, -1.0e9f, 1.0e-9f, -3.0e-5f, inf,
                                -inf,     -inf,    NAN};
  auto type = RankedTensorType::get(13, builder.getF32Type());
  FormatLimits f16(builder.getF16Type()), bf16(builder.getBF16Type());
  std::optional<ConstantRange> range =
      getConstantRange(DenseElementsAttr::get(type, ArrayRef(numbers)), f16);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->count, 13u);
  EXPECT_EQ(range->nan, 1u);
  EXPECT_EQ(range->positiveInf, 1u);
  EXPECT_EQ(range->negativeInf, 2u);
  EXPECT_EQ(range->nonzero, 7u);
  EXPECT_EQ(range->overflow, 2u);
  EXPECT_EQ(range->underflow, 1u);
  EXPECT_EQ(range->subnormal, 1u);
  EXPECT_EQ(range->min, -1.0e9f);
  EXPECT_EQ(range->max, 65520.0f);
  EXPECT_EQ(range->absMax, 1.0e9f);
  range =
      getConstantRange(DenseElementsAttr::get(type, ArrayRef(numbers)), bf16);
  EXPECT_EQ(range->overflow, 0u);
  EXPECT_EQ(range->underflow, 0u);
}

// Splats, resources, scalars, other element types; and data that is not there.
TEST_F(ConstantRangeTest, Forms) {
  parse(R"mlir(
    %0 = arith.constant {amp.name = "splat"} dense<-3.0e+38> : tensor<4x5xf32>
    %1 = arith.constant {amp.name = "double"} dense<[1.0e300, 2.0]> : tensor<2xf64>
    %2 = arith.constant {amp.name = "half"} dense<[1.0, 2.0, -4.0]> : tensor<3xf16>
    %3 = arith.constant {amp.name = "scalar"} 70000.0 : f32
    %4 = arith.constant {amp.name = "integers"} dense<[700, -3]> : tensor<2xi64>
    %5 = arith.constant {amp.name = "bits"} dense<[true, false]> : tensor<2xi1>
    %6 = arith.constant {amp.name = "resource"} dense_resource<weights> : tensor<2xf32>
    %7 = arith.constant {amp.name = "absent"} dense_resource<nothing> : tensor<2xf32>
  {-#
    dialect_resources: { builtin: { weights: "0x0400000000007A440000C0C7" } }
  #-}
  )mlir");
  Builder builder(&context);
  FormatLimits f16(builder.getF16Type());
  auto get = [&](StringRef name) {
    return getConstantRange(getConstant(find(name)->getResult(0)), f16);
  };
  EXPECT_EQ(get("splat")->count, 20u);
  EXPECT_EQ(get("splat")->overflow, 20u);
  EXPECT_EQ(get("double")->max, 1.0e300);
  EXPECT_EQ(get("half")->min, -4.0);
  EXPECT_EQ(get("scalar")->overflow, 1u);
  EXPECT_EQ(get("integers")->absMax, 700.0);
  EXPECT_EQ(get("bits")->nonzero, 1u);
  EXPECT_EQ(get("resource")->max, 1000.0);
  EXPECT_EQ(get("resource")->min, -98304.0);
  EXPECT_EQ(get("resource")->overflow, 1u);
  EXPECT_FALSE(get("absent"));
}
