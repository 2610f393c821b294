//===- FailureTest.cpp - errors instead of crashes ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <string>

using namespace test;

namespace {
class FailureTest : public RuntimeTest {
protected:
  /// Runs a function of one vector and one result.
  ampStatus run(Function function) {
    std::vector<float> x = {1}, y(1);
    int64_t n, m;
    ampTensor argument = tensor(x, n), result = tensor(y, m);
    return ampModelRun(model, function, &argument, 1, &result, 1, nullptr);
  }
  static bool says(const char *part) {
    return std::string(ampLastError()).find(part) != std::string::npos;
  }
};

TEST_F(FailureTest, OutOfMemoryIsSurvived) {
  EXPECT_EQ(run(Huge), AMP_OUT_OF_MEMORY);
  EXPECT_TRUE(says("out of memory")) << ampLastError();
  EXPECT_EQ(run(Huge), AMP_OUT_OF_MEMORY);
  std::vector<float> x = {1}, y(1);
  int64_t n, m;
  ampTensor result = tensor(y, m);
  EXPECT_EQ(runTwice(tensor(x, n), 1, result), AMP_OK) << ampLastError();
  EXPECT_EQ(stats().poolUsedBytes, stats().constantBytes);
}

/// Cached blocks are given back before the device counts as full.
TEST_F(FailureTest, PoolIsTrimmed) {
  for (uint64_t mib : {20, 30, 40, 20, 50}) {
    void *memory = nullptr;
    ASSERT_EQ(ampModelAllocate(model, mib << 20, &memory, nullptr), AMP_OK)
        << ampLastError();
    ASSERT_EQ(ampModelRelease(model, memory, nullptr), AMP_OK);
  }
}

TEST_F(FailureTest, ForeignMemoryIsNotFreed) {
  EXPECT_EQ(ampModelRelease(model, this, nullptr), AMP_INVALID_ARGUMENT);
  void *memory = nullptr;
  ASSERT_EQ(ampModelAllocate(model, 64, &memory, nullptr), AMP_OK);
  EXPECT_EQ(ampModelRelease(model, memory, nullptr), AMP_OK);
  EXPECT_EQ(ampModelRelease(model, memory, nullptr), AMP_INVALID_ARGUMENT);
}

TEST_F(FailureTest, FailedCheck) {
  EXPECT_EQ(run(Checked), AMP_CHECK_FAILED);
  EXPECT_STREQ(ampLastError(), "'checked': the size must be even");
}

TEST_F(FailureTest, ImpossibleLaunch) {
  EXPECT_EQ(run(BadLaunch), AMP_CHECK_FAILED);
  EXPECT_TRUE(says("kernel 'add' (model.mlir:3:5)")) << ampLastError();
}

TEST_F(FailureTest, NoSuchDevice) {
  ampModel *other = nullptr;
  EXPECT_EQ(ampModelLoad(&desc, 7, &other), AMP_NO_DEVICE);
  EXPECT_EQ(other, nullptr);
  EXPECT_TRUE(says("no CUDA device 7")) << ampLastError();
}

TEST_F(FailureTest, BadModels) {
  ampModel *other = nullptr;
  EXPECT_EQ(ampModelLoad(nullptr, 0, &other), AMP_BAD_MODEL);
  ampCudaModelDesc bad = desc;
  bad.magic[0] = 'X';
  EXPECT_EQ(ampModelLoad(&bad, 0, &other), AMP_BAD_MODEL);
  bad = desc;
  bad.version = 99;
  EXPECT_EQ(ampModelLoad(&bad, 0, &other), AMP_BAD_MODEL);
  EXPECT_TRUE(says("compile the model again")) << ampLastError();
  // An image that is no code.
  static const char text[64] = "this is no code";
  ampCudaImageDesc image = {text, sizeof text};
  bad = desc;
  bad.images = &image;
  EXPECT_EQ(ampModelLoad(&bad, 0, &other), AMP_BAD_MODEL) << ampLastError();
  EXPECT_TRUE(says("model 'test', compiled for sim, cannot be loaded"))
      << ampLastError();
  // A kernel that the image does not have.
  ampCudaKernelDesc kernel = kernels[0];
  kernel.name = "missing";
  bad = desc;
  bad.kernels = &kernel;
  EXPECT_EQ(ampModelLoad(&bad, 0, &other), AMP_BAD_MODEL);
  EXPECT_TRUE(says("kernel 'missing' (model.mlir:3:5)")) << ampLastError();
}

// What a process can see once only happens in one of its own.
class FailureDeathTest : public FailureTest {
protected:
  void SetUp() override {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    desc = makeDescription();
  }
  void TearDown() override {}

  /// Exits with 0 when loading gives `status` and the error has `part`.
  [[noreturn]] void expectLoad(ampStatus status, const char *part) {
    ampStatus found = ampModelLoad(&desc, 0, &model);
    if (found == status && says(part))
      std::exit(0);
    std::fprintf(stderr, "%s: %s\n", ampStatusName(found), ampLastError());
    std::exit(1);
  }

  /// Exits with 0 when runs become graphs under this version of CUDA.
  [[noreturn]] void expectGraphs(const char *version) {
    useSimulator();
    setenv("AMP_SIM_VERSION", version, 1);
    if (ampModelLoad(&desc, 0, &model) != AMP_OK)
      std::exit(2);
    std::vector<float> x = {1, 2}, y(2);
    int64_t n, m;
    ampTensor result = tensor(y, m);
    for (int round = 0; round < 4; ++round)
      if (runTwice(tensor(x, n), 1, result) != AMP_OK ||
          y != std::vector<float>{3, 4}) {
        std::fprintf(stderr, "%s\n", ampLastError());
        std::exit(3);
      }
    if (stats().graphRuns != 3 || stats().graphsBuilt != 1)
      std::exit(4);
    ampModelUnload(model);
    std::exit(0);
  }
};

TEST_F(FailureDeathTest, NoDriver) {
  EXPECT_EXIT(
      {
        setenv("AMP_CUDA_DRIVER", "/nonexistent/libcuda.so", 1);
        expectLoad(AMP_NO_DRIVER, "no CUDA driver: /nonexistent");
      },
      ::testing::ExitedWithCode(0), "");
}

/// A library, but no driver.
TEST_F(FailureDeathTest, ForeignLibrary) {
  EXPECT_EXIT(
      {
        setenv("AMP_CUDA_DRIVER", "libc.so.6", 1);
        expectLoad(AMP_NO_DRIVER, "has no function 'cuInit'");
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(FailureDeathTest, NoDevice) {
  EXPECT_EXIT(
      {
        useSimulator();
        setenv("AMP_SIM_DEVICES", "0", 1);
        setenv("CUDA_VISIBLE_DEVICES", "", 1);
        expectLoad(AMP_NO_DEVICE, "CUDA_VISIBLE_DEVICES is ''");
      },
      ::testing::ExitedWithCode(0), "");
}

/// A driver whose graphs do not know launches that overlap gets plain ones.
TEST_F(FailureDeathTest, GraphsOfOldDrivers) {
  for (const char *version : {"12020", "12030"})
    EXPECT_EXIT(expectGraphs(version), ::testing::ExitedWithCode(0), "");
}

/// A fault is an error of that call or of a later one, with the kernel's name,
/// and of every call after it.
TEST_F(FailureDeathTest, DeviceFault) {
  for (const char *sync : {"0", "1"})
    EXPECT_EXIT(
        {
          useSimulator();
          setenv("AMP_CUDA_SYNC", sync, 1);
          if (ampModelLoad(&desc, 0, &model) != AMP_OK)
            std::exit(2);
          ampStatus status = run(Faulty);
          if (status == AMP_OK)
            status = ampModelSynchronize(model, nullptr);
          if (status != AMP_DEVICE_FAULT || !says("'add' (model.mlir:3:5)")) {
            std::fprintf(stderr, "%d %s\n", status, ampLastError());
            std::exit(3);
          }
          if (run(Constant) != AMP_DEVICE_FAULT) {
            std::fprintf(stderr, "then: %s\n", ampLastError());
            std::exit(4);
          }
          ampModelUnload(model);
          std::exit(0);
        },
        ::testing::ExitedWithCode(0), "");
}
} // namespace
