//===- Bufferization.h - launches on buffers --------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_KERNELS_BUFFERIZATION_H
#define AMP_CODEGEN_KERNELS_BUFFERIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::amp {

/// Adds the model of BufferizableOpInterface for `amp.launch` to `registry`: a
/// launch on tensors becomes one on buffers, which writes its destinations.
void registerLaunchBufferization(DialectRegistry &registry);

/// Whether the kernel function `kernel` reads the data that its argument
/// `index`, a destination, comes with: not where it only gives its shape, or
/// only says where an op that does not read it puts its result.
bool readsDestination(func::FuncOp kernel, unsigned index);

} // namespace mlir::amp

#endif // AMP_CODEGEN_KERNELS_BUFFERIZATION_H
