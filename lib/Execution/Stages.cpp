//===- Stages.cpp - from a module on tensors to LLVM ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Stages.h"

#include "Checks.h"
#include "LargeConstants.h"

#include "amp/Codegen/CPU/Preparation.h"
#include "amp/Codegen/Common/CheckTypes.h"
#include "amp/Codegen/Common/Normalize.h"
#include "amp/Dialect/AMP/IR/AMPObserveOps.h"
#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "amp/Dialect/AMP/Transforms/InstrumentRanges.h"
#include "amp/Pipelines/Pipelines.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::amp;

static constexpr Stage cpuStages[] = {
    {"decide", "every op in a scope has its decision", "amp-apply-precision"},
    {"apply", "the decided types, with casts; no scopes",
     "amp-resolve-promotions"},
    {"resolve", "no amp.promote"},
    {"to-linalg", "only upstream dialects, on tensors"},
    {"cpu", "buffers, loops and vectors", "convert-vector-to-llvm"},
    {"llvm", "the LLVM dialect"},
};

static constexpr Stage deviceStages[] = {
    {"decide", "every op in a scope has its decision", "amp-apply-precision"},
    {"apply", "the decided types, with casts; no scopes",
     "amp-resolve-promotions"},
    {"resolve", "no amp.promote"},
    {"to-linalg", "only upstream dialects, on tensors"},
    {"kernels", "kernel functions and their launches, on tensors",
     "amp-bufferize-host"},
    {"buffers", "the host on device buffers", "amp-gpu-codegen"},
    {"gpu", "kernels as schedules make them, and the memory plan", "",
     "amp-gpu-overlap-launches"},
    {"device", "kernels as code for the device", "amp-cuda-lower-host"},
    {"llvm", "the LLVM dialect, with device code as data"},
};

ArrayRef<Stage> mlir::amp::getStages(bool isDevice) {
  return isDevice ? ArrayRef(deviceStages) : ArrayRef(cpuStages);
}

std::optional<Autocast> mlir::amp::parseAutocast(StringRef text) {
  return llvm::StringSwitch<std::optional<Autocast>>(text)
      .Case("off", Autocast::Off)
      .Case("f16", Autocast::F16)
      .Case("bf16", Autocast::BF16)
      .Default(std::nullopt);
}

/// An op that no registered dialect knows can be retyped by its name, but not
/// compiled; nor can a function that is only declared, nor what prints.
static LogicalResult checkCompilable(ModuleOp module, bool isDevice) {
  WalkResult result = module.walk([&](Operation *op) {
    if (isDevice && isa<ObserveOp>(op)) {
      op->emitOpError("runs on the CPU only: choose it with --device=cpu, or "
                      "compile the program as it was before "
                      "amp-instrument-ranges");
      return WalkResult::interrupt();
    }
    // What the entry does not use is gone, so a declaration is called.
    if (auto function = dyn_cast<FunctionOpInterface>(op);
        function && function.isExternal()) {
      function->emitError("cannot be compiled: '")
          << function.getName()
          << "' has no body; define it in this module, or choose a function "
             "that does not use it with --entry";
      return WalkResult::interrupt();
    }
    if (isa<vector::PrintOp>(op)) {
      op->emitOpError("cannot be compiled: it calls a library of MLIR's for "
                      "tests; return what it prints, or leave it out");
      return WalkResult::interrupt();
    }
    if (op->isRegistered())
      return WalkResult::advance();
    op->emitError("cannot be compiled: '")
        << op->getName()
        << "' is not a registered op; lower it to upstream dialects before "
           "running the module";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Names and devices of arguments mean nothing to what follows, and LLVM's
/// translation warns of attributes that it does not know.
static void dropPortAttributes(ModuleOp module, bool keepWeights) {
  auto isOurs = [&](NamedAttribute attr) {
    StringRef name = attr.getName().getValue();
    return name.starts_with("amp.") &&
           !(keepWeights && name == AMPDialect::kWeightAttrName);
  };
  module.walk([&](FunctionOpInterface function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      SmallVector<NamedAttribute> attrs(function.getArgAttrs(i));
      llvm::erase_if(attrs, isOurs);
      function.setArgAttrs(i, attrs);
    }
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
      SmallVector<NamedAttribute> attrs(function.getResultAttrs(i));
      llvm::erase_if(attrs, isOurs);
      function.setResultAttrs(i, attrs);
    }
  });
}

LogicalResult mlir::amp::runPasses(PassManager &pm, ModuleOp module,
                                   const Twine &what) {
  bool isTold = false;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(
        module->getContext(), [&](Diagnostic &diagnostic) {
          isTold |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
          // Who prints them comes after.
          return failure();
        });
    result = pm.run(module);
  }
  if (failed(result) && !isTold)
    return module.emitError(what) << " failed, and nothing tells why";
  return result;
}

/// Removes the functions that no entry uses: what is not run need not be
/// compiled, and need not be compilable.
static LogicalResult dropOtherFunctions(ModuleOp module,
                                        ArrayRef<func::FuncOp> entries) {
  for (auto function : module.getOps<FunctionOpInterface>())
    function.setPrivate();
  for (func::FuncOp entry : entries)
    entry.setPublic();
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  pm.addPass(createSymbolDCEPass());
  return runPasses(pm, module, "the removal of functions that are not used");
}

/// Makes a scope, structured or not, what `autocast` says.
template <typename ScopeOp>
static void setScope(ScopeOp scope, Autocast autocast, Type dtype) {
  if (autocast == Autocast::Off) {
    scope.setDisabled(true);
    scope.getFlagMutable().clear();
  } else if (dtype && !scope.getDisabled()) {
    scope.setDtype(dtype);
  }
}

/// The same for the attribute that makes a function a scope.
static void setFunctionScope(FunctionOpInterface function, Autocast autocast,
                             Type dtype) {
  auto scope = function->getAttrOfType<ScopeAttr>(AMPDialect::kScopeAttrName);
  if (!scope || (autocast != Autocast::Off && !dtype))
    return;
  bool enabled = scope.getEnabled() && autocast != Autocast::Off;
  function->setAttr(AMPDialect::kScopeAttrName,
                    ScopeAttr::get(function->getContext(), scope.getDevice(),
                                   enabled && dtype ? dtype : scope.getDtype(),
                                   enabled));
}

/// Without autocast a function is not entered with it either. An unknown state
/// stays: the caller tells it.
static void setEntryOff(FunctionOpInterface function) {
  Attribute attribute = function->getAttr(AMPDialect::kEntryAttrName);
  if (!attribute)
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](EntryAttr entry) -> Attribute {
    if (entry.getState() != EntryState::on)
      return entry;
    return EntryAttr::get(entry.getContext(), entry.getDevice(),
                          entry.getDtype(), EntryState::off, entry.getQuery());
  });
  function->setAttr(AMPDialect::kEntryAttrName, replacer.replace(attribute));
}

/// Makes the scopes of `module` what `autocast` says. True if there are any.
static bool setScopes(ModuleOp module, Autocast autocast) {
  bool hasScopes = false;
  Builder b(module.getContext());
  Type dtype = autocast == Autocast::F16    ? Type(b.getF16Type())
               : autocast == Autocast::BF16 ? Type(b.getBF16Type())
                                            : Type();
  module.walk([&](Operation *op) {
    if (auto scope = dyn_cast<AutocastOp>(op)) {
      hasScopes = true;
      setScope(scope, autocast, dtype);
    } else if (auto config = dyn_cast<ConfigOp>(op)) {
      hasScopes = true;
      setScope(config, autocast, dtype);
    } else if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      hasScopes |= function->hasAttr(AMPDialect::kScopeAttrName) ||
                   function->hasAttr(AMPDialect::kEntryAttrName);
      setFunctionScope(function, autocast, dtype);
      if (autocast == Autocast::Off)
        setEntryOff(function);
    }
  });
  return hasScopes;
}

/// Tells the pipeline which rules decide.
static void setRules(AutocastPipelineOptions &autocast,
                     const ClassifierOptions &rules) {
  autocast.classifier = true;
  auto append = [](auto &option, ArrayRef<std::string> values) {
    for (const std::string &value : values)
      option.push_back(value);
  };
  append(autocast.nodesToExclude, rules.nodesToExclude);
  append(autocast.nodesToInclude, rules.nodesToInclude);
  append(autocast.targetsToExclude, rules.targetsToExclude);
  append(autocast.targetsToInclude, rules.targetsToInclude);
  autocast.dataMax = rules.dataMax.value_or(-1);
  autocast.dataULP = rules.spacing;
  autocast.initMax = rules.initMax.value_or(-1);
  autocast.maxDepth = rules.maxDepth.value_or(-1);
  autocast.maxUnderflow = rules.maxUnderflow;
  autocast.sensitivity = rules.sensitivity;
  autocast.performance = rules.performance;
  autocast.weightOverflow = stringifyWeightOverflow(rules.weightOverflow).str();
  autocast.compat = stringifyPeer(rules.peer).str();
}

/// Rules that were asked for need something to decide. Scopes that are there
/// may be none of theirs, which the pass says.
static LogicalResult checkRules(ModuleOp module, bool hasScopes,
                                const CompileOptions &options) {
  if (!options.useClassifier || hasScopes ||
      options.autocast != Autocast::AsWritten)
    return success();
  return emitError(module.getLoc())
         << "the rules of the classifier have nothing to decide: the program "
            "has no amp.autocast regions; say by --autocast=f16 or bf16 which "
            "type its functions take";
}

static void buildAutocast(OpPassManager &pm, bool hasScopes,
                          const CompileOptions &options, bool report = false) {
  AutocastPipelineOptions autocast;
  autocast.report = report;
  autocast.profile = options.profile;
  autocast.staleProfile = options.staleProfile;
  if (options.exactRounding)
    autocast.rounding = "exact";
  autocast.policyFile = options.policyFile;
  for (const std::string &policy : options.policies)
    autocast.policy.push_back(policy);
  autocast.unknownOp = options.unknownOp;
  autocast.strict = options.strict;
  // Without autocast, as for a reference, there is nothing to decide.
  if (options.useClassifier && options.autocast != Autocast::Off)
    setRules(autocast, options.rules);
  if (!hasScopes && (options.autocast == Autocast::F16 ||
                     options.autocast == Autocast::BF16)) {
    autocast.scope = "function";
    autocast.dtype = options.autocast == Autocast::F16 ? "f16" : "bf16";
    autocast.device = options.policyDevice;
    autocast.results = options.propagateResults ? "propagate" : "preserve";
  }
  buildAutocastPipeline(pm, autocast);
}

namespace {
/// Runs pipelines one after the other, and calls the observer at the ends of
/// the stages, which lie between the passes of a pipeline or at its end.
class StageRunner {
public:
  StageRunner(ModuleOp module, ArrayRef<Stage> stages, StageObserver observer)
      : module(module), observer(observer), next(stages.begin()) {}

  /// Runs the pipeline that `build` makes and that the next stages, up to the
  /// one called `last`, divide among them.
  LogicalResult run(llvm::function_ref<void(OpPassManager &)> build,
                    StringRef last) {
    MLIRContext *context = module->getContext();
    PassManager pm(context, ModuleOp::getOperationName());
    (void)applyPassManagerCLOptions(pm);
    build(pm);
    // Passes are actions to the context: it asks before each, and one that is
    // not wanted any more is left out.
    if (!context->hasActionHandler())
      context->registerActionHandler([&](function_ref<void()> action,
                                         const tracing::Action &kind) {
        auto *pass = dyn_cast<PassExecutionAction>(&kind);
        bool isOfModule = pass && pass->getOp() == module;
        StringRef name = isOfModule ? pass->getPass().getArgument() : "";
        // That another pass runs says that the one before succeeded.
        bool isEnd = isPastEnd || (!name.empty() && name == next->endsBefore);
        if (isOfModule && !isStopped && isEnd) {
          isPastEnd = false;
          finishStage();
        }
        if (!pass || !isStopped)
          action();
        if (!name.empty() && !isStopped && name == next->endsAfter)
          isPastEnd = true;
      });
    LogicalResult result =
        runPasses(pm, module, "the stage '" + last + "', or one before it,");
    context->registerActionHandler(nullptr);
    if (failed(result))
      return failure();
    while (!isStopped && next->name != last)
      finishStage();
    if (!isStopped)
      finishStage();
    return success();
  }

  bool getIsStopped() const { return isStopped; }

private:
  void finishStage() {
    isStopped = !observer(*next, module);
    ++next;
  }

  ModuleOp module;
  StageObserver observer;
  const Stage *next;
  bool isStopped = false;
  /// Whether the pass that the next stage ends after has run.
  bool isPastEnd = false;
};
} // namespace

/// Notes the types of the function `name`, which the stages may have replaced.
static LogicalResult noteSignature(ModuleOp module, StringRef name,
                                   Signature &signature) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return module.emitError("the function '")
           << name << "' is gone after the stage 'to-linalg'";
  llvm::append_range(signature.arguments, function.getArgumentTypes());
  llvm::append_range(signature.results, function.getResultTypes());
  return success();
}

/// Moves what the stages note of the init function of `name` to `signature`.
static void notePreparation(ModuleOp module, StringRef name,
                            Signature &signature) {
  Operation *function = module.lookupSymbol(name);
  auto weights = dyn_cast_or_null<DenseI64ArrayAttr>(
      function->removeAttr(cpu::kInitWeightsAttrName));
  auto prepared = dyn_cast_or_null<ArrayAttr>(
      function->removeAttr(cpu::kInitResultsAttrName));
  if (!weights || !prepared)
    return;
  llvm::append_range(signature.weights, weights.asArrayRef());
  llvm::append_range(signature.prepared, prepared.getAsValueRange<TypeAttr>());
}

static LogicalResult runCPUStages(StageRunner &runner,
                                  const CompileOptions &options) {
  auto build = [&](OpPassManager &pm) {
    CPUPipelineOptions cpu;
    cpu.triple = options.triple;
    cpu.cpu = options.processor;
    cpu.features = options.features;
    cpu.noScalarFallback = options.noScalarFallback;
    cpu.prepareWeights = options.prepareWeights;
    buildCPULoweringPipeline(pm, cpu);
  };
  return runner.run(build, "llvm");
}

static LogicalResult runDeviceStages(StageRunner &runner,
                                     const CompileOptions &options) {
  auto build = [&](OpPassManager &pm) {
    CUDAPipelineOptions cuda;
    cuda.target = options.target;
    cuda.name = options.modelName;
    cuda.format = options.deviceCode;
    cuda.allowTF32 = options.allowTF32;
    cuda.fastF8 = options.fastF8;
    cuda.tuningFile = options.tuningFile;
    cuda.tuningDevice = options.tuningDevice;
    cuda.noteCandidates = options.noteCandidates;
    buildCUDALoweringPipeline(pm, cuda);
  };
  return runner.run(build, "llvm");
}

LogicalResult mlir::amp::applyAutocast(ModuleOp module,
                                       ArrayRef<func::FuncOp> entries,
                                       const CompileOptions &options) {
  if (!entries.empty() && failed(dropOtherFunctions(module, entries)))
    return failure();
  bool hasScopes = setScopes(module, options.autocast);
  if (failed(checkRules(module, hasScopes, options)))
    return failure();
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  (void)applyPassManagerCLOptions(pm);
  buildAutocast(pm, hasScopes, options, /*report=*/true);
  return runPasses(pm, module, "autocast");
}

FailureOr<SmallVector<Signature>>
mlir::amp::compileToLLVM(ArrayRef<func::FuncOp> entries,
                         const CompileOptions &options,
                         StageObserver observer) {
  assert(!entries.empty() && "nothing to compile");
  auto module = entries.front()->getParentOfType<ModuleOp>();
  SmallVector<std::string> names;
  for (func::FuncOp entry : entries)
    names.push_back(entry.getName().str());
  if (failed(dropOtherFunctions(module, entries)))
    return failure();
  // Before all stages, so that the profile is of the program as it came:
  // nothing of the dialect need be in it yet.
  module->getContext()->loadDialect<AMPDialect>();
  if (options.instrumentation)
    options.instrumentation->entries = instrumentRanges(
        module, options.instrumentation->selection, ObservedIn::Place);
  bool hasScopes = setScopes(module, options.autocast);
  if (failed(checkRules(module, hasScopes, options)))
    return failure();
  SmallVector<Signature> signatures(names.size());
  StageRunner runner(module, getStages(options.isDevice()), observer);
  if (failed(runner.run(
          [&](OpPassManager &pm) { buildAutocast(pm, hasScopes, options); },
          "resolve")))
    return failure();
  if (runner.getIsStopped())
    return signatures;
  if (failed(checkTypes(module)))
    return failure();
  auto buildLinalg = [&](OpPassManager &pm) {
    LinalgPipelineOptions linalg;
    linalg.target = options.isDevice() ? options.target : "cpu";
    buildLinalgLoweringPipeline(pm, linalg);
  };
  if (failed(runner.run(buildLinalg, "to-linalg")))
    return failure();
  if (runner.getIsStopped())
    return signatures;
  if (failed(checkCompilable(module, options.isDevice())))
    return failure();

  for (auto [name, signature] : llvm::zip_equal(names, signatures))
    if (failed(noteSignature(module, name, signature)))
      return failure();
  // First that which tells of the other.
  module->removeAttr(kReportRangesAttrName);
  module->removeAttr(AMPDialect::kReportAttrName);
  // Models for a device tell the names of their arguments.
  if (!options.isDevice())
    dropPortAttributes(module, options.prepareWeights);
  replaceConstants(module);
  // The checks know of the ops that others become.
  RewritePatternSet patterns(module.getContext());
  populateComputedPlacesPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
  addSizeChecks(module);
  // Not of devices, whose host would wait for each.
  if (!options.isDevice())
    addIndexChecks(module);
  if (failed(options.isDevice() ? runDeviceStages(runner, options)
                                : runCPUStages(runner, options)))
    return failure();
  if (options.prepareWeights && !runner.getIsStopped())
    for (auto [name, signature] : llvm::zip_equal(names, signatures))
      notePreparation(module, name, signature);
  return signatures;
}
