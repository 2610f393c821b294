//===- SplitForm.cpp - products whose groups are loops --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitForm.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp;
using utils::IteratorType;

/// Two loops that make up one dimension: outer * size(inner) + inner.
namespace {
struct LoopPair {
  AffineExpr outer, inner;
  int64_t outerSize, innerSize;
};
} // namespace

/// The maps of `form`, those of its operands first.
static SmallVector<AffineMap *> getMaps(ProductForm &form) {
  SmallVector<AffineMap *> maps;
  for (ProductOperand *operand : {&form.lhs, &form.rhs, &form.bias})
    if (operand->value)
      maps.push_back(&operand->map);
  maps.push_back(&form.map);
  return maps;
}

/// The number that each use of loop `d` in a quotient or remainder divides by;
/// 0 where there is none, or several.
static int64_t getDivisor(ArrayRef<AffineMap *> maps, unsigned d) {
  int64_t divisor = 0;
  bool isOne = true;
  for (AffineMap *map : maps)
    for (AffineExpr expr : map->getResults())
      expr.walk([&](AffineExpr part) {
        if (part.getKind() != AffineExprKind::FloorDiv &&
            part.getKind() != AffineExprKind::Mod)
          return;
        auto binary = cast<AffineBinaryOpExpr>(part);
        auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
        if (!part.isFunctionOfDim(d))
          return;
        isOne &= by && isa<AffineDimExpr>(binary.getLHS()) &&
                 (divisor == 0 || divisor == by.getValue());
        divisor = by ? by.getValue() : 0;
      });
  return isOne ? divisor : 0;
}

/// Makes two loops of each that is read divided: d becomes d * k + a new one.
static void splitLoops(ProductForm &form, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<AffineMap *> maps = getMaps(form);
  MLIRContext *context = form.map.getContext();
  for (unsigned d = 0, e = form.iterators.size(); d != e; ++d) {
    int64_t divisor = getDivisor(maps, d);
    if (divisor <= 1 || ShapedType::isDynamic(sizes[d]) ||
        sizes[d] % divisor != 0)
      continue;
    unsigned added = form.iterators.size();
    AffineExpr outer = getAffineDimExpr(d, context);
    AffineExpr inner = getAffineDimExpr(added, context);
    DenseMap<AffineExpr, AffineExpr> replacements{
        {outer.floorDiv(divisor), outer},
        {outer % divisor, inner},
        {outer, outer * divisor + inner}};
    for (AffineMap *map : maps) {
      auto exprs = llvm::map_to_vector(map->getResults(), [&](AffineExpr expr) {
        return expr.replace(replacements);
      });
      *map = AffineMap::get(added + 1, 0, exprs, context);
    }
    IteratorType iterator = form.iterators[d];
    form.iterators.push_back(iterator);
    sizes.push_back(divisor);
    sizes[d] /= divisor;
  }
  for (AffineMap *map : maps)
    *map = AffineMap::get(form.iterators.size(), 0, map->getResults(), context);
}

/// The two loops that `expr`, a dimension of `size` elements, interleaves.
static std::optional<LoopPair> getPair(AffineExpr expr, int64_t size,
                                       ArrayRef<int64_t> sizes) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  for (auto [outer, inner] : {std::pair(sum.getLHS(), sum.getRHS()),
                              std::pair(sum.getRHS(), sum.getLHS())}) {
    int64_t stride = 1;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(outer);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        stride = factor.getValue();
        outer = product.getLHS();
      }
    auto outerDim = dyn_cast<AffineDimExpr>(outer);
    auto innerDim = dyn_cast<AffineDimExpr>(inner);
    if (!outerDim || !innerDim)
      continue;
    int64_t outerSize = sizes[outerDim.getPosition()];
    int64_t innerSize = sizes[innerDim.getPosition()];
    if (innerSize == stride && !ShapedType::isDynamic(outerSize) &&
        !ShapedType::isDynamic(size) && outerSize * innerSize == size)
      return LoopPair{outer, inner, outerSize, innerSize};
  }
  return std::nullopt;
}

/// `value`, read by `map`, with two dimensions for each that is a pair of
/// loops. `getSize` gives the size of a dimension, and `canSplit` whether it
/// may be split.
static Value splitValue(OpBuilder &b, Location loc, Value value, AffineMap &map,
                        ArrayRef<int64_t> sizes,
                        llvm::function_ref<bool(unsigned)> canSplit,
                        SmallVectorImpl<ReassociationIndices> &groups) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> mixed;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    std::optional<LoopPair> pair;
    if (canSplit(dim))
      pair = getPair(expr, type.getDimSize(dim), sizes);
    ReassociationIndices &group = groups.emplace_back();
    if (!pair) {
      group.push_back(exprs.size());
      exprs.push_back(expr);
      shape.push_back(type.getDimSize(dim));
      mixed.push_back(tensor::getMixedSize(b, loc, value, dim));
      continue;
    }
    for (auto [part, size] : {std::pair(pair->outer, pair->outerSize),
                              std::pair(pair->inner, pair->innerSize)}) {
      group.push_back(exprs.size());
      exprs.push_back(part);
      shape.push_back(size);
      mixed.push_back(b.getIndexAttr(size));
    }
  }
  if (shape.size() == size_t(type.getRank())) {
    groups.clear();
    return value;
  }
  map = AffineMap::get(map.getNumDims(), 0, exprs, b.getContext());
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), value, groups,
                                       mixed);
}

SplitForm mlir::amp::splitForm(OpBuilder &b, const ProductForm &form,
                               Value result) {
  SplitForm split{form, result, {}, {}, {}, {}};
  SmallVector<int64_t> sizes = getLoopSizes(form);
  splitLoops(split.form, sizes);
  for (auto [operand, groups] :
       {std::pair(&split.form.lhs, &split.lhsGroups),
        std::pair(&split.form.rhs, &split.rhsGroups),
        std::pair(&split.form.bias, &split.biasGroups)}) {
    if (!operand->value)
      continue;
    ProductOperand whole = *operand;
    operand->value = splitValue(
        b, form.loc, whole.value, operand->map, sizes,
        [&](unsigned dim) { return whole.isIdentity(dim); }, *groups);
    if (groups->empty() || whole.view.empty())
      continue;
    operand->view.assign(operand->map.getNumResults(), DimensionView());
    for (auto [view, group] : llvm::zip(whole.view, *groups))
      if (group.size() == 1)
        operand->view[group.front()] = view;
  }
  split.result = splitValue(
      b, form.loc, result, split.form.map, sizes, [](unsigned) { return true; },
      split.resultGroups);
  return split;
}
