//===- SizeChecks.cpp - checks of sizes as a program runs -----------------===//
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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

using namespace mlir;
using namespace mlir::amp;

/// More than any system has.
static constexpr uint64_t kMostBytes = uint64_t(1) << 62;

std::string mlir::amp::describeCheck(Operation *op, StringRef subject,
                                     StringRef problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>())
    os << loc.getFilename().getValue() << ":" << loc.getLine() << ":"
       << loc.getColumn() << ": ";
  os << "error: " << subject << "'" << op->getName() << "' " << problem;
  return text;
}

/// Both conditions; `first` may be null, for none.
static Value both(OpBuilder &b, Location loc, Value first, Value second) {
  return first ? arith::AndIOp::create(b, loc, first, second) : second;
}

/// Whether `size` is one that a tensor has, which is right.
static bool isSizeOfTensor(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  return !value || value.getDefiningOp<tensor::DimOp>();
}

/// Checks before `op`, which makes a tensor of `type` and `sizes`.
static void checkMade(Operation *op, RankedTensorType type,
                      ArrayRef<OpFoldResult> sizes) {
  if (llvm::all_of(sizes, isSizeOfTensor))
    return;
  OpBuilder b(op);
  Location loc = op->getLoc();
  // The most that the next size may be. As unsigned numbers, those below 0 are
  // more than any.
  uint64_t limit =
      kMostBytes /
      (type.getElementType().isIntOrFloat()
           ? llvm::divideCeil(type.getElementTypeBitWidth(), unsigned(8))
           : 8);
  for (OpFoldResult size : sizes)
    if (std::optional<int64_t> known = getConstantIntValue(size))
      limit /= std::max<int64_t>(*known, 1);
  Value most = arith::ConstantIndexOp::create(b, loc, limit);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isGood, last;
  for (OpFoldResult size : sizes) {
    auto value = dyn_cast<Value>(size);
    if (!value || getConstantIntValue(size))
      continue;
    if (isGood)
      most = arith::DivUIOp::create(b, loc, most, last);
    Value isCounted =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, value, most);
    isGood = both(b, loc, isGood, isCounted);
    last = arith::MaxUIOp::create(b, loc, value, one);
  }
  if (isGood)
    cf::AssertOp::create(
        b, loc, isGood,
        describeCheck(
            op, "",
            "makes a tensor with a size below 0, or of more than 2^62 "
            "bytes; check the values that its sizes are computed from"));
}

/// The same of what `pad` makes, where more or less than constants is added.
static void checkPad(tensor::PadOp pad) {
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  auto adds = [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(-1) >= 0;
  };
  if (llvm::all_of(low, adds) && llvm::all_of(high, adds))
    return;
  OpBuilder b(pad);
  Location loc = pad.getLoc();
  SmallVector<OpFoldResult> sizes;
  for (unsigned d = 0, e = low.size(); d < e; ++d) {
    Value size = tensor::DimOp::create(b, loc, pad.getSource(), d);
    for (OpFoldResult more : {low[d], high[d]})
      size = arith::AddIOp::create(
          b, loc, size, getValueOrCreateConstantIndexOp(b, loc, more));
    sizes.push_back(size);
  }
  checkMade(pad, pad.getResultType(), sizes);
}

/// Each group of sizes that `expand` makes of a dimension multiplies to it.
static void checkExpand(tensor::ExpandShapeOp expand) {
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  OpBuilder b(expand);
  Location loc = expand.getLoc();
  Value isGood;
  for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices())) {
    if (llvm::all_of(group, [&](int64_t i) { return !isa<Value>(sizes[i]); }))
      continue;
    Value product = arith::ConstantIndexOp::create(b, loc, 1);
    for (int64_t i : group)
      product = arith::MulIOp::create(
          b, loc, product, getValueOrCreateConstantIndexOp(b, loc, sizes[i]));
    Value isWhole = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, product,
        tensor::DimOp::create(b, loc, expand.getSrc(), d));
    isGood = both(b, loc, isGood, isWhole);
  }
  if (isGood)
    cf::AssertOp::create(
        b, loc, isGood,
        describeCheck(
            expand, "the sizes in ",
            "do not agree: those of a group do not multiply to the size "
            "of the dimension that they split"));
}

/// The sizes in the operand of `reshape` multiply to the number of elements.
static void checkReshape(tensor::ReshapeOp reshape) {
  auto source = dyn_cast<RankedTensorType>(reshape.getSource().getType());
  auto type = dyn_cast<RankedTensorType>(reshape.getResult().getType());
  if (!source || !type)
    return;
  OpBuilder b(reshape);
  Location loc = reshape.getLoc();
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value count = one, product = one, isGood;
  for (int64_t d = 0, e = source.getRank(); d < e; ++d)
    count = arith::MulIOp::create(
        b, loc, count, tensor::DimOp::create(b, loc, reshape.getSource(), d));
  for (int64_t d = 0, e = type.getRank(); d < e; ++d) {
    Value size = tensor::ExtractOp::create(
        b, loc, reshape.getShape(),
        ValueRange(arith::ConstantIndexOp::create(b, loc, d)));
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
    product = arith::MulIOp::create(b, loc, product, size);
    Value isSize =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, size, zero);
    isGood = both(b, loc, isGood, isSize);
  }
  Value isSame =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, product, count);
  isGood = both(b, loc, isGood, isSame);
  cf::AssertOp::create(
      b, loc, isGood,
      describeCheck(
          reshape, "the sizes in ",
          "do not agree: those of its shape do not multiply to the number "
          "of elements"));
}

namespace {
/// What is to hold of sizes where `op` runs: one check, in front of `place`.
class SizeCheck {
public:
  explicit SizeCheck(Operation *op) : SizeCheck(op, op) {}
  SizeCheck(Operation *op, Operation *place) : op(op), b(place) {}

  /// Size `d` of `tensor`.
  OpFoldResult get(Value tensor, int64_t d) {
    return tensor::getMixedSize(b, op->getLoc(), tensor, d);
  }

  void addEqual(OpFoldResult first, OpFoldResult second) {
    if (!getConstantIntValue(first) || !getConstantIntValue(second))
      add(compare(arith::CmpIPredicate::eq, first, second));
  }

  /// `size` elements from `offset` on, in steps of `stride`, are among `whole`.
  void addInside(OpFoldResult offset, OpFoldResult size, OpFoldResult stride,
                 OpFoldResult whole) {
    std::optional<int64_t> length = getConstantIntValue(size);
    if (getConstantIntValue(offset) && length && getConstantIntValue(stride) &&
        getConstantIntValue(whole))
      return;
    using arith::CmpIPredicate;
    Location loc = op->getLoc();
    // As unsigned numbers, those below 0 are more than any.
    Value isInside = compare(CmpIPredicate::ult, offset, whole);
    if (length != 1) {
      isInside =
          both(b, loc, isInside, compare(CmpIPredicate::ule, size, whole));
      Value steps = arith::SubIOp::create(b, loc, asValue(size),
                                          asValue(b.getIndexAttr(1)));
      Value last = arith::AddIOp::create(
          b, loc, asValue(offset),
          arith::MulIOp::create(b, loc, steps, asValue(stride)));
      isInside =
          both(b, loc, isInside, compare(CmpIPredicate::ult, last, whole));
    }
    // Where nothing is written there is no place for it.
    if (!length || *length == 0)
      isInside = arith::OrIOp::create(
          b, loc, isInside,
          compare(CmpIPredicate::eq, size, b.getIndexAttr(0)));
    add(isInside);
  }

  /// `outer` tiles of `tile` elements are those of `size`, of which the last
  /// may be part of a tile if `isPadded`.
  void addTiles(OpFoldResult size, OpFoldResult tile, OpFoldResult outer,
                bool isPadded) {
    if (getConstantIntValue(size) && getConstantIntValue(tile) &&
        getConstantIntValue(outer))
      return;
    Location loc = op->getLoc();
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    add(compare(arith::CmpIPredicate::sge, tile, one));
    // What divides is never 0, whatever the tile is.
    Value divisor = arith::MaxUIOp::create(b, loc, asValue(tile), asValue(one));
    Value count = arith::CeilDivUIOp::create(b, loc, asValue(size), divisor);
    add(compare(arith::CmpIPredicate::eq, count, outer));
    if (isPadded)
      return;
    Value rest = arith::RemUIOp::create(b, loc, asValue(size), divisor);
    add(compare(arith::CmpIPredicate::eq, rest, zero));
  }

  void emit(StringRef problem) {
    if (isGood)
      cf::AssertOp::create(b, op->getLoc(), isGood,
                           describeCheck(op, "the sizes in ",
                                         ("do not agree: " + problem).str()));
  }

private:
  void add(Value condition) {
    isGood = both(b, op->getLoc(), isGood, condition);
  }
  Value asValue(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, op->getLoc(), size);
  }
  Value compare(arith::CmpIPredicate predicate, OpFoldResult first,
                OpFoldResult second) {
    return arith::CmpIOp::create(b, op->getLoc(), predicate, asValue(first),
                                 asValue(second));
  }

  Operation *op;
  OpBuilder b;
  Value isGood;
};
} // namespace

/// The slice that `insert` writes is within its destination, and has the sizes
/// of its source. Upstream verifies slices that are read alone.
template <typename InsertOp>
static void checkInsert(InsertOp insert) {
  // Between the insertions of a parallel loop nothing else may be.
  constexpr bool isParallel =
      std::is_same_v<InsertOp, tensor::ParallelInsertSliceOp>;
  SizeCheck sizes(insert,
                  isParallel ? insert->getParentOp() : insert.getOperation());
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  int64_t sourceDim = 0;
  for (auto [d, offset, size, stride] :
       llvm::enumerate(insert.getMixedOffsets(), insert.getMixedSizes(),
                       insert.getMixedStrides())) {
    sizes.addInside(offset, size, stride, sizes.get(insert.getDest(), d));
    if (!dropped.test(d))
      sizes.addEqual(size, sizes.get(insert.getSource(), sourceDim++));
  }
  sizes.emit("the slice is out of the bounds of the tensor, or has other sizes "
             "than what is inserted");
}

/// The operands of `concat` differ in the size that is joined alone.
static void checkConcat(tensor::ConcatOp concat) {
  SizeCheck sizes(concat);
  Value first = concat.getInputs().front();
  for (Value other : concat.getInputs().drop_front())
    for (uint64_t d = 0, e = concat.getRank(); d < e; ++d)
      if (d != concat.getDim())
        sizes.addEqual(sizes.get(first, d), sizes.get(other, d));
  sizes.emit("what is concatenated differs in another dimension");
}

static void checkSoftmax(linalg::SoftmaxOp softmax) {
  SizeCheck sizes(softmax);
  for (int64_t d = 0, e = softmax.getInputOperandRank(); d < e; ++d)
    sizes.addEqual(sizes.get(softmax.getInput(), d),
                   sizes.get(softmax.getOutput(), d));
  sizes.emit("the result has others than the operand");
}

/// The computed index of `dim` is one of a dimension.
static void checkDim(tensor::DimOp dim) {
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  if (!type || dim.getConstantIndex())
    return;
  OpBuilder b(dim);
  Location loc = dim.getLoc();
  Value rank = arith::ConstantIndexOp::create(b, loc, type.getRank());
  Value isGood = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                       dim.getIndex(), rank);
  cf::AssertOp::create(
      b, loc, isGood,
      describeCheck(dim, "", "asks for a dimension that its tensor lacks"));
}

/// The packed tensor of `op` has the tiles of the other one.
template <typename PackOp>
static void checkPack(PackOp op) {
  constexpr bool isPack = std::is_same_v<PackOp, linalg::PackOp>;
  Value packed = isPack ? op.getDest() : op.getSource();
  Value plain = isPack ? op.getSource() : op.getDest();
  bool isPadded = true;
  if constexpr (isPack)
    isPadded = op.getPaddingValue() != nullptr;
  SizeCheck sizes(op);
  SmallVector<OpFoldResult> tiles = op.getMixedTiles();
  ArrayRef<int64_t> tiled = op.getInnerDimsPos(), perm = op.getOuterDimsPerm();
  int64_t rank = cast<RankedTensorType>(plain.getType()).getRank();
  for (int64_t outer = 0; outer < rank; ++outer) {
    int64_t d = perm.empty() ? outer : perm[outer];
    const int64_t *it = llvm::find(tiled, d);
    if (it == tiled.end())
      sizes.addEqual(sizes.get(plain, d), sizes.get(packed, outer));
    else
      sizes.addTiles(sizes.get(plain, d), tiles[it - tiled.begin()],
                     sizes.get(packed, outer), isPadded);
  }
  for (auto [i, tile] : llvm::enumerate(tiles))
    sizes.addEqual(tile, sizes.get(packed, rank + i));
  sizes.emit("the packed tensor has other tiles than those of the elements");
}

void mlir::amp::addSizeChecks(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp
            ? linalgOp.hasDynamicShape() && linalgOp.hasPureTensorSemantics()
            : isa<linalg::PackOp, linalg::SoftmaxOp, linalg::UnPackOp,
                  tensor::CastOp, tensor::ConcatOp, tensor::DimOp,
                  tensor::EmptyOp, tensor::ExpandShapeOp,
                  tensor::ExtractSliceOp, tensor::GenerateOp,
                  tensor::InsertSliceOp, tensor::PadOp,
                  tensor::ParallelInsertSliceOp, tensor::ReshapeOp,
                  tensor::SplatOp>(op))
      ops.push_back(op);
    return linalgOp ? WalkResult::skip() : WalkResult::advance();
  });
  for (Operation *op : ops) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      checkMade(op, empty.getType(), empty.getMixedSizes());
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      checkPad(pad);
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      checkExpand(expand);
    else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
      checkReshape(reshape);
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      checkInsert(insert);
    else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      checkConcat(concat);
    else if (auto pack = dyn_cast<linalg::PackOp>(op))
      checkPack(pack);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      checkPack(unpack);
    else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
      checkSoftmax(softmax);
    else if (auto dim = dyn_cast<tensor::DimOp>(op))
      checkDim(dim);
    else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      checkInsert(insert);
    else if (isa<tensor::GenerateOp, tensor::SplatOp>(op)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      ValueRange dynamic =
          isa<tensor::GenerateOp>(op)
              ? cast<tensor::GenerateOp>(op).getDynamicExtents()
              : cast<tensor::SplatOp>(op).getDynamicSizes();
      OpBuilder b(op);
      checkMade(op, type, getMixedValues(type.getShape(), dynamic, b));
    } else if (auto verifiable = dyn_cast<RuntimeVerifiableOpInterface>(op)) {
      OpBuilder b(op);
      verifiable.generateRuntimeVerification(
          b, op->getLoc(), [](Operation *op, StringRef message) {
            return describeCheck(op, "the sizes in ",
                                 "do not agree: " + message.str());
          });
    }
  }
}
