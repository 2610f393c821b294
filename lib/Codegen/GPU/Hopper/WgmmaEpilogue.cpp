//===- WgmmaEpilogue.cpp - from accumulators to results -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionInstructions.h"
#include "WgmmaKernel.h"

#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

//===----------------------------------------------------------------------===//
// Where an accumulator is
//===----------------------------------------------------------------------===//

/// The iteration of the loops `loops` of `sizes` that `number` stands for.
static SmallVector<IndexValue> delinearize(IndexValue number,
                                           ArrayRef<unsigned> loops,
                                           ArrayRef<IndexValue> sizes) {
  SmallVector<IndexValue> result(loops.size(), 0);
  for (size_t i = loops.size(); i-- > 1;) {
    result[i] = number % sizes[loops[i]];
    number = number / sizes[loops[i]];
  }
  result[0] = number;
  return result;
}

/// `index`, or the last multiple of `width` below `size` if that is less. A
/// tile of `extent`, or of one that is not known (0), may reach beyond `size`.
static IndexValue clamp(const IndexValue &index, const IndexValue &size,
                        int64_t extent, int64_t width) {
  std::optional<int64_t> known = size.getConstant();
  if (known && extent && *known % extent == 0)
    return index;
  return IndexValue::min(index, size - width);
}

SmallVector<Value> WgmmaKernel::getIteration(int64_t group, int64_t half,
                                             int64_t element) {
  SmallVector<IndexValue> iteration(sizes.size(), 0);
  for (auto [loop, index] : llvm::zip_equal(plan.c.batch, batchLoops))
    iteration[loop] = index;
  for (auto [loop, index] : llvm::zip_equal(plan.c.m, rowLoops[half]))
    iteration[loop] = index;
  // What lies beyond the last column is not stored, and must be read all the
  // same.
  IndexValue n = clamp(toIndex(column + 8 * group) + element, sizeN,
                       config.blockN * config.clusterN, plan.width);
  for (auto [loop, index] :
       llvm::zip_equal(plan.c.n, delinearize(n, plan.c.n, sizes)))
    iteration[loop] = index;
  return llvm::map_to_vector(
      iteration, [&](const IndexValue &index) { return index.get(at); });
}

Value WgmmaKernel::addInit(Value sum, ValueRange iteration, int64_t width) {
  Contraction c = plan.c;
  if (!c.hasInit)
    return sum;
  OpOperand &init = *c.op.getDpsInitOperand(0);
  Value initial = evaluator->emitOperand(at.b, init, iteration, width,
                                         width > 1 ? c.n.back() : -1);
  if (width > 1)
    initial = Evaluator::toVector(at.b, at.loc, initial, width);
  if (isa<FloatType>(c.accType))
    return arith::AddFOp::create(at.b, at.loc, initial, sum);
  return arith::AddIOp::create(at.b, at.loc, initial, sum);
}

Value WgmmaKernel::readAccumulator(ValueRange indices, int64_t width) {
  auto accumulator = [&](int64_t element) {
    return groupAccumulators[WgmmaFragments::getAccumulator(
        currentGroup, currentHalf, element)];
  };
  if (width == 2) {
    Value pair = vector::FromElementsOp::create(
        at.b, at.loc, VectorType::get({2}, plan.c.accType),
        ValueRange{accumulator(0), accumulator(1)});
    return addInit(pair, getIteration(currentGroup, currentHalf, 0), 2);
  }
  Value sum = accumulator(currentElement);
  if (plan.width == 1)
    return addInit(sum, getIteration(currentGroup, currentHalf, currentElement),
                   1);
  // One element of a pair that could not be taken as a whole.
  SmallVector<Value> iteration = getIteration(currentGroup, currentHalf, 0);
  sum = selectElement(indices, accumulator(0), accumulator(1));
  iteration[plan.c.n.back()] = indices.back();
  return addInit(sum, iteration, 1);
}

Value WgmmaKernel::selectElement(ValueRange indices, Value first,
                                 Value second) {
  Value inner = getIteration(currentGroup, currentHalf, 0)[plan.c.n.back()];
  Value isFirst = arith::CmpIOp::create(at.b, at.loc, arith::CmpIPredicate::eq,
                                        indices.back(), inner);
  return arith::SelectOp::create(at.b, at.loc, isFirst, first, second);
}

Value WgmmaKernel::emitPair(unsigned number, int64_t group, int64_t half) {
  func::FuncOp source = kernel.function;
  Value result = source.getBody().front().getTerminator()->getOperand(number);
  return emitPair(result, plan.c.results[number], group, half);
}

Value WgmmaKernel::emitPair(Value tensor, ArrayRef<AffineExpr> place,
                            int64_t group, int64_t half) {
  currentGroup = group;
  currentHalf = half;
  auto emit = [&](int64_t element, int64_t width) {
    currentElement = element;
    SmallVector<Value> loops = getIteration(group, half, element), indices;
    for (AffineExpr expr : place)
      indices.push_back(
          affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
    return evaluator->emit(at.b, at.loc, tensor, indices, width);
  };
  if (plan.width == 2)
    return Evaluator::toVector(at.b, at.loc, emit(0, 2), 2);
  Value first = emit(0, 1), second = emit(1, 1);
  return vector::FromElementsOp::create(at.b, at.loc,
                                        VectorType::get({2}, first.getType()),
                                        ValueRange{first, second});
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void WgmmaKernel::storeByTma(const WgmmaOutput &output, unsigned number,
                             const Tile &tile, int64_t group, int64_t groups) {
  int64_t bytes = output.getBytes(), rowBytes = output.getRowBytes();
  auto space = cast<MemRefType>(sharedBuffer.getType()).getMemorySpace();
  // An odd number of stores in a tile: the next tile begins with the buffer
  // that this one ends with.
  int64_t perTile = 0;
  for (const WgmmaOutput &other : plan.outputs)
    if (other.view)
      perTile += other.getBuffers();
  perTile *= groups;
  int64_t pending = perTile % WgmmaConfig::kWarpBuffers == 0
                        ? WgmmaConfig::kWarpBuffers - 1
                        : 0;
  for (int64_t part = 0; part < output.getBuffers(); ++part) {
    WordValue offset = warpBuffers + numStores++ % WgmmaConfig::kWarpBuffers *
                                         config.getWarpBufferBytes();
    emitIf(isFirstLane, [&] { emitTmaStoreWaitRead(at, pending); });
    emitWarpBarrier(at.b, at.loc);
    Value buffer = emitOffset(at, shared, offset);
    int64_t eights = output.getBufferColumns() / 8;
    int64_t first = 64 * group + part * output.getBufferColumns();
    awaitResidual(tile, currentBlock, first, output.getBufferColumns());
    if (bytes == 2) {
      for (int64_t quarter = 0; quarter < 4; ++quarter) {
        SmallVector<Value> registers;
        for (int64_t reg = 0; reg < 4; ++reg)
          registers.push_back(emitRegister(
              at,
              emitPair(number, 8 * group + 2 * quarter + reg / 2, reg % 2)));
        emitStoreMatrix(
            at, emitOffset(at, buffer, StoreBuffer::storeMatrix(lane, quarter)),
            registers);
      }
    } else {
      auto type =
          MemRefType::get({config.getWarpBufferBytes() / bytes}, output.element,
                          MemRefLayoutAttrInterface(), space);
      Value view = memref::ViewOp::create(at.b, at.loc, type, sharedBuffer,
                                          toIndex(sharedSkip + offset).get(at),
                                          ValueRange());
      for (int64_t i = 0; i < eights; ++i)
        for (int64_t half : {0, 1}) {
          Value pair = emitPair(number, 8 * group + part * eights + i, half);
          WordValue place = bytes == 4
                                ? StoreBuffer::storePair(lane, i, half) / bytes
                                : ((lane >> 2) + 8 * half) * rowBytes +
                                      (lane & 3) * 2 + 8 * i;
          vector::StoreOp::create(
              at.b, at.loc, pair, view, toIndex(place).get(at),
              /*nontemporal=*/false, llvm::MaybeAlign(2 * bytes));
        }
    }
    emitSharedStoreFence(at);
    emitWarpBarrier(at.b, at.loc);
    releaseResidual(tile, currentBlock, first, output.getBufferColumns());
    emitIf(isFirstLane, [&] {
      SmallVector<WordValue> coordinates = {tile.n + first, row};
      for (ArrayRef<unsigned> loops : ArrayRef(output.view->dims).drop_front(2))
        coordinates.push_back(
            tile.batch[llvm::find(plan.c.batch, loops.front()) -
                       plan.c.batch.begin()]);
      emitTmaStore(at, resultMaps[number], buffer, coordinates,
                   /*isStreamed=*/plan.c.batch.empty());
      emitTmaStoreCommit(at);
    });
  }
}

void WgmmaKernel::storeDirectly(const WgmmaOutput &output, unsigned number,
                                int64_t eight) {
  Value buffer = arguments[kernel.getNumInputs() + number];
  for (int64_t half : {0, 1}) {
    Value pair = emitPair(number, eight, half);
    WordValue m = row + (lane >> 2) + 8 * half;
    for (int64_t element : {0, 1}) {
      WordValue n = column + (8 * eight + element);
      Value inside =
          arith::AndIOp::create(at.b, at.loc, WordValue::less(at, m, endOfRows),
                                WordValue::less(at, n, toWord(sizeN)));
      // In bounds the clamped place is the place.
      SmallVector<Value> loops = getIteration(eight, half, 0);
      if (element == 1) {
        SmallVector<IndexValue> inner = delinearize(
            clamp(toIndex(n), sizeN, config.blockN * config.clusterN, 1),
            plan.c.n, sizes);
        for (auto [loop, index] : llvm::zip_equal(plan.c.n, inner))
          loops[loop] = index.get(at);
      }
      SmallVector<Value> indices;
      for (AffineExpr expr : plan.c.results[number])
        indices.push_back(
            affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
      Value value = vector::ExtractOp::create(at.b, at.loc, pair, element);
      emitIf(inside, [&] {
        memref::StoreOp::create(at.b, at.loc, value, buffer, indices);
      });
    }
  }
}

/// `value`, of 16 or 32 bits, of the lane whose number differs in `mask`.
static Value emitExchange(const IndexBuilder &at, Value value, int64_t mask) {
  Type type = value.getType();
  if (type.getIntOrFloatBitWidth() == 32)
    return emitShuffleXor(at, value, mask);
  Type half = at.b.getI16Type(), word = at.b.getI32Type();
  value = arith::BitcastOp::create(at.b, at.loc, half, value);
  value = arith::ExtUIOp::create(at.b, at.loc, word, value);
  value = arith::TruncIOp::create(at.b, at.loc, half,
                                  emitShuffleXor(at, value, mask));
  return arith::BitcastOp::create(at.b, at.loc, type, value);
}

static Value emitCombine(const IndexBuilder &at, const RowStatistic &statistic,
                         Value first, Value second) {
  linalg::GenericOp op = statistic.op;
  IRMapping mapping;
  mapping.map(op.getBody()->getArgument(1), first);
  mapping.map(op.getBody()->getArgument(0), second);
  return at.b.clone(*statistic.combiner, mapping)->getResult(0);
}

void WgmmaKernel::addToStatistic(const RowStatistic &statistic, int64_t eight,
                                 RowSums &sums) {
  std::optional<int64_t> columns = sizeN.getConstant();
  bool hasTail = !columns || *columns % RowStatistic::kColumns != 0;
  for (int64_t half : {0, 1}) {
    Value pair = emitPair(statistic.elements, statistic.indices, eight, half);
    for (int64_t element : {0, 1}) {
      Value value = vector::ExtractOp::create(at.b, at.loc, pair, element);
      if (hasTail)
        value = arith::SelectOp::create(
            at.b, at.loc,
            WordValue::less(at, column + (8 * eight + element), toWord(sizeN)),
            value, arith::ConstantOp::create(at.b, at.loc, statistic.neutral));
      Value &sum = sums[half][element];
      sum = sum ? emitCombine(at, statistic, sum, value) : value;
    }
  }
}

void WgmmaKernel::storeStatistic(const RowStatistic &statistic, int64_t group,
                                 const RowSums &sums) {
  constexpr int64_t kEights = RowStatistic::kColumns / 8;
  for (int64_t half : {0, 1}) {
    Value sum = emitCombine(at, statistic, sums[half][0], sums[half][1]);
    for (int64_t mask : {1, 2})
      sum = emitCombine(at, statistic, sum, emitExchange(at, sum, mask));
    SmallVector<Value> loops = getIteration(kEights * group, half, 0), indices;
    for (AffineExpr expr : plan.c.results[statistic.number])
      indices.push_back(
          affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
    WordValue m = row + (lane >> 2) + 8 * half;
    Value isOwn = WordValue::equal(at, lane & 3, 0);
    for (Value condition :
         {WordValue::less(at, m, endOfRows),
          WordValue::less(at, column + 8 * kEights * group, toWord(sizeN))})
      isOwn = arith::AndIOp::create(at.b, at.loc, isOwn, condition);
    emitIf(isOwn, [&] {
      memref::StoreOp::create(
          at.b, at.loc, sum,
          arguments[kernel.getNumInputs() + statistic.number], indices);
    });
  }
}

void WgmmaKernel::withEvaluator(const Tile &tile,
                                llvm::function_ref<void()> body) {
  Evaluator forTile(kernel, arguments);
  evaluator = &forTile;
  Contraction c = plan.c;
  forTile.bind(c.op.getResult(0), [this](OpBuilder &, Location,
                                         ValueRange indices, int64_t width) {
    return readAccumulator(indices, width);
  });
  if (plan.residual)
    forTile.bind(
        plan.residual->argument,
        [this](OpBuilder &, Location, ValueRange indices, int64_t width) {
          return readResidual(indices, width);
        });
  batchLoops.clear();
  for (const WordValue &index : tile.batch)
    batchLoops.push_back(toIndex(index));
  column = tile.n + (lane & 3) * 2;
  // The next tile has the rows behind those of this one.
  endOfRows = toWord(sizeM);
  if (config.getSharedRows() != config.blockM)
    endOfRows = WordValue::min(endOfRows, tile.m + config.blockM);
  numStores = 0;
  body();
  evaluator = nullptr;
}

void WgmmaKernel::emitRows(const Tile &tile, const WordValue &firstRow,
                           int64_t columns, int64_t blocks,
                           ArrayRef<Value> accumulators) {
  row = firstRow;
  int64_t extent = config.getSharedRows() == config.blockM
                       ? config.blockM * config.clusterM
                       : 0;
  rowLoops.clear();
  for (int64_t half : {0, 1}) {
    IndexValue m =
        clamp(toIndex(row + (lane >> 2) + 8 * half), sizeM, extent, 1);
    rowLoops.push_back(delinearize(m, plan.c.m, sizes));
  }
  groupAccumulators = accumulators;
  int64_t groups = llvm::divideCeil(columns, 64);
  for (int64_t group = 0; group < groups; ++group) {
    for (auto [number, output] : llvm::enumerate(plan.outputs))
      if (output.view && config.isSkinny)
        storeSkinny(output, number, tile, columns);
      else if (output.view)
        storeByTma(output, number, tile, group, blocks * groups);
    // What they share need not stay in registers.
    SmallVector<RowSums, 2> sums(plan.c.statistics.size());
    int64_t end = std::min<int64_t>(columns / 8, 8 * group + 8);
    for (int64_t eight = 8 * group; eight < end; ++eight) {
      for (auto [number, output] : llvm::enumerate(plan.outputs))
        if (!output.view && !plan.c.getStatistic(number))
          storeDirectly(output, number, eight);
      for (auto [statistic, sum] : llvm::zip_equal(plan.c.statistics, sums))
        addToStatistic(statistic, eight, sum);
    }
    for (auto [statistic, sum] : llvm::zip_equal(plan.c.statistics, sums))
      storeStatistic(statistic, group, sum);
  }
}

WordValue WgmmaKernel::getFirstRow(const Tile &tile, int64_t block) {
  WordValue first = tile.m + 64 * block + (warp & 3) * WgmmaConfig::kWarpRows;
  return config.isPingPong ? first
                           : first + consumer * config.getConsumerRows();
}

void WgmmaKernel::emitEpilogue(const Tile &tile, ArrayRef<Value> accumulators) {
  int64_t perBlock = WgmmaFragments::getNumAccumulators(config.blockN);
  int64_t blocks = config.getConsumerRows() / 64;
  withEvaluator(tile, [&] {
    for (int64_t block = 0; block < blocks; ++block) {
      currentBlock = block;
      emitRows(tile, getFirstRow(tile, block), config.blockN, blocks,
               accumulators.slice(block * perBlock, perBlock));
    }
  });
}
