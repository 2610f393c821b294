//===- Emit.cpp - helpers that build loops and vectors --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "Parallel.h"

#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

SmallVector<Value> cpu::buildLoop(OpBuilder &b, Location loc,
                                  OpFoldResult lower, OpFoldResult upper,
                                  OpFoldResult step, ValueRange init,
                                  LoopBody body, int64_t grain) {
  std::optional<int64_t> lo = constant(lower), hi = constant(upper),
                         known = constant(step);
  if (lo && hi) {
    if (*hi <= *lo)
      return SmallVector<Value>(init);
    if (known && *hi - *lo <= *known)
      return body(b, loc, indexConstant(b, loc, *lo), init);
  }
  Value lb = getValueOrCreateConstantIndexOp(b, loc, lower);
  Value ub = getValueOrCreateConstantIndexOp(b, loc, upper);
  Value by = getValueOrCreateConstantIndexOp(b, loc, step);
  // The loop first, its body after: folding affine expressions asks for the
  // owner of the induction variable.
  auto loop = scf::ForOp::create(b, loc, lb, ub, by, init);
  if (grain)
    loop->setAttr(kParallelAttrName, b.getI64IntegerAttr(grain));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(b, loc, loop.getInductionVar(), loop.getRegionIterArgs());
  if (!init.empty())
    scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> cpu::buildBlocks(
    OpBuilder &b, Location loc, OpFoldResult size, int64_t step, int64_t steps,
    Value count, ValueRange init,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, OpFoldResult,
                                          OpFoldResult, ValueRange)>
        body) {
  Value one = indexConstant(b, loc, 1);
  Value block =
      arith::DivUIOp::create(b, loc, indexConstant(b, loc, steps),
                             arith::MaxUIOp::create(b, loc, count, one));
  block = arith::MaxUIOp::create(b, loc, block, one);
  if (step != 1)
    block = arith::MulIOp::create(b, loc, block, indexConstant(b, loc, step));
  SmallVector<Value> made = buildLoop(
      b, loc, b.getIndexAttr(0), size, block, init,
      [&](OpBuilder &nested, Location, Value first, ValueRange args) {
        OpFoldResult end;
        if (step == 1) {
          // What no folding of affine expressions takes apart.
          Value next = arith::AddIOp::create(nested, loc, first, block);
          Value last = getValueOrCreateConstantIndexOp(nested, loc, size);
          end = arith::MinUIOp::create(nested, loc, next, last).getResult();
        } else {
          AffineExpr s0 = b.getAffineSymbolExpr(0),
                     s1 = b.getAffineSymbolExpr(1),
                     s2 = b.getAffineSymbolExpr(2);
          end = affine::makeComposedFoldedAffineMin(
              nested, loc, AffineMap::get(0, 3, {s0 + s1, s2}, b.getContext()),
              {OpFoldResult(first), OpFoldResult(block), size});
        }
        return body(nested, first, end, args);
      },
      /*grain=*/1);
  // Neighbouring blocks of single iterations are one.
  if (auto blocks = made.empty() ? scf::ForOp()
                                 : made.front().getDefiningOp<scf::ForOp>();
      blocks && step == 1)
    blocks->setAttr(kJoinedAttrName, b.getUnitAttr());
  return made;
}

void cpu::askForLines(OpBuilder &b, Location loc, Value buffer,
                      SmallVector<Value> indices, VectorType vector,
                      int64_t locality) {
  constexpr int64_t kLine = 64;
  int64_t perLine = kLine * 8 / vector.getElementTypeBitWidth();
  Value first = indices.back();
  for (int64_t at = 0; at < vector.getNumElements(); at += perLine) {
    if (at != 0)
      indices.back() = arith::AddIOp::create(
          b, loc, first, arith::ConstantIndexOp::create(b, loc, at));
    memref::PrefetchOp::create(b, loc, buffer, indices, /*isWrite=*/false,
                               locality, /*isDataCache=*/true);
  }
}

void cpu::disableUnrolling(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto disabled = LLVM::LoopUnrollAttr::get(
      context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  // The name that its lowering gives the branch.
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, {}, {}, disabled, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {}));
}

Value cpu::makeBuffer(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                      Type elementType) {
  return bufferization::AllocTensorOp::create(
      b, loc, RankedTensorType::get(shape, elementType), ValueRange());
}

Value cpu::makeBuffer(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                      Type elementType) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return bufferization::AllocTensorOp::create(
      b, loc, RankedTensorType::get(shape, elementType), dynamic);
}

Value cpu::applyExpr(OpBuilder &b, Location loc, AffineExpr expr,
                     ArrayRef<OpFoldResult> operands) {
  return getValueOrCreateConstantIndexOp(
      b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, operands));
}

Value cpu::getWritten(Value tensor) {
  while (auto op = tensor.getDefiningOp<linalg::LinalgOp>())
    tensor = op.getTiedOpOperand(cast<OpResult>(tensor))->get();
  return tensor;
}

SmallVector<OpFoldResult> cpu::getLoopSizes(OpBuilder &b, linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes;
  for (Range range : op.createLoopRanges(b, op.getLoc())) {
    sizes.push_back(range.size);
    auto size = dyn_cast<Value>(range.size);
    if (auto dim = size ? size.getDefiningOp<tensor::DimOp>() : nullptr)
      dim.getSourceMutable().assign(getWritten(dim.getSource()));
  }
  return sizes;
}

Value cpu::indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value cpu::toVector(OpBuilder &b, Location loc, Value value, int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({lanes}, value.getType()), value);
}

std::pair<Value, Value> cpu::widenHalves(OpBuilder &b, Location loc,
                                         Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  auto words = VectorType::get({lanes / 2}, b.getI32Type());
  auto splat = [&](int64_t bits) -> Value {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(words, APInt(32, uint64_t(bits))));
  };
  Value pairs = vector::BitCastOp::create(b, loc, words, vector);
  Value even = arith::ShLIOp::create(b, loc, pairs, splat(16));
  Value odd = arith::AndIOp::create(b, loc, pairs, splat(0xffff0000));
  VectorType half = words.clone(b.getF32Type());
  return {vector::BitCastOp::create(b, loc, half, even),
          vector::BitCastOp::create(b, loc, half, odd)};
}

Value cpu::widenEvenFirst(OpBuilder &b, Location loc, Value vector) {
  auto [even, odd] = widenHalves(b, loc, vector);
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  return vector::ShuffleOp::create(b, loc, even, odd,
                                   llvm::to_vector(llvm::seq(lanes)));
}

Value cpu::cloneElementwise(OpBuilder &b, Operation *op, ValueRange operands,
                            int64_t lanes) {
  bool vectors = llvm::any_of(
      operands, [](Value v) { return isa<VectorType>(v.getType()); });
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(op->getOperands(), operands))
    mapping.map(from, vectors ? toVector(b, op->getLoc(), to, lanes) : to);
  Operation *copy = b.clone(*op, mapping);
  if (vectors)
    copy->getResult(0).setType(
        VectorType::get({lanes}, op->getResult(0).getType()));
  return copy->getResult(0);
}

bool cpu::isVectorElement(Type type) {
  if (type.isIndex())
    return true;
  if (!isa<IntegerType, FloatType>(type))
    return false;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool cpu::isByte(Type type) { return type.isInteger(1); }

bool cpu::isLane(Type type) { return isVectorElement(type) || isByte(type); }

unsigned cpu::getElementBits(Type type) {
  return type.isIndex() ? 64 : isByte(type) ? 8 : type.getIntOrFloatBitWidth();
}

std::optional<int64_t> cpu::getStaticBytes(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  return llvm::divideCeil(
      type.getNumElements() * getElementBits(type.getElementType()), 8);
}

/// Follows casts from `value` back to a block argument of `block`, collecting
/// them in the order in which they apply.
static BlockArgument skipCasts(Value value, Block *block,
                               SmallVectorImpl<Operation *> &casts) {
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      std::reverse(casts.begin(), casts.end());
      return arg.getOwner() == block ? arg : BlockArgument();
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != block ||
        !isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp>(op))
      return {};
    casts.push_back(op);
    value = op->getOperand(0);
  }
}

std::optional<ContractionBody> cpu::matchContractionBody(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  Block *block = op.getBlock();
  Operation *yield = block->getTerminator();
  Operation *add = yield->getOperand(0).getDefiningOp();
  if (!add || add->getBlock() != block ||
      !isa<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  BlockArgument acc = block->getArgument(2);
  unsigned accPos = add->getOperand(0) == acc ? 0 : 1;
  if (add->getOperand(accPos) != acc)
    return std::nullopt;
  Operation *mul = add->getOperand(1 - accPos).getDefiningOp();
  if (!mul || mul->getBlock() != block ||
      !isa<arith::MulFOp, arith::MulIOp>(mul))
    return std::nullopt;
  ContractionBody body;
  body.mul = mul;
  body.add = add;
  body.accType = acc.getType();
  BlockArgument lhs = skipCasts(mul->getOperand(0), block, body.lhsCasts);
  BlockArgument rhs = skipCasts(mul->getOperand(1), block, body.rhsCasts);
  if (!lhs || !rhs || lhs.getArgNumber() + rhs.getArgNumber() != 1)
    return std::nullopt;
  // Everything in the block must be accounted for.
  size_t expected = body.lhsCasts.size() + body.rhsCasts.size() + 3;
  if (static_cast<size_t>(llvm::range_size(block->getOperations())) != expected)
    return std::nullopt;
  body.lhs = lhs.getArgNumber();
  body.rhs = rhs.getArgNumber();
  return body;
}

Value cpu::multiplyAdd(OpBuilder &b, Location loc, const ContractionBody &body,
                       Value lhs, Value rhs, Value acc,
                       const CPUTarget &target) {
  int64_t lanes = 1;
  for (Value v : {lhs, rhs, acc})
    if (auto type = dyn_cast<VectorType>(v.getType()))
      lanes = type.getNumElements();
  bool fuse = target.hasFMA && isa<Float32Type, Float64Type>(body.accType);
  if (fuse && isa<VectorType>(acc.getType()))
    return vector::FMAOp::create(b, loc, toVector(b, loc, lhs, lanes),
                                 toVector(b, loc, rhs, lanes), acc);
  Value product = cloneElementwise(b, body.mul, {lhs, rhs}, lanes);
  bool accFirst = body.add->getOperand(1) == body.mul->getResult(0);
  return accFirst ? cloneElementwise(b, body.add, {acc, product}, lanes)
                  : cloneElementwise(b, body.add, {product, acc}, lanes);
}

FillInfo cpu::matchFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill || !isa<RankedTensorType>(tensor.getType()))
    return {};
  Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (fill.value().getType() != type)
    return {};
  return {fill.value(), fill.output()};
}

std::pair<Value, AffineMap> cpu::matchBroadcast(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::hasSingleElement(*op.getBody()) ||
      op.getBody()->getTerminator()->getOperand(0) !=
          op.getBody()->getArgument(0))
    return {};
  OpOperand *input = op.getDpsInputOperand(0);
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!isa<RankedTensorType>(input->get().getType()) || !out.isPermutation())
    return {};
  return {input->get(),
          op.getMatchingIndexingMap(input).compose(inversePermutation(out))};
}

TypedAttr cpu::getNeutral(Operation *combiner) {
  if (isa<arith::AddFOp>(combiner))
    return FloatAttr::get(combiner->getResult(0).getType(), -0.0);
  return *getNeutralElement(combiner);
}

SmallVector<Value> cpu::toBytes(OpBuilder &b, Location loc,
                                ArrayRef<Value> bits) {
  auto type = cast<VectorType>(bits.front().getType());
  SmallVector<Value> bytes;
  if (isByte(type.getElementType()))
    for (Value value : bits)
      bytes.push_back(
          arith::ExtUIOp::create(b, loc, type.clone(b.getI8Type()), value));
  return bytes;
}

SmallVector<Value> cpu::toBits(OpBuilder &b, Location loc,
                               ArrayRef<Value> bytes) {
  SmallVector<Value> bits;
  for (Value value : bytes)
    bits.push_back(arith::TruncIOp::create(
        b, loc, cast<VectorType>(value.getType()).clone(b.getI1Type()), value));
  return bits;
}

SmallVector<Value> cpu::transposeSquare(OpBuilder &b, Location loc,
                                        SmallVector<Value> rows) {
  if (SmallVector<Value> bytes = toBytes(b, loc, rows); !bytes.empty())
    return toBits(b, loc, transposeSquare(b, loc, bytes));
  int64_t size = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < size; ++i) {
    low.push_back(i / 2 + (i % 2) * size);
    high.push_back(size / 2 + i / 2 + (i % 2) * size);
  }
  for (int64_t round = 1; round < size; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < size / 2; ++i)
      for (ArrayRef<int64_t> mask :
           {ArrayRef<int64_t>(low), ArrayRef<int64_t>(high)})
        next.push_back(vector::ShuffleOp::create(b, loc, rows[i],
                                                 rows[i + size / 2], mask));
    rows = next;
  }
  return rows;
}
