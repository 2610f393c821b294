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

#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/FloatEmitter.h"
#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using floats::FloatEmitter;

/// f32 of a register.
static constexpr int64_t kLanes = 16;

/// Whether `type` is a vector of f32 whose rows are whole registers of `lanes`.
static bool isRegisters(Type type, int64_t lanes = kLanes) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getRank() > 0 &&
         vector.getElementType().isF32() &&
         vector.getShape().back() % lanes == 0;
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

/// The mask of all lanes of a register.
static Value getAllLanes(ImplicitLocOpBuilder &b) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(kLanes), -1));
}

/// What is left of `x`, a register, above or beside a number with `bits` bits
/// after the point, zero of infinity: vreduceps. `rounding`: 0 takes the
/// nearest such number, 1 the next one below.
static Value emitReduce(ImplicitLocOpBuilder &b, Value x, int32_t bits,
                        int32_t rounding) {
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(x.getType())));
  return callIntrinsic(
      b, "llvm.x86.avx512.mask.reduce.ps.512", x.getType(),
      {x, getI32(b, bits << 4 | rounding), zero, getAllLanes(b), getI32(b, 4)});
}

using MapFunction = llvm::function_ref<Value(ValueRange)>;

/// `map` of each of `parts`, one operation of four of them after the other: the
/// order stays, and schedulers that hold less than one chain have several
/// chains to take from. More would not fit the registers.
static SmallVector<Value> mapInTurns(ImplicitLocOpBuilder &b,
                                     ArrayRef<SmallVector<Value>> parts,
                                     MapFunction map) {
  constexpr size_t kTurns = 4;
  SmallVector<Value> results;
  while (!parts.empty()) {
    SmallVector<SmallVector<Operation *>> chains;
    for (ArrayRef<Value> part : parts.take_front(kTurns)) {
      Block::iterator before = std::prev(b.getInsertionPoint());
      results.push_back(map(part));
      chains.emplace_back(llvm::make_pointer_range(
          llvm::make_range(std::next(before), b.getInsertionPoint())));
      assert(chains.back().size() == chains.front().size() && "parts differ");
    }
    for (size_t step = 0, e = chains.front().size(); step < e; ++step) {
      for (ArrayRef<Operation *> chain : chains) {
        chain[step]->remove();
        b.insert(chain[step]);
      }
    }
    parts = parts.drop_front(chains.size());
  }
  return results;
}

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
    SmallVector<SmallVector<Value>> parts;
    for (int64_t at = 0; at < columns; at += lanes) {
      parts.emplace_back();
      for (Value operand : operands)
        parts.back().push_back(
            vector::ExtractStridedSliceOp::create(b, operand, at, lanes, 1));
    }
    for (auto [i, part] : llvm::enumerate(mapInTurns(b, parts, map)))
      whole = vector::InsertStridedSliceOp::create(b, part, whole, i * lanes,
                                                   int64_t(1));
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

/// The smaller magnitude of `x` and `y`, registers, with the sign of `x`.
static Value emitClamp(ImplicitLocOpBuilder &b, Value x, Value y) {
  constexpr int32_t kClamp = 0b0010;
  Value mask = arith::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(kLanes), -1));
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(x.getType())));
  return callIntrinsic(b, "llvm.x86.avx512.mask.range.ps.512", x.getType(),
                       {x, y, getI32(b, kClamp), zero, mask, getI32(b, 4)});
}

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
constexpr int64_t kShortLanes = 8;
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

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

/// `power` * 2^exponent, rounded down; zero and infinity beyond f32.
static Value emitScale(ImplicitLocOpBuilder &b, Value power, Value exponent) {
  Value zero = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(power.getType())));
  return callIntrinsic(b, "llvm.x86.avx512.mask.scalef.ps.512", power.getType(),
                       {power, exponent, zero, getAllLanes(b), getI32(b, 4)});
}

/// 2^(i/32), each less than half an ulp off, of even i less than 0.46.
constexpr float kPowersOfTwo[2 * kLanes] = {
    0x1.000000p+0f, 0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f,
    0x1.172b84p+0f, 0x1.1d4874p+0f, 0x1.2387a6p+0f, 0x1.29e9e0p+0f,
    0x1.306fe0p+0f, 0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f,
    0x1.4bfdaep+0f, 0x1.5342b6p+0f, 0x1.5ab07ep+0f, 0x1.6247ecp+0f,
    0x1.6a09e6p+0f, 0x1.71f75ep+0f, 0x1.7a1148p+0f, 0x1.82589ap+0f,
    0x1.8ace54p+0f, 0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f,
    0x1.ae89fap+0f, 0x1.b7f770p+0f, 0x1.c199bep+0f, 0x1.cb720ep+0f,
    0x1.d5818ep+0f, 0x1.dfc974p+0f, 0x1.ea4afap+0f, 0x1.f50766p+0f};

/// Every `step`-th one, a register of them, from number `first` on.
static Value emitPowersOfTwo(ImplicitLocOpBuilder &b, VectorType type,
                             int64_t first, int64_t step) {
  SmallVector<float> powers;
  for (int64_t i = 0; i < kLanes; ++i)
    powers.push_back(kPowersOfTwo[first + i * step]);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<float>(powers)));
}

/// 1 ulp: half of it is the sum's, the rest the table's. vscalefps makes zero
/// and infinity of what is beyond f32, so that only the polynomial's argument
/// needs a bound, where it is meaningless then.
static Value emitScaledExp(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  // In the sum, the low bits are those of the nearest multiple of 1/16.
  Value magic = e.real(0x1.8p19f);
  Value shifted = e.fma(x, e.real(0x1.715476p+0f), magic);
  auto type = cast<VectorType>(x.getType());
  Value power =
      callIntrinsic(b, "llvm.x86.avx512.permvar.sf.512", type,
                    {emitPowersOfTwo(b, type, 0, 2), e.bitsOf(shifted)});
  Value n = e.sub(shifted, magic);
  // ln 2 in two terms, the first of 15 bits: times n, which has no more than
  // 11, it is exact.
  Value rest = e.fma(n, e.real(-0x1.62e4p-1f), x);
  rest = e.fma(n, e.real(-0x1.7f7d1cp-20f), rest);
  rest = emitClamp(b, rest, e.real(0.5f));
  Value above = e.mul(
      e.polynomial(rest, {1.666705757e-01f, 5.000162125e-01f, 1.0f}), rest);
  // NaN and infinities are in n, and decide.
  return emitScale(b, e.fma(above, power, power), n);
}

/// 2 ulp, and 2^-28 of x, by which log(2) is off: for what is marked with
/// floats::kSoftmaxAttrName. As above, with twice as many powers of two,
/// between which two terms are enough.
static Value emitScaledExpForSoftmax(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value magic = e.real(0x1.8p18f);
  Value shifted = e.fma(x, e.real(0x1.715476p+0f), magic);
  auto type = cast<VectorType>(x.getType());
  Value power =
      callIntrinsic(b, "llvm.x86.avx512.vpermi2var.ps.512", type,
                    {emitPowersOfTwo(b, type, 0, 1), e.bitsOf(shifted),
                     emitPowersOfTwo(b, type, kLanes, 1)});
  Value n = e.sub(shifted, magic);
  Value rest = emitClamp(b, e.fma(n, e.real(-0x1.62e43p-1f), x), e.real(0.5f));
  Value above = e.mul(e.polynomial(rest, {0.5f, 1.000014645f}), rest);
  return emitScale(b, e.fma(above, power, power), n);
}

/// Relative error below 2^-17 while the result is normal.
static Value emitScaledExpForNarrow(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  Value scaled = e.mul(x, e.real(0x1.715476p+0f));
  Value rest = emitReduce(b, scaled, /*bits=*/0, /*rounding=*/1);
  Value power = e.polynomial(rest, {1.342668571e-02f, 5.224247183e-02f,
                                    2.412802095e-01f, 6.930448413e-01f, 1.0f});
  return emitScale(b, power, scaled);
}

/// e^shift * 2^(i/8), each less than 0.1 ulp off (2^(i/8) alone would be 0.34),
/// less i in the bits from 20 on. shift = log(1 + 22862 * 2^-23).
constexpr uint32_t kShiftedPowersOfTwo[kShortLanes] = {
    0x3f80594e, 0x3f7bf725, 0x3f78a224, 0x3f7672a7,
    0x3f75833f, 0x3f75f0e4, 0x3f77db2e, 0x3f7b6490};

/// floats::kRaisedExpFactor * e^x for x that is never positive, with AVX2: 1
/// ulp, or, where it is `forNarrow`, a relative error below 2^-17, or, where it
/// is `forSoftmax`, 1 ulp and 2^-28 of x.
static Value emitRaisedExp(ImplicitLocOpBuilder &b, Value x, bool forNarrow,
                           bool forSoftmax) {
  FloatEmitter e(b, x.getType());
  x = e.atLeast(x, -104.0f);
  // In the sum, the low bits are those of the nearest multiple of 1/8, and 24:
  // 2^n is then normal wherever the result is not zero.
  Value magic = e.real(0x1.8p20f + 24), log2E = e.real(0x1.715476p+0f);
  Value shifted = e.fma(x, log2E, magic);
  Value bits = e.bitsOf(shifted);
  auto type = cast<VectorType>(x.getType());
  Value table = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type.clone(b.getI32Type()),
                                ArrayRef<uint32_t>(kShiftedPowersOfTwo)));
  Value power =
      callIntrinsic(b, "llvm.x86.avx2.permps", type, {e.floatOf(table), bits});
  power = e.floatOf(e.addI(e.bitsOf(power), e.shiftLeft(bits, 20)));
  // What is left: e^(rest - shift) - 1 for |rest| up to log(2)/16, or, in
  // powers of two, for |rest| up to 1/16.
  Value above;
  if (forNarrow) {
    Value rest = e.fma(x, log2E, e.sub(magic, shifted));
    above = e.polynomial(
        rest, {2.395454943e-01f, 6.914254427e-01f, -2.717845608e-03f});
  } else {
    Value n = e.sub(shifted, magic);
    Value rest = forSoftmax ? e.fma(n, e.real(-0x1.62e43p-1f), x)
                            // ln 2 in two terms, as above.
                            : e.fma(n, e.real(-0x1.7f7d1cp-20f),
                                    e.fma(n, e.real(-0x1.62e4p-1f), x));
    above = e.polynomial(rest, {1.661965102e-01f, 4.987190068e-01f,
                                9.972820878e-01f, -2.717973664e-03f});
  }
  return e.fma(above, power, power);
}

namespace {
struct ScaleExp : public OpRewritePattern<math::ExpOp> {
  ScaleExp(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/20) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isRegisters(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto emit =
        op->hasAttr(floats::kNarrowResultAttrName) ? emitScaledExpForNarrow
        : op->hasAttr(floats::kSoftmaxAttrName)    ? emitScaledExpForSoftmax
                                                   : emitScaledExp;
    auto map = [&](ValueRange parts) { return emit(b, parts.front()); };
    auto type = cast<VectorType>(op.getType());
    rewriter.replaceOp(op, mapParts(b, type, op.getOperand(), kLanes, map));
    return success();
  }
};

/// With 8 numbers in a table, only what is never positive is faster.
struct TabulateExpShort : public OpRewritePattern<math::ExpOp> {
  TabulateExpShort(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/20) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isRegisters(op.getType(), kShortLanes) ||
        !op->hasAttr(floats::kNeverPositiveAttrName))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isNarrow = op->hasAttr(floats::kNarrowResultAttrName),
         isOfSoftmax = op->hasAttr(floats::kSoftmaxAttrName);
    auto map = [&](ValueRange parts) {
      return emitRaisedExp(b, parts.front(), isNarrow, isOfSoftmax);
    };
    auto type = cast<VectorType>(op.getType());
    floats::replaceByRaised(
        rewriter, op, mapParts(b, type, op.getOperand(), kShortLanes, map));
    return success();
  }
};
} // namespace

void cpu::populateX86FloatPatterns(RewritePatternSet &patterns,
                                   const CPUTarget &target, bool approximate) {
  MLIRContext *context = patterns.getContext();
  if (target.hasBF16Rounding)
    patterns.add<RoundToBF16>(context);
  if (target.hasShortTables && approximate)
    patterns.add<TabulateErfShort, TabulateExpShort>(context);
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
    patterns.add<TabulateErf, ScaleExp>(context);
}
