//===- GraphTest.cpp - runs as CUDA graphs --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include "../../../lib/Runtime/CUDA/DriverTypes.h"

using namespace test;

extern "C" {
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext *context);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                     unsigned long long flags);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream);
}

namespace {
using GraphTest = RuntimeTest;

/// The first run with a shape is plain, the second records, later ones replay.
TEST_F(GraphTest, ReplaysTheSamePointers) {
  std::vector<float> x = {1, 2, 3}, y(3);
  int64_t n, m;
  ampTensor argument = onDevice(x, n), result = onDevice(y, m);
  for (int round = 0; round < 4; ++round)
    ASSERT_EQ(runTwice(argument, 2, result), AMP_OK) << ampLastError();
  EXPECT_EQ(read(result), (std::vector<float>{5, 6, 7}));
  ampModelStats s = stats();
  EXPECT_EQ(s.plainRuns, 1u);
  EXPECT_EQ(s.graphRuns, 3u);
  EXPECT_EQ(s.graphsBuilt, 1u);
  EXPECT_EQ(s.graphUpdates, 0u);
  EXPECT_EQ(s.kernelsLaunched, 2u);
}

/// New contents under old pointers, and new pointers, are both seen; nodes
/// change in place.
TEST_F(GraphTest, FollowsPointers) {
  std::vector<float> x = {1, 2, 3}, z = {10, 20, 30}, y(3);
  int64_t n, k, m, l;
  ampTensor first = onDevice(x, n), second = onDevice(z, k),
            result = onDevice(y, m), elsewhere = onDevice(y, l);
  for (int round = 0; round < 2; ++round)
    ASSERT_EQ(runTwice(first, 1, result), AMP_OK);
  ASSERT_EQ(runTwice(second, 1, result), AMP_OK);
  EXPECT_EQ(read(result), (std::vector<float>{12, 22, 32}));
  EXPECT_EQ(stats().graphUpdates, 1u); // the launch that reads x
  ASSERT_EQ(runTwice(second, 1, elsewhere), AMP_OK);
  EXPECT_EQ(read(elsewhere), (std::vector<float>{12, 22, 32}));
  EXPECT_EQ(stats().graphUpdates, 2u); // the launch that writes y
  ASSERT_EQ(runTwice(first, 1, result), AMP_OK);
  EXPECT_EQ(read(result), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(stats().graphUpdates, 4u);
  EXPECT_EQ(stats().graphsBuilt, 1u);
}

/// Every shape and scalar has a graph of its own, up to a limit.
TEST_F(GraphTest, ShapesAndScalars) {
  for (int round = 0; round < 3; ++round)
    for (int size : {2, 3})
      for (float a : {1.f, 2.f}) {
        std::vector<float> x(size, 1), y(size);
        int64_t n, m;
        ampTensor result = tensor(y, m);
        ASSERT_EQ(runTwice(tensor(x, n), a, result), AMP_OK) << ampLastError();
        EXPECT_EQ(y, std::vector<float>(size, 1 + 2 * a));
      }
  EXPECT_EQ(stats().graphsBuilt, 4u);
  for (int size = 10; size < 40; ++size)
    for (int round = 0; round < 2; ++round) {
      std::vector<float> x(size, 1), y(size);
      int64_t n, m;
      ampTensor result = tensor(y, m);
      ASSERT_EQ(runTwice(tensor(x, n), 1, result), AMP_OK) << ampLastError();
      EXPECT_EQ(y, std::vector<float>(size, 3));
    }
}

/// Results that the runtime allocates go through the same graph.
TEST_F(GraphTest, AllocatedResults) {
  std::vector<float> x = {1, 2};
  int64_t n, m[4] = {};
  ampTensor argument = onDevice(x, n), results[4];
  for (int round = 0; round < 4; ++round) {
    results[round] = {nullptr, AMP_F32, 1, &m[round], nullptr, 1, 0};
    ASSERT_EQ(runTwice(argument, 1, results[round]), AMP_OK) << ampLastError();
  }
  for (ampTensor &result : results) {
    EXPECT_EQ(read(result), (std::vector<float>{3, 4}));
    EXPECT_EQ(ampModelFree(model, &result, nullptr), AMP_OK);
  }
  EXPECT_EQ(stats().graphsBuilt, 1u);
}

TEST_F(GraphTest, CanBeTurnedOff) {
  ASSERT_EQ(ampModelUseGraphs(model, 0), AMP_OK);
  std::vector<float> x = {1}, y(1);
  int64_t n, m;
  ampTensor argument = onDevice(x, n), result = onDevice(y, m);
  for (int round = 0; round < 3; ++round)
    ASSERT_EQ(runTwice(argument, 2, result), AMP_OK);
  EXPECT_EQ(stats().graphRuns, 0u);
  EXPECT_EQ(stats().plainRuns, 3u);
}

/// Into a stream that the caller captures, kernels are launched plainly; its
/// graph can run any number of times.
TEST_F(GraphTest, CapturedByTheCaller) {
  std::vector<float> x = {1, 2}, y(2);
  int64_t n, m, k;
  ampTensor argument = onDevice(x, n), result = onDevice(y, m);
  void *stream;
  ASSERT_EQ(ampStreamCreate(model, &stream), AMP_OK);
  auto *handle = static_cast<CUstream>(stream);
  CUcontext context;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamBeginCapture_v2(handle, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_SUCCESS);
  ASSERT_EQ(runTwice(argument, 1, result, stream), AMP_OK) << ampLastError();
  // Host memory cannot be copied then.
  ampTensor host = tensor(y, k);
  EXPECT_EQ(runTwice(argument, 1, host, stream), AMP_INVALID_ARGUMENT);
  CUgraph graph;
  CUgraphExec exec;
  ASSERT_EQ(cuStreamEndCapture(handle, &graph), CUDA_SUCCESS);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  EXPECT_EQ(read(result), (std::vector<float>{0, 0}));
  ASSERT_EQ(cuGraphLaunch(exec, handle), CUDA_SUCCESS);
  ASSERT_EQ(ampModelSynchronize(model, stream), AMP_OK);
  EXPECT_EQ(read(result), (std::vector<float>{3, 4}));
  std::vector<float> fresh = {10, 20};
  ASSERT_EQ(ampModelUpload(model, argument.data, fresh.data(), 8, stream),
            AMP_OK);
  ASSERT_EQ(cuGraphLaunch(exec, handle), CUDA_SUCCESS);
  ASSERT_EQ(ampModelSynchronize(model, stream), AMP_OK);
  EXPECT_EQ(read(result), (std::vector<float>{12, 22}));
  EXPECT_EQ(ampStreamDestroy(model, stream), AMP_OK);
  EXPECT_EQ(cuCtxPopCurrent_v2(&context), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
}
} // namespace
