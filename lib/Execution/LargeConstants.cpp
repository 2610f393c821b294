//===- LargeConstants.cpp - constants that are made at run time -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LargeConstants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

/// The bytes of `type`; the most there can be where they are more.
static uint64_t countBytes(RankedTensorType type) {
  Type element = type.getElementType();
  uint64_t bytes =
      element.isIntOrFloat()
          ? llvm::divideCeil(element.getIntOrFloatBitWidth(), unsigned(8))
          : 8;
  for (int64_t size : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  return bytes;
}

void mlir::amp::replaceConstants(ModuleOp module) {
  SmallVector<arith::ConstantOp> large, none;
  module.walk([&](arith::ConstantOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
    if (type && llvm::is_contained(type.getShape(), 0))
      none.push_back(op);
    else if (type && elements && type.getElementType().isIntOrIndexOrFloat() &&
             countBytes(type) > kMostBytes)
      large.push_back(op);
  });
  for (arith::ConstantOp op : none) {
    OpBuilder b(op);
    auto type = cast<RankedTensorType>(op.getType());
    op.replaceAllUsesWith(tensor::EmptyOp::create(b, op.getLoc(),
                                                  type.getShape(),
                                                  type.getElementType())
                              .getResult());
    op.erase();
  }
  for (arith::ConstantOp op : large) {
    auto type = cast<RankedTensorType>(op.getType());
    auto number =
        cast<SplatElementsAttr>(op.getValue()).getSplatValue<TypedAttr>();
    Location loc = op.getLoc();
    OpBuilder b(op);
    // No payload can hold an op on tensors.
    if (auto payloadOf = op->getParentOfType<linalg::LinalgOp>())
      b.setInsertionPoint(payloadOf);
    Value value = arith::ConstantOp::create(b, loc, number);
    Value empty =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    op.replaceAllUsesWith(
        linalg::FillOp::create(b, loc, value, empty).getResult(0));
    op.erase();
  }
}
