// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=x86-64-v3})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | FileCheck %s

// With 16 registers, more rows than a register tile has read strips of B: a few of its rows are copied, and the next ones asked for while
// six rows of A are multiplied by them.
// CHECK-LABEL: strips_loop_1:
// CHECK: vmovups -96(%[[B:r[a-z0-9]+]]), %ymm0
// CHECK-NEXT: vmovups %ymm0, 4096({{.*}})
// CHECK: prefetcht1
// CHECK-NEXT: vbroadcastss
// CHECK-NOT: (%rsp
// CHECK-COUNT-12: vfmadd231ps
// CHECK-NOT: vfmadd
// CHECK: vmovups
// CHECK-NEXT: vmovups
// CHECK-NEXT: prefetcht1
func.func @strips(%a: tensor<24x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<24x1024xf32>) -> tensor<24x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<24x1024xf32>) -> tensor<24x1024xf32>
  return %r : tensor<24x1024xf32>
}

// Of bf16 they are converted once, when they are copied.
// CHECK-LABEL: strips_of_words_loop_1:
// CHECK: vpslld
// CHECK: vmovdqu %ymm{{[0-9]+}}, 4096({{.*}})
// CHECK: prefetcht1
// CHECK-NOT: vpslld
// CHECK-NOT: vpmovzxwd
// CHECK-COUNT-12: vfmadd231ps
func.func @strips_of_words(%a: tensor<24x1024xbf16>, %b: tensor<1024x1024xbf16>, %c: tensor<24x1024xf32>) -> tensor<24x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x1024xbf16>, tensor<1024x1024xbf16>) outs(%c : tensor<24x1024xf32>) -> tensor<24x1024xf32>
  return %r : tensor<24x1024xf32>
}
