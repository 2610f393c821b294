//===- Interleaved.cpp - short rows across the vector loop ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image with its channels last (3 of them) that is read along its pixels:
// transposed, normalised into planes, or summed over the channels. As many
// whole vectors as there are channels lie one behind the other, and shuffles
// deal their elements out. Where the result lies so too, nothing is dealt out:
// what the channels have of their own is repeated in the vectors. Results that
// lie so, of operands that do not, are dealt back: each channel has a vector.
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Whether the elements of the short loop `inner`, and nothing else, lie
/// between two steps of the loop `dim` in `operand`.
bool VectorNest::hasShortRows(OpOperand &operand, unsigned dim,
                              unsigned inner) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || type.getRank() < 2 || dim == inner ||
      !map.isProjectedPermutation() || !isLane(type.getElementType()))
    return false;
  int64_t count = type.getShape().back();
  // The loop's size may come from an operand that does not tell it.
  return count >= 2 && count <= kMostInterleaved && count == sizes[inner] &&
         map.getResults().back() == getAffineDimExpr(inner, map.getContext()) &&
         map.getResults().drop_back().back() ==
             getAffineDimExpr(dim, map.getContext());
}

/// Whether `operand` is such an input, read along the loop `dim`.
bool VectorNest::isInterleaved(OpOperand &operand, unsigned dim,
                               unsigned inner) {
  return !op.isDpsInit(&operand) && hasShortRows(operand, dim, inner);
}

/// Whether the loops `dim` and `inner`, a short one, are one loop of vectors:
/// of all that both move, results included, the elements lie one behind the
/// other.
bool VectorNest::repeatsAlong(unsigned dim, unsigned inner) {
  if (exactTail || op.getNumReductionLoops() > 0 || dim == inner ||
      sizes[dim] == 1)
    return false;
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
    if (index.getDim() == dim || index.getDim() == inner)
      return false;
  bool calls = llvm::any_of(*op.getBlock(), [](Operation &nested) {
    return isa<math::MathDialect>(nested.getDialect());
  });
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isAlong = map.isFunctionOfDim(dim),
         isShort = map.isFunctionOfDim(inner);
    if (op.isDpsInit(&operand) || (isAlong && isShort)) {
      // Of a part of a tensor the flat form would be a copy.
      if (!hasShortRows(operand, dim, inner) ||
          operand.get().getDefiningOp<tensor::ExtractSliceOp>())
        return false;
      // Rows of half lines of the cache are written past it, which is worth
      // more where little is computed.
      Type element = getElementTypeOrSelf(operand.get());
      unsigned bits = getElementBits(element);
      return !op.isDpsInit(&operand) ||
             (!op.payloadUsesValueFromOperand(&operand) &&
              (calls || sizes[inner] * bits % 256 != 0));
    }
    if (isAlong || isShort)
      return classify(operand, isAlong ? dim : inner) == Stride::One;
    return true;
  });
}

/// Whether the steps of `inner`, a short loop, are computed side by side along
/// `dim`: in all results their elements lie one behind the other, and what is
/// read is in vectors along `dim`.
bool VectorNest::weavesAlong(unsigned dim, unsigned inner) {
  if (exactTail || op.getNumReductionLoops() > 0 || dim == inner ||
      sizes[dim] == 1)
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (op.isDpsInit(&operand)) {
      // Of a part of a tensor the flat form would be a copy.
      return hasShortRows(operand, dim, inner) &&
             areWoven(sizes[inner],
                      getElementBits(getElementTypeOrSelf(operand.get()))) &&
             !operand.get().getDefiningOp<tensor::ExtractSliceOp>() &&
             !op.payloadUsesValueFromOperand(&operand);
    }
    if (op.getMatchingBlockArgument(&operand).use_empty() ||
        isInterleaved(operand, dim, inner))
      return true;
    Stride kind = classify(operand, dim);
    return kind == Stride::None || kind == Stride::One || kind == Stride::Few;
  });
}

/// Chooses the short loop for the vector loop, if there is one and all other
/// operands are vectors or the same for all lanes.
void VectorNest::planInterleaved() {
  shortDim = -1;
  if (exactTail || vecIsReduction)
    return;
  for (unsigned d = 0; d < numLoops; ++d) {
    bool isRead = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *in) {
      return !op.getMatchingBlockArgument(in).use_empty() &&
             isInterleaved(*in, vecDim, d);
    });
    // Of reductions the innermost loop, whose steps read the same vectors.
    bool isInnermost =
        isReductionDim(d)
            ? llvm::none_of(llvm::seq(d + 1, numLoops),
                            [&](unsigned e) { return isReductionDim(e); })
            : op.getNumReductionLoops() == 0;
    if (!isRead || !isInnermost)
      continue;
    shortDim = d;
    if (llvm::none_of(op->getOpOperands(), [&](OpOperand &operand) {
          return stride(operand) == Stride::Other;
        }))
      return;
    shortDim = -1;
  }
}

/// A vector whose lanes are those of `parts`, two of these at least, that
/// `from` says: the number of the part, and of its lane.
static Value
pickLanes(OpBuilder &b, Location loc, ArrayRef<Value> parts,
          llvm::function_ref<std::pair<int64_t, int64_t>(int64_t)> from) {
  int64_t lanes = cast<VectorType>(parts[0].getType()).getNumElements();
  SmallVector<int64_t> picks(lanes);
  Value result = parts[0];
  for (int64_t part = 1, e = parts.size(); part < e; ++part) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      auto [source, at] = from(lane);
      // Later parts fill what is open.
      if (source == part)
        picks[lane] = lanes + at;
      else if (part > 1)
        picks[lane] = lane;
      else
        picks[lane] = source == 0 ? at : vector::ShuffleOp::kPoisonIndex;
    }
    result = vector::ShuffleOp::create(b, loc, result, parts[part], picks);
  }
  return result;
}

SmallVector<Value> cpu::deinterleave(OpBuilder &b, Location loc,
                                     ArrayRef<Value> parts) {
  int64_t count = parts.size();
  int64_t lanes = cast<VectorType>(parts[0].getType()).getNumElements();
  if (count == 1)
    return {parts[0]};
  if (SmallVector<Value> bytes = toBytes(b, loc, parts); !bytes.empty())
    return toBits(b, loc, deinterleave(b, loc, bytes));
  SmallVector<int64_t> picks(lanes);
  SmallVector<Value> results(count);
  if (count % 2 == 0) {
    // The even ones and the odd ones of each two parts, and so on with them.
    for (int64_t odd : {0, 1}) {
      for (int64_t lane = 0; lane < lanes; ++lane)
        picks[lane] = 2 * lane + odd;
      SmallVector<Value> halves;
      for (int64_t i = 0; i < count; i += 2)
        halves.push_back(
            vector::ShuffleOp::create(b, loc, parts[i], parts[i + 1], picks));
      for (auto [i, half] : llvm::enumerate(deinterleave(b, loc, halves)))
        results[2 * i + odd] = half;
    }
    return results;
  }
  for (int64_t i = 0; i < count; ++i)
    results[i] = pickLanes(b, loc, parts, [&](int64_t lane) {
      int64_t at = lane * count + i;
      return std::pair(at / lanes, at % lanes);
    });
  return results;
}

Value cpu::pickEach(OpBuilder &b, Location loc, ArrayRef<Value> parts) {
  int64_t count = parts.size(), last = count - 1;
  int64_t lanes = cast<VectorType>(parts[0].getType()).getNumElements();
  if (count == 1)
    return parts[0];
  if (SmallVector<Value> bytes = toBytes(b, loc, parts); !bytes.empty())
    return toBits(b, loc, pickEach(b, loc, bytes)).front();
  if (count % 2 != 0)
    return pickLanes(b, loc, parts, [&](int64_t lane) {
      int64_t at = lane * count, start = last * (lanes - 1);
      return at < start ? std::pair(at / lanes, at % lanes)
                        : std::pair(last, at - start);
    });
  // The even ones of each two parts, and of them as of whole vectors.
  SmallVector<int64_t> picks(lanes);
  SmallVector<Value> halves;
  for (int64_t i = 0; i < count; i += 2) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t at = 2 * lane;
      if (i + 1 == last && at >= lanes)
        at += last;
      picks[lane] = at < 2 * lanes ? at : vector::ShuffleOp::kPoisonIndex;
    }
    halves.push_back(
        vector::ShuffleOp::create(b, loc, parts[i], parts[i + 1], picks));
  }
  return deinterleave(b, loc, halves).front();
}

SmallVector<Value> cpu::weave(OpBuilder &b, Location loc,
                              ArrayRef<Value> parts) {
  int64_t count = parts.size();
  int64_t lanes = cast<VectorType>(parts[0].getType()).getNumElements();
  if (count == 1)
    return {parts[0]};
  if (SmallVector<Value> bytes = toBytes(b, loc, parts); !bytes.empty())
    return toBits(b, loc, weave(b, loc, bytes));
  SmallVector<int64_t> picks(lanes);
  SmallVector<Value> results;
  if (count % 2 == 0) {
    // The even ones and the odd ones so, and by turns an element of each.
    SmallVector<Value> halves[2];
    for (auto [i, part] : llvm::enumerate(parts))
      halves[i % 2].push_back(part);
    for (auto [even, odd] :
         llvm::zip_equal(weave(b, loc, halves[0]), weave(b, loc, halves[1])))
      for (int64_t half : {0, 1}) {
        for (int64_t lane = 0; lane < lanes; ++lane)
          picks[lane] = (half * lanes + lane) / 2 + lane % 2 * lanes;
        results.push_back(vector::ShuffleOp::create(b, loc, even, odd, picks));
      }
    return results;
  }
  for (int64_t i = 0; i < count; ++i)
    results.push_back(pickLanes(b, loc, parts, [&](int64_t lane) {
      int64_t at = i * lanes + lane;
      return std::pair(at % count, at / count);
    }));
  return results;
}

/// The operand's tile of `rows` by `lanes`, read along the unrolled loop as a
/// part of a square.
SmallVector<Value> VectorNest::readSquare(OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
  int64_t side = llvm::PowerOf2Ceil(std::max(lanes, rows));
  SmallVector<Value> square;
  for (int64_t lane = 0; lane < lanes; ++lane)
    square.push_back(vector::TransferReadOp::create(
        b, loc, VectorType::get({side}, type.getElementType()), operand.get(),
        indices(operand, 0, lane), padding, map, ArrayRef<bool>{rows == side}));
  square.resize(side, square.back());
  SmallVector<Value> tile = transposeSquare(b, loc, square);
  tile.truncate(rows);
  if (lanes < side)
    for (Value &row : tile)
      row = vector::ExtractStridedSliceOp::create(
          b, loc, row, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{lanes},
          ArrayRef<int64_t>{1});
  return tile;
}

/// The operand's lanes for each step of the short loop.
SmallVector<Value> VectorNest::readInterleaved(OpOperand &operand, Tile tile) {
  Value source = flattened.lookup(operand.getOperandNumber()).first;
  auto type = cast<RankedTensorType>(source.getType());
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
  Value step = ivs[shortDim];
  ivs[shortDim] = Value();
  SmallVector<Value> at = indices(operand, 0);
  ivs[shortDim] = step;
  Value first = at.back();
  SmallVector<Value> parts;
  for (int64_t i = 0; i < sizes[shortDim]; ++i) {
    at.back() =
        applyExpr(b, loc, b.getAffineSymbolExpr(0) + i * tile.lanes, {first});
    parts.push_back(vector::TransferReadOp::create(
        b, loc, VectorType::get({tile.lanes}, type.getElementType()), source,
        at, padding, map, ArrayRef<bool>{!tile.masked}));
  }
  return repeats ? parts : deinterleave(b, loc, parts);
}

/// What only one of the two loops moves, in the vector number `row` of those
/// that lie one behind the other.
Value VectorNest::readRepeated(OpOperand &operand, Tile tile, int64_t row) {
  int64_t count = sizes[shortDim];
  auto type = cast<RankedTensorType>(operand.get().getType());
  bool isShort = op.getMatchingIndexingMap(&operand).isFunctionOfDim(shortDim);
  Value source;
  if (isShort) {
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    AffineMap map =
        AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
    source = vector::TransferReadOp::create(
        b, loc, VectorType::get({count}, type.getElementType()), operand.get(),
        indices(operand, 0), padding, map, ArrayRef<bool>{true});
  } else {
    source = read(operand, operand.get(), tile, 0);
  }
  SmallVector<int64_t> picks;
  for (int64_t lane = 0; lane < tile.lanes; ++lane) {
    int64_t at = row * tile.lanes + lane;
    picks.push_back(isShort ? at % count : at / count);
  }
  return vector::ShuffleOp::create(b, loc, source, source, picks);
}
