//===- PromoteTypes.cpp - implicit promotions made explicit ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistCasts.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/AtenTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPPROMOTETYPESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
/// Rewrites single ops.
class TypePromoter {
public:
  TypePromoter(MLIRContext *context, bool opmath)
      : rewriter(context), opmath(opmath) {}

  LogicalResult promote(Operation *op);
  void resolve(PromoteOp op);

  int64_t numCasts = 0;
  int64_t numScalars = 0;

private:
  Type getOperandType(const AtenTypeRule &rule, const AtenTypes &types,
                      bool hasDtype) const;
  Value getCast(Value value, Type elementType, bool mayElide);
  Operation *replaceScalars(Operation *op, Type target);
  void setResults(Operation *op, const AtenTypes &types, bool castsBack);

  IRRewriter rewriter;
  bool opmath;
};
} // namespace

Value TypePromoter::getCast(Value value, Type elementType, bool mayElide) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  ++numCasts;
  return CastOp::create(rewriter, value.getLoc(),
                        withElementType(value.getType(), elementType), value,
                        CastOrigin::promotion, mayElide);
}

static bool isExact(Type from, Type to) {
  return isValuePreserving(getElementTypeOrSelf(from),
                           getElementTypeOrSelf(to));
}

/// The element type that the op takes its participants in; null if it takes
/// them as they are.
Type TypePromoter::getOperandType(const AtenTypeRule &rule,
                                  const AtenTypes &types, bool hasDtype) const {
  // An op with a parameter `dtype` converts to it on its own.
  if (!types.common || hasDtype)
    return {};
  ComputeAndResult kind = applyPromotionKind(rule.kind, types.common);
  bool promotes = rule.combine == AtenCombine::Promote;
  if (opmath && promotes && rule.kind != PromotionKind::NO_OPMATH)
    return kind.compute;
  switch (rule.kind) {
  case PromotionKind::ALWAYS_BOOL:
  case PromotionKind::COMPLEX_TO_FLOAT:
  case PromotionKind::NO_OPMATH:
    return promotes ? types.common : Type();
  case PromotionKind::BOOL_OR_BYTE:
  case PromotionKind::TO_COMPLEX:
    return {};
  case PromotionKind::INT_TO_LONG:
    return kind.result;
  default:
    // Ops of low precision are not flooded with casts: they compute wider, and
    // return what they take.
    return promotes || types.needsPromotion ? kind.result : Type();
  }
}

/// The position of a scalar parameter among the tensors of the op.
static unsigned getPosition(StringRef parameter, StringRef base) {
  if (parameter == "self")
    return base == "where" ? 1 : 0;
  if (base == "where" || parameter == "max")
    return 2;
  return 1;
}

/// Turns scalars of another category than `target` into 0-d tensors. Gives the
/// op, or the one that has taken its place.
Operation *TypePromoter::replaceScalars(Operation *op, Type target) {
  SmallVector<NamedAttribute> scalars = getPromotingScalars(op);
  std::string name = getTensorOverload(op->getName().getStringRef());
  bool differs = llvm::any_of(scalars, [&](NamedAttribute scalar) {
    Type type = cast<TypedAttr>(scalar.getValue()).getType();
    return getTypeCategory(type) != getTypeCategory(target);
  });
  if (name.empty() || !differs || isa<ComplexType>(target))
    return op;
  // An overload for tensors takes all of them as tensors. A number that the
  // type of the tensors does not hold stays: the op computes with it in a wider
  // one.
  SmallVector<TypedAttr> numbers;
  auto convert = [](TypedAttr number, Type to) {
    return convertElement(number, number.getType(), to,
                          llvm::RoundingMode::NearestTiesToEven,
                          /*saturate=*/false);
  };
  for (NamedAttribute scalar : scalars) {
    auto number = cast<TypedAttr>(scalar.getValue());
    if (isa<ComplexType>(number.getType()))
      return op;
    TypedAttr converted = convert(number, target);
    if (!converted || convert(converted, number.getType()) != number)
      return op;
    numbers.push_back(converted);
  }
  OperationState state(op->getLoc(), name);
  SmallVector<Value> operands(op->getOperands());
  NamedAttrList attributes(op->getDiscardableAttrDictionary());
  StringRef base = AtenName::parse(name)->base;
  auto type = RankedTensorType::get({}, target);
  // min stands before max, so that the positions hold.
  for (StringRef parameter : {"self", "other", "exponent", "min", "max"}) {
    const auto *scalar = llvm::find_if(scalars, [&](NamedAttribute candidate) {
      return candidate.getName() == parameter;
    });
    if (scalar == scalars.end())
      continue;
    Value constant = arith::ConstantOp::create(
        rewriter, op->getLoc(),
        DenseElementsAttr::get(type, numbers[scalar - scalars.begin()]));
    unsigned position =
        std::min<unsigned>(getPosition(parameter, base), operands.size());
    operands.insert(operands.begin() + position, constant);
    attributes.erase(parameter);
    ++numScalars;
  }
  state.addOperands(operands);
  state.addAttributes(attributes.getAttrs());
  state.addTypes(op->getResultTypes());
  Operation *replacement = rewriter.create(state);
  rewriter.replaceOp(op, replacement->getResults());
  return replacement;
}

/// Gives the results their types; what the program said of them stays true for
/// their users.
void TypePromoter::setResults(Operation *op, const AtenTypes &types,
                              bool castsBack) {
  rewriter.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = types.results[result.getResultNumber()];
    Type declared = getElementTypeOrSelf(result.getType());
    if (!type)
      continue;
    // What the op itself returns: with explicit compute types, that.
    Type own = castsBack && getTypeCategory(type) >= TypeCategory::Float
                   ? getOpMathType(type)
                   : type;
    if (own == declared)
      continue;
    result.setType(withElementType(result.getType(), own));
    // Other ATen ops find out what they make of the new type when their turn
    // comes; but where the op returned `type` on its own, they see that.
    auto keepsDeclared = [&](OpOperand &use) {
      return own != type ||
             !lookupAtenTypeRule(use.getOwner()->getName().getStringRef());
    };
    if (llvm::none_of(result.getUses(), keepsDeclared))
      continue;
    Value cast = getCast(result, declared, /*mayElide=*/false);
    result.replaceUsesWithIf(cast, [&](OpOperand &use) {
      return use.getOwner() != cast.getDefiningOp() && keepsDeclared(use);
    });
  }
}

LogicalResult TypePromoter::promote(Operation *op) {
  StringRef opName = op->getName().getStringRef();
  std::optional<AtenName> name = AtenName::parse(opName);
  const AtenTypeRule *rule = lookupAtenTypeRule(opName);
  if (!rule) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("NoPromotionRule")
                                     .category("amp")
                                     .subCategory("types"))
        << remark::metric("Op", opName)
        << remark::reason("no rule says what the op makes of its types");
    return success();
  }
  Type dtype = getDtypeAttribute(op);
  AtenTypes types = inferAtenTypes(op, *rule, op->getOperandTypes(), dtype);
  if (!types.error.empty())
    return emitError(op, DiagnosticId::T001)
           << "'" << opName << "' " << types.error;
  if (name->inPlace || name->hasOut)
    return success();
  Type target = getOperandType(*rule, types, dtype != Type());
  rewriter.setInsertionPoint(op);
  if (target) {
    for (unsigned index : types.participants) {
      OpOperand &operand = op->getOpOperand(index);
      Type type = operand.get().getType();
      if (isa<ShapedType>(type))
        operand.set(getCast(operand.get(), target, isExact(type, target)));
    }
    op = replaceScalars(op, target);
  }
  setResults(op, types,
             opmath && target && target != types.common &&
                 rule->kind != PromotionKind::INT_TO_LONG);
  return success();
}

void TypePromoter::resolve(PromoteOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> promoted;
  for (auto [input, result] : llvm::zip_equal(op.getInputs(), op.getResults()))
    promoted.push_back(getCast(input, getElementTypeOrSelf(result.getType()),
                               isExact(input.getType(), result.getType())));
  rewriter.replaceOp(op, promoted);
}

namespace {
struct AmpPromoteTypesPass
    : public amp::impl::AmpPromoteTypesPassBase<AmpPromoteTypesPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(rejectUnappliedScopes(getOperation(), getArgument())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      // What is inside has rules of its own.
      if (isa_and_nonnull<OutDtypeOp>(op->getParentOp()))
        return;
      auto promotion = dyn_cast<PromoteOp>(op);
      if (promotion ? promotion.getMode() == PromoteMode::elementwise
                    : AtenName::parse(op->getName().getStringRef()).has_value())
        ops.push_back(op);
    });
    TypePromoter promoter(&getContext(), opmath);
    bool valid = true;
    for (Operation *op : ops) {
      if (auto promotion = dyn_cast<PromoteOp>(op))
        promoter.resolve(promotion);
      else
        valid &= succeeded(promoter.promote(op));
    }
    numCasts += promoter.numCasts;
    numScalars += promoter.numScalars;
    if (!valid)
      return signalPassFailure();
    if (promoter.numCasts)
      hoistCasts(getOperation());
  }
};
} // namespace
