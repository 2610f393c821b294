//===- AMPObserveOps.h - ops that look at values ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_H
#define AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_H

#include "amp/Dialect/AMP/IR/AMP.h"

namespace mlir::amp {

/// What amp.observe writes: the records of ranges of the process.
struct RangeRecordResource
    : public SideEffects::Resource::Base<RangeRecordResource> {
  StringRef getName() final { return "amp.range_records"; }
};

/// Tensors of more dimensions than the records of the runtime have are not
/// observed.
inline constexpr int64_t kMaxObservedRank = 16;

} // namespace mlir::amp

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPObserveOps.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMPOBSERVEOPS_H
