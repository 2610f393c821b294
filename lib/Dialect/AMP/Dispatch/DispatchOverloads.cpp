//===- DispatchOverloads.cpp - the choice of overloads --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverloadMatcher.h"

#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPDISPATCHOVERLOADSPASS
#include "amp/Dialect/AMP/Dispatch/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

namespace {
/// What is chosen for a dispatch.
struct Choice {
  std::optional<OverloadMatch> match;
  OverloadDistance distance = OverloadDistance::Exact;
  /// How a tie was decided; empty if there was none.
  StringRef decidedBy;
};
} // namespace

/// Whether the conversions of `a` are at most as wide as those of `b` for every
/// operand, and narrower for one.
static bool isNearer(const OverloadMatch &a, const OverloadMatch &b) {
  size_t count = std::max(a.operands.size(), b.operands.size());
  bool narrower = false;
  auto getRank = [](const OverloadMatch &match, size_t index) {
    return index < match.operands.size() ? match.operands[index].rank
                                         : ConversionRank();
  };
  for (size_t index = 0; index < count; ++index) {
    ConversionRank rankA = getRank(a, index), rankB = getRank(b, index);
    if (rankA > rankB)
      return false;
    narrower |= rankA < rankB;
  }
  return narrower;
}

/// Whether `a` and `b` differ in what they say of an operand that is absent, so
/// that its type would have told them apart.
static bool differInAbsentOperand(const OverloadMatch &a,
                                  const OverloadMatch &b) {
  size_t count = std::max(a.operands.size(), b.operands.size());
  auto getAbsent = [](const OverloadMatch &match,
                      size_t index) -> const OverloadTypes * {
    return index < match.operands.size() && match.operands[index].isAbsent()
               ? &match.signature.formals[index].types
               : nullptr;
  };
  for (size_t index = 0; index < count; ++index) {
    const OverloadTypes *typesA = getAbsent(a, index);
    const OverloadTypes *typesB = getAbsent(b, index);
    if (!typesA && !typesB)
      continue;
    if (!typesA || !typesB || typesA->allowed != typesB->allowed)
      return true;
  }
  return false;
}

/// Picks one of `matches`, which all match at one distance: the position of it.
/// Nothing if several are equally good; then `matches` keeps just these.
static std::optional<size_t> pickMatch(std::vector<OverloadMatch> &matches,
                                       OverloadTies ties,
                                       StringRef &decidedBy) {
  std::vector<OverloadMatch> best;
  for (const OverloadMatch &match : matches)
    if (llvm::none_of(matches, [&](const OverloadMatch &other) {
          return isNearer(other, match);
        }))
      best.push_back(match);
  if (best.size() > 1) {
    int64_t priority = std::numeric_limits<int64_t>::min();
    for (OverloadMatch &match : best)
      priority = std::max<int64_t>(priority, match.overload.getPriority());
    size_t before = best.size();
    llvm::erase_if(best, [&](OverloadMatch &match) {
      return static_cast<int64_t>(match.overload.getPriority()) != priority;
    });
    if (best.size() < before)
      decidedBy = "priority";
  }
  matches = std::move(best);
  if (matches.size() == 1)
    return 0;
  if (llvm::all_of(llvm::drop_begin(matches), [&](const OverloadMatch &match) {
        return differInAbsentOperand(matches.front(), match);
      })) {
    decidedBy = "the order of the set, as they differ in an absent operand";
    return 0;
  }
  if (ties == OverloadTies::error)
    return std::nullopt;
  decidedBy = "the order of the set, which has 'ties'";
  return ties == OverloadTies::first ? 0 : matches.size() - 1;
}

static StringRef getDistanceName(OverloadDistance distance) {
  switch (distance) {
  case OverloadDistance::Exact:
    return "exactly";
  case OverloadDistance::Promoted:
    return "after promotion";
  case OverloadDistance::Nearest:
    return "after conversions that keep every value";
  case OverloadDistance::Lossy:
    return "after conversions that lose values";
  }
  llvm_unreachable("unknown distance");
}

/// Reports that several overloads match equally well.
static void reportTie(DispatchOp dispatch, OverloadSetOp set,
                      ArrayRef<OverloadMatch> tied, OverloadDistance distance,
                      ArrayRef<std::string> reasons) {
  InFlightDiagnostic diag = dispatch.emitOpError()
                            << "matches " << tied.size() << " overloads of @"
                            << set.getSymName() << " equally well";
  for (auto [index, overload] : llvm::enumerate(set.getOverloads())) {
    StringRef reason = reasons[index];
    OverloadOp candidate = overload;
    Diagnostic &note = diag.attachNote(overload.getLoc());
    note << "candidate \"" << overload.getOverloadName() << "\" ";
    if (llvm::any_of(tied, [&](const OverloadMatch &match) {
          return match.overload == candidate;
        }))
      note << "matches " << getDistanceName(distance) << ", with priority "
           << static_cast<int64_t>(overload.getPriority());
    else if (reason.empty())
      note << "matches, but others are nearer or have a larger priority";
    else
      note << "does not match: " << reason;
  }
  diag.attachNote(dispatch.getLoc())
      << "give one of them a larger 'priority', or the set 'ties(first)'";
}

static Choice choose(DispatchOp dispatch, OverloadSetOp set,
                     SymbolTableCollection &symbols, OverloadDistance limit) {
  OverloadMatcher matcher(dispatch, set, symbols);
  SmallVector<OverloadOp> overloads = set.getOverloads();
  SmallVector<std::string> reasons;
  Choice choice;
  auto matchAll = [&](OverloadDistance distance) {
    std::vector<OverloadMatch> matches;
    reasons.clear();
    for (OverloadOp overload : overloads)
      if (std::optional<OverloadMatch> match =
              matcher.match(overload, distance, reasons.emplace_back()))
        matches.push_back(*match);
    return matches;
  };
  for (int step = 0; step <= static_cast<int>(limit); ++step) {
    choice.distance = static_cast<OverloadDistance>(step);
    std::vector<OverloadMatch> matches = matchAll(choice.distance);
    if (matches.empty())
      continue;
    std::optional<size_t> picked =
        pickMatch(matches, set.getTies(), choice.decidedBy);
    if (picked)
      choice.match = matches[*picked];
    else
      reportTie(dispatch, set, matches, choice.distance, reasons);
    return choice;
  }

  InFlightDiagnostic diag = dispatch.emitOpError()
                            << "no overload of @" << set.getSymName()
                            << " takes (";
  llvm::interleaveComma(dispatch.getPositions(), diag, [&](Value value) {
    if (value)
      diag << value.getType();
    else
      diag << "none";
  });
  diag << ")";
  for (auto [overload, reason] : llvm::zip_equal(overloads, reasons))
    diag.attachNote(overload.getLoc())
        << "candidate \"" << overload.getOverloadName()
        << "\" does not match: " << reason;
  // What would help: the next steps that the options left out.
  Diagnostic &note = diag.attachNote(dispatch.getLoc());
  for (int step = static_cast<int>(limit) + 1;
       step <= static_cast<int>(OverloadDistance::Lossy); ++step) {
    auto distance = static_cast<OverloadDistance>(step);
    std::vector<OverloadMatch> matches = matchAll(distance);
    if (matches.empty())
      continue;
    note << "\"" << matches.front().overload.getOverloadName() << "\" matches "
         << getDistanceName(distance) << ", which ";
    if (distance == OverloadDistance::Lossy)
      note << "'allow-lossy' permits";
    else
      note << "'match="
           << (distance == OverloadDistance::Promoted ? "promoted" : "nearest")
           << "' permits";
    return choice;
  }
  note << "cast the operands to types that a candidate takes, or add an "
          "overload";
  return choice;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Puts the implementation in the place of a dispatch.
class OverloadBuilder {
public:
  OverloadBuilder(RewriterBase &rewriter, DispatchOp dispatch,
                  OverloadMatch &match, func::FuncOp function)
      : rewriter(rewriter), dispatch(dispatch), match(match),
        function(function) {}

  void build();

private:
  Value cast(Value value, Type elementType, CastOrigin origin, bool mayElide);
  Value adaptShape(Value value, Type type);
  Value getOperand(const OverloadOperand &operand, Type type);
  SmallVector<Value> buildCall();
  SmallVector<Value> buildOp();

  RewriterBase &rewriter;
  DispatchOp dispatch;
  OverloadMatch &match;
  func::FuncOp function;
};
} // namespace

Value OverloadBuilder::cast(Value value, Type elementType, CastOrigin origin,
                            bool mayElide) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  return CastOp::create(rewriter, dispatch.getLoc(),
                        withElementType(value.getType(), elementType), value,
                        origin, mayElide);
}

Value OverloadBuilder::adaptShape(Value value, Type type) {
  if (value.getType() == type)
    return value;
  Location loc = dispatch.getLoc();
  if (!isa<ShapedType>(type))
    return tensor::ExtractOp::create(rewriter, loc, value, ValueRange());
  if (!isa<ShapedType>(value.getType()))
    return tensor::FromElementsOp::create(rewriter, loc, type, value);
  return tensor::CastOp::create(rewriter, loc, type, value);
}

/// The operand as the implementation takes it: of type `type`, or, where that
/// is null, in its own shape.
Value OverloadBuilder::getOperand(const OverloadOperand &operand, Type type) {
  if (operand.number) {
    TypedAttr number = convertParameter(operand.number, operand.target);
    if (!type)
      type = RankedTensorType::get({}, operand.target);
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, number);
    return arith::ConstantOp::create(rewriter, dispatch.getLoc(), number);
  }
  Value value = operand.value;
  Type own = getElementTypeOrSelf(value.getType());
  // What torch's promotion rounds is rounded before it is widened.
  if (own != operand.target && own != operand.promoted &&
      operand.promoted != operand.target &&
      !isValuePreserving(own, operand.promoted))
    value = cast(value, operand.promoted, CastOrigin::promotion,
                 /*mayElide=*/false);
  own = getElementTypeOrSelf(value.getType());
  value = cast(value, operand.target,
               operand.promoted == operand.target ? CastOrigin::promotion
                                                  : CastOrigin::legalization,
               isValuePreserving(own, operand.target));
  return type ? adaptShape(value, type) : value;
}

SmallVector<Value> OverloadBuilder::buildCall() {
  SmallVector<Value> arguments;
  for (auto [index, operand] : llvm::enumerate(match.operands))
    arguments.push_back(
        getOperand(operand, function.getArgumentTypes()[index]));
  for (auto [parameter, value] :
       llvm::zip_equal(match.signature.parameters, match.parameters))
    if (parameter.isArgument())
      arguments.push_back(arith::ConstantOp::create(
          rewriter, dispatch.getLoc(), llvm::cast<TypedAttr>(value)));
  auto call =
      func::CallOp::create(rewriter, dispatch.getLoc(), function, arguments);
  call->setDiscardableAttrs(dispatch->getDiscardableAttrDictionary());
  return llvm::to_vector_of<Value>(call.getResults());
}

SmallVector<Value> OverloadBuilder::buildOp() {
  SmallVector<Value> operands;
  SmallVector<int32_t> segments;
  bool hasOptional = false;
  for (auto [formal, operand] :
       llvm::zip_equal(match.signature.formals, match.operands)) {
    hasOptional |= formal.optional;
    segments.push_back(operand.isAbsent() ? 0 : 1);
    if (!operand.isAbsent())
      operands.push_back(getOperand(operand, {}));
  }
  NamedAttrList attributes(dispatch->getDiscardableAttrDictionary());
  for (auto [parameter, value] :
       llvm::zip_equal(match.signature.parameters, match.parameters))
    if (value)
      attributes.set(parameter.name, value);
  if (hasOptional)
    attributes.set("operandSegmentSizes",
                   rewriter.getDenseI32ArrayAttr(segments));
  OperationState state(dispatch.getLoc(),
                       match.overload.getEmittedOpAttr().getValue());
  state.addOperands(operands);
  state.addAttributes(attributes.getAttrs());
  for (auto [result, elementType] :
       llvm::zip_equal(dispatch.getResults(), match.results))
    state.addTypes(withElementType(result.getType(), elementType));
  return llvm::to_vector_of<Value>(rewriter.create(state)->getResults());
}

void OverloadBuilder::build() {
  rewriter.setInsertionPoint(dispatch);
  SmallVector<Value> results = function ? buildCall() : buildOp();
  for (auto [value, result] : llvm::zip_equal(results, dispatch.getResults())) {
    Type own = getElementTypeOrSelf(value.getType());
    value = adaptShape(value, withElementType(result.getType(), own));
    Type declared = getElementTypeOrSelf(result.getType());
    value = cast(value, declared, CastOrigin::legalization,
                 isValuePreserving(own, declared));
  }
  rewriter.replaceOp(dispatch, results);
}

//===----------------------------------------------------------------------===//
// AmpDispatchOverloadsPass
//===----------------------------------------------------------------------===//

static void emitRemark(const Choice &choice, DispatchOp dispatch) {
  OverloadOp overload = choice.match->overload;
  auto options = [](StringRef name) {
    return remark::RemarkOpts::name(name).category("amp").subCategory(
        "dispatch");
  };
  if (choice.distance != OverloadDistance::Exact)
    remark::passed(dispatch.getLoc(),
                   options(choice.distance == OverloadDistance::Promoted
                               ? "PromotedOverload"
                           : choice.distance == OverloadDistance::Nearest
                               ? "NearestOverload"
                               : "LossyOverload"))
        << remark::metric("Set", dispatch.getSet())
        << remark::metric("Overload", overload.getOverloadName())
        << remark::reason("it matches {0}", getDistanceName(choice.distance));
  if (!choice.decidedBy.empty())
    remark::passed(dispatch.getLoc(), options("TiedOverloads"))
        << remark::metric("Set", dispatch.getSet())
        << remark::metric("Overload", overload.getOverloadName())
        << remark::reason(
               "several overloads match equally well; decided by {0}",
               choice.decidedBy);
}

/// A pass may only create ops of dialects that are loaded; the text of an
/// overload loads the dialect, other forms do not.
static LogicalResult checkEmittedOp(OverloadOp overload) {
  std::optional<StringRef> name = overload.getEmittedOp();
  MLIRContext *context = overload.getContext();
  if (!name || RegisteredOperationName::lookup(*name, context) ||
      context->allowsUnregisteredDialects())
    return success();
  Dialect *dialect = context->getLoadedDialect(name->split('.').first);
  if (dialect && dialect->allowsUnknownOperations())
    return success();
  return overload.emitOpError()
         << "emits '" << *name << "', which "
         << (dialect ? "its dialect does not have"
                     : "is of a dialect that is not loaded; load it before the "
                       "passes run, or write the overload in its custom form");
}

namespace {
struct AmpDispatchOverloadsPass
    : public amp::impl::AmpDispatchOverloadsPassBase<AmpDispatchOverloadsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<DispatchOp> dispatches;
    SmallVector<OverloadSetOp> sets;
    module.walk([&](Operation *op) {
      if (auto dispatch = dyn_cast<DispatchOp>(op))
        dispatches.push_back(dispatch);
      else if (auto set = dyn_cast<OverloadSetOp>(op))
        sets.push_back(set);
    });
    if (dispatches.empty() && sets.empty())
      return markAllAnalysesPreserved();
    if (failed(rejectUnappliedScopes(module, getArgument())))
      return signalPassFailure();

    OverloadDistance limit = allowLossy && match == OverloadDistance::Nearest
                                 ? OverloadDistance::Lossy
                                 : match.getValue();
    if (allowLossy && match != OverloadDistance::Nearest) {
      emitError(module.getLoc())
          << "'" << getArgument()
          << "' has 'allow-lossy', which needs 'match=nearest'";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SymbolTableCollection symbols;
    bool valid = true;
    for (DispatchOp dispatch : dispatches) {
      auto set = symbols.lookupNearestSymbolFrom<OverloadSetOp>(
          dispatch, dispatch.getSetAttr());
      Choice choice = choose(dispatch, set, symbols, limit);
      if (!choice.match) {
        valid = false;
        continue;
      }
      if (failed(checkEmittedOp(choice.match->overload))) {
        valid = false;
        continue;
      }
      func::FuncOp function;
      if (FlatSymbolRefAttr callee = choice.match->overload.getCalleeAttr())
        function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
            set->getParentOp(), callee);
      emitRemark(choice, dispatch);
      OverloadBuilder(rewriter, dispatch, *choice.match, function).build();
      ++(choice.distance == OverloadDistance::Exact      ? numExact
         : choice.distance == OverloadDistance::Promoted ? numPromoted
                                                         : numNearest);
    }
    if (!valid)
      return signalPassFailure();
    for (OverloadSetOp set : sets)
      rewriter.eraseOp(set);
  }
};
} // namespace
