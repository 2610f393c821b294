//===- AsyncTest.cpp - TMA, mbarriers and wgmma in the simulator ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels written by hand, as amp-gpu-simulate would compile them. Products are
// of small integers, so that every type gives the exact sum.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/Fragments.h"
#include "amp/Codegen/GPU/Hopper/Pipeline.h"
#include "amp/Simulator/Runtime.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>
#include <vector>

using namespace mlir::amp::gpu::hopper;

namespace {
/// What the threads of the launch do.
std::function<void(ampSimThread *, uint32_t)> body;

void runBody(ampSimThread *thread, void **) {
  body(thread, thread->registers[AMP_SIM_THREAD_ID]);
}

/// Runs `work` in one cluster, of one block.
void launch(int64_t threads, int32_t sharedBytes,
            std::function<void(ampSimThread *, uint32_t)> work,
            int64_t blocks = 1) {
  body = std::move(work);
  ampSimKernel kernel = {"test", runBody, nullptr, 0, 0, AMP_SIM_COLLECTIVE, 0};
  ampSimLaunch(&kernel, "test", blocks, 1, 1, threads, 1, 1, blocks, 1, 1,
               sharedBytes, nullptr);
}

/// The tensor map of a row-major tensor; sizes and box from the innermost
/// dimension on.
struct Map {
  alignas(64) char bytes[128];

  Map(int32_t type, int32_t rank, Swizzle swizzle, const void *base,
      unsigned elementBytes, const int64_t (&sizes)[3],
      const int64_t (&box)[3]) {
    int64_t row = sizes[0] * elementBytes, plane = row * sizes[1];
    if (rank == 2)
      ampSimTensorMapOf(bytes, "test", type, 2, int32_t(swizzle), 0, base,
                        sizes[0], int64_t(0), int64_t(1), sizes[1], row,
                        int64_t(1), box[0], box[1]);
    else
      ampSimTensorMapOf(bytes, "test", type, 3, int32_t(swizzle), 0, base,
                        sizes[0], int64_t(0), int64_t(1), sizes[1], row,
                        int64_t(1), sizes[2], plane, int64_t(1), box[0], box[1],
                        box[2]);
  }
};

/// Sets up the mbarrier at `address` for one arrival, by thread 0.
void setUp(ampSimThread *thread, uint32_t index, void *address) {
  if (index == 0) {
    ampSimMbarrierInit(thread, "init", address, 1);
    ampSimFenceProxy(thread, "fence");
  }
  ampSimBarrier(thread, "barrier", 0, 0);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

struct Type {
  const char *name;
  ampSimElement element, sum;
  unsigned bits;
  /// CUtensorMapDataType.
  int32_t mapType;
};

const Type types[] = {{"f16", AMP_SIM_F16, AMP_SIM_F32, 16, 6},
                      {"bf16", AMP_SIM_BF16, AMP_SIM_F32, 16, 9},
                      {"tf32", AMP_SIM_TF32, AMP_SIM_F32, 32, 7},
                      {"e4m3", AMP_SIM_E4M3, AMP_SIM_F32, 8, 0},
                      {"e5m2", AMP_SIM_E5M2, AMP_SIM_F32, 8, 0},
                      {"s8", AMP_SIM_S8, AMP_SIM_S32, 8, 0},
                      {"u8", AMP_SIM_U8, AMP_SIM_S32, 8, 0}};

/// The bits of -2 to 2.
uint32_t encode(ampSimElement element, int value) {
  uint32_t sign = value < 0, magnitude = uint32_t(value < 0 ? -value : value);
  // The exponent above the bias.
  uint32_t exponent = magnitude == 2;
  auto compose = [&](unsigned bits, unsigned mantissaBits, uint32_t bias) {
    return magnitude == 0
               ? 0
               : sign << (bits - 1) | (exponent + bias) << mantissaBits;
  };
  switch (element) {
  case AMP_SIM_F16:
    return compose(16, 10, 15);
  case AMP_SIM_BF16:
    return compose(16, 7, 127);
  case AMP_SIM_TF32:
    return compose(32, 23, 127);
  case AMP_SIM_E4M3:
    return compose(8, 3, 7);
  case AMP_SIM_E5M2:
    return compose(8, 2, 15);
  default:
    return uint8_t(int8_t(value));
  }
}

/// A matrix of `mn` x `k` of small integers, K-major or not in memory.
struct Matrix {
  int64_t mn, k;
  std::vector<int> values;
  std::vector<uint8_t> bytes;

  Matrix(const Type &type, int64_t mn, int64_t k, Major major, int seed)
      : mn(mn), k(k), values(size_t(mn * k)),
        bytes(size_t(mn * k * type.bits / 8) + 16) {
    int low = type.element == AMP_SIM_U8 ? 0 : -2;
    for (int64_t i = 0; i < mn; ++i)
      for (int64_t j = 0; j < k; ++j) {
        int value = low + int((i * 7 + j * 5 + i * j * 3 + seed) % (3 - low));
        values[size_t(i * k + j)] = value;
        uint32_t bits = encode(type.element, value);
        int64_t at = major == Major::K ? i * k + j : j * mn + i;
        std::memcpy(data() + at * type.bits / 8, &bits, type.bits / 8);
      }
  }
  uint8_t *data() {
    return bytes.data() + (-reinterpret_cast<uintptr_t>(bytes.data()) & 15);
  }
  int get(int64_t i, int64_t j) const { return values[size_t(i * k + j)]; }
};

/// Loads both operands by TMA, multiplies, and compares. Whether there is such
/// a product goes to `count`.
void checkProduct(int &count, const Type &type, int64_t n, Major majorA,
                  Major majorB, Swizzle swizzle, bool inRegisters) {
  int64_t k = std::max<int64_t>(64, getSpan(swizzle)) * 8 / type.bits;
  OperandTile a{64, k, type.bits, majorA, swizzle};
  OperandTile b{n, k, type.bits, majorB, swizzle};
  if (!a.check().empty() || !b.check().empty())
    return;
  ++count;
  Matrix valuesA(type, 64, k, majorA, 1), valuesB(type, n, k, majorB, 4);
  auto makeMap = [&](const OperandTile &tile, Matrix &matrix) {
    bool isK = tile.major == Major::K;
    return Map(type.mapType, 2, swizzle, matrix.data(), type.bits / 8,
               {isK ? tile.k : tile.mn, isK ? tile.mn : tile.k, 1},
               {tile.getBoxInner(), tile.getBoxOuter(), 1});
  };
  Map mapA = makeMap(a, valuesA), mapB = makeMap(b, valuesB);
  std::vector<double> result(size_t(64 * n), -1);
  auto offsetB = uint32_t((a.getBytes() + 1023) / 1024 * 1024);
  auto offsetBarrier = uint32_t(offsetB + (b.getBytes() + 1023) / 1024 * 1024);
  ampSimWgmmaShape shape = {int32_t(n),
                            int32_t(getWgmmaK(type.bits)),
                            type.element,
                            type.element,
                            type.sum,
                            majorA == Major::MN,
                            majorB == Major::MN,
                            0,
                            1,
                            1,
                            0};
  launch(128, int32_t(offsetBarrier + 8),
         [&](ampSimThread *thread, uint32_t index) {
           uint8_t *shared = thread->shared;
           void *barrier = shared + offsetBarrier;
           setUp(thread, index, barrier);
           if (index == 0) {
             ampSimMbarrierArrive(thread, "arrive", barrier, 1,
                                  int32_t(a.getBytes() + b.getBytes()));
             auto load = [&](const OperandTile &tile, Map &map, uint32_t to) {
               for (int64_t box = 0; box < tile.getNumBoxes(); ++box)
                 ampSimTmaLoad(thread, "load",
                               shared + to + box * tile.getBoxBytes(),
                               map.bytes, barrier, 0, 2, 0,
                               int32_t(box * tile.getBoxInner()), int32_t(0));
             };
             load(a, mapA, 0);
             load(b, mapB, offsetB);
           }
           ampSimMbarrierWait(thread, "wait", barrier, 0);
           auto window = [&](uint32_t offset) {
             return uint32_t((reinterpret_cast<uintptr_t>(shared) + offset) &
                             0x3ffff);
           };
           uint32_t sums[128] = {};
           ampSimWgmmaFence(thread, "fence");
           for (int64_t step = 0; step < k / getWgmmaK(type.bits); ++step) {
             ampSimWgmmaShape now = shape;
             now.scaleD = step != 0;
             uint8_t registers[16] = {};
             for (unsigned i = 0; inRegisters && i < 128 / type.bits; ++i) {
               unsigned per = 32 / type.bits;
               auto at = WgmmaFragments::a<int64_t>(
                   type.bits, index / 32, index % 32, i / per, i % per);
               uint32_t bits = encode(
                   type.element,
                   valuesA.get(at.row, step * getWgmmaK(type.bits) + at.col));
               std::memcpy(registers + i * type.bits / 8, &bits, type.bits / 8);
             }
             ampSimWgmma(thread, "wgmma", &now,
                         int64_t(a.getDescriptor(window(0)).encode() +
                                 uint64_t(a.getKStep(step) >> 4)),
                         inRegisters ? registers : nullptr,
                         int64_t(b.getDescriptor(window(offsetB)).encode() +
                                 uint64_t(b.getKStep(step) >> 4)),
                         sums, sums);
           }
           ampSimWgmmaCommit(thread, "commit");
           ampSimWgmmaWait(thread, "wait", 0);
           for (int64_t i = 0; i < n / 2; ++i) {
             auto at = WgmmaFragments::accumulator<int64_t>(index / 32,
                                                            index % 32, i);
             float asFloat;
             std::memcpy(&asFloat, &sums[i], 4);
             result[size_t(at.row * n + at.col)] =
                 type.sum == AMP_SIM_S32 ? double(int32_t(sums[i]))
                                         : double(asFloat);
           }
         });
  for (int64_t i = 0; i < 64; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int sum = 0;
      for (int64_t x = 0; x < k; ++x)
        sum += valuesA.get(i, x) * valuesB.get(j, x);
      ASSERT_EQ(result[size_t(i * n + j)], sum)
          << type.name << " n " << n << " majors " << int(majorA) << int(majorB)
          << " swizzle " << int(swizzle) << " at " << i << ", " << j;
    }
}

TEST(AsyncTest, WgmmaOfAllTypesAndLayouts) {
  int count = 0;
  for (const Type &type : types)
    for (Swizzle swizzle :
         {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128})
      for (Major majorA : {Major::K, Major::MN})
        for (Major majorB : {Major::K, Major::MN})
          for (int64_t n : {8, 64, 192})
            checkProduct(count, type, n, majorA, majorB, swizzle,
                         /*inRegisters=*/false);
  // Seven types with K contiguous; two of 16 bits with A transposed, too; with
  // B transposed, where N is a multiple of the span's elements.
  EXPECT_EQ(count, 7 * 4 * 3 + 2 * 4 * 3 + 2 * 2 * (3 + 2 + 2 + 2));
}

TEST(AsyncTest, WgmmaWithAInRegisters) {
  int count = 0;
  for (const Type &type : types)
    for (Major majorB : {Major::K, Major::MN})
      checkProduct(count, type, 64, Major::K, majorB, Swizzle::B128,
                   /*inRegisters=*/true);
  EXPECT_EQ(count, 7 + 2);
}

TEST(AsyncDeathTest, WgmmaOfNoSuchShape) {
  ampSimWgmmaShape shape = {40, 32, AMP_SIM_S8, AMP_SIM_S8, AMP_SIM_S32, 0, 0,
                            0,  1,  1,          0};
  uint32_t sums[128] = {};
  auto run = [&] {
    launch(128, 1024, [&](ampSimThread *thread, uint32_t) {
      ampSimWgmma(thread, "'wgmma'", &shape, 0, nullptr, 0, sums, sums);
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(1),
              "'wgmma' has an N that wgmma does not have");
  shape.n = 48;
  shape.k = 16;
  EXPECT_EXIT(run(), testing::ExitedWithCode(1),
              "'wgmma' has a K that wgmma does not have for its types");
  shape.k = 32;
  shape.typeB = AMP_SIM_E4M3;
  EXPECT_EXIT(run(), testing::ExitedWithCode(1),
              "'wgmma' has types of A and B that do not go together");
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// A box that begins before the tensor and ends behind it.
TEST(AsyncTest, LoadsFillWithZeros) {
  alignas(16) float tensor[3][5][8];
  for (int i = 0; i < 120; ++i)
    (&tensor[0][0][0])[i] = float(i + 1);
  Map map(7, 3, Swizzle::None, tensor, 4, {8, 5, 3}, {12, 7, 2});
  std::vector<float> box(12 * 7 * 2);
  for (int x = -3; x < 8; x += 2)
    for (int y = -2; y < 4; y += 3)
      for (int z = -1; z < 3; ++z) {
        launch(32, 1024, [&](ampSimThread *thread, uint32_t index) {
          void *barrier = thread->shared + 1000;
          setUp(thread, index, barrier);
          if (index == 0) {
            ampSimMbarrierArrive(thread, "arrive", barrier, 1, 12 * 7 * 2 * 4);
            ampSimTmaLoad(thread, "load", thread->shared, map.bytes, barrier, 0,
                          3, 0, x, y, z);
          }
          ampSimMbarrierWait(thread, "wait", barrier, 0);
          if (index == 0)
            std::memcpy(box.data(), thread->shared, box.size() * 4);
        });
        for (int k = 0; k < 2; ++k)
          for (int j = 0; j < 7; ++j)
            for (int i = 0; i < 12; ++i) {
              bool isInside = x + i >= 0 && x + i < 8 && y + j >= 0 &&
                              y + j < 5 && z + k >= 0 && z + k < 3;
              EXPECT_EQ(box[size_t(i + 12 * (j + 7 * k))],
                        isInside ? tensor[z + k][y + j][x + i] : 0.0f);
            }
      }
}

/// Implicit convolution: what the box holds for filter position (r, s) is the
/// input that output pixel after output pixel needs.
TEST(AsyncTest, Im2colIsAConvolutionsInput) {
  struct Case {
    int n, h, w, filter, stride, pad, dilation;
  };
  for (Case c : {Case{2, 5, 7, 3, 1, 1, 1}, Case{3, 8, 6, 3, 2, 1, 1},
                 Case{2, 9, 8, 5, 1, 4, 2}, Case{2, 4, 4, 1, 1, 0, 1}}) {
    const int channels = 4, pixels = 24;
    std::vector<float> storage(size_t(c.n * c.h * c.w * channels) + 4);
    float *input = storage.data() +
                   (-reinterpret_cast<uintptr_t>(storage.data()) & 15) / 4;
    for (int i = 0; i < c.n * c.h * c.w * channels; ++i)
      input[i] = float(i + 1);
    int oh = (c.h + 2 * c.pad - c.dilation * (c.filter - 1) - 1) / c.stride + 1;
    int ow = (c.w + 2 * c.pad - c.dilation * (c.filter - 1) - 1) / c.stride + 1;
    int64_t low = -c.pad, high = c.pad - (c.filter - 1) * c.dilation;
    int64_t one = 1, step = c.stride, rowBytes = channels * 4;
    alignas(64) char map[128];
    ampSimTensorMapOf(map, "test", 7, 4, 0, 1, input, int64_t(channels),
                      int64_t(0), one, int64_t(c.w), rowBytes, step,
                      int64_t(c.h), rowBytes * c.w, step, int64_t(c.n),
                      rowBytes * c.w * c.h, one, int64_t(channels),
                      int64_t(pixels), low, high, low, high);
    std::vector<float> box(size_t(channels * pixels));
    for (int first = 0; first < c.n * oh * ow; first += 11)
      for (int r = 0; r < c.filter; ++r)
        for (int s = 0; s < c.filter; ++s) {
          launch(32, 1024, [&](ampSimThread *thread, uint32_t index) {
            void *barrier = thread->shared + 1000;
            setUp(thread, index, barrier);
            if (index == 0) {
              ampSimMbarrierArrive(thread, "arrive", barrier, 1,
                                   int32_t(box.size() * 4));
              int x = first % ow * c.stride - c.pad;
              int y = first / ow % oh * c.stride - c.pad;
              ampSimTmaLoad(thread, "load", thread->shared, map, barrier, 0, 4,
                            1, 0, x, y, first / (ow * oh), s * c.dilation,
                            r * c.dilation);
            }
            ampSimMbarrierWait(thread, "wait", barrier, 0);
            if (index == 0)
              std::memcpy(box.data(), thread->shared, box.size() * 4);
          });
          for (int p = 0; p < pixels; ++p) {
            int pixel = first + p, image = pixel / (oh * ow);
            int y = pixel / ow % oh * c.stride - c.pad + r * c.dilation;
            int x = pixel % ow * c.stride - c.pad + s * c.dilation;
            bool isInside =
                image < c.n && y >= 0 && y < c.h && x >= 0 && x < c.w;
            for (int i = 0; i < channels; ++i)
              ASSERT_EQ(
                  box[size_t(p * channels + i)],
                  isInside ? input[((image * c.h + y) * c.w + x) * channels + i]
                           : 0.0f);
          }
        }
  }
}

/// Two threads add to the same box; what lies outside stays as it is.
TEST(AsyncTest, ReductionsAdd) {
  alignas(16) float tensor[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 9, 9, 9}};
  Map map(7, 2, Swizzle::None, tensor, 4, {4, 2, 1}, {4, 4, 1});
  launch(64, 1024, [&](ampSimThread *thread, uint32_t index) {
    if (index % 32 == 0) {
      uint8_t *buffer = thread->shared + index * 4;
      for (int i = 0; i < 16; ++i) {
        ampSimRawAccess(thread, "store", AMP_SIM_STORE, buffer + 4 * i, 4, 4);
        float value = float(index == 0 ? 10 : 100);
        std::memcpy(buffer + 4 * i, &value, 4);
      }
      ampSimFenceProxy(thread, "fence");
      ampSimTmaStore(thread, "reduce", map.bytes, buffer, 1, 2, 0, 0);
      ampSimBulkCommit(thread, "commit");
      ampSimBulkWait(thread, "wait", 0);
    }
    ampSimBarrier(thread, "barrier", 0, 0);
  });
  EXPECT_EQ(tensor[0][0], 111);
  EXPECT_EQ(tensor[1][3], 118);
  EXPECT_EQ(tensor[2][0], 9);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

TEST(AsyncDeathTest, SetMaxRegisters) {
  auto run = [&](int32_t producer, int32_t consumer, int32_t blocks) {
    launch(384, 1024, [&](ampSimThread *thread, uint32_t index) {
      bool isConsumer = index >= 128;
      ampSimSetRegisters(thread, "'setmaxnreg'",
                         isConsumer ? consumer : producer, isConsumer, blocks);
    });
  };
  run(40, 232, 1);
  run(24, 240, 1);
  EXPECT_EXIT(run(40, 240, 1), testing::ExitedWithCode(1),
              "'setmaxnreg' waits forever for 72 registers, of which the block "
              "has [0-9]+ free:.*nobody can go on");
  EXPECT_EXIT(run(40, 160, 1), testing::ExitedWithCode(1),
              "'setmaxnreg' increases the registers of the thread to 160, but "
              "it has 168");
  EXPECT_EXIT(run(176, 232, 1), testing::ExitedWithCode(1),
              "'setmaxnreg' decreases the registers of the thread to 176, but "
              "it has 168");
  EXPECT_EXIT(run(44, 232, 1), testing::ExitedWithCode(1),
              "'setmaxnreg' asks for 44 registers: must be a multiple of 8 "
              "from 24 to 256");
}

/// Two warpgroups take turns, each handing on with an arrival: the order in
/// which they work, and that it is an order for memory.
TEST(AsyncTest, TurnsOfNamedBarriers) {
  std::vector<int> order;
  launch(256, 1024, [&](ampSimThread *thread, uint32_t index) {
    int32_t own = index < 128 ? 3 : 4;
    if (own == 4)
      ampSimBarrierArrive(thread, "first", 3, 256);
    for (int round = 0; round < 3; ++round) {
      ampSimBarrier(thread, "turn", own, 256);
      if (index % 128 == 0) {
        ampSimRawAccess(thread, "store", AMP_SIM_STORE, thread->shared, 4, 4);
        order.push_back(own);
      }
      ampSimBarrierArrive(thread, "hand over", 7 - own, 256);
    }
  });
  EXPECT_EQ(order, (std::vector<int>{3, 4, 3, 4, 3, 4}));
}

TEST(AsyncDeathTest, NamedBarriersMisused) {
  auto twice = [&] {
    launch(64, 1024, [&](ampSimThread *thread, uint32_t index) {
      if (index < 32) {
        ampSimBarrierArrive(thread, "'first'", 1, 64);
        ampSimBarrierArrive(thread, "'again'", 1, 64);
      }
    });
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(1),
              "'again' arrives at barrier 1 again, which has 1 of 64 threads "
              "and has not opened since");
  auto counts = [&] {
    launch(128, 1024, [&](ampSimThread *thread, uint32_t index) {
      if (index < 32)
        ampSimBarrier(thread, "'wide'", 1, 96);
      else if (index < 64)
        ampSimBarrier(thread, "'narrow'", 1, 64);
    });
  };
  EXPECT_EXIT(
      counts(), testing::ExitedWithCode(1),
      "'narrow' waits for barrier 1 of 64 threads, at which .* waits as "
      "'wide', of 96 threads");
}

/// A wait by parity of somebody who has missed two phases.
TEST(AsyncDeathTest, ParityIsAmbiguous) {
  auto run = [&] {
    launch(64, 1024, [&](ampSimThread *thread, uint32_t index) {
      void *barrier = thread->shared;
      setUp(thread, index, barrier);
      if (index == 0)
        for (int32_t phase = 0; phase < 2; ++phase) {
          ampSimMbarrierArrive(thread, "arrive", barrier, 1, 0);
          ampSimMbarrierWait(thread, "wait", barrier, phase & 1);
        }
      if (index == 32)
        ampSimMbarrierWait(thread, "'late wait'", barrier, 0);
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(1),
              "'late wait' waits for a phase of parity 0 of the mbarrier at "
              "shared offset 0x0, which is in phase 2, but knows of no phase "
              "after 0: the parity cannot tell which");
}

TEST(AsyncDeathTest, MbarriersMisused) {
  auto run = [](std::function<void(ampSimThread *)> work) {
    launch(32, 1024, [&](ampSimThread *thread, uint32_t index) {
      if (index == 0)
        work(thread);
    });
  };
  EXPECT_EXIT(run([](ampSimThread *thread) {
                ampSimMbarrierArrive(thread, "'arrive'", thread->shared + 64, 1,
                                     0);
              }),
              testing::ExitedWithCode(1),
              "'arrive' uses an mbarrier at shared offset 0x40, where none has "
              "been initialised");
  EXPECT_EXIT(run([](ampSimThread *thread) {
                ampSimMbarrierInit(thread, "'init'", thread->shared + 4, 1);
              }),
              testing::ExitedWithCode(1),
              "'init' has an mbarrier at shared offset 0x4, which must be a "
              "multiple of 8");
  EXPECT_EXIT(run([](ampSimThread *thread) {
                ampSimMbarrierInit(thread, "'init'", thread->shared, 1);
                ampSimRawAccess(thread, "'store'", AMP_SIM_STORE,
                                thread->shared + 4, 4, 4);
              }),
              testing::ExitedWithCode(1),
              "'store' overwrites the mbarrier at shared offset 0x0");
  EXPECT_EXIT(run([](ampSimThread *thread) {
                ampSimMbarrierInit(thread, "'init'", thread->shared, 2);
                ampSimMbarrierArrive(thread, "'arrive'", thread->shared, 3, 0);
              }),
              testing::ExitedWithCode(1),
              "'arrive' arrives 3 times at the mbarrier at shared offset 0x0, "
              "whose phase 0 waits for 2 of 2 arrivals");
  EXPECT_EXIT(run([](ampSimThread *thread) {
                ampSimMbarrierInit(thread, "'init'", thread->shared, 1);
                ampSimMbarrierWait(thread, "'wait'", thread->shared, 0);
              }),
              testing::ExitedWithCode(1),
              "'wait' waits forever for phase 0 .parity 0. of the mbarrier at "
              "shared offset 0x0, with 1 of 1 arrivals and 0 bytes missing");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Parts of a cluster kernel that may be left out.
struct Steps {
  bool firstBarrier = true, lastBarrier = true, ordered = true;
};

/// Each of two blocks loads half of a box and multicasts it; then it tells the
/// other by its mbarrier that it has read all, adds a number to what the other
/// has in shared memory, and reads what it got.
std::vector<float> runPair(Steps steps) {
  alignas(16) static float tensor[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  Map map(7, 2, Swizzle::None, tensor, 4, {4, 2, 1}, {4, 1, 1});
  std::vector<float> seen(2 * 9);
  launch(
      32, 1024,
      [&](ampSimThread *thread, uint32_t index) {
        uint32_t rank = thread->registers[AMP_SIM_BLOCK_IN_CLUSTER];
        uint8_t *shared = thread->shared;
        uint8_t *full = shared + 512, *free = shared + 520;
        uint8_t *inbox = shared + 256;
        if (index == 0) {
          ampSimMbarrierInit(thread, "init", full, 1);
          ampSimMbarrierInit(thread, "init", free, 1);
          ampSimFenceProxy(thread, "fence");
        }
        if (steps.firstBarrier) {
          ampSimClusterArrive(thread, "arrive", 0);
          ampSimClusterWait(thread, "wait");
        }
        if (index != 0) {
          if (steps.lastBarrier) {
            ampSimClusterArrive(thread, "arrive", 0);
            ampSimClusterWait(thread, "wait");
          }
          return;
        }
        ampSimMbarrierArrive(thread, "expect", full, 1, 32);
        ampSimTmaLoad(thread, "'multicast'", shared + 128 * rank, map.bytes,
                      full, 3, 2, 0, 0, int32_t(rank));
        ampSimMbarrierWait(thread, "wait", full, 0);
        for (unsigned i = 0; i < 8; ++i) {
          uint8_t *at = shared + 128 * (i / 4) + 4 * (i % 4);
          ampSimRawAccess(thread, "load", AMP_SIM_LOAD, at, 4, 4);
          std::memcpy(&seen[9 * rank + i], at, 4);
        }
        auto other = int32_t(1 - rank);
        float number = float(100 + rank);
        void *theirs = ampSimMapShared(thread, "mapa", inbox, other);
        ampSimRawAccess(thread, "'remote store'", AMP_SIM_STORE, theirs, 4, 4);
        std::memcpy(theirs, &number, 4);
        ampSimMbarrierArrive(thread, "'remote arrive'",
                             ampSimMapShared(thread, "mapa", free, other), 1,
                             0);
        if (steps.ordered)
          ampSimMbarrierWait(thread, "wait", free, 0);
        ampSimRawAccess(thread, "'load'", AMP_SIM_LOAD, inbox, 4, 4);
        std::memcpy(&seen[9 * rank + 8], inbox, 4);
        if (steps.lastBarrier) {
          ampSimClusterArrive(thread, "arrive", 0);
          ampSimClusterWait(thread, "wait");
        }
      },
      /*blocks=*/2);
  return seen;
}

TEST(AsyncTest, ClustersShareMemory) {
  std::vector<float> seen = runPair(Steps());
  for (int rank = 0; rank < 2; ++rank)
    for (int i = 0; i < 9; ++i)
      EXPECT_EQ(seen[size_t(9 * rank + i)], i < 8 ? i + 1 : 101 - rank);
}

TEST(AsyncDeathTest, ClustersMisused) {
  Steps steps;
  steps.firstBarrier = false;
  EXPECT_EXIT(runPair(steps), testing::ExitedWithCode(1),
              "'multicast' uses an mbarrier at shared offset 0x200 of block 1 "
              "of the cluster, where none has been initialised");
  steps = Steps();
  steps.ordered = false;
  EXPECT_EXIT(runPair(steps), testing::ExitedWithCode(1),
              "'load' reads .*shared .*0x100");
  auto ended = [] {
    launch(
        32, 1024,
        [](ampSimThread *thread, uint32_t index) {
          ampSimClusterArrive(thread, "arrive", 0);
          ampSimClusterWait(thread, "wait");
          if (thread->registers[AMP_SIM_BLOCK_IN_CLUSTER] == 0 || index)
            return;
          void *there = ampSimMapShared(thread, "mapa", thread->shared, 0);
          ampSimRawAccess(thread, "'store'", AMP_SIM_STORE, there, 4, 4);
        },
        /*blocks=*/2);
  };
  EXPECT_EXIT(ended(), testing::ExitedWithCode(1),
              "'store' writes shared memory of block 0 of the cluster, which "
              "has ended");
  auto named = [] {
    launch(32, 1024, [](ampSimThread *thread, uint32_t) {
      ampSimMapShared(thread, "'mapa'", thread->shared, 1);
    });
  };
  EXPECT_EXIT(named(), testing::ExitedWithCode(1),
              "'mapa' names block 1 of a cluster of 1");
  auto alone = [] {
    launch(
        32, 1024,
        [](ampSimThread *thread, uint32_t) {
          if (thread->registers[AMP_SIM_BLOCK_IN_CLUSTER] == 0) {
            ampSimClusterArrive(thread, "'arrive'", 0);
            ampSimClusterWait(thread, "'wait'");
          } else {
            ampSimBarrier(thread, "'barrier'", 1, 32);
            ampSimMbarrierInit(
                thread, "init",
                thread->shared + 8 * thread->registers[AMP_SIM_LANE_ID], 1);
            ampSimMbarrierWait(
                thread, "'other wait'",
                thread->shared + 8 * thread->registers[AMP_SIM_LANE_ID], 0);
          }
        },
        /*blocks=*/2);
  };
  EXPECT_EXIT(alone(), testing::ExitedWithCode(1),
              "'wait' waits forever for the barrier of its cluster, at which "
              "32 of 64 threads have arrived: thread .0, 0, 0. of block 1 of "
              "the cluster waits at 'other wait'");
}
} // namespace
