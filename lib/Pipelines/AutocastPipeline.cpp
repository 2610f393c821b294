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

/// Hands the options of the classifier on.
static void setRules(AmpDecidePrecisionPassOptions &decide,
                     const AutocastPipelineOptions &options) {
  decide.classifier = options.classifier;
  decide.lowPrecisionType = options.lowPrecisionType;
  decide.nodesToExclude.assign(options.nodesToExclude.begin(),
                               options.nodesToExclude.end());
  decide.nodesToInclude.assign(options.nodesToInclude.begin(),
                               options.nodesToInclude.end());
  decide.targetsToExclude.assign(options.targetsToExclude.begin(),
                                 options.targetsToExclude.end());
  decide.targetsToInclude.assign(options.targetsToInclude.begin(),
                                 options.targetsToInclude.end());
  decide.dataMax = options.dataMax;
  decide.dataULP = options.dataULP;
  decide.initMax = options.initMax;
  decide.maxDepth = options.maxDepth;
  decide.maxUnderflow = options.maxUnderflow;
  decide.sensitivity = options.sensitivity;
  decide.performance = options.performance;
  decide.weightOverflow = options.weightOverflow;
  decide.compat = options.compat;
}

void mlir::amp::buildAutocastPipeline(OpPassManager &pm,
                                      const AutocastPipelineOptions &options) {
  pm.addPass(createAmpStructurizeScopesPass());
  AmpVersionScopesPassOptions version;
  version.limit = options.versionLimit;
  version.atLimit = options.atVersionLimit;
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
  setRules(decide, options);
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
