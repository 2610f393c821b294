//===- PeeledRowTest.cpp - vectors and edges cover a row ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/PeeledRow.h"

#include "gtest/gtest.h"

#include <vector>

using namespace mlir::amp::gpu;
using Row = PeeledRow<int64_t>;

/// Calls `body(row, phase, hasMargin)` for all phases and widths of rows of up
/// to 140 columns and of some longer ones.
template <typename Body>
static void forEachRow(Body body) {
  for (bool hasMargin : {false, true})
    for (int64_t width : {2, 4, 8}) {
      std::vector<int64_t> sizes = {1003, 4099, 8191};
      for (int64_t c = Row::getLeastColumns(width, hasMargin); c <= 140; ++c)
        sizes.push_back(c);
      for (int64_t columns : sizes)
        for (int64_t phase = 0; phase != width; ++phase)
          body(Row::get(columns, phase, width, hasMargin), phase, hasMargin);
    }
}

TEST(PeeledRow, CoversEveryColumnOnce) {
  forEachRow([](const Row &row, int64_t phase, bool) {
    std::vector<unsigned> counts(row.columns);
    for (int64_t vector = 0; vector != row.vectors; ++vector)
      for (int64_t lane = 0; lane != row.width; ++lane)
        ++counts.at(row.head + vector * row.width + lane);
    for (int64_t edge = 0; edge != row.getEdges(); ++edge)
      ++counts.at(row.getEdgeColumn(edge));
    for (unsigned count : counts)
      ASSERT_EQ(count, 1u) << row.columns << " columns, phase " << phase;
  });
}

TEST(PeeledRow, HasAlignedVectors) {
  forEachRow([](const Row &row, int64_t phase, bool) {
    EXPECT_EQ((phase + row.head) % row.width, 0);
    EXPECT_EQ(row.getEnd(), row.head + row.vectors * row.width);
  });
}

TEST(PeeledRow, StaysWithinItsBounds) {
  forEachRow([](const Row &row, int64_t, bool hasMargin) {
    EXPECT_GE(row.vectors, 1);
    EXPECT_GE(row.vectors,
              Row::getLeastVectors(row.columns, row.width, hasMargin));
    EXPECT_LE(row.vectors,
              Row::getMostVectors(row.columns, row.width, hasMargin));
    EXPECT_LE(row.getEdges(), Row::getMostEdges(row.width, hasMargin));
  });
}

TEST(PeeledRow, TheMarginHoldsEveryOtherAlignment) {
  // The aligned vectors of another buffer, of any size up to `width`, that
  // cover a vector begin up to `alignment - 1` columns before it.
  forEachRow([](const Row &row, int64_t, bool hasMargin) {
    if (!hasMargin)
      return;
    for (int64_t alignment = 1; alignment <= row.width; alignment *= 2)
      for (int64_t before = 0; before != alignment; ++before) {
        EXPECT_GE(row.head - before, 0);
        EXPECT_LE(row.getEnd() - before + alignment, row.columns);
      }
  });
}

TEST(PeeledRow, MovesLanesByEveryDistance) {
  for (unsigned width : {1u, 2u, 4u, 8u})
    for (unsigned alignment = 1; alignment <= width; alignment *= 2)
      for (unsigned distance = 0; distance != alignment; ++distance) {
        std::vector<unsigned> elements;
        for (unsigned i = 0; i != width + alignment - 1; ++i)
          elements.push_back(i);
        moveLanes(elements, width, alignment,
                  [&](unsigned bit, unsigned x, unsigned y) {
                    return distance & bit ? x : y;
                  });
        for (unsigned lane = 0; lane != width; ++lane)
          EXPECT_EQ(elements[lane], distance + lane);
      }
}
