// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=znver4})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=znver4 | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=znver4 | FileCheck %s --check-prefix=ASM

// With masks and a first cache of eight ways, groups along k of a few rows of B are made between products: two tiles multiply one panel of 64 columns and 128 steps
// of k, a quarter of that cache, and each packs a half of the next one, a group for two that it multiplies, and asks for the rows two panels further. The first one
// is packed alone.
// CHECK: #[[$DONE:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 16, 32)>
// CHECK-LABEL: func.func @eight_rows
// CHECK-SAME: (%{{.*}}: tensor<8x1024xi8>, %[[B:.*]]: tensor<1024x1024xi8>
// CHECK: %[[STRIP:.*]] = bufferization.alloc_tensor() : tensor<2x32x256xi8>
// CHECK: scf.for {{.*}} step %c128 iter_args({{.*}} = %[[STRIP]])
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c1 iter_args({{.*}}) -> (tensor<2x32x256xi8>)
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {{.*}}tensor<2x32x256xi8>)
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {{.*}}tensor<2x32x256xi8>)
// CHECK: %[[MADE:.*]]:17 = scf.for %[[ROUND:.*]] = %c0 to %c16 step %c1 {{.*}}tensor<2x32x256xi8>)
// CHECK-COUNT-32: vector.multi_reduction <add>
// CHECK-NOT: vector.multi_reduction
// CHECK-COUNT-4: vector.transfer_read %[[B]]
// CHECK-COUNT-4: vector.transfer_write %{{.*}} : vector<64xi8>, tensor<2x32x256xi8>
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield
// CHECK-NOT: vector.transfer_read %[[B]]
// CHECK: return
// ASM-LABEL: eight_rows_loop_0:
// ASM-NOT: %zmm{{[0-9]+}}, {{[0-9-]*}}(%rsp)
// ASM-COUNT-32: vpdpbusd
// ASM-NOT: vpdpbusd
// ASM: vpunpckhbw
// ASM-COUNT-4: vmovdqu64 %zmm
// ASM: jne
func.func @eight_rows(%a: tensor<8x1024xi8>, %b: tensor<1024x1024xi8>, %i: tensor<8x1024xi32>) -> tensor<8x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<8x1024xi8>, tensor<1024x1024xi8>) outs(%i : tensor<8x1024xi32>) -> tensor<8x1024xi32>
  return %c : tensor<8x1024xi32>
}

// One tile packs all of it. What no cache holds is asked for.
// CHECK-LABEL: func.func @four_rows
// CHECK: bufferization.to_buffer %{{.*}} read_only
// CHECK: :17 = scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK-COUNT-16: vector.multi_reduction <add>
// CHECK-COUNT-4: vector.transfer_write
// CHECK-COUNT-4: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield
func.func @four_rows(%a: tensor<4x2048xi8>, %b: tensor<2048x2048xi8>, %i: tensor<4x2048xi32>) -> tensor<4x2048xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<4x2048xi8>, tensor<2048x2048xi8>) outs(%i : tensor<4x2048xi32>) -> tensor<4x2048xi32>
  return %c : tensor<4x2048xi32>
}

// Of bf16 a panel has 64 steps. Of its 32 groups each of three tiles multiplies 30 while it packs ten and one more, and two alone; as are the last steps and columns.
// CHECK-LABEL: func.func @twelve_rows
// CHECK: alloc_tensor() : tensor<2x32x128xbf16>
// CHECK: :17 = scf.for %{{.*}} = %c0 to %c10 step %c1
// CHECK: %{{.*}}:16 = scf.for %{{.*}} = %c30 to %c32 step %c1
func.func @twelve_rows(%a: tensor<12x1000xbf16>, %b: tensor<1000x1000xbf16>, %i: tensor<12x1000xf32>) -> tensor<12x1000xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<12x1000xbf16>, tensor<1000x1000xbf16>) outs(%i : tensor<12x1000xf32>) -> tensor<12x1000xf32>
  return %c : tensor<12x1000xf32>
}

// The last 24 of 1048 columns are a panel of a pair of registers, as groups of bf16 are interleaved; of i8 in four, which are a whole panel.
// CHECK-LABEL: func.func @last_pair
// CHECK: %{{.*}}:16 = scf.for %{{.*}} = %c30 to %c32 step %c1
// CHECK: %{{.*}}:8 = scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK-NOT: :16 = scf.for %{{.*}} = %c0 to %c32 step
// CHECK: return
func.func @last_pair(%a: tensor<12x1000xbf16>, %b: tensor<1000x1048xbf16>, %i: tensor<12x1048xf32>) -> tensor<12x1048xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<12x1000xbf16>, tensor<1000x1048xbf16>) outs(%i : tensor<12x1048xf32>) -> tensor<12x1048xf32>
  return %c : tensor<12x1048xf32>
}

// CHECK-LABEL: func.func @last_four
// CHECK: :17 = scf.for
// CHECK-NOT: :8 = scf.for
// CHECK: :16 = scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK: return
func.func @last_four(%a: tensor<8x1024xi8>, %b: tensor<1024x1048xi8>, %i: tensor<8x1048xi32>) -> tensor<8x1048xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<8x1024xi8>, tensor<1024x1048xi8>) outs(%i : tensor<8x1048xi32>) -> tensor<8x1048xi32>
  return %c : tensor<8x1048xi32>
}

// Of rows of unknown number two tiles share it, more do not, and what one alone leaves is packed behind it.
// CHECK-LABEL: func.func @rows
// CHECK: alloc_tensor() : tensor<2x32x256xi8>
// CHECK: %[[LEFT:.*]] = affine.min #[[$DONE]]()[%{{.*}}]
// CHECK: %[[SHARES:.*]] = arith.cmpi ult, %{{.*}}, %c2 : index
// CHECK: scf.if %[[SHARES]]
// CHECK: :17 = scf.for %{{.*}} = %c0 to %c16 step %c1
// CHECK: } else {
// CHECK: :16 = scf.for
// CHECK: scf.for %{{.*}} = %[[LEFT]] to %c32 step %c1 iter_args({{.*}}) -> (tensor<2x32x256xi8>)
func.func @rows(%a: tensor<?x1024xi8>, %b: tensor<1024x1024xi8>, %i: tensor<?x1024xi32>) -> tensor<?x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<?x1024xi8>, tensor<1024x1024xi8>) outs(%i : tensor<?x1024xi32>) -> tensor<?x1024xi32>
  return %c : tensor<?x1024xi32>
}
