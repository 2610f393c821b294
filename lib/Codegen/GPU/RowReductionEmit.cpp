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
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

/// How many elements of each input a thread reads ahead of others that wait in
/// registers.
static constexpr unsigned kGroupElements = 8;

namespace {
/// One vector of a row, or one of its elements.
struct Slot {
  unsigned width = 1;
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
  Row(ReductionEmitter &e, OpBuilder &b, unsigned width, const Peeling *peeling,
      Value row, Value isRow, Value thread, unsigned threads)
      : e(e), loc(e.loc), width(width), threads(threads), row(row),
        isRow(isRow), thread(thread), vectorAxis(e.analysis.axes.size() - 1),
        columns(e.getSize(b, e.analysis.numKept, e.analysis.axes.size())),
        rowPoint(e.delinearize(b, row, 0, e.analysis.numKept)) {
    // A point of the row as far as the kept axes go.
    rowPoint.resize(e.analysis.axes.size());
    for (Value &index : rowPoint)
      if (!index)
        index = e.constant(b, 0);
    begin = e.constant(b, 0);
    end = columns;
    if (peeling)
      peel(b, *peeling);
  }
  Row(const Row &) = delete;
  Row &operator=(const Row &) = delete;
  ~Row() {
    e.evaluator.setVectorReader(nullptr);
    e.peeling = nullptr;
  }

  /// The vector from `column` on; `masked` says that it may lie past `end`.
  Slot getSlot(OpBuilder &b, Value column, bool masked, Value end) {
    Slot slot;
    slot.width = width;
    if (masked) {
      slot.valid = e.less(b, column, end);
      Value last =
          b.createOrFold<arith::SubIOp>(loc, this->end, e.constant(b, width));
      column = e.min(b, column, last);
    }
    vectorColumns.insert(column);
    return at(b, slot, column);
  }

  /// The thread's share of the elements that are in no vector; where
  /// `condition` is not null and does not hold, none.
  SmallVector<Slot> getEdges(OpBuilder &b, Value condition = Value()) {
    SmallVector<Slot> slots;
    if (!peeled)
      return slots;
    Index count = peeled->getEdges();
    for (int64_t first = 0, most = PeeledRow<int64_t>::getMostEdges(
                                width, e.peeling->hasMargin());
         first < most; first += threads) {
      Slot slot;
      Index number = Index(b, loc, thread) + first;
      slot.valid = number.lt(count);
      if (condition)
        slot.valid = arith::AndIOp::create(b, loc, slot.valid, condition);
      // A thread without one reads the row's first element again.
      slots.push_back(at(b, slot,
                         peeled->getEdgeColumn(selectLess(number, count, number,
                                                          number.like(0)))));
    }
    return slots;
  }

  /// Fills in where `slot` is.
  Slot at(OpBuilder &b, Slot slot, Value column) {
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
      for (unsigned lane = 0; lane != slot.width; ++lane) {
        Partial &partial = lanes[next++ % lanes.size()];
        Value position = reduction.condition
                             ? e.add(b, slot.position, e.constant(b, lane))
                             : Value();
        partial = e.accumulate(b, reduction, partial, slot.point, slot.width,
                               vectorAxis, lane, position, slot.valid);
      }
    }
  }
  /// Takes up the elements that are in no vector. They lie before and after
  /// those of `lanes`, so that a choice takes them in order apart from those.
  void accumulateEdges(OpBuilder &b, KernelReduction &reduction,
                       SmallVector<Partial> &lanes, ArrayRef<Slot> edges) {
    if (edges.empty())
      return;
    if (!reduction.condition)
      return accumulate(b, reduction, lanes, edges);
    SmallVector<Partial> own = {e.start(b, reduction, rowPoint)};
    accumulate(b, reduction, own, edges);
    lanes.push_back(own.front());
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
        e.preload(b, getInputs(), slot.point, slot.width);
      for (const Slot &slot : own)
        guarded(b, slot.valid, isRow, [&](OpBuilder &inner) {
          for (unsigned i = 0, n = getNumResults(); i != n; ++i)
            if (e.isFull(i))
              e.storeResult(inner, i, slot.point, slot.width, vectorAxis);
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

  /// The merged partial results of a phase over the vectors from column `begin`
  /// to `end`, and over `edges`.
  SmallVector<Partial> reduceLoop(OpBuilder &b,
                                  ArrayRef<KernelReduction *> reductions,
                                  Value begin, Value end,
                                  ArrayRef<Slot> edges) {
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
              e.preload(inner, e.analysis.firstArguments, slot.point,
                        slot.width);
          SmallVector<Value> next;
          for (auto [reduction, own] : llvm::zip_equal(reductions, lanes)) {
            accumulate(inner, *reduction, own, slots);
            for (const Partial &partial : own)
              llvm::append_range(next, partial);
          }
          return next;
        });
    unpack(results);
    for (auto [reduction, own] : llvm::zip_equal(reductions, lanes))
      accumulateEdges(b, *reduction, own, edges);
    return merge(b, reductions, lanes);
  }

  void storeLoop(OpBuilder &b, Value begin, Value end, ArrayRef<Slot> edges) {
    if (!hasFullResults())
      return;
    storeSlots(b, edges, edges.size());
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
  /// The column of the first vector, and the one behind the last.
  Value begin, end;
  std::optional<PeeledRow<Index>> peeled;

private:
  void peel(OpBuilder &b, const Peeling &peeling) {
    e.peeling = &peeling;
    SmallVector<Value> leader =
        e.getIndices(b, getTensor(e.kernel, peeling.getLeader()), rowPoint);
    leader.pop_back();
    peeled =
        peeling.emitRow(b, loc, e.function.getArguments(), leader, columns);
    begin = peeled->head;
    end = peeled->getEnd();
    e.evaluator.setVectorReader([this, leader](OpBuilder &b, Location loc,
                                               unsigned argument,
                                               ValueRange indices, int64_t) {
      std::optional<SmallVector<int>> axes =
          e.analysis.getAxes(getTensor(e.kernel, argument));
      if (!axes || axes->back() != vectorAxis ||
          !vectorColumns.contains(indices.back()))
        return Value();
      return e.peeling->load(b, loc, e.function.getArguments(), argument,
                             leader, indices);
    });
  }

  /// The columns of the vectors.
  llvm::SmallDenseSet<Value> vectorColumns;
};
} // namespace

static Value getThread(OpBuilder &b, Location loc) {
  return ::mlir::gpu::ThreadIdOp::create(b, loc, ::mlir::gpu::Dimension::x);
}
static Value getBlock(OpBuilder &b, Location loc, ::mlir::gpu::Dimension dim) {
  return ::mlir::gpu::BlockIdOp::create(b, loc, dim);
}

/// Emits `emit(builder, width, peeling)` for vectors that are aligned in every
/// row, for those of peeled rows, and for single elements, each behind a test
/// if the ones after it are needed at all.
static void emitVariants(
    OpBuilder &b, ReductionEmitter &e, const RowVectors &vectors,
    llvm::function_ref<void(OpBuilder &, unsigned, const Peeling *)> emit) {
  auto emitPeeled = [&](OpBuilder &b) {
    if (!vectors.peeling)
      return emit(b, 1, nullptr);
    const Peeling &peeling = *vectors.peeling;
    Value condition = peeling.emitCondition(b, e.loc, e.function.getArguments(),
                                            e.sizes.back());
    if (matchPattern(condition, m_One()))
      return emit(b, peeling.getWidth(), &peeling);
    auto branch =
        scf::IfOp::create(b, e.loc, condition, /*withElseRegion=*/true);
    OpBuilder yes = branch.getThenBodyBuilder();
    emit(yes, peeling.getWidth(), &peeling);
    OpBuilder no = branch.getElseBodyBuilder();
    emit(no, 1, nullptr);
  };
  // The size that vectors must divide, if only run time tells it.
  Value size = ShapedType::isDynamic(e.analysis.axes.back().size)
                   ? e.sizes.back()
                   : Value();
  emitByAlignment(b, e.loc, vectors.width, size,
                  [&](OpBuilder &b, unsigned width) {
                    if (width == 1)
                      return emitPeeled(b);
                    emit(b, width, nullptr);
                  });
  e.alignSharedLoads();
}

void amp::gpu::emitRowsInRegisters(ReductionEmitter &e, RowLayout layout,
                                   const RowVectors &vectors) {
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

  auto emit = [&](OpBuilder &b, unsigned width, const Peeling *peeling) {
    e.reuseShared();
    RowLayout own = layout;
    own.slots = layout.slots * layout.width / width;
    own.width = width;
    // How many columns are in vectors, at most and at least.
    int64_t most = columns, least = columns;
    if (isStatic && peeling) {
      most = width * PeeledRow<int64_t>::getMostVectors(columns, width,
                                                        peeling->hasMargin());
      least = width * PeeledRow<int64_t>::getLeastVectors(columns, width,
                                                          peeling->hasMargin());
    } else if (isStatic) {
      // The layout may be that of the vectors alone.
      own.slots = std::max<int64_t>(
          own.slots, llvm::divideCeil(columns, own.threads * width));
    }
    Row emission(e, b, width, peeling, row, isRow, thread, own.threads);
    SmallVector<Slot> slots;
    Value first =
        e.add(b, emission.begin, e.mul(b, thread, e.constant(b, width)));
    for (unsigned i = 0; i != own.slots; ++i) {
      if (isStatic && own.getColumn(0, i) >= most)
        break;
      slots.push_back(emission.getSlot(
          b, e.add(b, first, e.constant(b, own.getColumn(0, i))),
          !isStatic || !own.isFull(i, least), emission.end));
    }
    SmallVector<Slot> edges = emission.getEdges(b);
    // What is read late must find room in registers; what is read early is
    // under way during the reductions.
    bool early = own.slots * width <= kGroupElements;
    for (const Slot &slot : llvm::concat<const Slot>(slots, edges))
      e.preload(b, early ? emission.getInputs() : e.analysis.firstArguments,
                slot.point, slot.width);
    for (unsigned phase = 0; phase != e.analysis.numPhases; ++phase) {
      SmallVector<KernelReduction *> reductions = e.getPhase(phase);
      SmallVector<SmallVector<Partial>> lanes;
      for (KernelReduction *reduction : reductions) {
        lanes.emplace_back(emission.getLanes(*reduction, slots.size() * width),
                           e.start(b, *reduction, emission.rowPoint));
        emission.accumulate(b, *reduction, lanes.back(), slots);
        emission.accumulateEdges(b, *reduction, lanes.back(), edges);
      }
      emission.finish(b, reductions, emission.merge(b, reductions, lanes));
    }
    if (emission.hasFullResults()) {
      emission.storeSlots(b, edges, edges.size());
      emission.storeSlots(b, slots,
                          own.slots * width <= kMaxRowElements / 2
                              ? slots.size()
                              : std::max<unsigned>(1, kGroupElements / width));
    }
    emission.storeRow(b);
  };
  emitVariants(b, e, vectors, emit);
}

void amp::gpu::emitRowLoops(ReductionEmitter &e, const RowVectors &vectors) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  Value thread = getThread(b, e.loc);
  Value row = getBlock(b, e.loc, ::mlir::gpu::Dimension::x);
  auto emit = [&](OpBuilder &b, unsigned width, const Peeling *peeling) {
    e.reuseShared();
    Row emission(e, b, width, peeling, row, Value(), thread, kLoopThreads);
    Value begin = emission.begin, end = emission.end;
    SmallVector<Slot> edges = emission.getEdges(b);
    for (unsigned phase = 0; phase != e.analysis.numPhases; ++phase) {
      SmallVector<KernelReduction *> reductions = e.getPhase(phase);
      emission.finish(b, reductions,
                      emission.reduceLoop(b, reductions, begin, end, edges));
    }
    emission.storeLoop(b, begin, end, edges);
    emission.storeRow(b);
  };
  emitVariants(b, e, vectors, emit);
}

void amp::gpu::emitRowPart(ReductionEmitter &e, const RowVectors &vectors,
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

  auto emit = [&](OpBuilder &b, unsigned width, const Peeling *peeling) {
    e.reuseShared();
    Row emission(e, b, width, peeling, row, Value(), thread, kLoopThreads);
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

    // This block's columns: getChunkSize. The first one has the edges, too.
    Value isFirstPart = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                              part, e.constant(b, 0));
    SmallVector<Slot> edges = emission.getEdges(b, isFirstPart);
    Value size =
        b.createOrFold<arith::SubIOp>(loc, emission.end, emission.begin);
    Value unit = e.constant(b, int64_t(kLoopThreads) * vectors.getWidth());
    Value units = arith::CeilDivUIOp::create(b, loc, size, unit);
    Value chunk =
        e.mul(b, arith::CeilDivUIOp::create(b, loc, units, parts), unit);
    Value first = e.min(b, e.mul(b, part, chunk), size);
    Value begin = e.add(b, emission.begin, first);
    Value end =
        e.add(b, emission.begin, e.min(b, e.add(b, first, chunk), size));
    if (phase == e.analysis.numPhases) {
      emission.storeLoop(b, begin, end, edges);
      emission.storeRow(b, isFirstPart);
      return;
    }
    SmallVector<KernelReduction *> reductions = e.getPhase(phase);
    SmallVector<Partial> partials =
        emission.reduceLoop(b, reductions, begin, end, edges);
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          thread, e.constant(b, 0));
    emission.guarded(b, isFirst, Value(), [&](OpBuilder &inner) {
      for (auto [reduction, partial] : llvm::zip_equal(reductions, partials))
        for (auto [value, buffer] :
             llvm::zip_equal(partial, buffers[e.getNumber(reduction)]))
          e.store(inner, value, buffer, {row, part});
    });
  };
  emitVariants(b, e, vectors, emit);
}
