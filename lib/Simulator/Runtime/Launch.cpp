//===- Launch.cpp - launches without a driver -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

using namespace amp::sim;

[[noreturn]] static void fail(const char *site, const char *message) {
  // What the program printed before belongs before the error.
  std::fflush(stdout);
  std::fprintf(stderr, "amp-sim: error: %s%s\n", site, message);
  std::exit(1);
}

extern "C" void ampSimLaunch(const ampSimKernel *kernel, const char *site,
                             int64_t gridX, int64_t gridY, int64_t gridZ,
                             int64_t blockX, int64_t blockY, int64_t blockZ,
                             int64_t clusterX, int64_t clusterY,
                             int64_t clusterZ, int32_t dynamicSharedBytes,
                             void **params) {
  // amp's runtime skips empty grids as well.
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  LaunchConfig config;
  config.kernel = kernel;
  config.params = params;
  std::string error = checkDimensions(
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
      {clusterX, clusterY, clusterZ}, dynamicSharedBytes, config);
  if (!error.empty())
    fail(site, (": " + error).c_str());
  Fault fault = Machine::get().run(config);
  if (fault.kind != Fault::Kind::None)
    fail("", fault.message.c_str());
}

extern "C" int64_t ampSimPersistentGrid(int64_t gridX, int64_t clusterX,
                                        int64_t blocks) {
  const char *text = std::getenv("AMP_SIM_MULTIPROCESSORS");
  int64_t processors = text ? std::strtoll(text, nullptr, 10) : 0;
  if (processors <= 0)
    return gridX;
  int64_t most = processors * blocks / clusterX * clusterX;
  return std::min(gridX, std::max(most, clusterX));
}

std::string amp::sim::checkDimensions(const int64_t (&grid)[3],
                                      const int64_t (&block)[3],
                                      const int64_t (&cluster)[3],
                                      int64_t dynamicSharedBytes,
                                      LaunchConfig &config) {
  const int64_t maxGrid[3] = {2147483647, 65535, 65535};
  const int64_t maxBlock[3] = {1024, 1024, 64};
  auto number = [](int64_t value) { return std::to_string(value); };
  for (unsigned d = 0; d < 3; ++d) {
    std::string axis(1, "xyz"[d]);
    if (grid[d] < 1 || grid[d] > maxGrid[d])
      return "the grid has " + number(grid[d]) + " blocks along " + axis +
             ": must be from 1 to " + number(maxGrid[d]);
    if (block[d] < 1 || block[d] > maxBlock[d])
      return "the block has " + number(block[d]) + " threads along " + axis +
             ": must be from 1 to " + number(maxBlock[d]);
    if (cluster[d] < 1 || grid[d] % cluster[d])
      return "the cluster has " + number(cluster[d]) + " blocks along " + axis +
             ": must divide the grid's " + number(grid[d]);
  }
  int64_t blocks = cluster[0] * cluster[1] * cluster[2];
  if (blocks > Machine::maxClusterBlocks)
    return "the cluster has " + number(blocks) + " blocks: must be at most " +
           number(Machine::maxClusterBlocks);
  int64_t threads = block[0] * block[1] * block[2];
  int64_t most = config.kernel->maxThreads ? config.kernel->maxThreads : 1024;
  if (threads > most)
    return "the block has " + number(threads) + " threads: kernel '" +
           config.kernel->name + "' may have " + number(most);
  int64_t shared = config.kernel->staticSharedBytes + dynamicSharedBytes;
  if (dynamicSharedBytes < 0 || shared > Machine::getSharedLimit())
    return "the block needs " + number(shared) +
           " bytes of shared memory: must be at most " +
           number(Machine::getSharedLimit());
  auto dim = [](const int64_t (&from)[3]) {
    Dim3 result;
    result.x = static_cast<uint32_t>(from[0]);
    result.y = static_cast<uint32_t>(from[1]);
    result.z = static_cast<uint32_t>(from[2]);
    return result;
  };
  config.grid = dim(grid);
  config.block = dim(block);
  config.cluster = dim(cluster);
  config.dynamicSharedBytes = static_cast<uint32_t>(dynamicSharedBytes);
  return std::string();
}
