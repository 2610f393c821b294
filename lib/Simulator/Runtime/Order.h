//===- Order.h - what happens before what -----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks (Lamport; Mattern): whoever accesses the shared memory of a
// block is an agent with a clock, and every thread knows of every agent up to
// which time its accesses come before the thread's next one. Barriers,
// mbarriers and waits hand that knowledge on. Two accesses race if neither
// knows of the other.
//
// Agents are the threads, and what works for them by itself: the TMA loads that
// an mbarrier counts, the wgmmas of a warpgroup, the bulk stores of a thread.
// Their clocks are phases, and groups.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_RUNTIME_ORDER_H
#define AMP_LIB_SIMULATOR_RUNTIME_ORDER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace amp::sim {

/// For each agent, how much of it is known to have happened; 0: nothing.
class Knowledge {
public:
  uint32_t operator[](uint32_t agent) const {
    return agent < clocks.size() ? clocks[agent] : 0;
  }
  void set(uint32_t agent, uint32_t clock) {
    if (agent >= clocks.size())
      clocks.resize(agent + 1);
    clocks[agent] = clock;
  }
  /// Knows what either knew.
  void join(const Knowledge &other) {
    if (clocks.size() < other.clocks.size())
      clocks.resize(other.clocks.size());
    uint32_t *to = clocks.data();
    const uint32_t *from = other.clocks.data();
    for (size_t i = 0, e = other.clocks.size(); i < e; ++i)
      to[i] = std::max(to[i], from[i]);
  }
  /// Knows what both knew.
  void meet(const Knowledge &other) {
    if (clocks.size() > other.clocks.size())
      clocks.resize(other.clocks.size());
    for (size_t i = 0, e = clocks.size(); i < e; ++i)
      clocks[i] = std::min(clocks[i], other.clocks[i]);
  }
  void clear() { clocks.clear(); }
  void reset(uint32_t size) { clocks.assign(size, 0); }
  /// Copies `count` entries from `from` to `to`.
  void copy(uint32_t from, uint32_t to, uint32_t count) {
    if (clocks.size() < to + count)
      clocks.resize(to + count);
    std::copy_n(clocks.begin() + from, count, clocks.begin() + to);
  }

private:
  std::vector<uint32_t> clocks;
};

/// The order of one block. Agent i, of the first `numThreads`, is thread i;
/// agent `numThreads` + i is what thread i did before a proxy fence; the others
/// are added when they first do something.
class Order {
public:
  /// Forgets everything. `isAlone`: threads run one after the other, and none
  /// ever waits for another.
  void begin(uint32_t numThreads, bool isAlone);
  /// Thread `index` begins.
  void beginThread(uint32_t index);

  uint32_t addAgent(std::string name);
  bool isThread(uint32_t agent) const { return agent < numThreads; }
  const std::string &getName(uint32_t agent) const {
    return names[agent - 2 * numThreads];
  }

  Knowledge &of(uint32_t thread) { return known[isAlone ? 0 : thread]; }
  uint32_t now(uint32_t thread) { return of(thread)[thread]; }

  /// What the thread does from now on is later than what others know of it.
  void tick(uint32_t thread) { of(thread).set(thread, now(thread) + 1); }
  /// Hands what the thread knows on.
  void release(uint32_t thread, Knowledge &to) {
    to.join(of(thread));
    tick(thread);
  }
  void acquire(uint32_t thread, const Knowledge &from) {
    of(thread).join(from);
  }
  /// fence.proxy.async: what the thread knows of is visible to the async proxy.
  void fenceProxy(uint32_t thread) {
    of(thread).copy(0, numThreads, numThreads);
  }
  /// Whether the access of `agent`, a thread, at `clock` lies before a proxy
  /// fence that `knowledge` knows of.
  bool isFenced(const Knowledge &knowledge, uint32_t agent,
                uint32_t clock) const {
    return knowledge[numThreads + agent] >= clock;
  }

private:
  uint32_t numThreads = 0;
  bool isAlone = false;
  std::vector<Knowledge> known;
  std::vector<std::string> names;
};

/// An access to a byte of shared memory.
struct Touch {
  const char *site = nullptr;
  uint32_t agent = 0;
  /// 0: there was none.
  uint32_t clock = 0;
  bool isAtomic = false;
  /// A write of cp.async that was not waited for yet.
  bool isInFlight = false;
};

/// What is known of a byte of shared memory: its last write, and the reads
/// since, but for those that come before another of them.
struct SharedCell {
  /// Which block it is about; what other blocks did is forgotten.
  uint32_t block = 0;
  Touch write;
  Touch read;
  std::vector<Touch> moreReads;
};

} // namespace amp::sim

#endif // AMP_LIB_SIMULATOR_RUNTIME_ORDER_H
