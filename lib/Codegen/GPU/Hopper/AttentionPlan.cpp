//===- AttentionPlan.cpp - how sm_90a computes an attention ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"

#include "../Contraction.h"
#include "amp/Codegen/GPU/Evaluator.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

//===----------------------------------------------------------------------===//
// The kernel function
//===----------------------------------------------------------------------===//

FailureOr<Attention> hopper::findAttention(func::FuncOp function,
                                           std::string &reason) {
  reason.clear();
  for (auto op : function.getBody().front().getOps<linalg::GenericOp>()) {
    std::string why;
    FailureOr<Attention> found = matchAttention(op, why);
    if (succeeded(found))
      return found;
    if (!why.empty())
      reason = why;
  }
  return failure();
}

OwningOpRef<func::FuncOp> hopper::makeScoreFunction(func::FuncOp function,
                                                    bool isWhole) {
  OwningOpRef<func::FuncOp> copy(function.clone());
  std::string reason;
  FailureOr<Attention> attention = findAttention(*copy, reason);
  IRRewriter rewriter(function.getContext());
  // From the last one up: what one lets through may be another.
  if (isWhole) {
    SmallVector<AttentionMask> masks = findIndexMasks(*attention);
    for (const AttentionMask &mask : llvm::reverse(masks)) {
      arith::SelectOp select = mask.select;
      rewriter.replaceOp(select, mask.visible);
    }
  }
  for (const auto &[op, loops] : attention->scoreOps) {
    linalg::GenericOp generic = op;
    generic.getBody()->walk([&](Operation *nested) {
      if (auto extend = dyn_cast<arith::ExtFOp>(nested)) {
        auto truncate = extend.getIn().getDefiningOp<arith::TruncFOp>();
        if (truncate && truncate.getIn().getType() == extend.getType())
          rewriter.replaceOp(extend, truncate.getIn());
      } else if (auto add = dyn_cast<arith::AddFOp>(nested)) {
        // What is left of a mask.
        for (unsigned i : {0, 1})
          if (matchPattern(add->getOperand(i), m_AnyZeroFloat())) {
            rewriter.replaceOp(add, add->getOperand(1 - i));
            break;
          }
      }
    });
    // The conditions of the masks.
    for (Operation &nested :
         llvm::make_early_inc_range(llvm::reverse(*generic.getBody())))
      if (isOpTriviallyDead(&nested))
        rewriter.eraseOp(&nested);
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// The dimensions of a tensor map: `inner`, the loop `packed` if there is one,
/// `outer`, then each of the other loops `heads` on which `indices` depend and
/// that has more than one iteration; `which` gets the numbers of those.
static SmallVector<SmallVector<unsigned>>
getDims(ArrayRef<AffineExpr> indices, ArrayRef<int64_t> sizes, unsigned inner,
        std::optional<unsigned> packed, unsigned outer,
        ArrayRef<unsigned> heads, SmallVectorImpl<unsigned> &which) {
  SmallVector<SmallVector<unsigned>> dims = {{inner}};
  if (packed)
    dims.push_back({*packed});
  dims.push_back({outer});
  for (unsigned i = heads.size(); i-- > 0;) {
    if (heads[i] == packed)
      continue;
    bool isUsed = llvm::any_of(indices, [&](AffineExpr index) {
      return index.isFunctionOfDim(heads[i]);
    });
    if (!isUsed || sizes[heads[i]] == 1)
      continue;
    dims.push_back({heads[i]});
    which.push_back(i);
  }
  return dims;
}

/// Sees `operand` of `op` as a matrix over the loops `along`, that of the
/// products' sums, and `own`, for each of the loops `heads`; or as one over
/// `along`, `packed` and `own`, for each of the others.
static LogicalResult matchOperand(const Kernel &kernel, linalg::GenericOp op,
                                  OpOperand *operand, unsigned along,
                                  std::optional<unsigned> packed, unsigned own,
                                  ArrayRef<unsigned> heads, StringRef name,
                                  AttentionOperand &result,
                                  std::string &reason) {
  auto fail = [&](const Twine &why) {
    reason = ("its " + name + " cannot be read by TMA: " + why).str();
    return failure();
  };
  ContractionOperand x;
  x.operand = operand;
  x.map = op.getMatchingIndexingMap(operand);
  x.staged = getElementTypeOrSelf(operand->get().getType());
  x.innerLoop = along;
  matchDirect(x, kernel, op.getNumLoops());
  if (!x.direct || !x.direct->bounds.empty())
    return fail("they are no part of a buffer");
  SmallVector<int64_t> last =
      *getLinearForm(x.direct->indices.back(), op.getNumLoops());
  if (last[along] == 1)
    result.major = Major::K;
  else if (last[own] == 1)
    result.major = Major::MN;
  else
    return fail("no dimension of a head is contiguous");
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool isK = result.major == Major::K;
  std::string why;
  FailureOr<TmaView> view =
      matchTmaView(kernel, x.direct->argument, x.direct->indices, sizes,
                   getDims(x.direct->indices, sizes, isK ? along : own, packed,
                           isK ? own : along, heads, result.outer),
                   why);
  if (failed(view))
    return fail(why);
  result.view = *view;
  return success();
}

/// The loops of `values` that stand for `loops` of the product.
static SmallVector<unsigned> getValueLoops(const Attention &a,
                                           ArrayRef<unsigned> loops) {
  return llvm::map_to_vector(loops, [&](unsigned loop) -> unsigned {
    return llvm::find(a.valueLoops, static_cast<int>(loop)) -
           a.valueLoops.begin();
  });
}

static LogicalResult matchOutputs(const Kernel &kernel, AttentionPlan &plan,
                                  std::string &reason) {
  const Attention &a = plan.a;
  func::FuncOp function = kernel.function;
  linalg::GenericOp values = a.values;
  // Elementwise ops and permutations behind the values.
  Value value = values.getResult(0);
  SmallVector<AffineExpr> indices(
      values.getIndexingMapsArray().back().getResults());
  Operation *end = function.getBody().front().getTerminator();
  while (!llvm::is_contained(end->getOperands(), value)) {
    auto next = value.hasOneUse()
                    ? dyn_cast<linalg::GenericOp>(*value.user_begin())
                    : linalg::GenericOp();
    if (!next || next.getNumParallelLoops() != next.getNumLoops() ||
        next.getNumDpsInits() != 1 || next.getDpsInputs().front() != value ||
        !llvm::all_of(next.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); })) {
      reason = "its result is not only cast and permuted";
      return failure();
    }
    AffineMap map = next.getIndexingMapsArray().back().compose(
        inversePermutation(next.getIndexingMapsArray().front()));
    SmallVector<AffineExpr> after;
    for (AffineExpr expr : map.getResults())
      after.push_back(expr.replaceDims(indices));
    indices = after;
    value = next.getResult(0);
  }
  for (unsigned number = 0, e = end->getNumOperands(); number < e; ++number) {
    Value result = end->getOperand(number);
    AttentionOutput output;
    unsigned argument = kernel.getNumInputs() + number;
    output.element = kernel.getBufferType(argument).getElementType();
    if (!Evaluator::isLoadable(output.element)) {
      reason = "a result has elements that cannot be stored alone";
      return failure();
    }
    auto row = llvm::find_if(
        a.rowValues, [&](auto &entry) { return entry.first == result; });
    if (row != a.rowValues.end()) {
      output.rowDims = row->second;
    } else if (result == value) {
      output.indices = indices;
    } else {
      reason = "a result is neither that of the attention nor one of its rows";
      return failure();
    }
    if (!output.isOfRows() && output.element.getIntOrFloatBitWidth() == 16 &&
        getTensorMapType(output.element) &&
        indices.back() ==
            getAffineDimExpr(a.column, output.element.getContext())) {
      SmallVector<int64_t> sizes = values.getStaticLoopRanges();
      unsigned own = getValueLoops(a, a.row).front();
      std::optional<unsigned> packed;
      if (plan.packed)
        packed = getValueLoops(a, *plan.packed).front();
      std::string why;
      FailureOr<TmaView> view =
          matchTmaView(kernel, argument, indices, sizes,
                       getDims(indices, sizes, a.column, packed, own,
                               getValueLoops(a, a.outer), output.outer),
                       why);
      if (succeeded(view))
        output.view = *view;
    }
    plan.outputs.push_back(output);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Whether exp(`hidden` - m) is 0 in f32 for every maximum m of a row with a
/// key, or, where `hidden` is added, exp(score + hidden - m): what the scores
/// of finite queries and keys can be says so.
static bool isWeightless(double hidden, const AttentionPlan &plan) {
  if (std::isinf(hidden))
    return true;
  linalg::GenericOp product = plan.a.product;
  int64_t depth = product.getStaticLoopRanges()[plan.a.depth];
  // Products of bf16 reach what f32 has.
  if (!plan.scale || plan.scoreElement != WgmmaElement::F16 ||
      ShapedType::isDynamic(depth))
    return false;
  constexpr double kLargest = 65504, kUnderflow = 200;
  double largest = *plan.scale * depth * kLargest * kLargest;
  return hidden < -2 * largest - kUnderflow;
}

/// Sets what scores are, and which tiles are needed.
static void matchScores(const Kernel &kernel, AttentionPlan &plan) {
  linalg::GenericOp product = plan.a.product;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  OwningOpRef<func::FuncOp> whole = makeScoreFunction(kernel.function, true);
  std::string reason;
  FailureOr<Attention> inside = findAttention(*whole, reason);
  plan.scale = succeeded(inside) ? getScoreScale(*inside) : std::nullopt;
  SmallVector<AttentionMask> masks = findIndexMasks(plan.a);
  auto known = [&](unsigned loop) {
    return ShapedType::isDynamic(sizes[loop]) ? -1 : sizes[loop];
  };
  auto take = [&](llvm::function_ref<bool(const AttentionMask &)> isGood) {
    plan.masks.clear();
    plan.limits = AttentionLimits();
    plan.hasBounds = false;
    for (auto [number, mask] : llvm::enumerate(masks)) {
      if (!isGood(mask))
        continue;
      plan.masks.push_back(number);
      plan.hasBounds |= !mask.bounds.empty();
      AttentionLimits &limits = plan.limits;
      if (mask.upper)
        limits.upper =
            std::min(limits.upper.value_or(*mask.upper), *mask.upper);
      if (mask.lower)
        limits.lower =
            std::max(limits.lower.value_or(*mask.lower), *mask.lower);
    }
  };
  take([&](const AttentionMask &mask) {
    return isWeightless(mask.hidden, plan);
  });
  // A row that sees no key at all has the mean of all that are hidden by a
  // number, and needs them; of -inf nothing is left to need.
  bool hasNumbers = llvm::any_of(plan.masks, [&](unsigned number) {
    return !std::isinf(masks[number].hidden);
  });
  if (hasNumbers &&
      (plan.hasBounds ||
       !plan.limits.leaveOneKey(known(plan.a.row), known(plan.a.key))))
    take([](const AttentionMask &mask) { return std::isinf(mask.hidden); });
  plan.hasPayload = !plan.scale || plan.masks.size() != masks.size();
}

static WgmmaElement getElement(OpOperand *operand) {
  return getElementTypeOrSelf(operand->get().getType()).isF16()
             ? WgmmaElement::F16
             : WgmmaElement::BF16;
}

/// The configuration that `amp.schedule` names, or else the model's choice.
static LogicalResult chooseConfig(const Kernel &kernel,
                                  const AttentionProblem &problem,
                                  AttentionConfig &config,
                                  std::string &reason) {
  func::FuncOp function = kernel.function;
  auto forced =
      function->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
  StringRef wanted = forced ? forced.getValue().split(':').second : "";
  if (wanted.empty()) {
    config = chooseAttentionConfig(problem);
    reason = config.check();
    return success(reason.empty());
  }
  SmallVector<std::string> names;
  for (const AttentionConfig &candidate : getAttentionConfigs(problem)) {
    names.push_back(candidate.getName());
    if (names.back() == wanted) {
      config = candidate;
      return success();
    }
  }
  reason = "it has no configuration '" + wanted.str() + "', but " +
           llvm::join(names, ", ");
  return failure();
}

FailureOr<AttentionPlan> hopper::matchAttentionPlan(const Kernel &kernel,
                                                    std::string &reason) {
  if (!kernel.target.hasHopperTensorCores()) {
    reason = "'" + kernel.target.chip + "' has no warpgroup instructions";
    return failure();
  }
  AttentionPlan plan;
  FailureOr<Attention> found = findAttention(kernel.function, reason);
  if (failed(found))
    return failure();
  plan.a = *found;
  const Attention &a = plan.a;
  linalg::GenericOp product = a.product, values = a.values;
  SmallVector<int64_t> sizes = product.getStaticLoopRanges(),
                       valueSizes = values.getStaticLoopRanges();
  if (product.getMatchingIndexingMap(a.k).isFunctionOfDim(a.row)) {
    reason = "it has no loop over rows";
    return failure();
  }
  plan.scoreElement = getElement(a.q);
  plan.valueElement = getElement(a.v);
  AttentionProblem problem;
  problem.depth = sizes[a.depth];
  problem.columns = valueSizes[a.column];
  if (ShapedType::isDynamic(problem.depth) ||
      ShapedType::isDynamic(problem.columns) ||
      std::min(problem.depth, problem.columns) < 16 ||
      std::max(problem.depth, problem.columns) > 256 ||
      problem.depth % 8 != 0 || problem.columns % 8 != 0) {
    reason = "the size of its heads is no multiple of 8 from 16 to 256";
    return failure();
  }
  if (sizes[a.key] == 0 || sizes[a.row] == 0) {
    reason = "it has no rows or no keys";
    return failure();
  }
  auto matchQueries = [&](std::optional<unsigned> packed) {
    plan.q = {};
    return matchOperand(kernel, product, a.q, a.depth, packed, a.row, a.outer,
                        "queries", plan.q, reason);
  };
  if (failed(matchQueries(std::nullopt)) ||
      failed(matchOperand(kernel, product, a.k, a.depth, std::nullopt, a.key,
                          a.outer, "keys", plan.k, reason)) ||
      failed(matchOperand(kernel, values, a.v, getValueLoops(a, a.key).front(),
                          std::nullopt, a.column, getValueLoops(a, a.outer),
                          "values", plan.v, reason)) ||
      failed(Evaluator::check(kernel, reason)) ||
      failed(matchOutputs(kernel, plan, reason)))
    return failure();
  matchScores(kernel, plan);
  problem.majorQ = plan.q.major;
  problem.majorK = plan.k.major;
  problem.majorV = plan.v.major;
  problem.hasPayload = plan.hasPayload;
  problem.hasBounds = plan.hasBounds;
  problem.hasLimits = plan.limits.any();
  problem.heads = 1;
  for (unsigned loop : a.outer)
    problem.heads = problem.heads < 0 || ShapedType::isDynamic(sizes[loop])
                        ? -1
                        : problem.heads * sizes[loop];
  problem.rows = ShapedType::isDynamic(sizes[a.row]) ? -1 : sizes[a.row];
  problem.keys = ShapedType::isDynamic(sizes[a.key]) ? -1 : sizes[a.key];
  std::optional<unsigned> shared = getSharedLoop(a);
  if (shared)
    problem.shared = sizes[*shared];
  if (failed(chooseConfig(kernel, problem, plan.config, reason)))
    return failure();
  if (!plan.config.packsHeads)
    return plan;
  plan.packed = shared;
  plan.outputs.clear();
  if (failed(matchQueries(shared)) ||
      failed(matchOutputs(kernel, plan, reason)))
    return failure();
  return plan;
}
