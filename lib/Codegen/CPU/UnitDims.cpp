//===- UnitDims.cpp - dimensions of one element that are in the way -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A column, tensor<Nx1>, is contiguous in memory, but not along any index that
// vectors are read by; and a loop of one iteration along the last index hides
// the one that could be a vector. Where that is why an op would go element by
// element, these dimensions are dropped. Not everywhere: a reshape between two
// ops keeps what follows a contraction from its tiles, and what is inserted
// into a larger tensor from being computed there.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "Normalize.h"

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` is a matrix times a column, which a register tile would have
/// one useful lane for: without that index it is a matrix times a vector. Of a
/// convolution with one filter, which is not packed either, pixels are
/// neighbours then.
static bool makesColumn(linalg::GenericOp op, const cpu::CPUTarget &target) {
  std::optional<cpu::Roles> roles = cpu::matchRoles(op);
  return roles && roles->sizes[roles->n] == 1 &&
         (roles->aMap.isProjectedPermutation() ||
          cpu::hasFewFilters(*roles, target));
}

/// Whether `op` reads, or makes, what lost its dimensions: it follows, so that
/// both stay next to each other.
static bool continues(linalg::GenericOp op,
                      const DenseSet<Operation *> &dropped) {
  return llvm::any_of(op->getOperands(),
                      [&](Value value) {
                        auto expand =
                            value.getDefiningOp<tensor::ExpandShapeOp>();
                        return expand && dropped.contains(
                                             expand.getSrc().getDefiningOp());
                      }) ||
         llvm::any_of(op->getUsers(), [&](Operation *user) {
           return isa<tensor::CollapseShapeOp>(user) &&
                  llvm::any_of(user->getUsers(), [&](Operation *reader) {
                    return dropped.contains(reader);
                  });
         });
}

void cpu::dropUnitDims(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  // Fills that start no sums: a generic has indices to drop.
  SmallVector<linalg::FillOp> fills;
  function->walk([&](linalg::FillOp fill) {
    if (fill.hasPureTensorSemantics() &&
        llvm::none_of(fill->getUsers(), llvm::IsaPred<linalg::LinalgOp>) &&
        goesElementByElement(fill, target))
      fills.push_back(fill);
  });
  for (linalg::FillOp fill : fills) {
    rewriter.setInsertionPoint(fill);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, fill);
    if (succeeded(generic))
      ops.push_back(*generic);
  }
  linalg::ControlDropUnitDims control;
  DenseSet<Operation *> dropped;
  bool changed = true;
  while (changed) {
    changed = false;
    for (linalg::GenericOp &op : ops) {
      bool isPacked = op && isPackableContraction(op, target);
      bool inTheWay = op && (makesColumn(op, target) ||
                             (!isPacked && (continues(op, dropped) ||
                                            goesElementByElement(op, target))));
      if (!inTheWay)
        continue;
      sliceToLoops(rewriter, op);
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::DropUnitDimsResult> result =
          linalg::dropUnitDims(rewriter, op, control);
      // Nothing to drop, now or later.
      if (succeeded(result)) {
        rewriter.replaceOp(op, result->replacements);
        dropped.insert(result->resultOp);
        changed = true;
      }
      op = nullptr;
    }
  }
  if (dropped.empty())
    return;
  // Reshapes of neighbours cancel, and a reshaped fill is a fill.
  RewritePatternSet patterns(function->getContext());
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, control);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
