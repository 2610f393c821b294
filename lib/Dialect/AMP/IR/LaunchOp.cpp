//===- LaunchOp.cpp - amp.launch ------------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether an operand of type `operand` may be passed for `argument`: the same
/// type, or a tensor or buffer of compatible shape and the same element type.
static bool isPassable(Type operand, Type argument) {
  auto shaped = dyn_cast<ShapedType>(operand);
  auto tensor = dyn_cast<RankedTensorType>(argument);
  if (!shaped || !tensor)
    return operand == argument;
  return shaped.getElementType() == tensor.getElementType() &&
         succeeded(verifyCompatibleShape(shaped.getShape(), tensor.getShape()));
}

LogicalResult LaunchOp::verify() {
  bool hasTensors = false, hasBuffers = false;
  for (Type type : getOperandTypes()) {
    hasTensors |= isa<TensorType>(type);
    hasBuffers |= isa<BaseMemRefType>(type);
  }
  if (hasTensors && hasBuffers)
    return emitOpError("mixes tensors and buffers; expected one kind");
  if (hasBuffers && getNumResults() != 0)
    return emitOpError("on buffers has no results, but found ")
           << getNumResults();
  if (!hasBuffers && TypeRange(getOutputs()) != TypeRange(getResultTypes()))
    return emitOpError("must give one result of the type of each tensor in "
                       "'outs', but gives ")
           << getResultTypes();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernel());
  if (!function)
    return emitOpError("expected a kernel function, but '")
           << getKernel() << "' is none";
  if (!function->hasAttr(AMPDialect::kKernelAttrName))
    return (emitOpError("expected a kernel function, but '")
            << getKernel() << "' has no attribute '"
            << AMPDialect::kKernelAttrName << "'")
               .attachNote(function.getLoc())
           << "the function is here";
  ArrayRef<Type> arguments = function.getArgumentTypes();
  if (arguments.size() != getNumOperands())
    return emitOpError("has ") << getNumOperands() << " operands, but '"
                               << getKernel() << "' takes " << arguments.size();
  for (auto [index, operand, argument] :
       llvm::enumerate(getOperandTypes(), arguments))
    if (!isPassable(operand, argument))
      return emitOpError("operand ")
             << index << " of type " << operand
             << " does not fit the argument of type " << argument;
  if (function.getNumResults() != getOutputs().size())
    return emitOpError("has ")
           << getOutputs().size() << " destinations, but '" << getKernel()
           << "' gives " << function.getNumResults() << " results";
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getOutputsMutable()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
