//===- Driver.c - opening the CUDA driver ---------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct driver ampDriver;

static pthread_mutex_t openLock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool isOpen;

/// Finds `symbol` in the library; false with an error when it has none.
static bool find(void *library, const char *symbol, const char *path,
                 void *function) {
  void *address = dlsym(library, symbol);
  memcpy(function, &address, sizeof address);
  if (address)
    return true;
  ampSetError(AMP_NO_DRIVER,
              "the CUDA driver '%s' has no function '%s'; the driver of CUDA "
              "12.0 or newer is needed",
              path, symbol);
  return false;
}

static ampStatus openLocked(void) {
  const char *path = getenv("AMP_CUDA_DRIVER");
  if (!path || !*path)
    path = "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return ampSetError(AMP_NO_DRIVER, "no CUDA driver: %s",
                       reason ? reason : path);
  }
  struct driver found;
  memset(&found, 0, sizeof found);
  bool complete = true;
#define AMP_CUDA_DRIVER(symbol, parameters)                                    \
  complete = complete && find(library, #symbol, path, &found.symbol);
#include "Driver.def"
  if (!complete) {
    dlclose(library);
    return AMP_NO_DRIVER;
  }
  CUresult error = found.cuInit(0);
  if (error != CUDA_SUCCESS) {
    // For the names of errors.
    struct driver none = ampDriver;
    ampDriver = found;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    ampStatus status =
        error == CUDA_ERROR_NO_DEVICE && visible
            ? ampSetDriverError(error,
                                "no CUDA device: CUDA_VISIBLE_DEVICES is '%s'",
                                visible)
        : error == CUDA_ERROR_NO_DEVICE
            ? ampSetDriverError(error, "no CUDA device")
            : ampSetDriverError(error, "the CUDA driver '%s' does not start",
                                path);
    ampDriver = none;
    dlclose(library);
    return status == AMP_NO_DEVICE ? AMP_NO_DEVICE : AMP_NO_DRIVER;
  }
  // The driver stays loaded: it has threads of its own.
  ampDriver = found;
  return AMP_OK;
}

ampStatus ampOpenDriver(void) {
  if (atomic_load_explicit(&isOpen, memory_order_acquire))
    return AMP_OK;
  pthread_mutex_lock(&openLock);
  ampStatus status = AMP_OK;
  if (!atomic_load_explicit(&isOpen, memory_order_relaxed)) {
    status = openLocked();
    if (status == AMP_OK)
      atomic_store_explicit(&isOpen, true, memory_order_release);
  }
  pthread_mutex_unlock(&openLock);
  return status;
}
