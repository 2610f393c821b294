//===- Mbarrier.cpp - mbarriers, proxy fences and setmaxnreg --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <cinttypes>

using namespace amp::sim;
namespace hopper = mlir::amp::gpu::hopper;

uint32_t Machine::getSharedOffset(Thread &thread, const char *site,
                                  const char *what, const void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  if (classify(at) != Space::Shared)
    fail(thread, Fault::Kind::IllegalAddress, site,
         "has %s at address 0x%" PRIxPTR ", which is not in shared memory",
         what, at);
  return uint32_t(at - reinterpret_cast<uintptr_t>(shared));
}

void Machine::initMbarrier(Thread &thread, const char *site,
                           const void *address, int32_t count) {
  uint32_t offset = getSharedOffset(thread, site, "an mbarrier", address);
  if (offset % hopper::Mbarrier::kBytes)
    fail(thread, Fault::Kind::Misaligned, site,
         "has an mbarrier at %s, which must be a multiple of 8",
         describePlace(offset).c_str());
  if (count < 1 || count > hopper::Mbarrier::kMaxCount)
    fail(thread, Fault::Kind::Invalid, site,
         "expects %d arrivals: must be from 1 to %" PRId64, count,
         hopper::Mbarrier::kMaxCount);
  auto at = reinterpret_cast<uintptr_t>(address);
  checkRange(thread, site, AMP_SIM_STORE, at, 8, /*raw=*/true);
  touch(thread, site, AMP_SIM_STORE, at, 8);
  SharedMbarrier &barrier = mbarriers[offset];
  barrier = SharedMbarrier();
  barrier.state = hopper::Mbarrier(count);
  barrier.agent =
      order.addAgent("a TMA load for the mbarrier at " + describePlace(offset));
  barrier.init.site = site;
  barrier.init.agent = thread.id;
  barrier.init.clock = order.now(thread.id);
}

SharedMbarrier &Machine::getMbarrier(Thread &thread, const char *site,
                                     const void *address) {
  uint32_t offset = getSharedOffset(thread, site, "an mbarrier", address);
  auto found = mbarriers.find(offset);
  if (found == mbarriers.end())
    fail(thread, Fault::Kind::Uninitialized, site,
         "uses an mbarrier at %s, where none has been initialised",
         describePlace(offset).c_str());
  uint32_t rank = uint32_t(offset / arenaBytes);
  if (rank != thread.rank && numDone[rank] == numThreads)
    fail(thread, Fault::Kind::Race, site,
         "uses the mbarrier at %s, which has ended",
         describePlace(offset).c_str());
  SharedMbarrier &barrier = found->second;
  if (checkRaces &&
      order.of(thread.id)[barrier.init.agent] < barrier.init.clock)
    fail(thread, Fault::Kind::Race, site,
         "uses the mbarrier at %s, which %s initialised at %s, with no barrier "
         "between",
         describePlace(offset).c_str(),
         describeAgent(barrier.init.agent).c_str(), barrier.init.site);
  return barrier;
}

void Machine::invalidateMbarrier(Thread &thread, const char *site,
                                 const void *address) {
  getMbarrier(thread, site, address);
  mbarriers.erase(getSharedOffset(thread, site, "an mbarrier", address));
}

void Machine::checkMbarriers(Thread &thread, const char *site, uintptr_t offset,
                             size_t bytes) {
  auto found = mbarriers.upper_bound(uint32_t(offset + bytes - 1));
  if (found == mbarriers.begin())
    return;
  --found;
  if (found->first + hopper::Mbarrier::kBytes > offset)
    fail(thread, Fault::Kind::Race, site,
         "overwrites the mbarrier at %s, which %s initialised at %s",
         describePlace(found->first).c_str(),
         describeAgent(found->second.init.agent).c_str(),
         found->second.init.site);
}

void Machine::finishPhase(SharedMbarrier &barrier, int64_t phase) {
  if (barrier.state.getPhase() == phase)
    return;
  barrier.complete.join(barrier.arrived);
  barrier.complete.set(barrier.agent, uint32_t(barrier.state.getPhase()));
  barrier.arrived.clear();
  for (uint32_t i = 0; i < countThreads(); ++i) {
    Wait &wait = threads[i].wait;
    if (wait.kind == Wait::Kind::Mbarrier && wait.operands == &barrier &&
        barrier.state.test(wait.mask))
      wait = Wait();
  }
}

void Machine::arriveMbarrier(Thread &thread, const char *site,
                             const void *address, int32_t count,
                             int64_t bytes) {
  SharedMbarrier &barrier = getMbarrier(thread, site, address);
  uint32_t offset = getSharedOffset(thread, site, "an mbarrier", address);
  int64_t phase = barrier.state.getPhase();
  // Such an arrival could as well have come in the phase before.
  if (checkRaces && count && order.of(thread.id)[barrier.agent] < phase)
    fail(thread, Fault::Kind::Race, site,
         "arrives at the mbarrier at %s in its phase %" PRId64
         " and does not know that phase %" PRId64
         " is complete: more may arrive than the %" PRId64 " that it counts",
         describePlace(offset).c_str(), phase, phase - 1,
         barrier.state.getExpected());
  order.release(thread.id, barrier.arrived);
  if (bytes && !barrier.state.expectTx(bytes))
    fail(thread, Fault::Kind::Invalid, site,
         "expects %" PRId64
         " bytes at the mbarrier at %s, which expects %" PRId64
         ": must be at most %" PRId64 " together",
         bytes, describePlace(offset).c_str(), barrier.state.getTx(),
         hopper::Mbarrier::kMaxTx);
  if (count && !barrier.state.arrive(count))
    fail(thread, Fault::Kind::Invalid, site,
         "arrives %d times at the mbarrier at %s, whose phase %" PRId64
         " waits for %" PRId64 " of %" PRId64 " arrivals",
         count, describePlace(offset).c_str(), phase,
         barrier.state.getPending(), barrier.state.getExpected());
  finishPhase(barrier, phase);
}

void Machine::completeMbarrier(Thread &thread, const char *site,
                               SharedMbarrier &barrier, int64_t bytes) {
  int64_t phase = barrier.state.getPhase();
  order.release(thread.id, barrier.arrived);
  if (!barrier.state.completeTx(bytes))
    fail(thread, Fault::Kind::Invalid, site,
         "brings %" PRId64 " bytes that its mbarrier does not expect", bytes);
  finishPhase(barrier, phase);
}

void Machine::waitMbarrier(Thread &thread, const char *site,
                           const void *address, int32_t parity) {
  SharedMbarrier &barrier = getMbarrier(thread, site, address);
  if (parity < 0 || parity > 1)
    fail(thread, Fault::Kind::Invalid, site,
         "waits for a phase of parity %d: must be 0 or 1", parity);
  // Of two phases in a row the parity tells which is complete; not of three.
  int64_t knownPhases = order.of(thread.id)[barrier.agent];
  if (checkRaces && barrier.state.getPhase() > knownPhases + 1)
    fail(thread, Fault::Kind::Race, site,
         "waits for a phase of parity %d of the mbarrier at %s, which is in "
         "phase %" PRId64 ", but knows of no phase after %" PRId64
         ": the parity cannot tell which",
         parity,
         describePlace(getSharedOffset(thread, site, "an mbarrier", address))
             .c_str(),
         barrier.state.getPhase(), knownPhases);
  if (!barrier.state.test(parity)) {
    thread.wait.kind = Wait::Kind::Mbarrier;
    thread.wait.site = site;
    thread.wait.mask = uint32_t(parity);
    thread.wait.count = getSharedOffset(thread, site, "an mbarrier", address);
    thread.wait.operands = &barrier;
    current->suspend();
  }
  order.acquire(thread.id, barrier.complete);
}

void Machine::setRegisters(Thread &thread, const char *site, uint32_t count,
                           bool isIncrease, uint32_t blocks) {
  auto launch = uint32_t(hopper::getLaunchRegisters(
      (numThreads + 127) / 128 * 128, std::max(1u, blocks)));
  if (count < 24 || count > 256 || count % 8)
    fail(thread, Fault::Kind::Invalid, site,
         "asks for %u registers: must be a multiple of 8 from 24 to 256",
         count);
  int64_t &free = freeRegisters[thread.rank];
  uint32_t held = thread.registersHeld ? thread.registersHeld : launch;
  if (isIncrease ? count < held : count > held)
    fail(thread, Fault::Kind::Invalid, site,
         "%s the registers of the thread to %u, but it has %u",
         isIncrease ? "increases" : "decreases", count, held);
  thread.registersHeld = count;
  if (!isIncrease) {
    free += held - count;
    // Whoever waits gets them in turn.
    for (uint32_t i = 0; i < numThreads; ++i) {
      Wait &wait = threads[thread.rank * numThreads + i].wait;
      if (wait.kind != Wait::Kind::Registers || wait.count > free)
        continue;
      free -= wait.count;
      wait = Wait();
    }
    return;
  }
  uint32_t missing = count - held;
  if (missing <= free) {
    free -= missing;
    return;
  }
  thread.wait.kind = Wait::Kind::Registers;
  thread.wait.site = site;
  thread.wait.mask = thread.rank;
  thread.wait.count = missing;
  current->suspend();
}

//===----------------------------------------------------------------------===//
// What kernels call
//===----------------------------------------------------------------------===//

static Thread &get(ampSimThread *thread) {
  return *static_cast<Thread *>(thread);
}

extern "C" void ampSimMbarrierInit(ampSimThread *thread, const char *site,
                                   const void *address, int32_t count) {
  get(thread).machine->initMbarrier(get(thread), site, address, count);
}

extern "C" void ampSimMbarrierInvalidate(ampSimThread *thread, const char *site,
                                         const void *address) {
  get(thread).machine->invalidateMbarrier(get(thread), site, address);
}

extern "C" void ampSimMbarrierArrive(ampSimThread *thread, const char *site,
                                     const void *address, int32_t count,
                                     int32_t bytes) {
  Thread &self = get(thread);
  if (count < 0 || bytes < 0)
    self.machine->fail(self, Fault::Kind::Invalid, site,
                       "arrives %d times and expects %d bytes: must be at "
                       "least 0",
                       count, bytes);
  self.machine->arriveMbarrier(self, site, address, count, bytes);
}

extern "C" void ampSimMbarrierWait(ampSimThread *thread, const char *site,
                                   const void *address, int32_t parity) {
  get(thread).machine->waitMbarrier(get(thread), site, address, parity);
}

extern "C" void ampSimFenceProxy(ampSimThread *thread, const char *) {
  Thread &self = get(thread);
  self.machine->getOrder().fenceProxy(self.id);
}

extern "C" void ampSimSetRegisters(ampSimThread *thread, const char *site,
                                   int32_t count, int32_t isIncrease,
                                   int32_t blocks) {
  get(thread).machine->setRegisters(get(thread), site, uint32_t(count),
                                    isIncrease != 0, uint32_t(blocks));
}
