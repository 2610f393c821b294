//===- Report.h - what autocast did to a program ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The attribute `amp.report` of a module as plain data, which needs no MLIR
// context: it is written as text, JSON and HTML, read back from JSON, and
// compared. docs/report.md describes the formats.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_REPORT_REPORT_H
#define AMP_REPORT_REPORT_H

#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp {

/// The size of tensors whose dimensions may be dynamic.
struct ByteCount {
  /// Bytes of those of static shape.
  int64_t fixed = 0;
  /// Bytes of those of dynamic shape if every dynamic size were 1.
  int64_t perDynamic = 0;

  void operator+=(const ByteCount &other) {
    fixed += other.fixed;
    perDynamic += other.perDynamic;
  }
  bool operator==(const ByteCount &other) const {
    return fixed == other.fixed && perDynamic == other.perDynamic;
  }
  bool operator!=(const ByteCount &other) const { return !(*this == other); }
};

/// The bytes of a value of `type` if its elements were of `elementType` (null:
/// as they are). Scalars, and tensors of no known rank, count nothing.
ByteCount countBytes(Type type, Type elementType = {});

/// A conversion that was put in. The types are printed: "tensor<4xf32>".
struct CastRecord {
  std::string from;
  std::string to;
  /// Read and written.
  ByteCount bytes;
};

/// What is known of one op. Element types are printed, "f32"; empty where there
/// are no floats that autocast would touch.
struct OpRecord {
  /// "main/conv1", by the name that the program gives, or "main/linalg.matmul"
  /// without one; "#2" follows the second one of that kind, and so on. Unique.
  std::string id;
  std::string op;
  std::string function;
  /// The name that the program gives; mostly empty.
  std::string name;
  /// "file:line:column"; without a file MLIR's text, or nothing where that
  /// would only say the name.
  std::string location;
  std::string policy;
  std::string reason;
  /// The policy set that holds the entry which decided, and where that is
  /// written; empty where no entry did, and where a set is built in.
  std::string policySet;
  std::string policyLocation;
  /// The element types in the program, and those that were decided.
  std::vector<std::string> declaredOperands, declaredResults;
  std::vector<std::string> from, to, results;
  std::string compute;
  /// Whether the op takes or gives a type that is narrower than the program's.
  bool isLow = false;
  std::vector<CastRecord> casts;
  /// The bytes of its results in the program's types, and in the decided ones.
  ByteCount before, after;
  /// What its results held, where amp-decide-precision had a profile that knows
  /// them.
  std::optional<RangeRecord> range;

  /// Whether it is no op that computes: a border of a scope or a function, or
  /// a constant or another generator of values that nothing flows into.
  bool isBorder() const {
    return reason == "boundary" || reason == "generator";
  }
};

/// A constant, or an argument of a function that is marked as a weight.
struct WeightRecord {
  std::string name;
  std::string function;
  std::string location;
  /// As the program has it, printed.
  std::string type;
  /// The element types in which it is read.
  std::vector<std::string> readAs;
  ByteCount before, after;
};

/// Sums over a report.
struct ReportTotals {
  /// The ops without borders and generators, and those of them with isLow.
  int64_t numOps = 0;
  int64_t numLow = 0;
  int64_t numCasts = 0;
  ByteCount castBytes;
  ByteCount weightsBefore, weightsAfter;
  /// Of the ops that are counted: what is in memory if nothing is fused.
  ByteCount resultsBefore, resultsAfter;
};

/// The report of a module.
struct Report {
  /// The file that the program came from, as it was named.
  std::string model;
  std::vector<OpRecord> ops;
  std::vector<WeightRecord> weights;

  ReportTotals getTotals() const;
  /// The ops that have a range.
  size_t getNumProfiled() const;
};

/// The report that amp-apply-precision left on `module`, with the weights of
/// `module` as they are read now: it must still be what that pass made. The
/// error says that there is none.
llvm::Expected<Report> makeReport(ModuleOp module, StringRef model);

/// The JSON text of a report; the same report gives the same bytes.
void printJSON(llvm::raw_ostream &os, const Report &report);

/// Reads what printJSON has written. `origin` names the file in messages, which
/// say what was expected where, and what was found.
llvm::Expected<Report> parseReport(StringRef text, const Twine &origin);

/// A table for the shell, one line an op, in order of the program; then totals.
void printText(llvm::raw_ostream &os, const Report &report);

/// One page that needs nothing else: rows can be sorted and filtered.
void printHTML(llvm::raw_ostream &os, const Report &report);

/// What changed between two reports in one op.
struct OpChange {
  /// Null where the op is in one report only.
  const OpRecord *before = nullptr;
  const OpRecord *after = nullptr;
  /// The fields that differ: "policy", "reason", "types", "casts".
  std::vector<std::string> fields;
};

/// The ops in which the reports differ, in order of the programs. Ops are
/// matched by function, op and given name, in order; locations do not count, so
/// that an edit elsewhere in a file changes nothing. The changes point into the
/// reports.
std::vector<OpChange> compareReports(const Report &before, const Report &after);

/// Prints one line for each change, and one for each total that differs.
/// Nothing where nothing differs.
void printChanges(llvm::raw_ostream &os, const Report &before,
                  const Report &after, ArrayRef<OpChange> changes);

} // namespace mlir::amp

#endif // AMP_REPORT_REPORT_H
