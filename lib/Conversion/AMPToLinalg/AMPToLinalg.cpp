//===- AMPToLinalg.cpp - amp to linalg, arith and tensor ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionLowering.h"
#include "CastEmitter.h"
#include "OutDtypeLowering.h"

#include "amp/Codegen/Common/Normalize.h"
#include "amp/Conversion/Passes.h"
#include "amp/Dialect/AMP/IR/AMPObserveOps.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPTOLINALGPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// `value` with its element type replaced by one of the same width that differs
/// in signedness only.
static Value reinterpret(OpBuilder &b, Location loc, Value value,
                         Type elementType) {
  Type type = withElementType(value.getType(), elementType);
  if (type == value.getType())
    return value;
  if (isa<TensorType>(type))
    return tensor::BitcastOp::create(b, loc, type, value);
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

namespace {
struct LowerCast : public OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    Value input = adaptor.getInput();
    if (input.getType() == op.getType()) {
      rewriter.replaceOp(op, input);
      return success();
    }
    Type from = getElementTypeOrSelf(input.getType());
    Type to = getElementTypeOrSelf(op.getType());
    CastOptions options;
    options.rounding = op.getRoundingAttr();
    options.saturate = op.getOverflow() == OverflowMode::saturate;

    Value signless = reinterpret(rewriter, loc, input, getSignlessType(from));
    Value result;
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type) {
      result = emitCast(rewriter, loc, signless, from, to, options);
    } else if (getSignlessType(from) == getSignlessType(to) &&
               !options.saturate) {
      result = signless;
    } else {
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, signless),
          getSignlessType(to), type.getEncoding());
      SmallVector<AffineMap> maps(
          2, rewriter.getMultiDimIdentityMap(type.getRank()));
      SmallVector<utils::IteratorType> iterators(type.getRank(),
                                                 utils::IteratorType::parallel);
      result =
          linalg::GenericOp::create(
              rewriter, loc, empty.getType(), signless, empty, maps, iterators,
              [&](OpBuilder &b, Location, ValueRange arguments) {
                linalg::YieldOp::create(
                    b, loc,
                    emitCast(b, loc, arguments.front(), from, to, options));
              })
              .getResult(0);
    }
    rewriter.replaceOp(op, reinterpret(rewriter, loc, result, to));
    return success();
  }
};

/// A promotion is one cast per operand whose type changes.
struct LowerPromote : public OpConversionPattern<PromoteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PromoteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    SmallVector<Value> results;
    for (auto [input, type] :
         llvm::zip_equal(adaptor.getInputs(), op.getResultTypes()))
      results.push_back(input.getType() == type
                            ? input
                            : CastOp::create(rewriter, op.getLoc(), type, input,
                                             CastOrigin::promotion));
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

struct AmpToLinalgPass
    : public amp::impl::AmpToLinalgPassBase<AmpToLinalgPass> {
  using Base::Base;

  void runOnOperation() final;
};
} // namespace

static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         !isSelectOfSizes(op);
}

void AmpToLinalgPass::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(rejectUnappliedScopes(module, getArgument())))
    return signalPassFailure();

  // The casts that this leaves are lowered below, so it comes first; it is no
  // pattern because the op inside must not be converted on its own.
  IRRewriter rewriter(&getContext());
  SmallVector<OutDtypeOp> outDtypes;
  module.walk([&](OutDtypeOp op) { outDtypes.push_back(op); });
  for (OutDtypeOp op : outDtypes) {
    if (failed(lowerOutDtype(rewriter, op)))
      return signalPassFailure();
    ++numOutDtypes;
  }
  SmallVector<AttentionOp> attentions;
  module.walk([&](AttentionOp op) { attentions.push_back(op); });
  for (AttentionOp op : attentions) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, lowerAttention(rewriter, op));
    ++numAttentions;
  }
  module.walk([&](CastOp) { ++numCasts; });

  RewritePatternSet patterns(&getContext());
  patterns.add<LowerCast, LowerPromote>(&getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  ConversionTarget target(getContext());
  target.addIllegalDialect<AMPDialect>();
  // Looks at values wherever they are; code generation lowers it.
  target.addLegalOp<ObserveOp>();
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !isElementwiseOnTensors(op); });
  ConversionConfig config;
  config.allowPatternRollback = false;
  // Folding would merge casts; here every cast rounds as it is written.
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(
          applyPartialConversion(module, target, std::move(patterns), config)))
    signalPassFailure();
}
