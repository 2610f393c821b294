//===- OverloadOps.cpp - abstract ops and their overloads -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "amp/Dialect/AMP/IR/AMPOverloadOps.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/TypePromotion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::amp;

#include "amp/Dialect/AMP/IR/AMPOverloadEnums.cpp.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPOverloadOps.cpp.inc"

// Keys of the dictionaries in which formals and parameters are stored.
static constexpr StringLiteral kName = "name";
static constexpr StringLiteral kType = "type";
static constexpr StringLiteral kOptional = "optional";
static constexpr StringLiteral kKind = "kind";
static constexpr StringLiteral kDefault = "default";
static constexpr StringLiteral kSelector = "selector";

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool mlir::amp::isOverloadElement(Type type) {
  return isa<FloatType, IntegerType>(type) ||
         (isa<ComplexType>(type) &&
          isa<FloatType>(cast<ComplexType>(type).getElementType()));
}

std::string OverloadTypes::describe() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (variable)
    stream << variable.getValue() << " (";
  llvm::interleave(allowed, stream, " or ");
  if (variable)
    stream << ')';
  return text;
}

bool mlir::amp::isNoneParameter(Attribute value) {
  auto type = dyn_cast_or_null<TypeAttr>(value);
  return type && isa<NoneType>(type.getValue());
}

TypedAttr mlir::amp::convertParameter(Attribute value, Type type) {
  auto number = dyn_cast_or_null<TypedAttr>(value);
  if (!number || !isa<IntegerAttr, FloatAttr>(value) ||
      !isa<IntegerType, FloatType>(type) ||
      !isa<IntegerType, FloatType>(number.getType()))
    return {};
  if (number.getType() == type)
    return number;
  if (getTypeCategory(number.getType()) > getTypeCategory(type))
    return {};
  auto convert = [](TypedAttr from, Type to) {
    return convertElement(from, from.getType(), to,
                          llvm::RoundingMode::NearestTiesToEven,
                          /*saturate=*/false);
  };
  TypedAttr converted = convert(number, type);
  if (!converted)
    return {};
  if (isa<IntegerType>(number.getType())) {
    if (convert(converted, number.getType()) != number)
      return {};
    return converted;
  }
  if (cast<FloatAttr>(number).getValue().isFinite() &&
      !cast<FloatAttr>(converted).getValue().isFinite())
    return {};
  return converted;
}

/// The types that `rule` (a variable's name, a type, or a list of types) stands
/// for; no type at all if it is none of these.
static OverloadTypes decodeTypes(Attribute rule, DictionaryAttr variables) {
  OverloadTypes types;
  if (auto type = dyn_cast_or_null<TypeAttr>(rule)) {
    types.allowed.push_back(type.getValue());
    return types;
  }
  auto list = dyn_cast_or_null<ArrayAttr>(rule);
  if (auto name = dyn_cast_or_null<StringAttr>(rule)) {
    types.variable = name;
    if (variables)
      list = dyn_cast_or_null<ArrayAttr>(variables.get(name));
  }
  if (!list)
    return types;
  for (Attribute entry : list)
    if (auto type = dyn_cast<TypeAttr>(entry))
      types.allowed.push_back(type.getValue());
  return types;
}

OverloadSignature OverloadOp::getSignature() {
  OverloadSignature signature;
  DictionaryAttr variables = getVariablesAttr();
  for (Attribute entry : getFormals()) {
    auto formal = cast<DictionaryAttr>(entry);
    signature.formals.push_back({formal.getAs<StringAttr>(kName),
                                 decodeTypes(formal.get(kType), variables),
                                 formal.contains(kOptional)});
  }
  for (Attribute entry : getParameters()) {
    auto parameter = cast<DictionaryAttr>(entry);
    OverloadParameter decoded;
    decoded.name = parameter.getAs<StringAttr>(kName);
    if (auto type = parameter.getAs<TypeAttr>(kKind))
      decoded.numberType = type.getValue();
    else
      decoded.kind = parameter.getAs<StringAttr>(kKind).getValue();
    decoded.defaultValue = parameter.get(kDefault);
    decoded.selector = parameter.get(kSelector);
    decoded.optional = parameter.contains(kOptional);
    signature.parameters.push_back(decoded);
  }
  for (Attribute rule : getResultRules())
    signature.results.push_back(decodeTypes(rule, variables));
  return signature;
}

//===----------------------------------------------------------------------===//
// OverloadSetOp
//===----------------------------------------------------------------------===//

SmallVector<OverloadOp> OverloadSetOp::getOverloads() {
  return llvm::to_vector(getBody().getOps<OverloadOp>());
}

ParseResult OverloadSetOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  if (parseSymbol(parser, properties))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("keeps_type")))
    properties.setKeepsType(true);
  std::optional<OverloadTies> ties;
  if (parseOptionalChoice(parser, "ties",
                          "ties(error), ties(first) or ties(last)", ties))
    return failure();
  if (ties)
    properties.setTies(*ties);
  return parseSymbolBody(parser, state);
}

void OverloadSetOp::print(OpAsmPrinter &printer) {
  printSymbol(printer, *this);
  if (getKeepsType())
    printer << " keeps_type";
  if (getTies() != OverloadTies::error)
    printer << " ties(" << stringifyOverloadTies(getTies()) << ")";
  printSymbolBody(printer, *this);
}

LogicalResult OverloadSetOp::verifyRegions() {
  if (getBody().front().empty())
    return emitOpError() << "has no overload; expected at least one "
                            "amp.overload";
  llvm::StringMap<OverloadOp> names;
  OverloadOp first;
  for (Operation &op : getBody().front()) {
    auto overload = dyn_cast<OverloadOp>(op);
    if (!overload)
      return op.emitOpError() << "is in an overload set, which holds only "
                                 "amp.overload";
    auto [it, inserted] =
        names.try_emplace(overload.getOverloadName(), overload);
    if (!inserted) {
      InFlightDiagnostic diag = overload.emitOpError()
                                << "repeats the name \""
                                << overload.getOverloadName()
                                << "\"; the overloads of a set have different "
                                   "names";
      diag.attachNote(it->second.getLoc()) << "the earlier overload is here";
      return diag;
    }
    if (!first)
      first = overload;
    if (overload.getResultRules().size() == first.getResultRules().size())
      continue;
    InFlightDiagnostic diag =
        overload.emitOpError()
        << "has " << overload.getResultRules().size()
        << " results, but the overloads of a set all have as many, here "
        << first.getResultRules().size();
    diag.attachNote(first.getLoc()) << "the first overload is here";
    return diag;
  }
  return success();
}

/// Checks that `types` allows just the element type of `type`, which a function
/// takes or gives.
static LogicalResult verifyFunctionType(OverloadOp overload,
                                        FunctionOpInterface function,
                                        const OverloadTypes &types, Type type,
                                        const Twine &what) {
  Type elementType = getElementTypeOrSelf(type);
  if (isOverloadElement(elementType) && !isa<VectorType, MemRefType>(type) &&
      types.allowed.size() == 1 && types.allowed.front() == elementType)
    return success();
  InFlightDiagnostic diag =
      overload.emitOpError()
      << "says that " << what << " has element type " << types.describe()
      << ", but the function has " << type
      << " there; a function takes one type, so a set has an overload for each";
  diag.attachNote(function.getLoc()) << "the function is here";
  return diag;
}

static LogicalResult verifyCallee(OverloadOp overload,
                                  SymbolTableCollection &symbolTable) {
  FlatSymbolRefAttr callee = overload.getCalleeAttr();
  Operation *found = symbolTable.lookupNearestSymbolFrom(
      overload->getParentOp()->getParentOp(), callee);
  auto function = dyn_cast_or_null<FunctionOpInterface>(found);
  if (!function || found->getName().getStringRef() != "func.func") {
    InFlightDiagnostic diag = overload.emitOpError()
                              << "calls " << callee << ", which is "
                              << (found ? "no func.func" : "not defined");
    if (found)
      diag.attachNote(found->getLoc()) << callee << " is defined here";
    return diag;
  }
  OverloadSignature signature = overload.getSignature();
  SmallVector<OverloadParameter> arguments = llvm::filter_to_vector(
      signature.parameters,
      [](const OverloadParameter &p) { return p.isArgument(); });
  size_t expected = signature.formals.size() + arguments.size();
  if (function.getNumArguments() != expected) {
    InFlightDiagnostic diag = overload.emitOpError()
                              << "gives " << expected << " arguments ("
                              << signature.formals.size() << " operands and "
                              << arguments.size() << " numbers) to " << callee
                              << ", which takes " << function.getNumArguments();
    diag.attachNote(function.getLoc()) << "the function is here";
    return diag;
  }
  if (function.getNumResults() != signature.results.size()) {
    InFlightDiagnostic diag = overload.emitOpError()
                              << "has " << signature.results.size()
                              << " results, but " << callee << " has "
                              << function.getNumResults();
    diag.attachNote(function.getLoc()) << "the function is here";
    return diag;
  }
  ArrayRef<Type> types = function.getArgumentTypes();
  for (auto [formal, type] : llvm::zip(signature.formals, types))
    if (failed(verifyFunctionType(overload, function, formal.types, type,
                                  "formal '" + formal.name.getValue() + "'")))
      return failure();
  for (auto [parameter, type] :
       llvm::zip(arguments, types.drop_front(signature.formals.size())))
    if (parameter.numberType != type) {
      InFlightDiagnostic diag =
          overload.emitOpError()
          << "gives parameter '" << parameter.name.getValue() << "' as "
          << parameter.numberType << ", but the function takes " << type;
      diag.attachNote(function.getLoc()) << "the function is here";
      return diag;
    }
  for (auto [index, result] : llvm::enumerate(signature.results))
    if (failed(verifyFunctionType(overload, function, result,
                                  function.getResultTypes()[index],
                                  "result " + Twine(index))))
      return failure();
  return success();
}

LogicalResult
OverloadSetOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  for (OverloadOp overload : getOverloads())
    if (overload.getCalleeAttr() && failed(verifyCallee(overload, symbolTable)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// OverloadOp: text
//===----------------------------------------------------------------------===//

/// `[` type, ... `]`
static ParseResult parseTypeList(OpAsmParser &parser, ArrayAttr &list) {
  SmallVector<Attribute> types;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        Type type;
        if (parser.parseType(type))
          return failure();
        types.push_back(TypeAttr::get(type));
        return success();
      }))
    return failure();
  list = parser.getBuilder().getArrayAttr(types);
  return success();
}

static void printTypeList(OpAsmPrinter &printer, ArrayAttr list) {
  printer << '[';
  llvm::interleaveComma(list, printer, [&](Attribute entry) {
    printer.printAttributeWithoutType(entry);
  });
  printer << ']';
}

/// A type, a list of types, or the name of a variable.
static ParseResult parseRule(OpAsmParser &parser, Attribute &rule,
                             bool mayBeList) {
  Type type;
  OptionalParseResult parsed = parser.parseOptionalType(type);
  if (parsed.has_value()) {
    if (succeeded(*parsed))
      rule = TypeAttr::get(type);
    return *parsed;
  }
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    rule = parser.getBuilder().getStringAttr(name);
    return success();
  }
  if (!mayBeList)
    return parser.emitError(loc) << "expected a type variable or a type";
  if (parser.parseOptionalLSquare())
    return parser.emitError(loc)
           << "expected a type variable, a type, or a list of types";
  SmallVector<Attribute> types;
  if (parser.parseCommaSeparatedList([&] {
        if (parser.parseType(type))
          return failure();
        types.push_back(TypeAttr::get(type));
        return success();
      }) ||
      parser.parseRSquare())
    return failure();
  rule = parser.getBuilder().getArrayAttr(types);
  return success();
}

static void printRule(OpAsmPrinter &printer, Attribute rule) {
  if (auto name = dyn_cast<StringAttr>(rule))
    printer << name.getValue();
  else if (auto list = dyn_cast<ArrayAttr>(rule))
    printTypeList(printer, list);
  else
    printer.printAttributeWithoutType(rule);
}

static ParseResult parseFormal(OpAsmParser &parser, Attribute &formal) {
  Builder &builder = parser.getBuilder();
  std::string name;
  Attribute rule;
  if (parser.parseKeywordOrString(&name) || parser.parseColon() ||
      parseRule(parser, rule, /*mayBeList=*/true))
    return failure();
  NamedAttrList entries;
  entries.set(kName, builder.getStringAttr(name));
  entries.set(kType, rule);
  if (succeeded(parser.parseOptionalQuestion()))
    entries.set(kOptional, builder.getUnitAttr());
  formal = entries.getDictionary(parser.getContext());
  return success();
}

static ParseResult parseParameter(OpAsmParser &parser, Attribute &parameter) {
  Builder &builder = parser.getBuilder();
  std::string name;
  Attribute kind;
  if (parser.parseKeywordOrString(&name) || parser.parseColon() ||
      parseRule(parser, kind, /*mayBeList=*/false))
    return failure();
  NamedAttrList entries;
  entries.set(kName, builder.getStringAttr(name));
  entries.set(kKind, kind);
  if (succeeded(parser.parseOptionalQuestion()))
    entries.set(kOptional, builder.getUnitAttr());
  if (succeeded(parser.parseOptionalEqual())) {
    bool selects = succeeded(parser.parseOptionalEqual());
    Attribute value;
    Type type;
    if (auto number = dyn_cast<TypeAttr>(kind);
        number && isa<FloatType, IntegerType>(number.getValue()))
      type = number.getValue();
    if (parser.parseAttribute(value, type))
      return failure();
    entries.set(selects ? kSelector : kDefault, value);
  }
  parameter = entries.getDictionary(parser.getContext());
  return success();
}

ParseResult OverloadOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalString(&text)))
    return parser.emitError(loc) << "expected the overload's name in quotes";
  properties.setOverloadName(builder.getStringAttr(text));
  if (succeeded(parser.parseOptionalKeyword("calls"))) {
    StringAttr callee;
    if (parser.parseSymbolName(callee))
      return failure();
    properties.setCallee(FlatSymbolRefAttr::get(callee));
  } else {
    loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeyword("emits")))
      return parser.emitError(loc)
             << "expected 'calls @function' or 'emits \"dialect.op\"'";
    if (parser.parseString(&text))
      return failure();
    properties.setEmittedOp(builder.getStringAttr(text));
    // A pass may create ops of loaded dialects only.
    (void)parser.getContext()->getOrLoadDialect(
        StringRef(text).split('.').first);
  }
  SmallVector<Attribute> formals, parameters, results;
  auto parseEach = [&](SmallVector<Attribute> &list, auto parse) {
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
      return parse(parser, list.emplace_back());
    });
  };
  if (parseEach(formals, parseFormal) ||
      (succeeded(parser.parseOptionalKeyword("with")) &&
       parseEach(parameters, parseParameter)) ||
      parser.parseArrow())
    return failure();
  auto parseResult = [](OpAsmParser &parser, Attribute &rule) {
    return parseRule(parser, rule, /*mayBeList=*/false);
  };
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseOptionalRParen()) {
      if (parser.parseCommaSeparatedList(
              [&] { return parseResult(parser, results.emplace_back()); }) ||
          parser.parseRParen())
        return failure();
    }
  } else if (parseResult(parser, results.emplace_back())) {
    return failure();
  }
  NamedAttrList variables;
  if (succeeded(parser.parseOptionalKeyword("where")) &&
      parser.parseCommaSeparatedList([&]() -> ParseResult {
        StringRef name;
        ArrayAttr list;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name) || parser.parseKeyword("in") ||
            parseTypeList(parser, list))
          return failure();
        if (variables.get(name))
          return parser.emitError(loc)
                 << "the types of '" << name << "' are given twice";
        variables.set(name, list);
        return success();
      }))
    return failure();
  int64_t priority = 0;
  if (succeeded(parser.parseOptionalKeyword("priority")) &&
      parser.parseInteger(priority))
    return failure();
  properties.setFormals(builder.getArrayAttr(formals));
  properties.setParameters(builder.getArrayAttr(parameters));
  properties.setResultRules(builder.getArrayAttr(results));
  if (!variables.empty())
    properties.setVariables(variables.getDictionary(parser.getContext()));
  properties.setPriority(builder.getI64IntegerAttr(priority));
  return parser.parseOptionalAttrDict(state.attributes);
}

void OverloadOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOverloadNameAttr();
  if (getCalleeAttr())
    printer << " calls " << getCalleeAttr();
  else
    printer << " emits " << getEmittedOpAttr();
  printer << '(';
  llvm::interleaveComma(getFormals(), printer, [&](Attribute entry) {
    auto formal = cast<DictionaryAttr>(entry);
    printer.printKeywordOrString(formal.getAs<StringAttr>(kName));
    printer << " : ";
    printRule(printer, formal.get(kType));
    if (formal.contains(kOptional))
      printer << '?';
  });
  printer << ')';
  if (!getParameters().empty()) {
    printer << " with (";
    llvm::interleaveComma(getParameters(), printer, [&](Attribute entry) {
      auto parameter = cast<DictionaryAttr>(entry);
      printer.printKeywordOrString(parameter.getAs<StringAttr>(kName));
      printer << " : ";
      printRule(printer, parameter.get(kKind));
      if (parameter.contains(kOptional))
        printer << '?';
      Attribute value = parameter.get(kDefault);
      if (value)
        printer << " = ";
      else if ((value = parameter.get(kSelector)))
        printer << " == ";
      else
        return;
      printer.printAttributeWithoutType(value);
    });
    printer << ')';
  }
  printer << " -> ";
  if (getResultRules().size() == 1) {
    printRule(printer, getResultRules()[0]);
  } else {
    printer << '(';
    llvm::interleaveComma(getResultRules(), printer,
                          [&](Attribute rule) { printRule(printer, rule); });
    printer << ')';
  }
  if (DictionaryAttr variables = getVariablesAttr()) {
    printer << " where ";
    llvm::interleaveComma(variables, printer, [&](NamedAttribute variable) {
      printer << variable.getName().strref() << " in ";
      printTypeList(printer, cast<ArrayAttr>(variable.getValue()));
    });
  }
  if (getPriority() != 0)
    printer << " priority " << static_cast<int64_t>(getPriority());
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
}

//===----------------------------------------------------------------------===//
// OverloadOp: verifier
//===----------------------------------------------------------------------===//

/// Checks `rule`, the types of `what`.
static LogicalResult verifyRule(OverloadOp overload, Attribute rule,
                                const Twine &what) {
  OverloadTypes types = decodeTypes(rule, overload.getVariablesAttr());
  if (types.variable && types.allowed.empty())
    return overload.emitOpError()
           << what << " has the type variable '" << types.variable.getValue()
           << "', whose types are not listed; write 'where "
           << types.variable.getValue() << " in [f32]'";
  if (types.allowed.empty())
    return overload.emitOpError()
           << what
           << " has no type; expected a type variable, a type, or a "
              "list of types";
  llvm::SmallDenseSet<Type> seen;
  for (Type type : types.allowed) {
    if (!isOverloadElement(type))
      return overload.emitOpError()
             << what << " has " << type
             << ", but element types are floats, integers and complex numbers";
    if (!seen.insert(type).second)
      return overload.emitOpError() << what << " lists " << type << " twice";
  }
  return success();
}

static LogicalResult verifyParameter(OverloadOp overload,
                                     DictionaryAttr parameter, StringRef name) {
  Attribute kind = parameter.get(kKind);
  auto number = dyn_cast_or_null<TypeAttr>(kind);
  auto word = dyn_cast_or_null<StringAttr>(kind);
  bool isKnown =
      word && (word == "string" || word == "type" || word == "array");
  if (number ? !isa<FloatType, IntegerType>(number.getValue()) : !isKnown)
    return overload.emitOpError()
           << "parameter '" << name
           << "' has an unknown kind; expected a float or integer type, "
              "'string', 'type' or 'array'";
  Attribute value = parameter.get(kDefault);
  Attribute selector = parameter.get(kSelector);
  if (value && selector)
    return overload.emitOpError()
           << "parameter '" << name
           << "' has a default and selects by one value; expected one of them";
  if (!value)
    value = selector;
  if (value) {
    bool fits = number ? convertParameter(value, number.getValue()) == value
                : word == "string" ? isa<StringAttr>(value)
                : word == "type"   ? isa<TypeAttr>(value)
                                   : isa<ArrayAttr, DenseArrayAttr>(value);
    if (!fits)
      return overload.emitOpError()
             << "parameter '" << name << "' has the value " << value
             << ", which is not of its kind";
  }
  if (!overload.getCalleeAttr() || selector)
    return success();
  if (!number)
    return overload.emitOpError()
           << "parameter '" << name
           << "' cannot be given to a function, which takes only numbers; "
              "write "
              "'== value', so that it selects the overload, or emit an op";
  if (parameter.contains(kOptional) && !value)
    return overload.emitOpError() << "parameter '" << name
                                  << "' may be absent, but a function takes "
                                     "all of its arguments; give "
                                     "it a default, or emit an op";
  return success();
}

LogicalResult OverloadOp::verify() {
  if (!getCalleeAttr() == !getEmittedOpAttr())
    return emitOpError() << "expected either a function or an op as the "
                            "implementation";
  if (std::optional<StringRef> name = getEmittedOp()) {
    auto [dialect, rest] = name->split('.');
    if (dialect.empty() || rest.empty())
      return emitOpError()
             << "emits '" << *name
             << "', which is no op name; expected the dialect and "
                "the op, such as \"math.exp\"";
    // What bytecode or the generic form names may not be loaded yet; a verifier
    // must not load it.
    Dialect *loaded = getContext()->getLoadedDialect(dialect);
    bool isKnown =
        RegisteredOperationName::lookup(*name, getContext()) ||
        (loaded ? loaded->allowsUnknownOperations()
                : getContext()->allowsUnregisteredDialects() ||
                      llvm::is_contained(getContext()->getAvailableDialects(),
                                         dialect));
    if (!isKnown)
      return emitOpError() << "emits '" << *name << "', which "
                           << (loaded ? "its dialect does not have"
                                      : "is of an unknown dialect; register "
                                        "it, or allow unregistered ones");
  }
  llvm::StringSet<> names, bound;
  for (Attribute entry : getFormals()) {
    auto formal = dyn_cast<DictionaryAttr>(entry);
    auto name = formal ? formal.getAs<StringAttr>(kName) : StringAttr();
    if (!name || name.empty())
      return emitOpError() << "has a formal without a name";
    if (!names.insert(name.getValue()).second)
      return emitOpError() << "has two formals or parameters called '"
                           << name.getValue() << "'";
    if (failed(verifyRule(*this, formal.get(kType),
                          "formal '" + name.getValue() + "'")))
      return failure();
    if (formal.contains(kOptional) && getCalleeAttr())
      return emitOpError()
             << "formal '" << name.getValue()
             << "' may be absent, but a function takes all of its arguments; "
                "list an overload without it, or emit an op";
    if (auto variable = dyn_cast<StringAttr>(formal.get(kType)))
      bound.insert(variable.getValue());
  }
  for (Attribute entry : getParameters()) {
    auto parameter = dyn_cast<DictionaryAttr>(entry);
    auto name = parameter ? parameter.getAs<StringAttr>(kName) : StringAttr();
    if (!name || name.empty())
      return emitOpError() << "has a parameter without a name";
    if (name.getValue().contains('.'))
      return emitOpError() << "has a parameter called '" << name.getValue()
                           << "', but names with a dot are attributes of "
                              "dialects";
    if (!names.insert(name.getValue()).second)
      return emitOpError() << "has two formals or parameters called '"
                           << name.getValue() << "'";
    if (failed(verifyParameter(*this, parameter, name.getValue())))
      return failure();
  }
  for (auto [index, rule] : llvm::enumerate(getResultRules())) {
    if (isa<ArrayAttr>(rule))
      return emitOpError() << "result " << index
                           << " has a list of types; expected a type variable "
                              "or a type";
    if (failed(verifyRule(*this, rule, "result " + Twine(index))))
      return failure();
    auto variable = dyn_cast<StringAttr>(rule);
    if (variable && !bound.contains(variable.getValue()))
      return emitOpError() << "result " << index << " has the type variable '"
                           << variable.getValue() << "', which no formal binds";
  }
  if (DictionaryAttr variables = getVariablesAttr())
    for (NamedAttribute variable : variables)
      if (!bound.contains(variable.getName().strref()))
        return emitOpError()
               << "lists the types of '" << variable.getName().strref()
               << "', which no formal has";
  return success();
}
