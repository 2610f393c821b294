//===- SelectInstructions.cpp - instructions that LLVM does not find ------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

namespace {
struct SelectInstructions
    : public amp::impl::AmpCPUSelectInstructionsPassBase<SelectInstructions> {
  using Base::Base;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    std::string error;
    FailureOr<cpu::CPUTarget> target =
        cpu::CPUTarget::get(processor, features, vectorBits, error);
    if (failed(target)) {
      function->emitError(error);
      return signalPassFailure();
    }
    if (!target->hasI8Dot)
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<vector::MultiDimReductionOp> reductions;
    function->walk(
        [&](vector::MultiDimReductionOp op) { reductions.push_back(op); });
    for (vector::MultiDimReductionOp op : reductions)
      if (selectDot(rewriter, op, target->vectorBits))
        ++numDots;
  }
};
} // namespace
