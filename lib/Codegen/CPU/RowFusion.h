//===- RowFusion.h - one loop over rows for several ops ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_ROWFUSION_H
#define AMP_LIB_CODEGEN_CPU_ROWFUSION_H

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp::cpu {

/// Moves the ops on tensors that work on the same rows (a reduction of rows,
/// what computes the rows, and what reads them and their sums) into one loop
/// over rows: each row is read from memory once, and what lies between the ops
/// is one row that stays in the cache. Softmax, the norms and their gradients
/// become one loop each. Every op computes what it did, in the same order.
/// The remark `FusedRows` names each loop.
void fuseRows(FunctionOpInterface function, const CPUTarget &target);

/// In such loops, and others over rows that several loops read one after the
/// other, as vectors, asks for what the last of these reads, of the next row
/// (prefetch): processors begin with a row as they come to it, and compute with
/// most of it before the next one. See CPUTarget::asksAlongRows.
void askForNextRows(FunctionOpInterface function, const CPUTarget &target);

/// Makes the buffers of rows of unknown length, which nothing but vector loops
/// see, as long as whole registers, whose last ones they then store whole.
void padRowBuffers(FunctionOpInterface function);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_ROWFUSION_H
