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

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Analysis/SymbolUsers.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Unknown values
//===----------------------------------------------------------------------===//

/// A value that has a type keeps it, until it is known better.
void PrecisionAnalysis::setUnknown(Value value) {
  if (getFloatElementType(value.getType()) && !elementTypes.contains(value))
    changed |= unknown.insert(value).second;
}

/// Whether `from` is unknown; then it says nothing about `to`.
bool PrecisionAnalysis::joinUnknown(Value to, Value from) {
  if (!unknown.contains(from))
    return false;
  setUnknown(to);
  return true;
}

bool PrecisionAnalysis::hasUnknownOperand(Operation *op) const {
  return !unknown.empty() && llvm::any_of(op->getOperands(), [&](Value value) {
    return unknown.contains(value);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void PrecisionAnalysis::collectFunctions(Operation *root) {
  SymbolTableCollection symbols;
  SymbolUsers users(symbols, root);
  auto isCall = [](Operation *user) { return isa<CallOpInterface>(user); };
  root->walk([&](FunctionOpInterface function) {
    for (BlockArgument argument : function.getArguments())
      setDevice(argument,
                function.getArgAttrOfType<StringAttr>(
                    argument.getArgNumber(), AMPDialect::kDeviceAttrName));
    if (function.isExternal())
      return;
    functionNumbers[function] = functions.size();
    FunctionState &state = functions.emplace_back();
    state.function = function;
    state.results.resize(function.getNumResults());
    state.resultDevices.resize(function.getNumResults());
    auto symbol = dyn_cast<SymbolOpInterface>(function.getOperation());
    if (!symbol || options.signatures == Signatures::Fixed ||
        function->hasAttr(AMPDialect::kKernelAttrName))
      return;
    ArrayRef<Operation *> known = users.getUsers(function);
    if (!llvm::all_of(known, isCall))
      return;
    bool isInner = symbol.isPrivate() && !known.empty();
    state.hasFreeArguments = isInner;
    state.hasFreeResults = isInner || options.signatures == Signatures::All;
  });
  for (auto [number, state] : llvm::enumerate(functions)) {
    if (state.hasFreeArguments)
      for (BlockArgument argument : state.function.getArguments())
        setUnknown(argument);
    state.function->walk([&, number = number](CallOpInterface call) {
      Operation *callee = call.resolveCallableInTable(&symbols);
      auto it = functionNumbers.find(callee);
      if (it == functionNumbers.end())
        return;
      calleeNumbers[call] = it->second;
      functions[number].callees.push_back(it->second);
      functions[it->second].callers.push_back(number);
    });
  }
  for (FunctionState &state : functions)
    for (SmallVector<unsigned> *numbers : {&state.callers, &state.callees}) {
      llvm::sort(*numbers);
      numbers->erase(llvm::unique(*numbers), numbers->end());
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

LogicalResult PrecisionAnalysis::visitFunction(FunctionState &state) {
  current = &state;
  // Types only widen where values meet, and there are few of them: this ends.
  do {
    changed = false;
    state.dirty = false;
    state.decisions.clear();
    if (failed(visitRegion(state.function.getFunctionBody())))
      return failure();
  } while (changed || state.dirty);
  return success();
}

/// What is unknown when nothing changes any more depends on itself only, as the
/// result of a function that never ends. One such type is that of the program.
bool PrecisionAnalysis::seedUnknown() {
  for (FunctionState &state : functions) {
    bool found = false;
    for (Value argument : state.function.getArguments())
      if (unknown.contains(argument)) {
        setElementType(argument, getFloatElementType(argument.getType()));
        found = true;
      }
    if (found) {
      state.dirty = true;
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
    for (unsigned caller : state.callers)
      functions[caller].dirty = true;
    state.dirty = true;
    return true;
  }
  return false;
}

LogicalResult PrecisionAnalysis::visitFunctions(Operation *root) {
  collectFunctions(root);
  SmallVector<unsigned> order = getCallersFirst();
  auto isDirty = [&] {
    return llvm::any_of(functions,
                        [](const FunctionState &state) { return state.dirty; });
  };
  // Arguments flow down the call graph and results up.
  do {
    while (isDirty()) {
      for (unsigned number : order)
        if (functions[number].dirty && failed(visitFunction(functions[number])))
          return failure();
      std::reverse(order.begin(), order.end());
    }
  } while (!unknown.empty() && seedUnknown());
  for (FunctionState &state : functions)
    for (auto &[op, decision] : state.decisions)
      decisions[op] = std::move(decision);
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

void PrecisionAnalysis::joinArgument(FunctionState &callee, unsigned index,
                                     Type type) {
  // What changes in another function is the business of its next visit.
  bool before = changed;
  changed = false;
  joinElementType(callee.function.getArgument(index), type);
  if (changed) {
    callee.dirty = true;
    // Other calls have been decided for the argument's narrower type.
    for (unsigned caller : callee.callers)
      functions[caller].dirty = true;
  }
  changed = before;
}

LogicalResult PrecisionAnalysis::visitCall(CallOpInterface call) {
  FunctionState *callee = lookupCallee(call);
  if (callee)
    for (auto [result, device] :
         llvm::zip(call->getResults(), callee->resultDevices))
      setDevice(result, device);
  if (!callee || (!callee->hasFreeArguments && !callee->hasFreeResults))
    return visitCompute(call);
  PrecisionDecision decision = getPinned(call, Reason::boundary);
  unsigned first = call.getArgOperands().empty()
                       ? 0
                       : call.getArgOperands().getBeginOperandIndex();
  for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
    if (!callee->hasFreeArguments || !getFloatElementType(operand.getType()))
      continue;
    Value argument = callee->function.getArgument(index);
    if (!unknown.contains(operand))
      joinArgument(*callee, index, getElementType(operand));
    decision.to[first + index] = getElementType(argument);
  }
  for (auto [index, result] : llvm::enumerate(call->getResults())) {
    Type declared = getFloatElementType(result.getType());
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
  record(call, std::move(decision));
  return success();
}

LogicalResult PrecisionAnalysis::visitReturn(Operation *op) {
  for (auto [operand, device] :
       llvm::zip(op->getOperands(), current->resultDevices))
    if (StringAttr own = devices.lookup(operand); own && !device) {
      device = own;
      for (unsigned caller : current->callers)
        functions[caller].dirty = true;
    }
  PrecisionDecision decision = getPinned(op, Reason::boundary);
  if (current->hasFreeResults)
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      Type own = getElementType(operand);
      if (!own || unknown.contains(operand))
        continue;
      Type &type = current->results[index];
      Type joined = type ? joinFloatTypes({type, own}) : own;
      if (joined != type) {
        type = joined;
        for (unsigned caller : current->callers)
          functions[caller].dirty = true;
      }
      decision.to[index] = type;
    }
  record(op, std::move(decision));
  return success();
}
