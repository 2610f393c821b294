// Element types that ops of tosa do not take.
//
// RUN: amp-opt %s -split-input-file -verify-diagnostics -test-amp-precision-retype=to=f8E4M3FNUZ

func.func @elementwise(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tosa.exp' op cannot be given element type 'f8E4M3FNUZ': expected f16, bf16 or f32}}
  %0 = tosa.exp %x {test.retype} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  // expected-error @below {{'tosa.reduce_sum' op cannot be given element type 'f8E4M3FNUZ': expected f16, bf16 or f32}}
  %0 = tosa.reduce_sum %x {test.retype, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

func.func @matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>) -> tensor<2x4x16xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @below {{'tosa.matmul' op cannot be given element type 'f8E4M3FNUZ': expected f16, bf16 or f32, or f8E4M3FN or f8E5M2}}
  %0 = tosa.matmul %a, %b, %z, %z {test.retype} : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}
