//===- LegalizeFloats.cpp - narrow floats on a CPU ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/Floats/Atan2.h"
#include "amp/Codegen/Floats/MathFunctions.h"
#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULEGALIZEFLOATSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
struct LegalizeFloats
    : public amp::impl::AmpCPULegalizeFloatsPassBase<LegalizeFloats> {
  using Base::Base;

  void runOnOperation() override {
    Operation *function = getOperation();
    MLIRContext *context = &getContext();
    FailureOr<unsigned> widened = widenNarrowFloats(function);
    if (failed(widened))
      return signalPassFailure();
    numEmulated += *widened;

    RewritePatternSet patterns(context);
    if (approximate) {
      splitSignOfAtan2(function);
      floats::populateFunctionPolynomialPatterns(patterns);
      // Upstream's, of f32 only.
      populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
        return llvm::is_contained({math::TanhOp::getOperationName(),
                                   math::Atan2Op::getOperationName(),
                                   math::AsinOp::getOperationName(),
                                   math::AcosOp::getOperationName()},
                                  name);
      });
    }
    arith::populateExpandBFloat16Patterns(patterns);
    populateNarrowFloatPatterns(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }
};
} // namespace
