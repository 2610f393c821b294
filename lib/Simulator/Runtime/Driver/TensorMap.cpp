//===- TensorMap.cpp - tensor maps of the simulated driver ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions are those of the CUDA Driver API, "cuTensorMapEncodeTiled".
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "amp/Simulator/TensorMap.h"

#include <cstring>
#include <string>

using namespace amp::sim;

static_assert(sizeof(ampSimTensorMap) == 128, "the size of a CUtensorMap");

/// What a tensor may have, by the number of its CUtensorMapDataType.
static constexpr unsigned kElementBytes[] = {1, 2, 4, 4, 8, 8, 2,
                                             4, 8, 2, 4, 4, 4};
static constexpr int kNumTypes = sizeof kElementBytes / sizeof(unsigned);
/// Bytes of the pattern that a box's rows are swizzled in; 0: any.
static constexpr uint64_t kSwizzleBytes[] = {0, 32, 64, 128};

/// What is wrong with the arguments; empty: nothing.
static std::string check(int dataType, uint32_t rank, const void *base,
                         const uint64_t *sizes, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *steps,
                         int interleave, int swizzle) {
  auto number = [](uint64_t value) { return std::to_string(value); };
  if (dataType < 0 || dataType >= kNumTypes)
    return "there is no data type " + std::to_string(dataType);
  if (interleave != 0)
    return "the simulator has no interleaved layouts";
  if (swizzle < 0 || swizzle > 3)
    return "there is no swizzle mode " + std::to_string(swizzle);
  if (rank < 1 || rank > 5)
    return "the rank is " + number(rank) + ": must be 1 to 5";
  if (reinterpret_cast<uintptr_t>(base) % 16)
    return "the address is no multiple of 16";
  for (uint32_t d = 0; d < rank; ++d) {
    std::string where = " along dimension " + number(d);
    if (sizes[d] == 0 || sizes[d] > uint64_t(1) << 32)
      return "the size is " + number(sizes[d]) + where + ": must be 1 to 2^32";
    if (d > 0 && (strides[d - 1] % 16 || strides[d - 1] >= uint64_t(1) << 40))
      return "the stride is " + number(strides[d - 1]) + " bytes" + where +
             ": must be a multiple of 16 below 2^40";
    if (box[d] == 0 || box[d] > 256)
      return "the box has " + number(box[d]) + " elements" + where +
             ": must be 1 to 256";
    if (steps[d] == 0 || steps[d] > 8)
      return "the step is " + number(steps[d]) + where + ": must be 1 to 8";
  }
  uint64_t row = uint64_t(box[0]) * kElementBytes[dataType];
  if (row % 16)
    return "a row of the box has " + number(row) +
           " bytes: must be a multiple of 16";
  if (swizzle && row > kSwizzleBytes[swizzle])
    return "a row of the box has " + number(row) +
           " bytes: with this swizzle mode at most " +
           number(kSwizzleBytes[swizzle]);
  return "";
}

AMP_SIM_API
cuTensorMapEncodeTiled(CUtensorMap *map, int dataType, uint32_t rank,
                       void *base, const uint64_t *sizes,
                       const uint64_t *byteStrides, const uint32_t *box,
                       const uint32_t *elementStrides, int interleave,
                       int swizzle, int l2Promotion, int fill) {
  std::string wrong = check(dataType, rank, base, sizes, byteStrides, box,
                            elementStrides, interleave, swizzle);
  if (!wrong.empty()) {
    report("cuTensorMapEncodeTiled: %s", wrong.c_str());
    return CUDA_ERROR_INVALID_VALUE;
  }
  ampSimTensorMap result = {};
  result.base = reinterpret_cast<uintptr_t>(base);
  for (uint32_t d = 0; d < rank; ++d) {
    result.sizes[d] = sizes[d];
    if (d > 0)
      result.byteStrides[d - 1] = byteStrides[d - 1];
    result.box[d] = static_cast<uint16_t>(box[d]);
    result.elementStrides[d] = static_cast<uint8_t>(elementStrides[d]);
  }
  result.dataType = static_cast<uint8_t>(dataType);
  result.rank = static_cast<uint8_t>(rank);
  result.interleave = static_cast<uint8_t>(interleave);
  result.swizzle = static_cast<uint8_t>(swizzle);
  result.l2Promotion = static_cast<uint8_t>(l2Promotion);
  result.fill = static_cast<uint8_t>(fill);
  std::memcpy(map, &result, sizeof result);
  return CUDA_SUCCESS;
}
