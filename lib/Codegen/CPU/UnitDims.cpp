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

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` is a matrix times a column, which a register tile would have
/// one useful lane for: without that index it is a matrix times a vector.
static bool makesColumn(linalg::GenericOp op) {
  std::optional<cpu::Roles> roles = cpu::matchRoles(op);
  return roles && roles->sizes[roles->n] == 1 &&
         roles->aMap.isProjectedPermutation();
}

/// Whether `op` is elementwise and reads what lost its dimensions: it follows,
/// so that it stays next to what it reads.
static bool continues(linalg::GenericOp op,
                      const DenseSet<Operation *> &dropped) {
  return op.getNumReductionLoops() == 0 &&
         llvm::any_of(op->getOperands(), [&](Value value) {
           auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
           return expand && dropped.contains(expand.getSrc().getDefiningOp());
         });
}

void cpu::dropUnitDims(FunctionOpInterface function, const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  linalg::ControlDropUnitDims control;
  DenseSet<Operation *> dropped;
  for (linalg::GenericOp op : ops) {
    if (!op.hasPureTensorSemantics())
      continue;
    bool inTheWay = continues(op, dropped) || makesColumn(op) ||
                    (!isPackableContraction(op, target) &&
                     goesElementByElement(op, target));
    if (!inTheWay)
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::DropUnitDimsResult> result =
        linalg::dropUnitDims(rewriter, op, control);
    if (failed(result))
      continue;
    rewriter.replaceOp(op, result->replacements);
    dropped.insert(result->resultOp);
  }
  if (dropped.empty())
    return;
  // Reshapes of neighbours cancel, and a reshaped fill is a fill.
  RewritePatternSet patterns(function->getContext());
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, control);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
