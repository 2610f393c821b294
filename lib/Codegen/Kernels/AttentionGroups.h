//===- AttentionGroups.h - attentions as kernels ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H
#define AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H

#include "amp/Codegen/Common/Attention.h"
#include "amp/Codegen/Kernels/KernelFusionModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::amp::kernels {

/// Rewrites the attentions of `block` whose keys or values are repeated in
/// memory for each head of queries that shares them, so that they are not: the
/// loop over heads becomes two, of which only queries have both.
void shareHeads(Block &block);

/// Gives the attentions of `block` that have one query for each set of keys a
/// loop over rows, of one iteration.
void addRows(Block &block);

/// Whether there is one query for each set of keys: `attention.row` is a loop
/// over heads that keys have too.
bool hasOneRow(const Attention &attention);

/// Rewrites the attentions of `block` that have too few rows to keep a device
/// busy: as one over parts of the keys, and ops that put their results
/// together, in the order of the parts. A remark of `function` names their
/// number. Gives the last of those ops: they add up products, and are no
/// attentions.
llvm::DenseSet<Operation *> splitKeys(func::FuncOp function, Block &block);

/// The loops over heads that an operand may have beside its two dimensions:
/// TMA has five.
inline constexpr unsigned kMaxHeadLoops = 3;

/// The loops over heads that `operand` of `op`, a contraction of `attention`,
/// depends on, but for those of one iteration.
unsigned countHeadLoops(const Attention &attention, linalg::GenericOp op,
                        OpOperand *operand);

/// Why no schedule takes `attention`; empty: one does.
std::string checkAttention(const Attention &attention);

/// The attentions of `block` that the schedule `attention` takes, each with
/// what moves its operands, the casts and permutations of its result, and
/// copies of masks that are computed from indices. `missed` gets what looks
/// like one and is none, but for `combined`; fails with an error on the product
/// with the values if that asks for the schedule.
FailureOr<std::vector<KernelGroup>>
findAttentions(Block &block, const llvm::DenseSet<Operation *> &combined,
               SmallVectorImpl<MissedFusion> &missed);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_ATTENTIONGROUPS_H
