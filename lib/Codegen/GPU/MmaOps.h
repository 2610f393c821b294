//===- MmaOps.h - tensor core and copy instructions -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the schedules need of the NVVM dialect. Its header is so large that
// MmaOps.cpp alone includes it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_MMAOPS_H
#define AMP_LIB_CODEGEN_GPU_MMAOPS_H

#include "mlir/IR/Builders.h"

namespace mlir::amp::gpu {

/// What one mma.sync multiplies.
struct MmaKind {
  enum Element { F16, BF16, TF32, I8 } element;
  /// For I8, whether the operands are signed.
  bool isSignedA = true, isSignedB = true;
};

/// The LLVM pointer to the first element of `memref`, in the address space
/// `space` (1 global, 3 shared).
Value emitPointer(OpBuilder &b, Location loc, Value memref, unsigned space);
/// `pointer` + `bytes` (index).
Value emitPointerAdd(OpBuilder &b, Location loc, Value pointer, Value bytes);

/// ldmatrix.sync.aligned.m8n8.x4.b16, with .trans or without: four i32.
SmallVector<Value> emitLdMatrix(OpBuilder &b, Location loc, Value pointer,
                                bool transposed);

/// mma.sync of m16n8 and 32 bytes of k: `a` has four registers, `bOperand` two
/// (i32 each); gives the four accumulators (f32 or i32) for those in `c`.
SmallVector<Value> emitMma(OpBuilder &b, Location loc, MmaKind kind,
                           ValueRange a, ValueRange bOperand, ValueRange c);

/// cvt.rna.tf32.f32: the bits of `value` (an i32 that holds an f32) rounded to
/// the ten bits of mantissa that tf32 has, ties away from zero.
Value emitRoundToTF32(OpBuilder &b, Location loc, Value value);

/// Starts a copy of 16 bytes to shared memory, of which `bytes` (i32, at most
/// 16) are read from `source` and the rest is zero.
void emitCopyAsync(OpBuilder &b, Location loc, Value destination, Value source,
                   Value bytes);
void emitCopyCommit(OpBuilder &b, Location loc);
/// Waits until at most `pending` committed groups are not complete.
void emitCopyWait(OpBuilder &b, Location loc, unsigned pending);

/// Makes what each lane of the warp wrote to shared memory visible to all.
void emitWarpBarrier(OpBuilder &b, Location loc);

/// Waits until the grids in front have ended and what they wrote is visible.
void emitGridWait(OpBuilder &b, Location loc);
/// Whether `kernel` waits somewhere by itself: then it does so before it reads
/// or writes what other grids see.
bool hasGridWait(Operation *kernel);
/// Lets the grid behind start once all blocks of this one have come here.
void emitGridTrigger(OpBuilder &b, Location loc);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_MMAOPS_H
