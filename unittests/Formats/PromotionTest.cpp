//===- PromotionTest.cpp - elementwise promotion --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

class Promotion : public ::testing::Test {
protected:
  Promotion() : context(MLIRContext::Threading::DISABLED) {}

  /// Parses types of MLIR.
  Type type(StringRef text) { return parseType(text, &context); }
  Type promote(std::initializer_list<StringRef> texts) {
    SmallVector<Type> types;
    for (StringRef text : texts)
      types.push_back(type(text));
    return promoteElementwise(types);
  }

  MLIRContext context;
};

/// torch.promote_types of torch 2.6.0, executed, for the types that both have.
constexpr const char *kNames[] = {"i1",  "ui8", "i8",   "i16", "i32",
                                  "i64", "f16", "bf16", "f32", "f64"};
constexpr const char *kTorch[10][10] = {
    {"i1", "ui8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"},
    {"ui8", "ui8", "i16", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"},
    {"i8", "i16", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"},
    {"i16", "i16", "i16", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"},
    {"i32", "i32", "i32", "i32", "i32", "i64", "f16", "bf16", "f32", "f64"},
    {"i64", "i64", "i64", "i64", "i64", "i64", "f16", "bf16", "f32", "f64"},
    {"f16", "f16", "f16", "f16", "f16", "f16", "f16", "f32", "f32", "f64"},
    {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "f32", "bf16", "f32",
     "f64"},
    {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f32", "f64"},
    {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64"}};

TEST_F(Promotion, AgreesWithTorchWithinATier) {
  for (auto [i, a] : llvm::enumerate(kNames))
    for (auto [j, b] : llvm::enumerate(kNames)) {
      Type expected = type(kTorch[i][j]);
      for (const char *shape :
           {"tensor<4x%>", "tensor<%>", "vector<4x%>", "%"}) {
        auto shaped = [&](StringRef element) {
          auto [prefix, suffix] = StringRef(shape).split('%');
          return type((prefix + element + suffix).str());
        };
        EXPECT_EQ(promoteElementwise({shaped(a), shaped(b)}), expected)
            << a << " with " << b << " as " << shape;
      }
    }
}

/// 0-d tensors and scalars count only where their category is higher.
TEST_F(Promotion, Tiers) {
  EXPECT_EQ(promote({"tensor<4xf16>", "tensor<f64>"}), type("f16"));
  EXPECT_EQ(promote({"tensor<4xf16>", "f32"}), type("f16"));
  EXPECT_EQ(promote({"tensor<4xi8>", "tensor<i64>"}), type("i8"));
  EXPECT_EQ(promote({"tensor<4xi8>", "tensor<f16>"}), type("f16"));
  EXPECT_EQ(promote({"tensor<4xi8>", "tensor<f16>", "f64"}), type("f16"));
  EXPECT_EQ(promote({"tensor<4xi8>", "f64"}), type("f64"));
  EXPECT_EQ(promote({"tensor<4xi1>", "i64"}), type("i64"));
  EXPECT_EQ(promote({"tensor<i8>", "i64"}), type("i8"));
  EXPECT_EQ(promote({"tensor<4xf16>", "tensor<1xbf16>"}), type("f32"));
  EXPECT_EQ(promote({"f64", "tensor<f32>", "tensor<2xf16>"}), type("f16"));
}

/// What torch refuses: 8-bit floats join as envelopes do; unsigned integers of
/// more than 8 bits join among themselves, and with floats, but with no signed
/// integers.
TEST_F(Promotion, BeyondTorch) {
  EXPECT_EQ(promote({"f8E4M3FN", "f8E5M2"}), type("f16"));
  EXPECT_EQ(promote({"f8E4M3FN", "i32"}), type("f8E4M3FN"));
  EXPECT_EQ(promote({"ui16", "ui32"}), type("ui32"));
  EXPECT_EQ(promote({"ui16", "f16"}), type("f16"));
  EXPECT_EQ(promote({"ui16", "i1"}), type("ui16"));
  EXPECT_FALSE(promote({"ui16", "i32"}));
  EXPECT_FALSE(promote({"i8", "ui8", "ui16"}));
  EXPECT_FALSE(promote({}));
}

/// Types that differ only in how they say "signed" give the signless one.
TEST_F(Promotion, SignednessDoesNotDependOnOrder) {
  EXPECT_EQ(promote({"si8", "i8"}), type("i8"));
  EXPECT_EQ(promote({"i8", "si8"}), type("i8"));
  EXPECT_EQ(promote({"ui1", "i1"}), type("i1"));
  EXPECT_EQ(promote({"i1", "ui1"}), type("i1"));
  EXPECT_EQ(promote({"si8", "si8"}), type("si8"));
  EXPECT_EQ(promote({"ui8", "si8"}), type("i16"));
  EXPECT_EQ(promote({"si32", "ui8"}), type("si32"));
}

} // namespace
