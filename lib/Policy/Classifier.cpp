//===- Classifier.cpp - which ops stay out of 16 bits, by rules -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/Classifier.h"

#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/OpFunctions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Why `op` is slower in 16 bits on `device`; empty if nobody says so.
static StringRef getSlowness(Operation *op, StringRef device) {
  static const llvm::StringMap<std::pair<StringRef, StringRef>> table = [] {
    llvm::StringMap<std::pair<StringRef, StringRef>> facts;
#define AMP_SLOW(DEVICE, NAME, WHY) facts.try_emplace(NAME, #DEVICE, WHY);
#include "PerformanceRules.def"
    return facts;
  }();
  auto it = table.find(getFactName(op->getName().getStringRef()));
  return it != table.end() && it->second.first == device ? it->second.second
                                                         : StringRef();
}

/// Why `op` cannot run in 16 bits; empty if it can.
static StringRef getObstacle(Operation *op) {
  static const llvm::StringMap<StringRef> table = [] {
    llvm::StringMap<StringRef> facts;
#define AMP_UNSUPPORTED(NAME, WHY) facts.try_emplace(NAME, WHY);
#include "UnsupportedOps.def"
    return facts;
  }();
  auto it = table.find(getFactName(op->getName().getStringRef()));
  return it == table.end() ? StringRef() : it->second;
}

bool mlir::amp::isFixedOperand(Operation *op, unsigned index, Type lowType) {
  StringRef name = op->getName().getStringRef();
#define AMP_UNSUPPORTED_OPERAND(NAME, OPERAND, TYPE, WHY)                      \
  if (index == OPERAND && name == NAME && lowType.is##TYPE())                  \
    return true;
#include "UnsupportedOps.def"
  return false;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

std::string RuleMatcher::print() const {
  std::string out;
  llvm::raw_string_ostream os(out);
  auto number = [&](StringRef word) {
    os << word;
    if (limit)
      os << '(' << llvm::format("%g", *limit) << ')';
  };
  switch (kind) {
  case name:
    os << "name(\"" << pattern->getText() << "\")";
    break;
  case op:
    os << "op(\"" << text << "\")";
    break;
  case location:
    os << "location(\"" << text << "\")";
    break;
  case init_max:
    number("init_max");
    break;
  case data_max:
    number("data_max");
    break;
  case underflow:
    number("underflow");
    break;
  case depth:
    number("depth");
    break;
  case sensitive:
    os << "sensitive";
    if (sensitivity)
      os << '(' << stringifySensitivityKind(*sensitivity) << ')';
    break;
  case sentinel:
    os << "sensitive(mask_sentinel)";
    break;
  case performance:
    os << "performance";
    break;
  case custom:
    os << text;
    break;
  }
  return out;
}

std::string ClassifierRule::print() const {
  std::string out = include ? "include" : "exclude";
  for (const RuleMatcher &matcher : matchers)
    out += " " + matcher.print();
  llvm::raw_string_ostream os(out);
  if (!option.empty())
    os << " of option '" << option << "'";
  else if (loc)
    os << " at " << Location(loc);
  else
    os << " by default";
  return out;
}

static constexpr std::pair<WeightOverflow, StringLiteral> weightOverflows[] = {
    {WeightOverflow::keep_f32, "keep-f32"},
    {WeightOverflow::error, "error"},
    {WeightOverflow::saturate, "saturate"}};

std::optional<WeightOverflow>
mlir::amp::symbolizeWeightOverflow(StringRef name) {
  for (auto [mode, text] : weightOverflows)
    if (text == name)
      return mode;
  return std::nullopt;
}

StringRef mlir::amp::stringifyWeightOverflow(WeightOverflow mode) {
  for (auto [known, text] : weightOverflows)
    if (known == mode)
      return text;
  llvm_unreachable("all modes have names");
}

FailureOr<SmallVector<ClassifierRule>>
mlir::amp::makeRules(const ClassifierOptions &options, std::string &error) {
  SmallVector<ClassifierRule> rules;
  auto add = [&](RuleMatcher matcher, StringRef option = "",
                 bool include = false) {
    ClassifierRule &rule = rules.emplace_back();
    rule.include = include;
    rule.option = option.str();
    rule.matchers.push_back(std::move(matcher));
  };
  auto addNames = [&](ArrayRef<std::string> patterns, StringRef option,
                      bool include) -> LogicalResult {
    for (const std::string &text : patterns) {
      std::string why;
      FailureOr<NamePattern> pattern = NamePattern::get(text, why);
      if (failed(pattern)) {
        error = ("option '" + option + "' has '" + text +
                 "', but expected a POSIX extended regular expression: " + why)
                    .str();
        return failure();
      }
      RuleMatcher matcher(RuleMatcher::name);
      matcher.pattern = std::move(*pattern);
      add(std::move(matcher), option, include);
    }
    return success();
  };
  auto addOps = [&](ArrayRef<std::string> names, StringRef option,
                    bool include) -> LogicalResult {
    for (const std::string &text : names) {
      if (text.empty()) {
        error = ("option '" + option +
                 "' has an empty name, but expected names of ops, such as "
                 "'aten.mm'")
                    .str();
        return failure();
      }
      RuleMatcher matcher(RuleMatcher::op);
      matcher.text = text;
      add(std::move(matcher), option, include);
    }
    return success();
  };
  if (failed(addNames(options.nodesToInclude, "nodes-to-include", true)) ||
      failed(addOps(options.targetsToInclude, "targets-to-include", true)) ||
      failed(addNames(options.nodesToExclude, "nodes-to-exclude", false)) ||
      failed(addOps(options.targetsToExclude, "targets-to-exclude", false)))
    return failure();
  auto addLimit = [&](RuleMatcher::Kind kind, std::optional<double> limit,
                      StringRef option) {
    if (limit && std::isinf(*limit))
      return;
    RuleMatcher matcher(kind);
    matcher.limit = limit;
    add(std::move(matcher), limit ? option : "");
  };
  bool isOurs = options.peer == Peer::none;
  if (isOurs && options.sensitivity)
    add(RuleMatcher(RuleMatcher::sentinel));
  // Torch-TensorRT does not look at weights.
  if (options.peer != Peer::torch_trt || options.initMax)
    addLimit(RuleMatcher::init_max,
             options.peer == Peer::modelopt ? options.initMax.value_or(65504.0)
                                            : options.initMax,
             options.initMax ? "init-max" : "");
  addLimit(RuleMatcher::data_max,
           isOurs ? options.dataMax : options.dataMax.value_or(512.0),
           options.dataMax ? "data-max" : "");
  if (isOurs && options.maxUnderflow < 1)
    addLimit(RuleMatcher::underflow, options.maxUnderflow, "max-underflow");
  if (options.maxDepth)
    addLimit(RuleMatcher::depth, double(*options.maxDepth),
             "max-depth-of-reduction");
  if (isOurs && options.sensitivity)
    add(RuleMatcher(RuleMatcher::sensitive));
  if (isOurs && options.performance)
    add(RuleMatcher(RuleMatcher::performance));
  return rules;
}

Classifier::Classifier(SmallVector<ClassifierRule> rules,
                       const ClassifierOptions &options, StringRef device,
                       RangeLookup getRange)
    : rules(std::move(rules)), options(options), device(device),
      getRange(std::move(getRange)) {}

void Classifier::addRule(bool include, StringRef name,
                         std::function<bool(Operation *)> predicate) {
  RuleMatcher matcher(RuleMatcher::custom);
  matcher.text = name.str();
  matcher.predicate = std::move(predicate);
  ClassifierRule &rule = rules.emplace_back();
  rule.include = include;
  rule.matchers.push_back(std::move(matcher));
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

void Classifier::noteNames(Operation *op) const {
  opNames.insert(normalizeOpName(op->getName().getStringRef()));
  if (StringRef name = getInstanceName(op); !name.empty())
    instanceNames.insert(name);
}

std::optional<Classifier::Match> Classifier::match(const RuleMatcher &matcher,
                                                   Operation *op,
                                                   const FormatLimits &limits,
                                                   Verdict &verdict) const {
  switch (matcher.kind) {
  case RuleMatcher::name:
    return Match{Reason::name_rule,
                 "the op is named '" + getInstanceName(op).str() + "'"};
  case RuleMatcher::op:
    return Match{Reason::op_rule, ""};
  case RuleMatcher::location:
    return Match{Reason::name_rule, "the op is at '" + matcher.text + "'"};
  case RuleMatcher::init_max:
    return matchInitMax(matcher, op, limits, verdict);
  case RuleMatcher::data_max:
    return matchDataMax(matcher, op, limits);
  case RuleMatcher::underflow:
    return matchUnderflow(matcher, op, limits);
  case RuleMatcher::depth:
    return matchDepth(matcher, op, verdict);
  case RuleMatcher::sentinel:
    return matchSentinel(op, limits);
  case RuleMatcher::sensitive: {
    if (!sensitive) {
      Operation *root = op;
      while (Operation *parent = root->getParentOp())
        root = parent;
      sensitive = findSensitiveOps(root);
    }
    auto it = sensitive->find(op);
    if (it == sensitive->end() ||
        (matcher.sensitivity && *matcher.sensitivity != it->second.kind))
      return std::nullopt;
    Reason reason = Reason::variance;
    if (it->second.kind == SensitivityKind::epsilon_division)
      reason = Reason::epsilon_division;
    else if (it->second.kind == SensitivityKind::exp_reduction)
      reason = Reason::exp_reduction;
    std::string detail;
    if (it->second.witness != op) {
      llvm::raw_string_ostream os(detail);
      os << "with '" << it->second.witness->getName() << "' at "
         << it->second.witness->getLoc();
    }
    return Match{reason, detail};
  }
  case RuleMatcher::performance:
    if (StringRef why = getSlowness(op, device); !why.empty())
      return Match{Reason::performance, why.str()};
    return std::nullopt;
  case RuleMatcher::custom:
    if (matcher.predicate(op))
      return Match{Reason::custom_rule, matcher.text};
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled");
}

/// Matchers by name are all asked, for the record of those that match nothing.
std::optional<Classifier::Match>
Classifier::matchRule(const ClassifierRule &rule, Operation *op,
                      const FormatLimits &limits, Verdict &verdict) const {
  bool named = true;
  for (const RuleMatcher &matcher : rule.matchers) {
    bool matches = true;
    if (matcher.kind == RuleMatcher::name) {
      StringRef name = getInstanceName(op);
      matches = !name.empty() && matcher.pattern->matches(name);
    } else if (matcher.kind == RuleMatcher::op) {
      matches = normalizeOpName(op->getName().getStringRef()) ==
                normalizeOpName(matcher.text);
    } else if (matcher.kind == RuleMatcher::location) {
      matches = isAtPlace(op, matcher.text);
    } else {
      continue;
    }
    if (matches)
      matched.insert(&matcher);
    named &= matches;
  }
  if (!named)
    return std::nullopt;
  // The last matcher says most: a name only narrows what follows it.
  std::optional<Match> last;
  for (const RuleMatcher &matcher : rule.matchers) {
    std::optional<Match> found = match(matcher, op, limits, verdict);
    if (!found)
      return std::nullopt;
    last = std::move(found);
  }
  return last;
}

std::string Classifier::getReasonOfBody(Operation *op, Type lowType) const {
  Operation *parent = op->getParentOp();
  if (options.peer == Peer::none || !parent ||
      isa<AutocastOp, FunctionOpInterface, ModuleOp>(parent))
    return {};
  if (options.peer == Peer::torch_trt)
    return "Torch-TensorRT does not look into control flow";
  // All that it reads is of the body itself, and constant.
  auto isOwnConstant = [&](Value operand) {
    return !isa<ShapedType>(operand.getType()) ||
           !getFloatElementType(operand.getType()) ||
           (getConstant(operand) &&
            parent->isProperAncestor(operand.getDefiningOp()));
  };
  if (!llvm::all_of(op->getOperands(), isOwnConstant))
    return "ModelOpt keeps in f32 what is in a body of control flow, unless "
           "all that it takes are constants of that body";
  if (classify(parent, lowType).high)
    return "ModelOpt keeps in f32 what is in a body of control flow that is "
           "kept in f32";
  return {};
}

Verdict Classifier::classify(Operation *op, Type lowType) const {
  noteNames(op);
  FormatLimits limits(lowType);
  Verdict verdict;
  verdict.detail = getReasonOfBody(op, lowType);
  if (!verdict.detail.empty()) {
    verdict.high = true;
    verdict.reason = Reason::control_flow;
    return verdict;
  }
  const ClassifierRule *excluding = nullptr, *including = nullptr;
  std::optional<Match> exclusion, inclusion;
  for (const ClassifierRule &rule : rules) {
    std::optional<Match> &slot = rule.include ? inclusion : exclusion;
    const ClassifierRule *&first = rule.include ? including : excluding;
    Verdict scratch;
    // Asked even after the first, for the record; but numbers cost time.
    bool asksNames = llvm::any_of(rule.matchers, [](const RuleMatcher &m) {
      return m.kind == RuleMatcher::name || m.kind == RuleMatcher::op ||
             m.kind == RuleMatcher::location;
    });
    if (slot && !asksNames)
      continue;
    std::optional<Match> found =
        matchRule(rule, op, limits, slot ? scratch : verdict);
    if (!slot && found) {
      slot = std::move(found);
      first = &rule;
    }
  }
  auto describe = [](const Match &match) {
    return (stringifyReason(match.reason) +
            (match.detail.empty() ? "" : ": " + match.detail))
        .str();
  };
  // Hard limits go first.
  if (StringRef obstacle = getObstacle(op); !obstacle.empty()) {
    verdict.high = true;
    verdict.reason = Reason::unsupported;
    verdict.detail = obstacle.str();
    if (inclusion) {
      verdict.rule = including;
      verdict.overruled = "the inclusion by " + describe(*inclusion) +
                          ", because the op cannot run in 16 bits";
    }
    return verdict;
  }
  if (inclusion) {
    verdict.reason = Reason::included;
    verdict.detail = inclusion->detail;
    verdict.rule = including;
    if (exclusion)
      verdict.overruled = "the exclusion by " + describe(*exclusion);
  } else if (exclusion) {
    verdict.high = true;
    verdict.reason = exclusion->reason;
    verdict.detail = exclusion->detail;
    verdict.rule = excluding;
    return verdict;
  }
  findConstants(op, limits, verdict);
  return verdict;
}

void Classifier::reportUnmatched(
    function_ref<void(const ClassifierRule &, const RuleMatcher &, StringRef)>
        report) const {
  for (const ClassifierRule &rule : rules)
    for (const RuleMatcher &matcher : rule.matchers) {
      if (matched.contains(&matcher))
        continue;
      if (matcher.kind == RuleMatcher::name)
        report(rule, matcher,
               findNearestName(matcher.pattern->getText(),
                               instanceNames.getArrayRef()));
      else if (matcher.kind == RuleMatcher::op)
        report(rule, matcher,
               findNearestName(normalizeOpName(matcher.text),
                               opNames.getArrayRef()));
      else if (matcher.kind == RuleMatcher::location)
        report(rule, matcher, /*nearest=*/"");
    }
}
