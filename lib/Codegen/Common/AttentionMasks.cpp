//===- AttentionMasks.cpp - what is known of scores -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Attention.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Nothing if `value` is no constant of a float.
static std::optional<double> getFloat(Value value) {
  FloatAttr number;
  if (!matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return number.getValueAsDouble();
}

namespace {

/// row * the row + key * the key + constant + sign * bound, where there is one.
struct LinearIndex {
  int64_t row = 0, key = 0, constant = 0, sign = 0;
  std::optional<AttentionBound> bound;
};

/// Reads conditions on indices.
struct IndexReader {
  linalg::GenericOp op;
  ArrayRef<int> loops;
  int row, key;

  /// A number that `op` reads, if all keys have the same.
  std::optional<LinearIndex> readBound(BlockArgument argument) const {
    linalg::GenericOp generic = op;
    if (argument.getOwner() != generic.getBody() ||
        argument.getArgNumber() >= generic.getNumDpsInputs() ||
        !argument.getType().isIntOrIndex() || argument.getType().isInteger(1))
      return std::nullopt;
    OpOperand *operand = generic.getMatchingOpOperand(argument);
    AttentionBound bound;
    bound.tensor = operand->get();
    for (AffineExpr expr :
         generic.getMatchingIndexingMap(operand).getResults()) {
      auto number = dyn_cast<AffineConstantExpr>(expr);
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (number ? number.getValue() != 0
                 : !loop || loops[loop.getPosition()] < 0 ||
                       loops[loop.getPosition()] == key)
        return std::nullopt;
      bound.dims.push_back(number ? -1 : loops[loop.getPosition()]);
    }
    LinearIndex result;
    result.sign = 1;
    result.bound = bound;
    return result;
  }

  std::optional<LinearIndex> read(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return readBound(argument);
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      return read(cast.getIn());
    if (auto cast = value.getDefiningOp<arith::ExtSIOp>())
      return read(cast.getIn());
    if (IntegerAttr number; matchPattern(value, m_Constant(&number)))
      return LinearIndex{0, 0, number.getValue().getSExtValue(), 0, {}};
    if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
      int loop = loops[index.getDim()];
      if (loop == row)
        return LinearIndex{1, 0, 0, 0, {}};
      if (loop == key)
        return LinearIndex{0, 1, 0, 0, {}};
      return std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
      return std::nullopt;
    auto l = read(op->getOperand(0)), r = read(op->getOperand(1));
    if (!l || !r)
      return std::nullopt;
    return combine(*l, *r, isa<arith::AddIOp>(op) ? 1 : -1);
  }

  /// l + sign * r; nothing if both have a bound.
  static std::optional<LinearIndex>
  combine(const LinearIndex &l, const LinearIndex &r, int64_t sign) {
    if (l.bound && r.bound)
      return std::nullopt;
    return LinearIndex{l.row + sign * r.row, l.key + sign * r.key,
                       l.constant + sign * r.constant, l.sign + sign * r.sign,
                       l.bound ? l.bound : r.bound};
  }

  /// Adds what `condition`, or its opposite, says to `mask`; false if it says
  /// anything else.
  bool read(Value condition, bool isOpposite, AttentionMask &mask) const {
    if (auto both = condition.getDefiningOp<arith::AndIOp>())
      return !isOpposite && read(both.getLhs(), false, mask) &&
             read(both.getRhs(), false, mask);
    if (auto either = condition.getDefiningOp<arith::OrIOp>())
      return isOpposite && read(either.getLhs(), true, mask) &&
             read(either.getRhs(), true, mask);
    if (auto flip = condition.getDefiningOp<arith::XOrIOp>())
      return matchPattern(flip.getRhs(), m_One()) &&
             read(flip.getLhs(), !isOpposite, mask);
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare)
      return false;
    auto l = read(compare.getLhs()), r = read(compare.getRhs());
    if (!l || !r)
      return false;
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (isOpposite)
      predicate = arith::invertPredicate(predicate);
    // key - row + constant <= 0 or >= 0, or with a bound instead of the row.
    std::optional<LinearIndex> difference = combine(*l, *r, -1);
    if (!difference)
      return false;
    LinearIndex d = *difference;
    if (d.key == -1) {
      d = {-d.row, 1, -d.constant, -d.sign, d.bound};
      switch (predicate) {
      case arith::CmpIPredicate::sle:
        predicate = arith::CmpIPredicate::sge;
        break;
      case arith::CmpIPredicate::slt:
        predicate = arith::CmpIPredicate::sgt;
        break;
      case arith::CmpIPredicate::sge:
        predicate = arith::CmpIPredicate::sle;
        break;
      case arith::CmpIPredicate::sgt:
        predicate = arith::CmpIPredicate::slt;
        break;
      default:
        break;
      }
    }
    if (d.key != 1)
      return false;
    if (d.bound) {
      if (d.row != 0 || d.sign != -1)
        return false;
      AttentionBound bound = *d.bound;
      bound.isEnd = predicate == arith::CmpIPredicate::sle ||
                    predicate == arith::CmpIPredicate::slt;
      if (!bound.isEnd && predicate != arith::CmpIPredicate::sge &&
          predicate != arith::CmpIPredicate::sgt)
        return false;
      bool isNext = predicate == arith::CmpIPredicate::sle ||
                    predicate == arith::CmpIPredicate::sgt;
      bound.offset = isNext - d.constant;
      mask.bounds.push_back(bound);
      return true;
    }
    if (d.row != -1)
      return false;
    auto lower = [&](std::optional<int64_t> &limit, int64_t value, bool isLow) {
      limit = !limit
                  ? value
                  : (isLow ? std::max(*limit, value) : std::min(*limit, value));
    };
    switch (predicate) {
    case arith::CmpIPredicate::sle:
      lower(mask.upper, -d.constant, false);
      return true;
    case arith::CmpIPredicate::slt:
      lower(mask.upper, -d.constant - 1, false);
      return true;
    case arith::CmpIPredicate::sge:
      lower(mask.lower, -d.constant, true);
      return true;
    case arith::CmpIPredicate::sgt:
      lower(mask.lower, -d.constant + 1, true);
      return true;
    default:
      return false;
    }
  }
};

} // namespace

/// Whether a key for which `select` gives `hidden` gets no weight: nothing
/// behind makes much of it again.
static bool isWeightless(arith::SelectOp select, double hidden,
                         const Attention &attention) {
  Value value = select.getResult();
  bool isAdded = false;
  while (value != attention.scores) {
    Operation *user = nullptr;
    if (isa<RankedTensorType>(value.getType())) {
      auto next = llvm::find_if(attention.scoreOps, [&](const auto &entry) {
        return llvm::is_contained(entry.first->getOperands(), value);
      });
      if (next == attention.scoreOps.end())
        return false;
      linalg::GenericOp op = next->first;
      if (llvm::count(op->getOperands(), value) != 1)
        return false;
      auto *operand = llvm::find_if(op.getDpsInputOperands(),
                                    [&](auto *x) { return x->get() == value; });
      if (operand == op.getDpsInputOperands().end())
        return false;
      value = op.getMatchingBlockArgument(*operand);
    }
    if (!value.hasOneUse())
      return false;
    user = *value.user_begin();
    if (auto yield = dyn_cast<linalg::YieldOp>(user)) {
      value = yield->getParentOp()->getResult(
          value.use_begin()->getOperandNumber());
      continue;
    }
    if (isa<arith::AddFOp>(user)) {
      // Once the mask itself is added; else infinities stay what they are.
      if (isAdded && !std::isinf(hidden))
        return false;
      isAdded = true;
    } else if (auto other = dyn_cast<arith::SelectOp>(user)) {
      // What is hidden here too must not count for more.
      if (other.getCondition() == value)
        return false;
      std::optional<double> instead =
          getFloat(other.getTrueValue() == value ? other.getFalseValue()
                                                 : other.getTrueValue());
      if (!instead || !(*instead <= hidden))
        return false;
    } else if (!isa<arith::ExtFOp, arith::TruncFOp>(user)) {
      return false;
    }
    value = user->getResult(0);
  }
  return true;
}

SmallVector<AttentionMask> amp::findIndexMasks(const Attention &attention) {
  SmallVector<AttentionMask> masks;
  for (const auto &[op, loops] : attention.scoreOps) {
    linalg::GenericOp generic = op;
    IndexReader reader{generic, loops, static_cast<int>(attention.row),
                       static_cast<int>(attention.key)};
    for (auto select : generic.getBody()->getOps<arith::SelectOp>()) {
      // The scores, or what is added to them: 0 where a key is visible.
      for (bool isOpposite : {false, true}) {
        Value visible =
            isOpposite ? select.getFalseValue() : select.getTrueValue();
        Value hidden =
            isOpposite ? select.getTrueValue() : select.getFalseValue();
        auto number = getFloat(hidden);
        if (!number || !(*number < 0))
          continue;
        AttentionMask mask{select,       visible,      *number,
                           std::nullopt, std::nullopt, {}};
        if (!reader.read(select.getCondition(), isOpposite, mask) ||
            !isWeightless(select, *number, attention))
          continue;
        masks.push_back(mask);
        break;
      }
    }
  }
  return masks;
}

std::optional<double> amp::getScoreScale(const Attention &attention) {
  double scale = 1;
  Value last = linalg::GenericOp(attention.product).getResult(0);
  for (const auto &[op, loops] : attention.scoreOps) {
    linalg::GenericOp generic = op;
    Block *body = generic.getBody();
    OpOperand *input = nullptr;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      if (!generic.payloadUsesValueFromOperand(operand))
        continue;
      if (input || operand->get() != last)
        return std::nullopt;
      input = operand;
    }
    if (!input)
      return std::nullopt;
    last = generic.getResult(0);
    Value value = generic.getMatchingBlockArgument(input);
    for (Operation &nested : body->without_terminator()) {
      if (nested.hasTrait<OpTrait::ConstantLike>())
        continue;
      if (isa<arith::ExtFOp, arith::TruncFOp>(nested) &&
          nested.getOperand(0) == value) {
        value = nested.getResult(0);
        continue;
      }
      auto times = [&](unsigned position) -> std::optional<double> {
        return nested.getOperand(1 - position) == value
                   ? getFloat(nested.getOperand(position))
                   : std::nullopt;
      };
      std::optional<double> factor;
      if (isa<arith::MulFOp>(nested))
        factor = times(1) ? times(1) : times(0);
      else if (isa<arith::DivFOp>(nested) && times(1))
        factor = 1 / *times(1);
      if (!factor)
        return std::nullopt;
      scale *= *factor;
      value = nested.getResult(0);
    }
    if (body->getTerminator()->getOperand(0) != value)
      return std::nullopt;
  }
  if (last != attention.scores)
    return std::nullopt;
  // Far from where products with it would be rounded in another way.
  return scale > 1e-30 && scale < 1e30 ? std::optional<double>(scale)
                                       : std::nullopt;
}
