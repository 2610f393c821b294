//===- PadRowStrides.cpp - aligned rows of intermediates ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/Passes.h"
#include "amp/Codegen/Host/Utils.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace mlir::amp {
#define GEN_PASS_DEF_AMPPADROWSTRIDESPASS
#include "amp/Codegen/Host/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Whether nothing but kernels sees the buffer, so that its layout is free.
static bool isPrivateToKernels(memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(), [](Operation *user) {
    return isa<LaunchOp, memref::DeallocOp>(user);
  });
}

namespace {
struct PadRowStrides
    : public amp::impl::AmpPadRowStridesPassBase<PadRowStrides> {
  using Base::Base;

  void runOnOperation() override {
    if (alignment <= 0 || !llvm::isPowerOf2_64(alignment)) {
      getOperation()->emitError()
          << "amp-pad-row-strides: 'alignment' must be a power of two, but is "
          << alignment.getValue();
      return signalPassFailure();
    }
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk([&](memref::AllocOp op) { allocs.push_back(op); });
    for (memref::AllocOp alloc : allocs)
      if (isPrivateToKernels(alloc))
        pad(alloc);
  }

private:
  void pad(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    std::optional<int64_t> elementBytes =
        host::getElementBytes(type.getElementType());
    if (type.getRank() < 2 || !type.getLayout().isIdentity() || !elementBytes)
      return;
    // Elements of which the stride must be a multiple.
    int64_t unit = alignment / std::gcd(alignment.getValue(), *elementBytes);
    int64_t row = type.getShape().back();
    if (unit == 1 || (!ShapedType::isDynamic(row) &&
                      (row * *elementBytes < minRowBytes || row % unit == 0)))
      return;

    // Strides from the inside out; `value` where a size is dynamic.
    OpBuilder b(alloc);
    Location loc = alloc.getLoc();
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    SmallVector<Value> strideOperands;
    SmallVector<OpFoldResult> sizes = alloc.getMixedSizes();
    strides.back() = 1;
    OpFoldResult stride = roundUp(b, loc, sizes.back(), unit);
    for (int64_t d = type.getRank() - 2; d >= 0; --d) {
      if (std::optional<int64_t> known = getConstantIntValue(stride))
        strides[d] = *known;
      else
        strideOperands.insert(strideOperands.begin(), cast<Value>(stride));
      if (d > 0)
        stride = host::multiply(b, loc, stride, sizes[d]);
    }
    auto layout = StridedLayoutAttr::get(&getContext(), 0, strides);
    auto padded = MemRefType::get(type.getShape(), type.getElementType(),
                                  layout, type.getMemorySpace());
    auto fresh =
        memref::AllocOp::create(b, loc, padded, alloc.getDynamicSizes(),
                                strideOperands, alloc.getAlignmentAttr());
    alloc->replaceAllUsesWith(fresh);
    alloc->erase();
    ++numPadded;
  }

  static OpFoldResult roundUp(OpBuilder &b, Location loc, OpFoldResult size,
                              int64_t unit) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return b.getIndexAttr(llvm::alignTo(*known, unit));
    Value units = arith::ConstantIndexOp::create(b, loc, unit);
    Value count = arith::CeilDivUIOp::create(b, loc, cast<Value>(size), units);
    return arith::MulIOp::create(b, loc, count, units).getResult();
  }
};
} // namespace
