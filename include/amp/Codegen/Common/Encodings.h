//===- Encodings.h - tensors that are laid out in other ways ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_ENCODINGS_H
#define AMP_CODEGEN_COMMON_ENCODINGS_H

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// Fails, with a diagnostic at the first one, if a value in `root` or a
/// function that it declares has a tensor with an encoding (which elements of
/// a sparse tensor are stored): code for it would be that for a dense tensor.
LogicalResult checkEncodings(Operation *root);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_ENCODINGS_H
