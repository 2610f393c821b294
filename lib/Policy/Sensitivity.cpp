//===- Sensitivity.cpp - patterns that lose precision ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/Sensitivity.h"

#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/OpFunctions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::amp;
using linalg::LinalgOp;

StringRef mlir::amp::stringifySensitivityKind(SensitivityKind kind) {
  switch (kind) {
  case SensitivityKind::epsilon_division:
    return "epsilon_division";
  case SensitivityKind::exp_reduction:
    return "exp_reduction";
  case SensitivityKind::variance:
    return "variance";
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<SensitivityKind>
mlir::amp::symbolizeSensitivityKind(StringRef name) {
  for (SensitivityKind kind :
       {SensitivityKind::epsilon_division, SensitivityKind::exp_reduction,
        SensitivityKind::variance})
    if (name == stringifySensitivityKind(kind))
      return kind;
  return std::nullopt;
}

/// A guard that is larger than this is no guard, but a number of the model.
static constexpr double largestGuard = 1e-2;

/// How many multiplications between an exponential and its sum are looked
/// through.
static constexpr unsigned maxScales = 4;

namespace {
/// A sum over dimensions: its result, and what is summed.
struct Summation {
  Operation *op;
  Value result, input;
};

class SensitivityFinder {
public:
  explicit SensitivityFinder(Operation *root) : root(root) {}

  llvm::MapVector<Operation *, Sensitivity> run();

private:
  void collectSums(Operation *op);
  void findEpsilonDivision(Operation *op);
  void findExpReduction(const Summation &sum);
  void findVariance(const Summation &sum);
  void findDifferenceOfMeans(Operation *op);

  bool isMeanOf(Value value, Value data) const;
  const Summation *getSum(Value traced) const;
  void mark(Operation *op, SensitivityKind kind, Operation *witness) {
    result.insert({getDecidedOp(op), {kind, getDecidedOp(witness)}});
  }

  Operation *root;
  SmallVector<Summation> sums;
  DenseMap<Value, size_t> sumOfResult;
  llvm::MapVector<Operation *, Sensitivity> result;
};
} // namespace

/// The op that computes `value`, traced, and its function.
static std::pair<Operation *, OpFunction> getProducer(Value value) {
  Operation *op = traceValue(value).getDefiningOp();
  return {op, op ? getOpFunction(op) : OpFunction::Other};
}

/// Whether `a` and `b` are the same elements at each point.
static bool isSameElement(Value a, Value b) {
  if (a == b)
    return true;
  auto left = dyn_cast<BlockArgument>(a), right = dyn_cast<BlockArgument>(b);
  if (left && right && left.getOwner() == right.getOwner())
    if (auto op = dyn_cast_or_null<LinalgOp>(left.getOwner()->getParentOp()))
      if (op.getMatchingIndexingMap(op.getMatchingOpOperand(left)) !=
          op.getMatchingIndexingMap(op.getMatchingOpOperand(right)))
        return false;
  return traceValue(a) == traceValue(b);
}

/// What `op` squares; null if it squares nothing.
static Value getSquared(Operation *op, OpFunction function) {
  switch (function) {
  case OpFunction::Square:
    return op->getOperand(0);
  case OpFunction::Mul:
    return op->getNumOperands() >= 2 &&
                   isSameElement(op->getOperand(0), op->getOperand(1))
               ? op->getOperand(0)
               : Value();
  case OpFunction::Pow:
    return getNumberParameter(op, "exponent", 1) == 2.0 ? op->getOperand(0)
                                                        : Value();
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void SensitivityFinder::collectSums(Operation *op) {
  auto add = [&](Value result, Value input) {
    sumOfResult.try_emplace(result, sums.size());
    sums.push_back({op, result, input});
  };
  OpFunction function = getOpFunction(op);
  if (function == OpFunction::Sum || function == OpFunction::Mean) {
    if (op->getNumOperands() != 0 && op->getNumResults() != 0)
      add(op->getResult(0), op->getOperand(0));
    return;
  }
  auto structured = dyn_cast<LinalgOp>(op);
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!structured || structured.getNumReductionLoops() == 0 || !interface ||
      interface.getPrecisionClass() != PrecisionClass::Reduction)
    return;
  for (auto [result, yielded] :
       llvm::zip_equal(op->getResults(),
                       structured.getBlock()->getTerminator()->getOperands())) {
    Operation *combiner = yielded.getDefiningOp();
    if (!combiner || getOpFunction(combiner) != OpFunction::Add)
      continue;
    for (unsigned operand : {0u, 1u}) {
      auto argument = dyn_cast<BlockArgument>(combiner->getOperand(operand));
      if (argument && argument.getOwner() == structured.getBlock() &&
          structured.isDpsInit(structured.getMatchingOpOperand(argument)))
        add(result, combiner->getOperand(1 - operand));
    }
  }
}

const Summation *SensitivityFinder::getSum(Value traced) const {
  auto it = sumOfResult.find(traced);
  return it == sumOfResult.end() ? nullptr : &sums[it->second];
}

/// Whether `value` is a sum of `data` divided by something, or a named mean.
bool SensitivityFinder::isMeanOf(Value value, Value data) const {
  Value traced = traceValue(value);
  auto sums = [&](Value candidate) {
    const Summation *sum = getSum(traceValue(candidate));
    return sum && traceValue(sum->input) == traceValue(data);
  };
  if (const Summation *sum = getSum(traced))
    return getOpFunction(sum->op) == OpFunction::Mean && sums(traced);
  auto [op, function] = getProducer(traced);
  if (function == OpFunction::Div)
    return sums(op->getOperand(0));
  if (function == OpFunction::Mul && op->getNumOperands() >= 2)
    return sums(op->getOperand(0)) || sums(op->getOperand(1));
  return false;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// What `op` divides by; null if it does not divide.
static Value getDenominator(Operation *op, OpFunction function) {
  switch (function) {
  case OpFunction::Div:
    return op->getNumOperands() >= 2 ? op->getOperand(1) : Value();
  case OpFunction::Rsqrt:
  case OpFunction::Reciprocal:
    return op->getOperand(0);
  case OpFunction::Pow: {
    std::optional<double> exponent = getNumberParameter(op, "exponent", 1);
    return exponent && *exponent < 0 ? op->getOperand(0) : Value();
  }
  default:
    return {};
  }
}

static bool isGuard(std::optional<double> number) {
  return number && *number > 0 && *number <= largestGuard;
}

/// Whether `op` keeps a value away from zero: x + eps or max(x, eps).
static bool addsGuard(Operation *op, OpFunction function) {
  if (function != OpFunction::Add && function != OpFunction::Max)
    return false;
  if (op->getNumOperands() >= 2 &&
      (isGuard(getConstantNumber(op->getOperand(0))) ||
       isGuard(getConstantNumber(op->getOperand(1)))))
    return true;
  return isGuard(getNumberParameter(op, "other")) ||
         isGuard(getNumberParameter(op, "min"));
}

void SensitivityFinder::findEpsilonDivision(Operation *op) {
  OpFunction function = getOpFunction(op);
  if (function == OpFunction::Normalization) {
    mark(op, SensitivityKind::epsilon_division, op);
    return;
  }
  Value denominator =
      op->getNumOperands() != 0 ? getDenominator(op, function) : Value();
  if (!denominator)
    return;
  SmallVector<Operation *> between;
  auto [guard, guardFunction] = getProducer(denominator);
  // Of a norm: x / sqrt(sum + eps), or x * pow(sum + eps, 0.5).
  if (guard && (guardFunction == OpFunction::Sqrt ||
                (guardFunction == OpFunction::Pow &&
                 getNumberParameter(guard, "exponent", 1) == 0.5))) {
    between.push_back(guard);
    std::tie(guard, guardFunction) = getProducer(guard->getOperand(0));
  }
  if (!guard || !addsGuard(guard, guardFunction))
    return;
  mark(op, SensitivityKind::epsilon_division, op);
  for (Operation *step : between)
    mark(step, SensitivityKind::epsilon_division, op);
  mark(guard, SensitivityKind::epsilon_division, op);
}

void SensitivityFinder::findExpReduction(const Summation &sum) {
  SmallVector<std::pair<Value, unsigned>> worklist = {{sum.input, 0}};
  while (!worklist.empty()) {
    auto [value, scales] = worklist.pop_back_val();
    auto [op, function] = getProducer(value);
    if (function == OpFunction::Exp) {
      mark(op, SensitivityKind::exp_reduction, sum.op);
      mark(sum.op, SensitivityKind::exp_reduction, sum.op);
    }
    if (function == OpFunction::Mul && scales < maxScales)
      for (Value operand : op->getOperands())
        worklist.push_back({operand, scales + 1});
  }
}

void SensitivityFinder::findVariance(const Summation &sum) {
  auto [square, function] = getProducer(sum.input);
  Value squared = square && square->getNumOperands() != 0
                      ? getSquared(square, function)
                      : Value();
  if (!squared)
    return;
  mark(sum.op, SensitivityKind::variance, sum.op);
  mark(square, SensitivityKind::variance, sum.op);
  auto [difference, differenceFunction] = getProducer(squared);
  if (differenceFunction == OpFunction::Sub &&
      difference->getNumOperands() >= 2 &&
      isMeanOf(difference->getOperand(1), difference->getOperand(0))) {
    mark(difference, SensitivityKind::variance, sum.op);
    // The mean itself, which the difference subtracts.
    auto [mean, meanFunction] = getProducer(difference->getOperand(1));
    if (mean)
      mark(mean, SensitivityKind::variance, sum.op);
  }
}

/// mean(x * x) - mean(x) * mean(x), which cancels.
void SensitivityFinder::findDifferenceOfMeans(Operation *op) {
  if (getOpFunction(op) != OpFunction::Sub || op->getNumOperands() < 2)
    return;
  auto [square, function] = getProducer(op->getOperand(1));
  if (!square || square->getNumOperands() == 0 || !getSquared(square, function))
    return;
  // Sum, then perhaps a division by the number of elements.
  Value left = traceValue(op->getOperand(0));
  const Summation *sum = getSum(left);
  if (!sum) {
    auto [scale, scaleFunction] = getProducer(left);
    if (scaleFunction == OpFunction::Div || scaleFunction == OpFunction::Mul)
      sum = getSum(traceValue(scale->getOperand(0)));
  }
  if (!sum)
    return;
  auto [summed, summedFunction] = getProducer(sum->input);
  if (!summed || summed->getNumOperands() == 0 ||
      !getSquared(summed, summedFunction))
    return;
  mark(op, SensitivityKind::variance, op);
  mark(square, SensitivityKind::variance, op);
}

llvm::MapVector<Operation *, Sensitivity> SensitivityFinder::run() {
  root->walk([&](Operation *op) { collectSums(op); });
  root->walk([&](Operation *op) { findEpsilonDivision(op); });
  for (const Summation &sum : sums)
    findExpReduction(sum);
  for (const Summation &sum : sums)
    findVariance(sum);
  root->walk([&](Operation *op) {
    findDifferenceOfMeans(op);
    switch (getOpFunction(op)) {
    case OpFunction::ExpSum:
      return mark(op, SensitivityKind::exp_reduction, op);
    case OpFunction::Variance:
    case OpFunction::SquareSum:
      return mark(op, SensitivityKind::variance, op);
    default:
      return;
    }
  });
  return std::move(result);
}

llvm::MapVector<Operation *, Sensitivity>
mlir::amp::findSensitiveOps(Operation *root) {
  return SensitivityFinder(root).run();
}
