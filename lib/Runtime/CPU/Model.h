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
  atomic_ullong numRuns;
};

/// AMP_INVALID_ARGUMENT, with a text, where the model is null.
ampStatus ampCpuCheckModel(const ampModel *model);

#endif // AMP_LIB_RUNTIME_CPU_MODEL_H
