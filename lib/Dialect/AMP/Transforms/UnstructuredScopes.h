//===- UnstructuredScopes.h - checks of enter and exit ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_UNSTRUCTUREDSCOPES_H
#define LIB_DIALECT_AMP_TRANSFORMS_UNSTRUCTUREDSCOPES_H

#include "amp/Dialect/AMP/IR/AMP.h"

namespace mlir::amp {

/// Checks that the scopes which ops directly in `region` open and close nest,
/// and that on every path through its blocks each is closed once. Emits one
/// error, with notes at both ends and on the path, for the first that does not.
/// Appends the ops that open scopes to `enters`, outer ones before inner ones.
LogicalResult checkPairs(Region &region, SmallVectorImpl<EnterOp> &enters);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_UNSTRUCTUREDSCOPES_H
