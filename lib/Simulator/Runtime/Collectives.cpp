//===- Collectives.cpp - barriers, shuffles, asynchronous copies ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

using namespace amp::sim;

static void arrive(ampSimThread *thread, const char *site, int32_t id,
                   int32_t count, bool waits) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  uint32_t numThreads = self.registers[AMP_SIM_BLOCK_DIM] *
                        self.registers[AMP_SIM_BLOCK_DIM + 1] *
                        self.registers[AMP_SIM_BLOCK_DIM + 2];
  if (id < 0 || id > 15)
    machine.fail(self, Fault::Kind::Invalid, site,
                 "waits at barrier %d: barriers are numbered from 0 to 15", id);
  if (count < 0 || count % 32 || uint32_t(count) > (numThreads + 31) / 32 * 32)
    machine.fail(self, Fault::Kind::Invalid, site,
                 "waits for %d threads: the number must be a multiple of 32, "
                 "and at most the %u threads of the block",
                 count, numThreads);
  Wait wait;
  wait.kind = Wait::Kind::Barrier;
  wait.site = site;
  wait.mask = uint32_t(id);
  wait.count = std::min(uint32_t(count), numThreads);
  machine.barrier(self, wait, waits);
}

extern "C" void ampSimBarrier(ampSimThread *thread, const char *site,
                              int32_t id, int32_t count) {
  arrive(thread, site, id, count, /*waits=*/true);
}

extern "C" void ampSimBarrierArrive(ampSimThread *thread, const char *site,
                                    int32_t id, int32_t count) {
  arrive(thread, site, id, count, /*waits=*/false);
}

extern "C" void ampSimWarpBarrier(ampSimThread *thread, const char *site,
                                  int32_t mask) {
  Thread &self = *static_cast<Thread *>(thread);
  Wait wait;
  wait.kind = Wait::Kind::WarpBarrier;
  wait.site = site;
  wait.mask = uint32_t(mask);
  self.machine->collective(
      self, wait, [](Machine &machine, Thread &last, Thread *const *lanes) {
        machine.passWarpBarrier(last.warpId(), lanes);
      });
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
struct Shuffle {
  int64_t value;
  uint32_t offset, maskAndClamp;
  int32_t kind;
  int64_t result;
  uint8_t valid;
};
} // namespace

/// The lane that `lane` reads, by PTX's definition of shfl.sync; `valid` gets
/// its predicate.
static uint32_t getSourceLane(uint32_t lane, const Shuffle &shuffle,
                              bool &valid) {
  uint32_t clamp = shuffle.maskAndClamp & 31;
  uint32_t segment = shuffle.maskAndClamp >> 8 & 31;
  uint32_t offset = shuffle.offset & 31;
  uint32_t maxLane = (lane & segment) | (clamp & ~segment);
  uint32_t minLane = lane & segment;
  int32_t source = 0;
  switch (shuffle.kind) {
  case AMP_SIM_SHUFFLE_UP:
    source = int32_t(lane) - int32_t(offset);
    valid = source >= int32_t(maxLane);
    break;
  case AMP_SIM_SHUFFLE_DOWN:
    source = int32_t(lane + offset);
    valid = source <= int32_t(maxLane);
    break;
  case AMP_SIM_SHUFFLE_XOR:
    source = int32_t(lane ^ offset);
    valid = source <= int32_t(maxLane);
    break;
  default:
    source = int32_t(minLane | (offset & ~segment));
    valid = source <= int32_t(maxLane);
    break;
  }
  return valid ? uint32_t(source) : lane;
}

static void completeShuffle(Machine &machine, Thread &, Thread *const *lanes) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!lanes[lane])
      continue;
    auto &shuffle = *static_cast<Shuffle *>(lanes[lane]->wait.operands);
    bool valid = false;
    uint32_t source = getSourceLane(lane, shuffle, valid);
    if (!lanes[source])
      machine.fail(*lanes[lane], Fault::Kind::Divergence,
                   lanes[lane]->wait.site,
                   "reads lane %u, which does not take part", source);
    shuffle.result =
        static_cast<Shuffle *>(lanes[source]->wait.operands)->value;
    shuffle.valid = valid;
  }
}

extern "C" int64_t ampSimShuffle(ampSimThread *thread, const char *site,
                                 int64_t value, int32_t mask, int32_t offset,
                                 int32_t maskAndClamp, int32_t kind,
                                 uint8_t *valid) {
  Thread &self = *static_cast<Thread *>(thread);
  Shuffle shuffle{value, uint32_t(offset), uint32_t(maskAndClamp), kind, value,
                  0};
  Wait wait;
  wait.kind = Wait::Kind::Shuffle;
  wait.site = site;
  wait.mask = uint32_t(mask);
  wait.operands = &shuffle;
  self.machine->collective(self, wait, completeShuffle);
  *valid = shuffle.valid;
  return shuffle.result;
}

extern "C" int64_t ampSimGpuShuffle(ampSimThread *thread, const char *site,
                                    int64_t value, int32_t offset,
                                    int32_t width, int32_t kind,
                                    uint8_t *valid) {
  Thread &self = *static_cast<Thread *>(thread);
  if (width < 1 || width > 32)
    self.machine->fail(self, Fault::Kind::Invalid, site,
                       "has a width of %d: it must be from 1 to 32", width);
  // As upstream's gpu-to-nvvm lowers it.
  uint32_t mask = ~0u >> (32 - width);
  int32_t clamp = kind == AMP_SIM_SHUFFLE_UP ? 32 - width : width - 1;
  return ampSimShuffle(thread, site, value, int32_t(mask), offset, clamp, kind,
                       valid);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

extern "C" void ampSimCopyAsync(ampSimThread *thread, const char *site,
                                void *destination, const void *source,
                                int32_t bytes, int32_t sourceBytes) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  auto to = reinterpret_cast<uintptr_t>(destination);
  auto from = reinterpret_cast<uintptr_t>(source);
  if (sourceBytes < 0 || sourceBytes > bytes)
    machine.fail(self, Fault::Kind::Invalid, site,
                 "copies %d of %d bytes: must be from 0 to %d", sourceBytes,
                 bytes, bytes);
  if (machine.classify(to) != Machine::Space::Shared)
    machine.fail(
        self, Fault::Kind::IllegalAddress, site,
        "copies to address 0x%" PRIxPTR ", which is not in shared memory", to);
  for (uintptr_t address : {to, from})
    if (address % uintptr_t(bytes))
      machine.fail(self, Fault::Kind::Misaligned, site,
                   "copies %d bytes %s address 0x%" PRIxPTR
                   ", which must be a multiple of %d",
                   bytes, address == to ? "to" : "from", address, bytes);
  PendingCopy copy{static_cast<uint8_t *>(destination), uint32_t(bytes), {}};
  if (sourceBytes) {
    machine.checkRange(self, site, AMP_SIM_LOAD, from, size_t(sourceBytes),
                       /*raw=*/true);
    machine.touch(self, site, AMP_SIM_LOAD, from, size_t(sourceBytes));
    std::memcpy(copy.data, source, size_t(sourceBytes));
  }
  machine.checkRange(self, site, AMP_SIM_STORE, to, size_t(bytes),
                     /*raw=*/true);
  machine.touch(self, site, AMP_SIM_STORE, to, size_t(bytes),
                /*inFlight=*/true);
  self.copies.push_back(copy);
  ++self.uncommitted;
}

extern "C" void ampSimCopyAsyncCommit(ampSimThread *thread, const char *) {
  Thread &self = *static_cast<Thread *>(thread);
  // A group may be empty; it counts all the same.
  self.groups.push_back(self.uncommitted);
  self.uncommitted = 0;
}

extern "C" void ampSimCopyAsyncWait(ampSimThread *thread, const char *site,
                                    int32_t pending) {
  Thread &self = *static_cast<Thread *>(thread);
  if (pending < 0)
    self.machine->fail(self, Fault::Kind::Invalid, site,
                       "leaves %d groups pending: must be at least 0", pending);
  size_t landed = 0, numGroups = 0;
  for (; self.groups.size() - numGroups > size_t(pending); ++numGroups)
    landed += self.groups[numGroups];
  for (size_t i = 0; i < landed; ++i)
    self.machine->land(self, self.copies[i]);
  self.copies.erase(self.copies.begin(),
                    self.copies.begin() + std::ptrdiff_t(landed));
  self.groups.erase(self.groups.begin(),
                    self.groups.begin() + std::ptrdiff_t(numGroups));
}
