//===- Pool.c - reuse of device memory ------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>

// cuMemAlloc and cuMemFree wait for the device, so that blocks are kept. A
// call takes few of them (its arena, copies of host tensors), therefore a list
// and whole blocks do. A block is handed from one stream to another by an
// event; the driver drops a wait on the block's own stream.

/// Sizes are rounded, so that slowly growing shapes find old blocks.
static uint64_t roundUp(uint64_t bytes) {
  uint64_t unit = bytes < (1u << 20) ? 512 : (1u << 21);
  return (bytes + unit - 1) / unit * unit;
}

/// The smallest free block that wastes at most a quarter, one of `stream` when
/// there are several of a size. With `capturing`, one that is idle.
static struct block *findFree(struct device *device, uint64_t bytes,
                              CUstream stream, bool capturing) {
  struct block *best = NULL;
  uint64_t most = bytes + bytes / 4 + (1u << 16);
  for (struct block *b = device->blocks; b; b = b->next) {
    if (b->used || b->bytes < bytes || b->bytes > most)
      continue;
    if (best && (b->bytes > best->bytes ||
                 (b->bytes == best->bytes && b->stream != stream)))
      continue;
    if (capturing && b->recorded &&
        ampDriver.cuEventQuery(b->event) != CUDA_SUCCESS)
      continue;
    best = b;
  }
  return best;
}

/// Gives all free blocks back to the driver, which waits for their work.
static void trim(struct device *device) {
  for (struct block **link = &device->blocks; *link;) {
    struct block *b = *link;
    if (b->used) {
      link = &b->next;
      continue;
    }
    *link = b->next;
    device->poolBytes -= b->bytes;
    if (b->recorded)
      ampDriver.cuEventSynchronize(b->event);
    ampDriver.cuMemFree_v2(b->pointer);
    ampDriver.cuEventDestroy_v2(b->event);
    free(b);
  }
}

static CUresult allocate(struct device *device, uint64_t bytes,
                         struct block **result) {
  struct block *b = calloc(1, sizeof *b);
  if (!b)
    return CUDA_ERROR_OUT_OF_MEMORY;
  b->bytes = bytes;
  CUresult error = ampDriver.cuEventCreate(&b->event, CU_EVENT_DISABLE_TIMING);
  if (error != CUDA_SUCCESS) {
    free(b);
    return error;
  }
  error = ampDriver.cuMemAlloc_v2(&b->pointer, bytes);
  if (error == CUDA_ERROR_OUT_OF_MEMORY) {
    trim(device);
    error = ampDriver.cuMemAlloc_v2(&b->pointer, bytes);
  }
  if (error != CUDA_SUCCESS) {
    ampDriver.cuEventDestroy_v2(b->event);
    free(b);
    return error;
  }
  b->next = device->blocks;
  device->blocks = b;
  device->poolBytes += bytes;
  *result = b;
  return CUDA_SUCCESS;
}

/// The error of a request that could not be met.
static ampStatus reportFailure(struct device *device, CUresult error,
                               uint64_t bytes) {
  if (error != CUDA_ERROR_OUT_OF_MEMORY)
    return ampDeviceError(device, error, "cannot allocate device memory");
  size_t available = 0, total = 0;
  if (ampDriver.cuMemGetInfo_v2(&available, &total) != CUDA_SUCCESS)
    available = total = 0;
  return ampSetDriverError(
      error,
      "CUDA device %d is out of memory: %llu bytes asked for, %llu of %llu "
      "free, %llu in use by this runtime",
      device->ordinal, (unsigned long long)bytes, (unsigned long long)available,
      (unsigned long long)total, (unsigned long long)device->poolUsedBytes);
}

ampStatus ampPoolTake(struct device *device, uint64_t bytes, CUstream stream,
                      bool capturing, struct block **block) {
  if (bytes > (UINT64_MAX >> 2))
    return ampSetError(AMP_OUT_OF_MEMORY, "a buffer of %llu bytes is too large",
                       (unsigned long long)bytes);
  bytes = roundUp(bytes ? bytes : 1);
  int mode = ampRelaxCapture();
  pthread_mutex_lock(&device->poolLock);
  struct block *b = findFree(device, bytes, stream, capturing);
  CUresult error = CUDA_SUCCESS;
  if (!b)
    error = allocate(device, bytes, &b);
  else if (b->recorded && !capturing)
    error = ampDriver.cuStreamWaitEvent(stream, b->event, 0);
  ampStatus status = AMP_OK;
  if (error != CUDA_SUCCESS) {
    status = reportFailure(device, error, bytes);
  } else {
    b->used = true;
    b->recorded = false;
    device->poolUsedBytes += b->bytes;
    *block = b;
  }
  pthread_mutex_unlock(&device->poolLock);
  ampRestoreCapture(mode);
  return status;
}

void ampPoolGive(struct device *device, struct block *block, CUstream stream) {
  int mode = ampRelaxCapture();
  pthread_mutex_lock(&device->poolLock);
  block->used = false;
  block->stream = stream;
  device->poolUsedBytes -= block->bytes;
  // Where the record fails (a stream that the caller is capturing, a lost
  // context), wait instead: reuse without order would be silent corruption.
  block->recorded =
      ampDriver.cuEventRecord(block->event, stream) == CUDA_SUCCESS;
  if (!block->recorded)
    ampDriver.cuCtxSynchronize();
  pthread_mutex_unlock(&device->poolLock);
  ampRestoreCapture(mode);
}

struct block *ampPoolFind(struct device *device, CUdeviceptr pointer) {
  pthread_mutex_lock(&device->poolLock);
  struct block *b = device->blocks;
  while (b && !(b->used && b->pointer == pointer))
    b = b->next;
  pthread_mutex_unlock(&device->poolLock);
  return b;
}

void ampPoolDestroy(struct device *device) {
  for (struct block *b = device->blocks; b; b = b->next)
    b->used = false;
  trim(device);
}
