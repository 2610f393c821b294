// The distribution's own mlir-opt loads amp as a plugin: it knows the dialect,
// and upstream passes use amp's folders. Passes go through --pass-pipeline, since
// flags of plugin passes are unknown to mlir-opt's command line.
// UNSUPPORTED: sanitizer
// RUN: mlir-opt %s --load-dialect-plugin=%amp_lib/AMPPlugin%shlibext --load-pass-plugin=%amp_lib/AMPPlugin%shlibext \
// RUN:   --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @cast_of_a_constant_folds
// CHECK: %[[C:.*]] = arith.constant 1.500000e+00 : f16
// CHECK: return %[[C]] : f16
func.func @cast_of_a_constant_folds() -> f16 {
  %0 = arith.constant 1.5 : f32
  %1 = amp.cast %0 : f32 to f16
  return %1 : f16
}

// CHECK-LABEL: func.func @cast_stays
// CHECK: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xbf16>
func.func @cast_stays(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
