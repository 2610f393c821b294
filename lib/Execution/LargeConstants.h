//===- LargeConstants.h - constants that are made at run time ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_EXECUTION_LARGECONSTANTS_H
#define AMP_LIB_EXECUTION_LARGECONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Makes linalg.fill of the constants in `module` that hold one number in more
/// than 1 GiB: code would hold all of it, and could not reach what is 2 GiB
/// away. Those without an element become tensor.empty: there is nothing for
/// the host of a device to copy.
void replaceConstants(ModuleOp module);

} // namespace mlir::amp

#endif // AMP_LIB_EXECUTION_LARGECONSTANTS_H
