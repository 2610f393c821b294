//===- MapLayoutTest.cpp - every element is written once ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/MapLayout.h"

#include "gtest/gtest.h"

#include <vector>

using namespace mlir::amp::gpu;
using Tile = MapTile<int64_t>;

namespace {
/// Runs what each thread does, as the code that is emitted does it.
struct Launch {
  const MapLayout &layout;
  int64_t rows, columns;
  /// Whether buffers are aligned.
  bool aligned;
  std::vector<int> writes;

  Launch(const MapLayout &layout, int64_t rows, int64_t columns, bool aligned,
         int64_t maxBlocks = 1 << 30)
      : layout(layout), rows(rows), columns(columns), aligned(aligned),
        writes(rows * columns) {
    int64_t threadsX =
        layout.isLinear
            ? layout.threads
            : int64_t(1) << layout.logThreadsX<int64_t>(
                  columns, 0, [](int64_t a, int64_t b) { return a < b; });
    int64_t threadsY = layout.threads / threadsX;
    int64_t blocksX =
        Tile::divideUp(columns, Tile::tileColumns(layout, threadsX));
    int64_t blocksY = Tile::divideUp(rows, Tile::tileRows(layout, threadsY));
    int64_t tiles = blocksX * blocksY, blocks = min(tiles, maxBlocks);
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t thread = 0; thread < layout.threads; ++thread)
        for (int64_t tile = block; tile < tiles; tile += blocks)
          runThread({columns, rows, threadsX, threadsY, tile % blocksX,
                     tile / blocksX, thread % threadsX, thread / threadsX,
                     layout});
  }

  void write(int64_t row, int64_t column) {
    ASSERT_GE(row, 0);
    ASSERT_LT(row, rows);
    ASSERT_GE(column, 0);
    ASSERT_LT(column, columns);
    ++writes[row * columns + column];
  }

  void runThread(const Tile &tile) {
    bool isWhole =
        layout.isLinear ? tile.endColumn() <= columns : tile.endRow() <= rows;
    if (isWhole && aligned) {
      if (!layout.isLinear && tile.vectorColumn(0) + layout.width > columns) {
        for (int64_t row = tile.vectorRow(0); row < tile.endRow();
             row += tile.threadsY)
          for (int64_t column = tile.vectorColumn(0); column < columns;
               ++column)
            write(row, column);
        return;
      }
      for (int64_t u = 0; u < layout.unroll; ++u) {
        EXPECT_EQ(tile.vectorColumn(u) % layout.width, 0);
        for (int64_t lane = 0; lane < layout.width; ++lane)
          write(tile.vectorRow(u), tile.vectorColumn(u) + lane);
      }
      return;
    }
    int64_t firstRow = layout.isLinear ? 0 : tile.vectorRow(0);
    int64_t lastRow = layout.isLinear ? 1 : min(rows, tile.endRow());
    for (int64_t row = firstRow; row < lastRow; row += tile.threadsY)
      for (int64_t column = tile.firstColumn(); column < tile.lastColumn();
           column += tile.threadsX)
        write(row, column);
  }

  bool writesAllOnce() const {
    for (int count : writes)
      if (count != 1)
        return false;
    return true;
  }
};
} // namespace

TEST(MapLayout, LinearWritesEachElementOnce) {
  for (int64_t width : {1, 2, 4, 8})
    for (int64_t unroll : {1, 2, 4})
      for (int64_t columns = 0; columns <= 300; ++columns)
        for (bool aligned : {false, true}) {
          MapLayout layout{/*threads=*/8, width, unroll, /*isLinear=*/true};
          EXPECT_TRUE(Launch(layout, 1, columns, aligned).writesAllOnce())
              << columns << " columns, width " << width << ", unroll "
              << unroll;
        }
}

TEST(MapLayout, RowsWriteEachElementOnce) {
  for (int64_t width : {1, 2, 4, 8})
    for (int64_t unroll : {1, 2, 4})
      for (int64_t rows = 0; rows <= 40; ++rows)
        for (int64_t columns = 0; columns <= 70; columns += 1 + columns / 12)
          for (bool aligned : {false, true}) {
            MapLayout layout{/*threads=*/8, width, unroll, /*isLinear=*/false};
            EXPECT_TRUE(Launch(layout, rows, columns, aligned).writesAllOnce())
                << rows << " x " << columns << ", width " << width
                << ", unroll " << unroll;
          }
}

TEST(MapLayout, GridStrideWritesEachElementOnce) {
  for (int64_t maxBlocks : {1, 2, 3, 7})
    for (int64_t columns = 0; columns <= 300; columns += 1 + columns / 20)
      for (bool aligned : {false, true}) {
        MapLayout linear{/*threads=*/8, /*width=*/4, /*unroll=*/2,
                         /*isLinear=*/true};
        EXPECT_TRUE(
            Launch(linear, 1, columns, aligned, maxBlocks).writesAllOnce())
            << columns << " columns, " << maxBlocks << " blocks";
        MapLayout byRows = linear;
        byRows.isLinear = false;
        for (int64_t rows : {1, 2, 9, 33})
          EXPECT_TRUE(
              Launch(byRows, rows, columns, aligned, maxBlocks).writesAllOnce())
              << rows << " x " << columns << ", " << maxBlocks << " blocks";
      }
}

TEST(MapLayout, AsFewThreadsAlongColumnsAsCover) {
  MapLayout layout{/*threads=*/256, /*width=*/4, /*unroll=*/4,
                   /*isLinear=*/false};
  auto log = [&](int64_t columns) {
    return layout.logThreadsX<int64_t>(
        columns, 0, [](int64_t a, int64_t b) { return a < b; });
  };
  EXPECT_EQ(log(1), 0);
  EXPECT_EQ(log(4), 0);
  EXPECT_EQ(log(5), 1);
  EXPECT_EQ(log(128), 5);
  EXPECT_EQ(log(129), 6);
  EXPECT_EQ(log(1024), 8);
  EXPECT_EQ(log(100000), 8);
}
