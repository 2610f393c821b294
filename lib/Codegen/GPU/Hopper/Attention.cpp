//===- Attention.cpp - the schedule of attentions on sm_90a ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What only run time tells of the buffers of a launch (strides, offsets, sizes)
// is tested by the host, which launches kernels of `simt` where TMA
// cannot read or write them.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// What a schedule's functions carry.
static constexpr StringLiteral kScheduleAttrName = "schedule";
/// What the functions that take other launches are called behind the name.
static constexpr StringLiteral kOtherSuffix = "_unaligned";

namespace {

class AttentionSchedule final : public Schedule {
public:
  StringRef getName() const override { return "attention"; }

  bool takesOptions() const override { return true; }

  bool isFor(const GPUTarget &target) const override {
    return target.hasHopperTensorCores();
  }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    LogicalResult result = matchAttentionPlan(kernel, reason);
    func::FuncOp function = kernel.function;
    if (failed(result) && reason.empty() &&
        function->hasAttr(AMPDialect::kScheduleAttrName))
      reason = "it has no softmax between two contractions";
    return result;
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    std::string reason;
    FailureOr<AttentionPlan> plan = matchAttentionPlan(kernel, reason);
    if (failed(plan))
      return failure();
    SmallVector<Type> types(kernel.operandTypes);
    for (const TmaView *view : getViews(*plan))
      types.push_back(view->type);
    func::FuncOp source = kernel.function;
    ::mlir::gpu::GPUFuncOp function =
        createDeviceFunction(module, source.getLoc(), source.getSymName(),
                             types, plan->config.getThreads());
    // Else setmaxnreg would be ignored.
    function->setAttr("nvvm.minctasm",
                      OpBuilder(function).getI32IntegerAttr(1));
    AttentionKernel(kernel, *plan).emit(function);
    report(function, *plan);
    return SmallVector<::mlir::gpu::GPUFuncOp>{function};
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    std::string reason;
    FailureOr<AttentionPlan> plan = matchAttentionPlan(kernel, reason);
    if (failed(plan))
      return failure();
    IndexBuilder at{b, loc};
    Evaluator evaluator(kernel, operands);
    auto getSizes = [&](linalg::GenericOp op) {
      SmallVector<IndexValue> sizes;
      for (OpFoldResult size :
           evaluator.getLoopSizes(b, cast<linalg::LinalgOp>(op.getOperation())))
        sizes.push_back(IndexValue(at, size));
      return sizes;
    };
    SmallVector<IndexValue> productSizes = getSizes(plan->a.product),
                            valueSizes = getSizes(plan->a.values);
    SmallVector<Value> conditions, all(operands);
    for (const TmaView *view : getViews(*plan)) {
      bool isOfProduct = view == &plan->q.view || view == &plan->k.view;
      all.push_back(emitTmaView(at, *view, operands[view->argument],
                                isOfProduct ? productSizes : valueSizes,
                                conditions));
    }
    addAlignment(at, operands, conditions);
    int64_t queries =
        plan->config.getPacking().getQueries(plan->config.getBlockRows());
    IndexValue grid = (productSizes[plan->a.row] + (queries - 1)) / queries;
    for (unsigned loop : plan->a.outer)
      if (loop != plan->packed)
        grid = grid * productSizes[loop];
    // Without a key each result would be undefined: a sum of nothing divided
    // by zero, which the other kernels give.
    if (!productSizes[plan->a.key].getConstant())
      conditions.push_back(IndexValue::less(at, 0, productSizes[plan->a.key]));
    auto launch = [&] {
      ::mlir::gpu::LaunchFuncOp op =
          createLaunch(b, loc, functions.front(), grid.get(at), all,
                       plan->config.getSharedBytes());
      op->setAttr(kTensorMapsAttrName, getMaps(*plan, operands.size(), b));
    };
    return emitWhere(at, conditions, launch, [&]() -> LogicalResult {
      FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>> others =
          getOthers(kernel, functions.front());
      if (failed(others))
        return failure();
      return getSimtSchedule().emitHost(kernel, *others, operands, b, loc);
    });
  }

private:
  static void report(::mlir::gpu::GPUFuncOp function,
                     const AttentionPlan &plan) {
    auto limit = [](std::optional<int64_t> value) {
      return value ? std::to_string(*value) : std::string("none");
    };
    unsigned byTma = 0;
    for (const AttentionOutput &output : plan.outputs)
      byTma += output.view.has_value();
    remark::passed(function.getLoc(),
                   remark::RemarkOpts::name("Tiles").category("amp").function(
                       function.getName()))
        << remark::metric("Config", plan.config.getName())
        << remark::metric("Depth", plan.config.problem.depth)
        << remark::metric("Columns", plan.config.problem.columns)
        << remark::metric("Lower", limit(plan.limits.lower))
        << remark::metric("Upper", limit(plan.limits.upper))
        << remark::metric("Payload", plan.hasPayload     ? "all tiles"
                                     : plan.hasBounds    ? "tiles at bounds"
                                     : plan.limits.any() ? "tiles at the limits"
                                                         : "none")
        << remark::metric("ResultsByTma", byTma);
    reportHeads(function, plan);
  }

  /// Whether heads that share keys are rows of one tile, and why not.
  static void reportHeads(::mlir::gpu::GPUFuncOp function,
                          const AttentionPlan &plan) {
    const AttentionConfig &config = plan.config;
    int64_t heads = config.problem.shared;
    if (heads < 2)
      return;
    AttentionConfig other = config;
    other.packsHeads = !config.packsHeads;
    auto count = [](const AttentionConfig &which) {
      int64_t blocks = which.countBlocks();
      return blocks < 0 ? std::string("unknown") : std::to_string(blocks);
    };
    auto options = remark::RemarkOpts::name("HeadsPacked")
                       .category("amp")
                       .function(function.getName());
    if (config.packsHeads) {
      remark::passed(function.getLoc(), options)
          << remark::metric("Heads", heads)
          << remark::metric("QueriesOfBlock", config.getPacking().getQueries(
                                                  config.getBlockRows()))
          << remark::metric("Blocks", count(config))
          << remark::metric("BlocksApart", count(other));
      return;
    }
    const AttentionProblem &problem = config.problem;
    std::string why = other.check();
    if (why.empty() && chooseAttentionConfig(problem).packsHeads)
      why = "the schedule that was asked for has them apart";
    else if (why.empty())
      why = other.countBlocks() < 0
                ? "the heads are no power of two, of an unknown number of rows"
                : "rows of one tile would take " + count(other) +
                      " blocks instead of " + count(config);
    remark::missed(function.getLoc(), options)
        << remark::metric("Heads", heads) << remark::reason("{0}", why);
  }

  /// The tensor maps of a launch, in order.
  static SmallVector<const TmaView *> getViews(const AttentionPlan &plan) {
    SmallVector<const TmaView *> views = {&plan.q.view, &plan.k.view,
                                          &plan.v.view};
    for (const AttentionOutput &output : plan.outputs)
      if (output.view)
        views.push_back(&*output.view);
    return views;
  }

  static ArrayAttr getMaps(const AttentionPlan &plan, int64_t next,
                           OpBuilder &b) {
    SmallVector<Attribute> maps;
    auto add = [&](unsigned rank, SmallVector<int64_t> box) {
      TensorMapSpec spec;
      spec.operand = next++;
      spec.box = std::move(box);
      spec.box.resize(rank, 1);
      spec.swizzle = 128;
      maps.push_back(spec.getAttr(b.getContext()));
    };
    const AttentionConfig &config = plan.config;
    RowPacking packing = config.getPacking();
    // `inner` by `rows`, or by the heads and the queries that those are.
    auto getRowBox = [&](int64_t inner, int64_t rows) {
      SmallVector<int64_t> box = {inner};
      if (plan.packed)
        box.push_back(packing.getBoxHeads(rows));
      box.push_back(plan.packed ? packing.getQueries(rows) : rows);
      return box;
    };
    OperandTile tileQ = config.getTileQ();
    add(plan.q.view.getRank(),
        getRowBox(tileQ.getBoxInner(), tileQ.getBoxOuter()));
    for (auto [operand, tile] : {std::pair(&plan.k, config.getTileK()),
                                 std::pair(&plan.v, config.getTileV())})
      add(operand->view.getRank(), {tile.getBoxInner(), tile.getBoxOuter()});
    for (const AttentionOutput &output : plan.outputs)
      if (output.view)
        add(output.view->getRank(), getRowBox(AttentionConfig::kStoreColumns,
                                              AttentionConfig::kWarpRows));
    return b.getArrayAttr(maps);
  }

  /// The functions that take the launches which TMA cannot serve, made when
  /// they are needed for the first time.
  static FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  getOthers(const Kernel &kernel, ::mlir::gpu::GPUFuncOp function) {
    auto module = function->getParentOfType<::mlir::gpu::GPUModuleOp>();
    SmallVector<::mlir::gpu::GPUFuncOp> others;
    auto getName = [&] {
      return (function.getName() + kOtherSuffix + "_" + Twine(others.size()))
          .str();
    };
    while (auto known = module.lookupSymbol<::mlir::gpu::GPUFuncOp>(getName()))
      others.push_back(known);
    if (!others.empty())
      return others;
    const Schedule &schedule = getSimtSchedule();
    FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>> made =
        schedule.emitDevice(kernel, module);
    if (failed(made))
      return failure();
    for (::mlir::gpu::GPUFuncOp other : *made) {
      other.setName(getName());
      other->setAttr(kScheduleAttrName,
                     OpBuilder(other).getStringAttr(schedule.getName()));
      others.push_back(other);
    }
    return others;
  }
};

} // namespace

const Schedule &amp::gpu::getAttentionSchedule() {
  static const AttentionSchedule schedule;
  return schedule;
}
