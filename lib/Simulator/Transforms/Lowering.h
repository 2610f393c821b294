//===- Lowering.h - upstream's passes around the simulator's ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_TRANSFORMS_LOWERING_H
#define AMP_LIB_SIMULATOR_TRANSFORMS_LOWERING_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::amp::sim {

/// Brings kernels into a form that the rewrites know: without affine.
void buildPreparation(OpPassManager &pm);

/// From functions of arith, math, scf, vector and memref, with the calls of the
/// simulator, to the LLVM dialect.
void buildKernelLowering(OpPassManager &pm);

} // namespace mlir::amp::sim

#endif // AMP_LIB_SIMULATOR_TRANSFORMS_LOWERING_H
