//===- OutDtypeBackward.cpp - the pass amp-out-dtype-backward -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Interfaces/GradientOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPOUTDTYPEBACKWARDPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The amp.out_dtype whose gradient is the function's; null, with an error,
/// where the function does anything else with its arguments.
static OutDtypeOp getOnlyOp(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody())) {
    function->emitError("has no gradient: expected one block, but found ")
        << function.getBody().getBlocks().size();
    return {};
  }
  Block &body = function.getBody().front();
  OutDtypeOp found;
  for (Operation &op : body.without_terminator()) {
    if (auto outDtype = dyn_cast<OutDtypeOp>(op)) {
      if (found) {
        op.emitError("is a second amp.out_dtype in '")
            << function.getName()
            << "': amp-out-dtype-backward takes functions with one";
        return {};
      }
      found = outDtype;
      continue;
    }
    bool isConstant =
        op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
        llvm::none_of(op.getOperands(), [&](Value operand) {
          return operand.getDefiningOp() == found ||
                 (isa<BlockArgument>(operand) && !isa<tensor::DimOp>(op));
        });
    if (!isConstant && !isa<linalg::FillOp>(op)) {
      op.emitError("works on an argument or on the result of amp.out_dtype in "
                   "'")
          << function.getName()
          << "', which has a gradient for amp.out_dtype only: put that in a "
             "function of its own";
      return {};
    }
  }
  if (!found) {
    function->emitError("has no gradient: expected one amp.out_dtype, but "
                        "found none");
    return {};
  }
  Operation *ret = body.getTerminator();
  if (ret->getNumOperands() != 1 ||
      ret->getOperand(0).getDefiningOp() != found) {
    ret->emitError("expected '")
        << function.getName() << "' to return the result of amp.out_dtype, "
        << "and nothing else";
    return {};
  }
  return found;
}

namespace {
struct AmpOutDtypeBackwardPass
    : public amp::impl::AmpOutDtypeBackwardPassBase<AmpOutDtypeBackwardPass> {
  using Base::Base;

  void runOnOperation() final {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
};
} // namespace

LogicalResult AmpOutDtypeBackwardPass::run() {
  ModuleOp module = getOperation();
  auto function = module.lookupSymbol<func::FuncOp>(this->function);
  if (!function || function.isExternal())
    return emitError(module.getLoc())
           << "amp-out-dtype-backward: expected option 'function' to name a "
              "function with a body, but "
           << (function ? "'" + this->function + "' has none"
                        : "there is no function '" + this->function + "'");
  std::string name = this->function + "_backward";
  if (Operation *other = module.lookupSymbol(name))
    return other->emitError("is in the way of the gradient of '")
           << this->function << "', which is called '" << name
           << "': rename it";
  OutDtypeOp source = getOnlyOp(function);
  if (!source)
    return failure();
  auto interface = dyn_cast<GradientOpInterface>(source.getOperation());
  if (!interface)
    return source.emitOpError("has no gradient: register amp's dialects with "
                              "registerAllDialects");

  OpBuilder b(&getContext());
  b.setInsertionPointAfter(function);
  SmallVector<Type> arguments(function.getArgumentTypes());
  RankedTensorType result = source.getType();
  arguments.push_back(
      result.clone(interface.getGradientType(result.getElementType())));
  auto backward = func::FuncOp::create(
      b, function.getLoc(), name, b.getFunctionType(arguments, TypeRange()));
  Block *body = backward.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(function.getArguments(),
              body->getArguments().take_front(function.getNumArguments()));
  for (Operation &op : function.getBody().front().without_terminator())
    b.clone(op, mapping);
  auto copy =
      cast<OutDtypeOp>(mapping.lookup(source.getResult()).getDefiningOp());
  SmallVector<Value> gradients;
  if (failed(cast<GradientOpInterface>(copy.getOperation())
                 .buildGradients(b, body->getArguments().back(), gradients))) {
    backward.erase();
    return failure();
  }
  // By argument; what is captured twice has one gradient in each place.
  SmallVector<Value> results;
  for (BlockArgument argument : body->getArguments().drop_back()) {
    Value total;
    for (auto [capture, gradient] :
         llvm::zip_equal(copy.getCaptures(), gradients)) {
      if (capture != argument || !gradient)
        continue;
      total =
          total
              ? Value(arith::AddFOp::create(b, copy.getLoc(), total, gradient))
              : gradient;
    }
    if (total)
      results.push_back(total);
  }
  func::ReturnOp::create(b, function.getLoc(), results);
  backward.setFunctionType(b.getFunctionType(arguments, TypeRange(results)));
  copy.erase();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(body->getOperations())))
    if (isOpTriviallyDead(&op))
      op.erase();
  ++numFunctions;
  return success();
}
