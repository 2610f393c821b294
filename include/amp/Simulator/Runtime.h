//===- Runtime.h - what simulated kernels call ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_RUNTIME_H
#define AMP_SIMULATOR_RUNTIME_H

#include "amp/Simulator/Image.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The calls that amp-gpu-simulate puts into device code, and, with its option
 * `launches`, into host code. `site` names the op and where it stands in the
 * source, such as "'vector.store' at softmax.mlir:12:5". A call that finds a
 * mistake does not return: it ends the launch. */

/// Kinds of access.
enum ampSimAccessKind {
  AMP_SIM_LOAD = 0,
  AMP_SIM_STORE = 1,
  AMP_SIM_ATOMIC = 2
};

/// Checks an access to a memref before it happens. The memref's data begins at
/// `base` + `offset` elements of `elementBytes` bytes. For each of `rank`
/// dimensions follow four int64_t: the first index, the size, the stride (in
/// elements), and the number of elements accessed along it; that number is
/// negative where elements outside the memref are left out. Bit i of `mask`
/// tells whether element i (row-major) is accessed. The access is one
/// instruction, which needs `alignment` bytes of alignment; 0: one per element.
void ampSimAccess(ampSimThread *thread, const char *site, int32_t kind,
                  int32_t elementBytes, int32_t alignment, int64_t mask,
                  const void *base, int64_t offset, int32_t rank, ...);

/// Tells the simulator of a memref argument (after `rank`: size and stride of
/// each dimension). Raw addresses must lie in one of them.
void ampSimMemrefArgument(ampSimThread *thread, const char *site,
                          int32_t elementBytes, const void *base,
                          int64_t offset, int32_t rank, ...);

/// The same for the buffer of a tensor map argument (ampSimTensorMap).
void ampSimTensorMapArgument(ampSimThread *thread, const char *site,
                             const void *map);

/// Waits for `count` threads of the block at barrier `id`; 0: all threads.
void ampSimBarrier(ampSimThread *thread, const char *site, int32_t id,
                   int32_t count);

/// The same without waiting.
void ampSimBarrierArrive(ampSimThread *thread, const char *site, int32_t id,
                         int32_t count);

/// Waits for the lanes of `mask`, and orders their accesses to memory.
void ampSimWarpBarrier(ampSimThread *thread, const char *site, int32_t mask);

/// How a shuffle finds its source lane; the numbers of NVVM's ShflKind.
enum ampSimShuffleKind {
  AMP_SIM_SHUFFLE_XOR = 0,
  AMP_SIM_SHUFFLE_UP = 1,
  AMP_SIM_SHUFFLE_DOWN = 2,
  AMP_SIM_SHUFFLE_IDX = 3
};

/// PTX's shfl.sync (PTX ISA, "shfl.sync"): the value of the source lane;
/// `*valid` gets the predicate, 0 or 1.
int64_t ampSimShuffle(ampSimThread *thread, const char *site, int64_t value,
                      int32_t mask, int32_t offset, int32_t maskAndClamp,
                      int32_t kind, uint8_t *valid);

/// gpu.shuffle of `width` lanes, as its lowering to shfl.sync defines it.
int64_t ampSimGpuShuffle(ampSimThread *thread, const char *site, int64_t value,
                         int32_t offset, int32_t width, int32_t kind,
                         uint8_t *valid);

/// Element types of matrix fragments.
enum ampSimElement {
  AMP_SIM_F16 = 0,
  AMP_SIM_BF16 = 1,
  AMP_SIM_TF32 = 2,
  AMP_SIM_F32 = 3,
  AMP_SIM_F64 = 4,
  AMP_SIM_S8 = 5,
  AMP_SIM_U8 = 6,
  AMP_SIM_S32 = 7,
  AMP_SIM_E4M3 = 8,
  AMP_SIM_E5M2 = 9
};

/// mma.sync.mMnNkK.row.col (PTX ISA, "Matrix fragments for mma"). `a`, `b`,
/// `c`, `d` point to the lane's registers, in order, without gaps; 32 bits
/// each, or 64 for f64. Sums are formed in f64 and rounded once (floats), or
/// wrap around or saturate (integers).
void ampSimMma(ampSimThread *thread, const char *site, int32_t m, int32_t n,
               int32_t k, int32_t typeA, int32_t typeB, int32_t typeC,
               int32_t typeD, int32_t saturate, const void *a, const void *b,
               const void *c, void *d);

/// ldmatrix of `count` 8x8 matrices of 16-bit elements; `registers` gets
/// `count` words.
void ampSimLoadMatrix(ampSimThread *thread, const char *site,
                      const void *address, int32_t count, int32_t transposed,
                      uint32_t *registers);

/// stmatrix; the counterpart of ampSimLoadMatrix.
void ampSimStoreMatrix(ampSimThread *thread, const char *site, void *address,
                       int32_t count, int32_t transposed,
                       const uint32_t *registers);

/// cp.async.shared.global: `bytes` (4, 8, 16) bytes, of which those from
/// `sourceBytes` on are zero. The copy happens when the group is waited for.
void ampSimCopyAsync(ampSimThread *thread, const char *site, void *destination,
                     const void *source, int32_t bytes, int32_t sourceBytes);
void ampSimCopyAsyncCommit(ampSimThread *thread, const char *site);
/// Waits until at most `pending` groups of the thread are incomplete.
void ampSimCopyAsyncWait(ampSimThread *thread, const char *site,
                         int32_t pending);

/// Checks an access of `bytes` bytes to an address that no memref vouches for.
void ampSimRawAccess(ampSimThread *thread, const char *site, int32_t kind,
                     const void *address, int64_t bytes, int64_t alignment);

/// mbarrier.init, .inval. `address` is in shared memory.
void ampSimMbarrierInit(ampSimThread *thread, const char *site,
                        const void *address, int32_t count);
void ampSimMbarrierInvalidate(ampSimThread *thread, const char *site,
                              const void *address);
/// Announces `bytes` bytes (expect-tx), then arrives `count` times; either may
/// be 0.
void ampSimMbarrierArrive(ampSimThread *thread, const char *site,
                          const void *address, int32_t count, int32_t bytes);
/// Waits until the phase of the parity is complete.
void ampSimMbarrierWait(ampSimThread *thread, const char *site,
                        const void *address, int32_t parity);

/// fence.proxy.async, and fence.mbarrier_init: what the thread knows of is
/// visible to TMA and wgmma.
void ampSimFenceProxy(ampSimThread *thread, const char *site);

/// barrier.cluster.arrive and .wait, of all threads of the cluster.
void ampSimClusterArrive(ampSimThread *thread, const char *site,
                         int32_t isRelaxed);
void ampSimClusterWait(ampSimThread *thread, const char *site);
/// mapa: where what lies at `address` in the thread's block lies in block
/// `block` of its cluster.
void *ampSimMapShared(ampSimThread *thread, const char *site,
                      const void *address, int32_t block);

/// cp.async.bulk.tensor from global to shared memory; the bytes of the box
/// count for the mbarrier. `map` is an ampSimTensorMap. With `blocks`, a set of
/// bits, each of these blocks of the cluster gets the box, and its bytes count
/// for the mbarrier, at the same places; 0: at these addresses. Behind
/// `isIm2col` follow `rank` coordinates and, with im2col, `rank` - 2 offsets,
/// as int32_t.
void ampSimTmaLoad(ampSimThread *thread, const char *site, void *destination,
                   const void *map, const void *mbarrier, int32_t blocks,
                   int32_t rank, int32_t isIm2col, ...);
/// cp.async.bulk.tensor from shared to global memory, or, with `isSum`,
/// cp.reduce.async.bulk.tensor.add; in a bulk group of the thread. The
/// coordinates follow as int32_t.
void ampSimTmaStore(ampSimThread *thread, const char *site, const void *map,
                    void *source, int32_t isSum, int32_t rank, ...);
void ampSimBulkCommit(ampSimThread *thread, const char *site);
/// Waits until at most `pending` bulk groups of the thread may still read
/// shared memory.
void ampSimBulkWait(ampSimThread *thread, const char *site, int32_t pending);

/// The kind of a wgmma.mma_async: M is 64. Types are ampSimElement; a
/// transposed operand is contiguous along M or N; signs are 1 or -1.
typedef struct ampSimWgmmaShape {
  int32_t n, k, typeA, typeB, typeD, isTransposedA, isTransposedB, scaleD,
      signA, signB, saturate;
} ampSimWgmmaShape;

/// wgmma.mma_async: `c` and `d` point to N / 2 registers of the thread. A is in
/// four registers at `registersA`, or, where that is null, in shared memory
/// like B. Sums are formed in f64 and rounded once.
void ampSimWgmma(ampSimThread *thread, const char *site,
                 const ampSimWgmmaShape *shape, int64_t descriptorA,
                 const void *registersA, int64_t descriptorB, const void *c,
                 void *d);
void ampSimWgmmaFence(ampSimThread *thread, const char *site);
void ampSimWgmmaCommit(ampSimThread *thread, const char *site);
/// Waits until at most `pending` wgmma groups are running.
void ampSimWgmmaWait(ampSimThread *thread, const char *site, int32_t pending);

/// setmaxnreg, of a kernel that `blocks` blocks of share a multiprocessor.
void ampSimSetRegisters(ampSimThread *thread, const char *site, int32_t count,
                        int32_t isIncrease, int32_t blocks);

/// Fills the 128 bytes of a tensor map (ampSimTensorMap), as the driver's
/// cuTensorMapEncodeTiled or -Im2col would. Behind `base` follow, as int64_t:
/// for each dimension, the innermost first, size, stride in bytes, and step;
/// the box, whose rank is 2 with im2col; with im2col, lower and upper corner of
/// each spatial dimension. A mistake ends the process with exit code 1.
void ampSimTensorMapOf(void *map, const char *site, int32_t dataType,
                       int32_t rank, int32_t swizzle, int32_t isIm2col,
                       const void *base, ...);

/// The blocks along x, in clusters of `clusterX` (at least 1), of a launch that
/// is marked `amp.persistent`, with `blocks` blocks on a multiprocessor: no
/// more than a device of AMP_SIM_MULTIPROCESSORS holds, or `gridX` without
/// that.
int64_t ampSimPersistentGrid(int64_t gridX, int64_t clusterX, int64_t blocks);

/// Runs a kernel on a grid, with no driver between: global memory is whatever
/// the memref arguments describe. A mistake is printed to stderr, and ends the
/// process with exit code 1.
void ampSimLaunch(const ampSimKernel *kernel, const char *site, int64_t gridX,
                  int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
                  int64_t blockZ, int64_t clusterX, int64_t clusterY,
                  int64_t clusterZ, int32_t dynamicSharedBytes, void **params);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif // AMP_SIMULATOR_RUNTIME_H
