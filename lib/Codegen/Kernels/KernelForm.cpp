//===- KernelForm.cpp - the forms before and in kernels -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "HostPatterns.h"
#include "KernelOps.h"
#include "OutlineKernel.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The word for what the payloads of `group` do, beside their casts.
static std::string describeMap(const KernelGroup &group) {
  SmallVector<StringRef> names;
  bool isMoved = false, isRepeated = false;
  for (Operation *op : group.ops) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || isa<linalg::FillOp>(op)) {
      names.push_back(op->getName().stripDialect());
      continue;
    }
    for (AffineMap map : linalgOp.getIndexingMapsArray()) {
      isMoved |= map.isPermutation() && !map.isIdentity();
      isRepeated |= map.getNumResults() < map.getNumDims();
    }
    for (Operation &nested : linalgOp.getBlock()->without_terminator())
      if (isa<tensor::ExtractOp>(nested))
        names.push_back("gather");
      else if (!isa<CastOpInterface, arith::ConstantOp, linalg::IndexOp>(
                   nested))
        names.push_back(nested.getName().stripDialect());
  }
  if (names.empty())
    return isMoved ? "transpose" : isRepeated ? "broadcast" : "cast";
  if (!llvm::all_equal(names))
    return "map";
  StringRef name = names.front();
  if (name.ends_with("f") && name != "erf")
    name = name.drop_back();
  return name.str();
}

std::string kernels::describeGroup(const KernelGroup &group) {
  if (group.kind == KernelKind::Map)
    return describeMap(group);
  if (group.kind == KernelKind::Attention)
    return "attention";
  auto root = cast<linalg::LinalgOp>(group.root);
  bool hasMultiply = llvm::any_of(*root.getBlock(), [](Operation &op) {
    return isa<arith::MulFOp, arith::MulIOp>(op);
  });
  if (group.kind == KernelKind::Contraction) {
    bool isProjected =
        llvm::all_of(root.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation();
        });
    if (isProjected)
      return "matmul";
    return hasMultiply ? "conv" : "pool";
  }
  unsigned numReductions = llvm::count_if(group.ops, [](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalgOp.getNumReductionLoops() > 0;
  });
  if (root.getNumParallelLoops() == 0 && numReductions == 1)
    return "full_reduction";
  if (group.kind == KernelKind::ColumnReduction)
    return "column_reduction";
  bool hasExp = false, hasRoot = false, hasIndex = false;
  for (Operation *op : group.ops)
    op->walk([&](Operation *nested) {
      hasExp |= isa<math::ExpOp, math::Exp2Op>(nested);
      hasRoot |= isa<math::RsqrtOp, math::SqrtOp>(nested);
      hasIndex |= isa<linalg::IndexOp>(nested);
    });
  if (hasExp)
    return "softmax";
  if (hasRoot)
    return "norm";
  return hasIndex ? "arg_reduction" : "row_reduction";
}

//===----------------------------------------------------------------------===//
// Host functions
//===----------------------------------------------------------------------===//

/// Adds the canonicalizations of all loaded dialects and ops.
static void addCanonicalizations(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
}

/// Whether `value` is given by an op that a map or a row reduction may join.
static bool isGivenByRows(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && describe(op).kind != KernelKind::Contraction;
}

/// Whether elementwise ops lead from a contraction to `value`: they are its
/// epilogue.
static bool followsContraction(Value value,
                               SmallPtrSetImpl<Operation *> &seen) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !seen.insert(op).second)
    return false;
  if (op.getNumReductionLoops() > 0)
    return describe(op).kind == KernelKind::Contraction;
  return llvm::any_of(op.getInputs(), [&](Value input) {
    return followsContraction(input, seen);
  });
}

/// Whether what reads `value` goes over its elements as the elementwise ops
/// beside it do: a contraction keeps its own loops.
static bool joinsReaders(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    auto reader = dyn_cast<linalg::GenericOp>(user);
    return reader && describe(reader).kind != KernelKind::Contraction;
  });
}

/// Whether to take a reshape through the elementwise op beside it, so that the
/// op has the loops of the op on the other side of the reshape: not where that
/// would part it from a contraction, which keeps its loops.
static bool shouldExpand(OpOperand *operand) {
  if (!operand->get().hasOneUse())
    return false;
  linalg::GenericOp op;
  bool joins;
  if (isa<tensor::ExpandShapeOp>(operand->getOwner())) {
    op = operand->get().getDefiningOp<linalg::GenericOp>();
    joins = joinsReaders(operand->getOwner()->getResult(0));
  } else {
    op = dyn_cast<linalg::GenericOp>(operand->getOwner());
    auto reshape = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
    joins = reshape && isGivenByRows(reshape.getSrc());
  }
  if (!op || !joins || op.getNumReductionLoops() > 0 || op.hasDynamicShape())
    return false;
  SmallPtrSet<Operation *, 8> seen;
  return llvm::none_of(op.getInputs(), [&](Value value) {
    return followsContraction(value, seen);
  });
}

/// Whether shouldExpand takes `reshape` through `cast`, which reads it, if the
/// cast comes first.
static bool isExpanded(linalg::GenericOp cast, tensor::ExpandShapeOp reshape) {
  SmallPtrSet<Operation *, 8> seen;
  return joinsReaders(cast.getResult(0)) && !cast.hasDynamicShape() &&
         !followsContraction(reshape.getSrc(), seen);
}

/// Adds what keeps the form small while other patterns work.
static void addFolds(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  linalg::populateInlineConstantOperandsPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
}

LogicalResult kernels::normalizeHost(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  if (failed(lowerOtherDialects(function)))
    return failure();
  decomposeAggregates(function, /*allowReciprocals=*/true);
  {
    RewritePatternSet patterns(context);
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    populateStaticShapePatterns(patterns);
    populateUnitStridePatterns(patterns);
    populateSimplerMathPatterns(patterns);
    if (failed(applyUntilSettled(function, std::move(patterns),
                                 "brought into linalg form")))
      return failure();
  }
  generalizeNamedOps(function);
  // Dimensions of size one first: fills are seen as fills afterwards.
  IRRewriter rewriter(context);
  function.walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      sliceToLoops(rewriter, op);
  });
  for (bool isFirst : {true, false}) {
    RewritePatternSet patterns(context);
    if (isFirst) {
      linalg::ControlDropUnitDims unitDims;
      linalg::populateFoldUnitExtentDimsPatterns(patterns, unitDims);
      populateLowerTensorOpPatterns(patterns);
    } else {
      populateSeparateInitPatterns(patterns);
      populateHoistCastPatterns(patterns, isExpanded);
      linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldExpand);
    }
    addFolds(patterns);
    if (failed(applyUntilSettled(
            function, std::move(patterns),
            "brought into the form that kernels are made of")))
      return failure();
  }
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}

LogicalResult kernels::cleanHost(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  addCanonicalizations(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  // Not settling is no error: every step leaves valid IR.
  (void)applyPatternsGreedily(function, std::move(patterns));
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether to fuse the elementwise producer of `operand` into its reader in a
/// kernel: elementwise ops become one. What is computed once for a row stays
/// apart in a kernel that reduces, and so does what a reduction reads:
/// schedules keep it in registers.
static bool shouldFuse(OpOperand *operand, bool hasReduction) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || consumer.getNumReductionLoops() > 0)
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  bool isSameSpace = map.isPermutation();
  if (hasReduction && !isSameSpace && !describe(producer).isCheap)
    return false;
  if (operand->get().hasOneUse() && producer->getNumResults() == 1)
    return true;
  // Beside reductions, what is read twice may be needed at different times.
  if (!isSameSpace || (hasReduction && describe(producer).isExpensive))
    return false;
  // The fused op takes the consumer's place: other readers must come after it.
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    return user == consumer || consumer->isBeforeInBlock(user);
  });
}

/// Lets the op that gives a result write the destination of this result.
static void connectDestinations(func::FuncOp kernel) {
  Operation *end = kernel.front().getTerminator();
  unsigned first = kernel.getNumArguments() - end->getNumOperands();
  for (auto [index, value] : llvm::enumerate(end->getOperands())) {
    BlockArgument destination = kernel.getArgument(first + index);
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (!op)
      continue;
    OpOperand *init = op.getTiedOpOperand(cast<OpResult>(value));
    Operation *def = init->get().getDefiningOp();
    if (!op.payloadUsesValueFromOperand(init)) {
      init->set(destination);
    } else if (isa_and_present<linalg::FillOp>(def)) {
      OpBuilder b(op);
      Operation *fill = b.clone(*def);
      fill->setOperand(1, destination);
      init->set(fill->getResult(0));
    }
  }
}

/// Removes the inputs that nothing in `kernel` needs any more.
static void dropUnusedInputs(func::FuncOp kernel, LaunchOp launch) {
  for (unsigned index = launch.getInputs().size(); index > 0; --index) {
    if (!kernel.getArgument(index - 1).use_empty())
      continue;
    (void)kernel.eraseArgument(index - 1);
    launch.getInputsMutable().erase(index - 1);
  }
}

LogicalResult kernels::simplifyKernel(func::FuncOp kernel, LaunchOp &launch) {
  MLIRContext *context = kernel.getContext();
  bool hasReduction = false, canCollapse = true;
  kernel.walk([&](linalg::LinalgOp op) {
    hasReduction |= op.getNumReductionLoops() > 0;
    canCollapse &= describe(op).kind != KernelKind::Contraction;
  });
  IRRewriter rewriter(context);
  do {
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [hasReduction](OpOperand *operand) {
          return shouldFuse(operand, hasReduction);
        });
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::populateInlineConstantOperandsPatterns(patterns);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    addCanonicalizations(patterns);
    if (failed(applyUntilSettled(kernel, std::move(patterns),
                                 "its ops are fused")))
      return failure();
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  } while (mergeMaps(kernel));
  if (canCollapse)
    collapseRows(kernel, launch);
  connectDestinations(kernel);
  (void)runRegionDCE(rewriter, kernel->getRegions());
  dropUnusedInputs(kernel, launch);
  return success();
}
