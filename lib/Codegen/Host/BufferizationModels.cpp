//===- BufferizationModels.cpp - how amp.launch bufferizes ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/Passes.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
struct LaunchModel
    : public bufferization::DstBufferizableOpInterfaceExternalModel<LaunchModel,
                                                                    LaunchOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    return isa<TensorType>(operand.get().getType());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto launch = cast<LaunchOp>(op);
    auto getBuffers = [&](ValueRange values) -> FailureOr<SmallVector<Value>> {
      SmallVector<Value> buffers;
      for (Value value : values) {
        if (!isa<TensorType>(value.getType())) {
          buffers.push_back(value);
          continue;
        }
        FailureOr<Value> buffer =
            bufferization::getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        buffers.push_back(*buffer);
      }
      return buffers;
    };
    FailureOr<SmallVector<Value>> inputs = getBuffers(launch.getInputs());
    FailureOr<SmallVector<Value>> outputs = getBuffers(launch.getOutputs());
    if (failed(inputs) || failed(outputs))
      return failure();
    auto fresh = LaunchOp::create(rewriter, op->getLoc(), TypeRange(),
                                  launch.getKernel(), *inputs, *outputs);
    fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    bufferization::replaceOpWithBufferizedValues(rewriter, op, *outputs);
    return success();
  }
};
} // namespace

void mlir::amp::registerHostBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AMPDialect *) {
    LaunchOp::attachInterface<LaunchModel>(*context);
  });
}
