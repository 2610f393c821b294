//===- RetypeMasked.cpp - masked accesses to bf16 as i16 ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPURETYPEMASKEDPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The type with the same bits, if `type` is a vector of bf16 (or of f16); else
/// null.
static VectorType getRetyped(Type type, bool f16 = false) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !(vector.getElementType().isBF16() ||
                   (f16 && vector.getElementType().isF16())))
    return {};
  return vector.clone(IntegerType::get(type.getContext(), 16));
}

namespace {
struct RetypeMasked
    : public amp::impl::AmpCPURetypeMaskedPassBase<RetypeMasked> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      OpBuilder b(op);
      if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
        Value value = store.getValue();
        if (VectorType type = getRetyped(value.getType())) {
          store.getValueMutable().assign(
              LLVM::BitcastOp::create(b, op->getLoc(), type, value));
          ++numRetyped;
        }
        return;
      }
      if (auto store = dyn_cast<LLVM::StoreOp>(op);
          store && store.getNontemporal()) {
        Value value = store.getValue();
        if (VectorType type = getRetyped(value.getType(), /*f16=*/true)) {
          store.getValueMutable().assign(
              LLVM::BitcastOp::create(b, op->getLoc(), type, value));
          ++numRetyped;
        }
        return;
      }
      auto load = dyn_cast<LLVM::MaskedLoadOp>(op);
      if (!load)
        return;
      VectorType type = getRetyped(load.getRes().getType());
      if (!type)
        return;
      VectorType original = cast<VectorType>(load.getRes().getType());
      for (OpOperand &rest : load.getPassThruMutable())
        rest.set(LLVM::BitcastOp::create(b, op->getLoc(), type, rest.get()));
      load.getRes().setType(type);
      b.setInsertionPointAfter(op);
      auto back = LLVM::BitcastOp::create(b, op->getLoc(), original, load);
      load.getRes().replaceAllUsesExcept(back, back);
      ++numRetyped;
    });
  }
};
} // namespace
