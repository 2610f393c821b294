//===- PackedNest.h - the loops of a packed contraction ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_PACKEDNEST_H
#define AMP_LIB_CODEGEN_CPU_PACKEDNEST_H

#include "ContractionPlan.h"
#include "Epilogue.h"
#include "GroupDot.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::amp::cpu {

/// The parts of the number of a row, of which the last one moves fastest; none
/// where it is one loop's. See RowParts.cpp.
struct RowParts {
  /// Where `aMap` has them: loops over rows, or dimensions behind all loops.
  SmallVector<unsigned> dims;
  /// Of all but the first one.
  SmallVector<OpFoldResult> sizes;
  /// Of one loop over rows, each of its parts.
  SmallVector<AffineExpr> exprs;
  AffineMap aMap;
};

/// A vector of `type`, rows of `source` from `indices` on, all of them there.
Value readRows(OpBuilder &b, Location loc, VectorType type, Value source,
               ValueRange indices);

/// Emits the loops of one contraction and of what follows it. See
/// PackedMatmul.cpp for their order.
class PackedNest {
public:
  /// `rest` gets the ops on tensors that are left to be lowered.
  PackedNest(OpBuilder &b, linalg::LinalgOp op, Roles roles, Epilogue epilogue,
             const CPUTarget &target, SmallVectorImpl<linalg::LinalgOp> &rest);

  /// Emits all of it; returns a tensor for each result of the epilogue.
  SmallVector<Value> emit();

private:
  using Tensors = SmallVector<Value>;

  /// A loop whose body is built through the member builder.
  Tensors loop(OpFoldResult lo, OpFoldResult hi, OpFoldResult step,
               ValueRange init,
               llvm::function_ref<Tensors(Value, ValueRange)> body,
               int64_t grain = 0);
  Tensors loop(OpFoldResult lo, OpFoldResult hi, int64_t step, ValueRange init,
               llvm::function_ref<Tensors(Value, ValueRange)> body,
               int64_t grain = 0);
  /// A parallel loop over parts of `size` of `step` each, whose neighbours one
  /// thread may have as one; `body` gets where such a part starts and ends.
  Tensors
  joinedLoop(OpFoldResult size, OpFoldResult step, ValueRange init,
             int64_t grain,
             llvm::function_ref<Tensors(Value, Value, ValueRange)> body);
  Value loop1(OpFoldResult lo, OpFoldResult hi, int64_t step, Value init,
              llvm::function_ref<Value(Value, Value)> body, int64_t grain = 0);
  /// The values of `then` where `condition` holds, else those of `otherwise`;
  /// without any choice where `condition` is null: it holds.
  Tensors choose(Value condition, TypeRange types,
                 llvm::function_ref<Tensors()> then,
                 llvm::function_ref<Tensors()> otherwise);

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  Value value(OpFoldResult v) {
    return getValueOrCreateConstantIndexOp(b, loc, v);
  }
  /// min(limit, size - start), for a loop of step `limit` over `size`.
  OpFoldResult blockSize(OpFoldResult size, Value start, OpFoldResult limit);
  OpFoldResult blockSize(OpFoldResult size, Value start, int64_t limit) {
    return blockSize(size, start, b.getIndexAttr(limit));
  }
  /// The step of the loop over blocks of `size` rows or columns, `most` or what
  /// threads divide it into: a multiple of `unit`, of which `most` is one.
  OpFoldResult blockStep(OpFoldResult size, int64_t most, int64_t unit,
                         bool isDivided);
  /// The same of the parts of `rows` rows that threads may have as one.
  OpFoldResult joinedStep(OpFoldResult rows);
  Value isWorthThreads();
  OpFoldResult narrowBlock(OpFoldResult most);
  /// min(index, size - 1).
  Value clamp(OpFoldResult size, OpFoldResult index, int64_t multiple);
  static bool divides(OpFoldResult size, int64_t by) {
    std::optional<int64_t> known = constant(size);
    return known && *known % by == 0;
  }

  /// The index of every loop: of row number `row`, column `n` and step `k`
  /// where those are not null, of the loops around otherwise.
  SmallVector<OpFoldResult> dims(Value row, Value n, Value k);
  /// The indices of `loops`, walked as one, at `index`.
  SmallVector<OpFoldResult> splitIndex(OpFoldResult index,
                                       ArrayRef<unsigned> loops);
  OpFoldResult multiply(OpFoldResult x, OpFoldResult y);
  Value readRow(Value source, AffineMap map, ArrayRef<OpFoldResult> at,
                int64_t lanes, bool inBounds, Value mask = {});
  /// Asks for what `readRow` will read of B at column `n` and step `k`, where
  /// that, element number `at` of a tile's row, begins a line of a cache.
  void prefetchRowOfB(Value n, Value k, int64_t at);
  /// What `readRow` does of A, which may be the inside of a padded tensor.
  Value readRowOfA(ArrayRef<OpFoldResult> at, int64_t lanes, bool inBounds);
  /// Whether the row of A at `at` is no padding; null where it never is.
  Value isInsideA(ArrayRef<OpFoldResult> at);
  Value convertA(Value vector, int64_t lanes);
  Value convertB(Value vector, int64_t lanes);
  /// Step `k`, below a multiple of `multiple` that is not below all of them,
  /// and the next ones of a group, converted and interleaved; a step past the
  /// end is zero.
  Value readRowGroup(OpOperand *source, AffineMap map, Value row, Value n,
                     Value k, int64_t lanes, bool inBounds, int64_t multiple);

  struct Part;
  struct Place;
  struct Run;
  /// A loop over `count` segments of k from number `first`, with the number of
  /// each within these; the loops that it stands for have their indices in it.
  Tensors segmentLoop(Value first, OpFoldResult count, ValueRange init,
                      llvm::function_ref<Tensors(Value, ValueRange)> body);
  Value segmentLoop(Value first, OpFoldResult count, Value init,
                    llvm::function_ref<Value(Value, Value)> body);
  /// Where step `k` of segment number `segment` is in a packed operand, in
  /// groups of steps.
  Value packedStep(Value segment, Value k);
  OpFoldResult packedEnd();
  /// Packs `mc` rows of A from `ic` into a buffer of `room` steps of k.
  Value packA(Value ic, OpFoldResult mc, const Part &part, int64_t room);
  Value spreadElementOfA(const Place &at, int64_t row, Value k);
  RowParts matchRowParts();
  SmallVector<Value> splitRow(Value row);
  /// The parts of the row that is `by` rows behind that of `parts`: not more
  /// than the last part's size.
  SmallVector<Value> countRows(ValueRange parts, Value by);
  /// `point`, of which `mapOfA` makes a place in A, at these parts of a row.
  SmallVector<OpFoldResult> setParts(SmallVector<OpFoldResult> point,
                                     ValueRange parts);
  AffineMap mapOfA(ArrayRef<OpFoldResult> point) const {
    return point.size() > r.aMap.getNumDims() ? rowParts.aMap : r.aMap;
  }
  /// Sets `rowsOfTile` for a tile that reads A where it is.
  void splitRowsOfTile(const Place &at);
  /// A loop over the rows of a panel of A from number `first` on; `body` gets
  /// the row within the panel and its number, of those past the end the last.
  Value rowsOfPanel(Value first, Value init,
                    llvm::function_ref<Value(Value, Value, Value)> body);
  Value packRowsOfA(Value ic, OpFoldResult panels, const Part &part,
                    int64_t room);
  Value packTilesOfA(Value ic, OpFoldResult panels, const Part &part,
                     int64_t room);
  /// The same in tiles whose columns are rows of A: [panel][tile][group of
  /// k][row].
  Value packTurnedA(Value ic, OpFoldResult panels, const Part &part,
                    int64_t room);
  Value packAllOfA();
  /// `packed`, of whose loop a function is to be made where its constants,
  /// masks and shuffles would have registers that sums of tiles need: LLVM
  /// prefers what is used in deeper loops.
  Value separate(Value packed);
  Value packB(Value jc, OpFoldResult nc);
  Value packPanels(Value buffer, Value jc, OpFoldResult nc, int64_t grain);
  /// Packs B ahead of calls, if it can be.
  void packAhead();
  Attribute packConstant();
  Value packWeight();
  /// The block of `nc` columns from `jc` of what `packAhead` has made; else
  /// null.
  Value usePackedB(Value jc, OpFoldResult nc);
  Value slicePanels(Value panels, Value jc, OpFoldResult nc);
  Value packPanels(Value buffer, Value number, Value jc, Value first,
                   OpFoldResult count);
  Value packPanel(Value buffer, Value number, Value jc, Value j, Value from,
                  OpFoldResult count);
  Value padPanel(Value panel, Value number, Value j);
  Value packWindows(Value panel, Value steps, Value jc, Value j);
  Value packRuns(Value panel, Value steps, Value jc, Value j, Value fromK,
                 OpFoldResult toK);
  Value packRun(Value panel, Value steps, Value j, Value from, OpFoldResult to,
                const Run &run);
  Value readStep(Value steps, Value k, const Run &run);
  Value makeWindowSteps();
  Value packTransposedPanel(Value panel, Value number, Value jc, Value j);
  Value packSums(Value bPacked, OpFoldResult nc);
  Value sumRowsOfA();
  Value sumPanels(Value buffer, Value bPacked, OpFoldResult nc);
  Value readB(Value bPacked, Value j, Value k, int64_t v);
  Value readSumOfRow(Value sums, OpFoldResult row);

  /// Where a register tile is.
  struct Place {
    Value ic, jc, i = {}, j = {};
    /// Which panel of packed B that of number `j` is.
    Value panel = {};
    /// Where a panel is packed meanwhile, its number, and which one of packed B
    /// it is to be.
    Value next = {}, nextPanel = {};
  };
  /// Which part of k a block takes: of `segments` segments from number
  /// `segment` the steps from `pc`, `kc` of each. Null conditions hold, but for
  /// `isLast` of a part that has one behind it.
  struct Part {
    Value segment, pc;
    OpFoldResult segments, kc;
    Value isFirst, isLast;
    bool hasNext = false;
  };
  /// As many vectors as a group has steps: group number `group` of k of the
  /// columns from `n`, from B where it is, interleaved in parts of 128 bits.
  /// One that is not whole ends in zeros.
  Tensors readGroups(Value n, Value group, bool isWhole);
  /// The same of the whole group of rows number `ks`.
  Tensors readGroups(Value n, ArrayRef<Value> ks);
  /// Neighbours of windows: `count` columns, not more than a vector has lanes,
  /// from column `first` on, which is number `inPanel` of a panel and begins at
  /// `start` in the image. A null count is a vector's.
  struct Run {
    Value first, inPanel, count, start;
  };
  /// Packs a strip, `count` panels of B from number `first`, of the steps of
  /// `part`: into groups within each 128 bits.
  Value packStrip(Value strip, const Part &part, Value jc, Value first,
                  OpFoldResult count);
  /// Packs group number `group` of `part`, of the columns of a tile from `n`
  /// on, into panel number `panel`.
  Value packGroup(Value strip, const Part &part, Value panel, Value n,
                  Value group, bool isWhole);
  /// A loop over the first `count` panels of B, all columns of which are there:
  /// `body` emits their `tiles` tiles, which pack the next panel. The last of
  /// the tensors is the strip.
  Tensors packBetween(OpFoldResult count, OpFoldResult tiles, Value jc,
                      const Part &part, ValueRange init,
                      llvm::function_ref<Tensors(Place, ValueRange)> body);
  /// The products of a panel, with the sums and the strip behind them, and
  /// meanwhile this tile's share of the next panel; `add` adds those of a
  /// group, `alone` those of all, where there is no share.
  Tensors addAndPack(const Place &at, const Part &part, ValueRange accs,
                     Value strip,
                     llvm::function_ref<Tensors(Value, ValueRange)> add,
                     llvm::function_ref<Tensors()> alone);
  /// Packs group number `round` of those of the next panel that are left to the
  /// tile at `at`.
  Value packShare(Value strip, const Place &at, const Part &part,
                  OpFoldResult round);
  Value packGroupOfNext(Value strip, const Place &at, const Part &part,
                        Value group);
  /// How many panels behind the one that is packed are asked for meanwhile: a
  /// line may belong to both that and the next one.
  static constexpr int64_t kPanelsAhead = 2;
  /// Asks for rows of B in the next strip, as many as are multiplied meanwhile.
  void prefetchStrip(const Place &at, const Part &part, Value group);
  Tensors others(unsigned at, ValueRange tensors);
  Tensors columnBlocks(ValueRange tensors);
  Tensors rowBlock(Value ic, OpFoldResult mc, Value jc, OpFoldResult nc,
                   Value aPacked, Value bPacked, Value sums,
                   ValueRange tensors);
  Tensors registerTile(const Place &at, const Part &part, Value a, Value b,
                       Value sums, ValueRange tensors);
  SmallVector<Value> startTile(const Place &at, const Part &part, Value sums,
                               Tensors &tensors);
  /// `vectors` of a tile's row of sums in the order of their columns, from that
  /// in which they are summed; or the other way round.
  Tensors sortColumns(ValueRange vectors);
  Tensors shuffleColumns(ValueRange vectors);
  SmallVector<Value> accumulate(const Place &at, const Part &part, Value a,
                                Value b, ValueRange accs);
  /// The products of `count` groups of steps, those of B from `inB` on, and of
  /// A from `inA` of its packed block `a`, or where that is null of its rows.
  Tensors addProducts(const Place &at, const Part &part, Value a, Value inA,
                      Value b, Value inB, OpFoldResult count, ValueRange accs);
  /// Those of one group, number `k`.
  Tensors addStep(const Place &at, const Part &part, Value a, Value inA,
                  Value b, Value inB, Value k, bool isWhole, ValueRange accs);
  /// Asks for the rows of B, at the columns of a tile, that the next part
  /// reads.
  void prefetchNextRows(const Place &at, const Part &part);
  Tensors startRow(const Place &at, Value m, Value sums, ValueRange tensors);
  Value fillTile(const Place &at, const Part &part, Value sums,
                 ValueRange tensors);
  /// The block of partial sums, with the products of this part added to those
  /// at `at` along rows of A and B.
  Value addDots(const Place &at, const Part &part, Value a, Value sums);
  /// A copy, in `copy`, of what tiles have of B at step `k` of the columns from
  /// `first` on: the last one stands for those past the end, and zeros for
  /// steps.
  Value copyColumns(Value copy, Value first, Value k);
  /// The tiles of this part's products, transposed, one below the other in
  /// `buffer`: those of the first 16 columns of B first.
  Value dotTiles(const Place &at, const Part &part, Value a, Value buffer);
  /// The block of partial sums with those added.
  Value addTileDots(const Place &at, const Part &part, Value a,
                    ValueRange tensors);
  /// `width` elements of B at step `k` of column `n`, in accumulators' lanes: a
  /// vector, or one of the even and one of the odd ones.
  SmallVector<Value> readRowOfB(Value n, Value k, int64_t width, bool inBounds);
  /// The block of partial sums, with the products of this part added to those
  /// at `at` in tile registers.
  Value sumTiles(const Place &at, const Part &part, Value a, Value b,
                 ValueRange tensors);
  /// Whether they need not be filled: tiles of zeros are registers.
  bool startsAtZero() const;
  Value multiplyTiles(const Place &at, const Part &part, Value a, Value b,
                      Value tile, bool fromZero);
  /// The same of `across` columns of tiles from number `first` on.
  Value multiplyTiles(const Place &at, const Part &part, Value a, Value b,
                      Value tile, bool fromZero, int64_t first, int64_t across,
                      bool areResults = false);
  /// The tile of A, where it is, from row `row` of a block of tiles and step
  /// `k` of `part` on.
  Value readTileOfA(const Place &at, const Part &part, VectorType type,
                    int64_t row, Value k);
  /// How many rows of the tiles at `at` are others': those that read A where it
  /// is end with the last row. Null where there never are any.
  Value getRowsAbove(const Place &at);
  /// Whether A is known to have tiles for `blocks`, from lines of the caches
  /// on.
  bool hasTilesOfA(const Blocking &blocks) const;
  /// Whether it turns out to, where that is not known, and has a size for
  /// `way`.
  Value hasTilesOfANow(const FewRows &way);
  /// Nothing where sums of tiles are never results as they are; else what has
  /// to hold for them to be stored as such, null where it does.
  std::optional<Value> areTilesResults(const Place &at);
  SmallVector<Value> resultIndices(const Place &at, int64_t row, int64_t v);
  Tensors finishRow(const Place &at, Value m, ValueRange sums, ValueRange init,
                    bool inBounds);
  Tensors finishRows(const Place &at, Value tile, ValueRange tensors,
                     bool inBounds);
  Tensors finishTile(const Place &at, const Part &part, Tensors tensors);
  Value columnsAreWholeNow(const Place &at);
  Value isWholeNow(const Place &at, Value condition);
  void eachRow(const Place &at, llvm::function_ref<void(Value)> body);
  Tensors finishRegisters(const Place &at, ValueRange accs, ValueRange tensors);
  /// A loop over the rows of a tile that are no padding; `body` gets the row
  /// within the tile and its number.
  Tensors tileRows(const Place &at, ValueRange tensors,
                   llvm::function_ref<Tensors(Value, Value, Tensors)> body);
  SmallVector<Value> tileIndices(const Place &at, Value row, int64_t v);
  Value readTile(Value tile, const Place &at, Value row, int64_t v);
  Value writeTile(Value tile, const Place &at, Value row, int64_t v, Value x);
  Value column(const Place &at, int64_t v);
  Value readSum(Value sums, Value j, int64_t v);

  void setProduct(const std::optional<GroupDot> &product);
  void setBlocks(const Blocking &blocks);
  void setDepth();
  /// What `emit` makes of products with few enough rows for one of `ways`, with
  /// its blocks; of all others with those that there are.
  Tensors chooseWay(ArrayRef<FewRows> ways, TypeRange types,
                    llvm::function_ref<Tensors(PackedNest &)> emit);
  /// Adds those of tiles that read A where it is, before ways that pack it; or
  /// sets their blocks where it is known that they can.
  void addTilesOfA(SmallVectorImpl<FewRows> &ways);
  Tensors emitForRows(ArrayRef<FewRows> ways, ValueRange results);
  /// The same by the transposed product, of up to `mostColumns` columns.
  Tensors multiplyTurned(ValueRange results);
  Tensors emitBlocks(ValueRange results);
  /// How many register tiles share what is asked for of the columns of a B that
  /// is read where it is. Where the rows are not known there are two or more,
  /// as what fits one goes another way; in strips with masks each asks for
  /// all, which is faster (bf16 on Zen 5).
  int64_t getTilesOfRows() const {
    int64_t tiles = blk.mc / blk.mr;
    return constant(rowCount) ? tiles
           : blk.stripPanels && target.hasMaskedMemory
               ? 1
               : std::min<int64_t>(tiles, 2);
  }
  /// How many register tiles share the packing of the next panel: the first
  /// ones, where there may be more. There may be fewer where the number of rows
  /// is not known.
  int64_t getPackingTiles() const {
    constexpr int64_t kMost = 4;
    return constant(rowCount) ? std::min(blk.mc / blk.mr, kMost) : 2;
  }
  /// How many groups of it each of them packs.
  int64_t getShare() const {
    return llvm::divideCeil(blk.kc / step, getPackingTiles());
  }
  /// Whether blocks have a few rows of B, which are read where they are.
  bool readsRowsOfB() const {
    return !blk.packsB && !blk.dotColumns && !blk.stripPanels && !isOneBlock;
  }
  /// Whether those are read once.
  bool isStreamed() const { return readsRowsOfB() && blk.mc == blk.mr; }
  /// Whether the products of such a block are unrolled: processors ask for rows
  /// by themselves where each is read by an instruction of its own.
  bool unrollsBlocks() const { return !prefetched && blk.mr <= 2; }
  /// The numbers of the rows of B in group number `group` of a block.
  SmallVector<Value> rowsOfBlock(const Part &part, int64_t group);
  /// How many vectors the rows of tiles may have, from `blk.nv` down: fewer in
  /// the last panel of columns, which may have few of them.
  SmallVector<int64_t> getWidths() const;
  /// Whether no column of a register tile is past the end.
  bool columnsAreWhole() const {
    return isInside || divides(bounds[r.n], blk.nr());
  }
  int64_t getBatchGrain(unsigned dim) const;
  /// Iterations of a loop over panels of packed B that are worth a thread; 0
  /// where a loop outside is divided already.
  int64_t getPackGrain() const;
  int64_t getSpareSteps() const;
  SmallVector<Value> prepareResults();

  OpBuilder &b;
  SmallVectorImpl<linalg::LinalgOp> &rest;
  linalg::LinalgOp op;
  Roles r;
  Epilogue epilogue;
  const CPUTarget &target;
  Location loc;
  std::optional<GroupDot> dot;
  bool isTile = false;
  /// What A pads with zeros, if anything.
  tensor::PadOp padding;
  /// Elements of k in a group, and those that one step of the innermost loop
  /// takes: of tiles 16 groups, else one.
  int64_t step = 1, unit = 1;
  Blocking blk;
  Type acc, packed;
  VectorType vec;
  /// Of the loops around.
  SmallVector<Value> ivs;
  SmallVector<OpFoldResult> bounds;
  /// Rows in all, segments of k, and steps of each with padding.
  OpFoldResult rowCount, segmentCount, depth;
  /// What C starts from: a scalar, or rows of a tensor.
  Value initScalar, initTensor;
  AffineMap initMap;
  /// The result that `initTensor` is updated to, in place.
  std::optional<unsigned> inPlace;
  /// Panels of a B that is packed ahead of calls, and what the bias of A adds
  /// to each column of it, negated; else null. Constants are made where they
  /// are used.
  OpFoldResult ahead, aheadSums;
  /// The sums of the columns of a block.
  Value constantSums;
  /// B where it is, if its rows are to be prefetched; else null.
  Value prefetched;
  /// Of rows of B of unknown length that are read in an unrolled block: the
  /// third, the sixth and so on, where LLVM does not see what these numbers
  /// are. Else it finds each row's address by the one before it, and the
  /// additions take the place of loads from memory (1 row of bf16 takes 1.1
  /// times as long on Zen 5). Of three rows, each has an address that an
  /// instruction can add.
  SmallVector<Value> rowOffsets;
  static constexpr int64_t kRowsOfOffset = 3;
  /// One block takes all of k.
  bool isOneBlock = false;
  /// Of tiles, whether it turns out to do so where k is not known; else null.
  Value isOneBlockNow;
  /// Whether there is one row at least, and one register tile has all of them.
  bool isOneTile = false;
  /// Not 0 where the transposed product is computed instead.
  int64_t mostColumns = 0;
  /// All columns of the tile that is being emitted are there.
  bool isInside = false;
  /// The vectors of its rows: `blk.nv`, or fewer where the other columns are
  /// past the end.
  int64_t rowVectors = 0;
  /// Its rows: `blk.mr`, or half as many where the others are past the end.
  int64_t tileHeight = 0;
  RowParts rowParts;
  /// The row whose parts are known, and these.
  std::pair<Value, SmallVector<Value>> knownRow;
  /// The parts of each row of the tile that is being emitted; empty where
  /// nothing is to be gained.
  SmallVector<SmallVector<Value>> rowsOfTile;
};

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_PACKEDNEST_H
