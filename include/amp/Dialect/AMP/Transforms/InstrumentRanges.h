//===- InstrumentRanges.h - observe the values of a program -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_TRANSFORMS_INSTRUMENTRANGES_H
#define AMP_DIALECT_AMP_TRANSFORMS_INSTRUMENTRANGES_H

#include "amp/Policy/Profile.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Where a program is observed.
enum class ObservedIn {
  /// In copies of its functions, which run first: code generation makes of the
  /// program itself what it makes without observations, to the bit.
  Copies,
  /// In its functions: half the work, but a value that is observed is not fused
  /// into its reader, and sums may round in another order.
  Place
};

/// Puts an amp.observe behind every value of `module` that a profile has an
/// entry of, and takes away those that are there. The entries, without numbers,
/// are in the order of the slots; the keys are distinct. Functions that are not
/// func.func, or not directly in the module, are observed in place.
std::vector<ProfileEntry> instrumentRanges(ModuleOp module,
                                           const ProfileSelection &selection,
                                           ObservedIn where);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_TRANSFORMS_INSTRUMENTRANGES_H
