//===- Prepare.c - work on weights, done once -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Model.h"

#include <stdlib.h>
#include <string.h>

/// What one function has prepared of its weights.
struct ampCpuPrepared {
  const ampCpuInitDesc *init;
  void (*release)(void *block);
  /// Calls that read it, and one while it is what later calls are to read.
  int32_t numUsers;
  /// The results of `init`.
  char *results;
  /// Where the weights are, and how; see writeKey.
  int64_t *key;
};

/// Words of the key of a weight.
static size_t getKeyLength(const ampValueInfo *info) {
  return 2 + 2 * (size_t)info->rank;
}

static size_t getKeyBytes(const ampCpuInitDesc *init) {
  size_t words = 0;
  for (int32_t i = 0; i < init->entry.numArguments; ++i)
    words += getKeyLength(&init->entry.arguments[i]);
  return words * sizeof(int64_t);
}

/// Address, shape and strides of all weights; of numbers what they are.
static void writeKey(const ampCpuInitDesc *init, const ampTensor *arguments,
                     int64_t *key) {
  memset(key, 0, getKeyBytes(init));
  for (int32_t i = 0; i < init->entry.numArguments; ++i) {
    const ampValueInfo *info = &init->entry.arguments[i];
    const ampTensor *weight = &arguments[init->weights[i]];
    size_t bytes = (size_t)info->rank * sizeof(int64_t);
    if (info->flags & AMP_VALUE_SCALAR) {
      memcpy(key, weight->data, ampDtypeSize(info->dtype));
    } else {
      key[0] = (int64_t)(intptr_t)weight->data;
      key[1] = weight->strides != NULL;
      if (bytes)
        memcpy(key + 2, weight->shape, bytes);
      if (bytes && weight->strides)
        memcpy(key + 2 + info->rank, weight->strides, bytes);
    }
    key += getKeyLength(info);
  }
}

/// With the model's lock held.
static void dropUser(ampCpuPrepared *prepared) {
  if (!prepared || --prepared->numUsers > 0)
    return;
  if (prepared->results)
    ampCpuVisitTensors(&prepared->init->entry, prepared->results,
                       prepared->release);
  free(prepared->results);
  free(prepared->key);
  free(prepared);
}

/// Runs the init function; it leaves its results in `prepared`.
static ampStatus runInit(ampModel *model, const ampCpuInitDesc *init,
                         const ampTensor *arguments, ampCpuPrepared *prepared) {
  const ampCpuModelDesc *desc = model->description;
  int32_t numWeights = init->entry.numArguments;
  ampTensor *weights = calloc((size_t)numWeights + 1, sizeof *weights);
  if (!weights)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "'%s': no memory for the call",
                      init->entry.name);
  for (int32_t i = 0; i < numWeights; ++i)
    weights[i] = arguments[init->weights[i]];
  ampCpuFrame frame;
  ampStatus status = ampCpuOpenFrame(&frame, desc, &init->entry, 0);
  if (!status)
    status = ampCpuSetArguments(&frame, weights);
  if (!status) {
    ampCpuSetPrepared(&frame, NULL, NULL);
    ampCpuOutcome outcome = desc->invoke(init->function, frame.values, NULL);
    if (outcome.status) {
      status = ampCpuFail(outcome.status, "'%s': %s", init->entry.name,
                          outcome.message);
    } else {
      prepared->results = frame.results;
      frame.results = NULL;
    }
  }
  ampCpuCloseFrame(&frame);
  free(weights);
  return status;
}

static ampStatus prepare(ampModel *model, const ampCpuInitDesc *init,
                         const ampTensor *arguments, int64_t *key,
                         ampCpuPrepared **place) {
  ampCpuPrepared *prepared = calloc(1, sizeof *prepared);
  if (!prepared) {
    free(key);
    return ampCpuFail(AMP_OUT_OF_MEMORY, "'%s': no memory for the call",
                      init->entry.name);
  }
  prepared->init = init;
  prepared->release = model->description->release;
  prepared->numUsers = 1;
  prepared->key = key;
  ampStatus status = runInit(model, init, arguments, prepared);
  if (status) {
    dropUser(prepared);
    return status;
  }
  ++model->numPreparations;
  // Calls of other threads may still read the last ones.
  dropUser(*place);
  *place = prepared;
  return AMP_OK;
}

static const ampCpuInitDesc *getInit(const ampModel *model, int32_t function) {
  const ampCpuInitDesc *init = &model->level->inits[function];
  return init->function ? init : NULL;
}

ampStatus ampCpuTakePrepared(ampModel *model, int32_t function,
                             const ampTensor *arguments,
                             ampCpuPrepared **prepared) {
  *prepared = NULL;
  const ampCpuInitDesc *init = getInit(model, function);
  if (!init)
    return AMP_OK;
  int64_t *key = malloc(getKeyBytes(init) + 1);
  if (!key)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "'%s': no memory for the call",
                      init->entry.name);
  writeKey(init, arguments, key);
  ampStatus status = AMP_OK;
  // Calls that need the same weights wait until they are prepared.
  pthread_mutex_lock(&model->lock);
  ampCpuPrepared **place = &model->prepared[function];
  if (*place && memcmp((*place)->key, key, getKeyBytes(init)) == 0)
    free(key);
  else
    status = prepare(model, init, arguments, key, place);
  if (!status) {
    *prepared = *place;
    ++(*prepared)->numUsers;
  }
  pthread_mutex_unlock(&model->lock);
  return status;
}

void ampCpuUsePrepared(ampCpuFrame *frame, const ampCpuPrepared *prepared) {
  ampCpuSetPrepared(frame, prepared ? &prepared->init->entry : NULL,
                    prepared ? prepared->results : NULL);
}

void ampCpuGivePrepared(ampModel *model, ampCpuPrepared *prepared) {
  if (!prepared)
    return;
  pthread_mutex_lock(&model->lock);
  dropUser(prepared);
  pthread_mutex_unlock(&model->lock);
}

ampStatus ampCpuOpenPrepared(ampModel *model) {
  int32_t numEntries = model->description->numEntries;
  model->prepared = calloc((size_t)numEntries + 1, sizeof(ampCpuPrepared *));
  if (!model->prepared)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "no memory for the model");
  pthread_mutex_init(&model->lock, NULL);
  // What needs constants only.
  for (int32_t i = 0; i < numEntries; ++i) {
    const ampCpuInitDesc *init = getInit(model, i);
    ampCpuPrepared *prepared;
    if (!init || init->entry.numArguments)
      continue;
    ampStatus status = ampCpuTakePrepared(model, i, NULL, &prepared);
    if (status) {
      ampCpuClosePrepared(model);
      return status;
    }
    ampCpuGivePrepared(model, prepared);
  }
  return AMP_OK;
}

void ampCpuClosePrepared(ampModel *model) {
  for (int32_t i = 0; i < model->description->numEntries; ++i)
    dropUser(model->prepared[i]);
  free(model->prepared);
  pthread_mutex_destroy(&model->lock);
}

uint64_t ampCpuGetPreparedBytes(ampModel *model, uint64_t *numPreparations) {
  uint64_t bytes = 0;
  pthread_mutex_lock(&model->lock);
  for (int32_t i = 0; i < model->description->numEntries; ++i)
    if (model->prepared[i])
      bytes += ampCpuVisitTensors(&model->prepared[i]->init->entry,
                                  model->prepared[i]->results, NULL);
  *numPreparations = model->numPreparations;
  pthread_mutex_unlock(&model->lock);
  return bytes;
}

ampStatus ampModelReloadWeights(ampModel *model, int32_t function) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  const ampCpuModelDesc *desc = model->description;
  if (function < -1 || function >= desc->numEntries)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "model '%s': expected a function number from -1 to %d, "
                      "found %d",
                      desc->name, desc->numEntries - 1, function);
  pthread_mutex_lock(&model->lock);
  for (int32_t i = 0; i < desc->numEntries; ++i) {
    const ampCpuInitDesc *init = getInit(model, i);
    // What needs constants only stays.
    if ((function != -1 && function != i) || !init || !init->entry.numArguments)
      continue;
    dropUser(model->prepared[i]);
    model->prepared[i] = NULL;
  }
  pthread_mutex_unlock(&model->lock);
  return AMP_OK;
}
