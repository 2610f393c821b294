// The cases of ModelOpt's own tests of its classifier that need no ranges of
// values: each in compat=modelopt with ModelOpt's answer, and by amp's own
// rules. docs/classifier.md lists the case numbers. Those about ranges (C3, C4,
// C5, C9, C10) and about rules in C++ (C6) are in unittests/Policy.
//
// RUN: split-file %s %t
// RUN: amp-opt %t/c1.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=.*add.*,.*layer\.1.*" | FileCheck %s --check-prefix=C1
// RUN: amp-opt %t/c1.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=.*add.*,.*layer\.1.*" | FileCheck %s --check-prefix=C1
// RUN: amp-opt %t/c2.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function init-max=1000" | FileCheck %s --check-prefix=C2
// RUN: amp-opt %t/c2.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt init-max=1000" | FileCheck %s --check-prefix=C2
// RUN: amp-opt %t/c4.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=40" | FileCheck %s --check-prefix=C4
// RUN: amp-opt %t/c4.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt max-depth-of-reduction=40" | FileCheck %s --check-prefix=C4M
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-exclude=onnx.Add" | FileCheck %s --check-prefixes=ADD-H,MUL-L
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt targets-to-exclude=onnx.Mul" | FileCheck %s --check-prefixes=ADD-L,MUL-H
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function init-max=1" | FileCheck %s --check-prefixes=ADD-H,MUL-H
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt init-max=1 nodes-to-include=add_node" | FileCheck %s --check-prefixes=ADD-L,MUL-H
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function init-max=1 nodes-to-include=add_node" | FileCheck %s --check-prefixes=ADD-L,MUL-H
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-exclude=onnx.Add nodes-to-include=add_node" | FileCheck %s --check-prefixes=ADD-L,MUL-L
// RUN: amp-opt %t/add-mul.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function init-max=1 targets-to-include=onnx.Mul" | FileCheck %s --check-prefixes=ADD-H,MUL-L

//--- c1.mlir
// Case C1, names by regular expressions, matched from the start.
// C1: "onnx.Add"{{.*}}#amp.decision<fp32, {{.*}}, name_rule
// C1: "onnx.Mul"{{.*}}#amp.decision<fp32, {{.*}}, name_rule
// C1: "onnx.Sub"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C1: "onnx.Mul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
func.func @c1(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "onnx.Add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("/test/layer.0/add_1")
  %1 = "onnx.Mul"(%0, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("/test/layer.1/mul_2")
  %2 = "onnx.Sub"(%1, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("/test/layer.2/sub_1")
  %3 = "onnx.Mul"(%2, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("/test/layer.2/mul_2")
  return %3 : tensor<4xf32>
}

//--- c2.mlir
// Case C2, 900 L, 1100 H, -900 L, -1100 H, and 1000 itself L.
// C2: "onnx.Add"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C2: "onnx.Add"{{.*}}#amp.decision<fp32, {{.*}}, init_range
// C2: "onnx.Add"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C2: "onnx.Add"{{.*}}#amp.decision<fp32, {{.*}}, init_range
// C2: "onnx.Add"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
func.func @c2(%a: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant dense<[1.0, 900.0]> : tensor<2xf32>
  %c1 = arith.constant dense<[1.0, 1100.0]> : tensor<2xf32>
  %c2 = arith.constant dense<-900.0> : tensor<2xf32>
  %c3 = arith.constant dense<-1100.0> : tensor<2xf32>
  %c4 = arith.constant dense<1000.0> : tensor<2xf32>
  %0 = "onnx.Add"(%a, %c0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "onnx.Add"(%0, %c1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "onnx.Add"(%1, %c2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "onnx.Add"(%2, %c3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = "onnx.Add"(%3, %c4) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}

//--- c4.mlir
// Case C4, a matmul of depth 50 H, of depth 10 L, convolution of depth 288 H and of 32
// L, sums of 100 H and of 20 L. amp knows all this from the types. ModelOpt
// needs data for it, and has it here for the sum of a constant alone: H.
// C4: "onnx.MatMul"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// C4: "onnx.MatMul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4: "onnx.Conv"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// C4: "onnx.Conv"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4: "onnx.ReduceSum"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// C4: "onnx.ReduceSum"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4: "onnx.ReduceSum"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// C4M-COUNT-2: "onnx.MatMul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4M-COUNT-2: "onnx.Conv"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4M-COUNT-2: "onnx.ReduceSum"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// C4M: "onnx.ReduceSum"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
func.func @c4(%a: tensor<10x50xf32>, %b: tensor<50x30xf32>, %c: tensor<5x10xf32>, %d: tensor<10x8xf32>, %x: tensor<1x32x8x8xf32>, %w: tensor<64x32x3x3xf32>, %v: tensor<16x32x1x1xf32>, %r: tensor<10x100x20xf32>) {
  %0 = "onnx.MatMul"(%a, %b) : (tensor<10x50xf32>, tensor<50x30xf32>) -> tensor<10x30xf32>
  %1 = "onnx.MatMul"(%c, %d) : (tensor<5x10xf32>, tensor<10x8xf32>) -> tensor<5x8xf32>
  %2 = "onnx.Conv"(%x, %w) : (tensor<1x32x8x8xf32>, tensor<64x32x3x3xf32>) -> tensor<1x64x6x6xf32>
  %3 = "onnx.Conv"(%x, %v) : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  %axis1 = arith.constant dense<1> : tensor<1xi64>
  %axis2 = arith.constant dense<2> : tensor<1xi64>
  %4 = "onnx.ReduceSum"(%r, %axis1) : (tensor<10x100x20xf32>, tensor<1xi64>) -> tensor<10x20xf32>
  %5 = "onnx.ReduceSum"(%r, %axis2) : (tensor<10x100x20xf32>, tensor<1xi64>) -> tensor<10x100xf32>
  %k = arith.constant dense<1.0> : tensor<10x50xf32>
  %6 = "onnx.ReduceSum"(%k, %axis1) : (tensor<10x50xf32>, tensor<1xi64>) -> tensor<10xf32>
  return
}

//--- add-mul.mlir
// Case C7, ops by name. C8: what is included goes before all that excludes.
// ADD-H: "onnx.Add"{{.*}}#amp.decision<fp32,
// ADD-L: "onnx.Add"{{.*}}#amp.decision<lower_precision_fp,
// MUL-H: "onnx.Mul"{{.*}}#amp.decision<fp32,
// MUL-L: "onnx.Mul"{{.*}}#amp.decision<lower_precision_fp,
func.func @add_mul(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.constant dense<2.0> : tensor<4xf32>
  %0 = "onnx.Add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add_node")
  %1 = "onnx.Mul"(%0, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("mul_node")
  return %1 : tensor<4xf32>
}
