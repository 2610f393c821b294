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
///
/// Any of the numbers may be known at run time only. `min` is the smaller of
/// two numbers; nothing that is computed is larger than the number of units.
template <typename Int>
struct StreamK {
  /// `blocks` is at most tiles * steps, so that no piece is empty.
  Int tiles, steps, blocks;

  Int getUnits() const { return tiles * steps; }
  Int getSlots() const { return blocks * Int(2); }

  /// The first unit of block `block`, and the end of those of the block before:
  /// the first blocks have one more where there are some left over.
  template <typename MinFn>
  Int begin(Int block, MinFn min) const {
    return block * (getUnits() / blocks) + min(block, getUnits() % blocks);
  }
  /// The block that has unit `unit`.
  template <typename MinFn>
  Int owner(Int unit, MinFn min) const {
    Int few = getUnits() / blocks, many = few + Int(1);
    Int ofMany = min(unit, (getUnits() % blocks) * many);
    return ofMany / many + (unit - ofMany) / few;
  }
  /// The first and the last block that has steps of `tile`.
  template <typename MinFn>
  Int firstOwner(Int tile, MinFn min) const {
    return owner(tile * steps, min);
  }
  template <typename MinFn>
  Int lastOwner(Int tile, MinFn min) const {
    return owner(tile * steps + (steps - Int(1)), min);
  }
  /// Where `block` leaves what it has of the last tile that it begins, and of
  /// that which another block has begun. A block has one of each at most.
  static Int slotOfBegun(Int block) { return block * Int(2) + Int(1); }
  static Int slotOfContinued(Int block) { return block * Int(2); }
};

/// The units must be fewer, so that 32 bits can count them.
inline constexpr int64_t kMaxStreamKUnits = int64_t(1) << 31;

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_STREAMK_H
