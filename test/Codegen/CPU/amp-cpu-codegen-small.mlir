// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=AVX2

// Small operands are not packed: tiles read A and B as they lie, and the only buffer is that of a tile.
// CHECK-LABEL: func.func @small(
// CHECK-SAME: %[[A:.*]]: tensor<64x64xf32>, %[[B:.*]]: tensor<64x64xf32>
// CHECK-COUNT-1: bufferization.alloc_tensor() : tensor<1x{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK-NOT: alloc_tensor
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK: vector.transfer_read %[[B]]{{.*}} {in_bounds = [true]} : tensor<64x64xf32>, vector<16xf32>
// CHECK: tensor.extract %[[A]]
// CHECK: vector.fma
// CHECK-NOT: alloc_tensor
// CHECK: return
// AVX2-LABEL: func.func @small(
// AVX2-SAME: %[[A:.*]]: tensor<64x64xf32>, %[[B:.*]]: tensor<64x64xf32>
// AVX2: vector.transfer_read %[[B]]{{.*}} {in_bounds = [true]} : tensor<64x64xf32>, vector<8xf32>
// AVX2: tensor.extract %[[A]]
func.func @small(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Rows that end within a tile need masks in hardware; else B is packed.
// CHECK-LABEL: func.func @odd(
// CHECK-SAME: %[[A:.*]]: tensor<17x64xf32>, %[[B:.*]]: tensor<64x100xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK: vector.transfer_read %[[B]]{{.*}} : tensor<64x100xf32>, vector<16xf32>
// CHECK: tensor.extract %[[A]]
// AVX2-LABEL: func.func @odd(
// AVX2: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32>
func.func @odd(%a: tensor<17x64xf32>, %b: tensor<64x100xf32>) -> tensor<17x100xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x100xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<17x100xf32>) -> tensor<17x100xf32>
  %r = linalg.matmul ins(%a, %b : tensor<17x64xf32>, tensor<64x100xf32>) outs(%f : tensor<17x100xf32>) -> tensor<17x100xf32>
  return %r : tensor<17x100xf32>
}

// -----

// B is packed too where the first cache would not keep it until many rows of A have read it; A is not.
// CHECK-LABEL: func.func @reread(
// CHECK-SAME: %[[A:.*]]: tensor<96x48xf32>, %[[B:.*]]: tensor<48x192xf32>
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x48x{{[0-9]+}}xf32>
// CHECK: vector.transfer_read %[[B]]
// CHECK: tensor.extract %[[A]]
func.func @reread(%a: tensor<96x48xf32>, %b: tensor<48x192xf32>) -> tensor<96x192xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x192xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<96x192xf32>) -> tensor<96x192xf32>
  %r = linalg.matmul ins(%a, %b : tensor<96x48xf32>, tensor<48x192xf32>) outs(%f : tensor<96x192xf32>) -> tensor<96x192xf32>
  return %r : tensor<96x192xf32>
}

// -----

// Five vectors are one tile across, rather than two of three.
// CHECK-LABEL: func.func @wide(
// CHECK: bufferization.alloc_tensor() : tensor<1x5x80xf32>
func.func @wide(%a: tensor<65x65xf32>, %b: tensor<65x65xf32>) -> tensor<65x65xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65x65xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<65x65xf32>) -> tensor<65x65xf32>
  %r = linalg.matmul ins(%a, %b : tensor<65x65xf32>, tensor<65x65xf32>) outs(%f : tensor<65x65xf32>) -> tensor<65x65xf32>
  return %r : tensor<65x65xf32>
}

// -----

// What is converted, and what is not known to be small, is packed.
// CHECK-LABEL: func.func @casts(
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32>
func.func @casts(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @dynamic(
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x64x{{[0-9]+}}xf32>
func.func @dynamic(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
