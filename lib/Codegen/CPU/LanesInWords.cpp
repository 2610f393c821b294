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
// each register, and narrowing shuffles across it (where one instruction rounds
// two registers, what it gives is put in order). Neither do sums that loops
// carry, which are put in order behind the loop, nor the elements of a buffer
// of f32 that no one else sees, such as the exponentials of a softmax.
//
//===----------------------------------------------------------------------===//

#include "LanesInWords.h"

#include "Emit.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

bool cpu::isBehindWholeVectors(Value index, Value end) {
  scf::ForOp loop = scf::getForInductionVarOwner(index);
  if (loop && loop->hasAttr(kBehindWholeVectorsAttrName))
    return true;
  std::optional<int64_t> first = getConstantIntValue(index);
  std::optional<int64_t> known = end ? getConstantIntValue(end) : std::nullopt;
  return first && known && *first >= *known;
}

/// The transfers of whole vectors of `lanes` elements of `buffer`, one of f32
/// that is made here: along its rows, from the first element on up to a bound
/// that no other access is in front of. None where there may be others, which
/// would see another order of lanes.
static SmallVector<VectorTransferOpInterface> getWholeVectors(Value buffer,
                                                              int64_t lanes) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getElementType().isF32() ||
      !type.getLayout().isIdentity() ||
      !isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
          buffer.getDefiningOp()))
    return {};
  SmallVector<VectorTransferOpInterface> whole;
  SmallVector<Value> others;
  Value bound;
  for (Operation *user : buffer.getUsers()) {
    if (isa<memref::DeallocOp, memref::DimOp>(user))
      continue;
    auto transfer = dyn_cast<VectorTransferOpInterface>(user);
    if (!transfer || transfer.getBase() != buffer || transfer.getMask() ||
        isa<vector::MaskOp>(user->getParentOp()) ||
        transfer.getVectorType().getRank() != 1 ||
        !transfer.getPermutationMap().isMinorIdentity())
      return {};
    Value index = transfer.getIndices().back();
    scf::ForOp loop = scf::getForInductionVarOwner(index);
    if (!loop || transfer.hasOutOfBoundsDim() ||
        transfer.getVectorType().getNumElements() != lanes ||
        !isConstantIntValue(loop.getLowerBound(), 0) ||
        !isConstantIntValue(loop.getStep(), lanes)) {
      others.push_back(index);
      continue;
    }
    Value end = loop.getUpperBound();
    if (bound && !isEqualConstantIntOrValue(bound, end))
      return {};
    bound = end;
    whole.push_back(transfer);
  }
  bool areBehind = llvm::all_of(others, [&](Value index) {
    return cpu::isBehindWholeVectors(index, bound);
  });
  return areBehind ? whole : SmallVector<VectorTransferOpInterface>();
}

/// Of a constant or a broadcast, whether it is the same in all lanes.
static std::optional<bool> isSameInLanes(Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return !isa<VectorType>(broadcast.getSourceType());
  return std::nullopt;
}

namespace {
/// Vectors of `lanes` elements that elementwise ops make of each other, between
/// roundings to bf16 and what is widened from it or is the same in all lanes,
/// through what loops carry and buffers of whole vectors.
class Lanes {
public:
  explicit Lanes(Value first)
      : lanes(cast<VectorType>(first.getType()).getNumElements()) {
    known = visit(first);
    while (known && !worklist.empty())
      known = visitUsers(worklist.pop_back_val());
  }

  /// Whether all of them are known, so that they can be in any order.
  bool canMove() const { return known && !widenings.empty(); }

  llvm::SmallSetVector<arith::ExtFOp, 4> widenings;
  llvm::SmallSetVector<arith::TruncFOp, 4> roundings;
  /// What loops carry of them.
  llvm::SmallSetVector<OpResult, 4> carried;
  /// All that were looked at.
  DenseSet<Value> seen;

private:
  static constexpr uint64_t kFewVectors = 4;

  bool isLanes(Type type) const {
    auto vector = dyn_cast<VectorType>(type);
    return vector && !vector.isScalable() && vector.getRank() == 1 &&
           vector.getNumElements() == lanes;
  }

  /// Takes `value` and what it is made of; false where that is not known.
  bool visit(Value value) {
    if (!isLanes(value.getType()))
      return false;
    if (std::optional<bool> isSame = isSameInLanes(value))
      return *isSame;
    if (!seen.insert(value).second)
      return true;
    worklist.push_back(value);
    Operation *op = value.getDefiningOp();
    if (!op)
      return visitCarried(cast<BlockArgument>(value));
    if (auto ext = dyn_cast<arith::ExtFOp>(op); ext && isWidening(ext)) {
      widenings.insert(ext);
      return true;
    }
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      return visitTransfer(read);
    return OpTrait::hasElementwiseMappableTraits(op) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return visit(operand); });
  }

  /// Takes what a loop carries as `argument`. It starts from the same in all
  /// lanes, and there are more vectors than it takes to put it in order.
  bool visitCarried(BlockArgument argument) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return false;
    std::optional<APInt> count = loop.getStaticTripCount();
    if (count && count->ult(kFewVectors))
      return false;
    carried.insert(loop.getTiedLoopResult(argument));
    return isSameInLanes(loop.getTiedLoopInit(argument)->get())
               .value_or(false) &&
           visit(loop.getTiedLoopYieldedValue(argument)->get());
  }

  /// Takes all whole vectors of a buffer of which `transfer` moves one; false
  /// where it moves another, or where they may be seen otherwise.
  bool visitTransfer(VectorTransferOpInterface transfer) {
    if (transfers.contains(transfer))
      return true;
    SmallVector<VectorTransferOpInterface> whole =
        getWholeVectors(transfer.getBase(), lanes);
    transfers.insert_range(whole);
    return transfers.contains(transfer) &&
           llvm::all_of(whole, [&](VectorTransferOpInterface each) {
             auto write =
                 dyn_cast<vector::TransferWriteOp>(each.getOperation());
             return visit(write ? write.getVector() : each->getResult(0));
           });
  }

  bool visitUsers(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto trunc = dyn_cast<arith::TruncFOp>(user);
          trunc && isRounding(trunc)) {
        roundings.insert(trunc);
        return true;
      }
      if (auto write = dyn_cast<vector::TransferWriteOp>(user))
        return write.getVector() == value && visitTransfer(write);
      if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
          loop && isa<scf::YieldOp>(user))
        return visit(loop.getRegionIterArg(use.getOperandNumber()));
      return OpTrait::hasElementwiseMappableTraits(user) &&
             llvm::all_of(user->getResults(),
                          [&](Value result) { return visit(result); });
    });
  }

  int64_t lanes;
  bool known;
  DenseSet<Operation *> transfers;
  SmallVector<Value> worklist;
};
} // namespace

static Value getUpperHalves(ImplicitLocOpBuilder &b, Value words) {
  Value mask = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(words.getType()),
                                b.getI32IntegerAttr(0xffff0000)));
  return arith::AndIOp::create(b, words, mask);
}

/// What `op` rounds, with the even lanes first, as bf16 in order, by an
/// instruction that rounds two registers into one: there a register of even
/// lanes is in front of the odd ones between them.
static Value roundRegistersInOrder(ImplicitLocOpBuilder &b, arith::TruncFOp op,
                                   int64_t lanes) {
  auto result = cast<VectorType>(op.getType());
  int64_t count = result.getNumElements();
  Value pairs = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(op.getIn().getType())));
  SmallVector<int64_t> order;
  for (int64_t at = 0; at < count; at += 2 * lanes) {
    for (int64_t odd : {0, 1}) {
      Value part = vector::ExtractStridedSliceOp::create(
          b, op.getIn(), odd * count / 2 + at / 2, lanes, 1);
      pairs = vector::InsertStridedSliceOp::create(
          b, part, pairs, at + odd * lanes, int64_t(1));
    }
    for (int64_t lane = 0; lane < 2 * lanes; ++lane)
      order.push_back(at + lane % 2 * lanes + lane / 2);
  }
  auto rounded = cast<arith::TruncFOp>(b.clone(*op));
  rounded.getInMutable().assign(pairs);
  Value codes =
      arith::BitcastOp::create(b, result.clone(b.getI16Type()), rounded);
  codes = vector::ShuffleOp::create(b, codes, codes, order);
  return arith::BitcastOp::create(b, result, codes);
}

/// The same by arithmetic on words.
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

/// `vector` in order, which has the even lanes first.
static Value putInOrder(ImplicitLocOpBuilder &b, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < lanes; ++lane)
    order.push_back(lane % 2 * (lanes / 2) + lane / 2);
  return vector::ShuffleOp::create(b, vector, vector, order);
}

void cpu::moveLanesToWords(Operation *function, const CPUTarget &target) {
  SmallVector<Value> candidates;
  // Halves of whole registers.
  auto addCandidate = [&](Value value) {
    auto type = dyn_cast<VectorType>(value.getType());
    if (type && type.getRank() == 1 && !type.isScalable() &&
        type.getNumElements() % (2 * target.lanes(32)) == 0)
      candidates.push_back(value);
  };
  function->walk([&](Operation *op) {
    auto trunc = dyn_cast<arith::TruncFOp>(op);
    if (trunc && isRounding(trunc))
      addCandidate(trunc.getIn());
    // Sums of loops.
    auto ext = dyn_cast<arith::ExtFOp>(op);
    if (ext && isWidening(ext) && isa<scf::ForOp>(ext->getParentOp()))
      addCandidate(ext);
  });
  llvm::SmallSetVector<Operation *, 8> rounded, widened;
  llvm::SmallSetVector<OpResult, 4> carried;
  DenseSet<Value> seen;
  for (Value value : candidates) {
    if (seen.contains(value))
      continue;
    Lanes lanes(value);
    seen.insert_range(lanes.seen);
    if (!lanes.canMove())
      continue;
    rounded.insert_range(lanes.roundings);
    widened.insert_range(lanes.widenings);
    carried.insert_range(lanes.carried);
  }

  IRRewriter rewriter(function->getContext());
  for (OpResult result : carried) {
    if (result.use_empty())
      continue;
    rewriter.setInsertionPointAfter(result.getOwner());
    ImplicitLocOpBuilder b(result.getLoc(), rewriter);
    Value ordered = putInOrder(b, result);
    rewriter.replaceAllUsesExcept(result, ordered, ordered.getDefiningOp());
  }
  for (Operation *op : widened) {
    auto ext = cast<arith::ExtFOp>(op);
    rewriter.setInsertionPoint(op);
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    auto trunc = ext.getIn().getDefiningOp<arith::TruncFOp>();
    if (trunc && rounded.contains(trunc)) {
      // As the lanes are.
      if (target.hasBF16Rounding) {
        ext.getInMutable().assign(b.clone(*trunc)->getResult(0));
        continue;
      }
      Value words =
          getUpperHalves(b, roundToUpperHalf(b, trunc, trunc.getIn()));
      rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, ext.getType(), words);
      continue;
    }
    rewriter.replaceOp(op, widenEvenFirst(b, op->getLoc(), ext.getIn()));
  }
  for (Operation *op : rounded) {
    auto trunc = cast<arith::TruncFOp>(op);
    rewriter.setInsertionPoint(op);
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    rewriter.replaceOp(op,
                       target.hasBF16Rounding
                           ? roundRegistersInOrder(b, trunc, target.lanes(32))
                           : roundInOrder(b, trunc));
  }
}
