// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types=opmath | FileCheck %s --check-prefix=OPMATH
//
// Doing it again changes nothing.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --split-input-file --amp-promote-types > %t.twice
// RUN: diff %t.once %t.twice

// The kinds of ops: the type they take, and the type they give.
// CHECK-LABEL: func.func @kinds
// OPMATH-LABEL: func.func @kinds
func.func @kinds(%h: tensor<4xf16>, %f: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %c: tensor<4xcomplex<f32>>) {
  // DEFAULT: in f32 on its own, and f16 again.
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  // OPMATH-COUNT-2: amp.cast %{{.*}} {may_elide, origin = promotion} : tensor<4xf16> to tensor<4xf32>
  // OPMATH: %[[A:.*]] = "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // OPMATH: %[[R:.*]] = amp.cast %[[A]] {origin = promotion} : tensor<4xf32> to tensor<4xf16>
  // OPMATH: "my.use"(%[[R]])
  %0 = "aten.add.Tensor"(%h, %h) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  "my.use"(%0) : (tensor<4xf16>) -> ()
  // INT_TO_FLOAT: taken and returned as f32, with no cast back.
  // CHECK: %[[F:.*]] = amp.cast %{{.*}} {origin = promotion} : tensor<4xi32> to tensor<4xf32>
  // CHECK: "aten.cos"(%[[F]]) : (tensor<4xf32>) -> tensor<4xf32>
  // OPMATH: "aten.cos"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.cos"(%i) : (tensor<4xi32>) -> tensor<4xf32>
  // ALWAYS_BOOL.
  // CHECK: %[[W:.*]] = amp.cast %{{.*}} {may_elide, origin = promotion} : tensor<4xf16> to tensor<4xf32>
  // CHECK: "aten.eq.Tensor"(%[[W]], %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = "aten.eq.Tensor"(%h, %f) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xi1>
  // BOOL_TO_LONG.
  // CHECK: "aten.pow.Tensor_Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %3 = "aten.pow.Tensor_Tensor"(%b, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi64>
  // COMPLEX_TO_FLOAT.
  // CHECK: "aten.abs"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %4 = "aten.abs"(%c) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // NO_OPMATH: opmath does not widen what is only moved.
  // CHECK: "aten.where.self"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  // OPMATH: "aten.where.self"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %5 = "aten.where.self"(%b, %h, %i) : (tensor<4xi1>, tensor<4xf16>, tensor<4xi32>) -> tensor<4xf16>
  // Reductions of integers.
  // CHECK: %[[L:.*]] = amp.cast %{{.*}} {may_elide, origin = promotion} : tensor<4xi32> to tensor<4xi64>
  // CHECK: "aten.sum"(%[[L]]) : (tensor<4xi64>) -> tensor<i64>
  %6 = "aten.sum"(%i) : (tensor<4xi32>) -> tensor<i64>
  // CHECK: "aten.sum"(%{{.*}}) {dtype = f32} : (tensor<4xi32>) -> tensor<f32>
  %7 = "aten.sum"(%i) {dtype = f32} : (tensor<4xi32>) -> tensor<f32>
  return
}

// -----

// Tiers: a 0-d tensor and a scalar count by their category only.
// CHECK-LABEL: func.func @tiers
func.func @tiers(%h: tensor<4xf16>, %z: tensor<f32>, %i: tensor<4xi32>, %s: f64) {
  // CHECK: %[[N:.*]] = amp.cast %{{.*}} {origin = promotion} : tensor<f32> to tensor<f16>
  // CHECK: "aten.add.Tensor"(%{{.*}}, %[[N]]) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %0 = "aten.add.Tensor"(%h, %z) : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
  // CHECK: "aten.mul.Scalar"(%{{.*}}) {other = 2.500000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.mul.Scalar"(%i) {other = 2.5 : f64} : (tensor<4xi32>) -> tensor<4xf32>
  // An SSA scalar.
  // CHECK: "aten.mul.Scalar"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, f64) -> tensor<4xf32>
  %2 = "aten.mul.Scalar"(%i, %s) : (tensor<4xi32>, f64) -> tensor<4xf32>
  // Not alpha.
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) {alpha = 2.000000e+00 : f64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = "aten.add.Tensor"(%i, %i) {alpha = 2.0 : f64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: %[[P:.*]] = amp.cast %{{.*}} : tensor<4xi32> to tensor<4xf32>
  // CHECK: %[[Q:.*]] = amp.cast %{{.*}} : f64 to f32
  // CHECK: "my.use"(%[[P]], %[[Q]])
  %4:2 = amp.promote %i, %s {mode = elementwise} : tensor<4xi32>, f64
  "my.use"(%4#0, %4#1) : (tensor<4xf32>, f32) -> ()
  // The other mode is not torch's promotion.
  // CHECK: amp.promote
  %5:2 = amp.promote %h, %z : tensor<4xf16>, tensor<f32>
  return
}

// -----

// Scalars of another category become tensors, where their type holds them.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%h: tensor<4xf16>, %f: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[O:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: "aten.clamp.Tensor"(%{{.*}}, %[[Z]], %[[O]]) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %0 = "aten.clamp"(%f) {min = 0 : i64, max = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // More than f16 holds: the op knows it better, in f32.
  // CHECK: "aten.add.Scalar"(%{{.*}}) {other = 100000 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  %1 = "aten.add.Scalar"(%h) {other = 100000 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  // CHECK: %[[S:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
  // CHECK: "aten.pow.Tensor_Tensor"(%[[S]], %{{.*}}) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.pow.Scalar"(%f) {self = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "aten.add.Scalar"(%{{.*}}) {other = 1.500000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "aten.add.Scalar"(%f) {other = 1.5 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "aten.add.Scalar"(%{{.*}}) {other = 2 : i64} : (tensor<4xi32>) -> tensor<4xi32>
  %4 = "aten.add.Scalar"(%i) {other = 2 : i64} : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

// A wrong type of a result reaches the ATen ops behind it; others see the type
// that the program wrote.
// CHECK-LABEL: func.func @stale
func.func @stale(%i: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK: %[[C:.*]] = "aten.cos"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[B:.*]] = amp.cast %[[C]] {origin = promotion} : tensor<4xf32> to tensor<4xi64>
  %0 = "aten.cos"(%i) : (tensor<4xi64>) -> tensor<4xi64>
  // CHECK: "aten.sin"(%[[C]]) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.sin"(%0) : (tensor<4xi64>) -> tensor<4xi64>
  // CHECK: return %[[B]]
  return %0 : tensor<4xi64>
}

// -----

// In-place and out= variants convert to what they write to.
// CHECK-LABEL: func.func @variants
// CHECK-NOT: amp.cast
// CHECK: return
func.func @variants(%h: tensor<4xf16>, %f: tensor<4xf32>) {
  %0 = "aten.add_.Tensor"(%h, %f) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  %1 = "aten.add.out"(%h, %f, %h) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf16>
  return
}
