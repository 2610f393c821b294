//===- Payload.h - new types for a payload ----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERFACES_MODELS_PAYLOAD_H
#define AMP_LIB_INTERFACES_MODELS_PAYLOAD_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {

/// Converts the scalar `value` to `type` by arith ops (one rounding), or
/// returns it where it has that type. Both are floats.
Value convertScalar(OpBuilder &builder, Location loc, Value value, Type type);

/// Gives the arguments of a payload block the element types `argumentTypes`
/// (null: as it is) and what it yields the types `yieldTypes`, computing in
/// `compute` where the payload would compute in less. f32 arithmetic stays
/// as written; a payload in f16 is lifted to `compute`, in which a conversion
/// that the program wrote keeps its rounding, except for one that only brings
/// the yielded value to its storage type.
void retypePayload(RewriterBase &rewriter, Block &payload,
                   ArrayRef<Type> argumentTypes, ArrayRef<Type> yieldTypes,
                   Type compute);

} // namespace mlir::amp

#endif // AMP_LIB_INTERFACES_MODELS_PAYLOAD_H
