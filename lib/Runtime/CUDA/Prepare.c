//===- Prepare.c - what is done once for constants and weights ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

// Weights that generated code cannot use where they are (host memory, gaps) are
// copied to the device once; then `<entry>_init` runs. All of it is rare, so it
// simply waits: nobody may use the old values while they change, and all later
// runs on any stream find the new ones.

static bool isWeight(const ampCudaEntryDesc *entry, int32_t i) {
  return entry->arguments[i].flags & AMP_VALUE_WEIGHT &&
         !(entry->arguments[i].flags & AMP_VALUE_SCALAR);
}

/// The stride of dimension `d`, also where the tensor tells none.
static int64_t strideOf(const ampTensor *tensor, int32_t d) {
  if (tensor->strides)
    return tensor->strides[d];
  int64_t stride = 1;
  for (int32_t inner = tensor->rank - 1; inner > d; --inner)
    stride *= tensor->shape[inner];
  return stride;
}

static bool isSameWeight(const struct weight *weight, const ampTensor *tensor) {
  if (weight->data != tensor->data)
    return false;
  for (int32_t d = 0; d < tensor->rank; ++d)
    if (weight->shape[d] != tensor->shape[d] ||
        weight->strides[d] != strideOf(tensor, d))
      return false;
  bool needsCopy = !ampIsUsable(tensor);
  return needsCopy == (weight->copy != NULL);
}

static bool isUpToDate(const struct ampModel *model, int32_t index,
                       const ampTensor *arguments) {
  const ampCudaEntryDesc *entry = &model->desc->entries[index];
  const struct entryState *state = &model->entries[index];
  if (!state->isPrepared)
    return false;
  for (int32_t i = 0; arguments && i < entry->numArguments; ++i)
    if (isWeight(entry, i) && !isSameWeight(&state->weights[i], &arguments[i]))
      return false;
  return true;
}

/// Takes note of a weight, and copies it where generated code cannot read it.
static ampStatus takeWeight(struct ampModel *model, struct weight *weight,
                            const ampTensor *tensor, CUstream stream) {
  uint64_t bytes;
  if (!ampTensorBytes(tensor->dtype, tensor->rank, tensor->shape, &bytes))
    return ampSetError(AMP_INVALID_ARGUMENT, "a weight is too large");
  bool needsCopy = !ampIsUsable(tensor);
  if (weight->copy && (!needsCopy || weight->copy->bytes < bytes)) {
    model->preparedBytes -= weight->copy->bytes;
    ampPoolGive(model->device, weight->copy, stream);
    weight->copy = NULL;
  }
  weight->data = tensor->data;
  int64_t *packed = malloc(((size_t)tensor->rank + 1) * sizeof *packed);
  if (!packed)
    return ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  int64_t stride = 1;
  for (int32_t d = tensor->rank - 1; d >= 0; --d) {
    weight->shape[d] = tensor->shape[d];
    weight->strides[d] = strideOf(tensor, d);
    packed[d] = stride;
    stride *= tensor->shape[d];
  }
  ampStatus status = AMP_OK;
  if (needsCopy && !weight->copy) {
    status = ampPoolTake(model->device, bytes, stream, false, &weight->copy);
    if (status == AMP_OK)
      model->preparedBytes += weight->copy->bytes;
  }
  if (needsCopy && status == AMP_OK) {
    CUresult error = ampCopy(NULL, stream, (int64_t)ampDtypeSize(tensor->dtype),
                             tensor->rank, weight->shape,
                             (void *)(uintptr_t)weight->copy->pointer, packed,
                             tensor->data, weight->strides,
                             tensor->onDevice ? 0 : AMP_CUDA_COPY_FROM_HOST);
    if (error != CUDA_SUCCESS)
      status = ampDeviceError(model->device, error, "cannot copy a weight");
  }
  free(packed);
  return status;
}

static ampStatus runInit(struct ampModel *model, int32_t index,
                         const ampTensor *arguments, CUstream stream) {
  const ampCudaEntryDesc *entry = &model->desc->entries[index];
  struct entryState *state = &model->entries[index];
  size_t numArguments = (size_t)entry->numInitArguments,
         numPrepared = (size_t)entry->numPrepared;
  struct value *values = calloc(numArguments + 1, sizeof *values);
  int64_t **shapes = calloc(numPrepared + 1, sizeof *shapes);
  ampStatus status = ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  if (values && shapes) {
    for (size_t i = 0; i < numArguments; ++i) {
      int32_t from = entry->initArguments[i];
      const struct weight *weight = &state->weights[from];
      values[i].data = weight->copy ? (void *)(uintptr_t)weight->copy->pointer
                                    : arguments[from].data;
      values[i].shape = arguments[from].shape;
    }
    for (size_t i = 0; i < numPrepared; ++i)
      shapes[i] = (int64_t *)(uintptr_t)state->prepared[i].shape;
    struct ampCudaCall call;
    memset(&call, 0, sizeof call);
    call.mode = CALL_PREPARE;
    call.model = model;
    call.entry = entry;
    call.state = state;
    call.stream = stream;
    call.arguments = values;
    call.numArguments = entry->numInitArguments;
    call.resultInfos = entry->prepared;
    call.results = state->prepared;
    call.resultShapes = shapes;
    call.numResults = entry->numPrepared;
    status = ampCallRun(&call, entry->init);
  }
  free(values);
  free(shapes);
  return status;
}

/// Prepares; the lock is held exclusively.
static ampStatus prepare(struct ampModel *model, int32_t index,
                         const ampTensor *arguments, CUstream stream) {
  const ampCudaEntryDesc *entry = &model->desc->entries[index];
  struct entryState *state = &model->entries[index];
  bool hasWeights = false;
  for (int32_t i = 0; i < entry->numArguments; ++i)
    hasWeights |= isWeight(entry, i);
  if (!entry->init && !hasWeights) {
    state->isPrepared = true;
    return AMP_OK;
  }
  // Runs of before may still read what changes now.
  CUresult error = CUDA_SUCCESS;
  if (state->isPrepared || hasWeights)
    error = ampDriver.cuCtxSynchronize();
  if (error != CUDA_SUCCESS)
    return ampDeviceError(model->device, error,
                          "cannot wait for the device to prepare weights (run "
                          "the function once before a stream is captured)");
  state->isPrepared = false;
  for (int32_t i = 0; arguments && i < entry->numArguments; ++i) {
    if (!isWeight(entry, i))
      continue;
    ampStatus status =
        takeWeight(model, &state->weights[i], &arguments[i], stream);
    if (status != AMP_OK)
      return status;
  }
  if (entry->init) {
    ampStatus status = runInit(model, index, arguments, stream);
    if (status != AMP_OK)
      return status;
    ++model->preparations;
  }
  error = ampDriver.cuStreamSynchronize(stream);
  if (error != CUDA_SUCCESS)
    return ampDeviceError(model->device, error, "cannot prepare weights");
  state->isPrepared = true;
  return AMP_OK;
}

ampStatus ampPrepare(struct ampModel *model, int32_t index,
                     const ampTensor *arguments, CUstream stream,
                     bool capturing) {
  for (;;) {
    pthread_rwlock_rdlock(&model->prepareLock);
    if (isUpToDate(model, index, arguments))
      return AMP_OK;
    pthread_rwlock_unlock(&model->prepareLock);
    pthread_rwlock_wrlock(&model->prepareLock);
    ampStatus status = AMP_OK;
    if (!isUpToDate(model, index, arguments)) {
      int mode = ampRelaxCapture();
      status = prepare(model, index, arguments,
                       capturing ? model->captureStream : stream);
      ampRestoreCapture(mode);
    }
    pthread_rwlock_unlock(&model->prepareLock);
    if (status != AMP_OK)
      return status;
  }
}

void ampPreparedDestroy(struct ampModel *model, int32_t index) {
  const ampCudaEntryDesc *entry = &model->desc->entries[index];
  struct entryState *state = &model->entries[index];
  for (int32_t i = 0; state->weights && i < entry->numArguments; ++i)
    if (state->weights[i].copy)
      ampPoolGive(model->device, state->weights[i].copy, model->captureStream);
  for (int32_t i = 0; state->preparedBlocks && i < entry->numPrepared; ++i)
    if (state->preparedBlocks[i])
      ampPoolGive(model->device, state->preparedBlocks[i],
                  model->captureStream);
}

ampStatus ampModelReloadWeights(ampModel *model, int32_t function) {
  if (!model || function < -1 || function >= model->desc->numEntries)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "ampModelReloadWeights: no function %d", function);
  pthread_rwlock_wrlock(&model->prepareLock);
  for (int32_t i = 0; i < model->desc->numEntries; ++i) {
    const ampCudaEntryDesc *entry = &model->desc->entries[i];
    bool hasWeights = false;
    for (int32_t a = 0; a < entry->numArguments; ++a)
      hasWeights |= isWeight(entry, a);
    // What depends on constants alone stays.
    if (hasWeights && (function == -1 || function == i))
      model->entries[i].isPrepared = false;
  }
  pthread_rwlock_unlock(&model->prepareLock);
  return AMP_OK;
}
