//===- WorkspaceTest.cpp - the memory of calls, without a device ----------===//
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

/// Three buffers of n, 2n and 3n bytes, of which the first is gone when the
/// last comes; and one that nobody frees.
void overlapping(ampCudaCall *call) {
  int64_t n = ampCudaArgDim(call, 0, 0);
  void *a = ampCudaAlloc(call, n), *b = ampCudaAlloc(call, 2 * n);
  ampCudaFree(call, a);
  void *c = ampCudaAlloc(call, 3 * n);
  ampCudaFree(call, b);
  ampCudaFree(call, c);
  ampCudaAlloc(call, n);
  ampCudaFree(call, ampCudaArgData(call, 0));
}

/// As many bytes as the number says.
void numbered(ampCudaCall *call) {
  ampCudaAlloc(call,
               *static_cast<const float *>(ampCudaArgScalar(call, 1)) * 8);
}

void writes(ampCudaCall *call) {
  float value = 1;
  void *t = ampCudaAlloc(call, 64);
  ampCudaWrite(call, t, &value, sizeof value);
  int64_t size = 4, stride = 1;
  ampCudaCopy(call, 4, 1, &size, t, &stride, ampCudaConstant(call, 0), &stride,
              0);
  ampCudaCopy(call, 4, 1, &size, t, &stride, &value, &stride,
              AMP_CUDA_COPY_FROM_HOST);
}

void reads(ampCudaCall *call) {
  float value;
  ampCudaRead(call, &value, ampCudaArgData(call, 0), sizeof value);
  ampCudaAlloc(call, value);
}

void copies(ampCudaCall *call) {
  float value;
  int64_t size = 1, stride = 1;
  ampCudaCopy(call, 4, 1, &size, &value, &stride, ampCudaArgData(call, 0),
              &stride, AMP_CUDA_COPY_TO_HOST);
  ampCudaAlloc(call, value);
}

/// Twice as long as the weight; the number is its length.
void paddedInit(ampCudaCall *call) {
  int64_t n = ampCudaArgDim(call, 0, 0), twice = 2 * n;
  ampCudaResultData(call, 0, &twice);
  ampCudaAlloc(call, 1000);
}
void padded(ampCudaCall *call) {
  ampCudaAlloc(call, 4 * ampCudaArgDim(call, 2, 0));
}

class WorkspaceTest : public ::testing::Test {
protected:
  /// The bytes for a vector of `size` elements and the number 5; -2 and the
  /// text after a failure.
  int64_t measure(ampCudaEntryFn function, int64_t size,
                  ampCudaEntryFn init = nullptr) {
    ampCudaEntryDesc entry = {};
    entry.name = "f";
    entry.function = function;
    entry.numArguments = 2;
    entry.numResults = 1;
    entry.arguments = init ? weightedArguments : twiceArguments;
    entry.results = &vector;
    entry.workspaceBytes = -1;
    if (init) {
      entry.init = init;
      entry.numInitArguments = entry.numPrepared = 1;
      entry.initArguments = initArguments;
      entry.prepared = &vector;
    }
    ampCudaModelDesc desc = makeDescription();
    desc.numEntries = 1;
    desc.entries = &entry;
    float number = 5;
    ampTensor x = {nullptr, AMP_F32, 1, &size, nullptr, 0, 0};
    ampTensor a = {&number, AMP_F32, 0, nullptr, nullptr, 0, 0};
    ampTensor arguments[] = {init ? a : x, init ? x : a};
    int64_t bytes = 0;
    status = ampModelWorkspaceBytes(&desc, 0, arguments, 2, &bytes);
    return status == AMP_OK ? bytes : -2;
  }

  ampStatus status = AMP_OK;
};

TEST_F(WorkspaceTest, Peak) {
  EXPECT_EQ(measure(twice, 3), 12);
  EXPECT_EQ(measure(twice, 0), 0);
  EXPECT_EQ(measure(overlapping, 10), 50);
  EXPECT_EQ(measure(numbered, 1), 40);
  EXPECT_EQ(measure(writes, 1), 64);
}

/// What the init gives has sizes, and its own memory does not count.
TEST_F(WorkspaceTest, Prepared) {
  EXPECT_EQ(measure(padded, 6, paddedInit), 48);
  EXPECT_EQ(measure(weighted, 6, weightedInit), 0);
  EXPECT_EQ(measure(padded, 6, reads), -1);
}

TEST_F(WorkspaceTest, DependsOnData) {
  EXPECT_EQ(measure(reads, 1), -1);
  EXPECT_EQ(measure(copies, 1), -1);
}

TEST_F(WorkspaceTest, Failures) {
  EXPECT_EQ(measure(checked, 1), -2);
  EXPECT_EQ(status, AMP_CHECK_FAILED);
  EXPECT_EQ(std::string(ampLastError()), "'f': the size must be even");
  EXPECT_EQ(measure(overlapping, (int64_t(1) << 61) - 1), -2);
  EXPECT_EQ(status, AMP_CHECK_FAILED);
  EXPECT_EQ(std::string(ampLastError()), "'f': its memory is too large");
  EXPECT_EQ(measure(twice, -1), -2);
  EXPECT_EQ(status, AMP_INVALID_ARGUMENT);
}

TEST_F(WorkspaceTest, Arguments) {
  ampCudaModelDesc desc = makeDescription();
  int64_t size = 3, bytes = 7;
  ampTensor x = {nullptr, AMP_F32, 1, &size, nullptr, 0, 0};
  // A number has to be there.
  ampTensor arguments[] = {x, {nullptr, AMP_F32, 0, nullptr, nullptr, 0, 0}};
  auto ask = [&](const void *description, int function, int count,
                 int64_t *place) {
    return ampModelWorkspaceBytes(description, function, arguments, count,
                                  place);
  };
  EXPECT_EQ(ask(&desc, Twice, 2, &bytes), AMP_INVALID_ARGUMENT);
  EXPECT_EQ(bytes, -1);
  EXPECT_EQ(ask(&desc, Twice, 1, &bytes), AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ask(&desc, 70, 2, &bytes), AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ask(&desc, Twice, 2, nullptr), AMP_INVALID_ARGUMENT);
  EXPECT_EQ(ask("no model", Twice, 2, &bytes), AMP_BAD_MODEL);
  // What is known is not computed.
  EXPECT_EQ(ask(&desc, Huge, 1, &bytes), AMP_OK);
  EXPECT_EQ(bytes, 0);
}

} // namespace
