//===- SeparateBuffers.cpp - buffers that leave a function ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization computes a tensor in place inside a larger one where it can,
// such as the operand of a pad in the padded tensor. Both may be results of
// the function, and the smaller one is not contiguous, though the types of
// functions say so: where strides are dynamic, a cast hides that.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "RowLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUSEPARATEBUFFERSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

/// The memref with gaps that `memref` is, under a type that denies them; null
/// where there is none.
static Value getStrided(Value memref) {
  auto cast = memref.getDefiningOp<memref::CastOp>();
  if (!cast)
    return Value();
  auto from = dyn_cast<MemRefType>(cast.getSource().getType());
  auto to = dyn_cast<MemRefType>(cast.getType());
  return from && to && to.getLayout().isIdentity() &&
                 !from.getLayout().isIdentity()
             ? cast.getSource()
             : Value();
}

namespace {
struct SeparateBuffers
    : public amp::impl::AmpCPUSeparateBuffersPassBase<SeparateBuffers> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!isa<func::ReturnOp, CallOpInterface>(op))
        return;
      DenseSet<Value> returned;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<MemRefType>(operand.get().getType()))
          continue;
        // What deallocation does not own, it copies.
        Value buffer = amp::cpu::getBuffer(operand.get());
        bool isAgain = isa<func::ReturnOp>(op) && !isa<BlockArgument>(buffer) &&
                       !buffer.getDefiningOp<memref::GetGlobalOp>() &&
                       !returned.insert(buffer).second;
        if (isAgain || getStrided(operand.get()))
          copy(operand);
      }
    });
  }

private:
  void copy(OpOperand &operand) {
    Value from = operand.get();
    if (Value strided = getStrided(from))
      from = strided;
    auto type = cast<MemRefType>(operand.get().getType());
    OpBuilder b(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    SmallVector<Value> sizes;
    for (auto [d, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(memref::DimOp::create(b, loc, from, d));
    Value own =
        memref::AllocOp::create(b, loc, type, sizes, b.getI64IntegerAttr(64));
    memref::CopyOp::create(b, loc, from, own);
    operand.set(own);
    ++numCopies;
  }
};
} // namespace
