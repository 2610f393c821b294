//===- Model.h - a model on the CPU -----------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_MODEL_H
#define AMP_LIB_RUNTIME_CPU_MODEL_H

#include "amp/Runtime/CPU.h"

#include <stdatomic.h>

struct ampModel {
  const ampCpuModelDesc *description;
  /// The one of `description` that this model runs.
  const ampCpuLevelDesc *level;
  atomic_ullong numRuns;
};

/// AMP_INVALID_ARGUMENT, with a text, where the model is null.
ampStatus ampCpuCheckModel(const ampModel *model);

/// The level of `description` that this processor is to run: the one that the
/// environment variable AMP_CPU_LEVEL names where there are several, else the
/// last one that it can run. Null, with a text for ampLastError, where it
/// cannot.
const ampCpuLevelDesc *ampCpuChooseLevel(const ampCpuModelDesc *description);

#endif // AMP_LIB_RUNTIME_CPU_MODEL_H
