//===- MergeCopies.cpp - copies of short rows side by side ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A concatenation of channels that are last copies a short row for each pixel
// from each operand. One copy after the other goes over the result as often as
// there are operands, and writes a part of each of its cache lines; a loop over
// the pixels writes it from the first byte to the last. In a loop, a row of a
// size that is known is also a few instructions, where the runtime calls for
// each.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "Parallel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::amp;

/// What a copy moves at a time, more of which is as fast alone, and what is
/// worth a thread, in bytes.
static constexpr int64_t kLongestRow = 2048, kWorthThread = 1 << 16;

/// Whether `buffer` is known to be none of `base`: another one that is made, or
/// an argument of the function.
static bool isApart(Value buffer, memref::AllocOp base) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
           argument.getOwner()->isEntryBlock();
  return buffer.getDefiningOp() != base &&
         isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
             buffer.getDefiningOp());
}

namespace {
/// A copy of all of `op.getSource()` into short rows of `base`, `elements`
/// long, from element `offset` of each row on. A row of `base` has its
/// dimensions from `dim` on, which is not the first.
struct RowCopy {
  memref::CopyOp op;
  memref::AllocOp base;
  int64_t dim = 0, offset = 0, elements = 0;

  static std::optional<RowCopy> match(memref::CopyOp op);
  int64_t getBytes() {
    return elements * base.getType().getElementTypeBitWidth() / 8;
  }
};
} // namespace

std::optional<RowCopy> RowCopy::match(memref::CopyOp op) {
  auto slice = op.getTarget().getDefiningOp<memref::SubViewOp>();
  auto source = cast<MemRefType>(op.getSource().getType());
  auto base =
      slice ? slice.getSource().getDefiningOp<memref::AllocOp>() : nullptr;
  if (!base || !source.getLayout().isIdentity() ||
      !base.getType().getLayout().isIdentity() || !slice.hasUnitStride() ||
      source.getRank() != base.getType().getRank() ||
      slice.getType().getRank() != source.getRank() ||
      !source.getElementType().isIntOrFloat() ||
      source.getElementTypeBitWidth() % 8 != 0 ||
      !isApart(op.getSource(), base))
    return std::nullopt;
  RowCopy found{op, base};
  ArrayRef<int64_t> shape = base.getType().getShape();
  for (auto [d, offset, size, whole] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       base.getMixedSizes())) {
    if (isZeroInteger(offset) && isEqualConstantIntOrValue(size, whole))
      continue;
    std::optional<int64_t> known = getConstantIntValue(offset);
    if (found.dim > 0 || d == 0 || !known)
      return std::nullopt;
    found.dim = d;
    found.offset = *known;
  }
  ArrayRef<int64_t> row = source.getShape().drop_front(found.dim);
  if (found.dim == 0 || ShapedType::isDynamicShape(row) ||
      ShapedType::isDynamicShape(shape.drop_front(found.dim)))
    return std::nullopt;
  found.elements = ShapedType::getNumElements(row);
  found.offset *= ShapedType::getNumElements(shape.drop_front(found.dim + 1));
  if (found.getBytes() > kLongestRow)
    return std::nullopt;
  return found;
}

/// `buffer` as rows of its dimensions from `dim` on.
static Value asRows(OpBuilder &b, Location loc, Value buffer, int64_t dim) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  SmallVector<ReassociationIndices> groups(2);
  llvm::append_range(groups[0], llvm::seq<int64_t>(0, dim));
  llvm::append_range(groups[1], llvm::seq<int64_t>(dim, rank));
  return memref::CollapseShapeOp::create(b, loc, buffer, groups);
}

/// Makes one loop over rows of `copies`, into one buffer, at the last of them.
static void merge(MutableArrayRef<RowCopy> copies) {
  memref::CopyOp last = copies.back().op;
  OpBuilder b(last);
  Location loc = last.getLoc();
  int64_t dim = copies.front().dim, bytes = 0;
  Value to = asRows(b, loc, copies.front().base, dim);
  SmallVector<Value> from;
  for (RowCopy &copy : copies) {
    from.push_back(asRows(b, loc, copy.op.getSource(), dim));
    bytes += copy.getBytes();
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = memref::DimOp::create(b, loc, to, 0);
  auto loop = scf::ForOp::create(
      b, loc, zero, count, one, ValueRange(),
      [&](OpBuilder &nested, Location loc, Value row, ValueRange) {
        auto getPart = [&](Value rows, int64_t offset, int64_t size) {
          return memref::SubViewOp::create(
              nested, loc, rows,
              ArrayRef<OpFoldResult>{row, nested.getIndexAttr(offset)},
              ArrayRef<OpFoldResult>{nested.getIndexAttr(1),
                                     nested.getIndexAttr(size)},
              ArrayRef<OpFoldResult>{nested.getIndexAttr(1),
                                     nested.getIndexAttr(1)});
        };
        for (auto [copy, source] : llvm::zip_equal(copies, from))
          memref::CopyOp::create(nested, loc, getPart(source, 0, copy.elements),
                                 getPart(to, copy.offset, copy.elements));
        scf::YieldOp::create(nested, loc);
      });
  if (!loop->getParentOfType<LoopLikeOpInterface>())
    loop->setAttr(cpu::kParallelAttrName,
                  b.getI64IntegerAttr(std::max<int64_t>(
                      1, kWorthThread / std::max<int64_t>(1, bytes))));
  for (RowCopy &copy : copies)
    copy.op->erase();
}

void cpu::mergeCopies(FunctionOpInterface function) {
  SmallVector<SmallVector<RowCopy>> groups;
  function->walk([&](Block *block) {
    bool continues = false;
    for (Operation &op : *block) {
      auto copy = dyn_cast<memref::CopyOp>(op);
      std::optional<RowCopy> found = copy ? RowCopy::match(copy) : std::nullopt;
      if (!found) {
        continues &= isMemoryEffectFree(&op);
        continue;
      }
      if (!continues || groups.back().front().base != found->base ||
          groups.back().front().dim != found->dim)
        groups.emplace_back();
      groups.back().push_back(*found);
      continues = true;
    }
  });
  for (MutableArrayRef<RowCopy> group : groups)
    merge(group);
}
