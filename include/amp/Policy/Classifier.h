//===- Classifier.h - which ops stay out of 16 bits, by rules ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule-based classifier: what rules match on an op, and what follows. Pure
// C++ on IR that it does not change; docs/classifier.md says what it means.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_CLASSIFIER_H
#define AMP_POLICY_CLASSIFIER_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Policy/ConstantRange.h"
#include "amp/Policy/OpNames.h"
#include "amp/Policy/Peers.h"
#include "amp/Policy/Sensitivity.h"

#include "mlir/Support/LLVM.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace mlir::amp {

//===----------------------------------------------------------------------===//
// What was seen of values
//===----------------------------------------------------------------------===//

/// What was seen of one value when the program ran.
struct ObservedRange {
  uint64_t count = 0, nan = 0, inf = 0;
  /// Finite numbers other than zero.
  uint64_t nonzero = 0;
  /// Of the finite numbers; 0 where there were none.
  double min = 0, max = 0;
  /// The finite numbers other than zero with a magnitude below 2^exponent.
  std::function<uint64_t(int exponent)> numBelow;
  /// The greatest size of each dimension; empty where the value was never seen.
  SmallVector<int64_t> shape;

  double getAbsMax() const { return std::max(-min, max); }
};

/// Looks up what was seen of a value; nothing where nobody looked.
using RangeLookup = std::function<std::optional<ObservedRange>(Value)>;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// What a rule asks of an op.
struct RuleMatcher {
  enum Kind {
    /// The name of the op matches a pattern.
    name,
    /// The op has a name of ops.
    op,
    /// The op stands at a place in a file.
    location,
    /// A constant operand holds a finite number beyond the limit, or NaN.
    init_max,
    /// A float that the op takes or gives was seen beyond the limit, or as NaN
    /// or an infinity.
    data_max,
    /// More than the limit's share of the numbers that a value was seen as,
    /// zeros left out, are below the normal numbers of the lower type.
    underflow,
    /// The op reduces more elements than the limit.
    depth,
    /// The op is sensitive, whatever its values.
    sensitive,
    /// A constant operand masks, with a number beyond the lower type's range.
    sentinel,
    /// The op is known to be slower in 16 bits.
    performance,
    /// A function of the program that uses amp says so.
    custom
  };
  explicit RuleMatcher(Kind kind) : kind(kind) {}

  Kind kind;
  /// Of `name`.
  std::optional<NamePattern> pattern;
  /// Of `op` the name; of `location` the place; of `custom` what the rule is
  /// called.
  std::string text;
  /// Of `data_max` and `init_max` a magnitude, or, where there is none, that of
  /// the lower type; of `underflow` a share, of `depth` a number of elements.
  std::optional<double> limit;
  /// Of `sensitive`: nothing for all kinds.
  std::optional<SensitivityKind> sensitivity;
  std::function<bool(Operation *)> predicate;

  /// As amp.rule writes it.
  std::string print() const;
};

/// Keeps the ops that all of its matchers match out of the lower type, or lets
/// them in. Rules that include go before those that exclude.
struct ClassifierRule {
  bool include = false;
  SmallVector<RuleMatcher, 1> matchers;
  /// Where it is written; null for an option or a default.
  LocationAttr loc;
  /// The name of the option; empty for an amp.rule, and a default.
  std::string option;
  /// The name of the policy set that holds an amp.rule; empty for others.
  std::string set;

  /// As amp.rule writes it, with the option, or the place, it comes from.
  std::string print() const;
};

/// What becomes of constants with finite numbers beyond the lower type's range,
/// or infinities, that an op takes.
enum class WeightOverflow {
  /// The op stays in f32 for finite ones; infinities stay infinities.
  keep_f32,
  /// An error.
  error,
  /// A saturating cast: the largest finite number of the sign. Infinities of
  /// masks stay.
  saturate
};

/// What the option `weight-overflow` calls "keep-f32", "error" or "saturate".
std::optional<WeightOverflow> symbolizeWeightOverflow(StringRef name);
StringRef stringifyWeightOverflow(WeightOverflow mode);

/// What the options say.
struct ClassifierOptions {
  std::vector<std::string> nodesToExclude, nodesToInclude;
  std::vector<std::string> targetsToExclude, targetsToInclude;
  /// Nothing: the magnitude at which numbers of the lower type are `spacing`
  /// apart (or that of the peer). Infinity: no such rule.
  std::optional<double> dataMax;
  double spacing = 0.5;
  /// Nothing: the largest finite number of the lower type (or that of the
  /// peer). Infinity: no such rule.
  std::optional<double> initMax;
  std::optional<int64_t> maxDepth;
  /// A share of 0 to 1; at 1 there is no such rule.
  double maxUnderflow = 0.5;
  bool sensitivity = true;
  bool performance = true;
  WeightOverflow weightOverflow = WeightOverflow::keep_f32;
  Peer peer = Peer::none;
};

/// The rules that the options stand for, those that are on by default included,
/// in the order in which they are asked. Fails with a message that names the
/// option and the pattern.
FailureOr<SmallVector<ClassifierRule>>
makeRules(const ClassifierOptions &options, std::string &error);

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

/// A constant operand of which some numbers do not survive the cast.
struct ConstantFinding {
  unsigned operand;
  ConstantRange range;
  /// Whether it masks: an addend, or one side of a choice or a maximum.
  bool isMask;
};

/// What the rules say of one op.
struct Verdict {
  /// Whether the op stays in f32.
  bool high = false;
  Reason reason = Reason::default_low;
  /// What the reason is, in numbers; empty for a default.
  std::string detail;
  /// The rule that decided, if one did.
  const ClassifierRule *rule = nullptr;
  /// What was not followed: the rule that an inclusion beat, or why an
  /// inclusion could not be. Empty if all agree.
  std::string overruled;
  /// What could not be judged, and why.
  SmallVector<std::string> notJudged;
  /// For an op that runs in the lower type: its constants that lose numbers.
  SmallVector<ConstantFinding> constants;
};

/// Whether operand number `index` of `op` keeps its type where the op runs in
/// `lowType`, because the op takes no other there.
bool isFixedOperand(Operation *op, unsigned index, Type lowType);

/// The rules, applied to the ops of one module. Ops are judged each on its own.
class Classifier {
public:
  /// `rules` are asked in order. `device` ("cuda") is where the ops run; it
  /// counts for what is slow there. `getRange` may be null.
  Classifier(SmallVector<ClassifierRule> rules,
             const ClassifierOptions &options, StringRef device,
             RangeLookup getRange = {});

  /// Adds a rule of the program's own: it matches where `predicate` holds.
  void addRule(bool include, StringRef name,
               std::function<bool(Operation *)> predicate);

  /// What the rules say of `op` where the lower type is `lowType` (f16, bf16 or
  /// an 8-bit float). An op that no rule matches runs in it, for the reason
  /// default_low; where rules only add to policies, that says nothing.
  Verdict classify(Operation *op, Type lowType) const;

  /// Calls `report` for each matcher by name or op name that none of the ops
  /// matched that were judged so far, and what they are called that comes
  /// nearest (empty if nothing is near).
  void
  reportUnmatched(function_ref<void(const ClassifierRule &, const RuleMatcher &,
                                    StringRef nearest)>
                      report) const;

  const ClassifierOptions &getOptions() const { return options; }

private:
  struct Match {
    Reason reason;
    std::string detail;
  };
  std::optional<Match> matchRule(const ClassifierRule &rule, Operation *op,
                                 const FormatLimits &limits,
                                 Verdict &verdict) const;
  std::optional<Match> match(const RuleMatcher &matcher, Operation *op,
                             const FormatLimits &limits,
                             Verdict &verdict) const;
  /// Why a peer leaves `op`, which is in a body of control flow, in f32; empty
  /// if it does not, or `op` is in none.
  std::string getReasonOfBody(Operation *op, Type lowType) const;
  std::optional<Match> matchInitMax(const RuleMatcher &matcher, Operation *op,
                                    const FormatLimits &limits,
                                    Verdict &verdict) const;
  std::optional<Match> matchDataMax(const RuleMatcher &matcher, Operation *op,
                                    const FormatLimits &limits) const;
  std::optional<Match> matchUnderflow(const RuleMatcher &matcher, Operation *op,
                                      const FormatLimits &limits) const;
  std::optional<Match> matchDepth(const RuleMatcher &matcher, Operation *op,
                                  Verdict &verdict) const;
  std::optional<Match> matchSentinel(Operation *op,
                                     const FormatLimits &limits) const;
  void findConstants(Operation *op, const FormatLimits &limits,
                     Verdict &verdict) const;
  const ConstantRange *getConstantRangeOf(Value value,
                                          const FormatLimits &limits,
                                          bool &isConstant) const;
  void noteNames(Operation *op) const;

  SmallVector<ClassifierRule> rules;
  ClassifierOptions options;
  std::string device;
  RangeLookup getRange;
  /// Of the module, made when first asked for.
  mutable std::optional<llvm::MapVector<Operation *, Sensitivity>> sensitive;
  mutable DenseMap<std::pair<Attribute, Type>, std::optional<ConstantRange>>
      constants;
  /// The matchers that have matched, and the names that were there to match.
  mutable DenseSet<const RuleMatcher *> matched;
  mutable llvm::SetVector<StringRef> opNames, instanceNames;
};

} // namespace mlir::amp

#endif // AMP_POLICY_CLASSIFIER_H
