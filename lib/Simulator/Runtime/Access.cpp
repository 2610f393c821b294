//===- Access.cpp - checks of loads and stores ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Memory.h"
#include "Steps.h"
#include "TensorMap.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstring>

using namespace amp::sim;

const char *amp::sim::getVerb(int kind) {
  switch (kind) {
  case AMP_SIM_LOAD:
    return "reads";
  case AMP_SIM_STORE:
    return "writes";
  default:
    return "updates";
  }
}

Machine::Space Machine::classify(uintptr_t address) const {
  uintptr_t arena = reinterpret_cast<uintptr_t>(shared);
  if (address - arena < clusterBlocks * arenaBytes)
    return Space::Shared;
  if (current->owns(reinterpret_cast<const void *>(address)))
    return Space::Private;
  return Space::Global;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

void Machine::checkRange(Thread &thread, const char *site, int kind,
                         uintptr_t address, size_t bytes, bool raw) {
  const char *verb = getVerb(kind);
  switch (classify(address)) {
  case Space::Private:
    return;
  case Space::Shared: {
    uintptr_t offset =
        (address - reinterpret_cast<uintptr_t>(shared)) % arenaBytes;
    if (offset + bytes > sharedBytes)
      fail(thread, Fault::Kind::IllegalAddress, site,
           "%s %zu bytes at offset %" PRIuPTR
           " of shared memory, of which the block has %zu bytes",
           verb, bytes, offset, sharedBytes);
    return;
  }
  case Space::Global:
    break;
  }
  if (raw && !std::any_of(arguments.begin(), arguments.end(),
                          [&](const MemrefArgument &argument) {
                            return address >= argument.begin &&
                                   address + bytes <= argument.end;
                          }))
    fail(thread, Fault::Kind::IllegalAddress, site,
         "%s %zu bytes at address 0x%" PRIxPTR
         ", which lie neither in a memref argument of the kernel nor in shared "
         "memory",
         verb, bytes, address);
  if (!config->memory)
    return;
  const Allocation *allocation = config->memory->find(address);
  if (!allocation)
    fail(thread, Fault::Kind::IllegalAddress, site,
         "%s %zu bytes at address 0x%" PRIxPTR
         ", which is no memory of the device",
         verb, bytes, address);
  if (allocation->freed)
    fail(thread, Fault::Kind::IllegalAddress, site,
         "%s %zu bytes at address 0x%" PRIxPTR ", in allocation %" PRIu64
         " (%zu bytes), which has been freed",
         verb, bytes, address, allocation->number, allocation->bytes);
  if (address + bytes > allocation->begin + allocation->bytes)
    fail(thread, Fault::Kind::IllegalAddress, site,
         "%s %zu bytes at offset %" PRIuPTR " of allocation %" PRIu64
         ", which has %zu bytes",
         verb, bytes, address - allocation->begin, allocation->number,
         allocation->bytes);
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// Whether the moment, of this block and segment, lies before a barrier that
/// the warps of both have passed.
bool Machine::isOrderedInWarp(const Thread &thread, uint32_t warp,
                              const Moment &moment) const {
  return warp == thread.warpId() && moment.warpTime < warpTimes[warp];
}

void Machine::checkOrder(Thread &thread, const char *site, const char *verb,
                         uintptr_t address, const Moment &other, bool wrote) {
  if (other.segment < launchBegin)
    return;
  const char *did = wrote ? "wrote" : "read";
  if (other.segment < blockBegin || other.who == Moment::grid)
    fail(thread, Fault::Kind::Race, site,
         "%s the byte at address 0x%" PRIxPTR
         ", which %s of another block %s at %s: blocks are not ordered",
         verb, address,
         other.who == Moment::grid ? "threads" : describe(other.who).c_str(),
         did, other.site);
  // Blocks of a cluster are, by its barrier.
  if (other.who < Moment::warp && other.who / 1024u != thread.rank &&
      other.segment >= clusterBegin)
    fail(thread, Fault::Kind::Race, site,
         "%s the byte at address 0x%" PRIxPTR
         ", which %s of another block %s at %s: blocks are not ordered",
         verb, address, describe(other.who).c_str(), did, other.site);
  if (other.segment != segment)
    return;
  bool isOrdered = false;
  if (other.who == Moment::block || other.who == Moment::atomic)
    isOrdered = false;
  else if (other.who & Moment::warp)
    isOrdered = isOrderedInWarp(thread, other.who & Moment::warpMask, other);
  else
    isOrdered = other.who == (thread.rank * 1024 | thread.index) ||
                isOrderedInWarp(thread, other.who / 32, other);
  if (!isOrdered)
    fail(thread, Fault::Kind::Race, site,
         "%s the byte at address 0x%" PRIxPTR
         ", which %s %s at %s, with no barrier between",
         verb, address, describe(other.who).c_str(), did, other.site);
}

void Machine::touch(Thread &thread, const char *site, int kind,
                    uintptr_t address, size_t bytes, bool inFlight) {
  if (!checkRaces)
    return;
  ++getNumSteps();
  Space space = classify(address);
  if (space == Space::Private)
    return;
  if (space == Space::Shared)
    return touchShared({thread, order.of(thread.id), thread.id,
                        order.now(thread.id), /*isAsync=*/false},
                       site, kind, address, bytes, inFlight);
  const char *verb = getVerb(kind);
  uint32_t begin = launchBegin;
  uint16_t warpTime = warpTimes[thread.warpId()];
  Moment now;
  now.site = site;
  now.segment = segment;
  now.who = static_cast<uint16_t>(thread.rank * 1024 | thread.index);
  now.warpTime = warpTime;
  Cell *cell = nullptr;
  for (size_t i = 0; i < bytes; ++i, ++cell) {
    uintptr_t at = address + i;
    if (!cell || at % Shadow::pageBytes == 0)
      cell = shadow.get(at);
    Moment &write = cell->write, &read = cell->read;
    bool bothAtomic = kind == AMP_SIM_ATOMIC && write.who == Moment::atomic;
    bool wasWritten = write.segment >= begin;
    if (wasWritten && !bothAtomic)
      checkOrder(thread, site, verb, at, write, /*wrote=*/true);
    if (kind == AMP_SIM_LOAD) {
      if (read.segment < begin) {
        read = now;
      } else if (read.who == Moment::grid || read.segment < blockBegin) {
        read = now;
        read.who = Moment::grid;
      } else if (read.segment < segment || read.who == now.who) {
        read = now;
      } else if (read.who == Moment::block) {
        continue;
      } else {
        uint32_t warp = read.who & Moment::warp ? read.who & Moment::warpMask
                                                : uint32_t(read.who) / 32;
        if (warp != thread.warpId())
          read.who = Moment::block;
        else if (read.warpTime < warpTime)
          read = now;
        else
          read.who = uint16_t(Moment::warp | warp);
      }
      continue;
    }
    if (read.segment >= begin)
      checkOrder(thread, site, verb, at, read, /*wrote=*/false);
    if (writeOnce && wasWritten && kind == AMP_SIM_STORE)
      fail(thread, Fault::Kind::Race, site,
           "writes the byte at address 0x%" PRIxPTR
           " again, which %s wrote at %s: every byte may be written once",
           at, describe(write.who).c_str(), write.site);
    write = now;
    if (kind == AMP_SIM_ATOMIC)
      write.who = Moment::atomic;
  }
}

void Machine::land(Thread &thread, const PendingCopy &copy) {
  std::memcpy(copy.destination, copy.data, copy.bytes);
  if (!checkRaces)
    return;
  landShared(thread, reinterpret_cast<uintptr_t>(copy.destination), copy.bytes);
}

//===----------------------------------------------------------------------===//
// Memref arguments
//===----------------------------------------------------------------------===//

void Machine::addArgument(Thread &thread, MemrefArgument argument) {
  const uint32_t *block = thread.registers + AMP_SIM_BLOCK_ID;
  if (thread.index || block[0] || block[1] || block[2])
    return;
  argument.begin = argument.end = argument.data;
  bool isEmpty = false;
  for (size_t d = 0; d < argument.sizes.size(); ++d) {
    if (argument.sizes[d] == 0)
      isEmpty = true;
    int64_t span = (argument.sizes[d] - 1) * argument.strides[d] *
                   int64_t(argument.elementBytes);
    (span < 0 ? argument.begin : argument.end) += span;
  }
  if (isEmpty)
    return;
  argument.end += argument.elementBytes;
  arguments.push_back(std::move(argument));
}

/// Whoever writes to a memref argument has to write all of it.
void Machine::checkWrites() {
  for (const MemrefArgument &argument : arguments) {
    std::vector<int64_t> index(argument.sizes.size(), 0);
    uint64_t numWritten = 0, numElements = 0;
    std::vector<int64_t> missing;
    while (true) {
      int64_t element = 0;
      for (size_t d = 0; d < index.size(); ++d)
        element += index[d] * argument.strides[d];
      uintptr_t address =
          argument.data + uintptr_t(element * argument.elementBytes);
      ++numElements;
      if (shadow.get(address)->write.segment >= launchBegin)
        ++numWritten;
      else if (missing.empty())
        missing = index;
      size_t d = index.size();
      while (d > 0 && ++index[d - 1] == argument.sizes[d - 1])
        index[--d] = 0;
      if (d == 0)
        break;
    }
    if (!numWritten || numWritten == numElements)
      continue;
    std::string where;
    for (int64_t i : missing)
      where += (where.empty() ? "" : ", ") + std::to_string(i);
    fault.kind = Fault::Kind::Uninitialized;
    fault.message = std::string("kernel '") + config->kernel->name +
                    "': " + argument.site + ": the launch wrote " +
                    std::to_string(numWritten) + " of " +
                    std::to_string(numElements) +
                    " elements, and not the one at [" + where + "]";
    return;
  }
}

extern "C" void ampSimMemrefArgument(ampSimThread *thread, const char *site,
                                     int32_t elementBytes, const void *base,
                                     int64_t offset, int32_t rank, ...) {
  Thread &self = *static_cast<Thread *>(thread);
  MemrefArgument argument;
  argument.site = site;
  argument.data =
      reinterpret_cast<uintptr_t>(base) + uintptr_t(offset * elementBytes);
  argument.elementBytes = static_cast<uint32_t>(elementBytes);
  va_list list;
  va_start(list, rank);
  for (int32_t d = 0; d < rank; ++d) {
    argument.sizes.push_back(va_arg(list, int64_t));
    argument.strides.push_back(va_arg(list, int64_t));
  }
  va_end(list);
  self.machine->addArgument(self, std::move(argument));
}

extern "C" void ampSimTensorMapArgument(ampSimThread *thread, const char *site,
                                        const void *address) {
  Thread &self = *static_cast<Thread *>(thread);
  ampSimTensorMap map;
  std::memcpy(&map, address, sizeof map);
  MemrefArgument argument;
  argument.site = site;
  argument.data = uintptr_t(map.base);
  argument.elementBytes = getElementBytes(map);
  for (uint32_t d = map.rank; d-- > 0;) {
    argument.sizes.push_back(int64_t(map.sizes[d]));
    argument.strides.push_back(
        d ? int64_t(map.byteStrides[d - 1] / argument.elementBytes) : 1);
  }
  self.machine->addArgument(self, std::move(argument));
}

//===----------------------------------------------------------------------===//
// Accesses to memrefs
//===----------------------------------------------------------------------===//

namespace {
struct Dimension {
  int64_t index, size, stride, extent;
  /// Elements outside the memref are left out.
  bool clips;
};
constexpr int32_t maxRank = 16;

/// An access, and what it is checked with.
struct Access {
  Machine &machine;
  Thread &thread;
  const char *site;
  int32_t kind;
  int32_t elementBytes;
  int32_t alignment;
  int64_t mask;
  uintptr_t data;
  Dimension dimensions[maxRank];
  int32_t rank;

  void check();

private:
  void failIndex(int32_t d, int64_t index);
  void checkBytes(int64_t element, int64_t count, int32_t align);
};
} // namespace

void Access::failIndex(int32_t d, int64_t index) {
  machine.fail(thread, Fault::Kind::IllegalAddress, site,
               "%s outside of its memref: index %d is %" PRId64
               ", but must be at least 0 and below %" PRId64,
               getVerb(kind), d, index, dimensions[d].size);
}

void Access::checkBytes(int64_t element, int64_t count, int32_t align) {
  uintptr_t address = data + uintptr_t(element * elementBytes);
  size_t bytes = size_t(count) * size_t(elementBytes);
  if (align && address % uintptr_t(align))
    machine.fail(thread, Fault::Kind::Misaligned, site,
                 "%s %zu bytes at address 0x%" PRIxPTR
                 " (%d more than a multiple of %d), which must be a multiple "
                 "of %d",
                 getVerb(kind), bytes, address, int(address % uintptr_t(align)),
                 align, align);
  machine.checkRange(thread, site, kind, address, bytes, /*raw=*/false);
  machine.touch(thread, site, kind, address, bytes);
}

void Access::check() {
  int64_t count = 1, element = 0;
  bool isContiguous = true, clips = false;
  for (int32_t d = 0; d < rank; ++d) {
    const Dimension &dimension = dimensions[d];
    count *= dimension.extent;
    element += dimension.index * dimension.stride;
    bool inside = dimension.index >= 0 &&
                  dimension.index + dimension.extent <= dimension.size;
    if (!inside && dimension.clips)
      clips = true;
    // Which element of a masked access is outside is seen below.
    if (!inside && !dimension.clips && mask == -1)
      failIndex(d, dimension.index < 0
                       ? dimension.index
                       : std::max(dimension.index, dimension.size));
    if (dimension.extent > 1 && (d + 1 != rank || dimension.stride != 1))
      isContiguous = false;
  }
  // Elements of sizes that are no powers of two do not exist.
  if (mask == -1 && !clips && (isContiguous || count == 1))
    return checkBytes(element, count, alignment ? alignment : elementBytes);

  for (int64_t i = 0; i < count; ++i) {
    if (mask != -1 && !(mask >> i & 1))
      continue;
    int64_t rest = i, at = 0;
    bool skip = false;
    for (int32_t d = rank; d-- > 0;) {
      const Dimension &dimension = dimensions[d];
      int64_t index = dimension.index + rest % dimension.extent;
      rest /= dimension.extent;
      at += index * dimension.stride;
      if (index >= 0 && index < dimension.size)
        continue;
      if (!dimension.clips)
        failIndex(d, index);
      skip = true;
    }
    if (!skip)
      checkBytes(at, 1, elementBytes);
  }
}

extern "C" void ampSimAccess(ampSimThread *thread, const char *site,
                             int32_t kind, int32_t elementBytes,
                             int32_t alignment, int64_t mask, const void *base,
                             int64_t offset, int32_t rank, ...) {
  Thread &self = *static_cast<Thread *>(thread);
  Access access{*self.machine,
                self,
                site,
                kind,
                elementBytes,
                alignment,
                mask,
                reinterpret_cast<uintptr_t>(base) +
                    uintptr_t(offset * elementBytes),
                {},
                rank};
  va_list list;
  va_start(list, rank);
  for (int32_t d = 0; d < rank; ++d) {
    Dimension &dimension = access.dimensions[d];
    dimension.index = va_arg(list, int64_t);
    dimension.size = va_arg(list, int64_t);
    dimension.stride = va_arg(list, int64_t);
    dimension.extent = va_arg(list, int64_t);
    dimension.clips = dimension.extent < 0;
    if (dimension.clips)
      dimension.extent = -dimension.extent;
  }
  va_end(list);
  access.check();
}

extern "C" void ampSimRawAccess(ampSimThread *thread, const char *site,
                                int32_t kind, const void *address,
                                int64_t bytes, int64_t alignment) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  auto at = reinterpret_cast<uintptr_t>(address);
  if (alignment > 1 && at % uintptr_t(alignment))
    machine.fail(self, Fault::Kind::Misaligned, site,
                 "%s %" PRId64 " bytes at address 0x%" PRIxPTR
                 ", which must be a multiple of %" PRId64,
                 getVerb(kind), bytes, at, alignment);
  machine.checkRange(self, site, kind, at, size_t(bytes), /*raw=*/true);
  machine.touch(self, site, kind, at, size_t(bytes));
}
