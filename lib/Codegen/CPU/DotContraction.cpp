//===- DotContraction.cpp - a few rows by a transposed B ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where neighbours in k are neighbours in both A and B, as with the weights of
// a linear layer that PyTorch keeps as [N, K], vectors along k need no packing:
// each result is the sum of one accumulator's lanes. That reads B once and in
// order, and pays while all rows of A are in one register tile.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

bool cpu::halvesWords(const ContractionBody &body) {
  if (body.rhsCasts.size() != 1)
    return false;
  auto cast = dyn_cast<arith::ExtFOp>(body.rhsCasts.front());
  return cast && cast.getIn().getType().isBF16() && cast.getType().isF32();
}

/// Whether A is packed before its rows are multiplied by those of a transposed
/// B: it would be converted again for each of them.
static bool convertsRowsOfA(const Roles &roles, const CPUTarget &target) {
  if (std::optional<GroupDot> dot = matchGroupDot(roles, target))
    return dot->lhsSigned || !dot->lhsCasts.empty();
  return halvesWords(roles.body) || !roles.body.lhsCasts.empty();
}

/// Whether `m` rows, more than are multiplied at once, are taken in turn: a
/// first cache holds a part of those of one turn. 16 rows by 4096 x 4096 are
/// 1.3 (f32) to 1.5 times (bf16) as fast as with B packed, twice as many 1.1
/// times. On Emerald Rapids groups gain less by it.
static bool takesRowsInTurn(const Roles &roles,
                            const std::optional<GroupDot> &dot, int64_t m,
                            const CPUTarget &target) {
  return target.hasMaskedMemory && m > kMostDotRows &&
         m <= (dot && target.hasManyWays() && !target.asksForRows ? 24 : 32) &&
         !hasPackedB(roles, target, dot ? dot->size : 1);
}

/// How many of `m` rows of A are multiplied at a time.
static int64_t getDotRows(int64_t m, const CPUTarget &target) {
  // Twelve sums of 4 rows and 3 columns take 7 loads, those of 12 rows and one
  // column 13. B comes from a cache for all but the first rows, which does not
  // pay for up to 6 of them: 5 are 1.1 times as fast in one, 7 are 1.3 times
  // and 12 three times as fast in several.
  // With 32 registers, up to 8 rows and 3 columns.
  constexpr int64_t kRows = 4, kMostAtOnce = 6, kRowsOfMany = 8;
  bool hasMany = target.vectorRegisters > 16;
  if (m <= (hasMany ? kMostDotRows : kMostAtOnce))
    return m;
  return llvm::divideCeil(m,
                          llvm::divideCeil(m, hasMany ? kRowsOfMany : kRows));
}

bool cpu::exceedsCaches(const Roles &roles, const CPUTarget &target,
                        bool unknown, int64_t caches) {
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  if (ShapedType::isDynamic(n) || ShapedType::isDynamic(k))
    return unknown;
  int64_t bits = getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
  return n * k * bits / 8 >= caches * int64_t(target.l2Bytes);
}

/// Whether one row of f32 is multiplied like several: a vector loop reads one
/// row of B after the other. On Zen 3 eight at a time are 1.0 to 1.25 times (of
/// bf16 1.0 to 1.5 times) as fast, and asked for ahead on Zen 4, where B is
/// large, 1.5 times (else as fast, and not asked for; not measured elsewhere).
/// A B that an op computes is read with what computes it.
static bool takesOneRow(const Roles &roles, const CPUTarget &target) {
  bool isFast = !target.hasMaskedMemory ||
                (!target.hasManyWays() && exceedsCaches(roles, target));
  return isFast && !roles.b->get().getDefiningOp<linalg::LinalgOp>();
}

// The sum over lanes costs as much as some steps of k. Measured on Zen 4, with
// AVX-512 and AVX2: 2 rows with 32 of k are 1.5 to 3.4 times as fast, 4 rows
// with 64 up to 1.7 times, 8 and 12 rows with 256 1.0 to 1.5 times.
int64_t cpu::getLeastDotDepth(int64_t m, bool isGroup) {
  if (m > kMostDotRows)
    return 512;
  return m <= 2 ? 32 : m <= 4 ? 64 : isGroup ? 256 : 128;
}

int64_t cpu::getDotColumns(const Roles &roles, const CPUTarget &target) {
  std::optional<GroupDot> dot = matchGroupDot(roles, target);
  int64_t m = roles.getSize(roles.rows, 1);
  if (roles.bRowsAreContiguous() || roles.windows ||
      !roles.aRowsAreContiguous() || !roles.segments.empty() ||
      roles.getSize(roles.k, 1024) < getLeastDotDepth(m, dot.has_value()) ||
      !roles.rowsAreKnown() || roles.a->get().getDefiningOp<tensor::PadOp>() ||
      (dot && dot->isTile))
    return 0;
  // What is packed ahead is better; where that is larger than B, as good with a
  // short k, and a library does not have both.
  constexpr int64_t kShort = 512;
  int64_t group = dot ? dot->size : 1;
  if (readsPackedB(roles, target, group) ||
      matchPattern(roles.b->get(), m_Constant()) ||
      (roles.getSize(roles.k, kShort) < kShort &&
       hasPackedB(roles, target, group)))
    return 0;
  // One row of other types is no more than a vector loop, but where rows are
  // counted when the program runs: then B would be packed for it.
  bool takesOne = dot || roles.usualRows || takesOneRow(roles, target);
  if (m < (takesOne ? 1 : 2) ||
      (m > kMostDotRows && !takesRowsInTurn(roles, dot, m, target)))
    return 0;
  int64_t rows = getDotRows(m, target);
  // Even and odd elements of B are two vectors. One row of A uses each once, of
  // one column after the other.
  bool isFew = target.vectorRegisters <= 16;
  int64_t perColumn = isFew && !dot && halvesWords(roles.body) ? 2 : 1;
  for (int64_t columns : {8, 4, 3, 2, 1})
    if (rows * columns + perColumn * (rows == 1 ? 1 : columns) + 1 <=
        int64_t(target.vectorRegisters))
      return columns;
  return 0;
}

/// Parts of the rows that both operands are read along, where rows of B are
/// asked for ahead, and whether rows of A are packed: measured, 1.1 to 1.5
/// times as fast on Emerald Rapids, 1.2 to 2.5 times on Zen 4, and 1.1 to 2.3
/// times on Zen 5.
static void planPartsOfDots(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  blk.packsA = convertsRowsOfA(roles, target);
  constexpr int64_t kPage = 4096, kManyRows = 7;
  if (!target.hasMaskedMemory) {
    // Zen 3 does not see an order in several rows that lie in one page: with
    // 50257 rows of 768 it is 1.3 to 1.8 times (1 row of A), 1.7 to 2.4 times
    // (2 and 4, bf16 and i8) and 1.2 to 1.4 times (4, f32) as fast to ask for
    // them.
    unsigned bits =
        getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
    // Few rows of A leave time to see it in longer rows, and in those of f32.
    int64_t few = (m == 1) + (bits >= 32 && m < 4);
    int64_t most = few == 2 ? 0 : kPage >> few;
    bool isWhole = !ShapedType::isDynamic(roles.sizes[roles.k]) && k <= blk.kc;
    if (isWhole && k * bits / 8 <= most && exceedsCaches(roles, target)) {
      blk.rowsAhead = blk.dotColumns;
      blk.bytesAhead = 2 * kPage;
    }
    return;
  }
  // Rows of A that fill most of a first cache of twelve ways, for which rows of
  // B are read in parts of a page. Those do not begin soon enough without being
  // asked for.
  bool hasManyWays = target.hasManyWays();
  bool asks = target.asksForRows && m > 2 && exceedsCaches(roles, target);
  if (hasManyWays && !asks) {
    if (m >= kManyRows && group == 1) {
      blk.rowsAhead = blk.dotColumns;
      blk.kc = kPage / bytes;
    }
    return;
  }
  // For one row that is worth it where a last cache does not hold B either.
  bool isNear = m == 1 && !exceedsCaches(roles, target, /*unknown=*/false);
  blk.rowsAhead = isNear ? 0 : blk.dotColumns;
  if (m <= 2)
    return;
  // Rows of A, a power of two apart, replace each other where a set of the
  // cache has fewer lines than those and a column of B; packed, they fill three
  // quarters of it. Twelve ways have room for the rows.
  int64_t narrow = bytes / group;
  blk.packsA |=
      hasManyWays ? blk.mr + blk.dotColumns > 12 : group == 2 || blk.mr > 8;
  blk.kc = kPage / narrow;
  if (!hasManyWays && (group == 2 || blk.mr * kPage > target.l1Bytes * 3 / 4))
    blk.kc /= 2;
}

void cpu::planDots(Blocking &blk, const Product &p, int64_t columns) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  blk.dotColumns = columns;
  blk.packsB = false;
  blk.mr = getDotRows(m, target);
  blk.mc = llvm::alignTo(m, blk.mr);
  // The columns of a register tile are a multiple of them.
  blk.nv = columns / std::gcd(columns, blk.lanes);
  // All of A, or its rows that are multiplied together, are read for each few
  // rows of B.
  bool isHalved = group == 1 && halvesWords(roles.body);
  int64_t width = blk.lanes * (isHalved ? 2 : 1) * group;
  int64_t rowBytes =
      blk.mr < m ? target.l1Bytes / 2 / blk.mr : target.l2Bytes / 8 / m;
  blk.kc = std::max<int64_t>(width,
                             llvm::alignDown(rowBytes * group / bytes, width));
  planPartsOfDots(blk, p);
  blk.kc = std::min<int64_t>(blk.kc, llvm::alignTo(k, width));
  blk.nc =
      std::min<int64_t>(2048 / blk.nr() * blk.nr(), llvm::alignTo(n, blk.nr()));
  planThreads(blk, m, n, k, /*part=*/0);
}

SmallVector<Value> PackedNest::readRowOfB(Value n, Value k, int64_t width,
                                          bool inBounds) {
  Value row = readRow(r.b->get(), r.bMap, dims(Value(), n, k), width, inBounds);
  if (dot || !halvesWords(r.body))
    return {convertB(row, width)};
  auto [even, odd] = widenHalves(b, loc, row);
  return {even, odd};
}

/// Vectors with one lane for each of `vectors`, in their order: the sum of its
/// lanes. Two vectors become one that has half of the lanes of each, by two
/// shuffles and an addition: first parts of 128 bits, then lanes within these,
/// each by one instruction. All of them take a third of the instructions that
/// sums of one vector after the other do.
static SmallVector<Value> sumLanes(OpBuilder &b, Location loc,
                                   ValueRange vectors) {
  auto type = cast<VectorType>(vectors.front().getType());
  int64_t lanes = type.getNumElements();
  int64_t part = std::min<int64_t>(lanes, 128 / type.getElementTypeBitWidth());
  // The even ones of `unit` neighbours, within each `span` of them, of both.
  auto pick = [&](int64_t unit, int64_t span, int64_t odd) {
    SmallVector<int64_t> picks;
    for (int64_t first = 0; first < lanes; first += span)
      for (int64_t source : {int64_t(0), lanes})
        for (int64_t i = odd * unit; i < span; i += 2 * unit)
          for (int64_t j = 0; j < unit; ++j)
            picks.push_back(source + first + i + j);
    return picks;
  };
  auto halve = [&](ArrayRef<Value> all, int64_t unit, int64_t span) {
    SmallVector<Value> next;
    for (size_t i = 0; i < all.size(); i += 2) {
      auto shuffle = [&](int64_t odd) {
        return vector::ShuffleOp::create(b, loc, all[i], all[i + 1],
                                         pick(unit, span, odd));
      };
      Value even = shuffle(0), odd = shuffle(1);
      next.push_back(vector::makeArithReduction(
          b, loc, vector::CombiningKind::ADD, even, odd));
    }
    return next;
  };
  int64_t parts = lanes / part;
  SmallVector<Value> sums;
  for (int64_t at = 0, end = vectors.size(); at < end; at += lanes) {
    // In the order that leaves the sum of vector i in lane i; where there are
    // fewer than lanes, some are there twice.
    SmallVector<Value> all;
    int64_t count = std::min(lanes, end - at);
    for (int64_t i = 0; i < lanes; ++i)
      all.push_back(vectors[at + (i % parts * part + i / parts) % count]);
    for (int64_t n = parts; n > 1; n /= 2)
      all = halve(all, part, lanes);
    for (int64_t n = part; n > 1; n /= 2)
      all = halve(all, 1, part);
    sums.push_back(all.front());
  }
  return sums;
}

Value PackedNest::addDots(const Place &at, const Part &part, Value a,
                          Value sums) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  int64_t nr = blk.nr(), parts = !dot && halvesWords(r.body) ? 2 : 1;
  int64_t narrow = blk.lanes * step, width = parts * narrow;
  constexpr int64_t kLine = 64;
  int64_t perLine =
      kLine * 8 / getElementTypeOrSelf(r.b->get()).getIntOrFloatBitWidth();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
  OpFoldResult count = b.getIndexAttr(nr);
  if (!divides(bounds[r.n], nr))
    count =
        blockSize(bounds[r.n], value(apply(s0 + s1 * nr, {at.jc, at.j})), nr);
  return loop1(
      b.getIndexAttr(0), count, blk.dotColumns, sums,
      [&](Value first, Value tile) {
        // Columns past the end are the last one, and are not stored.
        SmallVector<Value> columns;
        for (int64_t c = 0; c < blk.dotColumns; ++c)
          columns.push_back(
              clamp(bounds[r.n],
                    apply(s0 + s1 * nr + s2 + c, {at.jc, at.j, first}), nr));
        // All of these rows as they lie in memory, or this part of the next
        // ones. Past the end of B there is nothing to fetch, which does no
        // harm.
        auto askAhead = [&](Value k) {
          bool inTurn = blk.bytesAhead != 0;
          int64_t times = inTurn ? blk.dotColumns : 1;
          int64_t steps = blk.bytesAhead * perLine / kLine;
          for (int64_t c = 0; c < blk.dotColumns / times; ++c) {
            int64_t rows = inTurn ? 0 : blk.rowsAhead + c;
            Value n =
                value(apply(s0 + s1 * nr + s2 + rows, {at.jc, at.j, first}));
            for (int64_t i = 0; i < width * times; i += perLine)
              prefetchRowOfB(n, value(apply(s0 * times + steps + i, {k})), i);
          }
        };
        // A row of A where it is, or as it is packed with this part.
        auto readA = [&](int64_t row, Value k, int64_t p, bool inBounds) {
          if (!a) {
            Value m = clamp(
                rowCount, apply(s0 + s1 * blk.mr + row, {at.ic, at.i}), blk.mr);
            return convertA(readRowOfA(dims(m, Value(), k), width, inBounds),
                            width);
          }
          Value in = value(apply(s0 - s1 + p * narrow, {k, part.pc}));
          return Value(vector::TransferReadOp::create(
              b, loc, VectorType::get({narrow}, packed), a,
              ValueRange{at.i, indexConstant(b, loc, row), in},
              arith::ConstantOp::create(b, loc, b.getZeroAttr(packed)),
              AffineMap::getMinorIdentityMap(3, 1, b.getContext()),
              ArrayRef<bool>{true}));
        };
        auto multiply = [&](Value k, bool inBounds, ValueRange accs) {
          SmallVector<SmallVector<Value>> bRows;
          if (prefetched && inBounds)
            askAhead(k);
          for (Value n : columns)
            bRows.push_back(readRowOfB(n, k, width, inBounds));
          Tensors next(accs);
          for (int64_t p = 0; p < parts; ++p)
            for (int64_t row = 0; row < blk.mr; ++row) {
              Value x = readA(row, k, p, inBounds);
              for (int64_t c = 0; c < blk.dotColumns; ++c) {
                Value &sum = next[row * blk.dotColumns + c];
                Value y = bRows[c][p];
                sum = dot ? dot->emit(b, loc, x, y, sum)
                          : multiplyAdd(b, loc, r.body, x, y, sum, target);
              }
            }
          return next;
        };
        OpFoldResult whole =
            apply(s0 + s1.floorDiv(width) * width, {part.pc, part.kc});
        Tensors accs = loop(part.pc, whole, width,
                            SmallVector<Value>(blk.mr * blk.dotColumns, zero),
                            [&](Value k, ValueRange args) {
                              return multiply(k, /*inBounds=*/true, args);
                            });
        // Blocks are whole vectors, but for the last one. Where that is one,
        // too, there is nothing behind it that was packed.
        if (!divides(bounds[r.k], width)) {
          Value hasRest;
          if (!isOneBlock)
            hasRest = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::ne, value(whole),
                value(apply(s0 + s1, {part.pc, part.kc})));
          accs = choose(
              hasRest, ValueRange(accs).getTypes(),
              [&]() {
                return multiply(value(whole), /*inBounds=*/false, accs);
              },
              [&]() { return accs; });
        }
        Tensors totals = sumLanes(b, loc, accs);
        for (int64_t row = 0; row < blk.mr; ++row)
          for (int64_t c = 0; c < blk.dotColumns;) {
            int64_t number = row * blk.dotColumns + c,
                    lane = number % blk.lanes;
            // As many neighbours as are a register's part of one vector.
            int64_t count = std::min(blk.dotColumns - c, blk.lanes - lane);
            count = int64_t(1) << llvm::Log2_64(count);
            SmallVector<Value> indices =
                tileIndices(at, indexConstant(b, loc, row), /*v=*/0);
            indices.back() = value(apply(s0 + c, {first}));
            auto type = VectorType::get({count}, acc);
            AffineMap minor = AffineMap::getMinorIdentityMap(indices.size(), 1,
                                                             b.getContext());
            Value old = vector::TransferReadOp::create(
                b, loc, type, tile, indices,
                arith::ConstantOp::create(b, loc, b.getZeroAttr(acc)), minor,
                ArrayRef<bool>{true});
            Value part = vector::ExtractStridedSliceOp::create(
                b, loc, totals[number / blk.lanes], lane, count, int64_t(1));
            tile = vector::TransferWriteOp::create(
                       b, loc,
                       vector::makeArithReduction(
                           b, loc, vector::CombiningKind::ADD, old, part),
                       tile, indices, minor, ArrayRef<bool>{true})
                       .getResult();
            c += count;
          }
        return tile;
      });
}
