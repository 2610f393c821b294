//===- WgmmaConfig.cpp - tiles and roles of a contraction -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/WgmmaConfig.h"

#include <algorithm>

using namespace mlir::amp::gpu::hopper;

static int64_t ceilDiv(int64_t size, int64_t by) {
  return (size + by - 1) / by;
}

std::string WgmmaConfig::check(const Device &device) const {
  auto number = [](int64_t value) { return std::to_string(value); };
  if (consumers < 1 || consumers > 2 || (isPingPong && consumers != 2))
    return "expected one consumer, or two, but found " + number(consumers);
  if (isPingPong && (isSkinny || isStreamK))
    return "consumers take no turns with parts of tiles";
  if (clusterM < 1 || clusterN < 1 || getClusterBlocks() > 2)
    return "expected clusters of one or two tiles, but found " +
           number(clusterM) + "x" + number(clusterN);
  if (getClusterBlocks() > 1 && (isSkinny || isStreamK))
    return "the blocks of a cluster have whole tiles, none of which has all "
           "columns";
  int64_t unit = isSkinny ? 8 : 64;
  if (blockM % unit || blockM < unit || blockM > 256 ||
      (!isSkinny && getSharedRows() != blockM))
    return "a tile of " + number(blockM) + " rows is not multiples of " +
           number(unit) + " for " + number(consumers) +
           " consumers, or has over 256";
  if (blockN % unit || blockN > (isSkinny ? 64 : 256) || blockN < unit)
    return "a tile of " + number(blockN) + " columns is no multiple of " +
           number(unit) + " up to " + number(isSkinny ? 64 : 256);
  // 128 accumulators leave room for the epilogue in 232 registers.
  if (getConsumerRows() * blockN > 64 * 256)
    return "a consumer cannot hold the accumulators of " +
           number(getConsumerRows()) + "x" + number(blockN);
  if (stages < 2)
    return "expected two stages at least, but found " + number(stages);
  if (getSharedBytes() > device.sharedBytes ||
      blocks * (getSharedBytes() + 1024) > device.processorSharedBytes)
    return number(getSharedBytes()) + " bytes of shared memory in each of " +
           number(blocks) + " blocks are more than a multiprocessor has";
  return "";
}

std::string WgmmaConfig::getName() const {
  std::string text = isSkinny ? "skinny-" : "";
  text += std::to_string(blockM) + "x" + std::to_string(blockN);
  if (isPingPong)
    text += "-ping-pong";
  text += "-" + std::to_string(stages);
  if (blocks > 1)
    text += "-" + std::to_string(blocks) + "-blocks";
  if (isStreamK)
    text += "-stream-k";
  if (getClusterBlocks() > 1)
    text +=
        "-cluster-" + std::to_string(clusterM) + "x" + std::to_string(clusterN);
  if (hasResidual)
    text += "-residual";
  return text;
}

static void eraseInvalid(std::vector<WgmmaConfig> &all, const Device &device) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const WgmmaConfig &config) {
                             return !config.check(device).empty();
                           }),
            all.end());
}

std::vector<WgmmaConfig>
mlir::amp::gpu::hopper::getWgmmaConfigs(const Device &device) {
  std::vector<WgmmaConfig> all = {
      {128, 256, 2, /*isPingPong=*/false, 4, 1},
      {256, 128, 2, /*isPingPong=*/false, 4, 1},
      {128, 128, 2, /*isPingPong=*/true, 6, 1},
      {128, 128, 2, /*isPingPong=*/false, 6, 1},
      {128, 192, 2, /*isPingPong=*/false, 4, 1},
      {64, 128, 1, /*isPingPong=*/false, 8, 1},
      {64, 128, 1, /*isPingPong=*/false, 4, 2},
      {64, 64, 1, /*isPingPong=*/false, 4, 2},
  };
  // Two tiles that share columns, or rows.
  auto add = [&](WgmmaConfig config, int64_t clusterM, int64_t clusterN) {
    config.clusterM = clusterM;
    config.clusterN = clusterN;
    all.push_back(config);
  };
  add({128, 256, 2, /*isPingPong=*/false, 4, 1}, 2, 1);
  add({256, 128, 2, /*isPingPong=*/false, 4, 1}, 1, 2);
  add({128, 128, 2, /*isPingPong=*/true, 6, 1}, 2, 1);
  add({128, 128, 2, /*isPingPong=*/false, 6, 1}, 2, 1);
  add({64, 128, 1, /*isPingPong=*/false, 4, 2}, 1, 2);
  eraseInvalid(all, device);
  return all;
}

/// A skinny configuration of `rows` by `columns`, with as many stages as there
/// is memory for.
static WgmmaConfig getSkinny(int64_t rows, int64_t columns, bool isStreamK,
                             const Device &device) {
  WgmmaConfig config{rows, columns, 2, /*isPingPong=*/false, 2, 1};
  config.isSkinny = true;
  config.isStreamK = isStreamK;
  for (WgmmaConfig next = config; next.check(device).empty(); ++next.stages)
    config = next;
  return config;
}

std::vector<WgmmaConfig>
mlir::amp::gpu::hopper::getWgmmaConfigs(const WgmmaProblem &problem,
                                        const Device &device) {
  std::vector<WgmmaConfig> all = getWgmmaConfigs(device);
  if (problem.n > 0 && problem.n <= 64) {
    // wgmma reads what is contiguous along N in boxes of 64.
    int64_t columns = 64;
    while (!problem.isAlongN && columns > 8 && columns / 2 >= problem.n)
      columns /= 2;
    all.push_back(getSkinny(128, columns, /*isStreamK=*/false, device));
    // As many rows for each multiprocessor: one round. TMA reads what is
    // contiguous along M in boxes of 64.
    if (problem.m > 0 && problem.batch == 1 && !problem.isAlongM) {
      int64_t rows = ceilDiv(ceilDiv(problem.m, device.processors), 8) * 8;
      if (rows < 128)
        all.push_back(getSkinny(rows, columns, /*isStreamK=*/false, device));
    }
    all.push_back(getSkinny(128, columns, /*isStreamK=*/true, device));
  }
  for (WgmmaConfig config : getWgmmaConfigs(device)) {
    config.isStreamK = true;
    if (!config.isPingPong && config.getClusterBlocks() == 1)
      all.push_back(config);
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const WgmmaConfig &config) {
                             return !check(problem, config).empty();
                           }),
            all.end());
  eraseInvalid(all, device);
  return all;
}

std::optional<WgmmaConfig>
mlir::amp::gpu::hopper::addResidual(WgmmaConfig config, const Device &device) {
  config.hasResidual = true;
  while (!config.check(device).empty())
    if (--config.stages < 2)
      return std::nullopt;
  return config;
}

int64_t WgmmaProblem::getTiles(const WgmmaConfig &config) const {
  return batch * ceilDiv(m, config.blockM * config.clusterM) *
         ceilDiv(n, config.blockN * config.clusterN);
}

int64_t WgmmaProblem::getSteps() const {
  return taps * ceilDiv(k / taps, WgmmaConfig::kStageBytes * 8 / operandBits);
}

StreamK<int64_t> mlir::amp::gpu::hopper::getStreamK(const WgmmaProblem &problem,
                                                    const WgmmaConfig &config,
                                                    const Device &device) {
  StreamK<int64_t> result{problem.getTiles(config), problem.getSteps(), 0};
  result.blocks =
      std::min(device.processors * config.blocks, result.getUnits());
  return result;
}

std::string mlir::amp::gpu::hopper::check(const WgmmaProblem &problem,
                                          const WgmmaConfig &config) {
  if (config.isSkinny && (problem.n < 0 || problem.n > config.blockN))
    return "its tiles have all columns, but the result has more than " +
           std::to_string(config.blockN);
  if (config.isSkinny && problem.statistics > 0)
    return "its tiles have no 64 columns for statistics of rows";
  // The host asks for what is not known.
  if (config.isStreamK && problem.isKnown()) {
    int64_t tiles = problem.getTiles(config), steps = problem.getSteps();
    if (tiles == 0 || steps == 0)
      return "there are no tiles that blocks could share";
    if (tiles >= kMaxStreamKUnits / steps)
      return "its tiles have more stages together than 31 bits can count";
  }
  // Boxes of 64 along M or N, of which each block brings the same number.
  if ((config.clusterM > 1 && problem.isAlongN && config.blockN % 128) ||
      (config.clusterN > 1 && problem.isAlongM && config.getSharedRows() % 128))
    return "the blocks of a cluster cannot share an odd number of boxes of 64";
  if (!problem.isPromoted)
    return "";
  // Sums in f32 beside the accumulators: those of 64x192 fit into 232
  // registers, those of 64x64 into the 128 that two blocks leave.
  int64_t registers = 2 * config.getConsumerRows() * config.blockN / 128;
  if (registers > (config.blocks > 1 ? 64 : 192))
    return "sums of 8-bit floats in f32 need " + std::to_string(registers) +
           " registers beside others; without them (fast-f8) it could be done";
  return "";
}

WgmmaCosts mlir::amp::gpu::hopper::getCosts(const WgmmaProblem &problem,
                                            const WgmmaConfig &config,
                                            const Device &device) {
  // Clocks of one stage: the tensor cores of a multiprocessor multiply 2048
  // pairs of 16 bits in a clock, and what is fetched comes from L2. Both
  // numbers and the efficiencies are fitted to measurements of such kernels on
  // an H200: 128x128 reaches 0.95 of 128x256 at K = 4096, and 64x128 in two
  // blocks 0.85. One warpgroup alone waits for itself; one of 64x64 does so as
  // long as two do together (260 clocks with 16 tiles of 256 stages on an H100,
  // 380 with 64x128).
  double area = double(config.blockM * config.blockN);
  double efficiency = area >= 128 * 256   ? 0.95
                      : area >= 128 * 192 ? 0.92
                      : area >= 128 * 128 ? 0.90
                      : area >= 64 * 128  ? 0.80
                                          : 0.50;
  if (config.consumers * config.blocks == 1)
    efficiency *= 0.85;
  double multiply = area * WgmmaConfig::kStageBytes / 2 / 2048 / efficiency;
  double fetch = double(config.getFetchedBytes()) / 80;
  // Few columns: each of many rows of A is read once, from DRAM, of which a
  // multiprocessor has its share.
  if (config.isSkinny)
    multiply = 256;
  if (problem.n >= 0 && problem.n <= 64 && (problem.m < 0 || problem.m > 512))
    fetch = double(config.blockM * WgmmaConfig::kStageBytes) / 19 +
            double(config.getStageBytesB()) / 80;
  // Those of a warpgroup wait while it adds; the other one's do not.
  if (problem.isPromoted)
    multiply *= config.consumers * config.blocks == 1 ? 1.5 : 1.1;
  double stage = std::max(multiply, fetch) * double(config.blocks);
  double alone = multiply;
  if (config.consumers == 1 && config.blocks > 1)
    alone *= (area >= 64 * 128 ? 1 / 0.85 : 1) *
             (problem.isPromoted ? 1.5 / 1.1 : 1);

  // Clocks beside: until the first stage is there, and until the accumulators
  // have left, unless others multiply meanwhile.
  // Statistics take an op or two for each element, and no store: counted as a
  // result of four bits (an estimate).
  double leaving = double(problem.resultBits + 4 * problem.statistics);
  double leave = area * leaving / 16 * 1600 / (128 * 256);
  if (!config.isPingPong)
    leave /= double(config.blocks);
  // The blocks of a cluster wait for each other at both ends.
  double start = config.getClusterBlocks() > 1 ? 1800 : 1000;

  auto ticks = [](double clocks) { return int64_t(clocks * 16 + 0.5); };
  WgmmaCosts costs;
  costs.stage = ticks(stage);
  costs.stageAlone = ticks(std::max(alone, fetch));
  costs.processors = device.processors / config.getClusterBlocks();
  costs.leave = ticks(leave);
  costs.start = ticks(start);
  costs.isPingPong = config.isPingPong;
  // Those of a cluster are one.
  costs.slots = device.processors * config.blocks / config.getClusterBlocks();
  costs.isStreamK = config.isStreamK;
  if (config.isStreamK) {
    // Sums go through L2, and a second kernel adds them.
    double bytes = double(config.getSharedRows() * config.blockN) * 4;
    costs.fixUp = ticks(3 * 1.6e3);
    costs.sums = ticks(2 * bytes / 3.0e6 * 1.6e3);
  }
  return costs;
}

/// `problem` with 4096 for each size that is not known, and one matrix.
static WgmmaProblem assumeSizes(WgmmaProblem problem) {
  if (problem.batch < 0)
    problem.batch = 1;
  for (int64_t *size : {&problem.m, &problem.n, &problem.k})
    if (*size < 0)
      *size = 4096;
  return problem;
}

WgmmaEstimate mlir::amp::gpu::hopper::estimate(const WgmmaProblem &problem,
                                               const WgmmaConfig &config,
                                               const Device &device) {
  WgmmaProblem known = assumeSizes(problem);
  int64_t ticks =
      getCosts(problem, config, device)
          .getTicks(known.getTiles(config), known.getSteps(),
                    known.getBytes(known.batch, known.m, known.n, known.k),
                    [](int64_t l, int64_t r) { return std::min(l, r); });
  WgmmaEstimate result;
  // A launch behind another costs more than a microsecond.
  result.time = 1.5 + double(ticks) / WgmmaCosts::kTicksOfMicrosecond;
  result.rate = 2 * double(known.batch) * double(known.m) * double(known.n) *
                double(known.k) / result.time / 1e6;
  return result;
}

/// The one of `all` with the shortest estimate.
static WgmmaConfig getFastest(const std::vector<WgmmaConfig> &all,
                              const WgmmaProblem &problem,
                              const Device &device) {
  return *std::min_element(all.begin(), all.end(),
                           [&](const WgmmaConfig &l, const WgmmaConfig &r) {
                             return estimate(problem, l, device).time <
                                    estimate(problem, r, device).time;
                           });
}

static void eraseIf(std::vector<WgmmaConfig> &all, bool isStreamK) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const WgmmaConfig &config) {
                             return config.isStreamK == isStreamK;
                           }),
            all.end());
}

WgmmaConfig
mlir::amp::gpu::hopper::chooseWgmmaConfig(const WgmmaProblem &problem,
                                          const Device &device) {
  std::vector<WgmmaConfig> all = getWgmmaConfigs(problem, device);
  if (!problem.isKnown())
    eraseIf(all, /*isStreamK=*/true);
  return getFastest(all, problem, device);
}

std::optional<WgmmaConfig>
mlir::amp::gpu::hopper::chooseForFewTiles(const WgmmaProblem &problem,
                                          const WgmmaConfig &config,
                                          const Device &device) {
  if (problem.isKnown())
    return std::nullopt;
  std::vector<WgmmaConfig> all = getWgmmaConfigs(problem, device);
  eraseIf(all, /*isStreamK=*/false);
  if (all.empty())
    return std::nullopt;
  WgmmaProblem few = problem;
  if (few.m < 0)
    few.m = 64;
  else if (few.n < 0)
    few.n = 64;
  WgmmaConfig best = getFastest(all, few, device);
  // A second kernel for less would not be worth its size.
  if (estimate(few, best, device).time >
      0.95 * estimate(few, config, device).time)
    return std::nullopt;
  return best;
}
