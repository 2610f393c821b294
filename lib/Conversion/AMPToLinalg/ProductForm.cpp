//===- ProductForm.cpp - emits products of narrow operands ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

#include "CastEmitter.h"
#include "SplitForm.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Type ProductOperand::getElementType() const {
  Type type = getElementTypeOrSelf(value.getType());
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || !isUnsigned)
    return type;
  return IntegerType::get(type.getContext(), integer.getWidth(),
                          IntegerType::Unsigned);
}

int64_t ProductOperand::getSize(unsigned dim) const {
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
  if (ShapedType::isDynamic(size) || view.empty())
    return size;
  return (size - 1) * view[dim].stride + 1 + view[dim].low + view[dim].high;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool ProductForm::isFloat() const {
  if (isTrueDivision || isa<FloatType>(natural.getElementType()))
    return true;
  for (const ProductOperand *operand : {&lhs, &rhs, &bias})
    if (operand->value && isa<FloatType>(operand->getElementType()))
      return true;
  return false;
}

Type ProductForm::getAccumulator(Type requested) const {
  Builder b(natural.getContext());
  Type own = natural.getElementType();
  unsigned width = own.getIntOrFloatBitWidth();
  unsigned operands = 0;
  SmallVector<Type> types;
  for (const ProductOperand *operand : {&lhs, &rhs, &bias}) {
    if (!operand->value || operand->isWeak)
      continue;
    types.push_back(operand->value.getType());
    if (operand != &bias)
      operands =
          std::max(operands, operand->getElementType().getIntOrFloatBitWidth());
    if (isa<IntegerType>(operand->getElementType()))
      width =
          std::max(width, operand->getElementType().getIntOrFloatBitWidth());
  }
  if (isFloat()) {
    // A 0-d tensor does not widen the others, as in torch's promotion.
    Type common = promoteElementwise(types);
    bool wide = requested.isF64() || own.isF64() || (common && common.isF64());
    return wide ? b.getF64Type() : b.getF32Type();
  }
  width = width <= 32 ? 32 : 64;
  if (auto integer = dyn_cast<IntegerType>(requested))
    width = std::max<unsigned>(width, integer.getWidth() <= 32 ? 32 : 64);
  else if (operands > 8)
    width = 64; // A float holds sums that i32 does not.
  return b.getIntegerType(width);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The value of `expr` where loop number `loop` is `at` and the others are at
/// their ends; nothing where that needs a size that is not known.
static std::optional<int64_t> evaluate(AffineExpr expr, unsigned loop,
                                       int64_t at, ArrayRef<int64_t> sizes) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> values;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    bool matters = expr.isFunctionOfDim(d);
    if (d != loop && matters && ShapedType::isDynamic(size))
      return std::nullopt;
    values.push_back(getAffineConstantExpr(
        d == loop ? at : (matters ? size - 1 : 0), context));
  }
  auto constant = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(expr.replaceDims(values), 0, 0));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

/// Where the size of a loop comes from: a dimension of an operand, of which the
/// loop takes (size - 1 - rest) / stride + 1 steps.
namespace {
struct LoopSource {
  const ProductOperand *operand;
  unsigned dim;
  int64_t rest, stride;
};
} // namespace

/// Whether `expr` takes a quotient or remainder of loop `d`.
static bool isDivided(AffineExpr expr, unsigned d) {
  bool divided = false;
  expr.walk([&](AffineExpr part) {
    divided |= (part.getKind() == AffineExprKind::FloorDiv ||
                part.getKind() == AffineExprKind::Mod) &&
               part.isFunctionOfDim(d);
  });
  return divided;
}

/// The loops' sizes as far as they are static, and a source for each that is
/// a loop of the result.
static void findLoops(const ProductForm &form, SmallVectorImpl<int64_t> &sizes,
                      SmallVectorImpl<std::optional<LoopSource>> &sources) {
  unsigned numLoops = form.iterators.size();
  sizes.assign(numLoops, ShapedType::kDynamic);
  sources.assign(numLoops, std::nullopt);
  auto find = [&](bool whole) {
    for (const ProductOperand *operand : {&form.lhs, &form.rhs, &form.bias}) {
      if (!operand->value || !operand->map)
        continue;
      for (auto [dim, expr] : llvm::enumerate(operand->map.getResults())) {
        if (isa<AffineDimExpr>(expr) != whole)
          continue;
        for (unsigned d = 0; d != numLoops; ++d) {
          if (sources[d] || !expr.isFunctionOfDim(d) || isDivided(expr, d))
            continue;
          std::optional<int64_t> first = evaluate(expr, d, 0, sizes);
          std::optional<int64_t> second = evaluate(expr, d, 1, sizes);
          if (!first || !second || *second <= *first)
            continue;
          sources[d] =
              LoopSource{operand, unsigned(dim), *first, *second - *first};
          int64_t size = operand->getSize(dim);
          if (!ShapedType::isDynamic(size))
            sizes[d] = size - 1 - *first < 0
                           ? 0
                           : (size - 1 - *first) / (*second - *first) + 1;
        }
      }
    }
  };
  // First where a loop is a dimension, then where it is a part of one, which
  // may need what only the result tells.
  find(/*whole=*/true);
  for (auto [dim, expr] : llvm::enumerate(form.map.getResults())) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (ShapedType::isDynamic(sizes[d]))
      sizes[d] = form.natural.getDimSize(dim);
  }
  find(/*whole=*/false);
}

SmallVector<int64_t> mlir::amp::getLoopSizes(const ProductForm &form) {
  SmallVector<int64_t> sizes;
  SmallVector<std::optional<LoopSource>> sources;
  findLoops(form, sizes, sources);
  return sizes;
}

SmallVector<OpFoldResult> mlir::amp::getResultSizes(OpBuilder &b,
                                                    const ProductForm &form) {
  SmallVector<int64_t> sizes;
  SmallVector<std::optional<LoopSource>> sources;
  findLoops(form, sizes, sources);
  SmallVector<OpFoldResult> result;
  for (auto [dim, expr] : llvm::enumerate(form.map.getResults())) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (!form.natural.isDynamicDim(dim)) {
      result.push_back(b.getIndexAttr(form.natural.getDimSize(dim)));
      continue;
    }
    assert(sources[d] && "a loop of the result without a size");
    const ProductOperand &operand = *sources[d]->operand;
    AffineExpr s0 = b.getAffineSymbolExpr(0);
    result.push_back(affine::makeComposedFoldedAffineApply(
        b, form.loc,
        (s0 - (1 + sources[d]->rest)).floorDiv(sources[d]->stride) + 1,
        {getViewSizes(b, form.loc, operand)[sources[d]->dim]}));
  }
  return result;
}

LogicalResult mlir::amp::verifyProductShapes(Operation *op,
                                             const ProductForm &form) {
  SmallVector<int64_t> sizes;
  SmallVector<std::optional<LoopSource>> sources;
  findLoops(form, sizes, sources);
  auto describe = [](const ProductOperand &operand) -> std::string {
    std::string text;
    llvm::raw_string_ostream(text) << operand.value.getType();
    return text;
  };
  const std::pair<const ProductOperand *, const char *> operands[] = {
      {&form.lhs, "the first operand"},
      {&form.rhs, "the second operand"},
      {&form.bias, "the bias"}};
  for (auto [operand, name] : operands) {
    if (!operand->value || !operand->map)
      continue;
    for (auto [dim, expr] : llvm::enumerate(operand->map.getResults())) {
      int64_t found = operand->getSize(dim);
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || ShapedType::isDynamic(found))
        continue;
      int64_t expected = sizes[loop.getPosition()];
      if (!ShapedType::isDynamic(expected) && expected != found)
        return op->emitOpError()
               << "in amp.out_dtype: dimension " << dim << " of " << name
               << ", of type " << describe(*operand) << ", has " << found
               << " elements, but expected " << expected << " to fit "
               << (operand == &form.lhs ? "the others" : "the first operand");
    }
  }
  for (auto [dim, expr] : llvm::enumerate(form.map.getResults())) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    int64_t found = form.natural.getDimSize(dim);
    int64_t expected = sizes[d];
    if (!ShapedType::isDynamic(found) && !ShapedType::isDynamic(expected) &&
        found != expected)
      return op->emitOpError()
             << "in amp.out_dtype: dimension " << dim << " of the result has "
             << found << " elements, but the operands give " << expected;
    if (ShapedType::isDynamic(found) && !sources[d])
      return op->emitOpError()
             << "in amp.out_dtype: dimension " << dim
             << " of the result is dynamic, but no operand tells its size";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Value mlir::amp::emitReverse(OpBuilder &b, Location loc, Value value,
                             ArrayRef<unsigned> dims) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  SmallVector<Value> last(type.getRank());
  for (unsigned dim : dims)
    last[dim] = getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(
            b, loc, b.getAffineSymbolExpr(0) - 1, {sizes[dim]}));
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, type, ValueRange(), empty, maps, iterators,
             [&](OpBuilder &nested, Location, ValueRange) {
               SmallVector<Value> at;
               for (unsigned dim = 0; dim != type.getRank(); ++dim) {
                 Value index = linalg::IndexOp::create(nested, loc, dim);
                 if (last[dim])
                   index = arith::SubIOp::create(nested, loc, last[dim], index);
                 at.push_back(index);
               }
               linalg::YieldOp::create(
                   nested, loc,
                   tensor::ExtractOp::create(nested, loc, value, at)
                       .getResult());
             })
      .getResult(0);
}

SmallVector<OpFoldResult>
mlir::amp::getViewSizes(OpBuilder &b, Location loc,
                        const ProductOperand &operand) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, operand.value);
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  for (auto [size, view] : llvm::zip(sizes, operand.view))
    size = affine::makeComposedFoldedAffineApply(
        b, loc, (s0 - 1) * view.stride + (1 + view.low + view.high), {size});
  return sizes;
}

Value mlir::amp::emitOperand(OpBuilder &b, Location loc,
                             const ProductOperand &operand) {
  Value value = operand.value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  Type signless = getSignlessType(type.getElementType());
  if (signless != type.getElementType())
    value = tensor::BitcastOp::create(b, loc, type.clone(signless), value);
  SmallVector<unsigned> turned;
  bool isSpread = false, isPadded = false, isCut = false;
  // What is added, and with it the sizes before anything is cut off.
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> low, high, strides, cut;
  ProductOperand whole = operand;
  for (auto [dim, view] : llvm::enumerate(whole.view)) {
    if (view.isTurned)
      turned.push_back(dim);
    isSpread |= view.stride != 1;
    isPadded |= view.low > 0 || view.high > 0;
    isCut |= view.low < 0 || view.high < 0;
    cut.push_back(b.getIndexAttr(std::max<int64_t>(-view.low, 0)));
    view.low = std::max<int64_t>(view.low, 0);
    view.high = std::max<int64_t>(view.high, 0);
    low.push_back(b.getIndexAttr(view.low));
    high.push_back(b.getIndexAttr(view.high));
    strides.push_back(b.getIndexAttr(view.stride));
    shape.push_back(whole.getSize(dim));
  }
  if (!turned.empty())
    value = emitReverse(b, loc, value, turned);
  if (isSpread || isPadded) {
    TypedAttr zero = b.getZeroAttr(signless);
    if (operand.zeroPoint != 0)
      zero = b.getIntegerAttr(
          signless, APInt(signless.getIntOrFloatBitWidth(), operand.zeroPoint,
                          /*isSigned=*/true, /*implicitTrunc=*/true));
    Value padding = arith::ConstantOp::create(b, loc, zero);
    if (isSpread) {
      Value empty = tensor::EmptyOp::create(b, loc, getViewSizes(b, loc, whole),
                                            signless);
      Value filled =
          linalg::FillOp::create(b, loc, padding, empty).getResult(0);
      value = tensor::InsertSliceOp::create(
          b, loc, value, filled, low, tensor::getMixedSizes(b, loc, value),
          strides);
    } else {
      value =
          tensor::PadOp::create(b, loc, RankedTensorType::get(shape, signless),
                                value, low, high, padding);
    }
  }
  if (!isCut)
    return value;
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, value, cut,
                                        getViewSizes(b, loc, operand), ones);
}

Value mlir::amp::emitElement(OpBuilder &b, Location loc,
                             const ProductOperand &operand, Value element,
                             Type type) {
  Value value =
      emitCast(b, loc, element, operand.getElementType(), type, CastOptions());
  if (operand.zeroPoint == 0)
    return value;
  TypedAttr zero = isa<FloatType>(type)
                       ? TypedAttr(b.getFloatAttr(type, operand.zeroPoint))
                       : b.getIntegerAttr(type, operand.zeroPoint);
  Value zeroPoint = arith::ConstantOp::create(b, loc, zero);
  if (isa<FloatType>(type))
    return arith::SubFOp::create(b, loc, value, zeroPoint);
  return arith::SubIOp::create(b, loc, value, zeroPoint);
}

/// lhs op rhs in one type.
static Value emitArithmetic(OpBuilder &b, const ProductForm &form, Value lhs,
                            Value rhs) {
  bool isFloat = isa<FloatType>(lhs.getType());
  if (form.kind != ProductForm::Kind::Divide) {
    if (isFloat)
      return arith::MulFOp::create(b, form.loc, lhs, rhs);
    return arith::MulIOp::create(b, form.loc, lhs, rhs);
  }
  if (isFloat)
    return arith::DivFOp::create(b, form.loc, lhs, rhs);
  if (form.lhs.isUnsigned && form.rhs.isUnsigned)
    return arith::DivUIOp::create(b, form.loc, lhs, rhs);
  return arith::DivSIOp::create(b, form.loc, lhs, rhs);
}

/// What a sum starts from, in the accumulator type.
static Value emitInit(OpBuilder &b, const ProductForm &form, Type accumulator) {
  SmallVector<OpFoldResult> sizes = getResultSizes(b, form);
  Value empty = tensor::EmptyOp::create(b, form.loc, sizes, accumulator);
  if (form.kind != ProductForm::Kind::Sum)
    return empty;
  if (!form.bias.value) {
    Value zero =
        arith::ConstantOp::create(b, form.loc, b.getZeroAttr(accumulator));
    return linalg::FillOp::create(b, form.loc, zero, empty).getResult(0);
  }
  // The loops of the result alone.
  unsigned rank = form.natural.getRank();
  SmallVector<AffineExpr> loops(form.iterators.size(),
                                b.getAffineConstantExpr(0));
  for (auto [dim, expr] : llvm::enumerate(form.map.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = b.getAffineDimExpr(dim);
  AffineMap map = form.bias.map.replaceDimsAndSymbols(loops, {}, rank, 0);
  AffineMap maps[] = {map, b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value bias = emitOperand(b, form.loc, form.bias);
  return linalg::GenericOp::create(
             b, form.loc, empty.getType(), bias, empty, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(nested, loc,
                                       emitElement(nested, loc, form.bias,
                                                   arguments[0], accumulator));
             })
      .getResult(0);
}

/// Whether the payload that a named op has is the one of `form`.
static bool hasNamedPayload(const ProductForm &form) {
  for (const ProductOperand *operand : {&form.lhs, &form.rhs}) {
    auto integer = dyn_cast<IntegerType>(operand->getElementType());
    if (operand->zeroPoint != 0 || (integer && integer.getWidth() == 1))
      return false;
  }
  if (form.lhs.isUnsigned != form.rhs.isUnsigned)
    return false;
  bool takesSign =
      llvm::is_contained({ProductOpName::Matmul, ProductOpName::BatchMatmul,
                          ProductOpName::Contract},
                         form.name);
  return takesSign || !form.lhs.isUnsigned;
}

static Value emitNamed(OpBuilder &b, const ProductForm &form, ValueRange inputs,
                       Value init) {
  SmallVector<NamedAttribute> attributes;
  if (form.lhs.isUnsigned)
    attributes.push_back(b.getNamedAttr(
        "cast", linalg::TypeFnAttr::get(b.getContext(),
                                        linalg::TypeFn::cast_unsigned)));
  Type type = init.getType();
  auto strides = b.getI64TensorAttr(form.strides);
  auto dilations = b.getI64TensorAttr(form.dilations);
  auto conv = [&](auto tag) -> Value {
    using Conv = decltype(tag);
    return Conv::create(b, form.loc, type, inputs, init, strides, dilations)
        .getResult(0);
  };
  switch (form.name) {
  case ProductOpName::Matmul:
    return linalg::MatmulOp::create(b, form.loc, type, inputs, init, attributes)
        .getResult(0);
  case ProductOpName::BatchMatmul:
    return linalg::BatchMatmulOp::create(b, form.loc, type, inputs, init,
                                         attributes)
        .getResult(0);
  case ProductOpName::Contract:
    return linalg::ContractOp::create(
               b, form.loc, type, inputs, init,
               b.getAffineMapArrayAttr({form.lhs.map, form.rhs.map, form.map}),
               attributes)
        .getResult(0);
  case ProductOpName::Conv1D:
    return conv(linalg::Conv1DNcwFcwOp());
  case ProductOpName::Conv2D:
    return conv(linalg::Conv2DNchwFchwOp());
  case ProductOpName::Conv2DNhwcFhwc:
    return conv(linalg::Conv2DNhwcFhwcOp());
  case ProductOpName::Conv3D:
    return conv(linalg::Conv3DNcdhwFcdhwOp());
  case ProductOpName::Generic:
    break;
  }
  llvm_unreachable("no named op");
}

Value mlir::amp::emitProduct(OpBuilder &b, const ProductForm &form,
                             Type accumulator) {
  Value init = emitInit(b, form, accumulator);
  if (form.name != ProductOpName::Generic && hasNamedPayload(form))
    return emitNamed(b, form,
                     {emitOperand(b, form.loc, form.lhs),
                      emitOperand(b, form.loc, form.rhs)},
                     init);
  // linalg asks for each loop as a dimension of its own somewhere.
  SplitForm split = splitForm(b, form, init);
  Value lhs = emitOperand(b, form.loc, split.form.lhs);
  Value rhs = emitOperand(b, form.loc, split.form.rhs);
  AffineMap maps[] = {split.form.lhs.map, split.form.rhs.map, split.form.map};
  Value result =
      linalg::GenericOp::create(
          b, form.loc, split.result.getType(), ValueRange{lhs, rhs},
          split.result, maps, split.form.iterators,
          [&](OpBuilder &nested, Location loc, ValueRange arguments) {
            Value x =
                emitElement(nested, loc, form.lhs, arguments[0], accumulator);
            Value y =
                emitElement(nested, loc, form.rhs, arguments[1], accumulator);
            Value value = emitArithmetic(nested, form, x, y);
            if (form.kind == ProductForm::Kind::Sum) {
              if (isa<FloatType>(accumulator))
                value = arith::AddFOp::create(nested, loc, arguments[2], value);
              else
                value = arith::AddIOp::create(nested, loc, arguments[2], value);
            }
            linalg::YieldOp::create(nested, loc, value);
          })
          .getResult(0);
  if (split.resultGroups.empty())
    return result;
  return tensor::CollapseShapeOp::create(b, form.loc, init.getType(), result,
                                         split.resultGroups);
}

FailureOr<ProductForm> mlir::amp::getProductForm(OutDtypeOp op) {
  Operation *inner = op.getInnerOp();
  if (isa<linalg::LinalgOp>(inner) ||
      isa_and_present<arith::ArithDialect>(inner->getDialect()))
    return getLinalgForm(op);
  if (isa_and_present<tosa::TosaDialect>(inner->getDialect()))
    return getTosaForm(op);
  return getATenForm(op);
}
