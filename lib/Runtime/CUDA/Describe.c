//===- Describe.c - queries of a model's description ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <string.h>

static const struct {
  const char *name;
  size_t bytes;
} dtypes[] = {{"i1", 1},           {"i8", 1},           {"i16", 2},
              {"i32", 4},          {"i64", 8},          {"ui8", 1},
              {"ui16", 2},         {"ui32", 4},         {"ui64", 8},
              {"f16", 2},          {"bf16", 2},         {"f32", 4},
              {"f64", 8},          {"f8E4M3FN", 1},     {"f8E5M2", 1},
              {"f8E4M3FNUZ", 1},   {"f8E5M2FNUZ", 1},   {"f8E4M3B11FNUZ", 1},
              {"f8E4M3", 1},       {"f8E3M4", 1},       {"f8E8M0FNU", 1},
              {"complex<f32>", 8}, {"complex<f64>", 16}};

static bool isDtype(int32_t dtype) {
  return dtype >= 0 && (size_t)dtype < sizeof dtypes / sizeof *dtypes;
}

size_t ampDtypeSize(int32_t dtype) {
  return isDtype(dtype) ? dtypes[dtype].bytes : 0;
}

const char *ampDtypeName(int32_t dtype) {
  return isDtype(dtype) ? dtypes[dtype].name : NULL;
}

const ampCudaModelDesc *ampCheckDescription(const void *description) {
  const ampCudaModelDesc *desc = description;
  if (!desc) {
    ampSetError(AMP_BAD_MODEL, "the description of the model is null");
    return NULL;
  }
  if (memcmp(desc->magic, AMP_CUDA_MAGIC, sizeof desc->magic) != 0) {
    ampSetError(AMP_BAD_MODEL,
                "this is no description of a model compiled for CUDA");
    return NULL;
  }
  if (desc->version != AMP_CUDA_ABI_VERSION || desc->bytes != sizeof *desc) {
    ampSetError(AMP_BAD_MODEL,
                "the model was compiled for version %u of the runtime's ABI, "
                "but this runtime has version %u; compile the model again",
                desc->version, AMP_CUDA_ABI_VERSION);
    return NULL;
  }
  return desc;
}

int32_t ampModelNumFunctions(const void *description) {
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  return desc ? desc->numEntries : 0;
}

ampStatus ampModelFunction(const void *description, int32_t index,
                           ampFunctionInfo *info) {
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  if (!desc)
    return AMP_BAD_MODEL;
  if (!info || index < 0 || index >= desc->numEntries)
    return ampSetError(AMP_INVALID_ARGUMENT,
                       "the model has no function %d; it has %d, from 0 on",
                       index, desc->numEntries);
  const ampCudaEntryDesc *entry = &desc->entries[index];
  info->name = entry->name;
  info->numArguments = entry->numArguments;
  info->numResults = entry->numResults;
  info->arguments = entry->arguments;
  info->results = entry->results;
  info->workspaceBytes = entry->workspaceBytes;
  return AMP_OK;
}

int32_t ampModelFindFunction(const void *description, const char *name) {
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  if (!desc)
    return -1;
  for (int32_t i = 0; name && i < desc->numEntries; ++i)
    if (strcmp(desc->entries[i].name, name) == 0)
      return i;
  ampSetError(AMP_INVALID_ARGUMENT, "the model has no function '%s'",
              name ? name : "(null)");
  return -1;
}

const char *ampModelManifest(const void *description) {
  const ampCudaModelDesc *desc = ampCheckDescription(description);
  return desc ? desc->manifest : NULL;
}
