// Blocks fit the caches of the processor that is named: here how much of k is packed at once.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=icelake-server}))' | FileCheck %s --check-prefix=K128
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4}))' | FileCheck %s --check-prefix=K256

// K128-LABEL: func.func @product
// K128: scf.for {{.*}} = %c0 to %c2048 step %c128 iter_args
// K256-LABEL: func.func @product
// K256: scf.for {{.*}} = %c0 to %c2048 step %c256 iter_args
func.func @product(%a: tensor<1024x2048xf32>, %b: tensor<2048x1024xf32>) -> tensor<1024x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1024x2048xf32>, tensor<2048x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// What more than 256 rows read is packed at once, though one block has all of them: A is packed for each block of columns.
// K128-LABEL: func.func @rows
// K128: bufferization.alloc_tensor() : tensor<16x1024x64xf32>
// K256-LABEL: func.func @rows
// K256: bufferization.alloc_tensor() : tensor<16x1024x64xf32>
func.func @rows(%a: tensor<384x1024xf32>, %b: tensor<1024x1024xf32>, %i: tensor<384x1024xf32>) -> tensor<384x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<384x1024xf32>, tensor<1024x1024xf32>) outs(%i : tensor<384x1024xf32>) -> tensor<384x1024xf32>
  return %r : tensor<384x1024xf32>
}
