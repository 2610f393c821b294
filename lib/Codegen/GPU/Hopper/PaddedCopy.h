//===- PaddedCopy.h - copies of operands that TMA can read ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TMA asks for rows of a multiple of 16 bytes. Where an operand has others, a
// kernel in front of the contraction copies it to rows that are padded: to 128
// bytes, so that a row of a tile lies in one line of L2.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_PADDEDCOPY_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_PADDEDCOPY_H

#include "WgmmaPlan.h"

namespace mlir::amp::gpu::hopper {

/// A kernel, and which of its arguments are copied before it runs.
struct PaddedKernel {
  /// Its operand types are those of the copies.
  Kernel kernel;
  SmallVector<unsigned> arguments;
};

/// What `kernel` becomes with copies of the operands of its contraction that
/// have rows, of a known size, which TMA cannot read. Nothing if there is none,
/// or if it has no contraction.
std::optional<PaddedKernel> getPaddedKernel(const Kernel &kernel);

/// Microseconds that the copies take.
double estimateCopies(const PaddedKernel &padded);

/// Creates the function that copies the argument `number` of `kernel`, called
/// like the kernel with `_pad` and the number behind, at the end of `module`.
::mlir::gpu::GPUFuncOp emitPaddedCopy(const Kernel &kernel,
                                      const PaddedKernel &padded,
                                      unsigned number,
                                      ::mlir::gpu::GPUModuleOp module);

/// Allocates the copy of `operand`, the argument `number`, and launches
/// `function`. Returns the copy, of the type that the padded kernel takes.
Value launchPaddedCopy(OpBuilder &b, Location loc, const PaddedKernel &padded,
                       unsigned number, ::mlir::gpu::GPUFuncOp function,
                       Value operand);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_PADDEDCOPY_H
