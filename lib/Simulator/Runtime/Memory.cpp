//===- Memory.cpp - allocations of simulated devices ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace amp::sim;

/// The mapping of an allocation: whole pages, with one free page on each side.
static size_t getMappedBytes(size_t bytes, size_t page) {
  return (bytes + page - 1) / page * page + 2 * page;
}

void *Memory::allocate(size_t bytes, Allocation::Kind kind, int device) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t mapped = getMappedBytes(bytes, page);
  if (mapped < bytes)
    return nullptr;
  void *memory = mmap(nullptr, mapped, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return nullptr;
  uint8_t *begin = static_cast<uint8_t *>(memory) + page;
  if (mprotect(begin, mapped - 2 * page, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, mapped);
    return nullptr;
  }
  // Nobody may rely on fresh memory being zero. Large blocks are spared: the
  // pattern would commit all their pages.
  if (bytes <= (size_t(64) << 20))
    std::memset(begin, 0xcd, bytes);
  Allocation allocation;
  allocation.begin = reinterpret_cast<uintptr_t>(begin);
  allocation.bytes = bytes;
  allocation.kind = kind;
  allocation.device = device;
  allocation.number = ++count;
  all[allocation.begin] = allocation;
  return begin;
}

Memory::FreeResult Memory::release(uintptr_t address) {
  auto found = all.find(address);
  if (found == all.end())
    return FreeResult::Unknown;
  Allocation &allocation = found->second;
  if (allocation.freed)
    return FreeResult::Twice;
  allocation.freed = true;
  // The pages go back to the system; the addresses stay taken.
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t mapped = getMappedBytes(allocation.bytes, page);
  void *begin = reinterpret_cast<void *>(allocation.begin - page);
  mmap(begin, mapped, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return FreeResult::Freed;
}

const Allocation *Memory::find(uintptr_t address) const {
  auto next = all.upper_bound(address);
  if (next == all.begin())
    return nullptr;
  const Allocation &allocation = std::prev(next)->second;
  // A block of no bytes still has an address.
  if (address - allocation.begin >= allocation.bytes &&
      address != allocation.begin)
    return nullptr;
  return &allocation;
}

size_t Memory::getUsedBytes(int device) const {
  size_t used = 0;
  for (auto &entry : all)
    if (!entry.second.freed && entry.second.device == device &&
        entry.second.kind == Allocation::Kind::Device)
      used += entry.second.bytes;
  return used;
}
