//===- Lanes.h - how indices move over a vector's lanes ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_LANES_H
#define AMP_CODEGEN_GPU_LANES_H

#include "mlir/IR/AffineExpr.h"

namespace mlir::amp::gpu {

/// How an index moves from one lane of a vector to the next: not at all, by
/// one, or in a way that is not known.
enum class Lanes { Equal, Consecutive, Other };

/// How `expr` moves over the `width` values of the dim `dim` from a multiple of
/// `multiple` on; `multiple` is a divisor of `width`. Dims and symbols are not
/// negative.
Lanes classifyLanes(AffineExpr expr, unsigned dim, int64_t width,
                    int64_t multiple);

/// A divisor of `multiple` that divides `expr` wherever the dim `dim` is a
/// multiple of `multiple`: the largest that is known.
int64_t getLaneMultiple(AffineExpr expr, unsigned dim, int64_t multiple);

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_LANES_H
