//===- TilesInPlace.cpp - a few rows by tiles of B where it is ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Tile registers (AMX) hold 16 rows of 64 bytes. Where neighbours in k are
// neighbours in B, as with weights that are kept as [N, K], such rows are 16
// columns of B as they lie: tiles of the transposed product have columns of B
// as their rows, and rows of A as their columns. A alone is packed, which is
// small, and sums are transposed when they are added to those of a block. What
// is past the end of B is copied first: the last columns, and steps of k that
// fill no tile.
//
// Where rows of B are contiguous, a tile wants groups of them: strips of as
// many rows as a tile has steps of k are interleaved (GroupsInPlace.cpp) and
// multiplied (PackedTiles.cpp) at once, and sums pass through the second cache.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether the rows of tiles are columns of B one behind the other.
static bool hasColumnsAsRows(const Roles &roles) {
  ArrayRef<AffineExpr> exprs = roles.bMap.getResults();
  MLIRContext *context = roles.bMap.getContext();
  return exprs.size() >= 2 &&
         exprs.back() == getAffineDimExpr(roles.k, context) &&
         exprs.drop_back().back() == getAffineDimExpr(roles.n, context);
}

/// The instruction for tiles of a product whose rows are few and known, if B
/// may be read where it is.
static std::optional<GroupDot> matchTiles(const Roles &roles,
                                          const CPUTarget &target) {
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  if (!dot || !dot->isTile || roles.windows || !roles.segments.empty() ||
      !roles.rowsAreKnown() || target.lanes(32) != kTileRows ||
      roles.a->get().getDefiningOp<tensor::PadOp>() ||
      hasPackedB(roles, target, dot->size))
    return std::nullopt;
  return dot;
}

/// Whether B has so many elements that few rows are better multiplied in tiles.
static bool isWorthTiles(const Roles &roles) {
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  return ShapedType::isDynamic(n) || ShapedType::isDynamic(k) ||
         n * k >= kLeastOfTiles;
}

/// Divides columns among threads, into parts of `part` or more, where that is
/// worth it: up to 16 rows take, for each column and each group of k, as long
/// as `cost` multiply-adds of other products.
static void planThreadsOfTiles(Blocking &blk, const Product &p, int64_t part,
                               int64_t cost) {
  int64_t tiles = llvm::divideCeil(p.m, kTileRows);
  int64_t depth = std::max<int64_t>(1, p.k * tiles * cost / (p.group * p.m));
  planThreads(blk, p.m, p.n, depth, part, /*parts=*/2);
  blk.leastWork = kLeastWork * std::max<int64_t>(1, p.k / depth);
}

bool cpu::dotsTiles(const Roles &roles, const CPUTarget &target) {
  std::optional<GroupDot> dot = matchTiles(roles, target);
  if (!dot || !dot->rhsCasts.empty() || !roles.aRowsAreContiguous() ||
      !hasColumnsAsRows(roles) || matchPattern(roles.b->get(), m_Constant()))
    return false;
  // Sums are transposed, for which more rows want a longer k.
  constexpr int64_t kFew = 32, kMany = 64, kMost = 256;
  int64_t m = roles.getSize(roles.rows, 1), unit = dot->size * kTileRows;
  int64_t units = m <= kFew ? 2 : m > kMany && dot->size == 4 ? 32 : 8;
  if (m > kMost || !isWorthTiles(roles) ||
      roles.getSize(roles.k, unit * units) < unit * units)
    return false;
  // Vectors along k are as good for one row, and two of i8, but for one of bf16
  // by rows of B that lie in one page, where processors see no order in several
  // of them.
  constexpr int64_t kShort = 1024;
  bool isShort = roles.getSize(roles.k, kShort + 1) <= kShort &&
                 exceedsCaches(roles, target, /*unknown=*/false);
  return dot->size == 4 ? m > 2 : m > 1 || isShort;
}

void cpu::planTileDots(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  constexpr int64_t kMostTiles = 4, kMostColumns = 2048;
  int64_t unit = group * kTileRows, tiles = llvm::divideCeil(m, kTileRows);
  // Eight registers: four sums, for which one tile of B is loaded. Rows that
  // are more come from the second cache, each for two tiles of B.
  int64_t across = tiles > kMostTiles ? 2 : 1;
  int64_t turns = llvm::divideCeil(tiles, kMostTiles / across);
  blk.packsB = false;
  blk.dotColumns = across * kTileRows;
  blk.nv = across;
  blk.mr = kTileRows * llvm::divideCeil(tiles, turns);
  // A part of A that is multiplied at once is to stay there.
  int64_t room = target.l2Bytes / 4 * group / (blk.mr * bytes);
  blk.kc = std::min<int64_t>(std::max<int64_t>(unit, room / unit * unit),
                             llvm::alignTo(k, unit));
  // So are all of its rows that meet a block of B, in parts of about one size
  // (256 rows by 4096 x 4096 of bf16 are 1.3 times as fast in two).
  int64_t most = target.l2Bytes / 2 * group / (blk.kc * bytes);
  int64_t parts = llvm::divideCeil(m, std::max(blk.mr, most / blk.mr * blk.mr));
  blk.mc = llvm::alignTo(llvm::divideCeil(m, parts), blk.mr);
  blk.nc = std::min<int64_t>(kMostColumns, llvm::alignTo(n, blk.nr()));
  // Each thread packs A for its columns, of which there are to be as many.
  planThreadsOfTiles(blk, p, /*part=*/m, /*cost=*/4);
  // Of columns that are counted when the program runs, parts that are few make
  // threads wait for each other.
  blk.parts *= 4;
}

bool cpu::stripsTiles(const Roles &roles, const CPUTarget &target) {
  std::optional<GroupDot> dot = matchTiles(roles, target);
  if (!dot || !llvm::all_of(dot->rhsCasts, isNarrowing) ||
      !roles.bRowsAreContiguous() || !isWorthTiles(roles))
    return false;
  constexpr int64_t kFew = 32, kMost = 96;
  int64_t m = roles.getSize(roles.rows, 1);
  return m >= (dot->size == 2 ? 3 : 7) &&
         m <= (exceedsCaches(roles, target, /*unknown=*/true, /*caches=*/1)
                   ? kMost
                   : kFew);
}

void cpu::planTileStrips(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  constexpr int64_t kFew = kTileRows / 2, kMostTiles = 2, kMostColumns = 4096;
  bool isFar = exceedsCaches(roles, target, /*unknown=*/true, /*caches=*/1);
  blk.packsB = false;
  blk.nv = group;
  // Two lines of each of 32 rows of bf16, four of each of 64 rows of i8, or two
  // where the second cache holds B.
  blk.stripPanels = group == 4 && isFar ? 4 : 2;
  blk.kc = group * kTileRows;
  blk.mr = m <= kFew ? kFew
                     : std::min<int64_t>(llvm::alignTo(m, kTileRows),
                                         kMostTiles * kTileRows);
  blk.mc = llvm::alignTo(m, blk.mr);
  // Rows of B are read whole where the second cache holds their sums.
  int64_t nr = blk.nr(), room = target.l2Bytes / 2 / (blk.mc * bytes);
  int64_t widest = std::min<int64_t>(
      std::min<int64_t>(kMostColumns, room / nr * nr), llvm::alignTo(n, nr));
  blk.nc = widest;
  planThreadsOfTiles(blk, p, /*part=*/kMostColumns / 2, /*cost=*/12);
  if (blk.parallel == Blocking::Columns && blk.nc < widest) {
    blk.joinedColumns = blk.nc;
    blk.nc = widest;
  }
}

Value PackedNest::packTurnedA(Value ic, OpFoldResult panels, const Part &part,
                              int64_t room) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  OpFoldResult zero = b.getIndexAttr(0);
  int64_t count = llvm::divideCeil(blk.mc, blk.mr), tiles = blk.mr / kTileRows;
  auto groups = VectorType::get({kTileRows}, b.getI32Type());
  auto row = VectorType::get({unit}, packed);
  bool inBounds = divides(bounds[r.k], unit);
  Value buffer = makeBuffer(b, loc, {count, tiles, room / step, unit}, packed);
  return loop1(zero, panels, 1, buffer, [&](Value i, Value p) {
    return loop1(zero, b.getIndexAttr(tiles), 1, p, [&](Value tile, Value q) {
      return loop1(zero, part.kc, unit, q, [&](Value kk, Value t) {
        Value k = value(apply(s0 + s1, {part.pc, kk}));
        SmallVector<Value> rows;
        for (int64_t at = 0; at < kTileRows; ++at) {
          OpFoldResult number =
              apply(s0 + s1 * blk.mr + s2 * kTileRows + at, {ic, i, tile});
          Value m = clamp(rowCount, number, blk.mr);
          rows.push_back(vector::BitCastOp::create(
              b, loc, groups,
              convertA(readRowOfA(dims(m, Value(), k), unit, inBounds), unit)));
        }
        for (auto [group, x] :
             llvm::enumerate(transposeSquare(b, loc, std::move(rows))))
          t = vector::TransferWriteOp::create(
                  b, loc, vector::BitCastOp::create(b, loc, row, x), t,
                  ValueRange{i, tile,
                             value(apply(s0.floorDiv(step) + group, {kk})),
                             indexConstant(b, loc, 0)},
                  AffineMap::getMinorIdentityMap(4, 1, b.getContext()),
                  ArrayRef<bool>{true})
                  .getResult();
        return t;
      });
    });
  });
}

Value PackedNest::copyColumns(Value copy, Value first, Value k) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  Value zero = indexConstant(b, loc, 0);
  for (int64_t i = 0, e = blk.nr(); i < e; ++i) {
    Value n = clamp(bounds[r.n], apply(s0 + i, {first}), blk.nr());
    Value x = readRow(r.b->get(), r.bMap, dims(Value(), n, k), unit,
                      divides(bounds[r.k], unit));
    copy = vector::TransferWriteOp::create(
               b, loc, x, copy, ValueRange{indexConstant(b, loc, i), zero},
               AffineMap::getMinorIdentityMap(2, 1, b.getContext()),
               ArrayRef<bool>{true})
               .getResult();
  }
  return copy;
}

Value PackedNest::dotTiles(const Place &at, const Part &part, Value a,
                           Value buffer) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  int64_t down = blk.mr / kTileRows, across = blk.nr() / kTileRows;
  auto sumType = VectorType::get({kTileRows, kTileRows}, acc);
  auto tileType = VectorType::get({kTileRows, unit}, packed);
  GroupDot turned = *dot;
  std::swap(turned.isLhsUnsigned, turned.isRhsUnsigned);
  Value zero = indexConstant(b, loc, 0);
  bool hasSteps = divides(bounds[r.k], unit);
  // Adds the products of some tiles along k of B where it is, or of copies.
  auto multiply = [&](OpFoldResult from, OpFoldResult to, bool isWhole,
                      ValueRange carried) {
    return loop(from, to, 1, carried, [&](Value number, ValueRange args) {
      Value k = value(apply(s0 + s1 * unit, {part.pc, number}));
      Value copy = args.back();
      if (!isWhole)
        copy = copyColumns(copy, column(at, 0), k);
      Tensors next(args), rows(down);
      for (int64_t j = 0; j < across; ++j) {
        SmallVector<Value> place = {indexConstant(b, loc, j * kTileRows), zero};
        if (isWhole) {
          Value first = column(at, j * kTileRows / blk.lanes);
          place =
              llvm::map_to_vector(r.bMap.getResults(), [&](AffineExpr expr) {
                return applyExpr(b, loc, expr, dims(Value(), first, k));
              });
        }
        Value columns =
            readRows(b, loc, tileType, isWhole ? r.b->get() : copy, place);
        for (int64_t i = 0; i < down; ++i) {
          if (j == 0)
            rows[i] = readRows(b, loc, tileType, a,
                               {at.i, indexConstant(b, loc, i),
                                value(apply(s0 * kTileRows, {number})), zero});
          Value &sum = next[j * down + i];
          sum = turned.emitTile(b, loc, columns, rows[i], sum);
        }
      }
      next.back() = copy;
      return next;
    });
  };
  OpFoldResult none = b.getIndexAttr(0),
               whole = apply(s0.floorDiv(unit), {part.kc}),
               all = apply(s0.ceilDiv(unit), {part.kc});
  Tensors start(down * across,
                arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType)));
  start.push_back(makeBuffer(b, loc, {blk.nr(), unit}, packed));
  auto multiplyAll = [&](bool isWhole) {
    Tensors made = start;
    if (isWhole)
      made = multiply(none, whole, /*isWhole=*/true, made);
    if (!isWhole || !hasSteps)
      made = multiply(isWhole ? whole : none, all, /*isWhole=*/false, made);
    Value into = buffer;
    for (auto [i, sum] : llvm::enumerate(ArrayRef(made).drop_back()))
      into = vector::TransferWriteOp::create(
                 b, loc, sum, into,
                 ValueRange{indexConstant(b, loc, i * kTileRows), zero},
                 b.getMultiDimIdentityMap(2), ArrayRef<bool>{true, true})
                 .getResult();
    return Tensors{into};
  };
  Value isWhole;
  if (!columnsAreWhole())
    isWhole = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::sle,
        value(apply(s0 + blk.nr(), {column(at, 0)})), value(bounds[r.n]));
  return choose(
      isWhole, buffer.getType(), [&]() { return multiplyAll(true); },
      [&]() { return multiplyAll(false); })[0];
}

Value PackedNest::addTileDots(const Place &at, const Part &part, Value a,
                              ValueRange tensors) {
  int64_t down = blk.mr / kTileRows, across = blk.nr() / kTileRows;
  auto rowType = VectorType::get({kTileRows}, acc);
  Value buffer =
      dotTiles(at, part, a,
               makeBuffer(b, loc, {down * across * kTileRows, kTileRows}, acc));
  // LLVM makes a call of a loop that fills memory with zeros, behind which
  // tiles are configured again.
  Value sums =
      startsAtZero() ? tensors.back() : fillTile(at, part, Value(), tensors);
  auto read = [&](Value from, ValueRange indices) -> Value {
    return vector::TransferReadOp::create(
        b, loc, rowType, from, indices,
        arith::ConstantOp::create(b, loc, b.getZeroAttr(acc)),
        AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext()),
        ArrayRef<bool>{true});
  };
  auto addTile = [&](int64_t i, int64_t j, bool fromZero, Value into) {
    SmallVector<Value> rows;
    for (int64_t at = 0; at < kTileRows; ++at)
      rows.push_back(
          read(buffer, {indexConstant(b, loc, (j * down + i) * kTileRows + at),
                        indexConstant(b, loc, 0)}));
    rows = transposeSquare(b, loc, std::move(rows));
    // Not more than there may be.
    rows.truncate(
        std::min(kTileRows, r.getSize(r.rows, blk.mr) - i * kTileRows));
    for (auto [number, row] : llvm::enumerate(rows)) {
      SmallVector<Value> place =
          tileIndices(at, indexConstant(b, loc, i * kTileRows + number),
                      j * kTileRows / blk.lanes);
      Value sum =
          fromZero
              ? row
              : vector::makeArithReduction(b, loc, vector::CombiningKind::ADD,
                                           read(into, place), row);
      into = vector::TransferWriteOp::create(
                 b, loc, sum, into, place,
                 AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
                 ArrayRef<bool>{true})
                 .getResult();
    }
    return into;
  };
  auto addAll = [&](bool fromZero) {
    Value into = sums;
    for (int64_t i = 0; i < down; ++i)
      for (int64_t j = 0; j < across; ++j)
        into = addTile(i, j, fromZero, into);
    return Tensors{into};
  };
  if (!startsAtZero())
    return addAll(/*fromZero=*/false)[0];
  return choose(
      part.isFirst, sums.getType(), [&]() { return addAll(true); },
      [&]() { return addAll(false); })[0];
}
