//===- Attention.cpp - softmax between two contractions -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops between the contractions are interpreted: each value of their
// payloads is one of a few things that softmax is made of. What is none of them
// is no attention.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Attention.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

/// What an element is to softmax.
enum class Meaning {
  /// Does not depend on the product.
  Other,
  Score,
  Maximum,
  /// A score less the maximum of its row, and the exponential of that.
  Distance,
  Weight,
  Sum,
  Reciprocal,
  /// A weight divided by the sum of its row.
  Share,
  /// Something else that depends on the maximum or the sum alone.
  RowValue
};

struct Element {
  Meaning meaning = Meaning::Other;
  /// The tensor of scores that it comes from, but for casts.
  Value scores;
  /// Whether the maximum that it comes from is 0 where it would be -inf.
  bool isSafe = false;
  /// Whether the sum is 1 where it would be 0.
  bool isDivisor = false;
};

/// Stands for no loop: the same element all along a dimension.
constexpr int kConstant = -1;

/// What the elements of a tensor are, and the loop of the product along each
/// dimension.
struct Tensor {
  Element element;
  SmallVector<int> dims;
};

class Matcher {
public:
  Matcher(linalg::GenericOp product, linalg::GenericOp values)
      : product(product), values(values) {}

  FailureOr<Attention> match(std::string &reason);

private:
  LogicalResult matchProduct(Attention &result);
  LogicalResult matchValues(Attention &result);
  LogicalResult interpret(linalg::GenericOp op);
  LogicalResult interpretReduction(linalg::GenericOp op, ArrayRef<int> loops);
  FailureOr<Element> interpret(Operation *op);
  std::optional<Element> interpretSafe(Operation *op);
  FailureOr<SmallVector<int>> getLoops(linalg::GenericOp op);
  LogicalResult collect(Attention &result);
  Element lookup(Value value) const {
    auto it = elements.find(value);
    return it == elements.end() ? Element() : it->second;
  }
  LogicalResult fail(const Twine &why) {
    reason = why.str();
    return failure();
  }

  linalg::GenericOp product, values;
  unsigned row = 0, key = 0;
  /// Whether keys have the loop `row` too.
  bool isOneRow = false;
  llvm::MapVector<Value, Tensor> tensors;
  /// Of the payload of the op that is looked at.
  llvm::DenseMap<Value, Element> elements;
  bool hasSafeMaximum = false, hasSafeSum = false;
  std::string reason;
};

} // namespace

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

static std::string nameOf(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Whether the payload of `op` is out + in0 * in1, with casts that widen.
static bool isContraction(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 1 || !op.hasPureTensorSemantics())
    return false;
  Block *body = op.getBody();
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  unsigned position = add.getLhs() == body->getArgument(2) ? 0 : 1;
  auto multiply = add->getOperand(1 - position).getDefiningOp<arith::MulFOp>();
  if (add->getOperand(position) != body->getArgument(2) || !multiply)
    return false;
  unsigned numOps = 3;
  llvm::SmallDenseSet<Value> factors;
  for (Value factor : multiply->getOperands()) {
    if (auto cast = factor.getDefiningOp<arith::ExtFOp>()) {
      factor = cast.getIn();
      ++numOps;
    }
    factors.insert(factor);
  }
  return factors.contains(body->getArgument(0)) &&
         factors.contains(body->getArgument(1)) &&
         static_cast<size_t>(llvm::range_size(body->getOperations())) == numOps;
}

/// Why tensor cores with sums in f32 cannot compute the contraction `op` of
/// operands of 16 bits; empty: they can.
static std::string checkContraction(linalg::GenericOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInputs()[0].getType());
  for (Value input : op.getDpsInputs())
    if (Type type = getElementTypeOrSelf(input.getType());
        type != element || !(type.isF16() || type.isBF16()))
      return "it multiplies elements that are not both f16 or both bf16";
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    return "it adds to something else than zero";
  if (!getElementTypeOrSelf(fill.result().getType()).isF32())
    return "its sums are not of type f32";
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return "it is not indexed by loops alone";
  return "";
}

static unsigned getLoop(AffineExpr expr) {
  return cast<AffineDimExpr>(expr).getPosition();
}

LogicalResult Matcher::matchProduct(Attention &result) {
  if (std::string why = checkContraction(product); !why.empty())
    return fail("the product of queries and keys cannot be fused: " + why);
  AffineMap first = product.getIndexingMapsArray()[0],
            second = product.getIndexingMapsArray()[1],
            out = product.getIndexingMapsArray()[2];
  SmallVector<unsigned> reductions;
  product.getReductionDims(reductions);
  result.product = product;
  result.depth = reductions.front();
  if (!first.isFunctionOfDim(result.depth) ||
      !second.isFunctionOfDim(result.depth))
    return fail("the product of queries and keys adds up over one operand");
  // Which operand is which is told by the loop that softmax adds up over.
  result.key = key;
  bool isFirstKey = first.isFunctionOfDim(key);
  if (isFirstKey == second.isFunctionOfDim(key))
    return fail("softmax is not over one operand of the product");
  result.q = product.getDpsInputOperand(isFirstKey ? 1 : 0);
  result.k = product.getDpsInputOperand(isFirstKey ? 0 : 1);
  AffineMap q = isFirstKey ? second : first, k = isFirstKey ? first : second;
  // The innermost loop of queries alone is the row; others are heads that
  // share keys.
  std::optional<unsigned> found;
  for (AffineExpr expr : out.getResults()) {
    unsigned loop = getLoop(expr);
    if (loop != key && q.isFunctionOfDim(loop) && !k.isFunctionOfDim(loop))
      found = loop;
  }
  // One query for each set of keys: a head is the row, of keys too.
  if (!found)
    for (AffineExpr expr : out.getResults())
      if (unsigned loop = getLoop(expr);
          loop != key && q.isFunctionOfDim(loop) && k.isFunctionOfDim(loop))
        found = loop;
  if (!found)
    return fail("there is one query and one set of keys");
  result.row = row = *found;
  isOneRow = k.isFunctionOfDim(row);
  for (AffineExpr expr : out.getResults()) {
    unsigned loop = getLoop(expr);
    if (loop == row || loop == key)
      continue;
    result.outer.push_back(loop);
  }
  return success();
}

LogicalResult Matcher::matchValues(Attention &result) {
  if (std::string why = checkContraction(values); !why.empty())
    return fail("the product with the values cannot be fused: " + why);
  result.values = values;
  for (OpOperand *input : values.getDpsInputOperands())
    if (!tensors.count(input->get()))
      result.v = input;
  if (!result.v)
    return fail("the values depend on the scores");
  FailureOr<SmallVector<int>> loops = getLoops(values);
  if (failed(loops))
    return failure();
  result.valueLoops = *loops;
  SmallVector<unsigned> reductions;
  values.getReductionDims(reductions);
  if (result.valueLoops[reductions.front()] != static_cast<int>(key))
    return fail("the product with the values is not over the keys");
  AffineMap out = values.getIndexingMapsArray()[2],
            v = values.getMatchingIndexingMap(result.v);
  bool hasColumn = false;
  for (auto [loop, original] : llvm::enumerate(result.valueLoops)) {
    if (original != kConstant)
      continue;
    if (hasColumn || !v.isFunctionOfDim(loop) || !out.isFunctionOfDim(loop))
      return fail("the product with the values has more than one loop that "
                  "the scores do not have");
    hasColumn = true;
    result.column = loop;
  }
  if (!hasColumn)
    return fail("the values have no columns");
  for (auto [loop, original] : llvm::enumerate(result.valueLoops))
    if (original == static_cast<int>(row) && v.isFunctionOfDim(loop) &&
        !isOneRow)
      return fail("each row has values of its own");
  if (llvm::count(result.valueLoops, kConstant) + result.outer.size() + 2 !=
      result.valueLoops.size())
    return fail("the product with the values lacks a loop of the scores");
  return success();
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

/// What a selection gives that keeps rows without a key from becoming NaN:
/// `value == special ? instead : value` of a maximum or a sum.
std::optional<Element> Matcher::interpretSafe(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare || (compare.getPredicate() != arith::CmpFPredicate::OEQ &&
                   compare.getPredicate() != arith::CmpFPredicate::UEQ))
    return std::nullopt;
  Value value = select.getFalseValue();
  unsigned other = compare.getLhs() == value ? 1 : 0;
  if (compare->getOperand(1 - other) != value)
    return std::nullopt;
  Element element = lookup(value);
  if (element.meaning == Meaning::Maximum &&
      matchPattern(compare->getOperand(other), m_NegInfFloat()) &&
      matchPattern(select.getTrueValue(), m_AnyZeroFloat())) {
    element.isSafe = true;
    return element;
  }
  // A sum of weights is at least 1, but where they are all 0.
  if (element.meaning == Meaning::Sum && element.isSafe &&
      matchPattern(compare->getOperand(other), m_AnyZeroFloat()) &&
      matchPattern(select.getTrueValue(), m_OneFloat()) &&
      compare.getPredicate() == arith::CmpFPredicate::OEQ) {
    element.isDivisor = true;
    return element;
  }
  return std::nullopt;
}

/// What `op` of a payload gives.
FailureOr<Element> Matcher::interpret(Operation *op) {
  SmallVector<Element> in;
  for (Value operand : op->getOperands())
    in.push_back(lookup(operand));
  auto is = [&](unsigned i, Meaning meaning) {
    return in[i].meaning == meaning;
  };
  if (llvm::all_of(in, [](Element e) { return e.meaning == Meaning::Other; }))
    return Element();
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return in[0];
  if (std::optional<Element> safe = interpretSafe(op))
    return *safe;
  if (isa<arith::SubFOp>(op) && is(0, Meaning::Score) &&
      is(1, Meaning::Maximum)) {
    if (!in[0].scores || in[0].scores != in[1].scores)
      return fail("the maximum is not that of the scores it is subtracted "
                  "from");
    hasSafeMaximum |= in[1].isSafe;
    return Element{Meaning::Distance, in[0].scores, in[1].isSafe};
  }
  if (isa<math::ExpOp>(op) && is(0, Meaning::Distance))
    return Element{Meaning::Weight, in[0].scores, in[0].isSafe};
  auto isOneSoftmax = [&](unsigned weight, unsigned sum) {
    return in[weight].scores == in[sum].scores &&
           in[weight].isSafe == in[sum].isSafe;
  };
  if (isa<arith::DivFOp>(op) && is(1, Meaning::Sum)) {
    hasSafeSum |= in[1].isDivisor;
    if (is(0, Meaning::Weight) && isOneSoftmax(0, 1))
      return Element{Meaning::Share, in[0].scores};
    if (matchPattern(op->getOperand(0), m_OneFloat()))
      return Element{Meaning::Reciprocal, in[1].scores, in[1].isSafe};
  }
  if (isa<arith::MulFOp>(op))
    for (unsigned i : {0, 1})
      if (is(i, Meaning::Weight) && is(1 - i, Meaning::Reciprocal) &&
          isOneSoftmax(i, 1 - i))
        return Element{Meaning::Share, in[0].scores};
  auto isAll = [&](ArrayRef<Meaning> allowed) {
    return llvm::all_of(in, [&](Element e) {
      return e.meaning == Meaning::Other ||
             llvm::is_contained(allowed, e.meaning);
    });
  };
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 || !isPure(op))
    return fail(nameOf(op) + " is done with the scores");
  // Another score, that nothing was made of yet.
  if (isAll({Meaning::Score}))
    return Element{Meaning::Score, Value()};
  if (isAll({Meaning::Maximum, Meaning::Sum, Meaning::Reciprocal,
             Meaning::RowValue}))
    return Element{Meaning::RowValue, Value()};
  return fail(nameOf(op) + " is no part of a softmax there");
}

/// The loop of the product that each loop of `op` stands for.
FailureOr<SmallVector<int>> Matcher::getLoops(linalg::GenericOp op) {
  SmallVector<int> loops(op.getNumLoops(), kConstant);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto it = tensors.find(input->get());
    if (it == tensors.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [expr, dim] :
         llvm::zip_equal(map.getResults(), it->second.dims)) {
      if (dim == kConstant)
        continue;
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        return fail("scores are read at positions that are computed");
      int &known = loops[loop.getPosition()];
      if (known != kConstant && known != dim)
        return fail("scores are read at two places for one element");
      known = dim;
    }
  }
  for (auto [i, loop] : llvm::enumerate(loops))
    if (loop != kConstant &&
        llvm::is_contained(ArrayRef(loops).drop_front(i + 1), loop))
      return fail("scores of one row are combined");
  return loops;
}

/// Whether `value` starts the maximum `op`: nothing is less.
static bool startsMaximum(Value value, Operation *op) {
  FloatAttr start;
  if (!matchPattern(value, m_Constant(&start)))
    return false;
  APFloat number = start.getValue();
  if (number.isNaN())
    return isa<arith::MaxNumFOp>(op);
  return number.isNegative() && (number.isInfinity() || number.isLargest());
}

LogicalResult Matcher::interpretReduction(linalg::GenericOp op,
                                          ArrayRef<int> loops) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  Block *body = op.getBody();
  Operation *combine = body->getTerminator()->getOperand(0).getDefiningOp();
  if (reductions.size() != 1 || op.getNumDpsInits() != 1 || !combine ||
      combine->getNumOperands() != 2 || op.getNumDpsInputs() != 1 ||
      combine->getBlock() != body)
    return fail("a reduction of scores is no sum or maximum over one loop");
  BlockArgument out = body->getArgument(body->getNumArguments() - 1);
  unsigned position = combine->getOperand(0) == out ? 0 : 1;
  if (combine->getOperand(position) != out || !out.hasOneUse())
    return fail("a reduction of scores is no sum or maximum over one loop");
  Value value = combine->getOperand(1 - position);
  for (Operation &nested : body->without_terminator())
    if (&nested != combine && !isa<arith::ExtFOp, arith::TruncFOp>(nested))
      return fail("a reduction of scores is no sum or maximum over one loop");
  while (Operation *cast = value.getDefiningOp())
    value = cast->getOperand(0);
  Element in = lookup(value);
  int loop = loops[reductions.front()];
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (loop == kConstant || !fill)
    return fail("a reduction of scores starts with a tensor");
  Element element;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combine) &&
      in.meaning == Meaning::Score && in.scores &&
      startsMaximum(fill.value(), combine)) {
    element = {Meaning::Maximum, in.scores};
  } else if (isa<arith::AddFOp>(combine) && in.meaning == Meaning::Weight &&
             matchPattern(fill.value(), m_AnyZeroFloat())) {
    element = {Meaning::Sum, in.scores, in.isSafe};
  } else {
    return fail("a reduction of scores is no maximum of scores, nor a sum of "
                "exponentials");
  }
  if (in.meaning == Meaning::Score)
    key = loop;
  else if (loop != static_cast<int>(key))
    return fail("the maximum and the sum are over different loops");
  Tensor result{element, {}};
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults())
    result.dims.push_back(isa<AffineDimExpr>(expr) ? loops[getLoop(expr)]
                                                   : kConstant);
  tensors[op.getResult(0)] = result;
  return success();
}

LogicalResult Matcher::interpret(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return fail("scores are in a buffer");
  FailureOr<SmallVector<int>> loops = getLoops(op);
  if (failed(loops))
    return failure();
  elements.clear();
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto it = tensors.find(input->get()); it != tensors.end())
      elements[op.getMatchingBlockArgument(input)] = it->second.element;
  if (op.getNumReductionLoops() > 0)
    return interpretReduction(op, *loops);
  for (OpOperand &init : op.getDpsInitsMutable())
    if (tensors.count(init.get()) && op.payloadUsesValueFromOperand(&init))
      return fail("scores are added to");
  for (Operation &nested : op.getBody()->without_terminator()) {
    FailureOr<Element> element = interpret(&nested);
    if (failed(element))
      return failure();
    for (Value value : nested.getResults())
      elements[value] = *element;
  }
  for (auto [value, result, init] :
       llvm::zip_equal(op.getBody()->getTerminator()->getOperands(),
                       op.getResults(), op.getDpsInitsMutable())) {
    Tensor tensor{lookup(value), {}};
    if (tensor.element.meaning == Meaning::Other)
      continue;
    if (tensor.element.meaning == Meaning::Score && !tensor.element.scores)
      tensor.element.scores = result;
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
      if (!isa<AffineDimExpr>(expr))
        return fail("scores are written at positions that are computed");
      tensor.dims.push_back((*loops)[getLoop(expr)]);
    }
    tensors[result] = tensor;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Sets `result.ops`: what leads from the product to the values.
LogicalResult Matcher::collect(Attention &result) {
  Block *block = product->getBlock();
  llvm::SmallPtrSet<Operation *, 16> inside;
  SmallVector<Operation *> work = {values};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!inside.insert(op).second || op == product)
      continue;
    for (Value operand : op->getOperands())
      if (tensors.count(operand))
        work.push_back(operand.getDefiningOp());
  }
  // What is computed from maxima and sums alone.
  bool hasGrown = true;
  while (hasGrown) {
    hasGrown = false;
    for (auto &[value, tensor] : tensors) {
      Operation *op = value.getDefiningOp();
      if (tensor.element.meaning != Meaning::RowValue || inside.contains(op))
        continue;
      // Nothing else that it reads may come from this attention.
      bool isReady = llvm::all_of(op->getOperands(), [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        if (tensors.count(operand))
          return inside.contains(def);
        return !def || def->getBlock() != block ||
               def->isBeforeInBlock(product) ||
               isa<tensor::EmptyOp, linalg::FillOp, arith::ConstantOp>(def);
      });
      hasGrown |= isReady && inside.insert(op).second;
    }
  }
  for (Operation &op : *block)
    if (inside.contains(&op))
      result.ops.push_back(&op);
  SmallVector<int> maximumDims, sumDims;
  for (Operation *op : result.ops) {
    for (Value value : op->getResults()) {
      auto it = tensors.find(value);
      if (it == tensors.end())
        continue;
      Meaning meaning = it->second.element.meaning;
      bool isRow = meaning == Meaning::Maximum || meaning == Meaning::Sum ||
                   meaning == Meaning::RowValue;
      if (isRow)
        result.rowValues.push_back({value, it->second.dims});
      else
        for (Operation *user : value.getUsers())
          if (!inside.contains(block->findAncestorOpInBlock(*user)))
            return fail("scores or weights are read by other ops too");
      if (meaning == Meaning::Maximum && isa<linalg::GenericOp>(op) &&
          cast<linalg::GenericOp>(op).getNumReductionLoops() > 0) {
        result.maximum = cast<linalg::GenericOp>(op);
        maximumDims = it->second.dims;
        result.scores = it->second.element.scores;
      }
      if (meaning == Meaning::Sum &&
          cast<linalg::GenericOp>(op).getNumReductionLoops() > 0) {
        result.sum = cast<linalg::GenericOp>(op);
        sumDims = it->second.dims;
      }
    }
  }
  if (!result.maximum || !result.sum)
    return fail("softmax has no maximum or no sum");
  result.scoreDims = tensors.find(result.scores)->second.dims;
  result.hasSafeMaximum = hasSafeMaximum;
  result.hasSafeSum = hasSafeSum;
  // Softmax needs the whole rows, and what gives a score sees its own place.
  auto isWhole = [&](ArrayRef<int> dims, bool hasKey) {
    SmallVector<int> all(result.outer.begin(), result.outer.end());
    all.push_back(row);
    if (hasKey)
      all.push_back(key);
    return dims.size() == all.size() &&
           std::is_permutation(all.begin(), all.end(), dims.begin());
  };
  if (!isWhole(result.scoreDims, true) || !isWhole(maximumDims, false) ||
      !isWhole(sumDims, false))
    return fail("scores have other loops than the product");
  return success();
}

FailureOr<Attention> Matcher::match(std::string &why) {
  auto giveUp = [&]() -> FailureOr<Attention> {
    why = reason;
    return failure();
  };
  Attention result;
  Tensor root{{Meaning::Score, product.getResult(0)}, {}};
  for (AffineExpr expr : product.getIndexingMapsArray()[2].getResults()) {
    if (!isa<AffineDimExpr>(expr)) {
      why = "the product of queries and keys is not indexed by loops alone";
      return failure();
    }
    root.dims.push_back(getLoop(expr));
  }
  tensors[product.getResult(0)] = root;
  // What is no softmax matters only if the values need it.
  llvm::DenseMap<Value, std::string> unknown;
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode()) {
    // Sizes are not elements.
    if (op == values || isa<tensor::DimOp, tensor::EmptyOp>(op))
      continue;
    auto isUnknown = [&](Value v) { return unknown.contains(v); };
    auto cause = llvm::find_if(op->getOperands(), isUnknown);
    if (cause != op->getOperands().end()) {
      std::string known = unknown.lookup(*cause);
      for (Value value : op->getResults())
        unknown[value] = known;
      continue;
    }
    if (llvm::none_of(op->getOperands(),
                      [&](Value v) { return tensors.count(v); }))
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic ? failed(interpret(generic))
                : failed(fail(nameOf(op) + " is done with the scores"))) {
      for (Value value : op->getResults())
        unknown[value] = reason;
    }
  }
  bool hasShares = false;
  for (Value input : values.getDpsInputs()) {
    if (unknown.contains(input)) {
      why = unknown.lookup(input);
      return failure();
    }
    if (auto it = tensors.find(input); it != tensors.end()) {
      if (it->second.element.meaning != Meaning::Share) {
        why = "what is multiplied with the values is no softmax";
        return failure();
      }
      hasShares = true;
    }
  }
  if (!hasShares)
    return failure();
  if (failed(matchProduct(result)) || failed(matchValues(result)) ||
      failed(collect(result)))
    return giveUp();
  for (Operation *op : result.ops) {
    if (result.scores == product.getResult(0))
      break;
    if (op == product || op == result.maximum)
      continue;
    auto generic = cast<linalg::GenericOp>(op);
    auto it = tensors.find(op->getResult(0));
    if (it == tensors.end() || it->second.element.meaning != Meaning::Score)
      continue;
    FailureOr<SmallVector<int>> loops = getLoops(generic);
    if (failed(loops))
      return giveUp();
    // A score that is repeated along a loop of its own is no score.
    if (llvm::is_contained(*loops, kConstant)) {
      why = "scores are repeated along a loop";
      return failure();
    }
    result.scoreOps.push_back({generic, *loops});
    if (op->getResult(0) == result.scores)
      break;
  }
  return result;
}

std::optional<unsigned> amp::getSharedLoop(const Attention &attention) {
  linalg::GenericOp product = attention.product, values = attention.values;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  AffineMap q = product.getMatchingIndexingMap(attention.q),
            k = product.getMatchingIndexingMap(attention.k),
            v = values.getMatchingIndexingMap(attention.v);
  std::optional<unsigned> found;
  for (unsigned loop : attention.outer) {
    unsigned ofValues =
        llvm::find(attention.valueLoops, static_cast<int>(loop)) -
        attention.valueLoops.begin();
    if (ShapedType::isDynamic(sizes[loop]) || sizes[loop] < 2 ||
        !q.isFunctionOfDim(loop) || k.isFunctionOfDim(loop) ||
        v.isFunctionOfDim(ofValues))
      continue;
    if (!found || sizes[loop] >= sizes[*found])
      found = loop;
  }
  return found;
}

FailureOr<Attention> amp::matchAttention(linalg::GenericOp values,
                                         std::string &reason) {
  reason.clear();
  if (!isContraction(values))
    return failure();
  // The contractions in front of it, with an exponential on the way.
  llvm::SetVector<Operation *> seen;
  SmallVector<linalg::GenericOp> products;
  bool hasExponential = false;
  for (Value input : values.getDpsInputs())
    if (Operation *op = input.getDefiningOp())
      seen.insert(op);
  for (size_t i = 0; i < seen.size(); ++i) {
    auto op = dyn_cast<linalg::GenericOp>(seen[i]);
    if (!op || op->getBlock() != values->getBlock())
      continue;
    if (isContraction(op)) {
      products.push_back(op);
      continue;
    }
    hasExponential |= llvm::any_of(*op.getBody(), llvm::IsaPred<math::ExpOp>);
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        seen.insert(def);
  }
  if (!hasExponential)
    return failure();
  // The last one is the nearest.
  llvm::sort(products, [](linalg::GenericOp a, linalg::GenericOp b) {
    return b->isBeforeInBlock(a);
  });
  for (linalg::GenericOp product : products) {
    std::string why;
    FailureOr<Attention> found = Matcher(product, values).match(why);
    if (succeeded(found))
      return found;
    if (reason.empty())
      reason = why;
  }
  return failure();
}
