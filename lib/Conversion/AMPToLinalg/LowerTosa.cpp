//===- LowerTosa.cpp - what upstream's lowering of tosa lacks -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerTosa.h"
#include "amp/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPLOWERTOSAPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

OpFoldResult mlir::amp::computeSize(OpBuilder &b, Location loc,
                                    AffineExpr expression,
                                    ArrayRef<OpFoldResult> sizes) {
  return affine::makeComposedFoldedAffineApply(b, loc, expression, sizes);
}

Value mlir::amp::makeEmpty(OpBuilder &b, Location loc, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> known(sizes);
  for (auto [size, fixed] : llvm::zip_equal(known, type.getShape()))
    if (ShapedType::isStatic(fixed))
      size = b.getIndexAttr(fixed);
  return tensor::EmptyOp::create(b, loc, known, type.getElementType());
}

Value mlir::amp::computeElements(
    OpBuilder &b, Location loc, Value init, ValueRange inputs,
    ArrayRef<AffineMap> maps,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> all(maps);
  all.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, init.getType(), inputs, init, all, loops,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               ImplicitLocOpBuilder inner(loc, nested);
               linalg::YieldOp::create(inner, body(inner, arguments));
             })
      .getResult(0);
}

void mlir::amp::replaceWithCasts(RewriterBase &rewriter, Operation *op,
                                 ArrayRef<Value> values) {
  SmallVector<Value> results(values);
  for (auto [value, type] : llvm::zip_equal(results, op->getResultTypes()))
    if (value.getType() != type)
      value = tensor::CastOp::create(rewriter, op->getLoc(), type, value);
  rewriter.replaceOp(op, results);
}

TypedAttr mlir::amp::getStartOfExtremum(FloatType element, bool isMaximum,
                                        bool ignoresNaN) {
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  if (ignoresNaN)
    return FloatAttr::get(element, APFloat::getNaN(semantics));
  return FloatAttr::get(element,
                        APFloat::semanticsHasInf(semantics)
                            ? APFloat::getInf(semantics, isMaximum)
                            : APFloat::getLargest(semantics, isMaximum));
}

namespace {
/// REDUCE_MAX and REDUCE_MIN of floats; of those that ignore NaN, upstream's
/// form has a second result. `Number` is NaN of two NaN alone.
template <typename Op, typename Extremum, typename Number>
struct LowerExtremum : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto resultType = dyn_cast<RankedTensorType>(op.getType());
    auto element =
        type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
    if (!element || !resultType)
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<OpFoldResult> rest = sizes;
    rest.erase(rest.begin() + axis);
    bool ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
    constexpr bool isMaximum = std::is_same_v<Op, tosa::ReduceMaxOp>;
    Value none = arith::ConstantOp::create(
        rewriter, loc, getStartOfExtremum(element, isMaximum, ignoresNaN));
    Value init = tensor::EmptyOp::create(rewriter, loc, rest, element);
    init = linalg::FillOp::create(rewriter, loc, none, init).getResult(0);
    Value result =
        linalg::ReduceOp::create(
            rewriter, loc, op.getInput(), init, axis,
            [&](OpBuilder &nested, Location loc, ValueRange arguments) {
              Value x = arguments[0], y = arguments[1];
              Value extremum =
                  ignoresNaN ? Number::create(nested, loc, x, y).getResult()
                             : Extremum::create(nested, loc, x, y).getResult();
              linalg::YieldOp::create(nested, loc, extremum);
            })
            .getResult(0);
    sizes[axis] = rewriter.getIndexAttr(1);
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = 1;
    result = tensor::ExpandShapeOp::create(
        rewriter, loc, type.clone(shape), result,
        getReassociation(rest.size(), axis), sizes);
    replaceWithCasts(rewriter, op, result);
    return success();
  }

private:
  /// How `rank` dimensions are those of a tensor that has one more, at `axis`.
  static SmallVector<ReassociationIndices> getReassociation(int64_t rank,
                                                            int64_t axis) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < rank; ++d)
      groups.push_back({d < axis ? d : d + 1});
    if (rank > 0 && axis == 0)
      groups.front().insert(groups.front().begin(), 0);
    else if (rank > 0)
      groups[axis - 1].push_back(axis);
    return groups;
  }
};

/// TILE: upstream's form has a reshape, of which one size at most may be
/// unknown.
struct LowerTile : OpRewritePattern<tosa::TileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::TileOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto source = dyn_cast<RankedTensorType>(op.getInput1().getType());
    SmallVector<int64_t> multiples;
    if (!type || !source || source.getNumDynamicDims() < 2 ||
        !tosa::getConstShapeValues(op.getMultiples().getDefiningOp(),
                                   multiples))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInput1());
    // One loop over the copies in front of each dimension.
    SmallVector<OpFoldResult> outer;
    SmallVector<ReassociationIndices> groups;
    SmallVector<AffineExpr> read;
    for (auto [size, multiple] : llvm::zip_equal(sizes, multiples)) {
      ReassociationIndices &group = groups.emplace_back();
      if (multiple != 1) {
        group.push_back(outer.size());
        outer.push_back(rewriter.getIndexAttr(multiple));
      }
      group.push_back(outer.size());
      read.push_back(rewriter.getAffineDimExpr(outer.size()));
      outer.push_back(size);
    }
    Value init =
        tensor::EmptyOp::create(rewriter, loc, outer, type.getElementType());
    auto map = AffineMap::get(outer.size(), 0, read, getContext());
    Value result = computeElements(
        rewriter, loc, init, op.getInput1(), map,
        [](ImplicitLocOpBuilder &, ValueRange values) { return values[0]; });
    if (outer.size() != sizes.size())
      result = tensor::CollapseShapeOp::create(rewriter, loc, result, groups);
    replaceWithCasts(rewriter, op, result);
    return success();
  }
};

/// GATHER: upstream's form takes the sizes of the result from one operand each,
/// and expects that this knows them where the result does.
struct RefineGather : OpRewritePattern<tosa::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto values = dyn_cast<RankedTensorType>(op.getValues().getType());
    auto indices = dyn_cast<RankedTensorType>(op.getIndices().getType());
    if (!type || !values || !indices)
      return rewriter.notifyMatchFailure(op, "its rank is not known");
    auto know = [](ArrayRef<int64_t> sizes) {
      const int64_t *known = llvm::find_if(sizes, ShapedType::isStatic);
      return known == sizes.end() ? ShapedType::kDynamic : *known;
    };
    int64_t batch =
        know({type.getDimSize(0), values.getDimSize(0), indices.getDimSize(0)});
    int64_t picked = know({type.getDimSize(1), indices.getDimSize(1)});
    int64_t channels = know({type.getDimSize(2), values.getDimSize(2)});
    auto valuesType = values.clone({batch, values.getDimSize(1), channels});
    auto indicesType = indices.clone({batch, picked});
    auto newType = type.clone({batch, picked, channels});
    if (valuesType == values && indicesType == indices && newType == type)
      return rewriter.notifyMatchFailure(op, "all sizes are known alike");
    Location loc = op.getLoc();
    auto refine = [&](Value value, Type type) -> Value {
      return value.getType() == type
                 ? value
                 : tensor::CastOp::create(rewriter, loc, type, value);
    };
    Value refined = tosa::GatherOp::create(
        rewriter, loc, newType, refine(op.getValues(), valuesType),
        refine(op.getIndices(), indicesType));
    replaceWithCasts(rewriter, op, refined);
    return success();
  }
};

/// SCATTER: upstream's form has a loop that carries the values as the result.
struct RefineScatter : OpRewritePattern<tosa::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::ScatterOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), values = op.getValuesIn().getType();
    // What the values know goes into the result, by what it infers.
    if (type == values || !tensor::preservesStaticInformation(values, type))
      return rewriter.notifyMatchFailure(op, "the values know as much");
    Value cast =
        tensor::CastOp::create(rewriter, op.getLoc(), type, op.getValuesIn());
    rewriter.modifyOpInPlace(op, [&] { op.getValuesInMutable().assign(cast); });
    return success();
  }
};

/// A depthwise convolution whose filter is one pixel: upstream makes a product
/// of it, and pads with elements of the wrong type where the result has
/// another than the image. Here the image is padded.
struct PadPointwise : OpRewritePattern<tosa::DepthwiseConv2DOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::DepthwiseConv2DOp op,
                                PatternRewriter &rewriter) const override {
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto filter = dyn_cast<RankedTensorType>(op.getWeight().getType());
    ArrayRef<int64_t> pad = op.getPad();
    if (!image || !filter || filter.getDimSize(0) != 1 ||
        filter.getDimSize(1) != 1 ||
        llvm::all_of(pad, [](int64_t each) { return each == 0; }))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    SmallVector<int64_t> shape(image.getShape());
    for (int64_t d = 0; d < 2; ++d)
      if (ShapedType::isStatic(shape[d + 1]))
        shape[d + 1] += pad[2 * d] + pad[2 * d + 1];
    Location loc = op.getLoc();
    Value around = tosa::getTosaConstShape(
        rewriter, loc, {0, 0, pad[0], pad[1], pad[2], pad[3], 0, 0});
    // What is around the image is subtracted from itself.
    Value padded = tosa::PadOp::create(rewriter, loc, image.clone(shape),
                                       op.getInput(), around, op.getInputZp());
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(padded);
      op.setPad({0, 0, 0, 0});
    });
    return success();
  }
};

/// Casts between float types of which neither holds the other go through f32,
/// which holds both.
struct SplitCast : OpRewritePattern<tosa::CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::CastOp op,
                                PatternRewriter &rewriter) const override {
    auto to = dyn_cast<ShapedType>(op.getType());
    auto from = dyn_cast<ShapedType>(op.getInput().getType());
    auto toFloat = dyn_cast<FloatType>(getElementTypeOrSelf(op.getType()));
    auto fromFloat = dyn_cast<FloatType>(getElementTypeOrSelf(op.getInput()));
    if (!to || !from || !toFloat || !fromFloat || toFloat == fromFloat ||
        toFloat.getWidth() != fromFloat.getWidth() || toFloat.getWidth() > 16)
      return rewriter.notifyMatchFailure(op, "one type holds the other");
    Value wide =
        tosa::CastOp::create(rewriter, op.getLoc(),
                             from.clone(rewriter.getF32Type()), op.getInput());
    rewriter.replaceOpWithNewOp<tosa::CastOp>(op, op.getType(), wide);
    return success();
  }
};

/// Ops whose operands tell more sizes of their results than the results' types
/// do; upstream's forms of some expect the types that they infer.
struct RefineResults : OpInterfaceRewritePattern<InferShapedTypeOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(InferShapedTypeOpInterface op,
                                PatternRewriter &rewriter) const override {
    SmallVector<ShapedTypeComponents> inferred;
    if (!isa<tosa::TosaOp>(op.getOperation()) ||
        failed(op.inferReturnTypeComponents(
            getContext(), op.getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), inferred)) ||
        inferred.size() != op->getNumResults())
      return rewriter.notifyMatchFailure(op, "no sizes are inferred");
    SmallVector<RankedTensorType> refined;
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), inferred)) {
      auto ranked = dyn_cast<RankedTensorType>(type);
      if (!ranked || !shape.hasRank() ||
          int64_t(shape.getDims().size()) != ranked.getRank())
        return rewriter.notifyMatchFailure(op, "a rank is not known");
      SmallVector<int64_t> sizes(ranked.getShape());
      for (auto [size, known] : llvm::zip_equal(sizes, shape.getDims()))
        if (ShapedType::isDynamic(size))
          size = known;
      refined.push_back(ranked.clone(sizes));
    }
    if (llvm::equal(refined, op->getResultTypes()))
      return rewriter.notifyMatchFailure(op, "all is known that is inferred");
    rewriter.setInsertionPointAfter(op);
    rewriter.modifyOpInPlace(op, [&] {
      for (auto [result, type] : llvm::zip_equal(op->getResults(), refined)) {
        Type before = result.getType();
        if (before == type)
          continue;
        result.setType(type);
        Value cast =
            tensor::CastOp::create(rewriter, op.getLoc(), before, result);
        rewriter.replaceAllUsesExcept(result, cast, cast.getDefiningOp());
      }
    });
    return success();
  }
};

struct LowerTosa : public amp::impl::AmpLowerTosaPassBase<LowerTosa> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<
        LowerExtremum<tosa::ReduceMaxOp, arith::MaximumFOp, arith::MaxNumFOp>,
        LowerExtremum<tosa::ReduceMinOp, arith::MinimumFOp, arith::MinNumFOp>,
        LowerTile, PadPointwise, RefineGather, RefineResults, RefineScatter,
        SplitCast>(&getContext());
    populateLowerTosaConvolutionsPatterns(patterns);
    populateLowerTosaImagesPatterns(patterns);
    populateLowerTosaTransformsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
