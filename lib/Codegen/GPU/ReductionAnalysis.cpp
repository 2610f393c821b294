//===- ReductionAnalysis.cpp - what a kernel reduces ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionAnalysis.h"

#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp::gpu;

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

/// Whether combining a value with itself gives that value, so that a partial
/// result may start from the reduction's own start.
static bool isIdempotent(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp>(op);
}

/// Fills in what `reduction.op`'s payload does; fails if partial results could
/// not be merged.
static LogicalResult matchPayload(KernelReduction &reduction) {
  Block *body = reduction.op.getBlock();
  unsigned results = reduction.op.getNumDpsInits();
  SmallVector<Value> accumulators;
  for (unsigned i = 0; i != results; ++i)
    accumulators.push_back(reduction.getAccumulator(i));

  llvm::SmallSetVector<Value, 8> dependent(accumulators.begin(),
                                           accumulators.end());
  SmallVector<Operation *> slice;
  for (Operation &op : body->without_terminator()) {
    if (llvm::none_of(op.getOperands(),
                      [&](Value v) { return dependent.contains(v); }))
      continue;
    if (op.getNumRegions() || op.getNumResults() != 1 || !isPure(&op))
      return failure();
    slice.push_back(&op);
    dependent.insert(op.getResult(0));
  }

  for (auto [i, yielded] :
       llvm::enumerate(body->getTerminator()->getOperands())) {
    Operation *op = yielded.getDefiningOp();
    if (!op || op->getBlock() != body)
      return failure();
    Value accumulator = accumulators[i];
    unsigned first = 0;
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      bool takesIfTrue = select.getFalseValue() == accumulator;
      Value element =
          takesIfTrue ? select.getTrueValue() : select.getFalseValue();
      if (!takesIfTrue && select.getTrueValue() != accumulator)
        return failure();
      if (dependent.contains(element) ||
          !dependent.contains(select.getCondition()))
        return failure();
      if (reduction.condition &&
          (reduction.condition != select.getCondition() ||
           reduction.takesIfTrue != takesIfTrue))
        return failure();
      reduction.condition = select.getCondition();
      reduction.takesIfTrue = takesIfTrue;
      reduction.combiners.push_back(op);
      reduction.elements.push_back(element);
      continue;
    }
    // One op that has a neutral element: upstream's list of the associative
    // and commutative ones.
    if (op->getNumOperands() != 2 || !amp::getNeutralElement(op))
      return failure();
    if (op->getOperand(0) != accumulator)
      first = 1;
    Value element = op->getOperand(1 - first);
    if (op->getOperand(first) != accumulator || dependent.contains(element))
      return failure();
    reduction.combiners.push_back(op);
    reduction.elements.push_back(element);
  }

  if (!reduction.condition) {
    // Each accumulator in its own combiner only.
    return success(slice.size() == results);
  }
  // Partial results take the place of elements when they are merged: nothing
  // else of an element may be looked at, and a partial result starts from the
  // reduction's start.
  for (Operation *op : reduction.combiners)
    if (!isa<arith::SelectOp>(op) && !isIdempotent(op))
      return failure();
  llvm::SmallSetVector<Operation *, 4> constants;
  for (Operation *op : slice) {
    for (Value operand : op->getOperands()) {
      if (dependent.contains(operand) ||
          llvm::is_contained(reduction.elements, operand))
        continue;
      Operation *producer = operand.getDefiningOp();
      if (!producer || !producer->hasTrait<OpTrait::ConstantLike>())
        return failure();
      if (producer->getBlock() == body)
        constants.insert(producer);
    }
  }
  // The payload is cloned for scalars.
  for (Operation &op : body->without_terminator())
    if (op.getNumRegions() || !isPure(&op) ||
        llvm::any_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>))
      return failure();
  reduction.slice.assign(constants.begin(), constants.end());
  llvm::append_range(reduction.slice, slice);
  return success();
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

namespace {
/// Which dimensions of tensors and loops of ops run together.
class Axes {
public:
  explicit Axes(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      add(argument);
    for (Operation &op : function.getBody().front().without_terminator()) {
      for (Value result : op.getResults())
        add(result);
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        unite(linalgOp);
      else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
        uniteReshape(expand.getSrc(), expand.getResult(),
                     expand.getReassociationIndices());
      else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
        uniteReshape(collapse.getResult(), collapse.getSrc(),
                     collapse.getReassociationIndices());
      else if (auto cast = dyn_cast<tensor::CastOp>(op))
        uniteAll(cast.getSource(), cast.getResult());
    }
  }

  /// The number of the class of a dimension or loop, -1 if its size is one.
  int get(Value tensor, unsigned dim) const {
    if (cast<RankedTensorType>(tensor.getType()).getDimSize(dim) == 1)
      return -1;
    return classes.getLeaderValue(dims.lookup(tensor) + dim);
  }
  int get(linalg::LinalgOp op, unsigned loop) const {
    if (op.getStaticLoopRanges()[loop] == 1)
      return -1;
    return classes.getLeaderValue(loops.lookup(op) + loop);
  }
  SmallVector<int> get(Value tensor) const {
    SmallVector<int> result;
    auto type = cast<RankedTensorType>(tensor.getType());
    for (unsigned dim = 0, e = type.getRank(); dim != e; ++dim)
      result.push_back(get(tensor, dim));
    return result;
  }

  /// Whether an element of the result of `op` reads `use` at the indices that
  /// its axes say, and at no other.
  bool followsAxes(OpOperand &use) const {
    Operation *op = use.getOwner();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      llvm::SmallDenseSet<int> seen;
      for (unsigned loop = 0; loop != linalgOp.getNumLoops(); ++loop)
        if (int axis = get(linalgOp, loop);
            axis >= 0 && !seen.insert(axis).second)
          return false;
      AffineMap map = linalgOp.getMatchingIndexingMap(&use);
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (!isa<AffineDimExpr>(expr) && get(use.get(), dim) >= 0)
          return false;
      return true;
    }
    if (isa<func::ReturnOp, tensor::CastOp, tensor::DimOp>(op))
      return true;
    return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
           !reordering.contains(op);
  }

private:
  void add(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    dims[value] = next;
    for (int64_t i = 0; i != type.getRank(); ++i)
      classes.insert(next++);
  }
  void unite(Value a, unsigned dimA, Value b, unsigned dimB) {
    if (get(a, dimA) >= 0 && get(b, dimB) >= 0)
      classes.unionSets(dims.lookup(a) + dimA, dims.lookup(b) + dimB);
  }
  void uniteAll(Value a, Value b) {
    for (int64_t i : llvm::seq(cast<RankedTensorType>(a.getType()).getRank()))
      unite(a, i, b, i);
  }
  void unite(linalg::LinalgOp op) {
    loops[op] = next;
    for (unsigned i = 0; i != op.getNumLoops(); ++i)
      classes.insert(next++);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        if (!loop || get(operand.get(), dim) < 0 ||
            get(op, loop.getPosition()) < 0)
          continue;
        classes.unionSets(dims.lookup(operand.get()) + dim,
                          loops.lookup(op) + loop.getPosition());
      }
    }
    for (OpResult result : op->getResults())
      if (isa<RankedTensorType>(result.getType()))
        uniteAll(op.getDpsInitOperand(result.getResultNumber())->get(), result);
  }
  /// Unites a dimension with the one of its group that is not of size one.
  void uniteReshape(Value collapsed, Value expanded,
                    ArrayRef<ReassociationIndices> groups) {
    auto type = cast<RankedTensorType>(expanded.getType());
    for (auto [i, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> proper;
      for (int64_t dim : group)
        if (type.getDimSize(dim) != 1)
          proper.push_back(dim);
      if (proper.size() == 1)
        unite(collapsed, i, expanded, proper.front());
      else if (proper.size() > 1)
        reordering.insert(expanded.getDefiningOp() &&
                                  expanded.getDefiningOp()->getOperand(0) ==
                                      collapsed
                              ? expanded.getDefiningOp()
                              : collapsed.getDefiningOp());
    }
  }

  unsigned next = 0;
  DenseMap<Value, unsigned> dims;
  DenseMap<Operation *, unsigned> loops;
  llvm::EquivalenceClasses<unsigned> classes;
  DenseSet<Operation *> reordering;
};
} // namespace

/// The op of the kernel's body that `op` is or is nested in.
static Operation *getBodyOp(Operation *op, Block *body) {
  return body->findAncestorOpInBlock(*op);
}

/// The arguments from which `values` are computed, in order.
static SmallVector<Value> getArguments(ArrayRef<Value> values, Block *body) {
  llvm::SetVector<Value> seen(values.begin(), values.end());
  for (size_t i = 0; i != seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (!op)
      continue;
    getBodyOp(op, body)->walk([&](Operation *nested) {
      seen.insert(nested->operand_begin(), nested->operand_end());
    });
  }
  SmallVector<Value> arguments;
  for (BlockArgument argument : body->getArguments())
    if (seen.contains(argument))
      arguments.push_back(argument);
  return arguments;
}

//===----------------------------------------------------------------------===//
// ReductionAnalysis
//===----------------------------------------------------------------------===//

SmallVector<Type> KernelReduction::getPartialTypes() {
  SmallVector<Type> types;
  for (Operation *combiner : combiners)
    types.push_back(combiner->getResult(0).getType());
  if (condition)
    types.push_back(IndexType::get(op->getContext()));
  return types;
}

int64_t ReductionAnalysis::getSize(ArrayRef<ReductionAxis> axes) {
  int64_t size = 1;
  for (const ReductionAxis &axis : axes) {
    if (ShapedType::isDynamic(axis.size))
      return ShapedType::kDynamic;
    size *= axis.size;
  }
  return size;
}

std::optional<SmallVector<int>> ReductionAnalysis::getAxes(Value tensor) const {
  auto it = tensorAxes.find(tensor);
  if (it == tensorAxes.end())
    return std::nullopt;
  return it->second;
}

bool ReductionAnalysis::isReduced(Value tensor) const {
  std::optional<SmallVector<int>> axes = getAxes(tensor);
  return axes && llvm::any_of(*axes, [&](int axis) {
           return axis >= static_cast<int>(numKept);
         });
}

FailureOr<ReductionAnalysis> ReductionAnalysis::get(const Kernel &kernel,
                                                    std::string &reason) {
  auto fail = [&](const Twine &message) {
    reason = message.str();
    return failure();
  };
  func::FuncOp function = kernel.function;
  Block *body = &function.getBody().front();
  Axes classes(function);
  ReductionAnalysis result;

  // The reductions, and what depends on them.
  DenseMap<Value, unsigned> phases; // the first phase that can read it
  for (Operation &op : body->without_terminator()) {
    unsigned phase = 0;
    for (Value operand : op.getOperands())
      phase = std::max(phase, phases.lookup(operand));
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && linalgOp.getNumReductionLoops()) {
      KernelReduction reduction;
      reduction.op = linalgOp;
      reduction.phase = phase;
      if (failed(matchPayload(reduction)))
        return fail("the payload of a reduction is not one of which partial "
                    "results can be merged: neither one associative operation "
                    "for each result, nor a choice between elements");
      result.reductions.push_back(std::move(reduction));
      result.numPhases = std::max(result.numPhases, ++phase);
    }
    if (phase)
      for (Value value : op.getResults())
        phases[value] = phase;
  }
  if (result.reductions.empty())
    return fail("it reduces nothing");

  // The axes: those of an operand that has all of them.
  SmallVector<int> kept, reduced;
  for (KernelReduction &reduction : result.reductions) {
    llvm::SmallDenseSet<int> keptHere, reducedHere;
    unsigned proper = 0;
    for (auto [loop, kind] :
         llvm::enumerate(reduction.op.getIteratorTypesArray())) {
      int axis = classes.get(reduction.op, loop);
      reduction.axes.push_back(axis);
      if (axis < 0)
        continue;
      ++proper;
      (kind == utils::IteratorType::parallel ? keptHere : reducedHere)
          .insert(axis);
    }
    if (keptHere.size() + reducedHere.size() != proper)
      return fail("two dimensions of a reduction run together");
    if (reducedHere.empty())
      return fail("a reduction runs over one element");
    bool hasFull = false;
    for (OpOperand *operand : reduction.op.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(operand->get().getType()) ||
          !classes.followsAxes(*operand))
        continue;
      SmallVector<int> dims = classes.get(operand->get());
      llvm::erase(dims, -1);
      if (dims.size() != proper)
        continue;
      hasFull = true;
      if (!reduced.empty())
        break;
      result.reducesInnermost = reducedHere.contains(dims.back());
      for (int axis : dims)
        (reducedHere.contains(axis) ? reduced : kept).push_back(axis);
      break;
    }
    if (!hasFull)
      return fail("no operand of a reduction has all of its dimensions");
    if (kept.size() != keptHere.size() ||
        reduced.size() != reducedHere.size() ||
        !llvm::all_of(kept, [&](int a) { return keptHere.contains(a); }) ||
        !llvm::all_of(reduced, [&](int a) { return reducedHere.contains(a); }))
      return fail("its reductions run over different dimensions");
  }

  // What was reduced is only known for the row at hand.
  for (Operation &op : *body) {
    WalkResult walk = op.walk([&](Operation *nested) {
      for (OpOperand &use : nested->getOpOperands())
        if (phases.contains(use.get()) &&
            (nested != &op || !classes.followsAxes(use)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return fail("'" + op.getName().getStringRef() +
                  "' reads a reduction's result elsewhere than in its own row");
  }

  // Number the axes; find their sizes.
  SmallVector<int> order(kept);
  llvm::append_range(order, reduced);
  result.numKept = kept.size();
  result.axes.resize(order.size());
  auto number = [&](int axis) -> int {
    return axis < 0 ? -1 : llvm::find(order, axis) - order.begin();
  };
  auto visit = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    SmallVector<int> dims;
    bool known = true;
    for (int64_t dim = 0; dim != type.getRank(); ++dim) {
      dims.push_back(number(classes.get(value, dim)));
      if (dims.back() == static_cast<int>(order.size())) {
        known = false;
        continue;
      }
      if (dims.back() >= 0 && !type.isDynamicDim(dim))
        result.axes[dims.back()].size = type.getDimSize(dim);
    }
    if (known)
      result.tensorAxes[value] = dims;
  };
  for (BlockArgument argument : body->getArguments())
    visit(argument);
  for (Operation &op : body->without_terminator())
    for (Value value : op.getResults())
      visit(value);
  for (KernelReduction &reduction : result.reductions)
    for (int &axis : reduction.axes)
      axis = number(axis);
  for (auto [i, axis] : llvm::enumerate(result.axes)) {
    bool found = !ShapedType::isDynamic(axis.size);
    for (BlockArgument argument : body->getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      for (int64_t dim = 0; type && dim != type.getRank(); ++dim) {
        if (number(classes.get(argument, dim)) != static_cast<int>(i))
          continue;
        int64_t size =
            kernel.getBufferType(argument.getArgNumber()).getDimSize(dim);
        if (!ShapedType::isDynamic(size))
          axis.size = size;
        axis.argument = argument.getArgNumber();
        axis.dim = dim;
        found = true;
      }
    }
    if (!found)
      return fail("a dynamic size of a reduction is no size of an argument");
  }

  // A result is a tensor over all axes or over those that stay.
  for (Value value : body->getTerminator()->getOperands()) {
    std::optional<SmallVector<int>> dims = result.getAxes(value);
    if (!dims)
      return fail("a result has a dimension that the reductions lack");
    llvm::erase(*dims, -1);
    llvm::SmallDenseSet<int> distinct(dims->begin(), dims->end());
    if (distinct.size() != dims->size())
      return fail("two dimensions of a result run together");
    if (dims->size() != order.size() &&
        (dims->size() != kept.size() || result.isReduced(value)))
      return fail("a result lacks a dimension of the reductions");
  }

  SmallVector<Value> firstOperands;
  for (KernelReduction &reduction : result.reductions)
    if (reduction.phase == 0)
      llvm::append_range(firstOperands, reduction.op.getDpsInputs());
  result.firstArguments = ::getArguments(firstOperands, body);
  return result;
}
