// Checks of amp_parallel_for and of the functions around it; prints what is
// wrong, or "all passed".
//
// ADAPTER, where it is defined, is the name of an ampParallelFor of another
// file, which then runs the loops.
#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/CPU.h"
#include "amp/Runtime/Runtime.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMost = 5000 };

static atomic_int numFailures;
static void check(int isGood, const char *what) {
  if (isGood)
    return;
  printf("FAILED: %s\n", what);
  atomic_fetch_add(&numFailures, 1);
}

static void count(void *context, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    ++((char *)context)[i];
}

/// Each iteration runs once.
static void checkCoverage(int64_t numIterations, int64_t grain) {
  char *seen = calloc(kMost + 1, 1);
  amp_parallel_for(count, seen, numIterations, grain);
  int isGood = 1;
  for (int64_t i = 0; i <= kMost; ++i)
    isGood &= seen[i] == (i < numIterations);
  check(isGood, "an iteration runs not once");
  free(seen);
}

static void countCalls(void *context, int64_t begin, int64_t end) {
  (void)begin;
  (void)end;
  atomic_fetch_add((atomic_int *)context, 1);
}

/// What is worth one thread runs on one.
static void checkLeast(void) {
  const int64_t grain = 6;
  for (int64_t n = 1; n < 2 * grain; ++n) {
    atomic_int calls = 0;
    amp_parallel_for(countCalls, &calls, n, grain);
    check(calls == 1, "less than two grains are divided");
  }
  atomic_int calls = 0;
  amp_parallel_for(countCalls, &calls, 2 * grain, grain);
  check(ampGetNumThreads() == 1 || calls > 1, "two grains are not divided");
}

/// Where ranges have work of their own, each of `threads` has one.
static void checkRanges(int threads) {
  for (int64_t n = 1; n < 70; ++n)
    for (int64_t grain = 1; grain < 5; ++grain) {
      atomic_int calls = 0;
      amp_parallel_for(countCalls, &calls, n, -grain);
      check(calls <= threads, "a thread has more than one range");
      check(n / grain < 2 ? calls == 1 : threads == 1 || calls > 1,
            "what is worth threads is not divided, or what is not is");
    }
}

static void nest(void *context, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    amp_parallel_for(count, (char *)context + i * 100, 100, 1);
}

static void checkNested(void) {
  char seen[50 * 100] = {0};
  amp_parallel_for(nest, seen, 50, 1);
  int isGood = 1;
  for (int i = 0; i < 50 * 100; ++i)
    isGood &= seen[i] == 1;
  check(isGood, "an iteration of a loop in a loop runs not once");
}

static void *runMany(void *unused) {
  (void)unused;
  for (int i = 0; i < 50; ++i)
    checkCoverage(997, 3);
  return NULL;
}

static void checkConcurrent(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, runMany, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
}

static void failAt(void *context, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    void *block = amp_alloc(100);
    if (i == *(int64_t *)context) {
      ampCpuCheckMessage("iteration 70");
      ampCpuCheckFailed();
    }
    amp_free(block);
  }
}

static void callFailing(void **values) {
  amp_parallel_for(failAt, values[0], 100, 1);
}

static void exhaust(void *context, int64_t begin, int64_t end) {
  (void)context;
  for (int64_t i = begin; i < end; ++i)
    amp_free(amp_alloc(UINT64_MAX));
}

static void callExhausting(void **values) {
  (void)values;
  amp_parallel_for(exhaust, NULL, 100, 1);
}

/// A failure in any thread is the failure of the call, and leaves nothing
/// behind.
static void checkFailures(void) {
  int64_t at = 70, nowhere = 1000;
  void *values[] = {&at};
  int64_t live = amp_live_bytes();
  ampCpuOutcome outcome = ampCpuInvoke(callFailing, values, NULL);
  check(outcome.status == AMP_CHECK_FAILED,
        "a failed check has another status");
  check(strcmp(outcome.message, "iteration 70") == 0,
        "a failed check has another message");
  check(amp_live_bytes() == live, "a failed loop leaks");
  values[0] = &nowhere;
  check(ampCpuInvoke(callFailing, values, NULL).status == AMP_OK,
        "a call after one that failed fails");
  check(ampCpuInvoke(callExhausting, values, NULL).status == AMP_OUT_OF_MEMORY,
        "exhausted memory has another status");
}

/// A child has no threads but starts its own.
static void checkFork(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int before = atomic_load(&numFailures);
    checkCoverage(1000, 1);
    _exit(atomic_load(&numFailures) != before);
  }
  int status = 1;
  waitpid(child, &status, 0);
  check(status == 0, "a loop fails in a child process");
}

static atomic_int numCalls;
static void backwards(void *data, ampParallelBody body, void *context,
                      int64_t count, int64_t grain) {
  check(data == &numCalls, "the embedder's function gets other data");
  check(grain > 0, "the embedder's function gets no grain");
  for (int64_t end = count; end > 0; end -= grain)
    body(context, end > grain ? end - grain : 0, end);
  atomic_fetch_add(&numCalls, 1);
}

/// Copies [rows, 3, columns] elements of 4 bytes with steps of `row`, `middle`
/// and `step` elements to [3, rows, columns] with gaps, which stay.
static void checkCopy(int64_t rows, int64_t columns, int64_t row,
                      int64_t middle, int64_t step) {
  int64_t width = columns + 5, most = 3 * rows * width + 7;
  int64_t size = (rows + 1) * row + 3 * middle + columns * step + 3;
  int32_t *from = malloc(size * sizeof *from), *to = malloc(most * sizeof *to);
  for (int64_t i = 0; i < size; ++i)
    from[i] = (int32_t)i;
  memset(to, -1, most * sizeof *to);
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[4], strides[4];
  } src = {from, from, 3, {1, rows, 3, columns}, {7, row, middle, step}},
    dst = {to, to, 7, {1, rows, 3, columns}, {1, width, rows * width, 1}};
  struct amp_unranked_memref source = {4, &src}, target = {4, &dst};
  memrefCopy(sizeof *from, &source, &target);
  int64_t wrong = 0, copied = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t k = 0; k < columns; ++k, ++copied)
        wrong += to[7 + i * width + j * rows * width + k] !=
                 3 + i * row + j * middle + k * step;
  int64_t kept = 0;
  for (int64_t i = 0; i < most; ++i)
    kept += to[i] == -1;
  check(wrong == 0 && kept == most - copied, "a copy of gaps is wrong");
  free(from);
  free(to);
}

/// Copies [3, n, 5] elements of `bytes`, those of the source `srcStep` apart
/// and in `srcGap` columns more than there are, and so those of the target.
static void checkElements(int64_t bytes, int64_t n, int64_t srcStep,
                          int64_t srcGap, int64_t dstStep, int64_t dstGap) {
  int64_t srcRow = 5 * srcStep + srcGap, dstRow = 5 * dstStep + dstGap;
  int64_t srcSize = 3 * n * srcRow * bytes, dstSize = 3 * n * dstRow * bytes;
  unsigned char *from = malloc((size_t)srcSize), *to = malloc((size_t)dstSize),
                *want = malloc((size_t)dstSize);
  for (int64_t i = 0; i < srcSize; ++i)
    from[i] = (unsigned char)(i % 251);
  memset(to, 255, (size_t)dstSize);
  memset(want, 255, (size_t)dstSize);
  for (int64_t row = 0; row < 3 * n; ++row)
    for (int64_t i = 0; i < 5; ++i)
      memcpy(want + (row * dstRow + i * dstStep) * bytes,
             from + (row * srcRow + i * srcStep) * bytes, (size_t)bytes);
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[3], strides[3];
  } src = {from, from, 0, {3, n, 5}, {n * srcRow, srcRow, srcStep}},
    dst = {to, to, 0, {3, n, 5}, {n * dstRow, dstRow, dstStep}};
  struct amp_unranked_memref source = {3, &src}, target = {3, &dst};
  memrefCopy(bytes, &source, &target);
  check(memcmp(to, want, (size_t)dstSize) == 0, "a copy of elements is wrong");
  free(from);
  free(to);
  free(want);
}

static void checkCopies(void) {
  for (int64_t bytes = 1; bytes <= 17; ++bytes)
    for (int64_t n = 1; n <= 40; n += 13)
      for (int i = 0; i < 16; ++i)
        checkElements(bytes, n, i & 1 ? 3 : 1, i & 2, i & 4 ? 2 : 1, i & 8);
  // More than caches hold: in one stretch, and in several that start anywhere.
  checkElements(4, 300000, 1, 0, 1, 0);
  checkElements(1, 1200001, 1, 0, 1, 0);
  checkCopy(701, 2000, 6000, 2000, 1);
  const int64_t rows[] = {0, 1, 2, 129};
  for (int i = 0; i < 4; ++i) {
    checkCopy(rows[i], 1000, 3000, 1000, 1); // rows without gaps
    checkCopy(rows[i], 1000, 3100, 1000, 1);
    checkCopy(rows[i], 50, 1, 7, 200); // columns
    checkCopy(rows[i], 50, 0, 50, 1);  // the same for all
    checkCopy(rows[i], 0, 1, 1, 1);
  }
}

static void checkAll(void) {
  for (int64_t n = 0; n < 70; ++n)
    for (int64_t grain = -4; grain < 5; ++grain)
      checkCoverage(n, grain);
  checkCoverage(kMost, 1);
  checkCoverage(kMost, -1);
  checkCoverage(kMost, 0);
  checkCoverage(kMost, kMost);
  checkCoverage(-1, 1);
  checkLeast();
  checkNested();
  checkCopies();
  checkConcurrent();
  checkFailures();
}

#ifdef ADAPTER
void ADAPTER(void *data, ampParallelBody body, void *context, int64_t count,
             int64_t grain);
#endif

#if defined(__linux__) && !defined(ADAPTER)
/// Where the caller is, and whether a worker may run there too.
struct place {
  pthread_t caller;
  int processor;
  atomic_int hasOther, isShared;
};

static void look(void *context, int64_t begin, int64_t end) {
  (void)begin, (void)end;
  struct place *place = context;
  cpu_set_t set;
  if (!pthread_equal(pthread_self(), place->caller) &&
      sched_getaffinity(0, sizeof set, &set) == 0) {
    atomic_store(&place->hasOther, 1);
    if (CPU_ISSET(place->processor, &set))
      atomic_store(&place->isShared, 1);
  }
  usleep(200);
}

/// A worker keeps off the processor of the thread that calls, where each has
/// one. The caller may move at any time, so a loop counts only where it did
/// not.
static void checkPlaces(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2)
    return;
  ampSetNumThreads(2);
  for (int i = 0; i < 200; ++i) {
    struct place place = {pthread_self(), sched_getcpu(), 0, 0};
    amp_parallel_for(look, &place, 16, 1);
    if (!atomic_load(&place.hasOther) || sched_getcpu() != place.processor)
      continue;
    check(!atomic_load(&place.isShared), "a worker shares its caller's place");
    break;
  }
  // With more threads than processors, workers run anywhere.
  ampSetNumThreads(CPU_COUNT(&set) + 1);
  for (int i = 0; i < 200; ++i) {
    struct place place = {pthread_self(), sched_getcpu(), 0, 0};
    amp_parallel_for(look, &place, 64, 1);
    if (!atomic_load(&place.hasOther))
      continue;
    check(atomic_load(&place.isShared), "a worker is kept off a processor");
    break;
  }
}
#elif !defined(ADAPTER)
static void checkPlaces(void) {}
#endif

int main(void) {
#ifdef ADAPTER
  ampSetParallelFor(ADAPTER, NULL);
  checkAll();
#else
  unsetenv("AMP_NUM_THREADS");
  check(ampGetNumThreads() == 1, "the default is not one thread");
  ampSetNumThreads(0);
  check(ampGetNumThreads() >= 1, "there is no processor");
  const int counts[] = {1, 2, 3, 7};
  for (int i = 0; i < 4; ++i) {
    ampSetNumThreads(counts[i]);
    check(ampGetNumThreads() == counts[i], "the number of threads is another");
    checkAll();
    checkRanges(counts[i]);
  }
  checkPlaces();
  if (!getenv("NO_FORK"))
    checkFork();
  ampSetNumThreads(0);
  const int processors = ampGetNumThreads();
  ampSetParallelFor(backwards, &numCalls);
  checkAll();
  checkRanges(processors);
  check(atomic_load(&numCalls) > 0, "the embedder's function is not called");
  ampSetParallelFor(NULL, NULL);
  checkAll();
#endif
  if (atomic_load(&numFailures) == 0)
    puts("all passed");
  return atomic_load(&numFailures) != 0;
}
