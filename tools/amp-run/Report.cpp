//===- Report.cpp - what amp-run prints -----------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::amp;

/// Prints "file:line:column" where the location has one, else MLIR's own form.
static void printLocation(llvm::raw_ostream &os, Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << location;
}

/// Prints "f32, none"; an absent type is one that autocast leaves alone.
static void printTypes(llvm::raw_ostream &os, ArrayRef<Type> types) {
  os << "(";
  llvm::interleaveComma(types, os, [&](Type type) {
    if (!type || isa<NoneType>(type))
      os << "-";
    else
      os << type;
  });
  os << ")";
}

void mlir::amp::printDecisions(llvm::raw_ostream &os, ModuleOp module) {
  module.walk([&](Operation *op) {
    auto decision = op->getAttrOfType<DecisionAttr>("amp.decision");
    if (!decision)
      return;
    printLocation(os, op->getLoc());
    os << ": " << op->getName() << ": " << stringifyPolicy(decision.getPolicy())
       << " ";
    printTypes(os, decision.getFrom());
    os << " -> ";
    printTypes(os, decision.getTo());
    os << " results ";
    printTypes(os, decision.getResults());
    os << " compute " << decision.getCompute() << " because "
       << stringifyReason(decision.getReason());
    if (decision.getSet())
      os << " of " << decision.getSet();
    if (decision.getEntry()) {
      os << " at ";
      printLocation(os, decision.getEntry());
    }
    os << "\n";
  });
}

void mlir::amp::printSummary(llvm::raw_ostream &os, StringRef name,
                             const NumpyArray &array, Type type) {
  Summary summary = summarize(array, type);
  os << "result " << name << ": shape="
     << (array.getShape().empty() ? "scalar" : formatShape(array.getShape()))
     << " type=" << type << " min=" << llvm::format("%.6g", summary.min)
     << " max=" << llvm::format("%.6g", summary.max)
     << " mean=" << llvm::format("%.6g", summary.mean)
     << " nan=" << summary.numNaN << " inf=" << summary.numInf << "\n";
}

void mlir::amp::printComparison(llvm::raw_ostream &os, StringRef name,
                                Type type, const Comparison &comparison) {
  os << "compare " << name
     << ": max_abs=" << llvm::format("%.4g", comparison.maxAbsolute)
     << " max_rel=" << llvm::format("%.4g", comparison.maxRelative)
     << " ulp=" << llvm::format("%.4g", comparison.maxUlp) << " of " << type
     << " scaled=" << llvm::format("%.4g", comparison.scaledError)
     << " cosine=" << llvm::format("%.9f", comparison.cosine)
     << " nan=" << comparison.numNaN << "/" << comparison.numReferenceNaN
     << " inf=" << comparison.numInf << "/" << comparison.numReferenceInf
     << " mismatches=" << comparison.numMismatches << "\n";
}

void mlir::amp::printTimes(llvm::raw_ostream &os, StringRef label,
                           std::vector<double> seconds) {
  llvm::sort(seconds);
  size_t middle = seconds.size() / 2;
  double median = seconds.size() % 2
                      ? seconds[middle]
                      : (seconds[middle - 1] + seconds[middle]) / 2;
  os << label << ": median_ms=" << llvm::format("%.4f", median * 1e3)
     << " min_ms=" << llvm::format("%.4f", seconds.front() * 1e3)
     << " runs=" << seconds.size() << "\n";
}

/// Prints " bytes=4096 gb_per_s=1.2", or " bytes=- gb_per_s=-".
static void printRate(llvm::raw_ostream &os, StringRef name, StringRef rate,
                      std::optional<double> count, double seconds) {
  if (!count) {
    os << " " << name << "=- " << rate << "=-";
    return;
  }
  os << " " << name << "=" << llvm::format("%.0f", *count) << " " << rate
     << "=";
  if (seconds > 0)
    os << llvm::format("%.4g", *count / seconds * 1e-9);
  else
    os << "-";
}

/// Prints " of_roofline=12.5% bound=memory".
static void printRoofline(llvm::raw_ostream &os, const Work &work,
                          double copyRate, const PeakRates &peaks,
                          double seconds) {
  std::optional<Roofline> roofline = getRoofline(work, copyRate, peaks);
  if (!roofline || !(seconds > 0)) {
    os << " of_roofline=- bound=-";
    return;
  }
  os << " of_roofline="
     << llvm::format("%.1f%%", 100 * roofline->seconds / seconds)
     << " bound=" << (roofline->isMemoryBound ? "memory" : "compute");
}

/// The work of all launches, where that of one is known.
static Work getTotal(const Work *work, unsigned numLaunches) {
  Work total;
  if (!work)
    return total;
  if (work->numBytes)
    total.numBytes = *work->numBytes * numLaunches;
  if (work->numFlops) {
    total.numFlops.emplace();
    for (MathUnit unit : kMathUnits)
      (*total.numFlops)[unit] = (*work->numFlops)[unit] * numLaunches;
  }
  return total;
}

void mlir::amp::printProfile(llvm::raw_ostream &os, ArrayRef<KernelTime> times,
                             const KernelCosts &costs, double copyRate,
                             const PeakRates &peaks) {
  double total = 0;
  for (const KernelTime &time : times) {
    Work work = getTotal(findKernelCost(costs, time.kernel), time.numLaunches);
    os << "kernel " << time.kernel
       << ": us=" << llvm::format("%.2f", time.seconds * 1e6)
       << " launches=" << time.numLaunches;
    printRate(os, "bytes", "gb_per_s", work.numBytes, time.seconds);
    printRate(os, "flops", "gflop_per_s", work.getTotalFlops(), time.seconds);
    os << " of_copy_rate=";
    if (work.numBytes && copyRate > 0 && time.seconds > 0)
      os << llvm::format("%.1f%%",
                         100 * *work.numBytes / time.seconds / copyRate);
    else
      os << "-";
    printRoofline(os, work, copyRate, peaks, time.seconds);
    if (!time.location.empty())
      os << " at " << time.location;
    os << "\n";
    total += time.seconds;
  }
  os << "profile: kernels=" << times.size()
     << " us=" << llvm::format("%.2f", total * 1e6) << " copy_rate_gb_per_s=";
  if (copyRate > 0)
    os << llvm::format("%.4g", copyRate * 1e-9);
  else
    os << "-";
  os << "\nprofile: peak_gflop_per_s";
  for (MathUnit unit : kMathUnits) {
    os << " " << stringifyMathUnit(unit) << "=";
    if (peaks[unit])
      os << llvm::format("%.6g", *peaks[unit] * 1e-9);
    else
      os << "-";
  }
  os << "\n";
}
