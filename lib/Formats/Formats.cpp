//===- Formats.cpp - element types, their joins and conversions -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Formats/Formats.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// FormatEnvelope
//===----------------------------------------------------------------------===//

/// Signless integers are signed, except i1, which is a boolean.
static bool isUnsignedInteger(IntegerType type) {
  return type.isUnsigned() || type.getWidth() == 1;
}

std::optional<FormatEnvelope> FormatEnvelope::get(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &sem = floatType.getFloatSemantics();
    FormatEnvelope envelope;
    envelope.precision = llvm::APFloat::semanticsPrecision(sem);
    envelope.maxExponent = llvm::APFloat::semanticsMaxExponent(sem);
    envelope.minExponent = llvm::ilogb(llvm::APFloat::getSmallest(sem));
    envelope.hasInfinity = llvm::APFloat::semanticsHasInf(sem);
    envelope.hasSign = llvm::APFloat::semanticsHasSignedRepr(sem);
    envelope.hasZero = llvm::APFloat::semanticsHasZero(sem);
    envelope.hasNegativeZero =
        envelope.hasSign && envelope.hasZero &&
        llvm::APFloat::getZero(sem, /*Negative=*/true).isNegative();
    return envelope;
  }
  if (auto intType = dyn_cast<IntegerType>(type)) {
    int width = intType.getWidth();
    FormatEnvelope envelope;
    envelope.hasZero = true;
    envelope.hasSign = !isUnsignedInteger(intType);
    envelope.precision = envelope.hasSign ? std::max(width - 1, 1) : width;
    // The most negative value is a power of two, so it needs no precision.
    envelope.maxExponent = width - 1;
    return envelope;
  }
  return std::nullopt;
}

FormatEnvelope FormatEnvelope::join(const FormatEnvelope &a,
                                    const FormatEnvelope &b) {
  FormatEnvelope result;
  result.precision = std::max(a.precision, b.precision);
  result.maxExponent = std::max(a.maxExponent, b.maxExponent);
  result.minExponent = std::min(a.minExponent, b.minExponent);
  result.hasZero = a.hasZero || b.hasZero;
  result.hasInfinity = a.hasInfinity || b.hasInfinity;
  result.hasSign = a.hasSign || b.hasSign;
  result.hasNegativeZero = a.hasNegativeZero || b.hasNegativeZero;
  return result;
}

bool FormatEnvelope::covers(const FormatEnvelope &other) const {
  return join(*this, other) == *this;
}

bool FormatEnvelope::operator==(const FormatEnvelope &other) const {
  auto key = [](const FormatEnvelope &e) {
    return std::tuple(e.precision, e.maxExponent, e.minExponent, e.hasZero,
                      e.hasInfinity, e.hasSign, e.hasNegativeZero);
  };
  return key(*this) == key(other);
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

bool mlir::amp::isStorageFloat(Type type) {
  auto floatType = dyn_cast_or_null<FloatType>(type);
  return floatType &&
         (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(floatType) ||
          floatType.getWidth() == 8);
}

Type mlir::amp::materialize(const FormatEnvelope &envelope,
                            MLIRContext *context) {
  const Type bytes[] = {
      Float8E4M3FNType::get(context),   Float8E5M2Type::get(context),
      Float8E4M3Type::get(context),     Float8E5M2FNUZType::get(context),
      Float8E4M3FNUZType::get(context), Float8E4M3B11FNUZType::get(context),
      Float8E3M4Type::get(context),     Float8E8M0FNUType::get(context)};
  for (Type type : bytes)
    if (*FormatEnvelope::get(type) == envelope)
      return type;
  const Type wider[] = {Float16Type::get(context), BFloat16Type::get(context),
                        Float32Type::get(context), Float64Type::get(context)};
  for (Type type : llvm::concat<const Type>(ArrayRef(bytes), ArrayRef(wider)))
    if (FormatEnvelope::get(type)->covers(envelope))
      return type;
  return {};
}

Type mlir::amp::joinFloatTypes(ArrayRef<Type> types) {
  if (types.empty())
    return {};
  if (llvm::all_equal(types))
    return types.front();
  FormatEnvelope envelope = *FormatEnvelope::get(types.front());
  for (Type type : types.drop_front())
    envelope = FormatEnvelope::join(envelope, *FormatEnvelope::get(type));
  return materialize(envelope, types.front().getContext());
}

bool mlir::amp::isValuePreserving(Type from, Type to) {
  std::optional<FormatEnvelope> source = FormatEnvelope::get(from);
  std::optional<FormatEnvelope> target = FormatEnvelope::get(to);
  return source && target && target->covers(*source);
}

//===----------------------------------------------------------------------===//
// Elementwise promotion
//===----------------------------------------------------------------------===//

PromotionTier mlir::amp::getPromotionTier(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return PromotionTier::Scalar;
  return shaped.hasRank() && shaped.getRank() == 0 ? PromotionTier::ZeroDim
                                                   : PromotionTier::Dimensioned;
}

/// bool < integer < float.
static int getCategory(Type type) {
  if (isa<FloatType>(type))
    return 2;
  return type.isInteger(1) ? 0 : 1;
}

/// The common type of two integer types, as torch's promotion matrix has it.
static Type promoteIntegers(IntegerType a, IntegerType b) {
  if (a == b)
    return a;
  bool unsignedA = a.isUnsigned(), unsignedB = b.isUnsigned();
  // Of two types that differ only in how they say "signed", or of two booleans,
  // the signless one, so that the order of the operands does not matter.
  if (a.getWidth() == b.getWidth() &&
      (unsignedA == unsignedB || a.getWidth() == 1))
    return IntegerType::get(a.getContext(), a.getWidth());
  if (a.getWidth() == 1 || b.getWidth() == 1)
    return a.getWidth() == 1 ? b : a;
  if (unsignedA == unsignedB)
    return a.getWidth() > b.getWidth() ? a : b;
  IntegerType unsignedType = unsignedA ? a : b;
  IntegerType signedType = unsignedA ? b : a;
  if (unsignedType.getWidth() > 8)
    return {};
  if (signedType.getWidth() > unsignedType.getWidth())
    return signedType;
  return IntegerType::get(a.getContext(), 16);
}

/// The common type within one tier.
static Type promoteTier(ArrayRef<Type> types) {
  int category = 0;
  for (Type type : types)
    category = std::max(category, getCategory(type));
  SmallVector<Type> deciding(llvm::make_filter_range(
      types, [&](Type type) { return getCategory(type) == category; }));
  if (category == 2)
    return joinFloatTypes(deciding);
  auto result = cast<IntegerType>(deciding.front());
  for (Type type : ArrayRef(deciding).drop_front())
    if (!(result = dyn_cast_or_null<IntegerType>(
              promoteIntegers(result, cast<IntegerType>(type)))))
      return {};
  return result;
}

Type mlir::amp::promoteElementwise(ArrayRef<Type> types) {
  Type result;
  for (PromotionTier tier : {PromotionTier::Dimensioned, PromotionTier::ZeroDim,
                             PromotionTier::Scalar}) {
    SmallVector<Type> elements;
    for (Type type : types)
      if (getPromotionTier(type) == tier)
        elements.push_back(getElementTypeOrSelf(type));
    if (elements.empty())
      continue;
    Type common = promoteTier(elements);
    if (!common)
      return {};
    if (!result || getCategory(common) > getCategory(result))
      result = common;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Conversion of values
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

TypedAttr mlir::amp::convertElement(Attribute element, Type from, Type to,
                                    llvm::RoundingMode rounding,
                                    bool saturate) {
  auto fromInt = dyn_cast<IntegerType>(from);
  auto toInt = dyn_cast<IntegerType>(to);
  if (auto toFloat = dyn_cast<FloatType>(to)) {
    const llvm::fltSemantics &sem = toFloat.getFloatSemantics();
    if (!fromInt)
      return FloatAttr::get(to,
                            convertFloat(cast<FloatAttr>(element).getValue(),
                                         sem, rounding, saturate));
    // Through a format that holds every 64-bit integer exactly, because
    // APFloat's own conversion knows nothing of saturation.
    APFloat value(APFloat::IEEEquad());
    value.convertFromAPInt(cast<IntegerAttr>(element).getValue(),
                           !isUnsignedInteger(fromInt), rounding);
    return FloatAttr::get(to, convertFloat(value, sem, rounding, saturate));
  }
  unsigned width = toInt.getWidth();
  bool toUnsigned = isUnsignedInteger(toInt);
  if (!fromInt) {
    APFloat value = cast<FloatAttr>(element).getValue();
    if (width == 1)
      return IntegerAttr::get(to, APInt(1, !value.isZero()));
    llvm::APSInt result(width, toUnsigned);
    bool isExact;
    APFloat::opStatus status = value.convertToInteger(
        result, llvm::RoundingMode::TowardZero, &isExact);
    // On an invalid operation APFloat clamps, and gives 0 for NaN.
    if (status == APFloat::opInvalidOp && !saturate)
      return {};
    return IntegerAttr::get(to, result);
  }
  APInt value = cast<IntegerAttr>(element).getValue();
  if (width == 1)
    return IntegerAttr::get(to, APInt(1, !value.isZero()));
  bool fromUnsigned = isUnsignedInteger(fromInt);
  if (!saturate)
    return IntegerAttr::get(to, fromUnsigned ? value.zextOrTrunc(width)
                                             : value.sextOrTrunc(width));
  llvm::APSInt wide(fromUnsigned ? value.zext(65) : value.sext(65),
                    /*isUnsigned=*/false);
  llvm::APSInt low(llvm::APSInt::getMinValue(width, toUnsigned).extend(65));
  llvm::APSInt high(llvm::APSInt::getMaxValue(width, toUnsigned).extend(65));
  low.setIsSigned(true);
  high.setIsSigned(true);
  return IntegerAttr::get(to, std::min(std::max(wide, low), high).trunc(width));
}

Type mlir::amp::withElementType(Type type, Type elementType) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(elementType);
  return elementType;
}
