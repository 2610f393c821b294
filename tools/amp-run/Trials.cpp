//===- Trials.cpp - a program with some ops kept in f32 -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Policy/OpNames.h"
#include "amp/Support/Errors.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

llvm::raw_ostream &mlir::amp::operator<<(llvm::raw_ostream &os,
                                         const TrialError &error) {
  os << llvm::format("%.4g", error.scaled);
  if (error.numMismatches)
    os << "+" << error.numMismatches << "mismatches";
  return os;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// `text` in MLIR's double quotes.
static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '"';
  llvm::printEscapedString(text, os);
  os << '"';
  return result;
}

std::string OpUnit::getMatcher() const {
  if (!name.empty())
    return "name(" + quote("^" + llvm::Regex::escape(name) + "$") + ")";
  return "location(" + quote(llvm::sys::path::filename(location)) + ") op(" +
         quote(op) + ")";
}

std::string OpUnit::describe() const {
  std::string text = op;
  if (!name.empty())
    text += " " + quote(name);
  if (!location.empty())
    text += " at " + location;
  return text;
}

/// What makes two ops one unit: a common name, or the kind and the place.
static std::pair<std::string, std::string> getUnitKey(Operation *op) {
  if (StringRef name = getInstanceName(op); !name.empty())
    return {name.str(), ""};
  return {op->getName().getStringRef().str(), getPlace(op)};
}

/// Whether a policy could keep `op` out of the lower precision that `decision`
/// gives it.
static bool isLowByPolicy(Operation *op, DecisionAttr decision) {
  if (decision.getPolicy() == Policy::keep)
    return false;
  auto isNarrower = [](Type decided, Type declared) {
    auto from = dyn_cast_or_null<FloatType>(getFloatElementType(declared));
    auto to = dyn_cast<FloatType>(decided);
    return from && to && to.getWidth() < from.getWidth();
  };
  for (auto [type, to] :
       llvm::zip_equal(op->getOperandTypes(), decision.getTo()))
    if (isNarrower(to, type))
      return true;
  for (auto [type, to] :
       llvm::zip_equal(op->getResultTypes(), decision.getResults()))
    if (isNarrower(to, type))
      return true;
  return false;
}

/// The devices of the scopes that are on around `op`.
static std::set<std::string> getDevices(Operation *op) {
  std::set<std::string> devices;
  for (auto scope = op->getParentOfType<AutocastOp>(); scope;
       scope = scope->getParentOfType<AutocastOp>())
    if (!scope.getDisabled())
      devices.insert(scope.getDevice().str());
  return devices;
}

Error Trials::findUnits() {
  OwningOpRef<ModuleOp> module = setup.module.clone();
  Expected<func::FuncOp> entry = findEntry(*module, setup.entry);
  if (!entry)
    return entry.takeError();
  struct Found {
    OpUnit unit;
    std::set<std::string> devices;
  };
  llvm::MapVector<std::pair<std::string, std::string>, Found,
                  std::map<std::pair<std::string, std::string>, unsigned>>
      found;
  auto visit = [&](Operation *op) {
    auto decision =
        op->getAttrOfType<DecisionAttr>(AMPDialect::kDecisionAttrName);
    if (!decision || !isLowByPolicy(op, decision))
      return;
    std::string name = getInstanceName(op).str(), place = getPlace(op);
    if (name.empty() && place.empty()) {
      ++numUnnamed;
      return;
    }
    Found &entry = found[getUnitKey(op)];
    if (entry.unit.op.empty())
      entry.unit = {name, op->getName().getStringRef().str(), place, {}, {}};
    entry.devices.merge(getDevices(op));
    if (auto scope = op->getParentOfType<AutocastOp>()) {
      SymbolRefAttr set = scope.getPolicyAttr();
      policySets[scope.getDevice().str()].insert(
          set ? set.getLeafReference().str() : "");
    }
  };
  Expected<Execution> decided =
      compile(*entry, setup.compile, setup.device, /*what=*/"",
              [&](const Stage &stage, ModuleOp current) {
                if (stage.name != "decide")
                  return true;
                current.walk<WalkOrder::PreOrder>(visit);
                return false;
              });
  if (!decided)
    return decided.takeError();

  // Where these ops are in the program as it was written.
  unsigned position = 0;
  setup.module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto it = found.find(getUnitKey(op));
    if (it != found.end())
      it->second.unit.positions.push_back(position);
    ++position;
  });
  for (auto &[key, entry] : found) {
    entry.unit.devices.assign(entry.devices.begin(), entry.devices.end());
    units.push_back(std::move(entry.unit));
  }
  if (units.empty())
    return makeError(
        numUnnamed
            ? "none of the " + Twine(numUnnamed) +
                  " ops in a lower precision has a name or a place in a file"
        : setup.compile.autocast == Autocast::AsWritten
            ? Twine("no op runs in a lower precision: give --autocast=f16 or "
                    "bf16, or a program with an amp.autocast region")
            : Twine(
                  "no op runs in a lower precision: the policies leave all of "
                  "them as they are, as --print-decisions says"));
  return Error::success();
}

StringRef Trials::getPolicySet(StringRef device) const {
  auto it = policySets.find(device);
  return it == policySets.end() || it->second.size() != 1
             ? StringRef()
             : StringRef(*it->second.begin());
}

Expected<Trials> Trials::create(const TrialSetup &setup, unsigned maxTrials) {
  Trials trials(setup, maxTrials);
  if (Error error = trials.findUnits())
    return std::move(error);
  return trials;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static TrialError getError(const Execution &run, const Execution &reference) {
  TrialError error;
  for (auto [i, value] : llvm::enumerate(run.results)) {
    Comparison comparison =
        compare(value, getElementTypeOrSelf(run.function->getResultTypes()[i]),
                reference.results[i],
                getElementTypeOrSelf(reference.function->getResultTypes()[i]));
    error.scaled = std::max(error.scaled, comparison.scaledError);
    error.numMismatches += comparison.numMismatches;
  }
  return error;
}

Expected<TrialError> Trials::execute(OwningOpRef<ModuleOp> module,
                                     const CompileOptions &compileOptions) {
  Expected<func::FuncOp> entry = findEntry(*module, setup.entry);
  if (!entry)
    return entry.takeError();
  ++numTrials;
  auto now = std::chrono::steady_clock::now();
  if (now - lastLine > std::chrono::seconds(2)) {
    llvm::errs() << "amp-run: trial " << numTrials << " of at most "
                 << maxTrials << "...\n";
    lastLine = now;
  }
  // Warnings and remarks are those of every trial.
  ScopedDiagnosticHandler quiet(module->getContext(), [](Diagnostic &diag) {
    return success(diag.getSeverity() == DiagnosticSeverity::Warning ||
                   diag.getSeverity() == DiagnosticSeverity::Remark);
  });
  std::string what = "trial " + std::to_string(numTrials);
  Expected<Execution> execution =
      compile(*entry, compileOptions, setup.device, /*what=*/"",
              [](const Stage &, ModuleOp) { return true; });
  if (!execution)
    return execution.takeError();
  if (Error error = runOnce(*execution, setup.inputs, what, /*isPhase=*/false))
    return std::move(error);
  for (auto [result, expected] :
       llvm::zip_equal(execution->results, setup.reference->results))
    if (result.getShape() != expected.getShape())
      return makeError("the shape of a result depends on the precision: " +
                       result.describe() + ", and in f32 " +
                       expected.describe());
  return getError(*execution, *setup.reference);
}

Expected<TrialError> Trials::run(const llvm::BitVector &high) {
  std::vector<bool> key(units.size());
  for (unsigned unit : high.set_bits())
    key[unit] = true;
  if (auto it = known.find(key); it != known.end())
    return it->second;
  llvm::BitVector isForced(0);
  for (unsigned unit : high.set_bits())
    for (unsigned position : units[unit].positions) {
      if (position >= isForced.size())
        isForced.resize(position + 1);
      isForced.set(position);
    }
  OwningOpRef<ModuleOp> module = setup.module.clone();
  auto policy = PolicyAttr::get(module->getContext(), Policy::fp32);
  unsigned position = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (position < isForced.size() && isForced[position])
      op->setAttr(AMPDialect::kPolicyAttrName, policy);
    ++position;
  });
  CompileOptions compileOptions = setup.compile;
  compileOptions.exactRounding = isExact;
  Expected<TrialError> error = execute(std::move(module), compileOptions);
  if (error)
    known[key] = *error;
  return error;
}

Expected<TrialError> Trials::runWith(const CompileOptions &compileOptions) {
  return execute(setup.module.clone(), compileOptions);
}
