//===- Elements.cpp - elements of arrays, by MLIR type --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Elements.h"

#include "amp/Runtime/Model.h"
#include "amp/Support/Errors.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::amp;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::Expected;

std::optional<NumpyType> mlir::amp::getNumpyType(Type type) {
  if (isa<IndexType>(type))
    return NumpyType::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return NumpyType::Bool;
    case 8:
      return isUnsigned ? NumpyType::U8 : NumpyType::I8;
    case 16:
      return isUnsigned ? NumpyType::U16 : NumpyType::I16;
    case 32:
      return isUnsigned ? NumpyType::U32 : NumpyType::I32;
    case 64:
      return isUnsigned ? NumpyType::U64 : NumpyType::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF64())
    return NumpyType::F64;
  if (type.isF32())
    return NumpyType::F32;
  if (type.isF16())
    return NumpyType::F16;
  if (type.isBF16())
    return NumpyType::BF16;
  if (auto floating = dyn_cast<FloatType>(type))
    if (floating.getWidth() == 8)
      return NumpyType::Raw8;
  return std::nullopt;
}

int32_t mlir::amp::getRuntimeDtype(Type type) {
  if (isa<IndexType>(type))
    return AMP_I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return AMP_I1;
    case 8:
      return isUnsigned ? AMP_U8 : AMP_I8;
    case 16:
      return isUnsigned ? AMP_U16 : AMP_I16;
    case 32:
      return isUnsigned ? AMP_U32 : AMP_I32;
    default:
      return isUnsigned ? AMP_U64 : AMP_I64;
    }
  }
  return TypeSwitch<Type, int32_t>(type)
      .Case([](Float64Type) { return AMP_F64; })
      .Case([](Float32Type) { return AMP_F32; })
      .Case([](Float16Type) { return AMP_F16; })
      .Case([](BFloat16Type) { return AMP_BF16; })
      .Case([](Float8E4M3FNType) { return AMP_F8E4M3FN; })
      .Case([](Float8E5M2Type) { return AMP_F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return AMP_F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return AMP_F8E5M2FNUZ; })
      .Case([](Float8E4M3B11FNUZType) { return AMP_F8E4M3B11FNUZ; })
      .Case([](Float8E4M3Type) { return AMP_F8E4M3; })
      .Case([](Float8E3M4Type) { return AMP_F8E3M4; })
      .Case([](Float8E8M0FNUType) { return AMP_F8E8M0FNU; });
}

bool mlir::amp::holdsElements(NumpyType found, Type type) {
  if (getNumpyType(type) == found)
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || !integer.isSignless() || integer.getWidth() == 1)
    return false;
  return getNumpyType(IntegerType::get(type.getContext(), integer.getWidth(),
                                       IntegerType::Unsigned)) == found;
}

/// The semantics of the elements of `array`, or null for integers. Only an
/// unnamed 8-bit format needs `type` to be known.
static const llvm::fltSemantics *getSemantics(NumpyType found, Type type) {
  switch (found) {
  case NumpyType::F16:
    return &APFloat::IEEEhalf();
  case NumpyType::BF16:
    return &APFloat::BFloat();
  case NumpyType::F32:
    return &APFloat::IEEEsingle();
  case NumpyType::F64:
    return &APFloat::IEEEdouble();
  case NumpyType::Raw8:
    return &cast<FloatType>(type).getFloatSemantics();
  default:
    return nullptr;
  }
}

static bool isSigned(NumpyType type) {
  return type == NumpyType::I8 || type == NumpyType::I16 ||
         type == NumpyType::I32 || type == NumpyType::I64;
}

/// Element `i` of `array` as a bit pattern.
static uint64_t getBits(const NumpyArray &array, int64_t i) {
  unsigned width = getByteWidth(array.getType());
  uint64_t bits = 0;
  // Hosts are little-endian, as the files are.
  std::memcpy(&bits, array.getData().data() + i * width, width);
  return bits;
}

static void setBits(NumpyArray &array, int64_t i, uint64_t bits) {
  unsigned width = getByteWidth(array.getType());
  std::memcpy(array.getMutableData().data() + i * width, &bits, width);
}

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

template <typename T>
static std::vector<double> widen(const NumpyArray &array) {
  auto *data = reinterpret_cast<const T *>(array.getData().data());
  return std::vector<double>(data, data + array.getNumElements());
}

/// For floats of at most 16 bits: every pattern is decoded once.
static std::vector<double> widenByTable(const NumpyArray &array,
                                        const llvm::fltSemantics &semantics) {
  unsigned bits = getByteWidth(array.getType()) * 8;
  std::vector<double> table(size_t(1) << bits);
  for (size_t pattern = 0; pattern < table.size(); ++pattern)
    table[pattern] = toDouble(APFloat(semantics, APInt(bits, pattern)));
  std::vector<double> values(array.getNumElements());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = table[getBits(array, i)];
  return values;
}

std::vector<double> mlir::amp::toDoubles(const NumpyArray &array, Type type) {
  // A signless integer may be held as an unsigned one; it is read as the file
  // says.
  switch (array.getType()) {
  case NumpyType::Bool:
  case NumpyType::U8:
    return widen<uint8_t>(array);
  case NumpyType::U16:
    return widen<uint16_t>(array);
  case NumpyType::U32:
    return widen<uint32_t>(array);
  case NumpyType::U64:
    return widen<uint64_t>(array);
  case NumpyType::I8:
    return widen<int8_t>(array);
  case NumpyType::I16:
    return widen<int16_t>(array);
  case NumpyType::I32:
    return widen<int32_t>(array);
  case NumpyType::I64:
    return widen<int64_t>(array);
  case NumpyType::F32:
    return widen<float>(array);
  case NumpyType::F64:
    return widen<double>(array);
  case NumpyType::F16:
  case NumpyType::BF16:
  case NumpyType::Raw8:
    return widenByTable(array, *getSemantics(array.getType(), type));
  }
  llvm_unreachable("covered switch");
}

/// Puts `value` into element `i` of `array`, of `type`. False where an integer
/// type does not hold it.
static bool setFloat(NumpyArray &array, int64_t i, APFloat value, Type type) {
  bool isExact = true;
  if (auto *semantics = getSemantics(array.getType(), type)) {
    value.convert(*semantics, APFloat::rmNearestTiesToEven, &isExact);
    setBits(array, i, value.bitcastToAPInt().getZExtValue());
    return true;
  }
  unsigned width = array.getType() == NumpyType::Bool
                       ? 1
                       : getByteWidth(array.getType()) * 8;
  APSInt integer(width, /*isUnsigned=*/!isSigned(array.getType()));
  if (value.convertToInteger(integer, APFloat::rmTowardZero, &isExact) !=
      APFloat::opOK)
    return false;
  setBits(array, i, integer.getZExtValue());
  return true;
}

Expected<NumpyArray> mlir::amp::convertElements(const NumpyArray &array,
                                                Type type) {
  if (holdsElements(array.getType(), type))
    return array.clone();
  NumpyType target = *getNumpyType(type);
  if (array.getType() == NumpyType::Raw8)
    return makeError("the file does not say what 8-bit format its elements "
                     "have, so they cannot be converted to " +
                     getName(target));
  Expected<NumpyArray> result = NumpyArray::create(target, array.getShape());
  if (!result)
    return result.takeError();
  const llvm::fltSemantics *from = getSemantics(array.getType(), type);
  // Wide enough that a 64-bit integer enters it unrounded.
  const llvm::fltSemantics &wide = APFloat::IEEEquad();
  unsigned width = getByteWidth(array.getType()) * 8;
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    APInt bits(width, getBits(array, i));
    APFloat value = from ? APFloat(*from, bits) : APFloat(wide);
    if (!from)
      value.convertFromAPInt(bits, isSigned(array.getType()),
                             APFloat::rmNearestTiesToEven);
    if (!setFloat(*result, i, value, type)) {
      llvm::SmallString<24> text;
      value.toString(text);
      return makeError("element " + Twine(i) + " is " + text + ", which " +
                       getName(target) + " does not hold exactly");
    }
  }
  return result;
}

/// A normally distributed number. The standard library's own distribution
/// differs between libraries; this does not (Box and Muller, 1958).
static double drawNormal(std::mt19937_64 &engine) {
  constexpr double pi = 3.14159265358979323846;
  // 53 bits, in (0, 1].
  double u = ((engine() >> 11) + 1) * 0x1p-53;
  double v = (engine() >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * pi * v);
}

Expected<NumpyArray>
mlir::amp::makeRandomArray(Type type, ArrayRef<int64_t> shape, uint64_t seed) {
  Expected<NumpyArray> array = NumpyArray::create(*getNumpyType(type), shape);
  if (!array)
    return array.takeError();
  std::mt19937_64 engine(seed);
  for (int64_t i = 0, e = array->getNumElements(); i < e; ++i) {
    if (array->getType() == NumpyType::F32) {
      auto value = static_cast<float>(drawNormal(engine));
      std::memcpy(array->getMutableData().data() + i * sizeof(float), &value,
                  sizeof(float));
    } else if (isa<FloatType>(type)) {
      setFloat(*array, i, APFloat(drawNormal(engine)), type);
    } else if (array->getType() == NumpyType::Bool) {
      setBits(*array, i, engine() >> 63);
    } else {
      int64_t value = engine() >> 60;
      setBits(*array, i, isSigned(array->getType()) ? value - 8 : value);
    }
  }
  return array;
}

double mlir::amp::getUlp(double value, Type type) {
  auto floating = dyn_cast<FloatType>(type);
  if (!floating)
    return 1;
  const llvm::fltSemantics &semantics = floating.getFloatSemantics();
  int exponent = APFloat::semanticsMinExponent(semantics);
  if (value != 0)
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(
      1.0, exponent -
               (static_cast<int>(APFloat::semanticsPrecision(semantics)) - 1));
}
