//===- Fiber.h - stacks to run the threads of a block on --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_FIBER_H
#define AMP_LIB_SIMULATOR_RUNTIME_FIBER_H

#include <cstddef>
#include <cstdint>

namespace amp::sim {

/// A stack with a suspended computation. One system thread at a time may use
/// the fibers of a launch.
class Fiber {
public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Prepares the fiber to call `entry(argument)`, forgetting what it ran
  /// before. `entry` must not return: it suspends for the last time instead.
  void start(void (*entry)(void *), void *argument);

  /// Continues the fiber until it suspends.
  void resume();

  /// Called on the fiber: goes back to who resumed it.
  void suspend();

  /// Whether `address` lies in the fiber's stack.
  bool owns(const void *address) const {
    auto at = static_cast<const uint8_t *>(address);
    return at >= stack && at < stack + size;
  }

private:
  struct Context;

  uint8_t *stack;
  size_t size;
  Context *context;
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_FIBER_H
