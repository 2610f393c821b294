//===- VectorOrder.cpp - the order of loops around tiles ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// The parallel loops from the outside in, those of sums as the first result
/// lies in memory. Where rows share what the vector loop reads (a filter, a
/// matrix), the loops that it does not depend on go inside the vector loop, so
/// that one slice of it stays in the cache; not where all of it does. Where the
/// vector loop reads another operand, too, that rows do not share (an image),
/// they go inside of a loop over blocks of the vector loop, of so many elements
/// that their slice fits: of one tile's columns a processor would read a line
/// of the cache of each pixel, many of which are a power of two apart.
SmallVector<int> VectorNest::loopOrder() {
  SmallVector<OpOperand *> shared;
  int64_t sharedBytes = 0;
  bool readsOwn = false;
  for (OpOperand *in : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(in);
    if (rowDim < 0 || !map.isFunctionOfDim(vecDim))
      continue;
    if (map.isFunctionOfDim(rowDim)) {
      readsOwn = true;
      continue;
    }
    shared.push_back(in);
    sharedBytes += getStaticBytes(cast<ShapedType>(in->get().getType()))
                       .value_or(target.l1Bytes);
  }
  auto sharedDependsOn = [&](unsigned d) {
    return llvm::any_of(shared, [&](OpOperand *in) {
      return op.getMatchingIndexingMap(in).isFunctionOfDim(d);
    });
  };
  bool reuse = rowDim >= 0 && !vecIsReduction && !transposes && shortDim < 0 &&
               sharedBytes > target.l1Bytes / 2;
  SmallVector<int> outer, inner;
  for (unsigned d = 0; d < numLoops; ++d)
    if (!isReductionDim(d) && static_cast<int>(d) != vecDim &&
        static_cast<int>(d) != rowDim)
      (reuse && !sharedDependsOn(d) ? inner : outer).push_back(d);
  // Named convolutions have their channels last, wherever these lie.
  if (op.getNumReductionLoops() > 0)
    for (SmallVector<int> *loops : {&outer, &inner})
      llvm::sort(*loops, [&](int a, int b) {
        return std::pair(getPlace(a), a) < std::pair(getPlace(b), b);
      });
  if (reuse && readsOwn)
    planBlocks(sharedBytes);
  bool vecFirst = reuse && blockSize == 0;
  if (vecFirst)
    outer.push_back(vecDim);
  else if (blockSize > 0 && blockSize < sizes[vecDim])
    outer.push_back(kBlocks);
  llvm::append_range(outer, inner);
  if (rowDim >= 0)
    outer.push_back(rowDim);
  if (!vecFirst && !vecIsReduction)
    outer.push_back(vecDim);
  return outer;
}

/// The dimension of the first result that loop `dim` moves.
unsigned VectorNest::getPlace(int dim) {
  ArrayRef<AffineExpr> results =
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults();
  return llvm::find_if(
             results,
             [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); }) -
         results.begin();
}

/// Chooses blocks of the vector loop, whole tiles each, of whose elements the
/// operands that rows share take a half of the first cache; of `sharedBytes`
/// they have as many for each. As many blocks of the same size, if up to twice
/// as many have.
void VectorNest::planBlocks(int64_t sharedBytes) {
  int64_t size = sizes[vecDim];
  if (ShapedType::isDynamic(size) || sharedBytes < size)
    return;
  int64_t most = int64_t(target.l1Bytes) / 2 / (sharedBytes / size);
  if (most <= lanes)
    return;
  int64_t count = llvm::divideCeil(size, most);
  blockSize = llvm::alignTo(llvm::divideCeil(size, count), lanes);
  for (int64_t n = count; n <= 2 * count; ++n)
    if (size % (n * lanes) == 0) {
      blockSize = size / n;
      return;
    }
}

/// The loops inside of that over blocks, of a whole one or the rest.
SmallVector<Value> VectorNest::emitBlock(ArrayRef<int> order, Tile tile,
                                         bool full, ValueRange carried) {
  OpFoldResult size = std::exchange(
      bounds[vecDim],
      b.getIndexAttr(full ? blockSize : sizes[vecDim] % blockSize));
  blockStart = ivs[vecDim];
  SmallVector<Value> results = parallelLoops(order, tile, carried);
  blockStart = Value();
  bounds[vecDim] = size;
  return results;
}

/// The place in the vector loop that is `iv` in its block.
Value VectorNest::inBlock(Value iv) {
  if (!blockStart)
    return iv;
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  return applyExpr(b, loc, s0 + s1, {blockStart, iv});
}
