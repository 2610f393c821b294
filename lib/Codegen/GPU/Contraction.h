//===- Contraction.h - the one contraction of a kernel ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_CONTRACTION_H
#define AMP_LIB_CODEGEN_GPU_CONTRACTION_H

#include "MmaOps.h"
#include "amp/Codegen/Common/RowStatistics.h"
#include "amp/Codegen/GPU/Layouts.h"
#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::amp::gpu {

/// Where the elements of an operand lie when it is, but for a padding by zero,
/// a part of an argument of the kernel: everything is linear in the loops.
struct DirectOperand {
  unsigned argument;
  /// The index along each dimension of the argument, over the loops.
  SmallVector<AffineExpr> indices;
  /// Where the operand is padded: an element is zero unless 0 <= first <
  /// size of `tensor` along `dim`. `high` elements are behind the last one, or
  /// a number that is not known.
  struct Bound {
    AffineExpr index;
    Value tensor;
    int64_t dim;
    int64_t high;
  };
  SmallVector<Bound> bounds;
};

/// A or B of a contraction.
struct ContractionOperand {
  OpOperand *operand = nullptr;
  AffineMap map;
  /// Applied to an element, in this order, before it is multiplied as
  /// `staged`; what remains of the payload's casts is exact.
  SmallVector<Operation *> casts;
  /// The type in shared memory.
  Type staged;
  /// The loop along which elements follow each other in the operand, or -1.
  int64_t innerLoop = -1;
  /// Whether that loop is one of K's; else pieces go along M, or N.
  bool isAlongK = true;
  std::optional<DirectOperand> direct;
};

/// A reduction of parts of rows behind a contraction: one element of the result
/// for every `kColumns` columns, of which the last part may have fewer.
struct RowStatistic {
  static constexpr int64_t kColumns = kStatisticColumns;

  /// The result of the kernel that it is.
  int64_t number = -1;
  linalg::GenericOp op;
  /// The tensor that is reduced, and its index as functions of the loops.
  Value elements;
  SmallVector<AffineExpr> indices;
  /// What combines two values, and the value that changes no other.
  Operation *combiner = nullptr;
  TypedAttr neutral;
};

/// C[batch, m, n] += A[batch, m, k] * B[batch, k, n]: M, N, K and batch are
/// each the product of any number of loops.
struct Contraction {
  linalg::GenericOp op;
  /// Loops, outermost first.
  SmallVector<unsigned> batch, m, n, k;
  ContractionOperand a, b;
  Type accType;
  /// Set if the tensor cores can do it, else the products are scalar.
  std::optional<MmaKind> mma;
  /// Whether the initial value must be read.
  bool hasInit = true;
  /// For every result of the kernel its index as functions of the loops.
  SmallVector<SmallVector<AffineExpr>> results;
  /// Those of the results that are statistics of rows, in their order.
  SmallVector<RowStatistic> statistics;
  /// For every operand, behind the contraction, that is an argument of the
  /// kernel function as it is, its index as functions of the loops.
  SmallVector<std::pair<BlockArgument, SmallVector<AffineExpr>>> others;

  /// The bits of an element in shared memory.
  unsigned getStagedBits() const { return a.staged.getIntOrFloatBitWidth(); }
  /// The statistic that is result `number`; null if that is none.
  const RowStatistic *getStatistic(int64_t number) const {
    const auto *it = llvm::find_if(
        statistics, [&](const RowStatistic &x) { return x.number == number; });
    return it == statistics.end() ? nullptr : it;
  }
};

/// What a contraction makes of 8-bit floats: f16, in which they are exact, or
/// itself (`mma` is F16 all the same), where A and B may be of two types.
enum class F8Operands { AsF16, AsTheyAre };

/// Whether results may be statistics of the contraction's rows.
enum class RowStatistics { None, Allowed };

/// Finds the contraction of `kernel` and how its results come from it: by
/// elementwise ops, permutations and reshapes, and, where `statistics` says so,
/// reductions of parts of rows. Else `reason` says why not.
FailureOr<Contraction>
matchContraction(const Kernel &kernel, std::string &reason,
                 F8Operands f8Operands = F8Operands::AsF16,
                 RowStatistics statistics = RowStatistics::None);

/// Sets `x.direct` if the operand `x`, whose `operand`, `map`, `casts` and
/// `staged` are set, is a part of an argument of `kernel`; `x.innerLoop` must
/// be a loop of the `numLoops` ones.
void matchDirect(ContractionOperand &x, const Kernel &kernel,
                 unsigned numLoops);

/// The output tile of a block, by the sizes of `contraction` as far as they are
/// known.
WarpGrid chooseTile(const Contraction &contraction);

/// The coefficients of `expr` over `numLoops` loops, then its constant; nothing
/// if it is not linear.
std::optional<SmallVector<int64_t>> getLinearForm(AffineExpr expr,
                                                  unsigned numLoops);

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_CONTRACTION_H
