//===- ReductionLayout.cpp - which thread reduces what --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/ReductionLayout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::amp::gpu;

std::optional<RowLayout> RowLayout::get(int64_t columns, unsigned width) {
  RowLayout layout;
  layout.width = width;
  int64_t vectors =
      std::max<int64_t>(1, llvm::divideCeil(uint64_t(columns), width));
  auto setThreads = [&](unsigned threads) {
    layout.threads = threads;
    layout.slots = llvm::divideCeil(uint64_t(vectors), threads);
    return layout.slots * width;
  };
  // Measured on an H200: a warp for each row is best up to 1024 columns, and
  // 16 elements a thread beyond, as long as the blocks are small.
  if (columns <= 1024) {
    setThreads(std::min<uint64_t>(kWarpThreads,
                                  llvm::PowerOf2Ceil(uint64_t(vectors))));
    layout.rows = std::max(1u, 128 / layout.threads);
    return layout;
  }
  for (unsigned elements : {16u, kMaxRowElements})
    for (unsigned threads : {128u, 256u, 512u})
      if (setThreads(threads) <= elements)
        return layout;
  return std::nullopt;
}

int64_t mlir::amp::gpu::getChunkSize(int64_t size, int64_t parts,
                                     int64_t unit) {
  int64_t units = llvm::divideCeil(uint64_t(size), uint64_t(unit));
  return llvm::divideCeil(uint64_t(units), uint64_t(parts)) * unit;
}

int64_t mlir::amp::gpu::getRowParts(int64_t rows, int64_t columns,
                                    int64_t unit) {
  int64_t wanted = llvm::divideCeil(uint64_t(kBusyBlocks),
                                    uint64_t(std::max<int64_t>(rows, 1)));
  int64_t useful = std::max<int64_t>(columns / unit, 1);
  return std::min({wanted, useful, kMaxParts});
}

ColumnLayout ColumnLayout::get(int64_t columns, unsigned width) {
  ColumnLayout layout;
  layout.width = width;
  if (columns < 0)
    return layout;
  uint64_t vectors =
      std::max<uint64_t>(1, llvm::divideCeil(uint64_t(columns), width));
  layout.threadsX =
      std::min<uint64_t>(kWarpThreads, llvm::PowerOf2Ceil(vectors));
  layout.threadsY = std::min(32u, 256 / layout.threadsX);
  return layout;
}

int64_t mlir::amp::gpu::getColumnParts(int64_t blocks, int64_t size,
                                       int64_t threadsY) {
  // A part of fewer than 16 steps costs more in its merge than it saves.
  return getRowParts(blocks, size, threadsY * 16);
}
