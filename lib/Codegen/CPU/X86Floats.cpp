//===- X86Floats.cpp - f32 arithmetic by instructions of x86 --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM does not make of arith and math: instructions of AVX-512 on
// registers of 16 f32, and of AVX2 on 8. Vectors of several registers are cut
// into them.
//
//===----------------------------------------------------------------------===//

#include "X86Floats.h"

#include "X86Registers.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;
using floats::FloatEmitter;

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// Lanes that are rounded behind one branch: with their results they fit the
/// registers.
static constexpr int64_t kRoundedLanes = 8 * kLanes;

/// `parts`, registers of f32, as bf16 by the instructions, which take subnormal
/// numbers for zero: two registers by one, or each alone.
static Value convertRegisters(ImplicitLocOpBuilder &b, ArrayRef<Value> parts) {
  auto result = VectorType::get(parts.size() * kLanes, b.getBF16Type());
  size_t step = parts.size() % 2 == 0 ? 2 : 1;
  auto narrow = VectorType::get(step * kLanes, b.getBF16Type());
  auto convert = [&](ArrayRef<Value> of) {
    return step == 2 ? callIntrinsic(b, "llvm.x86.avx512bf16.cvtne2ps2bf16.512",
                                     narrow, {of[1], of[0]})
                     : callIntrinsic(b, "llvm.x86.avx512bf16.cvtneps2bf16.512",
                                     narrow, of);
  };
  if (parts.size() == step)
    return convert(parts);
  Value whole =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(result)));
  for (size_t i = 0; i < parts.size(); i += step)
    whole = vector::InsertStridedSliceOp::create(
        b, convert(parts.slice(i, step)), whole, int64_t(i) * kLanes,
        int64_t(1));
  return whole;
}

/// The same of `parts` that may be subnormal where `masks` has their lanes:
/// they get the exponent of 1, and their bits are rounded in the same place
/// then.
static Value convertSubnormals(ImplicitLocOpBuilder &b, ArrayRef<Value> parts,
                               ArrayRef<Value> masks) {
  FloatEmitter e(b, parts.front().getType());
  auto bits = VectorType::get(parts.size() * kLanes, b.getI1Type());
  Value mask =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(bits)));
  SmallVector<Value> lifted;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Value up = arith::OrIOp::create(b, e.bitsOf(part), e.integer(0x3f800000));
    lifted.push_back(e.select(masks[i], e.floatOf(up), part));
    mask = vector::InsertStridedSliceOp::create(
        b, masks[i], mask, int64_t(i) * kLanes, int64_t(1));
  }
  Value rounded = convertRegisters(b, lifted);
  auto type = cast<VectorType>(rounded.getType());
  VectorType integers = type.clone(b.getI16Type());
  Value code = arith::BitcastOp::create(b, integers, rounded);
  Value one = arith::ConstantOp::create(
      b, DenseElementsAttr::get(integers, b.getI16IntegerAttr(0x3f80)));
  Value lowered = arith::SubIOp::create(b, code, one);
  code = arith::SelectOp::create(b, mask, lowered, code);
  return arith::BitcastOp::create(b, type, code);
}

/// Up to kRoundedLanes of f32 as bf16. Subnormal numbers are rare: a branch
/// keeps what they need out of the way.
static Value roundRegisters(ImplicitLocOpBuilder &b, Value value) {
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  SmallVector<Value> parts, masks;
  Value any;
  for (int64_t at = 0; at < lanes; at += kLanes) {
    constexpr int32_t subnormal = 0x20;
    Value part =
        lanes == kLanes
            ? value
            : vector::ExtractStridedSliceOp::create(b, value, at, kLanes, 1);
    Value mask = callIntrinsic(b, "llvm.x86.avx512.fpclass.ps.512",
                               VectorType::get(kLanes, b.getI1Type()),
                               {part, getI32(b, subnormal)});
    any = any ? arith::OrIOp::create(b, any, mask) : mask;
    parts.push_back(part);
    masks.push_back(mask);
  }
  Value converted = convertRegisters(b, parts);
  Type word = b.getIntegerType(kLanes);
  Value none = arith::ConstantOp::create(b, b.getIntegerAttr(word, 0));
  Value isAny = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ne, LLVM::BitcastOp::create(b, word, any), none);
  Value rarely = arith::ConstantOp::create(b, b.getBoolAttr(false));
  isAny = LLVM::ExpectOp::create(b, isAny, rarely);
  auto select = scf::IfOp::create(
      b, isAny,
      [&](OpBuilder &builder, Location loc) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value result = convertSubnormals(inner, parts, masks);
        scf::YieldOp::create(inner, result);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, converted);
      });
  return select.getResult(0);
}

/// A row of f32, whole registers, as bf16.
static Value roundRow(ImplicitLocOpBuilder &b, Value row) {
  auto type = cast<VectorType>(row.getType());
  int64_t columns = type.getNumElements();
  if (columns <= kRoundedLanes)
    return roundRegisters(b, row);
  Value whole = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(type.clone(b.getBF16Type()))));
  for (int64_t at = 0; at < columns; at += kRoundedLanes) {
    Value part = vector::ExtractStridedSliceOp::create(
        b, row, at, std::min(kRoundedLanes, columns - at), 1);
    whole = vector::InsertStridedSliceOp::create(b, roundRegisters(b, part),
                                                 whole, at, int64_t(1));
  }
  return whole;
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
    rewriter.replaceOp(
        op,
        mapParts(b, result, op.getIn(), result.getShape().back(),
                 [&](ValueRange rows) { return roundRow(b, rows.front()); }));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers of two
//===----------------------------------------------------------------------===//

/// What the instruction for `name` ("max" or "min") takes of two vectors of 4,
/// 8 or 16: `y` where one is NaN.
static Value emitExtremum(ImplicitLocOpBuilder &b, StringRef name, Value x,
                          Value y) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  SmallVector<Value> operands = {x, y};
  // The widest form also says that exceptions are as the thread has them.
  if (lanes == kLanes)
    operands.push_back(getI32(b, 4));
  StringRef prefix = lanes == kLanes ? "avx512" : lanes == 8 ? "avx" : "sse";
  std::string suffix = lanes == kLanes ? ".ps.512"
                       : lanes == 8    ? ".ps.256"
                                       : ".ps";
  return callIntrinsic(b, ("llvm.x86." + prefix + "." + name).str() + suffix,
                       x.getType(), operands);
}

namespace {
/// The larger or smaller of two vectors in three instructions. The one for it
/// gives its second operand where either is NaN, so that a test of one operand
/// decides the rest:
///   maxnumf and minnumf, which ignore NaN, are the first operand where the
///   second one is NaN (vrangeps, which does the same alone, makes NaN of a
///   signalling one, such as bf16 may have);
///   maximumf and minimumf are the first operand where that is NaN. As arith, a
///   comparison and a selection would be merged with that test into four
///   instructions, three of which wait for the second operand.
/// What a loop carries is the operand that is not tested.
template <typename Op, bool ignoresNaN>
struct SelectExtremum : public OpRewritePattern<Op> {
  SelectExtremum(MLIRContext *context, StringRef name, int64_t widest)
      : OpRewritePattern<Op>(context, /*benefit=*/20), name(name),
        widest(widest) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable() || type.getRank() == 0 ||
        !type.getElementType().isF32())
      return failure();
    // The last steps of a reduction are narrower than a register.
    int64_t columns = type.getShape().back();
    int64_t lanes = columns % widest == 0 ? widest : columns;
    if (lanes != widest && lanes != 8 && lanes != 4)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value tested = op.getLhs(), other = op.getRhs();
    if (isa<BlockArgument>(tested) && !isa<BlockArgument>(other))
      std::swap(tested, other);
    auto select = [&](ValueRange parts) -> Value {
      Value first = parts[ignoresNaN], second = parts[!ignoresNaN];
      Value best = emitExtremum(b, name, first, second);
      Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO,
                                          parts[0], parts[0]);
      return arith::SelectOp::create(b, isNaN, first, best);
    };
    rewriter.replaceOp(op, mapParts(b, type, {tested, other}, lanes, select));
    return success();
  }

  StringRef name;
  /// Lanes of the widest registers.
  int64_t widest;
};
} // namespace

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

namespace {
/// Coefficients by interval: erf(c + r) for c = k / 4 and |r| <= 1/8, the
/// highest degree first; minimax in relative error, and rounded to f32, the
/// lowest degree first. Of the first interval it is erf(r) - r, which has no
/// constant term; of the last the largest argument gives 1.
constexpr float kErf[6][kLanes] = {
    {1.107911393e-01f, 8.112968504e-02f, 8.331147954e-03f, -5.208253860e-02f,
     -6.906004995e-02f, -4.700317606e-02f, -1.493713632e-02f, 6.502280477e-03f,
     1.303240284e-02f, 1.064766757e-02f, 6.127336062e-03f, 2.771449275e-03f,
     1.025632024e-03f, 3.178145271e-04f, 8.349112613e-05f, 1.875413909e-05f},
    {3.262600803e-04f, 1.260928959e-01f, 1.821278185e-01f, 1.506686211e-01f,
     6.885339320e-02f, -5.288735963e-03f, -4.361623898e-02f, -4.740700498e-02f,
     -3.371458128e-02f, -1.854489371e-02f, -9.616689757e-03f, -2.994574839e-03f,
     -1.805851585e-03f, 7.378891314e-05f, 8.380811778e-04f, -8.449817542e-04f},
    {-3.761443794e-01f, -3.091976345e-01f, -1.464803815e-01f, 2.677405812e-02f,
     1.383710504e-01f, 1.675339490e-01f, 1.387521923e-01f, 9.015779197e-02f,
     4.822297022e-02f, 2.172453329e-02f, 8.350068703e-03f, 2.760299947e-03f,
     7.890537381e-04f, 1.957884961e-04f, 4.228830585e-05f, 7.967627425e-06f},
    {3.315539914e-07f, -2.649990022e-01f, -4.393884242e-01f, -4.822045863e-01f,
     -4.151012003e-01f, -2.956598401e-01f, -1.784060895e-01f, -9.236492217e-02f,
     -4.134527594e-02f, -1.607934572e-02f, -5.430843681e-03f, -1.616789377e-03f,
     -4.060318461e-04f, -1.005646482e-04f, -3.308276064e-05f, 9.687933016e-06f},
    {1.283791661e-01f, 1.060014248e+00f, 8.787826300e-01f, 6.429311037e-01f,
     4.151074886e-01f, 2.365211248e-01f, 1.189302877e-01f, 5.277499557e-02f,
     2.066698670e-02f, 7.142319344e-03f, 2.178284107e-03f, 5.862772814e-04f,
     1.392530539e-04f, 2.918902646e-05f, 5.399426755e-06f, 1.041432142e-06f},
    {0.000000000e+00f, 2.763263881e-01f, 5.204998851e-01f, 7.111556530e-01f,
     8.427007794e-01f, 9.229001403e-01f, 9.661051631e-01f, 9.866716862e-01f,
     9.953222871e-01f, 9.985373020e-01f, 9.995930195e-01f, 9.998993874e-01f,
     9.999778867e-01f, 9.999957085e-01f, 9.999992847e-01f, 9.999998808e-01f},
};
/// Above, erf is 1; as a multiple of 1/4 it still rounds down.
constexpr float kErfEnd = 3.8749998f;

/// 2 ulp, in less than half of the instructions of a form without tables.
struct TabulateErf : public OpRewritePattern<math::ErfOp> {
  TabulateErf(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/20) {}

  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isRegisters(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<VectorType>(op.getType());
    auto table = VectorType::get(kLanes, b.getF32Type());
    auto map = [&](ValueRange parts) {
      Value x = parts.front();
      FloatEmitter e(b, x.getType());
      Value magnitude = e.abs(x), end = e.real(kErfEnd);
      // NaN stays NaN.
      magnitude = e.select(e.less(end, magnitude), end, magnitude);
      // In the sum, the low bits are those of the nearest multiple of 1/4.
      Value magic = e.real(0x1.8p21f);
      Value shifted = e.add(magnitude, magic);
      // Takes that multiple off.
      Value rest = emitReduce(b, magnitude, /*bits=*/2, /*rounding=*/0);
      Value index = e.bitsOf(shifted);
      auto coefficient = [&](unsigned row) {
        Value values = arith::ConstantOp::create(
            b, DenseElementsAttr::get(table, ArrayRef<float>(kErf[row])));
        return callIntrinsic(b, "llvm.x86.avx512.permvar.sf.512", table,
                             {values, index});
      };
      Value sum = coefficient(0);
      for (unsigned row = 1; row < 5; ++row)
        sum = e.fma(sum, rest, coefficient(row));
      // Small results have r itself as their constant term: their relative
      // error is that of what is added to it.
      Value isAbove = e.less(e.real(0.125f), magnitude);
      Value constant = e.select(isAbove, coefficient(5), magnitude);
      return e.copySign(e.fma(sum, rest, constant), x);
    };
    rewriter.replaceOp(op, mapParts(b, type, op.getOperand(), kLanes, map));
    return success();
  }
};

/// Coefficients as above of erf(c + r) for c = k / 2 + 1/4 and |r| <= 1/4, and
/// of erf(r) - r for r up to 1/2.
constexpr float kShortErf[8][kShortLanes] = {
    {-1.786471531e-02f, 1.661143824e-02f, 3.610252636e-03f, -5.961986259e-03f,
     -7.291310467e-04f, 6.356763770e-04f, 1.735766127e-04f, 1.714552491e-05f},
    {-8.187175728e-03f, -2.730751783e-02f, 2.017487399e-02f, 8.486147039e-03f,
     -3.480296582e-03f, -2.015056089e-03f, -6.945100613e-04f, 1.846563391e-04f},
    {1.159908473e-01f, -5.307860300e-02f, -4.717225954e-02f, 6.621234585e-03f,
     1.066084486e-02f, 2.756301081e-03f, 3.136308223e-04f, 1.832997259e-05f},
    {-5.984622403e-04f, 1.507550776e-01f, -6.085729226e-03f, -4.804390669e-02f,
     -1.901160553e-02f, -3.219734412e-03f, -2.401497186e-04f,
     -3.624543024e-05f},
    {-3.760724962e-01f, 2.678407356e-02f, 1.675354689e-01f, 9.015732259e-02f,
     2.172449045e-02f, 2.760380274e-03f, 1.958125795e-04f, 7.970330444e-06f},
    {-1.887828716e-06f, -4.822006524e-01f, -2.956531942e-01f, -9.235812724e-02f,
     -1.607255265e-02f, -1.613454195e-03f, -9.630744898e-05f,
     -2.604195288e-06f},
    {1.283791810e-01f, 6.429311037e-01f, 2.365211248e-01f, 5.277499557e-02f,
     7.142319344e-03f, 5.862772814e-04f, 2.918901191e-05f, 8.814288321e-07f},
    {0.000000000e+00f, 7.111556530e-01f, 9.229001403e-01f, 9.866716862e-01f,
     9.985373020e-01f, 9.998993874e-01f, 9.999957085e-01f, 9.999998808e-01f},
};
/// Above, erf is 1; less 1/4, it still rounds to 7 / 2.
constexpr float kShortErfEnd = 3.9999998f;

/// The same with AVX2, whose tables have 8 numbers: 1 ulp.
struct TabulateErfShort : public OpRewritePattern<math::ErfOp> {
  TabulateErfShort(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/20) {}

  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isRegisters(op.getType(), kShortLanes))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = cast<VectorType>(op.getType());
    auto table = VectorType::get(kShortLanes, b.getF32Type());
    auto map = [&](ValueRange parts) {
      Value x = parts.front();
      FloatEmitter e(b, x.getType());
      Value magnitude = e.abs(x), end = e.real(kShortErfEnd);
      // NaN stays NaN.
      magnitude = e.select(e.less(end, magnitude), end, magnitude);
      // In the sum, the low bits are those of the nearest multiple of 1/2.
      Value magic = e.real(0x1.8p22f);
      Value lowered = e.sub(magnitude, e.real(0.25f));
      Value shifted = e.add(lowered, magic);
      Value index = e.bitsOf(shifted);
      auto coefficient = [&](unsigned row) {
        Value values = arith::ConstantOp::create(
            b, DenseElementsAttr::get(table, ArrayRef<float>(kShortErf[row])));
        return callIntrinsic(b, "llvm.x86.avx2.permps", table, {values, index});
      };
      // Small results are r itself and what is added to it.
      Value isAbove = e.less(e.real(0.5f), magnitude);
      Value rest =
          e.select(isAbove, e.sub(lowered, e.sub(shifted, magic)), magnitude);
      Value sum = coefficient(0);
      for (unsigned row = 1; row < 7; ++row)
        sum = e.fma(sum, rest, coefficient(row));
      Value constant = e.select(isAbove, coefficient(7), magnitude);
      return e.copySign(e.fma(sum, rest, constant), x);
    };
    rewriter.replaceOp(op,
                       mapParts(b, type, op.getOperand(), kShortLanes, map));
    return success();
  }
};

} // namespace

void cpu::populateX86FloatPatterns(RewritePatternSet &patterns,
                                   const CPUTarget &target, bool approximate) {
  MLIRContext *context = patterns.getContext();
  if (approximate)
    populateX86ExpPatterns(patterns, target);
  if (target.hasBF16Rounding)
    patterns.add<RoundToBF16>(context);
  if (target.hasShortTables && approximate)
    patterns.add<TabulateErfShort>(context);
  if (!target.hasTables && !target.hasShortTables)
    return;
  int64_t widest = target.hasTables ? kLanes : kLanes / 2;
  patterns.add<SelectExtremum<arith::MaxNumFOp, /*ignoresNaN=*/true>,
               SelectExtremum<arith::MaximumFOp, /*ignoresNaN=*/false>>(
      context, "max", widest);
  patterns.add<SelectExtremum<arith::MinNumFOp, /*ignoresNaN=*/true>,
               SelectExtremum<arith::MinimumFOp, /*ignoresNaN=*/false>>(
      context, "min", widest);
  if (target.hasTables && approximate)
    patterns.add<TabulateErf>(context);
}
