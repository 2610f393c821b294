//===- Calibrate.cpp - ranges over samples --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"

#include "Execute.h"
#include "amp/Execution/InputSet.h"
#include "amp/Execution/SampleSet.h"
#include "amp/Policy/Profile.h"
#include "amp/Runtime/Ranges.h"
#include "amp/Support/Progress.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

static void warn(const Twine &message) {
  llvm::errs() << "amp-run: warning: " << message << "\n";
}

/// The inputs that all samples share, by argument; nothing where the samples
/// give one.
static Expected<std::vector<std::optional<NumpyArray>>>
getSharedInputs(ArrayRef<Port> arguments, const SampleSet &samples,
                const RunOptions &options) {
  InputSet inputs(arguments, warn);
  inputs.setConvertInputs(options.convertInputs);
  for (const Port &port : arguments)
    if (samples.binds(port.index))
      inputs.setElsewhere(port.index,
                          "--calibrate=" + samples.getOrigin(port.index));
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
  std::vector<std::optional<NumpyArray>> shared = inputs.takeBound();
  for (const Port &port : arguments)
    if (!shared[port.index] && !samples.binds(port.index))
      return makeError("argument '" + Twine(port.name) +
                       "' has no input: the samples have no member of that "
                       "name; give one that all samples share with --input or "
                       "--weights, or name a member as --calibrate=" +
                       port.name + "=FILE.npz:MEMBER");
  return shared;
}

namespace {
struct Free {
  void operator()(void *pointer) const { std::free(pointer); }
};

/// Records of the runtime that are in use while the object lives.
class Records {
public:
  static Expected<Records> create(size_t size) {
    Records records;
    // Memory that nothing is counted in takes no page.
    records.memory.reset(static_cast<ampRangeRecord *>(
        std::calloc(std::max<size_t>(size, 1), sizeof(ampRangeRecord))));
    if (!records.memory)
      return makeError("no memory for the ranges of " + Twine(size) +
                       " values");
    amp_set_range_records(records.memory.get(), static_cast<int64_t>(size));
    return std::move(records);
  }
  Records(Records &&) = default;
  ~Records() {
    if (memory)
      amp_set_range_records(nullptr, 0);
  }

  const ampRangeRecord &operator[](size_t slot) const {
    return memory.get()[slot];
  }

private:
  Records() = default;
  std::unique_ptr<ampRangeRecord, Free> memory;
};
} // namespace

/// Puts what the runtime has counted into `entry`.
static void setNumbers(ProfileEntry &entry, const ampRangeRecord &record) {
  entry.observations = record.observations;
  if (record.observations) {
    entry.minShape.assign(record.minShape, record.minShape + record.rank);
    entry.maxShape.assign(record.maxShape, record.maxShape + record.rank);
  }
  RangeStatistics &range = entry.range;
  range.count = record.count;
  range.nan = record.nan;
  range.inf = record.inf;
  range.zero = record.zero;
  range.subnormal = record.subnormal;
  range.min = record.min;
  range.max = record.max;
  range.absmin = record.absmin;
  for (int bin = 0; bin < AMP_RANGE_BINS; ++bin)
    if (record.log2[bin])
      range.log2[bin + AMP_RANGE_FIRST_EXPONENT] = record.log2[bin];
}

/// Runs `function` on all samples.
static Error runSamples(CompiledFunction &function, SampleSet &samples,
                        uint64_t numSamples,
                        std::vector<std::optional<NumpyArray>> inputs) {
  ProgressBar bar("amp-run", "calibrating", "samples", numSamples);
  for (uint64_t i = 0; i < numSamples; ++i) {
    bar.update(i);
    if (Error error = samples.next(inputs))
      return error;
    SmallVector<const NumpyArray *> refs;
    for (const std::optional<NumpyArray> &input : inputs)
      refs.push_back(&*input);
    std::string what = "sample " + std::to_string(i);
    Expected<std::vector<NumpyArray>> results = guard<std::vector<NumpyArray>>(
        what, [&] { return function.run(refs); });
    if (!results)
      return results.takeError();
  }
  bar.update(numSamples);
  return Error::success();
}

std::optional<CalibrationError>
mlir::amp::calibrate(func::FuncOp entry, ArrayRef<Port> arguments,
                     const RunOptions &options) {
  auto failInput = [](Error error) {
    return CalibrationError{std::move(error), true};
  };
  auto failRun = [](Error error) {
    return CalibrationError{std::move(error), false};
  };
  SampleOptions sampleOptions;
  sampleOptions.batch = options.sampleBatch;
  sampleOptions.convertInputs = options.convertInputs;
  SampleSet samples(arguments, sampleOptions, warn);
  {
    Progress progress("amp-run", "looking at the samples");
    for (const std::string &spec : options.samples)
      if (Error error = samples.add(spec))
        return failInput(inContext("--calibrate", std::move(error)));
  }
  Expected<uint64_t> numSamples = samples.getNumSamples();
  if (!numSamples)
    return failInput(inContext("--calibrate", numSamples.takeError()));
  Expected<std::vector<std::optional<NumpyArray>>> shared =
      getSharedInputs(arguments, samples, options);
  if (!shared)
    return failInput(shared.takeError());

  Instrumentation instrumentation;
  CompileOptions compileOptions = options.compile;
  compileOptions.autocast = Autocast::Off;
  compileOptions.target = "cpu";
  // That of an earlier calibration, which this one replaces.
  compileOptions.profile.clear();
  compileOptions.instrumentation = &instrumentation;
  Expected<Execution> execution =
      compile(entry, compileOptions, std::nullopt, options.model,
              [](const Stage &, ModuleOp) { return true; });
  if (!execution)
    return failRun(execution.takeError());
  Expected<Records> records = Records::create(instrumentation.entries.size());
  if (!records)
    return failRun(records.takeError());
  if (Error error = runSamples(*execution->function, samples, *numSamples,
                               std::move(*shared)))
    return failRun(std::move(error));

  Profile profile(instrumentation.selection);
  profile.setNumSamples(*numSamples);
  for (auto [slot, entry] : llvm::enumerate(instrumentation.entries)) {
    setNumbers(entry, (*records)[slot]);
    profile.add(std::move(entry));
  }
  if (Error error = profile.write(options.compile.profile))
    return failRun(std::move(error));
  llvm::outs() << "profile: samples=" << *numSamples
               << " values=" << profile.getEntries().size() << " file='"
               << options.compile.profile << "'\n";
  return std::nullopt;
}

Error mlir::amp::mergeProfiles(const RunOptions &options) {
  std::optional<Profile> sum;
  std::string sumName;
  for (const std::string &path : options.profilesToMerge) {
    Expected<Profile> profile = Profile::read(path);
    if (!profile)
      return profile.takeError();
    if (!sum) {
      sum = std::move(*profile);
      sumName = "'" + path + "'";
      continue;
    }
    if (Error error = sum->merge(*profile, sumName, "'" + path + "'"))
      return error;
  }
  return sum->write(options.output);
}
