//===- Evaluator.h - the elements of a kernel's tensors ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_EVALUATOR_H
#define AMP_CODEGEN_GPU_EVALUATOR_H

#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>
#include <map>

namespace mlir::amp::gpu {

/// Emits device code for the elements of the tensors of a kernel function: the
/// body of the kernel is read backwards from the element that is asked for,
/// down to loads of the launch's operands. Nothing of tensor size is stored.
///
/// What was emitted is used again wherever it dominates the insertion point,
/// for as long as the evaluator lives: nobody may erase it meanwhile.
class Evaluator {
public:
  /// Reads elements of a bound tensor: see `bind`.
  using Reader = std::function<Value(OpBuilder &, Location, ValueRange indices,
                                     int64_t width)>;

  /// `deviceArguments` are the values on the device of the kernel's arguments.
  Evaluator(const Kernel &kernel, ValueRange deviceArguments);

  /// Whether every op of the body is one that `emit` knows, in a form that it
  /// can invert; else `reason` says which is not, as a phrase that can follow
  /// "because". Reductions are known: they become sequential loops.
  static LogicalResult check(const Kernel &kernel, std::string &reason);
  /// Whether every element type of the body can be one of a vector's.
  static bool hasVectorForm(const Kernel &kernel);

  /// The element of `tensor` at `indices` (index values); or, for a width over
  /// 1, the `width` elements from there on along the last dimension, as a 1-D
  /// vector. All must be in bounds, and for a width over 1 (a power of two) the
  /// last index must be a multiple of `width`: see `setVectorReader`. Loads of
  /// vectors state the alignment that they need: `emitAlignmentCheck` tests it.
  Value emit(OpBuilder &b, Location loc, Value tensor, ValueRange indices,
             int64_t width = 1);

  /// The elements of every tensor of `tensors` at every one of `positions`, as
  /// `emit` gives them: the tensors of the first position, then those of the
  /// second. One loop computes a reduction for all positions, so that what
  /// several of them read is read once.
  SmallVector<Value> emitTile(OpBuilder &b, Location loc, ValueRange tensors,
                              ArrayRef<SmallVector<Value>> positions,
                              int64_t width = 1);

  /// The value of a scalar of the body.
  Value emitScalar(OpBuilder &b, Location loc, Value scalar);

  /// The size of a tensor of the body along `dim`, an index value.
  Value emitDim(OpBuilder &b, Location loc, Value tensor, int64_t dim);
  OpFoldResult getDim(OpBuilder &b, Location loc, Value tensor, int64_t dim);

  /// From now on elements of `tensor` are what `read` gives, with the
  /// conventions of `emit`: a result of a reduction that is in registers, a
  /// tile that is in shared memory. Forgets what was emitted before.
  void bind(Value tensor, Reader read);
  /// Reads `width` consecutive elements of an argument of the kernel, which may
  /// be in one row of its buffer at any place, from `indices` on; or gives
  /// null, so that they are read as if nothing were known of their alignment.
  using VectorReader =
      std::function<Value(OpBuilder &, Location, unsigned argument,
                          ValueRange indices, int64_t width)>;

  /// From now on vectors may begin at any index along the last dimension, not
  /// only at multiples of their width, and `read` loads those of arguments
  /// whose elements a vector can have; null takes both back.
  void setVectorReader(VectorReader read) { vectorReader = std::move(read); }

  /// Forgets what was emitted: after a barrier, or before the bindings give
  /// other values.
  void forget() { emitted.clear(); }

  /// Emits the payload of `op` on `elements`, one for each of its operands,
  /// scalars or vectors of one width; returns one value for each result.
  /// `iteration` are the values of the loops, of which `vectorLoop`, if not
  /// negative, is that along the vectors.
  SmallVector<Value> emitPayload(OpBuilder &b, linalg::LinalgOp op,
                                 ValueRange elements, ValueRange iteration,
                                 int64_t vectorLoop = -1);

  /// The sizes of the loops of `op`.
  SmallVector<OpFoldResult> getLoopSizes(OpBuilder &b, linalg::LinalgOp op);

  /// The operand `operand` of `op` in iteration `iteration`; for a width over
  /// 1, in the `width` iterations from there on along `vectorLoop`, whose index
  /// is a multiple of `width`. One element where it is the same in all of them.
  Value emitOperand(OpBuilder &b, OpOperand &operand, ValueRange iteration,
                    int64_t width = 1, int64_t vectorLoop = -1);

  /// `value` as a vector of `width` elements, broadcast if it is a scalar.
  static Value toVector(OpBuilder &b, Location loc, Value value, int64_t width);

  /// Whether `type` can be the element of a vector that is loaded and stored at
  /// once: below a byte a buffer has one element in each byte, a vector none.
  static bool isLoadable(Type type);

private:
  /// What is asked for: an element, or `width` elements along `dim`, the first
  /// of which has an index along `dim` that is a multiple of `multiple`.
  struct Position {
    SmallVector<OpFoldResult> indices;
    int64_t width = 1;
    int64_t dim = -1;
    int64_t multiple = 1;
  };
  /// An interval of indices [low, high) along each dimension, that and every
  /// `stride`-th index in it.
  struct Box {
    SmallVector<OpFoldResult> low, high, stride;
  };
  using Emit = llvm::function_ref<Value(const Position &)>;
  using Key = std::vector<const void *>;

  // All of these may give a scalar for the vector of equal elements.
  Value at(OpBuilder &b, Location loc, Value tensor, const Position &p);
  Value compute(OpBuilder &b, Location loc, Value tensor, const Position &p);
  Value load(OpBuilder &b, Location loc, unsigned argument, const Position &p);
  Value readBound(OpBuilder &b, Location loc, const Reader &read,
                  const Position &p);
  Value lanes(OpBuilder &b, Location loc, const Position &p, Emit emit);
  Value inBox(OpBuilder &b, Location loc, const Box &box, const Position &p,
              Type type, Emit inside, Emit outside);
  Value linalgAt(OpBuilder &b, linalg::LinalgOp op, unsigned result,
                 const Position &p);
  Value operandAt(OpBuilder &b, OpOperand &operand,
                  ArrayRef<OpFoldResult> iteration, int64_t width,
                  int64_t vectorLoop, int64_t multiple);
  SmallVector<Value> payloadAt(OpBuilder &b, linalg::LinalgOp op,
                               ArrayRef<OpFoldResult> iteration, int64_t width,
                               int64_t vectorLoop, int64_t multiple,
                               ValueRange accumulators);
  /// A reduction op and the iteration in its parallel loops that is asked for.
  struct Reduction {
    linalg::LinalgOp op;
    SmallVector<OpFoldResult> iteration;
    int64_t width, vectorLoop, multiple;

    Key getKey() const;
  };
  /// Emits reductions of one op and one form in one loop nest: their results,
  /// one after the other.
  SmallVector<SmallVector<Value>> reduce(OpBuilder &b,
                                         ArrayRef<Reduction> reductions);
  /// Clones the ops of `block` for the values of its arguments; `index` gives
  /// the value of a linalg.index.
  SmallVector<Value> cloneBlock(OpBuilder &b, Block *block, ValueRange values,
                                int64_t width,
                                llvm::function_ref<Value(Operation *)> index);
  Value tensorOpAt(OpBuilder &b, Operation *op, const Position &p);
  Value constantAt(OpBuilder &b, Location loc, DenseElementsAttr value,
                   const Position &p);
  Value selectElement(OpBuilder &b, Location loc, ValueRange elements,
                      const Position &p, RankedTensorType type);
  /// The position in the source of a reshape: `indices` in it as functions of
  /// the indices of `p` (dims) and `symbols`.
  Value throughMap(OpBuilder &b, Location loc, Value source, AffineMap map,
                   ArrayRef<OpFoldResult> symbols, const Position &p);

  // Index arithmetic, folded and emitted once.
  OpFoldResult apply(OpBuilder &b, Location loc, AffineExpr expr,
                     ArrayRef<OpFoldResult> dims,
                     ArrayRef<OpFoldResult> symbols = {});
  OpFoldResult toDevice(OpBuilder &b, Location loc, OpFoldResult value);
  SmallVector<OpFoldResult> toDevice(OpBuilder &b, Location loc,
                                     ArrayRef<OpFoldResult> values);

  using Memo = std::map<Key, SmallVector<SmallVector<Value>>>;
  std::optional<SmallVector<Value>> lookup(OpBuilder &b, const Memo &memo,
                                           const Key &key);

  const Kernel &kernel;
  SmallVector<Value> arguments;
  DenseMap<Value, Reader> bindings;
  VectorReader vectorReader;
  /// Elements and scalars; index arithmetic and sizes.
  Memo emitted, indices;
  /// Where not null, reductions are collected here instead of being emitted.
  SmallVector<Reduction> *collected = nullptr;
};

/// The i1 value, the same in all threads, that every vector load and store in
/// `region` whose buffer is defined outside of it is as aligned as it states,
/// as far as bases and row strides go; null if nothing must be tested.
Value emitAlignmentCheck(OpBuilder &b, Location loc, Region &region);

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_EVALUATOR_H
