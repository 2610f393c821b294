//===- Measure.cpp - running a program with many schedules ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "../amp-run/Execute.h"
#include "amp/Codegen/GPU/Tuning.h"
#include "amp/Execution/Compare.h"
#include "amp/Execution/Program.h"
#include "amp/Support/Errors.h"
#include "amp/Support/Progress.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

/// How far the results of two schedules may be apart, as a share of the largest
/// element: they add up in other orders.
static constexpr double kTolerance = 0.02;

namespace {
/// The program with one candidate for each kernel.
struct Round {
  Execution execution;
  /// The schedules that the kernels have, by their names in tuning files.
  std::map<std::string, std::string> schedules;
  /// Costs of a launch of each, one for each repeat.
  std::map<std::string, std::vector<double>> costs;
};
} // namespace

/// The kernels of `module` that have notes, by the names of their functions.
static std::map<std::string, TunableKernel> readNotes(ModuleOp module) {
  std::map<std::string, TunableKernel> kernels;
  module.walk([&](::mlir::gpu::GPUFuncOp function) {
    auto notes =
        function->getAttrOfType<DictionaryAttr>(amp::gpu::kTuningAttrName);
    if (!notes)
      return;
    TunableKernel kernel;
    kernel.function = function.getName().str();
    kernel.name = notes.getAs<StringAttr>("kernel").str();
    kernel.chosen = notes.getAs<StringAttr>("schedule").str();
    for (auto text :
         notes.getAs<ArrayAttr>("candidates").getAsRange<StringAttr>())
      kernel.candidates.push_back(text.str());
    kernels[kernel.function] = std::move(kernel);
  });
  return kernels;
}

/// Compiles the program with the schedules of `file`, and runs it once.
static Expected<Round>
makeRound(const TuneProgram &program, StringRef file,
          std::map<std::string, TunableKernel> &kernels) {
  ModuleOp original = program.module;
  OwningOpRef<ModuleOp> module = original.clone();
  Expected<func::FuncOp> entry = findEntry(*module, program.entry);
  if (!entry)
    return entry.takeError();
  CompileOptions options = program.compile;
  options.tuningFile = file.str();
  options.tuningDevice = program.device.name;
  options.noteCandidates = true;
  Expected<Execution> execution =
      compile(*entry, options, program.device, "",
              [&](const Stage &stage, ModuleOp current) {
                if (stage.name == "gpu")
                  kernels = readNotes(current);
                return true;
              });
  if (!execution)
    return execution.takeError();
  Round round;
  round.execution = std::move(*execution);
  for (const auto &[name, kernel] : kernels)
    round.schedules[kernel.name] = kernel.chosen;
  if (Error error = runOnce(round.execution, program.inputs, "the program",
                            /*isPhase=*/false))
    return std::move(error);
  return std::move(round);
}

/// The kernel that the function `name` of the device belongs to: its own, or
/// the one whose name it begins with.
static const TunableKernel *
findKernel(const std::map<std::string, TunableKernel> &kernels,
           StringRef name) {
  const TunableKernel *best = nullptr;
  for (const auto &[function, kernel] : kernels) {
    StringRef rest = name;
    if (!rest.consume_front(function) ||
        (!rest.empty() && !rest.starts_with("_")))
      continue;
    if (!best || best->function.size() < function.size())
      best = &kernel;
  }
  return best;
}

/// Adds the costs of one more run to `round`.
static Error addCosts(const TuneProgram &program,
                      const std::map<std::string, TunableKernel> &kernels,
                      Round &round) {
  Expected<std::vector<KernelTime>> times =
      guard<std::vector<KernelTime>>("the profile", [&] {
        return round.execution.onDevice->profile(program.inputs);
      });
  if (!times)
    return times.takeError();
  std::map<std::string, double> sums;
  std::map<std::string, unsigned> launches;
  for (const KernelTime &time : *times) {
    const TunableKernel *kernel = findKernel(kernels, time.kernel);
    if (!kernel)
      continue;
    sums[kernel->name] += time.seconds * 1e6;
    // Copies in front of a kernel are a part of its cost, and no launches of
    // it.
    StringRef rest = StringRef(time.kernel).drop_front(kernel->function.size());
    if (rest.empty() || rest == "_unaligned")
      launches[kernel->name] += time.numLaunches;
  }
  for (const auto &[name, sum] : sums)
    round.costs[name].push_back(sum / std::max(1u, launches[name]));
  return Error::success();
}

static Error compareResults(const Round &reference, const Round &round) {
  for (size_t i = 0; i < round.execution.results.size(); ++i) {
    Type type =
        getElementTypeOrSelf(round.execution.function->getResultTypes()[i]);
    Comparison comparison = compare(round.execution.results[i], type,
                                    reference.execution.results[i], type);
    if (comparison.isWithin(kTolerance))
      continue;
    std::string schedules;
    for (const auto &[name, schedule] : round.schedules)
      schedules += (schedules.empty() ? "" : ", ") + schedule;
    return makeError("result " + Twine(i) +
                     " differs by more than 2 % of its largest element with " +
                     schedules);
  }
  return Error::success();
}

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

Expected<std::vector<TunableKernel>>
mlir::amp::measure(const TuneProgram &program) {
  std::vector<Round> rounds;
  std::map<std::string, TunableKernel> functions;
  std::vector<std::map<std::string, TunableKernel>> functionsOf;
  size_t numCandidates = 0;
  {
    Progress progress("amp-tune", "compiling the program");
    Expected<Round> first = makeRound(program, "", functions);
    if (!first)
      return first.takeError();
    rounds.push_back(std::move(*first));
    functionsOf.push_back(functions);
  }
  std::vector<TunableKernel> kernels;
  for (const auto &function : functions) {
    const TunableKernel &kernel = function.second;
    bool isKnown = llvm::any_of(kernels, [&](const TunableKernel &other) {
      return other.name == kernel.name;
    });
    if (isKnown || kernel.candidates.size() < 2)
      continue;
    kernels.push_back(kernel);
    numCandidates = std::max(numCandidates, kernel.candidates.size());
  }
  for (size_t number = 0; number < numCandidates; ++number) {
    Progress progress("amp-tune", "compiling round " + Twine(number + 1) +
                                      " of " + Twine(numCandidates));
    amp::gpu::TuningFile file;
    for (const TunableKernel &kernel : kernels)
      if (number < kernel.candidates.size())
        file.add({program.device.name, program.compile.target,
                  amp::gpu::getCompilerName(), kernel.name,
                  kernel.candidates[number], 0, "steps"});
    SmallString<128> path;
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("amp-tune", "yaml", path))
      return makeError("no temporary file can be made: " + code.message());
    llvm::FileRemover remover(path);
    std::error_code code;
    {
      llvm::raw_fd_ostream os(path, code);
      if (!code)
        file.write(os);
    }
    if (code)
      return makeError("'" + path + "': " + code.message());
    std::map<std::string, TunableKernel> own;
    Expected<Round> round = makeRound(program, path, own);
    if (!round)
      return round.takeError();
    if (Error error = compareResults(rounds.front(), *round))
      return std::move(error);
    rounds.push_back(std::move(*round));
    functionsOf.push_back(std::move(own));
  }
  // The first round has chosen by the model: each of its schedules comes again.
  rounds.erase(rounds.begin());
  functionsOf.erase(functionsOf.begin());
  // In turns, so that what changes on the device meets all alike.
  Progress progress("amp-tune", "measuring");
  for (unsigned repeat = 0; repeat < program.repeats; ++repeat)
    for (auto [round, own] : llvm::zip_equal(rounds, functionsOf))
      if (Error error = addCosts(program, own, round))
        return std::move(error);
  for (TunableKernel &kernel : kernels)
    for (const Round &round : rounds) {
      auto schedule = round.schedules.find(kernel.name);
      auto costs = round.costs.find(kernel.name);
      if (schedule == round.schedules.end() || costs == round.costs.end())
        continue;
      double cost = getMedian(costs->second);
      auto [it, isNew] = kernel.costs.insert({schedule->second, cost});
      it->second = std::min(it->second, cost);
    }
  return kernels;
}
