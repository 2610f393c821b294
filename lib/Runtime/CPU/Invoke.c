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

ampCpuOutcome ampCpuInvoke(ampCpuFunction function, void **values) {
  ampCpuOutcome outcome = {AMP_OK, ""};
  struct ampCallScope scope;
  struct ampCallScope *outer = ampCurrentScope;
  scope.isOutOfMemory = 0;
  scope.message[0] = 0;
  scope.blocks = NULL;
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
  void *volatile block = NULL;
  if (!setjmp(scope.exit)) {
    ampCurrentScope = &scope;
    block = amp_alloc(bytes);
    ampKeepScopeBlocks(&scope);
  }
  ampCurrentScope = outer;
  return block;
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
