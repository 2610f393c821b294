//===- Compare.h - what is in an array, and how two differ ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_COMPARE_H
#define AMP_EXECUTION_COMPARE_H

#include "amp/Support/NumpyFile.h"
#include "mlir/IR/Types.h"

namespace mlir::amp {

/// What is in an array. NaN and infinite elements are counted, and left out of
/// the other numbers, which are NaN where no element is left.
struct Summary {
  double min;
  double max;
  double mean;
  int64_t numNaN;
  int64_t numInf;
};

/// Sums `array`, of elements of `type`, up in f64.
Summary summarize(const NumpyArray &array, Type type);

/// How an array differs from a reference of the same shape. Elements that are
/// NaN or infinite in either are counted as `numMismatches` unless they are the
/// same in both (NaN, or an infinity of one sign), and left out of the errors.
struct Comparison {
  /// The largest |value - reference|, and the largest |value - reference| /
  /// |reference| over the elements where the reference is not zero.
  double maxAbsolute = 0;
  double maxRelative = 0;
  /// The largest |value - reference| in units in the last place of the
  /// reference in the type of the value.
  double maxUlp = 0;
  /// The largest |value - reference| / the largest |reference| of the array: an
  /// error that does not blow up where the reference passes through zero. What
  /// a tolerance is measured against. Infinite when the reference is all zeros
  /// and the value is not.
  double scaledError = 0;
  /// The cosine of the angle between the two as vectors: 1 when both are zero,
  /// 0 when one is.
  double cosine = 1;
  int64_t numNaN = 0;
  int64_t numReferenceNaN = 0;
  int64_t numInf = 0;
  int64_t numReferenceInf = 0;
  int64_t numMismatches = 0;

  /// Whether `scaledError` is at most `tolerance`, with no mismatch.
  bool isWithin(double tolerance) const {
    return numMismatches == 0 && scaledError <= tolerance;
  }
};

/// Compares `value`, of elements of `type`, with `reference`, of elements of
/// `referenceType`; both have the same number of elements. Computes in f64.
Comparison compare(const NumpyArray &value, Type type,
                   const NumpyArray &reference, Type referenceType);

} // namespace mlir::amp

#endif // AMP_EXECUTION_COMPARE_H
