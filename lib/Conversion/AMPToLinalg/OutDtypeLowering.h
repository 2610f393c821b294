//===- OutDtypeLowering.h - amp.out_dtype to linalg -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOLINALG_OUTDTYPELOWERING_H
#define AMP_CONVERSION_AMPTOLINALG_OUTDTYPELOWERING_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {

/// Replaces `op` by the op inside, with its accumulator as element type of the
/// result, and one amp.cast to the requested element type. Fails with an error
/// on the op inside, and without a change, if that op is neither a linalg op
/// with a payload of multiplications, additions, divisions and conversions,
/// nor an elementwise arith op.
LogicalResult lowerOutDtype(RewriterBase &rewriter, OutDtypeOp op);

} // namespace mlir::amp

#endif // AMP_CONVERSION_AMPTOLINALG_OUTDTYPELOWERING_H
