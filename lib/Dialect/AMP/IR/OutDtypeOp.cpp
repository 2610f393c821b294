//===- OutDtypeOp.cpp - amp.out_dtype -------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::amp;

Operation *OutDtypeOp::getInnerOp() { return &getBody().front().front(); }

/// Ops of front ends that are known by name only.
static bool isAllowedByName(StringRef name) {
  static const llvm::StringSet<> allowed = {
      "aten.mm",         "aten.bmm",         "aten.linear",
      "aten.conv2d",     "aten.convolution", "aten.mul.Tensor",
      "aten.mul.Scalar", "aten.div.Tensor",  "aten.div.Scalar",
      "aten.mul",        "aten.div"};
  name.consume_front("torch.");
  return allowed.contains(name);
}

static bool isProductOrQuotient(Operation *op) {
  return isa<arith::MulFOp, arith::DivFOp, arith::MulIOp, arith::DivSIOp,
             arith::DivUIOp>(op);
}

/// Whether the op applies one multiplication or division to each element.
static bool isPayloadProductOrQuotient(PrecisionOpInterface op) {
  SmallVector<Operation *> payload;
  op.getPayloadOperations(payload);
  return payload.size() == 1 && isProductOrQuotient(payload.front());
}

static bool isAllowed(Operation *op) {
  if (isProductOrQuotient(op))
    return true;
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!interface)
    return isAllowedByName(op->getName().getStringRef());
  switch (interface.getPrecisionClass()) {
  case PrecisionClass::Contraction:
  case PrecisionClass::Convolution:
    return true;
  case PrecisionClass::Elementwise:
    return isPayloadProductOrQuotient(interface);
  default:
    return false;
  }
}

LogicalResult OutDtypeOp::verifyRegions() {
  Block &body = getBody().front();
  if (TypeRange(body.getArgumentTypes()) != getCaptures().getTypes())
    return emitOpError() << "the body takes arguments of types ("
                         << body.getArgumentTypes()
                         << "), but the captures have types ("
                         << getCaptures().getTypes() << ")";
  size_t numOps = body.getOperations().size();
  if (numOps != 2)
    return emitOpError() << "expected exactly one op and amp.yield in the "
                            "body, but found "
                         << numOps << " ops";
  Operation *inner = getInnerOp();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (inner->getNumResults() != 1)
    return inner->emitOpError() << "in amp.out_dtype must have one result, but "
                                   "has "
                                << inner->getNumResults();
  // Ops of unregistered dialects are taken at their name's word.
  if (inner->isRegistered() && !isMemoryEffectFree(inner))
    return inner->emitOpError()
           << "in amp.out_dtype must be free of side effects";
  if (!yield || yield.getOperands() != inner->getResults())
    return emitOpError() << "expected the body to yield the result of its op";
  if (!isAllowed(inner))
    return inner->emitOpError()
           << "is not allowed in amp.out_dtype: expected a contraction, a "
              "convolution, or an elementwise multiplication or division";
  auto natural = dyn_cast<RankedTensorType>(inner->getResult(0).getType());
  if (!natural || natural.clone(getType().getElementType()) != getType())
    return emitOpError() << "has type " << getType()
                         << ", which differs in more than the element type "
                            "from that of the op inside, "
                         << inner->getResult(0).getType();
  return success();
}

PrecisionClass OutDtypeOp::getPrecisionClass() {
  return PrecisionClass::Pinned;
}

OperandRole OutDtypeOp::getOperandRole(unsigned operand) {
  return getFloatElementType(getOperand(operand).getType())
             ? OperandRole::Pinned
             : OperandRole::Ignored;
}
