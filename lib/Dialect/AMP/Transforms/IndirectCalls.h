//===- IndirectCalls.h - direct calls of known callees ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_INDIRECTCALLS_H
#define LIB_DIALECT_AMP_TRANSFORMS_INDIRECTCALLS_H

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// Makes direct calls of the func.call_indirect under `root` whose callee is a
/// constant. With `version` also of those whose callee is chosen from constants
/// at run time: a branch on the choice, with a direct call each. A callee is
/// followed through arith.select, scf.if, scf.index_switch and the captures of
/// scopes; what comes from elsewhere stays.
void resolveIndirectCalls(Operation *root, bool version);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_INDIRECTCALLS_H
