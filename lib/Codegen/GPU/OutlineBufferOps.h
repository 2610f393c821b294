//===- OutlineBufferOps.h - kernels of ops on buffers -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_OUTLINEBUFFEROPS_H
#define AMP_LIB_CODEGEN_GPU_OUTLINEBUFFEROPS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp::gpu {

/// Makes a kernel function, and a launch of it, of each linalg op of the host
/// functions of `module` that works on device buffers. An op that reads what it
/// writes, without being a reduction, is an error.
LogicalResult outlineBufferOps(ModuleOp module);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_OUTLINEBUFFEROPS_H
