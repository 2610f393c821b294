//===- PolicyLibrary.cpp - the policy sets that a module can use ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/PolicyLibrary.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Policy/KnownOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::amp;

PolicyLibrary::PolicyLibrary(ModuleOp module) : module(module) {}

PolicyLibrary::~PolicyLibrary() = default;

//===----------------------------------------------------------------------===//
// Where sets come from
//===----------------------------------------------------------------------===//

static PolicySetOp findIn(ModuleOp module, StringRef name) {
  if (!module)
    return {};
  for (PolicySetOp set : module.getOps<PolicySetOp>())
    if (set.getSymName() == name)
      return set;
  return {};
}

PolicySetOp PolicyLibrary::find(StringRef name) const {
  PolicySetOp set = findIn(module, name);
  return set ? set : findIn(file.get(), name);
}

LogicalResult PolicyLibrary::loadFile(StringRef path, Location loc) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return emitError(loc, DiagnosticId::P008)
           << "the policy file cannot be read: " << message;
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  file = parseSourceFile<ModuleOp>(sources, ParserConfig(module.getContext()));
  if (!file)
    return emitError(loc, DiagnosticId::P008)
           << "the policy file '" << path << "' has the errors reported above";
  for (Operation &op : *file->getBody()) {
    auto set = dyn_cast<PolicySetOp>(op);
    if (!set)
      return emitError(&op, DiagnosticId::P008)
             << "a policy file holds nothing but amp.policy_set, but this is a "
                "'"
             << op.getName() << "'";
    if (PolicySetOp other = findIn(module, set.getSymName())) {
      InFlightDiagnostic diag = emitError(set, DiagnosticId::P009)
                                << "the module has a policy set @"
                                << set.getSymName()
                                << " too: rename one of the two";
      diag.attachNote(other.getLoc()) << "the one in the module";
      return diag;
    }
  }
  if (file->getBody()->empty())
    return emitError(FileLineColLoc::get(module.getContext(), path, 1, 1),
                     DiagnosticId::P008)
           << "the policy file holds no policy set";
  return success();
}

void PolicyLibrary::suggest(InFlightDiagnostic &diag, StringRef name) const {
  SmallVector<StringRef> names;
  for (ModuleOp source : {module, file.get()})
    if (source)
      for (PolicySetOp set : source.getOps<PolicySetOp>())
        names.push_back(set.getSymName());
  llvm::append_range(names, PolicySet::getBuiltinNames());
  StringRef nearest = findNearestName(name, names);
  if (!nearest.empty()) {
    diag << "; did you mean @" << nearest << "?";
    return;
  }
  diag << "; the policy sets are ";
  llvm::interleaveComma(names, diag,
                        [&](StringRef known) { diag << '@' << known; });
}

LogicalResult PolicyLibrary::setDefaults(ArrayRef<std::string> names,
                                         Location loc) {
  SmallVector<StringRef> chosen(names.begin(), names.end());
  if (names.empty() && file) {
    llvm::StringSet<> extended;
    for (PolicySetOp set : file->getOps<PolicySetOp>())
      if (auto base = set.getExtends())
        extended.insert(*base);
    for (PolicySetOp set : file->getOps<PolicySetOp>())
      if (!extended.contains(set.getSymName()))
        chosen.push_back(set.getSymName());
  }
  for (StringRef name : chosen) {
    name.consume_front("@");
    PolicySetOp set = find(name);
    SmallVector<StringRef> devices;
    if (set)
      devices.push_back(set.getDevice());
    else
      for (StringRef device : PolicySet::getBuiltinDevices())
        if (PolicySet::getBuiltin(name, device))
          devices.push_back(device);
    if (devices.empty()) {
      InFlightDiagnostic diag = emitError(loc, DiagnosticId::P007)
                                << "option 'policy' names @" << name
                                << ", but there is no policy set of this name";
      suggest(diag, name);
      return diag;
    }
    for (StringRef device : devices) {
      auto [it, inserted] = defaults.try_emplace(device, name.str());
      if (inserted || it->second == name)
        continue;
      InFlightDiagnostic diag =
          emitError(loc, DiagnosticId::P009)
          << "policy sets @" << it->second << " and @" << name
          << " are both for device \"" << device
          << "\": name by the option 'policy' the one that "
             "scopes without a set of their own use";
      if (set)
        diag.attachNote(set.getLoc()) << "@" << name << " is defined here";
      return diag;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

const PolicySet *PolicyLibrary::lookupDefault(StringRef device, Location loc) {
  auto it = defaults.find(device);
  return it == defaults.end() ? nullptr : lookup(it->second, device, loc);
}

const PolicySet *PolicyLibrary::lookup(SymbolRefAttr name, StringRef device,
                                       Location loc) {
  wasAsked = true;
  if (name) {
    if (name.getNestedReferences().empty())
      return lookup(name.getRootReference().getValue(), device, loc);
    emitError(loc, DiagnosticId::P007)
        << "expected the name of a policy set of the module, but found "
        << name;
    return nullptr;
  }
  if (auto it = defaults.find(device); it != defaults.end())
    return lookup(it->second, device, loc);
  // By name: a set of the module under this name goes first.
  if (const PolicySet *set = PolicySet::getBuiltin(device))
    return lookup(set->getName(), device, loc);
  InFlightDiagnostic diag = emitError(loc, DiagnosticId::P011)
                            << "there is no built-in policy set for device \""
                            << device << "\"; the devices are ";
  llvm::interleaveComma(PolicySet::getBuiltinDevices(), diag);
  diag << "; or give the scope a set of its own: policy(@name)";
  return nullptr;
}

const PolicySet *PolicyLibrary::lookup(StringRef name, StringRef device,
                                       Location loc) {
  if (PolicySetOp op = find(name)) {
    if (op.getDevice() == device)
      return build(op);
    InFlightDiagnostic diag = emitError(loc, DiagnosticId::P006)
                              << "policy set @" << name << " is for device "
                              << op.getDeviceAttr() << ", but it is used for \""
                              << device << "\"";
    diag.attachNote(op.getLoc()) << "the set is defined here";
    return nullptr;
  }
  if (const PolicySet *set = PolicySet::getBuiltin(name, device))
    return set;
  if (Operation *other = module.lookupSymbol(name)) {
    InFlightDiagnostic diag = emitError(loc, DiagnosticId::P007)
                              << "this symbol is no policy set but a '"
                              << other->getName() << "': @" << name;
    diag.attachNote(other->getLoc()) << "defined here";
    return nullptr;
  }
  if (llvm::is_contained(PolicySet::getBuiltinNames(), name)) {
    emitError(loc, DiagnosticId::P006)
        << "the built-in policy set @" << name << " is not for device \""
        << device << "\"";
    return nullptr;
  }
  InFlightDiagnostic diag = emitError(loc, DiagnosticId::P007)
                            << "there is no policy set of this name: @" << name;
  suggest(diag, name);
  return nullptr;
}

const PolicySet *PolicyLibrary::build(PolicySetOp op) {
  auto [it, inserted] = sets.try_emplace(op);
  if (!inserted) {
    // In the making, if it is its own base; otherwise its error is known.
    if (!it->second && !failedSets.contains(op)) {
      emitError(op, DiagnosticId::P005)
          << "policy set @" << op.getSymName() << " extends itself, through "
          << op.getExtendsAttr();
      failedSets.insert(op);
    }
    return it->second.get();
  }
  const PolicySet *base = nullptr;
  if (std::optional<StringRef> name = op.getExtends()) {
    base = lookup(*name, op.getDevice(), op.getLoc());
    if (!base) {
      failedSets.insert(op);
      return nullptr;
    }
  }
  auto set = std::make_unique<PolicySet>(op, base);
  const PolicySet *result = set.get();
  sets[op] = std::move(set);
  return result;
}

//===----------------------------------------------------------------------===//
// Entries that match nothing
//===----------------------------------------------------------------------===//

/// Whether an entry for `key` is for one of the ops `names`.
static bool matchesAny(StringRef key, ArrayRef<StringRef> names) {
  return llvm::any_of(names, [&](StringRef name) {
    return name == key || getOverloadPattern(name) == key;
  });
}

void PolicyLibrary::warnAboutUnusedFile() {
  bool isUsed = llvm::any_of(sets, [&](const auto &made) {
    return file && made.first->getParentOp() == *file;
  });
  if (!file || !wasAsked || isUsed)
    return;
  llvm::SetVector<StringRef> devices;
  for (PolicySetOp set : file->getOps<PolicySetOp>())
    devices.insert(set.getDevice());
  InFlightDiagnostic diag =
      emitWarning(&file->getBody()->front(), DiagnosticId::P013)
      << "no scope uses a policy set of this file, whose sets are for device ";
  llvm::interleaveComma(
      devices, diag, [&](StringRef device) { diag << '"' << device << '"'; });
}

void PolicyLibrary::warnAboutUnusedEntries() {
  if (sets.empty())
    return;
  llvm::SetVector<StringRef> present;
  module.walk([&](Operation *op) {
    if (!isa<PolicySetOp, PolicyOp, RuleOp>(op))
      present.insert(normalizeOpName(op->getName().getStringRef()));
  });
  SmallVector<StringRef> names(present.begin(), present.end());
  llvm::sort(names);
  KnownOps known(module.getContext());
  for (const auto &[op, set] : sets) {
    if (!set)
      continue;
    for (auto entry : cast<PolicySetOp>(op).getBody().getOps<PolicyOp>()) {
      if (!entry.getOpName())
        continue;
      StringRef key = normalizeOpName(*entry.getOpName());
      if (matchesAny(key, names))
        continue;
      // A set is written for many modules: one that does not use an op is none
      // of its mistakes.
      if (known.contains(key)) {
        remark::analysis(entry.getLoc(), remark::RemarkOpts::name("UnusedEntry")
                                             .category("amp")
                                             .subCategory("policy"))
            << remark::metric("Op", key)
            << remark::reason("the module has no such op");
        continue;
      }
      InFlightDiagnostic diag =
          emitWarning(entry, DiagnosticId::P010)
          << "this entry matches no op: the module has no '" << key << "'";
      StringRef here = findNearestName(key, names);
      StringRef elsewhere = known.findNearest(key);
      bool isHere = !here.empty() &&
                    (elsewhere.empty() ||
                     key.edit_distance(here) <= key.edit_distance(elsewhere));
      if (isHere)
        diag << ", but '" << here << "'";
      else if (!elsewhere.empty())
        diag << "; did you mean '" << elsewhere << "'?";
      else
        diag << ", and amp knows of none";
    }
  }
}
