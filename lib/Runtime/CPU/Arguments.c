//===- Arguments.c - tensors as compiled code takes them ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int isScalar(const ampValueInfo *info) {
  return (info->flags & AMP_VALUE_SCALAR) != 0;
}

/// Words of MLIR's descriptor of a memref: the pointer to free, the pointer to
/// the data, the offset, the sizes, the strides in elements.
static size_t getNumWords(const ampValueInfo *info) {
  return 3 + 2 * (size_t)info->rank;
}

/// Where result `index` lies in the structure of all results.
static size_t getResultOffset(const ampCpuEntryDesc *entry, int32_t index,
                              size_t *end) {
  size_t offset = 0, size = 0;
  for (int32_t i = 0; i <= index; ++i) {
    const ampValueInfo *info = &entry->results[i];
    size_t alignment = sizeof(int64_t);
    offset += size;
    size = getNumWords(info) * sizeof(int64_t);
    // Scalars are aligned to their own size, a power of two.
    if (isScalar(info))
      alignment = size = ampDtypeSize(info->dtype);
    offset = (offset + alignment - 1) / alignment * alignment;
  }
  if (end)
    *end = offset + size;
  return offset;
}

ampStatus ampCpuOpenFrame(ampCpuFrame *frame, const ampCpuModelDesc *model,
                          const ampCpuEntryDesc *entry, int32_t numPrepared) {
  memset(frame, 0, sizeof *frame);
  frame->model = model;
  frame->entry = entry;
  size_t words = 1, resultBytes = 0;
  for (int32_t i = 0; i < entry->numArguments; ++i)
    words += getNumWords(&entry->arguments[i]);
  if (entry->numResults)
    getResultOffset(entry, entry->numResults - 1, &resultBytes);
  // One is where the results go.
  frame->values = calloc((size_t)entry->numArguments + (size_t)numPrepared + 1,
                         sizeof(void *));
  frame->copies = calloc((size_t)entry->numArguments + 1, sizeof(void *));
  frame->descriptors = calloc(words, sizeof(int64_t));
  frame->results = calloc(1, resultBytes + sizeof(int64_t));
  frame->places = calloc((size_t)entry->numResults + 1, sizeof(ampCpuPlace));
  if (!frame->values || !frame->copies || !frame->descriptors ||
      !frame->results || !frame->places)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "'%s': no memory for the call",
                      entry->name);
  return AMP_OK;
}

void ampCpuCloseFrame(ampCpuFrame *frame) {
  for (int32_t i = 0; frame->copies && i < frame->entry->numArguments; ++i)
    frame->model->release(frame->copies[i]);
  free(frame->values);
  free(frame->copies);
  free(frame->descriptors);
  free(frame->results);
  free(frame->places);
}

/// Appends "f32 [2, ?]".
static void describe(char *text, size_t capacity, int32_t dtype, int32_t rank,
                     const int64_t *shape) {
  const char *name = ampDtypeName(dtype);
  size_t length;
  if (name)
    length = (size_t)snprintf(text, capacity, "%s [", name);
  else
    length = (size_t)snprintf(text, capacity, "type %d [", dtype);
  for (int32_t i = 0; i < rank && shape && length < capacity; ++i) {
    const char *comma = i ? ", " : "";
    size_t left = capacity - length;
    length += (size_t)(shape[i] == AMP_DYNAMIC
                           ? snprintf(text + length, left, "%s?", comma)
                           : snprintf(text + length, left, "%s%lld", comma,
                                      (long long)shape[i]));
  }
  if (length < capacity)
    snprintf(text + length, capacity - length, "]");
}

/// Fails, saying what was expected of a value and what was found.
static ampStatus failOf(const ampCpuFrame *frame, const char *kind,
                        int32_t index, const ampValueInfo *info,
                        const ampTensor *tensor) {
  char expected[256], found[256];
  describe(expected, sizeof expected, info->dtype, info->rank, info->shape);
  describe(found, sizeof found, tensor->dtype, tensor->rank, tensor->shape);
  return ampCpuFail(
      AMP_INVALID_ARGUMENT, "'%s': %s %d, '%s': expected %s, found %s",
      frame->entry->name, kind, index, info->name, expected, found);
}

static ampStatus failSaying(const ampCpuFrame *frame, const char *kind,
                            int32_t index, const ampValueInfo *info,
                            const char *what) {
  return ampCpuFail(AMP_INVALID_ARGUMENT, "'%s': %s %d, '%s': %s",
                    frame->entry->name, kind, index, info->name, what);
}

/// Checks type, rank, sizes and strides; of what the runtime allocates, only
/// type and rank.
static ampStatus checkTensor(const ampCpuFrame *frame, const char *kind,
                             int32_t index, const ampValueInfo *info,
                             const ampTensor *tensor, int isAllocated) {
  if (tensor->dtype != info->dtype || tensor->rank != info->rank)
    return failOf(frame, kind, index, info, tensor);
  if (info->rank && !tensor->shape)
    return failSaying(frame, kind, index, info, "the shape is null");
  if (isAllocated)
    return AMP_OK;
  int64_t elements = 1;
  for (int32_t i = 0; i < info->rank; ++i) {
    int64_t size = tensor->shape[i];
    if (size < 0 || (info->shape[i] != AMP_DYNAMIC && size != info->shape[i]))
      return failOf(frame, kind, index, info, tensor);
    if (tensor->strides && tensor->strides[i] < 0)
      return failSaying(frame, kind, index, info,
                        "expected strides of at least 0");
    elements *= size != 0;
  }
  if (elements && !tensor->data)
    return failSaying(frame, kind, index, info, "the data is null");
  return AMP_OK;
}

/// The number of elements; -1 where it does not fit.
static int64_t getNumElements(int32_t rank, const int64_t *shape) {
  int64_t elements = 1;
  for (int32_t i = 0; i < rank; ++i)
    if (shape[i] == 0)
      return 0;
  for (int32_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(elements, shape[i], &elements))
      return -1;
  return elements;
}

int ampCpuIsRowMajor(int32_t rank, const int64_t *shape,
                     const int64_t *strides) {
  int64_t expected = 1;
  if (!strides || getNumElements(rank, shape) == 0)
    return 1;
  for (int32_t i = rank; i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected)
      return 0;
    expected *= shape[i];
  }
  return 1;
}

/// Copies between a tensor with strides and one without gaps.
static void copyStrided(int32_t rank, const int64_t *shape,
                        const int64_t *strides, size_t bytes, char *strided,
                        char **dense, int isGather) {
  if (rank == 0) {
    memcpy(isGather ? *dense : strided, isGather ? strided : *dense, bytes);
    *dense += bytes;
    return;
  }
  if (rank == 1 && strides[0] == 1) {
    size_t total = (size_t)shape[0] * bytes;
    if (total)
      memcpy(isGather ? *dense : strided, isGather ? strided : *dense, total);
    *dense += total;
    return;
  }
  for (int64_t i = 0; i < shape[0]; ++i)
    copyStrided(rank - 1, shape + 1, strides + 1, bytes,
                strided + i * strides[0] * (int64_t)bytes, dense, isGather);
}

static void setDescriptor(int64_t *words, void *data, int32_t rank,
                          const int64_t *shape) {
  words[0] = words[1] = (int64_t)(intptr_t)data;
  words[2] = 0;
  int64_t stride = 1;
  for (int32_t i = rank; i-- > 0;) {
    words[3 + i] = shape[i];
    words[3 + rank + i] = stride;
    stride *= shape[i];
  }
}

static int returnsScalar(const ampCpuEntryDesc *entry) {
  return entry->numResults == 1 && isScalar(&entry->results[0]);
}

ampStatus ampCpuSetArguments(ampCpuFrame *frame, const ampTensor *arguments) {
  const ampCpuEntryDesc *entry = frame->entry;
  void **value = frame->values;
  int64_t *words = frame->descriptors;
  if (entry->numResults && !returnsScalar(entry))
    *value++ = frame->results;
  for (int32_t i = 0; i < entry->numArguments; ++i) {
    const ampValueInfo *info = &entry->arguments[i];
    const ampTensor *tensor = &arguments[i];
    ampStatus status = checkTensor(frame, "argument", i, info, tensor, 0);
    if (status)
      return status;
    void *data = tensor->data;
    if (isScalar(info)) {
      *value++ = data;
      continue;
    }
    if (!ampCpuIsRowMajor(info->rank, tensor->shape, tensor->strides)) {
      size_t bytes = ampDtypeSize(info->dtype);
      int64_t elements = getNumElements(info->rank, tensor->shape);
      uint64_t total;
      if (elements < 0 ||
          __builtin_mul_overflow((uint64_t)elements, bytes, &total) ||
          !(frame->copies[i] = frame->model->allocate(total)))
        return ampCpuFail(AMP_OUT_OF_MEMORY,
                          "'%s': no memory for a copy without gaps of "
                          "argument %d, '%s'",
                          entry->name, i, info->name);
      char *dense = frame->copies[i];
      copyStrided(info->rank, tensor->shape, tensor->strides, bytes,
                  tensor->data, &dense, /*isGather=*/1);
      data = frame->copies[i];
    }
    setDescriptor(words, data, info->rank, tensor->shape);
    *value++ = words;
    words += getNumWords(info);
  }
  frame->end = value;
  return AMP_OK;
}

void ampCpuSetPrepared(ampCpuFrame *frame, const ampCpuEntryDesc *init,
                       char *results) {
  for (int32_t i = 0; init && i < init->numResults; ++i)
    *frame->end++ = results + getResultOffset(init, i, NULL);
  if (returnsScalar(frame->entry))
    *frame->end = frame->results;
}

uint64_t ampCpuVisitTensors(const ampCpuEntryDesc *entry, char *results,
                            void (*release)(void *block)) {
  uint64_t bytes = 0;
  for (int32_t i = 0; i < entry->numResults; ++i) {
    const ampValueInfo *info = &entry->results[i];
    int64_t *words = (int64_t *)(results + getResultOffset(entry, i, NULL));
    bytes += (uint64_t)getNumElements(info->rank, words + 3) *
             ampDtypeSize(info->dtype);
    if (release)
      release((void *)(intptr_t)words[0]);
  }
  return bytes;
}

ampStatus ampCpuCheckResults(ampCpuFrame *frame, const ampTensor *results) {
  for (int32_t i = 0; i < frame->entry->numResults; ++i) {
    const ampValueInfo *info = &frame->entry->results[i];
    int isAllocated = !results[i].data && !isScalar(info);
    ampStatus status =
        checkTensor(frame, "result", i, info, &results[i], isAllocated);
    if (status)
      return status;
  }
  return AMP_OK;
}

/// Whether the caller's tensors have the sizes that the results came to have.
/// Those that are empty need no data, and so cannot be told from those that the
/// runtime is to allocate.
static ampStatus checkShapes(const ampCpuFrame *frame,
                             const ampTensor *results) {
  const ampCpuEntryDesc *entry = frame->entry;
  for (int32_t i = 0; i < entry->numResults; ++i) {
    const ampValueInfo *info = &entry->results[i];
    const int64_t *words =
        (const int64_t *)(frame->results + getResultOffset(entry, i, NULL));
    if (isScalar(info) || !results[i].data)
      continue;
    for (int32_t d = 0; d < info->rank; ++d)
      if (results[i].shape[d] != words[3 + d]) {
        char expected[256], found[256];
        describe(expected, sizeof expected, info->dtype, info->rank, words + 3);
        describe(found, sizeof found, info->dtype, info->rank,
                 results[i].shape);
        return ampCpuFail(AMP_INVALID_ARGUMENT,
                          "'%s': result %d, '%s': the inputs give %s, found "
                          "memory for %s",
                          entry->name, i, info->name, expected, found);
      }
  }
  return AMP_OK;
}

/// A result without gaps, in memory of its own or where the caller wants it. In
/// the former case its first element is the block itself, as ampModelFree
/// expects; null when memory is exhausted.
static void *takeBlock(const ampCpuFrame *frame, const ampValueInfo *info,
                       int64_t *words) {
  size_t bytes = ampDtypeSize(info->dtype);
  char *data = (char *)(intptr_t)words[1] + words[2] * (int64_t)bytes;
  const int64_t *shape = words + 3, *strides = words + 3 + info->rank;
  if (data == (char *)(intptr_t)words[0] &&
      ampCpuIsRowMajor(info->rank, shape, strides))
    return data;
  char *block = frame->model->allocate(
      (uint64_t)getNumElements(info->rank, shape) * bytes);
  if (!block)
    return NULL;
  char *dense = block;
  copyStrided(info->rank, shape, strides, bytes, data, &dense, /*isGather=*/1);
  frame->model->release((void *)(intptr_t)words[0]);
  words[0] = (int64_t)(intptr_t)block;
  return block;
}

/// Copies or hands over one result.
static ampStatus getResult(ampCpuFrame *frame, int32_t index,
                           ampTensor *result) {
  const ampValueInfo *info = &frame->entry->results[index];
  char *place = frame->results + getResultOffset(frame->entry, index, NULL);
  size_t bytes = ampDtypeSize(info->dtype);
  if (isScalar(info)) {
    memcpy(result->data, place, bytes);
    return AMP_OK;
  }
  int64_t *words = (int64_t *)place;
  if (frame->places[index].isTaken)
    return AMP_OK;
  char *block = takeBlock(frame, info, words);
  if (!block)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "'%s': no memory for result %d, '%s'",
                      frame->entry->name, index, info->name);
  const int64_t *shape = words + 3;
  if (!result->data) {
    if (info->rank)
      memcpy(result->shape, shape, (size_t)info->rank * sizeof(int64_t));
    result->data = block;
    words[0] = 0;
    return AMP_OK;
  }
  int64_t elements = getNumElements(info->rank, shape);
  if (elements && ampCpuIsRowMajor(info->rank, shape, result->strides))
    memcpy(result->data, block, (size_t)elements * bytes);
  else if (elements)
    copyStrided(info->rank, shape, result->strides, bytes, result->data, &block,
                /*isGather=*/0);
  return AMP_OK;
}

ampStatus ampCpuGetResults(ampCpuFrame *frame, ampTensor *results) {
  const ampCpuEntryDesc *entry = frame->entry;
  ampStatus status = checkShapes(frame, results);
  int32_t done = 0;
  while (!status && done < entry->numResults) {
    status = getResult(frame, done, &results[done]);
    done += !status;
  }
  for (int32_t i = 0; i < entry->numResults; ++i) {
    // What is the caller's is not the runtime's to free.
    if (isScalar(&entry->results[i]) || frame->places[i].isTaken)
      continue;
    int64_t *words =
        (int64_t *)(frame->results + getResultOffset(entry, i, NULL));
    frame->model->release((void *)(intptr_t)words[0]);
    // The descriptor of what is handed over is empty.
    if (status && i < done && words[0] == 0) {
      frame->model->release(results[i].data);
      results[i].data = NULL;
    }
  }
  return status;
}
