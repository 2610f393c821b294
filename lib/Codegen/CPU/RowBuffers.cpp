//===- RowBuffers.cpp - whole registers in rows of unknown length ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops on the same rows keep them in a buffer of their own. Where a row is as
// long as the program finds it, its last register is stored masked and read
// again, and such a read waits until the store has reached the cache. A buffer
// that is as long as whole registers are takes all of them: what is read past
// the end is masked after it was read.
//
//===----------------------------------------------------------------------===//

#include "RowFusion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// A tensor of rows that nothing but loops over vectors read and write.
class RowBuffer {
public:
  explicit RowBuffer(bufferization::AllocTensorOp alloc) : alloc(alloc) {}

  /// Whether it is one, and the last registers of its rows are whole where the
  /// rows are as long as such registers.
  bool match();
  void pad(RewriterBase &rewriter);

private:
  bool visit(OpOperand &use);
  template <typename TransferOp>
  bool addTransfer(TransferOp op);
  bool isSize(Value value);
  bool stepsWhole(Value index, int64_t lanes);

  bufferization::AllocTensorOp alloc;
  /// What the buffer is called in and after loops.
  SetVector<Value> names;
  SmallVector<scf::ForOp> loops;
  SmallVector<tensor::DimOp> dims;
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<vector::TransferWriteOp> writes;
  /// Of the widest register.
  int64_t mostLanes = 1;
};
} // namespace

/// Adds what is masked; false where it is no register of neighbours in a row.
template <typename TransferOp>
bool RowBuffer::addTransfer(TransferOp op) {
  if (op.getMask() || op.getVectorType().getRank() != 1 ||
      !op.getPermutationMap().isMinorIdentity())
    return false;
  if (op.isDimInBounds(0))
    return true;
  mostLanes = std::max(mostLanes, op.getVectorType().getNumElements());
  if constexpr (std::is_same_v<TransferOp, vector::TransferReadOp>)
    reads.push_back(op);
  else
    writes.push_back(op);
  return true;
}

bool RowBuffer::visit(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto read = dyn_cast<vector::TransferReadOp>(user))
    return addTransfer(read);
  if (auto write = dyn_cast<vector::TransferWriteOp>(user)) {
    names.insert(write.getResult());
    return use.get() == write.getBase() && addTransfer(write);
  }
  if (auto dim = dyn_cast<tensor::DimOp>(user)) {
    dims.push_back(dim);
    return dim.getConstantIndex() == alloc.getType().getRank() - 1;
  }
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    BlockArgument inside = loop.getTiedLoopRegionIterArg(&use);
    if (!inside)
      return false;
    names.insert(inside);
    names.insert(loop.getTiedLoopResult(&use));
    loops.push_back(loop);
    return true;
  }
  return isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp());
}

bool RowBuffer::isSize(Value value) {
  auto dim = value.getDefiningOp<tensor::DimOp>();
  return value == alloc.getDynamicSizes().front() ||
         (dim && names.contains(dim.getSource()));
}

/// Whether `index` goes from a multiple of `lanes` to the end of a row, by as
/// many at a time.
bool RowBuffer::stepsWhole(Value index, int64_t lanes) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  if (!loop || loop.getInductionVar() != index ||
      getConstantIntValue(loop.getStep()) != lanes ||
      !isSize(loop.getUpperBound()))
    return false;
  Value start = loop.getLowerBound();
  if (std::optional<int64_t> known = getConstantIntValue(start))
    return *known % lanes == 0;
  auto apply = start.getDefiningOp<affine::AffineApplyOp>();
  return apply &&
         apply.getAffineMap().getResult(0).getLargestKnownDivisor() % lanes ==
             0;
}

bool RowBuffer::match() {
  RankedTensorType type = alloc.getType();
  if (type.getRank() == 0 || type.getNumDynamicDims() != 1 ||
      !type.isDynamicDim(type.getRank() - 1) || alloc.getCopy() ||
      alloc.getDynamicSizes().size() != 1)
    return false;
  names.insert(alloc.getResult());
  for (unsigned i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses())
      if (!visit(use))
        return false;
  // Another tensor may come out of a loop.
  for (scf::ForOp loop : loops)
    for (auto [inside, next, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(),
                         loop.getResults()))
      if (names.contains(inside) != names.contains(next) ||
          names.contains(inside) != names.contains(result))
        return false;
  // What is whole in the widest registers is so in the others.
  auto isWhole = [&](auto op) {
    int64_t lanes = op.getVectorType().getNumElements();
    return mostLanes % lanes == 0 && stepsWhole(op.getIndices().back(), lanes);
  };
  return !writes.empty() && llvm::all_of(writes, isWhole) &&
         llvm::all_of(reads, isWhole);
}

void RowBuffer::pad(RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = alloc.getLoc();
  Value size = alloc.getDynamicSizes().front();
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0),
             s1 = rewriter.getAffineSymbolExpr(1);
  // Outside of loops, as the allocation is going to be.
  rewriter.setInsertionPointAfterValue(size);
  Value whole = affine::makeComposedAffineApply(
      rewriter, loc, s0.ceilDiv(mostLanes) * mostLanes, OpFoldResult(size));
  rewriter.modifyOpInPlace(
      alloc, [&] { alloc.getDynamicSizesMutable().assign(whole); });
  for (tensor::DimOp dim : dims)
    rewriter.replaceOp(dim, size);
  ArrayAttr inBounds = rewriter.getBoolArrayAttr({true});
  for (vector::TransferWriteOp write : writes)
    rewriter.modifyOpInPlace(write, [&] { write.setInBoundsAttr(inBounds); });
  for (vector::TransferReadOp read : reads) {
    rewriter.modifyOpInPlace(read, [&] { read.setInBoundsAttr(inBounds); });
    VectorType type = read.getVectorType();
    rewriter.setInsertionPointAfter(read);
    Value rest = affine::makeComposedAffineApply(
        rewriter, loc, s0 - s1,
        {OpFoldResult(size), OpFoldResult(read.getIndices().back())});
    Value mask = vector::CreateMaskOp::create(
        rewriter, loc, type.cloneWith(std::nullopt, rewriter.getI1Type()),
        rest);
    Value padding =
        vector::BroadcastOp::create(rewriter, loc, type, read.getPadding());
    Value masked =
        arith::SelectOp::create(rewriter, loc, mask, read.getResult(), padding);
    rewriter.replaceAllUsesExcept(read.getResult(), masked,
                                  masked.getDefiningOp());
  }
}

void cpu::padRowBuffers(FunctionOpInterface function) {
  SmallVector<bufferization::AllocTensorOp> allocs;
  function->walk(
      [&](bufferization::AllocTensorOp op) { allocs.push_back(op); });
  IRRewriter rewriter(function->getContext());
  for (bufferization::AllocTensorOp alloc : allocs)
    if (RowBuffer buffer(alloc); buffer.match())
      buffer.pad(rewriter);
}
