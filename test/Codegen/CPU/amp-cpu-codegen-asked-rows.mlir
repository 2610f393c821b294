// Processors of AMD are asked for rows of a B that no cache holds. Where their first cache has twelve ways, so many rows are read and asked for at a time as these hold.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver5 no-scalar-fallback}))' | FileCheck %s
// Others of twelve ways ask for enough by themselves.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver5 features=-sse4a no-scalar-fallback}))' | FileCheck %s --check-prefix=ALONE

// CHECK: #[[$THREE:.*]] = affine_map<()[s0] -> (3, s0)>

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Rows of 8 KiB all start in the same set of the cache. Two rows of A leave the processor time to ask, where each row of B is read by an instruction of its own. The last block is apart.
// CHECK-LABEL: func.func @pairs_2
// CHECK: scf.for {{.*}} = %c0 to %c4092 step %c12
// CHECK-COUNT-12: vector.transfer_read %{{.*}} : tensor<4096x4096xbf16>, vector<32xbf16>
// CHECK-NOT: memref.prefetch
// CHECK: return
// ALONE-LABEL: func.func @pairs_2
// ALONE: scf.for {{.*}} = %c0 to %c4080 step %c16
// ALONE-NOT: memref.prefetch
// ALONE: return
func.func @pairs_2(%a: tensor<2x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<2x4096xf32>) -> tensor<2x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<2x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  return %c : tensor<2x4096xf32>
}
// The next rows are asked for when the sums of a tile are stored.
// CHECK-LABEL: func.func @pairs_8
// CHECK: scf.for {{.*}} = %c0 to %c4092 step %c12
// CHECK: scf.for {{.*}} = %c0 to %c6 step %c1
// CHECK: x86vector.avx512.dot
// CHECK: vector.transfer_write
// CHECK: scf.for {{.*}} = %c0 to %c12 step %c1 {
// CHECK-NOT: vector
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xbf16
// ALONE-LABEL: func.func @pairs_8
// ALONE: scf.for {{.*}} = %c0 to %c4064 step %c32
// ALONE-NOT: memref.prefetch
// ALONE: return
func.func @pairs_8(%a: tensor<8x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<8x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  return %c : tensor<8x4096xf32>
}
// These start in many sets.
// CHECK-LABEL: func.func @pairs_8_of_many_sets
// CHECK: scf.for {{.*}} = %c0 to %c4064 step %c32
// CHECK: memref.prefetch {{.*}} : memref<4096x11008xbf16
func.func @pairs_8_of_many_sets(%a: tensor<8x4096xbf16>, %b: tensor<4096x11008xbf16>, %i: tensor<8x11008xf32>) -> tensor<8x11008xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<8x4096xbf16>, tensor<4096x11008xbf16>) outs(%i : tensor<8x11008xf32>) -> tensor<8x11008xf32>
  return %c : tensor<8x11008xf32>
}
// The last cache holds these.
// CHECK-LABEL: func.func @pairs_8_near
// CHECK: scf.for {{.*}} = %c0 to %c3968 step %c32
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @pairs_8_near(%a: tensor<8x4000xbf16>, %b: tensor<4000x1000xbf16>, %i: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<8x4000xbf16>, tensor<4000x1000xbf16>) outs(%i : tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %c : tensor<8x1000xf32>
}

// More rows than a register tile has: B stays where it is, of any size.
// CHECK-LABEL: func.func @pairs_32
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xbf16
// ALONE-LABEL: func.func @pairs_32
// ALONE-NOT: memref.prefetch
// ALONE: return
func.func @pairs_32(%a: tensor<32x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<32x4096xf32>) -> tensor<32x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<32x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<32x4096xf32>) -> tensor<32x4096xf32>
  return %c : tensor<32x4096xf32>
}
// CHECK-LABEL: func.func @pairs_32_near
// CHECK: memref.prefetch {{.*}} : memref<4000x1000xbf16
func.func @pairs_32_near(%a: tensor<32x4000xbf16>, %b: tensor<4000x1000xbf16>, %i: tensor<32x1000xf32>) -> tensor<32x1000xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<32x4000xbf16>, tensor<4000x1000xbf16>) outs(%i : tensor<32x1000xf32>) -> tensor<32x1000xf32>
  return %c : tensor<32x1000xf32>
}
// Of a small B there are as many as half of that; tiles have four rows, or three where fewer are past the end.
// CHECK-LABEL: func.func @pairs_64_small
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x32x128xbf16>
// CHECK: scf.for {{.*}} -> (tensor<16x4x64xbf16>)
// CHECK: return
func.func @pairs_64_small(%a: tensor<64x256xbf16>, %b: tensor<256x256xbf16>, %i: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<64x256xbf16>, tensor<256x256xbf16>) outs(%i : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}
// CHECK-LABEL: func.func @pairs_21_small
// CHECK: scf.for {{.*}} -> (tensor<7x3x{{[0-9]+}}xbf16>)
// CHECK: return
func.func @pairs_21_small(%a: tensor<21x256xbf16>, %b: tensor<256x256xbf16>, %i: tensor<21x256xf32>) -> tensor<21x256xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<21x256xbf16>, tensor<256x256xbf16>) outs(%i : tensor<21x256xf32>) -> tensor<21x256xf32>
  return %c : tensor<21x256xf32>
}
// CHECK-LABEL: func.func @pairs_65_small
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x128x{{[0-9]+}}xbf16>
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @pairs_65_small(%a: tensor<65x256xbf16>, %b: tensor<256x256xbf16>, %i: tensor<65x256xf32>) -> tensor<65x256xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<65x256xbf16>, tensor<256x256xbf16>) outs(%i : tensor<65x256xf32>) -> tensor<65x256xf32>
  return %c : tensor<65x256xf32>
}

// CHECK-LABEL: func.func @fours_2
// CHECK: scf.for {{.*}} = %c0 to %c4088 step %c8
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @fours_2(%a: tensor<2x4096xi8>, %b: tensor<4096x4096xi8>, %i: tensor<2x4096xi32>) -> tensor<2x4096xi32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<2x4096xi8>, tensor<4096x4096xi8>) outs(%i : tensor<2x4096xi32>) -> tensor<2x4096xi32>
  return %c : tensor<2x4096xi32>
}
// CHECK-LABEL: func.func @fours_6
// CHECK: scf.for {{.*}} = %c0 to %c4080 step %c16
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xi8
func.func @fours_6(%a: tensor<6x4096xi8>, %b: tensor<4096x4096xi8>, %i: tensor<6x4096xi32>) -> tensor<6x4096xi32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<6x4096xi8>, tensor<4096x4096xi8>) outs(%i : tensor<6x4096xi32>) -> tensor<6x4096xi32>
  return %c : tensor<6x4096xi32>
}

// One row of f32 is read without asking, a few one line of each row of B at a time.
// CHECK-LABEL: func.func @f32_1
// CHECK: scf.for {{.*}} = %c0 to %c4088 step %c8
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @f32_1(%a: tensor<1x4096xf32>, %b: tensor<4096x4096xf32>, %i: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x4096xf32>, tensor<4096x4096xf32>) outs(%i : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  return %c : tensor<1x4096xf32>
}
// CHECK-LABEL: func.func @f32_4
// CHECK: bufferization.alloc_tensor() : tensor<64x4x16xf32>
// CHECK: scf.for {{.*}} = %c0 to %c4095 step %c3
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xf32
// ALONE-LABEL: func.func @f32_4
// ALONE: bufferization.alloc_tensor() : tensor<16x4x64xf32>
// ALONE: scf.for {{.*}} = %c0 to %c4080 step %c16
// ALONE-NOT: memref.prefetch
// ALONE: return
func.func @f32_4(%a: tensor<4x4096xf32>, %b: tensor<4096x4096xf32>, %i: tensor<4x4096xf32>) -> tensor<4x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<4x4096xf32>, tensor<4096x4096xf32>) outs(%i : tensor<4x4096xf32>) -> tensor<4x4096xf32>
  return %c : tensor<4x4096xf32>
}

// Of rows of unknown length, LLVM does not see which are read together: it would find each address by the one before it.
// CHECK-LABEL: func.func @pairs_dynamic
// CHECK: %[[THREE:.*]] = affine.min #[[$THREE]]()[%{{.*}}]
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c12
// CHECK: affine.apply #{{.*}}()[%[[K]], %[[THREE]]]
// CHECK-COUNT-12: vector.transfer_read %{{.*}} : tensor<?x?xbf16>, vector<32xbf16>
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @pairs_dynamic(%a: tensor<1x?xbf16>, %b: tensor<?x?xbf16>, %i: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x?xbf16>, tensor<?x?xbf16>) outs(%i : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %c : tensor<1x?xf32>
}

// Up to 4 and up to 8 rows of an unknown number are one register tile, and have no loops over rows: the first one is over more of them.
// CHECK-LABEL: func.func @rows_unknown
// CHECK: arith.cmpi ult, {{.*}}, %c4
// CHECK-NOT: to %dim step
// CHECK: arith.cmpi ult, {{.*}}, %c8
// CHECK-NOT: to %dim step
// CHECK: arith.cmpi ult, {{.*}}, %c128
// CHECK: scf.for {{.*}} = %c0 to %dim step
func.func @rows_unknown(%a: tensor<?x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %c : tensor<?x4096xf32>
}

// By a transposed B: rows of A are packed where they and columns of B are more than the cache has ways.
// CHECK-LABEL: func.func @transposed_8
// CHECK-NOT: tensor<1x8x
// CHECK: scf.for {{.*}} step %c2048
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xbf16
// ALONE-LABEL: func.func @transposed_8
// ALONE-NOT: memref.prefetch
// ALONE: return
func.func @transposed_8(%a: tensor<8x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<8x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  return %c : tensor<8x4096xf32>
}
// CHECK-LABEL: func.func @transposed_12
// CHECK: bufferization.alloc_tensor() : tensor<1x12x2048xbf16>
// CHECK: memref.prefetch {{.*}} : memref<4096x4096xbf16
func.func @transposed_12(%a: tensor<12x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<12x4096xf32>) -> tensor<12x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<12x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<12x4096xf32>) -> tensor<12x4096xf32>
  return %c : tensor<12x4096xf32>
}
// CHECK-LABEL: func.func @transposed_8_near
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @transposed_8_near(%a: tensor<8x1024xbf16>, %b: tensor<1024x1024xbf16>, %i: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<8x1024xbf16>, tensor<1024x1024xbf16>) outs(%i : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %c : tensor<8x1024xf32>
}

// Of unknown size, B is read as one that no cache holds; 3 to 6 rows of f32 ask whether a cache holds it.
// CHECK-LABEL: func.func @any_size
// CHECK: %[[ROWS:.*]] = tensor.dim %{{.*}}, %c0 : tensor<?x?xf32>
// CHECK: %[[COUNT:.*]] = arith.subi %[[ROWS]], %c1 : index
// CHECK: arith.cmpi ult, %[[COUNT]], %c2 : index
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %[[COUNT]], %c4 : index
// CHECK: %[[NEAR:.*]] = arith.cmpi ult, %{{.*}}, %c6291456 : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[NEAR]] : i1
// CHECK: scf.if %[[BOTH]]
// CHECK: } else {
// CHECK: scf.if %[[FEW]]
// CHECK: return
// ALONE-LABEL: func.func @any_size
// ALONE-NOT: %c6291456
// ALONE: return
func.func @any_size(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %i: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
