//===- Matrix.cpp - mma.sync, ldmatrix and stmatrix -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Machine.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>

using namespace amp::sim;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

namespace {
struct Place {
  unsigned row, column;
};

/// How a warp holds the matrices of mma.sync: PTX ISA, "Matrix Fragments for
/// mma.m...n...k...". All shapes follow one rule: a 32-bit register holds
/// `pack` neighbours along k; four lanes lie along k, eight along m or n; the
/// registers of A go down by eight rows first, then right by four registers.
/// (f64 is the same with one element for a register.)
struct Fragments {
  unsigned m, n, k, pack;

  Fragments(unsigned m, unsigned n, unsigned k, unsigned bits)
      : m(m), n(n), k(k), pack(bits >= 32 ? 1 : 32 / bits) {}

  unsigned countA() const { return m * k / 32; }
  unsigned countB() const { return n * k / 32; }
  unsigned countC() const { return m * n / 32; }

  Place a(unsigned lane, unsigned i) const {
    unsigned reg = i / pack, tall = m / 8;
    return {lane / 4 + reg % tall * 8,
            lane % 4 * pack + i % pack + reg / tall * 4 * pack};
  }
  Place b(unsigned lane, unsigned i) const {
    return {lane % 4 * pack + i % pack + i / pack * 4 * pack, lane / 4};
  }
  Place c(unsigned lane, unsigned i) const {
    return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
  }
};

struct Mma {
  int32_t m, n, k, typeA, typeB, typeC, typeD, saturate;
  const void *a, *b, *c;
  void *d;
};
} // namespace

/// Whether the shape exists for the types.
static bool isKnown(const Mma &mma) {
  struct Shape {
    int32_t m, n, k;
  };
  auto isOneOf = [&](std::initializer_list<Shape> shapes) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const Shape &shape) {
      return shape.m == mma.m && shape.n == mma.n && shape.k == mma.k;
    });
  };
  if (isInteger(mma.typeA) != isInteger(mma.typeB) ||
      getBits(mma.typeA) != getBits(mma.typeB))
    return false;
  if (isInteger(mma.typeA) !=
          (mma.typeC == AMP_SIM_S32 && mma.typeD == AMP_SIM_S32) ||
      (mma.typeA == AMP_SIM_F64) !=
          (mma.typeC == AMP_SIM_F64 && mma.typeD == AMP_SIM_F64))
    return false;
  switch (mma.typeA) {
  case AMP_SIM_F16:
  case AMP_SIM_BF16:
    return mma.typeA == mma.typeB && isOneOf({{16, 8, 8}, {16, 8, 16}});
  case AMP_SIM_TF32:
    return mma.typeA == mma.typeB && isOneOf({{16, 8, 4}, {16, 8, 8}});
  case AMP_SIM_F64:
    return isOneOf({{8, 8, 4}});
  case AMP_SIM_S8:
  case AMP_SIM_U8:
    return isOneOf({{8, 8, 16}, {16, 8, 16}, {16, 8, 32}});
  case AMP_SIM_E4M3:
  case AMP_SIM_E5M2:
    return isOneOf({{16, 8, 16}, {16, 8, 32}});
  default:
    return false;
  }
}

static void completeMma(Machine &, Thread &last, Thread *const *lanes) {
  const Mma &first = *static_cast<Mma *>(last.wait.operands);
  Fragments fragments(unsigned(first.m), unsigned(first.n), unsigned(first.k),
                      getBits(first.typeA));
  // 16 x 32, 32 x 8.
  double a[16][32], b[32][8];
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Mma &mma = *static_cast<Mma *>(lanes[lane]->wait.operands);
    for (unsigned i = 0; i < fragments.countA(); ++i) {
      Place place = fragments.a(lane, i);
      a[place.row][place.column] = loadElement(mma.a, mma.typeA, i);
    }
    for (unsigned i = 0; i < fragments.countB(); ++i) {
      Place place = fragments.b(lane, i);
      b[place.row][place.column] = loadElement(mma.b, mma.typeB, i);
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    Mma &mma = *static_cast<Mma *>(lanes[lane]->wait.operands);
    for (unsigned i = 0; i < fragments.countC(); ++i) {
      Place place = fragments.c(lane, i);
      double sum = loadElement(mma.c, mma.typeC, i);
      if (mma.typeA == AMP_SIM_F64) {
        for (unsigned k = 0; k < fragments.k; ++k)
          sum = std::fma(a[place.row][k], b[k][place.column], sum);
      } else {
        double products = 0;
        for (unsigned k = 0; k < fragments.k; ++k)
          products += a[place.row][k] * b[k][place.column];
        sum += products;
      }
      storeElement(mma.d, mma.typeD, i, sum, mma.saturate);
    }
  }
}

/// Waits for the other 31 lanes, all of which must exist.
static void waitForWarp(Thread &self, const char *site, Wait::Kind kind,
                        void *operands, Machine::Complete complete) {
  uint32_t numThreads = self.registers[AMP_SIM_BLOCK_DIM] *
                        self.registers[AMP_SIM_BLOCK_DIM + 1] *
                        self.registers[AMP_SIM_BLOCK_DIM + 2];
  if ((self.warp() + 1) * 32 > numThreads)
    self.machine->fail(self, Fault::Kind::Divergence, site,
                       "needs all 32 lanes of its warp, which has %u",
                       numThreads - self.warp() * 32);
  Wait wait;
  wait.kind = kind;
  wait.site = site;
  wait.mask = ~0u;
  wait.operands = operands;
  self.machine->collective(self, wait, complete);
}

extern "C" void ampSimMma(ampSimThread *thread, const char *site, int32_t m,
                          int32_t n, int32_t k, int32_t typeA, int32_t typeB,
                          int32_t typeC, int32_t typeD, int32_t saturate,
                          const void *a, const void *b, const void *c,
                          void *d) {
  Thread &self = *static_cast<Thread *>(thread);
  Mma mma{m, n, k, typeA, typeB, typeC, typeD, saturate, a, b, c, d};
  if (!isKnown(mma))
    self.machine->fail(self, Fault::Kind::Invalid, site,
                       "has the shape m%dn%dk%d, which mma.sync does not have "
                       "for its element types",
                       m, n, k);
  waitForWarp(self, site, Wait::Kind::Mma, &mma, completeMma);
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

namespace {
struct MatrixMove {
  uint8_t *address;
  unsigned count;
  bool transposed, stores;
  uint32_t *registers;
};
} // namespace

/// PTX ISA, "ldmatrix": lanes 8i to 8i + 7 give the addresses of the rows of
/// matrix i; register i of a lane holds two neighbours of row lane / 4, or, of
/// the transposed matrix, of column lane / 4.
static void completeMove(Machine &machine, Thread &last, Thread *const *lanes) {
  const MatrixMove &first = *static_cast<MatrixMove *>(last.wait.operands);
  constexpr size_t rowBytes = 16;
  int kind = first.stores ? AMP_SIM_STORE : AMP_SIM_LOAD;
  for (unsigned lane = 0; lane < 8 * first.count; ++lane) {
    Thread &thread = *lanes[lane];
    const char *site = thread.wait.site;
    auto address = reinterpret_cast<uintptr_t>(
        static_cast<MatrixMove *>(thread.wait.operands)->address);
    if (machine.classify(address) != Machine::Space::Shared)
      machine.fail(thread, Fault::Kind::IllegalAddress, site,
                   "has the row address 0x%" PRIxPTR
                   ", which is not in shared memory",
                   address);
    if (address % rowBytes)
      machine.fail(thread, Fault::Kind::Misaligned, site,
                   "has the row address 0x%" PRIxPTR
                   ", which must be a multiple of 16",
                   address);
    machine.checkRange(thread, site, kind, address, rowBytes, /*raw=*/true);
    machine.touch(thread, site, kind, address, rowBytes);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    MatrixMove &move = *static_cast<MatrixMove *>(lanes[lane]->wait.operands);
    for (unsigned i = 0; i < first.count; ++i)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (first.transposed)
          std::swap(row, column);
        uint8_t *from =
            static_cast<MatrixMove *>(lanes[8 * i + row]->wait.operands)
                ->address +
            2 * column;
        uint8_t *reg =
            reinterpret_cast<uint8_t *>(move.registers + i) + 2 * half;
        if (first.stores)
          std::memcpy(from, reg, 2);
        else
          std::memcpy(reg, from, 2);
      }
  }
}

extern "C" void ampSimLoadMatrix(ampSimThread *thread, const char *site,
                                 const void *address, int32_t count,
                                 int32_t transposed, uint32_t *registers) {
  Thread &self = *static_cast<Thread *>(thread);
  MatrixMove move{static_cast<uint8_t *>(const_cast<void *>(address)),
                  unsigned(count), transposed != 0, /*stores=*/false,
                  registers};
  waitForWarp(self, site, Wait::Kind::LoadMatrix, &move, completeMove);
}

extern "C" void ampSimStoreMatrix(ampSimThread *thread, const char *site,
                                  void *address, int32_t count,
                                  int32_t transposed,
                                  const uint32_t *registers) {
  Thread &self = *static_cast<Thread *>(thread);
  MatrixMove move{static_cast<uint8_t *>(address), unsigned(count),
                  transposed != 0, /*stores=*/true,
                  const_cast<uint32_t *>(registers)};
  waitForWarp(self, site, Wait::Kind::StoreMatrix, &move, completeMove);
}
