//===- PrecisionOpInterface.cpp - what an op can do about precision -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/PrecisionOpInterface.h"

#include "amp/Formats/Formats.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

#include "amp/Interfaces/PrecisionOpInterface.cpp.inc"

StringRef mlir::amp::stringifyPrecisionClass(PrecisionClass precisionClass) {
  switch (precisionClass) {
  case PrecisionClass::Contraction:
    return "contraction";
  case PrecisionClass::Convolution:
    return "convolution";
  case PrecisionClass::Pooling:
    return "pooling";
  case PrecisionClass::Elementwise:
    return "elementwise";
  case PrecisionClass::Reduction:
    return "reduction";
  case PrecisionClass::Selection:
    return "selection";
  case PrecisionClass::Normalization:
    return "normalization";
  case PrecisionClass::DataMovement:
    return "data_movement";
  case PrecisionClass::Generator:
    return "generator";
  case PrecisionClass::Cast:
    return "cast";
  case PrecisionClass::Pinned:
    return "pinned";
  }
  llvm_unreachable("unknown precision class");
}

Type mlir::amp::getFloatElementType(Type type) {
  if (isa<BaseMemRefType>(type))
    return {};
  Type elementType = getElementTypeOrSelf(type);
  return isStorageFloat(elementType) ? elementType : Type();
}

OperandRole mlir::amp::detail::getDefaultOperandRole(Operation *op,
                                                     unsigned operand) {
  return getFloatElementType(op->getOperand(operand).getType())
             ? OperandRole::Input
             : OperandRole::Ignored;
}

Type mlir::amp::detail::getDefaultComputeType(Type storage) {
  if (!isa_and_present<FloatType>(storage) ||
      storage.getIntOrFloatBitWidth() > 32)
    return storage;
  return Float32Type::get(storage.getContext());
}

LogicalResult mlir::amp::detail::retypeResults(Operation *op,
                                               const PrecisionTypes &types) {
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types.results))
    if (type)
      result.setType(withElementType(result.getType(), type));
  return success();
}

std::optional<int64_t> mlir::amp::detail::getDefaultNumBytes(Operation *op) {
  int64_t bytes = 0;
  auto add = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped)
      return true;
    if (!shaped.hasStaticShape() || !shaped.getElementType().isIntOrFloat())
      return false;
    bytes += llvm::divideCeil(
        shaped.getNumElements() * shaped.getElementTypeBitWidth(), 8);
    return true;
  };
  auto interface = cast<PrecisionOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (interface.getOperandRole(operand.getOperandNumber()) !=
            OperandRole::Destination &&
        !add(operand.get().getType()))
      return std::nullopt;
  for (Type type : op->getResultTypes())
    if (!add(type))
      return std::nullopt;
  return bytes;
}
