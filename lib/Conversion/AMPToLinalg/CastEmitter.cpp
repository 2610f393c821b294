//===- CastEmitter.cpp - the arith ops of a cast --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CastEmitter.h"

#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using arith::RoundingMode;
using llvm::APFloat;

Type mlir::amp::getSignlessType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSignless())
    return type;
  return IntegerType::get(type.getContext(), integer.getWidth());
}

namespace {
/// Emits ops on values of one shape.
class CastEmitter {
public:
  CastEmitter(OpBuilder &builder, Location loc, Type shape,
              const CastOptions &options)
      : b(loc, builder), shape(shape), options(options),
        mode(options.rounding ? options.rounding.getValue()
                              : RoundingMode::to_nearest_even) {}

  Value floatToFloat(Value x, FloatType from, FloatType to);
  Value floatToInteger(Value x, FloatType from, IntegerType to);
  Value integerToFloat(Value x, IntegerType from, FloatType to);
  Value integerToInteger(Value x, IntegerType from, IntegerType to);

private:
  Type typed(Type elementType) { return withElementType(shape, elementType); }
  Value constant(Type elementType, Attribute value) {
    if (auto shaped = dyn_cast<ShapedType>(typed(elementType)))
      return arith::ConstantOp::create(b,
                                       DenseElementsAttr::get(shaped, value));
    return arith::ConstantOp::create(b, cast<TypedAttr>(value));
  }
  Value constant(FloatType type, const APFloat &value) {
    return constant(type, FloatAttr::get(type, value));
  }
  Value constant(IntegerType type, const APInt &value) {
    return constant(type, IntegerAttr::get(type, value));
  }
  Value constant(IntegerType type, uint64_t value) {
    return constant(type, APInt(type.getWidth(), value));
  }
  Value compare(CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  }
  Value compare(CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  }
  Value select(Value condition, Value ifTrue, Value ifFalse) {
    return arith::SelectOp::create(b, condition, ifTrue, ifFalse);
  }
  /// 2^exponent in a float type that holds it.
  Value powerOfTwo(FloatType type, int exponent, bool negative = false) {
    APFloat one = APFloat::getOne(type.getFloatSemantics(), negative);
    return constant(
        type, llvm::scalbn(one, exponent, llvm::RoundingMode::TowardZero));
  }
  /// The largest finite value of `of`, in the wider type `type`.
  Value largest(FloatType type, FloatType of, bool negative) {
    return finite(type, APFloat::getLargest(of.getFloatSemantics(), negative));
  }
  Value finite(FloatType type, APFloat value) {
    bool losesInfo;
    value.convert(type.getFloatSemantics(), llvm::RoundingMode::TowardZero,
                  &losesInfo);
    return constant(type, value);
  }
  /// `x` of type `from` in a type that is at least f32, which is exact.
  Value atLeastF32(Value x, FloatType &from) {
    if (from.getWidth() >= 32)
      return x;
    from = b.getF32Type();
    return arith::ExtFOp::create(b, typed(from), x);
  }
  Value roundInteger(Value x, IntegerType from, unsigned precision,
                     FloatType to);
  Value roundToOdd(Value x);
  Value roundByMode(Value x, FloatType via, FloatType to);

  ImplicitLocOpBuilder b;
  Type shape;
  CastOptions options;
  RoundingMode mode;
};
} // namespace

//===----------------------------------------------------------------------===//
// From floats
//===----------------------------------------------------------------------===//

/// Rounds an f64 to f32 such that rounding once more, to a type with at least
/// two bits less, gives what one rounding would: inexact values go to the
/// neighbour with an odd last bit, which lies on the same side of every tie.
/// Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved
/// algorithms using rounding to odd", IEEE Trans. Comp. 57(4), 2008.
Value CastEmitter::roundToOdd(Value x) {
  FloatType f32 = b.getF32Type();
  IntegerType i32 = b.getI32Type();
  Value rounded = arith::TruncFOp::create(b, typed(f32), x);
  Value back = arith::ExtFOp::create(b, typed(b.getF64Type()), rounded);
  Value bits = arith::BitcastOp::create(b, typed(i32), rounded);
  Value one = constant(i32, 1);
  Value even = compare(CmpIPredicate::eq, arith::AndIOp::create(b, bits, one),
                       constant(i32, uint64_t(0)));
  // An even result that is not exact has the odd neighbour on the other side
  // of the value. As integers, magnitudes are in order, up to infinity.
  Value move =
      arith::AndIOp::create(b, compare(CmpFPredicate::ONE, back, x), even);
  Value above = compare(CmpFPredicate::OGT, math::AbsFOp::create(b, back),
                        math::AbsFOp::create(b, x));
  Value odd = select(above, arith::SubIOp::create(b, bits, one),
                     arith::AddIOp::create(b, bits, one));
  return arith::BitcastOp::create(b, typed(f32), select(move, odd, bits));
}

/// Rounds `x`, of type `via`, to a value of `to` by a mode other than to
/// nearest even; the result is of type `via`, or beyond the range of `to` where
/// the mode overflows. Conversions of a backend round to nearest even, whatever
/// mode `arith.truncf` carries, so the rounding must be over before them. `via`
/// is f32 or f64 and holds every value of `to`.
Value CastEmitter::roundByMode(Value x, FloatType via, FloatType to) {
  const llvm::fltSemantics &sem = to.getFloatSemantics();
  const llvm::fltSemantics &viaSem = via.getFloatSemantics();
  IntegerType integer = b.getIntegerType(via.getWidth());
  int mantissa = APFloat::semanticsPrecision(sem) - 1;
  int minExponent = APFloat::semanticsMinExponent(sem);
  int viaMinExponent = APFloat::semanticsMinExponent(viaSem);
  Value zero = constant(integer, uint64_t(0));
  Value noFraction = constant(via, APFloat::getZero(viaSem));

  Value bits = arith::BitcastOp::create(b, typed(integer), x);
  Value signMask = constant(integer, APInt::getSignMask(via.getWidth()));
  Value sign = arith::AndIOp::create(b, bits, signMask);
  Value magnitude = math::AbsFOp::create(b, x);

  // What the mode means for a magnitude: null stands for no value.
  Value outward, inward;
  if (mode == RoundingMode::downward || mode == RoundingMode::upward) {
    auto negative = compare(CmpIPredicate::ne, sign, zero);
    auto positive = compare(CmpIPredicate::eq, sign, zero);
    bool down = mode == RoundingMode::downward;
    outward = down ? negative : positive;
    inward = down ? positive : negative;
  } else if (mode == RoundingMode::toward_zero) {
    inward = constant(b.getI1Type(), uint64_t(1));
  }

  // Normal values keep the leading bits, and a carry into the exponent is
  // right, up to infinity.
  unsigned dropped = APFloat::semanticsPrecision(viaSem) - 1 - mantissa;
  APInt mask = APInt::getLowBitsSet(via.getWidth(), dropped);
  Value sum = arith::BitcastOp::create(b, typed(integer), magnitude);
  if (mode == RoundingMode::to_nearest_away)
    sum = arith::AddIOp::create(
        b, sum,
        constant(integer, APInt::getOneBitSet(via.getWidth(), dropped - 1)));
  else if (outward)
    sum = arith::AddIOp::create(b, sum,
                                select(outward, constant(integer, mask), zero));
  Value rounded = arith::BitcastOp::create(
      b, typed(via), arith::AndIOp::create(b, sum, constant(integer, ~mask)));

  // Subnormal values are multiples of one unit. Where both types have the same
  // least exponent, the bits above are right for them, too.
  if (minExponent != viaMinExponent) {
    Value units = arith::MulFOp::create(
        b, magnitude, powerOfTwo(via, mantissa - minExponent));
    Value whole = math::FloorOp::create(b, units);
    Value fraction = arith::SubFOp::create(b, units, whole);
    Value up;
    if (mode == RoundingMode::to_nearest_away)
      up = compare(CmpFPredicate::OGE, fraction, powerOfTwo(via, -1));
    else if (outward)
      up = arith::AndIOp::create(
          b, outward, compare(CmpFPredicate::OGT, fraction, noFraction));
    if (up)
      whole = arith::AddFOp::create(b, whole,
                                    select(up, powerOfTwo(via, 0), noFraction));
    Value small = arith::MulFOp::create(
        b, whole, powerOfTwo(via, minExponent - mantissa));
    // f8E8M0FNU goes below f32, by one value.
    Value least = powerOfTwo(via, std::max(minExponent, viaMinExponent));
    rounded =
        select(compare(CmpFPredicate::OLT, magnitude, least), small, rounded);
  }

  // A finite value that rounds toward zero stays finite.
  if (inward && !options.saturate) {
    Value high = largest(via, to, /*negative=*/false);
    Value infinity = constant(via, APFloat::getInf(viaSem));
    Value over =
        arith::AndIOp::create(b, compare(CmpFPredicate::OGT, rounded, high),
                              compare(CmpFPredicate::ONE, magnitude, infinity));
    rounded = select(arith::AndIOp::create(b, over, inward), high, rounded);
  }
  Value result = arith::BitcastOp::create(
      b, typed(via),
      arith::OrIOp::create(
          b, arith::BitcastOp::create(b, typed(integer), rounded), sign));
  return select(compare(CmpFPredicate::UNO, x, x), x, result);
}

Value CastEmitter::floatToFloat(Value x, FloatType from, FloatType to) {
  // A type that holds the values of both: the operand gets there exactly, so
  // that the value rounds once, on the way from there to the result. arith
  // converts between types of different widths only.
  FloatType via = b.getF32Type();
  if (from.getWidth() > to.getWidth() && isValuePreserving(to, from))
    via = from;
  else if (from.getWidth() < to.getWidth() && isValuePreserving(from, to))
    via = to;
  bool directed = via != to && mode != RoundingMode::to_nearest_even;
  if (directed && via.getWidth() < 32)
    via = b.getF32Type();
  if (via != from)
    x = arith::ExtFOp::create(b, typed(via), x);

  const llvm::fltSemantics &sem = to.getFloatSemantics();
  // A type without sign has no zero either: its smallest value is the bottom.
  if (!APFloat::semanticsHasSignedRepr(sem)) {
    Value zero = constant(via, APFloat::getZero(via.getFloatSemantics()));
    Value negative = compare(CmpFPredicate::OLT, x, zero);
    Value replacement =
        options.saturate
            ? finite(via, APFloat::getSmallest(sem))
            : constant(via, APFloat::getNaN(via.getFloatSemantics()));
    x = select(negative, replacement, x);
  }
  // The largest value is representable in both types and rounding is monotone,
  // so clamping before rounding equals clamping after it. NaN compares false.
  std::optional<FormatEnvelope> source = FormatEnvelope::get(from);
  if (options.saturate &&
      (source->hasInfinity || !isValuePreserving(from, to))) {
    Value high = largest(via, to, /*negative=*/false);
    x = select(compare(CmpFPredicate::OGT, x, high), high, x);
    if (APFloat::semanticsHasSignedRepr(sem)) {
      Value low = largest(via, to, /*negative=*/true);
      x = select(compare(CmpFPredicate::OLT, x, low), low, x);
    }
  }
  if (via == to)
    return x;
  // Backends round f64 to the narrow types in two steps, or call a function
  // that not every C library has.
  if (via.isF64() && to.getWidth() < 32) {
    x = roundToOdd(x);
    via = b.getF32Type();
  }
  if (directed)
    x = roundByMode(x, via, to);
  return arith::TruncFOp::create(b, typed(to), x);
}

Value CastEmitter::floatToInteger(Value x, FloatType from, IntegerType to) {
  x = atLeastF32(x, from);
  auto zero = [&] {
    return constant(from, APFloat::getZero(from.getFloatSemantics()));
  };
  if (to.getWidth() == 1)
    return compare(CmpFPredicate::UNE, x, zero());
  auto result = cast<IntegerType>(getSignlessType(to));
  unsigned width = to.getWidth();
  if (to.isUnsigned()) {
    Value integer = arith::FPToUIOp::create(b, typed(result), x);
    if (!options.saturate)
      return integer;
    // The comparisons are with powers of two, which are exact in every type;
    // the maximum of the integer type is not. NaN fails the second one.
    integer = select(compare(CmpFPredicate::OGE, x, powerOfTwo(from, width)),
                     constant(result, APInt::getMaxValue(width)), integer);
    return select(compare(CmpFPredicate::OGT, x, zero()), integer,
                  constant(result, APInt::getZero(width)));
  }
  Value integer = arith::FPToSIOp::create(b, typed(result), x);
  if (!options.saturate)
    return integer;
  integer = select(compare(CmpFPredicate::OGE, x, powerOfTwo(from, width - 1)),
                   constant(result, APInt::getSignedMaxValue(width)), integer);
  integer = select(compare(CmpFPredicate::OLE, x,
                           powerOfTwo(from, width - 1, /*negative=*/true)),
                   constant(result, APInt::getSignedMinValue(width)), integer);
  return select(compare(CmpFPredicate::UNO, x, x),
                constant(result, APInt::getZero(width)), integer);
}

//===----------------------------------------------------------------------===//
// From integers
//===----------------------------------------------------------------------===//

/// Rounds the magnitude of `x` to `precision` bits by integer arithmetic, and
/// converts the outcome to `to`, which is exact.
Value CastEmitter::roundInteger(Value x, IntegerType from, unsigned precision,
                                FloatType to) {
  IntegerType i64 = b.getI64Type();
  Type type = typed(i64);
  bool isUnsigned = isUnsignedInteger(from);
  if (from.getWidth() < 64)
    x = isUnsigned ? Value(arith::ExtUIOp::create(b, type, x))
                   : Value(arith::ExtSIOp::create(b, type, x));
  Value zero = constant(i64, uint64_t(0)), one = constant(i64, 1);
  Value negative, magnitude = x;
  if (!isUnsigned) {
    negative = compare(CmpIPredicate::slt, x, zero);
    magnitude = select(negative, arith::SubIOp::create(b, zero, x), x);
  }
  // The bits below the `precision` leading ones are the remainder.
  Value leading = math::CountLeadingZerosOp::create(b, magnitude);
  Value shift = arith::MaxSIOp::create(
      b, arith::SubIOp::create(b, constant(i64, 64 - precision), leading),
      zero);
  Value unit = arith::ShLIOp::create(b, one, shift);
  Value remainder =
      arith::AndIOp::create(b, magnitude, arith::SubIOp::create(b, unit, one));
  Value quotient = arith::ShRUIOp::create(b, magnitude, shift);
  Value half = arith::ShRUIOp::create(b, unit, one);
  Value inexact = compare(CmpIPredicate::ne, remainder, zero);
  Value up;
  switch (mode) {
  case RoundingMode::to_nearest_even: {
    Value odd = compare(CmpIPredicate::ne,
                        arith::AndIOp::create(b, quotient, one), zero);
    Value tie = compare(CmpIPredicate::eq, remainder, half);
    Value above = compare(CmpIPredicate::ugt, remainder, half);
    up = arith::OrIOp::create(b, above, arith::AndIOp::create(b, tie, odd));
    up = arith::AndIOp::create(b, up, inexact);
    break;
  }
  case RoundingMode::to_nearest_away:
    up = arith::AndIOp::create(b, compare(CmpIPredicate::uge, remainder, half),
                               inexact);
    break;
  case RoundingMode::downward:
    if (negative)
      up = arith::AndIOp::create(b, inexact, negative);
    break;
  case RoundingMode::upward:
    up = inexact;
    if (negative)
      up = arith::AndIOp::create(
          b, inexact,
          arith::XOrIOp::create(b, negative,
                                constant(b.getI1Type(), uint64_t(1))));
    break;
  case RoundingMode::toward_zero:
    break;
  }
  if (up)
    quotient =
        arith::AddIOp::create(b, quotient, arith::ExtUIOp::create(b, type, up));
  Value result =
      arith::MulFOp::create(b, arith::UIToFPOp::create(b, typed(to), quotient),
                            arith::UIToFPOp::create(b, typed(to), unit));
  if (!negative)
    return result;
  return select(negative, arith::NegFOp::create(b, result), result);
}

Value CastEmitter::integerToFloat(Value x, IntegerType from, FloatType to) {
  FloatType f32 = b.getF32Type();
  FloatType via = to.getWidth() > 32 ? to : f32;
  bool exact = isValuePreserving(from, via);
  // Integers that do not fit f32 are beyond the range of f16 and of most 8-bit
  // types, so that it does not matter how they round on the way.
  bool overflows = FormatEnvelope::get(to)->maxExponent + 1 <
                   int(FormatEnvelope::get(f32)->precision);
  bool native = via == to && mode == RoundingMode::to_nearest_even;
  if (!exact && !overflows && !native) {
    x = roundInteger(x, from, FormatEnvelope::get(to)->precision, via);
    // What is left of the way is exact.
    mode = RoundingMode::to_nearest_even;
  } else if (isUnsignedInteger(from)) {
    x = arith::UIToFPOp::create(b, typed(via), x);
  } else {
    x = arith::SIToFPOp::create(b, typed(via), x);
  }
  return via == to ? x : floatToFloat(x, via, to);
}

Value CastEmitter::integerToInteger(Value x, IntegerType from, IntegerType to) {
  auto source = cast<IntegerType>(getSignlessType(from));
  auto result = cast<IntegerType>(getSignlessType(to));
  unsigned fromWidth = from.getWidth(), toWidth = to.getWidth();
  bool fromUnsigned = isUnsignedInteger(from), toUnsigned = to.isUnsigned();
  if (toWidth == 1)
    return fromWidth == 1
               ? x
               : compare(CmpIPredicate::ne, x,
                         constant(source, APInt::getZero(fromWidth)));
  if (options.saturate) {
    APInt high = toUnsigned ? APInt::getMaxValue(toWidth)
                            : APInt::getSignedMaxValue(toWidth);
    // Bits that hold the largest value of each type.
    unsigned fromBits = fromWidth - !fromUnsigned;
    unsigned toBits = toWidth - !toUnsigned;
    if (fromBits > toBits) {
      Value bound = constant(source, high.zextOrTrunc(fromWidth));
      x = fromUnsigned ? Value(arith::MinUIOp::create(b, x, bound))
                       : Value(arith::MinSIOp::create(b, x, bound));
    }
    if (!fromUnsigned && (toUnsigned || toWidth < fromWidth)) {
      APInt low = toUnsigned
                      ? APInt::getZero(fromWidth)
                      : APInt::getSignedMinValue(toWidth).sext(fromWidth);
      x = arith::MaxSIOp::create(b, x, constant(source, low));
    }
  }
  if (toWidth < fromWidth)
    return arith::TruncIOp::create(b, typed(result), x);
  if (toWidth == fromWidth)
    return x;
  if (fromUnsigned)
    return arith::ExtUIOp::create(b, typed(result), x);
  return arith::ExtSIOp::create(b, typed(result), x);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

Value mlir::amp::emitCast(OpBuilder &builder, Location loc, Value input,
                          Type from, Type to, const CastOptions &options) {
  if (from == to)
    return input;
  if (auto toComplex = dyn_cast<ComplexType>(to)) {
    // Part by part; a real number has no imaginary part.
    Type part = toComplex.getElementType();
    Value real = input, imaginary;
    if (auto fromComplex = dyn_cast<ComplexType>(from)) {
      Type fromPart = fromComplex.getElementType();
      imaginary = complex::ImOp::create(builder, loc, input);
      imaginary = emitCast(builder, loc, imaginary, fromPart, part, options);
      real = complex::ReOp::create(builder, loc, input);
      from = fromPart;
    } else {
      imaginary = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(part, 0.0));
    }
    real = emitCast(builder, loc, real, from, part, options);
    return complex::CreateOp::create(builder, loc, to, real, imaginary);
  }
  CastEmitter emitter(builder, loc, input.getType(), options);
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return emitter.floatToFloat(input, fromFloat, toFloat);
  if (fromFloat)
    return emitter.floatToInteger(input, fromFloat, cast<IntegerType>(to));
  if (toFloat)
    return emitter.integerToFloat(input, cast<IntegerType>(from), toFloat);
  return emitter.integerToInteger(input, cast<IntegerType>(from),
                                  cast<IntegerType>(to));
}
