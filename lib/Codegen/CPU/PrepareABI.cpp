//===- PrepareABI.cpp - who owns what at function boundaries --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/CPU/Preparation.h"
#include "amp/Codegen/Common/CheckTypes.h"
#include "amp/Codegen/Common/Signedness.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUPREPAREABIPASS
#include "amp/Codegen/CPU/Passes.h.inc"
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

/// Bufferization takes a vector that is written at the origin of a tensor of
/// higher rank and static shape for all of that tensor (MLIR 22.1), and leaves
/// out the copy of what it does not overwrite. An index that only a later
/// folding knows to be zero hides the origin from it.
static void hideOrigin(vector::TransferWriteOp write) {
  auto type = dyn_cast<RankedTensorType>(write.getShapedType());
  if (!type || !type.hasStaticShape() ||
      type.getRank() == write.getVectorType().getRank() ||
      !llvm::all_of(write.getIndices(), [](Value index) {
        return getConstantIntValue(index) == 0;
      }))
    return;
  OpBuilder b(write);
  Value zero = write.getIndices().front();
  write.getIndicesMutable()[0].set(
      arith::AddIOp::create(b, write.getLoc(), zero, zero));
}

namespace {
struct PrepareABI : public amp::impl::AmpCPUPrepareABIPassBase<PrepareABI> {
  using Base::Base;

  void runOnOperation() override {
    dropSignedness(getOperation(), /*keepNotes=*/false);
    if (failed(checkBufferizable(getOperation(), "the CPU")))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (function.isExternal())
        continue;
      for (auto [i, argument] : llvm::enumerate(function.getArguments()))
        if (isa<TensorType>(argument.getType()))
          function.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName,
              BoolAttr::get(&getContext(), false));
      notePrepared(function);
      function->walk(hideOrigin);
      if (!function.isPublic())
        continue;
      function->setAttr("llvm.emit_c_interface", UnitAttr::get(&getContext()));
      for (Block &block : function.getFunctionBody())
        if (Operation *end = block.getTerminator();
            end && end->hasTrait<OpTrait::ReturnLike>())
          separateResults(end);
    }
  }

private:
  /// Keeps what `amp-split-init` has made of `function` where the types of
  /// tensors outlive the lowering to LLVM.
  void notePrepared(FunctionOpInterface function) {
    Builder b(&getContext());
    SmallVector<int64_t> weights;
    SmallVector<Attribute> prepared;
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      if (function.removeArgAttr(i, AMPDialect::kWeightAttrName))
        weights.push_back(i);
      if (function.removeArgAttr(i, AMPDialect::kPreparedAttrName))
        prepared.push_back(TypeAttr::get(function.getArgumentTypes()[i]));
    }
    if (prepared.empty())
      return;
    function->setAttr(cpu::kInitWeightsAttrName,
                      b.getDenseI64ArrayAttr(weights));
    function->setAttr(cpu::kInitResultsAttrName, b.getArrayAttr(prepared));
  }

  void separateResults(Operation *end) {
    DenseSet<Value> seen;
    OpBuilder b(end);
    for (OpOperand &operand : end->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      if (seen.insert(rootOf(operand.get())).second)
        continue;
      auto type = cast<RankedTensorType>(operand.get().getType());
      operand.set(bufferization::AllocTensorOp::create(
          b, end->getLoc(), type, ValueRange(), operand.get()));
      ++numCopies;
    }
  }
};
} // namespace
