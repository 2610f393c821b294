//===- WgmmaKernel.h - the device code of a contraction ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block works through its share of the tiles of the result (persistent), with
// warpgroups of two kinds:
//
//   producer   one thread brings tiles of A and B, 128 bytes of K at a time,
//              into a ring of stages by TMA
//   consumers  multiply what has arrived with wgmma; then each warp computes
//              what the kernel makes of its accumulators, in the fragments that
//              they are in, and stores it by stmatrix and TMA
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAKERNEL_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAKERNEL_H

#include "WgmmaPlan.h"
#include "amp/Codegen/GPU/Evaluator.h"
#include "amp/Codegen/GPU/Hopper/Pipeline.h"

namespace mlir::amp::gpu::hopper {

class WgmmaKernel {
public:
  WgmmaKernel(const Kernel &kernel, const WgmmaPlan &plan);
  WgmmaKernel(const WgmmaKernel &) = delete;

  /// Emits the body of `function`, whose arguments are the operands of the
  /// launch, then the tensor maps of A, of B, of the results that have one and
  /// of the residual, then, with stream-K, the workspace.
  void emit(::mlir::gpu::GPUFuncOp function);

  /// Emits, for stream-K, the body of the kernel behind (WgmmaStreamK.cpp),
  /// whose arguments are the same but for the tensor maps of A and B. A block
  /// of 128 threads adds the parts of 64 rows and columns of a tile.
  void emitFixUp(::mlir::gpu::GPUFuncOp function);
  /// The blocks of that kernel, for `tiles` tiles, and its dynamic shared
  /// memory.
  static IndexValue getFixUpBlocks(const WgmmaPlan &plan,
                                   const IndexValue &tiles);
  static int64_t getFixUpBytes(const WgmmaPlan &plan);

private:
  /// A place in the loops of the batch, M and N, and the stages of it.
  struct Tile {
    SmallVector<WordValue> batch;
    WordValue m = 0, n = 0;
    WordValue firstStep = 0, steps = 0;
    /// How many tiles this role had before.
    WordValue ordinal = 0;
  };

  /// Sets what is below; `isFixUp`: of the kernel behind.
  void setUp(::mlir::gpu::GPUFuncOp function, bool isFixUp);
  void setUpSizes();
  /// Makes the rows of A zero that TMA does not write.
  void clearRows();
  void setUpBarriers();
  void emitProducer();
  /// Where a stage begins along K: in which iteration of each of the taps, and
  /// at which element of the rest.
  struct Step {
    SmallVector<WordValue> taps;
    WordValue inner = 0;
  };
  Step getStep(const WordValue &number);
  /// Where the stages of a tile that begins at row or column `mn` of an operand
  /// begin in it, or the parts of them that this block brings:
  /// the coordinates of all loops but K's, and, with windows, of each dimension
  /// of the tensor map.
  struct Start {
    WordValue mn = 0;
    SmallVector<WordValue> windows;
  };
  Start getStart(const WgmmaOperand &x, ArrayRef<unsigned> own,
                 const WordValue &mn, const Tile &tile);
  void emitLoads(const WgmmaOperand &x, Value map, const WordValue &stage,
                 int64_t base, const Start &start, const Step &step,
                 const Tile &tile, Value barrier);
  void emitConsumer();
  /// Emits a loop over the tiles of a role, from `first` on in steps of `step`,
  /// in which a number is carried, `use` at first: `body` gives its next value.
  void
  forTiles(const WordValue &first, const WordValue &step, const WordValue &use,
           llvm::function_ref<WordValue(const Tile &, const WordValue &)> body);
  /// The same, with stream-K, over the pieces of tiles that the block has.
  void forPieces(
      llvm::function_ref<WordValue(const Tile &, const WordValue &)> body);
  Tile getTile(const WordValue &number);

  /// Multiplies stage number `stage` into `accumulators`, one structure for
  /// each 64 rows.
  SmallVector<Value> emitProducts(const WordValue &stage,
                                  ValueRange accumulators, bool isFirst);
  /// Accumulators without contents.
  SmallVector<Value> emitNoSums();
  /// Multiplies `steps` stages, from ring use `use` on: the accumulators, one
  /// after the other.
  SmallVector<Value> emitMainLoop(WordValue &use, const WordValue &steps);
  /// The same with the sums of each stage added to others in f32.
  SmallVector<Value> emitPromotedLoop(WordValue &use, const WordValue &steps);
  void release(const WordValue &stage);
  /// Waits for all threads of the block, or of the cluster if there is one.
  void emitBarrier();

  // Epilogue (WgmmaEpilogue.cpp).
  void emitEpilogue(const Tile &tile, ArrayRef<Value> accumulators);
  /// That of 64 rows, of which `row` is the first of this warp, and `columns`
  /// columns. With stores by TMA, there are `blocks` of them in a tile.
  void emitRows(const Tile &tile, const WordValue &row, int64_t columns,
                int64_t blocks, ArrayRef<Value> accumulators);
  WordValue getFirstRow(const Tile &tile, int64_t block);
  /// Emits `body` with an evaluator to whom the contraction is what is in
  /// registers.
  void withEvaluator(const Tile &tile, llvm::function_ref<void()> body);
  /// Stores 64 columns of result `number`, from 64 `group` of the tile on.
  /// A tile has `groups` such parts.
  void storeByTma(const WgmmaOutput &output, unsigned number, const Tile &tile,
                  int64_t group, int64_t groups);
  /// Stores `columns` columns, all that the tile has (WgmmaSkinny.cpp).
  void storeSkinny(const WgmmaOutput &output, unsigned number, const Tile &tile,
                   int64_t columns);
  /// Stores eight columns from thread to memory.
  void storeDirectly(const WgmmaOutput &output, unsigned number, int64_t eight);
  /// The two elements of result `number` that this thread has of the eight
  /// columns `group` of the tile, in the row lane / 4 + 8 `half`: a vector.
  Value emitPair(unsigned number, int64_t group, int64_t half);
  /// The same of `tensor`, which `place` indexes by the loops.
  Value emitPair(Value tensor, ArrayRef<AffineExpr> place, int64_t group,
                 int64_t half);
  /// What a thread has of a statistic of 64 columns: of its two rows, in the
  /// first elements of its pairs, and in the second ones.
  using RowSums = std::array<std::array<Value, 2>, 2>;
  /// Adds what the thread has of the eight columns `eight` to `sums`.
  void addToStatistic(const RowStatistic &statistic, int64_t eight,
                      RowSums &sums);
  /// Puts together what the four lanes of each row have of the 64 columns from
  /// 64 `group` of the tile on, and stores it.
  void storeStatistic(const RowStatistic &statistic, int64_t group,
                      const RowSums &sums);
  /// The loops of one of them, not beyond the last.
  SmallVector<Value> getIteration(int64_t group, int64_t half, int64_t element);
  Value readAccumulator(ValueRange indices, int64_t width);
  Value addInit(Value sum, ValueRange iteration, int64_t width);

  // The residual operand (WgmmaResidual.cpp).
  void setUpResidualBarriers();
  /// Fetches the first chunks of this warp, which arrive while it multiplies.
  void startResidual(const Tile &tile);
  void fetchResidual(const Tile &tile, int64_t chunk);
  /// Waits for the chunks that begin in `count` columns from `first` on, of
  /// block `block` of 64 rows.
  void awaitResidual(const Tile &tile, int64_t block, int64_t first,
                     int64_t count);
  /// Fetches what comes next into the buffers of those that end there.
  void releaseResidual(const Tile &tile, int64_t block, int64_t first,
                       int64_t count);
  Value readResidual(ValueRange indices, int64_t width);
  Value getResidualBarrier(int64_t chunk);
  WordValue getResidualBuffer(int64_t chunk);
  /// The element at `indices`, of the two of a pair.
  Value selectElement(ValueRange indices, Value first, Value second);

  // Stream-K (WgmmaStreamK.cpp).
  /// Sets `shares`, and tells the kernel behind of how many blocks.
  void setUpShares();
  /// Leaves the sums of a part of a tile in the workspace.
  void storeSums(const Tile &tile, ArrayRef<Value> accumulators);
  /// Where this thread's sums of 64 rows and the first columns begin.
  WordValue getPlaceOfSums(const WordValue &slot, const WordValue &rowBlock);

  Value barrierAt(int64_t base, const WordValue &stage);
  Value fullBarrier(const WordValue &stage);
  Value emptyBarrier(const WordValue &stage);
  WordValue toWord(const IndexValue &value);
  IndexValue toIndex(const WordValue &value);
  /// Emits `body` where `condition` holds.
  void emitIf(Value condition, llvm::function_ref<void()> body);

  const Kernel &kernel;
  const WgmmaPlan &plan;
  const WgmmaConfig &config;
  Ring ring;
  OpBuilder builder;
  IndexBuilder at;

  SmallVector<Value> arguments;
  Value mapA, mapB;
  /// For each result its tensor map, or null.
  SmallVector<Value> resultMaps;
  Value residualMap;
  /// With stream-K, the sums of parts of tiles, and how blocks share those. How
  /// many blocks there are, the launch knows: no more than run at once.
  Value workspace;
  std::optional<StreamK<WordValue>> shares;
  Value shared; // pointer, aligned
  Value sharedBuffer;
  WordValue sharedSkip = 0;
  SmallVector<IndexValue> sizes; // of the loops
  IndexValue sizeM = 0, sizeN = 0;
  WordValue kTiles = 0, tilesM = 0, tilesN = 0, numTiles = 0;
  WordValue thread = 0, warp = 0, warpgroup = 0, lane = 0;
  WordValue block = 0, numBlocks = 0;
  /// The number of the block in its cluster, of which there are
  /// `numClusters`.
  WordValue rank = 0, cluster = 0, numClusters = 0;
  Value isFirstLane;
  /// The number of the consumer.
  WordValue consumer = 0;
  /// Where in shared memory the buffers of this warp begin.
  WordValue warpBuffers = 0;

  // The state of the epilogue.
  Evaluator *evaluator = nullptr;
  /// The first row of the warp in the result, and the first column of the
  /// thread in that of the tile.
  WordValue row = 0, column = 0;
  /// The end of the rows that are stored.
  WordValue endOfRows = 0;
  /// The loops of M of the thread's rows, and those of the batch.
  SmallVector<SmallVector<IndexValue>> rowLoops;
  SmallVector<IndexValue> batchLoops;
  ArrayRef<Value> groupAccumulators;
  int64_t currentBlock = 0, currentGroup = 0, currentHalf = 0,
          currentElement = 0;
  /// Stores of this tile so far.
  int64_t numStores = 0;
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAKERNEL_H
