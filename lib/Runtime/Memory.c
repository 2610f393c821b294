//===- Memory.c - allocation and copies for compiled code -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallScope.h"
#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Under AddressSanitizer, what is behind the bytes that were asked for, and all
// of a free block, may not be touched.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size)                             \
  ((void)(address), (void)(size))
#endif

// One free list per power of two and thread: malloc and munmap per call cost
// up to 45 % of a 1024^3 matrix product in page faults. A list that holds much
// more than its thread reuses goes to lists that all threads share. What the
// lists hold in all is bounded: a block beyond that goes back to the system.

enum {
  kHeader = 64,   // keeps the 64-byte alignment behind the header
  kSmallest = 12, // log2 of the smallest block
  kBins = 64,
  kHugePage = 1 << 21,
  kLocalBlocks = 16,    // per bin and thread
  kLocalBytes = 1 << 26 // per thread
};

/// Bytes that free lists hold at most, where the environment says nothing.
static const long long kCacheBytes = 1ll << 30;

struct ampBlock {
  /// In a free list, or in the list of the scope that the block is taken in.
  struct ampBlock *next, *previous;
  struct ampCallScope *scope;
  uint32_t bin;
  uint32_t magic;
};

static const uint32_t kLive = 0x616d7031, kFree = 0x616d7030;

struct cache {
  struct ampBlock *bins[kBins];
  unsigned counts[kBins];
  uint64_t bytes;
};

static struct cache shared;
static pthread_mutex_t sharedLock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct cache local;
static _Thread_local int registered;
static pthread_key_t exitKey;
static pthread_once_t exitOnce = PTHREAD_ONCE_INIT;
static atomic_llong liveBytes, cachedBytes;
/// Negative until it is known.
static atomic_llong cacheLimit = -1;

_Thread_local struct ampCallScope *ampCurrentScope;

/// A corrupted heap is no error to go on after.
static void die(const char *what, uint64_t size) {
  fprintf(stderr, "amp runtime: %s (%llu bytes)\n", what,
          (unsigned long long)size);
  abort();
}

/// Ends the call in progress; the process where there is none.
static void fail(const char *what, uint64_t size) {
  struct ampCallScope *scope = ampCurrentScope;
  if (scope) {
    scope->isOutOfMemory = 1;
    snprintf(scope->message, sizeof scope->message, "%s (%llu bytes)", what,
             (unsigned long long)size);
    longjmp(scope->exit, 1);
  }
  die(what, size);
}

static void enterScope(struct ampBlock *b) {
  struct ampCallScope *scope = b->scope = ampCurrentScope;
  if (!scope)
    return;
  b->previous = NULL;
  b->next = scope->blocks;
  if (b->next)
    b->next->previous = b;
  scope->blocks = b;
}

static void leaveScope(struct ampBlock *b) {
  if (!b->scope)
    return;
  if (b->previous)
    b->previous->next = b->next;
  else
    b->scope->blocks = b->next;
  if (b->next)
    b->next->previous = b->previous;
  b->scope = NULL;
}

void ampFreeScopeBlocks(struct ampCallScope *scope) {
  while (scope->blocks)
    amp_free((char *)scope->blocks + kHeader);
}

void ampKeepScopeBlocks(struct ampCallScope *scope) {
  while (scope->blocks)
    leaveScope(scope->blocks);
}

/// The number in AMP_CACHE_BYTES; the default where there is none.
static long long getCacheLimit(void) {
  long long limit = atomic_load_explicit(&cacheLimit, memory_order_relaxed);
  if (limit >= 0)
    return limit;
  limit = kCacheBytes;
  const char *text = getenv("AMP_CACHE_BYTES");
  if (text && *text) {
    char *end;
    errno = 0;
    limit = strtoll(text, &end, 10);
    if (*end || limit < 0 || errno) {
      fprintf(stderr,
              "amp runtime: AMP_CACHE_BYTES: expected a number of bytes, 0 or "
              "more, found '%s'; it is ignored\n",
              text);
      limit = kCacheBytes;
    }
  }
  // Of threads that come here at once, the first one's text is all.
  long long unknown = -1;
  atomic_compare_exchange_strong(&cacheLimit, &unknown, limit);
  return limit;
}

/// A thread that ends leaves its blocks to the others.
static void releaseLocal(void *unused) {
  (void)unused;
  pthread_mutex_lock(&sharedLock);
  for (int bin = 0; bin < kBins; ++bin)
    while (local.bins[bin]) {
      struct ampBlock *b = local.bins[bin];
      local.bins[bin] = b->next;
      b->next = shared.bins[bin];
      shared.bins[bin] = b;
    }
  pthread_mutex_unlock(&sharedLock);
  memset(local.counts, 0, sizeof local.counts);
  local.bytes = 0;
}

static void makeKey(void) { pthread_key_create(&exitKey, releaseLocal); }

static void registerThread(void) {
  registered = 1;
  pthread_once(&exitOnce, makeKey);
  pthread_setspecific(exitKey, &local);
}

void *amp_alloc(uint64_t size) {
  if (size > (UINT64_MAX >> 2))
    fail("a buffer is too large", size);
  unsigned bin = 64 - (unsigned)__builtin_clzll((size + kHeader - 1) |
                                                ((1ull << kSmallest) - 1));
  struct ampBlock *b = local.bins[bin];
  if (b) {
    local.bins[bin] = b->next;
    --local.counts[bin];
    local.bytes -= 1ull << bin;
  } else {
    if (!registered)
      registerThread();
    pthread_mutex_lock(&sharedLock);
    b = shared.bins[bin];
    if (b)
      shared.bins[bin] = b->next;
    pthread_mutex_unlock(&sharedLock);
  }
  if (b) {
    atomic_fetch_sub_explicit(&cachedBytes, 1ll << bin, memory_order_relaxed);
  } else {
    uint64_t bytes = 1ull << bin;
    b = aligned_alloc(bytes >= kHugePage ? kHugePage : 4096, bytes);
    if (!b)
      fail("out of memory", size);
#ifdef __linux__
    if (bytes >= kHugePage)
      madvise(b, bytes, MADV_HUGEPAGE);
#endif
    b->bin = bin;
  }
  b->magic = kLive;
  enterScope(b);
  atomic_fetch_add_explicit(&liveBytes, 1ll << bin, memory_order_relaxed);
  char *payload = (char *)b + kHeader;
  ASAN_POISON_MEMORY_REGION(payload, (1ull << bin) - kHeader);
  ASAN_UNPOISON_MEMORY_REGION(payload, size);
  return payload;
}

void amp_free(void *pointer) {
  if (!pointer)
    return;
  struct ampBlock *b = (struct ampBlock *)((char *)pointer - kHeader);
  if (b->magic != kLive)
    die(b->magic == kFree ? "a buffer is freed twice"
                          : "a freed pointer is no buffer of the runtime",
        0);
  b->magic = kFree;
  leaveScope(b);
  unsigned bin = b->bin;
  ASAN_POISON_MEMORY_REGION(pointer, (1ull << bin) - kHeader);
  atomic_fetch_sub_explicit(&liveBytes, 1ll << bin, memory_order_relaxed);
  long long bytes = 1ll << bin;
  if (atomic_fetch_add_explicit(&cachedBytes, bytes, memory_order_relaxed) +
          bytes >
      getCacheLimit()) {
    atomic_fetch_sub_explicit(&cachedBytes, bytes, memory_order_relaxed);
    free(b);
    return;
  }
  if (!registered)
    registerThread();
  if (local.counts[bin] < kLocalBlocks &&
      local.bytes + (uint64_t)bytes <= kLocalBytes) {
    local.bytes += (uint64_t)bytes;
    b->next = local.bins[bin];
    local.bins[bin] = b;
    ++local.counts[bin];
    return;
  }
  pthread_mutex_lock(&sharedLock);
  b->next = shared.bins[bin];
  shared.bins[bin] = b;
  pthread_mutex_unlock(&sharedLock);
}

void amp_trim(void) {
  releaseLocal(NULL);
  pthread_mutex_lock(&sharedLock);
  for (int bin = 0; bin < kBins; ++bin)
    while (shared.bins[bin]) {
      struct ampBlock *b = shared.bins[bin];
      shared.bins[bin] = b->next;
      atomic_fetch_sub_explicit(&cachedBytes, 1ll << bin, memory_order_relaxed);
      free(b);
    }
  pthread_mutex_unlock(&sharedLock);
}

int64_t amp_live_bytes(void) {
  return atomic_load_explicit(&liveBytes, memory_order_relaxed);
}

int64_t amp_cached_bytes(void) {
  return atomic_load_explicit(&cachedBytes, memory_order_relaxed);
}

void *_mlir_memref_to_llvm_alloc(uint64_t size) { return amp_alloc(size); }

void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size) {
  if (alignment > kHeader)
    die("an alignment above 64 bytes is not supported", size);
  return amp_alloc(size);
}

void _mlir_memref_to_llvm_free(void *pointer) { amp_free(pointer); }

/// A ranked descriptor: allocated and aligned pointer, offset, then `rank`
/// sizes and `rank` strides, in elements.
struct ranked {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

/// A dimension of a copy: its size, and how far apart its places are, in
/// elements.
struct dimension {
  int64_t size, dstStride, srcStride;
};

/// A copy of elements of `bytes`. No dimension has size 1, and none could be
/// one with the next. What `streams` goes past the caches.
struct copy {
  int64_t rank, bytes;
  bool streams;
  const struct dimension *dimensions;
  char *dst;
  const char *src;
};

#define COPY_ROW(size)                                                         \
  for (int64_t i = begin; i < end; ++i)                                        \
  memcpy(dst + i * dstStride * (size), src + i * srcStride * (size), (size))

/// Copies `bytes` past the caches, whose lines would be read before they are
/// written.
static void streamBytes(char *dst, const char *src, int64_t bytes) {
  int64_t at = 0;
#ifdef __SSE2__
  const int64_t kLine = 64;
  at = -(uintptr_t)dst % kLine;
  at = at < bytes ? at : bytes;
  memcpy(dst, src, (size_t)at);
  for (; at + kLine <= bytes; at += kLine)
    for (int64_t part = 0; part < kLine; part += (int64_t)sizeof(__m128i))
      _mm_stream_si128((__m128i *)(dst + at + part),
                       _mm_loadu_si128((const __m128i *)(src + at + part)));
  // Who is told of the copy finds it.
  _mm_sfence();
#endif
  memcpy(dst + at, src + at, (size_t)(bytes - at));
}

/// Copies the places [begin, end) of the innermost dimension.
static void copyRow(const struct copy *c, int64_t begin, int64_t end) {
  const int64_t bytes = c->bytes, dstStride = c->dimensions->dstStride,
                srcStride = c->dimensions->srcStride;
  char *dst = c->dst;
  const char *src = c->src;
  if (dstStride == 1 && srcStride == 1) {
    dst += begin * bytes;
    src += begin * bytes;
    if (c->streams)
      streamBytes(dst, src, (end - begin) * bytes);
    else
      memcpy(dst, src, (size_t)((end - begin) * bytes));
    return;
  }
  // Known sizes are single loads and stores.
  switch (bytes) {
  case 1:
    COPY_ROW(1);
    return;
  case 2:
    COPY_ROW(2);
    return;
  case 4:
    COPY_ROW(4);
    return;
  case 8:
    COPY_ROW(8);
    return;
  default:
    COPY_ROW((size_t)bytes);
  }
}

/// Copies the places [begin, end) of the outermost dimension.
static void copyRange(void *context, int64_t begin, int64_t end) {
  const struct copy *c = context;
  const struct dimension *first = c->dimensions;
  if (c->rank == 1) {
    copyRow(c, begin, end);
    return;
  }
  struct copy inner = {c->rank - 1, c->bytes, c->streams,
                       first + 1,   NULL,     NULL};
  for (int64_t i = begin; i < end; ++i) {
    inner.dst = c->dst + i * first->dstStride * c->bytes;
    inner.src = c->src + i * first->srcStride * c->bytes;
    copyRange(&inner, 0, first[1].size);
  }
}

void memrefCopy(int64_t element_size, struct amp_unranked_memref *source,
                struct amp_unranked_memref *destination) {
  // Bytes that are worth a thread; that no cache should hold, and of which a
  // stretch is enough for itself.
  const int64_t kPart = 1 << 16, kStream = 16 << 20, kStretch = 1 << 12;
  const struct ranked *src = source->descriptor, *dst = destination->descriptor;
  int64_t rank = source->rank, size = element_size;
  for (int64_t d = 0; d < rank; ++d)
    size *= src->sizesAndStrides[d];
  if (size == 0)
    return;
  // From the innermost dimension on, at the end of the array.
  struct dimension dimensions[rank + 1], *first = dimensions + rank;
  *first = (struct dimension){1, 1, 1};
  for (int64_t d = rank - 1; d >= 0; --d) {
    struct dimension next = {src->sizesAndStrides[d],
                             dst->sizesAndStrides[rank + d],
                             src->sizesAndStrides[rank + d]};
    if (next.size == 1)
      continue;
    if (first->size == 1)
      *first = next;
    else if (next.dstStride == first->size * first->dstStride &&
             next.srcStride == first->size * first->srcStride)
      first->size *= next.size;
    else
      *--first = next;
  }
  const struct dimension *last = dimensions + rank;
  struct copy all = {last + 1 - first,
                     element_size,
                     size >= kStream && last->dstStride == 1 &&
                         last->srcStride == 1 &&
                         last->size * element_size >= kStretch,
                     first,
                     dst->aligned + dst->offset * element_size,
                     src->aligned + src->offset * element_size};
  int64_t bytes = size / first->size;
  amp_parallel_for(copyRange, &all, first->size,
                   bytes < kPart ? kPart / bytes : 1);
}
