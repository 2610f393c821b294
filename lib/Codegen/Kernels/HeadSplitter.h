//===- HeadSplitter.h - two loops for one -----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_HEADSPLITTER_H
#define AMP_LIB_CODEGEN_KERNELS_HEADSPLITTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::amp::kernels {

/// What an operand of a contraction repeats: `source`, indexed by the loops of
/// the contraction. The loop `split`, if there is one, is then the outer of
/// two, and symbol 0 the inner one, of `size` iterations.
struct Repeated {
  Value source;
  SmallVector<AffineExpr> indices;
  std::optional<unsigned> split;
  int64_t size = 1;
};

/// An op of the attention, and its loop over the heads.
struct HeadOp {
  linalg::GenericOp op;
  unsigned loop;
};

/// Whether `op` gives elements of one input in another order, or what is
/// computed of indices alone.
bool isMoveOrMask(linalg::GenericOp op);

/// Rewrites ops with the loop over heads as two, the inner one of `size`. Sizes
/// that are not known must be multiples of it.
class HeadSplitter {
public:
  HeadSplitter(int64_t size) : size(size) {}

  void split(const HeadOp &head,
             const llvm::DenseMap<OpOperand *, Repeated> &repeated);
  /// Joins the heads of results that other ops read, and erases the old ops.
  void finish(ArrayRef<HeadOp> ops);
  /// `value`, with dimension `dim` as two.
  Value splitValue(OpBuilder &b, Location loc, Value value, unsigned dim);

private:
  /// Where `map` has the loop.
  static std::optional<unsigned> findDim(AffineMap map, unsigned loop) {
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(loop))
        return i;
    return std::nullopt;
  }
  SmallVector<int64_t> splitShape(RankedTensorType type, unsigned dim) const {
    SmallVector<int64_t> shape(type.getShape());
    if (!ShapedType::isDynamic(shape[dim]))
      shape[dim] /= size;
    shape.insert(shape.begin() + dim + 1, size);
    return shape;
  }
  static SmallVector<ReassociationIndices> getGroups(unsigned rank,
                                                     unsigned dim) {
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (unsigned i = 0; i < rank; ++i) {
      groups.push_back({next++});
      if (i == dim)
        groups.back().push_back(next++);
    }
    return groups;
  }
  /// The size of the outer one of two loops for one of `whole`.
  OpFoldResult getOuter(OpBuilder &b, Location loc, OpFoldResult whole) const;
  Value splitInit(OpBuilder &b, Location loc, Value value, unsigned dim);

  int64_t size;
  /// The new values of old ones, and the dimension of the heads.
  llvm::DenseMap<Value, std::pair<Value, unsigned>> values;
};

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_HEADSPLITTER_H
