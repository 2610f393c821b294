// Runs every parallel loop on three threads of its own, whose parts nothing
// orders: ThreadSanitizer tells of what they share, whoever comes first.
#include "amp/Runtime/Parallel.h"

#include <pthread.h>
#include <string.h>

// What LLVM calls instead of the C library's, and GCC's runtime lacks; it does
// see what the C library's are called with.
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
  return memset(to, value, size);
}

enum { kThreads = 3 };

struct part {
  ampParallelBody body;
  void *context;
  int64_t begin, end;
};

static void *run(void *argument) {
  struct part *part = argument;
  part->body(part->context, part->begin, part->end);
  return NULL;
}

static void divide(void *data, ampParallelBody body, void *context,
                   int64_t count, int64_t grain) {
  (void)data;
  int64_t chunks = (count + grain - 1) / grain;
  pthread_t threads[kThreads];
  struct part parts[kThreads];
  for (int64_t i = 0; i < kThreads; ++i) {
    int64_t begin = chunks * i / kThreads * grain;
    int64_t end = chunks * (i + 1) / kThreads * grain;
    parts[i] = (struct part){body, context, begin, end < count ? end : count};
    pthread_create(&threads[i], NULL, run, &parts[i]);
  }
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
}

__attribute__((constructor)) static void install(void) {
  ampSetParallelFor(divide, NULL);
}
