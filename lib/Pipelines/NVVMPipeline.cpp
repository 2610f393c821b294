//===- NVVMPipeline.cpp - device code to gpu.binary -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::amp::buildNVVMLoweringPipeline(OpPassManager &pm,
                                          const NVVMPipelineOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(createAmpGPUPrepareKernelsPass());
  kernels.addPass(createAmpGPULegalizeFloatsPass(
      AmpGPULegalizeFloatsPassOptions{options.target}));
  kernels.addPass(createAmpGPUExpandMathPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createAmpGPUSelectInstructionsPass(
      AmpGPUSelectInstructionsPassOptions{options.target}));
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions toNVVM;
  toNVVM.hasRedux = true; // sm_80 and later
  kernels.addPass(createConvertGpuOpsToNVVMOps(toNVVM));
  // What NVVM has no instruction of its own for, such as counts of bits.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createAmpGPUAnnotateKernelsPass());

  AmpGPUToBinaryPassOptions binary;
  binary.target = options.target;
  binary.ptxas = options.ptxas;
  binary.toolkit = options.toolkit;
  binary.format = options.format;
  binary.optLevel = options.optLevel;
  binary.strict = options.strict;
  binary.verbose = options.verbose;
  pm.addPass(createAmpGPUToBinaryPass(binary));
}

void mlir::amp::registerNVVMPipelines() {
  PassPipelineRegistration<NVVMPipelineOptions>(
      "amp-lower-gpu-to-nvvm",
      "Compile gpu.modules for an NVIDIA GPU, to gpu.binary",
      buildNVVMLoweringPipeline);
}
