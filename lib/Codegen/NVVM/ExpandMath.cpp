//===- ExpandMath.cpp - math functions without a library ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/Atan2.h"
#include "amp/Codegen/Floats/MathFunctions.h"
#include "amp/Codegen/NVVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/APFloat.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUEXPANDMATHPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp::floats;

using Emitter = Value (*)(ImplicitLocOpBuilder &, Value);

/// Whether every use of `value` rounds it to a type of at most `precision`
/// significant bits.
static bool isRoundedTo(Value value, unsigned precision) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           auto round = dyn_cast<arith::TruncFOp>(user);
           if (!round)
             return false;
           auto type = cast<FloatType>(getElementTypeOrSelf(round.getType()));
           return llvm::APFloat::semanticsPrecision(type.getFloatSemantics()) <=
                  precision;
         });
}

/// The precision of bf16 and of f16.
static constexpr unsigned kBF16Precision = 8, kF16Precision = 11;

namespace {

/// One way to compute a function: `wide` for any use, and `narrow`, if there is
/// one, for results that are rounded to `precision` bits.
struct Expansion {
  Emitter wide;
  Emitter narrow = nullptr;
  unsigned precision = 0;
  /// Whether the emitter takes scalars only.
  bool isScalar = false;
};

template <typename Op>
struct Expand : public OpRewritePattern<Op> {
  Expand(MLIRContext *context, Expansion expansion)
      : OpRewritePattern<Op>(context, /*benefit=*/10), expansion(expansion) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto vector = dyn_cast<VectorType>(type);
    if (!getElementTypeOrSelf(type).isF32() || isa<TensorType>(type) ||
        (vector && vector.isScalable()))
      return failure();
    // Already in the form that is selected as an instruction.
    if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool useNarrow =
        expansion.narrow && isRoundedTo(op.getResult(), expansion.precision);
    Emitter emit = useNarrow ? expansion.narrow : expansion.wide;
    Value x = op->getOperand(0);
    if (!vector || !expansion.isScalar) {
      rewriter.replaceOp(op, emit(b, x));
      return success();
    }
    SmallVector<Value> results;
    for (Value element : vector::ToElementsOp::create(b, x).getElements())
      results.push_back(emit(b, element));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, vector, results);
    return success();
  }

  Expansion expansion;
};

/// A division that allows it (`arcp`), by one scalar: a reciprocal, which
/// rounds correctly and is the same for all that is divided, and a
/// multiplication.
struct ShareReciprocal : public OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32() || isa<TensorType>(type) ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp) ||
        matchPattern(op.getLhs(), m_OneFloat()))
      return failure();
    Value divisor = op.getRhs();
    if (auto broadcast = divisor.getDefiningOp<vector::BroadcastOp>())
      divisor = broadcast.getSource();
    if (isa<VectorType>(divisor.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1.0f));
    Value reciprocal = arith::DivFOp::create(b, one, divisor);
    if (isa<VectorType>(type))
      reciprocal = vector::BroadcastOp::create(b, type, reciprocal);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), reciprocal);
    return success();
  }
};

struct ExpandMath : public amp::impl::AmpGPUExpandMathPassBase<ExpandMath> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    amp::splitSignOfAtan2(getOperation());
    RewritePatternSet patterns(context);
    patterns.add<Expand<math::ExpOp>>(
        context, Expansion{emitExp, emitExpForNarrow, kF16Precision});
    patterns.add<Expand<math::TanhOp>>(
        context, Expansion{emitTanh, emitTanhForNarrow, kBF16Precision});
    patterns.add<Expand<math::Exp2Op>>(context, Expansion{emitExp2});
    patterns.add<Expand<math::ExpM1Op>>(context, Expansion{emitExpM1});
    patterns.add<Expand<math::LogOp>>(context, Expansion{emitLog});
    patterns.add<Expand<math::Log2Op>>(context, Expansion{emitLog2});
    patterns.add<Expand<math::Log10Op>>(context, Expansion{emitLog10});
    patterns.add<Expand<math::Log1pOp>>(context, Expansion{emitLog1p});
    patterns.add<Expand<math::ErfOp>>(context, Expansion{emitErf});
    patterns.add<Expand<math::ErfcOp>>(context, Expansion{emitErfc});
    patterns.add<Expand<math::RsqrtOp>>(context, Expansion{emitRsqrt});
    patterns.add<Expand<math::CbrtOp>>(context, Expansion{emitCbrt});
    Expansion sin{emitSin}, cos{emitCos}, tan{emitTan};
    sin.isScalar = cos.isScalar = tan.isScalar = true;
    patterns.add<Expand<math::SinOp>>(context, sin);
    patterns.add<Expand<math::CosOp>>(context, cos);
    patterns.add<Expand<math::TanOp>>(context, tan);
    patterns.add<ShareReciprocal>(context);
    // Powers by small constants are products and roots.
    populateMathAlgebraicSimplificationPatterns(patterns);
    // Upstream's, a few ulp; of f32 only.
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained(
          {math::AcosOp::getOperationName(), math::AsinOp::getOperationName(),
           math::AtanOp::getOperationName(), math::Atan2Op::getOperationName()},
          name);
    });
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
