//===- SpreadOperands.cpp - products with zeros between elements ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Front ends write a transposed convolution, and the gradients of a strided
// one, as a convolution of an operand whose elements lie apart, with zeros
// between them: of strides 2 x 2, three of four products are with zeros. Here
// these products are left out, with what an infinity or NaN of the other
// operand would make of them.
//
// An operand that is indexed there by the loop of a sum has that loop go over
// its elements, and the other operand be read every few elements. Where it is
// indexed by the sum of a loop over the result and one of the reduction, as an
// image is, every few elements of the result are one convolution.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "Emit.h"
#include "Normalize.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// Where the elements of one dimension lie: `size` of them, `stride` apart,
/// from `offset` on. Around and between them are zeros.
struct Spread {
  int64_t offset = 0, size = 0, stride = 1;
  /// There is nothing else in the dimension.
  bool isWhole = true;
};

/// A tensor of such dimensions: `elements`, before `casts`, from the first to
/// the last.
struct SpreadTensor {
  Value elements;
  SmallVector<linalg::GenericOp> casts;
  SmallVector<Spread> dims;
};

/// A convolution's dimension of which every `stride`-th element is computed
/// alone: loop `over` counts elements of the result, `along` those of a window.
struct WindowDim {
  unsigned dim, over, along;
  /// The dimension of the result that `over` indexes.
  unsigned resultDim;
};

/// Every `stride`-th element of such a dimension of the result, from `phase`
/// on. There are `count`, each a sum over every `stride`-th element of the
/// window from `first` on, `taps` of them. Element `q` begins at `q + begin` of
/// what is spread.
struct Phase {
  int64_t phase, count, first, taps, begin;
};
} // namespace

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

/// Whether nothing but zeros is in `tensor`.
static bool isAllZeros(Value tensor) {
  Value scalar = cpu::matchFill(tensor).scalar;
  return isZero(scalar ? scalar : tensor);
}

/// Where `insert` puts elements in dimension `d`; nothing where that is not
/// known.
static std::optional<Spread> getSpread(tensor::InsertSliceOp insert,
                                       int64_t d) {
  int64_t offset = insert.getStaticOffsets()[d],
          size = insert.getStaticSizes()[d],
          stride = insert.getStaticStrides()[d],
          extent = insert.getType().getDimSize(d);
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride) ||
      stride < 1)
    return std::nullopt;
  Spread spread = {offset, size, stride, /*isWhole=*/false};
  if (ShapedType::isStatic(size) && ShapedType::isStatic(extent)) {
    spread.isWhole = size == extent;
    return spread;
  }
  spread.isWhole = offset == 0 && stride == 1 &&
                   ValueBoundsConstraintSet::areEqual(
                       insert.getMixedSizes()[d],
                       ValueBoundsConstraintSet::Variable(insert.getDest(), d))
                       .value_or(false);
  return spread.isWhole ? std::optional(spread) : std::nullopt;
}

/// Takes `value` for a tensor with zeros between its elements.
static std::optional<SpreadTensor> matchSpread(Value value) {
  SpreadTensor result;
  auto cast = value.getDefiningOp<linalg::GenericOp>();
  while (cast && cpu::isCastOnly(cast) &&
         !cast.payloadUsesValueFromOperand(cast.getDpsInitOperand(0)) &&
         llvm::all_of(cast.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); })) {
    result.casts.insert(result.casts.begin(), cast);
    value = cast.getDpsInputs()[0];
    cast = value.getDefiningOp<linalg::GenericOp>();
  }
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || insert.getDroppedDims().any() ||
      insert.getSourceType().getRank() != insert.getType().getRank() ||
      !isAllZeros(insert.getDest()))
    return std::nullopt;
  result.elements = insert.getSource();
  bool isSpread = false;
  for (int64_t d = 0; d < insert.getType().getRank(); ++d) {
    std::optional<Spread> spread = getSpread(insert, d);
    if (!spread)
      return std::nullopt;
    isSpread |= !spread->isWhole && spread->stride > 1 && spread->size > 0;
    result.dims.push_back(*spread);
  }
  return isSpread ? std::optional(std::move(result)) : std::nullopt;
}

/// The elements of `tensor`, converted.
static Value castElements(RewriterBase &rewriter, const SpreadTensor &tensor) {
  Value value = tensor.elements;
  for (linalg::GenericOp cast : tensor.casts) {
    Location loc = cast.getLoc();
    Value init = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, value),
        getElementTypeOrSelf(cast.getResult(0)));
    auto converted = linalg::GenericOp::create(
        rewriter, loc, init.getType(), value, init, cast.getIndexingMapsArray(),
        cast.getIteratorTypesArray());
    rewriter.cloneRegionBefore(cast.getRegion(), converted.getRegion(),
                               converted.getRegion().begin());
    value = converted.getResult(0);
  }
  return value;
}

/// `op` of other operands and maps.
static linalg::GenericOp rebuild(RewriterBase &rewriter, linalg::GenericOp op,
                                 ValueRange inputs, Value init,
                                 ArrayRef<AffineMap> maps) {
  auto result =
      linalg::GenericOp::create(rewriter, op.getLoc(), init.getType(), inputs,
                                init, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(),
                             result.getRegion().begin());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return result;
}

/// Part of `value`: from `offsets` on, of known `sizes`, every few elements as
/// `strides` say. A dimension whose size is given as unknown is there as a
/// whole.
static Value slice(RewriterBase &rewriter, Location loc, Value value,
                   ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> strides) {
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, loc, value);
  for (auto [extent, size] : llvm::zip_equal(extents, sizes))
    if (ShapedType::isStatic(size))
      extent = rewriter.getIndexAttr(size);
  return rewriter.createOrFold<tensor::ExtractSliceOp>(
      loc, value, getAsIndexOpFoldResult(rewriter.getContext(), offsets),
      extents, getAsIndexOpFoldResult(rewriter.getContext(), strides));
}

//===----------------------------------------------------------------------===//
// Along a reduction
//===----------------------------------------------------------------------===//

/// What `expr` of `numLoops` loops adds for each step of each, and a constant
/// at the end; nothing where it is no sum of multiples of them.
static std::optional<SmallVector<int64_t>> getFactors(AffineExpr expr,
                                                      unsigned numLoops) {
  SmallVector<int64_t> factors;
  if (failed(
          getFlattenedAffineExpr(expr, numLoops, /*numSymbols=*/0, &factors)) ||
      factors.size() != numLoops + 1)
    return std::nullopt;
  return factors;
}

/// Has the loops of `op` that index the dimensions of `operand` with zeros in
/// them go over its elements alone. Null where they are no such loops.
static linalg::GenericOp skipAlongReduction(RewriterBase &rewriter,
                                            linalg::GenericOp op,
                                            OpOperand *operand,
                                            const SpreadTensor &tensor) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // By loop; those that are not among them stay.
  llvm::SmallMapVector<unsigned, Spread, 4> loops;
  for (auto [d, spread] : llvm::enumerate(tensor.dims)) {
    if (spread.isWhole)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(d));
    if (!loop || kinds[loop.getPosition()] != utils::IteratorType::reduction)
      return nullptr;
    bool isAlone = loops.insert({loop.getPosition(), spread}).second;
    for (auto [other, expr] : llvm::enumerate(map.getResults()))
      isAlone &= other == d || !expr.isFunctionOfDim(loop.getPosition());
    if (!isAlone || spread.size == 0)
      return nullptr;
    ranges[loop.getPosition()] = spread.size;
  }
  OpOperand *other =
      op.getDpsInputOperand(operand->getOperandNumber() == 0 ? 1 : 0);
  AffineMap otherMap = op.getMatchingIndexingMap(other);
  unsigned numLoops = op.getNumLoops();
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> offsets, sizes;
  for (AffineExpr expr : otherMap.getResults()) {
    AffineExpr replaced = expr;
    int64_t offset = 0, last = 0;
    bool isMoved = false;
    std::optional<SmallVector<int64_t>> factors = getFactors(expr, numLoops);
    for (auto [loop, spread] : loops) {
      AffineExpr dim = getAffineDimExpr(loop, op.getContext());
      if (!expr.isFunctionOfDim(loop))
        continue;
      if (!factors)
        return nullptr;
      isMoved = true;
      replaced = replaced.replace(dim, dim * spread.stride);
      offset += (*factors)[loop] * spread.offset;
    }
    exprs.push_back(simplifyAffineExpr(replaced, numLoops, 0));
    offsets.push_back(offset);
    sizes.push_back(ShapedType::kDynamic);
    if (!isMoved)
      continue;
    // What is read of it, whose size is to be what the index says.
    for (unsigned loop = 0; loop < numLoops; ++loop) {
      int64_t factor = (*factors)[loop];
      if (factor == 0)
        continue;
      if (factor < 0 || ShapedType::isDynamic(ranges[loop]))
        return nullptr;
      auto found = loops.find(loop);
      int64_t stride = found == loops.end() ? 1 : found->second.stride;
      last += factor * stride * (ranges[loop] - 1);
    }
    if (factors->back() != 0)
      return nullptr;
    sizes.back() = last + 1;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs(op.getDpsInputs());
  inputs[operand->getOperandNumber()] = castElements(rewriter, tensor);
  inputs[other->getOperandNumber()] =
      slice(rewriter, op.getLoc(), other->get(), offsets, sizes,
            SmallVector<int64_t>(offsets.size(), 1));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[other->getOperandNumber()] =
      AffineMap::get(numLoops, 0, exprs, op.getContext());
  return rebuild(rewriter, op, inputs, op.getDpsInits()[0], maps);
}

//===----------------------------------------------------------------------===//
// Over the result
//===----------------------------------------------------------------------===//

/// More convolutions than these are not made of one.
static constexpr int64_t kMostPhases = 16;

/// The dimension of the result of `op` that loop `over` alone indexes, where
/// dimension `d` of `operand` is indexed by `over` + `along`, a reduction, and
/// nothing else but single dimensions by either; nothing where it is not so.
static std::optional<WindowDim> matchWindowDim(linalg::GenericOp op,
                                               OpOperand *operand, unsigned d) {
  unsigned numLoops = op.getNumLoops();
  AffineMap map = op.getMatchingIndexingMap(operand);
  std::optional<SmallVector<int64_t>> factors =
      getFactors(map.getResult(d), numLoops);
  if (!factors || factors->back() != 0)
    return std::nullopt;
  SmallVector<unsigned> over, along;
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    if ((*factors)[loop] == 0)
      continue;
    bool isParallel =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel;
    (isParallel ? over : along).push_back(loop);
    if ((*factors)[loop] != 1 ||
        ShapedType::isDynamic(op.getStaticLoopRanges()[loop]))
      return std::nullopt;
  }
  if (over.size() != 1 || along.size() != 1)
    return std::nullopt;
  for (OpOperand &other : op->getOpOperands())
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&other).getResults())) {
      bool isOver = expr.isFunctionOfDim(over[0]),
           isAlong = expr.isFunctionOfDim(along[0]);
      if (&other == operand
              ? i != d && (isOver || isAlong)
              : (isOver && !op.isDpsInit(&other)) ||
                    ((isOver || isAlong) && !isa<AffineDimExpr>(expr)))
        return std::nullopt;
    }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> resultDim =
      out.getResultPosition(getAffineDimExpr(over[0], op.getContext()));
  if (!resultDim)
    return std::nullopt;
  return WindowDim{d, over[0], along[0], *resultDim};
}

/// The phases of elements of the result, in a dimension of `numElements`, that
/// are sums over windows of `numTaps`. Element i has the products of those taps
/// t where i + t is offset + p * stride for an element p.
static SmallVector<Phase> getPhases(const Spread &spread, int64_t numElements,
                                    int64_t numTaps, bool haveOneCount) {
  SmallVector<Phase> phases;
  for (int64_t phase = 0; phase < spread.stride; ++phase) {
    int64_t count = llvm::divideCeilSigned(
        numElements - (haveOneCount ? 0 : phase), spread.stride);
    if (count <= 0)
      continue;
    int64_t first = llvm::mod(spread.offset - phase, spread.stride);
    int64_t taps = first < numTaps
                       ? llvm::divideCeilSigned(numTaps - first, spread.stride)
                       : 0;
    phases.push_back({phase, count, first, taps,
                      (phase + first - spread.offset) / spread.stride});
  }
  return phases;
}

namespace {
/// One convolution as those of the phases of its result.
class PhaseSplitter {
public:
  PhaseSplitter(RewriterBase &rewriter, linalg::GenericOp op,
                OpOperand *operand, const SpreadTensor &tensor,
                ArrayRef<WindowDim> dims)
      : rewriter(rewriter), op(op), loc(op.getLoc()), operand(operand),
        tensor(tensor), dims(dims), init(op.getDpsInits()[0]),
        type(cast<RankedTensorType>(init.getType())) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (const WindowDim &dim : dims)
      phases.push_back(getPhases(tensor.dims[dim.dim], ranges[dim.over],
                                 ranges[dim.along],
                                 /*haveOneCount=*/isRow(dim.resultDim)));
  }

  Value split() {
    rewriter.setInsertionPoint(op);
    elements = castElements(rewriter, tensor);
    return assemble({});
  }

private:
  /// Whether the elements of a row of the result lie along its dimension `d`:
  /// those behind are of one element.
  bool isRow(unsigned d) const {
    return llvm::all_of(type.getShape().drop_front(d + 1),
                        [](int64_t size) { return size == 1; });
  }

  /// The result in `chosen` phases of the first dimensions, all of those of the
  /// others.
  Value assemble(ArrayRef<Phase> chosen) {
    if (chosen.size() == dims.size())
      return convolve(chosen);
    const WindowDim &dim = dims[chosen.size()];
    unsigned d = dim.resultDim;
    int64_t stride = tensor.dims[dim.dim].stride;
    SmallVector<int64_t> whole = getSizes(chosen), sizes = whole;
    // Phases of rows are woven, as whole ones and without what is behind them.
    SmallVector<ReassociationIndices> groups;
    if (isRow(d)) {
      sizes[d] = llvm::divideCeilSigned(sizes[d], stride) * stride;
      if (d + 1 < sizes.size())
        groups = cpu::groupDims(sizes.size(), d, sizes.size() - d);
    }
    Value result = makeEmpty(sizes), expanded = result;
    if (!groups.empty())
      result = tensor::CollapseShapeOp::create(rewriter, loc, result, groups);
    for (const Phase &phase : phases[chosen.size()]) {
      SmallVector<Phase> next(chosen);
      next.push_back(phase);
      Value part = assemble(next);
      if (!groups.empty())
        part = tensor::CollapseShapeOp::create(rewriter, loc, part, groups);
      int64_t rank = cast<RankedTensorType>(part.getType()).getRank();
      SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
          strides(rank, rewriter.getIndexAttr(1));
      offsets[d] = rewriter.getIndexAttr(phase.phase);
      strides[d] = rewriter.getIndexAttr(stride);
      result = tensor::InsertSliceOp::create(
          rewriter, loc, part, result, offsets,
          tensor::getMixedSizes(rewriter, loc, part), strides);
    }
    if (!groups.empty())
      result = tensor::ExpandShapeOp::create(
          rewriter, loc, expanded.getType(), result, groups,
          tensor::getMixedSizes(rewriter, loc, expanded));
    return slice(rewriter, loc, result, SmallVector<int64_t>(whole.size(), 0),
                 whole, SmallVector<int64_t>(whole.size(), 1));
  }

  /// The sizes of the result in `chosen` phases.
  SmallVector<int64_t> getSizes(ArrayRef<Phase> chosen) {
    SmallVector<int64_t> sizes(type.getShape());
    for (auto [dim, phase] : llvm::zip(dims, chosen))
      sizes[dim.resultDim] = phase.count;
    return sizes;
  }

  Value makeEmpty(ArrayRef<int64_t> sizes) {
    SmallVector<OpFoldResult> all = tensor::getMixedSizes(rewriter, loc, init);
    for (auto [size, known] : llvm::zip_equal(all, sizes))
      if (ShapedType::isStatic(known))
        size = rewriter.getIndexAttr(known);
    return tensor::EmptyOp::create(rewriter, loc, all, type.getElementType());
  }

  /// What the sums of `chosen` phases start from.
  Value makeInit(ArrayRef<Phase> chosen) {
    SmallVector<int64_t> sizes = getSizes(chosen);
    if (Value scalar = cpu::matchFill(init).scalar)
      return linalg::FillOp::create(rewriter, loc, scalar, makeEmpty(sizes))
          .getResult(0);
    auto [source, map] = cpu::matchBroadcast(init);
    bool isRepeated = source != nullptr;
    for (const WindowDim &dim : dims)
      isRepeated = isRepeated && !map.isFunctionOfDim(dim.resultDim);
    if (isRepeated) {
      Value empty = makeEmpty(sizes);
      unsigned rank = type.getRank();
      return linalg::GenericOp::create(
                 rewriter, loc, empty.getType(), source, empty,
                 {map, rewriter.getMultiDimIdentityMap(rank)},
                 SmallVector<utils::IteratorType>(
                     rank, utils::IteratorType::parallel),
                 [](OpBuilder &b, Location loc, ValueRange args) {
                   linalg::YieldOp::create(b, loc, args[0]);
                 })
          .getResult(0);
    }
    SmallVector<int64_t> offsets(sizes.size(), 0), strides(sizes.size(), 1),
        behind(sizes.size(), 0);
    for (auto [dim, phase] : llvm::zip_equal(dims, chosen)) {
      unsigned d = dim.resultDim;
      offsets[d] = phase.phase;
      strides[d] = tensor.dims[dim.dim].stride;
      // Of a phase that is longer than what the result has of it.
      behind[d] = std::max<int64_t>(
          phase.phase + (phase.count - 1) * strides[d] + 1 - type.getDimSize(d),
          0);
    }
    Value start = pad(init, SmallVector<int64_t>(sizes.size(), 0), behind);
    return slice(rewriter, loc, start, offsets, sizes, strides);
  }

  /// `value` with `low` zeros in front of it and `high` ones behind.
  Value pad(Value value, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
    auto isNone = [](int64_t count) { return count == 0; };
    if (llvm::all_of(low, isNone) && llvm::all_of(high, isNone))
      return value;
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(getElementTypeOrSelf(value)));
    MLIRContext *context = op.getContext();
    return tensor::PadOp::create(rewriter, loc, Type(), value,
                                 getAsIndexOpFoldResult(context, low),
                                 getAsIndexOpFoldResult(context, high), zero);
  }

  Value convolve(ArrayRef<Phase> chosen) {
    Value start = makeInit(chosen);
    Value image = cut(chosen);
    if (!image)
      return start;
    SmallVector<Value> inputs(op.getDpsInputs());
    inputs[operand->getOperandNumber()] = image;
    for (OpOperand *other : op.getDpsInputOperands()) {
      if (other == operand)
        continue;
      AffineMap map = op.getMatchingIndexingMap(other);
      SmallVector<int64_t> offsets(map.getNumResults(), 0),
          sizes(map.getNumResults(), ShapedType::kDynamic),
          strides(map.getNumResults(), 1);
      for (auto [dim, phase] : llvm::zip_equal(dims, chosen))
        for (auto [d, expr] : llvm::enumerate(map.getResults()))
          if (expr == getAffineDimExpr(dim.along, op.getContext())) {
            offsets[d] = phase.first;
            sizes[d] = phase.taps;
            strides[d] = tensor.dims[dim.dim].stride;
          }
      inputs[other->getOperandNumber()] =
          slice(rewriter, loc, other->get(), offsets, sizes, strides);
    }
    return rebuild(rewriter, op, inputs, start, op.getIndexingMapsArray())
        .getResult(0);
  }

  /// The elements that the windows of `chosen` phases have, with zeros around
  /// them; null if they have none.
  Value cut(ArrayRef<Phase> chosen) {
    int64_t rank = tensor.dims.size();
    SmallVector<int64_t> offsets(rank, 0), sizes(rank, ShapedType::kDynamic),
        low(rank, 0), high(rank, 0);
    for (auto [dim, phase] : llvm::zip_equal(dims, chosen)) {
      int64_t size = tensor.dims[dim.dim].size;
      int64_t end = phase.begin + phase.count + phase.taps - 1;
      int64_t from = std::max<int64_t>(phase.begin, 0),
              to = std::min(end, size);
      if (phase.taps == 0 || to <= from)
        return nullptr;
      offsets[dim.dim] = from;
      sizes[dim.dim] = to - from;
      low[dim.dim] = from - phase.begin;
      high[dim.dim] = end - to;
    }
    Value part = slice(rewriter, loc, elements, offsets, sizes,
                       SmallVector<int64_t>(rank, 1));
    return pad(part, low, high);
  }

  RewriterBase &rewriter;
  linalg::GenericOp op;
  Location loc;
  OpOperand *operand;
  const SpreadTensor &tensor;
  ArrayRef<WindowDim> dims;
  /// Of each of `dims`.
  SmallVector<SmallVector<Phase>> phases;
  Value init, elements;
  RankedTensorType type;
};
} // namespace

/// Computes every few elements of the result of `op` alone, of an image with
/// zeros between its elements. Null where it is none.
static Value splitPhases(RewriterBase &rewriter, linalg::GenericOp op,
                         OpOperand *operand, const SpreadTensor &tensor) {
  SmallVector<WindowDim> dims;
  int64_t numPhases = 1;
  for (auto [d, spread] : llvm::enumerate(tensor.dims)) {
    if (spread.isWhole)
      continue;
    std::optional<WindowDim> dim = matchWindowDim(op, operand, d);
    numPhases *= spread.stride;
    if (!dim || numPhases > kMostPhases)
      return nullptr;
    dims.push_back(*dim);
  }
  // Rows of the last dimension are the innermost.
  llvm::sort(dims, [](const WindowDim &x, const WindowDim &y) {
    return x.resultDim < y.resultDim;
  });
  return PhaseSplitter(rewriter, op, operand, tensor, dims).split();
}

/// What computes the same as `op` without the products with the zeros of
/// `operand`; null where there are none, or it is not known how.
static Value skipZeros(RewriterBase &rewriter, linalg::GenericOp op,
                       OpOperand *operand) {
  std::optional<SpreadTensor> tensor = matchSpread(operand->get());
  if (!tensor)
    return nullptr;
  if (linalg::GenericOp skipped =
          skipAlongReduction(rewriter, op, operand, *tensor))
    return skipped.getResult(0);
  return splitPhases(rewriter, op, operand, *tensor);
}

void cpu::skipSpreadZeros(FunctionOpInterface function) {
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && matchContractionBody(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(function->getContext());
  for (linalg::GenericOp op : ops)
    for (OpOperand *operand : op.getDpsInputOperands())
      if (Value result = skipZeros(rewriter, op, operand)) {
        rewriter.replaceOp(op, result);
        break;
      }
}
