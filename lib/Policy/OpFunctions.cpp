//===- OpFunctions.cpp - what ops compute, as far as rules ask ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/OpFunctions.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/PrecisionOpInterface.h"
#include "amp/Policy/OpNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::amp;
using linalg::LinalgOp;

static llvm::StringMap<OpFunction> makeFunctionTable() {
  llvm::StringMap<OpFunction> table;
#define AMP_FUNCTION(NAME, FUNCTION)                                           \
  table.try_emplace(NAME, OpFunction::FUNCTION);
#include "OpFunctions.def"
  return table;
}

OpFunction mlir::amp::getOpFunction(Operation *op) {
  static const llvm::StringMap<OpFunction> table = makeFunctionTable();
  auto it = table.find(getFactName(op->getName().getStringRef()));
  if (it != table.end())
    return it->second;
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!interface)
    return OpFunction::Other;
  PrecisionClass precisionClass = interface.getPrecisionClass();
  return precisionClass == PrecisionClass::Cast ||
                 precisionClass == PrecisionClass::DataMovement
             ? OpFunction::Identity
             : OpFunction::Other;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// The number that a scalar, or all elements of a splat, are.
static std::optional<double> getNumber(Attribute attribute) {
  if (auto dense = dyn_cast_or_null<SplatElementsAttr>(attribute))
    attribute = dense.getSplatValue<Attribute>();
  if (auto value = dyn_cast_or_null<FloatAttr>(attribute))
    return value.getValueAsDouble();
  if (auto value = dyn_cast_or_null<IntegerAttr>(attribute))
    return value.getType().isUnsignedInteger()
               ? value.getValue().roundToDouble(/*isSigned=*/false)
               : value.getValue().signedRoundToDouble();
  return std::nullopt;
}

std::optional<double> mlir::amp::getConstantNumber(Value value) {
  Operation *producer = traceValue(value).getDefiningOp();
  if (!producer)
    return std::nullopt;
  Attribute constant;
  if (matchPattern(producer, m_Constant(&constant)))
    return getNumber(constant);
  // Ops of unregistered dialects that hold a constant do so under this name.
  return producer->isRegistered() ? std::nullopt
                                  : getNumber(producer->getAttr("value"));
}

std::optional<double>
mlir::amp::getNumberParameter(Operation *op, StringRef name,
                              std::optional<unsigned> operand) {
  if (std::optional<double> number = getNumber(op->getAttr(name)))
    return number;
  if (operand && *operand < op->getNumOperands())
    return getConstantNumber(op->getOperand(*operand));
  return std::nullopt;
}

std::optional<SmallVector<int64_t>>
mlir::amp::getIntegersParameter(Operation *op, StringRef name) {
  Attribute attribute = op->getAttr(name);
  SmallVector<int64_t> result;
  if (auto value = dyn_cast_or_null<IntegerAttr>(attribute))
    return SmallVector<int64_t>{value.getInt()};
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseI32ArrayAttr>(attribute))
    return SmallVector<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseIntElementsAttr>(attribute)) {
    for (const APInt &value : list.getValues<APInt>())
      result.push_back(value.getSExtValue());
    return result;
  }
  auto list = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!list || !llvm::all_of(list, llvm::IsaPred<IntegerAttr>))
    return std::nullopt;
  for (Attribute value : list)
    result.push_back(cast<IntegerAttr>(value).getInt());
  return result;
}

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

/// The value that `value` only hands on, or null if it is computed.
static Value traceStep(Value value, TracedCasts casts) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto scope = dyn_cast_or_null<AutocastOp>(parent))
      return scope.getCaptures()[argument.getArgNumber()];
    auto structured = dyn_cast_or_null<LinalgOp>(parent);
    if (!structured || argument.getOwner() != structured.getBlock())
      return {};
    OpOperand *operand = structured.getMatchingOpOperand(argument);
    return structured.isDpsInit(operand) &&
                   structured.getNumReductionLoops() != 0
               ? Value()
               : operand->get();
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  if (auto scope = dyn_cast<AutocastOp>(op))
    return scope.getYield().getOperand(result.getResultNumber());
  if (auto structured = dyn_cast<LinalgOp>(op)) {
    if (structured.getNumReductionLoops() != 0)
      return {};
    return structured.getBlock()->getTerminator()->getOperand(
        result.getResultNumber());
  }
  if (getOpFunction(op) != OpFunction::Identity || op->getNumOperands() == 0)
    return {};
  // Not where values of several operands come together; what else there is are
  // shapes and destinations.
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  auto isInput = [&](unsigned index) {
    return interface ? interface.getOperandRole(index) == OperandRole::Input
                     : !!getFloatElementType(op->getOperand(index).getType());
  };
  if (llvm::count_if(llvm::seq(op->getNumOperands()), isInput) > 1)
    return {};
  Value source = op->getOperand(0);
  Type from = getElementTypeOrSelf(source.getType());
  Type to = getElementTypeOrSelf(value.getType());
  if (from != to && casts == TracedCasts::exact &&
      !(isStorageFloat(from) && isStorageFloat(to) &&
        isValuePreserving(from, to)))
    return {};
  return source;
}

Value mlir::amp::traceValue(Value value, TracedCasts casts) {
  while (Value source = traceStep(value, casts))
    value = source;
  return value;
}

Operation *mlir::amp::getDecidedOp(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<LinalgOp>(parent))
      op = parent;
  return op;
}
