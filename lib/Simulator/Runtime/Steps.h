//===- Steps.h - how much the simulator has done ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_RUNTIME_STEPS_H
#define AMP_SIMULATOR_RUNTIME_STEPS_H

#include <cstdint>

namespace amp::sim {

/// How often anything, tensor cores and bulk copies included, has touched
/// memory so far, if races are checked: a measure of work, the same in each
/// run.
inline uint64_t &getNumSteps() {
  static uint64_t number = 0;
  return number;
}

} // namespace amp::sim

#endif // AMP_SIMULATOR_RUNTIME_STEPS_H
