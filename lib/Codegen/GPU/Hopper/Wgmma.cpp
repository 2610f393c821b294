//===- Wgmma.cpp - the schedule of contractions on sm_90a -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What only run time tells of the buffers of a launch (strides, offsets, sizes)
// is tested by the host, which launches a kernel of `mma-sync` where TMA
// cannot read or write them.
//
//===----------------------------------------------------------------------===//

#include "PaddedCopy.h"
#include "WgmmaKernel.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/HostAttributes.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// What a schedule's functions carry.
static constexpr StringLiteral kScheduleAttrName = "schedule";

namespace {

/// A plan, and the kernel that it is for: with copies of operands if
/// `arguments` says so.
struct Match {
  PaddedKernel padded;
  WgmmaPlan plan;
  /// Another one, where tiles are few.
  std::optional<WgmmaPlan> few;
};

/// What the host knows of a launch.
struct Sizes {
  Sizes(const IndexBuilder &at, const WgmmaPlan &plan, Evaluator &evaluator) {
    for (OpFoldResult size : evaluator.getLoopSizes(
             at.b, cast<linalg::LinalgOp>(
                       linalg::GenericOp(plan.c.op).getOperation())))
      loops.push_back(IndexValue(at, size));
    batch = product(plan.c.batch);
    m = product(plan.c.m);
    n = product(plan.c.n);
    inner = product(plan.inner);
    taps = product(plan.taps);
  }

  IndexValue getTiles(const WgmmaConfig &config) const {
    return batch * ceilDiv(m, config.blockM * config.clusterM) *
           ceilDiv(n, config.blockN * config.clusterN);
  }
  IndexValue getSteps(const WgmmaPlan &plan) const {
    return ceilDiv(inner, plan.a.tile.k) * taps;
  }
  /// The blocks that share the tiles of `plan`, on the largest device.
  IndexValue getSharers(const WgmmaPlan &plan) const {
    return IndexValue::min(getTiles(plan.config) * getSteps(plan),
                           Device().processors * plan.config.blocks);
  }
  /// How long a launch of `plan` takes, in ticks.
  IndexValue getTicks(const WgmmaPlan &plan) const {
    return getCosts(plan.problem, plan.config)
        .getTicks(getTiles(plan.config), getSteps(plan),
                  plan.problem.getBytes(batch, m, n, inner * taps),
                  IndexValue::min);
  }

  SmallVector<IndexValue> loops;
  IndexValue batch = 1, m = 1, n = 1, inner = 1, taps = 1;

private:
  static IndexValue ceilDiv(const IndexValue &size, int64_t by) {
    return (size + (by - 1)) / by;
  }
  IndexValue product(ArrayRef<unsigned> of) const {
    IndexValue result = 1;
    for (unsigned loop : of)
      result = result * loops[loop];
    return result;
  }
};

/// What other kernels for `mma` were measured to reach where rows have odd
/// sizes (121 to 147), and copies must beat, in TFLOP/s.
constexpr double kOddRate = 150;

class WgmmaSchedule final : public Schedule {
public:
  StringRef getName() const override { return "wgmma"; }

  bool takesOptions() const override { return true; }

  bool isFor(const GPUTarget &target) const override {
    return target.hasHopperTensorCores();
  }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    return find(kernel, reason);
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    std::string reason;
    FailureOr<Match> found = find(kernel, reason);
    if (failed(found))
      return failure();
    const PaddedKernel &padded = found->padded;
    func::FuncOp source = kernel.function;
    SmallVector<::mlir::gpu::GPUFuncOp> functions;
    auto emit = [&](const WgmmaPlan &plan, StringRef name) {
      ::mlir::gpu::GPUFuncOp function =
          createDeviceFunction(module, source.getLoc(), name,
                               getTypes(padded.kernel, plan, getMapTypes(plan)),
                               plan.config.getThreads());
      // Else setmaxnreg would be ignored.
      function->setAttr("nvvm.minctasm", OpBuilder(function).getI32IntegerAttr(
                                             plan.config.blocks));
      WgmmaKernel(padded.kernel, plan).emit(function);
      functions.push_back(function);
      if (!plan.config.isStreamK)
        return;
      functions.push_back(createDeviceFunction(
          module, source.getLoc(), (name + "_fix_up").str(),
          getTypes(padded.kernel, plan, getResultTypes(plan)), 128));
      WgmmaKernel(padded.kernel, plan).emitFixUp(functions.back());
    };
    emit(found->plan, source.getSymName());
    report(functions.front(), *found);
    if (found->few)
      emit(*found->few, (source.getSymName() + "_few").str());
    for (unsigned argument : padded.arguments)
      functions.push_back(emitPaddedCopy(kernel, padded, argument, module));
    return functions;
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange given, OpBuilder &b,
                         Location loc) const override {
    std::string reason;
    FailureOr<Match> found = find(kernel, reason);
    if (failed(found))
      return failure();
    WgmmaPlan *plan = &found->plan;
    // Copies are made even if TMA cannot read the rest: only run time knows.
    SmallVector<Value> operands(given);
    for (auto [argument, copy] :
         llvm::zip_equal(found->padded.arguments,
                         functions.take_back(found->padded.arguments.size())))
      operands[argument] = launchPaddedCopy(b, loc, found->padded, argument,
                                            copy, given[argument]);
    IndexBuilder at{b, loc};
    Evaluator evaluator(found->padded.kernel, operands);
    Sizes sizes(at, *plan, evaluator);

    SmallVector<Value> conditions;
    SmallVector<Value> added;
    for (const WgmmaOperand *x : {&plan->a, &plan->b}) {
      Value buffer = operands[x->getArgument()];
      added.push_back(
          x->windows
              ? emitIm2colView(at, *x->windows, buffer, sizes.loops, conditions)
              : emitTmaView(at, x->view, buffer, sizes.loops, conditions));
    }
    auto addResults = [&](const WgmmaPlan &of, SmallVector<Value> &views) {
      for (const WgmmaOutput &output : of.outputs)
        if (output.view)
          views.push_back(emitTmaView(at, *output.view,
                                      operands[output.view->argument],
                                      sizes.loops, conditions));
      if (of.residual)
        views.push_back(emitTmaView(at, of.residual->view,
                                    operands[of.residual->view.argument],
                                    sizes.loops, conditions));
    };
    const WgmmaPlan *few = found->few ? &*found->few : nullptr;
    SmallVector<Value> addedForFew(added);
    addResults(*plan, added);
    if (few)
      addResults(*few, addedForFew);
    addAlignment(at, operands, conditions);
    // At the top, where memory is planned.
    Value areFew;
    if (few) {
      areFew = emitAreFew(at, sizes, *plan, *few);
      addedForFew.push_back(emitWorkspace(at, sizes, *few, areFew));
    } else if (plan->config.isStreamK) {
      if (!plan->problem.isKnown())
        conditions.push_back(emitCanBeCounted(at, sizes, *plan));
      added.push_back(emitWorkspace(at, sizes, *plan, Value()));
    }
    auto launch = [&] {
      if (!few) {
        emitLaunches(at, *plan, functions, operands, added, sizes);
        return;
      }
      auto branch = scf::IfOp::create(b, loc, areFew, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
      emitLaunches(at, *few, functions.drop_front(1), operands, addedForFew,
                   sizes);
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
      emitLaunches(at, *plan, functions, operands, added, sizes);
    };
    return emitWhere(at, conditions, launch, [&]() -> LogicalResult {
      FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>> others =
          getOthers(kernel, getOther(*plan), functions.front());
      if (failed(others))
        return failure();
      return getOther(*plan).emitHost(kernel, *others, given, b, loc);
    });
  }

private:
  /// How `kernel` is computed: as it is, or, where TMA cannot read the rows of
  /// its operands, with copies of those if that is worth it.
  static FailureOr<Match> find(const Kernel &kernel, std::string &reason) {
    FailureOr<WgmmaPlan> plan = matchWgmma(kernel, reason);
    if (succeeded(plan))
      return Match{{kernel, {}}, *plan, matchFewTiles(kernel, *plan)};
    std::optional<PaddedKernel> padded = getPaddedKernel(kernel);
    if (!padded)
      return failure();
    std::string ofCopy;
    plan = matchWgmma(padded->kernel, ofCopy);
    if (failed(plan)) {
      reason += "; in a copy with padded rows, " + ofCopy;
      return failure();
    }
    func::FuncOp function = kernel.function;
    WgmmaEstimate time = estimate(plan->problem, plan->config);
    double copies = estimateCopies(*padded);
    double other = time.rate * time.time / kOddRate;
    if (!function->hasAttr(AMPDialect::kScheduleAttrName) &&
        time.time + copies >= other) {
      llvm::raw_string_ostream(reason)
          << "; copies with padded rows would take "
          << llvm::format("%.1f", copies) << " microseconds";
      return failure();
    }
    return Match{*padded, *plan, matchFewTiles(padded->kernel, *plan)};
  }

  /// Whether 31 bits can count the stages of all tiles of `plan`, and there are
  /// any.
  static Value emitCanBeCounted(const IndexBuilder &at, const Sizes &sizes,
                                const WgmmaPlan &plan) {
    // None is one less than zero, as far as unsigned numbers go.
    IndexValue units = sizes.getTiles(plan.config) * sizes.getSteps(plan);
    return IndexValue::less(at, units - 1, kMaxStreamKUnits - 1);
  }

  /// Whether `few` is predicted to be faster than `plan`.
  static Value emitAreFew(const IndexBuilder &at, const Sizes &sizes,
                          const WgmmaPlan &plan, const WgmmaPlan &few) {
    Value isFaster =
        IndexValue::less(at, sizes.getTicks(few), sizes.getTicks(plan));
    return arith::AndIOp::create(at.b, at.loc, isFaster,
                                 emitCanBeCounted(at, sizes, few));
  }

  /// The workspace of a launch of `plan`, with nothing in it unless `isUsed`,
  /// if that is given.
  static Value emitWorkspace(const IndexBuilder &at, const Sizes &sizes,
                             const WgmmaPlan &plan, Value isUsed) {
    MemRefType type = plan.getWorkspaceType();
    SmallVector<Value> dynamic;
    if (!type.hasStaticShape()) {
      IndexValue slots =
          StreamK<IndexValue>{1, 1, sizes.getSharers(plan)}.getSlots();
      IndexValue size =
          slots * plan.getSlotElements() + WgmmaPlan::kWorkspaceHead;
      if (isUsed)
        size = IndexValue::select(at, isUsed, size, 0);
      dynamic.push_back(size.get(at));
    }
    return memref::AllocOp::create(at.b, at.loc, type, dynamic,
                                   at.b.getI64IntegerAttr(256));
  }

  /// Emits the launches: `added` are the views of tensor maps, and then the
  /// workspace, if there is one.
  static void emitLaunches(const IndexBuilder &at, const WgmmaPlan &plan,
                           ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                           ValueRange operands, ArrayRef<Value> added,
                           const Sizes &sizes) {
    const WgmmaConfig &config = plan.config;
    int64_t perCluster = config.getClusterBlocks();
    IndexValue tiles = sizes.getTiles(config);
    IndexValue grid =
        config.isStreamK
            ? sizes.getSharers(plan)
            : IndexValue::min(tiles, Device().processors * config.blocks /
                                         perCluster) *
                  perCluster;
    SmallVector<Value> all(operands);
    llvm::append_range(all, added);
    auto specs = [&](ArrayRef<TensorMapSpec> all) {
      SmallVector<Attribute> attributes;
      for (TensorMapSpec spec : all) {
        spec.operand = static_cast<int64_t>(operands.size()) +
                       static_cast<int64_t>(attributes.size());
        attributes.push_back(spec.getAttr(at.b.getContext()));
      }
      return at.b.getArrayAttr(attributes);
    };
    SmallVector<TensorMapSpec> ofAll = getMaps(plan);
    ::mlir::gpu::LaunchFuncOp op = createLaunch(
        at.b, at.loc, functions[0], grid.get(at), all, config.getSharedBytes());
    if (perCluster > 1) {
      op.getClusterSizeXMutable().assign(IndexValue(perCluster).get(at));
      op.getClusterSizeYMutable().assign(IndexValue(1).get(at));
      op.getClusterSizeZMutable().assign(IndexValue(1).get(at));
    }
    op->setAttr(kTensorMapsAttrName, specs(ofAll));
    op->setAttr(kPersistentAttrName, at.b.getI64IntegerAttr(config.blocks));
    if (!config.isStreamK)
      return;
    // Behind it, without the maps of A and B.
    auto *first = all.begin() + operands.size();
    all.erase(first, first + 2);
    op = createLaunch(at.b, at.loc, functions[1],
                      WgmmaKernel::getFixUpBlocks(plan, tiles).get(at), all,
                      static_cast<unsigned>(WgmmaKernel::getFixUpBytes(plan)));
    if (ofAll.size() > 2)
      op->setAttr(kTensorMapsAttrName, specs(ArrayRef(ofAll).drop_front(2)));
  }

  static void report(::mlir::gpu::GPUFuncOp function, const Match &match) {
    const WgmmaPlan &plan = match.plan;
    WgmmaEstimate time = estimate(plan.problem, plan.config);
    auto number = [](double value) {
      std::string text;
      llvm::raw_string_ostream(text) << llvm::format("%.1f", value);
      return text;
    };
    auto layout = [](const WgmmaOperand &x) {
      return x.major == Major::K ? "K" : "MN";
    };
    unsigned byTma = 0;
    for (const WgmmaOutput &output : plan.outputs)
      byTma += output.view.has_value();
    auto tiles = remark::passed(
        function.getLoc(),
        remark::RemarkOpts::name("Tiles").category("amp").function(
            function.getName()));
    tiles << remark::metric("Config", plan.config.getName())
          << remark::metric("MajorA", layout(plan.a))
          << remark::metric("MajorB", layout(plan.b))
          << remark::metric("PaddedCopies", match.padded.arguments.size())
          << remark::metric("ResultsByTma", byTma)
          << remark::metric("Windows", plan.a.windows   ? "left"
                                       : plan.b.windows ? "right"
                                                        : "none")
          << remark::metric("PredictedMicroseconds", number(time.time))
          << remark::metric("PredictedTflops", number(time.rate));
    if (!plan.c.statistics.empty())
      tiles << remark::metric("RowStatistics", plan.c.statistics.size());
    if (match.few)
      tiles << remark::metric("FewTiles", match.few->config.getName());
  }

  /// What the tensor maps of results are made of, in order.
  static SmallVector<Type> getResultTypes(const WgmmaPlan &plan) {
    SmallVector<Type> types;
    for (const WgmmaOutput &output : plan.outputs)
      if (output.view)
        types.push_back(output.view->type);
    return types;
  }

  /// The same of all tensor maps of a launch.
  static SmallVector<Type> getMapTypes(const WgmmaPlan &plan) {
    SmallVector<Type> types;
    for (const WgmmaOperand *x : {&plan.a, &plan.b})
      types.push_back(x->windows ? x->windows->type : x->view.type);
    llvm::append_range(types, getResultTypes(plan));
    if (plan.residual)
      types.push_back(plan.residual->view.type);
    return types;
  }

  /// The types of the arguments of a function with maps of `maps`.
  static SmallVector<Type> getTypes(const Kernel &kernel, const WgmmaPlan &plan,
                                    ArrayRef<Type> maps) {
    SmallVector<Type> types(kernel.operandTypes);
    llvm::append_range(types, maps);
    if (plan.config.isStreamK)
      types.push_back(plan.getWorkspaceType());
    return types;
  }

  /// The tensor maps of a launch, but for the numbers of their operands.
  static SmallVector<TensorMapSpec> getMaps(const WgmmaPlan &plan) {
    SmallVector<TensorMapSpec> maps;
    auto add = [&](TensorMapSpec spec, int64_t inner, int64_t outer,
                   int64_t swizzle) {
      spec.box.insert(spec.box.begin(), {inner, outer});
      spec.swizzle = swizzle;
      maps.push_back(spec);
    };
    auto getTiled = [](unsigned rank) {
      TensorMapSpec spec;
      spec.box.assign(rank - 2, 1);
      return spec;
    };
    for (const WgmmaOperand *x : {&plan.a, &plan.b})
      add(x->windows ? getWindows(*x->windows) : getTiled(x->view.getRank()),
          x->tile.getBoxInner(), x->getBoxOuter(), getSpan(x->tile.swizzle));
    for (const WgmmaOutput &output : plan.outputs) {
      if (!output.view)
        continue;
      TensorMapSpec spec = getTiled(output.view->getRank());
      SkinnyBuffer buffer = plan.getSkinnyBuffer(output);
      if (plan.config.isSkinny)
        add(spec, buffer.getBoxInner(), buffer.getBoxOuter(), 0);
      else
        add(spec, output.getBufferColumns(), WgmmaConfig::kWarpRows,
            output.getRowBytes() == 128 ? 128 : 0);
    }
    if (plan.residual)
      add(getTiled(plan.residual->view.getRank()), plan.residual->getColumns(),
          WgmmaConfig::kWarpRows, 128);
    return maps;
  }

  static TensorMapSpec getWindows(const Im2colView &view) {
    TensorMapSpec spec;
    for (const Im2colView::Dim &dim : view.getSpatial()) {
      spec.lower.push_back(dim.window.getLower());
      spec.upper.push_back(dim.upper);
    }
    spec.steps = {1};
    for (const Im2colView::Dim &dim : view.dims)
      spec.steps.push_back(dim.window.stride);
    return spec;
  }

  /// The schedule that takes the launches which TMA cannot serve.
  static const Schedule &getOther(const WgmmaPlan &plan) {
    return plan.c.statistics.empty() ? getMmaSyncSchedule() : getSimtSchedule();
  }

  /// The functions of `schedule` that take them, made when they are needed for
  /// the first time.
  static FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  getOthers(const Kernel &kernel, const Schedule &schedule,
            ::mlir::gpu::GPUFuncOp function) {
    auto module = function->getParentOfType<::mlir::gpu::GPUModuleOp>();
    auto getName = [&](size_t number) {
      std::string name = (function.getName() + "_unaligned").str();
      return number == 0 ? name : name + "_" + std::to_string(number);
    };
    SmallVector<::mlir::gpu::GPUFuncOp> known;
    while (auto next = module.lookupSymbol<::mlir::gpu::GPUFuncOp>(
               getName(known.size())))
      known.push_back(next);
    if (!known.empty())
      return known;
    FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>> others =
        schedule.emitDevice(kernel, module);
    if (failed(others))
      return failure();
    for (auto [number, other] : llvm::enumerate(*others)) {
      other.setName(getName(number));
      other->setAttr(kScheduleAttrName,
                     OpBuilder(other).getStringAttr(schedule.getName()));
    }
    return others;
  }
};

} // namespace

const Schedule &amp::gpu::getWgmmaSchedule() {
  static const WgmmaSchedule schedule;
  return schedule;
}
