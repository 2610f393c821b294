// The distribution's own mlir-opt runs the pipeline amp-autocast, with options,
// by --pass-pipeline.
// UNSUPPORTED: sanitizer
// RUN: mlir-opt %s --load-dialect-plugin=%amp_lib/AMPPlugin%shlibext --load-pass-plugin=%amp_lib/AMPPlugin%shlibext \
// RUN:   --pass-pipeline='builtin.module(amp-autocast{dtype=f16 device=cuda})' | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x4xf32>
// CHECK-DAG: %[[X:.*]] = amp.cast %[[A]] {{.*}} : tensor<4x8xf32> to tensor<4x8xf16>
// CHECK-DAG: %[[Y:.*]] = amp.cast %[[B]] {{.*}} : tensor<8x4xf32> to tensor<8x4xf16>
// CHECK: linalg.matmul ins(%[[X]], %[[Y]] : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NOT: amp.autocast
// CHECK: return %{{.*}} : tensor<4x4xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x8xf32>, %y = %b : tensor<8x4xf32>) -> tensor<4x4xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<4x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
