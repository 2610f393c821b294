//===- VectorChoices.cpp - argmax and the like in lanes -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction that keeps one element takes the greatest (or least) by some
// order of values, and of equal ones the first or the last. Every lane can then
// keep the one of its own elements, starting as the program does, with the
// number of its vector; after the loop lanes are compared in pairs as the
// program compares elements: the one whose place comes first is what was kept,
// the other is new. So ties, NaN and zeros of both signs come out as the
// program has it.
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

namespace {
/// A boolean payload value as a function of two numbers.
class Comparison {
public:
  /// Collects the comparisons in `condition`; false if it has anything else, or
  /// compares more than one value with more than one accumulator.
  bool collect(Value condition, linalg::LinalgOp op) {
    Operation *maker = condition.getDefiningOp();
    if (!maker || maker->getBlock() != op.getBlock())
      return matchPattern(condition, m_Constant());
    if (!seen.insert(maker).second || maker->hasTrait<OpTrait::ConstantLike>())
      return isa<IntegerType>(condition.getType());
    if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(maker))
      return collect(maker->getOperand(0), op) &&
             collect(maker->getOperand(1), op);
    if (auto compare = dyn_cast<arith::CmpIOp>(maker)) {
      using P = arith::CmpIPredicate;
      P predicate = compare.getPredicate();
      isSigned |=
          llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate);
      isUnsigned |=
          llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
    } else if (!isa<arith::CmpFOp>(maker)) {
      return false;
    }
    for (Value operand : maker->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      bool isAccumulator = argument && argument.getOwner() == op.getBlock() &&
                           argument.getArgNumber() >= op.getNumDpsInputs();
      Value &side = isAccumulator ? accumulator : element;
      if (side && side != operand)
        return false;
      side = operand;
    }
    return true;
  }

  /// The value of `condition` for these two.
  template <typename Number>
  bool evaluate(Value condition, const Number &x, const Number &kept) const {
    APInt constant;
    if (matchPattern(condition, m_ConstantInt(&constant)))
      return !constant.isZero();
    Operation *maker = condition.getDefiningOp();
    auto number = [&](unsigned i) {
      return maker->getOperand(i) == accumulator ? kept : x;
    };
    if constexpr (std::is_same_v<Number, APFloat>) {
      if (auto compare = dyn_cast<arith::CmpFOp>(maker))
        return arith::applyCmpPredicate(compare.getPredicate(), number(0),
                                        number(1));
    } else {
      if (auto compare = dyn_cast<arith::CmpIOp>(maker))
        return arith::applyCmpPredicate(compare.getPredicate(), number(0),
                                        number(1));
    }
    bool left = evaluate(maker->getOperand(0), x, kept);
    bool right = evaluate(maker->getOperand(1), x, kept);
    return isa<arith::AndIOp>(maker)  ? left && right
           : isa<arith::OrIOp>(maker) ? left || right
                                      : left != right;
  }

  /// Whether the element is taken by an order of all numbers: lanes may then be
  /// combined in any grouping.
  bool isOrder(Value condition, bool takesIfTrue) const {
    auto isOneOf = [&](auto less, auto greater) {
      return evaluate(condition, less, greater) !=
             evaluate(condition, greater, less);
    };
    if (isa<FloatType>(element.getType())) {
      APFloat zero(0.0), one(1.0);
      APFloat nan(std::numeric_limits<double>::quiet_NaN());
      // NaN must not be both above and below the numbers.
      bool takesNaN = evaluate(condition, nan, zero) == takesIfTrue;
      bool leavesNaN = evaluate(condition, zero, nan) == takesIfTrue;
      return isOneOf(zero, one) && !(takesNaN && leavesNaN);
    }
    return !(isSigned && isUnsigned) && isOneOf(APInt(8, 0), APInt(8, 1));
  }

  Value element, accumulator;

private:
  DenseSet<Operation *> seen;
  bool isSigned = false, isUnsigned = false;
};
} // namespace

/// Whether `value` depends on block arguments of `op` that `test` holds for.
static bool dependsOn(Value value, linalg::LinalgOp op,
                      llvm::function_ref<bool(BlockArgument)> test) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == op.getBlock() && test(argument);
  Operation *maker = value.getDefiningOp();
  return maker->getBlock() == op.getBlock() &&
         llvm::any_of(maker->getOperands(),
                      [&](Value v) { return dependsOn(v, op, test); });
}

/// Whether `value` is made of loop indices and constants.
static bool isPlace(Value value, linalg::LinalgOp op) {
  if (dependsOn(value, op, [](BlockArgument) { return true; }))
    return false;
  // Elements of other tensors are read in the loop.
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *maker = worklist.pop_back_val().getDefiningOp();
    if (!maker || maker->getBlock() != op.getBlock())
      continue;
    if (isa<tensor::ExtractOp>(maker))
      return false;
    llvm::append_range(worklist, maker->getOperands());
  }
  return true;
}

SmallVector<Choice> cpu::matchChoices(linalg::LinalgOp op) {
  auto isAccumulator = [&](BlockArgument argument) {
    return argument.getArgNumber() >= op.getNumDpsInputs();
  };
  // By condition, and whether the element is taken where it is true.
  llvm::MapVector<std::pair<Value, unsigned>, Choice> groups;
  SmallVector<Value> elements(op.getNumDpsInits());
  for (auto [i, yielded] :
       llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    auto select = yielded.getDefiningOp<arith::SelectOp>();
    Value accumulator = op.getRegionOutputArgs()[i];
    if (!select || select->getBlock() != op.getBlock() ||
        isa<ShapedType>(select.getCondition().getType()))
      continue;
    bool takesIfTrue = select.getFalseValue() == accumulator;
    if (!takesIfTrue && select.getTrueValue() != accumulator)
      continue;
    elements[i] = takesIfTrue ? select.getTrueValue() : select.getFalseValue();
    if (dependsOn(elements[i], op, isAccumulator))
      continue;
    Choice &choice = groups[{select.getCondition(), unsigned(takesIfTrue)}];
    choice.condition = select.getCondition();
    choice.takesIfTrue = takesIfTrue;
    choice.outputs.push_back(i);
  }
  SmallVector<Choice> choices;
  for (auto &group : groups) {
    Choice &choice = group.second;
    Comparison comparison;
    if (!comparison.collect(choice.condition, op) || !comparison.element ||
        !comparison.accumulator ||
        dependsOn(comparison.element, op, isAccumulator) ||
        !comparison.isOrder(choice.condition, choice.takesIfTrue))
      continue;
    choice.key = cast<BlockArgument>(comparison.accumulator).getArgNumber() -
                 op.getNumDpsInputs();
    choice.element = comparison.element;
    if (!llvm::is_contained(choice.outputs, choice.key) ||
        elements[choice.key] != choice.element)
      continue;
    for (unsigned i : choice.outputs)
      if (i != choice.key && isPlace(elements[i], op))
        choice.derived.push_back(i);
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *maker) {
      return maker->getBlock() == op.getBlock() &&
             maker != choice.element.getDefiningOp() &&
             isa<IntegerType>(maker->getResult(0).getType()) &&
             isa<arith::CmpFOp, arith::CmpIOp, arith::AndIOp, arith::OrIOp,
                 arith::XOrIOp, arith::ConstantOp>(maker);
    };
    SetVector<Operation *> slice;
    (void)getBackwardSlice(choice.condition, &slice, options);
    choice.comparison = slice.takeVector();
    choices.push_back(choice);
  }
  return choices;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Value cpu::startNumbers(OpBuilder &b, Location loc, Type element,
                        int64_t lanes) {
  // As wide as what it goes beside; 2^31 vectors are at least 2^33 elements.
  bool isWide = element.isIndex() || element.getIntOrFloatBitWidth() > 32;
  Type type = isWide ? b.getI64Type() : b.getI32Type();
  Value none = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, -1));
  return toVector(b, loc, none, lanes);
}

/// One step of all that is carried.
SmallVector<Value> VectorNest::reductionStep(Tile tile, ValueRange carried) {
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> accs, numbers, conditions;
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (unsigned i = 0; i < numInits; ++i) {
      bool isDeferred = deferredOutputs.contains(i);
      accs.push_back(isDeferred ? Value() : carried.front());
      carried = carried.drop_front(isDeferred ? 0 : 1);
    }
    llvm::append_range(numbers, carried.take_front(choices.size()));
    carried = carried.drop_front(choices.size());
  }
  SmallVector<Value> values = payload(tile, accs, &conditions);
  SmallVector<Value> next;
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (unsigned i = 0; i < numInits; ++i)
      if (!deferredOutputs.contains(i))
        next.push_back(values[row * numInits + i]);
    for (auto [c, choice] : llvm::enumerate(choices)) {
      Value old = numbers[row * choices.size() + c];
      Value number = applyExpr(b, loc, b.getAffineSymbolExpr(0).floorDiv(lanes),
                               {ivs[vecDim]});
      Type type = cast<VectorType>(old.getType()).getElementType();
      number = toVector(
          b, loc, arith::IndexCastOp::create(b, loc, type, number), lanes);
      Value condition = conditions[row * choices.size() + c];
      next.push_back(
          choice.takesIfTrue
              ? arith::SelectOp::create(b, loc, condition, number, old)
              : arith::SelectOp::create(b, loc, condition, old, number));
    }
  }
  return next;
}

/// Combines the halves of the vectors in `state`, the last of which has the
/// places and the `key`-th the values that are compared.
void VectorNest::mergeHalves(const Choice &choice,
                             SmallVectorImpl<Value> &state, unsigned key) {
  int64_t width = cast<VectorType>(state.back().getType()).getNumElements();
  auto half = [&](Value v, int64_t from) -> Value {
    if (width == 2)
      return vector::ExtractOp::create(b, loc, v, from);
    SmallVector<int64_t> picks =
        llvm::to_vector(llvm::seq(from * width / 2, (from + 1) * width / 2));
    return vector::ShuffleOp::create(b, loc, v, v, picks);
  };
  SmallVector<Value> low, high;
  for (Value v : state) {
    low.push_back(half(v, 0));
    high.push_back(half(v, 1));
  }
  Value inOrder = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        low.back(), high.back());
  SmallVector<Value> first, second;
  for (auto [l, h] : llvm::zip_equal(low, high)) {
    first.push_back(arith::SelectOp::create(b, loc, inOrder, l, h));
    second.push_back(arith::SelectOp::create(b, loc, inOrder, h, l));
  }
  DenseMap<Value, Value> values;
  values[choice.element] = second[key];
  values[op.getRegionOutputArgs()[choice.key]] = first[key];
  for (Operation *nested : choice.comparison) {
    SmallVector<Value> operands;
    for (Value operand : nested->getOperands()) {
      auto it = values.find(operand);
      operands.push_back(it == values.end() ? operand : it->second);
    }
    values[nested->getResult(0)] =
        nested->hasTrait<OpTrait::ConstantLike>()
            ? b.clone(*nested)->getResult(0)
            : cloneElementwise(b, nested, operands, width / 2);
  }
  Value condition = values.lookup(choice.condition);
  for (auto [merged, f, s] : llvm::zip_equal(state, first, second))
    merged = choice.takesIfTrue
                 ? arith::SelectOp::create(b, loc, condition, s, f)
                 : arith::SelectOp::create(b, loc, condition, f, s);
}

/// `value` of the payload, made of indices and constants, where the vector loop
/// is at `place`.
Value VectorNest::valueAt(Value value, int64_t row, Value place) {
  Operation *maker = value.getDefiningOp();
  if (!maker || maker->getBlock() != op.getBlock())
    return value;
  if (auto index = dyn_cast<linalg::IndexOp>(maker)) {
    if (static_cast<int>(index.getDim()) == vecDim)
      return place;
    return getValueOrCreateConstantIndexOp(b, loc,
                                           dimValues(row, 0)[index.getDim()]);
  }
  IRMapping mapping;
  for (Value operand : maker->getOperands())
    mapping.map(operand, valueAt(operand, row, place));
  return b.clone(*maker, mapping)->getResult(0);
}

/// Sets the `results` of the outputs of `choice` for one row: from what its
/// lanes ended with, `lanewise` of each output but the deferred ones and
/// `numbers`. `starts` are those that each output started with.
void VectorNest::finishChoice(const Choice &choice, int64_t row,
                              ArrayRef<Value> starts, ArrayRef<Value> lanewise,
                              Value numbers, SmallVectorImpl<Value> &results) {
  // The place of an element is its vector's number times the lanes, and its
  // lane; that of what the program starts with is below zero.
  Type type = cast<VectorType>(numbers.getType()).getElementType();
  if (ShapedType::isDynamic(sizes[vecDim]) || !llvm::isInt<31>(sizes[vecDim])) {
    type = b.getI64Type();
    auto wide = VectorType::get({lanes}, type);
    if (numbers.getType() != wide)
      numbers = arith::ExtSIOp::create(b, loc, wide, numbers);
  }
  auto vectorType = VectorType::get({lanes}, type);
  SmallVector<Attribute> laneNumbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    laneNumbers.push_back(b.getIntegerAttr(type, lane));
  Value lane = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(vectorType, laneNumbers));
  Value count =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, lanes));
  Value places =
      arith::MulIOp::create(b, loc, numbers, toVector(b, loc, count, lanes));
  places = arith::AddIOp::create(b, loc, places, lane);

  SmallVector<Value> state;
  SmallVector<unsigned> kept;
  unsigned key = 0;
  for (unsigned i : choice.outputs) {
    if (deferredOutputs.contains(i))
      continue;
    if (i == choice.key)
      key = kept.size();
    kept.push_back(i);
    state.push_back(lanewise[i]);
  }
  state.push_back(places);
  for (int64_t width = lanes; width > 1; width /= 2)
    mergeHalves(choice, state, key);

  for (auto [i, value] : llvm::zip(kept, state))
    results[i] = value;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value isStart = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        state.back(), zero);
  Value place =
      arith::IndexCastOp::create(b, loc, b.getIndexType(), state.back());
  for (unsigned i : choice.derived) {
    auto select = cast<arith::SelectOp>(
        op.getBlock()->getTerminator()->getOperand(i).getDefiningOp());
    Value element =
        choice.takesIfTrue ? select.getTrueValue() : select.getFalseValue();
    results[i] = arith::SelectOp::create(b, loc, isStart, starts[i],
                                         valueAt(element, row, place));
  }
}
