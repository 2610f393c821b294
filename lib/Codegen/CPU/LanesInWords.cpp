//===- LanesInWords.cpp - vectors of bf16 in two halves -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read as bf16, computed in f32 lane by lane, and rounded to bf16 again
// does not need its lanes in order: with the even ones in front of the odd
// ones, both are in the upper halves of words, where one instruction widens
// them and where they are rounded. In order, widening is two instructions for
// each register, and narrowing shuffles across it.
//
//===----------------------------------------------------------------------===//

#include "LanesInWords.h"

#include "Emit.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` widens bf16 to f32.
static bool isWidening(arith::ExtFOp op) {
  return getElementTypeOrSelf(op.getIn()).isBF16() &&
         getElementTypeOrSelf(op.getType()).isF32();
}

/// Whether `op` rounds f32 to the nearest bf16.
static bool isRounding(arith::TruncFOp op) {
  return getElementTypeOrSelf(op.getIn()).isF32() &&
         getElementTypeOrSelf(op.getType()).isBF16() &&
         op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) ==
             arith::RoundingMode::to_nearest_even;
}

namespace {
/// Vectors of `lanes` elements that elementwise ops make of each other, between
/// roundings to bf16 and what is widened from it or is the same in all lanes.
class Lanes {
public:
  explicit Lanes(arith::TruncFOp last)
      : lanes(cast<VectorType>(last.getType()).getNumElements()) {
    known = visit(last.getIn());
    while (known && !worklist.empty())
      known = visitUsers(worklist.pop_back_val());
  }

  /// Whether all of them are known, so that they can be in any order.
  bool canMove() const { return known && !widenings.empty(); }

  llvm::SmallSetVector<arith::ExtFOp, 4> widenings;
  llvm::SmallSetVector<arith::TruncFOp, 4> roundings;

private:
  bool isLanes(Type type) const {
    auto vector = dyn_cast<VectorType>(type);
    return vector && !vector.isScalable() && vector.getRank() == 1 &&
           vector.getNumElements() == lanes;
  }

  /// Takes `value` and what it is made of; false where that is not known.
  bool visit(Value value) {
    if (!isLanes(value.getType()))
      return false;
    DenseElementsAttr constant;
    if (matchPattern(value, m_Constant(&constant)))
      return constant.isSplat();
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
      return !isa<VectorType>(broadcast.getSourceType());
    if (!seen.insert(value).second)
      return true;
    worklist.push_back(value);
    if (auto ext = dyn_cast<arith::ExtFOp>(op); ext && isWidening(ext)) {
      widenings.insert(ext);
      return true;
    }
    return OpTrait::hasElementwiseMappableTraits(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return visit(operand); });
  }

  bool visitUsers(Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (auto trunc = dyn_cast<arith::TruncFOp>(user);
          trunc && isRounding(trunc)) {
        roundings.insert(trunc);
        return true;
      }
      return OpTrait::hasElementwiseMappableTraits(user) &&
             llvm::all_of(user->getResults(),
                          [&](Value result) { return visit(result); });
    });
  }

  int64_t lanes;
  bool known;
  DenseSet<Value> seen;
  SmallVector<Value> worklist;
};
} // namespace

static Value getUpperHalves(ImplicitLocOpBuilder &b, Value words) {
  Value mask = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(words.getType()),
                                b.getI32IntegerAttr(0xffff0000)));
  return arith::AndIOp::create(b, words, mask);
}

/// What `op` rounds, with the even lanes first, as bf16 in order.
static Value roundInOrder(ImplicitLocOpBuilder &b, arith::TruncFOp op) {
  auto result = cast<VectorType>(op.getType());
  int64_t half = result.getNumElements() / 2;
  auto round = [&](int64_t at) {
    return roundToUpperHalf(
        b, op,
        vector::ExtractStridedSliceOp::create(b, op.getIn(), at, half, 1));
  };
  Value even = round(0), odd = round(half);
  Value sixteen = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(even.getType()),
                                b.getI32IntegerAttr(16)));
  Value pairs = arith::OrIOp::create(
      b, arith::ShRUIOp::create(b, even, sixteen), getUpperHalves(b, odd));
  return vector::BitCastOp::create(b, result, pairs);
}

void cpu::moveLanesToWords(Operation *function, const CPUTarget &target) {
  // One instruction rounds two registers in order.
  if (target.hasBF16Rounding)
    return;
  SmallVector<arith::TruncFOp> candidates;
  function->walk([&](arith::TruncFOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    // Halves of whole registers.
    if (type && type.getRank() == 1 && !type.isScalable() && isRounding(op) &&
        type.getNumElements() % (2 * target.lanes(32)) == 0)
      candidates.push_back(op);
  });
  llvm::SmallSetVector<Operation *, 8> rounded;
  SmallVector<arith::ExtFOp> widenings;
  for (arith::TruncFOp op : candidates) {
    if (rounded.contains(op))
      continue;
    Lanes lanes(op);
    if (!lanes.canMove())
      continue;
    rounded.insert_range(lanes.roundings);
    llvm::append_range(widenings, lanes.widenings);
  }

  IRRewriter rewriter(function->getContext());
  for (arith::ExtFOp op : widenings) {
    rewriter.setInsertionPoint(op);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto trunc = op.getIn().getDefiningOp<arith::TruncFOp>();
    if (trunc && rounded.contains(trunc)) {
      Value words =
          getUpperHalves(b, roundToUpperHalf(b, trunc, trunc.getIn()));
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), words);
      continue;
    }
    rewriter.replaceOp(op, widenEvenFirst(b, op.getLoc(), op.getIn()));
  }
  for (Operation *op : rounded) {
    auto trunc = cast<arith::TruncFOp>(op);
    rewriter.setInsertionPoint(op);
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    rewriter.replaceOp(op, roundInOrder(b, trunc));
  }
}
