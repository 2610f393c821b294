//===- DecidePrecision.cpp - decisions as attributes ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ProfileMap.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SetVector.h"

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
// Calls in scopes
//===----------------------------------------------------------------------===//

/// The devices that have autocast on at `op`.
static llvm::SmallSetVector<StringRef, 2> getEnabledDevices(Operation *op) {
  llvm::SmallSetVector<StringRef, 2> seen, enabled;
  for (auto scope = op->getParentOfType<AutocastOp>(); scope;
       scope = scope->getParentOfType<AutocastOp>())
    if (seen.insert(scope.getDevice()) && !scope.getDisabled())
      enabled.insert(scope.getDevice());
  return enabled;
}

/// Whether nothing of the state at `call` reaches into `callee`: its body is
/// one scope, for the only device that is on at the call.
static bool hasOwnState(Operation *callee, CallOpInterface call) {
  auto function = dyn_cast<FunctionOpInterface>(callee);
  if (!function || !isOneScope(function))
    return false;
  auto scope = cast<AutocastOp>(function.getFunctionBody().front().front());
  return llvm::all_of(getEnabledDevices(call), [&](StringRef device) {
    return device == scope.getDevice();
  });
}

/// Whether `function` calls itself, directly or not.
static bool isRecursive(CallableOpInterface function,
                        SymbolTableCollection &symbols) {
  llvm::SetVector<Operation *> reached;
  auto addCallees = [&](Operation *from) {
    from->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallableInTable(&symbols))
        reached.insert(callee);
    });
  };
  addCallees(function);
  for (size_t index = 0; index != reached.size(); ++index)
    addCallees(reached[index]);
  return reached.contains(function);
}

/// Puts the ops of `body` in the place of `call`. Not upstream's inliner: that
/// one refuses ops of unregistered dialects, which are as good as any here.
static void cloneBody(CallOpInterface call, Block &body) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getArgOperands());
  for (Operation &op : body.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    clone->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  for (auto [result, value] :
       llvm::zip_equal(call->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
}

/// Inlines the calls in enabled scopes, until none of a defined function is
/// left there.
static LogicalResult inlineScopedCalls(ModuleOp module) {
  SymbolTableCollection symbols;
  while (true) {
    CallOpInterface next;
    CallableOpInterface callee;
    module.walk([&](CallOpInterface call) {
      auto callable = dyn_cast_or_null<CallableOpInterface>(
          call.resolveCallableInTable(&symbols));
      if (!callable || !callable.getCallableRegion() ||
          getEnabledDevices(call).empty() || hasOwnState(callable, call))
        return WalkResult::advance();
      next = call;
      callee = callable;
      return WalkResult::interrupt();
    });
    if (!next)
      return success();
    auto refuse = [&](StringRef why) {
      InFlightDiagnostic diag =
          next->emitError() << "the callee of a call in a scope runs under the "
                               "scope's autocast, but this one "
                            << why;
      diag.attachNote(callee->getLoc()) << "callee defined here";
      return diag;
    };
    Region *body = callee.getCallableRegion();
    if (callee->hasAttr(AMPDialect::kScopeAttrName))
      return refuse("has a scope attribute that is not yet a region");
    if (isRecursive(callee, symbols))
      return refuse("is recursive: put a scope into it instead");
    if (!llvm::hasSingleElement(*body))
      return refuse("has several blocks: run --lift-cf-to-scf first");
    cloneBody(next, body->front());
    next->erase();
  }
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
    module.walk(
        [](Operation *op) { op->removeAttr(AMPDialect::kDecisionAttrName); });
    // Before anything moves: the profile is of the program as it comes in.
    FailureOr<std::unique_ptr<ProfileMap>> profileMap = loadProfile(module);
    if (failed(profileMap) || failed(makeFunctionScopes(module)) ||
        failed(inlineScopedCalls(module)))
      return signalPassFailure();
    PrecisionOptions options;
    options.propagateResults = scope == "function";
    options.strict = strict;
    PolicyLibrary library(module);
    if (failed(loadPolicies(library, options)))
      return signalPassFailure();
    PrecisionAnalysis analysis(library, options);
    if (failed(analysis.run(module)))
      return signalPassFailure();
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
      return refuse("device", device, "'cuda' or 'cpu'");
    if (!dtype.empty() && dtype != "f16" && dtype != "bf16")
      return refuse("dtype", dtype, "'f16' or 'bf16'");
    std::optional<ResultsMode> mode = symbolizeResultsMode(results);
    if (!mode)
      return refuse("results", results, "'preserve' or 'propagate'");
    if (scope == "region")
      return success();
    Builder builder(&getContext());
    bool useBF16 = dtype.empty() ? device == "cpu" : dtype == "bf16";
    Type lower = useBF16 ? Type(builder.getBF16Type()) : builder.getF16Type();
    WalkResult walked = module.walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return WalkResult::advance();
      return WalkResult(wrapBody(function, device, lower, *mode));
    });
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
