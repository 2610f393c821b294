//===- AttentionKernel.h - the device code of an attention ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has a tile of rows of one head:
//
//   producer   one thread brings the rows of Q, then tiles of K and V into two
//              rings, by TMA, from the last tile that any row sees down
//   consumers  each has 64 rows. While a tile of weights is multiplied with V,
//              the next tile of scores is made into weights: the maximum so
//              far, exponentials of the distances to it, their sum. Weights are
//              the A operand of the second product in the registers that the
//              first one left them in
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONKERNEL_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONKERNEL_H

#include "AttentionPlan.h"
#include "amp/Codegen/GPU/Evaluator.h"

namespace mlir::amp::gpu::hopper {

class AttentionKernel {
public:
  AttentionKernel(const Kernel &kernel, const AttentionPlan &plan);
  AttentionKernel(const AttentionKernel &) = delete;

  /// Emits the body of `function`, whose arguments are the operands of the
  /// launch, then the tensor maps of Q, K, V and of the results that have one.
  void emit(::mlir::gpu::GPUFuncOp function);

private:
  /// What is carried from tile to tile, for each half of eight rows where there
  /// are two: the maximum of the scores so far, and this thread's part of the
  /// sum of weights.
  struct Softmax {
    SmallVector<Value> maximum, sum;
    /// What the results so far are multiplied with.
    SmallVector<Value> rescale;
    /// Weights as registers of A.
    SmallVector<Value> weights;
  };

  /// A row of the tile: its query, and its head of the group where rows are
  /// packed.
  struct Row {
    IndexValue query = 0, head = 0;
  };

  void setUp(::mlir::gpu::GPUFuncOp function);
  void setUpBarriers();
  /// Sets the place of this block: its head and rows, and its key tiles.
  void findPlace();
  /// Narrows the tiles to those that the bounds in memory leave to any row.
  void findBounds();
  void emitProducer();
  void emitConsumer();
  void emitLoads(const AttentionOperand &x, const OperandTile &tile, Value map,
                 const WordValue &offset, ArrayRef<WordValue> own,
                 const WordValue &along, Value barrier);
  Value emitScores(const WordValue &use);
  Value emitValues(Value sums, ValueRange weights, const WordValue &use);
  void takeTurn();
  void passTurn();
  void release(Value barrier);

  // Softmax (AttentionSoftmax.cpp).
  /// The weights of the tile of keys number `tile`, whose products are
  /// `products`, with what was carried so far.
  Softmax emitSoftmax(ArrayRef<Value> products, const WordValue &tile,
                      const Softmax &before);
  Softmax emitWeights(ArrayRef<Value> scores, const Softmax &before);
  SmallVector<Value> emitLimits(ArrayRef<Value> products,
                                const WordValue &tile);
  SmallVector<Value> emitPayload(ArrayRef<Value> products,
                                 const WordValue &tile);
  /// The first key that `row` sees by the bounds in memory, and the one behind
  /// the last.
  std::pair<WordValue, WordValue> emitBounds(const Row &row);
  /// The least of the lanes of a warp, or the greatest.
  WordValue emitWarpExtreme(WordValue value, bool isGreatest);
  Value readProduct(ValueRange indices, int64_t width);
  void emitResults(ArrayRef<Value> sums, const Softmax &softmax);
  Value emitPair(unsigned number, int64_t group, int64_t half);
  void storeByTma(unsigned number);
  void storeDirectly(unsigned number);
  void storeRows(unsigned number);
  /// The values of the loops `loops`, as indices of a tensor.
  SmallVector<Value> getIndices(ArrayRef<int> loops, const Row &row,
                                const IndexValue &key);
  /// The row `row` of the attention; with `isClamped`, the last query or head
  /// instead of one beyond.
  Row getRow(const WordValue &row, bool isClamped = true);
  /// Whether the row is that of a query of a head.
  Value isRow(const WordValue &row);
  /// The row of this thread in half `half` of those of its warp.
  WordValue getThreadRow(int64_t half);
  WordValue getWarpRow();
  /// The coordinates of TMA for the rows from `row` on.
  SmallVector<WordValue> getRowCoordinates(const WordValue &row);

  Value combine(ArrayRef<Value> values, bool isMaximum);
  Value emitConstant(double value);
  Value barrierAt(int64_t number);
  Value stageBarrier(int64_t first, const WordValue &use);
  WordValue toWord(const IndexValue &value);
  IndexValue toIndex(const WordValue &value);
  void emitIf(Value condition, llvm::function_ref<void()> body);

  const Kernel &kernel;
  const AttentionPlan &plan;
  const AttentionConfig &config;
  RowPacking packing;
  OpBuilder builder;
  IndexBuilder at;
  Ring ring{AttentionConfig::kStages};
  /// What the numbers that softmax works on are multiplied with.
  double scale = 1;
  /// The payload of scores.
  OwningOpRef<func::FuncOp> payload;
  Kernel payloadKernel;
  Attention payloadAttention;
  std::optional<Evaluator> payloadEvaluator, resultEvaluator;
  /// Scores of a row that are evaluated at once.
  int64_t width = 1;

  SmallVector<Value> arguments, resultMaps;
  Value mapQ, mapK, mapV, shared;
  SmallVector<IndexValue> sizes; // of the loops of the product
  WordValue queries = 0, keys = 0, thread = 0, warp = 0, warpgroup = 0,
            lane = 0;
  Value isFirstLane;
  /// The place of the block in the outer loops, and its first row, as
  /// RowPacking.h counts them; the first row of the warpgroup, its number, and
  /// the block's first key tile and the one behind the last.
  SmallVector<WordValue> outer;
  WordValue blockRow = 0, groupRow = 0, consumer = 0, firstTile = 0,
            endTile = 0;
  /// With bounds in memory: which tiles are whole for the rows of the
  /// warpgroup.
  WordValue wholeFirst = 0, wholeEnd = 0;

  // The state of the softmax and of the results.
  ArrayRef<Value> current;
  int64_t currentGroup = 0, currentHalf = 0, currentElement = 0;
  SmallVector<Value> finalMaximum, finalSum, reciprocal;
};

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONKERNEL_H
