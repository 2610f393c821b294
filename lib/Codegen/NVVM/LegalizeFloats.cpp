//===- LegalizeFloats.cpp - narrow floats on a GPU ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"

#include "amp/Codegen/Floats/NarrowFloats.h"
#include "amp/Codegen/GPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPULEGALIZEFLOATSPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

namespace {
struct LegalizeFloats
    : public amp::impl::AmpGPULegalizeFloatsPassBase<LegalizeFloats> {
  using Base::Base;

  void runOnOperation() override {
    Operation *root = getOperation();
    std::string error;
    FailureOr<amp::gpu::GPUTarget> device =
        amp::gpu::GPUTarget::get(target, error);
    if (failed(device)) {
      emitError(root->getLoc(), "amp-gpu-legalize-floats: ") << error;
      return signalPassFailure();
    }
    FailureOr<unsigned> widened = amp::widenNarrowFloats(root);
    if (failed(widened))
      return signalPassFailure();
    numEmulated += *widened;

    amp::NarrowFloatTarget hardware;
    hardware.roundsToBF16 = !device->isSimulated;
    hardware.convertsF8 = !device->isSimulated && device->hasF8Conversions();
    RewritePatternSet patterns(&getContext());
    amp::populateNarrowFloatPatterns(patterns, hardware);
    (void)applyPatternsGreedily(root, std::move(patterns));
  }
};
} // namespace
