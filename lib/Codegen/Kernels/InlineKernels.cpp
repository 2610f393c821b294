//===- InlineKernels.cpp - launches become ops again ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/Passes.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPINLINEKERNELSPASS
#include "amp/Codegen/Kernels/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// `value` as `type`, which is of a compatible shape.
static Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, loc, type, value);
}

static void inlineLaunch(IRRewriter &rewriter, LaunchOp launch,
                         func::FuncOp kernel) {
  rewriter.setInsertionPoint(launch);
  IRMapping mapping;
  for (auto [argument, operand] :
       llvm::zip_equal(kernel.getArguments(), launch.getOperands()))
    mapping.map(argument,
                castTo(rewriter, launch.getLoc(), operand, argument.getType()));
  for (Operation &op : kernel.front().without_terminator())
    rewriter.clone(op, mapping);
  SmallVector<Value> results;
  for (auto [value, result] : llvm::zip_equal(
           kernel.front().getTerminator()->getOperands(), launch.getResults()))
    results.push_back(castTo(rewriter, launch.getLoc(),
                             mapping.lookupOrDefault(value), result.getType()));
  rewriter.replaceOp(launch, results);
}

namespace {
struct InlineKernels
    : public amp::impl::AmpInlineKernelsPassBase<InlineKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTableCollection symbols;
    SmallVector<std::pair<LaunchOp, func::FuncOp>> launches;
    WalkResult result = module.walk([&](LaunchOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          launch, launch.getKernel());
      if (!kernel || kernel.isExternal()) {
        launch.emitOpError("cannot be inlined: expected a kernel function "
                           "with a body, but '")
            << launch.getKernel() << "' is none";
        return WalkResult::interrupt();
      }
      if (!launch.hasPureTensorSemantics()) {
        launch.emitOpError("works on buffers, but '")
            << getArgument()
            << "' inlines launches on tensors: run it before bufferization";
        return WalkResult::interrupt();
      }
      launches.push_back({launch, kernel});
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (auto [launch, kernel] : launches) {
      inlineLaunch(rewriter, launch, kernel);
      ++numInlined;
    }
    eraseKernels(module);
  }

private:
  /// Removes the kernel functions, which nothing launches any more, and the
  /// modules that held nothing else.
  void eraseKernels(ModuleOp module) {
    for (ModuleOp nested :
         llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
      bool hadKernel = false;
      for (func::FuncOp function :
           llvm::make_early_inc_range(nested.getOps<func::FuncOp>()))
        if (function->hasAttr(AMPDialect::kKernelAttrName)) {
          function.erase();
          hadKernel = true;
        }
      if (hadKernel && nested.getBody()->empty())
        nested.erase();
    }
  }
};
} // namespace
