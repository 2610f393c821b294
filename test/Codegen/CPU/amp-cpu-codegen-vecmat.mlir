// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512vnni no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids no-scalar-fallback}))' | FileCheck %s --check-prefix=WAYS

// A vector times a matrix reads 8 rows of it at once, like a matrix of one row.
// CHECK-LABEL: func.func @vecmat
// CHECK-SAME: (%{{.*}}: tensor<512xf32>, %[[B:.*]]: tensor<512x640xf32>
// CHECK: %[[K:.*]] = arith.constant 8 : index
// CHECK: scf.for {{.*}} step %[[K]]
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
// Processors with a first cache of twelve ways ask for the next ones by themselves.
// WAYS-LABEL: func.func @vecmat
// WAYS: %[[K:.*]] = arith.constant 16 : index
// WAYS: scf.for {{.*}} step %[[K]]
// WAYS-NOT: memref.prefetch
// WAYS: return
func.func @vecmat(%a: tensor<512xf32>, %b: tensor<512x640xf32>, %c: tensor<640xf32>) -> tensor<640xf32> {
  %r = linalg.vecmat ins(%a, %b : tensor<512xf32>, tensor<512x640xf32>) outs(%c : tensor<640xf32>) -> tensor<640xf32>
  return %r : tensor<640xf32>
}

// -----

// The same of each matrix of a batch, and with the vector as second operand.
// CHECK-LABEL: func.func @batch_vecmat
// CHECK-SAME: (%{{.*}}: tensor<4x512xf32>, %[[B:.*]]: tensor<4x512x640xf32>
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
func.func @batch_vecmat(%a: tensor<4x512xf32>, %b: tensor<4x512x640xf32>, %c: tensor<4x640xf32>) -> tensor<4x640xf32> {
  %r = linalg.batch_vecmat ins(%a, %b : tensor<4x512xf32>, tensor<4x512x640xf32>) outs(%c : tensor<4x640xf32>) -> tensor<4x640xf32>
  return %r : tensor<4x640xf32>
}
// CHECK-LABEL: func.func @second
// CHECK-SAME: (%[[B:.*]]: tensor<512x640xf32>
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
func.func @second(%b: tensor<512x640xf32>, %a: tensor<512xf32>, %c: tensor<640xf32>) -> tensor<640xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>]
      ins(%b, %a : tensor<512x640xf32>, tensor<512xf32>) outs(%c : tensor<640xf32>) -> tensor<640xf32>
  return %r : tensor<640xf32>
}

// -----

// A matrix times a vector is one whose rows are contiguous along k: vectors of i8 go there in groups of four.
// CHECK-LABEL: func.func @matvec
// CHECK-SAME: (%[[B:.*]]: tensor<640x512xi8>
// CHECK: vector.transfer_read %[[B]]{{.*}} vector<64xi8>
func.func @matvec(%b: tensor<640x512xi8>, %a: tensor<512xi8>, %c: tensor<640xi32>) -> tensor<640xi32> {
  %r = linalg.matvec ins(%b, %a : tensor<640x512xi8>, tensor<512xi8>) outs(%c : tensor<640xi32>) -> tensor<640xi32>
  return %r : tensor<640xi32>
}

// -----

// Seven rows and more by a transposed B: with a first cache of twelve ways k is cut, so that rows of A stay there, and what the next columns read of B is
// asked for, where the second cache does not hold B.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: memref.prefetch
// WAYS: #[[$STEPS:.*]] = affine_map<()[s0] -> (-s0 + 3000, 1024)>
// WAYS: #[[$NEXT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + s1 * 48 + s2 + 3)>
// WAYS-LABEL: func.func @transposed
// WAYS: bufferization.to_buffer %{{.*}} : tensor<1001x3000xf32>
// WAYS: affine.min
// WAYS: %[[COLUMN:.*]] = affine.apply #[[$NEXT]]
// WAYS: scf.for %[[K:[a-z0-9_]+]] =
// WAYS: memref.prefetch %{{.*}}[%[[COLUMN]], %[[K]]], read
// WAYS: vector.fma
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: tensor<8x3000xf32>, %b: tensor<1001x3000xf32>, %i: tensor<8x1001xf32>) -> tensor<8x1001xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<8x3000xf32>, tensor<1001x3000xf32>) outs(%i : tensor<8x1001xf32>) -> tensor<8x1001xf32>
  return %c : tensor<8x1001xf32>
}
// 16 rows are two times eight then.
// CHECK-LABEL: func.func @transposed_in_turn
// WAYS-LABEL: func.func @transposed_in_turn
// WAYS: memref.prefetch
// WAYS-COUNT-24: vector.fma
// WAYS-NOT: vector.fma
// WAYS: scf.yield
func.func @transposed_in_turn(%a: tensor<16x2048xf32>, %b: tensor<1024x2048xf32>, %i: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<16x2048xf32>, tensor<1024x2048xf32>) outs(%i : tensor<16x1024xf32>) -> tensor<16x1024xf32>
  return %c : tensor<16x1024xf32>
}
// CHECK-LABEL: func.func @transposed_in_cache
// WAYS-LABEL: func.func @transposed_in_cache
// WAYS-NOT: memref.prefetch
func.func @transposed_in_cache(%a: tensor<8x1000xf32>, %b: tensor<100x1000xf32>, %i: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<8x1000xf32>, tensor<100x1000xf32>) outs(%i : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %c : tensor<8x100xf32>
}

// -----

// Several register tiles read rows of B where they are, too, 32 of them at a time in parts of four registers, with such a cache. Others pack B.
// CHECK-LABEL: func.func @several_tiles
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>
// WAYS: #[[$NEXT:.*]] = affine_map<()[s0, s1] -> (1023, s0 + s1 + 32)>
// WAYS-LABEL: func.func @several_tiles
// WAYS-SAME: (%{{.*}}: tensor<32x1024xf32>, %[[B:.*]]: tensor<1024x1024xf32>
// WAYS: bufferization.alloc_tensor() : tensor<6x6x32xf32>
// WAYS: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// WAYS-COUNT-4: vector.transfer_read %[[B]]{{.*}} vector<16xf32>
// WAYS: affine.min #[[$NEXT]]
// WAYS: memref.prefetch
// WAYS-COUNT-24: vector.fma
// WAYS: return
func.func @several_tiles(%a: tensor<32x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<32x1024xf32>) -> tensor<32x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<32x1024xf32>) -> tensor<32x1024xf32>
  return %r : tensor<32x1024xf32>
}
// More of them, or columns of which a tile would be mostly past the end, pack B.
// WAYS-LABEL: func.func @many_rows
// WAYS: tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>
func.func @many_rows(%a: tensor<129x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<129x1024xf32>) -> tensor<129x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<129x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<129x1024xf32>) -> tensor<129x1024xf32>
  return %r : tensor<129x1024xf32>
}
// WAYS-LABEL: func.func @few_columns
// WAYS: tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>
func.func @few_columns(%a: tensor<32x1024xf32>, %b: tensor<1024x333xf32>, %c: tensor<32x333xf32>) -> tensor<32x333xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<32x1024xf32>, tensor<1024x333xf32>) outs(%c : tensor<32x333xf32>) -> tensor<32x333xf32>
  return %r : tensor<32x333xf32>
}
