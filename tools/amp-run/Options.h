//===- Options.h - the command line of amp-run ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_OPTIONS_H
#define AMP_TOOLS_AMP_RUN_OPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp {

/// Where the program runs.
enum class RunDevice { Auto, CPU, CUDA, Simulator };

/// What the command line asks for; `--help` says what each option means.
struct RunOptions {
  std::string model;
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> weights;
  std::vector<std::string> shapes;
  std::optional<uint64_t> randomSeed;
  bool convertInputs = false;
  std::string output;
  RunDevice device = RunDevice::Auto;
  /// Of a CUDA device.
  int ordinal = 0;
  /// Empty: that of the device.
  std::string target;
  CompileOptions compile;
  /// Whether `compile` has the device of the policy; else it is the device that
  /// the program runs on.
  bool hasPolicyDevice = false;
  bool compare = false;
  std::optional<double> tolerance;
  /// Zero where no times are asked for.
  unsigned timedRuns = 0;
  bool profileKernels = false;
  /// Of code for the CPU; see ampSetNumThreads.
  std::optional<int> threads;
  /// Whether remarks of passes are printed.
  bool remarks = false;
  /// Samples to calibrate on; empty where the program is to run once.
  std::vector<std::string> samples;
  /// See SampleOptions.
  std::optional<int64_t> sampleBatch;
  /// Profiles to merge into `output`, instead of running anything.
  std::vector<std::string> profilesToMerge;
  bool quiet = false;
  /// The name of a stage; empty where nothing is to be dumped.
  std::string dumpStage;
  bool printDecisions = false;
  bool attributeError = false;
  /// The limit of --bisect.
  std::optional<double> bisect;
  std::string policyOutput;
  unsigned maxTrials = 0;

  /// Whether the program is run again and again, with other decisions.
  bool hasTrials() const { return attributeError || bisect; }

  /// Whether the IR is to be looked at.
  bool isLook() const { return printDecisions || !dumpStage.empty(); }
  /// Whether anything on the command line gives an input.
  bool hasInputs() const {
    return !inputs.empty() || !weights.empty() || randomSeed;
  }
};

/// Reads the command line; the error says what was expected and found, or is
/// empty where LLVM's library has said it already.
llvm::Expected<RunOptions> parseOptions(int argc, char **argv);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_OPTIONS_H
