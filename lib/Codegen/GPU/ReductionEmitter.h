//===- ReductionEmitter.h - device code of reductions ------------*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_REDUCTIONEMITTER_H
#define AMP_LIB_CODEGEN_GPU_REDUCTIONEMITTER_H

#include "Peeling.h"
#include "ReductionAnalysis.h"
#include "amp/Codegen/GPU/Evaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::amp::gpu {

/// A partial result of a reduction: one scalar for each of its results, then,
/// if it chooses, the position (an index) of the chosen element, -1 for the
/// reduction's start. The position makes the choice between equal elements the
/// same as in a sequential loop.
using Partial = SmallVector<Value>;

/// Emits the parts that row and column reductions have in common.
class ReductionEmitter {
public:
  ReductionEmitter(const Kernel &kernel, ReductionAnalysis &analysis,
                   ::mlir::gpu::GPUFuncOp function);

  const Kernel &kernel;
  ReductionAnalysis &analysis;
  ::mlir::gpu::GPUFuncOp function;
  Location loc;
  Evaluator evaluator;
  /// The size of each axis, emitted at the start of the function.
  SmallVector<Value> sizes;
  /// The finished results of the reductions: for each lane, one scalar for each
  /// result. One lane if all elements of a vector belong to one row. What was
  /// computed from an earlier value must be forgotten by the evaluator.
  SmallVector<SmallVector<Partial>> finished;
  /// If there are several lanes: the axis along which they lie, and the index
  /// along it of the first one.
  int laneAxis = -1;
  Value laneBase;
  /// If not null: how the rows are peeled of which vectors are stored.
  const Peeling *peeling = nullptr;

  // Index arithmetic.
  Value constant(OpBuilder &b, int64_t value);
  Value add(OpBuilder &b, Value x, Value y);
  Value mul(OpBuilder &b, Value x, Value y);
  Value min(OpBuilder &b, Value x, Value y);
  Value less(OpBuilder &b, Value x, Value y);
  /// The product of the sizes of the axes from `first` to before `last`.
  Value getSize(OpBuilder &b, unsigned first, unsigned last);
  /// The indices along these axes of the linear index `linear`.
  SmallVector<Value> delinearize(OpBuilder &b, Value linear, unsigned first,
                                 unsigned last);

  /// The indices of an element of `tensor`, whose axes are known, for `point`:
  /// one index for each axis.
  SmallVector<Value> getIndices(OpBuilder &b, Value tensor, ValueRange point);
  /// Emits loads of the elements at `point` of those of `arguments` that have
  /// reduced axes, so that they are all under way before one is used.
  void preload(OpBuilder &b, ArrayRef<Value> arguments, ValueRange point,
               unsigned width);

  // Partial results.
  /// A partial result of no elements.
  Partial start(OpBuilder &b, KernelReduction &reduction, ValueRange point);
  /// Takes up the element at `point`, or the lane `lane` of the `width`
  /// elements from there on along the axis `vectorAxis`. `position` orders the
  /// elements of a row. Null `valid` says that the element exists.
  Partial accumulate(OpBuilder &b, KernelReduction &reduction, Partial partial,
                     ValueRange point, unsigned width, int vectorAxis,
                     unsigned lane, Value position, Value valid);
  Partial combine(OpBuilder &b, KernelReduction &reduction, Partial x,
                  Partial y);
  /// A balanced merge.
  Partial combineAll(OpBuilder &b, KernelReduction &reduction,
                     SmallVector<Partial> partials);
  /// Gives every thread the merge over groups of `threads` (a power of two up
  /// to 32) neighbouring threads.
  Partial mergeWarp(OpBuilder &b, KernelReduction &reduction, Partial partial,
                    unsigned threads);
  /// Gives every thread of the block the merge over its `threads` threads: one
  /// exchange through shared memory of its own and one barrier for all of
  /// `partials`, one for each of `reductions`.
  SmallVector<Partial> mergeBlock(OpBuilder &b,
                                  ArrayRef<KernelReduction *> reductions,
                                  SmallVector<Partial> partials, Value thread,
                                  unsigned threads);
  /// The reduction's results: the merge with what it starts from.
  Partial finish(OpBuilder &b, KernelReduction &reduction, Partial partial,
                 ValueRange point);
  SmallVector<KernelReduction *> getPhase(unsigned phase);
  unsigned getNumber(KernelReduction *reduction) {
    return reduction - analysis.reductions.data();
  }

  /// Shared memory of `size` elements of `type`, aligned for vectors.
  Value createShared(Type type, int64_t size);
  /// Begins code that runs instead of what was emitted before, and so can have
  /// the same shared memory.
  void reuseShared() { nextShared = 0; }
  Value load(OpBuilder &b, Value buffer, ValueRange indices, Type type);
  void store(OpBuilder &b, Value value, Value buffer, ValueRange indices);
  /// States the alignment of vector loads from shared memory; last, so that
  /// nobody tests it at run time.
  void alignSharedLoads();

  /// Stores the `width` elements of result `result` from `point` on along the
  /// axis `vectorAxis`.
  void storeResult(OpBuilder &b, unsigned result, ValueRange point,
                   unsigned width, int vectorAxis);
  /// Whether a result has reduced axes.
  bool isFull(unsigned result);

private:
  SmallVector<vector::LoadOp> sharedLoads;
  unsigned nextShared = 0;

  Value shuffle(OpBuilder &b, Value value, unsigned offset);
  Value readResult(OpBuilder &b, KernelReduction &reduction, unsigned result,
                   ValueRange indices, int64_t width);
  Partial startOf(OpBuilder &b, KernelReduction &reduction, ValueRange point);
};

/// The elements of a vector for the kernel: 16 bytes of the widest input. One
/// where its elements are in no vectors.
unsigned getFullVectorWidth(const Kernel &kernel, ReductionAnalysis &analysis);

/// The same, as far as the static size of `axis`, along which the vectors lie,
/// allows.
unsigned getVectorWidth(const Kernel &kernel, ReductionAnalysis &analysis,
                        unsigned axis);

/// Emits `emit(builder, width)` for `width`, behind a test that the buffers are
/// aligned for it and that `size`, where given, is a multiple of it; and for
/// width 1 otherwise.
void emitByAlignment(OpBuilder &b, Location loc, unsigned width, Value size,
                     llvm::function_ref<void(OpBuilder &, unsigned)> emit);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_REDUCTIONEMITTER_H
