// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{vector-bits=100}))' 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{features=avx2}))' 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' 2>&1 | FileCheck %s --check-prefix=BUFFER

// BITS: amp-cpu-codegen-invalid.mlir:[[#@LINE+4]]:1: error: bad vector width 100: expected 0 (detect) or a power of two from 64 to 2048 bits
// CPU: error: unknown CPU 'pentium9': expected 'host', 'generic' or an x86-64 processor name
// FEATURE: error: bad CPU feature 'avx2': expected '+name' or '-name', separated by commas
// BUFFER: amp-cpu-codegen-invalid.mlir:[[#@LINE+2]]:3: error: 'linalg.fill' op works on buffers, but 'amp-cpu-codegen' schedules linalg on tensors: run it before bufferization
func.func @buffers(%m: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}
