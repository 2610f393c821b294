//===- RowPackingTest.cpp - Queries of several heads as rows --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/RowPacking.h"

#include "gtest/gtest.h"

#include <vector>

using namespace mlir::amp::gpu::hopper;

// Every number of heads, tiles of two and of three warpgroups, and numbers of
// queries around tiles: each query of each head is one row of one tile.
TEST(RowPacking, HasEachRowOnce) {
  for (int64_t heads = 1; heads <= RowPacking::kMaxHeads; ++heads)
    for (int64_t rows : {64, 128, 192}) {
      RowPacking packing{heads};
      ASSERT_GE(packing.getStride(), heads);
      ASSERT_LT(packing.getStride(), 2 * heads);
      ASSERT_EQ(packing.isDense(), packing.getStride() == heads);
      if (!packing.fits(rows)) {
        ASSERT_TRUE(rows % packing.getStride() != 0);
        continue;
      }
      int64_t perTile = packing.getQueries(rows);
      for (int64_t queries : {int64_t(1), int64_t(2), perTile - 1, perTile,
                              perTile + 1, 3 * perTile + 2}) {
        int64_t tiles = packing.countTiles(queries, rows);
        std::vector<int> seen(queries * heads);
        for (int64_t row = 0; row < tiles * rows; ++row) {
          int64_t query = packing.getQuery(row), head = packing.getHead(row);
          ASSERT_EQ(packing.getRow(query, head), row);
          ASSERT_EQ(query / perTile, row / rows);
          if (query < queries && head < heads)
            ++seen[query * heads + head];
        }
        for (int count : seen)
          ASSERT_EQ(count, 1);
        // No tile is of nobody.
        if (queries > 0)
          ASSERT_LT(packing.getQuery((tiles - 1) * rows), queries);
      }
    }
}

// Boxes of tiles, of the rows of a warpgroup and of those of a warp lie in
// memory as rows do: heads inside of queries.
TEST(RowPacking, BoxesAreRows) {
  for (int64_t heads = 1; heads <= RowPacking::kMaxHeads; ++heads)
    for (int64_t rows : {16, 64, 128, 192}) {
      RowPacking packing{heads};
      // Those of a warp or warpgroup may be a part of one query.
      if (rows == 192 && !packing.fits(rows))
        continue;
      for (int64_t first = 0; first < 4 * rows; first += rows) {
        int64_t boxHeads = packing.getBoxHeads(rows),
                boxQueries = packing.getQueries(rows);
        ASSERT_EQ(boxHeads * boxQueries, rows);
        for (int64_t i = 0; i < rows; ++i) {
          ASSERT_EQ(packing.getQuery(first + i),
                    packing.getQuery(first) + i / boxHeads);
          ASSERT_EQ(packing.getHead(first + i),
                    packing.getHead(first) + i % boxHeads);
        }
      }
    }
}

// Against counts of tiles, and of any number of queries against all.
TEST(RowPacking, Worthwhile) {
  EXPECT_TRUE(isPackingWorthwhile(1, 8, 128));
  EXPECT_TRUE(isPackingWorthwhile(16, 8, 128));
  EXPECT_TRUE(isPackingWorthwhile(1, 71, 128));
  // Whole tiles either way.
  EXPECT_FALSE(isPackingWorthwhile(128, 8, 128));
  EXPECT_FALSE(isPackingWorthwhile(2048, 4, 128));
  // Three quarters of the rows would be used, or five eighths.
  EXPECT_FALSE(isPackingWorthwhile(1024, 3, 128));
  EXPECT_TRUE(isPackingWorthwhile(130, 4, 128));
  EXPECT_FALSE(isPackingWorthwhile(1, 1, 128));
  EXPECT_FALSE(isPackingWorthwhile(1, 129, 128));
  EXPECT_FALSE(isPackingWorthwhile(1, 71, 192));
  for (int64_t heads = 1; heads <= RowPacking::kMaxHeads; ++heads) {
    bool isNeverMore = true, isEverFewer = false;
    for (int64_t queries = 1; queries < 1000; ++queries) {
      int64_t packed = RowPacking{heads}.countTiles(queries, 128),
              apart = heads * ((queries + 127) / 128);
      ASSERT_EQ(isPackingWorthwhile(queries, heads, 128), packed < apart);
      isNeverMore &= packed <= apart;
      isEverFewer |= packed < apart;
    }
    if (isPackingWorthwhile(-1, heads, 128)) {
      EXPECT_TRUE(isNeverMore && isEverFewer) << heads;
    }
  }
}
