//===- RowReduction.cpp - reductions over innermost dimensions ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is the elements over which a kernel reduces: softmax, norms, argmax,
// and everything elementwise around them. It stays in the registers of a warp
// or a block, so that the input is read once, as long as it fits; a longer row
// is read again for each phase; and several blocks share a row when there are
// too few rows for the device. Partial results are merged in another order than
// a loop has, always the same one.
//
//===----------------------------------------------------------------------===//

#include "ReductionHost.h"
#include "RowReductionEmit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

/// The least part of a row for which a block of its own pays.
static constexpr int64_t kMinPart = 8192;
/// The rows that the functions for dynamic sizes hold in registers.
static constexpr int64_t kDynamicColumns[] = {1024, 4096};

/// Where a warp has a row, and each thread keeps 32 elements of one input, 64
/// registers are enough, and ptxas spends up to 72 for sm_90: asked for half of
/// a multiprocessor's 2048 threads, it finds them. With more inputs to keep,
/// wider elements, or masks at the end of rows, it would spill, and so it does
/// for sm_100.
static void limitRegisters(::mlir::gpu::GPUFuncOp function,
                           const GPUTarget &target, const RowLayout &layout,
                           ReductionAnalysis &analysis) {
  if (target.capability != 90 ||
      layout.getCapacity() != ReductionAnalysis::getSize(analysis.getReduced()))
    return;
  unsigned numKept = 0;
  for (Value argument : analysis.firstArguments) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() < int64_t(analysis.axes.size()))
      continue;
    ++numKept;
    if (!type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() > 32)
      return;
  }
  if (numKept != 1 || layout.threads != kWarpThreads ||
      layout.slots * layout.width != kMaxRowElements)
    return;
  constexpr unsigned kWantedThreads = 1024;
  unsigned blocks = kWantedThreads / layout.getBlockThreads();
  function->setAttr("nvvm.minctasm",
                    Builder(function.getContext()).getI32IntegerAttr(blocks));
}

namespace {
/// The functions of a kernel, in the order in which they are created.
struct Plan {
  /// Those that hold rows in registers: for up to so many columns, and, but for
  /// the first one, more than the one before takes.
  SmallVector<std::pair<RowLayout, int64_t>> inRegisters;
  /// Whether there is one for rows of any size, and one for each step of rows
  /// that blocks share.
  bool hasLoops = false, hasParts = false;
  RowVectors vectors;

  int64_t getRegisterColumns() const {
    return inRegisters.empty() ? 0 : inRegisters.back().second;
  }
};

class RowReduction : public Schedule {
public:
  StringRef getName() const override { return "row-reduction"; }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    if (failed(Evaluator::check(kernel, reason)))
      return failure();
    FailureOr<ReductionAnalysis> analysis =
        ReductionAnalysis::get(kernel, reason);
    if (failed(analysis))
      return failure();
    if (!analysis->reducesInnermost) {
      reason = "it does not reduce the innermost dimension";
      return failure();
    }
    return success();
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    std::string reason;
    FailureOr<ReductionAnalysis> analysis =
        ReductionAnalysis::get(kernel, reason);
    if (failed(analysis))
      return func::FuncOp(kernel.function)
                 .emitOpError("is no row reduction because ")
             << reason;
    Plan plan = getPlan(kernel, *analysis);
    func::FuncOp source = kernel.function;
    StringRef name = source.getName();
    Location loc = source.getLoc();
    SmallVector<::mlir::gpu::GPUFuncOp> functions;
    auto create = [&](const Twine &suffix, TypeRange types, unsigned threads) {
      functions.push_back(createDeviceFunction(
          module, loc, (name + suffix).str(), types, threads));
      return functions.back();
    };
    for (auto [layout, columns] : plan.inRegisters) {
      std::string suffix =
          plan.inRegisters.size() == 1 ? "" : "_to" + std::to_string(columns);
      ReductionEmitter emitter(
          kernel, *analysis,
          create(suffix, kernel.operandTypes, layout.getBlockThreads()));
      emitRowsInRegisters(emitter, layout, plan.vectors);
      limitRegisters(functions.back(), kernel.target, layout, *analysis);
    }
    if (plan.hasLoops) {
      ReductionEmitter emitter(
          kernel, *analysis,
          create("_loop", kernel.operandTypes, kLoopThreads));
      emitRowLoops(emitter, plan.vectors);
    }
    if (plan.hasParts) {
      SmallVector<Type> types(kernel.operandTypes);
      llvm::append_range(types, getWorkspaceTypes(*analysis));
      for (unsigned phase = 0; phase <= analysis->numPhases; ++phase) {
        auto function =
            create("_part" + std::to_string(phase), types, kLoopThreads);
        ReductionEmitter emitter(kernel, *analysis, function);
        emitRowPart(emitter, plan.vectors, phase,
                    function.getArguments().slice(
                        kernel.operandTypes.size(),
                        types.size() - kernel.operandTypes.size()));
      }
    }
    return functions;
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    std::string reason;
    FailureOr<ReductionAnalysis> analysis =
        ReductionAnalysis::get(kernel, reason);
    if (failed(analysis))
      return func::FuncOp(kernel.function)
                 .emitOpError("is no row reduction because ")
             << reason;
    Plan plan = getPlan(kernel, *analysis);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    auto isMore = [&](Value x, int64_t y) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, x,
                                   constant(y));
    };
    auto select = [&](Value condition, Value x, Value y) {
      return b.createOrFold<arith::SelectOp>(loc, condition, x, y);
    };
    Value rows = emitSize(b, loc, analysis->getKept(), operands);
    Value columns = emitSize(b, loc, analysis->getReduced(), operands);
    bool isDynamic = ShapedType::isDynamic(
        ReductionAnalysis::getSize(analysis->getReduced()));
    Value zero = constant(0);

    // Of the functions for dynamic sizes one has a grid that is not empty.
    int64_t smaller = 0;
    for (auto [layout, most] : plan.inRegisters) {
      Value grid =
          b.createOrFold<arith::CeilDivUIOp>(loc, rows, constant(layout.rows));
      if (isDynamic)
        grid = select(isMore(columns, smaller),
                      select(isMore(columns, most), zero, grid), zero);
      createLaunch(b, loc, functions.front(), grid, operands);
      functions = functions.drop_front();
      smaller = most;
    }
    Value loopGrid = rows;
    if (isDynamic)
      loopGrid = select(isMore(columns, plan.getRegisterColumns()), rows,
                        select(isMore(columns, 0), zero, rows));
    if (!plan.hasParts) {
      if (plan.hasLoops)
        createLaunch(b, loc, functions.front(), loopGrid, operands);
      return success();
    }

    Value parts = emitParts(b, loc, rows, columns, kMinPart);
    auto emitSteps = [&](OpBuilder &b, ArrayRef<::mlir::gpu::GPUFuncOp> steps) {
      launchParts(b, loc, kernel, *analysis, steps, rows, parts, operands,
                  {rows, parts});
    };
    if (!plan.hasLoops) {
      emitSteps(b, functions);
      return success();
    }
    auto branch = scf::IfOp::create(b, loc, isMore(parts, 1),
                                    /*withElseRegion=*/true);
    OpBuilder yes = branch.getThenBodyBuilder(b.getListener());
    emitSteps(yes, functions.drop_front());
    OpBuilder no = branch.getElseBodyBuilder(b.getListener());
    createLaunch(no, loc, functions.front(), loopGrid, operands);
    return success();
  }

private:
  /// How the kernel's rows of `columns` columns are peeled; nothing if they
  /// cannot be, or if it does not pay.
  static std::optional<Peeling> getPeeling(const Kernel &kernel,
                                           ReductionAnalysis &analysis,
                                           int64_t columns) {
    unsigned width = getFullVectorWidth(kernel, analysis);
    int last = analysis.axes.size() - 1;
    if (width == 1 || analysis.getReduced().size() != 1)
      return std::nullopt;
    SmallVector<unsigned> full, others;
    for (unsigned operand = 0; operand != kernel.operandTypes.size();
         ++operand) {
      std::optional<SmallVector<int>> axes =
          analysis.getAxes(getTensor(kernel, operand));
      if (!axes || axes->empty() || axes->back() != last)
        continue;
      llvm::erase(*axes, -1);
      bool isFull = llvm::equal(*axes, llvm::seq<int>(0, last + 1));
      (isFull ? full : others).push_back(operand);
    }
    std::optional<Peeling> peeling = Peeling::get(kernel, full, others, width);
    // In shorter rows most elements would be edges.
    if (peeling && !ShapedType::isDynamic(columns) &&
        columns < 2 * peeling->getLeastColumns())
      return std::nullopt;
    return peeling;
  }

  static Plan getPlan(const Kernel &kernel, ReductionAnalysis &analysis) {
    Plan plan;
    RowVectors &vectors = plan.vectors;
    vectors.width = getVectorWidth(kernel, analysis, analysis.axes.size() - 1);
    int64_t rows = ReductionAnalysis::getSize(analysis.getKept());
    int64_t columns = ReductionAnalysis::getSize(analysis.getReduced());
    if (ShapedType::isDynamic(columns)) {
      vectors.peeling = getPeeling(kernel, analysis, columns);
      for (int64_t most : kDynamicColumns)
        plan.inRegisters.push_back(
            {*RowLayout::get(most, vectors.getWidth()), most});
      plan.hasLoops = plan.hasParts = true;
      return plan;
    }
    // Half of a vector is nearly as good as a whole one.
    if (vectors.width * 2 < getFullVectorWidth(kernel, analysis))
      if ((vectors.peeling = getPeeling(kernel, analysis, columns)))
        vectors.width = 1;
    int64_t inVectors = columns;
    if (vectors.peeling)
      inVectors = vectors.getWidth() * PeeledRow<int64_t>::getMostVectors(
                                           columns, vectors.getWidth(),
                                           vectors.peeling->hasMargin());
    if (columns)
      if (std::optional<RowLayout> layout =
              RowLayout::get(inVectors, vectors.getWidth())) {
        plan.inRegisters.push_back({*layout, columns});
        return plan;
      }
    bool knowsRows = !ShapedType::isDynamic(rows);
    int64_t most = getRowParts(knowsRows ? rows : 1, columns, kMinPart);
    plan.hasParts = most > 1;
    plan.hasLoops = most == 1 || !knowsRows;
    return plan;
  }
};
} // namespace

const Schedule &amp::gpu::getRowReductionSchedule() {
  static const RowReduction schedule;
  return schedule;
}
