//===- ArrangeConvolutions.cpp - channels last ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/Passes.h"

#include "HostPatterns.h"

#include "amp/Codegen/Common/Normalize.h"
#include "amp/Codegen/GPU/Hopper/Im2col.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPARRANGECONVOLUTIONSPASS
#include "amp/Codegen/Kernels/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The attributes, within this pass, of the transpositions that it makes, of
/// what convolutions read and of what they give: the first move up, the others
/// down. Those of the program stay where they are.
static constexpr StringLiteral kRead = "amp.arranged_read";
static constexpr StringLiteral kGiven = "amp.arranged_given";

/// Fewer features are multiplied by kernels that read any layout.
static constexpr int64_t kMinFeatures = 33;

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

/// `value` with dimension `permutation[i]` as dimension i.
static Value transpose(PatternRewriter &rewriter, Location loc, Value value,
                       ArrayRef<int64_t> permutation, StringRef kind) {
  if (isIdentity(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  applyPermutationToVector(sizes, permutation);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  auto op =
      linalg::TransposeOp::create(rewriter, loc, value, empty, permutation);
  op->setAttr(kind, rewriter.getUnitAttr());
  return op.getResult()[0];
}

/// The transposition of the kind kGiven that gives `value`.
static linalg::TransposeOp getGiven(Value value) {
  auto op = value.getDefiningOp<linalg::TransposeOp>();
  return op && op->hasAttr(kGiven) ? op : linalg::TransposeOp();
}

/// A map whose results are those of `map` in the order `permutation`.
static AffineMap permuteResults(AffineMap map, ArrayRef<int64_t> permutation) {
  SmallVector<AffineExpr> results(map.getResults());
  applyPermutationToVector(results, permutation);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// Gives `to` the attributes of `from` that others have put there.
static void copyAttributes(Operation *from, Operation *to) {
  for (NamedAttribute attribute : from->getDiscardableAttrs())
    to->setAttr(attribute.getName(), attribute.getValue());
}

namespace {

/// How the dimensions of the operands of a convolution are to be ordered.
struct Arrangement {
  SmallVector<int64_t> image, filter, result;
  int64_t channels;
  /// Whether only the filter changes.
  bool isOfFilter = false;

  ArrayRef<int64_t> get(unsigned operand) const {
    return operand == 0 ? image : operand == 1 ? filter : result;
  }
};

/// The padding with zeros that `image` has, which the kernel of a convolution
/// takes in, also in front of casts; null: none.
tensor::PadOp getPadding(Value image) {
  while (Operation *op = image.getDefiningOp()) {
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      Value padding = pad.getConstantPaddingValue();
      return padding && matchPattern(padding, m_AnyZeroFloat())
                 ? pad
                 : tensor::PadOp();
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    bool isCast = isa<arith::TruncFOp, arith::ExtFOp>(op) ||
                  (generic && generic.getNumDpsInputs() == 1 &&
                   linalg::isElementwise(generic));
    if (!isCast)
      return nullptr;
    image = op->getOperand(0);
  }
  return nullptr;
}

/// Whether TMA can read the windows of the convolution `op`, whose filter has a
/// known size, in im2col mode. Of sizes that are not known, the host asks.
bool canReadWindows(linalg::LinalgOp op,
                    const linalg::ConvolutionDimensions &dims) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Value image = op.getDpsInputs()[0];
  ArrayRef<int64_t> shape = cast<RankedTensorType>(image.getType()).getShape();
  tensor::PadOp pad = getPadding(image);
  AffineMap map = op.getIndexingMapsArray()[0];
  unsigned spatial = dims.outputImage.size();
  for (unsigned i = 0; i < spatial; ++i) {
    // The dimension of the image that both loops walk through.
    const auto *found = llvm::find_if(map.getResults(), [&](AffineExpr index) {
      return index.isFunctionOfDim(dims.outputImage[i]);
    });
    int64_t dim = std::distance(map.getResults().begin(), found);
    amp::gpu::hopper::Im2colDim window;
    window.taps = sizes[dims.filterLoop[i]];
    window.stride = dims.strides[i];
    window.dilation = dims.dilations[i];
    int64_t high = 0;
    if (pad) {
      window.low = -pad.getStaticLow()[dim];
      high = pad.getStaticHigh()[dim];
      if (ShapedType::isDynamic(pad.getStaticLow()[dim]) ||
          ShapedType::isDynamic(high))
        return false;
    }
    int64_t outputs = sizes[dims.outputImage[i]];
    if (!ShapedType::isDynamic(shape[dim]) && !ShapedType::isDynamic(outputs)) {
      window.outputs = outputs;
      window.size = shape[dim] + window.low - high;
    } else {
      // One window of an image that ends where the last one does.
      window.size = window.low + 1 - high + (window.taps - 1) * window.dilation;
    }
    if (!checkIm2col(window, spatial).empty())
      return false;
  }
  return true;
}

/// The order of `op` with channels last; none for other ops, and where
/// tensor cores could not read the windows with channels last either.
std::optional<Arrangement> arrange(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !linalg::isaConvolutionOpInterface(op))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->inputChannel.size() != 1 ||
      dims->outputChannel.size() != 1 || dims->outputImage.empty() ||
      dims->outputImage.size() > (dims->depth.empty() ? 3 : 2) ||
      dims->depth.size() > 1)
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : llvm::concat<const unsigned>(
           dims->filterLoop, dims->inputChannel, dims->outputChannel))
    if (ShapedType::isDynamic(sizes[loop]))
      return std::nullopt;
  unsigned channel = dims->inputChannel.front();
  unsigned feature = dims->outputChannel.front();
  auto element =
      dyn_cast<FloatType>(getElementTypeOrSelf(op.getDpsInputs()[0]));
  if (!element || getElementTypeOrSelf(op.getDpsInputs()[1]) != element ||
      !getElementTypeOrSelf(op.getDpsInits()[0]).isF32() ||
      (element.getWidth() != 16 && element.getWidth() != 8) ||
      sizes[channel] * element.getWidth() % 128 != 0 ||
      sizes[feature] < kMinFeatures)
    return std::nullopt;
  if (!canReadWindows(op, *dims))
    return std::nullopt;
  // Groups go behind the images, in front of the channels.
  auto getOrder = [&](unsigned operand, ArrayRef<unsigned> last) {
    AffineMap map = op.getIndexingMapsArray()[operand];
    SmallVector<int64_t> order, tail;
    for (unsigned loop : last)
      tail.push_back(
          *map.getResultPosition(getAffineDimExpr(loop, op->getContext())));
    for (int64_t dim : llvm::seq<int64_t>(0, map.getNumResults()))
      if (!llvm::is_contained(tail, dim))
        order.push_back(dim);
    llvm::append_range(order, tail);
    return order;
  };
  SmallVector<unsigned> channels(dims->depth.begin(), dims->depth.end());
  SmallVector<unsigned> features = channels;
  channels.push_back(channel);
  features.push_back(feature);
  Arrangement result{getOrder(0, channels), getOrder(1, channel),
                     getOrder(2, features), sizes[channel]};
  // Filters of 8 bits are read along the channels, those of 16 bits in any
  // layout.
  result.isOfFilter = isIdentity(result.image);
  if (result.isOfFilter &&
      (element.getWidth() != 8 || isIdentity(result.filter) ||
       !isIdentity(result.result)))
    return std::nullopt;
  return result;
}

/// Convolutions whose channels are not innermost read transposed inputs and
/// filters, and their result is transposed back.
struct PutChannelsLast : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Arrangement> arrangement = arrange(op);
    if (!arrangement)
      return failure();
    remark::passed(op.getLoc(),
                   remark::RemarkOpts::name("ConvolutionArranged")
                       .category("amp")
                       .function(op->getParentOfType<func::FuncOp>().getName()))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::metric("Channels", arrangement->channels)
        << remark::reason(
               arrangement->isOfFilter
                   ? "tensor cores read elements of 8 bits along the channels"
                   : "tensor cores read windows with channels last");
    Location loc = op.getLoc();
    SmallVector<Value> operands;
    for (auto [number, value] : llvm::enumerate(op->getOperands()))
      operands.push_back(read(rewriter, loc, value, arrangement->get(number)));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [number, map] : llvm::enumerate(maps))
      map = permuteResults(map, arrangement->get(number));
    auto generic = linalg::GenericOp::create(
        rewriter, loc, operands[2].getType(), ArrayRef(operands).take_front(2),
        operands[2], maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().end());
    copyAttributes(op, generic);
    rewriter.replaceOp(
        op, transpose(rewriter, loc, generic.getResult(0),
                      invertPermutationVector(arrangement->result), kGiven));
    return success();
  }

private:
  /// `value` in another order: of a fill, one of another shape.
  static Value read(PatternRewriter &rewriter, Location loc, Value value,
                    ArrayRef<int64_t> order) {
    auto fill = value.getDefiningOp<linalg::FillOp>();
    if (!fill)
      return transpose(rewriter, loc, value, order, kRead);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    applyPermutationToVector(sizes, order);
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          getElementTypeOrSelf(value));
    return linalg::FillOp::create(rewriter, fill.getLoc(), fill.value(), empty)
        .getResult(0);
  }
};

/// Transpositions that undo each other.
struct CancelTransposes : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = getGiven(op.getInput());
    if (!op->hasAttr(kRead) || !inner)
      return failure();
    SmallVector<int64_t> both =
        applyPermutation(inner.getPermutation(), op.getPermutation());
    rewriter.replaceOp(
        op, transpose(rewriter, op.getLoc(), inner.getInput(), both, kRead));
    return success();
  }
};

/// An elementwise op on a transposed tensor is one on the tensor, transposed.
struct SinkThroughElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        op.hasIndexSemantics())
      return failure();
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!out.isPermutation())
      return failure();
    linalg::TransposeOp found;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
        return failure();
      auto own = getGiven(operand->get());
      if (own && !found && map == out)
        found = own;
    }
    if (!found)
      return failure();
    Location loc = op.getLoc();
    // Dimension i of what was transposed is dimension order[i] of the result.
    SmallVector<int64_t> order =
        invertPermutationVector(found.getPermutation());
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      bool isWhole = map == out;
      inputs.push_back(
          isWhole ? transpose(rewriter, loc, operand->get(), order, kRead)
                  : operand->get());
      maps.push_back(isWhole ? permuteResults(map, order) : map);
    }
    maps.push_back(permuteResults(out, order));
    // Loops in the order of the result.
    AffineMap loops = inversePermutation(maps.back());
    for (AffineMap &map : maps)
      map = map.compose(loops);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, found.getInput());
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    // The result may know sizes that its operands do not.
    for (auto [size, dim] : llvm::zip_equal(sizes, order))
      if (!type.isDynamicDim(dim))
        size = rewriter.getIndexAttr(type.getDimSize(dim));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    auto generic = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), inputs, empty, maps,
        SmallVector<utils::IteratorType>(op.getNumLoops(),
                                         utils::IteratorType::parallel));
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().end());
    copyAttributes(op, generic);
    rewriter.replaceOp(op, transpose(rewriter, loc, generic.getResult(0),
                                     found.getPermutation(), kGiven));
    return success();
  }
};

/// pad(x) with dimensions in the order `permutation`, of `source`, which is x
/// in that order.
static Value padTransposed(PatternRewriter &rewriter, tensor::PadOp pad,
                           Value source, ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  applyPermutationToVector(low, permutation);
  applyPermutationToVector(high, permutation);
  SmallVector<int64_t> shape(pad.getResultType().getShape());
  applyPermutationToVector(shape, permutation);
  auto type =
      RankedTensorType::get(shape, pad.getResultType().getElementType());
  return tensor::PadOp::create(rewriter, pad.getLoc(), type, source, low, high,
                               pad.getConstantPaddingValue(), pad.getNofold());
}

/// A padded transposed tensor is a transposed padded one.
struct SinkThroughPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    auto own = getGiven(op.getSource());
    if (!own || !op.getConstantPaddingValue())
      return failure();
    SmallVector<int64_t> order = invertPermutationVector(own.getPermutation());
    Value padded = padTransposed(rewriter, op, own.getInput(), order);
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), padded,
                                     own.getPermutation(), kGiven));
    return success();
  }
};

/// A transposed padded tensor is padded after its transposition, as there is
/// less to move, and convolutions read the padding of what they pad.
struct RaiseThroughPad : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<tensor::PadOp>();
    if (!op->hasAttr(kRead) || !pad || !pad.getConstantPaddingValue() ||
        getGiven(pad.getSource()))
      return failure();
    Value source = transpose(rewriter, op.getLoc(), pad.getSource(),
                             op.getPermutation(), kRead);
    rewriter.replaceOp(
        op, padTransposed(rewriter, pad, source, op.getPermutation()));
    return success();
  }
};

/// Whether `op` is a contraction of elements of 8 bits.
bool hasBytes(linalg::LinalgOp op) {
  return linalg::isaContractionOpInterface(op) &&
         llvm::all_of(op.getDpsInputs(), [](Value input) {
           Type element = getElementTypeOrSelf(input);
           return element.isIntOrFloat() &&
                  element.getIntOrFloatBitWidth() == 8;
         });
}

struct ArrangeConvolutions
    : public amp::impl::AmpArrangeConvolutionsPassBase<ArrangeConvolutions> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PutChannelsLast, CancelTransposes, SinkThroughElementwise,
                 SinkThroughPad, RaiseThroughPad>(&getContext());
    // Transpositions move through linalg's ops, and padding stays with what
    // reads it.
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    kernels::populateHoistCastPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    RewritePatternSet ofContractions(&getContext());
    kernels::populateArrangeContractionPatterns(ofContractions);
    FrozenRewritePatternSet frozenOfContractions(std::move(ofContractions));
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      WalkResult bytes = function.walk([](linalg::LinalgOp op) {
        return hasBytes(op) ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (bytes.wasInterrupted() &&
          failed(applyUntilSettled(function, frozenOfContractions,
                                   "its convolutions are arranged")))
        return signalPassFailure();
      // Other functions stay as they are.
      WalkResult found = function.walk([](linalg::LinalgOp op) {
        return arrange(op) ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (!found.wasInterrupted())
        continue;
      branchOnSelects(function);
      if (failed(applyUntilSettled(function, frozen,
                                   "its convolutions are arranged")))
        return signalPassFailure();
      function.walk([](linalg::TransposeOp op) {
        op->removeAttr(kRead);
        op->removeAttr(kGiven);
      });
    }
  }
};

} // namespace
