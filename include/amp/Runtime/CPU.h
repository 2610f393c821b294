//===- CPU.h - a model compiled for the CPU ---------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_CPU_H
#define AMP_RUNTIME_CPU_H

#include "amp/Runtime/Model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The description of a model that amp-compile makes for the CPU. A change of
 * anything here changes AMP_CPU_ABI_VERSION. */

#define AMP_CPU_MAGIC "AMPCPU"
#define AMP_CPU_ABI_VERSION 5

/// A function of a model. `values` has, in this order: where the results go,
/// unless there is none or the only one is a scalar; one pointer per argument,
/// to the memref descriptor of a tensor or to the value of a scalar; where the
/// only result goes if it is a scalar. Several results go into one structure of
/// memref descriptors and scalars, laid out as in C.
typedef void (*ampCpuFunction)(void **values);

typedef struct ampCpuEntryDesc {
  const char *name;
  int32_t numArguments, numResults;
  const ampValueInfo *arguments, *results;
} ampCpuEntryDesc;

/// Instruction sets that the code of a model uses, beyond those that every
/// processor of the architecture has: all that compilers choose by themselves.
#define AMP_CPU_SSE42 (UINT64_C(1) << 0)
#define AMP_CPU_AVX (UINT64_C(1) << 1)
#define AMP_CPU_F16C (UINT64_C(1) << 2)
#define AMP_CPU_FMA (UINT64_C(1) << 3)
#define AMP_CPU_BMI2 (UINT64_C(1) << 4)
#define AMP_CPU_AVX2 (UINT64_C(1) << 5)
#define AMP_CPU_AVX512F (UINT64_C(1) << 6)
#define AMP_CPU_AVX512DQ (UINT64_C(1) << 7)
#define AMP_CPU_AVX512BW (UINT64_C(1) << 8)
#define AMP_CPU_AVX512VL (UINT64_C(1) << 9)
#define AMP_CPU_AVX512VBMI (UINT64_C(1) << 10)
#define AMP_CPU_AVX512VNNI (UINT64_C(1) << 11)
#define AMP_CPU_AVX512BF16 (UINT64_C(1) << 12)
#define AMP_CPU_AVX512FP16 (UINT64_C(1) << 13)
#define AMP_CPU_AVXVNNI (UINT64_C(1) << 14)
#define AMP_CPU_GFNI (UINT64_C(1) << 15)
#define AMP_CPU_AMX_TILE (UINT64_C(1) << 16)
#define AMP_CPU_AMX_BF16 (UINT64_C(1) << 17)
#define AMP_CPU_AMX_INT8 (UINT64_C(1) << 18)
#define AMP_CPU_POPCNT (UINT64_C(1) << 19)
#define AMP_CPU_MOVBE (UINT64_C(1) << 20)
#define AMP_CPU_BMI (UINT64_C(1) << 21)
#define AMP_CPU_LZCNT (UINT64_C(1) << 22)
#define AMP_CPU_SSE4A (UINT64_C(1) << 23)
#define AMP_CPU_XOP (UINT64_C(1) << 24)
#define AMP_CPU_FMA4 (UINT64_C(1) << 25)
#define AMP_CPU_TBM (UINT64_C(1) << 26)
#define AMP_CPU_AVX512IFMA (UINT64_C(1) << 27)
#define AMP_CPU_AVX512VBMI2 (UINT64_C(1) << 28)
#define AMP_CPU_AVX512BITALG (UINT64_C(1) << 29)
#define AMP_CPU_AVX512VPOPCNTDQ (UINT64_C(1) << 30)
#define AMP_CPU_AVXIFMA (UINT64_C(1) << 31)
#define AMP_CPU_AVXVNNIINT8 (UINT64_C(1) << 32)
#define AMP_CPU_AVXNECONVERT (UINT64_C(1) << 33)
#define AMP_CPU_AVXVNNIINT16 (UINT64_C(1) << 34)
#define AMP_CPU_AVX10_2 (UINT64_C(1) << 35)
#define AMP_CPU_APX (UINT64_C(1) << 36)

/// The part of a function that depends on its weights only.
typedef struct ampCpuInitDesc {
  /// Null where there is none.
  ampCpuFunction function;
  /// Its arguments are the weights, its results tensors, which the function
  /// takes behind its arguments as this one gave them.
  ampCpuEntryDesc entry;
  /// The numbers of the weights among the function's arguments.
  const int32_t *weights;
} ampCpuInitDesc;

/// The code of all entries for processors with some instruction sets.
typedef struct ampCpuLevelDesc {
  const char *name;                // such as "x86-64-v3"
  uint64_t instructionSets;        // AMP_CPU_*
  const ampCpuFunction *functions; // in the order of the entries
  const ampCpuInitDesc *inits;     // in the same order
} ampCpuLevelDesc;

/// Where a caller wants a result of a call, in row-major order.
typedef struct ampCpuPlace {
  /// Null where the result is to be in memory of the runtime.
  void *data;
  const int64_t *shape;
  int32_t rank;
  /// Set once the code has taken the place for the result.
  int32_t isTaken;
} ampCpuPlace;

/// What a call of the code came to; the message is of the thread, and valid
/// until its next call.
typedef struct ampCpuOutcome {
  ampStatus status;
  const char *message;
} ampCpuOutcome;

/// A compiled model: the symbol `<module>_model`.
typedef struct ampCpuModelDesc {
  char magic[8];    // AMP_CPU_MAGIC
  uint32_t version; // AMP_CPU_ABI_VERSION
  uint32_t bytes;   // of this structure
  const char *name;
  const char *manifest;
  int32_t numEntries, numLevels;
  const ampCpuEntryDesc *entries;
  /// At least one; of those that a processor can run, the last one is used.
  const ampCpuLevelDesc *levels;
  /// Functions of the runtime that is linked to the model's code. A process may
  /// have several models, and so several copies of the runtime, while it binds
  /// each name of amp/Runtime/Model.h once.
  ampCpuOutcome (*invoke)(ampCpuFunction function, void **values,
                          ampCpuPlace *places);
  void *(*allocate)(uint64_t bytes);
  void (*release)(void *block);
  /// Gives memory that the model's calls have left for the next ones back to
  /// the system.
  void (*trim)(void);
} ampCpuModelDesc;

/* What the code and the description of a model refer to; local to its library.
 */

/// `places` has one for each result of the function; null where all results are
/// to be in memory of the runtime.
ampCpuOutcome ampCpuInvoke(ampCpuFunction function, void **values,
                           ampCpuPlace *places);

/// Memory for result `index` of the function that ampCpuInvoke calls, which has
/// `sizes`: its place, where it has one of these sizes at a multiple of
/// `alignment`, else `bytes` of the runtime.
void *ampCpuAllocateResult(uint64_t alignment, uint64_t bytes, int64_t index,
                           const int64_t *sizes);

/// Null when memory is exhausted.
void *ampCpuAllocate(uint64_t bytes);

/// Notes the text of a check that fails; what follows is ampCpuCheckFailed.
int ampCpuCheckMessage(const char *message);

/// Ends the call of ampCpuInvoke with AMP_CHECK_FAILED, or the process where
/// there is none.
void ampCpuCheckFailed(void);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_CPU_H
