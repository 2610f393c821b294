//===- ValueKeys.h - what a profile calls a value ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_VALUEKEYS_H
#define AMP_POLICY_VALUEKEYS_H

#include "amp/Policy/Profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::amp {

/// The attribute (a string) of a function that is a copy of another, for
/// example for a state of autocast of its own: the name of the function that a
/// profile knows its values by.
inline constexpr StringLiteral kProfiledAsAttrName = "amp.profiled_as";

/// A name for every value of the functions under an op that says how the value
/// is computed, and nothing else: "<function>:<16 hex digits>". The digits are
/// a hash of the op that defines the value (name, attributes, result types),
/// and of the same of its operands, up to the arguments of the function. So an
/// edit changes the keys of what depends on it, and no others.
///
/// - An argument of a function counts by `amp.name`, or else its position, and
///   its type.
/// - Constants count by content. `tensor.empty` and `tensor.dim` count by type:
///   ranges do not hang on how sizes are computed.
/// - amp.autocast counts as if it were not there: its block arguments are its
///   captures, and its results what it yields.
/// - Arguments of loops and branches count by the whole op with its regions.
/// - A call counts by what its callee returns, not by its name.
/// - Locations, names, attributes that start with "amp.", dead ops and the
///   order of ops do not count; nor does the order of the operands of a
///   commutative op.
/// - A branch (scf.if) whose sides compute the same counts as what they
/// compute.
/// - Values that are computed alike have one key.
class ValueKeys {
public:
  /// Computes the keys of all values in the functions under `root`.
  explicit ValueKeys(Operation *root);
  ~ValueKeys();

  /// The key; empty for a value that is in no function under the root.
  std::string getKey(Value value) const;

private:
  DenseMap<Value, uint64_t> digests;
  DenseMap<Operation *, std::string> functions;
};

/// The value that `value` is another name for: through block arguments and
/// results of amp.autocast, the value outside or inside. Itself for others.
Value getProfiledValue(Value value);

/// The values under `root` of which a profile has an entry, in the order of the
/// text: of those of `selection` the ranked tensors of floats that control flow
/// reaches and whose elements are all defined, and which are not constants.
/// Of pure ops in one block that compute the same, the first.
SmallVector<Value> getProfiledValues(Operation *root, const ValueKeys &keys,
                                     const ProfileSelection &selection);

/// The entry for `value`, without numbers: names, location and types.
ProfileEntry makeProfileEntry(Value value, const ValueKeys &keys);

} // namespace mlir::amp

#endif // AMP_POLICY_VALUEKEYS_H
