//===- BranchScopes.h - scopes that end inside of branches ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_AMP_TRANSFORMS_BRANCHSCOPES_H
#define LIB_DIALECT_AMP_TRANSFORMS_BRANCHSCOPES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {

/// Whether exactly one region of `op` runs, each of one block: an scf.if with
/// an else, or an scf.index_switch.
bool isBranch(Operation *op);

/// A branch on the condition of `branch` with results of `types`, at the
/// builder's insertion point. Its blocks are empty.
Operation *createBranch(OpBuilder &builder, Operation *branch, TypeRange types);

/// Rebuilds `branch` with one more result, which region number i gives as
/// `values[i]`, and returns the new op. `branch` is erased.
Operation *addBranchResult(Operation *branch, ValueRange values);

/// Where all branches of an op close a scope that was opened outside, or all
/// open one that is closed outside, cuts the op in two: what the branches do
/// before, and what they do behind. Then one op between the two closes or opens
/// the scope. Branches that differ stay as they are.
void joinBranchScopes(FunctionOpInterface function);

} // namespace mlir::amp

#endif // LIB_DIALECT_AMP_TRANSFORMS_BRANCHSCOPES_H
