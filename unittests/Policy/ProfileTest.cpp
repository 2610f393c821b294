//===- ProfileTest.cpp - profiles count, merge, and survive files ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/Profile.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::amp;

/// Numbers with all bit patterns, so that all kinds and magnitudes occur.
static std::vector<double> makeNumbers(unsigned seed, size_t size) {
  std::mt19937_64 random(seed);
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 5e-324,
                                 -5e-324,
                                 1.7e308,
                                 -1.7e308,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 std::ldexp(1, -126),
                                 std::ldexp(1, -127)};
  while (numbers.size() < size) {
    uint64_t bits = random();
    double number;
    std::memcpy(&number, &bits, sizeof number);
    numbers.push_back(number);
    numbers.push_back(static_cast<double>(random() % 64) - 32);
  }
  return numbers;
}

static RangeStatistics count(ArrayRef<double> numbers) {
  RangeStatistics range;
  for (double number : numbers)
    range.add(number);
  return range;
}

static std::string print(const Profile &profile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  profile.print(os);
  return text;
}

static std::string getError(StringRef text) {
  llvm::Expected<Profile> profile = Profile::parse(text, "p.json");
  return profile ? "" : llvm::toString(profile.takeError());
}

/// A profile of two values over numbers that depend on the seed.
static Profile makeProfile(unsigned seed, size_t size = 200) {
  Profile profile;
  profile.setNumSamples(seed + 1);
  for (StringRef key : {"main:00000000000000ff", "main:0000000000000a00"}) {
    ProfileEntry entry;
    entry.key = key.str();
    entry.name = "relu";
    entry.op = "linalg.generic";
    entry.location = "model.mlir:" + std::to_string(seed % 2 + 1) + ":3";
    entry.type = "tensor<?x3xf64>";
    entry.element = "f64";
    entry.observations = seed + 1;
    entry.minShape = {1 + seed % 3, 3};
    entry.maxShape = {4 + seed % 3, 3};
    entry.range = count(makeNumbers(seed, size));
    profile.add(entry);
  }
  return profile;
}

static Profile merge(Profile a, const Profile &b) {
  llvm::Error error = a.merge(b, "a", "b");
  EXPECT_FALSE(static_cast<bool>(error));
  llvm::consumeError(std::move(error));
  return a;
}

TEST(RangeStatistics, CountsWhatIsThere) {
  std::vector<double> numbers = makeNumbers(1, 5000);
  RangeStatistics range = count(numbers);
  uint64_t nan = 0, inf = 0, zero = 0, subnormal = 0, below = 0;
  double min = INFINITY, max = -INFINITY, absmin = INFINITY;
  for (double number : numbers) {
    nan += number != number;
    inf += std::isinf(number);
    zero += number == 0;
    if (!std::isfinite(number))
      continue;
    min = std::min(min, number);
    max = std::max(max, number);
    if (number == 0)
      continue;
    absmin = std::min(absmin, std::fabs(number));
    subnormal += std::fabs(number) < std::ldexp(1, -126);
    below += std::fabs(number) < std::ldexp(1, 3);
  }
  EXPECT_EQ(range.count, numbers.size());
  EXPECT_EQ(range.nan, nan);
  EXPECT_EQ(range.inf, inf);
  EXPECT_EQ(range.zero, zero);
  EXPECT_EQ(range.subnormal, subnormal);
  EXPECT_EQ(range.min, min);
  EXPECT_EQ(range.max, max);
  EXPECT_EQ(range.absmax(), std::max(-min, max));
  EXPECT_EQ(range.absmin, absmin);
  EXPECT_EQ(range.numBelow(3), below);
  EXPECT_EQ(range.numFrom(3), range.numNonzero() - below);
  EXPECT_EQ(llvm::toString(range.check()), "");
}

TEST(RangeStatistics, OrderDoesNotMatter) {
  std::vector<double> numbers = makeNumbers(3, 999);
  RangeStatistics whole = count(numbers);
  for (size_t cut : {size_t(0), size_t(1), size_t(8), size_t(500)}) {
    RangeStatistics a = count(ArrayRef(numbers).take_front(cut));
    RangeStatistics b = count(ArrayRef(numbers).drop_front(cut));
    RangeStatistics ab = a, ba = b;
    EXPECT_EQ(llvm::toString(ab.merge(b)), "");
    EXPECT_EQ(llvm::toString(ba.merge(a)), "");
    EXPECT_TRUE(ab == whole);
    EXPECT_TRUE(ba == whole);
  }
}

TEST(RangeStatistics, CountsDoNotWrap) {
  RangeStatistics a, b;
  a.count = a.zero = std::numeric_limits<uint64_t>::max();
  b.add(0);
  RangeStatistics before = a;
  EXPECT_EQ(llvm::toString(a.merge(b)), "more than 2^64 - 1 numbers");
  EXPECT_TRUE(a == before);
}

TEST(Profile, MergesToTheSameBytes) {
  Profile a = makeProfile(0), b = makeProfile(1), c = makeProfile(2),
          d = makeProfile(3);
  std::string expected = print(merge(merge(merge(a, b), c), d));
  EXPECT_EQ(print(merge(merge(a, b), merge(c, d))), expected);
  EXPECT_EQ(print(merge(d, merge(c, merge(b, a)))), expected);
  EXPECT_EQ(print(merge(merge(c, a), merge(d, b))), expected);
  // Not because merging does nothing.
  EXPECT_NE(print(a), expected);
  EXPECT_EQ(merge(a, b).getNumSamples(), 3u);
}

TEST(Profile, RefusesOtherPrograms) {
  Profile a = makeProfile(0), b = makeProfile(1);
  ProfileEntry extra = b.getEntries().begin()->second;
  extra.key = "main:1234";
  extra.name = "extra";
  b.add(extra);
  std::string before = print(a);
  EXPECT_EQ(llvm::toString(a.merge(b, "'a.json'", "'b.json'")),
            "'b.json' and 'a.json' are not profiles of one program: only "
            "'b.json' has the value 'extra' (linalg.generic at model.mlir:2:3, "
            "key 'main:1234'); calibrate both with the same program");
  EXPECT_EQ(print(a), before);
  Profile other{ProfileSelection{true, false, {}}};
  EXPECT_NE(llvm::toString(a.merge(other, "a", "b")).find("selection"),
            std::string::npos);
}

TEST(Profile, SurvivesFiles) {
  Profile profile = merge(makeProfile(7, 3000), makeProfile(8, 10));
  std::string text = print(profile);
  llvm::Expected<Profile> read = Profile::parse(text, "p.json");
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(print(*read), text);
  EXPECT_TRUE(read->getEntries() == profile.getEntries());
  EXPECT_EQ(read->getNumSamples(), profile.getNumSamples());
}

TEST(Profile, KeepsLargeCounts) {
  Profile profile;
  ProfileEntry entry;
  entry.key = "main:1";
  entry.range.count = entry.range.zero =
      std::numeric_limits<uint64_t>::max() - 1;
  entry.observations = uint64_t(1) << 63;
  profile.add(entry);
  llvm::Expected<Profile> read = Profile::parse(print(profile), "p.json");
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(read->getEntries() == profile.getEntries());
}

/// The text of a profile with `from` replaced by `to`.
static std::string replaceIn(StringRef from, StringRef to) {
  std::string text = print(makeProfile(0, 12));
  size_t position = text.find(from.str());
  EXPECT_NE(position, std::string::npos) << from.str();
  return text.replace(position, from.size(), to.str());
}

TEST(Profile, RefusesBadFiles) {
  EXPECT_EQ(getError("{\n \"format\": }"),
            "p.json:2:12: expected a profile as JSON: Invalid JSON value");
  EXPECT_EQ(getError("[]"),
            "p.json: the profile: expected an object, found an array");
  EXPECT_EQ(getError("{}"),
            "p.json: format: expected \"amp-profile\", which amp-run "
            "--calibrate writes, found nothing");
  EXPECT_EQ(getError(replaceIn("\"version\": 1", "\"version\": 2")),
            "p.json: version: expected 1, the version that this amp reads "
            "(calibrate again to have it), found 2");
  EXPECT_EQ(getError(replaceIn("\"samples\": 1", "\"samples\": -1")),
            "p.json: samples: expected a count from 0 to 2^64 - 1, found -1");
  EXPECT_EQ(getError(replaceIn("\"samples\"", "\"sample\"")),
            "p.json: samples: expected a count from 0 to 2^64 - 1, found "
            "nothing");
  EXPECT_EQ(getError(replaceIn("\"values\": [", "\"more\": 1, \"values\": [")),
            "p.json: more: expected one of format, version, samples, "
            "selection, values here, found an unknown field");
  EXPECT_EQ(getError(replaceIn("\"nan\": 1", "\"nan\": \"x\"")),
            "p.json: values[0].nan: expected a count from 0 to 2^64 - 1, found "
            "\"x\"");
  EXPECT_EQ(getError(replaceIn("\"nan\": 1", "\"nan\": 2")).substr(0, 52),
            "p.json: values[0]: 'count' is 13, but 'nan', 'inf', ");
  EXPECT_EQ(getError(replaceIn("\"min_shape\": [1", "\"min_shape\": [-1")),
            "p.json: values[0].min_shape[0]: expected a size of at least 0, "
            "found -1");
  EXPECT_EQ(getError(replaceIn("\"min_shape\": [1", "\"min_shape\": [9")),
            "p.json: values[0]: 'min_shape' is not at most 'max_shape'");
  EXPECT_EQ(getError(replaceIn("{\"-1074\"", "{\"-1075\"")).substr(0, 52),
            "p.json: values[0]: 'log2' has the exponent -1075, ex");
  EXPECT_EQ(getError(replaceIn("{\"-1074\"", "{\"x\"")),
            "p.json: values[0].log2.x: expected an exponent of two as the "
            "name, found 'x'");
  EXPECT_EQ(getError(replaceIn("00ff", "0a00")),
            "p.json: values[1].key: a second entry for "
            "'main:0000000000000a00'");
  EXPECT_EQ(getError(std::string(100000, '[')),
            "p.json: the profile: line 1: expected at most 32 brackets inside "
            "each other");
  EXPECT_EQ(getError(replaceIn("\"min\": ", "\"min\": 1e308, \"mim\": "))
                .substr(0, 28),
            "p.json: values[0]: 'zero' co");
}

TEST(Profile, RefusesWhatIsCutOff) {
  std::string text = print(makeProfile(0, 12));
  for (size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_NE(getError(StringRef(text).take_front(size)), "") << size;
}

TEST(Profile, MissingFile) {
  llvm::Expected<Profile> profile = Profile::read("/no/such/file.json");
  EXPECT_EQ(llvm::toString(profile.takeError()),
            "cannot read the profile '/no/such/file.json': No such file or "
            "directory");
}
