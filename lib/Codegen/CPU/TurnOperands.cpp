//===- TurnOperands.cpp - operands that lie across the vectors ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// An op whose operands have different innermost loops has no vector loop that
// all of them are contiguous along: each element would be read alone. A copy
// that lies along the loop moves them in squares of registers. Cheap
// elementwise ops have such squares of their own (planTranspose), and cheap
// reductions take half the time of such a copy element by element.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Normalize.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;

/// The loop that the last index of `operand` moves; none where that is no loop.
static std::optional<unsigned> getLastLoop(linalg::GenericOp op,
                                           OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last ? std::optional(last.getPosition()) : std::nullopt;
}

/// The inputs of `op` that lie across `loop`, where vectors along that are
/// worth a copy of them: those of which elements are used several times, and
/// others for bodies that are worth more, beside an operand of all loops that
/// stays. Else none.
static SmallVector<OpOperand *> getTurned(linalg::GenericOp op, unsigned loop) {
  SmallVector<OpOperand *> turned;
  bool isOnce = false, stays = false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isFunctionOfDim(loop))
      continue;
    if (map.getResults().back().isFunctionOfDim(loop)) {
      stays |= map.isPermutation();
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (op.isDpsInit(&operand) || !type || type.getEncoding() ||
        !map.isProjectedPermutation() || !cpu::isLane(type.getElementType()))
      return {};
    isOnce |= map.isPermutation() && !cpu::matchContractionBody(op);
    turned.push_back(&operand);
  }
  unsigned cost = 0;
  for (Operation &nested : op.getBlock()->without_terminator())
    cost += cpu::getCost(nested);
  if (isOnce && (!stays || cost <= cpu::kSquareCost))
    turned.clear();
  return turned;
}

/// A copy of `operand` whose last dimension is that which `loop` moves; `map`
/// becomes the one by which it is read.
static Value copyAlong(RewriterBase &rewriter, Location loc, Value operand,
                       AffineMap &map, unsigned loop) {
  unsigned rank = map.getNumResults();
  SmallVector<int64_t> order;
  int64_t place = 0;
  for (auto [d, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      place = d;
    else
      order.push_back(d);
  order.push_back(place);
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, operand);
  SmallVector<OpFoldResult> turned;
  SmallVector<AffineExpr> exprs, source(rank);
  for (auto [to, from] : llvm::enumerate(order)) {
    turned.push_back(sizes[from]);
    exprs.push_back(map.getResult(from));
    source[from] = rewriter.getAffineDimExpr(to);
  }
  map = AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
  Value init =
      tensor::EmptyOp::create(rewriter, loc, turned, type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), operand, init,
             ArrayRef<AffineMap>{
                 AffineMap::get(rank, 0, source, rewriter.getContext()),
                 rewriter.getMultiDimIdentityMap(rank)},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args[0]);
             })
      .getResult(0);
}

/// Copies the operands `turned` so that `op` may have vectors along `loop`.
/// Without success, where something else keeps it from these, nothing changes.
static bool turn(RewriterBase &rewriter, linalg::GenericOp op, unsigned loop,
                 ArrayRef<OpOperand *> turned, const cpu::CPUTarget &target) {
  ArrayAttr original = op.getIndexingMaps();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs = op.getInputs(), copies;
  rewriter.setInsertionPoint(op);
  rewriter.modifyOpInPlace(op, [&] {
    for (OpOperand *input : turned) {
      copies.push_back(copyAlong(rewriter, op.getLoc(), input->get(),
                                 maps[input->getOperandNumber()], loop));
      input->set(copies.back());
    }
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  if (!cpu::goesElementByElement(op, target))
    return true;
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputsMutable().assign(inputs);
    op.setIndexingMapsAttr(original);
  });
  for (Value copy : copies)
    rewriter.eraseOp(copy.getDefiningOp());
  return false;
}

void cpu::turnOperands(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics() || isPackableContraction(op, target) ||
        !goesElementByElement(op, target))
      continue;
    // The loop with the fewest copies, that of the result first.
    SmallVector<std::pair<unsigned, SmallVector<OpOperand *>>> choices;
    auto add = [&](OpOperand &operand) {
      std::optional<unsigned> loop = getLastLoop(op, operand);
      if (!loop || llvm::is_contained(llvm::make_first_range(choices), *loop))
        return;
      SmallVector<OpOperand *> turned = getTurned(op, *loop);
      if (!turned.empty())
        choices.emplace_back(*loop, turned);
    };
    for (OpOperand &init : op.getDpsInitsMutable())
      add(init);
    for (OpOperand *input : op.getDpsInputOperands())
      add(*input);
    auto tries = [&](unsigned copies) {
      return llvm::any_of(choices, [&](const auto &choice) {
        return choice.second.size() == copies &&
               turn(rewriter, op, choice.first, choice.second, target);
      });
    };
    for (unsigned copies = 1; copies <= op.getNumDpsInputs(); ++copies)
      if (tries(copies))
        break;
  }
}
