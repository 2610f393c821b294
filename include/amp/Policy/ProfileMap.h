//===- ProfileMap.h - a profile, looked up by value -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_PROFILEMAP_H
#define AMP_POLICY_PROFILEMAP_H

#include "amp/Policy/Profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace mlir::amp {

/// What becomes of a profile that is not of the program.
enum class StaleProfile { Error, Warn };

/// A profile, looked up by the values of a program. Built once for a module, as
/// it was when it was profiled; ops that are cloned afterwards, for example
/// because a call is inlined, keep their entries. The attributes that this
/// takes are removed when the object goes.
class ProfileMap {
public:
  /// Looks up every value of `module`. A profile that has entries for values
  /// that are not there, or no entry for one that is, is stale: that is an
  /// error, or with StaleProfile::Warn a warning, at the values concerned, with
  /// the nearest ones by name; entries that fit are then used. `origin` names
  /// the profile in messages.
  static FailureOr<std::unique_ptr<ProfileMap>> create(ModuleOp module,
                                                       Profile profile,
                                                       StaleProfile stale,
                                                       const Twine &origin);
  ~ProfileMap();

  /// What is known of `value`, or null.
  const RangeStatistics *lookup(Value value) const;

  /// The entry for `value`, or null.
  const ProfileEntry *lookupEntry(Value value) const;

  const Profile &getProfile() const { return profile; }

private:
  ProfileMap(ModuleOp module, Profile profile)
      : module(module), profile(std::move(profile)) {}

  ModuleOp module;
  Profile profile;
  std::vector<const ProfileEntry *> entries;
  DenseMap<Value, const ProfileEntry *> arguments;
};

} // namespace mlir::amp

#endif // AMP_POLICY_PROFILEMAP_H
