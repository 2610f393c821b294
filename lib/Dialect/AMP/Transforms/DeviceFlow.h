//===- DeviceFlow.h - on which devices values are ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_DEVICEFLOW_H
#define LIB_DIALECT_AMP_TRANSFORMS_DEVICEFLOW_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::amp {

/// The devices of values, where they are known.
using Devices = DenseMap<Value, StringAttr>;

/// Finds the devices of values as PrecisionAnalysis does: a value has the
/// device of what it comes from, and the result of a call that of what the
/// callee returns for arguments on these devices. A declaration is taken as any
/// other op.
class DeviceFlow {
public:
  /// `hasDevices`: whether any function says of an argument where it is. If
  /// not, nothing is known of any value.
  DeviceFlow(SymbolTableCollection &symbols, bool hasDevices)
      : symbols(symbols), hasDevices(hasDevices) {}

  /// The devices in `function`, whose arguments are on the devices `arguments`
  /// (null or missing: not known), where they say nothing of their own.
  Devices propagate(FunctionOpInterface function,
                    ArrayRef<StringAttr> arguments);

private:
  /// A function and the devices of its arguments.
  using Key = std::pair<Operation *, Attribute>;
  struct Summary {
    SmallVector<StringAttr> arguments;
    /// The devices of what is returned.
    SmallVector<StringAttr> results;
    /// Those whose calls use this.
    llvm::SmallSetVector<Key, 2> users;
  };

  Devices run(FunctionOpInterface function, ArrayRef<StringAttr> arguments,
              std::optional<Key> user);
  SmallVector<StringAttr> getResults(Operation *callee,
                                     SmallVector<StringAttr> arguments,
                                     std::optional<Key> user);
  void solve();

  SymbolTableCollection &symbols;
  bool hasDevices;
  llvm::MapVector<Key, Summary> summaries;
  llvm::SetVector<Key> queue;
};

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_DEVICEFLOW_H
