//===- StreamK.h - tiles that blocks share along K --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain arithmetic. See Layouts.h for why maps are templates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_STREAMK_H
#define AMP_CODEGEN_GPU_HOPPER_STREAMK_H

#include <cstdint>

namespace mlir::amp::gpu::hopper {

/// Stream-K: the stages of all tiles, `steps` for each, are a line of units,
/// which `blocks` blocks share equally, a piece each. A block that has not all
/// steps of a tile leaves its sums in a slot of the workspace; all slots of a
/// tile are then added in the order of their blocks, so that a result is the
/// same in each run. (Osama et al., "Stream-K", 2023.)
struct StreamK {
  /// `blocks` is at most tiles * steps, so that no piece is empty.
  int64_t tiles, steps, blocks;

  constexpr int64_t getUnits() const { return tiles * steps; }
  constexpr int64_t getSlots() const { return 2 * blocks; }
  /// Whether all of what follows can be computed with 31 bits.
  constexpr bool fitsWord() const {
    constexpr int64_t kMax = int64_t(1) << 31;
    return tiles < kMax && steps < kMax && getUnits() < kMax / (blocks + 1);
  }

  /// The first unit of block `block`, and the end of those of the block before.
  template <typename Int>
  Int begin(Int block) const {
    return block * getUnits() / blocks;
  }
  /// The block that has unit `unit`.
  template <typename Int>
  Int owner(Int unit) const {
    return ((unit + 1) * blocks - 1) / getUnits();
  }
  /// The first and the last block that has steps of `tile`.
  template <typename Int>
  Int firstOwner(Int tile) const {
    return owner(tile * steps);
  }
  template <typename Int>
  Int lastOwner(Int tile) const {
    return owner(tile * steps + (steps - 1));
  }
  /// Where `block` leaves what it has of the last tile that it begins, and of
  /// that which another block has begun. A block has one of each at most.
  template <typename Int>
  Int slotOfBegun(Int block) const {
    return block * int64_t(2) + 1;
  }
  template <typename Int>
  Int slotOfContinued(Int block) const {
    return block * int64_t(2);
  }
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_STREAMK_H
