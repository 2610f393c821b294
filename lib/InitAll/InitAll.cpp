//===- InitAll.cpp - registration of everything in amp --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/InitAll.h"

#include "amp/Codegen/CPU/Passes.h"
#include "amp/Codegen/GPU/Passes.h"
#include "amp/Codegen/Host/Passes.h"
#include "amp/Codegen/Kernels/Bufferization.h"
#include "amp/Codegen/Kernels/Passes.h"
#include "amp/Codegen/NVVM/Passes.h"
#include "amp/Conversion/Passes.h"
#include "amp/Dialect/AMP/Dispatch/Passes.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Interfaces/Models.h"
#include "amp/Pipelines/Pipelines.h"
#include "amp/Simulator/Passes.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"

using namespace mlir;

void mlir::amp::registerAllDialects(DialectRegistry &registry) {
  registry.insert<AMPDialect>();
  registerAllModels(registry);
  registerLaunchBufferization(registry);
  registerOutDtypeGradient(registry);
  // amp-lower-to-linalg inlines calls; what dialects have promised is asked of
  // all that are loaded.
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  NVVM::registerInlinerInterface(registry);
}

void mlir::amp::registerAllPasses() {
  registerAMPConversionPasses();
  registerAMPDispatchPasses();
  registerAMPTransformsPasses();
  registerAMPCodegenCPUPasses();
  registerAMPCodegenGPUPasses();
  registerAMPCodegenNVVMPasses();
  registerAMPCodegenKernelsPasses();
  registerAMPCodegenHostPasses();
  registerAutocastPipeline();
  registerCPUPipelines();
  registerCUDAPipelines();
  registerLinalgPipeline();
  registerNVVMPipelines();
  registerAMPSimulatorPasses();
  registerSimulatorPipelines();
}
