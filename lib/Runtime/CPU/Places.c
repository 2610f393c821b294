//===- Places.c - results that are written to where callers want them -----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

/// Where the elements of a tensor lie.
struct range {
  uintptr_t begin, end;
};

/// All of memory where the end does not fit into an address.
static struct range getRange(const ampTensor *tensor) {
  const struct range none = {0, 0}, all = {0, UINTPTR_MAX};
  uint64_t last = 0, stride = 1;
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (tensor->shape[i] == 0)
      return none;
  for (int32_t i = tensor->rank; i-- > 0;) {
    uint64_t size = (uint64_t)tensor->shape[i], step;
    if (tensor->strides)
      stride = (uint64_t)tensor->strides[i];
    if (__builtin_mul_overflow(size - 1, stride, &step) ||
        __builtin_add_overflow(last, step, &last) ||
        (!tensor->strides && __builtin_mul_overflow(stride, size, &stride)))
      return all;
  }
  struct range range = {(uintptr_t)tensor->data, 0};
  uint64_t bytes;
  if (__builtin_mul_overflow(last + 1, ampDtypeSize(tensor->dtype), &bytes) ||
      __builtin_add_overflow(range.begin, bytes, &range.end))
    return all;
  return range;
}

static int isOverlapping(struct range a, struct range b) {
  return a.begin < b.end && b.begin < a.end;
}

/// Whether a result may turn out not to have the sizes of the caller's memory
/// once another one has been written: then neither is to be.
static int mayDisagree(const ampCpuEntryDesc *entry, const ampTensor *results) {
  int32_t numGiven = 0, numUnknown = 0;
  for (int32_t i = 0; i < entry->numResults; ++i) {
    const ampValueInfo *info = &entry->results[i];
    int isUnknown = 0;
    for (int32_t d = 0; d < info->rank; ++d)
      isUnknown |= info->shape[d] == AMP_DYNAMIC;
    if ((info->flags & AMP_VALUE_SCALAR) || !results[i].data)
      continue;
    ++numGiven;
    numUnknown += isUnknown;
  }
  return numGiven > 1 && numUnknown > 0;
}

ampCpuPlace *ampCpuSetPlaces(ampCpuFrame *frame, const ampTensor *arguments,
                             const ampTensor *results) {
  const ampCpuEntryDesc *entry = frame->entry;
  if (mayDisagree(entry, results))
    return frame->places;
  for (int32_t i = 0; i < entry->numResults; ++i) {
    const ampTensor *result = &results[i];
    if (!result->data || (entry->results[i].flags & AMP_VALUE_SCALAR) ||
        !ampCpuIsRowMajor(result->rank, result->shape, result->strides))
      continue;
    struct range range = getRange(result);
    int isShared = range.begin == range.end;
    for (int32_t k = 0; k < entry->numArguments && !isShared; ++k)
      isShared = isOverlapping(range, getRange(&arguments[k]));
    for (int32_t k = 0; k < entry->numResults && !isShared; ++k)
      isShared = k != i && results[k].data &&
                 isOverlapping(range, getRange(&results[k]));
    if (isShared)
      continue;
    frame->places[i].data = result->data;
    frame->places[i].shape = result->shape;
    frame->places[i].rank = result->rank;
  }
  return frame->places;
}
