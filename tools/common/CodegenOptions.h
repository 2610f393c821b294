//===- CodegenOptions.h - how code is asked for -----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_COMMON_CODEGENOPTIONS_H
#define AMP_TOOLS_COMMON_CODEGENOPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::amp {

/// What code is for, as far as the command line says it.
enum class CodeFor { CPU, Device, Either };

/// The options of every tool that generates code. Make one before the command
/// line is parsed, and keep it until it is read.
class CodegenOptions {
public:
  /// `threadsText` describes --threads.
  CodegenOptions(llvm::cl::OptionCategory &category, StringRef threadsText);

  /// Sets in `options` what the command line says. The error says which option
  /// is wrong, what was expected, and what was found: for options that are not
  /// for `machine` that is `chosenBy`, for example "--target=sm_90a".
  llvm::Error read(CompileOptions &options, CodeFor machine,
                   const Twine &chosenBy) const;

  /// What --threads says, which `read` has checked; 0: one for each processor.
  std::optional<int> getThreads() const;

  bool hasRemarks() const { return remarks; }

private:
  llvm::cl::opt<bool> allowTF32;
  llvm::cl::opt<bool> fastF8;
  llvm::cl::opt<std::string> tuningFile;
  llvm::cl::opt<std::string> tuningDevice;
  llvm::cl::opt<bool> noScalarFallback;
  llvm::cl::opt<int> threads;
  llvm::cl::opt<bool> remarks;
};

/// From now on, what passes of amp remark is printed as diagnostics.
void enableRemarks(MLIRContext &context);

} // namespace mlir::amp

#endif // AMP_TOOLS_COMMON_CODEGENOPTIONS_H
