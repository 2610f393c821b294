//===- MaskedStoresTest.cpp - masked stores of one lane -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/MaskedStores.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

class MaskedStores : public ::testing::Test {
protected:
  /// A function that stores `count` elements of `type` with `mask`.
  Function &parse(StringRef type, StringRef mask) {
    std::string vector = ("<4 x " + type + ">").str();
    std::string source = "define void @f(" + vector +
                         " %v, ptr %p) {\n  call void @llvm.masked.store.v4" +
                         type.str() + ".p0(" + vector +
                         " %v, ptr align 2 %p, <4 x i1> " + mask.str() +
                         ")\n  ret void\n}\n";
    SMDiagnostic error;
    module = parseAssemblyString(source, error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    mlir::amp::storeLoneLanes(*module);
    EXPECT_FALSE(verifyModule(*module));
    return *module->getFunction("f");
  }

  static StoreInst *findStore(Function &function) {
    for (Instruction &inst : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&inst))
        return store;
    return nullptr;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
};

TEST_F(MaskedStores, StoresTheFirstLane) {
  StoreInst *store =
      findStore(parse("i8", "<i1 true, i1 false, i1 false, i1 false>"));
  ASSERT_TRUE(store);
  EXPECT_TRUE(store->getValueOperand()->getType()->isIntegerTy(8));
  EXPECT_EQ(store->getPointerOperand(), module->getFunction("f")->getArg(1));
  EXPECT_EQ(store->getAlign().value(), 2u);
}

TEST_F(MaskedStores, StoresAnotherLaneAtItsPlace) {
  StoreInst *store =
      findStore(parse("i16", "<i1 false, i1 false, i1 true, i1 false>"));
  ASSERT_TRUE(store);
  APInt offset(64, 0);
  const DataLayout &layout = module->getDataLayout();
  store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset,
                                                                true);
  EXPECT_EQ(offset, 4);
  EXPECT_EQ(store->getAlign().value(), 1u);
  auto *element = dyn_cast<ExtractElementInst>(store->getValueOperand());
  ASSERT_TRUE(element);
  EXPECT_EQ(cast<ConstantInt>(element->getIndexOperand())->getZExtValue(), 2u);
}

TEST_F(MaskedStores, TakesUndefinedLanesAsNotSet) {
  EXPECT_TRUE(
      findStore(parse("i8", "<i1 undef, i1 true, i1 poison, i1 false>")));
}

TEST_F(MaskedStores, LeavesOthersAlone) {
  EXPECT_FALSE(
      findStore(parse("i8", "<i1 true, i1 true, i1 false, i1 false>")));
  EXPECT_FALSE(findStore(parse("i8", "zeroinitializer")));
  EXPECT_FALSE(
      findStore(parse("i32", "<i1 true, i1 false, i1 false, i1 false>")));
}

} // namespace
