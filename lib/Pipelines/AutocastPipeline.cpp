//===- AutocastPipeline.cpp - the pipeline amp-autocast -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/Dispatch/Passes.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::amp;

void mlir::amp::buildAutocastPipeline(OpPassManager &pm,
                                      const AutocastPipelineOptions &options) {
  pm.addPass(createAmpStructurizeScopesPass());
  AmpVersionScopesPassOptions version;
  version.limit = options.versionLimit;
  pm.addPass(createAmpVersionScopesPass(version));
  AmpSpecializeScopesPassOptions specialize;
  specialize.indirectCalls = options.indirectCalls;
  // Scopes of whole functions come with the decisions, which specialise then.
  if (options.scope != "function")
    pm.addPass(createAmpSpecializeScopesPass(specialize));
  AmpDecidePrecisionPassOptions decide;
  decide.scope = options.scope;
  decide.device = options.device;
  decide.dtype = options.dtype;
  decide.results = options.results;
  decide.policyFile = options.policyFile;
  decide.policy.assign(options.policy.begin(), options.policy.end());
  decide.unknownOp = options.unknownOp;
  decide.strict = options.strict;
  decide.profile = options.profile;
  decide.staleProfile = options.staleProfile;
  pm.addPass(createAmpDecidePrecisionPass(decide));
  AmpApplyPrecisionPassOptions apply;
  apply.shareCasts = options.shareCasts;
  apply.rounding = options.rounding;
  apply.report = options.report;
  pm.addPass(createAmpApplyPrecisionPass(apply));
  if (options.promoteTypes)
    pm.addPass(createAmpPromoteTypesPass());
  pm.addPass(createAmpDispatchOverloadsPass());
  pm.addPass(createAmpResolvePromotionsPass());
}

void mlir::amp::registerAutocastPipeline() {
  PassPipelineRegistration<AutocastPipelineOptions>(
      "amp-autocast",
      "Decide and apply automatic mixed precision, and resolve promotions",
      buildAutocastPipeline);
}
