//===- ClassifierMatchers.cpp - what numeric rules match ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/Classifier.h"
#include "amp/Policy/OpFunctions.h"
#include "amp/Policy/ReductionDepth.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

/// Like printf's %g, which says 65504 and 1e-09.
static std::string printNumber(double value) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::format("%.6g", value);
  return out;
}

/// Whether `op` reads the numbers of operand number `index`.
static bool readsOperand(Operation *op, unsigned index) {
  if (auto interface = dyn_cast<PrecisionOpInterface>(op)) {
    OperandRole role = interface.getOperandRole(index);
    return role == OperandRole::Input || role == OperandRole::Accumulator;
  }
  return !!getFloatElementType(op->getOperand(index).getType());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Counts the constant that `value` is. Null if it is none, or (`isConstant` is
/// then set) its numbers are not at hand.
const ConstantRange *Classifier::getConstantRangeOf(Value value,
                                                    const FormatLimits &limits,
                                                    bool &isConstant) const {
  Attribute constant = getConstant(value);
  isConstant = !!constant;
  if (!constant)
    return nullptr;
  auto [it, inserted] = constants.try_emplace({constant, limits.type});
  if (inserted)
    it->second = getConstantRange(constant, limits);
  return it->second ? &*it->second : nullptr;
}

/// Whether operand number `index` of `op` masks what other operands are: it is
/// added, or chosen instead.
static bool isMask(Operation *op, unsigned index) {
  auto masks = [](OpFunction function) {
    return llvm::is_contained({OpFunction::Add, OpFunction::Sub,
                               OpFunction::Select, OpFunction::Max,
                               OpFunction::Min},
                              function);
  };
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return masks(getOpFunction(op));
  BlockArgument argument =
      structured.getMatchingBlockArgument(&op->getOpOperand(index));
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), [&](Operation *user) {
           return masks(getOpFunction(user));
         });
}

std::optional<Classifier::Match>
Classifier::matchInitMax(const RuleMatcher &matcher, Operation *op,
                         const FormatLimits &limits, Verdict &verdict) const {
  double limit = matcher.limit.value_or(limits.largest);
  for (unsigned index = 0; index != op->getNumOperands(); ++index) {
    if (!readsOperand(op, index))
      continue;
    Value operand = op->getOperand(index);
    bool isConstant;
    const ConstantRange *range =
        getConstantRangeOf(operand, limits, isConstant);
    if (!range) {
      if (isConstant)
        verdict.notJudged.push_back(
            llvm::formatv("operand {0} is a constant whose numbers are not in "
                          "the program",
                          index));
      continue;
    }
    if (options.peer == Peer::modelopt) {
      // f32 only; an infinity is beyond every limit, and NaN beyond none.
      if (getElementTypeOrSelf(operand.getType()).isF32() &&
          (range->absMax > limit || range->getInf() != 0))
        return Match{Reason::init_range,
                     llvm::formatv("operand {0} is in [{1}, {2}], beyond +-{3}",
                                   index, printNumber(range->min),
                                   printNumber(range->max),
                                   printNumber(limit))};
      continue;
    }
    if (range->nan != 0)
      return Match{Reason::not_finite,
                   llvm::formatv("operand {0} is a constant with NaN: {1} of "
                                 "{2} numbers",
                                 index, range->nan, range->count)};
    // Without a limit of the user's own: what becomes infinite. By options it
    // may saturate instead, or be an error, which the pass reports.
    bool isBeyond =
        matcher.limit ? range->absMax > limit : range->overflow != 0;
    if (!isBeyond ||
        (!matcher.limit && options.weightOverflow != WeightOverflow::keep_f32))
      continue;
    return Match{
        Reason::init_range,
        llvm::formatv("operand {0} is a constant in [{1}, {2}], beyond +-{3}",
                      index, printNumber(range->min), printNumber(range->max),
                      printNumber(limit))};
  }
  return std::nullopt;
}

std::optional<Classifier::Match>
Classifier::matchSentinel(Operation *op, const FormatLimits &limits) const {
  if (options.weightOverflow != WeightOverflow::keep_f32)
    return std::nullopt;
  auto describe = [&](Twine what, double number) {
    return Match{Reason::mask_sentinel,
                 (what + " is " + printNumber(number) + ", which is infinite " +
                  "beyond +-" + printNumber(limits.largest))
                     .str()};
  };
  for (unsigned index = 0; index != op->getNumOperands(); ++index) {
    if (!readsOperand(op, index) || !isMask(op, index))
      continue;
    bool isConstant;
    const ConstantRange *range =
        getConstantRangeOf(op->getOperand(index), limits, isConstant);
    if (range && range->overflow != 0)
      return describe("operand " + Twine(index),
                      -range->min > range->max ? range->min : range->max);
  }
  // A number of the program's own: in a payload, or as a parameter.
  auto isSentinel = [&](std::optional<double> number) {
    return number && std::isfinite(*number) &&
           std::fabs(*number) >= limits.overflow;
  };
  if (isMask(op, 0) || getOpFunction(op) == OpFunction::Select)
    for (StringRef name : {"value", "other", "self", "min", "max"})
      if (std::optional<double> number = getNumberParameter(op, name);
          isSentinel(number))
        return describe("parameter '" + name + "'", *number);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return std::nullopt;
  for (Operation &inner : structured.getBlock()->without_terminator()) {
    OpFunction function = getOpFunction(&inner);
    if (function != OpFunction::Select && function != OpFunction::Add)
      continue;
    for (Value operand : inner.getOperands())
      if (getFloatElementType(operand.getType()))
        if (std::optional<double> number = getConstantNumber(operand);
            isSentinel(number))
          return describe("a number in its payload", *number);
  }
  return std::nullopt;
}

void Classifier::findConstants(Operation *op, const FormatLimits &limits,
                               Verdict &verdict) const {
  for (unsigned index = 0; index != op->getNumOperands(); ++index) {
    if (!readsOperand(op, index))
      continue;
    bool isConstant;
    const ConstantRange *range =
        getConstantRangeOf(op->getOperand(index), limits, isConstant);
    if (range && (range->overflow || range->underflow || range->subnormal ||
                  range->getInf() || range->nan))
      verdict.constants.push_back({index, *range, isMask(op, index)});
  }
}

//===----------------------------------------------------------------------===//
// Values seen
//===----------------------------------------------------------------------===//

namespace {
/// A value whose range counts for an op, and what messages call it.
struct JudgedValue {
  Value value;
  std::string name;
};
} // namespace

/// The values that decide about `op`: the floats that it takes and gives. For
/// Torch-TensorRT those of the ops that give it its operands and take its
/// results, and for both peers integers too.
static SmallVector<JudgedValue> getJudgedValues(Operation *op, Peer peer) {
  SmallVector<JudgedValue> values;
  for (unsigned index = 0; index != op->getNumOperands(); ++index) {
    Value operand = op->getOperand(index);
    if (peer == Peer::none ? !readsOperand(op, index)
                           : !isa<TensorType>(operand.getType()))
      continue;
    // Only the results of ops were recorded.
    if (peer == Peer::torch_trt &&
        isa<BlockArgument>(traceValue(operand, TracedCasts::exact)) &&
        isa<BlockArgument>(operand))
      continue;
    values.push_back({operand, ("operand " + Twine(index)).str()});
  }
  for (OpResult result : op->getResults()) {
    if (peer == Peer::none && !getFloatElementType(result.getType()))
      continue;
    if (peer != Peer::torch_trt) {
      values.push_back(
          {result, ("result " + Twine(result.getResultNumber())).str()});
      continue;
    }
    for (Operation *user : result.getUsers())
      for (OpResult next : user->getResults())
        values.push_back({next, ("a result of its user '" +
                                 user->getName().getStringRef() + "'")
                                    .str()});
  }
  return values;
}

std::optional<Classifier::Match>
Classifier::matchDataMax(const RuleMatcher &matcher, Operation *op,
                         const FormatLimits &limits) const {
  double limit = matcher.limit
                     ? *matcher.limit
                     : std::min(limits.largest,
                                limits.getMagnitudeOfSpacing(options.spacing));
  for (const JudgedValue &judged : getJudgedValues(op, options.peer)) {
    std::optional<ObservedRange> range =
        getRange ? getRange(judged.value) : std::nullopt;
    if (options.peer != Peer::none) {
      // NaN compares as beyond nothing, and constants of integers were recorded
      // as the results that they are.
      double absMax = range ? range->getAbsMax() : 0;
      if (range && range->inf != 0)
        absMax = std::numeric_limits<double>::infinity();
      if (getRange && !range &&
          getElementTypeOrSelf(judged.value.getType()).isInteger())
        if (std::optional<ConstantRange> constant =
                getConstantRange(getConstant(judged.value), limits))
          absMax = constant->absMax;
      if (absMax > limit)
        return Match{Reason::data_range,
                     judged.name + " was seen as " + printNumber(absMax) +
                         ", beyond +-" + printNumber(limit)};
      continue;
    }
    if (!range)
      continue;
    if (range->nan != 0 || range->inf != 0)
      return Match{Reason::not_finite,
                   llvm::formatv("{0} was seen as NaN {1} times, and as an "
                                 "infinity {2} times, of {3}",
                                 judged.name, range->nan, range->inf,
                                 range->count)};
    if (range->getAbsMax() > limit)
      return Match{Reason::data_range,
                   llvm::formatv("{0} was seen in [{1}, {2}], beyond +-{3}",
                                 judged.name, printNumber(range->min),
                                 printNumber(range->max), printNumber(limit))};
  }
  return std::nullopt;
}

std::optional<Classifier::Match>
Classifier::matchUnderflow(const RuleMatcher &matcher, Operation *op,
                           const FormatLimits &limits) const {
  if (!getRange)
    return std::nullopt;
  for (const JudgedValue &judged : getJudgedValues(op, Peer::none)) {
    std::optional<ObservedRange> range = getRange(judged.value);
    if (!range || range->nonzero == 0 || !range->numBelow)
      continue;
    uint64_t below = range->numBelow(std::ilogb(limits.smallestNormal));
    if (double(below) <= matcher.limit.value_or(0.5) * double(range->nonzero))
      continue;
    uint64_t lost = range->numBelow(std::ilogb(limits.underflow));
    return Match{Reason::underflow,
                 llvm::formatv("{0} of {1} numbers of {2}, zeros left out, are "
                               "below {3}, and {4} of them become zero",
                               below, range->nonzero, judged.name,
                               printNumber(limits.smallestNormal), lost)};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

std::optional<Classifier::Match>
Classifier::matchDepth(const RuleMatcher &matcher, Operation *op,
                       Verdict &verdict) const {
  auto getShape = [&](Value value) -> std::optional<SmallVector<int64_t>> {
    std::optional<SmallVector<int64_t>> shape = getStaticShape(value);
    std::optional<ObservedRange> range =
        getRange ? getRange(value) : std::nullopt;
    // The peers know the shapes of the data that they saw, and of weights.
    if (options.peer != Peer::none && !range && !getConstant(value))
      return std::nullopt;
    if (!range || range->shape.empty())
      return shape;
    if (!shape || shape->size() != range->shape.size())
      return shape ? shape : std::optional(range->shape);
    for (auto [extent, seen] : llvm::zip_equal(*shape, range->shape))
      if (ShapedType::isDynamic(extent))
        extent = seen;
    return shape;
  };
  double limit = matcher.limit.value_or(0);
  ReductionDepth depth = getReductionDepth(op, getShape, options.peer);
  if (depth.kind == ReductionDepth::Unknown && options.peer == Peer::none)
    verdict.notJudged.push_back(
        "it reduces over extents that neither the types nor a profile give, so "
        "the limit of " +
        printNumber(limit) + " was not applied");
  if (depth.kind != ReductionDepth::Known || double(depth.extent) <= limit)
    return std::nullopt;
  return Match{Reason::reduction_depth,
               llvm::formatv("it reduces {0} elements, more than {1}",
                             depth.extent, printNumber(limit))};
}
