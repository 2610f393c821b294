//===- SelectInstructions.cpp - instructions that LLVM does not find ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/FloatEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUSELECTINSTRUCTIONSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The i8 vector that `Extension` widens to `value`, or a constant of values
/// that i8 holds that way; null if there is none.
template <typename Extension>
static Value getNarrow(OpBuilder &b, Value value) {
  auto type = cast<VectorType>(value.getType());
  if (auto extension = value.getDefiningOp<Extension>()) {
    auto from = cast<VectorType>(extension.getIn().getType());
    return from.getElementType().isInteger(8) ? extension.getIn() : Value();
  }
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return {};
  constexpr bool isSigned = std::is_same_v<Extension, arith::ExtSIOp>;
  APInt splat = elements.getSplatValue<APInt>();
  if (!(isSigned ? splat.isSignedIntN(8) : splat.isIntN(8)))
    return {};
  return arith::ConstantOp::create(
      b, value.getLoc(),
      DenseElementsAttr::get(type.clone(b.getI8Type()), splat.trunc(8)));
}

/// Replaces `op` by vpdpbusd if it is one; false if not.
static bool selectDot(IRRewriter &rewriter, vector::MultiDimReductionOp op,
                      unsigned vectorBits) {
  auto result = dyn_cast<VectorType>(op.getType());
  VectorType source = op.getSourceVectorType();
  if (!result || op.getKind() != vector::CombiningKind::ADD ||
      !result.getElementType().isInteger(32) || source.isScalable() ||
      result.getRank() != 1 || source.getRank() != 2 ||
      source.getDimSize(1) != 4 || !op.isReducedDim(1) ||
      result.getNumElements() * 32 != int64_t(vectorBits))
    return false;
  auto reshape = op.getSource().getDefiningOp<vector::ShapeCastOp>();
  auto product =
      reshape ? reshape.getSource().getDefiningOp<arith::MulIOp>() : nullptr;
  if (!product || cast<VectorType>(product.getType()).getRank() != 1)
    return false;
  rewriter.setInsertionPoint(op);
  for (unsigned first : {0u, 1u}) {
    Value lhs = getNarrow<arith::ExtUIOp>(rewriter, product->getOperand(first));
    Value rhs =
        getNarrow<arith::ExtSIOp>(rewriter, product->getOperand(1 - first));
    if (!lhs || !rhs)
      continue;
    std::string name = "llvm.x86.avx512.vpdpbusd." + std::to_string(vectorBits);
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, result, rewriter.getStringAttr(name),
        ValueRange{op.getAcc(), lhs, rhs});
    Operation *operands[] = {product.getLhs().getDefiningOp(),
                             product.getRhs().getDefiningOp()};
    for (Operation *dead : {reshape.getOperation(), product.getOperation(),
                            operands[0], operands[1]})
      if (dead && isOpTriviallyDead(dead))
        rewriter.eraseOp(dead);
    return true;
  }
  return false;
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
    if (target->hasScale) {
      SmallVector<arith::MulFOp> products;
      function->walk([&](arith::MulFOp op) { products.push_back(op); });
      for (arith::MulFOp op : products)
        if (selectScale(rewriter, op, target->vectorBits))
          ++numScales;
    }
    if (!target->hasI8Dot)
      return;
    SmallVector<vector::MultiDimReductionOp> reductions;
    function->walk(
        [&](vector::MultiDimReductionOp op) { reductions.push_back(op); });
    for (vector::MultiDimReductionOp op : reductions)
      if (selectDot(rewriter, op, target->vectorBits))
        ++numDots;
  }
};
} // namespace
