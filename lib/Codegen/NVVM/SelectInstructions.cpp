//===- SelectInstructions.cpp - instructions that LLVM does not choose ----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"

#include "amp/Codegen/GPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUSELECTINSTRUCTIONSPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

/// Applies `scalar` to each element of `values`, which have one type, a scalar
/// or a vector.
static Value
mapElements(ImplicitLocOpBuilder &b, ValueRange values, Type result,
            function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> scalar) {
  auto vector = dyn_cast<VectorType>(result);
  if (!vector)
    return scalar(b, values);
  SmallVector<ValueRange> elements;
  for (Value value : values)
    elements.push_back(vector::ToElementsOp::create(b, value).getElements());
  SmallVector<Value> results;
  for (int64_t i = 0, e = vector.getNumElements(); i < e; ++i) {
    SmallVector<Value> operands;
    for (ValueRange element : elements)
      operands.push_back(element[i]);
    results.push_back(scalar(b, operands));
  }
  return vector::FromElementsOp::create(b, vector, results);
}

static bool isF32(Type type) { return getElementTypeOrSelf(type).isF32(); }

static bool isFixed(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || !vector.isScalable();
}

static Value callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type type,
                           ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResult(0);
}

/// An instruction of PTX that has no intrinsic, `name result, operands...`.
static Value instruction(ImplicitLocOpBuilder &b, StringRef name, Type type,
                         ValueRange operands) {
  std::string text = name.str() + " $0", constraints = "=f";
  for (auto [i, operand] : llvm::enumerate(operands)) {
    text += ", $" + std::to_string(i + 1);
    constraints += ",f";
  }
  return LLVM::InlineAsmOp::create(
             b, type, operands, text + ";", constraints,
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr::get(b.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

namespace {

/// How an approximate function is written.
struct Approximation {
  StringRef name;
  bool isIntrinsic;
};

/// A math op on f32 that allows approximation (`afn`) is one instruction.
template <typename Op>
struct SelectApproximate : public OpRewritePattern<Op> {
  SelectApproximate(MLIRContext *context, Approximation approximation)
      : OpRewritePattern<Op>(context, /*benefit=*/10),
        approximation(approximation) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getType()) || !isFixed(op.getType()) ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op, mapElements(b, op->getOperands(), op.getType(),
                        [&](ImplicitLocOpBuilder &b, ValueRange operands) {
                          return approximation.isIntrinsic
                                     ? callIntrinsic(b, approximation.name,
                                                     b.getF32Type(), operands)
                                     : instruction(b, approximation.name,
                                                   b.getF32Type(), operands);
                        }));
    return success();
  }

  Approximation approximation;
};

/// A math op that the hardware does exactly, and of which upstream's
/// convert-gpu-to-nvvm would make a call of CUDA's library. (It also refuses
/// the ops of LLVM's own intrinsics, hence the call by name.)
template <typename Op>
struct SelectExact : public OpRewritePattern<Op> {
  SelectExact(MLIRContext *context, StringRef name)
      : OpRewritePattern<Op>(context), name(name) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!(element.isF32() || element.isF64()) || !isFixed(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    std::string full = (name + (element.isF32() ? ".f32" : ".f64")).str();
    rewriter.replaceOp(
        op, mapElements(b, op->getOperands(), op.getType(),
                        [&](ImplicitLocOpBuilder &b, ValueRange operands) {
                          return callIntrinsic(b, full, element, operands);
                        }));
    return success();
  }

  StringRef name;
};

/// f32 division that allows approximation: by a reciprocal, and one over
/// something is the reciprocal alone.
struct SelectDivision : public OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isF32(op.getType()) || !isFixed(op.getType()) ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isReciprocal = matchPattern(op.getLhs(), m_OneFloat());
    ValueRange operands = op->getOperands();
    if (isReciprocal)
      operands = operands.drop_front();
    rewriter.replaceOp(
        op, mapElements(b, operands, op.getType(),
                        [&](ImplicitLocOpBuilder &b, ValueRange operands) {
                          return isReciprocal
                                     ? instruction(b, "rcp.approx.f32",
                                                   b.getF32Type(), operands)
                                     : callIntrinsic(b,
                                                     "llvm.nvvm.div.approx.f",
                                                     b.getF32Type(), operands);
                        }));
    return success();
  }
};

/// Which of the two 8-bit formats of the hardware `type` is.
enum class HardwareF8 { E4M3, E5M2 };

} // namespace

static std::optional<HardwareF8> hardwareFormat(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<Float8E4M3FNType>(element))
    return HardwareF8::E4M3;
  if (isa<Float8E5M2Type>(element))
    return HardwareF8::E5M2;
  return std::nullopt;
}

/// The elements of `value` in order, an even number of them.
static SmallVector<Value> evenElements(ImplicitLocOpBuilder &b, Value value) {
  SmallVector<Value> elements;
  if (isa<VectorType>(value.getType()))
    llvm::append_range(elements,
                       vector::ToElementsOp::create(b, value).getElements());
  else
    elements.push_back(value);
  if (elements.size() % 2)
    elements.push_back(elements.back());
  return elements;
}

/// Whether no value of `value` but NaN is beyond `limit` in magnitude: it is
/// clamped by two comparisons and selects, as saturating casts are lowered.
static bool isClamped(Value value, double limit) {
  auto bound = [&](Value v, arith::CmpFPredicate wanted,
                   double expected) -> Value {
    auto select = v.getDefiningOp<arith::SelectOp>();
    if (!select)
      return nullptr;
    auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
    APFloat constant(0.0);
    if (!compare || compare.getPredicate() != wanted ||
        compare.getLhs() != select.getFalseValue() ||
        compare.getRhs() != select.getTrueValue() ||
        !matchPattern(select.getTrueValue(), m_ConstantFloat(&constant)) ||
        constant.convertToDouble() != expected)
      return nullptr;
    return select.getFalseValue();
  };
  Value inner = bound(value, arith::CmpFPredicate::OLT, -limit);
  return inner && bound(inner, arith::CmpFPredicate::OGT, limit);
}

namespace {

/// f16, bf16 and f32 to f8E4M3FN and f8E5M2. The instruction saturates; where
/// arith.truncf overflows to NaN or infinity, the result is mended.
struct SelectTruncF8 : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<HardwareF8> format = hardwareFormat(op.getType());
    Value in = op.getIn();
    if (!format || getElementTypeOrSelf(in).isF64() || !isFixed(op.getType()))
      return failure();
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool e4m3 = *format == HardwareF8::E4M3;
    StringRef name =
        e4m3 ? "llvm.nvvm.ff.to.e4m3x2.rn" : "llvm.nvvm.ff.to.e5m2x2.rn";
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!isF32(in.getType()))
      in = arith::ExtFOp::create(
          b, vector ? Type(vector.clone(b.getF32Type())) : b.getF32Type(), in);
    SmallVector<Value> elements = evenElements(b, in);
    SmallVector<Value> pairs;
    // The first operand is the upper half.
    for (size_t i = 0; i < elements.size(); i += 2)
      pairs.push_back(callIntrinsic(b, name, b.getI16Type(),
                                    {elements[i + 1], elements[i]}));
    int64_t count = vector ? vector.getNumElements() : 1;
    int64_t padded = elements.size();
    Value codes = vector::FromElementsOp::create(
        b, VectorType::get(padded / 2, b.getI16Type()), pairs);
    codes = vector::BitCastOp::create(b, VectorType::get(padded, b.getI8Type()),
                                      codes);
    if (padded != count)
      codes = vector::ExtractStridedSliceOp::create(b, codes, 0, count, 1);
    if (!isClamped(in, e4m3 ? 448.0 : 57344.0))
      codes = mendOverflow(b, in, codes, count, e4m3);
    Value result = arith::BitcastOp::create(
        b, VectorType::get(count, getElementTypeOrSelf(op.getType())), codes);
    if (!vector)
      result = vector::ExtractOp::create(b, result, 0);
    else
      result = vector::ShapeCastOp::create(b, vector, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  /// Puts NaN and infinity where `arith.truncf` has them.
  static Value mendOverflow(ImplicitLocOpBuilder &b, Value in, Value codes,
                            int64_t count, bool e4m3) {
    auto splat = [&](Type element, int64_t value) -> Value {
      auto type = VectorType::get(count, element);
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, b.getIntegerAttr(element, value)));
    };
    Type i8 = b.getI8Type(), i32 = b.getI32Type();
    auto flat = VectorType::get(count, b.getF32Type());
    if (isa<VectorType>(in.getType()))
      in = vector::ShapeCastOp::create(b, flat, in);
    else
      in = vector::BroadcastOp::create(b, flat, in);
    Value bits = arith::BitcastOp::create(b, VectorType::get(count, i32), in);
    Value magnitude = arith::AndIOp::create(b, bits, splat(i32, 0x7fffffff));
    Value sign = arith::TruncIOp::create(
        b, VectorType::get(count, i8),
        arith::AndIOp::create(b,
                              arith::ShRUIOp::create(b, bits, splat(i32, 24)),
                              splat(i32, 0x80)));
    // 464 rounds to 448, the tie's even neighbour; 61440 rounds to infinity.
    int64_t firstOver = e4m3 ? 0x43e80001 : 0x47700000;
    Value special = splat(i8, e4m3 ? 0x7f : 0x7c);
    if (!e4m3) {
      Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                                          magnitude, splat(i32, 0x7f800000));
      special = arith::SelectOp::create(b, isNaN, splat(i8, 0x7e), special);
    }
    special = arith::OrIOp::create(b, special, sign);
    Value over = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, magnitude,
                                       splat(i32, firstOver));
    return arith::SelectOp::create(b, over, special, codes);
  }
};

/// f8E4M3FN and f8E5M2 to wider types, by way of pairs of f16: exact.
struct SelectExtF8 : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<HardwareF8> format = hardwareFormat(op.getIn().getType());
    if (!format || !isFixed(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto vector = dyn_cast<VectorType>(op.getType());
    int64_t count = vector ? vector.getNumElements() : 1;
    Type i8 = b.getI8Type(), f16 = b.getF16Type();
    auto flat = VectorType::get(count, getElementTypeOrSelf(op.getIn()));
    Value in = op.getIn();
    if (vector)
      in = vector::ShapeCastOp::create(b, flat, in);
    else
      in = vector::BroadcastOp::create(b, flat, in);
    Value codes = arith::BitcastOp::create(b, VectorType::get(count, i8), in);
    SmallVector<Value> elements = evenElements(b, codes);
    int64_t padded = elements.size();
    codes = vector::FromElementsOp::create(b, VectorType::get(padded, i8),
                                           elements);
    Value words = vector::BitCastOp::create(
        b, VectorType::get(padded / 2, b.getI16Type()), codes);
    StringRef name = *format == HardwareF8::E4M3
                         ? "llvm.nvvm.e4m3x2.to.f16x2.rn"
                         : "llvm.nvvm.e5m2x2.to.f16x2.rn";
    auto pairType = VectorType::get(2, f16);
    SmallVector<Value> halves;
    for (Value word : vector::ToElementsOp::create(b, words).getElements()) {
      Value pair = callIntrinsic(b, name, pairType, word);
      llvm::append_range(halves,
                         vector::ToElementsOp::create(b, pair).getElements());
    }
    halves.resize(count);
    Value result =
        vector::FromElementsOp::create(b, VectorType::get(count, f16), halves);
    if (vector)
      result = vector::ShapeCastOp::create(b, vector.clone(f16), result);
    else
      result = vector::ExtractOp::create(b, result, 0);
    Type to = getElementTypeOrSelf(op.getType());
    auto typed = [&](Type element) -> Type {
      return vector ? Type(vector.clone(element)) : element;
    };
    if (to.isBF16()) {
      result = arith::ExtFOp::create(b, typed(b.getF32Type()), result);
      result = arith::TruncFOp::create(b, op.getType(), result);
    } else if (!to.isF16()) {
      result = arith::ExtFOp::create(b, op.getType(), result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Integers to f8E4M3FN and f8E5M2, by way of f32, which has all that do not
/// overflow. Canonicalization makes one op of the two.
template <typename Op>
struct SelectIntegerToF8 : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!hardwareFormat(op.getType()))
      return failure();
    auto vector = dyn_cast<VectorType>(op.getType());
    Type f32 = rewriter.getF32Type();
    Value wide = Op::create(rewriter, op.getLoc(),
                            vector ? Type(vector.clone(f32)) : f32, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

struct SelectInstructions
    : public amp::impl::AmpGPUSelectInstructionsPassBase<SelectInstructions> {
  using Base::Base;

  void runOnOperation() override {
    std::string error;
    FailureOr<amp::gpu::GPUTarget> device =
        amp::gpu::GPUTarget::get(target, error);
    if (failed(device)) {
      emitError(getOperation().getLoc(), "amp-gpu-select-instructions: ")
          << error;
      return signalPassFailure();
    }
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<SelectApproximate<math::Exp2Op>>(
        context, Approximation{"llvm.nvvm.ex2.approx.f32", true});
    patterns.add<SelectApproximate<math::Log2Op>>(
        context, Approximation{"llvm.nvvm.lg2.approx.f", true});
    patterns.add<SelectApproximate<math::RsqrtOp>>(
        context, Approximation{"llvm.nvvm.rsqrt.approx.f", true});
    patterns.add<SelectApproximate<math::SqrtOp>>(
        context, Approximation{"llvm.nvvm.sqrt.approx.f", true});
    patterns.add<SelectApproximate<math::SinOp>>(
        context, Approximation{"llvm.nvvm.sin.approx.f", true});
    patterns.add<SelectApproximate<math::CosOp>>(
        context, Approximation{"llvm.nvvm.cos.approx.f", true});
    patterns.add<SelectApproximate<math::TanhOp>>(
        context, Approximation{"tanh.approx.f32", false});
    patterns.add<SelectDivision>(context);
    if (device->hasF8Conversions() && !device->isSimulated)
      patterns
          .add<SelectTruncF8, SelectExtF8, SelectIntegerToF8<arith::SIToFPOp>,
               SelectIntegerToF8<arith::UIToFPOp>>(context);
    patterns.add<SelectExact<math::AbsFOp>>(context, "llvm.fabs");
    patterns.add<SelectExact<math::CeilOp>>(context, "llvm.ceil");
    patterns.add<SelectExact<math::CopySignOp>>(context, "llvm.copysign");
    patterns.add<SelectExact<math::FloorOp>>(context, "llvm.floor");
    patterns.add<SelectExact<math::FmaOp>>(context, "llvm.fma");
    patterns.add<SelectExact<math::RoundEvenOp>>(context, "llvm.roundeven");
    patterns.add<SelectExact<math::RoundOp>>(context, "llvm.round");
    patterns.add<SelectExact<math::SqrtOp>>(context, "llvm.sqrt");
    patterns.add<SelectExact<math::TruncOp>>(context, "llvm.trunc");
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);

    // Vectors were taken apart and put together: LLVM has one dimension only.
    RewritePatternSet unroll(context);
    vector::populateVectorShapeCastLoweringPatterns(unroll);
    vector::populateVectorInsertExtractStridedSliceTransforms(unroll);
    vector::populateVectorFromElementsUnrollPatterns(unroll);
    vector::populateVectorToElementsUnrollPatterns(unroll);
    (void)applyPatternsGreedily(getOperation(), std::move(unroll));
  }
};
} // namespace
