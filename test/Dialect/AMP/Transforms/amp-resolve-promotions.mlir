// RUN: amp-opt %s --amp-resolve-promotions | FileCheck %s
// RUN: amp-opt %s --amp-resolve-promotions --amp-resolve-promotions | FileCheck %s

// Each operand that changes is cast; the rest is used as it is.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME:    (%[[X:[^:]*]]: tensor<4xf32>, %[[Y:[^:]*]]: tensor<4xf16>, %[[Z:[^:]*]]: tensor<4xf64>, %[[N:[^:]*]]: tensor<4xi32>)
func.func @mixed(%x: tensor<4xf32>, %y: tensor<4xf16>, %z: tensor<4xf64>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xi32>) {
  // CHECK-NEXT: %[[W:.*]] = amp.cast %[[Y]] {may_elide, origin = promotion} : tensor<4xf16> to tensor<4xf32>
  // CHECK-NEXT: return %[[X]], %[[W]], %[[Z]], %[[N]]
  %0:4 = amp.promote %x, %y, %z, %n : tensor<4xf32>, tensor<4xf16>, tensor<4xf64>, tensor<4xi32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4xi32>
}

// Elementwise promotion: a scalar of a higher category raises the tensor.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    (%[[N:[^:]*]]: tensor<4xi32>, %[[S:[^:]*]]: f32)
func.func @elementwise(%n: tensor<4xi32>, %s: f32) -> (tensor<4xf32>, f32) {
  // CHECK-NEXT: %[[F:.*]] = amp.cast %[[N]] {origin = promotion} : tensor<4xi32> to tensor<4xf32>
  // CHECK-NEXT: return %[[F]], %[[S]]
  %0:2 = amp.promote %n, %s {mode = elementwise} : tensor<4xi32>, f32
  return %0#0, %0#1 : tensor<4xf32>, f32
}

// A scalar takes the narrower type of the tensors, rounded.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME:    (%[[X:[^:]*]]: tensor<4xf16>, %[[S:[^:]*]]: f32)
func.func @scalar(%x: tensor<4xf16>, %s: f32) -> (tensor<4xf16>, f16) {
  // CHECK-NEXT: %[[N:.*]] = amp.cast %[[S]] {origin = promotion} : f32 to f16
  // CHECK-NEXT: return %[[X]], %[[N]]
  %0:2 = amp.promote %x, %s {mode = elementwise} : tensor<4xf16>, f32
  return %0#0, %0#1 : tensor<4xf16>, f16
}
