//===- OverloadMatcher.cpp - which overload fits a dispatch ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverloadMatcher.h"

#include "amp/Formats/Formats.h"
#include "amp/Types/TypePromotion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static int getWidth(Type type) { return type.getIntOrFloatBitWidth(); }

/// How wide the conversion `from` -> `to` is; nothing if there is none, or if
/// it loses values that `mayLose` does not allow to.
static std::optional<ConversionRank> rankConversion(Type from, Type to,
                                                    bool mayLose) {
  ConversionRank rank = {};
  if (from == to)
    return rank;
  if (!isAMPElementType(from) || !isAMPElementType(to))
    return std::nullopt;
  int steps = static_cast<int>(getTypeCategory(to)) -
              static_cast<int>(getTypeCategory(from));
  if (steps < 0)
    return std::nullopt;
  rank[2] = steps;
  rank[3] = getWidth(to) - getWidth(from);
  if (isValuePreserving(from, to))
    return rank;
  if (!mayLose)
    return std::nullopt;
  FormatEnvelope source = *FormatEnvelope::get(from);
  FormatEnvelope target = *FormatEnvelope::get(to);
  rank[0] = std::max(source.maxExponent - target.maxExponent, 0) +
            std::max(target.minExponent - source.minExponent, 0) +
            (source.hasSign && !target.hasSign ? 1 : 0);
  rank[1] = std::max<int64_t>(int64_t(source.precision) - target.precision, 0);
  // Zeros and infinities are missing, where neither range nor precision is.
  if (rank[0] == 0 && rank[1] == 0)
    rank[0] = 1;
  return rank;
}

bool mlir::amp::canAdaptShape(Type from, Type to) {
  auto source = dyn_cast<RankedTensorType>(from);
  auto target = dyn_cast<RankedTensorType>(to);
  if (!target)
    return !isa<ShapedType>(to) && (!source || source.getRank() == 0);
  if (!source)
    return target.getRank() == 0;
  return succeeded(verifyCompatibleShape(source, target)) &&
         source.getEncoding() == target.getEncoding();
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult OverloadMatcher::collectOperands(OverloadMatch &match,
                                               std::string &reason) {
  SmallVector<Value> positions = dispatch.getPositions();
  ArrayRef<OverloadFormal> formals = match.signature.formals;
  if (positions.size() > formals.size()) {
    reason = llvm::formatv("it takes {0} operands, but there are {1}",
                           formals.size(), positions.size());
    return failure();
  }
  for (auto [index, formal] : llvm::enumerate(formals)) {
    OverloadOperand operand;
    if (index < positions.size())
      operand.value = positions[index];
    StringRef name = formal.name.getValue();
    Attribute number = dispatch.getParameter(name);
    if (number && !isNoneParameter(number)) {
      if (operand.value) {
        reason = llvm::formatv(
            "'{0}' is given as an operand and as a parameter", name);
        return failure();
      }
      operand.number = dyn_cast<TypedAttr>(number);
      if (!isa<IntegerAttr, FloatAttr>(number) ||
          !isa<IntegerType, FloatType>(operand.number.getType())) {
        reason = llvm::formatv("'{0}' is {1}, which is no number", name,
                               print(number));
        return failure();
      }
    }
    if (!operand.value && !operand.number && !formal.optional) {
      reason = llvm::formatv("'{0}' is absent, but required", name);
      return failure();
    }
    match.operands.push_back(operand);
  }
  return success();
}

/// The type of the operand for the purposes of promotion: a number is a scalar.
static Type getOperandType(const OverloadOperand &operand) {
  return operand.value ? operand.value.getType() : operand.number.getType();
}

/// The element type that operands with types `types` have in common without any
/// promotion: that of all that are no numbers. Null if they differ.
static Type getEqualType(ArrayRef<const OverloadOperand *> operands) {
  Type common;
  for (const OverloadOperand *operand : operands) {
    if (!operand->value)
      continue;
    Type type = getElementTypeOrSelf(operand->value.getType());
    if (common && common != type)
      return {};
    common = type;
  }
  return common;
}

/// Chooses the types of the operands number `formals`, which share one
/// constraint.
LogicalResult OverloadMatcher::bindTypes(OverloadMatch &match,
                                         ArrayRef<unsigned> formals,
                                         OverloadDistance distance,
                                         std::string &reason) {
  const OverloadTypes &types = match.signature.formals[formals.front()].types;
  SmallVector<const OverloadOperand *> operands;
  SmallVector<Type> operandTypes;
  std::string names;
  bool onlyNumbers = true;
  for (unsigned index : formals) {
    const OverloadOperand &operand = match.operands[index];
    if (!operand.value && !operand.number)
      continue;
    operands.push_back(&operand);
    operandTypes.push_back(getOperandType(operand));
    onlyNumbers &= !operand.value;
    names += llvm::formatv("{0}'{1}' ({2})", names.empty() ? "" : ", ",
                           match.signature.formals[index].name.getValue(),
                           print(getElementTypeOrSelf(operandTypes.back())));
  }
  if (operands.empty())
    return success();

  // What the operands have in common.
  Type common;
  if (distance == OverloadDistance::Exact && !onlyNumbers) {
    common = getEqualType(operands);
    if (!common) {
      reason = llvm::formatv("{0} takes operands of one type, but found {1}",
                             types.describe(), names);
      return failure();
    }
    for (const OverloadOperand *operand : operands)
      if (operand->number && getTypeCategory(operand->number.getType()) >
                                 getTypeCategory(common)) {
        reason = llvm::formatv("{0} is {1} by its operands, and the number {2} "
                               "is of a higher category",
                               types.describe(), print(common),
                               print(operand->number));
        return failure();
      }
  } else {
    PromotionConflict conflict;
    common = getResultType(operandTypes, &conflict);
    if (!common) {
      reason = llvm::formatv("{0} has no common type for {1}: {2}",
                             types.describe(), names, conflict.describe());
      return failure();
    }
    // A Python number alone has a category and no width.
    if (onlyNumbers && !llvm::is_contained(types.allowed, common))
      for (Type type : types.allowed)
        if (getTypeCategory(type) == getTypeCategory(common)) {
          common = type;
          break;
        }
  }

  // The type that the implementation takes.
  Type target;
  if (llvm::is_contained(types.allowed, common)) {
    target = common;
  } else if (distance >= OverloadDistance::Nearest) {
    std::optional<ConversionRank> best;
    for (Type type : types.allowed) {
      std::optional<ConversionRank> rank = rankConversion(
          common, type, /*mayLose=*/distance == OverloadDistance::Lossy);
      if (!rank || (best && *best <= *rank))
        continue;
      best = rank;
      target = type;
    }
  }
  if (!target) {
    bool isComplex = isa<ComplexType>(common);
    bool takesOther = llvm::none_of(types.allowed, [&](Type type) {
      return isa<ComplexType>(type) == isComplex;
    });
    if (takesOther)
      reason =
          llvm::formatv("{0} of type {1}: {2}", types.describe(), print(common),
                        isComplex ? "complex operands go only to complex "
                                    "overloads"
                                  : "operands that are not complex do not "
                                    "go to complex overloads");
    else if (distance < OverloadDistance::Nearest)
      reason = llvm::formatv("{0} does not allow {1}, the type of {2}",
                             types.describe(), print(common), names);
    else
      reason = llvm::formatv("{0} has no type that holds every value of {1}, "
                             "the type of {2}",
                             types.describe(), print(common), names);
    return failure();
  }

  for (unsigned index : formals) {
    OverloadOperand &operand = match.operands[index];
    if (!operand.value && !operand.number)
      continue;
    operand.promoted = common;
    operand.target = target;
    StringRef name = match.signature.formals[index].name.getValue();
    if (operand.number) {
      if (convertParameter(operand.number, target))
        continue;
      reason = llvm::formatv("'{0}' is {1}, which does not fit {2}", name,
                             print(operand.number), print(target));
      return failure();
    }
    Type own = getElementTypeOrSelf(operand.value.getType());
    if (own == target)
      continue;
    // Torch's promotion may round integers; where it does the conversion counts
    // as one that loses nothing, because the abstract op has it.
    std::optional<ConversionRank> rank =
        rankConversion(own, target, /*mayLose=*/true);
    if (!rank) {
      reason = llvm::formatv("there is no conversion of '{0}' from {1} to {2}",
                             name, print(own), print(target));
      return failure();
    }
    operand.rank = *rank;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static std::string describeKind(const OverloadParameter &parameter) {
  if (parameter.numberType)
    return print(parameter.numberType);
  return parameter.kind == "array" ? "an array" : "a " + parameter.kind.str();
}

/// `value` as the kind of `parameter` has it; null if it is of another kind.
static Attribute convertToKind(const OverloadParameter &parameter,
                               Attribute value) {
  if (parameter.numberType)
    return convertParameter(value, parameter.numberType);
  bool fits = parameter.kind == "string" ? isa<StringAttr>(value)
              : parameter.kind == "type"
                  ? isa<TypeAttr>(value)
                  : isa<ArrayAttr, DenseArrayAttr>(value);
  return fits ? value : Attribute();
}

LogicalResult OverloadMatcher::bindParameters(OverloadMatch &match,
                                              OverloadDistance distance,
                                              std::string &reason) {
  for (const OverloadParameter &parameter : match.signature.parameters) {
    StringRef name = parameter.name.getValue();
    Attribute given = dispatch.getParameter(name);
    if (isNoneParameter(given) && !parameter.optional) {
      // None where a value is expected is the wrong type of a value; a default
      // stands in where types need not match exactly.
      if (distance == OverloadDistance::Exact || !parameter.defaultValue) {
        reason = llvm::formatv("parameter '{0}' is None, but expected {1}",
                               name, describeKind(parameter));
        return failure();
      }
      given = {};
    } else if (isNoneParameter(given)) {
      given = {};
    }
    Attribute value =
        given ? convertToKind(parameter, given) : parameter.defaultValue;
    if (given && !value) {
      reason = llvm::formatv("parameter '{0}' is {1}, but expected {2}", name,
                             print(given), describeKind(parameter));
      return failure();
    }
    if (!value && !parameter.optional && !parameter.selector) {
      reason = llvm::formatv("parameter '{0}' is absent, but required", name);
      return failure();
    }
    if (parameter.selector && value != parameter.selector) {
      reason = llvm::formatv("parameter '{0}' is {1}, but only {2} selects it",
                             name, value ? print(value) : "absent",
                             print(parameter.selector));
      return failure();
    }
    match.parameters.push_back(value);
  }
  DictionaryAttr parameters = dispatch.getParametersAttr();
  if (!parameters)
    return success();
  for (NamedAttribute given : parameters) {
    auto isCalled = [&](const auto &entry) {
      return entry.name.getValue() == given.getName().strref();
    };
    // An attribute that is None says nothing to an overload without it.
    if (isNoneParameter(given.getValue()) ||
        llvm::any_of(match.signature.parameters, isCalled) ||
        llvm::any_of(match.signature.formals, isCalled))
      continue;
    reason =
        llvm::formatv("it has no parameter '{0}'", given.getName().strref());
    return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Results and functions
//===----------------------------------------------------------------------===//

LogicalResult OverloadMatcher::bindResults(OverloadMatch &match,
                                           OverloadDistance distance,
                                           std::string &reason) {
  for (auto [index, rule] : llvm::enumerate(match.signature.results)) {
    Type declared = getElementTypeOrSelf(dispatch.getResult(index).getType());
    Type own, expected;
    if (!rule.variable) {
      own = expected = rule.allowed.front();
    } else {
      for (auto [formal, operand] :
           llvm::zip_equal(match.signature.formals, match.operands))
        if (formal.types.variable == rule.variable && !operand.isAbsent()) {
          own = operand.target;
          expected = operand.promoted;
        }
      if (!own) {
        reason = llvm::formatv("all operands that would bind {0} are absent",
                               rule.describe());
        return failure();
      }
    }
    match.results.push_back(own);
    if (set.getKeepsType()) {
      if (declared == expected)
        continue;
      reason = llvm::formatv("it keeps the type, so that result {0} has {1}, "
                             "but the dispatch declares {2}",
                             index, print(expected), print(declared));
      return failure();
    }
    if (own == declared)
      continue;
    if (distance < OverloadDistance::Nearest) {
      reason =
          llvm::formatv("result {0} has {1}, but the dispatch declares {2}",
                        index, print(own), print(declared));
      return failure();
    }
    if (!rankConversion(own, declared, distance == OverloadDistance::Lossy)) {
      reason =
          llvm::formatv("result {0} has {1}, but the dispatch declares {2}, "
                        "which does not hold every value of it, and the "
                        "set has no 'keeps_type'",
                        index, print(own), print(declared));
      return failure();
    }
  }
  return success();
}

/// Checks the shapes of a function's operands and results.
LogicalResult OverloadMatcher::checkFunction(OverloadMatch &match,
                                             std::string &reason) {
  FlatSymbolRefAttr callee = match.overload.getCalleeAttr();
  if (!callee)
    return success();
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(set->getParentOp(), callee);
  for (auto [index, operand] : llvm::enumerate(match.operands)) {
    Type type = function.getArgumentTypes()[index];
    StringRef name = match.signature.formals[index].name.getValue();
    if (operand.number) {
      auto shaped = dyn_cast<RankedTensorType>(type);
      if (!shaped || shaped.hasStaticShape())
        continue;
      reason = llvm::formatv("'{0}' is a number, but the function takes {1}",
                             name, print(type));
      return failure();
    }
    if (canAdaptShape(operand.value.getType(), type))
      continue;
    reason =
        llvm::formatv("'{0}' is {1}, whose shape is not that of {2}, which "
                      "the function takes",
                      name, print(operand.value.getType()), print(type));
    return failure();
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    Type declared = dispatch.getResult(index).getType();
    if (canAdaptShape(type, declared))
      continue;
    reason = llvm::formatv("result {0} of the function is {1}, whose shape is "
                           "not that of {2}, which the dispatch declares",
                           index, print(type), print(declared));
    return failure();
  }
  return success();
}

std::optional<OverloadMatch> OverloadMatcher::match(OverloadOp overload,
                                                    OverloadDistance distance,
                                                    std::string &reason) {
  OverloadMatch match;
  match.overload = overload;
  match.signature = overload.getSignature();
  if (failed(collectOperands(match, reason)))
    return std::nullopt;
  // Formals with types of their own stand alone.
  llvm::MapVector<std::pair<StringAttr, unsigned>, SmallVector<unsigned>>
      constraints;
  for (auto [index, formal] : llvm::enumerate(match.signature.formals))
    constraints[{formal.types.variable, formal.types.variable ? 0 : index}]
        .push_back(index);
  for (const auto &[constraint, formals] : constraints)
    if (failed(bindTypes(match, formals, distance, reason)))
      return std::nullopt;
  if (failed(bindParameters(match, distance, reason)) ||
      failed(bindResults(match, distance, reason)) ||
      failed(checkFunction(match, reason)))
    return std::nullopt;
  return match;
}
