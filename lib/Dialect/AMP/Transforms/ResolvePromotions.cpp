//===- ResolvePromotions.cpp - promotions into casts ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistCasts.h"

#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/TypeUtilities.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPRESOLVEPROMOTIONSPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

static bool isExact(Value from, Value to) {
  return isValuePreserving(getElementTypeOrSelf(from.getType()),
                           getElementTypeOrSelf(to.getType()));
}

namespace {
struct AmpResolvePromotionsPass
    : public amp::impl::AmpResolvePromotionsPassBase<AmpResolvePromotionsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(rejectUnappliedScopes(getOperation(), getArgument())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<PromoteOp> promotions;
    getOperation()->walk([&](PromoteOp op) { promotions.push_back(op); });
    for (PromoteOp op : promotions) {
      rewriter.setInsertionPoint(op);
      SmallVector<Value> promoted;
      for (auto [input, result] :
           llvm::zip_equal(op.getInputs(), op.getResults()))
        promoted.push_back(
            input.getType() == result.getType()
                ? input
                : CastOp::create(rewriter, op.getLoc(), result.getType(), input,
                                 CastOrigin::promotion,
                                 /*mayElide=*/isExact(input, result)));
      rewriter.replaceOp(op, promoted);
      ++numResolved;
    }
    if (!promotions.empty())
      hoistCasts(getOperation());
  }
};
} // namespace
