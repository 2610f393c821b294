//===- amp-report.cpp - tells what autocast does to a module --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Takes a module before autocast, or one that holds decisions or a report, and
// writes the report of it. docs/report.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Execution/InputSet.h"
#include "amp/Execution/Program.h"
#include "amp/InitAll.h"
#include "amp/Report/Report.h"
#include "amp/Support/Errors.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

namespace {
/// The meaning of the exit codes, in order of their numbers.
enum ExitCode { exitOk, exitDifferent, exitTrouble };
} // namespace

static int fail(Error error) {
  reportError("amp-report", std::move(error));
  return exitTrouble;
}

static void warn(const Twine &message) {
  llvm::errs() << "amp-report: warning: " << message << "\n";
}

/// Marks the arguments of `entry` that the archives hold as weights.
static Error markWeights(func::FuncOp entry, ArrayRef<std::string> archives) {
  Expected<SmallVector<Port>> arguments = getArgumentPorts(entry);
  if (!arguments)
    return arguments.takeError();
  InputSet inputs(*arguments, warn);
  for (const std::string &path : archives)
    if (Error error = inputs.addArchive(path))
      return inContext("--weights", std::move(error));
  for (auto [index, value] : llvm::enumerate(inputs.takeBound()))
    if (value)
      entry.setArgAttr(index, AMPDialect::kWeightAttrName,
                       UnitAttr::get(entry.getContext()));
  return Error::success();
}

/// Brings `module` to where it has its report.
static Error prepare(ModuleOp module, const ReportOptions &options) {
  SmallVector<func::FuncOp> entries;
  if (!options.entry.empty() || !options.weights.empty()) {
    Expected<func::FuncOp> entry = findEntry(module, options.entry);
    if (!entry)
      return entry.takeError();
    if (Error error = markWeights(*entry, options.weights))
      return error;
    if (!options.entry.empty())
      entries.push_back(*entry);
  }
  bool isAsked = options.compile.autocast != Autocast::AsWritten ||
                 !entries.empty() || !options.compile.profile.empty() ||
                 options.compile.useClassifier;
  if (module->hasAttr(AMPDialect::kReportAttrName)) {
    if (isAsked)
      return makeError("the module holds a report, so it went through autocast "
                       "already: leave --autocast, --classifier, --entry and "
                       "--profile out");
    return Error::success();
  }
  bool isDecided = module
                       .walk([](Operation *op) {
                         return op->hasAttr(AMPDialect::kDecisionAttrName)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (isDecided && isAsked)
    return makeError("the module holds decisions already: leave --autocast, "
                     "--classifier, --entry and --profile out; "
                     "amp-decide-precision takes a profile, and rules");
  LogicalResult applied = success();
  if (isDecided) {
    PassManager pm(module->getContext(), ModuleOp::getOperationName());
    (void)applyPassManagerCLOptions(pm);
    AmpApplyPrecisionPassOptions apply;
    apply.report = true;
    pm.addPass(createAmpApplyPrecisionPass(apply));
    applied = runPasses(pm, module, "the change of types");
  } else {
    applied = applyAutocast(module, entries, options.compile);
  }
  if (failed(applied))
    return llvm::make_error<ToldError>();
  if (!module->hasAttr(AMPDialect::kReportAttrName))
    return makeError("there is nothing to report: the module has no "
                     "amp.autocast region and no decision; give "
                     "--autocast=f16 or bf16");
  return Error::success();
}

/// The report of the file `path`: JSON by its name, else a module.
static Expected<Report> getReport(StringRef path,
                                  const ReportOptions &options) {
  if (path.ends_with(".json")) {
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
    if (!file)
      return makeError(message);
    return parseReport(file->getBuffer(), path);
  }
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::amp::registerAllDialects(registry);
  MLIRContext context(registry);
  // A failed pass would print the whole module as the op that failed.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  Expected<OwningOpRef<ModuleOp>> module =
      loadModule(path, sourceMgr, &context);
  if (!module)
    return module.takeError();
  if (Error error = prepare(module->get(), options))
    return inContext(path, std::move(error));
  return makeReport(module->get(), path);
}

/// Calls `print` with the output, which appears whole or not at all.
static Error writeOutput(StringRef path,
                         llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return makeError(message);
  print(file->os());
  file->os().flush();
  if (file->os().has_error()) {
    message = file->os().error().message();
    file->os().clear_error();
    return makeError("cannot write '" + path + "': " + message);
  }
  file->keep();
  return Error::success();
}

static int run(const ReportOptions &options) {
  Expected<Report> report = getReport(options.inputs.front(), options);
  if (!report)
    return fail(report.takeError());
  if (!options.isDiff) {
    Error error = writeOutput(options.output, [&](llvm::raw_ostream &os) {
      switch (options.format) {
      case ReportFormat::Text:
        return printText(os, *report);
      case ReportFormat::JSON:
        return printJSON(os, *report);
      case ReportFormat::HTML:
        return printHTML(os, *report);
      }
    });
    return error ? fail(std::move(error)) : exitOk;
  }
  Expected<Report> other = getReport(options.inputs.back(), options);
  if (!other)
    return fail(other.takeError());
  std::vector<OpChange> changes = compareReports(*report, *other);
  if (Error error = writeOutput(options.output, [&](llvm::raw_ostream &os) {
        printChanges(os, *report, *other, changes);
      }))
    return fail(std::move(error));
  return changes.empty() ? exitOk : exitDifferent;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  mlir::amp::registerAllPasses();
  Expected<ReportOptions> options = parseOptions(argc, argv);
  if (!options)
    return fail(options.takeError());
  return run(*options);
}
