//===- RowLoops.h - loops of one row ----------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_ROWLOOPS_H
#define AMP_LIB_CODEGEN_CPU_ROWLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::amp::cpu {

/// The buffer that `memref` is a view of.
Value getBuffer(Value memref);

/// What `op`, with what is in it, does to memory; nothing where that is not
/// known. What it asks for ahead does nothing.
std::optional<SmallVector<MemoryEffects::EffectInstance>>
getEffects(Operation *op);

/// What `op` uses of the code around it, in its regions, too.
SetVector<Value> getUsed(Operation *op);

/// Whether there are functions of vectors in `loop`.
bool hasFunctions(scf::ForOp loop);

/// Whether `loop` and `other`, in a row of `rows`, have the same induction
/// variables in every row.
bool haveSameIterations(scf::ForOp rows, scf::ForOp loop, scf::ForOp other);

/// In `rows`, a loop with `independent_rows`: moves a reduction of what a loop
/// with functions writes into that loop, where each iteration reads what the
/// same one wrote.
void sumInFunctions(RewriterBase &rewriter, scf::ForOp rows);

/// In `rows`, a loop over rows that had `independent_rows`: moves what a row
/// ends with into the next row's `functions`, a loop of which each iteration
/// reads there what the same one wrote, or nothing. Behind the last row it
/// stands alone. False, and nothing is changed, where that is not possible.
bool finishInFunctions(RewriterBase &rewriter, scf::ForOp rows,
                       scf::ForOp functions);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_ROWLOOPS_H
