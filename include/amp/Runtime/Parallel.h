//===- Parallel.h - the threads of compiled code ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_PARALLEL_H
#define AMP_RUNTIME_PARALLEL_H

#include <stdint.h>

#ifndef AMP_RUNTIME_API
#define AMP_RUNTIME_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* On how many threads code for the CPU runs, and on whose. Every function may
 * be called from any thread. Each library that amp-compile makes has a copy of
 * the runtime, and so threads and settings, of its own; the environment
 * variable AMP_NUM_THREADS is for all. What a program computes does not depend
 * on the number of threads, bit by bit: how work is cut into pieces follows
 * from its sizes alone, and no piece reads what another one writes. */

/// Runs the iterations [begin, end) of a loop. Does not throw.
typedef void (*ampParallelBody)(void *context, int64_t begin, int64_t end);

/// Runs a loop of `count` iterations, which do not depend on each other: calls
/// `body` with `context` for ranges that together are [0, count), each
/// iteration once, on any threads, in any order, and returns when all calls
/// have. A range of less than `grain` iterations does not pay. `data` is what
/// ampSetParallelFor got.
typedef void (*ampParallelFor)(void *data, ampParallelBody body, void *context,
                               int64_t count, int64_t grain);

/// Runs loops on the embedder's own threads from now on, or again on those of
/// the runtime if `function` is null. Not during a call of compiled code.
AMP_RUNTIME_API void ampSetParallelFor(ampParallelFor function, void *data);

/// The number of threads, the calling one included: what ampSetNumThreads says,
/// else the environment variable AMP_NUM_THREADS, else amp-compile --threads;
/// else 1. The threads are started when they are first needed, and kept.
AMP_RUNTIME_API int ampGetNumThreads(void);

/// Sets it, to 1 at least and 1024 at most; 0 takes as many as there are
/// processors that the calling thread may run on.
AMP_RUNTIME_API void ampSetNumThreads(int count);

/// What compiled code calls. A loop inside of a loop that is divided, one that
/// starts while another thread's runs, and one of less than two times `grain`
/// iterations is not divided. A negative `grain` stands for the positive one,
/// and says that every range has work of its own besides, so that each thread
/// gets one range; an embedder's function, whose threads are not known, gets
/// the grain that makes one for each processor. A check that fails and
/// exhausted memory, in any iteration, end the caller's call as outside of
/// loops; which iterations have run then is not said.
void amp_parallel_for(ampParallelBody body, void *context, int64_t count,
                      int64_t grain);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_PARALLEL_H
