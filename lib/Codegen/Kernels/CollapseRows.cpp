//===- CollapseRows.cpp - leading dimensions of a kernel become one -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

namespace {

/// The dimensions of all tensors and loops of a kernel, by what indexes what.
class DimClasses {
public:
  /// Fails if the kernel holds an op whose loops do not tell all.
  LogicalResult collect(func::FuncOp kernel);

  /// Neighbouring loops of `op` that may become one.
  SmallVector<ReassociationIndices> getGroups(linalg::GenericOp op);

  SmallVector<linalg::GenericOp> ops;

private:
  /// A number for the dimension `dim` of `value`.
  unsigned number(Value value, unsigned dim) {
    auto [it, isNew] = first.insert({value, next});
    if (isNew)
      next += cast<RankedTensorType>(value.getType()).getRank();
    return it->second + dim;
  }
  unsigned getClass(Value value, unsigned dim) {
    return classes.getOrInsertLeaderValue(number(value, dim));
  }

  llvm::MapVector<Value, unsigned> first;
  llvm::DenseMap<std::pair<Operation *, unsigned>, unsigned> loops;
  unsigned next = 0;
  llvm::EquivalenceClasses<unsigned> classes;
  /// Pairs of classes that are neighbours in each tensor that has one of them.
  llvm::DenseSet<std::pair<unsigned, unsigned>> pairs;
};

} // namespace

LogicalResult DimClasses::collect(func::FuncOp kernel) {
  for (Operation &op : kernel.front().without_terminator()) {
    if (isa<tensor::EmptyOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.hasDynamicShape() || linalgOp.hasIndexSemantics())
      return failure();
    for (unsigned loop = 0; loop < linalgOp.getNumLoops(); ++loop)
      loops[{&op, loop}] = next++;
    auto link = [&](Value value, AffineMap map) {
      if (!map.isProjectedPermutation())
        return failure();
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        classes.unionSets(
            number(value, dim),
            loops[{&op, cast<AffineDimExpr>(expr).getPosition()}]);
      return success();
    };
    for (OpOperand &operand : op.getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          failed(
              link(operand.get(), linalgOp.getMatchingIndexingMap(&operand))))
        return failure();
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      if (failed(link(linalgOp.getTiedOpResult(&init),
                      linalgOp.getMatchingIndexingMap(&init))))
        return failure();
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      ops.push_back(generic);
  }
  // Neighbours everywhere, and not the innermost dimension of anything of full
  // rank: the rows of a buffer may be apart.
  llvm::MapVector<std::pair<unsigned, unsigned>, bool> found;
  unsigned maxRank = 0;
  for (auto &[value, start] : first)
    maxRank = std::max<unsigned>(
        maxRank, cast<RankedTensorType>(value.getType()).getRank());
  for (auto &[value, start] : first) {
    unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
    for (unsigned dim = 0; dim + 1 < rank; ++dim) {
      auto pair =
          std::make_pair(getClass(value, dim), getClass(value, dim + 1));
      bool &isGood = found.insert({pair, true}).first->second;
      isGood &= dim + 2 < rank || rank < maxRank;
    }
  }
  for (auto &[pair, isGood] : found) {
    if (!isGood)
      continue;
    bool isTogether = true;
    for (auto &[value, start] : first) {
      unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
      for (unsigned dim = 0; dim < rank; ++dim) {
        unsigned current = getClass(value, dim);
        if (current == pair.first)
          isTogether &=
              dim + 1 < rank && getClass(value, dim + 1) == pair.second;
        if (current == pair.second)
          isTogether &= dim > 0 && getClass(value, dim - 1) == pair.first;
      }
    }
    if (isTogether)
      pairs.insert(pair);
  }
  // Each op must be able to follow.
  for (linalg::GenericOp op : ops) {
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    llvm::DenseMap<unsigned, unsigned> position;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      position[classes.getOrInsertLeaderValue(loops[{op, loop}])] = loop;
    for (auto &[pair, isGood] : found) {
      auto a = position.find(pair.first), b = position.find(pair.second);
      if (a == position.end() && b == position.end())
        continue;
      if (a == position.end() || b == position.end() ||
          a->second + 1 != b->second || kinds[a->second] != kinds[b->second])
        pairs.erase(pair);
    }
  }
  return success();
}

SmallVector<ReassociationIndices> DimClasses::getGroups(linalg::GenericOp op) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    unsigned current = classes.getOrInsertLeaderValue(loops[{op, loop}]);
    if (loop > 0 &&
        pairs.contains(
            {classes.getOrInsertLeaderValue(loops[{op, loop - 1}]), current}))
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  }
  return groups;
}

/// Moves reshapes at the border of `kernel` to its launch, where they are
/// views.
static void moveReshapesOut(func::FuncOp kernel, LaunchOp &launch) {
  IRRewriter rewriter(kernel.getContext());
  Operation *end = kernel.front().getTerminator();
  unsigned numInputs = launch.getInputs().size();
  SmallVector<Value> inputs(launch.getInputs()), outputs(launch.getOutputs());
  Location loc = launch.getLoc();
  for (unsigned index = 0; index < numInputs; ++index) {
    BlockArgument argument = kernel.getArgument(index);
    if (argument.use_empty())
      continue;
    auto reshape = dyn_cast<tensor::CollapseShapeOp>(*argument.user_begin());
    if (!reshape || !llvm::all_of(argument.getUsers(), [&](Operation *user) {
          auto other = dyn_cast<tensor::CollapseShapeOp>(user);
          return other &&
                 other.getReassociation() == reshape.getReassociation();
        }))
      continue;
    rewriter.setInsertionPoint(launch);
    inputs[index] = tensor::CollapseShapeOp::create(
        rewriter, loc, reshape.getType(), inputs[index],
        reshape.getReassociationIndices());
    argument.setType(reshape.getType());
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      rewriter.replaceOp(user, argument);
  }
  SmallVector<tensor::ExpandShapeOp> expanded(outputs.size());
  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto reshape =
        end->getOperand(index).getDefiningOp<tensor::ExpandShapeOp>();
    BlockArgument destination = kernel.getArgument(numInputs + index);
    if (!reshape || !destination.use_empty())
      continue;
    expanded[index] = reshape;
    RankedTensorType type = reshape.getSrcType();
    rewriter.setInsertionPoint(launch);
    output = tensor::CollapseShapeOp::create(rewriter, loc, type, output,
                                             reshape.getReassociationIndices());
    destination.setType(type);
    end->setOperand(index, reshape.getSrc());
  }
  rewriter.setInsertionPoint(launch);
  auto fresh = LaunchOp::create(rewriter, loc, ValueRange(outputs).getTypes(),
                                launch.getKernel(), inputs, outputs);
  fresh->setDiscardableAttrs(launch->getDiscardableAttrDictionary().getValue());
  SmallVector<Value> results;
  for (auto [index, result] : llvm::enumerate(fresh.getResults())) {
    if (tensor::ExpandShapeOp reshape = expanded[index])
      results.push_back(tensor::ExpandShapeOp::create(
          rewriter, loc, reshape.getType(), result,
          reshape.getReassociationIndices()));
    else
      results.push_back(result);
  }
  rewriter.replaceOp(launch, results);
  launch = fresh;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(kernel.front())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  kernel.setFunctionType(rewriter.getFunctionType(
      kernel.front().getArgumentTypes(), end->getOperandTypes()));
}

void kernels::collapseRows(func::FuncOp kernel, LaunchOp &launch) {
  DimClasses dims;
  if (failed(dims.collect(kernel)))
    return;
  IRRewriter rewriter(kernel.getContext());
  bool changed = false;
  SmallVector<SmallVector<ReassociationIndices>> groups;
  for (linalg::GenericOp op : dims.ops)
    groups.push_back(dims.getGroups(op));
  for (auto [op, group] : llvm::zip_equal(dims.ops, groups)) {
    if (group.size() == op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> result =
        linalg::collapseOpIterationDims(op, group, rewriter);
    if (failed(result))
      continue;
    rewriter.replaceOp(op, result->results);
    changed = true;
  }
  if (!changed)
    return;
  RewritePatternSet patterns(kernel.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       kernel.getContext());
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     kernel.getContext());
  linalg::FillOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  (void)applyPatternsGreedily(kernel, std::move(patterns));
  moveReshapesOut(kernel, launch);
}
