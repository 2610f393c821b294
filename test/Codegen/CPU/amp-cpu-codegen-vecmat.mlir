// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512vnni no-scalar-fallback}))' | FileCheck %s

// A vector times a matrix reads 8 rows of it at once, like a matrix of one row.
// CHECK-LABEL: func.func @vecmat
// CHECK-SAME: (%{{.*}}: tensor<512xf32>, %[[B:.*]]: tensor<512x640xf32>
// CHECK: %[[K:.*]] = arith.constant 8 : index
// CHECK: scf.for {{.*}} step %[[K]]
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
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
