//===- AttentionOp.cpp - amp.attention ------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMPAttentionOps.h"
#include "amp/Formats/Formats.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPAttentionOps.cpp.inc"

int64_t AttentionOp::getGroupSize() {
  int64_t rank = getQuery().getType().getRank();
  if (rank < 3)
    return 1;
  int64_t queries = getQuery().getType().getDimSize(rank - 3),
          keys = getKey().getType().getDimSize(rank - 3);
  return ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys) ||
                 keys == 0
             ? 1
             : queries / keys;
}

std::pair<std::optional<int64_t>, std::optional<int64_t>>
AttentionOp::getLimits() {
  std::optional<int64_t> before, after;
  if (std::optional<ArrayRef<int64_t>> window = getWindow()) {
    if ((*window)[0] >= 0)
      before = (*window)[0];
    if ((*window)[1] >= 0)
      after = (*window)[1];
  }
  if (getCausal())
    after = 0;
  return {before, after};
}

double AttentionOp::getFactor() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  return 1 /
         std::sqrt(static_cast<double>(getQuery().getType().getShape().back()));
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Whether sizes may be equal.
static bool fits(int64_t size, int64_t other) {
  return size == other || ShapedType::isDynamic(size) ||
         ShapedType::isDynamic(other);
}

/// Checks that dimension `dim` of `type`, the operand or result `name`, may
/// have the size `expected`.
static LogicalResult checkDim(AttentionOp op, StringRef name,
                              RankedTensorType type, int64_t dim,
                              int64_t expected, const Twine &what) {
  if (fits(type.getDimSize(dim), expected))
    return success();
  return op.emitOpError("expected ")
         << what << " as dimension " << dim << " of " << name << ", "
         << expected << ", but found " << type;
}

LogicalResult AttentionOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType(), result = getResult().getType();
  int64_t rank = query.getRank();
  if (rank < 2)
    return emitOpError("expected query to have at least two dimensions, rows "
                       "and depth, but found ")
           << query;
  for (auto [name, type] : {std::pair("key", key), std::pair("value", value),
                            std::pair("result", result)})
    if (type.getRank() != rank)
      return emitOpError("expected ")
             << name << " to have the " << rank
             << " dimensions of query, but found " << type;
  Type element = query.getElementType();
  for (auto [name, type] : {std::pair("key", key), std::pair("value", value)})
    if (type.getElementType() != element)
      return emitOpError("expected ")
             << name << " to have elements of type " << element
             << ", as query has, but found " << type;
  // Heads of queries may be several for one of keys.
  int64_t heads = rank - 3;
  for (int64_t dim = 0; dim < rank - 2; ++dim) {
    if (failed(checkDim(*this, "value", value, dim, key.getDimSize(dim),
                        "the size that key has")) ||
        failed(checkDim(*this, "result", result, dim, query.getDimSize(dim),
                        "the size that query has")))
      return failure();
    if (dim < heads &&
        failed(checkDim(*this, "key", key, dim, query.getDimSize(dim),
                        "the size that query has")))
      return failure();
  }
  if (heads >= 0) {
    int64_t ofQuery = query.getDimSize(heads), ofKey = key.getDimSize(heads);
    if (!fits(ofQuery, ofKey) && (ofKey == 0 || ofQuery % ofKey != 0))
      return emitOpError("expected the heads of query, dimension ")
             << heads << ", to be a multiple of the " << ofKey
             << " of key, but found " << ofQuery;
  }
  int64_t rows = query.getDimSize(rank - 2), keys = key.getDimSize(rank - 2);
  if (ShapedType::isDynamic(query.getDimSize(rank - 1)) && !getScale())
    return emitOpError("needs a 'scale' where the depth of query is not known");
  if (query.getDimSize(rank - 1) == 0)
    return emitOpError("expected query to have a depth of at least 1, but "
                       "found ")
           << query;
  if (failed(checkDim(*this, "key", key, rank - 1, query.getDimSize(rank - 1),
                      "the depth of query")) ||
      failed(checkDim(*this, "value", value, rank - 2, keys,
                      "the number of keys")) ||
      failed(checkDim(*this, "result", result, rank - 2, rows,
                      "the number of rows of query")) ||
      failed(checkDim(*this, "result", result, rank - 1,
                      value.getDimSize(rank - 1), "the columns of value")))
    return failure();

  if (Value lse = getLse()) {
    auto type = cast<RankedTensorType>(lse.getType());
    Type wide = getComputeType(element);
    if (type.getElementType() != wide || type.getRank() != rank - 1)
      return emitOpError("expected log-sum-exp to have ")
             << rank - 1 << " dimensions and elements of type " << wide
             << ", but found " << type;
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      if (failed(checkDim(*this, "log-sum-exp", type, dim,
                          query.getDimSize(dim), "the size that query has")))
        return failure();
  }

  if (Value mask = getMask()) {
    auto type = cast<RankedTensorType>(mask.getType());
    if (type.getElementType().isF64() && !element.isF64())
      return emitOpError("expected mask to have elements of i1, f16, bf16 or "
                         "f32, but found ")
             << type;
    if (type.getRank() > rank)
      return emitOpError("expected mask to have at most ")
             << rank << " dimensions, but found " << type;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t of = rank - type.getRank() + dim,
              size = of == rank - 1 ? keys : query.getDimSize(of);
      if (type.getDimSize(dim) != 1 && !fits(type.getDimSize(dim), size))
        return emitOpError("expected 1 or ") << size << " as dimension " << dim
                                             << " of mask, but found " << type;
    }
  }

  if (static_cast<bool>(getQueryOffsets()) !=
      static_cast<bool>(getKeyOffsets()))
    return emitOpError("expected offsets of both query and key, or of none");
  if (getQueryOffsets()) {
    int64_t ofQuery = cast<RankedTensorType>(getQueryOffsets().getType())
                          .getDimSize(0),
            ofKey =
                cast<RankedTensorType>(getKeyOffsets().getType()).getDimSize(0);
    if (!fits(ofQuery, ofKey))
      return emitOpError("expected as many offsets of key as of query, ")
             << ofQuery << ", but found " << ofKey;
    if (ofQuery == 0 || ofKey == 0)
      return emitOpError("expected at least one offset, the end of the last "
                         "sequence");
  }

  if (std::optional<APFloat> scale = getScale(); scale && !scale->isFinite())
    return emitOpError("expected 'scale' to be finite");
  if (std::optional<ArrayRef<int64_t>> window = getWindow()) {
    if (window->size() != 2)
      return emitOpError("expected 'window' to be two numbers, of keys before "
                         "and behind, but found ")
             << window->size();
    for (int64_t size : *window)
      if (size < -1)
        return emitOpError("expected 'window' to have numbers of at least 0, "
                           "or -1 for no limit, but found ")
               << size;
  }
  if (getAlignLast() && !getCausal() && !getWindow())
    return emitOpError("has 'align_last' but neither 'causal' nor 'window'");
  return success();
}

//===----------------------------------------------------------------------===//
// PrecisionOpInterface
//===----------------------------------------------------------------------===//

PrecisionClass AttentionOp::getPrecisionClass() {
  return PrecisionClass::Contraction;
}

OperandRole AttentionOp::getOperandRole(unsigned operand) {
  if (operand < 3)
    return OperandRole::Input;
  return getFloatElementType((*this)->getOperand(operand).getType())
             ? OperandRole::Pinned
             : OperandRole::Ignored;
}

/// Log-sum-exp stays what scores are computed in.
Type AttentionOp::getRetypedResult(const PrecisionTypes &types,
                                   unsigned result) {
  return result == 0 ? types.results[0]
                     : getComputeType(types.operands.front());
}

LogicalResult AttentionOp::retype(RewriterBase &rewriter,
                                  const PrecisionTypes &types) {
  rewriter.modifyOpInPlace(*this, [&] {
    for (OpResult result : (*this)->getResults())
      result.setType(withElementType(
          result.getType(), getRetypedResult(types, result.getResultNumber())));
  });
  return success();
}

std::optional<int64_t> AttentionOp::getReductionDepth() {
  // Of the two products the deeper one.
  ArrayRef<int64_t> key = getKey().getType().getShape().take_back(2);
  if (ShapedType::isDynamicShape(key))
    return std::nullopt;
  return std::max(key[0], key[1]);
}

std::optional<int64_t> AttentionOp::getNumFlops() {
  RankedTensorType query = getQuery().getType(), value = getValue().getType();
  if (!query.hasStaticShape() || !value.hasStaticShape())
    return std::nullopt;
  ArrayRef<int64_t> ofValue = value.getShape().take_back(2);
  // Queries with keys, and weights with values; what masks hide counts.
  return 2 * query.getNumElements() * ofValue[0] + 2 * query.getNumElements() /
                                                       query.getShape().back() *
                                                       ofValue[0] * ofValue[1];
}
