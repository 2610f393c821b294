//===- WidenFloats.cpp - narrow arithmetic in f32 -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

/// math on f16, bf16 and narrower in f32.
static LogicalResult widenMath(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  SetVector<Type> supported;
  supported.insert(Float32Type::get(context));
  supported.insert(Float64Type::get(context));
  math::populateExtendToSupportedTypesTypeConverter(converter, supported,
                                                    Float32Type::get(context));
  ConversionTarget target(*context);
  math::populateExtendToSupportedTypesConversionTarget(target, converter);
  // Upstream asks other ops, too, for their dialect, which those that are not
  // registered do not have.
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  // Tensors are for the passes before this one.
  target.addDynamicallyLegalDialect<math::MathDialect>([&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
           converter.isLegal(op);
  });
  RewritePatternSet patterns(context);
  math::populateExtendToSupportedTypesPatterns(patterns, converter);
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(root, target, std::move(patterns), config);
}

/// arith on f16, bf16 and narrower in f32.
static LogicalResult widenArith(Operation *root) {
  MLIRContext *context = root->getContext();
  SmallVector<Type> narrow = {
      BFloat16Type::get(context),          Float16Type::get(context),
      Float8E5M2Type::get(context),        Float8E4M3FNType::get(context),
      Float8E4M3Type::get(context),        Float8E3M4Type::get(context),
      Float8E5M2FNUZType::get(context),    Float8E4M3FNUZType::get(context),
      Float8E4M3B11FNUZType::get(context), Float8E8M0FNUType::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, narrow,
                                                     Float32Type::get(context));
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  target.addDynamicallyLegalDialect<arith::ArithDialect>([&](Operation *op) {
    if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
            arith::SelectOp, arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
      return true;
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
           converter.isLegal(op);
  });
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(root, target, std::move(patterns), config);
}

/// Whether `op` rounds to the nearest number of an IEEE format, which no larger
/// number is below after that, and no smaller one above.
static bool isMonotonic(arith::TruncFOp op) {
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  return !op.getRoundingmode() &&
         APFloat::isIEEELikeFP(type.getFloatSemantics());
}

/// Whether `type` has all numbers of the constant `value`.
static bool hasConstant(FloatType type, Value value) {
  auto isExact = [&](APFloat number) {
    bool losesInfo;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return !losesInfo;
  };
  FloatAttr number;
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&number)))
    return isExact(number.getValue());
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         isExact(elements.getSplatValue<APFloat>());
}

/// Whether all numbers that `operand` may be are of type `narrow`, being chosen
/// among such, if with another sign. Of those, `rounded` are what has just been
/// rounded to that type.
static bool isChosen(OpOperand &operand, FloatType narrow,
                     SmallVectorImpl<OpOperand *> &rounded) {
  if (hasConstant(narrow, operand.get()))
    return true;
  Operation *op = operand.get().getDefiningOp();
  if (auto ext = dyn_cast_or_null<arith::ExtFOp>(op)) {
    auto trunc = ext.getIn().getDefiningOp<arith::TruncFOp>();
    if (trunc && isMonotonic(trunc) && trunc->hasOneUse() && ext->hasOneUse() &&
        trunc.getIn().getType() == ext.getType())
      rounded.push_back(&operand);
    return getElementTypeOrSelf(ext.getIn()) == narrow;
  }
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                         arith::MinNumFOp, arith::NegFOp, math::AbsFOp>(op) &&
         op->hasOneUse() &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &input) {
           return isChosen(input, narrow, rounded);
         });
}

/// Rounds once where numbers are rounded, one of them or another chosen, as a
/// relu does, and the choice is rounded again: to the nearest, both orders
/// choose the same.
static void roundAfterChoosing(Operation *root) {
  root->walk([](arith::TruncFOp op) {
    SmallVector<OpOperand *> rounded;
    if (!isMonotonic(op) ||
        !isChosen(op.getInMutable(),
                  cast<FloatType>(getElementTypeOrSelf(op.getType())), rounded))
      return;
    // What it is known to round are the chosen numbers of the narrow type.
    if (!rounded.empty())
      op->removeDiscardableAttr(amp::kHasBF16NaNsAttrName);
    for (OpOperand *operand : rounded) {
      auto ext = operand->get().getDefiningOp<arith::ExtFOp>();
      auto trunc = ext.getIn().getDefiningOp<arith::TruncFOp>();
      operand->set(trunc.getIn());
      ext.erase();
      trunc.erase();
    }
  });
}

FailureOr<unsigned> mlir::amp::widenNarrowFloats(Operation *root) {
  // Upstream's patterns put `contract` on the casts that they create, which
  // would let a later fold skip a rounding.
  DenseSet<Operation *> written;
  root->walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      written.insert(op);
  });
  if (failed(widenMath(root)) || failed(widenArith(root)))
    return failure();
  roundAfterChoosing(root);
  unsigned roundings = 0;
  root->walk([&](Operation *op) {
    if (written.contains(op))
      return;
    if (auto ext = dyn_cast<arith::ExtFOp>(op))
      ext.removeFastmathAttr();
    if (auto trunc = dyn_cast<arith::TruncFOp>(op)) {
      trunc.removeFastmathAttr();
      ++roundings;
    }
  });
  return roundings;
}
