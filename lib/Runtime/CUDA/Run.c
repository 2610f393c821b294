//===- Run.c - running functions of a model -------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

/// One run: the call, and what belongs to it.
struct run {
  struct ampCudaCall call;
  const ampTensor *arguments;
  ampTensor *results;
  /// Device copies of arguments.
  struct blocks staging;
  bool usesHost;
};

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

ampStatus ampCheckTensor(const ampCudaEntryDesc *entry, const char *kind,
                         int32_t index, const ampTensor *tensor,
                         bool needsData) {
  bool isResult = *kind == 'r';
  const ampValueInfo *info =
      isResult ? &entry->results[index] : &entry->arguments[index];
#define AMP_FAIL(...) return ampSetError(AMP_INVALID_ARGUMENT, __VA_ARGS__)
  if (tensor->dtype != info->dtype)
    AMP_FAIL("'%s': %s %d must have type %s, but has %s", entry->name, kind,
             index, ampDtypeName(info->dtype),
             ampDtypeName(tensor->dtype) ? ampDtypeName(tensor->dtype)
                                         : "an unknown one");
  if (info->flags & AMP_VALUE_SCALAR) {
    if (!tensor->data || tensor->onDevice)
      AMP_FAIL("'%s': %s %d is a number: expected a pointer to host memory",
               entry->name, kind, index);
    return AMP_OK;
  }
  if (tensor->rank != info->rank)
    AMP_FAIL("'%s': %s %d must have rank %d, but has %d", entry->name, kind,
             index, info->rank, tensor->rank);
  if (info->rank && !tensor->shape)
    AMP_FAIL("'%s': %s %d has no shape", entry->name, kind, index);
  if (isResult && !tensor->data)
    return AMP_OK;
  for (int32_t d = 0; d < info->rank; ++d) {
    if (info->shape[d] != AMP_DYNAMIC && info->shape[d] != tensor->shape[d])
      AMP_FAIL("'%s': %s %d must have size %lld in dimension %d, but has %lld",
               entry->name, kind, index, (long long)info->shape[d], d,
               (long long)tensor->shape[d]);
    if (tensor->strides && tensor->strides[d] < 0)
      AMP_FAIL("'%s': %s %d has a negative stride in dimension %d", entry->name,
               kind, index, d);
    if (isResult && tensor->strides && tensor->strides[d] == 0 &&
        tensor->shape[d] > 1)
      AMP_FAIL("'%s': result %d overlaps itself: its stride in dimension %d is "
               "zero",
               entry->name, index, d);
  }
  uint64_t bytes;
  if (!ampTensorBytes(info->dtype, info->rank, tensor->shape, &bytes))
    AMP_FAIL("'%s': %s %d has a negative or too large size", entry->name, kind,
             index);
  if (needsData && !tensor->data && bytes)
    AMP_FAIL("'%s': %s %d has no data", entry->name, kind, index);
#undef AMP_FAIL
  return AMP_OK;
}

static ampStatus checkAll(const ampModel *model, int32_t function,
                          const ampTensor *arguments, int32_t numArguments,
                          const ampTensor *results, int32_t numResults) {
  if (!model)
    return ampSetError(AMP_INVALID_ARGUMENT, "the model is null");
  if (function < 0 || function >= model->desc->numEntries)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "the model has no function %d; it has %d, from 0 on",
                       function, model->desc->numEntries);
  const ampCudaEntryDesc *entry = &model->desc->entries[function];
  if (numArguments != entry->numArguments || numResults != entry->numResults ||
      (numArguments && !arguments) || (numResults && !results))
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "'%s' has %d arguments and %d results, but is given %d "
                       "and %d",
                       entry->name, entry->numArguments, entry->numResults,
                       arguments ? numArguments : 0, results ? numResults : 0);
  for (int32_t i = 0; i < numArguments; ++i) {
    ampStatus status =
        ampCheckTensor(entry, "argument", i, &arguments[i], true);
    if (status != AMP_OK)
      return status;
  }
  for (int32_t i = 0; i < numResults; ++i) {
    ampStatus status = ampCheckTensor(entry, "result", i, &results[i], true);
    if (status != AMP_OK)
      return status;
  }
  return AMP_OK;
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

/// Copies between a caller's tensor and `packed`, which has no gaps.
static ampStatus copyTensor(struct run *run, const ampTensor *tensor,
                            CUdeviceptr packed, bool toTensor) {
  struct ampCudaCall *call = &run->call;
  int64_t *strides = malloc(2 * ((size_t)tensor->rank + 1) * sizeof *strides);
  if (!strides)
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  int64_t *theirs = strides + tensor->rank, stride = 1;
  for (int32_t d = tensor->rank - 1; d >= 0; --d) {
    strides[d] = stride;
    theirs[d] = tensor->strides ? tensor->strides[d] : stride;
    stride *= tensor->shape[d];
  }
  int64_t bytes = (int64_t)ampDtypeSize(tensor->dtype);
  void *device = (void *)(uintptr_t)packed;
  CUresult error =
      toTensor ? ampCopy(NULL, call->stream, bytes, tensor->rank, tensor->shape,
                         tensor->data, theirs, device, strides,
                         tensor->onDevice ? 0 : AMP_CUDA_COPY_TO_HOST)
               : ampCopy(NULL, call->stream, bytes, tensor->rank, tensor->shape,
                         device, strides, tensor->data, theirs,
                         tensor->onDevice ? 0 : AMP_CUDA_COPY_FROM_HOST);
  free(strides);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(call->model->device, error,
                          toTensor ? "cannot copy a result"
                                   : "cannot copy an argument");
  return AMP_OK;
}

/// Makes argument `i` one that generated code can read.
static ampStatus stageArgument(struct run *run, int32_t i) {
  struct ampCudaCall *call = &run->call;
  const ampTensor *tensor = &run->arguments[i];
  struct value *value = &call->arguments[i];
  value->data = tensor->data;
  value->shape = tensor->shape;
  uint32_t flags = call->entry->arguments[i].flags;
  if (flags & AMP_VALUE_SCALAR)
    return AMP_OK;
  if (flags & AMP_VALUE_WEIGHT) {
    const struct weight *weight = &call->state->weights[i];
    if (weight->copy)
      value->data = (void *)(uintptr_t)weight->copy->pointer;
    return AMP_OK;
  }
  if (ampIsUsable(tensor))
    return AMP_OK;
  if (!tensor->onDevice && call->mode == CALL_CAPTURED)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "'%s': argument %d is in host memory, which a stream "
                       "that is being captured cannot copy",
                       call->entry->name, i);
  uint64_t bytes = 0;
  ampTensorBytes(tensor->dtype, tensor->rank, tensor->shape, &bytes);
  struct block *block;
  ampStatus status = ampPoolTake(call->model->device, bytes, call->stream,
                                 call->mode == CALL_CAPTURED, &block);
  if (status != AMP_OK)
    return status;
  if (!ampBlocksAdd(&run->staging, block)) {
    ampPoolGive(call->model->device, block, call->stream);
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  }
  run->usesHost |= !tensor->onDevice;
  value->data = (void *)(uintptr_t)block->pointer;
  return copyTensor(run, tensor, block->pointer, /*toTensor=*/false);
}

/// Brings result `i` to where the caller wants it.
static ampStatus deliverResult(struct run *run, int32_t i) {
  struct ampCudaCall *call = &run->call;
  const ampValueInfo *info = &call->resultInfos[i];
  ampTensor *tensor = &run->results[i];
  struct block *block = call->resultBlocks[i];
  if (info->flags & AMP_VALUE_SCALAR || !block)
    return AMP_OK;
  bool isFresh = !tensor->data;
  if (isFresh && info->rank)
    memcpy(tensor->shape, call->resultShapes[i],
           (size_t)info->rank * sizeof *tensor->shape);
  if (isFresh && tensor->onDevice) {
    // The block is the caller's from now on.
    tensor->data = (void *)(uintptr_t)block->pointer;
    tensor->strides = NULL;
    call->resultBlocks[i] = NULL;
    return AMP_OK;
  }
  if (isFresh) {
    uint64_t bytes = 0;
    ampTensorBytes(info->dtype, info->rank, tensor->shape, &bytes);
    tensor->data = malloc(bytes ? bytes : 1);
    tensor->strides = NULL;
    if (!tensor->data)
      return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  }
  run->usesHost |= !tensor->onDevice;
  return copyTensor(run, tensor, block->pointer, /*toTensor=*/true);
}

static ampStatus checkCapture(struct run *run) {
  const struct ampCudaCall *call = &run->call;
  if (call->mode != CALL_CAPTURED)
    return AMP_OK;
  for (int32_t i = 0; i < call->numResults; ++i)
    if (!(call->resultInfos[i].flags & AMP_VALUE_SCALAR) &&
        !run->results[i].onDevice)
      return ampSetError(AMP_INVALID_ARGUMENT,
                         "'%s': result %d is in host memory, which a stream "
                         "that is being captured cannot copy",
                         call->entry->name, i);
  return AMP_OK;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static ampStatus execute(struct run *run) {
  struct ampCudaCall *call = &run->call;
  struct ampModel *model = call->model;
  if (call->mode == CALL_PLAIN && !call->profile && model->useGraphs &&
      call->entry->flags & AMP_CUDA_ENTRY_CAPTURABLE) {
    pthread_mutex_lock(&model->graphLock);
    struct graph *graph = ampGraphFor(call);
    ampStatus status = graph ? ampGraphRun(call, graph) : AMP_OK;
    pthread_mutex_unlock(&model->graphLock);
    if (graph)
      return status;
  }
  ++model->plainRuns;
  return ampCallRun(call, call->entry->function);
}

/// Everything between preparation and the release of memory.
static ampStatus stageAndRun(struct run *run) {
  struct ampCudaCall *call = &run->call;
  const ampCudaEntryDesc *entry = call->entry;
  ampStatus status = checkCapture(run);
  for (int32_t i = 0; status == AMP_OK && i < entry->numArguments; ++i)
    status = stageArgument(run, i);
  for (int32_t i = 0; i < entry->numPrepared; ++i)
    call->arguments[entry->numArguments + i] = call->state->prepared[i];
  for (int32_t i = 0; i < call->numResults; ++i)
    if (call->resultInfos[i].flags & AMP_VALUE_SCALAR)
      call->results[i].data = run->results[i].data;
  if (status == AMP_OK)
    status = execute(run);
  for (int32_t i = 0; status == AMP_OK && i < call->numResults; ++i)
    status = deliverResult(run, i);
  // Also after a failure: copies from the caller's memory may be under way.
  if (run->usesHost) {
    CUresult error = ampDriver.cuStreamSynchronize(call->stream);
    if (error != CUDA_SUCCESS && status == AMP_OK)
      status = ampDeviceError(call->model->device, error,
                              "cannot copy between host and device");
  }
  return status;
}

/// Gives back the call's device memory; what a captured run used is kept.
static void releaseBlock(struct run *run, struct block *block) {
  struct ampModel *model = run->call.model;
  if (run->call.mode == CALL_CAPTURED) {
    pthread_mutex_lock(&model->keptLock);
    bool isKept = ampBlocksAdd(&model->kept, block);
    pthread_mutex_unlock(&model->keptLock);
    // Without room to note it, it is never reused.
    (void)isKept;
    return;
  }
  ampPoolGive(model->device, block, run->call.stream);
}

/// Sets up the arrays of the call in `memory`; returns their size when that is
/// null.
static size_t layOut(struct run *run, char *memory) {
  struct ampCudaCall *call = &run->call;
  size_t arguments = (size_t)call->numArguments,
         results = (size_t)call->numResults, sizes = 1, bytes = 0;
  for (size_t i = 0; i < results; ++i)
    sizes += (size_t)call->resultInfos[i].rank;
#define AMP_TAKE(field, type, count)                                           \
  if (memory)                                                                  \
    field = (type *)(void *)(memory + bytes);                                  \
  bytes += (count) * sizeof(type);
  int64_t *shapes = NULL;
  AMP_TAKE(call->arguments, struct value, arguments)
  AMP_TAKE(call->results, struct value, results)
  AMP_TAKE(call->resultShapes, int64_t *, results)
  AMP_TAKE(call->resultBlocks, struct block *, results)
  AMP_TAKE(shapes, int64_t, sizes)
#undef AMP_TAKE
  for (size_t i = 0; memory && i < results; ++i) {
    call->resultShapes[i] = shapes;
    shapes += call->resultInfos[i].rank;
  }
  return bytes;
}

static ampStatus runPrepared(struct run *run) {
  struct ampCudaCall *call = &run->call;
  char *memory = calloc(1, layOut(run, NULL));
  if (!memory)
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  layOut(run, memory);
  ampStatus status = stageAndRun(run);
  for (int32_t i = 0; i < run->staging.count; ++i)
    releaseBlock(run, run->staging.items[i]);
  free(run->staging.items);
  for (int32_t i = 0; i < call->numResults; ++i)
    if (call->resultBlocks[i])
      releaseBlock(run, call->resultBlocks[i]);
  free(memory);
  return status;
}

/// ampModelRun, and ampModelProfile with `profile`.
static ampStatus runFunction(ampModel *model, int32_t function,
                             const ampTensor *arguments, int32_t numArguments,
                             ampTensor *results, int32_t numResults,
                             CUstream stream, struct profile *profile) {
  ampStatus status =
      checkAll(model, function, arguments, numArguments, results, numResults);
  if (status != AMP_OK)
    return status;
  status = ampEnter(model->device);
  if (status != AMP_OK)
    return status;
  const ampCudaEntryDesc *entry = &model->desc->entries[function];
  struct run run;
  memset(&run, 0, sizeof run);
  run.arguments = arguments;
  run.results = results;
  struct ampCudaCall *call = &run.call;
  call->model = model;
  call->entry = entry;
  call->state = &model->entries[function];
  call->stream = stream;
  call->numArguments = numArguments + entry->numPrepared;
  call->resultInfos = entry->results;
  call->resultTensors = results;
  call->numResults = numResults;
  call->profile = profile;
  int capture = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult error = ampDriver.cuStreamIsCapturing(stream, &capture);
  if (error != CUDA_SUCCESS) {
    status = ampDeviceError(model->device, error, "cannot use the stream");
  } else {
    bool isCapturing = capture != CU_STREAM_CAPTURE_STATUS_NONE;
    call->mode = isCapturing ? CALL_CAPTURED : CALL_PLAIN;
    if (isCapturing && profile)
      status = ampSetError(AMP_INVALID_ARGUMENT,
                           "a stream that is being captured has no times");
    else
      status = ampPrepare(model, function, arguments, stream, isCapturing);
    if (status == AMP_OK) {
      status = runPrepared(&run);
      pthread_rwlock_unlock(&model->prepareLock);
    }
  }
  ampLeave();
  return status;
}

ampStatus ampModelRun(ampModel *model, int32_t function,
                      const ampTensor *arguments, int32_t numArguments,
                      ampTensor *results, int32_t numResults, void *stream) {
  return runFunction(model, function, arguments, numArguments, results,
                     numResults, stream, NULL);
}

ampStatus ampModelProfile(ampModel *model, int32_t function,
                          const ampTensor *arguments, int32_t numArguments,
                          ampTensor *results, int32_t numResults, void *stream,
                          ampKernelTime *times, size_t capacity,
                          size_t *count) {
  if (!count || (capacity && !times))
    return ampSetError(AMP_INVALID_ARGUMENT, "ampModelProfile: null argument");
  *count = 0;
  struct profile profile = {times, capacity, 0, NULL, 0};
  profile.events = calloc(2 * capacity + 1, sizeof *profile.events);
  if (!profile.events)
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  ampStatus status = runFunction(model, function, arguments, numArguments,
                                 results, numResults, stream, &profile);
  if (profile.numEvents && ampEnter(model->device) == AMP_OK) {
    CUresult error = ampDriver.cuStreamSynchronize(stream);
    for (size_t i = 0;
         error == CUDA_SUCCESS && status == AMP_OK && i < profile.numEvents / 2;
         ++i) {
      float milliseconds = 0;
      error = ampDriver.cuEventElapsedTime(&milliseconds, profile.events[2 * i],
                                           profile.events[2 * i + 1]);
      times[i].microseconds = 1e3 * milliseconds;
    }
    if (error != CUDA_SUCCESS && status == AMP_OK)
      status = ampDeviceError(model->device, error, "cannot measure times");
    for (size_t i = 0; i < profile.numEvents; ++i)
      ampDriver.cuEventDestroy_v2(profile.events[i]);
    ampLeave();
  }
  free(profile.events);
  if (status == AMP_OK)
    *count = profile.count;
  return status;
}
