//===- PackWindows.cpp - packing the windows of an image ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A convolution whose result has its pixels last multiplies the filter, as A,
// by a matrix with a column for each pixel: the window of the image that it is
// computed from. Panels of it are packed from the image, without a matrix in
// memory. Pixels of one row are neighbours in the image, too: of the part of a
// panel that lies in one row, vectors are moved for all steps of k. How far
// those are apart is in a table.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// A table of where the steps of k are, from the first one's place.
Value PackedNest::makeWindowSteps() {
  if (r.windows->gather)
    return r.windows->gather->steps;
  AffineMap map = AffineMap::get(op.getNumLoops(), 0, r.windows->step);
  SmallVector<Attribute> point(op.getNumLoops(), b.getIndexAttr(0)), result;
  SmallVector<int64_t> steps;
  for (int64_t k = 0; k < *constant(bounds[r.k]); ++k) {
    point[r.k] = b.getIndexAttr(k);
    result.clear();
    [[maybe_unused]] LogicalResult isKnown = map.constantFold(point, result);
    assert(succeeded(isKnown) && "a step that depends on more than k");
    steps.push_back(cast<IntegerAttr>(result.front()).getInt());
  }
  auto type = RankedTensorType::get({int64_t(steps.size())}, b.getIndexType());
  return arith::ConstantOp::create(b, loc,
                                   DenseIntElementsAttr::get(type, steps));
}

/// Step `k` of a run's columns.
Value PackedNest::readStep(Value steps, Value k, const Run &run) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t stride = r.windows->stride, width = blk.lanes * stride;
  SmallVector<OpFoldResult> point = dims(Value(), run.first, Value());
  const std::optional<Gather> &gather = r.windows->gather;
  SmallVector<Value> indices;
  for (AffineExpr expr : r.bMap.getResults().drop_back(gather ? 2 : 1))
    indices.push_back(applyExpr(b, loc, expr, point));
  Value step = tensor::ExtractOp::create(b, loc, steps, k);
  indices.push_back(arith::AddIOp::create(b, loc, run.start, step));
  Value image = gather ? gather->image : r.b->get();
  auto type = cast<RankedTensorType>(image.getType());
  // More apart, too many elements would be read that are of no use.
  constexpr int64_t kMostApart = 4;
  if (stride > kMostApart) {
    SmallVector<Value> lanes;
    Value first = indices.back();
    for (int64_t lane = 0; lane < blk.lanes; ++lane) {
      OpFoldResult at = b.getIndexAttr(lane);
      if (run.count)
        at = affine::makeComposedFoldedAffineMin(
            b, loc,
            AffineMap::get(0, 1, {s0 - 1, b.getAffineConstantExpr(lane)},
                           b.getContext()),
            {OpFoldResult(run.count)});
      indices.back() = value(affine::makeComposedFoldedAffineApply(
          b, loc, s0 + b.getAffineSymbolExpr(1) * stride, {first, at}));
      lanes.push_back(tensor::ExtractOp::create(b, loc, image, indices));
    }
    return convertB(
        vector::FromElementsOp::create(
            b, loc, VectorType::get({blk.lanes}, type.getElementType()), lanes),
        blk.lanes);
  }
  auto elementType = type.getElementType();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(elementType));
  auto read = [&](int64_t lanes, ValueRange at, Value mask) -> Value {
    return vector::TransferReadOp::create(
        b, loc, VectorType::get({lanes}, elementType), image, at,
        AffineMapAttr::get(
            AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext())),
        none, mask, b.getBoolArrayAttr({true}));
  };
  if (run.count) {
    // The last column's neighbours may be outside of the image.
    Value mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({width}, b.getI1Type()),
        value(apply((s0 - 1) * stride + 1, {run.count})));
    Value row = read(width, indices, mask);
    if (stride > 1) {
      SmallVector<int64_t> picks;
      for (int64_t lane = 0; lane < blk.lanes; ++lane)
        picks.push_back(lane * stride);
      row = vector::ShuffleOp::create(b, loc, row, row, picks);
    }
    return convertB(row, blk.lanes);
  }
  Value row = read(blk.lanes, indices, Value());
  // Of as many vectors as columns are apart, the last one ends with the last
  // column: a mask would take a register of the tiles', too.
  SmallVector<Value> at = indices;
  for (int64_t part = 1; part < stride; ++part) {
    int64_t from = part * blk.lanes,
            start = std::min(from, width - stride + 1 - blk.lanes);
    at.back() = value(apply(s0 + start, {indices.back()}));
    SmallVector<int64_t> picks;
    for (int64_t lane = 0; lane < blk.lanes; ++lane) {
      int64_t place = lane * stride;
      if (place >= from + blk.lanes)
        picks.push_back(vector::ShuffleOp::kPoisonIndex);
      else if (place >= from)
        picks.push_back(blk.lanes + place - start);
      else
        picks.push_back(part == 1 ? place : lane);
    }
    row = vector::ShuffleOp::create(b, loc, row, read(blk.lanes, at, Value()),
                                    picks);
  }
  return convertB(row, blk.lanes);
}

/// Packs the steps of k from `from` to `to` of a run; zeros for null `steps`.
Value PackedNest::packRun(Value panel, Value steps, Value j, Value from,
                          OpFoldResult to, const Run &run) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto type = VectorType::get({blk.lanes * step}, packed);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value mask;
  if (run.count)
    mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({blk.lanes * step}, b.getI1Type()),
        value(apply(s0 * step, {run.count})));
  Value at = value(apply(s0 * step, {run.inPanel}));
  auto pack = [&](bool isWhole) {
    return [&, isWhole](Value k, Value q) {
      Tensors rows;
      for (int64_t i = 0; i < step && steps; ++i) {
        OpFoldResult next = apply(s0 + i, {k});
        bool isInside = isWhole || i == 0;
        Value last = isInside ? value(next) : clamp(bounds[r.k], next, step);
        Value row = readStep(steps, last, run);
        if (!isInside) {
          Value isStep = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                               value(next), last);
          Value none =
              arith::ConstantOp::create(b, loc, b.getZeroAttr(row.getType()));
          row = arith::SelectOp::create(b, loc, isStep, row, none);
        }
        rows.push_back(row);
      }
      Value x = !steps ? zeros : dot ? interleaveRows(b, loc, rows) : rows[0];
      return vector::TransferWriteOp::create(
                 b, loc, x, q,
                 ValueRange{j, packedStep(indexConstant(b, loc, 0), k), at},
                 AffineMapAttr::get(
                     AffineMap::getMinorIdentityMap(3, 1, b.getContext())),
                 mask, b.getBoolArrayAttr({true}))
          .getResult();
    };
  };
  if (step == 1)
    return loop1(from, to, 1, panel, pack(true));
  OpFoldResult whole = apply(s0 + (s1 - s0).floorDiv(step) * step, {from, to});
  panel = loop1(from, whole, step, panel, pack(true));
  return loop1(whole, to, step, panel, pack(false));
}

Value PackedNest::packWindows(Value panel, Value steps, Value jc, Value j) {
  // As many steps of a panel as stay in the first cache while its runs are
  // written. Whole groups.
  constexpr int64_t kSteps = 64;
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  panel = loop1(
      b.getIndexAttr(0), bounds[r.k], kSteps, panel, [&](Value from, Value q) {
        OpFoldResult count = blockSize(bounds[r.k], from, kSteps);
        return packRuns(q, steps, jc, j, from, apply(s0 + s1, {from, count}));
      });
  return padPanel(panel, indexConstant(b, loc, 0), j);
}

/// Packs the steps of k from `fromK` to `toK` of all columns of a panel.
Value PackedNest::packRuns(Value panel, Value steps, Value jc, Value j,
                           Value fromK, OpFoldResult toK) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto bound = [&](bool isMost, AffineExpr x, AffineExpr y,
                   ArrayRef<OpFoldResult> of) -> OpFoldResult {
    AffineMap map = AffineMap::get(0, of.size(), {x, y}, b.getContext());
    return isMost ? affine::makeComposedFoldedAffineMin(b, loc, map, of)
                  : affine::makeComposedFoldedAffineMax(b, loc, map, of);
  };
  int64_t nr = blk.nr(), lanes = blk.lanes, length = r.windows->run;
  OpFoldResult first = apply(s0 + s1 * nr, {jc, j});
  OpFoldResult end = divides(bounds[r.n], nr)
                         ? apply(s0 + nr, {first})
                         : bound(true, s0 + nr, s1, {first, bounds[r.n]});
  const std::optional<Gather> &gather = r.windows->gather;
  // Vectors of the columns from `from` to `to`, of which those of a `row` of
  // unknown length are behind `ofRow`.
  auto packColumns = [&](Value q, Value table, OpFoldResult from,
                         OpFoldResult to, Value row = {}, Value ofRow = {}) {
    return loop1(from, to, lanes, q, [&](Value n, Value t) {
      Value inPanel = value(apply(s0 - s1, {n, first}));
      Value left = value(apply(s0 - s1, {to, n}));
      Value start;
      if (row)
        start = arith::AddIOp::create(
            b, loc, arith::MulIOp::create(b, loc, row, gather->rowMove),
            value(apply((s0 - s1) * r.windows->stride, {n, ofRow})));
      else if (table)
        start = applyExpr(b, loc, r.windows->start, dims(Value(), n, Value()));
      Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                            left, indexConstant(b, loc, lanes));
      return choose(
          isWhole, t.getType(),
          [&]() {
            return Tensors{
                packRun(t, table, j, fromK, toK, {n, inPanel, Value(), start})};
          },
          [&]() {
            return Tensors{
                packRun(t, table, j, fromK, toK, {n, inPanel, left, start})};
          })[0];
    });
  };
  if (gather) {
    // Panels that begin behind all columns have no rows: nothing is divided.
    Value size = gather->rowLength;
    panel = loop1(
        arith::DivUIOp::create(b, loc, value(first), size).getResult(),
        arith::CeilDivUIOp::create(b, loc, value(end), size).getResult(), 1,
        panel, [&](Value row, Value q) {
          Value ofRow = arith::MulIOp::create(b, loc, row, size);
          Value next = arith::AddIOp::create(b, loc, ofRow, size);
          return packColumns(
              q, steps,
              arith::MaxUIOp::create(b, loc, ofRow, value(first)).getResult(),
              arith::MinUIOp::create(b, loc, next, value(end)).getResult(), row,
              ofRow);
        });
  } else if (length == 0) {
    panel = packColumns(panel, steps, first, end);
  } else {
    panel = loop1(apply(s0.floorDiv(length), {first}),
                  apply(s0.ceilDiv(length), {end}), 1, panel,
                  [&](Value row, Value q) {
                    return packColumns(
                        q, steps, bound(false, s0 * length, s1, {row, first}),
                        bound(true, s0 * length + length, s1, {row, end}));
                  });
  }
  if (!divides(bounds[r.n], nr))
    panel = packColumns(panel, Value(), end, apply(s0 + nr, {first}));
  return panel;
}
