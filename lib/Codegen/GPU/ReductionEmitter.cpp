//===- ReductionEmitter.cpp - device code of reductions -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionEmitter.h"

#include "amp/Codegen/Common/NeutralElement.h"
#include "amp/Codegen/GPU/ReductionLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

ReductionEmitter::ReductionEmitter(const Kernel &kernel,
                                   ReductionAnalysis &analysis,
                                   ::mlir::gpu::GPUFuncOp function)
    : kernel(kernel), analysis(analysis), function(function),
      loc(kernel.function->getLoc()),
      evaluator(kernel,
                function.getArguments().take_front(kernel.operandTypes.size())),
      finished(analysis.reductions.size()) {
  OpBuilder b(function.getBody().front().getTerminator());
  for (const ReductionAxis &axis : analysis.axes) {
    if (!ShapedType::isDynamic(axis.size)) {
      sizes.push_back(constant(b, axis.size));
      continue;
    }
    sizes.push_back(memref::DimOp::create(
        b, loc, function.getArgument(axis.argument), axis.dim));
  }
  for (KernelReduction &reduction : analysis.reductions)
    for (unsigned i = 0; i != reduction.getNumResults(); ++i)
      evaluator.bind(reduction.op->getResult(i),
                     [this, &reduction, i](OpBuilder &b, Location,
                                           ValueRange indices, int64_t width) {
                       return readResult(b, reduction, i, indices, width);
                     });
}

Value ReductionEmitter::readResult(OpBuilder &b, KernelReduction &reduction,
                                   unsigned result, ValueRange indices,
                                   int64_t width) {
  ArrayRef<Partial> lanes = finished[getNumber(&reduction)];
  if (lanes.size() == 1)
    return Evaluator::toVector(b, loc, lanes.front()[result], width);
  if (width > 1) {
    SmallVector<Value> elements;
    for (const Partial &lane : lanes)
      elements.push_back(lane[result]);
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({width}, elements.front().getType()), elements);
  }
  // One lane of several: the one as far from the first as the index is.
  SmallVector<int> axes = *analysis.getAxes(reduction.op->getResult(result));
  Value index = indices[llvm::find(axes, laneAxis) - axes.begin()];
  if (index == laneBase)
    return lanes.front()[result];
  APInt step;
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (sum && sum.getLhs() == laneBase &&
      matchPattern(sum.getRhs(), m_ConstantInt(&step)))
    return lanes[step.getZExtValue()][result];
  Value distance = arith::SubIOp::create(b, loc, index, laneBase);
  Value value = lanes.front()[result];
  for (size_t lane = 1; lane != lanes.size(); ++lane)
    value = arith::SelectOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, distance,
                              constant(b, lane)),
        lanes[lane][result], value);
  return value;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value ReductionEmitter::constant(OpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value ReductionEmitter::add(OpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y);
}
Value ReductionEmitter::mul(OpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}
Value ReductionEmitter::min(OpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(loc, x, y);
}
Value ReductionEmitter::less(OpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
}

Value ReductionEmitter::getSize(OpBuilder &b, unsigned first, unsigned last) {
  Value size = constant(b, 1);
  for (unsigned axis = first; axis != last; ++axis)
    size = axis == first ? sizes[axis] : mul(b, size, sizes[axis]);
  return size;
}

SmallVector<Value> ReductionEmitter::delinearize(OpBuilder &b, Value linear,
                                                 unsigned first,
                                                 unsigned last) {
  SmallVector<Value> indices(last - first);
  for (unsigned axis = last; axis-- != first;) {
    if (axis == first) {
      indices[0] = linear;
      break;
    }
    indices[axis - first] =
        b.createOrFold<arith::RemUIOp>(loc, linear, sizes[axis]);
    linear = b.createOrFold<arith::DivUIOp>(loc, linear, sizes[axis]);
  }
  return indices;
}

SmallVector<Value> ReductionEmitter::getIndices(OpBuilder &b, Value tensor,
                                                ValueRange point) {
  SmallVector<Value> indices;
  SmallVector<int> axes = *analysis.getAxes(tensor);
  for (int axis : axes)
    indices.push_back(axis < 0 ? constant(b, 0) : point[axis]);
  return indices;
}

void ReductionEmitter::preload(OpBuilder &b, ArrayRef<Value> arguments,
                               ValueRange point, unsigned width) {
  for (Value argument : arguments) {
    if (!analysis.isReduced(argument))
      continue;
    // Vectors lie along the last axis.
    SmallVector<int> axes = *analysis.getAxes(argument);
    bool isAlong = axes.back() == static_cast<int>(analysis.axes.size()) - 1;
    if (width == 1 || isAlong)
      evaluator.emit(b, loc, argument, getIndices(b, argument, point), width);
  }
}

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

SmallVector<KernelReduction *> ReductionEmitter::getPhase(unsigned phase) {
  SmallVector<KernelReduction *> result;
  for (KernelReduction &reduction : analysis.reductions)
    if (reduction.phase == phase)
      result.push_back(&reduction);
  return result;
}

Partial ReductionEmitter::startOf(OpBuilder &b, KernelReduction &reduction,
                                  ValueRange point) {
  Partial partial;
  for (unsigned i = 0; i != reduction.getNumResults(); ++i) {
    OpOperand *init = reduction.op.getDpsInitOperand(i);
    SmallVector<Value> iteration;
    for (int axis : reduction.axes)
      iteration.push_back(axis < 0 || axis >= int(analysis.numKept)
                              ? constant(b, 0)
                              : point[axis]);
    partial.push_back(evaluator.emitOperand(b, *init, iteration));
  }
  return partial;
}

Partial ReductionEmitter::start(OpBuilder &b, KernelReduction &reduction,
                                ValueRange point) {
  if (reduction.condition) {
    Partial partial = startOf(b, reduction, point);
    partial.push_back(constant(b, -1));
    return partial;
  }
  Partial partial;
  for (Operation *combiner : reduction.combiners)
    partial.push_back(
        arith::ConstantOp::create(b, loc, *getNeutralElement(combiner)));
  return partial;
}

Partial ReductionEmitter::finish(OpBuilder &b, KernelReduction &reduction,
                                 Partial partial, ValueRange point) {
  if (reduction.condition) {
    partial.pop_back();
    return partial;
  }
  Partial init = startOf(b, reduction, point);
  for (auto [i, combiner] : llvm::enumerate(reduction.combiners)) {
    TypedAttr neutral = *getNeutralElement(combiner);
    Attribute value;
    if (matchPattern(init[i], m_Constant(&value))) {
      auto number = dyn_cast<FloatAttr>(value);
      // Both zeros are neutral: a sum that starts from +0 is never -0.
      if (value == neutral || (number && number.getValue().isZero() &&
                               cast<FloatAttr>(neutral).getValue().isZero()))
        continue;
    }
    Operation *merged = b.clone(*combiner);
    merged->setOperands({init[i], partial[i]});
    partial[i] = merged->getResult(0);
  }
  return partial;
}

/// Lane `lane` of a vector, or the scalar that all lanes share.
static Value getLane(OpBuilder &b, Location loc, Value value, unsigned lane) {
  return isVector(value) ? vector::ExtractOp::create(b, loc, value, lane)
                         : value;
}

static Partial select(OpBuilder &b, Location loc, Value condition,
                      const Partial &x, const Partial &y) {
  Partial result;
  for (auto [a, c] : llvm::zip_equal(x, y))
    result.push_back(
        b.createOrFold<arith::SelectOp>(loc, condition, Value(a), Value(c)));
  return result;
}

Partial ReductionEmitter::accumulate(OpBuilder &b, KernelReduction &reduction,
                                     Partial partial, ValueRange point,
                                     unsigned width, int vectorAxis,
                                     unsigned lane, Value position,
                                     Value valid) {
  linalg::LinalgOp op = reduction.op;
  SmallVector<Value> iteration;
  int64_t vectorLoop = -1;
  for (auto [loop, axis] : llvm::enumerate(reduction.axes)) {
    iteration.push_back(axis < 0 ? constant(b, 0) : point[axis]);
    if (axis == vectorAxis && axis >= 0)
      vectorLoop = loop;
  }
  SmallVector<Value> elements;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value element =
        op.payloadUsesValueFromOperand(operand)
            ? evaluator.emitOperand(b, *operand, iteration, width, vectorLoop)
            : Value();
    elements.push_back(element ? getLane(b, loc, element, lane) : element);
  }
  bool usesIndex = !op.getBlock()->getOps<linalg::IndexOp>().empty();
  if (lane && vectorLoop >= 0 && usesIndex)
    iteration[vectorLoop] = add(b, iteration[vectorLoop], constant(b, lane));

  Partial next;
  if (!reduction.condition) {
    llvm::append_range(elements, partial);
    next = Partial(evaluator.emitPayload(b, op, elements, iteration));
  } else {
    IRMapping mapping;
    for (auto [argument, value] :
         llvm::zip(op.getBlock()->getArguments(), elements))
      if (value)
        mapping.map(argument, value);
    for (unsigned i = 0; i != reduction.getNumResults(); ++i)
      mapping.map(reduction.getAccumulator(i), partial[i]);
    for (Operation &nested : op.getBlock()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(nested))
        mapping.map(index.getResult(), iteration[index.getDim()]);
      else
        b.clone(nested, mapping);
    }
    for (Operation *combiner : reduction.combiners)
      next.push_back(mapping.lookup(combiner->getResult(0)));
    Value condition = mapping.lookup(reduction.condition);
    Value x = position, y = partial.back();
    if (!reduction.takesIfTrue)
      std::swap(x, y);
    next.push_back(arith::SelectOp::create(b, loc, condition, x, y));
  }
  return valid ? select(b, loc, valid, next, partial) : next;
}

Partial ReductionEmitter::combine(OpBuilder &b, KernelReduction &reduction,
                                  Partial x, Partial y) {
  Partial result;
  if (!reduction.condition) {
    for (auto [i, combiner] : llvm::enumerate(reduction.combiners)) {
      Operation *merged = b.clone(*combiner);
      merged->setOperands({x[i], y[i]});
      result.push_back(merged->getResult(0));
    }
    return result;
  }
  // The one that comes first in the row is the accumulator.
  Value swaps = less(b, y.back(), x.back());
  Partial first = select(b, loc, swaps, y, x);
  Partial second = select(b, loc, swaps, x, y);
  IRMapping mapping;
  for (unsigned i = 0; i != reduction.getNumResults(); ++i) {
    mapping.map(reduction.elements[i], second[i]);
    mapping.map(reduction.getAccumulator(i), first[i]);
  }
  for (Operation *op : reduction.slice)
    b.clone(*op, mapping);
  for (Operation *combiner : reduction.combiners)
    result.push_back(mapping.lookup(combiner->getResult(0)));
  Value taken = second.back(), kept = first.back();
  if (!reduction.takesIfTrue)
    std::swap(taken, kept);
  result.push_back(arith::SelectOp::create(
      b, loc, mapping.lookup(reduction.condition), taken, kept));
  return result;
}

Partial ReductionEmitter::combineAll(OpBuilder &b, KernelReduction &reduction,
                                     SmallVector<Partial> partials) {
  while (partials.size() > 1) {
    SmallVector<Partial> merged;
    for (size_t i = 0; i + 1 < partials.size(); i += 2)
      merged.push_back(combine(b, reduction, partials[i], partials[i + 1]));
    if (partials.size() % 2)
      merged.push_back(partials.back());
    partials = std::move(merged);
  }
  return partials.front();
}

//===----------------------------------------------------------------------===//
// Exchanges between threads
//===----------------------------------------------------------------------===//

/// A shuffle moves 32 bits: the value of the thread whose number differs in the
/// bits of `offset`.
Value ReductionEmitter::shuffle(OpBuilder &b, Value value, unsigned offset) {
  Type type = value.getType();
  auto move = [&](Value word) {
    return ::mlir::gpu::ShuffleOp::create(b, loc, word, offset, kWarpThreads,
                                          ::mlir::gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (type.isF32() || type.isInteger(32))
    return move(value);
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  if (type.isIndex()) {
    Value wide = arith::IndexCastOp::create(b, loc, i64, value);
    return arith::IndexCastOp::create(b, loc, type, shuffle(b, wide, offset));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  if (!type.isInteger())
    value = arith::BitcastOp::create(b, loc, integer, value);
  if (bits < 32) {
    value = arith::ExtUIOp::create(b, loc, i32, value);
    value = arith::TruncIOp::create(b, loc, integer, move(value));
  } else {
    if (bits < 64)
      value = arith::ExtUIOp::create(b, loc, i64, value);
    Value shift = arith::ConstantIntOp::create(b, loc, i64, 32);
    Value high = arith::ShRUIOp::create(b, loc, value, shift);
    auto half = [&](Value v) {
      Value word = move(arith::TruncIOp::create(b, loc, i32, v));
      return arith::ExtUIOp::create(b, loc, i64, word).getResult();
    };
    Value low = half(value);
    high = arith::ShLIOp::create(b, loc, half(high), shift);
    value = arith::OrIOp::create(b, loc, high, low);
    if (bits < 64)
      value = arith::TruncIOp::create(b, loc, integer, value);
  }
  if (type.isInteger())
    return value;
  return arith::BitcastOp::create(b, loc, type, value);
}

Partial ReductionEmitter::mergeWarp(OpBuilder &b, KernelReduction &reduction,
                                    Partial partial, unsigned threads) {
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    Partial other;
    for (Value value : partial)
      other.push_back(shuffle(b, value, offset));
    partial = combine(b, reduction, partial, other);
  }
  return partial;
}

/// The element type of buffers for partial results of `type`.
static Type getStorageType(Type type) {
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 8)
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Value ReductionEmitter::createShared(Type type, int64_t size) {
  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      type.getContext(), ::mlir::gpu::AddressSpace::Workgroup);
  auto buffer = MemRefType::get({size}, getStorageType(type),
                                MemRefLayoutAttrInterface(), space);
  unsigned index = nextShared++;
  if (index != function.getNumWorkgroupAttributions())
    return function.getWorkgroupAttributions()[index];
  Value shared = function.addWorkgroupAttribution(buffer, loc);
  function.setWorkgroupAttributionAttr(
      index, "llvm.align", Builder(type.getContext()).getI64IntegerAttr(16));
  return shared;
}

Value ReductionEmitter::load(OpBuilder &b, Value buffer, ValueRange indices,
                             Type type) {
  Value value = memref::LoadOp::create(b, loc, buffer, indices);
  if (value.getType() != type)
    value = arith::TruncIOp::create(b, loc, type, value);
  return value;
}

void ReductionEmitter::store(OpBuilder &b, Value value, Value buffer,
                             ValueRange indices) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  if (value.getType() != type)
    value = arith::ExtUIOp::create(b, loc, type, value);
  memref::StoreOp::create(b, loc, value, buffer, indices);
}

SmallVector<Partial> ReductionEmitter::mergeBlock(
    OpBuilder &b, ArrayRef<KernelReduction *> reductions,
    SmallVector<Partial> partials, Value thread, unsigned threads) {
  for (auto [reduction, partial] : llvm::zip_equal(reductions, partials))
    partial =
        mergeWarp(b, *reduction, partial, std::min(threads, kWarpThreads));
  if (threads <= kWarpThreads)
    return partials;

  unsigned warps = threads / kWarpThreads;
  Value warpSize = constant(b, kWarpThreads);
  Value lane = arith::RemUIOp::create(b, loc, thread, warpSize);
  Value warp = arith::DivUIOp::create(b, loc, thread, warpSize);
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                                        constant(b, 0));
  // Every exchange has shared memory of its own, so that no barrier is needed
  // before the next one writes.
  SmallVector<SmallVector<Value>> buffers;
  for (const Partial &partial : partials)
    buffers.push_back(llvm::map_to_vector(
        partial, [&](Value v) { return createShared(v.getType(), warps); }));
  auto guard = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder inner = guard.getThenBodyBuilder();
  for (auto [partial, shared] : llvm::zip_equal(partials, buffers))
    for (auto [value, buffer] : llvm::zip_equal(partial, shared))
      store(inner, value, buffer, warp);
  ::mlir::gpu::BarrierOp::create(b, loc);
  // Every thread merges all: no second barrier, no broadcast.
  for (auto [i, reduction] : llvm::enumerate(reductions)) {
    SmallVector<Partial> all(warps, Partial(partials[i].size()));
    for (auto [j, buffer] : llvm::enumerate(buffers[i])) {
      Type type = partials[i][j].getType();
      unsigned step = type.isF32() || type.isInteger(32) ? 4 : 1;
      for (unsigned w = 0; w != warps; w += step) {
        if (step == 1) {
          all[w][j] = load(b, buffer, constant(b, w), type);
          continue;
        }
        auto words =
            vector::LoadOp::create(b, loc, VectorType::get({step}, type),
                                   buffer, ValueRange{constant(b, w)});
        sharedLoads.push_back(words);
        for (unsigned k = 0; k != step; ++k)
          all[w + k][j] = vector::ExtractOp::create(b, loc, words, k);
      }
    }
    partials[i] = combineAll(b, *reduction, all);
  }
  return partials;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static Value getReturned(const Kernel &kernel, unsigned result) {
  return getTensor(kernel, kernel.getNumInputs() + result);
}

bool ReductionEmitter::isFull(unsigned result) {
  return analysis.isReduced(getReturned(kernel, result));
}

void ReductionEmitter::storeResult(OpBuilder &b, unsigned result,
                                   ValueRange point, unsigned width,
                                   int vectorAxis) {
  Value returned = getReturned(kernel, result);
  Value buffer = function.getArgument(kernel.getNumInputs() + result);
  auto type = cast<MemRefType>(buffer.getType());
  if (width > 1 && analysis.getAxes(returned)->back() != vectorAxis) {
    for (unsigned lane = 0; lane != width; ++lane) {
      SmallVector<Value> at(point);
      at[vectorAxis] = add(b, at[vectorAxis], constant(b, lane));
      storeResult(b, result, at, 1, vectorAxis);
    }
    return;
  }
  SmallVector<Value> indices = getIndices(b, returned, point);
  Value value = evaluator.emit(b, loc, returned, indices, width);
  Type element = type.getElementType();
  if (width == 1) {
    memref::StoreOp::create(b, loc, value, buffer, indices);
    return;
  }
  if (Evaluator::isLoadable(element) && type.isLastDimUnitStride()) {
    int64_t bytes = element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
    int64_t alignment =
        peeling ? peeling->getAlignment(kernel.getNumInputs() + result)
                : std::min<int64_t>(16, bytes * width);
    vector::StoreOp::create(b, loc, value, buffer, indices,
                            /*nontemporal=*/false, llvm::MaybeAlign(alignment));
    return;
  }
  for (unsigned lane = 0; lane != width; ++lane) {
    SmallVector<Value> at(indices);
    at.back() = add(b, at.back(), constant(b, lane));
    memref::StoreOp::create(
        b, loc, vector::ExtractOp::create(b, loc, value, lane), buffer, at);
  }
}

void ReductionEmitter::alignSharedLoads() {
  for (vector::LoadOp op : sharedLoads)
    op.setAlignment(16);
}

unsigned amp::gpu::getFullVectorWidth(const Kernel &kernel,
                                      ReductionAnalysis &analysis) {
  if (!Evaluator::hasVectorForm(kernel))
    return 1;
  unsigned bits = 0;
  func::FuncOp function = kernel.function;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.getElementType().isIntOrFloat())
      continue;
    std::optional<SmallVector<int>> axes = analysis.getAxes(argument);
    if (!axes || llvm::count_if(*axes, [](int a) { return a >= 0; }) !=
                     static_cast<int64_t>(analysis.axes.size()))
      continue;
    // The destinations count only where there is no input of the whole shape.
    if (argument.getArgNumber() < kernel.getNumInputs() || !bits)
      bits = std::max(bits, type.getElementTypeBitWidth());
  }
  unsigned width = bits < 8 ? 1 : std::max(1u, 128 / bits);
  return std::min(width, 8u);
}

unsigned amp::gpu::getVectorWidth(const Kernel &kernel,
                                  ReductionAnalysis &analysis, unsigned axis) {
  unsigned width = getFullVectorWidth(kernel, analysis);
  int64_t size = analysis.axes[axis].size;
  if (!ShapedType::isDynamic(size))
    while (size % width)
      width /= 2;
  return width;
}

void amp::gpu::emitByAlignment(
    OpBuilder &b, Location loc, unsigned width, Value size,
    llvm::function_ref<void(OpBuilder &, unsigned)> emit) {
  if (width == 1)
    return emit(b, 1);
  Value placeholder = arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1);
  auto branch = scf::IfOp::create(b, loc, placeholder, /*withElseRegion=*/true);
  OpBuilder inner = branch.getThenBodyBuilder();
  emit(inner, width);
  OpBuilder outer(branch);
  Value condition = emitAlignmentCheck(outer, loc, branch.getThenRegion());
  if (size) {
    Value rest = arith::RemUIOp::create(
        outer, loc, size, arith::ConstantIndexOp::create(outer, loc, width));
    Value divides =
        arith::CmpIOp::create(outer, loc, arith::CmpIPredicate::eq, rest,
                              arith::ConstantIndexOp::create(outer, loc, 0));
    condition = condition
                    ? arith::AndIOp::create(outer, loc, condition, divides)
                    : divides;
  }
  if (!condition) {
    // Nothing to test: the code stands where the branch was.
    Block *then = branch.thenBlock();
    then->getTerminator()->erase();
    branch->getBlock()->getOperations().splice(branch->getIterator(),
                                               then->getOperations());
    branch->erase();
    return;
  }
  branch.getConditionMutable().assign(condition);
  OpBuilder other = branch.getElseBodyBuilder();
  emit(other, 1);
}
