//===- FewRows.cpp - products whose number of rows is not known -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that is compiled for any batch is often called with one row, or with
// a few. To pack B costs many times what these compute, so that programs choose
// when they run between blocks for one row, for a few and for many.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "PackedNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// So many rows or fewer may be one register tile.
static constexpr int64_t kMostOfTile = 12;

/// So many rows or more may be divided among threads.
static constexpr int64_t kLeastRowsOfThreads = 96;

/// Plans for up to `count` rows.
static void setRows(Roles &roles, int64_t count) {
  for (unsigned d : roles.rows)
    roles.sizes[d] = 1;
  roles.sizes[roles.rows.front()] = count;
  roles.usualRows = count <= kMostOfTile ? count : kUsualRows;
}

SmallVector<FewRows> cpu::getFewRows(const Roles &roles,
                                     const CPUTarget &target, int64_t group,
                                     bool isTile, const Blocking &usual,
                                     bool hasPanels) {
  if (roles.rowsAreKnown() || roles.windows)
    return {};
  bool isBatched = !roles.others.empty(), hasSegments = !roles.segments.empty();
  bool readsPanels =
      hasPanels && (isTile || readsPackedB(roles, target, group));
  int64_t n = roles.sizes[roles.n], mostRows = roles.mostRows.value_or(128);
  auto plan = [&](const Roles &roles, int64_t count) -> FewRows {
    Roles few = roles;
    setRows(few, count);
    if (hasPanels)
      few.tileVectors = usual.nv;
    // Panels have one layout; without any, a few rows take no tiles.
    std::optional<GroupDot> dot = matchGroupDot(few, target);
    if (isTile && !hasPanels && !(dot && dot->isTile))
      return {count, chooseBlocking(few, target, dot ? dot->size : 1, false),
              /*avoidsTiles=*/true};
    return {count, chooseBlocking(few, target, group, isTile)};
  };
  // What reads a B of unknown size otherwise than `far` does, where a cache
  // holds it: for numbers of rows where that makes most of a difference. 4 rows
  // of f32 by 512 x 512 and 2048 x 2048 are 1.6 times as fast, of bf16 by 512 x
  // 512 1.25 and 2 rows of i8 1.5 times. Groups of a B that the second cache
  // does not hold are none of them (2048 x 2048: half as fast).
  bool isInteger = roles.body.accType.isInteger();
  auto planNear = [&](int64_t count, const FewRows &far) {
    std::optional<FewRows> near;
    constexpr int64_t kColumns = 6720, kDepth = 256;
    if ((count != 4 && count != (isInteger ? 2 : 6)) || isBatched ||
        !ShapedType::isDynamic(n) ||
        !ShapedType::isDynamic(roles.sizes[roles.k]))
      return near;
    Roles known = roles;
    known.sizes[roles.n] = kColumns;
    known.sizes[roles.k] = kDepth;
    FewRows way = plan(known, count);
    if (way.blk.packsB || way.blk.mr < count ||
        (way.blk.kc == far.blk.kc && way.blk.nv == far.blk.nv))
      return near;
    way.mostBytes =
        (way.blk.readsGroups ? 1 : kMostNearly) * int64_t(target.l2Bytes);
    near = way;
    return near;
  };
  // What is small in all sizes has blocks as static sizes have them: 8 x 2
  // registers leave few rows and columns past the end of any size, and panels
  // for more than one thread. With blocks for large ones, 96 to 250 rows by 200
  // x 200 took 1.1 to 2.5 times as long on two threads. Fewer rows share rows
  // of B (of which groups come faster) as they lie.
  auto planSmall = [&]() -> std::optional<FewRows> {
    constexpr int64_t kMostRows = 256, kColumns = 384, kDepth = 64;
    int64_t k = roles.sizes[roles.k];
    bool isUnknown = ShapedType::isDynamic(n) && ShapedType::isDynamic(k);
    int64_t mostBytes = target.l2Bytes / (isTile      ? 8
                                          : group > 1 ? 4 * group
                                                      : 1);
    int64_t bits = getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
    bool fits = !hasPanels && !ShapedType::isDynamic(n) &&
                !ShapedType::isDynamic(k) &&
                n * k * bits / 8 < (group > 1 ? 8 : 2) * mostBytes;
    // Known columns that threads divide if rows are known to be few, where
    // those of a number that is not known are divided by rows, from 96 on: 34
    // rows by 704 x 208 take 1.0 to 1.1 times as long as known ones, not 1.6 to
    // 6 times.
    constexpr int64_t kLeastColumns = 128;
    bool sharesColumns =
        fits && n >= kLeastColumns && n <= kMostColumnsOfThreads;
    // Known columns of a few panels, where the usual tiles compute more rows
    // than there are: 18 rows of bf16 by 608 x 32 take 1.1 times as long as
    // known ones, not 1.3 times.
    constexpr int64_t kNarrow = 96;
    bool isNarrow =
        fits && n <= kNarrow && (group == 1 || target.hasMaskedMemory);
    bool hasFew = hasFewColumns(roles, target);
    if (isBatched ||
        (!isUnknown && (isTile || (!sharesColumns && !isNarrow && !hasFew))))
      return std::nullopt;
    Roles known = roles;
    setRows(known, kMostRows / 2);
    known.usualRows.reset();
    known.tileVectors = 2;
    // A last panel of one register would wait for each sum.
    if (isNarrow) {
      int64_t vectors = llvm::divideCeil(
          n, target.lanes(roles.body.accType.getIntOrFloatBitWidth()));
      if (vectors > 1 && vectors % 2 != 0)
        known.tileVectors = 3;
    }
    if (isUnknown) {
      known.sizes[roles.n] = kColumns;
      known.sizes[roles.k] = kDepth;
    }
    FewRows way{kMostRows, chooseBlocking(known, target, group, isTile)};
    way.blk.kc = isTile ? 1024 : 512;
    way.blk.mc = llvm::alignTo(kMostRows, way.blk.mr);
    way.blk.halvesRows = !isTile && !way.blk.dotColumns && way.blk.mr > 1;
    if (isUnknown) {
      constexpr int64_t kMostColumns = 2048;
      way.blk.nc = kMostColumns;
      way.mostBytes = mostBytes;
      if (isTile) {
        joinRows(way.blk, kMostColumns);
        way.blk.takesRowsFirst = true;
        way.blk.leastWork =
            getLeastWorkOfTiles(kMostRows, kMostRows, kMostRows);
      } else {
        // Where A is packed, each thread packs all of it for its columns.
        divide(way.blk, Blocking::Columns, /*parts=*/way.blk.packsA ? 4 : 8,
               (way.blk.packsA ? 2 : 1) * way.blk.nr());
        // With AVX-512 equal parts are worth a narrower panel then: 80 columns
        // of i8 on two threads are 1.3 times as fast as 64 and 16. With AVX2
        // 100 rows of bf16 by 80 columns would take 1.15 times as long on one.
        way.blk.dividesPanels = way.blk.packsA && target.hasMaskedMemory;
      }
    }
    // What few rows of known sizes compute may not be worth the threads.
    int64_t least = isUnknown ? 1 : llvm::divideCeil(kLeastWork, n * k);
    way.least = std::max<int64_t>(least, isTile                   ? 16
                                         : group > 1 && isUnknown ? 64
                                                                  : 32);
    if (isNarrow) {
      // 16 rows may have a way of their own, and 17 lose nothing.
      constexpr int64_t kLeastRows = 18, kManyRows = 64;
      way.least = kLeastRows;
      // Threads divide more groups by rows.
      if (!hasFew)
        way.most = kManyRows - 1;
    }
    // Of few columns, more of k is worth a pack, and fewer rows are: 40 rows of
    // i8 by 608 x 32 and 1000 x 80 are 1.5 and 1.3 times as fast, of bf16 by
    // 256 x 80 1.1 times, 13 rows of f32 by 608 x 32 1.5 times, 56 by 2500 x
    // 160 1.15 times. 24 rows of i8 by 1500 x 128 would take 1.3 times as long;
    // with AVX2 groups by 80 columns, too.
    bool hasLimits = isUnknown && !isTile;
    if (hasLimits && group == 1)
      way.byColumns = {{kNarrow, kMostOfTile + 1, 2 * way.mostBytes},
                       {256, way.least, 2 * way.mostBytes}};
    else if (hasLimits && target.hasMaskedMemory)
      way.byColumns = {{kNarrow, kMostOfTile + 1, 4 * way.mostBytes}};
    return way;
  };
  SmallVector<FewRows> ways;
  auto add = [&](int64_t count) {
    FewRows way = plan(roles, count);
    bool readsB = !way.blk.packsB && way.blk.mr <= kUsualRows;
    bool isTileOfPanels = readsPanels && count <= usual.mr;
    if (readsB || isTileOfPanels)
      ways.push_back(way);
    return readsB || isTileOfPanels;
  };
  // Tiles that read B where it is: all of their rows cost as much as one. Of a
  // B of unknown size, as many as are so whatever that is.
  bool hasTiles = false;
  auto addTiles = [&]() {
    constexpr int64_t kMostOfUnknown = 32;
    bool isUnknown =
        ShapedType::isDynamic(n) || ShapedType::isDynamic(roles.sizes[roles.k]);
    int64_t last = ways.empty() ? 0 : ways.back().most;
    for (int64_t count : {8, 16, 32, 64, 96, 256}) {
      count = std::min(count, mostRows);
      if (!isTile || count <= last || (isUnknown && count > kMostOfUnknown))
        continue;
      FewRows way = plan(roles, count);
      bool isInPlace = !way.avoidsTiles && !way.blk.packsB;
      hasTiles |= isInPlace;
      // Not half a tile.
      if (!isInPlace || 2 * count <= way.blk.mr)
        continue;
      // Several tiles serve any number of rows.
      if (last && ways.back().blk.mc > way.blk.mr &&
          ways.back().blk.mr == way.blk.mr)
        ways.pop_back();
      ways.push_back(way);
      last = count;
    }
  };
  bool isPlain = !(isTile && hasPanels) && !hasSegments;
  // A library is not to hold both B and its panels.
  bool isHeld = hasPanels && matchPattern(roles.b->get(), m_Constant());
  // Up to so many are blocks of columns for threads, where more are blocks of
  // rows; where a few are worth threads, or have another way.
  int64_t most = isTile ? kMostRowsOfTiles : 256;
  FewRows columns = plan(roles, most);
  if (isTile && columns.blk.parallel != Blocking::Columns)
    columns = plan(roles, most /= 2);
  // Whether all of those have another way.
  bool areKnown = false;
  // All rows of a register tile are computed: for 2 of them, 4 are few enough.
  if (isPlain && readsPanels) {
    add(1);
    add(4);
  } else if (isPlain && !isHeld) {
    // One register tile reads B once, and needs no strips of it. What no cache
    // holds comes no sooner for fewer rows, but of i8, of which 4 rows take 1.6
    // times as long as 2, and before AVX-512 (6 rows of f32 and bf16 are 1.45
    // and 1.8 times as fast with blocks of their own as with those of 8).
    bool isFar = !ShapedType::isDynamic(n) && target.hasMaskedMemory &&
                 exceedsCaches(roles, target, /*unknown=*/false, kMostNearly);
    for (int64_t count : {1, 2, 4, 6, 8, 12}) {
      if (count > mostRows)
        break;
      // What is transposed for a few columns is not worth as many ways.
      if (count == 6 && roles.mostRows && mostRows > kUsualRows &&
          target.vectorRegisters > 16)
        continue;
      if (isFar && (count == 6 || (count == 2 && !isInteger)))
        continue;
      FewRows way = plan(roles, count);
      // In tiles, so are all that are more.
      if (isTile && !way.avoidsTiles && !way.blk.packsB)
        break;
      bool isOneTile = !way.blk.packsB && way.blk.mr >= count;
      // Of more f32, two tiles that share rows of B are as fast.
      if (!isOneTile || (count > kUsualRows && !way.blk.readsGroups))
        continue;
      // B of unknown size is planned for as one that no cache holds.
      std::optional<FewRows> near;
      if (!roles.mostRows)
        near = planNear(count, way);
      if (near)
        ways.push_back(*near);
      ways.push_back(way);
    }
    addTiles();
    // More than these have strips of B.
    if (sharesStripsOfB(target) && !roles.mostRows) {
      FewRows way = plan(roles, getMostRowsWithoutStrips(roles));
      if (!way.blk.packsB && !way.blk.stripPanels && way.blk.mr < way.most)
        ways.push_back(way);
      // Tiles for more groups than these compute half as much again.
      else if (group > 1 && !hasPanels)
        add(kUsualRows);
    }
    std::optional<FewRows> small;
    if (!roles.mostRows)
      small = planSmall();
    areKnown = small && !small->mostBytes;
    int64_t mostOfTile = ways.empty() ? 0 : ways.back().most,
            mostOfRest = areKnown ? small->least - 1 : mostRows;
    if (small && !areKnown) {
      ways.push_back(*small);
      // Threads pack a larger B as well, if they have more rows each.
      if (isTile) {
        FewRows way = *small;
        way.least = kFewRowsOfTiles + 1;
        way.most = std::numeric_limits<int32_t>::max();
        way.mostBytes = target.l2Bytes / 2;
        way.blk.kc = usual.kc;
        ways.push_back(way);
      }
    }
    // What the plans know as limits.
    constexpr int64_t kLimits[] = {128, 64, 48, 32, 24, 16, 12, 8};
    for (int64_t most : hasTiles ? ArrayRef<int64_t>() : ArrayRef(kLimits))
      if (most = std::min(most, mostOfRest); most > mostOfTile && add(most))
        break;
    if (areKnown)
      ways.push_back(*small);
  }
  constexpr int64_t kMany = 64;
  // Threads that have rows would fetch packed B from others' caches.
  bool areMany =
      (isTile && !hasPanels) || (!ways.empty() && ways.back().most >= kMany);
  if (!areKnown && !roles.mostRows &&
      columns.blk.parallel == Blocking::Columns &&
      (ways.empty() || ways.back().most < most || ways.back().mostBytes) &&
      (areMany || plan(roles, kUsualRows).blk.parallel == Blocking::Columns))
    ways.push_back(columns);
  // There are at least as many as the loops of known size have. In batches, as
  // attention has them, a few rows are one row.
  int64_t least = roles.getSize(roles.rows, 1);
  int64_t mostOfBatch =
      hasTiles && !ways.front().avoidsTiles ? ways.front().most : 1;
  llvm::erase_if(ways, [&](const FewRows &way) {
    return way.most < least || (isBatched && way.most > mostOfBatch);
  });
  for (FewRows &way : ways)
    if (way.most > kLeastRowsOfThreads && ShapedType::isDynamic(n) &&
        way.blk.parallel == Blocking::Columns)
      way.leastColumns = 2 * way.blk.leastPart;
  return ways;
}

PackedNest::Tensors
PackedNest::chooseWay(ArrayRef<FewRows> ways, TypeRange types,
                      llvm::function_ref<Tensors(PackedNest &)> emit) {
  if (ways.empty())
    return emit(*this);
  const FewRows &way = ways.front();
  Value one = indexConstant(b, loc, 1);
  auto compare = [&](arith::CmpIPredicate kind, OpFoldResult x, int64_t y) {
    return arith::CmpIOp::create(b, loc, kind, value(x),
                                 indexConstant(b, loc, y));
  };
  // Nothing is more than any limit then.
  auto isUpTo = [&](OpFoldResult count, int64_t limit) -> Value {
    return compare(arith::CmpIPredicate::ult,
                   arith::SubIOp::create(b, loc, value(count), one).getResult(),
                   limit);
  };
  Value isFew;
  if (way.mostColumns) {
    auto isEnough = [&](OpFoldResult size, int64_t times, int64_t columns) {
      Value least = arith::MulIOp::create(b, loc, value(bounds[r.n]),
                                          indexConstant(b, loc, columns));
      Value all = arith::MulIOp::create(b, loc, value(size),
                                        indexConstant(b, loc, times));
      isFew = arith::AndIOp::create(
          b, loc, isFew,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, all, least));
    };
    isFew = isUpTo(bounds[r.n], way.mostColumns);
    isEnough(bounds[r.k], 1, way.depth);
    isEnough(rowCount, 2, way.halfRows);
  } else if (way.most && way.most < r.mostRows.value_or(way.most + 1)) {
    isFew = isUpTo(rowCount, way.most);
  }
  auto require = [&](Value is) {
    isFew = isFew ? arith::AndIOp::create(b, loc, isFew, is).getResult() : is;
  };
  if (way.readsTilesOfA)
    require(hasTilesOfANow(way));
  auto limit = [&](arith::CmpIPredicate kind, OpFoldResult x,
                   llvm::function_ref<int64_t(const FewRows::Limits &)> get) {
    int64_t last = get({0, way.least, way.mostBytes});
    Value y = indexConstant(b, loc, last);
    for (const FewRows::Limits &limits : llvm::reverse(way.byColumns)) {
      if (get(limits) == last)
        continue;
      last = get(limits);
      Value hasSo =
          compare(arith::CmpIPredicate::ule, bounds[r.n], limits.columns);
      y = arith::SelectOp::create(b, loc, hasSo, indexConstant(b, loc, last),
                                  y);
    }
    require(arith::CmpIOp::create(b, loc, kind, value(x), y));
  };
  if (way.least > 1)
    limit(arith::CmpIPredicate::uge, rowCount,
          [](const FewRows::Limits &limits) { return limits.least; });
  if (way.mostBytes) {
    int64_t bits = getElementTypeOrSelf(r.b->get()).getIntOrFloatBitWidth();
    limit(arith::CmpIPredicate::ult, multiply(bounds[r.n], bounds[r.k]),
          [&](const FewRows::Limits &limits) {
            return limits.mostBytes * 8 / bits;
          });
  }
  // Threads divide columns, or rows where there are enough of those.
  if (way.leastColumns)
    require(arith::OrIOp::create(
        b, loc,
        compare(arith::CmpIPredicate::uge, bounds[r.n], way.leastColumns),
        compare(arith::CmpIPredicate::ult, rowCount, kLeastRowsOfThreads)));
  return choose(
      isFew, types,
      [&]() {
        PackedNest few = *this;
        few.mostColumns = way.mostColumns;
        if (way.mostColumns)
          return emit(few);
        if (way.readsTilesOfA)
          few.r.readsTilesOfA = true;
        else
          setRows(few.r, way.most);
        if (way.most == 1) {
          few.rowCount = b.getIndexAttr(1);
          for (unsigned d : few.r.rows)
            few.bounds[d] = few.rowCount;
        }
        if (way.avoidsTiles) {
          few.setProduct(matchGroupDot(few.r, target));
          few.setDepth();
        }
        few.setBlocks(way.blk);
        // Without loops over rows, what is asked for in between the products
        // is asked for too soon (2 and 4 rows of code for Zen 4 took 1.2 times
        // as long, on Zen 5).
        bool asksBetween = way.blk.rowsAhead && !way.blk.asksBehind;
        few.isOneTile = way.most && way.most <= way.blk.mr &&
                        way.blk.mc == way.blk.mr && !asksBetween;
        return emit(few);
      },
      [&]() { return chooseWay(ways.drop_front(), types, emit); });
}

PackedNest::Tensors PackedNest::emitForRows(ArrayRef<FewRows> ways,
                                            ValueRange results) {
  bool isFresh = !inPlace && !dependsOnWeightsOnly(r.a->get()) &&
                 llvm::all_of(results, [](Value tensor) {
                   return tensor.getDefiningOp<tensor::EmptyOp>() != nullptr;
                 });
  if (ways.empty() || !isFresh) {
    Tensors made = chooseWay(ways, results.getTypes(), [&](PackedNest &nest) {
      return nest.emitBlocks(results);
    });
    if (auto loop = made.front().getDefiningOp<scf::ForOp>();
        loop && !r.mostRows)
      loop->setAttr(kOutlineAttrName, b.getUnitAttr());
    return made;
  }
  // Bufferization compares each read of a tensor with each write to it, which
  // takes as long as everything else where there are several ways. These have
  // no tensor in common, but its buffer: compiling is up to twice as fast.
  Tensors buffers;
  for (Value tensor : results) {
    auto type = cast<RankedTensorType>(tensor.getType());
    auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
    buffers.push_back(bufferization::ToBufferOp::create(
        b, loc, MemRefType::get(type.getShape(), type.getElementType()),
        bufferization::AllocTensorOp::create(b, loc, type,
                                             empty.getDynamicSizes())));
  }
  auto toTensors = [&]() {
    Tensors tensors;
    for (auto [type, buffer] : llvm::zip_equal(results.getTypes(), buffers))
      tensors.push_back(bufferization::ToTensorOp::create(
          b, loc, type, buffer, /*restrict=*/true, /*writable=*/true));
    return tensors;
  };
  chooseWay(ways, /*types=*/{}, [&](PackedNest &nest) {
    for (auto [tensor, buffer] :
         llvm::zip_equal(nest.emitBlocks(toTensors()), buffers))
      bufferization::MaterializeInDestinationOp::create(
          b, loc, /*result=*/Type(), tensor, buffer, /*restrict=*/true,
          /*writable=*/true);
    return Tensors();
  });
  // What is one of several ways becomes a function with the others.
  if (!r.mostRows)
    std::prev(b.getInsertionPoint())
        ->setAttr(kOutlineAttrName, b.getUnitAttr());
  return toTensors();
}
