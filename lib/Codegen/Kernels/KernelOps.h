//===- KernelOps.h - what an op does to its tensors -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_KERNELOPS_H
#define AMP_LIB_CODEGEN_KERNELS_KERNELOPS_H

#include "amp/Codegen/Kernels/KernelFusionModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::amp::kernels {

/// Stands for the loop of a tensor dimension of size one.
inline constexpr int kUnit = -1;

/// How an op reads or writes a tensor.
struct Access {
  Value value;
  /// The loop that indexes each dimension, or kUnit.
  SmallVector<int> dims;
  /// Whether `dims` says it all: each dimension is indexed by one loop.
  bool isRegular = true;
};

/// An op that must be in a kernel, as loops over tensors.
struct OpInfo {
  KernelKind kind = KernelKind::Map;
  /// The extent of each loop, ShapedType::kDynamic where run time tells.
  SmallVector<int64_t> extents;
  SmallVector<bool> isReduced;
  SmallVector<Access> reads, writes;
  /// Whether computing an element again costs more than reading it.
  bool isExpensive = false;
  /// Whether it converts or repeats one tensor, or counts: its readers may
  /// compute it again.
  bool isCheap = false;
};

/// What `op`, of role Work or Free, does.
OpInfo describe(Operation *op);

/// Whether `op` gives elements of its operands as they are.
bool onlyMoves(Operation *op);

/// Whether tensor cores that read operands of `contraction` from memory can
/// read that of `op` instead of its result: matrices also transposed, if they
/// are not of 8 bits, windows of innermost channels (convolutions) with their
/// padding only.
bool isReadAs(Operation *op, linalg::LinalgOp contraction);

/// Whether tensor cores that read operands from memory read elements of this
/// type: floats of 16 bits, and all of 8 bits.
bool isReadNarrow(Type element);

/// The bytes of all elements of `type`, as if dynamic sizes were large: what
/// matters is which of two tensors is smaller.
int64_t estimateBytes(Type type);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_KERNELOPS_H
