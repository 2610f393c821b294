//===- LowerObservations.cpp - amp.observe to calls of the runtime --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Dialect/AMP/IR/AMPObserveOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULOWEROBSERVATIONSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
struct LowerObservations
    : public amp::impl::AmpCPULowerObservationsPassBase<LowerObservations> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ObserveOp> ops;
    getOperation().walk([&](ObserveOp op) { ops.push_back(op); });
    for (ObserveOp op : ops) {
      if (failed(lower(op)))
        return signalPassFailure();
      ++numLowered;
    }
  }

private:
  LogicalResult lower(ObserveOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value value = op.getValue();
    Type element = op.getValue().getType().getElementType();
    if (element.getIntOrFloatBitWidth() == 8) {
      element = b.getF32Type();
      value = arith::ExtFOp::create(
          b, loc, op.getValue().getType().clone(element), value);
    }
    FailureOr<func::FuncOp> callee = getCallee(element, loc);
    if (failed(callee))
      return failure();
    Value slot = arith::ConstantOp::create(
        b, loc, b.getI64IntegerAttr(static_cast<int64_t>(op.getSlot())));
    Value unranked =
        tensor::CastOp::create(b, loc, UnrankedTensorType::get(element), value);
    func::CallOp::create(b, loc, *callee, ValueRange{slot, unranked});
    op.erase();
    return success();
  }

  /// The declaration of the function for elements of `type`.
  FailureOr<func::FuncOp> getCallee(Type type, Location loc) {
    std::string name;
    llvm::raw_string_ostream(name) << "amp_observe_" << type;
    ModuleOp module = getOperation();
    OpBuilder b(module.getBodyRegion());
    auto signature = b.getFunctionType(
        {b.getI64Type(), UnrankedTensorType::get(type)}, TypeRange());
    if (Operation *found = SymbolTable::lookupSymbolIn(module, name)) {
      auto function = dyn_cast<func::FuncOp>(found);
      if (function && function.isExternal() &&
          function.getFunctionType() == signature)
        return function;
      return emitError(found->getLoc())
             << "'" << name
             << "' is the name of a function of the runtime, which amp.observe "
                "calls: rename this one";
    }
    auto function = func::FuncOp::create(b, loc, name, signature);
    function.setPrivate();
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      b.getUnitAttr());
    function.setArgAttr(
        1, bufferization::BufferizationDialect::kBufferAccessAttrName,
        b.getStringAttr("read"));
    return function;
  }
};
} // namespace
