//===- ProductForm.cpp - emits products of narrow operands ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

#include "CastEmitter.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
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

bool ProductOperand::isPadded() const {
  auto isSet = [](int64_t size) { return size != 0; };
  return llvm::any_of(low, isSet) || llvm::any_of(high, isSet);
}

int64_t ProductOperand::getSize(unsigned dim) const {
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim);
  if (ShapedType::isDynamic(size) || low.empty())
    return size;
  return low[dim] + size + high[dim];
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

/// The loops' sizes as far as they are static, and a source for each that is
/// a loop of the result.
static void findLoops(const ProductForm &form, SmallVectorImpl<int64_t> &sizes,
                      SmallVectorImpl<std::optional<LoopSource>> &sources) {
  unsigned numLoops = form.iterators.size();
  sizes.assign(numLoops, ShapedType::kDynamic);
  sources.assign(numLoops, std::nullopt);
  // First where a loop is a dimension, then where it is a part of one.
  for (bool whole : {true, false})
    for (const ProductOperand *operand : {&form.lhs, &form.rhs, &form.bias}) {
      if (!operand->value || !operand->map)
        continue;
      for (auto [dim, expr] : llvm::enumerate(operand->map.getResults())) {
        if (isa<AffineDimExpr>(expr) != whole)
          continue;
        for (unsigned d = 0; d != numLoops; ++d) {
          if (sources[d] || !expr.isFunctionOfDim(d))
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
  for (auto [dim, expr] : llvm::enumerate(form.map.getResults())) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    if (ShapedType::isDynamic(sizes[d]))
      sizes[d] = form.natural.getDimSize(dim);
  }
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
    OpFoldResult size =
        tensor::getMixedSize(b, form.loc, operand.value, sources[d]->dim);
    int64_t padding = operand.low.empty() ? 0
                                          : operand.low[sources[d]->dim] +
                                                operand.high[sources[d]->dim];
    AffineExpr s0 = b.getAffineSymbolExpr(0);
    result.push_back(affine::makeComposedFoldedAffineApply(
        b, form.loc,
        (s0 + (padding - 1 - sources[d]->rest)).floorDiv(sources[d]->stride) +
            1,
        {size}));
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

Value mlir::amp::emitOperand(OpBuilder &b, Location loc,
                             const ProductOperand &operand) {
  Value value = operand.value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  Type signless = getSignlessType(type.getElementType());
  if (signless != type.getElementType())
    value = tensor::BitcastOp::create(b, loc, type.clone(signless), value);
  if (!operand.isPadded())
    return value;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> low, high;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    shape.push_back(operand.getSize(dim));
    low.push_back(b.getIndexAttr(operand.low[dim]));
    high.push_back(b.getIndexAttr(operand.high[dim]));
  }
  TypedAttr zero = b.getZeroAttr(signless);
  if (operand.zeroPoint != 0)
    zero = b.getIntegerAttr(
        signless, APInt(signless.getIntOrFloatBitWidth(), operand.zeroPoint,
                        /*isSigned=*/true, /*implicitTrunc=*/true));
  Value padding = arith::ConstantOp::create(b, loc, zero);
  return tensor::PadOp::create(b, loc, RankedTensorType::get(shape, signless),
                               value, low, high, padding);
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
  Value lhs = emitOperand(b, form.loc, form.lhs);
  Value rhs = emitOperand(b, form.loc, form.rhs);
  Value init = emitInit(b, form, accumulator);
  if (form.name != ProductOpName::Generic && hasNamedPayload(form))
    return emitNamed(b, form, {lhs, rhs}, init);
  AffineMap maps[] = {form.lhs.map, form.rhs.map, form.map};
  return linalg::GenericOp::create(
             b, form.loc, init.getType(), ValueRange{lhs, rhs}, init, maps,
             form.iterators,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               Value x = emitElement(nested, loc, form.lhs, arguments[0],
                                     accumulator);
               Value y = emitElement(nested, loc, form.rhs, arguments[1],
                                     accumulator);
               Value value = emitArithmetic(nested, form, x, y);
               if (form.kind == ProductForm::Kind::Sum) {
                 if (isa<FloatType>(accumulator))
                   value =
                       arith::AddFOp::create(nested, loc, arguments[2], value);
                 else
                   value =
                       arith::AddIOp::create(nested, loc, arguments[2], value);
               }
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
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
