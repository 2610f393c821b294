//===- AttentionLowering.cpp - amp.attention to linalg --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What amp/Codegen/Common/Attention.h recognises again. Heads that share keys
// become a loop that only queries have, without a copy. Of packed sequences two
// numbers are computed for each row: its first key, and that behind its last.
//
//===----------------------------------------------------------------------===//

#include "AttentionLowering.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp;

namespace {

/// A tensor, and the loop along each dimension, null where it is repeated.
struct Operand {
  Value value;
  SmallVector<AffineExpr> dims;
};

class Lowering {
public:
  Lowering(OpBuilder &b, AttentionOp op);

  SmallVector<Value> run();

private:
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  /// Groups dimension `dim` of `value`, of heads, by heads of keys.
  Value splitHeads(Value value, int64_t dim);
  Value joinHeads(Value value);
  Value makeEmpty(ArrayRef<AffineExpr> dims, Type element);
  Value makeFilled(ArrayRef<AffineExpr> dims, Value scalar);
  Value makeFloat(OpBuilder &builder, double value, Type type);
  Value emit(ArrayRef<Operand> inputs, ArrayRef<AffineExpr> out, Value init,
             Body body);
  Value contract(const Operand &lhs, const Operand &rhs,
                 ArrayRef<AffineExpr> out);
  Value convert(OpBuilder &builder, Value value, Type type);
  /// The mask as an operand of the scores.
  Operand getMask();
  /// The first key that each row sees, or that behind the last, where the
  /// sequences or the sizes are known at run time only.
  Value emitBound(bool isEnd);
  OpFoldResult getSize(AffineExpr loop) {
    return sizes[cast<AffineDimExpr>(loop).getPosition()];
  }

  OpBuilder &b;
  AttentionOp op;
  Location loc;
  int64_t rank, groups;
  Type element, wide;
  /// The loops of all: batches and heads, then rows, keys, depth, columns.
  SmallVector<AffineExpr> outer;
  AffineExpr row, key, depth, column;
  SmallVector<OpFoldResult> sizes;
  std::optional<int64_t> before, after;
  /// How far the key of the place of a row is behind the row, where sizes are
  /// known.
  int64_t shift = 0;
  bool hasBounds = false;
};

} // namespace

Lowering::Lowering(OpBuilder &b, AttentionOp op)
    : b(b), op(op), loc(op.getLoc()), rank(op.getQuery().getType().getRank()),
      groups(op.getGroupSize()),
      element(op.getQuery().getType().getElementType()),
      wide(op.getComputeType(element)) {
  int64_t numOuter = rank - 2 + (groups > 1);
  for (int64_t i = 0; i < numOuter; ++i)
    outer.push_back(b.getAffineDimExpr(i));
  row = b.getAffineDimExpr(numOuter);
  key = b.getAffineDimExpr(numOuter + 1);
  depth = b.getAffineDimExpr(numOuter + 2);
  column = b.getAffineDimExpr(numOuter + 3);
  SmallVector<OpFoldResult> query =
      tensor::getMixedSizes(b, loc, op.getQuery());
  for (int64_t i = 0; i < rank - 2; ++i) {
    if (groups > 1 && i == rank - 3) {
      sizes.push_back(b.getIndexAttr(op.getKey().getType().getDimSize(i)));
      sizes.push_back(b.getIndexAttr(groups));
    } else {
      sizes.push_back(query[i]);
    }
  }
  sizes.push_back(query[rank - 2]);
  sizes.push_back(tensor::getMixedSize(b, loc, op.getKey(), rank - 2));
  sizes.push_back(query[rank - 1]);
  sizes.push_back(tensor::getMixedSize(b, loc, op.getValue(), rank - 1));

  std::tie(before, after) = op.getLimits();
  std::optional<int64_t> rows = getConstantIntValue(getSize(row)),
                         keys = getConstantIntValue(getSize(key));
  bool isShifted = op.getAlignLast() && (before || after);
  if (isShifted && rows && keys)
    shift = *keys - *rows;
  hasBounds = op.getQueryOffsets() || (isShifted && !(rows && keys));
}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

Value Lowering::splitHeads(Value value, int64_t dim) {
  if (groups == 1)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> reassociation;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> mixed;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    ReassociationIndices &indices = reassociation.emplace_back();
    indices.push_back(shape.size());
    if (i != dim) {
      shape.push_back(type.getDimSize(i));
      mixed.push_back(tensor::getMixedSize(b, loc, value, i));
      continue;
    }
    indices.push_back(shape.size() + 1);
    for (int64_t size : {type.getDimSize(i) / groups, groups}) {
      shape.push_back(size);
      mixed.push_back(b.getIndexAttr(size));
    }
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value,
      reassociation, mixed);
}

Value Lowering::joinHeads(Value value) {
  if (groups == 1)
    return value;
  SmallVector<ReassociationIndices> reassociation;
  int64_t next = 0;
  for (int64_t i = 0, e = cast<RankedTensorType>(value.getType()).getRank() - 1;
       i < e; ++i) {
    ReassociationIndices &indices = reassociation.emplace_back();
    indices.push_back(next++);
    if (i == rank - 3)
      indices.push_back(next++);
  }
  return tensor::CollapseShapeOp::create(b, loc, value, reassociation);
}

Value Lowering::makeEmpty(ArrayRef<AffineExpr> dims, Type type) {
  return tensor::EmptyOp::create(
      b, loc,
      llvm::map_to_vector(dims, [&](AffineExpr dim) { return getSize(dim); }),
      type);
}

Value Lowering::makeFilled(ArrayRef<AffineExpr> dims, Value scalar) {
  return linalg::FillOp::create(b, loc, scalar,
                                makeEmpty(dims, scalar.getType()))
      .getResult(0);
}

Value Lowering::makeFloat(OpBuilder &builder, double value, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value Lowering::convert(OpBuilder &builder, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

/// One element of `out` from those of `inputs`, the arguments of `body`, and
/// the one that it has; loops that `out` lacks are added up over.
Value Lowering::emit(ArrayRef<Operand> inputs, ArrayRef<AffineExpr> out,
                     Value init, Body body) {
  // Loops without a use are left out.
  SmallVector<AffineExpr> loops;
  for (AffineExpr loop : out)
    loops.push_back(loop);
  for (const Operand &input : inputs)
    for (AffineExpr loop : input.dims)
      if (loop && !llvm::is_contained(loops, loop))
        loops.push_back(loop);
  llvm::sort(loops, [](AffineExpr a, AffineExpr b) {
    return cast<AffineDimExpr>(a).getPosition() <
           cast<AffineDimExpr>(b).getPosition();
  });
  auto getMap = [&](ArrayRef<AffineExpr> dims) {
    SmallVector<AffineExpr> results;
    for (AffineExpr dim : dims)
      results.push_back(
          dim ? b.getAffineDimExpr(llvm::find(loops, dim) - loops.begin())
              : b.getAffineConstantExpr(0));
    return AffineMap::get(loops.size(), 0, results, b.getContext());
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> values;
  for (const Operand &input : inputs) {
    maps.push_back(getMap(input.dims));
    values.push_back(input.value);
  }
  maps.push_back(getMap(out));
  SmallVector<utils::IteratorType> iterators;
  for (AffineExpr loop : loops)
    iterators.push_back(llvm::is_contained(out, loop)
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, loc, init.getType(), values, init, maps, iterators,
             [&](OpBuilder &builder, Location, ValueRange arguments) {
               linalg::YieldOp::create(builder, loc, body(builder, arguments));
             })
      .getResult(0);
}

Value Lowering::contract(const Operand &lhs, const Operand &rhs,
                         ArrayRef<AffineExpr> out) {
  return emit({lhs, rhs}, out, makeFilled(out, makeFloat(b, 0, wide)),
              [&](OpBuilder &builder, ValueRange in) -> Value {
                Value product = arith::MulFOp::create(
                    builder, loc, convert(builder, in[0], wide),
                    convert(builder, in[1], wide));
                return arith::AddFOp::create(builder, loc, in[2], product);
              });
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Operand Lowering::getMask() {
  Value value = op.getMask();
  auto type = cast<RankedTensorType>(value.getType());
  Operand mask;
  int64_t missing = rank - type.getRank();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t of = missing + dim;
    bool isHeads = groups > 1 && of == rank - 3;
    if (type.getDimSize(dim) == 1) {
      mask.dims.push_back({});
    } else if (isHeads) {
      value = splitHeads(value, dim);
      mask.dims.append({outer[of], outer[of + 1]});
    } else {
      mask.dims.push_back(of == rank - 1   ? key
                          : of == rank - 2 ? row
                                           : outer[of]);
    }
  }
  mask.value = value;
  return mask;
}

Value Lowering::emitBound(bool isEnd) {
  // Without offsets there is one sequence, of all rows and keys.
  SmallVector<Operand> inputs;
  AffineExpr sequence = key; // any loop but that of the rows
  OpFoldResult count = b.getIndexAttr(1);
  if (op.getQueryOffsets()) {
    Value offsets = op.getQueryOffsets();
    count = tensor::getMixedSize(b, loc, offsets, 0);
    if (std::optional<int64_t> known = getConstantIntValue(count))
      count = b.getIndexAttr(*known - 1);
    else
      count = arith::SubIOp::create(
                  b, loc, getValueOrCreateConstantIndexOp(b, loc, count),
                  arith::ConstantIndexOp::create(b, loc, 1))
                  .getResult();
  }
  auto add = [&](Value offsets, OpFoldResult whole, bool isLast) {
    Value value;
    if (offsets) {
      value = tensor::ExtractSliceOp::create(
          b, loc, offsets, SmallVector<OpFoldResult>{b.getIndexAttr(isLast)},
          SmallVector<OpFoldResult>{count},
          SmallVector<OpFoldResult>{b.getIndexAttr(1)});
    } else {
      Value number =
          isLast ? arith::IndexCastOp::create(
                       b, loc, b.getI32Type(),
                       getValueOrCreateConstantIndexOp(b, loc, whole))
                       .getResult()
                 : arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0)
                       .getResult();
      Value empty =
          tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{1}, b.getI32Type());
      value = linalg::FillOp::create(b, loc, number, empty).getResult(0);
    }
    inputs.push_back({value, {sequence}});
  };
  for (bool isLast : {false, true}) {
    add(op.getQueryOffsets(), getSize(row), isLast);
    add(op.getKeyOffsets(), getSize(key), isLast);
  }
  std::optional<int64_t> limit = isEnd ? after : before;
  // Every offset fits into 32 bits, sums need not.
  Type type = b.getI64Type();
  if (limit)
    limit = std::min<int64_t>(*limit, std::numeric_limits<int32_t>::max());
  Value zero = arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0);
  return emit(
      inputs, {row}, makeFilled({row}, zero),
      [&](OpBuilder &builder, ValueRange in) -> Value {
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantIntOp::create(builder, loc, type, value);
        };
        auto plus = [&](Value l, Value r) -> Value {
          return arith::AddIOp::create(builder, loc, l, r);
        };
        auto minus = [&](Value l, Value r) -> Value {
          return arith::SubIOp::create(builder, loc, l, r);
        };
        SmallVector<Value> at;
        for (Value offset : in.take_front(4))
          at.push_back(arith::ExtSIOp::create(builder, loc, type, offset));
        Value firstRow = at[0], firstKey = at[1], endRow = at[2],
              endKey = at[3];
        Value own = arith::IndexCastOp::create(
            builder, loc, type, linalg::IndexOp::create(builder, loc, 0));
        Value isInside = arith::AndIOp::create(
            builder, loc,
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                  firstRow, own),
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, own,
                                  endRow));
        Value bound = isEnd ? endKey : firstKey;
        if (limit) {
          Value place = op.getAlignLast()
                            ? plus(minus(own, endRow), endKey)
                            : plus(minus(own, firstRow), firstKey);
          if (isEnd)
            bound = arith::MinSIOp::create(builder, loc, bound,
                                           plus(place, number(*limit + 1)));
          else
            bound = arith::MaxSIOp::create(builder, loc, bound,
                                           minus(place, number(*limit)));
        }
        Value narrow =
            arith::TruncIOp::create(builder, loc, b.getI32Type(), bound);
        Value none =
            arith::ConstantIntOp::create(builder, loc, b.getI32Type(), 0);
        return plus(in[4], arith::SelectOp::create(builder, loc, isInside,
                                                   narrow, none));
      });
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

SmallVector<Value> Lowering::run() {
  SmallVector<AffineExpr> shared(outer);
  if (groups > 1)
    shared.pop_back();
  auto with = [](ArrayRef<AffineExpr> dims, ArrayRef<AffineExpr> more) {
    SmallVector<AffineExpr> all(dims);
    llvm::append_range(all, more);
    return all;
  };
  SmallVector<AffineExpr> ofScores = with(outer, {row, key}),
                          ofRows = with(outer, {row});
  double infinity = std::numeric_limits<double>::infinity();

  Value product =
      contract({splitHeads(op.getQuery(), rank - 3), with(outer, {row, depth})},
               {op.getKey(), with(shared, {key, depth})}, ofScores);

  SmallVector<Operand> inputs = {{product, ofScores}};
  if (op.getMask())
    inputs.push_back(getMask());
  // All keys are bound by their number.
  SmallVector<bool> bounds;
  for (bool isEnd : {false, true})
    if (hasBounds && (op.getQueryOffsets() || (isEnd ? after : before)))
      bounds.push_back(isEnd);
  for (bool isEnd : bounds)
    inputs.push_back({emitBound(isEnd), {row}});
  Value scores = emit(
      inputs, ofScores, makeEmpty(ofScores, wide),
      [&](OpBuilder &builder, ValueRange in) -> Value {
        Value score = arith::MulFOp::create(
            builder, loc, in[0], makeFloat(builder, op.getFactor(), wide));
        Value hidden = makeFloat(builder, -infinity, wide);
        auto hide = [&](Value isVisible) {
          score =
              arith::SelectOp::create(builder, loc, isVisible, score, hidden);
        };
        if (op.getMask() && in[1].getType().isInteger(1))
          hide(in[1]);
        else if (op.getMask())
          score = arith::AddFOp::create(builder, loc, score,
                                        convert(builder, in[1], wide));
        auto index = [&](AffineExpr loop) -> Value {
          return linalg::IndexOp::create(
              builder, loc, cast<AffineDimExpr>(loop).getPosition());
        };
        auto compare = [&](arith::CmpIPredicate predicate, Value l, Value r) {
          hide(arith::CmpIOp::create(builder, loc, predicate, l, r));
        };
        if (hasBounds) {
          ValueRange numbers = in.drop_back().take_back(bounds.size());
          for (auto [isEnd, number] : llvm::zip_equal(bounds, numbers))
            compare(isEnd ? arith::CmpIPredicate::slt
                          : arith::CmpIPredicate::sge,
                    index(key),
                    arith::IndexCastOp::create(builder, loc,
                                               builder.getIndexType(), number));
          return score;
        }
        auto place = [&](int64_t distance) -> Value {
          return arith::AddIOp::create(
              builder, loc, index(row),
              arith::ConstantIndexOp::create(builder, loc, distance));
        };
        if (after)
          compare(arith::CmpIPredicate::sle, index(key), place(shift + *after));
        if (before)
          compare(arith::CmpIPredicate::sge, index(key),
                  place(shift - *before));
        return score;
      });

  auto emitSafe = [&](OpBuilder &builder, Value value, double special,
                      double instead) -> Value {
    Value isSpecial =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, value,
                              makeFloat(builder, special, wide));
    return arith::SelectOp::create(builder, loc, isSpecial,
                                   makeFloat(builder, instead, wide), value);
  };
  Value maximum =
      emit({{scores, ofScores}}, ofRows,
           makeFilled(ofRows, makeFloat(b, -infinity, wide)),
           [&](OpBuilder &builder, ValueRange in) -> Value {
             return arith::MaximumFOp::create(builder, loc, in[0], in[1]);
           });
  // A row of -inf has the weights 0, and the results that follow from them.
  Value weights =
      emit({{scores, ofScores}, {maximum, ofRows}}, ofScores,
           makeEmpty(ofScores, wide),
           [&](OpBuilder &builder, ValueRange in) -> Value {
             Value distance = arith::SubFOp::create(
                 builder, loc, in[0], emitSafe(builder, in[1], -infinity, 0));
             return math::ExpOp::create(builder, loc, distance);
           });
  Value sum = emit({{weights, ofScores}}, ofRows,
                   makeFilled(ofRows, makeFloat(b, 0, wide)),
                   [&](OpBuilder &builder, ValueRange in) -> Value {
                     return arith::AddFOp::create(builder, loc, in[0], in[1]);
                   });
  Value shares =
      emit({{weights, ofScores}, {sum, ofRows}}, ofScores,
           makeEmpty(ofScores, element),
           [&](OpBuilder &builder, ValueRange in) -> Value {
             Value share = arith::DivFOp::create(
                 builder, loc, in[0], emitSafe(builder, in[1], 0, 1));
             return convert(builder, share, element);
           });

  SmallVector<AffineExpr> ofResult = with(outer, {row, column});
  Value result =
      contract({shares, ofScores}, {op.getValue(), with(shared, {key, column})},
               ofResult);
  Type type = op.getResult().getType().getElementType();
  if (type != wide)
    result = emit({{result, ofResult}}, ofResult, makeEmpty(ofResult, type),
                  [&](OpBuilder &builder, ValueRange in) {
                    return convert(builder, in[0], type);
                  });
  SmallVector<Value> results = {joinHeads(result)};
  if (op.getLse())
    results.push_back(joinHeads(emit(
        {{maximum, ofRows}, {sum, ofRows}}, ofRows, makeEmpty(ofRows, wide),
        [&](OpBuilder &builder, ValueRange in) -> Value {
          return arith::AddFOp::create(
              builder, loc, in[0], math::LogOp::create(builder, loc, in[1]));
        })));
  for (auto [value, replaced] : llvm::zip_equal(results, op.getResults()))
    if (value.getType() != replaced.getType())
      value = tensor::CastOp::create(b, loc, replaced.getType(), value);
  return results;
}

SmallVector<Value> amp::lowerAttention(OpBuilder &b, AttentionOp op) {
  return Lowering(b, op).run();
}
