//===- OutlineKernel.cpp - a group of ops as a function -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

namespace {

/// Builds the body of one kernel function.
class Outliner {
public:
  Outliner(OpBuilder &host, const KernelGroup &group, func::FuncOp function)
      : host(host), group(group), function(function),
        body(OpBuilder::atBlockEnd(function.addEntryBlock())) {
    members.insert_range(group.ops);
  }

  /// Clones everything.
  void cloneGroup() {
    for (Operation *op : group.ops)
      cloneOp(op);
  }

  /// Adds the destination of `output`, and returns what the launch passes.
  Value addDestination(Value output);

  /// What stands for `output` in the function.
  Value getResult(Value output) { return mapping.lookup(output); }

  SmallVector<Value> inputs;

private:
  Value map(Value value);
  Operation *cloneOp(Operation *op);
  bool isInside(Value value);
  SmallVector<OpFoldResult> getSizes(Value value);
  Value addArgument(Value value) {
    inputs.push_back(value);
    Value argument =
        function.front().addArgument(value.getType(), value.getLoc());
    mapping.map(value, argument);
    return argument;
  }

  OpBuilder &host;
  const KernelGroup &group;
  func::FuncOp function;
  OpBuilder body;
  IRMapping mapping;
  llvm::SmallDenseSet<Operation *> members;
};

} // namespace

/// Whether the scalar `value` comes from the contents of a tensor.
static bool dependsOnContents(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<RankedTensorType>(value.getType()))
    return false;
  if (isa<tensor::ExtractOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::any_of(op->getOperands(), dependsOnContents);
}

/// Whether the kernel can compute `value`, an operand of what it holds, itself.
bool Outliner::isInside(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (members.contains(op) || KernelFusionModel::isFree(op))
    return true;
  if (isa<RankedTensorType>(value.getType()))
    return false;
  if (dependsOnContents(value))
    return true;
  // Sizes of what the kernel has anyway.
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return dim.getConstantIndex() && mapping.contains(dim.getSource());
  if (isa<affine::AffineApplyOp>(op) ||
      (isa_and_present<arith::ArithDialect>(op->getDialect()) &&
       value.getType().isIndex()))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isInside(operand); });
  return false;
}

Value Outliner::map(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (!isInside(value))
    return addArgument(value);
  Operation *clone = cloneOp(value.getDefiningOp());
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

Operation *Outliner::cloneOp(Operation *op) {
  if (op->getNumResults() > 0)
    if (Value known = mapping.lookupOrNull(op->getResult(0)))
      return known.getDefiningOp();
  // Data first: sizes are then those of what is there.
  llvm::SetVector<Value> operands;
  for (bool isData : {true, false})
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) == isData)
        operands.insert(operand);
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(op->getRegions(), captures);
  operands.insert_range(captures);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  SmallVector<Value> inits;
  if (dps)
    llvm::append_range(inits, dps.getDpsInits());
  for (Value operand : operands)
    if (!llvm::is_contained(inits, operand))
      (void)map(operand);
  for (Value init : inits)
    (void)map(init);
  Operation *clone = body.clone(*op, mapping);
  clone->removeAttr(AMPDialect::kScheduleAttrName);
  return clone;
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// The sizes of `value`, by ops in the host function that need nothing of what
/// the group computes.
SmallVector<OpFoldResult> Outliner::getSizes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape())
    return getAsIndexOpFoldResult(type.getContext(), type.getShape());
  Operation *op = value.getDefiningOp();
  if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(op))
    return empty.getMixedSizes();
  if (op && (members.contains(op) || KernelFusionModel::isFree(op))) {
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      return getSizes(dps.getTiedOpOperand(cast<OpResult>(value))->get());
    ReifiedRankedShapedTypeDims sizes;
    Operation *before = host.getInsertionPoint() == host.getBlock()->begin()
                            ? nullptr
                            : &*std::prev(host.getInsertionPoint());
    if (succeeded(reifyResultShapes(host, op, sizes))) {
      auto it =
          before ? std::next(before->getIterator()) : host.getBlock()->begin();
      SmallVector<tensor::DimOp> dims;
      for (; it != host.getInsertionPoint(); ++it)
        if (auto dim = dyn_cast<tensor::DimOp>(*it))
          dims.push_back(dim);
      for (tensor::DimOp dim : dims) {
        Operation *def = dim.getSource().getDefiningOp();
        std::optional<int64_t> index = dim.getConstantIndex();
        if (!def || !members.contains(def) || !index)
          continue;
        OpBuilder::InsertionGuard guard(host);
        host.setInsertionPoint(dim);
        Value size = getValueOrCreateConstantIndexOp(
            host, dim.getLoc(), getSizes(dim.getSource())[*index]);
        dim.replaceAllUsesWith(size);
        for (OpFoldResult &other :
             sizes[cast<OpResult>(value).getResultNumber()])
          if (other == OpFoldResult(dim.getResult()))
            other = size;
        dim.erase();
      }
      return sizes[cast<OpResult>(value).getResultNumber()];
    }
  }
  return tensor::getMixedSizes(host, value.getLoc(), value);
}

Value Outliner::addDestination(Value output) {
  Location loc = output.getLoc();
  auto type = cast<RankedTensorType>(output.getType());
  BlockArgument argument = function.front().addArgument(type, loc);
  Value inner = mapping.lookup(output);
  // Where the op reads what it accumulates into, the destination brings it. Not
  // to rows and columns, which many threads work on: one of them may write the
  // result while others still read where it started.
  auto op = inner.getDefiningOp<linalg::LinalgOp>();
  if (op && (group.kind == KernelKind::Map ||
             group.kind == KernelKind::Contraction)) {
    OpOperand *init = op.getTiedOpOperand(cast<OpResult>(inner));
    Value outer = cast<linalg::LinalgOp>(output.getDefiningOp())
                      .getTiedOpOperand(cast<OpResult>(output))
                      ->get();
    Operation *def = outer.getDefiningOp();
    if (op.payloadUsesValueFromOperand(init) &&
        !(def && (members.contains(def) || KernelFusionModel::isFree(def)))) {
      init->set(argument);
      return outer;
    }
  }
  SmallVector<OpFoldResult> sizes = getSizes(output);
  return tensor::EmptyOp::create(host, loc, sizes, type.getElementType(),
                                 type.getEncoding());
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

func::FuncOp kernels::outlineKernel(
    RewriterBase &rewriter, const KernelGroup &group, ModuleOp kernels,
    StringRef name,
    llvm::function_ref<bool(Operation *, Operation *)> isOutside) {
  MLIRContext *context = kernels.getContext();
  // The root's first: it stands for the kernel in reports.
  SmallVector<Location> locations = {group.root->getLoc()};
  for (Operation *op : group.ops)
    locations.push_back(op->getLoc());
  Location loc = FusedLoc::get(context, locations);
  Operation *last = group.ops.back();
  rewriter.setInsertionPointAfter(last);
  SmallVector<Value> outputs;
  for (Operation *op : group.ops)
    for (Value result : op->getResults())
      if (!llvm::is_contained(group.copies, op) &&
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            return isOutside(op,
                             last->getBlock()->findAncestorOpInBlock(*user));
          }))
        outputs.push_back(result);

  OpBuilder inKernels = OpBuilder::atBlockEnd(kernels.getBody());
  auto function = func::FuncOp::create(inKernels, loc, name,
                                       inKernels.getFunctionType({}, {}));
  function->setAttr(AMPDialect::kKernelAttrName, UnitAttr::get(context));
  for (Operation *op : group.ops)
    if (Attribute schedule = op->getAttr(AMPDialect::kScheduleAttrName))
      function->setAttr(AMPDialect::kScheduleAttrName, schedule);

  Outliner outliner(rewriter, group, function);
  outliner.cloneGroup();
  SmallVector<Value> destinations, results;
  for (Value output : outputs) {
    destinations.push_back(outliner.addDestination(output));
    results.push_back(outliner.getResult(output));
  }
  OpBuilder end = OpBuilder::atBlockEnd(&function.front());
  func::ReturnOp::create(end, loc, results);
  function.setFunctionType(inKernels.getFunctionType(
      function.front().getArgumentTypes(), ValueRange(results).getTypes()));
  unsigned numInputs = outliner.inputs.size();
  for (unsigned i = 0; i < outputs.size(); ++i)
    function.setArgAttr(numInputs + i, AMPDialect::kDestinationAttrName,
                        inKernels.getI64IntegerAttr(i));

  auto symbol = SymbolRefAttr::get(
      context, kernels.getSymName().value(),
      {FlatSymbolRefAttr::get(context, function.getSymName())});
  auto launch = LaunchOp::create(rewriter, loc, ValueRange(outputs).getTypes(),
                                 symbol, outliner.inputs, destinations);
  for (auto [output, result] : llvm::zip_equal(outputs, launch.getResults())) {
    Operation *op = output.getDefiningOp();
    rewriter.replaceUsesWithIf(output, result, [&](OpOperand &use) {
      Operation *user =
          last->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return isOutside(op, user);
    });
  }
  return function;
}

void kernels::orderByUses(Block &block) {
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : block) {
    numbers[&op] = ops.size();
    ops.push_back(&op);
  }
  SmallVector<SmallVector<unsigned>> users(ops.size());
  SmallVector<unsigned> missing(ops.size(), 0);
  auto addEdge = [&](unsigned from, unsigned to) {
    users[from].push_back(to);
    ++missing[to];
  };
  std::optional<unsigned> lastEffect;
  for (auto [number, op] : llvm::enumerate(ops)) {
    for (Operation *user : op->getUsers())
      if (Operation *ancestor = block.findAncestorOpInBlock(*user);
          ancestor && ancestor != op)
        addEdge(number, numbers.lookup(ancestor));
    if (isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>())
      continue;
    if (lastEffect)
      addEdge(*lastEffect, number);
    lastEffect = number;
  }
  std::set<unsigned> ready;
  for (unsigned number = 0; number < ops.size(); ++number)
    if (missing[number] == 0)
      ready.insert(number);
  Operation *end = &block.back();
  while (!ready.empty()) {
    unsigned number = *ready.begin();
    ready.erase(ready.begin());
    if (ops[number] != end)
      ops[number]->moveBefore(end);
    for (unsigned user : users[number])
      if (--missing[user] == 0)
        ready.insert(user);
  }
}
