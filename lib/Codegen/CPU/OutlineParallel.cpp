//===- OutlineParallel.cpp - parallel loops become functions --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Outline.h"
#include "Parallel.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUOUTLINEPARALLELPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// What `loop` uses of the code around it, but for what is copied into it.
static SmallVector<Value> isolate(scf::ForOp loop) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  for (Value bound : {loop.getLowerBound(), loop.getStep()})
    used.insert(bound);
  SmallVector<Value> captured;
  IRMapping copies;
  for (size_t at = 0; at < used.size(); ++at) {
    Value value = used[at];
    Operation *op = value.getDefiningOp();
    if (!op || !cpu::isOutlinedToo(op)) {
      captured.push_back(value);
      continue;
    }
    // Before the copies of what uses it.
    OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
    used.insert_range(op->getOperands());
    copies.map(value, b.clone(*op)->getResult(0));
  }
  // All at once: of constants there are uses in the whole function.
  loop.getBody()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(copies.lookupOrDefault(operand.get()));
  });
  return captured;
}

/// Iterations of `loop`.
static Value countIterations(OpBuilder &b, scf::ForOp loop) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  AffineMap map =
      AffineMap::get(0, 3, {b.getAffineConstantExpr(0), (s1 - s0).ceilDiv(s2)},
                     b.getContext());
  return affine::AffineMaxOp::create(
      b, loop.getLoc(), map,
      ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
}

/// The loop through the part of an iteration of `loop`, and what computes its
/// end, where parts that are neighbours may be one.
struct JoinedParts {
  scf::ForOp loop;
  arith::AddIOp end;
};
static std::optional<JoinedParts> getJoinedParts(scf::ForOp loop) {
  JoinedParts parts;
  if (!loop->hasAttr(cpu::kJoinedAttrName))
    return std::nullopt;
  for (OpOperand &use : loop.getInductionVar().getUses()) {
    auto inner = dyn_cast<scf::ForOp>(use.getOwner());
    auto end = dyn_cast<arith::AddIOp>(use.getOwner());
    if (inner && !parts.loop && inner.getLowerBound() == use.get())
      parts.loop = inner;
    else if (end && !parts.end &&
             isEqualConstantIntOrValue(
                 end->getOperand(1 - use.getOperandNumber()), loop.getStep()))
      parts.end = end;
    else
      return std::nullopt;
  }
  if (!parts.loop || !parts.end)
    return std::nullopt;
  return parts;
}

/// Moves `loop` into a function of what it captures and of the first and the
/// last iteration, unless `functions` has it, and calls that for all of them;
/// false if there was one.
static bool outline(scf::ForOp loop, cpu::OutlinedFunctions &functions,
                    unsigned number) {
  Location loc = loop.getLoc();
  Attribute grain = loop->removeAttr(cpu::kParallelAttrName);
  loop->removeAttr(cpu::kSeparateAttrName);
  std::optional<JoinedParts> joined = getJoinedParts(loop);
  SmallVector<Value> captured = isolate(loop);
  OpBuilder b(loop);
  SmallVector<Type> types = llvm::to_vector(ValueRange(captured).getTypes());
  types.append(2, b.getIndexType());
  func::FuncOp function = functions.create(b, loop, "loop", number, types);
  if (grain)
    function->setAttr(cpu::kParallelAttrName, grain);
  else // LLVM's attribute, which lowering functions takes over.
    function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));

  SmallVector<Value> operands = captured;
  operands.push_back(arith::ConstantIndexOp::create(b, loc, 0));
  operands.push_back(countIterations(b, loop));
  auto call = func::CallOp::create(b, loc, function, operands);

  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip(captured, body->getArguments().drop_back(2)))
    mapping.map(value, argument);
  for (Value bound : {loop.getLowerBound(), loop.getStep()})
    if (!mapping.contains(bound))
      mapping.map(bound, b.clone(*bound.getDefiningOp())->getResult(0));
  Value first = mapping.lookup(loop.getLowerBound());
  Value step = mapping.lookup(loop.getStep());
  auto at = [&](Value iteration) -> Value {
    Value offset = arith::MulIOp::create(b, loc, iteration, step);
    return arith::AddIOp::create(b, loc, first, offset);
  };
  ArrayRef<BlockArgument> range = body->getArguments().take_back(2);
  Value lower = at(range[0]), upper = at(range[1]);
  if (joined) {
    mapping.map(loop.getInductionVar(), lower);
    mapping.map(joined->end.getResult(), upper);
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != joined->end)
        b.clone(op, mapping);
  } else {
    auto part = scf::ForOp::create(b, loc, lower, upper, step);
    if (Attribute rows = loop->getAttr(cpu::kRowsAttrName))
      part->setAttr(cpu::kRowsAttrName, rows);
    part.getBody()->erase();
    loop.getRegion().cloneInto(&part.getRegion(), mapping);
  }
  func::ReturnOp::create(b, loc);
  loop->erase();
  return functions.keep(function, call);
}

/// Whether iterations of `loop` write the same elements of a buffer of outside:
/// no write to one, and no view that it goes through, may be without an operand
/// that differs between iterations.
static bool sharesWrites(scf::ForOp loop) {
  SetVector<Operation *> varying;
  std::optional<JoinedParts> joined = getJoinedParts(loop);
  getForwardSlice(joined ? joined->loop.getInductionVar()
                         : loop.getInductionVar(),
                  &varying);
  auto isShared = [&](Operation *op, Value buffer) {
    while (!varying.contains(op)) {
      op = buffer.getDefiningOp();
      if (!op || !loop->isAncestor(op))
        return !loop.getRegion().isAncestor(buffer.getParentRegion());
      auto view = dyn_cast<ViewLikeOpInterface>(op);
      if (!view)
        return false;
      buffer = view.getViewSource();
    }
    return false;
  };
  WalkResult result = loop.getBody()->walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
          isShared(op, effect.getValue()))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
struct OutlineParallel
    : public amp::impl::AmpCPUOutlineParallelPassBase<OutlineParallel> {
  using Base::Base;

  void runOnOperation() override {
    cpu::OutlinedFunctions functions(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      cpu::mergeCopies(function);
      // Inner loops first: the functions of outer ones then call theirs. What
      // loops write is asked before that, as calls do not tell.
      SmallVector<scf::ForOp> loops;
      function->walk([&](scf::ForOp loop) {
        bool isParallel = loop->hasAttr(cpu::kParallelAttrName);
        if (!isParallel && !loop->hasAttr(cpu::kSeparateAttrName))
          return;
        StringRef reason;
        if (loop.getNumResults() != 0)
          reason = "its tensors have no fixed buffers";
        else if (isParallel && sharesWrites(loop))
          reason = "its iterations write the same part of a buffer";
        else
          return loops.push_back(loop);
        loop->removeAttr(cpu::kSeparateAttrName);
        loop->removeAttr(cpu::kJoinedAttrName);
        if (!loop->removeAttr(cpu::kParallelAttrName))
          return;
        remark::missed(loop.getLoc(), remark::RemarkOpts::name("SerialLoop")
                                          .category("amp")
                                          .function(function.getName()))
            << remark::reason("{0}", reason);
      });
      for (auto [number, loop] : llvm::enumerate(loops))
        if (outline(loop, functions, number))
          ++numOutlined;
    }
  }
};
} // namespace
