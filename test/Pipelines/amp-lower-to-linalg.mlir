// From a program under autocast to linalg: nothing of amp or tosa is left, casts
// of constants are folded, pairs of casts that may be elided too.
//
// RUN: amp-opt %s --amp-autocast='scope=function device=cuda dtype=f16' --amp-lower-to-linalg | FileCheck %s

// CHECK-NOT: amp.
// CHECK-NOT: tosa.

// The weights become f16 at compile time.
// CHECK-LABEL: func.func @constant_weights
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<1.500000e+00> : tensor<8x4xf16>
// CHECK:         linalg.matmul ins(%{{.*}}, %[[W]] : tensor<2x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<2x4xf32>)
func.func @constant_weights(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = arith.constant dense<1.5> : tensor<8x4xf32>
  %zero = arith.constant dense<0.0> : tensor<2x4xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A product that goes straight into an f32 op is not rounded in between: the
// casts of the two policies may be elided.
// CHECK-LABEL: func.func @elided
// CHECK:         %[[M:.*]] = linalg.matmul {{.*}} -> tensor<2x2xf32>
// CHECK-NOT:     arith.truncf
// CHECK:         linalg.generic {{.*}} ins(%[[M]] : tensor<2x2xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      math.exp %[[IN]] : f32
func.func @elided(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = math.exp %0 : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// tosa goes through upstream's lowering.
// CHECK-LABEL: func.func @tosa
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<1x2x8xf16>, tensor<1x8x4xf16>) outs(%{{.*}} : tensor<1x2x4xf32>)
// CHECK:         math.tanh
func.func @tosa(%x: tensor<1x2x8xf32>, %w: tensor<1x8x4xf32>) -> tensor<1x2x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x2x8xf32>, tensor<1x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  %1 = tosa.tanh %0 : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// The scale of a quantised program is arithmetic in the payload of a linalg op,
// and tosa's control flow is scf's.
// CHECK-LABEL: func.func @quantised
// CHECK:         scf.if
// CHECK:           linalg.generic
// CHECK:             arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:             arith.shrsi %{{.*}}, %{{.*}} : i64
func.func @quantised(%x: tensor<4x8xi32>, %c: tensor<i1>) -> tensor<4x8xi32> {
  %0 = tosa.cond_if %c (%a = %x) : tensor<i1> (tensor<4x8xi32>) -> tensor<4x8xi32> {
  ^bb0(%a: tensor<4x8xi32>):
    %shift = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.mul %a, %a, %shift : (tensor<4x8xi32>, tensor<4x8xi32>, tensor<1xi8>) -> tensor<4x8xi32>
    tosa.yield %1 : tensor<4x8xi32>
  } else {
  ^bb0(%a: tensor<4x8xi32>):
    tosa.yield %a : tensor<4x8xi32>
  }
  return %0 : tensor<4x8xi32>
}
