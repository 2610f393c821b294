/* What the runtime prepares of weights, with a model whose code is written by
 * hand: the function scale(x, w) gives x * p, where scale_init(w) gives
 * p = 2 * w. A weight that starts with a negative number is refused, and one
 * that starts with more than 1e6 takes more memory than there is. */
#include "amp/Runtime/CPU.h"
#include "amp/Runtime/Runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1000, THREADS = 4, ROUNDS = 200 };

/// A memref of rank 1.
typedef struct {
  float *allocated, *aligned;
  int64_t offset, size, stride;
} Memref;

static int failures;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("FAILED, line %d: %s (%s)\n", __LINE__, #condition,               \
             ampLastError());                                                  \
      __atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST);                      \
    }                                                                          \
  } while (0)

static Memref allocate(uint64_t size, uint64_t bytes) {
  float *data = amp_alloc(bytes);
  Memref memref = {data, data, 0, (int64_t)size, 1};
  return memref;
}

static void scaleInit(void **values) {
  Memref *result = values[0], *w = values[1];
  // What a failure must not leave behind.
  Memref prepared = allocate((uint64_t)w->size, (uint64_t)w->size * 4);
  if (w->size && w->aligned[0] < 0) {
    ampCpuCheckMessage("the weight is negative");
    ampCpuCheckFailed();
  }
  if (w->size && w->aligned[0] > 1e6f)
    allocate(1, UINT64_C(1) << 60);
  for (int64_t i = 0; i < w->size; ++i)
    prepared.aligned[i] = 2 * w->aligned[i];
  *result = prepared;
}

/// Where the last result of `scale` was written to.
static _Thread_local float *place;

static void scale(void **values) {
  Memref *result = values[0], *x = values[1], *prepared = values[3];
  place = ampCpuAllocateResult(4, (uint64_t)x->size * 4, 0, &x->size);
  Memref y = {place, place, 0, x->size, 1};
  if (x->size != prepared->size) {
    ampCpuCheckMessage("the sizes do not agree");
    ampCpuCheckFailed();
  }
  for (int64_t i = 0; i < x->size; ++i)
    y.aligned[i] = x->aligned[i] * prepared->aligned[i];
  *result = y;
}

/// Has no weights, and prepares a constant.
static void constantInit(void **values) {
  Memref *result = values[0];
  *result = allocate(1, 4);
  result->aligned[0] = 3;
}

static void constant(void **values) {
  Memref *result = values[0], *prepared = values[1];
  *result = allocate(1, 4);
  result->aligned[0] = prepared->aligned[0];
}

static const int64_t dynamic[] = {AMP_DYNAMIC}, one[] = {1};
static const ampValueInfo arguments[] = {
    {"x", AMP_F32, 1, dynamic, 0, 0},
    {"w", AMP_F32, 1, dynamic, AMP_VALUE_WEIGHT, 0}};
static const ampValueInfo results[] = {{"y", AMP_F32, 1, dynamic, 0, 0}};
static const ampValueInfo constants[] = {{"c", AMP_F32, 1, one, 0, 0}};
static const ampCpuEntryDesc entries[] = {{"scale", 2, 1, arguments, results},
                                          {"constant", 0, 1, NULL, constants}};
static const ampCpuFunction functions[] = {scale, constant};
static const int32_t weights[] = {1};
static const ampCpuInitDesc inits[] = {
    {scaleInit, {"scale_init", 1, 1, arguments + 1, results}, weights},
    {constantInit, {"constant_init", 0, 1, NULL, constants}, NULL}};
static const ampCpuLevelDesc levels[] = {{"any", 0, functions, inits}};

static void trim(void) {}

static const ampCpuModelDesc description = {AMP_CPU_MAGIC,
                                            AMP_CPU_ABI_VERSION,
                                            sizeof(ampCpuModelDesc),
                                            "hand",
                                            "{}",
                                            2,
                                            1,
                                            entries,
                                            levels,
                                            ampCpuInvoke,
                                            ampCpuAllocate,
                                            amp_free,
                                            trim};

static ampStatus run(ampModel *model, int64_t size, float *x, float *w,
                     const int64_t *strides, float *y) {
  int64_t sizes[] = {size}, resultSizes[] = {size};
  ampTensor tensors[] = {
      {.data = x, .dtype = AMP_F32, .rank = 1, .shape = sizes},
      {.data = w,
       .dtype = AMP_F32,
       .rank = 1,
       .shape = sizes,
       .strides = strides}};
  ampTensor result = {
      .data = y, .dtype = AMP_F32, .rank = 1, .shape = resultSizes};
  return ampModelRun(model, 0, tensors, 2, &result, 1, NULL);
}

static int isRight(int64_t size, const float *x, const float *w, int64_t stride,
                   const float *y) {
  for (int64_t i = 0; i < size; ++i)
    if (y[i] != x[i] * (2 * w[i * stride]))
      return 0;
  return 1;
}

static uint64_t preparations(ampModel *model) {
  ampModelStats stats;
  CHECK(ampModelGetStats(model, &stats) == AMP_OK);
  return stats.preparations;
}

static void fill(float *values, int64_t size, unsigned seed) {
  for (int64_t i = 0; i < size; ++i)
    values[i] = (float)((seed + 7u * (unsigned)i) % 100u);
}

/// A result goes to where the caller wants it, unless an argument is there.
static void testPlaces(ampModel *model) {
  float memory[4 * SIZE], *x = memory, *w = memory + SIZE, y[SIZE];
  fill(x, SIZE, 1);
  fill(w, 2 * SIZE, 2);
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OK);
  CHECK(place == y && isRight(SIZE, x, w, 1, y));
  // Behind a weight, and where elements of it are, with gaps between them.
  CHECK(run(model, SIZE, x, w, NULL, w + SIZE) == AMP_OK);
  CHECK(place == w + SIZE && isRight(SIZE, x, w, 1, w + SIZE));
  int64_t stride = 2;
  float copy[2 * SIZE];
  fill(w, 2 * SIZE, 2);
  memcpy(copy, w, sizeof copy);
  CHECK(run(model, SIZE, x, w, &stride, w + 2 * SIZE - 1) == AMP_OK);
  CHECK(place == w + 2 * SIZE - 1 && isRight(SIZE, x, copy, 2, place));
  memcpy(w, copy, sizeof copy);
  CHECK(run(model, SIZE, x, w, &stride, w + 2 * SIZE - 2) == AMP_OK);
  CHECK(place != w + 2 * SIZE - 2 &&
        isRight(SIZE, x, copy, 2, w + 2 * SIZE - 2));
  // Over the other argument.
  memcpy(y, x, sizeof y);
  CHECK(run(model, SIZE, x, copy, NULL, x) == AMP_OK);
  CHECK(place != x && isRight(SIZE, y, copy, 1, x));
}

static void testFailures(ampModel *model) {
  float x[SIZE], w[SIZE], y[SIZE];
  fill(x, SIZE, 1);
  fill(w, SIZE, 2);
  uint64_t before = preparations(model);
  w[0] = -1;
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_CHECK_FAILED);
  CHECK(strcmp(ampLastError(), "'scale_init': the weight is negative") == 0);
  w[0] = 2e6f;
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OUT_OF_MEMORY);
  CHECK(strstr(ampLastError(), "'scale_init': "));
  CHECK(preparations(model) == before);
  // The same address: nothing of what failed was kept.
  w[0] = 5;
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OK);
  CHECK(isRight(SIZE, x, w, 1, y) && preparations(model) == before + 1);
  // Others that fail leave those of before.
  float bad[SIZE];
  fill(bad, SIZE, 3);
  bad[0] = -1;
  CHECK(run(model, SIZE, x, bad, NULL, y) == AMP_CHECK_FAILED);
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OK);
  CHECK(isRight(SIZE, x, w, 1, y) && preparations(model) == before + 1);
  // Told of, and refused; then told of again.
  w[0] = -1;
  CHECK(ampModelReloadWeights(model, 0) == AMP_OK);
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_CHECK_FAILED);
  w[0] = 7;
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OK);
  CHECK(isRight(SIZE, x, w, 1, y) && preparations(model) == before + 2);
  CHECK(ampModelReloadWeights(NULL, -1) == AMP_INVALID_ARGUMENT);
  CHECK(ampModelReloadWeights(model, -2) == AMP_INVALID_ARGUMENT);
  CHECK(ampModelReloadWeights(model, 2) == AMP_INVALID_ARGUMENT);
  CHECK(strcmp(ampLastError(), "model 'hand': expected a function number from "
                               "-1 to 1, found 2") == 0);
}

static void testKeys(ampModel *model) {
  float x[SIZE], w[SIZE], y[SIZE];
  fill(x, SIZE, 4);
  fill(w, SIZE, 5);
  const int64_t two[] = {2}, none[] = {0};
  // The stack may give w the address of another weight.
  CHECK(ampModelReloadWeights(model, -1) == AMP_OK);
  uint64_t before = preparations(model);
  CHECK(run(model, SIZE, x, w, NULL, y) == AMP_OK && isRight(SIZE, x, w, 1, y));
  CHECK(run(model, 10, x, w, NULL, y) == AMP_OK && isRight(10, x, w, 1, y));
  CHECK(run(model, 10, x, w, two, y) == AMP_OK && isRight(10, x, w, 2, y));
  CHECK(run(model, 10, x, w, two, y) == AMP_OK && isRight(10, x, w, 2, y));
  CHECK(run(model, 10, x, w, none, y) == AMP_OK && isRight(10, x, w, 0, y));
  CHECK(run(model, 0, NULL, NULL, NULL, y) == AMP_OK);
  CHECK(preparations(model) == before + 5);
}

static void testConstant(ampModel *model) {
  float y = 0;
  int64_t size = 1;
  ampTensor result = {.data = &y, .dtype = AMP_F32, .rank = 1, .shape = &size};
  uint64_t before = preparations(model);
  CHECK(ampModelReloadWeights(model, -1) == AMP_OK);
  CHECK(ampModelRun(model, 1, NULL, 0, &result, 1, NULL) == AMP_OK && y == 3);
  // Prepared as the model was loaded, and no weight.
  CHECK(preparations(model) == before);
}

static ampModel *shared;
/// Two threads share each of these weights.
static float shares[2][SIZE];

static void *work(void *number) {
  unsigned seed = (unsigned)(intptr_t)number;
  float x[SIZE], y[SIZE];
  for (unsigned round = 0; round < ROUNDS; ++round) {
    int64_t size = SIZE - (int64_t)(round % 3);
    fill(x, SIZE, seed + round);
    CHECK(run(shared, size, x, shares[seed % 2], NULL, y) == AMP_OK);
    CHECK(isRight(size, x, shares[seed % 2], 1, y));
    if (round % 16 == seed)
      CHECK(ampModelReloadWeights(shared, round % 2 ? 0 : -1) == AMP_OK);
  }
  return NULL;
}

static void testThreads(void) {
  pthread_t threads[THREADS];
  fill(shares[0], SIZE, 6);
  fill(shares[1], SIZE, 8);
  for (intptr_t i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
}

int main(void) {
  ampModel *model;
  CHECK(ampModelLoad(&description, 0, &model) == AMP_OK);
  CHECK(preparations(model) == 1);
  testFailures(model);
  testKeys(model);
  testConstant(model);
  testPlaces(model);
  shared = model;
  testThreads();
  ampModelUnload(model);
  // One that never ran.
  CHECK(ampModelLoad(&description, 0, &model) == AMP_OK);
  ampModelUnload(model);
  ampModelUnload(NULL);
  puts(failures ? "FAILED" : "all passed");
  return failures != 0;
}
