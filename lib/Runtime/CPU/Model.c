//===- Model.c - running models that are compiled for the CPU -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "Arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char lastError[1024];

const char *ampLastError(void) { return lastError; }

ampStatus ampCpuFail(ampStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lastError, sizeof lastError, format, arguments);
  va_end(arguments);
  return status;
}

const char *ampStatusName(ampStatus status) {
  static const char *const names[] = {
      "ok",           "invalid argument", "no driver",
      "no device",    "out of memory",    "bad model",
      "check failed", "device fault",     "driver error"};
  size_t index = (size_t)status;
  return index < sizeof names / sizeof *names ? names[index] : "unknown status";
}

static const struct {
  const char *name;
  size_t bytes;
} dtypes[] = {
    [AMP_I1] = {"i1", 1},
    [AMP_I8] = {"i8", 1},
    [AMP_I16] = {"i16", 2},
    [AMP_I32] = {"i32", 4},
    [AMP_I64] = {"i64", 8},
    [AMP_U8] = {"ui8", 1},
    [AMP_U16] = {"ui16", 2},
    [AMP_U32] = {"ui32", 4},
    [AMP_U64] = {"ui64", 8},
    [AMP_F16] = {"f16", 2},
    [AMP_BF16] = {"bf16", 2},
    [AMP_F32] = {"f32", 4},
    [AMP_F64] = {"f64", 8},
    [AMP_F8E4M3FN] = {"f8E4M3FN", 1},
    [AMP_F8E5M2] = {"f8E5M2", 1},
    [AMP_F8E4M3FNUZ] = {"f8E4M3FNUZ", 1},
    [AMP_F8E5M2FNUZ] = {"f8E5M2FNUZ", 1},
    [AMP_F8E4M3B11FNUZ] = {"f8E4M3B11FNUZ", 1},
    [AMP_F8E4M3] = {"f8E4M3", 1},
    [AMP_F8E3M4] = {"f8E3M4", 1},
    [AMP_F8E8M0FNU] = {"f8E8M0FNU", 1},
    [AMP_C64] = {"complex<f32>", 8},
    [AMP_C128] = {"complex<f64>", 16},
};

static int isDtype(int32_t dtype) {
  return dtype >= 0 && (size_t)dtype < sizeof dtypes / sizeof *dtypes;
}

size_t ampDtypeSize(int32_t dtype) {
  return isDtype(dtype) ? dtypes[dtype].bytes : 0;
}

const char *ampDtypeName(int32_t dtype) {
  return isDtype(dtype) ? dtypes[dtype].name : NULL;
}

/// The description, if it is one that this runtime can run; else null.
static const ampCpuModelDesc *check(const void *description) {
  const ampCpuModelDesc *desc = description;
  if (!desc || memcmp(desc->magic, AMP_CPU_MAGIC, sizeof AMP_CPU_MAGIC) != 0) {
    ampCpuFail(AMP_BAD_MODEL,
               "expected the description of a model for the CPU, found %s",
               desc ? "something else" : "a null pointer");
    return NULL;
  }
  if (desc->version != AMP_CPU_ABI_VERSION || desc->bytes != sizeof *desc) {
    ampCpuFail(AMP_BAD_MODEL,
               "expected a model of ABI version %d, found version %u; compile "
               "it again",
               AMP_CPU_ABI_VERSION, desc->version);
    return NULL;
  }
  return desc;
}

int32_t ampModelNumFunctions(const void *description) {
  const ampCpuModelDesc *desc = check(description);
  return desc ? desc->numEntries : 0;
}

ampStatus ampModelFunction(const void *description, int32_t index,
                           ampFunctionInfo *info) {
  const ampCpuModelDesc *desc = check(description);
  if (!desc)
    return AMP_BAD_MODEL;
  if (index < 0 || index >= desc->numEntries)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "expected a function number from 0 to %d, found %d",
                      desc->numEntries - 1, index);
  if (!info)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  const ampCpuEntryDesc *entry = &desc->entries[index];
  info->name = entry->name;
  info->numArguments = entry->numArguments;
  info->numResults = entry->numResults;
  info->arguments = entry->arguments;
  info->results = entry->results;
  info->workspaceBytes = -1;
  return AMP_OK;
}

int32_t ampModelFindFunction(const void *description, const char *name) {
  const ampCpuModelDesc *desc = check(description);
  for (int32_t i = 0; desc && name && i < desc->numEntries; ++i)
    if (strcmp(desc->entries[i].name, name) == 0)
      return i;
  return -1;
}

ampStatus ampModelWorkspaceBytes(const void *description, int32_t index,
                                 const ampTensor *arguments,
                                 int32_t numArguments, int64_t *bytes) {
  (void)arguments;
  (void)numArguments;
  ampFunctionInfo info;
  ampStatus status = ampModelFunction(description, index, &info);
  if (status == AMP_OK && !bytes)
    status =
        ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the answer is null");
  // Functions allocate as they run.
  if (bytes)
    *bytes = -1;
  return status;
}

const char *ampModelManifest(const void *description) {
  const ampCpuModelDesc *desc = check(description);
  return desc ? desc->manifest : NULL;
}

ampStatus ampModelLoad(const void *description, int32_t device,
                       ampModel **model) {
  const ampCpuModelDesc *desc = check(description);
  if (!desc)
    return AMP_BAD_MODEL;
  if (!model)
    return ampCpuFail(AMP_INVALID_ARGUMENT, "the place for the model is null");
  *model = NULL;
  if (device != 0)
    return ampCpuFail(AMP_NO_DEVICE,
                      "model '%s' is compiled for the CPU, which is device 0; "
                      "found device %d",
                      desc->name, device);
  const ampCpuLevelDesc *level = ampCpuChooseLevel(desc);
  if (!level)
    return AMP_BAD_MODEL;
  *model = malloc(sizeof **model);
  if (!*model)
    return ampCpuFail(AMP_OUT_OF_MEMORY, "no memory for the model");
  (*model)->description = desc;
  (*model)->level = level;
  atomic_init(&(*model)->numRuns, 0);
  (*model)->numPreparations = 0;
  ampStatus status = ampCpuOpenPrepared(*model);
  if (status) {
    free(*model);
    *model = NULL;
  }
  return status;
}

void ampModelUnload(ampModel *model) {
  if (!model)
    return;
  ampCpuClosePrepared(model);
  model->description->trim();
  free(model);
}

const char *ampModelLevel(const ampModel *model) {
  return model ? model->level->name : NULL;
}

ampStatus ampCpuCheckModel(const ampModel *model) {
  return model ? AMP_OK : ampCpuFail(AMP_INVALID_ARGUMENT, "the model is null");
}

static ampStatus checkCounts(const ampCpuEntryDesc *entry, int32_t numArguments,
                             int32_t numResults) {
  if (numArguments != entry->numArguments)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "'%s': expected %d arguments, found %d", entry->name,
                      entry->numArguments, numArguments);
  if (numResults != entry->numResults)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "'%s': expected %d results, found %d", entry->name,
                      entry->numResults, numResults);
  return AMP_OK;
}

ampStatus ampModelRun(ampModel *model, int32_t function,
                      const ampTensor *arguments, int32_t numArguments,
                      ampTensor *results, int32_t numResults, void *stream) {
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  const ampCpuModelDesc *desc = model->description;
  if (function < 0 || function >= desc->numEntries)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "model '%s': expected a function number from 0 to %d, "
                      "found %d",
                      desc->name, desc->numEntries - 1, function);
  const ampCpuEntryDesc *entry = &desc->entries[function];
  if (stream)
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "'%s' runs on the CPU: expected a null stream",
                      entry->name);
  ampStatus status = checkCounts(entry, numArguments, numResults);
  if (status)
    return status;
  if ((numArguments && !arguments) || (numResults && !results))
    return ampCpuFail(AMP_INVALID_ARGUMENT,
                      "'%s': the arguments or the results are null",
                      entry->name);

  ampCpuFrame frame;
  ampCpuPrepared *prepared = NULL;
  status = ampCpuOpenFrame(&frame, desc, entry,
                           model->level->inits[function].entry.numResults);
  if (!status)
    status = ampCpuSetArguments(&frame, arguments);
  if (!status)
    status = ampCpuCheckResults(&frame, results);
  if (!status)
    status = ampCpuTakePrepared(model, function, arguments, &prepared);
  if (!status) {
    ampCpuUsePrepared(&frame, prepared);
    ampCpuPlace *places = ampCpuSetPlaces(&frame, arguments, results);
    ampCpuOutcome outcome =
        desc->invoke(model->level->functions[function], frame.values, places);
    status = outcome.status ? ampCpuFail(outcome.status, "'%s': %s",
                                         entry->name, outcome.message)
                            : ampCpuGetResults(&frame, results);
  }
  ampCpuGivePrepared(model, prepared);
  ampCpuCloseFrame(&frame);
  if (!status)
    atomic_fetch_add_explicit(&model->numRuns, 1, memory_order_relaxed);
  return status;
}

ampStatus ampModelFree(ampModel *model, ampTensor *result, void *stream) {
  (void)stream;
  if (ampCpuCheckModel(model))
    return AMP_INVALID_ARGUMENT;
  if (result) {
    model->description->release(result->data);
    result->data = NULL;
  }
  return AMP_OK;
}
