//===- OverlapLaunches.cpp - kernels that start before others end ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaOps.h"
#include "amp/Codegen/GPU/Passes.h"
#include "amp/Codegen/GPU/Schedule.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/HostAttributes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUOVERLAPLAUNCHESPASS
#include "amp/Codegen/GPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

namespace {
struct OverlapLaunches
    : public amp::impl::AmpGPUOverlapLaunchesPassBase<OverlapLaunches> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    amp::gpu::registerInstructionDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string message;
    FailureOr<amp::gpu::GPUTarget> target =
        amp::gpu::GPUTarget::get(targetName, message);
    if (failed(target)) {
      emitError(module.getLoc()) << message;
      return signalPassFailure();
    }
    if (!target->hasDependentLaunches())
      return;
    // What the module has no body of may have been compiled without the wait.
    SymbolTableCollection symbols;
    auto unit = UnitAttr::get(&getContext());
    for (auto device : module.getOps<gpu::GPUModuleOp>())
      for (auto kernel : device.getOps<gpu::GPUFuncOp>())
        if (kernel.isKernel())
          addWait(kernel);
    module.walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernel());
      if (!kernel)
        return;
      launch->setAttr(amp::kDependentAttrName, unit);
      ++numLaunches;
    });
  }

private:
  /// All threads wait before anything else: before the first read, and before
  /// the first write, too, which may be to what the kernel in front reads. That
  /// one waited in the same way, so that all before it have ended as well.
  void addWait(gpu::GPUFuncOp kernel) {
    if (amp::gpu::hasGridWait(kernel))
      return;
    OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
    amp::gpu::emitGridWait(b, kernel.getLoc());
    amp::gpu::emitGridTrigger(b, kernel.getLoc());
    ++numKernels;
  }
};
} // namespace
