//===- LegalizeFloats.cpp - narrow floats on a CPU ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULEGALIZEFLOATSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
struct LegalizeFloats
    : public amp::impl::AmpCPULegalizeFloatsPassBase<LegalizeFloats> {
  using Base::Base;

  void runOnOperation() override {
    Operation *function = getOperation();
    MLIRContext *context = &getContext();
    // Upstream's patterns put `contract` on the casts that they create, which
    // would let a later fold skip a rounding.
    DenseSet<Operation *> written;
    function->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        written.insert(op);
    });
    if (failed(widenMath(function)) || failed(widenArith(function)))
      return signalPassFailure();
    function->walk([&](Operation *op) {
      if (written.contains(op))
        return;
      if (auto ext = dyn_cast<arith::ExtFOp>(op))
        ext.removeFastmathAttr();
      if (auto trunc = dyn_cast<arith::TruncFOp>(op)) {
        trunc.removeFastmathAttr();
        ++numEmulated;
      }
    });

    RewritePatternSet patterns(context);
    if (approximate) {
      populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
        return llvm::is_contained(
            {math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(),
             math::TanhOp::getOperationName(), math::LogOp::getOperationName(),
             math::Log2Op::getOperationName(),
             math::Log1pOp::getOperationName(), math::ErfOp::getOperationName(),
             math::ErfcOp::getOperationName(), math::AtanOp::getOperationName(),
             math::Atan2Op::getOperationName(),
             math::AsinOp::getOperationName(), math::AcosOp::getOperationName(),
             math::CbrtOp::getOperationName()},
            name);
      });
    }
    arith::populateExpandBFloat16Patterns(patterns);
    cpu::populateNarrowFloatPatterns(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }

private:
  /// math on f16, bf16 and narrower in f32.
  LogicalResult widenMath(Operation *function) {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    SetVector<Type> supported;
    supported.insert(Float32Type::get(context));
    supported.insert(Float64Type::get(context));
    math::populateExtendToSupportedTypesTypeConverter(
        converter, supported, Float32Type::get(context));
    ConversionTarget target(*context);
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    // Tensors are for the passes before this one.
    target.addDynamicallyLegalDialect<math::MathDialect>([&](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
             converter.isLegal(op);
    });
    RewritePatternSet patterns(context);
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    ConversionConfig config;
    config.allowPatternRollback = false;
    return applyPartialConversion(function, target, std::move(patterns),
                                  config);
  }

  /// arith on f16, bf16 and narrower in f32.
  LogicalResult widenArith(Operation *function) {
    MLIRContext *context = &getContext();
    SmallVector<Type> narrow = {
        BFloat16Type::get(context),         Float16Type::get(context),
        Float8E5M2Type::get(context),       Float8E4M3FNType::get(context),
        Float8E4M3Type::get(context),       Float8E3M4Type::get(context),
        Float8E5M2FNUZType::get(context),   Float8E4M3FNUZType::get(context),
        Float8E4M3B11FNUZType::get(context)};
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, narrow, Float32Type::get(context));
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    target.addDynamicallyLegalDialect<arith::ArithDialect>([&](Operation *op) {
      if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp,
              arith::BitcastOp, arith::SelectOp, arith::ScalingExtFOp,
              arith::ScalingTruncFOp>(op))
        return true;
      return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
             converter.isLegal(op);
    });
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionConfig config;
    config.allowPatternRollback = false;
    return applyPartialConversion(function, target, std::move(patterns),
                                  config);
  }
};
} // namespace
