//===- LowerTosa.h - parts of the lowering of tosa --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOLINALG_LOWERTOSA_H
#define AMP_LIB_CONVERSION_AMPTOLINALG_LOWERTOSA_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {

/// `expression` of the symbols `sizes`, as an attribute where it is known.
OpFoldResult computeSize(OpBuilder &b, Location loc, AffineExpr expression,
                         ArrayRef<OpFoldResult> sizes);

/// An empty tensor of `sizes`; those that `type` knows are known of it.
Value makeEmpty(OpBuilder &b, Location loc, RankedTensorType type,
                ArrayRef<OpFoldResult> sizes);

/// A generic whose loops are parallel: `body` gives each element of `init`, of
/// elements of `inputs`.
Value computeElements(
    OpBuilder &b, Location loc, Value init, ValueRange inputs,
    ArrayRef<AffineMap> maps,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);

/// Replaces the results of `op`, whose types may know more or fewer sizes.
void replaceWithCasts(RewriterBase &rewriter, Operation *op,
                      ArrayRef<Value> values);

/// Where an extremum of floats of type `element` starts from: beyond all
/// numbers, or, where `ignoresNaN` and the extremum is NaN of two NaN alone,
/// NaN. Upstream starts from the largest finite numbers, and knows no
/// infinities.
TypedAttr getStartOfExtremum(FloatType element, bool isMaximum,
                             bool ignoresNaN);

/// Transposed convolutions.
void populateLowerTosaConvolutionsPatterns(RewritePatternSet &patterns);

/// Resizes and pools.
void populateLowerTosaImagesPatterns(RewritePatternSet &patterns);

/// Fourier transforms.
void populateLowerTosaTransformsPatterns(RewritePatternSet &patterns);

} // namespace mlir::amp

#endif // AMP_LIB_CONVERSION_AMPTOLINALG_LOWERTOSA_H
