//===- FloatHelpers.c - conversions that a processor may lack -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <string.h>

// LLVM calls these where the target has no instruction. Older libgccs lack
// some of them, so the runtime brings all: weak, that a process which has its
// own keeps it. A half or bfloat travels in an SSE register either way, so one
// type serves both; nothing here may convert with the language's own casts,
// which would call back.
#if defined(__FLT16_MAX__) || defined(__SSE2__)
typedef _Float16 narrow;
#define AMP_HELPER __attribute__((weak, visibility("default")))

static float asFloat(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t asBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static narrow asNarrow(uint32_t bits) {
  uint16_t low = (uint16_t)bits;
  narrow value;
  memcpy(&value, &low, sizeof value);
  return value;
}

/// f32 to f16, to nearest even.
static uint32_t toHalf(float value) {
  uint32_t bits = asBits(value), sign = bits >> 16 & 0x8000,
           magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
  if (magnitude >= 0x477ff000)
    return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Subnormal: the addition rounds at the right bit.
    float sum = asFloat(magnitude) + 0.5f;
    return sign | (asBits(sum) - 0x3f000000);
  }
  uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | ((rounded >> 13) - (112u << 10));
}

/// f32 to bf16, to nearest even.
static uint32_t toBFloat(float value) {
  uint32_t bits = asBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// f64 to f32 rounding to odd, so that a second rounding gives what one would.
static float toOdd(double value) {
  float near = (float)value;
  double back = (double)near;
  if (back == value || value != value)
    return near;
  uint32_t bits = asBits(near);
  if (__builtin_fabs(back) > __builtin_fabs(value))
    --bits;
  return asFloat(bits | 1);
}

AMP_HELPER narrow __truncsfhf2(float value) { return asNarrow(toHalf(value)); }
AMP_HELPER narrow __truncdfhf2(double value) {
  return asNarrow(toHalf(toOdd(value)));
}
AMP_HELPER narrow __truncsfbf2(float value) {
  return asNarrow(toBFloat(value));
}
AMP_HELPER narrow __truncdfbf2(double value) {
  return asNarrow(toBFloat(toOdd(value)));
}
AMP_HELPER float __extendhfsf2(narrow value) {
  uint16_t low;
  memcpy(&low, &value, sizeof low);
  uint32_t sign = (uint32_t)(low & 0x8000) << 16, magnitude = low & 0x7fff;
  if (magnitude >= 0x7c00)
    return asFloat(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  // Scaling by 2^112 is exact, for subnormal numbers too.
  return asFloat(sign | asBits(asFloat(magnitude << 13) * 0x1p112f));
}
#endif
