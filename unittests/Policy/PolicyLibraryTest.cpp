//===- PolicyLibraryTest.cpp - where policy sets come from ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/PolicyLibrary.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
class PolicyLibraryTest : public ::testing::Test {
protected:
  PolicyLibraryTest()
      : handler(&context, [this](Diagnostic &diag) {
          errors.push_back(diag.str());
          return success();
        }) {
    context.loadDialect<AMPDialect>();
  }

  /// The library of a module of this text.
  PolicyLibrary &load(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(static_cast<bool>(module));
    library = std::make_unique<PolicyLibrary>(*module);
    return *library;
  }

  const PolicySet *lookup(StringRef name, StringRef device) {
    SymbolRefAttr symbol;
    if (!name.empty())
      symbol = FlatSymbolRefAttr::get(&context, name);
    return library->lookup(symbol, device, UnknownLoc::get(&context));
  }

  MLIRContext context;
  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<PolicyLibrary> library;
};
} // namespace

static constexpr StringLiteral chain = R"mlir(
  amp.policy_set @low device("cuda") extends @torch_cuda unknown_op(error) {
    amp.policy "aten.mm" fp32
    amp.policy "aten.exp" fallthrough
    amp.policy class("pooling") fp32
  }
  amp.policy_set @high device("cuda") extends @low {
    amp.policy "aten.exp" promote
    amp.policy "aten.pow.*" fallthrough
    amp.policy "torch.aten.pow.Scalar.default" keep
  }
)mlir";

TEST_F(PolicyLibraryTest, EntriesComeFromTheNearestSet) {
  load(chain);
  const PolicySet *high = lookup("high", "cuda");
  ASSERT_NE(high, nullptr);
  const PolicySet *low = lookup("low", "cuda");
  EXPECT_EQ(high->getBase(), low);
  EXPECT_EQ(low->getBase(), PolicySet::getBuiltin("cuda"));
  auto expect = [&](StringRef name, Policy policy, const PolicySet *set) {
    const PolicyEntry *entry = high->lookupName(name);
    ASSERT_NE(entry, nullptr) << name.str();
    EXPECT_EQ(entry->policy, policy) << name.str();
    EXPECT_EQ(entry->set, set) << name.str();
    EXPECT_EQ(entry->op != nullptr, set->getOp() != nullptr) << name.str();
  };
  expect("aten.exp", Policy::promote, high);
  expect("aten.mm", Policy::fp32, low);
  expect("aten.bmm", Policy::lower_precision_fp, low->getBase());
  // For all overloads, unless the same set has one for the overload.
  expect("aten.pow.Tensor_Tensor", Policy::fallthrough, high);
  expect("aten.pow.Scalar", Policy::keep, high);
  EXPECT_EQ(high->lookupName("aten.relu"), nullptr);
  EXPECT_EQ(high->lookupClass(PrecisionClass::Pooling).policy, Policy::fp32);
  EXPECT_EQ(high->lookupClass(PrecisionClass::Contraction).policy,
            Policy::lower_precision_fp);
  EXPECT_EQ(high->getUnknownOp(), UnknownOp::error);
  EXPECT_EQ(PolicySet::getBuiltin("cuda")->getUnknownOp(), UnknownOp::keep);
  EXPECT_TRUE(errors.empty());
}

TEST_F(PolicyLibraryTest, SetsAreMadeOnce) {
  load(chain);
  EXPECT_EQ(lookup("high", "cuda"), lookup("high", "cuda"));
  EXPECT_EQ(lookup("", "cuda"), PolicySet::getBuiltin("cuda"));
}

TEST_F(PolicyLibraryTest, AModuleReplacesABuiltinSet) {
  load(R"mlir(amp.policy_set @torch_cuda device("cuda") {})mlir");
  const PolicySet *set = lookup("", "cuda");
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->lookupName("aten.mm"), nullptr);
  EXPECT_EQ(set->lookupClass(PrecisionClass::Contraction).policy,
            Policy::fallthrough);
  EXPECT_EQ(set->lookupClass(PrecisionClass::DataMovement).policy,
            Policy::follow);
}

TEST_F(PolicyLibraryTest, DefaultsAreByDevice) {
  PolicyLibrary &library = load(chain);
  Location loc = UnknownLoc::get(&context);
  EXPECT_TRUE(failed(library.setDefaults({"@high", "torchscript"}, loc)));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].find("policy sets @high and @torchscript are both for "
                           "device \"cuda\""),
            std::string::npos);
  PolicyLibrary &fresh = load(chain);
  EXPECT_TRUE(succeeded(fresh.setDefaults({"high", "@torch_cpu"}, loc)));
  EXPECT_EQ(lookup("", "cuda"), lookup("high", "cuda"));
  EXPECT_EQ(lookup("", "cpu"), PolicySet::getBuiltin("cpu"));
  EXPECT_EQ(lookup("", "mps"), PolicySet::getBuiltin("mps"));
}

TEST_F(PolicyLibraryTest, WrongNames) {
  load(chain);
  EXPECT_EQ(lookup("hihg", "cuda"), nullptr);
  EXPECT_EQ(lookup("high", "cpu"), nullptr);
  EXPECT_EQ(lookup("torch_cpu", "cuda"), nullptr);
  EXPECT_EQ(lookup("", "hpu"), nullptr);
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0],
            "[AMP-P007] there is no policy set of this name: @hihg; did you "
            "mean @high?");
}

// A built-in set that is written into a module says the same.
TEST_F(PolicyLibraryTest, MaterializedSetsAgree) {
  for (auto [name, device] : PolicySet::getBuiltinSets()) {
    const PolicySet *builtin = PolicySet::getBuiltin(name, device);
    load("");
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    PolicySetOp op = builtin->materialize(builder, name, module->getLoc());
    EXPECT_TRUE(succeeded(op.verify()) && succeeded(op.verifyRegions()));
    PolicySet made(op, builtin->getBase());
    auto expected = builtin->getOwnEntries();
    auto found = made.getOwnEntries();
    ASSERT_EQ(expected.size(), found.size()) << name.str();
    for (size_t index = 0; index != expected.size(); ++index) {
      EXPECT_EQ(expected[index].first, found[index].first);
      EXPECT_EQ(expected[index].second.policy, found[index].second.policy);
    }
    EXPECT_EQ(builtin->getOwnClasses().size(), made.getOwnClasses().size());
  }
}
