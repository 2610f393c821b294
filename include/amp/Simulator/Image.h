//===- Image.h - simulated kernels as data ----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_IMAGE_H
#define AMP_SIMULATOR_IMAGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the pass amp-gpu-simulate writes and the simulator reads: device code
 * that has been compiled for the host, one call per thread. It stands where a
 * cubin stands on a device: cuModuleLoadData takes a pointer to an
 * ampSimImage. C only, as the pass builds these structs in the LLVM dialect. */

/// The first eight bytes of an image; no terminating zero.
#define AMP_SIM_IMAGE_MAGIC "AMPSIM01"

/// What the name of each device of the simulated driver begins with.
#define AMP_SIM_DEVICE_NAME "amp simulator"

/// The built-in values of a thread: indices into ampSimThread::registers. Those
/// of three dimensions are three entries, x first.
enum ampSimRegister {
  AMP_SIM_THREAD_ID = 0,
  AMP_SIM_BLOCK_ID = 3,
  AMP_SIM_BLOCK_DIM = 6,
  AMP_SIM_GRID_DIM = 9,
  /// Which cluster, of how many, of how many blocks each, and which block of
  /// it.
  AMP_SIM_CLUSTER_ID = 12,
  AMP_SIM_CLUSTER_COUNT = 15,
  AMP_SIM_CLUSTER_DIM = 18,
  AMP_SIM_BLOCK_IN_CLUSTER = 21,
  AMP_SIM_LANE_ID = 24,
  AMP_SIM_WARP_ID = 25,
  AMP_SIM_NUM_WARPS = 26,
  AMP_SIM_NUM_REGISTERS = 28
};

/// What a kernel sees of the thread that it runs for. Read only; the simulator
/// keeps more behind it.
typedef struct ampSimThread {
  uint32_t registers[AMP_SIM_NUM_REGISTERS];
  /// The shared memory of the block: first the kernel's static variables, then,
  /// from `dynamicOffset` on, `dynamicBytes` bytes of dynamic shared memory.
  uint8_t *shared;
  uint64_t dynamicOffset;
  uint64_t dynamicBytes;
} ampSimThread;

/// Runs one thread of a kernel. `params[i]` points to parameter i, of
/// ampSimKernel::paramBytes[i] bytes.
typedef void (*ampSimFunction)(ampSimThread *thread, void **params);

/// Bits of ampSimKernel::flags.
enum ampSimKernelFlags {
  /// The kernel waits for other threads (barriers, shuffles, matrix
  /// instructions), so that each thread needs a stack of its own.
  AMP_SIM_COLLECTIVE = 1
};

/// One kernel. A memref parameter is the fields of its descriptor, one
/// parameter each: allocated pointer, aligned pointer, offset, sizes, strides.
typedef struct ampSimKernel {
  const char *name;
  ampSimFunction function;
  const uint32_t *paramBytes;
  uint32_t numParams;
  /// Bytes of static shared memory (workgroup attributions).
  uint32_t staticSharedBytes;
  uint32_t flags;
  /// The most threads that a block may have (from `known_block_size`); 0 where
  /// the kernel does not say.
  uint32_t maxThreads;
} ampSimKernel;

/// A module of kernels.
typedef struct ampSimImage {
  char magic[8];
  uint64_t numKernels;
  const ampSimKernel *kernels;
} ampSimImage;

#ifdef __cplusplus
}
#endif

#endif // AMP_SIMULATOR_IMAGE_H
