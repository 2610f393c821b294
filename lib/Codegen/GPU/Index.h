//===- Index.h - index arithmetic that reads like C++ -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_INDEX_H
#define AMP_LIB_CODEGEN_GPU_INDEX_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace mlir::amp::gpu {

/// An index value in code that is being built. None is negative, so divisions
/// are unsigned. Layouts are templates over `int64_t`, for tests, or this.
class Index {
public:
  Index(OpBuilder &b, Location loc, Value value)
      : b(&b), loc(loc), value(value) {}
  Index(OpBuilder &b, Location loc, int64_t value)
      : Index(b, loc, arith::ConstantIndexOp::create(b, loc, value)) {}

  operator Value() const { return value; }

  friend Index operator+(Index lhs, Index rhs) {
    return lhs.make<arith::AddIOp>(rhs);
  }
  friend Index operator-(Index lhs, Index rhs) {
    return lhs.make<arith::SubIOp>(rhs);
  }
  friend Index operator*(Index lhs, Index rhs) {
    return lhs.make<arith::MulIOp>(rhs);
  }
  friend Index operator/(Index lhs, Index rhs) {
    return lhs.make<arith::DivUIOp>(rhs);
  }
  friend Index operator%(Index lhs, Index rhs) {
    return lhs.make<arith::RemUIOp>(rhs);
  }
  friend Index operator<<(Index lhs, Index rhs) {
    return lhs.make<arith::ShLIOp>(rhs);
  }
  friend Index operator>>(Index lhs, Index rhs) {
    return lhs.make<arith::ShRUIOp>(rhs);
  }
  friend Index operator+(Index lhs, int64_t rhs) { return lhs + lhs.like(rhs); }
  friend Index operator-(Index lhs, int64_t rhs) { return lhs - lhs.like(rhs); }
  friend Index operator*(Index lhs, int64_t rhs) { return lhs * lhs.like(rhs); }
  friend Index operator/(Index lhs, int64_t rhs) { return lhs / lhs.like(rhs); }
  friend Index operator%(Index lhs, int64_t rhs) { return lhs % lhs.like(rhs); }

  Index like(int64_t number) const { return Index(*b, loc, number); }
  Index min(Index other) const { return make<arith::MinUIOp>(other); }
  /// `*this < other ? less : notLess`.
  Index select(Index other, Index less, Index notLess) const {
    return Index(*b, loc,
                 b->createOrFold<arith::SelectOp>(loc, lt(other), less.value,
                                                  notLess.value));
  }
  Value le(Index other) const {
    return b->createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ule, value,
                                          other.value);
  }
  Value lt(Index other) const {
    return b->createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, value,
                                          other.value);
  }

private:
  template <typename Op>
  Index make(Index rhs) const {
    return Index(*b, loc, b->createOrFold<Op>(loc, value, rhs.value));
  }

  OpBuilder *b;
  Location loc;
  Value value;
};

inline Index min(Index lhs, Index rhs) { return lhs.min(rhs); }
inline Index selectLess(Index x, Index y, Index less, Index other) {
  return x.select(y, less, other);
}

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_INDEX_H
