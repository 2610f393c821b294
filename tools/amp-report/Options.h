//===- Options.h - the command line of amp-report ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_REPORT_OPTIONS_H
#define AMP_TOOLS_AMP_REPORT_OPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::amp {

/// What a report is written as.
enum class ReportFormat { Text, JSON, HTML };

/// What the command line asks for; `--help` says what each option means.
struct ReportOptions {
  /// One, or with `isDiff` two.
  std::vector<std::string> inputs;
  bool isDiff = false;
  std::string output = "-";
  ReportFormat format = ReportFormat::Text;
  std::string entry;
  std::vector<std::string> weights;
  CompileOptions compile;
};

/// Reads the command line; the error says what was expected and found, or is
/// empty where LLVM's library has said it already.
llvm::Expected<ReportOptions> parseOptions(int argc, char **argv);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_REPORT_OPTIONS_H
