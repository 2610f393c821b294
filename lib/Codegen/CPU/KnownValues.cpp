//===- KnownValues.cpp - what functions and roundings need not expect -----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without instructions for them, exponentials and roundings to bf16 are a few
// instructions for each register, some of which are for arguments that no
// program has there: a softmax subtracts the largest element of a row before
// it takes exponentials, and so none of them overflows; and NaN that come from
// bf16, or from an operation on it, are numbers of bf16, which no rounding
// makes an infinity or a zero.
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"

#include "amp/Codegen/Floats/MathFunctions.h"
#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

/// The operand that `argument`, of the body of a linalg op, is an element of,
/// or null.
static OpOperand *getOperandOf(Value argument) {
  auto block = dyn_cast<BlockArgument>(argument);
  if (!block)
    return nullptr;
  auto op = dyn_cast<linalg::LinalgOp>(block.getOwner()->getParentOp());
  return op ? &op->getOpOperand(block.getArgNumber()) : nullptr;
}

/// How far operands are followed: expressions that share parts are seen once
/// for each way to them.
static constexpr unsigned kMostDepth = 8;

/// Whether `x`, in the body of one linalg op, and `y`, in that of another with
/// the same steps, are the same in each of them.
static bool areSame(Value x, Value y, unsigned depth = kMostDepth) {
  if (x == y)
    return true;
  OpOperand *first = getOperandOf(x), *second = getOperandOf(y);
  if (first && second) {
    auto opOfX = cast<linalg::LinalgOp>(first->getOwner());
    auto opOfY = cast<linalg::LinalgOp>(second->getOwner());
    return opOfX.isDpsInput(first) && opOfY.isDpsInput(second) &&
           first->get() == second->get() &&
           opOfX.getMatchingIndexingMap(first) ==
               opOfY.getMatchingIndexingMap(second);
  }
  Operation *opOfX = x.getDefiningOp(), *opOfY = y.getDefiningOp();
  if (depth == 0 || !opOfX || !opOfY || !isPure(opOfX) ||
      opOfX->getNumResults() != 1)
    return false;
  return OperationEquivalence::isEquivalentTo(
      opOfX, opOfY,
      [&](Value a, Value b) { return success(areSame(a, b, depth - 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// Whether `x` and `y` have the same steps: loops of as many iterations, as an
/// operand of both tells.
static bool haveSameSteps(linalg::LinalgOp x, linalg::LinalgOp y) {
  return llvm::any_of(x->getOpOperands(), [&](OpOperand &first) {
    AffineMap map = x.getMatchingIndexingMap(&first);
    return map.isPermutation() &&
           llvm::any_of(y->getOpOperands(), [&](OpOperand &second) {
             return second.get() == first.get() &&
                    y.getMatchingIndexingMap(&second) == map;
           });
  });
}

/// What `operand`, with an indexing map, is before dimensions of one element
/// were added to it, and the map of that.
static std::pair<Value, AffineMap> dropAddedDims(Value operand, AffineMap map) {
  auto expand = operand.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return {operand, map};
  RankedTensorType type = expand.getResultType();
  SmallVector<AffineExpr> kept;
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    auto others = llvm::make_filter_range(
        group, [&](int64_t dim) { return type.getDimSize(dim) != 1; });
    if (!others.empty() && std::next(others.begin()) != others.end())
      return {operand, map};
    kept.push_back(
        map.getResult(others.empty() ? group.front() : *others.begin()));
  }
  return {expand.getSrc(),
          AffineMap::get(map.getNumDims(), 0, kept, map.getContext())};
}

/// The reduction whose result `largest`, in the body of a linalg op, is an
/// element of, and which has seen `x` of the same step and kept what is the
/// largest, and the indexing map of that result in both; null if there is none.
static std::pair<OpResult, AffineMap> getMaximumOf(Value largest, Value x) {
  OpOperand *operand = getOperandOf(largest);
  if (!operand)
    return {};
  auto op = cast<linalg::LinalgOp>(operand->getOwner());
  auto [value, map] =
      dropAddedDims(operand->get(), op.getMatchingIndexingMap(operand));
  auto result = dyn_cast<OpResult>(value);
  auto reduction = value.getDefiningOp<linalg::LinalgOp>();
  if (!reduction || !haveSameSteps(op, reduction) ||
      reduction.getIndexingMapMatchingResult(result) != map)
    return {};
  unsigned index = result.getResultNumber();
  Operation *last =
      reduction.getBlock()->getTerminator()->getOperand(index).getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(last))
    return {};
  Value sum = reduction.getRegionOutputArgs()[index];
  for (unsigned i : {0, 1})
    if (last->getOperand(i) == sum && areSame(last->getOperand(1 - i), x))
      return {result, map};
  return {};
}

/// What `x` is computed as where it is an element of a tensor that a linalg op
/// yields element by element, else `x`.
static Value getElement(Value x) {
  OpOperand *operand = getOperandOf(x);
  auto result = operand ? dyn_cast<OpResult>(operand->get()) : OpResult();
  auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
  if (!op || !cast<linalg::LinalgOp>(operand->getOwner()).isDpsInput(operand))
    return x;
  unsigned index = result.getResultNumber();
  return op.payloadUsesValueFromOperand(op.getDpsInitOperand(index))
             ? x
             : op.getBlock()->getTerminator()->getOperand(index);
}

static bool isNeverPositive(Value x, unsigned depth = kMostDepth);

/// Whether `x` is zero or more, or NaN.
static bool isNeverNegative(Value x, unsigned depth) {
  x = getElement(x);
  FloatAttr constant;
  if (matchPattern(x, m_Constant(&constant)))
    return !constant.getValue().isNegative();
  Operation *op = x.getDefiningOp();
  if (!op || depth-- == 0)
    return false;
  if (isa<math::AbsFOp, math::ExpOp, math::Exp2Op>(op))
    return true;
  if (auto negation = dyn_cast<arith::NegFOp>(op))
    return isNeverPositive(negation.getOperand(), depth);
  auto product = dyn_cast<arith::MulFOp>(op);
  return product && (product.getLhs() == product.getRhs() ||
                     (isNeverNegative(product.getLhs(), depth) &&
                      isNeverNegative(product.getRhs(), depth)));
}

/// Whether `x` is zero or less, or NaN.
static bool isNeverPositive(Value x, unsigned depth) {
  x = getElement(x);
  FloatAttr constant;
  if (matchPattern(x, m_Constant(&constant)))
    return constant.getValue().isNegative() || constant.getValue().isZero();
  Operation *op = x.getDefiningOp();
  if (!op || depth-- == 0)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::NegFOp negation) {
        return isNeverNegative(negation.getOperand(), depth);
      })
      .Case([&](arith::MulFOp product) {
        Value lhs = product.getLhs(), rhs = product.getRhs();
        return (isNeverPositive(lhs, depth) && isNeverNegative(rhs, depth)) ||
               (isNeverNegative(lhs, depth) && isNeverPositive(rhs, depth));
      })
      .Case([&](arith::SubFOp difference) {
        return getMaximumOf(difference.getRhs(), difference.getLhs()).first ||
               (isNeverPositive(difference.getLhs(), depth) &&
                isNeverNegative(difference.getRhs(), depth));
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// NaN
//===----------------------------------------------------------------------===//

namespace {
/// What is known of the NaN that an f32 may be: nothing; that bf16 has it, the
/// lower half of it being zero; and that it is quiet, too.
enum class NaNs { Any, BF16, QuietBF16 };

class NaNAnalysis {
public:
  NaNs get(Value value) {
    auto [it, isNew] = known.try_emplace(value, NaNs::Any);
    if (!isNew || depth == kMostValues)
      return it->second;
    ++depth;
    NaNs found = compute(value);
    --depth;
    known[value] = found;
    return found;
  }

private:
  /// Of values that are made of each other: whole networks are.
  static constexpr unsigned kMostValues = 256;

  NaNs getLeast(ValueRange values) {
    NaNs least = NaNs::QuietBF16;
    for (Value value : values)
      least = std::min(least, get(value));
    return least;
  }

  static NaNs getOfConstant(const APFloat &x) {
    if (!x.isNaN())
      return NaNs::QuietBF16;
    APInt bits = x.bitcastToAPInt();
    return !x.isSignaling() && bits.countr_zero() >= 16 ? NaNs::QuietBF16
                                                        : NaNs::Any;
  }

  /// Of elements of an operand. What a reduction has so far is not known: see
  /// getOfResult().
  NaNs getOfArgument(Value value) {
    OpOperand *operand = getOperandOf(value);
    return operand && cast<linalg::LinalgOp>(operand->getOwner())
                          .isDpsInput(operand)
               ? get(operand->get())
               : NaNs::Any;
  }

  NaNs getOfResult(OpResult result) {
    auto op = cast<linalg::LinalgOp>(result.getOwner());
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    Value yielded =
        op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
    if (!op.payloadUsesValueFromOperand(init))
      return get(yielded);
    // Each step combines what it has with something else.
    Value sum = op.getMatchingBlockArgument(init);
    Operation *last = yielded.getDefiningOp();
    if (!last || !sum.hasOneUse() || *sum.user_begin() != last)
      return NaNs::Any;
    NaNs least = get(init->get());
    for (Value operand : last->getOperands())
      if (operand != sum)
        least = std::min(least, get(operand));
    return isArithmetic(last) || isChoice(last) ? least : NaNs::Any;
  }

  /// Whether NaN that `op` makes of NaN is one of its operands', and quiet.
  static bool isArithmetic(Operation *op) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
               math::FmaOp, math::ExpOp, math::ErfOp, math::TanhOp,
               math::SqrtOp, math::RsqrtOp>(op);
  }

  /// Whether `op` gives one of its operands, perhaps with another sign.
  static bool isChoice(Operation *op) {
    return isa<arith::NegFOp, math::AbsFOp, arith::MaximumFOp,
               arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
  }

  NaNs compute(Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    if (!element.isF32())
      return NaNs::Any;
    FloatAttr number;
    if (matchPattern(value, m_Constant(&number)))
      return getOfConstant(number.getValue());
    DenseFPElementsAttr numbers;
    if (matchPattern(value, m_Constant(&numbers)))
      return numbers.isSplat() ? getOfConstant(numbers.getSplatValue<APFloat>())
                               : NaNs::Any;
    Operation *op = value.getDefiningOp();
    if (!op)
      return getOfArgument(value);
    if (isa<linalg::LinalgOp>(op))
      return getOfResult(cast<OpResult>(value));
    if (isArithmetic(op))
      return getLeast(op->getOperands()) == NaNs::Any ? NaNs::Any
                                                      : NaNs::QuietBF16;
    if (isChoice(op))
      return getLeast(op->getOperands());
    return llvm::TypeSwitch<Operation *, NaNs>(op)
        .Case([](arith::ExtFOp ext) {
          Type from = getElementTypeOrSelf(ext.getIn());
          return from.isBF16() || from.getIntOrFloatBitWidth() <= 8 ? NaNs::BF16
                                                                    : NaNs::Any;
        })
        .Case<arith::SIToFPOp, arith::UIToFPOp, tensor::EmptyOp>(
            [](Operation *) { return NaNs::QuietBF16; })
        .Case([&](arith::SelectOp select) {
          return getLeast({select.getTrueValue(), select.getFalseValue()});
        })
        .Case<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
              tensor::ExpandShapeOp, tensor::CastOp, vector::BroadcastOp>(
            [&](Operation *view) { return get(view->getOperand(0)); })
        .Default(NaNs::Any);
  }

  DenseMap<Value, NaNs> known;
  unsigned depth = 0;
};
} // namespace

void cpu::markRoundings(Operation *root) {
  NaNAnalysis nans;
  root->walk([&](arith::TruncFOp op) {
    if (getElementTypeOrSelf(op.getType()).isBF16() &&
        nans.get(op.getIn()) == NaNs::QuietBF16)
      op->setDiscardableAttr(kHasBF16NaNsAttrName,
                             UnitAttr::get(op.getContext()));
  });
}

std::pair<OpResult, AffineMap> cpu::getMaximum(math::ExpOp exp) {
  auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
  if (!difference)
    return {};
  auto [maximum, map] = getMaximumOf(difference.getRhs(), difference.getLhs());
  if (!maximum)
    return {};
  auto reduction = cast<linalg::LinalgOp>(maximum.getOwner());
  auto fill = reduction.getDpsInitOperand(maximum.getResultNumber())
                  ->get()
                  .getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_NegInfFloat()))
    return {};
  return {maximum, map};
}

void cpu::markExponentials(FunctionOpInterface function) {
  function->walk([&](math::ExpOp op) {
    if (isNeverPositive(op.getOperand()))
      op->setDiscardableAttr(floats::kNeverPositiveAttrName,
                             UnitAttr::get(op.getContext()));
  });
}
