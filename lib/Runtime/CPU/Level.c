//===- Level.c - which code of a model a processor runs -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Model.h"
#include "Processor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 512 };

/// Writes the names of all levels, and of what this processor lacks of each
/// where `withMissing` says so; longer lists are cut.
static void listLevels(const ampCpuModelDesc *desc, int withMissing,
                       char *text) {
  size_t length = 0;
  text[0] = 0;
  for (int32_t i = 0; i < desc->numLevels && length < kLength; ++i) {
    const ampCpuLevelDesc *level = &desc->levels[i];
    const char *missing =
        withMissing ? ampFindMissingInstructionSet(level->instructionSets)
                    : NULL;
    int written = snprintf(text + length, kLength - length, "%s%s%s%s%s",
                           i ? ", " : "", level->name, missing ? " (" : "",
                           missing ? missing : "", missing ? ")" : "");
    length += written < 0 ? kLength : (size_t)written;
  }
}

static const ampCpuLevelDesc *getNamedLevel(const ampCpuModelDesc *desc,
                                            const char *name) {
  for (int32_t i = 0; i < desc->numLevels; ++i) {
    const ampCpuLevelDesc *level = &desc->levels[i];
    if (strcmp(level->name, name) != 0)
      continue;
    const char *missing = ampFindMissingInstructionSet(level->instructionSets);
    if (!missing)
      return level;
    ampCpuFail(AMP_BAD_MODEL,
               "AMP_CPU_LEVEL: level '%s' of model '%s' needs a processor with "
               "%s, which this one lacks",
               name, desc->name, missing);
    return NULL;
  }
  char levels[kLength];
  listLevels(desc, 0, levels);
  ampCpuFail(AMP_BAD_MODEL,
             "AMP_CPU_LEVEL: model '%s' has no level '%s': expected one of %s",
             desc->name, name, levels);
  return NULL;
}

const ampCpuLevelDesc *ampCpuChooseLevel(const ampCpuModelDesc *desc) {
  // A library with one level has nothing to choose from.
  const char *name = desc->numLevels > 1 ? getenv("AMP_CPU_LEVEL") : NULL;
  if (name && *name)
    return getNamedLevel(desc, name);
  const char *missing = NULL;
  for (int32_t i = desc->numLevels - 1; i >= 0; --i) {
    missing = ampFindMissingInstructionSet(desc->levels[i].instructionSets);
    if (!missing)
      return &desc->levels[i];
  }
  if (desc->numLevels == 1) {
    ampCpuFail(AMP_BAD_MODEL,
               "model '%s' is compiled for a processor with %s, which this one "
               "lacks; compile it with --mcpu for this processor, or for an "
               "older one",
               desc->name, missing);
    return NULL;
  }
  char levels[kLength];
  listLevels(desc, 1, levels);
  ampCpuFail(AMP_BAD_MODEL,
             "model '%s' has no level that this processor runs; it has levels, "
             "and of each this processor lacks (in parentheses): %s; compile "
             "it with an older processor in --mcpu",
             desc->name, levels);
  return NULL;
}
