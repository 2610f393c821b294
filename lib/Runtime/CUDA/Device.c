//===- Device.c - devices and their primary contexts ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

enum { kMaxDevices = 64 };

static pthread_mutex_t tableLock = PTHREAD_MUTEX_INITIALIZER;
static struct device *table[kMaxDevices];

ampStatus ampDeviceCount(int32_t *count) {
  if (!count)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampDeviceCount: null argument");
  *count = 0;
  ampStatus status = ampOpenDriver();
  if (status != AMP_OK)
    return status;
  int found = 0;
  CUresult error = ampDriver.cuDeviceGetCount(&found);
  if (error != CUDA_SUCCESS)
    return ampSetDriverError(error, "cannot count the CUDA devices");
  if (found == 0)
    return ampSetError(AMP_NO_DEVICE, "no CUDA device");
  *count = found;
  return AMP_OK;
}

/// The driver's handle of device `ordinal`.
static ampStatus getHandle(int ordinal, CUdevice *handle) {
  int32_t count;
  ampStatus status = ampDeviceCount(&count);
  if (status != AMP_OK)
    return status;
  if (ordinal < 0 || ordinal >= count || ordinal >= kMaxDevices)
    return ampSetError(AMP_NO_DEVICE,
                       "no CUDA device %d; this process sees %d, from 0 on",
                       ordinal, count);
  CUresult error = ampDriver.cuDeviceGet(handle, ordinal);
  if (error != CUDA_SUCCESS)
    return ampSetDriverError(error, "CUDA device %d", ordinal);
  return AMP_OK;
}

static int getAttribute(CUdevice handle, int attribute) {
  int value = 0;
  // What an old driver does not know is zero.
  if (ampDriver.cuDeviceGetAttribute(&value, attribute, handle) != CUDA_SUCCESS)
    return 0;
  return value;
}

ampStatus ampDeviceQuery(int32_t device, ampDeviceInfo *info) {
  if (!info)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampDeviceQuery: null argument");
  memset(info, 0, sizeof *info);
  CUdevice handle;
  ampStatus status = getHandle(device, &handle);
  if (status != AMP_OK)
    return status;
  size_t bytes = 0;
  CUresult error =
      ampDriver.cuDeviceGetName(info->name, (int)sizeof info->name, handle);
  if (error == CUDA_SUCCESS)
    error = ampDriver.cuDeviceTotalMem_v2(&bytes, handle);
  if (error != CUDA_SUCCESS)
    return ampSetDriverError(error, "CUDA device %d", device);
  info->memoryBytes = bytes;
  info->major =
      getAttribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info->minor =
      getAttribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info->multiprocessors =
      getAttribute(handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info->clockKHz = getAttribute(handle, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info->memoryClockKHz =
      getAttribute(handle, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info->memoryBusBits =
      getAttribute(handle, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  return AMP_OK;
}

static ampStatus acquireLocked(int ordinal, struct device **device) {
  CUdevice handle;
  ampStatus status = getHandle(ordinal, &handle);
  if (status != AMP_OK)
    return status;
  struct device *found = table[ordinal];
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found)
      return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
    pthread_mutex_init(&found->poolLock, NULL);
    found->ordinal = ordinal;
    found->handle = handle;
    CUresult error =
        ampDriver.cuDevicePrimaryCtxRetain(&found->context, handle);
    if (error != CUDA_SUCCESS) {
      pthread_mutex_destroy(&found->poolLock);
      free(found);
      return ampSetDriverError(error, "cannot use CUDA device %d", ordinal);
    }
    found->major =
        getAttribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    found->minor =
        getAttribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    found->maxSharedBytes = getAttribute(
        handle, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    found->multiprocessors =
        getAttribute(handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    table[ordinal] = found;
  }
  ++found->users;
  *device = found;
  return AMP_OK;
}

ampStatus ampAcquireDevice(int ordinal, struct device **device) {
  pthread_mutex_lock(&tableLock);
  ampStatus status = acquireLocked(ordinal, device);
  pthread_mutex_unlock(&tableLock);
  return status;
}

void ampReleaseDevice(struct device *device) {
  pthread_mutex_lock(&tableLock);
  if (--device->users == 0) {
    table[device->ordinal] = NULL;
    if (ampDriver.cuCtxPushCurrent_v2(device->context) == CUDA_SUCCESS) {
      ampPoolDestroy(device);
      ampLeave();
    }
    ampDriver.cuDevicePrimaryCtxRelease_v2(device->handle);
    pthread_mutex_destroy(&device->poolLock);
    free(device);
  }
  pthread_mutex_unlock(&tableLock);
}

ampStatus ampEnter(struct device *device) {
  CUresult error = ampDriver.cuCtxPushCurrent_v2(device->context);
  if (error != CUDA_SUCCESS)
    return ampSetDriverError(error, "CUDA device %d", device->ordinal);
  return AMP_OK;
}

void ampLeave(void) {
  CUcontext context;
  ampDriver.cuCtxPopCurrent_v2(&context);
}

int ampRelaxCapture(void) {
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ampDriver.cuThreadExchangeStreamCaptureMode(&mode);
  return mode;
}

void ampRestoreCapture(int mode) {
  ampDriver.cuThreadExchangeStreamCaptureMode(&mode);
}

ampStatus ampDeviceError(struct device *device, CUresult error,
                         const char *what) {
  const ampCudaKernelDesc *last =
      atomic_load_explicit(&device->lastKernel, memory_order_relaxed);
  if (ampStatusOf(error) != AMP_DEVICE_FAULT)
    return ampSetDriverError(error, "%s", what);
  if (!last)
    return ampSetDriverError(
        error, "%s: a kernel faulted on CUDA device %d; none of this runtime",
        what, device->ordinal);
  return ampSetDriverError(
      error,
      "%s: a kernel faulted on CUDA device %d; the last one launched was '%s' "
      "(%s); AMP_CUDA_SYNC=1 finds the one that faults",
      what, device->ordinal, last->name, last->location);
}
