//===- TensorMap.h - what the simulator's driver encodes --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_TENSORMAP_H
#define AMP_SIMULATOR_TENSORMAP_H

#include <stdint.h>

/// The 128 bytes that the simulator's cuTensorMapEncodeTiled and -Im2col write:
/// their arguments. A device's are a secret of the driver.
typedef struct ampSimTensorMap {
  /// The address of the first element.
  uint64_t base;
  /// Elements along each dimension, the innermost first.
  uint64_t sizes[5];
  /// Bytes from one index to the next along dimensions 1 to `rank - 1`.
  uint64_t byteStrides[4];
  /// Elements of a box, and of each of its steps, along each dimension. With
  /// im2col, `box[0]` is channels and `box[1]` pixels.
  uint16_t box[5];
  uint8_t elementStrides[5];
  /// CUtensorMapDataType, and the other arguments.
  uint8_t dataType, rank, interleave, swizzle, l2Promotion, fill;
  /// The corners of im2col's bounding box, the innermost dimension first.
  int16_t lower[3], upper[3];
  uint8_t isIm2col;
  uint8_t reserved[13];
} ampSimTensorMap;

#endif // AMP_SIMULATOR_TENSORMAP_H
