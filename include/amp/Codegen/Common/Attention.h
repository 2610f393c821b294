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

/// A part of the scores of which softmax takes a constant instead, whatever
/// the contraction gives: `select` in the payload of an op on scores.
struct AttentionMask {
  arith::SelectOp select;
  /// The operand of `select` where a key is visible.
  Value visible;
  /// A key is visible in a row if row + lower <= key <= row + upper.
  std::optional<int64_t> lower, upper;
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
/// into any number of ops are taken. Loops are those of `product`.
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

/// The masks of `attention` that depend on the row and the key alone, and whose
/// constant is -10000 or less.
SmallVector<AttentionMask> findIndexMasks(const Attention &attention);

/// The factor by which `attention.scores` are `product`, if that is all they
/// are and it is positive; casts do not count.
std::optional<double> getScoreScale(const Attention &attention);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_ATTENTION_H
