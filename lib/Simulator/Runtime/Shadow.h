//===- Shadow.h - who touched which byte ------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_SHADOW_H
#define AMP_LIB_SIMULATOR_RUNTIME_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace amp::sim {

/// When an access to global memory happened, and who did it. Time is counted in
/// segments: one begins with each block, and with each barrier of a block, so
/// that two accesses of one block are ordered exactly if their segments differ.
struct Moment {
  /// The op, for messages.
  const char *site = nullptr;
  uint32_t segment = 0;
  /// A thread of the cluster: its linear index, and 1024 times the number of
  /// its block; or one of the values below.
  uint16_t who = 0;
  /// Barriers that the thread's warp had passed since the block began.
  uint16_t warpTime = 0;

  /// Readers in several blocks, in several warps of one block; atomic writers.
  static constexpr uint16_t grid = 0xfffe, block = 0xffff, atomic = 0xfffd;
  /// Several lanes of warp `who & warpMask` of the cluster, 32 to a block.
  static constexpr uint16_t warp = 0x8000;
  static constexpr uint16_t warpMask = 0x1ff;
  static constexpr uint16_t threadMask = 0x3ff;
};

/// What is known of a byte: its last write, and the reads since the last
/// barrier.
struct Cell {
  Moment write;
  Moment read;
};

/// The cells of all memory, made when first touched.
class Shadow {
public:
  static constexpr size_t pageBytes = 4096;

  Shadow() = default;
  ~Shadow();
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

  /// The cell of the byte at `address`; those of the following bytes of its
  /// page follow.
  Cell *get(uintptr_t address) {
    uintptr_t page = address / pageBytes;
    Entry &entry = cache[page % cacheSize];
    if (entry.page != page || !entry.cells)
      entry = {page, find(page)};
    return entry.cells + address % pageBytes;
  }

  /// Forgets the pages that lie in the range.
  void drop(uintptr_t begin, uintptr_t end);

private:
  struct Entry {
    uintptr_t page = 0;
    Cell *cells = nullptr;
  };
  static constexpr size_t cacheSize = 64;

  Cell *find(uintptr_t page);

  std::unordered_map<uintptr_t, Cell *> pages;
  Entry cache[cacheSize];
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_SHADOW_H
