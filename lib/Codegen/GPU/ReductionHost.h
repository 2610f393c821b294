//===- ReductionHost.h - launches of reductions ------------------*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_REDUCTIONHOST_H
#define AMP_LIB_CODEGEN_GPU_REDUCTIONHOST_H

#include "ReductionAnalysis.h"

namespace mlir::amp::gpu {

/// The product of the sizes of `axes`, taken from the launch's operands where
/// only run time tells it.
Value emitSize(OpBuilder &b, Location loc, ArrayRef<ReductionAxis> axes,
               ValueRange operands);

/// getRowParts at run time: how many blocks share one of `blocks` pieces of
/// work of `size` elements, at least `unit` each.
Value emitParts(OpBuilder &b, Location loc, Value blocks, Value size,
                int64_t unit);

/// The types of the buffers for partial results, of two dimensions: for each
/// reduction, in order, one for each value of a partial result.
SmallVector<Type> getWorkspaceTypes(ReductionAnalysis &analysis);

/// Launches `steps` one after the other with `parts` blocks for each of the
/// `blocks` pieces of work, on a workspace with buffers of `sizes`, which are
/// allocated here and left to amp-plan-memory and the deallocation. Results
/// without reduced dimensions need one part only.
void launchParts(OpBuilder &b, Location loc, const Kernel &kernel,
                 ReductionAnalysis &analysis,
                 ArrayRef<::mlir::gpu::GPUFuncOp> steps, Value blocks,
                 Value parts, ValueRange operands, ValueRange sizes);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_REDUCTIONHOST_H
