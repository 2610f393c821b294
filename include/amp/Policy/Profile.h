//===- Profile.h - ranges of values, as measured ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What calibration writes and amp-decide-precision reads: for each tensor of
// floats in a program, which numbers it held over all samples. docs/profiles.md
// describes the file.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_PROFILE_H
#define AMP_POLICY_PROFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mlir::amp {

/// What is known of the numbers of one value. Every field is exact, and a merge
/// of two is: there is no sum of floats.
struct RangeStatistics {
  /// Numbers seen, of all kinds.
  uint64_t count = 0;
  uint64_t nan = 0;
  /// Infinities of both signs.
  uint64_t inf = 0;
  /// Zeros of both signs.
  uint64_t zero = 0;
  /// Of the finite numbers that are not zero, those below 2^-126: subnormal in
  /// f32 and bf16. numBelow answers for other types.
  uint64_t subnormal = 0;
  /// The least and the greatest finite number; meaningless unless hasFinite().
  /// Zero has no sign here.
  double min = 0, max = 0;
  /// The least finite magnitude that is not zero; meaningless unless
  /// hasNonzero().
  double absmin = 0;
  /// For each e the number of finite numbers x with 2^e <= |x| < 2^(e+1), where
  /// there are any. e is at least -1074 and at most 1023.
  std::map<int, uint64_t> log2;

  /// Numbers that are neither NaN nor infinite.
  uint64_t numFinite() const { return count - nan - inf; }
  bool hasFinite() const { return numFinite() != 0; }
  /// Finite numbers that are not zero.
  uint64_t numNonzero() const { return count - nan - inf - zero; }
  bool hasNonzero() const { return numNonzero() != 0; }
  /// The greatest finite magnitude; 0 where nothing finite was seen.
  double absmax() const;
  /// The finite numbers other than zero with |x| < 2^exponent. Exact: below
  /// -126 for the subnormal ones of f32 and bf16, below -14 for those of f16,
  /// below -25 for those that f16 rounds to zero.
  uint64_t numBelow(int exponent) const;
  /// The finite numbers with |x| >= 2^exponent. Exact.
  uint64_t numFrom(int exponent) const;

  /// Counts one number.
  void add(double value);
  /// Counts all that `other` has counted. Associative and commutative. Fails,
  /// and changes nothing, where a count passes 64 bits.
  llvm::Error merge(const RangeStatistics &other);
  /// Whether the fields agree with each other; the error says which do not.
  llvm::Error check() const;

  bool operator==(const RangeStatistics &other) const;
};

/// One profiled value of a program.
struct ProfileEntry {
  /// Which value it is; see ValueKeys.h.
  std::string key;
  /// What the value is called: the attribute `amp.name`, the name in the
  /// location, or the name of the op. For people, not for looking up.
  std::string name;
  /// "file:line:column", or MLIR's text where there is no file.
  std::string location;
  /// The op that gives it, "linalg.matmul", or "argument".
  std::string op;
  /// As the program has it, "tensor<?x8xf32>", and its elements, "f32".
  std::string type;
  std::string element;
  /// How often the value was seen, and the least and greatest size of each
  /// dimension then; both are empty where it never was.
  uint64_t observations = 0;
  SmallVector<int64_t, 4> minShape, maxShape;
  RangeStatistics range;

  bool operator==(const ProfileEntry &other) const;
};

/// Which values of a program are profiled, besides that they are tensors of
/// floats. A profile knows it, so that a value without an entry can be told
/// from one that was not asked for.
struct ProfileSelection {
  /// Arguments of functions, and of loops.
  bool arguments = true;
  /// Results of ops.
  bool results = true;
  /// If not empty, only the results of ops with these names, sorted.
  std::vector<std::string> ops;

  bool operator==(const ProfileSelection &other) const {
    return arguments == other.arguments && results == other.results &&
           ops == other.ops;
  }
};

/// The ranges of all profiled values of a program over a number of samples.
class Profile {
public:
  Profile() = default;
  explicit Profile(ProfileSelection selection)
      : selection(std::move(selection)) {}

  /// Parses the text of a profile. `origin` names the file in messages, which
  /// give the line and column, or the path in the JSON, what was expected and
  /// what was found.
  static llvm::Expected<Profile> parse(StringRef text, const Twine &origin);

  /// Reads one file ("-" is standard input); see parse.
  static llvm::Expected<Profile> read(StringRef path);

  /// The text: the same profile gives the same bytes, on every machine.
  void print(llvm::raw_ostream &os) const;

  /// Writes one file ("-" is standard output), which appears whole or not at
  /// all.
  llvm::Error write(StringRef path) const;

  /// Adds an entry; false if there is one of that key.
  bool add(ProfileEntry entry);

  /// Adds all of `other`, a profile of the same program over other samples.
  /// Associative and commutative, to the byte; where names or locations differ,
  /// because a line was inserted somewhere, the smaller text stays. Fails, with
  /// this profile unchanged, where the two are not of the same values; `origin`
  /// and `otherOrigin` are what the message calls them.
  llvm::Error merge(const Profile &other, const Twine &origin,
                    const Twine &otherOrigin);

  /// The entry of this key, or null.
  const ProfileEntry *find(StringRef key) const;
  ProfileEntry *find(StringRef key);

  /// All entries, sorted by key.
  const std::map<std::string, ProfileEntry, std::less<>> &getEntries() const {
    return entries;
  }

  const ProfileSelection &getSelection() const { return selection; }

  /// How many samples ran.
  uint64_t getNumSamples() const { return numSamples; }
  void setNumSamples(uint64_t value) { numSamples = value; }

private:
  ProfileSelection selection;
  uint64_t numSamples = 0;
  std::map<std::string, ProfileEntry, std::less<>> entries;
};

} // namespace mlir::amp

#endif // AMP_POLICY_PROFILE_H
