//===- SplitSlices.cpp - slices whose dropped dimensions are told ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether the strides of `value` as a buffer are known.
static bool hasKnownStrides(Value value) {
  while (cast<RankedTensorType>(value.getType()).hasStaticShape()) {
    Operation *maker = value.getDefiningOp();
    if (!isa_and_nonnull<bufferization::ToTensorOp, tensor::ExtractSliceOp,
                         tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp>(maker))
      return true;
    value = maker->getOperand(0);
    if (!isa<RankedTensorType>(value.getType()))
      return false;
  }
  return false;
}

/// Whether, by its strides, `slice` of `whole` may have dropped others than
/// `dropped`.
static bool isUnclear(OffsetSizeAndStrideOpInterface slice, Value whole,
                      const llvm::SmallBitVector &dropped) {
  if (dropped.none())
    return false;
  ArrayRef<int64_t> sizes = slice.getStaticSizes();
  for (auto [size, stride] : llvm::zip_equal(sizes, slice.getStaticStrides()))
    if (size != 1 && stride != 1)
      return true;
  if (hasKnownStrides(whole))
    return false;
  // Of neighbours it does not matter which.
  bool drops = false, keeps = false;
  for (int64_t d = 0, e = sizes.size(); d < e;) {
    bool dropsHere = false, keepsHere = false;
    for (; d < e && sizes[d] == 1; ++d)
      (dropped.test(d) ? dropsHere : keepsHere) = true;
    if ((dropsHere && keeps) || (keepsHere && drops))
      return true;
    drops |= dropsHere;
    keeps |= keepsHere;
    while (d < e && sizes[d] != 1)
      ++d;
  }
  return false;
}

/// The dimensions of a slice that belong to each one that it keeps.
static SmallVector<ReassociationIndices>
getGroups(const llvm::SmallBitVector &dropped) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices first;
  for (int64_t d = 0, e = dropped.size(); d < e; ++d) {
    if (!dropped.test(d))
      groups.push_back(groups.empty() ? std::exchange(first, {})
                                      : ReassociationIndices());
    (groups.empty() ? first : groups.back()).push_back(d);
  }
  return groups;
}

void mlir::amp::splitRankReducingSlices(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  function->walk([&](Operation *op) {
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      if (!isUnclear(slice, slice.getSource(), dropped))
        return;
      Value all = tensor::ExtractSliceOp::create(
          rewriter, loc, slice.getSource(), slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          slice, slice.getType(), all, getGroups(dropped));
    } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      if (!isUnclear(slice, slice.getDest(), dropped))
        return;
      auto type = slice.getSourceType().clone(slice.getStaticSizes());
      Value all = tensor::ExpandShapeOp::create(
          rewriter, loc, type, slice.getSource(), getGroups(dropped),
          slice.getMixedSizes());
      rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
          slice, all, slice.getDest(), slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
    }
  });
}
