//===- KernelFusionModel.h - what becomes one kernel ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_KERNELS_KERNELFUSIONMODEL_H
#define AMP_CODEGEN_KERNELS_KERNELFUSIONMODEL_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace mlir::amp {

/// What the iteration space of a kernel is made of.
enum class KernelKind {
  /// Parallel loops only.
  Map,
  /// Reductions over the innermost dimensions of their inputs, and elementwise
  /// ops on the same rows.
  RowReduction,
  /// One reduction over other dimensions.
  ColumnReduction,
  /// One contraction, convolution, pooling, or other op whose inputs are read
  /// more than once.
  Contraction,
  /// Two contractions with a softmax between them. The model forms none:
  /// `amp-form-kernels` takes them out first, where a schedule wants them.
  Attention
};

/// The name of `kind` as remarks give it.
StringRef stringifyKernelKind(KernelKind kind);

/// What an op on tensors is to the kernels of its block.
enum class KernelRole {
  /// Stays in the host function: control flow, calls, views, shapes.
  Host,
  /// Costs nothing beside its reader, which computes it again: constants of one
  /// value, fills, tensors without contents.
  Free,
  /// Must be in a kernel.
  Work
};

/// The ops of one kernel.
struct KernelGroup {
  KernelKind kind = KernelKind::Map;
  /// The op that decides about the schedule.
  Operation *root = nullptr;
  /// In the order of the block. A cheap op may be in several groups.
  SmallVector<Operation *> ops;
  /// Those of them that the group computes for itself only: what others need of
  /// their results, another group gives.
  SmallVector<Operation *> copies;
};

/// A producer and a consumer that are in different kernels, and why.
struct MissedFusion {
  Operation *producer = nullptr, *consumer = nullptr;
  std::string reason;
};

/// Which ops of a block will be in one kernel: the one place that decides.
///
/// A group has one root. A producer joins a consumer, or the other way round,
/// if their iteration spaces agree, nothing expensive is computed twice, and no
/// path leaves the group and comes back. The answer depends on the order of the
/// ops only. It is valid until the block changes.
class KernelFusionModel {
public:
  /// With `separatesCasts`, what casts or computes the operands of a
  /// contraction is in another kernel than the contraction: for devices that
  /// multiply operands as they are in memory.
  explicit KernelFusionModel(Block &block, bool separatesCasts = false);

  /// The groups, ordered by their last op.
  ArrayRef<KernelGroup> getGroups() const { return groups; }

  /// Whether a kernel holds both ops.
  bool areFused(Operation *first, Operation *second) const;

  /// What could have been fused and was not, in the order of the consumers.
  ArrayRef<MissedFusion> getMissedFusions() const { return missed; }

  /// The role of `op`, which is about the op alone.
  static KernelRole getRole(Operation *op);

  /// Whether `op` gives another view of its operand's data when it is
  /// bufferized, with the last dimension still contiguous.
  static bool isView(Operation *op);

  /// Whether `op` is Free, and stands for the same at each place: a kernel that
  /// reads it contains it.
  static bool isFree(Operation *op) { return getRole(op) == KernelRole::Free; }

private:
  std::vector<KernelGroup> groups;
  SmallVector<MissedFusion> missed;
  llvm::DenseMap<Operation *, SmallVector<unsigned, 1>> groupsOf;
};

} // namespace mlir::amp

#endif // AMP_CODEGEN_KERNELS_KERNELFUSIONMODEL_H
