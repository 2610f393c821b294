//===- RowParts.cpp - the parts of the number of a row --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of several loops, as the pixels of a convolution are, have one number,
// of which A and the result take the parts: an image, a row and a column. To
// divide it for each row of a tile takes as long as the products of a window of
// three channels. It is divided for the first row; from there, rows are
// counted.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

namespace {
/// `expr` is number / `after` % `size`, or without a remainder if that is 0.
struct RowPart {
  AffineExpr expr;
  int64_t after = 1, size = 0;
};
} // namespace

/// 1 where `row` is below `end`, else 0.
static Value countBelow(OpBuilder &b, Location loc, Value row, Value end) {
  return arith::IndexCastUIOp::create(
      b, loc, b.getIndexType(),
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, end));
}

/// `expr` as a part of the number `row`; nothing if it is none.
static std::optional<RowPart> matchPart(AffineExpr expr, AffineExpr row) {
  RowPart part{expr};
  AffineExpr number = expr;
  auto take = [&](AffineExprKind kind, int64_t &by) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(number);
    if (!binary || binary.getKind() != kind)
      return;
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS())) {
      by = constant.getValue();
      number = binary.getLHS();
    }
  };
  take(AffineExprKind::Mod, part.size);
  take(AffineExprKind::FloorDiv, part.after);
  return number == row && expr != row ? std::optional(part) : std::nullopt;
}

/// The parts of the number `row` that `map` takes, the one that moves fastest
/// last.
static SmallVector<RowPart> collectParts(AffineMap map, AffineExpr row) {
  SmallVector<RowPart> parts;
  map.walkExprs([&](AffineExpr expr) {
    std::optional<RowPart> part = matchPart(expr, row);
    if (!part)
      return;
    // A quotient may be a part itself, or what there is a remainder of.
    RowPart *same = llvm::find_if(parts, [&](const RowPart &other) {
      return other.after == part->after;
    });
    if (same == parts.end())
      parts.push_back(*part);
    else if (same->size == 0)
      *same = *part;
  });
  llvm::sort(parts, [](const RowPart &x, const RowPart &y) {
    return x.after > y.after;
  });
  return parts;
}

RowParts PackedNest::matchRowParts() {
  RowParts result;
  result.aMap = r.aMap;
  if (r.rows.empty())
    return {};
  if (r.rows.size() > 1) {
    result.dims = r.rows;
    for (unsigned d : ArrayRef(r.rows).drop_front())
      result.sizes.push_back(bounds[d]);
    return result;
  }
  // One loop, which mergePixels has made of several.
  MLIRContext *context = b.getContext();
  unsigned loops = op.getNumLoops();
  DenseMap<AffineExpr, AffineExpr> dimOf;
  SmallVector<RowPart> parts =
      collectParts(r.aMap, getAffineDimExpr(r.rows[0], context));
  int64_t after = 1;
  for (const RowPart &part : llvm::reverse(parts)) {
    if (part.after != after || (part.size == 0 && &part != parts.begin()))
      return {};
    after *= part.size;
  }
  for (auto [i, part] : llvm::enumerate(parts)) {
    result.exprs.push_back(part.expr);
    result.dims.push_back(loops + i);
    dimOf[part.expr] = getAffineDimExpr(loops + i, context);
    if (i > 0)
      result.sizes.push_back(b.getIndexAttr(part.size));
  }
  auto results = llvm::map_to_vector(r.aMap.getResults(), [&](AffineExpr expr) {
    return expr.replace(dimOf);
  });
  result.aMap = AffineMap::get(loops + parts.size(), 0, results, context);
  if (parts.size() < 2 || result.aMap.isFunctionOfDim(r.rows[0]))
    return {};
  return result;
}

SmallVector<Value> PackedNest::splitRow(Value row) {
  if (rowParts.exprs.empty())
    return llvm::map_to_vector(splitIndex(row, r.rows),
                               [&](OpFoldResult part) { return value(part); });
  SmallVector<OpFoldResult> point = dims(Value(), Value(), Value());
  point[r.rows[0]] = row;
  return llvm::map_to_vector(rowParts.exprs, [&](AffineExpr expr) {
    return applyExpr(b, loc, expr, point);
  });
}

SmallVector<Value> PackedNest::countRows(ValueRange parts, Value by) {
  SmallVector<Value> next(parts);
  for (size_t i = next.size() - 1; i > 0; --i) {
    Value size = value(rowParts.sizes[i - 1]);
    Value moved = arith::AddIOp::create(b, loc, parts[i], by);
    Value isPast =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, moved, size);
    next[i] = arith::SelectOp::create(
        b, loc, isPast, arith::SubIOp::create(b, loc, moved, size), moved);
    by = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), isPast);
  }
  next[0] = arith::AddIOp::create(b, loc, parts[0], by);
  return next;
}

SmallVector<OpFoldResult> PackedNest::setParts(SmallVector<OpFoldResult> point,
                                               ValueRange parts) {
  if (!rowParts.exprs.empty())
    point.resize(rowParts.aMap.getNumDims(), b.getIndexAttr(0));
  for (auto [d, part] : llvm::zip_equal(rowParts.dims, parts))
    point[d] = part;
  return point;
}

void PackedNest::splitRowsOfTile(const Place &at) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  rowsOfTile.clear();
  if (rowParts.dims.empty())
    return;
  Value first = value(apply(s0 + s1 * blk.mr, {at.ic, at.i})), count;
  if (!divides(rowCount, blk.mr))
    count = value(apply(s0 - s1, {rowCount, first}));
  // Where the last part cannot end twice in a tile, its rows do not wait for
  // each other.
  bool isWide = constant(rowParts.sizes.back()).value_or(0) >= blk.mr;
  rowsOfTile.push_back(splitRow(first));
  for (int64_t i = 1; i < blk.mr; ++i) {
    Value by = indexConstant(b, loc, isWide ? i : 1);
    if (count && isWide)
      by = arith::MinUIOp::create(b, loc, by, value(apply(s0 - 1, {count})));
    else if (count)
      by = countBelow(b, loc, indexConstant(b, loc, i), count);
    rowsOfTile.push_back(
        countRows(isWide ? rowsOfTile.front() : rowsOfTile.back(), by));
  }
}

Value PackedNest::rowsOfPanel(
    Value first, Value init,
    llvm::function_ref<Value(Value, Value, Value)> body) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  bool counts = !rowParts.dims.empty();
  Tensors carried = {init};
  if (counts)
    llvm::append_range(carried, splitRow(first));
  return loop(b.getIndexAttr(0), b.getIndexAttr(blk.mr), 1, carried,
              [&](Value row, ValueRange args) {
                OpFoldResult number = apply(s0 + s1, {first, row});
                Value m = clamp(rowCount, number, blk.mr);
                ValueRange parts = args.drop_front();
                if (counts)
                  knownRow = {m, Tensors(parts)};
                Tensors next = {body(row, m, args[0])};
                knownRow.first = Value();
                if (!counts)
                  return next;
                Value by = indexConstant(b, loc, 1);
                if (!divides(rowCount, blk.mr))
                  by = countBelow(b, loc, value(apply(s0 + 1, {number})),
                                  value(rowCount));
                llvm::append_range(next, countRows(parts, by));
                return next;
              })[0];
}
