//===- Im2col.h - the windows of convolutions as TMA sees them --*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain arithmetic, without IR. A tensor map of im2col mode has channels,
// spatial dimensions and a last one. A load begins at a pixel and takes those
// that follow it: along the first spatial dimension in its steps to the end of
// the bounding box, then from the start of the box in the next row, and so on.
// Offsets move all pixels of a load: to one tap of the filter (PTX ISA, "im2col
// mode"; CUDA Driver API, "cuTensorMapEncodeIm2col").
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_IM2COL_H
#define AMP_CODEGEN_GPU_HOPPER_IM2COL_H

#include <cstdint>
#include <string>

namespace mlir::amp::gpu::hopper {

/// A spatial dimension of an input: window `output` has its tap `tap` at the
/// index output * stride + tap * dilation + low; what lies outside is zero.
struct Im2colDim {
  /// Elements of the input, windows, and taps of the filter.
  int64_t size = 1, outputs = 1, taps = 1;
  int64_t stride = 1, dilation = 1;
  /// The index of the first tap of the first window: minus the padding.
  int64_t low = 0;

  /// The bounding box of the first taps of all windows: from `getLower()` to
  /// before size + `getUpper()`.
  constexpr int64_t getLower() const { return low; }
  constexpr int64_t getUpper() const {
    return low + (outputs - 1) * stride + 1 - size;
  }

  /// The tensor's coordinate of the first tap of window `output`.
  template <typename Int>
  Int coordinate(const Int &output) const {
    return output * stride + low;
  }
  /// What leads to tap `tap`.
  template <typename Int>
  Int offset(const Int &tap) const {
    return tap * dilation;
  }
};

/// Windows that a bounding box from `lower` to before `size` + `upper` has.
constexpr int64_t getIm2colOutputs(int64_t size, int64_t lower, int64_t upper,
                                   int64_t stride) {
  int64_t extent = size + upper - lower;
  return extent <= 0 ? 0 : (extent + stride - 1) / stride;
}

/// With `spatial` spatial dimensions corners are from minus this to below it,
/// and offsets from 0 to below twice this: all of them have 16 bits together.
constexpr int64_t getIm2colLimit(unsigned spatial) {
  return int64_t(1) << (16 / spatial - 1);
}
/// The largest stride.
constexpr int64_t kIm2colMaxStride = 8;

/// Why one of `spatial` dimensions cannot be read that way; empty: it can.
inline std::string checkIm2col(const Im2colDim &dim, unsigned spatial) {
  if (spatial < 1 || spatial > 3)
    return "im2col has one to three spatial dimensions, not " +
           std::to_string(spatial);
  if (dim.stride < 1 || dim.stride > kIm2colMaxStride)
    return "im2col has strides of 1 to 8, not " + std::to_string(dim.stride);
  int64_t limit = getIm2colLimit(spatial);
  for (int64_t corner : {dim.getLower(), dim.getUpper()})
    if (corner < -limit || corner >= limit)
      return "im2col of " + std::to_string(spatial) +
             " spatial dimensions has corners of " + std::to_string(-limit) +
             " to " + std::to_string(limit - 1) + ", not " +
             std::to_string(corner);
  int64_t last = (dim.taps - 1) * dim.dilation;
  if (dim.dilation < 0 || last >= 2 * limit)
    return "im2col of " + std::to_string(spatial) +
           " spatial dimensions has taps at 0 to " +
           std::to_string(2 * limit - 1) + ", not at " + std::to_string(last);
  return "";
}

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_IM2COL_H
