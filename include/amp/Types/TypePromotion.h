//===- TypePromotion.h - torch's promotion of element types -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element type torch computes in, and which it returns, when the operands
// of an op have different ones. The tables are data (TypePromotion.def), made
// from what torch itself answered.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TYPES_TYPEPROMOTION_H
#define AMP_TYPES_TYPEPROMOTION_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::amp {

/// The element types of torch that promote.
enum class DType {
#define AMP_DTYPE(NAME, SPELLING) NAME,
#include "amp/Types/TypePromotion.def"
  ERROR
};

/// The torch type of an MLIR element type: i1 is bool, signless and signed
/// integers are signed, `complex<f16>` is c32. Nothing for types that torch
/// does not have (i4, tf32, f8E3M4).
std::optional<DType> getDType(Type elementType);

/// The MLIR element type of a torch type; signed integers are signless.
Type toElementType(DType dtype, MLIRContext *context);

/// The torch type of a name such as "bf16" or "bool"; nothing for other names.
std::optional<DType> symbolizeDType(StringRef name);

/// Categories, the order in which promotion ranks them.
enum class TypeCategory { Bool, Integer, Float, Complex };

/// The category of an integer, float or complex element type.
TypeCategory getTypeCategory(Type elementType);

/// torch.promote_types: the type that both convert to; null where torch has an
/// error: an 8-bit float with any other type, an unsigned integer of more than
/// 8 bits with anything but floats and itself. Integers that torch does not
/// have promote by their width.
Type promoteTypes(Type a, Type b);

/// torch.can_cast: whether an op whose result type is `from` may write to a
/// tensor of type `to`. The category may not fall, and nothing else counts: i64
/// goes into i8, and f64 into f16.
bool canCastResult(Type from, Type to);

/// Two types that do not promote.
struct PromotionConflict {
  Type a;
  Type b;

  /// A sentence on why, for the end of a message.
  std::string describe() const;
};

/// torch.result_type over values with types `types`: tensors with dimensions
/// (vectors too), then 0-d tensors, then scalars; a lower tier only counts
/// where its category is higher. A scalar stands for a Python number: it has a
/// category, and the default type of that (f32, i64); but where all are
/// scalars their own types promote. Null where a pair of types does not
/// promote, which is stored in `conflict`, and for an empty list.
Type getResultType(ArrayRef<Type> types, PromotionConflict *conflict = nullptr);

/// What an op makes of the promoted type of its operands.
enum class PromotionKind {
  /// Computes f16 and bf16 in f32, and rounds back.
  DEFAULT,
  /// Computes in the type itself.
  NO_OPMATH,
  /// As DEFAULT, but integers and booleans become f32.
  INT_TO_FLOAT,
  /// Computes like DEFAULT and gives a boolean.
  ALWAYS_BOOL,
  /// As DEFAULT, but gives the real type of a complex one.
  COMPLEX_TO_FLOAT,
  /// As DEFAULT, but booleans become i64.
  BOOL_TO_LONG,
  /// A reduction that only selects.
  SAME,
  /// As DEFAULT, but booleans and integers become i64: sums and products.
  INT_TO_LONG,
  /// As ALWAYS_BOOL, but a result of u8 stays u8: all and any.
  BOOL_OR_BYTE,
  /// The complex type with parts of the promoted type; integers become c64.
  TO_COMPLEX
};

/// The element types that an op computes in, and gives.
struct ComputeAndResult {
  Type compute;
  Type result;
};

/// The compute and result types of an op of kind `kind` on the promoted type
/// `type`.
ComputeAndResult applyPromotionKind(PromotionKind kind, Type type);

/// f32 for f16 and bf16, c64 for c32, any other type itself.
Type getOpMathType(Type type);

/// The type of the parts of a complex type; any other type itself.
Type getRealType(Type type);

/// An entry of the table of elementwise ops.
struct ElementwiseRule {
  StringRef name;
  PromotionKind kind;
  /// The positions of the tensor operands that promote, separated by commas.
  StringRef operands;
};

/// All entries, by name (without "aten." and overload).
ArrayRef<ElementwiseRule> getElementwiseRules();

} // namespace mlir::amp

#endif // AMP_TYPES_TYPEPROMOTION_H
