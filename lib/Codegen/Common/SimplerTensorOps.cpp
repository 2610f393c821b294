//===- SimplerTensorOps.cpp - ops of tensor that are others ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// tensor.splat is a fill, whose value its readers take as a scalar.
struct LowerSplat : public OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<OpFoldResult> sizes =
        getMixedValues(type.getShape(), op.getDynamicSizes(), rewriter);
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                type.getElementType(), type.getEncoding());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

/// What is poison may be anything, as what is empty is.
struct LowerPoison : public OpRewritePattern<ub::PoisonOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "a size is not known");
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type, ValueRange());
    return success();
  }
};

/// tensor.concat inserts its operands side by side. Upstream's decomposition
/// asks each operand for all of its sizes; here it is known that operands have
/// the same ones but in one dimension.
struct LowerConcat : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t dim = op.getDim();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(rewriter, shapes)))
      return rewriter.notifyMatchFailure(op, "its sizes are not known");
    SmallVector<OpFoldResult> sizes = shapes.front();
    auto type = op.getResultType();
    Value result =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    AffineExpr sum =
        rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    for (Value input : op.getInputs()) {
      sizes[dim] = tensor::getMixedSize(rewriter, loc, input, dim);
      SmallVector<int64_t> shape;
      SmallVector<Value> unknown;
      dispatchIndexOpFoldResults(sizes, unknown, shape);
      auto known = RankedTensorType::get(shape, type.getElementType());
      if (input.getType() != known)
        input = tensor::CastOp::create(rewriter, loc, known, input);
      result = tensor::InsertSliceOp::create(rewriter, loc, input, result,
                                             offsets, sizes, strides);
      offsets[dim] = affine::makeComposedFoldedAffineApply(
          rewriter, loc, sum, {offsets[dim], sizes[dim]});
    }
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A linalg op of no loops within the body of another one, which a function
/// that is called for each element becomes, is what it does to its scalars.
struct InlineScalars : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumLoops() != 0 || !op.hasPureTensorSemantics() ||
        !op->getParentOfType<linalg::LinalgOp>() || op.hasIndexSemantics())
      return rewriter.notifyMatchFailure(op, "it is no part of an element");
    auto isScalar = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return type ? type.getRank() == 0 : !isa<ShapedType>(value.getType());
    };
    if (!llvm::all_of(op->getOperands(), isScalar))
      return rewriter.notifyMatchFailure(op, "it takes more than one element");
    Location loc = op.getLoc();
    IRMapping mapping;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      Value value = operand.get();
      if (!argument.use_empty() && isa<TensorType>(value.getType()))
        value = tensor::ExtractOp::create(rewriter, loc, value, ValueRange());
      mapping.map(argument, value);
    }
    for (Operation &nested : op.getBlock()->without_terminator())
      rewriter.clone(nested, mapping);
    SmallVector<Value> results;
    for (auto [value, result] : llvm::zip_equal(
             op.getBlock()->getTerminator()->getOperands(), op->getResults()))
      results.push_back(tensor::FromElementsOp::create(
          rewriter, loc, cast<RankedTensorType>(result.getType()),
          mapping.lookupOrDefault(value)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// A position in a loop of a linalg op: its number and what was taken from it.
struct Place {
  uint64_t loop;
  int64_t offset;
};

/// `value`, an index in a linalg op, as a loop's less a constant.
std::optional<Place> getPlace(Value value) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return Place{index.getDim(), 0};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::SubIOp, arith::AddIOp>(op))
    return std::nullopt;
  std::optional<Place> place = getPlace(op->getOperand(0));
  std::optional<int64_t> moved = getConstantIntValue(op->getOperand(1));
  if (!place || !moved)
    return std::nullopt;
  place->offset += isa<arith::SubIOp>(op) ? *moved : -*moved;
  return place;
}

/// A generic that reads from one tensor up to some step of a loop, and from
/// another one behind it (as the lowering of stablehlo makes it) concatenates
/// these.
struct RaiseConcat : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 ||
        !op.isAllParallelLoops() || op.getNumResults() != 1 ||
        !op.getIndexingMapsArray()[0].isIdentity())
      return rewriter.notifyMatchFailure(op, "it has operands");
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Concat concat = {op, type};
    if (!type.hasStaticShape() || type.getEncoding() ||
        type.getNumElements() == 0 ||
        !concat.collect(op.getBody()->getTerminator()->getOperand(0), 0))
      return rewriter.notifyMatchFailure(op, "it is no concatenation");
    SmallVector<Value> parts;
    for (const Part &part : concat.parts) {
      MLIRContext *context = op.getContext();
      parts.push_back(rewriter.createOrFold<tensor::ExtractSliceOp>(
          op.getLoc(), part.source,
          getAsIndexOpFoldResult(context, part.offsets),
          getAsIndexOpFoldResult(context, part.sizes),
          SmallVector<OpFoldResult>(type.getRank(), rewriter.getIndexAttr(1))));
    }
    if (parts.size() == 1)
      rewriter.replaceOp(op, parts);
    else
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, *concat.dim,
                                                    parts);
    return success();
  }

private:
  struct Part {
    Value source;
    SmallVector<int64_t> offsets, sizes;
  };

  struct Concat {
    linalg::GenericOp op;
    RankedTensorType type;
    std::optional<uint64_t> dim = std::nullopt;
    SmallVector<Part> parts = {};

    /// Adds the parts that `value`, an element of the result, comes from, if it
    /// is at `begin` in the dimension or behind.
    bool collect(Value value, int64_t begin) {
      auto branch = value.getDefiningOp<scf::IfOp>();
      if (!branch)
        return dim && addPart(value, begin, type.getDimSize(*dim));
      auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
      std::optional<Place> place;
      std::optional<int64_t> bound;
      if (compare && compare.getPredicate() == arith::CmpIPredicate::ult) {
        place = getPlace(compare.getLhs());
        bound = getConstantIntValue(compare.getRhs());
      }
      if (!place || !bound || branch.getNumResults() != 1 ||
          place->loop != dim.value_or(place->loop) || place->offset > begin)
        return false;
      dim = place->loop;
      int64_t end = place->offset + *bound;
      return addPart(branch.thenYield().getOperand(0), begin, end) &&
             collect(branch.elseYield().getOperand(0), end);
    }

    /// Adds the part of a tensor that `value` is an element of, which the
    /// result has from `begin` to `end` in the dimension.
    bool addPart(Value value, int64_t begin, int64_t end) {
      auto extract = value.getDefiningOp<tensor::ExtractOp>();
      if (!extract ||
          op->isAncestor(extract.getTensor().getParentBlock()->getParentOp()))
        return false;
      auto source = cast<RankedTensorType>(extract.getTensor().getType());
      if (source.getRank() != type.getRank() || !source.hasStaticShape() ||
          end < begin)
        return false;
      SmallVector<int64_t> offsets, sizes(type.getShape());
      sizes[*dim] = end - begin;
      for (auto [d, index] : llvm::enumerate(extract.getIndices())) {
        std::optional<Place> place = getPlace(index);
        std::optional<int64_t> only = getConstantIntValue(index);
        if (place && place->loop == d)
          offsets.push_back((d == *dim ? begin : 0) - place->offset);
        else if (only && sizes[d] == 1)
          offsets.push_back(*only);
        else
          return false;
        if (offsets[d] < 0 || offsets[d] + sizes[d] > source.getDimSize(d))
          return false;
      }
      if (end > begin)
        parts.push_back({extract.getTensor(), offsets, sizes});
      return true;
    }
  };
};

/// Number `i` of the last dimension of `indices`, which is left out.
Value takePlaces(OpBuilder &b, Location loc, Value indices, int64_t i) {
  auto type = cast<RankedTensorType>(indices.getType());
  int64_t rank = type.getRank() - 1;
  auto result =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  if (type.getShape().back() == 1) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < rank; ++d)
      groups.push_back({d});
    if (rank > 0)
      groups.back().push_back(rank);
    return tensor::CollapseShapeOp::create(b, loc, result, indices, groups);
  }
  SmallVector<OpFoldResult> offsets(rank + 1, b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, indices);
  SmallVector<OpFoldResult> strides(rank + 1, b.getIndexAttr(1));
  offsets.back() = b.getIndexAttr(i);
  sizes.back() = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(b, loc, result, indices, offsets, sizes,
                                        strides);
}

/// tensor.gather is a generic that reads at the positions that it is given.
struct LowerGather : public OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::GatherOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto indicesType = op.getIndicesType();
    auto resultType = op.getResultType();
    auto sourceType = op.getSourceType();
    int64_t batchRank = indicesType.getRank() - 1;
    ArrayRef<int64_t> gathered = op.getGatherDims();
    bool isReduced = resultType.getRank() != batchRank + sourceType.getRank();
    // Sizes: those of the indices, then those of the source, one where it is
    // gathered (or left out).
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < batchRank; ++dim)
      sizes.push_back(
          tensor::getMixedSize(rewriter, loc, op.getIndices(), dim));
    for (int64_t dim = 0; dim < sourceType.getRank(); ++dim) {
      bool isGathered = llvm::is_contained(gathered, dim);
      if (isGathered && isReduced)
        continue;
      sizes.push_back(isGathered ? OpFoldResult(rewriter.getIndexAttr(1))
                                 : tensor::getMixedSize(rewriter, loc,
                                                        op.getSource(), dim));
    }
    Value init = tensor::EmptyOp::create(rewriter, loc, sizes,
                                         resultType.getElementType());
    // One operand for each gathered dimension: where the elements are.
    SmallVector<Value> places;
    SmallVector<AffineMap> maps;
    for (int64_t i = 0, e = gathered.size(); i < e; ++i) {
      places.push_back(takePlaces(rewriter, loc, op.getIndices(), i));
      maps.push_back(
          AffineMap::getMultiDimIdentityMap(resultType.getRank(), getContext())
              .getMajorSubMap(batchRank));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(resultType.getRank()));
    SmallVector<utils::IteratorType> iterators(resultType.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, init.getType(), places, init, maps, iterators,
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          SmallVector<Value> position;
          unsigned next = batchRank;
          for (int64_t dim = 0; dim < sourceType.getRank(); ++dim) {
            const auto *it = llvm::find(gathered, dim);
            if (it == gathered.end()) {
              position.push_back(linalg::IndexOp::create(b, loc, next++));
              continue;
            }
            if (!isReduced)
              ++next;
            Value index = arguments[it - gathered.begin()];
            if (!index.getType().isIndex())
              index =
                  arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
            position.push_back(index);
          }
          Value value =
              tensor::ExtractOp::create(b, loc, op.getSource(), position);
          linalg::YieldOp::create(b, loc, value);
        });
    Value result = generic.getResult(0);
    if (result.getType() != resultType)
      result = tensor::CastOp::create(rewriter, loc, resultType, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// tensor.scatter is a loop that inserts one slice after the other.
struct LowerScatter : public OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getDestType();
    ArrayRef<int64_t> scattered = op.getScatterDims();
    int64_t batchRank = op.getIndicesType().getRank() - 1;
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    // The slice: of all dimensions but those that are scattered.
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getDest());
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (llvm::is_contained(scattered, d))
        sizes[d] = one;
      else
        shape.push_back(type.getDimSize(d));
    }
    int64_t sliceRank = op.getSourceType().getRank() - batchRank;
    bool isReduced = sliceRank != type.getRank();
    SmallVector<Value> zeros, ends, ones;
    for (int64_t d = 0; d < batchRank; ++d) {
      zeros.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
      ones.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
      ends.push_back(getValueOrCreateConstantIndexOp(
          rewriter, loc,
          tensor::getMixedSize(rewriter, loc, op.getIndices(), d)));
    }
    auto insert = [&](OpBuilder &b, Location loc, ValueRange batch,
                      ValueRange carried) -> scf::ValueVector {
      SmallVector<OpFoldResult> from = getAsOpFoldResult(batch);
      SmallVector<OpFoldResult> counts(batchRank, one);
      for (auto [d, size] : llvm::enumerate(sizes)) {
        if (isReduced && llvm::is_contained(scattered, int64_t(d)))
          continue;
        from.push_back(zero);
        counts.push_back(size);
      }
      Value slice = tensor::ExtractSliceOp::create(
          b, loc, RankedTensorType::get(shape, type.getElementType()),
          op.getSource(), from, counts,
          SmallVector<OpFoldResult>(from.size(), one));
      SmallVector<OpFoldResult> to(type.getRank(), zero);
      for (auto [i, d] : llvm::enumerate(scattered)) {
        SmallVector<Value> where(batch);
        where.push_back(arith::ConstantIndexOp::create(b, loc, i));
        Value index = tensor::ExtractOp::create(b, loc, op.getIndices(), where);
        if (!index.getType().isIndex())
          index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
        to[d] = index;
      }
      return {tensor::InsertSliceOp::create(
          b, loc, slice, carried.front(), to, sizes,
          SmallVector<OpFoldResult>(to.size(), one))};
    };
    if (batchRank == 0) {
      rewriter.replaceOp(op, insert(rewriter, loc, {}, op.getDest()));
      return success();
    }
    scf::LoopNest loops = scf::buildLoopNest(rewriter, loc, zeros, ends, ones,
                                             op.getDest(), insert);
    rewriter.replaceOp(op, loops.results);
    return success();
  }
};

/// `source` with each element as what `convert` makes of it, of type `element`.
Value convertElements(
    OpBuilder &b, Location loc, Value source, Type element,
    function_ref<Value(OpBuilder &, Location, Value)> convert) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, source);
  Value init = tensor::EmptyOp::create(b, loc, sizes, element);
  AffineMap map = b.getMultiDimIdentityMap(sizes.size());
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, init.getType(), source, init, {map, map}, loops,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(nested, loc,
                                       convert(nested, loc, arguments[0]));
             })
      .getResult(0);
}

/// tensor.bitcast to another type that has no sign is one of each element.
struct LowerBitcast : public OpRewritePattern<tensor::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::BitcastOp op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    auto hasSign = [](Type type) {
      return type.isSignedInteger() || type.isUnsignedInteger();
    };
    if (!from || !to || hasSign(from.getElementType()) ||
        hasSign(to.getElementType()) ||
        from.getElementType() == to.getElementType())
      return rewriter.notifyMatchFailure(op, "only a sign changes");
    Type element = to.getElementType();
    Value result = convertElements(
        rewriter, op.getLoc(), op.getSource(), element,
        [&](OpBuilder &b, Location loc, Value value) -> Value {
          return arith::BitcastOp::create(b, loc, element, value);
        });
    if (result.getType() != to)
      result = tensor::CastOp::create(rewriter, op.getLoc(), to, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// tensor.reshape by integers: upstream's lowering takes sizes of index alone.
struct CastSizes : public OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getShape().getType());
    if (type.getElementType().isIndex())
      return rewriter.notifyMatchFailure(op, "its sizes are of index");
    Type index = rewriter.getIndexType();
    Value sizes = convertElements(
        rewriter, op.getLoc(), op.getShape(), index,
        [&](OpBuilder &b, Location loc, Value value) -> Value {
          return arith::IndexCastOp::create(b, loc, index, value);
        });
    rewriter.modifyOpInPlace(op, [&] { op.getShapeMutable().assign(sizes); });
    return success();
  }
};
} // namespace

void mlir::amp::populateComputedPlacesPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerGather, LowerScatter, RaiseConcat>(patterns.getContext());
}

void mlir::amp::populateSimplerTensorOpPatterns(RewritePatternSet &patterns) {
  patterns.add<CastSizes, InlineScalars, LowerBitcast, LowerPoison, LowerSplat>(
      patterns.getContext());
  populateComputedPlacesPatterns(patterns);
}

void mlir::amp::populateConcatPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerConcat>(patterns.getContext());
}
