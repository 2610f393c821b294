// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512vnni no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids no-scalar-fallback}))' | FileCheck %s --check-prefix=WAYS
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=NARROW
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4 no-scalar-fallback}))' | FileCheck %s --check-prefix=DOT

// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=aarch64-linux-gnu cpu=generic no-scalar-fallback}))' | FileCheck %s --check-prefix=NEON

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

// One or two rows by rows of k as short as 32, four by 64: summing the lanes costs less than to pack B.
// CHECK-LABEL: func.func @short_rows
// CHECK-NOT: alloc_tensor() : tensor<{{[0-9]+}}x32x{{[0-9]+}}xf32>
// CHECK: vector.shuffle
// CHECK: return
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @short_rows(%a: tensor<2x32xf32>, %b: tensor<4096x32xf32>, %i: tensor<2x4096xf32>) -> tensor<2x4096xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<2x32xf32>, tensor<4096x32xf32>) outs(%i : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  return %c : tensor<2x4096xf32>
}

// -----

// A few rows by a transposed B: k is cut, so that rows of A stay in the first cache, and what the next columns read of B is asked for, where the second cache
// does not hold B. With a first cache of eight ways rows of B are read in parts of 2 KiB, of twelve ways in parts of 4 KiB.
// CHECK: #[[$STEPS:.*]] = affine_map<()[s0] -> (-s0 + 3000, 512)>
// CHECK: #[[$NEXT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + s1 * 48 + s2 + 3)>
// CHECK-LABEL: func.func @transposed
// CHECK: affine.min #[[$STEPS]]
// CHECK: %[[COLUMN:.*]] = affine.apply #[[$NEXT]]
// CHECK: scf.for %[[K:[a-z0-9_]+]] =
// CHECK: memref.prefetch %{{.*}}[%[[COLUMN]], %[[K]]], read
// CHECK: vector.fma
// WAYS: #[[$STEPS:.*]] = affine_map<()[s0] -> (-s0 + 3000, 1024)>
// WAYS: #[[$NEXT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + s1 * 48 + s2 + 3)>
// WAYS-LABEL: func.func @transposed
// WAYS: bufferization.to_buffer %{{.*}} : tensor<1001x3000xf32>
// WAYS: affine.min #[[$STEPS]]
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
// CHECK: memref.prefetch
// CHECK-COUNT-24: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
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
// CHECK-NOT: memref.prefetch
// WAYS-LABEL: func.func @transposed_in_cache
// WAYS-NOT: memref.prefetch
func.func @transposed_in_cache(%a: tensor<8x1000xf32>, %b: tensor<100x1000xf32>, %i: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<8x1000xf32>, tensor<100x1000xf32>) outs(%i : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %c : tensor<8x100xf32>
}

// -----

// Rows of A that are a power of two apart replace each other in a cache of eight ways: more than eight rows are packed there.
// CHECK-LABEL: func.func @transposed_packed
// CHECK: bufferization.alloc_tensor() : tensor<1x12x512xf32>
// CHECK: memref.prefetch
// WAYS-LABEL: func.func @transposed_packed
// WAYS-NOT: tensor<1x12x
// WAYS: return
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed_packed(%a: tensor<12x2048xf32>, %b: tensor<1024x2048xf32>, %i: tensor<12x1024xf32>) -> tensor<12x1024xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<12x2048xf32>, tensor<1024x2048xf32>) outs(%i : tensor<12x1024xf32>) -> tensor<12x1024xf32>
  return %c : tensor<12x1024xf32>
}

// -----

// Groups along k that are made of rows of B where they are: with a cache of eight ways four rows at a time for one row of A, 12 for three, and those that
// follow are asked for, each where it ends at the latest.
// CHECK: #[[$AHEAD:.*]] = affine_map<()[s0] -> ((s0 floordiv 4) * 4 + 16, 2047)>
// CHECK-LABEL: func.func @one_row_of_groups
// CHECK-SAME: (%{{.*}}: tensor<1x2048xi8>, %[[B:.*]]: tensor<2048x1024xi8>
// CHECK: %[[STEPS:.*]] = arith.constant 4 : index
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEPS]]
// CHECK: %[[ROW:.*]] = affine.min #[[$AHEAD]]
// CHECK: memref.prefetch %[[BUFFER]][%[[ROW]], %{{.*}}], read
// CHECK-COUNT-3: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: return
// WAYS-LABEL: func.func @one_row_of_groups
// WAYS-NOT: memref.prefetch
// WAYS: return
func.func @one_row_of_groups(%a: tensor<1x2048xi8>, %b: tensor<2048x1024xi8>, %i: tensor<1x1024xi32>) -> tensor<1x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<1x2048xi8>, tensor<2048x1024xi8>) outs(%i : tensor<1x1024xi32>) -> tensor<1x1024xi32>
  return %c : tensor<1x1024xi32>
}
// CHECK-LABEL: func.func @three_rows_of_groups
// CHECK: %[[STEPS:.*]] = arith.constant 12 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEPS]]
// CHECK: memref.prefetch
func.func @three_rows_of_groups(%a: tensor<3x2048xi8>, %b: tensor<2048x1024xi8>, %i: tensor<3x1024xi32>) -> tensor<3x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<3x2048xi8>, tensor<2048x1024xi8>) outs(%i : tensor<3x1024xi32>) -> tensor<3x1024xi32>
  return %c : tensor<3x1024xi32>
}

// -----

// Several register tiles read rows of B where they are, too, 32 of them at a time in parts of four registers.
// CHECK: #[[$NEXT:.*]] = affine_map<()[s0, s1] -> (1023, s0 + s1 + 32)>
// CHECK-LABEL: func.func @several_tiles
// CHECK-SAME: (%{{.*}}: tensor<32x1024xf32>, %[[B:.*]]: tensor<1024x1024xf32>
// CHECK-COUNT-4: vector.transfer_read %[[B]]{{.*}} vector<16xf32>
// CHECK: affine.min #[[$NEXT]]
// CHECK: memref.prefetch
// CHECK-COUNT-24: vector.fma
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

// -----

// Of rows whose number is not known, one, up to 2, 4, 6 and 8 (one register tile), up to 128 (as many as are worth it), up to 256 (in columns, for threads) and
// more have blocks of their own: B is packed for many alone. All write to the same tensor.
// CHECK-LABEL: func.func @any_rows
// CHECK-SAME: (%[[A:.*]]: tensor<?x1024xf32>, %[[B:.*]]: tensor<1024x1024xf32>, %[[C:.*]]: tensor<?x1024xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[A]]
// CHECK: %[[LESS:.*]] = arith.subi %[[M]], %c1
// CHECK: %[[ONE:.*]] = arith.cmpi ult, %[[LESS]], %c1
// CHECK: scf.if %[[ONE]] -> (tensor<?x1024xf32>)
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c2 :
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c4 :
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c6 :
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c8 :
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c128
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: vector.transfer_read %[[B]]
// CHECK: memref.prefetch
// CHECK: } else {
// CHECK: arith.cmpi ult, %{{.*}}, %c256
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>
// CHECK: parallel_grain
// CHECK: } else {
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @any_rows(%a: tensor<?x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}
// So has a small B, whose packing would take longer than all else for up to 31 rows. From 32 on they are blocks of columns, each of which packs what it
// multiplies, with A as it lies.
// CHECK-LABEL: func.func @any_rows_small
// CHECK: arith.cmpi ult, %{{.*}}, %c1 :
// CHECK: arith.cmpi ult, %{{.*}}, %c8 :
// CHECK: arith.cmpi ult, %{{.*}}, %c31 :
// CHECK: arith.cmpi ult, %{{.*}}, %c256 :
// CHECK: arith.cmpi uge, %{{.*}}, %c32 :
// CHECK: bufferization.alloc_tensor() : tensor<1x256x32xf32>
// CHECK: bufferization.alloc_tensor() : tensor<1x8x32xf32>
// CHECK-NOT: cmpi ult, %{{[a-z0-9_]+}}, %c
// CHECK: return
func.func @any_rows_small(%a: tensor<?x256xf32>, %b: tensor<256x256xf32>, %c: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x256xf32>) outs(%c : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %r : tensor<?x256xf32>
}
// Weights are packed once. Tiles of one row, of four and of eight in blocks of columns, and those of many in blocks of rows read these panels, whose width leaves
// room for eight rows.
// CHECK-LABEL: func.func @any_rows_weight
// CHECK: %[[PANELS:.*]] = scf.for {{.*}} -> (tensor<22x1024x48xf32>)
// CHECK: arith.cmpi ult, %{{.*}}, %c1
// CHECK: tensor.extract_slice %[[PANELS]]
// CHECK: arith.cmpi ult, %{{.*}}, %c4
// CHECK: tensor.extract_slice %[[PANELS]]
// CHECK: arith.cmpi ult, %{{.*}}, %c256
// CHECK: tensor.extract_slice %[[PANELS]]
// CHECK: parallel_grain
// CHECK: } else {
// CHECK-NOT: cmpi ult, %{{[a-z0-9_]+}}, %c
// CHECK: vector.transfer_read %[[PANELS]]
// CHECK: return
func.func @any_rows_weight(%a: tensor<?x1024xf32>, %b: tensor<1024x1024xf32> {amp.weight}, %c: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}
// So are those of one row of i8, for which no group is made when it runs.
// CHECK-LABEL: func.func @row_weight
// CHECK: %[[PANELS:.*]] = scf.for {{.*}} -> (tensor<{{[0-9]+}}x256x{{[0-9]+}}xi8>)
// CHECK: vector.transfer_read %{{.*}} : tensor<{{[0-9?]+}}x256x{{[0-9]+}}xi8>, vector<64xi8>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @row_weight(%a: tensor<1x1024xi8>, %b: tensor<1024x1024xi8> {amp.weight}, %c: tensor<1x1024xi32>) -> tensor<1x1024xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x1024xi8>, tensor<1024x1024xi8>) outs(%c : tensor<1x1024xi32>) -> tensor<1x1024xi32>
  return %r : tensor<1x1024xi32>
}
// Eight rows of f32 do as well, but with 16 registers, whose panels would be too narrow for that.
// CHECK-LABEL: func.func @rows_weight
// CHECK: scf.for {{.*}} -> (tensor<{{[0-9]+}}x1024x{{[0-9]+}}xf32>)
// NARROW-LABEL: func.func @rows_weight
// NARROW-SAME: %[[B:[a-z0-9]+]]: tensor<1024x1024xf32>
// NARROW-NOT: x1024x{{[0-9]+}}xf32>
// NARROW: vector.transfer_read %[[B]]
// NARROW: return
func.func @rows_weight(%a: tensor<8x1024xf32>, %b: tensor<1024x1024xf32> {amp.weight}, %c: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %r : tensor<8x1024xf32>
}
// Where results are new, the ways have a buffer in common, not a tensor: bufferization would compare all that they read and write.
// CHECK-LABEL: func.func @any_rows_new
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer
// CHECK: scf.if %{{.*}} {
// CHECK: %[[MINE:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK: %[[DONE:.*]] = scf.for {{.*}} = %[[MINE]])
// CHECK: bufferization.materialize_in_destination %[[DONE]] in restrict writable %[[BUFFER]]
// CHECK: } else {
// CHECK-COUNT-7: materialize_in_destination
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK-NEXT: return %[[RESULT]]
func.func @any_rows_new(%a: tensor<?x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x1024xf32>
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}
// Those of a batch have two: for one row, as attention to what came before has it, and for others.
// CHECK-LABEL: func.func @any_rows_batch
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: } else {
// CHECK-NOT: cmpi ult, %{{[a-z0-9_]+}}, %c
// CHECK: return
func.func @any_rows_batch(%a: tensor<3x?x1024xf32>, %b: tensor<3x1024x1024xf32>, %c: tensor<3x?x1024xf32>) -> tensor<3x?x1024xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x?x1024xf32>, tensor<3x1024x1024xf32>) outs(%c : tensor<3x?x1024xf32>) -> tensor<3x?x1024xf32>
  return %r : tensor<3x?x1024xf32>
}

// -----

// Where a register has fewer lanes than columns are multiplied at once, a tile has as many registers as hold them.
// NEON-LABEL: func.func @more_columns_than_lanes
// NEON: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x2x8xf32>
// NEON-COUNT-16: vector.fma
// NEON-NOT: vector.fma
// NEON: scf.yield
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @more_columns_than_lanes(%a: tensor<2x1024xf32>, %b: tensor<512x1024xf32>, %i: tensor<2x512xf32>) -> tensor<2x512xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<2x1024xf32>, tensor<512x1024xf32>) outs(%i : tensor<2x512xf32>) -> tensor<2x512xf32>
  return %c : tensor<2x512xf32>
}

// -----

// One row by a transposed B that no cache holds: eight rows of B at a time, asked for ahead.
// CHECK-LABEL: func.func @one_row_transposed
// CHECK: memref.prefetch
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
func.func @one_row_transposed(%a: tensor<4096xf32>, %b: tensor<4096x4096xf32>, %i: tensor<4096xf32>) -> tensor<4096xf32> {
  %c = linalg.matvec ins(%b, %a : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%i : tensor<4096xf32>) -> tensor<4096xf32>
  return %c : tensor<4096xf32>
}

// -----

// One row or two take no tile registers, for which strips of B would be packed: of bf16 multiply-adds of f32, which are faster than the instruction for groups there.
// WAYS-LABEL: func.func @row_beside_tiles
// WAYS-NOT: {{vector.contract|x86vector}}
// WAYS-COUNT-8: vector.fma
// WAYS-NOT: {{vector.contract|x86vector}}
// WAYS: return
func.func @row_beside_tiles(%a: tensor<1x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1x1024xbf16>, tensor<1024x1024xbf16>) outs(%f : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %c : tensor<1x1024xf32>
}
// Also where rows are counted when the program runs: more of them take tiles of 8 rows, of 16 and two of those.
// WAYS-LABEL: func.func @any_rows_beside_tiles
// WAYS: arith.cmpi ult, %{{.*}}, %c1
// WAYS: vector.fma
// WAYS: arith.cmpi ult, %{{.*}}, %c8
// WAYS-NOT: vector.contract
// WAYS: vector.shuffle
// WAYS: vector.contract {{.*}} into vector<8x16xf32>
// WAYS: arith.cmpi ult, %{{.*}}, %c16
// WAYS-NOT: vector.interleave
// WAYS: vector.contract {{.*}} into vector<16x16xf32>
// WAYS: arith.cmpi ult, %{{.*}}, %c32
// WAYS-NOT: vector.interleave
// WAYS: vector.contract {{.*}} into vector<16x16xf32>
// WAYS: vector.interleave
// WAYS: vector.contract
// WAYS: return
func.func @any_rows_beside_tiles(%a: tensor<?x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<?x2048xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x2048xbf16>
  %e = tensor.empty(%m) : tensor<?x2048xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x2048xbf16>, tensor<2048x2048xbf16>) outs(%f : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  return %c : tensor<?x2048xf32>
}

// -----

// Autocast's casts are done on the way to registers: rows of B are rounded where they are read, and interleaved.
// DOT-LABEL: func.func @rounded_row
// DOT-SAME: (%{{.*}}: tensor<1x1024xf32>, %[[B:.*]]: tensor<1024x1024xf32>
// DOT: %[[EVEN:.*]] = vector.transfer_read %[[B]]{{.*}} vector<32xf32>
// DOT: %[[X:.*]] = arith.truncf %[[EVEN]] : vector<32xf32> to vector<32xbf16>
// DOT: %[[ODD:.*]] = vector.transfer_read %[[B]]{{.*}} vector<32xf32>
// DOT: %[[Y:.*]] = arith.truncf %[[ODD]]
// DOT: vector.shuffle %[[X]], %[[Y]] [0, 32, 1, 33,
// DOT: x86vector.avx512.dot
// DOT: return
func.func @rounded_row(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1x1024xf32> {
  %z = arith.constant 0.0 : f32
  %an = arith.truncf %a : tensor<1x1024xf32> to tensor<1x1024xbf16>
  %bn = arith.truncf %b : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
  %e = tensor.empty() : tensor<1x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  %c = linalg.matmul ins(%an, %bn : tensor<1x1024xbf16>, tensor<1024x1024xbf16>) outs(%f : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %c : tensor<1x1024xf32>
}
