//===- CPUPipeline.cpp - from tensors to the LLVM dialect -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Kernels/Passes.h"
#include "amp/Conversion/Passes.h"
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::amp;

/// The options of a pass that depends on the processor.
template <typename Options>
static Options getTargetOptions(const CPUPipelineOptions &cpu) {
  Options options;
  options.triple = cpu.triple;
  options.processor = cpu.cpu;
  options.features = cpu.features;
  options.vectorBits = cpu.vectorBits;
  return options;
}

/// Tensors to buffers: temporaries in reused heap blocks, freed in time.
static void addBufferization(OpPassManager &pm, const CPUPipelineOptions &cpu) {
  // Bufferization takes longer than all that is before it.
  pm.addPass(createAmpCPUOutlineProductsPass());
  // Nothing may fold between this and bufferization.
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  pm.addPass(createAmpCPUPrepareABIPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createAmpCPUDropBufferNotesPass());
  OpPassManager &buffers = pm.nest<func::FuncOp>();
  buffers.addPass(createCanonicalizerPass());
  buffers.addPass(createCSEPass());
  // While it can be seen what results are views of.
  buffers.addPass(createAmpCPUSeparateBuffersPass());
  buffers.addPass(createForallToForLoopPass());
  // While it can be seen what buffers loops write to.
  buffers.addPass(createAmpCPUStreamStoresPass(
      getTargetOptions<AmpCPUStreamStoresPassOptions>(cpu)));
  // Before buffers are moved out of loops: threads need their own.
  pm.addPass(createAmpCPUOutlineParallelPass());
  OpPassManager &owners = pm.nest<func::FuncOp>();
  owners.addPass(bufferization::createBufferHoistingPass());
  owners.addPass(bufferization::createBufferLoopHoistingPass());
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = 1024;
  owners.addPass(bufferization::createPromoteBuffersToStackPass(stack));
  // Upstream's buffer deallocation pipeline, function by function but for the
  // pass that may add one, and without the simplification at its end, which
  // follows here anyway.
  owners.addPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  owners.addPass(createCanonicalizerPass());
  owners.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  owners.addPass(createCanonicalizerPass());
  owners.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
  OpPassManager &rest = pm.nest<func::FuncOp>();
  rest.addPass(createCanonicalizerPass());
  rest.addPass(createCSEPass());
}

void mlir::amp::buildCPULoweringPipeline(OpPassManager &pm,
                                         const CPUPipelineOptions &options) {
  pm.addPass(createAmpCPULowerObservationsPass());
  auto codegen = getTargetOptions<AmpCPUCodegenPassOptions>(options);
  codegen.noScalarFallback = options.noScalarFallback;
  pm.addNestedPass<func::FuncOp>(createAmpCPUCodegenPass(codegen));
  if (options.prepareWeights)
    pm.addPass(createAmpSplitInitPass());
  addBufferization(pm, options);

  auto tiles = getTargetOptions<AmpCPUSelectTilesPassOptions>(options);
  tiles.noScalarFallback = options.noScalarFallback;
  pm.addPass(createAmpCPUSelectTilesPass(tiles));

  // What the schedules left.
  OpPassManager &loops = pm.nest<func::FuncOp>();
  loops.addPass(createAmpCPUOverlapRowsPass(
      getTargetOptions<AmpCPUOverlapRowsPassOptions>(options)));
  loops.addPass(createConvertLinalgToLoopsPass());
  loops.addPass(createAmpCPULegalizeFloatsPass(
      getTargetOptions<AmpCPULegalizeFloatsPassOptions>(options)));
  loops.addPass(createAmpCPUSelectInstructionsPass(
      getTargetOptions<AmpCPUSelectInstructionsPassOptions>(options)));
  loops.addPass(vector::createLowerVectorMaskPass());
  loops.addPass(createConvertVectorToSCFPass());
  loops.addPass(createAmpCPULowerReshapesPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(memref::createExpandStridedMetadataPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(createLoopInvariantCodeMotionPass());
  loops.addPass(createCanonicalizerPass());
  loops.addPass(createCSEPass());

  ConvertVectorToLLVMPassOptions vectorToLLVM;
  vectorToLLVM.reassociateFPReductions = true;
  vectorToLLVM.x86Vector = cpu::CPUTarget::getTriple(options.triple).isX86();
  pm.addPass(createConvertVectorToLLVMPass(vectorToLLVM));
  pm.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  AmpConvertToLLVMPassOptions toLLVM;
  toLLVM.genericFunctions = true;
  pm.addPass(createAmpConvertToLLVMPass(toLLVM));
  pm.addPass(createAmpCPULowerParallelPass());
  AmpCPUFenceStreamsPassOptions fence;
  fence.triple = options.triple;
  pm.addNestedPass<LLVM::LLVMFuncOp>(createAmpCPUFenceStreamsPass(fence));
  pm.addNestedPass<LLVM::LLVMFuncOp>(createAmpCPURetypeVectorsPass());
}

void mlir::amp::registerCPUPipelines() {
  PassPipelineRegistration<CPUPipelineOptions>(
      "amp-lower-to-cpu",
      "Compile linalg on tensors to the LLVM dialect for a CPU",
      buildCPULoweringPipeline);
}
