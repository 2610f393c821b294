//===- LowerParallel.cpp - calls of parallel loops go to the runtime ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Parallel.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULOWERPARALLELPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Of what a call captures; the last two arguments are the range.
static LLVM::LLVMStructType getContextType(LLVM::LLVMFuncOp function) {
  ArrayRef<Type> types = function.getArgumentTypes();
  return LLVM::LLVMStructType::getLiteral(function.getContext(),
                                          types.drop_back(2));
}

/// A function (context, begin, end) that calls `function` with what the
/// context holds.
static LLVM::LLVMFuncOp makeBody(LLVM::LLVMFuncOp function,
                                 SymbolTable &symbols) {
  OpBuilder b(function.getContext());
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, b.getI64Type(), b.getI64Type()});
  b.setInsertionPointAfter(function);
  auto body =
      LLVM::LLVMFuncOp::create(b, loc, (function.getName() + "_body").str(),
                               type, LLVM::Linkage::Private);
  body->remove();
  symbols.insert(body, std::next(Block::iterator(function)));
  Block *entry = body.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  LLVM::LLVMStructType context = getContextType(function);
  SmallVector<Value> operands;
  for (auto [i, field] : llvm::enumerate(context.getBody())) {
    Value address =
        LLVM::GEPOp::create(b, loc, pointer, context, entry->getArgument(0),
                            ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    operands.push_back(LLVM::LoadOp::create(b, loc, field, address));
  }
  operands.push_back(entry->getArgument(1));
  operands.push_back(entry->getArgument(2));
  LLVM::CallOp::create(b, loc, function, operands);
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return body;
}

namespace {
struct LowerParallel
    : public amp::impl::AmpCPULowerParallelPassBase<LowerParallel> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    DenseMap<StringAttr, LLVM::LLVMFuncOp> loops;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(cpu::kParallelAttrName))
        loops[function.getSymNameAttr()] = function;
    if (loops.empty())
      return;
    SmallVector<LLVM::CallOp> calls;
    getOperation()->walk([&](LLVM::CallOp call) {
      FlatSymbolRefAttr callee = call.getCalleeAttr();
      if (callee && loops.contains(callee.getAttr()))
        calls.push_back(call);
    });
    FailureOr<LLVM::LLVMFuncOp> runtime = declareRuntime();
    if (failed(runtime))
      return signalPassFailure();
    DenseMap<StringAttr, LLVM::LLVMFuncOp> bodies;
    for (LLVM::CallOp call : calls) {
      StringAttr name = call.getCalleeAttr().getAttr();
      LLVM::LLVMFuncOp &body = bodies[name];
      if (!body)
        body = makeBody(loops[name], symbols);
      lower(call, loops[name], body, *runtime);
      ++numLowered;
    }
    for (auto [name, function] : loops)
      function->removeAttr(cpu::kParallelAttrName);
  }

private:
  FailureOr<LLVM::LLVMFuncOp> declareRuntime() {
    OpBuilder b(&getContext());
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    return LLVM::lookupOrCreateFn(
        b, getOperation(), "amp_parallel_for",
        {pointer, pointer, b.getI64Type(), b.getI64Type()},
        LLVM::LLVMVoidType::get(&getContext()));
  }

  void lower(LLVM::CallOp call, LLVM::LLVMFuncOp function,
             LLVM::LLVMFuncOp body, LLVM::LLVMFuncOp runtime) {
    Location loc = call.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    LLVM::LLVMStructType type = getContextType(function);
    // In the entry block: a loop around the call must not grow the stack.
    OpBuilder b(&getContext());
    b.setInsertionPointToStart(
        &call->getParentOfType<LLVM::LLVMFuncOp>().getBody().front());
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
    Value context = LLVM::AllocaOp::create(b, loc, pointer, type, one);
    b.setInsertionPoint(call);
    for (auto [i, value] :
         llvm::enumerate(call.getArgOperands().drop_back(2))) {
      Value address =
          LLVM::GEPOp::create(b, loc, pointer, type, context,
                              ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(b, loc, value, address);
    }
    Value address = LLVM::AddressOfOp::create(b, loc, body);
    Value grain = LLVM::ConstantOp::create(
        b, loc, function->getAttrOfType<IntegerAttr>(cpu::kParallelAttrName));
    LLVM::CallOp::create(
        b, loc, runtime,
        ValueRange{address, context, call.getArgOperands().back(), grain});
    call->erase();
  }
};
} // namespace
