//===- NeutralElement.h - what a reduction starts from ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_NEUTRALELEMENT_H
#define AMP_CODEGEN_COMMON_NEUTRALELEMENT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::amp {

/// The neutral element of `op`, as `arith::getNeutralElement` has it but for
/// maxima and minima of floats without an infinity (f8E4M3FN), or without NaN
/// (f4E2M1FN): those start from the lowest and from the largest number, where
/// upstream's is NaN, which is neutral for `maxnumf` and `minnumf` alone. Of
/// index it is that of 64 bits.
std::optional<TypedAttr> getNeutralElement(Operation *op);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_NEUTRALELEMENT_H
