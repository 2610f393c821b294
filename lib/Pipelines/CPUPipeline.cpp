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
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
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
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // While it can be seen what results are views of.
  pm.addNestedPass<func::FuncOp>(createAmpCPUSeparateBuffersPass());
  pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  // While it can be seen what buffers loops write to.
  pm.addNestedPass<func::FuncOp>(createAmpCPUStreamStoresPass(
      getTargetOptions<AmpCPUStreamStoresPassOptions>(cpu)));
  // Before buffers are moved out of loops: threads need their own.
  pm.addPass(createAmpCPUOutlineParallelPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = 1024;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(stack));
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Whether the processor has tile registers; false for one that is unknown,
/// which the passes tell of.
static bool hasTiles(const CPUPipelineOptions &options) {
  std::string error;
  FailureOr<cpu::CPUTarget> target = cpu::CPUTarget::get(
      options.triple, options.cpu, options.features, options.vectorBits, error);
  return succeeded(target) && (target->hasBF16Tiles || target->hasI8Tiles);
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
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createAmpCPULegalizeFloatsPass(
      getTargetOptions<AmpCPULegalizeFloatsPassOptions>(options)));
  pm.addNestedPass<func::FuncOp>(createAmpCPUSelectInstructionsPass(
      getTargetOptions<AmpCPUSelectInstructionsPassOptions>(options)));
  pm.addNestedPass<func::FuncOp>(vector::createLowerVectorMaskPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addNestedPass<func::FuncOp>(createAmpCPULowerReshapesPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  ConvertVectorToLLVMPassOptions vectorToLLVM;
  vectorToLLVM.reassociateFPReductions = true;
  vectorToLLVM.x86Vector = cpu::CPUTarget::getTriple(options.triple).isX86();
  pm.addPass(createConvertVectorToLLVMPass(vectorToLLVM));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass(vectorToLLVM));
  if (hasTiles(options)) {
    // Tiles are carried by branches, which only this converts with them. The
    // passes before may still merge blocks: where these differ in a buffer, it
    // becomes an operand of branches, which LLVM's cannot have.
    ConvertToLLVMPassOptions toLLVM;
    toLLVM.filterDialects = {"amx", "cf"};
    pm.addPass(createConvertToLLVMPass(toLLVM));
  }
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  // While constants are still arith's: a `memref.dim` of one that it does not
  // see goes through the stack, which grows with every iteration of a loop.
  FinalizeMemRefToLLVMConversionPassOptions memrefToLLVM;
  memrefToLLVM.useGenericFunctions = true;
  memrefToLLVM.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memrefToLLVM));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
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
