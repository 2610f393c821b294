//===- Call.c - what generated code calls: values and memory --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

/// A piece of host memory that a call took; its data follow.
struct hostBlock {
  struct hostBlock *next, *previous;
  char pad[48];
};
_Static_assert(sizeof(struct hostBlock) == 64, "keeps the alignment");

//===----------------------------------------------------------------------===//
// The course of a call
//===----------------------------------------------------------------------===//

_Noreturn void ampCallAbort(struct ampCudaCall *call, ampStatus status) {
  call->status = status;
  longjmp(call->failure, 1);
}

_Noreturn void ampCallFail(struct ampCudaCall *call, ampStatus status,
                           const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ampSetErrorV(format, arguments);
  va_end(arguments);
  ampCallAbort(call, status);
}

bool ampBlocksAdd(struct blocks *list, struct block *block) {
  if (list->count == list->capacity) {
    int32_t capacity = list->capacity ? 2 * list->capacity : 8;
    struct block **items =
        realloc(list->items, (size_t)capacity * sizeof *items);
    if (!items)
      return false;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = block;
  return true;
}

ampStatus ampCallRun(struct ampCudaCall *call, ampCudaEntryFn function) {
  call->status = AMP_OK;
  if (setjmp(call->failure) == 0)
    function(call);
  while (call->hostBlocks) {
    struct hostBlock *b = call->hostBlocks;
    call->hostBlocks = b->next;
    free(b);
  }
  for (int32_t i = 0; i < call->blocks.count; ++i)
    ampPoolGive(call->model->device, call->blocks.items[i], call->stream);
  free(call->blocks.items);
  memset(&call->blocks, 0, sizeof call->blocks);
  return call->status;
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

void *ampCudaArgData(ampCudaCall *call, int32_t index) {
  return call->arguments[index].data;
}

int64_t ampCudaArgDim(ampCudaCall *call, int32_t index, int32_t dim) {
  return call->arguments[index].shape[dim];
}

const void *ampCudaArgScalar(ampCudaCall *call, int32_t index) {
  return call->arguments[index].data;
}

bool ampTensorBytes(int32_t dtype, int32_t rank, const int64_t *shape,
                    uint64_t *bytes) {
  uint64_t product = ampDtypeSize(dtype);
  bool isEmpty = false, fits = true;
  for (int32_t d = 0; d < rank; ++d) {
    if (shape[d] < 0)
      return false;
    isEmpty |= shape[d] == 0;
    fits = fits &&
           !__builtin_mul_overflow(product, (uint64_t)shape[d], &product) &&
           product <= INT64_MAX;
  }
  *bytes = isEmpty ? 0 : product;
  return isEmpty || fits;
}

/// Whether `tensor` is row-major without gaps.
static bool isContiguous(const ampTensor *tensor) {
  if (!tensor->strides)
    return true;
  int64_t expected = 1;
  for (int32_t d = tensor->rank - 1; d >= 0; --d) {
    if (tensor->shape[d] == 0)
      return true;
    // The stride of a dimension of size one says nothing.
    if (tensor->shape[d] != 1 && tensor->strides[d] != expected)
      return false;
    expected *= tensor->shape[d];
  }
  return true;
}

bool ampIsUsable(const ampTensor *tensor) {
  return tensor->onDevice && (uintptr_t)tensor->data % 16 == 0 &&
         isContiguous(tensor);
}

/// The results of an init live as long as the model, in the same place as long
/// as their size is the same: graphs refer to them.
static void *prepareResult(ampCudaCall *call, int32_t index, uint64_t bytes) {
  struct block **kept = &call->state->preparedBlocks[index];
  struct device *device = call->model->device;
  if (*kept && (*kept)->bytes < bytes) {
    call->model->preparedBytes -= (*kept)->bytes;
    ampPoolGive(device, *kept, call->stream);
    *kept = NULL;
  }
  if (!*kept) {
    ampStatus status = ampPoolTake(device, bytes, call->stream, false, kept);
    if (status != AMP_OK)
      ampCallAbort(call, status);
    call->model->preparedBytes += (*kept)->bytes;
  }
  return (void *)(uintptr_t)(*kept)->pointer;
}

void *ampCudaResultData(ampCudaCall *call, int32_t index,
                        const int64_t *shape) {
  const ampValueInfo *info = &call->resultInfos[index];
  uint64_t bytes;
  if (!ampTensorBytes(info->dtype, info->rank, shape, &bytes))
    ampCallFail(call, AMP_CHECK_FAILED,
                "'%s': result %d has a negative or too large size",
                call->entry->name, index);
  if (info->rank)
    memcpy(call->resultShapes[index], shape,
           (size_t)info->rank * sizeof *shape);
  struct value *result = &call->results[index];
  if (call->mode == CALL_MEASURE)
    return NULL;
  if (call->mode == CALL_PREPARE)
    return result->data = prepareResult(call, index, bytes);
  ampTensor *tensor = &call->resultTensors[index];
  if (tensor->data) {
    for (int32_t d = 0; d < info->rank; ++d)
      if (tensor->shape[d] != shape[d])
        ampCallFail(call, AMP_INVALID_ARGUMENT,
                    "'%s': result %d has size %lld in dimension %d, but the "
                    "tensor given for it has %lld",
                    call->entry->name, index, (long long)shape[d], d,
                    (long long)tensor->shape[d]);
    if (ampIsUsable(tensor))
      return result->data = tensor->data;
  }
  // A graph must not take new memory each time that it is compared.
  struct block **block = &call->resultBlocks[index];
  if (!*block || (*block)->bytes < bytes) {
    if (*block)
      ampPoolGive(call->model->device, *block, call->stream);
    *block = NULL;
    ampStatus status = ampPoolTake(call->model->device, bytes, call->stream,
                                   call->mode == CALL_CAPTURED, block);
    if (status != AMP_OK)
      ampCallAbort(call, status);
  }
  return result->data = (void *)(uintptr_t)(*block)->pointer;
}

void ampCudaResultScalar(ampCudaCall *call, int32_t index, const void *value) {
  memcpy(call->results[index].data, value,
         ampDtypeSize(call->resultInfos[index].dtype));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *ampCudaAlloc(ampCudaCall *call, uint64_t bytes) {
  if (call->mode == CALL_MEASURE)
    return ampMeasureAllocate(call, bytes);
  if (call->mode == CALL_RECORD || call->mode == CALL_UPDATE)
    return ampGraphAllocate(call, bytes);
  struct device *device = call->model->device;
  struct block *block;
  ampStatus status = ampPoolTake(device, bytes, call->stream,
                                 call->mode == CALL_CAPTURED, &block);
  if (status != AMP_OK)
    ampCallAbort(call, status);
  bool kept;
  if (call->mode == CALL_CAPTURED) {
    // The graph that the caller builds may use it whenever it runs.
    pthread_mutex_lock(&call->model->keptLock);
    kept = ampBlocksAdd(&call->model->kept, block);
    pthread_mutex_unlock(&call->model->keptLock);
  } else {
    kept = ampBlocksAdd(&call->blocks, block);
  }
  if (!kept) {
    if (call->mode != CALL_CAPTURED)
      ampPoolGive(device, block, call->stream);
    ampCallFail(call, AMP_OUT_OF_MEMORY, "out of host memory");
  }
  return (void *)(uintptr_t)block->pointer;
}

void ampCudaFree(ampCudaCall *call, void *pointer) {
  if (call->mode == CALL_MEASURE) {
    ampMeasureFree(call, pointer);
    return;
  }
  for (int32_t i = call->blocks.count - 1; i >= 0; --i) {
    struct block *block = call->blocks.items[i];
    if (block->pointer != (CUdeviceptr)(uintptr_t)pointer)
      continue;
    call->blocks.items[i] = call->blocks.items[--call->blocks.count];
    ampPoolGive(call->model->device, block, call->stream);
    return;
  }
  // Memory of a graph stays its own; so does what a caller's graph uses.
}

void *ampCudaHostAlloc(ampCudaCall *call, uint64_t bytes) {
  struct hostBlock *b = NULL;
  if (bytes < (UINT64_MAX >> 2))
    b = aligned_alloc(64, sizeof *b + (bytes + 63) / 64 * 64);
  if (!b)
    ampCallFail(call, AMP_OUT_OF_MEMORY,
                "out of host memory: %llu bytes asked for",
                (unsigned long long)bytes);
  b->previous = NULL;
  b->next = call->hostBlocks;
  if (b->next)
    b->next->previous = b;
  call->hostBlocks = b;
  return b + 1;
}

void ampCudaHostFree(ampCudaCall *call, void *pointer) {
  if (!pointer)
    return;
  struct hostBlock *b = (struct hostBlock *)pointer - 1;
  if (b->previous)
    b->previous->next = b->next;
  else
    call->hostBlocks = b->next;
  if (b->next)
    b->next->previous = b->previous;
  free(b);
}

void *ampCudaConstant(ampCudaCall *call, int32_t index) {
  if (call->mode == CALL_MEASURE)
    return NULL;
  return (void *)(uintptr_t)call->model->constants[index]->pointer;
}

void ampCudaCheckFailed(ampCudaCall *call, const char *message) {
  ampCallFail(call, AMP_CHECK_FAILED, "'%s': %s", call->entry->name, message);
}

/// Fails where generated code that claims to be fit for a graph needs the
/// host.
static void refuseInGraph(ampCudaCall *call, const char *what) {
  if (call->mode == CALL_RECORD || call->mode == CALL_UPDATE)
    ampCallFail(call, AMP_BAD_MODEL,
                "'%s' %s, but is marked as fit for a graph", call->entry->name,
                what);
  if (call->mode == CALL_CAPTURED)
    ampCallFail(call, AMP_INVALID_ARGUMENT,
                "'%s' %s as it runs, which a graph cannot do; do not capture "
                "it",
                call->entry->name, what);
}

/// Waits for the call's stream.
static void waitForStream(ampCudaCall *call, const char *what) {
  CUresult error = ampDriver.cuStreamSynchronize(call->stream);
  if (error != CUDA_SUCCESS)
    ampCallAbort(call, ampDeviceError(call->model->device, error, what));
}

void ampCudaRead(ampCudaCall *call, void *host, const void *device,
                 uint64_t bytes) {
  if (call->mode == CALL_MEASURE)
    ampMeasureEnd(call);
  refuseInGraph(call, "reads device memory");
  CUresult error = ampDriver.cuMemcpyDtoHAsync_v2(
      host, (CUdeviceptr)(uintptr_t)device, bytes, call->stream);
  if (error != CUDA_SUCCESS)
    ampCallAbort(call, ampDeviceError(call->model->device, error,
                                      "cannot read device memory"));
  waitForStream(call, "cannot read device memory");
}

void ampCudaWrite(ampCudaCall *call, void *device, const void *host,
                  uint64_t bytes) {
  if (call->mode == CALL_MEASURE)
    return;
  refuseInGraph(call, "writes device memory");
  CUresult error = ampDriver.cuMemcpyHtoDAsync_v2(
      (CUdeviceptr)(uintptr_t)device, host, bytes, call->stream);
  if (error != CUDA_SUCCESS)
    ampCallAbort(call, ampDeviceError(call->model->device, error,
                                      "cannot write device memory"));
  waitForStream(call, "cannot write device memory");
}

void ampCudaCopy(ampCudaCall *call, int64_t elementBytes, int32_t rank,
                 const int64_t *sizes, void *destination,
                 const int64_t *destinationStrides, const void *source,
                 const int64_t *sourceStrides, uint32_t flags) {
  if (call->mode == CALL_MEASURE) {
    if (flags & AMP_CUDA_COPY_TO_HOST)
      ampMeasureEnd(call);
    return;
  }
  if (flags)
    refuseInGraph(call, "copies between host and device");
  CUresult error =
      ampCopy(call, call->stream, elementBytes, rank, sizes, destination,
              destinationStrides, source, sourceStrides, flags);
  if (error != CUDA_SUCCESS)
    ampCallAbort(call, ampDeviceError(call->model->device, error,
                                      "cannot copy device memory"));
  if (flags)
    waitForStream(call, "cannot copy device memory");
}
