//===- SharedHeads.cpp - heads of queries that share keys -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exports repeat keys and values for each head of queries that shares them: a
// broadcast along a new dimension, which a reshape joins with that of the
// heads. Here the loop over heads becomes two, of which the keys have one, so
// that nothing is repeated in memory.
//
//===----------------------------------------------------------------------===//

#include "AttentionGroups.h"

#include "HeadSplitter.h"
#include "KernelOps.h"
#include "amp/Codegen/Common/Attention.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// What is repeated
//===----------------------------------------------------------------------===//

/// Puts what the generic `op`, which moves elements, reads for the element at
/// `indices` there.
static bool stepThroughMove(linalg::GenericOp op,
                            SmallVectorImpl<AffineExpr> &indices) {
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !onlyMoves(op) ||
      op.getBody()->getTerminator()->getOperand(0) !=
          op.getBody()->getArgument(0))
    return false;
  AffineMap in = op.getIndexingMapsArray()[0],
            out = op.getIndexingMapsArray()[1];
  if (!out.isPermutation())
    return false;
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [expr, index] : llvm::zip_equal(out.getResults(), indices))
    loops[cast<AffineDimExpr>(expr).getPosition()] = index;
  SmallVector<AffineExpr> next;
  for (AffineExpr expr : in.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop && expr != getAffineConstantExpr(0, op.getContext()))
      return false;
    next.push_back(loop ? loops[loop.getPosition()] : expr);
  }
  indices = next;
  return true;
}

/// Splits the loop along the dimension of heads that `op` joins.
static bool stepThroughCollapse(tensor::CollapseShapeOp op,
                                Repeated &repeated) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  AffineExpr zero = getAffineConstantExpr(0, op.getContext());
  SmallVector<AffineExpr> next(shape.size(), zero);
  for (auto [group, index] :
       llvm::zip_equal(op.getReassociationIndices(), repeated.indices)) {
    SmallVector<int64_t> dims;
    for (int64_t dim : group)
      if (shape[dim] != 1)
        dims.push_back(dim);
    if (dims.size() == 1)
      next[dims.front()] = index;
    if (dims.size() < 2)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (dims.size() > 2 || repeated.split || !loop ||
        ShapedType::isDynamic(shape[dims[0]]) ||
        ShapedType::isDynamic(shape[dims[1]]))
      return false;
    repeated.split = loop.getPosition();
    repeated.size = shape[dims[1]];
    next[dims[0]] = loop;
    next[dims[1]] = getAffineSymbolExpr(0, op.getContext());
  }
  repeated.indices = next;
  return true;
}

static bool stepThroughExpand(tensor::ExpandShapeOp op,
                              SmallVectorImpl<AffineExpr> &indices) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  SmallVector<AffineExpr> next;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    AffineExpr index = getAffineConstantExpr(0, op.getContext());
    for (int64_t dim : group) {
      if (shape[dim] == 1)
        continue;
      if (!isa<AffineConstantExpr>(index))
        return false;
      index = indices[dim];
    }
    next.push_back(index);
  }
  indices = next;
  return true;
}

/// What `operand` of `op` repeats; nothing if every element is another one.
static std::optional<Repeated> findRepeated(linalg::GenericOp op,
                                            OpOperand *operand) {
  Repeated state;
  state.source = operand->get();
  AffineMap map = op.getMatchingIndexingMap(operand);
  state.indices.assign(map.getResults().begin(), map.getResults().end());
  std::optional<Repeated> found;
  for (;;) {
    Operation *def = state.source.getDefiningOp();
    if (auto move = dyn_cast_if_present<linalg::GenericOp>(def)) {
      if (!stepThroughMove(move, state.indices))
        break;
      state.source = move.getDpsInputs()[0];
    } else if (auto collapse =
                   dyn_cast_if_present<tensor::CollapseShapeOp>(def)) {
      if (!stepThroughCollapse(collapse, state))
        break;
      state.source = collapse.getSrc();
    } else if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(def)) {
      if (!stepThroughExpand(expand, state.indices))
        break;
      state.source = expand.getSrc();
    } else {
      break;
    }
    // Fewer loops than before, each of them whole.
    llvm::SmallDenseSet<AffineExpr> loops(state.indices.begin(),
                                          state.indices.end());
    if (loops.size() == state.indices.size() &&
        llvm::none_of(state.indices, llvm::IsaPred<AffineConstantExpr>) &&
        loops.size() < map.getNumResults() + (state.split ? 1 : 0))
      found = state;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Two loops for one
//===----------------------------------------------------------------------===//

/// The ops of `attention`, and casts and permutations of its result, each with
/// its loop that is `split` of the product; nothing if one cannot be split.
static std::optional<SmallVector<HeadOp>>
findHeadOps(const Attention &attention, unsigned split) {
  SmallVector<Operation *> all(attention.ops);
  linalg::GenericOp last = attention.values;
  while (last->getResult(0).hasOneUse()) {
    auto next = dyn_cast<linalg::GenericOp>(*last->getResult(0).user_begin());
    if (!next || next->getBlock() != last->getBlock() ||
        next.getNumDpsInputs() != 1 || next->getNumResults() != 1 ||
        next.getNumParallelLoops() != next.getNumLoops() ||
        !llvm::all_of(next.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); }) ||
        next.getDpsInputs()[0] != last->getResult(0))
      break;
    all.push_back(next);
    last = next;
  }
  llvm::DenseMap<Value, unsigned> dims;
  SmallVector<HeadOp> ops;
  for (Operation *op : all) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !generic.hasPureTensorSemantics())
      return std::nullopt;
    std::optional<unsigned> loop;
    if (generic == attention.product)
      loop = split;
    for (OpOperand *operand : generic.getDpsInputOperands()) {
      auto it = dims.find(operand->get());
      if (it == dims.end())
        continue;
      auto dim = dyn_cast<AffineDimExpr>(
          generic.getMatchingIndexingMap(operand).getResult(it->second));
      if (!dim || (loop && *loop != dim.getPosition()))
        return std::nullopt;
      loop = dim.getPosition();
    }
    if (!loop)
      return std::nullopt;
    for (OpOperand &operand : generic->getOpOperands())
      for (auto [i, expr] : llvm::enumerate(
               generic.getMatchingIndexingMap(&operand).getResults())) {
        if (!expr.isFunctionOfDim(*loop))
          continue;
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (!isa<AffineDimExpr>(expr) || !type || type.isDynamicDim(i))
          return std::nullopt;
        if (generic.isDpsInit(&operand))
          dims[generic.getTiedOpResult(&operand)] = i;
      }
    ops.push_back({generic, *loop});
  }
  return ops;
}

bool kernels::isMoveOrMask(linalg::GenericOp op) {
  return op->getNumResults() == 1 && op.getNumDpsInputs() <= 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.hasPureTensorSemantics() &&
         (op.getNumDpsInputs() == 0 || onlyMoves(op)) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op->getOperandTypes(),
                      [](Type type) { return isa<RankedTensorType>(type); }) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

OpFoldResult HeadSplitter::getOuter(OpBuilder &b, Location loc,
                                    OpFoldResult whole) const {
  if (std::optional<int64_t> known = getConstantIntValue(whole))
    return b.getIndexAttr(*known / size);
  if (size == 1)
    return whole;
  Value count = arith::ConstantIndexOp::create(b, loc, size);
  return arith::DivUIOp::create(b, loc, cast<Value>(whole), count).getResult();
}

Value HeadSplitter::splitValue(OpBuilder &b, Location loc, Value value,
                               unsigned dim) {
  auto it = values.find(value);
  if (it != values.end() && it->second.second == dim)
    return it->second.first;
  // A reshape would hide what only permutes or is made of indices.
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (it == values.end() && op && isMoveOrMask(op)) {
    split({op,
           cast<AffineDimExpr>(op.getIndexingMapsArray().back().getResult(dim))
               .getPosition()},
          llvm::DenseMap<OpOperand *, Repeated>());
    return values.lookup(value).first;
  }
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = splitShape(type, dim);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  sizes[dim] = getOuter(b, loc, sizes[dim]);
  sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(size));
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value,
      getGroups(type.getRank(), dim), sizes);
}

/// What is written over, or starts a sum, is made anew: a reshape would hide
/// what it is.
Value HeadSplitter::splitInit(OpBuilder &b, Location loc, Value value,
                              unsigned dim) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value empty = splitInit(b, loc, fill.getOutputs()[0], dim);
    return linalg::FillOp::create(b, loc, fill.value(), empty).getResult(0);
  }
  auto empty = value.getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return splitValue(b, loc, value, dim);
  SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
  sizes[dim] = getOuter(b, loc, sizes[dim]);
  sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(size));
  return tensor::EmptyOp::create(b, loc, sizes,
                                 empty.getType().getElementType());
}

void HeadSplitter::split(
    const HeadOp &head, const llvm::DenseMap<OpOperand *, Repeated> &repeated) {
  linalg::GenericOp op = head.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  unsigned numLoops = op.getNumLoops();
  SmallVector<AffineExpr> loops;
  for (unsigned i = 0; i < numLoops; ++i)
    loops.push_back(b.getAffineDimExpr(i + (i > head.loop)));
  AffineExpr inner = b.getAffineDimExpr(head.loop + 1);

  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> results;
    auto it = repeated.find(&operand);
    if (it != repeated.end()) {
      for (AffineExpr expr : it->second.indices)
        results.push_back(expr.replaceDimsAndSymbols(loops, inner));
      inputs.push_back(it->second.source);
    } else {
      std::optional<unsigned> dim = findDim(map, head.loop);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        results.push_back(expr.replaceDims(loops));
        if (dim == i)
          results.push_back(inner);
      }
      bool isInit = op.isDpsInit(&operand);
      Value value = operand.get();
      if (dim)
        value = isInit ? splitInit(b, loc, value, *dim)
                       : splitValue(b, loc, value, *dim);
      (isInit ? inits : inputs).push_back(value);
    }
    maps.push_back(AffineMap::get(numLoops + 1, 0, results, b.getContext()));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + head.loop,
                   utils::IteratorType::parallel);
  auto result = linalg::GenericOp::create(b, loc, TypeRange(ValueRange(inits)),
                                          inputs, inits, maps, iterators);
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  IRMapping mapping;
  op.getRegion().cloneInto(&result.getRegion(), mapping);
  for (auto index : llvm::make_early_inc_range(
           result.getBody()->getOps<linalg::IndexOp>())) {
    if (index.getDim() > head.loop) {
      index.setDim(index.getDim() + 1);
    } else if (index.getDim() == head.loop) {
      OpBuilder inside(index->getBlock(), std::next(index->getIterator()));
      Value rest = linalg::IndexOp::create(inside, loc, head.loop + 1);
      Value count = arith::ConstantIndexOp::create(inside, loc, size);
      Value product = arith::MulIOp::create(inside, loc, index, count);
      Value sum = arith::AddIOp::create(inside, loc, product, rest);
      index.getResult().replaceAllUsesExcept(sum, product.getDefiningOp());
    }
  }
  for (auto [before, after, init] : llvm::zip_equal(
           op->getResults(), result->getResults(), op.getDpsInitsMutable()))
    values[before] = {after,
                      *findDim(op.getMatchingIndexingMap(&init), head.loop)};
}

void HeadSplitter::finish(ArrayRef<HeadOp> ops) {
  llvm::SmallPtrSet<Operation *, 16> old;
  for (const HeadOp &head : ops)
    old.insert(head.op);
  for (const HeadOp &head : ops) {
    linalg::GenericOp op = head.op;
    OpBuilder b(op);
    for (Value result : op->getResults()) {
      auto isOther = [&](OpOperand &use) {
        return !old.contains(use.getOwner());
      };
      if (llvm::none_of(result.getUses(), isOther))
        continue;
      auto [value, dim] = values.lookup(result);
      Value joined = tensor::CollapseShapeOp::create(
          b, op.getLoc(), result.getType(), value,
          getGroups(cast<RankedTensorType>(result.getType()).getRank(), dim));
      result.replaceUsesWithIf(joined, isOther);
    }
  }
  for (const HeadOp &head : llvm::reverse(ops)) {
    linalg::GenericOp op = head.op;
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Whether `attention` was rewritten so that nothing is repeated.
static bool shareHeadsOf(const Attention &attention) {
  llvm::DenseMap<OpOperand *, Repeated> repeated;
  std::optional<unsigned> split;
  int64_t size = 1;
  bool hasOthers = false;
  for (auto [op, operand] : {std::pair(attention.product, attention.k),
                             std::pair(attention.values, attention.v)}) {
    std::optional<Repeated> found = findRepeated(op, operand);
    if (!found)
      continue;
    if (found->split) {
      int loop = *found->split;
      if (op == attention.values)
        loop = attention.valueLoops[loop];
      // Of one query, the last loop over heads is the row.
      bool isRow = loop == static_cast<int>(attention.row);
      if (loop < 0 ||
          (!isRow &&
           !llvm::is_contained(attention.outer, static_cast<unsigned>(loop))))
        return false;
      hasOthers |= split && (*split != static_cast<unsigned>(loop) ||
                             size != found->size);
      split = loop;
      size = found->size;
    }
    repeated[operand] = *found;
  }
  // More loops over heads than the schedule has room for stay repeated.
  if (repeated.empty() || hasOthers || (split && attention.outer.size() > 2))
    return false;
  if (!split) {
    for (auto &[operand, source] : repeated) {
      auto op = cast<linalg::GenericOp>(operand->getOwner());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand->getOperandNumber()] =
          AffineMap::get(op.getNumLoops(), 0, source.indices, op.getContext());
      op.setIndexingMapsAttr(
          Builder(op.getContext()).getAffineMapArrayAttr(maps));
      operand->set(source.source);
    }
    return true;
  }
  std::optional<SmallVector<HeadOp>> ops = findHeadOps(attention, *split);
  if (!ops)
    return false;
  HeadSplitter splitter(size);
  for (const HeadOp &head : *ops)
    splitter.split(head, repeated);
  splitter.finish(*ops);
  return true;
}

/// Whether `attention`, with one query for each set of keys, was rewritten so
/// that it has a loop over rows.
static bool addRow(const Attention &attention) {
  std::optional<SmallVector<HeadOp>> ops =
      findHeadOps(attention, attention.row);
  if (!ops)
    return false;
  // Keys and values stay as they are: the new loop is not theirs.
  llvm::DenseMap<OpOperand *, Repeated> same;
  for (auto [op, operand] : {std::pair(attention.product, attention.k),
                             std::pair(attention.values, attention.v)}) {
    linalg::GenericOp generic = op;
    AffineMap map = generic.getMatchingIndexingMap(operand);
    same[operand] = {operand->get(), SmallVector<AffineExpr>(map.getResults()),
                     std::nullopt, 1};
  }
  HeadSplitter splitter(/*size=*/1);
  for (const HeadOp &head : *ops)
    splitter.split(head, same);
  splitter.finish(*ops);
  return true;
}

/// Calls `rewrite` on each attention of `block` until it changes none.
static void rewriteAll(Block &block,
                       llvm::function_ref<bool(const Attention &)> rewrite) {
  // What was rewritten is other ops: begin again.
  auto rewriteOne = [&] {
    for (auto op : block.getOps<linalg::GenericOp>()) {
      std::string reason;
      FailureOr<Attention> attention = matchAttention(op, reason);
      if (succeeded(attention) && rewrite(*attention))
        return true;
    }
    return false;
  };
  while (rewriteOne()) {
  }
}

void kernels::shareHeads(Block &block) { rewriteAll(block, shareHeadsOf); }

void kernels::addRows(Block &block) {
  rewriteAll(block, [](const Attention &attention) {
    return hasOneRow(attention) && addRow(attention);
  });
}
