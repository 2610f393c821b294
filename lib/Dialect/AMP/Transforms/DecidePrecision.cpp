//===- DecidePrecision.cpp - decisions as attributes ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeUtils.h"

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ProfileMap.h"

#include "mlir/IR/Remarks.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPDECIDEPRECISIONPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Functions as scopes
//===----------------------------------------------------------------------===//

/// Whether the body of `function` is one scope and a return.
static bool isOneScope(FunctionOpInterface function) {
  auto scope = dyn_cast<AutocastOp>(function.getFunctionBody().front().front());
  return scope && getFunctionOfScope(scope) == function;
}

/// Puts the body of `function` into a scope.
static LogicalResult wrapBody(FunctionOpInterface function, StringRef device,
                              Type dtype, ResultsMode mode) {
  Region &region = function.getFunctionBody();
  if (!llvm::hasSingleElement(region))
    return function.emitError()
           << "scope=function needs structured control flow, but this function "
              "has "
           << llvm::range_size(region) << " blocks: run --lift-cf-to-scf first";
  if (isOneScope(function))
    return success();
  Block &body = region.front();
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  auto scope = AutocastOp::create(builder, function.getLoc(),
                                  terminator->getOperandTypes(), device, dtype,
                                  body.getArguments());
  scope.setResultsMode(mode);
  Block &inner = scope.getBody().front();
  for (auto [outer, argument] :
       llvm::zip_equal(body.getArguments(), inner.getArguments()))
    outer.replaceAllUsesExcept(argument, scope);
  inner.getOperations().splice(inner.end(), body.getOperations(), body.begin(),
                               scope->getIterator());
  builder.setInsertionPointToEnd(&inner);
  YieldOp::create(builder, terminator->getLoc(), terminator->getOperands());
  terminator->setOperands(scope.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::string printTypes(ArrayRef<Type> types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(types, os, [&](Type type) {
    if (type)
      os << type;
    else
      os << "none";
  });
  os << ')';
  return text;
}

namespace {
struct AmpDecidePrecisionPass
    : public amp::impl::AmpDecidePrecisionPassBase<AmpDecidePrecisionPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([](Operation *op) {
      op->removeAttr(AMPDialect::kDecisionAttrName);
      op->removeAttr(AMPDialect::kSignatureAttrName);
    });
    // Before anything moves: the profile is of the program as it comes in.
    FailureOr<std::unique_ptr<ProfileMap>> profileMap = loadProfile(module);
    if (failed(profileMap) || failed(makeFunctionScopes(module)) ||
        failed(PrecisionAnalysis::checkScopes(module)) ||
        failed(specializeScopes(module, "error")))
      return signalPassFailure();
    PrecisionOptions options;
    options.signatures = getSignatures();
    options.strict = strict;
    PolicyLibrary library(module);
    if (failed(loadPolicies(library, options)))
      return signalPassFailure();
    PrecisionAnalysis analysis(library, options);
    if (failed(analysis.run(module)))
      return signalPassFailure();
    setSignatures(module, analysis);
    library.warnAboutUnusedEntries();
    for (const auto &[op, decision] : analysis.getDecisions()) {
      op->setAttr(AMPDialect::kDecisionAttrName,
                  decision.getAttr(&getContext()));
      ++numDecided;
      numLowered += decision.policy == Policy::lower_precision_fp &&
                    !decision.isIdentity(op);
      remark(op, decision);
    }
  }

private:
  Signatures getSignatures() const {
    if (signatures == "fixed")
      return Signatures::Fixed;
    // Whole functions that propagate are asked to return what they have.
    bool asked = scope == "function" && results == "propagate";
    return signatures == "all" || asked ? Signatures::All : Signatures::Private;
  }

  static void setSignatures(ModuleOp module,
                            const PrecisionAnalysis &analysis) {
    module.walk([&](FunctionOpInterface function) {
      if (FunctionType type = analysis.getSignature(function))
        function->setAttr(AMPDialect::kSignatureAttrName, TypeAttr::get(type));
    });
  }

  LogicalResult refuse(StringRef option, StringRef value, StringRef expected) {
    // Not on the op, which would be printed, and is the whole module.
    return emitError(getOperation().getLoc())
           << "amp-decide-precision: option '" << option << "' is '" << value
           << "', but expected " << expected;
  }

  /// The ranges that the option `profile` names; null without it.
  FailureOr<std::unique_ptr<ProfileMap>> loadProfile(ModuleOp module) {
    if (staleProfile != "error" && staleProfile != "warn")
      return refuse("stale-profile", staleProfile, "'error' or 'warn'");
    if (profile.empty())
      return std::unique_ptr<ProfileMap>();
    llvm::Expected<Profile> read = Profile::read(profile);
    if (!read)
      return emitError(module.getLoc())
             << "amp-decide-precision: option 'profile': "
             << llvm::toString(read.takeError());
    return ProfileMap::create(module, std::move(*read),
                              staleProfile == "warn" ? StaleProfile::Warn
                                                     : StaleProfile::Error,
                              "'" + profile + "'");
  }

  LogicalResult loadPolicies(PolicyLibrary &library,
                             PrecisionOptions &options) {
    if (!unknownOp.empty()) {
      options.unknownOp = symbolizeUnknownOp(unknownOp);
      if (!options.unknownOp)
        return refuse("unknown-op", unknownOp, "'keep', 'error' or 'follow'");
    }
    Location loc = getOperation().getLoc();
    if (!policyFile.empty() && failed(library.loadFile(policyFile, loc)))
      return failure();
    return library.setDefaults(policy, loc);
  }

  LogicalResult makeFunctionScopes(ModuleOp module) {
    if (scope != "region" && scope != "function")
      return refuse("scope", scope, "'region' or 'function'");
    if (!PolicySet::getBuiltin(device))
      return refuse("device", device, "'cuda', 'cpu', 'xpu' or 'mps'");
    if (!dtype.empty() && dtype != "f16" && dtype != "bf16")
      return refuse("dtype", dtype, "'f16' or 'bf16'");
    std::optional<ResultsMode> mode = symbolizeResultsMode(results);
    if (!mode)
      return refuse("results", results, "'preserve' or 'propagate'");
    if (signatures != "private" && signatures != "all" && signatures != "fixed")
      return refuse("signatures", signatures, "'private', 'all' or 'fixed'");
    if (scope == "region")
      return success();
    Type lower = getDefaultLowerType(device, &getContext());
    if (dtype == "f16")
      lower = Float16Type::get(&getContext());
    if (dtype == "bf16")
      lower = BFloat16Type::get(&getContext());
    WalkResult walked = module.walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return WalkResult::advance();
      return WalkResult(wrapBody(function, device, lower, *mode));
    });
    // Queries of the state now have a scope that answers.
    foldQueries(module, /*entryIsOff=*/false);
    return failure(walked.wasInterrupted());
  }

  /// The set and the place of the entry that decided.
  static std::string printEntry(const PolicyEntry &entry) {
    std::string text = ("@" + entry.set->getName()).str();
    if (!entry.op)
      return text;
    llvm::raw_string_ostream os(text);
    os << " at " << entry.op->getLoc();
    return text;
  }

  void remark(Operation *op, const PrecisionDecision &decision) {
    auto remark =
        remark::analysis(op->getLoc(), remark::RemarkOpts::name("Decision")
                                           .category("amp")
                                           .subCategory("precision"));
    remark << remark::metric("Op", op->getName().getStringRef())
           << remark::metric("Policy", stringifyPolicy(decision.policy))
           << remark::metric("From", printTypes(decision.from))
           << remark::metric("To", printTypes(decision.to))
           << remark::metric("Results", printTypes(decision.results));
    if (decision.entry && decision.entry->set)
      remark << remark::metric("Entry", printEntry(*decision.entry));
    remark << remark::reason("{0}", stringifyReason(decision.reason));
  }
};
} // namespace
