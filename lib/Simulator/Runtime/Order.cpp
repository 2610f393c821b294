//===- Order.cpp - what happens before what -------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Steps.h"

#include <cinttypes>

using namespace amp::sim;

void Order::begin(uint32_t count, bool alone) {
  numThreads = count;
  isAlone = alone;
  names.clear();
  known.resize(alone ? 1 : count);
  for (Knowledge &each : known)
    each.reset(count);
}

void Order::beginThread(uint32_t index) {
  if (isAlone)
    of(index).reset(numThreads);
  of(index).set(index, 1);
}

uint32_t Order::addAgent(std::string name) {
  names.push_back(std::move(name));
  return 2 * numThreads + uint32_t(names.size()) - 1;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

std::string Machine::describeAgent(uint32_t agent) const {
  if (!order.isThread(agent))
    return order.getName(agent);
  std::string text = describe(uint16_t(agent % numThreads));
  if (clusterBlocks > 1)
    text +=
        " of block " + std::to_string(agent / numThreads) + " of the cluster";
  return text;
}

std::string Machine::describePlace(uintptr_t offset) const {
  char text[64];
  std::snprintf(text, sizeof text, "shared offset 0x%" PRIxPTR,
                offset % arenaBytes);
  std::string result = text;
  if (clusterBlocks > 1)
    result +=
        " of block " + std::to_string(offset / arenaBytes) + " of the cluster";
  return result;
}

void Machine::checkTouch(const Actor &actor, const char *site, const char *verb,
                         uintptr_t offset, const Touch &other, bool wrote) {
  const char *did = wrote ? "wrote" : "read";
  if (other.isInFlight)
    fail(actor.thread, Fault::Kind::Race, site,
         "%s the byte at address 0x%" PRIxPTR
         ", which %s at %s still fills: cp.async.wait.group and a barrier must "
         "come first",
         verb, reinterpret_cast<uintptr_t>(shared) + offset,
         describeAgent(other.agent).c_str(), other.site);
  if (actor.known[other.agent] < other.clock)
    fail(actor.thread, Fault::Kind::Race, site,
         "%s the byte at %s, which %s %s at %s, %s", verb,
         describePlace(offset).c_str(), describeAgent(other.agent).c_str(), did,
         other.site,
         order.isThread(other.agent) ? "with no barrier between"
                                     : "and has not been waited for");
  if (actor.isAsync && wrote && order.isThread(other.agent) &&
      !order.isFenced(actor.known, other.agent, other.clock))
    fail(actor.thread, Fault::Kind::Race, site,
         "%s the byte at %s, which %s wrote at %s, with no fence.proxy.async "
         "between",
         verb, describePlace(offset).c_str(),
         describeAgent(other.agent).c_str(), other.site);
}

/// Adds a read. Those that come before it need not be remembered.
static void addRead(SharedCell &cell, const Touch &now,
                    const Knowledge &known) {
  if (!cell.read.clock || known[cell.read.agent] >= cell.read.clock) {
    cell.read = now;
    return;
  }
  for (Touch &other : cell.moreReads)
    if (known[other.agent] >= other.clock) {
      other = now;
      return;
    }
  cell.moreReads.push_back(now);
}

void Machine::touchShared(const Actor &actor, const char *site, int kind,
                          uintptr_t address, size_t bytes, bool inFlight) {
  if (!checkRaces)
    return;
  ++getNumSteps();
  const char *verb = getVerb(kind);
  uintptr_t offset = address - reinterpret_cast<uintptr_t>(shared);
  if (cells.size() < clusterBlocks * arenaBytes)
    cells.resize(clusterBlocks * arenaBytes);
  uint32_t rank = uint32_t(offset / arenaBytes);
  if (rank != actor.thread.rank && numDone[rank] == numThreads)
    fail(actor.thread, Fault::Kind::Race, site,
         "%s shared memory of block %u of the cluster, which has ended", verb,
         rank);
  Touch now;
  now.site = site;
  now.agent = actor.agent;
  now.clock = actor.clock;
  now.isAtomic = kind == AMP_SIM_ATOMIC;
  now.isInFlight = inFlight;
  if (kind != AMP_SIM_LOAD)
    checkMbarriers(actor.thread, site, offset, bytes);
  for (size_t i = 0; i < bytes; ++i) {
    SharedCell &cell = cells[offset + i];
    if (cell.block != blockBegin) {
      cell.block = blockBegin;
      cell.write = cell.read = Touch();
      cell.moreReads.clear();
    }
    bool wasWritten = cell.write.clock != 0;
    if (wasWritten && !(now.isAtomic && cell.write.isAtomic))
      checkTouch(actor, site, verb, offset + i, cell.write, /*wrote=*/true);
    if (kind != AMP_SIM_STORE && !wasWritten)
      fail(actor.thread, Fault::Kind::Uninitialized, site,
           "reads shared memory at offset 0x%" PRIxPTR
           ", which no thread of the block has written",
           (offset + i) % arenaBytes);
    if (kind == AMP_SIM_LOAD) {
      addRead(cell, now, actor.known);
      continue;
    }
    if (cell.read.clock) {
      checkTouch(actor, site, verb, offset + i, cell.read, /*wrote=*/false);
      for (const Touch &other : cell.moreReads)
        checkTouch(actor, site, verb, offset + i, other, /*wrote=*/false);
      cell.read = Touch();
      cell.moreReads.clear();
    }
    cell.write = now;
  }
}

void Machine::landShared(Thread &thread, uintptr_t address, size_t bytes) {
  uintptr_t offset = address - reinterpret_cast<uintptr_t>(shared);
  for (size_t i = 0; i < bytes; ++i) {
    Touch &write = cells[offset + i].write;
    write.agent = thread.id;
    write.clock = order.now(thread.id);
    write.isInFlight = false;
  }
}
