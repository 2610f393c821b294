//===- Map.cpp - the schedule of elementwise kernels ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collapse.h"
#include "SameShape.h"
#include "Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp::gpu;

/// Vectors of one thread, so that as many loads are in flight.
static constexpr int64_t kUnroll = 4;

/// Bytes that a thread may read before it computes: half of the registers that
/// let 1024 threads run at once.
static constexpr int64_t kMaxLoadBytes = 128;

/// Bytes of one element in a buffer.
static int64_t getBytes(Type type) {
  if (type.isIndex())
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t amp::gpu::chooseWidth(const Kernel &kernel, int64_t minRank) {
  if (!Evaluator::hasVectorForm(kernel))
    return 1;
  int64_t bytes = 1;
  for (Type type : kernel.operandTypes)
    if (auto buffer = dyn_cast<MemRefType>(type);
        buffer && buffer.getRank() >= std::max<int64_t>(minRank, 1) &&
        buffer.getShape().back() != 1)
      bytes = std::max(bytes, getBytes(buffer.getElementType()));
  int64_t width = std::max<int64_t>(1, 16 / bytes);
  // What is written a vector at a time is aligned in every row.
  for (Type type :
       ArrayRef(kernel.operandTypes).drop_front(kernel.getNumInputs())) {
    auto buffer = cast<MemRefType>(type);
    if (buffer.getRank() < 2 || !buffer.isLastDimUnitStride())
      continue;
    auto [strides, offset] = buffer.getStridesAndOffset();
    for (auto [dim, stride] : llvm::enumerate(ArrayRef(strides).drop_back()))
      if (!ShapedType::isDynamic(stride) && buffer.getDimSize(dim) != 1)
        while (stride % width != 0)
          width /= 2;
    while (!ShapedType::isDynamic(offset) && offset % width != 0)
      width /= 2;
  }
  return width;
}

/// The ops of `block` after `start` (null: all) that `value` needs, in order;
/// false if one of them does more than compute a value.
static bool collectNeeded(Value value, Block *block, Operation *start,
                          llvm::SetVector<Operation *> &needed) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block || needed.contains(op) ||
      (start && !start->isBeforeInBlock(op)))
    return true;
  if (!isPure(op) || op->getNumRegions() != 0)
    return false;
  for (Value operand : op->getOperands())
    if (!collectNeeded(operand, block, start, needed))
      return false;
  needed.insert(op);
  return true;
}

/// Moves what `block` reads before it writes to its beginning. All reads of a
/// thread are then under way before it waits for the first one; neither LLVM
/// nor ptxas moves them that far past what is computed between them.
static void moveLoadsUp(Block *block) {
  int64_t bytes = 0;
  Operation *last = nullptr;
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (!isa<memref::LoadOp, vector::LoadOp>(op)) {
      auto effects = getEffectsRecursively(&op);
      if (!effects ||
          llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &it) {
            return isa<MemoryEffects::Write>(it.getEffect());
          }))
        return;
      continue;
    }
    Type type = op.getResult(0).getType();
    auto vector = dyn_cast<VectorType>(type);
    bytes += getBytes(getElementTypeOrSelf(type)) *
             (vector ? vector.getNumElements() : 1);
    if (bytes > kMaxLoadBytes)
      return;
    llvm::SetVector<Operation *> needed;
    if (!llvm::all_of(op.getOperands(), [&](Value operand) {
          return collectNeeded(operand, block, last, needed);
        }))
      return;
    needed.insert(&op);
    for (Operation *moved : needed) {
      if (last)
        moved->moveAfter(last);
      else
        moved->moveBefore(block, block->begin());
      last = moved;
    }
  }
}

namespace {
class MapSchedule : public Schedule {
public:
  StringRef getName() const override { return "map"; }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    if (failed(Evaluator::check(kernel, reason)))
      return failure();
    func::FuncOp function = kernel.function;
    for (auto op : function.getBody().front().getOps<linalg::LinalgOp>())
      if (op.getNumReductionLoops() != 0) {
        reason = "'" + op->getName().getStringRef().str() + "' is a reduction";
        return failure();
      }
    if (function.getNumResults() == 0) {
      reason = "it has no result";
      return failure();
    }
    SameShape same(kernel);
    ValueRange results =
        function.getBody().front().getTerminator()->getOperands();
    for (Value result : results.drop_front())
      if (!same(results.front(), result)) {
        reason = "its results may differ in shape";
        return failure();
      }
    return success();
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    func::FuncOp function = kernel.function;
    Collapsed collapsed(kernel);
    const Kernel &narrow = collapsed.getKernel();
    TilePlan plan = getPlan(narrow);
    SmallVector<Type> types = kernel.operandTypes;
    if (plan.needsArgument())
      types.push_back(IndexType::get(function.getContext()));
    Location loc = function.getLoc();
    ::mlir::gpu::GPUFuncOp device =
        createDeviceFunction(module, loc, function.getName(), types,
                             static_cast<unsigned>(plan.layout.threads));
    OpBuilder b(device.getBody().front().getTerminator());
    SmallVector<Value> operands =
        collapsed.collapse(b, loc,
                           ValueRange(device.getArguments())
                               .take_front(kernel.operandTypes.size()));
    Evaluator evaluator(narrow, operands);
    func::FuncOp source = narrow.function;
    auto values = source.getBody().front().getTerminator()->getOperands();
    SmallVector<OpFoldResult> sizes = collapsed.collapseSizes(
        b, loc, sizesOf(b, loc, device.getArgument(kernel.getNumInputs())));
    emitTile(
        b, loc, plan, sizes,
        plan.needsArgument() ? device.getArguments().back() : Value(),
        [&](OpBuilder &b, ArrayRef<SmallVector<Value>> positions,
            int64_t width) {
          SmallVector<Value> results;
          for (const SmallVector<Value> &at : positions)
            for (Value value : values)
              results.push_back(
                  evaluator.emit(b, value.getLoc(), value, at, width));
          for (auto [number, result] : llvm::enumerate(results)) {
            size_t which = number % values.size();
            emitStore(b, values[which].getLoc(), result,
                      operands[narrow.getNumInputs() + which],
                      positions[number / values.size()]);
          }
        },
        operands, &evaluator);
    // A bias is read once for all vectors of a thread.
    IRRewriter rewriter(b);
    DominanceInfo dominance(device);
    eliminateCommonSubExpressions(rewriter, dominance, device);
    device.walk([](Block *block) { moveLoadsUp(block); });
    return SmallVector<::mlir::gpu::GPUFuncOp>{device};
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    Collapsed collapsed(kernel);
    TilePlan plan = getPlan(collapsed.getKernel());
    TileLaunch launch = emitTileLaunch(
        b, loc, plan,
        collapsed.collapseSizes(
            b, loc, sizesOf(b, loc, operands[kernel.getNumInputs()])));
    SmallVector<Value> all(operands);
    if (launch.argument)
      all.push_back(launch.argument);
    createLaunch(b, loc, functions.front(), launch.grid, all);
    return success();
  }

private:
  static ArrayRef<int64_t> shapeOf(const Kernel &kernel, unsigned result) {
    return kernel.getBufferType(kernel.getNumInputs() + result).getShape();
  }

  /// How the rows of the kernel's results are peeled; nothing if they cannot
  /// be.
  static std::optional<Peeling> getPeeling(const Kernel &kernel) {
    ArrayRef<int64_t> shape = shapeOf(kernel, 0);
    if (shape.size() < 2 || !Evaluator::hasVectorForm(kernel))
      return std::nullopt;
    SmallVector<unsigned> full, others;
    SameShape same(kernel);
    int64_t bytes = 1;
    for (auto [operand, type] : llvm::enumerate(kernel.operandTypes)) {
      auto buffer = dyn_cast<MemRefType>(type);
      if (!buffer || buffer.getRank() == 0)
        continue;
      if (same(getTensor(kernel, kernel.getNumInputs()),
               getTensor(kernel, operand))) {
        full.push_back(operand);
        bytes = std::max(bytes, getBytes(buffer.getElementType()));
      } else if (!ShapedType::isDynamic(shape.back()) &&
                 buffer.getShape().back() == shape.back()) {
        others.push_back(operand);
      }
    }
    std::optional<Peeling> peeling =
        Peeling::get(kernel, full, others, std::max<int64_t>(1, 16 / bytes));
    // What is written is aligned like the leader, or it is no vector.
    for (unsigned operand : full)
      if (peeling && operand >= kernel.getNumInputs() &&
          peeling->getAlignment(operand) !=
              getBytes(kernel.getBufferType(operand).getElementType()) *
                  peeling->getWidth())
        return std::nullopt;
    // In shorter rows most elements would be edges.
    if (peeling && !ShapedType::isDynamic(shape.back()) &&
        shape.back() < 2 * peeling->getLeastColumns())
      return std::nullopt;
    return peeling;
  }

  /// How much of a vector of `width` elements is aligned in every row of the
  /// operands that have the shape of the results, in elements; 0 if types do
  /// not say it.
  static int64_t getAlignedWidth(const Kernel &kernel, int64_t width) {
    for (Type type : kernel.operandTypes) {
      auto buffer = dyn_cast<MemRefType>(type);
      if (!buffer ||
          buffer.getRank() < static_cast<int64_t>(shapeOf(kernel, 0).size()))
        continue;
      auto [strides, offset] = buffer.getStridesAndOffset();
      for (auto [dim, stride] :
           llvm::enumerate(ArrayRef(strides).drop_back())) {
        if (buffer.getDimSize(dim) == 1)
          continue;
        if (ShapedType::isDynamic(stride))
          return 0;
        while (stride % width != 0)
          width /= 2;
      }
    }
    return width;
  }

  /// What is read again in each row, a bias say, comes from a cache, and may
  /// take several loads.
  static TilePlan getPlan(const Kernel &kernel) {
    ArrayRef<int64_t> shape = shapeOf(kernel, 0);
    auto makePlan = [&](int64_t width) {
      TilePlan plan = planTile(shape, width, kUnroll);
      if (kernel.mapBlocks)
        plan.maxBlocks = kernel.mapBlocks;
      return plan;
    };
    TilePlan plan = makePlan(chooseWidth(kernel, /*minRank=*/shape.size()));
    std::optional<Peeling> peeling = getPeeling(kernel);
    if (!peeling)
      return plan;
    int64_t width = peeling->getWidth();
    int64_t aligned = getAlignedWidth(kernel, width);
    // Half of a vector is nearly as good as a whole one.
    if (aligned != 0 && aligned * 2 >= width)
      return plan;
    TilePlan peeled = makePlan(width);
    if (peeled.layout.isLinear || peeled.layout.width != width)
      return plan;
    peeled.peeling = peeling;
    peeled.mayBeAligned = aligned == 0;
    return peeled;
  }
};
} // namespace

const Schedule &amp::gpu::getMapSchedule() {
  static const MapSchedule schedule;
  return schedule;
}
