// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s

// CHECK-DAG: #[[$ABOVE:.*]] = affine_map<()[s0, s1] -> (0, s0 + s1 * 32 - 468)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<()[s0, s1] -> (468, s0 + s1 * 32)>

// Tiles read rows of A where they are, if those begin at lines of the caches when the program runs; else A is packed. Each thread has rows, and packs all of B for them, a half at
// a time (all at once where it packs A, too), each tile of A being multiplied by all of that before the next one.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<512x512xbf16>
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[A]] read_only
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[BUFFER]]
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: arith.remui %[[ADDRESS]], %c64
// CHECK: arith.remui %[[OFFSET]], %c32
// CHECK: arith.remui %[[STRIDES]]#0, %c32
// CHECK: %[[ARE:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: scf.if %[[ARE]] {
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c512 step %c32
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c32
// CHECK: %[[END:.*]] = arith.minui %[[NEXT]], %c512
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c256
// CHECK: bufferization.alloc_tensor() : tensor<8x256x64xbf16>
// CHECK: vector.interleave
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1
// CHECK: scf.for %[[J:.*]] = %c0 to %c8 step %c1
// CHECK: vector.transfer_read %[[A]]{{.*}} : tensor<512x512xbf16>, vector<16x32xbf16>
// CHECK: {joined, {{.*}}parallel_grain = -2
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c32
// CHECK: bufferization.alloc_tensor() : tensor<16x256x64xbf16>
// CHECK: bufferization.alloc_tensor() : tensor<{{[0-9]+}}x32x544xbf16>
// CHECK-NOT: vector.transfer_read %[[A]]{{.*}} : tensor<512x512xbf16>, vector<16x32xbf16>
// CHECK: {joined, {{.*}}parallel_grain = -2
// CHECK: return
func.func @aligned(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%i : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}

// What the function allocates begins there.
// CHECK-LABEL: func.func @own
// CHECK-NOT: scf.if
// CHECK: vector.transfer_read %{{.*}} : tensor<256x128xi8>, vector<16x64xi8>
// CHECK-NOT: scf.if
// CHECK: return
func.func @own(%x: tensor<256x128xi8>, %b: tensor<128x256xi8>) -> tensor<256x256xi32> {
  %z = arith.constant 0 : i32
  %t = tensor.empty() : tensor<256x128xi8>
  %a = linalg.map { arith.addi } ins(%x, %x : tensor<256x128xi8>, tensor<256x128xi8>) outs(%t : tensor<256x128xi8>)
  %e = tensor.empty() : tensor<256x256xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<256x256xi32>) -> tensor<256x256xi32>
  %c = linalg.matmul ins(%a, %b : tensor<256x128xi8>, tensor<128x256xi8>) outs(%i : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %c : tensor<256x256xi32>
}

// A part of it may begin anywhere, as a batch's matrices do.
// CHECK-LABEL: func.func @batch
// CHECK: %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata
// CHECK: arith.remui %[[STRIDES]]#0, %c32
// CHECK: arith.remui %[[STRIDES]]#1, %c32
// CHECK: vector.transfer_read {{.*}} : tensor<8x64x96xbf16>, vector<16x32xbf16>
func.func @batch(%a: tensor<8x64x96xbf16>, %b: tensor<8x96x64xbf16>) -> tensor<8x64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<8x64x96xbf16>, tensor<8x96x64xbf16>) outs(%i : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %c : tensor<8x64x64xf32>
}

// Sizes that are not known are asked for as well: of few rows, or small products, or long rows of an A that half of the second cache holds, threads divide columns, else rows.
// CHECK-LABEL: func.func @any_size
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xbf16>
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK: %[[K:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: arith.cmpi ult, %{{.*}}, %c511
// CHECK: arith.remui %[[K]], %c32
// CHECK: %[[ARE:.*]] = arith.andi
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %[[K]], %c768
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %[[N]], %c512
// CHECK: %[[FEW:.*]] = arith.select %[[NARROW]], %c127, %c256
// CHECK: %[[MOST:.*]] = arith.select %[[LONG]], %c256, %[[FEW]]
// CHECK: %[[SIZE:.*]] = arith.muli %[[M]], %[[K]]
// CHECK: %[[WORK:.*]] = arith.muli %[[SIZE]], %[[N]]
// CHECK: %[[HELD:.*]] = arith.cmpi ule, %[[SIZE]], %c524288
// CHECK: %[[LITTLE:.*]] = arith.cmpi ule, %[[WORK]], %c33554431
// CHECK: %[[SMALL:.*]] = arith.select %[[LONG]], %[[HELD]], %[[LITTLE]]
// CHECK: %[[IS:.*]] = arith.cmpi ule, %[[M]], %[[MOST]]
// CHECK: arith.ori %[[IS]], %[[SMALL]]
// CHECK: vector.transfer_read %[[A]]{{.*}} : tensor<?x?xbf16>, vector<16x32xbf16>
// CHECK: parallel_grain = 1
// CHECK: scf.if %[[ARE]]
// CHECK: vector.transfer_read %[[A]]{{.*}} : tensor<?x?xbf16>, vector<16x32xbf16>
// CHECK: {joined, {{.*}}parallel_grain = -2
func.func @any_size(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The last tiles end with the last row: rows above it that others have as well are not stored again.
// CHECK-LABEL: func.func @odd_rows
// CHECK: scf.if
// CHECK: %[[SHIFT:.*]] = affine.max #[[$ABOVE]]
// CHECK: affine.min #[[$FIRST]]
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: arith.addi %[[ROW]], %[[SHIFT]]
// CHECK: vector.transfer_read {{.*}} : tensor<500x512xbf16>, vector<16x32xbf16>
// CHECK: } else {
func.func @odd_rows(%a: tensor<500x512xbf16>, %b: tensor<512x512xbf16>, %c: tensor<500x512xf32>) -> tensor<500x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<500x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<500x512xf32>) -> tensor<500x512xf32>
  return %0 : tensor<500x512xf32>
}

// What is converted, has a part of a tile at the end of its rows, or has fewer rows than a block of tiles, is packed.
// CHECK-LABEL: func.func @converted
// CHECK-NOT: extract_aligned_pointer_as_index
// CHECK-LABEL: func.func @odd_depth
// CHECK-NOT: extract_aligned_pointer_as_index
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: extract_aligned_pointer_as_index
// CHECK-LABEL: func.func @rows_across
// CHECK-NOT: extract_aligned_pointer_as_index
func.func @converted(%x: tensor<512x512xf32>, %b: tensor<512x512xbf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xbf16>
  %a = linalg.map { arith.truncf } ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xbf16>)
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func @odd_depth(%a: tensor<512x500xbf16>, %b: tensor<500x512xbf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x500xbf16>, tensor<500x512xbf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func @few_rows(%a: tensor<30x512xi8>, %b: tensor<512x64xi8>, %c: tensor<30x64xi32>) -> tensor<30x64xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<30x512xi8>, tensor<512x64xi8>) outs(%c : tensor<30x64xi32>) -> tensor<30x64xi32>
  return %0 : tensor<30x64xi32>
}
func.func @rows_across(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
