//===- Options.cpp - the command line of amp-report -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../common/AutocastOptions.h"
#include "amp/Support/Errors.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;
namespace cl = llvm::cl;

static constexpr const char *overview =
    R"(says what autocast does to each op of an MLIR module, and why

  amp-report MODEL.mlir --autocast=f16 -o report.html
  amp-report --diff before.json after.json

The report is a table on standard output, or a file by its name: .html, .json or
.txt. --diff takes two reports in JSON, or modules, and says which ops differ.

Exit codes: 0 success, and no difference; 1 the two of --diff differ; 2 bad
usage, bad input, or a file that cannot be written.
)";

/// The format of a file by its name, or nothing.
static std::optional<ReportFormat> parseFormat(StringRef name) {
  return llvm::StringSwitch<std::optional<ReportFormat>>(name)
      .Cases({"text", ".txt"}, ReportFormat::Text)
      .Cases({"json", ".json"}, ReportFormat::JSON)
      .Cases({"html", ".html", ".htm"}, ReportFormat::HTML)
      .Default(std::nullopt);
}

Expected<ReportOptions> mlir::amp::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("amp-report options");
  cl::list<std::string> inputs(cl::Positional, cl::desc("MODEL.mlir"),
                               cl::cat(category));
  cl::opt<std::string> output(
      "o", cl::value_desc("FILE"), cl::cat(category), cl::init("-"),
      cl::desc("Where the report goes; - is standard output (default)"));
  cl::opt<std::string> format(
      "format", cl::value_desc("text|json|html"), cl::cat(category),
      cl::desc("What to write (default: by the name of the file, and text on "
               "standard output)"));
  cl::opt<bool> diff(
      "diff", cl::cat(category),
      cl::desc("Compare two reports in JSON (.json), or modules"));
  cl::opt<std::string> entry(
      "entry", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("Report this function and those that it uses (default: all; "
               "with --weights, the only public one, or main)"));
  cl::list<std::string> weights(
      "weights", cl::value_desc("FILE.npz"), cl::cat(category),
      cl::desc("Count the arguments with the names of the members as weights; "
               "may be repeated"));
  AutocastOptions autocast(category, "cpu");
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return makeError("the command line is wrong; see amp-report --help");

  ReportOptions options;
  options.inputs = inputs;
  options.isDiff = diff;
  options.entry = entry;
  options.weights = weights;
  options.output = output;
  size_t numInputs = diff ? 2 : 1;
  if (inputs.size() != numInputs)
    return makeError(
        diff ? "--diff: expected two files, found " + Twine(inputs.size())
             : "expected one module, found " + Twine(inputs.size()) +
                   ": amp-report MODEL.mlir");
  if (llvm::Error error = autocast.read(options.compile))
    return std::move(error);
  if (format.getNumOccurrences()) {
    std::optional<ReportFormat> kind =
        StringRef(format).starts_with(".") ? std::nullopt : parseFormat(format);
    if (!kind)
      return makeError("--format: expected text, json or html, found '" +
                       format + "'");
    options.format = *kind;
  } else if (output != "-") {
    std::optional<ReportFormat> kind =
        parseFormat(llvm::sys::path::extension(output));
    if (!kind)
      return makeError("-o: expected a name that ends in .html, .json or .txt, "
                       "or --format, found '" +
                       output + "'");
    options.format = *kind;
  }
  if (diff && options.format != ReportFormat::Text)
    return makeError("--diff: writes text only");
  return options;
}
