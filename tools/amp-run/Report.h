//===- Report.h - what amp-run prints ---------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_REPORT_H
#define AMP_TOOLS_AMP_RUN_REPORT_H

#include "KernelCosts.h"
#include "amp/Execution/Compare.h"
#include "amp/Execution/DeviceFunction.h"
#include "amp/Execution/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::amp {

/// Prints one line for each op of `module` that carries a decision: its
/// location, its name, the policy, the element types of its operands before and
/// after, those of its results, the type it computes in, the reason, and the
/// policy set and the entry that say so.
void printDecisions(llvm::raw_ostream &os, ModuleOp module);

/// Prints one line on the result `name`, `array`, of elements of `type`.
void printSummary(llvm::raw_ostream &os, StringRef name,
                  const NumpyArray &array, Type type);

/// Prints one line on the result `name`, of elements of `type`.
void printComparison(llvm::raw_ostream &os, StringRef name, Type type,
                     const Comparison &comparison);

/// Prints the median and the minimum of `seconds`, in milliseconds, after
/// `label`. `seconds` must not be empty.
void printTimes(llvm::raw_ostream &os, StringRef label,
                std::vector<double> seconds);

/// Prints one line per kernel: microseconds, launches, and per second bytes and
/// floating-point operations, where `costs` has them, with the share of
/// `copyRate`, in bytes per second, and that of the roofline of `copyRate` and
/// `peaks`; then one on all of them, and one on the peaks.
void printProfile(llvm::raw_ostream &os, ArrayRef<KernelTime> times,
                  const KernelCosts &costs, double copyRate,
                  const PeakRates &peaks);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_REPORT_H
