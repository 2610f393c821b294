//===- Calibrate.h - ranges over samples ------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_CALIBRATE_H
#define AMP_TOOLS_AMP_RUN_CALIBRATE_H

#include "Options.h"
#include "amp/Execution/Program.h"

namespace mlir::amp {

/// An error of the user's input, or one of compiling and running.
struct CalibrationError {
  llvm::Error error;
  bool isInput;
};

/// Runs `entry`, whose module is compiled in place, without autocast on the
/// samples that the options name, and writes the ranges of its values to the
/// profile. In memory are one sample, and a record of fixed size per value.
/// Nothing on success.
std::optional<CalibrationError> calibrate(func::FuncOp entry,
                                          ArrayRef<Port> arguments,
                                          const RunOptions &options);

/// Merges the profiles that the options name into the output.
llvm::Error mergeProfiles(const RunOptions &options);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_CALIBRATE_H
