//===- RowReductionEmit.cpp - device code of row reductions ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReductionEmit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

/// How many elements of each input a thread reads ahead of others that wait in
/// registers.
static constexpr unsigned kGroupElements = 8;

namespace {
/// One vector of a row.
struct Slot {
  /// The index along each axis of its first element. A vector past the row's
  /// end stands for the last one that exists.
  SmallVector<Value> point;
  /// Its first element's number in the row.
  Value position;
  /// Whether it exists; null if it does for sure.
  Value valid;
};

/// The emission for one row of the thread, at one width.
class Row {
public:
  Row(ReductionEmitter &e, OpBuilder &b, unsigned width, Value row, Value isRow,
      Value thread, unsigned threads)
      : e(e), loc(e.loc), width(width), threads(threads), row(row),
        isRow(isRow), thread(thread), vectorAxis(e.analysis.axes.size() - 1),
        columns(e.getSize(b, e.analysis.numKept, e.analysis.axes.size())),
        rowPoint(e.delinearize(b, row, 0, e.analysis.numKept)) {
    // A point of the row as far as the kept axes go.
    rowPoint.resize(e.analysis.axes.size());
    for (Value &index : rowPoint)
      if (!index)
        index = e.constant(b, 0);
  }

  /// The vector from `column` on; `masked` says that it may lie past `end`.
  Slot getSlot(OpBuilder &b, Value column, bool masked, Value end) {
    Slot slot;
    if (masked) {
      slot.valid = e.less(b, column, end);
      Value last =
          b.createOrFold<arith::SubIOp>(loc, columns, e.constant(b, width));
      column = e.min(b, column, last);
    }
    slot.position = column;
    slot.point.append(rowPoint.begin(), rowPoint.begin() + e.analysis.numKept);
    llvm::append_range(slot.point, e.delinearize(b, column, e.analysis.numKept,
                                                 e.analysis.axes.size()));
    return slot;
  }

  /// How many independent accumulators a reduction has: several, so that one
  /// addition need not wait for the one before. A choice has one: its elements
  /// are taken in order.
  unsigned getLanes(KernelReduction &reduction, unsigned elements) {
    return reduction.condition ? 1 : std::max(width, std::min(elements, 4u));
  }

  void accumulate(OpBuilder &b, KernelReduction &reduction,
                  MutableArrayRef<Partial> lanes, ArrayRef<Slot> slots) {
    unsigned next = 0;
    for (const Slot &slot : slots) {
      for (unsigned lane = 0; lane != width; ++lane) {
        Partial &partial = lanes[next++ % lanes.size()];
        Value position = reduction.condition
                             ? e.add(b, slot.position, e.constant(b, lane))
                             : Value();
        partial = e.accumulate(b, reduction, partial, slot.point, width,
                               vectorAxis, lane, position, slot.valid);
      }
    }
  }

  /// Merges the threads' partial results of `reductions`.
  SmallVector<Partial> merge(OpBuilder &b,
                             ArrayRef<KernelReduction *> reductions,
                             ArrayRef<SmallVector<Partial>> lanes) {
    SmallVector<Partial> partials;
    for (auto [reduction, own] : llvm::zip_equal(reductions, lanes))
      partials.push_back(e.combineAll(b, *reduction, own));
    return e.mergeBlock(b, reductions, partials, thread, threads);
  }
  void finish(OpBuilder &b, ArrayRef<KernelReduction *> reductions,
              ArrayRef<Partial> partials) {
    for (auto [reduction, partial] : llvm::zip_equal(reductions, partials))
      e.finished[e.getNumber(reduction)] = {
          e.finish(b, *reduction, partial, rowPoint)};
  }

  /// Emits `body` where both conditions hold; null holds always.
  void guarded(OpBuilder &b, Value x, Value y,
               llvm::function_ref<void(OpBuilder &)> body) {
    Value condition =
        x && y ? b.createOrFold<arith::AndIOp>(loc, x, y) : (x ? x : y);
    if (!condition)
      return body(b);
    auto guard = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
    OpBuilder inner = guard.getThenBodyBuilder();
    body(inner);
  }

  /// Stores the results in `slots`. What they need and was not read yet, gamma
  /// and beta say, is read for `group` slots at a time.
  void storeSlots(OpBuilder &b, ArrayRef<Slot> slots, unsigned group) {
    for (unsigned next = 0; next < slots.size(); next += group) {
      ArrayRef<Slot> own = slots.drop_front(next).take_front(group);
      for (const Slot &slot : own)
        e.preload(b, getInputs(), slot.point, width);
      for (const Slot &slot : own)
        guarded(b, slot.valid, isRow, [&](OpBuilder &inner) {
          for (unsigned i = 0, n = getNumResults(); i != n; ++i)
            if (e.isFull(i))
              e.storeResult(inner, i, slot.point, width, vectorAxis);
        });
    }
  }
  /// Stores the results that have one element in a row; `condition` says which
  /// block does.
  void storeRow(OpBuilder &b, Value condition = Value()) {
    if (!hasRowResults())
      return;
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          thread, e.constant(b, 0));
    if (condition)
      isFirst = arith::AndIOp::create(b, loc, isFirst, condition);
    guarded(b, isFirst, isRow, [&](OpBuilder &inner) {
      for (unsigned i = 0, n = getNumResults(); i != n; ++i)
        if (!e.isFull(i))
          e.storeResult(inner, i, rowPoint, 1, vectorAxis);
    });
  }

  unsigned getNumResults() {
    return e.kernel.operandTypes.size() - e.kernel.getNumInputs();
  }
  bool hasFullResults() {
    return llvm::any_of(llvm::seq(getNumResults()),
                        [&](unsigned i) { return e.isFull(i); });
  }
  bool hasRowResults() {
    return !llvm::all_of(llvm::seq(getNumResults()),
                         [&](unsigned i) { return e.isFull(i); });
  }
  SmallVector<Value> getInputs() {
    func::FuncOp function = e.kernel.function;
    return SmallVector<Value>(
        function.getArguments().take_front(e.kernel.getNumInputs()));
  }

  /// A loop over the columns from `begin` to `end` in steps of what the block
  /// holds in `kLoopSlots` vectors a thread; `body` gets those slots and the
  /// loop's values, and returns the next ones.
  SmallVector<Value>
  loop(OpBuilder &b, Value begin, Value end, ValueRange start,
       llvm::function_ref<SmallVector<Value>(OpBuilder &, ArrayRef<Slot>,
                                             ValueRange)>
           body) {
    unsigned vectors = threads * width;
    auto forOp =
        scf::ForOp::create(b, loc, begin, end,
                           e.constant(b, int64_t(vectors) * kLoopSlots), start);
    OpBuilder inner = OpBuilder::atBlockBegin(forOp.getBody());
    Value own = e.mul(inner, thread, e.constant(inner, width));
    Value first = e.add(inner, forOp.getInductionVar(), own);
    SmallVector<Slot> slots;
    for (unsigned i = 0; i != kLoopSlots; ++i)
      slots.push_back(getSlot(
          inner, e.add(inner, first, e.constant(inner, int64_t(i) * vectors)),
          /*masked=*/true, end));
    SmallVector<Value> next = body(inner, slots, forOp.getRegionIterArgs());
    // A loop without values has its terminator already.
    if (!start.empty())
      scf::YieldOp::create(inner, loc, next);
    return SmallVector<Value>(forOp.getResults());
  }

  /// The merged partial results of a phase over the columns from `begin` to
  /// `end`.
  SmallVector<Partial> reduceLoop(OpBuilder &b,
                                  ArrayRef<KernelReduction *> reductions,
                                  Value begin, Value end) {
    SmallVector<SmallVector<Partial>> lanes;
    SmallVector<Value> start;
    for (KernelReduction *reduction : reductions) {
      lanes.emplace_back();
      for (unsigned i = 0, n = getLanes(*reduction, kLoopSlots * width); i != n;
           ++i) {
        lanes.back().push_back(e.start(b, *reduction, rowPoint));
        llvm::append_range(start, lanes.back().back());
      }
    }
    auto unpack = [&](ValueRange values) {
      for (SmallVector<Partial> &own : lanes)
        for (Partial &partial : own)
          for (Value &value : partial) {
            value = values.front();
            values = values.drop_front();
          }
    };
    SmallVector<Value> results = loop(
        b, begin, end, start,
        [&](OpBuilder &inner, ArrayRef<Slot> slots, ValueRange values) {
          unpack(values);
          if (reductions.front()->phase == 0)
            for (const Slot &slot : slots)
              e.preload(inner, e.analysis.firstArguments, slot.point, width);
          SmallVector<Value> next;
          for (auto [reduction, own] : llvm::zip_equal(reductions, lanes)) {
            accumulate(inner, *reduction, own, slots);
            for (const Partial &partial : own)
              llvm::append_range(next, partial);
          }
          return next;
        });
    unpack(results);
    return merge(b, reductions, lanes);
  }

  void storeLoop(OpBuilder &b, Value begin, Value end) {
    if (!hasFullResults())
      return;
    loop(b, begin, end, {},
         [&](OpBuilder &inner, ArrayRef<Slot> slots, ValueRange) {
           storeSlots(inner, slots, slots.size());
           return SmallVector<Value>();
         });
  }

  ReductionEmitter &e;
  Location loc;
  unsigned width, threads;
  Value row, isRow, thread;
  int vectorAxis;
  Value columns;
  SmallVector<Value> rowPoint;
};
} // namespace

static Value getThread(OpBuilder &b, Location loc) {
  return ::mlir::gpu::ThreadIdOp::create(b, loc, ::mlir::gpu::Dimension::x);
}
static Value getBlock(OpBuilder &b, Location loc, ::mlir::gpu::Dimension dim) {
  return ::mlir::gpu::BlockIdOp::create(b, loc, dim);
}

/// The size that vectors of `width` must divide, if only run time tells it.
static Value getTestedSize(ReductionEmitter &e) {
  return ShapedType::isDynamic(e.analysis.axes.back().size) ? e.sizes.back()
                                                            : Value();
}

void amp::gpu::emitRowsInRegisters(ReductionEmitter &e, RowLayout layout) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  Location loc = e.loc;
  Value thread = getThread(b, loc);
  Value row = getBlock(b, loc, ::mlir::gpu::Dimension::x);
  Value isRow;
  if (layout.rows > 1) {
    Value threads = e.constant(b, layout.threads);
    row = e.add(b, e.mul(b, row, e.constant(b, layout.rows)),
                arith::DivUIOp::create(b, loc, thread, threads));
    thread = arith::RemUIOp::create(b, loc, thread, threads);
    // All threads take part in the shuffles: those without a row repeat the
    // last one.
    int64_t known = ReductionAnalysis::getSize(e.analysis.getKept());
    if (ShapedType::isDynamic(known) || known % layout.rows) {
      Value rows = e.getSize(b, 0, e.analysis.numKept);
      isRow = e.less(b, row, rows);
      row = e.min(b, row,
                  b.createOrFold<arith::SubIOp>(loc, rows, e.constant(b, 1)));
    }
  }
  int64_t columns = ReductionAnalysis::getSize(e.analysis.getReduced());
  bool isStatic = !ShapedType::isDynamic(columns);

  auto emit = [&](OpBuilder &b, unsigned width) {
    e.reuseShared();
    RowLayout own = layout;
    own.slots = layout.slots * layout.width / width;
    own.width = width;
    Row emission(e, b, width, row, isRow, thread, own.threads);
    SmallVector<Slot> slots;
    Value first = e.mul(b, thread, e.constant(b, width));
    for (unsigned i = 0; i != own.slots; ++i) {
      if (isStatic && own.getColumn(0, i) >= columns)
        break;
      slots.push_back(emission.getSlot(
          b, e.add(b, first, e.constant(b, own.getColumn(0, i))),
          !isStatic || !own.isFull(i, columns), emission.columns));
    }
    // What is read late must find room in registers; what is read early is
    // under way during the reductions.
    bool early = own.slots * width <= kGroupElements;
    for (const Slot &slot : slots)
      e.preload(b, early ? emission.getInputs() : e.analysis.firstArguments,
                slot.point, width);
    for (unsigned phase = 0; phase != e.analysis.numPhases; ++phase) {
      SmallVector<KernelReduction *> reductions = e.getPhase(phase);
      SmallVector<SmallVector<Partial>> lanes;
      for (KernelReduction *reduction : reductions) {
        lanes.emplace_back(emission.getLanes(*reduction, slots.size() * width),
                           e.start(b, *reduction, emission.rowPoint));
        emission.accumulate(b, *reduction, lanes.back(), slots);
      }
      emission.finish(b, reductions, emission.merge(b, reductions, lanes));
    }
    if (emission.hasFullResults())
      emission.storeSlots(b, slots,
                          own.slots * width <= kMaxRowElements / 2
                              ? slots.size()
                              : std::max<unsigned>(1, kGroupElements / width));
    emission.storeRow(b);
  };
  emitByAlignment(b, loc, layout.width, getTestedSize(e), emit);
  e.alignSharedLoads();
}

void amp::gpu::emitRowLoops(ReductionEmitter &e, unsigned width) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  Value thread = getThread(b, e.loc);
  Value row = getBlock(b, e.loc, ::mlir::gpu::Dimension::x);
  auto emit = [&](OpBuilder &b, unsigned width) {
    e.reuseShared();
    Row emission(e, b, width, row, Value(), thread, kLoopThreads);
    Value begin = e.constant(b, 0), end = emission.columns;
    for (unsigned phase = 0; phase != e.analysis.numPhases; ++phase) {
      SmallVector<KernelReduction *> reductions = e.getPhase(phase);
      emission.finish(b, reductions,
                      emission.reduceLoop(b, reductions, begin, end));
    }
    emission.storeLoop(b, begin, end);
    emission.storeRow(b);
  };
  emitByAlignment(b, e.loc, width, getTestedSize(e), emit);
  e.alignSharedLoads();
}

void amp::gpu::emitRowPart(ReductionEmitter &e, unsigned maxWidth,
                           unsigned phase, ValueRange workspace) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  Location loc = e.loc;
  Value thread = getThread(b, loc);
  Value row = getBlock(b, loc, ::mlir::gpu::Dimension::x);
  Value part = getBlock(b, loc, ::mlir::gpu::Dimension::y);
  Value parts = memref::DimOp::create(b, loc, workspace.front(), 1);

  // The buffers of each reduction.
  // Copied: shared memory becomes arguments of the function, too.
  SmallVector<SmallVector<Value>> buffers;
  for (KernelReduction &reduction : e.analysis.reductions) {
    unsigned count = reduction.getPartialTypes().size();
    buffers.emplace_back(workspace.take_front(count));
    workspace = workspace.drop_front(count);
  }

  auto emit = [&](OpBuilder &b, unsigned width) {
    e.reuseShared();
    Row emission(e, b, width, row, Value(), thread, kLoopThreads);
    // At most one partial result for a thread: see kMaxParts.
    Value hasPart = e.less(b, thread, parts);
    Value own = e.min(
        b, thread, b.createOrFold<arith::SubIOp>(loc, parts, e.constant(b, 1)));
    for (unsigned earlier = 0; earlier != phase; ++earlier) {
      SmallVector<KernelReduction *> reductions = e.getPhase(earlier);
      SmallVector<SmallVector<Partial>> lanes;
      for (KernelReduction *reduction : reductions) {
        Partial partial, none = e.start(b, *reduction, emission.rowPoint);
        for (auto [i, type] : llvm::enumerate(reduction->getPartialTypes())) {
          Value value =
              e.load(b, buffers[e.getNumber(reduction)][i], {row, own}, type);
          partial.push_back(
              arith::SelectOp::create(b, loc, hasPart, value, none[i]));
        }
        lanes.push_back({partial});
      }
      emission.finish(b, reductions, emission.merge(b, reductions, lanes));
    }

    // This block's columns: getChunkSize.
    Value unit = e.constant(b, int64_t(kLoopThreads) * maxWidth);
    Value units = arith::CeilDivUIOp::create(b, loc, emission.columns, unit);
    Value chunk =
        e.mul(b, arith::CeilDivUIOp::create(b, loc, units, parts), unit);
    Value begin = e.min(b, e.mul(b, part, chunk), emission.columns);
    Value end = e.min(b, e.add(b, begin, chunk), emission.columns);
    if (phase == e.analysis.numPhases) {
      emission.storeLoop(b, begin, end);
      emission.storeRow(b,
                        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                              part, e.constant(b, 0)));
      return;
    }
    SmallVector<KernelReduction *> reductions = e.getPhase(phase);
    SmallVector<Partial> partials =
        emission.reduceLoop(b, reductions, begin, end);
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          thread, e.constant(b, 0));
    emission.guarded(b, isFirst, Value(), [&](OpBuilder &inner) {
      for (auto [reduction, partial] : llvm::zip_equal(reductions, partials))
        for (auto [value, buffer] :
             llvm::zip_equal(partial, buffers[e.getNumber(reduction)]))
          e.store(inner, value, buffer, {row, part});
    });
  };
  emitByAlignment(b, loc, maxWidth, getTestedSize(e), emit);
  e.alignSharedLoads();
}
