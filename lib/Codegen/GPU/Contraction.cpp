//===- Contraction.cpp - the one contraction of a kernel ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

std::optional<SmallVector<int64_t>> amp::gpu::getLinearForm(AffineExpr expr,
                                                            unsigned numLoops) {
  SmallVector<int64_t> form(numLoops + 1, 0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.back() = constant.getValue();
    return form;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    form[dim.getPosition()] = 1;
    return form;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::Add &&
                  expr.getKind() != AffineExprKind::Mul))
    return std::nullopt;
  auto lhs = getLinearForm(binary.getLHS(), numLoops);
  auto rhs = getLinearForm(binary.getRHS(), numLoops);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!factor)
      return std::nullopt;
    for (auto [to, from] : llvm::zip(form, *lhs))
      to = from * factor.getValue();
    return form;
  }
  for (auto [to, l, r] : llvm::zip(form, *lhs, *rhs))
    to = l + r;
  return form;
}

//===----------------------------------------------------------------------===//
// The payload
//===----------------------------------------------------------------------===//

/// Goes back over the casts from `value` to an argument of `block`, innermost
/// cast last; null if there is anything else.
static BlockArgument skipCasts(Value value, Block *block,
                               SmallVectorImpl<Operation *> &casts) {
  while (Operation *def = value.getDefiningOp()) {
    if (def->getBlock() != block || def->getNumOperands() != 1 ||
        !isa<CastOpInterface>(def))
      return {};
    casts.insert(casts.begin(), def);
    value = def->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == block ? argument : BlockArgument();
}

/// Sets the operands of `c` from a payload `acc + casts(a) * casts(b)`.
static LogicalResult matchPayload(Contraction &c) {
  linalg::GenericOp op = c.op;
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return failure();
  Block *block = op.getBody();
  Operation *add = block->getTerminator()->getOperand(0).getDefiningOp();
  if (!add || add->getBlock() != block ||
      !isa<arith::AddFOp, arith::AddIOp>(add))
    return failure();
  BlockArgument acc = block->getArgument(2);
  unsigned position = add->getOperand(0) == acc ? 0 : 1;
  Operation *mul = add->getOperand(1 - position).getDefiningOp();
  if (add->getOperand(position) != acc || !mul || mul->getBlock() != block ||
      !isa<arith::MulFOp, arith::MulIOp>(mul))
    return failure();
  BlockArgument lhs = skipCasts(mul->getOperand(0), block, c.a.casts);
  BlockArgument rhs = skipCasts(mul->getOperand(1), block, c.b.casts);
  if (!lhs || !rhs || lhs.getArgNumber() + rhs.getArgNumber() != 1)
    return failure();
  // Everything in the block must be accounted for.
  if (c.a.casts.size() + c.b.casts.size() + 3 !=
      static_cast<size_t>(llvm::range_size(block->getOperations())))
    return failure();
  c.accType = acc.getType();
  c.a.operand = op.getDpsInputOperand(lhs.getArgNumber());
  c.b.operand = op.getDpsInputOperand(rhs.getArgNumber());
  c.a.map = op.getMatchingIndexingMap(c.a.operand);
  c.b.map = op.getMatchingIndexingMap(c.b.operand);
  return success();
}

/// Whether a tensor core can take elements of `type` whose products add up as
/// `accType`.
static bool isMmaElement(Type type, Type accType) {
  return accType.isF32() && (type.isF16() || type.isBF16());
}

/// Chooses the types in shared memory, and the tensor core instruction if there
/// is one that gives the same products.
static LogicalResult chooseTypes(Contraction &c, bool allowTF32,
                                 F8Operands f8Operands, std::string &reason) {
  Type acc = c.accType;
  if (!isa<Float32Type, Float64Type>(acc) && !acc.isInteger(32) &&
      !acc.isInteger(64)) {
    reason = "its accumulator is not of type f32, f64, i32 or i64";
    return failure();
  }
  // The narrowest type on the way to the accumulator's that multiplies exactly.
  auto narrow = [&](const ContractionOperand &x) -> Operation * {
    for (Operation *cast : llvm::reverse(x.casts)) {
      Type from = cast->getOperand(0).getType();
      if (isa<arith::ExtFOp>(cast) && isMmaElement(from, acc))
        return cast;
    }
    return nullptr;
  };
  Operation *castA = narrow(c.a), *castB = narrow(c.b);
  auto isLast = [](Operation *cast, const ContractionOperand &x) {
    return cast && cast == x.casts.back();
  };
  if (isLast(castA, c.a) && isLast(castB, c.b) &&
      castA->getOperand(0).getType() == castB->getOperand(0).getType()) {
    c.a.staged = c.b.staged = castA->getOperand(0).getType();
    c.a.casts.pop_back();
    c.b.casts.pop_back();
    c.mma = MmaKind{c.a.staged.isF16() ? MmaKind::F16 : MmaKind::BF16};
    return success();
  }
  auto isByte = [](const ContractionOperand &x) {
    return !x.casts.empty() &&
           isa<arith::ExtSIOp, arith::ExtUIOp>(x.casts.back()) &&
           x.casts.back()->getOperand(0).getType().isInteger(8);
  };
  if (acc.isInteger(32) && isByte(c.a) && isByte(c.b)) {
    c.mma = MmaKind{MmaKind::I8, isa<arith::ExtSIOp>(c.a.casts.back()),
                    isa<arith::ExtSIOp>(c.b.casts.back())};
    c.a.staged = c.b.staged = IntegerType::get(acc.getContext(), 8);
    c.a.casts.pop_back();
    c.b.casts.pop_back();
    return success();
  }
  // Eight bits of float: exact in f16, on every device.
  auto isF8 = [](const ContractionOperand &x) {
    return x.casts.size() == 1 && isa<arith::ExtFOp>(x.casts.back()) &&
           isa<Float8E4M3FNType, Float8E5M2Type>(
               x.casts.back()->getOperand(0).getType());
  };
  if (acc.isF32() && isF8(c.a) && isF8(c.b)) {
    c.mma = MmaKind{MmaKind::F16};
    c.a.staged = c.b.staged = Float16Type::get(acc.getContext());
    if (f8Operands == F8Operands::AsTheyAre)
      for (ContractionOperand *x : {&c.a, &c.b})
        x->staged = x->casts.pop_back_val()->getOperand(0).getType();
    return success();
  }
  c.a.staged = c.b.staged = acc;
  if (acc.isF32() && allowTF32)
    c.mma = MmaKind{MmaKind::TF32};
  return success();
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// The last loop of `loops` becomes `loop`.
static void makeInnermost(SmallVectorImpl<unsigned> &loops, unsigned loop) {
  auto it = llvm::find(loops, loop);
  std::rotate(it, std::next(it), loops.end());
}

static LogicalResult classifyLoops(Contraction &c, std::string &reason) {
  AffineMap mapC = c.op.getMatchingIndexingMap(c.op.getDpsInitOperand(0));
  if (!mapC.isProjectedPermutation() || mapC.getNumResults() == 0) {
    reason = "its result is not indexed by loops alone";
    return failure();
  }
  auto dimOf = [](AffineExpr expr) -> int64_t {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim ? dim.getPosition() : -1;
  };
  // Results are written along the innermost dimension, the columns.
  unsigned inner = dimOf(mapC.getResults().back());
  if (c.a.map.isFunctionOfDim(inner) && !c.b.map.isFunctionOfDim(inner)) {
    std::swap(c.a, c.b);
    if (c.mma)
      std::swap(c.mma->isSignedA, c.mma->isSignedB);
  }
  auto add = [&](unsigned loop) {
    bool inA = c.a.map.isFunctionOfDim(loop),
         inB = c.b.map.isFunctionOfDim(loop), inC = mapC.isFunctionOfDim(loop);
    if (inA && inB)
      (inC ? c.batch : c.k).push_back(loop);
    else if (inC && (inA || inB))
      (inA ? c.m : c.n).push_back(loop);
    else
      return failure();
    return success();
  };
  SmallVector<unsigned> order;
  for (AffineExpr expr : mapC.getResults())
    order.push_back(dimOf(expr));
  for (unsigned loop = 0, e = c.op.getNumLoops(); loop < e; ++loop)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  for (unsigned loop : order)
    if (failed(add(loop))) {
      reason = "loop " + std::to_string(loop) +
               " is over one operand alone, or over none";
      return failure();
    }
  if (c.m.empty() || c.n.empty() || c.k.empty()) {
    reason = "it has no loop over the left operand and the result, none over "
             "the right operand and the result, or none over both operands";
    return failure();
  }
  if (llvm::is_contained(c.n, inner))
    makeInnermost(c.n, inner);
  // An innermost dimension of an operand gives pieces that follow each other in
  // memory if it is the innermost loop of its kind as well, so that a piece
  // lies within one iteration of the others. A chooses first, but the order of
  // N is that of the result.
  auto setInner = [&](ContractionOperand &x, SmallVectorImpl<unsigned> &own,
                      bool mayReorderOwn, bool mayReorderK) {
    if (x.map.getNumResults() == 0)
      return;
    int64_t last = dimOf(x.map.getResults().back());
    bool isOwn = llvm::is_contained(own, last);
    if (!isOwn && !llvm::is_contained(c.k, last))
      return;
    x.isAlongK = !isOwn;
    SmallVectorImpl<unsigned> &loops = isOwn ? own : c.k;
    if (isOwn ? mayReorderOwn : mayReorderK)
      makeInnermost(loops, last);
    if (loops.back() == last)
      x.innerLoop = last;
  };
  setInner(c.a, c.m, /*mayReorderOwn=*/true, /*mayReorderK=*/true);
  setInner(c.b, c.n, /*mayReorderOwn=*/false,
           /*mayReorderK=*/c.a.innerLoop < 0 || !c.a.isAlongK);
  return success();
}

//===----------------------------------------------------------------------===//
// Operands that are parts of arguments
//===----------------------------------------------------------------------===//

/// The value that `pad` fills with is a positive zero of any type.
static bool isZeroPad(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  return value && (matchPattern(value, m_PosZeroFloat()) ||
                   matchPattern(value, m_Zero()));
}

/// Goes from `value`, at `indices`, one step towards an argument.
static FailureOr<Value> stepToSource(Value value,
                                     SmallVectorImpl<AffineExpr> &indices,
                                     DirectOperand &direct) {
  Operation *def = value.getDefiningOp();
  MLIRContext *context = value.getContext();
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(def))
    return cast.getSource();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(def)) {
    if (!isZeroPad(pad) ||
        llvm::is_contained(pad.getStaticLow(), ShapedType::kDynamic))
      return failure();
    for (int64_t dim = 0, e = indices.size(); dim < e; ++dim) {
      int64_t low = pad.getStaticLow()[dim], high = pad.getStaticHigh()[dim];
      indices[dim] = indices[dim] - low;
      if (low != 0 || high != 0)
        direct.bounds.push_back({indices[dim], pad.getSource(), dim, high});
    }
    return pad.getSource();
  }
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(def)) {
    if (llvm::is_contained(slice.getStaticOffsets(), ShapedType::kDynamic) ||
        llvm::is_contained(slice.getStaticStrides(), ShapedType::kDynamic))
      return failure();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<AffineExpr> source;
    unsigned next = 0;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides())) {
      AffineExpr index =
          dropped[dim] ? getAffineConstantExpr(0, context) : indices[next++];
      source.push_back(index * stride + offset);
    }
    indices = source;
    return slice.getSource();
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def)) {
    SmallVector<AffineExpr> source;
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      AffineExpr index = getAffineConstantExpr(0, context);
      for (int64_t dim : group) {
        // The outermost size of a group is not needed.
        if (dim != group.front() && ShapedType::isDynamic(shape[dim]))
          return failure();
        index =
            (dim == group.front() ? index : index * shape[dim]) + indices[dim];
      }
      source.push_back(index);
    }
    indices = source;
    return expand.getSrc();
  }
  // A copy that permutes.
  auto generic = dyn_cast_or_null<linalg::GenericOp>(def);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops())
    return failure();
  Block *body = generic.getBody();
  AffineMap in = generic.getIndexingMapsArray()[0],
            out = generic.getIndexingMapsArray()[1];
  if (body->getTerminator()->getOperand(0) != body->getArgument(0) ||
      !out.isPermutation() || !in.isProjectedPermutation())
    return failure();
  AffineMap composed = in.compose(inversePermutation(out));
  SmallVector<AffineExpr> source;
  for (AffineExpr expr : composed.getResults())
    source.push_back(expr.replaceDims(indices));
  indices = source;
  return generic.getDpsInputs()[0];
}

void amp::gpu::matchDirect(ContractionOperand &x, const Kernel &kernel,
                           unsigned numLoops) {
  if (x.innerLoop < 0 || !x.casts.empty())
    return;
  DirectOperand direct;
  SmallVector<AffineExpr> indices(x.map.getResults());
  Value value = x.operand->get();
  while (!isa<BlockArgument>(value)) {
    FailureOr<Value> source = stepToSource(value, indices, direct);
    if (failed(source))
      return;
    value = *source;
  }
  direct.argument = cast<BlockArgument>(value).getArgNumber();
  auto buffer = dyn_cast<MemRefType>(kernel.operandTypes[direct.argument]);
  if (!buffer || buffer.getElementType() != x.staged || !buffer.isStrided())
    return;
  for (AffineExpr index : indices)
    if (!getLinearForm(index, numLoops))
      return;
  for (const DirectOperand::Bound &bound : direct.bounds) {
    auto form = getLinearForm(bound.index, numLoops);
    // A piece is inside or outside.
    if (!form || (*form)[x.innerLoop] != 0)
      return;
  }
  direct.indices = indices;
  x.direct = std::move(direct);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {

/// The index of each tensor that depends on the contraction, by its loops.
using IndexMap = llvm::MapVector<Value, SmallVector<AffineExpr>>;

} // namespace

static std::string nameOf(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Follows what is known through `op`, and adds its other operands to those of
/// `c`.
static LogicalResult followGeneric(Contraction &c, linalg::GenericOp op,
                                   IndexMap &known, std::string &reason) {
  if (op.getNumParallelLoops() != op.getNumLoops()) {
    reason = "it has a second reduction after the contraction";
    return failure();
  }
  SmallVector<AffineExpr> iteration(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = known.find(operand.get());
    if (it == known.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, index] : llvm::zip(map.getResults(), it->second)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim && isa<AffineConstantExpr>(expr))
        continue;
      AffineExpr *known = dim ? &iteration[dim.getPosition()] : nullptr;
      if (!known || (*known && *known != index)) {
        reason = "the result of the contraction is read at two places for one "
                 "element";
        return failure();
      }
      *known = index;
    }
  }
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [expr, size] : llvm::zip(iteration, sizes)) {
    if (!expr && size != 1) {
      reason = "an element of the contraction is used for several elements of "
               "a result";
      return failure();
    }
    if (!expr)
      expr = getAffineConstantExpr(0, op.getContext());
  }
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto argument = dyn_cast<BlockArgument>(input->get())) {
      auto &indices = c.others.emplace_back(argument, 0).second;
      for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
        indices.push_back(expr.replaceDims(iteration));
    }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
      indices.push_back(expr.replaceDims(iteration));
    known[op.getTiedOpResult(&init)] = indices;
  }
  return success();
}

static LogicalResult followReshape(Operation *op, IndexMap &known,
                                   std::string &reason) {
  ArrayRef<AffineExpr> source = known.find(op->getOperand(0))->second;
  SmallVector<AffineExpr> indices;
  auto groupsOf = [&] {
    return isa<tensor::ExpandShapeOp>(op)
               ? cast<tensor::ExpandShapeOp>(op).getReassociationIndices()
               : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
  };
  bool expands = isa<tensor::ExpandShapeOp>(op);
  auto type = cast<RankedTensorType>(expands ? op->getResult(0).getType()
                                             : op->getOperand(0).getType());
  for (auto [position, group] : llvm::enumerate(groupsOf())) {
    for (int64_t dim : llvm::drop_begin(group))
      if (type.isDynamicDim(dim)) {
        reason = "a reshape of its result has a dynamic inner size";
        return failure();
      }
    if (expands) {
      AffineExpr rest = source[position];
      SmallVector<AffineExpr> parts(group.size());
      for (size_t i = group.size(); i-- > 1;) {
        int64_t size = type.getDimSize(group[i]);
        parts[i] = rest % size;
        rest = rest.floorDiv(size);
      }
      parts[0] = rest;
      indices.append(parts);
    } else {
      AffineExpr index = source[group.front()];
      for (int64_t dim : llvm::drop_begin(group))
        index = index * type.getDimSize(dim) + source[dim];
      indices.push_back(index);
    }
  }
  // A tensor of rank 0 has one element.
  known[op->getResult(0)] = indices;
  return success();
}

/// Goes back from `value` over a padding of its last dimension, behind the last
/// element, with `fill`; null if it is padded otherwise.
static Value skipPadding(Value value, TypedAttr fill) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return value;
  auto isZero = [](OpFoldResult size) { return isConstantIntValue(size, 0); };
  Attribute padding;
  if (!llvm::all_of(pad.getMixedLowPad(), isZero) ||
      !llvm::all_of(ArrayRef(pad.getMixedHighPad()).drop_back(), isZero) ||
      !pad.getConstantPaddingValue() ||
      !matchPattern(pad.getConstantPaddingValue(), m_Constant(&padding)) ||
      padding != fill)
    return {};
  return pad.getSource();
}

/// Whether `op`, behind the contraction, reduces rows in parts of
/// RowStatistic::kColumns; adds it to `c`.
static LogicalResult followStatistic(Contraction &c, linalg::GenericOp op,
                                     IndexMap &known, IndexMap &statistics,
                                     std::string &reason) {
  reason = "it has a second reduction after the contraction";
  unsigned last = op.getNumLoops() - 1;
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 1 || op.getNumLoops() < 2 ||
      op.getStaticLoopRanges()[last] != RowStatistic::kColumns)
    return failure();
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(last + 1, op.getContext());
  if (op.getIndexingMapsArray()[0] != identity ||
      op.getIndexingMapsArray()[1] != identity.dropResult(last))
    return failure();
  Block *body = op.getBody();
  RowStatistic statistic;
  statistic.op = op;
  statistic.combiner = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!statistic.combiner || !llvm::hasNItems(*body, 2) ||
      statistic.combiner->getNumOperands() != 2 ||
      !llvm::is_contained(statistic.combiner->getOperands(),
                          body->getArgument(0)) ||
      !llvm::is_contained(statistic.combiner->getOperands(),
                          body->getArgument(1)))
    return failure();
  // What a shuffle moves.
  Type element = body->getArgument(0).getType();
  if (!element.isInteger(32) &&
      !isa<Float32Type, Float16Type, BFloat16Type>(element)) {
    reason = "it reduces rows of other types than f32, f16, bf16 and i32";
    return failure();
  }
  std::optional<TypedAttr> neutral = getNeutralElement(statistic.combiner);
  Attribute start;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!neutral || !fill || !matchPattern(fill.value(), m_Constant(&start)) ||
      start != *neutral)
    return failure();
  statistic.neutral = *neutral;
  // Parts of the columns, all of which are one loop.
  auto expand = op.getDpsInputs()[0].getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand || c.n.size() != 1 ||
      !llvm::all_of(expand.getReassociationIndices(), [&](auto &group) {
        return group.size() == (group.back() == last ? 2 : 1);
      }))
    return failure();
  Value elements = skipPadding(expand.getSrc(), *neutral);
  auto it = known.find(elements);
  AffineExpr column = getAffineDimExpr(c.n.front(), op.getContext());
  if (it == known.end() || it->second.back() != column)
    return failure();
  statistic.elements = elements;
  statistic.indices = it->second;
  SmallVector<AffineExpr> indices = statistic.indices;
  indices.back() = column.floorDiv(RowStatistic::kColumns);
  statistics[op.getResult(0)] = indices;
  c.statistics.push_back(statistic);
  reason.clear();
  return success();
}

/// Sets `c.results`.
static LogicalResult matchResults(Contraction &c, const Kernel &kernel,
                                  RowStatistics allowed, std::string &reason) {
  IndexMap known, statistics;
  llvm::SmallDenseSet<Value> padded;
  known[c.op.getResult(0)] = SmallVector<AffineExpr>(
      c.op.getMatchingIndexingMap(c.op.getDpsInitOperand(0)).getResults());
  func::FuncOp function = kernel.function;
  Operation *terminator = function.getBody().front().getTerminator();
  for (Operation *op = c.op->getNextNode(); op != terminator;
       op = op->getNextNode()) {
    auto isOf = [op](auto &set) {
      return llvm::any_of(op->getOperands(),
                          [&](Value value) { return set.contains(value); });
    };
    if (isOf(statistics)) {
      reason = "it computes with what it has reduced";
      return failure();
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    bool mayReduce = allowed == RowStatistics::Allowed && generic &&
                     generic.getNumReductionLoops() > 0;
    if (isOf(padded)) {
      // Only a reduction knows that there is nothing in the padding.
      if (isa<tensor::ExpandShapeOp>(op)) {
        padded.insert(op->getResult(0));
        continue;
      }
      if (!mayReduce) {
        reason = nameOf(op) + " reads more than the result of the contraction";
        return failure();
      }
    } else if (!isOf(known) || isa<tensor::DimOp>(op)) {
      continue;
    }
    if (mayReduce) {
      if (failed(followStatistic(c, generic, known, statistics, reason)))
        return failure();
    } else if (allowed == RowStatistics::Allowed && isa<tensor::PadOp>(op)) {
      padded.insert(op->getResult(0));
    } else if (generic) {
      if (failed(followGeneric(c, generic, known, reason)))
        return failure();
    } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
      if (failed(followReshape(op, known, reason)))
        return failure();
    } else if (isa<tensor::CastOp>(op)) {
      SmallVector<AffineExpr> indices = known[op->getOperand(0)];
      known[op->getResult(0)] = indices;
    } else {
      reason = nameOf(op) + " after the contraction is no elementwise op, "
                            "permutation or reshape";
      return failure();
    }
  }
  for (Value result : terminator->getOperands()) {
    for (RowStatistic &statistic : c.statistics) {
      if (statistic.op->getResult(0) != result)
        continue;
      if (statistic.number >= 0) {
        reason = "two results are one reduction";
        return failure();
      }
      statistic.number = c.results.size();
    }
    bool isStatistic = statistics.contains(result);
    auto it = isStatistic ? statistics.find(result) : known.find(result);
    if (!isStatistic && it == known.end()) {
      reason = "a result does not depend on the contraction";
      return failure();
    }
    c.results.push_back(it->second);
  }
  return success();
}

FailureOr<Contraction> amp::gpu::matchContraction(const Kernel &kernel,
                                                  std::string &reason,
                                                  F8Operands f8Operands,
                                                  RowStatistics statistics) {
  Contraction c;
  func::FuncOp function = kernel.function;
  size_t numReductions = 0;
  for (auto op : function.getBody().front().getOps<linalg::LinalgOp>()) {
    if (op.getNumReductionLoops() == 0)
      continue;
    if (numReductions++ > 0)
      continue;
    c.op = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!c.op) {
      reason = nameOf(op) + " is not a 'linalg.generic'";
      return failure();
    }
  }
  if (numReductions > 1 && statistics == RowStatistics::None) {
    reason = "it has two reductions";
    return failure();
  }
  if (!c.op) {
    reason = "it has no reduction";
    return failure();
  }
  if (failed(matchPayload(c))) {
    reason = "its reduction does not add products of two operands";
    return failure();
  }
  for (const ContractionOperand *x : {&c.a, &c.b})
    for (AffineExpr expr : x->map.getResults())
      if (!getLinearForm(expr, c.op.getNumLoops())) {
        reason = "an operand is not indexed by sums of loops";
        return failure();
      }
  if (failed(chooseTypes(c, kernel.allowTF32, f8Operands, reason)) ||
      failed(classifyLoops(c, reason)) ||
      failed(matchResults(c, kernel, statistics, reason)))
    return failure();
  if (c.statistics.size() + 1 != numReductions) {
    reason = "it has two reductions";
    return failure();
  }
  matchDirect(c.a, kernel, c.op.getNumLoops());
  matchDirect(c.b, kernel, c.op.getNumLoops());

  auto fill = c.op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  c.hasInit = !fill || !(matchPattern(fill.value(), m_PosZeroFloat()) ||
                         matchPattern(fill.value(), m_Zero()));
  return c;
}

/// Tiles that keep a large device busy: most of the 108 to 132 multiprocessors.
static constexpr int64_t kWaveTiles = 96;

WarpGrid amp::gpu::chooseTile(const Contraction &c) {
  linalg::GenericOp op = c.op;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // A dynamic size counts as 256: neither skinny nor enough for large tiles.
  auto product = [&](ArrayRef<unsigned> loops) {
    int64_t result = 1;
    for (unsigned loop : loops)
      result *= ShapedType::isDynamic(sizes[loop]) ? 256 : sizes[loop];
    return std::max<int64_t>(result, 1);
  };
  int64_t m = product(c.m), n = product(c.n);
  int64_t tiles =
      llvm::divideCeil(m, 128) * llvm::divideCeil(n, 128) * product(c.batch);
  bool isLarge = m > 64 && n > 64 && tiles >= 64;
  if (!c.mma) {
    if (isLarge)
      return {128, 128, 2, 4};
    // 64 accumulators of 64 bits leave few registers for operands on their way:
    // more threads share those.
    return c.getStagedBits() > 32 ? WarpGrid{128, 64, 2, 2}
                                  : WarpGrid{64, 64, 1, 2};
  }
  // Where few tiles have many products each, smaller tiles let more
  // multiprocessors take part. Sizes that are not known may be large.
  bool isKnown = llvm::none_of(sizes, ShapedType::isDynamic);
  bool hasLongK = isKnown && product(c.k) * c.getStagedBits() / 8 >= 1024;
  auto isIdle = [&](int64_t tileM, int64_t tileN) {
    return hasLongK && llvm::divideCeil(m, tileM) * llvm::divideCeil(n, tileN) *
                               product(c.batch) <
                           kWaveTiles;
  };
  if (m <= 16) {
    if (isIdle(16, 64))
      return {16, 32, 1, 2};
    return isIdle(16, 128) ? WarpGrid{16, 64, 1, 4} : WarpGrid{16, 128, 1, 4};
  }
  if (m <= 32) {
    if (isIdle(32, 64))
      return {32, 32, 2, 2};
    return isIdle(32, 128) ? WarpGrid{32, 64, 1, 4} : WarpGrid{32, 128, 1, 4};
  }
  if (n <= 32)
    return {128, 32, 4, 1};
  if (isLarge)
    return {128, 128, 2, 4};
  if (n <= 64 && m >= 128 * 64)
    return {128, 64, 4, 2};
  if (isIdle(64, 32))
    return {32, 32, 2, 2};
  return isIdle(64, 64) ? WarpGrid{64, 32, 2, 2} : WarpGrid{64, 64, 2, 2};
}
