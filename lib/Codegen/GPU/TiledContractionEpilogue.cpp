//===- TiledContractionEpilogue.cpp - from accumulators to results --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledContraction.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

void TiledContraction::emitEpilogue(ValueRange accumulators) {
  int64_t bytes = c.accType.getIntOrFloatBitWidth() / 8;
  int64_t warps = grid.getThreads() / 32;
  int64_t pitch = Slab::getPitch(grid.getWarpN());
  int64_t slabBytes = warps * Slab::kRows * pitch * bytes;
  auto placeholder =
      arith::ConstantIntOp::create(at.b, at.loc, builder.getI1Type(), 1);
  SmallVector<scf::IfOp> branches;
  for (int64_t slab = 0; slab < grid.getWarpM() / Slab::kRows; ++slab) {
    // Every warp has a room of its own.
    if (slab > 0)
      emitWarpBarrier(at.b, at.loc);
    slabs = viewShared(c.accType, 0, slabBytes);
    storeSlab(slab, accumulators);
    emitWarpBarrier(at.b, at.loc);
    if (width == 1) {
      emitPieces(slab, slabBytes);
      continue;
    }
    auto branch = scf::IfOp::create(at.b, at.loc, TypeRange(), placeholder,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    emitPieces(slab, slabBytes);
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
    int64_t vectorWidth = std::exchange(width, 1);
    emitPieces(slab, slabBytes);
    width = vectorWidth;
    branches.push_back(branch);
  }
  evaluator->forget();
  if (branches.empty())
    return;
  // What the vectors need is known only now; it is the same for all slabs.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(placeholder);
  SmallVector<Value> conditions;
  addMultipleOf(sizes[c.n.back()], width, conditions);
  Value isAligned =
      emitAlignmentCheck(builder, at.loc, branches.front().getThenRegion());
  for (Value condition : conditions)
    isAligned = both(isAligned, condition);
  for (scf::IfOp branch : branches)
    if (isAligned)
      branch.getConditionMutable().assign(isAligned);
    else // Always.
      branch.getElseRegion().getBlocks().clear();
}

/// Applies the kernel's other ops to a slab, and stores what comes out.
void TiledContraction::emitPieces(int64_t slab, int64_t slabBytes) {
  evaluator->forget();
  // A view of this region's own: no address of shared memory is in question.
  slabs = viewShared(c.accType, 0, slabBytes);
  int64_t pieces = Slab::kRows * grid.getWarpN() / width;
  auto index = [&](int64_t value) { return IndexValue(value).get(at); };
  auto loop =
      scf::ForOp::create(at.b, at.loc, index(0), index(pieces), index(32));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitResults(slab, IndexValue(at, loop.getInductionVar()) + lane);
}

void TiledContraction::storeSlab(int64_t slab, ValueRange accumulators) {
  int64_t pitch = Slab::getPitch(grid.getWarpN());
  int64_t bytes = c.accType.getIntOrFloatBitWidth() / 8;
  IndexValue base = warpNumber * (Slab::kRows * pitch);
  auto store = [&](Value vector, IndexValue row, IndexValue col) {
    int64_t count = cast<VectorType>(vector.getType()).getNumElements();
    vector::StoreOp::create(
        at.b, at.loc, vector, slabs, (base + row * pitch + col).get(at),
        /*nontemporal=*/false,
        llvm::MaybeAlign(std::min<int64_t>(count * bytes, 16)));
  };
  if (!c.mma) {
    for (int64_t reg : {0, 1})
      for (int64_t j : {0, 1})
        store(accumulators[(2 * slab + reg) * 2 + j], (lane >> 2) * 2 + reg,
              FmaLanes::col(lane, 4 * j));
    return;
  }
  auto pair = VectorType::get({2}, c.accType);
  int64_t tilesN = grid.getWarpN() / 8;
  for (int64_t j = 0; j < tilesN; ++j)
    for (unsigned reg : {0u, 2u}) {
      Coord<IndexValue> coord = MmaFragments::c(lane, reg);
      int64_t first = (slab * tilesN + j) * 4 + reg;
      store(vector::FromElementsOp::create(
                at.b, at.loc, pair,
                ValueRange{accumulators[first], accumulators[first + 1]}),
            coord.row, coord.col + 8 * j);
    }
}

void TiledContraction::emitResults(int64_t slab, IndexValue number) {
  int64_t perRow = grid.getWarpN() / width;
  int64_t pitch = Slab::getPitch(grid.getWarpN());
  IndexValue row = number / perRow, col = (number % perRow) * width;
  slabPosition = warpNumber * (Slab::kRows * pitch) + row * pitch + col;
  IndexValue warpRow =
      c.mma ? Slab::mmaRow(slab, row) : Slab::fmaRow(slab, row);
  IndexValue m = block.row + warp.row + warpRow, n = block.col + warp.col + col;
  // Either all of a vector is inside, or nothing: N's inner size is a multiple
  // of it.
  Value inside =
      both(IndexValue::less(at, m, sizeM), IndexValue::less(at, n, sizeN));
  auto branch = scf::IfOp::create(at.b, at.loc, inside, /*withElse=*/false);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  resultIteration = iteration;
  for (auto [loop, index] : llvm::zip(c.m, delinearize(m, c.m)))
    resultIteration[loop] = index;
  for (auto [loop, index] : llvm::zip(c.n, delinearize(n, c.n)))
    resultIteration[loop] = index;
  SmallVector<Value> loops;
  for (const IndexValue &index : resultIteration)
    loops.push_back(index.get(at));
  func::FuncOp source = kernel.function;
  ValueRange results = source.getBody().front().getTerminator()->getOperands();
  for (auto [number, result] : llvm::enumerate(results)) {
    SmallVector<Value> indices;
    for (AffineExpr expr : c.results[number])
      indices.push_back(
          affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
    Value value = evaluator->emit(at.b, at.loc, result, indices, width);
    if (width > 1)
      value = Evaluator::toVector(at.b, at.loc, value, width);
    Value buffer = arguments[kernel.getNumInputs() + number];
    if (width == 1) {
      memref::StoreOp::create(at.b, at.loc, value, buffer, indices);
      continue;
    }
    auto type = cast<VectorType>(value.getType());
    vector::StoreOp::create(
        at.b, at.loc, value, buffer, indices, /*nontemporal=*/false,
        llvm::MaybeAlign(width * type.getElementTypeBitWidth() / 8));
  }
}

Value TiledContraction::readAccumulator(ValueRange indices, int64_t count) {
  IndexValue position = slabPosition;
  SmallVector<Value> loops;
  for (const IndexValue &index : resultIteration)
    loops.push_back(index.get(at));
  // One element of the vector that the epilogue is at, which it could not take
  // as a whole.
  if (width > 1 && count == 1) {
    unsigned inner = c.n.back();
    position = position +
               (IndexValue(at, indices.back()) - IndexValue(at, loops[inner]));
    loops[inner] = indices.back();
  }
  int64_t bytes = c.accType.getIntOrFloatBitWidth() / 8;
  Value sum;
  if (count == 1)
    sum = memref::LoadOp::create(at.b, at.loc, slabs, position.get(at));
  else
    sum = vector::LoadOp::create(
        at.b, at.loc, VectorType::get({count}, c.accType), slabs,
        position.get(at), /*nontemporal=*/false,
        llvm::MaybeAlign(std::min<int64_t>(count * bytes, 16)));
  if (!c.hasInit)
    return sum;
  OpOperand &init = *c.op.getDpsInitOperand(0);
  Value initial = evaluator->emitOperand(at.b, init, loops, count,
                                         count > 1 ? c.n.back() : -1);
  if (count > 1)
    initial = Evaluator::toVector(at.b, at.loc, initial, count);
  if (isa<FloatType>(c.accType))
    return arith::AddFOp::create(at.b, at.loc, initial, sum);
  return arith::AddIOp::create(at.b, at.loc, initial, sum);
}
