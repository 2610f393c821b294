//===- MatrixTest.cpp - fragments of the matrix instructions --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places of the elements are written here as the PTX ISA has them, shape by
// shape ("Matrix Fragments for mma.m16n8k8" and so on), not as the simulator
// computes them.
//
//===----------------------------------------------------------------------===//

#include "amp/Simulator/Runtime.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>
#include <vector>

namespace {
struct Place {
  int row, column;
};
using Map = std::function<Place(int lane, int i)>;

/// What PTX says of a shape.
struct Shape {
  const char *name;
  int m, n, k;
  ampSimElement element, accumulator;
  int numA, numB, numC;
  Map a, b, c;
};

int group(int lane) { return lane >> 2; }
int inGroup(int lane) { return lane % 4; }

Place c16(int lane, int i) {
  return {i < 2 ? group(lane) : group(lane) + 8, inGroup(lane) * 2 + (i & 1)};
}
Place c8(int lane, int i) { return {group(lane), inGroup(lane) * 2 + (i & 1)}; }

Place a16x16(int lane, int i) {
  bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
  return {upper ? group(lane) : group(lane) + 8,
          inGroup(lane) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
Place b16x16(int lane, int i) {
  return {inGroup(lane) * 2 + (i & 1) + (i >= 2 ? 8 : 0), group(lane)};
}
Place a8x16(int lane, int i) {
  return {i < 2 ? group(lane) : group(lane) + 8, inGroup(lane) * 2 + (i & 1)};
}
Place b8x16(int lane, int i) { return {inGroup(lane) * 2 + i, group(lane)}; }
Place aTF32k4(int lane, int i) {
  return {i == 0 ? group(lane) : group(lane) + 8, inGroup(lane)};
}
Place bTF32k4(int lane, int) { return {inGroup(lane), group(lane)}; }
Place aTF32k8(int lane, int i) {
  return {i == 0 || i == 2 ? group(lane) : group(lane) + 8,
          i < 2 ? inGroup(lane) : inGroup(lane) + 4};
}
Place bTF32k8(int lane, int i) {
  return {i == 0 ? inGroup(lane) : inGroup(lane) + 4, group(lane)};
}
Place aByte16(int lane, int i) {
  return {i < 4 ? group(lane) : group(lane) + 8, inGroup(lane) * 4 + (i & 3)};
}
Place bByte16(int lane, int i) { return {inGroup(lane) * 4 + i, group(lane)}; }
Place aByte32(int lane, int i) {
  bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
  return {upper ? group(lane) : group(lane) + 8,
          inGroup(lane) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}
Place bByte32(int lane, int i) {
  return {inGroup(lane) * 4 + (i & 3) + (i >= 4 ? 16 : 0), group(lane)};
}
Place aByte8(int lane, int i) { return {group(lane), inGroup(lane) * 4 + i}; }
Place aF64(int lane, int) { return {group(lane), inGroup(lane)}; }
Place bF64(int lane, int) { return {inGroup(lane), group(lane)}; }

const Shape shapes[] = {
    {"m16n8k16 f16", 16, 8, 16, AMP_SIM_F16, AMP_SIM_F32, 8, 4, 4, a16x16,
     b16x16, c16},
    {"m16n8k16 f16 into f16", 16, 8, 16, AMP_SIM_F16, AMP_SIM_F16, 8, 4, 4,
     a16x16, b16x16, c16},
    {"m16n8k16 bf16", 16, 8, 16, AMP_SIM_BF16, AMP_SIM_F32, 8, 4, 4, a16x16,
     b16x16, c16},
    {"m16n8k8 f16", 16, 8, 8, AMP_SIM_F16, AMP_SIM_F32, 4, 2, 4, a8x16, b8x16,
     c16},
    {"m16n8k8 bf16", 16, 8, 8, AMP_SIM_BF16, AMP_SIM_F32, 4, 2, 4, a8x16, b8x16,
     c16},
    {"m16n8k4 tf32", 16, 8, 4, AMP_SIM_TF32, AMP_SIM_F32, 2, 1, 4, aTF32k4,
     bTF32k4, c16},
    {"m16n8k8 tf32", 16, 8, 8, AMP_SIM_TF32, AMP_SIM_F32, 4, 2, 4, aTF32k8,
     bTF32k8, c16},
    {"m16n8k16 s8", 16, 8, 16, AMP_SIM_S8, AMP_SIM_S32, 8, 4, 4, aByte16,
     bByte16, c16},
    {"m16n8k32 s8", 16, 8, 32, AMP_SIM_S8, AMP_SIM_S32, 16, 8, 4, aByte32,
     bByte32, c16},
    {"m16n8k32 u8", 16, 8, 32, AMP_SIM_U8, AMP_SIM_S32, 16, 8, 4, aByte32,
     bByte32, c16},
    {"m8n8k16 s8", 8, 8, 16, AMP_SIM_S8, AMP_SIM_S32, 4, 4, 2, aByte8, bByte16,
     c8},
    {"m16n8k32 e4m3", 16, 8, 32, AMP_SIM_E4M3, AMP_SIM_F32, 16, 8, 4, aByte32,
     bByte32, c16},
    {"m16n8k32 e5m2", 16, 8, 32, AMP_SIM_E5M2, AMP_SIM_F32, 16, 8, 4, aByte32,
     bByte32, c16},
    {"m8n8k4 f64", 8, 8, 4, AMP_SIM_F64, AMP_SIM_F64, 1, 1, 2, aF64, bF64, c8},
};

/// The bits of a small integer, which every format has: up to 3 for multiplied
/// elements (0 to 3 have the same bits in steps of the format's one and two).
uint64_t encode(ampSimElement element, int value) {
  float asFloat = float(value);
  uint32_t bits;
  std::memcpy(&bits, &asFloat, 4);
  int magnitude = value < 0 ? -value : value;
  uint64_t sign = value < 0;
  switch (element) {
  case AMP_SIM_F16: {
    // Integers up to 2048: normalise by hand.
    if (!magnitude)
      return 0;
    int exponent = 0;
    while ((magnitude >> (exponent + 1)) != 0)
      ++exponent;
    uint64_t mantissa = uint64_t(magnitude) << (10 - exponent) & 0x3ff;
    return sign << 15 | uint64_t(exponent + 15) << 10 | mantissa;
  }
  case AMP_SIM_BF16:
    return bits >> 16;
  case AMP_SIM_TF32:
  case AMP_SIM_F32:
    return bits;
  case AMP_SIM_F64: {
    double wide = value;
    uint64_t result;
    std::memcpy(&result, &wide, 8);
    return result;
  }
  case AMP_SIM_S8:
  case AMP_SIM_U8:
    return uint8_t(value);
  case AMP_SIM_S32:
    return uint32_t(value);
  case AMP_SIM_E4M3: {
    // 0, 1, 2, 3: bias 7, three bits of mantissa.
    const uint8_t table[] = {0x00, 0x38, 0x40, 0x44};
    return sign << 7 | table[magnitude];
  }
  case AMP_SIM_E5M2: {
    // Bias 15, two bits of mantissa.
    const uint8_t table[] = {0x00, 0x3c, 0x40, 0x42};
    return sign << 7 | table[magnitude];
  }
  }
  return 0;
}

size_t bytesOf(ampSimElement element) {
  switch (element) {
  case AMP_SIM_F16:
  case AMP_SIM_BF16:
    return 2;
  case AMP_SIM_F64:
    return 8;
  case AMP_SIM_S8:
  case AMP_SIM_U8:
  case AMP_SIM_E4M3:
  case AMP_SIM_E5M2:
    return 1;
  default:
    return 4;
  }
}

/// Small integers without a pattern that another layout would keep.
int valueA(const Shape &shape, int i, int k) {
  int value = (i * 5 + k * 3 + i * k) % 4;
  return shape.element != AMP_SIM_U8 && (i + 2 * k) % 3 == 0 ? -value : value;
}
int valueB(const Shape &shape, int k, int j) {
  int value = (k * 7 + j * 2 + k * j) % 4;
  return shape.element != AMP_SIM_U8 && (k + j) % 5 == 0 ? -value : value;
}
int valueC(int i, int j) { return i * 8 + j - 50; }

const Shape *current;
int mismatches;

void put(uint8_t *registers, ampSimElement element, int i, int value) {
  uint64_t bits = encode(element, value);
  std::memcpy(registers + size_t(i) * bytesOf(element), &bits,
              bytesOf(element));
}

void multiply(ampSimThread *thread, void **) {
  const Shape &shape = *current;
  int lane = int(thread->registers[AMP_SIM_LANE_ID]);
  uint8_t a[32] = {}, b[32] = {}, c[32] = {}, d[32] = {};
  for (int i = 0; i < shape.numA; ++i) {
    Place place = shape.a(lane, i);
    put(a, shape.element, i, valueA(shape, place.row, place.column));
  }
  for (int i = 0; i < shape.numB; ++i) {
    Place place = shape.b(lane, i);
    put(b, shape.element, i, valueB(shape, place.row, place.column));
  }
  for (int i = 0; i < shape.numC; ++i) {
    Place place = shape.c(lane, i);
    put(c, shape.accumulator, i, valueC(place.row, place.column));
  }
  ampSimMma(thread, "mma", shape.m, shape.n, shape.k, shape.element,
            shape.element, shape.accumulator, shape.accumulator, 0, a, b, c, d);
  for (int i = 0; i < shape.numC; ++i) {
    Place place = shape.c(lane, i);
    int expected = valueC(place.row, place.column);
    for (int k = 0; k < shape.k; ++k)
      expected += valueA(shape, place.row, k) * valueB(shape, k, place.column);
    uint64_t bits = encode(shape.accumulator, expected);
    size_t bytes = bytesOf(shape.accumulator);
    if (std::memcmp(d + size_t(i) * bytes, &bits, bytes) != 0)
      ++mismatches;
  }
}

void launch(ampSimFunction function, uint32_t sharedBytes = 0) {
  ampSimKernel kernel = {"test",      function,           nullptr, 0,
                         sharedBytes, AMP_SIM_COLLECTIVE, 0};
  ampSimLaunch(&kernel, "launch", 1, 1, 1, 32, 1, 1, 1, 1, 1, 0, nullptr);
}

TEST(MatrixTest, MmaMultiplies) {
  for (const Shape &shape : shapes) {
    current = &shape;
    mismatches = 0;
    launch(multiply);
    EXPECT_EQ(mismatches, 0) << shape.name;
  }
}

// PTX ISA, "ldmatrix", figure of the fragment: lane l holds, of row l / 4, the
// elements 2 * (l % 4) and the next; of the transposed matrix with .trans.
// Matrix i has the row addresses of lanes 8i to 8i + 7.
void moveMatrices(ampSimThread *thread, void **) {
  int lane = int(thread->registers[AMP_SIM_LANE_ID]);
  auto *shared = reinterpret_cast<uint16_t *>(thread->shared);
  // Element (r, c) of matrix i is 1000 i + 10 r + c. Row r of matrix i lies at
  // an address of its own, not in order.
  auto rowOf = [&](int i, int r) {
    return shared + 8 * ((r * 5 + 3) % 8 + 8 * ((i + 1) % 4));
  };
  int i = lane / 8, r = lane % 8;
  uint32_t words[4];
  for (int c = 0; c < 8; c += 2)
    words[c / 2] = uint32_t(1000 * i + 10 * r + c) |
                   uint32_t(1000 * i + 10 * r + c + 1) << 16;
  // Through the runtime, so that the bytes count as written.
  ampSimAccess(thread, "store", AMP_SIM_STORE, 2, 16, -1, rowOf(i, r), 0, 1,
               int64_t(0), int64_t(8), int64_t(1), int64_t(8));
  std::memcpy(rowOf(i, r), words, 16);
  ampSimBarrier(thread, "barrier", 0, 0);
  for (int transposed = 0; transposed < 2; ++transposed)
    for (int count : {1, 2, 4}) {
      uint32_t registers[4] = {};
      ampSimLoadMatrix(thread, "ldmatrix", rowOf(i, r), count, transposed,
                       registers);
      for (int matrix = 0; matrix < count; ++matrix)
        for (int half = 0; half < 2; ++half) {
          int row = lane / 4, column = 2 * (lane % 4) + half;
          int expected = transposed ? 1000 * matrix + 10 * column + row
                                    : 1000 * matrix + 10 * row + column;
          if (int(registers[matrix] >> (16 * half) & 0xffff) != expected)
            ++mismatches;
        }
    }
  ampSimBarrier(thread, "barrier", 0, 0);
  // Stored transposed, row r of a matrix is what column r was.
  uint32_t registers[4];
  ampSimLoadMatrix(thread, "ldmatrix", rowOf(i, r), 4, 0, registers);
  ampSimBarrier(thread, "barrier", 0, 0);
  ampSimStoreMatrix(thread, "stmatrix", rowOf(i, r), 4, 1, registers);
  ampSimBarrier(thread, "barrier", 0, 0);
  for (int c = 0; c < 8; ++c)
    if (rowOf(i, r)[c] != 1000 * i + 10 * c + r)
      ++mismatches;
}

TEST(MatrixTest, MatricesMove) {
  mismatches = 0;
  launch(moveMatrices, 4 * 128);
  EXPECT_EQ(mismatches, 0);
}

void overflow(ampSimThread *thread, void **) {
  int8_t a[16], b[8];
  std::memset(a, 127, sizeof a);
  std::memset(b, 127, sizeof b);
  int32_t c[4] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}, d[4];
  ampSimMma(thread, "mma", 16, 8, 32, AMP_SIM_S8, AMP_SIM_S8, AMP_SIM_S32,
            AMP_SIM_S32, 1, a, b, c, d);
  mismatches += d[0] != INT32_MAX;
  ampSimMma(thread, "mma", 16, 8, 32, AMP_SIM_S8, AMP_SIM_S8, AMP_SIM_S32,
            AMP_SIM_S32, 0, a, b, c, d);
  mismatches += d[0] != int32_t(uint32_t(INT32_MAX) + 32u * 127u * 127u);
}

TEST(MatrixTest, IntegersSaturateOrWrap) {
  mismatches = 0;
  launch(overflow);
  EXPECT_EQ(mismatches, 0);
}
} // namespace
