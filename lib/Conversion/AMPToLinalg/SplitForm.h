//===- SplitForm.h - products whose groups are loops -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOLINALG_SPLITFORM_H
#define AMP_CONVERSION_AMPTOLINALG_SPLITFORM_H

#include "ProductForm.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mlir::amp {

/// A product in which each dimension that interleaves two loops is two
/// dimensions: channels `(f floordiv k) * c + i` of a grouped convolution, and
/// features `f floordiv m`, `f mod m` of a depthwise one, become loops of their
/// own. What is left in the maps are loops, windows, and what could not be
/// split (sizes that are not static, or do not divide).
struct SplitForm {
  /// Operands are expanded views of the original's.
  ProductForm form;
  /// A tensor of the result's shape, expanded as `form.map` says.
  Value result;
  /// By operand and for the result, the dimensions that each dimension became;
  /// empty where the tensor is as it was.
  SmallVector<ReassociationIndices> lhsGroups, rhsGroups, biasGroups,
      resultGroups;
};

/// Splits `form`, and `result` of the shape of its result, with
/// `tensor.expand_shape` ops built by `b`.
SplitForm splitForm(OpBuilder &b, const ProductForm &form, Value result);

} // namespace mlir::amp

#endif // AMP_CONVERSION_AMPTOLINALG_SPLITFORM_H
