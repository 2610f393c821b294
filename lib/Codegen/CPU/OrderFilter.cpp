//===- OrderFilter.cpp - filters with their reductions last
//----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with channels first is a product of its filter and of windows
// where all of the filter's reductions are behind its features, as one loop. In
// the gradient of an image (IOHW) they are not, and neither are they where a
// program keeps filters for channels last (HWIO). A copy of the filter in that
// order is small beside the products.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Normalize.h"

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether neighbours along loop `d` are apart in a dimension that `map`
/// indexes.
static bool isStrided(AffineMap map, unsigned d) {
  AffineExpr dim = getAffineDimExpr(d, map.getContext());
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto move = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(expr.replace(dim, dim + 1) - expr, map.getNumDims(),
                           map.getNumSymbols()));
    return move && move.getValue() > 1;
  });
}

std::function<void()> cpu::orderFilter(RewriterBase &rewriter,
                                       linalg::GenericOp op,
                                       const CPUTarget &target) {
  // Fewer pixels are not worth a copy. Vector loops over neighbours of 32 bits
  // are as fast, with as many registers as AVX-512 has, as long as the filter
  // is near.
  constexpr int64_t kLeastPixels = 32, kSecondCaches = 4;
  std::optional<ContractionBody> body;
  if (op.hasPureTensorSemantics())
    body = matchContractionBody(op);
  if (!body)
    return nullptr;
  OpOperand *image = op.getDpsInputOperand(body->lhs),
            *filter = op.getDpsInputOperand(body->rhs);
  if (!op.getMatchingIndexingMap(filter).isProjectedPermutation())
    std::swap(image, filter);
  AffineMap map = op.getMatchingIndexingMap(filter),
            places = op.getMatchingIndexingMap(image),
            result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = dyn_cast<RankedTensorType>(filter->get().getType());
  if (!map.isProjectedPermutation() || places.isProjectedPermutation() ||
      !result.isProjectedPermutation() || result.getNumResults() == 0 ||
      !type || !type.hasStaticShape() || type.getRank() == 0 ||
      !type.getElementType().isIntOrFloat() || type.getEncoding())
    return nullptr;
  int64_t pixels = 1;
  for (auto [d, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (result.isFunctionOfDim(d) && places.isFunctionOfDim(d))
      pixels *= ShapedType::isDynamic(size) ? kLeastPixels : size;
  unsigned last = result.getDimPosition(result.getNumResults() - 1);
  // Steps from one reduction to the next over what no near cache holds.
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  bool isFar = result.isFunctionOfDim(map.getDimPosition(type.getRank() - 1)) &&
               bytes >= kSecondCaches * int64_t(target.l2Bytes);
  bool isWellOff = type.getElementTypeBitWidth() >= 32 &&
                   target.hasMaskedMemory && !isStrided(places, last) && !isFar;
  if (pixels < kLeastPixels || isWellOff)
    return nullptr;

  // Reductions last, and in the order of the image.
  auto getRank = [&](int64_t dim) {
    unsigned d = map.getDimPosition(dim), rank = 0;
    if (!result.isFunctionOfDim(d))
      while (rank++ < places.getNumResults() &&
             !places.getResult(rank - 1).isFunctionOfDim(d))
        ;
    return std::pair(rank, dim);
  };
  auto order = llvm::to_vector_of<int64_t>(llvm::seq(type.getRank()));
  llvm::sort(order,
             [&](int64_t x, int64_t y) { return getRank(x) < getRank(y); });
  if (llvm::is_sorted(order))
    return nullptr;
  SmallVector<unsigned> positions(order.begin(), order.end());
  rewriter.setInsertionPoint(op);
  auto empty = tensor::EmptyOp::create(rewriter, op.getLoc(),
                                       applyPermutation(type.getShape(), order),
                                       type.getElementType());
  AffineMap all = rewriter.getMultiDimIdentityMap(type.getRank());
  auto turned = linalg::GenericOp::create(
      rewriter, op.getLoc(), empty.getType(), filter->get(), empty.getResult(),
      {inversePermutation(all.getSubMap(positions)), all},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
  Value source = filter->get();
  ArrayAttr before = op.getIndexingMaps();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[filter->getOperandNumber()] = map.getSubMap(positions);
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  filter->set(turned.getResult(0));
  return [=, &rewriter]() mutable {
    op.setIndexingMapsAttr(before);
    filter->set(source);
    rewriter.eraseOp(turned);
    rewriter.eraseOp(empty);
  };
}
