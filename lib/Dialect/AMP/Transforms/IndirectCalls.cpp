//===- IndirectCalls.cpp - direct calls of known callees ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndirectCalls.h"

#include "BranchScopes.h"
#include "ScopeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
/// The functions that one callee is chosen from. Function values cannot be
/// compared, so their numbers in this set travel beside them.
class CalleeSet {
public:
  /// Adds all that `callee` may be; false if that is not known.
  bool collect(Value callee);

  /// The number of the function that `callee`, which was collected, is: an
  /// index, where `callee` is defined.
  Value getNumber(Value callee);

  ArrayRef<FlatSymbolRefAttr> getNames() const { return names; }

private:
  SmallVector<FlatSymbolRefAttr> names;
};
} // namespace

/// The scope whose capture `value` is, if it is one.
static AutocastOp getCapturingScope(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument
             ? dyn_cast_or_null<AutocastOp>(argument.getOwner()->getParentOp())
             : AutocastOp();
}

static Value getYielded(Region &region, Value result) {
  return region.front().getTerminator()->getOperand(
      cast<OpResult>(result).getResultNumber());
}

bool CalleeSet::collect(Value callee) {
  callee = seeThroughCaptures(callee);
  Operation *producer = callee.getDefiningOp();
  if (auto constant = dyn_cast_or_null<func::ConstantOp>(producer)) {
    if (!llvm::is_contained(names, constant.getValueAttr()))
      names.push_back(constant.getValueAttr());
    return true;
  }
  if (auto select = dyn_cast_or_null<arith::SelectOp>(producer))
    return collect(select.getTrueValue()) && collect(select.getFalseValue());
  return producer && isBranch(producer) &&
         llvm::all_of(producer->getRegions(), [&](Region &region) {
           return collect(getYielded(region, callee));
         });
}

Value CalleeSet::getNumber(Value callee) {
  if (AutocastOp scope = getCapturingScope(callee)) {
    unsigned index = cast<BlockArgument>(callee).getArgNumber();
    Value number = getNumber(scope.getCaptures()[index]);
    scope.getCapturesMutable().append(number);
    return scope.getBody().addArgument(number.getType(), number.getLoc());
  }
  Operation *producer = callee.getDefiningOp();
  OpBuilder builder(producer->getContext());
  builder.setInsertionPointAfter(producer);
  Location loc = producer->getLoc();
  if (auto constant = dyn_cast<func::ConstantOp>(producer)) {
    auto *it = llvm::find(names, constant.getValueAttr());
    return arith::ConstantIndexOp::create(builder, loc, it - names.begin());
  }
  if (auto select = dyn_cast<arith::SelectOp>(producer)) {
    Value ifTrue = getNumber(select.getTrueValue());
    Value ifFalse = getNumber(select.getFalseValue());
    return arith::SelectOp::create(builder, loc, select.getCondition(), ifTrue,
                                   ifFalse);
  }
  SmallVector<Value> numbers;
  for (Region &region : producer->getRegions())
    numbers.push_back(getNumber(getYielded(region, callee)));
  return addBranchResult(producer, numbers)->getResults().back();
}

static SmallVector<Value> callByName(OpBuilder &builder,
                                     func::CallIndirectOp call,
                                     FlatSymbolRefAttr name) {
  auto direct =
      func::CallOp::create(builder, call.getLoc(), name, call.getResultTypes(),
                           call.getArgOperands());
  direct->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  return llvm::to_vector_of<Value>(direct.getResults());
}

/// Calls the function of number `number` in `names`.
static SmallVector<Value> callByNumber(OpBuilder &builder,
                                       func::CallIndirectOp call, Value number,
                                       ArrayRef<FlatSymbolRefAttr> names) {
  Location loc = call.getLoc();
  // The last is the default.
  auto cases =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(names.size()) - 1));
  auto branch = scf::IndexSwitchOp::create(builder, loc, call.getResultTypes(),
                                           number, cases, cases.size());
  auto fill = [&](Region &region, FlatSymbolRefAttr name) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&region.emplaceBlock());
    SmallVector<Value> results = callByName(builder, call, name);
    scf::YieldOp::create(builder, loc, results);
  };
  for (auto [region, name] : llvm::zip(branch.getCaseRegions(), names))
    fill(region, name);
  fill(branch.getDefaultRegion(), names.back());
  return llvm::to_vector_of<Value>(branch.getResults());
}

void mlir::amp::resolveIndirectCalls(Operation *root, bool version) {
  SmallVector<func::CallIndirectOp> calls;
  root->walk([&](func::CallIndirectOp call) { calls.push_back(call); });
  for (func::CallIndirectOp call : calls) {
    CalleeSet callees;
    if (!callees.collect(call.getCallee()) ||
        (!version && callees.getNames().size() != 1))
      continue;
    ArrayRef<FlatSymbolRefAttr> names = callees.getNames();
    Value number;
    if (names.size() > 1)
      number = callees.getNumber(call.getCallee());
    OpBuilder builder(call);
    call->replaceAllUsesWith(number ? callByNumber(builder, call, number, names)
                                    : callByName(builder, call, names.front()));
    call.erase();
  }
  // The address of a function that is called directly is not taken.
  root->walk([](Operation *op) {
    if (isa<func::ConstantOp>(op) && op->use_empty())
      op->erase();
  });
}
