//===- Arguments.h - tensors as compiled code takes them --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_ARGUMENTS_H
#define AMP_LIB_RUNTIME_CPU_ARGUMENTS_H

#include "amp/Runtime/CPU.h"

/// What a call passes: see ampCpuFunction.
typedef struct ampCpuFrame {
  const ampCpuModelDesc *model;
  const ampCpuEntryDesc *entry;
  void **values;
  /// Memref descriptors of the arguments, one after the other.
  int64_t *descriptors;
  /// Copies without gaps of arguments that have gaps, or null.
  void **copies;
  /// Where the code writes the results.
  char *results;
} ampCpuFrame;

/// Takes the memory of a frame. It must be closed even if this fails.
ampStatus ampCpuOpenFrame(ampCpuFrame *frame, const ampCpuModelDesc *model,
                          const ampCpuEntryDesc *entry);

/// Checks the arguments against the entry and puts them into the frame.
ampStatus ampCpuSetArguments(ampCpuFrame *frame, const ampTensor *arguments);

/// Checks what can be checked of the results before the call.
ampStatus ampCpuCheckResults(ampCpuFrame *frame, const ampTensor *results);

/// Hands the results of a call over, or copies them to where the caller wants
/// them; on failure nothing is handed over.
ampStatus ampCpuGetResults(ampCpuFrame *frame, ampTensor *results);

void ampCpuCloseFrame(ampCpuFrame *frame);

/// Notes the text for ampLastError; returns `status`.
ampStatus ampCpuFail(ampStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // AMP_LIB_RUNTIME_CPU_ARGUMENTS_H
