//===- Roofline.cpp - what a device can do at most ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Roofline.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace mlir::amp;

llvm::StringRef mlir::amp::stringifyMathUnit(MathUnit unit) {
  switch (unit) {
  case MathUnit::F64:
    return "f64";
  case MathUnit::F32:
    return "f32";
  case MathUnit::TF32:
    return "tf32";
  case MathUnit::F16:
    return "f16";
  case MathUnit::F8:
    return "f8";
  }
  llvm_unreachable("no such unit");
}

PeakRates mlir::amp::getPeakRates(int major, int minor, int multiprocessors,
                                  double clockHertz) {
  // Operations per clock and multiprocessor, in the order of the units.
  static constexpr struct {
    int capability;
    double flops[std::size(kMathUnits)];
  } table[] = {
      // Without 8-bit floats, which are computed in f16.
      {80, {64, 128, 1024, 2048, 2048}},    {86, {4, 256, 512, 1024, 1024}},
      {89, {4, 256, 512, 1024, 2048}},      {90, {128, 256, 2048, 4096, 8192}},
      {100, {128, 256, 4096, 8192, 16384}},
  };
  PeakRates rates;
  for (const auto &[capability, flops] : table)
    if (capability == 10 * major + minor && multiprocessors > 0 &&
        clockHertz > 0)
      for (MathUnit unit : kMathUnits)
        rates[unit] =
            flops[static_cast<size_t>(unit)] * multiprocessors * clockHertz;
  return rates;
}

std::optional<double> Work::getTotalFlops() const {
  if (!numFlops)
    return std::nullopt;
  double total = 0;
  for (MathUnit unit : kMathUnits)
    total += (*numFlops)[unit];
  return total;
}

std::optional<Roofline> mlir::amp::getRoofline(const Work &work,
                                               double copyRate,
                                               const PeakRates &peaks) {
  if (!work.numBytes || !work.numFlops || !(copyRate > 0))
    return std::nullopt;
  double computeSeconds = 0;
  for (MathUnit unit : kMathUnits) {
    double numFlops = (*work.numFlops)[unit];
    if (numFlops == 0)
      continue;
    if (!peaks[unit])
      return std::nullopt;
    computeSeconds = std::max(computeSeconds, numFlops / *peaks[unit]);
  }
  double memorySeconds = *work.numBytes / copyRate;
  return Roofline{std::max(memorySeconds, computeSeconds),
                  memorySeconds >= computeSeconds};
}
