//===- IndexValue.h - index arithmetic in C++ expressions -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_INDEXVALUE_H
#define AMP_LIB_CODEGEN_GPU_INDEXVALUE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::amp::gpu {

/// Where an IndexValue creates its ops: at the insertion point of `b`.
struct IndexBuilder {
  OpBuilder &b;
  Location loc;
};

/// A number of 0 or more that is known here or in the generated code: of index
/// type, or, if `bits` is not 0, an integer of so many bits. Its operators fold
/// constants and else create arith ops, so the maps of Layouts.h can be
/// instantiated with it.
template <unsigned bits>
class BuiltNumber {
public:
  BuiltNumber(int64_t number) : number(number) {}
  BuiltNumber(const IndexBuilder &builder, OpFoldResult value)
      : builder(&builder) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      number = *constant;
    else
      ssa = cast<Value>(value);
  }

  std::optional<int64_t> getConstant() const {
    return ssa ? std::nullopt : std::optional<int64_t>(number);
  }
  bool isConstant(int64_t value) const { return !ssa && number == value; }

  /// The number as a value in the generated code.
  Value get(const IndexBuilder &at) const {
    if (ssa)
      return ssa;
    if (bits == 0)
      return arith::ConstantIndexOp::create(at.b, at.loc, number);
    return arith::ConstantIntOp::create(at.b, at.loc, at.b.getIntegerType(bits),
                                        number);
  }

  friend BuiltNumber operator+(const BuiltNumber &l, const BuiltNumber &r) {
    if (l.isConstant(0))
      return r;
    return r.isConstant(0) ? l
                           : binary<arith::AddIOp>(
                                 l, r, [](auto x, auto y) { return x + y; });
  }
  friend BuiltNumber operator-(const BuiltNumber &l, const BuiltNumber &r) {
    return r.isConstant(0) ? l
                           : binary<arith::SubIOp>(
                                 l, r, [](auto x, auto y) { return x - y; });
  }
  friend BuiltNumber operator*(const BuiltNumber &l, const BuiltNumber &r) {
    if (l.isConstant(0) || r.isConstant(0))
      return 0;
    if (l.isConstant(1))
      return r;
    return r.isConstant(1) ? l
                           : binary<arith::MulIOp>(
                                 l, r, [](auto x, auto y) { return x * y; });
  }
  friend BuiltNumber operator/(const BuiltNumber &l, const BuiltNumber &r) {
    return r.isConstant(1) ? l
                           : binary<arith::DivUIOp>(
                                 l, r, [](auto x, auto y) { return x / y; });
  }
  friend BuiltNumber operator%(const BuiltNumber &l, const BuiltNumber &r) {
    if (r.isConstant(1))
      return 0;
    return binary<arith::RemUIOp>(l, r, [](auto x, auto y) { return x % y; });
  }
  friend BuiltNumber operator&(const BuiltNumber &l, const BuiltNumber &r) {
    return binary<arith::AndIOp>(l, r, [](auto x, auto y) { return x & y; });
  }
  friend BuiltNumber operator^(const BuiltNumber &l, const BuiltNumber &r) {
    return binary<arith::XOrIOp>(l, r, [](auto x, auto y) { return x ^ y; });
  }
  friend BuiltNumber operator>>(const BuiltNumber &l, const BuiltNumber &r) {
    return binary<arith::ShRUIOp>(l, r, [](auto x, auto y) { return x >> y; });
  }
  static BuiltNumber min(const BuiltNumber &l, const BuiltNumber &r) {
    return binary<arith::MinUIOp>(
        l, r, [](auto x, auto y) { return std::min(x, y); });
  }

  /// `l < r` and `l == r` as i1 values.
  static Value less(const IndexBuilder &at, const BuiltNumber &l,
                    const BuiltNumber &r) {
    return arith::CmpIOp::create(at.b, at.loc, arith::CmpIPredicate::ult,
                                 l.get(at), r.get(at));
  }
  static Value equal(const IndexBuilder &at, const BuiltNumber &l,
                     const BuiltNumber &r) {
    return arith::CmpIOp::create(at.b, at.loc, arith::CmpIPredicate::eq,
                                 l.get(at), r.get(at));
  }
  /// `condition ? l : r`.
  static BuiltNumber select(const IndexBuilder &at, Value condition,
                            const BuiltNumber &l, const BuiltNumber &r) {
    return {at, arith::SelectOp::create(at.b, at.loc, condition, l.get(at),
                                        r.get(at))
                    .getResult()};
  }

private:
  template <typename OpTy, typename FoldFn>
  static BuiltNumber binary(const BuiltNumber &l, const BuiltNumber &r,
                            FoldFn fold) {
    if (!l.ssa && !r.ssa)
      return fold(l.number, r.number);
    const IndexBuilder &at = l.ssa ? *l.builder : *r.builder;
    return {at, OpTy::create(at.b, at.loc, l.get(at), r.get(at)).getResult()};
  }

  /// Set where the number is not known; it outlives the value.
  const IndexBuilder *builder = nullptr;
  int64_t number = 0;
  Value ssa;
};

using IndexValue = BuiltNumber<0>;
/// What tensor maps count with, and what a GPU divides fastest.
using WordValue = BuiltNumber<32>;

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_INDEXVALUE_H
