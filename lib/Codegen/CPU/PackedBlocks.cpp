//===- PackedBlocks.cpp - the loops over blocks of a contraction ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops around register tiles, in the order that PackedMatmul.cpp tells.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"
#include "Parallel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

SmallVector<int64_t> PackedNest::getWidths() const {
  SmallVector<int64_t> widths{blk.nv};
  if (isTile || blk.dotColumns || blk.readsGroups || blk.halvesWords)
    return widths;
  // Groups in strips are interleaved in as many vectors.
  int64_t unit = blk.stripPanels ? step : 1;
  if (std::optional<int64_t> columns = constant(bounds[r.n])) {
    int64_t last =
        llvm::alignTo(llvm::divideCeil(*columns % blk.nr(), blk.lanes), unit);
    if (last > 0 && last < blk.nv)
      widths.push_back(last);
    return widths;
  }
  if (blk.packsB || blk.stripPanels)
    for (int64_t width = blk.nv - unit; width >= 1; width -= unit)
      widths.push_back(width);
  return widths;
}

PackedNest::Tensors PackedNest::rowBlock(Value ic, OpFoldResult mc, Value jc,
                                         OpFoldResult nc, Value aPacked,
                                         Value bPacked, Value sums,
                                         ValueRange init) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult panelsN = apply(s0.ceilDiv(blk.nr()), {nc});
  OpFoldResult panelsM = apply(s0.ceilDiv(blk.mr), {mc});
  Tensors tensors(init);
  // Of rows that may be few, those there are: parts of panels would be in pages
  // of their own, and a power of two apart, in a few places of a cache (with
  // AVX2, where it is measured, 12 rows of i8 by 4096 x 4096 took 1.15 times,
  // 24 by 1024 x 1024 1.4 times as long).
  bool areFew = blk.stripPanels && !target.hasMaskedMemory &&
                !constant(rowCount) && blk.mc > 2 * blk.mr;
  OpFoldResult rows = b.getIndexAttr(llvm::alignTo(blk.mc, blk.mr));
  if (areFew)
    rows = apply(s0 * blk.mr, {panelsM});
  tensors.push_back(
      isOneBlock
          ? makeBuffer(b, loc, {1, blk.mr, blk.nr()}, acc)
          : makeBuffer(b, loc,
                       {b.getIndexAttr(llvm::divideCeil(blk.nc, blk.nr())),
                        rows, b.getIndexAttr(blk.nr())},
                       acc));
  if (blk.stripPanels)
    tensors.push_back(makeBuffer(
        b, loc, {blk.stripPanels, blk.kc / step, blk.nr() * step}, packed));
  // Without any k there is an empty block: the results are made all the same.
  auto orOne = [&](OpFoldResult size) {
    return affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1, {s0, b.getAffineConstantExpr(1)}, b.getContext()),
        {size});
  };
  OpFoldResult end = orOne(bounds[r.k]);
  auto compare = [&](arith::CmpIPredicate kind, Value x, OpFoldResult y) {
    return arith::CmpIOp::create(b, loc, kind, x, value(y)).getResult();
  };
  auto both = [&](Value x, Value y) {
    return arith::AndIOp::create(b, loc, x, y).getResult();
  };
  // Sums of tiles go through memory, unless they are results: through the first
  // cache where they are final at once.
  isOneBlockNow = isTile && !constant(bounds[r.k]) && r.segments.empty()
                      ? compare(arith::CmpIPredicate::sle, value(bounds[r.k]),
                                b.getIndexAttr(blk.kc))
                      : Value();
  // Whether a block is the last one, where that is known before it runs.
  auto block = [&](Value segment, Value pc, OpFoldResult kc, ValueRange outer,
                   std::optional<bool> isLast = std::nullopt,
                   bool packsBetween = false) {
    Part part{segment,
              pc,
              blockSize(segmentCount, segment, blk.segments),
              kc,
              {},
              {},
              /*hasNext=*/isLast == false};
    if (!isOneBlock) {
      constexpr auto eq = arith::CmpIPredicate::eq;
      constexpr auto sge = arith::CmpIPredicate::sge;
      part.isFirst = both(compare(eq, segment, zero), compare(eq, pc, zero));
      if (!isLast)
        part.isLast =
            both(compare(sge, value(apply(s0 + blk.segments, {segment})),
                         segmentCount),
                 compare(sge, value(apply(s0 + blk.kc, {pc})), bounds[r.k]));
    }
    Value a = aPacked      ? aPacked
              : blk.packsA ? separate(packA(ic, mc, part, blk.kc))
                           : Value();
    auto panel = [&](Value j, Value in, Value packedB, ValueRange outer) {
      auto tiles = [&](OpFoldResult from, OpFoldResult to, ValueRange middle) {
        return loop(from, to, 1, middle, [&](Value i, ValueRange inner) {
          return registerTile({ic, jc, i, j, in}, part, a, packedB, sums,
                              inner);
        });
      };
      if (!blk.halvesRows || constant(rowCount))
        return tiles(zero, panelsM, outer);
      int64_t half = blk.mr / 2;
      OpFoldResult whole = apply((s0 - half - 1).floorDiv(blk.mr) + 1, {mc});
      Tensors next = tiles(zero, whole, outer);
      llvm::SaveAndRestore height(tileHeight, half);
      return tiles(whole, panelsM, next);
    };
    auto panels = [&](OpFoldResult from, OpFoldResult to, ValueRange outer) {
      return loop(from, to, 1, outer, [&](Value j, ValueRange middle) {
        return panel(j, j, bPacked, middle);
      });
    };
    if (blk.takesRowsFirst)
      return loop(zero, panelsM, 1, outer, [&](Value i, ValueRange middle) {
        return loop(zero, panelsN, 1, middle, [&](Value j, ValueRange inner) {
          return registerTile({ic, jc, i, j, j}, part, a, bPacked, sums, inner);
        });
      });
    SmallVector<int64_t> widths = getWidths();
    bool isKnown = constant(bounds[r.n]).has_value();
    OpFoldResult whole = apply(s0.floorDiv(blk.nr()), {nc});
    // Each of them has one panel at most, but for the first one.
    auto byWidths =
        [&](OpFoldResult from, ArrayRef<int64_t> widths, ValueRange outer,
            llvm::function_ref<Tensors(OpFoldResult, OpFoldResult, ValueRange)>
                body) {
          Tensors next(outer);
          for (; !widths.empty(); widths = widths.drop_front()) {
            OpFoldResult to =
                widths.size() == 1
                    ? panelsN
                    : apply((s0 - widths[1] * blk.lanes).ceilDiv(blk.nr()),
                            {nc});
            rowVectors = widths.front();
            next = body(from, to, next);
            from = to;
          }
          rowVectors = blk.nv;
          return next;
        };
    if (!blk.stripPanels) {
      // Masks cost more than what few rows compute.
      bool hasWhole = !columnsAreWhole() &&
                      (readsRowsOfB() || (isKnown && widths.size() > 1));
      if (!hasWhole)
        return byWidths(zero, widths, outer, panels);
      isInside = true;
      Tensors next = panels(zero, whole, outer);
      isInside = false;
      return byWidths(whole, isKnown ? widths.back() : ArrayRef(widths), next,
                      panels);
    }
    auto strips = [&](OpFoldResult from, OpFoldResult to, int64_t most,
                      ValueRange outer) {
      return loop(from, to, most, outer, [&](Value first, ValueRange middle) {
        OpFoldResult count = blockSize(to, first, most);
        Value strip = packStrip(middle.back(), part, jc, first, count);
        Tensors next = loop(zero, count, 1, middle.drop_back(),
                            [&](Value in, ValueRange inner) {
                              return panel(value(apply(s0 + s1, {first, in})),
                                           in, strip, inner);
                            });
        next.push_back(strip);
        return next;
      });
    };
    if (!packsBetween || constant(whole) == 0 || constant(whole) == 1)
      return byWidths(zero, widths, outer,
                      [&](OpFoldResult from, OpFoldResult to, ValueRange next) {
                        bool areMany = rowVectors == blk.nv;
                        return strips(from, to, areMany ? blk.stripPanels : 1,
                                      next);
                      });
    auto tiles = [&](Place at, ValueRange middle) {
      at.ic = ic;
      return loop(zero, panelsM, 1, middle, [&](Value i, ValueRange inner) {
        at.i = i;
        return registerTile(at, part, a, inner.back(), sums, inner.drop_back());
      });
    };
    // One panel may be left.
    return byWidths(whole, isKnown ? widths.back() : ArrayRef(widths),
                    packBetween(whole, panelsM, jc, part, outer, tiles),
                    [&](OpFoldResult from, OpFoldResult to, ValueRange next) {
                      return strips(from, to, /*most=*/1, next);
                    });
  };
  if (isStreamed()) {
    // Blocks but the last are whole, and do nothing but multiply: what else
    // there is costs as much as that for few rows. Where rows are asked for in
    // between, it is hidden, and waiting for it does good: without, 6 rows of
    // bf16 took 1.7 times as long on Zen 5. These have no segments.
    bool isApart = !prefetched || blk.asksBehind;
    OpFoldResult whole =
        isApart ? apply((s0 - 1).floorDiv(blk.kc) * blk.kc, {end})
                : apply(s0.floorDiv(blk.kc) * blk.kc, {bounds[r.k]});
    Value first = indexConstant(b, loc, 0);
    auto isLast = [&](bool is) {
      return isApart ? std::optional<bool>(is) : std::nullopt;
    };
    tensors =
        loop(zero, whole, blk.kc, tensors, [&](Value pc, ValueRange outer) {
          return block(first, pc, b.getIndexAttr(blk.kc), outer, isLast(false));
        });
    tensors =
        loop(whole, end, blk.kc, tensors, [&](Value pc, ValueRange outer) {
          return block(first, pc, blockSize(bounds[r.k], pc, blk.kc), outer,
                       isLast(true));
        });
  } else if (blk.packsBetween) {
    // Blocks but the last are whole.
    OpFoldResult whole = apply(s0.floorDiv(blk.kc) * blk.kc, {bounds[r.k]});
    Value first = indexConstant(b, loc, 0);
    tensors =
        loop(zero, whole, blk.kc, tensors, [&](Value pc, ValueRange outer) {
          return block(first, pc, b.getIndexAttr(blk.kc), outer, std::nullopt,
                       /*packsBetween=*/true);
        });
    tensors =
        loop(whole, end, blk.kc, tensors, [&](Value pc, ValueRange outer) {
          return block(first, pc, blockSize(bounds[r.k], pc, blk.kc), outer);
        });
  } else {
    tensors = loop(
        zero, orOne(segmentCount), blk.segments, tensors,
        [&](Value segment, ValueRange args) {
          return loop(zero, end, blk.kc, args, [&](Value pc, ValueRange outer) {
            OpFoldResult kc = blk.segments > 1
                                  ? bounds[r.k]
                                  : blockSize(bounds[r.k], pc, blk.kc);
            return block(segment, pc, kc, outer);
          });
        });
  }
  if (blk.stripPanels)
    tensors.pop_back();
  tensors.pop_back();
  return tensors;
}

/// The columns of a block of up to `most` whose packed B has `panelBytes`; no
/// fewer than rows where A is packed for each block, which would be most of the
/// work.
OpFoldResult PackedNest::narrowBlock(OpFoldResult most) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t nr = blk.nr();
  Value panel = arith::MulIOp::create(
      b, loc, value(depth),
      indexConstant(b, loc, nr * packed.getIntOrFloatBitWidth() / 8));
  // There may be no k at all.
  panel = arith::MaxUIOp::create(b, loc, panel, indexConstant(b, loc, 1));
  Value panels = arith::DivUIOp::create(
      b, loc, indexConstant(b, loc, blk.panelBytes), panel);
  Value least = blk.packsA ? value(apply(s0.ceilDiv(nr), {rowCount}))
                           : indexConstant(b, loc, 1);
  panels = arith::MaxUIOp::create(b, loc, panels, least);
  return arith::MinUIOp::create(b, loc, value(most),
                                value(apply(s0 * nr, {panels})))
      .getResult();
}

OpFoldResult PackedNest::joinedStep(OpFoldResult rows) {
  if (constant(rows))
    return b.getIndexAttr(blk.mr);
  Value part = indexConstant(b, loc, blk.mr);
  Value all = arith::MaxUIOp::create(b, loc, value(rows), part);
  return arith::SelectOp::create(b, loc, isWorthThreads(), part, all)
      .getResult();
}

PackedNest::Tensors PackedNest::joinedLoop(
    OpFoldResult size, OpFoldResult step, ValueRange init, int64_t grain,
    llvm::function_ref<Tensors(Value, Value, ValueRange)> body) {
  Tensors made = loop(
      b.getIndexAttr(0), size, step, init,
      [&](Value first, ValueRange args) {
        // What no folding of affine expressions takes apart.
        Value next = arith::AddIOp::create(b, loc, first, value(step));
        Value end = arith::MinUIOp::create(b, loc, next, value(size));
        return body(first, end, args);
      },
      grain);
  if (auto parts = made.front().getDefiningOp<scf::ForOp>();
      parts && parts->hasAttr(kParallelAttrName))
    parts->setAttr(kJoinedAttrName, b.getUnitAttr());
  return made;
}

PackedNest::Tensors PackedNest::columnBlocks(ValueRange tensors) {
  OpFoldResult zero = b.getIndexAttr(0);
  Value aPacked = blk.packsAllOfA ? separate(packAllOfA()) : Value();
  Value sumsOfRows = dot && dot->biasesRhs ? sumRowsOfA() : Value();
  bool byRows = blk.parallel == Blocking::Rows,
       byColumns = blk.parallel == Blocking::Columns;
  bool joinsRows = byRows && blk.joinsRows,
       joinsColumns = byColumns && blk.joinedColumns;
  OpFoldResult rows = isOneTile ? b.getIndexAttr(blk.mc) : rowCount;
  OpFoldResult columnStep =
      blockStep(bounds[r.n], joinsColumns ? blk.joinedColumns : blk.nc,
                blk.dividesPanels ? blk.lanes : blk.nr(), byColumns);
  if (blk.panelBytes)
    columnStep = narrowBlock(columnStep);
  OpFoldResult rowStep =
      joinsRows ? joinedStep(rows) : blockStep(rows, blk.mc, blk.mr, byRows);
  auto rest = [&](Value start, Value end, int64_t most) -> OpFoldResult {
    Value size = arith::SubIOp::create(b, loc, end, start);
    return arith::MinUIOp::create(b, loc, size, indexConstant(b, loc, most))
        .getResult();
  };
  struct Range {
    Value first, end;
  };
  auto block = [&](Value jc, OpFoldResult nc, ValueRange outer,
                   std::optional<Range> part = std::nullopt) {
    Value bPacked = blk.packsB ? separate(packB(jc, nc)) : Value();
    Value sums = sumsOfRows ? sumsOfRows : packSums(bPacked, nc);
    auto rowsOf = [&](Value ic, OpFoldResult mc, ValueRange inner) {
      return rowBlock(ic, mc, jc, nc, aPacked, bPacked, sums, inner);
    };
    if (part)
      return loop(part->first, part->end, blk.mc, outer,
                  [&](Value ic, ValueRange inner) {
                    return rowsOf(ic, rest(ic, part->end, blk.mc), inner);
                  });
    return loop(
        zero, rows, rowStep, outer,
        [&](Value ic, ValueRange inner) {
          return rowsOf(ic, blockSize(rows, ic, rowStep), inner);
        },
        byRows);
  };
  auto columns = [&](ValueRange init,
                     std::optional<Range> part = std::nullopt) {
    return loop(
        zero, bounds[r.n], columnStep, init,
        [&](Value jc, ValueRange outer) {
          return block(jc, blockSize(bounds[r.n], jc, columnStep), outer, part);
        },
        byColumns);
  };
  if (joinsRows)
    return joinedLoop(rows, rowStep, tensors, kGrainOfRanges,
                      [&](Value first, Value end, ValueRange outer) {
                        return columns(outer, Range{first, end});
                      });
  if (!joinsColumns)
    return columns(tensors);
  return joinedLoop(bounds[r.n], columnStep, tensors, /*grain=*/1,
                    [&](Value first, Value end, ValueRange outer) {
                      return loop(first, end, blk.nc, outer,
                                  [&](Value jc, ValueRange in) {
                                    return block(jc, rest(jc, end, blk.nc), in);
                                  });
                    });
}

PackedNest::Tensors PackedNest::others(unsigned at, ValueRange tensors) {
  if (at == r.others.size())
    return columnBlocks(tensors);
  unsigned dim = r.others[at];
  return loop(
      b.getIndexAttr(0), bounds[dim], 1, tensors,
      [&](Value iv, ValueRange next) {
        ivs[dim] = iv;
        return others(at + 1, next);
      },
      getBatchGrain(dim));
}

/// Iterations of the loop `dim` outside of blocks that are worth a thread; 0
/// where it is not to be divided.
int64_t PackedNest::getBatchGrain(unsigned dim) const {
  int64_t rows = r.getSize(r.rows, 1024);
  int64_t work = rows * r.getSize(r.n, 1024) * r.getSize(r.k, 1024) *
                 r.getSize(r.segments, 1);
  int64_t count = r.sizes[dim];
  // Few rows wait for B: one row of 16 heads by 1000 keys of 64, 2^20
  // multiply-adds, is 2.1 times as fast on two threads.
  constexpr int64_t kFew = 4;
  int64_t threads = rows <= kFew ? 2 : 8;
  if (!ShapedType::isDynamic(count) &&
      (count < 4 || count * work < threads * kWorkPerThread))
    return 0;
  return getGrain(work);
}
