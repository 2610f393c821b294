//===- Cluster.cpp - blocks that share memory -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "barrier.cluster" and "mapa".
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace amp::sim;

void Machine::openClusterBarrier() {
  uint32_t numReturned = 0;
  for (uint32_t count : numDone)
    numReturned += count;
  if (!clusterArrived || clusterArrived + numReturned < countThreads())
    return;
  clusterBegin = ++segment;
  ++clusterPhase;
  clusterArrived = 0;
  clusterComplete.join(clusterKnown);
  clusterKnown.clear();
  for (uint32_t i = 0; i < countThreads(); ++i)
    if (threads[i].wait.kind == Wait::Kind::Cluster)
      threads[i].wait = Wait();
}

void Machine::arriveInCluster(Thread &thread, const char *site,
                              bool isRelaxed) {
  if (thread.hasArrivedInCluster)
    fail(thread, Fault::Kind::Divergence, site,
         "arrives at the barrier of its cluster again, before it has waited");
  thread.hasArrivedInCluster = true;
  thread.clusterPhase = clusterPhase;
  // A relaxed arrival orders nothing.
  if (!isRelaxed)
    order.release(thread.id, clusterKnown);
  ++clusterArrived;
  openClusterBarrier();
}

void Machine::waitInCluster(Thread &thread, const char *site) {
  if (!thread.hasArrivedInCluster)
    fail(thread, Fault::Kind::Divergence, site,
         "waits for the barrier of its cluster, at which it has not arrived");
  thread.hasArrivedInCluster = false;
  if (thread.clusterPhase == clusterPhase) {
    thread.wait.kind = Wait::Kind::Cluster;
    thread.wait.site = site;
    current->suspend();
  }
  order.acquire(thread.id, clusterComplete);
}

extern "C" void ampSimClusterArrive(ampSimThread *thread, const char *site,
                                    int32_t isRelaxed) {
  Thread &self = *static_cast<Thread *>(thread);
  self.machine->arriveInCluster(self, site, isRelaxed != 0);
}

extern "C" void ampSimClusterWait(ampSimThread *thread, const char *site) {
  Thread &self = *static_cast<Thread *>(thread);
  self.machine->waitInCluster(self, site);
}

extern "C" void *ampSimMapShared(ampSimThread *thread, const char *site,
                                 const void *address, int32_t block) {
  Thread &self = *static_cast<Thread *>(thread);
  Machine &machine = *self.machine;
  if (block < 0 || uint32_t(block) >= machine.getClusterBlocks())
    machine.fail(self, Fault::Kind::Invalid, site,
                 "names block %d of a cluster of %u", block,
                 machine.getClusterBlocks());
  uint32_t offset = machine.getSharedOffset(self, site, "an address", address);
  return machine.getShared() + uint32_t(block) * Machine::arenaBytes +
         offset % Machine::arenaBytes;
}
