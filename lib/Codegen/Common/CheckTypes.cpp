//===- CheckTypes.cpp - types and ops that code can be made for -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/CheckTypes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

/// What no code can be made for in `type`, and what is expected; empty if it
/// can.
static StringRef describeProblem(Type type) {
  if (isa<UnrankedTensorType>(type))
    return "has no rank; expected ranked tensors, whose sizes may be dynamic";
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.getEncoding())
    return "has an encoding; expected tensors without one, which are dense: "
           "convert it, or leave the encoding out where it says nothing of the "
           "elements";
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (element && (element.getWidth() < 8 || isa<FloatTF32Type>(element)))
    return "has elements that no code can be made for; expected floats of 8, "
           "16, 32 or 64 bits";
  return "";
}

static LogicalResult check(Location loc, TypeRange types) {
  for (Type type : types) {
    StringRef problem = describeProblem(type);
    if (!problem.empty())
      return emitError(loc, "cannot be compiled: the type ")
             << type << " " << problem;
  }
  return success();
}

/// That the functions of the math dialect have a type that they are known for.
static LogicalResult checkMath(Operation *op) {
  if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
      isa<math::FmaOp>(op))
    return success();
  for (Type type : op->getResultTypes())
    if (isa<Float80Type, Float128Type>(getElementTypeOrSelf(type)))
      return op->emitError("cannot be compiled: '")
             << op->getName() << "' of " << type
             << "; expected floats of at most 64 bits";
  return success();
}

LogicalResult mlir::amp::checkTypes(Operation *root) {
  WalkResult found = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (function.isExternal() &&
          failed(check(op->getLoc(), function.getArgumentTypes())))
        return WalkResult::interrupt();
      if (failed(check(op->getLoc(), function.getResultTypes())))
        return WalkResult::interrupt();
    }
    // A cast passes a tensor of any rank on, as the observation of values does.
    bool dropsRank = isa<tensor::CastOp>(op) &&
                     isa<UnrankedTensorType>(op->getResult(0).getType());
    if ((!dropsRank && failed(check(op->getLoc(), op->getResultTypes()))) ||
        failed(checkMath(op)))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(check(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}

LogicalResult mlir::amp::checkBufferizable(Operation *root, StringRef target) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->isRegistered() || isa<FunctionOpInterface>(op) ||
        isa<bufferization::BufferizableOpInterface>(op) ||
        OpTrait::hasElementwiseMappableTraits(op) ||
        (llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor)))
      return WalkResult::advance();
    op->emitOpError("cannot be compiled for ")
        << target
        << ": it has no form on buffers; expected ops of linalg, tensor, "
           "arith, math, scf or cf that have one, such as linalg.generic, "
           "which reads elements at computed places by tensor.extract, or "
           "scf.for, which writes them by tensor.insert_slice";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
