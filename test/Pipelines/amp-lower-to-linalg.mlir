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
