//===- Sensitivity.h - patterns that lose precision -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_SENSITIVITY_H
#define AMP_POLICY_SENSITIVITY_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/MapVector.h"

#include <optional>

namespace mlir::amp {

/// Kinds of ops that lose much in 16 bits, whatever their values are.
enum class SensitivityKind {
  /// A division by a value that a small constant keeps away from zero, and the
  /// ops between the two: the constant is lost in 16 bits.
  epsilon_division,
  /// An exponential, and the sum that it goes into.
  exp_reduction,
  /// A sum of squares, and what is squared where that is a difference from the
  /// mean; a difference of a mean of squares.
  variance
};

/// "epsilon_division" and so on.
StringRef stringifySensitivityKind(SensitivityKind kind);
std::optional<SensitivityKind> symbolizeSensitivityKind(StringRef name);

/// Why an op is sensitive.
struct Sensitivity {
  SensitivityKind kind;
  /// The op that shows it: the division, the sum, or the op itself.
  Operation *witness;
};

/// Finds the sensitive ops under `root`: linalg ops by their payloads, ops of
/// math, arith, tosa and linalg, and ATen and ONNX ops by name, in any mixture.
/// Each op is found once, for the first of its reasons in the order of the
/// kinds. The ops are those that a policy decides (see getDecidedOp).
llvm::MapVector<Operation *, Sensitivity> findSensitiveOps(Operation *root);

} // namespace mlir::amp

#endif // AMP_POLICY_SENSITIVITY_H
