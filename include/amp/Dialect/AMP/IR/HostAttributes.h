//===- HostAttributes.h - attributes between host passes --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of discardable attributes that passes on host functions leave for
// amp-cuda-lower-host.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_HOSTATTRIBUTES_H
#define AMP_DIALECT_AMP_IR_HOSTATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::amp {

/// The attribute (a unit) of a gpu.launch_func whose kernel waits by itself for
/// the launches in front, so that it may start before they have ended
/// (programmatic dependent launch).
inline constexpr llvm::StringLiteral kDependentAttrName = "amp.dependent";

/// The attribute (i64, 1 to 255) of a gpu.launch_func whose kernel does the
/// same with any grid along x, as its blocks share the work: how many blocks of
/// it run on a multiprocessor at once. The runtime makes grids no larger than
/// the device can hold.
inline constexpr llvm::StringLiteral kPersistentAttrName = "amp.persistent";

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_HOSTATTRIBUTES_H
