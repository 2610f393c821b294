//===- PolicySet.h - what is wanted of each op ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_POLICYSET_H
#define AMP_POLICY_POLICYSET_H

#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace mlir::amp {

class PolicySet;

/// The name of the built-in set of every device under which the rules of the
/// classifier decide alone.
inline constexpr llvm::StringLiteral classifierSetName = "classifier";

/// A policy, and where it is written.
struct PolicyEntry {
  Policy policy;
  /// The set that holds the entry. An entry never outlives its set.
  const PolicySet *set = nullptr;
  /// The op that says so; null for entries of built-in sets, and for the class
  /// policies that every set has without saying so.
  Operation *op = nullptr;
};

/// What is wanted: a policy for ops by name, and for classes of ops that no
/// entry names. A set may extend another one, whose entries then hold where its
/// own say nothing.
class PolicySet {
public:
  /// The set of `op`, on top of `base` (may be null), which must outlive it.
  /// The entries keep the ops of `op`.
  PolicySet(PolicySetOp op, const PolicySet *base);
  PolicySet(const PolicySet &) = delete;
  PolicySet &operator=(const PolicySet &) = delete;

  /// The built-in set that scopes of `device` use unless told otherwise, after
  /// the categories of torch.autocast for that device. Null for a device that
  /// has none.
  static const PolicySet *getBuiltin(StringRef device);

  /// The built-in set of this name ("torch_cuda") as it is for `device`; null
  /// if there is none of the name, or not for the device.
  static const PolicySet *getBuiltin(StringRef name, StringRef device);

  /// The devices that have a built-in set, for messages.
  static ArrayRef<StringRef> getBuiltinDevices();

  /// The names of the built-in sets, in a fixed order.
  static ArrayRef<StringRef> getBuiltinNames();

  /// Name and device of every built-in set, in a fixed order. A name stands
  /// there once for each device that it is for.
  static ArrayRef<std::pair<StringRef, StringRef>> getBuiltinSets();

  /// Its symbol name, such as "torch_cuda".
  StringRef getName() const { return name; }
  StringRef getDevice() const { return device; }
  /// The set that this one extends; null if none.
  const PolicySet *getBase() const { return base; }
  /// The op; null for a built-in set.
  PolicySetOp getOp() const { return op; }

  /// The entry for exactly this op name, of this set or one that it extends;
  /// null if there is none. ATen ops are looked up under one spelling: without
  /// "torch." in front and ".default" behind. An entry for all overloads
  /// ("aten.pow.*") matches where the same set has none for the overload.
  const PolicyEntry *lookupName(StringRef name) const;

  /// The policy for ops of a class that no entry names. Every class has one.
  const PolicyEntry &lookupClass(PrecisionClass precisionClass) const;

  /// Whether it is, or extends, the built-in set `@classifier`: what neither an
  /// entry nor a rule keeps out runs in the lower type.
  bool isClassifier() const;

  /// What happens to an op that nobody knows.
  UnknownOp getUnknownOp() const;

  /// The entries by name of this set alone, those that it extends left out,
  /// sorted by name.
  SmallVector<std::pair<StringRef, PolicyEntry>> getOwnEntries() const;

  /// The entries by class of this set alone, in the order of the classes.
  SmallVector<std::pair<PrecisionClass, PolicyEntry>> getOwnClasses() const;

  /// Makes an op with the entries of this set alone, classes first, then by
  /// name; it extends what the set extends. `symbol` is its name.
  PolicySetOp materialize(OpBuilder &builder, StringRef symbol,
                          Location loc) const;

private:
  struct Builtin;
  explicit PolicySet(const Builtin &data);

  std::string name, device;
  PolicySetOp op;
  const PolicySet *base = nullptr;
  std::optional<UnknownOp> unknownOp;
  llvm::StringMap<PolicyEntry> names;
  std::array<std::optional<PolicyEntry>,
             static_cast<size_t>(PrecisionClass::Pinned) + 1>
      classes;
};

/// Whether `name` is that of an ATen op, in any spelling. In torch every ATen
/// op that no list names falls through.
bool isATenOp(StringRef name);

/// The lower-precision type that torch takes for scopes of `device` unless told
/// otherwise: bf16 for cpu, hpu, xla and maia, f16 for all others.
Type getDefaultLowerType(StringRef device, MLIRContext *context);

/// The name of an entry for all overloads of the ATen op `name` ("aten.pow.*"
/// for "aten.pow.Scalar"); empty for an overload that writes to an operand, and
/// for other ops.
std::string getOverloadPattern(StringRef name);

/// The overload of the ATen op `name` with a `dtype` parameter, for policy
/// fp32_append_dtype ("aten.norm.ScalarOpt_dtype" for "aten.norm.Scalar");
/// empty if there is none.
StringRef getDtypeOverload(StringRef name);

/// What torch advises to users of an op that it bans, in lines; empty for other
/// ops.
StringRef getBannedAdvice(StringRef name);

} // namespace mlir::amp

#endif // AMP_POLICY_POLICYSET_H
