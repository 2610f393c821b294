//===- MathModels.cpp - precision models for math -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Interfaces/Models.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::amp;

void mlir::amp::registerMathModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attach<ArithmeticModel<1>::Of, math::AbsFOp, math::CeilOp, math::CopySignOp,
           math::FloorOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
           math::TruncOp>(context);
    attach<ArithmeticModel<2>::Of, math::ClampFOp, math::FmaOp>(context);
    // How many operations a transcendental function takes is the target's
    // business, so these report no number.
    attach<ClassModel<PrecisionClass::Elementwise>::Of, math::AcosOp,
           math::AcoshOp, math::AsinOp, math::AsinhOp, math::Atan2Op,
           math::AtanOp, math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp,
           math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpM1Op, math::ExpOp,
           math::FPowIOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
           math::IsNormalOp, math::Log10Op, math::Log1pOp, math::Log2Op,
           math::LogOp, math::PowFOp, math::RsqrtOp, math::SinOp,
           math::SincosOp, math::SinhOp, math::TanOp, math::TanhOp>(context);
  });
}
