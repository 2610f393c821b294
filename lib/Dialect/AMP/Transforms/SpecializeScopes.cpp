//===- SpecializeScopes.cpp - functions for the states of their callers ---===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutocastState.h"
#include "IndirectCalls.h"
#include "ScopeUtils.h"

#include "amp/Analysis/SymbolUsers.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ValueKeys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPSPECIALIZESCOPESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// The call graph
//===----------------------------------------------------------------------===//

namespace {
/// A function and the state that it is entered with: what is specialised.
struct Instance {
  FunctionOpInterface function;
  /// Null: off, on values of unknown devices.
  StateAttr state;

  bool operator==(const Instance &other) const {
    return function == other.function && state == other.state;
  }
};
} // namespace

namespace llvm {
template <>
struct DenseMapInfo<Instance> {
  using Ops = DenseMapInfo<std::pair<Operation *, const void *>>;
  static Instance getEmptyKey() {
    return {FunctionOpInterface(), StateAttr::getFromOpaquePointer(
                                       DenseMapInfo<void *>::getEmptyKey())};
  }
  static Instance getTombstoneKey() {
    return {FunctionOpInterface(),
            StateAttr::getFromOpaquePointer(
                DenseMapInfo<void *>::getTombstoneKey())};
  }
  static unsigned getHashValue(const Instance &instance) {
    FunctionOpInterface function = instance.function;
    Operation *op = function ? function.getOperation() : nullptr;
    return Ops::getHashValue({op, instance.state.getAsOpaquePointer()});
  }
  static bool isEqual(const Instance &a, const Instance &b) { return a == b; }
};
} // namespace llvm

namespace {
class ScopeSpecializer {
public:
  /// `functions` are those of the module, with and without bodies.
  /// `hasDevices`: whether any of them says where an argument is.
  ScopeSpecializer(ModuleOp module, ArrayRef<FunctionOpInterface> functions,
                   bool hasDevices, bool keepIndirect)
      : module(module), functions(functions), keepIndirect(keepIndirect),
        flow(symbols, hasDevices), users(symbols, module) {}

  LogicalResult run();

  SpecializedFunctions done;

private:
  /// The instances that the calls of one instance go to, in program order; of
  /// calls of other things, none.
  using Callees = SmallVector<std::optional<Instance>>;

  LogicalResult visit(Instance instance);
  std::optional<Instance> getCallee(const FunctionFacts &own,
                                    const FunctionFacts::Entered &entered,
                                    const CallFacts &call);
  const FunctionFacts &getFacts(FunctionOpInterface function);
  bool dependsOn(const Instance &instance);
  void request(Instance instance);
  bool isEnteredFromOutside(FunctionOpInterface function);
  LogicalResult refuseIndirectCall(CallOpInterface call);
  FunctionOpInterface createFor(Instance instance, bool inPlace);
  LogicalResult rewrite();

  ModuleOp module;
  ArrayRef<FunctionOpInterface> functions;
  bool keepIndirect;
  SymbolTableCollection symbols;
  DeviceFlow flow;
  SymbolUsers users;
  DenseMap<Operation *, std::unique_ptr<FunctionFacts>> facts;
  llvm::MapVector<Instance, Callees> instances;
  DenseMap<Instance, bool> dependent;
  DenseMap<Instance, StateAttr> resultStates;
  llvm::SmallPtrSet<Operation *, 8> refused;
};
} // namespace

const FunctionFacts &ScopeSpecializer::getFacts(FunctionOpInterface function) {
  std::unique_ptr<FunctionFacts> &slot = facts[function];
  if (!slot)
    slot = std::make_unique<FunctionFacts>(function, symbols);
  return *slot;
}

/// Whether the state of `instance` makes a difference.
bool ScopeSpecializer::dependsOn(const Instance &instance) {
  if (!instance.state)
    return false;
  auto [it, inserted] = dependent.try_emplace(instance);
  if (inserted)
    it->second = dependsOnEntryState(instance.function, instance.state, flow);
  return it->second;
}

void ScopeSpecializer::request(Instance instance) {
  instances.insert({instance, {}});
}

bool ScopeSpecializer::isEnteredFromOutside(FunctionOpInterface function) {
  auto symbol = cast<SymbolOpInterface>(function.getOperation());
  ArrayRef<Operation *> known = users.getUsers(function);
  return !symbol.isPrivate() || known.empty() ||
         !llvm::all_of(
             known, [](Operation *user) { return isa<CallOpInterface>(user); });
}

LogicalResult ScopeSpecializer::refuseIndirectCall(CallOpInterface call) {
  if (!refused.insert(call).second)
    return success();
  if (keepIndirect) {
    remark::missed(call.getLoc(), remark::RemarkOpts::name("IndirectCall")
                                      .category("amp")
                                      .subCategory("scopes"))
        << remark::reason("the callee of an indirect call runs in the state "
                          "that it is entered with from outside");
    return success();
  }
  InFlightDiagnostic diag = emitError(call, DiagnosticId::S022)
                            << "the callee of this call in an enabled scope "
                               "should run under the scope's autocast, but "
                               "which function it is shows at run time only";
  attachNote(diag, call->getParentOfType<FunctionOpInterface>())
      << "in this function";
  attachNote(diag, call)
      << "call a function by name, or choose by arith.select, scf.if or "
         "scf.index_switch and run "
         "amp-specialize-scopes{indirect-calls=version}, or let the callee "
         "run without autocast by {indirect-calls=keep}";
  return diag;
}

/// The instance that `call` goes to.
std::optional<Instance>
ScopeSpecializer::getCallee(const FunctionFacts &own,
                            const FunctionFacts::Entered &entered,
                            const CallFacts &call) {
  if (!call.callee || call.callee.isExternal())
    return std::nullopt;
  Instance instance{call.callee, own.getStateAtCall(call, entered)};
  if (!dependsOn(instance)) {
    auto [it, inserted] = resultStates.try_emplace(instance);
    if (inserted)
      it->second = getStateOfResults(call.callee, instance.state, flow);
    instance.state = it->second;
  }
  return instance;
}

LogicalResult ScopeSpecializer::visit(Instance instance) {
  const FunctionFacts &own = getFacts(instance.function);
  FunctionFacts::Entered entered = own.enter(instance.state, flow);
  Callees callees;
  LogicalResult result = success();
  for (const CallFacts &call : own.getCalls()) {
    callees.push_back(getCallee(own, entered, call));
    if (callees.back()) {
      request(*callees.back());
      continue;
    }
    if (!own.isEnabledAtCall(call, entered))
      continue;
    if (!call.callee) {
      if (failed(refuseIndirectCall(call.call)))
        result = failure();
    } else if (refused.insert(call.call).second) {
      remark::missed(call.call->getLoc(),
                     remark::RemarkOpts::name("ExternalCall")
                         .category("amp")
                         .subCategory("scopes"))
          << remark::metric("Callee",
                            cast<SymbolOpInterface>(*call.callee).getName())
          << remark::reason("a declaration keeps its signature: values are "
                            "cast at the border");
    }
  }
  instances[instance] = std::move(callees);
  return result;
}

/// A name that says the state, such as f_cuda_f16.
static std::string getNameFor(StringRef function, StateAttr state) {
  std::string name = function.str();
  auto append = [&](StringRef text) {
    name += '_';
    for (char c : text)
      name += llvm::isAlnum(c) ? c : '_';
  };
  for (const StateEntry &entry : decodeScopes(state)) {
    append(entry.device.getValue());
    std::string dtype;
    llvm::raw_string_ostream(dtype) << entry.dtype;
    append(entry.enabled ? StringRef(dtype) : StringRef("off"));
    if (entry.policy)
      append(entry.policy.getLeafReference().getValue());
  }
  for (StringAttr device : decodeDevices(state))
    if (device) {
      append("on");
      append(device.getValue());
      break;
    }
  return name;
}

/// The function of `instance`, not yet with its region: a copy, or its own.
FunctionOpInterface ScopeSpecializer::createFor(Instance instance,
                                                bool inPlace) {
  auto symbol = cast<SymbolOpInterface>(*instance.function);
  FunctionOpInterface result = instance.function;
  std::string name = getNameFor(symbol.getName(), instance.state);
  if (!inPlace) {
    result = cast<FunctionOpInterface>(instance.function->clone());
    auto copy = cast<SymbolOpInterface>(*result);
    copy.setName(StringAttr::get(module.getContext(), name));
    copy.setPrivate();
    // A profile knows its values by the name of the original.
    if (!result->hasAttr(kProfiledAsAttrName))
      result->setAttr(kProfiledAsAttrName, symbol.getNameAttr());
    Operation *table = SymbolTable::getNearestSymbolTable(instance.function);
    symbols.getSymbolTable(table).insert(
        result, std::next(instance.function->getIterator()));
  }
  ++(inPlace ? done.numInPlace : done.numCreated);
  remark::passed(instance.function->getLoc(),
                 remark::RemarkOpts::name("Specialized")
                     .category("amp")
                     .subCategory("scopes")
                     .function(symbol.getName()))
      << remark::metric("As", cast<SymbolOpInterface>(*result).getName())
      << remark::reason("{0}", inPlace ? "all callers are in one state"
                                       : "callers are in a state of their own");
  return result;
}

/// `symbol` with its last name replaced by `leaf`.
static SymbolRefAttr replaceLeaf(SymbolRefAttr symbol, StringAttr leaf) {
  if (symbol.getNestedReferences().empty())
    return FlatSymbolRefAttr::get(leaf);
  SmallVector<FlatSymbolRefAttr> path(symbol.getNestedReferences());
  path.back() = FlatSymbolRefAttr::get(leaf);
  return SymbolRefAttr::get(symbol.getRootReference(), path);
}

LogicalResult ScopeSpecializer::rewrite() {
  // Functions first, from untouched bodies.
  llvm::MapVector<Instance, FunctionOpInterface> made;
  SmallVector<Instance> inPlace;
  for (auto &[instance, callees] : instances) {
    if (!instance.state) {
      made[instance] = instance.function;
      continue;
    }
    // Its own function takes the first state, if nobody needs it as it is.
    Instance plain{instance.function, {}};
    bool isFree = !instances.contains(plain) && !made.contains(plain);
    if (isFree) {
      made[plain] = instance.function;
      inPlace.push_back(instance);
    } else {
      made[instance] = createFor(instance, /*inPlace=*/false);
    }
  }
  for (Instance instance : inPlace)
    made[instance] = createFor(instance, /*inPlace=*/true);
  auto retarget = [&](CallOpInterface call,
                      const std::optional<Instance> &callee) {
    if (!callee)
      return;
    auto name = cast<SymbolOpInterface>(*made.lookup(*callee)).getNameAttr();
    auto symbol = cast<SymbolRefAttr>(call.getCallableForCallee());
    if (symbol.getLeafReference() != name)
      call.setCalleeFromCallable(replaceLeaf(symbol, name));
  };
  for (auto &[instance, callees] : instances) {
    FunctionOpInterface function = made.lookup(instance);
    if (function == instance.function) {
      for (auto [call, callee] :
           llvm::zip_equal(getFacts(function).getCalls(), callees))
        retarget(call.call, callee);
      continue;
    }
    const auto *next = callees.begin();
    function->walk([&](CallOpInterface call) { retarget(call, *next++); });
  }
  for (auto &[instance, callees] : instances) {
    if (!instance.state)
      continue;
    FunctionOpInterface function = made.lookup(instance);
    for (auto [index, device] : llvm::enumerate(decodeDevices(instance.state)))
      if (device)
        function.setArgAttr(index, AMPDialect::kDeviceAttrName, device);
    SmallVector<StateEntry> scopes = decodeScopes(instance.state);
    if (scopes.empty())
      continue;
    if (failed(liftToOneBlock(function.getFunctionBody(), function)))
      return failure();
    for (const StateEntry &entry : llvm::reverse(scopes)) {
      ScopeSpec spec;
      spec.device = entry.device;
      spec.dtype = entry.dtype;
      spec.disabled = !entry.enabled;
      spec.policy = entry.policy;
      wrapBody(function, spec);
    }
  }
  return success();
}

LogicalResult ScopeSpecializer::run() {
  SmallVector<FunctionOpInterface> defined;
  llvm::copy_if(
      functions, std::back_inserter(defined),
      [](FunctionOpInterface function) { return !function.isExternal(); });
  LogicalResult result = success();
  size_t next = 0;
  auto visitRequested = [&] {
    // Visiting an instance requests more.
    for (; next != instances.size(); ++next)
      if (failed(visit(instances.begin()[next].first)))
        result = failure();
  };
  for (FunctionOpInterface function : defined)
    if (isEnteredFromOutside(function))
      request({function, {}});
  visitRequested();
  // Functions that only call each other.
  llvm::SmallPtrSet<Operation *, 16> reached;
  for (auto &[instance, callees] : instances)
    reached.insert(instance.function);
  for (FunctionOpInterface function : defined)
    if (!reached.contains(function))
      request({function, {}});
  visitRequested();
  if (failed(result))
    return failure();
  return rewrite();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// What there is to specialise, found in one walk.
struct Survey {
  SmallVector<FunctionOpInterface> functions;
  /// The calls in scopes.
  SmallVector<CallOpInterface> calls;
  bool hasQueries = false;
  bool hasAddresses = false;
  bool hasDevices = false;
};
} // namespace

static bool hasDevices(FunctionOpInterface function) {
  if (!function.getAllArgAttrs())
    return false;
  return llvm::any_of(
      llvm::seq(function.getNumArguments()), [&](unsigned index) {
        return bool(function.getArgAttr(index, AMPDialect::kDeviceAttrName));
      });
}

/// Emits an error on the first scope that is not a region in a known state.
static FailureOr<Survey> survey(ModuleOp module) {
  Survey found;
  // Interfaces are looked up once for each name: this is all ops of a module.
  struct Kind {
    bool isFunction, isCall;
  };
  DenseMap<OperationName, Kind> kinds;
  auto visit = [&](Operation *op) {
    auto [kind, isNew] = kinds.try_emplace(op->getName());
    if (isNew)
      kind->second = {isa<FunctionOpInterface>(op), isa<CallOpInterface>(op)};
    if (isa<ConfigOp, EnterOp, ExitOp>(op) ||
        (!op->getDiscardableAttrDictionary().empty() &&
         (op->hasAttr(AMPDialect::kScopeAttrName) ||
          op->hasAttr(AMPDialect::kEntryAttrName)))) {
      emitError(op, DiagnosticId::S011)
          << "'" << op->getName() << "' is an import form of a scope, which "
          << "calls cannot be specialised for: run amp-structurize-scopes "
             "first";
      return WalkResult::interrupt();
    }
    if (auto scope = dyn_cast<AutocastOp>(op)) {
      if (!scope.getFlag())
        return WalkResult::advance();
      emitError(op, DiagnosticId::S021)
          << "the scope is under a run-time flag, which calls cannot be "
             "specialised for: run amp-version-scopes first";
      return WalkResult::interrupt();
    }
    if (kind->second.isFunction) {
      auto function = cast<FunctionOpInterface>(op);
      found.functions.push_back(function);
      found.hasDevices |= hasDevices(function);
    } else if (kind->second.isCall) {
      if (op->getParentOfType<AutocastOp>())
        found.calls.push_back(cast<CallOpInterface>(op));
      found.hasAddresses |= isa<func::CallIndirectOp>(op);
    } else {
      found.hasQueries |= isa<IsEnabledOp>(op);
      found.hasAddresses |= isa<func::ConstantOp>(op);
    }
    return WalkResult::advance();
  };
  if (module.walk(visit).wasInterrupted())
    return failure();
  return found;
}

/// Whether some call in a scope leads to a function that depends on its state.
/// After specialisation none does.
static bool hasWork(ArrayRef<CallOpInterface> calls) {
  SymbolTableCollection symbols;
  DeviceFlow flow(symbols, /*hasDevices=*/false);
  DenseMap<Operation *, StateAttr> states;
  DenseMap<Instance, bool> dependent;
  return llvm::any_of(calls, [&](CallOpInterface call) {
    auto scope = call->getParentOfType<AutocastOp>();
    auto [state, isNew] = states.try_emplace(scope);
    if (isNew)
      state->second = getStateInScope(scope);
    if (!state->second)
      return false;
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (!callee || callee.isExternal())
      return true;
    Instance instance{callee, state->second};
    auto [depends, isUnknown] = dependent.try_emplace(instance);
    if (isUnknown)
      depends->second = dependsOnEntryState(callee, instance.state, flow);
    return depends->second;
  });
}

FailureOr<SpecializedFunctions>
mlir::amp::specializeScopes(ModuleOp module, StringRef indirectCalls) {
  FailureOr<Survey> found = survey(module);
  if (failed(found))
    return failure();
  if (found->hasAddresses)
    resolveIndirectCalls(module, indirectCalls == "version");
  SpecializedFunctions done;
  if (found->hasAddresses || found->hasDevices || hasWork(found->calls)) {
    ScopeSpecializer specializer(module, found->functions, found->hasDevices,
                                 indirectCalls == "keep");
    if (failed(specializer.run()))
      return failure();
    done = specializer.done;
  }
  if (found->hasQueries)
    foldQueries(module, /*entryIsOff=*/true);
  return done;
}

namespace {
struct AmpSpecializeScopesPass
    : public amp::impl::AmpSpecializeScopesPassBase<AmpSpecializeScopesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (indirectCalls != "error" && indirectCalls != "version" &&
        indirectCalls != "keep") {
      emitError(module.getLoc(), DiagnosticId::O001)
          << "amp-specialize-scopes: option 'indirect-calls' is '"
          << indirectCalls << "', but expected 'error', 'version' or 'keep'";
      return signalPassFailure();
    }
    FailureOr<SpecializedFunctions> done =
        specializeScopes(module, indirectCalls);
    if (failed(done))
      return signalPassFailure();
    numSpecialized += done->numCreated;
    numInPlace += done->numInPlace;
  }
};
} // namespace
