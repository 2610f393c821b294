//===- LowerOutDtype.cpp - the pass amp-lower-out-dtype -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutDtypeLowering.h"

#include "amp/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPLOWEROUTDTYPEPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
struct AmpLowerOutDtypePass
    : public amp::impl::AmpLowerOutDtypePassBase<AmpLowerOutDtypePass> {
  using Base::Base;

  void runOnOperation() final {
    if (failed(rejectUnappliedScopes(getOperation(), getArgument())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<OutDtypeOp> ops;
    getOperation().walk([&](OutDtypeOp op) { ops.push_back(op); });
    for (OutDtypeOp op : ops) {
      if (failed(lowerOutDtype(rewriter, op)))
        return signalPassFailure();
      ++numLowered;
    }
  }
};
} // namespace
