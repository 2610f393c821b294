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

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// Parts of the keys
//===----------------------------------------------------------------------===//

/// The multiprocessors of a device of sm_90a, the rows of a block, and the
/// fewest keys of a part: one has to be worth the second step.
static constexpr int64_t kProcessors = 132, kBlockRows = 128, kMinPart = 512;

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
         gpu::hopper::isPackingWorthwhile(rows, heads, kBlockRows);
}

/// How many blocks compute `attention`, whose sizes are known: the schedule
/// makes the queries of heads that share keys rows of one block where those are
/// fewer.
static int64_t countBlocks(const Attention &attention) {
  linalg::GenericOp product = attention.product;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  int64_t heads = 1;
  for (unsigned loop : attention.outer)
    heads *= sizes[loop];
  std::optional<unsigned> shared = getSharedLoop(attention);
  gpu::hopper::RowPacking packing;
  if (shared && packsHeads(attention, sizes[attention.row], sizes[*shared]))
    packing.heads = sizes[*shared];
  return heads / packing.heads *
         packing.countTiles(sizes[attention.row], kBlockRows);
}

/// How many parts the keys of `attention` are computed in, so that enough
/// blocks run; 1 where there are enough, or sizes are not known.
static int64_t chooseParts(const Attention &attention) {
  linalg::GenericOp product = attention.product;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  if (ShapedType::isDynamicShape(sizes))
    return 1;
  int64_t rows = sizes[attention.row], keys = sizes[attention.key],
          blocks = countBlocks(attention);
  // Parts mask by their payload and skip nothing, whole keys what no row sees.
  if (blocks == 0 || 2 * countVisible(attention, rows, keys) <= keys)
    return 1;
  for (int64_t parts = std::min(kProcessors / blocks, keys / kMinPart);
       parts > 1; --parts)
    if (keys % parts == 0 && keys / parts % 8 == 0)
      return parts;
  return 1;
}

namespace {

/// Computes an attention in parts of its keys, each with a softmax of its own,
/// and puts the results together in the order of the parts.
class KeySplitter {
public:
  KeySplitter(const Attention &attention, int64_t parts)
      : a(attention), parts(parts), part(getSize(a.key) / parts),
        splitter(part) {}

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

  int64_t getSize(unsigned loop) const {
    linalg::GenericOp product = a.product;
    return product.getStaticLoopRanges()[loop];
  }
  LogicalResult check(SmallVectorImpl<HeadOp> &scoreOps);
  /// `start` for each element of `out` and, of the loops that it lacks, sums
  /// or maxima by `body`.
  Value emit(OpBuilder &b, ArrayRef<Operand> inputs, ArrayRef<int> out,
             Type type, std::optional<double> start, Body body);
  Value emitSafe(OpBuilder &b, Value value, double special, double instead);
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
  int64_t parts, part;
  HeadSplitter splitter;
  Location loc = linalg::GenericOp(a.values).getLoc();
};

} // namespace

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
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (expr.isFunctionOfDim(loop) &&
            (!isa<AffineDimExpr>(expr) || !type || type.isDynamicDim(i)))
          return false;
      }
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

Value KeySplitter::emit(OpBuilder &b, ArrayRef<Operand> inputs,
                        ArrayRef<int> out, Type type,
                        std::optional<double> start, Body body) {
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
  SmallVector<int64_t> shape;
  linalg::GenericOp valuesOp = a.values;
  for (int loop : out)
    shape.push_back(loop == kPart     ? parts
                    : loop == kColumn ? valuesOp.getStaticLoopRanges()[a.column]
                    : loop == static_cast<int>(a.key) ? part
                                                      : getSize(loop));
  Value init = tensor::EmptyOp::create(b, loc, shape, type);
  if (start)
    init =
        linalg::FillOp::create(b, loc, constant(b, *start), init).getResult(0);
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

LogicalResult KeySplitter::run(llvm::DenseSet<Operation *> &combined) {
  SmallVector<HeadOp> scoreOps;
  if (failed(check(scoreOps)))
    return failure();
  for (const HeadOp &head : scoreOps)
    splitter.split(head, llvm::DenseMap<OpOperand *, Repeated>());
  linalg::GenericOp values = a.values, maximum = a.maximum, sum = a.sum;
  int key = a.key;
  double infinity = std::numeric_limits<double>::infinity();
  auto split = [&](ArrayRef<int> loops) {
    Loops result;
    for (int loop : loops) {
      if (loop == key)
        result.push_back(kPart);
      result.push_back(loop);
    }
    return result;
  };
  Loops ofScores = split(a.scoreDims), ofParts;
  for (int loop : ofScores)
    if (loop != key)
      ofParts.push_back(loop);

  // A part may hide all keys of a row whatever the program does of such rows.
  OpBuilder b(maximum);
  Type wide = b.getF32Type();
  unsigned keyOfScores = llvm::find(a.scoreDims, key) - a.scoreDims.begin();
  Operand scores{splitter.splitValue(b, loc, a.scores, keyOfScores), ofScores};
  if (Type type = getElementTypeOrSelf(a.scores.getType()); type != wide)
    scores.value = emit(b, {scores}, ofScores, wide, std::nullopt,
                        [&](OpBuilder &in, ValueRange x) -> Value {
                          return arith::ExtFOp::create(in, loc, wide, x[0]);
                        });
  auto max = [&](OpBuilder &in, ValueRange x) -> Value {
    return arith::MaximumFOp::create(in, loc, x[0], x[1]);
  };
  auto add = [&](OpBuilder &in, ValueRange x) -> Value {
    return arith::AddFOp::create(in, loc, x[0], x[1]);
  };
  Operand maxima{emit(b, {scores}, ofParts, wide, -infinity, max), ofParts};
  Loops ofMaximum = getRowLoops(maximum), ofSum = getRowLoops(sum);
  Operand whole{emit(b, {maxima}, ofMaximum, wide, -infinity, max), ofMaximum};

  b.setInsertionPoint(sum);
  Operand weights{emit(b, {scores, maxima}, ofScores, wide, std::nullopt,
                       [&](OpBuilder &in, ValueRange x) -> Value {
                         Value distance = arith::SubFOp::create(
                             in, loc, x[0], emitSafe(in, x[1], -infinity, 0));
                         return math::ExpOp::create(in, loc, distance);
                       }),
                  ofScores};
  Operand sums{emit(b, {weights}, ofParts, wide, 0, add), ofParts};
  // What a part counts for, times the sum of all of its weights.
  auto emitShare = [&](OpBuilder &in, Value partMaximum, Value partSum,
                       Value wholeMaximum) -> Value {
    if (a.hasSafeMaximum)
      wholeMaximum = emitSafe(in, wholeMaximum, -infinity, 0);
    Value distance = arith::SubFOp::create(in, loc, partMaximum, wholeMaximum);
    return arith::MulFOp::create(in, loc, partSum,
                                 math::ExpOp::create(in, loc, distance));
  };
  Operand wholeSum{emit(b, {maxima, sums, whole}, ofSum, wide, 0,
                        [&](OpBuilder &in, ValueRange x) -> Value {
                          return arith::AddFOp::create(
                              in, loc, x[3], emitShare(in, x[0], x[1], x[2]));
                        }),
                   ofSum};

  b.setInsertionPoint(values);
  Type narrow = getElementTypeOrSelf(a.v->get().getType());
  Operand shares{emit(b, {weights, sums}, ofScores, narrow, std::nullopt,
                      [&](OpBuilder &in, ValueRange x) -> Value {
                        Value share = arith::DivFOp::create(
                            in, loc, x[0], emitSafe(in, x[1], 0, 1));
                        return arith::TruncFOp::create(in, loc, narrow, share);
                      }),
                 ofScores};
  auto getLoops = [&](AffineMap map) {
    Loops loops;
    for (AffineExpr expr : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      loops.push_back(loop == a.column ? kColumn : a.valueLoops[loop]);
    }
    return loops;
  };
  Loops ofV = getLoops(values.getMatchingIndexingMap(a.v)),
        ofResult = getLoops(values.getIndexingMapsArray().back());
  unsigned keyDim = llvm::find(ofV, key) - ofV.begin();
  Operand v{splitter.splitValue(b, loc, a.v->get(), keyDim), split(ofV)};
  Loops ofResults = ofResult;
  ofResults.insert(ofResults.begin(), kPart);
  Operand results{emit(b, {shares, v}, ofResults, wide, 0,
                       [&](OpBuilder &in, ValueRange x) -> Value {
                         Value l = arith::ExtFOp::create(in, loc, wide, x[0]);
                         Value r = arith::ExtFOp::create(in, loc, wide, x[1]);
                         return arith::AddFOp::create(
                             in, loc, x[2],
                             arith::MulFOp::create(in, loc, l, r));
                       }),
                  ofResults};
  results.value.getDefiningOp()->setDiscardableAttrs(
      values->getDiscardableAttrDictionary());
  Operand factors{
      emit(b, {maxima, sums, whole, wholeSum}, ofParts, wide, std::nullopt,
           [&](OpBuilder &in, ValueRange x) -> Value {
             Value divisor = a.hasSafeSum ? emitSafe(in, x[3], 0, 1) : x[3];
             return arith::DivFOp::create(
                 in, loc, emitShare(in, x[0], x[1], x[2]), divisor);
           }),
      ofParts};
  Value result =
      emit(b, {results, factors}, ofResult, wide, 0,
           [&](OpBuilder &in, ValueRange x) -> Value {
             return arith::AddFOp::create(
                 in, loc, x[2], arith::MulFOp::create(in, loc, x[0], x[1]));
           });
  combined.insert(result.getDefiningOp());
  maximum->getResult(0).replaceAllUsesWith(whole.value);
  sum->getResult(0).replaceAllUsesWith(wholeSum.value);
  values->getResult(0).replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(a.ops))
    if (op->use_empty())
      op->erase();
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
    int64_t parts = chooseParts(*attention);
    if (parts <= 1)
      continue;
    Location loc = op.getLoc();
    int64_t keys = linalg::GenericOp(attention->product)
                       .getStaticLoopRanges()[attention->key];
    if (succeeded(KeySplitter(*attention, parts).run(combined)))
      remark::passed(loc, remark::RemarkOpts::name("KeysSplit")
                              .category("amp")
                              .function(function.getName()))
          << remark::metric("Parts", parts)
          << remark::metric("KeysOfPart", keys / parts);
  }
  return combined;
}
