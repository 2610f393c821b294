//===- AttentionLowering.h - amp.attention to linalg ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOLINALG_ATTENTIONLOWERING_H
#define AMP_LIB_CONVERSION_AMPTOLINALG_ATTENTIONLOWERING_H

#include "amp/Dialect/AMP/IR/AMPAttentionOps.h"

namespace mlir::amp {

/// What replaces the results of `op`, one value for each: two contractions with
/// a softmax between them, on tensors, built with `b` in front of it.
SmallVector<Value> lowerAttention(OpBuilder &b, AttentionOp op);

} // namespace mlir::amp

#endif // AMP_LIB_CONVERSION_AMPTOLINALG_ATTENTIONLOWERING_H
