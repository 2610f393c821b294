//===- Wgmma.cpp - asynchronous warpgroup matrix products -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions". A product is formed when all 128 threads have issued it; that
// its operands are read until it is waited for is checked with the clocks of
// Order.h.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Machine.h"

#include "amp/Codegen/GPU/Hopper/F8Sum.h"
#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include <cinttypes>

using namespace amp::sim;
namespace hopper = mlir::amp::gpu::hopper;

namespace {
struct Wgmma {
  const ampSimWgmmaShape *shape;
  uint64_t descriptorA, descriptorB;
  const void *registersA, *c;
  void *d;
};

/// Both operands as numbers.
struct Operands {
  static constexpr unsigned maxK = 32;
  float a[64][maxK];
  float b[256][maxK];
};
} // namespace

/// Reads `count` rows of A, or columns of B, by their descriptor.
static void readOperand(Machine &machine, const Actor &actor, const char *site,
                        const char *name, uint64_t bits, int32_t type,
                        bool isMNMajor, int64_t count, int64_t k,
                        float (*to)[Operands::maxK]) {
  auto descriptor = hopper::MatrixDescriptor::decode(bits);
  auto major = isMNMajor ? hopper::Major::MN : hopper::Major::K;
  unsigned width = getBits(type);
  int64_t perChunk = 128 / width;
  if (descriptor.baseOffset)
    machine.fail(actor.thread, Fault::Kind::Invalid, site,
                 "has the base offset %d in the descriptor of %s: the "
                 "simulator knows 0 only",
                 descriptor.baseOffset, name);
  if (isMNMajor && width != 16)
    machine.fail(actor.thread, Fault::Kind::Invalid, site,
                 "transposes %s, whose elements have %u bits: must be 16", name,
                 width);
  auto arena = reinterpret_cast<uintptr_t>(actor.thread.shared);
  int64_t stepMN = isMNMajor ? perChunk : 1, stepK = isMNMajor ? 1 : perChunk;
  for (int64_t mn = 0; mn < count; mn += stepMN)
    for (int64_t at = 0; at < k; at += stepK) {
      int64_t offset = descriptor.elementAddress(major, width, mn, at);
      if (offset + 16 > int64_t(Machine::arenaBytes))
        machine.fail(actor.thread, Fault::Kind::IllegalAddress, site,
                     "reads %s at offset 0x%" PRIx64
                     ", behind all that a descriptor can name",
                     name, offset);
      uintptr_t address = arena + uintptr_t(offset);
      machine.checkRange(actor.thread, site, AMP_SIM_LOAD, address, 16,
                         /*raw=*/true);
      machine.touchShared(actor, site, AMP_SIM_LOAD, address, 16);
      for (int64_t i = 0; i < perChunk; ++i)
        to[mn + (isMNMajor ? i : 0)][at + (isMNMajor ? 0 : i)] =
            float(loadElement(reinterpret_cast<const void *>(address), type,
                              unsigned(i)));
    }
}

/// The sum of a wgmma of 8-bit floats. Signs are those of the products.
static float addF8(const float *a, const float *b,
                   const ampSimWgmmaShape &shape, double c) {
  float signedA[Operands::maxK];
  bool isNegative = (shape.signA < 0) != (shape.signB < 0);
  for (int64_t j = 0; j < shape.k; ++j)
    signedA[j] = isNegative ? -a[j] : a[j];
  return hopper::F8Sum::add(signedA, b, shape.k, c);
}

/// Reads A from the registers of the warpgroup.
static void readRegisters(Thread *const *threads, int32_t type, int64_t k,
                          float (*to)[Operands::maxK]) {
  unsigned width = getBits(type), perRegister = 32 / width;
  (void)k;
  for (uint32_t thread = 0; thread < 128; ++thread) {
    const auto &wgmma =
        *static_cast<const Wgmma *>(threads[thread]->wait.operands);
    for (unsigned i = 0; i < 4 * perRegister; ++i) {
      auto at = hopper::WgmmaFragments::a<int64_t>(
          width, thread / 32, thread % 32, i / perRegister, i % perRegister);
      to[at.row][at.col] = float(loadElement(wgmma.registersA, type, i));
    }
  }
}

static void completeWgmma(Machine &machine, Thread &last,
                          Thread *const *threads) {
  const char *site = last.wait.site;
  const Wgmma &first = *static_cast<Wgmma *>(threads[0]->wait.operands);
  const ampSimWgmmaShape &shape = *first.shape;
  Order &order = machine.getOrder();
  // What all of them know comes before.
  Knowledge known = order.of(threads[0]->id);
  uint32_t group = threads[0]->wgmma.committed + 1;
  for (unsigned i = 0; i < 128; ++i) {
    Thread &thread = *threads[i];
    const Wgmma &wgmma = *static_cast<Wgmma *>(thread.wait.operands);
    if (wgmma.descriptorA != first.descriptorA ||
        wgmma.descriptorB != first.descriptorB)
      machine.fail(thread, Fault::Kind::Divergence, site,
                   "has other matrix descriptors than the first thread of its "
                   "warpgroup");
    if (!thread.isWgmmaFenced)
      machine.fail(thread, Fault::Kind::Race, site,
                   "has no wgmma.fence between it and what wrote its "
                   "registers before");
    if (thread.wgmma.committed + 1 != group)
      machine.fail(thread, Fault::Kind::Divergence, site,
                   "is in wgmma group %u, but in group %u of the first thread "
                   "of its warpgroup",
                   thread.wgmma.committed + 1, group);
    // The first thread's knowledge is a copy.
    if (i)
      known.meet(order.of(thread.id));
  }
  uint32_t agent = threads[0]->wgmma.agent;
  if (!agent)
    agent = order.addAgent("a wgmma of warpgroup " +
                           std::to_string(threads[0]->index / 128));
  for (unsigned i = 0; i < 128; ++i) {
    AsyncGroups &groups = threads[i]->wgmma;
    groups.agent = agent;
    groups.isOpen = true;
    groups.site = site;
  }
  Actor actor{*threads[0], known, agent, group, /*isAsync=*/true};
  static Operands operands;
  int64_t k = shape.k;
  if (first.registersA)
    readRegisters(threads, shape.typeA, k, operands.a);
  else
    readOperand(machine, actor, site, "A", first.descriptorA, shape.typeA,
                shape.isTransposedA, 64, k, operands.a);
  readOperand(machine, actor, site, "B", first.descriptorB, shape.typeB,
              shape.isTransposedB, shape.n, k, operands.b);
  bool isF8 = shape.typeA == AMP_SIM_E4M3 || shape.typeA == AMP_SIM_E5M2;
  for (uint32_t thread = 0; thread < 128; ++thread) {
    Wgmma &wgmma = *static_cast<Wgmma *>(threads[thread]->wait.operands);
    for (int64_t i = 0; i < shape.n / 2; ++i) {
      auto at = hopper::WgmmaFragments::accumulator<int64_t>(thread / 32,
                                                             thread % 32, i);
      const float *a = operands.a[at.row], *b = operands.b[at.col];
      double sum = 0;
      if (isF8) {
        if (shape.scaleD)
          sum = loadElement(wgmma.c, shape.typeD, unsigned(i));
        storeElement(wgmma.d, shape.typeD, unsigned(i), addF8(a, b, shape, sum),
                     /*saturate=*/false);
        continue;
      }
      for (int64_t j = 0; j < k; ++j)
        sum += double(a[j]) * double(b[j]);
      if (shape.signA < 0)
        sum = -sum;
      if (shape.signB < 0)
        sum = -sum;
      if (shape.scaleD)
        sum += loadElement(wgmma.c, shape.typeD, unsigned(i));
      storeElement(wgmma.d, shape.typeD, unsigned(i), sum, shape.saturate != 0);
    }
  }
}

/// What is wrong with the shape and its types; null: nothing.
static const char *checkShape(const ampSimWgmmaShape &shape) {
  bool isIntegerA = isInteger(shape.typeA);
  if (!hopper::WgmmaFragments::hasN(shape.n, isIntegerA))
    return "has an N that wgmma does not have";
  if (shape.k * int32_t(getBits(shape.typeA)) != 256)
    return "has a K that wgmma does not have for its types";
  if (getBits(shape.typeA) != getBits(shape.typeB) ||
      isIntegerA != isInteger(shape.typeB))
    return "has types of A and B that do not go together";
  if (isIntegerA ? shape.typeD != AMP_SIM_S32 : shape.typeD != AMP_SIM_F32)
    return "has accumulators other than f32 (s32 of integers), which the "
           "simulator does not know";
  return nullptr;
}

extern "C" void ampSimWgmma(ampSimThread *thread, const char *site,
                            const ampSimWgmmaShape *shape, int64_t descriptorA,
                            const void *registersA, int64_t descriptorB,
                            const void *c, void *d) {
  Thread &self = *static_cast<Thread *>(thread);
  if (const char *wrong = checkShape(*shape))
    self.machine->fail(self, Fault::Kind::Invalid, site, "%s", wrong);
  Wgmma wgmma{
      shape, uint64_t(descriptorA), uint64_t(descriptorB), registersA, c, d};
  Wait wait;
  wait.kind = Wait::Kind::Wgmma;
  wait.site = site;
  wait.operands = &wgmma;
  self.machine->warpgroupCollective(self, wait, completeWgmma);
}

extern "C" void ampSimWgmmaFence(ampSimThread *thread, const char *) {
  static_cast<Thread *>(thread)->isWgmmaFenced = true;
}

extern "C" void ampSimWgmmaCommit(ampSimThread *thread, const char *) {
  AsyncGroups &groups = static_cast<Thread *>(thread)->wgmma;
  ++groups.committed;
  groups.isOpen = false;
}

extern "C" void ampSimWgmmaWait(ampSimThread *thread, const char *,
                                int32_t pending) {
  Thread &self = *static_cast<Thread *>(thread);
  AsyncGroups &groups = self.wgmma;
  // Registers may be used now, so that the next products need a fence.
  self.isWgmmaFenced = false;
  if (groups.committed < groups.done + uint32_t(pending))
    return;
  groups.done = groups.committed - uint32_t(pending);
  if (groups.agent)
    self.machine->getOrder().of(self.id).set(groups.agent, groups.done);
}
