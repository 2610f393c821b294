//===- ObserveOp.cpp - amp.observe ----------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMPObserveOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::amp;

/// The number without its type, which is always i64.
static ParseResult parseSlot(OpAsmParser &parser, IntegerAttr &slot) {
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  slot = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

static void printSlot(OpAsmPrinter &printer, Operation *, IntegerAttr slot) {
  printer << slot.getInt();
}

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPObserveOps.cpp.inc"

LogicalResult ObserveOp::verify() {
  if (getSlot() >= static_cast<uint64_t>(INT64_MAX) + 1)
    return emitOpError("expected a slot of at least 0, but found ")
           << static_cast<int64_t>(getSlot());
  if (getValue().getType().getRank() > kMaxObservedRank)
    return emitOpError("expected a tensor of at most ")
           << kMaxObservedRank << " dimensions, but found "
           << getValue().getType();
  Type element = getValue().getType().getElementType();
  if (!isAMPElementType(element))
    return emitOpError("expected elements of f64, f32, f16, bf16 or an 8-bit "
                       "float, but found ")
           << element;
  return success();
}
