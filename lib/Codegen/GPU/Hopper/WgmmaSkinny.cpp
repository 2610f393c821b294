//===- WgmmaSkinny.cpp - results of few columns ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a tile are the many, and a result may be contiguous along them:
// then matrices are transposed on their way to shared memory. The ring has all
// the memory but 512 bytes for each warp, so columns are stored a few at a
// time.
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

void WgmmaKernel::storeSkinny(const WgmmaOutput &output, unsigned number,
                              const Tile &tile, int64_t columns) {
  SkinnyBuffer buffer = plan.getSkinnyBuffer(output);
  int64_t eights = buffer.getColumns() / 8;
  auto fillByMatrix = [&](int64_t eight) {
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < 4; ++reg) {
      int64_t group = eight + reg / 2;
      // What lies behind the last column is not stored.
      registers.push_back(
          8 * group < columns
              ? emitRegister(at, emitPair(number, group, reg % 2))
              : WordValue(0).get(at));
    }
    emitStoreMatrix(
        at, emitOffset(at, shared, warpBuffers + buffer.storeMatrix(lane)),
        registers, /*isTransposed=*/buffer.isAlongRows);
  };
  auto fillByElement = [&](int64_t eight) {
    auto space = cast<MemRefType>(sharedBuffer.getType()).getMemorySpace();
    auto type =
        MemRefType::get({SkinnyBuffer::kBytes / buffer.bytes}, output.element,
                        MemRefLayoutAttrInterface(), space);
    Value view = memref::ViewOp::create(
        at.b, at.loc, type, sharedBuffer,
        toIndex(sharedSkip + warpBuffers).get(at), ValueRange());
    for (int64_t i = 0; i < eights && 8 * (eight + i) < columns; ++i)
      for (int64_t half : {0, 1}) {
        Value pair = emitPair(number, eight + i, half);
        WordValue rowOfPair = (lane >> 2) + 8 * half,
                  first = (lane & 3) * 2 + 8 * i;
        auto place = [&](int64_t element) {
          return toIndex(buffer.offset(rowOfPair, first + element) /
                         buffer.bytes)
              .get(at);
        };
        if (!buffer.isAlongRows) {
          vector::StoreOp::create(at.b, at.loc, pair, view, place(0),
                                  /*nontemporal=*/false,
                                  llvm::MaybeAlign(2 * buffer.bytes));
          continue;
        }
        for (int64_t element : {0, 1})
          memref::StoreOp::create(
              at.b, at.loc,
              vector::ExtractOp::create(at.b, at.loc, pair, element), view,
              place(element));
      }
  };
  auto store = [&](int64_t box, int64_t firstColumn) {
    WordValue firstRow = row + box * buffer.boxRows;
    // Rows that are another tile's: boxes are as tiles are cut.
    emitIf(WordValue::less(at, firstRow, endOfRows), [&] {
      WordValue firstOfTile = tile.n + firstColumn;
      SmallVector<WordValue> coordinates =
          buffer.isAlongRows ? SmallVector<WordValue>{firstRow, firstOfTile}
                             : SmallVector<WordValue>{firstOfTile, firstRow};
      for (ArrayRef<unsigned> loops : ArrayRef(output.view->dims).drop_front(2))
        coordinates.push_back(
            tile.batch[llvm::find(plan.c.batch, loops.front()) -
                       plan.c.batch.begin()]);
      emitTmaStore(
          at, resultMaps[number],
          emitOffset(at, shared, warpBuffers + buffer.getBoxOffset(box)),
          coordinates, /*isStreamed=*/plan.c.batch.empty());
    });
  };
  for (int64_t eight = 0; 8 * eight < columns; eight += eights) {
    emitIf(isFirstLane, [&] { emitTmaStoreWaitRead(at, 0); });
    emitWarpBarrier(at.b, at.loc);
    if (buffer.bytes == 2)
      fillByMatrix(eight);
    else
      fillByElement(eight);
    emitSharedStoreFence(at);
    emitWarpBarrier(at.b, at.loc);
    emitIf(isFirstLane, [&] {
      for (int64_t box = 0; box < buffer.getNumBoxes(); ++box)
        store(box, 8 * eight);
      emitTmaStoreCommit(at);
    });
  }
}
