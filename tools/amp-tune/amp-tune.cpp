//===- amp-tune.cpp - measures the schedules of a program's kernels -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/tuning.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Options.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Codegen/GPU/Tuning.h"
#include "amp/Execution/InputSet.h"
#include "amp/Execution/Program.h"
#include "amp/InitAll.h"
#include "amp/Model/OutputFiles.h"
#include "amp/Support/Errors.h"
#include "amp/Support/Progress.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

namespace {
/// The meaning of the exit codes, in order of their numbers.
enum ExitCode { exitOk, exitFailure, exitBadInput };
} // namespace

/// Prints `error`, unless diagnostics have said it all, and passes `code` on.
static int fail(Error error, ExitCode code) {
  reportError("amp-tune", std::move(error));
  return code;
}

static void warn(const Twine &message) {
  llvm::errs() << "amp-tune: warning: " << message << "\n";
}

static Error writeFile(StringRef path, const amp::gpu::TuningFile &file) {
  OutputFiles files;
  if (Error error = files.add(path, [&](llvm::raw_pwrite_stream &os) {
        file.write(os);
        return Error::success();
      }))
    return error;
  return files.commit();
}

static int mergeFiles(const TuneOptions &options) {
  amp::gpu::TuningFile all;
  for (const std::string &path : options.filesToMerge) {
    std::string text;
    FailureOr<amp::gpu::TuningFile> file = amp::gpu::TuningFile::read(
        path, [&](unsigned line, unsigned column, const Twine &message) {
          text = path;
          if (line)
            text += ":" + std::to_string(line) + ":" + std::to_string(column);
          text += ": " + message.str();
        });
    if (failed(file))
      return fail(makeError(text), exitBadInput);
    for (const amp::gpu::TuningEntry &entry : file->entries)
      all.add(entry);
  }
  if (Error error = writeFile(options.output, all))
    return fail(std::move(error), exitFailure);
  return exitOk;
}

static Expected<std::vector<NumpyArray>> getInputs(ArrayRef<Port> arguments,
                                                   const TuneOptions &options) {
  Progress progress("amp-tune", "reading inputs");
  InputSet inputs(arguments, warn);
  for (const std::string &spec : options.inputs)
    if (Error error = inputs.addInput(spec))
      return std::move(error);
  for (const std::string &path : options.weights)
    if (Error error = inputs.addArchive(path))
      return std::move(error);
  for (const std::string &spec : options.shapes)
    if (Error error = inputs.addShape(spec))
      return std::move(error);
  if (Error error = inputs.fillRandom(options.randomSeed))
    return std::move(error);
  return inputs.take();
}

static std::string getNumber(double cost) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f", cost);
  return text;
}

/// Prints what was measured, and gives the winners.
static amp::gpu::TuningFile report(const std::vector<TunableKernel> &kernels,
                                   const TuneProgram &program) {
  std::string unit = program.isSimulated ? "steps" : "microseconds";
  amp::gpu::TuningFile file;
  for (const TunableKernel &kernel : kernels) {
    if (kernel.costs.empty()) {
      llvm::outs() << "kernel " << kernel.function << ": was not launched\n";
      continue;
    }
    auto best = llvm::min_element(
        kernel.costs, [](auto &l, auto &r) { return l.second < r.second; });
    for (const auto &[schedule, cost] : kernel.costs)
      llvm::outs() << "kernel " << kernel.function << ": " << schedule << " "
                   << unit << "=" << getNumber(cost)
                   << (schedule == best->first ? " best" : "") << "\n";
    file.add({program.device.name, program.compile.target,
              amp::gpu::getCompilerName(), kernel.name, best->first,
              best->second, unit});
  }
  llvm::outs() << "tune: kernels=" << kernels.size()
               << " device=" << program.device.name
               << " target=" << program.compile.target << " unit=" << unit
               << "\n";
  if (program.isSimulated)
    llvm::outs() << "tune: steps are accesses to memory that the simulator "
                    "counts, and no times: they say nothing of a device\n";
  return file;
}

static int tune(const TuneOptions &options) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::amp::registerAllDialects(registry);
  MLIRContext context(registry);
  // A failed stage would print the whole module as the op that failed.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  Expected<OwningOpRef<ModuleOp>> module =
      loadModule(options.model, sourceMgr, &context);
  if (!module)
    return fail(module.takeError(), exitBadInput);
  Expected<func::FuncOp> entry = findEntry(module->get(), options.entry);
  if (!entry)
    return fail(entry.takeError(), exitBadInput);
  Expected<SmallVector<Port>> arguments = getArgumentPorts(*entry);
  if (!arguments)
    return fail(arguments.takeError(), exitBadInput);
  Expected<std::vector<NumpyArray>> inputs = getInputs(*arguments, options);
  if (!inputs)
    return fail(inputs.takeError(), exitBadInput);
  SmallVector<const NumpyArray *> inputRefs;
  for (const NumpyArray &input : *inputs)
    inputRefs.push_back(&input);

  if (options.isSimulated)
    setenv("AMP_SIM_CLOCK", "steps", /*overwrite=*/1);
  Expected<Device> device =
      options.isSimulated ? openSimulator() : findDevice(options.ordinal);
  if (!device)
    return fail(makeError("--device: " + llvm::toString(device.takeError())),
                exitFailure);
  TuneProgram program;
  program.module = module->get();
  program.entry = entry->getName().str();
  program.compile = options.compile;
  program.compile.target =
      options.isSimulated ? std::string("sim:sm_90a") : device->target;
  if (!options.target.empty())
    program.compile.target = options.target;
  std::string message;
  FailureOr<amp::gpu::GPUTarget> target =
      amp::gpu::GPUTarget::get(program.compile.target, message);
  if (failed(target))
    return fail(makeError("--target: " + message), exitBadInput);
  if (target->isSimulated != options.isSimulated)
    return fail(makeError("--target: '" + program.compile.target + "' is " +
                          (options.isSimulated ? "not " : "") +
                          "for the simulator, unlike --device"),
                exitBadInput);
  program.device = *device;
  program.inputs = inputRefs;
  program.isSimulated = options.isSimulated;
  // Steps are the same each time.
  program.repeats = options.isSimulated ? 1 : options.repeats;
  Expected<std::vector<TunableKernel>> kernels = measure(program);
  if (!kernels)
    return fail(kernels.takeError(), exitFailure);
  amp::gpu::TuningFile file = report(*kernels, program);
  if (!options.output.empty())
    if (Error error = writeFile(options.output, file))
      return fail(std::move(error), exitFailure);
  return exitOk;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  mlir::amp::registerAllPasses();
  Expected<TuneOptions> options = parseOptions(argc, argv);
  if (!options)
    return fail(options.takeError(), exitBadInput);
  Progress::setQuiet(options->quiet);
  return options->filesToMerge.empty() ? tune(*options) : mergeFiles(*options);
}
