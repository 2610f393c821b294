//===- Atan2.cpp - the sign of arctangents of quotients -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/Atan2.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

void mlir::amp::splitSignOfAtan2(Operation *root) {
  root->walk([](math::Atan2Op op) {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return;
    OpBuilder b(op);
    Value sign = op.getLhs();
    op.getLhsMutable().assign(math::AbsFOp::create(b, op.getLoc(), sign));
    b.setInsertionPointAfter(op);
    auto result = math::CopySignOp::create(b, op.getLoc(), op, sign);
    op.getResult().replaceAllUsesExcept(result, result);
  });
}
