//===- ExpandMath.cpp - math ops as polynomials -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::floats;

/// Whether `type` is f32 or a vector of it; tensors are for the passes before.
static bool isExpanded(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).isF32() && !isa<TensorType>(type) &&
         !(vector && vector.isScalable());
}

bool floats::isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element &&
         llvm::APFloat::semanticsPrecision(element.getFloatSemantics()) <=
             llvm::APFloat::semanticsPrecision(llvm::APFloat::IEEEhalf());
}

namespace {
template <typename Op>
struct Expand : public OpRewritePattern<Op> {
  using Emitter = Value (*)(ImplicitLocOpBuilder &, Value);
  Expand(MLIRContext *context, Emitter emitter)
      : OpRewritePattern<Op>(context, /*benefit=*/10), emitter(emitter) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isExpanded(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, emitter(b, op->getOperand(0)));
    return success();
  }

  Emitter emitter;
};

struct ExpandExp : public OpRewritePattern<math::ExpOp> {
  ExpandExp(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpanded(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getOperand();
    bool isNarrow = op->hasAttr(kNarrowResultAttrName);
    if (op->hasAttr(kNeverPositiveAttrName))
      replaceByRaised(rewriter, op, emitRaisedExpPolynomial(b, x, isNarrow));
    else
      rewriter.replaceOp(op, emitExpPolynomial(b, x, isNarrow));
    return success();
  }
};

struct ExpandPower : public OpRewritePattern<math::PowFOp> {
  ExpandPower(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpanded(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, emitPower(b, op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

void floats::populateFunctionPolynomialPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandExp, ExpandPower>(context);
  patterns.add<Expand<math::Exp2Op>>(context, emitExp2Polynomial);
  patterns.add<Expand<math::ExpM1Op>>(context, emitExpM1);
  patterns.add<Expand<math::LogOp>>(context, emitLog);
  patterns.add<Expand<math::Log2Op>>(context, emitLog2);
  patterns.add<Expand<math::Log10Op>>(context, emitLog10);
  patterns.add<Expand<math::Log1pOp>>(context, emitLog1p);
  patterns.add<Expand<math::ErfOp>>(context, emitErfPolynomial);
  patterns.add<Expand<math::ErfcOp>>(context, emitErfc);
  patterns.add<Expand<math::CbrtOp>>(context, emitCbrt);
  patterns.add<Expand<math::AtanOp>>(context, emitAtanPolynomial);
  patterns.add<Expand<math::SinOp>>(context, emitSin);
  patterns.add<Expand<math::CosOp>>(context, emitCos);
  patterns.add<Expand<math::TanOp>>(context, emitTan);
  patterns.add<Expand<math::SinhOp>>(context, emitSinh);
  patterns.add<Expand<math::CoshOp>>(context, emitCosh);
  patterns.add<Expand<math::AsinhOp>>(context, emitAsinh);
  patterns.add<Expand<math::AcoshOp>>(context, emitAcosh);
  patterns.add<Expand<math::AtanhOp>>(context, emitAtanh);
}
