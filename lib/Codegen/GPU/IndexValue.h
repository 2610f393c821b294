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

/// A number of 0 or more that is known here or in the generated code (of index
/// type). Its operators fold constants and else create arith ops, so the maps
/// of Layouts.h can be instantiated with it.
class IndexValue {
public:
  IndexValue(int64_t number) : number(number) {}
  IndexValue(const IndexBuilder &builder, OpFoldResult value)
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
    return ssa ? ssa
               : arith::ConstantIndexOp::create(at.b, at.loc, number)
                     .getResult();
  }

  friend IndexValue operator+(const IndexValue &l, const IndexValue &r) {
    if (l.isConstant(0))
      return r;
    return r.isConstant(0) ? l
                           : binary<arith::AddIOp>(
                                 l, r, [](auto x, auto y) { return x + y; });
  }
  friend IndexValue operator-(const IndexValue &l, const IndexValue &r) {
    return r.isConstant(0) ? l
                           : binary<arith::SubIOp>(
                                 l, r, [](auto x, auto y) { return x - y; });
  }
  friend IndexValue operator*(const IndexValue &l, const IndexValue &r) {
    if (l.isConstant(0) || r.isConstant(0))
      return 0;
    if (l.isConstant(1))
      return r;
    return r.isConstant(1) ? l
                           : binary<arith::MulIOp>(
                                 l, r, [](auto x, auto y) { return x * y; });
  }
  friend IndexValue operator/(const IndexValue &l, const IndexValue &r) {
    return r.isConstant(1) ? l
                           : binary<arith::DivUIOp>(
                                 l, r, [](auto x, auto y) { return x / y; });
  }
  friend IndexValue operator%(const IndexValue &l, const IndexValue &r) {
    if (r.isConstant(1))
      return 0;
    return binary<arith::RemUIOp>(l, r, [](auto x, auto y) { return x % y; });
  }
  friend IndexValue operator&(const IndexValue &l, const IndexValue &r) {
    return binary<arith::AndIOp>(l, r, [](auto x, auto y) { return x & y; });
  }
  friend IndexValue operator^(const IndexValue &l, const IndexValue &r) {
    return binary<arith::XOrIOp>(l, r, [](auto x, auto y) { return x ^ y; });
  }
  friend IndexValue operator>>(const IndexValue &l, const IndexValue &r) {
    return binary<arith::ShRUIOp>(l, r, [](auto x, auto y) { return x >> y; });
  }
  static IndexValue min(const IndexValue &l, const IndexValue &r) {
    return binary<arith::MinUIOp>(
        l, r, [](auto x, auto y) { return std::min(x, y); });
  }

  /// `l < r` as an i1 value.
  static Value less(const IndexBuilder &at, const IndexValue &l,
                    const IndexValue &r) {
    return arith::CmpIOp::create(at.b, at.loc, arith::CmpIPredicate::ult,
                                 l.get(at), r.get(at));
  }
  /// `condition ? l : r`.
  static IndexValue select(const IndexBuilder &at, Value condition,
                           const IndexValue &l, const IndexValue &r) {
    return {at, arith::SelectOp::create(at.b, at.loc, condition, l.get(at),
                                        r.get(at))
                    .getResult()};
  }

private:
  template <typename OpTy, typename FoldFn>
  static IndexValue binary(const IndexValue &l, const IndexValue &r,
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

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_INDEXVALUE_H
