//===- DeviceFlow.cpp - on which devices values are -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFlow.h"

#include "amp/Analysis/ForwardedOperands.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

/// What is known of the results that a call of `callee` gives. Nothing yet for
/// a callee that is new here: it is queued, and then the users again.
SmallVector<StringAttr>
DeviceFlow::getResults(Operation *callee, SmallVector<StringAttr> arguments,
                       std::optional<Key> user) {
  Builder builder(callee->getContext());
  SmallVector<Attribute> encoded;
  for (StringAttr device : arguments)
    encoded.push_back(device ? Attribute(device)
                             : Attribute(builder.getUnitAttr()));
  Key key(callee, builder.getArrayAttr(encoded));
  auto [it, inserted] = summaries.insert({key, Summary()});
  if (inserted) {
    it->second.arguments = std::move(arguments);
    it->second.results.resize(
        cast<FunctionOpInterface>(callee).getNumResults());
    queue.insert(key);
  }
  if (user)
    it->second.users.insert(*user);
  return it->second.results;
}

Devices DeviceFlow::run(FunctionOpInterface function,
                        ArrayRef<StringAttr> arguments,
                        std::optional<Key> user) {
  Devices devices;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto own = function.getArgAttrOfType<StringAttr>(
        index, AMPDialect::kDeviceAttrName);
    if (!own && index < arguments.size())
      own = arguments[index];
    if (own)
      devices[argument] = own;
  }
  bool changed = true;
  auto set = [&](Value value, StringAttr device) {
    if (device)
      changed |= devices.try_emplace(value, device).second;
  };
  auto visit = [&](Operation *op) {
    for (const ForwardedOperand &pair : getForwardedOperands(op))
      set(pair.input, devices.lookup(pair.operand->get()));
    if (isa<RegionBranchOpInterface>(op))
      return;
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      auto callee = dyn_cast_or_null<FunctionOpInterface>(
          call.resolveCallableInTable(&symbols));
      if (callee && !callee.isExternal()) {
        auto operands =
            llvm::map_to_vector(call.getArgOperands(), [&](Value operand) {
              return devices.lookup(operand);
            });
        for (auto [result, device] :
             llvm::zip(op->getResults(), getResults(callee, operands, user)))
          set(result, device);
        return;
      }
    }
    StringAttr device;
    for (Value operand : op->getOperands())
      if (StringAttr own = devices.lookup(operand);
          own && (!device || device.getValue() == "cpu"))
        device = own;
    for (Value result : op->getResults())
      set(result, device);
  };
  while (changed) {
    changed = false;
    function->walk<WalkOrder::PreOrder>(visit);
  }
  return devices;
}

void DeviceFlow::solve() {
  while (!queue.empty()) {
    Key key = queue.pop_back_val();
    auto function = cast<FunctionOpInterface>(key.first);
    SmallVector<StringAttr> arguments = summaries.find(key)->second.arguments;
    Devices devices = run(function, arguments, key);
    bool changed = false;
    Summary &summary = summaries.find(key)->second;
    for (Block &block : function.getFunctionBody()) {
      Operation *end = block.getTerminator();
      if (!end->hasTrait<OpTrait::ReturnLike>())
        continue;
      for (auto [operand, device] :
           llvm::zip(end->getOperands(), summary.results))
        if (StringAttr own = devices.lookup(operand); own && !device) {
          device = own;
          changed = true;
        }
    }
    if (changed)
      queue.insert_range(summary.users);
  }
}

Devices DeviceFlow::propagate(FunctionOpInterface function,
                              ArrayRef<StringAttr> arguments) {
  if (!hasDevices)
    return Devices();
  Devices devices = run(function, arguments, std::nullopt);
  // What was asked for the first time is answered now.
  while (!queue.empty()) {
    solve();
    devices = run(function, arguments, std::nullopt);
  }
  return devices;
}
