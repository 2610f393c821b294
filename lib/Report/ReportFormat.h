//===- ReportFormat.h - pieces of reports as text ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_REPORT_REPORTFORMAT_H
#define AMP_LIB_REPORT_REPORTFORMAT_H

#include "amp/Report/Report.h"

namespace mlir::amp {

/// "64", "2304/?" (for each element of the dynamic dimensions), "64+2304/?".
std::string formatBytes(const ByteCount &bytes);

/// "f32,-,f16".
std::string formatTypes(ArrayRef<std::string> types);

/// Why: the reason, and the policy set and the line that say so.
std::string formatSource(const OpRecord &op);

/// One number of a range, in a column of its own.
struct RangeCell {
  /// "-1.5", or "-" for a bound where nothing was finite.
  std::string text;
  /// What it is sorted by; what is not there comes first.
  double key;
  /// Whether a number should not be there: NaN and infinities.
  bool isBad = false;
};

/// The titles of the columns of a range, for the shell.
ArrayRef<StringRef> getRangeTitles();

/// A cell for each of these columns; "-" where there is no range.
std::vector<RangeCell> getRangeCells(const OpRecord &op);

/// "12 of 17 ops", those with a range.
std::string formatNumProfiled(const Report &report);

/// Replaces control characters, which would break a line, by "\x0A".
std::string escapeControls(StringRef text);

/// Each total with what it is called.
std::vector<std::pair<std::string, std::string>>
describeTotals(const ReportTotals &totals);

} // namespace mlir::amp

#endif // AMP_LIB_REPORT_REPORTFORMAT_H
