//===- RunTest.cpp - tensors, memory, weights, threads, devices -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <thread>

using namespace test;

namespace {
using RunTest = RuntimeTest;

TEST_F(RunTest, HostTensors) {
  std::vector<float> x = {1, 2, 3}, y(3);
  int64_t n, m;
  ampTensor result = tensor(y, m);
  ASSERT_EQ(runTwice(tensor(x, n), 2, result), AMP_OK) << ampLastError();
  EXPECT_EQ(y, (std::vector<float>{5, 6, 7}));
}

/// The runtime allocates what has no data, on the host or on the device.
TEST_F(RunTest, AllocatedResults) {
  std::vector<float> x = {1, 2, 3};
  int64_t n, m = 0;
  for (int onDevice : {0, 1}) {
    ampTensor result = {nullptr, AMP_F32, 1, &m, nullptr, onDevice, 0};
    ASSERT_EQ(runTwice(tensor(x, n), 1, result), AMP_OK) << ampLastError();
    EXPECT_EQ(m, 3);
    std::vector<float> y(3);
    if (onDevice)
      y = read(result);
    else
      y.assign(static_cast<float *>(result.data),
               static_cast<float *>(result.data) + 3);
    EXPECT_EQ(y, (std::vector<float>{3, 4, 5}));
    EXPECT_EQ(ampModelFree(model, &result, nullptr), AMP_OK);
    EXPECT_EQ(result.data, nullptr);
  }
}

/// Strided arguments are packed, and strided results unpacked; what lies
/// between stays.
TEST_F(RunTest, Strides) {
  std::vector<float> x = {1, 0, 2, 0, 3, 0}, y(6, -1);
  int64_t n = 3, m = 3, stride = 2;
  for (int device : {0, 1}) {
    int64_t all;
    ampTensor in = device ? onDevice(x, all) : tensor(x, all);
    ampTensor out = device ? onDevice(y, all) : tensor(y, all);
    ampTensor argument = in, result = out;
    argument.shape = &n;
    result.shape = &m;
    argument.strides = result.strides = &stride;
    ASSERT_EQ(runTwice(argument, 1, result), AMP_OK) << ampLastError();
    EXPECT_EQ(device ? read(out) : y,
              (std::vector<float>{3, -1, 4, -1, 5, -1}));
    y.assign(6, -1);
  }
}

/// Tensors of the device that start anywhere are copied to where they are
/// aligned, and back; the same addresses need no new weights.
TEST_F(RunTest, UnalignedTensors) {
  std::vector<float> x = {0, 1, 2, 3}, y = {-1, -1, -1, -1};
  int64_t all, n = 3, m = 3;
  auto second = [&](ampTensor tensor, int64_t &size) {
    tensor.data = static_cast<float *>(tensor.data) + 1;
    tensor.shape = &size;
    return tensor;
  };
  ampTensor in = onDevice(x, all), out = onDevice(y, all);
  ampTensor argument = second(in, n), result = second(out, m);
  void *place = result.data;
  for (int run = 0; run < 3; ++run) {
    float a = 1.0f + run;
    ASSERT_EQ(runTwice(argument, a, result), AMP_OK) << ampLastError();
    EXPECT_EQ(result.data, place);
    EXPECT_EQ(read(out),
              (std::vector<float>{-1, 1 + 2 * a, 2 + 2 * a, 3 + 2 * a}));
  }
  float a = 1;
  ampTensor arguments[] = {scalar(a), argument};
  uint64_t before = stats().preparations;
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(ampModelRun(model, Weighted, arguments, 2, &result, 1, nullptr),
              AMP_OK)
        << ampLastError();
    EXPECT_EQ(read(out), (std::vector<float>{-1, 3, 4, 5}));
  }
  EXPECT_EQ(stats().preparations, before + 1);
}

TEST_F(RunTest, EmptyTensor) {
  std::vector<float> x, y;
  int64_t n, m;
  ampTensor result = tensor(y, m);
  float place;
  result.data = &place;
  EXPECT_EQ(runTwice(tensor(x, n), 1, result), AMP_OK) << ampLastError();
  EXPECT_EQ(stats().kernelsLaunched, 0u);
}

TEST_F(RunTest, Constants) {
  std::vector<float> x(1), y(4);
  int64_t n, m;
  ampTensor argument = tensor(x, n), result = tensor(y, m);
  ASSERT_EQ(ampModelRun(model, Constant, &argument, 1, &result, 1, nullptr),
            AMP_OK);
  EXPECT_EQ(y, (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(RunTest, WrongArguments) {
  std::vector<float> x(3), y(4);
  int64_t n, m;
  ampTensor result = tensor(y, m), argument = tensor(x, n);
  // The size of the result.
  EXPECT_EQ(runTwice(argument, 1, result), AMP_INVALID_ARGUMENT);
  EXPECT_STREQ(ampLastError(), "'twice': result 0 has size 3 in dimension 0, "
                               "but the tensor given for it has 4");
  argument.dtype = AMP_F16;
  EXPECT_EQ(runTwice(argument, 1, result), AMP_INVALID_ARGUMENT);
  EXPECT_STREQ(ampLastError(),
               "'twice': argument 0 must have type f32, but has f16");
  argument = tensor(x, n);
  argument.rank = 2;
  EXPECT_EQ(runTwice(argument, 1, result), AMP_INVALID_ARGUMENT);
  argument.rank = 1;
  argument.data = nullptr;
  EXPECT_EQ(runTwice(argument, 1, result), AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ampModelRun(model, 99, nullptr, 0, nullptr, 0, nullptr),
            AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ampModelRun(model, Twice, &argument, 1, &result, 1, nullptr),
            AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ampModelRun(nullptr, 0, nullptr, 0, nullptr, 0, nullptr),
            AMP_INVALID_ARGUMENT);
}

/// A second run takes the memory of the first.
TEST_F(RunTest, PoolIsReused) {
  ASSERT_EQ(ampModelUseGraphs(model, 0), AMP_OK);
  std::vector<float> x(5000, 1), y(5000);
  int64_t n, m;
  ampTensor argument = onDevice(x, n), result = onDevice(y, m);
  ASSERT_EQ(runTwice(argument, 1, result), AMP_OK);
  uint64_t bytes = stats().poolBytes, used = stats().poolUsedBytes;
  void *stream;
  ASSERT_EQ(ampStreamCreate(model, &stream), AMP_OK);
  for (void *on : {static_cast<void *>(nullptr), stream, stream})
    ASSERT_EQ(runTwice(argument, 1, result, on), AMP_OK);
  EXPECT_EQ(stats().poolBytes, bytes);
  EXPECT_EQ(stats().poolUsedBytes, used);
  EXPECT_EQ(ampStreamDestroy(model, stream), AMP_OK);
}

/// Weights are prepared once, again when they are said to have changed, and
/// when they are others.
TEST_F(RunTest, Weights) {
  std::vector<float> w = {1, 2}, other = {10, 20}, y(2);
  int64_t n, k, m;
  float a = 1;
  for (bool device : {false, true}) {
    ampTensor weight = device ? onDevice(w, n) : tensor(w, n);
    ampTensor arguments[] = {scalar(a), weight};
    ampTensor result = tensor(y, m);
    auto run = [&] {
      ASSERT_EQ(ampModelRun(model, Weighted, arguments, 2, &result, 1, nullptr),
                AMP_OK)
          << ampLastError();
    };
    uint64_t before = stats().preparations;
    run();
    run();
    EXPECT_EQ(y, (std::vector<float>{3, 4}));
    EXPECT_EQ(stats().preparations, before + 1);
    // A change of contents alone is not seen ...
    std::vector<float> changed = {5, 6};
    if (device)
      ASSERT_EQ(ampModelUpload(model, weight.data, changed.data(), 8, nullptr),
                AMP_OK);
    else
      w = changed;
    run();
    EXPECT_EQ(y, (std::vector<float>{3, 4}));
    // ... until it is told.
    ASSERT_EQ(ampModelReloadWeights(model, -1), AMP_OK);
    run();
    run();
    EXPECT_EQ(y, (std::vector<float>{7, 8}));
    EXPECT_EQ(stats().preparations, before + 2);
    arguments[1] = tensor(other, k);
    run();
    EXPECT_EQ(y, (std::vector<float>{12, 22}));
    EXPECT_EQ(stats().preparations, before + 3);
    w = {1, 2};
  }
}

TEST_F(RunTest, Profile) {
  std::vector<float> x(100), y(100);
  int64_t n, m;
  float a = 1;
  ampTensor arguments[] = {tensor(x, n), scalar(a)}, result = tensor(y, m);
  ampKernelTime times[4];
  size_t count = 0;
  ASSERT_EQ(ampModelProfile(model, Twice, arguments, 2, &result, 1, nullptr,
                            times, 4, &count),
            AMP_OK)
      << ampLastError();
  ASSERT_EQ(count, 2u);
  EXPECT_STREQ(times[1].kernel, "add");
  EXPECT_STREQ(times[1].location, "model.mlir:3:5");
  EXPECT_EQ(times[1].grid[0], 4u);
  EXPECT_GE(times[1].microseconds, 0);
  // More launches than room.
  ASSERT_EQ(ampModelProfile(model, Twice, arguments, 2, &result, 1, nullptr,
                            times, 1, &count),
            AMP_OK);
  EXPECT_EQ(count, 2u);
}

TEST_F(RunTest, Threads) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      void *stream;
      if (ampStreamCreate(model, &stream) != AMP_OK)
        ++failures;
      for (int round = 0; round < 25; ++round) {
        std::vector<float> x(100 + t, static_cast<float>(t)), y(100 + t);
        int64_t n, m;
        ampTensor result = tensor(y, m);
        if (runTwice(tensor(x, n), static_cast<float>(round), result, stream) !=
                AMP_OK ||
            y.back() != static_cast<float>(t + 2 * round))
          ++failures;
      }
      if (ampStreamDestroy(model, stream) != AMP_OK)
        ++failures;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(RunTest, TwoDevices) {
  int32_t count = 0;
  ASSERT_EQ(ampDeviceCount(&count), AMP_OK);
  ASSERT_EQ(count, 2);
  ampModel *other = nullptr;
  ASSERT_EQ(ampModelLoad(&desc, 1, &other), AMP_OK) << ampLastError();
  std::vector<float> x = {1}, y(1);
  int64_t n, m;
  float a = 1;
  for (ampModel *on : {model, other, model, other}) {
    ampTensor arguments[] = {tensor(x, n), scalar(a)}, result = tensor(y, m);
    ASSERT_EQ(ampModelRun(on, Twice, arguments, 2, &result, 1, nullptr), AMP_OK)
        << ampLastError();
    EXPECT_EQ(y[0], 3);
    y[0] = 0;
  }
  ampModelUnload(other);
}
} // namespace
