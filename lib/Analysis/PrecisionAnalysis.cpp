//===- PrecisionAnalysis.cpp - final element types of all values ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/PrecisionAnalysis.h"

#include "FactsCache.h"

#include "amp/Analysis/ForwardedOperands.h"
#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"
#include "amp/Types/TypePromotion.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// PrecisionDecision
//===----------------------------------------------------------------------===//

std::pair<StringRef, LocationAttr> PrecisionDecision::getSource() const {
  if (entry && entry->set)
    return {entry->set->getName(),
            entry->op ? LocationAttr(entry->op->getLoc()) : LocationAttr()};
  // Other reasons than that of the verdict overruled it.
  if (verdict && verdict->rule && verdict->reason == reason)
    return {verdict->rule->set,
            verdict->rule->set.empty() ? LocationAttr() : verdict->rule->loc};
  return {};
}

DecisionAttr PrecisionDecision::getAttr(MLIRContext *context) const {
  auto fill = [&](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [&](Type type) -> Type {
      return type ? type : NoneType::get(context);
    });
  };
  auto [name, loc] = getSource();
  FlatSymbolRefAttr set;
  if (!name.empty())
    set = FlatSymbolRefAttr::get(context, name);
  return DecisionAttr::get(context, policy, fill(from), fill(to), fill(results),
                           compute ? compute : NoneType::get(context), reason,
                           set, loc);
}

bool PrecisionDecision::isIdentity(Operation *op) const {
  auto same = [](Type declared, Type decided) {
    return !decided || getElementTypeOrSelf(declared) == decided;
  };
  return llvm::all_of(llvm::zip_equal(op->getOperandTypes(), from, to),
                      [&](auto types) {
                        auto [declared, arriving, taken] = types;
                        return same(declared, arriving) &&
                               same(declared, taken);
                      }) &&
         llvm::all_of(llvm::zip_equal(op->getResultTypes(), results),
                      [&](auto types) {
                        auto [declared, decided] = types;
                        return same(declared, decided);
                      });
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

PrecisionAnalysis::PrecisionAnalysis(PolicyLibrary &library,
                                     const PrecisionOptions &options)
    : library(library), options(options),
      facts(std::make_unique<FactsCache>()) {}

PrecisionAnalysis::~PrecisionAnalysis() = default;

Type PrecisionAnalysis::getFinalElementType(Value value) const {
  Type type = values.lookup(value).elementType;
  return type ? type : facts->get(value.getType()).scalarElement;
}

Type PrecisionAnalysis::getElementType(Value value) const {
  Type type = values.lookup(value).elementType;
  return type && isStorageFloat(type)
             ? type
             : facts->get(value.getType()).floatElement;
}

bool PrecisionAnalysis::setElementType(Value value, Type type) {
  Type declared = facts->get(value.getType()).scalarElement;
  if (!type || !declared)
    return false;
  auto it = values.find(value);
  if (it == values.end()) {
    // A value without facts has the declared type.
    if (type == declared)
      return false;
    it = values.try_emplace(value).first;
  }
  ValueFacts &slot = it->second;
  Type old = slot.elementType ? slot.elementType : declared;
  bool wasUnknown = slot.isUnknown;
  slot.elementType = type;
  slot.isUnknown = false;
  numUnknown -= wasUnknown;
  if (old == type && !wasUnknown)
    return false;
  queueUsers(value);
  return true;
}

bool PrecisionAnalysis::joinElementType(Value value, Type type) {
  Type declared = facts->get(value.getType()).scalarElement;
  if (!type || !declared)
    return false;
  // An entry tells what a join has seen from what nobody has.
  Type old = values[value].elementType;
  if (!old || old == type)
    return setElementType(value, type);
  // Where kinds of numbers meet, the program's own type is the only one that is
  // known to be meant.
  Type joined = declared;
  if (isStorageFloat(old) && isStorageFloat(type))
    joined = joinFloatTypes({old, type});
  else if (getTypeCategory(old) == getTypeCategory(type))
    joined = promoteTypes(old, type);
  return setElementType(value, joined ? joined : declared);
}

bool PrecisionAnalysis::setDevice(Value value, StringAttr device) {
  if (!device)
    return false;
  StringAttr &slot = values[value].device;
  if (slot)
    return false;
  slot = device;
  queueUsers(value);
  return true;
}

/// A value that has a type keeps it, until it is known better.
bool PrecisionAnalysis::setUnknown(Value value) {
  if (!facts->get(value.getType()).floatElement)
    return false;
  ValueFacts &slot = values[value];
  if (slot.elementType || slot.isUnknown)
    return false;
  slot.isUnknown = true;
  ++numUnknown;
  queueUsers(value);
  return true;
}

const PrecisionAnalysis::Scope *
PrecisionAnalysis::lookupScope(StringRef device) const {
  const Scope *found = scope;
  while (found && !device.empty() && found->device != device)
    found = found->outer;
  return found;
}

StringAttr PrecisionAnalysis::getOperandDevice(Operation *op) const {
  StringAttr result;
  for (Value operand : op->getOperands())
    // As in torch's dispatch, an accelerator outranks the CPU.
    if (StringAttr device = getDevice(operand);
        device && (!result || result.getValue() == "cpu"))
      result = device;
  return result;
}

bool mlir::amp::needsDecision(Operation *op) {
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (getFloatElementType(type) &&
        (!interface || interface.getOperandRole(index) != OperandRole::Ignored))
      return true;
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return !!getFloatElementType(type); });
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// As needsDecision.
bool PrecisionAnalysis::hasFloats(Operation *op) const {
  for (Type type : op->getResultTypes())
    if (facts->get(type).floatElement)
      return true;
  return needsDecision(op);
}

/// As PrecisionDecision::isIdentity.
bool PrecisionAnalysis::isIdentity(Operation *op,
                                   const PrecisionDecision &decision) const {
  auto same = [&](Type declared, Type decided) {
    return !decided || facts->get(declared).scalarElement == decided ||
           getElementTypeOrSelf(declared) == decided;
  };
  for (auto [type, from, to] :
       llvm::zip_equal(op->getOperandTypes(), decision.from, decision.to))
    if (!same(type, from) || !same(type, to))
      return false;
  for (auto [type, decided] :
       llvm::zip_equal(op->getResultTypes(), decision.results))
    if (!same(type, decided))
      return false;
  return true;
}

/// `decision` may be that of `visited` itself.
void PrecisionAnalysis::record(VisitedOp &visited,
                               PrecisionDecision &&decision) {
  decision.inScope = scope != nullptr;
  visited.isDecided = (decision.inScope && hasFloats(visited.op)) ||
                      !isIdentity(visited.op, decision);
  if (&decision != &visited.decision)
    visited.decision = std::move(decision);
}

/// A decision that takes every operand, and gives every result, in the type
/// that the program says.
PrecisionDecision PrecisionAnalysis::getPinned(Operation *op,
                                               Reason reason) const {
  PrecisionDecision decision;
  decision.reason = reason;
  for (Value operand : op->getOperands()) {
    decision.from.push_back(getElementType(operand));
    decision.to.push_back(facts->get(operand.getType()).floatElement);
  }
  for (Type type : op->getResultTypes())
    decision.results.push_back(facts->get(type).floatElement);
  convertBack(op, decision);
  return decision;
}

/// Lets the op take values that finally hold other numbers than floats, or
/// other numbers than the program says, as the types of the program.
void PrecisionAnalysis::convertBack(Operation *op,
                                    PrecisionDecision &decision) const {
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type final = values.lookup(operand).elementType;
    if (!final)
      continue;
    Type declared = getElementTypeOrSelf(operand.getType());
    if (final == declared)
      continue;
    if (!isStorageFloat(final) || !isStorageFloat(declared)) {
      decision.from[index] = final;
      if (!decision.to[index])
        decision.to[index] = declared;
    }
  }
}

//===----------------------------------------------------------------------===//
// Ops to be visited again
//===----------------------------------------------------------------------===//

/// Of ops that have not been visited, nothing has to be done.
void PrecisionAnalysis::queue(Operation *op) {
  VisitedOp *visited = visitedOps.lookup(op);
  if (!visited || visited->isQueued)
    return;
  visited->isQueued = true;
  functions[visited->function].queue.push_back(visited);
}

void PrecisionAnalysis::queueUsers(Value value) {
  if (!hasVisitedUsers)
    return;
  for (Operation *user : value.getUsers())
    queue(user);
}

/// The ops that hand their operands on to `value`, which cast to its type.
void PrecisionAnalysis::queueForwarders(Value value) {
  Operation *parent = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    for (Block *block : argument.getOwner()->getPredecessors())
      queue(block->getTerminator());
    if (argument.getOwner()->isEntryBlock())
      parent = argument.getOwner()->getParentOp();
  }
  if (!parent || !facts->get(parent).isRegionBranch)
    return;
  // While its regions are visited, its turn is still to come.
  VisitedOp *visited = visitedOps.lookup(parent);
  if (visited && !visited->isOpen)
    queue(parent);
  for (Region &region : parent->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        queue(block.getTerminator());
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

LogicalResult PrecisionAnalysis::checkScope(Operation *op) {
  if (isa<ConfigOp, EnterOp, ExitOp, IsEnabledOp>(op))
    return emitError(op, DiagnosticId::S011)
           << "'" << op->getName()
           << "' is an import form of a scope: run amp-structurize-scopes and "
              "amp-specialize-scopes before precision is decided";
  if (!op->getDiscardableAttrDictionary().empty())
    for (StringRef name :
         {AMPDialect::kScopeAttrName, AMPDialect::kEntryAttrName})
      if (op->hasAttr(name))
        return emitError(op, DiagnosticId::S011)
               << "attribute '" << name
               << "' is an import form of a scope: run amp-structurize-scopes "
                  "before precision is decided";
  auto scope = dyn_cast<AutocastOp>(op);
  if (!scope || !scope.getFlag())
    return success();
  InFlightDiagnostic diag =
      emitError(op, DiagnosticId::S021)
      << "the scope is under a run-time flag, so its ops have no one "
         "precision: run amp-version-scopes before precision is decided";
  attachNote(diag, op) << "or make the flag a constant";
  return diag;
}

LogicalResult PrecisionAnalysis::run(Operation *root) {
  return visitFunctions(root);
}

LogicalResult PrecisionAnalysis::visitRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      if (failed(visitFirst(&op)))
        return failure();
  return success();
}

LogicalResult PrecisionAnalysis::checkOp(Operation *op) const {
  auto check = [&](Type type) {
    TypeFacts of = facts->get(type);
    if (of.isBuffer) {
      emitError(op, DiagnosticId::D001)
          << "'" << op->getName()
          << "' works on buffers inside a scope, but autocast "
             "works on tensors: bufferize after "
             "amp-apply-precision";
      return failure();
    }
    // amp.cast takes no unranked tensors, so no decision on them can be
    // applied.
    if (of.isUnranked && of.floatElement) {
      emitError(op, DiagnosticId::D002)
          << "'" << op->getName() << "' works on " << type
          << " inside a scope, but autocast works on tensors of known rank: "
             "infer the shapes first";
      return failure();
    }
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

bool mlir::amp::isPinned(Operation *op) {
  auto interface = dyn_cast_or_null<PrecisionOpInterface>(op);
  return interface && interface.getPrecisionClass() == PrecisionClass::Pinned;
}

PrecisionAnalysis::OpKind PrecisionAnalysis::getKind(Operation *op) const {
  NameFacts name = facts->get(op);
  if (name.isScope)
    return OpKind::Scope;
  if (name.isYield)
    return OpKind::ScopeEnd;
  if (name.isRegionBranch && isPinned(op))
    return OpKind::PinnedRegions;
  if (name.isCall)
    return OpKind::Call;
  if (name.isRegionBranch || (name.mayForward && !isPinned(op->getParentOp()) &&
                              !getForwardedOperands(op).empty()))
    return OpKind::ControlFlow;
  return name.isReturn && isa<FunctionOpInterface>(op->getParentOp())
             ? OpKind::Return
             : OpKind::Compute;
}

LogicalResult PrecisionAnalysis::visitFirst(Operation *op) {
  if (scope && failed(checkOp(op)))
    return failure();
  NameFacts name = facts->get(op);
  if (name.isFunction || (name.isYield && !isa<AutocastOp>(op->getParentOp())))
    return success();
  VisitedOp &visited = *new (allocator.Allocate()) VisitedOp();
  visited.op = op;
  visited.kind = getKind(op);
  visited.function = function;
  visited.scope = scope;
  visitedOps[op] = &visited;
  LogicalResult result = success();
  switch (visited.kind) {
  case OpKind::Scope:
    result = visitScope(visited, /*isFirst=*/true);
    break;
  case OpKind::Call:
    visited.callee = lookupCallee(cast<CallOpInterface>(op));
    break;
  case OpKind::PinnedRegions:
    result = visitRegions(visited);
    break;
  case OpKind::ControlFlow:
    if (op->getNumRegions() != 0) {
      if (!isPinned(op->getParentOp()))
        forward(getForwardedOperands(op));
      result = visitRegions(visited);
    }
    break;
  case OpKind::Compute:
    result = visitPayloadScopes(op);
    break;
  default:
    break;
  }
  if (failed(result))
    return failure();
  if (visited.kind != OpKind::Scope) {
    // In a region of one block, those who take a result come later.
    bool isAlone = op->getBlock()->getParent()->hasOneBlock();
    if (visited.kind == OpKind::ScopeEnd)
      isAlone = op->getParentRegion()->getParentRegion()->hasOneBlock();
    llvm::SaveAndRestore quiet(hasVisitedUsers,
                               !isAlone || visited.kind == OpKind::ControlFlow);
    if (failed(visit(visited)))
      return failure();
  }
  functions[function].visited.push_back(&visited);
  return success();
}

LogicalResult PrecisionAnalysis::visitRegions(VisitedOp &visited) {
  visited.isOpen = true;
  for (Region &region : visited.op->getRegions())
    if (failed(visitRegion(region)))
      return failure();
  visited.isOpen = false;
  return success();
}

LogicalResult PrecisionAnalysis::visit(VisitedOp &visited) {
  switch (visited.kind) {
  case OpKind::Scope:
    return visitScope(visited, /*isFirst=*/false);
  case OpKind::ScopeEnd:
    visitScopeEnd(cast<YieldOp>(visited.op));
    return success();
  case OpKind::PinnedRegions:
    record(visited, getPinned(visited.op, Reason::pinned));
    return success();
  case OpKind::Call:
    return visitCall(visited);
  case OpKind::ControlFlow:
    visitControlFlow(visited);
    return success();
  case OpKind::Return:
    visitReturn(visited);
    return success();
  case OpKind::Compute:
    return visitCompute(visited);
  }
  llvm_unreachable("unknown kind of op");
}

void PrecisionAnalysis::visitControlFlow(VisitedOp &visited) {
  Operation *op = visited.op;
  SmallVector<ForwardedOperand> forwarded;
  if (!isPinned(op->getParentOp()))
    forwarded = getForwardedOperands(op);
  forward(forwarded);
  PrecisionDecision decision = getPinned(op, Reason::control_flow);
  auto getDecided = [&](Value value) -> Type {
    Type final = getFinalElementType(value);
    return final && (isStorageFloat(final) ||
                     final != getElementTypeOrSelf(value.getType()))
               ? final
               : Type();
  };
  for (const ForwardedOperand &pair : forwarded) {
    unsigned index = pair.operand->getOperandNumber();
    Type to = getDecided(pair.input);
    if (!to && decision.from[index])
      to = getFinalElementType(pair.input);
    decision.to[index] = to;
    if (to && !decision.from[index])
      decision.from[index] = getFinalElementType(pair.operand->get());
  }
  if (facts->get(op).isRegionBranch)
    for (auto [type, result] :
         llvm::zip_equal(decision.results, op->getResults()))
      type = getDecided(result);
  record(visited, std::move(decision));
}

void PrecisionAnalysis::forward(ArrayRef<ForwardedOperand> forwarded) {
  for (const ForwardedOperand &pair : forwarded) {
    // Nobody reads it: lifted control flow fills ways without a value with it.
    if (pair.operand->get().getDefiningOp<ub::PoisonOp>())
      continue;
    if (isUnknown(pair.operand->get()))
      setUnknown(pair.input);
    else if (joinElementType(pair.input,
                             getFinalElementType(pair.operand->get())))
      queueForwarders(pair.input);
    setDevice(pair.input, getDevice(pair.operand->get()));
  }
  // An operand with two ways to go (into a loop, or past it) is cast once, so
  // both ends have one type.
  for (const ForwardedOperand &a : forwarded)
    for (const ForwardedOperand &b : forwarded) {
      if (a.operand != b.operand || a.input == b.input)
        continue;
      if (isUnknown(b.input))
        setUnknown(a.input);
      else if (joinElementType(a.input, getFinalElementType(b.input)))
        queueForwarders(a.input);
    }
}

LogicalResult PrecisionAnalysis::visitScope(VisitedOp &visited, bool isFirst) {
  auto op = cast<AutocastOp>(visited.op);
  const Scope *outer = scope;
  if (isFirst) {
    // A lookup goes through the module, and there are many scopes.
    const PolicySet *&policies =
        policySets[{op.getPolicyAttr(), op.getDeviceAttr()}];
    if (!policies)
      policies =
          library.lookup(op.getPolicyAttr(), op.getDevice(), op.getLoc());
    if (!policies)
      return failure();
    scopes.push_back(
        {op.getDevice(), !op.getDisabled(), op.getDtype(), policies,
         getClassifier ? getClassifier(*policies) : nullptr, outer});
  }
  {
    llvm::SaveAndRestore quiet(hasVisitedUsers, !isFirst);
    for (auto [argument, capture] :
         llvm::zip_equal(op.getBody().getArguments(), op.getCaptures())) {
      if (isUnknown(capture))
        setUnknown(argument);
      else
        setElementType(argument, getFinalElementType(capture));
      setDevice(argument, getDevice(capture));
    }
  }
  if (!isFirst)
    return success();
  llvm::SaveAndRestore inside(scope, const_cast<const Scope *>(&scopes.back()));
  return visitRegion(op.getBody());
}

void PrecisionAnalysis::visitScopeEnd(YieldOp op) {
  auto scopeOp = cast<AutocastOp>(op->getParentOp());
  bool propagates = propagatesResults(scopeOp);
  for (auto [result, value] :
       llvm::zip_equal(scopeOp.getResults(), op.getOperands())) {
    if (propagates && isUnknown(value))
      setUnknown(result);
    else if (propagates)
      setElementType(result, getFinalElementType(value));
    setDevice(result, getDevice(value));
  }
}

FunctionOpInterface mlir::amp::getFunctionOfScope(AutocastOp scope) {
  auto function = dyn_cast<FunctionOpInterface>(scope->getParentOp());
  if (!function || !llvm::hasSingleElement(function.getFunctionBody()))
    return {};
  Block &body = function.getFunctionBody().front();
  if (body.getOperations().size() != 2 ||
      !body.getTerminator()->hasTrait<OpTrait::ReturnLike>() ||
      !llvm::equal(scope.getResults(), body.getTerminator()->getOperands()))
    return {};
  return function;
}

bool mlir::amp::propagatesResults(AutocastOp scope) {
  return scope.getResultsMode() == ResultsMode::propagate &&
         isa<FunctionOpInterface, AutocastOp, RegionBranchOpInterface>(
             scope->getParentOp());
}

/// Scopes in a payload, whose op itself is decided as a whole.
LogicalResult PrecisionAnalysis::visitPayloadScopes(Operation *op) {
  auto visit = [&](AutocastOp scopeOp) {
    return failed(visitFirst(scopeOp)) ? WalkResult::interrupt()
                                       : WalkResult::skip();
  };
  for (Region &region : op->getRegions())
    if (region.walk<WalkOrder::PreOrder>(visit).wasInterrupted())
      return failure();
  return success();
}

LogicalResult PrecisionAnalysis::visitCompute(VisitedOp &visited) {
  Operation *op = visited.op;
  bool arrivesAsDeclared = true, isUnknown = false;
  for (Value operand : op->getOperands()) {
    auto known = values.find(operand);
    arrivesAsDeclared &= known == values.end();
    isUnknown |= known != values.end() && known->second.isUnknown;
  }
  if (isUnknown) {
    if (!visited.isKnown)
      for (Value result : op->getResults())
        setUnknown(result);
    visited.isDecided = false;
    return success();
  }
  visited.isKnown = true;
  NameFacts name = facts->get(op);
  if (!scope && arrivesAsDeclared && (name.hasPrecision || !name.isATen)) {
    // Nothing changes outside of scopes, where nothing has changed before.
    visited.isDecided = false;
    for (Value result : op->getResults())
      setElementType(result, facts->get(result.getType()).floatElement);
    return success();
  }
  PrecisionDecision &decision = visited.decision;
  decision = PrecisionDecision();
  if (failed(decide(op, decision)))
    return failure();
  StringAttr device;
  if (!arrivesAsDeclared) {
    convertBack(op, decision);
    // What a function of the module returns is where its body puts it.
    if (!visited.callee)
      device = getOperandDevice(op);
  }
  for (auto [result, type] :
       llvm::zip_equal(op->getResults(), decision.results)) {
    setElementType(result, type);
    setDevice(result, device);
  }
  record(visited, std::move(decision));
  return success();
}
