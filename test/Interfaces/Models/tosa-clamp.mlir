// The bounds of a clamp are rounded as the values are. One beyond the range of
// f16 becomes an infinity, so that a value beyond the range, which the cast has
// made an infinity, stays one.
//
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 -tosa-attach-target="profiles=pro_fp level=8k" -tosa-validate=strict-op-spec-alignment | FileCheck %s

// CHECK-LABEL: func.func @rounded
// CHECK: tosa.clamp %{{.*}} {max_val = 9.997550e-02 : f16, min_val = -9.997550e-02 : f16}
func.func @rounded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %x {test.retype = unit, min_val = -0.1 : f32, max_val = 0.1 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @beyond
// CHECK: tosa.clamp %{{.*}} {max_val = 0x7C00 : f16, min_val = 0xFC00 : f16}
func.func @beyond(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %x {test.retype = unit, min_val = -3.4028235e38 : f32, max_val = 1.0e6 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu
// CHECK: tosa.clamp %{{.*}} {max_val = 0x7C00 : f16, min_val = 0.000000e+00 : f16}
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.clamp %x {test.retype = unit, min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
