// RUN: amp-opt %s --allow-unregistered-dialect --pass-pipeline="builtin.module(amp-out-dtype-backward{function=int},amp-out-dtype-backward{function=narrow},amp-out-dtype-backward{function=outs})" | FileCheck %s

// 363 of the conformance list is torch's error; here an integer product has the gradient of the float formula, in the type that the op names, on operands
// that stay i8 in memory.
// CHECK-LABEL: func.func @int_backward(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xi8>, %[[B:.*]]: tensor<8x4xi8>, %[[G:.*]]: tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>)
// CHECK: %[[DA:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[A]], %[[B]] : tensor<4x4xf32>, tensor<4x8xi8>, tensor<8x4xi8>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: %[[DB:.*]] = linalg.generic
// CHECK: return %[[DA]], %[[DB]]
func.func @int(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> tensor<4x4xi32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x8xi8>, %y = %b : tensor<8x4xi8>) -> tensor<4x4xi32> {
    %1 = "aten.mm"(%x, %y) : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi8>
    amp.yield %1 : tensor<4x4xi8>
  }
  return %0 : tensor<4x4xi32>
}

// Narrow floats: computed in f32, rounded once. An operand that is both factors has the sum.
// CHECK-LABEL: func.func @narrow_backward(
// CHECK-SAME: %{{.*}}: tensor<4xbf16>, %{{.*}}: tensor<4xf32>) -> tensor<4xbf16>
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK: %[[R:.*]] = amp.cast %[[S]] : tensor<4xf32> to tensor<4xbf16>
// CHECK: return %[[R]]
func.func @narrow(%a: tensor<4xbf16>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xbf16>) -> tensor<4xf32> {
    %1 = arith.mulf %x, %x : tensor<4xbf16>
    amp.yield %1 : tensor<4xbf16>
  }
  return %0 : tensor<4xf32>
}

// A destination has no gradient.
// CHECK-LABEL: func.func @outs_backward(
// CHECK-SAME: -> (tensor<4xf32>, tensor<4xf32>)
func.func @outs(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf32>, %y = %b : tensor<4xf32>, %z = %c : tensor<4xf32>) -> tensor<4xf32> {
    %1 = linalg.mul ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
