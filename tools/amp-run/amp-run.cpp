//===- amp-run.cpp - runs a function of a module --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reads a module, compiles a function of it for this machine, runs it on arrays
// from files, and says what came out. docs/amp-run.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "Attribute.h"
#include "Bisect.h"
#include "Calibrate.h"
#include "Execute.h"
#include "Options.h"
#include "Report.h"

#include "../common/CodegenOptions.h"
#include "amp/Execution/Compare.h"
#include "amp/Execution/DeviceFunction.h"
#include "amp/Execution/InputSet.h"
#include "amp/Execution/Stages.h"
#include "amp/InitAll.h"
#include "amp/Runtime/Parallel.h"
#include "amp/Support/Errors.h"
#include "amp/Support/Progress.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

namespace {
/// The meaning of the exit codes, in order of their numbers.
enum ExitCode { exitOk, exitFailure, exitBadInput, exitOutOfTolerance };
} // namespace

/// Prints `error`, unless diagnostics have said it all, and passes `code` on.
static int fail(Error error, ExitCode code) {
  reportError("amp-run", std::move(error));
  return code;
}

static void warn(const Twine &message) {
  llvm::errs() << "amp-run: warning: " << message << "\n";
}

/// Binds what the options say to the arguments.
static Expected<std::vector<NumpyArray>> getInputs(ArrayRef<Port> arguments,
                                                   const RunOptions &options) {
  Progress progress("amp-run", "reading inputs");
  InputSet inputs(arguments, warn);
  inputs.setConvertInputs(options.convertInputs);
  for (const std::string &spec : options.inputs)
    if (Error error = inputs.addInput(spec))
      return std::move(error);
  for (const std::string &path : options.weights)
    if (Error error = inputs.addArchive(path))
      return std::move(error);
  for (const std::string &spec : options.shapes)
    if (Error error = inputs.addShape(spec))
      return std::move(error);
  if (options.randomSeed)
    if (Error error = inputs.fillRandom(*options.randomSeed))
      return std::move(error);
  return inputs.take();
}

/// Where the program runs: nothing is the CPU. Sets what depends on it in
/// `compile`.
static Expected<std::optional<Device>> chooseDevice(const RunOptions &options,
                                                    CompileOptions &compile) {
  // To look at the IR no device is needed.
  bool isRun = !options.isLook() || options.hasInputs();
  std::optional<Device> device;
  if (options.device == RunDevice::Simulator && isRun) {
    Expected<Device> simulator = openSimulator();
    if (!simulator)
      return simulator.takeError();
    device = *simulator;
  } else if (options.device == RunDevice::CUDA && isRun) {
    Expected<Device> found = findDevice(options.ordinal);
    if (!found)
      return makeError("--device=cuda: " + llvm::toString(found.takeError()));
    device = *found;
  } else if (options.device == RunDevice::Auto) {
    Expected<Device> found = findDevice(options.ordinal);
    if (found)
      device = *found;
    else if (isRun && !options.profileKernels)
      llvm::errs() << "amp-run: remark: running on the CPU: "
                   << llvm::toString(found.takeError()) << "\n";
    else if (isRun)
      return makeError("--profile-kernels: " +
                       llvm::toString(found.takeError()));
    else
      llvm::consumeError(found.takeError());
  }
  if (device)
    compile.target = device->target;
  else if (options.device == RunDevice::CUDA)
    compile.target = "sm_80";
  else if (options.device == RunDevice::Simulator)
    compile.target = "sim";
  if (!options.target.empty())
    compile.target = options.target;
  if (device && !device->isSimulated &&
      StringRef(compile.target).starts_with("sim"))
    return makeError("--target: '" + compile.target +
                     "' is for the simulator, not for CUDA device " +
                     Twine(device->ordinal) + " (" + device->name + ")");
  if (device && !compile.tuningFile.empty() && compile.tuningDevice.empty())
    compile.tuningDevice = device->name;
  if (!options.hasPolicyDevice)
    compile.policyDevice = compile.isDevice() ? "cuda" : "cpu";
  return device;
}

/// Times `runs` runs, after two more to warm up (the first run has been).
static Error timeRuns(CompiledFunction &function,
                      ArrayRef<const NumpyArray *> inputs, unsigned runs,
                      StringRef label) {
  Progress progress("amp-run", "timing " + Twine(runs) + " runs");
  Expected<std::vector<double>> seconds = guard<std::vector<double>>(
      label, [&] { return function.time(inputs, /*numWarmUps=*/2, runs); });
  if (!seconds)
    return seconds.takeError();
  printTimes(llvm::outs(), label, std::move(*seconds));
  return Error::success();
}

/// Prints what each kernel takes, next to what it costs.
static Error profileKernels(DeviceFunction &function,
                            ArrayRef<const NumpyArray *> inputs,
                            const KernelCosts &costs, const PeakRates &peaks) {
  Progress progress("amp-run", "timing the kernels");
  Expected<double> copyRate = function.measureCopyRate();
  if (!copyRate)
    return copyRate.takeError();
  Expected<std::vector<KernelTime>> times = guard<std::vector<KernelTime>>(
      "the profile", [&] { return function.profile(inputs); });
  if (!times)
    return times.takeError();
  printProfile(llvm::outs(), *times, costs, *copyRate, peaks);
  return Error::success();
}

/// Prints how the results differ from those of the reference; sets `isWithin`
/// where a tolerance is given.
static Error compareResults(ArrayRef<Port> ports, const Execution &execution,
                            const Execution &reference,
                            std::optional<double> tolerance, bool &isWithin) {
  for (auto [i, port] : llvm::enumerate(ports)) {
    Type type = getElementTypeOrSelf(execution.function->getResultTypes()[i]);
    Type referenceType =
        getElementTypeOrSelf(reference.function->getResultTypes()[i]);
    const NumpyArray &value = execution.results[i];
    const NumpyArray &expected = reference.results[i];
    if (value.getShape() != expected.getShape())
      return makeError("result '" + port.name + "' is " + value.describe() +
                       ", and in f32 " + expected.describe());
    Comparison comparison = compare(value, type, expected, referenceType);
    printComparison(llvm::outs(), port.name, type, comparison);
    if (!tolerance || comparison.isWithin(*tolerance))
      continue;
    isWithin = false;
    llvm::errs() << "amp-run: error: result '" << port.name
                 << "' is out of tolerance: "
                 << (comparison.numMismatches
                         ? "NaN or infinite elements differ"
                         : "the scaled error is larger than ");
    if (!comparison.numMismatches)
      llvm::errs() << *tolerance;
    llvm::errs() << "\n";
  }
  return Error::success();
}

/// Writes the results to FILE.npz, or to FILE.npy, or, where there are several,
/// to FILE-NAME.npy each.
static Error writeResults(StringRef path, ArrayRef<Port> ports,
                          ArrayRef<NumpyArray> results) {
  Progress progress("amp-run", "writing '" + path + "'");
  if (path.ends_with(".npz")) {
    SmallVector<NamedArrayRef> members;
    for (auto [port, result] : llvm::zip_equal(ports, results))
      members.push_back({port.name, &result});
    return writeNpz(path, members);
  }
  if (results.size() == 1)
    return writeNpy(path, results.front());
  for (auto [port, result] : llvm::zip_equal(ports, results)) {
    std::string name = port.name;
    std::replace(name.begin(), name.end(), '/', '_');
    if (Error error =
            writeNpy((path.drop_back(4) + "-" + name + ".npy").str(), result))
      return error;
  }
  return Error::success();
}

/// Runs the program without autocast, and then as --attribute-error and
/// --bisect want it.
static Error runTrials(const RunOptions &options, TrialSetup setup) {
  OwningOpRef<ModuleOp> module = setup.module.clone();
  Expected<func::FuncOp> entry = findEntry(*module, setup.entry);
  if (!entry)
    return entry.takeError();
  CompileOptions f32 = setup.compile;
  f32.autocast = Autocast::Off;
  f32.allowTF32 = false;
  f32.fastF8 = false;
  Expected<Execution> reference =
      compile(*entry, f32, setup.device, "the f32 reference",
              [](const Stage &, ModuleOp) { return true; });
  if (!reference)
    return reference.takeError();
  if (Error error = runOnce(*reference, setup.inputs, "the f32 reference"))
    return error;
  setup.reference = &*reference;
  Expected<Trials> trials = Trials::create(setup, options.maxTrials);
  if (!trials)
    return trials.takeError();
  if (unsigned number = trials->getNumUnnamed())
    warn(Twine(number) + " ops in a lower precision have neither a name nor a "
                         "place in a file, so that no rule can mean them: they "
                         "stay as autocast decides");
  if (options.attributeError)
    if (Error error = attributeError(llvm::outs(), *trials))
      return error;
  if (options.bisect)
    return bisect(llvm::outs(), *trials, setup, *options.bisect,
                  options.policyOutput);
  return Error::success();
}

/// Everything after the options are known to make sense.
static int run(const RunOptions &options) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::amp::registerAllDialects(registry);
  MLIRContext context(registry);
  // A failed stage would print the whole module as the op that failed.
  context.printOpOnDiagnostic(false);

  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  if (options.remarks)
    enableRemarks(context);
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
  Expected<SmallVector<Port>> results = getResultPorts(*entry);
  if (!results)
    return fail(results.takeError(), exitBadInput);

  if (!options.samples.empty()) {
    std::optional<CalibrationError> failure =
        calibrate(*entry, *arguments, options);
    if (!failure)
      return exitOk;
    return fail(std::move(failure->error),
                failure->isInput ? exitBadInput : exitFailure);
  }

  // Looking at the IR needs no inputs.
  bool isRun = !options.isLook() || options.hasInputs();
  std::vector<NumpyArray> inputs;
  if (isRun) {
    Expected<std::vector<NumpyArray>> bound = getInputs(*arguments, options);
    if (!bound)
      return fail(bound.takeError(), exitBadInput);
    inputs = std::move(*bound);
  }
  SmallVector<const NumpyArray *> inputRefs;
  for (const NumpyArray &input : inputs)
    inputRefs.push_back(&input);

  CompileOptions compileOptions = options.compile;
  Expected<std::optional<Device>> device =
      chooseDevice(options, compileOptions);
  if (!device)
    return fail(device.takeError(), exitFailure);
  ArrayRef<Stage> stages = getStages(compileOptions.isDevice());
  if (!options.dumpStage.empty() &&
      llvm::none_of(stages, [&](const Stage &stage) {
        return stage.name == options.dumpStage;
      }))
    return fail(
        makeError("--dump-stage: a program for " +
                  Twine(compileOptions.isDevice() ? "a device" : "the CPU") +
                  " has no stage '" + options.dumpStage +
                  "'; choose with --device"),
        exitBadInput);

  // The function itself does not outlive its compilation.
  std::string entryName = entry->getName().str();
  OwningOpRef<ModuleOp> referenceModule;
  if (options.compare && isRun)
    referenceModule = module->get().clone();

  if (options.hasTrials()) {
    TrialSetup setup = {module->get(), entryName, compileOptions,
                        *device,       inputRefs, nullptr};
    Error error = runTrials(options, setup);
    return error ? fail(std::move(error), exitFailure) : exitOk;
  }

  KernelCosts costs;
  auto observer = [&](const Stage &stage, ModuleOp current) {
    if (options.printDecisions && stage.name == "decide")
      printDecisions(llvm::outs(), current);
    if (options.profileKernels && stage.name == "kernels")
      costs = getKernelCosts(current, entryName, inputRefs,
                             compileOptions.allowTF32);
    bool isDumped = options.dumpStage == stage.name;
    if (isDumped)
      llvm::outs() << current << "\n";
    bool isLast = options.dumpStage.empty() ? stage.name == "decide" : isDumped;
    return isRun || !isLast;
  };
  Expected<Execution> execution =
      compile(*entry, compileOptions, *device, options.model, observer);
  if (!execution)
    return fail(execution.takeError(), exitFailure);
  if (!execution->function)
    return exitOk;

  if (Error error = runOnce(*execution, inputRefs, options.model))
    return fail(std::move(error), exitFailure);
  for (auto [port, result, type] : llvm::zip_equal(
           *results, execution->results, execution->function->getResultTypes()))
    printSummary(llvm::outs(), port.name, result, getElementTypeOrSelf(type));

  bool isWithin = true;
  Execution reference;
  if (options.compare) {
    CompileOptions f32 = compileOptions;
    f32.autocast = Autocast::Off;
    f32.allowTF32 = false;
    f32.fastF8 = false;
    Expected<func::FuncOp> referenceEntry =
        findEntry(*referenceModule, entryName);
    if (!referenceEntry)
      return fail(referenceEntry.takeError(), exitFailure);
    Expected<Execution> compiled =
        compile(*referenceEntry, f32, *device, "the f32 reference",
                [](const Stage &, ModuleOp) { return true; });
    if (!compiled)
      return fail(compiled.takeError(), exitFailure);
    reference = std::move(*compiled);
    if (Error error = runOnce(reference, inputRefs, "the f32 reference"))
      return fail(std::move(error), exitFailure);
    if (Error error = compareResults(*results, *execution, reference,
                                     options.tolerance, isWithin))
      return fail(std::move(error), exitFailure);
  }
  if (options.timedRuns) {
    if (Error error = timeRuns(*execution->function, inputRefs,
                               options.timedRuns, "time"))
      return fail(std::move(error), exitFailure);
    if (reference.function)
      if (Error error = timeRuns(*reference.function, inputRefs,
                                 options.timedRuns, "time f32"))
        return fail(std::move(error), exitFailure);
  }
  if (options.profileKernels)
    if (Error error = profileKernels(*execution->onDevice, inputRefs, costs,
                                     (*device)->peaks))
      return fail(std::move(error), exitFailure);
  if (!options.output.empty())
    if (Error error =
            writeResults(options.output, *results, execution->results))
      return fail(std::move(error), exitFailure);
  return isWithin ? exitOk : exitOutOfTolerance;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  mlir::amp::registerAllPasses();
  Expected<RunOptions> options = parseOptions(argc, argv);
  if (!options)
    return fail(options.takeError(), exitBadInput);
  Progress::setQuiet(options->quiet);
  if (options->threads)
    ampSetNumThreads(*options->threads);
  if (options->profilesToMerge.empty())
    return run(*options);
  if (Error error = mergeProfiles(*options))
    return fail(std::move(error), exitBadInput);
  return exitOk;
}
