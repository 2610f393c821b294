//===- ConstantRange.h - the numbers in constants ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_CONSTANTRANGE_H
#define AMP_POLICY_CONSTANTRANGE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::amp {

/// The limits of a format that numbers are rounded to.
struct FormatLimits {
  /// The format of the float type `type`, which has at most 64 bits.
  explicit FormatLimits(Type type);

  Type type;
  /// The largest finite number.
  double largest;
  /// The smallest positive normal number, and the smallest positive number.
  double smallestNormal, smallest;
  /// Finite numbers of at least this magnitude round to an infinity (to nearest
  /// even), or to NaN in formats without infinities.
  double overflow;
  /// Numbers of at most this magnitude round to zero.
  double underflow;
  /// Bits of the significand, the implicit one included.
  unsigned precision;

  /// The magnitude from which on neighbours in the format lie further apart
  /// than `spacing`, where a number is not beyond it as long as it does not
  /// pass this magnitude: spacing * 2^(precision - 1).
  double getMagnitudeOfSpacing(double spacing) const;
};

/// What is in a constant, counted in numbers.
struct ConstantRange {
  uint64_t count = 0;
  uint64_t nan = 0;
  /// Infinities by sign.
  uint64_t positiveInf = 0, negativeInf = 0;
  /// Of finite numbers: the least, the greatest, the greatest magnitude. All 0
  /// where there are none.
  double min = 0, max = 0, absMax = 0;
  /// Those that become infinite in the format.
  uint64_t overflow = 0;
  /// Those other than zero that become zero, and those that stay but become
  /// subnormal.
  uint64_t underflow = 0, subnormal = 0;
  uint64_t nonzero = 0;

  uint64_t getInf() const { return positiveInf + negativeInf; }
};

/// Counts the numbers of the constant `value`: a float, an integer, or a dense
/// or resource constant of them. Nothing for other attributes, and for
/// resources whose data is not there.
std::optional<ConstantRange> getConstantRange(Attribute value,
                                              const FormatLimits &limits);

/// The attribute that holds the numbers of `value`, if it comes from a constant
/// through casts that keep every number, data movement and captures of scopes.
/// Null if not.
Attribute getConstant(Value value);

} // namespace mlir::amp

#endif // AMP_POLICY_CONSTANTRANGE_H
