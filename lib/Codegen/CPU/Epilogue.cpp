//===- Epilogue.cpp - what is done to the tiles of a contraction ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static bool isScalar(Type type) {
  return isa<IntegerType, IndexType, FloatType>(type);
}

/// Whether `op`'s payload has a vector form that is safe on lanes past the end:
/// those hold zeros, by which integers cannot be divided.
static bool hasVectorPayload(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      return isScalar(inner.getResult(0).getType());
    return inner.getNumResults() == 1 && inner.getNumRegions() == 0 &&
           OpTrait::hasElementwiseMappableTraits(&inner) &&
           !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
               inner) &&
           llvm::all_of(inner.getOperandTypes(), isScalar) &&
           isScalar(inner.getResult(0).getType());
  });
}

/// Whether an operand with these indices moves by one element or not at all
/// along `vectorDim`.
static bool movesAlong(AffineMap map, unsigned vectorDim) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  return !map.isFunctionOfDim(vectorDim) ||
         map.getResults().back() ==
             getAffineDimExpr(vectorDim, map.getContext());
}

/// Whether `op` can join; its loops as those of the contraction go to `loops`.
bool Epilogue::accepts(linalg::GenericOp op, AffineMap &loops) const {
  AffineMap own = values.lookup(contraction->getResult(0));
  if (op->getBlock() != contraction->getBlock() ||
      !op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      op.getNumLoops() != own.getNumResults() || op.hasIndexSemantics() ||
      !hasVectorPayload(op))
    return false;
  SmallVector<AffineExpr> exprs(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto known = values.find(input->get());
    if (known == values.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isPermutation())
      return false;
    for (auto [from, to] :
         llvm::zip(map.getResults(), known->second.getResults())) {
      AffineExpr &expr = exprs[cast<AffineDimExpr>(from).getPosition()];
      if (expr && expr != to)
        return false;
      expr = to;
    }
  }
  if (!llvm::all_of(exprs, [](AffineExpr expr) { return bool(expr); }))
    return false;
  loops = AffineMap::get(own.getNumDims(), 0, exprs, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type) {
      if (!isScalar(operand.get().getType()))
        return false;
      continue;
    }
    if (!isVectorElement(type.getElementType()) || type.getEncoding() ||
        !movesAlong(map.compose(loops), vectorDim))
      return false;
    if (op.isDpsInit(&operand) &&
        (values.contains(operand.get()) || !map.isPermutation()))
      return false;
  }
  return true;
}

Epilogue Epilogue::collect(linalg::LinalgOp op, unsigned vectorDim) {
  Epilogue e;
  e.contraction = op;
  e.vectorDim = vectorDim;
  OpResult own = op->getResult(0);
  e.values[own] = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  DenseSet<Operation *> inside;
  Block *block = op->getBlock();
  // The first user of anything collected either joins, or ends the epilogue:
  // what is collected is computed where the last one is.
  while (true) {
    Operation *first = nullptr;
    for (auto &[value, map] : e.values)
      for (Operation *user : value.getUsers()) {
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (inside.contains(user) || !ancestor)
          continue;
        if (!first || ancestor->isBeforeInBlock(first))
          first = ancestor;
      }
    auto next = dyn_cast_or_null<linalg::GenericOp>(first);
    AffineMap loops;
    if (!next || !e.accepts(next, loops))
      break;
    inside.insert(next);
    e.ops.push_back(next);
    e.opLoops.push_back(loops);
    for (OpResult result : next->getResults())
      e.values[result] =
          next.getIndexingMapMatchingResult(result).compose(loops);
  }
  auto isUsedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !inside.contains(user);
    });
  };
  if (e.ops.empty() || isUsedOutside(own))
    e.results.push_back({own, e.values[own]});
  for (linalg::GenericOp inner : e.ops)
    for (OpResult result : inner->getResults())
      if (isUsedOutside(result))
        e.results.push_back({result, e.values[result]});
  return e;
}

bool Epilogue::readsDestinations() const {
  return llvm::any_of(ops, [](linalg::GenericOp op) {
    return llvm::any_of(op.getRegionOutputArgs(),
                        [](BlockArgument arg) { return !arg.use_empty(); });
  });
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

Value cpu::readAlong(OpBuilder &b, Location loc, Value source, AffineMap map,
                     ArrayRef<OpFoldResult> dims, unsigned vectorDim,
                     int64_t lanes, bool isInBounds) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<Value> at;
  for (AffineExpr expr : map.getResults())
    at.push_back(applyExpr(b, loc, expr, dims));
  if (!map.isFunctionOfDim(vectorDim))
    return tensor::ExtractOp::create(b, loc, source, at);
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, loc, VectorType::get({lanes}, type.getElementType()), source, at,
      padding,
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext()),
      ArrayRef<bool>{isInBounds});
}

SmallVector<Value> Epilogue::emit(OpBuilder &b, Location loc, Value start,
                                  ArrayRef<OpFoldResult> dims, int64_t lanes,
                                  bool isInBounds) const {
  DenseMap<Value, Value> known;
  known[contraction->getResult(0)] = start;
  for (auto [op, loops] : llvm::zip(ops, opLoops)) {
    linalg::GenericOp generic = op;
    DenseMap<Value, Value> inner;
    for (OpOperand &operand : generic->getOpOperands()) {
      BlockArgument arg = generic.getMatchingBlockArgument(&operand);
      if (arg.use_empty())
        continue;
      Value source = operand.get();
      auto it = known.find(source);
      if (it != known.end())
        inner[arg] = it->second;
      else if (!isa<RankedTensorType>(source.getType()))
        inner[arg] = source;
      else
        inner[arg] =
            readAlong(b, loc, source,
                      generic.getMatchingIndexingMap(&operand).compose(loops),
                      dims, vectorDim, lanes, isInBounds);
    }
    for (Operation &nested : generic.getBody()->without_terminator()) {
      if (nested.hasTrait<OpTrait::ConstantLike>()) {
        inner[nested.getResult(0)] = b.clone(nested)->getResult(0);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : nested.getOperands()) {
        auto it = inner.find(operand);
        operands.push_back(it == inner.end() ? operand : it->second);
      }
      inner[nested.getResult(0)] =
          cloneElementwise(b, &nested, operands, lanes);
    }
    for (auto [result, yielded] :
         llvm::zip(generic->getResults(),
                   generic.getBody()->getTerminator()->getOperands())) {
      auto it = inner.find(yielded);
      known[result] =
          toVector(b, loc, it == inner.end() ? yielded : it->second, lanes);
    }
  }
  SmallVector<Value> made;
  for (const Result &result : results)
    made.push_back(known.lookup(result.value));
  return made;
}
