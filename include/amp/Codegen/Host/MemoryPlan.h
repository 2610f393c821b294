//===- MemoryPlan.h - where buffers lie in an arena -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_HOST_MEMORYPLAN_H
#define AMP_CODEGEN_HOST_MEMORYPLAN_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::amp::host {

/// A buffer of known size and the steps, first and last, at which its contents
/// matter. Two buffers are live together when their ranges share a step.
struct LiveBuffer {
  unsigned first = 0, last = 0;
  int64_t bytes = 0;
};

/// Offsets of buffers in one arena.
struct ArenaPlan {
  /// One per buffer, each a multiple of the alignment.
  SmallVector<int64_t> offsets;
  /// Bytes of the arena; a multiple of the alignment.
  int64_t peakBytes = 0;
  /// Bytes without any reuse, each buffer rounded up to the alignment.
  int64_t totalBytes = 0;
};

/// Places buffers such that no two that are live together overlap. Greedy by
/// size, each into the smallest gap between those that it meets (Pisarchyk and
/// Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020).
/// Deterministic; `alignment` is a power of two.
ArenaPlan planArena(ArrayRef<LiveBuffer> buffers, int64_t alignment);

/// A buffer whose size is known at run time only. Buffers of one size class
/// have the same size.
struct DynamicBuffer {
  unsigned first = 0, last = 0;
  unsigned sizeClass = 0;
};

/// Slots: pieces of memory that hold one buffer after the other, each as large
/// as its largest.
struct SlotPlan {
  /// The slot of each buffer.
  SmallVector<unsigned> slots;
  unsigned numSlots = 0;
};

/// Gives each buffer a slot in which no other is live, one of its own size
/// class if there is any. The sum of the slots is never above that of the
/// buffers.
SlotPlan planSlots(ArrayRef<DynamicBuffer> buffers);

} // namespace mlir::amp::host

#endif // AMP_CODEGEN_HOST_MEMORYPLAN_H
