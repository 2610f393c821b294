// Groups of a few rows by a B that the second cache holds most of take longer blocks of k, so that their sums leave the first cache less often; one that it does not is read
// by a few rows at a time.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4 no-scalar-fallback}))' | FileCheck %s

// CHECK-LABEL: func.func @near
// CHECK: scf.for %{{.*}} to %c448 step %c64 iter_args
func.func @near(%a: tensor<6x512xbf16>, %b: tensor<512x512xbf16>, %c: tensor<6x512xf32>) -> tensor<6x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<6x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<6x512xf32>) -> tensor<6x512xf32>
  return %r : tensor<6x512xf32>
}

// CHECK-LABEL: func.func @far
// CHECK: scf.for %{{.*}} to %c4092 step %c12 iter_args
func.func @far(%a: tensor<6x4096xbf16>, %b: tensor<4096x512xbf16>, %c: tensor<6x512xf32>) -> tensor<6x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<6x4096xbf16>, tensor<4096x512xbf16>) outs(%c : tensor<6x512xf32>) -> tensor<6x512xf32>
  return %r : tensor<6x512xf32>
}

// Three rows of i8, and one, which waits for B more.
// CHECK-LABEL: func.func @bytes
// CHECK: scf.for %{{.*}} step %c16 iter_args
func.func @bytes(%a: tensor<3x512xi8>, %b: tensor<512x512xi8>, %c: tensor<3x512xi32>) -> tensor<3x512xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x512xi8>, tensor<512x512xi8>) outs(%c : tensor<3x512xi32>) -> tensor<3x512xi32>
  return %r : tensor<3x512xi32>
}

// CHECK-LABEL: func.func @row
// CHECK: scf.for %{{.*}} step %c8 iter_args
func.func @row(%a: tensor<1x512xi8>, %b: tensor<512x512xi8>, %c: tensor<1x512xi32>) -> tensor<1x512xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x512xi8>, tensor<512x512xi8>) outs(%c : tensor<1x512xi32>) -> tensor<1x512xi32>
  return %r : tensor<1x512xi32>
}
