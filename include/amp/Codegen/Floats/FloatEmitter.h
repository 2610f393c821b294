//===- FloatEmitter.h - writing f32 arithmetic ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_FLOATS_FLOATEMITTER_H
#define AMP_CODEGEN_FLOATS_FLOATEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::amp::floats {

/// 1.5 * 2^23 + 2 * 127: in x + kExponentMagic, the low bits are those of the
/// integer nearest to x, plus twice the bias of an exponent.
inline constexpr float kExponentMagic = 12583166.0f;

/// Emits arithmetic on f32 and i32 values of one shape: a scalar or a vector.
class FloatEmitter {
public:
  FloatEmitter(ImplicitLocOpBuilder &b, Type shape) : b(b), shape(shape) {}

  Value real(float value) const { return constant(b.getF32FloatAttr(value)); }
  Value integer(uint32_t value) const {
    return constant(b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value add(Value x, Value y) const { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) const { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) const { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) const { return arith::DivFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) const {
    return math::FmaOp::create(b, x, y, z);
  }
  Value abs(Value x) const { return math::AbsFOp::create(b, x); }
  Value copySign(Value x, Value sign) const {
    return math::CopySignOp::create(b, x, sign);
  }
  /// 2^x and 1/x by instructions.
  Value exp2(Value x) const { return math::Exp2Op::create(b, x, afn()); }
  Value reciprocal(Value x) const {
    return arith::DivFOp::create(b, real(1.0f), x, afn());
  }
  arith::FastMathFlags afn() const { return arith::FastMathFlags::afn; }

  Value bitsOf(Value x) const {
    return arith::BitcastOp::create(b, type(b.getI32Type()), x);
  }
  Value floatOf(Value x) const {
    return arith::BitcastOp::create(b, type(b.getF32Type()), x);
  }
  Value toFloat(Value x) const {
    return arith::SIToFPOp::create(b, type(b.getF32Type()), x);
  }
  Value addI(Value x, Value y) const { return arith::AddIOp::create(b, x, y); }
  Value subI(Value x, Value y) const { return arith::SubIOp::create(b, x, y); }
  Value andI(Value x, Value y) const { return arith::AndIOp::create(b, x, y); }
  Value shiftLeft(Value x, unsigned by) const {
    return arith::ShLIOp::create(b, x, integer(by));
  }
  Value shiftRight(Value x, unsigned by) const {
    return arith::ShRSIOp::create(b, x, integer(by));
  }
  Value isZero(Value x) const {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, integer(0));
  }
  /// False for NaN.
  Value less(Value x, Value y) const {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
  }
  Value equal(Value x, Value y) const {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
  }
  Value select(Value condition, Value x, Value y) const {
    return arith::SelectOp::create(b, condition, x, y);
  }
  /// NaN stays NaN.
  Value atLeast(Value x, float low) const {
    return select(less(x, real(low)), real(low), x);
  }
  Value clamp(Value x, float low, float high) const {
    x = atLeast(x, low);
    return select(less(real(high), x), real(high), x);
  }
  /// The polynomial of `coefficients`, the highest degree first.
  Value polynomial(Value x, ArrayRef<float> coefficients) const {
    Value sum = real(coefficients.front());
    for (float coefficient : coefficients.drop_front())
      sum = fma(sum, x, real(coefficient));
    return sum;
  }
  /// The integer nearest to x * factor, as a float and as an i32, for products
  /// below 2^22: by an addition that leaves the integer in the low bits. Any
  /// bits for NaN, but no poison, which a conversion would give.
  std::pair<Value, Value> nearest(Value x, float factor) const {
    Value magic = real(12582912.0f); // 1.5 * 2^23
    Value shifted = fma(x, real(factor), magic);
    return {sub(shifted, magic), subI(bitsOf(shifted), bitsOf(magic))};
  }
  /// 2^n for n from -126 to 127.
  Value powerOfTwo(Value n) const {
    return floatOf(shiftLeft(addI(n, integer(127)), 23));
  }

  /// `element`, or a vector of it, of this shape.
  Type type(Type element) const {
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }
  /// `attr` in every lane.
  Value constant(TypedAttr attr) const {
    if (auto vector = dyn_cast<VectorType>(shape))
      attr = DenseElementsAttr::get(vector.clone(attr.getType()), attr);
    return arith::ConstantOp::create(b, attr);
  }

private:
  ImplicitLocOpBuilder &b;
  Type shape;
};

} // namespace mlir::amp::floats

#endif // AMP_CODEGEN_FLOATS_FLOATEMITTER_H
