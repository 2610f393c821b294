//===- ShapeEvaluator.h - sizes of tensors from those of arguments -*- C++
//-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_SHAPEEVALUATOR_H
#define AMP_TOOLS_AMP_RUN_SHAPEEVALUATOR_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace mlir::amp {

/// Computes sizes and integers in a function on tensors from those of its
/// arguments, by folding. Where shapes have to be reified, ops are added to the
/// function, so work on a copy. Nothing is known of what regions give, and of
/// what depends on the elements of tensors.
class ShapeEvaluator {
public:
  /// Says what an argument is.
  void setShape(Value tensor, ArrayRef<int64_t> shape);
  void setNumber(Value integer, int64_t number);

  /// The sizes of a ranked tensor, where they are known.
  std::optional<SmallVector<int64_t>> getShape(Value tensor);
  /// An integer or index, where it is known.
  std::optional<int64_t> getNumber(Value integer);

private:
  std::optional<SmallVector<int64_t>> computeShape(Value tensor);
  std::optional<int64_t> computeNumber(Value integer);
  std::optional<SmallVector<int64_t>> evaluate(ArrayRef<OpFoldResult> sizes);

  DenseMap<Value, std::optional<SmallVector<int64_t>>> shapes;
  DenseMap<Value, std::optional<int64_t>> numbers;
};

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_SHAPEEVALUATOR_H
