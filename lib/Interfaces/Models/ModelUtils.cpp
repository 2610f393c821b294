//===- ModelUtils.cpp - building blocks of interface models ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

std::optional<int64_t> mlir::amp::getNumElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 1;
  if (!shaped.hasStaticShape())
    return std::nullopt;
  return shaped.getNumElements();
}

std::optional<int64_t> mlir::amp::getSubsetReadBytes(Operation *op) {
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type)
    return 0;
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  return 2 * llvm::divideCeil(
                 type.getNumElements() * type.getElementTypeBitWidth(), 8);
}

bool mlir::amp::isConvertibleFloatValue(Attribute value) {
  return isa_and_present<FloatAttr, DenseFPElementsAttr>(value);
}

TypedAttr mlir::amp::convertFloatElements(Attribute value, Type elementType) {
  auto rounding = llvm::RoundingMode::NearestTiesToEven;
  if (auto scalar = dyn_cast<FloatAttr>(value))
    return convertElement(scalar, scalar.getType(), elementType, rounding,
                          /*saturate=*/false);
  return convertElements(cast<DenseElementsAttr>(value), elementType, rounding,
                         /*saturate=*/false);
}

Value mlir::amp::castToElementType(RewriterBase &rewriter, Location loc,
                                   Value value, Type elementType) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  return CastOp::create(rewriter, loc,
                        withElementType(value.getType(), elementType), value,
                        CastOrigin::policy, /*mayElide=*/true);
}

void mlir::amp::castYieldedValues(RewriterBase &rewriter, Operation *op,
                                  unsigned index, Type elementType) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Operation *terminator = block.getTerminator();
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(terminator);
      Value value =
          castToElementType(rewriter, terminator->getLoc(),
                            terminator->getOperand(index), elementType);
      rewriter.modifyOpInPlace(terminator,
                               [&] { terminator->setOperand(index, value); });
    }
}
