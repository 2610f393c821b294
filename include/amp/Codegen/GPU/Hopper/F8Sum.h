//===- F8Sum.h - how sm_90a adds products of 8-bit floats -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor cores of sm_90a keep fewer bits of products of 8-bit floats than
// f32 has. No manual says so; what follows is what was measured on H100s by
// several (DeepSeek-V3's report, section 3.5.2; SageAttention2, section 3.3).
// C++17 alone, so that the simulator shares it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_F8SUM_H
#define AMP_CODEGEN_GPU_HOPPER_F8SUM_H

#include <cmath>
#include <cstdint>

namespace mlir::amp::gpu::hopper {

/// One wgmma with 8-bit floats: the accumulator and the products are cut off
/// `kFractionBits` bits behind the leading bit of the largest of them, added
/// exactly, and the sum is cut off as many bits behind its own leading bit.
struct F8Sum {
  static constexpr int kFractionBits = 13;
  /// Products that one wgmma adds, and those that a kernel adds at most before
  /// it continues in f32, unless it may be fast.
  static constexpr int64_t kProducts = 32, kPromoted = 128;

  /// `a`[0] `b`[0] + ... + `a`[`count` - 1] `b`[`count` - 1] + `c`.
  static float add(const float *a, const float *b, int64_t count, double c) {
    double largest = std::fabs(c), exact = c;
    for (int64_t i = 0; i < count; ++i) {
      double product = double(a[i]) * double(b[i]);
      largest = std::fmax(largest, std::fabs(product));
      exact += product;
    }
    if (!std::isfinite(exact) || largest == 0)
      return float(exact);
    double unit = std::ldexp(1.0, std::ilogb(largest) - kFractionBits);
    double sum = cut(c, unit);
    for (int64_t i = 0; i < count; ++i)
      sum += cut(double(a[i]) * double(b[i]), unit);
    if (sum == 0)
      return 0;
    return float(cut(sum, std::ldexp(1.0, std::ilogb(sum) - kFractionBits)));
  }

  /// What the sum of `wgmmas` of them, one after the other from zero, is off by
  /// at most, as a part of the sum of the absolute values of their products:
  /// each of the terms and each sum loses less than 2^-13 of the largest term,
  /// or of the sum.
  static constexpr double getBound(int64_t wgmmas) {
    return double(wgmmas * (kProducts + 1 + 1)) / (1 << kFractionBits);
  }

private:
  static double cut(double value, double unit) {
    return std::trunc(value / unit) * unit;
  }
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_F8SUM_H
