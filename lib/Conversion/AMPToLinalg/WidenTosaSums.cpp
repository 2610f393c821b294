//===- WidenTosaSums.cpp - biases added before sums are rounded -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPWIDENTOSASUMSPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

/// Lets the convolution `op` give its sums, to which a bias of their type is
/// added, and casts these.
template <typename Op>
static void widen(RewriterBase &rewriter, Op op) {
  auto type = cast<ShapedType>(op.getType());
  Type sum = op.getAccType();
  if (!isa<FloatType>(sum) || type.getElementType() == sum)
    return;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value bias = tosa::CastOp::create(
      rewriter, loc, cast<ShapedType>(op.getBias().getType()).clone(sum),
      op.getBias());
  IRMapping mapping;
  mapping.map(op.getBias(), bias);
  Operation *wide = rewriter.clone(*op, mapping);
  wide->getResult(0).setType(type.clone(sum));
  rewriter.replaceOpWithNewOp<tosa::CastOp>(op, type, wide->getResult(0));
}

namespace {
struct WidenTosaSums
    : public amp::impl::AmpWidenTosaSumsPassBase<WidenTosaSums> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (auto depthwise = dyn_cast<tosa::DepthwiseConv2DOp>(op))
        widen(rewriter, depthwise);
      else if (auto transposed = dyn_cast<tosa::TransposeConv2DOp>(op))
        widen(rewriter, transposed);
    });
  }
};
} // namespace
