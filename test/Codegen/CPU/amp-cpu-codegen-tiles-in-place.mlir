// Where tile registers multiply a few rows, they read B where it is.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids no-scalar-fallback}))' | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// A transposed B has columns as rows of tiles. A alone is packed, transposed in registers, and so are sums, which are as many as there are rows.
// CHECK-LABEL: func.func @dots
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<5x320xbf16>, %[[B:[a-z0-9]+]]: tensor<512x320xbf16>
// CHECK-COUNT-5: vector.transfer_read %[[A]][{{.*}}vector<32xbf16>
// CHECK-NOT: vector.transfer_read %[[A]]
// CHECK: %[[TILES:.*]] = scf.for {{.*}} = %c0 to %c10 step %c1 iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<16x16xf32>)
// CHECK: %[[COLUMNS:.*]] = vector.transfer_read %[[B]][{{.*}}vector<16x32xbf16>
// CHECK: %[[X:.*]] = vector.shape_cast %[[COLUMNS]]
// CHECK: vector.contract {{.*}} %[[X]], %{{.*}}, %[[SUM]]
// CHECK: vector.transfer_write %[[TILES]]
// CHECK-COUNT-5: vector.transfer_write %{{.*}} : vector<16xf32>, tensor<1x16x16xf32>
// CHECK-NOT: vector.transfer_write %{{.*}} : vector<16xf32>, tensor<1x16x16xf32>
// CHECK: return
func.func @dots(%a: tensor<5x320xbf16>, %b: tensor<512x320xbf16>) -> tensor<5x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x512xf32>) -> tensor<5x512xf32>
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<5x320xbf16>, tensor<512x320xbf16>) outs(%f : tensor<5x512xf32>) -> tensor<5x512xf32>
  return %0 : tensor<5x512xf32>
}

// The last columns and steps are copied first. Signs belong to operands, which are swapped.
// CHECK-LABEL: func.func @dots_with_rest
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<30x200xi8>, %[[B:[a-z0-9]+]]: tensor<100x200xi8>
// CHECK: scf.if
// CHECK: scf.for {{.*}} = %c0 to %c3 step
// CHECK: vector.transfer_read %[[B]][{{.*}}vector<16x64xi8>
// CHECK: arith.extsi
// CHECK: arith.extui
// CHECK-COUNT-16: vector.transfer_read %[[B]][{{.*}}, vector<64xi8>
// CHECK: vector.transfer_read %{{.*}} : tensor<16x64xi8>, vector<16x64xi8>
// CHECK: } else {
// CHECK-NOT: vector.transfer_read %[[B]][{{.*}}vector<16x64xi8>
// CHECK: return
func.func @dots_with_rest(%a: tensor<30x200xi8>, %b: tensor<100x200xi8>, %c: tensor<30x100xi32>) -> tensor<30x100xi32> {
  %0 = linalg.generic {indexing_maps = [#a, #t, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<30x200xi8>, tensor<100x200xi8>) outs(%c : tensor<30x100xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<30x100xi32>
  return %0 : tensor<30x100xi32>
}

// More than 64 rows take two tiles of A by two of B. Threads divide columns: each reads its part of B once.
// CHECK-LABEL: func.func @many_dots
// CHECK: scf.for {{.*}} = %c0 to %c1024 step %c128
// CHECK: scf.for {{.*}} -> (vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>, vector<16x16xf32>)
// CHECK-COUNT-4: vector.contract
// CHECK: parallel_grain
func.func @many_dots(%a: tensor<128x1024xbf16>, %b: tensor<1024x1024xbf16>, %c: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<128x1024xbf16>, tensor<1024x1024xbf16>) outs(%c : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  return %0 : tensor<128x1024xf32>
}

// Of i8 with as many rows, and k of less than 2048, the packed way is better, and one row is multiplied in vectors; so is what is smaller than 128 x 128, and a B that is converted is packed.
// CHECK-LABEL: func.func @many_i8
// CHECK-NOT: vector.transfer_read %{{.*}} : tensor<1024x512xi8>, vector<16x64xi8>
// CHECK-LABEL: func.func @one
// CHECK-NOT: vector.contract
// CHECK-LABEL: func.func @small
// CHECK-NOT: vector.contract
// CHECK-LABEL: func.func @cast
// CHECK-NOT: vector.transfer_read %{{.*}} : tensor<512x320xf32>, vector<16x
// CHECK-LABEL: func.func @strips
func.func @many_i8(%a: tensor<128x512xi8>, %b: tensor<1024x512xi8>, %c: tensor<128x1024xi32>) -> tensor<128x1024xi32> {
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<128x512xi8>, tensor<1024x512xi8>) outs(%c : tensor<128x1024xi32>) -> tensor<128x1024xi32>
  return %0 : tensor<128x1024xi32>
}
func.func @one(%a: tensor<1x1024xbf16>, %b: tensor<512x1024xbf16>, %c: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<1x1024xbf16>, tensor<512x1024xbf16>) outs(%c : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %0 : tensor<1x512xf32>
}
func.func @small(%a: tensor<4x128xbf16>, %b: tensor<100x128xbf16>, %c: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x128xbf16>, tensor<100x128xbf16>) outs(%c : tensor<4x100xf32>) -> tensor<4x100xf32>
  return %0 : tensor<4x100xf32>
}
func.func @cast(%a: tensor<16x320xbf16>, %b: tensor<512x320xf32>, %c: tensor<16x512xf32>) -> tensor<16x512xf32> {
  %bn = arith.truncf %b : tensor<512x320xf32> to tensor<512x320xbf16>
  %0 = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %bn : tensor<16x320xbf16>, tensor<512x320xbf16>) outs(%c : tensor<16x512xf32>) -> tensor<16x512xf32>
  return %0 : tensor<16x512xf32>
}

// Contiguous rows of B: strips of 32 of them, two panels of 32 columns, one panel after the other. Up to 8 rows are a tile of as many; groups of two rows are made by two shuffles.
// Threads have half of the columns each, which are one block on one thread.
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<6x1000xbf16>, %[[B:[a-z0-9]+]]: tensor<1000x4096xbf16>
// CHECK: scf.for {{.*}} = %c0 to %c4096 step %c2048
// CHECK: scf.for {{.*}} = %c0 to %c1000 step %c32
// CHECK: scf.for {{.*}} step %c2 iter_args
// CHECK: scf.for {{.*}} -> (tensor<2x16x64xbf16>)
// CHECK: scf.for {{.*}} -> (tensor<2x16x64xbf16>)
// CHECK-COUNT-2: vector.transfer_read %[[B]][{{.*}}vector<32xbf16>
// CHECK-COUNT-2: vector.shuffle
// Steps past the end are zeros.
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<32xbf16>
// CHECK: vector.transfer_read %{{.*}} : tensor<1x8x32xbf16>, vector<8x32xbf16>
// CHECK: vector.contract {{.*}} into vector<8x16xf32>
// CHECK: } {joined,
func.func @strips(%a: tensor<6x1000xbf16>, %b: tensor<1000x4096xbf16>, %c: tensor<6x4096xf32>) -> tensor<6x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<6x1000xbf16>, tensor<1000x4096xbf16>) outs(%c : tensor<6x4096xf32>) -> tensor<6x4096xf32>
  return %0 : tensor<6x4096xf32>
}
