//===- CUDAPipeline.cpp - from tensors to a model for CUDA ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Passes.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Codegen/Host/Passes.h"
#include "amp/Codegen/Kernels/Passes.h"
#include "amp/Codegen/NVVM/Passes.h"
#include "amp/Conversion/Passes.h"
#include "amp/Pipelines/Pipelines.h"
#include "amp/Simulator/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::amp;

/// Tensors of the host to device buffers.
static void addHostBuffers(OpPassManager &pm) {
  pm.addPass(createAmpBufferizeHostPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createAmpPadRowStridesPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

/// Device buffers of the host, those that schedules need for themselves
/// included, to one arena, and freed in time.
static void addHostMemory(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createAmpPlanMemoryPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

void mlir::amp::buildCUDAHostPipeline(OpPassManager &pm,
                                      const CUDAPipelineOptions &options) {
  AmpCudaLowerHostPassOptions host;
  host.modelName = options.name;
  host.target = options.target;
  pm.addPass(createAmpCudaLowerHostPass(host));
  // Nested: of the simulator's kernels, which are functions of LLVM already,
  // nothing is left to do.
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createSCFToControlFlowPass());
  pm.addPass(createAmpConvertToLLVMPass());
}

void mlir::amp::buildCUDAKernelPipeline(OpPassManager &pm,
                                        const CUDAPipelineOptions &options) {
  // Warpgroups multiply what TMA has copied. A target that is none is an error
  // of the passes behind.
  AmpFormKernelsPassOptions form;
  std::string message;
  FailureOr<gpu::GPUTarget> target =
      gpu::GPUTarget::get(options.target, message);
  form.separateCasts = succeeded(target) && target->hasHopperTensorCores();
  form.fuseAttention = form.separateCasts;
  form.rowStatistics = form.separateCasts;
  if (form.separateCasts)
    pm.addPass(createAmpArrangeConvolutionsPass());
  pm.addPass(createAmpSplitInitPass());
  pm.addPass(createAmpFormKernelsPass(form));
  addHostBuffers(pm);
  AmpGPUCodegenPassOptions codegen;
  codegen.targetName = options.target;
  codegen.allowTF32 = options.allowTF32;
  codegen.fastF8 = options.fastF8;
  codegen.mapBlocks = options.mapBlocks;
  codegen.tuningFile = options.tuningFile;
  codegen.tuningDevice = options.tuningDevice;
  codegen.noteCandidates = options.noteCandidates;
  pm.addPass(createAmpGPUCodegenPass(codegen));
  addHostMemory(pm);
  AmpGPUOverlapLaunchesPassOptions overlap;
  overlap.targetName = options.target;
  pm.addPass(createAmpGPUOverlapLaunchesPass(overlap));
}

void mlir::amp::buildCUDADevicePipeline(OpPassManager &pm,
                                        const CUDAPipelineOptions &options) {
  if (StringRef(options.target).starts_with("sim")) {
    // The simulator runs the numbers that a device would compute.
    OpPassManager &kernels = pm.nest<::mlir::gpu::GPUModuleOp>();
    kernels.addPass(createAmpGPULegalizeFloatsPass(
        AmpGPULegalizeFloatsPassOptions{options.target}));
    kernels.addPass(createAmpGPUExpandMathPass());
    pm.addPass(createAmpGPUSimulatePass());
    return;
  }
  NVVMPipelineOptions device;
  device.target = options.target;
  device.ptxas = options.ptxas;
  device.toolkit = options.toolkit;
  device.format = options.format;
  buildNVVMLoweringPipeline(pm, device);
}

void mlir::amp::buildCUDALoweringPipeline(OpPassManager &pm,
                                          const CUDAPipelineOptions &options) {
  buildCUDAKernelPipeline(pm, options);
  buildCUDADevicePipeline(pm, options);
  buildCUDAHostPipeline(pm, options);
}

void mlir::amp::registerCUDAPipelines() {
  PassPipelineRegistration<CUDAPipelineOptions>(
      "amp-lower-to-cuda",
      "Compile linalg on tensors to the LLVM dialect and device code for CUDA",
      buildCUDALoweringPipeline);
  PassPipelineRegistration<CUDAPipelineOptions>(
      "amp-lower-cuda-host",
      "Compile host functions on device buffers, with launches of compiled "
      "kernels, to the LLVM dialect",
      buildCUDAHostPipeline);
}
