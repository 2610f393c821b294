// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=icelake-server})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=icelake-server | FileCheck %s

// A few rows of i8 by weights of i8 as they lie: in the loop, four rows of B are made groups of four by eight instructions, and nothing else is written.
// CHECK-LABEL: one_row_loop_0:
// CHECK: vpxorq {{.*}}%zmm
// CHECK: vpunpcklbw {{.*}}%zmm
// CHECK: vpunpckhbw {{.*}}%zmm
// CHECK-NOT: %xmm
// CHECK-NOT: %ymm
// CHECK-NOT: vmovdq{{.*}}, {{.*}}(%rsp
// CHECK: vpdpbusd %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// CHECK: vpdpbusd %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
func.func @one_row(%a: tensor<1x1024xi8>, %b: tensor<1024x1024xi8>, %i: tensor<1x1024xi32>) -> tensor<1x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<1x1024xi8>, tensor<1024x1024xi8>) outs(%i : tensor<1x1024xi32>) -> tensor<1x1024xi32>
  return %c : tensor<1x1024xi32>
}

// More rows than one register tile has: the groups are made once, in a strip that the first level of caches holds.
// CHECK-LABEL: eight_rows_loop_0:
// CHECK: vpunpckhbw {{.*}}%zmm
// CHECK: vmovdq{{.*}} %zmm{{[0-9]+}}, {{.*}}(%r
// CHECK: vpdpbusd %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// CHECK-NOT: vpunpck{{[lh]}}bw
// CHECK: vpdpbusd %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
func.func @eight_rows(%a: tensor<8x1024xi8>, %b: tensor<1024x1024xi8>, %i: tensor<8x1024xi32>) -> tensor<8x1024xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<8x1024xi8>, tensor<1024x1024xi8>) outs(%i : tensor<8x1024xi32>) -> tensor<8x1024xi32>
  return %c : tensor<8x1024xi32>
}

// Transposed weights of i8: vectors along k of both, nothing of which is packed or widened. The sums of 16 columns over lanes take 30 shuffles, each one
// instruction.
// CHECK-LABEL: transposed_loop_0:
// CHECK-COUNT-24: vshufi64x2 {{.*}}%zmm
// CHECK-COUNT-6: vshufps {{.*}}%zmm
// CHECK-NOT: vphadd
// CHECK: vpxorq {{.*}}%zmm
// CHECK-NOT: vpmov
// CHECK-NOT: vpunpck
// CHECK: vpdpbusd {{.*}}, %zmm{{[0-9]+}}, %zmm
// CHECK: vpdpbusd {{.*}}, %zmm{{[0-9]+}}, %zmm
#a = affine_map<(m, n, k) -> (m, k)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: tensor<4x1024xi8>, %b: tensor<1024x1024xi8>, %i: tensor<4x1024xi32>) -> tensor<4x1024xi32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x1024xi8>, tensor<1024x1024xi8>) outs(%i : tensor<4x1024xi32>) -> tensor<4x1024xi32>
  return %c : tensor<4x1024xi32>
}

// Of bf16: one instruction makes f32 of each half of the words of B, and rows of A are f32 already.
// CHECK-LABEL: words_loop_0:
// CHECK: vpslld $16, %zmm{{[0-9]+}}, %zmm
// CHECK-NOT: vpmovzx
// CHECK: vfmadd231ps {{.*}}, %zmm{{[0-9]+}}, %zmm
// CHECK: vfmadd231ps {{.*}}, %zmm{{[0-9]+}}, %zmm
func.func @words(%a: tensor<4x1024xbf16>, %b: tensor<256x1024xbf16>, %i: tensor<4x256xf32>) -> tensor<4x256xf32> {
  %c = linalg.contract indexing_maps = [#a, #t, #c] ins(%a, %b : tensor<4x1024xbf16>, tensor<256x1024xbf16>) outs(%i : tensor<4x256xf32>) -> tensor<4x256xf32>
  return %c : tensor<4x256xf32>
}

// The same by weights as they lie, whose columns are put in order at the end.
// CHECK-LABEL: rows_of_words_loop_0:
// CHECK: vpslld $16, {{.*}}%zmm
// CHECK-NOT: vpmovzx
// CHECK: vfmadd231ps {{.*}}, %zmm{{[0-9]+}}, %zmm
// CHECK: vfmadd231ps {{.*}}, %zmm{{[0-9]+}}, %zmm
func.func @rows_of_words(%a: tensor<8x1024xbf16>, %b: tensor<1024x1024xbf16>, %i: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<8x1024xbf16>, tensor<1024x1024xbf16>) outs(%i : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %c : tensor<8x1024xf32>
}
