//===- ScopeConfig.h - what a scope is entered with -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_SCOPECONFIG_H
#define LIB_DIALECT_AMP_TRANSFORMS_SCOPECONFIG_H

#include "ScopeUtils.h"

namespace mlir::amp {

/// What the scope that `enter` opens turns autocast to. Its config is an
/// amp.config, or chosen from some by arith.select, scf.if or
/// scf.index_switch; a choice is made where the scope is entered, and whether
/// autocast is on becomes a flag. Emits an error at `enter`, with notes at the
/// choices, where the config comes from elsewhere, or where its device or dtype
/// is chosen at run time.
FailureOr<ScopeSpec> resolveConfig(EnterOp enter);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_SCOPECONFIG_H
