//===- CheckRegisters.h - registers that warpgroups ask for -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_NVVM_CHECKREGISTERS_H
#define AMP_LIB_CODEGEN_NVVM_CHECKREGISTERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::amp {

/// Fails, with an error at the op, where setmaxnreg would wait forever or have
/// no effect that PTX defines: where one warpgroup gives registers away
/// (`scf.if` on the number of the warpgroup), and the others ask for more than
/// the block has. Kernels of another form, and of unknown block size, pass.
LogicalResult checkRegisters(::mlir::gpu::GPUFuncOp function);

} // namespace mlir::amp

#endif // AMP_LIB_CODEGEN_NVVM_CHECKREGISTERS_H
