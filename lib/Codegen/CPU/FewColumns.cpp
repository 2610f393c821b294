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
// few of which are multiplied by those of A, where A is, along k or, where rows
// of A are neighbours, along these. B and the result, which are small, are
// transposed. Where the number of columns is not known, the program chooses
// when it runs.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "PackedNest.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// The most columns for which the transposed product of `roles` is as good or
/// better, with rows enough; 0 where it never is. Measured on Zen 4, with 32 to
/// 4096 rows and k of 128 to 4096, it is 1.1 to 7 (f32), 1.5 to 7 (bf16) and
/// 1.2 to 5 times (i8) as fast. With 16 registers, 8 columns are so with AVX2
/// (1.1 to 1.4 times), up to 12 of i8 on Zen 3 (1.0 to 1.8 times), and not with
/// SSE2. Where rows are neighbours in A, they are a B that is read where it is,
/// with a short k, too: on Zen 3, 1.2 to 4.7 (f32), 2 to 17 (bf16) and 3 to 12
/// times (i8) as fast.
static int64_t getMostColumns(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kMostOfFew = 6, kLeastDepth = 8;
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  if (roles.windows || !roles.segments.empty() || !roles.others.empty() ||
      (dot && dot->isTile) || !roles.aMap.isProjectedPermutation() ||
      !roles.bMap.isProjectedPermutation() ||
      roles.getSize(roles.k, kLeastDepth) < kLeastDepth)
    return 0;
  bool isWide = target.vectorRegisters > 16 || target.vectorBits >= 256;
  int64_t most = isWide ? kMostDotRows : kMostOfFew;
  while (most > 0 && roles.aRowsAreContiguous() &&
         roles.getSize(roles.k, 1024) < getLeastDotDepth(most, dot.has_value()))
    --most;
  return most;
}

/// On Zen 3, 16 to 31 rows by 3 or 4 columns are 1.5 to 2.3 times as fast, 8
/// rows by 3 1.1 (f32) to 1.6 times; with AVX-512 fewer than 32 were not
/// measured.
static bool isBetterTurned(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kLeastRows = 32, kLeastOfFew = 8;
  int64_t n = roles.sizes[roles.n];
  if (ShapedType::isDynamic(n) || n < 2 || n > getMostColumns(roles, target))
    return false;
  int64_t perColumn = roles.aRowsAreContiguous() ? 2 : 4;
  int64_t least = target.vectorRegisters > 16
                      ? kLeastRows
                      : std::max(kLeastOfFew, perColumn * n);
  return roles.getSize(roles.rows, kLeastRows) >= least;
}

// Measured on Zen 3, by 1 to 12 columns: 2048 rows with 1024 of k are 1.5 to 9
// times as fast, as rows of static sizes are; 2 to 31 rows 1.0 to 5 times. B
// read where it is has no columns to spare there: with AVX-512, where that was
// not measured, it has some.
std::optional<FewRows> cpu::getFewColumns(const Roles &roles,
                                          const CPUTarget &target) {
  if (!ShapedType::isDynamic(roles.sizes[roles.n]) || roles.mostRows ||
      roles.rows.size() != 1 || roles.a->get().getDefiningOp<tensor::PadOp>())
    return std::nullopt;
  FewRows way;
  way.least = 2;
  way.depth = roles.aRowsAreContiguous() ? 10 : 1;
  way.halfRows = target.vectorRegisters > 16 ? 8 : 1;
  int64_t most = getMostColumns(roles, target);
  int64_t rows = roles.getSize(roles.rows, most * way.halfRows);
  way.mostColumns = std::min(most, 2 * rows / way.halfRows);
  if (way.mostColumns == 0 || rows < way.least)
    return std::nullopt;
  return way;
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
static Value transpose(OpBuilder &rewriter, Location loc, Value value,
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
static Value turnB(OpBuilder &rewriter, Location loc, const Roles &roles,
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

/// `op` with B as `bMap` has it, the sums of `init` and these as `cMap` has
/// them.
static linalg::GenericOp createTurned(OpBuilder &b, linalg::LinalgOp op,
                                      const Roles &roles, Value turnedB,
                                      AffineMap bMap, Value init,
                                      AffineMap cMap) {
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned number = roles.b->getOperandNumber();
  inputs[number] = turnedB;
  maps[number] = bMap;
  maps[roles.c->getOperandNumber()] = cMap;
  auto turned =
      linalg::GenericOp::create(b, op.getLoc(), init.getType(), inputs, init,
                                maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&turned.getRegion(), mapping);
  return turned;
}

static void turn(RewriterBase &rewriter, linalg::GenericOp op,
                 const Roles &roles) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AffineMap bMap = move(roles.bMap, roles.k, /*isLast=*/true),
            cMap = move(roles.cMap, roles.n, /*isLast=*/false);
  Value turnedB = turnB(rewriter, loc, roles, bMap);
  Value init = transposeInit(rewriter, loc, roles.c->get(), roles.cMap, cMap);
  linalg::GenericOp turned =
      createTurned(rewriter, op, roles, turnedB, bMap, init, cMap);
  Value result =
      transpose(rewriter, loc, turned.getResult(0), cMap, roles.cMap);
  if (result.getType() != op.getResult(0).getType())
    result = tensor::CastOp::create(rewriter, loc, op.getResult(0).getType(),
                                    result);
  rewriter.replaceOp(op, result);
}

PackedNest::Tensors PackedNest::multiplyTurned(ValueRange results) {
  AffineMap bMap = move(r.bMap, r.k, /*isLast=*/true),
            cMap = move(r.cMap, r.n, /*isLast=*/false);
  unsigned rank = cMap.getNumResults();
  // The transposed sums start from what these do.
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> places(cMap.getNumDims());
  SmallVector<int64_t> back(rank);
  for (auto [i, expr] : llvm::enumerate(cMap.getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    sizes.push_back(bounds[dim]);
    places[dim] = b.getAffineDimExpr(i);
    back[*r.cMap.getResultPosition(expr)] = i;
  }
  Value init = tensor::EmptyOp::create(b, loc, sizes, acc);
  Operation *starts;
  if (initScalar)
    starts = linalg::FillOp::create(b, loc, initScalar, init);
  else
    starts = linalg::GenericOp::create(
        b, loc, init.getType(), inPlace ? results[*inPlace] : initTensor, init,
        {initMap.replaceDimsAndSymbols(places, {}, rank, 0),
         b.getMultiDimIdentityMap(rank)},
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(b, loc, args.front());
        });
  Value turnedB = turnB(b, loc, r, bMap);
  if (turnedB != r.b->get())
    rest.push_back(turnedB.getDefiningOp<linalg::LinalgOp>());
  linalg::GenericOp turned =
      createTurned(b, op, r, turnedB, bMap, starts->getResult(0), cMap);
  Roles roles = *matchRoles(turned);
  roles.mostRows = mostColumns;
  PackedNest nest(b, turned, roles, Epilogue::collect(turned, roles.n), target,
                  rest);
  Value product = nest.emit().front();
  turned.erase();
  starts->getResult(0).replaceUsesWithIf(
      init, [](OpOperand &use) { return isa<tensor::DimOp>(use.getOwner()); });
  if (starts->use_empty())
    starts->erase();
  else
    rest.push_back(cast<linalg::LinalgOp>(starts));

  // What follows reads the sums as they were to be.
  DenseMap<Value, Value> dests;
  for (auto [result, dest] : llvm::zip_equal(epilogue.getResults(), results))
    dests[result.value] = dest;
  Value plain = dests.lookup(op->getResult(0));
  if (!plain)
    plain = tensor::EmptyOp::create(
        b, loc, applyPermutation<OpFoldResult>(sizes, back), acc);
  auto turnedBack = linalg::TransposeOp::create(b, loc, product, plain, back);
  rest.push_back(turnedBack);
  IRMapping mapping;
  mapping.map(op->getResult(0), turnedBack->getResult(0));
  for (linalg::GenericOp old : epilogue.getOps()) {
    auto made = cast<linalg::GenericOp>(b.clone(*old, mapping));
    for (OpResult result : old->getResults())
      if (Value dest = dests.lookup(result))
        made.getDpsInitOperand(result.getResultNumber())->set(dest);
    rest.push_back(made);
  }
  return llvm::map_to_vector(epilogue.getResults(),
                             [&](const Epilogue::Result &result) {
                               return mapping.lookup(Value(result.value));
                             });
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
