//===- Peeling.cpp - aligned vectors of rows that begin anywhere ----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peeling.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

static int64_t getBytes(MemRefType type) {
  Type element = type.getElementType();
  return element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
}

/// Whether vectors along the last dimension can be loaded and stored at once.
static bool hasVectors(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return buffer && buffer.getRank() > 0 && buffer.isLastDimUnitStride() &&
         Evaluator::isLoadable(buffer.getElementType());
}

/// The dimensions of which a row has one index and the stride of each;
/// dimensions of one index are left out.
static SmallVector<std::pair<unsigned, int64_t>>
getRowStrides(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<std::pair<unsigned, int64_t>> result;
  for (auto [dim, stride] : llvm::enumerate(ArrayRef(strides).drop_back()))
    if (type.getDimSize(dim) != 1)
      result.push_back({dim, stride});
  return result;
}

/// Whether rows with the same indices can begin at addresses that differ by the
/// same number of elements, modulo `multiple`, in `x` and `y`.
static bool mayRunTogether(MemRefType x, MemRefType y, int64_t multiple) {
  auto strides = getRowStrides(x), others = getRowStrides(y);
  if (x.getRank() != y.getRank() || strides.size() != others.size())
    return false;
  for (auto [a, c] : llvm::zip_equal(strides, others))
    if (a.first != c.first ||
        (!ShapedType::isDynamic(a.second) && !ShapedType::isDynamic(c.second) &&
         (a.second - c.second) % multiple != 0))
      return false;
  return true;
}

Value amp::gpu::getTensor(const Kernel &kernel, unsigned operand) {
  func::FuncOp function = kernel.function;
  if (operand < kernel.getNumInputs())
    return function.getArgument(operand);
  return function.getBody().front().getTerminator()->getOperand(
      operand - kernel.getNumInputs());
}

int64_t Peeling::getChunk(unsigned operand) const {
  return std::min<int64_t>(width,
                           16 / getBytes(cast<MemRefType>(types[operand])));
}

int64_t Peeling::getAlignment(unsigned operand) const {
  int64_t bytes = getBytes(cast<MemRefType>(types[operand]));
  return led.test(operand) ? bytes * getChunk(operand) : bytes;
}

std::optional<Peeling> Peeling::get(const Kernel &kernel,
                                    ArrayRef<unsigned> full,
                                    ArrayRef<unsigned> others, unsigned width) {
  Peeling peeling;
  peeling.types = kernel.operandTypes;
  peeling.led.resize(peeling.types.size());
  peeling.realigned.resize(peeling.types.size());
  SmallVector<unsigned> candidates = llvm::filter_to_vector(
      full, [&](unsigned n) { return hasVectors(peeling.types[n]); });
  // A destination leads if there is one: what is read can be moved into place,
  // what is written cannot.
  auto leader = llvm::find_if(
      candidates, [&](unsigned n) { return n >= kernel.getNumInputs(); });
  if (leader == candidates.end())
    leader = candidates.begin();
  if (leader == candidates.end())
    return std::nullopt;
  peeling.leader = *leader;
  peeling.width = width;
  peeling.width = peeling.getChunk(peeling.leader);
  if (peeling.width == 1)
    return std::nullopt;
  auto leaderType = cast<MemRefType>(peeling.types[peeling.leader]);
  for (unsigned n : candidates) {
    auto type = cast<MemRefType>(peeling.types[n]);
    if (mayRunTogether(leaderType, type, peeling.getChunk(n)))
      peeling.led.set(n);
  }
  auto realign = [&](unsigned n) {
    if (n < kernel.getNumInputs() && !peeling.led.test(n) &&
        hasVectors(peeling.types[n]))
      peeling.realigned.set(n);
  };
  llvm::for_each(full, realign);
  llvm::for_each(others, realign);
  peeling.margin = peeling.realigned.any();
  return peeling;
}

namespace {
/// Where the elements of a buffer are: in elements, from an address that is a
/// multiple of 16 bytes.
struct Place {
  Place(OpBuilder &b, Location loc, Value buffer)
      : type(cast<MemRefType>(buffer.getType())), base(b, loc, int64_t(0)) {
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    base = Index(b, loc, address) / getBytes(type);
    auto [known, offset] = type.getStridesAndOffset();
    auto isDynamic = [](int64_t v) { return ShapedType::isDynamic(v); };
    memref::ExtractStridedMetadataOp metadata;
    if (isDynamic(offset) || llvm::any_of(known, isDynamic))
      metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    base = base + (isDynamic(offset) ? Index(b, loc, metadata.getOffset())
                                     : base.like(offset));
    for (auto [dim, stride] : llvm::enumerate(known))
      strides.push_back(isDynamic(stride)
                            ? Index(b, loc, metadata.getStrides()[dim])
                            : base.like(stride));
  }

  /// The place of the element at these indices; those of the last dimensions
  /// that are not given are 0.
  Index at(OpBuilder &b, Location loc, ValueRange indices) const {
    Index place = base;
    for (auto [dim, index] : llvm::enumerate(indices))
      if (type.getDimSize(dim) != 1)
        place = place + Index(b, loc, index) * strides[dim];
    return place;
  }

  MemRefType type;
  Index base;
  SmallVector<Index> strides;
};
} // namespace

Value Peeling::emitCondition(OpBuilder &b, Location loc, ValueRange operands,
                             Value columns) const {
  Place first(b, loc, operands[leader]);
  Index zero = first.base.like(0);
  // All bits below the alignment must be zero: they are collected by "or".
  Value failed = zero;
  auto collect = [&](Index x, Index y, int64_t multiple) {
    // Differences may be negative, and unsigned: multiples are powers of two.
    failed = b.createOrFold<arith::OrIOp>(loc, failed, (x - y) % multiple);
  };
  for (unsigned n : led.set_bits()) {
    if (n == leader)
      continue;
    Place place(b, loc, operands[n]);
    int64_t multiple = getChunk(n);
    collect(first.base, place.base, multiple);
    // Contiguous buffers of one shape have the same strides.
    if (first.type.getLayout().isIdentity() &&
        place.type.getLayout().isIdentity())
      continue;
    for (auto [dim, stride] : getRowStrides(first.type))
      collect(first.strides[dim], place.strides[dim], multiple);
  }
  Value isAlike = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                failed, zero);
  Value isLong = zero.like(getLeastColumns()).le(Index(b, loc, columns));
  return b.createOrFold<arith::AndIOp>(loc, isAlike, isLong);
}

PeeledRow<Index> Peeling::emitRow(OpBuilder &b, Location loc,
                                  ValueRange operands, ValueRange row,
                                  Value columns) const {
  Index phase = Place(b, loc, operands[leader]).at(b, loc, row) % width;
  return PeeledRow<Index>::get(Index(b, loc, columns), phase, width, margin);
}

static bool areEqual(ValueRange x, ValueRange y) {
  return x.size() == y.size() && llvm::all_of(llvm::zip(x, y), [](auto pair) {
           auto [a, c] = pair;
           return isEqualConstantIntOrValue(OpFoldResult(a), OpFoldResult(c));
         });
}

Value Peeling::load(OpBuilder &b, Location loc, ValueRange operands,
                    unsigned operand, ValueRange row,
                    ValueRange indices) const {
  Value buffer = operands[operand];
  auto type = cast<MemRefType>(buffer.getType());
  Type element = type.getElementType();
  int64_t chunk = getChunk(operand), bytes = getBytes(type);
  if (led.test(operand) && areEqual(indices.drop_back(), row))
    return vector::LoadOp::create(b, loc, VectorType::get({width}, element),
                                  buffer, indices, /*nontemporal=*/false,
                                  llvm::MaybeAlign(bytes * chunk));
  if (!realigned.test(operand))
    return {};

  // The aligned chunks that cover the vector: one more than it has.
  Index distance = Place(b, loc, buffer).at(b, loc, indices) % chunk;
  Index begin = Index(b, loc, indices.back()) - distance;
  SmallVector<Value> elements, at(indices);
  for (int64_t first = 0; first != width + chunk; first += chunk) {
    at.back() = begin + first;
    auto part = vector::LoadOp::create(
        b, loc, VectorType::get({chunk}, element), buffer, at,
        /*nontemporal=*/false, llvm::MaybeAlign(bytes * chunk));
    for (int64_t i = 0; i != chunk; ++i)
      elements.push_back(vector::ExtractOp::create(b, loc, part, i));
  }
  // The last element is never needed.
  elements.pop_back();
  llvm::SmallDenseMap<unsigned, Value> bits;
  moveLanes(elements, width, chunk, [&](unsigned bit, Value x, Value y) {
    Value &isSet = bits[bit];
    if (!isSet)
      isSet = arith::CmpIOp::create(
          b, loc, arith::CmpIPredicate::ne,
          arith::AndIOp::create(b, loc, distance, distance.like(bit)),
          distance.like(0));
    return arith::SelectOp::create(b, loc, isSet, x, y).getResult();
  });
  elements.resize(width);
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({width}, element), elements);
}
