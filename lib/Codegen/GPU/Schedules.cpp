//===- Schedules.cpp - all schedules, in order of preference --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Schedule.h"

using namespace mlir::amp::gpu;

llvm::ArrayRef<const Schedule *> mlir::amp::gpu::getSchedules() {
  static const Schedule *const kSchedules[] = {
      &getAttentionSchedule(),    &getWgmmaSchedule(),
      &getMmaSyncSchedule(),      &getFmaSchedule(),
      &getRowReductionSchedule(), &getColumnReductionSchedule(),
      &getTransposeSchedule(),    &getMapSchedule(),
      &getSimtSchedule(),
  };
  return kSchedules;
}
