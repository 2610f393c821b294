//===- Collapse.h - fewer dimensions for elementwise kernels ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_COLLAPSE_H
#define AMP_LIB_CODEGEN_GPU_COLLAPSE_H

#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::amp::gpu {

/// An elementwise kernel with adjacent dimensions made one where every op and
/// every buffer has them together: without broadcasts and padded rows, a kernel
/// of any rank is one row.
class Collapsed {
public:
  explicit Collapsed(const Kernel &kernel);

  /// The kernel on fewer dimensions, or the given one.
  const Kernel &getKernel() const { return narrow; }

  /// Views of `operands`, of the types of that kernel.
  SmallVector<Value> collapse(OpBuilder &b, Location loc,
                              ValueRange operands) const;
  /// The sizes of the results, from those of the given kernel.
  SmallVector<OpFoldResult> collapseSizes(OpBuilder &b, Location loc,
                                          ArrayRef<OpFoldResult> sizes) const;

private:
  bool analyze(const Kernel &kernel);
  void rebuild(const Kernel &kernel);

  /// For each operand, its dimensions by loops of the kernel; empty for
  /// scalars.
  SmallVector<SmallVector<unsigned>> loopsOfOperand;
  /// The loops that become one, in order.
  SmallVector<SmallVector<int64_t>> groups;
  Kernel narrow;
  OwningOpRef<func::FuncOp> function;
};

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_COLLAPSE_H
