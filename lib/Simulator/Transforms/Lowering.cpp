//===- Lowering.cpp - upstream's passes around the simulator's ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "amp/Codegen/CPU/Passes.h"
#include "amp/Conversion/Passes.h"
#include "amp/Simulator/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::amp;

void mlir::amp::sim::buildPreparation(OpPassManager &pm) {
  pm.addPass(createLowerAffinePass());
}

void mlir::amp::sim::buildKernelLowering(OpPassManager &pm) {
  AmpCPULegalizeFloatsPassOptions floats;
  // The C library's functions are as exact as there are any.
  floats.approximate = false;
  pm.addNestedPass<func::FuncOp>(createAmpCPULegalizeFloatsPass(floats));
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addNestedPass<func::FuncOp>(createAmpCPULowerReshapesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createSCFToControlFlowPass());
  // The C library has no rsqrt.
  math::MathExpandOpsPassOptions expand;
  expand.opMnemonics = {"rsqrt"};
  pm.addPass(math::createMathExpandOpsPass(expand));
  pm.addPass(createAmpConvertToLLVMPass());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createAmpCPURetypeVectorsPass());
}

void mlir::amp::buildSimulatorPipeline(OpPassManager &pm) {
  AmpGPUSimulatePassOptions options;
  options.launches = true;
  pm.addPass(createAmpGPUSimulatePass(options));
  // The host's functions take the same way as the kernels'.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  sim::buildKernelLowering(pm);
}

void mlir::amp::registerSimulatorPipelines() {
  PassPipelineRegistration<>(
      "amp-lower-to-simulator",
      "Compile kernels and the host functions that launch them to the LLVM "
      "dialect, for the simulator",
      buildSimulatorPipeline);
}
