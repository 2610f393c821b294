//===- LaunchEffects.cpp - what launches of kernels do to memory ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's gpu.launch_func does not say; deallocation of buffers refuses ops
// that do not.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {
/// A kernel may read and write its buffers, and whatever it finds by itself:
/// no launch is dead, and none goes past another. It frees nothing.
struct LaunchEffects
    : public MemoryEffectOpInterface::ExternalModel<LaunchEffects,
                                                    gpu::LaunchFuncOp> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
  }
};
} // namespace

void amp::gpu::registerLaunchEffects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ::mlir::gpu::GPUDialect *) {
    ::mlir::gpu::LaunchFuncOp::attachInterface<LaunchEffects>(*context);
  });
}
