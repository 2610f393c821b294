//===- SensitivityTest.cpp - patterns that lose precision -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolicyTest.h"

#include "amp/Policy/Sensitivity.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
class SensitivityTest : public PolicyTest {
protected:
  /// The names and kinds of the sensitive ops of a program, in the order of the
  /// text: "add epsilon_division; ...".
  std::string findAll(StringRef program) {
    ModuleOp module = parse(program);
    llvm::MapVector<Operation *, Sensitivity> found = findSensitiveOps(module);
    std::string text;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto it = found.find(op);
      if (it != found.end())
        text += (getInstanceName(op) + " " +
                 stringifySensitivityKind(it->second.kind) + "; ")
                    .str();
    });
    return text;
  }
};
} // namespace

#define TT " : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>"
#define T1 " : (tensor<4x8xf32>) -> tensor<4x8xf32>"

TEST_F(SensitivityTest, EpsilonDivision) {
  // Every form: a scalar parameter, a splat, a fill, under a root, as a clamp.
  EXPECT_EQ(findAll("func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {\n"
                    "%0 = \"aten.add.Scalar\"(%y) {other = 1.0e-5 : f64}" T1
                    " loc(\"add\")\n"
                    "%1 = \"aten.sqrt\"(%0)" T1 " loc(\"sqrt\")\n"
                    "%2 = \"aten.div.Tensor\"(%x, %1)" TT " loc(\"div\")\n"
                    "%3 = \"aten.clamp_min\"(%y) {min = 1.0e-12 : f64}" T1
                    " loc(\"clamp\")\n"
                    "%4 = \"aten.reciprocal\"(%3)" T1 " loc(\"reciprocal\")\n"
                    // Not a guard, and not a division by one.
                    "%5 = \"aten.add.Scalar\"(%y) {other = 2.0 : f64}" T1
                    " loc(\"add2\")\n"
                    "%6 = \"aten.div.Tensor\"(%x, %5)" TT " loc(\"div2\")\n"
                    "%7 = \"aten.mul.Tensor\"(%x, %0)" TT " loc(\"mul\")\n"
                    "return }"),
            "add epsilon_division; sqrt epsilon_division; div "
            "epsilon_division; clamp epsilon_division; reciprocal "
            "epsilon_division; ");
  EXPECT_EQ(
      findAll("func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {\n"
              "%eps = arith.constant dense<1.0e-6> : tensor<4x8xf32>\n"
              "%0 = arith.addf %eps, %y : tensor<4x8xf32> loc(\"add\")\n"
              "%1 = math.rsqrt %0 : tensor<4x8xf32> loc(\"rsqrt\")\n"
              "%2 = tosa.add %y, %eps" TT " loc(\"tadd\")\n"
              "%3 = tosa.rsqrt %2" T1 " loc(\"trsqrt\")\n"
              "return }"),
      "add epsilon_division; rsqrt epsilon_division; tadd epsilon_division; "
      "trsqrt epsilon_division; ");
  EXPECT_EQ(findAll("func.func @f(%x: tensor<4x8xf32>) {\n"
                    "%0 = \"aten.layer_norm\"(%x) {normalized_shape = [8]}" T1
                    " loc(\"norm\")\nreturn }"),
            "norm epsilon_division; ");
}

static constexpr StringLiteral structuredNorm = R"mlir(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 8.0 : f32
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32> loc("sum")
  %mean = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32> loc("mean")
  %diff = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32> loc("diff")
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%diff : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32> loc("squares")
  %norm = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%diff, %squares : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.addf %0, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32> loc("norm")
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%norm : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32> loc("relu")
  return
}
)mlir";

TEST_F(SensitivityTest, LayerNormOfPayloads) {
  EXPECT_EQ(findAll(structuredNorm),
            "mean variance; diff variance; squares variance; norm "
            "epsilon_division; ");
}

TEST_F(SensitivityTest, Variance) {
  EXPECT_EQ(findAll("func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {\n"
                    "%0 = \"aten.mul.Tensor\"(%x, %x)" TT " loc(\"square\")\n"
                    "%1 = \"aten.mean.dim\"(%0) {dim = [1]}" T1
                    " loc(\"mean\")\n"
                    "%2 = \"aten.pow.Tensor_Scalar\"(%x) {exponent = 2.0 : "
                    "f64}" T1 " loc(\"pow\")\n"
                    "%3 = \"aten.sum\"(%2) : (tensor<4x8xf32>) -> tensor<f32> "
                    "loc(\"sum\")\n"
                    "%4 = \"aten.mul.Tensor\"(%x, %y)" TT " loc(\"mul\")\n"
                    "%5 = \"aten.sum\"(%4) : (tensor<4x8xf32>) -> tensor<f32> "
                    "loc(\"sum2\")\n"
                    "%6 = \"aten.var.correction\"(%x)" T1 " loc(\"var\")\n"
                    "return }"),
            "square variance; mean variance; pow variance; sum variance; var "
            "variance; ");
  // The mean of squares less the square of the mean.
  EXPECT_EQ(
      findAll("func.func @f(%x: tensor<4x8xf32>) {\n"
              "%0 = \"aten.mul.Tensor\"(%x, %x)" TT " loc(\"square\")\n"
              "%1 = \"aten.mean.dim\"(%0) {dim = [1]}" T1 " loc(\"mean\")\n"
              "%2 = \"aten.mean.dim\"(%x) {dim = [1]}" T1 " loc(\"mean2\")\n"
              "%3 = \"aten.mul.Tensor\"(%2, %2)" TT " loc(\"square2\")\n"
              "%4 = \"aten.sub.Tensor\"(%1, %3)" TT " loc(\"sub\")\n"
              "return }"),
      "square variance; mean variance; square2 variance; sub variance; ");
}

TEST_F(SensitivityTest, ExpReduction) {
  EXPECT_EQ(
      findAll("func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {\n"
              "%0 = math.exp %x : tensor<4x8xf32> loc(\"exp\")\n"
              "%1 = arith.mulf %0, %y : tensor<4x8xf32> loc(\"mul\")\n"
              "%2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<4x8xf32>) -> "
              "tensor<4x1xf32> loc(\"sum\")\n"
              "%3 = math.exp %y : tensor<4x8xf32> loc(\"alone\")\n"
              "%4 = tosa.reduce_max %3 {axis = 1 : i32} : (tensor<4x8xf32>) -> "
              "tensor<4x1xf32> loc(\"max\")\n"
              "return }"),
      "exp exp_reduction; sum exp_reduction; ");
  EXPECT_EQ(findAll("func.func @f(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) {\n"
                    "%0 = linalg.softmax dimension(1) ins(%x : "
                    "tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> "
                    "tensor<4x8xf32> loc(\"softmax\")\n"
                    "%1 = \"aten.log_softmax.int\"(%x) {dim = 1 : i64}" T1
                    " loc(\"log\")\nreturn }"),
            "softmax exp_reduction; log exp_reduction; ");
}

// Through scopes, casts and reshapes.
TEST_F(SensitivityTest, SeesThrough) {
  EXPECT_EQ(findAll(R"mlir(
func.func @f(%x: tensor<4x8xf16>) {
  %0 = math.exp %x : tensor<4x8xf16> loc("exp")
  amp.autocast device("cuda") dtype(f16) (%y = %0 : tensor<4x8xf16>) {
    %1 = arith.extf %y : tensor<4x8xf16> to tensor<4x8xf32>
    %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %3 = tosa.reduce_sum %2 {axis = 0 : i32} : (tensor<32xf32>) -> tensor<1xf32> loc("sum")
    amp.yield
  }
  return
}
)mlir"),
            "exp exp_reduction; sum exp_reduction; ");
}
