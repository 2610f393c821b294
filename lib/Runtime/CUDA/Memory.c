//===- Memory.c - device memory, streams and events for callers -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>

static ampStatus enter(ampModel *model) {
  if (!model)
    return ampSetError(AMP_INVALID_ARGUMENT, "the model is null");
  return ampEnter(model->device);
}

static ampStatus leave(ampModel *model, CUresult error, const char *what) {
  ampStatus status = error == CUDA_SUCCESS
                         ? AMP_OK
                         : ampDeviceError(model->device, error, what);
  ampLeave();
  return status;
}

static ampStatus isCapturing(ampModel *model, CUstream stream, bool *result) {
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult error = ampDriver.cuStreamIsCapturing(stream, &status);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(model->device, error, "cannot use the stream");
  *result = status != CU_STREAM_CAPTURE_STATUS_NONE;
  return AMP_OK;
}

ampStatus ampModelAllocate(ampModel *model, uint64_t bytes, void **pointer,
                           void *stream) {
  if (!pointer)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelAllocate: null argument");
  *pointer = NULL;
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  bool capturing = false;
  status = isCapturing(model, stream, &capturing);
  struct block *block;
  if (status == AMP_OK)
    status = ampPoolTake(model->device, bytes, stream, capturing, &block);
  if (status == AMP_OK)
    *pointer = (void *)(uintptr_t)block->pointer;
  ampLeave();
  return status;
}

ampStatus ampModelRelease(ampModel *model, void *pointer, void *stream) {
  if (!pointer)
    return AMP_OK;
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  struct block *block =
      ampPoolFind(model->device, (CUdeviceptr)(uintptr_t)pointer);
  bool capturing = false;
  if (!block)
    status = ampSetError(AMP_INVALID_ARGUMENT,
                         "%p is no memory that the runtime allocated on CUDA "
                         "device %d, or is free already",
                         pointer, model->device->ordinal);
  else
    status = isCapturing(model, stream, &capturing);
  if (status == AMP_OK && capturing) {
    // The graph that is being built uses it whenever it runs.
    pthread_mutex_lock(&model->keptLock);
    if (!ampBlocksAdd(&model->kept, block))
      status = ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
    pthread_mutex_unlock(&model->keptLock);
  } else if (status == AMP_OK) {
    ampPoolGive(model->device, block, stream);
  }
  ampLeave();
  return status;
}

ampStatus ampModelFree(ampModel *model, ampTensor *result, void *stream) {
  if (!result)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelFree: null argument");
  ampStatus status = AMP_OK;
  if (result->onDevice)
    status = ampModelRelease(model, result->data, stream);
  else
    free(result->data);
  if (status == AMP_OK)
    result->data = NULL;
  return status;
}

ampStatus ampModelUpload(ampModel *model, void *device, const void *host,
                         uint64_t bytes, void *stream) {
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  CUresult error = CUDA_SUCCESS;
  if (bytes)
    error = ampDriver.cuMemcpyHtoDAsync_v2((CUdeviceptr)(uintptr_t)device, host,
                                           bytes, stream);
  if (error == CUDA_SUCCESS)
    error = ampDriver.cuStreamSynchronize(stream);
  return leave(model, error, "cannot copy to the device");
}

ampStatus ampModelDownload(ampModel *model, void *host, const void *device,
                           uint64_t bytes, void *stream) {
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  CUresult error = CUDA_SUCCESS;
  if (bytes)
    error = ampDriver.cuMemcpyDtoHAsync_v2(host, (CUdeviceptr)(uintptr_t)device,
                                           bytes, stream);
  if (error == CUDA_SUCCESS)
    error = ampDriver.cuStreamSynchronize(stream);
  return leave(model, error, "cannot copy from the device");
}

ampStatus ampModelSynchronize(ampModel *model, void *stream) {
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  return leave(model, ampDriver.cuStreamSynchronize(stream),
               "cannot wait for the stream");
}

ampStatus ampStreamCreate(ampModel *model, void **stream) {
  if (!stream)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampStreamCreate: null argument");
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  CUstream created = NULL;
  CUresult error = ampDriver.cuStreamCreate(&created, CU_STREAM_NON_BLOCKING);
  *stream = created;
  return leave(model, error, "cannot create a stream");
}

ampStatus ampStreamDestroy(ampModel *model, void *stream) {
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  return leave(model, ampDriver.cuStreamDestroy_v2(stream),
               "cannot destroy a stream");
}

struct ampEvent {
  ampModel *model;
  CUevent event;
};

ampStatus ampEventCreate(ampModel *model, ampEvent **event) {
  if (!event)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampEventCreate: null argument");
  *event = NULL;
  ampStatus status = enter(model);
  if (status != AMP_OK)
    return status;
  ampEvent *created = malloc(sizeof *created);
  if (!created) {
    ampLeave();
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  }
  created->model = model;
  CUresult error = ampDriver.cuEventCreate(&created->event, CU_EVENT_DEFAULT);
  if (error == CUDA_SUCCESS)
    *event = created;
  else
    free(created);
  return leave(model, error, "cannot create an event");
}

ampStatus ampEventRecord(ampEvent *event, void *stream) {
  if (!event)
    return ampSetError(AMP_INVALID_ARGUMENT, "the event is null");
  ampStatus status = enter(event->model);
  if (status != AMP_OK)
    return status;
  return leave(event->model, ampDriver.cuEventRecord(event->event, stream),
               "cannot record an event");
}

ampStatus ampEventElapsed(ampEvent *first, ampEvent *second,
                          double *microseconds) {
  if (!first || !second || !microseconds)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampEventElapsed: null argument");
  ampStatus status = enter(first->model);
  if (status != AMP_OK)
    return status;
  float milliseconds = 0;
  CUresult error = ampDriver.cuEventSynchronize(second->event);
  if (error == CUDA_SUCCESS)
    error = ampDriver.cuEventElapsedTime(&milliseconds, first->event,
                                         second->event);
  *microseconds = 1e3 * milliseconds;
  return leave(first->model, error, "cannot measure a time");
}

void ampEventDestroy(ampEvent *event) {
  if (!event)
    return;
  if (ampEnter(event->model->device) == AMP_OK) {
    ampDriver.cuEventDestroy_v2(event->event);
    ampLeave();
  }
  free(event);
}
