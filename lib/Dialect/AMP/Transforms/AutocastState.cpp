//===- AutocastState.cpp - the state a function is entered with -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutocastState.h"

#include "amp/Analysis/PrecisionAnalysis.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// States as attributes
//===----------------------------------------------------------------------===//

SmallVector<StateEntry> mlir::amp::decodeScopes(StateAttr state) {
  SmallVector<StateEntry> scopes;
  if (!state)
    return scopes;
  for (auto fields : cast<ArrayAttr>(state[0]).getAsRange<ArrayAttr>())
    scopes.push_back({cast<StringAttr>(fields[0]),
                      cast<BoolAttr>(fields[1]).getValue(),
                      cast<TypeAttr>(fields[2]).getValue(),
                      dyn_cast<SymbolRefAttr>(fields[3])});
  return scopes;
}

SmallVector<StringAttr> mlir::amp::decodeDevices(StateAttr state) {
  SmallVector<StringAttr> devices;
  if (state)
    for (Attribute device : cast<ArrayAttr>(state[1]))
      devices.push_back(dyn_cast<StringAttr>(device));
  return devices;
}

/// The scopes `inner`, entered in `outer`: one for each device. A scope that is
/// off matters only as the innermost, because values of unknown device belong
/// to the device of that one.
static SmallVector<StateEntry> overlay(ArrayRef<StateEntry> outer,
                                       ArrayRef<StateEntry> inner) {
  SmallVector<StateEntry> scopes(outer);
  for (const StateEntry &entry : inner) {
    llvm::erase_if(scopes, [&](const StateEntry &other) {
      return other.device == entry.device;
    });
    scopes.push_back(entry);
  }
  if (llvm::none_of(scopes,
                    [](const StateEntry &entry) { return entry.enabled; })) {
    scopes.clear();
    return scopes;
  }
  StringAttr innermost = scopes.back().device;
  llvm::erase_if(scopes, [&](const StateEntry &entry) {
    return !entry.enabled && entry.device != innermost;
  });
  return scopes;
}

static StateAttr encode(MLIRContext *context, ArrayRef<StateEntry> scopes,
                        ArrayRef<StringAttr> devices) {
  Builder builder(context);
  SmallVector<Attribute> encodedScopes, encodedDevices;
  for (const StateEntry &entry : scopes)
    encodedScopes.push_back(builder.getArrayAttr(
        {entry.device, builder.getBoolAttr(entry.enabled),
         TypeAttr::get(entry.enabled ? entry.dtype : builder.getF16Type()),
         entry.policy ? Attribute(entry.policy)
                      : Attribute(builder.getUnitAttr())}));
  if (llvm::any_of(devices, [](StringAttr device) { return bool(device); }))
    for (StringAttr device : devices)
      encodedDevices.push_back(device ? Attribute(device)
                                      : Attribute(builder.getUnitAttr()));
  if (encodedScopes.empty() && encodedDevices.empty())
    return {};
  return builder.getArrayAttr({builder.getArrayAttr(encodedScopes),
                               builder.getArrayAttr(encodedDevices)});
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Whether autocast may change `op`, or `op` asks for the state.
static bool usesState(Operation *op) {
  if (isa<IsEnabledOp>(op))
    return true;
  if (isa<CallOpInterface, AutocastOp, YieldOp, RegionBranchOpInterface,
          RegionBranchTerminatorOpInterface>(op))
    return false;
  if (auto interface = dyn_cast<PrecisionOpInterface>(op)) {
    PrecisionClass kind = interface.getPrecisionClass();
    if (kind == PrecisionClass::Cast || kind == PrecisionClass::Generator ||
        kind == PrecisionClass::Pinned)
      return false;
  }
  return needsDecision(op);
}

static StateEntry getEntry(AutocastOp scope) {
  return {scope.getDeviceAttr(), !scope.getDisabled(), scope.getDtype(),
          scope.getPolicyAttr()};
}

FunctionFacts::FunctionFacts(FunctionOpInterface function,
                             SymbolTableCollection &symbols)
    : function(function) {
  SmallVector<StateEntry> scopes;
  places.emplace_back();
  visit(function.getFunctionBody(), symbols, scopes, /*place=*/0);
}

void FunctionFacts::visit(Region &region, SymbolTableCollection &symbols,
                          SmallVectorImpl<StateEntry> &scopes, unsigned place) {
  for (Block &block : region)
    for (Operation &op : block) {
      auto scope = dyn_cast<AutocastOp>(op);
      unsigned inner = place;
      if (scope) {
        scopes.push_back(getEntry(scope));
        inner = places.size();
        places.emplace_back(scopes.begin(), scopes.end());
      }
      for (Region &nested : op.getRegions())
        visit(nested, symbols, scopes, inner);
      if (scope)
        scopes.pop_back();
      // After the ops inside, as in a walk.
      if (auto call = dyn_cast<CallOpInterface>(op)) {
        auto callee = dyn_cast_or_null<FunctionOpInterface>(
            call.resolveCallableInTable(&symbols));
        calls.push_back({call, callee, place});
      }
    }
}

FunctionFacts::Entered FunctionFacts::enter(StateAttr entry,
                                            DeviceFlow &flow) const {
  return {decodeScopes(entry), flow.propagate(function, decodeDevices(entry))};
}

StateAttr FunctionFacts::getStateAtCall(const CallFacts &call,
                                        const Entered &entered) const {
  SmallVector<StateEntry> scopes = overlay(entered.scopes, places[call.place]);
  SmallVector<StringAttr> devices;
  if (!entered.devices.empty())
    for (Value operand : call.call.getArgOperands())
      devices.push_back(entered.devices.lookup(operand));
  // What the callee says of its arguments holds.
  for (auto [index, device] : llvm::enumerate(devices))
    if (index < call.callee.getNumArguments() &&
        call.callee.getArgAttr(index, AMPDialect::kDeviceAttrName))
      device = {};
  return encode(function->getContext(), scopes, devices);
}

bool FunctionFacts::isEnabledAtCall(const CallFacts &call,
                                    const Entered &entered) const {
  return !overlay(entered.scopes, places[call.place]).empty();
}

namespace {
/// A function entered in a state, and entered with autocast off.
struct Comparison {
  SmallVector<StateEntry> outer;
  Devices with, without;
  /// The scopes around what is compared, in the function.
  SmallVector<StateEntry> scopes;
  /// The same, entered in the state, and entered with autocast off.
  SmallVector<StateEntry> entered, alone;

  void enter() {
    entered = overlay(outer, scopes);
    alone = overlay({}, scopes);
  }
  bool hasDevices() const { return !with.empty(); }
  bool differs(Operation *op) const;
  bool hasOtherDevices(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) {
      return with.lookup(value) != without.lookup(value);
    });
  }
};
} // namespace

/// Whether what holds for `op` differs.
bool Comparison::differs(Operation *op) const {
  // Null where nothing is on.
  auto find = [](ArrayRef<StateEntry> scopes,
                 StringAttr device) -> const StateEntry * {
    for (const StateEntry &entry : llvm::reverse(scopes))
      if (!device || entry.device == device)
        return entry.enabled ? &entry : nullptr;
    return nullptr;
  };
  auto getDevice = [&](const Devices &devices) {
    StringAttr device;
    if (auto query = dyn_cast<IsEnabledOp>(op))
      return query.getDeviceAttr();
    for (Value operand : op->getOperands())
      if (StringAttr own = devices.lookup(operand);
          own && (!device || device.getValue() == "cpu"))
        device = own;
    return device;
  };
  const StateEntry *a = find(entered, getDevice(with));
  const StateEntry *b = find(alone, getDevice(without));
  return !a != !b || (a && !(*a == *b));
}

static bool dependsOn(Region &region, Comparison &comparison) {
  for (Block &block : region)
    for (Operation &op : block) {
      auto scope = dyn_cast<AutocastOp>(op);
      if (scope) {
        comparison.scopes.push_back(getEntry(scope));
        comparison.enter();
      }
      // Inside of scopes for all its devices the state does not matter.
      bool matters =
          comparison.hasDevices() || comparison.entered != comparison.alone;
      if (matters)
        for (Region &nested : op.getRegions())
          if (dependsOn(nested, comparison))
            return true;
      if (scope) {
        comparison.scopes.pop_back();
        comparison.enter();
        continue;
      }
      if (!matters)
        continue;
      if (auto call = dyn_cast<CallOpInterface>(op)) {
        if (comparison.entered != comparison.alone)
          return true;
        if (comparison.hasOtherDevices(call.getArgOperands()))
          return true;
      } else if (usesState(&op) && comparison.differs(&op)) {
        return true;
      }
    }
  return false;
}

bool mlir::amp::dependsOnEntryState(FunctionOpInterface function,
                                    StateAttr entry, DeviceFlow &flow) {
  SmallVector<StringAttr> arguments = decodeDevices(entry);
  Comparison comparison;
  comparison.outer = decodeScopes(entry);
  comparison.with = flow.propagate(function, arguments);
  comparison.without =
      arguments.empty() ? comparison.with : flow.propagate(function, {});
  comparison.enter();
  return dependsOn(function.getFunctionBody(), comparison);
}

StateAttr mlir::amp::getStateOfResults(FunctionOpInterface function,
                                       StateAttr entry, DeviceFlow &flow) {
  SmallVector<StringAttr> arguments = decodeDevices(entry);
  if (arguments.empty())
    return {};
  Devices with = flow.propagate(function, arguments);
  Devices without = flow.propagate(function, {});
  for (Block &block : function.getFunctionBody()) {
    Operation *end = block.getTerminator();
    if (!end->hasTrait<OpTrait::ReturnLike>())
      continue;
    for (Value operand : end->getOperands())
      if (with.lookup(operand) != without.lookup(operand))
        return encode(function->getContext(), {}, arguments);
  }
  return {};
}

StateAttr mlir::amp::getStateInScope(AutocastOp scope) {
  SmallVector<StateEntry> scopes;
  for (AutocastOp around = scope; around;
       around = around->getParentOfType<AutocastOp>())
    scopes.push_back(getEntry(around));
  std::reverse(scopes.begin(), scopes.end());
  return encode(scope.getContext(), overlay({}, scopes), {});
}
