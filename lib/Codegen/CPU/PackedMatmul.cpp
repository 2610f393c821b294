//===- PackedMatmul.cpp - packed, register-tiled contractions -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The loop nest of a contraction C[m, n] += A[m, k] * B[k, n], in the order of
// Goto and van de Geijn ("Anatomy of high-performance matrix multiplication",
// ACM TOMS 34(3), 2008):
//
//   other loops (batch, further m, n, k)
//     n by NC
//       k by KC         B block -> [n / NR][KC][NR], widened to the accumulator
//         m by MC       A block -> [m / MR][MR][KC] (rows) or [m / MR][KC][MR]
//           n by NR
//             m by MR   MR x NR accumulators in registers over KC steps of k
//
// Blocks are packed as rows of the source: no element moves alone except where
// B is stored k-innermost, which is transposed in registers. Rows past the end
// of A are read from its last row and written there *before* it, columns past
// the end are masked, so edges need no second kernel and all sizes may be
// dynamic.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "GroupDot.h"
#include "Parallel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

namespace {

class PackedNest {
public:
  PackedNest(OpBuilder &b, linalg::LinalgOp op, Roles roles,
             const CPUTarget &target)
      : b(b), op(op), r(std::move(roles)), target(target), loc(op.getLoc()),
        dot(matchGroupDot(r.body, target)), step(dot ? dot->size : 1),
        blk(chooseBlocking(r, target, step)), acc(r.body.accType),
        packed(dot ? dot->element : acc),
        vec(VectorType::get({blk.lanes}, acc)), ivs(op.getNumLoops(), Value()) {
  }

  Value emit();

private:
  /// A loop whose body is built through the member builder.
  SmallVector<Value>
  loop(OpFoldResult lo, OpFoldResult hi, int64_t step, ValueRange init,
       llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body,
       int64_t grain = 0);
  Value loop1(OpFoldResult lo, OpFoldResult hi, int64_t step, Value init,
              llvm::function_ref<Value(Value, Value)> body, int64_t grain = 0);

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  Value value(OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(b, loc, v);
  }
  /// min(limit, size - start), for a loop of `step` = limit over `size`.
  OpFoldResult blockSize(unsigned dim, Value start, int64_t limit);
  /// min(index, size of dim - 1).
  Value clamp(unsigned dim, OpFoldResult index, int64_t multiple);
  bool divides(unsigned dim, int64_t by) const {
    return !ShapedType::isDynamic(r.sizes[dim]) && r.sizes[dim] % by == 0;
  }

  SmallVector<Value> indices(AffineMap map, Value m, Value n, Value k);
  Value readRow(Value source, AffineMap map, Value m, Value n, Value k,
                int64_t lanes, bool inBounds);
  Value convertA(Value vector, int64_t lanes);
  Value convertB(Value vector, int64_t lanes);
  Value readRowGroup(OpOperand *source, AffineMap map, Value m, Value n,
                     Value pc, Value kk, int64_t lanes, bool inBounds);

  Value packA(Value ic, OpFoldResult mc, Value pc, OpFoldResult kc);
  Value packB(Value jc, OpFoldResult nc, Value pc, OpFoldResult kc);
  Value packTransposedB(Value packed, Value jc, OpFoldResult panels, Value pc,
                        OpFoldResult kc);
  Value readB(Value bPacked, Value j, Value k, int64_t v);
  Value packSums(Value bPacked, OpFoldResult nc, OpFoldResult kc);
  Value microKernel(Value a, Value bPacked, Value sums, Value i, Value j,
                    Value ic, Value jc, Value pc, OpFoldResult kc, Value c);
  Value otherLoops(unsigned at, Value c);
  int64_t getBatchGrain(unsigned dim) const;
  Value blocks(Value c);
  Value rowBlocks(Value jc, Value c);
  /// Iterations of a loop over panels of packed B that are worth a thread; 0
  /// where a loop outside is divided already.
  int64_t getPackGrain() const {
    return blk.parallel == Blocking::Rows ? getGrain(blk.kc * blk.nr()) : 0;
  }

  OpBuilder &b;
  linalg::LinalgOp op;
  Roles r;
  const CPUTarget &target;
  Location loc;
  std::optional<GroupDot> dot;
  /// Elements of k that one step of the innermost loop takes.
  int64_t step;
  Blocking blk;
  Type acc, packed;
  VectorType vec;
  SmallVector<Value> ivs;
  SmallVector<OpFoldResult> bounds;
  Value initScalar;
};

} // namespace

SmallVector<Value>
PackedNest::loop(OpFoldResult lo, OpFoldResult hi, int64_t step,
                 ValueRange init,
                 llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body,
                 int64_t grain) {
  return buildLoop(
      b, loc, lo, hi, step, init,
      [&](OpBuilder &nested, Location, Value iv, ValueRange args) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(),
                            nested.getInsertionPoint());
        return body(iv, args);
      },
      grain);
}

Value PackedNest::loop1(OpFoldResult lo, OpFoldResult hi, int64_t step,
                        Value init,
                        llvm::function_ref<Value(Value, Value)> body,
                        int64_t grain) {
  return loop(
      lo, hi, step, init,
      [&](Value iv, ValueRange args) {
        return SmallVector<Value>{body(iv, args[0])};
      },
      grain)[0];
}

OpFoldResult PackedNest::blockSize(unsigned dim, Value start, int64_t limit) {
  int64_t size = r.sizes[dim];
  if (!ShapedType::isDynamic(size)) {
    if (size <= limit)
      return b.getIndexAttr(size);
    if (size % limit == 0)
      return b.getIndexAttr(limit);
  }
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  AffineMap map = AffineMap::get(
      0, 2, {b.getAffineConstantExpr(limit), s0 - s1}, b.getContext());
  return affine::makeComposedFoldedAffineMin(
      b, loc, map, {bounds[dim], OpFoldResult(start)});
}

Value PackedNest::clamp(unsigned dim, OpFoldResult index, int64_t multiple) {
  if (divides(dim, multiple))
    return value(index);
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  AffineMap map = AffineMap::get(0, 2, {s0, s1 - 1}, b.getContext());
  return value(
      affine::makeComposedFoldedAffineMin(b, loc, map, {index, bounds[dim]}));
}

SmallVector<Value> PackedNest::indices(AffineMap map, Value m, Value n,
                                       Value k) {
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    result.push_back(d == r.m ? m : d == r.n ? n : d == r.k ? k : ivs[d]);
  }
  return result;
}

Value PackedNest::readRow(Value source, AffineMap map, Value m, Value n,
                          Value k, int64_t lanes, bool inBounds) {
  auto type = cast<RankedTensorType>(source.getType());
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({lanes}, type.getElementType()), source,
      indices(map, m, n, k), padding,
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

/// Rows pc + kk and the next ones of a group, converted and interleaved; a row
/// past the end of k is zero.
Value PackedNest::readRowGroup(OpOperand *source, AffineMap map, Value m,
                               Value n, Value pc, Value kk, int64_t lanes,
                               bool inBounds) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  SmallVector<Value> rows;
  for (int64_t i = 0; i < step; ++i) {
    OpFoldResult at = apply(s0 + s1 + i, {pc, kk});
    Value k = i == 0 ? value(at) : clamp(r.k, at, step);
    Value row = readRow(source->get(), map, m, n, k, lanes, inBounds);
    row = source == r.a ? convertA(row, lanes) : convertB(row, lanes);
    if (i != 0 && !divides(r.k, step)) {
      Value inside =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value(at), k);
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
      row = arith::SelectOp::create(b, loc, inside, row,
                                    toVector(b, loc, zero, lanes));
    }
    rows.push_back(row);
  }
  return interleaveRows(b, loc, rows);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

static Value writeRow(OpBuilder &b, Location loc, Value vector, Value dest,
                      ValueRange indices, bool inBounds = true) {
  int64_t rank = cast<RankedTensorType>(dest.getType()).getRank();
  return vector::TransferWriteOp::create(
             b, loc, vector, dest, indices,
             AffineMap::getMinorIdentityMap(rank, 1, b.getContext()),
             ArrayRef<bool>{inBounds})
      .getResult();
}

Value PackedNest::packA(Value ic, OpFoldResult mc, Value pc, OpFoldResult kc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.mr), {mc});
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  if (!r.aRowsAreContiguous()) {
    // Stored m-innermost: mr neighbours at once, in a power of two of lanes.
    int64_t width = llvm::PowerOf2Ceil(blk.mr);
    Value buffer =
        makeBuffer(b, loc, {count, blk.kc / step, width * step}, packed);
    bool inBounds = width == blk.mr && divides(r.m, blk.mr);
    return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
      Value m = value(apply(s0 + s1 * blk.mr, {ic, i}));
      if (dot)
        return loop1(zero, kc, step, p, [&](Value kk, Value q) {
          Value rows =
              readRowGroup(r.a, r.aMap, m, Value(), pc, kk, width, inBounds);
          return writeRow(b, loc, rows, q,
                          {i, value(apply(s0.floorDiv(step), {kk})),
                           indexConstant(b, loc, 0)});
        });
      return loop1(zero, kc, 1, p, [&](Value kk, Value q) {
        Value k = value(apply(s0 + s1, {pc, kk}));
        Value row = readRow(r.a->get(), r.aMap, m, Value(), k, width, inBounds);
        row = convertA(row, width);
        return writeRow(b, loc, row, q, {i, kk, indexConstant(b, loc, 0)});
      });
    });
  }
  int64_t lanes = blk.kc % (4 * blk.lanes) == 0 ? 4 * blk.lanes : blk.lanes;
  Value buffer = makeBuffer(b, loc, {count, blk.mr, blk.kc}, packed);
  bool inBounds = divides(r.k, lanes);
  return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
    return loop1(zero, b.getIndexAttr(blk.mr), 1, p, [&](Value row, Value q) {
      Value m = clamp(r.m, apply(s0 + s1 * blk.mr + s2, {ic, i, row}), blk.mr);
      return loop1(zero, kc, lanes, q, [&](Value kk, Value t) {
        Value k = value(apply(s0 + s1, {pc, kk}));
        Value chunk =
            readRow(r.a->get(), r.aMap, m, Value(), k, lanes, inBounds);
        return writeRow(b, loc, convertA(chunk, lanes), t, {i, row, kk});
      });
    });
  });
}

Value PackedNest::packB(Value jc, OpFoldResult nc, Value pc, OpFoldResult kc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t nr = blk.nr();
  OpFoldResult panels = apply(s0.ceilDiv(nr), {nc});
  Value buffer = makeBuffer(
      b, loc, {int64_t(llvm::divideCeil(blk.nc, nr)), blk.kc / step, nr * step},
      packed);
  if (!r.bRowsAreContiguous())
    return packTransposedB(buffer, jc, panels, pc, kc);
  bool inBounds = divides(r.n, nr);
  return loop1(
      zero, panels, 1, buffer,
      [&](Value j, Value p) {
        return loop1(zero, kc, step, p, [&](Value kk, Value q) {
          Value k = value(apply(s0 + s1, {pc, kk}));
          Value at = value(apply(s0.floorDiv(step), {kk}));
          for (int64_t v = 0; v < blk.nv; ++v) {
            Value n = value(apply(s0 + s1 * nr + v * blk.lanes, {jc, j}));
            Value row = dot ? readRowGroup(r.b, r.bMap, Value(), n, pc, kk,
                                           blk.lanes, inBounds)
                            : convertB(readRow(r.b->get(), r.bMap, Value(), n,
                                               k, blk.lanes, inBounds),
                                       blk.lanes);
            q = writeRow(b, loc, row, q,
                         {j, at, indexConstant(b, loc, v * blk.lanes * step)});
          }
          return q;
        });
      },
      getPackGrain());
}

Value PackedNest::packTransposedB(Value buffer, Value jc, OpFoldResult panels,
                                  Value pc, OpFoldResult kc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t nr = blk.nr(), lanes = blk.lanes;
  // A group moves as one 32-bit element.
  int64_t width = lanes * step;
  auto wide = VectorType::get({lanes}, b.getI32Type());
  auto narrow = VectorType::get({width}, packed);
  bool inBounds = divides(r.k, width);
  return loop1(
      zero, panels, 1, buffer,
      [&](Value j, Value p) {
        return loop1(zero, b.getIndexAttr(nr), lanes, p, [&](Value v, Value q) {
          return loop1(zero, kc, width, q, [&](Value kk, Value t) {
            Value k = value(apply(s0 + s1, {pc, kk}));
            SmallVector<Value> rows;
            for (int64_t i = 0; i < lanes; ++i) {
              Value n =
                  clamp(r.n, apply(s0 + s1 * nr + s2 + i, {jc, j, v}), nr);
              Value row = convertB(
                  readRow(r.b->get(), r.bMap, Value(), n, k, width, inBounds),
                  width);
              rows.push_back(dot ? vector::BitCastOp::create(b, loc, wide, row)
                                 : row);
            }
            rows = transposeSquare(b, loc, rows);
            Value column = value(apply(s0 * step, {v}));
            for (int64_t i = 0; i < lanes; ++i) {
              Value row =
                  dot ? vector::BitCastOp::create(b, loc, narrow, rows[i])
                      : rows[i];
              t = writeRow(
                  b, loc, row, t,
                  {j, value(apply(s0.floorDiv(step) + i, {kk})), column});
            }
            return t;
          });
        });
      },
      getPackGrain());
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

/// What the bias of A added to each column of the packed block, negated; null
/// where A has none.
Value PackedNest::packSums(Value bPacked, OpFoldResult nc, OpFoldResult kc) {
  if (!dot || !dot->biasesLhs)
    return {};
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.nr()), {nc});
  OpFoldResult depth = apply(s0.ceilDiv(step), {kc});
  Value buffer = makeBuffer(
      b, loc, {int64_t(llvm::divideCeil(blk.nc, blk.nr())), blk.nr()}, acc);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
  Value bias = dot->getBias(b, loc, blk.lanes);
  return loop1(zero, panels, 1, buffer, [&](Value j, Value p) {
    SmallVector<Value> sums =
        loop(zero, depth, 1, SmallVector<Value>(blk.nv, none),
             [&](Value k, ValueRange args) {
               SmallVector<Value> next;
               for (int64_t v = 0; v < blk.nv; ++v)
                 next.push_back(
                     dot->emit(b, loc, bias, readB(bPacked, j, k, v), args[v]));
               return next;
             });
    for (int64_t v = 0; v < blk.nv; ++v)
      p = writeRow(b, loc, arith::SubIOp::create(b, loc, none, sums[v]), p,
                   {j, indexConstant(b, loc, v * blk.lanes)});
    return p;
  });
}

/// Vector number `v` of step `k` in panel `j` of the packed B.
Value PackedNest::readB(Value bPacked, Value j, Value k, int64_t v) {
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({blk.lanes * step}, packed), bPacked,
      ValueRange{j, k, indexConstant(b, loc, v * blk.lanes * step)}, padding,
      AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
      ArrayRef<bool>{true});
}

Value PackedNest::microKernel(Value a, Value bPacked, Value sums, Value i,
                              Value j, Value ic, Value jc, Value pc,
                              OpFoldResult kc, Value c) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  SmallVector<Value> rows, columns;
  for (int64_t row = 0; row < blk.mr; ++row)
    rows.push_back(clamp(r.m, apply(s0 + s1 * blk.mr + row, {ic, i}), blk.mr));
  for (int64_t v = 0; v < blk.nv; ++v)
    columns.push_back(
        value(apply(s0 + s1 * blk.nr() + v * blk.lanes, {jc, j})));
  bool inBounds = divides(r.n, blk.nr());
  bool oneBlock =
      !ShapedType::isDynamic(r.sizes[r.k]) && r.sizes[r.k] <= blk.kc;

  Value first;
  if (initScalar && !oneBlock)
    first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, pc,
                                  indexConstant(b, loc, 0));
  SmallVector<Value> accs;
  for (Value row : rows)
    for (Value column : columns) {
      Value start;
      if (initScalar)
        start = toVector(b, loc, initScalar, blk.lanes);
      if (!initScalar || first) {
        Value old =
            readRow(c, r.cMap, row, column, Value(), blk.lanes, inBounds);
        start =
            first ? arith::SelectOp::create(b, loc, first, start, old) : old;
      }
      accs.push_back(start);
    }
  if (sums)
    for (int64_t v = 0; v < blk.nv; ++v) {
      Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(acc));
      Value sum = vector::TransferReadOp::create(
          b, loc, vec, sums,
          ValueRange{j, indexConstant(b, loc, v * blk.lanes)}, zero,
          AffineMap::getMinorIdentityMap(2, 1, b.getContext()),
          ArrayRef<bool>{true});
      for (int64_t row = 0; row < blk.mr; ++row)
        accs[row * blk.nv + v] =
            arith::AddIOp::create(b, loc, accs[row * blk.nv + v], sum);
    }

  OpFoldResult depth = apply(s0.ceilDiv(step), {kc});
  auto rowType = VectorType::get({blk.lanes * step}, packed);
  AffineMap minor = AffineMap::getMinorIdentityMap(3, 1, b.getContext());
  accs = loop(b.getIndexAttr(0), depth, 1, accs, [&](Value k, ValueRange args) {
    SmallVector<Value> bRow, next;
    Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
    for (int64_t v = 0; v < blk.nv; ++v)
      bRow.push_back(readB(bPacked, j, k, v));
    for (int64_t row = 0; row < blk.mr; ++row) {
      SmallVector<Value> at{i, indexConstant(b, loc, row),
                            value(apply(s0 * step, {k}))};
      if (!r.aRowsAreContiguous())
        at = {i, k, indexConstant(b, loc, row * step)};
      Value spread;
      if (dot) {
        Value group = vector::TransferReadOp::create(
            b, loc, VectorType::get({step}, packed), a, at, padding, minor,
            ArrayRef<bool>{true});
        Value one = vector::BitCastOp::create(
            b, loc, VectorType::get({1}, b.getI32Type()), group);
        Value element = vector::ExtractOp::create(b, loc, one, int64_t(0));
        spread = vector::BitCastOp::create(
            b, loc, rowType, toVector(b, loc, element, blk.lanes));
      } else {
        Value element = tensor::ExtractOp::create(b, loc, a, at);
        spread = toVector(b, loc, element, blk.lanes);
      }
      for (int64_t v = 0; v < blk.nv; ++v) {
        Value old = args[row * blk.nv + v];
        next.push_back(
            dot ? dot->emit(b, loc, spread, bRow[v], old)
                : multiplyAdd(b, loc, r.body, spread, bRow[v], old, target));
      }
    }
    return next;
  });

  // From the last row up: rows past the end are clamped to the last one, whose
  // own values thus come last.
  for (int64_t row = blk.mr - 1; row >= 0; --row)
    for (int64_t v = 0; v < blk.nv; ++v)
      c = writeRow(b, loc, accs[row * blk.nv + v], c,
                   indices(r.cMap, rows[row], columns[v], Value()), inBounds);
  return c;
}

Value PackedNest::blocks(Value c) {
  OpFoldResult zero = b.getIndexAttr(0);
  bool isParallel = blk.parallel == Blocking::Columns;
  return loop1(
      zero, bounds[r.n], blk.nc, c,
      [&](Value jc, Value c1) { return rowBlocks(jc, c1); }, isParallel);
}

Value PackedNest::rowBlocks(Value jc, Value c) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult nc = blockSize(r.n, jc, blk.nc);
  // A filled C is written by the first block of k: without any k, by an empty
  // one.
  OpFoldResult end = bounds[r.k];
  if (initScalar)
    end = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1, {s0, b.getAffineConstantExpr(1)}, b.getContext()),
        {end});
  bool isParallel = blk.parallel == Blocking::Rows;
  return loop1(zero, end, blk.kc, c, [&](Value pc, Value c1) {
    OpFoldResult kc = blockSize(r.k, pc, blk.kc);
    Value bPacked = packB(jc, nc, pc, kc);
    Value sums = packSums(bPacked, nc, kc);
    auto computeBlock = [&](Value ic, Value c2) {
      OpFoldResult mc = blockSize(r.m, ic, blk.mc);
      Value aPacked = packA(ic, mc, pc, kc);
      OpFoldResult panelsN = apply(s0.ceilDiv(blk.nr()), {nc});
      OpFoldResult panelsM = apply(s0.ceilDiv(blk.mr), {mc});
      return loop1(zero, panelsN, 1, c2, [&](Value j, Value c3) {
        return loop1(zero, panelsM, 1, c3, [&](Value i, Value c4) {
          return microKernel(aPacked, bPacked, sums, i, j, ic, jc, pc, kc, c4);
        });
      });
    };
    return loop1(zero, bounds[r.m], blk.mc, c1, computeBlock, isParallel);
  });
}

Value PackedNest::otherLoops(unsigned at, Value c) {
  if (at == r.others.size())
    return blocks(c);
  unsigned dim = r.others[at];
  return loop1(
      b.getIndexAttr(0), bounds[dim], 1, c,
      [&](Value iv, Value next) {
        ivs[dim] = iv;
        return otherLoops(at + 1, next);
      },
      getBatchGrain(dim));
}

/// Iterations of the loop `dim` beside m, n and k that are worth a thread; 0
/// where it is not to be divided.
int64_t PackedNest::getBatchGrain(unsigned dim) const {
  if (!r.cMap.isFunctionOfDim(dim))
    return 0;
  int64_t work = 1;
  for (unsigned d : {r.m, r.n, r.k})
    work *= ShapedType::isDynamic(r.sizes[d]) ? 1024 : r.sizes[d];
  int64_t count = r.sizes[dim];
  if (!ShapedType::isDynamic(count) &&
      (count < 4 || count * work < 8 * kWorkPerThread))
    return 0;
  return getGrain(work);
}

Value PackedNest::emit() {
  for (Range range : op.createLoopRanges(b, loc))
    bounds.push_back(range.size);
  Value c = r.c->get();
  // With k in one loop the first block can start from the filled value.
  bool oneReduction = llvm::all_of(
      r.others, [&](unsigned d) { return r.cMap.isFunctionOfDim(d); });
  if (FillInfo fill = matchFill(c); fill.scalar && oneReduction) {
    initScalar = fill.scalar;
    c = fill.destination;
    if (!c.getDefiningOp<tensor::EmptyOp>() &&
        !c.getDefiningOp<tensor::ExtractSliceOp>())
      c = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, c),
                                  acc);
  }
  return otherLoops(0, c);
}

void cpu::lowerToPackedMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                              const CPUTarget &target) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  std::optional<Roles> roles = matchRoles(op);
  assert(roles && "not a packable contraction");
  PackedNest nest(rewriter, op, std::move(*roles), target);
  rewriter.replaceOp(op, nest.emit());
}
