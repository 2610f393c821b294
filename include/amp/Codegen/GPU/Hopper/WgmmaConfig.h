//===- WgmmaConfig.h - tiles and roles of a contraction ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warp-specialised contraction of sm_90a can be, and which of them is
// the best for a problem. Plain arithmetic, without IR.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_HOPPER_WGMMACONFIG_H
#define AMP_CODEGEN_GPU_HOPPER_WGMMACONFIG_H

#include "amp/Codegen/GPU/Hopper/Fragments.h"
#include "amp/Codegen/GPU/Hopper/StreamK.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp::gpu::hopper {

/// The device that choices are made for: an H100 or H200 with SXM sockets.
struct Device {
  int64_t processors = 132;
  /// Bytes of shared memory that a block can have, and those of a
  /// multiprocessor, of which each block also costs one KiB.
  int64_t sharedBytes = 232448, processorSharedBytes = 233472;
};

/// The tile of a block, who multiplies it, and what is on its way meanwhile.
struct WgmmaConfig {
  /// Bytes along K of a stage: one row of a 128-byte swizzle.
  static constexpr int64_t kStageBytes = 128;
  /// A warp's rows in the epilogue, and its buffers of 128 bytes for each.
  static constexpr int64_t kWarpRows = 16, kWarpBuffers = 2;
  /// What the parts below are aligned to, and what they may have to skip for
  /// that: dynamic shared memory starts at a multiple of 128 bytes at least.
  static constexpr int64_t kAlignment = 1024, kSlack = kAlignment - 128;

  int64_t blockM = 128, blockN = 256;
  /// Warpgroups that multiply; one more brings the operands.
  int64_t consumers = 2;
  /// Whether the consumers take turns with whole tiles, so that the epilogue
  /// of one runs under the products of the other; else they share each tile.
  bool isPingPong = false;
  int64_t stages = 4;
  /// Blocks that run on a multiprocessor at once.
  int64_t blocks = 1;
  /// Whether the columns of a tile are all that there are: 8 to 64. Any
  /// multiple of 8 can then be the rows, and the buffers of results are small.
  bool isSkinny = false;
  /// Whether blocks share tiles along K (StreamK.h).
  bool isStreamK = false;
  /// Whether an operand of the shape of the result comes by TMA, to two more
  /// buffers for each warp.
  bool hasResidual = false;
  /// The tiles along M and N that the blocks of a cluster have: one, or two
  /// that lie side by side. Blocks whose tiles are in the same rows or columns
  /// bring a part of that operand each, to all of them (multicast).
  int64_t clusterM = 1, clusterN = 1;

  /// The blocks of a cluster.
  int64_t getClusterBlocks() const { return clusterM * clusterN; }
  int64_t getThreads() const { return 128 * (consumers + 1); }
  /// Rows of A in a stage: those that wgmma reads. What lies beyond those of
  /// the tile is zero.
  int64_t getSharedRows() const {
    int64_t rows = 64 * (isPingPong ? 1 : consumers);
    return (blockM + rows - 1) / rows * rows;
  }
  /// Rows that one consumer multiplies, of those of a stage.
  int64_t getConsumerRows() const {
    return isPingPong ? getSharedRows() : getSharedRows() / consumers;
  }
  /// Bytes of A, and of B, in a stage, and what TMA brings of them.
  int64_t getStageBytesA() const { return getSharedRows() * kStageBytes; }
  int64_t getStageBytesB() const { return blockN * kStageBytes; }
  int64_t getLoadedBytes() const { return (blockM + blockN) * kStageBytes; }
  /// What a block asks L2 for, of those: all but what others of its cluster
  /// bring.
  int64_t getFetchedBytes() const {
    return (blockM / clusterN + blockN / clusterM) * kStageBytes;
  }
  /// The parts of shared memory, in this order: the ring of A, that of B, the
  /// buffers of results, those of the residual operand, the barriers of the
  /// ring, and those of the residual.
  int64_t getOffsetB() const { return stages * getStageBytesA(); }
  int64_t getOffsetBuffers() const {
    return getOffsetB() + stages * getStageBytesB();
  }
  int64_t getWarpBufferBytes() const {
    return isSkinny ? SkinnyBuffer::kBytes : kWarpRows * 128;
  }
  /// Bytes of the buffers of a warp: two, or, for few columns, one.
  int64_t getWarpBytes() const {
    return (isSkinny ? 1 : kWarpBuffers) * getWarpBufferBytes();
  }
  /// Bytes of those of all warps of the consumers.
  int64_t getBufferBytes() const { return consumers * 4 * getWarpBytes(); }
  int64_t getOffsetResidual() const {
    return getOffsetBuffers() + getBufferBytes();
  }
  int64_t getOffsetBarriers() const {
    return getOffsetResidual() + (hasResidual ? getBufferBytes() : 0);
  }
  int64_t getOffsetResidualBarriers() const {
    return getOffsetBarriers() + 2 * 8 * stages;
  }
  /// All of it, with what the alignment may cost.
  int64_t getSharedBytes() const {
    return getOffsetResidualBarriers() +
           (hasResidual ? consumers * 4 * kWarpBuffers * 8 : 0) + kSlack;
  }

  /// What is wrong; empty: nothing.
  std::string check(const Device &device = Device()) const;
  /// Such as "128x128-ping-pong-6": whether it is skinny, the tile, how
  /// consumers share it if not cooperatively, the stages, the blocks of a
  /// multiprocessor if several, whether blocks share tiles, the cluster's tiles
  /// along M and N if several, and whether there is a residual.
  std::string getName() const;
};

/// C[batch][M][N] += A[batch][M][K] B[batch][K][N]; sizes that are not known
/// are -1.
struct WgmmaProblem {
  int64_t batch = 1, m = -1, n = -1, k = -1;
  /// Bits of an element of A and B, and of all results together.
  unsigned operandBits = 16, resultBits = 16;
  /// Whether the sums of each stage are added to others in f32.
  bool isPromoted = false;
  /// Results that have one element of 32 bits for 64 columns of a row.
  int64_t statistics = 0;
  /// Parts of K that have stages of their own: the taps of a convolution.
  int64_t taps = 1;
  /// Elements of A and B in memory where they are fewer than the products say,
  /// as windows overlap; -1: they are not.
  int64_t elementsA = -1, elementsB = -1;
  /// Whether A is contiguous along M, and B along N.
  bool isAlongM = false, isAlongN = false;

  /// Whether no size is left to run time.
  bool isKnown() const { return batch >= 0 && m >= 0 && n >= 0 && k >= 0; }
  /// The tiles and stages of `config`. All is known. Those of clusters are
  /// counted as one.
  int64_t getTiles(const WgmmaConfig &config) const;
  int64_t getSteps() const;

  /// Bytes that are read and written at least, for sizes of any kind of number.
  template <typename Int>
  Int getBytes(Int batches, Int rows, Int columns, Int depth) const {
    Int ofA = elementsA < 0 ? batches * rows * depth : Int(elementsA);
    Int ofB = elementsB < 0 ? batches * columns * depth : Int(elementsB);
    // A statistic has 32 bits for every 64 columns.
    return ((ofA + ofB) * int64_t(2 * operandBits) +
            batches * rows * columns * int64_t(2 * resultBits + statistics)) /
           int64_t(16);
  }
};

/// What the time of a configuration is made of, in ticks: sixteenths of a clock
/// of 1.6 GHz. Integers, so that a program can compare times of sizes that it
/// gets to know when it runs.
struct WgmmaCosts {
  static constexpr double kTicksOfMicrosecond = 16 * 1.6e3;

  /// Of a stage, of the accumulators that leave, and of the rest of a block.
  int64_t stage = 0, leave = 0, start = 0;
  /// Of a stage where no multiprocessor has more than one block, and the
  /// multiprocessors (of clusters: pairs of them).
  int64_t stageAlone = 0, processors = 1;
  /// Sums of up to so many stages are all on their way at once in a ring of
  /// eight, whose tiles of 64x128 measured no slower than those of 64x64.
  static constexpr int64_t kShortSteps = 8;
  /// Whether the accumulators of a tile leave under the products of the next.
  bool isPingPong = false;
  /// Blocks (of clusters: clusters) that run at once.
  int64_t slots = 1;
  /// With stream-K, that of the second kernel, and of what each piece leaves to
  /// it.
  bool isStreamK = false;
  int64_t fixUp = 0, sums = 0;

  /// The ticks of `tiles` tiles (of clusters) of `steps` stages that move
  /// `bytes` bytes. `min` is the smaller of two numbers.
  template <typename Int, typename MinFn>
  Int getTicks(Int tiles, Int steps, Int bytes, MinFn min) const {
    auto max = [&](Int l, Int r) { return l + r - min(l, r); };
    auto ceilDiv = [](Int l, Int r) { return (l + r - int64_t(1)) / r; };
    Int compute = 0, after = 0;
    if (isStreamK) {
      Int units = tiles * steps;
      Int blocks = max(min(units, slots), 1);
      compute = ceilDiv(units, blocks) * stage + (2 * leave + start);
      after = (tiles + blocks) * sums + fixUp;
    } else {
      // One where blocks have a multiprocessor each, and else zero.
      Int isAlone = min(max(Int(processors) - tiles + int64_t(1), 0), 1) *
                    min(max(steps - kShortSteps, 0), 1);
      Int ofTile = steps * (isAlone * (stageAlone - stage) + stage);
      // Nor does another block hide how they leave.
      Int leaving = leave * (isAlone * (slots / processors - 1) + int64_t(1));
      Int hidden = isPingPong ? min(leaving, ofTile) : Int(0);
      compute = ceilDiv(tiles, slots) * (ofTile + leaving - hidden) +
                (start + (isPingPong ? leave : 0));
    }
    // DRAM moves 4 TB/s. The larger of the two decides, mostly.
    Int move = bytes * int64_t(16) / int64_t(2500);
    return max(compute, move) + min(compute, move) / int64_t(20) + after;
  }
};

/// Why `config` cannot compute `problem`; empty: it can.
std::string check(const WgmmaProblem &problem, const WgmmaConfig &config);

/// What a configuration is predicted to reach.
struct WgmmaEstimate {
  /// Microseconds, and the rate of products in TFLOP/s.
  double time = 0, rate = 0;
};

/// The configurations that are for any problem.
std::vector<WgmmaConfig> getWgmmaConfigs(const Device &device = Device());
/// Those, the skinny ones and those of stream-K that can compute `problem`.
std::vector<WgmmaConfig> getWgmmaConfigs(const WgmmaProblem &problem,
                                         const Device &device = Device());

/// `config` with the buffers of a residual operand, and as many stages less as
/// these need; nothing if they leave less than two.
std::optional<WgmmaConfig> addResidual(WgmmaConfig config,
                                       const Device &device = Device());

/// How blocks share the tiles of `problem`, of which all is known.
StreamK<int64_t> getStreamK(const WgmmaProblem &problem,
                            const WgmmaConfig &config,
                            const Device &device = Device());

/// How long `problem` takes with `config`; sizes that are not known count as
/// 4096 (the batch as one).
WgmmaEstimate estimate(const WgmmaProblem &problem, const WgmmaConfig &config,
                       const Device &device = Device());

/// What that is made of.
WgmmaCosts getCosts(const WgmmaProblem &problem, const WgmmaConfig &config,
                    const Device &device = Device());

/// The configuration with the shortest estimate, of those that can do it. Where
/// sizes are not known, blocks do not share its tiles.
WgmmaConfig chooseWgmmaConfig(const WgmmaProblem &problem,
                              const Device &device = Device());

/// Where sizes are not known: the configuration whose blocks share tiles that
/// is the best for few of them, if it is predicted to beat `config` then. Few
/// are those of 64 rows, or else of 64 columns, or of one matrix, whichever of
/// these numbers is the first not to be known; others count as for `estimate`.
std::optional<WgmmaConfig> chooseForFewTiles(const WgmmaProblem &problem,
                                             const WgmmaConfig &config,
                                             const Device &device = Device());

} // namespace mlir::amp::gpu::hopper

#endif // AMP_CODEGEN_GPU_HOPPER_WGMMACONFIG_H
