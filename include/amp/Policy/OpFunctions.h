//===- OpFunctions.h - what ops compute, as far as rules ask ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_OPFUNCTIONS_H
#define AMP_POLICY_OPFUNCTIONS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::amp {

/// The mathematical function of an op, of any dialect.
enum class OpFunction {
  /// Not one that the rules know.
  Other,
  /// Gives the values that it takes: casts, reshapes, broadcasts.
  Identity,
  Add,
  Sub,
  Mul,
  Div,
  Sqrt,
  /// 1 / sqrt(x)
  Rsqrt,
  /// 1 / x
  Reciprocal,
  Pow,
  Square,
  Exp,
  /// The larger of two, or a clamp from below.
  Max,
  Min,
  /// Chooses by a mask between values, or between a value and a constant.
  Select,
  /// Sum over some or all dimensions.
  Sum,
  Mean,
  /// Sum of squares, or its root.
  SquareSum,
  /// An op that is all of a sum of exponentials: softmax, logsumexp.
  ExpSum,
  /// An op that is all of a variance: var, std.
  Variance,
  /// An op that divides by a variance and a guard: layer_norm.
  Normalization
};

/// The function of `op`, from the table in lib/Policy/OpFunctions.def; of ops
/// that it does not list the class of PrecisionOpInterface tells casts and data
/// movement.
OpFunction getOpFunction(Operation *op);

/// A number that the program gives to `op` as a parameter `name`: an attribute,
/// or a scalar constant as its operand number `operand`. Nothing if it is
/// absent or not constant.
std::optional<double> getNumberParameter(Operation *op, StringRef name,
                                         std::optional<unsigned> operand = {});

/// The integers that the program gives to `op` as an attribute `name`: one
/// integer, or a list of them in any of the builtin forms. Nothing if absent.
std::optional<SmallVector<int64_t>> getIntegersParameter(Operation *op,
                                                         StringRef name);

/// Which casts traceValue goes through: those that keep every number, or all.
enum class TracedCasts { exact, all };

/// Follows `value` to where it is computed: out of scopes, through casts and
/// data movement, through the results of elementwise linalg ops to the scalar
/// ops of their payloads, and through the arguments of payloads to their
/// operands. What it ends at is a block argument, or a result of an op that
/// computes.
Value traceValue(Value value, TracedCasts casts = TracedCasts::all);

/// The number that all elements of `value` are, traced. Nothing if they differ
/// or are not constant.
std::optional<double> getConstantNumber(Value value);

/// The op that a policy decides for `op`: the structured op around it if it is
/// part of a payload, or else itself.
Operation *getDecidedOp(Operation *op);

} // namespace mlir::amp

#endif // AMP_POLICY_OPFUNCTIONS_H
