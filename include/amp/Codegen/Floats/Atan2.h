//===- Atan2.h - the sign of arctangents of quotients -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_FLOATS_ATAN2_H
#define AMP_CODEGEN_FLOATS_ATAN2_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::amp {

/// Makes every `math.atan2` of f32 scalars or vectors in `root` that of the
/// magnitude of its first operand, with the sign of that operand: upstream's
/// polynomial takes the sign from the quotient, and where that underflows gives
/// +pi instead of -pi. Call it once, before the polynomial is expanded.
void splitSignOfAtan2(Operation *root);

} // namespace mlir::amp

#endif // AMP_CODEGEN_FLOATS_ATAN2_H
