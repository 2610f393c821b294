//===- ScopeUtils.cpp - building and asking scopes ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeUtils.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CFGToSCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;

AutocastOp mlir::amp::createScope(OpBuilder &builder, Location loc,
                                  TypeRange types, const ScopeSpec &spec) {
  auto scope = AutocastOp::create(builder, loc, types, spec.device, spec.dtype,
                                  ValueRange());
  scope.setDisabled(spec.disabled);
  scope.setResultsMode(spec.results);
  if (spec.policy)
    scope.setPolicyAttr(spec.policy);
  if (spec.flag)
    scope.getFlagMutable().assign(spec.flag);
  return scope;
}

void mlir::amp::isolate(AutocastOp scope) {
  Block &body = scope.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(scope.getBody(), used);
  for (Value value : used) {
    Operation *producer = value.getDefiningOp();
    Value inner;
    if (producer && producer->hasTrait<OpTrait::ConstantLike>()) {
      inner = builder.clone(*producer)->getResult(0);
    } else {
      scope.getCapturesMutable().append(value);
      inner = body.addArgument(value.getType(), value.getLoc());
    }
    replaceAllUsesInRegionWith(value, inner, scope.getBody());
  }
}

AutocastOp mlir::amp::wrapBody(FunctionOpInterface function,
                               const ScopeSpec &spec, Operation *after) {
  Block &body = function.getFunctionBody().front();
  Operation *terminator = body.getTerminator();
  OpBuilder builder(terminator);
  AutocastOp scope = createScope(builder, function.getLoc(),
                                 terminator->getOperandTypes(), spec);
  Block &inner = scope.getBody().front();
  auto begin = after ? std::next(after->getIterator()) : body.begin();
  inner.getOperations().splice(inner.end(), body.getOperations(), begin,
                               scope->getIterator());
  builder.setInsertionPointToEnd(&inner);
  YieldOp::create(builder, terminator->getLoc(), terminator->getOperands());
  terminator->setOperands(scope.getResults());
  isolate(scope);
  return scope;
}

LogicalResult mlir::amp::liftToOneBlock(Region &region, Operation *owner) {
  IRRewriter rewriter(region.getContext());
  (void)eraseUnreachableBlocks(rewriter, region);
  if (region.hasOneBlock())
    return success();
  ControlFlowToSCFTransformation transformation;
  DominanceInfo dominance;
  if (failed(transformCFGToSCF(region, transformation, dominance)) ||
      !region.hasOneBlock()) {
    InFlightDiagnostic diag = emitError(owner, DiagnosticId::S010)
                              << "a scope needs structured control flow, but "
                                 "that of this function cannot be lifted";
    diag.attachNote() << "branch by cf.br, cf.cond_br or cf.switch only, and "
                         "end all paths alike";
    return diag;
  }
  return success();
}

Value mlir::amp::seeThroughCaptures(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto scope =
        dyn_cast_or_null<AutocastOp>(argument.getOwner()->getParentOp());
    if (!scope)
      break;
    value = scope.getCaptures()[argument.getArgNumber()];
  }
  return value;
}

AutocastOp mlir::amp::getScopeOfDevice(Operation *op, StringRef device) {
  auto scope = op->getParentOfType<AutocastOp>();
  while (scope && scope.getDevice() != device)
    scope = scope->getParentOfType<AutocastOp>();
  return scope;
}

void mlir::amp::foldQueries(Operation *root, bool entryIsOff) {
  root->walk([&](IsEnabledOp query) {
    AutocastOp scope = getScopeOfDevice(query, query.getDevice());
    if (scope ? bool(scope.getFlag()) : !entryIsOff)
      return;
    OpBuilder builder(query);
    bool isOn = scope && !scope.getDisabled();
    Value constant = arith::ConstantIntOp::create(
        builder, query.getLoc(), builder.getI1Type(), isOn ? 1 : 0);
    query.replaceAllUsesWith(constant);
    query.erase();
  });
}
