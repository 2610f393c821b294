//===- ColumnReduction.cpp - reductions over outer dimensions -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of a bias, the statistics of a batch norm, the mean over the
// pixels of an NHWC image: the innermost dimension stays, so threads own
// vectors of columns and walk down the reduced dimensions. The threads of a
// block that own the same columns merge in shared memory; several blocks share
// a column when there are too few columns for the device, and a launch for each
// further phase merges what they leave.
//
//===----------------------------------------------------------------------===//

#include "ReductionEmitter.h"
#include "ReductionHost.h"
#include "amp/Codegen/GPU/ReductionLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

/// What a block can have without asking the driver for more.
static constexpr int64_t kStaticSharedBytes = 48 * 1024;
/// Elements that a thread reduces in a step: loads under way at once.
static constexpr unsigned kSteps = 4;
/// A block's part of a column: at least so many steps of all its threads.
static constexpr unsigned kMinSteps = 16;

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

namespace {
/// Vectors that lie in one place of the kept axes: `width` columns from `point`
/// on; those past the end stand for the last ones.
struct Group {
  SmallVector<Value> point;
  Value column, valid;
};

/// The emission for the columns of a thread, at one width. At a smaller width
/// than the layout's a thread has more groups.
class Columns {
public:
  Columns(ReductionEmitter &e, OpBuilder &b, ColumnLayout layout,
          unsigned width)
      : e(e), loc(e.loc), layout(layout), width(width),
        axis(e.analysis.numKept - 1) {
    auto id = ::mlir::gpu::Dimension::x;
    Value thread = ::mlir::gpu::ThreadIdOp::create(b, loc, id);
    Value threadsX = e.constant(b, layout.threadsX);
    x = arith::RemUIOp::create(b, loc, thread, threadsX);
    y = arith::DivUIOp::create(b, loc, thread, threadsX);
    inner = e.sizes[axis];
    size = e.getSize(b, e.analysis.numKept, e.analysis.axes.size());
    Value block = ::mlir::gpu::BlockIdOp::create(b, loc, id);
    Value outer = e.constant(b, 0);
    if (axis > 0) {
      Value blocks = b.createOrFold<arith::CeilDivUIOp>(
          loc, inner, e.constant(b, layout.getBlockColumns()));
      outer = arith::DivUIOp::create(b, loc, block, blocks);
      block = arith::RemUIOp::create(b, loc, block, blocks);
    }
    Value base = e.mul(b, block, e.constant(b, layout.getBlockColumns()));
    SmallVector<Value> outerPoint = e.delinearize(b, outer, 0, axis);
    Value last =
        b.createOrFold<arith::SubIOp>(loc, inner, e.constant(b, width));
    Value zero = e.constant(b, 0);
    for (unsigned i = 0; i != layout.width / width; ++i) {
      Group group;
      Value own = e.mul(b, x, e.constant(b, width));
      own = e.add(b, own, e.constant(b, i * layout.threadsX * width));
      Value column = e.add(b, base, own);
      int64_t known = e.analysis.axes[axis].size;
      if (ShapedType::isDynamic(known) || known % layout.getBlockColumns()) {
        group.valid = e.less(b, column, inner);
        column = e.min(b, column, last);
      }
      group.point = outerPoint;
      group.point.push_back(column);
      group.point.resize(e.analysis.axes.size(), zero);
      group.column = e.add(b, e.mul(b, outer, inner), column);
      groups.push_back(group);
    }
    results.resize(e.analysis.reductions.size());
  }

  /// Lets the evaluator read the finished results of the group's columns.
  void select(unsigned group) {
    for (auto [all, current] : llvm::zip_equal(results, e.finished))
      if (!all.empty())
        current.assign(all.begin() + group * width,
                       all.begin() + (group + 1) * width);
    e.laneAxis = axis;
    e.laneBase = groups[group].point[axis];
  }

  SmallVector<Partial> start(OpBuilder &b, KernelReduction &reduction) {
    SmallVector<Partial> lanes;
    for (auto [i, group] : llvm::enumerate(groups)) {
      select(i);
      for (unsigned lane = 0; lane != width; ++lane)
        lanes.push_back(e.start(b, reduction, getLane(b, group, lane)));
    }
    return lanes;
  }

  SmallVector<Value> getLane(OpBuilder &b, const Group &group, unsigned lane) {
    SmallVector<Value> point(group.point);
    point[axis] = e.add(b, point[axis], e.constant(b, lane));
    return point;
  }

  /// Merges the threads that own the same columns; keeps the results.
  SmallVector<SmallVector<Partial>>
  merge(OpBuilder &b, ArrayRef<KernelReduction *> reductions,
        SmallVector<SmallVector<Partial>> lanes) {
    if (layout.threadsY == 1)
      return lanes;
    // Element (y, lane, x), so that a warp has no bank conflicts.
    Value threadsX = e.constant(b, layout.threadsX);
    auto getIndex = [&](Value row, unsigned lane) {
      Value index = e.mul(b, row, e.constant(b, layout.width));
      index = e.add(b, index, e.constant(b, lane));
      return e.add(b, e.mul(b, index, threadsX), x);
    };
    SmallVector<SmallVector<Value>> buffers;
    for (KernelReduction *reduction : reductions) {
      buffers.emplace_back();
      for (Type type : reduction->getPartialTypes())
        buffers.back().push_back(e.createShared(
            type, int64_t(layout.getBlockThreads()) * layout.width));
    }
    for (auto [own, shared] : llvm::zip_equal(lanes, buffers))
      for (auto [lane, partial] : llvm::enumerate(own))
        for (auto [value, buffer] : llvm::zip_equal(partial, shared))
          e.store(b, value, buffer, getIndex(y, lane));
    ::mlir::gpu::BarrierOp::create(b, loc);
    for (auto [i, reduction] : llvm::enumerate(reductions)) {
      for (auto [lane, partial] : llvm::enumerate(lanes[i])) {
        SmallVector<Partial> all;
        for (unsigned row = 0; row != layout.threadsY; ++row) {
          Value index = getIndex(e.constant(b, row), lane);
          all.emplace_back();
          for (auto [value, buffer] : llvm::zip_equal(partial, buffers[i]))
            all.back().push_back(e.load(b, buffer, index, value.getType()));
        }
        partial = e.combineAll(b, *reduction, all);
      }
    }
    return lanes;
  }

  void finish(OpBuilder &b, ArrayRef<KernelReduction *> reductions,
              ArrayRef<SmallVector<Partial>> lanes) {
    SmallVector<SmallVector<Partial>> all;
    for (auto [reduction, own] : llvm::zip_equal(reductions, lanes)) {
      all.emplace_back();
      for (auto [lane, partial] : llvm::enumerate(own)) {
        select(lane / width);
        all.back().push_back(
            e.finish(b, *reduction, partial,
                     getLane(b, groups[lane / width], lane % width)));
      }
    }
    for (auto [reduction, own] : llvm::zip_equal(reductions, all))
      results[e.getNumber(reduction)] = own;
  }

  /// A loop from `begin` to `end` of which this thread takes every
  /// `threadsY`-th iteration, `steps` at once. `body` gets for each whether it
  /// is one, and its number, cut at `last`.
  struct Step {
    Value number, valid;
  };
  SmallVector<Value>
  loop(OpBuilder &b, Value begin, Value end, unsigned steps, ValueRange start,
       llvm::function_ref<SmallVector<Value>(OpBuilder &, ArrayRef<Step>,
                                             ValueRange)>
           body) {
    auto forOp = scf::ForOp::create(
        b, loc, e.add(b, begin, y), end,
        e.constant(b, int64_t(layout.threadsY) * steps), start);
    OpBuilder in = OpBuilder::atBlockBegin(forOp.getBody());
    Value last = b.createOrFold<arith::SubIOp>(loc, end, e.constant(b, 1));
    last.getDefiningOp()->moveBefore(forOp);
    SmallVector<Step> all;
    for (unsigned i = 0; i != steps; ++i) {
      Step step{forOp.getInductionVar(), Value()};
      if (i) {
        step.number = e.add(in, step.number,
                            e.constant(in, int64_t(i) * layout.threadsY));
        step.valid = e.less(in, step.number, end);
        step.number = e.min(in, step.number, last);
      }
      all.push_back(step);
    }
    SmallVector<Value> next = body(in, all, forOp.getRegionIterArgs());
    if (!start.empty())
      scf::YieldOp::create(in, loc, next);
    return SmallVector<Value>(forOp.getResults());
  }

  SmallVector<Value> getPoint(OpBuilder &b, const Group &group, Value number) {
    SmallVector<Value> point(ArrayRef(group.point).take_front(axis + 1));
    llvm::append_range(point, e.delinearize(b, number, e.analysis.numKept,
                                            e.analysis.axes.size()));
    return point;
  }

  static void unpack(SmallVector<SmallVector<Partial>> &lanes,
                     ValueRange values) {
    for (SmallVector<Partial> &own : lanes)
      for (Partial &partial : own)
        for (Value &value : partial) {
          value = values.front();
          values = values.drop_front();
        }
  }
  static SmallVector<Value> pack(ArrayRef<SmallVector<Partial>> lanes) {
    SmallVector<Value> values;
    for (const SmallVector<Partial> &own : lanes)
      for (const Partial &partial : own)
        llvm::append_range(values, partial);
    return values;
  }

  SmallVector<SmallVector<Partial>>
  startAll(OpBuilder &b, ArrayRef<KernelReduction *> reductions) {
    return llvm::map_to_vector(reductions, [&](KernelReduction *reduction) {
      return start(b, *reduction);
    });
  }

  /// The merged partial results of the elements from `begin` to `end`.
  SmallVector<SmallVector<Partial>>
  reduce(OpBuilder &b, ArrayRef<KernelReduction *> reductions, Value begin,
         Value end) {
    SmallVector<SmallVector<Partial>> lanes = startAll(b, reductions);
    SmallVector<Value> sums = loop(
        b, begin, end, kSteps, pack(lanes),
        [&](OpBuilder &in, ArrayRef<Step> steps, ValueRange values) {
          unpack(lanes, values);
          SmallVector<SmallVector<SmallVector<Value>>> points(steps.size());
          for (auto [step, own] : llvm::zip_equal(steps, points))
            for (const Group &group : groups) {
              own.push_back(getPoint(in, group, step.number));
              if (reductions.front()->phase == 0)
                preload(in, e.analysis.firstArguments, own.back());
            }
          for (auto [i, reduction] : llvm::enumerate(reductions))
            for (auto [step, own] : llvm::zip_equal(steps, points))
              for (auto [lane, partial] : llvm::enumerate(lanes[i])) {
                select(lane / width);
                partial = e.accumulate(in, *reduction, partial,
                                       own[lane / width], width, axis,
                                       lane % width, step.number, step.valid);
              }
          return pack(lanes);
        });
    unpack(lanes, sums);
    return merge(b, reductions, lanes);
  }

  void preload(OpBuilder &b, ArrayRef<Value> arguments, ValueRange point) {
    for (Value argument : arguments)
      if (e.analysis.isReduced(argument) &&
          (width == 1 || e.analysis.getAxes(argument)->back() == axis))
        e.evaluator.emit(b, loc, argument, e.getIndices(b, argument, point),
                         width);
  }

  void guarded(OpBuilder &b, Value condition,
               llvm::function_ref<void(OpBuilder &)> body) {
    if (!condition)
      return body(b);
    auto guard = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
    OpBuilder in = guard.getThenBodyBuilder();
    body(in);
  }

  /// Stores the results: those of the elements from `begin` to `end`, and,
  /// where `writes` (null: everywhere), those of the columns.
  void storeResults(OpBuilder &b, Value begin, Value end, Value writes) {
    unsigned count = e.kernel.operandTypes.size() - e.kernel.getNumInputs();
    auto store = [&](OpBuilder &in, bool full, unsigned i, ValueRange point) {
      select(i);
      guarded(in, groups[i].valid, [&](OpBuilder &inner) {
        for (unsigned result = 0; result != count; ++result)
          if (e.isFull(result) == full)
            e.storeResult(inner, result, point, width, axis);
      });
    };
    bool anyFull = false, anyColumn = false;
    for (unsigned result = 0; result != count; ++result)
      (e.isFull(result) ? anyFull : anyColumn) = true;
    if (anyFull)
      loop(b, begin, end, 1, {},
           [&](OpBuilder &in, ArrayRef<Step> steps, ValueRange) {
             for (auto [i, group] : llvm::enumerate(groups))
               store(in, true, i, getPoint(in, group, steps[0].number));
             return SmallVector<Value>();
           });
    if (!anyColumn)
      return;
    Value isFirst = getIsFirst(b);
    if (writes)
      isFirst = arith::AndIOp::create(b, loc, isFirst, writes);
    guarded(b, isFirst, [&](OpBuilder &in) {
      for (auto [i, group] : llvm::enumerate(groups))
        store(in, false, i, group.point);
    });
  }

  Value getIsFirst(OpBuilder &b) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y,
                                 e.constant(b, 0));
  }

  ReductionEmitter &e;
  Location loc;
  ColumnLayout layout;
  unsigned width;
  int axis;
  Value x, y, inner, size;
  SmallVector<Group> groups;
  /// For each reduction, the finished results of all lanes.
  SmallVector<SmallVector<Partial>> results;
};
} // namespace

/// The size that vectors must divide, if only run time tells it.
static Value getTestedSize(ReductionEmitter &e) {
  unsigned axis = e.analysis.numKept - 1;
  return ShapedType::isDynamic(e.analysis.axes[axis].size) ? e.sizes[axis]
                                                           : Value();
}

/// A function whose blocks reduce whole columns.
static void emitWhole(ReductionEmitter &e, ColumnLayout layout) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  auto emit = [&](OpBuilder &b, unsigned width) {
    e.reuseShared();
    Columns columns(e, b, layout, width);
    Value begin = e.constant(b, 0);
    for (unsigned phase = 0; phase != e.analysis.numPhases; ++phase) {
      SmallVector<KernelReduction *> reductions = e.getPhase(phase);
      columns.finish(b, reductions,
                     columns.reduce(b, reductions, begin, columns.size));
    }
    columns.storeResults(b, begin, columns.size, Value());
  };
  emitByAlignment(b, e.loc, layout.width, getTestedSize(e), emit);
}

/// The function of one step of columns that several blocks share, as
/// emitRowPart. The buffers are parts x columns.
static void emitPart(ReductionEmitter &e, ColumnLayout layout, unsigned phase,
                     ValueRange workspace) {
  OpBuilder b(e.function.getBody().front().getTerminator());
  Location loc = e.loc;
  Value part =
      ::mlir::gpu::BlockIdOp::create(b, loc, ::mlir::gpu::Dimension::y);
  Value parts = memref::DimOp::create(b, loc, workspace.front(), 0);
  // Copied: shared memory becomes arguments of the function, too.
  SmallVector<SmallVector<Value>> buffers;
  for (KernelReduction &reduction : e.analysis.reductions) {
    unsigned count = reduction.getPartialTypes().size();
    buffers.emplace_back(workspace.take_front(count));
    workspace = workspace.drop_front(count);
  }
  auto emit = [&](OpBuilder &b, unsigned width) {
    e.reuseShared();
    Columns columns(e, b, layout, width);
    auto getColumn = [&](OpBuilder &in, unsigned lane) {
      return e.add(in, columns.groups[lane / width].column,
                   e.constant(in, lane % width));
    };
    for (unsigned earlier = 0; earlier != phase; ++earlier) {
      SmallVector<KernelReduction *> reductions = e.getPhase(earlier);
      auto lanes = columns.startAll(b, reductions);
      SmallVector<Value> sums = columns.loop(
          b, e.constant(b, 0), parts, 1, Columns::pack(lanes),
          [&](OpBuilder &in, ArrayRef<Columns::Step> steps, ValueRange values) {
            Columns::unpack(lanes, values);
            for (auto [i, reduction] : llvm::enumerate(reductions))
              for (auto [lane, partial] : llvm::enumerate(lanes[i])) {
                Partial other;
                for (auto [value, buffer] :
                     llvm::zip_equal(partial, buffers[e.getNumber(reduction)]))
                  other.push_back(e.load(in, buffer,
                                         {steps[0].number, getColumn(in, lane)},
                                         value.getType()));
                partial = e.combine(in, *reduction, partial, other);
              }
            return Columns::pack(lanes);
          });
      Columns::unpack(lanes, sums);
      columns.finish(b, reductions, columns.merge(b, reductions, lanes));
    }
    // This block's elements: getChunkSize.
    Value chunk = arith::CeilDivUIOp::create(b, loc, columns.size, parts);
    Value begin = e.min(b, e.mul(b, part, chunk), columns.size);
    Value end = e.min(b, e.add(b, begin, chunk), columns.size);
    if (phase == e.analysis.numPhases) {
      columns.storeResults(b, begin, end,
                           arith::CmpIOp::create(b, loc,
                                                 arith::CmpIPredicate::eq, part,
                                                 e.constant(b, 0)));
      return;
    }
    SmallVector<KernelReduction *> reductions = e.getPhase(phase);
    auto lanes = columns.reduce(b, reductions, begin, end);
    columns.guarded(b, columns.getIsFirst(b), [&](OpBuilder &in) {
      for (unsigned lane = 0; lane != layout.width; ++lane)
        columns.guarded(
            in, columns.groups[lane / width].valid, [&](OpBuilder &inner) {
              for (auto [i, reduction] : llvm::enumerate(reductions))
                for (auto [value, buffer] : llvm::zip_equal(
                         lanes[i][lane], buffers[e.getNumber(reduction)]))
                  e.store(inner, value, buffer, {part, getColumn(inner, lane)});
            });
    });
  };
  emitByAlignment(b, loc, layout.width, getTestedSize(e), emit);
}

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

namespace {
struct Plan {
  ColumnLayout layout;
  /// Whether there is a function for columns that a block reduces alone, and
  /// one for each step of columns that blocks share.
  bool hasWhole = false, hasParts = false;
};

class ColumnReduction : public Schedule {
public:
  StringRef getName() const override { return "column-reduction"; }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    if (failed(Evaluator::check(kernel, reason)))
      return failure();
    FailureOr<ReductionAnalysis> analysis =
        ReductionAnalysis::get(kernel, reason);
    if (failed(analysis))
      return failure();
    if (analysis->reducesInnermost) {
      reason = "it reduces the innermost dimension";
      return failure();
    }
    if (getSharedBytes(*analysis, 256) > kStaticSharedBytes) {
      reason = "its partial results need too much shared memory";
      return failure();
    }
    return success();
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    func::FuncOp source = kernel.function;
    FailureOr<ReductionAnalysis> analysis = getAnalysis(kernel);
    if (failed(analysis))
      return failure();
    Plan plan = getPlan(kernel, *analysis);
    SmallVector<::mlir::gpu::GPUFuncOp> functions;
    auto create = [&](const Twine &suffix, TypeRange types) {
      functions.push_back(createDeviceFunction(
          module, source.getLoc(), (source.getName() + suffix).str(), types,
          plan.layout.getBlockThreads()));
      return functions.back();
    };
    if (plan.hasWhole) {
      ReductionEmitter emitter(kernel, *analysis,
                               create("", kernel.operandTypes));
      emitWhole(emitter, plan.layout);
    }
    if (plan.hasParts) {
      SmallVector<Type> types(kernel.operandTypes);
      llvm::append_range(types, getWorkspaceTypes(*analysis));
      for (unsigned phase = 0; phase <= analysis->numPhases; ++phase) {
        auto function = create("_part" + std::to_string(phase), types);
        ReductionEmitter emitter(kernel, *analysis, function);
        emitPart(emitter, plan.layout, phase,
                 function.getArguments().slice(kernel.operandTypes.size(),
                                               types.size() -
                                                   kernel.operandTypes.size()));
      }
    }
    return functions;
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    FailureOr<ReductionAnalysis> analysis = getAnalysis(kernel);
    if (failed(analysis))
      return failure();
    Plan plan = getPlan(kernel, *analysis);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    ArrayRef<ReductionAxis> kept = analysis->getKept();
    Value outer = emitSize(b, loc, kept.drop_back(), operands);
    Value inner = emitSize(b, loc, kept.take_back(), operands);
    Value size = emitSize(b, loc, analysis->getReduced(), operands);
    Value blocks = b.createOrFold<arith::MulIOp>(
        loc, outer,
        b.createOrFold<arith::CeilDivUIOp>(
            loc, inner, constant(plan.layout.getBlockColumns())));
    Value parts =
        emitParts(b, loc, blocks, size, plan.layout.threadsY * kMinSteps);
    auto emitSteps = [&](OpBuilder &b, ArrayRef<::mlir::gpu::GPUFuncOp> steps) {
      Value columns = b.createOrFold<arith::MulIOp>(loc, outer, inner);
      launchParts(b, loc, kernel, *analysis, steps, blocks, parts, operands,
                  {parts, columns});
    };
    if (!plan.hasParts) {
      createLaunch(b, loc, functions.front(), blocks, operands);
      return success();
    }
    if (!plan.hasWhole) {
      emitSteps(b, functions);
      return success();
    }
    Value shares = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                         parts, constant(1));
    auto branch = scf::IfOp::create(b, loc, shares, /*withElseRegion=*/true);
    OpBuilder yes = branch.getThenBodyBuilder(b.getListener());
    emitSteps(yes, functions.drop_front());
    OpBuilder no = branch.getElseBodyBuilder(b.getListener());
    createLaunch(no, loc, functions.front(), blocks, operands);
    return success();
  }

private:
  static FailureOr<ReductionAnalysis> getAnalysis(const Kernel &kernel) {
    std::string reason;
    FailureOr<ReductionAnalysis> analysis =
        ReductionAnalysis::get(kernel, reason);
    if (failed(analysis))
      func::FuncOp(kernel.function)
              .emitOpError("is no column reduction because ")
          << reason;
    return analysis;
  }

  /// The shared memory of blocks that have `elements` columns times threads.
  static int64_t getSharedBytes(ReductionAnalysis &analysis, int64_t elements) {
    int64_t bytes = 0;
    for (KernelReduction &reduction : analysis.reductions)
      for (Type type : reduction.getPartialTypes())
        bytes += type.isIndex()
                     ? 8
                     : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    return bytes * elements;
  }

  static Plan getPlan(const Kernel &kernel, ReductionAnalysis &analysis) {
    Plan plan;
    unsigned axis = analysis.numKept - 1;
    int64_t columns = analysis.axes[axis].size;
    unsigned width = getVectorWidth(kernel, analysis, axis);
    while (width > 1 &&
           getSharedBytes(analysis, 256 * width) > kStaticSharedBytes)
      width /= 2;
    plan.layout =
        ColumnLayout::get(ShapedType::isDynamic(columns) ? -1 : columns, width);
    int64_t outer = ReductionAnalysis::getSize(analysis.getKept().drop_back());
    int64_t size = ReductionAnalysis::getSize(analysis.getReduced());
    bool knowsColumns =
        !ShapedType::isDynamic(columns) && !ShapedType::isDynamic(outer);
    bool knowsSize = !ShapedType::isDynamic(size);
    int64_t blocks =
        knowsColumns ? outer * llvm::divideCeil(uint64_t(columns),
                                                plan.layout.getBlockColumns())
                     : 1;
    // As many parts as there can be.
    int64_t most = getColumnParts(
        blocks, knowsSize ? size : std::numeric_limits<int32_t>::max(),
        plan.layout.threadsY);
    plan.hasParts = most > 1;
    plan.hasWhole = most == 1 || !knowsColumns || !knowsSize;
    return plan;
  }
};
} // namespace

const Schedule &amp::gpu::getColumnReductionSchedule() {
  static const ColumnReduction schedule;
  return schedule;
}
