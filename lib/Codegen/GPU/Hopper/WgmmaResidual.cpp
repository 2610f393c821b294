//===- WgmmaResidual.cpp - an operand of the result's shape, by TMA -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by the threads, in the fragments that they have, such an operand is 8
// bytes here and there. So each warp gets it by TMA, in chunks of 16 rows of
// 128 bytes: the first two while it multiplies, each other one as soon as the
// last but one before has been read.
//
//===----------------------------------------------------------------------===//

#include "WgmmaKernel.h"

#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

Value WgmmaKernel::getResidualBarrier(int64_t chunk) {
  WordValue number = (warp - 4) * WgmmaConfig::kWarpBuffers +
                     chunk % WgmmaConfig::kWarpBuffers;
  return emitOffset(at, shared,
                    number * Mbarrier::kBytes +
                        config.getOffsetResidualBarriers());
}

WordValue WgmmaKernel::getResidualBuffer(int64_t chunk) {
  return (warp - 4) *
             (WgmmaConfig::kWarpBuffers * config.getWarpBufferBytes()) +
         (chunk % WgmmaConfig::kWarpBuffers * config.getWarpBufferBytes() +
          config.getOffsetResidual());
}

void WgmmaKernel::setUpResidualBarriers() {
  if (!plan.residual)
    return;
  emitMapPrefetch(at, residualMap);
  int64_t count = config.consumers * 4 * WgmmaConfig::kWarpBuffers;
  for (int64_t i = 0; i < count; ++i)
    emitBarrierInit(
        at,
        emitOffset(at, shared,
                   config.getOffsetResidualBarriers() + i * Mbarrier::kBytes),
        1);
}

void WgmmaKernel::fetchResidual(const Tile &tile, int64_t chunk) {
  const WgmmaResidual &residual = *plan.residual;
  int64_t perBlock = config.blockN / residual.getColumns();
  emitIf(isFirstLane, [&] {
    SmallVector<WordValue> coordinates = {tile.n + chunk % perBlock *
                                                       residual.getColumns(),
                                          getFirstRow(tile, chunk / perBlock)};
    for (ArrayRef<unsigned> loops : ArrayRef(residual.view.dims).drop_front(2))
      coordinates.push_back(tile.batch[llvm::find(plan.c.batch, loops.front()) -
                                       plan.c.batch.begin()]);
    Value barrier = getResidualBarrier(chunk);
    emitArriveExpect(at, barrier, config.getWarpBufferBytes());
    emitTmaLoad(at, emitOffset(at, shared, getResidualBuffer(chunk)),
                residualMap, barrier, coordinates);
  });
}

void WgmmaKernel::startResidual(const Tile &tile) {
  if (!plan.residual)
    return;
  // All lanes have read those of the tile before.
  emitWarpBarrier(at.b, at.loc);
  for (int64_t chunk = 0; chunk < WgmmaConfig::kWarpBuffers; ++chunk)
    fetchResidual(tile, chunk);
}

void WgmmaKernel::awaitResidual(const Tile &tile, int64_t block, int64_t first,
                                int64_t count) {
  if (!plan.residual)
    return;
  int64_t columns = plan.residual->getColumns();
  int64_t perBuffer =
      plan.residual->getChunks(config) / WgmmaConfig::kWarpBuffers;
  for (int64_t begin = llvm::alignTo(first, columns); begin < first + count;
       begin += columns) {
    int64_t chunk = block * (config.blockN / columns) + begin / columns;
    WordValue use =
        tile.ordinal * perBuffer + chunk / WgmmaConfig::kWarpBuffers;
    emitWaitParity(at, getResidualBarrier(chunk), use & 1);
  }
}

void WgmmaKernel::releaseResidual(const Tile &tile, int64_t block,
                                  int64_t first, int64_t count) {
  if (!plan.residual)
    return;
  int64_t columns = plan.residual->getColumns();
  for (int64_t end = first / columns * columns + columns; end <= first + count;
       end += columns) {
    int64_t chunk = block * (config.blockN / columns) + end / columns - 1;
    if (chunk + WgmmaConfig::kWarpBuffers < plan.residual->getChunks(config))
      fetchResidual(tile, chunk + WgmmaConfig::kWarpBuffers);
  }
}

Value WgmmaKernel::readResidual(ValueRange indices, int64_t width) {
  const WgmmaResidual &residual = *plan.residual;
  int64_t bytes = residual.getBytes(), columns = residual.getColumns();
  int64_t inBlock = 8 * currentGroup;
  int64_t chunk = currentBlock * (config.blockN / columns) + inBlock / columns;
  auto space = cast<MemRefType>(sharedBuffer.getType()).getMemorySpace();
  auto type =
      MemRefType::get({config.getWarpBufferBytes() / bytes}, residual.element,
                      MemRefLayoutAttrInterface(), space);
  Value view = memref::ViewOp::create(
      at.b, at.loc, type, sharedBuffer,
      toIndex(sharedSkip + getResidualBuffer(chunk)).get(at), ValueRange());
  WordValue row = (lane >> 2) + 8 * currentHalf;
  WordValue byte = (lane & 3) * (2 * bytes) + inBlock % columns * bytes;
  WordValue place = StoreBuffer::offset(row, byte) / bytes;
  Value pair = vector::LoadOp::create(
      at.b, at.loc, VectorType::get({2}, residual.element), view,
      ValueRange{toIndex(place).get(at)}, /*nontemporal=*/false,
      llvm::MaybeAlign(2 * bytes));
  if (width == 2)
    return pair;
  return selectElement(indices,
                       vector::ExtractOp::create(at.b, at.loc, pair, 0),
                       vector::ExtractOp::create(at.b, at.loc, pair, 1));
}
