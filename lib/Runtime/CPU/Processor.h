//===- Processor.h - what the processor can do ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_PROCESSOR_H
#define AMP_LIB_RUNTIME_CPU_PROCESSOR_H

#include <stdint.h>

/// The name of one of the instruction sets `needed` (AMP_CPU_*) that this
/// processor, or its system, lacks, or that the environment variable
/// AMP_CPU_WITHOUT ("avx512f,avx2", for tests) says to go without; null if
/// there is none.
const char *ampFindMissingInstructionSet(uint64_t needed);

#endif // AMP_LIB_RUNTIME_CPU_PROCESSOR_H
