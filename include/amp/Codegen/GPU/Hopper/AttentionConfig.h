//===- AttentionConfig.h - tiles and roles of an attention ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warp-specialised attention of sm_90a is, and which tiles of keys a
// block of rows needs. Plain arithmetic, without IR; see Layouts.h for why maps
// are templates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_ATTENTIONCONFIG_H
#define AMP_CODEGEN_GPU_HOPPER_ATTENTIONCONFIG_H

#include "amp/Codegen/GPU/Hopper/Pipeline.h"
#include "amp/Codegen/GPU/Hopper/RowPacking.h"
#include "amp/Codegen/GPU/Hopper/SharedLayout.h"
#include "amp/Codegen/GPU/Hopper/WgmmaConfig.h"

#include <optional>
#include <vector>

namespace mlir::amp::gpu::hopper {

//===----------------------------------------------------------------------===//
// Which keys a row sees
//===----------------------------------------------------------------------===//

/// Row r sees the keys from r + lower to r + upper.
struct AttentionLimits {
  std::optional<int64_t> lower, upper;

  bool any() const { return lower || upper; }
  /// Whether each of `rows` rows sees one of `keys` keys at least; sizes that
  /// are not known are negative.
  bool leaveOneKey(int64_t rows, int64_t keys) const {
    if (upper && *upper < 0)
      return false;
    if (!lower)
      return true;
    if (upper && *lower > *upper)
      return false;
    // The last row sees the fewest keys.
    return rows >= 0 && keys >= 0 && rows - 1 + *lower <= keys - 1;
  }
};

/// The tiles of `tile` of `keys` keys, of which there is one, that rows need.
template <typename Int>
struct KeyTiles {
  AttentionLimits limits;
  int64_t tile;
  Int keys;

  /// The first tile that the rows from `row` on see, and the one behind the
  /// last that the `rows` rows from there on see. Where they see none, they may
  /// be in any order.
  Int begin(Int row) const {
    return limits.lower ? firstKey(row) / tile : Int(0);
  }
  Int end(Int row, int64_t rows) const {
    return (lastKeys(row, rows) + (tile - 1)) / tile;
  }
  /// The same with one tile at least, of those that there are, for tiles
  /// `first` to `end`: what hides all keys of all rows is in it too.
  static Int atLeastOne(Int end) { return end + 1 - Int::min(end, 1); }
  static Int before(Int first, Int end) { return Int::min(first, end - 1); }
  /// The first tile, and the one behind the last, of which all of the `rows`
  /// rows from `row` on see all keys. There are none if they are not in order.
  Int wholeBegin(Int row, int64_t rows) const {
    return limits.lower ? (firstKey(row + (rows - 1)) + (tile - 1)) / tile
                        : Int(0);
  }
  Int wholeEnd(Int row) const { return lastKeys(row, 1) / tile; }

  /// Whether, of the tiles from the last one of a block of `blockRows` rows
  /// down, all but the first are whole for all its rows.
  bool hasOnePart(int64_t blockRows) const {
    return !limits.lower && (!limits.upper || (tile % blockRows == 0 &&
                                               *limits.upper % tile == 0));
  }

private:
  /// row + lower, or 0.
  Int firstKey(Int row) const {
    if (*limits.lower >= 0)
      return row + *limits.lower;
    Int distance(-*limits.lower);
    return row - Int::min(row, distance);
  }
  /// How many keys lie before the last that the rows see, it included.
  Int lastKeys(Int row, int64_t rows) const {
    if (!limits.upper)
      return keys;
    if (rows + *limits.upper >= 0)
      return Int::min(keys, row + (rows + *limits.upper));
    Int distance(-(rows + *limits.upper));
    return Int::min(keys, row - Int::min(row, distance));
  }
};

//===----------------------------------------------------------------------===//
// Tiles and roles
//===----------------------------------------------------------------------===//

/// What is attended to; sizes that are not known are -1.
struct AttentionProblem {
  /// Pairs of a batch and a head of queries.
  int64_t heads = -1;
  /// Queries of a head, and keys.
  int64_t rows = -1, keys = -1;
  /// How many heads of a group share keys and values, and can be rows of one
  /// tile; 1 if none do.
  int64_t shared = 1;
  /// The elements of a query and a key, and those of a value.
  int64_t depth = 0, columns = 0;
  Major majorQ = Major::K, majorK = Major::K, majorV = Major::MN;
  /// Whether scores are more than a multiple of the products anywhere.
  bool hasPayload = false;
  /// Whether numbers in memory say which keys rows see.
  bool hasBounds = false;
  /// Whether a row sees only keys near its own place, as causal ones do.
  bool hasLimits = false;
};

/// A block computes the results of `64 consumers` rows: one warpgroup brings
/// tiles of K and V, from the last one down, the others have 64 rows each.
struct AttentionConfig {
  static constexpr int64_t kConsumerRows = 64, kWarpRows = 16, kStages = 2;
  /// Columns of a store by TMA.
  static constexpr int64_t kStoreColumns = 64;

  AttentionProblem problem;
  int64_t consumers = 2, blockKeys = 128;
  /// Whether the products of the consumers are issued in turn, so that the
  /// exponentials of one run under the products of another.
  bool takesTurns = false;
  /// Whether the rows of a block are queries of all heads of a group.
  bool packsHeads = false;

  RowPacking getPacking() const { return {packsHeads ? problem.shared : 1}; }
  int64_t getBlockRows() const { return consumers * kConsumerRows; }
  /// The blocks of a launch; -1 if sizes are not known.
  int64_t countBlocks() const {
    if (problem.heads < 0 || problem.rows < 0)
      return -1;
    RowPacking packing = getPacking();
    return problem.heads / packing.heads *
           packing.countTiles(problem.rows, getBlockRows());
  }
  int64_t getThreads() const { return 128 * (consumers + 1); }
  RegisterSplit getRegisters() const {
    return consumers == 3 ? RegisterSplit{32, 160, 3}
                          : RegisterSplit{24, 240, 2};
  }
  /// Steps of 16 elements along a head.
  int64_t getDepthSteps() const { return (problem.depth + 15) / 16; }

  OperandTile getTileQ() const {
    return getTile(getBlockRows(), problem.depth, problem.majorQ);
  }
  OperandTile getTileK() const {
    return getTile(blockKeys, problem.depth, problem.majorK);
  }
  OperandTile getTileV() const {
    bool isColumns = problem.majorV == Major::MN;
    return {isColumns ? roundUp(problem.columns, 64) : problem.columns,
            blockKeys, 16, problem.majorV, Swizzle::B128};
  }

  /// Whether results go to shared memory over the queries, which are read by
  /// then: each warpgroup over its own.
  bool storesOverQueries() const {
    return problem.majorQ == Major::K &&
           roundUp(problem.columns, 64) <= roundUp(problem.depth, 64);
  }
  int64_t getOffsetK() const { return getTileQ().getBytes(); }
  int64_t getOffsetV() const {
    return getOffsetK() + kStages * getTileK().getBytes();
  }
  int64_t getOffsetStores() const {
    return storesOverQueries() ? 0
                               : getOffsetV() + kStages * getTileV().getBytes();
  }
  /// Where 64 columns of the results of a block lie behind the others.
  int64_t getStoreBytes() const { return getBlockRows() * 128; }
  int64_t getOffsetBarriers() const {
    int64_t end = getOffsetV() + kStages * getTileV().getBytes();
    return storesOverQueries()
               ? end
               : end + roundUp(problem.columns, 64) / 64 * getStoreBytes();
  }
  /// One barrier for the queries, and two for each stage of K and of V.
  int64_t getSharedBytes() const {
    return getOffsetBarriers() + Mbarrier::kBytes * (1 + 4 * kStages) +
           WgmmaConfig::kSlack;
  }

  /// What is wrong; empty: nothing.
  std::string check(const Device &device = Device()) const;
  /// Such as "192x128-turns-packed": rows and keys of a tile.
  std::string getName() const;

  static constexpr int64_t roundUp(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
  }

private:
  static OperandTile getTile(int64_t own, int64_t depth, Major major) {
    return {own, roundUp(depth, major == Major::K ? 64 : 16), 16, major,
            Swizzle::B128};
  }
};

/// The configuration for `problem`.
AttentionConfig chooseAttentionConfig(const AttentionProblem &problem,
                                      const Device &device = Device());

/// All configurations for `problem` that a device can run, whose accumulators
/// fit into registers; for a problem without sizes those that any can have.
std::vector<AttentionConfig>
getAttentionConfigs(const AttentionProblem &problem = {},
                    const Device &device = Device());

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_ATTENTIONCONFIG_H
