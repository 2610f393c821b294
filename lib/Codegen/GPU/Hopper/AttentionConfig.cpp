//===- AttentionConfig.cpp - tiles and roles of an attention --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Hopper/AttentionConfig.h"

#include "amp/Codegen/GPU/Hopper/Fragments.h"

#include <algorithm>

using namespace mlir::amp::gpu::hopper;

std::string AttentionConfig::check(const Device &device) const {
  for (const OperandTile &tile : {getTileQ(), getTileK(), getTileV()})
    if (std::string why = tile.check(); !why.empty())
      return why;
  for (int64_t n : {blockKeys, problem.columns})
    if (!WgmmaFragments::hasN(n, /*isInteger=*/false))
      return "wgmma has no tiles of " + std::to_string(n) + " columns";
  if (std::string why = getRegisters().check(); !why.empty())
    return why;
  if (getSharedBytes() > device.sharedBytes)
    return "a block would need " + std::to_string(getSharedBytes()) +
           " bytes of shared memory";
  if (!packsHeads)
    return "";
  if (problem.shared < 2)
    return "no heads share keys and values";
  if (!getPacking().fits(getBlockRows()))
    return "the queries of " + std::to_string(problem.shared) +
           " heads are no part of " + std::to_string(getBlockRows()) + " rows";
  if (problem.majorQ != Major::K)
    return "queries are not contiguous along a head";
  return "";
}

std::string AttentionConfig::getName() const {
  return std::to_string(getBlockRows()) + "x" + std::to_string(blockKeys) +
         (takesTurns ? "-turns" : "") + (packsHeads ? "-packed" : "");
}

AttentionConfig
mlir::amp::gpu::hopper::chooseAttentionConfig(const AttentionProblem &problem,
                                              const Device &device) {
  AttentionConfig config;
  config.problem = problem;
  // The accumulators of the result and of the scores, and the weights, must
  // fit into the registers of a thread; tiles into shared memory.
  int64_t head = std::max(problem.columns, problem.depth);
  if (head > 128 || (head > 64 && problem.hasPayload))
    config.blockKeys = 64;
  else if (head > 64)
    // Of 4096 and 16384 keys, 128 are 1.16 and 1.13 times as fast as 96 (H100).
    // A tail, limits, bounds and few keys take registers that they need.
    config.blockKeys = problem.keys >= 1024 && problem.keys % 128 == 0 &&
                               !problem.hasBounds && !problem.hasLimits
                           ? 128
                           : 96;
  config.packsHeads =
      problem.majorQ == Major::K &&
      isPackingWorthwhile(problem.rows, problem.shared, config.getBlockRows());
  // Small heads have as many exponentials as products: three warpgroups hide
  // them. Not where there are too few blocks or rows, nor where a payload or
  // bounds need registers.
  if (problem.columns <= 64 && problem.depth <= 64) {
    config.takesTurns = true;
    AttentionConfig large = config;
    large.consumers = 3;
    // Larger tiles take less time for each row, but are no use where they need
    // as many rounds: 256 blocks of 128 rows, or 176 of 192, are two rounds
    // each, and the latter took 1.16 times as long on an H100. So a round of
    // theirs counts as 1.16. With limits, some blocks have less to do.
    int64_t blocks = large.countBlocks(), usual = config.countBlocks();
    auto countRounds = [&](int64_t count) {
      return (count + device.processors - 1) / device.processors;
    };
    bool isLarge =
        blocks < 0 || (blocks >= device.processors && blocks < usual &&
                       (problem.hasLimits ||
                        countRounds(blocks) * 116 < countRounds(usual) * 100));
    if (!problem.hasPayload && !problem.hasBounds &&
        large.getPacking().fits(large.getBlockRows()) && isLarge)
      config = large;
  }
  return config;
}

/// Whether what a thread holds of scores, weights and results leaves the rest
/// of its registers to everything else.
static bool fitsRegisters(const AttentionConfig &config) {
  constexpr int64_t others = 30;
  int64_t scores = config.blockKeys / 2, weights = config.blockKeys / 4,
          results = config.problem.columns / 2;
  return scores + weights + results + others <= config.getRegisters().consumer;
}

std::vector<AttentionConfig>
mlir::amp::gpu::hopper::getAttentionConfigs(const AttentionProblem &problem,
                                            const Device &device) {
  std::vector<AttentionConfig> configs;
  bool isAny = problem.depth == 0;
  for (bool packsHeads : {false, true})
    for (int64_t consumers : {2, 3})
      for (int64_t keys : {128, 96, 64})
        for (bool takesTurns : {false, true}) {
          AttentionConfig config;
          config.problem = problem;
          config.consumers = consumers;
          config.blockKeys = keys;
          config.takesTurns = takesTurns;
          config.packsHeads = packsHeads;
          if (isAny || (config.check(device).empty() && fitsRegisters(config)))
            configs.push_back(config);
        }
  return configs;
}
