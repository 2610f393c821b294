//===- ConversionTest.cpp - conversion of single values -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is plain arithmetic: formats are written out as fields of bits,
// values decoded to f64, which holds all of them and the midpoints between them
// exactly, and the nearest code is searched for. The bound is equality of bits.
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"

#include "TypeList.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::amp;
using llvm::RoundingMode;

namespace {

/// A format with sign, by its fields; `largest` is the code of its largest
/// finite value, and `overflow` the code that a value beyond becomes.
struct Format {
  const char *name;
  int mantissa, bias;
  uint64_t sign, largest, overflow;

  double decode(uint64_t code) const {
    int64_t exponent = code >> mantissa;
    double fraction = code & ((uint64_t(1) << mantissa) - 1);
    if (exponent == 0)
      return std::ldexp(fraction, 1 - bias - mantissa);
    return std::ldexp(fraction + double(uint64_t(1) << mantissa),
                      exponent - bias - mantissa);
  }

  uint64_t round(double value, RoundingMode mode, bool saturate) const {
    bool negative = std::signbit(value);
    double magnitude = std::fabs(value);
    uint64_t low = 0, high = largest + 1;
    while (high - low > 1) {
      uint64_t middle = low + (high - low) / 2;
      (decode(middle) <= magnitude ? low : high) = middle;
    }
    uint64_t code = low;
    if (decode(low) != magnitude) {
      double tie = (decode(low) + decode(low + 1)) / 2;
      bool up = false;
      switch (mode) {
      case RoundingMode::NearestTiesToEven:
        up = magnitude > tie || (magnitude == tie && low % 2 == 1);
        break;
      case RoundingMode::NearestTiesToAway:
        up = magnitude >= tie;
        break;
      case RoundingMode::TowardPositive:
        up = !negative;
        break;
      case RoundingMode::TowardNegative:
        up = negative;
        break;
      default:
        break;
      }
      code += up;
    }
    if (code > largest)
      code = saturate ? largest : overflow;
    return code | (negative ? sign : 0);
  }
};

constexpr Format kFormats[] = {
    {"f16", 10, 15, 0x8000, 0x7BFF, 0x7C00},
    {"bf16", 7, 127, 0x8000, 0x7F7F, 0x7F80},
    {"f8E5M2", 2, 15, 0x80, 0x7B, 0x7C},
    {"f8E4M3FN", 3, 7, 0x80, 0x7E, 0x7F},
    {"f8E4M3", 3, 7, 0x80, 0x77, 0x78},
    {"f8E3M4", 4, 3, 0x80, 0x6F, 0x70},
};

class Conversion : public ::testing::Test {
protected:
  Conversion() : context(MLIRContext::Threading::DISABLED) {}

  Type type(StringRef text) { return parseType(text, &context); }

  Attribute convert(Attribute value, StringRef from, StringRef to,
                    bool saturate = false) {
    return convertElement(value, type(from), type(to),
                          RoundingMode::NearestTiesToEven, saturate);
  }
  Attribute floating(StringRef name, double value) {
    return FloatAttr::get(type(name), value);
  }
  Attribute integer(StringRef name, int64_t value) {
    auto integerType = cast<IntegerType>(type(name));
    return IntegerAttr::get(
        integerType, llvm::APInt(64, value).trunc(integerType.getWidth()));
  }

  MLIRContext context;
};

/// The bits of a float attribute.
uint64_t bitsOf(Attribute value) {
  return cast<FloatAttr>(value).getValue().bitcastToAPInt().getZExtValue();
}

TEST_F(Conversion, FloatsAgreeWithArithmetic) {
  std::mt19937_64 random(1);
  for (const Format &format : kFormats) {
    // Values of the format (all of those of 8 bits), ties, and neighbours of
    // both.
    uint64_t step = format.sign > 0x80 ? 13 : 1;
    std::vector<double> values;
    for (uint64_t code = 0; code <= format.largest; code += step)
      for (double value : {format.decode(code),
                           (format.decode(code) + format.decode(code + 1)) / 2})
        for (double sign : {1.0, -1.0}) {
          values.push_back(sign * value);
          values.push_back(sign * std::nextafter(value, 0.0));
          values.push_back(sign * std::nextafter(value, 1e300));
        }
    for (int i = 0; i < 1000; ++i)
      values.push_back(std::ldexp(double(random()), int(random() % 400) - 260));
    Type to = type(format.name), f64 = type("f64");
    for (RoundingMode mode :
         {RoundingMode::NearestTiesToEven, RoundingMode::NearestTiesToAway,
          RoundingMode::TowardPositive, RoundingMode::TowardNegative,
          RoundingMode::TowardZero})
      for (bool saturate : {false, true})
        for (double value : values) {
          uint64_t found = bitsOf(convertElement(FloatAttr::get(f64, value),
                                                 f64, to, mode, saturate));
          ASSERT_EQ(found, format.round(value, mode, saturate))
              << format.name << " of " << value << " mode " << int(mode)
              << " saturate " << saturate;
        }
  }
}

// Whole arrays go other ways than single elements.
TEST_F(Conversion, ArraysAgreeWithElements) {
  std::mt19937_64 random(2);
  std::vector<Type> types;
  llvm::append_range(types, test::getFloatTypes(&context));
  for (StringRef name :
       {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "i1"})
    types.push_back(type(name));
  auto bits = [](Attribute value) {
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt();
    return cast<IntegerAttr>(value).getValue();
  };
  for (Type from : types) {
    unsigned width = from.getIntOrFloatBitWidth();
    // All values of up to 8 bits, more than there are of 16, and of wider
    // floats each exponent, with significands that are halfway or nearly so.
    std::vector<llvm::APInt> patterns;
    for (uint64_t i = 0, e = width == 16 ? 70000 : 4000; i < e; ++i) {
      uint64_t pattern = random();
      if (width > 16 && i % 4)
        pattern = pattern >> 8 << 8 | (i % 4 == 1 ? 0 : i % 4 == 2 ? 0x80 : 1);
      if (width > 16 && i % 8 < 6)
        for (unsigned bit : {13, 16, 29, 42, 45})
          if (random() % 2)
            pattern = pattern >> bit << bit | (random() % 2 << (bit - 1));
      patterns.push_back(llvm::APInt(64, pattern).trunc(width));
    }
    SmallVector<Attribute> values;
    for (const llvm::APInt &pattern : patterns)
      if (auto floating = dyn_cast<FloatType>(from))
        values.push_back(FloatAttr::get(
            from, llvm::APFloat(floating.getFloatSemantics(), pattern)));
      else
        values.push_back(IntegerAttr::get(from, pattern));
    auto elements = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values.size())}, from), values);
    for (Type to : types)
      for (RoundingMode mode :
           {RoundingMode::NearestTiesToEven, RoundingMode::TowardZero})
        for (bool saturate : {false, true}) {
          DenseElementsAttr found =
              convertElements(elements, to, mode, saturate);
          auto convertOne = [&](Attribute value) {
            return convertElement(value, from, to, mode, saturate);
          };
          if (!found) {
            ASSERT_TRUE(llvm::is_contained(llvm::map_range(values, convertOne),
                                           Attribute()));
            continue;
          }
          ASSERT_EQ(found.getElementType(), to);
          auto results = found.getValues<Attribute>();
          for (size_t i = 0; i < values.size(); i += values.size() / 4000)
            ASSERT_EQ(bits(results[i]), bits(convertOne(values[i])))
                << llvm::toString(bits(values[i]), 16, false) << " from "
                << mlir::debugString(from) << " to " << mlir::debugString(to);
        }
  }
}

TEST_F(Conversion, ArrayOfOneNumber) {
  auto tensor = RankedTensorType::get({1000}, type("f32"));
  DenseElementsAttr found =
      convertElements(DenseElementsAttr::get(tensor, 1.0f), type("bf16"),
                      RoundingMode::NearestTiesToEven, /*saturate=*/false);
  EXPECT_TRUE(found.isSplat());
  EXPECT_EQ(found.getSplatValue<llvm::APFloat>().convertToFloat(), 1.0f);
}

TEST_F(Conversion, SpecialValues) {
  double inf = INFINITY, nan = NAN;
  for (FloatType to : test::getFloatTypes(&context)) {
    const llvm::fltSemantics &sem = to.getFloatSemantics();
    for (bool saturate : {false, true}) {
      auto convertTo = [&](double value) {
        return cast<FloatAttr>(
                   convertElement(FloatAttr::get(type("f64"), value),
                                  type("f64"), to,
                                  RoundingMode::NearestTiesToEven, saturate))
            .getValue();
      };
      EXPECT_TRUE(convertTo(nan).isNaN());
      if (saturate)
        EXPECT_EQ(convertTo(inf), llvm::APFloat::getLargest(sem));
      else if (llvm::APFloat::semanticsHasInf(sem))
        EXPECT_TRUE(convertTo(inf).isInfinity());
      else
        EXPECT_TRUE(convertTo(inf).isNaN());
      if (!llvm::APFloat::semanticsHasZero(sem))
        continue;
      EXPECT_TRUE(convertTo(0.0).isPosZero());
      EXPECT_TRUE(convertTo(-0.0).isZero());
      EXPECT_EQ(convertTo(-0.0).isNegative(),
                FormatEnvelope::get(to)->hasNegativeZero);
    }
  }
}

/// f8E8M0FNU: powers of two, no zero, no sign.
TEST_F(Conversion, ExponentsOnly) {
  auto code = [&](double value, bool saturate) {
    return bitsOf(
        convert(floating("f64", value), "f64", "f8E8M0FNU", saturate));
  };
  for (bool saturate : {false, true}) {
    for (int exponent = -127; exponent <= 127; ++exponent)
      EXPECT_EQ(code(std::ldexp(1.0, exponent), saturate), exponent + 127u);
    EXPECT_EQ(code(0.0, saturate), 0u);
    EXPECT_EQ(code(-0.0, saturate), 0u);
    EXPECT_EQ(code(1e-300, saturate), 0u);
    EXPECT_EQ(code(NAN, saturate), 255u);
  }
  EXPECT_EQ(code(-1.0, false), 255u);
  EXPECT_EQ(code(-1.0, true), 0u);
  EXPECT_EQ(code(INFINITY, false), 255u);
  EXPECT_EQ(code(INFINITY, true), 254u);
  EXPECT_EQ(code(-INFINITY, true), 0u);
  // Its NaN stays one.
  Attribute nan = FloatAttr::get(
      type("f8E8M0FNU"),
      llvm::APFloat(llvm::APFloat::Float8E8M0FNU(), llvm::APInt(8, 0xFF)));
  EXPECT_EQ(bitsOf(convert(nan, "f8E8M0FNU", "f32")), 0x7FC00000u);
}

TEST_F(Conversion, FloatToInteger) {
  struct {
    const char *name;
    double low, high;
  } targets[] = {{"i8", -128, 127},
                 {"ui8", 0, 255},
                 {"si16", -32768, 32767},
                 {"i32", -2147483648.0, 2147483647},
                 {"ui32", 0, 4294967295.0}};
  for (auto target : targets)
    for (double value :
         {0.0,          -0.0,          0.5,           -0.5,
          -0.999,       1.999,         126.999,       127.0,
          127.999,      128.0,         -128.0,        -128.999,
          -129.0,       255.999,       256.0,         32767.5,
          32768.0,      -32768.5,      -32769.0,      2147483647.5,
          2147483648.0, -2147483648.5, -2147483649.0, 4294967295.5,
          4294967296.0, 1e30,          -1e30}) {
      double truncated = std::trunc(value);
      bool inRange = truncated >= target.low && truncated <= target.high;
      Attribute plain = convert(floating("f64", value), "f64", target.name);
      EXPECT_EQ(bool(plain), inRange) << value << " to " << target.name;
      double clamped = std::min(std::max(truncated, target.low), target.high);
      Attribute expected = integer(target.name, int64_t(clamped));
      if (inRange) {
        EXPECT_EQ(plain, expected) << value << " to " << target.name;
      }
      EXPECT_EQ(convert(floating("f64", value), "f64", target.name, true),
                expected)
          << value << " to " << target.name;
    }
  EXPECT_FALSE(convert(floating("f32", NAN), "f32", "i8"));
  EXPECT_EQ(convert(floating("f32", NAN), "f32", "i8", true), integer("i8", 0));
  EXPECT_EQ(convert(floating("f32", NAN), "f32", "i1"), integer("i1", 1));
  EXPECT_EQ(convert(floating("f32", 0.25), "f32", "i1"), integer("i1", 1));
  EXPECT_EQ(convert(floating("f32", -0.0), "f32", "i1"), integer("i1", 0));
}

TEST_F(Conversion, IntegerToFloat) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    // The host's conversions round once, to nearest even.
    auto value = int64_t(random()) >> (random() % 64);
    EXPECT_EQ(convert(integer("i64", value), "i64", "f64"),
              floating("f64", double(value)));
    EXPECT_EQ(cast<FloatAttr>(convert(integer("i64", value), "i64", "f32"))
                  .getValue()
                  .convertToFloat(),
              float(value));
    EXPECT_EQ(cast<FloatAttr>(convert(integer("ui64", value), "ui64", "f32"))
                  .getValue()
                  .convertToFloat(),
              float(uint64_t(value)));
  }
  EXPECT_EQ(convert(integer("i1", 1), "i1", "f16"), floating("f16", 1.0));
  // Just above a tie of bf16, which f32 would round to the tie.
  EXPECT_EQ(bitsOf(convert(integer("i32", 16842753), "i32", "bf16")), 0x4B81u);
  EXPECT_EQ(bitsOf(convert(integer("i32", 70000), "i32", "f16")), 0x7C00u);
  EXPECT_EQ(bitsOf(convert(integer("i32", -70000), "i32", "f16", true)),
            0xFBFFu);
}

TEST_F(Conversion, IntegerToInteger) {
  struct {
    const char *name;
    __int128 low, high;
  } types[] = {{"i1", 0, 1},           {"i8", -128, 127},
               {"ui8", 0, 255},        {"i16", -32768, 32767},
               {"ui16", 0, 65535},     {"i64", INT64_MIN, INT64_MAX},
               {"ui64", 0, UINT64_MAX}};
  for (auto from : types)
    for (auto to : types)
      for (__int128 value :
           {from.low, from.low + 1, from.high - 1, from.high, __int128(0),
            __int128(1), __int128(-1), __int128(127), __int128(128),
            __int128(255), __int128(256)}) {
        if (value < from.low || value > from.high)
          continue;
        bool toBool = to.high == 1;
        __int128 wrapped = toBool ? value != 0 : value;
        __int128 clamped =
            toBool ? value != 0 : std::min(std::max(value, to.low), to.high);
        Attribute input = integer(from.name, int64_t(value));
        EXPECT_EQ(convert(input, from.name, to.name),
                  integer(to.name, int64_t(wrapped)));
        EXPECT_EQ(convert(input, from.name, to.name, true),
                  integer(to.name, int64_t(clamped)));
      }
}

} // namespace
