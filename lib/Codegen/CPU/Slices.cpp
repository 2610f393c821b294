//===- Slices.cpp - slices whose elements are apart -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice of every second element, such as the halves that a rotary embedding
// turns, is a buffer whose rows have gaps: vectors of it would be put together
// from single elements. A linalg op that reads the elements between them, too,
// by an indexing map, takes whole vectors and shuffles them.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "VectorNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::amp;

int64_t cpu::getStepOfRows(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!slice || !type || type.getRank() == 0)
    return 1;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  int64_t step = 1;
  for (int64_t d = shape.size(); d-- > 0;) {
    if (!dropped.test(d)) {
      int64_t stride = slice.getStaticStrides()[d];
      return ShapedType::isDynamic(stride) ? 0 : step * stride;
    }
    if (ShapedType::isDynamic(shape[d]))
      return 0;
    step *= shape[d];
  }
  return 1;
}

bool cpu::areOneInMemory(Value value, unsigned dim) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return true;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned d = 0, e = dropped.size(); d < e; ++d)
    if (!dropped.test(d))
      kept.push_back(d);
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  // All of what is between two places of the outer one belongs to the slice.
  for (unsigned d = kept[dim] + 1; d <= kept[dim + 1]; ++d)
    if (ShapedType::isDynamic(shape[d]) ||
        slice.getStaticSizes()[d] != shape[d] ||
        slice.getStaticStrides()[d] != 1)
      return false;
  return slice.getStaticStrides()[kept[dim]] == 1 ||
         slice.getStaticSizes()[kept[dim]] == 1;
}

/// The number of elements from the first to the last of `size` elements that
/// are `stride` apart.
static OpFoldResult getExtent(RewriterBase &rewriter, Location loc,
                              OpFoldResult size, int64_t stride) {
  if (stride == 1)
    return size;
  AffineExpr s = rewriter.getAffineSymbolExpr(0);
  AffineMap map = AffineMap::get(0, 1, {s * stride - (stride - 1), s * 0},
                                 rewriter.getContext());
  return affine::makeComposedFoldedAffineMax(rewriter, loc, map, size);
}

/// An op that reads what `slice` holds from a slice without gaps in the rows.
static void readThroughGaps(RewriterBase &rewriter,
                            tensor::ExtractSliceOp slice) {
  Location loc = slice.getLoc();
  rewriter.setInsertionPoint(slice);
  RankedTensorType type = slice.getType();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> sizes, extents;
  SmallVector<AffineExpr> at;
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(slice.getMixedSizes())) {
    int64_t stride = slice.getStaticStrides()[d];
    extents.push_back(getExtent(rewriter, loc, size, stride));
    if (dropped.test(d))
      continue;
    at.push_back(rewriter.getAffineDimExpr(at.size()) * stride);
    sizes.push_back(size);
    shape.push_back(
        getConstantIntValue(extents.back()).value_or(ShapedType::kDynamic));
  }
  SmallVector<OpFoldResult> ones(extents.size(), rewriter.getIndexAttr(1));
  Value source = tensor::ExtractSliceOp::create(
      rewriter, loc, type.clone(shape), slice.getSource(),
      slice.getMixedOffsets(), extents, ones);
  int64_t rank = type.getRank();
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, at, rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(rank)};
  auto read = linalg::GenericOp::create(
      rewriter, loc, init.getType(), source, init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.front());
      });
  Value result = read.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(slice, result);
}

void cpu::readStridedSlices(FunctionOpInterface function) {
  SmallVector<tensor::ExtractSliceOp> slices;
  function->walk([&](tensor::ExtractSliceOp slice) {
    int64_t step = getStepOfRows(slice);
    // With dropped dimensions behind it the row has no elements between.
    if (step > 1 && step <= kFew && slice.getType().getShape().back() != 1 &&
        step == slice.getStaticStrides().back() &&
        llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic))
      slices.push_back(slice);
  });
  IRRewriter rewriter(function->getContext());
  for (tensor::ExtractSliceOp slice : slices)
    readThroughGaps(rewriter, slice);
}
