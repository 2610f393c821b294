//===- JoinTest.cpp - laws of envelopes and their joins -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"

#include "TypeList.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::APFloat;

namespace {

class Join : public ::testing::Test {
protected:
  Join() : context(MLIRContext::Threading::DISABLED) {
    floats = test::getFloatTypes(&context);
    types.assign(floats.begin(), floats.end());
    for (unsigned width : {1, 2, 4, 8, 16, 24, 32, 53, 64})
      for (auto signedness :
           {IntegerType::Signless, IntegerType::Signed, IntegerType::Unsigned})
        types.push_back(IntegerType::get(&context, width, signedness));
  }

  FormatEnvelope envelope(Type type) { return *FormatEnvelope::get(type); }

  MLIRContext context;
  std::vector<FloatType> floats;
  std::vector<Type> types;
};

/// Whether `value` goes to `to` and back unchanged, its sign of zero included.
bool survives(APFloat value, FloatType to) {
  APFloat there = value;
  bool losesInfo;
  there.convert(to.getFloatSemantics(), llvm::RoundingMode::NearestTiesToEven,
                &losesInfo);
  // APFloat gives a format without sign signs, and one without zero zeros.
  if (!APFloat::semanticsHasSignedRepr(to.getFloatSemantics()) &&
      (value.isNegative() || value.isZero()))
    return false;
  APFloat back = there;
  back.convert(value.getSemantics(), llvm::RoundingMode::NearestTiesToEven,
               &losesInfo);
  return back.bitwiseIsEqual(value);
}

TEST_F(Join, Laws) {
  for (Type a : types) {
    FormatEnvelope ea = envelope(a);
    EXPECT_EQ(FormatEnvelope::join(ea, ea), ea);
    for (Type b : types) {
      FormatEnvelope eb = envelope(b);
      FormatEnvelope ab = FormatEnvelope::join(ea, eb);
      EXPECT_EQ(ab, FormatEnvelope::join(eb, ea));
      EXPECT_TRUE(ab.covers(ea) && ab.covers(eb));
      EXPECT_EQ(ea.covers(eb), ab == ea);
      for (Type c : types) {
        FormatEnvelope ec = envelope(c);
        EXPECT_EQ(FormatEnvelope::join(ab, ec),
                  FormatEnvelope::join(ea, FormatEnvelope::join(eb, ec)));
      }
    }
  }
}

TEST_F(Join, TypesDoNotDependOnOrder) {
  for (FloatType a : floats)
    for (FloatType b : floats)
      for (FloatType c : floats) {
        Type join = joinFloatTypes({a, b, c});
        ASSERT_TRUE(join);
        EXPECT_EQ(join, joinFloatTypes({b, c, a}));
        EXPECT_EQ(join, joinFloatTypes({c, a, b}));
        EXPECT_EQ(join, joinFloatTypes({c, b, a}));
        EXPECT_EQ(join, joinFloatTypes({a, a, b, b, c, c}));
      }
}

/// Materializing an envelope gives a type that covers it, and no narrower type
/// that is considered does.
TEST_F(Join, MaterializesTheNarrowest) {
  for (FloatType a : floats)
    for (FloatType b : floats) {
      FormatEnvelope join = FormatEnvelope::join(envelope(a), envelope(b));
      auto type = cast<FloatType>(materialize(join, &context));
      EXPECT_TRUE(envelope(type).covers(join));
      for (FloatType narrower : floats)
        if (narrower.getWidth() < type.getWidth()) {
          EXPECT_FALSE(envelope(narrower).covers(join));
        }
    }
}

TEST_F(Join, HoldsEveryValueOfItsInputs) {
  for (FloatType a : floats)
    for (FloatType b : floats) {
      auto join = cast<FloatType>(joinFloatTypes({a, b}));
      for (uint64_t bits : test::getBitPatterns(a)) {
        APFloat value(a.getFloatSemantics(), llvm::APInt(a.getWidth(), bits));
        if (!value.isNaN() && a != join) {
          ASSERT_TRUE(survives(value, join)) << bits;
        }
      }
    }
}

TEST_F(Join, FixedResults) {
  Type f16 = Float16Type::get(&context), bf16 = BFloat16Type::get(&context);
  Type f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
  Type e4m3 = Float8E4M3FNType::get(&context);
  Type e5m2 = Float8E5M2Type::get(&context);
  Type e8m0 = Float8E8M0FNUType::get(&context);
  EXPECT_EQ(joinFloatTypes({f16, bf16}), f32);
  EXPECT_EQ(joinFloatTypes({e4m3, e5m2}), f16);
  EXPECT_EQ(joinFloatTypes({e4m3, bf16}), bf16);
  EXPECT_EQ(joinFloatTypes({e5m2, bf16}), bf16);
  EXPECT_EQ(joinFloatTypes({e5m2, f16}), f16);
  // All are joined before a type is picked, so no f16 comes in between.
  EXPECT_EQ(joinFloatTypes({e4m3, e5m2, bf16}), bf16);
  EXPECT_EQ(joinFloatTypes({f16, f32, f64}), f64);
  EXPECT_EQ(joinFloatTypes({e8m0, bf16}), bf16);
  EXPECT_EQ(joinFloatTypes({e8m0, f16}), f32);
  EXPECT_EQ(joinFloatTypes({e4m3}), e4m3);
  EXPECT_FALSE(joinFloatTypes({}));
  EXPECT_FALSE(joinFloatTypes({f64, Float128Type::get(&context)}));
  EXPECT_EQ(materialize(envelope(FloatTF32Type::get(&context)), &context), f32);
}

TEST_F(Join, ValuePreservingAgreesWithEnumeration) {
  for (FloatType a : floats)
    for (FloatType b : floats) {
      bool all = true;
      for (uint64_t bits : test::getBitPatterns(a)) {
        APFloat value(a.getFloatSemantics(), llvm::APInt(a.getWidth(), bits));
        if (!value.isNaN() && a != b)
          all &= survives(value, b);
      }
      std::string names;
      llvm::raw_string_ostream(names) << a << " to " << b;
      EXPECT_EQ(isValuePreserving(a, b), all) << names;
    }
}

TEST_F(Join, ValuePreservingIntegers) {
  for (Type type : types) {
    auto integer = dyn_cast<IntegerType>(type);
    if (!integer)
      continue;
    unsigned width = integer.getWidth();
    bool isUnsigned = integer.isUnsigned() || width == 1;
    for (FloatType to : floats) {
      // The hardest values: the ends of the range, all ones, and zero.
      bool all = true;
      for (uint64_t bits : {uint64_t(0), uint64_t(1) << (width - 1),
                            (uint64_t(1) << (width - 1)) - 1, ~uint64_t(0)}) {
        llvm::APInt value(64, bits);
        value = value.trunc(width);
        APFloat exact(APFloat::IEEEquad());
        exact.convertFromAPInt(value, !isUnsigned,
                               llvm::RoundingMode::NearestTiesToEven);
        all &= survives(exact, to);
      }
      std::string names;
      llvm::raw_string_ostream(names) << type << " to " << to;
      EXPECT_EQ(isValuePreserving(type, to), all) << names;
    }
  }
}

} // namespace
