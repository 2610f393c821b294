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

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
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
            ArrayRef<StringRef>({"cuda", "cpu", "xpu", "mps"}));
  for (StringRef device : PolicySet::getBuiltinDevices())
    EXPECT_NE(PolicySet::getBuiltin(device), nullptr) << device.str();
  EXPECT_NE(PolicySet::getBuiltin("cuda"), PolicySet::getBuiltin("cpu"));
  for (StringRef device : {"", "CUDA", "cuda:0", "hpu"})
    EXPECT_EQ(PolicySet::getBuiltin(device), nullptr) << device.str();
}

TEST(PolicySet, NamesOfSets) {
  for (StringRef name : {"torch_cuda", "torch_cpu", "torch_xpu", "torch_mps",
                         "torchscript", "torch_cuda_2_12"})
    EXPECT_TRUE(llvm::is_contained(PolicySet::getBuiltinNames(), name))
        << name.str();
  EXPECT_EQ(PolicySet::getBuiltin("torch_cuda", "cuda"),
            PolicySet::getBuiltin("cuda"));
  EXPECT_EQ(PolicySet::getBuiltin("torch_cuda", "cpu"), nullptr);
  EXPECT_EQ(PolicySet::getBuiltin("torch_tpu", "cuda"), nullptr);
  // One name, two devices.
  const PolicySet *cuda = PolicySet::getBuiltin("torchscript", "cuda");
  const PolicySet *cpu = PolicySet::getBuiltin("torchscript", "cpu");
  ASSERT_TRUE(cuda && cpu);
  EXPECT_EQ(cuda->lookupName("aten.softmax.int")->policy,
            Policy::fp32_set_opt_dtype);
  EXPECT_EQ(cpu->lookupName("aten.softmax.int"), nullptr);
}

// TorchScript lists names: every overload matches, except those that write.
TEST(PolicySet, TorchScriptMatchesNames) {
  const PolicySet *set = PolicySet::getBuiltin("torchscript", "cuda");
  for (StringRef name :
       {"aten.pow", "aten.pow.Scalar", "aten.pow.Tensor_Tensor"})
    EXPECT_EQ(set->lookupName(name)->policy, Policy::fp32) << name.str();
  for (StringRef name : {"aten.pow_.Scalar", "aten.pow.Scalar_out", "aten.powx",
                         "aten.upsample_nearest2d"})
    EXPECT_EQ(set->lookupName(name), nullptr) << name.str();
  EXPECT_EQ(set->lookupName("arith.addf")->policy, Policy::promote);
}

// What torch 2.12 added is a set of its own, on top of that of 2.6.
TEST(PolicySet, LaterSets) {
  const PolicySet *later = PolicySet::getBuiltin("torch_cuda_2_12", "cuda");
  ASSERT_NE(later, nullptr);
  EXPECT_EQ(later->getBase(), PolicySet::getBuiltin("cuda"));
  EXPECT_EQ(later->lookupName("aten.rms_norm")->policy, Policy::fp32);
  EXPECT_EQ(lookup("cuda", "aten.rms_norm"), std::nullopt);
  EXPECT_EQ(later->lookupName("aten.mm")->policy, Policy::lower_precision_fp);
}

// Composites get the policy of the op that they call.
TEST(PolicySet, Composites) {
  EXPECT_EQ(lookup("cuda", "aten.matrix_power"), Policy::lower_precision_fp);
  EXPECT_EQ(lookup("cuda", "aten.cross_entropy_loss"), Policy::fp32);
  EXPECT_EQ(lookup("cuda", "aten.upsample_nearest2d.vec"), Policy::fp32);
  EXPECT_EQ(lookup("cuda", "aten.linalg_norm"), Policy::fp32_set_opt_dtype);
  EXPECT_EQ(lookup("cuda", "aten.tensordot"), Policy::promote);
  EXPECT_EQ(lookup("cpu", "aten.tensordot"), Policy::lower_precision_fp);
  EXPECT_EQ(lookup("cpu", "aten.upsample_nearest2d.vec"), std::nullopt);
  // torch lists no conv3d for mps, but the convolution that it becomes.
  EXPECT_EQ(lookup("mps", "aten.conv3d"), Policy::lower_precision_fp);
}

namespace {
/// The data that the sets were generated from.
llvm::json::Value readLists() {
  auto buffer = llvm::MemoryBuffer::getFile(AMP_TORCH_POLICIES_JSON);
  EXPECT_TRUE(static_cast<bool>(buffer));
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*buffer)->getBuffer());
  EXPECT_TRUE(static_cast<bool>(value));
  return std::move(*value);
}
} // namespace

// Every list of the data is in the sets, under its category, for each device.
TEST(PolicySet, SetsAreTheirData) {
  llvm::json::Value lists = readLists();
  size_t numEntries = 0;
  for (const auto &[name, content] : *lists.getAsObject()->getObject("sets")) {
    const llvm::json::Object &set = *content.getAsObject();
    bool allOverloads = set.getBoolean("all_overloads").value_or(false);
    for (const llvm::json::Value &device : *set.getArray("devices")) {
      const PolicySet *builtin =
          PolicySet::getBuiltin(name, *device.getAsString());
      ASSERT_NE(builtin, nullptr);
      for (const auto &[category, ops] : set) {
        std::optional<Policy> policy = symbolizePolicy(category);
        if (!policy)
          continue;
        for (const llvm::json::Value &op : *ops.getAsArray()) {
          std::string key = op.getAsString()->str();
          bool skipped = allOverloads && key == "aten.softmax" &&
                         *device.getAsString() == "cpu";
          const PolicyEntry *entry = builtin->lookupName(key);
          EXPECT_EQ(entry == nullptr, skipped) << key;
          if (entry)
            EXPECT_EQ(entry->policy, *policy) << key;
          ++numEntries;
        }
      }
    }
  }
  // 125 registrations for cuda, 129 for cpu, 123 for xpu, 99 for mps, and 91
  // names for torchscript on two devices.
  EXPECT_EQ(numEntries, 125u + 129u + 123u + 99u + 2 * 91u);
}

TEST(PolicySet, TorchFacts) {
  EXPECT_EQ(getDtypeOverload("torch.aten.norm.Scalar"),
            "aten.norm.ScalarOpt_dtype");
  EXPECT_EQ(getDtypeOverload("aten.sum"), "");
  EXPECT_EQ(getBannedAdvice("aten.binary_cross_entropy").count('\n'), 4u);
  EXPECT_EQ(getBannedAdvice("aten.mm"), "");
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
