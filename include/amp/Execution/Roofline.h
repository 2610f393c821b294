//===- Roofline.h - what a device can do at most ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_ROOFLINE_H
#define AMP_EXECUTION_ROOFLINE_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace mlir::amp {

/// What computes floating-point operations on a device: scalar units (F64,
/// F32), and tensor cores by the type of their operands (TF32; F16, also bf16;
/// F8).
enum class MathUnit { F64, F32, TF32, F16, F8 };

inline constexpr MathUnit kMathUnits[] = {
    MathUnit::F64, MathUnit::F32, MathUnit::TF32, MathUnit::F16, MathUnit::F8};

/// "f64", "f32", "tf32", "f16" or "f8".
llvm::StringRef stringifyMathUnit(MathUnit unit);

/// A number for each unit.
template <typename T>
class PerMathUnit {
public:
  T &operator[](MathUnit unit) { return values[static_cast<size_t>(unit)]; }
  const T &operator[](MathUnit unit) const {
    return values[static_cast<size_t>(unit)];
  }

private:
  std::array<T, std::size(kMathUnits)> values{};
};

/// Floating-point operations (a fused multiply-add counts two) per second of
/// each unit at most; nothing where that is not known.
using PeakRates = PerMathUnit<std::optional<double>>;

/// The peaks of a device of this compute capability: the operations that a
/// multiprocessor of the architecture ends in a clock, dense and with sums in
/// f32, times multiprocessors and clock. Sources: CUDA C++ programming guide,
/// "Arithmetic Instructions" (scalar units), and NVIDIA's white papers on the
/// architectures (tensor cores). A product may be slower than its chip. Nothing
/// is known of other capabilities than 8.0, 8.6, 8.9, 9.0 and 10.0.
PeakRates getPeakRates(int major, int minor, int multiprocessors,
                       double clockHertz);

/// What a kernel must do at least; nothing where that is not known.
struct Work {
  /// Bytes of its inputs and of its results.
  std::optional<double> numBytes;
  /// Floating-point operations by unit; a fused multiply-add counts two.
  std::optional<PerMathUnit<double>> numFlops;

  /// The operations of all units.
  std::optional<double> getTotalFlops() const;
};

/// The shortest time for some work, and what sets it.
struct Roofline {
  double seconds = 0;
  bool isMemoryBound = false;
};

/// The larger of the times that the bytes take at `copyRate` (bytes per second)
/// and that the operations of each unit take at its peak. Nothing where one of
/// them is not known; work that is not there needs no peak.
std::optional<Roofline> getRoofline(const Work &work, double copyRate,
                                    const PeakRates &peaks);

} // namespace mlir::amp

#endif // AMP_EXECUTION_ROOFLINE_H
