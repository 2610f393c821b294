//===- IndexChecks.cpp - checks of indices as a program runs --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;

/// How many ops deep ranges are looked for.
static constexpr unsigned kMaxDepth = 32;

/// The most elements of a constant that are looked at.
static constexpr int64_t kMaxElements = 1 << 20;

/// The fewest indices of a row that are worth a number of their own.
static constexpr int64_t kMinRow = 64;

//===----------------------------------------------------------------------===//
// What is known of indices
//===----------------------------------------------------------------------===//

/// Numbers of `bits` bits from `low` to `high`, both signed.
static IntegerValueRange getRange(unsigned bits, int64_t low, int64_t high) {
  return IntegerValueRange(ConstantIntRanges::fromSigned(
      APInt(bits, low, /*isSigned=*/true), APInt(bits, high, true)));
}

/// Numbers of the elements of `value`, if it is a constant of integers.
static IntegerValueRange getElementRange(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.empty() ||
      (!elements.isSplat() && elements.getNumElements() > kMaxElements))
    return IntegerValueRange();
  IntegerValueRange range;
  for (const APInt &element : elements.getValues<APInt>()) {
    range = IntegerValueRange::join(
        range, IntegerValueRange(ConstantIntRanges::constant(element)));
    if (elements.isSplat())
      break;
  }
  return range;
}

/// What numbers `value`, a scalar, can be.
static IntegerValueRange getRange(Value value, unsigned depth = 0) {
  IntegerValueRange any = IntegerValueRange::getMaxRange(value);
  if (any.isUninitialized() || depth > kMaxDepth)
    return any;
  unsigned bits = any.getValue().umin().getBitWidth();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return IntegerValueRange(ConstantIntRanges::constant(constant));

  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto op = dyn_cast_or_null<linalg::LinalgOp>(parent)) {
      OpOperand *operand = op.getMatchingOpOperand(argument);
      IntegerValueRange range = op.isDpsInput(operand)
                                    ? getElementRange(operand->get())
                                    : IntegerValueRange();
      return range.isUninitialized() ? any : range;
    }
    auto loop = dyn_cast_or_null<scf::ForOp>(parent);
    if (loop && argument == loop.getInductionVar()) {
      std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound()),
                             high = getConstantIntValue(loop.getUpperBound());
      if (low && high && *low < *high && !loop.getUnsignedCmp())
        return getRange(bits, *low, *high - 1);
    }
    return any;
  }

  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    int64_t size = index->getParentOfType<linalg::LinalgOp>()
                       .getStaticLoopRanges()[index.getDim()];
    bool isKnown = !ShapedType::isDynamic(size);
    return getRange(bits, 0,
                    isKnown ? std::max<int64_t>(size, 1) - 1
                            : std::numeric_limits<int64_t>::max());
  }
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferable || op->getNumRegions() > 0)
    return any;
  SmallVector<IntegerValueRange> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getRange(operand, depth + 1));
  IntegerValueRange result = any;
  inferable.inferResultRangesFromOptional(
      operands, [&](Value of, const IntegerValueRange &range) {
        if (of == value && !range.isUninitialized())
          result = range;
      });
  return result;
}

/// Whether `index` is known to be within dimension `d` of `type`.
static bool isWithin(Value index, RankedTensorType type, unsigned d) {
  return !type.isDynamicDim(d) &&
         getRange(index).getValue().umax().ult(type.getDimSize(d));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Whether `index` is outside of [0, `size`), an index; of `index` as it was
/// before it was widened, whose vectors have more lanes.
static Value isOutside(OpBuilder &b, Location loc, Value index, Value size) {
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>()) {
    Value narrow = cast.getIn();
    auto type = dyn_cast<IntegerType>(narrow.getType());
    if (type && type.getWidth() > 1 && type.getWidth() < 64) {
      // Numbers below 0 are more than the largest, as unsigned ones.
      Value most = arith::ConstantIndexOp::create(
          b, loc, int64_t(1) << (type.getWidth() - 1));
      size = arith::IndexCastUIOp::create(
          b, loc, type, arith::MinUIOp::create(b, loc, size, most));
      index = narrow;
    }
  }
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, index, size);
}

/// Puts the check that `isGood` before `op`, which reads or writes `type`.
static void check(OpBuilder &b, Operation *op, RankedTensorType type,
                  Value isGood) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "is out of the bounds of " << type
      << "; check the values that the index is computed from";
  cf::AssertOp::create(b, op->getLoc(), isGood,
                       describeCheck(op, "an index of ", text));
}

/// Checks the indices `dims` of `op` where it is.
static void checkInPlace(Operation *op, Value tensor, ValueRange indices,
                         ArrayRef<unsigned> dims) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value isGood;
  for (unsigned d : dims) {
    Value size = b.createOrFold<tensor::DimOp>(loc, tensor, d);
    Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                       indices[d], size);
    isGood = isGood ? arith::AndIOp::create(b, loc, isGood, isIn) : isIn;
  }
  check(b, op, cast<RankedTensorType>(tensor.getType()), isGood);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

namespace {
/// The checks of one extract in the payload of a linalg op.
class GatherChecks {
public:
  GatherChecks(linalg::LinalgOp op, tensor::ExtractOp extract)
      : op(op), extract(extract), b(op) {}

  /// Checks the indices `dims`.
  void create(ArrayRef<unsigned> dims);

private:
  /// What an index is computed from.
  struct Slice {
    llvm::SmallSetVector<Operation *, 8> ops;
    llvm::SmallSetVector<OpOperand *, 4> operands;
    llvm::SmallBitVector loops;
  };

  /// Adds `value` to `slice`. Fails if it cannot be computed before the op.
  LogicalResult collect(Value value, Slice &slice);

  /// Makes in `nested` what `slice` has, and tells if one of `dims` is bad.
  Value emit(OpBuilder &nested, const Slice &slice, IRMapping &mapping,
             ArrayRef<unsigned> dims);

  /// Makes a tensor of `shape`, of i32: the "or" of the numbers that `payload`
  /// makes of elements of `inputs`.
  using PayloadBuilder = llvm::function_ref<Value(OpBuilder &, ValueRange)>;
  Value anyOf(ArrayRef<OpFoldResult> shape, ValueRange inputs,
              ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
              PayloadBuilder payload);

  /// Whether an index in `dims`, which `slice` computes, is bad in any run.
  Value reduce(const Slice &slice, ArrayRef<unsigned> dims);

  /// Checks that not `isBad`, which `loops` tell, where the others run.
  void checkNot(Value isBad, const llvm::SmallBitVector &loops);

  linalg::LinalgOp op;
  tensor::ExtractOp extract;
  OpBuilder b;
  /// The size of each loop, and of each dimension of the tensor.
  SmallVector<OpFoldResult> loopSizes;
  SmallVector<Value> sizes;
};
} // namespace

LogicalResult GatherChecks::collect(Value value, Slice &slice) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock())
      return success();
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (op.isDpsInit(operand) && op.getNumReductionLoops() > 0)
      return failure();
    slice.operands.insert(operand);
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (unsigned d = 0, e = map.getNumDims(); d < e; ++d)
      if (map.isFunctionOfDim(d))
        slice.loops.set(d);
    return success();
  }
  Operation *maker = value.getDefiningOp();
  if (!op->isProperAncestor(maker) || slice.ops.contains(maker))
    return success();
  if (maker->getBlock() != op.getBlock() || maker->getNumRegions() > 0 ||
      !isMemoryEffectFree(maker))
    return failure();
  if (auto index = dyn_cast<linalg::IndexOp>(maker))
    slice.loops.set(index.getDim());
  for (Value operand : maker->getOperands())
    if (failed(collect(operand, slice)))
      return failure();
  slice.ops.insert(maker);
  return success();
}

Value GatherChecks::emit(OpBuilder &nested, const Slice &slice,
                         IRMapping &mapping, ArrayRef<unsigned> dims) {
  for (Operation *maker : slice.ops)
    if (!isa<linalg::IndexOp>(maker))
      nested.clone(*maker, mapping);
  Value isBad;
  for (unsigned d : dims) {
    Value isOut =
        isOutside(nested, extract.getLoc(),
                  mapping.lookupOrDefault(extract.getIndices()[d]), sizes[d]);
    isBad = isBad ? arith::OrIOp::create(nested, extract.getLoc(), isBad, isOut)
                  : isOut;
  }
  return isBad;
}

Value GatherChecks::anyOf(ArrayRef<OpFoldResult> shape, ValueRange inputs,
                          ArrayRef<AffineMap> maps,
                          ArrayRef<utils::IteratorType> iterators,
                          PayloadBuilder payload) {
  Location loc = extract.getLoc();
  Type i32 = b.getI32Type();
  Value zero = arith::ConstantIntOp::create(b, loc, i32, 0);
  Value empty = tensor::EmptyOp::create(b, loc, shape, i32);
  Value none = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  auto any = linalg::GenericOp::create(
      b, loc, none.getType(), inputs, none, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange values) {
        Value number = payload(nested, values);
        linalg::YieldOp::create(
            nested, loc,
            Value(arith::OrIOp::create(nested, loc, values.back(), number)));
      });
  return any.getResult(0);
}

Value GatherChecks::reduce(const Slice &slice, ArrayRef<unsigned> dims) {
  Location loc = extract.getLoc();
  IRMapping mapping;
  if (slice.loops.none()) {
    for (OpOperand *operand : slice.operands) {
      Value value = operand->get();
      if (isa<TensorType>(value.getType())) {
        SmallVector<Value> at;
        for (AffineExpr result :
             op.getMatchingIndexingMap(operand).getResults())
          at.push_back(arith::ConstantIndexOp::create(
              b, loc, cast<AffineConstantExpr>(result).getValue()));
        value = tensor::ExtractOp::create(b, loc, value, at);
      }
      mapping.map(op.getMatchingBlockArgument(operand), value);
    }
    return emit(b, slice, mapping, dims);
  }

  // A loop for each one that the index depends on.
  SmallVector<AffineExpr> newDims(op.getNumLoops(), b.getAffineConstantExpr(0));
  unsigned numLoops = 0;
  for (unsigned d : slice.loops.set_bits())
    newDims[d] = b.getAffineDimExpr(numLoops++);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::SmallBitVector isSized(numLoops);
  for (OpOperand *operand : slice.operands) {
    inputs.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
        newDims, {}, numLoops, 0));
    for (AffineExpr result : maps.back().getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        isSized.set(dim.getPosition());
  }
  // What only tells the sizes of loops that no input tells.
  SmallVector<OpFoldResult> shape;
  SmallVector<AffineExpr> shapeDims;
  for (unsigned d : slice.loops.set_bits()) {
    auto dim = cast<AffineDimExpr>(newDims[d]);
    if (isSized.test(dim.getPosition()))
      continue;
    shape.push_back(loopSizes[d]);
    shapeDims.push_back(dim);
  }
  if (!shape.empty()) {
    inputs.push_back(tensor::EmptyOp::create(b, loc, shape, b.getI8Type()));
    maps.push_back(AffineMap::get(numLoops, 0, shapeDims, b.getContext()));
  }
  // Threads share the first loop, if it is not all there is: one number for
  // each of its iterations, then one for all.
  SmallVector<OpFoldResult> rows;
  SmallVector<AffineExpr> rowDims;
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::reduction);
  int64_t row = op.getStaticLoopRanges()[slice.loops.find_last()];
  if (numLoops > 1 && (ShapedType::isDynamic(row) || row >= kMinRow)) {
    rows.push_back(loopSizes[slice.loops.find_first()]);
    rowDims.push_back(b.getAffineDimExpr(0));
    iterators.front() = utils::IteratorType::parallel;
  }
  maps.push_back(AffineMap::get(numLoops, 0, rowDims, b.getContext()));

  Value any = anyOf(
      rows, inputs, maps, iterators, [&](OpBuilder &nested, ValueRange values) {
        for (auto [operand, value] : llvm::zip(slice.operands, values))
          mapping.map(op.getMatchingBlockArgument(operand), value);
        for (Operation *maker : slice.ops)
          if (auto index = dyn_cast<linalg::IndexOp>(maker))
            mapping.map(index.getResult(),
                        linalg::IndexOp::create(
                            nested, index.getLoc(),
                            cast<AffineDimExpr>(newDims[index.getDim()])
                                .getPosition()));
        return arith::ExtUIOp::create(nested, loc, b.getI32Type(),
                                      emit(nested, slice, mapping, dims));
      });
  if (!rows.empty())
    any = anyOf(
        {}, any,
        {b.getMultiDimIdentityMap(1), AffineMap::get(1, 0, b.getContext())},
        utils::IteratorType::reduction,
        [](OpBuilder &, ValueRange values) { return values.front(); });
  Value bad = tensor::ExtractOp::create(b, loc, any, ValueRange());
  Value zero = arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bad, zero);
}

void GatherChecks::checkNot(Value isBad, const llvm::SmallBitVector &loops) {
  Location loc = extract.getLoc();
  // Nothing is read where another loop has no iteration.
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    auto size = dyn_cast<Value>(loopSizes[d]);
    if (loops.test(d) || !size)
      continue;
    Value runs =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, size, zero);
    isBad = arith::AndIOp::create(b, loc, isBad, runs);
  }
  Value yes = arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1);
  check(b, extract, extract.getTensor().getType(),
        arith::XOrIOp::create(b, loc, isBad, yes));
}

void GatherChecks::create(ArrayRef<unsigned> dims) {
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return;
  // Indices that depend on the same loops are checked together. That of a loop
  // is by its size.
  SmallVector<std::pair<Slice, SmallVector<unsigned>>> groups;
  SmallVector<unsigned> inPlace, ofLoops;
  for (unsigned d : dims) {
    Slice slice;
    slice.loops.resize(op.getNumLoops());
    if (extract->getBlock() != op.getBlock() ||
        failed(collect(extract.getIndices()[d], slice))) {
      inPlace.push_back(d);
      continue;
    }
    if (extract.getIndices()[d].getDefiningOp<linalg::IndexOp>()) {
      ofLoops.push_back(d);
      continue;
    }
    auto *same = llvm::find_if(groups, [&](const auto &group) {
      return group.first.loops == slice.loops;
    });
    if (same == groups.end()) {
      groups.push_back({std::move(slice), {d}});
      continue;
    }
    same->first.ops.insert_range(slice.ops);
    same->first.operands.insert_range(slice.operands);
    same->second.push_back(d);
  }
  if (!inPlace.empty())
    checkInPlace(extract, extract.getTensor(), extract.getIndices(), inPlace);
  if (groups.empty() && ofLoops.empty())
    return;

  Location loc = extract.getLoc();
  for (const Range &range : op.createLoopRanges(b, op.getLoc()))
    loopSizes.push_back(range.size);
  for (unsigned d = 0, e = extract.getIndices().size(); d < e; ++d)
    sizes.push_back(b.createOrFold<tensor::DimOp>(loc, extract.getTensor(), d));
  for (unsigned d : ofLoops) {
    unsigned loop =
        extract.getIndices()[d].getDefiningOp<linalg::IndexOp>().getDim();
    Value size = getValueOrCreateConstantIndexOp(b, loc, loopSizes[loop]);
    Value isBad = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, size,
                                        sizes[d]);
    llvm::SmallBitVector loops(op.getNumLoops());
    checkNot(isBad, loops.set(loop));
  }
  for (auto &[slice, group] : groups)
    checkNot(reduce(slice, group), slice.loops);
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

void mlir::amp::addIndexChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tensor::ExtractOp, tensor::InsertOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    Value tensor =
        extract ? extract.getTensor() : cast<tensor::InsertOp>(op).getDest();
    ValueRange indices = extract ? ValueRange(extract.getIndices())
                                 : cast<tensor::InsertOp>(op).getIndices();
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<unsigned> dims;
    for (unsigned d = 0, e = type.getRank(); d < e; ++d)
      if (!isWithin(indices[d], type, d))
        dims.push_back(d);
    if (dims.empty())
      continue;
    auto payloadOf = op->getParentOfType<linalg::LinalgOp>();
    if (extract && payloadOf && payloadOf.hasPureTensorSemantics() &&
        !payloadOf->isAncestor(tensor.getParentRegion()->getParentOp()))
      GatherChecks(payloadOf, extract).create(dims);
    else
      checkInPlace(op, tensor, indices, dims);
  }
}
