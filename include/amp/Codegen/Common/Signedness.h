//===- Signedness.h - integers without a sign -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_SIGNEDNESS_H
#define AMP_CODEGEN_COMMON_SIGNEDNESS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Attributes of a function, arrays of numbers: the arguments, and the results,
/// whose integers callers take for unsigned ones.
inline constexpr StringLiteral kUnsignedArgumentsAttrName =
    "unsigned_arguments";
inline constexpr StringLiteral kUnsignedResultsAttrName = "unsigned_results";

/// Makes all integers of `module` signless, and removes the casts that said
/// which sign their bits have: from here on the ops say it. If
/// `keepNotes`, attributes of public functions name what was unsigned.
void dropSignedness(ModuleOp module, bool keepNotes);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_SIGNEDNESS_H
