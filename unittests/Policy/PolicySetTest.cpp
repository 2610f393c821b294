//===- PolicySetTest.cpp - the built-in policy sets -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about ATen ops are those of the autocast lists of torch 2.6.0
// (aten/src/ATen/autocast_mode.h), read there, not from the data under test.
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/PolicySet.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

static const PolicySet &getSet(StringRef device) {
  const PolicySet *set = PolicySet::getBuiltin(device);
  EXPECT_NE(set, nullptr);
  return *set;
}

/// The policy of the entry for an op name, if there is one.
static std::optional<Policy> lookup(StringRef device, StringRef name) {
  const PolicyEntry *entry = getSet(device).lookupName(name);
  return entry ? std::optional(entry->policy) : std::nullopt;
}

TEST(PolicySet, Devices) {
  EXPECT_EQ(PolicySet::getBuiltinDevices(),
            ArrayRef<StringRef>({"cuda", "cpu"}));
  for (StringRef device : PolicySet::getBuiltinDevices())
    EXPECT_NE(PolicySet::getBuiltin(device), nullptr) << device.str();
  EXPECT_NE(PolicySet::getBuiltin("cuda"), PolicySet::getBuiltin("cpu"));
  for (StringRef device : {"", "CUDA", "cuda:0", "mps"})
    EXPECT_EQ(PolicySet::getBuiltin(device), nullptr) << device.str();
}

TEST(PolicySet, EveryClassHasAPolicy) {
  struct Fact {
    PrecisionClass precisionClass;
    Policy cuda, cpu;
  };
  const Fact facts[] = {
      {PrecisionClass::Contraction, Policy::lower_precision_fp,
       Policy::lower_precision_fp},
      {PrecisionClass::Convolution, Policy::lower_precision_fp,
       Policy::lower_precision_fp},
      {PrecisionClass::Pooling, Policy::fallthrough, Policy::fallthrough},
      {PrecisionClass::Elementwise, Policy::fallthrough, Policy::fallthrough},
      {PrecisionClass::Reduction, Policy::fp32_set_opt_dtype,
       Policy::fallthrough},
      {PrecisionClass::Selection, Policy::fallthrough, Policy::fallthrough},
      {PrecisionClass::Normalization, Policy::fp32_set_opt_dtype,
       Policy::fallthrough},
      {PrecisionClass::DataMovement, Policy::follow, Policy::follow},
      {PrecisionClass::Generator, Policy::keep, Policy::keep},
      {PrecisionClass::Cast, Policy::keep, Policy::keep},
      {PrecisionClass::Pinned, Policy::keep, Policy::keep},
  };
  ASSERT_EQ(std::size(facts), static_cast<size_t>(PrecisionClass::Pinned) + 1);
  for (const Fact &fact : facts) {
    std::string name = stringifyPrecisionClass(fact.precisionClass).str();
    EXPECT_EQ(getSet("cuda").lookupClass(fact.precisionClass).policy, fact.cuda)
        << name;
    EXPECT_EQ(getSet("cpu").lookupClass(fact.precisionClass).policy, fact.cpu)
        << name;
  }
}

TEST(PolicySet, ATenOpsAsInTorch) {
  struct Fact {
    StringRef name;
    std::optional<Policy> cuda, cpu;
  };
  const Fact facts[] = {
      {"aten.addcdiv", Policy::promote, std::nullopt},
      {"aten.addcmul", Policy::promote, std::nullopt},
      {"aten.addmm", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.addmv", Policy::lower_precision_fp, std::nullopt},
      {"aten.atan2", Policy::promote, std::nullopt},
      {"aten.baddbmm", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.binary_cross_entropy", Policy::banned, Policy::fp32},
      {"aten.bmm", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.cat", std::nullopt, Policy::promote},
      {"aten.conv2d", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.dot", Policy::promote, std::nullopt},
      {"aten.exp", Policy::fp32, std::nullopt},
      {"aten.layer_norm", Policy::fp32, std::nullopt},
      {"aten.linear", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.log", Policy::fp32, std::nullopt},
      {"aten.log_softmax.int", Policy::fp32_set_opt_dtype, std::nullopt},
      {"aten.matmul", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.mm", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.mse_loss", Policy::fp32, Policy::fp32},
      {"aten.mv", Policy::lower_precision_fp, std::nullopt},
      {"aten.norm.Scalar", Policy::fp32_append_dtype, std::nullopt},
      {"aten.pow.Tensor_Scalar", Policy::fp32, std::nullopt},
      {"aten.pow.Tensor_Tensor", Policy::fp32, std::nullopt},
      {"aten.prelu", Policy::lower_precision_fp, Policy::lower_precision_fp},
      {"aten.reciprocal", Policy::fp32, std::nullopt},
      {"aten.rsqrt", Policy::fp32, std::nullopt},
      {"aten.scaled_dot_product_attention", Policy::lower_precision_fp,
       Policy::lower_precision_fp},
      {"aten.softmax.int", Policy::fp32_set_opt_dtype, std::nullopt},
      {"aten.stack", std::nullopt, Policy::promote},
      {"aten.sum", Policy::fp32_set_opt_dtype, std::nullopt},
      {"aten.sum.dim_IntList", Policy::fp32_set_opt_dtype, std::nullopt},
      {"aten.add.Tensor", std::nullopt, std::nullopt},
      {"aten.relu", std::nullopt, std::nullopt},
      {"aten.mul.Tensor", std::nullopt, std::nullopt},
      {"aten.dropout", std::nullopt, std::nullopt},
  };
  for (const Fact &fact : facts) {
    EXPECT_EQ(lookup("cuda", fact.name), fact.cuda) << fact.name.str();
    EXPECT_EQ(lookup("cpu", fact.name), fact.cpu) << fact.name.str();
  }
}

TEST(PolicySet, SpellingsOfATenNames) {
  for (StringRef name :
       {"aten.mm", "torch.aten.mm", "aten.mm.default", "torch.aten.mm.default"})
    EXPECT_EQ(lookup("cuda", name), Policy::lower_precision_fp) << name.str();
  EXPECT_EQ(lookup("cuda", "torch.aten.softmax.int"),
            Policy::fp32_set_opt_dtype);
  // Only ATen names have several spellings.
  EXPECT_EQ(lookup("cuda", "torch.math.exp"), std::nullopt);
  EXPECT_EQ(lookup("cuda", "math.exp.default"), std::nullopt);
  EXPECT_EQ(lookup("cuda", "mm"), std::nullopt);
  EXPECT_EQ(lookup("cuda", ""), std::nullopt);
}

// torch registers neither in-place nor out variants, and no overload that the
// list does not name.
TEST(PolicySet, OtherOverloadsAreUnlisted) {
  for (StringRef device : PolicySet::getBuiltinDevices())
    for (StringRef name : {"aten.mm.out", "aten.addmm_", "aten.exp_",
                           "aten.exp.out", "aten.addcmul_", "aten.sum.IntList"})
      EXPECT_EQ(lookup(device, name), std::nullopt) << name.str();
}

TEST(PolicySet, ATenNames) {
  for (StringRef name :
       {"aten.relu", "torch.aten.relu.default", "aten.mm", "torch.aten.mm_"})
    EXPECT_TRUE(isATenOp(name)) << name.str();
  for (StringRef name :
       {"other.relu", "torch.prim.tolist", "aten", "my.aten.x"})
    EXPECT_FALSE(isATenOp(name)) << name.str();
}

TEST(PolicySet, OverloadPatterns) {
  EXPECT_EQ(getOverloadPattern("aten.pow.Scalar"), "aten.pow.*");
  EXPECT_EQ(getOverloadPattern("aten.mm"), "aten.mm.*");
  for (StringRef name : {"aten.mm_", "aten.add_.Tensor", "aten.mm.out",
                         "aten.sum.IntList_out", "math.exp", "aten"})
    EXPECT_EQ(getOverloadPattern(name), "") << name.str();
}

TEST(PolicySet, NearestNames) {
  EXPECT_EQ(findNearestName("fp23", {"promote", "fp32"}), "fp32");
  EXPECT_EQ(
      findNearestName("aten.sofmax.int", {"aten.softmax", "aten.softmax.int"}),
      "aten.softmax.int");
  EXPECT_EQ(findNearestName("half", {"promote", "fp32"}), "");
  EXPECT_EQ(findNearestName("mm", {"fp32", "mv"}), "mv");
  EXPECT_EQ(findNearestName("", {"a"}), "");
  EXPECT_EQ(findNearestName("a", {}), "");
}

// What torch does to an ATen op, the set does to upstream's op for it.
TEST(PolicySet, UpstreamOpsFollowATen) {
  for (StringRef device : PolicySet::getBuiltinDevices())
    for (StringRef name : {"exp", "log", "rsqrt", "atan2"})
      EXPECT_EQ(lookup(device, ("math." + name).str()),
                lookup(device, ("aten." + name).str()))
          << device.str() << " " << name.str();
}
