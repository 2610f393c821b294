//===- TypePromotion.cpp - torch's promotion of element types -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Types/TypePromotion.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
constexpr unsigned kNumDTypes = static_cast<unsigned>(DType::ERROR);

struct Spelling {
  DType dtype;
  StringRef name;
};

struct PromoteRow {
  DType type;
  std::array<DType, kNumDTypes> results;
};

struct CanCastRow {
  DType type;
  std::array<bool, kNumDTypes> allowed;
};

struct DTypePair {
  DType from;
  DType to;
};

struct KindEntry {
  PromotionKind kind;
  DType type;
  DType compute;
  DType result;
};
} // namespace

static constexpr Spelling kSpellings[] = {
#define AMP_DTYPE(NAME, SPELLING) {DType::NAME, SPELLING},
#include "amp/Types/TypePromotion.def"
};

/// The rows stand in the order of DType, and so do those of kCanCastRows.
static constexpr PromoteRow kPromoteRows[] = {
#define AMP_PROMOTE(TYPE, ...) {DType::TYPE, {{__VA_ARGS__}}},
#include "amp/Types/TypePromotion.def"
};

static constexpr CanCastRow kCanCastRows[] = {
#define AMP_CAN_CAST(TYPE, ...) {DType::TYPE, {{__VA_ARGS__}}},
#include "amp/Types/TypePromotion.def"
};

static constexpr DTypePair kComplexOf[] = {
#define AMP_COMPLEX_OF(REAL, COMPLEX) {DType::REAL, DType::COMPLEX},
#include "amp/Types/TypePromotion.def"
};

static constexpr DTypePair kRealOf[] = {
#define AMP_REAL_OF(COMPLEX, REAL) {DType::COMPLEX, DType::REAL},
#include "amp/Types/TypePromotion.def"
};

static constexpr KindEntry kKinds[] = {
#define AMP_KIND(KIND, TYPE, COMPUTE, RESULT)                                  \
  {PromotionKind::KIND, DType::TYPE, DType::COMPUTE, DType::RESULT},
#include "amp/Types/TypePromotion.def"
};

static constexpr ElementwiseRule kElementwise[] = {
#define AMP_ELEMENTWISE(NAME, KIND, OPERANDS)                                  \
  {NAME, PromotionKind::KIND, OPERANDS},
#include "amp/Types/TypePromotion.def"
};

ArrayRef<ElementwiseRule> mlir::amp::getElementwiseRules() {
  return kElementwise;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<DType> mlir::amp::symbolizeDType(StringRef name) {
  for (const Spelling &spelling : kSpellings)
    if (spelling.name == name)
      return spelling.dtype;
  return std::nullopt;
}

Type mlir::amp::toElementType(DType dtype, MLIRContext *context) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  switch (dtype) {
  case DType::BOOL:
    return integer(1);
  case DType::U8:
    return integer(8, true);
  case DType::I8:
    return integer(8);
  case DType::I16:
    return integer(16);
  case DType::I32:
    return integer(32);
  case DType::I64:
    return integer(64);
  case DType::U16:
    return integer(16, true);
  case DType::U32:
    return integer(32, true);
  case DType::U64:
    return integer(64, true);
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  case DType::C32:
    return ComplexType::get(Float16Type::get(context));
  case DType::C64:
    return ComplexType::get(Float32Type::get(context));
  case DType::C128:
    return ComplexType::get(Float64Type::get(context));
  case DType::ERROR:
    return {};
  }
  llvm_unreachable("unknown dtype");
}

std::optional<DType> mlir::amp::getDType(Type elementType) {
  if (!elementType)
    return std::nullopt;
  // How a type says "signed" makes no difference to torch, and a boolean has no
  // sign.
  if (auto integer = dyn_cast<IntegerType>(elementType))
    if (integer.isSigned() || integer.getWidth() == 1)
      elementType =
          IntegerType::get(elementType.getContext(), integer.getWidth());
  for (const Spelling &spelling : kSpellings)
    if (toElementType(spelling.dtype, elementType.getContext()) == elementType)
      return spelling.dtype;
  return std::nullopt;
}

TypeCategory mlir::amp::getTypeCategory(Type elementType) {
  if (isa<ComplexType>(elementType))
    return TypeCategory::Complex;
  if (isa<FloatType>(elementType))
    return TypeCategory::Float;
  return elementType.isInteger(1) ? TypeCategory::Bool : TypeCategory::Integer;
}

static Type lookupPair(ArrayRef<DTypePair> table, Type type) {
  std::optional<DType> dtype = getDType(type);
  for (const DTypePair &pair : table)
    if (pair.from == dtype)
      return toElementType(pair.to, type.getContext());
  return {};
}

/// The complex type of a float; integers and booleans take the default, c64.
/// Null for a float that has none.
static Type getComplexType(Type type) {
  if (isa<ComplexType>(type))
    return type;
  if (isa<FloatType>(type))
    return lookupPair(kComplexOf, type);
  return toElementType(DType::C64, type.getContext());
}

Type mlir::amp::getRealType(Type type) {
  Type real = lookupPair(kRealOf, type);
  return real ? real : type;
}

Type mlir::amp::getOpMathType(Type type) {
  return applyPromotionKind(PromotionKind::DEFAULT, type).compute;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool isByteFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() <= 8;
}

/// Integers of widths that torch does not have, at least one of them.
static Type promoteOddIntegers(IntegerType a, IntegerType b) {
  auto isUnsigned = [](IntegerType type) {
    return type.isUnsigned() || type.getWidth() == 1;
  };
  IntegerType wide = a.getWidth() >= b.getWidth() ? a : b;
  IntegerType narrow = wide == a ? b : a;
  if (isUnsigned(wide) == isUnsigned(narrow) || !isUnsigned(wide))
    return wide.getWidth() == narrow.getWidth() &&
                   wide.isSignless() != narrow.isSignless()
               ? IntegerType::get(a.getContext(), a.getWidth())
               : wide;
  if (narrow.getWidth() == 1)
    return wide;
  // Signed and narrower, or as wide: as u8 with i8, if u8 is not exceeded.
  return wide.getWidth() <= 8 ? IntegerType::get(a.getContext(), 16) : Type();
}

Type mlir::amp::promoteTypes(Type a, Type b) {
  if (a == b)
    return a;
  std::optional<DType> dtypeA = getDType(a), dtypeB = getDType(b);
  if (dtypeA && dtypeB) {
    if (*dtypeA == *dtypeB)
      return toElementType(*dtypeA, a.getContext());
    DType result = kPromoteRows[static_cast<unsigned>(*dtypeA)]
                       .results[static_cast<unsigned>(*dtypeB)];
    return toElementType(result, a.getContext());
  }
  if (isByteFloat(a) || isByteFloat(b))
    return {};
  auto integerA = dyn_cast<IntegerType>(a), integerB = dyn_cast<IntegerType>(b);
  if (integerA && integerB)
    return promoteOddIntegers(integerA, integerB);
  // An integer that torch does not have, and a float or complex type that it
  // has.
  if (integerA && dtypeB)
    return b;
  if (integerB && dtypeA)
    return a;
  return {};
}

bool mlir::amp::canCastResult(Type from, Type to) {
  std::optional<DType> dtypeFrom = getDType(from), dtypeTo = getDType(to);
  if (dtypeFrom && dtypeTo)
    return kCanCastRows[static_cast<unsigned>(*dtypeFrom)]
        .allowed[static_cast<unsigned>(*dtypeTo)];
  return getTypeCategory(from) <= getTypeCategory(to);
}

std::string PromotionConflict::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << a << "' and '" << b << "' do not promote: ";
  if (isByteFloat(a) || isByteFloat(b))
    os << "an 8-bit float goes with no other type";
  else
    os << "unsigned integers of more than 8 bits go with floats only";
  os << "; cast one of them";
  return text;
}

//===----------------------------------------------------------------------===//
// Tiers
//===----------------------------------------------------------------------===//

namespace {
/// The types of the three tiers; null where a tier has no value.
struct TierTypes {
  Type dimensioned;
  Type zeroDim;
  Type scalar;
};
} // namespace

/// The type of a Python number of the category of `type`.
static Type getScalarDefault(Type type) {
  DType dtype = DType::BOOL;
  switch (getTypeCategory(type)) {
  case TypeCategory::Bool:
    break;
  case TypeCategory::Integer:
    dtype = DType::I64;
    break;
  case TypeCategory::Float:
    dtype = DType::F32;
    break;
  case TypeCategory::Complex:
    dtype = DType::C64;
    break;
  }
  return toElementType(dtype, type.getContext());
}

/// Promotes two types of one tier, or of two tiers that combine by promotion.
static Type promoteOrReport(Type a, Type b, PromotionConflict *conflict) {
  if (!a || !b)
    return a ? a : b;
  Type common = promoteTypes(a, b);
  if (!common && conflict)
    *conflict = {a, b};
  return common;
}

/// c10's combine_categories: what is left of a lower tier.
static Type combineTiers(Type higher, Type lower, PromotionConflict *conflict) {
  if (!higher || !lower)
    return higher ? higher : lower;
  TypeCategory high = getTypeCategory(higher), low = getTypeCategory(lower);
  if (high == TypeCategory::Complex)
    return higher;
  if (high == TypeCategory::Float && low == TypeCategory::Complex) {
    Type complexType = getComplexType(higher);
    if (!complexType && conflict)
      *conflict = {higher, lower};
    return complexType;
  }
  if (high == TypeCategory::Float)
    return higher;
  if (low == TypeCategory::Complex)
    return lower;
  if (high == TypeCategory::Bool || low == TypeCategory::Float)
    return promoteOrReport(higher, lower, conflict);
  return higher;
}

Type mlir::amp::getResultType(ArrayRef<Type> types,
                              PromotionConflict *conflict) {
  TierTypes tiers;
  bool onlyScalars =
      llvm::none_of(types, [](Type type) { return isa<ShapedType>(type); });
  for (Type type : types) {
    Type elementType = getElementTypeOrSelf(type);
    auto shaped = dyn_cast<ShapedType>(type);
    Type *tier = &tiers.dimensioned;
    if (!shaped) {
      tier = &tiers.scalar;
      if (!onlyScalars)
        elementType = getScalarDefault(elementType);
    } else if (shaped.hasRank() && shaped.getRank() == 0) {
      tier = &tiers.zeroDim;
    }
    *tier = promoteOrReport(*tier, elementType, conflict);
    if (!*tier)
      return {};
  }
  Type lower = combineTiers(tiers.zeroDim, tiers.scalar, conflict);
  if (!lower && (tiers.zeroDim || tiers.scalar))
    return {};
  return combineTiers(tiers.dimensioned, lower, conflict);
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

ComputeAndResult mlir::amp::applyPromotionKind(PromotionKind kind, Type type) {
  MLIRContext *context = type.getContext();
  bool isIntegral = getTypeCategory(type) <= TypeCategory::Integer;
  switch (kind) {
  case PromotionKind::SAME:
    return applyPromotionKind(PromotionKind::DEFAULT, type);
  case PromotionKind::INT_TO_LONG:
    if (isIntegral)
      type = toElementType(DType::I64, context);
    return applyPromotionKind(PromotionKind::DEFAULT, type);
  case PromotionKind::BOOL_OR_BYTE:
    if (getDType(type) == DType::U8)
      return {toElementType(DType::BOOL, context), type};
    return applyPromotionKind(PromotionKind::ALWAYS_BOOL, type);
  case PromotionKind::TO_COMPLEX:
    if (Type complexType = getComplexType(type))
      return {getOpMathType(complexType), complexType};
    return {type, type};
  default:
    break;
  }
  if (std::optional<DType> dtype = getDType(type))
    for (const KindEntry &entry : kKinds)
      if (entry.kind == kind && entry.type == *dtype)
        return {toElementType(entry.compute, context),
                toElementType(entry.result, context)};
  // Types that the recorded table leaves out (8-bit floats, wide unsigned
  // integers) have no wider type to compute in.
  ComputeAndResult result = {type, type};
  if (kind == PromotionKind::INT_TO_FLOAT && isIntegral)
    result.compute = result.result = toElementType(DType::F32, context);
  if (kind == PromotionKind::ALWAYS_BOOL)
    result.result = toElementType(DType::BOOL, context);
  return result;
}
