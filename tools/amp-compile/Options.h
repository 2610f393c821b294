//===- Options.h - the command line of amp-compile --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_COMPILE_OPTIONS_H
#define AMP_TOOLS_AMP_COMPILE_OPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::amp {

/// What to write.
enum class Emit { SharedLibrary, Object, LLVM, MLIR, PTX };

/// A processor to compile code for.
struct ProcessorLevel {
  /// As the command line has it.
  std::string name;
  /// Those of CompileOptions.
  std::string processor, features;
};

/// What the command line asks for; `--help` says what each option means.
struct CompilerOptions {
  std::string model;
  std::vector<std::string> entries;
  std::vector<std::string> weights;
  bool convertWeights = false;
  std::string output;
  std::string linker;
  Emit emit = Emit::SharedLibrary;
  /// That the library runs on by default.
  int threads = 1;
  /// Whether remarks of passes are printed.
  bool remarks = false;
  /// At least one; code for the CPU may be compiled for several.
  std::vector<ProcessorLevel> levels;
  /// Its processor and features are those of the first level.
  CompileOptions compile;
};

/// Reads the command line; the error says what was expected and found, or is
/// empty where LLVM's library has said it already.
llvm::Expected<CompilerOptions> parseOptions(int argc, char **argv);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_COMPILE_OPTIONS_H
