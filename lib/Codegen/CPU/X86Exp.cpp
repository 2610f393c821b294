//===- X86Exp.cpp - exp by instructions of x86 ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms of exp that take a power of two from a register, and with AVX-512 leave
// the rest of the exponent to vscalefps. In a softmax, which subtracts the
// largest number of a row, that is part of the first multiply-add.
//
//===----------------------------------------------------------------------===//

#include "X86Floats.h"

#include "Emit.h"
#include "LanesInWords.h"
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

/// log2(e), and log(2).
static constexpr float kLog2E = 0x1.715476p+0f, kLn2 = 0x1.62e43p-1f;

/// The smaller magnitude of `x` and `y`, registers, with the sign of `x`.
static Value emitClamp(ImplicitLocOpBuilder &b, Value x, Value y) {
  constexpr int32_t kClamp = 0b0010;
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(x.getType())));
  return callIntrinsic(
      b, "llvm.x86.avx512.mask.range.ps.512", x.getType(),
      {x, y, getI32(b, kClamp), zero, getAllLanes(b), getI32(b, 4)});
}

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
static Value emitPowersOfTwo(ImplicitLocOpBuilder &b, Type type, int64_t first,
                             int64_t step) {
  SmallVector<float> powers;
  for (int64_t i = 0; i < kLanes; ++i)
    powers.push_back(kPowersOfTwo[first + i * step]);
  return arith::ConstantOp::create(
      b,
      DenseElementsAttr::get(cast<VectorType>(type), ArrayRef<float>(powers)));
}

/// Of them all, those of the lowest five bits of `shifted`.
static Value emitPowerOfTwo(ImplicitLocOpBuilder &b, Value shifted) {
  Type type = shifted.getType();
  return callIntrinsic(b, "llvm.x86.avx512.vpermi2var.ps.512", type,
                       {emitPowersOfTwo(b, type, 0, 1),
                        FloatEmitter(b, type).bitsOf(shifted),
                        emitPowersOfTwo(b, type, kLanes, 1)});
}

/// 1 ulp: half of it is the sum's, the rest the table's. vscalefps makes zero
/// and infinity of what is beyond f32, so that only the polynomial's argument
/// needs a bound, where it is meaningless then.
static Value emitScaledExp(ImplicitLocOpBuilder &b, Value x) {
  FloatEmitter e(b, x.getType());
  // In the sum, the low bits are those of the nearest multiple of 1/16.
  Value magic = e.real(0x1.8p19f);
  Value shifted = e.fma(x, e.real(kLog2E), magic);
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
  Value shifted = e.fma(x, e.real(kLog2E), magic);
  Value power = emitPowerOfTwo(b, shifted);
  Value n = e.sub(shifted, magic);
  Value rest = emitClamp(b, e.fma(n, e.real(-kLn2), x), e.real(0.5f));
  Value above = e.mul(e.polynomial(rest, {0.5f, 1.000014645f}), rest);
  return emitScale(b, e.fma(above, power, power), n);
}

/// 2^x, where a polynomial is 2^(the fraction of x): `terms`, the highest
/// degree first.
static Value emitExp2(ImplicitLocOpBuilder &b, Value x, ArrayRef<float> terms) {
  FloatEmitter e(b, x.getType());
  Value rest = emitReduce(b, x, /*bits=*/0, /*rounding=*/1);
  return emitScale(b, e.polynomial(rest, terms), x);
}

/// 2^x with a relative error below 2^-17, or below 2^-13 where no one sees more
/// than bf16 (`forBF16`), while the result is normal.
static Value emitExp2ForNarrow(ImplicitLocOpBuilder &b, Value x, bool forBF16) {
  return forBF16 ? emitExp2(b, x,
                            {7.706704736e-02f, 2.276449949e-01f,
                             6.951167583e-01f, 1.0f})
                 : emitExp2(b, x,
                            {1.342668571e-02f, 5.224247183e-02f,
                             2.412802095e-01f, 6.930448413e-01f, 1.0f});
}

/// 2^x times a number close to 1, 2 ulp off: `terms` are that times those of
/// 2^rest - 1, the square's first, and that less 1. The argument of the
/// polynomial needs no bound: it is what vreduceps leaves.
static Value emitExp2ForSoftmax(ImplicitLocOpBuilder &b, Value x,
                                std::array<Value, 3> terms) {
  FloatEmitter e(b, x.getType());
  Value rest = emitReduce(b, x, /*bits=*/5, /*rounding=*/1);
  // In the sum, the low bits are those of the multiple of 1/32 below.
  constexpr int32_t down = 0b1001;
  Value shifted = callIntrinsic(b, "llvm.x86.avx512.add.ps.512", x.getType(),
                                {x, e.real(0x1.8p18f), getI32(b, down)});
  Value power = emitPowerOfTwo(b, shifted);
  Value above = e.fma(e.fma(terms[0], rest, terms[1]), rest, terms[2]);
  return emitScale(b, e.fma(above, power, power), x);
}

/// Whether no one sees more than bf16 of `exp`, more than f16, or more than
/// either (nothing).
static std::optional<bool> isForBF16(math::ExpOp exp) {
  auto narrow = exp->getAttrOfType<TypeAttr>(floats::kNarrowResultAttrName);
  if (!narrow)
    return std::nullopt;
  return !narrow.getValue().isF16();
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
  Value magic = e.real(0x1.8p20f + 24), log2E = e.real(kLog2E);
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
    Value rest = forSoftmax ? e.fma(n, e.real(-kLn2), x)
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
    std::optional<bool> forBF16 = isForBF16(op);
    bool isOfSoftmax = op->hasAttr(floats::kSoftmaxAttrName);
    auto map = [&](ValueRange parts) {
      Value x = parts.front();
      FloatEmitter e(b, x.getType());
      if (forBF16)
        return emitExp2ForNarrow(b, e.mul(x, e.real(kLog2E)), *forBF16);
      return isOfSoftmax ? emitScaledExpForSoftmax(b, x) : emitScaledExp(b, x);
    };
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

//===----------------------------------------------------------------------===//
// Differences to the largest number of a row
//===----------------------------------------------------------------------===//

/// What `exp`, of a softmax, subtracts from all numbers of a row, where no one
/// else sees the difference; null otherwise.
static Value getLargest(math::ExpOp exp) {
  auto sub = exp.getOperand().getDefiningOp<arith::SubFOp>();
  auto largest =
      sub ? sub.getRhs().getDefiningOp<vector::BroadcastOp>() : nullptr;
  return largest && largest.getSourceType().isF32() && sub->hasOneUse() &&
                 exp->hasAttr(floats::kSoftmaxAttrName) &&
                 isRegisters(exp.getType())
             ? largest.getSource()
             : Value();
}

/// The exponentials in `loop`, over a row, of that kind.
static SmallVector<math::ExpOp> getExponentials(scf::ForOp loop) {
  auto all = loop.getOps<math::ExpOp>();
  return llvm::to_vector(llvm::make_filter_range(
      all, [](math::ExpOp exp) { return getLargest(exp) != nullptr; }));
}

/// Of which size on a largest number is subtracted first, for `exp`: log2(e)
/// times that loses up to 2^-25 of itself, which is a factor of all of the row.
/// A number corrects it in f32, up to its square; in narrow types it is not
/// seen, which f16 sees 2^-17 of, and bf16 2^-13.
static float getLimit(math::ExpOp exp) {
  std::optional<bool> forBF16 = isForBF16(exp);
  return !forBF16 ? 0x1p12f : *forBF16 ? 0x1p9f : 0x1p6f;
}

/// Replaces `exp`, in a loop that `b` is in front of, by 2^(x * log2(e) -
/// `largest` * log2(e)).
static void fuseDifference(ImplicitLocOpBuilder &b, math::ExpOp exp,
                           Value largest) {
  std::optional<bool> forBF16 = isForBF16(exp);
  auto type = cast<VectorType>(exp.getType());
  FloatEmitter one(b, largest.getType());
  Value below = one.mul(largest, one.real(-kLog2E));
  // What is added to log2(e) times the largest number is not it.
  Value rest = one.fma(largest, one.real(kLog2E), below);
  std::array<Value, 3> terms;
  if (!forBF16) {
    Value less = one.mul(rest, one.real(-kLn2));
    Value factor = one.add(less, one.real(1));
    terms = {one.mul(factor, one.real(2.426526994e-01f)),
             one.mul(factor, one.real(6.931237578e-01f)), less};
    for (Value &term : terms)
      term = vector::BroadcastOp::create(
          b, VectorType::get(kLanes, b.getF32Type()), term);
  }
  Value belows = vector::BroadcastOp::create(b, type, below);
  Value factors = FloatEmitter(b, type).real(kLog2E);
  auto sub = exp.getOperand().getDefiningOp<arith::SubFOp>();
  ImplicitLocOpBuilder inner(exp.getLoc(), exp);
  Value x = FloatEmitter(inner, type).fma(sub.getLhs(), factors, belows);
  exp.replaceAllUsesWith(mapParts(inner, type, x, kLanes, [&](ValueRange of) {
    return forBF16 ? emitExp2ForNarrow(inner, of.front(), *forBF16)
                   : emitExp2ForSoftmax(inner, of.front(), terms);
  }));
  exp.erase();
  sub.erase();
}

void cpu::fuseDifferences(Operation *function) {
  SmallVector<scf::ForOp> loops;
  function->walk([&](scf::ForOp loop) {
    SmallVector<math::ExpOp> all = getExponentials(loop);
    // What is behind whole vectors is not worth a second loop, nor are short
    // rows, which wait longer for what is in front of it.
    constexpr int64_t kFewIterations = 2;
    std::optional<APInt> iterations = loop.getStaticTripCount();
    if (all.empty() || loop->hasAttr(kBehindWholeVectorsAttrName) ||
        (iterations && iterations->ule(kFewIterations)))
      return;
    Value largest = getLargest(all.front());
    if (loop.isDefinedOutsideOfLoop(largest) &&
        llvm::all_of(
            all, [&](math::ExpOp exp) { return getLargest(exp) == largest; }))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops) {
    ImplicitLocOpBuilder b(loop.getLoc(), loop);
    SmallVector<math::ExpOp> all = getExponentials(loop);
    Value largest = getLargest(all.front());
    float limit = getLimit(all.front());
    for (math::ExpOp exp : all)
      limit = std::min(limit, getLimit(exp));
    FloatEmitter one(b, largest.getType());
    // So is NaN.
    Value isLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::UGE,
                                          one.abs(largest), one.real(limit));
    Value rarely = arith::ConstantOp::create(b, b.getBoolAttr(false));
    isLarge = LLVM::ExpectOp::create(b, isLarge, rarely);
    auto copy = [&](OpBuilder &nested, Location loc, bool fuses) {
      auto made = cast<scf::ForOp>(nested.clone(*loop));
      scf::YieldOp::create(nested, loc, made.getResults());
      // Registers hold one iteration.
      disableUnrolling(made);
      ImplicitLocOpBuilder before(loc, made);
      if (fuses)
        for (math::ExpOp exp : getExponentials(made))
          fuseDifference(before, exp, largest);
    };
    auto choice = scf::IfOp::create(
        b, isLarge,
        [&](OpBuilder &nested, Location loc) { copy(nested, loc, false); },
        [&](OpBuilder &nested, Location loc) { copy(nested, loc, true); });
    loop.replaceAllUsesWith(choice.getResults());
    loop.erase();
  }
}

void cpu::populateX86ExpPatterns(RewritePatternSet &patterns,
                                 const CPUTarget &target) {
  if (target.hasTables)
    patterns.add<ScaleExp>(patterns.getContext());
  if (target.hasShortTables)
    patterns.add<TabulateExpShort>(patterns.getContext());
}
