//===- DriverTest.cpp - the simulated CUDA driver -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverTypes.h"
#include "amp/Simulator/Runtime.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#define AMP_CUDA_DRIVER(symbol, parameters)                                    \
  extern "C" CUresult symbol parameters;
#include "Driver.def"

namespace {
/// y[i] += a, one thread each; parameters: pointer, count, a. The access is
/// checked against `count` elements.
void addTo(ampSimThread *thread, void **params) {
  auto *data = *static_cast<float **>(params[0]);
  int64_t count = *static_cast<int64_t *>(params[1]);
  float a = *static_cast<float *>(params[2]);
  int64_t i = thread->registers[AMP_SIM_BLOCK_ID] *
                  thread->registers[AMP_SIM_BLOCK_DIM] +
              thread->registers[AMP_SIM_THREAD_ID];
  for (int kind : {AMP_SIM_LOAD, AMP_SIM_STORE})
    ampSimAccess(thread, "access", kind, 4, 4, -1, data, 0, 1, i, count,
                 int64_t(1), int64_t(1));
  data[i] += a;
}

const uint32_t addBytes[] = {8, 8, 4};
const ampSimKernel kernels[] = {{"add_to", addTo, addBytes, 3, 0, 0, 128}};
const ampSimImage image = {
    {'A', 'M', 'P', 'S', 'I', 'M', '0', '1'}, 1, kernels};

/// The switches are read by cuInit, once in a process, so each test that sets
/// one runs in a process of its own.
struct Simulated {
  explicit Simulated(int device = 0) {
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleLoadDataEx(&module, &image, 0, nullptr, nullptr),
              CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&function, module, "add_to"), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }
  ~Simulated() {
    cuStreamDestroy_v2(stream);
    cuModuleUnload(module);
    cuCtxPopCurrent_v2(nullptr);
  }

  CUresult add(CUdeviceptr data, int64_t count, float value, unsigned blocks) {
    void *params[] = {&data, &count, &value};
    CUlaunchConfig config;
    std::memset(&config, 0, sizeof config);
    config.gridDimX = blocks;
    config.blockDimX = 32;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    return cuLaunchKernelEx(&config, function, params, nullptr);
  }

  /// Memory of `count` floats of value `value`.
  CUdeviceptr make(size_t count, float value) {
    CUdeviceptr data = 0;
    EXPECT_EQ(cuMemAlloc_v2(&data, count * 4), CUDA_SUCCESS);
    std::vector<float> host(count, value);
    EXPECT_EQ(cuMemcpyHtoDAsync_v2(data, host.data(), count * 4, stream),
              CUDA_SUCCESS);
    return data;
  }

  float first(CUdeviceptr data) {
    float value = 0;
    EXPECT_EQ(cuMemcpyDtoHAsync_v2(&value, data, 4, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
    return value;
  }

  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUstream stream = nullptr;
};

TEST(DriverTest, HasAllFunctions) {
  // Links only if the library has all that the runtime opens.
  void *functions[] = {
#define AMP_CUDA_DRIVER(symbol, parameters) reinterpret_cast<void *>(&symbol),
#include "Driver.def"
  };
  for (void *function : functions)
    EXPECT_NE(function, nullptr);
}

TEST(DriverTest, Launches) {
  Simulated driver;
  CUdeviceptr data = driver.make(128, 1.0f);
  EXPECT_EQ(driver.add(data, 128, 2.5f, 4), CUDA_SUCCESS);
  EXPECT_EQ(driver.first(data), 3.5f);
  EXPECT_EQ(driver.first(data + 127 * 4), 3.5f);
  EXPECT_EQ(cuMemFree_v2(data), CUDA_SUCCESS);
}

TEST(DriverTest, RefusesForeignImages) {
  Simulated driver;
  CUmodule module;
  EXPECT_EQ(cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\n", 0,
                               nullptr, nullptr),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  CUfunction function;
  EXPECT_EQ(cuModuleGetFunction(&function, driver.module, "missing"),
            CUDA_ERROR_NOT_FOUND);
}

TEST(DriverTest, CapturesGraphs) {
  Simulated driver;
  CUdeviceptr data = driver.make(64, 0.0f), other = driver.make(64, 100.0f);
  ASSERT_EQ(cuStreamBeginCapture_v2(driver.stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(driver.stream),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(driver.add(data, 64, 1.0f, 2), CUDA_SUCCESS);
  int status = 0;
  CUgraph graph = nullptr;
  uint64_t id = 0;
  const CUgraphNode *nodes = nullptr;
  size_t numNodes = 0;
  EXPECT_EQ(cuStreamGetCaptureInfo_v2(driver.stream, &status, &id, &graph,
                                      &nodes, &numNodes),
            CUDA_SUCCESS);
  ASSERT_EQ(numNodes, 1u);
  CUgraphNode node = nodes[0];
  EXPECT_EQ(driver.add(data, 64, 10.0f, 2), CUDA_SUCCESS);
  CUgraph ended = nullptr;
  ASSERT_EQ(cuStreamEndCapture(driver.stream, &ended), CUDA_SUCCESS);
  EXPECT_EQ(ended, graph);
  // Nothing has run yet.
  EXPECT_EQ(driver.first(data), 0.0f);

  CUgraphExec exec = nullptr;
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(exec, driver.stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.first(data), 11.0f);
  EXPECT_EQ(cuGraphLaunch(exec, driver.stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.first(data), 22.0f);

  // The first node now adds 5 to the other array.
  int64_t count = 64;
  float value = 5.0f;
  void *params[] = {&other, &count, &value};
  CUDA_KERNEL_NODE_PARAMS update;
  std::memset(&update, 0, sizeof update);
  update.func = driver.function;
  update.gridDimX = 2;
  update.blockDimX = 32;
  update.gridDimY = update.gridDimZ = update.blockDimY = update.blockDimZ = 1;
  update.kernelParams = params;
  EXPECT_EQ(cuGraphExecKernelNodeSetParams_v2(exec, node, &update),
            CUDA_SUCCESS);
  EXPECT_EQ(cuGraphLaunch(exec, driver.stream), CUDA_SUCCESS);
  EXPECT_EQ(driver.first(data), 32.0f);
  EXPECT_EQ(driver.first(other), 105.0f);
  EXPECT_EQ(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
  cuMemFree_v2(data);
  cuMemFree_v2(other);
}

TEST(DriverTest, CopiesBoxes) {
  Simulated driver;
  // Rows of 4 of 6 bytes, planes of 2 of 3 rows.
  std::vector<uint8_t> host(2 * 3 * 6);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = uint8_t(i);
  CUdeviceptr packed = 0;
  ASSERT_EQ(cuMemAlloc_v2(&packed, 16), CUDA_SUCCESS);
  CUDA_MEMCPY3D copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcXInBytes = 1;
  copy.srcY = 1;
  copy.srcPitch = 6;
  copy.srcHeight = 3;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = packed;
  copy.dstPitch = 4;
  copy.dstHeight = 2;
  copy.WidthInBytes = 4;
  copy.Height = 2;
  copy.Depth = 2;
  EXPECT_EQ(cuMemcpy3DAsync_v2(&copy, driver.stream), CUDA_SUCCESS);
  uint8_t result[16];
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(result, packed, 16, driver.stream),
            CUDA_SUCCESS);
  const uint8_t expected[16] = {7,  8,  9,  10, 13, 14, 15, 16,
                                25, 26, 27, 28, 31, 32, 33, 34};
  EXPECT_EQ(std::memcmp(result, expected, 16), 0);
  copy.Depth = 3;
  EXPECT_EQ(cuMemcpy3DAsync_v2(&copy, driver.stream), CUDA_ERROR_INVALID_VALUE);
  cuMemFree_v2(packed);
}

TEST(DriverTest, NoticesBadMemory) {
  Simulated driver;
  CUdeviceptr data = driver.make(8, 0.0f);
  float host[16];
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(host, data, 64, driver.stream),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(data + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(data), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(host, data, 32, driver.stream),
            CUDA_ERROR_INVALID_VALUE);
}

/// Runs `body` in a process of its own, with a variable set; what it prints to
/// stderr must match.
#define EXPECT_IN_PROCESS(variable, value, body, pattern)                      \
  EXPECT_EXIT(                                                                 \
      {                                                                        \
        setenv(variable, value, 1);                                            \
        body();                                                                \
        std::exit(testing::Test::HasFailure());                                \
      },                                                                       \
      testing::ExitedWithCode(0), pattern)

TEST(DriverDeathTest, FaultsStick) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] {
    Simulated driver;
    CUdeviceptr data = driver.make(32, 0.0f);
    // The kernel believes in 64 elements; the allocation has 32.
    EXPECT_EQ(driver.add(data, 64, 1.0f, 2), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(driver.stream), CUDA_ERROR_ILLEGAL_ADDRESS);
    CUdeviceptr more = 0;
    EXPECT_EQ(cuMemAlloc_v2(&more, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(driver.add(data, 32, 1.0f, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
  };
  EXPECT_IN_PROCESS("AMP_SIM_CHECK", "1", body,
                    "kernel 'add_to', block \\(1, 0, 0\\), thread \\(0, 0, "
                    "0\\): access reads 4 bytes");
}

TEST(DriverDeathTest, FreedMemoryFaults) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] {
    Simulated driver;
    CUdeviceptr data = driver.make(32, 0.0f);
    EXPECT_EQ(cuMemFree_v2(data), CUDA_SUCCESS);
    EXPECT_EQ(driver.add(data, 32, 1.0f, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(driver.stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  };
  EXPECT_IN_PROCESS("AMP_SIM_CHECK", "1", body, "which has been freed");
}

TEST(DriverDeathTest, MemoryRunsOut) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] {
    Simulated driver;
    CUdeviceptr first = 0, second = 0;
    EXPECT_EQ(cuMemAlloc_v2(&first, 600), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc_v2(&second, 600), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemFree_v2(first), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc_v2(&second, 600), CUDA_SUCCESS);
  };
  EXPECT_IN_PROCESS("AMP_SIM_MEMORY", "1000", body, "");
}

TEST(DriverDeathTest, WorkIsPutOff) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] {
    Simulated driver;
    CUdeviceptr data = driver.make(32, 1.0f);
    auto *memory = reinterpret_cast<float *>(data);
    EXPECT_EQ(driver.add(data, 32, 1.0f, 1), CUDA_SUCCESS);
    CUevent event = nullptr;
    EXPECT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecord(event, driver.stream), CUDA_SUCCESS);
    EXPECT_EQ(driver.add(data, 32, 10.0f, 1), CUDA_SUCCESS);
    EXPECT_NE(*memory, 2.0f);
    EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
    EXPECT_EQ(*memory, 2.0f);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
    EXPECT_EQ(*memory, 12.0f);
    EXPECT_EQ(cuEventDestroy_v2(event), CUDA_SUCCESS);
  };
  EXPECT_IN_PROCESS("AMP_SIM_DEFER", "1", body, "");
}

TEST(DriverDeathTest, LeaksAreCounted) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("AMP_SIM_LEAKS", "1", 1);
        Simulated driver;
        driver.make(4, 0.0f);
        std::exit(0);
      },
      testing::ExitedWithCode(1), "1 allocations of 16 bytes were never freed");
}

TEST(DriverDeathTest, NoDevices) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] { EXPECT_EQ(cuInit(0), CUDA_ERROR_NO_DEVICE); };
  EXPECT_IN_PROCESS("AMP_SIM_DEVICES", "0", body, "");
}

TEST(DriverDeathTest, SeveralDevices) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto body = [] {
    Simulated driver(1);
    int count = 0;
    EXPECT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
    EXPECT_EQ(count, 2);
    CUdevice device = 0;
    EXPECT_EQ(cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  };
  EXPECT_IN_PROCESS("AMP_SIM_DEVICES", "2", body, "");
}
} // namespace
