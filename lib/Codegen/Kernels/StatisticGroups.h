//===- StatisticGroups.h - contractions with row statistics -----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_STATISTICGROUPS_H
#define AMP_LIB_CODEGEN_KERNELS_STATISTICGROUPS_H

#include "amp/Codegen/Kernels/KernelFusionModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::amp::kernels {

/// The contractions of `block`, of `function`, whose results are reduced along
/// their columns, where the kernel of the contraction can do most of that and
/// less memory is moved: each such reduction becomes one of every
/// kStatisticColumns columns, in the group of the contraction, and one of what
/// that gives. The groups are valid until the block changes. The remark
/// `RowStatistics` names each, or says why it stays as it is.
std::vector<KernelGroup> splitRowStatistics(func::FuncOp function, Block &block,
                                            bool separatesCasts);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_STATISTICGROUPS_H
