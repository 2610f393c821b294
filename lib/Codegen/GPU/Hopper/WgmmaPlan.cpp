//===- WgmmaPlan.cpp - how sm_90a computes a contraction ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaPlan.h"

#include "amp/Codegen/GPU/Evaluator.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

/// Results of so few rows or columns are for skinny tiles, but are left to
/// `mma-sync` where there is too little to fetch.
static constexpr int64_t kMinExtent = 33, kMinFetched = 64 * 1024;

static WgmmaKind getKind(const Contraction &c) {
  auto ofF8 = [](Type type) {
    return isa<Float8E5M2Type>(type) ? WgmmaElement::E5M2 : WgmmaElement::E4M3;
  };
  if (c.a.staged.getIntOrFloatBitWidth() == 8 && isa<FloatType>(c.a.staged))
    return {ofF8(c.a.staged), ofF8(c.b.staged)};
  MmaKind kind = *c.mma;
  auto both = [](WgmmaElement element) { return WgmmaKind{element, element}; };
  switch (kind.element) {
  case MmaKind::F16:
    return both(WgmmaElement::F16);
  case MmaKind::BF16:
    return both(WgmmaElement::BF16);
  case MmaKind::TF32:
    return both(WgmmaElement::TF32);
  case MmaKind::I8:
    return {kind.isSignedA ? WgmmaElement::S8 : WgmmaElement::U8,
            kind.isSignedB ? WgmmaElement::S8 : WgmmaElement::U8};
  }
  llvm_unreachable("unknown kind of mma");
}

/// The sizes of the loops of `c`, as far as the operands of the launch tell.
static SmallVector<int64_t> getSizes(const Contraction &c) {
  linalg::GenericOp op = c.op;
  return op.getStaticLoopRanges();
}

/// Dimensions of a tensor map: `inner`, `outer`, then each loop of the batch
/// that has more than one iteration.
static SmallVector<SmallVector<unsigned>> getDims(const Contraction &c,
                                                  ArrayRef<int64_t> sizes,
                                                  ArrayRef<unsigned> inner,
                                                  ArrayRef<unsigned> outer) {
  SmallVector<SmallVector<unsigned>> dims = {llvm::to_vector(inner),
                                             llvm::to_vector(outer)};
  for (unsigned loop : llvm::reverse(c.batch))
    if (sizes[loop] != 1)
      dims.push_back({loop});
  return dims;
}

static bool isStatic(const Kernel &kernel, const ContractionOperand &x,
                     ArrayRef<int64_t> sizes) {
  auto [strides, offset] =
      kernel.getBufferType(x.direct->argument).getStridesAndOffset();
  return llvm::none_of(sizes, ShapedType::isDynamic) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// The operand `x`, whose loops are `own` and those of K. `others` are the
/// windows of the other operand, if those have been found.
static LogicalResult matchOperand(const Kernel &kernel, const Contraction &c,
                                  const ContractionOperand &x,
                                  ArrayRef<int64_t> sizes,
                                  ArrayRef<unsigned> own, const WgmmaPlan &plan,
                                  StringRef name, bool othersHaveWindows,
                                  WgmmaOperand &result, std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = ("its " + name + " operand cannot be read by TMA: " + why).str();
    return failure();
  };
  if (!x.casts.empty())
    return fail("it is cast while it is read");
  if (!x.direct)
    return fail("it is no part of a buffer with one contiguous dimension");
  result.major = x.isAlongK ? Major::K : Major::MN;
  if (result.major == Major::MN && c.getStagedBits() != 16)
    return fail("elements of other than 16 bits must be contiguous along the "
                "reduction");
  std::string why;
  auto matchTiles = [&](ArrayRef<SmallVector<unsigned>> tapDims) {
    SmallVector<SmallVector<unsigned>> dims =
        result.major == Major::K ? getDims(c, sizes, plan.inner, own)
                                 : getDims(c, sizes, own, plan.inner);
    llvm::append_range(dims, tapDims);
    FailureOr<TmaView> view = matchTmaView(kernel, x.direct->argument,
                                           x.direct->indices, sizes, dims, why);
    if (succeeded(view))
      result.view = *view;
    return succeeded(view);
  };
  if (othersHaveWindows) {
    if (!x.direct->bounds.empty())
      return fail("it is padded");
    // The taps as one dimension, or as one each.
    if (plan.taps.empty() ? matchTiles({}) : matchTiles({plan.taps}))
      return success();
    SmallVector<SmallVector<unsigned>> each;
    for (unsigned tap : llvm::reverse(plan.taps))
      each.push_back({tap});
    return matchTiles(each) ? success() : fail(why);
  }
  // Windows that lie one behind the other may be rows of a matrix as well. What
  // is not known would match, and not hold.
  bool windows = hasWindows(c, x);
  if (x.direct->bounds.empty() && (!windows || isStatic(kernel, x, sizes)) &&
      matchTiles({}))
    return success();
  if (!windows)
    return fail(why);
  if (result.major != Major::K)
    return fail("its channels are not contiguous");
  FailureOr<Im2colView> view = matchIm2colView(kernel, c, x, sizes, own, why);
  if (failed(view))
    return fail(why);
  result.windows = *view;
  return success();
}

/// Sets A and B of `plan`, and how K is walked through.
static LogicalResult matchOperands(const Kernel &kernel, WgmmaPlan &plan,
                                   ArrayRef<int64_t> sizes,
                                   std::string &reason) {
  const Contraction &c = plan.c;
  plan.inner = llvm::to_vector(c.k);
  // What has windows decides for both.
  bool isBFirst = hasWindows(c, c.b) && !hasWindows(c, c.a);
  for (bool isB : {isBFirst, !isBFirst}) {
    bool hasOther = isB != isBFirst && (isBFirst ? plan.b : plan.a).windows;
    if (failed(matchOperand(kernel, c, isB ? c.b : c.a, sizes, isB ? c.n : c.m,
                            plan, isB != plan.isSwapped ? "right" : "left",
                            hasOther, isB ? plan.b : plan.a, reason)))
      return failure();
    const WgmmaOperand &x = isB ? plan.b : plan.a;
    if (!x.windows)
      continue;
    if (isB != isBFirst) {
      reason = "both operands have windows";
      return failure();
    }
    plan.inner = {x.windows->channels};
    for (unsigned loop : c.k)
      if (loop != x.windows->channels && sizes[loop] != 1)
        plan.taps.push_back(loop);
  }
  return success();
}

/// Says in `plan.problem` what windows change.
static void setReads(const Kernel &kernel, WgmmaPlan &plan,
                     ArrayRef<int64_t> sizes) {
  for (unsigned tap : plan.taps)
    plan.problem.taps *= sizes[tap];
  for (auto [x, elements] : {std::pair(&plan.a, &plan.problem.elementsA),
                             std::pair(&plan.b, &plan.problem.elementsB)}) {
    if (!x->windows)
      continue;
    MemRefType type = kernel.getBufferType(x->windows->argument);
    if (type.hasStaticShape())
      *elements = type.getNumElements();
  }
}

static OperandTile getTile(const WgmmaOperand &x, int64_t extent,
                           unsigned bits) {
  return {extent, WgmmaConfig::kStageBytes * 8 / bits, bits, x.major,
          Swizzle::B128};
}

/// Whether TMA stores elements of type `element`.
static bool isStorable(Type element) {
  return Evaluator::isLoadable(element) && !element.isIndex() &&
         getTensorMapType(element) && element.getIntOrFloatBitWidth() <= 32;
}

static WgmmaOutput getOutput(const Kernel &kernel, const Contraction &c,
                             ArrayRef<int64_t> sizes, unsigned number) {
  unsigned argument = kernel.getNumInputs() + number;
  WgmmaOutput output;
  output.element = kernel.getBufferType(argument).getElementType();
  if (c.getStatistic(number) || !isStorable(output.element))
    return output;
  std::string why;
  FailureOr<TmaView> view =
      matchTmaView(kernel, argument, c.results[number], sizes,
                   getDims(c, sizes, c.n, c.m), why);
  if (succeeded(view))
    output.view = *view;
  return output;
}

/// Finds, for tiles of few columns, along which dimension TMA stores the
/// results, that of the rows first where sides are exchanged. Only types tell:
/// at run time, kernels that are far slower would take what TMA cannot store,
/// which threads can.
static void setSkinnyOutputs(const Kernel &kernel, ArrayRef<int64_t> sizes,
                             WgmmaPlan &plan) {
  const Contraction &c = plan.c;
  for (auto [number, output] : llvm::enumerate(plan.outputs)) {
    output.view.reset();
    if (c.getStatistic(number) || !isStorable(output.element))
      continue;
    for (bool isAlongRows : {plan.isSwapped, !plan.isSwapped}) {
      output.isAlongRows = isAlongRows;
      if (!plan.getSkinnyBuffer(output).isValid())
        continue;
      std::string why;
      FailureOr<TmaView> view = matchTmaView(
          kernel, kernel.getNumInputs() + number, c.results[number], sizes,
          isAlongRows ? getDims(c, sizes, c.m, c.n)
                      : getDims(c, sizes, c.n, c.m),
          why);
      if (failed(view) || !view->type.hasStaticShape())
        continue;
      auto [strides, offset] = view->type.getStridesAndOffset();
      if (ShapedType::isDynamic(offset) ||
          llvm::any_of(strides, ShapedType::isDynamic))
        continue;
      output.view = *view;
      break;
    }
  }
}

/// Whether the elements of all results can be computed in pairs along N.
static bool hasPairs(const Kernel &kernel, const Contraction &contraction,
                     ArrayRef<int64_t> sizes) {
  Contraction c = contraction;
  unsigned inner = c.n.back();
  if (!Evaluator::hasVectorForm(kernel) ||
      ShapedType::isDynamic(sizes[inner]) || sizes[inner] % 2 != 0)
    return false;
  auto isAlongN = [&](AffineExpr expr) {
    return expr == getAffineDimExpr(inner, expr.getContext());
  };
  AffineMap map = c.op.getMatchingIndexingMap(c.op.getDpsInitOperand(0));
  auto endsAlongN = [&](ArrayRef<AffineExpr> indices) {
    return !indices.empty() && isAlongN(indices.back());
  };
  if (!endsAlongN(map.getResults()))
    return false;
  for (auto [number, indices] : llvm::enumerate(c.results)) {
    const RowStatistic *statistic = c.getStatistic(number);
    if (!endsAlongN(statistic ? ArrayRef(statistic->indices)
                              : ArrayRef(indices)))
      return false;
  }
  return true;
}

/// Whether `config` has the registers for statistics of rows beside results
/// that threads store: with ping-pong, a consumer has twice the rows.
static bool hasRegisters(const WgmmaPlan &plan, const WgmmaConfig &config) {
  if (plan.c.statistics.empty() || !config.isPingPong)
    return true;
  for (auto [number, output] : llvm::enumerate(plan.outputs))
    if (!output.view && !plan.c.getStatistic(number))
      return false;
  return true;
}

/// The configuration that `amp.schedule` names, or else the one that is
/// predicted to be the fastest.
static LogicalResult chooseConfig(const Kernel &kernel, WgmmaPlan &plan,
                                  std::string &reason) {
  func::FuncOp function = kernel.function;
  auto forced =
      function->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
  StringRef wanted = forced ? forced.getValue().split(':').second : "";
  std::vector<WgmmaConfig> all = getWgmmaConfigs(plan.problem);
  llvm::erase_if(all, [&](const WgmmaConfig &config) {
    return !hasRegisters(plan, config);
  });
  if (wanted.empty()) {
    plan.config = *llvm::min_element(all, [&](auto &l, auto &r) {
      return estimate(plan.problem, l).time < estimate(plan.problem, r).time;
    });
    return success();
  }
  SmallVector<std::string> names;
  for (const WgmmaConfig &config : all) {
    names.push_back(config.getName());
    if (names.back() == wanted) {
      plan.config = config;
      return success();
    }
  }
  // Of those for any problem, one that is not for this.
  for (const WgmmaConfig &config : getWgmmaConfigs())
    if (config.getName() == wanted) {
      reason = check(plan.problem, config);
      if (reason.empty())
        reason = "statistics of rows, beside results whose elements threads "
                 "store, need more registers than ping-pong leaves";
      return failure();
    }
  reason = "it has no configuration '" + wanted.str() + "', but " +
           llvm::join(names, ", ");
  return failure();
}

/// Exchanges A and B, and M and N.
static void swapSides(Contraction &c) {
  std::swap(c.a, c.b);
  std::swap(c.m, c.n);
  std::swap(c.mma->isSignedA, c.mma->isSignedB);
}

/// Whether the rows of the result are few, and fewer than its columns, for
/// tiles that have all of them.
static bool isWide(const Kernel &kernel, int64_t rows, int64_t columns) {
  func::FuncOp function = kernel.function;
  auto forced =
      function->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
  StringRef wanted = forced ? forced.getValue().split(':').second : "";
  return rows >= 0 && rows <= 64 && (columns < 0 || columns > rows) &&
         (wanted.empty() || wanted.starts_with("skinny"));
}

/// Finds an operand of the epilogue that TMA can bring, and makes room for it.
/// The order of its chunks is that of stores by TMA of one result, in pairs.
static void chooseResidual(const Kernel &kernel, ArrayRef<int64_t> sizes,
                           WgmmaPlan &plan) {
  if (plan.config.isSkinny || plan.config.isStreamK || plan.width != 2 ||
      plan.outputs.size() != 1 || !plan.outputs.front().view)
    return;
  const Contraction &c = plan.c;
  for (const auto &[argument, indices] : c.others) {
    WgmmaResidual residual;
    residual.argument = argument;
    residual.element = getElementTypeOrSelf(argument.getType());
    std::string why;
    if (!argument.hasOneUse() ||
        !(residual.element.isF32() || residual.element.isF16() ||
          residual.element.isBF16()) ||
        kernel.getBufferType(argument.getArgNumber()).getElementType() !=
            residual.element)
      continue;
    FailureOr<TmaView> view =
        matchTmaView(kernel, argument.getArgNumber(), indices, sizes,
                     getDims(c, sizes, c.n, c.m), why);
    std::optional<WgmmaConfig> config = hopper::addResidual(plan.config);
    // Two buffers are used in turns, also by the next tile.
    if (failed(view) || !config || residual.getChunks(plan.config) % 2 != 0)
      continue;
    residual.view = *view;
    plan.residual = std::move(residual);
    plan.config = *config;
    return;
  }
}

MemRefType WgmmaPlan::getWorkspaceType() const {
  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      c.accType.getContext(), ::mlir::gpu::AddressSpace::Global);
  int64_t size = ShapedType::kDynamic;
  if (problem.isKnown())
    size = kWorkspaceHead +
           getStreamK(problem, config).getSlots() * getSlotElements();
  return MemRefType::get({size}, c.accType, MemRefLayoutAttrInterface(), space);
}

/// Sets the results of `plan` as any configuration but one of few columns
/// stores them.
static void setOutputs(const Kernel &kernel, ArrayRef<int64_t> sizes,
                       WgmmaPlan &plan) {
  plan.outputs.clear();
  for (unsigned number = 0, e = plan.c.results.size(); number < e; ++number)
    plan.outputs.push_back(getOutput(kernel, plan.c, sizes, number));
}

/// Sets what depends on the configuration of `plan`.
static void finish(const Kernel &kernel, ArrayRef<int64_t> sizes,
                   WgmmaPlan &plan) {
  if (plan.config.isSkinny)
    setSkinnyOutputs(kernel, sizes, plan);
  chooseResidual(kernel, sizes, plan);
  unsigned bits = plan.kind.getBits();
  plan.a.tile = getTile(plan.a, plan.config.getSharedRows(), bits);
  plan.a.loaded = plan.config.blockM;
  plan.b.tile = getTile(plan.b, plan.config.blockN, bits);
  plan.b.loaded = plan.config.blockN;
  plan.a.sharers = plan.config.clusterN;
  plan.b.sharers = plan.config.clusterM;
}

FailureOr<WgmmaPlan> hopper::matchWgmma(const Kernel &kernel,
                                        std::string &reason) {
  if (!kernel.target.hasHopperTensorCores()) {
    reason = "'" + kernel.target.chip + "' has no warpgroup instructions";
    return failure();
  }
  FailureOr<Contraction> matched = matchContraction(
      kernel, reason, F8Operands::AsTheyAre, RowStatistics::Allowed);
  if (failed(matched))
    return failure();
  WgmmaPlan plan;
  plan.c = *matched;
  const Contraction &c = plan.c;
  if (!c.mma) {
    reason = "no tensor core instruction multiplies these types";
    return failure();
  }
  SmallVector<int64_t> sizes = getSizes(c);
  auto product = [&](ArrayRef<unsigned> loops) {
    int64_t result = 1;
    for (unsigned loop : loops)
      result = result < 0 || ShapedType::isDynamic(sizes[loop])
                   ? -1
                   : result * sizes[loop];
    return result;
  };
  // Statistics are of what is a row then, too.
  plan.isSwapped =
      c.statistics.empty() && isWide(kernel, product(c.m), product(c.n));
  if (plan.isSwapped)
    swapSides(plan.c);
  plan.kind = getKind(c);
  WgmmaProblem &problem = plan.problem;
  problem = {product(c.batch), product(c.m),        product(c.n),
             product(c.k),     plan.kind.getBits(), 0};
  problem.isPromoted = plan.kind.isF8() && !kernel.fastF8;
  problem.statistics = c.statistics.size();
  if (problem.k == 0) {
    reason = "it has nothing to add up";
    return failure();
  }
  if (failed(matchOperands(kernel, plan, sizes, reason)) ||
      failed(Evaluator::check(kernel, reason)))
    return failure();
  setReads(kernel, plan, sizes);
  problem.isAlongM = plan.a.major == Major::MN;
  problem.isAlongN = plan.b.major == Major::MN;
  int64_t few = std::min(problem.m, problem.n);
  int64_t many = std::max(problem.m, problem.n);
  if (few >= 0 && few < kMinExtent && problem.k >= 0 &&
      many * problem.k * problem.operandBits / 8 < kMinFetched &&
      !func::FuncOp(kernel.function)->hasAttr(AMPDialect::kScheduleAttrName)) {
    reason = "its result has only " + std::to_string(few) +
             " rows or columns, and its operands are small";
    return failure();
  }
  setOutputs(kernel, sizes, plan);
  for (auto [number, output] : llvm::enumerate(plan.outputs))
    if (!c.getStatistic(number))
      problem.resultBits += output.element.getIntOrFloatBitWidth();
  plan.width = hasPairs(kernel, c, sizes) ? 2 : 1;
  if (failed(chooseConfig(kernel, plan, reason)))
    return failure();
  finish(kernel, sizes, plan);
  return plan;
}

std::optional<WgmmaPlan> hopper::matchFewTiles(const Kernel &kernel,
                                               const WgmmaPlan &plan) {
  if (func::FuncOp(kernel.function)->hasAttr(AMPDialect::kScheduleAttrName))
    return std::nullopt;
  std::optional<WgmmaConfig> config =
      chooseForFewTiles(plan.problem, plan.config);
  if (!config)
    return std::nullopt;
  WgmmaPlan result = plan;
  result.config = *config;
  result.residual.reset();
  setOutputs(kernel, getSizes(plan.c), result);
  finish(kernel, getSizes(plan.c), result);
  return result;
}
