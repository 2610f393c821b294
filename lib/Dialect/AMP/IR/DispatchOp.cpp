//===- DispatchOp.cpp - amp.dispatch --------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMPOverloadOps.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

SmallVector<Value> DispatchOp::getPositions() {
  DenseBoolArrayAttr absent = getAbsentAttr();
  if (!absent)
    return llvm::to_vector_of<Value>(getInputs());
  SmallVector<Value> positions;
  unsigned next = 0;
  for (bool isAbsent : absent.asArrayRef())
    positions.push_back(isAbsent ? Value() : getInputs()[next++]);
  return positions;
}

Attribute DispatchOp::getParameter(StringRef name) {
  DictionaryAttr parameters = getParametersAttr();
  return parameters ? parameters.get(name) : Attribute();
}

ParseResult DispatchOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  StringAttr set;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<bool> absent;
  if (parser.parseSymbolName(set))
    return failure();
  properties.setSet(FlatSymbolRefAttr::get(set));
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
            absent.push_back(succeeded(parser.parseOptionalKeyword("none")));
            return absent.back() ? ParseResult(success())
                                 : parser.parseOperand(inputs.emplace_back());
          }))
    return failure();
  if (llvm::is_contained(absent, true))
    properties.setAbsent(parser.getBuilder().getDenseBoolArrayAttr(absent));
  NamedAttrList all, parameters;
  if (parser.parseOptionalAttrDict(all))
    return failure();
  // Attributes of dialects are the op's, others are torch's.
  for (NamedAttribute attribute : all)
    if (attribute.getName().strref().contains('.'))
      state.addAttribute(attribute.getName(), attribute.getValue());
    else
      parameters.append(attribute);
  if (!parameters.empty())
    properties.setParameters(parameters.getDictionary(parser.getContext()));
  FunctionType type;
  if (parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

void DispatchOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSetAttr() << '(';
  llvm::interleaveComma(getPositions(), printer, [&](Value value) {
    if (value)
      printer << value;
    else
      printer << "none";
  });
  printer << ')';
  NamedAttrList all((*this)->getDiscardableAttrDictionary());
  if (DictionaryAttr parameters = getParametersAttr())
    for (NamedAttribute parameter : parameters)
      all.append(parameter);
  printer.printOptionalAttrDict(all.getAttrs());
  printer << " : "
          << FunctionType::get(getContext(), getInputs().getTypes(),
                               getResultTypes());
}

LogicalResult DispatchOp::verify() {
  if (DenseBoolArrayAttr absent = getAbsentAttr()) {
    unsigned numPresent = llvm::count(absent.asArrayRef(), false);
    if (numPresent != getInputs().size())
      return emitOpError() << "has " << getInputs().size()
                           << " operands, but 'absent' says that " << numPresent
                           << " are there";
  }
  auto check = [&](Type type, StringRef what, unsigned index) {
    bool hasForm = isa<RankedTensorType>(type) || !isa<ShapedType>(type);
    if (hasForm && isOverloadElement(getElementTypeOrSelf(type)))
      return success();
    return LogicalResult(
        emitOpError() << what << " " << index << " has type " << type
                      << "; expected a scalar or ranked tensor of a float, an "
                         "integer or a complex number");
  };
  for (auto [index, type] : llvm::enumerate(getInputs().getTypes()))
    if (failed(check(type, "operand", index)))
      return failure();
  for (auto [index, type] : llvm::enumerate(getResultTypes()))
    if (failed(check(type, "result", index)))
      return failure();
  if (DictionaryAttr parameters = getParametersAttr())
    for (NamedAttribute parameter : parameters)
      if (parameter.getName().strref().contains('.'))
        return emitOpError()
               << "has a parameter called '" << parameter.getName().strref()
               << "', but names with a dot are attributes of "
                  "dialects";
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *found = symbolTable.lookupNearestSymbolFrom(*this, getSetAttr());
  auto set = dyn_cast_or_null<OverloadSetOp>(found);
  if (!set) {
    InFlightDiagnostic diag = emitOpError() << "names " << getSetAttr();
    if (found) {
      diag << ", which is no overload set but a '" << found->getName() << "'";
      diag.attachNote(found->getLoc()) << getSetAttr() << " is defined here";
      return diag;
    }
    diag << ", but there is no such overload set";
    SmallVector<StringRef> names;
    if (Operation *table = SymbolTable::getNearestSymbolTable(*this))
      for (auto candidate : table->getRegion(0).getOps<OverloadSetOp>())
        names.push_back(candidate.getSymName());
    StringRef nearest = findNearestName(getSet(), names);
    if (!nearest.empty())
      diag << "; did you mean '@" << nearest << "'?";
    return diag;
  }
  SmallVector<OverloadOp> overloads = set.getOverloads();
  if (overloads.empty())
    return success();
  size_t expected = overloads.front().getResultRules().size();
  if (expected == getNumResults())
    return success();
  InFlightDiagnostic diag = emitOpError()
                            << "has " << getNumResults() << " results, but "
                            << getSetAttr() << " has " << expected;
  diag.attachNote(set.getLoc()) << getSetAttr() << " is defined here";
  return diag;
}
