// Checks of the runtime's memory: blocks are used again, their number is
// bounded, threads hand them to each other, and all of it can be given back.
#include "amp/Runtime/Runtime.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int holds, const char *what) {
  if (holds)
    return;
  printf("FAILED: %s\n", what);
  ++failures;
}

enum { kThreads = 4, kRounds = 2000, kSlots = 64 };

static void *slots[kSlots];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int wasDamaged;

/// Puts blocks where any thread takes them from: most are freed by another
/// thread than allocated them.
static void *exchange(void *seed) {
  unsigned state = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < kRounds; ++i) {
    uint64_t size = 1000u << (rand_r(&state) % 8);
    unsigned char *block = amp_alloc(size);
    memset(block, (int)(size >> 8 & 0xff), size);
    memcpy(block, &size, sizeof size);
    pthread_mutex_lock(&lock);
    void **slot = &slots[rand_r(&state) % kSlots];
    unsigned char *other = *slot;
    *slot = block;
    pthread_mutex_unlock(&lock);
    if (!other)
      continue;
    memcpy(&size, other, sizeof size);
    for (uint64_t j = sizeof size; j < size; j += 501)
      if (other[j] != (unsigned char)(size >> 8 & 0xff))
        wasDamaged = 1;
    amp_free(other);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int64_t limit = argc > 1 ? atoll(argv[1]) : (int64_t)1 << 30;
  check(amp_live_bytes() == 0 && amp_cached_bytes() == 0, "nothing at first");

  void *first = amp_alloc(100000);
  check((uintptr_t)first % 64 == 0, "blocks are aligned to 64 bytes");
  amp_free(first);
  void *second = amp_alloc(100000);
  if (limit >= 1 << 20)
    check(first == second, "a block is used again");
  check(amp_cached_bytes() == 0, "a block in use is not in the cache");
  amp_free(second);
  amp_free(NULL);

  enum { kMany = 100 };
  void *many[kMany];
  for (int i = 0; i < kMany; ++i)
    many[i] = amp_alloc(1 << 22);
  for (int i = 0; i < kMany; ++i)
    amp_free(many[i]);
  check(amp_cached_bytes() <= limit, "the cache is bounded");
  check(limit < (int64_t)1 << 30 || amp_cached_bytes() >= (int64_t)kMany << 22,
        "the cache keeps what it may");
  amp_trim();
  check(amp_cached_bytes() == 0, "a trimmed cache is empty");

  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, exchange, (void *)(i + 1));
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kSlots; ++i)
    amp_free(slots[i]);
  check(!wasDamaged, "blocks do not overlap");
  check(amp_live_bytes() == 0, "no block is lost");
  check(amp_cached_bytes() <= limit, "the cache of threads is bounded");
  amp_trim();
  check(amp_cached_bytes() == 0, "threads that ended leave their blocks");
  if (!failures)
    puts("all passed");
  return failures != 0;
}
