//===- TiledContraction.cpp - a contraction by tiles ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame: sizes, the choice between vectors and elements, the ring. Staging
// and the products are in TiledContractionLoop.cpp, the epilogue in
// TiledContractionEpilogue.cpp.
//
//===----------------------------------------------------------------------===//

#include "TiledContraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

TiledContraction::TiledContraction(const Kernel &kernel,
                                   Contraction contraction,
                                   const WarpGrid &grid)
    : kernel(kernel), c(std::move(contraction)), grid(grid),
      builder(c.op.getContext()), at{builder, c.op.getLoc()} {
  a.x = &c.a;
  a.loops = c.m;
  a.extent = grid.blockM;
  b.x = &c.b;
  b.loops = c.n;
  b.extent = grid.blockN;
  // Small tiles multiply for a short time only: a stage of twice the size
  // halves the barriers.
  if (c.mma && grid.blockM + grid.blockN <= 64)
    stageBytes = 128;
  for (Staging *s : {&a, &b}) {
    // ldmatrix transposes 16-bit elements only, and four bytes cannot be read
    // as one word across rows; threads that multiply on their own read vectors
    // along M and N.
    s->rowsAlongK = c.mma && (c.getStagedBits() == 8 || s->x->innerLoop < 0 ||
                              s->x->isAlongK);
    s->bytes = c.mma ? getTile(*s).getBytes()
                     : getPitch(*s) * getStageK() * c.getStagedBits() / 8;
    s->mode = chooseMode(*s);
  }
  // Copies that are in flight need a stage of their own. Blocks of small tiles
  // have the same room as others, and so as many bytes on their way.
  bool hasAsync = a.mode == Mode::Async || b.mode == Mode::Async;
  stages = hasAsync && c.mma ? 3 : 2;
  if (c.mma && a.mode == Mode::Async && b.mode == Mode::Async)
    stages = std::clamp<int64_t>(kMaxSharedBytes / (a.bytes + b.bytes), 3,
                                 kMaxStages);
  b.base = a.bytes * stages;
  int64_t slabBytes = grid.getThreads() / 32 * Slab::kRows *
                      Slab::getPitch(grid.getWarpN()) *
                      c.accType.getIntOrFloatBitWidth() / 8;
  sharedBytes = std::max(b.base + b.bytes * stages, slabBytes);
  width = chooseWidth();
}

SwizzledTile TiledContraction::getTile(const Staging &s) const {
  if (s.rowsAlongK)
    return {s.extent, stageBytes / SwizzledTile::kChunkBytes};
  return {getStageK(), s.extent / getPiece(), hasWords(s)};
}

IndexValue TiledContraction::getOffset(const Staging &s, IndexValue mn,
                                       IndexValue k) const {
  int64_t bytes = c.getStagedBits() / 8;
  if (!c.mma)
    return (k * getPitch(s) + mn) * bytes;
  const IndexValue &row = s.rowsAlongK ? mn : k, &col = s.rowsAlongK ? k : mn;
  return getTile(s).offset(row, col / getPiece()) + (col % getPiece()) * bytes;
}

//===----------------------------------------------------------------------===//
// What vectors need
//===----------------------------------------------------------------------===//

bool TiledContraction::isNeverMultiple(unsigned loop, int64_t divisor) {
  int64_t size = c.op.getStaticLoopRanges()[loop];
  return !ShapedType::isDynamic(size) && size % divisor != 0;
}

TiledContraction::Mode TiledContraction::chooseMode(const Staging &s) {
  const ContractionOperand &x = *s.x;
  if (x.innerLoop < 0)
    return Mode::Scalar;
  bool isOnlyLoop = x.isAlongK ? c.k.size() == 1 : s.loops.size() == 1;
  bool isWhole = !isNeverMultiple(x.innerLoop, getPiece());
  if (x.direct && (isWhole || isOnlyLoop) && x.isAlongK == s.rowsAlongK) {
    auto type = cast<MemRefType>(kernel.operandTypes[x.direct->argument]);
    auto [strides, offset] = type.getStridesAndOffset();
    // Null where a stride is dynamic.
    unsigned numLoops = c.op.getNumLoops();
    bool isAligned = true;
    for (unsigned loop = 0; loop < numLoops; ++loop) {
      int64_t stride = 0;
      bool isKnown = true;
      for (auto [index, step] : llvm::zip(x.direct->indices, strides)) {
        int64_t factor = (*getLinearForm(index, numLoops))[loop];
        isKnown &= factor == 0 || !ShapedType::isDynamic(step);
        if (isKnown)
          stride += factor * step;
      }
      if (static_cast<int64_t>(loop) == x.innerLoop)
        isAligned &= isKnown && stride == 1;
      else if (x.map.isFunctionOfDim(loop))
        isAligned &= !isKnown || stride % getPiece() == 0;
    }
    if (isAligned)
      return Mode::Async;
  }
  return isWhole && Evaluator::hasVectorForm(kernel) &&
                 Evaluator::isLoadable(x.staged)
             ? Mode::Vector
             : Mode::Scalar;
}

/// Whether `expr` is `loop`, where that is a multiple of `width`, plus what is
/// the same for the next `width` values of `loop`.
static bool isConsecutive(AffineExpr expr, unsigned loop, int64_t width) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == loop;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mod)
    return factor && factor.getValue() % width == 0 &&
           isConsecutive(binary.getLHS(), loop, width);
  return expr.getKind() == AffineExprKind::Add &&
         isConsecutive(binary.getRHS(), loop, width) &&
         binary.getLHS().getLargestKnownDivisor() % width == 0 &&
         !binary.getLHS().isFunctionOfDim(loop);
}

int64_t TiledContraction::chooseWidth() {
  int64_t bits = 16;
  func::FuncOp source = kernel.function;
  for (Type type : source.getResultTypes()) {
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!Evaluator::isLoadable(element) || element.isIndex())
      return 1;
    bits = std::max<int64_t>(bits, element.getIntOrFloatBitWidth());
  }
  int64_t width = std::max<int64_t>(128 / bits, 1);
  if (!Evaluator::hasVectorForm(kernel) || isNeverMultiple(c.n.back(), width))
    return 1;
  AffineMap map = c.op.getMatchingIndexingMap(c.op.getDpsInitOperand(0));
  if (!isConsecutive(map.getResults().back(), c.n.back(), width))
    return 1;
  for (auto [result, indices] : llvm::enumerate(c.results)) {
    auto type =
        cast<MemRefType>(kernel.operandTypes[kernel.getNumInputs() + result]);
    if (indices.empty() || !type.isLastDimUnitStride() ||
        !isConsecutive(indices.back(), c.n.back(), width))
      return 1;
  }
  return width;
}

void TiledContraction::addMultipleOf(IndexValue number, int64_t divisor,
                                     SmallVectorImpl<Value> &all) {
  if (divisor <= 1 ||
      (number.getConstant() && *number.getConstant() % divisor == 0))
    return;
  IndexValue rest = number & (divisor - 1);
  all.push_back(IndexValue::less(at, rest, 1));
}

void TiledContraction::addStagingConditions(const Staging &s,
                                            SmallVectorImpl<Value> &all) {
  const ContractionOperand &x = *s.x;
  if (s.mode == Mode::Scalar)
    return;
  if (s.mode == Mode::Vector) {
    addMultipleOf(sizes[x.innerLoop], getPiece(), all);
    return;
  }
  if ((x.isAlongK ? c.k.size() : s.loops.size()) > 1)
    addMultipleOf(sizes[x.innerLoop], getPiece(), all);
  for (unsigned loop = 0, e = c.op.getNumLoops(); loop < e; ++loop)
    if (static_cast<int64_t>(loop) != x.innerLoop &&
        x.map.isFunctionOfDim(loop) && !sizes[loop].isConstant(1))
      addMultipleOf(s.strides[loop], getPiece(), all);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      at.b, at.loc, arguments[x.direct->argument]);
  int64_t bytes = c.getStagedBits() / 8;
  addMultipleOf(IndexValue(at, address) + s.strides.back() * bytes, 16, all);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

SmallVector<IndexValue>
TiledContraction::delinearize(IndexValue number, ArrayRef<unsigned> loops) {
  SmallVector<IndexValue> result(loops.size(), 0);
  for (size_t i = loops.size(); i-- > 1;) {
    result[i] = number % sizes[loops[i]];
    number = number / sizes[loops[i]];
  }
  if (!loops.empty())
    result[0] = number;
  return result;
}

IndexValue TiledContraction::product(ArrayRef<unsigned> loops) {
  IndexValue result = 1;
  for (unsigned loop : loops)
    result = result * sizes[loop];
  return result;
}

Value TiledContraction::both(Value l, Value r) {
  if (!l || !r)
    return l ? l : r;
  return arith::AndIOp::create(at.b, at.loc, l, r);
}

Value TiledContraction::viewShared(Type element, int64_t byteOffset,
                                   int64_t bytes) {
  int64_t size = std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1);
  auto space = cast<MemRefType>(shared.getType()).getMemorySpace();
  auto type = MemRefType::get({bytes / size}, element,
                              MemRefLayoutAttrInterface(), space);
  Value offset = arith::ConstantIndexOp::create(at.b, at.loc, byteOffset);
  return memref::ViewOp::create(at.b, at.loc, type, shared, offset,
                                ValueRange());
}

/// The number of tiles along a size.
static IndexValue ceilDiv(IndexValue size, int64_t tile) {
  return (size + (tile - 1)) / tile;
}

void TiledContraction::emit(::mlir::gpu::GPUFuncOp function) {
  arguments.assign(function.getArguments().begin(),
                   function.getArguments().end());
  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      builder.getContext(), ::mlir::gpu::AddressSpace::Workgroup);
  shared = function.addWorkgroupAttribution(
      MemRefType::get({sharedBytes}, builder.getI8Type(),
                      MemRefLayoutAttrInterface(), space),
      at.loc);
  function.setWorkgroupAttributionAttr(0, "llvm.align",
                                       builder.getI64IntegerAttr(128));
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  sharedPointer = emitPointer(at.b, at.loc, shared, /*space=*/3);

  auto id = [&](auto op) { return IndexValue(at, op.getResult()); };
  auto x = ::mlir::gpu::Dimension::x;
  thread = id(::mlir::gpu::ThreadIdOp::create(at.b, at.loc, x));
  lane = thread & 31;
  warpNumber = thread >> 5;
  warp = grid.warpOrigin(warpNumber);

  auto op = cast<linalg::LinalgOp>(c.op.getOperation());
  Evaluator forSizes(kernel, arguments);
  for (OpFoldResult size : forSizes.getLoopSizes(builder, op))
    sizes.push_back(IndexValue(at, size));
  sizeM = product(c.m);
  sizeN = product(c.n);
  sizeK = product(c.k);
  iteration.assign(c.op.getNumLoops(), 0);

  IndexValue number = id(::mlir::gpu::BlockIdOp::create(at.b, at.loc, x));
  IndexValue tilesM = ceilDiv(sizeM, grid.blockM),
             tilesN = ceilDiv(sizeN, grid.blockN);
  if (!c.batch.empty()) {
    IndexValue tiles = tilesM * tilesN;
    SmallVector<IndexValue> batch = delinearize(number / tiles, c.batch);
    for (auto [loop, index] : llvm::zip(c.batch, batch))
      iteration[loop] = index;
    number = number % tiles;
  }
  block = getGroupedTile(number, tilesM, tilesN, kGroup,
                         [](const IndexValue &l, const IndexValue &r) {
                           return IndexValue::min(l, r);
                         });
  block = {block.row * grid.blockM, block.col * grid.blockN};

  for (Staging *s : {&a, &b})
    if (s->mode == Mode::Async)
      setUpAddresses(*s);
  if (a.mode == Mode::Scalar && b.mode == Mode::Scalar) {
    emitBody();
    return;
  }
  SmallVector<Value> conditions;
  for (Staging *s : {&a, &b})
    addStagingConditions(*s, conditions);
  Value placeholder =
      arith::ConstantIntOp::create(at.b, at.loc, builder.getI1Type(), 1);
  auto branch = scf::IfOp::create(at.b, at.loc, TypeRange(), placeholder,
                                  /*withElseRegion=*/true);
  // What the vectors of the operands need is known when they are there; those
  // of the results have a test of their own.
  Value isAligned;
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitBody([&] {
    builder.setInsertionPoint(branch);
    isAligned = emitAlignmentCheck(builder, at.loc, branch.getThenRegion());
    for (Value condition : conditions)
      isAligned = both(isAligned, condition);
  });
  if (!isAligned) {
    // Always.
    branch.getElseRegion().getBlocks().clear();
    return;
  }
  branch.getConditionMutable().assign(isAligned);

  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  a.mode = b.mode = Mode::Scalar;
  width = 1;
  stages = 2;
  emitBody();
}

void TiledContraction::emitBody(llvm::function_ref<void()> beforeEpilogue) {
  Evaluator forBody(kernel, arguments);
  evaluator = &forBody;
  forBody.bind(c.op.getResult(0), [this](OpBuilder &, Location,
                                         ValueRange indices, int64_t width) {
    return readAccumulator(indices, width);
  });
  for (Staging *s : {&a, &b})
    setUpPieces(*s);
  if (c.mma)
    setUpFragments();
  SmallVector<Value> accumulators = emitMainLoop();
  if (beforeEpilogue) {
    OpBuilder::InsertionGuard guard(builder);
    beforeEpilogue();
  }
  emitEpilogue(accumulators);
  evaluator = nullptr;
}

SmallVector<Value> TiledContraction::emitMainLoop() {
  IndexValue steps = ceilDiv(sizeK, getStageK());
  bool hasAsync = a.mode == Mode::Async || b.mode == Mode::Async;
  bool hasLoads = a.mode != Mode::Async || b.mode != Mode::Async;
  auto copyBoth = [&](IndexValue step, IndexValue stage) {
    if (!hasAsync)
      return;
    for (Staging *s : {&a, &b})
      if (s->mode == Mode::Async)
        copyAsync(*s, step, stage);
    emitCopyCommit(at.b, at.loc);
  };
  auto loadBoth = [&](IndexValue step) {
    for (Staging *s : {&a, &b})
      if (s->mode != Mode::Async)
        load(*s, step);
  };
  auto storeBoth = [&](IndexValue stage) {
    for (Staging *s : {&a, &b})
      if (s->mode != Mode::Async)
        store(*s, stage);
  };

  // Fill all stages but one.
  for (int64_t stage = 0; stage + 1 < stages; ++stage)
    copyBoth(stage, stage);
  if (hasLoads) {
    OpBuilder::InsertionGuard guard(builder);
    // Without any k there is nothing to be read.
    if (!sizeK.getConstant() || sizeK.isConstant(0)) {
      Value any = IndexValue::less(at, 0, sizeK);
      auto branch = scf::IfOp::create(at.b, at.loc, any, /*withElse=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    for (int64_t stage = 0; stage + 1 < stages; ++stage) {
      loadBoth(stage);
      storeBoth(stage);
    }
  }
  evaluator->forget();

  auto index = [&](const IndexValue &value) { return value.get(at); };
  SmallVector<Value> carried = getZeroAccumulators();
  size_t numAccumulators = carried.size();
  carried.push_back(index(0));
  carried.push_back(index(stages - 1));
  auto loop = scf::ForOp::create(at.b, at.loc, index(0), index(steps), index(1),
                                 carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    IndexValue step(at, loop.getInductionVar());
    IndexValue read(at, loop.getRegionIterArgs()[numAccumulators]);
    IndexValue write(at, loop.getRegionIterArgs()[numAccumulators + 1]);
    if (hasAsync)
      emitCopyWait(at.b, at.loc, stages - 2);
    ::mlir::gpu::BarrierOp::create(at.b, at.loc);
    // The stage that was read in the last iteration is free now.
    copyBoth(step + (stages - 1), write);
    // Loads have the time of the products to arrive, if there are registers to
    // hold them beside accumulators of 64 bits.
    bool loadsEarly = c.getStagedBits() <= 32;
    if (hasLoads && loadsEarly)
      loadBoth(step + (stages - 1));
    SmallVector<Value> next =
        multiply(read, loop.getRegionIterArgs().take_front(numAccumulators));
    if (hasLoads && !loadsEarly)
      loadBoth(step + (stages - 1));
    if (hasLoads)
      storeBoth(write);
    auto advance = [&](IndexValue stage) {
      IndexValue following = stage + 1;
      Value isLess = IndexValue::less(at, following, stages);
      return index(IndexValue::select(at, isLess, following, 0));
    };
    next.push_back(advance(read));
    next.push_back(advance(write));
    scf::YieldOp::create(at.b, at.loc, next);
  }
  evaluator->forget();
  // The ring becomes the room of the epilogue.
  if (hasAsync)
    emitCopyWait(at.b, at.loc, 0);
  ::mlir::gpu::BarrierOp::create(at.b, at.loc);
  return loop.getResults().take_front(numAccumulators);
}
