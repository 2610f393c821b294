//===- Remainder.cpp - remainders of vectors of floats --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x - q y is exact in one fma where q is the integer next to x / y as it is
// rounded to p bits, p the precision: it is a multiple of the last place of y,
// or of that of q y, and has no more than p bits above that. So a remainder is
// exact where the quotient is below 2^p: then q is too large by one at most.
// Larger quotients of f32 are taken off 53 bits at a time in f64, and those of
// f64 are for the C library.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::floats;

namespace {
/// Emits remainders of positive vectors of one float type.
struct Division {
  ImplicitLocOpBuilder &b;
  FloatEmitter e;
  /// The element type, and its precision in bits.
  FloatType element;

  Division(ImplicitLocOpBuilder &b, Type type)
      : b(b), e(b, type),
        element(cast<FloatType>(cast<VectorType>(type).getElementType())) {}

  Value real(double value) const {
    return e.constant(b.getFloatAttr(element, value));
  }
  /// 2 to the precision: quotients from there on are integers as they are.
  Value limit() const {
    FloatType type = element;
    return real(std::ldexp(1.0, type.getFPMantissaWidth()));
  }
  Value subtract(Value x, Value quotient, Value y) const {
    return e.fma(arith::NegFOp::create(b, quotient), y, x);
  }
  /// False for NaN.
  Value isAtLeast(Value x, Value y) const {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, x, y);
  }
  Value any(Value mask) const {
    return vector::ReductionOp::create(b, vector::CombiningKind::OR, mask);
  }
  /// x less as many y as go into it, for a `quotient` of the two below
  /// `limit`; x may be negative.
  Value finish(Value x, Value quotient, Value y) const {
    Value rest = subtract(x, math::TruncOp::create(b, quotient), y);
    return e.select(e.less(rest, real(0)), e.add(rest, y), rest);
  }
};
} // namespace

/// The remainder of positive vectors of f32 with any quotient, NaN of zero or
/// infinity. NaN where y is infinity.
static Value reduceInF64(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type narrow = x.getType();
  Type wide = cast<VectorType>(narrow).clone(b.getF64Type());
  Division d(b, wide);
  x = arith::ExtFOp::create(b, wide, x);
  y = arith::ExtFOp::create(b, wide, y);
  // What is left changes its sign: the quotient is rounded to the nearest.
  Value most = d.e.mul(y, d.limit());
  auto isLarge = [&](Value rest) { return d.isAtLeast(d.e.abs(rest), most); };
  auto loop = scf::WhileOp::create(
      b, TypeRange{wide}, ValueRange{x},
      [&](OpBuilder &, Location, ValueRange args) {
        scf::ConditionOp::create(b, d.any(isLarge(args[0])), args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        Value rest = args[0];
        Value next = d.subtract(rest, d.e.div(rest, y), y);
        scf::YieldOp::create(b,
                             ValueRange{d.e.select(isLarge(rest), next, rest)});
      });
  Value rest = loop.getResult(0);
  rest = d.finish(rest, d.e.div(rest, y), y);
  return arith::TruncFOp::create(b, narrow, rest);
}

/// The same by the C library, for each lane.
static Value reduceByLanes(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto type = cast<VectorType>(x.getType());
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
    elements.push_back(
        arith::RemFOp::create(b, vector::ExtractOp::create(b, x, lane),
                              vector::ExtractOp::create(b, y, lane)));
  return vector::FromElementsOp::create(b, type, elements);
}

static Value emitRemainder(ImplicitLocOpBuilder &b, Value x, Value y) {
  Division d(b, x.getType());
  Value dividend = d.e.abs(x), divisor = d.e.abs(y);
  Value quotient = d.e.div(dividend, divisor);
  Value isAny = d.any(d.isAtLeast(quotient, d.limit()));
  auto branch =
      scf::IfOp::create(b, x.getType(), isAny, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value rest = d.element.isF32() ? reduceInF64(b, dividend, divisor)
                                   : reduceByLanes(b, dividend, divisor);
    scf::YieldOp::create(b, rest);
    b.setInsertionPointToStart(branch.elseBlock());
    rest = d.finish(dividend, quotient, divisor);
    scf::YieldOp::create(b, rest);
  }
  // No zeros are multiplied by infinity.
  Value isSmall = d.e.less(dividend, divisor);
  return d.e.copySign(d.e.select(isSmall, dividend, branch.getResult(0)), x);
}

namespace {
struct ExpandRemainder : public OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable() || type.getRank() != 1 ||
        !(type.getElementType().isF32() || type.getElementType().isF64()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, emitRemainder(b, op.getLhs(), op.getRhs()));
    return success();
  }
};
} // namespace

void floats::populateRemainderPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandRemainder>(patterns.getContext());
}
