//===- Tma.cpp - cp.async.bulk.tensor -------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Data Movement and Conversion Instructions: Tensor copy", and the
// section "Tensors". A copy happens when it is issued; what must come before
// and after it is checked with the clocks of Order.h.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Machine.h"
#include "TensorMap.h"

#include "amp/Codegen/GPU/Hopper/SharedLayout.h"

#include <cinttypes>
#include <cstdarg>

using namespace amp::sim;
namespace hopper = mlir::amp::gpu::hopper;

namespace {
/// One box of a tensor, and where it lies in shared memory.
class Box {
public:
  Box(Thread &thread, const char *site, const void *map, void *address);

  /// Reads the coordinates, and im2col's offsets behind them.
  void readCoordinates(int32_t rank, bool isIm2col, va_list list);
  /// Bytes in shared memory.
  uint32_t getBytes() const { return rowBytes * rows; }
  uint32_t getOffset() const { return offset; }

  /// Calls `body` with the address in shared memory, that in the tensor (null:
  /// outside), and the number of bytes, of pieces of at most 16 bytes that are
  /// neighbours in both.
  template <typename Body>
  void forEachPiece(Body body);

private:
  /// The tensor's coordinates of row `row` of the box; its innermost one is
  /// that of the first element.
  void getRow(uint32_t row, int64_t (&at)[5]) const;

  Thread &thread;
  Machine &machine;
  const char *site;
  ampSimTensorMap map;
  uint32_t offset, elementBytes, rowBytes, rows;
  int64_t coordinates[5] = {}, offsets[3] = {};
};
} // namespace

Box::Box(Thread &thread, const char *site, const void *mapAddress,
         void *address)
    : thread(thread), machine(*thread.machine), site(site) {
  std::memcpy(&map, mapAddress, sizeof map);
  if (map.rank < 1 || map.rank > 5)
    machine.fail(thread, Fault::Kind::Invalid, site,
                 "has no tensor map: its rank is %d", map.rank);
  offset = machine.getSharedOffset(thread, site, "a box", address);
  elementBytes = getElementBytes(map);
  rowBytes = map.box[0] * elementBytes;
  rows = map.isIm2col ? map.box[1] : 1;
  for (uint32_t d = 1; !map.isIm2col && d < map.rank; ++d)
    rows *= map.box[d];
  auto swizzle = hopper::Swizzle(map.swizzle);
  auto alignment = uint32_t(hopper::getSwizzleAlignment(swizzle));
  if (offset % alignment)
    machine.fail(thread, Fault::Kind::Misaligned, site,
                 "has a box at shared offset 0x%x, which must be a multiple of "
                 "%u",
                 uint32_t(offset % Machine::arenaBytes), alignment);
  if (swizzle != hopper::Swizzle::None &&
      rowBytes != uint32_t(hopper::getSpan(swizzle)))
    machine.fail(thread, Fault::Kind::Invalid, site,
                 "has a box of rows of %u bytes: with its swizzle, the "
                 "simulator knows those of %u bytes only",
                 rowBytes, uint32_t(hopper::getSpan(swizzle)));
  machine.checkRange(thread, site, AMP_SIM_STORE,
                     reinterpret_cast<uintptr_t>(address), getBytes(),
                     /*raw=*/true);
}

void Box::readCoordinates(int32_t rank, bool isIm2col, va_list list) {
  if (rank != map.rank || isIm2col != (map.isIm2col != 0))
    machine.fail(thread, Fault::Kind::Invalid, site,
                 "has %d coordinates of %s mode, but its tensor map has %d "
                 "dimensions of %s mode",
                 rank, isIm2col ? "im2col" : "tile", map.rank,
                 map.isIm2col ? "im2col" : "tile");
  for (int32_t d = 0; d < rank; ++d)
    coordinates[d] = va_arg(list, int32_t);
  for (int32_t d = 0; isIm2col && d + 2 < rank; ++d)
    offsets[d] = va_arg(list, int32_t);
}

/// In tile mode, the rows of a box follow each other along dimension 1, then 2
/// and so on. With im2col (PTX ISA, "im2col mode"), they are pixels: from the
/// given one along dimension 1 in its steps, to the end of the bounding box,
/// then from the bounding box's start in the next row; the offsets move all.
void Box::getRow(uint32_t row, int64_t (&at)[5]) const {
  at[0] = coordinates[0];
  if (!map.isIm2col) {
    for (uint32_t d = 1; d < map.rank; ++d) {
      at[d] =
          coordinates[d] + int64_t(row % map.box[d]) * map.elementStrides[d];
      row /= map.box[d];
    }
    return;
  }
  uint32_t last = map.rank - 1u;
  int64_t carry = row;
  for (uint32_t d = 1; d < last; ++d) {
    int64_t low = map.lower[d - 1], step = map.elementStrides[d];
    int64_t extent =
        int64_t(map.sizes[d]) + map.upper[d - 1] - map.lower[d - 1];
    int64_t count = (extent + step - 1) / step;
    // Pixels of the dimension so far, counted from the bounding box's start.
    int64_t pixel = (coordinates[d] - low) / step + carry;
    at[d] = low + pixel % count * step + offsets[d - 1];
    carry = pixel / count;
  }
  at[last] = coordinates[last] + carry;
}

template <typename Body>
void Box::forEachPiece(Body body) {
  auto swizzle = hopper::Swizzle(map.swizzle);
  uintptr_t shared = reinterpret_cast<uintptr_t>(machine.getShared());
  for (uint32_t row = 0; row < rows; ++row) {
    int64_t at[5];
    getRow(row, at);
    bool isInside = true;
    uintptr_t tensor = uintptr_t(map.base);
    for (uint32_t d = 1; d < map.rank; ++d) {
      isInside &= at[d] >= 0 && uint64_t(at[d]) < map.sizes[d];
      tensor += uintptr_t(at[d] * int64_t(map.byteStrides[d - 1]));
    }
    for (uint32_t byte = 0; byte < rowBytes; byte += 16) {
      auto to = uintptr_t(hopper::applySwizzle(
          swizzle, int64_t(offset) + row * rowBytes + byte));
      int64_t step = map.elementStrides[0];
      int64_t first = at[0] + int64_t(byte / elementBytes) * step;
      int64_t count = 16 / elementBytes;
      if (step == 1 && isInside && first >= 0 &&
          uint64_t(first + count) <= map.sizes[0]) {
        body(shared + to, tensor + uintptr_t(first) * elementBytes, 16u);
        continue;
      }
      for (int64_t i = 0; i < count; ++i) {
        int64_t element = first + i * step;
        bool isThere =
            isInside && element >= 0 && uint64_t(element) < map.sizes[0];
        body(shared + to + uintptr_t(i) * elementBytes,
             isThere ? tensor + uintptr_t(element) * elementBytes : 0,
             elementBytes);
      }
    }
  }
}

/// Fills the box, whose bytes count for the mbarrier in the same block.
static void load(Machine &machine, Thread &self, const char *site, Box &box,
                 const void *mbarrier) {
  SharedMbarrier &barrier = machine.getMbarrier(self, site, mbarrier);
  Order &order = machine.getOrder();
  const Knowledge &known = order.of(self.id);
  if (!order.isFenced(known, barrier.init.agent, barrier.init.clock))
    machine.fail(self, Fault::Kind::Race, site,
                 "uses an mbarrier that was initialised at %s, with no "
                 "fence.mbarrier_init or fence.proxy.async between",
                 barrier.init.site);
  Actor actor{self, known, barrier.agent,
              uint32_t(barrier.state.getPhase()) + 1, /*isAsync=*/true};
  box.forEachPiece([&](uintptr_t to, uintptr_t from, uint32_t bytes) {
    machine.touchShared(actor, site, AMP_SIM_STORE, to, bytes);
    // What lies outside of the tensor is zero.
    if (!from) {
      std::memset(reinterpret_cast<void *>(to), 0, bytes);
      return;
    }
    machine.checkRange(self, site, AMP_SIM_LOAD, from, bytes, /*raw=*/false);
    machine.touch(self, site, AMP_SIM_LOAD, from, bytes);
    std::memcpy(reinterpret_cast<void *>(to),
                reinterpret_cast<const void *>(from), bytes);
  });
  machine.completeMbarrier(self, site, barrier, box.getBytes());
}

extern "C" void ampSimTmaLoad(ampSimThread *thread, const char *site,
                              void *destination, const void *map,
                              const void *mbarrier, int32_t blocks,
                              int32_t rank, int32_t isIm2col, ...) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  // The same places in every block of the cluster that gets the box.
  auto move = [&](const void *address, const char *what, uint32_t block) {
    uint32_t offset = machine.getSharedOffset(self, site, what, address);
    return machine.getShared() + block * Machine::arenaBytes +
           offset % Machine::arenaBytes;
  };
  uint32_t here = machine.getSharedOffset(self, site, "a box", destination) /
                  Machine::arenaBytes;
  uint32_t numBlocks = machine.getClusterBlocks();
  if (uint32_t(blocks) >> numBlocks)
    machine.fail(self, Fault::Kind::Invalid, site,
                 "multicasts to the blocks 0x%x of a cluster of %u",
                 uint32_t(blocks), numBlocks);
  for (uint32_t block = 0; block < numBlocks; ++block) {
    if (blocks ? !(uint32_t(blocks) >> block & 1) : block != here)
      continue;
    Box box(self, site, map, move(destination, "a box", block));
    va_list list;
    va_start(list, isIm2col);
    box.readCoordinates(rank, isIm2col != 0, list);
    va_end(list);
    load(machine, self, site, box, move(mbarrier, "an mbarrier", block));
  }
}

/// The clock of the thread's bulk stores, and who they are.
static uint32_t openGroup(Machine &machine, Thread &self, const char *site) {
  AsyncGroups &groups = self.bulk;
  if (!groups.agent) {
    const uint32_t *id = self.registers + AMP_SIM_THREAD_ID;
    groups.agent = machine.getOrder().addAgent(
        "a bulk store of thread (" + std::to_string(id[0]) + ", " +
        std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")");
  }
  groups.isOpen = true;
  groups.site = site;
  return groups.committed + 1;
}

/// Adds the elements at `from` to those at `to`.
static void addTo(uintptr_t to, uintptr_t from, uint32_t bytes, int32_t type) {
  auto *sum = reinterpret_cast<void *>(to);
  auto *term = reinterpret_cast<const void *>(from);
  for (unsigned i = 0; i < bytes * 8 / getBits(type); ++i)
    storeElement(sum, type, i,
                 loadElement(sum, type, i) + loadElement(term, type, i),
                 /*saturate=*/false);
}

/// The ampSimElement that a tensor map's elements are for a sum; nothing (-1)
/// where the simulator has none.
static int32_t getSumType(unsigned dataType) {
  switch (dataType) {
  case 3:
    return AMP_SIM_S32;
  case 6:
    return AMP_SIM_F16;
  case 7:
    return AMP_SIM_F32;
  case 9:
    return AMP_SIM_BF16;
  default:
    return -1;
  }
}

extern "C" void ampSimTmaStore(ampSimThread *thread, const char *site,
                               const void *map, void *source, int32_t isSum,
                               int32_t rank, ...) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  Box box(self, site, map, source);
  va_list list;
  va_start(list, rank);
  box.readCoordinates(rank, /*isIm2col=*/false, list);
  va_end(list);
  int32_t type =
      getSumType(static_cast<const ampSimTensorMap *>(map)->dataType);
  if (isSum && type < 0)
    machine.fail(self, Fault::Kind::Invalid, site,
                 "adds elements of a type that the simulator cannot add: "
                 "expected f16, bf16, f32 or s32");
  uint32_t clock = openGroup(machine, self, site);
  Actor actor{self, machine.getOrder().of(self.id), self.bulk.agent, clock,
              /*isAsync=*/true};
  int kind = isSum ? AMP_SIM_ATOMIC : AMP_SIM_STORE;
  box.forEachPiece([&](uintptr_t from, uintptr_t to, uint32_t bytes) {
    machine.touchShared(actor, site, AMP_SIM_LOAD, from, bytes);
    if (!to)
      return;
    machine.checkRange(self, site, kind, to, bytes, /*raw=*/false);
    machine.touch(self, site, kind, to, bytes);
    if (isSum)
      addTo(to, from, bytes, type);
    else
      std::memcpy(reinterpret_cast<void *>(to),
                  reinterpret_cast<const void *>(from), bytes);
  });
}

extern "C" void ampSimBulkCommit(ampSimThread *thread, const char *) {
  AsyncGroups &groups = static_cast<Thread *>(thread)->bulk;
  // A group may be empty; it counts all the same.
  ++groups.committed;
  groups.isOpen = false;
}

extern "C" void ampSimBulkWait(ampSimThread *thread, const char *site,
                               int32_t pending) {
  Thread &self = *static_cast<Thread *>(thread);
  if (pending < 0)
    self.machine->fail(self, Fault::Kind::Invalid, site,
                       "leaves %d groups pending: must be at least 0", pending);
  AsyncGroups &groups = self.bulk;
  if (groups.committed < groups.done + uint32_t(pending))
    return;
  groups.done = groups.committed - uint32_t(pending);
  if (groups.agent)
    self.machine->getOrder().of(self.id).set(groups.agent, groups.done);
}
