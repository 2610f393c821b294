// Before AVX-512, rows of a transposed B that are read several at a time, and of which more than one is in a page, are asked for as they lie in memory, two pages ahead.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver3 no-scalar-fallback}))' | FileCheck %s
// Others ask for the same part of the next rows, or for none.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4 no-scalar-fallback}))' | FileCheck %s --check-prefix=MASKS

// MASKS-NOT: affine_map<()[s0] -> (s0 * {{3|8}} + {{8192|4096|2048}})>
// CHECK-DAG: #[[$BYTES:.*]] = affine_map<()[s0] -> (s0 * 3 + 8192)>
// CHECK-DAG: #[[$WORDS:.*]] = affine_map<()[s0] -> (s0 * 8 + 4096)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<()[s0] -> (s0 * 8 + 4192)>
// CHECK-DAG: #[[$FLOATS:.*]] = affine_map<()[s0] -> (s0 * 3 + 2048)>

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// A step of k reads 48 bytes of three rows.
// CHECK-LABEL: func.func @i8_4
// CHECK: scf.for {{.*}} step %c3 iter_args
// CHECK: %[[FIRST:.*]] = affine.apply {{.*}}[%{{.*}}, %{{.*}}, %{{.*}}]
// CHECK-NEXT: scf.for %[[K:.*]] = %c0 to %c768 step %c16
// CHECK: %[[AT:.*]] = affine.apply #[[$BYTES]]()[%[[K]]]
// CHECK-NEXT: memref.prefetch %{{.*}}[%[[FIRST]], %[[AT]]], read, locality<2>
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @i8_4(%a: tensor<4x768xi8>, %b: tensor<50257x768xi8>, %i: tensor<4x50257xi32>) -> tensor<4x50257xi32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x768xi8>, tensor<50257x768xi8>) outs(%i : tensor<4x50257xi32>) -> tensor<4x50257xi32>
  return %c : tensor<4x50257xi32>
}
// One row of A uses each register of B once, and takes eight rows of it: four lines in a step.
// CHECK-LABEL: func.func @bf16_1
// CHECK: scf.for {{.*}} step %c8 iter_args
// CHECK: scf.for %[[K:.*]] = %c0 to %c768 step %c16
// CHECK: affine.apply #[[$WORDS]]()[%[[K]]]
// CHECK-COUNT-3: memref.prefetch
// CHECK: affine.apply #[[$LAST]]()[%[[K]]]
// CHECK-NEXT: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @bf16_1(%a: tensor<1x768xbf16>, %b: tensor<50257x768xbf16>, %i: tensor<1x50257xf32>) -> tensor<1x50257xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<1x768xbf16>, tensor<50257x768xbf16>) outs(%i : tensor<1x50257xf32>) -> tensor<1x50257xf32>
  return %c : tensor<1x50257xf32>
}
// CHECK-LABEL: func.func @f32_4
// CHECK: affine.apply #[[$FLOATS]]()
// CHECK-NEXT: memref.prefetch
// CHECK: return
func.func @f32_4(%a: tensor<4x768xf32>, %b: tensor<50257x768xf32>, %i: tensor<4x50257xf32>) -> tensor<4x50257xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x768xf32>, tensor<50257x768xf32>) outs(%i : tensor<4x50257xf32>) -> tensor<4x50257xf32>
  return %c : tensor<4x50257xf32>
}
// One row of A leaves the processor time to ask, but for short rows of narrow elements; what fills a page is in no other's, and a cache holds what is small.
// CHECK-LABEL: func.func @f32_1
// CHECK: scf.for {{.*}} step %c8 iter_args
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @i8_1_page
// CHECK-COUNT-8: vector.transfer_read %{{.*}} : tensor<4096x4096xi8>, vector<16xi8>
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @bf16_4_pages
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @bf16_4_near
// CHECK-NOT: memref.prefetch
// CHECK-LABEL: func.func @bf16_4_unknown
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @f32_1(%a: tensor<1x768xf32>, %b: tensor<50257x768xf32>, %i: tensor<1x50257xf32>) -> tensor<1x50257xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<1x768xf32>, tensor<50257x768xf32>) outs(%i : tensor<1x50257xf32>) -> tensor<1x50257xf32>
  return %c : tensor<1x50257xf32>
}
func.func @i8_1_page(%a: tensor<1x4096xi8>, %b: tensor<4096x4096xi8>, %i: tensor<1x4096xi32>) -> tensor<1x4096xi32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<1x4096xi8>, tensor<4096x4096xi8>) outs(%i : tensor<1x4096xi32>) -> tensor<1x4096xi32>
  return %c : tensor<1x4096xi32>
}
func.func @bf16_4_pages(%a: tensor<4x4096xbf16>, %b: tensor<4096x4096xbf16>, %i: tensor<4x4096xf32>) -> tensor<4x4096xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x4096xbf16>, tensor<4096x4096xbf16>) outs(%i : tensor<4x4096xf32>) -> tensor<4x4096xf32>
  return %c : tensor<4x4096xf32>
}
func.func @bf16_4_near(%a: tensor<4x768xbf16>, %b: tensor<1000x768xbf16>, %i: tensor<4x1000xf32>) -> tensor<4x1000xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x768xbf16>, tensor<1000x768xbf16>) outs(%i : tensor<4x1000xf32>) -> tensor<4x1000xf32>
  return %c : tensor<4x1000xf32>
}
// Not seen where k is counted when the program runs.
func.func @bf16_4_unknown(%a: tensor<4x?xbf16>, %b: tensor<50257x?xbf16>, %i: tensor<4x50257xf32>) -> tensor<4x50257xf32> {
  %c = linalg.matmul indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x?xbf16>, tensor<50257x?xbf16>) outs(%i : tensor<4x50257xf32>) -> tensor<4x50257xf32>
  return %c : tensor<4x50257xf32>
}

// Few rows of i8 by a B that is not transposed: pages of its rows at a time, as many parts for each of two threads, half of that for more rows.
// CHECK-LABEL: func.func @parts_1
// CHECK: scf.for {{.*}} = %c0 to %c11008 step %c5504
// CHECK-LABEL: func.func @parts_6
// CHECK: scf.for {{.*}} = %c0 to %c11008 step %c1840
func.func @parts_1(%a: tensor<1x4096xi8>, %b: tensor<4096x11008xi8>, %i: tensor<1x11008xi32>) -> tensor<1x11008xi32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x4096xi8>, tensor<4096x11008xi8>) outs(%i : tensor<1x11008xi32>) -> tensor<1x11008xi32>
  return %c : tensor<1x11008xi32>
}
func.func @parts_6(%a: tensor<6x4096xi8>, %b: tensor<4096x11008xi8>, %i: tensor<6x11008xi32>) -> tensor<6x11008xi32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<6x4096xi8>, tensor<4096x11008xi8>) outs(%i : tensor<6x11008xi32>) -> tensor<6x11008xi32>
  return %c : tensor<6x11008xi32>
}

// Two threads have half of the columns each, one has all of them at once.
// CHECK-LABEL: func.func @joined
// CHECK: scf.for %[[PART:.*]] = %c0 to %c768 step %c384 iter_args
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[PART]], %c384
// CHECK-NEXT: %[[END:.*]] = arith.minui %[[NEXT]], %c768
// CHECK-NEXT: scf.for %[[J:.*]] = %[[PART]] to %[[END]] step %c768 iter_args
// CHECK-NEXT: %[[REST:.*]] = arith.subi %[[END]], %[[J]]
// CHECK-NEXT: arith.minui %[[REST]], %c768
// CHECK: } {joined, {{.*}}parallel_grain = 1 : i64}
// MASKS-LABEL: func.func @joined
// MASKS-NOT: joined
// MASKS: return
func.func @joined(%a: tensor<1x3072xf32>, %b: tensor<3072x768xf32>, %i: tensor<1x768xf32>) -> tensor<1x768xf32> {
  %c = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x3072xf32>, tensor<3072x768xf32>) outs(%i : tensor<1x768xf32>) -> tensor<1x768xf32>
  return %c : tensor<1x768xf32>
}
