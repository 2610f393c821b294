//===- Machine.h - runs a grid, thread by thread ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_MACHINE_H
#define AMP_LIB_SIMULATOR_RUNTIME_MACHINE_H

#include "Fiber.h"
#include "Order.h"
#include "Shadow.h"
#include "amp/Codegen/GPU/Hopper/Pipeline.h"
#include "amp/Simulator/Image.h"
#include "amp/Simulator/Runtime.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace amp::sim {

class Machine;
class Memory;
struct Thread;

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// A launch of a kernel.
struct LaunchConfig {
  const ampSimKernel *kernel = nullptr;
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  void **params = nullptr;
  /// Where global memory must lie; null: anywhere in the memref arguments.
  const Memory *memory = nullptr;
};

/// Checks the dimensions of a launch of `config.kernel`, and puts them into
/// `config`. Returns what is wrong, or nothing.
std::string checkDimensions(const int64_t (&grid)[3], const int64_t (&block)[3],
                            const int64_t (&cluster)[3],
                            int64_t dynamicSharedBytes, LaunchConfig &config);

/// The first mistake of a launch.
struct Fault {
  enum class Kind {
    None,
    IllegalAddress,
    Misaligned,
    Race,
    Uninitialized,
    Divergence,
    Invalid
  };
  Kind kind = Kind::None;
  std::string message;
};

/// What a thread waits for.
struct Wait {
  enum class Kind {
    Nothing,
    Barrier,
    WarpBarrier,
    Shuffle,
    Mma,
    LoadMatrix,
    StoreMatrix,
    Wgmma,
    Mbarrier,
    Registers,
    Cluster
  };
  Kind kind = Kind::Nothing;
  const char *site = nullptr;
  /// The lanes of the collective, or the number of the barrier, or the parity
  /// of the mbarrier's phase.
  uint32_t mask = 0;
  /// Threads that the barrier needs; the place of the mbarrier in shared
  /// memory; the registers that are missing.
  uint32_t count = 0;
  /// The operands of the collective: on the thread's stack, which lives while
  /// the thread waits.
  void *operands = nullptr;
};

/// A cp.async that has not been waited for. Its data were read when it was
/// issued; they arrive when it completes.
struct PendingCopy {
  uint8_t *destination;
  uint32_t bytes;
  uint8_t data[16];
};

/// What a thread has started that works by itself, in groups.
struct AsyncGroups {
  /// The agent whose clock counts the groups; 0: none yet.
  uint32_t agent = 0;
  uint32_t committed = 0;
  /// Groups that the thread has waited for.
  uint32_t done = 0;
  /// Whether something was started since the last commit.
  bool isOpen = false;
  /// The op that started the last of them.
  const char *site = nullptr;
};

/// An mbarrier object.
struct SharedMbarrier {
  mlir::amp::gpu::hopper::Mbarrier state;
  /// What those who arrived in this phase knew, and in all phases before.
  Knowledge arrived, complete;
  /// The TMA loads that it counts; their clock is the phase, from 1.
  uint32_t agent = 0;
  /// Its initialisation.
  Touch init;
};

/// A barrier with a number.
struct NamedBarrier {
  uint32_t need = 0, arrived = 0;
  std::vector<uint8_t> who;
  Knowledge known;
  const char *site = nullptr;
  uint32_t first = 0;
};

/// Who accesses shared memory, and what is known to come before it. `thread` is
/// named in messages.
struct Actor {
  Thread &thread;
  const Knowledge &known;
  uint32_t agent, clock;
  bool isAsync;
};

/// "reads", "writes" or "updates".
const char *getVerb(int kind);

/// A thread of the block that runs.
struct Thread : ampSimThread {
  Machine *machine = nullptr;
  /// The number in the block, that of the block in its cluster, and the number
  /// among all threads that run together, which is its agent.
  uint32_t index = 0, rank = 0, id = 0;
  bool done = false;
  Wait wait;
  std::vector<PendingCopy> copies;
  /// For each committed group, how many of `copies` belong to it.
  std::vector<uint32_t> groups;
  uint32_t uncommitted = 0;
  AsyncGroups bulk, wgmma;
  /// Whether wgmma.fence has come since the accumulators were last waited for.
  bool isWgmmaFenced = false;
  /// What setmaxnreg left it; 0: it never asked.
  uint32_t registersHeld = 0;
  /// Whether it has arrived at the cluster's barrier and did not wait yet, and
  /// in which phase.
  bool hasArrivedInCluster = false;
  uint64_t clusterPhase = 0;

  uint32_t lane() const { return index % 32; }
  uint32_t warp() const { return index / 32; }
  /// The number of the warp among all that run together; blocks have room for
  /// 32.
  uint32_t warpId() const { return rank * 32 + warp(); }
};

/// A memref argument of the launch, for raw addresses and for the count of
/// written bytes.
struct MemrefArgument {
  const char *site;
  uintptr_t data;
  uint32_t elementBytes;
  std::vector<int64_t> sizes, strides;
  /// The bytes between the first and the last element, both included.
  uintptr_t begin, end;
};

/// The simulated processor. One launch at a time: `run` takes a lock.
class Machine {
public:
  static Machine &get();

  /// Runs every block of the grid; at the first mistake returns its
  /// description.
  Fault run(const LaunchConfig &config);

  /// The bytes of shared memory that a block may have.
  static uint32_t getSharedLimit();

  //===--- What the runtime functions use, on a thread's fiber -----------===//

  /// Reports a mistake of the thread, and never returns to it. The message is
  /// put behind the names of kernel, block, thread and site.
  [[noreturn]] void fail(Thread &thread, Fault::Kind kind, const char *site,
                         const char *format, ...)
      __attribute__((format(printf, 5, 6)));

  enum class Space { Shared, Private, Global };
  Space classify(uintptr_t address) const;

  /// Checks that the bytes may be accessed at all. `raw`: no memref vouches
  /// for them.
  void checkRange(Thread &thread, const char *site, int kind, uintptr_t address,
                  size_t bytes, bool raw);
  /// Checks the access for races, and remembers it. `inFlight`: the write of a
  /// cp.async.
  void touch(Thread &thread, const char *site, int kind, uintptr_t address,
             size_t bytes, bool inFlight = false);
  /// The write of a cp.async has arrived.
  void land(Thread &thread, const PendingCopy &copy);
  /// The same as `touch` for whoever it is, in shared memory.
  void touchShared(const Actor &actor, const char *site, int kind,
                   uintptr_t address, size_t bytes, bool inFlight = false);
  Order &getOrder() { return order; }
  /// The shared memory of the first block of the cluster; that of the others
  /// follows, `arenaBytes` apart.
  uint8_t *getShared() const { return shared; }
  /// Where the address lies, from there on; fails where it is not in shared
  /// memory.
  uint32_t getSharedOffset(Thread &thread, const char *site, const char *what,
                           const void *address);

  /// All accesses of the lanes so far come before those that follow.
  void passWarpBarrier(uint32_t warpId, Thread *const *lanes);

  void addArgument(Thread &thread, MemrefArgument argument);

  using Complete = void (*)(Machine &machine, Thread &last,
                            Thread *const *lanes);

  /// Arrives at a barrier, and, with `waits`, waits for the others.
  void barrier(Thread &thread, const Wait &wait, bool waits);
  /// Waits for the other threads of the warpgroup; the last of them calls
  /// `complete` with all 128.
  void warpgroupCollective(Thread &thread, const Wait &wait, Complete complete);

  /// mbarrier.init.
  void initMbarrier(Thread &thread, const char *site, const void *address,
                    int32_t count);
  /// The mbarrier at the address, which the thread must know to be initialised.
  SharedMbarrier &getMbarrier(Thread &thread, const char *site,
                              const void *address);
  void invalidateMbarrier(Thread &thread, const char *site,
                          const void *address);
  /// Arrives `count` times (maybe none), after `bytes` bytes were announced.
  void arriveMbarrier(Thread &thread, const char *site, const void *address,
                      int32_t count, int64_t bytes);
  /// The agent of the thread has brought so many bytes.
  void completeMbarrier(Thread &thread, const char *site,
                        SharedMbarrier &barrier, int64_t bytes);
  /// Waits until the phase of the parity is complete.
  void waitMbarrier(Thread &thread, const char *site, const void *address,
                    int32_t parity);
  /// barrier.cluster.arrive and .wait.
  void arriveInCluster(Thread &thread, const char *site, bool isRelaxed);
  void waitInCluster(Thread &thread, const char *site);
  /// How many blocks run together.
  uint32_t getClusterBlocks() const { return clusterBlocks; }

  /// The address range of a block's shared memory: more than it may have, so
  /// that an address behind its end is recognised, and what matrix descriptors
  /// can name: it is aligned to its size.
  static constexpr size_t arenaBytes = 256 * 1024;
  static constexpr uint32_t maxClusterBlocks = 16;

  /// setmaxnreg.
  void setRegisters(Thread &thread, const char *site, uint32_t count,
                    bool isIncrease, uint32_t blocks);
  /// Waits for the other lanes of `wait.mask`; the last of them calls
  /// `complete` with the threads of the warp (null where there is none).
  void collective(Thread &thread, const Wait &wait, Complete complete);

private:
  Machine();
  ~Machine();

  void prepareThread(Thread &thread, uint32_t index, uint32_t rank,
                     const Dim3 &block);
  void runThread(Thread &thread);
  void beginCluster();
  void runClusterOnFibers(const Dim3 &first);
  void runBlockInPlace(const Dim3 &block);
  void reportDivergence();
  void checkExit(Thread &thread);
  std::string describe(const Wait &wait);
  std::string describeAgent(uint32_t agent) const;
  /// "shared offset 0x40", and of which block, where several run together.
  std::string describePlace(uintptr_t offset) const;
  void checkTouch(const Actor &actor, const char *site, const char *verb,
                  uintptr_t offset, const Touch &other, bool wrote);
  void landShared(Thread &thread, uintptr_t address, size_t bytes);
  /// Fails if a write would hit an mbarrier.
  void checkMbarriers(Thread &thread, const char *site, uintptr_t offset,
                      size_t bytes);
  /// After a change of the barrier, which was in phase `phase` before: who
  /// waited for the end of that may go on.
  void finishPhase(SharedMbarrier &barrier, int64_t phase);
  void checkWrites();
  /// Calls `body` for every block whose coordinates are multiples of `step`.
  void forEachBlock(const Dim3 &step, void (Machine::*body)(const Dim3 &));
  /// Everybody who has not returned has arrived.
  void openClusterBarrier();
  uint32_t countThreads() const { return clusterBlocks * numThreads; }
  std::string describe(const Thread &thread) const;
  std::string describe(uint16_t who) const;
  /// Fails if `other`, an earlier write (or else read), is not ordered before
  /// an access that the thread makes now.
  void checkOrder(Thread &thread, const char *site, const char *verb,
                  uintptr_t address, const Moment &other, bool wrote);
  bool isOrderedInWarp(const Thread &thread, uint32_t warp,
                       const Moment &moment) const;

  std::mutex lock;
  const LaunchConfig *config = nullptr;
  bool checkRaces = true;
  bool writeOnce = false, writeAll = false;
  Fault fault;
  Shadow shadow;
  Order order;
  std::vector<SharedCell> cells;
  std::map<uint32_t, SharedMbarrier> mbarriers;
  /// Those of each block of the cluster, one after the other.
  std::vector<NamedBarrier> barriers;
  /// Registers that each block has and no thread holds.
  std::vector<int64_t> freeRegisters;
  /// Threads of each block that have returned.
  std::vector<uint32_t> numDone;
  uint32_t clusterBlocks = 1;
  /// The barrier of the cluster: its phase, who has arrived in it, what they
  /// know, and what those of all phases before knew.
  uint64_t clusterPhase = 0;
  uint32_t clusterArrived = 0;
  Knowledge clusterKnown, clusterComplete;
  uint8_t *shared = nullptr;
  size_t sharedBytes = 0;
  uint32_t launchBegin = 1, blockBegin = 1, clusterBegin = 1, segment = 1;
  std::vector<uint16_t> warpTimes;
  std::vector<Thread> threads;
  uint32_t numThreads = 0;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<MemrefArgument> arguments;
  Fiber *current = nullptr;
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_MACHINE_H
