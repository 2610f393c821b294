//===- Ptxas.h - the assembler of CUDA --------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_NVVM_PTXAS_H
#define AMP_LIB_CODEGEN_NVVM_PTXAS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::amp::nvvm {

/// Where the pieces of CUDA are that amp needs.
struct Toolkit {
  /// The programs, or empty: not found.
  std::string ptxas, fatbinary;
  /// The bitcode of CUDA's math functions, or empty: not found.
  std::string libdevice;
};

/// Looks for CUDA's programs: `ptxas` if it is not empty (a program), then
/// `toolkit`/bin if that is not empty, then $CUDA_HOME, $CUDA_PATH, $CUDA_ROOT
/// and PATH. libdevice and `fatbinary` are also looked for beside ptxas and in
/// /usr/local/cuda. An explicit path that does not exist is an error; what is
/// nowhere is left empty.
llvm::Expected<Toolkit> findToolkit(StringRef ptxas, StringRef toolkit);

/// What ptxas says of one kernel.
struct KernelReport {
  unsigned registers = 0;
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned sharedBytes = 0, barriers = 0;
};

/// One line of ptxas that is an error or a warning.
struct PtxasMessage {
  bool isError = false;
  /// The kernel that it is about, or empty: not known.
  std::string kernel;
  std::string text;
};

/// What a run of ptxas gave.
struct PtxasResult {
  bool succeeded = false;
  SmallVector<char, 0> cubin;
  llvm::StringMap<KernelReport> kernels;
  SmallVector<PtxasMessage> messages;
};

/// Reads what `ptxas -v` printed while it assembled `ptx`.
void parsePtxasLog(StringRef log, StringRef ptx, PtxasResult &result);

/// Whether the program `ptxas` can optimise functions in parallel: its help
/// says so (CUDA 12.1 and later).
bool canSplit(StringRef ptxas);

/// Assembles `ptx` for `chip`, with `split` its functions in parallel, into the
/// same code. An error is one of running the program; errors in the PTX are
/// messages of the result.
llvm::Expected<PtxasResult> runPtxas(StringRef program, StringRef ptx,
                                     StringRef chip, unsigned optLevel,
                                     bool split);

/// Packs a cubin and its PTX into a fat binary.
llvm::Expected<SmallVector<char, 0>> runFatbinary(StringRef program,
                                                  ArrayRef<char> cubin,
                                                  StringRef ptx,
                                                  StringRef chip);

} // namespace mlir::amp::nvvm

#endif // AMP_LIB_CODEGEN_NVVM_PTXAS_H
