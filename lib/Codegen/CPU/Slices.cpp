//===- Slices.cpp - slices whose elements are apart -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice of every second element, such as the halves that a rotary embedding
// turns, is a buffer whose rows have gaps: vectors of it would be put together
// from single elements. A linalg op that reads the elements between them, too,
// by an indexing map, takes whole vectors and shuffles them. Slices that are
// put between each other's elements, such as those halves again, are one such
// op, too, rather than copies element by element.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "VectorNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::amp;

int64_t cpu::getStepOfRows(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!slice || !type || type.getRank() == 0)
    return 1;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  int64_t step = 1;
  for (int64_t d = shape.size(); d-- > 0;) {
    if (!dropped.test(d)) {
      int64_t stride = slice.getStaticStrides()[d];
      return ShapedType::isDynamic(stride) ? 0 : step * stride;
    }
    if (ShapedType::isDynamic(shape[d]))
      return 0;
    step *= shape[d];
  }
  return 1;
}

bool cpu::areOneInMemory(Value value, unsigned dim) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return true;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned d = 0, e = dropped.size(); d < e; ++d)
    if (!dropped.test(d))
      kept.push_back(d);
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  // All of what is between two places of the outer one belongs to the slice.
  for (unsigned d = kept[dim] + 1; d <= kept[dim + 1]; ++d)
    if (ShapedType::isDynamic(shape[d]) ||
        slice.getStaticSizes()[d] != shape[d] ||
        slice.getStaticStrides()[d] != 1)
      return false;
  return slice.getStaticStrides()[kept[dim]] == 1 ||
         slice.getStaticSizes()[kept[dim]] == 1;
}

/// The number of elements from the first to the last of `size` elements that
/// are `stride` apart.
static OpFoldResult getExtent(RewriterBase &rewriter, Location loc,
                              OpFoldResult size, int64_t stride) {
  if (stride == 1)
    return size;
  AffineExpr s = rewriter.getAffineSymbolExpr(0);
  AffineMap map = AffineMap::get(0, 1, {s * stride - (stride - 1), s * 0},
                                 rewriter.getContext());
  return affine::makeComposedFoldedAffineMax(rewriter, loc, map, size);
}

/// The last dimension of the source of `slice` of which this has more than one
/// element; -1 if it has one.
static int64_t getRowDim(tensor::ExtractSliceOp slice) {
  int64_t d = slice.getSourceType().getRank() - 1;
  while (d >= 0 && slice.getStaticSizes()[d] == 1)
    --d;
  return d;
}

/// An op that reads what `slice` holds from a slice without gaps in the rows,
/// which has all of the dimensions behind these, too.
static void readThroughGaps(RewriterBase &rewriter,
                            tensor::ExtractSliceOp slice) {
  Location loc = slice.getLoc();
  rewriter.setInsertionPoint(slice);
  RankedTensorType type = slice.getType();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> sizes, extents, offsets = slice.getMixedOffsets();
  SmallVector<AffineExpr> at;
  SmallVector<int64_t> shape;
  int64_t rowDim = getRowDim(slice);
  for (auto [d, size] : llvm::enumerate(slice.getMixedSizes())) {
    int64_t stride = slice.getStaticStrides()[d];
    AffineExpr loop = rewriter.getAffineDimExpr(sizes.size());
    if (!dropped.test(d))
      sizes.push_back(size);
    if (int64_t(d) > rowDim) {
      at.push_back(rewriter.getAffineConstantExpr(slice.getStaticOffsets()[d]));
      offsets[d] = rewriter.getIndexAttr(0);
      extents.push_back(
          rewriter.getIndexAttr(slice.getSourceType().getDimSize(d)));
    } else {
      extents.push_back(getExtent(rewriter, loc, size, stride));
      if (dropped.test(d))
        continue;
      at.push_back(loop * stride);
    }
    shape.push_back(
        getConstantIntValue(extents.back()).value_or(ShapedType::kDynamic));
  }
  SmallVector<OpFoldResult> ones(extents.size(), rewriter.getIndexAttr(1));
  Value source =
      tensor::ExtractSliceOp::create(rewriter, loc, type.clone(shape),
                                     slice.getSource(), offsets, extents, ones);
  int64_t rank = type.getRank();
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, at, rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(rank)};
  auto read = linalg::GenericOp::create(
      rewriter, loc, init.getType(), source, init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args.front());
      });
  Value result = read.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(slice, result);
}

void cpu::readStridedSlices(FunctionOpInterface function) {
  SmallVector<tensor::ExtractSliceOp> slices;
  function->walk([&](tensor::ExtractSliceOp slice) {
    int64_t rowDim = getRowDim(slice);
    ArrayRef<int64_t> behind =
        slice.getSourceType().getShape().drop_front(rowDim + 1);
    if (rowDim < 0 || ShapedType::isDynamicShape(behind) ||
        llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic) ||
        llvm::any_of(slice.getStaticOffsets().drop_front(rowDim + 1),
                     ShapedType::isDynamic))
      return;
    int64_t step = slice.getStaticStrides()[rowDim];
    for (int64_t size : behind)
      step *= size;
    if (step > 1 && step <= kFew)
      slices.push_back(slice);
  });
  IRRewriter rewriter(function->getContext());
  for (tensor::ExtractSliceOp slice : slices)
    readThroughGaps(rewriter, slice);
}

/// The elements of `insert`'s result from one that it inserts to the next in a
/// row: 0 where that is not known.
static int64_t getStepOfInserted(tensor::InsertSliceOp insert) {
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  ArrayRef<int64_t> shape = insert.getType().getShape();
  int64_t step = 1;
  for (int64_t d = shape.size(); d-- > 0;) {
    if (!dropped.test(d) && insert.getStaticSizes()[d] != 1) {
      int64_t stride = insert.getStaticStrides()[d];
      return ShapedType::isDynamic(stride) ? 0 : step * stride;
    }
    if (ShapedType::isDynamic(shape[d]))
      return 0;
    step *= shape[d];
  }
  return 1;
}

/// Whether the elements that `insert` inserts lie apart in its result.
static bool isApart(tensor::InsertSliceOp insert) {
  return insert.getSourceType().getNumElements() != 1 &&
         getStepOfInserted(insert) != 1;
}

bool cpu::insertsApart(tensor::InsertSliceOp insert) {
  if (!isApart(insert))
    return false;
  // From the last insertion into the same tensor to the first.
  auto getNext = [](tensor::InsertSliceOp op) {
    auto next = op->hasOneUse()
                    ? dyn_cast<tensor::InsertSliceOp>(*op->user_begin())
                    : tensor::InsertSliceOp();
    return next && next.getDest() == op.getResult() ? next
                                                    : tensor::InsertSliceOp();
  };
  while (tensor::InsertSliceOp next = getNext(insert))
    insert = next;
  ArrayRef<int64_t> shape = insert.getType().getShape();
  int64_t all = 1, apart = 0;
  for (int64_t size : shape)
    all *= ShapedType::isStatic(size) ? size : 1;
  for (; insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (!isApart(insert))
      continue;
    int64_t count = 1;
    for (auto [size, whole] : llvm::zip_equal(insert.getStaticSizes(), shape)) {
      // Sizes that are not known are taken for the same.
      if (ShapedType::isDynamic(size) && ShapedType::isStatic(whole))
        return true;
      if (ShapedType::isStatic(size) && ShapedType::isStatic(whole))
        count *= size;
    }
    apart += count;
  }
  return apart * 8 > all;
}

namespace {
/// One of `count` tensors whose elements take turns in the last dimension.
struct Channel {
  tensor::InsertSliceOp insert;
  int64_t number, count;
  /// Its elements are `count` apart, rather than in a dimension of `count`.
  bool isStrided;
};
} // namespace

/// Whether `insert` writes to all of its result but what other channels are.
static std::optional<Channel> matchChannel(tensor::InsertSliceOp insert) {
  RankedTensorType type = insert.getType();
  int64_t last = type.getRank() - 1;
  if (last < 0 || ShapedType::isDynamic(type.getShape()[last]) ||
      type.getEncoding())
    return std::nullopt;
  int64_t size = type.getShape()[last], part = insert.getStaticSizes()[last],
          number = insert.getStaticOffsets()[last],
          stride = insert.getStaticStrides()[last];
  if (ShapedType::isDynamic(part) || ShapedType::isDynamic(number) ||
      ShapedType::isDynamic(stride))
    return std::nullopt;
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  bool isStrided = stride > 1;
  Channel channel = {insert, number, isStrided ? stride : size, isStrided};
  bool isOne = isStrided ? part * stride == size && !dropped.any()
                         : part == 1 && last > 0 &&
                               dropped.count() == size_t(dropped.test(last));
  if (!isOne || number >= channel.count)
    return std::nullopt;
  for (int64_t d = 0; d < last; ++d) {
    OpFoldResult extent = insert.getMixedSizes()[d];
    if (insert.getStaticOffsets()[d] != 0 ||
        insert.getStaticStrides()[d] != 1 ||
        (getConstantIntValue(extent) != type.getShape()[d] &&
         !ValueBoundsConstraintSet::areEqual(
              extent, ValueBoundsConstraintSet::Variable(insert.getDest(), d))
              .value_or(false)))
      return std::nullopt;
  }
  return channel;
}

/// The channels that make all of the result of `insert`, by their numbers.
static SmallVector<Channel> matchChannels(tensor::InsertSliceOp insert) {
  std::optional<Channel> channel = matchChannel(insert);
  Type element = insert.getType().getElementType();
  if (!channel || !cpu::isLane(element) ||
      !cpu::areWoven(channel->count, cpu::getElementBits(element)))
    return {};
  SmallVector<Channel> channels;
  int64_t count = channel->count;
  bool isStrided = channel->isStrided;
  while (true) {
    channels.push_back(*channel);
    if (int64_t(channels.size()) == count)
      break;
    auto next = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
    if (!next || !next->hasOneUse() || next->getBlock() != insert->getBlock())
      return {};
    channel = matchChannel(next);
    if (!channel || channel->count != count || channel->isStrided != isStrided)
      return {};
    insert = next;
  }
  llvm::sort(channels, [](const Channel &x, const Channel &y) {
    return x.number < y.number;
  });
  for (auto [i, found] : llvm::enumerate(channels))
    if (found.number != int64_t(i))
      return {};
  return channels;
}

/// Replaces `last`, the last insertion of `channels`.
static void weaveChannels(RewriterBase &rewriter, tensor::InsertSliceOp last,
                          ArrayRef<Channel> channels) {
  Location loc = last.getLoc();
  rewriter.setInsertionPoint(last);
  RankedTensorType type = last.getType();
  int64_t count = channels.size(), rank = type.getRank();
  bool isStrided = channels.front().isStrided;
  // Of the sizes the channels know as much as what they are inserted into.
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, last.getDest());
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d)
    groups.push_back({d});
  if (isStrided) {
    sizes.back() = rewriter.getIndexAttr(type.getShape().back() / count);
    sizes.push_back(rewriter.getIndexAttr(count));
    groups.back().push_back(rank);
  } else {
    groups.pop_back();
    groups.back().push_back(rank - 1);
  }
  SmallVector<Value> sources;
  for (Channel channel : channels) {
    Value source = channel.insert.getSource();
    if (!isStrided && channel.insert.getSourceType().getRank() == rank)
      source =
          rewriter.createOrFold<tensor::CollapseShapeOp>(loc, source, groups);
    sources.push_back(source);
  }
  int64_t loops = sizes.size();
  AffineMap all = rewriter.getMultiDimIdentityMap(loops);
  SmallVector<AffineMap> maps(count, all.dropResult(loops - 1));
  maps.push_back(all);
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  Value result =
      linalg::GenericOp::create(
          rewriter, loc, init.getType(), sources, init, maps,
          SmallVector<utils::IteratorType>(loops,
                                           utils::IteratorType::parallel),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value at = linalg::IndexOp::create(b, loc, loops - 1);
            Value value = args.front();
            for (int64_t i = 1; i < count; ++i) {
              Value number = arith::ConstantIndexOp::create(b, loc, i);
              Value isAt = arith::CmpIOp::create(
                  b, loc, arith::CmpIPredicate::eq, at, number);
              value = arith::SelectOp::create(b, loc, isAt, args[i], value);
            }
            linalg::YieldOp::create(b, loc, value);
          })
          .getResult(0);
  if (isStrided)
    result = tensor::CollapseShapeOp::create(rewriter, loc, result, groups);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(last, result);
}

bool cpu::isChannel(OpOperand *operand) {
  auto op = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!op || !op.isAllParallelLoops() || op.getNumLoops() == 0)
    return false;
  unsigned last = op.getNumLoops() - 1;
  // Of more steps each would compute again what one of them uses.
  int64_t count = op.getStaticLoopRanges().back();
  if (ShapedType::isDynamic(count) || count > kMostInterleaved)
    return false;
  auto select = op.getBody()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::SelectOp>();
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  auto at = compare ? compare.getLhs().getDefiningOp<linalg::IndexOp>()
                    : linalg::IndexOp();
  return at && at.getDim() == last && compare->getBlock() == op.getBody() &&
         op.getMatchingIndexingMap(operand) ==
             AffineMap::getMultiDimIdentityMap(last + 1, op.getContext())
                 .dropResult(last);
}

void cpu::weaveInserts(FunctionOpInterface function) {
  SmallVector<tensor::InsertSliceOp> inserts;
  function->walk(
      [&](tensor::InsertSliceOp insert) { inserts.push_back(insert); });
  IRRewriter rewriter(function->getContext());
  // From the last of them back; those in front are left without a reader.
  DenseSet<Operation *> done;
  for (tensor::InsertSliceOp insert : llvm::reverse(inserts)) {
    if (done.contains(insert))
      continue;
    SmallVector<Channel> channels = matchChannels(insert);
    for (Channel channel : channels)
      done.insert(channel.insert);
    if (!channels.empty())
      weaveChannels(rewriter, insert, channels);
  }
}
