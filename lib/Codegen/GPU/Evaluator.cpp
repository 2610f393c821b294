//===- Evaluator.cpp - the elements of a kernel's tensors -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Evaluator.h"

#include "amp/Codegen/GPU/Lanes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <set>

using namespace mlir;
using namespace mlir::amp::gpu;

Evaluator::Evaluator(const Kernel &kernel, ValueRange deviceArguments)
    : kernel(kernel), arguments(deviceArguments) {}

Value Evaluator::toVector(OpBuilder &b, Location loc, Value value,
                          int64_t width) {
  if (width == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({width}, value.getType()), value);
}

bool Evaluator::isLoadable(Type type) {
  if (type.isIndex())
    return true;
  return type.isIntOrFloat() &&
         llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth());
}

void Evaluator::bind(Value tensor, Reader read) {
  bindings[tensor] = std::move(read);
  forget();
}

//===----------------------------------------------------------------------===//
// What was emitted
//===----------------------------------------------------------------------===//

/// Whether `value` is defined before the insertion point of `b`, in its block
/// or one around it.
static bool isVisible(OpBuilder &b, Value value) {
  Block *block = value.getParentBlock();
  Block *at = b.getInsertionBlock();
  Operation *before = nullptr;
  if (at == block) {
    if (b.getInsertionPoint() != at->end())
      before = &*b.getInsertionPoint();
  } else {
    Operation *parent = at->getParentOp();
    before = parent ? block->findAncestorOpInBlock(*parent) : nullptr;
    if (!before)
      return false;
  }
  Operation *definition = value.getDefiningOp();
  return !definition || !before || definition->isBeforeInBlock(before);
}

std::optional<SmallVector<Value>>
Evaluator::lookup(OpBuilder &b, const Memo &memo, const Key &key) {
  auto it = memo.find(key);
  if (it == memo.end())
    return std::nullopt;
  for (const SmallVector<Value> &values : llvm::reverse(it->second))
    if (llvm::all_of(values, [&](Value v) { return isVisible(b, v); }))
      return values;
  return std::nullopt;
}

static void append(std::vector<const void *> &key,
                   ArrayRef<OpFoldResult> values) {
  for (OpFoldResult value : values)
    key.push_back(value.getOpaqueValue());
}

static const void *asKey(int64_t value) {
  return reinterpret_cast<const void *>(value);
}

/// A constant becomes an attribute, so that equal ones compare equal.
static OpFoldResult simplify(OpFoldResult value) {
  if (!value)
    return value;
  auto dynamic = dyn_cast<Value>(value);
  std::optional<int64_t> number = getConstantIntValue(value);
  if (!number)
    return value;
  MLIRContext *context =
      dynamic ? dynamic.getContext() : cast<Attribute>(value).getContext();
  return IntegerAttr::get(IndexType::get(context), *number);
}

static SmallVector<OpFoldResult> simplify(ValueRange values) {
  return llvm::map_to_vector(values,
                             [](Value v) { return simplify(OpFoldResult(v)); });
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

/// Whether `expr` cannot be negative; its operands are indices and sizes.
static bool isNonNegative(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return !binary ||
         (isNonNegative(binary.getLHS()) && isNonNegative(binary.getRHS()));
}

static Value expand(OpBuilder &b, Location loc, AffineExpr expr,
                    ValueRange dims, ValueRange symbols) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isNonNegative(expr))
    return affine::expandAffineExpr(b, loc, expr, dims, symbols);
  Value lhs = expand(b, loc, binary.getLHS(), dims, symbols);
  Value rhs = expand(b, loc, binary.getRHS(), dims, symbols);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
  case AffineExprKind::Mod:
    return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  default:
    return b.createOrFold<arith::CeilDivUIOp>(loc, lhs, rhs);
  }
}

OpFoldResult Evaluator::apply(OpBuilder &b, Location loc, AffineExpr expr,
                              ArrayRef<OpFoldResult> dims,
                              ArrayRef<OpFoldResult> symbols) {
  // Constants go into the expression.
  SmallVector<AffineExpr> dimExprs, symbolExprs;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> number =
        dim ? getConstantIntValue(dim) : std::nullopt;
    dimExprs.push_back(number ? b.getAffineConstantExpr(*number)
                              : b.getAffineDimExpr(index));
  }
  for (auto [index, symbol] : llvm::enumerate(symbols)) {
    std::optional<int64_t> number = getConstantIntValue(symbol);
    symbolExprs.push_back(number ? b.getAffineConstantExpr(*number)
                                 : b.getAffineSymbolExpr(index));
  }
  expr = simplifyAffineExpr(expr.replaceDimsAndSymbols(dimExprs, symbolExprs),
                            dims.size(), symbols.size());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return b.getIndexAttr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  Key key = {expr.getAsOpaquePointer()};
  append(key, dims);
  append(key, symbols);
  if (auto values = lookup(b, indices, key))
    return values->front();
  // An operand that the expression does not have may be null.
  SmallVector<Value> dimValues(dims.size()), symbolValues(symbols.size());
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim && expr.isFunctionOfDim(index))
      dimValues[index] = getValueOrCreateConstantIndexOp(b, loc, dim);
  for (auto [index, symbol] : llvm::enumerate(symbols))
    if (expr.isFunctionOfSymbol(index))
      symbolValues[index] = getValueOrCreateConstantIndexOp(b, loc, symbol);
  Value value = expand(b, loc, expr, dimValues, symbolValues);
  indices[key].push_back({value});
  return simplify(OpFoldResult(value));
}

OpFoldResult Evaluator::toDevice(OpBuilder &b, Location loc,
                                 OpFoldResult value) {
  if (auto scalar = dyn_cast<Value>(value);
      scalar && !getConstantIntValue(value))
    return simplify(OpFoldResult(emitScalar(b, loc, scalar)));
  return simplify(value);
}

SmallVector<OpFoldResult> Evaluator::toDevice(OpBuilder &b, Location loc,
                                              ArrayRef<OpFoldResult> values) {
  return llvm::map_to_vector(
      values, [&](OpFoldResult v) { return toDevice(b, loc, v); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value Evaluator::emit(OpBuilder &b, Location loc, Value tensor,
                      ValueRange indices, int64_t width) {
  Position p{simplify(indices), width};
  if (width > 1) {
    p.dim = indices.size() - 1;
    p.multiple = vectorReader ? 1 : width;
  }
  return toVector(b, loc, at(b, loc, tensor, p), width);
}

Value Evaluator::at(OpBuilder &b, Location loc, Value tensor,
                    const Position &p) {
  if (auto it = bindings.find(tensor); it != bindings.end())
    return readBound(b, loc, it->second, p);
  Key key = {tensor.getAsOpaquePointer(), asKey(p.width), asKey(p.dim),
             asKey(p.multiple)};
  append(key, p.indices);
  if (auto values = lookup(b, emitted, key))
    return values->front();
  Value value = compute(b, loc, tensor, p);
  emitted[key].push_back({value});
  return value;
}

Value Evaluator::compute(OpBuilder &b, Location loc, Value tensor,
                         const Position &p) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return load(b, loc, argument.getArgNumber(), p);
  auto result = cast<OpResult>(tensor);
  if (auto op = dyn_cast<linalg::LinalgOp>(result.getOwner()))
    return linalgAt(b, op, result.getResultNumber(), p);
  return tensorOpAt(b, result.getOwner(), p);
}

Value Evaluator::lanes(OpBuilder &b, Location loc, const Position &p,
                       Emit emit) {
  if (p.width == 1)
    return emit(p);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < p.width; ++lane) {
    Position q{p.indices};
    q.indices[p.dim] =
        apply(b, loc, b.getAffineDimExpr(0) + lane, p.indices[p.dim]);
    elements.push_back(emit(q));
  }
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({p.width}, elements.front().getType()), elements);
}

/// Whether the rows of a buffer can all start at multiples of `alignment`
/// bytes.
static bool mayBeAligned(MemRefType type, int64_t bytes, int64_t alignment) {
  auto [strides, offset] = type.getStridesAndOffset();
  auto fits = [&](int64_t elements) {
    return ShapedType::isDynamic(elements) || elements * bytes % alignment == 0;
  };
  for (auto [dim, stride] : llvm::enumerate(ArrayRef(strides).drop_back()))
    if (type.getDimSize(dim) != 1 && !fits(stride))
      return false;
  return fits(offset);
}

Value Evaluator::load(OpBuilder &b, Location loc, unsigned argument,
                      const Position &p) {
  Value buffer = arguments[argument];
  auto type = cast<MemRefType>(buffer.getType());
  auto indices = [&](const Position &q) {
    return getValueOrCreateConstantIndexOp(b, loc, q.indices);
  };
  Type element = type.getElementType();
  if (p.width > 1 && p.dim == type.getRank() - 1 && isLoadable(element) &&
      type.isLastDimUnitStride()) {
    if (vectorReader)
      if (Value value = vectorReader(b, loc, argument, indices(p), p.width))
        return value;
    int64_t bytes = element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
    int64_t alignment = std::min<int64_t>(16, bytes * p.multiple);
    if (mayBeAligned(type, bytes, alignment))
      return vector::LoadOp::create(
          b, loc, VectorType::get({p.width}, element), buffer, indices(p),
          /*nontemporal=*/false, llvm::MaybeAlign(alignment));
  }
  return lanes(b, loc, p, [&](const Position &q) -> Value {
    return memref::LoadOp::create(b, loc, buffer, indices(q));
  });
}

Value Evaluator::readBound(OpBuilder &b, Location loc, const Reader &read,
                           const Position &p) {
  auto values = [&](const Position &q) {
    return getValueOrCreateConstantIndexOp(b, loc, q.indices);
  };
  if (p.width > 1 && p.multiple == p.width &&
      p.dim == static_cast<int64_t>(p.indices.size()) - 1)
    return read(b, loc, values(p), p.width);
  return lanes(b, loc, p,
               [&](const Position &q) { return read(b, loc, values(q), 1); });
}

Value Evaluator::throughMap(OpBuilder &b, Location loc, Value source,
                            AffineMap map, ArrayRef<OpFoldResult> symbols,
                            const Position &p) {
  // Sizes that are known let more be proved.
  SmallVector<AffineExpr> symbolExprs;
  for (auto [index, symbol] : llvm::enumerate(symbols)) {
    std::optional<int64_t> number = getConstantIntValue(symbol);
    symbolExprs.push_back(number ? b.getAffineConstantExpr(*number)
                                 : b.getAffineSymbolExpr(index));
  }
  map = simplifyAffineMap(map.replaceDimsAndSymbols(
      {}, symbolExprs, map.getNumDims(), symbols.size()));
  Position q;
  bool isOther = false;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    q.indices.push_back(apply(b, loc, expr, p.indices, symbols));
    if (p.width == 1)
      continue;
    Lanes kind = classifyLanes(expr, p.dim, p.width, p.multiple);
    isOther |=
        kind == Lanes::Other || (kind == Lanes::Consecutive && q.dim != -1);
    if (kind == Lanes::Consecutive) {
      q.dim = index;
      q.width = p.width;
      q.multiple = getLaneMultiple(expr, p.dim, p.multiple);
    }
  }
  if (!isOther)
    return at(b, loc, source, q);
  return lanes(b, loc, p, [&](const Position &lane) {
    return throughMap(b, loc, source, map, symbols, lane);
  });
}

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> Evaluator::getLoopSizes(OpBuilder &b,
                                                  linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (!ShapedType::isDynamic(size)) {
      sizes[loop] = b.getIndexAttr(size);
      continue;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()) || sizes[loop])
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (expr == b.getAffineDimExpr(loop) && !sizes[loop])
          sizes[loop] = getDim(b, op.getLoc(), operand.get(), dim);
    }
  }
  return sizes;
}

Value Evaluator::operandAt(OpBuilder &b, OpOperand &operand,
                           ArrayRef<OpFoldResult> iteration, int64_t width,
                           int64_t vectorLoop, int64_t multiple) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (!isa<RankedTensorType>(operand.get().getType()))
    return emitScalar(b, op.getLoc(), operand.get());
  Position p{SmallVector<OpFoldResult>(iteration), width, vectorLoop, multiple};
  return throughMap(b, op.getLoc(), operand.get(),
                    op.getMatchingIndexingMap(&operand), {}, p);
}

Value Evaluator::emitOperand(OpBuilder &b, OpOperand &operand,
                             ValueRange iteration, int64_t width,
                             int64_t vectorLoop) {
  return operandAt(b, operand, simplify(iteration), width, vectorLoop,
                   vectorReader ? 1 : width);
}

Value Evaluator::linalgAt(OpBuilder &b, linalg::LinalgOp op, unsigned result,
                          const Position &p) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<OpFoldResult> iteration(op.getNumLoops());
  int64_t vectorLoop = -1;
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      iteration[loop.getPosition()] = p.indices[dim];
      if (static_cast<int64_t>(dim) == p.dim)
        vectorLoop = loop.getPosition();
    }
  bool reduces = false;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    reduces |= kind == utils::IteratorType::reduction;
    // A loop of one iteration (see `check`).
    if (!iteration[loop] && kind == utils::IteratorType::parallel)
      iteration[loop] = b.getIndexAttr(0);
  }
  Reduction whole{op, iteration, p.width, vectorLoop, p.multiple};
  Key key = whole.getKey();
  if (auto values = lookup(b, emitted, key))
    return (*values)[result];
  if (reduces && collected) {
    collected->push_back(whole);
    // Nobody uses what comes of it.
    Type element = getElementTypeOrSelf(op->getResult(result).getType());
    return arith::ConstantOp::create(b, op.getLoc(), b.getZeroAttr(element));
  }
  SmallVector<Value> values = reduces ? reduce(b, whole).front()
                                      : payloadAt(b, op, iteration, p.width,
                                                  vectorLoop, p.multiple, {});
  emitted[key].push_back(values);
  return values[result];
}

Evaluator::Key Evaluator::Reduction::getKey() const {
  linalg::LinalgOp linalgOp = op;
  Key key = {linalgOp.getOperation(), asKey(width), asKey(vectorLoop),
             asKey(multiple)};
  append(key, iteration);
  return key;
}

SmallVector<Value> Evaluator::emitTile(OpBuilder &b, Location loc,
                                       ValueRange tensors,
                                       ArrayRef<SmallVector<Value>> positions,
                                       int64_t width) {
  auto emitAll = [&] {
    SmallVector<Value> values;
    for (const SmallVector<Value> &position : positions)
      for (Value tensor : tensors)
        values.push_back(emit(b, loc, tensor, position, width));
    return values;
  };
  SmallVector<Operation *> reductions;
  for (Operation &op :
       func::FuncOp(kernel.function).getBody().front().without_terminator())
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalgOp.getNumReductionLoops() != 0 &&
        !bindings.count(op.getResult(0)))
      reductions.push_back(&op);
  if (reductions.size() != 1 || positions.size() == 1)
    return emitAll();
  // A first time to see which of its iterations are needed; that code is dead.
  SmallVector<Reduction> all;
  Memo before = emitted;
  collected = &all;
  emitAll();
  collected = nullptr;
  emitted = std::move(before);
  SmallVector<Reduction> together;
  std::set<Key> keys;
  for (const Reduction &reduction : all) {
    bool isHere = llvm::all_of(reduction.iteration, [&](OpFoldResult index) {
      auto value = index ? dyn_cast<Value>(index) : Value();
      return !value || isVisible(b, value);
    });
    bool fits = together.empty() ||
                (reduction.width == together.front().width &&
                 reduction.vectorLoop == together.front().vectorLoop &&
                 reduction.multiple == together.front().multiple);
    if (isHere && fits && keys.insert(reduction.getKey()).second)
      together.push_back(reduction);
  }
  if (!together.empty())
    for (auto [reduction, values] :
         llvm::zip_equal(together, reduce(b, together)))
      emitted[reduction.getKey()].push_back(values);
  return emitAll();
}

SmallVector<SmallVector<Value>>
Evaluator::reduce(OpBuilder &b, ArrayRef<Reduction> reductions) {
  linalg::LinalgOp op = reductions.front().op;
  Location loc = op.getLoc();
  int64_t width = reductions.front().width;
  SmallVector<SmallVector<OpFoldResult>> iterations;
  SmallVector<Value> values;
  for (const Reduction &reduction : reductions) {
    iterations.push_back(reduction.iteration);
    for (OpOperand &init : op.getDpsInitsMutable())
      values.push_back(
          toVector(b, loc,
                   operandAt(b, init, reduction.iteration, width,
                             reduction.vectorLoop, reduction.multiple),
                   width));
  }
  SmallVector<OpFoldResult> sizes = getLoopSizes(b, op);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<scf::ForOp> loops;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto next = scf::ForOp::create(
        b, loc, zero, getValueOrCreateConstantIndexOp(b, loc, sizes[loop]), one,
        values);
    for (SmallVector<OpFoldResult> &iteration : iterations)
      iteration[loop] = next.getInductionVar();
    values.assign(next.getRegionIterArgs().begin(),
                  next.getRegionIterArgs().end());
    b.setInsertionPointToStart(next.getBody());
    loops.push_back(next);
  }
  unsigned numResults = op.getNumDpsInits();
  for (auto [number, reduction] : llvm::enumerate(reductions)) {
    auto own = MutableArrayRef(values).slice(number * numResults, numResults);
    SmallVector<Value> next =
        payloadAt(b, op, iterations[number], width, reduction.vectorLoop,
                  reduction.multiple, SmallVector<Value>(own));
    for (auto [value, result] : llvm::zip_equal(own, next))
      value = toVector(b, loc, result, width);
  }
  for (scf::ForOp loop : llvm::reverse(loops)) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, values);
    values.assign(loop.getResults().begin(), loop.getResults().end());
  }
  SmallVector<SmallVector<Value>> results;
  for (size_t number = 0; number < reductions.size(); ++number)
    results.emplace_back(
        ArrayRef(values).slice(number * numResults, numResults));
  return results;
}

/// The value of the linalg.index `op`: of each lane if it asks for the loop
/// along the vectors.
static Value loopIndex(OpBuilder &b, Operation *op,
                       ArrayRef<OpFoldResult> iteration, int64_t width,
                       int64_t vectorLoop) {
  Location loc = op->getLoc();
  int64_t loop = cast<linalg::IndexOp>(op).getDim();
  Value base = getValueOrCreateConstantIndexOp(b, loc, iteration[loop]);
  if (width == 1 || loop != vectorLoop)
    return base;
  SmallVector<Attribute> steps;
  for (int64_t lane = 0; lane < width; ++lane)
    steps.push_back(b.getIndexAttr(lane));
  auto type = VectorType::get({width}, b.getIndexType());
  Value step =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(b, loc, Evaluator::toVector(b, loc, base, width),
                               step);
}

SmallVector<Value> Evaluator::payloadAt(OpBuilder &b, linalg::LinalgOp op,
                                        ArrayRef<OpFoldResult> iteration,
                                        int64_t width, int64_t vectorLoop,
                                        int64_t multiple,
                                        ValueRange accumulators) {
  SmallVector<Value> elements(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    Value &element = elements[operand.getOperandNumber()];
    if (op.isDpsInit(&operand) && !accumulators.empty())
      element = accumulators[operand.getOperandNumber() - op.getNumDpsInputs()];
    else if (op.payloadUsesValueFromOperand(&operand))
      element = operandAt(b, operand, iteration, width, vectorLoop, multiple);
  }
  auto index = [&](Operation *indexOp) {
    return loopIndex(b, indexOp, iteration, width, vectorLoop);
  };
  return cloneBlock(b, op.getBlock(), elements, width, index);
}

SmallVector<Value> Evaluator::emitPayload(OpBuilder &b, linalg::LinalgOp op,
                                          ValueRange elements,
                                          ValueRange iteration,
                                          int64_t vectorLoop) {
  int64_t width = 1;
  for (Value element : elements)
    if (auto type =
            element ? dyn_cast<VectorType>(element.getType()) : VectorType())
      width = type.getNumElements();
  SmallVector<OpFoldResult> indices = simplify(iteration);
  auto index = [&](Operation *indexOp) {
    return loopIndex(b, indexOp, indices, width, vectorLoop);
  };
  SmallVector<Value> results =
      cloneBlock(b, op.getBlock(), elements, width, index);
  for (Value &result : results)
    result = toVector(b, op.getLoc(), result, width);
  return results;
}

/// Clones `op`, of scalars, once for each element of the vectors in `operands`.
static SmallVector<Value> cloneLanes(OpBuilder &b, Operation *op,
                                     ValueRange operands, int64_t width) {
  Location loc = op->getLoc();
  SmallVector<SmallVector<Value>> elements(op->getNumResults());
  for (int64_t lane = 0; lane < width; ++lane) {
    IRMapping mapping;
    for (auto [from, to] : llvm::zip_equal(op->getOperands(), operands))
      mapping.map(from, isa<VectorType>(to.getType())
                            ? vector::ExtractOp::create(b, loc, to, lane)
                            : to);
    Operation *copy = b.clone(*op, mapping);
    for (auto [index, result] : llvm::enumerate(copy->getResults()))
      elements[index].push_back(result);
  }
  return llvm::map_to_vector(elements, [&](ArrayRef<Value> lanes) -> Value {
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({width}, lanes.front().getType()), lanes);
  });
}

SmallVector<Value>
Evaluator::cloneBlock(OpBuilder &b, Block *block, ValueRange values,
                      int64_t width,
                      llvm::function_ref<Value(Operation *)> index) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip_equal(block->getArguments(), values))
    if (value)
      mapping.map(argument, value);
  auto resolve = [&](Value value) -> Value {
    if (value.getParentBlock() == block)
      return mapping.lookup(value);
    if (isa<RankedTensorType>(value.getType()))
      return value;
    return emitScalar(b, value.getLoc(), value);
  };
  auto isVector = [](Value v) { return isa<VectorType>(v.getType()); };
  for (Operation &op : block->without_terminator()) {
    if (isa<linalg::IndexOp>(op)) {
      mapping.map(op.getResult(0), index(&op));
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(op.getOperands(), resolve);
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      // A gather: one load for each lane, but for one that is the same in all.
      ValueRange at = ValueRange(operands).drop_front();
      bool isUniform = llvm::none_of(at, isVector);
      SmallVector<Value> elements;
      for (int64_t lane = 0; lane < (isUniform ? 1 : width); ++lane)
        elements.push_back(emit(b, op.getLoc(), extract.getTensor(),
                                llvm::map_to_vector(at, [&](Value v) -> Value {
                                  return isVector(v)
                                             ? vector::ExtractOp::create(
                                                   b, op.getLoc(), v, lane)
                                             : v;
                                })));
      mapping.map(extract.getResult(),
                  isUniform ? elements.front()
                            : vector::FromElementsOp::create(
                                  b, op.getLoc(),
                                  VectorType::get({width}, extract.getType()),
                                  elements));
      continue;
    }
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      mapping.map(dim.getResult(), emitDim(b, op.getLoc(), dim.getSource(),
                                           *dim.getConstantIndex()));
      continue;
    }
    bool onVectors = llvm::any_of(operands, isVector);
    if (onVectors && !OpTrait::hasElementwiseMappableTraits(&op)) {
      mapping.map(op.getResults(), cloneLanes(b, &op, operands, width));
      continue;
    }
    IRMapping local;
    for (auto [from, to] : llvm::zip_equal(op.getOperands(), operands))
      local.map(from, onVectors ? toVector(b, op.getLoc(), to, width) : to);
    Operation *copy = b.clone(op, local);
    if (onVectors)
      for (Value result : copy->getResults())
        result.setType(VectorType::get({width}, result.getType()));
    mapping.map(op.getResults(), copy->getResults());
  }
  return llvm::map_to_vector(block->getTerminator()->getOperands(), resolve);
}
