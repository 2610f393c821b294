//===- ShapeEvaluator.cpp - sizes of tensors from those of arguments ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeEvaluator.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

void ShapeEvaluator::setShape(Value tensor, ArrayRef<int64_t> shape) {
  shapes[tensor] = SmallVector<int64_t>(shape);
}

void ShapeEvaluator::setNumber(Value integer, int64_t number) {
  numbers[integer] = number;
}

std::optional<SmallVector<int64_t>> ShapeEvaluator::getShape(Value tensor) {
  if (auto known = shapes.find(tensor); known != shapes.end())
    return known->second;
  std::optional<SmallVector<int64_t>> shape = computeShape(tensor);
  return shapes[tensor] = shape;
}

std::optional<int64_t> ShapeEvaluator::getNumber(Value integer) {
  if (auto known = numbers.find(integer); known != numbers.end())
    return known->second;
  std::optional<int64_t> number = computeNumber(integer);
  return numbers[integer] = number;
}

std::optional<SmallVector<int64_t>>
ShapeEvaluator::evaluate(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> number = getConstantIntValue(size);
    if (!number)
      number = getNumber(cast<Value>(size));
    if (!number)
      return std::nullopt;
    shape.push_back(*number);
  }
  return shape;
}

std::optional<SmallVector<int64_t>> ShapeEvaluator::computeShape(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return std::nullopt;
  if (type.hasStaticShape())
    return SmallVector<int64_t>(type.getShape());
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return getShape(destination.getTiedOpOperand(result)->get());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType())
               ? getShape(cast.getSource())
               : std::nullopt;
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return evaluate(empty.getMixedSizes());
  OpBuilder b(op);
  ReifiedRankedShapedTypeDims sizes;
  if (!isa<ReifyRankedShapedTypeOpInterface>(op) ||
      failed(reifyResultShapes(b, op, sizes)))
    return std::nullopt;
  return evaluate(sizes[result.getResultNumber()]);
}

std::optional<int64_t> ShapeEvaluator::computeNumber(Value integer) {
  auto result = dyn_cast<OpResult>(integer);
  if (!result || !integer.getType().isIntOrIndex())
    return std::nullopt;
  Operation *op = result.getOwner();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = getNumber(dim.getIndex());
    if (!index || !isa<RankedTensorType>(dim.getSource().getType()))
      return std::nullopt;
    std::optional<SmallVector<int64_t>> shape = getShape(dim.getSource());
    if (!shape || *index < 0 || *index >= static_cast<int64_t>(shape->size()))
      return std::nullopt;
    return (*shape)[*index];
  }
  if (op->getNumRegions() || !isPure(op))
    return std::nullopt;
  Builder b(op->getContext());
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = getNumber(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(b.getIntegerAttr(operand.getType(), *number));
  }
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) || folded.empty())
    return std::nullopt;
  OpFoldResult value = folded[result.getResultNumber()];
  if (auto attribute = dyn_cast<Attribute>(value))
    return getConstantIntValue(attribute);
  return getNumber(cast<Value>(value));
}
