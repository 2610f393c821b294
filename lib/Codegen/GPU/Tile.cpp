//===- Tile.cpp - loops over the elements of one thread -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tile.h"

#include "Index.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp::gpu;

/// Blocks that fill a large device twice: with fewer, more threads are better
/// than more work for each.
static constexpr int64_t kEnoughBlocks = 264;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result = ShapedType::isDynamic(size) || ShapedType::isDynamic(result)
                 ? ShapedType::kDynamic
                 : result * size;
  return result;
}

/// The logarithm of the number of threads along known columns.
static int64_t staticLog(const TilePlan &plan) {
  return plan.layout.logThreadsX<int64_t>(
      plan.shape.back(), 0,
      [](int64_t covered, int64_t columns) { return covered < columns; });
}

TilePlan amp::gpu::planTile(ArrayRef<int64_t> shape, int64_t width,
                            int64_t unroll) {
  TilePlan plan;
  plan.shape.assign(shape.begin(), shape.end());
  MapLayout &layout = plan.layout;
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = shape.empty() ? 1 : product(shape.drop_back());
  layout.isLinear = rows == 1;
  if (!ShapedType::isDynamic(columns))
    while (width > std::max<int64_t>(columns, 1))
      width /= 2;
  int64_t total = product(shape);
  if (!ShapedType::isDynamic(total))
    while (unroll > 1 &&
           total < kEnoughBlocks * layout.threads * width * unroll)
      unroll /= 2;
  // A tile that is never whole has no vectors.
  if (layout.isLinear && !ShapedType::isDynamic(columns)) {
    while (unroll > 1 && columns < layout.threads * width * unroll)
      unroll /= 2;
    if (columns < layout.threads * width)
      width = 1;
  }
  layout.width = width;
  if (!layout.isLinear && !ShapedType::isDynamic(rows)) {
    while (unroll > 1 && unroll > rows)
      unroll /= 2;
    // Fewer threads where there are few short rows.
    if (!ShapedType::isDynamic(columns))
      while (layout.threads > 32 &&
             (layout.threads >> staticLog(plan)) > std::max<int64_t>(rows, 1))
        layout.threads /= 2;
  }
  layout.unroll = unroll;
  return plan;
}

bool TilePlan::hasGridStride() const {
  if (ShapedType::isDynamicShape(shape))
    return maxBlocks < kMaxGrid;
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = shape.empty() ? 1 : product(ArrayRef(shape).drop_back());
  using Tile = MapTile<int64_t>;
  int64_t log = layout.isLinear ? 0 : staticLog(*this);
  int64_t threadsX = layout.isLinear ? layout.threads : int64_t(1) << log;
  int64_t threadsY = layout.threads / threadsX;
  return Tile::divideUp(columns, Tile::tileColumns(layout, threadsX)) *
             Tile::divideUp(rows, Tile::tileRows(layout, threadsY)) >
         maxBlocks;
}

namespace {
/// The sizes of a plan as index values.
struct Sizes {
  Index columns, rows, threadsX, threadsY;
};
} // namespace

static Index toIndex(OpBuilder &b, Location loc, OpFoldResult size) {
  return Index(b, loc, getValueOrCreateConstantIndexOp(b, loc, size));
}

static Sizes emitSizes(OpBuilder &b, Location loc, const TilePlan &plan,
                       ArrayRef<OpFoldResult> sizes, Value log) {
  Index one(b, loc, int64_t(1)), rows = one;
  Index columns = sizes.empty() ? one : toIndex(b, loc, sizes.back());
  for (OpFoldResult size : sizes.empty() ? sizes : sizes.drop_back())
    rows = rows * toIndex(b, loc, size);
  int64_t threads = plan.layout.threads;
  if (plan.layout.isLinear)
    return {columns, rows, one.like(threads), one};
  if (log)
    return {columns, rows, one << Index(b, loc, log),
            one.like(threads) >> Index(b, loc, log)};
  int64_t known = staticLog(plan);
  return {columns, rows, one.like(int64_t(1) << known),
          one.like(threads >> known)};
}

TileLaunch amp::gpu::emitTileLaunch(OpBuilder &b, Location loc,
                                    const TilePlan &plan,
                                    ArrayRef<OpFoldResult> sizes) {
  Value log;
  if (plan.needsArgument()) {
    Index columns = toIndex(b, loc, sizes.back());
    log = plan.layout.logThreadsX<Index>(
        columns, columns.like(0), [&](int64_t covered, Index columns) {
          Value isLess = columns.like(covered).lt(columns);
          return Index(
              b, loc,
              arith::IndexCastUIOp::create(b, loc, b.getIndexType(), isLess));
        });
  }
  Sizes s = emitSizes(b, loc, plan, sizes, log);
  using Tile = MapTile<Index>;
  Index blocksX =
      Tile::divideUp(s.columns, Tile::tileColumns(plan.layout, s.threadsX));
  Index blocksY =
      Tile::divideUp(s.rows, Tile::tileRows(plan.layout, s.threadsY));
  Index blocks = blocksX * blocksY;
  if (plan.hasGridStride())
    blocks = min(blocks, blocks.like(plan.maxBlocks));
  return {blocks, log};
}

void amp::gpu::emitTile(OpBuilder &b, Location loc, const TilePlan &plan,
                        ArrayRef<OpFoldResult> sizes, Value argument,
                        TileBody body, ValueRange operands,
                        Evaluator *evaluator) {
  const MapLayout &layout = plan.layout;
  Sizes s = emitSizes(b, loc, plan, sizes, argument);
  Index thread(
      b, loc,
      ::mlir::gpu::ThreadIdOp::create(b, loc, ::mlir::gpu::Dimension::x));
  Index block(
      b, loc,
      ::mlir::gpu::BlockIdOp::create(b, loc, ::mlir::gpu::Dimension::x));
  Index zero = thread.like(0), one = thread.like(1);
  using Tile = MapTile<Index>;
  Index blocksX =
      Tile::divideUp(s.columns, Tile::tileColumns(layout, s.threadsX));
  OpBuilder::InsertionGuard tileGuard(b);
  if (plan.hasGridStride()) {
    Index tiles =
        blocksX * Tile::divideUp(s.rows, Tile::tileRows(layout, s.threadsY));
    Value stride =
        ::mlir::gpu::GridDimOp::create(b, loc, ::mlir::gpu::Dimension::x);
    auto loop = scf::ForOp::create(b, loc, block, tiles, stride);
    b.setInsertionPointToStart(loop.getBody());
    block = Index(b, loc, loop.getInductionVar());
  }
  bool oneBlockX = !layout.isLinear && !plan.needsArgument() &&
                   plan.shape.back() <= layout.width << staticLog(plan);
  Tile tile{s.columns,
            s.rows,
            s.threadsX,
            s.threadsY,
            layout.isLinear ? block
            : oneBlockX     ? zero
                            : block % blocksX,
            layout.isLinear ? zero
            : oneBlockX     ? block
                            : block / blocksX,
            layout.isLinear ? thread : thread % s.threadsX,
            layout.isLinear ? zero : thread / s.threadsX,
            layout};

  // The indices of the element in `row` and `column`.
  auto indices = [&](Index row, Index column) {
    SmallVector<Value> result(sizes.size());
    if (sizes.empty())
      return result;
    result.back() = column;
    Index rest = row;
    for (int64_t i = static_cast<int64_t>(sizes.size()) - 2; i >= 0; --i) {
      if (isConstantIntValue(sizes[i], 1)) {
        result[i] = zero;
        continue;
      }
      bool isLast = llvm::all_of(sizes.take_front(i), [](OpFoldResult size) {
        return isConstantIntValue(size, 1);
      });
      if (isLast) {
        result[i] = rest;
        rest = zero;
        continue;
      }
      Index size = toIndex(b, loc, sizes[i]);
      result[i] = rest % size;
      rest = rest / size;
    }
    return result;
  };
  auto scalars = [&](Index row, Index from, Index to, Index step) {
    auto loop = scf::ForOp::create(b, loc, from, to, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(b, indices(row, Index(b, loc, loop.getInductionVar())), 1);
  };
  auto vectors = [&] {
    SmallVector<SmallVector<Value>> positions;
    for (int64_t u = 0; u < layout.unroll; ++u)
      positions.push_back(indices(tile.vectorRow(u), tile.vectorColumn(u)));
    body(b, positions, layout.width);
  };
  auto single = [&] {
    if (layout.isLinear)
      return scalars(zero, tile.firstColumn(), tile.lastColumn(),
                     tile.threadsX);
    auto rows =
        scf::ForOp::create(b, loc, tile.vectorRow(0),
                           min(tile.rows, tile.endRow()), tile.threadsY);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rows.getBody());
    scalars(Index(b, loc, rows.getInductionVar()), tile.firstColumn(),
            tile.lastColumn(), tile.threadsX);
  };

  if (layout.width == 1 && layout.unroll == 1)
    return single();
  Value isWhole = layout.isLinear ? tile.endColumn().le(tile.columns)
                                  : tile.endRow().le(tile.rows);
  // The thread has a vector with the same number in each of its rows.
  auto peeled = [&] {
    Index number = tile.blockColumn * s.threadsX + tile.x;
    SmallVector<PeeledRow<Index>> rows;
    SmallVector<SmallVector<Value>> positions;
    llvm::SmallDenseMap<Value, SmallVector<Value>> rowOf;
    Index fewest = zero;
    for (int64_t u = 0; u < layout.unroll; ++u) {
      SmallVector<Value> row = indices(tile.vectorRow(u), zero);
      row.pop_back();
      rows.push_back(plan.peeling->emitRow(b, loc, operands, row, s.columns));
      Index column = rows[u].head + number * layout.width;
      rowOf[column] = row;
      positions.push_back(row);
      positions[u].push_back(column);
      fewest = u ? min(fewest, rows[u].vectors) : rows[u].vectors;
    }
    evaluator->setVectorReader([&](OpBuilder &b, Location loc, unsigned operand,
                                   ValueRange indices, int64_t) {
      auto row = rowOf.find(indices.back());
      return row == rowOf.end() ? Value()
                                : plan.peeling->load(b, loc, operands, operand,
                                                     row->second, indices);
    });
    auto all = scf::IfOp::create(b, loc, number.lt(fewest),
                                 /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(all.thenBlock());
    body(b, positions, layout.width);
    b.setInsertionPointToStart(all.elseBlock());
    for (int64_t u = 0; u < layout.unroll && layout.unroll > 1; ++u) {
      auto one = scf::IfOp::create(b, loc, number.lt(rows[u].vectors),
                                   /*withElseRegion=*/false);
      OpBuilder::InsertionGuard oneGuard(b);
      b.setInsertionPointToStart(one.thenBlock());
      body(b, positions[u], layout.width);
    }
    evaluator->setVectorReader(nullptr);
    b.setInsertionPointAfter(all);
    for (int64_t u = 0; u < layout.unroll; ++u) {
      auto edges = scf::ForOp::create(b, loc, number, rows[u].getEdges(),
                                      blocksX * s.threadsX);
      OpBuilder::InsertionGuard edgeGuard(b);
      b.setInsertionPointToStart(edges.getBody());
      positions[u].back() =
          rows[u].getEdgeColumn(Index(b, loc, edges.getInductionVar()));
      body(b, positions[u], 1);
    }
  };
  auto others = [&] {
    if (!plan.peeling)
      return single();
    Value condition = arith::AndIOp::create(
        b, loc, isWhole,
        plan.peeling->emitCondition(b, loc, operands, s.columns));
    auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    peeled();
    b.setInsertionPointToStart(branch.elseBlock());
    single();
  };
  if (!plan.mayBeAligned)
    return others();
  auto branch = scf::IfOp::create(b, loc, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  int64_t columns = plan.shape.empty() ? 1 : plan.shape.back();
  bool isDynamic = ShapedType::isDynamic(columns);
  bool isExact = !isDynamic && columns % layout.width == 0;
  if (layout.isLinear ||
      (isExact && columns % (layout.width << staticLog(plan)) == 0)) {
    vectors();
  } else {
    Index column = tile.vectorColumn(0);
    auto inside =
        scf::IfOp::create(b, loc, (column + layout.width).le(tile.columns),
                          /*withElseRegion=*/layout.width > 1 && !isExact);
    OpBuilder::InsertionGuard insideGuard(b);
    b.setInsertionPointToStart(inside.thenBlock());
    vectors();
    if (layout.width > 1 && !isExact) {
      b.setInsertionPointToStart(inside.elseBlock());
      auto rows = scf::ForOp::create(b, loc, tile.vectorRow(0), tile.endRow(),
                                     tile.threadsY);
      b.setInsertionPointToStart(rows.getBody());
      scalars(Index(b, loc, rows.getInductionVar()), column, tile.columns, one);
    }
  }
  b.setInsertionPointToStart(branch.elseBlock());
  others();
  // Known only now: what the vectors need.
  b.setInsertionPoint(branch);
  if (Value isAligned = emitAlignmentCheck(b, loc, branch.getThenRegion()))
    branch.getConditionMutable().assign(
        arith::AndIOp::create(b, loc, isWhole, isAligned));
}

void amp::gpu::emitStore(OpBuilder &b, Location loc, Value value, Value buffer,
                         ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  auto vectorType = dyn_cast<VectorType>(value.getType());
  if (!vectorType) {
    memref::StoreOp::create(b, loc, value, buffer, indices);
    return;
  }
  int64_t width = vectorType.getNumElements();
  Type element = type.getElementType();
  if (Evaluator::isLoadable(element) && type.isLastDimUnitStride()) {
    int64_t bytes = element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
    vector::StoreOp::create(
        b, loc, value, buffer, indices, /*nontemporal=*/false,
        llvm::MaybeAlign(std::min<int64_t>(16, bytes * width)));
    return;
  }
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> at(indices);
    at.back() = Index(b, loc, at.back()) + lane;
    memref::StoreOp::create(
        b, loc, vector::ExtractOp::create(b, loc, value, lane), buffer, at);
  }
}

SmallVector<OpFoldResult> amp::gpu::sizesOf(OpBuilder &b, Location loc,
                                            Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? OpFoldResult(
                  memref::DimOp::create(b, loc, buffer, dim).getResult())
            : b.getIndexAttr(type.getDimSize(dim)));
  return sizes;
}
