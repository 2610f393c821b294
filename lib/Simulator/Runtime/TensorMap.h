//===- TensorMap.h - how tensor maps are made -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_TENSORMAP_H
#define AMP_LIB_SIMULATOR_RUNTIME_TENSORMAP_H

#include "amp/Simulator/TensorMap.h"

#include <string>

namespace amp::sim {

/// The arguments that cuTensorMapEncodeTiled and -Im2col share.
struct MappedTensor {
  int dataType = 0;
  uint32_t rank = 0;
  const void *base = nullptr;
  const uint64_t *sizes = nullptr, *byteStrides = nullptr;
  const uint32_t *elementStrides = nullptr;
  int interleave = 0, swizzle = 0, l2Promotion = 0, fill = 0;
};

/// Fills `map`. Returns what is wrong with the arguments, or nothing.
std::string encodeTiled(ampSimTensorMap &map, const MappedTensor &tensor,
                        const uint32_t *box);
std::string encodeIm2col(ampSimTensorMap &map, const MappedTensor &tensor,
                         const int *lowerCorner, const int *upperCorner,
                         uint32_t channels, uint32_t pixels);

/// Bytes of an element of the map.
unsigned getElementBytes(const ampSimTensorMap &map);

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_TENSORMAP_H
