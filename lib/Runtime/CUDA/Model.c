//===- Model.c - loading and unloading models -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

static bool isSet(const char *variable, char value) {
  const char *text = getenv(variable);
  return text && text[0] == value && !text[1];
}

static ampStatus outOfHostMemory(void) {
  return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
}

/// Loads the images and finds the kernels.
static ampStatus loadCode(ampModel *model) {
  const ampCudaModelDesc *desc = model->desc;
  const struct device *device = model->device;
  for (int32_t i = 0; i < desc->numImages; ++i) {
    char log[512] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER,
                     CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult error = ampDriver.cuModuleLoadDataEx(
        &model->modules[i], desc->images[i].data, 2, options, values);
    if (error == CUDA_SUCCESS)
      continue;
    model->modules[i] = NULL;
    log[sizeof log - 1] = 0;
    for (char *end = log + strlen(log); end > log && end[-1] == '\n';)
      *--end = 0;
    return ampSetDriverError(
        error,
        "model '%s', compiled for %s, cannot be loaded on CUDA device %d of "
        "compute capability %d.%d%s%s",
        desc->name, desc->target, device->ordinal, device->major, device->minor,
        *log ? ": " : "", log);
  }
  for (int32_t i = 0; i < desc->numKernels; ++i) {
    const ampCudaKernelDesc *kernel = &desc->kernels[i];
    CUresult error = ampDriver.cuModuleGetFunction(
        &model->functions[i], model->modules[kernel->image], kernel->name);
    if (error != CUDA_SUCCESS) {
      ampSetDriverError(error, "kernel '%s' (%s) is not in the code of '%s'",
                        kernel->name, kernel->location, desc->name);
      return error == CUDA_ERROR_NOT_FOUND ? AMP_BAD_MODEL : ampStatusOf(error);
    }
  }
  return AMP_OK;
}

static ampStatus loadConstants(ampModel *model) {
  const ampCudaModelDesc *desc = model->desc;
  for (int32_t i = 0; i < desc->numConstants; ++i) {
    uint64_t bytes = desc->constants[i].bytes;
    ampStatus status = ampPoolTake(model->device, bytes, model->captureStream,
                                   /*capturing=*/false, &model->constants[i]);
    if (status != AMP_OK)
      return status;
    model->constantBytes += model->constants[i]->bytes;
    CUresult error = CUDA_SUCCESS;
    if (bytes)
      error = ampDriver.cuMemcpyHtoDAsync_v2(model->constants[i]->pointer,
                                             desc->constants[i].data, bytes,
                                             model->captureStream);
    if (error != CUDA_SUCCESS)
      return ampDeviceError(model->device, error, "cannot copy constants");
  }
  CUresult error = ampDriver.cuStreamSynchronize(model->captureStream);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(model->device, error, "cannot copy constants");
  return AMP_OK;
}

/// Allocates what an entry keeps.
static bool allocateEntry(const ampCudaEntryDesc *entry,
                          struct entryState *state) {
  size_t arguments = (size_t)entry->numArguments,
         prepared = (size_t)entry->numPrepared;
  state->weights = calloc(arguments + 1, sizeof *state->weights);
  state->prepared = calloc(prepared + 1, sizeof *state->prepared);
  state->preparedBlocks = calloc(prepared + 1, sizeof *state->preparedBlocks);
  if (!state->weights || !state->prepared || !state->preparedBlocks)
    return false;
  for (size_t i = 0; i < arguments; ++i) {
    size_t rank = (size_t)entry->arguments[i].rank;
    state->weights[i].shape = calloc(2 * rank + 1, sizeof(int64_t));
    if (!state->weights[i].shape)
      return false;
    state->weights[i].strides = state->weights[i].shape + rank;
  }
  for (size_t i = 0; i < prepared; ++i) {
    const ampValueInfo *info = &entry->prepared[i];
    state->prepared[i].shape = calloc((size_t)info->rank + 1, sizeof(int64_t));
    if (!state->prepared[i].shape)
      return false;
    if (info->flags & AMP_VALUE_SCALAR &&
        !(state->prepared[i].data = calloc(1, 16)))
      return false;
  }
  return true;
}

static bool allocate(ampModel *model) {
  const ampCudaModelDesc *desc = model->desc;
  model->modules = calloc((size_t)desc->numImages + 1, sizeof(CUmodule));
  model->functions = calloc((size_t)desc->numKernels + 1, sizeof(CUfunction));
  model->sharedLimits =
      calloc((size_t)desc->numKernels + 1, sizeof *model->sharedLimits);
  model->constants =
      calloc((size_t)desc->numConstants + 1, sizeof(struct block *));
  model->entries =
      calloc((size_t)desc->numEntries + 1, sizeof(struct entryState));
  if (!model->modules || !model->functions || !model->sharedLimits ||
      !model->constants || !model->entries)
    return false;
  for (int32_t i = 0; i < desc->numEntries; ++i)
    if (!allocateEntry(&desc->entries[i], &model->entries[i]))
      return false;
  return true;
}

static void freeHost(ampModel *model) {
  const ampCudaModelDesc *desc = model->desc;
  for (int32_t i = 0; model->entries && i < desc->numEntries; ++i) {
    const ampCudaEntryDesc *entry = &desc->entries[i];
    struct entryState *state = &model->entries[i];
    for (int32_t a = 0; state->weights && a < entry->numArguments; ++a)
      free(state->weights[a].shape);
    for (int32_t p = 0; state->prepared && p < entry->numPrepared; ++p) {
      free((void *)(uintptr_t)state->prepared[p].shape);
      if (entry->prepared[p].flags & AMP_VALUE_SCALAR)
        free(state->prepared[p].data);
    }
    free(state->weights);
    free(state->prepared);
    free(state->preparedBlocks);
  }
  free(model->entries);
  free(model->constants);
  free(model->sharedLimits);
  free(model->functions);
  free(model->modules);
  free(model->kept.items);
  free(model);
}

/// Gives back what the model has on its device, whose context is current.
static void freeDevice(ampModel *model) {
  const ampCudaModelDesc *desc = model->desc;
  int mode = ampRelaxCapture();
  ampDriver.cuCtxSynchronize();
  for (int32_t i = 0; model->entries && i < desc->numEntries; ++i) {
    ampGraphsDestroy(model, &model->entries[i]);
    ampPreparedDestroy(model, i);
  }
  for (int32_t i = 0; model->constants && i < desc->numConstants; ++i)
    if (model->constants[i])
      ampPoolGive(model->device, model->constants[i], model->captureStream);
  for (int32_t i = 0; i < model->kept.count; ++i)
    ampPoolGive(model->device, model->kept.items[i], model->captureStream);
  for (int32_t i = 0; model->modules && i < desc->numImages; ++i)
    if (model->modules[i])
      ampDriver.cuModuleUnload(model->modules[i]);
  if (model->captureStream) {
    ampDriver.cuStreamSynchronize(model->captureStream);
    ampDriver.cuStreamDestroy_v2(model->captureStream);
  }
  // Its kernels' descriptions go with it.
  atomic_store_explicit(&model->device->lastKernel, NULL, memory_order_relaxed);
  ampRestoreCapture(mode);
}

/// Everything after the context is current.
static ampStatus load(ampModel *model) {
  CUresult error =
      ampDriver.cuStreamCreate(&model->captureStream, CU_STREAM_NON_BLOCKING);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(model->device, error, "cannot create a stream");
  ampStatus status = loadCode(model);
  if (status == AMP_OK)
    status = loadConstants(model);
  for (int32_t i = 0; status == AMP_OK && i < model->desc->numEntries; ++i) {
    const ampCudaEntryDesc *entry = &model->desc->entries[i];
    if (!entry->init || entry->numInitArguments)
      continue;
    status = ampPrepare(model, i, NULL, model->captureStream, false);
    if (status == AMP_OK)
      pthread_rwlock_unlock(&model->prepareLock);
  }
  return status;
}

ampStatus ampModelLoad(const void *description, int32_t device,
                       ampModel **result) {
  if (!result)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelLoad: null argument");
  *result = NULL;
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  if (!desc)
    return AMP_BAD_MODEL;
  ampModel *model = calloc(1, sizeof *model);
  if (!model)
    return outOfHostMemory();
  model->desc = desc;
  ampStatus status = ampAcquireDevice(device, &model->device);
  if (status == AMP_OK) {
    status = ampEnter(model->device);
    if (status != AMP_OK)
      ampReleaseDevice(model->device);
  }
  if (status != AMP_OK) {
    free(model);
    return status;
  }
  pthread_rwlock_init(&model->prepareLock, NULL);
  pthread_mutex_init(&model->graphLock, NULL);
  pthread_mutex_init(&model->keptLock, NULL);
  model->synchronous = isSet("AMP_CUDA_SYNC", '1');
  model->useGraphs = !isSet("AMP_CUDA_GRAPHS", '0') && !model->synchronous;
  model->overlaps = !isSet("AMP_CUDA_OVERLAP", '0');
  int mode = ampRelaxCapture();
  status = allocate(model) ? load(model) : outOfHostMemory();
  ampRestoreCapture(mode);
  ampLeave();
  if (status == AMP_OK)
    *result = model;
  else
    ampModelUnload(model);
  return status;
}

const char *ampModelLevel(const ampModel *model) {
  (void)model;
  return NULL;
}

void ampModelUnload(ampModel *model) {
  if (!model)
    return;
  if (ampDriver.cuCtxPushCurrent_v2(model->device->context) == CUDA_SUCCESS) {
    freeDevice(model);
    ampLeave();
  }
  ampReleaseDevice(model->device);
  pthread_rwlock_destroy(&model->prepareLock);
  pthread_mutex_destroy(&model->graphLock);
  pthread_mutex_destroy(&model->keptLock);
  freeHost(model);
}

ampStatus ampModelUseGraphs(ampModel *model, int32_t enable) {
  if (!model)
    return ampSetError(AMP_INVALID_ARGUMENT, "the model is null");
  model->useGraphs = enable && !model->synchronous;
  return AMP_OK;
}

ampStatus ampModelGetStats(ampModel *model, ampModelStats *stats) {
  if (!model || !stats)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelGetStats: null argument");
  pthread_mutex_lock(&model->device->poolLock);
  stats->poolBytes = model->device->poolBytes;
  stats->poolUsedBytes = model->device->poolUsedBytes;
  pthread_mutex_unlock(&model->device->poolLock);
  stats->constantBytes = model->constantBytes;
  stats->preparedBytes = model->preparedBytes;
  stats->plainRuns = model->plainRuns;
  stats->graphRuns = model->graphRuns;
  stats->graphsBuilt = model->graphsBuilt;
  stats->graphUpdates = model->graphUpdates;
  stats->preparations = model->preparations;
  stats->kernelsLaunched = model->kernelsLaunched;
  return AMP_OK;
}
