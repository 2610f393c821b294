//===- FewColumns.cpp - products of many rows by a few columns ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Columns that are fewer than a register's lanes leave the others idle: ten
// classes, four numbers of a box. The transposed product has them as rows, a
// few of which are multiplied by those of A, where A is, along k. B and the
// result, which are small, are transposed.
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "GroupDot.h"
#include "Normalize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether the transposed product of `roles` is as good or better: measured on
/// Zen 4, with 32 to 4096 rows and k of 128 to 4096, it is 1.1 to 7 (f32), 1.5
/// to 7 (bf16) and 1.2 to 5 times (i8) as fast. With 16 registers, 8 columns
/// are so with AVX2 and f32, bf16 or f16 (1.1 to 1.4 times), and not with SSE2
/// or groups.
static bool isBetterTurned(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kLeastRows = 32, kMostOfFew = 6;
  int64_t n = roles.sizes[roles.n];
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  bool isWide =
      target.vectorRegisters > 16 || (!dot && target.vectorBits >= 256);
  if (ShapedType::isDynamic(n) || n < 2 ||
      n > (isWide ? kMostDotRows : kMostOfFew) || roles.windows ||
      !roles.segments.empty() || !roles.others.empty() ||
      (dot && dot->isTile) || !roles.aMap.isProjectedPermutation() ||
      !roles.bMap.isProjectedPermutation() || !roles.aRowsAreContiguous())
    return false;
  return roles.getSize(roles.rows, kLeastRows) >= kLeastRows &&
         roles.getSize(roles.k, 1024) >= getLeastDotDepth(n, dot.has_value());
}

/// Whether long rows of channels of an image meet channels of a filter that are
/// not neighbours: with 64 channels, 2 to 4 filters are 2.2 times as fast so.
static bool hasLongRowsAcross(const Roles &roles) {
  return roles.getSize(roles.k, kShortRow) >= kShortRow &&
         roles.aRowsAreContiguous() && roles.bRowsAreContiguous() &&
         roles.sizes[roles.n] > 1 && roles.bMap.isProjectedPermutation();
}

/// `value`, indexed by `from`, as it is indexed by `to`, the same loops in
/// another order.
static Value transpose(RewriterBase &rewriter, Location loc, Value value,
                       AffineMap from, AffineMap to) {
  if (from == to)
    return value;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value),
                            turned;
  // Loops by their place in the result.
  SmallVector<AffineExpr> source(from.getNumResults());
  MLIRContext *context = rewriter.getContext();
  for (auto [place, expr] : llvm::enumerate(to.getResults())) {
    unsigned at = *from.getResultPosition(expr);
    turned.push_back(sizes[at]);
    source[at] = getAffineDimExpr(place, context);
  }
  unsigned rank = turned.size();
  Value init = tensor::EmptyOp::create(rewriter, loc, turned,
                                       getElementTypeOrSelf(value));
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, source, context),
                                 rewriter.getMultiDimIdentityMap(rank)};
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), value, init, maps,
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args.front());
             })
      .getResult(0);
}

/// `map` with the loop `dim` first, or, with `isLast`, last.
static AffineMap move(AffineMap map, unsigned dim, bool isLast) {
  AffineExpr moved = getAffineDimExpr(dim, map.getContext());
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults())
    if (expr != moved)
      exprs.push_back(expr);
  exprs.insert(isLast ? exprs.end() : exprs.begin(), moved);
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

/// The init of the transposed product: a filled tensor is filled anew.
static Value transposeInit(RewriterBase &rewriter, Location loc, Value init,
                           AffineMap from, AffineMap to) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return transpose(rewriter, loc, init, from, to);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init),
                            turned;
  for (AffineExpr expr : to.getResults())
    turned.push_back(sizes[*from.getResultPosition(expr)]);
  Value empty = tensor::EmptyOp::create(rewriter, loc, turned,
                                        getElementTypeOrSelf(init));
  return linalg::FillOp::create(rewriter, loc, fill.value(), empty)
      .getResult(0);
}

/// B, indexed by `map`: by an op that nothing fuses, so that its last index is
/// last in memory.
static Value turnB(RewriterBase &rewriter, Location loc, const Roles &roles,
                   AffineMap map) {
  Value value = roles.b->get();
  if (map == roles.bMap)
    return value;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value),
                            turned;
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : map.getResults()) {
    permutation.push_back(*roles.bMap.getResultPosition(expr));
    turned.push_back(sizes[permutation.back()]);
  }
  Value init = tensor::EmptyOp::create(rewriter, loc, turned,
                                       getElementTypeOrSelf(value));
  return linalg::TransposeOp::create(rewriter, loc, value, init, permutation)
      ->getResult(0);
}

/// Lets the channels of a filter lie one behind the other.
static void turnFilter(RewriterBase &rewriter, linalg::GenericOp op,
                       const Roles &roles) {
  rewriter.setInsertionPoint(op);
  AffineMap map = move(move(roles.bMap, roles.n, /*isLast=*/false), roles.k,
                       /*isLast=*/true);
  unsigned number = roles.b->getOperandNumber();
  Value filter = turnB(rewriter, op.getLoc(), roles, map);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[number] = map;
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(number, filter);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

static void turn(RewriterBase &rewriter, linalg::GenericOp op,
                 const Roles &roles) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AffineMap bMap = move(roles.bMap, roles.k, /*isLast=*/true),
            cMap = move(roles.cMap, roles.n, /*isLast=*/false);
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned b = roles.b->getOperandNumber(), c = roles.c->getOperandNumber();
  inputs[b] = turnB(rewriter, loc, roles, bMap);
  Value init = transposeInit(rewriter, loc, roles.c->get(), maps[c], cMap);
  maps[b] = bMap;
  maps[c] = cMap;
  auto turned =
      linalg::GenericOp::create(rewriter, loc, init.getType(), inputs, init,
                                maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), turned.getRegion(),
                              turned.getRegion().begin());
  Value result =
      transpose(rewriter, loc, turned.getResult(0), cMap, roles.cMap);
  if (result.getType() != op.getResult(0).getType())
    result = tensor::CastOp::create(rewriter, loc, op.getResult(0).getType(),
                                    result);
  rewriter.replaceOp(op, result);
}

void cpu::turnFewColumns(FunctionOpInterface function,
                         const CPUTarget &target) {
  SmallVector<linalg::GenericOp> ops;
  function->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  IRRewriter rewriter(function->getContext());
  for (linalg::GenericOp op : ops) {
    std::optional<Roles> roles = matchRoles(op);
    if (!roles)
      continue;
    if (isPackableContraction(op, target) && isBetterTurned(*roles, target))
      turn(rewriter, op, *roles);
    else if (hasFewFilters(*roles, target) && hasLongRowsAcross(*roles))
      turnFilter(rewriter, op, *roles);
  }
}
