//===- ForwardedOperands.h - operands that control flow hands on -*- C++
//-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_FORWARDEDOPERANDS_H
#define AMP_ANALYSIS_FORWARDEDOPERANDS_H

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// An operand that control flow hands on, and the value that takes it: a block
/// argument, or a result of the enclosing op.
struct ForwardedOperand {
  OpOperand *operand;
  Value input;
};

/// All pairs for `op`: the operands that a region-branch op hands to its
/// regions or past them to its results, that a terminator hands to the regions
/// and results of its parent, or that a branch hands to its successor blocks.
/// One operand may stand in several pairs. Empty for other ops.
SmallVector<ForwardedOperand> getForwardedOperands(Operation *op);

} // namespace mlir::amp

#endif // AMP_ANALYSIS_FORWARDEDOPERANDS_H
