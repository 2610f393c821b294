//===- Machine.cpp - runs a grid, thread by thread ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace amp::sim;

/// What a block may have on the largest devices.
static constexpr uint32_t maxSharedBytes = 227 * 1024;

static bool isSet(const char *variable, const char *value) {
  const char *found = std::getenv(variable);
  return found && std::strcmp(found, value) == 0;
}

Machine &Machine::get() {
  // Never destroyed: compiled code may launch kernels until the process ends.
  static Machine *machine = new Machine();
  return *machine;
}

Machine::Machine() {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_32BIT
  // Shared addresses fit into 32 bits on a device, and code may rely on it.
  flags |= MAP_32BIT;
#endif
  void *memory = mmap(nullptr, (1 + maxClusterBlocks) * arenaBytes,
                      PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "amp-sim: error: no room for shared memory\n");
    std::exit(1);
  }
  uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  shared = static_cast<uint8_t *>(memory) + (-begin & (arenaBytes - 1));
}

uint32_t Machine::getSharedLimit() { return maxSharedBytes; }

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string format(const char *text, ...)
    __attribute__((format(printf, 1, 2)));
static std::string formatList(const char *text, va_list arguments) {
  char buffer[1024];
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  return buffer;
}
static std::string format(const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  std::string result = formatList(text, arguments);
  va_end(arguments);
  return result;
}

std::string Machine::describe(const Thread &thread) const {
  const uint32_t *block = thread.registers + AMP_SIM_BLOCK_ID;
  const uint32_t *id = thread.registers + AMP_SIM_THREAD_ID;
  return format("kernel '%s', block (%u, %u, %u), thread (%u, %u, %u)",
                config->kernel->name, block[0], block[1], block[2], id[0],
                id[1], id[2]);
}

std::string Machine::describe(uint16_t who) const {
  if (who == Moment::block)
    return "several threads";
  if (who == Moment::grid)
    return "several blocks";
  if (who == Moment::atomic)
    return "an atomic";
  if (who & Moment::warp)
    return format("several lanes of warp %u", who & 31u);
  uint32_t index = who & Moment::threadMask;
  const Dim3 &block = config->block;
  return format("thread (%u, %u, %u)", index % block.x,
                index / block.x % block.y, index / block.x / block.y);
}

void Machine::fail(Thread &thread, Fault::Kind kind, const char *site,
                   const char *text, ...) {
  va_list list;
  va_start(list, text);
  std::string message = formatList(text, list);
  va_end(list);
  fault.kind = kind;
  fault.message = describe(thread) + ": " + site + " " + message;
  // Whoever resumed this fiber sees the fault, and never resumes it again.
  current->suspend();
  std::abort();
}

//===----------------------------------------------------------------------===//
// Running threads
//===----------------------------------------------------------------------===//

void Machine::prepareThread(Thread &thread, uint32_t index, uint32_t rank,
                            const Dim3 &block) {
  const Dim3 &size = config->block, &grid = config->grid,
             &cluster = config->cluster;
  auto set = [&](unsigned at, uint32_t x, uint32_t y, uint32_t z) {
    thread.registers[at] = x;
    thread.registers[at + 1] = y;
    thread.registers[at + 2] = z;
  };
  set(AMP_SIM_THREAD_ID, index % size.x, index / size.x % size.y,
      index / size.x / size.y);
  set(AMP_SIM_BLOCK_ID, block.x, block.y, block.z);
  set(AMP_SIM_BLOCK_DIM, size.x, size.y, size.z);
  set(AMP_SIM_GRID_DIM, grid.x, grid.y, grid.z);
  set(AMP_SIM_CLUSTER_ID, block.x / cluster.x, block.y / cluster.y,
      block.z / cluster.z);
  set(AMP_SIM_CLUSTER_COUNT, grid.x / cluster.x, grid.y / cluster.y,
      grid.z / cluster.z);
  set(AMP_SIM_CLUSTER_DIM, cluster.x, cluster.y, cluster.z);
  set(AMP_SIM_BLOCK_IN_CLUSTER, block.x % cluster.x, block.y % cluster.y,
      block.z % cluster.z);
  thread.registers[AMP_SIM_LANE_ID] = index % 32;
  thread.registers[AMP_SIM_WARP_ID] = index / 32;
  thread.registers[AMP_SIM_NUM_WARPS] = (numThreads + 31) / 32;
  // Dynamic shared memory begins where the static variables end, aligned for
  // the widest accesses.
  thread.dynamicOffset = (config->kernel->staticSharedBytes + 127) / 128 * 128;
  thread.dynamicBytes = config->dynamicSharedBytes;
  thread.shared = shared + rank * arenaBytes;
  thread.machine = this;
  thread.index = index;
  thread.rank = rank;
  thread.id = rank * numThreads + index;
  thread.done = false;
  thread.wait = Wait();
  thread.copies.clear();
  thread.groups.clear();
  thread.uncommitted = 0;
  thread.bulk = thread.wgmma = AsyncGroups();
  thread.isWgmmaFenced = false;
  thread.registersHeld = 0;
  thread.hasArrivedInCluster = false;
  order.beginThread(thread.id);
}

void Machine::runThread(Thread &thread) {
  config->kernel->function(&thread, config->params);
  for (const PendingCopy &copy : thread.copies)
    land(thread, copy);
  checkExit(thread);
  thread.done = true;
  ++numDone[thread.rank];
  openClusterBarrier();
}

/// Shared memory is gone when the block has ended.
void Machine::checkExit(Thread &thread) {
  for (const AsyncGroups *groups : {&thread.bulk, &thread.wgmma})
    if (groups->isOpen || groups->done < groups->committed)
      fail(thread, Fault::Kind::Race, groups->site,
           "may still read shared memory when the thread returns: %s must come "
           "first",
           groups == &thread.bulk ? "cp.async.bulk.wait_group"
                                  : "wgmma.wait_group");
}

void Machine::beginCluster() {
  blockBegin = clusterBegin = ++segment;
  order.begin(countThreads(), !(config->kernel->flags & AMP_SIM_COLLECTIVE));
  mbarriers.clear();
  barriers.assign(clusterBlocks * mlir::amp::gpu::hopper::NamedBarriers::kCount,
                  NamedBarrier());
  freeRegisters.assign(clusterBlocks, 0);
  numDone.assign(clusterBlocks, 0);
  clusterPhase = clusterArrived = 0;
  clusterKnown.clear();
  clusterComplete.clear();
  warpTimes.assign(clusterBlocks * 32, 0);
  // Shared memory holds no values of an earlier block that could be taken for
  // the right ones.
  for (uint32_t rank = 0; rank < clusterBlocks; ++rank)
    std::memset(shared + rank * arenaBytes, 0xcd, sharedBytes);
}

void Machine::runClusterOnFibers(const Dim3 &first) {
  beginCluster();
  uint32_t count = countThreads();
  while (fibers.size() < count)
    fibers.push_back(std::make_unique<Fiber>());
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t rank = i / numThreads;
    const Dim3 &cluster = config->cluster;
    Dim3 block;
    block.x = first.x + rank % cluster.x;
    block.y = first.y + rank / cluster.x % cluster.y;
    block.z = first.z + rank / cluster.x / cluster.y;
    prepareThread(threads[i], i % numThreads, rank, block);
    fibers[i]->start(
        [](void *argument) {
          Thread &thread = *static_cast<Thread *>(argument);
          thread.machine->runThread(thread);
          thread.machine->current->suspend();
        },
        &threads[i]);
  }
  uint32_t numReturned = 0;
  while (numReturned < count) {
    bool progress = false;
    for (uint32_t i = 0; i < count; ++i) {
      Thread &thread = threads[i];
      if (thread.done || thread.wait.kind != Wait::Kind::Nothing)
        continue;
      progress = true;
      current = fibers[i].get();
      current->resume();
      if (fault.kind != Fault::Kind::None)
        return;
      numReturned += thread.done;
    }
    if (!progress)
      return reportDivergence();
  }
}

void Machine::forEachBlock(const Dim3 &step,
                           void (Machine::*body)(const Dim3 &)) {
  Dim3 block;
  for (block.z = 0; block.z < config->grid.z; block.z += step.z)
    for (block.y = 0; block.y < config->grid.y; block.y += step.y)
      for (block.x = 0; block.x < config->grid.x; block.x += step.x) {
        (this->*body)(block);
        if (fault.kind != Fault::Kind::None)
          return;
      }
}

void Machine::runBlockInPlace(const Dim3 &block) {
  beginCluster();
  for (uint32_t i = 0; i < numThreads; ++i) {
    prepareThread(threads[0], i, 0, block);
    runThread(threads[0]);
  }
}

std::string Machine::describe(const Wait &wait) {
  switch (wait.kind) {
  case Wait::Kind::Barrier:
    return format("barrier %u of %u threads", wait.mask, wait.count);
  case Wait::Kind::Mbarrier: {
    const auto &state = mbarriers.at(wait.count).state;
    return format("phase %lld (parity %u) of the mbarrier at %s, with %lld of "
                  "%lld arrivals and %lld bytes missing",
                  static_cast<long long>(state.getPhase()), wait.mask,
                  describePlace(wait.count).c_str(),
                  static_cast<long long>(state.getPending()),
                  static_cast<long long>(state.getExpected()),
                  static_cast<long long>(state.getTx()));
  }
  case Wait::Kind::Registers:
    return format("%u registers, of which the block has %lld free", wait.count,
                  static_cast<long long>(freeRegisters[wait.mask]));
  case Wait::Kind::Cluster:
    return format("the barrier of its cluster, at which %u of %u threads have "
                  "arrived",
                  clusterArrived, countThreads());
  case Wait::Kind::Wgmma:
    return "the other threads of its warpgroup";
  case Wait::Kind::Nothing:
    return "nothing";
  default:
    return format("the lanes 0x%x of its warp", wait.mask);
  }
}

/// Nobody can go on: tells who waits where.
void Machine::reportDivergence() {
  constexpr size_t maxOthers = 6;
  const Thread *first = nullptr, *exited = nullptr;
  std::vector<const Thread *> others;
  bool isCollective = true;
  auto isSame = [](const Thread *a, const Thread *b) {
    return a->wait.kind == b->wait.kind && a->wait.site == b->wait.site &&
           a->wait.mask == b->wait.mask && a->wait.count == b->wait.count;
  };
  for (uint32_t i = 0; i < countThreads(); ++i) {
    const Thread &thread = threads[i];
    if (thread.done) {
      if (!exited)
        exited = &thread;
      continue;
    }
    isCollective &= thread.wait.kind != Wait::Kind::Mbarrier &&
                    thread.wait.kind != Wait::Kind::Registers &&
                    thread.wait.kind != Wait::Kind::Cluster;
    if (!first)
      first = &thread;
    else if (!isSame(first, &thread) && others.size() < maxOthers &&
             std::none_of(
                 others.begin(), others.end(),
                 [&](const Thread *other) { return isSame(other, &thread); }))
      others.push_back(&thread);
  }
  fault.kind = Fault::Kind::Divergence;
  fault.message = describe(*first) + ": " + first->wait.site +
                  " waits forever for " + describe(first->wait) + ":";
  for (const Thread *other : others)
    fault.message += " " + describeAgent(other->id) + " waits at " +
                     other->wait.site + " for " + describe(other->wait) + ";";
  if (exited)
    fault.message +=
        " " + describeAgent(exited->id) + " has returned from the kernel;";
  fault.message += isCollective ? " all of them must execute the same op"
                                : " nobody can go on";
}

Fault Machine::run(const LaunchConfig &launch) {
  std::lock_guard<std::mutex> guard(lock);
  config = &launch;
  fault = Fault();
  checkRaces = !isSet("AMP_SIM_CHECK", "0");
  writeAll = isSet("AMP_SIM_WRITES", "all");
  writeOnce = writeAll || isSet("AMP_SIM_WRITES", "once");
  arguments.clear();
  numThreads = static_cast<uint32_t>(launch.block.count());
  sharedBytes = (launch.kernel->staticSharedBytes + 127) / 128 * 128 +
                size_t(launch.dynamicSharedBytes);
  if (!launch.dynamicSharedBytes)
    sharedBytes = launch.kernel->staticSharedBytes;
  launchBegin = segment + 1;
  // Blocks whose threads never wait do not share memory, either.
  clusterBlocks = launch.kernel->flags & AMP_SIM_COLLECTIVE
                      ? uint32_t(launch.cluster.count())
                      : 1;
  threads.resize(std::max<size_t>(threads.size(), countThreads()));

  if (launch.kernel->flags & AMP_SIM_COLLECTIVE) {
    forEachBlock(launch.cluster, &Machine::runClusterOnFibers);
  } else {
    if (fibers.empty())
      fibers.push_back(std::make_unique<Fiber>());
    current = fibers.front().get();
    current->start(
        [](void *argument) {
          auto *machine = static_cast<Machine *>(argument);
          machine->forEachBlock(Dim3(), &Machine::runBlockInPlace);
          machine->current->suspend();
        },
        this);
    current->resume();
  }
  if (fault.kind == Fault::Kind::None && writeAll)
    checkWrites();
  config = nullptr;
  return fault;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void Machine::barrier(Thread &thread, const Wait &wait, bool waits) {
  uint32_t need = wait.count ? wait.count : numThreads;
  uint32_t first = thread.rank * numThreads;
  NamedBarrier &barrier =
      barriers[thread.rank * mlir::amp::gpu::hopper::NamedBarriers::kCount +
               wait.mask];
  const char *verb = waits ? "waits for" : "arrives at";
  // Where all threads take part, nothing but the same op makes sense.
  if (barrier.arrived &&
      (barrier.need != need ||
       (need == numThreads && waits && barrier.site != wait.site)))
    fail(thread, Fault::Kind::Divergence, wait.site,
         "%s barrier %u of %u threads, at which %s waits as %s, of %u threads: "
         "all of them must execute the same op",
         verb, wait.mask, need, describe(uint16_t(barrier.first)).c_str(),
         barrier.site, barrier.need);
  if (!barrier.arrived) {
    barrier.need = need;
    barrier.who.assign(numThreads, 0);
    barrier.site = wait.site;
    barrier.first = thread.index;
  }
  if (barrier.who[thread.index])
    fail(thread, Fault::Kind::Divergence, wait.site,
         "%s barrier %u again, which has %u of %u threads and has not opened "
         "since",
         verb, wait.mask, barrier.arrived, need);
  barrier.who[thread.index] = 1;
  order.release(thread.id, barrier.known);
  if (++barrier.arrived < need) {
    if (!waits)
      return;
    thread.wait = wait;
    thread.wait.count = need;
    return current->suspend();
  }
  ++segment;
  if (waits)
    order.acquire(thread.id, barrier.known);
  for (uint32_t i = first; i < first + numThreads; ++i) {
    Wait &other = threads[i].wait;
    if (other.kind != Wait::Kind::Barrier || other.mask != wait.mask)
      continue;
    order.acquire(i, barrier.known);
    other = Wait();
  }
  barrier = NamedBarrier();
}

void Machine::passWarpBarrier(uint32_t warpId, Thread *const *lanes) {
  if (warpTimes[warpId] != UINT16_MAX)
    ++warpTimes[warpId];
  Knowledge known;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (lanes[lane])
      order.release(lanes[lane]->id, known);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (lanes[lane])
      order.acquire(lanes[lane]->id, known);
}

void Machine::warpgroupCollective(Thread &thread, const Wait &wait,
                                  Complete complete) {
  uint32_t first = thread.index / 128 * 128;
  if (first + 128 > numThreads)
    fail(thread, Fault::Kind::Divergence, wait.site,
         "needs the 128 threads of its warpgroup, which has %u",
         numThreads - first);
  thread.wait = wait;
  Thread *all[128];
  for (uint32_t i = 0; i < 128; ++i) {
    all[i] = &threads[thread.rank * numThreads + first + i];
    if (all[i]->done || all[i]->wait.kind != wait.kind ||
        all[i]->wait.site != wait.site)
      return current->suspend();
  }
  complete(*this, thread, all);
  for (Thread *each : all)
    each->wait = Wait();
}

void Machine::collective(Thread &thread, const Wait &wait, Complete complete) {
  uint32_t first = thread.warp() * 32;
  uint32_t numLanes = std::min(32u, numThreads - first);
  if (!(wait.mask >> thread.lane() & 1))
    fail(thread, Fault::Kind::Divergence, wait.site,
         "is executed by lane %u, which its member mask 0x%x leaves out",
         thread.lane(), wait.mask);
  thread.wait = wait;
  Thread *lanes[32] = {};
  for (uint32_t lane = 0; lane < numLanes; ++lane) {
    if (!(wait.mask >> lane & 1))
      continue;
    Thread &other = threads[thread.rank * numThreads + first + lane];
    lanes[lane] = &other;
    // Lanes that wait for something else may still come; if they do not,
    // nobody makes progress, which is reported then.
    if (other.done || other.wait.kind != wait.kind ||
        other.wait.mask != wait.mask || other.wait.site != wait.site)
      return current->suspend();
  }
  complete(*this, thread, lanes);
  for (Thread *lane : lanes)
    if (lane)
      lane->wait = Wait();
}
