//===- Options.h - the command line of amp-tune -----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_TUNE_OPTIONS_H
#define AMP_TOOLS_AMP_TUNE_OPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::amp {

/// What the command line asks for; `--help` says what each option means.
struct TuneOptions {
  std::string model;
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> weights;
  std::vector<std::string> shapes;
  uint64_t randomSeed = 0;
  std::string output;
  bool isSimulated = false;
  /// Of a CUDA device.
  int ordinal = 0;
  /// Empty: that of the device.
  std::string target;
  CompileOptions compile;
  unsigned repeats = 0;
  bool quiet = false;
  /// Tuning files to merge into `output`, instead of measuring anything.
  std::vector<std::string> filesToMerge;
};

/// Reads the command line; the error says what was expected and found, or is
/// empty where LLVM's library has said it already.
llvm::Expected<TuneOptions> parseOptions(int argc, char **argv);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_TUNE_OPTIONS_H
