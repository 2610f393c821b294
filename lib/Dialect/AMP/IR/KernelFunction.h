//===- KernelFunction.h - what a kernel function may be ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_KERNELFUNCTION_H
#define AMP_LIB_DIALECT_AMP_IR_KERNELFUNCTION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {

/// Checks a function with the attribute `amp.kernel`: one block that computes
/// without calls, control flow and memory; inputs, then a destination for each
/// result, in order and of its type. Emits an error that says what is wrong.
LogicalResult verifyKernelFunction(FunctionOpInterface function);

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_IR_KERNELFUNCTION_H
