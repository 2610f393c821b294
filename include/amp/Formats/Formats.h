//===- Formats.h - element types, their joins and conversions ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What amp knows about element types, without any IR: which values a format
// holds, the narrowest format that holds those of several others, and the
// conversion of single values.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_FORMATS_FORMATS_H
#define AMP_FORMATS_FORMATS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <vector>

namespace mlir::amp {

/// The set of values of a number format, as an envelope: a value fits if it
/// has at most `precision` significant bits, a magnitude below
/// 2^(maxExponent + 1), and is a multiple of 2^minExponent.
struct FormatEnvelope {
  /// Significant bits, the implicit one included.
  unsigned precision = 0;
  /// Exponent of the largest finite value.
  int maxExponent = 0;
  /// Exponent of the smallest positive value; of the smallest subnormal in
  /// formats that have them.
  int minExponent = 0;
  /// Whether the format has a zero (f8E8M0FNU has none), infinities, negative
  /// numbers, and a negative zero.
  bool hasZero = false;
  bool hasInfinity = false;
  bool hasSign = false;
  bool hasNegativeZero = false;

  /// The envelope of a float type or of an integer type (signless integers are
  /// signed, but for i1). Nothing for other types.
  static std::optional<FormatEnvelope> get(Type type);

  /// The smallest envelope that covers both; component-wise, so associative,
  /// commutative and idempotent.
  static FormatEnvelope join(const FormatEnvelope &a, const FormatEnvelope &b);

  /// Whether every value of `other` (zeros and infinities included) fits.
  bool covers(const FormatEnvelope &other) const;

  bool operator==(const FormatEnvelope &other) const;
  bool operator!=(const FormatEnvelope &other) const {
    return !(*this == other);
  }
};

/// Whether `type` is a float that amp stores and converts: f64, f32, f16, bf16
/// or an 8-bit float. tf32 is no storage type, and no target of amp has the
/// formats wider than f64 or narrower than 8 bits.
bool isStorageFloat(Type type);

/// The narrowest storage type (an 8-bit float, f16, bf16, f32 or f64; never
/// tf32) that covers `envelope`. Of the 8-bit floats one with exactly this
/// envelope comes first, then f8E4M3FN, f8E5M2 and the rest; f16 comes before
/// bf16. Null if not even f64 covers it.
Type materialize(const FormatEnvelope &envelope, MLIRContext *context);

/// The materialized join of float types; a single type, or equal types, give
/// that type. Null for an empty list or where f64 does not suffice.
Type joinFloatTypes(ArrayRef<Type> types);

/// Whether a conversion `from` -> `to` keeps every value: finite ones,
/// infinities and the sign of zero.
bool isValuePreserving(Type from, Type to);

/// Tiers of torch's implicit promotion: a later tier counts only where its
/// category (bool, integer, float) is higher than that of the earlier ones.
enum class PromotionTier { Dimensioned, ZeroDim, Scalar };

/// The tier of a value of type `type`.
PromotionTier getPromotionTier(Type type);

/// The common element type of an elementwise promotion of values with types
/// `types` (scalars, vectors, tensors of float or integer). Null if there is
/// none: an empty list, or unsigned integers of more than 8 bits with signed
/// ones.
Type promoteElementwise(ArrayRef<Type> types);

/// Whether `type` holds no negative numbers. Signless integers are signed,
/// except i1, which is a boolean.
bool isUnsignedInteger(IntegerType type);

/// Converts one element (a FloatAttr or IntegerAttr) to element type `to`, by
/// the rules of amp.cast. Null where the result is undefined (a float that is
/// out of the range of an integer type, without saturation).
TypedAttr convertElement(Attribute element, Type from, Type to,
                         llvm::RoundingMode rounding, bool saturate);

/// Converts all of `elements` (floats or integers) to element type `to`, like
/// convertElement. Null where one result is undefined.
DenseElementsAttr convertElements(DenseElementsAttr elements, Type to,
                                  llvm::RoundingMode rounding, bool saturate);

/// The same for elements as they are in memory, one after the other, of types
/// of 8, 16, 32 or 64 bits.
std::optional<std::vector<char>> convertElements(ArrayRef<char> elements,
                                                 Type from, Type to,
                                                 llvm::RoundingMode rounding,
                                                 bool saturate);

/// `type` with its element type replaced: a scalar becomes `elementType`
/// itself, a vector or tensor keeps its shape (and encoding).
Type withElementType(Type type, Type elementType);

} // namespace mlir::amp

#endif // AMP_FORMATS_FORMATS_H
