//===- OtherDialects.cpp - ops that become those of arith, math and scf ---===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` makes a complex number of its parts, or takes one apart; the
/// canonicalization of one of another leaves neither.
static bool isOfParts(Operation *op) {
  return isa<complex::BitcastOp, complex::ConstantOp, complex::CreateOp,
             complex::ImOp, complex::ReOp>(op);
}

namespace {
/// A part of one of two complex numbers is one of their parts.
template <typename Part>
struct TakePartFirst : public OpRewritePattern<Part> {
  using OpRewritePattern<Part>::OpRewritePattern;

  LogicalResult matchAndRewrite(Part op,
                                PatternRewriter &rewriter) const override {
    auto select = op.getComplex().template getDefiningOp<arith::SelectOp>();
    if (!select)
      return failure();
    Location loc = op.getLoc();
    Value first = Part::create(rewriter, loc, select.getTrueValue());
    Value second = Part::create(rewriter, loc, select.getFalseValue());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, select.getCondition(),
                                                 first, second);
    return success();
  }
};
} // namespace

LogicalResult mlir::amp::lowerOtherDialects(Operation *root) {
  auto isLowered = [](Operation *op) {
    if (isa_and_nonnull<complex::ComplexDialect>(op->getDialect()))
      return !isOfParts(op);
    return isa<affine::AffineForOp, affine::AffineIfOp,
               affine::AffineParallelOp, affine::AffineYieldOp>(op);
  };
  WalkResult found = root->walk([&](Operation *op) {
    return isLowered(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return !isLowered(op); });
  target.addDynamicallyLegalDialect<affine::AffineDialect,
                                    complex::ComplexDialect>(
      [&](Operation *op) { return !isLowered(op); });
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();
  RewritePatternSet parts(context);
  parts.add<TakePartFirst<complex::ImOp>, TakePartFirst<complex::ReOp>>(
      context);
  return applyPatternsGreedily(root, std::move(parts));
}
