//===- AttentionKernel.cpp - the device code of an attention --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame, the producer, and the products; softmax and the results are in
// AttentionSoftmax.cpp.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "../MmaOps.h"
#include "AttentionInstructions.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// The barriers of a block: that of the queries, then those of the stages.
static constexpr int64_t kQueries = 0, kKeysFull = 1,
                         kKeysEmpty = kKeysFull + AttentionConfig::kStages,
                         kValuesFull = kKeysEmpty + AttentionConfig::kStages,
                         kValuesEmpty = kValuesFull + AttentionConfig::kStages,
                         kNumBarriers = kValuesEmpty + AttentionConfig::kStages;
/// The bytes of keys and values of the heads that run at the same time: they
/// stay in L2.
static constexpr int64_t kGroupBytes = int64_t(32) << 20;

AttentionKernel::AttentionKernel(const Kernel &kernel,
                                 const AttentionPlan &plan)
    : kernel(kernel), plan(plan), config(plan.config),
      packing(config.getPacking()),
      builder(func::FuncOp(kernel.function).getContext()),
      at{builder, func::FuncOp(kernel.function).getLoc()},
      payload(makeScoreFunction(kernel.function, /*isWhole=*/false)),
      payloadKernel(kernel) {
  payloadKernel.function = *payload;
  std::string reason;
  payloadAttention = *findAttention(*payload, reason);
  if (!plan.hasPayload)
    scale = *plan.scale;
  // Pairs of scores lie in a row where keys are the last dimension and even,
  // and pairs of a mask where its rows start at even places.
  const AttentionProblem &problem = plan.config.problem;
  auto startsEven = [](Type type) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer || buffer.getRank() == 0)
      return true;
    auto [strides, offset] = buffer.getStridesAndOffset();
    strides.back() = 0;
    strides.push_back(offset);
    return llvm::all_of(strides, [](int64_t stride) {
      return !ShapedType::isDynamic(stride) && stride % 2 == 0;
    });
  };
  if (problem.keys > 0 && problem.keys % 2 == 0 &&
      payloadAttention.scoreDims.back() == static_cast<int>(plan.a.key) &&
      Evaluator::hasVectorForm(payloadKernel) &&
      llvm::all_of(kernel.operandTypes, startsEven))
    width = 2;
}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

WordValue AttentionKernel::toWord(const IndexValue &value) {
  if (std::optional<int64_t> number = value.getConstant())
    return *number;
  return {at, arith::IndexCastUIOp::create(at.b, at.loc, builder.getI32Type(),
                                           value.get(at))
                  .getResult()};
}

IndexValue AttentionKernel::toIndex(const WordValue &value) {
  if (std::optional<int64_t> number = value.getConstant())
    return *number;
  return {at, arith::IndexCastUIOp::create(at.b, at.loc, builder.getIndexType(),
                                           value.get(at))
                  .getResult()};
}

void AttentionKernel::emitIf(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(at.b, at.loc, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  body();
}

Value AttentionKernel::barrierAt(int64_t number) {
  return emitOffset(at, shared,
                    config.getOffsetBarriers() + number * Mbarrier::kBytes);
}

Value AttentionKernel::stageBarrier(int64_t first, const WordValue &use) {
  return emitOffset(
      at, shared,
      ring.stage(use) * Mbarrier::kBytes +
          (config.getOffsetBarriers() + first * Mbarrier::kBytes));
}

void AttentionKernel::release(Value barrier) {
  emitIf(isFirstLane, [&] { emitArrive(at, barrier); });
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

void AttentionKernel::setUp(::mlir::gpu::GPUFuncOp function) {
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
  mapQ = takeMap();
  mapK = takeMap();
  mapV = takeMap();
  for (const AttentionOutput &output : plan.outputs)
    resultMaps.push_back(output.view ? takeMap() : Value());

  auto id = [&](auto op) { return toWord(IndexValue(at, op.getResult())); };
  thread = id(
      ::mlir::gpu::ThreadIdOp::create(at.b, at.loc, ::mlir::gpu::Dimension::x));
  warp = emitUniformWarp(at, thread);
  warpgroup = warp >> 2;
  lane = thread & 31;
  isFirstLane = WordValue::equal(at, lane, 0);

  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      builder.getContext(), ::mlir::gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value buffer = ::mlir::gpu::DynamicSharedMemoryOp::create(at.b, at.loc, type);
  WordValue skipped = 0;
  shared = emitAligned(at, emitPointer(at.b, at.loc, buffer, /*space=*/3),
                       WgmmaConfig::kAlignment, skipped);

  Evaluator forSizes(kernel, arguments);
  linalg::GenericOp product = plan.a.product;
  for (OpFoldResult size : forSizes.getLoopSizes(
           builder, cast<linalg::LinalgOp>(product.getOperation())))
    sizes.push_back(IndexValue(at, size));
  queries = toWord(sizes[plan.a.row]);
  keys = toWord(sizes[plan.a.key]);
  payloadEvaluator.emplace(payloadKernel, arguments);
  resultEvaluator.emplace(kernel, arguments);
}

void AttentionKernel::setUpBarriers() {
  emitIf(WordValue::equal(at, thread, 0), [&] {
    for (Value map : {mapQ, mapK, mapV})
      emitMapPrefetch(at, map);
    for (Value map : resultMaps)
      if (map)
        emitMapPrefetch(at, map);
    for (int64_t number = 0; number < kNumBarriers; ++number) {
      bool isEmpty = (number >= kKeysEmpty && number < kValuesFull) ||
                     number >= kValuesEmpty;
      emitBarrierInit(at, barrierAt(number),
                      isEmpty ? getEmptyArrivals(4 * config.consumers) : 1);
    }
    emitBarrierInitFence(at);
  });
  ::mlir::gpu::BarrierOp::create(at.b, at.loc);
}

void AttentionKernel::findPlace() {
  WordValue block =
      toWord(IndexValue(at, ::mlir::gpu::BlockIdOp::create(
                                at.b, at.loc, ::mlir::gpu::Dimension::x)
                                .getResult()));
  int64_t blockRows = config.getBlockRows();
  int64_t blockQueries = packing.getQueries(blockRows);
  WordValue tiles = (queries + (blockQueries - 1)) / blockQueries;
  WordValue heads = 1;
  for (unsigned loop : plan.a.outer)
    if (loop != plan.packed)
      heads = heads * toWord(sizes[loop]);
  WordValue head = 0, tile = 0;
  if (plan.limits.upper) {
    // The rows that see most first, of all heads of a group, whose keys and
    // values share L2.
    const AttentionProblem &problem = config.problem;
    int64_t perHead =
        problem.keys < 0 ? kGroupBytes
                         : 2 * problem.keys * (problem.depth + problem.columns);
    int64_t group = std::max<int64_t>(1, kGroupBytes / perHead);
    WordValue number = block / (tiles * group);
    WordValue inside = block - number * (tiles * group);
    WordValue first = number * group;
    WordValue count = WordValue::min(heads - first, group);
    WordValue step = inside / count;
    head = first + (inside - step * count);
    tile = tiles - 1 - step;
  } else {
    head = block / tiles;
    tile = block - head * tiles;
  }
  blockRow = tile * blockRows;
  outer.assign(plan.a.outer.size(), 0);
  SmallVector<size_t> loops;
  for (auto [i, loop] : llvm::enumerate(plan.a.outer))
    if (loop != plan.packed)
      loops.push_back(i);
  for (size_t i : llvm::reverse(loops)) {
    if (i == loops.front()) {
      outer[i] = head;
      break;
    }
    WordValue size = toWord(sizes[plan.a.outer[i]]);
    WordValue rest = head / size;
    outer[i] = head - rest * size;
    head = rest;
  }
  KeyTiles<WordValue> keyTiles{plan.limits, config.blockKeys, keys};
  WordValue query = packing.getQuery(blockRow);
  endTile = keyTiles.end(query, blockQueries);
  if (plan.limits.upper && *plan.limits.upper < 0)
    endTile = keyTiles.atLeastOne(endTile);
  firstTile = keyTiles.begin(query);
  // The last row of a block may see none.
  if (plan.limits.lower)
    firstTile = keyTiles.before(firstTile, endTile);
}

void AttentionKernel::findBounds() {
  // Every warp looks at all rows of the block, a lane at every 32nd of them.
  WordValue first = keys, end = 0, wholeKey = 0, endKey = keys;
  auto max = [&](const WordValue &l, const WordValue &r) {
    return WordValue::select(at, WordValue::less(at, l, r), r, l);
  };
  WordValue group = warpgroup - WordValue::min(warpgroup, 1);
  for (int64_t i = 0; i < config.getBlockRows() / 32; ++i) {
    auto [from, to] = emitBounds(getRow(blockRow + lane + 32 * i));
    first = WordValue::min(first, from);
    end = max(end, to);
    // The rows of the own warpgroup.
    Value isOwn =
        WordValue::equal(at, group, i * 32 / AttentionConfig::kConsumerRows);
    wholeKey = WordValue::select(at, isOwn, max(wholeKey, from), wholeKey);
    endKey = WordValue::select(at, isOwn, WordValue::min(endKey, to), endKey);
  }
  int64_t tile = config.blockKeys;
  WordValue tileEnd =
      (emitWarpExtreme(end, /*isGreatest=*/true) + (tile - 1)) / tile;
  WordValue tileFirst = emitWarpExtreme(first, /*isGreatest=*/false) / tile;
  endTile = KeyTiles<WordValue>::atLeastOne(WordValue::min(endTile, tileEnd));
  firstTile = KeyTiles<WordValue>::before(max(firstTile, tileFirst), endTile);
  wholeFirst =
      (emitWarpExtreme(wholeKey, /*isGreatest=*/true) + (tile - 1)) / tile;
  wholeEnd = emitWarpExtreme(endKey, /*isGreatest=*/false) / tile;
}

void AttentionKernel::emit(::mlir::gpu::GPUFuncOp function) {
  setUp(function);
  setUpBarriers();
  findPlace();
  // The next kernel may begin to do what was done up to here; what this one
  // reads is there after the wait.
  emitGridTrigger(at.b, at.loc);
  emitGridWait(at.b, at.loc);
  if (plan.hasBounds)
    findBounds();
  RegisterSplit registers = config.getRegisters();
  auto roles =
      scf::IfOp::create(at.b, at.loc, WordValue::equal(at, warpgroup, 0),
                        /*withElseRegion=*/true);
  builder.setInsertionPoint(roles.thenBlock()->getTerminator());
  emitSetRegisters(at, registers.producer, /*isIncrease=*/false);
  emitIf(WordValue::equal(at, thread, 0), [&] { emitProducer(); });
  builder.setInsertionPoint(roles.elseBlock()->getTerminator());
  emitSetRegisters(at, registers.consumer, /*isIncrease=*/true);
  emitConsumer();
}

//===----------------------------------------------------------------------===//
// The producer
//===----------------------------------------------------------------------===//

void AttentionKernel::emitLoads(const AttentionOperand &x,
                                const OperandTile &tile, Value map,
                                const WordValue &offset,
                                ArrayRef<WordValue> own, const WordValue &along,
                                Value barrier) {
  emitArriveExpect(at, barrier, tile.getBytes());
  for (int64_t box = 0; box < tile.getNumBoxes(); ++box) {
    int64_t skipped = box * tile.getBoxInner();
    bool isK = x.major == Major::K;
    SmallVector<WordValue> coordinates = {(isK ? along : own.back()) + skipped};
    if (isK)
      llvm::append_range(coordinates, own);
    else
      coordinates.push_back(along);
    for (unsigned loop : x.outer)
      coordinates.push_back(outer[loop]);
    emitTmaLoad(at, emitOffset(at, shared, offset + box * tile.getBoxBytes()),
                map, barrier, coordinates);
  }
}

void AttentionKernel::emitProducer() {
  emitLoads(plan.q, config.getTileQ(), mapQ, 0, getRowCoordinates(blockRow), 0,
            barrierAt(kQueries));
  WordValue count = endTile - firstTile;
  auto loop =
      scf::ForOp::create(at.b, at.loc, WordValue(0).get(at), count.get(at),
                         WordValue(1).get(at), ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  WordValue use(at, loop.getInductionVar());
  WordValue key = (endTile - 1 - use) * config.blockKeys;
  OperandTile tileK = config.getTileK(), tileV = config.getTileV();
  emitWaitParity(at, stageBarrier(kKeysEmpty, use), ring.emptyParity(use));
  emitLoads(plan.k, tileK, mapK,
            ring.stage(use) * tileK.getBytes() + config.getOffsetK(), key, 0,
            stageBarrier(kKeysFull, use));
  emitWaitParity(at, stageBarrier(kValuesEmpty, use), ring.emptyParity(use));
  emitLoads(plan.v, tileV, mapV,
            ring.stage(use) * tileV.getBytes() + config.getOffsetV(),
            WordValue(0), key, stageBarrier(kValuesFull, use));
}

//===----------------------------------------------------------------------===//
// The consumers
//===----------------------------------------------------------------------===//

void AttentionKernel::takeTurn() {
  if (config.takesTurns)
    emitNamedSync(at, consumer + NamedBarriers::turn(0), 256);
}

void AttentionKernel::passTurn() {
  if (!config.takesTurns)
    return;
  WordValue next = consumer + 1;
  Value isLast = WordValue::equal(at, next, config.consumers);
  next = WordValue::select(at, isLast, 0, next);
  emitNamedArrive(at, next + NamedBarriers::turn(0), 256);
}

Value AttentionKernel::emitScores(const WordValue &use) {
  OperandTile tileQ = config.getTileQ(), tileK = config.getTileK();
  WordValue base = emitSharedAddress(at, shared);
  WordValue ofQ =
      base + consumer * tileQ.getMNStep(AttentionConfig::kConsumerRows);
  WordValue ofK =
      base + config.getOffsetK() + ring.stage(use) * tileK.getBytes();
  Value q = emitDescriptor(at, tileQ.getDescriptor(0).encodeFixed(), ofQ);
  Value k = emitDescriptor(at, tileK.getDescriptor(0).encodeFixed(), ofK);
  WgmmaKind kind{plan.scoreElement, plan.scoreElement};
  Value products = emitNoAccumulators(at, kind, config.blockKeys);
  emitWgmmaFence(at);
  for (int64_t step = 0; step < config.getDepthSteps(); ++step)
    products = emitWgmma(at, kind, config.blockKeys, products,
                         emitDescriptorAdd(at, q, tileQ.getKStep(step)),
                         emitDescriptorAdd(at, k, tileK.getKStep(step)),
                         tileQ.major == Major::MN, tileK.major == Major::MN,
                         /*isFirst=*/step == 0);
  emitWgmmaCommit(at);
  return products;
}

Value AttentionKernel::emitValues(Value sums, ValueRange weights,
                                  const WordValue &use) {
  OperandTile tile = config.getTileV();
  WordValue address = emitSharedAddress(at, shared) + config.getOffsetV() +
                      ring.stage(use) * tile.getBytes();
  Value v = emitDescriptor(at, tile.getDescriptor(0).encodeFixed(), address);
  emitWgmmaFence(at);
  for (int64_t step = 0; step < config.blockKeys / 16; ++step)
    sums = emitWgmmaRegisters(at, plan.valueElement, config.problem.columns,
                              sums, weights.slice(4 * step, 4),
                              emitDescriptorAdd(at, v, tile.getKStep(step)),
                              tile.major == Major::MN);
  emitWgmmaCommit(at);
  return sums;
}

void AttentionKernel::emitConsumer() {
  consumer = warpgroup - 1;
  groupRow = blockRow + consumer * AttentionConfig::kConsumerRows;
  int64_t numSums = config.problem.columns / 2;
  auto pin = [&](Value sums) {
    return emitStructure(at, emitPinned(at, sums));
  };
  if (config.takesTurns)
    emitIf(WordValue::equal(at, consumer, config.consumers - 1),
           [&] { emitNamedArrive(at, NamedBarriers::turn(0), 256); });

  // The last tile.
  Softmax softmax;
  Value none = emitConstant(-std::numeric_limits<double>::infinity());
  softmax.maximum.assign(2, none);
  softmax.sum.assign(2, emitConstant(0));
  emitWaitParity(at, barrierAt(kQueries), 0);
  emitWaitParity(at, stageBarrier(kKeysFull, 0), 0);
  takeTurn();
  Value products = emitScores(0);
  passTurn();
  emitWgmmaWait(at, 0);
  release(stageBarrier(kKeysEmpty, 0));
  softmax = emitSoftmax(emitPinned(at, products), endTile - 1, softmax);
  Value sums = emitStructure(at, SmallVector<Value>(numSums, emitConstant(0)));

  // The others; the results of each tile are added while the weights of the
  // next one are computed.
  SmallVector<Value> carried = {sums};
  auto append = [&](const Softmax &state) {
    llvm::append_range(carried, state.maximum);
    llvm::append_range(carried, state.sum);
    llvm::append_range(carried, state.weights);
  };
  auto unpack = [&](ValueRange values) {
    sums = values.front();
    softmax.maximum = values.slice(1, 2);
    softmax.sum = values.slice(3, 2);
    softmax.weights = values.drop_front(5);
  };
  append(softmax);
  WordValue count = endTile - firstTile;
  auto loop = scf::ForOp::create(at.b, at.loc, WordValue(1).get(at),
                                 count.get(at), WordValue(1).get(at), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    unpack(loop.getRegionIterArgs());
    WordValue use(at, loop.getInductionVar()), before = use - 1;
    SmallVector<Value> weights = emitPinnedRegisters(at, softmax.weights);
    sums = pin(sums);
    emitWaitParity(at, stageBarrier(kKeysFull, use), ring.fullParity(use));
    takeTurn();
    products = emitScores(use);
    emitWaitParity(at, stageBarrier(kValuesFull, before),
                   ring.fullParity(before));
    sums = emitValues(sums, weights, before);
    passTurn();
    emitWgmmaWait(at, 1);
    release(stageBarrier(kKeysEmpty, use));
    softmax = emitSoftmax(emitPinned(at, products), endTile - 1 - use, softmax);
    emitWgmmaWait(at, 0);
    release(stageBarrier(kValuesEmpty, before));
    SmallVector<Value> scaled = emitPinned(at, sums);
    for (auto [i, sum] : llvm::enumerate(scaled))
      sum =
          arith::MulFOp::create(at.b, at.loc, sum, softmax.rescale[i / 2 % 2]);
    carried = {emitStructure(at, scaled)};
    append(softmax);
    scf::YieldOp::create(at.b, at.loc, carried);
  }
  unpack(loop.getResults());
  SmallVector<Value> weights = emitPinnedRegisters(at, softmax.weights);
  sums = pin(sums);
  WordValue last = count - 1;
  emitWaitParity(at, stageBarrier(kValuesFull, last), ring.fullParity(last));
  sums = emitValues(sums, weights, last);
  emitWgmmaWait(at, 0);
  if (config.takesTurns)
    emitIf(WordValue::equal(at, consumer, 0),
           [&] { emitNamedSync(at, NamedBarriers::turn(0), 256); });
  emitResults(emitPinned(at, sums), softmax);
}
