//===- SelectInstructions.cpp - instructions that LLVM does not find ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "SelectInstructions.h"

#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/FloatEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUSELECTINSTRUCTIONSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The vector of `bits`-bit integers that `Extension` widens to `value`, or a
/// constant of values that they hold that way; null if there is none.
template <typename Extension>
static Value getNarrow(OpBuilder &b, Value value, unsigned bits) {
  auto type = cast<VectorType>(value.getType());
  if (auto extension = value.getDefiningOp<Extension>()) {
    auto from = cast<VectorType>(extension.getIn().getType());
    return from.getElementType().isInteger(bits) ? extension.getIn() : Value();
  }
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return {};
  constexpr bool isSigned = std::is_same_v<Extension, arith::ExtSIOp>;
  APInt splat = elements.getSplatValue<APInt>();
  if (!(isSigned ? splat.isSignedIntN(bits) : splat.isIntN(bits)))
    return {};
  return arith::ConstantOp::create(
      b, value.getLoc(),
      DenseElementsAttr::get(type.clone(b.getIntegerType(bits)),
                             splat.trunc(bits)));
}

/// vpdpbusd: fours of unsigned times signed i8, added to `acc`. Null if
/// `product` is none of such.
static Value emitFours(OpBuilder &b, arith::MulIOp product, Value acc,
                       unsigned vectorBits) {
  for (unsigned first : {0u, 1u}) {
    Value lhs = getNarrow<arith::ExtUIOp>(b, product->getOperand(first), 8);
    Value rhs = getNarrow<arith::ExtSIOp>(b, product->getOperand(1 - first), 8);
    if (!lhs || !rhs)
      continue;
    std::string name = "llvm.x86.avx512.vpdpbusd." + std::to_string(vectorBits);
    return LLVM::CallIntrinsicOp::create(b, product.getLoc(), acc.getType(),
                                         b.getStringAttr(name),
                                         ValueRange{acc, lhs, rhs})
        .getResults();
  }
  return {};
}

/// `value`, a vector of i32, as one of i16; null where it may not fit.
static Value getI16(OpBuilder &b, Value value) {
  auto type = cast<VectorType>(value.getType()).clone(b.getI16Type());
  Location loc = value.getLoc();
  // i8 may have been widened in one step.
  if (Value bytes = getNarrow<arith::ExtUIOp>(b, value, 8))
    return arith::ExtUIOp::create(b, loc, type, bytes);
  if (Value bytes = getNarrow<arith::ExtSIOp>(b, value, 8))
    return arith::ExtSIOp::create(b, loc, type, bytes);
  return getNarrow<arith::ExtSIOp>(b, value, 16);
}

/// (v)pmaddwd: pairs of signed i16, and an addition to `acc`, which LLVM makes
/// one instruction of where there is one. Null if `product` is none of such.
static Value emitPairs(OpBuilder &b, arith::MulIOp product, Value acc,
                       unsigned vectorBits) {
  Value lhs = getI16(b, product.getLhs()), rhs = getI16(b, product.getRhs());
  if (!lhs || !rhs)
    return {};
  StringRef name = vectorBits == 512   ? "llvm.x86.avx512.pmaddw.d.512"
                   : vectorBits == 256 ? "llvm.x86.avx2.pmadd.wd"
                                       : "llvm.x86.sse2.pmadd.wd";
  Value sums =
      LLVM::CallIntrinsicOp::create(b, product.getLoc(), acc.getType(),
                                    b.getStringAttr(name), ValueRange{lhs, rhs})
          .getResults();
  return arith::AddIOp::create(b, product.getLoc(), acc, sums);
}

/// Replaces `op` by the instruction for groups of narrow integers that it is;
/// false if it is none of `target`'s.
static bool selectDot(IRRewriter &rewriter, vector::MultiDimReductionOp op,
                      const cpu::CPUTarget &target) {
  auto result = dyn_cast<VectorType>(op.getType());
  VectorType source = op.getSourceVectorType();
  if (!result || op.getKind() != vector::CombiningKind::ADD ||
      !result.getElementType().isInteger(32) || source.isScalable() ||
      result.getRank() != 1 || source.getRank() != 2 || !op.isReducedDim(1) ||
      result.getNumElements() * 32 != int64_t(target.vectorBits))
    return false;
  auto reshape = op.getSource().getDefiningOp<vector::ShapeCastOp>();
  auto product =
      reshape ? reshape.getSource().getDefiningOp<arith::MulIOp>() : nullptr;
  if (!product || cast<VectorType>(product.getType()).getRank() != 1)
    return false;
  rewriter.setInsertionPoint(op);
  Value sums;
  if (source.getDimSize(1) == 4 && target.hasI8Dot)
    sums = emitFours(rewriter, product, op.getAcc(), target.vectorBits);
  else if (source.getDimSize(1) == 2 && target.hasI16Dot)
    sums = emitPairs(rewriter, product, op.getAcc(), target.vectorBits);
  if (!sums)
    return false;
  rewriter.replaceOp(op, sums);
  // The operands may be one.
  llvm::SetVector<Operation *> dead;
  dead.insert_range(ArrayRef{reshape.getOperation(), product.getOperation(),
                             product.getLhs().getDefiningOp(),
                             product.getRhs().getDefiningOp()});
  for (Operation *op : dead)
    if (op && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  return true;
}

/// Whether `value` is `constant` in every lane.
template <typename Attr, typename T>
static bool isSplat(Value value, T constant) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<Attr>() == Attr(constant);
}

/// The vector of integers whose low bits make the exponent of `factor`, a power
/// of two: `factor` is bitcast(result << 23). Null if it is not made so.
static Value getExponentBits(Value factor) {
  auto cast = factor.getDefiningOp<arith::BitcastOp>();
  auto shift = cast ? cast.getIn().getDefiningOp<arith::ShLIOp>() : nullptr;
  return shift && isSplat<APInt>(shift.getRhs(), APInt(32, 23)) ? shift.getLhs()
                                                                : Value();
}

/// Replaces x * 2^(n / 2) * 2^(n - n / 2), of which `op` is the last product,
/// by vscalefps; false if it is none. The bits of n are those of the sum of n
/// and kExponentMagic, as the polynomials of exp have it.
static bool selectScale(IRRewriter &rewriter, arith::MulFOp op,
                        unsigned vectorBits) {
  auto type = dyn_cast<VectorType>(op.getType());
  int64_t lanes = vectorBits / 32;
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !type.getElementType().isF32() || type.getNumElements() % lanes != 0)
    return false;
  auto product = op.getLhs().getDefiningOp<arith::MulFOp>();
  Value half = product ? getExponentBits(product.getRhs()) : Value();
  Value rest = getExponentBits(op.getRhs());
  auto halve = half ? half.getDefiningOp<arith::ShRSIOp>() : nullptr;
  auto less = rest ? rest.getDefiningOp<arith::SubIOp>() : nullptr;
  if (!halve || !less || !isSplat<APInt>(halve.getRhs(), APInt(32, 1)) ||
      less.getLhs() != halve.getLhs() || less.getRhs() != half)
    return false;
  auto bits = halve.getLhs().getDefiningOp<arith::BitcastOp>();
  if (!bits || bits.getIn().getType() != type)
    return false;
  // n + magic
  Value shifted = bits.getIn();
  Value magic;
  if (auto fma = shifted.getDefiningOp<math::FmaOp>())
    magic = fma.getC();
  else if (auto add = shifted.getDefiningOp<arith::AddFOp>())
    magic = add.getRhs();
  if (!magic || !isSplat<APFloat>(magic, floats::kExponentMagic))
    return false;

  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value n = arith::SubFOp::create(rewriter, loc, shifted, magic);
  Value power = product.getLhs();
  auto part = VectorType::get({lanes}, rewriter.getF32Type());
  StringAttr name = rewriter.getStringAttr("llvm.x86.avx512.mask.scalef.ps." +
                                           std::to_string(vectorBits));
  Value whole = arith::ConstantOp::create(
      rewriter, loc, cast<TypedAttr>(rewriter.getZeroAttr(part)));
  Type maskType = rewriter.getIntegerType(std::max<int64_t>(lanes, 8));
  Value mask = arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getIntegerAttr(maskType, -1));
  SmallVector<Value> parts;
  for (int64_t at = 0; at < type.getNumElements(); at += lanes) {
    auto slice = [&](Value value) -> Value {
      if (type == part)
        return value;
      return vector::ExtractStridedSliceOp::create(rewriter, loc, value, at,
                                                   lanes, 1);
    };
    SmallVector<Value> operands = {slice(power), slice(n), whole, mask};
    // The widest form also says how to round: as the thread does.
    if (vectorBits == 512)
      operands.push_back(arith::ConstantOp::create(
          rewriter, loc, rewriter.getI32IntegerAttr(4)));
    parts.push_back(
        LLVM::CallIntrinsicOp::create(rewriter, loc, part, name, operands)
            .getResults());
  }
  Value result = parts.front();
  if (type != part) {
    result = arith::ConstantOp::create(
        rewriter, loc, cast<TypedAttr>(rewriter.getZeroAttr(type)));
    for (auto [i, value] : llvm::enumerate(parts))
      result = vector::InsertStridedSliceOp::create(
          rewriter, loc, value, result, int64_t(i) * lanes, int64_t(1));
  }
  rewriter.replaceOp(op, result);
  return true;
}

/// The buffer of i1 `buffer` as one of i8: in memory an element is a byte. To
/// LLVM both are the same.
static Value asBytes(RewriterBase &rewriter, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return UnrealizedConversionCastOp::create(
             rewriter, loc,
             MemRefType::get(type.getShape(), rewriter.getI8Type(),
                             type.getLayout(), type.getMemorySpace()),
             buffer)
      .getResult(0);
}

/// Whether `op` moves a vector of i1 from or to a buffer, which LLVM takes for
/// as many bits. What `vector.mask` is around is its own op, one alone.
static bool movesBits(VectorTransferOpInterface op) {
  return !isa<vector::MaskOp>(op->getParentOp()) &&
         isa<MemRefType>(op.getBase().getType()) &&
         op.getVectorType().getElementType().isInteger(1) &&
         op.getShapedType().getElementType().isInteger(1);
}

/// Makes `op`, of bits, one of bytes.
static void moveBytes(RewriterBase &rewriter, vector::TransferReadOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  VectorType type = op.getVectorType().clone(rewriter.getI8Type());
  Value padding = arith::ExtUIOp::create(rewriter, loc, rewriter.getI8Type(),
                                         op.getPadding());
  Value bytes = vector::TransferReadOp::create(
      rewriter, loc, type, asBytes(rewriter, loc, op.getBase()),
      op.getIndices(), op.getPermutationMapAttr(), padding, op.getMask(),
      op.getInBoundsAttr());
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::ne,
                                             bytes, zero);
}

static void moveBytes(RewriterBase &rewriter, vector::TransferWriteOp op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value bytes = arith::ExtUIOp::create(
      rewriter, loc, op.getVectorType().clone(rewriter.getI8Type()),
      op.getVector());
  rewriter.replaceOpWithNewOp<vector::TransferWriteOp>(
      op, bytes, asBytes(rewriter, loc, op.getBase()), op.getIndices(),
      op.getPermutationMapAttr(), op.getMask(), op.getInBoundsAttr());
}

namespace {
struct SelectInstructions
    : public amp::impl::AmpCPUSelectInstructionsPassBase<SelectInstructions> {
  using Base::Base;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<cpu::CPUTarget> target =
        cpu::CPUTarget::get(function, triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<VectorTransferOpInterface> transfers;
    function->walk([&](VectorTransferOpInterface op) {
      if (movesBits(op))
        transfers.push_back(op);
    });
    for (VectorTransferOpInterface op : transfers) {
      if (auto read = dyn_cast<vector::TransferReadOp>(op.getOperation()))
        moveBytes(rewriter, read);
      else
        moveBytes(rewriter, cast<vector::TransferWriteOp>(op.getOperation()));
      ++numBytes;
    }
    numParts += cpu::movePartsInWords(function, *target);
    if (target->hasScale) {
      SmallVector<arith::MulFOp> products;
      function->walk([&](arith::MulFOp op) { products.push_back(op); });
      for (arith::MulFOp op : products)
        if (selectScale(rewriter, op, target->vectorBits))
          ++numScales;
    }
    SmallVector<vector::MultiDimReductionOp> reductions;
    function->walk(
        [&](vector::MultiDimReductionOp op) { reductions.push_back(op); });
    for (vector::MultiDimReductionOp op : reductions)
      if (selectDot(rewriter, op, *target))
        ++numDots;
    lowerReductions(function);
  }

private:
  /// Lowers what the conversion to LLVM does not know: reductions of several
  /// dimensions, and scans, that the program itself has.
  void lowerReductions(FunctionOpInterface function) {
    WalkResult found = function->walk([](Operation *op) {
      return isa<vector::MultiDimReductionOp, vector::ScanOp>(op)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return;
    RewritePatternSet patterns(&getContext());
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorScanLoweringPatterns(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }
};
} // namespace
