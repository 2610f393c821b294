//===- Runtime.h - what compiled code calls ---------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_RUNTIME_H
#define AMP_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The C ABI between compiled code and its process. C only, no LLVM; every
 * function may be called from any thread. */

/// A block of at least `size` bytes, aligned to 64 bytes; uninitialised. Blocks
/// come from a cache, so that a kernel's temporaries cost no page fault after
/// its first call. Never null: exhausted memory ends the process with a
/// message.
void *amp_alloc(uint64_t size);

/// Returns a block of amp_alloc, or of a result of compiled code (the
/// `allocated` pointer of its memref descriptor), to the cache. Null is
/// ignored. A block may be freed by another thread than took it. What the cache
/// holds of all threads is at most 2^30 bytes, or what the environment variable
/// AMP_CACHE_BYTES says; a block beyond that goes back to the system.
void amp_free(void *pointer);

/// Gives the cached blocks of the calling thread, and those shared by all,
/// back to the system.
void amp_trim(void);

/// Bytes in blocks that are handed out, over all threads. For leak tests.
int64_t amp_live_bytes(void);

/// Asks the system, once in a process, to let it use tile registers (AMX):
/// compiled code calls this before it does. Where the system refuses, or the
/// processor has none, the call of compiled code fails with a message; outside
/// of a call the process ends.
void amp_enable_tiles(void);

/// Bytes in blocks that the cache holds, over all threads.
int64_t amp_cached_bytes(void);

/// The hooks of `finalize-memref-to-llvm{use-generic-functions}`.
void *_mlir_memref_to_llvm_alloc(uint64_t size);
void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size);
void _mlir_memref_to_llvm_free(void *pointer);

/// An unranked memref descriptor: `descriptor` points to the ranked one.
struct amp_unranked_memref {
  int64_t rank;
  void *descriptor;
};

/// Copies between two memrefs of equal shape and any strides, of elements of
/// `element_size` bytes, on several threads: what `memref.copy` of strided
/// layouts and of much memory calls. 16 MiB and more, in stretches of 4 KiB,
/// bypass the caches.
void memrefCopy(int64_t element_size, struct amp_unranked_memref *source,
                struct amp_unranked_memref *destination);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_RUNTIME_H
