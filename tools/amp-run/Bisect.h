//===- Bisect.h - which ops must stay in f32 --------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_BISECT_H
#define AMP_TOOLS_AMP_RUN_BISECT_H

#include "Trials.h"

namespace mlir::amp {

/// Finds a set of ops to keep in f32 so that the error is within `tolerance`,
/// of which no op can be left out; prints it, writes it to `path` as a policy
/// file on top of the policies of `setup`, and runs the program with that file.
/// Prints that there is nothing to do where the error is within the tolerance
/// already. Fails where it is not even with all ops in f32, and where the file
/// does not bring it there.
llvm::Error bisect(llvm::raw_ostream &os, Trials &trials,
                   const TrialSetup &setup, double tolerance, StringRef path);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_BISECT_H
