// Object files and texts for another architecture than this machine's.
// REQUIRES: x86-host

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s --mtriple=aarch64-linux-gnu --emit=obj --amp-no-scalar-fallback -o %t/m.o
// RUN: llvm-readobj --file-headers %t/m.o | FileCheck %s --check-prefix=OBJECT
// RUN: llvm-objdump -d --no-show-raw-insn %t/m.o | FileCheck %s --check-prefix=CODE
// RUN: FileCheck %s --check-prefix=JSON < %t/m.json
// RUN: amp-compile %s --mtriple=aarch64-linux-gnu --mcpu=neoverse-v1 --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// OBJECT: Arch: aarch64
// CODE: fmla{{.*}}v{{[0-9]+}}.4s
// JSON: "triple": "aarch64-unknown-linux-gnu",
// JSON: "processor": "generic",
// LLVM: target triple = "aarch64-unknown-linux-gnu"
// LLVM-NOT: llvm.x86
// LLVM: "target-cpu"="neoverse-v1"

// Bad input.
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mtriple=aarch64-linux-gnu 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: --mtriple: libraries are linked for this machine's architecture, found 'aarch64-linux-gnu'; write --emit=obj and link it there, with the runtime
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.o --emit=obj --mtriple=sparc-linux-gnu 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --mtriple: unsupported architecture 'sparc-unknown-linux-gnu': expected the triple of an x86-64 or AArch64 system
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.o --emit=obj --mtriple=aarch64-linux-gnu --mcpu=host 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: --mcpu, --mattr: CPU 'host' is of x86_64, not of aarch64: expected 'generic' or a processor name of LLVM
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.o --emit=obj --mtriple=aarch64-linux-gnu --mattr=+avx2 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: --mattr: unknown feature 'avx2' of aarch64 processors

func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> tensor<64x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x80xf32>) outs(%f : tensor<64x80xf32>) -> tensor<64x80xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<64x80xf32>) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  return %1 : tensor<64x80xf32>
}
