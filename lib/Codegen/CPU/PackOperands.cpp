//===- PackOperands.cpp - packing the operands of a contraction -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A is packed as [panel of mr rows][row][k] where neighbours in k are
// neighbours in memory, else as [panel][k][row]; B as [panel of nr
// columns][segment, k][column], with groups of k for instructions that take
// groups. Nothing moves element by element: what lies across is transposed in
// registers.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"
#include "Parallel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
  if (row == knownRow.first)
    return setParts(std::move(at), knownRow.second);
  for (auto [d, index] : llvm::zip(r.rows, splitIndex(row, r.rows)))
    at[d] = index;
  return at;
}

SmallVector<OpFoldResult> PackedNest::splitIndex(OpFoldResult index,
                                                 ArrayRef<unsigned> loops) {
  SmallVector<OpFoldResult> parts;
  if (loops.empty())
    return parts;
  for (unsigned d : llvm::reverse(loops.drop_front())) {
    AffineExpr s0 = b.getAffineSymbolExpr(0);
    if (std::optional<int64_t> size = constant(bounds[d])) {
      parts.push_back(apply(s0 % *size, {index}));
      index = apply(s0.floorDiv(*size), {index});
      continue;
    }
    Value number = value(index), size = value(bounds[d]);
    parts.push_back(arith::RemUIOp::create(b, loc, number, size).getResult());
    index = arith::DivUIOp::create(b, loc, number, size).getResult();
  }
  parts.push_back(index);
  return SmallVector<OpFoldResult>(llvm::reverse(parts));
}

Value PackedNest::readRow(Value source, AffineMap map,
                          ArrayRef<OpFoldResult> at, int64_t lanes,
                          bool inBounds, Value mask) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(applyExpr(b, loc, expr, at));
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({lanes}, type.getElementType()), source, indices,
      AffineMapAttr::get(
          AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext())),
      padding, mask, b.getBoolArrayAttr({inBounds || mask}));
}

void PackedNest::prefetchRowOfB(Value n, Value k, int64_t at) {
  constexpr int64_t kLine = 512;
  if (at * getElementTypeOrSelf(r.b->get()).getIntOrFloatBitWidth() % kLine)
    return;
  SmallVector<Value> indices;
  for (AffineExpr expr : r.bMap.getResults())
    indices.push_back(applyExpr(b, loc, expr, dims(Value(), n, k)));
  // Into the second level: there it waits until the rows before it are done.
  memref::PrefetchOp::create(b, loc, prefetched, indices, /*isWrite=*/false,
                             /*localityHint=*/2, /*isDataCache=*/true);
}

Value PackedNest::readRowOfA(ArrayRef<OpFoldResult> at, int64_t lanes,
                             bool inBounds) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  // What follows a row in memory may be another one rather than the end.
  Value mask;
  if (!inBounds && r.aMap.getResults().back() != b.getAffineDimExpr(r.k))
    mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get({lanes}, b.getI1Type()),
        value(apply(s0 - s1, {bounds[r.k], at[r.k]})));
  if (!padding)
    return readRow(r.a->get(), mapOfA(at), at, lanes, inBounds, mask);
  SmallVector<OpFoldResult> inside;
  for (auto [expr, low] :
       llvm::zip(mapOfA(at).getResults(), padding.getMixedLowPad()))
    inside.push_back(apply(s0 - s1, {applyExpr(b, loc, expr, at), low}));
  return readRow(padding.getSource(),
                 b.getMultiDimIdentityMap(r.aMap.getNumResults()), inside,
                 lanes, inBounds, mask);
}

Value PackedNest::isInsideA(ArrayRef<OpFoldResult> at) {
  if (!padding)
    return {};
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  Value all;
  for (auto [d, low] : llvm::enumerate(padding.getMixedLowPad())) {
    if (constant(low) == 0 && constant(padding.getMixedHighPad()[d]) == 0)
      continue;
    OpFoldResult index =
        apply(s0 - s1, {applyExpr(b, loc, mapOfA(at).getResult(d), at), low});
    Value size = value(tensor::getMixedSize(b, loc, padding.getSource(), d));
    // A negative index is a large one.
    Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                       value(index), size);
    all = all ? arith::AndIOp::create(b, loc, all, isIn).getResult() : isIn;
  }
  return all;
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

Value PackedNest::readRowGroup(OpOperand *source, AffineMap map, Value row,
                               Value n, Value k, int64_t lanes, bool inBounds,
                               int64_t multiple) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<Value> vectors;
  for (int64_t i = 0; i < step; ++i) {
    OpFoldResult next = apply(s0 + i, {k});
    // The first one of a group is not past the end where `multiple` is a group.
    bool isInside =
        divides(bounds[r.k], multiple) || (i == 0 && multiple == step);
    Value at = isInside ? value(next) : clamp(bounds[r.k], next, multiple);
    Value x = readRow(source->get(), map, dims(row, n, at), lanes, inBounds);
    x = source == r.a ? convertA(x, lanes) : convertB(x, lanes);
    if (!isInside) {
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

PackedNest::Tensors
PackedNest::segmentLoop(Value first, OpFoldResult count, ValueRange init,
                        llvm::function_ref<Tensors(Value, ValueRange)> body) {
  if (r.segments.empty())
    return body(indexConstant(b, loc, 0), init);
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  return loop(b.getIndexAttr(0), count, 1, init, [&](Value at, ValueRange x) {
    SmallVector<OpFoldResult> numbers =
        splitIndex(apply(s0 + s1, {first, at}), r.segments);
    for (auto [d, number] : llvm::zip(r.segments, numbers))
      ivs[d] = value(number);
    Tensors results = body(at, x);
    for (unsigned d : r.segments)
      ivs[d] = Value();
    return results;
  });
}

Value PackedNest::segmentLoop(Value first, OpFoldResult count, Value init,
                              llvm::function_ref<Value(Value, Value)> body) {
  return segmentLoop(
      first, count, ValueRange(init),
      [&](Value at, ValueRange x) { return Tensors{body(at, x[0])}; })[0];
}

Value PackedNest::packedStep(Value segment, Value k) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult in = apply(s0.floorDiv(step), {k});
  if (constant(depth))
    return value(apply(s0 * (*constant(depth) / step) + s1, {segment, in}));
  if (constant(segmentCount) == 1)
    return value(in);
  OpFoldResult groups = apply(s0.floorDiv(step), {depth});
  Value start = arith::MulIOp::create(b, loc, segment, value(groups));
  return arith::AddIOp::create(b, loc, start, value(in));
}

/// Iterations of a loop over panels of packed A that are worth a thread; 0 for
/// a block of them, which belongs to one.
static int64_t getGrainOfA(const Blocking &blk, int64_t room) {
  bool isDivided = blk.packsAllOfA && blk.parallel != Blocking::Nothing;
  return isDivided ? getGrain(blk.mr * room) : 0;
}

Value PackedNest::packAllOfA() {
  Value zero = indexConstant(b, loc, 0);
  Part all{zero, zero, b.getIndexAttr(1), bounds[r.k], {}, {}};
  return packA(zero, rowCount, all,
               llvm::alignTo(*constant(bounds[r.k]), blk.lanes * step));
}

Value PackedNest::packA(Value ic, OpFoldResult mc, const Part &part,
                        int64_t room) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.mr), {mc});
  if (isTile && blk.dotColumns)
    return packTurnedA(ic, panels, part, room);
  if (r.aRowsAreContiguous())
    return packRowsOfA(ic, panels, part, room);
  if (isTile)
    return packTilesOfA(ic, panels, part, room);
  // Stored m-innermost: mr neighbours at once, in a power of two of lanes.
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  int64_t width = llvm::PowerOf2Ceil(blk.mr);
  Value buffer = makeBuffer(b, loc, {count, room / step, width * step}, packed);
  bool inBounds = width == blk.mr && divides(rowCount, blk.mr);
  return loop1(
      zero, panels, 1, buffer,
      [&](Value i, Value p) {
        Value m = value(apply(s0 + s1 * blk.mr, {ic, i}));
        return segmentLoop(
            part.segment, part.segments, p, [&](Value segment, Value t) {
              return loop1(zero, part.kc, step, t, [&](Value kk, Value q) {
                Value k = value(apply(s0 + s1, {part.pc, kk}));
                Value rows = dot ? readRowGroup(r.a, r.aMap, m, Value(), k,
                                                width, inBounds, step)
                                 : convertA(readRow(r.a->get(), r.aMap,
                                                    dims(m, Value(), k), width,
                                                    inBounds),
                                            width);
                return writeRow(
                    b, loc, rows, q,
                    {i, packedStep(segment, kk), indexConstant(b, loc, 0)});
              });
            });
      },
      getGrainOfA(blk, room));
}

Value PackedNest::packRowsOfA(Value ic, OpFoldResult panels, const Part &part,
                              int64_t room) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t count = llvm::divideCeil(blk.mc, blk.mr);
  // Whole vectors first, of which none needs a mask; then the rest, one
  // register at a time: that may reach into the next segment, which comes next,
  // and behind the last one.
  bool isHalved = blk.dotColumns && !dot && halvesWords(r.body);
  int64_t narrow =
      std::min<int64_t>(blk.lanes * step * (isHalved ? 2 : 1), room);
  int64_t wide =
      room % (4 * blk.lanes) == 0 && r.getSize(r.k, room) >= 4 * blk.lanes
          ? 4 * blk.lanes
          : narrow;
  // Rows of all of k would often be a power of two apart, in one set of a
  // cache, as would those of a tile, which takes 16 at once: where that is 1
  // KiB, products are 1.0 to 1.05 times as fast, of sizes that are not known up
  // to 1.15 times.
  constexpr int64_t kApart = 1024;
  bool areApart =
      isTile && room * packed.getIntOrFloatBitWidth() / 8 % kApart == 0;
  bool reachesOut =
      blk.segments > 1 || room % narrow != 0 || blk.packsAllOfA || areApart;
  Value buffer = makeBuffer(
      b, loc, {count, blk.mr, room + (reachesOut ? narrow : 0)}, packed);
  OpFoldResult whole = apply(s0.floorDiv(wide) * wide, {part.kc}),
               end = part.kc;
  // One step for a strip: LLVM makes a call of a loop that copies a row, behind
  // which tiles are configured again.
  if (isTile && blk.stripPanels && !divides(bounds[r.k], unit)) {
    whole = zero;
    end = b.getIndexAttr(unit);
  }
  // The even elements of each two vectors, and then the odd ones.
  auto halve = [&](Value x, int64_t width) -> Value {
    SmallVector<int64_t> picks;
    int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
    for (int64_t first = 0; first < lanes; first += width)
      for (int64_t odd : {0, 1})
        for (int64_t i = odd; i < width; i += 2)
          picks.push_back(first + i);
    return vector::ShuffleOp::create(b, loc, x, x, picks);
  };
  auto zeros = [&](int64_t lanes) -> Value {
    Type element =
        cast<RankedTensorType>(r.a->get().getType()).getElementType();
    return arith::ConstantOp::create(
        b, loc, b.getZeroAttr(VectorType::get({lanes}, element)));
  };
  return loop1(
      zero, panels, 1, buffer,
      [&](Value i, Value p) {
        return rowsOfPanel(
            value(apply(s0 + s1 * blk.mr, {ic, i})), p,
            [&](Value row, Value m, Value q) {
              return segmentLoop(
                  part.segment, part.segments, q, [&](Value segment, Value u) {
                    // Padding is converted too: its zeros may be biased.
                    auto copy = [&](int64_t lanes, bool inBounds,
                                    bool isPadding) {
                      return [&, lanes, inBounds, isPadding](Value kk,
                                                             Value t) {
                        Value k = value(apply(s0 + s1, {part.pc, kk}));
                        Value chunk = isPadding
                                          ? zeros(lanes)
                                          : readRowOfA(dims(m, Value(), k),
                                                       lanes, inBounds);
                        Value at =
                            value(apply(s0 * step, {packedStep(segment, kk)}));
                        Value x = convertA(chunk, lanes);
                        if (isHalved)
                          x = halve(x, narrow);
                        return writeRow(b, loc, x, t, {i, row, at});
                      };
                    };
                    return choose(
                        isInsideA(dims(m, Value(), Value())), u.getType(),
                        [&]() {
                          Value t = loop1(zero, whole, wide, u,
                                          copy(wide, true, false));
                          return Tensors{loop1(whole, end, narrow, t,
                                               copy(narrow, false, false))};
                        },
                        [&]() {
                          return Tensors{loop1(zero, part.kc, narrow, u,
                                               copy(narrow, false, true))};
                        })[0];
                  });
            });
      },
      getGrainOfA(blk, room));
}

//===----------------------------------------------------------------------===//
// B
//===----------------------------------------------------------------------===//

Value PackedNest::separate(Value packed) {
  bool hasManyRegisters = target.hasMaskedMemory;
  auto made = packed.getDefiningOp<scf::ForOp>();
  if (made && (r.windows || !hasManyRegisters))
    made->setAttr(kSeparateAttrName, b.getUnitAttr());
  return packed;
}

int64_t PackedNest::getPackGrain() const {
  return blk.parallel == Blocking::Rows && !blk.joinsRows
             ? getGrain(r.getSize(r.k, 1024) * r.getSize(r.segments, 1) *
                        blk.nr())
             : 0;
}

Value PackedNest::packB(Value jc, OpFoldResult nc) {
  if (Value panels = usePackedB(jc, nc))
    return panels;
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t nr = blk.nr(), spare = getSpareSteps();
  OpFoldResult steps = packedEnd();
  SmallVector<OpFoldResult> sizes = {
      b.getIndexAttr(llvm::divideCeil(blk.nc, nr)), apply(s0 + spare, {steps}),
      b.getIndexAttr(nr * step)};
  return packPanels(makeBuffer(b, loc, sizes, packed), jc, nc, getPackGrain());
}

/// Packed steps behind those of a panel: squares are written whole.
int64_t PackedNest::getSpareSteps() const {
  return r.bRowsAreContiguous() || r.windows ? 0 : blk.lanes - 1;
}

/// Packs the panels of `nc` columns from `jc` into `buffer`.
Value PackedNest::packPanels(Value buffer, Value jc, OpFoldResult nc,
                             int64_t grain) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.nr()), {nc});
  Value first = indexConstant(b, loc, 0);
  if (r.windows) {
    Value steps = makeWindowSteps();
    return loop1(
        zero, panels, 1, buffer,
        [&](Value j, Value p) { return packWindows(p, steps, jc, j); }, grain);
  }
  // Several panels of contiguous rows at a time, unless those are a thread's
  // share: parts of a row that are as long as a line or three are slower to
  // read one panel after the other, as rows are far apart. Measured, 1.1 times
  // as fast where there are few rows of A.
  constexpr int64_t kPanels = 4, kShares = 8;
  bool isLong = !constant(panels) || *constant(panels) >= kShares * kPanels;
  int64_t by = r.bRowsAreContiguous() && (grain == 0 || isLong) ? kPanels : 1;
  return loop1(
      zero, panels, by, buffer,
      [&](Value j, Value p) {
        return segmentLoop(first, segmentCount, p, [&](Value number, Value q) {
          if (!r.bRowsAreContiguous())
            return packTransposedPanel(q, number, jc, j);
          return packPanels(q, number, jc, j, blockSize(panels, j, by));
        });
      },
      llvm::divideCeil(grain, by));
}

/// Packs `count` panels of a segment from number `first` on.
Value PackedNest::packPanels(Value buffer, Value number, Value jc, Value first,
                             OpFoldResult count) {
  constexpr int64_t kRows = 16;
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  auto panels = [&](Value q, llvm::function_ref<Value(Value, Value)> body) {
    return loop1(zero, count, 1, q, [&](Value in, Value t) {
      return body(value(apply(s0 + s1, {first, in})), t);
    });
  };
  bool isOne = constant(count) == 1;
  Value from = indexConstant(b, loc, 0);
  if (isOne)
    buffer = packPanel(buffer, number, jc, first, from, bounds[r.k]);
  else
    buffer = loop1(zero, bounds[r.k], kRows, buffer, [&](Value k, Value q) {
      return panels(q, [&](Value j, Value t) {
        return packPanel(t, number, jc, j, k, blockSize(bounds[r.k], k, kRows));
      });
    });
  return panels(buffer,
                [&](Value j, Value t) { return padPanel(t, number, j); });
}

/// Steps of all segments, in groups.
OpFoldResult PackedNest::packedEnd() {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  if (constant(segmentCount) == 1)
    return apply(s0.floorDiv(step), {depth});
  return multiply(segmentCount, apply(s0.floorDiv(step), {depth}));
}

/// Packs `count` steps of a panel from step `from` on, a multiple of groups.
Value PackedNest::packPanel(Value buffer, Value number, Value jc, Value j,
                            Value from, OpFoldResult count) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t nr = blk.nr();
  bool inBounds = divides(bounds[r.n], nr);
  return loop1(b.getIndexAttr(0), count, step, buffer, [&](Value at, Value q) {
    Value k = value(apply(s0 + s1, {from, at}));
    Value in = packedStep(number, k);
    for (int64_t v = 0; v < blk.nv; ++v) {
      Value n = value(apply(s0 + s1 * nr + v * blk.lanes, {jc, j}));
      Value row =
          dot ? readRowGroup(r.b, r.bMap, Value(), n, k, blk.lanes, inBounds,
                             step)
              : convertB(readRow(r.b->get(), r.bMap, dims(Value(), n, k),
                                 blk.lanes, inBounds),
                         blk.lanes);
      q = writeRow(b, loc, row, q,
                   {j, in, indexConstant(b, loc, v * blk.lanes * step)});
    }
    return q;
  });
}

/// Zeros behind the last step of a panel. Of a tile's last groups there may be
/// none: A has zeros there, by which what is in memory cannot be multiplied, as
/// it may be NaN.
Value PackedNest::padPanel(Value buffer, Value number, Value j) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  Value zeros = arith::ConstantOp::create(
      b, loc, b.getZeroAttr(VectorType::get({blk.lanes * step}, packed)));
  OpFoldResult end = apply(s0.ceilDiv(step) * step, {bounds[r.k]});
  return loop1(end, depth, step, buffer, [&](Value k, Value q) {
    for (int64_t v = 0; v < blk.nv; ++v)
      q = writeRow(b, loc, zeros, q,
                   {j, packedStep(number, k),
                    indexConstant(b, loc, v * blk.lanes * step)});
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
        t = writeRow(
            b, loc, row, t,
            {j, value(apply(s0 + i, {packedStep(number, k)})), column});
      }
      return t;
    });
  });
}

/// Vector number `v` of packed step `k` in panel `j` of B.
Value PackedNest::readB(Value bPacked, Value j, Value k, int64_t v) {
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({blk.lanes * step}, packed), bPacked,
      ValueRange{j, k, indexConstant(b, loc, v * blk.lanes * step)}, padding,
      AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
      ArrayRef<bool>{true});
}

/// What the bias of A added to each column of the packed block, negated; null
/// where A has none.
Value PackedNest::packSums(Value bPacked, OpFoldResult nc) {
  if (!dot || !dot->biasesLhs)
    return {};
  if (constantSums)
    return constantSums;
  return sumPanels(
      makeBuffer(b, loc,
                 {int64_t(llvm::divideCeil(blk.nc, blk.nr())), blk.nr()}, acc),
      bPacked, nc);
}

/// Writes these sums of the packed block into `buffer`.
Value PackedNest::sumPanels(Value buffer, Value bPacked, OpFoldResult nc) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panels = apply(s0.ceilDiv(blk.nr()), {nc});
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
  Value bias = dot->getBias(b, loc, blk.lanes);
  return loop1(zero, panels, 1, buffer, [&](Value j, Value p) {
    Tensors sums =
        loop(zero, packedEnd(), 1, SmallVector<Value>(blk.nv, none),
             [&](Value k, ValueRange args) {
               Tensors next;
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
