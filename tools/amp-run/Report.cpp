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
       << stringifyReason(decision.getReason()) << "\n";
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
