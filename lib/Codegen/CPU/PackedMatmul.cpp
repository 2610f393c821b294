//===- PackedMatmul.cpp - packed, register-tiled contractions -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The loop nest of a contraction C[m, n] += A[m, k] * B[k, n] and of the
// elementwise ops that follow, after Goto and van de Geijn ("Anatomy of
// high-performance matrix multiplication", ACM TOMS 34(3), 2008):
//
//   other loops (batch, further n)
//     n by NC           B block, all of k, widened to the accumulator
//       m by MC         partial sums of MC x NC
//         k by KC       A block of MC x KC
//           n by NR
//             m by MR   MR x NR accumulators in registers over KC steps of k
//                       (PackedProducts.cpp); after the last k, the rest of the
//                       ops, and the stores
//
// Where the processor has tile registers (AMX), accumulators are 2 x 2 of them
// (PackedTiles.cpp), and the loop over MR is outside of that over NR if the
// second cache has the block of B. Threads then have ranges of rows, each of
// which is all of these loops with blocks of B of its own.
//
// A few rows read B where it is (by groups: GroupsInPlace.cpp, by tiles:
// TilesInPlace.cpp), tiles may read A so (TilesOfA.cpp); small operands are
// both read where they are (SmallContraction.cpp), as are a few rows and a
// transposed B (DotContraction.cpp). Partial sums are in a block of the
// thread's own, with room for whole tiles: nothing but the width of the last
// panel, the height of the last tile of small products and what sums start from
// and end with depends on where the edges are, results of any type need no
// other memory, and all sizes may be dynamic. The first and the last sums of a
// tile are not in that block if all rows are there. Rows past the end of a
// packed A are copies of its last row, and are not stored; columns past the end
// are masked. Several reductions (of a convolution) are segments of k.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"
#include "Parallel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

PackedNest::PackedNest(OpBuilder &b, linalg::LinalgOp op, Roles roles,
                       Epilogue epilogue, const CPUTarget &target,
                       SmallVectorImpl<linalg::LinalgOp> &rest)
    : b(b), rest(rest), op(op), r(std::move(roles)),
      epilogue(std::move(epilogue)), target(target), loc(op.getLoc()),
      acc(r.body.accType), ivs(op.getNumLoops(), Value()) {
  setProduct(matchGroupDot(r, target));
  setBlocks(chooseBlocking(r, target, step, isTile));
  vec = VectorType::get({blk.lanes}, acc);
  auto pad = r.a->get().getDefiningOp<tensor::PadOp>();
  if (pad && isPackedPadding(pad, target))
    padding = pad;
}

void PackedNest::setProduct(const std::optional<GroupDot> &product) {
  dot = product;
  isTile = dot && dot->isTile;
  step = dot ? dot->size : 1;
  unit = isTile ? step * kTileRows : step;
  packed = dot ? dot->element : acc;
}

void PackedNest::setBlocks(const Blocking &blocks) {
  blk = blocks;
  rowVectors = blk.nv;
  tileHeight = blk.mr;
  if (dot && !blk.packsB && dot->biasesLhs) {
    dot->biasesLhs = false;
    dot->biasesRhs = true;
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Tells LLVM not to unroll `loop` if it has loops or many sums: what it makes
/// of two blocks of k, one after the other, keeps sums on the stack (f32 of
/// 512^3 with AVX2 was half as fast).
static void keepRolled(scf::ForOp loop) {
  constexpr int64_t kManySums = 8;
  bool isInner = loop.getBody()->getOps<LoopLikeOpInterface>().empty();
  if (isInner && llvm::count_if(loop.getResultTypes(),
                                llvm::IsaPred<VectorType>) < kManySums)
    return;
  disableUnrolling(loop);
}

PackedNest::Tensors
PackedNest::loop(OpFoldResult lo, OpFoldResult hi, int64_t by, ValueRange init,
                 llvm::function_ref<Tensors(Value, ValueRange)> body,
                 int64_t grain) {
  return loop(lo, hi, OpFoldResult(b.getIndexAttr(by)), init, body, grain);
}

PackedNest::Tensors PackedNest::loop(
    OpFoldResult lo, OpFoldResult hi, OpFoldResult by, ValueRange init,
    llvm::function_ref<Tensors(Value, ValueRange)> body, int64_t grain) {
  Tensors results = buildLoop(
      b, loc, lo, hi, by, init,
      [&](OpBuilder &nested, Location, Value iv, ValueRange args) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(),
                            nested.getInsertionPoint());
        return body(iv, args);
      },
      grain);
  if (auto made = results.empty() ? scf::ForOp()
                                  : results[0].getDefiningOp<scf::ForOp>())
    keepRolled(made);
  return results;
}

Value PackedNest::loop1(OpFoldResult lo, OpFoldResult hi, int64_t by,
                        Value init,
                        llvm::function_ref<Value(Value, Value)> body,
                        int64_t grain) {
  return loop(
      lo, hi, by, init,
      [&](Value iv, ValueRange args) { return Tensors{body(iv, args[0])}; },
      grain)[0];
}

PackedNest::Tensors
PackedNest::choose(Value condition, TypeRange types,
                   llvm::function_ref<Tensors()> then,
                   llvm::function_ref<Tensors()> otherwise) {
  if (!condition)
    return then();
  auto choice = scf::IfOp::create(b, loc, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, then());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, otherwise());
  return Tensors(choice.getResults());
}

OpFoldResult PackedNest::blockSize(OpFoldResult size, Value start,
                                   OpFoldResult limit) {
  std::optional<int64_t> known = constant(size), most = constant(limit);
  if (known && most) {
    if (*known <= *most)
      return size;
    if (*known % *most == 0)
      return limit;
  }
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  return affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 3, {s2, s0 - s1}, b.getContext()),
      {size, OpFoldResult(start), limit});
}

OpFoldResult PackedNest::blockStep(OpFoldResult size, int64_t most,
                                   int64_t unit, bool isDivided) {
  if (constant(size) || !isDivided || !blk.leastPart)
    return b.getIndexAttr(most);
  auto index = [&](int64_t x) { return indexConstant(b, loc, x); };
  auto ceilDiv = [&](Value x, Value by) -> Value {
    return arith::CeilDivUIOp::create(b, loc, x, by);
  };
  Value all = value(size), whole = index(most), step, best;
  for (int64_t parts = blk.parts; parts >= 2; parts -= 2) {
    Value part = arith::MulIOp::create(
        b, loc, ceilDiv(all, index(parts * unit)), index(unit));
    part = arith::MaxUIOp::create(b, loc, part,
                                  index(llvm::alignTo(blk.leastPart, unit)));
    part = arith::MinUIOp::create(b, loc, part, whole);
    Value count = ceilDiv(all, part);
    if (blk.dividesPanels) {
      Value equal =
          ceilDiv(all, arith::MaxUIOp::create(b, loc, count, index(1)));
      part = arith::MulIOp::create(b, loc, ceilDiv(equal, index(unit)),
                                   index(unit));
    }
    // What one of two and one of four threads have of it.
    Value share = arith::MulIOp::create(
        b, loc, part,
        arith::AddIOp::create(b, loc, ceilDiv(count, index(2)),
                              ceilDiv(count, index(4))));
    if (!step) {
      step = part;
      best = share;
      continue;
    }
    auto less = blk.dividesPanels ? arith::CmpIPredicate::ule
                                  : arith::CmpIPredicate::ult;
    Value isBetter = arith::CmpIOp::create(b, loc, less, share, best);
    step = arith::SelectOp::create(b, loc, isBetter, part, step);
    best = arith::MinUIOp::create(b, loc, share, best);
  }
  return arith::SelectOp::create(b, loc, isWorthThreads(), step, whole)
      .getResult();
}

Value PackedNest::isWorthThreads() {
  OpFoldResult work = multiply(multiply(rowCount, bounds[r.n]),
                               multiply(segmentCount, bounds[r.k]));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, value(work),
                               indexConstant(b, loc, blk.leastWork));
}

Value PackedNest::clamp(OpFoldResult size, OpFoldResult index,
                        int64_t multiple) {
  if (divides(size, multiple))
    return value(index);
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  AffineMap map = AffineMap::get(0, 2, {s0, s1 - 1}, b.getContext());
  return value(affine::makeComposedFoldedAffineMin(b, loc, map, {index, size}));
}

OpFoldResult PackedNest::multiply(OpFoldResult x, OpFoldResult y) {
  if (constant(x) && constant(y))
    return b.getIndexAttr(*constant(x) * *constant(y));
  return arith::MulIOp::create(b, loc, value(x), value(y)).getResult();
}

//===----------------------------------------------------------------------===//
// Register tiles
//===----------------------------------------------------------------------===//

Value PackedNest::column(const Place &at, int64_t v) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  return value(apply(s0 + s1 * blk.nr() + v * blk.lanes, {at.jc, at.j}));
}

/// Where vector `v` of a tile's row is in the block of partial sums; one tile's
/// room is all that is used where all of k is one block.
SmallVector<Value> PackedNest::tileIndices(const Place &at, Value row,
                                           int64_t v) {
  Value first = indexConstant(b, loc, v * blk.lanes);
  Value zero = indexConstant(b, loc, 0);
  if (isOneBlock)
    return {zero, row, first};
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  if (!isOneBlockNow)
    return {at.j, value(apply(s0 * blk.mr + s1, {at.i, row})), first};
  auto orZero = [&](Value index) -> Value {
    return arith::SelectOp::create(b, loc, isOneBlockNow, zero, index);
  };
  Value above = orZero(value(apply(s0 * blk.mr, {at.i})));
  return {orZero(at.j), value(apply(s0 + s1, {above, row})), first};
}

Value PackedNest::readTile(Value tile, const Place &at, Value row, int64_t v) {
  Value padding = arith::ConstantOp::create(b, loc, b.getZeroAttr(acc));
  return vector::TransferReadOp::create(
      b, loc, vec, tile, tileIndices(at, row, v), padding,
      AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
      ArrayRef<bool>{true});
}

Value PackedNest::writeTile(Value tile, const Place &at, Value row, int64_t v,
                            Value x) {
  return vector::TransferWriteOp::create(
             b, loc, x, tile, tileIndices(at, row, v),
             AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
             ArrayRef<bool>{true})
      .getResult();
}

Value PackedNest::readSum(Value sums, Value j, int64_t v) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(acc));
  return vector::TransferReadOp::create(
      b, loc, vec, sums, ValueRange{j, indexConstant(b, loc, v * blk.lanes)},
      zero, AffineMap::getMinorIdentityMap(2, 1, b.getContext()),
      ArrayRef<bool>{true});
}

PackedNest::Tensors
PackedNest::tileRows(const Place &at, ValueRange tensors,
                     llvm::function_ref<Tensors(Value, Value, Tensors)> body) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult count = b.getIndexAttr(blk.mr);
  if (!divides(rowCount, blk.mr))
    count = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 3,
                       {b.getAffineConstantExpr(blk.mr), s0 - s1 - s2 * blk.mr},
                       b.getContext()),
        {rowCount, OpFoldResult(at.ic), OpFoldResult(at.i)});
  Value shift = getRowsAbove(at);
  // Rows of several loops are counted.
  Tensors carried(tensors);
  bool counts = rowParts.exprs.empty() && !rowParts.dims.empty();
  if (counts)
    llvm::append_range(carried,
                       splitRow(value(apply(s0 + s1 * blk.mr, {at.ic, at.i}))));
  Tensors results = loop(
      b.getIndexAttr(0), count, 1, carried, [&](Value row, ValueRange args) {
        Value m = value(apply(s0 + s1 * blk.mr + s2, {at.ic, at.i, row}));
        if (shift)
          row = arith::AddIOp::create(b, loc, row, shift);
        ValueRange parts = args.drop_front(tensors.size());
        if (counts)
          knownRow = {m, Tensors(parts)};
        Tensors next = body(row, m, Tensors(args.take_front(tensors.size())));
        knownRow.first = Value();
        if (counts)
          llvm::append_range(next, countRows(parts, indexConstant(b, loc, 1)));
        return next;
      });
  results.truncate(tensors.size());
  return results;
}

/// What the sums of row number `m` start from, which is no padding.
PackedNest::Tensors PackedNest::startRow(const Place &at, Value m, Value sums,
                                         ValueRange tensors) {
  Value source = inPlace ? tensors[*inPlace] : initTensor;
  Tensors starts;
  for (int64_t v = 0; v < rowVectors; ++v) {
    Value x = initScalar ? initScalar
                         : readAlong(b, loc, source, initMap,
                                     dims(m, column(at, v), Value()), r.n,
                                     blk.lanes, columnsAreWhole());
    x = toVector(b, loc, x, blk.lanes);
    if (sums)
      x = arith::AddIOp::create(b, loc, x,
                                dot->biasesRhs ? readSumOfRow(sums, m)
                                               : readSum(sums, at.j, v));
    starts.push_back(x);
  }
  return shuffleColumns(starts);
}

/// Puts that into the tile's memory, row by row: past the end there are none.
Value PackedNest::fillTile(const Place &at, const Part &part, Value sums,
                           ValueRange tensors) {
  return choose(
      part.isFirst, tensors.back().getType(),
      [&]() {
        return tileRows(at, tensors.back(),
                        [&](Value row, Value m, Tensors args) {
                          for (auto [v, x] :
                               llvm::enumerate(startRow(at, m, sums, tensors)))
                            args[0] = writeTile(args[0], at, row, v, x);
                          return args;
                        });
      },
      [&]() { return Tensors{tensors.back()}; })[0];
}

/// What the accumulators start from. What is not the same for all rows goes
/// through the tile's memory, unless they are all there.
SmallVector<Value> PackedNest::startTile(const Place &at, const Part &part,
                                         Value sums, Tensors &tensors) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto readAll = [&]() {
    SmallVector<Value> accs;
    for (int64_t row = 0; row < tileHeight; ++row)
      for (int64_t v = 0; v < rowVectors; ++v)
        accs.push_back(
            readTile(tensors.back(), at, indexConstant(b, loc, row), v));
    return accs;
  };
  SmallVector<Type> types(tileHeight * rowVectors, vec);
  bool differs = inPlace || llvm::any_of(r.rows, [&](unsigned d) {
                   return !initScalar && initMap.isFunctionOfDim(d);
                 });
  if (differs) {
    types.push_back(tensors.back().getType());
    auto fill = [&]() {
      tensors.back() = fillTile(at, part, sums, tensors);
      Tensors accs = readAll();
      accs.push_back(tensors.back());
      return accs;
    };
    auto start = [&]() {
      Tensors accs;
      eachRow(at, [&](Value m) {
        llvm::append_range(accs, startRow(at, m, sums, tensors));
      });
      accs.push_back(tensors.back());
      return accs;
    };
    Tensors accs =
        isStreamed() ? fill()
                     : choose(isWholeNow(at, part.isFirst), types, start, fill);
    tensors.back() = accs.pop_back_val();
    return accs;
  }
  auto startAll = [&]() {
    Tensors starts;
    for (int64_t v = 0; v < rowVectors; ++v) {
      Value x = initScalar ? initScalar
                           : readAlong(b, loc, initTensor, initMap,
                                       dims(Value(), column(at, v), Value()),
                                       r.n, blk.lanes, columnsAreWhole());
      x = toVector(b, loc, x, blk.lanes);
      if (sums && !dot->biasesRhs)
        x = arith::AddIOp::create(b, loc, x, readSum(sums, at.j, v));
      starts.push_back(x);
    }
    starts = shuffleColumns(starts);
    SmallVector<Value> accs;
    for (int64_t row = 0; row < tileHeight; ++row) {
      Value sum;
      if (sums && dot->biasesRhs)
        sum = readSumOfRow(sums, apply(s0 + s1 * blk.mr + row, {at.ic, at.i}));
      for (Value x : starts)
        accs.push_back(sum ? arith::AddIOp::create(b, loc, x, sum) : x);
    }
    return accs;
  };
  return choose(part.isFirst, types, startAll, readAll);
}

/// What follows on row number `m`, of these sums, all columns of which are
/// `inBounds` or some may not be.
PackedNest::Tensors PackedNest::finishRow(const Place &at, Value m,
                                          ValueRange sums, ValueRange init,
                                          bool inBounds) {
  Tensors tensors(init);
  for (auto [v, sum] : llvm::enumerate(sortColumns(sums))) {
    SmallVector<OpFoldResult> point = dims(m, column(at, v), Value());
    SmallVector<Value> made =
        epilogue.emit(b, loc, sum, point, blk.lanes, inBounds);
    for (auto [value, result, tensor] :
         llvm::zip(made, epilogue.getResults(), tensors)) {
      SmallVector<Value> indices;
      for (AffineExpr expr : result.map.getResults())
        indices.push_back(applyExpr(b, loc, expr, point));
      tensor =
          vector::TransferWriteOp::create(
              b, loc, value, tensor, indices,
              AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext()),
              ArrayRef<bool>{inBounds})
              .getResult();
    }
  }
  return tensors;
}

/// The same on each row of a tile.
PackedNest::Tensors PackedNest::finishRows(const Place &at, Value tile,
                                           ValueRange tensors, bool inBounds) {
  return tileRows(at, tensors, [&](Value row, Value m, Tensors args) {
    Tensors sums;
    for (int64_t v = 0; v < rowVectors; ++v)
      sums.push_back(readTile(tile, at, row, v));
    return finishRow(at, m, sums, args, inBounds);
  });
}

/// Whether no column of a tile is past the end, which is not known.
Value PackedNest::columnsAreWholeNow(const Place &at) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  Value end =
      value(apply(s0 + s1 * blk.nr() + rowVectors * blk.lanes, {at.jc, at.j}));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end,
                               value(bounds[r.n]));
}

/// After the last partial sums, what follows.
PackedNest::Tensors PackedNest::finishTile(const Place &at, const Part &part,
                                           Tensors tensors) {
  if (part.hasNext)
    return tensors;
  Value tile = tensors.pop_back_val();
  auto types = ValueRange(tensors).getTypes();
  auto finish = [&](bool inBounds) {
    return finishRows(at, tile, tensors, inBounds);
  };
  Tensors results = choose(
      part.isLast, types,
      [&]() {
        if (columnsAreWhole())
          return finish(/*inBounds=*/true);
        if (target.hasMaskedMemory)
          return finish(/*inBounds=*/false);
        // Stores of a part of a vector take many times as long as others there
        // (vmaskmovps, or element by element): only at the edge.
        return choose(
            columnsAreWholeNow(at), types,
            [&]() { return finish(/*inBounds=*/true); },
            [&]() { return finish(/*inBounds=*/false); });
      },
      [&]() { return tensors; });
  results.push_back(tile);
  return results;
}

/// Whether `epilogue` is emitted for each register of a tile: a few
/// instructions, with few registers of their own.
static bool isShort(const Epilogue &epilogue) {
  constexpr int64_t kMostOps = 4;
  int64_t count = 0;
  for (linalg::GenericOp op : epilogue.getOps())
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (!isa<arith::ArithDialect>(inner.getDialect()))
        return false;
      ++count;
    }
  return count <= kMostOps;
}

/// Whether `condition` holds, unless that is null, and no rows of the tile are
/// past the end, nor columns where memory in parts is slow; null where that is
/// known.
Value PackedNest::isWholeNow(const Place &at, Value condition) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  auto require = [&](Value holds) {
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, holds) : holds;
  };
  if (!divides(rowCount, blk.mr)) {
    Value end = value(apply(s0 + s1 * blk.mr + tileHeight, {at.ic, at.i}));
    require(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end,
                                  value(rowCount)));
  }
  if (!columnsAreWhole() && !target.hasMaskedMemory)
    require(columnsAreWholeNow(at));
  return condition;
}

/// Calls `body` with the number of each row of a tile that is whole.
void PackedNest::eachRow(const Place &at,
                         llvm::function_ref<void(Value)> body) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  Value first = value(apply(s0 + s1 * blk.mr, {at.ic, at.i}));
  bool counts = rowParts.exprs.empty() && !rowParts.dims.empty();
  llvm::SaveAndRestore columns(isInside, isInside || !target.hasMaskedMemory);
  Tensors parts;
  for (int64_t row = 0; row < tileHeight; ++row) {
    Value m = value(apply(s0 + row, {first}));
    if (counts) {
      parts = row ? countRows(parts, indexConstant(b, loc, 1)) : splitRow(m);
      knownRow = {m, parts};
    }
    body(m);
    knownRow.first = Value();
  }
}

/// What follows on a whole tile of last sums, which need not go through memory:
/// products are 1.02 to 1.06 times as fast for that (k of 64, Zen 4).
PackedNest::Tensors PackedNest::finishRegisters(const Place &at,
                                                ValueRange accs,
                                                ValueRange tensors) {
  Tensors results = tensors.drop_back();
  eachRow(at, [&](Value m) {
    results = finishRow(at, m, accs.take_front(rowVectors), results,
                        columnsAreWhole());
    accs = accs.drop_front(rowVectors);
  });
  results.push_back(tensors.back());
  return results;
}

PackedNest::Tensors PackedNest::registerTile(const Place &at, const Part &part,
                                             Value a, Value bPacked, Value sums,
                                             ValueRange init) {
  Tensors tensors(init);
  if (isTile) {
    auto multiply = [&]() {
      tensors.back() = blk.dotColumns ? addTileDots(at, part, a, tensors)
                                      : sumTiles(at, part, a, bPacked, tensors);
      return finishTile(at, part, tensors);
    };
    std::optional<Value> areResults = areTilesResults(at);
    if (!areResults)
      return multiply();
    return choose(
        *areResults, init.getTypes(),
        [&]() {
          Tensors results(init);
          results.front() = multiplyTiles(
              at, part, a, bPacked, results.front(), /*fromZero=*/true,
              /*first=*/0, blk.nr() / kTileRows, /*areResults=*/true);
          return results;
        },
        multiply);
  }
  if (blk.dotColumns) {
    tensors.back() = addDots(at, part, a, fillTile(at, part, sums, tensors));
    return finishTile(at, part, tensors);
  }
  SmallVector<Value> accs = startTile(at, part, sums, tensors);
  if (!a)
    splitRowsOfTile(at);
  accs = accumulate(at, part, a, bPacked, accs);
  Value strip = at.next ? accs.pop_back_val() : Value();
  auto store = [&]() {
    Tensors next(tensors);
    for (int64_t row = 0; row < tileHeight; ++row)
      for (int64_t v = 0; v < rowVectors; ++v)
        next.back() = writeTile(next.back(), at, indexConstant(b, loc, row), v,
                                accs[row * rowVectors + v]);
    if (prefetched && blk.asksBehind && part.hasNext)
      prefetchNextRows(at, part);
    return finishTile(at, part, next);
  };
  auto finish = [&]() { return finishRegisters(at, accs, tensors); };
  // What a few rows end with is little beside B, and as much to compile for
  // each number of them.
  tensors = isStreamed() || part.hasNext || !isShort(epilogue)
                ? store()
                : choose(isWholeNow(at, part.isLast),
                         ValueRange(tensors).getTypes(), finish, store);
  if (strip)
    tensors.push_back(strip);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Decides what the sums start from and where the results go.
SmallVector<Value> PackedNest::prepareResults() {
  Value c = r.c->get();
  if (FillInfo fill = matchFill(c); fill.scalar) {
    initScalar = fill.scalar;
    c = fill.destination;
  } else if (auto [source, map] = matchBroadcast(c);
             source && map.compose(r.cMap).isProjectedPermutation(true) &&
             (!map.compose(r.cMap).isFunctionOfDim(r.n) ||
              map.compose(r.cMap).getResults().back() ==
                  getAffineDimExpr(r.n, b.getContext()))) {
    initTensor = source;
    initMap = map.compose(r.cMap);
  } else {
    initTensor = c;
    initMap = r.cMap;
  }
  SmallVector<Value> tensors;
  for (auto [i, result] : llvm::enumerate(epilogue.getResults())) {
    bool isOwn = result.value.getOwner() == op.getOperation();
    auto owner = cast<linalg::LinalgOp>(result.value.getOwner());
    Value dest =
        isOwn ? c
              : owner.getDpsInitOperand(result.value.getResultNumber())->get();
    if (isOwn && initTensor == c) {
      inPlace = i;
    } else if (!dest.getDefiningOp<tensor::EmptyOp>() &&
               !dest.getDefiningOp<tensor::ExtractSliceOp>()) {
      // Every element is written: nothing of what was there is kept.
      auto type = cast<RankedTensorType>(dest.getType());
      dest = tensor::EmptyOp::create(
          b, loc, tensor::getMixedSizes(b, loc, getWritten(dest)),
          type.getElementType(), type.getEncoding());
    }
    tensors.push_back(dest);
  }
  return tensors;
}

SmallVector<Value> PackedNest::emit() {
  bounds = getLoopSizes(b, op);
  rowCount = segmentCount = b.getIndexAttr(1);
  for (unsigned d : r.rows)
    rowCount = multiply(rowCount, bounds[d]);
  // Without any segment there is one with no k, or a block of none where blocks
  // have several, whose k is static: the results are made.
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  AffineExpr one = b.getAffineConstantExpr(1);
  for (unsigned d : r.segments) {
    OpFoldResult size = bounds[d];
    bool blocksHaveNone = blk.segments > 1 && !constant(size);
    if (!blocksHaveNone && (!constant(size) || constant(size) == 0))
      bounds[r.k] = multiply(
          bounds[r.k],
          affine::makeComposedFoldedAffineMin(
              b, loc, AffineMap::get(0, 1, {s0, one}, b.getContext()), {size}));
    bounds[d] = affine::makeComposedFoldedAffineMax(
        b, loc, AffineMap::get(0, 1, {s0, one}, b.getContext()), {size});
    segmentCount = multiply(segmentCount, blocksHaveNone ? size : bounds[d]);
  }
  rowParts = matchRowParts();
  setDepth();
  if (blk.packsB)
    packAhead();
  SmallVector<FewRows> ways =
      getFewRows(r, target, step, isTile, blk, /*hasPanels=*/!ahead.isNull());
  std::optional<FewRows> columns = getFewColumns(r, target);
  if (columns && ahead.isNull() && !epilogue.readsDestinations())
    ways.insert(ways.begin(), *columns);
  if (dot)
    addTilesOfA(ways);
  return emitForRows(ways, prepareResults());
}

void PackedNest::setDepth() {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  depth = apply(s0.ceilDiv(unit) * unit, {bounds[r.k]});
}

PackedNest::Tensors PackedNest::emitBlocks(ValueRange results) {
  if (mostColumns)
    return multiplyTurned(results);
  std::optional<int64_t> k = constant(bounds[r.k]);
  std::optional<int64_t> segments = constant(segmentCount);
  isOneBlock = k && *k <= blk.kc && segments && *segments <= blk.segments;
  auto typeOfB = cast<RankedTensorType>(r.b->get().getType());
  int64_t bytesOfB = r.getSize(r.n, 6720) * r.getSize(r.k, 6720) *
                     getElementTypeOrSelf(r.b->get()).getIntOrFloatBitWidth() /
                     8;
  bool hasNext = blk.dotColumns || !isOneBlock;
  if (blk.rowsAhead && hasNext && bytesOfB > int64_t(target.l2Bytes)) {
    // Rows that are far apart are none that the processor would ask for ahead.
    prefetched = bufferization::ToBufferOp::create(
        b, loc, bufferization::getMemRefTypeWithFullyDynamicLayout(typeOfB),
        r.b->get(), /*read_only=*/true);
  }
  rowOffsets.clear();
  if (isStreamed() && unrollsBlocks() && !constant(bounds[r.n]))
    for (int64_t i = kRowsOfOffset; i < blk.kc; i += kRowsOfOffset)
      rowOffsets.push_back(value(affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(0, 1,
                         {b.getAffineSymbolExpr(0), b.getAffineConstantExpr(i)},
                         b.getContext()),
          {bounds[r.k]})));
  return others(0, results);
}

SmallVector<Operation *>
cpu::lowerToPackedMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                         const CPUTarget &target,
                         SmallVectorImpl<linalg::LinalgOp> &rest) {
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<Roles> roles = matchRoles(op);
  assert(roles && "not a packable contraction");
  Epilogue epilogue = Epilogue::collect(op, roles->n);
  SmallVector<Operation *> ops = {op};
  llvm::append_range(ops, epilogue.getOps());
  rewriter.setInsertionPoint(ops.back());
  SmallVector<OpResult> results = llvm::map_to_vector(
      epilogue.getResults(),
      [](const Epilogue::Result &result) { return result.value; });
  PackedNest nest(rewriter, op, std::move(*roles), std::move(epilogue), target,
                  rest);
  SmallVector<Value> made = nest.emit();
  for (auto [old, value] : llvm::zip_equal(results, made))
    rewriter.replaceAllUsesWith(old, value);
  for (Operation *done : llvm::reverse(ops))
    rewriter.eraseOp(done);
  return ops;
}
