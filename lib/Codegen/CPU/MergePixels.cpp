//===- MergePixels.cpp - convolutions with channels last ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A convolution with channels last (NHWC) is the product of a matrix of one row
// for each pixel of the result and the filter. Here the loops over pixels
// become one, so that neither the result nor what follows on its tiles takes
// its number apart again; only the image does. And of few channels, the columns
// of a window and the channels of each become one reduction.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "Emit.h"
#include "Epilogue.h"
#include "Normalize.h"

#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::amp;

/// `value` with the dimensions from `first` on for `count` as one.
static Value mergeDims(RewriterBase &rewriter, Location loc, Value value,
                       int64_t first, int64_t count) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return tensor::CollapseShapeOp::create(rewriter, loc, value,
                                         cpu::groupDims(rank, first, count));
}

//===----------------------------------------------------------------------===//
// Columns and channels of a window
//===----------------------------------------------------------------------===//

/// A convolution over an image [.., w, c] with a filter [.., kw, c, ..] and
/// w = e + kw becomes one over [.., w * c] with [.., kw * c, ..].
static void mergeShortRows(RewriterBase &rewriter, linalg::GenericOp op,
                           const cpu::CPUTarget &target) {
  std::optional<cpu::Roles> roles = cpu::matchRoles(op);
  MLIRContext *context = op.getContext();
  unsigned k = roles->k, loops = op.getNumLoops();
  AffineMap image = roles->aMap;
  unsigned rank = image.getNumResults();
  int64_t channels = roles->sizes[k];
  if (ShapedType::isDynamic(channels) || channels >= cpu::kShortRow ||
      rank < 2 || image.getResult(rank - 1) != getAffineDimExpr(k, context))
    return;
  AffineExpr column = image.getResult(rank - 2);
  for (unsigned kw : roles->segments) {
    AffineExpr dim = getAffineDimExpr(kw, context);
    AffineExpr rest = simplifyAffineExpr(column - dim, loops, 0);
    auto at = roles->bMap.getResultPosition(dim);
    if (!at || *at + 1 == roles->bMap.getNumResults() ||
        roles->bMap.getResult(*at + 1) != getAffineDimExpr(k, context) ||
        ShapedType::isDynamic(roles->sizes[kw]) || rest.isFunctionOfDim(kw) ||
        llvm::any_of(image.getResults().drop_back(2),
                     [&](AffineExpr expr) { return expr.isFunctionOfDim(kw); }))
      continue;
    // The merged loop takes the place of kw; the one over channels goes.
    SmallVector<AffineExpr> renumbered;
    for (unsigned d = 0; d < loops; ++d)
      renumbered.push_back(getAffineDimExpr(d - (d > k), context));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineExpr> a(image.getResults().drop_back(2));
    a.push_back(rest * channels + dim);
    maps[roles->a->getOperandNumber()] = AffineMap::get(loops, 0, a, context);
    SmallVector<AffineExpr> filter(roles->bMap.getResults());
    filter.erase(filter.begin() + *at + 1);
    maps[roles->b->getOperandNumber()] =
        AffineMap::get(loops, 0, filter, context);
    for (AffineMap &map : maps)
      map = map.replaceDimsAndSymbols(renumbered, {}, loops - 1, 0);
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    kinds.erase(kinds.begin() + k);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs = op.getDpsInputs();
    Location loc = op.getLoc();
    Value &x = inputs[roles->a->getOperandNumber()];
    Value &w = inputs[roles->b->getOperandNumber()];
    x = mergeDims(rewriter, loc, x, rank - 2, 2);
    w = mergeDims(rewriter, loc, w, *at, 2);
    auto merged =
        linalg::GenericOp::create(rewriter, loc, op.getResultTypes(), inputs,
                                  op.getDpsInits(), maps, kinds);
    rewriter.inlineRegionBefore(op.getRegion(), merged.getRegion(),
                                merged.getRegion().begin());
    rewriter.replaceOp(op, merged.getResults());
    return;
  }
}

void cpu::mergeShortRows(FunctionOpInterface function,
                         const CPUTarget &target) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops)
    if (isPackableContraction(op, target))
      ::mergeShortRows(rewriter, op, target);
}

//===----------------------------------------------------------------------===//
// Pixels of the result
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions of a result, `count` from `first` on, which are rows.
struct Pixels {
  int64_t first, count;
};
} // namespace

/// The first of the loops of the elementwise `op` over `pixels` of its result,
/// if they can become one loop; else nothing.
static std::optional<unsigned> getFirstLoop(linalg::GenericOp op,
                                            Pixels pixels) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isPermutation() || cpu::isInserted(op))
    return std::nullopt;
  unsigned loop = map.getDimPosition(pixels.first);
  for (int64_t i = 1; i < pixels.count; ++i)
    if (map.getDimPosition(pixels.first + i) != loop + i)
      return std::nullopt;
  bool isGroup = llvm::any_of(
      cpu::getCollapsibleLoops(op), [&](const ReassociationIndices &group) {
        return group.front() <= loop && group.back() >= loop + pixels.count - 1;
      });
  return isGroup ? std::optional(loop) : std::nullopt;
}

/// Makes one of the loops of `op` over `pixels` of its result.
static void mergeLoops(RewriterBase &rewriter, linalg::GenericOp op,
                       Pixels pixels) {
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> result = linalg::collapseOpIterationDims(
      op,
      cpu::groupDims(op.getNumLoops(), *getFirstLoop(op, pixels), pixels.count),
      rewriter);
  if (succeeded(result))
    rewriter.replaceOp(op, result->results);
}

/// The pixels of the result of `op`, where their loops can become one, and with
/// them those of what its sums start from and of `epilogue`.
static std::optional<Pixels> matchPixels(linalg::GenericOp op,
                                         const cpu::Roles &roles,
                                         const cpu::Epilogue &epilogue) {
  ArrayRef<unsigned> rows = roles.rows;
  if (roles.windows || rows.size() < 2 || roles.aMap.isProjectedPermutation() ||
      cpu::isInserted(op))
    return std::nullopt;
  MLIRContext *context = op.getContext();
  Value start = roles.c->get();
  Pixels pixels = {
      *roles.cMap.getResultPosition(getAffineDimExpr(rows[0], context)),
      int64_t(rows.size())};
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (row != rows[0] + i ||
        roles.cMap.getResult(pixels.first + i) !=
            getAffineDimExpr(row, context) ||
        (i > 0 && (ShapedType::isDynamic(roles.sizes[row]) ||
                   !cpu::areOneInMemory(start, pixels.first + i - 1))))
      return std::nullopt;
  }
  if (cpu::matchBroadcast(start).first &&
      !getFirstLoop(start.getDefiningOp<linalg::GenericOp>(), pixels))
    return std::nullopt;
  // What follows has them in the same dimensions.
  for (linalg::GenericOp next : epilogue.getOps()) {
    std::optional<unsigned> loop = getFirstLoop(next, pixels);
    if (!loop)
      return std::nullopt;
    for (OpOperand *operand : next.getDpsInputOperands()) {
      Operation *producer = operand->get().getDefiningOp();
      if (producer != op && !llvm::is_contained(epilogue.getOps(), producer))
        continue;
      AffineMap map = next.getMatchingIndexingMap(operand);
      if (map.getResult(pixels.first) != getAffineDimExpr(*loop, context))
        return std::nullopt;
    }
  }
  return pixels;
}

/// Makes one of the loops of `op` over `pixels`, and of what starts and follows
/// its sums.
static void mergePixels(RewriterBase &rewriter, linalg::GenericOp op,
                        const cpu::Roles &roles, const cpu::Epilogue &epilogue,
                        Pixels pixels) {
  MLIRContext *context = op.getContext();
  ArrayRef<unsigned> rows = roles.rows;
  unsigned loops = op.getNumLoops(), gone = rows.size() - 1;
  // Each of the loops by the one over all pixels.
  AffineExpr pixel = getAffineDimExpr(rows[0], context);
  SmallVector<AffineExpr> numbers;
  for (unsigned d = 0; d < loops; ++d)
    numbers.push_back(getAffineDimExpr(d <= rows[0] ? d : d - gone, context));
  int64_t after = 1;
  for (unsigned row : llvm::reverse(rows)) {
    int64_t size = roles.sizes[row];
    bool isFirst = llvm::all_of(
        rows.take_while([&](unsigned other) { return other != row; }),
        [&](unsigned other) { return roles.sizes[other] == 1; });
    numbers[row] = pixel.floorDiv(after);
    if (size == 1)
      numbers[row] = getAffineConstantExpr(0, context);
    else if (!isFirst)
      numbers[row] = numbers[row] % size;
    after *= size;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(numbers, {}, loops - gone, 0);
  // The result has one dimension of pixels.
  SmallVector<AffineExpr> result(roles.cMap.getResults());
  result.erase(result.begin() + pixels.first + 1,
               result.begin() + pixels.first + pixels.count);
  numbers[rows[0]] = pixel;
  maps.back() = AffineMap::get(loops, 0, result, context)
                    .replaceDimsAndSymbols(numbers, {}, loops - gone, 0);
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds.erase(kinds.begin() + rows[0] + 1,
              kinds.begin() + rows[0] + rows.size());

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value init = roles.c->get();
  Value start = mergeDims(rewriter, loc, init, pixels.first, pixels.count);
  SmallVector<Value> inputs = op.getDpsInputs();
  auto merged = linalg::GenericOp::create(rewriter, loc, start.getType(),
                                          inputs, start, maps, kinds);
  rewriter.inlineRegionBefore(op.getRegion(), merged.getRegion(),
                              merged.getRegion().begin());
  auto type = cast<RankedTensorType>(init.getType());
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, type, merged.getResult(0),
      cpu::groupDims(type.getRank(), pixels.first, pixels.count),
      tensor::getMixedSizes(rewriter, loc, init));
  rewriter.replaceOp(op, expanded);
  if (cpu::matchBroadcast(init).first)
    mergeLoops(rewriter, init.getDefiningOp<linalg::GenericOp>(), pixels);
  for (linalg::GenericOp next : epilogue.getOps())
    mergeLoops(rewriter, next, pixels);
}

void cpu::mergePixels(FunctionOpInterface function, const CPUTarget &target) {
  MLIRContext *context = function->getContext();
  IRRewriter rewriter(context);
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) {
    if (isPackableContraction(op, target))
      ops.push_back(op);
  });
  bool hasChanged = false;
  for (linalg::GenericOp op : ops) {
    std::optional<Roles> roles = matchRoles(op);
    Epilogue epilogue = Epilogue::collect(op, roles->n);
    std::optional<Pixels> pixels = matchPixels(op, *roles, epilogue);
    if (!pixels)
      continue;
    // A loop of one iteration goes, and with it what tells how much is read.
    sliceToLoops(rewriter, op);
    ::mergePixels(rewriter, op, *roles, epilogue, *pixels);
    hasChanged = true;
  }
  if (!hasChanged)
    return;
  RewritePatternSet patterns(context);
  populateReshapePatterns(patterns);
  // Who only asks for the sizes of a value is no reader of it.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  (void)applyPatternsGreedily(function, std::move(patterns));
}
