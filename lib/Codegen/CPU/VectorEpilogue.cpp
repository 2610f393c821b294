//===- VectorEpilogue.cpp - what follows a vector loop with reductions ----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums of a depthwise convolution, or of a window of a pool, are in
// registers when they are complete: a bias, an activation, a division by the
// number of elements and a cast are computed there, and what they make is
// stored, rather than the sums.
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

void VectorNest::planEpilogue() {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      vecIsReduction || strided || transposes || shortDim >= 0 ||
      stride(op.getDpsInitsMutable()[0]) != Stride::One)
    return;
  epilogue = Epilogue::collect(op, vecDim);
  if (epilogue->isEmpty())
    epilogue.reset();
}

SmallVector<Operation *> VectorNest::getLowered() const {
  SmallVector<Operation *> lowered = {op};
  if (epilogue)
    llvm::append_range(lowered, epilogue->getOps());
  return lowered;
}

SmallVector<Value> VectorNest::getReplaced() const {
  if (!epilogue)
    return llvm::to_vector_of<Value>(op->getResults());
  return llvm::map_to_vector(
      epilogue->getResults(),
      [](const Epilogue::Result &result) -> Value { return result.value; });
}

/// Where the results of the epilogue go; `own` is where the sums themselves do.
SmallVector<Value> VectorNest::prepareEpilogue(Value own) {
  SmallVector<Value> dests;
  for (auto [i, result] : llvm::enumerate(epilogue->getResults())) {
    if (result.value.getOwner() == op.getOperation()) {
      placeOfSums = i;
      dests.push_back(own);
      continue;
    }
    auto owner = cast<linalg::LinalgOp>(result.value.getOwner());
    Value dest = owner.getDpsInitOperand(result.value.getResultNumber())->get();
    // Every element is written: nothing of what was there is kept.
    if (!isa_and_nonnull<tensor::EmptyOp, tensor::ExtractSliceOp>(
            dest.getDefiningOp())) {
      auto type = cast<RankedTensorType>(dest.getType());
      dest =
          tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, dest),
                                  type.getElementType(), type.getEncoding());
    }
    dests.push_back(dest);
  }
  return dests;
}

/// Writes what the epilogue makes of `sums`, one vector for each row.
SmallVector<Value> VectorNest::finishTile(Tile tile, ArrayRef<Value> sums,
                                          ValueRange carried) {
  SmallVector<Value> next(carried);
  for (int64_t row = 0; row < tile.rows; ++row) {
    SmallVector<OpFoldResult> dims = dimValues(row, 0);
    for (unsigned d = 0; d < numLoops; ++d)
      if (isReductionDim(d))
        dims[d] = b.getIndexAttr(0);
    SmallVector<Value> made =
        epilogue->emit(b, loc, toVector(b, loc, sums[row], tile.lanes), dims,
                       tile.lanes, /*isInBounds=*/!tile.masked);
    for (auto [value, result, dest] :
         llvm::zip_equal(made, epilogue->getResults(), next)) {
      SmallVector<Value> at;
      for (AffineExpr expr : result.map.getResults())
        at.push_back(applyExpr(b, loc, expr, dims));
      dest = vector::TransferWriteOp::create(
                 b, loc, value, dest, at,
                 AffineMap::getMinorIdentityMap(at.size(), 1, b.getContext()),
                 ArrayRef<bool>{!tile.masked})
                 .getResult();
    }
  }
  return next;
}

SmallVector<linalg::GenericOp> cpu::getVectorEpilogue(linalg::LinalgOp op,
                                                      const CPUTarget &target) {
  OpBuilder b(op);
  VectorNest nest(b, op, target);
  std::string reason;
  if (failed(nest.plan(reason)))
    return {};
  nest.planEpilogue();
  SmallVector<linalg::GenericOp> ops;
  for (Operation *inner : llvm::drop_begin(nest.getLowered()))
    ops.push_back(cast<linalg::GenericOp>(inner));
  return ops;
}
