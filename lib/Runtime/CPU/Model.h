//===- Model.h - a model on the CPU -----------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_MODEL_H
#define AMP_LIB_RUNTIME_CPU_MODEL_H

#include "Arguments.h"
#include "amp/Runtime/CPU.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct ampCpuPrepared ampCpuPrepared;

struct ampModel {
  const ampCpuModelDesc *description;
  /// The one of `description` that this model runs.
  const ampCpuLevelDesc *level;
  atomic_ullong numRuns;
  /// Guards what follows.
  pthread_mutex_t lock;
  /// What each function is to read of its weights, or null.
  ampCpuPrepared **prepared;
  uint64_t numPreparations;
};

/// AMP_INVALID_ARGUMENT, with a text, where the model is null.
ampStatus ampCpuCheckModel(const ampModel *model);

/// Makes room for what functions prepare, and prepares what needs no weights.
ampStatus ampCpuOpenPrepared(ampModel *model);
/// Precondition: no call is running.
void ampCpuClosePrepared(ampModel *model);

/// What the function is to read of its weights: what the last call prepared
/// where these have not changed since, else prepared now. Null where it needs
/// nothing. Precondition: the arguments have been checked.
ampStatus ampCpuTakePrepared(ampModel *model, int32_t function,
                             const ampTensor *arguments,
                             ampCpuPrepared **prepared);
/// Adds it to the values of a call, all others of which are there.
void ampCpuUsePrepared(ampCpuFrame *frame, const ampCpuPrepared *prepared);
/// Ends what ampCpuTakePrepared began; null is ignored.
void ampCpuGivePrepared(ampModel *model, ampCpuPrepared *prepared);

/// Bytes of all that is prepared, and how often something was.
uint64_t ampCpuGetPreparedBytes(ampModel *model, uint64_t *numPreparations);

/// The level of `description` that this processor is to run: the one that the
/// environment variable AMP_CPU_LEVEL names where there are several, else the
/// last one that it can run. Null, with a text for ampLastError, where it
/// cannot.
const ampCpuLevelDesc *ampCpuChooseLevel(const ampCpuModelDesc *description);

#endif // AMP_LIB_RUNTIME_CPU_MODEL_H
