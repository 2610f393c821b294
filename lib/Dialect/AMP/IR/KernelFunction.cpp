//===- KernelFunction.cpp - what a kernel function may be -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

/// Checks inputs, destinations and results.
static LogicalResult verifySignature(FunctionOpInterface function) {
  StringRef attrName = AMPDialect::kDestinationAttrName;
  ArrayRef<Type> arguments = function.getArgumentTypes();
  ArrayRef<Type> results = function.getResultTypes();
  if (arguments.size() < results.size())
    return function.emitOpError("is a kernel function of ")
           << results.size() << " results and needs a destination for each, "
           << "but has only " << arguments.size() << " arguments";
  size_t numInputs = arguments.size() - results.size();
  for (auto [index, type] : llvm::enumerate(arguments)) {
    Attribute destination = function.getArgAttr(index, attrName);
    if (index < numInputs) {
      if (destination)
        return function.emitOpError("argument ")
               << index << " is an input, but has '" << attrName
               << "'; destinations are the last arguments, one for each "
                  "result, in order";
      if (!isa<RankedTensorType, IntegerType, IndexType, FloatType>(type))
        return function.emitOpError("argument ")
               << index << " of a kernel function must be a ranked tensor or a "
               << "scalar, but is " << type;
      continue;
    }
    size_t result = index - numInputs;
    auto number = dyn_cast_if_present<IntegerAttr>(destination);
    if (!number || number.getValue() != result)
      return function.emitOpError("argument ")
             << index << " must be the destination of result " << result
             << ": expected '" << attrName << " = " << result << " : i64', but "
             << (destination ? "found another number" : "found none");
    if (!isa<RankedTensorType>(type) || type != results[result])
      return function.emitOpError("result ")
             << result << " of a kernel function must be a ranked tensor of "
             << "its destination's type " << type << ", but is "
             << results[result];
  }
  return success();
}

/// Checks that the body only computes.
static LogicalResult verifyBody(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function.emitOpError("is a kernel function and must have one block, "
                                "but has ")
           << body.getBlocks().size();
  WalkResult result = body.walk([&](Operation *op) {
    StringRef problem;
    if (isa<CallOpInterface, LaunchOp>(op))
      problem = "calls another function";
    else if (isa<RegionBranchOpInterface, BranchOpInterface>(op))
      problem = "is control flow";
    else if (op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    else if (op->isRegistered() && !isMemoryEffectFree(op))
      problem = "allocates, reads or writes memory";
    else if (llvm::any_of(op->getOperandTypes(),
                          llvm::IsaPred<BaseMemRefType>) ||
             llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      problem = "works on buffers";
    else
      return WalkResult::advance();
    InFlightDiagnostic error = op->emitOpError(problem);
    error << ", which a kernel function must not: it computes its results "
             "from its arguments by ops on tensors and scalars in one block";
    error.attachNote(function.getLoc()) << "the kernel function is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::amp::verifyKernelFunction(FunctionOpInterface function) {
  if (function.isExternal())
    return function.emitOpError("is a kernel function and needs a body");
  if (failed(verifySignature(function)))
    return failure();
  return verifyBody(function);
}
