//===- PackOperands.cpp - packing the operands of a contraction -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A is packed as [panel of mr rows][row][k] where neighbours in k are
// neighbours in memory, else as [panel][k][row]; B as [segment, panel of nr
// columns][k][column], with groups of k for instructions that take groups.
// Nothing moves element by element: what lies across is transposed in
// registers.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"
#include "Parallel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> PackedNest::dims(Value row, Value n, Value k) {
  SmallVector<OpFoldResult> at;
  for (Value iv : ivs)
    at.push_back(iv ? OpFoldResult(iv) : OpFoldResult(b.getIndexAttr(0)));
  if (n)
    at[r.n] = n;
  if (k)
    at[r.k] = k;
  if (!row)
    return at;
  OpFoldResult rest = row;
  for (unsigned d : llvm::reverse(ArrayRef(r.rows).drop_front())) {
    AffineExpr s0 = b.getAffineSymbolExpr(0);
    if (std::optional<int64_t> size = constant(bounds[d])) {
      at[d] = apply(s0 % *size, {rest});
      rest = apply(s0.floorDiv(*size), {rest});
      continue;
    }
    Value number = value(rest), size = value(bounds[d]);
    at[d] = arith::RemUIOp::create(b, loc, number, size).getResult();
    rest = arith::DivUIOp::create(b, loc, number, size).getResult();
  }
  at[r.rows.front()] = rest;
  return at;
}

Value PackedNest::readRow(Value source, AffineMap map,
                          ArrayRef<OpFoldResult> at, int64_t lanes,
                          bool inBounds) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(applyExpr(b, loc, expr, at));
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({lanes}, type.getElementType()), source, indices,
      padding,
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext()),
      ArrayRef<bool>{inBounds});
}

Value PackedNest::convertA(Value vector, int64_t lanes) {
  if (dot)
    return dot->convertLhs(b, loc, vector, lanes);
  return GroupDot::convert(b, loc, vector, r.body.lhsCasts, lanes);
}

Value PackedNest::convertB(Value vector, int64_t lanes) {
  if (dot)
    return dot->convertRhs(b, loc, vector, lanes);
  return GroupDot::convert(b, loc, vector, r.body.rhsCasts, lanes);
}

/// Step `k` and the next ones of a group, converted and interleaved; a step
/// past the end is zero.
Value PackedNest::readRowGroup(OpOperand *source, AffineMap map, Value row,
                               Value n, Value k, int64_t lanes, bool inBounds) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<Value> vectors;
  for (int64_t i = 0; i < step; ++i) {
    OpFoldResult next = apply(s0 + i, {k});
    Value at = i == 0 ? k : clamp(bounds[r.k], next, step);
    Value x = readRow(source->get(), map, dims(row, n, at), lanes, inBounds);
    x = source == r.a ? convertA(x, lanes) : convertB(x, lanes);
    if (i != 0 && !divides(bounds[r.k], step)) {
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           value(next), at);
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
      x = arith::SelectOp::create(b, loc, inside, x,
                                  toVector(b, loc, zero, lanes));
    }
    vectors.push_back(x);
  }
  return interleaveRows(b, loc, vectors);
}

static Value writeRow(OpBuilder &b, Location loc, Value vector, Value dest,
                      ValueRange indices) {
  int64_t rank = cast<RankedTensorType>(dest.getType()).getRank();
  return vector::TransferWriteOp::create(
             b, loc, vector, dest, indices,
             AffineMap::getMinorIdentityMap(rank, 1, b.getContext()),
             ArrayRef<bool>{true})
      .getResult();
}

//===----------------------------------------------------------------------===//
// A
//===----------------------------------------------------------------------===//

Value PackedNest::packA(Value ic, OpFoldResult mc, Value pc, OpFoldResult kc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.mr), {mc});
  if (r.aRowsAreContiguous())
    return packRowsOfA(ic, panels, pc, kc);
  // Stored m-innermost: mr neighbours at once, in a power of two of lanes.
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  int64_t width = llvm::PowerOf2Ceil(blk.mr);
  Value buffer =
      makeBuffer(b, loc, {count, blk.kc / step, width * step}, packed);
  bool inBounds = width == blk.mr && divides(rowCount, blk.mr);
  return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
    Value m = value(apply(s0 + s1 * blk.mr, {ic, i}));
    return loop1(zero, kc, step, p, [&](Value kk, Value q) {
      Value k = value(apply(s0 + s1, {pc, kk}));
      Value rows =
          dot ? readRowGroup(r.a, r.aMap, m, Value(), k, width, inBounds)
              : convertA(readRow(r.a->get(), r.aMap, dims(m, Value(), k), width,
                                 inBounds),
                         width);
      return writeRow(
          b, loc, rows, q,
          {i, value(apply(s0.floorDiv(step), {kk})), indexConstant(b, loc, 0)});
    });
  });
}

Value PackedNest::packRowsOfA(Value ic, OpFoldResult panels, Value pc,
                              OpFoldResult kc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  Value buffer = makeBuffer(b, loc, {count, blk.mr, blk.kc}, packed);
  int64_t wide = blk.kc % (4 * blk.lanes) == 0 ? 4 * blk.lanes : blk.lanes;
  // Whole vectors first, of which none needs a mask; then the rest, one
  // register at a time: blocks are multiples of that.
  int64_t narrow = blk.lanes * step;
  OpFoldResult whole = apply(s0.floorDiv(wide) * wide, {kc});
  return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
    return loop1(zero, b.getIndexAttr(blk.mr), 1, p, [&](Value row, Value q) {
      Value m =
          clamp(rowCount, apply(s0 + s1 * blk.mr + s2, {ic, i, row}), blk.mr);
      auto copy = [&](int64_t lanes, bool inBounds) {
        return [&, lanes, inBounds](Value kk, Value t) {
          Value k = value(apply(s0 + s1, {pc, kk}));
          Value chunk =
              readRow(r.a->get(), r.aMap, dims(m, Value(), k), lanes, inBounds);
          return writeRow(b, loc, convertA(chunk, lanes), t, {i, row, kk});
        };
      };
      q = loop1(zero, whole, wide, q, copy(wide, true));
      return loop1(whole, kc, narrow, q, copy(narrow, false));
    });
  });
}

//===----------------------------------------------------------------------===//
// B
//===----------------------------------------------------------------------===//

int64_t PackedNest::getPackGrain() const {
  return blk.parallel == Blocking::Rows
             ? getGrain(r.getSize(r.k, 1024) * r.getSize(r.segments, 1) *
                        blk.nr())
             : 0;
}

/// The first index of panel `j` in a segment.
Value PackedNest::panelNumber(Value segment, Value j) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  return value(
      apply(s0 * llvm::divideCeil(blk.nc, blk.nr()) + s1, {segment, j}));
}

Value PackedNest::packB(Value jc, OpFoldResult nc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t nr = blk.nr();
  int64_t count = llvm::divideCeil(blk.nc, nr);
  // Squares are written whole.
  int64_t multiple = r.bRowsAreContiguous() ? step : blk.lanes * step;
  SmallVector<OpFoldResult> sizes = {
      apply(s0 * count, {segmentCount}),
      apply(s0.ceilDiv(multiple) * (multiple / step), {bounds[r.k]}),
      b.getIndexAttr(nr * step)};
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  Value buffer = bufferization::AllocTensorOp::create(
      b, loc, RankedTensorType::get(shape, packed), dynamicSizes);
  OpFoldResult panels = apply(s0.ceilDiv(nr), {nc});
  return loop1(
      b.getIndexAttr(0), panels, 1, buffer,
      [&](Value j, Value p) {
        return segmentLoops(
            0, indexConstant(b, loc, 0), p, [&](Value number, ValueRange args) {
              return Tensors{r.bRowsAreContiguous()
                                 ? packPanel(args[0], number, jc, j)
                                 : packTransposedPanel(args[0], number, jc, j)};
            })[0];
      },
      getPackGrain());
}

Value PackedNest::packPanel(Value buffer, Value number, Value jc, Value j) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t nr = blk.nr();
  bool inBounds = divides(bounds[r.n], nr);
  Value panel = panelNumber(number, j);
  return loop1(
      b.getIndexAttr(0), bounds[r.k], step, buffer, [&](Value k, Value q) {
        Value at = value(apply(s0.floorDiv(step), {k}));
        for (int64_t v = 0; v < blk.nv; ++v) {
          Value n = value(apply(s0 + s1 * nr + v * blk.lanes, {jc, j}));
          Value row =
              dot ? readRowGroup(r.b, r.bMap, Value(), n, k, blk.lanes,
                                 inBounds)
                  : convertB(readRow(r.b->get(), r.bMap, dims(Value(), n, k),
                                     blk.lanes, inBounds),
                             blk.lanes);
          q = writeRow(
              b, loc, row, q,
              {panel, at, indexConstant(b, loc, v * blk.lanes * step)});
        }
        return q;
      });
}

Value PackedNest::packTransposedPanel(Value buffer, Value number, Value jc,
                                      Value j) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t nr = blk.nr(), lanes = blk.lanes;
  // A group moves as one 32-bit element.
  int64_t width = lanes * step;
  auto wide = VectorType::get({lanes}, b.getI32Type());
  auto narrow = VectorType::get({width}, packed);
  bool inBounds = divides(bounds[r.k], width);
  Value panel = panelNumber(number, j);
  return loop1(zero, b.getIndexAttr(nr), lanes, buffer, [&](Value v, Value q) {
    return loop1(zero, bounds[r.k], width, q, [&](Value k, Value t) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < lanes; ++i) {
        Value n =
            clamp(bounds[r.n], apply(s0 + s1 * nr + s2 + i, {jc, j, v}), nr);
        Value row = convertB(
            readRow(r.b->get(), r.bMap, dims(Value(), n, k), width, inBounds),
            width);
        rows.push_back(dot ? vector::BitCastOp::create(b, loc, wide, row)
                           : row);
      }
      rows = transposeSquare(b, loc, rows);
      Value column = value(apply(s0 * step, {v}));
      for (int64_t i = 0; i < lanes; ++i) {
        Value row =
            dot ? vector::BitCastOp::create(b, loc, narrow, rows[i]) : rows[i];
        t = writeRow(b, loc, row, t,
                     {panel, value(apply(s0.floorDiv(step) + i, {k})), column});
      }
      return t;
    });
  });
}

/// Vector number `v` of step `k` in a panel of the packed B.
Value PackedNest::readB(Value bPacked, Value panel, Value k, int64_t v) {
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({blk.lanes * step}, packed), bPacked,
      ValueRange{panel, k, indexConstant(b, loc, v * blk.lanes * step)},
      padding, AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
      ArrayRef<bool>{true});
}

/// What the bias of A added to each column of the packed block, negated; null
/// where A has none.
Value PackedNest::packSums(Value bPacked, OpFoldResult nc) {
  if (!dot || !dot->biasesLhs)
    return {};
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.nr()), {nc});
  OpFoldResult depth = apply(s0.ceilDiv(step), {bounds[r.k]});
  Value buffer = makeBuffer(
      b, loc, {int64_t(llvm::divideCeil(blk.nc, blk.nr())), blk.nr()}, acc);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
  Value bias = dot->getBias(b, loc, blk.lanes);
  return loop1(zero, panels, 1, buffer, [&](Value j, Value p) {
    SmallVector<Value> start(blk.nv, none);
    Tensors sums = segmentLoops(
        0, indexConstant(b, loc, 0), start,
        [&](Value number, ValueRange outer) {
          Value panel = panelNumber(number, j);
          return loop(zero, depth, 1, outer, [&](Value k, ValueRange args) {
            Tensors next;
            for (int64_t v = 0; v < blk.nv; ++v)
              next.push_back(dot->emit(b, loc, bias,
                                       readB(bPacked, panel, k, v), args[v]));
            return next;
          });
        });
    for (int64_t v = 0; v < blk.nv; ++v)
      p = writeRow(b, loc, arith::SubIOp::create(b, loc, none, sums[v]), p,
                   {j, indexConstant(b, loc, v * blk.lanes)});
    return p;
  });
}
