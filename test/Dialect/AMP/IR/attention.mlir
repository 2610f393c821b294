// Every operand and attribute of amp.attention prints and parses, in text,
// generic form and bytecode.

// RUN: amp-opt %s --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: amp.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x2xf16> -> tensor<4x2xf32>
func.func @plain(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>, %v: tensor<6x2xf16>) -> tensor<4x2xf32> {
  %0 = amp.attention %q, %k, %v : tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x2xf16> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Heads of queries share keys; log-sum-exp.
// CHECK-LABEL: func.func @grouped(
// CHECK: amp.attention %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}} : tensor<?x1xi1>) scale 1.250000e-01 causal window [16, -1] align_last : tensor<2x8x?x64xf16>, tensor<2x4x?x64xf16>, tensor<2x4x?x64xf16> -> tensor<2x8x?x64xf16>, tensor<2x8x?xf32>
func.func @grouped(%q: tensor<2x8x?x64xf16>, %k: tensor<2x4x?x64xf16>, %v: tensor<2x4x?x64xf16>, %m: tensor<?x1xi1>) -> (tensor<2x8x?x64xf16>, tensor<2x8x?xf32>) {
  %0:2 = amp.attention %q, %k, %v mask(%m : tensor<?x1xi1>) scale 0.125 causal window [16, -1] align_last
      : tensor<2x8x?x64xf16>, tensor<2x4x?x64xf16>, tensor<2x4x?x64xf16> -> tensor<2x8x?x64xf16>, tensor<2x8x?xf32>
  return %0#0, %0#1 : tensor<2x8x?x64xf16>, tensor<2x8x?xf32>
}

// Sequences of different lengths.
// CHECK-LABEL: func.func @packed(
// CHECK: amp.attention %{{.*}}, %{{.*}}, %{{.*}} offsets(%{{.*}}, %{{.*}} : tensor<?xi32>, tensor<5xi32>) causal {note = "x"} :
func.func @packed(%q: tensor<8x?x64xbf16>, %k: tensor<8x?x64xbf16>, %v: tensor<8x?x64xbf16>, %qo: tensor<?xi32>, %ko: tensor<5xi32>) -> tensor<8x?x64xbf16> {
  %0 = amp.attention %q, %k, %v offsets(%qo, %ko : tensor<?xi32>, tensor<5xi32>) causal {note = "x"}
      : tensor<8x?x64xbf16>, tensor<8x?x64xbf16>, tensor<8x?x64xbf16> -> tensor<8x?x64xbf16>
  return %0 : tensor<8x?x64xbf16>
}
