//===- AttentionGroups.h - attentions as kernels ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H
#define AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H

#include "amp/Codegen/Kernels/KernelFusionModel.h"

namespace mlir::amp::kernels {

/// Rewrites the attentions of `block` whose keys or values are repeated in
/// memory for each head of queries that shares them, so that they are not: the
/// loop over heads becomes two, of which only queries have both.
void shareHeads(Block &block);

/// The attentions of `block` that the schedule `attention` takes, each with
/// what moves its operands, the casts and permutations of its result, and
/// copies of masks that are computed from indices. `missed` gets what looks
/// like one and is none; fails with an error on the product with the values if
/// that asks for the schedule.
FailureOr<std::vector<KernelGroup>>
findAttentions(Block &block, SmallVectorImpl<MissedFusion> &missed);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H
