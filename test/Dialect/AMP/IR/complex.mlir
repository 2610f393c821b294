// Complex numbers in casts and promotions: torch's complex halves, floats and
// doubles.
//
// RUN: amp-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --amp-promote-types --amp-resolve-promotions | FileCheck %s --check-prefix=TYPES
// RUN: amp-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --amp-resolve-promotions --amp-to-linalg | FileCheck %s --check-prefix=LINALG

// CHECK-LABEL: func.func @casts
// CHECK: amp.cast %{{.*}} : tensor<4xf16> to tensor<4xcomplex<f32>>
// CHECK: amp.cast %{{.*}} : tensor<4xcomplex<f32>> to tensor<4xcomplex<f64>>
// CHECK: amp.cast %{{.*}} : i32 to complex<f32>
// LINALG-LABEL: func.func @casts
// LINALG: linalg.generic
// LINALG: ^bb0(%[[X:.*]]: f16, %{{.*}}: complex<f32>):
// LINALG: %[[RE:.*]] = arith.extf %[[X]] : f16 to f32
// LINALG: complex.create %[[RE]], %{{.*}} : complex<f32>
// LINALG: linalg.generic
// LINALG: ^bb0(%[[C:.*]]: complex<f32>, %{{.*}}: complex<f64>):
// LINALG-DAG: complex.re %[[C]]
// LINALG-DAG: complex.im %[[C]]
// LINALG: complex.create %{{.*}}, %{{.*}} : complex<f64>
func.func @casts(%x: tensor<4xf16>, %i: i32) -> (tensor<4xcomplex<f64>>, complex<f32>) {
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xcomplex<f32>>
  %1 = amp.cast %0 : tensor<4xcomplex<f32>> to tensor<4xcomplex<f64>>
  %2 = amp.cast %i : i32 to complex<f32>
  return %1, %2 : tensor<4xcomplex<f64>>, complex<f32>
}

// -----

// Cases 400, 401 and 402 of type promotion, in amp.promote and in an op.
// TYPES-LABEL: func.func @promotions
// TYPES-SAME: %[[F:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf64>, %[[H:.*]]: tensor<4xcomplex<f16>>, %[[Z:.*]]: tensor<complex<f32>>
// TYPES: amp.cast %[[Z]] {{.*}} : tensor<complex<f32>> to tensor<complex<f64>>
// TYPES: amp.cast %[[D]] {{.*}} : tensor<4xf64> to tensor<4xcomplex<f64>>
// TYPES: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
// TYPES: "aten.abs"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
func.func @promotions(%f: tensor<4xf32>, %d: tensor<4xf64>, %h: tensor<4xcomplex<f16>>, %z: tensor<complex<f32>>) -> (tensor<complex<f64>>, tensor<4xcomplex<f64>>, tensor<4xf32>) {
  %0:2 = amp.promote %z, %d {mode = elementwise} : tensor<complex<f32>>, tensor<4xf64>
  %1 = "aten.add.Tensor"(%h, %f) : (tensor<4xcomplex<f16>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %2 = "aten.abs"(%1) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0#0, %0#1, %2 : tensor<complex<f64>>, tensor<4xcomplex<f64>>, tensor<4xf32>
}

// -----

func.func @real(%z: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{a cast does not drop imaginary parts: 'tensor<4xcomplex<f32>>' to 'tensor<4xf32>'; take the real part first}}
  %0 = amp.cast %z : tensor<4xcomplex<f32>> to tensor<4xf32>
  return
}
