//===- RetypeMasked.cpp - masked accesses that LLVM gets wrong ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

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

/// The lane that alone is set in the constant `mask`; none where it is not
/// constant or another number of lanes is set.
static std::optional<int64_t> getLoneLane(Value mask) {
  DenseElementsAttr lanes;
  if (!matchPattern(mask, m_Constant(&lanes)))
    return std::nullopt;
  std::optional<int64_t> lone;
  for (auto [lane, isSet] : llvm::enumerate(lanes.getValues<bool>())) {
    if (isSet && lone)
      return std::nullopt;
    if (isSet)
      lone = lane;
  }
  return lone;
}

/// Stores the lane of `store` that alone is set as a scalar, where elements are
/// narrow integers.
static bool storeLoneLane(LLVM::MaskedStoreOp store) {
  auto type = cast<VectorType>(store.getValue().getType());
  std::optional<int64_t> lane = getLoneLane(store.getMask());
  if (!lane || !type.getElementType().isInteger() ||
      type.getElementTypeBitWidth() >= 32)
    return false;
  OpBuilder b(store);
  Location loc = store.getLoc();
  Value index = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(*lane));
  Value element =
      LLVM::ExtractElementOp::create(b, loc, store.getValue(), index);
  Value place = LLVM::GEPOp::create(b, loc, store.getData().getType(),
                                    type.getElementType(), store.getData(),
                                    ArrayRef<LLVM::GEPArg>{int32_t(*lane)});
  LLVM::StoreOp::create(b, loc, element, place,
                        *lane == 0 ? store.getAlignment() : 1);
  store.erase();
  return true;
}

namespace {
struct RetypeMasked
    : public amp::impl::AmpCPURetypeMaskedPassBase<RetypeMasked> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      OpBuilder b(op);
      if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
        if (storeLoneLane(store)) {
          ++numScalar;
          return;
        }
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
