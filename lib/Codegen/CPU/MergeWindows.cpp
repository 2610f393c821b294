//===- MergeWindows.cpp - convolutions with pixels last, as products ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A convolution with channels first (NCHW, with filters FCHW) is the product of
// the filter, as a matrix of one row for each feature, and a matrix of one
// column for each pixel of the result. Here its loops over pixels become one,
// and those over channels and windows another; the image is one row of memory,
// in which element (k, n) of that matrix has a place.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "Emit.h"
#include "Epilogue.h"
#include "Normalize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// A convolution whose result has its pixels last.
struct Convolution {
  OpOperand *image, *filter;
  /// Loops over pixels and reductions, in the order of the result and of the
  /// filter, whose last dimensions they are.
  SmallVector<unsigned> pixels, steps;
  /// The image's dimensions before this one have other loops.
  unsigned firstOfImage = 0;
  /// Whether the first of `pixels` is the batch, which the result has before
  /// its features.
  bool hasBatch = false;
  /// How far neighbours of each loop are apart in the rest of the image.
  SmallVector<int64_t> moves;
  int64_t start = 0;

  bool isMerged(unsigned d) const {
    return llvm::is_contained(pixels, d) || llvm::is_contained(steps, d);
  }
};

/// One of the loops that become one: `size` iterations, unknown for the first
/// one only, that move by `move` elements.
struct Walk {
  int64_t size, move;
};
} // namespace

/// The vector of features that `init` repeats for each pixel, in all dimensions
/// but the second one; null if it is no such tensor.
static Value getFeatures(Value init) {
  auto [source, map] = cpu::matchBroadcast(init);
  bool isRow = source && map.getNumResults() == 1 &&
               map.getResult(0) == getAffineDimExpr(1, map.getContext());
  return isRow ? source : Value();
}

/// Whether the batch becomes a part of the pixels: of small images, and windows
/// that are worth copying the result.
static bool mergesBatch(linalg::GenericOp op, const Convolution &c) {
  constexpr int64_t kFewPixels = 256, kLeastDepth = 128;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap result = op.getMatchingIndexingMap(init),
            image = op.getMatchingIndexingMap(c.image);
  if (result.getNumResults() != c.pixels.size() + 2 ||
      result.getResult(0) != image.getResult(0))
    return false;
  unsigned batch = result.getDimPosition(0);
  int64_t pixels = 1, depth = 1;
  for (unsigned d : c.pixels) {
    if (ShapedType::isDynamic(sizes[d]))
      return false;
    pixels *= sizes[d];
  }
  for (unsigned d : c.steps)
    depth *= sizes[d];
  return sizes[batch] != 1 && pixels <= kFewPixels && depth >= kLeastDepth &&
         (cpu::matchFill(init->get()).scalar || getFeatures(init->get()));
}

namespace {
/// `start` and, for each loop, its index times `moves`.
struct Linear {
  SmallVector<int64_t> moves;
  int64_t start = 0;
};
} // namespace

/// `expr` of `loops` loops, if it is linear: then it is known by what it moves
/// by.
static std::optional<Linear> matchLinear(AffineExpr expr, unsigned loops) {
  auto fold = [&](AffineExpr part) {
    return dyn_cast<AffineConstantExpr>(simplifyAffineExpr(part, loops, 0));
  };
  Linear linear;
  AffineExpr rest = expr;
  for (unsigned d = 0; d < loops; ++d) {
    AffineExpr dim = getAffineDimExpr(d, expr.getContext());
    AffineConstantExpr move = fold(expr.replace(dim, dim + 1) - expr);
    if (!move)
      return std::nullopt;
    linear.moves.push_back(move.getValue());
    rest = rest - dim * move.getValue();
  }
  AffineConstantExpr start = fold(rest);
  if (!start)
    return std::nullopt;
  linear.start = start.getValue();
  return linear;
}

/// The loops of a convolution: which are pixels, and which steps.
static std::optional<Convolution> matchLoops(linalg::GenericOp op) {
  std::optional<cpu::ContractionBody> body;
  if (op.hasPureTensorSemantics())
    body = cpu::matchContractionBody(op);
  if (!body)
    return std::nullopt;
  Convolution c;
  c.image = op.getDpsInputOperand(body->lhs);
  c.filter = op.getDpsInputOperand(body->rhs);
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!op.getMatchingIndexingMap(c.filter).isProjectedPermutation())
    std::swap(c.image, c.filter);
  AffineMap image = op.getMatchingIndexingMap(c.image),
            filter = op.getMatchingIndexingMap(c.filter);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto imageType = dyn_cast<RankedTensorType>(c.image->get().getType());
  if (!filter.isProjectedPermutation() || !result.isProjectedPermutation() ||
      image.isProjectedPermutation() || !imageType ||
      llvm::any_of(op->getOperands(), [](Value operand) {
        auto type = dyn_cast<RankedTensorType>(operand.getType());
        return !type || type.getEncoding();
      }))
    return std::nullopt;
  auto loopOf = [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition();
  };
  for (AffineExpr expr : llvm::reverse(result.getResults())) {
    unsigned d = loopOf(expr);
    if (filter.isFunctionOfDim(d) || !image.isFunctionOfDim(d))
      break;
    c.pixels.insert(c.pixels.begin(), d);
  }
  for (AffineExpr expr : llvm::reverse(filter.getResults())) {
    unsigned d = loopOf(expr);
    if (result.isFunctionOfDim(d) || !image.isFunctionOfDim(d))
      break;
    c.steps.insert(c.steps.begin(), d);
  }
  if (c.pixels.empty() || c.steps.size() != op.getNumReductionLoops() ||
      llvm::any_of(c.steps,
                   [&](unsigned d) { return ShapedType::isDynamic(sizes[d]); }))
    return std::nullopt;

  // What other loops index comes first.
  for (AffineExpr expr : image.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || c.isMerged(dim.getPosition()))
      break;
    ++c.firstOfImage;
  }
  for (AffineExpr expr : image.getResults().drop_front(c.firstOfImage))
    for (unsigned d = 0; d < op.getNumLoops(); ++d)
      if (!c.isMerged(d) && expr.isFunctionOfDim(d))
        return std::nullopt;
  return c;
}

/// A convolution whose sizes are known, but for its first loop over pixels.
static std::optional<Convolution> match(linalg::GenericOp op) {
  std::optional<Convolution> loops = matchLoops(op);
  if (!loops)
    return std::nullopt;
  Convolution &c = *loops;
  AffineMap image = op.getMatchingIndexingMap(c.image);
  auto imageType = cast<RankedTensorType>(c.image->get().getType());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (llvm::any_of(ArrayRef(c.pixels).drop_front(),
                   [&](unsigned d) { return ShapedType::isDynamic(sizes[d]); }))
    return std::nullopt;
  if (c.firstOfImage == 1 && mergesBatch(op, c)) {
    c.pixels.insert(c.pixels.begin(),
                    cast<AffineDimExpr>(image.getResult(0)).getPosition());
    c.firstOfImage = 0;
    c.hasBatch = true;
  }
  AffineExpr place = getAffineConstantExpr(0, op.getContext());
  int64_t apart = 1;
  for (unsigned i = image.getNumResults(); i-- > c.firstOfImage;) {
    place = place + image.getResult(i) * apart;
    if (i > c.firstOfImage && imageType.isDynamicDim(i))
      return std::nullopt;
    apart *= i > c.firstOfImage ? imageType.getDimSize(i) : 1;
  }
  std::optional<Linear> linear = matchLinear(place, op.getNumLoops());
  if (!linear)
    return std::nullopt;
  c.moves = std::move(linear->moves);
  c.start = linear->start;
  return loops;
}

/// `loops` with those made one that move on in equal steps.
static SmallVector<Walk> join(ArrayRef<unsigned> loops, ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> moves) {
  SmallVector<Walk> walks;
  for (unsigned d : llvm::reverse(loops)) {
    if (sizes[d] == 1)
      continue;
    Walk *inner = walks.empty() ? nullptr : &walks.front();
    if (inner && moves[d] == inner->move * inner->size)
      inner->size =
          ShapedType::isDynamic(sizes[d]) ? sizes[d] : inner->size * sizes[d];
    else
      walks.insert(walks.begin(), {sizes[d], moves[d]});
  }
  return walks;
}

/// Where iteration number `index` of all `walks` is.
static AffineExpr getPlace(AffineExpr index, ArrayRef<Walk> walks) {
  AffineExpr place = getAffineConstantExpr(0, index.getContext());
  int64_t after = 1;
  for (size_t i = walks.size(); i-- > 0;) {
    AffineExpr at = index.floorDiv(after);
    if (i > 0)
      at = at % walks[i].size;
    place = place + at * walks[i].move;
    after *= walks[i].size;
  }
  return place;
}

/// `value` with its dimensions from `first` on, `count` of them, as one.
static Value collapse(RewriterBase &rewriter, Location loc, Value value,
                      int64_t first, int64_t count) {
  if (count < 2)
    return value;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return tensor::CollapseShapeOp::create(rewriter, loc, value,
                                         cpu::groupDims(rank, first, count));
}

/// Makes one of the loops that index the last `count` dimensions of `operand`,
/// an operand of the elementwise `op`, where all of its operands have them so.
static bool collapseLast(RewriterBase &rewriter, linalg::GenericOp op,
                         OpOperand &operand, unsigned count) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (op.getNumParallelLoops() != op.getNumLoops() || !map.isPermutation())
    return false;
  unsigned first = map.getDimPosition(map.getNumResults() - count);
  for (unsigned i = 0; i < count; ++i)
    if (map.getDimPosition(map.getNumResults() - count + i) != first + i)
      return false;
  SmallVector<ReassociationIndices> groups =
      cpu::groupDims(op.getNumLoops(), first, count);
  // Upstream's conversion takes both for granted.
  if (!llvm::all_of(
          op.getIndexingMapsArray(),
          [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups))
    return false;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> result =
      linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(result))
    return false;
  rewriter.replaceOp(op, result->results);
  return true;
}

/// What the sums of `init`, [batch][features][..], start from, as a tensor
/// [features][pixels of all images].
static Value makeStart(RewriterBase &rewriter, Location loc, Value init) {
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0),
             s1 = rewriter.getAffineSymbolExpr(1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  OpFoldResult pixels = sizes[0];
  for (OpFoldResult size : ArrayRef(sizes).drop_front(2))
    pixels = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1,
                                                   {pixels, size});
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, {sizes[1], pixels},
      cast<RankedTensorType>(init.getType()).getElementType());
  if (Value scalar = cpu::matchFill(init).scalar)
    return linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
  AffineMap identity = rewriter.getMultiDimIdentityMap(2);
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), getFeatures(init), empty,
             ArrayRef<AffineMap>{identity.getMajorSubMap(1), identity},
             SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
             [](OpBuilder &b, Location at, ValueRange args) {
               linalg::YieldOp::create(b, at, args[0]);
             })
      .getResult(0);
}

/// `product`, [features][pixels of all images], as the result of a convolution
/// with a batch, whose type and sizes `init` has.
static Value arrangeBatch(RewriterBase &rewriter, Location loc, Value product,
                          Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init),
                            turned = sizes;
  SmallVector<int64_t> shape(type.getShape());
  std::swap(turned[0], turned[1]);
  std::swap(shape[0], shape[1]);
  SmallVector<ReassociationIndices> groups = {{0}, {}};
  SmallVector<AffineExpr> from = {rewriter.getAffineDimExpr(1),
                                  rewriter.getAffineDimExpr(0)};
  for (int64_t d = 1; d < rank; ++d)
    groups[1].push_back(d);
  for (int64_t d = 2; d < rank; ++d)
    from.push_back(rewriter.getAffineDimExpr(d));
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, type.clone(shape), product, groups, turned);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  return linalg::GenericOp::create(
             rewriter, loc, type, expanded, empty,
             ArrayRef<AffineMap>{
                 AffineMap::get(rank, 0, from, rewriter.getContext()),
                 rewriter.getMultiDimIdentityMap(rank)},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location at, ValueRange args) {
               linalg::YieldOp::create(b, at, args[0]);
             })
      .getResult(0);
}

/// What `merge` reads instead of an image, and its indices.
using Columns = std::pair<Value, SmallVector<AffineExpr>>;

/// Erases what makes `value`, if nothing reads it.
static void eraseIfDead(RewriterBase &rewriter, Value value) {
  Operation *made = value.getDefiningOp();
  if (!made || !isOpTriviallyDead(made))
    return;
  SmallVector<Value> operands(made->getOperands());
  rewriter.eraseOp(made);
  for (Value operand : operands)
    eraseIfDead(rewriter, operand);
}

/// The same convolution with one loop over pixels and one reduction, which
/// reads what `makeColumns` makes for those in place of the image; null, and
/// nothing changed, where that is not to be packed.
static linalg::GenericOp
merge(RewriterBase &rewriter, linalg::GenericOp op, const Convolution &c,
      const cpu::CPUTarget &target,
      llvm::function_ref<Columns(AffineExpr, AffineExpr)> makeColumns) {
  MLIRContext *context = op.getContext();
  // The first of the loops that become one stands for all of them.
  unsigned n = c.pixels.front(), k = c.steps.front(), kept = 0;
  SmallVector<AffineExpr> renumbered;
  SmallVector<utils::IteratorType> kinds;
  auto isGone = [&](unsigned d) {
    return llvm::is_contained(ArrayRef(c.pixels).drop_front(), d) ||
           llvm::is_contained(ArrayRef(c.steps).drop_front(), d);
  };
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    renumbered.push_back(getAffineDimExpr(kept, context));
    if (isGone(d))
      continue;
    ++kept;
    kinds.push_back(op.getIteratorTypesArray()[d]);
  }
  auto renumber = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(op.getNumLoops(), 0, results, context)
        .replaceDimsAndSymbols(renumbered, {}, kept, 0);
  };
  auto dropLast = [&](OpOperand *operand, ArrayRef<unsigned> loops) {
    return renumber(op.getMatchingIndexingMap(operand).getResults().drop_back(
        loops.size() - 1));
  };

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(3);
  auto collapseLoops = [&](OpOperand *operand, size_t count) {
    int64_t rank = cast<RankedTensorType>(operand->get().getType()).getRank();
    return collapse(rewriter, loc, operand->get(), rank - count, count);
  };
  unsigned filter = c.filter->getOperandNumber(),
           image = c.image->getOperandNumber();
  inputs[filter] = collapseLoops(c.filter, c.steps.size());
  maps[filter] = dropLast(c.filter, c.steps);
  // Of a batch, the features come first.
  AffineMap result = op.getMatchingIndexingMap(init);
  maps[2] = c.hasBatch ? renumber({result.getResult(1), result.getResult(0)})
                       : dropLast(init, c.pixels);
  Columns columns =
      makeColumns(getAffineDimExpr(n, context), getAffineDimExpr(k, context));
  inputs[image] = columns.first;
  maps[image] = renumber(columns.second);
  Value start = c.hasBatch ? makeStart(rewriter, loc, init->get())
                           : collapseLoops(init, c.pixels.size());
  auto merged = linalg::GenericOp::create(rewriter, loc, start.getType(),
                                          inputs, start, maps, kinds);
  rewriter.cloneRegionBefore(op.getRegion(), merged.getRegion(),
                             merged.getRegion().begin());
  if (cpu::isPackableContraction(merged, target))
    return merged;
  rewriter.eraseOp(merged);
  for (Value value : {start, inputs[0], inputs[1]})
    eraseIfDead(rewriter, value);
  return {};
}

/// The same, of an image whose sizes are known.
static linalg::GenericOp merge(RewriterBase &rewriter, linalg::GenericOp op,
                               const Convolution &c,
                               const cpu::CPUTarget &target) {
  constexpr int64_t kShortRun = 4;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<Walk> pixels = join(c.pixels, sizes, c.moves),
                    steps = join(c.steps, sizes, c.moves);
  if (pixels.empty() || steps.empty() || pixels.back().move < 1 ||
      (pixels.size() > 1 && pixels.back().size < kShortRun))
    return {};
  int64_t columns = 1;
  for (const Walk &walk : pixels)
    columns = ShapedType::isDynamic(walk.size) ? target.lanes(32)
                                               : columns * walk.size;
  if (columns < int64_t(target.lanes(32)) / 2)
    return {};
  Value image = c.image->get();
  auto shape = cast<RankedTensorType>(image.getType()).getShape();
  int64_t ofImage = shape.size() - c.firstOfImage, row = 1;
  for (int64_t size : shape.drop_front(c.firstOfImage + 1))
    row *= size;
  // A window of one pixel is a matrix: its rows are channels.
  bool isMatrix = pixels.size() == 1 && pixels[0].move == 1 && c.start == 0 &&
                  steps.size() == 1 && steps[0].move == row &&
                  pixels[0].size == row && ofImage > 1;
  return merge(
      rewriter, op, c, target, [&](AffineExpr n, AffineExpr k) -> Columns {
        SmallVector<AffineExpr> place(
            op.getMatchingIndexingMap(c.image).getResults().take_front(
                c.firstOfImage));
        if (isMatrix)
          place.append({k, n});
        else
          place.push_back(getPlace(n, pixels) + getPlace(k, steps) + c.start);
        int64_t count = isMatrix ? ofImage - 1 : ofImage;
        return {
            collapse(rewriter, op.getLoc(), image, shape.size() - count, count),
            place};
      });
}

/// Puts `merged`, which has one loop over the last `count` dimensions of the
/// result of `op`, in its place, and merges the loops of what follows on its
/// tiles and of what its sums start from.
static void replaceMerged(RewriterBase &rewriter, linalg::GenericOp op,
                          linalg::GenericOp merged, unsigned count,
                          unsigned lastPixel) {
  if (count < 2) {
    rewriter.replaceOp(op, merged.getResults());
    return;
  }
  cpu::Epilogue epilogue = cpu::Epilogue::collect(op, lastPixel);
  if (auto source = op.getDpsInits()[0].getDefiningOp<linalg::GenericOp>())
    collapseLast(rewriter, source, *source.getDpsInitOperand(0), count);
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  rewriter.setInsertionPointAfter(merged);
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(), type, merged.getResult(0),
      cpu::groupDims(type.getRank(), type.getRank() - count, count),
      tensor::getMixedSizes(rewriter, op.getLoc(), init));
  rewriter.replaceOp(op, expanded);
  for (linalg::GenericOp next : epilogue.getOps())
    if (!collapseLast(rewriter, next, *next.getDpsInitOperand(0), count))
      break;
}

/// Merges the loops of `op`. Returns whether it did.
static bool mergeWindows(RewriterBase &rewriter, linalg::GenericOp op,
                         const cpu::CPUTarget &target) {
  std::optional<Convolution> c = match(op);
  if (!c)
    return false;
  linalg::GenericOp merged = merge(rewriter, op, *c, target);
  if (!merged)
    return false;
  if (c->hasBatch) {
    rewriter.setInsertionPointAfter(merged);
    rewriter.replaceOp(op,
                       arrangeBatch(rewriter, op.getLoc(), merged.getResult(0),
                                    op.getDpsInits()[0]));
    return true;
  }
  replaceMerged(rewriter, op, merged, c->pixels.size(), c->pixels.back());
  return true;
}

//===----------------------------------------------------------------------===//
// Images of unknown sizes
//===----------------------------------------------------------------------===//

/// How far neighbours of each loop of `op` are apart in each dimension of
/// `map`; nothing where one starts elsewhere than at 0, or is not linear.
static std::optional<SmallVector<SmallVector<int64_t>>>
getMoves(linalg::GenericOp op, AffineMap map) {
  SmallVector<SmallVector<int64_t>> moves;
  for (AffineExpr expr : map.getResults()) {
    std::optional<Linear> linear = matchLinear(expr, op.getNumLoops());
    if (!linear || linear->start != 0)
      return std::nullopt;
    moves.push_back(std::move(linear->moves));
  }
  return moves;
}

/// Makes a product of a convolution with two loops over pixels, of an image
/// whose sizes are not known: affine maps cannot tell where element (k, n) of
/// its matrix is. An op does that gathers the matrix; it is never made, as
/// panels are packed by what `matchRoles` reads of the op.
static linalg::GenericOp gather(RewriterBase &rewriter, linalg::GenericOp op,
                                const Convolution &c,
                                const cpu::CPUTarget &target) {
  AffineMap map = op.getMatchingIndexingMap(c.image);
  auto moves = getMoves(op, map);
  unsigned rank = map.getNumResults(), first = c.firstOfImage;
  if (!moves || c.pixels.size() != 2 || first + 2 > rank)
    return {};
  unsigned y = c.pixels[0], x = c.pixels[1];
  int64_t stride = moves->back()[x];
  if (stride < 1 || llvm::any_of(
                        ArrayRef(*moves).drop_back(),
                        [&](ArrayRef<int64_t> ofDim) { return ofDim[x] != 0; }))
    return {};
  Location loc = op.getLoc();
  Value image = c.image->get(), init = op.getDpsInits()[0];
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineExpr> place(map.getResults().take_front(first));
  // A window of one pixel is a matrix: its rows are channels.
  auto isIndex = [&](unsigned i, unsigned loop) {
    return llvm::all_of(llvm::enumerate((*moves)[i]), [&](auto move) {
      return sizes[move.index()] == 1 ||
             move.value() == int64_t(move.index() == loop);
    });
  };
  if (rank == first + 3 && isIndex(first, c.steps.front()) &&
      isIndex(first + 1, y) && isIndex(first + 2, x))
    return merge(rewriter, op, c, target, [&](AffineExpr n, AffineExpr k) {
      place.append({k, n});
      return Columns{collapse(rewriter, loc, image, first + 1, 2), place};
    });
  return merge(rewriter, op, c, target, [&](AffineExpr n, AffineExpr k) {
    auto constant = [&](int64_t value) {
      return cpu::indexConstant(rewriter, loc, value);
    };
    auto multiply = [&](Value lhs, Value rhs) -> Value {
      return arith::MulIOp::create(rewriter, loc, lhs, rhs);
    };
    // Elements between neighbours of a loop.
    Value apart = constant(1);
    SmallVector<Value> ofLoop(op.getNumLoops(), constant(0));
    for (unsigned i = rank; i-- > first;) {
      for (unsigned d : llvm::concat<const unsigned>(c.pixels, c.steps))
        if (int64_t move = (*moves)[i][d])
          ofLoop[d] = arith::AddIOp::create(rewriter, loc, ofLoop[d],
                                            multiply(apart, constant(move)));
      apart = multiply(apart,
                       tensor::DimOp::create(rewriter, loc, image, int64_t(i)));
    }
    int64_t depth = 1;
    for (unsigned d : c.steps)
      depth *= sizes[d];
    Value table =
        tensor::EmptyOp::create(rewriter, loc, depth, rewriter.getIndexType());
    Value steps =
        scf::ForOp::create(
            rewriter, loc, constant(0), constant(depth), constant(1), table,
            [&](OpBuilder &b, Location at, Value step, ValueRange args) {
              Value rest = step, place = cpu::indexConstant(b, at, 0);
              for (unsigned d : llvm::reverse(c.steps)) {
                Value size = cpu::indexConstant(b, at, sizes[d]);
                Value index = arith::RemUIOp::create(b, at, rest, size);
                rest = arith::DivUIOp::create(b, at, rest, size);
                place = arith::AddIOp::create(
                    b, at, place,
                    arith::MulIOp::create(b, at, index, ofLoop[d]));
              }
              Value next =
                  tensor::InsertOp::create(b, at, place, args[0], step);
              scf::YieldOp::create(b, at, next);
            })
            .getResult(0);
    int64_t rankOfInit = cast<RankedTensorType>(init.getType()).getRank();
    auto sizeOfResult = [&](int64_t dim) -> Value {
      return tensor::DimOp::create(rewriter, loc, init, dim);
    };
    Value rowLength = sizeOfResult(rankOfInit - 1);
    Value flat = collapse(rewriter, loc, image, first, rank - first);
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(rewriter, loc, image);
    shape.truncate(first);
    shape.append({rewriter.getIndexAttr(depth),
                  multiply(sizeOfResult(rankOfInit - 2), rowLength)});
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, shape,
        cast<RankedTensorType>(image.getType()).getElementType());
    AffineMap all = rewriter.getMultiDimIdentityMap(first + 2),
              ofStep = all.getSubMap({first});
    auto gathered = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), steps, empty, {ofStep, all},
        SmallVector<utils::IteratorType>(first + 2,
                                         utils::IteratorType::parallel),
        [&](OpBuilder &b, Location, ValueRange args) {
          auto index = [&](int64_t dim) -> Value {
            return linalg::IndexOp::create(b, loc, dim);
          };
          SmallVector<Value> at;
          for (unsigned d = 0; d < first; ++d)
            at.push_back(index(d));
          Value pixel = index(first + 1);
          Value row = arith::DivUIOp::create(b, loc, pixel, rowLength);
          Value column = arith::RemUIOp::create(b, loc, pixel, rowLength);
          Value start = arith::AddIOp::create(
              b, loc, arith::MulIOp::create(b, loc, row, ofLoop[y]),
              arith::MulIOp::create(b, loc, column, ofLoop[x]));
          at.push_back(arith::AddIOp::create(b, loc, start, args[0]));
          Value element = tensor::ExtractOp::create(b, loc, flat, at);
          linalg::YieldOp::create(b, loc, element);
        });
    gathered->setAttr(cpu::kGatherAttrName, rewriter.getIndexAttr(stride));
    place.append({k, n});
    return Columns{gathered.getResult(0), place};
  });
}

/// Merges the loops of `op` where sizes of its image are not known. Returns
/// whether it did.
static bool gatherWindows(RewriterBase &rewriter, linalg::GenericOp op,
                          const cpu::CPUTarget &target) {
  std::optional<Convolution> c = matchLoops(op);
  if (!c || c->pixels.size() < 2)
    return false;
  // Of others it is known that they are better off as they are.
  auto shape = cast<RankedTensorType>(c->image->get().getType()).getShape();
  if (llvm::none_of(shape.drop_front(c->firstOfImage + 1),
                    ShapedType::isDynamic))
    return false;
  linalg::GenericOp merged = gather(rewriter, op, *c, target);
  if (!merged)
    return false;
  replaceMerged(rewriter, op, merged, c->pixels.size(), c->pixels.back());
  return true;
}

/// Lets what follows, and what sums start from, see merged products.
static void cleanUp(FunctionOpInterface function) {
  RewritePatternSet patterns(function->getContext());
  cpu::populateReshapePatterns(patterns);
  // Copies of products become a part of what reads them.
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *operand) {
        auto copy = operand->get().getDefiningOp<linalg::GenericOp>();
        auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
        return copy && reader && copy->hasOneUse() &&
               llvm::hasSingleElement(*copy.getBody()) &&
               copy.getNumDpsInputs() == 1 &&
               copy.getDpsInputs()[0].getDefiningOp<tensor::ExpandShapeOp>() &&
               reader.getNumReductionLoops() == 0;
      });
  // Filters in order that are constants.
  linalg::populateConstantFoldLinalgOperations(
      patterns, [](OpOperand *) { return true; });
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// Applies `change` to all reductions of `function`.
static void changeReductions(
    FunctionOpInterface function,
    llvm::function_ref<bool(RewriterBase &, linalg::GenericOp)> change) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  bool hasChanged = false;
  for (linalg::GenericOp op : ops)
    hasChanged |= change(rewriter, op);
  if (hasChanged)
    cleanUp(function);
}

/// Changes `op` by `merge`, or, where that returns false, with another filter
/// by `orderFilter`.
static bool mergeInOrder(RewriterBase &rewriter, linalg::GenericOp op,
                         const cpu::CPUTarget &target,
                         llvm::function_ref<bool()> merge) {
  if (merge())
    return true;
  std::function<void()> undo = cpu::orderFilter(rewriter, op, target);
  if (!undo || merge())
    return undo != nullptr;
  undo();
  return false;
}

void cpu::mergeWindows(FunctionOpInterface function, const CPUTarget &target) {
  changeReductions(function, [&](RewriterBase &rewriter, linalg::GenericOp op) {
    return mergeInOrder(rewriter, op, target,
                        [&] { return ::mergeWindows(rewriter, op, target); });
  });
}

void cpu::gatherWindows(FunctionOpInterface function, const CPUTarget &target) {
  changeReductions(function, [&](RewriterBase &rewriter, linalg::GenericOp op) {
    return mergeInOrder(rewriter, op, target,
                        [&] { return ::gatherWindows(rewriter, op, target); });
  });
}
