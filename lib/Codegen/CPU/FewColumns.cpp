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
// So it is for columns that leave many lanes of their last register idle, but
// that A is packed, of which many rows fill the registers.
//
// The places in a row of a filter are few columns, too, in the gradient of a
// filter whose channels are planes: its channels become the columns instead.
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
  constexpr int64_t kMostOfFew = 6, kLeastDepth = 8, kLeastDepthOfTiles = 128;
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  // Tiles read rows of A where they are, and columns of it no better than any.
  bool isTile = dot && dot->isTile;
  if (roles.windows || !roles.segments.empty() || !roles.others.empty() ||
      (isTile && !(roles.aRowsAreContiguous() && dot->lhsCasts.empty())) ||
      !roles.aMap.isProjectedPermutation() ||
      !roles.bMap.isProjectedPermutation() ||
      roles.getSize(roles.k, kLeastDepth) < kLeastDepth)
    return 0;
  if (isTile)
    return roles.getSize(roles.k, 1024) < kLeastDepthOfTiles ? 0 : kTileRows;
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
  // Of tiles, an A that is worth reading where it is.
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  if (dot && dot->isTile &&
      roles.getSize(roles.rows, kLeastOfTiles) *
              roles.getSize(roles.k, kLeastOfTiles) <
          kLeastOfTiles)
    return false;
  int64_t perColumn = roles.aRowsAreContiguous() ? 2 : 4;
  int64_t least = target.vectorRegisters > 16
                      ? kLeastRows
                      : std::max(kLeastOfFew, perColumn * n);
  return roles.getSize(roles.rows, kLeastRows) >= least;
}

/// Whether the transposed product, of panels of A that are turned while they
/// are packed, fills a quarter more of the lanes: where columns leave that many
/// of their last registers idle. On Zen 4, 64 to 4000 rows by 17 to 24 and 33
/// to 36 columns with k of 64 to 2000 are 1.0 to 1.4 times as fast (f32, bf16
/// and i8), by 17 with AVX2 1.05 to 1.3 times, by 12 and 19 0.97 to 1.02; an
/// f32 A of 16 MiB, which is then read in columns of a register's height, 0.85
/// to 1.0 times.
static bool leavesLanesIdle(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kLeast = 64, kMostRegisters = 3, kMostCaches = 8;
  // Of 16 registers fewer are sums, and rows of them shorter.
  int64_t mostPercent = target.vectorRegisters > 16 ? 80 : 72;
  int64_t m = roles.getSize(roles.rows, 0), n = roles.sizes[roles.n],
          k = roles.getSize(roles.k, 0);
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  if (ShapedType::isDynamic(n) || m < kLeast || k < kLeast || roles.windows ||
      !roles.others.empty() || !roles.segments.empty() ||
      roles.rows.size() != 1 || !roles.aMap.isProjectedPermutation() ||
      !roles.bMap.isProjectedPermutation() || (dot && dot->isTile))
    return false;
  int64_t lanes = target.lanes(roles.body.accType.getIntOrFloatBitWidth());
  int64_t registers = llvm::divideCeil(n, lanes);
  int64_t bytesOfA =
      m * k * getElementTypeOrSelf(roles.a->get()).getIntOrFloatBitWidth() / 8;
  return n > lanes && registers <= kMostRegisters &&
         100 * int64_t(llvm::divideCeil(m, lanes)) * n <=
             mostPercent * m * registers &&
         bytesOfA <= kMostCaches * int64_t(target.l2Bytes);
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

/// `value`, indexed by `from`, as `map` has it: by an op that nothing fuses, so
/// that its last index is last in memory.
static Value turnInput(OpBuilder &rewriter, Location loc, Value value,
                       AffineMap from, AffineMap map) {
  if (map == from)
    return value;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value),
                            turned;
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : map.getResults()) {
    permutation.push_back(llvm::find(from.getResults(), expr) -
                          from.getResults().begin());
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
  Value filter =
      turnInput(rewriter, op.getLoc(), roles.b->get(), roles.bMap, map);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[number] = map;
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(number, filter);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

/// `op` with its input of that number turned, as `map` has it, the sums of
/// `init` and these as `cMap` has them.
static linalg::GenericOp createTurned(OpBuilder &b, linalg::LinalgOp op,
                                      unsigned number, Value input,
                                      AffineMap map, Value init,
                                      AffineMap cMap) {
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs[number] = input;
  maps[number] = map;
  maps.back() = cMap;
  auto turned =
      linalg::GenericOp::create(b, op.getLoc(), init.getType(), inputs, init,
                                maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&turned.getRegion(), mapping);
  return turned;
}

/// Replaces `op` by the sums of `turned`, in the order of its own.
static void replaceByTurned(RewriterBase &rewriter, linalg::GenericOp op,
                            linalg::GenericOp turned) {
  Value result = transpose(rewriter, op.getLoc(), turned.getResult(0),
                           turned.getIndexingMapsArray().back(),
                           op.getIndexingMapsArray().back());
  if (result.getType() != op.getResult(0).getType())
    result = tensor::CastOp::create(rewriter, op.getLoc(),
                                    op.getResult(0).getType(), result);
  rewriter.replaceOp(op, result);
}

static void turn(RewriterBase &rewriter, linalg::GenericOp op,
                 const Roles &roles, bool turnsB) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AffineMap bMap = turnsB ? move(roles.bMap, roles.k, /*isLast=*/true)
                          : roles.bMap,
            cMap = move(roles.cMap, roles.n, /*isLast=*/false);
  Value turnedB = turnInput(rewriter, loc, roles.b->get(), roles.bMap, bMap);
  Value init = transposeInit(rewriter, loc, roles.c->get(), roles.cMap, cMap);
  replaceByTurned(rewriter, op,
                  createTurned(rewriter, op, roles.b->getOperandNumber(),
                               turnedB, bMap, init, cMap));
}

/// The loop of the result's last index and a longer one of sums that move the
/// last index of `map` together: over the places in a row of a filter, and over
/// pixels. A convolution has that form, too, with pixels for places and places
/// for pixels: its filters are smaller than its images, or than twice a stride.
static std::optional<std::pair<unsigned, unsigned>>
getPlaceAndPixel(linalg::GenericOp op, AffineMap map) {
  constexpr int64_t kMostPlaces = 12;
  AffineMap cMap = op.getIndexingMapsArray().back();
  auto last = dyn_cast<AffineDimExpr>(cMap.getResults().back());
  AffineExpr along = map.getResults().back();
  if (!last || isa<AffineDimExpr>(along))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned place = last.getPosition();
  auto apart = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      along.replace(last, last + 1) - along, map.getNumDims(), 0));
  if (ShapedType::isDynamic(sizes[place]) || sizes[place] > kMostPlaces ||
      !apart || apart.getValue() < 1)
    return std::nullopt;
  int64_t most = std::max(sizes[place], 2 * apart.getValue() - 1);
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d)
    if (!cMap.isFunctionOfDim(d) && along.isFunctionOfDim(d) &&
        (ShapedType::isDynamic(sizes[d]) || sizes[d] > most))
      return std::pair(place, d);
  return std::nullopt;
}

/// Of the loops over rows of `of` and of the result that `other` does not have,
/// the one with the most iterations.
static std::optional<unsigned> getLongest(linalg::GenericOp op, AffineMap of,
                                          AffineMap other) {
  std::optional<unsigned> longest;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isLonger = [&](unsigned d) {
    return !longest || ShapedType::isDynamic(sizes[d]) ||
           (!ShapedType::isDynamic(sizes[*longest]) &&
            sizes[d] > sizes[*longest]);
  };
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (of.getResultPosition(expr) && !other.isFunctionOfDim(d) && isLonger(d))
      longest = d;
  }
  return longest;
}

/// A copy of `image` in which those pixels of a row that are multiplied by one
/// `place` of a filter lie one behind the other, as the windows that the last
/// index of `map` has; `map` becomes the one by which it is read. Nothing where
/// these are not moved by the loops `place` and `pixel`, whose size is
/// `numPixels`, alone.
static Value gatherPixels(RewriterBase &rewriter, Location loc, Value image,
                          AffineMap &map, unsigned place, int64_t numPlaces,
                          unsigned pixel, OpFoldResult numPixels) {
  unsigned rank = map.getNumResults();
  for (unsigned d = 0, e = map.getNumDims(); d < e; ++d)
    if (map.getResults().back().isFunctionOfDim(d) && d != place && d != pixel)
      return {};
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, image);
  sizes.back() = rewriter.getIndexAttr(numPlaces);
  sizes.push_back(numPixels);
  AffineExpr places = rewriter.getAffineDimExpr(rank - 1),
             pixels = rewriter.getAffineDimExpr(rank);
  SmallVector<AffineExpr> source, read(map.getResults().drop_back());
  for (unsigned d = 0; d + 1 < rank; ++d)
    source.push_back(rewriter.getAffineDimExpr(d));
  source.push_back(map.getResults().back().replace(
      {{rewriter.getAffineDimExpr(place), places},
       {rewriter.getAffineDimExpr(pixel), pixels}}));
  read.append(
      {rewriter.getAffineDimExpr(place), rewriter.getAffineDimExpr(pixel)});
  map = AffineMap::get(map.getNumDims(), 0, read, rewriter.getContext());
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes,
                                       getElementTypeOrSelf(image));
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), image, init,
             {AffineMap::get(rank + 1, 0, source, rewriter.getContext()),
              rewriter.getMultiDimIdentityMap(rank + 1)},
             SmallVector<utils::IteratorType>(rank + 1,
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args.front());
             })
      .getResult(0);
}

/// Makes the channels of a filter the last dimension of its gradient. With
/// strides, pixels that are multiplied by one place are gathered first.
static void turnGradient(RewriterBase &rewriter, linalg::GenericOp op,
                         const CPUTarget &target) {
  std::optional<ContractionBody> body = matchContractionBody(op);
  if (!body || !op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return;
  OpOperand *image = op.getDpsInputOperand(body->lhs),
            *other = op.getDpsInputOperand(body->rhs);
  if (op.getMatchingIndexingMap(image).isProjectedPermutation())
    std::swap(image, other);
  AffineMap imageMap = op.getMatchingIndexingMap(image),
            otherMap = op.getMatchingIndexingMap(other),
            cMap = op.getIndexingMapsArray().back();
  if (imageMap.isProjectedPermutation() || !otherMap.isProjectedPermutation() ||
      !cMap.isProjectedPermutation() || cMap.getNumResults() == 0)
    return;
  auto loops = getPlaceAndPixel(op, imageMap);
  std::optional<unsigned> columns = getLongest(op, otherMap, imageMap);
  if (!loops || !columns)
    return;
  auto [place, pixel] = *loops;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  AffineMap turnedMap = move(cMap, *columns, /*isLast=*/true);
  Value init =
      transposeInit(rewriter, loc, op.getDpsInits()[0], cMap, turnedMap);
  auto tries = [&](Value input, AffineMap map) {
    linalg::GenericOp turned = createTurned(
        rewriter, op, image->getOperandNumber(), input, map, init, turnedMap);
    if (isPackableContraction(turned, target)) {
      replaceByTurned(rewriter, op, turned);
      return true;
    }
    rewriter.eraseOp(turned);
    return false;
  };
  std::optional<unsigned> at =
      otherMap.getResultPosition(rewriter.getAffineDimExpr(pixel));
  if (tries(image->get(), imageMap) || !at)
    return;
  OpFoldResult numPixels =
      tensor::getMixedSize(rewriter, loc, other->get(), *at);
  if (Value gathered =
          gatherPixels(rewriter, loc, image->get(), imageMap, place,
                       op.getStaticLoopRanges()[place], pixel, numPixels);
      gathered && !tries(gathered, imageMap))
    rewriter.eraseOp(gathered.getDefiningOp());
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
  Value turnedB = turnInput(b, loc, r.b->get(), r.bMap, bMap);
  if (turnedB != r.b->get())
    rest.push_back(turnedB.getDefiningOp<linalg::LinalgOp>());
  linalg::GenericOp turned =
      createTurned(b, op, r.b->getOperandNumber(), turnedB, bMap,
                   starts->getResult(0), cMap);
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
    if (!roles || roles->windows) {
      turnGradient(rewriter, op, target);
      continue;
    }
    bool isPackable = isPackableContraction(op, target);
    if (isPackable && isBetterTurned(*roles, target))
      turn(rewriter, op, *roles, /*turnsB=*/true);
    else if (isPackable && leavesLanesIdle(*roles, target))
      turn(rewriter, op, *roles, /*turnsB=*/false);
    else if (hasFewFilters(*roles, target) && hasLongRowsAcross(*roles))
      turnFilter(rewriter, op, *roles);
  }
}
