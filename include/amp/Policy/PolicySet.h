//===- PolicySet.h - what is wanted of each op ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_POLICYSET_H
#define AMP_POLICY_POLICYSET_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Interfaces/PrecisionOpInterface.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <optional>

namespace mlir::amp {

/// What is wanted: a policy for ops by name, and for classes of ops that no
/// entry names.
class PolicySet {
public:
  /// The built-in set of a device ("cuda" or "cpu"), after the categories of
  /// torch.autocast for that device. Null for other devices.
  static const PolicySet *getBuiltin(StringRef device);

  /// The devices that have a built-in set, for messages.
  static ArrayRef<StringRef> getBuiltinDevices();

  /// The policy of the entry for exactly this op name. ATen ops are looked up
  /// under one spelling: without "torch." in front and ".default" behind.
  std::optional<Policy> lookupName(StringRef name) const;

  /// The policy for ops of a class that no entry names. Every class has one.
  Policy lookupClass(PrecisionClass precisionClass) const;

  /// The policy for an op without PrecisionOpInterface that no entry names:
  /// ATen ops fall through (they promote on their own), others keep their
  /// types.
  static Policy getUnknownOpPolicy(StringRef name);

private:
  explicit PolicySet(StringRef device);

  llvm::StringMap<Policy> names;
  std::array<Policy, static_cast<size_t>(PrecisionClass::Pinned) + 1> classes;
};

} // namespace mlir::amp

#endif // AMP_POLICY_POLICYSET_H
