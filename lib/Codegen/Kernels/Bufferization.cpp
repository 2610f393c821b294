//===- Bufferization.cpp - launches on buffers ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/Bufferization.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::bufferization;

bool mlir::amp::readsDestination(func::FuncOp kernel, unsigned index) {
  return llvm::any_of(kernel.getArgument(index).getUses(), [](OpOperand &use) {
    if (isa<tensor::DimOp>(use.getOwner()))
      return false;
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return !op || !op.isDpsInit(&use) || op.payloadUsesValueFromOperand(&use);
  });
}

namespace {
struct LaunchModel
    : public DstBufferizableOpInterfaceExternalModel<LaunchModel, LaunchOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &state) const {
    auto launch = cast<LaunchOp>(op);
    if (!launch.isDpsInit(&operand))
      return true;
    auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        launch, launch.getKernel());
    return !kernel || readsDestination(kernel, operand.getOperandNumber());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto launch = cast<LaunchOp>(op);
    if (launch.hasPureBufferSemantics())
      return success();
    SmallVector<Value> inputs, outputs;
    auto toBuffers = [&](ValueRange from, SmallVector<Value> &to) {
      for (Value value : from) {
        if (!isa<TensorType>(value.getType())) {
          to.push_back(value);
          continue;
        }
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        to.push_back(*buffer);
      }
      return success();
    };
    if (failed(toBuffers(launch.getInputs(), inputs)) ||
        failed(toBuffers(launch.getOutputs(), outputs)))
      return failure();
    rewriter.setInsertionPoint(op);
    auto onBuffers = LaunchOp::create(rewriter, op->getLoc(), TypeRange(),
                                      launch.getKernel(), inputs, outputs);
    onBuffers->setDiscardableAttrs(
        op->getDiscardableAttrDictionary().getValue());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};
} // namespace

void mlir::amp::registerLaunchBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AMPDialect *) {
    LaunchOp::attachInterface<LaunchModel>(*context);
  });
}
