//===- TensorMaps.cpp - tensor maps of launches ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::amp;

/// The array that `name` holds, if there is one.
static bool readArray(DictionaryAttr dictionary, StringRef name,
                      SmallVectorImpl<int64_t> &values) {
  Attribute value = dictionary.get(name);
  if (!value)
    return true;
  auto array = dyn_cast<DenseI64ArrayAttr>(value);
  if (!array)
    return false;
  llvm::append_range(values, array.asArrayRef());
  return true;
}

static bool readNumber(DictionaryAttr dictionary, StringRef name,
                       int64_t &number) {
  Attribute value = dictionary.get(name);
  if (!value)
    return true;
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || !integer.getType().isInteger(64))
    return false;
  number = integer.getInt();
  return true;
}

FailureOr<TensorMapSpec>
TensorMapSpec::get(Attribute attribute,
                   function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  TensorMapSpec spec;
  bool isValid = dictionary && dictionary.get("operand") &&
                 readNumber(dictionary, "operand", spec.operand) &&
                 readNumber(dictionary, "swizzle", spec.swizzle) &&
                 readNumber(dictionary, "l2", spec.l2) &&
                 readArray(dictionary, "box", spec.box) &&
                 readArray(dictionary, "steps", spec.steps) &&
                 readArray(dictionary, "lower", spec.lower) &&
                 readArray(dictionary, "upper", spec.upper);
  if (isValid)
    for (NamedAttribute entry : dictionary)
      isValid &= llvm::is_contained(
          {"operand", "swizzle", "l2", "box", "steps", "lower", "upper"},
          entry.getName().strref());
  if (!isValid) {
    emitError() << "must have dictionaries of 'operand', 'swizzle' and 'l2' "
                   "(i64), and of 'box', 'steps', 'lower' and 'upper' (arrays "
                   "of i64), but found "
                << attribute;
    return failure();
  }
  if (spec.operand < 0) {
    emitError() << "has the operand number " << spec.operand;
    return failure();
  }
  if (!llvm::is_contained({0, 32, 64, 128}, spec.swizzle)) {
    emitError() << "has a swizzle of " << spec.swizzle
                << " bytes; expected 0, 32, 64 or 128";
    return failure();
  }
  if (!llvm::is_contained({0, 64, 128, 256}, spec.l2)) {
    emitError() << "has an L2 promotion of " << spec.l2
                << " bytes; expected 0, 64, 128 or 256";
    return failure();
  }
  if (spec.lower.size() != spec.upper.size() || spec.lower.size() > 3 ||
      (spec.isIm2col() && spec.box.size() != 2)) {
    emitError() << "needs, for im2col, the corners 'lower' and 'upper' of one "
                   "to three dimensions, and a box of channels and pixels";
    return failure();
  }
  return spec;
}

DictionaryAttr TensorMapSpec::getAttr(MLIRContext *context) const {
  Builder b(context);
  NamedAttrList entries;
  auto addArray = [&](StringRef name, ArrayRef<int64_t> values) {
    if (!values.empty())
      entries.set(name, b.getDenseI64ArrayAttr(values));
  };
  entries.set("operand", b.getI64IntegerAttr(operand));
  entries.set("swizzle", b.getI64IntegerAttr(swizzle));
  if (l2 != 256)
    entries.set("l2", b.getI64IntegerAttr(l2));
  addArray("box", box);
  addArray("steps", steps);
  addArray("lower", lower);
  addArray("upper", upper);
  return entries.getDictionary(context);
}

LogicalResult
TensorMapSpec::verify(Type type,
                      function_ref<InFlightDiagnostic()> emitError) const {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || failed(memref.getStridesAndOffset(strides, offset)))
    return emitError() << "needs a strided memref as operand " << operand
                       << ", but found " << type;
  int64_t rank = memref.getRank();
  if (!getTensorMapType(memref.getElementType()))
    return emitError() << "cannot describe elements of type "
                       << memref.getElementType();
  if (rank < 1 || rank > 5)
    return emitError() << "needs 1 to 5 dimensions, but operand " << operand
                       << " has " << rank;
  int64_t boxRank = isIm2col() ? int64_t(lower.size()) + 2 : rank;
  if (boxRank != rank || (!isIm2col() && int64_t(box.size()) != rank) ||
      (!steps.empty() && int64_t(steps.size()) != rank))
    return emitError() << "has boxes, steps or corners for another number of "
                          "dimensions than the "
                       << rank << " of operand " << operand;
  if (strides.back() != 1)
    return emitError() << "needs an innermost stride of 1, but operand "
                       << operand << " is " << type;
  int64_t bits = memref.getElementTypeBitWidth();
  for (int64_t stride : ArrayRef<int64_t>(strides).drop_back())
    if (!ShapedType::isDynamic(stride) && stride * bits % 128 != 0)
      return emitError() << "needs strides of a multiple of 16 bytes, but "
                            "operand "
                         << operand << " has one of " << stride * bits / 8;
  for (auto [d, size] : llvm::enumerate(box)) {
    int64_t limit = isIm2col() && d == 1 ? 1024 : 256;
    if (size < 1 || size > limit)
      return emitError() << "has a box of " << size
                         << " elements along dimension " << d
                         << "; expected 1 to " << limit;
  }
  for (int64_t step : steps)
    if (step < 1 || step > 8)
      return emitError() << "has a step of " << step << "; expected 1 to 8";
  int64_t row = box.front() * bits / 8;
  if (row % 16 || (swizzle && row != swizzle))
    return emitError() << "has a box of rows of " << row << " bytes; expected "
                       << (swizzle ? "the " + std::to_string(swizzle) +
                                         " of its swizzle"
                                   : std::string("a multiple of 16"));
  return success();
}

int64_t TensorMapSpec::getSwizzleCode() const {
  return swizzle == 0 ? 0 : swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3;
}

int64_t TensorMapSpec::getL2Code() const {
  return l2 == 0 ? 0 : l2 == 64 ? 1 : l2 == 128 ? 2 : 3;
}

std::optional<int64_t> mlir::amp::getTensorMapType(Type element) {
  if (element.isF16())
    return 6;
  if (element.isF32())
    return 7;
  if (element.isF64())
    return 8;
  if (element.isBF16())
    return 9;
  if (!element.isIntOrFloat())
    return std::nullopt;
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return 0;
  case 16:
    return 1;
  case 32:
    return 2;
  case 64:
    return 4;
  default:
    return std::nullopt;
  }
}
