//===- Workspace.c - how much memory a call takes
//---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdlib.h>
#include <string.h>

// The host code of a function runs without a model: launches and copies do
// nothing, and allocations are counted. Pointers to device memory are never
// followed by it, so that any will do; those of allocations are host blocks
// that hold their size.

void *ampMeasureAllocate(struct ampCudaCall *call, uint64_t bytes) {
  uint64_t *block = ampCudaHostAlloc(call, sizeof *block);
  *block = bytes;
  if (__builtin_add_overflow(call->measuredBytes, bytes, &call->measuredBytes))
    ampCallFail(call, AMP_CHECK_FAILED, "'%s': its memory is too large",
                call->entry->name);
  if (call->measuredPeak < call->measuredBytes)
    call->measuredPeak = call->measuredBytes;
  return block;
}

void ampMeasureFree(struct ampCudaCall *call, void *pointer) {
  // The data of arguments, results and constants are null.
  if (!pointer)
    return;
  call->measuredBytes -= *(uint64_t *)pointer;
  ampCudaHostFree(call, pointer);
}

_Noreturn void ampMeasureEnd(struct ampCudaCall *call) {
  call->dependsOnData = true;
  ampCallAbort(call, AMP_OK);
}

/// Values of one call: those it takes, and those it gives, with their shapes.
struct values {
  struct value *items;
  int64_t **shapes;
};

static void freeValues(struct values *values, const ampValueInfo *infos,
                       int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (values->shapes)
      free(values->shapes[i]);
    if (values->items && infos[i].flags & AMP_VALUE_SCALAR)
      free(values->items[i].data);
  }
  free(values->items);
  free(values->shapes);
}

/// Room for `count` values that a function gives.
static bool makeValues(struct values *values, const ampValueInfo *infos,
                       int32_t count) {
  values->items = calloc((size_t)count + 1, sizeof *values->items);
  values->shapes = calloc((size_t)count + 1, sizeof *values->shapes);
  if (!values->items || !values->shapes)
    return false;
  for (int32_t i = 0; i < count; ++i) {
    values->shapes[i] = calloc((size_t)infos[i].rank + 1, sizeof(int64_t));
    values->items[i].shape = values->shapes[i];
    // Large enough for every type.
    if (infos[i].flags & AMP_VALUE_SCALAR)
      values->items[i].data = calloc(1, 16);
    if (!values->shapes[i] ||
        (infos[i].flags & AMP_VALUE_SCALAR && !values->items[i].data))
      return false;
  }
  return true;
}

/// Runs `function`; what it takes into `peak`, -1 where that depends on data.
static ampStatus measure(const ampCudaEntryDesc *entry, ampCudaEntryFn function,
                         struct value *arguments, int32_t numArguments,
                         const ampValueInfo *infos, struct values *results,
                         int32_t numResults, int64_t *peak) {
  struct ampCudaCall call;
  memset(&call, 0, sizeof call);
  call.mode = CALL_MEASURE;
  call.entry = entry;
  call.arguments = arguments;
  call.numArguments = numArguments;
  call.resultInfos = infos;
  call.results = results->items;
  call.resultShapes = results->shapes;
  call.numResults = numResults;
  ampStatus status = ampCallRun(&call, function);
  if (status == AMP_OK && call.measuredPeak > INT64_MAX)
    status = ampSetError(AMP_CHECK_FAILED, "'%s': its memory is too large",
                         entry->name);
  *peak = call.dependsOnData ? -1 : (int64_t)call.measuredPeak;
  return status;
}

/// Measures the init, for the shapes that it gives, and then the function.
static ampStatus measureEntry(const ampCudaEntryDesc *entry,
                              const ampTensor *tensors, int64_t *bytes) {
  int32_t numArguments = entry->numArguments;
  struct values prepared = {NULL, NULL}, results = {NULL, NULL};
  struct value *arguments = calloc(
      (size_t)numArguments + (size_t)entry->numPrepared + 1, sizeof *arguments);
  struct value *weights =
      calloc((size_t)entry->numInitArguments + 1, sizeof *weights);
  ampStatus status = ampSetError(AMP_OUT_OF_MEMORY, "out of host memory");
  if (arguments && weights &&
      makeValues(&prepared, entry->prepared, entry->numPrepared) &&
      makeValues(&results, entry->results, entry->numResults)) {
    status = AMP_OK;
    for (int32_t i = 0; i < numArguments; ++i) {
      if (entry->arguments[i].flags & AMP_VALUE_SCALAR)
        arguments[i].data = tensors[i].data;
      arguments[i].shape = tensors[i].shape;
    }
    for (int32_t i = 0; i < entry->numInitArguments; ++i)
      weights[i] = arguments[entry->initArguments[i]];
    *bytes = 0;
    if (entry->init)
      status = measure(entry, entry->init, weights, entry->numInitArguments,
                       entry->prepared, &prepared, entry->numPrepared, bytes);
    // Unknown shapes of prepared values make all that follows unknown.
    if (status == AMP_OK && *bytes >= 0) {
      memcpy(arguments + numArguments, prepared.items,
             (size_t)entry->numPrepared * sizeof *arguments);
      status = measure(entry, entry->function, arguments,
                       numArguments + entry->numPrepared, entry->results,
                       &results, entry->numResults, bytes);
    }
  }
  freeValues(&prepared, entry->prepared, entry->numPrepared);
  freeValues(&results, entry->results, entry->numResults);
  free(arguments);
  free(weights);
  return status;
}

ampStatus ampModelWorkspaceBytes(const void *description, int32_t index,
                                 const ampTensor *arguments,
                                 int32_t numArguments, int64_t *bytes) {
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  if (!desc)
    return AMP_BAD_MODEL;
  if (!bytes)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "ampModelWorkspaceBytes: null argument");
  *bytes = -1;
  if (index < 0 || index >= desc->numEntries)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "the model has no function %d; it has %d, from 0 on",
                       index, desc->numEntries);
  const ampCudaEntryDesc *entry = &desc->entries[index];
  if (numArguments != entry->numArguments || (numArguments && !arguments))
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "'%s' has %d arguments, but is given %d", entry->name,
                       entry->numArguments, arguments ? numArguments : 0);
  for (int32_t i = 0; i < numArguments; ++i) {
    ampStatus status =
        ampCheckTensor(entry, "argument", i, &arguments[i], false);
    if (status != AMP_OK)
      return status;
  }
  int64_t found = entry->workspaceBytes;
  ampStatus status =
      found >= 0 ? AMP_OK : measureEntry(entry, arguments, &found);
  *bytes = status == AMP_OK ? found : -1;
  return status;
}
