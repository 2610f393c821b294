//===- AttentionPlan.h - how sm_90a computes an attention -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONPLAN_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONPLAN_H

#include "Instructions.h"
#include "TmaView.h"
#include "amp/Codegen/Common/Attention.h"
#include "amp/Codegen/GPU/Hopper/AttentionConfig.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::amp::gpu::hopper {

/// Q, K or V.
struct AttentionOperand {
  TmaView view;
  Major major = Major::K;
  /// Which of `Attention::outer` the dimensions behind that of the rows are.
  SmallVector<unsigned> outer;
};

/// A result of the kernel.
struct AttentionOutput {
  Type element;
  /// Its index by the loops of `Attention::values`; else it has one element
  /// for each row, and `rowDims` are the loops of `product`.
  SmallVector<AffineExpr> indices;
  SmallVector<int> rowDims;
  /// How TMA stores it; without one, threads store what they hold.
  std::optional<TmaView> view;
  SmallVector<unsigned> outer;

  bool isOfRows() const { return indices.empty(); }
};

/// What a kernel becomes.
struct AttentionPlan {
  Attention a;
  WgmmaElement scoreElement, valueElement;
  AttentionConfig config;
  /// The loop of the product over heads that are rows of one tile, if they are:
  /// queries and results that go by TMA have its dimension before that of the
  /// rows.
  std::optional<unsigned> packed;
  AttentionOperand q, k, v;
  SmallVector<AttentionOutput, 1> outputs;
  /// The factor by which scores are products where no mask says otherwise.
  std::optional<double> scale;
  /// Tiles that these limits exclude are skipped, and so are those that the
  /// bounds in memory of `masks` exclude.
  AttentionLimits limits;
  /// The masks that hide keys for good: by their numbers among those of
  /// `findIndexMasks`.
  SmallVector<unsigned> masks;
  bool hasBounds = false;
  /// Whether all tiles go through the payload, as it depends on more than the
  /// product and limits.
  bool hasPayload = false;
};

/// How `kernel`, for sm_90a, becomes a warp-specialised attention; or `reason`
/// says why it cannot, and is empty if nothing in it looks like an attention.
FailureOr<AttentionPlan> matchAttentionPlan(const Kernel &kernel,
                                            std::string &reason);

/// The attention in the kernel function `function`; else `reason` is as above.
FailureOr<Attention> findAttention(func::FuncOp function, std::string &reason);

/// A copy of `function` without scores that are rounded to 16 bits and back;
/// with `isWhole`, also without the masks of limits, as for keys that all of
/// them let through.
OwningOpRef<func::FuncOp> makeScoreFunction(func::FuncOp function,
                                            bool isWhole);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_ATTENTIONPLAN_H
