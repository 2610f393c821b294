//===- RowLoops.cpp - loops of one row ------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of a row with functions, such as the exponentials of a softmax,
// wait for units that compute; those that read a row and write one wait for
// memory, and for what a sum becomes between two of them. One loop of both
// waits for neither: a sum of what has functions goes into their loop, and the
// loop that a row ends with goes into that of the next row.
//
//===----------------------------------------------------------------------===//

#include "RowLoops.h"

#include "LanesInWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;

Value cpu::getBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

std::optional<SmallVector<MemoryEffects::EffectInstance>>
cpu::getEffects(Operation *op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  WalkResult result = op->walk([&](Operation *nested) {
    if (isa<memref::PrefetchOp>(nested))
      return WalkResult::advance();
    if (auto interface = dyn_cast<MemoryEffectOpInterface>(nested))
      interface.getEffects(effects);
    else if (!nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return effects;
}

SetVector<Value> cpu::getUsed(Operation *op) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  used.insert_range(op->getOperands());
  return used;
}

bool cpu::hasFunctions(scf::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        return isa<math::MathDialect>(op->getDialect()) &&
                       isa<VectorType>(op->getResult(0).getType())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool cpu::haveSameIterations(scf::ForOp rows, scf::ForOp loop,
                             scf::ForOp other) {
  auto areEqual = [&](Value bound, Value its) {
    std::optional<int64_t> known = getConstantIntValue(bound);
    return known ? known == getConstantIntValue(its)
                 : bound == its && rows.isDefinedOutsideOfLoop(bound);
  };
  return areEqual(loop.getLowerBound(), other.getLowerBound()) &&
         areEqual(loop.getUpperBound(), other.getUpperBound()) &&
         areEqual(loop.getStep(), other.getStep());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// The buffers that an op reads and writes.
struct Accesses {
  /// Nothing where they are not known.
  static std::optional<Accesses> get(Operation *op) {
    auto effects = cpu::getEffects(op);
    Accesses accesses;
    if (!effects)
      return std::nullopt;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (!effect.getValue() ||
          !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
        return std::nullopt;
      (isa<MemoryEffects::Read>(effect.getEffect()) ? accesses.read
                                                    : accesses.written)
          .insert(cpu::getBuffer(effect.getValue()));
    }
    return accesses;
  }

  bool readsAnyOf(const DenseSet<Value> &buffers) const {
    return llvm::any_of(read, [&](Value b) { return buffers.contains(b); });
  }
  bool writesAnyOf(const DenseSet<Value> &buffers) const {
    return llvm::any_of(written, [&](Value b) { return buffers.contains(b); });
  }

  DenseSet<Value> read, written;
};
} // namespace

/// What `writer`, a loop, stores where `read` reads in the same iteration of
/// `reader`, which may be `writer`, with `read` behind that; null where it
/// stores elsewhere, or more in that buffer.
static Value getStored(vector::TransferReadOp read, scf::ForOp reader,
                       scf::ForOp writer) {
  vector::TransferWriteOp found;
  for (auto write : writer.getOps<vector::TransferWriteOp>()) {
    if (cpu::getBuffer(write.getBase()) != cpu::getBuffer(read.getBase()))
      continue;
    if (found)
      return nullptr;
    found = write;
  }
  auto isSame = [&](Value mine, Value its) {
    return isEqualConstantIntOrValue(mine, its) ||
           (mine == reader.getInductionVar() &&
            its == writer.getInductionVar());
  };
  if (!found || (reader == writer && !found->isBeforeInBlock(read)) ||
      found.getBase() != read.getBase() || read.getMask() || found.getMask() ||
      read.hasOutOfBoundsDim() || found.hasOutOfBoundsDim() ||
      found.getVectorType() != read.getVectorType() ||
      found.getPermutationMap() != read.getPermutationMap() ||
      !llvm::all_of_zip(read.getIndices(), found.getIndices(), isSame))
    return nullptr;
  return found.getVector();
}

/// Whether all that `loop` has of `buffers` is what `writer` stores in the same
/// iteration.
static bool readsWhatIsStored(scf::ForOp loop, scf::ForOp writer,
                              const DenseSet<Value> &buffers) {
  return !loop.walk([&](vector::TransferReadOp read) {
                return buffers.contains(cpu::getBuffer(read.getBase())) &&
                               !getStored(read, loop, writer)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether `loop` has no loops in it, and accesses memory by transfers, and, if
/// it `mayStore`, by stores.
static bool hasOnlyTransfers(scf::ForOp loop, bool mayStore = false) {
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    return isa<vector::TransferReadOp, vector::TransferWriteOp,
               memref::PrefetchOp>(op) ||
           (mayStore && isa<vector::StoreOp>(op)) ||
           (op.getNumRegions() == 0 && isPure(&op));
  });
}

/// Whether all that `op` reads or writes of `buffers` is behind the whole
/// vectors of `loop`.
static bool isBehind(Operation *op, scf::ForOp loop,
                     const DenseSet<Value> &buffers) {
  return !op->walk([&](Operation *nested) {
              auto transfer = dyn_cast<VectorTransferOpInterface>(nested);
              auto accesses = Accesses::get(nested);
              bool isElsewhere =
                  transfer
                      ? !buffers.contains(cpu::getBuffer(transfer.getBase())) ||
                            cpu::isBehindWholeVectors(
                                transfer.getIndices().back(),
                                loop.getUpperBound())
                      : nested->getNumRegions() != 0 ||
                            (accesses && !accesses->readsAnyOf(buffers) &&
                             !accesses->writesAnyOf(buffers));
              return isElsewhere ? WalkResult::advance()
                                 : WalkResult::interrupt();
            }).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Whether `sum`, behind `functions` in `rows`, can go into that loop, in the
/// place of `sum`.
static bool canSum(scf::ForOp rows, scf::ForOp functions, scf::ForOp sum) {
  auto inner = Accesses::get(functions), outer = Accesses::get(sum);
  if (!inner || !outer || !outer->written.empty() ||
      !outer->readsAnyOf(inner->written) || functions.getNumResults() != 0 ||
      sum.getNumResults() == 0 || !hasOnlyTransfers(functions) ||
      !hasOnlyTransfers(sum) ||
      !cpu::haveSameIterations(rows, functions, sum) ||
      !readsWhatIsStored(sum, functions, inner->written))
    return false;
  // The functions pass what is between.
  for (Operation &op : llvm::make_range(std::next(functions->getIterator()),
                                        sum->getIterator())) {
    auto between = Accesses::get(&op);
    if (!between || between->writesAnyOf(inner->read) ||
        ((between->readsAnyOf(inner->written) ||
          between->writesAnyOf(inner->written)) &&
         !isBehind(&op, functions, inner->written)))
      return false;
  }
  return true;
}

void cpu::sumInFunctions(RewriterBase &rewriter, scf::ForOp rows) {
  scf::ForOp functions;
  for (auto loop : llvm::make_early_inc_range(rows.getOps<scf::ForOp>())) {
    if (hasFunctions(loop)) {
      if (loop->hasAttr(cpu::kBehindWholeVectorsAttrName))
        continue;
      functions = loop;
      continue;
    }
    if (!functions || !canSum(rows, functions, loop))
      continue;
    rewriter.setInsertionPoint(loop);
    functions = fuseIndependentSiblingForLoops(functions, loop, rewriter);
    for (auto read :
         llvm::make_early_inc_range(functions.getOps<vector::TransferReadOp>()))
      if (Value stored = getStored(read, functions, functions))
        rewriter.replaceOp(read, stored);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Ends of rows
//===----------------------------------------------------------------------===//

namespace {
/// What a row ends with, for other rows.
class End {
public:
  End(scf::ForOp rows, scf::ForOp functions)
      : rows(rows), functions(functions) {}

  bool match();
  void move(RewriterBase &rewriter);

private:
  /// Finds what `value`, of a row, is made by for the loop that writes, or for
  /// the rest.
  bool need(Value value, bool isForLoop, SetVector<Operation *> &ops);

  /// Emits `ops` for row `row`.
  void emit(OpBuilder &b, const SetVector<Operation *> &ops, Value row,
            ValueRange scalars);

  scf::ForOp rows, functions;
  /// The buffers that `functions` writes.
  DenseSet<Value> kept;
  /// What a row ends with, and the loop over whole vectors of that.
  SmallVector<Operation *> last;
  scf::ForOp loop;
  /// That loop, and the rest, with what they need of the row.
  SetVector<Operation *> whole, rest;
  /// What is carried from row to row.
  SetVector<Value> scalars;
};
} // namespace

bool End::need(Value value, bool isForLoop, SetVector<Operation *> &ops) {
  if (rows.isDefinedOutsideOfLoop(value) || value == rows.getInductionVar())
    return true;
  if (value.getType().isFloat() || isa<BlockArgument>(value)) {
    scalars.insert(value);
    return value.getType().isIntOrIndexOrFloat();
  }
  Operation *op = value.getDefiningOp();
  if (ops.contains(op))
    return true;
  // The buffers still have what they had in the row before, before this one
  // writes there.
  auto accesses = Accesses::get(op);
  bool isRead = !isForLoop && isa<vector::TransferReadOp>(op);
  if (op->getBlock() != rows.getBody() || op->getNumRegions() != 0 ||
      !(isPure(op) || isRead) || !accesses || !isBehind(op, functions, kept))
    return false;
  for (Value operand : op->getOperands())
    if (!need(operand, isForLoop, ops))
      return false;
  ops.insert(op);
  return true;
}

bool End::match() {
  auto mine = Accesses::get(functions);
  if (!mine || !isConstantIntValue(rows.getStep(), 1) ||
      !hasOnlyTransfers(functions))
    return false;
  kept = mine->written;
  if (mine->readsAnyOf(kept) || !llvm::all_of(kept, [&](Value buffer) {
        return rows.isDefinedOutsideOfLoop(buffer);
      }))
    return false;
  // What rows write besides, which they must not read.
  DenseSet<Value> written, read = mine->read;
  for (Operation &op : rows.getBody()->without_terminator()) {
    if (&op == functions)
      continue;
    auto accesses = Accesses::get(&op);
    if (!accesses)
      return false;
    read.insert_range(accesses->read);
    if (accesses->written.empty())
      continue;
    if (accesses->writesAnyOf(kept)) {
      if (!isBehind(&op, functions, kept))
        return false;
      continue;
    }
    if (op.isBeforeInBlock(functions))
      return false;
    written.insert_range(accesses->written);
    last.push_back(&op);
  }
  if (llvm::any_of(read, [&](Value b) { return written.contains(b); }))
    return false;
  for (Operation *op : last) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (inner && inner.getNumResults() != 0)
      return false;
    bool isWhole = inner && !loop &&
                   hasOnlyTransfers(inner, /*mayStore=*/true) &&
                   cpu::haveSameIterations(rows, functions, inner) &&
                   readsWhatIsStored(inner, functions, kept) &&
                   inner.getOps<memref::PrefetchOp>().empty();
    if (isWhole)
      loop = inner;
    else if (!isBehind(op, functions, kept) ||
             (loop && !isBehind(op, functions, Accesses::get(loop)->written)))
      return false;
    SetVector<Operation *> &ops = isWhole ? whole : rest;
    for (Value value : cpu::getUsed(op))
      if (!need(value, isWhole, ops))
        return false;
    ops.insert(op);
  }
  return loop != nullptr;
}

void End::emit(OpBuilder &b, const SetVector<Operation *> &ops, Value row,
               ValueRange carried) {
  IRMapping mapping;
  mapping.map(rows.getInductionVar(), row);
  for (auto [scalar, value] : llvm::zip_equal(scalars, carried))
    mapping.map(scalar, value);
  for (Operation *op : ops)
    b.clone(*op, mapping);
}

void End::move(RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(rows);
  SmallVector<Value> init;
  for (Value value : scalars)
    init.push_back(arith::ConstantOp::create(
        b, cast<TypedAttr>(b.getZeroAttr(value.getType()))));
  unsigned first = rows.getNumResults();
  rows = cast<scf::ForOp>(*rows.replaceWithAdditionalYields(
      rewriter, init, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>(scalars.getArrayRef());
      }));
  ValueRange carried = rows.getRegionIterArgs().drop_front(first);
  Value row = rows.getInductionVar();

  b.setInsertionPointToStart(rows.getBody());
  Value hasPrevious = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, row,
                                            rows.getLowerBound());
  Value previous = arith::SubIOp::create(b, row, rows.getStep());
  if (!rest.empty())
    scf::IfOp::create(b, hasPrevious, [&](OpBuilder &inner, Location loc) {
      emit(inner, rest, previous, carried);
      scf::YieldOp::create(inner, loc);
    });
  b.setInsertionPoint(functions);
  auto choice = scf::IfOp::create(
      b, hasPrevious,
      [&](OpBuilder &inner, Location loc) {
        emit(inner, whole, previous, carried);
        auto before = cast<scf::ForOp>(*std::prev(inner.getInsertionPoint()));
        auto copy = cast<scf::ForOp>(inner.clone(*functions));
        IRRewriter fuser(inner);
        fuser.setInsertionPoint(copy);
        copy = fuseIndependentSiblingForLoops(before, copy, fuser);
        inner.setInsertionPointAfter(copy);
        scf::YieldOp::create(inner, loc, copy.getResults());
      },
      [&](OpBuilder &inner, Location loc) {
        Operation *copy = inner.clone(*functions);
        scf::YieldOp::create(inner, loc, copy->getResults());
      });
  b.setInsertionPointAfter(rows);
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                    rows.getLowerBound(), rows.getUpperBound());
  Value final = arith::SubIOp::create(b, rows.getUpperBound(), rows.getStep());
  scf::IfOp::create(b, any, [&](OpBuilder &inner, Location loc) {
    ValueRange results = rows.getResults().drop_front(first);
    emit(inner, rest, final, results);
    emit(inner, whole, final, results);
    scf::YieldOp::create(inner, loc);
  });
  rewriter.replaceOp(functions, choice);
  for (Operation *op : last)
    rewriter.eraseOp(op);
  SetVector<Operation *> needed = rest;
  needed.insert_range(whole);
  needed.remove_if([&](Operation *op) { return llvm::is_contained(last, op); });
  for (Operation *op : llvm::reverse(needed))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

bool cpu::finishInFunctions(RewriterBase &rewriter, scf::ForOp rows,
                            scf::ForOp functions) {
  End end(rows, functions);
  if (!end.match())
    return false;
  end.move(rewriter);
  return true;
}
