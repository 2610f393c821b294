//===- Measure.h - running a program with many schedules --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_TUNE_MEASURE_H
#define AMP_TOOLS_AMP_TUNE_MEASURE_H

#include "amp/Execution/DeviceFunction.h"
#include "amp/Execution/Stages.h"
#include "amp/Support/NumpyFile.h"
#include <map>

namespace mlir::amp {

/// A kernel of a program that has several schedules to choose from.
struct TunableKernel {
  /// The function of the kernel that is launched first.
  std::string function;
  /// What tuning files call it.
  std::string name;
  /// What is chosen without a tuning file, and all that there is.
  std::string chosen;
  std::vector<std::string> candidates;
  /// The cost of a launch with each schedule that was measured.
  std::map<std::string, double> costs;
};

/// What is measured.
struct TuneProgram {
  ModuleOp module;
  std::string entry;
  CompileOptions compile;
  Device device;
  ArrayRef<const NumpyArray *> inputs;
  unsigned repeats = 1;
  /// Whether costs are steps of the simulator; else microseconds.
  bool isSimulated = false;
};

/// Measures all candidates of all kernels of the program: as many programs as
/// the kernel with the most candidates has, each with another candidate in all
/// of them. Fails if one of them cannot be compiled, run, or gives other
/// results than the program without a tuning file.
llvm::Expected<std::vector<TunableKernel>> measure(const TuneProgram &program);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_TUNE_MEASURE_H
