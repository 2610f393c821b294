//===- TilesOfA.cpp - tiles that read rows of A where they are ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile register (AMX) takes 16 rows of 64 bytes from anywhere, one row's
// distance apart. A whose steps of k are whole tiles, and which is not
// converted, needs no packing: 256^3 is 1.2 (i8) and 1.35 times (bf16) as fast
// so, 512^3 1.2 times, 1024^3 1.0 times. Rows that do not begin at a line of
// the caches are two lines each, which costs more (1024^3 of i8 0.7 times):
// where that is not known, programs ask for the addresses when they run, as
// they do for sizes that are not known. The last tiles end with the last row:
// of rows that those above have, too, nothing is stored.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether tiles may read A where it is, if it turns out to be of whole ones.
static bool mayReadTilesOfA(const Roles &roles, const GroupDot &dot) {
  int64_t k = roles.sizes[roles.k];
  if (!dot.isTile || !dot.lhsCasts.empty() || roles.rows.size() != 1 ||
      !roles.segments.empty() ||
      getElementTypeOrSelf(roles.a->get()) != dot.element ||
      roles.a->get().getDefiningOp<tensor::PadOp>() ||
      (!ShapedType::isDynamic(k) && k % (dot.size * kTileRows)))
    return false;
  ArrayRef<AffineExpr> exprs = roles.aMap.getResults();
  MLIRContext *context = roles.aMap.getContext();
  return exprs.size() >= 2 &&
         exprs.back() == getAffineDimExpr(roles.k, context) &&
         exprs.drop_back().back() ==
             getAffineDimExpr(roles.rows.front(), context);
}

/// Whether `tensor` is what this function allocates, from a line of the caches
/// on.
static bool isAllocated(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    Operation *op = result.getOwner();
    if (isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op))
      return true;
    OpOperand *init = nullptr;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      init = loop.getTiedLoopInit(result);
    else if (auto dest = dyn_cast<DestinationStyleOpInterface>(op))
      init = dest.getTiedOpOperand(result);
    else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 bufferization::ToTensorOp, bufferization::ToBufferOp>(op))
      init = &op->getOpOperand(0);
    if (!init)
      return false;
    tensor = init->get();
  }
  return false;
}

SmallVector<FewRows> cpu::getTilesOfA(const Roles &roles,
                                      const CPUTarget &target,
                                      const GroupDot &dot,
                                      const Blocking &usual, bool hasPanels) {
  if (!usual.packsA || !usual.packsB || !mayReadTilesOfA(roles, dot))
    return {};
  Roles whole = roles;
  whole.readsTilesOfA = true;
  if (hasPanels)
    whole.tileVectors = usual.nv;
  SmallVector<FewRows> ways;
  auto add = [&](const Roles &roles, int64_t most) -> FewRows & {
    FewRows way{most, chooseBlocking(roles, target, dot.size, /*isTile=*/true)};
    way.readsTilesOfA = true;
    return ways.emplace_back(way);
  };
  int64_t m = roles.sizes[roles.rows.front()], n = roles.sizes[roles.n],
          k = roles.sizes[roles.k];
  // What is small has blocks as static sizes have them.
  if (ShapedType::isDynamic(m) && roles.others.empty() && !roles.mostRows) {
    // Fewer rows meet a transposed B where it is.
    constexpr int64_t kUsual = 256, kUsualRows = 96,
                      kRows = kFewRowsOfTiles + 1;
    bool isUnknown = ShapedType::isDynamic(n) || ShapedType::isDynamic(k);
    Roles small = whole;
    small.usualRows.reset();
    for (unsigned d : {roles.n, roles.k})
      if (ShapedType::isDynamic(roles.sizes[d]))
        small.sizes[d] = kUsual;
    int64_t most = isUnknown ? kMostRowsOfTiles - 1
                             : getMostRowsByColumns(target, n, k, dot.size);
    small.sizes[roles.rows.front()] = isUnknown ? kRows : most;
    FewRows &way = add(small, most);
    int64_t work =
        getLeastWorkOfTiles(kUsualRows, roles.getSize(roles.n, kUsual),
                            roles.getSize(roles.k, kUsual));
    bool packsB = way.blk.packsB && !way.blk.packsA;
    if (!packsB || way.blk.parallel != Blocking::Columns) {
      ways.pop_back();
    } else if (isUnknown) {
      constexpr int64_t kMostColumns = 2048, kLeastColumns = 128;
      way.blk.kc = usual.kc;
      way.blk.nc = kMostColumns;
      divide(way.blk, Blocking::Columns, /*parts=*/8, kLeastColumns);
      way.blk.leastWork = work;
      way.blk.panelBytes = target.l2Bytes / 4;
    } else {
      way.least = llvm::divideCeil(work, n * k);
    }
  }
  FewRows &way = add(whole, /*most=*/0);
  // What is small in one size only is not a small product.
  constexpr int64_t kColumns = 256, kDepth = 64;
  way.blk.leastWork =
      getLeastWorkOfTiles(kMostRowsOfTiles, roles.getSize(roles.n, kColumns),
                          roles.getSize(roles.k, kDepth));
  int64_t mostRows =
      ShapedType::isDynamic(m) ? roles.mostRows.value_or(way.blk.mr) : m;
  if (mostRows < way.blk.mr)
    ways.pop_back();
  return ways;
}

void PackedNest::addTilesOfA(SmallVectorImpl<FewRows> &ways) {
  constexpr int64_t kFewRows = 32;
  SmallVector<FewRows> tiles =
      getTilesOfA(r, target, *dot, blk, /*hasPanels=*/!ahead.isNull());
  if (tiles.empty())
    return;
  FewRows all = tiles.pop_back_val();
  if (hasTilesOfA(all.blk)) {
    r.readsTilesOfA = true;
    setBlocks(all.blk);
    return;
  }
  auto packing = llvm::find_if(ways, [](const FewRows &way) {
    return way.blk.packsB && way.most > kFewRows;
  });
  tiles.push_back(all);
  ways.insert(packing, tiles.begin(), tiles.end());
}

bool PackedNest::hasTilesOfA(const Blocking &blocks) const {
  std::optional<int64_t> m = constant(rowCount);
  return m && *m >= blocks.mr && divides(bounds[r.k], unit) &&
         isAllocated(r.a->get());
}

Value PackedNest::hasTilesOfANow(const FewRows &way) {
  Value rest;
  auto require = [&](Value isZero) {
    rest =
        rest ? arith::OrIOp::create(b, loc, rest, isZero).getResult() : isZero;
  };
  auto requireMultiple = [&](OpFoldResult size, int64_t unit) {
    if (!divides(size, unit))
      require(arith::RemUIOp::create(b, loc, value(size),
                                     indexConstant(b, loc, unit)));
  };
  requireMultiple(bounds[r.k], unit);
  if (!isAllocated(r.a->get())) {
    constexpr int64_t kLine = 64;
    auto type = cast<RankedTensorType>(r.a->get().getType());
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    Value buffer = bufferization::ToBufferOp::create(
        b, loc, bufferization::getMemRefTypeWithFullyDynamicLayout(type),
        r.a->get(), /*read_only=*/true);
    auto place = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    requireMultiple(address, kLine);
    requireMultiple(place.getOffset(), kLine / bytes);
    for (Value stride : place.getStrides().drop_back())
      requireMultiple(stride, kLine / bytes);
  }
  Value are;
  auto both = [&](Value is) {
    are = are ? arith::AndIOp::create(b, loc, are, is).getResult() : is;
  };
  auto index = [&](int64_t x) { return indexConstant(b, loc, x); };
  if (rest)
    both(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                               index(0)));
  if (!constant(rowCount))
    both(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                               value(rowCount), index(way.blk.mr)));
  if (!way.blk.panelBytes || !way.most)
    return are;
  // Whether threads are to divide columns: getMostRowsByColumns.
  auto isUpTo = [&](Value x, Value limit) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, x, limit);
  };
  auto choose = [&](Value is, Value x, Value y) -> Value {
    return arith::SelectOp::create(b, loc, is, x, y);
  };
  int64_t bytes = packed.getIntOrFloatBitWidth() / 8;
  Value m = value(rowCount), n = value(bounds[r.n]);
  Value isLong = isUpTo(index(kLongRowOfTiles / bytes), value(bounds[r.k]));
  Value isNarrow = isUpTo(n, index(kMostColumnsOfThreads));
  Value few =
      choose(isNarrow, index(kLeastRowsOfTiles - 1), index(kFewRowsOfTiles));
  few = choose(isLong, index(kFewRowsOfTiles), few);
  Value sizeOfA = value(multiply(rowCount, bounds[r.k]));
  Value work = arith::MulIOp::create(b, loc, sizeOfA, n);
  Value isSmall =
      choose(isLong, isUpTo(sizeOfA, index(target.l2Bytes / 2 / bytes)),
             isUpTo(work, index(kLeastGroupsOfRows * dot->size - 1)));
  both(arith::OrIOp::create(b, loc, isUpTo(m, few), isSmall));
  return are;
}

Value PackedNest::getRowsAbove(const Place &at) {
  if (!isTile || !r.readsTilesOfA || divides(rowCount, blk.mr))
    return Value();
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  return value(affine::makeComposedFoldedAffineMax(
      b, loc,
      AffineMap::get(0, 3,
                     {s0 + (s1 + 1) * blk.mr - s2, b.getAffineConstantExpr(0)},
                     b.getContext()),
      {OpFoldResult(at.ic), OpFoldResult(at.i), rowCount}));
}

Value PackedNest::readTileOfA(const Place &at, const Part &part,
                              VectorType type, int64_t row, Value k) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult first = apply(s0 + s1 * blk.mr, {at.ic, at.i});
  if (!divides(rowCount, blk.mr))
    first = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 2, {s0, s1 - blk.mr}, b.getContext()),
        {first, rowCount});
  SmallVector<OpFoldResult> point =
      dims(value(apply(s0 + row, {first})), Value(),
           value(apply(s0 + s1, {part.pc, k})));
  SmallVector<Value> indices =
      llvm::map_to_vector(r.aMap.getResults(), [&](AffineExpr expr) {
        return applyExpr(b, loc, expr, point);
      });
  return readRows(b, loc, type, r.a->get(), indices);
}
