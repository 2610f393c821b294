//===- CopyRate.c - how fast a device copies its memory -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

// Large against every cache, small against every memory.
enum { kMegabytes = 256, kRuns = 10 };

/// The microseconds of one copy: the best of several.
static CUresult timeCopies(CUdeviceptr to, CUdeviceptr from, uint64_t bytes,
                           CUstream stream, float *best) {
  CUevent events[2] = {NULL, NULL};
  CUresult error = CUDA_SUCCESS;
  for (int i = 0; i < 2 && error == CUDA_SUCCESS; ++i)
    error = ampDriver.cuEventCreate(&events[i], CU_EVENT_DEFAULT);
  // The first warms up.
  for (int run = 0; run <= kRuns && error == CUDA_SUCCESS; ++run) {
    float milliseconds = 0;
    error = ampDriver.cuEventRecord(events[0], stream);
    if (error == CUDA_SUCCESS)
      error = ampDriver.cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
    if (error == CUDA_SUCCESS)
      error = ampDriver.cuEventRecord(events[1], stream);
    if (error == CUDA_SUCCESS)
      error = ampDriver.cuEventSynchronize(events[1]);
    if (error == CUDA_SUCCESS)
      error = ampDriver.cuEventElapsedTime(&milliseconds, events[0], events[1]);
    if (run && (run == 1 || milliseconds < *best))
      *best = milliseconds;
  }
  for (int i = 0; i < 2; ++i)
    if (events[i])
      ampDriver.cuEventDestroy_v2(events[i]);
  return error;
}

ampStatus ampModelCopyRate(ampModel *model, double *bytesPerSecond) {
  if (!bytesPerSecond)
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelCopyRate: null argument");
  *bytesPerSecond = 0;
  const uint64_t bytes = (uint64_t)kMegabytes << 20;
  void *blocks[2] = {NULL, NULL};
  void *stream = NULL;
  ampStatus status = ampStreamCreate(model, &stream);
  if (status != AMP_OK)
    return status;
  for (int i = 0; i < 2 && status == AMP_OK; ++i)
    status = ampModelAllocate(model, bytes, &blocks[i], stream);
  if (status == AMP_OK)
    status = ampEnter(model->device);
  if (status == AMP_OK) {
    float milliseconds = 0;
    CUresult error = timeCopies((CUdeviceptr)(uintptr_t)blocks[0],
                                (CUdeviceptr)(uintptr_t)blocks[1], bytes,
                                stream, &milliseconds);
    if (error != CUDA_SUCCESS)
      status = ampDeviceError(model->device, error, "cannot time a copy");
    else if (milliseconds > 0) // of a simulated device, there is none
      *bytesPerSecond = 2e3 * (double)bytes / milliseconds;
    ampLeave();
  }
  // What went wrong first is what the caller hears of.
  for (int i = 0; i < 2; ++i)
    if (blocks[i] && ampModelRelease(model, blocks[i], stream) != AMP_OK)
      break;
  ampStreamDestroy(model, stream);
  return status;
}
