//===- KernelCosts.h - what kernels must do at least ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_KERNELCOSTS_H
#define AMP_TOOLS_AMP_RUN_KERNELCOSTS_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <optional>
#include <string>

namespace mlir::amp {

/// What one launch of a kernel must do at least; nothing where that depends on
/// sizes that are not known at compile time.
struct KernelCost {
  /// Bytes of its inputs and of its results.
  std::optional<int64_t> numBytes;
  /// Floating-point operations; a fused multiply-add counts two.
  std::optional<int64_t> numFlops;
};

/// The costs by the names of the kernel functions.
using KernelCosts = std::map<std::string, KernelCost>;

/// The costs of the kernel functions (`amp.kernel`) of a module.
KernelCosts getKernelCosts(ModuleOp module);

/// The cost of the kernel `name`, which a schedule has made of the kernel
/// function of that name, or of the one whose name it begins with; null if
/// there is none.
const KernelCost *findKernelCost(const KernelCosts &costs, StringRef name);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_KERNELCOSTS_H
