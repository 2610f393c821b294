//===- ReductionDepthTest.cpp - extents that go into one result -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PolicyTest.h"

#include "amp/Policy/ReductionDepth.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
class ReductionDepthTest : public PolicyTest {
protected:
  /// -1 if the op reduces nothing, -2 if nobody knows how much.
  int64_t getDepth(StringRef program, Peer peer = Peer::none) {
    std::string text = "func.func private @f(%a: tensor<5x10xf32>, "
                       "%b: tensor<10x8xf32>, %v: tensor<10xf32>, "
                       "%t: tensor<2x12x7x9xf32>, %w: tensor<64x6x3x3xf32>, "
                       "%c: tensor<3x4x5xf32>, %d: tensor<3x5x6xf32>, "
                       "%dyn: tensor<5x?xf32>, %dynt: tensor<?x10xf32>) {\n" +
                       program.str() + "\nreturn }";
    parse(text);
    ReductionDepth depth = getReductionDepth(find("op"), getStaticShape, peer);
    if (depth.kind == ReductionDepth::Known)
      return depth.extent;
    return depth.kind == ReductionDepth::None ? -1 : -2;
  }
};
} // namespace

#define MAT                                                                    \
  "(tensor<5x10xf32>, tensor<10x8xf32>) -> tensor<5x8xf32> loc(\"op\")"
#define ON(type) " : (tensor<" type ">) -> tensor<f32> loc(\"op\")"
#define ONB(a, b) " : (tensor<" a ">, tensor<" b ">) -> tensor<f32> loc(\"op\")"
#define ONC(a, b, c)                                                           \
  " : (tensor<" a ">, tensor<" b ">, tensor<" c ">) -> tensor<f32> "           \
  "loc(\"op\")"

// Each number is the count of elements that meet in one element of the result,
// worked out from the documentation of the op.
TEST_F(ReductionDepthTest, ATen) {
  const std::pair<StringRef, int64_t> facts[] = {
      {"\"aten.mm\"(%a, %b) : " MAT, 10},
      {"\"torch.aten.matmul\"(%a, %b) : " MAT, 10},
      {"\"aten.bmm\"(%c, %d)" ONB("3x4x5xf32", "3x5x6xf32"), 5},
      {"\"aten.mv\"(%a, %v)" ONB("5x10xf32", "10xf32"), 10},
      {"\"aten.dot\"(%v, %v)" ONB("10xf32", "10xf32"), 10},
      {"\"aten.linear\"(%a, %b)" ONB("5x10xf32", "10x8xf32"), 10},
      {"\"aten.addmm\"(%v, %a, %b)" ONC("10xf32", "5x10xf32", "10x8xf32"), 10},
      {"\"aten.baddbmm\"(%v, %c, %d)" ONC("10xf32", "3x4x5xf32", "3x5x6xf32"),
       5},
      {"\"aten.addbmm\"(%v, %c, %d)" ONC("10xf32", "3x4x5xf32", "3x5x6xf32"),
       15},
      {"\"aten.conv2d\"(%t, %w)" ONB("2x12x7x9xf32", "64x6x3x3xf32"), 54},
      {"\"aten.convolution\"(%t, %w) {transposed = false}" ONB("2x12x7x9xf32",
                                                               "64x6x3x3xf32"),
       54},
      {"\"aten.convolution\"(%t, %w) {transposed = true, stride = [2, 1], "
       "groups = 2 : i64}" ONB("2x12x7x9xf32", "64x6x3x3xf32"),
       32 * 2 * 3},
      {"\"aten.conv_transpose2d.input\"(%t, %w)" ONB("2x12x7x9xf32",
                                                     "64x6x3x3xf32"),
       64 * 9},
      {"\"aten.einsum\"(%c, %d) {equation = \"bij,bjk->bik\"}" ONB("3x4x5xf32",
                                                                   "3x5x6xf32"),
       5},
      {"\"aten.einsum\"(%c, %d) {equation = \"bij, bjk -> ik\"}" ONB(
           "3x4x5xf32", "3x5x6xf32"),
       15},
      {"\"aten.einsum\"(%a, %b) {equation = \"ij,jk\"}" ONB("5x10xf32",
                                                            "10x8xf32"),
       10},
      {"\"aten.einsum\"(%c, %d) {equation = \"...ij,...jk->...ik\"}" ONB(
           "3x4x5xf32", "3x5x6xf32"),
       5},
      {"\"aten.scaled_dot_product_attention\"(%t, %t, %t)" ONC(
           "2x12x7x9xf32", "2x12x7x9xf32", "2x12x7x9xf32"),
       9},
      {"\"aten.sum\"(%c)" ON("3x4x5xf32"), 60},
      {"\"aten.sum.dim_IntList\"(%c) {dim = [0, -1]}" ON("3x4x5xf32"), 15},
      {"\"aten.mean.dim\"(%c) {dim = array<i64: 1>}" ON("3x4x5xf32"), 4},
      {"\"aten.logsumexp\"(%c) {dim = [2]}" ON("3x4x5xf32"), 5},
      {"\"aten.cumsum\"(%c) {dim = 1 : i64}" ON("3x4x5xf32"), 4},
      {"\"aten.softmax.int\"(%c) {dim = -1 : i64}" ON("3x4x5xf32"), 5},
      {"\"aten.layer_norm\"(%c) {normalized_shape = [4, 5]}" ON("3x4x5xf32"),
       20},
      {"\"aten.group_norm\"(%t) {num_groups = 3 : i64}" ON("2x12x7x9xf32"),
       4 * 63},
      {"\"aten.instance_norm\"(%t)" ON("2x12x7x9xf32"), 63},
      {"\"aten.batch_norm\"(%t) {training = true}" ON("2x12x7x9xf32"), 126},
      {"\"aten.batch_norm\"(%t) {training = false}" ON("2x12x7x9xf32"), -1},
      {"\"aten.avg_pool2d\"(%t) {kernel_size = [2, 3]}" ON("2x12x7x9xf32"), 6},
      {"\"aten.avg_pool2d\"(%t) {kernel_size = 3 : i64}" ON("2x12x7x9xf32"), 9},
      {"\"aten.adaptive_avg_pool2d\"(%t) {output_size = [2, 3]}" ON(
           "2x12x7x9xf32"),
       12},
      {"\"aten.tensordot\"(%c, %d) {dims_self = [0, 2]}" ONB("3x4x5xf32",
                                                             "3x5x6xf32"),
       15},
      {"\"aten.max.dim\"(%c) {dim = 0 : i64}" ON("3x4x5xf32"), -1},
      {"\"aten.relu\"(%c)" ON("3x4x5xf32"), -1},
      {"\"aten.mm\"(%dyn, %b)" ONB("5x?xf32", "10x8xf32"), -2},
      {"\"aten.sum\"(%dyn)" ON("5x?xf32"), -2},
      {"\"aten.sum.dim_IntList\"(%dyn) {dim = [0]}" ON("5x?xf32"), 5},
      // Malformed: nothing verifies these ops.
      {"\"aten.mm\"() : () -> tensor<f32> loc(\"op\")", -2},
      {"\"aten.sum.dim_IntList\"(%c) {dim = [7]}" ON("3x4x5xf32"), -2},
      {"\"aten.einsum\"(%c) {equation = \"ijkl\"}" ON("3x4x5xf32"), -2},
  };
  for (auto [program, depth] : facts)
    EXPECT_EQ(getDepth(program), depth) << program.str();
}

TEST_F(ReductionDepthTest, ONNX) {
  const std::pair<StringRef, int64_t> facts[] = {
      {"\"onnx.Gemm\"(%a, %b) {transA = 1 : si64}" ONB("5x10xf32", "10x8xf32"),
       5},
      {"\"onnx.Gemm\"(%a, %b)" ONB("5x10xf32", "10x8xf32"), 10},
      {"\"onnx.Mean\"(%c, %c, %d)" ONC("3x4x5xf32", "3x4x5xf32", "3x5x6xf32"),
       3},
      {"%axes = arith.constant dense<[0, 2]> : tensor<2xi64>\n"
       "\"onnx.ReduceSum\"(%c, %axes) : (tensor<3x4x5xf32>, tensor<2xi64>) -> "
       "tensor<f32> loc(\"op\")",
       15},
      {"\"onnx.ReduceMax\"(%c)" ON("3x4x5xf32"), -1},
      {"\"onnx.LayerNormalization\"(%c) {axis = 1 : si64}" ON("3x4x5xf32"), 20},
  };
  for (auto [program, depth] : facts)
    EXPECT_EQ(getDepth(program), depth) << program.str();
}

TEST_F(ReductionDepthTest, Structured) {
  const std::pair<StringRef, int64_t> facts[] = {
      {"%e = tensor.empty() : tensor<5x8xf32>\n%0 = linalg.matmul ins(%a, %b : "
       "tensor<5x10xf32>, tensor<10x8xf32>) outs(%e : tensor<5x8xf32>) -> "
       "tensor<5x8xf32> loc(\"op\")",
       10},
      // The extent is dynamic in one operand and known from the other.
      {"%e = tensor.empty() : tensor<5x8xf32>\n%0 = linalg.matmul ins(%dyn, %b "
       ": tensor<5x?xf32>, tensor<10x8xf32>) outs(%e : tensor<5x8xf32>) -> "
       "tensor<5x8xf32> loc(\"op\")",
       10},
      {"%e = tensor.empty() : tensor<4xf32>\n%0 = linalg.reduce { arith.addf } "
       "ins(%c : tensor<3x4x5xf32>) outs(%e : tensor<4xf32>) dimensions = [0, "
       "2] loc(\"op\")",
       15},
      {"%e = tensor.empty() : tensor<5xf32>\n%0 = linalg.reduce { arith.addf } "
       "ins(%dyn : tensor<5x?xf32>) outs(%e : tensor<5xf32>) dimensions = [1] "
       "loc(\"op\")",
       -2},
      {"%e = tensor.empty() : tensor<4xf32>\n%0 = linalg.reduce { "
       "arith.maximumf } ins(%c : tensor<3x4x5xf32>) outs(%e : tensor<4xf32>) "
       "dimensions = [0, 2] loc(\"op\")",
       -1},
      {"%e = tensor.empty() : tensor<3x4x5xf32>\n%0 = linalg.softmax "
       "dimension(1) ins(%c : tensor<3x4x5xf32>) outs(%e : tensor<3x4x5xf32>) "
       "-> tensor<3x4x5xf32> loc(\"op\")",
       4},
      {"%0 = tosa.reduce_sum %c {axis = 2 : i32} : (tensor<3x4x5xf32>) -> "
       "tensor<3x4x1xf32> loc(\"op\")",
       5},
      {"%0 = tosa.exp %c : (tensor<3x4x5xf32>) -> tensor<3x4x5xf32> "
       "loc(\"op\")",
       -1},
  };
  for (auto [program, depth] : facts)
    EXPECT_EQ(getDepth(program), depth) << program.str();
}

// What the peers answer, where it is not ours.
TEST_F(ReductionDepthTest, Peers) {
  struct Fact {
    StringRef program;
    int64_t modelopt, torchTRT;
  };
  const Fact facts[] = {
      {"\"aten.mm\"(%a, %b) : " MAT, 10, 10},
      {"\"aten.linear\"(%a, %b)" ONB("5x10xf32", "10x8xf32"), 10, -1},
      {"\"aten.addmm\"(%v, %a, %b)" ONC("10xf32", "5x10xf32", "10x8xf32"), 10,
       -1},
      {"\"aten.conv2d\"(%t, %w)" ONB("2x12x7x9xf32", "64x6x3x3xf32"), 54, -1},
      {"\"aten.sum.dim_IntList\"(%c) {dim = [0, -1]}" ON("3x4x5xf32"), 5, -1},
      {"\"aten.softmax.int\"(%c) {dim = -1 : i64}" ON("3x4x5xf32"), -1, -1},
      {"\"aten.dot\"(%v, %v)" ONB("10xf32", "10xf32"), 0, 10},
      {"\"onnx.Mean\"(%t, %t)" ONB("2x12x7x9xf32", "2x12x7x9xf32"), 4, -1},
      {"\"aten.scaled_dot_product_attention\"(%t, %t, %t)" ONC(
           "2x12x7x9xf32", "2x12x7x9xf32", "2x12x7x9xf32"),
       108, 108},
  };
  for (const Fact &fact : facts) {
    EXPECT_EQ(getDepth(fact.program, Peer::modelopt), fact.modelopt)
        << fact.program.str();
    EXPECT_EQ(getDepth(fact.program, Peer::torch_trt), fact.torchTRT)
        << fact.program.str();
  }
}
