//===- Options.cpp - the command line of amp-run --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../common/AutocastOptions.h"
#include "../common/CodegenOptions.h"
#include "../common/Numbers.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Support/Errors.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;
namespace cl = llvm::cl;

static constexpr const char *overview = R"(runs a function of an MLIR module

  amp-run MODEL.mlir --input x=x.npy --weights w.npz --autocast=bf16 \
    --compare=f32 --output y.npz

The function runs on a CUDA device, or on the CPU where there is none. Its
arguments come from .npy and .npz files, bound by name or by position; an
argument's name is its attribute amp.name, or its location loc("name"), or arg0,
arg1, ...

Exit codes: 0 success; 1 the compilation or the run failed; 2 bad usage or bad
input; 3 a result is out of --tolerance.
)";

/// One of `allowed`; the error lists them.
static llvm::Error checkChoice(StringRef option, StringRef value,
                               ArrayRef<StringRef> allowed) {
  if (llvm::is_contained(allowed, value))
    return llvm::Error::success();
  return makeError(option + ": expected " + llvm::join(allowed, " or ") +
                   ", found '" + value + "'");
}

/// Reads the value of --device.
static llvm::Error parseDevice(StringRef text, RunOptions &options) {
  auto [name, number] = text.split(':');
  std::optional<RunDevice> device =
      llvm::StringSwitch<std::optional<RunDevice>>(name)
          .Case("auto", RunDevice::Auto)
          .Case("cpu", RunDevice::CPU)
          .Case("cuda", RunDevice::CUDA)
          .Case("sim", RunDevice::Simulator)
          .Default(std::nullopt);
  bool isNumbered = text.contains(':');
  if (!device || (isNumbered && (device != RunDevice::CUDA ||
                                 number.getAsInteger(10, options.ordinal) ||
                                 options.ordinal < 0)))
    return makeError("--device: expected auto, cpu, cuda, cuda:N or sim, found "
                     "'" +
                     text + "'");
  options.device = *device;
  return llvm::Error::success();
}

/// Checks what belongs to --attribute-error and --bisect, and what does not go
/// together with them.
static llvm::Error checkTrials(const RunOptions &options, bool hasPolicyOutput,
                               bool hasMaxTrials, bool hasDumpStage) {
  if (hasPolicyOutput && !options.bisect)
    return makeError("--policy-output: has a meaning only with --bisect");
  if (!options.hasTrials()) {
    if (hasMaxTrials)
      return makeError("--max-trials: has a meaning only with "
                       "--attribute-error or --bisect");
    return llvm::Error::success();
  }
  StringRef name = options.bisect ? "--bisect" : "--attribute-error";
  if (options.policyOutput.empty() || options.policyOutput == "-")
    return makeError("--policy-output: expected the name of a file, found '" +
                     options.policyOutput + "'");
  if (options.maxTrials < 3)
    return makeError("--max-trials: expected at least 3, found " +
                     Twine(options.maxTrials));
  if (options.compile.autocast == Autocast::Off)
    return makeError(name + ": has no meaning with --autocast=off");
  const std::pair<bool, StringRef> others[] = {
      {options.compare, "--compare"},
      {options.timedRuns != 0, "--time"},
      {options.profileKernels, "--profile-kernels"},
      {!options.output.empty(), "--output"},
      {options.printDecisions, "--print-decisions"},
      {hasDumpStage, "--dump-stage"}};
  for (auto [isGiven, other] : others)
    if (isGiven)
      return makeError(name + ": runs the program in its own way; leave " +
                       other + " out");
  return llvm::Error::success();
}

/// Reads what is common to the tools that generate code.
static llvm::Error readCodegen(const CodegenOptions &codegen,
                               RunOptions &options, StringRef device) {
  CodeFor machine = options.device == RunDevice::Auto  ? CodeFor::Either
                    : options.device == RunDevice::CPU ? CodeFor::CPU
                                                       : CodeFor::Device;
  options.threads = codegen.getThreads();
  options.remarks = codegen.hasRemarks();
  return codegen.read(options.compile, machine, "--device=" + device);
}

Expected<RunOptions> mlir::amp::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("amp-run options");
  cl::list<std::string> files(cl::Positional, cl::desc("MODEL.mlir"),
                              cl::cat(category));
  cl::opt<std::string> entry(
      "entry", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("Function to run (default: the only public one, or main)"));
  cl::list<std::string> inputs(
      "input", cl::value_desc("[NAME=]FILE"), cl::cat(category),
      cl::desc("Input: NAME=FILE.npy, NAME=FILE.npz:MEMBER, NAME=NUMBER for a "
               "scalar, FILE.npy for the next argument, or FILE.npz as with "
               "--weights; may be repeated"));
  cl::list<std::string> weights(
      "weights", cl::value_desc("FILE.npz"), cl::cat(category),
      cl::desc("Inputs: the members, bound by argument name or position; may "
               "be repeated"));
  cl::opt<std::string> random(
      "random", cl::ValueOptional, cl::value_desc("SEED"), cl::cat(category),
      cl::desc("Fill arguments without an input with normal random numbers "
               "(seed 0 unless given)"));
  cl::list<std::string> shapes(
      "shape", cl::value_desc("NAME=2x3"), cl::cat(category),
      cl::desc("Shape of the random input for an argument of dynamic shape"));
  cl::opt<bool> convertInputs(
      "convert-inputs", cl::cat(category),
      cl::desc("Convert inputs of other element types (nearest even)"));
  cl::opt<std::string> output(
      "output", cl::value_desc("FILE.npz|FILE.npy"), cl::cat(category),
      cl::desc("Where the results go; several results and .npy give "
               "FILE-NAME.npy each"));
  cl::alias outputAlias("o", cl::aliasopt(output), cl::cat(category),
                        cl::desc("The same as --output"));
  cl::list<std::string> calibrate(
      "calibrate", cl::value_desc("DIR|[NAME=]FILE"), cl::cat(category),
      cl::desc("Run the program without autocast on samples, and write the "
               "ranges of its values to --profile: a directory of .npz files, "
               "FILE.npz, NAME=FILE.npz:MEMBER or NAME=FILE.npy, cut into "
               "samples by the shapes of the arguments; may be repeated"));
  cl::opt<std::string> calibrateBatch(
      "calibrate-batch", cl::value_desc("N|all"), cl::cat(category),
      cl::desc("Rows of a leading dimension of unknown size that a sample "
               "takes (default: 1; all of each file of a directory)"));
  cl::opt<bool> mergeProfiles(
      "merge-profiles", cl::cat(category),
      cl::desc("Merge profiles: amp-run --merge-profiles A.json B.json ... -o "
               "OUT.json"));
  cl::opt<bool> quiet("quiet", cl::cat(category),
                      cl::desc("Print no progress"));
  AutocastOptions autocast(category,
                           "that of the device that the program runs on");
  cl::opt<std::string> device(
      "device", cl::value_desc("auto|cpu|cuda[:N]|sim"), cl::init("auto"),
      cl::cat(category),
      cl::desc("What the program runs on: a CUDA device if there is one, else "
               "the CPU (auto, the default); the CPU; CUDA device number N "
               "(0); or the simulator of one"));
  cl::opt<std::string> target(
      "target", cl::value_desc("sm_90a|..."), cl::cat(category),
      cl::desc("With --device=cuda or sim: the device to compile for (default: "
               "the one that there is; to look at the IR, sm_80)"));
  CodegenOptions codegen(
      category,
      "Threads that code for the CPU runs on; 0: as many as there are "
      "processors (default: AMP_NUM_THREADS, else 1)");
  cl::opt<std::string> compare(
      "compare", cl::value_desc("f32"), cl::cat(category),
      cl::desc("Run the program without autocast and tf32 too, and print how "
               "each result differs"));
  cl::opt<std::string> tolerance(
      "tolerance", cl::value_desc("REL"), cl::cat(category),
      cl::desc("With --compare: exit with 3 where max |error| / max "
               "|reference| of a result is larger"));
  cl::opt<std::string> time(
      "time", cl::ValueOptional, cl::value_desc("N"), cl::cat(category),
      cl::desc("Print the median and minimum time of N runs (default 20), "
               "after warming up"));
  cl::opt<bool> profileKernels(
      "profile-kernels", cl::cat(category),
      cl::desc("Print for each kernel on the device its time, bytes, floating-"
               "point operations, and share of the rate at which the device "
               "copies its memory"));
  std::string stageText =
      "Print the IR after a stage, and stop there unless inputs are given:";
  for (bool isDevice : {false, true}) {
    stageText += isDevice ? "\n on a device:" : "\n on the CPU:";
    for (const Stage &stage : getStages(isDevice))
      stageText += ("\n  " + stage.name + ": " + stage.description).str();
  }
  cl::opt<bool> attributeError(
      "attribute-error", cl::cat(category),
      cl::desc("Print which ops contribute most to the error against f32: each "
               "alone in its lower precision, and each alone in f32"));
  cl::opt<std::string> bisect(
      "bisect", cl::value_desc("REL"), cl::cat(category),
      cl::desc("Find ops to keep in f32, none of them in vain, so that the "
               "error (as of --tolerance) is at most REL, and write them as a "
               "policy file"));
  cl::opt<std::string> policyOutput(
      "policy-output", cl::value_desc("FILE.mlir"), cl::cat(category),
      cl::init("bisect-policy.mlir"),
      cl::desc("With --bisect: the policy file (default bisect-policy.mlir)"));
  cl::opt<unsigned> maxTrials(
      "max-trials", cl::value_desc("N"), cl::cat(category), cl::init(300),
      cl::desc("With --attribute-error and --bisect: how often the program is "
               "compiled and run at most (default 300)"));
  cl::opt<std::string> dumpStage("dump-stage", cl::value_desc("NAME"),
                                 cl::cat(category), cl::desc(stageText));
  cl::opt<bool> printDecisions(
      "print-decisions", cl::cat(category),
      cl::desc("Print what autocast decides for each op, and why; stop there "
               "unless inputs are given"));
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return makeError("the command line is wrong; see amp-run --help");

  RunOptions options;
  options.quiet = quiet;
  if (mergeProfiles) {
    if (files.empty())
      return makeError("--merge-profiles: expected the names of profiles: "
                       "amp-run --merge-profiles A.json B.json -o OUT.json");
    if (output.empty())
      return makeError("--merge-profiles: expected -o OUT.json");
    options.profilesToMerge = files;
    options.output = output;
    return options;
  }
  if (files.empty())
    return makeError("expected the name of a module: amp-run MODEL.mlir");
  if (files.size() > 1)
    return makeError("expected the name of one module, found '" + files[0] +
                     "' and '" + files[1] + "'");
  options.model = files.front();
  options.entry = entry;
  options.inputs = inputs;
  options.weights = weights;
  options.shapes = shapes;
  options.convertInputs = convertInputs;
  options.output = output;
  options.printDecisions = printDecisions;
  if (!output.empty() && !StringRef(output).ends_with(".npz") &&
      !StringRef(output).ends_with(".npy"))
    return makeError("--output: expected a name that ends in .npz or .npy, "
                     "found '" +
                     output + "'");
  if (random.getNumOccurrences()) {
    Expected<uint64_t> seed =
        parseNumber("--random", random.empty() ? "0" : random.c_str());
    if (!seed)
      return seed.takeError();
    options.randomSeed = *seed;
  }
  // Without a file it is about the kernels, whose times are a profile too.
  bool takesBareProfile = !calibrate.getNumOccurrences();
  if (llvm::Error error = autocast.read(options.compile, takesBareProfile))
    return std::move(error);
  options.hasPolicyDevice = autocast.hasPolicyDevice();
  if (llvm::Error error = parseDevice(device, options))
    return std::move(error);
  options.target = target;
  if (!options.target.empty()) {
    std::string message;
    FailureOr<gpu::GPUTarget> parsed =
        gpu::GPUTarget::get(options.target, message);
    if (failed(parsed))
      return makeError("--target: " + message);
    if (options.device == RunDevice::Auto || options.device == RunDevice::CPU)
      return makeError("--target: has a meaning only with --device=cuda or "
                       "--device=sim");
    if (options.device == RunDevice::Simulator && !parsed->isSimulated)
      return makeError("--target: the simulator runs code for sim or sim:" +
                       options.target + ", not for " + options.target);
  }
  options.profileKernels = profileKernels || autocast.hasBareProfile();
  if (options.profileKernels && options.device == RunDevice::CPU)
    return makeError("--profile-kernels: tells of kernels on a device, which "
                     "--device=cpu has not");
  if (llvm::Error error = readCodegen(codegen, options, device))
    return std::move(error);
  if (compare.getNumOccurrences()) {
    if (llvm::Error error = checkChoice("--compare", compare, {"f32"}))
      return std::move(error);
    options.compare = true;
  }
  if (tolerance.getNumOccurrences()) {
    double value;
    if (StringRef(tolerance).getAsDouble(value) || !(value >= 0))
      return makeError("--tolerance: expected a number of at least 0, found '" +
                       tolerance + "'");
    if (!options.compare)
      return makeError("--tolerance: has a meaning only with --compare=f32");
    options.tolerance = value;
  }
  if (time.getNumOccurrences()) {
    Expected<uint64_t> runs =
        parseNumber("--time", time.empty() ? "20" : time.c_str());
    if (!runs)
      return runs.takeError();
    if (*runs == 0 || *runs > 1000000)
      return makeError("--time: expected 1 to 1000000 runs, found " +
                       Twine(*runs));
    options.timedRuns = static_cast<unsigned>(*runs);
  }
  options.attributeError = attributeError;
  if (bisect.getNumOccurrences()) {
    double value;
    if (StringRef(bisect).getAsDouble(value) || !(value >= 0))
      return makeError("--bisect: expected a number of at least 0, found '" +
                       bisect + "'");
    options.bisect = value;
  }
  options.policyOutput = policyOutput;
  options.maxTrials = maxTrials;
  if (llvm::Error error = checkTrials(options, policyOutput.getNumOccurrences(),
                                      maxTrials.getNumOccurrences(),
                                      dumpStage.getNumOccurrences()))
    return std::move(error);
  if (dumpStage.getNumOccurrences()) {
    SmallVector<StringRef> names;
    for (bool isDevice : {false, true})
      for (const Stage &stage : getStages(isDevice))
        if (!llvm::is_contained(names, stage.name))
          names.push_back(stage.name);
    if (!llvm::is_contained(names, dumpStage.getValue()))
      return makeError("--dump-stage: expected " + llvm::join(names, ", ") +
                       "; found '" + dumpStage + "'");
    options.dumpStage = dumpStage;
  }
  if (calibrateBatch.getNumOccurrences()) {
    int64_t rows = 0;
    if (calibrateBatch != "all" &&
        (StringRef(calibrateBatch).getAsInteger(10, rows) || rows < 1))
      return makeError("--calibrate-batch: expected a number of at least 1, or "
                       "all, found '" +
                       calibrateBatch + "'");
    if (calibrate.empty())
      return makeError("--calibrate-batch: has a meaning only with "
                       "--calibrate");
    options.sampleBatch = rows;
  }
  options.samples = calibrate;
  if (!calibrate.getNumOccurrences())
    return options;
  if (!autocast.hasProfile())
    return makeError("--calibrate: expected --profile=FILE.json, where the "
                     "ranges go");
  if (options.device == RunDevice::CUDA ||
      options.device == RunDevice::Simulator)
    return makeError("--calibrate: values are observed on the CPU only; "
                     "expected --device=cpu or auto, found '" +
                     device + "'");
  options.device = RunDevice::CPU;
  if (options.compile.allowTF32)
    return makeError(
        "--allow-tf32: has no meaning with --calibrate, which runs "
        "on the CPU");
  std::pair<const cl::Option *, StringRef> others[] = {
      {&output, "--output"},
      {&compare, "--compare"},
      {&time, "--time"},
      {&profileKernels, "--profile-kernels"},
      {&dumpStage, "--dump-stage"},
      {&printDecisions, "--print-decisions"}};
  for (auto [option, name] : others)
    if (option->getNumOccurrences())
      return makeError(name + ": has no meaning with --calibrate, which prints "
                              "no results");
  if (options.compile.useClassifier)
    return makeError("--calibrate: runs the program without autocast; leave "
                     "--classifier and its options out");
  if (options.compile.autocast == Autocast::F16 ||
      options.compile.autocast == Autocast::BF16)
    return makeError("--calibrate: runs the program without autocast; leave "
                     "--autocast out");
  return options;
}
