//===- CastOp.cpp - amp.cast ----------------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionText.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

void CastOp::build(OpBuilder &builder, OperationState &state, Type type,
                   Value input, CastOrigin origin, bool mayElide) {
  state.addOperands(input);
  state.addTypes(type);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setOrigin(origin);
  properties.setMayElide(mayElide);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

ParseResult CastOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand input;
  Type inputType, resultType;
  if (parser.parseOperand(input))
    return failure();
  Properties &properties = state.getOrAddProperties<Properties>();
  auto parseOwn = [&](StringRef name) -> OptionalParseResult {
    if (name == "overflow") {
      OverflowMode mode = OverflowMode::ieee;
      ParseResult parsed = parseEnumOption<OverflowMode>(
          parser, name, symbolizeOverflowMode, "ieee, saturate", mode);
      properties.setOverflow(mode);
      return parsed;
    }
    if (name == "origin") {
      CastOrigin origin = CastOrigin::user;
      ParseResult parsed = parseEnumOption<CastOrigin>(
          parser, name, symbolizeCastOrigin,
          "user, policy, promotion, boundary, legalization", origin);
      properties.setOrigin(origin);
      return parsed;
    }
    if (name == "rounding") {
      arith::RoundingMode mode = arith::RoundingMode::to_nearest_even;
      ParseResult parsed = parseEnumOption<arith::RoundingMode>(
          parser, name, arith::symbolizeRoundingMode,
          "to_nearest_even, downward, upward, toward_zero, to_nearest_away",
          mode);
      properties.rounding =
          arith::RoundingModeAttr::get(parser.getContext(), mode);
      return parsed;
    }
    if (name != "may_elide" && name != "must_round")
      return std::nullopt;
    properties.setMayElide(name == "may_elide");
    return success();
  };
  if (parseOptions(parser, state,
                   "'overflow', 'origin', 'rounding', 'may_elide', "
                   "'must_round'",
                   parseOwn) ||
      parser.parseColonType(inputType) || parser.parseKeyword("to") ||
      parser.parseType(resultType) ||
      parser.resolveOperand(input, inputType, state.operands))
    return failure();
  state.addTypes(resultType);
  return success();
}

void CastOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput();
  OptionPrinter options(printer);
  if (getRoundingAttr())
    options.print("rounding", stringifyRoundingMode(*getRounding()));
  if (getOverflow() != OverflowMode::ieee)
    options.print("overflow", stringifyOverflowMode(getOverflow()));
  if (getMayElide())
    options.print("may_elide");
  if (getOrigin() != CastOrigin::user)
    options.print("origin", stringifyCastOrigin(getOrigin()));
  options.finish(*this);
  printer << " : " << getInput().getType() << " to " << getType();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static bool isNumber(Type type) {
  return isAMPElementType(type) || isAMPComplexType(type);
}

bool CastOp::areCastCompatible(TypeRange inputs, TypeRange outputs) {
  if (inputs.size() != 1 || outputs.size() != 1)
    return false;
  Type input = inputs.front(), output = outputs.front();
  if (isa<VectorType>(input) != isa<VectorType>(output) ||
      isa<TensorType>(input) != isa<TensorType>(output) ||
      !isNumber(getElementTypeOrSelf(input)) ||
      !isNumber(getElementTypeOrSelf(output)))
    return false;
  return withElementType(input, getElementTypeOrSelf(output)) == output;
}

LogicalResult CastOp::verify() {
  // CastOpInterface has verified that only the element types differ.
  Type from = getInput().getType(), to = getType();
  if (isa<ComplexType>(getElementTypeOrSelf(from)) &&
      !isa<ComplexType>(getElementTypeOrSelf(to)))
    return emitOpError() << "a cast does not drop imaginary parts: " << from
                         << " to " << to << "; take the real part first";
  if (getRoundingAttr() &&
      !isa<FloatType, ComplexType>(getElementTypeOrSelf(to)))
    return emitOpError()
           << "rounding is for float results only, but the result is " << to
           << " (floats become integers toward zero)";
  return success();
}

//===----------------------------------------------------------------------===//
// Folder
//===----------------------------------------------------------------------===//

static llvm::RoundingMode getRoundingMode(CastOp op) {
  switch (op.getRounding().value_or(arith::RoundingMode::to_nearest_even)) {
  case arith::RoundingMode::to_nearest_even:
    return llvm::RoundingMode::NearestTiesToEven;
  case arith::RoundingMode::downward:
    return llvm::RoundingMode::TowardNegative;
  case arith::RoundingMode::upward:
    return llvm::RoundingMode::TowardPositive;
  case arith::RoundingMode::toward_zero:
    return llvm::RoundingMode::TowardZero;
  case arith::RoundingMode::to_nearest_away:
    return llvm::RoundingMode::NearestTiesToAway;
  }
  llvm_unreachable("unknown rounding mode");
}

/// The cast of a constant, if its value is defined.
static OpFoldResult foldConstant(CastOp op, Attribute input) {
  Type from = getElementTypeOrSelf(op.getInput().getType());
  Type to = getElementTypeOrSelf(op.getType());
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return {};
  bool saturate = op.getOverflow() == OverflowMode::saturate;
  if (isa<FloatAttr, IntegerAttr>(input))
    return convertElement(input, from, to, getRoundingMode(op), saturate);
  if (auto elements = dyn_cast<DenseElementsAttr>(input))
    return convertElements(elements, to, getRoundingMode(op), saturate);
  return {};
}

/// Whether `outer(inner(x))` equals `outer'(x)`, where outer' has the options
/// of `outer` and the operand of `inner`.
static bool canSkip(CastOp inner, CastOp outer) {
  Type from = getElementTypeOrSelf(inner.getInput().getType());
  Type via = getElementTypeOrSelf(inner.getType());
  Type to = getElementTypeOrSelf(outer.getType());
  if (isa<ComplexType>(via))
    return false;
  // A saturating cast changes infinities, even into a type that has them.
  if (inner.getOverflow() == OverflowMode::saturate && isa<FloatType>(via) &&
      isa<FloatType>(from) && FormatEnvelope::get(from)->hasInfinity)
    return false;
  if (isValuePreserving(from, via))
    return true;
  // Eliding is leave to keep a wider float, not to change a category; and what
  // crosses a border is rounded.
  return inner.getMayElide() && outer.getOrigin() != CastOrigin::boundary &&
         isa<FloatType>(from) && isa<FloatType>(via) && isa<FloatType>(to);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (adaptor.getInput())
    if (OpFoldResult folded = foldConstant(*this, adaptor.getInput()))
      return folded;
  auto inner = getInput().getDefiningOp<CastOp>();
  if (!inner || !canSkip(inner, *this))
    return {};
  if (inner.getInput().getType() != getType()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  // A cast that neither end needs is the value itself, but where saturation
  // makes a finite number of an infinity.
  Type type = getElementTypeOrSelf(getType());
  if (getOverflow() == OverflowMode::saturate && isa<FloatType>(type) &&
      FormatEnvelope::get(type)->hasInfinity)
    return {};
  return inner.getInput();
}

//===----------------------------------------------------------------------===//
// PrecisionOpInterface
//===----------------------------------------------------------------------===//

PrecisionClass CastOp::getPrecisionClass() { return PrecisionClass::Cast; }

/// A cast takes its operand in any type, and gives the type that it says.
LogicalResult CastOp::retype(RewriterBase &, const PrecisionTypes &) {
  return success();
}
