//===- Repeated.cpp - what an op computes again and again -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A norm of channels that are last takes the square root of each channel's
// variance for each pixel. Nothing moves it out of a loop: the innermost loop
// is that of channels. It becomes an op of its own, which computes it once for
// each channel.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Normalize.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` takes longer than to load what it gives.
static bool isExpensive(Operation *op) {
  return isa<arith::DivFOp, arith::RemFOp>(op) ||
         (isa<math::MathDialect>(op->getDialect()) &&
          !isa<math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FmaOp>(op));
}

namespace {
/// The values of the body of one op of parallel loops.
class Body {
public:
  explicit Body(linalg::GenericOp op) : op(op) {
    for (OpOperand &operand : op->getOpOperands())
      loops.insert({op.getMatchingBlockArgument(&operand), getLoops(operand)});
    for (Operation &nested : op.getBody()->without_terminator()) {
      llvm::SmallBitVector all(op.getNumLoops());
      for (Value operand : nested.getOperands())
        all |= lookup(operand);
      if (!isPure(&nested) || nested.getNumRegions() > 0)
        all.set();
      for (Value result : nested.getResults())
        loops.insert({result, all});
    }
  }

  /// What is worth to be computed once, and is no part of another such value.
  SmallVector<Value> getRepeated() {
    SmallVector<Value> repeated;
    for (Operation &nested : op.getBody()->without_terminator())
      for (Value result : nested.getResults())
        if (isRepeated(result) &&
            llvm::any_of(result.getUsers(), [&](Operation *user) {
              return user->hasTrait<OpTrait::IsTerminator>() ||
                     lookup(user->getResult(0)) != lookup(result);
            }))
          repeated.push_back(result);
    return repeated;
  }

  /// A tensor of `value` for each step of the loops that it depends on, and the
  /// map to it.
  std::pair<Value, AffineMap> compute(RewriterBase &b, Value value) {
    Location loc = value.getLoc();
    SmallVector<OpFoldResult> sizes = cpu::getLoopSizes(b, op), shape;
    SmallVector<AffineExpr> own(op.getNumLoops(), b.getAffineConstantExpr(0)),
        whole;
    for (unsigned loop : lookup(value).set_bits()) {
      own[loop] = b.getAffineDimExpr(shape.size());
      whole.push_back(b.getAffineDimExpr(loop));
      shape.push_back(sizes[loop]);
    }
    unsigned rank = shape.size();
    SetVector<Operation *> slice = getSlice(value);
    SmallVector<Value> inputs;
    SmallVector<BlockArgument> arguments;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (llvm::none_of(argument.getUsers(),
                        [&](Operation *user) { return slice.contains(user); }))
        continue;
      inputs.push_back(input->get());
      arguments.push_back(argument);
      maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(
          own, {}, rank, 0));
    }
    maps.push_back(b.getMultiDimIdentityMap(rank));
    Value empty = tensor::EmptyOp::create(b, loc, shape, value.getType());
    auto computed = linalg::GenericOp::create(
        b, loc, empty.getType(), inputs, empty, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [&](OpBuilder &nested, Location at, ValueRange args) {
          IRMapping mapping;
          for (auto [argument, now] : llvm::zip(arguments, args))
            mapping.map(argument, now);
          for (Operation *each : slice)
            nested.clone(*each, mapping);
          linalg::YieldOp::create(nested, at, mapping.lookup(value));
        });
    return {computed.getResult(0),
            AffineMap::get(op.getNumLoops(), 0, whole, b.getContext())};
  }

private:
  /// The loops that an element of `operand` depends on; all of them where it
  /// is written.
  llvm::SmallBitVector getLoops(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isKnown = op.isDpsInput(&operand) && map.isProjectedPermutation();
    llvm::SmallBitVector used(op.getNumLoops(), !isKnown);
    if (isKnown)
      for (AffineExpr expr : map.getResults())
        used.set(cast<AffineDimExpr>(expr).getPosition());
    return used;
  }

  llvm::SmallBitVector lookup(Value value) {
    auto it = loops.find(value);
    // From around the op.
    return it == loops.end() ? llvm::SmallBitVector(op.getNumLoops())
                             : it->second;
  }

  /// The ops of the body that give `value`, in their order.
  SetVector<Operation *> getSlice(Value value) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *each) {
      return each->getBlock() == op.getBody();
    };
    SetVector<Operation *> slice;
    (void)getBackwardSlice(value.getDefiningOp(), &slice, options);
    return slice;
  }

  /// Whether `value` is expensive, depends on the innermost loop, and is the
  /// same in so many steps of those around it that a tensor of it is worth to
  /// be written and read.
  bool isRepeated(Value value) {
    constexpr int64_t kLeastTimes = 4;
    unsigned last = op.getNumLoops() - 1;
    llvm::SmallBitVector own = lookup(value);
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t times = 1;
    for (unsigned loop = 0; loop < last; ++loop)
      if (!own.test(loop))
        times *= ShapedType::isDynamic(sizes[loop]) ? kLeastTimes : sizes[loop];
    return value.getType().isIntOrFloat() && !value.getType().isInteger(1) &&
           own.test(last) && sizes[last] != 1 && times >= kLeastTimes &&
           llvm::any_of(getSlice(value), isExpensive);
  }

  linalg::GenericOp op;
  DenseMap<Value, llvm::SmallBitVector> loops;
};
} // namespace

void cpu::computeRepeatedOnce(FunctionOpInterface function) {
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && !op.hasIndexSemantics() &&
        op.getNumLoops() > 1 && op.getNumParallelLoops() == op.getNumLoops())
      ops.push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  bool changed = false;
  for (linalg::GenericOp op : ops) {
    Body body(op);
    SmallVector<Value> repeated = body.getRepeated();
    if (repeated.empty())
      continue;
    changed = true;
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (Value value : repeated) {
      auto [tensor, map] = body.compute(rewriter, value);
      maps.insert(maps.begin() + inputs.size(), map);
      inputs.push_back(tensor);
    }
    auto now = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
        maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location, ValueRange args) {
          IRMapping mapping;
          unsigned before = op.getNumDpsInputs(), more = repeated.size();
          for (auto [i, argument] :
               llvm::enumerate(op.getBody()->getArguments()))
            mapping.map(argument, args[i < before ? i : i + more]);
          for (Operation &nested : *op.getBody()) {
            b.clone(nested, mapping);
            // The copy vanishes, as nothing reads it.
            for (auto [i, value] : llvm::enumerate(repeated))
              if (value.getDefiningOp() == &nested)
                mapping.map(value, args[before + i]);
          }
        });
    now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, now.getResults());
  }
  if (!changed)
    return;
  RewritePatternSet patterns(function->getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns,
                                                 function->getContext());
  (void)applyPatternsGreedily(function, std::move(patterns));
}
