//===- Attribute.cpp - which ops make the error ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attribute.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::BitVector;
using llvm::Error;
using llvm::Expected;

namespace {
/// Units that follow each other, from `begin` to before `end`, measured
/// together.
struct Group {
  unsigned begin, end;
  /// With these as autocast decides and all others in f32, and the other way
  /// round.
  TrialError alone, without;

  unsigned size() const { return end - begin; }
  /// Whether this contributes more.
  bool operator<(const Group &other) const {
    if (other.alone < alone || alone < other.alone)
      return other.alone < alone;
    if (without < other.without || other.without < without)
      return without < other.without;
    return begin < other.begin;
  }
};
} // namespace

static Error measure(Trials &trials, Group &group) {
  BitVector inside(trials.getUnits().size());
  inside.set(group.begin, group.end);
  BitVector outside = inside;
  outside.flip();
  Expected<TrialError> alone = trials.run(outside);
  if (!alone)
    return alone.takeError();
  Expected<TrialError> without = trials.run(inside);
  if (!without)
    return without.takeError();
  group.alone = *alone;
  group.without = *without;
  return Error::success();
}

Error mlir::amp::attributeError(llvm::raw_ostream &os, Trials &trials) {
  unsigned numUnits = trials.getUnits().size();
  Expected<TrialError> all = trials.run(BitVector(numUnits));
  if (!all)
    return all.takeError();
  // Two trials a group, and half of all for splitting groups.
  unsigned numGroups = numUnits;
  if (2 * size_t(numUnits) > trials.getNumLeft())
    numGroups = std::max(1u, trials.getNumLeft() / 4);
  std::vector<Group> groups;
  for (unsigned i = 0; i != numGroups; ++i) {
    unsigned begin = uint64_t(numUnits) * i / numGroups;
    unsigned end = uint64_t(numUnits) * (i + 1) / numGroups;
    groups.push_back({begin, end, {}, {}});
    if (Error error = measure(trials, groups.back()))
      return error;
  }
  while (trials.getNumLeft() >= 4) {
    Group *worst = nullptr;
    for (Group &group : groups)
      if (group.size() > 1 && (!worst || group < *worst))
        worst = &group;
    if (!worst)
      break;
    unsigned middle = worst->begin + worst->size() / 2;
    Group second = {middle, worst->end, {}, {}};
    worst->end = middle;
    if (Error error = measure(trials, *worst))
      return error;
    if (Error error = measure(trials, second))
      return error;
    groups.push_back(second);
  }
  llvm::sort(groups);

  os << "attribute-error: ops=" << numUnits << " error=" << *all
     << " trials=" << trials.getNumTrials() << "\n";
  for (auto [rank, group] : llvm::enumerate(groups)) {
    os << "attribute " << rank + 1 << ": alone=" << group.alone
       << " without=" << group.without << " "
       << trials.getUnits()[group.begin].describe();
    if (group.size() > 1)
      os << " to " << trials.getUnits()[group.end - 1].describe() << " ("
         << group.size() << " ops)";
    os << "\n";
  }
  return Error::success();
}
