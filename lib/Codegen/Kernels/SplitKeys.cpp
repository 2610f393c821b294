//===- SplitKeys.cpp - attentions over parts of the keys ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of an attention has many rows of one head, and goes through all keys.
// Of few rows and long keys, as in decoding, most of a device would be idle:
// here such an attention becomes one for each part of the keys, with a softmax
// of its own, and ops that put their results together.
//
//===----------------------------------------------------------------------===//

#include "AttentionGroups.h"

#include "HeadSplitter.h"
#include "amp/Codegen/GPU/Hopper/RowPacking.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

#include <cmath>
#include <limits>
#include <variant>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// Parts of the keys
//===----------------------------------------------------------------------===//

/// The multiprocessors of a device of sm_90a, the rows of a block, and the
/// fewest keys of a part: one has to be worth the second step.
static constexpr int64_t kProcessors = 132, kBlockRows = 128, kMinPart = 512;

/// So few rows cost little to put together, also where all keys at once would
/// keep the device busy: a sixteenth of what a part reads at most.
static constexpr int64_t kFewRows = 16;

/// How many keys some row of `attention` sees, as far as places tell.
static int64_t countVisible(const Attention &attention, int64_t rows,
                            int64_t keys) {
  int64_t begin = 0, end = keys;
  for (const AttentionMask &mask : findIndexMasks(attention)) {
    if (!std::isinf(mask.hidden))
      continue;
    begin = std::max(begin, mask.lower.value_or(0));
    end = std::min(end, rows + mask.upper.value_or(keys));
  }
  return std::max<int64_t>(end - begin, 0);
}

/// Whether the schedule makes the `rows` queries of each of `heads` heads rows
/// of one block, or is asked to.
static bool packsHeads(const Attention &attention, int64_t rows,
                       int64_t heads) {
  linalg::GenericOp product = attention.product;
  for (Operation *op : attention.ops) {
    auto name = op->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
    StringRef config = name ? name.getValue().split(':').second : "";
    if (!config.empty())
      return config.ends_with("-packed");
  }
  // Queries that are not contiguous along a head are no rows of a tile.
  return product.getMatchingIndexingMap(attention.q).getResults().back() ==
             getAffineDimExpr(attention.depth, product.getContext()) &&
         amp::gpu::hopper::isPackingWorthwhile(rows, heads, kBlockRows);
}

/// How many blocks compute `attention`, whose rows are known: the schedule
/// makes the queries of heads that share keys rows of one block where those are
/// fewer. Sizes around it that are not known count as one.
static int64_t countBlocks(const Attention &attention) {
  linalg::GenericOp product = attention.product;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  int64_t heads = 1;
  for (unsigned loop : attention.outer)
    heads *= ShapedType::isDynamic(sizes[loop]) ? 1 : sizes[loop];
  std::optional<unsigned> shared = getSharedLoop(attention);
  amp::gpu::hopper::RowPacking packing;
  if (shared && !ShapedType::isDynamic(sizes[*shared]) &&
      packsHeads(attention, sizes[attention.row], sizes[*shared]))
    packing.heads = sizes[*shared];
  return heads / packing.heads *
         packing.countTiles(sizes[attention.row], kBlockRows);
}

/// Whether places say of some key that rows do not see it.
static bool hasLimits(const Attention &attention) {
  return llvm::any_of(findIndexMasks(attention), [](const AttentionMask &mask) {
    return mask.lower || mask.upper;
  });
}

/// The keys of each part that `attention` is computed in, so that enough blocks
/// run; 0 where there are enough, or that is not known. Where the number of
/// keys is not known, there are as many parts as it takes, and the rest.
static int64_t choosePart(const Attention &attention) {
  linalg::GenericOp product = attention.product;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  int64_t rows = sizes[attention.row], keys = sizes[attention.key];
  if (ShapedType::isDynamic(rows))
    return 0;
  int64_t blocks = countBlocks(attention);
  bool isKnown = !ShapedType::isDynamic(keys) &&
                 llvm::none_of(attention.outer, [&](unsigned loop) {
                   return ShapedType::isDynamic(sizes[loop]);
                 });
  if (blocks == 0 || (!isKnown && rows > kFewRows))
    return 0;
  if (ShapedType::isDynamic(keys))
    return 2 * blocks <= kProcessors && !hasLimits(attention) ? kMinPart : 0;
  // Parts mask by their payload and skip nothing, whole keys what no row sees.
  if (2 * countVisible(attention, rows, keys) <= keys)
    return 0;
  for (int64_t parts = std::min(kProcessors / blocks, keys / kMinPart);
       parts > 1; --parts)
    if (keys % parts == 0 && keys / parts % 8 == 0)
      return keys / parts;
  return 0;
}

namespace {

/// The ops of an attention, for some of its keys alone.
class KeyRange {
public:
  /// Those from `offset` on, `size` of them.
  KeyRange(OpFoldResult offset, OpFoldResult size)
      : offset(offset), size(size) {}

  /// Copies `op`, for the keys of `loop`.
  linalg::GenericOp cut(OpBuilder &b, linalg::GenericOp op, unsigned loop);
  /// `value`, of which `dim` is that of the keys.
  Value cut(OpBuilder &b, Location loc, Value value, unsigned dim);
  /// Erases the copies that nobody reads.
  void finish() {
    for (Operation *op : llvm::reverse(copies))
      if (op->use_empty())
        op->erase();
  }

private:
  OpFoldResult offset, size;
  llvm::DenseMap<Value, Value> values;
  SmallVector<Operation *> copies;
};

/// Computes an attention in parts of its keys, each with a softmax of its own,
/// and puts the results together: those of the rest, if the number of keys is
/// not known, then those of the parts in their order.
class KeySplitter {
public:
  KeySplitter(const Attention &attention, int64_t part)
      : a(attention), part(part), splitter(part) {}

  /// Fails, and changes nothing, if an op cannot be split. Adds the op that
  /// puts the results together to `combined`.
  LogicalResult run(llvm::DenseSet<Operation *> &combined);

private:
  /// Loops are those of the product; the key is that inside of a part.
  static constexpr int kPart = -1, kColumn = -2;
  using Loops = SmallVector<int>;
  struct Operand {
    Value value;
    Loops loops;
  };
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;
  /// Parts of the keys that are one loop, or the rest of the keys.
  struct Keys {
    Operand scores, v;
    OpFoldResult size;
    bool areParts = true;
    Operand maxima, weights, sums, results;
  };

  LogicalResult check(SmallVectorImpl<HeadOp> &scoreOps);
  /// Sets the sizes of all loops.
  void setSizes(OpBuilder &b);
  OpFoldResult getSize(OpBuilder &b, int loop, const Keys &keys) const {
    if (loop == kColumn)
      return b.getIndexAttr(
          linalg::GenericOp(a.values).getStaticLoopRanges()[a.column]);
    return loop == kPart                     ? parts
           : loop == static_cast<int>(a.key) ? keys.size
                                             : sizes[loop];
  }
  /// `loops` with that of parts in front of the key, or instead of it.
  Loops split(ArrayRef<int> loops, const Keys &keys) const {
    Loops result;
    for (int loop : loops) {
      if (loop == static_cast<int>(a.key) && keys.areParts)
        result.push_back(kPart);
      result.push_back(loop);
    }
    return result;
  }
  /// Those of what is one number for each row.
  Loops getRows(const Keys &keys) const {
    Loops rows = split(a.scoreDims, keys);
    llvm::erase(rows, static_cast<int>(a.key));
    return rows;
  }
  /// The scores and values of the parts, and of the rest if there may be one.
  SmallVector<Keys, 2> emitKeys(OpBuilder &b, ArrayRef<HeadOp> scoreOps);

  /// `start` for each element of `out`, a number or a tensor, and, of the loops
  /// that it lacks, sums or maxima by `body`.
  Value emit(OpBuilder &b, const Keys &keys, ArrayRef<Operand> inputs,
             ArrayRef<int> out, Type type,
             std::variant<std::monostate, double, Value> start, Body body);
  Value emitSafe(OpBuilder &b, Value value, double special, double instead);
  Loops getLoopsOfV(AffineMap map) const {
    Loops loops;
    for (AffineExpr expr : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      loops.push_back(loop == a.column ? kColumn : a.valueLoops[loop]);
    }
    return loops;
  }
  Loops getRowLoops(linalg::GenericOp op) const {
    for (const auto &[value, dims] : a.rowValues)
      if (value == op->getResult(0))
        return dims;
    llvm_unreachable("a maximum or sum is a value of rows");
  }
  Value constant(OpBuilder &b, double value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }

  const Attention &a;
  int64_t part;
  /// The number of parts, and the sizes of the product's loops.
  OpFoldResult parts;
  SmallVector<OpFoldResult> sizes;
  HeadSplitter splitter;
  SmallVector<KeyRange> ranges;
  Location loc = linalg::GenericOp(a.values).getLoc();
};

} // namespace

//===----------------------------------------------------------------------===//
// Ranges of the keys
//===----------------------------------------------------------------------===//

Value KeyRange::cut(OpBuilder &b, Location loc, Value value, unsigned dim) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  // A slice would hide what only permutes or is made of indices, what is
  // written over, and what starts a sum.
  if (auto op = value.getDefiningOp<linalg::GenericOp>();
      op && isMoveOrMask(op)) {
    AffineMap map = op.getIndexingMapsArray().back();
    return cut(b, op, cast<AffineDimExpr>(map.getResult(dim)).getPosition())
        ->getResult(0);
  }
  Type element = getElementTypeOrSelf(value.getType());
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(b, loc, fill.value(),
                                  cut(b, loc, fill.getOutputs()[0], dim))
        .getResult(0);
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>()) {
    SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
    sizes[dim] = size;
    return tensor::EmptyOp::create(b, loc, sizes, element);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  sizes[dim] = size;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0)),
      steps(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = offset;
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, steps);
  values[value] = slice;
  return slice;
}

linalg::GenericOp KeyRange::cut(OpBuilder &b, linalg::GenericOp op,
                                unsigned loop) {
  Location loc = op.getLoc();
  IRMapping mapping;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == b.getAffineDimExpr(loop))
        mapping.map(operand.get(), cut(b, loc, operand.get(), dim));
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    types.push_back(mapping.lookupOrDefault(init.get()).getType());
  auto copy = cast<linalg::GenericOp>(b.clone(*op, mapping));
  for (auto [result, type] : llvm::zip_equal(copy->getResults(), types))
    result.setType(type);
  if (!getConstantIntValue(offset))
    for (auto index : llvm::make_early_inc_range(
             copy.getBody()->getOps<linalg::IndexOp>())) {
      if (index.getDim() != loop)
        continue;
      OpBuilder inside(index->getBlock(), std::next(index->getIterator()));
      Value sum =
          arith::AddIOp::create(inside, loc, index, cast<Value>(offset));
      index.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
    }
  for (auto [before, after] :
       llvm::zip_equal(op->getResults(), copy->getResults()))
    values[before] = after;
  copies.push_back(copy);
  return copy;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

LogicalResult KeySplitter::check(SmallVectorImpl<HeadOp> &scoreOps) {
  linalg::GenericOp values = a.values, maximum = a.maximum, sum = a.sum;
  for (Operation *op : {maximum, sum})
    if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
      return failure();
  if (getElementTypeOrSelf(a.scores.getType()).isF64())
    return failure();
  // TMA has five dimensions: with the part, three of loops over heads.
  for (auto [op, operand] : {std::pair(a.product, a.k), std::pair(values, a.v)})
    if (linalg::GenericOp generic = op;
        countHeadLoops(a, generic, operand) > kMaxHeadLoops - 1)
      return failure();
  scoreOps.push_back({a.product, a.key});
  for (const auto &[op, loops] : a.scoreOps)
    scoreOps.push_back(
        {op, static_cast<unsigned>(llvm::find(loops, static_cast<int>(a.key)) -
                                   loops.begin())});
  auto canSplit = [](linalg::GenericOp op, unsigned loop) {
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      for (AffineExpr expr : map.getResults())
        if (expr.isFunctionOfDim(loop) && (!isa<AffineDimExpr>(expr) || !type))
          return false;
      return true;
    });
  };
  for (const HeadOp &head : scoreOps)
    if (linalg::GenericOp op = head.op; !canSplit(op, head.loop))
      return failure();
  unsigned key =
      llvm::find(a.valueLoops, static_cast<int>(a.key)) - a.valueLoops.begin();
  return success(
      canSplit(values, key) &&
      !ShapedType::isDynamic(values.getStaticLoopRanges()[a.column]));
}

/// The size of `value` along `dim`, of what it is read from rather than of what
/// is only moved.
static OpFoldResult getSizeOf(OpBuilder &b, Location loc, Value value,
                              unsigned dim) {
  for (auto op = value.getDefiningOp<linalg::GenericOp>();
       op && isMoveOrMask(op) && op.getNumDpsInputs() == 1;
       op = value.getDefiningOp<linalg::GenericOp>()) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    dim = *maps.front().getResultPosition(maps.back().getResult(dim));
    value = op.getDpsInputs()[0];
  }
  return tensor::getMixedSize(b, loc, value, dim);
}

void KeySplitter::setSizes(OpBuilder &b) {
  linalg::GenericOp product = a.product;
  for (auto [loop, size] : llvm::enumerate(product.getStaticLoopRanges())) {
    sizes.push_back(b.getIndexAttr(size));
    if (!ShapedType::isDynamic(size))
      continue;
    for (OpOperand *operand : {a.q, a.k}) {
      AffineMap map = product.getMatchingIndexingMap(operand);
      if (std::optional<unsigned> dim =
              map.getResultPosition(b.getAffineDimExpr(loop)))
        sizes.back() = getSizeOf(b, loc, operand->get(), *dim);
    }
  }
  if (std::optional<int64_t> keys = getConstantIntValue(sizes[a.key])) {
    parts = b.getIndexAttr(*keys / part);
    return;
  }
  // One part fewer than it takes: the rest is no part of no keys.
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value more = arith::AddIOp::create(b, loc, cast<Value>(sizes[a.key]),
                                     number(part - 1));
  Value all = arith::DivUIOp::create(b, loc, more, number(part));
  Value last = arith::MinUIOp::create(b, loc, all, number(1));
  parts = arith::SubIOp::create(b, loc, all, last).getResult();
}

Value KeySplitter::emit(OpBuilder &b, const Keys &keys,
                        ArrayRef<Operand> inputs, ArrayRef<int> out, Type type,
                        std::variant<std::monostate, double, Value> start,
                        Body body) {
  Loops loops(out);
  for (const Operand &input : inputs)
    for (int loop : input.loops)
      if (!llvm::is_contained(loops, loop))
        loops.push_back(loop);
  auto getMap = [&](ArrayRef<int> dims) {
    SmallVector<AffineExpr> results;
    for (int dim : dims)
      results.push_back(
          b.getAffineDimExpr(llvm::find(loops, dim) - loops.begin()));
    return AffineMap::get(loops.size(), 0, results, b.getContext());
  };
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    values.push_back(input.value);
    maps.push_back(getMap(input.loops));
  }
  maps.push_back(getMap(out));
  Value init;
  if (auto *tensor = std::get_if<Value>(&start)) {
    init = *tensor;
  } else {
    SmallVector<OpFoldResult> shape;
    for (int loop : out)
      shape.push_back(getSize(b, loop, keys));
    init = tensor::EmptyOp::create(b, loc, shape, type);
  }
  if (auto *number = std::get_if<double>(&start))
    init =
        linalg::FillOp::create(b, loc, constant(b, *number), init).getResult(0);
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::reduction);
  for (size_t i = 0; i < out.size(); ++i)
    iterators[i] = utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             b, loc, init.getType(), values, init, maps, iterators,
             [&](OpBuilder &inside, Location, ValueRange arguments) {
               linalg::YieldOp::create(inside, loc, body(inside, arguments));
             })
      .getResult(0);
}

Value KeySplitter::emitSafe(OpBuilder &b, Value value, double special,
                            double instead) {
  Value isSpecial = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                          value, constant(b, special));
  return arith::SelectOp::create(b, loc, isSpecial, constant(b, instead),
                                 value);
}

SmallVector<KeySplitter::Keys, 2>
KeySplitter::emitKeys(OpBuilder &b, ArrayRef<HeadOp> scoreOps) {
  linalg::GenericOp values = a.values;
  unsigned keyOfScores =
      llvm::find(a.scoreDims, static_cast<int>(a.key)) - a.scoreDims.begin();
  Loops ofV = getLoopsOfV(values.getMatchingIndexingMap(a.v));
  unsigned keyOfV = llvm::find(ofV, static_cast<int>(a.key)) - ofV.begin();
  Keys inParts;
  inParts.size = b.getIndexAttr(part);
  inParts.scores.loops = split(a.scoreDims, inParts);
  inParts.v.loops = split(ofV, inParts);
  auto emitParts = [&](ArrayRef<HeadOp> ops, Value scores, Value v) {
    for (const HeadOp &head : ops)
      splitter.split(head, llvm::DenseMap<OpOperand *, Repeated>());
    OpBuilder behind(a.maximum);
    inParts.scores.value =
        splitter.splitValue(behind, loc, scores, keyOfScores);
    behind.setInsertionPoint(values);
    inParts.v.value = splitter.splitValue(behind, loc, v, keyOfV);
  };
  if (getConstantIntValue(sizes[a.key])) {
    emitParts(scoreOps, a.scores, a.v->get());
    return {inParts};
  }

  Value size = arith::ConstantIndexOp::create(b, loc, part);
  Value end = arith::MulIOp::create(b, loc, cast<Value>(parts), size);
  Keys rest;
  rest.areParts = false;
  rest.size =
      arith::SubIOp::create(b, loc, cast<Value>(sizes[a.key]), end).getResult();
  rest.scores.loops = a.scoreDims;
  rest.v.loops = ofV;
  ranges.emplace_back(b.getIndexAttr(0), end);
  ranges.emplace_back(end, rest.size);
  SmallVector<HeadOp> cutOps;
  for (const HeadOp &head : scoreOps) {
    OpBuilder here(head.op);
    cutOps.push_back({ranges[0].cut(here, head.op, head.loop), head.loop});
    ranges[1].cut(here, head.op, head.loop);
  }
  OpBuilder behind(a.maximum);
  Value scores = ranges[0].cut(behind, loc, a.scores, keyOfScores);
  rest.scores.value = ranges[1].cut(behind, loc, a.scores, keyOfScores);
  behind.setInsertionPoint(values);
  Value v = ranges[0].cut(behind, loc, a.v->get(), keyOfV);
  rest.v.value = ranges[1].cut(behind, loc, a.v->get(), keyOfV);
  emitParts(cutOps, scores, v);
  return {rest, inParts};
}

LogicalResult KeySplitter::run(llvm::DenseSet<Operation *> &combined) {
  SmallVector<HeadOp> scoreOps;
  if (failed(check(scoreOps)))
    return failure();
  linalg::GenericOp values = a.values, maximum = a.maximum, sum = a.sum;
  OpBuilder b(a.product);
  setSizes(b);
  SmallVector<Keys, 2> all = emitKeys(b, scoreOps);
  double infinity = std::numeric_limits<double>::infinity();

  // A part may hide all keys of a row whatever the program does of such rows.
  b.setInsertionPoint(maximum);
  Type wide = b.getF32Type();
  auto max = [&](OpBuilder &in, ValueRange x) -> Value {
    return arith::MaximumFOp::create(in, loc, x[0], x[1]);
  };
  auto add = [&](OpBuilder &in, ValueRange x) -> Value {
    return arith::AddFOp::create(in, loc, x[0], x[1]);
  };
  Loops ofMaximum = getRowLoops(maximum), ofSum = getRowLoops(sum);
  Operand whole{Value(), ofMaximum};
  for (Keys &keys : all) {
    if (getElementTypeOrSelf(a.scores.getType()) != wide)
      keys.scores.value =
          emit(b, keys, {keys.scores}, keys.scores.loops, wide, {},
               [&](OpBuilder &in, ValueRange x) -> Value {
                 return arith::ExtFOp::create(in, loc, wide, x[0]);
               });
    keys.maxima.loops = getRows(keys);
    keys.maxima.value =
        emit(b, keys, {keys.scores}, keys.maxima.loops, wide, -infinity, max);
  }
  for (const Keys &keys : all) {
    std::variant<std::monostate, double, Value> start = -infinity;
    if (whole.value)
      start = whole.value;
    whole.value = emit(b, keys, {keys.maxima}, ofMaximum, wide, start, max);
  }

  b.setInsertionPoint(sum);
  // Of no keys at all, sums and results are zero, and no NaN.
  auto emitWhereKeys = [&](OpBuilder &in, const Keys &keys, Value value) {
    if (keys.areParts)
      return value;
    Value zero = arith::ConstantIndexOp::create(in, loc, 0);
    Value areNone = arith::CmpIOp::create(in, loc, arith::CmpIPredicate::eq,
                                          cast<Value>(keys.size), zero);
    return arith::SelectOp::create(in, loc, areNone, constant(in, 0), value)
        .getResult();
  };
  // What a part counts for, times the sum of all of its weights.
  auto emitShare = [&](OpBuilder &in, const Keys &keys, Value partMaximum,
                       Value partSum, Value wholeMaximum) -> Value {
    if (a.hasSafeMaximum)
      wholeMaximum = emitSafe(in, wholeMaximum, -infinity, 0);
    Value distance = emitWhereKeys(
        in, keys, arith::SubFOp::create(in, loc, partMaximum, wholeMaximum));
    return arith::MulFOp::create(in, loc, partSum,
                                 math::ExpOp::create(in, loc, distance));
  };
  Operand wholeSum{Value(), ofSum};
  for (Keys &keys : all) {
    keys.weights.loops = keys.scores.loops;
    keys.weights.value =
        emit(b, keys, {keys.scores, keys.maxima}, keys.weights.loops, wide, {},
             [&](OpBuilder &in, ValueRange x) -> Value {
               Value distance = arith::SubFOp::create(
                   in, loc, x[0], emitSafe(in, x[1], -infinity, 0));
               return math::ExpOp::create(in, loc, distance);
             });
    keys.sums.loops = keys.maxima.loops;
    keys.sums.value =
        emit(b, keys, {keys.weights}, keys.sums.loops, wide, 0.0, add);
  }
  for (const Keys &keys : all) {
    std::variant<std::monostate, double, Value> start = 0.0;
    if (wholeSum.value)
      start = wholeSum.value;
    wholeSum.value =
        emit(b, keys, {keys.maxima, keys.sums, whole}, ofSum, wide, start,
             [&](OpBuilder &in, ValueRange x) -> Value {
               return arith::AddFOp::create(
                   in, loc, x[3], emitShare(in, keys, x[0], x[1], x[2]));
             });
  }

  b.setInsertionPoint(values);
  Type narrow = getElementTypeOrSelf(a.v->get().getType());
  Loops ofResult = getLoopsOfV(values.getIndexingMapsArray().back());
  for (Keys &keys : all) {
    Operand shares{
        emit(b, keys, {keys.weights, keys.sums}, keys.weights.loops, narrow, {},
             [&](OpBuilder &in, ValueRange x) -> Value {
               Value share = arith::DivFOp::create(in, loc, x[0],
                                                   emitSafe(in, x[1], 0, 1));
               return arith::TruncFOp::create(in, loc, narrow, share);
             }),
        keys.weights.loops};
    keys.results.loops = ofResult;
    if (keys.areParts)
      keys.results.loops.insert(keys.results.loops.begin(), kPart);
    keys.results.value =
        emit(b, keys, {shares, keys.v}, keys.results.loops, wide, 0.0,
             [&](OpBuilder &in, ValueRange x) -> Value {
               Value l = arith::ExtFOp::create(in, loc, wide, x[0]);
               Value r = arith::ExtFOp::create(in, loc, wide, x[1]);
               return arith::AddFOp::create(
                   in, loc, x[2], arith::MulFOp::create(in, loc, l, r));
             });
    keys.results.value.getDefiningOp()->setDiscardableAttrs(
        values->getDiscardableAttrDictionary());
  }
  Value result;
  for (const Keys &keys : all) {
    Operand factors{
        emit(b, keys, {keys.maxima, keys.sums, whole, wholeSum},
             keys.maxima.loops, wide, {},
             [&](OpBuilder &in, ValueRange x) -> Value {
               Value divisor = a.hasSafeSum ? emitSafe(in, x[3], 0, 1) : x[3];
               return emitWhereKeys(
                   in, keys,
                   arith::DivFOp::create(in, loc,
                                         emitShare(in, keys, x[0], x[1], x[2]),
                                         divisor));
             }),
        keys.maxima.loops};
    std::variant<std::monostate, double, Value> start = 0.0;
    if (result)
      start = result;
    result =
        emit(b, keys, {keys.results, factors}, ofResult, wide, start,
             [&](OpBuilder &in, ValueRange x) -> Value {
               return arith::AddFOp::create(
                   in, loc, x[2], arith::MulFOp::create(in, loc, x[0], x[1]));
             });
    combined.insert(result.getDefiningOp());
  }
  maximum->getResult(0).replaceAllUsesWith(whole.value);
  sum->getResult(0).replaceAllUsesWith(wholeSum.value);
  values->getResult(0).replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(a.ops))
    if (op->use_empty())
      op->erase();
  for (KeyRange &range : ranges)
    range.finish();
  return success();
}

llvm::DenseSet<Operation *> kernels::splitKeys(func::FuncOp function,
                                               Block &block) {
  llvm::DenseSet<Operation *> combined;
  SmallVector<linalg::GenericOp> last;
  for (auto op : block.getOps<linalg::GenericOp>()) {
    std::string reason;
    if (succeeded(matchAttention(op, reason)))
      last.push_back(op);
  }
  // No op is one of two attentions.
  for (linalg::GenericOp op : last) {
    std::string reason;
    FailureOr<Attention> attention = matchAttention(op, reason);
    if (failed(attention) || !checkAttention(*attention).empty())
      continue;
    int64_t part = choosePart(*attention);
    if (part == 0)
      continue;
    Location loc = op.getLoc();
    int64_t keys = linalg::GenericOp(attention->product)
                       .getStaticLoopRanges()[attention->key];
    if (failed(KeySplitter(*attention, part).run(combined)))
      continue;
    auto remark = remark::passed(loc, remark::RemarkOpts::name("KeysSplit")
                                          .category("amp")
                                          .function(function.getName()));
    remark << remark::metric("KeysOfPart", part);
    if (ShapedType::isDynamic(keys))
      remark << remark::metric("Parts", "of run time");
    else
      remark << remark::metric("Parts", keys / part);
  }
  return combined;
}
