//===- AtenTypes.h - the element types that ATen ops give -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATen ops are known by name only: no dialect infers their types. Here it is
// done by data: AtenTypes.def, and for elementwise ops TypePromotion.def.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TYPES_ATENTYPES_H
#define AMP_TYPES_ATENTYPES_H

#include "amp/Types/TypePromotion.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mlir::amp {

/// The name of an ATen op in parts: "torch.aten.addmm_.default" is addmm, in
/// place; "aten.mm.out" is mm with an operand to write to.
struct AtenName {
  /// Without "aten.", overload and the underscore of in-place variants.
  StringRef base;
  /// Empty for the default overload, and without "out".
  StringRef overload;
  bool inPlace = false;
  bool hasOut = false;

  /// The parts of `opName`; nothing if that is no ATen op.
  static std::optional<AtenName> parse(StringRef opName);
};

/// How the types of some operands become one.
enum class AtenCombine { Promote, Equal, First, None };

/// An entry of AtenTypes.def; the letters and flags are explained there.
struct AtenTypeRule {
  StringRef name;
  AtenCombine combine;
  StringRef operands;
  PromotionKind kind;
  StringRef results;
  unsigned flags;

  static constexpr unsigned kFloats = 1;
  static constexpr unsigned kReals = 2;
  static constexpr unsigned kQuotient = 4;
};

/// The rule for an op; null for an ATen op that no data names, and for others.
const AtenTypeRule *lookupAtenTypeRule(StringRef opName);

/// All rules of AtenTypes.def.
ArrayRef<AtenTypeRule> getAtenTypeRules();

/// What an ATen op makes of operand types.
struct AtenTypes {
  /// One element type per result; null if it has none.
  SmallVector<Type> results;
  /// The operands (by number) whose types combine.
  SmallVector<unsigned> participants;
  /// Their common type; null if there are none, or none is common.
  Type common;
  /// The type that the op computes in.
  Type compute;
  /// Not empty if the op can never have these types: what is wrong, as the rest
  /// of a sentence that begins with the op.
  std::string error;
  /// Not empty if torch has an error where the participants could be promoted:
  /// they differ, or are integers where torch takes floats. The results are
  /// then those of promoted operands.
  std::string mismatch;
  /// Whether `mismatch` says that the participants differ, so that they need a
  /// promotion in front of the op.
  bool needsPromotion = false;
};

/// The types of `op`, whose name `rule` is for, if its operands have the types
/// `operands`. `dtype` is the result type that the program asks for; null if it
/// asks for none.
AtenTypes inferAtenTypes(Operation *op, const AtenTypeRule &rule,
                         TypeRange operands, Type dtype);

/// The name of the overload of `opName` that takes tensors in the place of
/// Python scalars; empty if there is none.
std::string getTensorOverload(StringRef opName);

/// The Python scalars among the attributes of `op` that take part in its
/// promotion: `other`, `exponent`, `self`, `min` and `max`.
SmallVector<NamedAttribute> getPromotingScalars(Operation *op);

/// The type of the attribute `dtype` of an op, or null.
Type getDtypeAttribute(Operation *op);

} // namespace mlir::amp

#endif // AMP_TYPES_ATENTYPES_H
