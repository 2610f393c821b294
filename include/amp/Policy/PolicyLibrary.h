//===- PolicyLibrary.h - the policy sets that a module can use --*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_POLICYLIBRARY_H
#define AMP_POLICY_POLICYLIBRARY_H

#include "amp/Policy/PolicySet.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::amp {

/// The policy sets that the scopes of a module can name: those in the module,
/// then those of a policy file, then the built-in ones. Sets are made when they
/// are asked for, and live as long as the library, which must not outlive the
/// module.
class PolicyLibrary {
public:
  /// The sets of `module`.
  explicit PolicyLibrary(ModuleOp module);
  ~PolicyLibrary();

  /// Adds the sets of the file `path`, MLIR text or bytecode that holds nothing
  /// but policy sets. Emits an error in the file, or at `loc` where it cannot
  /// be read, or a set has the name of one in the module.
  LogicalResult loadFile(StringRef path, Location loc);

  /// Makes the sets `names` (with or without '@' in front) those of all scopes
  /// for their devices that name none. Without names, those of the policy file
  /// that no other set in it extends. Emits an error at `loc` for a name that
  /// is unknown, and for two sets for one device.
  LogicalResult setDefaults(ArrayRef<std::string> names, Location loc);

  /// The set `name` for a scope of device `device`, or, if `name` is null, the
  /// one that scopes of the device use. Emits errors at `loc`, and in the
  /// chain of extended sets, for a set that does not exist, is for another
  /// device, or extends itself. Null after an error.
  const PolicySet *lookup(SymbolRefAttr name, StringRef device, Location loc);

  /// Warns of every entry of the sets that were looked up, apart from the
  /// built-in ones, that is for an op of which there is none in the module, and
  /// that is not known to be one elsewhere: such an entry is a remark.
  void warnAboutUnusedEntries();

  /// The set that the options or the file choose for scopes of `device` that
  /// name none; null if they choose none, or after an error at `loc`.
  const PolicySet *lookupDefault(StringRef device, Location loc);

  /// Warns if there is a file, but sets were looked up in other places only.
  void warnAboutUnusedFile();

private:
  const PolicySet *lookup(StringRef name, StringRef device, Location loc);
  const PolicySet *build(PolicySetOp op);
  PolicySetOp find(StringRef name) const;
  void suggest(InFlightDiagnostic &diag, StringRef name) const;

  ModuleOp module;
  OwningOpRef<ModuleOp> file;
  /// All sets that were made, in the order of their making. Null for one that
  /// is in the making, and one that has errors.
  llvm::MapVector<Operation *, std::unique_ptr<PolicySet>> sets;
  llvm::SmallPtrSet<Operation *, 4> failedSets;
  /// Whether a scope has asked for its set.
  bool wasAsked = false;
  /// Names of sets by device.
  llvm::StringMap<std::string> defaults;
};

} // namespace mlir::amp

#endif // AMP_POLICY_POLICYLIBRARY_H
