//===- KnownValues.h - what functions need not expect -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_KNOWNVALUES_H
#define AMP_LIB_CODEGEN_CPU_KNOWNVALUES_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp::cpu {

/// Marks the exponentials whose arguments are never positive
/// (`floats::kNeverPositiveAttrName`).
void markExponentials(FunctionOpInterface function);

/// Where `exp`, in the body of a linalg op, is of x less what is the largest
/// that a reduction has seen, x among others and nothing else: that result, and
/// its indexing map. Null otherwise.
std::pair<OpResult, AffineMap> getMaximum(math::ExpOp exp);

/// Of exponentials that are divided by their sum, as those of a softmax: makes
/// the largest number of a row one that ignores NaN, where that is not seen
/// otherwise, marks them (`floats::kSoftmaxAttrName`), and with `raises`
/// multiplies them, and their sums, by `floats::kRaisedExpFactor`, which
/// cancels.
void simplifyQuotients(FunctionOpInterface function, bool raises);

/// Marks the roundings to bf16 below `root` that need not look for NaN
/// (`kHasBF16NaNsAttrName`). In linalg ops, in what makes their operands, too.
void markRoundings(Operation *root);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_KNOWNVALUES_H
