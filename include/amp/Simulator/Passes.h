//===- Passes.h - passes of the device simulator ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_PASSES_H
#define AMP_SIMULATOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::amp {

#define GEN_PASS_DECL
#include "amp/Simulator/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Simulator/Passes.h.inc"

/// Adds the passes that turn a module of kernels (gpu.module) and host
/// functions on memrefs, which launch them with gpu.launch_func, into the LLVM
/// dialect, with the launches run by the simulator. Anchor: builtin.module.
void buildSimulatorPipeline(OpPassManager &pm);

/// Registers `amp-lower-to-simulator`.
void registerSimulatorPipelines();

} // namespace mlir::amp

#endif // AMP_SIMULATOR_PASSES_H
