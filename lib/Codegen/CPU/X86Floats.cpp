//===- X86Floats.cpp - f32 arithmetic by instructions of x86 --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM does not make of arith and math: instructions of AVX-512 on
// registers of 16 f32. Vectors of several registers are cut into them.
//
//===----------------------------------------------------------------------===//

#include "X86Floats.h"

#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/FloatEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using floats::FloatEmitter;

/// f32 of a register.
static constexpr int64_t kLanes = 16;

/// Whether `type` is a vector of f32 whose rows are whole registers.
static bool isRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getRank() > 0 &&
         vector.getElementType().isF32() &&
         vector.getShape().back() % kLanes == 0;
}

static Value callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type result,
                           ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name),
                                       operands)
      .getResults();
}

static Value getI32(ImplicitLocOpBuilder &b, int32_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

using MapFunction = llvm::function_ref<Value(ValueRange)>;

/// The vector of type `result` whose parts of `lanes` elements along the last
/// dimension are `map` of those of `operands`, all of one shape.
static Value mapParts(ImplicitLocOpBuilder &b, VectorType result,
                      ValueRange operands, int64_t lanes, MapFunction map) {
  int64_t columns = result.getShape().back();
  if (result.getRank() == 1 && columns == lanes)
    return map(operands);
  Value whole =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(result)));
  if (result.getRank() == 1) {
    for (int64_t at = 0; at < columns; at += lanes) {
      SmallVector<Value> parts;
      for (Value operand : operands)
        parts.push_back(
            vector::ExtractStridedSliceOp::create(b, operand, at, lanes, 1));
      whole = vector::InsertStridedSliceOp::create(b, map(parts), whole, at,
                                                   int64_t(1));
    }
    return whole;
  }
  auto row = VectorType::get(columns, result.getElementType());
  ArrayRef<int64_t> outer = result.getShape().drop_back();
  SmallVector<int64_t> strides = computeStrides(outer);
  for (int64_t i = 0, e = computeProduct(outer); i < e; ++i) {
    SmallVector<int64_t> at = delinearize(i, strides);
    SmallVector<Value> rows;
    for (Value operand : operands)
      rows.push_back(vector::ExtractOp::create(b, operand, at));
    whole = vector::InsertOp::create(b, mapParts(b, row, rows, lanes, map),
                                     whole, at);
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// `part` with the exponent of 1 where it is subnormal, and where that is: its
/// bits are rounded in the same place then, and the instruction, which takes
/// subnormal numbers for zero, keeps them.
static std::pair<Value, Value> liftSubnormal(ImplicitLocOpBuilder &b,
                                             Value part) {
  FloatEmitter e(b, part.getType());
  constexpr int32_t subnormal = 0x20;
  Value isSubnormal =
      callIntrinsic(b, "llvm.x86.avx512.fpclass.ps.512", e.type(b.getI1Type()),
                    {part, getI32(b, subnormal)});
  Value lifted = arith::OrIOp::create(b, e.bitsOf(part), e.integer(0x3f800000));
  return {e.select(isSubnormal, e.floatOf(lifted), part), isSubnormal};
}

/// `rounded`, a vector of bf16, less the exponent of 1 in the lanes of `mask`.
static Value lowerSubnormal(ImplicitLocOpBuilder &b, Value rounded,
                            Value mask) {
  auto type = cast<VectorType>(rounded.getType());
  VectorType integers = type.clone(b.getI16Type());
  Value bits = arith::BitcastOp::create(b, integers, rounded);
  Value one = arith::ConstantOp::create(
      b, DenseElementsAttr::get(integers, b.getI16IntegerAttr(0x3f80)));
  bits = arith::SelectOp::create(b, mask, arith::SubIOp::create(b, bits, one),
                                 bits);
  return arith::BitcastOp::create(b, type, bits);
}

/// One or two registers of f32 as bf16.
static Value roundRegisters(ImplicitLocOpBuilder &b, Value value) {
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  auto narrow = VectorType::get(lanes, b.getBF16Type());
  if (lanes == kLanes) {
    auto [lifted, mask] = liftSubnormal(b, value);
    Value rounded = callIntrinsic(b, "llvm.x86.avx512bf16.cvtneps2bf16.512",
                                  narrow, lifted);
    return lowerSubnormal(b, rounded, mask);
  }
  Value whole = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(narrow.clone(b.getI1Type()))));
  Value halves[2];
  for (int64_t half : {0, 1}) {
    Value part = vector::ExtractStridedSliceOp::create(b, value, half * kLanes,
                                                       kLanes, 1);
    auto [lifted, mask] = liftSubnormal(b, part);
    halves[half] = lifted;
    whole = vector::InsertStridedSliceOp::create(b, mask, whole, half * kLanes,
                                                 int64_t(1));
  }
  Value rounded = callIntrinsic(b, "llvm.x86.avx512bf16.cvtne2ps2bf16.512",
                                narrow, {halves[1], halves[0]});
  return lowerSubnormal(b, rounded, whole);
}

namespace {
struct RoundToBF16 : public OpRewritePattern<arith::TruncFOp> {
  RoundToBF16(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/20) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<VectorType>(op.getType());
    if (!result || !result.getElementType().isBF16() ||
        !isRegisters(op.getIn().getType()) ||
        op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
            arith::RoundingMode::to_nearest_even)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool pairs = result.getShape().back() % (2 * kLanes) == 0;
    rewriter.replaceOp(op, mapParts(b, result, op.getIn(),
                                    pairs ? 2 * kLanes : kLanes,
                                    [&](ValueRange parts) {
                                      return roundRegisters(b, parts.front());
                                    }));
    return success();
  }
};
} // namespace

void cpu::populateX86FloatPatterns(RewritePatternSet &patterns,
                                   const CPUTarget &target) {
  MLIRContext *context = patterns.getContext();
  if (target.hasBF16Rounding)
    patterns.add<RoundToBF16>(context);
}
