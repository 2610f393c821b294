//===- AttentionSoftmax.cpp - from products to weights, and to results ----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "../MmaOps.h"
#include "AttentionInstructions.h"
#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// The binary logarithm of e.
static constexpr double kLog2E = 1.4426950408889634074;

Value AttentionKernel::emitConstant(double value) {
  return arith::ConstantOp::create(at.b, at.loc,
                                   builder.getF32FloatAttr(value));
}

/// Adds up `values`, or takes their maximum, as a tree.
Value AttentionKernel::combine(ArrayRef<Value> values, bool isMaximum) {
  SmallVector<Value> level(values);
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      Value l = level[i], r = level[i + 1];
      next.push_back(
          isMaximum ? arith::MaxNumFOp::create(at.b, at.loc, l, r).getResult()
                    : arith::AddFOp::create(at.b, at.loc, l, r).getResult());
    }
    if (level.size() % 2)
      next.push_back(level.back());
    level = next;
  }
  return level.front();
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// The first row of this warp.
WordValue AttentionKernel::getWarpRow() {
  return groupRow + (warp & 3) * AttentionConfig::kWarpRows;
}

WordValue AttentionKernel::getThreadRow(int64_t half) {
  return getWarpRow() + (lane >> 2) + 8 * half;
}

AttentionKernel::Row AttentionKernel::getRow(const WordValue &row,
                                             bool isClamped) {
  WordValue query = packing.getQuery(row), head = packing.getHead(row);
  std::optional<int64_t> known = queries.getConstant();
  bool hasTail =
      !known || *known % packing.getQueries(config.getBlockRows()) != 0;
  if (isClamped && hasTail)
    query = WordValue::min(query, queries - 1);
  if (isClamped && !packing.isDense())
    head = WordValue::min(head, packing.heads - 1);
  return {toIndex(query), toIndex(head)};
}

Value AttentionKernel::isRow(const WordValue &row) {
  Value isInside = WordValue::less(at, packing.getQuery(row), queries);
  if (packing.isDense())
    return isInside;
  return arith::AndIOp::create(
      at.b, at.loc, isInside,
      WordValue::less(at, packing.getHead(row), packing.heads));
}

SmallVector<WordValue>
AttentionKernel::getRowCoordinates(const WordValue &row) {
  if (!plan.packed)
    return {row};
  return {packing.getHead(row), packing.getQuery(row)};
}

SmallVector<Value> AttentionKernel::getIndices(ArrayRef<int> loops,
                                               const Row &row,
                                               const IndexValue &key) {
  SmallVector<Value> indices;
  for (int loop : loops) {
    if (loop < 0)
      indices.push_back(IndexValue(0).get(at));
    else if (loop == static_cast<int>(plan.a.row))
      indices.push_back(row.query.get(at));
    else if (plan.packed && loop == static_cast<int>(*plan.packed))
      indices.push_back(row.head.get(at));
    else if (loop == static_cast<int>(plan.a.key))
      indices.push_back(key.get(at));
    else
      indices.push_back(
          toIndex(outer[llvm::find(plan.a.outer, static_cast<unsigned>(loop)) -
                        plan.a.outer.begin()])
              .get(at));
  }
  return indices;
}

Value AttentionKernel::readProduct(ValueRange indices, int64_t width) {
  auto product = [&](int64_t element) {
    return current[WgmmaFragments::getAccumulator(currentGroup, currentHalf,
                                                  element)];
  };
  if (width == 2)
    return vector::FromElementsOp::create(
        at.b, at.loc, VectorType::get({2}, builder.getF32Type()),
        ValueRange{product(0), product(1)});
  return product(currentElement);
}

/// The scores of the tile `tile`, all of them with the payload, and nothing
/// behind the last key.
SmallVector<Value> AttentionKernel::emitPayload(ArrayRef<Value> products,
                                                const WordValue &tile) {
  std::optional<int64_t> known = keys.getConstant();
  bool hasTail = !known || *known % config.blockKeys != 0;
  Attention &a = payloadAttention;
  linalg::GenericOp product = a.product;
  int64_t step = width;
  payloadEvaluator->bind(
      product.getResult(0),
      [this](OpBuilder &, Location, ValueRange indices, int64_t count) {
        return readProduct(indices, count);
      });
  current = products;
  SmallVector<Value> scores(products.size());
  Value none = emitConstant(-std::numeric_limits<double>::infinity());
  Row row[2] = {getRow(getThreadRow(0)), getRow(getThreadRow(1))};
  WordValue column = tile * config.blockKeys + (lane & 3) * 2;
  for (int64_t group = 0; group < config.blockKeys / 8; ++group)
    for (int64_t element = 0; element < 2; element += step) {
      WordValue key = column + (8 * group + element);
      IndexValue index =
          toIndex(hasTail ? WordValue::min(key, keys - step) : key);
      for (int64_t half : {0, 1}) {
        currentGroup = group;
        currentHalf = half;
        currentElement = element;
        SmallVector<Value> values;
        Value score = payloadEvaluator->emit(
            at.b, at.loc, a.scores, getIndices(a.scoreDims, row[half], index),
            step);
        score = Evaluator::toVector(at.b, at.loc, score, step);
        // Rounded scores would be widened again.
        auto truncate = score.getDefiningOp<arith::TruncFOp>();
        Type wide = builder.getF32Type();
        if (step > 1)
          wide = VectorType::get({step}, wide);
        if (truncate && truncate.getIn().getType() == wide)
          score = truncate.getIn();
        else if (score.getType() != wide)
          score = arith::ExtFOp::create(at.b, at.loc, wide, score);
        for (int64_t i = 0; i < step; ++i)
          values.push_back(
              step == 1 ? score
                        : vector::ExtractOp::create(at.b, at.loc, score, i)
                              .getResult());
        for (int64_t i = 0; i < step; ++i) {
          Value &to =
              scores[WgmmaFragments::getAccumulator(group, half, element + i)];
          to = values[i];
          if (hasTail)
            to = arith::SelectOp::create(
                at.b, at.loc, WordValue::less(at, key + i, keys), to, none);
        }
      }
    }
  return scores;
}

std::pair<WordValue, WordValue> AttentionKernel::emitBounds(const Row &row) {
  WordValue first = 0, end = keys;
  SmallVector<AttentionMask> masks = findIndexMasks(payloadAttention);
  for (unsigned number : plan.masks)
    for (const AttentionBound &bound : masks[number].bounds) {
      Value value = payloadEvaluator->emit(at.b, at.loc, bound.tensor,
                                           getIndices(bound.dims, row, 0),
                                           /*width=*/1);
      // No number of keys needs more than 31 bits; bounds may be anything.
      Type wide = builder.getI64Type();
      if (value.getType().isIndex())
        value = arith::IndexCastOp::create(at.b, at.loc, wide, value);
      else if (value.getType() != wide)
        value = arith::ExtSIOp::create(at.b, at.loc, wide, value);
      auto number64 = [&](int64_t x) -> Value {
        return arith::ConstantIntOp::create(at.b, at.loc, wide, x);
      };
      if (bound.offset != 0)
        value =
            arith::AddIOp::create(at.b, at.loc, value, number64(bound.offset));
      Value count = arith::ExtUIOp::create(at.b, at.loc, wide, keys.get(at));
      value = arith::MaxSIOp::create(at.b, at.loc, value, number64(0));
      value = arith::MinSIOp::create(at.b, at.loc, value, count);
      WordValue limit(
          at, arith::TruncIOp::create(at.b, at.loc, builder.getI32Type(), value)
                  .getResult());
      if (bound.isEnd)
        end = WordValue::min(end, limit);
      else
        first = WordValue::select(at, WordValue::less(at, first, limit), limit,
                                  first);
    }
  return {first, end};
}

WordValue AttentionKernel::emitWarpExtreme(WordValue value, bool isGreatest) {
  for (int64_t mask : {16, 8, 4, 2, 1}) {
    WordValue other(at, emitShuffleXor(at, value.get(at), mask));
    Value isLess = WordValue::less(at, value, other);
    value = isGreatest ? WordValue::select(at, isLess, other, value)
                       : WordValue::select(at, isLess, value, other);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Weights of `scores`, in units of `scale`.
AttentionKernel::Softmax AttentionKernel::emitWeights(ArrayRef<Value> scores,
                                                      const Softmax &before) {
  Softmax next;
  Value none = emitConstant(-std::numeric_limits<double>::infinity());
  Value factor = emitConstant(scale * kLog2E);
  auto exponential = [&](Value score, Value base) {
    // The difference first: a product with a large score would be off by more
    // than its distance to another.
    Value distance = arith::SubFOp::create(at.b, at.loc, score, base);
    return emitExp2(at, arith::MulFOp::create(at.b, at.loc, distance, factor));
  };
  SmallVector<Value> base;
  for (int64_t half : {0, 1}) {
    SmallVector<Value> row;
    for (size_t i = 0; i < scores.size(); ++i)
      if (static_cast<int64_t>(i / 2 % 2) == half)
        row.push_back(scores[i]);
    Value maximum = combine(row, /*isMaximum=*/true);
    for (int64_t mask : {1, 2})
      maximum = arith::MaxNumFOp::create(at.b, at.loc, maximum,
                                         emitShuffleXor(at, maximum, mask));
    maximum =
        arith::MaxNumFOp::create(at.b, at.loc, maximum, before.maximum[half]);
    // A row that has seen no key yet: all distances to 0 are infinite.
    Value isNone = arith::CmpFOp::create(
        at.b, at.loc, arith::CmpFPredicate::OEQ, maximum, none);
    base.push_back(arith::SelectOp::create(at.b, at.loc, isNone,
                                           emitConstant(0), maximum));
    next.maximum.push_back(maximum);
    next.rescale.push_back(exponential(before.maximum[half], base.back()));
  }
  // Scores are done with, and their registers free, in the order of the
  // weights. Pairs of columns are the halves of a register of A.
  Type element = plan.valueElement == WgmmaElement::F16
                     ? Type(builder.getF16Type())
                     : Type(builder.getBF16Type());
  SmallVector<Value> sums[2];
  for (int64_t step = 0; step < config.blockKeys / 16; ++step)
    for (unsigned reg = 0; reg < WgmmaFragments::kRegistersA; ++reg) {
      int64_t half = reg % 2;
      SmallVector<Value> pair;
      for (unsigned i : {0, 1}) {
        pair.push_back(exponential(
            scores[WgmmaFragments::getAccumulatorOfA16(step, reg, i)],
            base[half]));
        unsigned chain = 2 * (reg / 2) + i;
        if (step == 0)
          sums[half].push_back(pair.back());
        else
          sums[half][chain] = arith::AddFOp::create(
              at.b, at.loc, sums[half][chain], pair.back());
      }
      Value wide = vector::FromElementsOp::create(
          at.b, at.loc, VectorType::get({2}, builder.getF32Type()), pair);
      next.weights.push_back(emitRegister(
          at, arith::TruncFOp::create(at.b, at.loc,
                                      VectorType::get({2}, element), wide)));
    }
  for (int64_t half : {0, 1})
    next.sum.push_back(
        math::FmaOp::create(at.b, at.loc, before.sum[half], next.rescale[half],
                            combine(sums[half], /*isMaximum=*/false)));
  return next;
}

/// `products` where a row sees the key, else nothing.
SmallVector<Value> AttentionKernel::emitLimits(ArrayRef<Value> products,
                                               const WordValue &tile) {
  Value none = emitConstant(-std::numeric_limits<double>::infinity());
  WordValue column = tile * config.blockKeys + (lane & 3) * 2;
  KeyTiles<WordValue> visible{plan.limits, /*tile=*/1, keys};
  SmallVector<Value> scores(products);
  for (int64_t half : {0, 1}) {
    WordValue row = getThreadRow(half), query = packing.getQuery(row);
    WordValue begin = visible.begin(query), end = visible.end(query, 1);
    if (plan.hasBounds) {
      auto [first, last] = emitBounds(getRow(row));
      begin = WordValue::select(at, WordValue::less(at, begin, first), first,
                                begin);
      end = WordValue::min(end, last);
    }
    for (int64_t group = 0; group < config.blockKeys / 8; ++group)
      for (int64_t element : {0, 1}) {
        Value &score =
            scores[WgmmaFragments::getAccumulator(group, half, element)];
        WordValue key = column + (8 * group + element);
        Value isVisible = WordValue::less(at, key, end);
        if (plan.limits.lower || plan.hasBounds)
          isVisible = arith::AndIOp::create(
              at.b, at.loc, isVisible, WordValue::less(at, begin, key + 1));
        score = arith::SelectOp::create(at.b, at.loc, isVisible, score, none);
      }
  }
  return scores;
}

AttentionKernel::Softmax AttentionKernel::emitSoftmax(ArrayRef<Value> products,
                                                      const WordValue &tile,
                                                      const Softmax &before) {
  std::optional<int64_t> known = keys.getConstant();
  bool hasTail = !known || *known % config.blockKeys != 0;
  KeyTiles<WordValue> tiles{plan.limits, config.blockKeys, keys};
  WordValue query = packing.getQuery(groupRow);
  int64_t queriesOfGroup = packing.getQueries(AttentionConfig::kConsumerRows);
  auto emitPart = [&] {
    return emitWeights(plan.hasPayload ? emitPayload(products, tile)
                                       : emitLimits(products, tile),
                       before);
  };
  auto emitWhole = [&] { return emitWeights(products, before); };
  bool isFirst = before.weights.empty();
  if (plan.hasPayload)
    return emitPart();
  if (!hasTail && !plan.limits.any() && !plan.hasBounds)
    return emitWhole();
  if (isFirst)
    return emitPart();
  if (!plan.hasBounds &&
      tiles.hasOnePart(packing.getQueries(config.getBlockRows())))
    return emitWhole();

  Value isWhole = arith::AndIOp::create(
      at.b, at.loc, WordValue::less(at, tile, tiles.wholeEnd(query)),
      WordValue::less(at, tiles.wholeBegin(query, queriesOfGroup), tile + 1));
  if (plan.hasBounds) {
    Value isInside =
        arith::AndIOp::create(at.b, at.loc, WordValue::less(at, tile, wholeEnd),
                              WordValue::less(at, wholeFirst, tile + 1));
    isWhole = arith::AndIOp::create(at.b, at.loc, isWhole, isInside);
  }
  Softmax next;
  SmallVector<Type> types(6 + config.blockKeys / 4, builder.getF32Type());
  for (int64_t i = 6, e = types.size(); i < e; ++i)
    types[i] = builder.getI32Type();
  auto branch = scf::IfOp::create(at.b, at.loc, types, isWhole,
                                  /*withElseRegion=*/true);
  for (bool whole : {true, false}) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = whole ? branch.thenBlock() : branch.elseBlock();
    builder.setInsertionPointToEnd(block);
    Softmax state = whole ? emitWhole() : emitPart();
    SmallVector<Value> values = state.maximum;
    llvm::append_range(values, state.sum);
    llvm::append_range(values, state.rescale);
    llvm::append_range(values, state.weights);
    scf::YieldOp::create(at.b, at.loc, values);
  }
  ValueRange results = branch.getResults();
  next.maximum = results.slice(0, 2);
  next.sum = results.slice(2, 2);
  next.rescale = results.slice(4, 2);
  next.weights = results.drop_front(6);
  return next;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Two elements of result `number`, of the eight columns `group`.
Value AttentionKernel::emitPair(unsigned number, int64_t group, int64_t half) {
  currentGroup = group;
  currentHalf = half;
  const AttentionOutput &output = plan.outputs[number];
  func::FuncOp source = kernel.function;
  Value result = source.getBody().front().getTerminator()->getOperand(number);
  SmallVector<Value> pair;
  for (int64_t element : {0, 1}) {
    currentElement = element;
    SmallVector<Value> loops;
    for (int original : plan.a.valueLoops)
      loops.push_back(
          original < 0
              ? toIndex((lane & 3) * 2 + (8 * group + element)).get(at)
              : getIndices(original, getRow(getThreadRow(half)), 0).front());
    SmallVector<Value> indices;
    for (AffineExpr expr : output.indices)
      indices.push_back(
          affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
    pair.push_back(
        resultEvaluator->emit(at.b, at.loc, result, indices, /*width=*/1));
  }
  return vector::FromElementsOp::create(
      at.b, at.loc, VectorType::get({2}, pair.front().getType()), pair);
}

void AttentionKernel::storeByTma(unsigned number) {
  // All warps have read their queries, where the results go now.
  emitNamedSync(at, consumer + NamedBarriers::epilogue(0), 128);
  int64_t columns = config.problem.columns;
  int64_t chunks = AttentionConfig::roundUp(columns, 64) / 64;
  WordValue warpRow = (warp & 3) * AttentionConfig::kWarpRows;
  auto bufferAt = [&](int64_t chunk) {
    return emitOffset(
        at, shared,
        (consumer * AttentionConfig::kConsumerRows + warpRow) * 128 +
            (config.getOffsetStores() + chunk * config.getStoreBytes()));
  };
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    Value buffer = bufferAt(chunk);
    for (int64_t quarter = 0; quarter < 4; ++quarter) {
      SmallVector<Value> registers;
      for (int64_t reg = 0; reg < 4; ++reg) {
        int64_t group = 8 * chunk + 2 * quarter + reg / 2;
        // What lies behind the last column is not stored.
        registers.push_back(
            8 * group < columns
                ? emitRegister(at, emitPair(number, group, reg % 2))
                : WordValue(0).get(at));
      }
      emitStoreMatrix(
          at, emitOffset(at, buffer, StoreBuffer::storeMatrix(lane, quarter)),
          registers);
    }
  }
  emitSharedStoreFence(at);
  emitWarpBarrier(at.b, at.loc);
  emitIf(isFirstLane, [&] {
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      SmallVector<WordValue> coordinates = {64 * chunk};
      llvm::append_range(coordinates, getRowCoordinates(groupRow + warpRow));
      for (unsigned loop : plan.outputs[number].outer)
        coordinates.push_back(outer[loop]);
      emitTmaStore(at, resultMaps[number], bufferAt(chunk), coordinates,
                   /*isStreamed=*/false);
    }
    emitTmaStoreCommit(at);
    emitTmaStoreWait(at);
  });
}

void AttentionKernel::storeDirectly(unsigned number) {
  const AttentionOutput &output = plan.outputs[number];
  Value buffer = arguments[kernel.getNumInputs() + number];
  for (int64_t half : {0, 1}) {
    WordValue row = getThreadRow(half);
    emitIf(isRow(row), [&] {
      resultEvaluator->forget();
      for (int64_t group = 0; group < config.problem.columns / 8; ++group) {
        Value pair = emitPair(number, group, half);
        for (int64_t element : {0, 1}) {
          SmallVector<Value> loops, indices;
          for (int original : plan.a.valueLoops)
            loops.push_back(
                original < 0
                    ? toIndex((lane & 3) * 2 + (8 * group + element)).get(at)
                    : getIndices(original, getRow(row, /*isClamped=*/false), 0)
                          .front());
          for (AffineExpr expr : output.indices)
            indices.push_back(
                affine::expandAffineExpr(at.b, at.loc, expr, loops, {}));
          Value value = vector::ExtractOp::create(at.b, at.loc, pair, element);
          memref::StoreOp::create(at.b, at.loc, value, buffer, indices);
        }
      }
    });
  }
}

void AttentionKernel::storeRows(unsigned number) {
  func::FuncOp source = kernel.function;
  Value result = source.getBody().front().getTerminator()->getOperand(number);
  Value buffer = arguments[kernel.getNumInputs() + number];
  for (int64_t half : {0, 1}) {
    WordValue row = getThreadRow(half);
    Value isWriter = arith::AndIOp::create(
        at.b, at.loc, WordValue::equal(at, lane & 3, 0), isRow(row));
    emitIf(isWriter, [&] {
      currentHalf = half;
      resultEvaluator->forget();
      SmallVector<Value> indices = getIndices(
          plan.outputs[number].rowDims, getRow(row, /*isClamped=*/false), 0);
      Value value = resultEvaluator->emit(at.b, at.loc, result, indices);
      memref::StoreOp::create(at.b, at.loc, value, buffer, indices);
    });
  }
}

void AttentionKernel::emitResults(ArrayRef<Value> sums,
                                  const Softmax &softmax) {
  for (int64_t half : {0, 1}) {
    Value sum = softmax.sum[half];
    for (int64_t mask : {1, 2})
      sum = arith::AddFOp::create(at.b, at.loc, sum,
                                  emitShuffleXor(at, sum, mask));
    // A row of -inf: its weights here are 0, where those of the program are NaN
    // unless it takes care.
    if (!plan.a.hasSafeMaximum)
      sum = arith::SelectOp::create(
          at.b, at.loc,
          arith::CmpFOp::create(
              at.b, at.loc, arith::CmpFPredicate::OEQ, softmax.maximum[half],
              emitConstant(-std::numeric_limits<double>::infinity())),
          emitConstant(std::numeric_limits<double>::quiet_NaN()), sum);
    finalSum.push_back(sum);
    if (plan.a.hasSafeSum)
      sum = arith::SelectOp::create(
          at.b, at.loc,
          arith::CmpFOp::create(at.b, at.loc, arith::CmpFPredicate::OEQ, sum,
                                emitConstant(0)),
          emitConstant(1), sum);
    finalMaximum.push_back(
        scale == 1 ? softmax.maximum[half]
                   : arith::MulFOp::create(at.b, at.loc, softmax.maximum[half],
                                           emitConstant(scale)));
    reciprocal.push_back(
        arith::DivFOp::create(at.b, at.loc, emitConstant(1), sum));
  }
  linalg::GenericOp values = plan.a.values, maximum = plan.a.maximum,
                    sum = plan.a.sum;
  resultEvaluator->bind(
      values.getResult(0),
      [this, sums](OpBuilder &, Location, ValueRange, int64_t) -> Value {
        Value value = sums[WgmmaFragments::getAccumulator(
            currentGroup, currentHalf, currentElement)];
        return arith::MulFOp::create(at.b, at.loc, value,
                                     reciprocal[currentHalf]);
      });
  auto bindRows = [&](Value tensor, SmallVector<Value> &state) {
    resultEvaluator->bind(tensor,
                          [this, tensor, &state](OpBuilder &, Location,
                                                 ValueRange, int64_t) -> Value {
                            Type type = getElementTypeOrSelf(tensor.getType());
                            Value value = state[currentHalf];
                            if (type == value.getType())
                              return value;
                            return arith::TruncFOp::create(at.b, at.loc, type,
                                                           value);
                          });
  };
  bindRows(maximum.getResult(0), finalMaximum);
  bindRows(sum.getResult(0), finalSum);
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    if (output.isOfRows())
      storeRows(number);
    else if (output.view)
      storeByTma(number);
    else
      storeDirectly(number);
  }
}
