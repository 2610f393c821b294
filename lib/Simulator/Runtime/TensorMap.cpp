//===- TensorMap.cpp - how tensor maps are made ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions are those of the CUDA Driver API, "cuTensorMapEncodeTiled" and
// "cuTensorMapEncodeIm2col".
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"

#include "amp/Simulator/Runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace amp::sim;

static_assert(sizeof(ampSimTensorMap) == 128, "the size of a CUtensorMap");

/// What a tensor may have, by the number of its CUtensorMapDataType.
static constexpr unsigned kElementBytes[] = {1, 2, 4, 4, 8, 8, 2,
                                             4, 8, 2, 4, 4, 4};
static constexpr int kNumTypes = sizeof kElementBytes / sizeof(unsigned);
/// Bytes of the pattern that a box's rows are swizzled in; 0: any.
static constexpr uint64_t kSwizzleBytes[] = {0, 32, 64, 128};

static std::string number(int64_t value) { return std::to_string(value); }

unsigned amp::sim::getElementBytes(const ampSimTensorMap &map) {
  return kElementBytes[map.dataType];
}

/// What is wrong with what both kinds share.
static std::string check(const MappedTensor &tensor) {
  if (tensor.dataType < 0 || tensor.dataType >= kNumTypes)
    return "there is no data type " + number(tensor.dataType);
  if (tensor.interleave != 0)
    return "the simulator has no interleaved layouts";
  if (tensor.swizzle < 0 || tensor.swizzle > 3)
    return "there is no swizzle mode " + number(tensor.swizzle);
  if (tensor.rank < 1 || tensor.rank > 5)
    return "the rank is " + number(tensor.rank) + ": must be 1 to 5";
  if (reinterpret_cast<uintptr_t>(tensor.base) % 16)
    return "the address is no multiple of 16";
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    std::string where = " along dimension " + number(d);
    uint64_t size = tensor.sizes[d], step = tensor.elementStrides[d];
    if (size == 0 || size > uint64_t(1) << 32)
      return "the size is " + number(int64_t(size)) + where +
             ": must be 1 to 2^32";
    uint64_t stride = d > 0 ? tensor.byteStrides[d - 1] : 0;
    if (stride % 16 || stride >= uint64_t(1) << 40)
      return "the stride is " + number(int64_t(stride)) + " bytes" + where +
             ": must be a multiple of 16 below 2^40";
    if (step == 0 || step > 8)
      return "the step is " + number(int64_t(step)) + where +
             ": must be 1 to 8";
  }
  return "";
}

/// What is wrong with rows of boxes of so many elements.
static std::string checkRow(const MappedTensor &tensor, uint64_t elements) {
  uint64_t row = elements * kElementBytes[tensor.dataType];
  if (row % 16)
    return "a row of the box has " + number(int64_t(row)) +
           " bytes: must be a multiple of 16";
  if (tensor.swizzle && row > kSwizzleBytes[tensor.swizzle])
    return "a row of the box has " + number(int64_t(row)) +
           " bytes: with this swizzle mode at most " +
           number(int64_t(kSwizzleBytes[tensor.swizzle]));
  return "";
}

static ampSimTensorMap encode(const MappedTensor &tensor) {
  ampSimTensorMap result = {};
  result.base = reinterpret_cast<uintptr_t>(tensor.base);
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    result.sizes[d] = tensor.sizes[d];
    if (d > 0)
      result.byteStrides[d - 1] = tensor.byteStrides[d - 1];
    result.elementStrides[d] = static_cast<uint8_t>(tensor.elementStrides[d]);
  }
  result.dataType = static_cast<uint8_t>(tensor.dataType);
  result.rank = static_cast<uint8_t>(tensor.rank);
  result.interleave = static_cast<uint8_t>(tensor.interleave);
  result.swizzle = static_cast<uint8_t>(tensor.swizzle);
  result.l2Promotion = static_cast<uint8_t>(tensor.l2Promotion);
  result.fill = static_cast<uint8_t>(tensor.fill);
  return result;
}

std::string amp::sim::encodeTiled(ampSimTensorMap &map,
                                  const MappedTensor &tensor,
                                  const uint32_t *box) {
  std::string wrong = check(tensor);
  if (!wrong.empty())
    return wrong;
  for (uint32_t d = 0; d < tensor.rank; ++d)
    if (box[d] == 0 || box[d] > 256)
      return "the box has " + number(box[d]) + " elements along dimension " +
             number(d) + ": must be 1 to 256";
  wrong = checkRow(tensor, box[0]);
  if (!wrong.empty())
    return wrong;
  map = encode(tensor);
  for (uint32_t d = 0; d < tensor.rank; ++d)
    map.box[d] = static_cast<uint16_t>(box[d]);
  return "";
}

std::string amp::sim::encodeIm2col(ampSimTensorMap &map,
                                   const MappedTensor &tensor,
                                   const int *lowerCorner,
                                   const int *upperCorner, uint32_t channels,
                                   uint32_t pixels) {
  std::string wrong = check(tensor);
  if (!wrong.empty())
    return wrong;
  if (tensor.rank < 3)
    return "the rank is " + number(tensor.rank) + ": must be 3 to 5";
  if (channels == 0 || channels > 256)
    return "the box has " + number(channels) + " channels: must be 1 to 256";
  if (pixels == 0 || pixels > 1024)
    return "the box has " + number(pixels) + " pixels: must be 1 to 1024";
  wrong = checkRow(tensor, channels);
  if (!wrong.empty())
    return wrong;
  uint32_t spatial = tensor.rank - 2;
  int64_t limit = int64_t(1) << (16 / spatial - 1);
  map = encode(tensor);
  map.isIm2col = 1;
  map.box[0] = static_cast<uint16_t>(channels);
  map.box[1] = static_cast<uint16_t>(pixels);
  for (uint32_t d = 0; d < spatial; ++d) {
    for (int corner : {lowerCorner[d], upperCorner[d]})
      if (corner < -limit || corner >= limit)
        return "a corner is " + number(corner) + " along dimension " +
               number(d + 1) + ": must be from " + number(-limit) + " to " +
               number(limit - 1);
    map.lower[d] = static_cast<int16_t>(lowerCorner[d]);
    map.upper[d] = static_cast<int16_t>(upperCorner[d]);
  }
  return "";
}

extern "C" void ampSimTensorMapOf(void *map, const char *site, int32_t dataType,
                                  int32_t rank, int32_t swizzle,
                                  int32_t isIm2col, const void *base, ...) {
  uint64_t sizes[5], strides[5];
  uint32_t steps[5], box[5];
  int lower[3] = {}, upper[3] = {};
  va_list list;
  va_start(list, base);
  for (int32_t d = 0; d < rank; ++d) {
    sizes[d] = va_arg(list, uint64_t);
    strides[d] = va_arg(list, uint64_t);
    steps[d] = static_cast<uint32_t>(va_arg(list, uint64_t));
  }
  int32_t boxRank = isIm2col ? 2 : rank;
  for (int32_t d = 0; d < boxRank; ++d)
    box[d] = static_cast<uint32_t>(va_arg(list, uint64_t));
  for (int32_t d = 0; isIm2col && d + 2 < rank; ++d) {
    lower[d] = static_cast<int>(va_arg(list, int64_t));
    upper[d] = static_cast<int>(va_arg(list, int64_t));
  }
  va_end(list);
  MappedTensor tensor;
  tensor.dataType = dataType;
  tensor.rank = static_cast<uint32_t>(rank);
  tensor.base = base;
  tensor.sizes = sizes;
  tensor.byteStrides = strides + 1;
  tensor.elementStrides = steps;
  tensor.swizzle = swizzle;
  ampSimTensorMap made;
  std::string wrong =
      isIm2col ? encodeIm2col(made, tensor, lower, upper, box[0], box[1])
               : encodeTiled(made, tensor, box);
  if (!wrong.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr,
                 "amp-sim: error: %s: a tensor map cannot be made: %s\n", site,
                 wrong.c_str());
    std::exit(1);
  }
  std::memcpy(map, &made, sizeof made);
}
