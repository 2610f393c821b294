// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{vector-bits=100}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{features=avx2}))' 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=riscv64-linux-gnu cpu=generic}))' 2>&1 | FileCheck %s --check-prefix=TRIPLE
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=aarch64-linux-gnu cpu=znver4}))' 2>&1 | FileCheck %s --check-prefix=ARM
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=neoverse-n1}))' 2>&1 | FileCheck %s --check-prefix=X86

// BITS: amp-cpu-codegen-invalid.mlir:[[#@LINE+7]]:1: error: bad vector width 100: expected 0 (detect) or a power of two from 64 to 2048 bits
// CPU: error: unknown CPU 'pentium9': expected 'host', 'generic' or an x86-64 processor name
// FEATURE: error: bad CPU feature 'avx2': expected '+name' or '-name', separated by commas
// TRIPLE: error: unsupported architecture 'riscv64-unknown-linux-gnu': expected the triple of an x86-64 or AArch64 system such as 'x86_64-unknown-linux-gnu' or 'aarch64-unknown-linux-gnu'
// ARM: error: unknown CPU 'znver4': expected 'host', 'generic' or an AArch64 processor name of LLVM such as 'neoverse-n1' or 'apple-m1'
// X86: error: unknown CPU 'neoverse-n1': expected 'host', 'generic' or an x86-64 processor name
// BUFFER: amp-cpu-codegen-invalid.mlir:[[#@LINE+2]]:3: error: 'linalg.fill' op works on buffers, but 'amp-cpu-codegen' schedules linalg on tensors: run it before bufferization
func.func @buffers(%m: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}
