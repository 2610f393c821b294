//===- DecidePrecision.cpp - decisions as attributes ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecideByRules.h"
#include "PeerPrograms.h"
#include "ScopeUtils.h"

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ProfileMap.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

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

/// Puts the body of `function` into a scope that names the set `policies` (may
/// be null).
static LogicalResult wrapBody(FunctionOpInterface function, StringRef device,
                              Type dtype, ResultsMode mode,
                              SymbolRefAttr policies) {
  Region &region = function.getFunctionBody();
  if (failed(liftToOneBlock(region, function)))
    return failure();
  if (isOneScope(function))
    return success();
  Block &body = region.front();
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  auto scope = AutocastOp::create(builder, function.getLoc(),
                                  terminator->getOperandTypes(), device, dtype,
                                  body.getArguments());
  scope.setResultsMode(mode);
  scope.setPolicyAttr(policies);
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
    // A scope around whole functions answers what is open in them.
    bool areScopesMade = scope == "function";
    LogicalResult valid = success();
    module.walk([&](Operation *op) {
      if (!op->getDiscardableAttrDictionary().empty()) {
        op->removeDiscardableAttr(AMPDialect::kDecisionAttrName);
        op->removeDiscardableAttr(kRangeAttrName);
        op->removeDiscardableAttr(AMPDialect::kSignatureAttrName);
      }
      if (!areScopesMade && failed(PrecisionAnalysis::checkScope(op)))
        valid = failure();
    });
    if (failed(valid) || failed(readClassifierOptions()))
      return signalPassFailure();
    // Before anything moves: the profile is of the program as it comes in.
    FailureOr<std::unique_ptr<ProfileMap>> profileMap = loadProfile(module);
    if (classifierOptions.peer == Peer::modelopt && succeeded(profileMap))
      prepareAsModelOpt(module);
    PrecisionOptions options;
    PolicyLibrary library(module);
    if (failed(profileMap) || failed(loadPolicies(library, options)) ||
        failed(makeFunctionScopes(module, library)) ||
        failed(specializeScopes(module, "error")))
      return signalPassFailure();
    options.signatures = getSignatures();
    options.strict = strict;
    auto analysis = std::make_unique<PrecisionAnalysis>(library, options);
    getRange = makeRangeLookup(profileMap->get());
    setClassifiers(*analysis);
    if (failed(analysis->run(module)))
      return signalPassFailure();
    if (classifierOptions.peer == Peer::torch_trt &&
        failed(checkAsTorchTRT(analysis->getDecisions())))
      return signalPassFailure();
    FailureOr<bool> converted =
        convertConstants(analysis->getDecisions(), classifierOptions);
    if (failed(converted))
      return signalPassFailure();
    if (*converted) {
      // Verdicts are of constants that are no more.
      analysis = std::make_unique<PrecisionAnalysis>(library, options);
      classifiers.clear();
      setClassifiers(*analysis);
      if (failed(analysis->run(module)))
        return signalPassFailure();
    }
    setSignatures(module, *analysis);
    library.warnAboutUnusedFile();
    library.warnAboutUnusedEntries();
    if (failed(reportRules(module)))
      return signalPassFailure();
    auto name = StringAttr::get(&getContext(), AMPDialect::kDecisionAttrName);
    for (const DecidedOp *decided : analysis->getDecisions()) {
      Operation *op = decided->op;
      const PrecisionDecision &decision = decided->decision;
      if (decision.verdict)
        reportVerdict(op, *decision.verdict);
      op->setDiscardableAttr(name, decision.getAttr(&getContext()));
      if (*profileMap && failed(setRange(op, **profileMap)))
        return signalPassFailure();
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
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function)
        return WalkResult::advance();
      if (FunctionType type = analysis.getSignature(function))
        function->setAttr(AMPDialect::kSignatureAttrName, TypeAttr::get(type));
      // There are no functions in functions.
      return WalkResult::skip();
    });
  }

  LogicalResult refuse(StringRef option, StringRef value, StringRef expected) {
    // Not on the op, which would be printed, and is the whole module.
    return emitError(getOperation().getLoc(), DiagnosticId::O001)
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
      return emitError(module.getLoc(), DiagnosticId::F001)
             << "amp-decide-precision: option 'profile': "
             << llvm::toString(read.takeError());
    return ProfileMap::create(module, std::move(*read),
                              staleProfile == "warn" ? StaleProfile::Warn
                                                     : StaleProfile::Error,
                              "'" + profile + "'");
  }

  /// Notes on `op` what the profile holds of its results, of all together; for
  /// the report.
  static LogicalResult setRange(Operation *op, const ProfileMap &profile) {
    RangeStatistics sum;
    for (Value result : op->getResults())
      if (const RangeStatistics *statistics = profile.lookup(result))
        if (llvm::Error error = sum.merge(*statistics))
          return op->emitOpError("the ranges of its results in the profile: ")
                 << llvm::toString(std::move(error));
    if (sum.count == 0)
      return success();
    if (sum.count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return op->emitOpError("the profile counts ")
             << sum.count
             << " numbers in its results; expected fewer than 2^63";
    RangeRecord range;
    range.count = sum.count;
    range.numNaN = sum.nan;
    range.numInf = sum.inf;
    range.numZero = sum.zero;
    range.numSubnormal = sum.subnormal;
    range.numSubnormalF16 = sum.numBelow(/*exponent of its least normal*/ -14);
    if (sum.hasFinite()) {
      range.min = sum.min;
      range.max = sum.max;
    }
    op->setAttr(kRangeAttrName, makeRangeAttr(op->getContext(), range));
    return success();
  }

  /// Reads the options of the classifier; see Passes.td.
  LogicalResult readClassifierOptions();

  /// Gives the analysis the rules of the options, in scopes that the classifier
  /// decides, and of the policy sets.
  void setClassifiers(PrecisionAnalysis &analysis);

  /// Warns of rules that match nothing. Fails if options of rules were given
  /// where no scope is under them.
  LogicalResult reportRules(ModuleOp module);

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

  /// The set of the scopes that rules decide alone: that which the options or
  /// the policy file choose, or else the built-in one.
  FailureOr<SymbolRefAttr> getRuleSet(PolicyLibrary &library) {
    Location loc = getOperation().getLoc();
    const PolicySet *chosen = library.lookupDefault(device, loc);
    StringRef name = chosen ? chosen->getName() : StringRef(classifierSetName);
    if (chosen && !chosen->isClassifier()) {
      InFlightDiagnostic diag =
          emitError(loc, DiagnosticId::O002)
          << "amp-decide-precision: option '" << classifierOption
          << "' lets rules decide alone, but policy set @" << name
          << ", which functions would use, does not extend @classifier: let "
             "it, "
             "or leave out one of the two";
      if (chosen->getOp())
        diag.attachNote(chosen->getOp().getLoc()) << "the set is defined here";
      return diag;
    }
    return SymbolRefAttr::get(&getContext(), name);
  }

  LogicalResult makeFunctionScopes(ModuleOp module, PolicyLibrary &library) {
    if (scope != "region" && scope != "function")
      return refuse("scope", scope, "'region' or 'function'");
    if (!PolicySet::getBuiltin(device))
      return refuse("device", device, "'cuda', 'cpu', 'xpu' or 'mps'");
    if (!dtype.empty() && dtype != "f16" && dtype != "bf16")
      return refuse("dtype", dtype, "'f16' or 'bf16'");
    // "fp16" is what the peers call it.
    StringRef lowType = lowPrecisionType;
    if (lowType == "fp16")
      lowType = "f16";
    if (!lowType.empty() && lowType != "f16" && lowType != "bf16")
      return refuse("low-precision-type", lowType, "'f16' or 'bf16'");
    if (!lowType.empty() && !dtype.empty() && lowType != dtype)
      return emitError(module.getLoc(), DiagnosticId::O002)
             << "amp-decide-precision: option 'low-precision-type' is '"
             << lowType << "', but expected '" << dtype
             << "', which is the option 'dtype'";
    if (lowType.empty())
      lowType = dtype;
    std::optional<ResultsMode> mode = symbolizeResultsMode(results);
    if (!mode)
      return refuse("results", results, "'preserve' or 'propagate'");
    if (signatures != "private" && signatures != "all" && signatures != "fixed")
      return refuse("signatures", signatures, "'private', 'all' or 'fixed'");
    if (scope == "region")
      return success();
    Type lower = getDefaultLowerType(device, &getContext());
    if (lowType == "f16")
      lower = Float16Type::get(&getContext());
    if (lowType == "bf16")
      lower = BFloat16Type::get(&getContext());
    FailureOr<SymbolRefAttr> policies =
        useClassifier ? getRuleSet(library) : SymbolRefAttr();
    if (failed(policies))
      return failure();
    WalkResult walked = module.walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return WalkResult::advance();
      return WalkResult(wrapBody(function, device, lower, *mode, *policies));
    });
    // Queries of the state now have a scope that answers.
    foldQueries(module, /*entryIsOff=*/false);
    if (walked.wasInterrupted())
      return failure();
    LogicalResult valid = success();
    module.walk([&](Operation *op) {
      if (failed(PrecisionAnalysis::checkScope(op)))
        valid = failure();
    });
    return valid;
  }

  /// The set and the place of the entry or rule that decided; empty if none
  /// did.
  static std::string printSource(const PrecisionDecision &decision) {
    auto [set, loc] = decision.getSource();
    if (set.empty())
      return "";
    std::string text = ("@" + set).str();
    llvm::raw_string_ostream os(text);
    if (loc)
      os << " at " << loc;
    return text;
  }

  void remark(Operation *op, const PrecisionDecision &decision) {
    auto remark =
        remark::analysis(op->getLoc(), remark::RemarkOpts::name("Decision")
                                           .category("amp")
                                           .subCategory("precision"));
    // What it says takes longer to write than to decide.
    if (!remark)
      return;
    remark << remark::metric("Op", op->getName().getStringRef())
           << remark::metric("Policy", stringifyPolicy(decision.policy))
           << remark::metric("From", printTypes(decision.from))
           << remark::metric("To", printTypes(decision.to))
           << remark::metric("Results", printTypes(decision.results));
    if (std::string source = printSource(decision); !source.empty())
      remark << remark::metric("Entry", source);
    if (decision.verdict && decision.reason == decision.verdict->reason) {
      if (!decision.verdict->detail.empty())
        remark << remark::metric("Detail", decision.verdict->detail);
      if (const ClassifierRule *rule = decision.verdict->rule)
        remark << remark::metric("Rule", rule->print());
    }
    remark << remark::reason("{0}", stringifyReason(decision.reason));
  }

  ClassifierOptions classifierOptions;
  /// Whether the scopes that scope=function makes are under the rules, and the
  /// option that says so.
  bool useClassifier = false;
  std::string classifierOption;
  RangeLookup getRange;
  /// Of each policy set that has rules.
  llvm::MapVector<const PolicySet *, std::shared_ptr<Classifier>> classifiers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LogicalResult AmpDecidePrecisionPass::readClassifierOptions() {
  ClassifierOptions &read = classifierOptions;
  read = ClassifierOptions();
  classifiers.clear();
  useClassifier = false;
  auto turnOn = [&](bool isGiven, StringRef option) {
    if (isGiven && !useClassifier) {
      useClassifier = true;
      classifierOption = option.str();
    }
  };
  auto isMagnitude = [](double value) { return value >= 0 || value == -1; };
  auto refuseNumber = [&](StringRef option, double value, StringRef expected) {
    return refuse(option, llvm::formatv("{0}", value).str(), expected);
  };
  turnOn(classifier, "classifier");
  turnOn(!lowPrecisionType.empty(), "low-precision-type");
  auto readList = [&](const auto &list, std::vector<std::string> &out,
                      StringRef option) {
    out.assign(list.begin(), list.end());
    turnOn(!out.empty(), option);
  };
  readList(nodesToExclude, read.nodesToExclude, "nodes-to-exclude");
  readList(nodesToInclude, read.nodesToInclude, "nodes-to-include");
  readList(targetsToExclude, read.targetsToExclude, "targets-to-exclude");
  readList(targetsToInclude, read.targetsToInclude, "targets-to-include");
  if (!isMagnitude(dataMax))
    return refuseNumber("data-max", dataMax, "a magnitude, or -1");
  if (dataMax != -1)
    read.dataMax = dataMax;
  turnOn(dataMax != -1, "data-max");
  if (!(dataULP > 0))
    return refuseNumber("data-ulp", dataULP, "a distance above 0");
  turnOn(dataULP != 0.5, "data-ulp");
  read.spacing = dataULP;
  if (!isMagnitude(initMax))
    return refuseNumber("init-max", initMax, "a magnitude, or -1");
  if (initMax != -1)
    read.initMax = initMax;
  turnOn(initMax != -1, "init-max");
  if (maxDepth < -1)
    return refuseNumber("max-depth-of-reduction", maxDepth,
                        "a number of elements, or -1");
  if (maxDepth != -1)
    read.maxDepth = maxDepth;
  turnOn(maxDepth != -1, "max-depth-of-reduction");
  if (!(maxUnderflow >= 0 && maxUnderflow <= 1))
    return refuseNumber("max-underflow", maxUnderflow, "a share of 0 to 1");
  turnOn(maxUnderflow != 0.5, "max-underflow");
  read.maxUnderflow = maxUnderflow;
  read.sensitivity = sensitivity;
  turnOn(!sensitivity, "sensitivity");
  read.performance = performance;
  turnOn(!performance, "performance");
  std::optional<WeightOverflow> overflow =
      symbolizeWeightOverflow(weightOverflow);
  if (!overflow)
    return refuse("weight-overflow", weightOverflow,
                  "'keep-f32', 'error' or 'saturate'");
  turnOn(*overflow != WeightOverflow::keep_f32, "weight-overflow");
  read.weightOverflow = *overflow;
  std::optional<Peer> peer = symbolizePeer(compat);
  if (!peer)
    return refuse("compat", compat, "'none', 'modelopt' or 'torch-trt'");
  turnOn(*peer != Peer::none, "compat");
  read.peer = *peer;
  // Compiled here for the message; each policy set gets its own.
  Location loc = getOperation().getLoc();
  std::string error;
  if (failed(mlir::amp::makeRules(read, error)))
    return emitError(loc, DiagnosticId::R001)
           << "amp-decide-precision: " << error;
  for (const auto &[option, names] :
       {std::pair("targets-to-include", read.targetsToInclude),
        std::pair("targets-to-exclude", read.targetsToExclude)})
    for (const std::string &name : names)
      if (std::string problem =
              getOpNameProblem(normalizeOpName(name), /*mayBePattern=*/false);
          !problem.empty())
        return emitError(loc, DiagnosticId::P003)
               << "amp-decide-precision: option '" << option << "' has '"
               << name << "', which " << problem;
  // The peers take limits without data, and never ask them.
  if (profile.empty() && read.peer == Peer::none)
    for (auto [option, isGiven] :
         {std::pair("data-max", read.dataMax && !std::isinf(*read.dataMax)),
          std::pair("data-ulp", dataULP != 0.5),
          std::pair("max-underflow", maxUnderflow < 1 && maxUnderflow != 0.5)})
      if (isGiven)
        emitWarning(loc, DiagnosticId::R011)
            << "amp-decide-precision: option '" << option
            << "' is about values that were seen, and has no effect without "
               "'profile'";
  if (read.peer == Peer::modelopt && read.maxDepth && read.dataMax &&
      std::isinf(*read.dataMax))
    return emitError(loc, DiagnosticId::R009)
           << "amp-decide-precision: with compat=modelopt a data-max of inf "
              "turns off the run that max-depth-of-reduction needs the shapes "
              "of, and ModelOpt fails; leave out compat";
  return success();
}

void AmpDecidePrecisionPass::setClassifiers(PrecisionAnalysis &analysis) {
  analysis.setClassifiers([this](
                              const PolicySet &policies) -> const Classifier * {
    auto it = classifiers.find(&policies);
    if (it != classifiers.end())
      return it->second.get();
    SmallVector<ClassifierRule> rules = mlir::amp::makeRules(policies);
    if (policies.isClassifier()) {
      std::string error;
      SmallVector<ClassifierRule> own =
          *mlir::amp::makeRules(classifierOptions, error);
      llvm::move(own, std::back_inserter(rules));
    }
    std::shared_ptr<Classifier> made;
    if (!rules.empty())
      made = std::make_shared<Classifier>(std::move(rules), classifierOptions,
                                          policies.getDevice(), getRange);
    return (classifiers[&policies] = std::move(made)).get();
  });
}

LogicalResult AmpDecidePrecisionPass::reportRules(ModuleOp module) {
  bool isUsed = false;
  for (const auto &[policies, rules] : classifiers) {
    isUsed |= policies->isClassifier();
    if (rules)
      reportUnmatchedRules(*rules, module);
  }
  if (!useClassifier || isUsed)
    return success();
  // A module without functions, and one whose scopes are all of its own.
  if (scope == "function") {
    emitWarning(module.getLoc(), DiagnosticId::R006)
        << "amp-decide-precision: option '" << classifierOption
        << "' has no effect: no function is left to the rules";
    return success();
  }
  return emitError(module.getLoc(), DiagnosticId::R006)
         << "amp-decide-precision: option '" << classifierOption
         << "' is for scopes that the rules decide, but there is none: add "
            "scope=function, or give a scope policy(@classifier)";
}
