//===- PrecisionCalls.cpp - types through calls ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of arguments are joined over all calls, those of results over all
// returns. A function is analysed with the arguments that are known, and again
// when they change; values that depend on calls of functions not yet analysed
// are unknown until then, so that no join ever sees a type that does not last.
//
//===----------------------------------------------------------------------===//

#include "FactsCache.h"

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Analysis/SymbolUsers.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void PrecisionAnalysis::collectFunctions(Operation *root) {
  SymbolTableCollection symbols;
  auto isCall = [&](Operation *user) { return facts->get(user).isCall; };
  SmallVector<Operation *> calls;
  SmallVector<FunctionOpInterface> found;
  unsigned numOps = 0;
  SymbolUsers users(symbols, root, [&](Operation *op) {
    NameFacts name = facts->get(op);
    if (name.isCall)
      calls.push_back(op);
    if (name.isFunction)
      found.push_back(cast<FunctionOpInterface>(op));
    ++numOps;
  });
  visitedOps.reserve(numOps);
  for (FunctionOpInterface function : found) {
    for (BlockArgument argument : function.getArguments())
      setDevice(argument,
                function.getArgAttrOfType<StringAttr>(
                    argument.getArgNumber(), AMPDialect::kDeviceAttrName));
    if (function.isExternal())
      continue;
    functionNumbers[function] = functions.size();
    FunctionState &state = functions.emplace_back();
    state.function = function;
    state.results.resize(function.getNumResults());
    state.resultDevices.resize(function.getNumResults());
    auto symbol = dyn_cast<SymbolOpInterface>(function.getOperation());
    if (!symbol || options.signatures == Signatures::Fixed ||
        function->hasAttr(AMPDialect::kKernelAttrName))
      continue;
    ArrayRef<Operation *> known = users.getUsers(function);
    if (!llvm::all_of(known, isCall))
      continue;
    bool isInner = symbol.isPrivate() && !known.empty();
    state.hasFreeArguments = isInner;
    state.hasFreeResults = isInner || options.signatures == Signatures::All;
    if (isInner)
      for (BlockArgument argument : function.getArguments())
        setUnknown(argument);
  }
  collectCalls(calls, symbols);
}

void PrecisionAnalysis::collectCalls(ArrayRef<Operation *> calls,
                                     SymbolTableCollection &symbols) {
  for (Operation *call : calls) {
    auto callee = functionNumbers.find(
        cast<CallOpInterface>(call).resolveCallableInTable(&symbols));
    if (callee == functionNumbers.end())
      continue;
    calleeNumbers[call] = callee->second;
    functions[callee->second].calls.push_back(call);
    auto caller =
        functionNumbers.find(call->getParentOfType<FunctionOpInterface>());
    if (caller != functionNumbers.end())
      functions[caller->second].callees.push_back(callee->second);
  }
  for (FunctionState &state : functions) {
    llvm::sort(state.callees);
    state.callees.erase(llvm::unique(state.callees), state.callees.end());
  }
}

/// The functions in an order in which callers come before callees, recursion
/// aside. No recursion here either: chains of calls are long.
SmallVector<unsigned> PrecisionAnalysis::getCallersFirst() const {
  SmallVector<unsigned> order;
  std::vector<bool> seen(functions.size());
  SmallVector<std::pair<unsigned, unsigned>> stack;
  // Backwards, because the order is turned around at the end: functions that
  // have nothing to do with each other, and their errors, come as in the
  // module.
  for (unsigned root = functions.size(); root-- > 0;) {
    if (seen[root])
      continue;
    seen[root] = true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[number, next] = stack.back();
      ArrayRef<unsigned> callees = functions[number].callees;
      if (next == callees.size()) {
        order.push_back(number);
        stack.pop_back();
        continue;
      }
      unsigned callee = callees[next++];
      if (seen[callee])
        continue;
      seen[callee] = true;
      stack.push_back({callee, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

LogicalResult PrecisionAnalysis::visitFunction(unsigned number) {
  FunctionState &state = functions[number];
  function = number;
  if (!state.isVisited) {
    state.isVisited = true;
    if (failed(visitRegion(state.function.getFunctionBody())))
      return failure();
  }
  // Types only widen where values meet, and there are few of them: this ends.
  for (size_t next = 0; next != state.queue.size(); ++next) {
    VisitedOp *visited = state.queue[next];
    visited->isQueued = false;
    scope = visited->scope;
    if (failed(visit(*visited)))
      return failure();
  }
  state.queue.clear();
  scope = nullptr;
  return success();
}

/// What is unknown when nothing changes any more depends on itself only, as the
/// result of a function that never ends. One such type is that of the program.
bool PrecisionAnalysis::seedUnknown() {
  for (FunctionState &state : functions) {
    bool found = false;
    for (Value argument : state.function.getArguments())
      if (isUnknown(argument)) {
        joinElementType(argument, getFloatElementType(argument.getType()));
        found = true;
      }
    if (found) {
      for (Operation *call : state.calls)
        queue(call);
      return true;
    }
  }
  for (FunctionState &state : functions) {
    if (!state.hasFreeResults)
      continue;
    bool found = false;
    for (auto [type, declared] :
         llvm::zip_equal(state.results, state.function.getResultTypes()))
      if (Type element = getFloatElementType(declared); element && !type) {
        type = element;
        found = true;
      }
    if (!found)
      continue;
    for (Operation *op : llvm::concat<Operation *>(state.calls, state.returns))
      queue(op);
    return true;
  }
  return false;
}

LogicalResult PrecisionAnalysis::visitFunctions(Operation *root) {
  {
    llvm::SaveAndRestore quiet(hasVisitedUsers, false);
    collectFunctions(root);
  }
  SmallVector<unsigned> order = getCallersFirst();
  auto isDirty = [&] {
    return llvm::any_of(
        functions, [](const FunctionState &state) { return state.isDirty(); });
  };
  // Arguments flow down the call graph and results up.
  do {
    while (isDirty()) {
      for (unsigned number : order)
        if (functions[number].isDirty() && failed(visitFunction(number)))
          return failure();
      std::reverse(order.begin(), order.end());
    }
  } while (numUnknown != 0 && seedUnknown());
  for (FunctionState &state : functions)
    for (VisitedOp *visited : state.visited)
      if (visited->isDecided)
        decisions.push_back(visited);
  return success();
}

FunctionType
PrecisionAnalysis::getSignature(FunctionOpInterface function) const {
  auto it = functionNumbers.find(function);
  if (it == functionNumbers.end())
    return {};
  const FunctionState &state = functions[it->second];
  SmallVector<Type> arguments(function.getArgumentTypes());
  SmallVector<Type> results(function.getResultTypes());
  if (state.hasFreeArguments)
    for (auto [type, argument] :
         llvm::zip_equal(arguments, function.getArguments()))
      if (Type element = getElementType(argument))
        type = withElementType(type, element);
  if (state.hasFreeResults)
    for (auto [type, element] : llvm::zip_equal(results, state.results))
      if (element)
        type = withElementType(type, element);
  if (llvm::equal(arguments, function.getArgumentTypes()) &&
      llvm::equal(results, function.getResultTypes()))
    return {};
  return FunctionType::get(function->getContext(), arguments, results);
}

//===----------------------------------------------------------------------===//
// Calls and returns
//===----------------------------------------------------------------------===//

PrecisionAnalysis::FunctionState *
PrecisionAnalysis::lookupCallee(CallOpInterface call) {
  auto it = calleeNumbers.find(call);
  if (it == calleeNumbers.end())
    return nullptr;
  FunctionState &state = functions[it->second];
  return call.getArgOperands().size() == state.function.getNumArguments()
             ? &state
             : nullptr;
}

LogicalResult PrecisionAnalysis::visitCall(VisitedOp &visited) {
  auto call = cast<CallOpInterface>(visited.op);
  FunctionState *callee = visited.callee;
  if (callee)
    for (auto [result, device] :
         llvm::zip(call->getResults(), callee->resultDevices))
      setDevice(result, device);
  if (!callee || (!callee->hasFreeArguments && !callee->hasFreeResults))
    return visitCompute(visited);
  PrecisionDecision decision = getPinned(call, Reason::boundary);
  unsigned first = call.getArgOperands().empty()
                       ? 0
                       : call.getArgOperands().getBeginOperandIndex();
  for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
    if (!callee->hasFreeArguments ||
        !facts->get(operand.getType()).floatElement)
      continue;
    Value argument = callee->function.getArgument(index);
    if (!isUnknown(operand)) {
      llvm::SaveAndRestore elsewhere(hasVisitedUsers, callee->isVisited);
      // Other calls have been decided for the argument's narrower type.
      if (joinElementType(argument, getElementType(operand)))
        for (Operation *other : callee->calls)
          if (other != call)
            queue(other);
    }
    decision.to[first + index] = getElementType(argument);
  }
  for (auto [index, result] : llvm::enumerate(call->getResults())) {
    Type declared = facts->get(result.getType()).floatElement;
    if (!declared)
      continue;
    Type type = callee->hasFreeResults ? callee->results[index] : declared;
    if (!type) {
      setUnknown(result);
      continue;
    }
    setElementType(result, type);
    decision.results[index] = type;
  }
  record(visited, std::move(decision));
  return success();
}

void PrecisionAnalysis::visitReturn(VisitedOp &visited) {
  Operation *op = visited.op;
  FunctionState &state = functions[visited.function];
  if (!llvm::is_contained(state.returns, op))
    state.returns.push_back(op);
  bool hasChanged = false;
  for (auto [operand, device] :
       llvm::zip(op->getOperands(), state.resultDevices))
    if (StringAttr own = getDevice(operand); own && !device) {
      device = own;
      hasChanged = true;
    }
  PrecisionDecision decision = getPinned(op, Reason::boundary);
  if (state.hasFreeResults)
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      Type own = getElementType(operand);
      if (!own || isUnknown(operand))
        continue;
      Type &type = state.results[index];
      Type joined = type ? joinFloatTypes({type, own}) : own;
      if (joined != type) {
        type = joined;
        hasChanged = true;
      }
      decision.to[index] = type;
    }
  if (hasChanged)
    for (Operation *user :
         llvm::concat<Operation *>(state.calls, state.returns))
      if (user != op)
        queue(user);
  record(visited, std::move(decision));
}
