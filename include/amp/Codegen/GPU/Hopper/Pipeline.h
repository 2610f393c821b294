//===- Pipeline.h - rings, barriers and registers ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the roles of a warp-specialised kernel wait for each other, and what
// registers they have. See Layouts.h for why maps are templates. C++17 alone,
// so that the simulator shares it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_PIPELINE_H
#define AMP_CODEGEN_GPU_HOPPER_PIPELINE_H

#include <cstdint>
#include <string>

namespace mlir::amp::gpu::hopper {

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

/// What an mbarrier object holds: PTX ISA, "mbarrier", "Contents of the
/// mbarrier object". Phases are counted from 0; the barrier begins in phase 0.
class Mbarrier {
public:
  /// The limits of the PTX ISA, "Valid range of each of the fields".
  static constexpr int64_t kMaxCount = (int64_t(1) << 20) - 1;
  static constexpr int64_t kMaxTx = (int64_t(1) << 20) - 1;
  static constexpr int64_t kBytes = 8;

  Mbarrier() = default;
  /// mbarrier.init: `count` arrivals end each phase.
  explicit Mbarrier(int64_t count) : expected(count), pending(count) {}

  int64_t getExpected() const { return expected; }
  int64_t getPending() const { return pending; }
  int64_t getTx() const { return tx; }
  /// The number of the phase that is not complete.
  int64_t getPhase() const { return phase; }

  /// mbarrier.arrive with `count`. False, and nothing happens, where the phase
  /// does not expect so many any more.
  bool arrive(int64_t count = 1) {
    if (count < 1 || count > pending)
      return false;
    pending -= count;
    completeIfDone();
    return true;
  }
  /// The expect-tx operation: the phase also waits for `bytes` bytes. False
  /// where the tx-count would leave its range.
  bool expectTx(int64_t bytes) {
    if (bytes < 0 || tx + bytes > kMaxTx)
      return false;
    tx += bytes;
    completeIfDone();
    return true;
  }
  /// The complete-tx operation: `bytes` bytes have arrived. They may do so
  /// before they are expected.
  bool completeTx(int64_t bytes) {
    if (bytes < 0 || tx - bytes < -kMaxTx)
      return false;
    tx -= bytes;
    completeIfDone();
    return true;
  }

  /// mbarrier.test_wait.parity: whether the phase of this parity is complete,
  /// that is, whether the current one has the other parity. Right only for
  /// phases `getPhase()` and `getPhase()` - 1: two phases look the same.
  bool test(int64_t parity) const { return (phase & 1) != (parity & 1); }

private:
  /// The phase is complete when no arrivals are pending and the tx-count is
  /// zero; the next one begins with all its arrivals pending.
  void completeIfDone() {
    if (pending || tx)
      return;
    pending = expected;
    ++phase;
  }

  int64_t expected = 0, pending = 0, tx = 0, phase = 0;
};

/// A ring of `stages` buffers with one barrier that says "full" and one that
/// says "empty" each. Use number `use`, from 0, is the same count for producers
/// and consumers.
struct Ring {
  int64_t stages;

  template <typename Int>
  Int stage(Int use) const {
    return use % stages;
  }
  /// What consumers wait for at "full".
  template <typename Int>
  Int fullParity(Int use) const {
    return (use / stages) & int64_t(1);
  }
  /// What producers wait for at "empty": the other parity, so that the first
  /// round, before which no phase of the barrier is complete, does not wait.
  template <typename Int>
  Int emptyParity(Int use) const {
    return fullParity(use) ^ int64_t(1);
  }
  /// The stage of use `use` - 1; `use` is at least 1.
  template <typename Int>
  Int previousStage(Int use) const {
    return (use + (stages - 1)) % stages;
  }
};

/// Arrivals that make a stage empty: one of each warp that reads it, of every
/// block of the cluster that it is multicast to.
constexpr int64_t getEmptyArrivals(int64_t consumerWarps,
                                   int64_t clusterBlocks = 1) {
  return consumerWarps * clusterBlocks;
}

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

/// The numbers of the barriers of a block (0 to 15): barrier 0 is that of the
/// whole block; PTX ISA, "bar, barrier".
struct NamedBarriers {
  static constexpr int64_t kCount = 16;
  static constexpr int64_t kBlock = 0;
  static constexpr int64_t kMaxConsumers = 4;

  /// The 128 threads of consumer warpgroup `consumer`, from 0, at its epilogue.
  static constexpr int64_t epilogue(int64_t consumer) { return 1 + consumer; }
  /// Whose turn it is in ping-pong schedules: the warpgroup that waits (sync)
  /// and the one before it (arrive), 256 threads.
  static constexpr int64_t turn(int64_t consumer) {
    return 1 + kMaxConsumers + consumer;
  }
  /// The start of the second warpgroup of a skewed schedule: 256 threads.
  static constexpr int64_t kSkew = 1 + 2 * kMaxConsumers;
};

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The registers of a thread at launch, where a kernel says that it has
/// `threads` threads and that `blocks` blocks share a multiprocessor: the 64 K
/// registers of the multiprocessor shared equally, in units of eight. (A thread
/// can name 255 of 256.)
constexpr int64_t getLaunchRegisters(int64_t threads, int64_t blocks = 1) {
  int64_t share = 65536 / blocks / threads / 8 * 8;
  return share < 256 ? share : 256;
}

/// Register counts that warpgroups ask for with setmaxnreg.
struct RegisterSplit {
  /// Those of the producer's warpgroup, and of each consumer's.
  int64_t producer, consumer;
  int64_t consumers;

  constexpr int64_t getThreads() const { return 128 * (1 + consumers); }

  /// What is wrong; empty: nothing. PTX ISA, "setmaxnreg": counts are 24 to 256
  /// in steps of eight, `.dec` must not ask for more than the warp has, nor
  /// `.inc` for less; and `.inc` waits until the pool of the block, which is
  /// what it had at launch, has so many free: forever if it never has.
  std::string check(int64_t blocks = 1) const {
    auto number = [](int64_t value) { return std::to_string(value); };
    for (int64_t count : {producer, consumer})
      if (count < 24 || count > 256 || count % 8)
        return "setmaxnreg takes multiples of 8 from 24 to 256, not " +
               number(count);
    int64_t launch = getLaunchRegisters(getThreads(), blocks);
    if (producer > launch)
      return "the producer cannot be left " + number(producer) +
             " registers: it has " + number(launch) + " at launch";
    if (consumer < launch)
      return "the consumers cannot ask for " + number(consumer) +
             " registers: they have " + number(launch) + " at launch";
    int64_t asked = 128 * (producer + consumers * consumer);
    int64_t pool = launch * getThreads();
    if (asked > pool)
      return "the warpgroups ask for " + number(asked) +
             " registers, but the block has " + number(pool) +
             ": setmaxnreg would wait forever";
    return "";
  }
};

//===----------------------------------------------------------------------===//
// Persistent blocks
//===----------------------------------------------------------------------===//

/// Which tiles a persistent block works on: number `block`, and then every
/// `blocks`-th. With ping-pong, warpgroup `consumer` of `consumers` takes every
/// `consumers`-th of those, and its ring uses begin behind those of the
/// warpgroups before it; each tile takes `kTiles` uses.
template <typename Int>
struct PersistentTiles {
  Int block, blocks, kTiles;
  int64_t consumers = 1;

  Int first(Int consumer) const { return block + consumer * blocks; }
  Int step() const { return blocks * consumers; }
  Int firstUse(Int consumer) const { return consumer * kTiles; }
  /// How many uses lie between the ends of one tile and the start of the next
  /// of the same warpgroup.
  Int skippedUses() const { return kTiles * (consumers - 1); }
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_PIPELINE_H
