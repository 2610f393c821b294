//===- Signedness.cpp - integers without a sign ---------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Signedness.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

static bool isSigned(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && !integer.isSignless();
}

/// Whether `op`, or a function that it declares, has to do with signed or
/// unsigned integers.
static bool usesSignedness(Operation *op) {
  auto any = [](TypeRange types) { return llvm::any_of(types, isSigned); };
  if (any(op->getOperandTypes()) || any(op->getResultTypes()))
    return true;
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (any(function.getArgumentTypes()) || any(function.getResultTypes()))
      return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (any(block.getArgumentTypes()))
        return true;
  return false;
}

/// Notes on `function` which of its values are unsigned.
static void noteUnsigned(FunctionOpInterface function) {
  auto note = [&](StringRef name, ArrayRef<Type> types) {
    SmallVector<int64_t> numbers;
    for (auto [number, type] : llvm::enumerate(types))
      if (getElementTypeOrSelf(type).isUnsignedInteger())
        numbers.push_back(number);
    if (!numbers.empty())
      function->setAttr(
          name, DenseI64ArrayAttr::get(function->getContext(), numbers));
  };
  note(kUnsignedArgumentsAttrName, function.getArgumentTypes());
  note(kUnsignedResultsAttrName, function.getResultTypes());
}

void mlir::amp::dropSignedness(ModuleOp module, bool keepNotes) {
  WalkResult found = module.walk([](Operation *op) {
    return usesSignedness(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (keepNotes && function.isPublic())
      noteUnsigned(function);
  AttrTypeReplacer replacer;
  auto signless = [](IntegerType type) {
    return IntegerType::get(type.getContext(), type.getWidth());
  };
  replacer.addReplacement([=](IntegerType type) -> Type {
    return type.isSignless() ? type : signless(type);
  });
  // The replacer does not look into the data of these.
  replacer.addReplacement(
      [=](DenseIntElementsAttr attr) -> std::optional<Attribute> {
        if (!isSigned(attr.getType()))
          return std::nullopt;
        return attr.bitcast(signless(cast<IntegerType>(attr.getElementType())));
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (isa<tensor::BitcastOp, UnrealizedConversionCastOp>(op) &&
        op->getNumOperands() == 1 && op->getNumResults() == 1 &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    }
  });
}
