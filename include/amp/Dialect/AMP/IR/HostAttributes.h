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

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_HOSTATTRIBUTES_H
