//===- NeutralElement.cpp - what a reduction starts from ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/NeutralElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

/// Of the ops whose neutral element depends on how wide an integer is, that
/// for index, which upstream asks for its width.
static std::optional<APInt> getNeutralIndex(Operation *op) {
  constexpr unsigned bits = IndexType::kInternalStorageBitWidth;
  if (isa<arith::MaxSIOp>(op))
    return APInt::getSignedMinValue(bits);
  if (isa<arith::MinSIOp>(op))
    return APInt::getSignedMaxValue(bits);
  if (isa<arith::MinUIOp, arith::AndIOp>(op))
    return APInt::getAllOnes(bits);
  return std::nullopt;
}

std::optional<TypedAttr> amp::getNeutralElement(Operation *op) {
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex())
    if (std::optional<APInt> neutral = getNeutralIndex(op))
      return IntegerAttr::get(op->getResult(0).getType(), *neutral);
  bool isMaximum = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  if (!isMaximum && !isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return arith::getNeutralElement(op);
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  bool skipsNaN = isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
  if (skipsNaN ? APFloat::semanticsHasNaN(semantics)
               : APFloat::semanticsHasInf(semantics))
    return arith::getNeutralElement(op);
  if (isMaximum && !APFloat::semanticsHasSignedRepr(semantics))
    return FloatAttr::get(type, APFloat::getSmallest(semantics));
  return FloatAttr::get(type,
                        APFloat::getLargest(semantics, /*Negative=*/isMaximum));
}
