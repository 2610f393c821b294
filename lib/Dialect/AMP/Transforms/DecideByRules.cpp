//===- DecideByRules.cpp - the classifier in amp-decide-precision ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecideByRules.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"
#include "amp/Policy/KnownOps.h"
#include "amp/Policy/OpFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

RangeLookup mlir::amp::makeRangeLookup(const ProfileMap *profile) {
  if (!profile)
    return {};
  return [profile](Value value) -> std::optional<ObservedRange> {
    const ProfileEntry *entry = profile->lookupEntry(value);
    if (!entry || entry->observations == 0)
      return std::nullopt;
    const RangeStatistics &statistics = entry->range;
    ObservedRange range;
    range.count = statistics.count;
    range.nan = statistics.nan;
    range.inf = statistics.inf;
    range.nonzero = statistics.numNonzero();
    if (statistics.hasFinite()) {
      range.min = statistics.min;
      range.max = statistics.max;
    }
    range.numBelow = [&statistics](int exponent) {
      return statistics.numBelow(exponent);
    };
    llvm::append_range(range.shape, entry->maxShape);
    return range;
  };
}

SmallVector<ClassifierRule> mlir::amp::makeRules(const PolicySet &policies) {
  SmallVector<ClassifierRule> rules;
  for (const PolicySet *set = &policies; set; set = set->getBase()) {
    if (!set->getOp())
      continue;
    for (auto op : set->getOp().getBody().getOps<RuleOp>()) {
      ClassifierRule &rule = rules.emplace_back();
      rule.include = op.getAction() == RuleAction::include;
      rule.loc = op.getLoc();
      rule.set = set->getName().str();
      auto add = [&](RuleMatcher::Kind kind) -> RuleMatcher & {
        return rule.matchers.emplace_back(kind);
      };
      auto addLimit = [&](RuleMatcher::Kind kind, Attribute limit) {
        if (!limit)
          return;
        RuleMatcher &matcher = add(kind);
        if (auto number = dyn_cast<FloatAttr>(limit))
          matcher.limit = number.getValueAsDouble();
      };
      if (std::optional<StringRef> text = op.getNameRegex()) {
        std::string error;
        // The verifier has compiled it before.
        add(RuleMatcher::name).pattern = *NamePattern::get(*text, error);
      }
      if (std::optional<StringRef> text = op.getOpName())
        add(RuleMatcher::op).text = text->str();
      if (std::optional<StringRef> text = op.getLocation())
        add(RuleMatcher::location).text = text->str();
      addLimit(RuleMatcher::init_max, op.getInitMaxAttr());
      addLimit(RuleMatcher::data_max, op.getDataMaxAttr());
      addLimit(RuleMatcher::underflow, op.getUnderflowAttr());
      if (std::optional<uint64_t> depth = op.getDepth())
        add(RuleMatcher::depth).limit = double(*depth);
      if (Attribute kind = op.getSensitiveAttr()) {
        auto text = dyn_cast<StringAttr>(kind);
        if (text && text.getValue() == "mask_sentinel")
          add(RuleMatcher::sentinel);
        else
          add(RuleMatcher::sensitive).sensitivity =
              text ? symbolizeSensitivityKind(text.getValue()) : std::nullopt;
      }
      if (op.getPerformance())
        add(RuleMatcher::performance);
    }
  }
  return rules;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr mlir::amp::mapNumbers(Attribute constant, FloatType elementType,
                                function_ref<APFloat(const APFloat &)> map) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return FloatAttr::get(elementType, map(number.getValue()));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat;
    if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                      blob->getData(), isSplat))
      return {};
    constant = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                   blob->getData());
  }
  auto elements = dyn_cast<DenseFPElementsAttr>(constant);
  if (!elements)
    return {};
  return cast<TypedAttr>(
      Attribute(elements.mapValues(elementType, [&](const APFloat &value) {
        return map(value).bitcastToAPInt();
      })));
}

static APFloat makeNumber(double value, const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool lost;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
  return number;
}

/// Gives operand number `index` of `op`, which is a constant, other numbers.
/// False if it comes through ops that move its elements.
static bool replaceConstant(Operation *op, unsigned index,
                            function_ref<APFloat(const APFloat &)> map) {
  Value operand = op->getOperand(index);
  Attribute constant = getConstant(operand);
  auto elementType = dyn_cast<FloatType>(getElementTypeOrSelf(operand));
  TypedAttr mapped = constant && elementType
                         ? mapNumbers(constant, elementType, map)
                         : TypedAttr();
  if (!mapped || mapped.getType() != operand.getType())
    return false;
  OpBuilder builder(op);
  op->setOperand(index,
                 arith::ConstantOp::create(builder, operand.getLoc(), mapped));
  return true;
}

/// Saturates operand number `index` of `op`.
static LogicalResult saturate(Operation *op, const ConstantFinding &finding,
                              Type lowType) {
  unsigned index = finding.operand;
  Value operand = op->getOperand(index);
  // The saturating cast of a mask would make its infinities finite.
  if (finding.isMask && finding.range.getInf() != 0) {
    FormatLimits limits(lowType);
    if (replaceConstant(op, index, [&](const APFloat &value) {
          double number = value.convertToDouble();
          return std::isfinite(number) && std::fabs(number) >= limits.overflow
                     ? makeNumber(std::copysign(limits.largest, number),
                                  value.getSemantics())
                     : value;
        }))
      return success();
    return emitError(op, DiagnosticId::R007)
           << "operand " << index
           << " is a mask of infinities and of numbers beyond the range of "
           << lowType
           << ", rearranged before it is used, which cannot be saturated: fold "
              "what rearranges it, or leave out weight-overflow=saturate";
  }
  OpBuilder builder(op);
  Type type = operand.getType();
  auto narrow = amp::CastOp::create(builder, operand.getLoc(),
                                    withElementType(type, lowType), operand,
                                    CastOrigin::policy);
  narrow.setOverflow(OverflowMode::saturate);
  op->setOperand(index, amp::CastOp::create(builder, operand.getLoc(), type,
                                            narrow, CastOrigin::policy));
  return success();
}

/// The numbers that ModelOpt makes of those that f16 does not hold.
static APFloat clampAsModelOpt(const APFloat &value) {
  double number = value.convertToDouble();
  double smallest = std::ldexp(1.0, -24);
  if (std::fabs(number) > 65504.0)
    return makeNumber(std::copysign(65504.0, number), value.getSemantics());
  if (number != 0 && std::fabs(number) < smallest)
    return makeNumber(smallest, value.getSemantics());
  return value;
}

FailureOr<bool>
mlir::amp::convertConstants(ArrayRef<const DecidedOp *> decisions,
                            const ClassifierOptions &options) {
  bool changed = false;
  bool isClamped = false;
  LogicalResult result = success();
  for (const DecidedOp *decided : decisions) {
    Operation *op = decided->op;
    const PrecisionDecision &decision = decided->decision;
    if (!decision.verdict || decision.policy != Policy::lower_precision_fp)
      continue;
    for (const ConstantFinding &finding : decision.verdict->constants) {
      Type lowType = decision.to[finding.operand];
      if (!lowType || lowType.getIntOrFloatBitWidth() > 16)
        continue;
      if (options.peer == Peer::modelopt) {
        if (!lowType.isF16() || !op->getOperand(finding.operand))
          continue;
        bool replaced = replaceConstant(op, finding.operand, clampAsModelOpt);
        isClamped |= replaced && (finding.range.overflow != 0 ||
                                  finding.range.getInf() != 0);
        changed |= replaced;
        continue;
      }
      uint64_t lost = finding.range.overflow +
                      (finding.isMask ? 0 : finding.range.getInf());
      if (options.peer != Peer::none || lost == 0)
        continue;
      if (options.weightOverflow == WeightOverflow::error)
        result = emitError(op, DiagnosticId::R007)
                 << "operand " << finding.operand << " is a constant of which "
                 << lost << " of " << finding.range.count
                 << " numbers are infinite in " << lowType
                 << ": keep the op in f32 by nodes-to-exclude or "
                    "targets-to-exclude, or set weight-overflow to keep-f32 or "
                    "saturate";
      else if (options.weightOverflow == WeightOverflow::saturate) {
        if (failed(saturate(op, finding, lowType)))
          result = failure();
        changed = true;
      }
    }
  }
  if (isClamped)
    emitWarning(decisions.front()->op, DiagnosticId::R010)
        << "compat=modelopt: numbers of constants beyond the range of f16, "
           "here and perhaps elsewhere, became +-65504";
  if (failed(result))
    return failure();
  return changed;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static remark::RemarkOpts nameRemark(StringRef name) {
  return remark::RemarkOpts::name(name).category("amp").subCategory(
      "classifier");
}

void mlir::amp::reportVerdict(Operation *op, const Verdict &verdict) {
  if (verdict.reason == Reason::not_finite)
    emitWarning(op, DiagnosticId::R008)
        << "'" << op->getName() << "' stays in f32: " << verdict.detail;
  if (!verdict.overruled.empty())
    remark::analysis(op->getLoc(), nameRemark("Overruled"))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::reason("{0}", verdict.overruled);
  for (const std::string &text : verdict.notJudged)
    remark::analysis(op->getLoc(), nameRemark("NotJudged"))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::reason("{0}", text);
  if (verdict.high)
    return;
  for (const ConstantFinding &finding : verdict.constants)
    remark::analysis(op->getLoc(), nameRemark("Constant"))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::metric("Operand", finding.operand)
        << remark::metric("Numbers", finding.range.count)
        << remark::metric("Infinite", finding.range.getInf())
        << remark::metric("BecomeInfinite", finding.range.overflow)
        << remark::metric("BecomeZero", finding.range.underflow)
        << remark::metric("BecomeSubnormal", finding.range.subnormal);
}

void mlir::amp::reportUnmatchedRules(const Classifier &classifier,
                                     ModuleOp module) {
  std::optional<llvm::StringSet<>> present;
  auto isPresent = [&](StringRef name) {
    if (!present) {
      present.emplace();
      module.walk([&](Operation *op) {
        present->insert(normalizeOpName(op->getName().getStringRef()));
      });
    }
    return present->contains(name);
  };
  KnownOps known(module.getContext());
  classifier.reportUnmatched([&](const ClassifierRule &rule,
                                 const RuleMatcher &matcher,
                                 StringRef nearest) {
    Location at = rule.loc ? Location(rule.loc) : module.getLoc();
    StringRef name = matcher.kind == RuleMatcher::name
                         ? matcher.pattern->getText()
                         : StringRef(matcher.text);
    if (matcher.kind == RuleMatcher::op) {
      name = normalizeOpName(name);
      // No mistake: rules are written for many modules, and ops without floats
      // are not judged.
      if (isPresent(name) || known.contains(name)) {
        remark::analysis(at, nameRemark("UnusedRule"))
            << remark::metric("Rule", rule.print())
            << remark::metric("Op", name)
            << remark::reason("the rules judge no such op here");
        return;
      }
    }
    InFlightDiagnostic diag = emitWarning(at, DiagnosticId::R005);
    if (rule.option.empty())
      diag << "this rule";
    else
      diag << "option '" << rule.option << "'";
    diag << " matches nothing: no op that the rules judge "
         << (matcher.kind == RuleMatcher::name       ? "has a name like "
             : matcher.kind == RuleMatcher::location ? "is at "
                                                     : "is called ")
         << "'" << name << "'";
    if (!nearest.empty())
      diag << ", but one '" << nearest << "'";
    else if (matcher.kind == RuleMatcher::op)
      if (StringRef other = known.findNearest(name); !other.empty())
        diag << "; did you mean '" << other << "'?";
  });
}
