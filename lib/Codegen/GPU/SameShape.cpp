//===- SameShape.cpp - which tensors of a kernel have one shape -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameShape.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp::gpu;

void SameShape::unite(Value a, int64_t dimA, Value b, int64_t dimB) {
  classes.unionSets({a.getAsOpaquePointer(), dimA},
                    {b.getAsOpaquePointer(), dimB});
}

SameShape::SameShape(const Kernel &kernel) {
  func::FuncOp function = kernel.function;
  Block &body = function.getBody().front();
  auto uniteAll = [&](Value a, Value b) {
    for (int64_t dim = 0, rank = cast<RankedTensorType>(a.getType()).getRank();
         dim < rank; ++dim)
      unite(a, dim, b, dim);
  };
  auto known = [&](Value tensor, ShapedType type) {
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!ShapedType::isDynamic(size))
        classes.unionSets({tensor.getAsOpaquePointer(), dim}, {nullptr, size});
  };
  for (BlockArgument argument : body.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType())) {
      known(argument, type);
      known(argument, kernel.getBufferType(argument.getArgNumber()));
    }
  for (Operation &op : body) {
    for (Value result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        known(result, type);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      // All dimensions along one loop have its size.
      for (OpOperand &operand : op.getOpOperands())
        for (auto [dim, expr] : llvm::enumerate(
                 linalgOp.getMatchingIndexingMap(&operand).getResults()))
          if (auto loop = dyn_cast<AffineDimExpr>(expr))
            classes.unionSets({operand.get().getAsOpaquePointer(), dim},
                              {&op, static_cast<int64_t>(loop.getPosition())});
    }
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      for (OpOperand &init : destination.getDpsInitsMutable())
        uniteAll(init.get(), destination.getTiedOpResult(&init));
    if (auto castOp = dyn_cast<tensor::CastOp>(op))
      uniteAll(castOp.getSource(), castOp.getResult());
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      for (auto [dim, size] : llvm::enumerate(empty.getMixedSizes()))
        if (auto value = dyn_cast<Value>(size))
          if (auto source = value.getDefiningOp<tensor::DimOp>();
              source && source.getConstantIndex())
            unite(empty, dim, source.getSource(), *source.getConstantIndex());
  }
  unsigned first = kernel.getNumInputs();
  for (auto [number, result] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    uniteAll(result, body.getArgument(first + number));
}

bool SameShape::operator()(Value a, Value b) const {
  auto type = cast<RankedTensorType>(a.getType());
  if (type.getRank() != cast<RankedTensorType>(b.getType()).getRank())
    return false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!classes.isEquivalent({a.getAsOpaquePointer(), dim},
                              {b.getAsOpaquePointer(), dim}))
      return false;
  return true;
}
