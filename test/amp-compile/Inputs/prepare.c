/* Runs a function of prepare.mlir whose weight the program passes. */
#include "prepare.h"

#include <stdio.h>

static float x[24 * 64], w[64 * 48], y[24 * 48];

static void tell(const char *what, ampStatus status) {
  printf("%s: %s: %s\n", what, ampStatusName(status), ampLastError());
}

static void fill(float *values, int count, float value) {
  for (int i = 0; i < count; ++i)
    values[i] = value;
}

static ampStatus run(ampModel *model, void *weight) {
  int64_t xShape[] = {24, 64}, wShape[] = {64, 48}, yShape[] = {24, 48};
  ampTensor arguments[prepare_dense_num_arguments] = {
      {.data = x, .dtype = AMP_F32, .rank = 2, .shape = xShape},
      {.data = weight, .dtype = AMP_F32, .rank = 2, .shape = wShape}};
  ampTensor result = {.data = y, .dtype = AMP_F32, .rank = 2, .shape = yShape};
  return ampModelRun(model, prepare_dense, arguments,
                     prepare_dense_num_arguments, &result, 1, NULL);
}

/* What a run with the weight gives, and how often weights were prepared. */
static int show(ampModel *model, const char *what) {
  ampModelStats stats;
  if (run(model, w) || ampModelGetStats(model, &stats)) {
    tell(what, AMP_CHECK_FAILED);
    return 1;
  }
  for (int i = 1; i < 24 * 48; ++i)
    if (y[i] != y[0])
      return 1;
  printf("%sy = %g, preparations: %llu, bytes: %llu\n", what, (double)y[0],
         (unsigned long long)stats.preparations,
         (unsigned long long)stats.preparedBytes);
  return 0;
}

int main(void) {
  ampModel *model;
  ampModelStats stats;
  tell("null model", ampModelReloadWeights(NULL, -1));
  if (ampModelLoad(prepare_model, 0, &model)) {
    tell("load", AMP_BAD_MODEL);
    return 1;
  }
  tell("function -2", ampModelReloadWeights(model, -2));
  tell("function 5", ampModelReloadWeights(model, 5));
  tell("null weight", run(model, NULL));
  if (ampModelGetStats(model, &stats))
    return 1;
  printf("preparations: %llu\n", (unsigned long long)stats.preparations);

  fill(x, 24 * 64, 1);
  fill(w, 64 * 48, 1);
  int failed = show(model, "") || show(model, "");
  fill(w, 64 * 48, 2);
  failed = failed || show(model, "not told: ");
  failed = failed || ampModelReloadWeights(model, prepare_dense);
  failed = failed || show(model, "told: ");
  failed = failed || ampModelReloadWeights(model, prepare_other);
  failed = failed || show(model, "other function told: ");
  ampModelUnload(model);
  return failed;
}
