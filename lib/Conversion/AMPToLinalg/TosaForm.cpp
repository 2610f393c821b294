//===- TosaForm.cpp - the products of tosa --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp;
using utils::IteratorType;

namespace {
/// Reads one tosa op in an amp.out_dtype.
class TosaReader : ProductReader {
public:
  explicit TosaReader(OutDtypeOp op) : ProductReader(op) {}

  FailureOr<ProductForm> read();

private:
  FailureOr<ProductOperand> getTensor(Value inner);
  /// The one number that the constant `inner` holds.
  FailureOr<int64_t> getZeroPoint(Value inner, StringRef role, Type element);
  LogicalResult setZeroPoints(ProductForm &form, Value lhs, Value rhs);
  FailureOr<ProductForm> readMatmul(tosa::MatMulOp matmul);
  /// Input, weight (whose window begins at dimension `windowAt`), bias and zero
  /// points of a convolution.
  template <typename Conv>
  LogicalResult readOperands(Conv conv, ProductForm &form, unsigned windowAt);
  /// What the bias is read by, where loop `features` is that of the features.
  AffineExpr getBias(const ProductForm &form, unsigned features);
  template <typename Conv>
  FailureOr<ProductForm> readConvolution(Conv conv);
  FailureOr<ProductForm> readTransposed(tosa::TransposeConv2DOp conv);
  FailureOr<ProductForm> readElementwise(ProductForm::Kind kind);
};
} // namespace

FailureOr<ProductOperand> TosaReader::getTensor(Value inner) {
  ProductOperand operand;
  operand.value = outer.getCapture(inner);
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  if (!type || !isAMPElementType(type.getElementType()))
    return error() << "expected ranked tensors of f64, f32, f16, bf16, an "
                      "8-bit float, or integers of 1 to 64 bits, but found "
                   << operand.value.getType();
  operand.isUnsigned = type.getElementType().isUnsignedInteger() ||
                       type.getElementType().isInteger(1);
  return operand;
}

FailureOr<int64_t> TosaReader::getZeroPoint(Value inner, StringRef role,
                                            Type element) {
  Value value = outer.getCapture(inner);
  ElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1)
    return error() << "expected " << role
                   << " to be a constant of one element, but found "
                   << value.getType() << " of another op";
  if (isa<FloatType>(elements.getElementType())) {
    if ((*elements.value_begin<APFloat>()).isZero())
      return 0;
  } else {
    APInt zeroPoint = *elements.value_begin<APInt>();
    if (isa<IntegerType>(element) || zeroPoint.isZero())
      return element.isUnsignedInteger() ? zeroPoint.getZExtValue()
                                         : zeroPoint.getSExtValue();
  }
  return error() << "expected " << role << " to be 0 for floats";
}

LogicalResult TosaReader::setZeroPoints(ProductForm &form, Value lhs,
                                        Value rhs) {
  const std::tuple<ProductOperand *, Value, StringRef> operands[] = {
      {&form.lhs, lhs, "the zero point of the first operand"},
      {&form.rhs, rhs, "the zero point of the second operand"}};
  for (auto [operand, value, role] : operands) {
    FailureOr<int64_t> zeroPoint =
        getZeroPoint(value, role, getElementTypeOrSelf(operand->value));
    if (failed(zeroPoint))
      return failure();
    operand->zeroPoint = *zeroPoint;
  }
  return success();
}

FailureOr<ProductForm> TosaReader::readMatmul(tosa::MatMulOp matmul) {
  FailureOr<ProductOperand> lhs = getTensor(matmul.getA());
  if (failed(lhs))
    return failure();
  FailureOr<ProductOperand> rhs = getTensor(matmul.getB());
  if (failed(rhs))
    return failure();
  ProductForm form(op->getLoc());
  form.lhs = *lhs;
  form.rhs = *rhs;
  if (failed(setZeroPoints(form, matmul.getAZp(), matmul.getBZp())))
    return failure();
  form.lhs.map = map(4, {loop(0), loop(1), loop(3)});
  form.rhs.map = map(4, {loop(0), loop(3), loop(2)});
  form.map = map(4, {loop(0), loop(1), loop(2)});
  form.iterators.assign(3, IteratorType::parallel);
  form.iterators.push_back(IteratorType::reduction);
  form.name = ProductOpName::BatchMatmul;
  return form;
}

template <typename Conv>
LogicalResult TosaReader::readOperands(Conv conv, ProductForm &form,
                                       unsigned windowAt) {
  FailureOr<ProductOperand> lhs = getTensor(conv.getInput());
  if (failed(lhs))
    return failure();
  FailureOr<ProductOperand> rhs = getTensor(conv.getWeight());
  if (failed(rhs))
    return failure();
  FailureOr<ProductOperand> bias = getTensor(conv.getBias());
  if (failed(bias))
    return failure();
  form.lhs = *lhs;
  form.rhs = *rhs;
  form.bias = *bias;
  unsigned spatial = conv.getStride().size();
  form.lhs.view.assign(spatial + 2, DimensionView());
  auto weightType = cast<RankedTensorType>(form.rhs.value.getType());
  for (unsigned s = 0; s != spatial; ++s)
    if (weightType.isDynamicDim(windowAt + s))
      return error() << "expected a window of static size, but the weight has "
                        "type "
                     << weightType;
  return setZeroPoints(form, conv.getInputZp(), conv.getWeightZp());
}

AffineExpr TosaReader::getBias(const ProductForm &form, unsigned features) {
  bool spreads =
      cast<RankedTensorType>(form.bias.value.getType()).getDimSize(0) == 1;
  return spreads ? b.getAffineConstantExpr(0) : loop(features);
}

template <typename Conv>
FailureOr<ProductForm> TosaReader::readConvolution(Conv conv) {
  constexpr bool isDepthwise = std::is_same_v<Conv, tosa::DepthwiseConv2DOp>;
  ProductForm form(op->getLoc());
  if (failed(readOperands(conv, form, isDepthwise ? 0 : 1)))
    return failure();
  unsigned spatial = conv.getStride().size();
  auto weightType = cast<RankedTensorType>(form.rhs.value.getType());
  int64_t multiplier = 1;
  if (isDepthwise) {
    multiplier = weightType.getDimSize(3);
    if (ShapedType::isDynamic(multiplier))
      return error() << "expected a static channel multiplier, but the weight "
                        "has type "
                     << weightType;
  }

  // (n, o..., f, k..., c): the result's loops, the window's, the channels'.
  // Depthwise, a feature reads one channel, and there is no loop over them.
  unsigned f = 1 + spatial, window = f + 1, c = window + spatial;
  unsigned loops = isDepthwise ? c : c + 1;
  SmallVector<AffineExpr> input{loop(0)}, weight, result{loop(0)};
  if (!isDepthwise)
    weight.push_back(loop(f));
  for (unsigned s = 0; s != spatial; ++s) {
    input.push_back(loop(1 + s) * conv.getStride()[s] +
                    loop(window + s) * conv.getDilation()[s]);
    weight.push_back(loop(window + s));
    result.push_back(loop(1 + s));
    form.lhs.view[1 + s].low = conv.getPad()[2 * s];
    form.lhs.view[1 + s].high = conv.getPad()[2 * s + 1];
  }
  if (isDepthwise) {
    input.push_back(loop(f).floorDiv(multiplier));
    weight.push_back(loop(f).floorDiv(multiplier));
    weight.push_back(loop(f) % multiplier);
  } else {
    input.push_back(loop(c));
    weight.push_back(loop(c));
  }
  result.push_back(loop(f));
  form.lhs.map = map(loops, input);
  form.rhs.map = map(loops, weight);
  form.map = map(loops, result);
  form.bias.map = map(loops, {getBias(form, f)});
  form.iterators.assign(spatial + 2, IteratorType::parallel);
  form.iterators.append(loops - spatial - 2, IteratorType::reduction);
  llvm::append_range(form.strides, conv.getStride());
  llvm::append_range(form.dilations, conv.getDilation());
  if (!isDepthwise && spatial == 2)
    form.name = ProductOpName::Conv2DNhwcFhwc;
  return form;
}

/// A convolution of the input spread by the strides, with the window turned
/// around. The loops are those of tosa.conv2d.
FailureOr<ProductForm>
TosaReader::readTransposed(tosa::TransposeConv2DOp conv) {
  ProductForm form(op->getLoc());
  if (failed(readOperands(conv, form, 1)))
    return failure();
  auto weightType = cast<RankedTensorType>(form.rhs.value.getType());
  form.rhs.view.assign(4, DimensionView());
  for (unsigned s : {0u, 1u}) {
    int64_t reach = weightType.getDimSize(1 + s) - 1;
    DimensionView &view = form.lhs.view[1 + s];
    view.stride = conv.getStride()[s];
    view.low = reach + conv.getOutPad()[2 * s];
    view.high = reach + conv.getOutPad()[2 * s + 1];
    form.rhs.view[1 + s].isTurned = true;
  }
  form.lhs.map =
      map(7, {loop(0), loop(1) + loop(4), loop(2) + loop(5), loop(6)});
  form.rhs.map = map(7, {loop(3), loop(4), loop(5), loop(6)});
  form.bias.map = map(7, {getBias(form, 3)});
  form.map = map(7, {loop(0), loop(1), loop(2), loop(3)});
  form.iterators.assign(4, IteratorType::parallel);
  form.iterators.append(3, IteratorType::reduction);
  return form;
}

FailureOr<ProductForm> TosaReader::readElementwise(ProductForm::Kind kind) {
  if (auto mul = dyn_cast<tosa::MulOp>(op)) {
    FailureOr<int64_t> shift =
        getZeroPoint(mul.getShift(), "the shift", b.getI8Type());
    if (failed(shift))
      return failure();
    if (*shift != 0)
      return error() << "a product with a shift has no other result type: "
                        "expected shift 0, but found "
                     << *shift;
  }
  ProductForm form(op->getLoc(), kind);
  RankedTensorType result = natural();
  for (auto [index, operand] : {std::pair(0u, &form.lhs), {1u, &form.rhs}}) {
    FailureOr<ProductOperand> tensor = getTensor(op->getOperand(index));
    if (failed(tensor))
      return failure();
    *operand = *tensor;
    auto type = cast<RankedTensorType>(operand->value.getType());
    if (type.getRank() != result.getRank())
      return error() << "expected operands of rank " << result.getRank()
                     << ", as the result, but found " << type;
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d != type.getRank(); ++d)
      exprs.push_back(type.getDimSize(d) == 1 && result.getDimSize(d) != 1
                          ? b.getAffineConstantExpr(0)
                          : loop(d));
    operand->map = map(result.getRank(), exprs);
  }
  form.map = b.getMultiDimIdentityMap(result.getRank());
  form.iterators.assign(result.getRank(), IteratorType::parallel);
  return form;
}

FailureOr<ProductForm> TosaReader::read() {
  auto form =
      llvm::TypeSwitch<Operation *, FailureOr<ProductForm>>(op)
          .Case([&](tosa::MatMulOp matmul) { return readMatmul(matmul); })
          .Case<tosa::Conv2DOp, tosa::DepthwiseConv2DOp, tosa::Conv3DOp>(
              [&](auto conv) { return readConvolution(conv); })
          .Case([&](tosa::TransposeConv2DOp conv) {
            return readTransposed(conv);
          })
          .Case([&](tosa::MulOp) {
            return readElementwise(ProductForm::Kind::Multiply);
          })
          .Case([&](tosa::IntDivOp) {
            return readElementwise(ProductForm::Kind::Divide);
          })
          .Default(
              [&](Operation *) -> FailureOr<ProductForm> {
                return error()
                       << "has no lowering to linalg: expected tosa.matmul, "
                          "tosa.conv2d, tosa.depthwise_conv2d, "
                          "tosa.conv3d, tosa.transpose_conv2d, tosa.mul or "
                          "tosa.intdiv";
              });
  if (failed(form))
    return failure();
  form->natural = natural();
  if (!isAMPElementType(form->natural.getElementType()))
    return error() << "has a result of type " << form->natural;
  if (failed(verifyProductShapes(op, *form)))
    return failure();
  return form;
}

FailureOr<ProductForm> mlir::amp::getTosaForm(OutDtypeOp op) {
  return TosaReader(op).read();
}
