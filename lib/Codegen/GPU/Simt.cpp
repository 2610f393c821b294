//===- Simt.cpp - the schedule of any kernel ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameShape.h"
#include "Tile.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp::gpu;

/// Rows of one thread's tile: a contraction reads each element of its right
/// operand once for all of them.
static constexpr int64_t kUnroll = 4;
/// Threads that fill a large device: with fewer, narrower tiles are better.
static constexpr int64_t kEnoughThreads = 132 * 256;

namespace {
/// One device function: tensors of one shape, and where they go.
struct Phase {
  SmallVector<Value> tensors;
  /// Numbers of arguments of the device function.
  SmallVector<unsigned> destinations;
};

/// What is computed apart, and into what, so that nothing is reduced twice.
struct Phases {
  explicit Phases(const Kernel &kernel);

  /// The tensors that have a buffer of their own, each in a phase.
  SmallVector<Value> staged;
  SmallVector<Phase> phases;

  MemRefType getStageType(unsigned number) const {
    auto type = cast<RankedTensorType>(staged[number].getType());
    return MemRefType::get(type.getShape(), type.getElementType(),
                           MemRefLayoutAttrInterface(), memorySpace);
  }
  Attribute memorySpace;
};
} // namespace

/// Whether each element of what `operand`'s op gives needs one element of it,
/// which nothing else there needs.
static bool isReadOnce(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    for (Operation &nested : *linalgOp.getBlock())
      if (isa<tensor::ExtractOp>(nested))
        return false;
    return linalgOp.getNumReductionLoops() == 0 &&
           linalgOp.getMatchingIndexingMap(&operand).isPermutation();
  }
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::PadOp, func::ReturnOp>(op);
}

/// Whether all that depends on a result of `op` needs each of its elements
/// once, in a phase with `group` of the kernel's results.
static bool isFusable(Operation *op, ArrayRef<SmallVector<unsigned>> groups) {
  SmallVector<Value> worklist(op->getResults());
  llvm::SetVector<Value> seen(worklist.begin(), worklist.end());
  llvm::SmallBitVector reached(groups.size());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (user->getParentOp() != op->getParentOp() || !isReadOnce(use))
        return false;
      if (isa<func::ReturnOp>(user))
        for (auto [number, group] : llvm::enumerate(groups))
          if (llvm::is_contained(group, use.getOperandNumber()))
            reached.set(number);
      for (Value result : user->getResults())
        if (seen.insert(result))
          worklist.push_back(result);
    }
  }
  return reached.count() <= 1;
}

Phases::Phases(const Kernel &kernel) {
  func::FuncOp function = kernel.function;
  memorySpace = ::mlir::gpu::AddressSpaceAttr::get(
      function.getContext(), ::mlir::gpu::AddressSpace::Global);
  Block &body = function.getBody().front();
  ValueRange results = body.getTerminator()->getOperands();
  // Results of one shape share a phase.
  SameShape same(kernel);
  SmallVector<SmallVector<unsigned>> groups;
  for (auto [number, result] : llvm::enumerate(results)) {
    Value own = result;
    auto *it = llvm::find_if(groups, [&](const SmallVector<unsigned> &group) {
      return same(results[group.front()], own);
    });
    if (it != groups.end())
      it->push_back(number);
    else
      groups.push_back({static_cast<unsigned>(number)});
  }
  unsigned numOperands = kernel.operandTypes.size();
  auto reductions = llvm::make_filter_range(
      body.getOps<linalg::LinalgOp>(),
      [](linalg::LinalgOp op) { return op.getNumReductionLoops() != 0; });
  bool isOnly = llvm::hasSingleElement(reductions);
  for (linalg::LinalgOp op : reductions) {
    if (isOnly && isFusable(op, groups))
      continue;
    // Results that are indexed alike share a phase.
    SmallVector<AffineMap> maps;
    unsigned first = phases.size();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      auto *it = llvm::find(maps, map);
      size_t number = it - maps.begin();
      if (it == maps.end()) {
        maps.push_back(map);
        phases.emplace_back();
      }
      Phase &phase = phases[first + number];
      Value result = op.getTiedOpResult(&init);
      phase.tensors.push_back(result);
      phase.destinations.push_back(numOperands + staged.size());
      staged.push_back(result);
    }
  }
  for (ArrayRef<unsigned> group : groups) {
    Phase &phase = phases.emplace_back();
    for (unsigned number : group) {
      phase.tensors.push_back(results[number]);
      phase.destinations.push_back(kernel.getNumInputs() + number);
    }
  }
}

/// Reads a buffer that another device function has written.
static Evaluator::Reader readFrom(Value buffer) {
  return [buffer](OpBuilder &b, Location loc, ValueRange indices,
                  int64_t width) -> Value {
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    if (width == 1)
      return memref::LoadOp::create(b, loc, buffer, indices);
    auto type = VectorType::get({width}, element);
    if (Evaluator::isLoadable(element)) {
      int64_t bytes =
          element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
      return vector::LoadOp::create(
          b, loc, type, buffer, indices, /*nontemporal=*/false,
          llvm::MaybeAlign(std::min<int64_t>(16, bytes * width)));
    }
    SmallVector<Value> elements;
    SmallVector<Value> at(indices);
    for (int64_t lane = 0; lane < width; ++lane) {
      at.back() = arith::AddIOp::create(
          b, loc, indices.back(), arith::ConstantIndexOp::create(b, loc, lane));
      elements.push_back(memref::LoadOp::create(b, loc, buffer, at));
    }
    return vector::FromElementsOp::create(b, loc, type, elements);
  };
}

/// The reduction that a phase computes, or null: what it reads of others was
/// staged.
static linalg::LinalgOp getReduction(const Phases &phases, const Phase &phase,
                                     unsigned numOperands) {
  if (phase.destinations.front() >= numOperands)
    return phase.tensors.front().getDefiningOp<linalg::LinalgOp>();
  auto isStaged = [&](Value value) {
    return llvm::is_contained(phases.staged, value);
  };
  SmallVector<Value> worklist = phase.tensors;
  llvm::DenseSet<Value> seen(worklist.begin(), worklist.end());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || isStaged(value))
      continue;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalgOp.getNumReductionLoops() != 0)
      return linalgOp;
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        worklist.push_back(operand);
  }
  return {};
}

/// Whether neighbouring results of `op` read neighbouring elements of an input.
static bool readsAlongColumns(linalg::LinalgOp op) {
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getNumResults() == 0)
    return false;
  auto column = dyn_cast<AffineDimExpr>(out.getResults().back());
  return column && llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
           AffineMap map = op.getMatchingIndexingMap(in);
           return map.getNumResults() != 0 &&
                  map.getResults().back().isFunctionOfDim(column.getPosition());
         });
}

/// Whether `op` is a convolution of each channel by itself.
static bool isDepthwise(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  return succeeded(dims) && dims->inputChannel.empty() && !dims->depth.empty();
}

static TilePlan getPlan(const Kernel &kernel, const Phases &phases,
                        const Phase &phase) {
  auto type = cast<RankedTensorType>(phase.tensors.front().getType());
  ArrayRef<int64_t> shape = type.getShape();
  if (phase.destinations.front() < kernel.operandTypes.size())
    shape = kernel.getBufferType(phase.destinations.front()).getShape();
  linalg::LinalgOp reduction =
      getReduction(phases, phase, kernel.operandTypes.size());
  // Images decide, of which each tap reads a vector: not biases, which are
  // read once.
  int64_t width = reduction && isDepthwise(reduction)
                      ? chooseWidth(kernel, /*minRank=*/shape.size())
                      : chooseWidth(kernel);
  int64_t total = ShapedType::isDynamicShape(shape)
                      ? ShapedType::kDynamic
                      : ShapedType::getNumElements(shape);
  if (!ShapedType::isDynamic(total))
    while (width > 1 && total < kEnoughThreads * width)
      width /= 2;
  int64_t unroll = kUnroll;
  if (reduction) {
    if (!readsAlongColumns(reduction))
      width = 1;
    // Only rows of a tile share what they read.
    if (shape.size() < 2)
      unroll = 1;
  }
  return planTile(shape, width, unroll);
}

namespace {
class SimtSchedule : public Schedule {
public:
  StringRef getName() const override { return "simt"; }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    return Evaluator::check(kernel, reason);
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    func::FuncOp function = kernel.function;
    Phases phases(kernel);
    SmallVector<::mlir::gpu::GPUFuncOp> functions;
    for (auto [number, phase] : llvm::enumerate(phases.phases)) {
      TilePlan plan = getPlan(kernel, phases, phase);
      SmallVector<Type> types = kernel.operandTypes;
      for (unsigned stage = 0; stage < phases.staged.size(); ++stage)
        types.push_back(phases.getStageType(stage));
      if (plan.needsArgument())
        types.push_back(IndexType::get(function.getContext()));
      std::string name = function.getName().str();
      if (phases.phases.size() > 1)
        name += "_" + std::to_string(number);
      Location loc = phase.tensors.front().getLoc();
      functions.push_back(
          createDeviceFunction(module, loc, name, types,
                               static_cast<unsigned>(plan.layout.threads)));
      emitPhase(kernel, phases, phase, plan, functions.back());
    }
    return functions;
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    Phases phases(kernel);
    Evaluator evaluator(kernel, operands);
    SmallVector<Value> all(operands), stages;
    for (auto [number, tensor] : llvm::enumerate(phases.staged)) {
      MemRefType type = phases.getStageType(number);
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(evaluator.emitDim(b, loc, tensor, dim));
      stages.push_back(memref::AllocOp::create(b, loc, type, sizes));
    }
    llvm::append_range(all, stages);
    for (auto [phase, function] : llvm::zip_equal(phases.phases, functions)) {
      TileLaunch launch =
          emitTileLaunch(b, loc, getPlan(kernel, phases, phase),
                         sizesOf(b, loc, all[phase.destinations.front()]));
      SmallVector<Value> arguments = all;
      if (launch.argument)
        arguments.push_back(launch.argument);
      createLaunch(b, loc, function, launch.grid, arguments);
    }
    return success();
  }

private:
  static void emitPhase(const Kernel &kernel, const Phases &phases,
                        const Phase &phase, const TilePlan &plan,
                        ::mlir::gpu::GPUFuncOp function) {
    OpBuilder b(function.getBody().front().getTerminator());
    Location loc = function.getLoc();
    ValueRange arguments(function.getArguments());
    unsigned numOperands = kernel.operandTypes.size();
    Evaluator evaluator(kernel, arguments.take_front(numOperands));
    for (auto [number, tensor] : llvm::enumerate(phases.staged))
      if (!llvm::is_contained(phase.tensors, tensor) ||
          phase.destinations.front() < numOperands)
        evaluator.bind(tensor, readFrom(arguments[numOperands + number]));
    emitTile(b, loc, plan,
             sizesOf(b, loc, arguments[phase.destinations.front()]),
             plan.needsArgument() ? arguments.back() : Value(),
             [&](OpBuilder &b, ArrayRef<SmallVector<Value>> positions,
                 int64_t width) {
               SmallVector<Value> values =
                   evaluator.emitTile(b, loc, phase.tensors, positions, width);
               for (auto [number, value] : llvm::enumerate(values)) {
                 size_t which = number % phase.tensors.size();
                 emitStore(b, loc, value, arguments[phase.destinations[which]],
                           positions[number / phase.tensors.size()]);
               }
             });
  }
};
} // namespace

const Schedule &amp::gpu::getSimtSchedule() {
  static const SimtSchedule schedule;
  return schedule;
}
