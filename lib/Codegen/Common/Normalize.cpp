//===- Normalize.cpp - one form of linalg for all schedules ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;

/// Lets the divisions in the payload of what makes `value` be by reciprocals.
static void markDivisions(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return;
  for (auto division : op.getBlock()->getOps<arith::DivFOp>())
    division.setFastmath(division.getFastmath() | arith::FastMathFlags::arcp);
}

/// Starts the maxima of `result`, a softmax in parts, at -inf rather than NaN,
/// the neutral element of maxnumf: rows of nothing but NaN or -inf come out NaN
/// all the same, and no other maximum is NaN then, which saves tests for it.
static void startMaximaBelowAll(RewriterBase &rewriter, Value result) {
  auto input = [](Value value, unsigned index) -> Value {
    auto op = value ? value.getDefiningOp<linalg::LinalgOp>() : nullptr;
    return op && op.getNumDpsInputs() > int64_t(index)
               ? op.getDpsInputOperand(index)->get()
               : Value();
  };
  Value maxima = input(input(result, 0), 1);
  auto reduction =
      maxima ? maxima.getDefiningOp<linalg::LinalgOp>() : linalg::LinalgOp();
  auto fill = reduction && reduction.getNumDpsInits() == 1
                  ? reduction.getDpsInits()[0].getDefiningOp<linalg::FillOp>()
                  : linalg::FillOp();
  FloatAttr start;
  if (!fill || !matchPattern(fill.value(), m_Constant(&start)) ||
      !start.getValue().isNaN())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(fill);
  auto type = cast<FloatType>(start.getType());
  Value lowest = arith::ConstantOp::create(
      rewriter, fill.getLoc(),
      rewriter.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(),
                                                  /*Negative=*/true)));
  rewriter.modifyOpInPlace(fill,
                           [&]() { fill.getInputsMutable()[0].set(lowest); });
}

/// `value` with elements of `type`, element by element.
static Value castElements(OpBuilder &b, Location loc, Value value,
                          FloatType type) {
  auto from = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), type, from.getEncoding());
  AffineMap identity = b.getMultiDimIdentityMap(from.getRank());
  bool isWider = type.getWidth() > from.getElementTypeBitWidth();
  return linalg::GenericOp::create(
             b, loc, init.getType(), value, init,
             ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(from.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value to =
                   isWider
                       ? Value(arith::ExtFOp::create(b, loc, type, args[0]))
                       : Value(arith::TruncFOp::create(b, loc, type, args[0]));
               linalg::YieldOp::create(b, loc, to);
             })
      .getResult(0);
}

/// Makes a softmax of narrow floats one of f32 between casts: it is one op,
/// which rounds once, and sums in bf16 stop at 256 times their terms. The
/// softmax to decompose, null if it is not of that kind.
static linalg::SoftmaxOp widenSoftmax(RewriterBase &rewriter, Operation *op) {
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
  if (!softmax)
    return nullptr;
  Type input = softmax.getInputOperandType().getElementType();
  auto output =
      dyn_cast<FloatType>(softmax.getOutputOperandType().getElementType());
  if (!output || input != output || output.getWidth() >= 32)
    return nullptr;
  Location loc = op->getLoc();
  FloatType f32 = rewriter.getF32Type();
  Value wide = castElements(rewriter, loc, softmax.getInput(), f32);
  Value init = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, wide), f32);
  auto result = linalg::SoftmaxOp::create(rewriter, loc, init.getType(), wide,
                                          init, softmax.getDimension());
  rewriter.replaceOp(
      op, castElements(rewriter, loc, result.getResult()[0], output));
  rewriter.setInsertionPoint(result);
  return result;
}

bool mlir::amp::isSelectOfSizes(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || isa<ShapedType>(select.getCondition().getType()))
    return false;
  auto type = dyn_cast<RankedTensorType>(select.getType());
  return type && !type.hasStaticShape();
}

LogicalResult mlir::amp::applyUntilSettled(
    Operation *op, const FrozenRewritePatternSet &patterns, StringRef doing) {
  GreedyRewriteConfig config;
  config.setMaxIterations(100);
  if (succeeded(applyPatternsGreedily(op, patterns, config)))
    return success();
  return op->emitOpError("did not settle while ") << doing;
}

void mlir::amp::branchOnSelects(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<arith::SelectOp> selects;
  function->walk([&](arith::SelectOp op) {
    if (isSelectOfSizes(op))
      selects.push_back(op);
  });
  for (arith::SelectOp op : selects) {
    rewriter.setInsertionPoint(op);
    auto yield = [](Value value) {
      return [value](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, value);
      };
    };
    rewriter.replaceOpWithNewOp<scf::IfOp>(op, op.getCondition(),
                                           yield(op.getTrueValue()),
                                           yield(op.getFalseValue()));
  }
}

void mlir::amp::decomposeAggregates(FunctionOpInterface function,
                                    bool allowReciprocals) {
  branchOnSelects(function);
  IRRewriter rewriter(function->getContext());
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) {
    if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
            op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      (void)linalg::lowerPack(rewriter, pack,
                              /*lowerPadLikeWithInsertSlice=*/false);
    } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      (void)linalg::lowerUnPack(rewriter, unpack,
                                /*lowerUnpadLikeWithExtractSlice=*/false);
    } else if (op->getNumResults() > 0 &&
               isa<RankedTensorType>(op->getResult(0).getType())) {
      if (linalg::SoftmaxOp wide = widenSoftmax(rewriter, op))
        op = wide;
      auto aggregated = cast<linalg::AggregatedOpInterface>(op);
      FailureOr<SmallVector<Value>> parts =
          aggregated.decomposeOperation(rewriter);
      if (failed(parts))
        continue;
      if (isa<linalg::SoftmaxOp>(op)) {
        startMaximaBelowAll(rewriter, parts->front());
        if (allowReciprocals)
          markDivisions(parts->front());
      }
      rewriter.replaceOp(op, *parts);
    }
  }
}

void mlir::amp::generalizeNamedOps(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::LinalgOp> named;
  function->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
        op.hasPureTensorSemantics())
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    Attribute schedule = op->getAttr(AMPDialect::kScheduleAttrName);
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(generic) && schedule)
      (*generic)->setAttr(AMPDialect::kScheduleAttrName, schedule);
  }
}

namespace {

struct FreshInit : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto producer = init.get().getDefiningOp();
      if (op.payloadUsesValueFromOperand(&init) ||
          (producer && !isa<linalg::LinalgOp>(producer)))
        continue;
      // The loop arguments of a tiled program are its destinations.
      if (!producer &&
          !isa<FunctionOpInterface>(init.get().getParentBlock()->getParentOp()))
        continue;
      auto type = cast<RankedTensorType>(init.get().getType());
      Value fresh = tensor::EmptyOp::create(
          rewriter, op.getLoc(),
          tensor::getMixedSizes(rewriter, op.getLoc(), init.get()),
          type.getElementType(), type.getEncoding());
      rewriter.modifyOpInPlace(op, [&] { init.set(fresh); });
      return success();
    }
    return failure();
  }
};

/// Gives operands of a linalg op the sizes that others have for the same loop.
/// Upstream's canonicalization does so where all indexing maps are projected
/// permutations.
struct ShareSizes : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation(/*allowZeroInResults=*/true);
        }))
      return rewriter.notifyMatchFailure(op, "upstream's pattern knows it");
    SmallVector<int64_t> sizes(op.getNumLoops(), ShapedType::kDynamic);
    for (OpOperand &operand : op->getOpOperands())
      forSizes(op, operand, [&](unsigned loop, int64_t size, unsigned) {
        if (ShapedType::isStatic(size))
          sizes[loop] = size;
      });
    SmallVector<std::pair<OpOperand *, RankedTensorType>> changes;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type)
        continue;
      SmallVector<int64_t> shape(type.getShape());
      forSizes(op, operand, [&](unsigned loop, int64_t size, unsigned dim) {
        if (ShapedType::isDynamic(size))
          shape[dim] = sizes[loop];
      });
      if (shape != type.getShape())
        changes.emplace_back(&operand, type.clone(shape));
    }
    if (changes.empty())
      return rewriter.notifyMatchFailure(op, "it knows what there is to know");
    Location loc = op.getLoc();
    for (const auto &change : changes) {
      OpOperand *operand = change.first;
      RankedTensorType type = change.second;
      Value cast = tensor::CastOp::create(rewriter, loc, type, operand->get());
      rewriter.modifyOpInPlace(op, [&] { operand->set(cast); });
      if (!op.isDpsInit(operand))
        continue;
      OpResult result = op.getTiedOpResult(operand);
      Type before = result.getType();
      rewriter.modifyOpInPlace(op, [&] { result.setType(type); });
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointAfter(op);
      auto back = tensor::CastOp::create(rewriter, loc, before, result);
      rewriter.replaceAllUsesExcept(result, back, back);
    }
    return success();
  }

private:
  /// Calls `visit` for each dimension of `operand` that one loop runs over:
  /// with the loop, the size, and the dimension.
  static void
  forSizes(linalg::LinalgOp op, OpOperand &operand,
           llvm::function_ref<void(unsigned, int64_t, unsigned)> visit) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      return;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expression] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expression))
        visit(loop.getPosition(), type.getDimSize(dim), dim);
  }
};
} // namespace

void mlir::amp::populateStaticShapePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ShareSizes>(context);
  for (StringRef name : {linalg::LinalgDialect::getDialectNamespace(),
                         tensor::TensorDialect::getDialectNamespace()}) {
    Dialect *dialect = context->getLoadedDialect(name);
    if (!dialect)
      continue;
    dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op :
         context->getRegisteredOperationsByDialect(name))
      op.getCanonicalizationPatterns(patterns, context);
  }
}

void mlir::amp::populateFreshInitPatterns(RewritePatternSet &patterns) {
  patterns.add<FreshInit>(patterns.getContext(), /*benefit=*/2);
}

namespace {
template <typename SliceOp>
struct StepByOne : OpRewritePattern<SliceOp> {
  using OpRewritePattern<SliceOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp slice,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> strides = slice.getMixedStrides();
    bool changes = false;
    for (auto [size, stride] : llvm::zip_equal(slice.getStaticSizes(), strides))
      if (size == 1 && !isConstantIntValue(stride, 1)) {
        stride = rewriter.getIndexAttr(1);
        changes = true;
      }
    if (!changes)
      return failure();
    if constexpr (std::is_same_v<SliceOp, tensor::ExtractSliceOp>)
      rewriter.replaceOpWithNewOp<SliceOp>(
          slice, slice.getType(), slice.getSource(), slice.getMixedOffsets(),
          slice.getMixedSizes(), strides);
    else
      rewriter.replaceOpWithNewOp<SliceOp>(
          slice, slice.getSource(), slice.getDest(), slice.getMixedOffsets(),
          slice.getMixedSizes(), strides);
    return success();
  }
};
} // namespace

void mlir::amp::populateUnitStridePatterns(RewritePatternSet &patterns) {
  patterns
      .add<StepByOne<tensor::ExtractSliceOp>, StepByOne<tensor::InsertSliceOp>>(
          patterns.getContext());
}

void mlir::amp::sliceToLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<AffineExpr> others;
  for (auto [d, size] : llvm::enumerate(sizes))
    others.push_back(size == 1 ? rewriter.getAffineConstantExpr(0)
                               : rewriter.getAffineDimExpr(d));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type)
      continue;
    SmallVector<std::pair<int64_t, unsigned>> cuts;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(simplifyAffineExpr(
          expr.replaceDims(others), op.getNumLoops(), /*numSymbols=*/0));
      if (isa<AffineDimExpr>(expr) || !loop)
        continue;
      int64_t size = sizes[loop.getPosition()];
      if (ShapedType::isDynamic(size) || size != type.getDimSize(i))
        cuts.push_back({int64_t(i), loop.getPosition()});
    }
    // Of nothing, nothing is read (nor does a slice of it verify, in
    // MLIR 22.1).
    if (cuts.empty() || llvm::is_contained(type.getShape(), 0))
      continue;
    SmallVector<Range> loops = cast<linalg::LinalgOp>(op.getOperation())
                                   .createLoopRanges(rewriter, loc);
    SmallVector<OpFoldResult> reached =
        tensor::getMixedSizes(rewriter, loc, input->get());
    for (auto [i, loop] : cuts)
      reached[i] = loops[loop].size;
    SmallVector<OpFoldResult> zeros(type.getRank(), rewriter.getIndexAttr(0)),
        ones(type.getRank(), rewriter.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, input->get(),
                                                 zeros, reached, ones);
    rewriter.modifyOpInPlace(op, [&] { input->set(slice); });
  }
}
