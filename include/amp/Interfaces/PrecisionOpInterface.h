//===- PrecisionOpInterface.h - what an op can do about precision -*- C++
//-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_PRECISIONOPINTERFACE_H
#define AMP_INTERFACES_PRECISIONOPINTERFACE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::amp {

/// Kinds of ops, as far as precision is concerned.
enum class PrecisionClass {
  /// Sums of products over shared dimensions: matmul and its relatives.
  Contraction,
  /// Sums of products over a window.
  Convolution,
  /// Reductions over a window: pooling.
  Pooling,
  /// One result element from one element of each operand.
  Elementwise,
  /// Reductions that add or multiply.
  Reduction,
  /// Reductions that only select: max, min, argmax. Exact in any type.
  Selection,
  /// Softmax and ops like it: exponentials and sums over rows.
  Normalization,
  /// Moves elements and changes none.
  DataMovement,
  /// Makes values out of nothing (fill, empty, constant, generate).
  Generator,
  /// Converts to an element type that the program names.
  Cast,
  /// Keeps the types that the program gives it.
  Pinned
};

/// The name of a class in policy data and remarks, such as "contraction".
StringRef stringifyPrecisionClass(PrecisionClass precisionClass);

/// What an op does with one of its operands.
enum class OperandRole {
  /// Reads it; the policy's cast applies.
  Input,
  /// Reads it as the initial value of an accumulation, in the compute type.
  Accumulator,
  /// Takes only the shape from it: a destination that is fully overwritten.
  Destination,
  /// Reads it in the element type that the program gives it.
  Pinned,
  /// Not a float, or only its shape is asked for.
  Ignored
};

/// The element types that an op is to be retyped with.
struct PrecisionTypes {
  /// One per operand; null for an operand of role Ignored.
  SmallVector<Type> operands;
  /// One per result; null for a result that is not a float.
  SmallVector<Type> results;
  /// The compute type; null where the op has no float inputs.
  Type compute;
};

namespace detail {
OperandRole getDefaultOperandRole(Operation *op, unsigned operand);
Type getDefaultComputeType(Type storage);
LogicalResult retypeResults(Operation *op, const PrecisionTypes &types);
std::optional<int64_t> getDefaultNumBytes(Operation *op);
} // namespace detail

/// The element type of `type` if that is a float scalar, or a vector or tensor
/// (ranked or not) of floats, of a type that amp stores (isStorageFloat); null
/// otherwise. Memrefs give null.
Type getFloatElementType(Type type);

} // namespace mlir::amp

#include "amp/Interfaces/PrecisionOpInterface.h.inc"

#endif // AMP_INTERFACES_PRECISIONOPINTERFACE_H
