//===- ReductionAnalysis.h - what a kernel reduces ---------------*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_REDUCTIONANALYSIS_H
#define AMP_LIB_CODEGEN_GPU_REDUCTIONANALYSIS_H

#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace mlir::amp::gpu {

/// A dimension of the iteration space that all reductions of a kernel share.
struct ReductionAxis {
  int64_t size = ShapedType::kDynamic;
  /// If the size is dynamic: an argument of the kernel, and its dimension, that
  /// has it.
  unsigned argument = 0, dim = 0;
};

/// A reduction, as far as its partial results can be merged: its payload is
/// either one associative op for each result, or, with `condition`, a choice of
/// the results between the old and the new element (argmax).
struct KernelReduction {
  linalg::LinalgOp op;
  /// The axis of each loop; none (-1) for a loop of one iteration.
  SmallVector<int> axes;
  /// For each result: the op of the payload that makes it, and which value of
  /// the payload that op combines with the accumulator.
  SmallVector<Operation *> combiners;
  SmallVector<Value> elements;
  /// The value of the payload by which results are chosen, and whether the new
  /// element is taken where it is true.
  Value condition;
  bool takesIfTrue = true;
  /// The ops of the payload that depend on the accumulators, in order, and the
  /// constants that these use.
  SmallVector<Operation *> slice;
  /// Reductions of a phase do not depend on each other, only on those of
  /// earlier phases.
  unsigned phase = 0;

  unsigned getNumResults() const { return combiners.size(); }
  /// The types of a partial result: of the results, then, if it chooses, index
  /// for the position of the chosen element.
  SmallVector<Type> getPartialTypes();
  BlockArgument getAccumulator(unsigned result) {
    return op.getMatchingBlockArgument(op.getDpsInitOperand(result));
  }
};

/// The reductions of a kernel all of which run over the same axes.
class ReductionAnalysis {
public:
  /// Fails if the kernel has another form; `reason` then says which, as a
  /// phrase that can follow "because".
  static FailureOr<ReductionAnalysis> get(const Kernel &kernel,
                                          std::string &reason);

  /// The axes that stay, then, from `numKept` on, those that are reduced; each
  /// part in the order in which the reduced tensor has them.
  SmallVector<ReductionAxis> axes;
  unsigned numKept = 0;
  /// Whether the reduced tensor's last dimension is reduced.
  bool reducesInnermost = false;
  std::vector<KernelReduction> reductions;
  unsigned numPhases = 0;
  /// The arguments that elements of phase 0 are computed from.
  SmallVector<Value> firstArguments;

  ArrayRef<ReductionAxis> getKept() const {
    return ArrayRef(axes).take_front(numKept);
  }
  ArrayRef<ReductionAxis> getReduced() const {
    return ArrayRef(axes).drop_front(numKept);
  }
  /// The product of the sizes of `axes`, dynamic if one is.
  static int64_t getSize(ArrayRef<ReductionAxis> axes);

  /// The axis of each dimension of a tensor of the body: -1 for a dimension of
  /// size one; nothing if a dimension is none of them.
  std::optional<SmallVector<int>> getAxes(Value tensor) const;
  /// Whether a tensor has one of the reduced axes.
  bool isReduced(Value tensor) const;

private:
  DenseMap<Value, SmallVector<int>> tensorAxes;
};

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_REDUCTIONANALYSIS_H
