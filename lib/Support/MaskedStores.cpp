//===- MaskedStores.cpp - masked stores that LLVM 22.1 gets wrong ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/MaskedStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

/// The lane that alone is set in the constant `mask`. What is not defined is
/// not set, as LLVM has it.
static std::optional<unsigned> getLoneLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  std::optional<unsigned> lone;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    Constant *bit = constant->getAggregateElement(lane);
    if (bit && (bit->isNullValue() || isa<UndefValue>(bit)))
      continue;
    if (lone || !bit || !bit->isOneValue())
      return std::nullopt;
    lone = lane;
  }
  return lone;
}

void mlir::amp::storeLoneLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *store = dyn_cast<IntrinsicInst>(&inst);
      if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
        continue;
      Value *value = store->getArgOperand(0), *place = store->getArgOperand(1);
      std::optional<unsigned> lane = getLoneLane(store->getArgOperand(2));
      Type *element = value->getType()->getScalarType();
      if (!lane || !element->isIntegerTy() ||
          element->getIntegerBitWidth() >= 32)
        continue;
      IRBuilder<> b(store);
      Align align = store->getParamAlign(1).valueOrOne();
      if (*lane != 0) {
        place = b.CreateConstGEP1_32(element, place, *lane);
        align = Align();
      }
      b.CreateAlignedStore(b.CreateExtractElement(value, *lane), place, align);
      store->eraseFromParent();
    }
}
