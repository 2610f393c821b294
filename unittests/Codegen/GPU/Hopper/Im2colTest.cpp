//===- Im2colTest.cpp - the windows of convolutions as TMA sees them ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/Im2col.h"

#include "gtest/gtest.h"

#include <array>

using namespace mlir::amp::gpu::hopper;

namespace {

/// Calls `body` with every small dimension that has a window.
template <typename Body>
void forAllDims(Body body) {
  for (int64_t size = 1; size <= 9; ++size)
    for (int64_t taps = 1; taps <= 4; ++taps)
      for (int64_t dilation = 1; dilation <= 3; ++dilation)
        for (int64_t stride = 1; stride <= 4; ++stride)
          for (int64_t low = 0; low <= 3; ++low)
            for (int64_t high = 0; high <= 3; ++high) {
              int64_t span = (taps - 1) * dilation + 1;
              int64_t rest = size + low + high - span;
              if (rest >= 0)
                body(Im2colDim{size, rest / stride + 1, taps, stride, dilation,
                               -low},
                     high);
            }
}

TEST(Im2colTest, TheBoundingBoxHasAllWindowsAndNoOthers) {
  forAllDims([](const Im2colDim &dim, int64_t high) {
    EXPECT_EQ(
        getIm2colOutputs(dim.size, dim.getLower(), dim.getUpper(), dim.stride),
        dim.outputs);
    // So does the one that the padding gives, which host code tests for sizes
    // that are not known.
    EXPECT_EQ(getIm2colOutputs(dim.size, dim.getLower(),
                               high - (dim.taps - 1) * dim.dilation,
                               dim.stride),
              dim.outputs);
    // A window more or less would need another box.
    Im2colDim more = dim, less = dim;
    ++more.outputs;
    --less.outputs;
    EXPECT_GT(more.getUpper(), dim.getUpper());
    EXPECT_LT(less.getUpper(), dim.getUpper());
  });
}

TEST(Im2colTest, TapsLieWhereTheConvolutionReads) {
  forAllDims([](const Im2colDim &dim, int64_t) {
    for (int64_t output = 0; output < dim.outputs; ++output)
      for (int64_t tap = 0; tap < dim.taps; ++tap)
        EXPECT_EQ(dim.coordinate(output) + dim.offset(tap),
                  output * dim.stride + tap * dim.dilation + dim.low);
  });
}

/// The coordinates of pixel `row` of a load that begins at `first`, as the PTX
/// ISA describes im2col mode: along the first dimension in its steps, and from
/// the start of the bounding box in the next one after its end.
std::array<int64_t, 3> walk(std::array<int64_t, 3> at,
                            const std::array<Im2colDim, 2> &dims,
                            int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    unsigned d = 0;
    for (; d < 2; ++d) {
      at[d] += dims[d].stride;
      if (at[d] < dims[d].size + dims[d].getUpper())
        break;
      at[d] = dims[d].getLower();
    }
    if (d == 2)
      ++at[2];
  }
  return at;
}

TEST(Im2colTest, PixelsFollowEachOtherAsWindowsDo) {
  // Rows, and images, of any number of windows: a load may begin at each of
  // them, and ends behind the last image.
  const Im2colDim kinds[] = {
      {1, 1, 1, 1, 1, 0},  {5, 5, 3, 1, 1, -1}, {7, 4, 3, 2, 1, -1},
      {8, 2, 3, 3, 2, -1}, {6, 6, 5, 1, 2, -4}, {4, 3, 4, 2, 1, -2},
      {9, 2, 1, 7, 1, 0},
  };
  constexpr int64_t kImages = 3;
  for (const Im2colDim &w : kinds)
    for (const Im2colDim &h : kinds) {
      int64_t pixels = w.outputs * h.outputs * kImages;
      auto coordinates = [&](int64_t pixel) {
        return std::array<int64_t, 3>{
            w.coordinate(pixel % w.outputs),
            h.coordinate(pixel / w.outputs % h.outputs),
            pixel / (w.outputs * h.outputs)};
      };
      for (int64_t first = 0; first < pixels; ++first)
        for (int64_t row = 0; first + row < pixels; ++row)
          EXPECT_EQ(walk(coordinates(first), {w, h}, row),
                    coordinates(first + row));
    }
}

TEST(Im2colTest, CornersAndOffsetsHaveSixteenBitsTogether) {
  EXPECT_EQ(getIm2colLimit(1), 32768);
  EXPECT_EQ(getIm2colLimit(2), 128);
  EXPECT_EQ(getIm2colLimit(3), 16);
  for (unsigned spatial : {1u, 2u, 3u}) {
    int64_t limit = getIm2colLimit(spatial);
    // Padding, with an image that has as many windows as elements.
    Im2colDim dim{100000, 100000, 1, 1, 1, -limit};
    EXPECT_EQ(checkIm2col(dim, spatial), "");
    --dim.low;
    EXPECT_NE(checkIm2col(dim, spatial).find("corners"), std::string::npos);
    dim.low = limit - 1;
    EXPECT_EQ(checkIm2col(dim, spatial), "");
    ++dim.low;
    EXPECT_NE(checkIm2col(dim, spatial).find("corners"), std::string::npos);
    // Taps.
    dim = {100000, 100000, 2, 1, 2 * limit - 1, 0};
    EXPECT_EQ(checkIm2col(dim, spatial), "");
    ++dim.dilation;
    EXPECT_NE(checkIm2col(dim, spatial).find("taps"), std::string::npos);
    // Few windows of a large image.
    dim = {1000000, 1, 1, 1, 1, 0};
    EXPECT_NE(checkIm2col(dim, spatial).find("corners"), std::string::npos);
  }
  Im2colDim dim;
  EXPECT_NE(checkIm2col(dim, 0), "");
  EXPECT_NE(checkIm2col(dim, 4), "");
  dim.stride = 8;
  EXPECT_EQ(checkIm2col(dim, 2), "");
  dim.stride = 9;
  EXPECT_EQ(checkIm2col(dim, 2), "im2col has strides of 1 to 8, not 9");
}

} // namespace
