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

bool mlir::amp::isUnsignedInteger(IntegerType type) {
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

Type mlir::amp::withElementType(Type type, Type elementType) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(elementType);
  return elementType;
}
