//===- PromoteOp.cpp - amp.promote ----------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionText.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/TypePromotion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

/// Whether an operand of type `type` takes part in a promotion of mode
/// autocast.
static bool isEligible(Type type) {
  Type elementType = getElementTypeOrSelf(type);
  return isa<FloatType>(elementType) && !elementType.isF64();
}

/// The element type that the promoted operands get; null if none takes part, or
/// if there is no common type, which `conflict` says.
static Type getCommonType(TypeRange types, PromoteMode mode, Type atLeast,
                          PromotionConflict *conflict = nullptr) {
  if (mode == PromoteMode::elementwise) {
    SmallVector<Type> all(types);
    Type common = getResultType(all, conflict);
    if (!common || !atLeast || !isa<FloatType>(common))
      return common;
    return joinFloatTypes({common, atLeast});
  }
  SmallVector<Type> elements;
  for (Type type : types)
    if (isEligible(type))
      elements.push_back(getElementTypeOrSelf(type));
  if (elements.empty())
    return {};
  if (atLeast)
    elements.push_back(atLeast);
  return joinFloatTypes(elements);
}

LogicalResult PromoteOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  const Properties &options = *properties.as<Properties *>();
  Type atLeast =
      options.at_least ? cast<TypeAttr>(options.at_least).getValue() : Type();
  if (atLeast && (!isa<FloatType>(atLeast) || !isAMPElementType(atLeast)))
    return emitOptionalError(location, "'", getOperationName(),
                             "' op expected 'at_least' to be a float type that "
                             "amp stores, but found ",
                             atLeast);
  PromoteMode mode = options.getMode();
  PromotionConflict conflict;
  Type common = getCommonType(operands.getTypes(), mode, atLeast, &conflict);
  if (conflict.a)
    return emitOptionalError(
        location, "'", getOperationName(),
        "' op has no common type for its operands: ", conflict.describe());
  for (Type type : operands.getTypes())
    inferred.push_back(
        common && (mode == PromoteMode::elementwise || isEligible(type))
            ? withElementType(type, common)
            : type);
  return success();
}

void PromoteOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange inputs, PromoteMode mode, Type atLeast) {
  state.addOperands(inputs);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setMode(mode);
  if (atLeast)
    properties.at_least = TypeAttr::get(atLeast);
  Type common = getCommonType(inputs.getTypes(), mode, atLeast);
  for (Type type : inputs.getTypes())
    state.addTypes(
        common && (mode == PromoteMode::elementwise || isEligible(type))
            ? withElementType(type, common)
            : type);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

ParseResult PromoteOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<Type> types;
  Properties &properties = state.getOrAddProperties<Properties>();
  SMLoc inputsLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(inputs))
    return failure();
  auto parseOwn = [&](StringRef name) -> OptionalParseResult {
    if (name == "mode") {
      PromoteMode mode = PromoteMode::autocast;
      ParseResult parsed = parseEnumOption<PromoteMode>(
          parser, name, symbolizePromoteMode, "autocast, elementwise", mode);
      properties.setMode(mode);
      return parsed;
    }
    if (name == "at_least") {
      Type type;
      if (parser.parseEqual() || parser.parseType(type))
        return failure();
      properties.at_least = TypeAttr::get(type);
      return success();
    }
    if (name != "strict")
      return std::nullopt;
    properties.setStrict(true);
    return success();
  };
  if (parseOptions(parser, state, "'mode', 'at_least', 'strict'", parseOwn) ||
      parser.parseOptionalColonTypeList(types) ||
      parser.resolveOperands(inputs, types, inputsLoc, state.operands))
    return failure();
  // The verifier of the operand types comes later; inference needs them sound.
  for (Type type : types)
    if ((!isAMPElementType(getElementTypeOrSelf(type)) &&
         !isAMPComplexType(getElementTypeOrSelf(type))) ||
        isa<UnrankedTensorType, BaseMemRefType>(type))
      return parser.emitError(inputsLoc)
             << "expected scalars, vectors or ranked tensors of f64, f32, f16, "
                "bf16, an 8-bit float, or an integer of 1 to 64 bits, or of "
                "complex numbers of f16, f32 or f64, but found "
             << type;
  SmallVector<Type> inferred;
  if (failed(inferReturnTypes(
          parser.getContext(), parser.getEncodedSourceLoc(inputsLoc),
          state.operands, {}, state.getRawProperties(), {}, inferred)))
    return failure();
  state.addTypes(inferred);
  return success();
}

void PromoteOp::print(OpAsmPrinter &printer) {
  if (!getInputs().empty())
    printer << ' ' << getInputs();
  OptionPrinter options(printer);
  if (getMode() != PromoteMode::autocast)
    options.print("mode", stringifyPromoteMode(getMode()));
  if (getAtLeast())
    options.print("at_least", *getAtLeast());
  if (getStrict())
    options.print("strict");
  options.finish(*this);
  if (!getInputs().empty())
    printer << " : " << getInputs().getTypes();
}

//===----------------------------------------------------------------------===//
// Verifier and folder
//===----------------------------------------------------------------------===//

LogicalResult PromoteOp::verify() {
  if (!getStrict())
    return success();
  Type lower = getAtLeast().value_or(Type());
  if (!lower || getMode() != PromoteMode::autocast)
    return emitOpError() << "'strict' needs 'at_least', the lower-precision "
                            "type of the scope, and mode autocast";
  for (Value input : getInputs()) {
    Type elementType = getElementTypeOrSelf(input.getType());
    if (isEligible(input.getType()) && !elementType.isF32() &&
        elementType != lower)
      return emitOpError() << "under 'strict' operands are " << lower
                           << ", f32 or f64, but found " << elementType;
  }
  return success();
}

/// Whether the operands of `op` may yet get other types: autocast was not yet
/// applied to the function. Then a promotion that does nothing as the types are
/// written may do something in the end.
static bool hasPendingScopes(PromoteOp op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return op->getParentOfType<AutocastOp>() != nullptr;
  if (function->hasAttr(AMPDialect::kScopeAttrName))
    return true;
  return function
      ->walk([](Operation *inner) {
        return isa<AutocastOp, ConfigOp, EnterOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult PromoteOp::fold(FoldAdaptor adaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  // Without results, success would mean that the op was changed in place.
  if (getInputs().empty() || getInputs().getTypes() != getResultTypes() ||
      hasPendingScopes(*this))
    return failure();
  llvm::append_range(results, getInputs());
  return success();
}

//===----------------------------------------------------------------------===//
// PrecisionOpInterface
//===----------------------------------------------------------------------===//

PrecisionClass PromoteOp::getPrecisionClass() {
  return PrecisionClass::DataMovement;
}

bool PromoteOp::acceptsMixedOperands() { return true; }

SmallVector<Type> PromoteOp::inferResultTypes(TypeRange types) {
  Type common = getCommonType(types, getMode(), getAtLeast().value_or(Type()));
  return llvm::map_to_vector(types, [&](Type type) {
    return common && (getMode() == PromoteMode::elementwise || isEligible(type))
               ? withElementType(type, common)
               : type;
  });
}
