//===- Options.cpp - the command line of amp-tune -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../common/AutocastOptions.h"
#include "../common/Numbers.h"
#include "amp/Support/Errors.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;
namespace cl = llvm::cl;

static constexpr const char *overview =
    R"(measures the schedules of a program's kernels

  amp-tune MODEL.mlir --autocast=f16 --random -o tuning.yaml
  amp-tune --merge a.yaml b.yaml -o all.yaml

Compiles the program with each schedule that a contraction or convolution can
have, runs it on the device, and writes a tuning file with the fastest ones,
which --tuning-file of amp-run and amp-compile takes. On the simulator
(--device=sim) it counts steps, which are no times.

Exit codes: 0 success; 1 the compilation or a run failed, or a file could not be
written; 2 bad usage or bad input.
)";

/// Reads --device.
static llvm::Error readDevice(StringRef text, TuneOptions &options) {
  StringRef number = text;
  if (text == "sim") {
    options.isSimulated = true;
    return llvm::Error::success();
  }
  if (text == "cuda" ||
      (number.consume_front("cuda:") &&
       !number.getAsInteger(10, options.ordinal) && options.ordinal >= 0))
    return llvm::Error::success();
  return makeError("--device: expected cuda, cuda:N or sim, found '" + text +
                   "'");
}

Expected<TuneOptions> mlir::amp::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("amp-tune options");
  cl::list<std::string> files(cl::Positional, cl::desc("MODEL.mlir"),
                              cl::cat(category));
  cl::opt<bool> merge(
      "merge", cl::cat(category),
      cl::desc("Merge the tuning files on the command line; where several have "
               "an entry for the same, that of the last counts"));
  cl::opt<std::string> output("o", cl::value_desc("FILE.yaml"),
                              cl::cat(category),
                              cl::desc("The tuning file (default: none is "
                                       "written)"));
  cl::alias outputAlias("output", cl::aliasopt(output), cl::cat(category),
                        cl::desc("The same as -o"));
  cl::opt<std::string> entry("entry", cl::value_desc("NAME"), cl::cat(category),
                             cl::desc("Function to measure (default: the only "
                                      "public one, or main)"));
  cl::list<std::string> inputs("input", cl::value_desc("[NAME=]FILE"),
                               cl::cat(category),
                               cl::desc("Input, as of amp-run; the others are "
                                        "random"));
  cl::list<std::string> weights("weights", cl::value_desc("FILE.npz"),
                                cl::cat(category),
                                cl::desc("Inputs: the members, bound by "
                                         "argument name or position"));
  cl::list<std::string> shapes("shape", cl::value_desc("NAME=2x3"),
                               cl::cat(category),
                               cl::desc("Shape of the random input for an "
                                        "argument of dynamic shape"));
  cl::opt<std::string> random("random", cl::ValueOptional,
                              cl::value_desc("SEED"), cl::cat(category),
                              cl::desc("Seed of random inputs (0)"));
  cl::opt<bool> quiet("quiet", cl::cat(category),
                      cl::desc("Print no progress"));
  AutocastOptions autocast(category, "cuda");
  cl::opt<std::string> device(
      "device", cl::value_desc("cuda[:N]|sim"), cl::init("cuda"),
      cl::cat(category),
      cl::desc("What to measure on: CUDA device number N (0), or the "
               "simulator, which counts steps"));
  cl::opt<std::string> target(
      "target", cl::value_desc("sm_90a|..."), cl::cat(category),
      cl::desc("What to compile for (default: the device that there is; on the "
               "simulator sim:sm_90a)"));
  cl::opt<bool> allowTF32(
      "allow-tf32", cl::cat(category),
      cl::desc("Let contractions of f32 round their operands to tf32 (ten bits "
               "of mantissa), for tensor cores"));
  cl::opt<unsigned> repeats(
      "repeats", cl::value_desc("N"), cl::init(7), cl::cat(category),
      cl::desc("How often each candidate is measured on a device, in turns "
               "with the others; the median counts (default 7)"));
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return makeError("the command line is wrong; see amp-tune --help");

  TuneOptions options;
  options.output = output;
  options.quiet = quiet;
  if (merge) {
    if (files.empty())
      return makeError("--merge: expected tuning files");
    if (output.empty())
      return makeError("--merge: expected the name of the result: -o all.yaml");
    options.filesToMerge.assign(files.begin(), files.end());
    return options;
  }
  if (files.size() != 1)
    return makeError("expected one module, found " + Twine(files.size()) +
                     " files");
  options.model = files.front();
  options.entry = entry;
  options.inputs.assign(inputs.begin(), inputs.end());
  options.weights.assign(weights.begin(), weights.end());
  options.shapes.assign(shapes.begin(), shapes.end());
  if (!random.empty()) {
    Expected<uint64_t> seed = parseNumber("--random", random);
    if (!seed)
      return seed.takeError();
    options.randomSeed = *seed;
  }
  options.target = target;
  if (llvm::Error error = readDevice(device, options))
    return std::move(error);
  if (repeats < 1 || repeats > 1000)
    return makeError("--repeats: expected 1 to 1000, found " + Twine(repeats));
  options.repeats = repeats;
  // The target is that of the device, which is not open yet.
  options.compile.target = "sm_80";
  options.compile.policyDevice = "cuda";
  if (llvm::Error error = autocast.read(options.compile))
    return std::move(error);
  options.compile.allowTF32 = allowTF32;
  return options;
}
