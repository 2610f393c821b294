//===- HostPatterns.cpp - rewrites before kernels are formed --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPatterns.h"

#include "KernelOps.h"

#include "amp/Codegen/Common/NeutralElement.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

/// An empty tensor of the shape of `like`, with elements of type `element`.
static Value createEmptyLike(OpBuilder &b, Location loc, Value like,
                             Type element) {
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 element);
}

/// An elementwise generic on `inputs`, of the shape of the first and with
/// elements of type `element`, that keeps each element in its place.
static linalg::GenericOp createElementwise(
    OpBuilder &b, Location loc, ValueRange inputs, Type element,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> payload) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value init = createEmptyLike(b, loc, inputs.front(), element);
  return linalg::GenericOp::create(
      b, loc, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, payload(b, loc, args));
      });
}

//===----------------------------------------------------------------------===//
// Inits
//===----------------------------------------------------------------------===//

namespace {

/// An elementwise op gets the init that it reads as an input.
struct InitToInput : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() > 0)
      return failure();
    SmallVector<OpOperand *> read;
    for (OpOperand &init : op.getDpsInitsMutable())
      if (op.payloadUsesValueFromOperand(&init))
        read.push_back(&init);
    if (read.empty())
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> inputs(op.getInputs()), inits;
    SmallVector<AffineMap> maps, initMaps;
    for (OpOperand *input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input));
    for (OpOperand *init : read) {
      inputs.push_back(init->get());
      maps.push_back(op.getMatchingIndexingMap(init));
    }
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(init.get().getType());
      inits.push_back(llvm::is_contained(read, &init)
                          ? createEmptyLike(rewriter, loc, init.get(),
                                            type.getElementType())
                          : init.get());
      maps.push_back(op.getMatchingIndexingMap(&init));
    }
    auto fresh =
        linalg::GenericOp::create(rewriter, loc, op.getResultTypes(), inputs,
                                  inits, maps, op.getIteratorTypesArray());
    fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary().getValue());
    Region &region = fresh.getRegion();
    rewriter.inlineRegionBefore(op.getRegion(), region, region.begin());
    Block &body = region.front();
    unsigned numInputs = op.getNumDpsInputs();
    for (auto [index, init] : llvm::enumerate(read)) {
      BlockArgument old = body.getArgument(init->getOperandNumber() + index);
      BlockArgument argument = body.insertArgument(
          numInputs + index, getElementTypeOrSelf(init->get()), loc);
      old.replaceAllUsesWith(argument);
    }
    rewriter.replaceOp(op, fresh);
    return success();
  }
};

/// An op that does not read its init gets an empty one, whatever the init was:
/// a kernel has destinations of its own.
struct UnreadInit : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (op.payloadUsesValueFromOperand(&init) ||
          init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      Value fresh = createEmptyLike(rewriter, op.getLoc(), init.get(),
                                    getElementTypeOrSelf(init.get()));
      rewriter.modifyOpInPlace(op, [&] { init.set(fresh); });
      return success();
    }
    return failure();
  }
};

/// A reduction starts from its neutral element.
struct ReductionInit : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op.getNumDpsInits() != 1)
      return failure();
    OpOperand &init = op.getDpsInitsMutable()[0];
    Value start = init.get();
    Type element = getElementTypeOrSelf(start);
    if (!op.payloadUsesValueFromOperand(&init) ||
        start.getDefiningOp<linalg::FillOp>())
      return failure();
    Location loc = op.getLoc();
    DenseElementsAttr elements;
    if (matchPattern(start, m_Constant(&elements)) && elements.isSplat()) {
      auto value = arith::ConstantOp::create(
          rewriter, loc, elements.getSplatValue<TypedAttr>());
      Value empty = createEmptyLike(rewriter, loc, start, element);
      Value fill =
          linalg::FillOp::create(rewriter, loc, ValueRange(value), empty)
              .getResult(0);
      rewriter.modifyOpInPlace(op, [&] { init.set(fill); });
      return success();
    }
    // A contraction that rounds every step starts from what it is given; the
    // other reductions add up parts in any order.
    if (!element.isIntOrFloat() ||
        (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 &&
         describe(op).kind == KernelKind::Contraction))
      return failure();
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
        combiners.size() != 1)
      return failure();
    Operation *combiner = combiners.front();
    std::optional<TypedAttr> neutral = getNeutralElement(combiner);
    if (!neutral || combiner->getNumOperands() != 2 ||
        combiner->getResult(0).getType() != element)
      return failure();
    auto value = arith::ConstantOp::create(rewriter, loc, *neutral);
    Value empty = createEmptyLike(rewriter, loc, start, element);
    Value fill = linalg::FillOp::create(rewriter, loc, ValueRange(value), empty)
                     .getResult(0);
    rewriter.modifyOpInPlace(op, [&] { init.set(fill); });
    rewriter.setInsertionPointAfter(op);
    auto combine =
        createElementwise(rewriter, loc, {op.getResult(0), start}, element,
                          [&](OpBuilder &b, Location loc, ValueRange args) {
                            Operation *clone = b.clone(*combiner);
                            clone->setOperands({args[0], args[1]});
                            return clone->getResult(0);
                          });
    rewriter.replaceAllUsesExcept(op.getResult(0), combine.getResult(0),
                                  combine);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Whether `op` rounds or truncates one tensor in place.
bool isNarrowingCast(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() > 0 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block *body = op.getBlock();
  auto ops = body->without_terminator();
  if (!llvm::hasSingleElement(ops) || !isa<CastOpInterface>(*ops.begin()) ||
      body->getTerminator()->getOperand(0) != ops.begin()->getResult(0))
    return false;
  auto width = [](Value value) {
    Type type = getElementTypeOrSelf(value);
    return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  };
  return width(op.getDpsInputOperand(0)->get()) > width(op.getResult(0));
}

/// Whether `op` only moves elements.
bool isMovement(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumReductionLoops() == 0 &&
         op.getBlock()->without_terminator().empty() &&
         op.getBlock()->getTerminator()->getOperand(0) ==
             op.getBlock()->getArgument(0) &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation();
}

using IsTaken = std::function<bool(linalg::GenericOp, tensor::ExpandShapeOp)>;

struct HoistCast : public OpRewritePattern<linalg::GenericOp> {
  HoistCast(MLIRContext *context, IsTaken isTaken)
      : OpRewritePattern(context), isTaken(std::move(isTaken)) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrowingCast(op))
      return failure();
    Operation *producer = op.getDpsInputOperand(0)->get().getDefiningOp();
    if (!producer || !producer->hasOneUse())
      return failure();
    if (auto pad = dyn_cast<tensor::PadOp>(producer))
      return hoistOverPad(op, pad, rewriter);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(producer))
      return hoistOverSlices(op, slice, rewriter);
    auto expand = dyn_cast<tensor::ExpandShapeOp>(producer);
    if (expand && isTaken && isTaken(op, expand))
      return rewriter.notifyMatchFailure(op, "it would come back");
    auto movement = dyn_cast<linalg::GenericOp>(producer);
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(producer) &&
        !(movement && isMovement(movement)))
      return failure();
    Value source = producer->getOperand(0);
    if (!source.getDefiningOp() ||
        source.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
      return failure();
    Type element = getElementTypeOrSelf(op.getResult(0));
    rewriter.setInsertionPoint(producer);
    linalg::GenericOp cast = castSource(op, source, rewriter);
    Location loc = producer->getLoc();
    if (movement) {
      Value init =
          createEmptyLike(rewriter, loc, movement.getOutputs()[0], element);
      rewriter.replaceOpWithNewOp<linalg::GenericOp>(
          op, init.getType(), cast.getResult(0), init,
          movement.getIndexingMapsArray(), movement.getIteratorTypesArray(),
          [](OpBuilder &b, Location loc, ValueRange args) {
            linalg::YieldOp::create(b, loc, args[0]);
          });
      return success();
    }
    rewriter.setInsertionPoint(op);
    IRMapping mapping;
    mapping.map(source, cast.getResult(0));
    Operation *reshape = rewriter.clone(*producer, mapping);
    reshape->getResult(0).setType(
        withElement(producer->getResult(0).getType(), element));
    rewriter.replaceOp(op, reshape);
    return success();
  }

private:
  IsTaken isTaken;

  /// The cast that `op` holds, of a scalar.
  static Value castScalar(linalg::GenericOp op, OpBuilder &b, Value scalar) {
    IRMapping mapping;
    mapping.map(op.getBlock()->getArgument(0), scalar);
    return b.clone(op.getBlock()->front(), mapping)->getResult(0);
  }

  /// What `op` does, to `source`.
  static linalg::GenericOp castSource(linalg::GenericOp op, Value source,
                                      PatternRewriter &rewriter) {
    return createElementwise(rewriter, op.getLoc(), source,
                             getElementTypeOrSelf(op.getResult(0)),
                             [&](OpBuilder &b, Location, ValueRange args) {
                               return castScalar(op, b, args[0]);
                             });
  }

  /// `type` with other elements.
  static RankedTensorType withElement(Type type, Type element) {
    auto tensor = cast<RankedTensorType>(type);
    return RankedTensorType::get(tensor.getShape(), element,
                                 tensor.getEncoding());
  }

  /// Where nothing reads a tensor but in slices that are all cast to one type,
  /// it is stored in that.
  static LogicalResult hoistOverSlices(linalg::GenericOp op,
                                       tensor::ExtractSliceOp slice,
                                       PatternRewriter &rewriter) {
    Value source = slice.getSource();
    Type element = getElementTypeOrSelf(op.getResult(0));
    if (!source.getDefiningOp() ||
        source.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
      return failure();
    SmallVector<std::pair<tensor::ExtractSliceOp, linalg::GenericOp>> all;
    for (Operation *user : source.getUsers()) {
      auto other = dyn_cast<tensor::ExtractSliceOp>(user);
      auto cast = other && other->hasOneUse()
                      ? dyn_cast<linalg::GenericOp>(*other->user_begin())
                      : nullptr;
      if (!cast || !isNarrowingCast(cast) ||
          getElementTypeOrSelf(cast.getResult(0)) != element ||
          cast.getBlock()->front().getName() !=
              op.getBlock()->front().getName() ||
          cast.getBlock()->front().getAttrs() !=
              op.getBlock()->front().getAttrs())
        return failure();
      all.push_back({other, cast});
    }
    rewriter.setInsertionPointAfterValue(source);
    Value stored = castSource(op, source, rewriter).getResult(0);
    for (auto [part, cast] : all) {
      rewriter.setInsertionPoint(part);
      rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
          cast, withElement(part.getType(), element), stored,
          part.getMixedOffsets(), part.getMixedSizes(), part.getMixedStrides());
    }
    return success();
  }

  /// The number that is padded with is cast too.
  static LogicalResult hoistOverPad(linalg::GenericOp op, tensor::PadOp pad,
                                    PatternRewriter &rewriter) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding)
      return failure();
    rewriter.setInsertionPoint(pad);
    linalg::GenericOp cast = castSource(op, pad.getSource(), rewriter);
    Value number = castScalar(op, rewriter, padding);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<tensor::PadOp>(
        op, op.getResult(0).getType(), cast.getResult(0), pad.getMixedLowPad(),
        pad.getMixedHighPad(), number, pad.getNofold());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ops of tensor
//===----------------------------------------------------------------------===//

/// tensor.insert of one element is an insert_slice.
struct LowerInsert : public OpRewritePattern<tensor::InsertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<int64_t> shape(type.getRank(), 1);
    Value element = tensor::FromElementsOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(shape, type.getElementType()), op.getScalar());
    SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, element, op.getDest(), getAsOpFoldResult(op.getIndices()), ones,
        ones);
    return success();
  }
};

} // namespace

void kernels::populateSeparateInitPatterns(RewritePatternSet &patterns) {
  patterns.add<InitToInput, ReductionInit, UnreadInit>(patterns.getContext());
}

void kernels::populateHoistCastPatterns(RewritePatternSet &patterns,
                                        IsTaken isTaken) {
  patterns.add<HoistCast>(patterns.getContext(), std::move(isTaken));
}

void kernels::populateLowerTensorOpPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerInsert>(patterns.getContext());
  populateSimplerTensorOpPatterns(patterns);
}
