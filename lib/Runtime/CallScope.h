//===- CallScope.h - a call of compiled code that may fail ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CALLSCOPE_H
#define AMP_LIB_RUNTIME_CALLSCOPE_H

#include <setjmp.h>

struct ampBlock;
struct ampCpuPlace;

/// A call in progress of a thread. A failure jumps to `exit`; the blocks that
/// the thread has taken since, and not freed, are in `blocks`.
struct ampCallScope {
  jmp_buf exit;
  int isOutOfMemory;
  char message[512];
  struct ampBlock *blocks;
  /// Where the caller wants the results, or null.
  struct ampCpuPlace *places;
};

/// The calling thread's scope, or null.
extern _Thread_local struct ampCallScope *ampCurrentScope
    __attribute__((visibility("hidden")));

/// Frees the blocks of the scope.
__attribute__((visibility("hidden"))) void
ampFreeScopeBlocks(struct ampCallScope *scope);

/// Takes the blocks that are left, such as results, out of the scope.
__attribute__((visibility("hidden"))) void
ampKeepScopeBlocks(struct ampCallScope *scope);

#endif // AMP_LIB_RUNTIME_CALLSCOPE_H
