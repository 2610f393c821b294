//===- ArrangeContractions.cpp - reductions innermost ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroups multiply operands of 8 bits that are contiguous along the
// reduction, and no others.
//
//===----------------------------------------------------------------------===//

#include "HostPatterns.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::amp;

/// Results of so few rows or columns, with so few bytes of operands, are
/// multiplied by kernels that read any layout.
static constexpr int64_t kMinExtent = 33, kMinBytes = 64 * 1024;

/// What a size that is not known counts as.
static constexpr int64_t kUnknown = 4096;

/// What warpgroups multiply 8 bits with, and what kernels for any layout do, in
/// operations of a microsecond, and how many bytes a transposition moves in
/// one. The first is from measurements of hand-made kernels on an H200; the
/// others are less than half of what the device has, and not measured.
static constexpr double kFastRate = 1.0e9, kOtherRate = 3.0e8, kMoved = 1.5e6;

/// Whether `value` is computed from weights and constants alone, so that what
/// is done with it is done once, in `init`.
static bool isFixed(Value value) {
  auto isWeight = [](BlockArgument argument) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function && function.getArgAttr(argument.getArgNumber(),
                                           AMPDialect::kWeightAttrName);
  };
  llvm::SetVector<Operation *> slice;
  if (Operation *op = value.getDefiningOp()) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    if (failed(getBackwardSlice(op, &slice, options)))
      return false;
  } else if (!isWeight(cast<BlockArgument>(value))) {
    return false;
  }
  return llvm::all_of(slice, [&](Operation *op) {
    return isMemoryEffectFree(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             auto argument = dyn_cast<BlockArgument>(operand);
             return !argument || isWeight(argument);
           });
  });
}

/// The product of the sizes of `loops`.
static double getProduct(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops) {
  double result = 1;
  for (unsigned loop : loops)
    result *=
        double(ShapedType::isDynamic(sizes[loop]) ? kUnknown : sizes[loop]);
  return result;
}

namespace {

/// A contraction of 8 bits reads a transposed operand.
struct PutReductionInnermost : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
        op.getNumDpsInits() != 1 || !linalg::isaContractionOpInterface(op))
      return failure();
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (failed(dims) || dims->k.size() != 1 || dims->m.empty() ||
        dims->n.empty())
      return failure();
    // Of floats or integers both, with sums of 32 bits.
    Type sum = getElementTypeOrSelf(op.getDpsInits()[0]);
    for (Value input : op.getDpsInputs()) {
      Type element = getElementTypeOrSelf(input);
      bool isInteger = element.isInteger(8);
      if ((!isInteger && !isa<Float8E4M3FNType, Float8E5M2Type>(element)) ||
          (isInteger ? !sum.isInteger(32) : !sum.isF32()))
        return failure();
    }
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    double rows = getProduct(sizes, dims->m),
           columns = getProduct(sizes, dims->n),
           depth = getProduct(sizes, dims->k),
           batch = getProduct(sizes, dims->batch);
    if (std::min(rows, columns) < kMinExtent &&
        std::max(rows, columns) * depth < kMinBytes)
      return failure();

    AffineExpr k = getAffineDimExpr(dims->k.front(), op->getContext());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs(op.getDpsInputs());
    double slower =
        2 * batch * rows * columns * depth * (1 / kOtherRate - 1 / kFastRate);
    // Both, or none: only with both do warpgroups multiply.
    double moves = 0;
    SmallVector<unsigned> moved;
    for (unsigned number : {0, 1}) {
      std::optional<unsigned> at = maps[number].getResultPosition(k);
      if (!at || !maps[number].isProjectedPermutation())
        return failure();
      if (*at == maps[number].getNumResults() - 1)
        continue;
      moved.push_back(number);
      // What turns around twice does not move.
      auto turned = inputs[number].getDefiningOp<linalg::TransposeOp>();
      bool isBack = turned && turned.getPermutation()[*at] ==
                                  int64_t(maps[number].getNumResults()) - 1;
      if (!isBack && !isFixed(inputs[number]))
        moves +=
            1 + 2 * batch * (number == 0 ? rows : columns) * depth / kMoved;
    }
    if (moved.empty() || moves >= slower)
      return failure();

    Location loc = op.getLoc();
    for (unsigned number : moved) {
      SmallVector<int64_t> order;
      SmallVector<AffineExpr> results;
      for (auto [i, expr] : llvm::enumerate(maps[number].getResults()))
        if (expr != k) {
          order.push_back(static_cast<int64_t>(i));
          results.push_back(expr);
        }
      order.push_back(*maps[number].getResultPosition(k));
      results.push_back(k);
      maps[number] =
          AffineMap::get(op.getNumLoops(), 0, results, op->getContext());
      SmallVector<OpFoldResult> shape =
          tensor::getMixedSizes(rewriter, loc, inputs[number]);
      applyPermutationToVector(shape, order);
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, shape, getElementTypeOrSelf(inputs[number]));
      inputs[number] = linalg::TransposeOp::create(rewriter, loc,
                                                   inputs[number], empty, order)
                           .getResult()[0];
    }
    auto generic = linalg::GenericOp::create(
        rewriter, loc, op->getResultTypes(), inputs, op.getDpsInits(), maps,
        op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().end());
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      generic->setAttr(attribute.getName(), attribute.getValue());
    auto function = op->getParentOfType<func::FuncOp>();
    remark::passed(loc, remark::RemarkOpts::name("ContractionArranged")
                            .category("amp")
                            .function(function ? function.getName() : ""))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::metric("Operands", moved.size() == 2    ? "both"
                                      : moved.front() == 0 ? "left"
                                                           : "right");
    rewriter.replaceOp(op, generic);
    return success();
  }
};

} // namespace

void kernels::populateArrangeContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<PutReductionInnermost>(patterns.getContext());
  // What the program transposes already may be transposed back.
  linalg::TransposeOp::getCanonicalizationPatterns(patterns,
                                                   patterns.getContext());
}
