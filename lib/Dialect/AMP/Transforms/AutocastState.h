//===- AutocastState.h - the state a function is entered with ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_AUTOCASTSTATE_H
#define LIB_DIALECT_AMP_TRANSFORMS_AUTOCASTSTATE_H

#include "DeviceFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {

/// What holds for one device.
struct StateEntry {
  StringAttr device;
  bool enabled;
  Type dtype;
  SymbolRefAttr policy;

  bool operator==(const StateEntry &other) const {
    return device == other.device && enabled == other.enabled &&
           dtype == other.dtype && policy == other.policy;
  }
};

/// The state in which a function is entered, as an attribute, so that equal
/// states are one key: [[scope...], [device of each argument]]. Null where
/// nothing is on and no device is known.
using StateAttr = ArrayAttr;

/// The open scopes of a state, outermost first, one for each device. Only the
/// innermost may be off.
SmallVector<StateEntry> decodeScopes(StateAttr state);

/// For each argument its device, or null; empty if none is known.
SmallVector<StringAttr> decodeDevices(StateAttr state);

/// Whether anything that `function` does differs between being entered in state
/// `entry` and being entered with autocast off on values of unknown devices.
bool dependsOnEntryState(FunctionOpInterface function, StateAttr entry,
                         DeviceFlow &flow);

/// What the devices of the results of `function` depend on of the state
/// `entry`: the devices of the arguments; null if they depend on nothing.
StateAttr getStateOfResults(FunctionOpInterface function, StateAttr entry,
                            DeviceFlow &flow);

/// The state that a call in `scope`, and no other inside of it, gives its
/// callee, where the function around it is entered with autocast off on values
/// of unknown devices.
StateAttr getStateInScope(AutocastOp scope);

/// A call in a function.
struct CallFacts {
  mutable CallOpInterface call;
  /// Null if it is not known.
  mutable FunctionOpInterface callee;
  /// Where it is: which scopes are around it in its function.
  unsigned place;
};

/// What specialisation has to know about one function, found once.
class FunctionFacts {
public:
  FunctionFacts(FunctionOpInterface function, SymbolTableCollection &symbols);

  /// The calls, in the order of a walk.
  ArrayRef<CallFacts> getCalls() const { return calls; }

  /// The function entered in a state: found once for all its calls.
  struct Entered {
    SmallVector<StateEntry> scopes;
    Devices devices;
  };
  Entered enter(StateAttr entry, DeviceFlow &flow) const;

  /// The state that `call`, one of these, gives its callee.
  StateAttr getStateAtCall(const CallFacts &call, const Entered &entered) const;

  /// Whether autocast is on for any device at the call.
  bool isEnabledAtCall(const CallFacts &call, const Entered &entered) const;

private:
  void visit(Region &region, SymbolTableCollection &symbols,
             SmallVectorImpl<StateEntry> &scopes, unsigned place);

  /// Interfaces are handles whose methods are not const.
  mutable FunctionOpInterface function;
  SmallVector<CallFacts> calls;
  /// The scopes around the calls, outermost first.
  SmallVector<SmallVector<StateEntry>> places;
};

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_AUTOCASTSTATE_H
