//===- Device.c - the CPU in the place of a device ------------------------===//
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
#include <time.h>

// A program that is written for models on CUDA devices runs with one for the
// CPU: device memory is host memory, streams are null, and everything is done
// when a call returns.

ampStatus ampDeviceCount(int32_t *count) {
  if (count)
    *count = 0;
  return ampCpuFail(AMP_NO_DRIVER,
                    "the runtime of a model for the CPU knows no CUDA device");
}

ampStatus ampDeviceQuery(int32_t device, ampDeviceInfo *info) {
  (void)device;
  (void)info;
  return ampDeviceCount(NULL);
}

ampStatus ampModelSynchronize(ampModel *model, void *stream) {
  (void)stream;
  return ampCpuCheckModel(model);
}

ampStatus ampModelUseGraphs(ampModel *model, int32_t enable) {
  (void)enable;
  return ampCpuCheckModel(model);
}

ampStatus ampModelProfile(ampModel *model, int32_t function,
                          const ampTensor *arguments, int32_t numArguments,
                          ampTensor *results, int32_t numResults, void *stream,
                          ampKernelTime *times, size_t capacity,
                          size_t *count) {
  (void)times;
  (void)capacity;
  if (count)
    *count = 0;
  return ampModelRun(model, function, arguments, numArguments, results,
                     numResults, stream);
}

ampStatus ampModelGetStats(ampModel *model, ampModelStats *stats) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (!stats)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  memset(stats, 0, sizeof *stats);
  stats->plainRuns = model->numRuns;
  stats->preparedBytes = ampCpuGetPreparedBytes(model, &stats->preparations);
  return AMP_OK;
}

ampStatus ampModelCopyRate(ampModel *model, double *bytesPerSecond) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (!bytesPerSecond)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  *bytesPerSecond = 0;
  return AMP_OK;
}

ampStatus ampModelAllocate(ampModel *model, uint64_t bytes, void **pointer,
                           void *stream) {
  (void)stream;
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (!pointer)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  *pointer = model->description->allocate(bytes);
  return *pointer ? AMP_OK
                  : ampCpuFail(AMP_OUT_OF_MEMORY, "no memory for %llu bytes",
                               (unsigned long long)bytes);
}

ampStatus ampModelRelease(ampModel *model, void *pointer, void *stream) {
  (void)stream;
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  model->description->release(pointer);
  return AMP_OK;
}

static ampStatus copy(ampModel *model, void *to, const void *from,
                      uint64_t bytes) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (bytes && (!to || !from))
    return ampCpuFail(AMP_INVALID_ARGUMENT, "a copy from or to a null pointer");
  if (bytes)
    memmove(to, from, bytes);
  return AMP_OK;
}

ampStatus ampModelUpload(ampModel *model, void *device, const void *host,
                         uint64_t bytes, void *stream) {
  (void)stream;
  return copy(model, device, host, bytes);
}

ampStatus ampModelDownload(ampModel *model, void *host, const void *device,
                           uint64_t bytes, void *stream) {
  (void)stream;
  return copy(model, host, device, bytes);
}

ampStatus ampStreamCreate(ampModel *model, void **stream) {
  if (stream)
    *stream = NULL;
  return ampCpuCheckModel(model);
}

ampStatus ampStreamDestroy(ampModel *model, void *stream) {
  (void)stream;
  return ampCpuCheckModel(model);
}

struct ampEvent {
  struct timespec time;
};

ampStatus ampEventCreate(ampModel *model, ampEvent **event) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (!event)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  *event = calloc(1, sizeof **event);
  return *event ? AMP_OK
                : ampCpuFail(AMP_OUT_OF_MEMORY, "no memory for an event");
}

ampStatus ampEventRecord(ampEvent *event, void *stream) {
  (void)stream;
  if (!event)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the event is null");
  clock_gettime(CLOCK_MONOTONIC, &event->time);
  return AMP_OK;
}

ampStatus ampEventElapsed(ampEvent *first, ampEvent *second,
                          double *microseconds) {
  if (!first || !second || !microseconds)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "an event or the place for the answer is null");
  *microseconds = (double)(second->time.tv_sec - first->time.tv_sec) * 1e6 +
                  (double)(second->time.tv_nsec - first->time.tv_nsec) * 1e-3;
  return AMP_OK;
}

void ampEventDestroy(ampEvent *event) { free(event); }
