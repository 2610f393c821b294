//===- Utils.cpp - sizes of device buffers --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Host/Utils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

std::optional<int64_t> mlir::amp::host::getElementBytes(Type type) {
  if (isa<IndexType>(type))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<int64_t> part = getElementBytes(complex.getElementType());
    return part ? std::optional<int64_t>(2 * *part) : std::nullopt;
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::optional<int64_t> element = getElementBytes(vector.getElementType());
    return element && !vector.isScalable()
               ? std::optional<int64_t>(vector.getNumElements() * *element)
               : std::nullopt;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return llvm::PowerOf2Ceil((type.getIntOrFloatBitWidth() + 7) / 8);
}

bool mlir::amp::host::isDeviceMemory(BaseMemRefType type) {
  auto space =
      dyn_cast_or_null<::mlir::gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == ::mlir::gpu::AddressSpace::Global;
}

OpFoldResult mlir::amp::host::multiply(OpBuilder &b, Location loc,
                                       OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> x = getConstantIntValue(lhs),
                         y = getConstantIntValue(rhs);
  if (x && y)
    return b.getIndexAttr(*x * *y);
  if (x == 1)
    return rhs;
  if (y == 1)
    return lhs;
  return arith::MulIOp::create(b, loc,
                               getValueOrCreateConstantIndexOp(b, loc, lhs),
                               getValueOrCreateConstantIndexOp(b, loc, rhs))
      .getResult();
}

OpFoldResult mlir::amp::host::getAllocatedElements(OpBuilder &b,
                                                   memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  Location loc = alloc.getLoc();
  SmallVector<OpFoldResult> sizes = alloc.getMixedSizes();
  if (type.getLayout().isIdentity()) {
    OpFoldResult count = b.getIndexAttr(1);
    for (OpFoldResult size : sizes)
      count = multiply(b, loc, count, size);
    return count;
  }
  // The outermost stride is the distance of whole pieces.
  auto layout = cast<StridedLayoutAttr>(type.getLayout());
  OpFoldResult stride =
      ShapedType::isDynamic(layout.getStrides().front())
          ? OpFoldResult(alloc.getSymbolOperands().front())
          : OpFoldResult(b.getIndexAttr(layout.getStrides().front()));
  return multiply(b, loc, sizes.front(), stride);
}
