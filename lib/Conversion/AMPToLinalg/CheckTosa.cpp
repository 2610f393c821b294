//===- CheckTosa.cpp - what tosa's lowering needs to know -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCHECKTOSAPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;

/// An error unless `zeroPoint`, an operand of `op`, is a constant.
static LogicalResult checkZeroPoint(Operation *op, StringRef name,
                                    Value zeroPoint) {
  if (matchPattern(zeroPoint, m_Constant()))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "cannot be lowered with " << name
                             << " that is computed; expected a 'tosa.const'";
  error.attachNote(zeroPoint.getLoc()) << "the zero point";
  return failure();
}

/// An error unless all sizes of `type`, the type of `name`, are known.
static LogicalResult checkSizes(Operation *op, StringRef name, Type type) {
  auto shaped = cast<ShapedType>(type);
  if (shaped.hasStaticShape())
    return success();
  return op->emitOpError() << "cannot be lowered with " << name << " of type "
                           << type << "; expected known sizes";
}

/// Checks a convolution: filter and bias are weights, of one shape.
template <typename Op>
static LogicalResult checkConvolution(Op op) {
  if (failed(checkSizes(op, "a filter", op.getWeight().getType())) ||
      failed(checkSizes(op, "a bias", op.getBias().getType())) ||
      failed(
          checkZeroPoint(op, "a zero point of its input", op.getInputZp())) ||
      failed(
          checkZeroPoint(op, "a zero point of its filter", op.getWeightZp())))
    return failure();
  return success();
}

static LogicalResult check(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>(
          [](auto conv) { return checkConvolution(conv); })
      .Case([](tosa::MatMulOp product) {
        if (failed(checkZeroPoint(product, "a zero point of its first operand",
                                  product.getAZp())))
          return failure();
        return checkZeroPoint(product, "a zero point of its second operand",
                              product.getBZp());
      })
      .Case([](tosa::AvgPool2dOp pool) {
        if (failed(checkZeroPoint(pool, "a zero point of its input",
                                  pool.getInputZp())))
          return failure();
        return checkZeroPoint(pool, "a zero point of its result",
                              pool.getOutputZp());
      })
      .Default(success());
}

namespace {
struct CheckTosa : public amp::impl::AmpCheckTosaPassBase<CheckTosa> {
  using Base::Base;

  void runOnOperation() override {
    bool hasFailed = false;
    getOperation()->walk(
        [&](Operation *op) { hasFailed |= failed(check(op)); });
    if (hasFailed)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
