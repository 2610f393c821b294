// What takes less to compute again than to store, and is read along rows, is not stored.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// A softmax of products with a number: both loops multiply.
// CHECK-LABEL: func.func @scaled
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<64x1024xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK-NEXT: arith.mulf
// CHECK-NOT: vector.transfer_write
// CHECK: arith.max
// CHECK-NOT: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: math.exp
// CHECK: return
func.func @scaled(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %scale : f32
    linalg.yield %p : f32
  } -> tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%s : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// Not of quotients, nor of two tensors, nor what a product reads as well.
// CHECK-LABEL: func.func @quotients
// CHECK: arith.divf
// CHECK: vector.transfer_write
// CHECK: math.exp
func.func @quotients(%x: tensor<64x1024xf32>, %y: tensor<64xf32>) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %s = linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<64x1024xf32>, tensor<64xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.divf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%s : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// CHECK-LABEL: func.func @sums
// CHECK: arith.addf
// CHECK: vector.transfer_write
// CHECK: math.exp
func.func @sums(%x: tensor<64x1024xf32>, %y: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %e = tensor.empty() : tensor<64x1024xf32>
  %s = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<64x1024xf32>, tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.addf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<64x1024xf32>
  %r = linalg.softmax dimension(1) ins(%s : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// CHECK-LABEL: func.func @multiplied
// CHECK: arith.mulf
// CHECK: vector.transfer_write
// CHECK: math.exp
func.func @multiplied(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %scale = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %scale : f32
    linalg.yield %p : f32
  } -> tensor<64x64xf32>
  %r = linalg.softmax dimension(1) ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%s, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r, %m : tensor<64x64xf32>, tensor<64x64xf32>
}
