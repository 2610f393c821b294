//===- ConstantRange.cpp - the numbers in constants -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/ConstantRange.h"

#include "amp/Policy/OpFunctions.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/Endian.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// FormatLimits
//===----------------------------------------------------------------------===//

static double toDouble(APFloat value) {
  bool lost;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToDouble();
}

FormatLimits::FormatLimits(Type type) : type(type) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  largest = toDouble(APFloat::getLargest(semantics));
  smallestNormal = toDouble(APFloat::getSmallestNormalized(semantics));
  smallest = toDouble(APFloat::getSmallest(semantics));
  precision = APFloat::semanticsPrecision(semantics);
  // Half way to the next number that there would be; ties go to even, away.
  double spacing = std::ldexp(1.0, std::ilogb(largest) - int(precision) + 1);
  overflow = largest + spacing / 2;
  // Ties go to zero.
  underflow = smallest / 2;
}

double FormatLimits::getMagnitudeOfSpacing(double spacing) const {
  return std::ldexp(spacing, int(precision) - 1);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

namespace {
class Counter {
public:
  explicit Counter(const FormatLimits &limits) : limits(limits) {}

  void add(double value, uint64_t times = 1) {
    range.count += times;
    if (std::isnan(value)) {
      range.nan += times;
      return;
    }
    if (std::isinf(value)) {
      (value > 0 ? range.positiveInf : range.negativeInf) += times;
      return;
    }
    range.min = hasFinite ? std::min(range.min, value) : value;
    range.max = hasFinite ? std::max(range.max, value) : value;
    hasFinite = true;
    double magnitude = std::fabs(value);
    range.absMax = std::max(range.absMax, magnitude);
    if (magnitude == 0)
      return;
    range.nonzero += times;
    if (magnitude >= limits.overflow)
      range.overflow += times;
    else if (magnitude <= limits.underflow)
      range.underflow += times;
    else if (magnitude < limits.smallestNormal)
      range.subnormal += times;
  }

  ConstantRange range;

private:
  const FormatLimits &limits;
  bool hasFinite = false;
};
} // namespace

/// One number of `elementType` in the low bits of `bits`.
static double decode(uint64_t bits, Type elementType) {
  unsigned width = elementType.getIntOrFloatBitWidth();
  APInt value(64, bits);
  if (auto type = dyn_cast<FloatType>(elementType))
    return toDouble(APFloat(type.getFloatSemantics(), value.trunc(width)));
  return elementType.isUnsignedInteger()
             ? value.trunc(width).roundToDouble(/*isSigned=*/false)
             : value.trunc(width).signedRoundToDouble();
}

/// Counts the little-endian numbers in `data`, which are of whole bytes.
static bool addBytes(Counter &counter, ArrayRef<char> data, Type elementType) {
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width % 8 != 0 || width > 64)
    return false;
  size_t size = width / 8;
  // Weights are mostly f32, and many.
  if (elementType.isF32()) {
    for (size_t at = 0; at + size <= data.size(); at += size)
      counter.add(llvm::bit_cast<float>(
          llvm::support::endian::read32le(data.data() + at)));
    return true;
  }
  for (size_t at = 0; at + size <= data.size(); at += size) {
    uint64_t bits = 0;
    for (size_t byte = 0; byte != size; ++byte)
      bits |= uint64_t(uint8_t(data[at + byte])) << (8 * byte);
    counter.add(decode(bits, elementType));
  }
  return true;
}

std::optional<ConstantRange>
mlir::amp::getConstantRange(Attribute value, const FormatLimits &limits) {
  Counter counter(limits);
  if (auto number = dyn_cast_or_null<FloatAttr>(value)) {
    counter.add(toDouble(number.getValue()));
    return counter.range;
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(value)) {
    counter.add(number.getType().isUnsignedInteger()
                    ? number.getValue().roundToDouble(/*isSigned=*/false)
                    : number.getValue().signedRoundToDouble());
    return counter.range;
  }
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements || !elements.getElementType().isIntOrFloat())
    return std::nullopt;
  Type elementType = elements.getElementType();
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat()) {
      Attribute splat = dense.getSplatValue<Attribute>();
      double number = isa<FloatAttr>(splat)
                          ? toDouble(cast<FloatAttr>(splat).getValue())
                          : decode(cast<IntegerAttr>(splat)
                                       .getValue()
                                       .zextOrTrunc(64)
                                       .getZExtValue(),
                                   elementType);
      counter.add(number, dense.getNumElements());
      return counter.range;
    }
    if (elementType.getIntOrFloatBitWidth() % 8 == 0 &&
        llvm::endianness::native == llvm::endianness::little) {
      addBytes(counter, dense.getRawData(), elementType);
      return counter.range;
    }
    if (isa<FloatType>(elementType))
      for (const APFloat &number : dense.getValues<APFloat>())
        counter.add(toDouble(number));
    else
      for (const APInt &number : dense.getValues<APInt>())
        counter.add(decode(number.zextOrTrunc(64).getZExtValue(), elementType));
    return counter.range;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || !addBytes(counter, blob->getData(), elementType))
    return std::nullopt;
  return counter.range;
}

Attribute mlir::amp::getConstant(Value value) {
  Operation *producer = traceValue(value, TracedCasts::exact).getDefiningOp();
  if (!producer)
    return {};
  Attribute constant;
  if (matchPattern(producer, m_Constant(&constant)))
    return constant;
  // A resource is no ElementsAttr that folds; and ops of unregistered dialects
  // that hold a constant do so under this name.
  return producer->getNumOperands() == 0 && producer->getNumResults() == 1
             ? producer->getAttrOfType<ElementsAttr>("value")
             : ElementsAttr();
}
