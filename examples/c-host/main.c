//===- main.c - classifies digits with a compiled model -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Runs the model of examples/digits, which amp-compile has made a library with
// its weights, on images from a file, and prints how many it gets right. The
// same program runs a model for the CPU and one for a CUDA device.
//
//===----------------------------------------------------------------------===//

#include "digits.h"

#include <stdio.h>
#include <stdlib.h>

enum { kPixels = 64, kDigits = 10 };

/// Images of 64 bytes and labels of one byte, as write_data.py writes them.
struct data {
  long count;
  unsigned char *images, *labels;
};

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "c-host: error: %s: %s\n", what, detail);
  return 1;
}

static int readData(const char *path, struct data *data) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return fail(path, "cannot be opened");
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  data->count = bytes / (kPixels + 1);
  data->images = malloc(bytes > 0 ? (size_t)bytes : 1);
  size_t numRead =
      data->images ? fread(data->images, 1, (size_t)bytes, file) : 0;
  fclose(file);
  if (bytes <= 0 || bytes % (kPixels + 1) || numRead != (size_t)bytes)
    return fail(path, "expected images of 64 bytes, then as many labels");
  data->labels = data->images + data->count * kPixels;
  return 0;
}

static long countCorrect(const float *logits, const struct data *data) {
  long correct = 0;
  for (long i = 0; i < data->count; ++i) {
    int best = 0;
    for (int digit = 1; digit < kDigits; ++digit)
      if (logits[i * kDigits + digit] > logits[i * kDigits + best])
        best = digit;
    correct += best == data->labels[i];
  }
  return correct;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fail("usage", "c-host DATA");
  struct data data;
  if (readData(argv[1], &data))
    return 1;
  ampModel *model;
  if (ampModelLoad(digits_model, /*device=*/0, &model))
    return fail("loading the model", ampLastError());

  int64_t imageShape[] = {data.count, 8, 8};
  ampTensor images = {
      .data = data.images, .dtype = AMP_I8, .rank = 3, .shape = imageShape};
  // No data: the runtime takes the memory, and writes the sizes. Host memory,
  // also if the model runs on a device.
  int64_t logitShape[2];
  ampTensor logits = {.dtype = AMP_F32, .rank = 2, .shape = logitShape};
  if (ampModelRun(model, digits_main, &images, digits_main_num_arguments,
                  &logits, digits_main_num_results, /*stream=*/NULL))
    return fail("running the model", ampLastError());
  long correct = countCorrect(logits.data, &data);
  printf("%ld of %ld images right: accuracy %.4f\n", correct, data.count,
         (double)correct / (double)data.count);

  // What does not fit gives an error with a text, and nothing else happens.
  imageShape[2] = 9;
  if (ampModelRun(model, digits_main, &images, 1, &logits, 1, NULL) ==
      AMP_INVALID_ARGUMENT)
    printf("as it should: %s\n", ampLastError());

  ampModelFree(model, &logits, NULL);
  ampModelUnload(model);
  free(data.images);
  return 0;
}
