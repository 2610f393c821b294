//===- SplitReductions.cpp - reductions to a few elements in parts --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads divide the results of a reduction. Where these are few (a loss, the
// norm of all gradients, the statistics of a few channels), most threads would
// have nothing to do: the elements are divided, into parts that depend on their
// number alone, so that results do not depend on that of threads, and what is
// found for each part is reduced in the end. So are long columns, and where
// there are many of them, within other loops, threads have some each: a few
// rows at a time, as they lie in memory.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Normalize.h"
#include "Parallel.h"
#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::amp;

/// As many parts as there may be, and threads for all of them.
static constexpr int64_t kMostParts = 64;

/// Steps of the loop that is divided are taken in multiples of this, which are
/// whole vectors where it is innermost.
static constexpr int64_t kStep = 64;

/// Results, or rows of them, that are enough for threads to divide.
static constexpr int64_t kEnough = 16;

/// Rows that are reduced at a time, where what is found for them is a row.
static constexpr int64_t kRows = 8;

/// What combines the results of `op`, in their order; empty where one of them
/// is none of sums, products or extrema.
static SmallVector<Operation *> matchCombiners(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    SmallVector<Operation *, 4> chain;
    if (!matchReduction(op.getRegionOutputArgs(), i, chain) ||
        chain.size() != 1 || chain[0]->getNumOperands() != 2 ||
        !getNeutralElement(chain[0]))
      return {};
    combiners.push_back(chain[0]);
  }
  return combiners;
}

/// The longest reduction loop of `op` that can be divided: it is an index of
/// what it moves, alone. -1 where there is none.
static int findLoop(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto rank = [&](int d) {
    return ShapedType::isDynamic(sizes[d]) ? std::numeric_limits<int64_t>::max()
                                           : sizes[d];
  };
  int longest = -1;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (unsigned d : loops) {
    AffineExpr dim = getAffineDimExpr(d, op.getContext());
    bool isIndex = llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
        return expr == dim || !expr.isFunctionOfDim(d);
      });
    });
    if (isIndex && (longest < 0 || rank(d) > rank(longest)))
      longest = d;
  }
  return longest;
}

/// Whether the results of `op` are too few for threads to divide: rows of them,
/// or vectors where they lie along what is read.
static bool hasFewResults(linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t results = 1;
  for (auto [d, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel) {
      if (ShapedType::isDynamic(sizes[d]) || sizes[d] >= kEnough * kStep)
        return false;
      results = std::min(results * sizes[d], kEnough * kStep);
    }
  bool areVectors =
      llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        AffineMap map = op.getMatchingIndexingMap(input);
        return map.getNumResults() > 0 &&
               llvm::any_of(op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                                .getResults(),
                            [&](AffineExpr expr) {
                              return expr == map.getResults().back();
                            });
      });
  return results < kEnough * (areVectors ? kStep : 1);
}

/// The static number of elements of the rows that `op` reads along, where it
/// reduces several of them to one: its loops are those of results other than
/// in rows, that of the rows, and that along them. 0 where it does not.
static int64_t getRow(linalg::GenericOp op) {
  int64_t row = 0;
  unsigned last = op.getNumLoops() - 1;
  if (op.getNumReductionLoops() != 1 || op.getNumLoops() < 2 ||
      op.getIteratorTypesArray()[last - 1] != utils::IteratorType::reduction)
    return row;
  AffineMap whole =
      AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext());
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!getElementTypeOrSelf(input->get()).isIntOrFloat() ||
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return 0;
    if (map == whole)
      row = op.getStaticLoopRanges()[last];
  }
  return ShapedType::isDynamic(row) ? 0 : row;
}

namespace {
/// How a reduction is divided: not at all; into parts, for threads; into the
/// results that steps of its outermost loop have to themselves, for threads; or
/// into blocks of rows alone, by the thread that has it.
enum class Division { None, Parts, Results, Blocks };
} // namespace

/// The division of `op`, which may have few results. Where it reduces columns
/// that are so long, of so many elements that no second cache holds, a walk
/// down some of them at a time finds each row in another page, which processors
/// do not ask for ahead: sums of 4096 x 4096 take 1.5 times as long of f32, and
/// twice as long of bf16 (Zen 3).
static Division chooseDivision(linalg::GenericOp op) {
  constexpr int64_t kLeastRows = 64, kMostColumns = 8192,
                    kLeastBytes = int64_t(2) << 20, kLeastRowBytes = 1024,
                    kLeastBytesOfThread = 64 << 10;
  bool isNested = bool(op->getParentOfType<LoopLikeOpInterface>());
  Division otherwise =
      !isNested && hasFewResults(op) ? Division::Parts : Division::None;
  int64_t row = getRow(op);
  if (row == 0 || row > kMostColumns)
    return otherwise;
  int64_t bits = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getRank(input) == op.getNumLoops())
      bits += getElementTypeOrSelf(input->get()).getIntOrFloatBitWidth();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool hasOuter = op.getNumLoops() > 2;
  int64_t outer = hasOuter ? sizes.front() : 1,
          rows = sizes[op.getNumLoops() - 2];
  bool divides =
      !isNested && (ShapedType::isDynamic(outer) || outer >= kEnough / 2);
  int64_t leastRows = isNested || divides ? 2 * kRows : kLeastRows,
          leastRow = isNested || hasOuter ? kLeastRowBytes : 1,
          least = isNested               ? kLeastBytesOfThread
                  : hasOuter && !divides ? 2 * kLeastBytes
                                         : kLeastBytes;
  if (row * bits / 8 < leastRow ||
      (!ShapedType::isDynamic(rows) && rows < leastRows) ||
      (!ShapedType::isDynamicShape(sizes) &&
       computeProduct(sizes) * bits / 8 < least))
    return otherwise;
  return isNested  ? Division::Blocks
         : divides ? Division::Results
                   : Division::Parts;
}

/// Steps of loop `d` that are worth a thread; of unknown sizes each other loop
/// counts as one.
static int64_t getLeastSteps(linalg::GenericOp op, unsigned d) {
  int64_t work = 0;
  for (Operation &nested : op.getBody()->without_terminator())
    work += cpu::getCost(nested);
  work = std::max<int64_t>(work, 1);
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (loop != d && !ShapedType::isDynamic(size))
      work = std::min(work * std::max<int64_t>(size, 1), cpu::kWorkPerThread);
  return cpu::getGrain(work);
}

/// How many of `size` steps a part has, at least `least`: if there is one, a
/// number that divides them.
static int64_t getSteps(int64_t size, int64_t least, int64_t multiple) {
  int64_t steps = llvm::alignTo(
      std::max<int64_t>(least, llvm::divideCeil(size, kMostParts)), multiple);
  for (int64_t more = steps; more < 2 * steps && more < size; more += multiple)
    if (size % more == 0)
      return more;
  return steps;
}

namespace {
/// Divides loop `d` of one op.
class Parts {
public:
  Parts(RewriterBase &rewriter, linalg::GenericOp op, unsigned d,
        ArrayRef<Operation *> combiners)
      : b(rewriter), op(op), loc(op.getLoc()), d(d),
        isOfRows(getRow(op) > kStep), combiners(combiners) {}

  /// The results, a block of rows at a time; `forThreads` where these are to
  /// divide the outermost loop.
  SmallVector<Value> emitBlocks(bool forThreads) {
    sizes = cpu::getLoopSizes(b, op);
    auto getFill = [](OpOperand &init) {
      return init.get().getDefiningOp<linalg::FillOp>();
    };
    SmallVector<Value> places;
    for (OpOperand &init : op.getDpsInitsMutable())
      places.push_back(getFill(init) ? getFill(init).output() : init.get());
    // As the places are written one by one, so are they filled.
    return reduceByOuter(b.getIndexAttr(0), sizes[d], places,
                         forThreads ? getLeastSteps(op, 0) : 0,
                         [&](OpOperand &init, Value place) {
                           linalg::FillOp fill = getFill(init);
                           return fill ? linalg::FillOp::create(
                                             b, loc, fill.value(), place)
                                             .getResult(0)
                                       : place;
                         });
  }

  /// The results, or nothing where there would be one part.
  SmallVector<Value> emit() {
    bool isLast = llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      return map.getNumResults() > 0 &&
             map.getResults().back().isFunctionOfDim(d);
    });
    int64_t least = getLeastSteps(op, d), multiple = isLast ? kStep : 1;
    if (isOfRows)
      least = std::max(least, 4 * kRows);
    int64_t known = op.getStaticLoopRanges()[d];
    if (!ShapedType::isDynamic(known) && 2 * least > known)
      return {};
    sizes = cpu::getLoopSizes(b, op);
    OpFoldResult size = sizes[d], count;
    if (ShapedType::isDynamic(known)) {
      AffineExpr s0 = b.getAffineSymbolExpr(0);
      Value most = getValueOrCreateConstantIndexOp(
          b, loc,
          cpu::applyExpr(b, loc,
                         s0.ceilDiv(kMostParts).ceilDiv(multiple) * multiple,
                         {size}));
      steps = arith::MaxUIOp::create(
                  b, loc, most,
                  cpu::indexConstant(b, loc, llvm::alignTo(least, multiple)))
                  .getResult();
      count = arith::CeilDivUIOp::create(
                  b, loc, getValueOrCreateConstantIndexOp(b, loc, size),
                  cast<Value>(steps))
                  .getResult();
    } else {
      int64_t each = getSteps(known, least, multiple);
      steps = b.getIndexAttr(each);
      count = b.getIndexAttr(llvm::divideCeil(known, each));
    }

    SmallVector<Value> found;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      SmallVector<OpFoldResult> shape = getResultSizes(init);
      shape.insert(shape.begin(), count);
      found.push_back(tensor::EmptyOp::create(
          b, loc, shape, getElementTypeOrSelf(init.get())));
    }
    found = cpu::buildLoop(
        b, loc, b.getIndexAttr(0), count, b.getIndexAttr(1), found,
        [&](OpBuilder &, Location, Value part, ValueRange carried) {
          return emitPart(part, carried);
        },
        /*grain=*/1);
    SmallVector<Value> results;
    for (auto [i, parts] : llvm::enumerate(found))
      results.push_back(combine(i, parts));
    return results;
  }

private:
  /// Steps `first` to `first + count` of a loop.
  struct Steps {
    unsigned loop;
    OpFoldResult first, count;
  };

  SmallVector<OpFoldResult> getResultSizes(OpOperand &init) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&init).getResults(), [&](AffineExpr expr) {
          return sizes[cast<AffineDimExpr>(expr).getPosition()];
        });
  }

  /// `carried` with the results of one part.
  SmallVector<Value> emitPart(Value part, ValueRange carried) {
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    OpFoldResult first = arith::MulIOp::create(
                             b, loc, part,
                             getValueOrCreateConstantIndexOp(b, loc, steps))
                             .getResult(),
                 count = steps;
    std::optional<int64_t> known = getConstantIntValue(sizes[d]),
                           each = getConstantIntValue(steps);
    if (!known || !each || *known % *each != 0) {
      OpFoldResult left = cpu::applyExpr(b, loc, s0 - s1, {sizes[d], first});
      count = arith::MinUIOp::create(
                  b, loc, getValueOrCreateConstantIndexOp(b, loc, left),
                  getValueOrCreateConstantIndexOp(b, loc, steps))
                  .getResult();
    }
    SmallVector<Value> inits;
    SmallVector<SmallVector<OpFoldResult>> offsets, shapes;
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      SmallVector<OpFoldResult> shape = getResultSizes(init);
      shape.insert(shape.begin(), b.getIndexAttr(1));
      SmallVector<OpFoldResult> offset(shape.size(), b.getIndexAttr(0));
      offset.front() = part;
      Value place = tensor::ExtractSliceOp::create(
          b, loc, cast<RankedTensorType>(init.get().getType()), carried[i],
          offset, shape, getOnes(shape.size()));
      Value neutral =
          arith::ConstantOp::create(b, loc, *getNeutralElement(combiners[i]));
      inits.push_back(
          linalg::FillOp::create(b, loc, neutral, place).getResult(0));
      offsets.push_back(offset);
      shapes.push_back(shape);
    }
    SmallVector<Value> next;
    inits = isOfRows
                ? reduceByOuter(first, count, inits, /*grain=*/0,
                                [](OpOperand &, Value place) { return place; })
                : reduce({{d, first, count}}, inits);
    for (auto [i, result] : llvm::enumerate(inits))
      next.push_back(tensor::InsertSliceOp::create(b, loc, result, carried[i],
                                                   offsets[i], shapes[i],
                                                   getOnes(shapes[i].size())));
    return next;
  }

  /// `inits` with rows `first` to `first + count`: each step of a loop around
  /// that of rows, `grain` of which are worth a thread, by itself. They start
  /// from what `start` makes of their part of each of `inits`.
  SmallVector<Value>
  reduceByOuter(OpFoldResult first, OpFoldResult count, ValueRange inits,
                int64_t grain,
                llvm::function_ref<Value(OpOperand &, Value)> start) {
    auto starts = [&](ValueRange places) {
      return llvm::map_to_vector(
          llvm::zip_equal(op.getDpsInitsMutable(), places), [&](auto each) {
            return start(std::get<0>(each), std::get<1>(each));
          });
    };
    if (d == 0)
      return reduceRows(first, count, starts(inits), {});
    return cpu::buildLoop(
        b, loc, b.getIndexAttr(0), sizes.front(), b.getIndexAttr(1), inits,
        [&](OpBuilder &, Location, Value at, ValueRange carried) {
          Steps step = {0, at, b.getIndexAttr(1)};
          SmallVector<Value> places;
          for (auto [init, soFar] :
               llvm::zip_equal(op.getDpsInitsMutable(), carried))
            places.push_back(slice(init, soFar, step));
          SmallVector<Value> next =
              reduceRows(first, count, starts(places), step);
          for (auto [init, soFar, result] :
               llvm::zip_equal(op.getDpsInitsMutable(), carried, next)) {
            auto [offsets, shape] = getPlace(init, step);
            result = tensor::InsertSliceOp::create(
                b, loc, result, soFar, offsets, shape, getOnes(shape.size()));
          }
          return next;
        },
        grain);
  }

  /// `inits` with rows `first` to `first + count`, of `outer` steps, a few at a
  /// time.
  SmallVector<Value> reduceRows(OpFoldResult first, OpFoldResult count,
                                SmallVector<Value> inits,
                                ArrayRef<Steps> outer) {
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    OpFoldResult whole = affine::makeComposedFoldedAffineApply(
        b, loc, s0.floorDiv(kRows) * kRows, {count});
    auto blocks = [&](OpFoldResult from, OpFoldResult to, int64_t rows) {
      inits = cpu::buildLoop(
          b, loc, from, to, b.getIndexAttr(rows), inits,
          [&](OpBuilder &, Location, Value at, ValueRange carried) {
            SmallVector<Steps> steps(outer);
            steps.push_back(
                {d, cpu::applyExpr(b, loc, s0 + s1, {first, OpFoldResult(at)}),
                 b.getIndexAttr(rows)});
            return reduce(steps, carried);
          });
    };
    blocks(b.getIndexAttr(0), whole, kRows);
    std::optional<int64_t> last = getConstantIntValue(whole),
                           all = getConstantIntValue(count);
    blocks(whole, count, last && all ? std::max<int64_t>(1, *all - *last) : 1);
    return inits;
  }

  /// `inits` with `steps`.
  SmallVector<Value> reduce(ArrayRef<Steps> steps, ValueRange inits) {
    SmallVector<Value> inputs;
    for (OpOperand *input : op.getDpsInputOperands())
      inputs.push_back(slice(*input, input->get(), steps));
    auto reduced = linalg::GenericOp::create(b, loc, inits.getTypes(), inputs,
                                             inits, op.getIndexingMapsArray(),
                                             op.getIteratorTypesArray());
    IRMapping mapping;
    op.getRegion().cloneInto(&reduced.getRegion(), mapping);
    return SmallVector<Value>(reduced.getResults());
  }

  SmallVector<OpFoldResult> getOnes(size_t rank) {
    return SmallVector<OpFoldResult>(rank, b.getIndexAttr(1));
  }

  /// The offsets and sizes of what `steps` read or write of `operand`.
  std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>
  getPlace(OpOperand &operand, ArrayRef<Steps> steps) {
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(b, loc, operand.get());
    SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0));
    for (auto [place, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      for (const Steps &each : steps)
        if (expr.isFunctionOfDim(each.loop)) {
          offsets[place] = each.first;
          shape[place] = each.count;
        }
    return {offsets, shape};
  }

  /// What `steps` read or write of `value`, which is `operand` or in its place.
  Value slice(OpOperand &operand, Value value, ArrayRef<Steps> steps) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (llvm::none_of(steps, [&](const Steps &each) {
          return map.isFunctionOfDim(each.loop);
        }))
      return value;
    auto [offsets, shape] = getPlace(operand, steps);
    return tensor::ExtractSliceOp::create(b, loc, value, offsets, shape,
                                          getOnes(shape.size()));
  }

  /// Result `i`, of what was found for each part.
  Value combine(unsigned i, Value parts) {
    Value init = op.getDpsInits()[i];
    unsigned rank = cast<ShapedType>(init.getType()).getRank();
    SmallVector<utils::IteratorType> kinds(rank + 1,
                                           utils::IteratorType::parallel);
    kinds.front() = utils::IteratorType::reduction;
    SmallVector<AffineExpr> place;
    for (unsigned at = 0; at < rank; ++at)
      place.push_back(b.getAffineDimExpr(at + 1));
    BlockArgument soFar = op.getRegionOutputArgs()[i];
    return linalg::GenericOp::create(
               b, loc, init.getType(), parts, init,
               {b.getMultiDimIdentityMap(rank + 1),
                AffineMap::get(rank + 1, 0, place, b.getContext())},
               kinds,
               [&](OpBuilder &nested, Location at, ValueRange args) {
                 IRMapping mapping;
                 for (Value operand : combiners[i]->getOperands())
                   mapping.map(operand, operand == soFar ? args[1] : args[0]);
                 Operation *copy = nested.clone(*combiners[i], mapping);
                 linalg::YieldOp::create(nested, at, copy->getResult(0));
               })
        .getResult(0);
  }

  RewriterBase &b;
  linalg::GenericOp op;
  Location loc;
  unsigned d;
  bool isOfRows;
  ArrayRef<Operation *> combiners;
  SmallVector<OpFoldResult> sizes;
  OpFoldResult steps;
};
} // namespace

void cpu::splitReductions(FunctionOpInterface function) {
  SmallVector<std::pair<linalg::GenericOp, Division>> ops;
  function->walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op.hasIndexSemantics())
      return;
    Division division = chooseDivision(op);
    if (division != Division::None)
      ops.push_back({op, division});
  });
  IRRewriter rewriter(function->getContext());
  for (auto [op, division] : ops) {
    // Products have other ways.
    if (matchContractionBody(op) && op.getNumParallelLoops() > 0)
      continue;
    int d = findLoop(op);
    SmallVector<Operation *> combiners = matchCombiners(op);
    if (d < 0 || combiners.empty())
      continue;
    rewriter.setInsertionPoint(op);
    Parts parts(rewriter, op, d, combiners);
    SmallVector<Value> results =
        division == Division::Parts
            ? parts.emit()
            : parts.emitBlocks(division == Division::Results);
    if (!results.empty())
      rewriter.replaceOp(op, results);
  }
}
