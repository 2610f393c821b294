//===- ReductionLayoutTest.cpp - every element is reduced once ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/ReductionLayout.h"

#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <vector>

using namespace mlir::amp::gpu;

/// Counts how often each column of a row is held, with the mask that the
/// schedule applies: a vector counts if its first column exists.
static std::vector<unsigned> countColumns(const RowLayout &layout,
                                          int64_t columns) {
  std::vector<unsigned> counts(columns);
  for (unsigned slot = 0; slot != layout.slots; ++slot) {
    for (unsigned thread = 0; thread != layout.threads; ++thread) {
      int64_t column = layout.getColumn(thread, slot);
      if (!layout.isFull(slot, columns) && column >= columns)
        continue;
      for (unsigned i = 0; i != layout.width; ++i) {
        EXPECT_LT(column + i, columns);
        if (column + i < columns)
          ++counts[column + i];
      }
    }
  }
  return counts;
}

TEST(RowLayout, HoldsEveryColumnOnce) {
  for (unsigned width : {1u, 2u, 4u, 8u}) {
    for (int64_t columns = width; columns <= 4200; columns += width) {
      std::optional<RowLayout> layout = RowLayout::get(columns, width);
      ASSERT_TRUE(layout);
      EXPECT_GE(layout->getCapacity(), columns);
      for (unsigned count : countColumns(*layout, columns))
        ASSERT_EQ(count, 1u) << "columns " << columns << " width " << width;
    }
  }
}

TEST(RowLayout, ServesEverySmallerRow) {
  // A function for sizes that only run time tells has one layout for all.
  for (unsigned width : {1u, 4u}) {
    std::optional<RowLayout> layout = RowLayout::get(1024, width);
    ASSERT_TRUE(layout);
    for (int64_t columns = 0; columns <= 1024; columns += width)
      for (unsigned count : countColumns(*layout, columns))
        ASSERT_EQ(count, 1u) << "columns " << columns << " width " << width;
  }
}

TEST(RowLayout, IsAValidBlock) {
  for (unsigned width : {1u, 2u, 4u, 8u}) {
    for (int64_t columns = 0; columns <= 40000; columns += 4 * width) {
      std::optional<RowLayout> layout = RowLayout::get(columns, width);
      if (!layout) {
        // More than the registers of 512 threads hold.
        EXPECT_GT(columns, 512 * int64_t(kMaxRowElements));
        continue;
      }
      EXPECT_TRUE(llvm::isPowerOf2_32(layout->threads));
      EXPECT_TRUE(layout->rows == 1 || layout->threads <= kWarpThreads);
      EXPECT_GE(layout->getBlockThreads(), 128u);
      EXPECT_LE(layout->getBlockThreads(), 512u);
      EXPECT_EQ(layout->getBlockThreads() % kWarpThreads, 0u);
      EXPECT_LE(layout->slots * width, kMaxRowElements);
    }
  }
}

TEST(RowLayout, TakesTheMeasuredShapes) {
  std::optional<RowLayout> wide = RowLayout::get(4096, 4);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->threads, 256u);
  EXPECT_EQ(wide->slots, 4u);
  std::optional<RowLayout> narrow = RowLayout::get(1024, 8);
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->threads, 32u);
  EXPECT_EQ(narrow->rows, 4u);
  EXPECT_FALSE(RowLayout::get(16385, 1));
}

TEST(Chunks, CoverEverythingOnce) {
  for (int64_t unit : {1, 8, 2048}) {
    for (int64_t parts : {1, 2, 7, 256}) {
      for (int64_t size = 0; size <= 9000; size += 37) {
        int64_t chunk = getChunkSize(size, parts, unit);
        EXPECT_EQ(chunk % unit, 0);
        int64_t next = 0;
        for (int64_t part = 0; part != parts; ++part) {
          int64_t begin = std::min(size, part * chunk);
          EXPECT_EQ(begin, next);
          next = std::min(size, (part + 1) * chunk);
        }
        EXPECT_EQ(next, size);
      }
    }
  }
}

TEST(Chunks, AreFewAndFill) {
  for (int64_t rows : {0, 1, 3, 100, 263, 264, 10000}) {
    for (int64_t columns : {0, 1, 5000, 100000, 1 << 24}) {
      int64_t parts = getRowParts(rows, columns, 8192);
      EXPECT_GE(parts, 1);
      EXPECT_LE(parts, kMaxParts);
      if (rows >= kBusyBlocks) {
        EXPECT_EQ(parts, 1);
      }
      if (parts > 1) {
        EXPECT_GE(columns / parts, 8192);
      }
    }
  }
}

TEST(ColumnLayout, ReducesEveryElementOnce) {
  for (unsigned width : {1u, 4u, 8u}) {
    for (int64_t columns : {1, 3, 8, 40, 200, 256, 264}) {
      if (columns % width)
        continue;
      ColumnLayout layout = ColumnLayout::get(columns, width);
      EXPECT_LE(layout.getBlockThreads(), 256u);
      EXPECT_EQ(layout.getBlockThreads() % kWarpThreads, 0u);
      for (int64_t size : {0, 1, 7, 33, 100}) {
        for (int64_t parts : {1, 3}) {
          std::vector<unsigned> counts(size * columns);
          int64_t chunk = getChunkSize(size, parts, 1);
          int64_t blocks =
              llvm::divideCeil(uint64_t(columns), layout.getBlockColumns());
          for (int64_t block = 0; block != blocks; ++block) {
            for (int64_t part = 0; part != parts; ++part) {
              for (unsigned t = 0; t != layout.getBlockThreads(); ++t) {
                int64_t column =
                    block * layout.getBlockColumns() + layout.getColumn(t);
                if (column >= columns)
                  continue;
                int64_t end = std::min(size, (part + 1) * chunk);
                for (int64_t r = part * chunk + layout.getFirst(t); r < end;
                     r += layout.threadsY)
                  for (unsigned i = 0; i != width; ++i)
                    ++counts[r * columns + column + i];
              }
            }
          }
          for (unsigned count : counts)
            ASSERT_EQ(count, 1u);
        }
      }
    }
  }
}
