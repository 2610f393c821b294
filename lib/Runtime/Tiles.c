//===- Tiles.c - permission to use tile registers -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for syscall
#endif

#include "Tiles.h"
#include "CallScope.h"
#include "amp/Runtime/Runtime.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>

// Linux gives a process the 8 KiB of tile registers when it asks, for all of
// its threads; one that does not ask ends at its first use of them. See
// Documentation/arch/x86/xstate.rst.
enum { kRequestPermission = 0x1023, kTileData = 18 };

/// 0, or the system's error.
static int request(void) {
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0 ? 0
                                                                     : errno;
}
#else
/// Other systems do not ask for this, and other processors run no such code.
static int request(void) { return 0; }
#endif

int ampRequestTiles(void) {
  // Asking twice, in two threads, does no harm.
  static atomic_int isEnabled;
  if (atomic_load_explicit(&isEnabled, memory_order_relaxed))
    return 0;
  int error = request();
  if (!error)
    atomic_store_explicit(&isEnabled, 1, memory_order_relaxed);
  return error;
}

void amp_enable_tiles(void) {
  int error = ampRequestTiles();
  if (!error)
    return;
  char message[sizeof((struct ampCallScope *)0)->message];
  snprintf(message, sizeof message,
           "the system does not let this process use AMX tile registers (%s); "
           "compile for a processor without them, or with "
           "--mattr=-amx-tile",
           strerror(error));
  struct ampCallScope *scope = ampCurrentScope;
  if (!scope) {
    fprintf(stderr, "amp runtime: %s\n", message);
    abort();
  }
  memcpy(scope->message, message, sizeof message);
  longjmp(scope->exit, 1);
}
