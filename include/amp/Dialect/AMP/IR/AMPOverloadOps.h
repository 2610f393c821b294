//===- AMPOverloadOps.h - abstract ops and their overloads ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_H
#define AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/RegionKindInterface.h"

#include "amp/Dialect/AMP/IR/AMPOverloadEnums.h.inc"

namespace mlir::amp {

class OverloadOp;

/// The element types that a formal takes, or a result has.
struct OverloadTypes {
  /// The type variable; null for types of the formal's own.
  StringAttr variable;
  /// At least one, each once.
  SmallVector<Type> allowed;

  /// "T (f16 or f32)", or "f32".
  std::string describe() const;
};

/// An operand that an overload takes.
struct OverloadFormal {
  StringAttr name;
  OverloadTypes types;
  /// Whether the operand may be absent.
  bool optional = false;
};

/// An attribute that an overload takes.
struct OverloadParameter {
  StringAttr name;
  /// The type in which a number is given; null for other kinds.
  Type numberType;
  /// "string", "type" or "array" for those that are no numbers.
  StringRef kind;
  /// The value if the attribute is absent; null if there is none.
  Attribute defaultValue;
  /// The value with which alone the overload matches; null for any.
  Attribute selector;
  bool optional = false;

  /// Whether a function gets it as an argument.
  bool isArgument() const { return numberType && !selector; }
};

/// What an overload takes and gives.
struct OverloadSignature {
  SmallVector<OverloadFormal> formals;
  SmallVector<OverloadParameter> parameters;
  SmallVector<OverloadTypes> results;
};

/// Whether formals and operands can have element type `type`: a float, an
/// integer, or a complex number of floats.
bool isOverloadElement(Type type);

/// Whether `value`, a parameter of a dispatch, is Python's None: the type
/// `none`.
bool isNoneParameter(Attribute value);

/// `value`, a number, in type `type`: integers and booleans become floats where
/// a float is expected, never the reverse, and only floats are rounded. Null if
/// it is no number, is of a higher category, or does not fit.
TypedAttr convertParameter(Attribute value, Type type);

} // namespace mlir::amp

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPOverloadOps.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMPOVERLOADOPS_H
