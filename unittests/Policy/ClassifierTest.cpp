//===- ClassifierTest.cpp - rules on ops ----------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What a pass cannot say: rules of a program's own, and ranges of values that
// nobody measured. Case numbers are those of docs/classifier.md.
//
//===----------------------------------------------------------------------===//

#include "PolicyTest.h"

#include "amp/Policy/Classifier.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;

namespace {
class ClassifierTest : public PolicyTest {
protected:
  /// "H reason" or "L reason" for the op `name`.
  std::string judge(StringRef name, Type lowType = {}) {
    std::string error;
    FailureOr<SmallVector<ClassifierRule>> rules = makeRules(options, error);
    EXPECT_TRUE(succeeded(rules)) << error;
    Classifier classifier(std::move(*rules), options, "cuda",
                          [&](Value value) -> std::optional<ObservedRange> {
                            auto it = ranges.find(value);
                            if (it == ranges.end())
                              return std::nullopt;
                            return it->second;
                          });
    for (auto &[include, predicate] : customRules)
      classifier.addRule(include, "custom", predicate);
    verdict = classifier.classify(
        find(name), lowType ? lowType : Builder(&context).getF16Type());
    return ((verdict.high ? "H " : "L ") + stringifyReason(verdict.reason))
        .str();
  }

  /// Says that the result of `name` (an op), or an operand of it, was seen as
  /// these numbers.
  void see(StringRef name, ArrayRef<double> numbers,
           std::optional<unsigned> operand = {}) {
    ObservedRange range;
    std::vector<double> finite;
    for (double number : numbers) {
      ++range.count;
      range.nan += std::isnan(number);
      range.inf += std::isinf(number);
      if (!std::isfinite(number))
        continue;
      range.min = finite.empty() ? number : std::min(range.min, number);
      range.max = finite.empty() ? number : std::max(range.max, number);
      range.nonzero += number != 0;
      finite.push_back(std::fabs(number));
    }
    range.numBelow = [finite](int exponent) {
      return llvm::count_if(finite, [&](double number) {
        return number != 0 && number < std::ldexp(1.0, exponent);
      });
    };
    Operation *op = find(name);
    ranges[operand ? op->getOperand(*operand) : op->getResult(0)] = range;
  }

  ClassifierOptions options;
  DenseMap<Value, ObservedRange> ranges;
  std::vector<std::pair<bool, std::function<bool(Operation *)>>> customRules;
  Verdict verdict;
};
} // namespace

static constexpr StringLiteral addMul = R"mlir(
func.func @f(%x: tensor<4xf32> loc("X"), %y: tensor<4xf32>, %i: tensor<4xi64>) {
  %0 = "onnx.Add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add")
  %1 = "onnx.Mul"(%0, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("mul")
  %2 = "onnx.Gather"(%1, %i) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32> loc("gather")
  return
}
)mlir";

// C3 and N1: strictly beyond, as result and as operand.
TEST_F(ClassifierTest, DataMax) {
  parse(addMul);
  options.dataMax = 10000;
  for (double number : {9000.0, -9000.0, 10000.0}) {
    ranges.clear();
    see("add", {number});
    EXPECT_EQ(judge("add"), "L default_low") << number;
    EXPECT_EQ(judge("mul"), "L default_low") << number;
  }
  for (double number : {11000.0, -11000.0, 10000.1}) {
    ranges.clear();
    see("add", {number, 1.0});
    EXPECT_EQ(judge("add"), "H data_range") << number;
    EXPECT_EQ(judge("mul"), "H data_range") << number;
    EXPECT_EQ(judge("gather"), "L default_low") << number;
  }
}

// C5.
TEST_F(ClassifierTest, TwoNodes) {
  parse(addMul);
  options.dataMax = 4.1;
  see("add", {0.1, 0.4}, 0);
  see("add", {1, 4}, 1);
  see("add", {1.1, 4.4});
  see("mul", {1.1, 4.1});
  EXPECT_EQ(judge("add"), "H data_range");
  EXPECT_EQ(judge("mul"), "H data_range");
  EXPECT_EQ(verdict.detail, "operand 0 was seen in [1.1, 4.4], beyond +-4.1");
  see("add", {-0.5, -1.5, -3, -4}, 0);
  see("add", {0.5, 0.0, -0.5});
  EXPECT_EQ(judge("add"), "L default_low");
  EXPECT_EQ(judge("mul"), "L default_low");
}

// C6: a rule of the program's own.
TEST_F(ClassifierTest, CustomRule) {
  parse(addMul);
  customRules.push_back(
      {false, [](Operation *op) {
         return llvm::any_of(op->getOperands(), [](Value operand) {
           auto name = dyn_cast<NameLoc>(operand.getLoc());
           return name && name.getName() == "X";
         });
       }});
  EXPECT_EQ(judge("add"), "H custom_rule");
  EXPECT_EQ(judge("mul"), "L default_low");
}

// N2: NaN and infinities are out of range; the peers see only infinities.
TEST_F(ClassifierTest, NotFinite) {
  parse(addMul);
  see("add", {1.0, NAN});
  EXPECT_EQ(judge("add"), "H not_finite");
  EXPECT_EQ(verdict.detail, "result 0 was seen as NaN 1 times, and as an "
                            "infinity 0 times, of 2");
  options.peer = Peer::modelopt;
  EXPECT_EQ(judge("add"), "L default_low");
  see("add", {1.0, INFINITY});
  EXPECT_EQ(judge("add"), "H data_range");
  options.peer = Peer::none;
  EXPECT_EQ(judge("add"), "H not_finite");
}

// N3 and N4: what an op gives itself counts, and what its users give does not.
TEST_F(ClassifierTest, OwnOutput) {
  parse(addMul);
  see("add", {1.0e5});
  see("mul", {1.0});
  EXPECT_EQ(judge("add"), "H data_range");
  options.peer = Peer::torch_trt;
  EXPECT_EQ(judge("add"), "L default_low");
  EXPECT_EQ(judge("mul"), "H data_range");
  see("add", {1.0});
  see("mul", {1.0e5});
  EXPECT_EQ(judge("add"), "H data_range");
  options.peer = Peer::none;
  EXPECT_EQ(judge("add"), "L default_low");
}

// N5: integers have no range.
TEST_F(ClassifierTest, Integers) {
  parse(addMul);
  see("gather", {700}, 1);
  EXPECT_EQ(judge("gather"), "L default_low");
  options.peer = Peer::modelopt;
  EXPECT_EQ(judge("gather"), "H data_range");
  options.peer = Peer::torch_trt;
  ranges.clear();
  see("mul", {1.0});
  EXPECT_EQ(judge("gather"), "L default_low");
}

// N14.
TEST_F(ClassifierTest, Underflow) {
  parse(addMul);
  see("add", {1.0e-5, -2.0e-5, 1.0e-9, 0.0, 0.0, 1.0});
  EXPECT_EQ(judge("add"), "H underflow");
  EXPECT_EQ(verdict.detail,
            "3 of 4 numbers of result 0, zeros left out, are below "
            "6.10352e-05, and 1 of them become zero");
  EXPECT_EQ(judge("add", Builder(&context).getBF16Type()), "L default_low");
  options.maxUnderflow = 0.8;
  EXPECT_EQ(judge("add"), "L default_low");
  options.maxUnderflow = 0.5;
  options.peer = Peer::modelopt;
  EXPECT_EQ(judge("add"), "L default_low");
}

// N15: each type has its own limit.
TEST_F(ClassifierTest, LimitOfTheType) {
  parse(addMul);
  Type f16 = Builder(&context).getF16Type(),
       bf16 = Builder(&context).getBF16Type();
  see("add", {100});
  EXPECT_EQ(judge("add", f16), "L default_low");
  EXPECT_EQ(judge("add", bf16), "H data_range");
  see("add", {512});
  EXPECT_EQ(judge("add", f16), "L default_low");
  see("add", {513});
  EXPECT_EQ(judge("add", f16), "H data_range");
  options.spacing = 4;
  see("add", {512});
  EXPECT_EQ(judge("add", bf16), "L default_low");
  // However far apart, they end.
  options.spacing = 1.0e30;
  see("add", {65504});
  EXPECT_EQ(judge("add", f16), "L default_low");
  see("add", {65505});
  EXPECT_EQ(judge("add", f16), "H data_range");
  options.dataMax = INFINITY;
  EXPECT_EQ(judge("add", f16), "L default_low");
}

TEST_F(ClassifierTest, Performance) {
  parse(R"mlir(
func.func @f(%x: tensor<4xf32>, %i: tensor<4xi64>) {
  %0 = "aten.scatter_add"(%x, %i, %x) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32> loc("scatter")
  return
}
)mlir");
  EXPECT_EQ(judge("scatter"), "H performance");
  options.performance = false;
  EXPECT_EQ(judge("scatter"), "L default_low");
}

// Bad options say which, and what is wrong.
TEST_F(ClassifierTest, BadPatterns) {
  std::string error;
  options.nodesToInclude = {"good", "bad("};
  EXPECT_TRUE(failed(makeRules(options, error)));
  EXPECT_EQ(error, "option 'nodes-to-include' has 'bad(', but expected a POSIX "
                   "extended regular expression: parentheses not balanced");
  options.nodesToInclude.clear();
  options.targetsToExclude = {""};
  EXPECT_TRUE(failed(makeRules(options, error)));
  EXPECT_EQ(error,
            "option 'targets-to-exclude' has an empty name, but expected "
            "names of ops, such as 'aten.mm'");
}

// N21 and N22.
TEST_F(ClassifierTest, Unmatched) {
  parse(addMul);
  options.nodesToExclude = {"add", "mull"};
  options.targetsToExclude = {"onnx.Mult", "something.else", "onnx.Add"};
  std::string error;
  Classifier classifier(*makeRules(options, error), options, "cuda");
  for (StringRef name : {"add", "mul"})
    classifier.classify(find(name), Builder(&context).getF16Type());
  std::string text;
  classifier.reportUnmatched([&](const ClassifierRule &rule,
                                 const RuleMatcher &matcher,
                                 StringRef nearest) {
    text += rule.option + " " + matcher.print() + " " + nearest.str() + "; ";
  });
  EXPECT_EQ(text, "nodes-to-exclude name(\"mull\") mul; targets-to-exclude "
                  "op(\"onnx.Mult\") onnx.Mul; targets-to-exclude "
                  "op(\"something.else\") ; ");
}
