//===- GroupDot.cpp - sums of products of neighbours ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupDot.h"

#include "ContractionPlan.h"

#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

Value GroupDot::convert(OpBuilder &b, Location loc, Value vector,
                        ArrayRef<Operation *> casts, int64_t lanes) {
  for (Operation *cast : casts)
    vector = cloneElementwise(b, cast, vector, lanes);
  return toVector(b, loc, vector, lanes);
}

/// `vector` of i8 as i16, if `isSigned` says how.
static Value extendToI16(OpBuilder &b, Location loc, Value vector,
                         std::optional<bool> isSigned, int64_t lanes) {
  if (!isSigned)
    return vector;
  auto type = VectorType::get({lanes}, b.getI16Type());
  if (*isSigned)
    return arith::ExtSIOp::create(b, loc, type, vector);
  return arith::ExtUIOp::create(b, loc, type, vector);
}

/// 128 in every byte.
static Value createBias(OpBuilder &b, Location loc, int64_t bytes) {
  auto type = VectorType::get({bytes}, b.getI8Type());
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          type, b.getIntegerAttr(b.getI8Type(), APInt::getSignMask(8))));
}

Value GroupDot::convertLhs(OpBuilder &b, Location loc, Value vector,
                           int64_t lanes) const {
  Value value = extendToI16(b, loc, convert(b, loc, vector, lhsCasts, lanes),
                            lhsSigned, lanes);
  if (!biasesLhs)
    return value;
  // The sum wraps, and in eight bits adding 128 flips the highest one.
  return arith::XOrIOp::create(b, loc, value, createBias(b, loc, lanes));
}

Value GroupDot::convertRhs(OpBuilder &b, Location loc, Value vector,
                           int64_t lanes) const {
  Value value = extendToI16(b, loc, convert(b, loc, vector, rhsCasts, lanes),
                            rhsSigned, lanes);
  if (!biasesRhs)
    return value;
  return arith::XOrIOp::create(b, loc, value, createBias(b, loc, lanes));
}

Value cpu::interleaveRows(OpBuilder &b, Location loc, ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return rows.front();
  SmallVector<Value> even, odd;
  for (auto [index, row] : llvm::enumerate(rows))
    (index % 2 == 0 ? even : odd).push_back(row);
  return vector::InterleaveOp::create(b, loc, interleaveRows(b, loc, even),
                                      interleaveRows(b, loc, odd));
}

SmallVector<Value> cpu::interleaveParts(OpBuilder &b, Location loc,
                                        ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return {rows.front()};
  SmallVector<Value> even, odd;
  for (auto [index, row] : llvm::enumerate(rows))
    (index % 2 == 0 ? even : odd).push_back(row);
  even = interleaveParts(b, loc, even);
  odd = interleaveParts(b, loc, odd);
  auto type = cast<VectorType>(rows.front().getType());
  int64_t count = type.getNumElements();
  int64_t part = 128 / type.getElementTypeBitWidth();
  SmallVector<Value> result;
  for (auto [x, y] : llvm::zip_equal(even, odd))
    for (int64_t half : {int64_t(0), part / 2}) {
      SmallVector<int64_t> picks;
      for (int64_t first = half; first < count; first += part)
        for (int64_t i = first; i < first + part / 2; ++i)
          picks.append({i, count + i});
      result.push_back(vector::ShuffleOp::create(b, loc, x, y, picks));
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

Value GroupDot::getBias(OpBuilder &b, Location loc, int64_t lanes) const {
  return createBias(b, loc, lanes * size);
}

/// The form that amp-cpu-select-instructions turns into vpdpbusd or vpmaddwd.
static Value emitIntegers(OpBuilder &b, Location loc, Value lhs, Value rhs,
                          Value old, int64_t size, bool isLhsSigned) {
  auto type = cast<VectorType>(old.getType());
  int64_t lanes = type.getNumElements();
  auto wide = VectorType::get({size * lanes}, b.getI32Type());
  auto groups = VectorType::get({lanes, size}, b.getI32Type());
  Value x = isLhsSigned ? arith::ExtSIOp::create(b, loc, wide, lhs).getResult()
                        : arith::ExtUIOp::create(b, loc, wide, lhs).getResult();
  Value product = arith::MulIOp::create(
      b, loc, x, arith::ExtSIOp::create(b, loc, wide, rhs));
  return vector::MultiDimReductionOp::create(
      b, loc, vector::ShapeCastOp::create(b, loc, groups, product), old,
      ArrayRef<bool>{false, true}, vector::CombiningKind::ADD);
}

Value GroupDot::emit(OpBuilder &b, Location loc, Value lhs, Value rhs,
                     Value old) const {
  if (element.isBF16())
    return x86vector::DotBF16Op::create(b, loc, old.getType(), old, lhs, rhs);
  if (isRhsUnsigned || biasesRhs)
    std::swap(lhs, rhs);
  return emitIntegers(b, loc, lhs, rhs, old, size, /*isLhsSigned=*/size == 2);
}

Value GroupDot::emitTile(OpBuilder &b, Location loc, Value lhs, Value rhs,
                         Value old) const {
  auto toGroups = [&](Value tile, bool isUnsigned) -> Value {
    int64_t rows = cast<VectorType>(tile.getType()).getDimSize(0);
    SmallVector<int64_t> shape = {rows, kTileRows, size};
    tile = vector::ShapeCastOp::create(b, loc, VectorType::get(shape, element),
                                       tile);
    if (isa<FloatType>(element))
      return tile;
    auto wide = VectorType::get(shape, b.getI32Type());
    if (isUnsigned)
      return arith::ExtUIOp::create(b, loc, wide, tile);
    return arith::ExtSIOp::create(b, loc, wide, tile);
  };
  AffineExpr m, n, k, inGroup;
  bindDims(b.getContext(), m, n, k, inGroup);
  using Exprs = ArrayRef<ArrayRef<AffineExpr>>;
  using vector::IteratorType;
  return vector::ContractionOp::create(
      b, loc, toGroups(lhs, isLhsUnsigned), toGroups(rhs, isRhsUnsigned), old,
      Exprs{{m, k, inGroup}, {k, n, inGroup}, {m, n}},
      ArrayRef<IteratorType>{IteratorType::parallel, IteratorType::parallel,
                             IteratorType::reduction, IteratorType::reduction});
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

std::optional<GroupDot> cpu::matchGroupDot(const ContractionBody &body,
                                           const CPUTarget &target) {
  if (body.lhsCasts.empty() || body.rhsCasts.empty())
    return std::nullopt;
  Operation *lhs = body.lhsCasts.back(), *rhs = body.rhsCasts.back();
  auto from = [](Operation *cast) { return cast->getOperand(0).getType(); };
  GroupDot dot;
  dot.lhsCasts.assign(body.lhsCasts.begin(), std::prev(body.lhsCasts.end()));
  dot.rhsCasts.assign(body.rhsCasts.begin(), std::prev(body.rhsCasts.end()));
  if ((target.hasBF16Dot || target.hasBF16Tiles) && body.accType.isF32() &&
      isa<arith::ExtFOp>(lhs) && isa<arith::ExtFOp>(rhs) &&
      from(lhs).isBF16() && from(rhs).isBF16()) {
    dot.element = from(lhs);
    dot.isTile = target.hasBF16Tiles;
    return dot;
  }
  if (!body.accType.isInteger(32))
    return std::nullopt;
  auto extendsI8 = [&](Operation *cast) {
    return isa<arith::ExtSIOp, arith::ExtUIOp>(cast) && from(cast).isInteger(8);
  };
  bool lhsUnsigned = isa<arith::ExtUIOp>(lhs);
  bool rhsUnsigned = isa<arith::ExtUIOp>(rhs);
  if (extendsI8(lhs) && extendsI8(rhs) &&
      (target.hasI8Tiles ||
       (target.hasI8Dot && !(lhsUnsigned && rhsUnsigned)))) {
    dot.element = from(lhs);
    dot.size = 4;
    dot.isLhsUnsigned = lhsUnsigned;
    dot.isRhsUnsigned = rhsUnsigned;
    dot.isTile = target.hasI8Tiles;
    dot.biasesLhs = !dot.isTile && !lhsUnsigned && !rhsUnsigned;
    return dot;
  }
  auto fitsI16 = [&](Operation *cast, std::optional<bool> &isSigned) {
    if (isa<arith::ExtSIOp>(cast) && from(cast).isInteger(16))
      return true;
    if (!extendsI8(cast))
      return false;
    isSigned = isa<arith::ExtSIOp>(cast);
    return true;
  };
  if (target.hasI16Dot && fitsI16(lhs, dot.lhsSigned) &&
      fitsI16(rhs, dot.rhsSigned)) {
    dot.element = IntegerType::get(body.accType.getContext(), 16);
    return dot;
  }
  return std::nullopt;
}

std::optional<GroupDot> cpu::matchGroupDot(const Roles &roles,
                                           const CPUTarget &target) {
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  int64_t rows = roles.getSize(roles.rows, kUsualRows + 1);
  if (!dot || !dot->isTile || roles.windows || !roles.segments.empty() ||
      !roles.rowsAreKnown() || rows > kUsualRows ||
      (rows == kUsualRows && hasPackedB(roles, target, dot->size)) ||
      dotsTiles(roles, target) || stripsTiles(roles, target))
    return dot;
  CPUTarget plain = target;
  plain.hasBF16Tiles = plain.hasI8Tiles = false;
  return matchGroupDot(roles.body, plain);
}
