// RUN: amp-opt %s --pass-pipeline="builtin.module(amp-lower-to-linalg{target=sm_70})" | FileCheck %s
// RUN: amp-opt %s --pass-pipeline="builtin.module(amp-lower-to-linalg)" | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --pass-pipeline="builtin.module(amp-lower-to-linalg{target=tpu})" 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: amp-legalize-dtypes: unknown target 'tpu'

// A tosa op on a type that the target lacks: bracketed before tosa is lowered, and rounded as it is written.
// CHECK-LABEL: func.func @add
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// NONE-LABEL: func.func @add
// NONE: arith.addf %{{.*}} : bf16
func.func @add(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = tosa.add %x, %y : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// An amp.out_dtype over f8 operands, which the target reads as f16; the sum is f32 all the same.
// CHECK-LABEL: func.func @matmul
// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<1x4x8xf16>, tensor<1x8x4xf16>) outs(%{{.*}} : tensor<1x4x4xf32>)
// NONE-LABEL: func.func @matmul
// NONE: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<1x4x8xf8E4M3FN>, tensor<1x8x4xf8E4M3FN>) outs(%{{.*}} : tensor<1x4x4xf32>)
func.func @matmul(%a: tensor<1x4x8xf8E4M3FN>, %b: tensor<1x8x4xf8E4M3FN>) -> tensor<1x4x4xbf16> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf8E4M3FN>} : () -> tensor<1xf8E4M3FN>
  %0 = amp.out_dtype (%x = %a : tensor<1x4x8xf8E4M3FN>, %y = %b : tensor<1x8x4xf8E4M3FN>, %p = %z : tensor<1xf8E4M3FN>) -> tensor<1x4x4xbf16> {
    %1 = tosa.matmul %x, %y, %p, %p : (tensor<1x4x8xf8E4M3FN>, tensor<1x8x4xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x4x4xf16>
    amp.yield %1 : tensor<1x4x4xf16>
  }
  return %0 : tensor<1x4x4xbf16>
}
