//===- KernelForm.h - the forms before and in kernels -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_KERNELFORM_H
#define AMP_LIB_CODEGEN_KERNELS_KERNELFORM_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::amp::kernels {

/// Brings `function` into the form that KernelFusionModel groups:
/// linalg.generic and linalg.fill that read no init but an accumulator's first
/// value.
LogicalResult normalizeHost(func::FuncOp function);

/// Folds and removes what is left in a host function.
LogicalResult cleanHost(func::FuncOp function);

/// Brings `kernel`, which `launch` alone runs, into the form that schedules
/// match: elementwise ops are one linalg.generic. Its arguments may change, and
/// the operands of the launch with them.
LogicalResult simplifyKernel(func::FuncOp kernel, LaunchOp &launch);

/// Merges elementwise ops of `kernel` that read the same tensor by the same
/// loops and do not need each other into one op of several results.
bool mergeMaps(func::FuncOp kernel);

/// Makes one of the leading dimensions that all ops of `kernel` treat alike, so
/// that rows are those of a matrix. The innermost dimension stays, since rows
/// of buffers may be apart. The launch gets views of its operands.
void collapseRows(func::FuncOp kernel, LaunchOp &launch);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_KERNELFORM_H
