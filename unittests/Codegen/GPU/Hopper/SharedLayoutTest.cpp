//===- SharedLayoutTest.cpp - operands of wgmma in shared memory ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values are tables and formulas of the PTX ISA 8.6, and bits that
// were seen to work on an H100 and an H200.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/SharedLayout.h"

#include "gtest/gtest.h"
#include <set>

using namespace mlir::amp::gpu::hopper;

namespace {

constexpr Swizzle kSwizzles[] = {Swizzle::None, Swizzle::B32, Swizzle::B64,
                                 Swizzle::B128};

/// PTX ISA, "Swizzling Modes": which 16-byte chunk lies where, the rows of the
/// tables being 128 bytes of shared memory.
TEST(SharedLayoutTest, SwizzleTables) {
  // In rows of 128 bytes, chunk c of row r is found at c XOR r % 8 with a
  // swizzle of 128 bytes, c XOR r % 4 with 64, c XOR r % 2 with 32.
  for (int64_t row = 0; row < 16; ++row)
    for (int64_t chunk = 0; chunk < 8; ++chunk) {
      int64_t address = row * 128 + chunk * 16;
      EXPECT_EQ(applySwizzle(Swizzle::None, address), address);
      EXPECT_EQ(applySwizzle(Swizzle::B32, address),
                row * 128 + (chunk ^ (row % 2)) * 16);
      EXPECT_EQ(applySwizzle(Swizzle::B64, address),
                row * 128 + (chunk ^ (row % 4)) * 16);
      EXPECT_EQ(applySwizzle(Swizzle::B128, address),
                row * 128 + (chunk ^ (row % 8)) * 16);
    }
}

TEST(SharedLayoutTest, SwizzleIsAPeriodicInvolution) {
  for (Swizzle swizzle : kSwizzles) {
    int64_t period = getSwizzleAlignment(swizzle);
    std::set<int64_t> seen;
    for (int64_t address = 0; address < 2 * 1024; ++address) {
      int64_t at = applySwizzle(swizzle, address);
      EXPECT_EQ(applySwizzle(swizzle, at), address);
      EXPECT_EQ(applySwizzle(swizzle, address + period), at + period);
      EXPECT_EQ(at / getSpan(swizzle), address / getSpan(swizzle));
      EXPECT_EQ(at % 16, address % 16);
      EXPECT_TRUE(seen.insert(at).second);
    }
  }
}

TEST(SharedLayoutTest, SwizzleHasNoBankConflicts) {
  // Eight rows of a span, the same chunk of each: what eight lanes of ldmatrix
  // or stmatrix touch.
  for (int64_t chunk = 0; chunk < 8; ++chunk) {
    std::set<int64_t> banks;
    for (int64_t row = 0; row < 8; ++row)
      banks.insert(applySwizzle(Swizzle::B128, row * 128 + chunk * 16) / 16 %
                   8);
    EXPECT_EQ(banks.size(), 8u);
  }
}

TEST(SharedLayoutTest, BoxIsDense) {
  TmaBox box{16, Swizzle::None, 3, {24, 5, 3, 1, 1}};
  EXPECT_EQ(box.check(), "");
  EXPECT_EQ(box.getBytes(), 24 * 5 * 3 * 2);
  std::set<int64_t> seen;
  for (int64_t z = 0; z < 3; ++z)
    for (int64_t y = 0; y < 5; ++y)
      for (int64_t x = 0; x < 24; ++x) {
        int64_t at = box.offset(std::array<int64_t, 5>{x, y, z, 0, 0});
        EXPECT_EQ(at, 2 * (x + 24 * (y + 5 * z)));
        seen.insert(at);
      }
  EXPECT_EQ(seen.size(), size_t(24 * 5 * 3));
}

TEST(SharedLayoutTest, WideTileInOneBox) {
  // A box {64, K, N / 64} is the tile of boxes {64, K} side by side.
  OperandTile tile{256, 64, 16, Major::MN, Swizzle::B128};
  TmaBox box{16, Swizzle::B128, 3, {64, 64, 4, 1, 1}};
  EXPECT_EQ(box.check(), "");
  EXPECT_EQ(box.getBytes(), tile.getBytes());
  for (int64_t n = 0; n < 256; ++n)
    for (int64_t k = 0; k < 64; ++k)
      EXPECT_EQ(box.offset(std::array<int64_t, 5>{n % 64, k, n / 64, 0, 0}),
                tile.offset(n, k));
}

TEST(SharedLayoutTest, BoxLimits) {
  EXPECT_EQ((TmaBox{16, Swizzle::B128, 2, {64, 256, 1, 1, 1}}.check()), "");
  EXPECT_EQ((TmaBox{16, Swizzle::B128, 2, {64, 257, 1, 1, 1}}.check()),
            "a box has 1 to 256 elements along a dimension, not 257");
  EXPECT_EQ((TmaBox{16, Swizzle::None, 2, {12, 8, 1, 1, 1}}.check()),
            "a row of a box must be a multiple of 16 bytes, and has 24");
  EXPECT_EQ((TmaBox{16, Swizzle::B128, 2, {128, 8, 1, 1, 1}}.check()),
            "a row of a swizzled box must have the 128 bytes of its swizzle, "
            "not 256");
  EXPECT_EQ((TmaBox{16, Swizzle::B64, 2, {16, 8, 1, 1, 1}}.check()),
            "a row of a swizzled box must have the 64 bytes of its swizzle, "
            "not 32");
  EXPECT_EQ((TmaBox{16, Swizzle::None, 6, {8, 8, 1, 1, 1}}.check()),
            "a box has 1 to 5 dimensions, not 6");
}

TEST(SharedLayoutTest, TensorLimits) {
  int64_t sizes[] = {4096, 100, 7}, strides[] = {8192, 819200};
  EXPECT_EQ(checkTensor(3, 256, sizes, strides), "");
  EXPECT_EQ(checkTensor(3, 264, sizes, strides),
            "the address of a tensor map must be a multiple of 16");
  strides[0] = 4098;
  EXPECT_EQ(checkTensor(3, 256, sizes, strides),
            "a stride of a tensor map must be a multiple of 16 bytes below "
            "2^40, and is 4098");
  sizes[1] = 0;
  EXPECT_EQ(checkTensor(2, 256, sizes, strides),
            "a stride of a tensor map must be a multiple of 16 bytes below "
            "2^40, and is 4098");
  strides[0] = 8192;
  EXPECT_EQ(checkTensor(2, 256, sizes, strides),
            "a tensor map has 1 to 2^32 elements along a dimension, not 0");
}

TEST(SharedLayoutTest, DescriptorBits) {
  // What the prototypes of the GEMM schedules used on an H200: address >> 4,
  // leading >> 4 at bit 16, stride >> 4 at bit 32, 1 at bit 62.
  MatrixDescriptor d{0x2c400, 64 * 128, 1024, 0, Swizzle::B128};
  EXPECT_EQ(d.encode(), uint64_t(0x2c40) | uint64_t(512) << 16 |
                            uint64_t(64) << 32 | uint64_t(1) << 62);
  // The table of "Matrix Descriptor Format".
  EXPECT_EQ(MatrixDescriptor::encodeSwizzle(Swizzle::None), 0u);
  EXPECT_EQ(MatrixDescriptor::encodeSwizzle(Swizzle::B128), 1u);
  EXPECT_EQ(MatrixDescriptor::encodeSwizzle(Swizzle::B64), 2u);
  EXPECT_EQ(MatrixDescriptor::encodeSwizzle(Swizzle::B32), 3u);
}

TEST(SharedLayoutTest, DescriptorRoundTrip) {
  for (Swizzle swizzle : kSwizzles)
    for (uint32_t address = 0; address < 1u << 18; address += 16 * 37)
      for (uint32_t leading : {0u, 16u, 0x3fff0u, 8192u})
        for (uint32_t stride : {0u, 1024u, 0x3fff0u})
          for (uint8_t base = 0; base < 8; ++base) {
            MatrixDescriptor d{address, leading, stride, base, swizzle};
            MatrixDescriptor back = MatrixDescriptor::decode(d.encode());
            EXPECT_EQ(back.address, address);
            EXPECT_EQ(back.leading, leading);
            EXPECT_EQ(back.stride, stride);
            EXPECT_EQ(back.baseOffset, base);
            EXPECT_EQ(back.swizzle, swizzle);
            EXPECT_EQ(d.encodeFixed() + (address >> 4), d.encode());
          }
}

/// The core matrices of the PTX ISA ("Core matrix": eight rows of 16 bytes that
/// follow each other) without a swizzle.
TEST(SharedLayoutTest, PlainCoreMatrices) {
  MatrixDescriptor d{0x400, /*leading=*/2048, /*stride=*/128, 0, Swizzle::None};
  for (int64_t mn = 0; mn < 64; ++mn)
    for (int64_t k = 0; k < 16; ++k) {
      EXPECT_EQ(d.elementAddress(Major::K, 16, mn, k),
                0x400 + mn / 8 * 128 + k / 8 * 2048 + mn % 8 * 16 + k % 8 * 2);
      EXPECT_EQ(d.elementAddress(Major::MN, 16, mn, k),
                0x400 + mn / 8 * 128 + k / 8 * 2048 + k % 8 * 16 + mn % 8 * 2);
    }
}

/// All tiles: TMA's boxes and wgmma's descriptors name the same bytes, at every
/// k step, for every block of rows.
TEST(SharedLayoutTest, TilesMeetDescriptors) {
  unsigned numTiles = 0;
  for (Swizzle swizzle : kSwizzles)
    for (Major major : {Major::K, Major::MN})
      for (unsigned bits : {8u, 16u, 32u})
        for (int64_t mn : {64, 128, 192, 256})
          for (int64_t kBytes : {32, 64, 128, 256}) {
            OperandTile tile{mn, kBytes * 8 / bits, bits, major, swizzle};
            if (!tile.check().empty())
              continue;
            ++numTiles;
            uint32_t base = 5 * 1024;
            int64_t wgmmaK = getWgmmaK(bits);
            std::set<int64_t> seen;
            // wgmma instructions read 64 rows of A, or all columns of B.
            for (int64_t rows : {int64_t(64), mn})
              for (int64_t first = 0; first < mn; first += rows)
                for (int64_t step = 0; step < tile.k / wgmmaK; ++step) {
                  uint64_t bitsOfIt =
                      tile.getDescriptor(base).encode() +
                      uint64_t((tile.getKStep(step) + tile.getMNStep(first)) >>
                               4);
                  MatrixDescriptor d = MatrixDescriptor::decode(bitsOfIt);
                  EXPECT_EQ(d.baseOffset, 0);
                  for (int64_t i = 0; i < rows; ++i)
                    for (int64_t k = 0; k < wgmmaK; ++k) {
                      int64_t at =
                          base + tile.offset(first + i, step * wgmmaK + k);
                      ASSERT_EQ(d.elementAddress(major, bits, i, k), at);
                      seen.insert(at);
                    }
                }
            // Every element has a place of its own, and the tile no gaps.
            EXPECT_EQ(int64_t(seen.size()), tile.mn * tile.k);
            EXPECT_EQ(*seen.rbegin() + bits / 8, base + tile.getBytes());
            // The boxes are what the offsets say.
            TmaBox box = tile.getBox();
            for (int64_t outer = 0; outer < tile.getBoxOuter(); ++outer)
              for (int64_t inner = 0; inner < tile.getBoxInner(); ++inner) {
                int64_t last = tile.getNumBoxes() - 1;
                int64_t along = last * tile.getBoxInner() + inner;
                int64_t at =
                    box.offset(std::array<int64_t, 5>{inner, outer, 0, 0, 0});
                EXPECT_EQ(last * tile.getBoxBytes() + at,
                          major == Major::K ? tile.offset(outer, along)
                                            : tile.offset(along, outer));
              }
          }
  // 4 swizzles, 4 heights; K-major 3 types and as many k as the span allows,
  // 4 + 4 + 3 + 2; MN-major 16 bits, k of 16 to 128.
  EXPECT_EQ(numTiles, 4u * 3 * (4 + 4 + 3 + 2) + 4u * 4 * 4);
}

/// The steps that the prototypes of the GEMM schedules used on an H200.
TEST(SharedLayoutTest, KnownSteps) {
  OperandTile a{128, 64, 16, Major::K};
  EXPECT_EQ(a.getKStep(3), 96);
  EXPECT_EQ(a.getMNStep(64), 64 * 128);
  EXPECT_EQ(a.getDescriptor(0).stride, 1024u);
  EXPECT_EQ(a.getBytes(), 16384);
  OperandTile b{256, 64, 16, Major::MN};
  EXPECT_EQ(b.getKStep(1), 2048);
  EXPECT_EQ(b.getDescriptor(0).leading, 64u * 128);
  EXPECT_EQ(b.getDescriptor(0).stride, 1024u);
  EXPECT_EQ(b.getNumBoxes(), 4);
  OperandTile q{128, 128, 16, Major::K};
  EXPECT_EQ(q.getKStep(5), 128 * 128 + 32);
}

TEST(SharedLayoutTest, TileLimits) {
  EXPECT_EQ((OperandTile{128, 128, 8, Major::MN}.check()),
            "wgmma reads elements of 8 bits with K contiguous only");
  EXPECT_EQ((OperandTile{128, 40, 16, Major::K}.check()),
            "a tile along K must be a multiple of 16, not 40");
  EXPECT_EQ((OperandTile{100, 64, 16, Major::K}.check()),
            "a tile along M or N must be a multiple of 8, not 100");
  EXPECT_EQ((OperandTile{128, 32, 16, Major::K}.check()),
            "a tile must be a multiple of the 64 elements of a span along its "
            "contiguous dimension");
  EXPECT_EQ((OperandTile{264, 64, 16, Major::K}.check()),
            "a box has 1 to 256 elements along a dimension, not 264");
}

} // namespace
