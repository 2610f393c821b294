//===- Bisect.cpp - which ops must stay in f32 ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bisect.h"

#include "amp/Policy/PolicyLibrary.h"
#include "amp/Support/Errors.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include <set>

using namespace mlir;
using namespace mlir::amp;
using llvm::BitVector;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
/// A set of units that brings the error within the tolerance.
struct BisectResult {
  /// The units to keep in f32.
  BitVector high;
  TrialError error;
  /// The error without them.
  TrialError before;
  /// Whether it is known that no unit of the set can be left out.
  bool isMinimal = false;
};

/// Delta debugging over the units that stay in f32.
class DeltaDebugger {
public:
  DeltaDebugger(Trials &trials, double tolerance)
      : trials(trials), tolerance(tolerance) {}

  /// Shrinks `result`, whose set is within the tolerance.
  Error shrink(BisectResult &result);

private:
  /// Tries `high` instead of the set of `result`; true if it is as good.
  /// Nothing where there are no trials left.
  Expected<std::optional<bool>> accept(BitVector high, BisectResult &result);

  Trials &trials;
  double tolerance;
};
} // namespace

Expected<std::optional<bool>> DeltaDebugger::accept(BitVector high,
                                                    BisectResult &result) {
  if (trials.getNumLeft() == 0)
    return std::nullopt;
  Expected<TrialError> error = trials.run(high);
  if (!error)
    return error.takeError();
  if (!error->isWithin(tolerance))
    return false;
  result.high = std::move(high);
  result.error = *error;
  return true;
}

Error DeltaDebugger::shrink(BisectResult &result) {
  unsigned numParts = 2;
  while (true) {
    SmallVector<unsigned> members(result.high.set_bits());
    numParts = std::min<size_t>(numParts, members.size());
    std::vector<BitVector> parts;
    for (unsigned i = 0; i != numParts; ++i) {
      BitVector part(result.high.size());
      for (size_t j = members.size() * i / numParts,
                  e = members.size() * (i + 1) / numParts;
           j != e; ++j)
        part.set(members[j]);
      parts.push_back(std::move(part));
    }
    bool isReduced = false;
    // A part alone, then all but a part; of two parts these are the same, and
    // a single one cannot be left out: the error is too large without any.
    for (bool isComplement : {false, true}) {
      if (isReduced || numParts < 2 || (isComplement && numParts == 2))
        break;
      for (const BitVector &part : parts) {
        BitVector candidate = part;
        if (isComplement) {
          candidate = result.high;
          candidate.reset(part);
        }
        Expected<std::optional<bool>> accepted = accept(candidate, result);
        if (!accepted)
          return accepted.takeError();
        if (!*accepted)
          return Error::success();
        if (!**accepted)
          continue;
        numParts = isComplement ? numParts - 1 : 2;
        isReduced = true;
        break;
      }
    }
    if (isReduced)
      continue;
    if (numParts == members.size()) {
      result.isMinimal = true;
      return Error::success();
    }
    numParts *= 2;
  }
}

/// Finds a set of ops to keep in f32 so that the error is within `tolerance`:
/// delta debugging (Zeller and Hildebrandt, 2002), which ends with a set of
/// which no op can be left out. Nothing where the error of the program under
/// `compile` is within the tolerance already; an error where it is not even
/// with all ops in f32.
static Expected<std::optional<BisectResult>>
bisectError(Trials &trials, const CompileOptions &compile, double tolerance) {
  unsigned numUnits = trials.getUnits().size();
  BisectResult result;
  Expected<TrialError> before = trials.runWith(compile);
  if (!before)
    return before.takeError();
  result.before = *before;
  if (before->isWithin(tolerance))
    return std::nullopt;
  // More rounding may do less harm.
  Expected<TrialError> exact = trials.run(BitVector(numUnits));
  if (!exact)
    return exact.takeError();
  if (exact->isWithin(tolerance))
    trials.dropExactRounding();
  result.high = BitVector(numUnits, true);
  Expected<TrialError> best = trials.run(result.high);
  if (!best)
    return best.takeError();
  result.error = *best;
  if (!best->isWithin(tolerance)) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "--bisect: even with all " << numUnits
        << " ops in f32 that a policy can keep there the error is " << *best
        << ", which is over " << llvm::format("%g", tolerance);
    return makeError(text);
  }
  if (Error error = DeltaDebugger(trials, tolerance).shrink(result))
    return std::move(error);
  return result;
}

//===----------------------------------------------------------------------===//
// The policy file
//===----------------------------------------------------------------------===//

/// The name of the set for `device`.
static std::string getSetName(StringRef device) {
  return ("bisect_" + device).str();
}

/// The devices of the units that stay in f32.
static std::set<std::string> getDevices(const Trials &trials,
                                        const BisectResult &result) {
  std::set<std::string> devices;
  for (unsigned index : result.high.set_bits())
    for (const std::string &device : trials.getUnits()[index].devices)
      devices.insert(device);
  return devices;
}

/// The text of the sets that keep the units in f32, each on top of the set that
/// the scopes of its device use now.
static Expected<std::string> printSets(const Trials &trials,
                                       const BisectResult &result,
                                       const TrialSetup &setup) {
  ModuleOp module = setup.module;
  PolicyLibrary library(module);
  Location loc = module.getLoc();
  const CompileOptions &compile = setup.compile;
  if ((!compile.policyFile.empty() &&
       failed(library.loadFile(compile.policyFile, loc))) ||
      failed(library.setDefaults(compile.policies, loc)))
    return makeError("the policy sets could not be read");
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::string &device : getDevices(trials, result)) {
    StringRef named = trials.getPolicySet(device);
    SymbolRefAttr name = named.empty()
                             ? SymbolRefAttr()
                             : SymbolRefAttr::get(module.getContext(), named);
    const PolicySet *base = library.lookup(name, device, loc);
    if (!base)
      return makeError("there is no policy set for device '" + device + "'");
    os << "amp.policy_set @" << getSetName(device) << " device(\"" << device
       << "\") extends @" << base->getName() << " {\n";
    // Two files of one name may have ops at the same place.
    std::set<std::string> written;
    for (unsigned index : result.high.set_bits()) {
      const OpUnit &unit = trials.getUnits()[index];
      if (!llvm::is_contained(unit.devices, device) ||
          !written.insert(unit.getMatcher()).second)
        continue;
      os << "  // " << unit.describe() << "\n  amp.rule exclude "
         << unit.getMatcher() << "\n";
    }
    os << "}\n";
  }
  return text;
}

/// Writes the policy file: the sets of the one that is in use, if there is one,
/// and the new ones.
static Error writePolicyFile(StringRef path, StringRef heading, StringRef sets,
                             const CompileOptions &compile) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> base;
  if (!compile.policyFile.empty()) {
    base = openInputFile(compile.policyFile, &message);
    if (!base)
      return makeError(message);
  }
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return makeError("--policy-output: " + message);
  if (base)
    file->os() << base->getBuffer() << "\n";
  file->os() << "// " << heading << "\n" << sets;
  file->os().flush();
  if (file->os().has_error()) {
    message = file->os().error().message();
    file->os().clear_error();
    return makeError("cannot write '" + path + "': " + message);
  }
  file->keep();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

Error mlir::amp::bisect(llvm::raw_ostream &os, Trials &trials,
                        const TrialSetup &setup, double tolerance,
                        StringRef path) {
  Expected<std::optional<BisectResult>> found =
      bisectError(trials, setup.compile, tolerance);
  if (!found)
    return found.takeError();
  if (!*found) {
    os << "bisect: nothing to keep in f32: the error is within "
       << llvm::format("%g", tolerance) << " already\n";
    return Error::success();
  }
  const BisectResult &result = **found;
  std::string summary;
  llvm::raw_string_ostream(summary)
      << "error=" << result.error << " limit=" << llvm::format("%g", tolerance)
      << " kept=" << result.high.count() << " of=" << trials.getUnits().size()
      << " error_before=" << result.before;
  Expected<std::string> sets = printSets(trials, result, setup);
  if (!sets)
    return sets.takeError();
  if (Error error =
          writePolicyFile(path, "Written by amp-run --bisect: " + summary,
                          *sets, setup.compile))
    return error;

  // What was found is only worth what the file does.
  CompileOptions compile = setup.compile;
  compile.policyFile = path.str();
  compile.policies.clear();
  for (const std::string &device : getDevices(trials, result))
    compile.policies.push_back(getSetName(device));
  Expected<TrialError> error = trials.runWith(compile);
  if (!error)
    return error.takeError();
  os << "bisect: " << summary
     << " minimal=" << (result.isMinimal ? "yes" : "no")
     << " trials=" << trials.getNumTrials() << "\n";
  for (unsigned index : result.high.set_bits())
    os << "bisect keep: " << trials.getUnits()[index].describe() << "\n";
  if (!error->isWithin(tolerance)) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "--bisect: with the policy file '" << path << "' the error is "
        << *error << ", which is over " << llvm::format("%g", tolerance)
        << ": regions that name a policy set of their own do not ask it";
    return makeError(text);
  }
  os << "bisect: wrote " << path << "; use it with --policy-file=" << path;
  if (!setup.compile.policyFile.empty() || !setup.compile.policies.empty()) {
    os << " --policy=";
    llvm::interleave(
        compile.policies, os,
        [&](const std::string &name) { os << "@" << name; }, ",");
  }
  os << "\n";
  if (!result.isMinimal)
    llvm::errs() << "amp-run: warning: --bisect: stopped after "
                 << trials.getNumTrials()
                 << " trials: some of these ops may not be needed; give more "
                    "with --max-trials\n";
  return Error::success();
}
