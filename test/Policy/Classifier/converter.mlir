// The cases of ModelOpt's own tests of its converter that are about which casts
// there are: chains of MatMul ("gemm"), Add and Relu, in which some stay in f32.
// Each with compat=modelopt and by amp's own rules. "I/O kept" is
// results=preserve with f32 arguments; "not kept" is a function on f16 with
// results=propagate. docs/classifier.md lists the case numbers.
//
// RUN: split-file %s %t
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P1
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P1
// RUN: amp-opt %t/chain16.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt results=propagate nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P1N
// RUN: amp-opt %t/chain16.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function results=propagate nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P1N
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P2
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P2
// RUN: amp-opt %t/chain16.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt results=propagate" --amp-apply-precision | FileCheck %s --check-prefix=P2N
// RUN: amp-opt %t/chain16.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier results=propagate" --amp-apply-precision | FileCheck %s --check-prefix=P2N
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=gemm,relu" --amp-apply-precision | FileCheck %s --check-prefix=P3
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=gemm,relu" --amp-apply-precision | FileCheck %s --check-prefix=P3
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P3R
// RUN: amp-opt %t/chain.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=gemm,add" --amp-apply-precision | FileCheck %s --check-prefix=P3R
// RUN: amp-opt %t/shared.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=gemm1" --amp-apply-precision | FileCheck %s --check-prefix=P4
// RUN: amp-opt %t/shared.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=gemm1" --amp-apply-precision | FileCheck %s --check-prefix=P4
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=add3" --amp-apply-precision | FileCheck %s --check-prefix=P5
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=add3" --amp-apply-precision | FileCheck %s --check-prefix=P5
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=add2,add3" --amp-apply-precision | FileCheck %s --check-prefix=P5S
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=add2,add3" --amp-apply-precision | FileCheck %s --check-prefix=P5S
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P5L
// RUN: amp-opt %t/shared-init.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P5L
// RUN: amp-opt %t/clamp.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt init-max=inf nodes-to-exclude=high" --amp-apply-precision --canonicalize 2>&1 | FileCheck %s --check-prefix=P6
// RUN: amp-opt %t/clamp.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt low-precision-type=bf16 init-max=inf nodes-to-exclude=high" --amp-apply-precision --canonicalize 2>&1 | FileCheck %s --check-prefix=P6B
// RUN: amp-opt %t/clamp.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=high" --amp-apply-precision --canonicalize 2>&1 | FileCheck %s --check-prefix=P6D
// RUN: amp-opt %t/clamp.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function weight-overflow=saturate nodes-to-exclude=high" --amp-apply-precision --canonicalize 2>&1 | FileCheck %s --check-prefix=P6S
// RUN: amp-opt %t/mixed.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt low-precision-type=bf16" --amp-apply-precision | FileCheck %s --check-prefix=P7
// RUN: amp-opt %t/mixed.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function low-precision-type=bf16" --amp-apply-precision | FileCheck %s --check-prefix=P7
// RUN: amp-opt %t/dynamic.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt" --amp-apply-precision | FileCheck %s --check-prefix=P8
// RUN: amp-opt %t/dynamic.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --amp-apply-precision | FileCheck %s --check-prefix=P8
// RUN: amp-opt %t/two-results.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt results=propagate" --amp-apply-precision | FileCheck %s --check-prefix=P9
// RUN: amp-opt %t/two-results.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier results=propagate" --amp-apply-precision | FileCheck %s --check-prefix=P9
// RUN: amp-opt %t/two-users.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=high" --amp-apply-precision | FileCheck %s --check-prefix=P9U
// RUN: amp-opt %t/two-users.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=high" --amp-apply-precision | FileCheck %s --check-prefix=P9U
// RUN: amp-opt %t/casts.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P10
// RUN: amp-opt %t/casts.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P10A
// RUN: amp-opt %t/low.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P11
// RUN: amp-opt %t/low.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P11
// RUN: amp-opt %t/unsupported.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt targets-to-include=onnx.Celu,onnx.NonMaxSuppression" | FileCheck %s --check-prefix=P13
// RUN: amp-opt %t/unsupported.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-include=onnx.Celu,onnx.NonMaxSuppression" | FileCheck %s --check-prefix=P13
// RUN: amp-opt %t/constants.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt results=propagate" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P15
// RUN: amp-opt %t/constants.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier results=propagate" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P15
// RUN: amp-opt %t/branches.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=after" --amp-apply-precision | FileCheck %s --check-prefixes=P17,P17M
// RUN: amp-opt %t/branches.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function nodes-to-exclude=after" --amp-apply-precision | FileCheck %s --check-prefixes=P17,P17A
// RUN: amp-opt %t/branches.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt nodes-to-exclude=after,branch" --amp-apply-precision | FileCheck %s --check-prefix=P17H
// RUN: amp-opt %t/branches.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt" --amp-apply-precision | FileCheck %s --check-prefix=P17H
// RUN: amp-opt %t/nested.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt" --amp-apply-precision | FileCheck %s --check-prefix=P17N
// RUN: amp-opt %t/nested.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --amp-apply-precision | FileCheck %s --check-prefix=P17NA

//--- chain.mlir
// P1 with I/O kept: MatMul, Add, Cast, Relu, Cast.
// P1-NOT: amp.cast
// P1: "onnx.MatMul"
// P1-NEXT: "onnx.Add"{{.*}} -> tensor<4x4xf32>
// P1-NEXT: amp.cast
// P1-NEXT: "onnx.Relu"{{.*}} -> tensor<4x4xf16>
// P1-NEXT: amp.cast
// P1-NEXT: return %{{.*}} : tensor<4x4xf32>
// P2 with I/O kept: casts at the borders only; the weights are converted.
// P2-COUNT-2: amp.cast
// P2-NOT: amp.cast
// P2: return %{{.*}} : tensor<4x4xf32>
// P3, only add in the lower type: the result of gemm down, that of add up.
// P3: %[[G:.*]] = "onnx.MatMul"{{.*}} -> tensor<4x4xf32>
// P3: %[[D:.*]] = amp.cast %[[G]]
// P3: %[[A:.*]] = "onnx.Add"(%[[D]], %{{.*}}) : {{.*}} -> tensor<4x4xf16>
// P3: %[[U:.*]] = amp.cast %[[A]]
// P3: "onnx.Relu"(%[[U]]) : {{.*}} -> tensor<4x4xf32>
// P3, only relu in the lower type: the result of add down, that of relu up; the
// argument keeps its type.
// P3R: func.func @chain(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// P3R: %[[A:.*]] = "onnx.Add"{{.*}} -> tensor<4x4xf32>
// P3R: %[[D:.*]] = amp.cast %[[A]]
// P3R: %[[R:.*]] = "onnx.Relu"(%[[D]]) : {{.*}} -> tensor<4x4xf16>
// P3R: %[[U:.*]] = amp.cast %[[R]]
// P3R: return %[[U]]
func.func @chain(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = arith.constant dense<0.5> : tensor<4x4xf32>
  %0 = "onnx.MatMul"(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("gemm")
  %1 = "onnx.Add"(%0, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("add")
  %2 = "onnx.Relu"(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("relu")
  return %2 : tensor<4x4xf32>
}

//--- chain16.mlir
// P1 with I/O not kept: Cast, MatMul, Add, Cast, Relu; and P2, no casts.
// P1N: amp.cast %{{.*}}tensor<4x4xf16> to tensor<4x4xf32>
// P1N: "onnx.MatMul"{{.*}} -> tensor<4x4xf32>
// P1N-NEXT: "onnx.Add"{{.*}} -> tensor<4x4xf32>
// P1N-NEXT: amp.cast
// P1N-NEXT: "onnx.Relu"{{.*}} -> tensor<4x4xf16>
// P1N-NEXT: return %{{.*}} : tensor<4x4xf16>
// P2N-NOT: amp.cast
// P2N: return %{{.*}} : tensor<4x4xf16>
func.func @chain(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = "onnx.MatMul"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16> loc("gemm")
  %1 = "onnx.Add"(%0, %0) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16> loc("add")
  %2 = "onnx.Relu"(%1) : (tensor<4x4xf16>) -> tensor<4x4xf16> loc("relu")
  return %2 : tensor<4x4xf16>
}

//--- shared.mlir
// Case P4, one input, for one op as it is and for the other cast.
// P4: "onnx.MatMul"(%[[X:.*]], %[[X]]) : {{.*}} -> tensor<4x4xf32>
// P4: %[[L:.*]] = amp.cast %[[X]]
// P4: "onnx.MatMul"(%[[L]], %[[L]]) : {{.*}} -> tensor<4x4xf16>
func.func @shared(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = "onnx.MatMul"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("gemm1")
  %1 = "onnx.MatMul"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("gemm2")
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

//--- shared-init.mlir
// Case P5, two ops in the lower type share one copy, the third has the original.
// P5: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<4xf32>
// P5: %[[L:.*]] = amp.cast %[[C]]
// P5: "onnx.Add"(%{{.*}}, %[[L]]) : {{.*}} -> tensor<4xf16>
// P5: "onnx.Add"(%{{.*}}, %[[L]]) : {{.*}} -> tensor<4xf16>
// P5: "onnx.Add"(%{{.*}}, %[[C]]) : {{.*}} -> tensor<4xf32>
// P5S, one op in the lower type and two in f32, which share the original.
// P5S: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<4xf32>
// P5S: %[[L:.*]] = amp.cast %[[C]]
// P5S: "onnx.Add"(%{{.*}}, %[[L]]) : {{.*}} -> tensor<4xf16>
// P5S: "onnx.Add"(%{{.*}}, %[[C]]) : {{.*}} -> tensor<4xf32>
// P5S: "onnx.Add"(%{{.*}}, %[[C]]) : {{.*}} -> tensor<4xf32>
// P5L, all in the lower type: the constant is converted in place, without a copy.
// P5L: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<4xf16>
// P5L-NOT: arith.constant
// P5L-COUNT-3: "onnx.Add"(%{{.*}}, %[[C]]) : {{.*}} -> tensor<4xf16>
func.func @shared_init(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.5> : tensor<4xf32>
  %0 = "onnx.Add"(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add1")
  %1 = "onnx.Add"(%0, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add2")
  %2 = "onnx.Add"(%1, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add3")
  return %2 : tensor<4xf32>
}

//--- clamp.mlir
// Case P6, clamped for the op in f16, with a warning, as it was for the op in f32;
// bf16 holds the numbers.
// P6: warning: [AMP-R010] compat=modelopt: numbers of constants beyond the range of f16
// P6-DAG: arith.constant dense<[-6.550400e+04, 6.550400e+04]> : tensor<2xf16>
// P6-DAG: arith.constant dense<[-7.000000e+04, 7.000000e+04]> : tensor<2xf32>
// P6B-NOT: warning
// P6B-DAG: arith.constant dense<[-7.014400e+04, 7.014400e+04]> : tensor<2xbf16>
// P6B-DAG: arith.constant dense<[-7.000000e+04, 7.000000e+04]> : tensor<2xf32>
// By amp's own rules both ops keep the numbers, the first because it must; or it
// takes saturated ones, where it is asked to.
// P6D-NOT: 6.550400e+04
// P6D: arith.constant dense<[-7.000000e+04, 7.000000e+04]> : tensor<2xf32>
// P6D-COUNT-2: "onnx.Add"{{.*}} -> tensor<2xf32>
// P6S-NOT: warning
// P6S-DAG: arith.constant dense<[-6.550400e+04, 6.550400e+04]> : tensor<2xf16>
// P6S-DAG: arith.constant dense<[-7.000000e+04, 7.000000e+04]> : tensor<2xf32>
func.func @clamp(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = arith.constant dense<[-70000.0, 70000.0]> : tensor<2xf32>
  %0 = "onnx.Add"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc("low")
  %1 = "onnx.Add"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc("high")
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

//--- mixed.mlir
// Case P7, an f16 constant in a bf16 model.
// P7: "onnx.Add"{{.*}} : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
func.func @mixed(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.5, 2.5]> : tensor<2xf16>
  %0 = "onnx.Add"(%x, %c) : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- dynamic.mlir
// Case P8, dynamic dimensions.
// P8: "onnx.MatMul"{{.*}} -> tensor<?x4xf16>
func.func @dynamic(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %0 = "onnx.MatMul"(%x, %w) : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

//--- two-results.mlir
// Case P9, two ops in a row, of which the first is also returned: no casts.
// P9-NOT: amp.cast
// P9: return %{{.*}}, %{{.*}} : tensor<4xf16>, tensor<4xf16>
func.func @two_results(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %0 = "onnx.Relu"(%x) : (tensor<4xf16>) -> tensor<4xf16>
  %1 = "onnx.Add"(%0, %0) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}

//--- two-users.mlir
// P9, a value that is returned, and has one user in f16 and one in f32: names stay.
// P9U: func.func @two_users(%{{.*}}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// P9U: %[[Y:.*]] = "onnx.Relu"{{.*}} {amp.name = "y"} : {{.*}} -> tensor<4xf16>
// P9U: "onnx.Add"(%[[Y]], %[[Y]]){{.*}} -> tensor<4xf16>
// P9U: %[[U:.*]] = amp.cast %[[Y]]
// P9U: "onnx.Mul"(%[[U]], %[[U]]){{.*}} -> tensor<4xf32>
func.func @two_users(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "onnx.Relu"(%x) {amp.name = "y"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "onnx.Add"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "onnx.Mul"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("high")
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- casts.mlir
// Case P10, ModelOpt drops the program's casts; with amp they are kept (N17).
// P10-NOT: amp.cast
// P10: "onnx.Add"
// P10-NOT: amp.cast
// P10A: "onnx.Add"
// P10A: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// P10A: amp.cast %{{.*}} : tensor<4xf16> to tensor<4xf32>
func.func @casts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xf32>
  %1 = amp.cast %0 : tensor<4xf32> to tensor<4xf32>
  %2 = "onnx.Add"(%1, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add")
  %3 = amp.cast %2 : tensor<4xf32> to tensor<4xf16>
  %4 = amp.cast %3 : tensor<4xf16> to tensor<4xf16>
  %5 = amp.cast %4 : tensor<4xf16> to tensor<4xf32>
  return %5 : tensor<4xf32>
}

//--- low.mlir
// Case P11, a model that is low already: Cast, Add, Cast.
// P11: amp.cast %{{.*}}tensor<4xf16> to tensor<4xf32>
// P11-NEXT: "onnx.Add"{{.*}} -> tensor<4xf32>
// P11-NEXT: amp.cast %{{.*}}tensor<4xf32> to tensor<4xf16>
// P11-NEXT: return
func.func @low(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = "onnx.Add"(%x, %x) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16> loc("add")
  return %0 : tensor<4xf16>
}

//--- unsupported.mlir
// Case P13, what cannot be low is not, whatever the lists say.
// P13: "onnx.Celu"{{.*}}#amp.decision<fp32, {{.*}}, unsupported>
// P13: "onnx.NonMaxSuppression"{{.*}}#amp.decision<fp32, {{.*}}, unsupported>
func.func @unsupported(%x: tensor<1x4x4xf32>) -> tensor<?x3xi64> {
  %0 = "onnx.Celu"(%x) : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %1 = "onnx.NonMaxSuppression"(%0, %0) : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<?x3xi64>
  return %1 : tensor<?x3xi64>
}

//--- constants.mlir
// Case P15, constants, scalar and not, are converted, and need no cast.
// P15-NOT: amp.cast %cst
// P15-DAG: arith.constant dense<1.000000e+00> : tensor<f16>
// P15-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// P15-NOT: amp.cast %cst
func.func @constants(%x: tensor<2xf16>) -> tensor<2xf16> {
  %c0 = arith.constant dense<1.0> : tensor<f32>
  %c1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = "onnx.Add"(%x, %c0) : (tensor<2xf16>, tensor<f32>) -> tensor<2xf16>
  %1 = "onnx.Add"(%0, %c1) : (tensor<2xf16>, tensor<2xf32>) -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

//--- branches.mlir
// Case P17. The weights of a branch have the type of its ops: with ModelOpt the
// lower one where the branch is, and all that an op takes is a weight of its own;
// what reads a value from outside stays in f32, with its weight. By amp's own
// rules a branch is no border. An op in f32 behind it takes f32.
// P17: scf.if
// P17M: "onnx.Mul"{{.*}} -> tensor<4xf16>
// P17M: "onnx.Gemm"{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// P17A: "onnx.Mul"{{.*}} -> tensor<4xf16>
// P17A: "onnx.Gemm"{{.*}} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
// P17: else
// P17: "onnx.Mul"{{.*}} -> tensor<4xf16>
// P17: "onnx.Add"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// With the branch in f32, or where a peer does not look into it, all of it is.
// P17H: scf.if
// P17H: "onnx.Mul"{{.*}} -> tensor<4xf32>
// P17H: "onnx.Gemm"{{.*}} -> tensor<4xf32>
// P17H: else
// P17H: "onnx.Mul"{{.*}} -> tensor<4xf32>
func.func @branches(%x: tensor<4xf32>, %b: i1) -> tensor<4xf32> {
  %r = scf.if %b -> (tensor<4xf32>) {
    %c = arith.constant dense<2.0> : tensor<4xf32>
    %d = arith.constant dense<4.0> : tensor<4xf32>
    %0 = "onnx.Mul"(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "onnx.Gemm"(%x, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %c = arith.constant dense<3.0> : tensor<4xf32>
    %0 = "onnx.Mul"(%c, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } loc("branch")
  %1 = "onnx.Add"(%r, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("after")
  return %1 : tensor<4xf32>
}

//--- nested.mlir
// P17, a branch in a branch, one behind the other, equal ops without names, a
// resize whose scales are in a branch, and a loop that takes a value in the lower
// type: all is valid, and scales are in f32.
// P17N: %[[LOW:.*]] = "onnx.Relu"{{.*}} -> tensor<4xf16>
// P17N: "onnx.Resize"(%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, tensor<4xf32>) -> tensor<1x2x8x8xf32>
// P17N-COUNT-2: "onnx.Mul"(%[[C:.*]], %[[C]]) : {{.*}} -> tensor<4xf16>
// P17N: %[[UP:.*]] = amp.cast %[[LOW]] {{.*}}: tensor<4xf16> to tensor<4xf32>
// P17N: "onnx.Add"(%{{.*}}, %[[UP]]) : {{.*}} -> tensor<4xf32>
// P17NA: "onnx.Relu"{{.*}} -> tensor<4xf16>
// P17NA: "onnx.Resize"(%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, tensor<4xf32>) -> tensor<1x2x8x8xf16>
// P17NA: "onnx.Add"{{.*}} -> tensor<4xf16>
func.func @nested(%x: tensor<4xf32>, %image: tensor<1x2x4x4xf32>, %b: i1, %n: index) -> (tensor<4xf32>, tensor<1x2x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<1x2x8x8xf32>
  %low = "onnx.Relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %resized = scf.if %b -> (tensor<1x2x8x8xf32>) {
    %scales = arith.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
    %roi = arith.constant dense<> : tensor<0xf32>
    %0 = "onnx.Resize"(%image, %roi, %scales) : (tensor<1x2x4x4xf32>, tensor<0xf32>, tensor<4xf32>) -> tensor<1x2x8x8xf32>
    scf.yield %0 : tensor<1x2x8x8xf32>
  } else {
    scf.yield %zero : tensor<1x2x8x8xf32>
  }
  %inner = scf.if %b -> (tensor<4xf32>) {
    %0 = scf.if %b -> (tensor<4xf32>) {
      %c = arith.constant dense<2.0> : tensor<4xf32>
      %1 = "onnx.Mul"(%c, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      %c = arith.constant dense<3.0> : tensor<4xf32>
      %1 = "onnx.Mul"(%c, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %low : tensor<4xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %inner) -> (tensor<4xf32>) {
    %0 = "onnx.Add"(%s, %low) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %sum, %resized : tensor<4xf32>, tensor<1x2x8x8xf32>
}
