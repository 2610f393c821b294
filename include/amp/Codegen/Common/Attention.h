//===- Attention.h - softmax between two contractions -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_ATTENTION_H
#define AMP_CODEGEN_COMMON_ATTENTION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mlir::amp {

/// A number in memory that says which keys a row sees: the keys from
/// `tensor[dims]` + `offset` on, or, with `isEnd`, those before.
struct AttentionBound {
  /// Of integers or indices.
  Value tensor;
  /// The loop of `product` along each dimension of `tensor`, not that of the
  /// keys; -1 for one that is read at 0.
  SmallVector<int> dims;
  int64_t offset = 0;
  bool isEnd = false;
};

/// A part of the scores of which softmax takes a constant instead, whatever
/// the contraction gives: `select` in the payload of an op on scores.
struct AttentionMask {
  arith::SelectOp select;
  /// The operand of `select` where a key is visible.
  Value visible;
  /// What a score is, or what is added to it, where a key is hidden.
  double hidden = 0;
  /// A key is visible in a row if row + lower <= key <= row + upper, and all
  /// `bounds` let it through.
  std::optional<int64_t> lower, upper;
  SmallVector<AttentionBound> bounds;
};

/// softmax(f(Q K^T)) V, computed by `linalg.generic`s of one block:
///
///   product[outer, row, key] += q[outer, row, depth] * k[outer, key, depth]
///   scores  = any elementwise function of `product`, its indices and others
///   maximum = max over key of scores
///   sum     = sum over key of exp(scores - maximum)
///   values[outer, row, column] +=
///       exp(scores - maximum) / sum * v[outer, key, column]
///
/// `k` and `v` need not depend on all outer loops: heads may share them. Any
/// order of dimensions, casts between floats anywhere, and elementwise ops cut
/// into any number of ops are taken. Loops are those of `product`. Of one query
/// for each set of keys, `row` is a loop over heads, which `k` has too.
struct Attention {
  linalg::GenericOp product, maximum, sum, values;
  OpOperand *q = nullptr, *k = nullptr, *v = nullptr;
  SmallVector<unsigned> outer;
  unsigned row = 0, key = 0, depth = 0;
  /// What softmax is of, and the loop of `product` along each of its
  /// dimensions.
  Value scores;
  SmallVector<int> scoreDims;
  /// For each loop of `values` that of `product` that it stands for, -1 for
  /// `column`, a loop of `values`.
  SmallVector<int> valueLoops;
  unsigned column = 0;
  /// Whether a row of which all scores are -inf has the weights 0 rather than
  /// NaN, and whether it has the result 0 then.
  bool hasSafeMaximum = false, hasSafeSum = false;
  /// All ops from `product` to `values`, in the order of the block, and the
  /// elementwise ops on `maximum` and `sum` alone that other ops read, such as
  /// log-sum-exp.
  SmallVector<Operation *> ops;
  /// Their results that are made of maxima and sums alone, with the loop of
  /// `product` along each dimension, or -1.
  SmallVector<std::pair<Value, SmallVector<int>>> rowValues;
  /// The first of `ops` that give `scores`, with the loop of `product` for
  /// each of their loops.
  SmallVector<std::pair<linalg::GenericOp, SmallVector<int>>> scoreOps;
};

/// Finds the attention whose last op is `values`. Else `reason` says what is
/// missing, as a phrase that can follow "because"; it is empty where `values`
/// reads nothing that looks like a softmax.
FailureOr<Attention> matchAttention(linalg::GenericOp values,
                                    std::string &reason);

/// The masks of `attention` by which a key is visible or not for its place
/// alone, and whose constant is below zero. With -inf, keys that are not
/// visible have no weight in any row that has one; with another constant that
/// depends on the other scores.
SmallVector<AttentionMask> findIndexMasks(const Attention &attention);

/// The loop of `attention.product` over the most heads, of those with a known
/// number of iterations above one, that queries have and keys and values do
/// not: they are shared. Nothing if there is none.
std::optional<unsigned> getSharedLoop(const Attention &attention);

/// The factor by which `attention.scores` are `product`, if that is all they
/// are and it is positive; casts do not count.
std::optional<double> getScoreScale(const Attention &attention);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_ATTENTION_H
