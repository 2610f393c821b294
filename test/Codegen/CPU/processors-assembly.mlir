// The same programs for AArch64 and for x86-64 processors of each width: nothing goes element by element, hot loops are vectors, and what is called is the runtime, not the
// C library's functions of single elements. Polynomials need a fused multiply-add, for which the oldest x86-64 has only the C library's.

// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=aarch64-unknown-linux-gnu cpu=generic no-scalar-fallback})' -o %t.generic.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.generic.mlir | llc -O3 -mtriple=aarch64-unknown-linux-gnu -mcpu=generic -o %t.generic.s
// RUN: FileCheck %s --check-prefixes=ALL,ARM --implicit-check-not='{{bl[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.generic.s
// RUN: not grep -e llvm.x86 -e amp_enable_tiles -e nontemporal %t.generic.mlir
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=aarch64-unknown-linux-gnu cpu=neoverse-n1 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=aarch64-unknown-linux-gnu -mcpu=neoverse-n1 -o %t.n1.s
// RUN: FileCheck %s --check-prefixes=ALL,ARM --implicit-check-not='{{bl[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.n1.s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=aarch64-unknown-linux-gnu cpu=neoverse-v1 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=aarch64-unknown-linux-gnu -mcpu=neoverse-v1 -o %t.v1.s
// RUN: FileCheck %s --check-prefixes=ALL,ARM --implicit-check-not='{{bl[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.v1.s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=aarch64-unknown-linux-gnu cpu=neoverse-v2 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=aarch64-unknown-linux-gnu -mcpu=neoverse-v2 -o %t.v2.s
// RUN: FileCheck %s --check-prefixes=ALL,ARM --implicit-check-not='{{bl[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.v2.s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=arm64-apple-macosx14.0 cpu=apple-m1 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=aarch64-unknown-linux-gnu -mcpu=apple-m1 -o %t.m1.s
// RUN: FileCheck %s --check-prefixes=ALL,ARM --implicit-check-not='{{bl[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.m1.s

// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=x86_64-unknown-linux-gnu cpu=x86-64-v3 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 -o %t.v3.s
// RUN: FileCheck %s --check-prefixes=ALL,AVX2 --implicit-check-not='{{callq[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' --implicit-check-not='zmm' < %t.v3.s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=x86_64-unknown-linux-gnu cpu=generic no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64 -o %t.base.s
// RUN: FileCheck %s --check-prefixes=ALL,SSE --implicit-check-not='{{callq[[:blank:]]+(exp|erf|tanh|sin|log|pow)}}' --implicit-check-not='{{[yz]mm}}' < %t.base.s

// ALL-LABEL: {{^}}matmul:
// ARM: {{fmla[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{vfmadd[0-9]+ps.*%ymm}}
// SSE: {{mulps.*%xmm}}
func.func @matmul(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// Narrow operands are widened while they are packed; the epilogue (bias, erf, cast) is vectors too.
// ALL-LABEL: {{^}}bf16:
// ARM: {{fmla[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{vfmadd[0-9]+ps.*%ymm}}
// SSE: {{mulps.*%xmm}}
func.func @bf16(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %like: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xbf16> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %like, %c0 : tensor<?x?xf32>
  %n = tensor.dim %like, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%s : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xbf16>) {
  ^bb0(%x: f32, %y: f32, %w: bf16):
    %0 = arith.addf %x, %y : f32
    %1 = math.erf %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x?xbf16>
  return %g : tensor<?x?xbf16>
}

// ALL-LABEL: {{^}}i8:
// ARM: {{(mla|smlal2?|sdot)[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{vpmaddwd.*%ymm}}
// SSE: {{pmaddwd.*%xmm}}
func.func @i8(%a: tensor<256x256xi8>, %b: tensor<256x256xi8>, %i: tensor<256x256xi32>) -> tensor<256x256xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<256x256xi8>, tensor<256x256xi8>) outs(%i : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %c : tensor<256x256xi32>
}

// ALL-LABEL: {{^}}conv:
// ARM: {{fmla[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{vfmadd[0-9]+ps.*%ymm}}
// SSE: {{mulps.*%xmm}}
func.func @conv(%x: tensor<1x30x30x32xf32>, %w: tensor<3x3x32x64xf32>, %i: tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32> {
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x30x30x32xf32>, tensor<3x3x32x64xf32>) outs(%i : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %c : tensor<1x28x28x64xf32>
}

// ALL-LABEL: {{^}}softmax:
// ARM: {{fmax(nm)?[[:blank:]]+v[0-9]+\.4s|fcmg[te][[:blank:]]+v[0-9]+\.4s}}
// ARM: {{fmla[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{v(max|cmp)[a-z_]*ps.*%ymm}}
// AVX2: {{vfmadd[0-9]+ps.*%ymm}}
// SSE: {{(max|cmp)[a-z]*ps.*%xmm}}
func.func @softmax(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %e = tensor.empty() : tensor<64x512xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

// Functions, and a cast to 8 bits.
// ALL-LABEL: {{^}}functions:
// ARM: {{fmla[[:blank:]]+v[0-9]+\.4s}}
// AVX2: {{vfmadd[0-9]+ps.*%ymm}}
// SSE: {{mulps.*%xmm}}
func.func @functions(%x: tensor<4096xf16>) -> tensor<4096xf8E4M3FN> {
  %e = tensor.empty() : tensor<4096xf8E4M3FN>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf16>) outs(%e : tensor<4096xf8E4M3FN>) {
  ^bb0(%v: f16, %o: f8E4M3FN):
    %w = arith.extf %v : f16 to f32
    %t = math.tanh %w : f32
    %s = math.sin %t : f32
    %q = arith.truncf %s : f32 to f8E4M3FN
    linalg.yield %q : f8E4M3FN
  } -> tensor<4096xf8E4M3FN>
  return %y : tensor<4096xf8E4M3FN>
}

// A result that x86 stores around its caches.
// ALL-LABEL: {{^}}large:
// ARM-NOT: {{stnp|dmb}}
// AVX2: vmovntps
// AVX2: sfence
// SSE-NOT: {{movnt|sfence}}
// ALL: ret
func.func @large(%x: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %e = tensor.empty() : tensor<2048x2048xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2048x2048xf32>) outs(%e : tensor<2048x2048xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.mulf %v, %v : f32
    linalg.yield %s : f32
  } -> tensor<2048x2048xf32>
  return %y : tensor<2048x2048xf32>
}
