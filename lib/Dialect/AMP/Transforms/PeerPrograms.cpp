//===- PeerPrograms.cpp - programs as other classifiers take them ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeerPrograms.h"

#include "DecideByRules.h"

#include "amp/Dialect/AMP/IR/Diagnostics.h"
#include "amp/Formats/Formats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

/// `constant`, of type `type`, with numbers in f32; null if it is of another
/// type, or its numbers are not at hand.
static Attribute narrowConstant(Attribute constant, Type type) {
  auto typed = dyn_cast<TypedAttr>(constant);
  if (!typed || typed.getType() != type)
    return {};
  return mapNumbers(constant, Float32Type::get(type.getContext()),
                    [](APFloat number) {
                      bool lost;
                      number.convert(APFloat::IEEEsingle(),
                                     APFloat::rmNearestTiesToEven, &lost);
                      return number;
                    });
}

/// Narrows all that is f64. False if there was nothing.
static bool narrowDoubles(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](Float64Type type) -> std::optional<Type> {
    return Float32Type::get(type.getContext());
  });
  bool changed = false;
  SmallVector<Operation *> casts;
  module.walk([&](Operation *op) {
    // Numbers in attributes are parameters; only types and constants follow.
    for (NamedAttribute attribute :
         SmallVector<NamedAttribute>(op->getAttrs())) {
      Attribute narrowed;
      if (auto type = dyn_cast<TypeAttr>(attribute.getValue()))
        narrowed = TypeAttr::get(replacer.replace(type.getValue()));
      else if (op->getNumResults() == 1 &&
               getElementTypeOrSelf(op->getResult(0).getType()).isF64())
        narrowed =
            narrowConstant(attribute.getValue(), op->getResult(0).getType());
      if (!narrowed || narrowed == attribute.getValue())
        continue;
      op->setAttr(attribute.getName(), narrowed);
      changed = true;
    }
    auto narrowValue = [&](Value value) {
      Type type = replacer.replace(value.getType());
      changed |= type != value.getType();
      value.setType(type);
    };
    llvm::for_each(op->getResults(), narrowValue);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), narrowValue);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      casts.push_back(op);
  });
  for (Operation *op : casts) {
    if (op->getOperand(0).getType() != op->getResult(0).getType())
      continue;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Casts of the program
//===----------------------------------------------------------------------===//

/// Whether `op` only converts between f32, f16 and bf16, to f32 or f16.
static bool isUserCast(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp, amp::CastOp>(op) &&
      op->getName().getStringRef() != "tosa.cast" &&
      op->getName().getStringRef() != "onnx.Cast")
    return false;
  auto isOneOf = [](Value value, bool takesBF16) {
    Type type = getFloatElementType(value.getType());
    return type &&
           (type.isF32() || type.isF16() || (takesBF16 && type.isBF16()));
  };
  return op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         isOneOf(op->getOperand(0), true) && isOneOf(op->getResult(0), false);
}

/// The value that a chain of such casts starts from.
static Value skipUserCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isUserCast(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static void dropUserCasts(ModuleOp module) {
  SmallVector<Operation *> castOps;
  module.walk([&](Operation *op) {
    if (isUserCast(op) || isa<amp::CastOp>(op))
      castOps.push_back(op);
  });
  for (Operation *op : castOps) {
    Value source = skipUserCasts(op->getOperand(0));
    Value result = op->getResult(0);
    if (source.getType() == result.getType())
      result.replaceAllUsesWith(source);
    else if (isa<amp::CastOp>(op))
      op->setOperand(0, source);
  }
  for (Operation *op : llvm::reverse(castOps))
    if (op->use_empty())
      op->erase();
}

//===----------------------------------------------------------------------===//
// Peers
//===----------------------------------------------------------------------===//

void mlir::amp::prepareAsModelOpt(ModuleOp module) {
  if (narrowDoubles(module))
    emitWarning(module.getLoc(), DiagnosticId::R010)
        << "compat=modelopt: all that was f64 became f32";
  dropUserCasts(module);
}

LogicalResult
mlir::amp::checkAsTorchTRT(ArrayRef<const DecidedOp *> decisions) {
  LogicalResult result = success();
  for (const DecidedOp *decided : decisions)
    if (decided->decision.verdict && decided->op->getNumResults() > 1)
      result = emitError(decided->op, DiagnosticId::R009)
               << "compat=torch-trt: Torch-TensorRT fails at '"
               << decided->op->getName()
               << "', which has several results; leave out compat";
  return result;
}
