//===- OpNamesTest.cpp - names and patterns -------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolicyTest.h"

using namespace mlir;
using namespace mlir::amp;

using OpNamesTest = PolicyTest;

TEST_F(OpNamesTest, InstanceNames) {
  parse(R"mlir(
    "a.attribute"() {amp.name = "named"} : () -> () loc("other")
    "a.name"() : () -> () loc("simple"("file":1:2))
    "a.nested"() : () -> () loc("outer"("inner"))
    "a.fused"() : () -> () loc(fused["file":3:4, "second", "third"])
    "a.call"() : () -> () loc(callsite("callee" at "caller"))
    "a.line"() : () -> () loc("file":5:6)
  )mlir");
  const std::pair<StringRef, StringRef> facts[] = {
      {"a.attribute", "named"}, {"a.name", "simple"}, {"a.nested", "outer"},
      {"a.fused", "second"},    {"a.call", "callee"}, {"a.line", ""}};
  for (auto [op, name] : facts)
    EXPECT_EQ(getInstanceName(find(op)), name) << op.str();
}

TEST_F(OpNamesTest, Spellings) {
  for (StringRef name : {"aten.mm", "torch.aten.mm", "aten.mm.default",
                         "torch.ops.aten.mm.default"})
    EXPECT_EQ(normalizeOpName(name), "aten.mm") << name.str();
  EXPECT_EQ(normalizeOpName("torch.prim.tolist"), "torch.prim.tolist");
  EXPECT_EQ(normalizeOpName("other.mm.default"), "other.mm.default");
  EXPECT_EQ(getFactName("torch.aten.sum.dim_IntList"), "aten.sum");
  EXPECT_EQ(getFactName("aten.add_.Tensor"), "aten.add");
  EXPECT_EQ(getFactName("aten._softmax"), "aten._softmax");
  EXPECT_EQ(getFactName("linalg.matmul"), "linalg.matmul");
}

static bool matches(StringRef pattern, StringRef name) {
  std::string error;
  FailureOr<NamePattern> compiled = NamePattern::get(pattern, error);
  EXPECT_TRUE(succeeded(compiled)) << error;
  return succeeded(compiled) && compiled->matches(name);
}

// As Python's re.match: from the start, not to the end.
TEST_F(OpNamesTest, PatternsStartAtTheStart) {
  EXPECT_TRUE(matches("relu", "relu6"));
  EXPECT_FALSE(matches("relu", "layer1/relu"));
  EXPECT_TRUE(matches(".*relu", "layer1/relu"));
  EXPECT_TRUE(matches("^conv1$", "conv1"));
  EXPECT_FALSE(matches("^conv1$", "conv12"));
  EXPECT_TRUE(matches("a|b", "b"));
  EXPECT_FALSE(matches("a|b", "cb"));
  EXPECT_TRUE(matches("(x)\\1", "xx"));
  EXPECT_TRUE(matches("layer\\.[0-9]+", "layer.12.conv"));
}

TEST_F(OpNamesTest, MalformedPatterns) {
  const std::pair<StringRef, StringRef> facts[] = {
      {"conv(", "parentheses not balanced"},
      {"[a", "brackets ([ ]) not balanced"},
      {"*a", "repetition-operator operand invalid"},
      {"layer\\d+", "'\\d' has no meaning in POSIX"},
      {"", "empty (sub)expression"},
      {"(?:a)", "repetition-operator operand invalid"}};
  for (auto [pattern, message] : facts) {
    std::string error;
    EXPECT_TRUE(failed(NamePattern::get(pattern, error))) << pattern.str();
    EXPECT_TRUE(StringRef(error).contains(message)) << error;
  }
  std::string error;
  EXPECT_TRUE(succeeded(NamePattern::get("a\\\\d", error)));
}
