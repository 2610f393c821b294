//===- Instructions.h - what sm_90a has beyond sm_80 ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each instruction that the schedules of sm_90a need and that
// MmaOps.h does not have: NVVM ops where there are any, inline PTX elsewhere.
// NVVM's header is so large that Instructions.cpp alone includes it.
//
// Pointers are LLVM pointers: to shared memory in address space 3, to tensor
// maps (kernel parameters) in address space 0.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_INSTRUCTIONS_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_INSTRUCTIONS_H

#include "../IndexValue.h"

namespace mlir::amp::gpu::hopper {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The type of pointers to tensor maps.
Type getMapPointerType(MLIRContext *context);
/// `pointer` + `bytes`.
Value emitOffset(const IndexBuilder &at, Value pointer, const WordValue &bytes);
/// The address of `pointer` in the window of shared memory, 32 bits.
WordValue emitSharedAddress(const IndexBuilder &at, Value pointer);
/// The first address from `pointer` on that is a multiple of `alignment`, and
/// how many bytes lie between.
Value emitAligned(const IndexBuilder &at, Value pointer, int64_t alignment,
                  WordValue &skipped);

//===----------------------------------------------------------------------===//
// mbarriers and fences
//===----------------------------------------------------------------------===//

/// mbarrier.init: `count` arrivals end a phase.
void emitBarrierInit(const IndexBuilder &at, Value barrier, int64_t count);
/// Makes the barriers that this thread has set up visible to all, TMA included.
void emitBarrierInitFence(const IndexBuilder &at);
/// Arrives, and announces `bytes` bytes that TMA will bring.
void emitArriveExpect(const IndexBuilder &at, Value barrier, int64_t bytes);
void emitArrive(const IndexBuilder &at, Value barrier);
/// Arrives at the barrier that block `block` of the cluster has at the same
/// place as this one has `barrier`.
void emitArriveInCluster(const IndexBuilder &at, Value barrier,
                         const WordValue &block);
/// All threads of the cluster wait for each other.
void emitClusterBarrier(const IndexBuilder &at);
/// Waits until the phase of `parity` is complete.
void emitWaitParity(const IndexBuilder &at, Value barrier,
                    const WordValue &parity);
/// Makes this thread's stores to shared memory visible to TMA.
void emitSharedStoreFence(const IndexBuilder &at);

/// Waits for (sync) or only counts at (arrive) the named barrier `id` of
/// `threads` threads.
void emitNamedSync(const IndexBuilder &at, const WordValue &id,
                   int64_t threads);
void emitNamedArrive(const IndexBuilder &at, const WordValue &id,
                     int64_t threads);

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// Gets a tensor map into the cache.
void emitMapPrefetch(const IndexBuilder &at, Value map);
/// Copies the box at `coordinates` (the innermost dimension first) of `map` to
/// shared memory; `barrier` hears of its bytes. With `blocks` of more than one,
/// it goes to the same place of each of the first `blocks` blocks of the
/// cluster, and the barrier of each hears of it.
void emitTmaLoad(const IndexBuilder &at, Value destination, Value map,
                 Value barrier, ArrayRef<WordValue> coordinates,
                 int64_t blocks = 1);
/// The same in im2col mode: `offsets` (16 bits each) lead from the windows'
/// first tap to another, along each spatial dimension.
void emitTmaLoadIm2col(const IndexBuilder &at, Value destination, Value map,
                       Value barrier, ArrayRef<WordValue> coordinates,
                       ArrayRef<WordValue> offsets, int64_t blocks = 1);
/// Copies from shared memory, clipped at the end of the tensor. With
/// `isStreamed`, L2 forgets it first.
void emitTmaStore(const IndexBuilder &at, Value map, Value source,
                  ArrayRef<WordValue> coordinates, bool isStreamed);
void emitTmaStoreCommit(const IndexBuilder &at);
/// Waits until all but `pending` groups of this thread have read their shared
/// memory.
void emitTmaStoreWaitRead(const IndexBuilder &at, int64_t pending);
/// Waits until all groups of this thread are written.
void emitTmaStoreWait(const IndexBuilder &at);

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

/// The number of this thread's warp, known to be the same in all its lanes.
WordValue emitUniformWarp(const IndexBuilder &at, const WordValue &thread);
/// setmaxnreg.
void emitSetRegisters(const IndexBuilder &at, int64_t registers,
                      bool isIncrease);

/// What wgmma.mma_async multiplies.
enum class WgmmaElement { F16, BF16, TF32, E4M3, E5M2, S8, U8 };

struct WgmmaKind {
  WgmmaElement a, b;

  bool isInteger() const {
    return a == WgmmaElement::S8 || a == WgmmaElement::U8;
  }
  bool isF8() const {
    return a == WgmmaElement::E4M3 || a == WgmmaElement::E5M2;
  }
  /// Bits of an element of A and B.
  unsigned getBits() const {
    if (a == WgmmaElement::TF32)
      return 32;
    return a == WgmmaElement::F16 || a == WgmmaElement::BF16 ? 16 : 8;
  }
};

void emitWgmmaFence(const IndexBuilder &at);
void emitWgmmaCommit(const IndexBuilder &at);
/// Waits until at most `pending` groups of this warpgroup are running.
void emitWgmmaWait(const IndexBuilder &at, int64_t pending);

/// The accumulators of one m64nN: a structure of N / 2 values without contents.
Value emitNoAccumulators(const IndexBuilder &at, WgmmaKind kind, int64_t n);
/// wgmma.mma_async.m64nNkK with operands in shared memory: D = A B + D, or A B
/// if `isFirst`. `isTransposedA` and `isTransposedB` say that an operand is
/// contiguous along M or N (16 bits only).
Value emitWgmma(const IndexBuilder &at, WgmmaKind kind, int64_t n, Value d,
                Value descriptorA, Value descriptorB, bool isTransposedA,
                bool isTransposedB, bool isFirst);
/// The values of `accumulators` after a wait: nothing that uses them moves in
/// front of it.
SmallVector<Value> emitPinned(const IndexBuilder &at, Value accumulators);

/// The descriptor `fixed` with the address `address`, an i64.
Value emitDescriptor(const IndexBuilder &at, uint64_t fixed,
                     const WordValue &address);
/// `descriptor` moved by `bytes`.
Value emitDescriptorAdd(const IndexBuilder &at, Value descriptor,
                        int64_t bytes);

/// `pair`, a vector of two elements of 16 bits, as a register.
Value emitRegister(const IndexBuilder &at, Value pair);
/// stmatrix.x4 of 8x8 matrices of 16 bits, which may be transposed; `registers`
/// are four i32.
void emitStoreMatrix(const IndexBuilder &at, Value pointer,
                     ValueRange registers, bool isTransposed = false);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_INSTRUCTIONS_H
