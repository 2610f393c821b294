//===- Elements.h - elements of matrices ------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_ELEMENTS_H
#define AMP_LIB_SIMULATOR_RUNTIME_ELEMENTS_H

#include "NarrowFormats.h"
#include "amp/Simulator/Runtime.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace amp::sim {

/// Bits of an ampSimElement in memory.
inline unsigned getBits(int32_t type) {
  switch (type) {
  case AMP_SIM_F16:
  case AMP_SIM_BF16:
    return 16;
  case AMP_SIM_F64:
    return 64;
  case AMP_SIM_S8:
  case AMP_SIM_U8:
  case AMP_SIM_E4M3:
  case AMP_SIM_E5M2:
    return 8;
  default:
    return 32;
  }
}

inline bool isInteger(int32_t type) {
  return type == AMP_SIM_S8 || type == AMP_SIM_U8 || type == AMP_SIM_S32;
}

/// Element `i` of a lane's registers. Every value of every type is a double.
inline double loadElement(const void *registers, int32_t type, unsigned i) {
  unsigned bytes = getBits(type) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const uint8_t *>(registers) + i * bytes,
              bytes);
  switch (type) {
  case AMP_SIM_F16:
    return decodeF16(uint16_t(bits));
  case AMP_SIM_BF16:
    return decodeF32(uint32_t(bits) << 16);
  case AMP_SIM_TF32:
    // The multiplier does not see the low bits.
    return decodeF32(uint32_t(bits) & 0xffffe000u);
  case AMP_SIM_F32:
    return decodeF32(uint32_t(bits));
  case AMP_SIM_F64: {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case AMP_SIM_S8:
    return int8_t(bits);
  case AMP_SIM_U8:
    return uint8_t(bits);
  case AMP_SIM_S32:
    return int32_t(uint32_t(bits));
  case AMP_SIM_E4M3:
    return decodeE4M3(uint8_t(bits));
  default:
    return decodeE5M2(uint8_t(bits));
  }
}

/// Rounds the value to element `i`.
inline void storeElement(void *registers, int32_t type, unsigned i,
                         double value, bool saturate) {
  auto put = [&](auto bits) {
    std::memcpy(static_cast<uint8_t *>(registers) + i * sizeof bits, &bits,
                sizeof bits);
  };
  switch (type) {
  case AMP_SIM_F16:
    return put(encodeF16(value));
  case AMP_SIM_F64:
    return put(value);
  case AMP_SIM_S32:
    // Sums of products of bytes are far from the limits of a double.
    if (saturate)
      return put(
          int32_t(std::min(2147483647.0, std::max(-2147483648.0, value))));
    return put(uint32_t(int64_t(value)));
  default:
    return put(static_cast<float>(value));
  }
}

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_ELEMENTS_H
