//===- HoistCasts.h - casts of values from outside of loops -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_HOISTCASTS_H
#define LIB_DIALECT_AMP_TRANSFORMS_HOISTCASTS_H

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// Moves the casts under `root` that a policy, a promotion or a border asked
/// for in front of the outermost loop that their operand comes from outside of:
/// one cast there serves all rounds. Equal casts become one. Returns how many
/// were moved.
int64_t hoistCasts(Operation *root);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_HOISTCASTS_H
