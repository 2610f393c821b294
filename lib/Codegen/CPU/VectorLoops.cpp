//===- VectorLoops.cpp - register-tiled loops around 1-D vectors ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One linalg op becomes a loop nest with one vectorised loop, and for ops that
// reuse an operand a second loop unrolled into registers. Upstream's
// linalg::vectorize is not used here because its masks rule out what makes
// these loops fast: accumulators that stay in registers across a reduction
// (lane-wise where the reduction itself is the vector loop), an unmasked main
// loop beside a masked tail, and the shifted index maps of convolutions, all
// of it for dynamic shapes too.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

namespace {

/// How an operand moves when the vector loop advances by one: not at all, by
/// one element, by a few (read whole, then picked), along a row of the operand
/// that the unrolled loop walks (a square is transposed in registers), or in
/// any other way (one element at a time).
enum class Stride { None, One, Few, Transposed, Other };

/// The largest stride that counts as a few.
constexpr int64_t kFew = 4;

/// One copy of the tile: how many lanes, whether the last of them may be out
/// of bounds, and how many unrolled rows.
struct Tile {
  int64_t lanes = 1;
  bool masked = false;
  int64_t rows = 1;
};

class VectorNest {
public:
  VectorNest(OpBuilder &b, linalg::LinalgOp op, const CPUTarget &target)
      : b(b), op(op), target(target), loc(op.getLoc()),
        numLoops(op.getNumLoops()), sizes(op.getStaticLoopRanges()),
        kinds(op.getIteratorTypesArray()) {}

  /// Chooses the loops; creates nothing.
  LogicalResult plan(std::string &reason);

  /// Emits the nest; returns the results.
  SmallVector<Value> emit();

private:
  bool checkPayload(std::string &reason);
  Stride classify(AffineMap map, Type type, unsigned dim);
  double score(unsigned dim);
  bool isReductionDim(unsigned dim) {
    return kinds[dim] == utils::IteratorType::reduction;
  }
  Stride stride(OpOperand &operand) {
    Stride kind = vecDim < 0 ? Stride::None
                             : classify(op.getMatchingIndexingMap(&operand),
                                        operand.get().getType(), vecDim);
    if (op.isDpsInit(&operand) && kind == Stride::Few)
      return Stride::Other;
    if (kind == Stride::Other && transposes && isRow(operand))
      return Stride::Transposed;
    return kind;
  }
  /// Whether `operand` is read along the unrolled loop.
  bool isRow(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return !op.isDpsInit(&operand) && rowDim >= 0 &&
           map.isProjectedPermutation() && map.getNumResults() > 0 &&
           map.getResults().back() == getAffineDimExpr(rowDim, op.getContext());
  }
  int64_t strideOf(AffineMap map, unsigned dim);
  bool planReduction();
  bool planTranspose(int64_t native, unsigned cost);
  void planSizes();

  SmallVector<int> loopOrder();
  SmallVector<Value> parallelLoops(ArrayRef<int> order, Tile tile,
                                   ValueRange carried);
  SmallVector<Value> emitParallelTile(Tile tile, ValueRange carried);
  SmallVector<Value> emitReductionTile(int64_t rows, ValueRange carried);
  SmallVector<Value>
  reductionLoops(unsigned dim, ValueRange accs,
                 llvm::function_ref<SmallVector<Value>(ValueRange)> body);
  SmallVector<Value> payload(Tile tile, ValueRange accs);

  SmallVector<OpFoldResult> dimValues(int64_t row, int64_t lane) const;
  SmallVector<Value> indices(OpOperand &operand, int64_t row, int64_t lane = 0);
  SmallVector<Value> readSquare(OpOperand &operand);
  Value read(OpOperand &operand, Value source, Tile tile, int64_t row);
  Value gather(Value source, ArrayRef<Value> at, int64_t width);
  Value write(OpOperand &init, Value dest, Value value, Tile tile, int64_t row);

  /// Loops over [0, size of dim) by `step` with `body(full)`, then over the
  /// rest by `tailStep`.
  SmallVector<Value>
  splitLoop(unsigned dim, int64_t step, int64_t tailStep, ValueRange carried,
            llvm::function_ref<SmallVector<Value>(bool, ValueRange)> body);

  OpBuilder &b;
  linalg::LinalgOp op;
  const CPUTarget &target;
  Location loc;
  unsigned numLoops;
  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> kinds;

  int vecDim = -1, rowDim = -1;
  bool vecIsReduction = false, strided = false, transposes = false;
  /// Lanes past the end must not run: they would read what is not there, or
  /// divide by a zero of the padding.
  bool exactTail = false;
  int64_t lanes = 1, rows = 1;
  std::optional<ContractionBody> contraction;
  /// Per output, where the vector loop is a reduction.
  SmallVector<Operation *> combiners;

  SmallVector<OpFoldResult> bounds;
  SmallVector<Value> ivs;
  /// The scalar that each init is filled with, or null.
  SmallVector<Value> initScalars;
};

} // namespace

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

bool VectorNest::checkPayload(std::string &reason) {
  Block *block = op.getBlock();
  for (Type type : block->getArgumentTypes())
    if (!isa<IntegerType, IndexType, FloatType>(type)) {
      reason = "an element type is neither integer nor floating point";
      return false;
    }
  for (Operation &nested : block->without_terminator()) {
    if (isa<linalg::IndexOp>(nested) ||
        nested.hasTrait<OpTrait::ConstantLike>())
      continue;
    // A gather reads one element per lane, none past the end.
    if (auto extract = dyn_cast<tensor::ExtractOp>(nested);
        extract && extract.getTensor().getParentBlock() != block &&
        isa<IntegerType, IndexType, FloatType>(extract.getType())) {
      exactTail = true;
      continue;
    }
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(
            nested))
      exactTail = true;
    if (nested.getNumResults() != 1 || nested.getNumRegions() != 0 ||
        !OpTrait::hasElementwiseMappableTraits(&nested)) {
      reason = ("'" + nested.getName().getStringRef() +
                "' in the body has no vector form")
                   .str();
      return false;
    }
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(nested.getOperands()),
                             SmallVector<Value>(nested.getResults())))
      if (!isa<IntegerType, IndexType, FloatType>(value.getType())) {
        reason = "a value in the body is neither integer nor floating point";
        return false;
      }
  }
  return true;
}

Stride VectorNest::classify(AffineMap map, Type type, unsigned dim) {
  if (!isa<RankedTensorType>(type) || !map.isFunctionOfDim(dim))
    return Stride::None;
  if (!isVectorElement(cast<RankedTensorType>(type).getElementType()))
    return Stride::Other;
  int64_t step = strideOf(map, dim);
  return step == 1                  ? Stride::One
         : step > 1 && step <= kFew ? Stride::Few
                                    : Stride::Other;
}

/// By how many elements `map`'s innermost index moves with `dim`, if that is
/// a constant and no other index moves; else 0.
int64_t VectorNest::strideOf(AffineMap map, unsigned dim) {
  for (AffineExpr expr : map.getResults().drop_back())
    if (expr.isFunctionOfDim(dim))
      return 0;
  AffineExpr expr = map.getResults().back();
  AffineExpr d = getAffineDimExpr(dim, op.getContext());
  AffineExpr step =
      simplifyAffineExpr(expr.replace(d, d + 1) - expr, numLoops, 0);
  auto value = dyn_cast<AffineConstantExpr>(step);
  return value ? value.getValue() : 0;
}

double VectorNest::score(unsigned dim) {
  double total = isReductionDim(dim) ? -2 : 0;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    switch (classify(op.getMatchingIndexingMap(&operand),
                     operand.get().getType(), dim)) {
    case Stride::None:
      break;
    case Stride::One:
      total += isInit ? 4 : 2;
      break;
    case Stride::Few:
      total += isInit ? -6 : 0.5;
      break;
    case Stride::Transposed:
    case Stride::Other:
      total -= isInit ? 6 : 5;
      break;
    }
  }
  int64_t size = sizes[dim];
  if (ShapedType::isDynamic(size))
    size = 64;
  if (size < 4)
    total -= 4;
  if (size == 1)
    total -= 8;
  return total + std::log2(std::clamp<int64_t>(size, 1, 64)) / 8;
}

/// Finds the combiner of every output; the lane-wise accumulators start at its
/// neutral element.
bool VectorNest::planReduction() {
  combiners.clear();
  for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i) {
    SmallVector<Operation *, 4> chain;
    if (!matchReduction(op.getRegionOutputArgs(), i, chain) ||
        chain.size() != 1 || chain[0]->getNumOperands() != 2 ||
        !linalg::getCombinerOpKind(chain[0]) ||
        !arith::getNeutralElement(chain[0]))
      return false;
    combiners.push_back(chain[0]);
  }
  return true;
}

void VectorNest::planSizes() {
  unsigned bits = 8;
  unsigned cost = 0;
  for (Operation &nested : op.getBlock()->without_terminator()) {
    cost += isa<math::MathDialect>(nested.getDialect()) ? 8 : 1;
    for (Type type : nested.getResultTypes())
      bits =
          std::max(bits, type.isIndex() ? 64u : type.getIntOrFloatBitWidth());
  }
  for (Type type : op.getBlock()->getArgumentTypes())
    bits = std::max(bits, type.isIndex() ? 64u : type.getIntOrFloatBitWidth());
  int64_t native = target.lanes(bits);
  rowDim = -1;
  rows = 1;
  if (strided && !exactTail && planTranspose(native, cost))
    return;
  bool reduces = op.getNumReductionLoops() > 0;
  int64_t size = sizes[vecDim];
  bool known = !ShapedType::isDynamic(size);
  if (strided) {
    lanes = std::min<int64_t>(native, 16);
    while (known && lanes > 1 && lanes > size)
      lanes /= 2;
    return;
  }

  // Unrolled rows: a parallel loop that some vector-read operand does not
  // depend on, so that one load serves all rows.
  int64_t rowSize = 1;
  for (unsigned d = 0; reduces && cost <= 8 && d < numLoops; ++d) {
    if (static_cast<int>(d) == vecDim || isReductionDim(d))
      continue;
    bool shares = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      AffineMap map = op.getMatchingIndexingMap(in);
      return isa<RankedTensorType>(in->get().getType()) &&
             map.isFunctionOfDim(vecDim) && !map.isFunctionOfDim(d);
    });
    int64_t s = ShapedType::isDynamic(sizes[d]) ? 6720 : sizes[d];
    if (shares && s >= rowSize && s > 1) {
      rowSize = s;
      rowDim = d;
    }
  }

  // Registers of a row and rows: the fewest estimated cycles, with tails. Two
  // operations and two loads go per cycle; a chain of 4 cycles on two units
  // wants 8 accumulators.
  int64_t budget = target.vectorRegisters * 3 / 4;
  int64_t most = rowDim >= 0 ? 4 : reduces && !vecIsReduction ? 8 : 4;
  if (cost > 8)
    most = 2;
  double best = std::numeric_limits<double>::max();
  for (int64_t regs = 1; regs <= most; regs *= 2) {
    int64_t width = regs * native;
    if (known && size < native)
      width = std::max<int64_t>(2, llvm::PowerOf2Ceil(size));
    double columns =
        known ? double(llvm::divideCeil(size, width)) : 6720.0 / double(width);
    int64_t cap =
        std::clamp<int64_t>(budget / regs, 1, vecIsReduction ? 4 : 14);
    for (int64_t r = 1; r <= std::min(cap, rowSize); ++r) {
      auto cycles = [&](int64_t n) {
        double latency = reduces ? 4 : 1;
        return std::max({double(n * regs) / 2, double(n + regs) / 2, latency}) +
               0.5;
      };
      double total = columns * (double(rowSize / r) * cycles(r) +
                                double(rowSize % r) * cycles(1));
      if (total < best * 0.999) {
        best = total;
        rows = r;
        lanes = width;
      }
    }
  }
  if (rows == 1)
    rowDim = -1;
}

/// Plans a square tile for an elementwise op that reads some operand across
/// the vector loop: rows of that operand, transposed in registers.
bool VectorNest::planTranspose(int64_t native, unsigned cost) {
  int64_t side = std::min<int64_t>(native, 16);
  auto fits = [&](unsigned d) {
    return ShapedType::isDynamic(sizes[d]) || sizes[d] >= side;
  };
  if (op.getNumReductionLoops() > 0 || cost > 8 || !llvm::isPowerOf2_64(side) ||
      side < 2 || !fits(vecDim))
    return false;
  for (unsigned d = 0; d < numLoops; ++d) {
    if (static_cast<int>(d) == vecDim || !fits(d))
      continue;
    rowDim = d;
    transposes = true;
    bool all = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      return stride(operand) != Stride::Other &&
             (!type || stride(operand) != Stride::Transposed ||
              isVectorElement(type.getElementType()));
    });
    if (all) {
      rows = lanes = side;
      return true;
    }
  }
  rowDim = -1;
  transposes = false;
  return false;
}

LogicalResult VectorNest::plan(std::string &reason) {
  if (!op.hasPureTensorSemantics()) {
    reason = "it works on buffers";
    return failure();
  }
  if (numLoops == 0) {
    reason = "it is a scalar computation";
    return failure();
  }
  if (!checkPayload(reason))
    return failure();
  unsigned numParallel = op.getNumParallelLoops();
  if (numParallel + op.getNumReductionLoops() != numLoops) {
    reason = "it has a window loop";
    return failure();
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    // A kept dimension of size 1 is indexed by 0.
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true) ||
        llvm::any_of(llvm::seq(numLoops), [&](unsigned d) {
          return map.isFunctionOfDim(d) == isReductionDim(d);
        })) {
      reason = "an output is not indexed by exactly the parallel loops";
      return failure();
    }
  }
  contraction = matchContractionBody(op);

  // The best loop to vectorise, if it can be.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(numLoops));
  SmallVector<double> scores =
      llvm::map_to_vector(order, [&](unsigned d) { return score(d); });
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return scores[x] != scores[y] ? scores[x] > scores[y] : x > y;
  });
  for (unsigned dim : order) {
    vecDim = dim;
    vecIsReduction = isReductionDim(dim);
    rowDim = -1;
    transposes = false;
    strided =
        exactTail || llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
          return stride(operand) == Stride::Other;
        });
    if (vecIsReduction && (strided || !planReduction()))
      continue;
    planSizes();
    return success();
  }
  reason = "no loop of it can be vectorised";
  return failure();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorNest::splitLoop(
    unsigned dim, int64_t step, int64_t tailStep, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(bool, ValueRange)> body) {
  auto emitLoop = [&](OpFoldResult lo, OpFoldResult hi, int64_t by, bool full,
                      ValueRange init) {
    return buildLoop(b, loc, lo, hi, by, init,
                     [&](OpBuilder &nested, Location, Value iv,
                         ValueRange args) -> SmallVector<Value> {
                       OpBuilder::InsertionGuard guard(b);
                       b.setInsertionPoint(nested.getInsertionBlock(),
                                           nested.getInsertionPoint());
                       Value outer = ivs[dim];
                       ivs[dim] = iv;
                       SmallVector<Value> next = body(full, args);
                       ivs[dim] = outer;
                       nested.setInsertionPoint(b.getInsertionBlock(),
                                                b.getInsertionPoint());
                       return next;
                     });
  };
  OpFoldResult zero = b.getIndexAttr(0);
  if (step == 1)
    return emitLoop(zero, bounds[dim], 1, true, carried);
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      b, loc, s0.floorDiv(step) * step, {bounds[dim]});
  SmallVector<Value> next = emitLoop(zero, end, step, true, carried);
  return emitLoop(end, bounds[dim], tailStep, false, next);
}

SmallVector<Value> VectorNest::parallelLoops(ArrayRef<int> order, Tile tile,
                                             ValueRange carried) {
  if (order.empty())
    return vecIsReduction ? emitReductionTile(tile.rows, carried)
                          : emitParallelTile(tile, carried);
  int dim = order.front();
  order = order.drop_front();
  if (dim == vecDim) {
    return splitLoop(dim, lanes, strided ? 1 : lanes, carried,
                     [&](bool full, ValueRange args) {
                       Tile next = tile;
                       next.lanes = full || !strided ? lanes : 1;
                       next.masked = !full && !strided;
                       return parallelLoops(order, next, args);
                     });
  }
  if (dim == rowDim)
    return splitLoop(dim, rows, 1, carried, [&](bool full, ValueRange args) {
      Tile next = tile;
      next.rows = full ? rows : 1;
      return parallelLoops(order, next, args);
    });
  return splitLoop(dim, 1, 1, carried, [&](bool, ValueRange args) {
    return parallelLoops(order, tile, args);
  });
}

/// The parallel loops from the outside in. Where rows share what the vector
/// loop reads (a filter, a matrix), the loops that it does not depend on go
/// inside the vector loop, so that one slice of it stays in the cache.
SmallVector<int> VectorNest::loopOrder() {
  auto sharedDependsOn = [&](unsigned d) {
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      AffineMap map = op.getMatchingIndexingMap(in);
      return map.isFunctionOfDim(vecDim) && !map.isFunctionOfDim(rowDim) &&
             map.isFunctionOfDim(d);
    });
  };
  bool reuse = rowDim >= 0 && !vecIsReduction && !transposes;
  SmallVector<int> outer, inner;
  for (unsigned d = 0; d < numLoops; ++d)
    if (!isReductionDim(d) && static_cast<int>(d) != vecDim &&
        static_cast<int>(d) != rowDim)
      (reuse && !sharedDependsOn(d) ? inner : outer).push_back(d);
  bool vecFirst = reuse;
  if (vecFirst)
    outer.push_back(vecDim);
  llvm::append_range(outer, inner);
  if (rowDim >= 0)
    outer.push_back(rowDim);
  if (!vecFirst && !vecIsReduction)
    outer.push_back(vecDim);
  return outer;
}

SmallVector<Value> VectorNest::reductionLoops(
    unsigned dim, ValueRange accs,
    llvm::function_ref<SmallVector<Value>(ValueRange)> body) {
  while (dim < numLoops &&
         (!isReductionDim(dim) || static_cast<int>(dim) == vecDim))
    ++dim;
  if (dim == numLoops)
    return body(accs);
  return splitLoop(dim, 1, 1, accs, [&](bool, ValueRange args) {
    return reductionLoops(dim + 1, args, body);
  });
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> VectorNest::dimValues(int64_t row,
                                                int64_t lane) const {
  SmallVector<OpFoldResult> values;
  for (unsigned d = 0; d < numLoops; ++d) {
    OpFoldResult value = ivs[d] ? OpFoldResult(ivs[d]) : b.getIndexAttr(0);
    int64_t offset = static_cast<int>(d) == rowDim   ? row
                     : static_cast<int>(d) == vecDim ? lane
                                                     : 0;
    if (offset)
      value = affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineSymbolExpr(0) + offset, {value});
    values.push_back(value);
  }
  return values;
}

SmallVector<Value> VectorNest::indices(OpOperand &operand, int64_t row,
                                       int64_t lane) {
  SmallVector<OpFoldResult> dims = dimValues(row, lane);
  SmallVector<Value> result;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    result.push_back(applyExpr(b, loc, expr, dims));
  return result;
}

Value VectorNest::read(OpOperand &operand, Value source, Tile tile,
                       int64_t row) {
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return source;
  switch (stride(operand)) {
  case Stride::None:
    return tensor::ExtractOp::create(b, loc, source, indices(operand, row));
  case Stride::One: {
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    int64_t rank = type.getRank();
    AffineMap map = AffineMap::getMinorIdentityMap(rank, 1, b.getContext());
    return vector::TransferReadOp::create(
        b, loc, VectorType::get({tile.lanes}, type.getElementType()), source,
        indices(operand, row), padding, map, ArrayRef<bool>{!tile.masked});
  }
  case Stride::Few: {
    // What lies between the elements comes along; past the end come zeros.
    int64_t step = strideOf(op.getMatchingIndexingMap(&operand), vecDim);
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    AffineMap map =
        AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
    Value wide = vector::TransferReadOp::create(
        b, loc, VectorType::get({tile.lanes * step}, type.getElementType()),
        source, indices(operand, row), padding, map, ArrayRef<bool>{false});
    SmallVector<int64_t> picks;
    for (int64_t lane = 0; lane < tile.lanes; ++lane)
      picks.push_back(lane * step);
    return vector::ShuffleOp::create(b, loc, wide, wide, picks);
  }
  case Stride::Transposed:
  case Stride::Other:
    break;
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < tile.lanes; ++lane)
    elements.push_back(
        tensor::ExtractOp::create(b, loc, source, indices(operand, row, lane)));
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({tile.lanes}, type.getElementType()), elements);
}

/// The elements of `source` at `at`, scalars or vectors of indices.
Value VectorNest::gather(Value source, ArrayRef<Value> at, int64_t width) {
  if (llvm::none_of(at, [](Value v) { return isa<VectorType>(v.getType()); }))
    return tensor::ExtractOp::create(b, loc, source, at);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < width; ++lane) {
    SmallVector<Value> indices;
    for (Value index : at)
      indices.push_back(
          isa<VectorType>(index.getType())
              ? Value(vector::ExtractOp::create(b, loc, index, lane))
              : index);
    elements.push_back(tensor::ExtractOp::create(b, loc, source, indices));
  }
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({width}, element), elements);
}

/// The operand's square of `rows` by `lanes`, read along the unrolled loop.
SmallVector<Value> VectorNest::readSquare(OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
  SmallVector<Value> square;
  for (int64_t lane = 0; lane < lanes; ++lane)
    square.push_back(vector::TransferReadOp::create(
        b, loc, VectorType::get({rows}, type.getElementType()), operand.get(),
        indices(operand, 0, lane), padding, map, ArrayRef<bool>{true}));
  return transposeSquare(b, loc, square);
}

Value VectorNest::write(OpOperand &init, Value dest, Value value, Tile tile,
                        int64_t row) {
  value = toVector(b, loc, value, tile.lanes);
  if (stride(init) == Stride::One) {
    int64_t rank = cast<RankedTensorType>(dest.getType()).getRank();
    AffineMap map = AffineMap::getMinorIdentityMap(rank, 1, b.getContext());
    return vector::TransferWriteOp::create(b, loc, value, dest,
                                           indices(init, row), map,
                                           ArrayRef<bool>{!tile.masked})
        .getResult();
  }
  for (int64_t lane = 0; lane < tile.lanes; ++lane) {
    Value element = vector::ExtractOp::create(b, loc, value, lane);
    dest = tensor::InsertOp::create(b, loc, element, dest,
                                    indices(init, row, lane));
  }
  return dest;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The payload on `tile.rows` rows; `accs` and the result are row-major
/// (row, output). A null accumulator is one that the payload does not read.
SmallVector<Value> VectorNest::payload(Tile tile, ValueRange accs) {
  Block *block = op.getBlock();
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> results;
  DenseMap<unsigned, Value> shared;
  DenseMap<unsigned, SmallVector<Value>> squares;
  if (transposes && tile.rows == rows && tile.lanes == lanes)
    for (OpOperand *in : op.getDpsInputOperands())
      if (stride(*in) == Stride::Transposed)
        squares[in->getOperandNumber()] = readSquare(*in);
  for (int64_t row = 0; row < tile.rows; ++row) {
    DenseMap<Value, Value> values;
    for (OpOperand *in : op.getDpsInputOperands()) {
      BlockArgument arg = op.getMatchingBlockArgument(in);
      if (arg.use_empty())
        continue;
      AffineMap map = op.getMatchingIndexingMap(in);
      bool common = rowDim < 0 || !map.isFunctionOfDim(rowDim);
      Value &cached = shared[in->getOperandNumber()];
      if (common && cached) {
        values[arg] = cached;
        continue;
      }
      auto square = squares.find(in->getOperandNumber());
      Value value = square != squares.end() ? square->second[row]
                                            : read(*in, in->get(), tile, row);
      if (common)
        cached = value;
      values[arg] = value;
    }
    for (unsigned i = 0; i < numInits; ++i)
      values[op.getRegionOutputArgs()[i]] = accs[row * numInits + i];

    for (Operation &nested : block->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
        unsigned dim = index.getDim();
        Value iv =
            getValueOrCreateConstantIndexOp(b, loc, dimValues(row, 0)[dim]);
        if (static_cast<int>(dim) == vecDim && tile.lanes > 1) {
          auto type = VectorType::get({tile.lanes}, b.getIndexType());
          Value step = vector::StepOp::create(b, loc, type);
          iv = arith::AddIOp::create(b, loc, toVector(b, loc, iv, tile.lanes),
                                     step);
        }
        values[index] = iv;
        continue;
      }
      if (nested.hasTrait<OpTrait::ConstantLike>()) {
        values[nested.getResult(0)] = b.clone(nested)->getResult(0);
        continue;
      }
      SmallVector<Value> operands;
      for (Value operand : nested.getOperands()) {
        auto it = values.find(operand);
        operands.push_back(it == values.end() ? operand : it->second);
      }
      Value result;
      if (auto extract = dyn_cast<tensor::ExtractOp>(nested)) {
        result = gather(extract.getTensor(), ArrayRef(operands).drop_front(),
                        tile.lanes);
      } else if (contraction && &nested == contraction->add) {
        Value lhs = values.lookup(contraction->mul->getOperand(0));
        Value rhs = values.lookup(contraction->mul->getOperand(1));
        result =
            multiplyAdd(b, loc, *contraction, lhs, rhs,
                        values.lookup(op.getRegionOutputArgs()[0]), target);
      } else if (contraction && &nested == contraction->mul) {
        continue;
      } else {
        result = cloneElementwise(b, &nested, operands, tile.lanes);
      }
      values[nested.getResult(0)] = result;
    }
    for (Value yielded : block->getTerminator()->getOperands()) {
      auto it = values.find(yielded);
      results.push_back(toVector(
          b, loc, it == values.end() ? yielded : it->second, tile.lanes));
    }
  }
  return results;
}

SmallVector<Value> VectorNest::emitParallelTile(Tile tile, ValueRange carried) {
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> accs;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      if (!op.payloadUsesValueFromOperand(&init))
        accs.push_back(Value());
      else if (initScalars[i])
        accs.push_back(toVector(b, loc, initScalars[i], tile.lanes));
      else
        accs.push_back(
            toVector(b, loc, read(init, carried[i], tile, row), tile.lanes));
    }
  SmallVector<Value> values;
  if (op.getNumReductionLoops() == 0) {
    values = payload(tile, accs);
  } else {
    // An output whose old value is unused still has to be carried.
    for (auto [i, acc] : llvm::enumerate(accs))
      if (!acc) {
        Type type = op.getRegionOutputArgs()[i % numInits].getType();
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        acc = toVector(b, loc, zero, tile.lanes);
      }
    values = reductionLoops(
        0, accs, [&](ValueRange args) { return payload(tile, args); });
  }
  SmallVector<Value> next(carried);
  for (int64_t row = 0; row < tile.rows; ++row)
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable()))
      next[i] = write(init, next[i], values[row * numInits + i], tile, row);
  return next;
}

SmallVector<Value> VectorNest::emitReductionTile(int64_t rowCount,
                                                 ValueRange carried) {
  unsigned numInits = op.getNumDpsInits();
  SmallVector<Value> accs;
  for (int64_t row = 0; row < rowCount; ++row)
    for (Operation *combiner : combiners) {
      Value neutral = arith::ConstantOp::create(
          b, loc, cast<TypedAttr>(*arith::getNeutralElement(combiner)));
      accs.push_back(toVector(b, loc, neutral, lanes));
    }
  SmallVector<Value> partial = reductionLoops(0, accs, [&](ValueRange outer) {
    return splitLoop(
        vecDim, lanes, lanes, outer, [&](bool full, ValueRange args) {
          Tile tile{lanes, /*masked=*/!full, rowCount};
          SmallVector<Value> next = payload(tile, args);
          if (full)
            return next;
          // Lanes past the end keep what they had.
          AffineExpr s0 = b.getAffineSymbolExpr(0),
                     s1 = b.getAffineSymbolExpr(1);
          Value rest =
              applyExpr(b, loc, s0 - s1, {bounds[vecDim], ivs[vecDim]});
          Value mask = vector::CreateMaskOp::create(
              b, loc, VectorType::get({lanes}, b.getI1Type()), rest);
          for (auto [value, old] : llvm::zip_equal(next, args))
            value = arith::SelectOp::create(b, loc, mask, value, old);
          return next;
        });
  });
  SmallVector<Value> next(carried);
  for (int64_t row = 0; row < rowCount; ++row)
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      Operation *combiner = combiners[i];
      Value sum = vector::ReductionOp::create(
          b, loc, *linalg::getCombinerOpKind(combiner),
          partial[row * numInits + i]);
      SmallVector<Value> at = indices(init, row);
      Value start = initScalars[i]
                        ? initScalars[i]
                        : Value(tensor::ExtractOp::create(b, loc, next[i], at));
      bool accFirst = combiner->getOperand(0) == op.getRegionOutputArgs()[i];
      Value total = accFirst ? cloneElementwise(b, combiner, {start, sum}, 1)
                             : cloneElementwise(b, combiner, {sum, start}, 1);
      next[i] = tensor::InsertOp::create(b, loc, total, next[i], at);
    }
  return next;
}

SmallVector<Value> VectorNest::emit() {
  for (Range range : op.createLoopRanges(b, loc))
    bounds.push_back(range.size);
  ivs.assign(numLoops, Value());
  SmallVector<Value> carried;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    FillInfo fill = matchFill(init.get());
    initScalars.push_back(fill.scalar);
    Value dest = fill.scalar ? fill.destination : init.get();
    // Every element is written: where the old values are not needed, a fresh
    // destination saves the copy of one that must stay as it is.
    bool reads = !fill.scalar && op.payloadUsesValueFromOperand(&init);
    if (!reads && !dest.getDefiningOp<tensor::EmptyOp>() &&
        !dest.getDefiningOp<tensor::ExtractSliceOp>()) {
      auto type = cast<RankedTensorType>(dest.getType());
      dest =
          tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, dest),
                                  type.getElementType(), type.getEncoding());
    }
    carried.push_back(dest);
  }
  Tile tile;
  tile.lanes = lanes;
  return parallelLoops(loopOrder(), tile, carried);
}

LogicalResult cpu::lowerToVectorLoops(RewriterBase &rewriter,
                                      linalg::LinalgOp op,
                                      const CPUTarget &target,
                                      std::string &reason) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  VectorNest nest(rewriter, op, target);
  if (failed(nest.plan(reason)))
    return failure();
  rewriter.replaceOp(op, nest.emit());
  return success();
}
