//===- BufferizeHost.cpp - device buffers for host functions --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/Passes.h"

#include "amp/Codegen/Common/CheckTypes.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPBUFFERIZEHOSTPASS
#include "amp/Codegen/Host/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The value whose buffer `tensor` may be a view of.
static Value rootOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

/// Gives results that may share memory copies of their own; returns how many.
static unsigned separateResults(Operation *end) {
  DenseSet<Value> seen;
  OpBuilder b(end);
  unsigned numCopies = 0;
  for (OpOperand &operand : end->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || seen.insert(rootOf(operand.get())).second)
      continue;
    operand.set(bufferization::AllocTensorOp::create(
        b, end->getLoc(), type, ValueRange(), operand.get()));
    ++numCopies;
  }
  return numCopies;
}

namespace {
struct BufferizeHost
    : public amp::impl::AmpBufferizeHostPassBase<BufferizeHost> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkBufferizable(module, "a device")))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && failed(prepare(function)))
        return signalPassFailure();

    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    // What the hardware wants of the base of a tensor map, and of a coalesced
    // access, with room: 256 bytes is what cuMemAlloc gives.
    options.bufferAlignment = 256;
    Attribute space = ::mlir::gpu::AddressSpaceAttr::get(
        &getContext(), ::mlir::gpu::AddressSpace::Global);
    options.defaultMemorySpaceFn =
        [space](TensorType) -> std::optional<Attribute> { return space; };
    options.unknownTypeConverterFn =
        [](TensorType type, Attribute memorySpace,
           const bufferization::BufferizationOptions &) {
          return bufferization::getMemRefTypeWithStaticIdentityLayout(
              type, memorySpace);
        };
    bufferization::BufferizationState state;
    if (failed(
            bufferization::runOneShotModuleBufferize(module, options, state)))
      return signalPassFailure();
  }

private:
  LogicalResult prepare(func::FuncOp function) {
    for (auto [i, argument] : llvm::enumerate(function.getArguments()))
      if (isa<TensorType>(argument.getType()))
        function.setArgAttr(
            i, bufferization::BufferizationDialect::kWritableAttrName,
            BoolAttr::get(&getContext(), false));
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::eliminateEmptyTensors(rewriter, function)))
      return failure();
    splitRankReducingSlices(function);
    if (!function.isPublic())
      return success();
    for (Block &block : function.getFunctionBody())
      if (Operation *end = block.getTerminator();
          end && end->hasTrait<OpTrait::ReturnLike>())
        numCopies += separateResults(end);
    return success();
  }
};
} // namespace
