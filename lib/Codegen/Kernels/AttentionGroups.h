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

/// The attentions of `block` that the schedule `attention` takes, each with
/// what moves its operands, the casts and permutations of its result, and
/// copies of masks that are computed from indices. `missed` gets what looks
/// like one and is none.
std::vector<KernelGroup> findAttentions(Block &block,
                                        SmallVectorImpl<MissedFusion> &missed);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H
