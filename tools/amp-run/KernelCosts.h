//===- KernelCosts.h - what kernels must do at least ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_KERNELCOSTS_H
#define AMP_TOOLS_AMP_RUN_KERNELCOSTS_H

#include "amp/Execution/Roofline.h"
#include "amp/Support/NumpyFile.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <optional>
#include <string>

namespace mlir::amp {

/// What one launch of each kernel function must do, by its name.
using KernelCosts = std::map<std::string, Work>;

/// The costs of the kernel functions (`amp.kernel`) of a module as the entry
/// `name` launches them with these inputs: sizes that are not static are
/// computed from those of the inputs. Nothing of a kernel whose launches
/// differ, and of sizes that depend on the elements of tensors, or are made in
/// loops and branches. With `allowTF32`, contractions of f32 run on tensor
/// cores.
KernelCosts getKernelCosts(ModuleOp module, StringRef name,
                           ArrayRef<const NumpyArray *> inputs, bool allowTF32);

/// The cost of the kernel `name`, which a schedule has made of the kernel
/// function of that name, or of the one whose name it begins with; null if
/// there is none.
const Work *findKernelCost(const KernelCosts &costs, StringRef name);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_KERNELCOSTS_H
