//===- ATenForm.cpp - the products of ATen --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductForm.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::amp;
using utils::IteratorType;

namespace {
/// Reads one ATen op in an amp.out_dtype.
class ATenReader : ProductReader {
public:
  explicit ATenReader(OutDtypeOp op) : ProductReader(op) {
    name = this->op->getName().getStringRef();
    name.consume_front("torch.");
    name.consume_front("aten.");
    base = name.split('.').first;
  }

  FailureOr<ProductForm> read();

private:
  ProductForm makeForm(ProductForm::Kind kind) {
    return ProductForm(op->getLoc(), kind);
  }
  /// Operand number `index` as a tensor of rank `rank` (-1: any).
  FailureOr<ProductOperand> getTensor(unsigned index, StringRef role,
                                      int64_t rank);
  LogicalResult checkOperands(unsigned least, unsigned most, StringRef what);
  LogicalResult checkAttributes(ArrayRef<StringRef> known);
  /// The list of `count` integers called `attribute`; one number stands for
  /// `count` equal ones.
  FailureOr<SmallVector<int64_t>> getInts(StringRef attribute, unsigned count,
                                          int64_t byDefault, int64_t least);
  FailureOr<ProductForm> readMatmul(bool batched);
  FailureOr<ProductForm> readLinear();
  FailureOr<ProductForm> readConvolution(int64_t spatial, bool general);
  FailureOr<ProductForm> readElementwise(ProductForm::Kind kind);
  /// The second operand of an elementwise op, if it is no tensor.
  FailureOr<ProductOperand> getScalar();
  FailureOr<AffineMap> getBroadcastMap(Value value);

  StringRef name, base;
};
} // namespace

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

FailureOr<ProductOperand> ATenReader::getTensor(unsigned index, StringRef role,
                                                int64_t rank) {
  ProductOperand operand;
  operand.value = outer.getCapture(op->getOperand(index));
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  if (!type || (rank >= 0 && type.getRank() != rank)) {
    InFlightDiagnostic diag = error() << "expected " << role << " to be a ";
    diag << "ranked tensor";
    if (rank >= 0)
      diag << " of rank " << rank;
    return diag << ", but found " << operand.value.getType();
  }
  if (!isAMPElementType(type.getElementType()))
    return error() << role << " has element type " << type.getElementType()
                   << ", but expected f64, f32, f16, bf16, an 8-bit float, or "
                      "an integer of 1 to 64 bits";
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  operand.isUnsigned =
      integer && (integer.isUnsigned() || integer.getWidth() == 1);
  return operand;
}

LogicalResult ATenReader::checkOperands(unsigned least, unsigned most,
                                        StringRef what) {
  unsigned found = op->getNumOperands();
  if (found >= least && found <= most)
    return success();
  return error() << "expected " << what << ", but found " << found
                 << " operands";
}

LogicalResult ATenReader::checkAttributes(ArrayRef<StringRef> known) {
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName().getValue();
    // Attributes of dialects say nothing about the op's own parameters.
    if (name.contains('.') || name == "operandSegmentSizes" ||
        llvm::is_contained(known, name))
      continue;
    InFlightDiagnostic diag = error()
                              << "the attribute '" << name
                              << "' is no parameter of it that can be lowered; "
                                 "expected ";
    if (known.empty())
      diag << "none";
    llvm::interleaveComma(known, diag,
                          [&](StringRef text) { diag << "'" << text << "'"; });
    return diag;
  }
  return success();
}

FailureOr<SmallVector<int64_t>> ATenReader::getInts(StringRef attribute,
                                                    unsigned count,
                                                    int64_t byDefault,
                                                    int64_t least) {
  SmallVector<int64_t> values;
  Attribute value = op->getAttr(attribute);
  if (!value)
    return SmallVector<int64_t>(count, byDefault);
  bool isList = true;
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    values.push_back(integer.getInt());
  } else if (auto dense = dyn_cast<DenseI64ArrayAttr>(value)) {
    llvm::append_range(values, dense.asArrayRef());
  } else if (auto dense = dyn_cast<DenseI32ArrayAttr>(value)) {
    llvm::append_range(values, dense.asArrayRef());
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(value)) {
    for (const APInt &element : dense)
      values.push_back(element.getSExtValue());
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    for (Attribute element : list)
      if (auto integer = dyn_cast<IntegerAttr>(element))
        values.push_back(integer.getInt());
      else
        isList = false;
  } else {
    isList = false;
  }
  if (isList && values.size() == 1)
    values.resize(count, values.front());
  bool inRange = llvm::all_of(
      values, [&](int64_t v) { return v >= least && v <= (1 << 30); });
  if (!isList || values.size() != count || !inRange)
    return error() << "expected '" << attribute << "' to be " << count
                   << (count == 1 ? " integer" : " integers") << " of at least "
                   << least << ", but found " << value;
  return values;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

FailureOr<ProductForm> ATenReader::readMatmul(bool batched) {
  if (failed(checkOperands(2, 2, "two matrices")) ||
      failed(checkAttributes({})))
    return failure();
  int64_t rank = batched ? 3 : 2;
  FailureOr<ProductOperand> lhs = getTensor(0, "the first operand", rank);
  if (failed(lhs))
    return failure();
  FailureOr<ProductOperand> rhs = getTensor(1, "the second operand", rank);
  if (failed(rhs))
    return failure();
  ProductForm form = makeForm(ProductForm::Kind::Sum);
  form.lhs = *lhs;
  form.rhs = *rhs;
  if (batched) {
    form.lhs.map = map(4, {loop(0), loop(1), loop(3)});
    form.rhs.map = map(4, {loop(0), loop(3), loop(2)});
    form.map = map(4, {loop(0), loop(1), loop(2)});
    form.name = ProductOpName::BatchMatmul;
  } else {
    form.lhs.map = map(3, {loop(0), loop(2)});
    form.rhs.map = map(3, {loop(2), loop(1)});
    form.map = map(3, {loop(0), loop(1)});
    form.name = ProductOpName::Matmul;
  }
  form.iterators.assign(rank, IteratorType::parallel);
  form.iterators.push_back(IteratorType::reduction);
  return form;
}

FailureOr<ProductForm> ATenReader::readLinear() {
  if (failed(checkOperands(2, 3, "an input, a weight, and maybe a bias")) ||
      failed(checkAttributes({})))
    return failure();
  FailureOr<ProductOperand> lhs = getTensor(0, "the input", -1);
  if (failed(lhs))
    return failure();
  FailureOr<ProductOperand> rhs = getTensor(1, "the weight", 2);
  if (failed(rhs))
    return failure();
  int64_t rank = cast<RankedTensorType>(lhs->value.getType()).getRank();
  if (rank < 1)
    return error() << "expected the input to have at least one dimension";
  // (other dimensions of the input, out features, in features)
  ProductForm form = makeForm(ProductForm::Kind::Sum);
  form.lhs = *lhs;
  form.rhs = *rhs;
  unsigned loops = rank + 1;
  SmallVector<AffineExpr> input, result;
  for (int64_t d = 0; d + 1 < rank; ++d) {
    input.push_back(loop(d));
    result.push_back(loop(d));
  }
  input.push_back(loop(rank));
  result.push_back(loop(rank - 1));
  form.lhs.map = map(loops, input);
  form.rhs.map = map(loops, {loop(rank - 1), loop(rank)});
  form.map = map(loops, result);
  form.iterators.assign(rank, IteratorType::parallel);
  form.iterators.push_back(IteratorType::reduction);
  form.name = ProductOpName::Contract;
  if (op->getNumOperands() == 3) {
    FailureOr<ProductOperand> bias = getTensor(2, "the bias", 1);
    if (failed(bias))
      return failure();
    form.bias = *bias;
    form.bias.map = map(loops, {loop(rank - 1)});
  }
  return form;
}

FailureOr<ProductForm> ATenReader::readConvolution(int64_t spatial,
                                                   bool general) {
  if (failed(checkOperands(2, 3, "an input, a weight, and maybe a bias")))
    return failure();
  FailureOr<ProductOperand> lhs =
      getTensor(0, "the input", general ? -1 : spatial + 2);
  if (failed(lhs))
    return failure();
  int64_t rank = cast<RankedTensorType>(lhs->value.getType()).getRank();
  if (rank < 3 || rank > 5)
    return error() << "expected the input to have rank 3, 4 or 5 (batch, "
                      "channels, and 1 to 3 dimensions of space), but found "
                   << lhs->value.getType();
  spatial = rank - 2;
  FailureOr<ProductOperand> rhs = getTensor(1, "the weight", rank);
  if (failed(rhs) ||
      failed(
          general
              ? checkAttributes({"stride", "padding", "dilation", "transposed",
                                 "output_padding", "groups"})
              : checkAttributes({"stride", "padding", "dilation", "groups"})))
    return failure();
  auto transposedAttr = op->getAttrOfType<BoolAttr>("transposed");
  bool isTransposed = transposedAttr && transposedAttr.getValue();
  if (isa_and_present<StringAttr>(op->getAttr("padding")))
    return error() << "expected 'padding' to be " << spatial
                   << " integers, but found a name: write the numbers that it "
                      "stands for";
  FailureOr<SmallVector<int64_t>> strides = getInts("stride", spatial, 1, 1);
  if (failed(strides))
    return failure();
  FailureOr<SmallVector<int64_t>> padding = getInts("padding", spatial, 0, 0);
  if (failed(padding))
    return failure();
  FailureOr<SmallVector<int64_t>> dilations =
      getInts("dilation", spatial, 1, 1);
  if (failed(dilations))
    return failure();
  FailureOr<SmallVector<int64_t>> extra =
      getInts("output_padding", spatial, 0, 0);
  if (failed(extra))
    return failure();
  if (!isTransposed &&
      llvm::any_of(*extra, [](int64_t size) { return size != 0; }))
    return error() << "'output_padding' is for transposed convolutions only: "
                      "expected zeros";
  for (auto [size, stride, dilation] :
       llvm::zip_equal(*extra, *strides, *dilations))
    if (size != 0 && size >= std::max(stride, dilation))
      return error() << "expected 'output_padding' to be less than the stride "
                        "or the dilation, but found "
                     << size << " with stride " << stride << " and dilation "
                     << dilation;
  FailureOr<SmallVector<int64_t>> groupList = getInts("groups", 1, 1, 1);
  if (failed(groupList))
    return failure();
  int64_t groups = groupList->front();

  auto inputType = cast<RankedTensorType>(lhs->value.getType());
  auto weightType = cast<RankedTensorType>(rhs->value.getType());
  // The weight is [out, in / groups, ...], transposed [in, out / groups, ...].
  int64_t features = weightType.getDimSize(0),
          channels = weightType.getDimSize(1);
  for (int64_t s = 0; s != spatial; ++s)
    if (weightType.isDynamicDim(2 + s))
      return error() << "expected a window of static size, but the weight has "
                        "type "
                     << weightType;
  if (groups != 1) {
    if (ShapedType::isDynamic(features) || ShapedType::isDynamic(channels) ||
        inputType.isDynamicDim(1) ||
        (isTransposed && natural().isDynamicDim(1)))
      return error() << "expected static numbers of channels for groups = "
                     << groups << ", but found " << inputType << " and "
                     << weightType;
    if (isTransposed) {
      std::swap(features, channels);
      if (channels % groups == 0)
        channels /= groups;
      features *= groups;
    }
    if (features % groups != 0 || inputType.getDimSize(1) != channels * groups)
      return error() << "the channels do not divide into " << groups
                     << " groups: the input has " << inputType.getDimSize(1)
                     << ", the weight " << features << " out and " << channels
                     << " in per group";
  }

  if (isTransposed && groups != 1 && natural().getDimSize(1) != features)
    return error() << "dimension 1 of the result has "
                   << natural().getDimSize(1)
                   << " elements, but the weight gives " << features;

  // (n, f, o..., c, k...): the result's loops, then the window's.
  ProductForm form = makeForm(ProductForm::Kind::Sum);
  form.lhs = *lhs;
  form.rhs = *rhs;
  unsigned loops = 2 * rank - 1, c = rank;
  AffineExpr channel = loop(c), feature = loop(1);
  if (groups != 1) {
    channel = loop(1).floorDiv(features / groups) * channels + channel;
    feature = loop(1) % (features / groups);
  }
  SmallVector<AffineExpr> input{loop(0), channel}, weight{loop(1), loop(c)};
  if (isTransposed)
    weight = {channel, feature};
  SmallVector<AffineExpr> result{loop(0), loop(1)};
  form.lhs.view.assign(rank, DimensionView());
  if (isTransposed)
    form.rhs.view = form.lhs.view;
  for (int64_t s = 0; s != spatial; ++s) {
    AffineExpr window = loop(c + 1 + s);
    AffineExpr position = loop(2 + s);
    weight.push_back(window);
    result.push_back(position);
    DimensionView &view = form.lhs.view[2 + s];
    view.low = view.high = (*padding)[s];
    if (isTransposed) {
      // A convolution of the input spread by the strides, with the window
      // turned around; padding takes away from what reaches beyond the input.
      int64_t reach = (weightType.getDimSize(2 + s) - 1) * (*dilations)[s];
      view.stride = (*strides)[s];
      view.low = reach - (*padding)[s];
      view.high = view.low + (*extra)[s];
      form.rhs.view[2 + s].isTurned = true;
    } else {
      position = position * (*strides)[s];
    }
    input.push_back(position + window * (*dilations)[s]);
  }
  form.lhs.map = map(loops, input);
  form.rhs.map = map(loops, weight);
  form.map = map(loops, result);
  form.iterators.assign(rank, IteratorType::parallel);
  form.iterators.append(rank - 1, IteratorType::reduction);
  form.strides = *strides;
  form.dilations = *dilations;
  if (groups == 1 && !isTransposed)
    form.name = spatial == 1   ? ProductOpName::Conv1D
                : spatial == 2 ? ProductOpName::Conv2D
                               : ProductOpName::Conv3D;
  if (op->getNumOperands() == 3) {
    FailureOr<ProductOperand> bias = getTensor(2, "the bias", 1);
    if (failed(bias))
      return failure();
    form.bias = *bias;
    form.bias.map = map(loops, {loop(1)});
  }
  return form;
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

FailureOr<ProductOperand> ATenReader::getScalar() {
  ProductOperand operand;
  operand.isWeak = true;
  operand.map = AffineMap::get(natural().getRank(), 0, b.getContext());
  if (op->getNumOperands() == 2) {
    operand.value = outer.getCapture(op->getOperand(1));
  } else {
    auto value = op->getAttrOfType<TypedAttr>("other");
    if (!isa_and_present<FloatAttr, IntegerAttr>(value))
      return error() << "expected a second operand, or a number as the "
                        "attribute 'other'";
    OpBuilder before(outer);
    operand.value = arith::ConstantOp::materialize(
        before, value, value.getType(), op->getLoc());
    if (!operand.value)
      return error() << "expected 'other' to be a float or a signless integer, "
                        "but found "
                     << value;
  }
  Type type = operand.value.getType();
  if (!isAMPElementType(type))
    return error() << "expected the scalar to be a float or an integer, but "
                      "found "
                   << type;
  operand.isUnsigned = type.isInteger(1) || type.isUnsignedInteger();
  return operand;
}

FailureOr<AffineMap> ATenReader::getBroadcastMap(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType result = natural();
  if (type.getRank() > result.getRank())
    return error() << "the operand of type " << type
                   << " has more dimensions than the result, " << result;
  SmallVector<AffineExpr> exprs;
  int64_t shift = result.getRank() - type.getRank();
  for (int64_t d = 0; d != type.getRank(); ++d) {
    bool spreads = type.getDimSize(d) == 1 && result.getDimSize(d + shift) != 1;
    exprs.push_back(spreads ? b.getAffineConstantExpr(0) : loop(d + shift));
  }
  return map(result.getRank(), exprs);
}

FailureOr<ProductForm> ATenReader::readElementwise(ProductForm::Kind kind) {
  if (failed(checkOperands(1, 2, "one or two operands")) ||
      failed(checkAttributes({"other"})))
    return failure();
  bool isScalar = op->getNumOperands() == 1 ||
                  !isa<ShapedType>(op->getOperand(1).getType());
  if (name.ends_with(".Tensor") && isScalar)
    return error() << "expected two tensors, but the second operand is a "
                      "scalar: write '"
                   << base << ".Scalar'";
  if (name.ends_with(".Scalar") && !isScalar)
    return error() << "expected a scalar as the second operand, but found "
                   << op->getOperand(1).getType();
  FailureOr<ProductOperand> lhs = getTensor(0, "the first operand", -1);
  if (failed(lhs))
    return failure();
  FailureOr<ProductOperand> rhs =
      isScalar ? getScalar() : getTensor(1, "the second operand", -1);
  if (failed(rhs))
    return failure();
  ProductForm form = makeForm(kind);
  form.lhs = *lhs;
  form.rhs = *rhs;
  for (ProductOperand *operand : {&form.lhs, &form.rhs}) {
    if (operand->map)
      continue;
    FailureOr<AffineMap> broadcast = getBroadcastMap(operand->value);
    if (failed(broadcast))
      return failure();
    operand->map = *broadcast;
  }
  unsigned rank = natural().getRank();
  form.map = b.getMultiDimIdentityMap(rank);
  form.iterators.assign(rank, IteratorType::parallel);
  form.isTrueDivision = kind == ProductForm::Kind::Divide;
  return form;
}

FailureOr<ProductForm> ATenReader::read() {
  if (op->getNumRegions() != 0)
    return error() << "has regions, which no ATen op has";
  auto kind =
      base == "div" ? ProductForm::Kind::Divide : ProductForm::Kind::Multiply;
  FailureOr<ProductForm> form = failure();
  if (base == "mm" || base == "bmm")
    form = readMatmul(base == "bmm");
  else if (base == "linear")
    form = readLinear();
  else if (base == "convolution")
    form = readConvolution(0, /*general=*/true);
  else if (base.starts_with("conv"))
    form = readConvolution(base[4] - '0', /*general=*/false);
  else
    form = readElementwise(kind);
  if (failed(form))
    return failure();
  form->natural = natural();
  if (form->map.getNumResults() != unsigned(form->natural.getRank()))
    return error() << "expected a result of rank " << form->map.getNumResults()
                   << ", but found " << form->natural;
  if (!isAMPElementType(form->natural.getElementType()))
    return error() << "has a result of type " << form->natural;
  if (failed(verifyProductShapes(op, *form)))
    return failure();
  return form;
}

FailureOr<ProductForm> mlir::amp::getATenForm(OutDtypeOp op) {
  return ATenReader(op).read();
}
