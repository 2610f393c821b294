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

std::optional<TypedAttr> amp::getNeutralElement(Operation *op) {
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
