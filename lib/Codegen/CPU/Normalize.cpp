//===- Normalize.cpp - one form for the CPU schedules ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"

#include "ContractionPlan.h"
#include "Epilogue.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Whether the payload of `op` only converts its one input.
static bool isCastOnly(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 &&
         llvm::all_of(
             op.getBody()->without_terminator(), [](Operation &nested) {
               return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
                          arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
                          arith::UIToFPOp>(nested);
             });
}

/// Fuses an elementwise producer into its consumer where that computes nothing
/// twice: the producer has one user, which reads each element once. Into
/// contractions, which read elements often but pack them once, only casts go.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return true;
  bool castOnly = isCastOnly(producer);
  if (cpu::matchContractionBody(consumer))
    return castOnly;
  // Widening a value is cheaper than storing it wide.
  if (!castOnly && !operand->get().hasOneUse())
    return false;
  if (consumer.getNumReductionLoops() == 0 && castOnly)
    return true;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return map.isPermutation();
}

//===----------------------------------------------------------------------===//
// Collapsing
//===----------------------------------------------------------------------===//

/// Groups of neighbouring loops of one kind that every operand indexes either
/// with neighbouring dimensions in the same order or not at all.
static SmallVector<ReassociationIndices> collapsible(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto together = [&](unsigned d) {
    return kinds[d] == kinds[d + 1] && llvm::all_of(maps, [&](AffineMap map) {
             if (!map.isProjectedPermutation())
               return false;
             auto first =
                 map.getResultPosition(getAffineDimExpr(d, map.getContext()));
             auto second = map.getResultPosition(
                 getAffineDimExpr(d + 1, map.getContext()));
             if (!first || !second)
               return !first && !second;
             return *first + 1 == *second;
           });
  };
  SmallVector<ReassociationIndices> groups;
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    if (d > 0 && together(d - 1))
      groups.back().push_back(d);
    else
      groups.push_back({d});
  }
  return groups;
}

/// Leaves only those of `groups` together that are no rows.
static void splitRows(SmallVectorImpl<ReassociationIndices> &groups,
                      ArrayRef<unsigned> rows) {
  SmallVector<ReassociationIndices> next;
  for (ReassociationIndices &group : groups) {
    if (!llvm::is_contained(rows, unsigned(group.front()))) {
      next.push_back(group);
      continue;
    }
    for (int64_t dim : group)
      next.push_back({dim});
  }
  groups.assign(next);
}

void cpu::collapseLoops(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  DenseMap<Operation *, SmallVector<unsigned>> rowsOf;
  DenseSet<Operation *> onTiles;
  for (linalg::GenericOp op : ops) {
    if (!isPackableContraction(op, target))
      continue;
    std::optional<Roles> roles = matchRoles(op);
    Epilogue epilogue = Epilogue::collect(op, roles->n);
    if (epilogue.isEmpty())
      continue;
    rowsOf[op] = roles->rows;
    for (linalg::GenericOp inner : epilogue.getOps())
      onTiles.insert(inner);
  }
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
        onTiles.contains(op))
      continue;
    SmallVector<ReassociationIndices> groups = collapsible(op);
    if (auto rows = rowsOf.find(op); rows != rowsOf.end())
      splitRows(groups, rows->second);
    if (groups.size() == op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> result =
        linalg::collapseOpIterationDims(op, groups, rewriter);
    if (succeeded(result))
      rewriter.replaceOp(op, result->results);
  }
  // A reshaped empty tensor is an empty tensor.
  RewritePatternSet patterns(function->getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

LogicalResult cpu::normalize(FunctionOpInterface function) {
  MLIRContext *context = function->getContext();
  decomposeAggregates(function);
  {
    RewritePatternSet patterns(context);
    linalg::populateDecomposePadPatterns(patterns);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return function->emitOpError("could not be brought into linalg form");
  }
  generalizeNamedOps(function);
  {
    RewritePatternSet patterns(context);
    populateFreshInitPatterns(patterns);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::populateInlineConstantOperandsPatterns(patterns);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      return function->emitOpError("did not settle while fusing its ops");
  }
  return success();
}
