//===- Launch.c - launches and tensor maps --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

/// Ends the call because of `error` at the launch of `kernel`.
_Noreturn static void failLaunch(struct ampCudaCall *call, int32_t kernel,
                                 CUresult error, const char *what) {
  const ampCudaKernelDesc *desc = &call->model->desc->kernels[kernel];
  ampCallAbort(call, ampSetDriverError(error, "kernel '%s' (%s): %s",
                                       desc->name, desc->location, what));
}

/// Asks for more dynamic shared memory than kernels have by default.
static void allowShared(struct ampCudaCall *call, int32_t kernel,
                        int64_t bytes) {
  // What every kernel may have without asking, static and dynamic.
  enum { kDefault = 48 * 1024 };
  struct ampModel *model = call->model;
  const ampCudaKernelDesc *desc = &model->desc->kernels[kernel];
  if (atomic_load_explicit(&model->sharedLimits[kernel],
                           memory_order_relaxed) >= bytes)
    return;
  int fixed = 0;
  CUfunction function = model->functions[kernel];
  CUresult error = ampDriver.cuFuncGetAttribute(
      &fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  if (error != CUDA_SUCCESS)
    failLaunch(call, kernel, error, "cannot ask for its shared memory");
  if (bytes + fixed > model->device->maxSharedBytes && bytes + fixed > kDefault)
    ampCallFail(call, AMP_BAD_MODEL,
                "kernel '%s' (%s) needs %lld bytes of shared memory, but "
                "blocks on CUDA device %d have at most %d",
                desc->name, desc->location, (long long)(bytes + fixed),
                model->device->ordinal, model->device->maxSharedBytes);
  // All that there is, once: threads that come here together agree.
  int limit = kDefault - fixed;
  if (bytes + fixed > kDefault) {
    limit = model->device->maxSharedBytes - fixed;
    error = ampDriver.cuFuncSetAttribute(
        function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limit);
    if (error != CUDA_SUCCESS)
      failLaunch(call, kernel, error, "cannot ask for more shared memory");
  }
  int known =
      atomic_load_explicit(&model->sharedLimits[kernel], memory_order_relaxed);
  while (known < limit && !atomic_compare_exchange_weak(
                              &model->sharedLimits[kernel], &known, limit))
    ;
}

/// Records the two events around a launch that is profiled.
static void recordEvent(struct ampCudaCall *call, int32_t kernel) {
  struct profile *profile = call->profile;
  if (!profile || profile->count >= profile->capacity)
    return;
  CUevent *event = &profile->events[profile->numEvents];
  CUresult error = ampDriver.cuEventCreate(event, CU_EVENT_DEFAULT);
  if (error == CUDA_SUCCESS) {
    ++profile->numEvents;
    error = ampDriver.cuEventRecord(*event, call->stream);
  }
  if (error != CUDA_SUCCESS)
    failLaunch(call, kernel, error, "cannot measure its time");
}

/// Notes what was launched.
static void noteLaunch(struct ampCudaCall *call, int32_t kernel,
                       const CUlaunchConfig *config, const unsigned *cluster) {
  struct profile *profile = call->profile;
  if (!profile)
    return;
  size_t index = profile->count++;
  if (index >= profile->capacity)
    return;
  const ampCudaKernelDesc *desc = &call->model->desc->kernels[kernel];
  ampKernelTime time = {
      desc->name,
      desc->location,
      0,
      {config->gridDimX, config->gridDimY, config->gridDimZ},
      {config->blockDimX, config->blockDimY, config->blockDimZ},
      {cluster[0], cluster[1], cluster[2]},
      config->sharedMemBytes};
  profile->times[index] = time;
}

/// The blocks along x of a kernel that does the same with any number of them:
/// no more than the device holds at once, in whole clusters.
static int64_t getPersistentGrid(const struct device *device, int64_t gridX,
                                 int64_t clusterX, uint32_t flags) {
  int64_t blocks = flags >> AMP_CUDA_LAUNCH_PERSISTENT_SHIFT & 0xff;
  int64_t most = blocks * device->multiprocessors;
  if (!most || gridX <= most)
    return gridX;
  if (clusterX > 1)
    most = most < clusterX ? clusterX : most / clusterX * clusterX;
  return most;
}

/// Whether a size of a grid or block is one that the driver's fields hold.
static bool fits(int64_t size) { return size > 0 && size <= INT32_MAX; }

void ampCudaLaunch(ampCudaCall *call, int32_t kernel, int64_t gridX,
                   int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
                   int64_t blockZ, int64_t clusterX, int64_t clusterY,
                   int64_t clusterZ, int64_t sharedBytes, void **params,
                   uint32_t flags) {
  if (call->mode == CALL_MEASURE)
    return;
  struct ampModel *model = call->model;
  const ampCudaKernelDesc *desc = &model->desc->kernels[kernel];
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  if (!fits(gridX) || !fits(gridY) || !fits(gridZ) || !fits(blockX) ||
      !fits(blockY) || !fits(blockZ) || gridY > 65535 || gridZ > 65535 ||
      sharedBytes < 0 || sharedBytes > INT32_MAX)
    ampCallFail(call, AMP_CHECK_FAILED,
                "kernel '%s' (%s): a grid of %lld x %lld x %lld blocks of "
                "%lld x %lld x %lld threads with %lld bytes of shared memory "
                "is beyond what CUDA has",
                desc->name, desc->location, (long long)gridX, (long long)gridY,
                (long long)gridZ, (long long)blockX, (long long)blockY,
                (long long)blockZ, (long long)sharedBytes);
  gridX = getPersistentGrid(model->device, gridX, clusterX, flags);
  if (sharedBytes)
    allowShared(call, kernel, sharedBytes);

  CUlaunchAttribute attributes[2];
  unsigned cluster[3] = {(unsigned)clusterX, (unsigned)clusterY,
                         (unsigned)clusterZ};
  CUlaunchConfig config;
  memset(&config, 0, sizeof config);
  memset(attributes, 0, sizeof attributes);
  config.gridDimX = (unsigned)gridX;
  config.gridDimY = (unsigned)gridY;
  config.gridDimZ = (unsigned)gridZ;
  config.blockDimX = (unsigned)blockX;
  config.blockDimY = (unsigned)blockY;
  config.blockDimZ = (unsigned)blockZ;
  config.sharedMemBytes = (unsigned)sharedBytes;
  config.hStream = call->stream;
  config.attrs = attributes;
  if (clusterX > 0 && clusterY > 0 && clusterZ > 0) {
    CUlaunchAttribute *attribute = &attributes[config.numAttrs++];
    attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute->value.clusterDim.x = cluster[0];
    attribute->value.clusterDim.y = cluster[1];
    attribute->value.clusterDim.z = cluster[2];
  }
  // A graph of the caller gets plain launches: what it does with the edges is
  // its own affair.
  if (flags & AMP_CUDA_LAUNCH_DEPENDENT && call->mode != CALL_CAPTURED &&
      model->overlaps) {
    CUlaunchAttribute *attribute = &attributes[config.numAttrs++];
    attribute->id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute->value.programmaticStreamSerializationAllowed = 1;
  }

  atomic_store_explicit(&model->device->lastKernel, desc, memory_order_relaxed);
  if (call->mode == CALL_RECORD || call->mode == CALL_UPDATE) {
    config.hStream = model->captureStream;
    ampGraphKernel(call, kernel, &config, params);
    return;
  }
  recordEvent(call, kernel);
  CUresult error = ampDriver.cuLaunchKernelEx(&config, model->functions[kernel],
                                              params, NULL);
  if (error != CUDA_SUCCESS)
    failLaunch(call, kernel, error, "cannot be launched");
  ++model->kernelsLaunched;
  recordEvent(call, kernel);
  noteLaunch(call, kernel, &config, cluster);
  if (!model->synchronous || call->mode == CALL_CAPTURED)
    return;
  error = ampDriver.cuStreamSynchronize(call->stream);
  if (error != CUDA_SUCCESS)
    failLaunch(call, kernel, error, "failed on the device");
}

/// Ends the call where a tensor map cannot be of the tensor: what the driver
/// would refuse with no more than "invalid argument".
static void checkMapped(struct ampCudaCall *call, int32_t rank,
                        const void *base, const uint64_t *byteStrides) {
  if ((uintptr_t)base % 16)
    ampCallAbort(call, ampSetError(AMP_INVALID_ARGUMENT,
                                   "'%s': a tensor begins at %p, but a tensor "
                                   "map needs a multiple of 16",
                                   call->entry->name, base));
  for (int32_t d = 0; d + 1 < rank; ++d)
    if (byteStrides[d] % 16 || byteStrides[d] >> 40)
      ampCallAbort(call,
                   ampSetError(AMP_INVALID_ARGUMENT,
                               "'%s': a tensor has a stride of %llu bytes, but "
                               "a tensor map needs a multiple of 16 below 2^40",
                               call->entry->name,
                               (unsigned long long)byteStrides[d]));
}

/// Hands the map out, or ends the call because of `error`.
static void finishMap(struct ampCudaCall *call, CUresult error, int32_t rank,
                      const CUtensorMap *made, void *map) {
  if (error != CUDA_SUCCESS)
    ampCallAbort(call,
                 ampSetDriverError(error,
                                   "'%s': a tensor map cannot be encoded (rank "
                                   "%d)",
                                   call->entry->name, rank));
  memcpy(map, made, sizeof *made);
}

void ampCudaTensorMapTiled(ampCudaCall *call, void *map, int32_t dataType,
                           int32_t rank, void *base, const uint64_t *sizes,
                           const uint64_t *byteStrides, const uint32_t *box,
                           const uint32_t *elementStrides, int32_t interleave,
                           int32_t swizzle, int32_t l2Promotion, int32_t fill) {
  if (call->mode == CALL_MEASURE)
    return;
  checkMapped(call, rank, base, byteStrides);
  // The driver wants 64 bytes of alignment; generated code may have less.
  _Alignas(64) CUtensorMap made;
  CUresult error = ampDriver.cuTensorMapEncodeTiled(
      &made, dataType, (uint32_t)rank, base, sizes, byteStrides, box,
      elementStrides, interleave, swizzle, l2Promotion, fill);
  finishMap(call, error, rank, &made, map);
}

void ampCudaTensorMapIm2col(ampCudaCall *call, void *map, int32_t dataType,
                            int32_t rank, void *base, const uint64_t *sizes,
                            const uint64_t *byteStrides,
                            const int32_t *lowerCorner,
                            const int32_t *upperCorner, int32_t channels,
                            int32_t pixels, const uint32_t *elementStrides,
                            int32_t interleave, int32_t swizzle,
                            int32_t l2Promotion, int32_t fill) {
  if (call->mode == CALL_MEASURE)
    return;
  checkMapped(call, rank, base, byteStrides);
  _Alignas(64) CUtensorMap made;
  CUresult error = ampDriver.cuTensorMapEncodeIm2col(
      &made, dataType, (uint32_t)rank, base, sizes, byteStrides, lowerCorner,
      upperCorner, (uint32_t)channels, (uint32_t)pixels, elementStrides,
      interleave, swizzle, l2Promotion, fill);
  finishMap(call, error, rank, &made, map);
}
