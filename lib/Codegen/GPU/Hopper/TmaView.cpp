//===- TmaView.cpp - tensors as TMA sees them -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaView.h"

#include "../Contraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Strides and addresses are multiples of so many bytes.
static constexpr int64_t kUnit = 16;
/// Coordinates are signed words, and tiles may reach beyond the last one.
static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1024;

static int64_t getBytes(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// Elements from one value of `loop` to the next; nothing if a stride is not
/// known.
static std::optional<int64_t> getStride(const TmaView &view, unsigned loop,
                                        ArrayRef<int64_t> strides) {
  int64_t result = 0;
  for (auto [index, stride] : llvm::zip_equal(view.indices, strides)) {
    if (index[loop] == 0)
      continue;
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    result += index[loop] * stride;
  }
  return result;
}

FailureOr<TmaView> hopper::matchTmaView(const Kernel &kernel, unsigned argument,
                                        ArrayRef<AffineExpr> indices,
                                        ArrayRef<int64_t> sizes,
                                        ArrayRef<SmallVector<unsigned>> dims,
                                        std::string &reason) {
  TmaView view;
  view.argument = argument;
  for (AffineExpr index : indices) {
    auto form = getLinearForm(index, sizes.size());
    if (!form) {
      reason = "it is not indexed by sums of loops";
      return failure();
    }
    view.indices.push_back(*form);
  }
  MemRefType type = kernel.getBufferType(argument);
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t bytes = getBytes(type);
  auto fits = [&](int64_t elements) { return elements * bytes % kUnit == 0; };

  int64_t start = offset;
  for (auto [index, stride] : llvm::zip_equal(view.indices, strides)) {
    if (index.back() == 0)
      continue;
    start = ShapedType::isDynamic(start) || ShapedType::isDynamic(stride)
                ? ShapedType::kDynamic
                : start + index.back() * stride;
  }
  if (!ShapedType::isDynamic(start) && !fits(start)) {
    reason = "it starts " + std::to_string(start * bytes) +
             " bytes behind its buffer, no multiple of 16";
    return failure();
  }

  for (ArrayRef<unsigned> dim : dims) {
    bool isFirst = view.dims.empty();
    // Loops of one iteration need no stride.
    SmallVector<unsigned> &loops = view.dims.emplace_back();
    for (unsigned loop : dim)
      if (sizes[loop] != 1)
        loops.push_back(loop);
    for (unsigned loop : loops)
      if (!ShapedType::isDynamic(sizes[loop]) && sizes[loop] > kMaxSize) {
        reason = "it has " + std::to_string(sizes[loop]) +
                 " elements along a dimension";
        return failure();
      }
    if (loops.empty()) {
      // A dimension of the map all the same: that of the last loop.
      loops.push_back(dim.back());
      if (!isFirst)
        continue;
    }
    auto inner = getStride(view, loops.back(), strides);
    if (isFirst && (!inner || (*inner != 1 && sizes[loops.back()] != 1))) {
      reason = "its innermost loop does not walk from element to element";
      return failure();
    }
    if (!isFirst && inner && (*inner <= 0 || !fits(*inner))) {
      reason = "it has a stride of " + std::to_string(*inner * bytes) +
               " bytes, no multiple of 16";
      return failure();
    }
    for (size_t i = loops.size(); i-- > 1;) {
      auto outer = getStride(view, loops[i - 1], strides);
      auto step = getStride(view, loops[i], strides);
      if (outer && step && !ShapedType::isDynamic(sizes[loops[i]]) &&
          *outer != *step * sizes[loops[i]]) {
        reason = "loops " + std::to_string(loops[i - 1]) + " and " +
                 std::to_string(loops[i]) + " do not walk through it as one";
        return failure();
      }
    }
  }
  if (view.getRank() > kMaxTmaRank) {
    reason = "it has more than five dimensions";
    return failure();
  }

  constexpr int64_t kDynamic = ShapedType::kDynamic;
  SmallVector<int64_t> shape, steps;
  for (ArrayRef<unsigned> loops : llvm::reverse(view.dims)) {
    int64_t size = 1;
    for (unsigned loop : loops)
      size = size == kDynamic || ShapedType::isDynamic(sizes[loop])
                 ? kDynamic
                 : size * sizes[loop];
    shape.push_back(size);
    steps.push_back(getStride(view, loops.back(), strides).value_or(kDynamic));
    // Along a dimension of one element there are no steps.
    if (size == 1)
      steps.back() = kUnit;
  }
  steps.back() = 1;
  view.type =
      MemRefType::get(shape, type.getElementType(),
                      StridedLayoutAttr::get(type.getContext(), start, steps),
                      type.getMemorySpace());
  return view;
}

/// Adds `l == r`, unless that is known.
static void addEqual(const IndexBuilder &at, const IndexValue &l,
                     const IndexValue &r, SmallVectorImpl<Value> &conditions) {
  if (l.getConstant() && r.getConstant() &&
      *l.getConstant() == *r.getConstant())
    return;
  conditions.push_back(IndexValue::equal(at, l, r));
}

static void addMultiple(const IndexBuilder &at, const IndexValue &value,
                        SmallVectorImpl<Value> &conditions) {
  addEqual(at, value & (kUnit - 1), 0, conditions);
}

Value hopper::emitTmaView(const IndexBuilder &at, const TmaView &view,
                          Value buffer, ArrayRef<IndexValue> sizes,
                          SmallVectorImpl<Value> &conditions) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = getBytes(type);
  auto [knownStrides, knownOffset] = type.getStridesAndOffset();
  memref::ExtractStridedMetadataOp metadata;
  auto dynamic = [&] {
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(at.b, at.loc, buffer);
    return metadata;
  };
  SmallVector<IndexValue> strides;
  for (auto [dim, stride] : llvm::enumerate(knownStrides))
    strides.push_back(ShapedType::isDynamic(stride)
                          ? IndexValue(at, Value(dynamic().getStrides()[dim]))
                          : IndexValue(stride));
  IndexValue start = ShapedType::isDynamic(knownOffset)
                         ? IndexValue(at, Value(dynamic().getOffset()))
                         : IndexValue(knownOffset);
  for (auto [index, stride] : llvm::zip_equal(view.indices, strides))
    start = start + stride * index.back();
  auto strideOf = [&](unsigned loop) {
    IndexValue result = 0;
    for (auto [index, stride] : llvm::zip_equal(view.indices, strides))
      result = result + stride * index[loop];
    return result;
  };
  addMultiple(at, start * bytes, conditions);

  // What the type says is an attribute, the rest a value.
  auto [knownSteps, knownStart] = view.type.getStridesAndOffset();
  auto entry = [&](int64_t known, const IndexValue &value) -> OpFoldResult {
    if (ShapedType::isDynamic(known))
      return value.get(at);
    return at.b.getIndexAttr(known);
  };
  SmallVector<OpFoldResult> shape, steps;
  for (auto [dim, loops] : llvm::enumerate(llvm::reverse(view.dims))) {
    IndexValue size = 1;
    for (unsigned loop : loops)
      size = size * sizes[loop];
    // None is empty, either.
    if (!size.getConstant())
      conditions.push_back(IndexValue::less(at, size - 1, kMaxSize));
    for (size_t i = loops.size(); i-- > 1;)
      addEqual(at, strideOf(loops[i - 1]), strideOf(loops[i]) * sizes[loops[i]],
               conditions);
    IndexValue step = ShapedType::isDynamic(knownSteps[dim])
                          ? strideOf(loops.back())
                          : IndexValue(knownSteps[dim]);
    if (dim + 1 < view.getRank())
      addMultiple(at, step * bytes, conditions);
    shape.push_back(entry(view.type.getDimSize(dim), size));
    steps.push_back(entry(knownSteps[dim], step));
  }
  return memref::ReinterpretCastOp::create(
      at.b, at.loc, view.type, buffer, entry(knownStart, start), shape, steps);
}

LogicalResult hopper::emitWhere(const IndexBuilder &at,
                                ArrayRef<Value> conditions,
                                llvm::function_ref<void()> launch,
                                llvm::function_ref<LogicalResult()> otherwise) {
  if (conditions.empty()) {
    launch();
    return success();
  }
  Value all = conditions.front();
  for (Value condition : conditions.drop_front())
    all = arith::AndIOp::create(at.b, at.loc, all, condition);
  auto branch = scf::IfOp::create(at.b, at.loc, all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(at.b);
  at.b.setInsertionPoint(branch.thenBlock()->getTerminator());
  launch();
  at.b.setInsertionPoint(branch.elseBlock()->getTerminator());
  return otherwise();
}

void hopper::addAlignment(const IndexBuilder &at, ValueRange operands,
                          SmallVectorImpl<Value> &conditions) {
  llvm::SmallDenseSet<Value> seen;
  for (Value operand : operands) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    // Scalars are read alone.
    if (!type || type.getRank() == 0 || !seen.insert(operand).second)
      continue;
    auto [strides, offset] = type.getStridesAndOffset();
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8u);
    memref::ExtractStridedMetadataOp metadata;
    auto add = [&](int64_t known, auto get) {
      if (!ShapedType::isDynamic(known))
        return;
      if (!metadata)
        metadata =
            memref::ExtractStridedMetadataOp::create(at.b, at.loc, operand);
      addMultiple(at, IndexValue(at, get()) * bytes, conditions);
    };
    add(offset, [&]() -> Value { return metadata.getOffset(); });
    for (auto [dim, stride] : llvm::enumerate(strides))
      add(stride,
          [&, dim = dim]() -> Value { return metadata.getStrides()[dim]; });
  }
}
