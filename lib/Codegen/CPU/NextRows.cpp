//===- NextRows.cpp - rows are asked for ahead ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "RowFusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;

/// The dimension of the source along which each step of `loop` has the next of
/// the rows that `slice` takes; nothing where these are no whole rows.
static std::optional<int64_t> getRowDim(tensor::ExtractSliceOp slice,
                                        scf::ForOp loop) {
  std::optional<int64_t> row;
  int64_t last = slice.getSourceType().getRank() - 1;
  if (last < 1 || !isConstantIntValue(loop.getStep(), 1) ||
      !slice.hasUnitStride() || slice.getDroppedDims().test(last) ||
      !isConstantIntValue(slice.getMixedOffsets()[last], 0))
    return std::nullopt;
  for (int64_t dim = 0; dim < last; ++dim) {
    if (!isConstantIntValue(slice.getMixedSizes()[dim], 1))
      return std::nullopt;
    if (slice.getMixedOffsets()[dim].dyn_cast<Value>() ==
        loop.getInductionVar())
      row = dim;
  }
  return row;
}

/// The reads of `slice`, of whole steps, in the last of the loops along a row
/// that have such; none where one loop has all of them.
static SmallVector<vector::TransferReadOp>
getLastReads(tensor::ExtractSliceOp slice, scf::ForOp rows) {
  scf::ForOp last;
  bool isOnly = true;
  SmallVector<vector::TransferReadOp> reads;
  for (Operation *user : slice->getUsers()) {
    auto read = dyn_cast<vector::TransferReadOp>(user);
    auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
    if (!read || !loop || loop->getParentOp() != rows || read.getMask() ||
        read.getVectorType().getRank() != 1 || read.hasOutOfBoundsDim() ||
        !read.getPermutationMap().isMinorIdentity() ||
        !isConstantIntValue(loop.getLowerBound(), 0))
      continue;
    // This has been here before.
    if (!loop.getOps<memref::PrefetchOp>().empty())
      return {};
    isOnly &= !last || last == loop;
    if (!last || last->isBeforeInBlock(loop)) {
      last = loop;
      reads.clear();
    }
    if (loop == last)
      reads.push_back(read);
  }
  return isOnly ? SmallVector<vector::TransferReadOp>() : reads;
}

/// Asks for what `read` reads of the row, of the one behind it.
static void askForNext(vector::TransferReadOp read,
                       tensor::ExtractSliceOp slice, int64_t rowDim,
                       Value buffer, Value next, int64_t locality) {
  OpBuilder b(read);
  SmallVector<Value> indices = getValueOrCreateConstantIndexOp(
      b, read.getLoc(), slice.getMixedOffsets());
  indices[rowDim] = next;
  indices.back() = read.getIndices().back();
  cpu::askForLines(b, read.getLoc(), buffer, indices, read.getVectorType(),
                   locality);
}

void cpu::askForNextRows(FunctionOpInterface function,
                         const CPUTarget &target) {
  if (!target.asksAlongRows())
    return;
  SmallVector<tensor::ExtractSliceOp> slices;
  function->walk(
      [&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  for (tensor::ExtractSliceOp slice : slices) {
    auto rows = dyn_cast<scf::ForOp>(slice->getParentOp());
    RankedTensorType type = slice.getSourceType();
    if (!rows || !rows.isDefinedOutsideOfLoop(slice.getSource()) ||
        type.getEncoding() || !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() < 8)
      continue;
    std::optional<int64_t> rowDim = getRowDim(slice, rows);
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    // What the second cache holds most of comes soon enough.
    if (!rowDim || (type.hasStaticShape() && type.getNumElements() * bytes <
                                                 int64_t(target.l2Bytes) / 4))
      continue;
    SmallVector<vector::TransferReadOp> reads = getLastReads(slice, rows);
    if (reads.empty())
      continue;
    // A row of what is read, one of what is written and the next one.
    constexpr int64_t kRows = 3, kFirst = 3, kSecond = 2;
    int64_t size = type.getShape().back();
    bool isShort = !ShapedType::isDynamic(size) &&
                   kRows * size * bytes <= int64_t(target.l1Bytes);
    Location loc = slice.getLoc();
    OpBuilder b(rows);
    Value buffer = bufferization::ToBufferOp::create(
        b, loc, bufferization::getMemRefTypeWithFullyDynamicLayout(type),
        slice.getSource(), /*read_only=*/true);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value last = arith::SubIOp::create(b, loc, rows.getUpperBound(), one);
    b.setInsertionPointToStart(rows.getBody());
    Value next = arith::AddIOp::create(b, loc, rows.getInductionVar(), one);
    next = arith::MinUIOp::create(b, loc, next, last);
    for (vector::TransferReadOp read : reads)
      askForNext(read, slice, *rowDim, buffer, next,
                 isShort ? kFirst : kSecond);
  }
}
