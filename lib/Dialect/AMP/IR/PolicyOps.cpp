//===- PolicyOps.cpp - policies as operations -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Syntax.h"
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/IR/NamePattern.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Matchers of rules
//===----------------------------------------------------------------------===//

/// A number in parentheses, or nothing (a unit attribute).
static ParseResult parseLimit(OpAsmParser &parser, Attribute &limit) {
  limit = parser.getBuilder().getUnitAttr();
  double value;
  if (failed(parser.parseOptionalLParen()))
    return success();
  if (parser.parseFloat(value) || parser.parseRParen())
    return failure();
  limit = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

static ParseResult parseRuleMatchers(OpAsmParser &parser, StringAttr &name,
                                     StringAttr &opName, StringAttr &location,
                                     Attribute &dataMax, Attribute &initMax,
                                     Attribute &underflow, IntegerAttr &depth,
                                     Attribute &sensitive,
                                     UnitAttr &performance) {
  auto parseText = [&](auto &text) {
    StringAttr value;
    if (parser.parseLParen() || parser.parseAttribute(value) ||
        parser.parseRParen())
      return failure();
    text = value;
    return success();
  };
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  llvm::SmallSet<StringRef, 8> seen;
  while (succeeded(parser.parseOptionalKeyword(
      &keyword, {"name", "op", "location", "data_max", "init_max", "underflow",
                 "depth", "sensitive", "performance"}))) {
    if (!seen.insert(keyword).second)
      return parser.emitError(loc)
             << "'" << keyword << "' is given twice: write a second rule";
    ParseResult parsed = success();
    if (keyword == "name")
      parsed = parseText(name);
    else if (keyword == "op")
      parsed = parseText(opName);
    else if (keyword == "location")
      parsed = parseText(location);
    else if (keyword == "data_max")
      parsed = parseLimit(parser, dataMax);
    else if (keyword == "init_max")
      parsed = parseLimit(parser, initMax);
    else if (keyword == "underflow")
      parsed = parseLimit(parser, underflow);
    else if (keyword == "performance")
      performance = parser.getBuilder().getUnitAttr();
    else if (keyword == "depth") {
      int64_t value = 0;
      parsed = failure(parser.parseLParen() || parser.parseInteger(value) ||
                       parser.parseRParen());
      if (succeeded(parsed))
        depth = parser.getBuilder().getI64IntegerAttr(value);
    } else {
      StringAttr kind;
      sensitive = parser.getBuilder().getUnitAttr();
      if (succeeded(parser.parseOptionalLParen())) {
        parsed = failure(parser.parseAttribute(kind) || parser.parseRParen());
        sensitive = kind;
      }
    }
    if (failed(parsed))
      return failure();
    loc = parser.getCurrentLocation();
  }
  return success();
}

static void printRuleMatchers(OpAsmPrinter &printer, Operation *,
                              StringAttr name, StringAttr opName,
                              StringAttr location, Attribute dataMax,
                              Attribute initMax, Attribute underflow,
                              IntegerAttr depth, Attribute sensitive,
                              UnitAttr performance) {
  StringRef separator;
  auto print = [&](StringRef keyword, Attribute argument) {
    if (!argument)
      return;
    printer << separator << keyword;
    separator = " ";
    if (isa<UnitAttr>(argument))
      return;
    printer << '(';
    printer.printAttributeWithoutType(argument);
    printer << ')';
  };
  print("name", name);
  print("op", opName);
  print("location", location);
  print("data_max", dataMax);
  print("init_max", initMax);
  print("underflow", underflow);
  print("depth", depth);
  print("sensitive", sensitive);
  print("performance", performance);
}

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPPolicyOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef mlir::amp::normalizeOpName(StringRef name) {
  for (StringRef prefix : {"torch.ops.", "torch."})
    if (name.starts_with((prefix + "aten.").str()))
      name.consume_front(prefix);
  if (name.starts_with("aten."))
    name.consume_back(".default");
  return name;
}

StringRef mlir::amp::findNearestName(StringRef name,
                                     ArrayRef<StringRef> candidates) {
  StringRef nearest;
  // At least two, so that swapped letters are found, but never all of them.
  unsigned limit = std::min<size_t>(std::max<size_t>(name.size() / 3, 2),
                                    name.empty() ? 0 : name.size() - 1);
  for (StringRef candidate : candidates) {
    unsigned distance =
        name.edit_distance(candidate, /*AllowReplacements=*/true,
                           /*MaxEditDistance=*/limit);
    if (distance > limit || (!nearest.empty() && distance == limit))
      continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

std::optional<PrecisionClass>
mlir::amp::symbolizePrecisionClass(StringRef name) {
  for (int index = 0; index <= static_cast<int>(PrecisionClass::Pinned);
       ++index)
    if (auto value = static_cast<PrecisionClass>(index);
        stringifyPrecisionClass(value) == name)
      return value;
  return std::nullopt;
}

/// Adds ", did you mean 'x'?" or, if no name is close, the list of all.
static void suggest(InFlightDiagnostic &diag, StringRef name,
                    ArrayRef<StringRef> candidates) {
  StringRef nearest = findNearestName(name, candidates);
  if (!nearest.empty()) {
    diag << "; did you mean '" << nearest << "'?";
    return;
  }
  diag << "; expected one of ";
  llvm::interleaveComma(candidates, diag);
}

/// The classes that an entry can be for: ops of the others keep their types.
static SmallVector<StringRef> getClassNames() {
  SmallVector<StringRef> names;
  for (int index = 0; index <= static_cast<int>(PrecisionClass::DataMovement);
       ++index)
    names.push_back(
        stringifyPrecisionClass(static_cast<PrecisionClass>(index)));
  return names;
}

std::string mlir::amp::getOpNameProblem(StringRef name, bool mayBePattern) {
  StringRef stem = name;
  if (mayBePattern)
    stem.consume_back(".*");
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
  };
  if (stem.contains("::")) {
    std::string spelled = stem.str();
    for (size_t at; (at = spelled.find("::")) != std::string::npos;)
      spelled.replace(at, 2, ".");
    return "is not spelled as an op; write \"" + spelled + "\"";
  }
  if (stem.contains('*'))
    return mayBePattern ? "has '*' in the middle; only \".*\" at the end, for "
                          "every overload, is a pattern"
                        : "is no op name";
  if (stem.empty() || !llvm::all_of(stem, isPlain) || !stem.contains('.') ||
      stem.starts_with(".") || stem.ends_with("."))
    return "is no op name; expected the dialect and the op, such as "
           "\"aten.mm\" or \"linalg.matmul\"";
  return {};
}

//===----------------------------------------------------------------------===//
// PolicySetOp
//===----------------------------------------------------------------------===//

void PolicySetOp::build(OpBuilder &builder, OperationState &state,
                        StringRef name, StringRef device) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setSymName(builder.getStringAttr(name));
  properties.setDevice(builder.getStringAttr(device));
  state.addRegion()->emplaceBlock();
}

ParseResult PolicySetOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  std::string device;
  if (parseSymbol(parser, properties) || parser.parseKeyword("device") ||
      parser.parseLParen() || parser.parseString(&device) ||
      parser.parseRParen())
    return failure();
  properties.setDevice(parser.getBuilder().getStringAttr(device));
  if (succeeded(parser.parseOptionalKeyword("extends"))) {
    StringAttr base;
    if (parser.parseSymbolName(base))
      return failure();
    properties.setExtends(FlatSymbolRefAttr::get(base));
  }
  std::optional<UnknownOp> mode;
  if (parseOptionalChoice(
          parser, "unknown_op",
          "unknown_op(keep), unknown_op(error) or unknown_op(follow)", mode))
    return failure();
  if (mode)
    properties.setUnknownOp(UnknownOpAttr::get(parser.getContext(), *mode));
  return parseSymbolBody(parser, state);
}

void PolicySetOp::print(OpAsmPrinter &printer) {
  printSymbol(printer, *this);
  printer << " device(" << getDeviceAttr() << ")";
  if (getExtendsAttr())
    printer << " extends " << getExtendsAttr();
  if (std::optional<UnknownOp> mode = getUnknownOp())
    printer << " unknown_op(" << stringifyUnknownOp(*mode) << ")";
  printSymbolBody(printer, *this);
}

LogicalResult PolicySetOp::verify() {
  if (getDevice().empty())
    return emitOpError() << "expected a device, such as \"cuda\" or \"cpu\"";
  return success();
}

/// What `rule` asks for; null if it has matchers beside the name of an op.
static StringAttr getOnlyOpName(RuleOp rule) {
  bool hasMore = rule.getNameRegexAttr() || rule.getLocationAttr() ||
                 rule.getDataMaxAttr() || rule.getInitMaxAttr() ||
                 rule.getUnderflowAttr() || rule.getDepthAttr() ||
                 rule.getSensitiveAttr() || rule.getPerformance();
  return hasMore ? StringAttr() : rule.getOpNameAttr();
}

/// Finds rules that say what another one says, or the opposite, and those that
/// leave an entry of `entries` (by name) without a meaning.
static LogicalResult verifyRules(PolicySetOp set,
                                 const llvm::StringMap<PolicyOp> &entries) {
  llvm::SmallDenseMap<Attribute, RuleOp> first;
  for (auto rule : set.getBody().getOps<RuleOp>()) {
    NamedAttrList matchers(rule->getAttrDictionary());
    matchers.erase("action");
    auto [it, inserted] =
        first.try_emplace(matchers.getDictionary(set.getContext()), rule);
    if (!inserted) {
      RuleOp earlier = it->second;
      bool agrees = earlier.getAction() == rule.getAction();
      InFlightDiagnostic diag =
          emitError(rule, DiagnosticId::P004)
          << "'amp.rule' op "
          << (agrees ? "repeats a rule" : "contradicts a rule")
          << " with the same matchers; remove one of the two";
      diag.attachNote(earlier.getLoc())
          << "the earlier rule says "
          << stringifyRuleAction(earlier.getAction());
      return diag;
    }
    StringAttr name = getOnlyOpName(rule);
    auto entry = name ? entries.find(normalizeOpName(name)) : entries.end();
    if (entry == entries.end())
      continue;
    PolicyOp policy = entry->second;
    Policy meant = rule.getAction() == RuleAction::exclude
                       ? Policy::fp32
                       : Policy::lower_precision_fp;
    if (policy.getPolicy() == meant)
      continue;
    InFlightDiagnostic diag =
        emitError(rule, DiagnosticId::P004)
        << "'amp.rule' op contradicts the entry for '" << entry->first()
        << "': rules go before entries, so that the entry has no meaning; "
           "remove one of the two";
    diag.attachNote(policy.getLoc())
        << "the entry says " << stringifyPolicy(policy.getPolicy());
    return diag;
  }
  return success();
}

LogicalResult PolicySetOp::verifyRegions() {
  llvm::StringMap<PolicyOp> first;
  for (Operation &op : getBody().front()) {
    auto entry = dyn_cast<PolicyOp>(op);
    if (!entry) {
      if (isa<RuleOp>(op))
        continue;
      return op.emitOpError() << "is in a policy set, which holds only "
                                 "amp.policy and amp.rule";
    }
    std::string key =
        entry.getOpName()
            ? normalizeOpName(*entry.getOpName()).str()
            : ("class " + entry.getOpClassAttr().getValue()).str();
    auto [it, inserted] = first.try_emplace(key, entry);
    if (inserted)
      continue;
    PolicyOp earlier = it->second;
    bool agrees = earlier.getPolicy() == entry.getPolicy();
    InFlightDiagnostic diag =
        amp::emitError(entry, DiagnosticId::P004)
        << "'amp.policy' op "
        << (agrees ? "repeats the entry for '" : "contradicts the entry for '")
        << key << "': this one says " << stringifyPolicy(entry.getPolicy())
        << "; remove one of the two";
    diag.attachNote(earlier.getLoc())
        << "the earlier entry says " << stringifyPolicy(earlier.getPolicy());
    return diag;
  }
  return verifyRules(*this, first);
}

/// Sets that are not found may be built-in, or come from a file: who uses the
/// set looks there.
LogicalResult
PolicySetOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  llvm::SmallPtrSet<Operation *, 4> chain = {getOperation()};
  PolicySetOp current = *this;
  while (FlatSymbolRefAttr name = current.getExtendsAttr()) {
    Operation *found = symbolTable.lookupNearestSymbolFrom(current, name);
    if (!found)
      return success();
    auto base = dyn_cast<PolicySetOp>(found);
    if (!base) {
      InFlightDiagnostic diag = amp::emitError(current, DiagnosticId::P007)
                                << "'amp.policy_set' op extends " << name
                                << ", which is no policy set but a '"
                                << found->getName() << "'";
      diag.attachNote(found->getLoc()) << name << " is defined here";
      return diag;
    }
    if (!chain.insert(base).second) {
      InFlightDiagnostic diag =
          amp::emitError(*this, DiagnosticId::P005)
          << "'amp.policy_set' op extends itself, through @"
          << current.getSymName();
      diag.attachNote(current.getLoc()) << "this set extends " << name;
      return diag;
    }
    if (base.getDevice() != current.getDevice()) {
      InFlightDiagnostic diag = amp::emitError(current, DiagnosticId::P006)
                                << "'amp.policy_set' op is for device "
                                << current.getDeviceAttr() << ", but extends "
                                << name << ", which is for "
                                << base.getDeviceAttr();
      diag.attachNote(base.getLoc()) << name << " is defined here";
      return diag;
    }
    current = base;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// PolicyOp
//===----------------------------------------------------------------------===//

ParseResult PolicyOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  std::string name;
  if (succeeded(parser.parseOptionalKeyword("class"))) {
    if (parser.parseLParen() || parser.parseString(&name) ||
        parser.parseRParen())
      return failure();
    properties.setOpClass(parser.getBuilder().getStringAttr(name));
  } else {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalString(&name)))
      return parser.emitError(loc)
             << "expected the name of an op in quotes, or class(\"name\")";
    properties.setOpName(parser.getBuilder().getStringAttr(name));
  }
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (failed(parser.parseOptionalKeyword(&text)))
    return parser.emitError(loc) << "expected a policy, such as fp32";
  std::optional<Policy> policy = symbolizePolicy(text);
  if (!policy) {
    SmallVector<StringRef> names;
    for (uint32_t value = 0; value <= getMaxEnumValForPolicy(); ++value)
      names.push_back(stringifyPolicy(static_cast<Policy>(value)));
    InFlightDiagnostic diag = parser.emitError(loc)
                              << getDiagnosticPrefix(DiagnosticId::P001)
                              << "unknown policy '" << text << "'";
    suggest(diag, text, names);
    return diag;
  }
  properties.policy = *policy;
  return parser.parseOptionalAttrDict(state.attributes);
}

void PolicyOp::print(OpAsmPrinter &printer) {
  if (getOpClassAttr())
    printer << " class(" << getOpClassAttr() << ")";
  if (getOpNameAttr())
    printer << ' ' << getOpNameAttr();
  printer << ' ' << stringifyPolicy(getPolicy());
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
}

LogicalResult PolicyOp::verify() {
  if (!getOpNameAttr() == !getOpClassAttr())
    return emitOpError() << "expected either the name of an op or a class";
  if (std::optional<StringRef> name = getOpName()) {
    std::string problem = getOpNameProblem(*name, /*mayBePattern=*/true);
    if (!problem.empty())
      return amp::emitError(*this, DiagnosticId::P003)
             << "'amp.policy' op '" << *name << "' " << problem;
    return success();
  }
  SmallVector<StringRef> names = getClassNames();
  StringRef name = getOpClassAttr().getValue();
  if (llvm::is_contained(names, name))
    return success();
  InFlightDiagnostic diag = amp::emitError(*this, DiagnosticId::P002)
                            << "'amp.policy' op there is no class '" << name
                            << "'";
  suggest(diag, name, names);
  return diag;
}

//===----------------------------------------------------------------------===//
// RuleOp
//===----------------------------------------------------------------------===//

LogicalResult RuleOp::verify() {
  if (!getNameRegexAttr() && !getOpNameAttr() && !getLocationAttr() &&
      !getDataMaxAttr() && !getInitMaxAttr() && !getUnderflowAttr() &&
      !getDepthAttr() && !getSensitiveAttr() && !getPerformance())
    return amp::emitError(*this, DiagnosticId::R002)
           << "'amp.rule' op matches every op; expected a matcher, such as "
              "name(\"^head\") or op(\"aten.mm\")";
  if (std::optional<StringRef> name = getNameRegex()) {
    std::string problem;
    if (failed(NamePattern::get(*name, problem)))
      return amp::emitError(*this, DiagnosticId::R001)
             << "'amp.rule' op name(\"" << *name
             << "\") is no regular expression: " << problem;
  }
  if (std::optional<StringRef> name = getOpName()) {
    std::string problem = getOpNameProblem(*name, /*mayBePattern=*/false);
    if (!problem.empty())
      return amp::emitError(*this, DiagnosticId::P003)
             << "'amp.rule' op '" << *name << "' " << problem;
  }
  if (std::optional<StringRef> location = getLocation()) {
    auto [rest, column] = location->rsplit(':');
    auto [file, line] = rest.rsplit(':');
    unsigned number;
    if (file.empty() || line.getAsInteger(10, number) ||
        column.getAsInteger(10, number))
      return emitOpError()
             << "expected location to be a file, a line and a "
                "column, such as \"model.mlir:42:10\", but found \""
             << *location << "\"";
  }
  auto check = [&](StringRef matcher, std::optional<Attribute> limit,
                   double most, StringRef expected) -> LogicalResult {
    auto number = dyn_cast_or_null<FloatAttr>(limit.value_or(Attribute()));
    // False for NaN too.
    if (!number ||
        (number.getValueAsDouble() >= 0 && number.getValueAsDouble() <= most))
      return success();
    return amp::emitError(*this, DiagnosticId::R003)
           << "'amp.rule' op expected " << matcher << " to be " << expected
           << ", but found " << number;
  };
  double inf = std::numeric_limits<double>::infinity();
  if (failed(
          check("data_max", getDataMax(), inf, "a magnitude of 0 or more")) ||
      failed(
          check("init_max", getInitMax(), inf, "a magnitude of 0 or more")) ||
      failed(check("underflow", getUnderflow(), 1.0, "a share of 0 to 1")))
    return failure();
  if (getDepth() && int64_t(*getDepth()) < 0)
    return amp::emitError(*this, DiagnosticId::R003)
           << "'amp.rule' op expected depth to be a number of elements, but "
              "found "
           << int64_t(*getDepth());
  static constexpr StringLiteral kinds[] = {"epsilon_division", "exp_reduction",
                                            "variance", "mask_sentinel"};
  auto kind = dyn_cast_or_null<StringAttr>(getSensitiveAttr());
  if (kind && !llvm::is_contained(kinds, kind.getValue())) {
    SmallVector<StringRef> names(std::begin(kinds), std::end(kinds));
    InFlightDiagnostic diag =
        amp::emitError(*this, DiagnosticId::R004)
        << "'amp.rule' op there is no kind of sensitivity " << kind;
    suggest(diag, kind.getValue(), names);
    return diag;
  }
  return success();
}
