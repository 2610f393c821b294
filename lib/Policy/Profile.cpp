//===- Profile.cpp - ranges of values, as measured ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/Profile.h"

#include "amp/Support/Errors.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;

//===----------------------------------------------------------------------===//
// RangeStatistics
//===----------------------------------------------------------------------===//

double RangeStatistics::absmax() const {
  return hasFinite() ? std::max(std::fabs(min), std::fabs(max)) : 0;
}

uint64_t RangeStatistics::numBelow(int exponent) const {
  uint64_t sum = 0;
  for (auto it = log2.begin(), end = log2.lower_bound(exponent); it != end;
       ++it)
    sum += it->second;
  return sum;
}

uint64_t RangeStatistics::numFrom(int exponent) const {
  return numNonzero() - numBelow(exponent);
}

void RangeStatistics::add(double value) {
  ++count;
  if (std::isnan(value)) {
    ++nan;
    return;
  }
  if (std::isinf(value)) {
    ++inf;
    return;
  }
  // Minus zero becomes zero.
  value += 0.0;
  bool isFirst = numFinite() == 1;
  min = isFirst ? value : std::min(min, value);
  max = isFirst ? value : std::max(max, value);
  if (value == 0) {
    ++zero;
    return;
  }
  double magnitude = std::fabs(value);
  absmin = numNonzero() == 1 ? magnitude : std::min(absmin, magnitude);
  int exponent = std::ilogb(value);
  subnormal += exponent < -126;
  ++log2[exponent];
}

/// `a` + `b` where 64 bits hold it.
static bool addCount(uint64_t &a, uint64_t b) {
  return !__builtin_add_overflow(a, b, &a);
}

Error RangeStatistics::merge(const RangeStatistics &other) {
  RangeStatistics sum = *this;
  // No other count is larger than this one.
  if (!addCount(sum.count, other.count))
    return makeError("more than 2^64 - 1 numbers");
  if (other.hasFinite()) {
    sum.min = hasFinite() ? std::min(min, other.min) : other.min;
    sum.max = hasFinite() ? std::max(max, other.max) : other.max;
  }
  if (other.hasNonzero())
    sum.absmin = hasNonzero() ? std::min(absmin, other.absmin) : other.absmin;
  sum.nan += other.nan;
  sum.inf += other.inf;
  sum.zero += other.zero;
  sum.subnormal += other.subnormal;
  for (auto [exponent, number] : other.log2)
    sum.log2[exponent] += number;
  *this = std::move(sum);
  return Error::success();
}

Error RangeStatistics::check() const {
  uint64_t sum = 0;
  bool fits = addCount(sum, nan) && addCount(sum, inf) && addCount(sum, zero);
  for (auto [exponent, number] : log2) {
    if (exponent < -1074 || exponent > 1023)
      return makeError("'log2' has the exponent " + Twine(exponent) +
                       ", expected -1074 to 1023");
    if (number == 0)
      return makeError("'log2' has a count of 0 for the exponent " +
                       Twine(exponent));
    fits = fits && addCount(sum, number);
  }
  if (!fits || sum != count)
    return makeError("'count' is " + Twine(count) +
                     ", but 'nan', 'inf', 'zero' and 'log2' count " +
                     (fits ? Twine(sum) : Twine("more than 2^64 - 1")));
  if (numBelow(-126) != subnormal)
    return makeError("'subnormal' is " + Twine(subnormal) +
                     ", but 'log2' has " + Twine(numBelow(-126)) +
                     " numbers below 2^-126");
  if (!hasFinite())
    return Error::success();
  if (!std::isfinite(min) || !std::isfinite(max) || !(min <= max))
    return makeError("'min' is not at most 'max'");
  if (zero && (min > 0 || max < 0))
    return makeError("'zero' counts a number that is not between 'min' and "
                     "'max'");
  if (!hasNonzero())
    return min == 0 && max == 0
               ? Error::success()
               : makeError("'min' and 'max' should be 0, as all numbers are");
  if (std::ilogb(absmax()) != log2.rbegin()->first)
    return makeError("'min' and 'max' are not in the last bin of 'log2'");
  if (!(absmin > 0) || std::ilogb(absmin) != log2.begin()->first ||
      absmin > absmax())
    return makeError("'absmin' is not in the first bin of 'log2'");
  return Error::success();
}

bool RangeStatistics::operator==(const RangeStatistics &other) const {
  auto key = [](const RangeStatistics &s) {
    return std::tuple(s.count, s.nan, s.inf, s.zero, s.subnormal,
                      s.hasFinite() ? s.min : 0, s.hasFinite() ? s.max : 0,
                      s.hasNonzero() ? s.absmin : 0);
  };
  return key(*this) == key(other) && log2 == other.log2;
}

bool ProfileEntry::operator==(const ProfileEntry &other) const {
  return std::tie(key, name, location, op, type, element, observations,
                  minShape, maxShape, range) ==
         std::tie(other.key, other.name, other.location, other.op, other.type,
                  other.element, other.observations, other.minShape,
                  other.maxShape, other.range);
}

//===----------------------------------------------------------------------===//
// Profile
//===----------------------------------------------------------------------===//

bool Profile::add(ProfileEntry entry) {
  std::string key = entry.key;
  return entries.try_emplace(std::move(key), std::move(entry)).second;
}

const ProfileEntry *Profile::find(StringRef key) const {
  auto it = entries.find(key.str());
  return it == entries.end() ? nullptr : &it->second;
}

ProfileEntry *Profile::find(StringRef key) {
  return const_cast<ProfileEntry *>(std::as_const(*this).find(key));
}

/// Adds `from`, of the same key.
static Error mergeEntry(ProfileEntry &into, const ProfileEntry &from) {
  if (into.type != from.type || into.element != from.element)
    return makeError("it is a " + into.type + " in the one, and a " +
                     from.type + " in the other");
  if (into.observations && from.observations &&
      into.minShape.size() != from.minShape.size())
    return makeError("its ranks differ");
  if (!addCount(into.observations, from.observations))
    return makeError("more than 2^64 - 1 observations");
  if (into.minShape.empty() && into.maxShape.empty()) {
    into.minShape = from.minShape;
    into.maxShape = from.maxShape;
  } else if (from.observations) {
    for (auto [size, other] : llvm::zip_equal(into.minShape, from.minShape))
      size = std::min(size, other);
    for (auto [size, other] : llvm::zip_equal(into.maxShape, from.maxShape))
      size = std::max(size, other);
  }
  into.name = std::min(into.name, from.name);
  into.location = std::min(into.location, from.location);
  into.op = std::min(into.op, from.op);
  return into.range.merge(from.range);
}

/// "value 'relu' of 'main:12ab' (linalg.generic at m.mlir:3:4)".
static std::string describe(const ProfileEntry &entry) {
  return "'" + entry.name + "' (" + entry.op + " at " + entry.location +
         ", key '" + entry.key + "')";
}

Error Profile::merge(const Profile &other, const Twine &origin,
                     const Twine &otherOrigin) {
  if (!(selection == other.selection))
    return makeError(origin + " and " + otherOrigin +
                     " profile different kinds of values ('selection'); "
                     "calibrate both with the same options");
  auto refuseOne = [&](const ProfileEntry &entry, const Twine &has,
                       const Twine &lacks) {
    return makeError(has + " and " + lacks +
                     " are not profiles of one program: only " + has +
                     " has the value " + describe(entry) +
                     "; calibrate both with the same program");
  };
  for (const auto &[key, entry] : entries)
    if (!other.find(key))
      return refuseOne(entry, origin, otherOrigin);
  for (const auto &[key, entry] : other.entries)
    if (!find(key))
      return refuseOne(entry, otherOrigin, origin);

  Profile sum = *this;
  if (!addCount(sum.numSamples, other.numSamples))
    return makeError(origin + " and " + otherOrigin +
                     " have more than 2^64 - 1 samples");
  for (auto &[key, entry] : sum.entries)
    if (Error error = mergeEntry(entry, *other.find(key)))
      return makeError(origin + " and " + otherOrigin + ": the value " +
                       describe(entry) + ": " +
                       llvm::toString(std::move(error)));
  *this = std::move(sum);
  return Error::success();
}
