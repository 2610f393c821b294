//===- SizeChecks.h - checks of sizes as a program runs ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_EXECUTION_SIZECHECKS_H
#define AMP_LIB_EXECUTION_SIZECHECKS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Puts checks (cf.assert) of what depends on arguments into `module`, on
/// tensors: code would read what is not there, or write beyond what there is.
///   - before linalg ops of dynamic shape, that the sizes of their operands
///     agree;
///   - before slices and casts, that they are within the tensor;
///   - before ops that make a tensor of computed sizes, that no size is below 0
///     and that its bytes can be counted;
///   - before tensor.expand_shape, that the sizes multiply to those it splits,
///     and before tensor.reshape, that they multiply to the number of elements.
/// Ops inside of payloads stay as they are.
void addSizeChecks(ModuleOp module);

} // namespace mlir::amp

#endif // AMP_LIB_EXECUTION_SIZECHECKS_H
