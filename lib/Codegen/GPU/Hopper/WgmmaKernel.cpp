//===- WgmmaKernel.cpp - the device code of a contraction -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame, the producer and the products; the epilogue is in
// WgmmaEpilogue.cpp.
//
//===----------------------------------------------------------------------===//

#include "WgmmaKernel.h"

#include "amp/Codegen/GPU/Layouts.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Rows of tiles that share columns of B in L2.
static constexpr int64_t kGroup = 8;
/// Registers of the threads of each role, for two consumers.
static constexpr RegisterSplit kRegisters{/*producer=*/40, /*consumer=*/232,
                                          /*consumers=*/2};

WgmmaKernel::WgmmaKernel(const Kernel &kernel, const WgmmaPlan &plan)
    : kernel(kernel), plan(plan), config(plan.config), ring{config.stages},
      builder(plan.c.op->getContext()),
      at{builder, linalg::GenericOp(plan.c.op).getLoc()} {}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

WordValue WgmmaKernel::toWord(const IndexValue &value) {
  if (std::optional<int64_t> number = value.getConstant())
    return *number;
  return {at, arith::IndexCastUIOp::create(at.b, at.loc, builder.getI32Type(),
                                           value.get(at))
                  .getResult()};
}

IndexValue WgmmaKernel::toIndex(const WordValue &value) {
  if (std::optional<int64_t> number = value.getConstant())
    return *number;
  return {at, arith::IndexCastUIOp::create(at.b, at.loc, builder.getIndexType(),
                                           value.get(at))
                  .getResult()};
}

void WgmmaKernel::emitIf(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(at.b, at.loc, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  body();
}

Value WgmmaKernel::barrierAt(int64_t base, const WordValue &stage) {
  return emitOffset(at, shared,
                    stage * Mbarrier::kBytes +
                        (config.getOffsetBarriers() + base));
}

Value WgmmaKernel::fullBarrier(const WordValue &stage) {
  return barrierAt(0, stage);
}

Value WgmmaKernel::emptyBarrier(const WordValue &stage) {
  return barrierAt(config.stages * Mbarrier::kBytes, stage);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

static WordValue ceilDiv(const WordValue &size, int64_t tile) {
  return (size + (tile - 1)) / tile;
}

void WgmmaKernel::setUp(::mlir::gpu::GPUFuncOp function, bool isFixUp) {
  unsigned numOperands = kernel.operandTypes.size();
  auto all = function.getArguments();
  arguments.assign(all.begin(), all.begin() + numOperands);
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  unsigned next = numOperands;
  auto takeMap = [&]() -> Value {
    function.setArgAttr(next, kTensorMapAttrName, builder.getUnitAttr());
    return UnrealizedConversionCastOp::create(
               at.b, at.loc, getMapPointerType(builder.getContext()),
               all[next++])
        .getResult(0);
  };
  if (!isFixUp) {
    mapA = takeMap();
    mapB = takeMap();
  }
  for (const WgmmaOutput &output : plan.outputs)
    resultMaps.push_back(output.view ? takeMap() : Value());
  if (plan.residual)
    residualMap = takeMap();
  if (config.isStreamK)
    workspace = all[next];

  auto id = [&](auto op) { return toWord(IndexValue(at, op.getResult())); };
  auto x = ::mlir::gpu::Dimension::x;
  thread = id(::mlir::gpu::ThreadIdOp::create(at.b, at.loc, x));
  block = id(::mlir::gpu::BlockIdOp::create(at.b, at.loc, x));
  numBlocks = id(::mlir::gpu::GridDimOp::create(at.b, at.loc, x));
  cluster = block;
  numClusters = numBlocks;
  if (int64_t perCluster = config.getClusterBlocks(); perCluster > 1) {
    rank = block % perCluster;
    cluster = block / perCluster;
    numClusters = numBlocks / perCluster;
  }
  warp = emitUniformWarp(at, thread);
  warpgroup = warp >> 2;
  lane = thread & 31;
  isFirstLane = WordValue::equal(at, lane, 0);

  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      builder.getContext(), ::mlir::gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  sharedBuffer = ::mlir::gpu::DynamicSharedMemoryOp::create(at.b, at.loc, type);
  shared = emitAligned(at, emitPointer(at.b, at.loc, sharedBuffer, /*space=*/3),
                       WgmmaConfig::kAlignment, sharedSkip);
  // Consumers are behind the producer's four warps.
  int64_t warpBytes = config.getWarpBytes();
  warpBuffers = isFixUp ? warp * warpBytes
                        : (warp - 4) * warpBytes + config.getOffsetBuffers();
  setUpSizes();
}

void WgmmaKernel::setUpSizes() {
  Evaluator forSizes(kernel, arguments);
  for (OpFoldResult size : forSizes.getLoopSizes(
           builder,
           cast<linalg::LinalgOp>(linalg::GenericOp(plan.c.op).getOperation())))
    sizes.push_back(IndexValue(at, size));
  auto product = [&](ArrayRef<unsigned> loops) {
    IndexValue result = 1;
    for (unsigned loop : loops)
      result = result * sizes[loop];
    return result;
  };
  sizeM = product(plan.c.m);
  sizeN = product(plan.c.n);
  kTiles = ceilDiv(toWord(product(plan.inner)), plan.a.tile.k) *
           toWord(product(plan.taps));
  // The tiles of a cluster are taken together.
  tilesM = ceilDiv(toWord(sizeM), config.blockM * config.clusterM);
  tilesN = ceilDiv(toWord(sizeN), config.blockN * config.clusterN);
  numTiles = tilesM * tilesN * toWord(product(plan.c.batch));
}

void WgmmaKernel::clearRows() {
  int64_t perStage =
      (config.getSharedRows() - config.blockM) * WgmmaConfig::kStageBytes / 16;
  if (perStage == 0)
    return;
  auto space = cast<MemRefType>(sharedBuffer.getType()).getMemorySpace();
  auto type = MemRefType::get({config.getOffsetB() / 4}, builder.getI32Type(),
                              MemRefLayoutAttrInterface(), space);
  Value view =
      memref::ViewOp::create(at.b, at.loc, type, sharedBuffer,
                             toIndex(sharedSkip).get(at), ValueRange());
  auto zeroType = VectorType::get({4}, builder.getI32Type());
  Value zero = arith::ConstantOp::create(at.b, at.loc, zeroType,
                                         builder.getZeroAttr(zeroType));
  auto loop = scf::ForOp::create(at.b, at.loc, thread.get(at),
                                 WordValue(config.stages * perStage).get(at),
                                 WordValue(config.getThreads()).get(at));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  WordValue piece(at, loop.getInductionVar());
  WordValue place = piece / perStage * (config.getStageBytesA() / 4) +
                    piece % perStage * 4 +
                    config.blockM * WgmmaConfig::kStageBytes / 4;
  vector::StoreOp::create(at.b, at.loc, zero, view, toIndex(place).get(at),
                          /*nontemporal=*/false, llvm::MaybeAlign(16));
  emitSharedStoreFence(at);
}

void WgmmaKernel::setUpBarriers() {
  emitIf(WordValue::equal(at, thread, 0), [&] {
    emitMapPrefetch(at, mapA);
    emitMapPrefetch(at, mapB);
    for (Value map : resultMaps)
      if (map)
        emitMapPrefetch(at, map);
    int64_t readers = config.isPingPong ? 1 : config.consumers;
    for (int64_t stage = 0; stage < config.stages; ++stage) {
      emitBarrierInit(at, fullBarrier(stage), 1);
      emitBarrierInit(at, emptyBarrier(stage),
                      getEmptyArrivals(4 * readers, config.getClusterBlocks()));
    }
    setUpResidualBarriers();
    emitBarrierInitFence(at);
  });
  emitBarrier();
}

void WgmmaKernel::emitBarrier() {
  if (config.getClusterBlocks() > 1)
    emitClusterBarrier(at);
  else
    ::mlir::gpu::BarrierOp::create(at.b, at.loc);
}

void WgmmaKernel::emit(::mlir::gpu::GPUFuncOp function) {
  setUp(function, /*isFixUp=*/false);
  clearRows();
  setUpBarriers();
  // The next kernel may begin to do what was done up to here; what this one
  // reads is there after the wait.
  emitGridTrigger(at.b, at.loc);
  emitGridWait(at.b, at.loc);
  if (config.isStreamK)
    setUpShares();
  bool hasSplit = config.consumers == kRegisters.consumers;
  auto roles =
      scf::IfOp::create(at.b, at.loc, WordValue::equal(at, warpgroup, 0),
                        /*withElseRegion=*/true);
  builder.setInsertionPoint(roles.thenBlock()->getTerminator());
  if (hasSplit)
    emitSetRegisters(at, kRegisters.producer, /*isIncrease=*/false);
  emitIf(WordValue::equal(at, thread, 0), [&] { emitProducer(); });
  builder.setInsertionPoint(roles.elseBlock()->getTerminator());
  if (hasSplit)
    emitSetRegisters(at, kRegisters.consumer, /*isIncrease=*/true);
  emitConsumer();
  if (config.getClusterBlocks() == 1)
    return;
  // Nobody returns while others arrive at its barriers.
  builder.setInsertionPointAfter(roles);
  emitBarrier();
}

WgmmaKernel::Tile WgmmaKernel::getTile(const WordValue &number) {
  Tile tile;
  WordValue inside = number;
  ArrayRef<unsigned> batch = plan.c.batch;
  tile.batch.assign(batch.size(), 0);
  if (!batch.empty()) {
    WordValue perMatrix = tilesM * tilesN;
    WordValue rest = number / perMatrix;
    inside = number % perMatrix;
    for (size_t i = batch.size(); i-- > 1;) {
      WordValue size = toWord(sizes[batch[i]]);
      tile.batch[i] = rest % size;
      rest = rest / size;
    }
    tile.batch[0] = rest;
  }
  Coord<WordValue> place =
      getGroupedTile(inside, tilesM, tilesN, kGroup,
                     [](const WordValue &l, const WordValue &r) {
                       return WordValue::min(l, r);
                     });
  tile.m = place.row * config.blockM;
  tile.n = place.col * config.blockN;
  if (config.clusterM > 1)
    tile.m = (place.row * config.clusterM + rank) * config.blockM;
  if (config.clusterN > 1)
    tile.n = (place.col * config.clusterN + rank) * config.blockN;
  tile.steps = kTiles;
  return tile;
}

void WgmmaKernel::forTiles(
    const WordValue &first, const WordValue &step, const WordValue &use,
    llvm::function_ref<WordValue(const Tile &, const WordValue &)> body) {
  auto loop = scf::ForOp::create(at.b, at.loc, first.get(at), numTiles.get(at),
                                 step.get(at), use.get(at));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  WordValue number(at, loop.getInductionVar());
  Tile tile = getTile(number);
  tile.ordinal = (number - first) / step;
  WordValue next = body(tile, WordValue(at, loop.getRegionIterArgs()[0]));
  scf::YieldOp::create(at.b, at.loc, next.get(at));
}

void WgmmaKernel::forPieces(
    llvm::function_ref<WordValue(const Tile &, const WordValue &)> body) {
  WordValue begin = shares->begin(block, WordValue::min),
            end = shares->begin(block + 1, WordValue::min);
  auto loop = scf::ForOp::create(at.b, at.loc, (begin / kTiles).get(at),
                                 ((end - 1) / kTiles + 1).get(at),
                                 WordValue(1).get(at), WordValue(0).get(at));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  WordValue number(at, loop.getInductionVar());
  Tile tile = getTile(number);
  WordValue start = number * kTiles;
  tile.firstStep = WordValue::select(at, WordValue::less(at, start, begin),
                                     begin - start, 0);
  tile.steps = WordValue::min(end - start, kTiles) - tile.firstStep;
  WordValue next = body(tile, WordValue(at, loop.getRegionIterArgs()[0]));
  scf::YieldOp::create(at.b, at.loc, next.get(at));
}

//===----------------------------------------------------------------------===//
// The producer
//===----------------------------------------------------------------------===//

WgmmaKernel::Step WgmmaKernel::getStep(const WordValue &number) {
  Step step;
  if (plan.taps.empty()) {
    step.inner = number * plan.a.tile.k;
    return step;
  }
  IndexValue inner = 1;
  for (unsigned loop : plan.inner)
    inner = inner * sizes[loop];
  WordValue perTap = ceilDiv(toWord(inner), plan.a.tile.k);
  step.inner = number % perTap * plan.a.tile.k;
  WordValue tap = number / perTap;
  step.taps.assign(plan.taps.size(), 0);
  for (size_t i = plan.taps.size(); i-- > 1;) {
    WordValue size = toWord(sizes[plan.taps[i]]);
    step.taps[i] = tap % size;
    tap = tap / size;
  }
  step.taps[0] = tap;
  return step;
}

WgmmaKernel::Start WgmmaKernel::getStart(const WgmmaOperand &x,
                                         ArrayRef<unsigned> own,
                                         const WordValue &mn,
                                         const Tile &tile) {
  Start start;
  start.mn = mn;
  if (x.sharers > 1)
    start.mn = mn + rank * x.getBrought();
  if (!x.windows)
    return start;
  SmallVector<WordValue> loops(sizes.size(), 0);
  WordValue rest = start.mn;
  for (unsigned loop : llvm::reverse(own.drop_front())) {
    WordValue size = toWord(sizes[loop]);
    loops[loop] = rest % size;
    rest = rest / size;
  }
  loops[own.front()] = rest;
  for (auto [loop, index] : llvm::zip_equal(plan.c.batch, tile.batch))
    loops[loop] = index;
  for (const Im2colView::Dim &dim : x.windows->dims)
    start.windows.push_back(
        dim.window.coordinate(dim.loop >= 0 ? loops[dim.loop] : WordValue(0)));
  return start;
}

void WgmmaKernel::emitLoads(const WgmmaOperand &x, Value map,
                            const WordValue &stage, int64_t base,
                            const Start &start, const Step &step,
                            const Tile &tile, Value barrier) {
  const OperandTile &part = x.tile;
  WordValue offset = stage * part.getBytes() + base;
  int64_t boxes = part.getNumBoxes();
  if (x.sharers > 1) {
    offset = offset + rank * part.getMNStep(x.getBrought());
    if (x.major == Major::MN)
      boxes /= x.sharers;
  }
  Value to = emitOffset(at, shared, offset);
  auto tapOf = [&](int64_t loop) -> WordValue {
    return step.taps[llvm::find(plan.taps, unsigned(loop)) - plan.taps.begin()];
  };
  for (int64_t box = 0; box < boxes; ++box) {
    int64_t skipped = box * part.getBoxInner();
    Value place = emitOffset(at, to, box * part.getBoxBytes());
    if (x.windows) {
      SmallVector<WordValue> coordinates = {step.inner + skipped}, offsets;
      llvm::append_range(coordinates, start.windows);
      for (const Im2colView::Dim &dim : x.windows->getSpatial())
        offsets.push_back(
            dim.window.offset(dim.tap >= 0 ? tapOf(dim.tap) : WordValue(0)));
      emitTmaLoadIm2col(at, place, map, barrier, coordinates, offsets,
                        x.sharers);
      continue;
    }
    SmallVector<WordValue> coordinates =
        x.major == Major::K
            ? SmallVector<WordValue>{step.inner + skipped, start.mn}
            : SmallVector<WordValue>{start.mn + skipped, step.inner};
    for (ArrayRef<unsigned> loops : ArrayRef(x.view.dims).drop_front(2)) {
      if (!llvm::is_contained(plan.taps, loops.front())) {
        coordinates.push_back(
            tile.batch[llvm::find(plan.c.batch, loops.front()) -
                       plan.c.batch.begin()]);
        continue;
      }
      WordValue index = 0;
      for (unsigned loop : loops)
        index = index * toWord(sizes[loop]) + tapOf(loop);
      coordinates.push_back(index);
    }
    emitTmaLoad(at, place, map, barrier, coordinates, x.sharers);
  }
}

void WgmmaKernel::emitProducer() {
  auto bring = [&](const Tile &tile, const WordValue &use) {
    Start startA = getStart(plan.a, plan.c.m, tile.m, tile);
    Start startB = getStart(plan.b, plan.c.n, tile.n, tile);
    auto loop = scf::ForOp::create(at.b, at.loc, tile.firstStep.get(at),
                                   (tile.firstStep + tile.steps).get(at),
                                   WordValue(1).get(at), use.get(at));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Step step = getStep(WordValue(at, loop.getInductionVar()));
    WordValue here(at, loop.getRegionIterArgs()[0]);
    WordValue stage = ring.stage(here);
    emitWaitParity(at, emptyBarrier(stage), ring.emptyParity(here));
    Value full = fullBarrier(stage);
    emitArriveExpect(at, full, config.getLoadedBytes());
    emitLoads(plan.a, mapA, stage, 0, startA, step, tile, full);
    emitLoads(plan.b, mapB, stage, config.getOffsetB(), startB, step, tile,
              full);
    scf::YieldOp::create(at.b, at.loc, (here + 1).get(at));
    return WordValue(at, loop.getResult(0));
  };
  if (config.isStreamK)
    forPieces(bring);
  else
    forTiles(cluster, numClusters, 0, bring);
}

//===----------------------------------------------------------------------===//
// The consumers
//===----------------------------------------------------------------------===//

void WgmmaKernel::release(const WordValue &stage) {
  Value barrier = emptyBarrier(stage);
  int64_t blocks = config.getClusterBlocks();
  if (blocks == 1) {
    emitIf(isFirstLane, [&] { emitArrive(at, barrier); });
    return;
  }
  // What others bring comes to this block as well.
  emitIf(WordValue::less(at, lane, blocks),
         [&] { emitArriveInCluster(at, barrier, lane); });
}

SmallVector<Value> WgmmaKernel::emitProducts(const WordValue &stage,
                                             ValueRange accumulators,
                                             bool isFirst) {
  SmallVector<Value> sums(accumulators);
  const OperandTile &a = plan.a.tile, &b = plan.b.tile;
  WordValue base = emitSharedAddress(at, shared);
  WordValue ofA = base + stage * a.getBytes();
  if (!config.isPingPong)
    ofA = ofA + consumer * a.getMNStep(config.getConsumerRows());
  WordValue ofB = base + config.getOffsetB() + stage * b.getBytes();
  Value descriptorA = emitDescriptor(at, a.getDescriptor(0).encodeFixed(), ofA);
  Value descriptorB = emitDescriptor(at, b.getDescriptor(0).encodeFixed(), ofB);
  emitWgmmaFence(at);
  int64_t steps = a.k / getWgmmaK(a.bits);
  for (int64_t step = 0; step < steps; ++step)
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = emitWgmma(at, plan.kind, config.blockN, sum,
                      emitDescriptorAdd(at, descriptorA,
                                        a.getKStep(step) + a.getMNStep(64 * i)),
                      emitDescriptorAdd(at, descriptorB, b.getKStep(step)),
                      plan.a.major == Major::MN, plan.b.major == Major::MN,
                      isFirst && step == 0);
  emitWgmmaCommit(at);
  return sums;
}

SmallVector<Value> WgmmaKernel::emitNoSums() {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < config.getConsumerRows() / 64; ++i)
    sums.push_back(emitNoAccumulators(at, plan.kind, config.blockN));
  return sums;
}

/// Emits `first` with the number of a ring use, then a loop over the others up
/// to `steps`, in which `next` gets what is carried, and the use; both give
/// what is carried on. Returns that of the last, and sets `use` behind it.
static SmallVector<Value>
emitSteps(const IndexBuilder &at, WordValue &use, const WordValue &steps,
          llvm::function_ref<SmallVector<Value>(const WordValue &)> first,
          llvm::function_ref<SmallVector<Value>(const WordValue &, ValueRange)>
              next) {
  SmallVector<Value> carried = first(use);
  carried.push_back((use + 1).get(at));
  auto loop = scf::ForOp::create(at.b, at.loc, WordValue(1).get(at),
                                 steps.get(at), WordValue(1).get(at), carried);
  OpBuilder::InsertionGuard guard(at.b);
  at.b.setInsertionPointToStart(loop.getBody());
  WordValue here(at, loop.getRegionIterArgs().back());
  SmallVector<Value> values = next(here, loop.getRegionIterArgs().drop_back());
  values.push_back((here + 1).get(at));
  scf::YieldOp::create(at.b, at.loc, values);
  use = WordValue(at, loop.getResults().back());
  return SmallVector<Value>(loop.getResults().drop_back());
}

SmallVector<Value> WgmmaKernel::emitPromotedLoop(WordValue &use,
                                                 const WordValue &steps) {
  // The products of a stage start from zero, and join the sums when they are
  // done.
  auto multiply = [&](const WordValue &here) {
    WordValue stage = ring.stage(here);
    emitWaitParity(at, fullBarrier(stage), ring.fullParity(here));
    SmallVector<Value> parts =
        emitProducts(stage, emitNoSums(), /*isFirst=*/true);
    emitWgmmaWait(at, 0);
    release(stage);
    SmallVector<Value> values;
    for (Value part : parts)
      llvm::append_range(values, emitPinned(at, part));
    return values;
  };
  return emitSteps(at, use, steps, multiply,
                   [&](const WordValue &here, ValueRange sums) {
                     SmallVector<Value> values = multiply(here);
                     for (auto [value, sum] : llvm::zip_equal(values, sums))
                       value = arith::AddFOp::create(at.b, at.loc, sum, value);
                     return values;
                   });
}

SmallVector<Value> WgmmaKernel::emitMainLoop(WordValue &use,
                                             const WordValue &steps) {
  if (plan.problem.isPromoted)
    return emitPromotedLoop(use, steps);
  // A warpgroup that multiplies alone keeps the tensor cores busy with one
  // group while the next is issued; others need not, and free stages at once.
  bool overlaps = config.isPingPong;
  auto multiply = [&](const WordValue &here, ValueRange sums, bool isFirst) {
    WordValue stage = ring.stage(here);
    emitWaitParity(at, fullBarrier(stage), ring.fullParity(here));
    SmallVector<Value> next = emitProducts(stage, sums, isFirst);
    if (!overlaps) {
      emitWgmmaWait(at, 0);
      release(stage);
    } else if (!isFirst) {
      emitWgmmaWait(at, 1);
      release(ring.previousStage(here));
    }
    return next;
  };
  // The first products start the sums.
  SmallVector<Value> sums = emitSteps(
      at, use, steps,
      [&](const WordValue &here) {
        return multiply(here, emitNoSums(), /*isFirst=*/true);
      },
      [&](const WordValue &here, ValueRange sums) {
        return multiply(here, sums, /*isFirst=*/false);
      });
  if (overlaps) {
    // The other consumer's products may start behind these.
    WordValue other = WordValue(NamedBarriers::turn(1)) - consumer;
    emitNamedArrive(at, other, 256);
    emitWgmmaWait(at, 0);
    release(ring.previousStage(use));
  }
  SmallVector<Value> pinned;
  for (Value sum : sums)
    llvm::append_range(pinned, emitPinned(at, sum));
  return pinned;
}

void WgmmaKernel::emitConsumer() {
  consumer = warpgroup - 1;
  auto work = [&](const Tile &tile, const WordValue &use) {
    startResidual(tile);
    // The other has seen all phases in front of these: a wait by parity cannot
    // take one for another.
    if (config.isPingPong)
      emitNamedSync(at, consumer + NamedBarriers::turn(0), 256);
    WordValue next = use;
    SmallVector<Value> accumulators = emitMainLoop(next, tile.steps);
    if (config.isStreamK) {
      Value isWhole = WordValue::equal(at, tile.steps, kTiles);
      emitIf(isWhole, [&] { emitEpilogue(tile, accumulators); });
      Value yes = arith::ConstantIntOp::create(at.b, at.loc, 1, 1);
      emitIf(arith::XOrIOp::create(at.b, at.loc, isWhole, yes),
             [&] { storeSums(tile, accumulators); });
    } else {
      emitEpilogue(tile, accumulators);
    }
    return config.isPingPong ? next + kTiles * (config.consumers - 1) : next;
  };
  PersistentTiles<WordValue> tiles{cluster, numClusters, kTiles,
                                   config.isPingPong ? config.consumers : 1};
  if (config.isPingPong) {
    emitIf(WordValue::equal(at, consumer, 1),
           [&] { emitNamedArrive(at, NamedBarriers::turn(0), 256); });
    forTiles(tiles.first(consumer), tiles.step(), tiles.firstUse(consumer),
             work);
  } else if (config.isStreamK) {
    forPieces(work);
  } else {
    forTiles(tiles.first(0), tiles.step(), 0, work);
  }
  if (plan.usesTmaStores())
    emitIf(isFirstLane, [&] { emitTmaStoreWait(at); });
}
