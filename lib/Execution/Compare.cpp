//===- Compare.cpp - what is in an array, and how two differ --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Compare.h"

#include "amp/Execution/Elements.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::amp;

Summary mlir::amp::summarize(const NumpyArray &array, Type type) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Summary summary = {nan, nan, nan, 0, 0};
  double mean = 0;
  int64_t count = 0;
  for (double value : toDoubles(array, type)) {
    summary.numNaN += std::isnan(value);
    summary.numInf += std::isinf(value);
    if (!std::isfinite(value))
      continue;
    // fmin and fmax pass over the NaN at the start.
    summary.min = std::fmin(summary.min, value);
    summary.max = std::fmax(summary.max, value);
    // A running mean: the sum of f64 numbers could overflow.
    ++count;
    mean += value / count - mean / count;
  }
  if (count)
    summary.mean = mean;
  return summary;
}

Comparison mlir::amp::compare(const NumpyArray &value, Type type,
                              const NumpyArray &reference, Type referenceType) {
  Comparison result;
  std::vector<double> values = toDoubles(value, type);
  std::vector<double> references = toDoubles(reference, referenceType);
  double largest = 0, scale = 0;
  for (auto [a, b] : llvm::zip_equal(values, references)) {
    result.numNaN += std::isnan(a);
    result.numReferenceNaN += std::isnan(b);
    result.numInf += std::isinf(a);
    result.numReferenceInf += std::isinf(b);
    if (!std::isfinite(a) || !std::isfinite(b)) {
      result.numMismatches += !(a == b || (std::isnan(a) && std::isnan(b)));
      continue;
    }
    double error = std::fabs(a - b);
    result.maxAbsolute = std::max(result.maxAbsolute, error);
    if (b != 0)
      result.maxRelative = std::max(result.maxRelative, error / std::fabs(b));
    if (error != 0)
      result.maxUlp = std::max(result.maxUlp, error / getUlp(b, type));
    largest = std::max(largest, std::fabs(b));
    scale = std::max({scale, std::fabs(a), std::fabs(b)});
  }
  if (result.maxAbsolute != 0)
    result.scaledError = result.maxAbsolute / largest;

  // Scaled, so that no square overflows or vanishes.
  double dot = 0, normA = 0, normB = 0;
  for (auto [a, b] : llvm::zip_equal(values, references)) {
    if (scale == 0 || !std::isfinite(a) || !std::isfinite(b))
      continue;
    dot += (a / scale) * (b / scale);
    normA += (a / scale) * (a / scale);
    normB += (b / scale) * (b / scale);
  }
  if (normA != 0 || normB != 0)
    result.cosine = normA == 0 || normB == 0
                        ? 0
                        : dot / std::sqrt(normA) / std::sqrt(normB);
  return result;
}
