//===- Memory.h - allocations of simulated devices --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_MEMORY_H
#define AMP_LIB_SIMULATOR_RUNTIME_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace amp::sim {

/// A block of memory that kernels may use.
struct Allocation {
  enum class Kind { Device, PinnedHost };
  uintptr_t begin = 0;
  size_t bytes = 0;
  Kind kind = Kind::Device;
  int device = 0;
  /// Freed memory keeps its addresses, so that late accesses are noticed.
  bool freed = false;
  /// The how manyth allocation of the process, from 1.
  uint64_t number = 0;
};

/// All allocations of the process, by address. Not thread-safe: the driver
/// holds its lock.
class Memory {
public:
  /// A block of `bytes` bytes, aligned to 256, with inaccessible room around
  /// it; null where the system has none. Filled with a pattern.
  void *allocate(size_t bytes, Allocation::Kind kind, int device);

  enum class FreeResult { Freed, Unknown, Twice };
  FreeResult release(uintptr_t address);

  /// The allocation, living or freed, that contains the address; or null.
  const Allocation *find(uintptr_t address) const;

  /// Bytes of living allocations of device memory on `device`.
  size_t getUsedBytes(int device) const;
  const std::map<uintptr_t, Allocation> &getAll() const { return all; }

private:
  std::map<uintptr_t, Allocation> all;
  uint64_t count = 0;
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_MEMORY_H
