//===- AtenTypes.cpp - the element types that ATen ops give ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Types/AtenTypes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Names and rules
//===----------------------------------------------------------------------===//

std::optional<AtenName> AtenName::parse(StringRef opName) {
  opName.consume_front("torch.");
  if (!opName.consume_front("aten."))
    return std::nullopt;
  AtenName name;
  std::tie(name.base, name.overload) = opName.split('.');
  if (name.overload == "default")
    name.overload = "";
  // The double underscores of operators (__and__) are no sign of in-place.
  if (!name.base.ends_with("__"))
    name.inPlace = name.base.consume_back("_");
  name.hasOut = name.overload == "out" || name.overload.ends_with("_out");
  if (name.hasOut) {
    name.overload = name.overload.drop_back(3);
    name.overload.consume_back("_");
  }
  return name;
}

static constexpr unsigned FLOATS = AtenTypeRule::kFloats;
static constexpr unsigned REALS = AtenTypeRule::kReals | FLOATS;
static constexpr unsigned QUOTIENT = AtenTypeRule::kQuotient;

static constexpr AtenTypeRule kRules[] = {
#define AMP_ATEN(NAME, COMBINE, OPERANDS, KIND, RESULTS, FLAGS)                \
  {NAME, AtenCombine::COMBINE, OPERANDS, PromotionKind::KIND, RESULTS, FLAGS},
#include "amp/Types/AtenTypes.def"
};

ArrayRef<AtenTypeRule> mlir::amp::getAtenTypeRules() { return kRules; }

/// All rules by name: those of the table of elementwise ops, then AtenTypes.def
/// over them.
static const llvm::StringMap<AtenTypeRule> &getRuleMap() {
  static const llvm::StringMap<AtenTypeRule> rules = [] {
    llvm::StringMap<AtenTypeRule> map;
    for (const ElementwiseRule &rule : getElementwiseRules())
      if (!rule.name.ends_with("_"))
        map[rule.name] = {
            rule.name, AtenCombine::Promote, rule.operands, rule.kind, "r", 0};
    for (const AtenTypeRule &rule : kRules)
      map[rule.name] = rule;
    return map;
  }();
  return rules;
}

const AtenTypeRule *mlir::amp::lookupAtenTypeRule(StringRef opName) {
  std::optional<AtenName> name = AtenName::parse(opName);
  if (!name)
    return nullptr;
  const llvm::StringMap<AtenTypeRule> &rules = getRuleMap();
  auto it = rules.end();
  if (!name->overload.empty())
    it = rules.find((name->base + "." + name->overload).str());
  if (it == rules.end())
    it = rules.find(name->base);
  return it == rules.end() ? nullptr : &it->second;
}

namespace {
struct TensorOverload {
  StringRef op, scalar, tensor;
};
} // namespace

static constexpr TensorOverload kTensorOverloads[] = {
#define AMP_TENSOR_OVERLOAD(OP, SCALAR, TENSOR) {OP, SCALAR, TENSOR},
#include "amp/Types/AtenTypes.def"
};

std::string mlir::amp::getTensorOverload(StringRef opName) {
  std::optional<AtenName> name = AtenName::parse(opName);
  if (!name || name->inPlace || name->hasOut)
    return {};
  for (const TensorOverload &entry : kTensorOverloads)
    if (entry.op == name->base && entry.scalar == name->overload)
      return ((opName.starts_with("torch.") ? "torch.aten." : "aten.") +
              name->base + "." + entry.tensor)
          .str();
  return {};
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The parameters of an op, as ranges of its operands: segments where it has
/// them, else every operand is one.
static SmallVector<std::pair<unsigned, unsigned>>
getParameters(Operation *op, unsigned numOperands) {
  SmallVector<std::pair<unsigned, unsigned>> parameters;
  if (auto segments =
          op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes")) {
    unsigned begin = 0;
    for (int32_t size : segments.asArrayRef()) {
      if (size < 0 || begin + size > numOperands)
        return {};
      parameters.emplace_back(begin, begin + size);
      begin += size;
    }
    // Scalars come behind the tensors.
    for (; begin < numOperands; ++begin)
      parameters.emplace_back(begin, begin + 1);
    return parameters;
  }
  for (unsigned index = 0; index != numOperands; ++index)
    parameters.emplace_back(index, index + 1);
  return parameters;
}

/// Integers, floats and complex numbers have an element type that combines.
static bool hasDType(Type type) {
  return isa<IntegerType, FloatType, ComplexType>(getElementTypeOrSelf(type));
}

static SmallVector<unsigned> getParticipants(Operation *op, StringRef positions,
                                             TypeRange types) {
  SmallVector<unsigned> result;
  auto add = [&](unsigned begin, unsigned end) {
    for (unsigned index = begin; index != end; ++index)
      if (hasDType(types[index]))
        result.push_back(index);
  };
  if (positions == "*") {
    add(0, types.size());
    return result;
  }
  auto parameters = getParameters(op, types.size());
  SmallVector<StringRef> texts;
  positions.split(texts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    int position = 0;
    if (text.getAsInteger(10, position))
      continue;
    if (position < 0)
      position += parameters.size();
    if (position >= 0 && static_cast<size_t>(position) < parameters.size())
      add(parameters[position].first, parameters[position].second);
  }
  return result;
}

SmallVector<NamedAttribute> mlir::amp::getPromotingScalars(Operation *op) {
  SmallVector<NamedAttribute> scalars;
  for (StringRef name : {"exponent", "max", "min", "other", "self"})
    if (auto scalar = op->getDiscardableAttrDictionary().getAs<TypedAttr>(name))
      if (hasDType(scalar.getType()) && !isa<ShapedType>(scalar.getType()))
        scalars.emplace_back(StringAttr::get(op->getContext(), name), scalar);
  return scalars;
}

Type mlir::amp::getDtypeAttribute(Operation *op) {
  // `dtype = none` is the None that absence means.
  auto attribute = op->getAttrOfType<TypeAttr>("dtype");
  return attribute && !isa<NoneType>(attribute.getValue())
             ? attribute.getValue()
             : Type();
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

static bool haveOneType(ArrayRef<Type> types) {
  return llvm::all_of(types, [&](Type type) {
    Type first = getElementTypeOrSelf(types.front());
    Type own = getElementTypeOrSelf(type);
    return own == first || (getDType(own) && getDType(own) == getDType(first));
  });
}

/// Combines the types of the participants into `types.common`.
static void combine(Operation *op, const AtenTypeRule &rule, TypeRange operands,
                    AtenTypes &types) {
  SmallVector<Type> combined = llvm::map_to_vector(
      types.participants, [&](unsigned index) { return operands[index]; });
  if (combined.empty())
    return;
  if (rule.combine == AtenCombine::First) {
    types.common = getElementTypeOrSelf(combined.front());
    return;
  }
  PromotionConflict conflict;
  if (rule.combine == AtenCombine::Equal) {
    if (haveOneType(combined)) {
      types.common = getElementTypeOrSelf(combined.front());
      return;
    }
    llvm::raw_string_ostream os(types.mismatch);
    os << "takes operands of one element type, but found ";
    llvm::interleaveComma(combined, os, [&](Type type) {
      os << '\'' << getElementTypeOrSelf(type) << '\'';
    });
    types.needsPromotion = true;
  } else {
    for (NamedAttribute scalar : getPromotingScalars(op))
      combined.push_back(cast<TypedAttr>(scalar.getValue()).getType());
  }
  types.common = getResultType(combined, &conflict);
  if (!types.common)
    types.error =
        "has operands that torch does not promote: " + conflict.describe();
}

/// The element type that one letter of a rule stands for.
static Type getLetterType(char letter, const ComputeAndResult &kind,
                          Type common, Type operand, MLIRContext *context) {
  switch (letter) {
  case 'r':
  case 's':
    return kind.result;
  case 'p':
    return common;
  case 'v':
    return kind.result ? getRealType(kind.result) : Type();
  case 'c':
    return kind.result
               ? applyPromotionKind(PromotionKind::TO_COMPLEX, kind.result)
                     .result
               : Type();
  case 'm':
    return kind.compute;
  case 'w':
    return toElementType(
        common && getTypeCategory(common) == TypeCategory::Complex ? DType::C128
                                                                   : DType::F64,
        context);
  case 'f':
    return toElementType(DType::F32, context);
  case 'l':
    return toElementType(DType::I64, context);
  case 'i':
    return toElementType(DType::I32, context);
  case 'b':
    return toElementType(DType::BOOL, context);
  case '=':
    return operand;
  default:
    llvm_unreachable("unknown letter in AtenTypes.def");
  }
}

/// Checks what an in-place or out= variant writes to, and gives its type.
static Type getWrittenType(const AtenName &name, const AtenTypeRule &rule,
                           TypeRange operands, Type result, AtenTypes &types) {
  Type destination =
      getElementTypeOrSelf(name.hasOut ? operands.back() : operands.front());
  if (!result || !hasDType(destination) || destination == result)
    return destination;
  bool allowed = rule.combine == AtenCombine::Promote &&
                 canCastResult(result, destination);
  // An op that takes one type writes that type; one that follows its first
  // operand casts on the way out.
  allowed |= rule.combine == AtenCombine::First && name.hasOut &&
             canCastResult(result, destination);
  if (!allowed && types.error.empty()) {
    llvm::raw_string_ostream os(types.error);
    os << "computes '" << result
       << "', which cannot be written to a tensor of '" << destination << "'"
       << (name.hasOut ? " (its operand 'out')" : " (its operand 'self')")
       << "; use the variant that returns a new tensor, or cast the operands";
  }
  return destination;
}

AtenTypes mlir::amp::inferAtenTypes(Operation *op, const AtenTypeRule &rule,
                                    TypeRange operands, Type dtype) {
  AtenTypes types;
  MLIRContext *context = op->getContext();
  std::optional<AtenName> name = AtenName::parse(op->getName().getStringRef());
  TypeRange inputs = operands;
  if (name && name->hasOut && !inputs.empty())
    inputs = inputs.drop_back();
  types.participants = getParticipants(op, rule.operands, inputs);
  combine(op, rule, inputs, types);
  ComputeAndResult kind = {};
  if (types.common) {
    Type common = types.common;
    Type asked = dtype ? dtype : common;
    TypeCategory category = getTypeCategory(asked);
    if (types.mismatch.empty()) {
      llvm::raw_string_ostream os(types.mismatch);
      if ((rule.flags & AtenTypeRule::kFloats) &&
          category <= TypeCategory::Integer)
        os << "takes floats, but found '" << asked << "'";
      if ((rule.flags & AtenTypeRule::kReals) &&
          category == TypeCategory::Complex)
        os << "takes real numbers, but found '" << asked << "'";
      auto divided = ArrayRef(types.participants).drop_front();
      if ((rule.flags & AtenTypeRule::kQuotient) && !divided.empty() &&
          llvm::all_of(divided, [&](unsigned index) {
            return getTypeCategory(getElementTypeOrSelf(inputs[index])) <=
                   TypeCategory::Integer;
          }))
        os << "divides floats, but found '"
           << getElementTypeOrSelf(inputs[divided.front()]) << "'";
    }
    // Where torch has an error, integers are taken as f32.
    if ((rule.flags & AtenTypeRule::kFloats) &&
        category <= TypeCategory::Integer)
      types.common = common = toElementType(DType::F32, context);
    // A quotient that is rounded to an integer stays one.
    PromotionKind ruleKind = rule.kind;
    if (name && (name->base == "div" || name->base == "divide") &&
        op->getAttrOfType<StringAttr>("rounding_mode"))
      ruleKind = PromotionKind::DEFAULT;
    kind = applyPromotionKind(ruleKind, common);
  }
  if (dtype && rule.combine != AtenCombine::None) {
    kind.result = types.common = dtype;
    kind.compute = getOpMathType(dtype);
  }
  types.compute = kind.compute;
  for (unsigned index = 0, e = op->getNumResults(); index != e; ++index) {
    char letter =
        rule.results[std::min<size_t>(index, rule.results.size() - 1)];
    Type operand = index < operands.size()
                       ? getElementTypeOrSelf(operands[index])
                       : Type();
    Type result =
        rule.combine == AtenCombine::None && dtype
            ? dtype
            : getLetterType(letter, kind, types.common, operand, context);
    types.results.push_back(result);
    if (letter != 's' || !kind.result || types.participants.empty() || dtype)
      continue;
    Type place = getElementTypeOrSelf(inputs[types.participants.front()]);
    if (canCastResult(kind.result, place)) {
      types.results.back() = place;
    } else if (types.mismatch.empty()) {
      llvm::raw_string_ostream os(types.mismatch);
      os << "computes '" << kind.result << "' in the place of '" << place
         << "'";
    }
  }
  if (name && (name->inPlace || name->hasOut) && !operands.empty() &&
      !types.results.empty())
    types.results.front() =
        getWrittenType(*name, rule, operands, types.results.front(), types);
  return types;
}
