//===- Parallel.c - the threads of compiled code --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for the processors that threads run on
#endif

#include "amp/Runtime/Parallel.h"
#include "CallScope.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kMaxThreads = 1024, kChunksPerThread = 4 };

/// Iterations [next, end) of a job, which one thread takes chunks of before it
/// takes others': loops that follow one another find its part of their arrays
/// in its caches. On a line of the caches of its own.
struct share {
  _Alignas(64) atomic_llong next;
  int64_t end;
};

/// A call of amp_parallel_for: on the stack of its caller, who leaves it only
/// when no thread runs any of it.
struct job {
  ampParallelBody body;
  void *context;
  /// Shares are whole units, and threads take chunks of them.
  int64_t count, unit, chunk;
  /// How many of `shares` are its own, one for each thread; 0 where the threads
  /// are the embedder's.
  int numShares;
  /// Whether failures are the caller's to handle; else they end the process.
  int hasScope;
  pthread_mutex_t lock;
  int hasFailed, isOutOfMemory;
  char message[sizeof((struct ampCallScope *)0)->message];
};

/// Of the job that the pool runs.
static struct share shares[kMaxThreads];

/// Set while the thread runs a part of a job: jobs inside it are not divided.
static _Thread_local int isInside;

/// What the embedder has set, and the number of threads; under `settings`.
static pthread_mutex_t settings = PTHREAD_MUTEX_INITIALIZER;
static ampParallelFor embedderFor;
static void *embedderData;
static atomic_int numThreads; // 0: not asked the environment yet

// The pool: one job at a time, and `poolLock` for all but `busy`.
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t poolLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakeUp = PTHREAD_COND_INITIALIZER;
static pthread_cond_t allDone = PTHREAD_COND_INITIALIZER;
static pthread_t workers[kMaxThreads];
static int numWorkers;
static struct job *current;
/// Changes with every job. Threads that spin read it without the lock, as they
/// do `numRunning` and `isQuitting`.
static atomic_uint generation;
/// The first how many workers may still take part in the job, and how many do.
static int numInvited;
static atomic_int numRunning;
static atomic_int isQuitting;
/// Whether threads spin before they sleep: where each of the last job's, which
/// were `lastThreads`, had a processor.
static atomic_int maySpin;
static int lastThreads;
/// The processor that no worker runs on; -1 where they run on any.
static int avoided = -1;

static int getNumProcessors(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

/// A library of amp-compile --threads brings its own.
__attribute__((weak, visibility("hidden"))) int32_t amp_default_num_threads = 1;

static int clampThreads(long count) {
  if (count == 0)
    count = getNumProcessors();
  return count < 1 ? 1 : count > kMaxThreads ? kMaxThreads : (int)count;
}

/// The number in AMP_NUM_THREADS; the default where there is none.
static int readEnvironment(void) {
  const char *text = getenv("AMP_NUM_THREADS");
  if (!text || !*text)
    return clampThreads(amp_default_num_threads);
  char *end;
  long count = strtol(text, &end, 10);
  if (*end || count < 0 || count > kMaxThreads) {
    fprintf(stderr,
            "amp runtime: AMP_NUM_THREADS: expected a number from 0 (as many "
            "as there are processors) to %d, found '%s'; one thread is used\n",
            kMaxThreads, text);
    return 1;
  }
  return clampThreads(count);
}

int ampGetNumThreads(void) {
  int count = atomic_load_explicit(&numThreads, memory_order_relaxed);
  if (count)
    return count;
  pthread_mutex_lock(&settings);
  count = atomic_load_explicit(&numThreads, memory_order_relaxed);
  if (!count) {
    count = readEnvironment();
    atomic_store_explicit(&numThreads, count, memory_order_relaxed);
  }
  pthread_mutex_unlock(&settings);
  return count;
}

void ampSetNumThreads(int count) {
  pthread_mutex_lock(&settings);
  atomic_store_explicit(&numThreads, clampThreads(count), memory_order_relaxed);
  pthread_mutex_unlock(&settings);
}

void ampSetParallelFor(ampParallelFor function, void *data) {
  pthread_mutex_lock(&settings);
  embedderFor = function;
  embedderData = data;
  pthread_mutex_unlock(&settings);
}

//===----------------------------------------------------------------------===//
// Parts of a job
//===----------------------------------------------------------------------===//

/// Runs [begin, end) of `job`. A failure of compiled code comes back here, and
/// is kept for the caller of the job: nobody may jump over other threads.
static void runRange(struct job *job, int64_t begin, int64_t end) {
  if (!job->hasScope) {
    job->body(job->context, begin, end);
    return;
  }
  struct ampCallScope scope;
  struct ampCallScope *outer = ampCurrentScope;
  scope.isOutOfMemory = 0;
  scope.message[0] = 0;
  scope.blocks = NULL;
  if (setjmp(scope.exit)) {
    ampFreeScopeBlocks(&scope);
    ampCurrentScope = outer;
    pthread_mutex_lock(&job->lock);
    if (!job->hasFailed) {
      job->hasFailed = 1;
      job->isOutOfMemory = scope.isOutOfMemory;
      memcpy(job->message, scope.message, sizeof job->message);
    }
    pthread_mutex_unlock(&job->lock);
    // The rest is of no use.
    for (int i = 0; i < job->numShares; ++i)
      atomic_store_explicit(&shares[i].next, shares[i].end,
                            memory_order_relaxed);
    return;
  }
  ampCurrentScope = &scope;
  job->body(job->context, begin, end);
  ampKeepScopeBlocks(&scope);
  ampCurrentScope = outer;
}

/// Divides `job` into `count` shares of whole units, the last of which may be
/// shorter.
static void divide(struct job *job, int count) {
  int64_t units = job->count / job->unit + (job->count % job->unit != 0);
  int64_t each = units / count, more = units % count, begin = 0;
  for (int i = 0; i < count; ++i) {
    atomic_init(&shares[i].next, begin);
    begin += (each + (i < more)) * job->unit;
    shares[i].end = begin < job->count ? begin : job->count;
  }
  job->numShares = count;
}

/// Runs chunks of `job` until none is left, those of share `own` first.
static void runChunks(struct job *job, int own) {
  int outer = isInside;
  isInside = 1;
  for (int i = 0; i < job->numShares; ++i) {
    int other = own + i;
    struct share *share =
        &shares[other < job->numShares ? other : other - job->numShares];
    while (1) {
      int64_t begin = atomic_fetch_add_explicit(&share->next, job->chunk,
                                                memory_order_relaxed);
      if (begin >= share->end)
        break;
      int64_t rest = share->end - begin;
      runRange(job, begin, begin + (rest < job->chunk ? rest : job->chunk));
    }
  }
  isInside = outer;
}

/// What an embedder's function calls for parts of a job.
static void runPart(void *context, int64_t begin, int64_t end) {
  int outer = isInside;
  isInside = 1;
  runRange(context, begin, end);
  isInside = outer;
}

/// Fails as the first part that failed has.
static void finish(struct job *job) {
  pthread_mutex_destroy(&job->lock);
  if (!job->hasFailed)
    return;
  struct ampCallScope *scope = ampCurrentScope;
  scope->isOutOfMemory = job->isOutOfMemory;
  memcpy(scope->message, job->message, sizeof scope->message);
  longjmp(scope->exit, 1);
}

//===----------------------------------------------------------------------===//
// Pool
//===----------------------------------------------------------------------===//

/// Threads look for what they wait for this long before they sleep: waking one
/// takes some 50 microseconds, half of them the waker's, and what one thread
/// does between the loops of a model is often longer than that.
static const int64_t kSpinNanoseconds = 200000;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int isNewJob(unsigned seen) {
  return atomic_load_explicit(&isQuitting, memory_order_relaxed) ||
         atomic_load_explicit(&generation, memory_order_relaxed) != seen;
}

static int isNobodyRunning(unsigned unused) {
  (void)unused;
  return atomic_load_explicit(&numRunning, memory_order_relaxed) == 0;
}

static void rest(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Without the lock, until `isOver(seen)` or for as long as spinning pays. What
/// it saw is asked again with the lock, which orders memory.
static void spin(int (*isOver)(unsigned), unsigned seen) {
  int64_t end = now() + kSpinNanoseconds;
  do
    for (int i = 0; i < 64; ++i) {
      if (isOver(seen))
        return;
      rest();
    }
  while (now() < end);
}

/// Takes the lock of the pool without going to sleep for it, if that pays: who
/// spins sees the end of its wait while the other one still has the lock, for
/// much less time than it takes to sleep and be woken.
static void lockPool(void) {
  if (atomic_load_explicit(&maySpin, memory_order_relaxed))
    for (int i = 0; i < 256; ++i) {
      if (pthread_mutex_trylock(&poolLock) == 0)
        return;
      rest();
    }
  pthread_mutex_lock(&poolLock);
}

/// Worker number `argument`, whose share is the next one: its caller has the
/// first.
static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  unsigned seen = 0;
  pthread_mutex_lock(&poolLock);
  while (1) {
    int hasSpun = !maySpin;
    while (!isQuitting && (seen == generation || self >= numInvited)) {
      // A job that came and went is likely to be followed by another.
      if (seen != generation)
        hasSpun = !maySpin;
      seen = generation;
      if (hasSpun) {
        pthread_cond_wait(&wakeUp, &poolLock);
        continue;
      }
      hasSpun = 1;
      pthread_mutex_unlock(&poolLock);
      spin(isNewJob, seen);
      lockPool();
    }
    if (isQuitting)
      break;
    seen = generation;
    ++numRunning;
    struct job *job = current;
    pthread_mutex_unlock(&poolLock);
    runChunks(job, self + 1);
    lockPool();
    if (--numRunning == 0)
      pthread_cond_signal(&allDone);
  }
  pthread_mutex_unlock(&poolLock);
  return NULL;
}

/// The process whose threads the workers are. One that forks keeps only the
/// thread that did, and locks as they were.
static atomic_int owner;

/// Forgets the threads of the process that this one is forked from. Only the
/// first loop after a fork has anything to do, on the one thread there is.
static void leaveParent(void) {
  int self = (int)getpid();
  int before = atomic_load_explicit(&owner, memory_order_relaxed);
  if (before == self)
    return;
  if (before != 0) {
    numWorkers = numRunning = numInvited = 0;
    avoided = -1;
    pthread_mutex_init(&settings, NULL);
    pthread_mutex_init(&poolLock, NULL);
    pthread_mutex_init(&busy, NULL);
    pthread_cond_init(&wakeUp, NULL);
    pthread_cond_init(&allDone, NULL);
  }
  atomic_store_explicit(&owner, self, memory_order_relaxed);
}

/// Starts workers until there are `count`; fewer where the system gives none.
static void growPool(int count) {
  while (numWorkers < count &&
         pthread_create(&workers[numWorkers], NULL, work,
                        (void *)(intptr_t)numWorkers) == 0) {
    ++numWorkers;
    avoided = -1; // of this one
  }
}

/// The code of the workers may be about to be unloaded.
__attribute__((destructor)) static void stopPool(void) {
  if (atomic_load_explicit(&owner, memory_order_relaxed) != (int)getpid())
    return;
  pthread_mutex_lock(&poolLock);
  isQuitting = 1;
  pthread_cond_broadcast(&wakeUp);
  pthread_mutex_unlock(&poolLock);
  for (int i = 0; i < numWorkers; ++i)
    pthread_join(workers[i], NULL);
  numWorkers = 0;
}

#ifdef __linux__
/// Lets workers run wherever the calling thread may, but if `keepOff` not on
/// its processor: schedulers of virtual machines wake threads on the processor
/// of the one that wakes them, where they would take turns with it for
/// milliseconds, rather than on one that sleeps.
static void placeWorkers(int keepOff) {
  int processor = keepOff ? sched_getcpu() : -1;
  if (processor == avoided)
    return;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return;
  if (processor >= 0)
    CPU_CLR(processor, &set);
  // A caller that is bound to one processor chooses for itself alone.
  if (CPU_COUNT(&set) == 0)
    return;
  for (int i = 0; i < numWorkers; ++i)
    pthread_setaffinity_np(workers[i], sizeof set, &set);
  avoided = processor;
}
#else
static void placeWorkers(int keepOff) { (void)keepOff; }
#endif

static void runInPool(struct job *job, int threads) {
  lockPool();
  growPool(threads - 1);
  current = job;
  divide(job, threads);
  numInvited = threads - 1;
  if (threads != lastThreads) {
    lastThreads = threads;
    maySpin = threads <= getNumProcessors();
  }
  placeWorkers(maySpin);
  ++generation;
  pthread_cond_broadcast(&wakeUp);
  pthread_mutex_unlock(&poolLock);
  runChunks(job, 0);
  lockPool();
  numInvited = 0;
  if (numRunning && maySpin) {
    pthread_mutex_unlock(&poolLock);
    spin(isNobodyRunning, 0);
    lockPool();
  }
  while (numRunning)
    pthread_cond_wait(&allDone, &poolLock);
  current = NULL;
  pthread_mutex_unlock(&poolLock);
}

void amp_parallel_for(ampParallelBody body, void *context, int64_t count,
                      int64_t grain) {
  if (count <= 0)
    return;
  int isOneEach = grain < 0;
  if (isOneEach)
    grain = -grain;
  if (grain < 1)
    grain = 1;
  // Of which each is worth a thread: 16 rows of 12 that are take 1 us on one
  // thread and 3 on two.
  int64_t parts = count / grain;
  if (isInside || parts <= 1) {
    body(context, 0, count);
    return;
  }
  leaveParent();
  pthread_mutex_lock(&settings);
  ampParallelFor function = embedderFor;
  void *data = embedderData;
  pthread_mutex_unlock(&settings);
  int threads = function ? 1 : ampGetNumThreads();
  // The pool is for one job: whoever comes second does its own alone.
  if (!function && (threads == 1 || pthread_mutex_trylock(&busy) != 0)) {
    body(context, 0, count);
    return;
  }
  struct job job;
  job.body = body;
  job.context = context;
  job.count = count;
  job.hasScope = ampCurrentScope != NULL;
  job.hasFailed = 0;
  pthread_mutex_init(&job.lock, NULL);
  job.numShares = 0;
  if (function) {
    int processors = isOneEach ? getNumProcessors() : 1;
    int64_t each = count / processors + (count % processors != 0);
    if (isOneEach && grain < each)
      grain = each;
    function(data, runPart, &job, count, grain);
    finish(&job);
    return;
  }
  if (threads > parts)
    threads = (int)parts;
  job.unit = count / ((int64_t)threads * kChunksPerThread);
  if (isOneEach)
    job.unit = 1;
  else if (job.unit < grain)
    job.unit = grain;
  job.chunk = isOneEach ? count : job.unit;
  runInPool(&job, threads);
  pthread_mutex_unlock(&busy);
  finish(&job);
}
