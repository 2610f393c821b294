//===- ValueKeysTest.cpp - keys of values survive edits elsewhere ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/ValueKeys.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Policy/ProfileMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
class ValueKeysTest : public ::testing::Test {
protected:
  ValueKeysTest() {
    context.loadDialect<AMPDialect, arith::ArithDialect, cf::ControlFlowDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    return module;
  }

  /// The keys of the profiled values by the names of their entries.
  std::map<std::string, std::string> getKeys(StringRef text) {
    OwningOpRef<ModuleOp> module = parse(text);
    ValueKeys keys(*module);
    std::map<std::string, std::string> result;
    for (Value value : getProfiledValues(*module, keys, {})) {
      ProfileEntry entry = makeProfileEntry(value, keys);
      EXPECT_FALSE(entry.key.empty());
      std::string name = entry.name;
      while (!result.try_emplace(name, entry.key).second)
        name += "'";
    }
    return result;
  }

  /// The body of a function of one argument %x, named so, in ops on
  /// tensor<4xf32>.
  static std::string wrap(StringRef body) {
    return ("func.func @main(%x: tensor<4xf32> {amp.name = \"x\"}, %c: i1) -> "
            "tensor<4xf32> {\n" +
            body + "\n}")
        .str();
  }

  MLIRContext context;
};
} // namespace

static constexpr StringLiteral base = R"(
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.tanh %0 : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>)";

TEST_F(ValueKeysTest, LookLikeThis) {
  auto keys = getKeys(wrap(base));
  ASSERT_EQ(keys.size(), 4u);
  for (auto &[name, key] : keys) {
    EXPECT_EQ(StringRef(key).take_front(5), "main:") << key;
    EXPECT_EQ(key.size(), 5u + 16) << key;
  }
}

TEST_F(ValueKeysTest, EditsElsewhereDoNotCount) {
  auto before = getKeys(wrap(base));
  // Dead and later ops, another order, other names and operand orders, and
  // locations.
  auto after = getKeys(wrap(R"(
    %d = math.sin %x : tensor<4xf32>
    %0 = math.exp %x : tensor<4xf32>
    %9 = math.cos %0 : tensor<4xf32>
    %1 = math.tanh %0 {amp.schedule = "map"} : tensor<4xf32>
    %2 = arith.addf %1, %0 : tensor<4xf32>
    %3 = arith.mulf %2, %9 : tensor<4xf32>
    return %3 : tensor<4xf32>)"));
  for (StringRef name : {"x", "math.exp", "math.tanh", "arith.addf"})
    EXPECT_EQ(after[name.str()], before[name.str()]) << name.str();
}

TEST_F(ValueKeysTest, EditsUpstreamCount) {
  auto before = getKeys(wrap(base));
  auto after = getKeys(wrap(R"(
    %0 = math.exp %x : tensor<4xf32>
    %1 = math.tanh %x : tensor<4xf32>
    %2 = arith.addf %0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>)"));
  EXPECT_EQ(after["math.exp"], before["math.exp"]);
  EXPECT_NE(after["math.tanh"], before["math.tanh"]);
  EXPECT_NE(after["arith.addf"], before["arith.addf"]);
}

TEST_F(ValueKeysTest, ConstantsAndAttributesCount) {
  auto with = [&](StringRef number, StringRef flags) {
    return getKeys(wrap(("%k = arith.constant dense<[1.0, 2.0, 3.0, " + number +
                         "]> : tensor<4xf32>\n%0 = arith.mulf %x, %k " + flags +
                         ": tensor<4xf32>\nreturn %0 : tensor<4xf32>")
                            .str()))["arith.mulf"];
  };
  EXPECT_EQ(with("4.0", ""), with("4.0", ""));
  EXPECT_NE(with("4.0", ""), with("5.0", ""));
  EXPECT_NE(with("4.0", ""), with("4.0", "fastmath<fast> "));
}

TEST_F(ValueKeysTest, ScopesDoNotCount) {
  auto before = getKeys(wrap(base));
  auto after = getKeys(wrap(R"(
    %s = amp.autocast device("cpu") dtype(bf16) (%y = %x : tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %y : tensor<4xf32>
      %t = amp.autocast device("cpu") dtype(bf16) disabled (%z = %0 : tensor<4xf32>) -> tensor<4xf32> {
        %1 = math.tanh %z : tensor<4xf32>
        amp.yield %1 : tensor<4xf32>
      }
      %2 = arith.addf %0, %t : tensor<4xf32>
      amp.yield %2 : tensor<4xf32>
    }
    return %s : tensor<4xf32>)"));
  EXPECT_EQ(before, after);
}

TEST_F(ValueKeysTest, ScopesInLoopsDoNotCount) {
  auto loop = [&](StringRef body) {
    return getKeys(wrap((R"(
      %l = arith.constant 0 : index
      %r = scf.for %i = %l to %l step %l iter_args(%a = %x) -> tensor<4xf32> {)" +
                         body + R"(
        scf.yield %y : tensor<4xf32>
      }
      return %r : tensor<4xf32>)")
                            .str()));
  };
  auto plain = loop("%y = math.exp %a : tensor<4xf32>");
  EXPECT_EQ(plain, loop(R"(
    %y = amp.autocast device("cpu") dtype(bf16) (%b = %a : tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %b : tensor<4xf32>
      amp.yield %0 : tensor<4xf32>
    })"));
  auto other = loop("%y = math.tanh %a : tensor<4xf32>");
  EXPECT_NE(plain["scf.for"], other["scf.for"]);
  // What goes round depends on what the body does.
  EXPECT_NE(plain["arg1"], other["arg1"]);
  EXPECT_EQ(plain["x"], other["x"]);
}

TEST_F(ValueKeysTest, CallsCountByWhatTheyDo) {
  auto call = [&](StringRef name, StringRef op) {
    return getKeys(("func.func private @" + name +
                    "(%a: tensor<4xf32>) -> tensor<4xf32> {\n %0 = " + op +
                    " %a : tensor<4xf32>\n return %0 : tensor<4xf32>\n}\n" +
                    wrap(("%0 = call @" + name +
                          "(%x) : (tensor<4xf32>) -> tensor<4xf32>\nreturn %0 "
                          ": tensor<4xf32>")
                             .str()))
                       .str())["func.call"];
  };
  EXPECT_EQ(call("f", "math.exp"), call("g", "math.exp"));
  EXPECT_NE(call("f", "math.exp"), call("f", "math.tanh"));
}

TEST_F(ValueKeysTest, RecursionEnds) {
  auto keys = getKeys(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_EQ(keys.size(), 4u);
}

TEST_F(ValueKeysTest, BlocksOfLoops) {
  auto keys = getKeys(wrap(R"(
    cf.br ^loop(%x : tensor<4xf32>)
  ^loop(%a: tensor<4xf32>):
    %0 = math.exp %a : tensor<4xf32>
    cf.cond_br %c, ^loop(%0 : tensor<4xf32>), ^end
  ^end:
    return %a : tensor<4xf32>)"));
  EXPECT_EQ(keys.size(), 3u);
}

TEST_F(ValueKeysTest, NotProfiled) {
  auto keys = getKeys(R"(
    func.func @main(%i: tensor<4xi32>, %s: f32, %u: tensor<*xf32>, %n: index, %x: tensor<4xf32>) {
      %c = arith.constant dense<1.0> : tensor<4xf32>
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %v = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
      %p = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
      %b = tensor.empty() : tensor<8xf32>
      %q = tensor.insert_slice %x into %b[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
      %o = scf.for %j = %n to %n step %n iter_args(%a = %b) -> tensor<8xf32> {
        %1 = tensor.insert_slice %x into %a[%j] [4] [1] : tensor<4xf32> into tensor<8xf32>
        scf.yield %1 : tensor<8xf32>
      }
      return
    })");
  // The argument, and the insertion that writes everything.
  EXPECT_EQ(keys.size(), 2u);
  EXPECT_TRUE(keys.count("arg4"));
  EXPECT_TRUE(keys.count("tensor.insert_slice"));
}

TEST_F(ValueKeysTest, LookupSurvivesClones) {
  OwningOpRef<ModuleOp> module = parse(wrap(base));
  ValueKeys keys(*module);
  Profile profile;
  for (Value value : getProfiledValues(*module, keys, {})) {
    ProfileEntry entry = makeProfileEntry(value, keys);
    entry.observations = 1;
    profile.add(entry);
  }
  auto function = *module->getOps<func::FuncOp>().begin();
  {
    auto map = ProfileMap::create(*module, profile, StaleProfile::Error, "'p'");
    ASSERT_TRUE(succeeded(map));
    Operation *exp = &function.getBody().front().front();
    EXPECT_EQ((*map)->lookupEntry(exp->getResult(0))->op, "math.exp");
    EXPECT_EQ((*map)->lookupEntry(function.getArgument(0))->name, "x");
    EXPECT_EQ((*map)->lookupEntry(function.getArgument(1)), nullptr);
    OpBuilder builder(exp);
    Operation *clone = builder.clone(*exp);
    EXPECT_EQ((*map)->lookupEntry(clone->getResult(0))->op, "math.exp");
    clone->erase();
  }
  module->walk(
      [](Operation *op) { EXPECT_FALSE(op->hasAttr("amp.profile_entries")); });
}

TEST_F(ValueKeysTest, StaleProfilesSayWhatChanged) {
  OwningOpRef<ModuleOp> module = parse(wrap(base));
  Profile profile;
  {
    ValueKeys keys(*module);
    for (Value value : getProfiledValues(*module, keys, {}))
      profile.add(makeProfileEntry(value, keys));
  }
  OwningOpRef<ModuleOp> edited = parse(wrap(R"(
    %0 = math.exp2 %x : tensor<4xf32>
    %1 = math.tanh %0 : tensor<4xf32>
    %2 = arith.addf %0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>)"));
  for (StaleProfile stale : {StaleProfile::Error, StaleProfile::Warn}) {
    std::vector<std::string> messages;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
      for (Diagnostic &note : diagnostic.getNotes())
        messages.push_back(note.str());
    });
    auto map = ProfileMap::create(*edited, profile, stale, "'p.json'");
    EXPECT_EQ(succeeded(map), stale == StaleProfile::Warn);
    // One message, at the op that was edited.
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(
        messages[0],
        "[AMP-F002] the profile 'p.json' is not of this program: the value "
        "'math.exp2' (math.exp2, tensor<4xf32>) has no entry; it was "
        "added or changed since, or something that it is computed from "
        "was");
    EXPECT_EQ(StringRef(messages[1]).take_front(53),
              "nearest entry without a value: 'math.exp' (math.exp, ");
    EXPECT_EQ(StringRef(messages[2]).take_front(27),
              "2 more values have no entry");
    if (stale == StaleProfile::Warn) {
      auto function = *edited->getOps<func::FuncOp>().begin();
      EXPECT_NE((*map)->lookupEntry(function.getArgument(0)), nullptr);
    }
  }
}
