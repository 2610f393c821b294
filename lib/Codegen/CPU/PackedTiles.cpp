//===- PackedTiles.cpp - packed contractions in tile registers ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The innermost loop of a packed contraction for a processor with tile
// registers (AMX). A block of 2 x 2 (or 1 x 3 and the like) tiles of sums is
// carried by the loop over k, which loads each tile of A and of B once. All is
// on whole tiles: packing pads rows, columns and k, so that nothing here knows
// of sizes. A that needs no padding is read where it is (TilesOfA.cpp).
//
// The tiles are plain vectors of up to 16 rows. They come from memory or are
// zero, are carried by that one loop, and go to memory after it, to the results
// where they are those; each is read from packed operands, sums of this nest,
// or A, which nothing writes meanwhile. So amp-cpu-select-tiles can put every
// one of them in a register, and no two that live together overlap.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

Value cpu::readRows(OpBuilder &b, Location loc, VectorType type, Value source,
                    ValueRange indices) {
  int64_t rank = cast<RankedTensorType>(source.getType()).getRank();
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, type, source, indices, padding,
      AffineMap::getMinorIdentityMap(rank, 2, b.getContext()),
      ArrayRef<bool>{true, true});
}

Value PackedNest::multiplyTiles(const Place &at, const Part &part, Value a,
                                Value bPacked, Value tile, bool fromZero) {
  int64_t across = blk.nr() / kTileRows;
  // Of strips, each column of tiles alone: they are multiplied once only, so
  // that nothing is gained by more of them, but registers.
  if (!blk.stripPanels)
    return multiplyTiles(at, part, a, bPacked, tile, fromZero, 0, across);
  for (int64_t j = 0; j < across; ++j)
    tile = multiplyTiles(at, part, a, bPacked, tile, fromZero, j, 1);
  return tile;
}

std::optional<Value> PackedNest::areTilesResults(const Place &at) {
  // Larger ones go around the caches, as tiles cannot (StreamStores.cpp).
  constexpr int64_t kMostBytes = 8 << 20;
  // Rows that begin anywhere in a line take longer (127 x 333 x 65 1.1 times).
  constexpr int64_t kAlignment = 32;
  int64_t bytes = acc.getIntOrFloatBitWidth() / 8;
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  if (!isTile || blk.dotColumns || blk.stripPanels || !startsAtZero() ||
      inPlace || !epilogue.getOps().empty() || r.rows.size() != 1 ||
      !(isOneBlock || isOneBlockNow))
    return std::nullopt;
  ArrayRef<AffineExpr> exprs = epilogue.getResults().front().map.getResults();
  if (exprs.size() < 2 || exprs.back() != b.getAffineDimExpr(r.n) ||
      exprs.drop_back().back() != b.getAffineDimExpr(r.rows.front()))
    return std::nullopt;
  Value all = isOneBlock ? Value() : isOneBlockNow;
  auto require = [&](OpFoldResult size, OpFoldResult limit) {
    std::optional<int64_t> known = constant(size), most = constant(limit);
    if (known && most)
      return *known <= *most;
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                     value(size), value(limit));
    all = all ? arith::AndIOp::create(b, loc, all, is).getResult() : is;
    return true;
  };
  if (!require(apply(s0 % (kAlignment / bytes), {bounds[r.n]}),
               b.getIndexAttr(0)) ||
      !require(multiply(rowCount, bounds[r.n]),
               b.getIndexAttr(kMostBytes / bytes - 1)) ||
      (!divides(rowCount, blk.mr) &&
       !require(apply(s0 + (s1 + 1) * blk.mr, {at.ic, at.i}), rowCount)) ||
      (!columnsAreWhole() &&
       !require(apply(s0 + (s1 + 1) * blk.nr(), {at.jc, at.j}), bounds[r.n])))
    return std::nullopt;
  return all;
}

/// Where the sums from row `row` and vector `v` of a tile on are among the
/// results.
SmallVector<Value> PackedNest::resultIndices(const Place &at, int64_t row,
                                             int64_t v) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  Value m = value(apply(s0 + s1 * blk.mr + row, {at.ic, at.i}));
  SmallVector<OpFoldResult> point = dims(m, column(at, v), Value());
  return llvm::map_to_vector(
      epilogue.getResults().front().map.getResults(),
      [&](AffineExpr expr) { return applyExpr(b, loc, expr, point); });
}

Value PackedNest::multiplyTiles(const Place &at, const Part &part, Value a,
                                Value bPacked, Value tile, bool fromZero,
                                int64_t first, int64_t across,
                                bool areResults) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t down = llvm::divideCeil(blk.mr, kTileRows), height = blk.mr / down;
  auto sumType = VectorType::get({height, kTileRows}, acc);
  auto rowsType = VectorType::get({height, unit}, packed);
  auto tileType = VectorType::get({kTileRows, unit}, packed);
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> sums;
  for (int64_t i = 0; i < down; ++i)
    for (int64_t j = 0; j < across; ++j) {
      int64_t v = (first + j) * kTileRows / blk.lanes;
      places.push_back(
          areResults ? resultIndices(at, i * height, v)
                     : tileIndices(at, indexConstant(b, loc, i * height), v));
      sums.push_back(
          fromZero ? arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType))
                   : readRows(b, loc, sumType, tile, places.back()));
    }
  // Segments lie behind each other, and a strip begins with the part.
  OpFoldResult steps =
      blk.segments > 1 ? apply(s0 * (*constant(depth) / unit), {part.segments})
                       : apply(s0.ceilDiv(unit), {part.kc});
  Value start = blk.stripPanels ? indexConstant(b, loc, 0)
                                : packedStep(part.segment, part.pc);
  Value panel = blk.stripPanels ? at.panel : at.j;
  sums = loop(b.getIndexAttr(0), steps, 1, sums, [&](Value k, ValueRange args) {
    Value inB = value(apply(s0 + s1 * kTileRows, {start, k}));
    Value inA = blk.packsAllOfA ? value(apply(s0 * step, {inB}))
                                : value(apply(s0 * unit, {k}));
    // Loads between products: a row of B's tiles, one of A's at a time.
    SmallVector<Value> bTiles(across), next;
    for (int64_t i = 0; i < down; ++i) {
      Value aTile = a ? readRows(b, loc, rowsType, a,
                                 {at.i, indexConstant(b, loc, i * height), inA})
                      : readTileOfA(at, part, rowsType, i * height, inA);
      for (int64_t j = 0; j < across; ++j) {
        if (i == 0)
          bTiles[j] =
              readRows(b, loc, tileType, bPacked,
                       {panel, inB, indexConstant(b, loc, (first + j) * unit)});
        next.push_back(
            dot->emitTile(b, loc, aTile, bTiles[j], args[i * across + j]));
      }
    }
    return next;
  });
  // Unrolled, it is no faster, but 16 steps of it are 1.08 times as slow.
  if (auto made = sums.front().getDefiningOp<scf::ForOp>())
    disableUnrolling(made);
  for (auto [sum, place] : llvm::zip_equal(sums, places))
    tile = vector::TransferWriteOp::create(
               b, loc, sum, tile, place,
               AffineMap::getMinorIdentityMap(place.size(), 2, b.getContext()),
               ArrayRef<bool>{true, true})
               .getResult();
  return tile;
}

bool PackedNest::startsAtZero() const {
  return initScalar && (matchPattern(initScalar, m_PosZeroFloat()) ||
                        matchPattern(initScalar, m_Zero()));
}

Value PackedNest::sumTiles(const Place &at, const Part &part, Value a,
                           Value bPacked, ValueRange tensors) {
  auto multiply = [&](Value tile, bool fromZero) {
    return Tensors{multiplyTiles(at, part, a, bPacked, tile, fromZero)};
  };
  // Two loops, rather than tiles that a choice would carry.
  if (startsAtZero())
    return choose(
        part.isFirst, tensors.back().getType(),
        [&]() { return multiply(tensors.back(), true); },
        [&]() { return multiply(tensors.back(), false); })[0];
  return multiply(fillTile(at, part, Value(), tensors), false)[0];
}

/// A that has its rows across in memory: squares of 16 rows by 16 groups of k
/// are transposed in registers, a group as one 32-bit element.
Value PackedNest::packTilesOfA(Value ic, OpFoldResult panels, const Part &part,
                               int64_t room) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  bool inBounds = divides(rowCount, kTileRows);
  auto groups = VectorType::get({kTileRows}, b.getI32Type());
  auto row = VectorType::get({unit}, packed);
  Value buffer = makeBuffer(b, loc, {count, blk.mr, room}, packed);
  return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
    return loop1(
        zero, b.getIndexAttr(blk.mr), kTileRows, p, [&](Value first, Value q) {
          Value m = value(apply(s0 + s1 * blk.mr + s2, {ic, i, first}));
          return segmentLoop(
              part.segment, part.segments, q, [&](Value segment, Value t) {
                return loop1(zero, part.kc, unit, t, [&](Value kk, Value u) {
                  SmallVector<Value> rows;
                  for (int64_t g = 0; g < kTileRows; ++g) {
                    Value k = value(apply(s0 + s1 + g * step, {part.pc, kk}));
                    rows.push_back(vector::BitCastOp::create(
                        b, loc, groups,
                        readRowGroup(r.a, r.aMap, m, Value(), k, kTileRows,
                                     inBounds, unit)));
                  }
                  Value column =
                      value(apply(s0 * step, {packedStep(segment, kk)}));
                  // Of a tile of fewer rows, those.
                  rows = transposeSquare(b, loc, std::move(rows));
                  rows.truncate(std::min(kTileRows, blk.mr));
                  for (auto [n, x] : llvm::enumerate(rows))
                    u = vector::TransferWriteOp::create(
                            b, loc, vector::BitCastOp::create(b, loc, row, x),
                            u,
                            ValueRange{i, value(apply(s0 + n, {first})),
                                       column},
                            AffineMap::getMinorIdentityMap(3, 1,
                                                           b.getContext()),
                            ArrayRef<bool>{true})
                            .getResult();
                  return u;
                });
              });
        });
  });
}
