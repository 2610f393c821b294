//===- HostPatterns.h - rewrites before kernels are formed ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_KERNELS_HOSTPATTERNS_H
#define AMP_LIB_CODEGEN_KERNELS_HOSTPATTERNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include <functional>

namespace mlir::amp::kernels {

/// Adds patterns that part an op from the data that it starts from:
/// - an op that does not read its init gets an empty one;
/// - an elementwise op that reads its init gets it as an input;
/// - a reduction into anything but a fill starts from its neutral element, and
///   an elementwise op adds the data afterwards. A contraction in
///   a float below 32 bits rounds each step and stays as it is.
void populateSeparateInitPatterns(RewritePatternSet &patterns);

/// Adds patterns that move a cast to a narrower type in front of reshapes and
/// transposes of what another op computes, and of slices that are all cast: it
/// is stored narrow then. In front of padding it is moved in any case, as fewer
/// elements are cast. Not in front of an `expand_shape` of which `isTaken`
/// says that other patterns would take it through the cast again.
void populateHoistCastPatterns(
    RewritePatternSet &patterns,
    std::function<bool(linalg::GenericOp cast, tensor::ExpandShapeOp)> isTaken =
        nullptr);

/// Adds patterns that write tensor.gather, tensor.insert and tensor.splat as
/// ops that kernels hold.
void populateLowerTensorOpPatterns(RewritePatternSet &patterns);

/// Adds patterns that transpose operands of 8 bits of contractions so that the
/// reduction is innermost, as warpgroups read them: weights, and others where
/// that is predicted to be faster than to multiply them in another way.
void populateArrangeContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::amp::kernels

#endif // AMP_LIB_CODEGEN_KERNELS_HOSTPATTERNS_H
