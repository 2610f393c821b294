//===- GroupsInPlace.cpp - a few rows by groups of B where it is ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Instructions for groups of narrow elements want each column's next steps of k
// side by side. Packing all of B that way costs more than a few rows of A gain,
// as it reads and writes memory. Here a block has few steps of k, whose rows of
// B are read along memory, and what is packed at a time is a strip of them that
// the first level of caches holds. Where one of the units that shuffle does not
// multiply, the next panel is packed in between the products of one.
//
// Vectors are interleaved in parts of 128 bits, one instruction for two of
// them. Columns of the sums are then in the order of these parts, in registers
// and in the block of partial sums, and are sorted at the end.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

bool cpu::isNarrowing(Operation *cast) {
  return isa<arith::TruncFOp>(cast) &&
         getElementTypeOrSelf(cast->getOperand(0)).isF32();
}

bool cpu::readsGroups(const Roles &roles, const CPUTarget &target) {
  std::optional<GroupDot> dot = matchGroupDot(roles, target);
  if (!dot || dot->isTile || !llvm::all_of(dot->rhsCasts, isNarrowing) ||
      target.vectorBits < 128 || !roles.bRowsAreContiguous() ||
      !roles.segments.empty() || roles.a->get().getDefiningOp<tensor::PadOp>())
    return false;
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  // Measured: on Emerald Rapids 24 rows of i8 by 4096 x 4096 are 1.4 times as
  // fast, on Zen 4 32 rows of i8 1.7 times and of bf16 1.6 times. On Zen 5 rows
  // of any B are: 24 by 512 x 512 1.1 times, by 4096 x 4096 1.5 times. On Zen 3
  // 24 and 32 rows of i8 are 1.6 times as fast, 64 rows 1.15 times.
  constexpr int64_t kFew = 16, kMany = 64, kMost = 128;
  bool isLarge = ShapedType::isDynamic(n) || ShapedType::isDynamic(k) ||
                 n * k > int64_t(target.l2Bytes);
  bool hasManyWays = target.hasManyWays();
  bool asks = target.hasMaskedMemory && target.asksForRows && hasManyWays;
  int64_t most = kFew;
  if (isLarge && target.hasMaskedMemory && (!hasManyWays || asks))
    most = kMost;
  else if (asks || (isLarge && (!target.hasMaskedMemory ||
                                (hasManyWays && dot->size == 4))))
    most = kMany;
  int64_t m = roles.getSize(roles.rows, most + 1);
  return m <= most && !hasPackedB(roles, target, dot->size);
}

/// Blocks of a B that is read once, where a first cache has twelve ways but the
/// processor does not ask for enough. On Zen 5, by 4096 x 4096 of bf16, 3 to 5
/// rows are 1.3 to 1.7 times, 6 rows 1.1 and 8 rows 1.25 times as fast as with
/// rows that are asked for in between the products; of i8, 5 and 6 rows 1.2.
static void planFarGroups(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  // Rows that start in one or two sets of the cache replace each other.
  constexpr int64_t kSets = 64, kLine = 64;
  int64_t bits = getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
  bool collides = ShapedType::isDynamic(roles.sizes[roles.n]) ||
                  n * bits / 8 % (kSets * kLine / 2) == 0;
  auto plan = [&blk = blk](int64_t steps, bool asks, int64_t columns) {
    blk.kc = steps;
    blk.rowsAhead = asks ? steps : 0;
    blk.asksBehind = asks;
    blk.nc = columns;
  };
  constexpr bool kAsks = true;
  if (!collides && !exceedsCaches(roles, target))
    return plan(m <= 2 ? 16 : 32, !kAsks, 2048);
  if (group == 2) {
    if (m <= 2)
      return plan(12, !kAsks, 2048);
    if (!collides)
      return plan(32, kAsks, 2048);
    return m <= 6 ? plan(6, kAsks, 1024) : plan(12, kAsks, 512);
  }
  bool isNearly =
      collides && !exceedsCaches(roles, target, /*unknown=*/true, kMostNearly);
  if (m == 1 || (m <= 4 && isNearly))
    return plan(!collides ? 16 : m <= 2 ? 8 : 12, !kAsks, 2048);
  if (m <= 3)
    return plan(8, kAsks, 2048);
  plan(16, kAsks, m == 4 ? 1024 : 512);
}

/// The register tile of rows that share strips: the groups in those are made
/// already, so that what counts is how few rows are past the end. Higher tiles
/// are up to 1.1 times as slow, 3 and 4 rows alike (Zen 5, bf16 and i8).
static void chooseTileOfStrip(Blocking &blk, int64_t rows) {
  constexpr int64_t kEnds = 1;
  blk.nv = 4;
  auto cost = [&](int64_t mr) {
    return llvm::divideCeil(rows, mr) * (mr * blk.nv / 2 + kEnds);
  };
  blk.mr = cost(3) < cost(4) ? 3 : 4;
}

void cpu::planGroups(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  blk.packsB = false;
  // With strips a few of a number that is not known have a way of their own.
  bool areMany = sharesStripsOfB(target) && roles.usualRows == kUsualRows &&
                 m > kUsualRows;
  int64_t rows = areMany ? 3 * kUsualRows : p.getTileRows();
  double best = std::numeric_limits<double>::max();
  for (int64_t nv = group; nv <= 4; nv += group) {
    // Beside the sums: groups of B, one of A, and the bias.
    int64_t most = (int64_t(target.vectorRegisters) - 2 - nv) / nv;
    for (int64_t mr = 1; mr <= std::min(most, rows); ++mr) {
      // One of two units shuffles.
      double shuffles = double(nv) * double(llvm::Log2_64(group));
      double cycles =
          std::max((double(nv * (mr + 1)) + shuffles) / 2, shuffles);
      double cost = cycles * double(llvm::divideCeil(rows, mr)) *
                    double(llvm::divideCeil(n, nv * blk.lanes));
      if (cost < best * 0.999) {
        best = cost;
        blk.mr = mr;
        blk.nv = nv;
      }
    }
  }
  // Two units multiply there, and one of two others shuffles: between products,
  // packing is hidden (on Zen 4 4 to 6 rows of i8 are 1.1 to 1.25 times as fast
  // as with groups of each tile's own, 8 to 16 rows 1.1 to 1.25 times as with
  // strips that are packed before; for more than 32 packing is little).
  constexpr int64_t kMostBetween = 32;
  blk.packsBetween = target.hasMaskedMemory && !target.hasManyWays() &&
                     m >= (group == 4 ? 4 : 8) &&
                     p.getTileRows() <= kMostBetween;
  if ((blk.mr < m && target.hasMaskedMemory) || blk.packsBetween)
    chooseTileOfStrip(blk, rows);
  int64_t nr = blk.nr();
  blk.mc = llvm::alignTo(m, blk.mr);
  bool isNarrow = !target.hasMaskedMemory, hasFewWays = !target.hasManyWays();
  blk.nc = isNarrow ? 6144 : 4096;
  blk.readsGroups = blk.mc == blk.mr && !blk.packsBetween;
  if (blk.packsBetween) {
    // A quarter of the first cache has this panel, one the next one, and there
    // is room for where that comes from.
    blk.kc = llvm::alignDown(target.l1Bytes / 16 * group / nr, group);
    blk.rowsAhead = blk.kc;
    blk.stripPanels = 2;
  } else if (!blk.readsGroups) {
    // Before AVX-512 strips are to take half of the cache.
    blk.kc = isNarrow ? 32 : hasFewWays ? 128 : 64;
    blk.stripPanels = std::max<int64_t>(1, 256 / nr);
    blk.rowsAhead = blk.kc;
  } else if (isNarrow) {
    blk.kc = 8;
  } else if (hasFewWays) {
    // What the first cache's eight ways say: rows that are a power of two apart
    // replace each other in it, and are asked for ahead (on Zen 4 1 row is 1.2
    // times as fast with bf16 and 1.5 times with i8, 12 and 6 rows 1.5 times).
    constexpr int64_t kMost = 24, kLeastAhead = 16;
    blk.kc = std::clamp(group * m, 16 / group, kMost);
    // Rows of B that the second cache has, or most of them, are in time, and
    // the sums that leave the first one and come back are what counts: 1 to 3
    // rows of i8 are 1.05 to 1.2, 5 to 7 of bf16 1.06 to 1.18 times as fast.
    constexpr int64_t kFewFloats = 4;
    if (n * k * 4 / group <= int64_t(target.l2Bytes) * 5 / 2)
      blk.kc = group == 4 ? (m == 1 ? 8 : 16) : m <= kFewFloats ? blk.kc : 64;
    blk.rowsAhead = std::max(blk.kc, kLeastAhead);
  } else if (target.asksForRows) {
    planFarGroups(blk, p);
  } else {
    // Measured: as many rows of B as processors see streams in, and more of
    // them where the sums pass through the caches more often than B.
    blk.kc = m <= 2 ? 16 : 32;
  }
  blk.kc = std::min<int64_t>(blk.kc, llvm::alignTo(k, group));
  blk.nc = std::min<int64_t>(blk.nc / nr * nr, llvm::alignTo(n, nr));
  // Parts of rows of 2 KiB, of bf16 twice that: 1.2 to 1.4 times as fast.
  constexpr int64_t kParts = 2, kFew = 4;
  bool isFloat = isa<FloatType>(roles.body.accType);
  int64_t part = (isFloat ? 1024 : 512) * group;
  if (isNarrow) {
    // Zen 3 asks by itself for what follows in a page: up to 4 rows by 4096 x
    // 4096 are 1.1 to 1.45 times, by 8192 x 8192 1.3 to 2 times as fast with
    // whole pages as with a quarter of each. As many parts for each thread.
    part = m <= kFew ? 4096 : 2048;
    if (!ShapedType::isDynamic(roles.sizes[roles.n]))
      part = llvm::divideCeil(
          n,
          kParts * std::max<int64_t>(1, llvm::divideNearest(n, kParts * part)));
  }
  planColumns(blk, p, part, kParts);
  // What the program divides into parts when it runs.
  if (isNarrow && ShapedType::isDynamic(roles.sizes[roles.n]))
    (blk.joinedColumns ? blk.joinedColumns : blk.nc) = part / nr * nr;
}

PackedNest::Tensors PackedNest::readGroups(Value n, Value group, bool isWhole) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t width = blk.lanes * step;
  Tensors rows;
  for (int64_t i = 0; i < step; ++i) {
    OpFoldResult next = apply(s0 * step + i, {group});
    // Of a whole tile, groups may be past the end.
    bool isInside = isWhole || (i == 0 && !isTile);
    Value k = isInside ? value(next) : clamp(bounds[r.k], next, unit);
    Value row = convertB(readRow(r.b->get(), r.bMap, dims(Value(), n, k), width,
                                 columnsAreWhole()),
                         width);
    // Zeros of A do not hide what is not finite.
    if (!isInside) {
      Value isStep = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           value(next), k);
      Value none =
          arith::ConstantOp::create(b, loc, b.getZeroAttr(row.getType()));
      row = arith::SelectOp::create(b, loc, isStep, row, none);
    }
    rows.push_back(row);
  }
  return interleaveParts(b, loc, rows);
}

PackedNest::Tensors PackedNest::readGroups(Value n, ArrayRef<Value> ks) {
  int64_t width = blk.lanes * step;
  Tensors rows = llvm::map_to_vector(ks, [&](Value k) {
    return convertB(readRow(r.b->get(), r.bMap, dims(Value(), n, k), width,
                            columnsAreWhole()),
                    width);
  });
  return interleaveParts(b, loc, rows);
}

Value PackedNest::packGroup(Value strip, const Part &part, Value panel, Value n,
                            Value group, bool isWhole) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t width = blk.lanes * step;
  Value inB = value(apply(s0.floorDiv(step) + s1, {part.pc, group}));
  for (int64_t v = 0; v < blk.nv; v += step)
    for (auto [i, x] : llvm::enumerate(
             readGroups(value(apply(s0 + v * blk.lanes, {n})), inB, isWhole)))
      strip =
          vector::TransferWriteOp::create(
              b, loc, x, strip,
              ValueRange{panel, group, indexConstant(b, loc, (v + i) * width)},
              AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
              ArrayRef<bool>{true})
              .getResult();
  return strip;
}

Value PackedNest::packStrip(Value strip, const Part &part, Value jc,
                            Value first, OpFoldResult count) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  // Panels without columns past the end.
  OpFoldResult wholeCount = affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(
          0, 4, {s0, (s1 - s2).floorDiv(blk.nr()) - b.getAffineSymbolExpr(3)},
          b.getContext()),
      {count, bounds[r.n], OpFoldResult(jc), OpFoldResult(first)});
  auto packOne = [&](Value panel, Value group, bool isWhole, Value into) {
    Value n = value(apply(s0 + (s1 + s2) * blk.nr(), {jc, first, panel}));
    return packGroup(into, part, panel, n, group, isWhole);
  };
  // Along rows of B. Of bf16 for tiles a line of each row, and then the next
  // ones, which the processor has brought meanwhile (8 and 16 rows by 4096 x
  // 4096 are 1.05 to 1.1 times as fast, of i8 0.6 times).
  bool byPanels = isTile && step == 2;
  auto eachPanel = [&](Value into,
                       llvm::function_ref<Value(Value, Value)> body) {
    if (isInside)
      return loop1(zero, b.getIndexAttr(blk.stripPanels), 1, into, body);
    if (columnsAreWhole())
      return loop1(zero, count, 1, into, body);
    isInside = true;
    into = loop1(zero, wholeCount, 1, into, body);
    isInside = false;
    return loop1(wholeCount, count, 1, into, body);
  };
  auto pack = [&](OpFoldResult from, OpFoldResult to, bool isWhole,
                  Value into) {
    if (byPanels)
      return eachPanel(into, [&](Value panel, Value p) {
        return loop1(from, to, 1, p, [&](Value group, Value q) {
          return packOne(panel, group, isWhole, q);
        });
      });
    return loop1(from, to, 1, into, [&](Value group, Value p) {
      return eachPanel(p, [&](Value panel, Value q) {
        return packOne(panel, group, isWhole, q);
      });
    });
  };
  // Blocks are whole groups, but for the last one; whole tiles end in zeros.
  OpFoldResult whole = apply(s0.floorDiv(step), {part.kc}),
               end = apply(s0.ceilDiv(unit) * (unit / step), {part.kc});
  auto packAll = [&]() {
    Value packed = pack(zero, whole, /*isWhole=*/true, strip);
    return Tensors{pack(whole, end, /*isWhole=*/false, packed)};
  };
  if (columnsAreWhole() || target.hasMaskedMemory)
    return packAll()[0];
  // Unless B ends here, there are as many panels as can be, with all columns: a
  // loop over two of them that knows takes half as long (12 rows by 4096 x 4096
  // of bf16 1.3 times as fast with sizes that are not known, Zen 3).
  Value areWhole =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value(wholeCount),
                            indexConstant(b, loc, blk.stripPanels));
  return choose(
      areWhole, strip.getType(),
      [&]() {
        isInside = true;
        Tensors packed = packAll();
        isInside = false;
        return packed;
      },
      packAll)[0];
}

Value PackedNest::packGroupOfNext(Value strip, const Place &at,
                                  const Part &part, Value group) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  Value n = value(apply(s0 + s1 * blk.nr(), {at.jc, at.next}));
  strip = packGroup(strip, part, at.nextPanel, n, group, /*isWhole=*/true);
  for (int64_t i = 0; i < step && prefetched; ++i)
    for (int64_t v = 0; v < blk.nv; ++v)
      prefetchRowOfB(
          value(apply(s0 + (kPanelsAhead * blk.nr() + v * blk.lanes), {n})),
          value(apply(s0 + s1 * step + i, {part.pc, group})), v * blk.lanes);
  return strip;
}

Value PackedNest::packShare(Value strip, const Place &at, const Part &part,
                            OpFoldResult round) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  // The last share may be shorter: its last group is packed again.
  AffineExpr last = b.getAffineConstantExpr(blk.kc / step - 1);
  Value group = value(affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(0, 2, {s0 * getShare() + s1, last}, b.getContext()),
      {at.i, round}));
  return packGroupOfNext(strip, at, part, group);
}

PackedNest::Tensors
PackedNest::addAndPack(const Place &at, const Part &part, ValueRange accs,
                       Value strip,
                       llvm::function_ref<Tensors(Value, ValueRange)> add,
                       llvm::function_ref<Tensors()> alone) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  int64_t groups = blk.kc / step, tiles = getPackingTiles(),
          rounds = groups / tiles;
  auto pack = [&](OpFoldResult round, ValueRange args) {
    Tensors next(args);
    next.back() = packShare(args.back(), at, part, round);
    return next;
  };
  auto together = [&]() {
    Tensors tensors(accs);
    tensors.push_back(strip);
    tensors = loop(b.getIndexAttr(0), b.getIndexAttr(rounds), 1, tensors,
                   [&](Value round, ValueRange args) {
                     Tensors next(args);
                     for (int64_t i = 0; i < tiles; ++i)
                       next = add(value(apply(s0 * tiles + i, {round})), next);
                     return pack(round, next);
                   });
    if (rounds * tiles == groups)
      return tensors;
    return loop(b.getIndexAttr(rounds * tiles), b.getIndexAttr(groups), 1,
                pack(b.getIndexAttr(rounds), tensors), add);
  };
  if (constant(rowCount) && tiles == blk.mc / blk.mr)
    return together();
  Value shares = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at.i,
                                       indexConstant(b, loc, tiles));
  SmallVector<Type> types(accs.getTypes());
  types.push_back(strip.getType());
  return choose(shares, types, together, alone);
}

PackedNest::Tensors
PackedNest::packBetween(OpFoldResult count, OpFoldResult tiles, Value jc,
                        const Part &part, ValueRange init,
                        llvm::function_ref<Tensors(Place, ValueRange)> body) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t groups = blk.kc / step;
  AffineExpr all = b.getAffineConstantExpr(groups);
  auto least = [&](ArrayRef<AffineExpr> exprs,
                   ArrayRef<OpFoldResult> operands) -> OpFoldResult {
    return affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, operands.size(), exprs, b.getContext()),
        operands);
  };
  OpFoldResult none = b.getIndexAttr(0);
  auto pack = [&](OpFoldResult from, OpFoldResult to, const Place &at,
                  Value strip) {
    return loop1(from, to, 1, strip, [&](Value group, Value s) {
      return packGroupOfNext(s, at, part, group);
    });
  };
  isInside = true;
  Tensors tensors(init);
  Place at{{}, jc};
  at.next = at.nextPanel = indexConstant(b, loc, 0);
  // If there is any.
  tensors.back() =
      pack(none, least({s0 * groups, all}, {count}), at, tensors.back());
  tensors = loop(none, count, 1, tensors, [&](Value j, ValueRange args) {
    at.j = j;
    at.panel = value(apply(s0 % 2, {j}));
    // Behind the last one that is packed again: B may have no more.
    at.next = value(least({s0 + 1, s1 - 1}, {OpFoldResult(j), count}));
    at.nextPanel = value(apply((s0 + 1) % 2, {j}));
    Tensors next = body(at, args);
    // What tiles that are not there have left.
    if (!constant(tiles))
      next.back() = pack(least({s0 * getShare(), all}, {tiles}),
                         b.getIndexAttr(groups), at, next.back());
    return next;
  });
  isInside = false;
  return tensors;
}

void PackedNest::prefetchStrip(const Place &at, const Part &part, Value group) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  // Register tiles of the same columns share the rows. Past the end of B there
  // is nothing to fetch, which does no harm.
  int64_t count = llvm::divideCeil(step, getTilesOfRows());
  for (int64_t i = 0; i < count; ++i) {
    Value k =
        value(apply(s0 + s1 * step + s2 * count + i, {part.pc, group, at.i}));
    for (int64_t v = 0; v < blk.nv; ++v)
      prefetchRowOfB(
          value(apply(s0 + blk.stripPanels * blk.nr(), {column(at, v)})), k,
          v * blk.lanes);
  }
}

/// Vectors with the lanes of `vectors`, as if they were one, at `picks`. Each
/// half of one has lanes of two of them at most.
static SmallVector<Value> shuffleAll(OpBuilder &b, Location loc,
                                     ValueRange vectors,
                                     ArrayRef<int64_t> picks) {
  int64_t lanes = cast<VectorType>(vectors[0].getType()).getNumElements();
  auto pick = [&](ArrayRef<int64_t> from) -> Value {
    int64_t first = from.front() / lanes, second = first;
    for (int64_t p : from)
      if (p / lanes != first)
        second = p / lanes;
    SmallVector<int64_t> local;
    for (int64_t p : from) {
      assert((p / lanes == first || p / lanes == second) && "of three vectors");
      local.push_back(p % lanes + (p / lanes == first ? 0 : lanes));
    }
    return vector::ShuffleOp::create(b, loc, vectors[first], vectors[second],
                                     local);
  };
  SmallVector<Value> result;
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq(lanes));
  for (size_t at = 0; at < vectors.size(); ++at) {
    Value low = pick(picks.slice(at * lanes, lanes / 2));
    Value high = pick(picks.slice(at * lanes + lanes / 2, lanes / 2));
    result.push_back(vector::ShuffleOp::create(b, loc, low, high, all));
  }
  return result;
}

/// The column of each lane of a tile's row of sums, lane after lane.
static SmallVector<int64_t> getColumns(const Blocking &blk, int64_t vectors,
                                       int64_t step) {
  constexpr int64_t kPart = 4;
  SmallVector<int64_t> columns;
  for (int64_t v = 0; v < vectors && blk.halvesWords; ++v)
    for (int64_t lane = 0; lane < blk.lanes; ++lane)
      columns.push_back((v / 2 * blk.lanes + lane) * 2 + v % 2);
  for (int64_t v = 0; v < vectors && !blk.halvesWords; ++v)
    for (int64_t lane = 0; lane < blk.lanes; ++lane)
      columns.push_back(v / step * step * blk.lanes +
                        lane / kPart * kPart * step + v % step * kPart +
                        lane % kPart);
  return columns;
}

PackedNest::Tensors PackedNest::sortColumns(ValueRange vectors) {
  if (!blk.readsGroups && !blk.stripPanels && !blk.halvesWords)
    return Tensors(vectors);
  SmallVector<int64_t> columns = getColumns(blk, rowVectors, step),
                       picks(columns.size());
  for (auto [lane, column] : llvm::enumerate(columns))
    picks[column] = lane;
  return shuffleAll(b, loc, vectors, picks);
}

PackedNest::Tensors PackedNest::shuffleColumns(ValueRange vectors) {
  if (!blk.readsGroups && !blk.stripPanels && !blk.halvesWords)
    return Tensors(vectors);
  return shuffleAll(b, loc, vectors, getColumns(blk, rowVectors, step));
}

/// What the bias of B adds to each row of sums, negated.
Value PackedNest::sumRowsOfA() {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult zero = b.getIndexAttr(0);
  // The most that there may be.
  std::optional<int64_t> known = constant(rowCount);
  int64_t count = known ? *known : r.getSize(r.rows, 1);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(acc));
  if (r.aRowsAreContiguous()) {
    Value buffer = makeBuffer(b, loc, {count}, acc);
    int64_t width = blk.lanes * step;
    Value start = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
    Value bias = dot->getBias(b, loc, blk.lanes);
    return loop1(zero, rowCount, 1, buffer, [&](Value m, Value sums) {
      auto add = [&](bool inBounds) {
        return [&, inBounds](Value k, Value old) {
          Value a = readRowOfA(dims(m, Value(), k), width, inBounds);
          return dot->emit(b, loc, convertA(a, width), bias, old);
        };
      };
      OpFoldResult whole = apply(s0.floorDiv(width) * width, {bounds[r.k]});
      Value lanes = loop1(zero, whole, width, start, add(true));
      lanes = loop1(whole, bounds[r.k], width, lanes, add(false));
      Value sum = vector::ReductionOp::create(
          b, loc, vector::CombiningKind::ADD, lanes);
      return tensor::InsertOp::create(
                 b, loc, arith::SubIOp::create(b, loc, none, sum), sums, m)
          .getResult();
    });
  }
  int64_t width = llvm::PowerOf2Ceil(count);
  auto type = VectorType::get({width}, acc);
  Value start = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value first = indexConstant(b, loc, 0);
  Value sums = loop1(zero, bounds[r.k], 1, start, [&](Value k, Value old) {
    Value a = convertA(readRow(r.a->get(), r.aMap, dims(first, Value(), k),
                               width, known == width),
                       width);
    return arith::SubIOp::create(b, loc, old,
                                 arith::ExtSIOp::create(b, loc, type, a))
        .getResult();
  });
  Value shift = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, b.getI32IntegerAttr(7)));
  return vector::TransferWriteOp::create(
             b, loc, arith::ShLIOp::create(b, loc, sums, shift),
             makeBuffer(b, loc, {width}, acc), ValueRange{first},
             b.getMultiDimIdentityMap(1), ArrayRef<bool>{true})
      .getResult();
}

/// What the bias of B added to the sums of row `row`, negated, in every lane.
Value PackedNest::readSumOfRow(Value sums, OpFoldResult row) {
  Value m = clamp(rowCount, row, blk.mr);
  return toVector(b, loc, tensor::ExtractOp::create(b, loc, sums, m),
                  blk.lanes);
}
