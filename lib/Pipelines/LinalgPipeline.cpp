//===- LinalgPipeline.cpp - the pipeline amp-lower-to-linalg --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::amp;

void mlir::amp::buildLinalgLoweringPipeline(
    OpPassManager &pm, const LinalgPipelineOptions &options) {
  // Nothing is fused across a call, and weights are prepared in entry functions
  // alone. Front ends make functions of `relu` and the like.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Before tosa is lowered, which would make several ops of the one inside.
  pm.addPass(createAmpLowerOutDtypePass());
  if (!options.target.empty()) {
    AmpLegalizeDtypesPassOptions legalize;
    legalize.target = options.target;
    pm.addPass(createAmpLegalizeDtypesPass(legalize));
  }
  pm.addPass(createAmpLowerTosaPass());
  // Before the others, for which the regions of tosa's control flow and its
  // scatter are ops that they have no form for.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  pm.addPass(createAmpCheckTosaPass());
  pm.addPass(createAmpWidenTosaSumsPass());
  // Without upstream's validation: it wants to know a profile, and a program
  // that lowers is good enough here.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  // The scales of quantised programs are ops inside of linalg's by now.
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  pm.addNestedPass<func::FuncOp>(createTosaToArithPass(arith));
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  pm.addPass(createAmpToLinalgPass());
  pm.addPass(createAmpFoldBroadcastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::amp::registerLinalgPipeline() {
  PassPipelineRegistration<LinalgPipelineOptions>(
      "amp-lower-to-linalg",
      "Lower tosa and what is left of amp to linalg on tensors",
      buildLinalgLoweringPipeline);
}
