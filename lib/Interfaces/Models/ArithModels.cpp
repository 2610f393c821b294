//===- ArithModels.cpp - precision models for arith -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/Models.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

namespace {

/// arith.extf and arith.truncf: the program names the result's element type.
/// The operand may have any, so that the op no longer widens (or narrows) as
/// its verifier demands; then an amp.cast takes its place, with its rounding
/// mode.
template <typename Op>
struct FloatCastModel
    : ModelBase<FloatCastModel<Op>, Op, PrecisionClass::Cast> {
  LogicalResult retype(Operation *op, RewriterBase &rewriter,
                       const PrecisionTypes &types) const {
    auto castOp = cast<Op>(op);
    Type from = getElementTypeOrSelf(castOp.getIn().getType());
    Type resultType = withElementType(castOp.getType(), types.results[0]);
    unsigned fromWidth = from.getIntOrFloatBitWidth();
    unsigned toWidth = types.results[0].getIntOrFloatBitWidth();
    if (std::is_same_v<Op, arith::ExtFOp> ? fromWidth < toWidth
                                          : fromWidth > toWidth) {
      rewriter.modifyOpInPlace(op,
                               [&] { op->getResult(0).setType(resultType); });
      return success();
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    auto replacement =
        CastOp::create(rewriter, op->getLoc(), resultType, castOp.getIn());
    if (arith::RoundingModeAttr rounding = getRounding(castOp))
      replacement.setRoundingAttr(rounding);
    rewriter.replaceOp(op, replacement);
    return success();
  }

private:
  static arith::RoundingModeAttr getRounding(arith::TruncFOp op) {
    return op.getRoundingmodeAttr();
  }
  static arith::RoundingModeAttr getRounding(arith::ExtFOp) { return {}; }
};

} // namespace

void mlir::amp::registerArithModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<ArithmeticModel<1>::Of, arith::AddFOp, arith::DivFOp,
           arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
           arith::MinNumFOp, arith::MulFOp, arith::NegFOp, arith::RemFOp,
           arith::SubFOp>(context);
    attach<ClassModel<PrecisionClass::Elementwise>::Of, arith::CmpFOp,
           arith::SelectOp>(context);
    attach<FloatCastModel, arith::ExtFOp, arith::TruncFOp>(context);
    attach<ClassModel<PrecisionClass::Cast>::Of, arith::FPToSIOp,
           arith::FPToUIOp, arith::SIToFPOp, arith::UIToFPOp>(context);
    attach<ConstantModel, arith::ConstantOp>(context);
    attach<PinnedModel, arith::BitcastOp, arith::ScalingExtFOp,
           arith::ScalingTruncFOp>(context);
  });
}
