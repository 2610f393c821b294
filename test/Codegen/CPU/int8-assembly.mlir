// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=znver4})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=znver4 | FileCheck %s --check-prefix=VNNI
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=alderlake})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=alderlake | FileCheck %s --check-prefix=AVX
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=x86-64-v3})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2

// The innermost loop of a product of signed i8 matrices: the dot product of four bytes per lane where the processor has it,
// else of two words, and all sums in registers. LLVM's passes, which amp-compile runs, leave it so.
// VNNI-LABEL: main:
// VNNI: vpdpbusd {{.*}}%zmm
// AVX-LABEL: main:
// AVX: vpdpbusd {{.*}}%ymm
// AVX2-LABEL: main:
// AVX2: vpmaddwd {{.*}}%ymm
// AVX2-NOT: %rsp
// AVX2-COUNT-11: vpmaddwd {{.*}}%ymm
// AVX2-NOT: vpmulld
func.func @main(%a: tensor<256x256xi8>, %b: tensor<256x256xi8>, %i: tensor<256x256xi32>) -> tensor<256x256xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<256x256xi8>, tensor<256x256xi8>) outs(%i : tensor<256x256xi32>) -> tensor<256x256xi32>
  return %c : tensor<256x256xi32>
}
