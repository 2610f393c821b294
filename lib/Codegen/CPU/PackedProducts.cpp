//===- PackedProducts.cpp - the products of a register tile ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost loops of PackedMatmul.cpp without tile registers: along k, a
// step or a group of them at a time, each by the vectors of a row of B and the
// elements of A, from where these are packed or lie.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

SmallVector<Value> PackedNest::accumulate(const Place &at, const Part &part,
                                          Value a, Value bPacked,
                                          ValueRange accs) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult steps = apply(s0.ceilDiv(step), {part.kc});
  if (!a)
    return segmentLoop(
        part.segment, part.segments, accs, [&](Value number, ValueRange args) {
          Value segment = value(apply(s0 + s1, {part.segment, number}));
          return addProducts(at, part, a, part.pc, bPacked,
                             packedStep(segment, part.pc), steps, args);
        });
  // Segments lie behind each other.
  if (blk.segments > 1)
    steps = apply(s0 * (*constant(depth) / step), {part.segments});
  // A strip begins with the part.
  Value zero = indexConstant(b, loc, 0);
  Value inB = blk.stripPanels ? zero : packedStep(part.segment, part.pc);
  return addProducts(at, part, a, blk.packsAllOfA ? inB : zero, bPacked, inB,
                     steps, accs);
}

SmallVector<Value> PackedNest::rowsOfBlock(const Part &part, int64_t group) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  SmallVector<Value> rows;
  for (int64_t i = group * step, end = i + step; i < end; ++i) {
    int64_t at = i / kRowsOfOffset - 1;
    OpFoldResult offset = at < 0 || rowOffsets.empty()
                              ? b.getIndexAttr(i - i % kRowsOfOffset)
                              : OpFoldResult(rowOffsets[at]);
    rows.push_back(
        value(apply(s0 + s1 + i % kRowsOfOffset, {part.pc, offset})));
  }
  return rows;
}

PackedNest::Tensors PackedNest::addStep(const Place &at, const Part &part,
                                        Value a, Value startOfA, Value bPacked,
                                        Value startOfB, Value k, bool isWhole,
                                        ValueRange args) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto rowType = VectorType::get({blk.lanes * step}, packed);
  AffineMap minor = AffineMap::getMinorIdentityMap(3, 1, b.getContext());
  Tensors bRow, next;
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed));
  Value inB = value(apply(s0 + s1, {startOfB, k}));
  std::optional<int64_t> first = constant(k);
  for (int64_t v = 0; v < rowVectors && blk.readsGroups; v += step)
    llvm::append_range(
        bRow, first && isWhole
                  ? readGroups(column(at, v), rowsOfBlock(part, *first))
                  : readGroups(column(at, v), inB, isWhole));
  bool isInBounds = columnsAreWhole();
  Value row = first && isStreamed() && step == 1
                  ? rowsOfBlock(part, *first).front()
                  : inB;
  for (int64_t v = 0; v < rowVectors && blk.halvesWords; v += 2)
    llvm::append_range(
        bRow, readRowOfB(column(at, v), row, 2 * blk.lanes, isInBounds));
  for (int64_t v = bRow.size(); v < rowVectors; ++v)
    bRow.push_back(bPacked ? readB(bPacked, at.panel, inB, v)
                           : convertB(readRow(r.b->get(), r.bMap,
                                              dims(Value(), column(at, v), row),
                                              blk.lanes, isInBounds),
                                      blk.lanes));
  auto getAhead = [&](int64_t i) {
    AffineExpr row = s0 * (blk.readsGroups ? step : 1) + i + blk.rowsAhead;
    return value(affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 2, {row, s1 - 1}, b.getContext()),
        {inB, bounds[r.k]}));
  };
  bool asks = prefetched && !blk.asksBehind;
  if (asks && blk.readsGroups) {
    for (int64_t i = 0; i < step; ++i) {
      Value ahead = getAhead(i);
      for (int64_t v = 0; v < rowVectors; ++v)
        prefetchRowOfB(column(at, v), ahead, v * blk.lanes);
    }
  } else if (asks && blk.stripPanels) {
    if (!at.next)
      prefetchStrip(at, part, k);
  } else if (asks) {
    Value ahead = getAhead(0);
    // Register tiles of the same columns share them.
    int64_t tiles = getTilesOfRows();
    int64_t count = llvm::divideCeil(rowVectors, tiles);
    for (int64_t v = 0; v < count; ++v) {
      Value n = column(at, v);
      if (tiles > 1)
        n = value(apply(s0 + (s1 * count % rowVectors) * blk.lanes, {n, at.i}));
      prefetchRowOfB(n, ahead, tiles > 1 ? 0 : v * blk.lanes);
    }
  }
  Value inA = value(apply(s0 + s1, {startOfA, k}));
  for (int64_t row = 0; row < tileHeight; ++row) {
    SmallVector<Value> in{at.i, indexConstant(b, loc, row),
                          value(apply(s0 * step, {inA}))};
    if (!r.aRowsAreContiguous())
      in = {at.i, inA, indexConstant(b, loc, row * step)};
    Value spread;
    if (!a) {
      spread = spreadElementOfA(at, row, inA);
    } else if (dot) {
      Value group = vector::TransferReadOp::create(
          b, loc, VectorType::get({step}, packed), a, in, padding, minor,
          ArrayRef<bool>{true});
      Value one = vector::BitCastOp::create(
          b, loc, VectorType::get({1}, b.getI32Type()), group);
      Value element = vector::ExtractOp::create(b, loc, one, int64_t(0));
      spread = vector::BitCastOp::create(b, loc, rowType,
                                         toVector(b, loc, element, blk.lanes));
    } else {
      Value element = tensor::ExtractOp::create(b, loc, a, in);
      spread = toVector(b, loc, element, blk.lanes);
    }
    for (int64_t v = 0; v < rowVectors; ++v) {
      Value old = args[row * rowVectors + v];
      next.push_back(
          dot ? dot->emit(b, loc, spread, bRow[v], old)
              : multiplyAdd(b, loc, r.body, spread, bRow[v], old, target));
    }
  }
  return next;
}

PackedNest::Tensors PackedNest::addProducts(const Place &at, const Part &part,
                                            Value a, Value startOfA,
                                            Value bPacked, Value startOfB,
                                            OpFoldResult count,
                                            ValueRange accs) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  auto addSome = [&](Value k, bool isWhole, ValueRange args) {
    return addStep(at, part, a, startOfA, bPacked, startOfB, k, isWhole, args);
  };
  auto addOne = [&](Value k, ValueRange args) {
    return addSome(k, /*isWhole=*/true, args);
  };
  auto addAll = [&](OpFoldResult count) {
    std::optional<int64_t> known = constant(count);
    if (known && isStreamed() && unrollsBlocks()) {
      Tensors sums(accs);
      for (int64_t k = 0; k < *known; ++k)
        sums = addOne(indexConstant(b, loc, k), sums);
      return sums;
    }
    Tensors sums = loop(zero, count, 1, accs, addOne);
    auto made = sums.front().getDefiningOp<scf::ForOp>();
    // What is asked for behind the products is to stay there, and of rows of
    // one register LLVM brings several of B at once and keeps sums on the
    // stack.
    bool asksBehind = known && prefetched && blk.asksBehind;
    if (made && (asksBehind || (a && !dot && rowVectors == 1)))
      disableUnrolling(made);
    return sums;
  };
  // Two steps at a time: counting and branching are a tenth of the instructions
  // of one. Measured, 1.03 times as fast; not so of groups, or of A in place.
  // Nor of rows of one register: those were half as fast.
  if (a && !dot && rowVectors > 1) {
    bool isEven = divides(depth, 2) && blk.kc % 2 == 0;
    OpFoldResult pairs = isEven ? count : apply(s0.floorDiv(2) * 2, {count});
    Tensors sums = loop(zero, pairs, 2, accs, [&](Value k, ValueRange args) {
      return addOne(value(apply(s0 + 1, {k})), addOne(k, args));
    });
    return isEven ? sums : loop(pairs, count, 1, sums, addOne);
  }
  if (at.next) {
    auto alone = [&]() {
      Tensors sums = addAll(count);
      sums.push_back(bPacked);
      return sums;
    };
    auto add = [&](Value k, ValueRange args) {
      Value strip = args.back();
      Tensors next = addStep(at, part, a, startOfA, strip, startOfB, k,
                             /*isWhole=*/true, args.drop_back());
      next.push_back(strip);
      return next;
    };
    return addAndPack(at, part, accs, bPacked, add, alone);
  }
  // Blocks are whole groups, but for the last one.
  if (!blk.readsGroups || divides(bounds[r.k], step))
    return addAll(count);
  OpFoldResult whole = apply(s0.floorDiv(step), {part.kc});
  return loop(whole, count, 1, addAll(whole), [&](Value k, ValueRange args) {
    return addSome(k, /*isWhole=*/false, args);
  });
}
