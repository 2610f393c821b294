//===- Error.c - statuses and texts of errors -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char text[2048];

const char *ampLastError(void) { return text; }

const char *ampStatusName(ampStatus status) {
  static const char *const names[] = {
      "ok",           "invalid argument", "no driver",
      "no device",    "out of memory",    "bad model",
      "check failed", "device fault",     "driver error"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status]
                                                         : "unknown status";
}

void ampSetErrorV(const char *format, va_list arguments) {
  // An argument may be the old text.
  char fresh[sizeof text];
  vsnprintf(fresh, sizeof fresh, format, arguments);
  memcpy(text, fresh, sizeof text);
}

ampStatus ampSetError(ampStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ampSetErrorV(format, arguments);
  va_end(arguments);
  return status;
}

ampStatus ampSetDriverError(CUresult error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ampSetErrorV(format, arguments);
  va_end(arguments);
  const char *name = NULL, *explanation = NULL;
  if (ampDriver.cuGetErrorName)
    ampDriver.cuGetErrorName(error, &name);
  if (ampDriver.cuGetErrorString)
    ampDriver.cuGetErrorString(error, &explanation);
  size_t length = strlen(text);
  if (name)
    snprintf(text + length, sizeof text - length, ": %s (%s)", name,
             explanation ? explanation : "no explanation");
  else
    snprintf(text + length, sizeof text - length, ": CUDA error %d", error);
  return ampStatusOf(error);
}

ampStatus ampStatusOf(CUresult error) {
  switch (error) {
  case CUDA_SUCCESS:
    return AMP_OK;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return AMP_OUT_OF_MEMORY;
  case CUDA_ERROR_STUB_LIBRARY:
  case CUDA_ERROR_NOT_INITIALIZED:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    return AMP_NO_DRIVER;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
    return AMP_NO_DEVICE;
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_INVALID_SOURCE:
    return AMP_BAD_MODEL;
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return AMP_DEVICE_FAULT;
  default:
    return AMP_DRIVER_ERROR;
  }
}
