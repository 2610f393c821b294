//===- Invoke.c - calls of compiled code that may fail --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CallScope.h"
#include "amp/Runtime/CPU.h"
#include "amp/Runtime/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[sizeof((struct ampCallScope *)0)->message];

ampCpuOutcome ampCpuInvoke(ampCpuFunction function, void **values,
                           ampCpuPlace *places) {
  ampCpuOutcome outcome = {AMP_OK, ""};
  struct ampCallScope scope;
  struct ampCallScope *outer = ampCurrentScope;
  scope.isOutOfMemory = 0;
  scope.message[0] = 0;
  scope.blocks = NULL;
  scope.places = places;
  if (setjmp(scope.exit)) {
    ampFreeScopeBlocks(&scope);
    ampCurrentScope = outer;
    memcpy(message, scope.message, sizeof message);
    outcome.status = scope.isOutOfMemory ? AMP_OUT_OF_MEMORY : AMP_CHECK_FAILED;
    outcome.message = message;
    return outcome;
  }
  ampCurrentScope = &scope;
  function(values);
  ampKeepScopeBlocks(&scope);
  ampCurrentScope = outer;
  return outcome;
}

void *ampCpuAllocate(uint64_t bytes) {
  struct ampCallScope scope;
  struct ampCallScope *outer = ampCurrentScope;
  scope.blocks = NULL;
  scope.places = NULL;
  void *volatile block = NULL;
  if (!setjmp(scope.exit)) {
    ampCurrentScope = &scope;
    block = amp_alloc(bytes);
    ampKeepScopeBlocks(&scope);
  }
  ampCurrentScope = outer;
  return block;
}

void *ampCpuAllocateResult(uint64_t alignment, uint64_t bytes, int64_t index,
                           const int64_t *sizes) {
  ampCpuPlace *place = ampCurrentScope && ampCurrentScope->places
                           ? &ampCurrentScope->places[index]
                           : NULL;
  if (!place || !place->data || (uintptr_t)place->data % alignment != 0)
    return amp_alloc(bytes);
  for (int32_t i = 0; i < place->rank; ++i)
    if (place->shape[i] != sizes[i])
      return amp_alloc(bytes);
  place->isTaken = 1;
  return place->data;
}

int ampCpuCheckMessage(const char *text) {
  if (ampCurrentScope)
    snprintf(ampCurrentScope->message, sizeof ampCurrentScope->message, "%s",
             text);
  else
    fprintf(stderr, "%s\n", text);
  return 0;
}

void ampCpuCheckFailed(void) {
  if (!ampCurrentScope)
    abort();
  longjmp(ampCurrentScope->exit, 1);
}
