//===- OutDtypeGradient.cpp - the gradient of amp.out_dtype ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For result = sum of lhs * rhs over some loops, the gradient of lhs is the sum
// of gradient * rhs over the loops that lhs does not have, and so on: a product
// of the same loops. Where lhs is read through a window, the gradient is spread
// by the strides first, and read through the window turned around. Groups are
// loops of their own (SplitForm.h).
//
//===----------------------------------------------------------------------===//

#include "CastEmitter.h"
#include "SplitForm.h"
#include "amp/Conversion/Passes.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/GradientOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;
using utils::IteratorType;

namespace {
/// Builds the gradients of one product.
class GradientBuilder {
public:
  GradientBuilder(OpBuilder &b, OutDtypeOp op, const SplitForm &split,
                  Type compute)
      : b(b), op(op), split(split), form(split.form), loc(op.getLoc()),
        gradient(split.result), compute(compute) {}

  /// The gradient of an operand of the form, of the shape that it has in the
  /// program, in the compute type; null, with an error, where there is none.
  Value build(const ProductOperand &operand);

private:
  /// One input of the product that a gradient is.
  struct Input {
    const ProductOperand *operand; // Null for the gradient.
    Value value;
    AffineMap map;
  };

  InFlightDiagnostic error() {
    return op.getInnerOp()->emitOpError() << "in amp.out_dtype: ";
  }
  /// `expr` of the symbols `operands`, folded where they are constants.
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, operands);
  }
  bool isWindow(AffineMap map) {
    return llvm::any_of(map.getResults(), [](AffineExpr expr) {
      return !isa<AffineDimExpr, AffineConstantExpr>(expr);
    });
  }
  Value sum(ArrayRef<Input> inputs, AffineMap target,
            ArrayRef<OpFoldResult> sizes,
            llvm::function_ref<Value(OpBuilder &, ArrayRef<Value>)> term);
  Value buildPlain(const ProductOperand &operand);
  Value undoView(const ProductOperand &operand, Value value);
  Value buildWindow(const ProductOperand &operand, const ProductOperand &other);
  Value emitTerm(OpBuilder &nested, const ProductOperand &operand,
                 ArrayRef<Value> values);

  OpBuilder &b;
  OutDtypeOp op;
  const SplitForm &split;
  const ProductForm &form;
  Location loc;
  Value gradient;
  Type compute;
};
} // namespace

/// Sums `term` over the loops that `target`, a projected permutation, lacks.
Value GradientBuilder::sum(
    ArrayRef<Input> inputs, AffineMap target, ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<Value(OpBuilder &, ArrayRef<Value>)> term) {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    values.push_back(input.value);
    maps.push_back(input.map);
  }
  maps.push_back(target);
  // Without the loops that nothing here has, such as k for a bias.
  maps = compressUnusedDims(ArrayRef<AffineMap>(maps));
  SmallVector<IteratorType> iterators;
  for (unsigned d = 0, e = maps.back().getNumDims(); d != e; ++d)
    iterators.push_back(maps.back().isFunctionOfDim(d)
                            ? IteratorType::parallel
                            : IteratorType::reduction);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(compute));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, compute);
  Value init = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  return linalg::GenericOp::create(
             b, loc, init.getType(), values, init, maps, iterators,
             [&](OpBuilder &nested, Location, ValueRange arguments) {
               SmallVector<Value> elements;
               for (auto [input, element] : llvm::zip(inputs, arguments)) {
                 if (input.operand)
                   elements.push_back(emitElement(nested, loc, *input.operand,
                                                  element, compute));
                 else
                   elements.push_back(emitCast(nested, loc, element,
                                               element.getType(), compute,
                                               CastOptions()));
               }
               Value value = arith::AddFOp::create(
                   nested, loc, arguments.back(), term(nested, elements));
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

/// What one point of the loops adds to the gradient of `operand`, from the
/// elements of the gradient, lhs and rhs.
Value GradientBuilder::emitTerm(OpBuilder &nested,
                                const ProductOperand &operand,
                                ArrayRef<Value> values) {
  Value g = values[0];
  if (&operand == &form.bias)
    return g;
  Value lhs = values[1], rhs = values[2];
  Value other = &operand == &form.lhs ? rhs : lhs;
  if (form.kind != ProductForm::Kind::Divide)
    return arith::MulFOp::create(nested, loc, g, other);
  if (&operand == &form.lhs)
    return arith::DivFOp::create(nested, loc, g, rhs);
  // -(g * lhs) / rhs^2, in an order that does not overflow early.
  Value quotient = arith::DivFOp::create(nested, loc, lhs, rhs);
  Value part = arith::DivFOp::create(nested, loc, g, rhs);
  Value product = arith::MulFOp::create(nested, loc, part, quotient);
  return arith::NegFOp::create(nested, loc, product);
}

/// Of an operand that is read by loops as they are.
Value GradientBuilder::buildPlain(const ProductOperand &operand) {
  // Without the dimensions in which it is spread, which come back at the end.
  SmallVector<AffineExpr> target;
  SmallVector<OpFoldResult> sizes;
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  bool spreads = false;
  for (auto [dim, expr] : llvm::enumerate(operand.map.getResults())) {
    if (isa<AffineConstantExpr>(expr)) {
      spreads = true;
      continue;
    }
    target.push_back(expr);
    sizes.push_back(tensor::getMixedSize(b, loc, operand.value, dim));
  }
  AffineMap map =
      AffineMap::get(operand.map.getNumDims(), 0, target, b.getContext());
  SmallVector<Input> inputs{{nullptr, gradient, form.map}};
  if (&operand != &form.bias)
    for (const ProductOperand *factor : {&form.lhs, &form.rhs})
      inputs.push_back({factor, emitOperand(b, loc, *factor), factor->map});
  Value result =
      sum(inputs, map, sizes, [&](OpBuilder &nested, ArrayRef<Value> v) {
        return emitTerm(nested, operand, v);
      });
  if (!type)
    return tensor::ExtractOp::create(b, loc, result, ValueRange());
  if (!spreads)
    return result;
  // Dimensions of size 1 join the one before them that is kept, or the first.
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (auto [dim, expr] : llvm::enumerate(operand.map.getResults())) {
    if (isa<AffineConstantExpr>(expr)) {
      (groups.empty() ? pending : groups.back()).push_back(dim);
      continue;
    }
    groups.push_back(pending);
    pending.clear();
    groups.back().push_back(dim);
  }
  return tensor::ExpandShapeOp::create(
      b, loc, type.clone(compute), result, groups,
      tensor::getMixedSizes(b, loc, operand.value));
}

/// The gradient of the operand, from that of its view.
Value GradientBuilder::undoView(const ProductOperand &operand, Value value) {
  if (llvm::all_of(operand.view, std::mem_fn(&DimensionView::isIdentity)))
    return value;
  // What the view has cut off has no part in the result.
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> low, high, offsets, strides;
  SmallVector<unsigned> turned;
  bool isCut = false;
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, view] : llvm::enumerate(operand.view)) {
    int64_t before = std::max<int64_t>(-view.low, 0);
    int64_t behind = std::max<int64_t>(-view.high, 0);
    isCut |= before > 0 || behind > 0;
    low.push_back(b.getIndexAttr(before));
    high.push_back(b.getIndexAttr(behind));
    shape.push_back(type.isDynamicDim(dim)
                        ? ShapedType::kDynamic
                        : type.getDimSize(dim) + before + behind);
    offsets.push_back(b.getIndexAttr(std::max<int64_t>(view.low, 0)));
    strides.push_back(b.getIndexAttr(view.stride));
    if (view.isTurned)
      turned.push_back(dim);
  }
  if (isCut) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(compute));
    value = tensor::PadOp::create(b, loc, type.clone(shape), value, low, high,
                                  zero);
  }
  value = tensor::ExtractSliceOp::create(
      b, loc, value, offsets, tensor::getMixedSizes(b, loc, operand.value),
      strides);
  return turned.empty() ? value : emitReverse(b, loc, value, turned);
}

/// Of an operand that is read through a window, `other` being the window's
/// weights.
Value GradientBuilder::buildWindow(const ProductOperand &operand,
                                   const ProductOperand &other) {
  unsigned numLoops = form.iterators.size();
  auto gradientType = cast<RankedTensorType>(gradient.getType());
  SmallVector<AffineExpr> target;
  SmallVector<AffineExpr> gradientDims;
  for (unsigned d = 0; d != numLoops; ++d)
    gradientDims.push_back(b.getAffineDimExpr(d));
  SmallVector<unsigned> turned;
  SmallVector<OpFoldResult> sizes = getViewSizes(b, loc, operand);
  // By dimension of the gradient: where it is put, how far apart, in what size.
  OpFoldResult zeroIndex = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(gradientType.getRank(), zeroIndex);
  SmallVector<OpFoldResult> strides(gradientType.getRank(), one);
  SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, gradient);
  SmallVector<OpFoldResult> spread = shape;
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  for (unsigned dim = 0, e = operand.map.getNumResults(); dim != e; ++dim) {
    AffineExpr expr = operand.map.getResult(dim);
    if (isa<AffineDimExpr>(expr)) {
      target.push_back(expr);
      continue;
    }
    // position * stride + window * dilation.
    int position = -1, window = -1;
    for (unsigned d = 0; d != numLoops; ++d) {
      if (!expr.isFunctionOfDim(d))
        continue;
      int &slot = form.map.isFunctionOfDim(d) ? position : window;
      slot = slot < 0 ? int(d) : -2;
    }
    auto coefficient = [&](int loop) -> int64_t {
      SmallVector<AffineExpr> zeros(numLoops, b.getAffineConstantExpr(0));
      auto at = [&](int64_t value) {
        zeros[loop] = b.getAffineConstantExpr(value);
        auto folded = dyn_cast<AffineConstantExpr>(
            simplifyAffineExpr(expr.replaceDims(zeros), 0, 0));
        return folded ? folded.getValue() : 0;
      };
      int64_t first = at(0), second = at(1), third = at(2);
      return first == 0 && third == 2 * second ? second : 0;
    };
    int64_t stride = position >= 0 ? coefficient(position) : 0;
    int64_t dilation = window >= 0 ? coefficient(window) : 0;
    std::optional<unsigned> at;
    for (auto [g, loop] : llvm::enumerate(form.map.getResults()))
      if (position >= 0 && loop == b.getAffineDimExpr(position))
        at = g;
    // The dimension of the window's weights.
    std::optional<unsigned> by;
    for (auto [position, loop] : llvm::enumerate(other.map.getResults()))
      if (window >= 0 && loop == b.getAffineDimExpr(window))
        by = position;
    if (stride <= 0 || dilation <= 0 || !at || !by) {
      error() << "there is no gradient of an operand that is read through "
              << AffineMapAttr::get(operand.map)
              << ": expected loops, windows with one stride and dilation per "
                 "dimension, and groups of static size";
      return {};
    }
    OpFoldResult reach = apply(s0 * dilation - dilation,
                               tensor::getMixedSize(b, loc, other.value, *by));
    offsets[*at] = reach;
    strides[*at] = b.getIndexAttr(stride);
    spread[*at] = apply(s0 + s1, {sizes[dim], reach});
    turned.push_back(*by);
    target.push_back(b.getAffineDimExpr(position));
    gradientDims[position] =
        b.getAffineDimExpr(position) + b.getAffineDimExpr(window) * dilation;
  }
  Type element = gradientType.getElementType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(b, loc, spread, element);
  Value zeros = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  Value apart = tensor::InsertSliceOp::create(b, loc, gradient, zeros, offsets,
                                              shape, strides);
  Input inputs[] = {
      {nullptr, apart,
       form.map.replaceDimsAndSymbols(gradientDims, {}, numLoops, 0)},
      {&other, emitReverse(b, loc, emitOperand(b, loc, other), turned),
       other.map}};
  return sum(inputs, AffineMap::get(numLoops, 0, target, b.getContext()), sizes,
             [&](OpBuilder &nested, ArrayRef<Value> v) {
               return arith::MulFOp::create(nested, loc, v[0], v[1]);
             });
}

Value GradientBuilder::build(const ProductOperand &operand) {
  Value result;
  if (!isWindow(operand.map)) {
    result = buildPlain(operand);
  } else if (form.kind != ProductForm::Kind::Sum) {
    error() << "there is no gradient of this quotient";
    return {};
  } else {
    result = buildWindow(operand, &operand == &form.lhs ? form.rhs : form.lhs);
  }
  ArrayRef<ReassociationIndices> groups =
      &operand == &form.lhs   ? split.lhsGroups
      : &operand == &form.rhs ? split.rhsGroups
                              : split.biasGroups;
  if (!result)
    return {};
  result = undoView(operand, result);
  if (groups.empty())
    return result;
  return tensor::CollapseShapeOp::create(b, loc, result, groups);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

namespace {
struct OutDtypeGradient
    : GradientOpInterface::ExternalModel<OutDtypeGradient, OutDtypeOp> {
  Type getGradientType(Operation *op, Type type) const {
    if (isa<FloatType>(type))
      return type;
    return cast<OutDtypeOp>(op).getGradient().value_or(
        Float32Type::get(op->getContext()));
  }

  LogicalResult buildGradients(Operation *operation, OpBuilder &b,
                               Value resultGradient,
                               SmallVectorImpl<Value> &gradients) const {
    auto op = cast<OutDtypeOp>(operation);
    FailureOr<ProductForm> form = getProductForm(op);
    if (failed(form))
      return failure();
    Type compute = b.getF32Type();
    SplitForm split = splitForm(b, *form, resultGradient);
    // With what each operand is in the program.
    SmallVector<std::pair<const ProductOperand *, Value>> operands;
    for (auto [operand, part] : {std::pair(&form->lhs, &split.form.lhs),
                                 std::pair(&form->rhs, &split.form.rhs),
                                 std::pair(&form->bias, &split.form.bias)})
      if (operand->value)
        operands.push_back({part, operand->value});
    auto isWide = [&](Type type) {
      return getGradientType(op, getElementTypeOrSelf(type)).isF64();
    };
    if (isWide(op.getType()) ||
        llvm::any_of(operands, [&](const auto &operand) {
          return !operand.first->isWeak && isWide(operand.second.getType());
        }))
      compute = b.getF64Type();
    GradientBuilder builder(b, op, split, compute);
    gradients.assign(op.getCaptures().size(), Value());
    for (auto [operand, value] : operands) {
      // A number that the op holds is no operand of it; an operand can be both
      // factors.
      auto capture = llvm::find(op.getCaptures(), value);
      if (capture == op.getCaptures().end())
        continue;
      Value gradient = builder.build(*operand);
      if (!gradient)
        return failure();
      Value &slot = gradients[capture - op.getCaptures().begin()];
      if (slot)
        gradient = add(b, op.getLoc(), slot, gradient);
      slot = gradient;
    }
    for (auto [gradient, capture] :
         llvm::zip_equal(gradients, op.getCaptures())) {
      if (!gradient)
        continue;
      Type wanted = getGradientType(op, getElementTypeOrSelf(capture));
      if (wanted != compute)
        gradient = CastOp::create(b, op.getLoc(),
                                  withElementType(gradient.getType(), wanted),
                                  gradient);
    }
    return success();
  }

private:
  static Value add(OpBuilder &b, Location loc, Value x, Value y) {
    return arith::AddFOp::create(b, loc, x, y);
  }
};
} // namespace

void mlir::amp::registerOutDtypeGradient(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AMPDialect *) {
    OutDtypeOp::attachInterface<OutDtypeGradient>(*context);
  });
}
