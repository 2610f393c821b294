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
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::amp;

Operation *OutDtypeOp::getInnerOp() { return &getBody().front().front(); }

Value OutDtypeOp::getCapture(Value inner) {
  return getCaptures()[cast<BlockArgument>(inner).getArgNumber()];
}

unsigned OutDtypeOp::getCaptureNumber(unsigned operand) {
  return cast<BlockArgument>(getInnerOp()->getOperand(operand)).getArgNumber();
}

//===----------------------------------------------------------------------===//
// Which op may stand inside
//===----------------------------------------------------------------------===//

namespace {
/// An op of a front end that is known by name only: torch's `aten.<base>` or
/// `aten.<base>.<overload>`, with or without a `torch.` in front.
struct ATenName {
  static std::optional<ATenName> get(StringRef name) {
    name.consume_front("torch.");
    if (!name.consume_front("aten."))
      return std::nullopt;
    auto [base, overload] = name.split('.');
    return ATenName{base, overload};
  }

  /// In-place variants end in one underscore, special methods in two.
  bool isInPlace() const {
    return base.ends_with("_") && !base.ends_with("__");
  }
  /// Variants that write to an argument.
  bool isOut() const { return overload == "out" || overload.ends_with("_out"); }

  /// torch's list, and the batched product and the other ranks of convolution,
  /// which it lacks. A name without an overload is the default overload, and
  /// for `mul` and `div`, which have none, the one that fits the operands.
  std::optional<PrecisionClass> getAllowedClass() const {
    using Class = std::optional<PrecisionClass>;
    if (base == "mul" || base == "div")
      return llvm::is_contained({"", "Tensor", "Scalar"}, overload)
                 ? Class(PrecisionClass::Elementwise)
                 : Class();
    if (!overload.empty() && overload != "default")
      return std::nullopt;
    return llvm::StringSwitch<Class>(base)
        .Cases({"mm", "bmm", "linear"}, PrecisionClass::Contraction)
        .Cases({"conv1d", "conv2d", "conv3d", "convolution"},
               PrecisionClass::Convolution)
        .Default(std::nullopt);
  }

  StringRef base, overload;
};
} // namespace

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

/// What kind of op `op` is, if it is one that amp.out_dtype takes. tosa has no
/// payload to look into, and this library does not know it, hence the names.
static std::optional<PrecisionClass> getAllowedClass(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isProductOrQuotient(op) || name == "tosa.mul" || name == "tosa.intdiv")
    return PrecisionClass::Elementwise;
  auto interface = dyn_cast<PrecisionOpInterface>(op);
  if (!interface) {
    std::optional<ATenName> aten = ATenName::get(name);
    return aten ? aten->getAllowedClass() : std::nullopt;
  }
  PrecisionClass precisionClass = interface.getPrecisionClass();
  switch (precisionClass) {
  case PrecisionClass::Contraction:
  case PrecisionClass::Convolution:
    return precisionClass;
  case PrecisionClass::Elementwise:
    if (isPayloadProductOrQuotient(interface))
      return precisionClass;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// torch's checks of the op that is called, in torch's order.
static LogicalResult verifyInner(Operation *inner) {
  StringRef name = inner->getName().getStringRef();
  std::optional<ATenName> aten =
      inner->isRegistered() ? std::nullopt : ATenName::get(name);
  if (!aten && !inner->isRegistered() && name.starts_with("torch."))
    return inner->emitOpError()
           << "in amp.out_dtype must be an op overload, but is a function of "
              "torch: write it as 'aten.<name>' or 'aten.<name>.<overload>'";
  if (aten && (aten->isInPlace() || aten->isOut()))
    return inner->emitOpError()
           << "in amp.out_dtype needs to be a functional operator, but "
           << (aten->isOut() ? "is an out= variant"
                             : "writes to its first operand")
           << ": use the variant that returns a new tensor";
  // Other ops of unregistered dialects are taken at their name's word.
  if (inner->isRegistered() && !isMemoryEffectFree(inner))
    return inner->emitOpError()
           << "in amp.out_dtype must be free of side effects";
  if (inner->getNumResults() != 1)
    return inner->emitOpError() << "in amp.out_dtype must have one result, but "
                                   "has "
                                << inner->getNumResults();
  if (!isa<RankedTensorType>(inner->getResult(0).getType()))
    return inner->emitOpError()
           << "in amp.out_dtype can only be one that returns a single ranked "
              "tensor, but returns "
           << inner->getResult(0).getType();
  if (!getAllowedClass(inner))
    return inner->emitOpError()
           << "is not allowed in amp.out_dtype: expected a contraction, a "
              "convolution, or an elementwise multiplication or division";
  return success();
}

LogicalResult OutDtypeOp::verify() {
  if (std::optional<Type> type = getGradient();
      type && !(isa<FloatType>(*type) && isStorageFloat(*type)))
    return emitOpError() << "expected 'gradient' to be f64, f32, f16, bf16 or "
                            "an 8-bit float, but found "
                         << *type;
  return success();
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
  if (failed(verifyInner(inner)))
    return failure();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperands() != inner->getResults())
    return emitOpError() << "expected the body to yield the result of its op";
  auto natural = cast<RankedTensorType>(inner->getResult(0).getType());
  if (natural.clone(getType().getElementType()) != getType())
    return emitOpError() << "has type " << getType()
                         << ", which differs in more than the element type "
                            "from that of the op inside, "
                         << inner->getResult(0).getType();
  return success();
}

//===----------------------------------------------------------------------===//
// PrecisionOpInterface
//===----------------------------------------------------------------------===//

PrecisionClass OutDtypeOp::getPrecisionClass() {
  return getTransparent() ? *getAllowedClass(getInnerOp())
                          : PrecisionClass::Pinned;
}

OperandRole OutDtypeOp::getOperandRole(unsigned operand) {
  if (!getFloatElementType(getOperand(operand).getType()))
    return OperandRole::Ignored;
  if (!getTransparent())
    return OperandRole::Pinned;
  auto interface = dyn_cast<PrecisionOpInterface>(getInnerOp());
  if (!interface)
    return OperandRole::Input;
  // One capture can be several operands: what is read as an input is one.
  std::optional<OperandRole> role;
  for (unsigned i = 0, e = getInnerOp()->getNumOperands(); i != e; ++i)
    if (getCaptureNumber(i) == operand) {
      OperandRole own = interface.getOperandRole(i);
      role = own == OperandRole::Input ? own : role.value_or(own);
    }
  return role.value_or(OperandRole::Ignored);
}

Type OutDtypeOp::getComputeType(Type storage) {
  auto interface = dyn_cast<PrecisionOpInterface>(getInnerOp());
  return interface ? interface.getComputeType(storage)
                   : amp::detail::getDefaultComputeType(storage);
}

bool OutDtypeOp::acceptsMixedOperands() {
  auto interface = dyn_cast<PrecisionOpInterface>(getInnerOp());
  return !interface || interface.acceptsMixedOperands();
}

/// The result keeps the type that the program asks for.
Type OutDtypeOp::getRetypedResult(const PrecisionTypes &, unsigned) {
  return getFloatElementType(getType());
}

LogicalResult OutDtypeOp::retype(RewriterBase &rewriter,
                                 const PrecisionTypes &types) {
  if (!getTransparent())
    return success();
  Operation *inner = getInnerOp();
  rewriter.modifyOpInPlace(*this, [&] {
    for (auto [argument, capture] :
         llvm::zip_equal(getBody().getArguments(), getCaptures()))
      argument.setType(capture.getType());
  });
  auto interface = dyn_cast<PrecisionOpInterface>(inner);
  PrecisionTypes innerTypes;
  innerTypes.compute = types.compute;
  SmallVector<Type> inputs;
  for (unsigned i = 0, e = inner->getNumOperands(); i != e; ++i) {
    Type type = getFloatElementType(inner->getOperand(i).getType());
    innerTypes.operands.push_back(type);
    if (type &&
        (!interface || interface.getOperandRole(i) == OperandRole::Input))
      inputs.push_back(inner->getOperand(i).getType());
  }
  Value result = inner->getResult(0);
  Type natural = getFloatElementType(result.getType());
  if (Type common = promoteElementwise(inputs); common && natural)
    natural = common;
  innerTypes.results.push_back(natural);
  if (interface) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(inner);
    return interface.retype(rewriter, innerTypes);
  }
  if (natural)
    rewriter.modifyOpInPlace(inner, [&] {
      result.setType(withElementType(result.getType(), natural));
    });
  return success();
}

std::optional<int64_t> OutDtypeOp::getReductionDepth() {
  auto interface = dyn_cast<PrecisionOpInterface>(getInnerOp());
  return interface ? interface.getReductionDepth() : std::nullopt;
}

std::optional<int64_t> OutDtypeOp::getNumFlops() {
  auto interface = dyn_cast<PrecisionOpInterface>(getInnerOp());
  return interface ? interface.getNumFlops() : std::nullopt;
}
