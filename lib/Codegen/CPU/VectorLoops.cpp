//===- VectorLoops.cpp - register-tiled loops around 1-D vectors ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One linalg op becomes a loop nest with one vectorised loop, and for ops that
// reuse an operand a second loop unrolled into registers. Upstream's
// linalg::vectorize is not used here because its masks rule out what makes
// these loops fast: accumulators that stay in registers across a reduction
// (lane-wise where the reduction itself is the vector loop), an unmasked main
// loop beside a masked tail, and the shifted index maps of convolutions, all
// of it for dynamic shapes too.
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "LanesInWords.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorNest::splitLoop(
    unsigned dim, int64_t step, ArrayRef<int64_t> tailSteps, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(int64_t, bool, ValueRange)> body,
    int64_t grain, Value count,
    llvm::function_ref<SmallVector<Value>(ValueRange)> forTails) {
  auto emitLoop = [&](OpFoldResult lo, OpFoldResult hi, int64_t by, bool full,
                      ValueRange init, int64_t grain = 0) {
    SmallVector<Value> results = buildLoop(
        b, loc, lo, hi, b.getIndexAttr(by), init,
        [&](OpBuilder &nested, Location, Value iv,
            ValueRange args) -> SmallVector<Value> {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPoint(nested.getInsertionBlock(),
                              nested.getInsertionPoint());
          Value outer = ivs[dim];
          ivs[dim] = static_cast<int>(dim) == vecDim ? inBlock(iv) : iv;
          SmallVector<Value> next = body(by, full, args);
          ivs[dim] = outer;
          nested.setInsertionPoint(b.getInsertionBlock(),
                                   b.getInsertionPoint());
          return next;
        },
        grain);
    // Not what went in, without an iteration.
    auto made = results.empty() || results[0] == init[0]
                    ? scf::ForOp()
                    : results[0].getDefiningOp<scf::ForOp>();
    if (!made)
      return results;
    // LLVM would make one block of all iterations of short rows, of which it
    // then compares each store with every other.
    if (!isReductionDim(dim) &&
        !made.getBody()->getOps<LoopLikeOpInterface>().empty())
      disableUnrolling(made);
    if (!full || by != step)
      made->setAttr(kBehindWholeVectorsAttrName, b.getUnitAttr());
    return results;
  };
  auto emitWhole = [&](OpFoldResult end) {
    if (!count)
      return emitLoop(b.getIndexAttr(0), end, step, true, carried, grain);
    return buildBlocks(b, loc, end, step, grain, count, carried,
                       [&](OpBuilder &nested, OpFoldResult lo, OpFoldResult hi,
                           ValueRange args) {
                         OpBuilder::InsertionGuard guard(b);
                         b.setInsertionPoint(nested.getInsertionBlock(),
                                             nested.getInsertionPoint());
                         SmallVector<Value> next =
                             emitLoop(lo, hi, step, true, args);
                         nested.setInsertionPoint(b.getInsertionBlock(),
                                                  b.getInsertionPoint());
                         return next;
                       });
  };
  if (step == 1)
    return emitWhole(bounds[dim]);
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      b, loc, s0.floorDiv(step) * step, {bounds[dim]});
  SmallVector<Value> next = emitWhole(end);
  if (forTails)
    next = forTails(next);
  for (int64_t tail : tailSteps.drop_back()) {
    OpFoldResult start =
        std::exchange(end, affine::makeComposedFoldedAffineApply(
                               b, loc, s0 + (s1 - s0).floorDiv(tail) * tail,
                               {end, bounds[dim]}));
    next = emitLoop(start, end, tail, true, next);
  }
  return emitLoop(end, bounds[dim], tailSteps.back(), false, next);
}

SmallVector<Value> VectorNest::parallelLoops(ArrayRef<int> order, Tile tile,
                                             ValueRange carried) {
  if (order.empty())
    return vecIsReduction ? emitReductionTile(tile.rows, carried)
                          : emitParallelTile(tile, carried);
  int dim = order.front();
  order = order.drop_front();
  int64_t step = getStep(dim);
  SmallVector<int64_t> tailSteps =
      dim == vecDim && !strided ? getTailSteps() : SmallVector<int64_t>{1};
  if (dim == rowDim && !transposes && rows > kFewRows &&
      op.getNumReductionLoops() > 0 &&
      (ShapedType::isDynamic(sizes[dim]) || sizes[dim] % rows >= kFewRows))
    tailSteps = {kFewRows, 1};
  if (dim == kBlocks)
    tailSteps = {blockSize};
  Share share = shares.lookup(dim);
  Value count;
  for (unsigned other : share.unknown) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, bounds[other]);
    count = count ? arith::MulIOp::create(b, loc, count, size) : size;
  }
  return splitLoop(
      dim == kBlocks ? vecDim : dim, step, tailSteps, carried,
      [&](int64_t by, bool full, ValueRange args) {
        if (dim == kBlocks)
          return emitBlock(order, tile, full, args);
        Tile next = tile;
        if (dim == vecDim) {
          next.lanes = by;
          next.masked = !full && !strided;
        } else if (dim == rowDim) {
          next.rows = by;
        }
        return parallelLoops(order, next, args);
      },
      llvm::divideCeil(share.elements, step), count);
}

SmallVector<Value> VectorNest::reductionLoops(
    unsigned dim, ValueRange accs,
    llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  while (dim < numLoops &&
         (!isReductionDim(dim) || static_cast<int>(dim) == vecDim))
    ++dim;
  if (dim == numLoops)
    return body(accs);
  if (static_cast<int>(dim) == shortDim) {
    // The innermost loop; what its steps read is the same.
    SmallVector<Value> next(accs);
    for (shortStep = 0; shortStep < sizes[dim]; ++shortStep) {
      ivs[dim] = indexConstant(b, loc, shortStep);
      next = body(next);
    }
    ivs[dim] = Value();
    return next;
  }
  if (static_cast<int>(dim) == acrossDim) {
    SmallVector<Value> next(accs);
    for (int64_t step = 0; step < sizes[dim]; ++step) {
      ivs[dim] = indexConstant(b, loc, step);
      next = body(next);
    }
    ivs[dim] = Value();
    return next;
  }
  return splitLoop(dim, 1, {1}, accs, [&](int64_t, bool, ValueRange args) {
    return reductionLoops(dim + 1, args, body);
  });
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> VectorNest::dimValues(int64_t row,
                                                int64_t lane) const {
  SmallVector<OpFoldResult> values;
  for (unsigned d = 0; d < numLoops; ++d) {
    OpFoldResult value = ivs[d] ? OpFoldResult(ivs[d]) : b.getIndexAttr(0);
    int64_t offset = static_cast<int>(d) == rowDim   ? row
                     : static_cast<int>(d) == vecDim ? lane
                                                     : 0;
    if (offset)
      value = affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineSymbolExpr(0) + offset, {value});
    values.push_back(value);
  }
  return values;
}

SmallVector<Value> VectorNest::indices(OpOperand &operand, int64_t row,
                                       int64_t lane) {
  SmallVector<OpFoldResult> dims = dimValues(row, lane);
  SmallVector<AffineExpr> exprs(
      op.getMatchingIndexingMap(&operand).getResults());
  if (auto flat = flattened.find(operand.getOperandNumber());
      flat != flattened.end()) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.get().getType()).getShape();
    for (int64_t size : shape.take_back(flat->second.second - 1)) {
      size_t first = shape.size() - flat->second.second;
      exprs[first] = exprs[first] * size + exprs[first + 1];
      exprs.erase(exprs.begin() + first + 1);
    }
  }
  SmallVector<Value> result;
  for (AffineExpr expr : exprs)
    result.push_back(applyExpr(b, loc, expr, dims));
  return result;
}

/// The dimensions of `operand` of which that which the vector loop moves and
/// the short ones behind it are one.
SmallVector<ReassociationIndices>
VectorNest::flattenedGroups(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  int64_t rank = map.getNumResults(), first = rank - 1;
  while (!map.getResult(first).isFunctionOfDim(vecDim))
    --first;
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d)
    if (d > first)
      groups.back().push_back(d);
    else
      groups.push_back({d});
  return groups;
}

/// `value`, which is `operand` or what it is written to, so.
Value VectorNest::flatten(OpOperand &operand, Value value) {
  SmallVector<ReassociationIndices> groups = flattenedGroups(operand);
  Value flat = tensor::CollapseShapeOp::create(b, loc, value, groups);
  flattened[operand.getOperandNumber()] = {flat, groups.back().size()};
  return flat;
}

/// `value`, of the same elements as `like`, with its dimensions.
Value VectorNest::unflatten(OpOperand &operand, Value value, Value like) {
  return tensor::ExpandShapeOp::create(
      b, loc, cast<RankedTensorType>(like.getType()), value,
      flattenedGroups(operand), tensor::getMixedSizes(b, loc, like));
}

Value VectorNest::read(OpOperand &operand, Value source, Tile tile,
                       int64_t row) {
  if (auto flat = flattened.find(operand.getOperandNumber());
      flat != flattened.end())
    source = flat->second.first;
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return source;
  switch (stride(operand)) {
  case Stride::None:
    return tensor::ExtractOp::create(b, loc, source, indices(operand, row));
  case Stride::One: {
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    int64_t rank = type.getRank();
    AffineMap map = AffineMap::getMinorIdentityMap(rank, 1, b.getContext());
    return vector::TransferReadOp::create(
        b, loc, VectorType::get({tile.lanes}, type.getElementType()), source,
        indices(operand, row), padding, map, ArrayRef<bool>{!tile.masked});
  }
  case Stride::Few: {
    // What lies between the elements comes along, nothing behind the last one:
    // the last vector ends there, so that only tails have masks. Two elements
    // take two vectors.
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    AffineMap map =
        AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
    SmallVector<Value> at = indices(operand, row), parts;
    Value first = at.back();
    int64_t step = strideOf(operand, vecDim),
            count = std::min(step, tile.lanes);
    for (int64_t i = 0; i < count; ++i) {
      int64_t start =
          i + 1 < count ? i * tile.lanes : (step - 1) * (tile.lanes - 1);
      at.back() = applyExpr(b, loc, b.getAffineSymbolExpr(0) + start, {first});
      parts.push_back(vector::TransferReadOp::create(
          b, loc, VectorType::get({tile.lanes}, type.getElementType()), source,
          at, padding, map, ArrayRef<bool>{!tile.masked}));
    }
    return pickEach(b, loc, parts);
  }
  case Stride::Interleaved:
  case Stride::Transposed:
  case Stride::Other:
    break;
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < tile.lanes; ++lane)
    elements.push_back(
        tensor::ExtractOp::create(b, loc, source, indices(operand, row, lane)));
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({tile.lanes}, type.getElementType()), elements);
}

/// The elements of `source` at `at`, scalars or vectors of indices.
Value VectorNest::gather(Value source, ArrayRef<Value> at, int64_t width) {
  if (llvm::none_of(at, [](Value v) { return isa<VectorType>(v.getType()); }))
    return tensor::ExtractOp::create(b, loc, source, at);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> indices;
    for (Value index : at)
      indices.push_back(
          isa<VectorType>(index.getType())
              ? Value(vector::ExtractOp::create(b, loc, index, lane))
              : index);
    elements.push_back(tensor::ExtractOp::create(b, loc, source, indices));
  }
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({width}, element), elements);
}

Value VectorNest::write(OpOperand &init, Value dest, Value value, Tile tile,
                        int64_t row) {
  value = toVector(b, loc, value, tile.lanes);
  Stride kind = stride(init);
  if (kind == Stride::One || kind == Stride::Interleaved) {
    int64_t rank = cast<RankedTensorType>(dest.getType()).getRank();
    AffineMap map = AffineMap::getMinorIdentityMap(rank, 1, b.getContext());
    SmallVector<Value> at =
        indices(init, kind == Stride::Interleaved ? 0 : row);
    if (kind == Stride::Interleaved)
      at.back() = applyExpr(b, loc, b.getAffineSymbolExpr(0) + row * tile.lanes,
                            {at.back()});
    return vector::TransferWriteOp::create(b, loc, value, dest, at, map,
                                           ArrayRef<bool>{!tile.masked})
        .getResult();
  }
  for (int64_t lane = 0; lane < tile.lanes; ++lane) {
    Value element = vector::ExtractOp::create(b, loc, value, lane);
    dest = tensor::InsertOp::create(b, loc, element, dest,
                                    indices(init, row, lane));
  }
  return dest;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// A division that may be by a reciprocal, of lanes by what is the same for all
/// of them: one division in front of the loop. Null if `op` is none.
Value VectorNest::divideByReciprocal(Operation *op, ArrayRef<Value> operands) {
  auto division = dyn_cast<arith::DivFOp>(op);
  if (!division ||
      !bitEnumContainsAll(division.getFastmath(), arith::FastMathFlags::arcp))
    return {};
  auto type = dyn_cast<VectorType>(operands[0].getType());
  if (!type || isa<VectorType>(operands[1].getType()))
    return {};
  Value one = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(operands[1].getType(), 1.0));
  Value reciprocal = arith::DivFOp::create(b, loc, one, operands[1]);
  return arith::MulFOp::create(
      b, loc, operands[0], toVector(b, loc, reciprocal, type.getNumElements()));
}

/// A product that only a sum takes, with that sum, where the target fuses them.
/// Null if `nested` is none.
Value VectorNest::addProduct(Operation *nested,
                             const DenseMap<Value, Value> &values) {
  if (!isa<arith::AddFOp>(nested) || !target.hasFMA ||
      op.getNumReductionLoops() == 0 ||
      !isa<Float32Type, Float64Type>(nested->getResult(0).getType()))
    return {};
  for (unsigned i : {0, 1}) {
    auto product = nested->getOperand(i).getDefiningOp<arith::MulFOp>();
    Value sum = nested->getOperand(1 - i);
    if (!product || !product->hasOneUse() ||
        !llvm::is_contained(op.getRegionOutputArgs(), sum))
      continue;
    Value acc = values.lookup(sum);
    auto type = dyn_cast<VectorType>(acc.getType());
    if (!type)
      continue;
    auto factor = [&](Value value) {
      Value mapped = values.lookup(value);
      return toVector(b, loc, mapped ? mapped : value, type.getNumElements());
    };
    return vector::FMAOp::create(b, loc, factor(product.getLhs()),
                                 factor(product.getRhs()), acc);
  }
  return {};
}

/// Whether every operand along the vectors is bf16 that is widened first, and
/// all that becomes of its lanes is a sum or an extremum of all of them.
bool VectorNest::takesAnyOrder() {
  if (!isReductionDim(vecDim) || !choices.empty() ||
      !op.getBlock()->getOps<linalg::IndexOp>().empty() ||
      !op.getBlock()->getOps<tensor::ExtractOp>().empty())
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *in) {
    auto isWidening = [](Operation *user) {
      return isa<arith::ExtFOp>(user) && user->getResult(0).getType().isF32();
    };
    BlockArgument arg = op.getMatchingBlockArgument(in);
    return !op.getMatchingIndexingMap(in).isFunctionOfDim(vecDim) ||
           (arg.getType().isBF16() && llvm::all_of(arg.getUsers(), isWidening));
  });
}

/// `value`, an index of the body with a constant step, in the first lane;
/// `values` has what is the same for all lanes.
Value VectorNest::firstLane(Value value, int64_t row,
                            const DenseMap<Value, Value> &values) {
  if (isUniform(value)) {
    auto it = values.find(value);
    return it == values.end() ? value : it->second;
  }
  Operation *maker = value.getDefiningOp();
  if (isa<linalg::IndexOp>(maker))
    return getValueOrCreateConstantIndexOp(b, loc, dimValues(row, 0)[vecDim]);
  IRMapping mapping;
  for (Value operand : maker->getOperands())
    mapping.map(operand, firstLane(operand, row, values));
  return b.clone(*maker, mapping)->getResult(0);
}

/// The payload on `tile.rows` rows; `accs` and the result are row-major
/// (row, output). A null accumulator is one that the payload does not read, and
/// null results are those of deferred outputs. `conditions` gets those of the
/// choices, row-major too.
SmallVector<Value> VectorNest::payload(Tile tile, ValueRange accs,
                                       SmallVectorImpl<Value> *conditions) {
  Block *block = op.getBlock();
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> results;
  DenseMap<unsigned, Value> shared;
  DenseMap<unsigned, SmallVector<Value>> squares;
  if (transposes && tile.rows == rows && tile.lanes == lanes)
    for (OpOperand *in : op.getDpsInputOperands())
      if (stride(*in) == Stride::Transposed)
        squares[in->getOperandNumber()] = readSquare(*in);
  if (shortDim >= 0)
    for (OpOperand *in : op.getDpsInputOperands())
      if (stride(*in) == Stride::Interleaved)
        squares[in->getOperandNumber()] = readInterleaved(*in, tile);
  // Lanes past the end are told by their place.
  bool inAnyOrder = !tile.masked && tile.lanes % 2 == 0 && takesAnyOrder();
  for (int64_t row = 0; row < tile.rows; ++row) {
    DenseMap<Value, Value> values;
    for (OpOperand *in : op.getDpsInputOperands()) {
      BlockArgument arg = op.getMatchingBlockArgument(in);
      if (arg.use_empty())
        continue;
      AffineMap map = op.getMatchingIndexingMap(in);
      if (repeats &&
          map.isFunctionOfDim(vecDim) != map.isFunctionOfDim(shortDim)) {
        values[arg] = readRepeated(*in, tile, row);
        continue;
      }
      bool common = rowDim < 0 || !map.isFunctionOfDim(rowDim);
      Value &cached = shared[in->getOperandNumber()];
      if (common && cached) {
        values[arg] = cached;
        continue;
      }
      auto square = squares.find(in->getOperandNumber());
      int64_t at = row + (shortDim == rowDim ? 0 : shortStep);
      Value value = square != squares.end() ? square->second[at]
                                            : read(*in, in->get(), tile, row);
      if (common)
        cached = value;
      values[arg] = value;
    }
    for (unsigned i = 0; i < numInits; ++i)
      values[op.getRegionOutputArgs()[i]] = accs[row * numInits + i];

    for (Operation &nested : block->without_terminator()) {
      if (deferredOps.contains(&nested))
        continue;
      if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
        unsigned dim = index.getDim();
        Value iv =
            getValueOrCreateConstantIndexOp(b, loc, dimValues(row, 0)[dim]);
        if (static_cast<int>(dim) == vecDim && tile.lanes > 1) {
          auto type = VectorType::get({tile.lanes}, b.getIndexType());
          Value step = vector::StepOp::create(b, loc, type);
          iv = arith::AddIOp::create(b, loc, toVector(b, loc, iv, tile.lanes),
                                     step);
        }
        values[index] = iv;
        continue;
      }
      if (nested.hasTrait<OpTrait::ConstantLike>()) {
        values[nested.getResult(0)] = b.clone(nested)->getResult(0);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : nested.getOperands()) {
        auto it = values.find(operand);
        operands.push_back(it == values.end() ? operand : it->second);
      }
      Value result;
      auto extract = dyn_cast<tensor::ExtractOp>(nested);
      int64_t way = extract && tile.lanes > 1 ? direction(extract) : 0;
      if (way) {
        SmallVector<Value> at = llvm::to_vector(llvm::drop_begin(operands));
        at.back() = firstLane(extract.getIndices().back(), row, values);
        if (way < 0)
          at.back() = applyExpr(
              b, loc, b.getAffineSymbolExpr(0) - (tile.lanes - 1), {at.back()});
        Value padding =
            arith::ConstantOp::create(b, loc, b.getZeroAttr(extract.getType()));
        AffineMap map =
            AffineMap::getMinorIdentityMap(at.size(), 1, b.getContext());
        result = vector::TransferReadOp::create(
            b, loc, VectorType::get({tile.lanes}, extract.getType()),
            extract.getTensor(), at, padding, map, ArrayRef<bool>{true});
        if (way < 0)
          result = vector::ShuffleOp::create(
              b, loc, result, result,
              llvm::to_vector(llvm::reverse(llvm::seq(tile.lanes))));
      } else if (extract) {
        result = gather(extract.getTensor(), ArrayRef(operands).drop_front(),
                        tile.lanes);
      } else if (contraction && &nested == contraction->add) {
        Value lhs = values.lookup(contraction->mul->getOperand(0));
        Value rhs = values.lookup(contraction->mul->getOperand(1));
        result =
            multiplyAdd(b, loc, *contraction, lhs, rhs,
                        values.lookup(op.getRegionOutputArgs()[0]), target);
      } else if (contraction && &nested == contraction->mul) {
        continue;
      } else if (inAnyOrder && isa<arith::ExtFOp>(nested) &&
                 isa<BlockArgument>(nested.getOperand(0)) &&
                 isa<VectorType>(operands[0].getType())) {
        result = widenEvenFirst(b, loc, operands[0]);
      } else if (Value quotient = divideByReciprocal(&nested, operands)) {
        result = quotient;
      } else if (Value sum = addProduct(&nested, values)) {
        result = sum;
      } else {
        result = cloneElementwise(b, &nested, operands, tile.lanes);
      }
      values[nested.getResult(0)] = result;
    }
    for (auto [i, yielded] :
         llvm::enumerate(block->getTerminator()->getOperands())) {
      auto it = values.find(yielded);
      results.push_back(
          deferredOutputs.contains(i)
              ? Value()
              : toVector(b, loc, it == values.end() ? yielded : it->second,
                         tile.lanes));
    }
    if (conditions)
      for (const Choice &choice : choices)
        conditions->push_back(
            toVector(b, loc, values.lookup(choice.condition), tile.lanes));
  }
  return results;
}

SmallVector<Value> VectorNest::emitParallelTile(Tile tile, ValueRange carried) {
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> accs;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      if (!op.payloadUsesValueFromOperand(&init))
        accs.push_back(Value());
      else if (initScalars[i])
        accs.push_back(toVector(b, loc, initScalars[i], tile.lanes));
      else
        accs.push_back(toVector(b, loc,
                                read(init,
                                     !epilogue     ? carried[i]
                                     : placeOfSums ? carried[*placeOfSums]
                                                   : init.get(),
                                     tile, row),
                                tile.lanes));
    }
  SmallVector<Value> values;
  if (op.getNumReductionLoops() == 0) {
    values = payload(tile, accs);
  } else {
    // An output whose old value is unused still has to be carried.
    for (auto [i, acc] : llvm::enumerate(accs))
      if (!acc) {
        Type type = op.getRegionOutputArgs()[i % numInits].getType();
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        acc = toVector(b, loc, zero, tile.lanes);
      }
    prefetchRowBelow(tile);
    values = reductionLoops(
        0, accs, [&](ValueRange args) { return payload(tile, args); });
  }
  if (epilogue)
    return finishTile(tile, values, carried);
  if (weaves)
    for (unsigned i = 0; i < numInits; ++i) {
      SmallVector<Value> parts;
      for (int64_t row = 0; row < tile.rows; ++row)
        parts.push_back(values[row * numInits + i]);
      for (auto [row, part] : llvm::enumerate(weave(b, loc, parts)))
        values[row * numInits + i] = part;
    }
  SmallVector<Value> next(carried);
  for (int64_t row = 0; row < tile.rows; ++row)
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable()))
      next[i] = write(init, next[i], values[row * numInits + i], tile, row);
  return next;
}

SmallVector<Value> VectorNest::emitReductionTile(int64_t rowCount,
                                                 ValueRange carried) {
  unsigned numInits = op.getNumDpsInits();
  MutableArrayRef<OpOperand> inits = op.getDpsInitsMutable();
  auto startOf = [&](unsigned i, int64_t row, ArrayRef<Value> dests) -> Value {
    if (initScalars[i])
      return initScalars[i];
    return tensor::ExtractOp::create(b, loc, dests[i], indices(inits[i], row));
  };
  // The largest of numbers may start from one in every lane; NaN, which is
  // neutral, would have to be tested for.
  auto startsEveryLane = [&](unsigned i) {
    return isa<arith::MaxNumFOp, arith::MinNumFOp>(combiners[i]) &&
           initScalars[i] && matchPattern(initScalars[i], m_Constant());
  };
  // Each row carries its outputs but the deferred ones, then the number of the
  // vector of each choice. Choices start as the program does in every lane.
  SmallVector<Value> accs, starts(rowCount * numInits);
  for (int64_t row = 0; row < rowCount; ++row) {
    for (auto [i, combiner] : llvm::enumerate(combiners)) {
      Value start;
      if (combiner && startsEveryLane(i))
        start = initScalars[i];
      else if (combiner)
        start = arith::ConstantOp::create(b, loc, getNeutral(combiner));
      else
        start = starts[row * numInits + i] =
            startOf(i, row, SmallVector<Value>(carried));
      if (!deferredOutputs.contains(i))
        accs.push_back(toVector(b, loc, start, lanes));
    }
    for (const Choice &choice : choices)
      accs.push_back(startNumbers(b, loc, choice.element.getType(), lanes));
  }
  SmallVector<Value> partial = reductionLoops(0, accs, [&](ValueRange outer) {
    // Past the whole steps the first register of each goes on.
    bool isNarrow = tailLanes < lanes;
    SmallVector<Value> wide;
    auto takeFirst = [&](ValueRange values) {
      wide = values;
      return llvm::map_to_vector(wide, [&](Value value) -> Value {
        return vector::ExtractStridedSliceOp::create(b, loc, value, int64_t(0),
                                                     tailLanes, int64_t(1));
      });
    };
    SmallVector<Value> last = splitLoop(
        vecDim, lanes, getTailSteps(), outer,
        [&](int64_t by, bool full, ValueRange args) {
          Tile tile{by, /*masked=*/!full, rowCount};
          SmallVector<Value> next = reductionStep(tile, args);
          if (full)
            return next;
          // Lanes past the end keep what they had.
          AffineExpr s0 = b.getAffineSymbolExpr(0),
                     s1 = b.getAffineSymbolExpr(1);
          Value rest =
              applyExpr(b, loc, s0 - s1, {bounds[vecDim], ivs[vecDim]});
          Value mask = vector::CreateMaskOp::create(
              b, loc, VectorType::get({by}, b.getI1Type()), rest);
          for (auto [value, old] : llvm::zip_equal(next, args))
            value = arith::SelectOp::create(b, loc, mask, value, old);
          return next;
        },
        /*grain=*/0, /*count=*/{},
        isNarrow ? llvm::function_ref<SmallVector<Value>(ValueRange)>(takeFirst)
                 : nullptr);
    if (isNarrow)
      for (auto [value, all] : llvm::zip_equal(last, wide))
        value = vector::InsertStridedSliceOp::create(b, loc, value, all,
                                                     int64_t(0), int64_t(1));
    return last;
  });
  SmallVector<Value> next(carried);
  ArrayRef<Value> rest = partial;
  for (int64_t row = 0; row < rowCount; ++row) {
    SmallVector<Value> lanewise(numInits), totals(numInits);
    for (unsigned i = 0; i < numInits; ++i)
      if (!deferredOutputs.contains(i))
        lanewise[i] = rest.consume_front();
    for (const Choice &choice : choices)
      finishChoice(choice, row,
                   ArrayRef(starts).slice(row * numInits, numInits), lanewise,
                   rest.consume_front(), totals);
    for (auto [i, combiner] : llvm::enumerate(combiners)) {
      if (combiner) {
        vector::CombiningKind kind = *linalg::getCombinerOpKind(combiner);
        totals[i] = startsEveryLane(i)
                        ? vector::ReductionOp::create(b, loc, kind, lanewise[i])
                        : vector::ReductionOp::create(b, loc, kind, lanewise[i],
                                                      startOf(i, row, next));
      }
      next[i] = tensor::InsertOp::create(b, loc, totals[i], next[i],
                                         indices(inits[i], row));
    }
  }
  return next;
}

SmallVector<Value> VectorNest::emit() {
  bounds = getLoopSizes(b, op);
  ivs.assign(numLoops, Value());
  for (OpOperand *in : op.getDpsInputOperands()) {
    Stride kind = stride(*in);
    if ((kind == Stride::One || kind == Stride::Few ||
         kind == Stride::Interleaved) &&
        isFlattened(*in, vecDim))
      flatten(*in, in->get());
  }
  SmallVector<Value> carried, dests;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    FillInfo fill = matchFill(init.get());
    initScalars.push_back(fill.scalar);
    Value dest = fill.scalar ? fill.destination : init.get();
    // Every element is written: where the old values are not needed, a fresh
    // destination saves the copy of one that must stay as it is.
    bool reads = !fill.scalar && op.payloadUsesValueFromOperand(&init);
    if (!reads &&
        !isa_and_nonnull<tensor::EmptyOp, tensor::ExtractSliceOp,
                         bufferization::AllocTensorOp>(dest.getDefiningOp())) {
      auto type = cast<RankedTensorType>(dest.getType());
      dest =
          tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, dest),
                                  type.getElementType(), type.getEncoding());
    }
    dests.push_back(dest);
    carried.push_back(repeats || weaves ? flatten(init, dest) : dest);
  }
  if (epilogue)
    carried = prepareEpilogue(dests.front());
  Tile tile;
  tile.lanes = lanes;
  SmallVector<int> order = loopOrder();
  planThreads(order);
  planPrefetch();
  SmallVector<Value> results = parallelLoops(order, tile, carried);
  if (repeats || weaves)
    for (auto [init, result, dest] :
         llvm::zip_equal(op.getDpsInitsMutable(), results, dests))
      result = unflatten(init, result, dest);
  return results;
}

SmallVector<Operation *> cpu::lowerToVectorLoops(RewriterBase &rewriter,
                                                 linalg::LinalgOp op,
                                                 const CPUTarget &target,
                                                 std::string &reason) {
  OpBuilder::InsertionGuard guard(rewriter);
  VectorNest nest(rewriter, op, target);
  if (failed(nest.plan(reason)))
    return {};
  nest.planEpilogue();
  reason = nest.describeScalarAccess();
  SmallVector<Operation *> lowered = nest.getLowered();
  rewriter.setInsertionPoint(lowered.back());
  SmallVector<Value> replaced = nest.getReplaced();
  for (auto [old, value] : llvm::zip_equal(replaced, nest.emit()))
    rewriter.replaceAllUsesWith(old, value);
  for (Operation *done : llvm::reverse(lowered))
    rewriter.eraseOp(done);
  return lowered;
}

bool cpu::goesElementByElement(linalg::LinalgOp op, const CPUTarget &target) {
  if (llvm::all_of(op.getStaticLoopRanges(),
                   [](int64_t size) { return size == 1; }))
    return false;
  OpBuilder b(op);
  VectorNest nest(b, op, target);
  std::string reason;
  return failed(nest.plan(reason)) || !nest.describeScalarAccess().empty();
}
