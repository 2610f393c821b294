//===- PrepareABI.cpp - who owns what at function boundaries --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

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

static bool isSigned(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && !integer.isSignless();
}

/// Whether `op`, or a function that it declares, has to do with signed or
/// unsigned integers.
static bool usesSignedness(Operation *op) {
  auto any = [](TypeRange types) { return llvm::any_of(types, isSigned); };
  if (any(op->getOperandTypes()) || any(op->getResultTypes()))
    return true;
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (any(function.getArgumentTypes()) || any(function.getResultTypes()))
      return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (any(block.getArgumentTypes()))
        return true;
  return false;
}

/// Makes all integers of `module` signless, and removes the casts that said
/// which sign their bits have: from here on the ops say it.
static void dropSignedness(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return usesSignedness(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  AttrTypeReplacer replacer;
  auto signless = [](IntegerType type) {
    return IntegerType::get(type.getContext(), type.getWidth());
  };
  replacer.addReplacement([=](IntegerType type) -> Type {
    return type.isSignless() ? type : signless(type);
  });
  // The replacer does not look into the data of these.
  replacer.addReplacement(
      [=](DenseIntElementsAttr attr) -> std::optional<Attribute> {
        if (!isSigned(attr.getType()))
          return std::nullopt;
        return attr.bitcast(signless(cast<IntegerType>(attr.getElementType())));
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (isa<tensor::BitcastOp, UnrealizedConversionCastOp>(op) &&
        op->getNumOperands() == 1 && op->getNumResults() == 1 &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    }
  });
}

namespace {
struct PrepareABI : public amp::impl::AmpCPUPrepareABIPassBase<PrepareABI> {
  using Base::Base;

  void runOnOperation() override {
    dropSignedness(getOperation());
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (function.isExternal())
        continue;
      for (auto [i, argument] : llvm::enumerate(function.getArguments()))
        if (isa<TensorType>(argument.getType()))
          function.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName,
              BoolAttr::get(&getContext(), false));
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
