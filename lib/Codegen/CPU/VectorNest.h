//===- VectorNest.h - the loops of one op around 1-D vectors ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_VECTORNEST_H
#define AMP_LIB_CODEGEN_CPU_VECTORNEST_H

#include "Emit.h"
#include "Epilogue.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::amp::cpu {

/// How an operand moves when the vector loop advances by one: not at all, by
/// one element, by a few (read whole, then picked), by the few that the short
/// loop walks (read whole, then dealt out to its iterations), along a row of
/// the operand that the unrolled loop walks (a square is transposed in
/// registers), or in any other way (one element at a time).
enum class Stride { None, One, Few, Interleaved, Transposed, Other };

/// The largest stride that counts as a few.
inline constexpr int64_t kFew = 4;

/// Pixels of a line of an image of unknown size.
inline constexpr int64_t kUsualPixels = 112;

/// The longest short loop: more vectors are transposed with fewer shuffles as a
/// square.
inline constexpr int64_t kMostInterleaved = 8;

/// One copy of the tile: how many lanes, whether the last of them may be out
/// of bounds, and how many unrolled rows.
struct Tile {
  int64_t lanes = 1;
  bool masked = false;
  int64_t rows = 1;
};

/// Rows of a reduction that are left behind whole tiles are computed so many at
/// a time, and then alone.
inline constexpr int64_t kFewRows = 4;

/// Outputs of a reduction that together are those of one of its elements
/// (argmax with its value): each is a select, by the same condition, between
/// what the element gives and the accumulator.
struct Choice {
  /// Compares `element` with the accumulator of the output `key`, and nothing
  /// else.
  Value condition;
  Value element;
  unsigned key = 0;
  /// Whether the element is taken where the condition is true.
  bool takesIfTrue = true;
  /// The outputs, and those of them that depend on the element's place alone.
  SmallVector<unsigned> outputs, derived;
  /// The ops that make the condition of the two, in order.
  SmallVector<Operation *> comparison;
};

/// Finds the choices among the outputs of `op`, which has one reduction loop.
/// Their conditions depend only on which of two values is greater, or NaN, and
/// are orders: none takes NaN and then another element for it.
SmallVector<Choice> matchChoices(linalg::LinalgOp op);

/// Deals out the elements of `parts`, vectors of as many lanes each that lie
/// one behind the other: lane l of the i-th result is element l * n + i, n the
/// number of parts.
SmallVector<Value> deinterleave(OpBuilder &b, Location loc,
                                ArrayRef<Value> parts);

/// Lane l of the result is element l * n of `parts`, n vectors of as many
/// lanes, of which each begins behind the one before, but for the last, which
/// ends with the last such element. Two vectors of two lanes may be further
/// apart: the result is the first and the last element.
Value pickEach(OpBuilder &b, Location loc, ArrayRef<Value> parts);

/// The reverse of `deinterleave`: element l * n + i of the results, which lie
/// one behind the other, is lane l of the i-th of the `n` vectors `parts`.
SmallVector<Value> weave(OpBuilder &b, Location loc, ArrayRef<Value> parts);

/// Whether rows of `count` elements of `bits` bits are written as whole vectors
/// that several rows make, rather than row by row.
inline bool areWoven(int64_t count, int64_t bits) {
  return count >= 2 && count <= kMostInterleaved && count * bits % 256 != 0;
}

/// What the lanes of a choice carry for the place of their element before there
/// is one; `element` is the type that is compared.
Value startNumbers(OpBuilder &b, Location loc, Type element, int64_t lanes);

/// Plans and emits the loop nest of one linalg op on tensors.
class VectorNest {
public:
  VectorNest(OpBuilder &b, linalg::LinalgOp op, const CPUTarget &target)
      : b(b), op(op), target(target), loc(op.getLoc()),
        numLoops(op.getNumLoops()), sizes(op.getStaticLoopRanges()),
        kinds(op.getIteratorTypesArray()) {}

  /// Chooses the loops; creates nothing.
  LogicalResult plan(std::string &reason);

  /// What the planned nest reads or writes one lane at a time; empty where
  /// nothing.
  std::string describeScalarAccess();

  /// Lets the planned nest compute the elementwise ops that follow, where its
  /// sums are in registers; creates nothing.
  void planEpilogue();

  /// The ops that the nest computes, in their order.
  SmallVector<Operation *> getLowered() const;

  /// The results of these that others read.
  SmallVector<Value> getReplaced() const;

  /// Emits the nest, in front of the builder's insertion point, which the last
  /// of its ops must be; returns a value for each of getReplaced.
  SmallVector<Value> emit();

private:
  bool checkPayload(std::string &reason);
  Stride classify(OpOperand &operand, unsigned dim);
  double score(unsigned dim);
  bool isReductionDim(unsigned dim) {
    return kinds[dim] == utils::IteratorType::reduction;
  }
  Stride stride(OpOperand &operand) {
    if (vecDim >= 0 && shortDim >= 0 &&
        (repeats || (weaves && op.isDpsInit(&operand))
             ? hasShortRows(operand, vecDim, shortDim)
             : isInterleaved(operand, vecDim, shortDim)))
      return Stride::Interleaved;
    Stride kind = vecDim < 0 ? Stride::None : classify(operand, vecDim);
    if (op.isDpsInit(&operand) && kind == Stride::Few)
      return Stride::Other;
    if (kind == Stride::Other && transposes && isRow(operand))
      return Stride::Transposed;
    return kind;
  }
  /// Whether `operand`, of which `dim` moves an index, has others behind that:
  /// where it is read along `dim`, these are one with it.
  bool isFlattened(OpOperand &operand, unsigned dim) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return map.isFunctionOfDim(dim) &&
           !map.getResults().back().isFunctionOfDim(dim);
  }
  /// Whether `operand` is read along the unrolled loop.
  bool isRow(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return !op.isDpsInit(&operand) && rowDim >= 0 &&
           map.isProjectedPermutation() && map.getNumResults() > 0 &&
           map.getResults().back() == getAffineDimExpr(rowDim, op.getContext());
  }
  int64_t strideOf(OpOperand &operand, unsigned dim);
  bool hasShortRows(OpOperand &operand, unsigned dim, unsigned inner);
  bool isInterleaved(OpOperand &operand, unsigned dim, unsigned inner);
  bool repeatsAlong(unsigned dim, unsigned inner);
  bool weavesAlong(unsigned dim, unsigned inner);
  void planInterleaved();
  bool planReduction();
  bool planTranspose(int64_t native, unsigned cost);
  void planSizes();

  SmallVector<int> loopOrder();
  unsigned getPlace(int dim);
  void planBlocks(int64_t sharedBytes);
  SmallVector<Value> emitBlock(ArrayRef<int> order, Tile tile, bool full,
                               ValueRange carried);
  Value inBlock(Value iv);
  void planThreads(ArrayRef<int> order);
  SmallVector<Value> parallelLoops(ArrayRef<int> order, Tile tile,
                                   ValueRange carried);
  SmallVector<Value> emitParallelTile(Tile tile, ValueRange carried);
  SmallVector<Value> prepareEpilogue(Value own);
  SmallVector<Value> finishTile(Tile tile, ArrayRef<Value> sums,
                                ValueRange carried);
  SmallVector<Value> emitReductionTile(int64_t rows, ValueRange carried);
  /// An image whose pixels are rows of the vector loop, those of neighbouring
  /// rows of a tile `step` columns apart; the loop over a window's columns.
  struct Window {
    OpOperand *image = nullptr;
    int across = -1;
    int64_t step = 0;
  };
  std::optional<Window> findWindow();
  int findLoop(AffineExpr expr, bool isReduction);
  /// Whether what rows of a tile share of a window stays in registers.
  bool keepsColumns();
  OpOperand *findImageOfLines();
  int findSharedLines();
  void planLines(unsigned cost, int64_t &rowSize, int64_t &mostRegisters,
                 int64_t &mostRows);
  /// Decides whether tiles ask for the rows of an image that others read next.
  void planPrefetch();
  void prefetchRowBelow(Tile tile);
  SmallVector<Value>
  reductionLoops(unsigned dim, ValueRange accs,
                 llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  SmallVector<Value> payload(Tile tile, ValueRange accs,
                             SmallVectorImpl<Value> *conditions = nullptr);
  SmallVector<Value> reductionStep(Tile tile, ValueRange carried);
  void mergeHalves(const Choice &choice, SmallVectorImpl<Value> &state,
                   unsigned key);
  void finishChoice(const Choice &choice, int64_t row, ArrayRef<Value> starts,
                    ArrayRef<Value> lanewise, Value numbers,
                    SmallVectorImpl<Value> &results);
  Value valueAt(Value value, int64_t row, Value place);
  bool isUniform(Value value);
  std::optional<int64_t> laneStep(Value value);
  int64_t direction(tensor::ExtractOp extract);
  Value firstLane(Value value, int64_t row,
                  const DenseMap<Value, Value> &values);
  Value divideByReciprocal(Operation *op, ArrayRef<Value> operands);
  Value addProduct(Operation *nested, const DenseMap<Value, Value> &values);
  bool takesAnyOrder();

  SmallVector<OpFoldResult> dimValues(int64_t row, int64_t lane) const;
  SmallVector<Value> indices(OpOperand &operand, int64_t row, int64_t lane = 0);
  Value flatten(OpOperand &operand, Value value);
  Value unflatten(OpOperand &operand, Value value, Value like);
  SmallVector<ReassociationIndices> flattenedGroups(OpOperand &operand);
  SmallVector<Value> readSquare(OpOperand &operand);
  SmallVector<Value> readInterleaved(OpOperand &operand, Tile tile);
  Value readRepeated(OpOperand &operand, Tile tile, int64_t row);
  Value read(OpOperand &operand, Value source, Tile tile, int64_t row);
  Value gather(Value source, ArrayRef<Value> at, int64_t width);
  Value write(OpOperand &init, Value dest, Value value, Tile tile, int64_t row);

  /// Loops over [0, size of dim) by `step` with `body(step, full)`, then over
  /// the rest by each of `tailSteps`, of which the last may not be full; the
  /// first of these loops starts from what `forTails` makes of what is carried.
  SmallVector<Value> splitLoop(
      unsigned dim, int64_t step, ArrayRef<int64_t> tailSteps,
      ValueRange carried,
      llvm::function_ref<SmallVector<Value>(int64_t, bool, ValueRange)> body,
      int64_t grain = 0, Value count = {},
      llvm::function_ref<SmallVector<Value>(ValueRange)> forTails = nullptr);

  OpBuilder &b;
  linalg::LinalgOp op;
  const CPUTarget &target;
  Location loc;
  unsigned numLoops;
  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> kinds;

  int vecDim = -1, rowDim = -1;
  /// The loop over what lies between the elements of operands that are
  /// `Stride::Interleaved`: all of it is unrolled, as rows or, of a reduction,
  /// step by step, of which this is the one that is emitted.
  int shortDim = -1;
  int64_t shortStep = 0;
  /// All results are such operands, and nothing is dealt out: a row of the tile
  /// is one of the vectors that lie one behind the other, and what only one of
  /// the two loops moves is repeated in it.
  bool repeats = false;
  /// All results are such operands, put together from the rows of the tile.
  bool weaves = false;
  /// How many elements of a loop that threads divide are worth one, where all
  /// sizes are known, or else the loops `unknown` in it have one iteration.
  struct Share {
    int64_t elements = 0;
    SmallVector<unsigned, 2> unknown;
  };
  llvm::SmallDenseMap<int, Share, 2> shares;
  bool vecIsReduction = false, strided = false, transposes = false;
  /// Lanes past the end must not run: they would read what is not there, or
  /// divide by a zero of the padding.
  bool exactTail = false;
  /// The body reads tensors at indices that it computes.
  bool gathers = false;
  /// Lanes of a step of the vector loop, and of one past its whole steps: of
  /// rows of unknown length, which may be short, one register.
  int64_t lanes = 1, tailLanes = 1;
  /// Lanes of the loops past the whole steps: whole registers, which masked
  /// ones take longer than, and what is left of one.
  SmallVector<int64_t> getTailSteps() const {
    return SmallVector<int64_t>(tailLanes < lanes ? 2 : 1, tailLanes);
  }
  int64_t rows = 1;
  /// Iterations of a loop of an order that are one of its loop's in the nest.
  int64_t getStep(int dim) const {
    return dim == vecDim    ? lanes
           : dim == rowDim  ? rows
           : dim == kBlocks ? blockSize
                            : 1;
  }
  std::optional<ContractionBody> contraction;
  /// Per output, where the vector loop is a reduction; null for those of
  /// `choices`.
  SmallVector<Operation *> combiners;
  SmallVector<Choice> choices;
  /// What is computed after the loop, from the place of the chosen element: ops
  /// of the payload, and outputs.
  DenseSet<Operation *> deferredOps;
  DenseSet<unsigned> deferredOutputs;

  /// Operands whose last dimensions are one, by their numbers, and how many
  /// these were.
  DenseMap<unsigned, std::pair<Value, int64_t>> flattened;

  /// The last `lines` rows of pixels of an image that the tile below reads:
  /// those of the next iteration of the loop `next` and the last ones of
  /// `down`.
  struct RowBelow {
    Window window;
    Value buffer;
    int next = -1, down = -1;
    int64_t lines = 1;
  };
  std::optional<RowBelow> below;
  /// The loop over the columns of a window, where it is unrolled for what the
  /// rows of a tile share.
  int acrossDim = -1;

  /// What stands in an order of loops for that over blocks of the vector loop.
  static constexpr int kBlocks = -1;
  /// The elements of such a block, 0 where there are none, and the first one of
  /// that which is emitted.
  int64_t blockSize = 0;
  Value blockStart;

  SmallVector<OpFoldResult> bounds;
  SmallVector<Value> ivs;
  /// What follows the sums, and which of its results these are themselves, if
  /// one is.
  std::optional<Epilogue> epilogue;
  std::optional<unsigned> placeOfSums;
  /// The scalar that each init is filled with, or null.
  SmallVector<Value> initScalars;
};

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_VECTORNEST_H
