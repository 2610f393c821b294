//===- ProfileMap.cpp - a profile, looked up by value ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/ProfileMap.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Policy/ValueKeys.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::amp;

/// While a ProfileMap lives: for the results of an op, and the arguments of its
/// regions, in this order, the numbers of their entries, or -1. An attribute,
/// so that clones have it too.
static constexpr StringLiteral entriesAttrName = "amp.profile_entries";

//===----------------------------------------------------------------------===//
// Stale profiles
//===----------------------------------------------------------------------===//

namespace {
/// Compares the values of a program with the entries of a profile, and says
/// what differs.
class StalenessCheck {
public:
  StalenessCheck(ModuleOp module, const Profile &profile, StaleProfile stale,
                 std::string origin)
      : module(module), profile(profile), stale(stale),
        origin(std::move(origin)), keys(module) {}

  LogicalResult run();

private:
  /// The differences that are told one by one; the others are counted.
  static constexpr unsigned mostTold = 4;

  InFlightDiagnostic report(Location location, DiagnosticId id) {
    return stale == StaleProfile::Error ? emitError(location, id)
                                        : emitWarning(location, id);
  }

  static StringRef getFunction(StringRef key) { return key.rsplit(':').first; }

  void findDifferences(ArrayRef<Value> values);
  bool dependsOnMissing(Value value) const;
  void reportMissing();
  void reportUnused();
  /// Where nothing fits.
  void reportStrange(ArrayRef<Value> values);
  /// The entry without a value that `entry`, a value without an entry, most
  /// likely was; null if none is like it.
  const ProfileEntry *findNearest(const ProfileEntry &entry) const;

  ModuleOp module;
  const Profile &profile;
  StaleProfile stale;
  std::string origin;
  ValueKeys keys;

  SmallVector<Value> missing;
  DenseSet<Value> missingSet;
  SmallVector<const ProfileEntry *> unused;
  DenseSet<const ProfileEntry *> told;
};
} // namespace

void StalenessCheck::findDifferences(ArrayRef<Value> values) {
  llvm::StringSet<> used, functions;
  for (const auto &[key, entry] : profile.getEntries())
    functions.insert(getFunction(key));
  for (Value value : values) {
    std::string key = keys.getKey(value);
    if (profile.find(key)) {
      used.insert(key);
      continue;
    }
    // Functions that the calibrated one does not call are not in a profile.
    if (!functions.contains(getFunction(key)))
      continue;
    missing.push_back(value);
    missingSet.insert(value);
  }
  for (const auto &[key, entry] : profile.getEntries())
    if (!used.contains(key))
      unused.push_back(&entry);
}

/// Whether what computes `value` reads another value without an entry, so that
/// it is that one which tells what changed.
bool StalenessCheck::dependsOnMissing(Value value) const {
  // Values between the two may be of kinds that are not profiled.
  SmallVector<Value> work;
  DenseSet<Value> seen;
  auto addOperands = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Value profiled = getProfiledValue(operand);
            seen.insert(profiled).second)
          work.push_back(profiled);
    });
  };
  auto addSources = [&](Value of) {
    if (auto argument = dyn_cast<BlockArgument>(of)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (!isa<FunctionOpInterface>(parent))
        for (Value operand : parent->getOperands())
          work.push_back(getProfiledValue(operand));
      return;
    }
    addOperands(of.getDefiningOp());
  };
  addSources(value);
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (next == value)
      continue;
    if (missingSet.contains(next))
      return true;
    // A value with an entry is as it was, and so is what it hangs on.
    if (!profile.find(keys.getKey(next)))
      addSources(next);
  }
  return false;
}

const ProfileEntry *
StalenessCheck::findNearest(const ProfileEntry &entry) const {
  const ProfileEntry *best = nullptr;
  unsigned bestDistance = ~0u;
  for (const ProfileEntry *candidate : unused) {
    if (getFunction(candidate->key) != getFunction(entry.key) ||
        told.contains(candidate))
      continue;
    // The name counts most: two ops are alike if people call them alike.
    unsigned distance =
        4 * StringRef(candidate->name).edit_distance(entry.name);
    distance += 2 * (candidate->op != entry.op);
    distance += candidate->type != entry.type;
    distance += candidate->location != entry.location;
    if (distance >= bestDistance)
      continue;
    best = candidate;
    bestDistance = distance;
  }
  // Half of the name and more is another name.
  if (best && bestDistance / 4 > entry.name.size() / 2 && best->op != entry.op)
    return nullptr;
  return best;
}

/// "'relu' (linalg.generic, tensor<4xf32>)".
static std::string describe(const ProfileEntry &entry) {
  return "'" + entry.name + "' (" + entry.op + ", " + entry.type + ")";
}

void StalenessCheck::reportMissing() {
  SmallVector<Value> roots;
  for (Value value : missing)
    if (!dependsOnMissing(value))
      roots.push_back(value);
  for (Value root : ArrayRef(roots).take_front(mostTold)) {
    ProfileEntry entry = makeProfileEntry(root, keys);
    InFlightDiagnostic diag = report(root.getLoc(), DiagnosticId::F002);
    diag << "the profile " << origin << " is not of this program: the value "
         << describe(entry)
         << " has no entry; it was added or changed since, or something that "
            "it is computed from was";
    if (const ProfileEntry *nearest = findNearest(entry)) {
      told.insert(nearest);
      diag.attachNote() << "nearest entry without a value: "
                        << describe(*nearest) << ", which was at "
                        << nearest->location;
    }
    if (root != roots[std::min<size_t>(roots.size(), mostTold) - 1])
      continue;
    if (missing.size() > std::min<size_t>(roots.size(), mostTold))
      diag.attachNote() << missing.size() -
                               std::min<size_t>(roots.size(), mostTold)
                        << " more values have no entry, most because they "
                           "depend on these";
    diag.attachNote() << "calibrate again with amp-run --calibrate, or use the "
                         "entries that still fit with stale-profile=warn";
  }
}

void StalenessCheck::reportUnused() {
  SmallVector<const ProfileEntry *> rest;
  for (const ProfileEntry *entry : unused)
    if (!told.contains(entry))
      rest.push_back(entry);
  // Where values have no entries, these are what they were.
  if (!missing.empty() || rest.empty())
    return;
  for (const ProfileEntry *entry : ArrayRef(rest).take_front(mostTold)) {
    InFlightDiagnostic diag = report(module.getLoc(), DiagnosticId::F003);
    diag << "the profile " << origin << " is not of this program: the value "
         << describe(*entry) << " at " << entry->location << ", key '"
         << entry->key << "', is not in the program";
    if (entry != rest[std::min<size_t>(rest.size(), mostTold) - 1])
      continue;
    if (rest.size() > mostTold)
      diag.attachNote() << rest.size() - mostTold << " more values are gone";
    diag.attachNote() << "calibrate again with amp-run --calibrate, or use the "
                         "entries that still fit with stale-profile=warn";
  }
}

void StalenessCheck::reportStrange(ArrayRef<Value> values) {
  InFlightDiagnostic diag = report(values.front().getLoc(), DiagnosticId::F004);
  diag << "the profile " << origin
       << " has no entry for any value of this program";
  if (!profile.getEntries().empty())
    diag << "; its first is for "
         << describe(profile.getEntries().begin()->second) << " at "
         << profile.getEntries().begin()->second.location << " in function '"
         << getFunction(profile.getEntries().begin()->first) << "'";
  diag.attachNote() << "calibrate again with amp-run --calibrate, which writes "
                       "the profile of the program that it runs";
}

LogicalResult StalenessCheck::run() {
  SmallVector<Value> values =
      getProfiledValues(module, keys, profile.getSelection());
  findDifferences(values);
  if (!values.empty() && unused.size() == profile.getEntries().size()) {
    reportStrange(values);
    return success(stale == StaleProfile::Warn);
  }
  if (missing.empty() && unused.empty())
    return success();
  reportMissing();
  reportUnused();
  return success(stale == StaleProfile::Warn);
}

//===----------------------------------------------------------------------===//
// ProfileMap
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<ProfileMap>> ProfileMap::create(ModuleOp module,
                                                          Profile profile,
                                                          StaleProfile stale,
                                                          const Twine &origin) {
  std::unique_ptr<ProfileMap> map(new ProfileMap(module, std::move(profile)));
  if (failed(StalenessCheck(module, map->profile, stale, origin.str()).run()))
    return failure();

  llvm::StringMap<int64_t> numbers;
  for (const auto &[key, entry] : map->profile.getEntries()) {
    numbers[key] = static_cast<int64_t>(map->entries.size());
    map->entries.push_back(&entry);
  }
  ValueKeys keys(module);
  auto getNumber = [&](Value value) {
    auto it = numbers.find(keys.getKey(value));
    return it == numbers.end() ? int64_t(-1) : it->second;
  };
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      for (Block &block : function.getFunctionBody())
        for (BlockArgument argument : block.getArguments())
          if (int64_t number = getNumber(argument); number >= 0)
            map->arguments[argument] = map->entries[number];
      if (function.isExternal())
        return;
    }
    // Those of a function are for its clones, whose arguments are not known.
    SmallVector<int64_t> found;
    for (Value result : op->getResults())
      found.push_back(getNumber(result));
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        found.push_back(getNumber(argument));
    if (llvm::any_of(found, [](int64_t number) { return number >= 0; }))
      op->setAttr(entriesAttrName,
                  DenseI64ArrayAttr::get(op->getContext(), found));
  });
  return map;
}

ProfileMap::~ProfileMap() {
  module.walk([](Operation *op) { op->removeAttr(entriesAttrName); });
}

const ProfileEntry *ProfileMap::lookupEntry(Value value) const {
  value = getProfiledValue(value);
  if (auto it = arguments.find(value); it != arguments.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  size_t index = 0;
  if (op) {
    index = cast<OpResult>(value).getResultNumber();
  } else {
    Region *region = value.getParentRegion();
    op = region->getParentOp();
    index = op->getNumResults();
    for (unsigned i = 0; i < region->getRegionNumber(); ++i)
      index += op->getRegion(i).getNumArguments();
    index += cast<BlockArgument>(value).getArgNumber();
  }
  auto found = op->getAttrOfType<DenseI64ArrayAttr>(entriesAttrName);
  if (!found || index >= found.asArrayRef().size() || found[index] < 0)
    return nullptr;
  return entries[found[index]];
}

const RangeStatistics *ProfileMap::lookup(Value value) const {
  const ProfileEntry *entry = lookupEntry(value);
  return entry && entry->observations ? &entry->range : nullptr;
}
