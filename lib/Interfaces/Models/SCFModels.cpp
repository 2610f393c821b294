//===- SCFModels.cpp - precision models for scf ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Interfaces/Models.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;

void mlir::amp::registerSCFModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    // Ops that are not listed (if, for, while, index_switch, execute_region)
    // say through RegionBranchOpInterface where their values come from; the
    // types of those of the parallel loops are the program's.
    attach<PinnedModel, scf::ForallOp, scf::ParallelOp, scf::ReduceOp,
           scf::ReduceReturnOp>(context);
  });
}
