//===- TensorMap.cpp - tensor maps of the simulated driver ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TensorMap.h"
#include "Driver.h"

#include <cstring>

using namespace amp::sim;

static CUresult finish(const char *name, const std::string &wrong,
                       const ampSimTensorMap &made, CUtensorMap *map) {
  if (!wrong.empty()) {
    report("%s: %s", name, wrong.c_str());
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}

AMP_SIM_API
cuTensorMapEncodeTiled(CUtensorMap *map, int dataType, uint32_t rank,
                       void *base, const uint64_t *sizes,
                       const uint64_t *byteStrides, const uint32_t *box,
                       const uint32_t *elementStrides, int interleave,
                       int swizzle, int l2Promotion, int fill) {
  ampSimTensorMap made;
  std::string wrong =
      encodeTiled(made,
                  {dataType, rank, base, sizes, byteStrides, elementStrides,
                   interleave, swizzle, l2Promotion, fill},
                  box);
  return finish("cuTensorMapEncodeTiled", wrong, made, map);
}

AMP_SIM_API
cuTensorMapEncodeIm2col(CUtensorMap *map, int dataType, uint32_t rank,
                        void *base, const uint64_t *sizes,
                        const uint64_t *byteStrides, const int *lowerCorner,
                        const int *upperCorner, uint32_t channels,
                        uint32_t pixels, const uint32_t *elementStrides,
                        int interleave, int swizzle, int l2Promotion,
                        int fill) {
  ampSimTensorMap made;
  std::string wrong =
      encodeIm2col(made,
                   {dataType, rank, base, sizes, byteStrides, elementStrides,
                    interleave, swizzle, l2Promotion, fill},
                   lowerCorner, upperCorner, channels, pixels);
  return finish("cuTensorMapEncodeIm2col", wrong, made, map);
}
