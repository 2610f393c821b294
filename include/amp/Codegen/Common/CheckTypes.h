//===- CheckTypes.h - types and ops that code can be made for ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_CHECKTYPES_H
#define AMP_CODEGEN_COMMON_CHECKTYPES_H

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// Fails, with a diagnostic at the first one, if a value in `root` or a
/// function that it declares has a type that no code can be made for:
///   - a tensor with an encoding (which elements of a sparse tensor are
///     stored): code for it would be that for a dense tensor;
///   - a tensor without a rank, unless a cast makes it, whose users may do
///     without;
///   - floats of less than 8 bits, and tf32; of f80 and f128 the functions of
///     the math dialect, all but fma.
LogicalResult checkTypes(Operation *root);

/// Fails, with a diagnostic at the first one, if an op on tensors in `root`
/// cannot be on buffers, before bufferization does, which knows no remedy. What
/// no dialect has registered says for itself what becomes of it, and
/// elementwise ops are linalg's by now. `target`: what cannot compile it, as
/// "the CPU".
LogicalResult checkBufferizable(Operation *root, StringRef target);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_CHECKTYPES_H
