//===- BranchScopes.cpp - scopes that end inside of branches --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchScopes.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;

bool mlir::amp::isBranch(Operation *op) {
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return false;
  return llvm::all_of(op->getRegions(),
                      [](Region &region) { return region.hasOneBlock(); });
}

Operation *mlir::amp::createBranch(OpBuilder &builder, Operation *branch,
                                   TypeRange types) {
  OperationState state(branch->getLoc(), branch->getName());
  state.addOperands(branch->getOperands());
  state.addTypes(types);
  state.addAttributes(llvm::to_vector(branch->getDiscardableAttrs()));
  state.propertiesAttr = branch->getPropertiesAsAttribute();
  for (unsigned index = 0, e = branch->getNumRegions(); index != e; ++index)
    state.addRegion()->emplaceBlock();
  return builder.create(state);
}

Operation *mlir::amp::addBranchResult(Operation *branch, ValueRange values) {
  IRRewriter rewriter(branch);
  SmallVector<Type> types(branch->getResultTypes());
  types.push_back(values.front().getType());
  Operation *wider = createBranch(rewriter, branch, types);
  for (auto [from, to, value] :
       llvm::zip_equal(branch->getRegions(), wider->getRegions(), values)) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), value);
  }
  rewriter.replaceOp(branch, wider->getResults().drop_back());
  return wider;
}

namespace {
/// An op with branches, and in each branch the op at which it is cut.
class BranchCut {
public:
  BranchCut(Operation *branch, SmallVector<Operation *> pivots)
      : branch(branch), pivots(std::move(pivots)) {
    for (Operation *pivot : this->pivots)
      for (Operation *op = pivot->getNextNode(); op; op = op->getNextNode())
        tails.insert(op);
  }

  /// False where a scope that opens before the cut closes behind it, other than
  /// that of `pivots`.
  bool isPossible();

  /// The op on the branches before the cut, and the op on those behind it; null
  /// where nothing is left of one. The ops of the cut are erased. `before` are
  /// values of the branches from in front of the cut that the first op gives as
  /// its last result, if there are any.
  std::pair<Operation *, Operation *> cut(RewriterBase &rewriter,
                                          ArrayRef<Value> before);

private:
  /// Whether result number `index` is known in front of the cut.
  bool isEarly(unsigned index);
  /// Whether `op`, or an op around it, stands behind the cut.
  bool isInTail(Operation *op);

  Operation *branch;
  SmallVector<Operation *> pivots;
  DenseSet<Operation *> tails;
};
} // namespace

static Operation *getYield(Operation *branch, unsigned region) {
  return branch->getRegion(region).front().getTerminator();
}

bool BranchCut::isInTail(Operation *op) {
  while (op && op != branch && !tails.contains(op))
    op = op->getParentOp();
  return op && op != branch;
}

bool BranchCut::isEarly(unsigned index) {
  return llvm::all_of(llvm::seq(branch->getNumRegions()), [&](unsigned region) {
    Operation *producer =
        getYield(branch, region)->getOperand(index).getDefiningOp();
    return !producer || !tails.contains(producer);
  });
}

/// The values from in front of the cut in the branch of `pivot` that ops behind
/// it take, its terminator aside.
static SmallVector<Value> getCrossing(Operation *pivot) {
  llvm::SetVector<Value> crossing;
  auto add = [&](Value value) {
    if (value.getParentBlock() == pivot->getBlock() &&
        value.getDefiningOp()->isBeforeInBlock(pivot))
      crossing.insert(value);
  };
  Operation *yield = pivot->getBlock()->getTerminator();
  for (Operation *op = pivot->getNextNode(); op != yield;
       op = op->getNextNode()) {
    for (Value operand : op->getOperands())
      add(operand);
    for (Region &region : op->getRegions())
      visitUsedValuesDefinedAbove(
          region, region, [&](OpOperand *operand) { add(operand->get()); });
  }
  return crossing.takeVector();
}

bool BranchCut::isPossible() {
  for (Operation *pivot : pivots)
    for (Value value : getCrossing(pivot))
      if (isa<TokenType>(value.getType()))
        return false;
  return true;
}

std::pair<Operation *, Operation *> BranchCut::cut(RewriterBase &rewriter,
                                                   ArrayRef<Value> before) {
  unsigned numRegions = branch->getNumRegions();
  SmallVector<unsigned> early, late;
  for (unsigned index = 0, e = branch->getNumResults(); index != e; ++index)
    // The token of the cut is replaced already.
    if (branch->getResult(index).use_empty() &&
        isa<TokenType>(branch->getResult(index).getType()))
      continue;
    else
      (isEarly(index) ? early : late).push_back(index);
  SmallVector<SmallVector<Value>> crossing(numRegions);
  for (auto [pivot, values] : llvm::zip_equal(pivots, crossing)) {
    values = getCrossing(pivot);
    // A late result may come from in front of the cut on some of the ways.
    for (unsigned index : late) {
      Value value = pivot->getBlock()->getTerminator()->getOperand(index);
      if (value.getParentBlock() == pivot->getBlock() &&
          !isInTail(value.getDefiningOp()) &&
          !llvm::is_contained(values, value))
        values.push_back(value);
    }
  }
  SmallVector<Type> types;
  for (unsigned index : early)
    types.push_back(branch->getResult(index).getType());
  for (ArrayRef<Value> values : crossing)
    llvm::append_range(types, ValueRange(values).getTypes());
  if (!before.empty())
    types.push_back(before.front().getType());

  auto isLast = [](Operation *op) { return op == &op->getBlock()->front(); };
  bool hasHead = !types.empty() || !llvm::all_of(pivots, isLast);
  bool hasTail = !late.empty() || !llvm::all_of(pivots, [](Operation *pivot) {
    return pivot->getNextNode() == pivot->getBlock()->getTerminator();
  });
  Operation *head = nullptr, *tail = nullptr;
  rewriter.setInsertionPoint(branch);
  if (hasHead)
    head = createBranch(rewriter, branch, types);
  SmallVector<Type> lateTypes;
  for (unsigned index : late)
    lateTypes.push_back(branch->getResult(index).getType());
  if (hasTail)
    tail = createBranch(rewriter, branch, lateTypes);
  for (unsigned region = 0; region != numRegions; ++region) {
    Operation *pivot = pivots[region];
    Operation *yield = getYield(branch, region);
    Block *block = pivot->getBlock();
    SmallVector<Value> lateValues;
    for (unsigned index : late)
      lateValues.push_back(yield->getOperand(index));
    if (head) {
      Block &inner = head->getRegion(region).front();
      inner.getOperations().splice(inner.end(), block->getOperations(),
                                   block->begin(), pivot->getIterator());
      rewriter.setInsertionPointToEnd(&inner);
      SmallVector<Value> yielded;
      for (unsigned index : early)
        yielded.push_back(yield->getOperand(index));
      for (unsigned other = 0; other != numRegions; ++other)
        for (Value value : crossing[other])
          yielded.push_back(other == region
                                ? value
                                : ub::PoisonOp::create(rewriter, value.getLoc(),
                                                       value.getType()));
      if (!before.empty())
        yielded.push_back(before[region]);
      scf::YieldOp::create(rewriter, yield->getLoc(), yielded);
    }
    if (tail) {
      Block &inner = tail->getRegion(region).front();
      inner.getOperations().splice(inner.end(), block->getOperations(),
                                   std::next(pivot->getIterator()),
                                   yield->getIterator());
      rewriter.setInsertionPointToEnd(&inner);
      scf::YieldOp::create(rewriter, yield->getLoc(), lateValues);
    }
    // Their last user but the head's own terminator is behind the cut.
    yield->dropAllReferences();
  }
  unsigned next = early.size();
  for (unsigned region = 0; region != numRegions; ++region)
    for (Value value : crossing[region])
      value.replaceUsesWithIf(head->getResult(next++), [&](OpOperand &use) {
        return tail->isProperAncestor(use.getOwner());
      });
  for (auto [number, index] : llvm::enumerate(early))
    rewriter.replaceAllUsesWith(branch->getResult(index),
                                head->getResult(number));
  for (auto [number, index] : llvm::enumerate(late))
    rewriter.replaceAllUsesWith(branch->getResult(index),
                                tail->getResult(number));
  rewriter.eraseOp(branch);
  return {head, tail};
}

//===----------------------------------------------------------------------===//
// Closing and opening
//===----------------------------------------------------------------------===//

/// The first amp.exit directly in `region` that closes a scope from outside of
/// it; null if there is none.
static ExitOp findOuterExit(Region &region) {
  for (auto exit : region.getOps<ExitOp>())
    if (exit.getToken().getParentRegion() != &region)
      return exit;
  return {};
}

/// Where every branch closes the same scope first, closes it behind them. Gives
/// what is left of the branches behind that, if anything is.
static FailureOr<Operation *> joinExits(RewriterBase &rewriter,
                                        Operation *branch) {
  SmallVector<Operation *> exits;
  for (Region &region : branch->getRegions()) {
    ExitOp exit = findOuterExit(region);
    if (!exit || (!exits.empty() &&
                  exit.getToken() != cast<ExitOp>(exits[0]).getToken()))
      return failure();
    exits.push_back(exit);
  }
  BranchCut cut(branch, exits);
  if (!cut.isPossible())
    return failure();
  Value token = cast<ExitOp>(exits.front()).getToken();
  Location loc = exits.front()->getLoc();
  Operation *next = branch->getNextNode();
  auto [head, tail] = cut.cut(rewriter, {});
  rewriter.setInsertionPoint(tail ? tail : next);
  ExitOp::create(rewriter, loc, token);
  return tail;
}

/// The last amp.enter directly in `region` whose token is yielded; null if
/// there is none.
static EnterOp findOuterEnter(Region &region) {
  Operation *yield = region.front().getTerminator();
  EnterOp last;
  for (auto enter : region.getOps<EnterOp>())
    if (enter.getToken().hasOneUse() && *enter.getToken().user_begin() == yield)
      last = enter;
  return last;
}

/// Where every branch opens a scope last, and gives it as the same result,
/// opens it behind them. Gives what is left of the branches before that, if
/// anything is.
static FailureOr<Operation *> joinEnters(RewriterBase &rewriter,
                                         Operation *branch) {
  SmallVector<Operation *> enters;
  SmallVector<Value> configs;
  std::optional<unsigned> index;
  for (Region &region : branch->getRegions()) {
    EnterOp enter = findOuterEnter(region);
    if (!enter)
      return failure();
    unsigned own = enter.getToken().use_begin()->getOperandNumber();
    if (index.value_or(own) != own)
      return failure();
    index = own;
    enters.push_back(enter);
    configs.push_back(enter.getConfig());
  }
  BranchCut cut(branch, enters);
  if (!cut.isPossible())
    return failure();
  Location loc = enters.front()->getLoc();
  Value config = configs.front();
  if (llvm::all_equal(configs) &&
      !branch->isAncestor(config.getParentBlock()->getParentOp()))
    configs.clear();
  // The scope opens between the two, so its op is made before them.
  rewriter.setInsertionPointAfter(branch);
  auto enter = EnterOp::create(rewriter, loc, config);
  rewriter.replaceAllUsesWith(branch->getResult(*index), enter.getToken());
  auto [head, tail] = cut.cut(rewriter, configs);
  if (!configs.empty())
    enter.getConfigMutable().assign(head->getResults().back());
  if (tail)
    rewriter.moveOpBefore(enter, tail);
  return head;
}

void mlir::amp::joinBranchScopes(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  // Inner ops first: what they close or open then stands in the outer ones.
  SmallVector<Operation *> branches;
  function->walk([&](Operation *op) {
    if (isBranch(op))
      branches.push_back(op);
  });
  for (Operation *rest : branches) {
    FailureOr<Operation *> next;
    while (rest && succeeded(next = joinExits(rewriter, rest)))
      rest = *next;
    while (rest && succeeded(next = joinEnters(rewriter, rest)))
      rest = *next;
  }
}
