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
  /// Behind the values that are known.
  void **end;
  /// Memref descriptors of the arguments, one after the other.
  int64_t *descriptors;
  /// Copies without gaps of arguments that have gaps, or null.
  void **copies;
  /// Where the code writes the descriptors of the results, and scalars.
  char *results;
  /// Where the caller wants the results.
  ampCpuPlace *places;
} ampCpuFrame;

/// Takes the memory of a frame. It must be closed even if this fails.
/// `numPrepared` is how many tensors the code takes behind the arguments.
ampStatus ampCpuOpenFrame(ampCpuFrame *frame, const ampCpuModelDesc *model,
                          const ampCpuEntryDesc *entry, int32_t numPrepared);

/// Checks the arguments against the entry and puts them into the frame.
ampStatus ampCpuSetArguments(ampCpuFrame *frame, const ampTensor *arguments);

/// Adds what the code takes behind the arguments: the results that `init` wrote
/// to `results`, where it is not null.
void ampCpuSetPrepared(ampCpuFrame *frame, const ampCpuEntryDesc *init,
                       char *results);

/// How many bytes the elements of the tensors are that the code of `entry`
/// wrote to `results`; frees them where `release` is not null.
uint64_t ampCpuVisitTensors(const ampCpuEntryDesc *entry, char *results,
                            void (*release)(void *block));

/// Checks what can be checked of the results before the call.
ampStatus ampCpuCheckResults(ampCpuFrame *frame, const ampTensor *results);

/// Lets the code write each result to where the caller wants it that has no
/// gaps there and shares no memory with an argument or another result, unless
/// one of several may still turn out to have other sizes. Precondition: both
/// have been checked.
ampCpuPlace *ampCpuSetPlaces(ampCpuFrame *frame, const ampTensor *arguments,
                             const ampTensor *results);

/// Whether the elements lie one behind the other in row-major order; null
/// strides say so.
int ampCpuIsRowMajor(int32_t rank, const int64_t *shape,
                     const int64_t *strides);

/// Hands the results of a call over, or copies them to where the caller wants
/// them; on failure nothing is handed over.
ampStatus ampCpuGetResults(ampCpuFrame *frame, ampTensor *results);

void ampCpuCloseFrame(ampCpuFrame *frame);

/// Notes the text for ampLastError; returns `status`.
ampStatus ampCpuFail(ampStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // AMP_LIB_RUNTIME_CPU_ARGUMENTS_H
