//===- WgmmaStreamK.cpp - tiles that blocks share along K -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block has of a tile that it shares goes to a slot of the workspace, as
// the registers have it. The kernel behind adds the slots of each such tile, in
// the order of the blocks, and does what is left to do. There are no atomics:
// counters would have to be zero before, which costs a launch as well.
//
//===----------------------------------------------------------------------===//

#include "WgmmaKernel.h"

#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Accumulators of a thread in eight columns, which are stored at once.
static constexpr int64_t kVector = 4;
/// Columns that a block of the second kernel takes.
static constexpr int64_t kColumns = 64;

/// Elements from one group of eight columns to the next, in the workspace.
static constexpr int64_t kStep = 128 * kVector;

static int64_t getParts(const WgmmaConfig &config) {
  return llvm::divideCeil(config.blockN, kColumns);
}

IndexValue WgmmaKernel::getFixUpBlocks(const WgmmaPlan &plan,
                                       const IndexValue &tiles) {
  return tiles * (plan.config.getSharedRows() / 64) * getParts(plan.config);
}

int64_t WgmmaKernel::getFixUpBytes(const WgmmaPlan &plan) {
  if (!plan.usesTmaStores())
    return 0;
  return 4 * plan.config.getWarpBytes() + WgmmaConfig::kSlack;
}

void WgmmaKernel::setUpShares() {
  shares = {numTiles, kTiles, numBlocks};
  // The grid of the kernel behind is another one.
  Value isFirst = WordValue::equal(at, block * 1024 + thread, 0);
  emitIf(isFirst, [&] {
    Value number = numBlocks.get(at);
    if (plan.c.accType != number.getType())
      number = arith::BitcastOp::create(at.b, at.loc, plan.c.accType, number);
    memref::StoreOp::create(at.b, at.loc, number, workspace,
                            IndexValue(0).get(at));
  });
}

WordValue WgmmaKernel::getPlaceOfSums(const WordValue &slot,
                                      const WordValue &rowBlock) {
  int64_t rowBlocks = config.getSharedRows() / 64;
  return (slot * rowBlocks + rowBlock) * (config.blockN / 8 * kStep) +
         (thread & 127) * kVector + WgmmaPlan::kWorkspaceHead;
}

void WgmmaKernel::storeSums(const Tile &tile, ArrayRef<Value> accumulators) {
  WordValue slot = WordValue::select(
      at, WordValue::equal(at, tile.firstStep, 0), shares->slotOfBegun(block),
      shares->slotOfContinued(block));
  int64_t perBlock = WgmmaFragments::getNumAccumulators(config.blockN);
  int64_t rowBlocks = config.getConsumerRows() / 64;
  auto type = VectorType::get({kVector}, plan.c.accType);
  for (int64_t rows = 0; rows < rowBlocks; ++rows) {
    WordValue place = getPlaceOfSums(slot, consumer * rowBlocks + rows);
    ArrayRef<Value> sums = accumulators.slice(rows * perBlock, perBlock);
    for (int64_t i = 0; i < perBlock; i += kVector) {
      Value four = vector::FromElementsOp::create(at.b, at.loc, type,
                                                  sums.slice(i, kVector));
      vector::StoreOp::create(at.b, at.loc, four, workspace,
                              toIndex(place + i / kVector * kStep).get(at),
                              /*nontemporal=*/false, llvm::MaybeAlign(16));
    }
  }
}

void WgmmaKernel::emitFixUp(::mlir::gpu::GPUFuncOp function) {
  setUp(function, /*isFixUp=*/true);
  emitGridTrigger(at.b, at.loc);
  emitGridWait(at.b, at.loc);
  Value sharers =
      memref::LoadOp::create(at.b, at.loc, workspace, IndexValue(0).get(at));
  if (!sharers.getType().isInteger())
    sharers =
        arith::BitcastOp::create(at.b, at.loc, builder.getI32Type(), sharers);
  shares = {numTiles, kTiles, WordValue(at, sharers)};
  int64_t parts = getParts(config), rowBlocks = config.getSharedRows() / 64;
  int64_t columns = std::min(kColumns, config.blockN);
  WordValue number = block / (rowBlocks * parts);
  WordValue rowBlock = block / parts % rowBlocks, part = block % parts;
  WordValue first = shares->firstOwner(number, WordValue::min),
            last = shares->lastOwner(number, WordValue::min);

  auto type = VectorType::get({kVector}, plan.c.accType);
  auto load = [&](const WordValue &slot) {
    WordValue place = getPlaceOfSums(slot, rowBlock) + part * (8 * kStep);
    SmallVector<Value> sums;
    for (int64_t eight = 0; eight < columns / 8; ++eight)
      sums.push_back(vector::LoadOp::create(
          at.b, at.loc, type, workspace,
          ValueRange{toIndex(place + eight * kStep).get(at)},
          /*nontemporal=*/false, llvm::MaybeAlign(16)));
    return sums;
  };
  emitIf(WordValue::less(at, first, last), [&] {
    auto loop = scf::ForOp::create(at.b, at.loc, (first + 1).get(at),
                                   (last + 1).get(at), WordValue(1).get(at),
                                   load(shares->slotOfBegun(first)));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> next =
          load(shares->slotOfContinued(WordValue(at, loop.getInductionVar())));
      for (auto [value, sum] : llvm::zip_equal(next, loop.getRegionIterArgs()))
        value =
            isa<FloatType>(plan.c.accType)
                ? arith::AddFOp::create(at.b, at.loc, sum, value).getResult()
                : arith::AddIOp::create(at.b, at.loc, sum, value).getResult();
      scf::YieldOp::create(at.b, at.loc, next);
    }
    SmallVector<Value> accumulators;
    for (Value four : loop.getResults())
      for (int64_t i = 0; i < kVector; ++i)
        accumulators.push_back(
            vector::ExtractOp::create(at.b, at.loc, four, i));
    Tile tile = getTile(number);
    tile.n = tile.n + part * columns;
    withEvaluator(tile, [&] {
      emitRows(tile, tile.m + rowBlock * 64 + warp * WgmmaConfig::kWarpRows,
               columns, /*blocks=*/1, accumulators);
    });
    if (plan.usesTmaStores())
      emitIf(isFirstLane, [&] { emitTmaStoreWait(at); });
  });
}
