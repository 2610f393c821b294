//===- TestModel.h - a model written by hand --------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler would emit, for the simulator's driver: one kernel,
// out[i] = in[i] + a, and entries that use it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_UNITTESTS_RUNTIME_CUDA_TESTMODEL_H
#define AMP_UNITTESTS_RUNTIME_CUDA_TESTMODEL_H

#include "amp/Runtime/CUDA.h"
#include "amp/Simulator/Runtime.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <vector>

namespace test {

inline void addKernel(ampSimThread *thread, void **params) {
  const float *in = *static_cast<float **>(params[0]);
  float *out = *static_cast<float **>(params[1]);
  int64_t count = *static_cast<int64_t *>(params[2]);
  float a = *static_cast<float *>(params[3]);
  int64_t i = thread->registers[AMP_SIM_BLOCK_ID] *
                  thread->registers[AMP_SIM_BLOCK_DIM] +
              thread->registers[AMP_SIM_THREAD_ID];
  if (i >= count)
    return;
  ampSimAccess(thread, "load", AMP_SIM_LOAD, 4, 4, -1, in, 0, 1, i, count,
               int64_t(1), int64_t(1));
  ampSimAccess(thread, "store", AMP_SIM_STORE, 4, 4, -1, out, 0, 1, i, count,
               int64_t(1), int64_t(1));
  out[i] = in[i] + a;
}

inline const uint32_t paramBytes[] = {8, 8, 8, 4};
inline const ampSimKernel simKernels[] = {
    {"add", addKernel, paramBytes, 4, 0, 0, 32}};
inline const ampSimImage simImage = {
    {'A', 'M', 'P', 'S', 'I', 'M', '0', '1'}, 1, simKernels};

inline void add(ampCudaCall *call, void *in, void *out, int64_t count,
                float a) {
  // Generated code takes it for granted.
  EXPECT_EQ(reinterpret_cast<uintptr_t>(in) % 16, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(out) % 16, 0u);
  void *params[] = {&in, &out, &count, &a};
  ampCudaLaunch(call, 0, (count + 31) / 32, 1, 1, 32, 1, 1, 0, 0, 0, 0, params,
                AMP_CUDA_LAUNCH_DEPENDENT);
}

/// y = x + a + a, through memory of the call.
inline void twice(ampCudaCall *call) {
  int64_t n = ampCudaArgDim(call, 0, 0);
  float a = *static_cast<const float *>(ampCudaArgScalar(call, 1));
  void *t = ampCudaAlloc(call, n * 4);
  add(call, ampCudaArgData(call, 0), t, n, a);
  add(call, t, ampCudaResultData(call, 0, &n), n, a);
  ampCudaFree(call, t);
}

/// p = w + 1, ahead of time.
inline void weightedInit(ampCudaCall *call) {
  int64_t n = ampCudaArgDim(call, 0, 0);
  add(call, ampCudaArgData(call, 0), ampCudaResultData(call, 0, &n), n, 1);
}

/// y = p + a: argument 2 is what weightedInit gave.
inline void weighted(ampCudaCall *call) {
  int64_t n = ampCudaArgDim(call, 2, 0);
  float a = *static_cast<const float *>(ampCudaArgScalar(call, 0));
  add(call, ampCudaArgData(call, 2), ampCudaResultData(call, 0, &n), n, a);
}

/// Writes to where no memory is.
inline void faulty(ampCudaCall *call) {
  int64_t n = 1;
  add(call, ampCudaArgData(call, 0), reinterpret_cast<void *>(64), 1, 0);
  ampCudaResultData(call, 0, &n);
}

inline void checked(ampCudaCall *call) {
  ampCudaCheckFailed(call, "the size must be even");
}

inline void huge(ampCudaCall *call) { ampCudaAlloc(call, 1ull << 50); }

inline void badLaunch(ampCudaCall *call) {
  void *params[] = {nullptr};
  ampCudaLaunch(call, 0, int64_t(1) << 40, 1, 1, 32, 1, 1, 0, 0, 0, 0, params,
                0);
}

/// y = the constant.
inline void constant(ampCudaCall *call) {
  int64_t n = 4;
  add(call, ampCudaConstant(call, 0), ampCudaResultData(call, 0, &n), n, 0);
}

inline const int64_t anySize[] = {AMP_DYNAMIC};
inline const ampValueInfo vector = {"x", AMP_F32, 1, anySize, 0, 0};
inline const ampValueInfo twiceArguments[] = {
    vector, {"a", AMP_F32, 0, nullptr, AMP_VALUE_SCALAR, 0}};
inline const ampValueInfo weightedArguments[] = {
    {"a", AMP_F32, 0, nullptr, AMP_VALUE_SCALAR, 0},
    {"w", AMP_F32, 1, anySize, AMP_VALUE_WEIGHT, 0}};
inline const int32_t initArguments[] = {1};

enum Function { Twice, Weighted, Faulty, Checked, Huge, BadLaunch, Constant };

inline const ampCudaEntryDesc entries[] = {
    {"twice", twice, AMP_CUDA_ENTRY_CAPTURABLE, 2, 1, twiceArguments, &vector,
     nullptr, 0, 0, nullptr, nullptr, -1},
    {"weighted", weighted, AMP_CUDA_ENTRY_CAPTURABLE, 2, 1, weightedArguments,
     &vector, weightedInit, 1, 1, initArguments, &vector, 0},
    {"faulty", faulty, 0, 1, 1, &vector, &vector, nullptr, 0, 0, nullptr,
     nullptr, 0},
    {"checked", checked, 0, 1, 1, &vector, &vector, nullptr, 0, 0, nullptr,
     nullptr, 0},
    {"huge", huge, 0, 1, 1, &vector, &vector, nullptr, 0, 0, nullptr, nullptr,
     0},
    {"badLaunch", badLaunch, 0, 1, 1, &vector, &vector, nullptr, 0, 0, nullptr,
     nullptr, 0},
    {"constant", constant, 0, 1, 1, &vector, &vector, nullptr, 0, 0, nullptr,
     nullptr, 0}};

inline const float constantData[] = {1, 2, 3, 4};
inline const ampCudaConstantDesc constants[] = {
    {constantData, sizeof constantData}};
inline const ampCudaImageDesc images[] = {{&simImage, 0}};
inline const ampCudaKernelDesc kernels[] = {
    {"add", "model.mlir:3:5", 0, 4, paramBytes}};

inline ampCudaModelDesc makeDescription() {
  ampCudaModelDesc desc = {AMP_CUDA_MAGIC,
                           AMP_CUDA_ABI_VERSION,
                           sizeof(ampCudaModelDesc),
                           "test",
                           "sim",
                           "{}",
                           1,
                           1,
                           1,
                           7,
                           images,
                           kernels,
                           constants,
                           entries};
  return desc;
}

/// Tests run on two simulated devices of 64 MiB.
class RuntimeTest : public ::testing::Test {
protected:
  static void useSimulator() {
    setenv("AMP_CUDA_DRIVER", AMP_SIMULATOR_LIBRARY, 1);
    setenv("AMP_SIM_DEVICES", "2", 1);
    setenv("AMP_SIM_MEMORY", "67108864", 1);
  }

  void SetUp() override {
    useSimulator();
    desc = makeDescription();
    ASSERT_EQ(ampModelLoad(&desc, 0, &model), AMP_OK) << ampLastError();
  }
  void TearDown() override { ampModelUnload(model); }

  /// A host vector as a tensor.
  static ampTensor tensor(std::vector<float> &data, int64_t &size) {
    size = static_cast<int64_t>(data.size());
    ampTensor t = {};
    t.data = data.data();
    t.dtype = AMP_F32;
    t.rank = 1;
    t.shape = &size;
    return t;
  }
  static ampTensor scalar(float &value) {
    ampTensor t = {};
    t.data = &value;
    t.dtype = AMP_F32;
    return t;
  }

  /// A vector in device memory, freed with the test.
  ampTensor onDevice(std::vector<float> &data, int64_t &size) {
    ampTensor t = tensor(data, size);
    void *memory = nullptr;
    EXPECT_EQ(ampModelAllocate(model, data.size() * 4, &memory, nullptr),
              AMP_OK);
    EXPECT_EQ(
        ampModelUpload(model, memory, data.data(), data.size() * 4, nullptr),
        AMP_OK);
    t.data = memory;
    t.onDevice = 1;
    return t;
  }
  std::vector<float> read(const ampTensor &t) {
    std::vector<float> data(t.shape[0]);
    EXPECT_EQ(
        ampModelDownload(model, data.data(), t.data, data.size() * 4, nullptr),
        AMP_OK);
    return data;
  }

  /// Runs `twice`.
  ampStatus runTwice(ampTensor x, float a, ampTensor &y,
                     void *stream = nullptr) {
    ampTensor arguments[] = {x, scalar(a)};
    return ampModelRun(model, Twice, arguments, 2, &y, 1, stream);
  }

  ampModelStats stats() {
    ampModelStats s = {};
    EXPECT_EQ(ampModelGetStats(model, &s), AMP_OK);
    return s;
  }

  ampCudaModelDesc desc;
  ampModel *model = nullptr;
};

} // namespace test

#endif // AMP_UNITTESTS_RUNTIME_CUDA_TESTMODEL_H
