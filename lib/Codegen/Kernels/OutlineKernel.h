//===- OutlineKernel.h - a group of ops as a function -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_OUTLINEKERNEL_H
#define AMP_LIB_CODEGEN_KERNELS_OUTLINEKERNEL_H

#include "amp/Codegen/Kernels/KernelFusionModel.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp::kernels {

/// A word for what `group` computes, for names: "softmax", "matmul", "add".
std::string describeGroup(const KernelGroup &group);

/// Clones the ops of `group`, and the free ones that they read, into a new
/// kernel function called `name` in `kernels`, and creates its launch after the
/// last op of the group. What is used outside of the group is replaced; the ops
/// themselves stay, without uses. The block may then be out of order.
/// `isNeeded` says of a result and the op of the block that uses it whether the
/// use is outside.
func::FuncOp
outlineKernel(RewriterBase &rewriter, const KernelGroup &group,
              ModuleOp kernels, StringRef name,
              llvm::function_ref<bool(Operation *, Operation *)> isOutside);

/// Orders the ops of `block` by their uses, with as little change as possible:
/// groups may have moved uses before definitions. Ops with side effects keep
/// their order.
void orderByUses(Block &block);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_OUTLINEKERNEL_H
