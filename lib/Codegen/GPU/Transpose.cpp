//===- Transpose.cpp - the schedule of permutations -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transpose`: an elementwise kernel that reads some operand along another
// dimension than it writes its result along. A block takes a square tile of
// these two dimensions. Threads load a square of `vector` x `vector` elements
// as vectors along the operand, transpose it in registers, and store it to
// shared memory (see TransposeTile); they read rows of the result from there,
// apply the elementwise ops, and store vectors. Tiles at the edge, and all
// tiles if something is not aligned, move single elements.
//
//===----------------------------------------------------------------------===//

#include "IndexValue.h"
#include "amp/Codegen/GPU/Evaluator.h"
#include "amp/Codegen/GPU/Layouts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

namespace {

constexpr unsigned kThreads = 256;
/// The large tile for 16 bits, and how many of them keep a device busy.
constexpr int64_t kLargeTile = 128, kMinLargeTiles = 128;

/// An operand that is read through shared memory.
struct TiledOperand {
  OpOperand *operand;
  unsigned argument;
  /// For every dimension of the argument, that of the result.
  SmallVector<unsigned> dims;
};

struct TransposePlan {
  /// The dimensions of the result that make the tile: the last one of the
  /// tiled operands, and its own last one.
  unsigned across = 0, along = 0;
  SmallVector<TiledOperand> operands;
  TransposeTile tile{64, 4};

  unsigned getRank() const { return along + 1; }
};

} // namespace

static int64_t getBits(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Visits the operands of the generics behind `value`, whose dimensions are
/// those of the result that `dims` says: with their own dimensions, and the
/// last one of the generic's result.
static void collectLeaves(
    Value value, ArrayRef<unsigned> dims,
    function_ref<void(OpOperand &, ArrayRef<unsigned>, unsigned last)> visit) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops())
    return;
  AffineMap out = generic.getIndexingMapMatchingResult(cast<OpResult>(value));
  if (!out.isPermutation())
    return;
  SmallVector<unsigned> dimOfLoop(generic.getNumLoops());
  for (auto [position, dim] : llvm::enumerate(dims))
    dimOfLoop[out.getDimPosition(position)] = dim;
  for (OpOperand &operand : generic->getOpOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(&operand);
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        !generic.payloadUsesValueFromOperand(&operand) ||
        !map.isProjectedPermutation())
      continue;
    SmallVector<unsigned> inner;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      inner.push_back(dimOfLoop[map.getDimPosition(i)]);
    visit(operand, inner, dims.back());
    collectLeaves(operand.get(), inner, visit);
  }
}

static FailureOr<TransposePlan> matchTranspose(const Kernel &kernel,
                                               std::string &reason) {
  func::FuncOp function = kernel.function;
  Block &body = function.getBody().front();
  ArrayRef<Type> results = function.getResultTypes();
  auto type = dyn_cast<RankedTensorType>(results.front());
  for (Type other : results)
    if (!type || cast<ShapedType>(other).getShape() != type.getShape()) {
      reason = "its results differ in shape";
      return failure();
    }
  if (type.getRank() < 2) {
    reason = "its result has less than two dimensions";
    return failure();
  }
  for (auto op : body.getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() != 0) {
      reason = "it has a reduction";
      return failure();
    }
  TransposePlan plan;
  plan.along = type.getRank() - 1;
  SmallVector<unsigned> identity =
      llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  bool isFirst = true, isPlain = true;
  llvm::SetVector<OpOperand *> seen;
  for (Value result : body.getTerminator()->getOperands())
    collectLeaves(
        result, identity,
        [&](OpOperand &operand, ArrayRef<unsigned> dims, unsigned last) {
          auto argument = dyn_cast<BlockArgument>(operand.get());
          if (!argument || dims.empty() || dims.back() == plan.along ||
              !llvm::is_contained(dims, plan.along))
            return;
          auto buffer =
              cast<MemRefType>(kernel.operandTypes[argument.getArgNumber()]);
          if (!Evaluator::isLoadable(buffer.getElementType()) ||
              !buffer.isLastDimUnitStride())
            return;
          if (isFirst)
            plan.across = dims.back();
          isFirst = false;
          if (dims.back() != plan.across)
            return;
          isPlain &= last == plan.along;
          if (seen.insert(&operand))
            plan.operands.push_back({&operand, argument.getArgNumber(),
                                     SmallVector<unsigned>(dims)});
          else
            for (const TiledOperand &tiled : plan.operands)
              isPlain &= tiled.operand != &operand || tiled.dims == dims;
        });
  if (plan.operands.empty()) {
    reason = "no operand is read along another dimension than the last of the "
             "result";
    return failure();
  }
  if (!isPlain) {
    reason = "an operand is permuted twice";
    return failure();
  }
  if (!Evaluator::hasVectorForm(kernel)) {
    reason = "it has elements that no vector holds";
    return failure();
  }
  // Vectors have 16 bytes of the widest element; those of 16 bits only where
  // tiles that are large enough for that, one square for each thread, are all
  // whole and many. The square in registers has their number squared.
  int64_t widest = 8, shared = 0;
  for (const TiledOperand &tiled : plan.operands)
    widest = std::max(
        widest, getBits(cast<MemRefType>(kernel.operandTypes[tiled.argument])
                            .getElementType()));
  bool allBytes = widest == 8;
  for (Type other : results) {
    Type element = cast<RankedTensorType>(other).getElementType();
    if (!Evaluator::isLoadable(element)) {
      reason = "it has elements that no vector holds";
      return failure();
    }
    widest = std::max(widest, getBits(element));
  }
  auto isWhole = [&](unsigned dim) {
    int64_t size = type.getDimSize(dim);
    return !ShapedType::isDynamic(size) && size % kLargeTile == 0;
  };
  bool isLarge = widest == 16 && plan.operands.size() == 1 &&
                 isWhole(plan.along) && isWhole(plan.across) &&
                 type.getDimSize(plan.along) * type.getDimSize(plan.across) >=
                     kMinLargeTiles * kLargeTile * kLargeTile;
  plan.tile = widest > 32 ? TransposeTile{32, 2}
              : allBytes  ? TransposeTile{128, 4}
              : isLarge   ? TransposeTile{kLargeTile, 8}
                          : TransposeTile{64, 4};
  for (const TiledOperand &tiled : plan.operands)
    shared += plan.tile.size * plan.tile.size *
              getBits(cast<MemRefType>(kernel.operandTypes[tiled.argument])
                          .getElementType()) /
              8;
  if (shared > 48 * 1024) {
    reason = "its tiles need more than 48 KiB of shared memory";
    return failure();
  }
  return plan;
}

namespace {

class TransposeEmitter {
public:
  TransposeEmitter(const Kernel &kernel, const TransposePlan &plan)
      : kernel(kernel), plan(plan), function(kernel.function),
        builder(function.getContext()), at{builder, function.getLoc()} {}

  void emit(::mlir::gpu::GPUFuncOp device);

private:
  void emitBody(bool usesVectors);
  void forEachPiece(int64_t width,
                    function_ref<void(IndexValue row, IndexValue col)> body);
  void loadVectors(const TiledOperand &tiled, Value room);
  void loadElements(const TiledOperand &tiled, Value room);
  SmallVector<Value> getIndices(const TiledOperand &tiled, IndexValue across,
                                IndexValue along);
  Value readResult(Evaluator &evaluator, OpResult result, ValueRange indices,
                   int64_t count);
  IndexValue sizeOf(unsigned dim) { return sizes[dim]; }

  const Kernel &kernel;
  const TransposePlan &plan;
  func::FuncOp function;
  OpBuilder builder;
  IndexBuilder at;
  SmallVector<Value> arguments;
  SmallVector<Value> rooms;
  SmallVector<IndexValue> sizes;
  /// The first element of the tile.
  SmallVector<IndexValue> origin;
  IndexValue thread = 0;
  int64_t width = 1;
  /// What is being computed: in the tile, and the last index in the result.
  IndexValue row = 0, col = 0, last = 0;
};

} // namespace

/// The sizes of the first result.
static SmallVector<IndexValue> getSizes(const IndexBuilder &at, Value buffer) {
  SmallVector<IndexValue> sizes;
  auto type = cast<MemRefType>(buffer.getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(
        ShapedType::isDynamic(size)
            ? IndexValue(
                  at,
                  memref::DimOp::create(at.b, at.loc, buffer, dim).getResult())
            : IndexValue(size));
  return sizes;
}

static IndexValue ceilDiv(IndexValue size, int64_t tile) {
  return (size + (tile - 1)) / tile;
}

void TransposeEmitter::emit(::mlir::gpu::GPUFuncOp device) {
  arguments.assign(device.getArguments().begin(), device.getArguments().end());
  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      builder.getContext(), ::mlir::gpu::AddressSpace::Workgroup);
  int64_t size = plan.tile.size;
  for (const TiledOperand &tiled : plan.operands) {
    Type element =
        cast<MemRefType>(arguments[tiled.argument].getType()).getElementType();
    rooms.push_back(device.addWorkgroupAttribution(
        MemRefType::get({size * size}, element, MemRefLayoutAttrInterface(),
                        space),
        at.loc));
    device.setWorkgroupAttributionAttr(rooms.size() - 1, "llvm.align",
                                       builder.getI64IntegerAttr(16));
  }
  builder.setInsertionPoint(device.getBody().front().getTerminator());
  auto x = ::mlir::gpu::Dimension::x;
  thread = {at, ::mlir::gpu::ThreadIdOp::create(at.b, at.loc, x).getResult()};
  IndexValue number = {
      at, ::mlir::gpu::BlockIdOp::create(at.b, at.loc, x).getResult()};
  sizes = getSizes(at, arguments[kernel.getNumInputs()]);
  // Tiles along the result follow each other, then those across, then all other
  // dimensions.
  origin.assign(plan.getRank(), 0);
  auto take = [&](unsigned dim, int64_t tile, bool isLast) {
    IndexValue tiles = ceilDiv(sizes[dim], tile);
    origin[dim] = (isLast ? number : number % tiles) * tile;
    if (!isLast)
      number = number / tiles;
  };
  SmallVector<unsigned> others;
  for (unsigned dim = 0; dim < plan.along; ++dim)
    if (dim != plan.across)
      others.push_back(dim);
  take(plan.along, size, /*isLast=*/false);
  take(plan.across, size, others.empty());
  for (unsigned dim : llvm::reverse(others))
    take(dim, 1, dim == others.front());

  Value isWhole = arith::AndIOp::create(
      at.b, at.loc,
      IndexValue::less(at, origin[plan.along] + (size - 1), sizes[plan.along]),
      IndexValue::less(at, origin[plan.across] + (size - 1),
                       sizes[plan.across]));
  auto branch = scf::IfOp::create(at.b, at.loc, TypeRange(), isWhole,
                                  /*withElseRegion=*/true);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitBody(/*usesVectors=*/true);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  emitBody(/*usesVectors=*/false);
  // What the vectors need is known only now.
  builder.setInsertionPoint(branch);
  if (Value isAligned =
          emitAlignmentCheck(builder, at.loc, branch.getThenRegion()))
    branch.getConditionMutable().assign(
        arith::AndIOp::create(at.b, at.loc, isWhole, isAligned).getResult());
}

/// Calls `body` for the rows and columns at which the squares, or elements, of
/// `width` of this thread start; consecutive threads are along the columns.
void TransposeEmitter::forEachPiece(
    int64_t width, function_ref<void(IndexValue row, IndexValue col)> body) {
  int64_t pieces = plan.tile.size / width;
  auto index = [&](int64_t value) { return IndexValue(value).get(at); };
  OpBuilder::InsertionGuard guard(builder);
  IndexValue number = thread;
  if (pieces * pieces > kThreads) {
    auto loop = scf::ForOp::create(at.b, at.loc, index(0),
                                   index(pieces * pieces), index(kThreads));
    builder.setInsertionPointToStart(loop.getBody());
    number = IndexValue(at, loop.getInductionVar()) + thread;
  }
  body((number / pieces) * width, (number % pieces) * width);
}

SmallVector<Value> TransposeEmitter::getIndices(const TiledOperand &tiled,
                                                IndexValue across,
                                                IndexValue along) {
  SmallVector<Value> indices;
  for (unsigned dim : tiled.dims) {
    IndexValue index = origin[dim];
    if (dim == plan.across)
      index = index + across;
    else if (dim == plan.along)
      index = index + along;
    indices.push_back(index.get(at));
  }
  return indices;
}

void TransposeEmitter::loadVectors(const TiledOperand &tiled, Value room) {
  int64_t vector = plan.tile.vector;
  Value buffer = arguments[tiled.argument];
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto type = VectorType::get({vector}, element);
  llvm::MaybeAlign alignment(vector * getBits(element) / 8);
  forEachPiece(vector, [&](IndexValue along, IndexValue across) {
    SmallVector<Value> lines;
    for (int64_t i = 0; i < vector; ++i)
      lines.push_back(vector::LoadOp::create(
          at.b, at.loc, type, buffer, getIndices(tiled, across, along + i),
          /*nontemporal=*/false, alignment));
    for (int64_t j = 0; j < vector; ++j) {
      SmallVector<Value> elements;
      for (Value line : lines)
        elements.push_back(vector::ExtractOp::create(at.b, at.loc, line, j));
      Value turned =
          vector::FromElementsOp::create(at.b, at.loc, type, elements);
      IndexValue offset = plan.tile.offset(across + j, along);
      vector::StoreOp::create(at.b, at.loc, turned, room, offset.get(at),
                              /*nontemporal=*/false, alignment);
    }
  });
}

void TransposeEmitter::loadElements(const TiledOperand &tiled, Value room) {
  forEachPiece(1, [&](IndexValue along, IndexValue across) {
    Value inside = arith::AndIOp::create(
        at.b, at.loc,
        IndexValue::less(at, origin[plan.along] + along, sizes[plan.along]),
        IndexValue::less(at, origin[plan.across] + across, sizes[plan.across]));
    auto branch = scf::IfOp::create(at.b, at.loc, inside, /*withElse=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    Value element =
        memref::LoadOp::create(at.b, at.loc, arguments[tiled.argument],
                               getIndices(tiled, across, along));
    IndexValue offset = plan.tile.offset(across, along);
    memref::StoreOp::create(at.b, at.loc, element, room, offset.get(at));
  });
}

/// An element, or `count` along the last dimension, of a generic that has tiled
/// operands.
Value TransposeEmitter::readResult(Evaluator &evaluator, OpResult result,
                                   ValueRange indices, int64_t count) {
  auto op = cast<linalg::LinalgOp>(result.getOwner());
  AffineMap out = op.getIndexingMapMatchingResult(result);
  SmallVector<Value> iteration(op.getNumLoops());
  for (auto [position, index] : llvm::enumerate(indices))
    iteration[out.getDimPosition(position)] = index;
  int64_t loop = count > 1 ? out.getDimPosition(out.getNumResults() - 1) : -1;
  // One element of a vector that could not be taken as a whole.
  IndexValue column = col;
  if (count == 1 && width > 1)
    column = column + (IndexValue(at, indices.back()) - last);
  SmallVector<Value> elements;
  for (OpOperand &operand : op->getOpOperands()) {
    Value &element = elements.emplace_back();
    auto tiled = llvm::find_if(plan.operands, [&](const TiledOperand &tiled) {
      return tiled.operand == &operand;
    });
    if (tiled != plan.operands.end()) {
      Value room = rooms[tiled - plan.operands.begin()];
      Value offset = plan.tile.offset(row, column).get(at);
      Type type = cast<MemRefType>(room.getType()).getElementType();
      if (count == 1)
        element = memref::LoadOp::create(at.b, at.loc, room, offset);
      else
        element = vector::LoadOp::create(
            at.b, at.loc, VectorType::get({count}, type), room, offset,
            /*nontemporal=*/false, llvm::MaybeAlign(count * getBits(type) / 8));
    } else if (op.payloadUsesValueFromOperand(&operand)) {
      element = evaluator.emitOperand(at.b, operand, iteration, count, loop);
    }
  }
  return evaluator.emitPayload(at.b, op, elements, iteration,
                               loop)[result.getResultNumber()];
}

void TransposeEmitter::emitBody(bool usesVectors) {
  for (auto [tiled, room] : llvm::zip(plan.operands, rooms)) {
    if (usesVectors)
      loadVectors(tiled, room);
    else
      loadElements(tiled, room);
  }
  ::mlir::gpu::BarrierOp::create(at.b, at.loc);

  Evaluator evaluator(kernel, arguments);
  width = usesVectors ? plan.tile.vector : 1;
  llvm::SetVector<Operation *> readers;
  for (const TiledOperand &tiled : plan.operands)
    readers.insert(tiled.operand->getOwner());
  for (Operation *reader : readers)
    for (OpResult result : reader->getResults())
      evaluator.bind(result, [this, &evaluator, result](OpBuilder &, Location,
                                                        ValueRange indices,
                                                        int64_t count) {
        return readResult(evaluator, result, indices, count);
      });
  // A row of the tile for each line of threads, `width` times.
  int64_t pieces = plan.tile.size / width;
  auto index = [&](int64_t value) { return IndexValue(value).get(at); };
  auto loop = scf::ForOp::create(
      at.b, at.loc, index(0), index(plan.tile.size * pieces), index(kThreads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  IndexValue number = IndexValue(at, loop.getInductionVar()) + thread;
  row = number / pieces;
  col = (number % pieces) * width;
  SmallVector<IndexValue> position = origin;
  position[plan.across] = position[plan.across] + row;
  position[plan.along] = position[plan.along] + col;
  last = position[plan.along];
  if (!usesVectors) {
    Value inside = arith::AndIOp::create(
        at.b, at.loc,
        IndexValue::less(at, position[plan.along], sizes[plan.along]),
        IndexValue::less(at, position[plan.across], sizes[plan.across]));
    auto branch = scf::IfOp::create(at.b, at.loc, inside, /*withElse=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  SmallVector<Value> indices;
  for (const IndexValue &index : position)
    indices.push_back(index.get(at));
  last = IndexValue(at, indices.back());
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, result] : llvm::enumerate(terminator->getOperands())) {
    Value value = evaluator.emit(at.b, at.loc, result, indices, width);
    Value buffer = arguments[kernel.getNumInputs() + number];
    if (width == 1) {
      memref::StoreOp::create(at.b, at.loc, value, buffer, indices);
      continue;
    }
    value = Evaluator::toVector(at.b, at.loc, value, width);
    Type element = cast<VectorType>(value.getType()).getElementType();
    vector::StoreOp::create(at.b, at.loc, value, buffer, indices,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(width * getBits(element) / 8));
  }
}

namespace {

class TransposeSchedule final : public Schedule {
public:
  StringRef getName() const override { return "transpose"; }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    if (failed(matchTranspose(kernel, reason)))
      return failure();
    return Evaluator::check(kernel, reason);
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    std::string reason;
    FailureOr<TransposePlan> plan = matchTranspose(kernel, reason);
    if (failed(plan))
      return failure();
    func::FuncOp source = kernel.function;
    ::mlir::gpu::GPUFuncOp device =
        createDeviceFunction(module, source.getLoc(), source.getSymName(),
                             kernel.operandTypes, kThreads);
    TransposeEmitter(kernel, *plan).emit(device);
    return SmallVector<::mlir::gpu::GPUFuncOp>{device};
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    std::string reason;
    FailureOr<TransposePlan> plan = matchTranspose(kernel, reason);
    if (failed(plan))
      return failure();
    IndexBuilder at{b, loc};
    IndexValue blocks = 1;
    for (auto [dim, size] :
         llvm::enumerate(getSizes(at, operands[kernel.getNumInputs()])))
      blocks = blocks * (dim == plan->across || dim == plan->along
                             ? ceilDiv(size, plan->tile.size)
                             : size);
    createLaunch(b, loc, functions.front(), blocks.get(at), operands);
    return success();
  }
};

} // namespace

const Schedule &amp::gpu::getTransposeSchedule() {
  static const TransposeSchedule schedule;
  return schedule;
}
