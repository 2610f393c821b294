//===- AttentionInstructions.h - operands in registers ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONINSTRUCTIONS_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONINSTRUCTIONS_H

#include "Instructions.h"

namespace mlir::amp::gpu::hopper {

/// wgmma.mma_async.m64nNk16 of 16-bit elements with A in `registers` (four
/// i32): D = A B + D.
Value emitWgmmaRegisters(const IndexBuilder &at, WgmmaElement element,
                         int64_t n, Value d, ValueRange registers,
                         Value descriptorB, bool isTransposedB);
/// A structure of `values`, all of one type.
Value emitStructure(const IndexBuilder &at, ValueRange values);
/// `registers` (i32), which nothing computes behind this point.
SmallVector<Value> emitPinnedRegisters(const IndexBuilder &at,
                                       ValueRange registers);
/// 2^x of an f32, denormals are zero.
Value emitExp2(const IndexBuilder &at, Value x);
/// `x` of the lane whose number differs in the bits `mask`.
Value emitShuffleXor(const IndexBuilder &at, Value x, int64_t mask);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONINSTRUCTIONS_H
