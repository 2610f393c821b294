//===- ScopeConfig.cpp - what a scope is entered with ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeConfig.h"

#include "BranchScopes.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;

static bool isConstant(Value flag, bool expected) {
  APInt value;
  return flag && matchPattern(flag, m_ConstantInt(&value)) &&
         value.isOne() == expected;
}

/// The flag of `spec`, as a value: a constant where it has none.
static Value getFlagValue(OpBuilder &builder, Location loc,
                          const ScopeSpec &spec) {
  if (spec.flag)
    return spec.flag;
  return arith::ConstantIntOp::create(builder, loc, builder.getI1Type(),
                                      spec.disabled ? 0 : 1);
}

static FailureOr<ScopeSpec> resolve(Value value, EnterOp enter);

static ScopeSpec getSpec(ConfigOp config) {
  ScopeSpec spec;
  spec.device = config.getDevice();
  spec.dtype = config.getDtype();
  spec.disabled = config.getDisabled();
  spec.flag = config.getFlag();
  if (isConstant(spec.flag, true) || isConstant(spec.flag, false)) {
    spec.disabled = isConstant(spec.flag, false);
    spec.flag = {};
  }
  return spec;
}

/// What the `choices` have in common: all but whether they are on. Emits an
/// error where they differ.
static FailureOr<ScopeSpec> join(ArrayRef<ScopeSpec> specs,
                                 ArrayRef<Value> choices, EnterOp enter) {
  auto refuse = [&](DiagnosticId id, StringRef what) {
    InFlightDiagnostic diag = emitError(enter, id)
                              << "the " << what << " of this scope is chosen "
                              << "at run time";
    for (Value choice : choices)
      diag.attachNote(getSourceLocation(choice.getLoc()))
          << "one choice is here";
    diag.attachNote(getSourceLocation(enter.getLoc()))
        << "branch on the condition, and open a scope of one " << what
        << " in each branch";
    return diag;
  };
  ScopeSpec common = specs.front();
  for (const ScopeSpec &spec : specs.drop_front()) {
    if (spec.device != common.device)
      return refuse(DiagnosticId::S008, "device");
    // The type of a scope that is off for sure does not count.
    if (!spec.disabled && !common.disabled && spec.dtype != common.dtype)
      return refuse(DiagnosticId::S007, "dtype");
    if (common.disabled)
      common = spec;
  }
  return common;
}

static FailureOr<ScopeSpec> resolveBranch(OpResult value, EnterOp enter) {
  Operation *branch = value.getOwner();
  auto getChoice = [&](Region &region) {
    return region.front().getTerminator()->getOperand(value.getResultNumber());
  };
  SmallVector<ScopeSpec> specs;
  for (Region &region : branch->getRegions()) {
    FailureOr<ScopeSpec> spec = resolve(getChoice(region), enter);
    if (failed(spec))
      return failure();
    specs.push_back(*spec);
  }
  // Only now: choices inside of choices have been rebuilt.
  auto choices = llvm::map_to_vector(branch->getRegions(), getChoice);
  FailureOr<ScopeSpec> common = join(specs, choices, enter);
  if (failed(common) || llvm::all_of(specs, [&](const ScopeSpec &spec) {
        return !spec.flag && spec.disabled == common->disabled;
      }))
    return common;
  common->disabled = false;
  auto hasFlag = [](const ScopeSpec &spec) { return bool(spec.flag); };
  if (auto ifOp = dyn_cast<scf::IfOp>(branch);
      ifOp && llvm::none_of(specs, hasFlag) && specs[1].disabled) {
    common->flag = ifOp.getCondition();
    return common;
  }
  SmallVector<Value> flags;
  for (auto [region, spec] : llvm::zip_equal(branch->getRegions(), specs)) {
    OpBuilder builder(region.front().getTerminator());
    flags.push_back(getFlagValue(builder, value.getLoc(), spec));
  }
  common->flag = addBranchResult(branch, flags)->getResults().back();
  return common;
}

static FailureOr<ScopeSpec> resolveSelect(arith::SelectOp select,
                                          EnterOp enter) {
  FailureOr<ScopeSpec> on = resolve(select.getTrueValue(), enter);
  FailureOr<ScopeSpec> off = resolve(select.getFalseValue(), enter);
  if (failed(on) || failed(off))
    return failure();
  Value choices[] = {select.getTrueValue(), select.getFalseValue()};
  FailureOr<ScopeSpec> spec = join({*on, *off}, choices, enter);
  if (failed(spec) ||
      (!on->flag && !off->flag && on->disabled == off->disabled))
    return spec;
  spec->disabled = false;
  if (!on->flag && !off->flag && off->disabled) {
    spec->flag = select.getCondition();
    return spec;
  }
  OpBuilder builder(select);
  Location loc = select.getLoc();
  Value ifTrue = getFlagValue(builder, loc, *on);
  Value ifFalse = getFlagValue(builder, loc, *off);
  spec->flag = arith::SelectOp::create(builder, loc, select.getCondition(),
                                       ifTrue, ifFalse);
  return spec;
}

/// `value` is the config of `enter`, or what that is chosen from.
static FailureOr<ScopeSpec> resolve(Value value, EnterOp enter) {
  Operation *producer = value.getDefiningOp();
  if (auto config = dyn_cast_or_null<ConfigOp>(producer))
    return getSpec(config);
  if (auto select = dyn_cast_or_null<arith::SelectOp>(producer))
    return resolveSelect(select, enter);
  if (producer && isBranch(producer))
    return resolveBranch(cast<OpResult>(value), enter);
  InFlightDiagnostic diag =
      emitError(enter, DiagnosticId::S006)
      << "the config of this scope is not known: it comes from "
      << (producer ? "'" + producer->getName().getStringRef().str() + "'"
                   : std::string("a block argument"));
  diag.attachNote(getSourceLocation(value.getLoc()))
      << "the config comes from here";
  diag.attachNote(getSourceLocation(enter.getLoc()))
      << "enter the result of an amp.config, or of an arith.select, scf.if or "
         "scf.index_switch of some of them";
  return diag;
}

FailureOr<ScopeSpec> mlir::amp::resolveConfig(EnterOp enter) {
  return resolve(enter.getConfig(), enter);
}
