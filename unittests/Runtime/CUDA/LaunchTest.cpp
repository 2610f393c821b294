//===- LaunchTest.cpp - what launches can ask of the driver ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters, more shared memory than kernels have without asking, and tensor
// maps by value, as generated code would use them: one model written by hand,
// on the simulator's driver.
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include "amp/Simulator/TensorMap.h"

#include <cstring>

using namespace test;

namespace {
/// out[2 b], out[2 b + 1]: the place of block b in its cluster, and the number
/// of the cluster.
void clusterKernel(ampSimThread *thread, void **params) {
  float *out = *static_cast<float **>(params[0]);
  uint32_t block = thread->registers[AMP_SIM_BLOCK_ID];
  out[2 * block] = float(thread->registers[AMP_SIM_BLOCK_IN_CLUSTER]);
  out[2 * block + 1] = float(thread->registers[AMP_SIM_CLUSTER_ID]);
}

/// out[0]: the bytes of dynamic shared memory, all of which are written.
void sharedKernel(ampSimThread *thread, void **params) {
  float *out = *static_cast<float **>(params[0]);
  std::memset(thread->shared + thread->dynamicOffset, 1, thread->dynamicBytes);
  out[0] = float(thread->dynamicBytes);
}

/// out[0]: the blocks of the grid.
void gridKernel(ampSimThread *thread, void **params) {
  float *out = *static_cast<float **>(params[0]);
  out[0] = float(thread->registers[AMP_SIM_GRID_DIM]);
}

/// out[i] = row 1 of what the tensor map is of.
void mapKernel(ampSimThread *, void **params) {
  float *out = *static_cast<float **>(params[0]);
  const auto &map = *static_cast<const ampSimTensorMap *>(params[1]);
  const char *row =
      reinterpret_cast<const char *>(uintptr_t(map.base)) + map.byteStrides[0];
  std::memcpy(out, row, map.sizes[0] * 4);
}

const uint32_t pointerOnly[] = {8};
const uint32_t pointerAndMap[] = {8, 128};
const ampSimKernel launchKernels[] = {
    {"clusters", clusterKernel, pointerOnly, 1, 0, 0, 32},
    {"shared", sharedKernel, pointerOnly, 1, 1024, 0, 32},
    {"map", mapKernel, pointerAndMap, 2, 0, 0, 32},
    {"grid", gridKernel, pointerOnly, 1, 0, 0, 32}};
const ampSimImage launchImage = {
    {'A', 'M', 'P', 'S', 'I', 'M', '0', '1'}, 4, launchKernels};

template <int64_t blocks, int64_t cluster>
void runClusters(ampCudaCall *call) {
  int64_t n = 2 * blocks;
  void *out = ampCudaResultData(call, 0, &n);
  void *params[] = {&out};
  ampCudaLaunch(call, 0, blocks, 1, 1, 1, 1, 1, cluster, 1, 1, 0, params, 0);
}

template <int64_t bytes>
void runShared(ampCudaCall *call) {
  int64_t n = 1;
  void *out = ampCudaResultData(call, 0, &n);
  void *params[] = {&out};
  ampCudaLaunch(call, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, bytes, params, 0);
}

/// A kernel that takes any grid, with `perProcessor` blocks on each of the four
/// multiprocessors.
template <int64_t blocks, int64_t perProcessor, int64_t cluster>
void runPersistent(ampCudaCall *call) {
  int64_t n = 1;
  void *out = ampCudaResultData(call, 0, &n);
  void *params[] = {&out};
  ampCudaLaunch(call, 3, blocks, 1, 1, 1, 1, 1, cluster, 1, 1, 0, params,
                perProcessor << AMP_CUDA_LAUNCH_PERSISTENT_SHIFT);
}

/// The second row of an argument of two rows of four.
template <uint32_t boxColumns>
void runMap(ampCudaCall *call) {
  int64_t n = 4;
  void *out = ampCudaResultData(call, 0, &n);
  alignas(64) char map[128];
  uint64_t sizes[] = {4, 2}, strides[] = {16};
  uint32_t box[] = {boxColumns, 2}, steps[] = {1, 1};
  ampCudaTensorMapTiled(call, map, /*CU_TENSOR_MAP_DATA_TYPE_FLOAT32*/ 7, 2,
                        ampCudaArgData(call, 0), sizes, strides, box, steps, 0,
                        0, 0, 0);
  void *params[] = {&out, map};
  ampCudaLaunch(call, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, params, 0);
}

/// The same with rows that are `stride` bytes apart, or by im2col.
template <uint64_t stride, bool isIm2col>
void runOther(ampCudaCall *call) {
  int64_t n = 4;
  void *out = ampCudaResultData(call, 0, &n);
  alignas(64) char map[128];
  uint64_t sizes[] = {4, 2, 1, 1}, strides[] = {stride, 32, 32};
  uint32_t box[] = {4, 2, 1, 1}, steps[] = {1, 1, 1, 1};
  int32_t lower[] = {-1, 0}, upper[] = {1, 0};
  if (isIm2col)
    ampCudaTensorMapIm2col(call, map, 7, 4, ampCudaArgData(call, 0), sizes,
                           strides, lower, upper, 4, 8, steps, 0, 0, 0, 0);
  else
    ampCudaTensorMapTiled(call, map, 7, 4, ampCudaArgData(call, 0), sizes,
                          strides, box, steps, 0, 0, 0, 0);
  void *params[] = {&out, map};
  ampCudaLaunch(call, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, params, 0);
}

const int64_t twoByFour[] = {2, 4};
const ampValueInfo matrix = {"x", AMP_F32, 2, twoByFour, 0, 0};

constexpr ampCudaEntryDesc makeEntry(const char *name,
                                     void (*function)(ampCudaCall *),
                                     const ampValueInfo *argument = nullptr) {
  return {name,
          function,
          AMP_CUDA_ENTRY_CAPTURABLE,
          argument ? 1 : 0,
          1,
          argument,
          &vector,
          nullptr,
          0,
          0,
          nullptr,
          nullptr,
          0};
}

enum LaunchFunction {
  Clusters,
  OddClusters,
  Big,
  Bigger,
  Small,
  Map,
  BadMap,
  OddStride,
  Im2col,
  Persistent
};
const ampCudaEntryDesc launchEntries[] = {
    makeEntry("clusters", runClusters<4, 2>),
    makeEntry("oddClusters", runClusters<3, 2>),
    makeEntry("big", runShared<100 * 1024>),
    makeEntry("bigger", runShared<1024 * 1024>),
    makeEntry("small", runShared<4096>),
    makeEntry("map", runMap<4>, &matrix),
    makeEntry("badMap", runMap<3>, &matrix),
    makeEntry("oddStride", runOther<24, false>, &matrix),
    makeEntry("im2col", runOther<16, true>, &matrix),
    makeEntry("any", runPersistent<132, 0, 0>),
    makeEntry("one", runPersistent<132, 1, 0>),
    makeEntry("few", runPersistent<3, 1, 0>),
    makeEntry("two", runPersistent<132, 2, 1>),
    makeEntry("clustersOfThree", runPersistent<132, 2, 3>),
    makeEntry("clustersOfSix", runPersistent<132, 1, 6>)};
const ampCudaImageDesc launchImages[] = {{&launchImage, 0}};
const ampCudaKernelDesc launchDescs[] = {
    {"clusters", "launch.mlir:1:1", 0, 1, pointerOnly},
    {"shared", "launch.mlir:2:1", 0, 1, pointerOnly},
    {"map", "launch.mlir:3:1", 0, 2, pointerAndMap},
    {"grid", "launch.mlir:4:1", 0, 1, pointerOnly}};

class LaunchTest : public RuntimeTest {
protected:
  void SetUp() override {
    useSimulator();
    desc = makeDescription();
    desc.numKernels = 4;
    desc.numEntries = 15;
    desc.images = launchImages;
    desc.kernels = launchDescs;
    desc.entries = launchEntries;
    ASSERT_EQ(ampModelLoad(&desc, 0, &model), AMP_OK) << ampLastError();
  }

  /// Runs a function without arguments into a new vector.
  ampStatus run(int32_t function, std::vector<float> &y) {
    int64_t m;
    ampTensor result = tensor(y, m);
    return ampModelRun(model, function, nullptr, 0, &result, 1, nullptr);
  }
};

TEST_F(LaunchTest, Clusters) {
  // Plain, recorded, replayed.
  for (int round = 0; round < 3; ++round) {
    std::vector<float> y(8, -1);
    ASSERT_EQ(run(Clusters, y), AMP_OK) << ampLastError();
    EXPECT_EQ(y, (std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1}));
  }
  std::vector<float> y(6);
  EXPECT_EQ(run(OddClusters, y), AMP_DRIVER_ERROR);
  EXPECT_NE(std::string(ampLastError())
                .find("kernel 'clusters' "
                      "(launch.mlir:1:1)"),
            std::string::npos)
      << ampLastError();
}

/// The grid of a kernel that takes any is no larger than the device can hold,
/// in whole clusters, of which there is one at least: plain, recorded,
/// replayed.
TEST_F(LaunchTest, PersistentGrids) {
  const float expected[] = {132, 4, 3, 8, 6, 6};
  for (int round = 0; round < 3; ++round)
    for (int32_t i = 0; i < 6; ++i) {
      std::vector<float> y(1);
      ASSERT_EQ(run(Persistent + i, y), AMP_OK) << ampLastError();
      EXPECT_EQ(y[0], expected[i]) << i;
    }
}

/// The runtime asks for more than 48 KB where a kernel needs it; the driver
/// refuses a launch that was not asked for.
TEST_F(LaunchTest, SharedMemory) {
  for (int round = 0; round < 3; ++round)
    for (int32_t function : {Small, Big}) {
      std::vector<float> y(1);
      ASSERT_EQ(run(function, y), AMP_OK) << ampLastError();
      EXPECT_EQ(y[0], function == Small ? 4096.f : 102400.f);
    }
  std::vector<float> y(1);
  EXPECT_EQ(run(Bigger, y), AMP_BAD_MODEL);
  EXPECT_NE(std::string(ampLastError())
                .find("kernel 'shared' (launch.mlir:2:1) needs 1049600 bytes "
                      "of shared memory, but blocks on CUDA device 0 have at "
                      "most "),
            std::string::npos)
      << ampLastError();
  // The model is good for more.
  ASSERT_EQ(run(Big, y), AMP_OK) << ampLastError();
}

/// A tensor map is a parameter like others: a graph gets the new one when the
/// address that it was made from changes.
TEST_F(LaunchTest, TensorMapsByValue) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8}, z(8, 9), y(4);
  int64_t n, k, m;
  ampTensor first = onDevice(x, n), second = onDevice(z, k),
            result = onDevice(y, m);
  first.rank = second.rank = 2;
  int64_t shape[] = {2, 4};
  first.shape = second.shape = shape;
  for (int round = 0; round < 3; ++round)
    ASSERT_EQ(ampModelRun(model, Map, &first, 1, &result, 1, nullptr), AMP_OK)
        << ampLastError();
  EXPECT_EQ(read(result), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(stats().graphUpdates, 0u);
  ASSERT_EQ(ampModelRun(model, Map, &second, 1, &result, 1, nullptr), AMP_OK);
  EXPECT_EQ(read(result), (std::vector<float>{9, 9, 9, 9}));
  EXPECT_EQ(stats().graphUpdates, 1u);
  EXPECT_EQ(stats().graphsBuilt, 1u);

  EXPECT_EQ(ampModelRun(model, BadMap, &first, 1, &result, 1, nullptr),
            AMP_DRIVER_ERROR);
  EXPECT_NE(std::string(ampLastError())
                .find("'badMap': a tensor map cannot be encoded (rank 2)"),
            std::string::npos)
      << ampLastError();

  EXPECT_EQ(ampModelRun(model, OddStride, &first, 1, &result, 1, nullptr),
            AMP_INVALID_ARGUMENT);
  EXPECT_NE(std::string(ampLastError())
                .find("'oddStride': a tensor has a stride of 24 bytes, but a "
                      "tensor map needs a multiple of 16 below 2^40"),
            std::string::npos)
      << ampLastError();

  ASSERT_EQ(ampModelRun(model, Im2col, &first, 1, &result, 1, nullptr), AMP_OK)
      << ampLastError();
  EXPECT_EQ(read(result), (std::vector<float>{5, 6, 7, 8}));
}
} // namespace
