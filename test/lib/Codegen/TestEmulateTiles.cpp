//===- TestEmulateTiles.cpp - tile registers on any processor -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

/// Turns the intrinsics of AMX in the LLVM dialect, which are the last that the
/// compiler says of tiles, into calls of functions `amp_emulate_*` that do the
/// same on memory. A tile becomes a vector of 1 KiB; calls pass it in memory.
struct TestEmulateTilesPass
    : PassWrapper<TestEmulateTilesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestEmulateTilesPass)

  StringRef getArgument() const final { return "test-amp-emulate-tiles"; }
  StringRef getDescription() const final {
    return "replace the intrinsics of AMX by calls of an emulation";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> functions(
        getOperation().getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions)
      if (!function.isExternal() && failed(emulate(function)))
        return signalPassFailure();
  }

private:
  LogicalResult emulate(LLVM::LLVMFuncOp function) {
    IRRewriter b(&getContext());
    auto tileType = LLVM::LLVMX86AMXType::get(&getContext());
    auto vectorType = VectorType::get({1024}, b.getI8Type());
    SmallVector<LLVM::CallIntrinsicOp> intrinsics;
    SmallVector<LLVM::CallOp> permissions;
    function.walk([&](Operation *op) {
      if (auto call = dyn_cast<LLVM::CallOp>(op);
          call && call.getCallee() == "amp_enable_tiles")
        permissions.push_back(call);
      auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
      if (intrinsic && (llvm::is_contained(op->getOperandTypes(), tileType) ||
                        llvm::is_contained(op->getResultTypes(), tileType)))
        intrinsics.push_back(intrinsic);
    });
    for (LLVM::CallOp call : permissions)
      call.erase();
    // Everything that carries a tile carries a vector.
    function.walk([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (argument.getType() == tileType)
              argument.setType(vectorType);
      for (Value result : op->getResults())
        if (result.getType() == tileType)
          result.setType(vectorType);
    });
    // The place of a result, which is also that of the sums, then of operands.
    b.setInsertionPointToStart(&function.getBody().front());
    Location loc = function.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
    SmallVector<Value> places;
    for (int i = 0; i < 3; ++i)
      places.push_back(LLVM::AllocaOp::create(b, loc, pointer, vectorType, one,
                                              /*alignment=*/64));
    for (LLVM::CallIntrinsicOp op : intrinsics) {
      StringRef name = op.getIntrin();
      if (!name.consume_front("llvm.x86.") ||
          !(name.consume_back("64.internal") || name.consume_back(".internal")))
        return op->emitOpError("is no instruction of AMX that is known");
      b.setInsertionPoint(op);
      SmallVector<Value> operands, tiles(op.getArgs());
      SmallVector<Value> scalars;
      llvm::erase_if(tiles, [&](Value operand) {
        bool isScalar = operand.getType() != vectorType;
        if (isScalar)
          scalars.push_back(operand);
        return isScalar;
      });
      for (auto [tile, place] : llvm::zip(tiles, places))
        LLVM::StoreOp::create(b, op.getLoc(), tile, place, 64);
      operands.push_back(places[0]);
      llvm::append_range(operands, scalars);
      for (size_t i = 1; i < tiles.size(); ++i)
        operands.push_back(places[i]);
      LLVM::CallOp::create(b, op.getLoc(),
                           declare(("amp_emulate_" + name).str(),
                                   ValueRange(operands).getTypes()),
                           operands);
      if (op.getNumResults() == 0)
        b.eraseOp(op);
      else
        b.replaceOp(op, LLVM::LoadOp::create(b, op.getLoc(), vectorType,
                                             places[0], 64));
    }
    return success();
  }

  LLVM::LLVMFuncOp declare(StringRef name, TypeRange operands) {
    if (auto known = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder b(getOperation().getBodyRegion());
    return LLVM::LLVMFuncOp::create(
        b, getOperation().getLoc(), name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    llvm::to_vector(operands)));
  }
};

} // namespace

namespace mlir::amp::test {
void registerCodegenTestPasses() { PassRegistration<TestEmulateTilesPass>(); }
} // namespace mlir::amp::test
