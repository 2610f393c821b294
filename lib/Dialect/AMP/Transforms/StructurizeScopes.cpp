//===- StructurizeScopes.cpp - import forms of scopes become regions ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchScopes.h"
#include "ScopeConfig.h"
#include "UnstructuredScopes.h"

#include "amp/Analysis/SymbolUsers.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Policy/ValueKeys.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPSTRUCTURIZESCOPESPASS
#include "amp/Dialect/AMP/Transforms/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {
/// Makes regions of the pairs of enter and exit directly in one region, which
/// has passed the checks.
class PairStructurizer {
public:
  PairStructurizer(Region &region, ResultsMode results)
      : region(region), results(results) {}

  /// `enters` are in an order in which outer scopes come before inner ones.
  LogicalResult run(ArrayRef<EnterOp> enters);

private:
  LogicalResult makeFromRange(EnterOp enter, ExitOp exit);
  LogicalResult makeFromBlocks(EnterOp enter);
  AutocastOp create(OpBuilder &builder, EnterOp enter, TypeRange types,
                    const ScopeSpec &spec);

  Region &region;
  ResultsMode results;
};
} // namespace

/// The exits of a scope.
static SmallVector<ExitOp> getExits(EnterOp enter) {
  SmallVector<ExitOp> exits;
  for (Operation *user : enter.getToken().getUsers())
    exits.push_back(cast<ExitOp>(user));
  return exits;
}

LogicalResult PairStructurizer::run(ArrayRef<EnterOp> enters) {
  for (EnterOp enter : llvm::reverse(enters)) {
    SmallVector<ExitOp> exits = getExits(enter);
    bool isInOneBlock =
        exits.size() == 1 && exits.front()->getBlock() == enter->getBlock();
    if (failed(isInOneBlock ? makeFromRange(enter, exits.front())
                            : makeFromBlocks(enter)))
      return failure();
  }
  return success();
}

AutocastOp PairStructurizer::create(OpBuilder &builder, EnterOp enter,
                                    TypeRange types, const ScopeSpec &spec) {
  ScopeSpec withResults = spec;
  withResults.results = results;
  return createScope(builder, enter.getLoc(), types, withResults);
}

/// The common case: no control flow between the two.
LogicalResult PairStructurizer::makeFromRange(EnterOp enter, ExitOp exit) {
  FailureOr<ScopeSpec> spec = resolveConfig(enter);
  if (failed(spec))
    return failure();
  Block *block = enter->getBlock();
  // Ops keep their order in the block while nothing moves.
  auto isInside = [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    return ancestor && ancestor->isBeforeInBlock(exit) &&
           enter->isBeforeInBlock(ancestor);
  };
  SmallVector<Value> leaving;
  for (Operation *op = enter->getNextNode(); op != exit; op = op->getNextNode())
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        leaving.push_back(result);
  OpBuilder builder(enter);
  AutocastOp scope =
      create(builder, enter, ValueRange(leaving).getTypes(), *spec);
  Block &body = scope.getBody().front();
  body.getOperations().splice(body.end(), block->getOperations(),
                              std::next(enter->getIterator()),
                              exit->getIterator());
  builder.setInsertionPointToEnd(&body);
  auto yield = YieldOp::create(builder, exit.getLoc(), leaving);
  for (auto [value, result] : llvm::zip_equal(leaving, scope.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner() != yield &&
             !scope.getBody().isAncestor(use.getOwner()->getParentRegion());
    });
  exit.erase();
  enter.erase();
  isolate(scope);
  return success();
}

/// Several exits, or exits in other blocks: the blocks that control reaches
/// with the scope open become its body, and a number says by which exit control
/// has left.
LogicalResult PairStructurizer::makeFromBlocks(EnterOp enter) {
  FailureOr<ScopeSpec> spec = resolveConfig(enter);
  if (failed(spec))
    return failure();
  Block *before = enter->getBlock();
  Block *head = before->splitBlock(enter->getIterator());
  // Uses are listed last first.
  SmallVector<ExitOp> exits = getExits(enter);
  std::reverse(exits.begin(), exits.end());
  SmallVector<Block *> continuations;
  for (ExitOp exit : exits)
    continuations.push_back(
        exit->getBlock()->splitBlock(std::next(exit->getIterator())));

  llvm::SetVector<Block *> inside;
  inside.insert(head);
  for (size_t index = 0; index != inside.size(); ++index)
    if (!isa<ExitOp>(inside[index]->back()))
      inside.insert_range(inside[index]->getSuccessors());

  llvm::SetVector<Value> leaving;
  auto addLeaving = [&](Value value) {
    for (Operation *user : value.getUsers()) {
      Block *block = region.findAncestorBlockInRegion(*user->getBlock());
      if (!inside.contains(block)) {
        leaving.insert(value);
        return;
      }
    }
  };
  for (Block *block : inside) {
    for (Value argument : block->getArguments())
      addLeaving(argument);
    for (Operation &op : *block)
      if (&op != enter)
        for (Value result : op.getResults())
          addLeaving(result);
  }

  OpBuilder builder = OpBuilder::atBlockEnd(before);
  SmallVector<Type> types(ValueRange(leaving.getArrayRef()).getTypes());
  bool isNumbered = exits.size() > 1;
  if (isNumbered)
    types.push_back(builder.getI32Type());
  // Of several exits, not all need to have all values. Dominance asks for a way
  // from the start.
  auto way = cf::BranchOp::create(builder, enter.getLoc(), head);
  DominanceInfo dominance;
  SmallVector<SmallVector<Value>> yielded(exits.size());
  for (auto [exit, values] : llvm::zip_equal(exits, yielded))
    for (Value value : leaving)
      values.push_back(!isNumbered || dominance.properlyDominates(value, exit)
                           ? value
                           : Value());
  way.erase();
  AutocastOp scope = create(builder, enter, types, *spec);
  Region &body = scope.getBody();
  body.front().erase();
  for (Block *block : inside)
    block->moveBefore(&body, body.end());
  for (auto [index, value] : llvm::enumerate(leaving.getArrayRef()))
    Value(value).replaceUsesWithIf(scope.getResult(index), [&](OpOperand &use) {
      return !body.isAncestor(use.getOwner()->getParentRegion());
    });
  for (auto [index, exit] : llvm::enumerate(exits)) {
    builder.setInsertionPoint(exit);
    Location loc = exit.getLoc();
    for (auto [value, type] : llvm::zip(yielded[index], types))
      if (!value)
        value = ub::PoisonOp::create(builder, loc, type);
    if (isNumbered)
      yielded[index].push_back(
          arith::ConstantIntOp::create(builder, loc, index, 32));
    YieldOp::create(builder, loc, yielded[index]);
    exit.erase();
  }
  enter.erase();
  builder.setInsertionPointToEnd(before);
  if (isNumbered) {
    auto cases = llvm::to_vector(
        llvm::seq<int32_t>(1, static_cast<int32_t>(exits.size())));
    SmallVector<ValueRange> noOperands(cases.size());
    cf::SwitchOp::create(builder, scope.getLoc(), scope.getResults().back(),
                         continuations.front(), ValueRange(), cases,
                         ArrayRef(continuations).drop_front(), noOperands);
  } else {
    cf::BranchOp::create(builder, scope.getLoc(), continuations.front());
  }
  if (failed(liftToOneBlock(body, scope)))
    return failure();
  isolate(scope);
  return success();
}

/// Rebuilds `branch` without its results that are configs.
static void dropConfigResults(RewriterBase &rewriter, Operation *branch) {
  SmallVector<Type> types;
  SmallVector<unsigned> kept;
  for (OpResult result : branch->getResults())
    if (!isa<ConfigType>(result.getType())) {
      types.push_back(result.getType());
      kept.push_back(result.getResultNumber());
    }
  rewriter.setInsertionPoint(branch);
  Operation *smaller = createBranch(rewriter, branch, types);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), smaller->getRegions())) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    SmallVector<Value> values;
    for (unsigned number : kept)
      values.push_back(yield->getOperand(number));
    yield->setOperands(values);
  }
  for (auto [number, result] : llvm::zip_equal(kept, smaller->getResults()))
    branch->getResult(number).replaceAllUsesWith(result);
  rewriter.eraseOp(branch);
}

/// Erases the configs, and what chose among them, now that nobody enters them.
static void eraseConfigs(Operation *root) {
  SmallVector<Operation *> makers;
  root->walk([&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(),
                     [](Type type) { return isa<ConfigType>(type); }))
      makers.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  // Users come after what they use, inside and out.
  bool changed = true;
  while (changed) {
    changed = false;
    for (Operation *&op : llvm::reverse(makers)) {
      if (!op || isa<FunctionOpInterface, CallOpInterface>(op))
        continue;
      if (isBranch(op)) {
        // Its other results stay.
        bool isUnused = llvm::all_of(op->getResults(), [](Value result) {
          return !isa<ConfigType>(result.getType()) || result.use_empty();
        });
        if (!isUnused)
          continue;
        dropConfigResults(rewriter, op);
      } else if (isOpTriviallyDead(op)) {
        rewriter.eraseOp(op);
      } else {
        continue;
      }
      op = nullptr;
      changed = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct AmpStructurizeScopesPass
    : public amp::impl::AmpStructurizeScopesPassBase<AmpStructurizeScopesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<ResultsMode> parsed = symbolizeResultsMode(results);
    if (!parsed) {
      emitError(module.getLoc(), DiagnosticId::O001)
          << "amp-structurize-scopes: option 'results' is '" << results
          << "', but expected 'preserve' or 'propagate'";
      return signalPassFailure();
    }
    mode = *parsed;
    SmallVector<FunctionOpInterface> functions;
    module.walk(
        [&](FunctionOpInterface function) { functions.push_back(function); });
    LogicalResult result = success();
    for (FunctionOpInterface function : functions)
      if (failed(structurizePairs(function)) ||
          failed(structurizeAttribute(function)))
        result = failure();
    if (failed(result) || failed(applyEntryStates(module)))
      return signalPassFailure();
    eraseConfigs(module);
    foldQueries(module, /*entryIsOff=*/false);
  }

private:
  LogicalResult structurizePairs(FunctionOpInterface function);
  LogicalResult structurizeAttribute(FunctionOpInterface function);
  LogicalResult applyEntryStates(ModuleOp module);
  LogicalResult applyEntryState(FunctionOpInterface function);
  LogicalResult provideQuery(FunctionOpInterface function, EntryAttr entry,
                             Operation *table);
  void separateInnerCalls(FunctionOpInterface function, Operation *table);
  Value createFlag(FunctionOpInterface function, EntryAttr entry,
                   Operation *after);

  ResultsMode mode = ResultsMode::propagate;
  /// Of a run.
  SymbolTableCollection *symbols = nullptr;
  SymbolUsers *symbolUsers = nullptr;
};
} // namespace

LogicalResult
AmpStructurizeScopesPass::structurizePairs(FunctionOpInterface function) {
  joinBranchScopes(function);
  llvm::MapVector<Region *, SmallVector<EnterOp>> enters;
  IRRewriter rewriter(&getContext());
  // Inner regions first. One error per function: others may follow from it.
  WalkResult walked = function->walk([&](Operation *op) {
    for (Region &nested : op->getRegions()) {
      auto isForm = [](Operation &inner) {
        return isa<EnterOp, ExitOp>(inner);
      };
      if (llvm::none_of(nested.getOps(), isForm))
        continue;
      (void)eraseUnreachableBlocks(rewriter, nested);
      if (failed(checkPairs(nested, enters[&nested])))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto &[region, found] : enters) {
    numPairs += found.size();
    if (failed(PairStructurizer(*region, mode).run(found)))
      return failure();
    if (!region->hasOneBlock() &&
        failed(liftToOneBlock(*region, region->getParentOp())))
      return failure();
  }
  return success();
}

LogicalResult
AmpStructurizeScopesPass::structurizeAttribute(FunctionOpInterface function) {
  auto attribute =
      function->getAttrOfType<ScopeAttr>(AMPDialect::kScopeAttrName);
  if (!attribute)
    return success();
  if (!function.isExternal()) {
    if (failed(liftToOneBlock(function.getFunctionBody(), function)))
      return failure();
    ScopeSpec spec;
    spec.device = attribute.getDevice();
    spec.dtype = attribute.getDtype();
    spec.disabled = !attribute.getEnabled();
    spec.results = mode;
    wrapBody(function, spec);
    ++numFunctions;
  }
  function->removeAttr(AMPDialect::kScopeAttrName);
  function->removeAttr("no_inline");
  return success();
}

//===----------------------------------------------------------------------===//
// Entry states
//===----------------------------------------------------------------------===//

/// The flag of an unknown entry state: a new last argument, or a call of the
/// query at the start of the body, behind the op `after`.
Value AmpStructurizeScopesPass::createFlag(FunctionOpInterface function,
                                           EntryAttr entry, Operation *after) {
  Block &body = function.getFunctionBody().front();
  Builder attributes(&getContext());
  Type i1 = attributes.getI1Type();
  if (!entry.getQuery()) {
    unsigned index = function.getNumArguments();
    NamedAttribute name(
        attributes.getStringAttr(AMPDialect::kNameAttrName),
        attributes.getStringAttr("autocast_" + entry.getDevice().str()));
    (void)function.insertArgument(
        index, i1, attributes.getDictionaryAttr({name}), function.getLoc());
    return body.getArgument(index);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  if (after)
    builder.setInsertionPointAfter(after);
  return func::CallOp::create(builder, function.getLoc(), entry.getQuery(),
                              TypeRange(i1), ValueRange())
      .getResult(0);
}

/// Checks that the query exists and is one; declares it if there is none.
LogicalResult
AmpStructurizeScopesPass::provideQuery(FunctionOpInterface function,
                                       EntryAttr entry, Operation *table) {
  Builder builder(&getContext());
  auto expected = FunctionType::get(&getContext(), {}, {builder.getI1Type()});
  Operation *found =
      symbols->lookupNearestSymbolFrom(function, entry.getQuery());
  if (!found) {
    auto declaration = func::FuncOp::create(
        function.getLoc(), entry.getQuery().getValue(), expected);
    declaration.setPrivate();
    symbols->getSymbolTable(table).insert(declaration);
    return success();
  }
  auto query = dyn_cast<func::FuncOp>(found);
  if (query && query.getFunctionType() == expected)
    return success();
  InFlightDiagnostic diag =
      emitError(function, DiagnosticId::S024)
      << "the query of the entry state must be a function of type " << expected
      << ", but " << entry.getQuery() << " is not";
  attachNote(diag, found) << "this is what it names";
  return diag;
}

/// `symbol` with its last name replaced by `leaf`.
static SymbolRefAttr replaceLeaf(SymbolRefAttr symbol, StringAttr leaf) {
  if (symbol.getNestedReferences().empty())
    return FlatSymbolRefAttr::get(leaf);
  SmallVector<FlatSymbolRefAttr> path(symbol.getNestedReferences());
  path.back() = FlatSymbolRefAttr::get(leaf);
  return SymbolRefAttr::get(symbol.getRootReference(), path);
}

/// Lets the calls of `function` in the module call a private copy of it.
void AmpStructurizeScopesPass::separateInnerCalls(FunctionOpInterface function,
                                                  Operation *table) {
  auto inner = cast<SymbolOpInterface>(function->clone());
  inner.setName(StringAttr::get(
      &getContext(), cast<SymbolOpInterface>(*function).getName() + "_inner"));
  inner.setPrivate();
  // A profile knows its values by the name of the original.
  if (!inner->hasAttr(kProfiledAsAttrName))
    inner->setAttr(kProfiledAsAttrName,
                   cast<SymbolOpInterface>(*function).getNameAttr());
  StringAttr name = symbols->getSymbolTable(table).insert(
      inner, std::next(function->getIterator()));
  auto retarget = [&](CallOpInterface call) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (callee && symbols->lookupNearestSymbolFrom(call, callee) == function)
      call.setCalleeFromCallable(replaceLeaf(callee, name));
  };
  inner->walk(retarget);
  for (Operation *user : symbolUsers->getUsers(function))
    if (auto call = dyn_cast<CallOpInterface>(user))
      retarget(call);
}

LogicalResult
AmpStructurizeScopesPass::applyEntryState(FunctionOpInterface function) {
  Attribute attribute = function->getAttr(AMPDialect::kEntryAttrName);
  function->removeAttr(AMPDialect::kEntryAttrName);
  SmallVector<EntryAttr> entries;
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    llvm::append_range(entries, array.getAsRange<EntryAttr>());
  else
    entries.push_back(cast<EntryAttr>(attribute));
  llvm::erase_if(entries, [](EntryAttr entry) {
    return entry.getState() == EntryState::off;
  });
  if (entries.empty())
    return success();
  auto symbol = cast<SymbolOpInterface>(function.getOperation());
  if (symbol.isPrivate() || function.isExternal()) {
    InFlightDiagnostic diag =
        emitWarning(function, DiagnosticId::S023)
        << "the entry state of '" << symbol.getName() << "' has no use: "
        << (function.isExternal() ? "the function has no body"
                                  : "only calls from outside of the module "
                                    "enter with it, and the function is "
                                    "private");
    diag.attachNote() << "leave out '" << AMPDialect::kEntryAttrName
                      << (function.isExternal() ? "'"
                                                : "', or make the function "
                                                  "public");
    return success();
  }
  Operation *table = SymbolTable::getNearestSymbolTable(function);
  for (EntryAttr entry : entries)
    if (entry.getQuery() && failed(provideQuery(function, entry, table)))
      return failure();
  ArrayRef<Operation *> users = symbolUsers->getUsers(function);
  auto isCall = [](Operation *user) { return isa<CallOpInterface>(user); };
  bool addsArgument = llvm::any_of(entries, [](EntryAttr entry) {
    return entry.getState() == EntryState::unknown && !entry.getQuery();
  });
  if (addsArgument && !llvm::all_of(users, isCall)) {
    InFlightDiagnostic diag =
        emitError(function, DiagnosticId::S026)
        << "an unknown entry state gives '" << symbol.getName()
        << "' one more argument, but its address is taken";
    attachNote(diag, *llvm::find_if_not(users, isCall))
        << "the address is taken here";
    attachNote(diag, function) << "give the entry state a 'query' to call "
                                  "instead of an argument";
    return diag;
  }
  // Calls inside the module give the state of the caller instead.
  if (llvm::any_of(users, isCall))
    separateInnerCalls(function, table);
  if (failed(liftToOneBlock(function.getFunctionBody(), function)))
    return failure();
  // Queries come first, in front of all scopes.
  SmallVector<Value> flags;
  Operation *lastQuery = nullptr;
  for (EntryAttr entry : entries) {
    Value &flag = flags.emplace_back();
    if (entry.getState() != EntryState::unknown)
      continue;
    flag = createFlag(function, entry, lastQuery);
    if (Operation *query = flag.getDefiningOp())
      lastQuery = query;
  }
  for (auto [entry, flag] : llvm::reverse(llvm::zip_equal(entries, flags))) {
    ScopeSpec spec;
    spec.device = entry.getDevice();
    spec.dtype = entry.getDtype();
    spec.flag = flag;
    wrapBody(function, spec, lastQuery);
  }
  ++numEntries;
  return success();
}

LogicalResult AmpStructurizeScopesPass::applyEntryStates(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](FunctionOpInterface function) {
    if (function->hasAttr(AMPDialect::kEntryAttrName))
      functions.push_back(function);
  });
  if (functions.empty())
    return success();
  SymbolTableCollection tables;
  SymbolUsers userMap(tables, module);
  symbols = &tables;
  symbolUsers = &userMap;
  LogicalResult result = success();
  for (FunctionOpInterface function : functions)
    if (failed(applyEntryState(function)))
      result = failure();
  return result;
}
