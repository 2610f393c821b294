//===- MemoryPlan.cpp - where buffers lie in an arena ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/MemoryPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp::host;

template <typename T>
static bool areLiveTogether(const T &a, const T &b) {
  return a.first <= b.last && b.first <= a.last;
}

ArenaPlan mlir::amp::host::planArena(ArrayRef<LiveBuffer> buffers,
                                     int64_t alignment) {
  ArenaPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  auto rounded = [&](unsigned i) {
    return static_cast<int64_t>(
        llvm::alignTo(static_cast<uint64_t>(buffers[i].bytes), alignment));
  };
  auto order = llvm::to_vector(
      llvm::seq<unsigned>(0, static_cast<unsigned>(buffers.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return buffers[a].bytes != buffers[b].bytes
               ? buffers[a].bytes > buffers[b].bytes
               : a < b;
  });
  // Those that are placed, by offset.
  SmallVector<unsigned> placed;
  for (unsigned i : order) {
    int64_t bytes = rounded(i), end = 0, best = -1;
    int64_t bestGap = std::numeric_limits<int64_t>::max();
    plan.totalBytes += bytes;
    for (unsigned other : placed) {
      if (!areLiveTogether(buffers[i], buffers[other]))
        continue;
      int64_t gap = plan.offsets[other] - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      end = std::max(end, plan.offsets[other] + rounded(other));
    }
    plan.offsets[i] = best >= 0 ? best : end;
    plan.peakBytes = std::max(plan.peakBytes, plan.offsets[i] + bytes);
    placed.insert(llvm::upper_bound(placed, i,
                                    [&](unsigned a, unsigned b) {
                                      return plan.offsets[a] < plan.offsets[b];
                                    }),
                  i);
  }
  return plan;
}

SlotPlan mlir::amp::host::planSlots(ArrayRef<DynamicBuffer> buffers) {
  SlotPlan plan;
  plan.slots.assign(buffers.size(), 0);
  auto order = llvm::to_vector(
      llvm::seq<unsigned>(0, static_cast<unsigned>(buffers.size())));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return buffers[a].first != buffers[b].first
               ? buffers[a].first < buffers[b].first
               : a < b;
  });
  SmallVector<SmallVector<unsigned>> members;
  for (unsigned i : order) {
    int found = -1;
    for (auto [slot, others] : llvm::enumerate(members)) {
      if (llvm::any_of(others, [&](unsigned other) {
            return areLiveTogether(buffers[i], buffers[other]);
          }))
        continue;
      bool isOwnSize = llvm::any_of(others, [&](unsigned other) {
        return buffers[other].sizeClass == buffers[i].sizeClass;
      });
      if (found < 0 || isOwnSize)
        found = static_cast<int>(slot);
      if (isOwnSize)
        break;
    }
    if (found < 0) {
      found = static_cast<int>(members.size());
      members.emplace_back();
    }
    members[found].push_back(i);
    plan.slots[i] = static_cast<unsigned>(found);
  }
  plan.numSlots = static_cast<unsigned>(members.size());
  return plan;
}
