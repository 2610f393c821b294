//===- Conversion.cpp - values of one element type as those of another ----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// One value
//===----------------------------------------------------------------------===//

/// Rounds `value` to `sem`. APFloat gives what amp.cast promises under `ieee`,
/// but for negative values in a format without sign: there it leaves a sign
/// that the format cannot hold.
static APFloat convertFloat(APFloat value, const llvm::fltSemantics &sem,
                            llvm::RoundingMode rounding, bool saturate) {
  bool negative = value.isNegative();
  // The NaN of a format without significand is an infinity to APFloat's
  // conversion, as far as its bits go; that of the FNUZ formats, which have
  // one, is written as -0, and is no negative one.
  const llvm::fltSemantics &from = value.getSemantics();
  if (value.isNaN() &&
      (!APFloat::semanticsHasSignedRepr(from) ||
       !APFloat::getZero(from, /*Negative=*/true).isNegative()))
    return APFloat::getNaN(sem);
  if (!llvm::APFloat::semanticsHasSignedRepr(sem)) {
    if (value.isNaN() || (value.isNonZero() && negative && !saturate))
      return APFloat::getNaN(sem);
    if (negative)
      return APFloat::getSmallest(sem);
  }
  if (saturate && value.isInfinity())
    return APFloat::getLargest(sem, negative);
  bool wasFinite = value.isFinite();
  bool losesInfo;
  value.convert(sem, rounding, &losesInfo);
  if (saturate && wasFinite && !value.isFinite())
    return APFloat::getLargest(sem, negative);
  return value;
}

/// The bits of the element `bits` of type `from` as one of type `to`; none
/// where that is undefined.
static std::optional<APInt> convertBits(const APInt &bits, Type from, Type to,
                                        llvm::RoundingMode rounding,
                                        bool saturate) {
  auto fromInt = dyn_cast<IntegerType>(from);
  auto toInt = dyn_cast<IntegerType>(to);
  if (auto toFloat = dyn_cast<FloatType>(to)) {
    // Integers go through a format that holds each of 64 bits exactly, because
    // APFloat's own conversion knows nothing of saturation.
    APFloat value(APFloat::IEEEquad());
    if (fromInt)
      value.convertFromAPInt(bits, !isUnsignedInteger(fromInt), rounding);
    else
      value = APFloat(cast<FloatType>(from).getFloatSemantics(), bits);
    return convertFloat(std::move(value), toFloat.getFloatSemantics(), rounding,
                        saturate)
        .bitcastToAPInt();
  }
  unsigned width = toInt.getWidth();
  bool toUnsigned = isUnsignedInteger(toInt);
  if (!fromInt) {
    APFloat value(cast<FloatType>(from).getFloatSemantics(), bits);
    if (width == 1)
      return APInt(1, !value.isZero());
    llvm::APSInt result(width, toUnsigned);
    bool isExact;
    APFloat::opStatus status = value.convertToInteger(
        result, llvm::RoundingMode::TowardZero, &isExact);
    // On an invalid operation APFloat clamps, and gives 0 for NaN.
    if (status == APFloat::opInvalidOp && !saturate)
      return std::nullopt;
    return result;
  }
  if (width == 1)
    return APInt(1, !bits.isZero());
  bool fromUnsigned = isUnsignedInteger(fromInt);
  if (!saturate)
    return fromUnsigned ? bits.zextOrTrunc(width) : bits.sextOrTrunc(width);
  llvm::APSInt wide(fromUnsigned ? bits.zext(65) : bits.sext(65),
                    /*isUnsigned=*/false);
  llvm::APSInt low(llvm::APSInt::getMinValue(width, toUnsigned).extend(65));
  llvm::APSInt high(llvm::APSInt::getMaxValue(width, toUnsigned).extend(65));
  low.setIsSigned(true);
  high.setIsSigned(true);
  return std::min(std::max(wide, low), high).trunc(width);
}

TypedAttr mlir::amp::convertElement(Attribute element, Type from, Type to,
                                    llvm::RoundingMode rounding,
                                    bool saturate) {
  APInt bits = isa<FloatAttr>(element)
                   ? cast<FloatAttr>(element).getValue().bitcastToAPInt()
                   : cast<IntegerAttr>(element).getValue();
  std::optional<APInt> result = convertBits(bits, from, to, rounding, saturate);
  if (!result)
    return {};
  if (auto type = dyn_cast<FloatType>(to))
    return FloatAttr::get(to, APFloat(type.getFloatSemantics(), *result));
  return IntegerAttr::get(to, *result);
}

//===----------------------------------------------------------------------===//
// Many values
//===----------------------------------------------------------------------===//

namespace {
/// Rounds to nearest, ties to even, from an IEEE format to a narrower one of
/// no larger exponents, by integers on the bits: twenty times as fast as
/// APFloat, and what nearly all elements of nearly all weights need.
class FastRounding {
public:
  FastRounding(const llvm::fltSemantics &from, const llvm::fltSemantics &to)
      : mantissa(APFloat::semanticsPrecision(from) - 1),
        dropped(mantissa - (APFloat::semanticsPrecision(to) - 1)),
        sign(uint64_t(1) << (APFloat::semanticsSizeInBits(from) - 1)),
        signShift(APFloat::semanticsSizeInBits(from) -
                  APFloat::semanticsSizeInBits(to)) {
    // The biased exponents of the narrower format's, in the wider one.
    uint64_t bias = APFloat::semanticsMaxExponent(from);
    least = (bias + APFloat::semanticsMinExponent(to)) << mantissa;
    overflow = (bias + APFloat::semanticsMaxExponent(to) + 1) << mantissa;
    rebias = (bias - APFloat::semanticsMaxExponent(to)) << mantissa;
  }

  static bool canRound(const llvm::fltSemantics &from,
                       const llvm::fltSemantics &to) {
    return APFloat::isIEEELikeFP(from) && APFloat::isIEEELikeFP(to) &&
           APFloat::semanticsSizeInBits(from) <= 64 &&
           APFloat::semanticsPrecision(from) >
               APFloat::semanticsPrecision(to) &&
           APFloat::semanticsMaxExponent(from) >=
               APFloat::semanticsMaxExponent(to);
  }

  /// The rounded element, if it is zero or normal, and does not overflow.
  std::optional<uint64_t> operator()(uint64_t bits) const {
    uint64_t magnitude = bits & (sign - 1);
    uint64_t result = (bits & sign) >> signShift;
    if (magnitude == 0)
      return result;
    // Half of what is dropped, and one less where the last bit that stays is
    // even; a carry goes on into the exponent, as it should.
    uint64_t rounded = magnitude + (uint64_t(1) << (dropped - 1)) - 1 +
                       (magnitude >> dropped & 1);
    if (magnitude < least || rounded >= overflow)
      return std::nullopt;
    return result | (rounded - rebias) >> dropped;
  }

private:
  unsigned mantissa, dropped;
  uint64_t sign;
  unsigned signShift;
  uint64_t least, overflow, rebias;
};
} // namespace

/// Calls `callee` with an integer of `width` bits, so that each width has code
/// of its own.
template <typename Callee>
static bool withUnsigned(unsigned width, Callee callee) {
  switch (width) {
  case 8:
    return callee(uint8_t());
  case 16:
    return callee(uint16_t());
  case 32:
    return callee(uint32_t());
  default:
    return callee(uint64_t());
  }
}

std::optional<std::vector<char>>
mlir::amp::convertElements(ArrayRef<char> elements, Type from, Type to,
                           llvm::RoundingMode rounding, bool saturate) {
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  assert(fromWidth % 8 == 0 && toWidth % 8 == 0 && fromWidth <= 64 &&
         toWidth <= 64 && "elements of whole bytes");
  size_t in = fromWidth / 8, out = toWidth / 8, count = elements.size() / in;
  auto convertOne = [&](uint64_t bits) -> std::optional<uint64_t> {
    std::optional<APInt> result =
        convertBits(APInt(fromWidth, bits), from, to, rounding, saturate);
    return result ? std::optional(result->getZExtValue()) : std::nullopt;
  };
  // Narrow elements have few values.
  std::vector<std::optional<uint64_t>> table;
  if (fromWidth <= 16 && count > (size_t(1) << fromWidth))
    for (uint64_t bits = 0; bits < uint64_t(1) << fromWidth; ++bits)
      table.push_back(convertOne(bits));
  std::optional<FastRounding> fast;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat &&
      rounding == llvm::RoundingMode::NearestTiesToEven &&
      FastRounding::canRound(fromFloat.getFloatSemantics(),
                             toFloat.getFloatSemantics()))
    fast.emplace(fromFloat.getFloatSemantics(), toFloat.getFloatSemantics());

  std::vector<char> result(count * out);
  auto convertAll = [&](auto fromBits, auto toBits) {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&fromBits, elements.data() + i * in, sizeof(fromBits));
      std::optional<uint64_t> value = fast ? (*fast)(fromBits) : std::nullopt;
      if (!value)
        value = table.empty() ? convertOne(fromBits) : table[fromBits];
      if (!value)
        return false;
      toBits = *value;
      std::memcpy(result.data() + i * out, &toBits, sizeof(toBits));
    }
    return true;
  };
  bool isDefined = withUnsigned(fromWidth, [&](auto fromBits) {
    return withUnsigned(
        toWidth, [&](auto toBits) { return convertAll(fromBits, toBits); });
  });
  return isDefined ? std::optional(std::move(result)) : std::nullopt;
}

DenseElementsAttr mlir::amp::convertElements(DenseElementsAttr elements,
                                             Type to,
                                             llvm::RoundingMode rounding,
                                             bool saturate) {
  Type from = elements.getElementType();
  ShapedType type = elements.getType().clone(to);
  auto hasBytes = [](Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    return width % 8 == 0 && width <= 64;
  };
  if (!elements.isSplat() && hasBytes(from) && hasBytes(to)) {
    std::optional<std::vector<char>> bytes =
        convertElements(elements.getRawData(), from, to, rounding, saturate);
    return bytes ? DenseElementsAttr::getFromRawBuffer(type, *bytes)
                 : DenseElementsAttr();
  }
  SmallVector<Attribute> converted;
  auto append = [&](Attribute element) {
    converted.push_back(convertElement(element, from, to, rounding, saturate));
    return converted.back() != Attribute();
  };
  bool isDefined = elements.isSplat()
                       ? append(elements.getSplatValue<Attribute>())
                       : llvm::all_of(elements.getValues<Attribute>(), append);
  return isDefined ? DenseElementsAttr::get(type, converted)
                   : DenseElementsAttr();
}
