//===- OverlapRows.cpp - the next row's sums while one is finished --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a norm or a softmax begins with a reduction: lanes are combined, and
// a mean, a root and a quotient are made of them, each of which waits for the
// last. That takes as long as some hundred numbers of the row, and processors
// do not look that far ahead for other work. So the reduction of the next row
// goes in front of the row's last loop, which does not need it. Where a loop
// with functions, which wait for units that compute, comes before that, the
// reduction, which waits for memory, goes into it, and asks for the row behind
// the next one.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Emit.h"
#include "Parallel.h"
#include "RowLoops.h"
#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUOVERLAPROWSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
/// A loop over rows.
class Rows {
public:
  explicit Rows(scf::ForOp loop) : loop(loop) {}

  /// Finds the reductions that rows begin with, and what is made of them; false
  /// where there are none, or where they cannot be moved.
  bool match(const cpu::CPUTarget &target);

  void overlap();

  scf::ForOp getLoop() const { return loop; }
  /// The loop that the first reduction is in, if any.
  scf::ForOp getFunctions() const { return functions; }

private:
  bool findWrites();
  /// Whether rows have up to `longest` bytes.
  bool matchLength(int64_t longest);

  /// Whether rows take longer than memory does for them: they have functions,
  /// or what they read is of less than 32 bits. Others are slower with the next
  /// row's reduction in front, since reading the same row again makes
  /// processors fetch the next one.
  bool computes();

  /// Whether `op` reads no buffer that rows write, and writes none.
  bool onlyReads(Operation *op);

  /// The op of the loop's body that `value` is of; null where it is made
  /// outside, or is the number of the row.
  Operation *getOpInRow(Value value) {
    Operation *op = value.getDefiningOp();
    return op ? loop.getBody()->findAncestorOpInBlock(*op) : nullptr;
  }

  /// Whether `op` can be computed for another row at any time.
  bool isComputable(Operation *op);

  /// The ops of a row that `values` are made by, in order.
  SetVector<Operation *> getNeeded(ArrayRef<Value> values);

  /// Emits copies of them, for row `row`.
  void copy(OpBuilder &b, ArrayRef<Value> values, Value row,
            IRMapping &mapping);

  /// Emits `moved` for row `row`, and returns what others use of it.
  SmallVector<Value> emit(OpBuilder &b, Value row);

  /// The loop with functions, in front of the last ones, that has the same
  /// iterations as the first reduction; null where there is none.
  scf::ForOp findFunctions();

  /// As `emit`, in front of the loop `functions`, but with the first reduction
  /// in that loop, and what depends on it behind. With `locality` the loop asks
  /// for what the reduction will read of row `behind`.
  SmallVector<Value> emitInto(RewriterBase &rewriter, Value row, Value behind);
  void askForReduction(OpBuilder &b, IRMapping &next, Value behind);

  /// What the loops of a row from `first` on ask for of the row behind, they
  /// ask for of the one behind row `next`.
  void askForRow(OpBuilder &b, Operation *first, Value next);

  scf::ForOp loop;
  DenseSet<Value> written;
  DenseMap<Operation *, bool> computable;
  /// The first of the loops that a row ends with, which only write, or the end
  /// of the row, and the loop in front of it that the first reduction goes
  /// into, if any.
  Operation *last = nullptr;
  scf::ForOp functions;
  /// Where that asks for the row behind the next one, if it does: 3 for the
  /// first cache, 2 for the second.
  std::optional<int64_t> locality;
  /// The reductions, and what depends on them; in order.
  SetVector<Operation *> reductions, moved;
  /// What others use of that.
  SmallVector<Value> escaping;
  /// Elements of the longest row that counts, and where reductions end, where
  /// that is not known.
  int64_t most = 0;
  SetVector<Value> sizes;
};
} // namespace

bool Rows::findWrites() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        cpu::getEffects(&op);
    if (!effects)
      return false;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()))
        continue;
      if (!effect.getValue())
        return false;
      written.insert(cpu::getBuffer(effect.getValue()));
    }
  }
  for (Operation &op : llvm::reverse(loop.getBody()->without_terminator())) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (inner && (inner.getNumResults() != 0 || onlyReads(inner)))
      break;
    if (inner)
      last = inner;
  }
  if (!last)
    last = loop.getBody()->getTerminator();
  return true;
}

bool Rows::computes() {
  return cpu::hasFunctions(loop) || llvm::any_of(reductions, [](Operation *op) {
           return op
               ->walk([](vector::TransferReadOp read) {
                 return cpu::getElementBits(
                            read.getVectorType().getElementType()) < 32
                            ? WalkResult::interrupt()
                            : WalkResult::advance();
               })
               .wasInterrupted();
         });
}

bool Rows::onlyReads(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      cpu::getEffects(op);
  return effects && llvm::all_of(*effects, [&](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect()) &&
                  effect.getValue() &&
                  !written.contains(cpu::getBuffer(effect.getValue()));
         });
}

bool Rows::isComputable(Operation *op) {
  auto [known, isNew] = computable.try_emplace(op, false);
  if (!isNew)
    return known->second;
  bool result =
      onlyReads(op) && llvm::all_of(cpu::getUsed(op), [&](Value value) {
        Operation *made = getOpInRow(value);
        return !made || isComputable(made);
      });
  return computable[op] = result;
}

/// Of the elements that `reduction` reads, the bytes of the widest.
static int64_t getElementBytes(scf::ForOp reduction) {
  int64_t bytes = 1;
  reduction->walk([&](vector::TransferReadOp read) {
    bytes = std::max<int64_t>(
        bytes, cpu::getElementBits(read.getVectorType().getElementType()) / 8);
  });
  return bytes;
}

bool Rows::matchLength(int64_t longest) {
  for (Operation *op : reductions) {
    auto reduction = cast<scf::ForOp>(op);
    // Rows of several dimensions, whose length its bound is not.
    if (!reduction.getOps<scf::ForOp>().empty())
      return false;
    int64_t elements = longest / getElementBytes(reduction);
    most = most ? std::min(most, elements) : elements;
    Value end = reduction.getUpperBound();
    std::optional<int64_t> known = getConstantIntValue(end);
    if (known ? *known > elements : !loop.isDefinedOutsideOfLoop(end))
      return false;
    if (!known)
      sizes.insert(end);
  }
  return true;
}

bool Rows::match(const cpu::CPUTarget &target) {
  if (loop.getNumResults() != 0 || !findWrites())
    return false;
  // With 32 registers, a reduction with functions behind another one is what
  // that goes into. It has nothing to wait for in up to three iterations.
  constexpr int64_t kFewIterations = 3;
  auto isLong = [](scf::ForOp inner) {
    std::optional<APInt> iterations = inner.getStaticTripCount();
    return !iterations || iterations->ugt(kFewIterations);
  };
  SetVector<Operation *> kept;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto usesAnyOf = [&](const SetVector<Operation *> &ops) {
      return llvm::any_of(cpu::getUsed(&op), [&](Value value) {
        Operation *made = getOpInRow(value);
        return made && ops.contains(made);
      });
    };
    auto inner = dyn_cast<scf::ForOp>(op);
    bool isReduction =
        inner && inner.getNumResults() != 0 && inner->isBeforeInBlock(last);
    if (usesAnyOf(kept) ||
        (isReduction && target.hasMaskedMemory && !reductions.empty() &&
         cpu::hasFunctions(inner) && isLong(inner) &&
         cpu::haveSameIterations(loop, cast<scf::ForOp>(reductions.front()),
                                 inner))) {
      kept.insert(&op);
      continue;
    }
    if (isa<vector::BroadcastOp>(op) || !isComputable(&op))
      continue;
    if (isReduction)
      reductions.insert(&op);
    else if (!usesAnyOf(moved))
      continue;
    moved.insert(&op);
  }
  if (reductions.empty())
    return false;
  // With 16 registers, those of a function's loop leave none.
  functions = target.hasMaskedMemory ? findFunctions() : nullptr;
  for (Operation *op : moved)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !moved.contains(
                loop.getBody()->findAncestorOpInBlock(*user));
          }))
        escaping.push_back(result);
  // One of which nobody sees anything is not copied.
  if (functions && !getNeeded(escaping).contains(reductions.front()))
    functions = nullptr;
  // A row that is read, one that is written, the next one, and a buffer of one
  // stay in the first cache. A loop with functions, which asks for the row
  // behind the next one, does not wait for the second, but with that row no
  // more than an eighth of the first cache does.
  bool asks = target.asksForRows && functions &&
              functions.getOps<memref::PrefetchOp>().empty();
  if (!matchLength(asks ? target.l2Bytes / 8 : target.l1Bytes / 4))
    return false;
  if (asks) {
    auto reduction = cast<scf::ForOp>(reductions.front());
    std::optional<int64_t> size =
        getConstantIntValue(reduction.getUpperBound());
    bool isShort =
        size && *size * getElementBytes(reduction) <= target.l1Bytes / 8;
    locality = isShort ? 3 : 2;
  }
  return (functions || isa<scf::ForOp>(last)) && computes() &&
         !escaping.empty() && llvm::all_of(escaping, [](Value value) {
           return value.getType().isIntOrIndexOrFloat();
         });
}

SetVector<Operation *> Rows::getNeeded(ArrayRef<Value> values) {
  SetVector<Operation *> needed;
  std::function<void(Value)> need = [&](Value value) {
    Operation *op = getOpInRow(value);
    if (!op || needed.contains(op))
      return;
    for (Value used : cpu::getUsed(op))
      need(used);
    needed.insert(op);
  };
  for (Value value : values)
    need(value);
  return needed;
}

void Rows::copy(OpBuilder &b, ArrayRef<Value> values, Value row,
                IRMapping &mapping) {
  mapping.map(loop.getInductionVar(), row);
  for (Operation *op : getNeeded(values))
    b.clone(*op, mapping);
}

SmallVector<Value> Rows::emit(OpBuilder &b, Value row) {
  IRMapping mapping;
  copy(b, escaping, row, mapping);
  return llvm::map_to_vector(
      escaping, [&](Value value) { return mapping.lookup(value); });
}

scf::ForOp Rows::findFunctions() {
  auto reduction = cast<scf::ForOp>(reductions.front());
  if (!llvm::all_of(reduction.getResultTypes(), llvm::IsaPred<VectorType>))
    return nullptr;
  for (auto inner : loop.getOps<scf::ForOp>())
    if (inner->isBeforeInBlock(last) && !moved.contains(inner) &&
        cpu::haveSameIterations(loop, reduction, inner) &&
        cpu::hasFunctions(inner))
      return inner;
  return nullptr;
}

void Rows::askForReduction(OpBuilder &b, IRMapping &next, Value behind) {
  auto reduction = cast<scf::ForOp>(reductions.front());
  for (auto read : reduction.getOps<vector::TransferReadOp>()) {
    auto type = dyn_cast<MemRefType>(read.getBase().getType());
    if (!type || !type.isLastDimUnitStride() ||
        !read.getPermutationMap().isMinorIdentity() ||
        read.getVectorType().getRank() != 1)
      continue;
    auto copied =
        next.lookup(read.getResult()).getDefiningOp<vector::TransferReadOp>();
    IRMapping there;
    copy(b, read.getBase(), behind, there);
    SmallVector<Value> indices;
    for (auto [mine, its] :
         llvm::zip_equal(read.getIndices(), copied.getIndices())) {
      bool isInLoop =
          reduction->isAncestor(mine.getParentBlock()->getParentOp());
      if (!isInLoop)
        copy(b, mine, behind, there);
      indices.push_back(isInLoop ? its : there.lookupOrDefault(mine));
    }
    OpBuilder inLoop(copied);
    cpu::askForLines(inLoop, read.getLoc(),
                     there.lookupOrDefault(read.getBase()), indices,
                     read.getVectorType(), *locality);
  }
}

SmallVector<Value> Rows::emitInto(RewriterBase &rewriter, Value row,
                                  Value behind) {
  IRMapping mapping;
  copy(rewriter, escaping, row, mapping);
  if (locality)
    askForReduction(rewriter, mapping, behind);
  auto reduction = mapping.lookup(reductions.front()->getResult(0))
                       .getDefiningOp<scf::ForOp>();
  SmallPtrSet<Operation *, 8> dependent = {reduction};
  Operation *end = functions;
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(
           std::next(reduction->getIterator()), functions->getIterator()))) {
    if (llvm::none_of(cpu::getUsed(&op), [&](Value value) {
          return dependent.contains(value.getDefiningOp());
        }))
      continue;
    dependent.insert(&op);
    rewriter.moveOpAfter(&op, end);
    end = &op;
  }
  // It reads nothing that rows write, and writes nothing.
  functions = fuseIndependentSiblingForLoops(reduction, functions, rewriter);
  return llvm::map_to_vector(
      escaping, [&](Value value) { return mapping.lookup(value); });
}

void Rows::askForRow(OpBuilder &b, Operation *first, Value next) {
  SmallVector<memref::PrefetchOp> prefetches;
  loop.walk([&](memref::PrefetchOp op) {
    if (!loop.getBody()->findAncestorOpInBlock(*op)->isBeforeInBlock(first))
      prefetches.push_back(op);
  });
  for (memref::PrefetchOp op : prefetches) {
    SmallVector<Value> used;
    for (Value value : op->getOperands())
      if (Operation *made = getOpInRow(value);
          made && made->isBeforeInBlock(first))
        used.push_back(value);
    IRMapping mapping;
    copy(b, used, next, mapping);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  }
}

void Rows::overlap() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value isShort;
  Value limit =
      sizes.empty() ? Value() : arith::ConstantIndexOp::create(b, most);
  for (Value size : sizes) {
    Value fits =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ule, size, limit);
    isShort = isShort ? arith::AndIOp::create(b, isShort, fits) : fits;
  }
  SmallVector<Value> init;
  for (Value value : escaping)
    init.push_back(arith::ConstantOp::create(
        b, cast<TypedAttr>(b.getZeroAttr(value.getType()))));
  IRRewriter rewriter(b);
  auto rows = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        return SmallVector<Value>(carried.begin(), carried.end());
      }));
  loop = rows;
  Value row = loop.getInductionVar();
  auto choose = [&](Value condition, Value chosen,
                    ValueRange others) -> SmallVector<Value> {
    auto choice = scf::IfOp::create(
        b, condition,
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, emit(inner, chosen));
        },
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, others);
        });
    return choice.getResults();
  };
  b.setInsertionPointToStart(loop.getBody());
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, row,
                                        loop.getLowerBound());
  if (isShort) {
    Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
    isFirst = arith::OrIOp::create(b, isFirst,
                                   arith::XOrIOp::create(b, isShort, always));
  }
  SmallVector<Value> own = choose(isFirst, row, loop.getRegionIterArgs());
  b.setInsertionPoint(functions ? functions : last);
  Value next = arith::AddIOp::create(b, row, loop.getStep());
  Value hasNext = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next,
                                        loop.getUpperBound());
  if (isShort)
    hasNext = arith::AndIOp::create(b, hasNext, isShort);
  SmallVector<Value> following;
  if (functions) {
    askForRow(b, functions, next);
    // Behind the last row that one again, which a cache has.
    Value read = arith::SelectOp::create(b, hasNext, next, row);
    Value behind = arith::AddIOp::create(b, next, loop.getStep());
    rewriter.setInsertionPoint(functions);
    following = emitInto(rewriter, read, behind);
  } else {
    following = choose(hasNext, next, own);
    askForRow(b, last, next);
  }
  loop.getBody()->getTerminator()->setOperands(following);
  for (auto [value, mine] : llvm::zip_equal(escaping, own))
    value.replaceAllUsesWith(mine);
  for (Operation *op : llvm::reverse(moved))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct OverlapRows : public amp::impl::AmpCPUOverlapRowsPassBase<OverlapRows> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<cpu::CPUTarget> target = cpu::CPUTarget::get(
        getOperation(), triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->removeAttr(cpu::kRowsAttrName))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      // With 16 registers, those of a function's loop leave none.
      if (target->hasMaskedMemory)
        cpu::sumInFunctions(rewriter, loop);
      Rows rows(loop);
      if (!rows.match(*target))
        continue;
      rows.overlap();
      if (scf::ForOp functions = rows.getFunctions(); functions)
        cpu::finishInFunctions(rewriter, rows.getLoop(), functions);
      ++numOverlapped;
    }
  }
};
} // namespace
