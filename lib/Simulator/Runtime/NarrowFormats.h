//===- NarrowFormats.h - values of narrow float formats ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_NARROWFORMATS_H
#define AMP_LIB_SIMULATOR_RUNTIME_NARROWFORMATS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace amp::sim {

inline double decodeF32(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A format with a sign, `exponentBits` bits of exponent of the usual bias, and
/// `mantissaBits` bits of mantissa; its all-ones exponent is infinity and NaN
/// if `ieee`, and otherwise a number, but for the all-ones mantissa, NaN.
inline double decodeNarrow(uint32_t bits, unsigned exponentBits,
                           unsigned mantissaBits, bool ieee) {
  uint32_t mantissa = bits & ((1u << mantissaBits) - 1);
  uint32_t maxExponent = (1u << exponentBits) - 1;
  uint32_t exponent = bits >> mantissaBits & maxExponent;
  int bias = (1 << (exponentBits - 1)) - 1;
  double sign = bits >> (exponentBits + mantissaBits) & 1 ? -1.0 : 1.0;
  if (exponent == maxExponent) {
    if (ieee)
      return mantissa ? std::numeric_limits<double>::quiet_NaN()
                      : sign * std::numeric_limits<double>::infinity();
    if (mantissa == (1u << mantissaBits) - 1)
      return std::numeric_limits<double>::quiet_NaN();
  }
  if (!exponent)
    return sign * std::ldexp(mantissa, 1 - bias - int(mantissaBits));
  return sign * std::ldexp(mantissa + (1u << mantissaBits),
                           int(exponent) - bias - int(mantissaBits));
}

inline double decodeF16(uint16_t bits) {
  return decodeNarrow(bits, 5, 10, /*ieee=*/true);
}
inline double decodeE5M2(uint8_t bits) {
  return decodeNarrow(bits, 5, 2, /*ieee=*/true);
}
inline double decodeE4M3(uint8_t bits) {
  return decodeNarrow(bits, 4, 3, /*ieee=*/false);
}

/// The f16 nearest to the value, ties to even.
inline uint16_t encodeF16(double value) {
  if (value != value)
    return 0x7fff;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  if (magnitude >= 65520.0)
    return uint16_t(sign | 0x7c00);
  int exponent;
  std::frexp(magnitude, &exponent);
  // The distance of neighbours is 2^(e - 11), and 2^-24 for the smallest.
  int scale = exponent - 11 < -24 ? -24 : exponent - 11;
  auto steps = uint32_t(std::nearbyint(std::ldexp(magnitude, -scale)));
  if (scale == -24)
    return uint16_t(sign | steps);
  // A mantissa that rounds up to 2048 carries into the exponent.
  return uint16_t(sign | (uint32_t(scale + 24) * 1024 + steps));
}

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_NARROWFORMATS_H
